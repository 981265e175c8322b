//! Own laws compared with the same laws built in: one impact, and one impact in a scene.

use crate::measure::{self, Table};
use crate::scenes;
use carom::impact::{Conditions, collide_under};
use carom::{Damping, Exit, Law, Pair, model, own_law};
use std::error::Error;
use std::hint::black_box;

/// A law that exists both as a built-in law and as an own law.
struct Twin {
    name: &'static str,
    built_in: &'static str,
    /// Parameters of the built-in law.
    set: &'static [(&'static str, f64)],
    text: &'static str,
    damping: Damping,
}

const TWINS: [Twin; 4] = [
    Twin {
        name: "Hunt & Crossley",
        built_in: "hunt-crossley-1975",
        set: &[],
        // The factor 2 prevents the formula from being recognised as a power law, which would make it the built-in one.
        text: "name = \"own-hunt-crossley\"\nspring = \"K*delta^n\"\ndamper = \"2*c*delta^n*rate\"\n\
               [parameters]\nK = \"1e9 N/m^1.5\"\nn = 1.5\n",
        damping: Damping::Coefficient(3e8),
    },
    Twin {
        name: "Tsuji, Tanaka & Ishida",
        built_in: "tsuji-1992",
        set: &[],
        text: "name = \"own-tsuji\"\nspring = \"K*delta*sqrt(delta)\"\ndamper = \"2*c*delta^0.25*rate\"\n\
               [parameters]\nK = \"1e9 N/m^1.5\"\n",
        damping: Damping::Coefficient(600.0),
    },
    Twin {
        name: "Adams IMPACT",
        built_in: "adams-impact",
        set: &[("full_damping_depth", 1e-4)],
        text: "name = \"own-adams\"\nspring = \"K*delta^1.5\"\n\
               damper = \"c*min(1, delta/d)^2*(3 - 2*min(1, delta/d))*rate\"\n\
               [parameters]\nK = \"1e9 N/m^1.5\"\nd = \"1e-4 m\"\n",
        damping: Damping::Coefficient(200.0),
    },
    Twin {
        name: "volume of a sphere in a plane",
        built_in: "gonthier-volumetric-2004",
        set: &[("radius_1", 0.02), ("volume_stiffness", 1e12)],
        text: "name = \"own-volume\"\nspring = \"k*pi*delta^2*(R - delta/3)\"\n\
               damper = \"c*k*pi*delta^2*(R - delta/3)*rate\"\n\
               [parameters]\nk = \"1e12 N/m^3\"\nR = \"20 mm\"\n",
        damping: Damping::Coefficient(0.4),
    },
];

const SPEED: f64 = 1.0;

impl Twin {
    fn laws(&self) -> carom::Result<[Law; 2]> {
        let pair = Pair::new(0.5, 1e9, 1.5)?;
        let set: Vec<(String, f64)> =
            self.set.iter().map(|(name, value)| (name.to_string(), *value)).collect();
        let exit = Some(Exit::ZeroForce);
        let built_in = model(self.built_in)?.law(&pair, self.damping, exit, &set)?;
        let halved = match (self.damping, self.text.contains("2*c*")) {
            (Damping::Coefficient(c), true) => Damping::Coefficient(0.5 * c),
            (damping, _) => damping,
        };
        Ok([built_in, own_law::from_text(self.text)?.law(&pair, halved, exit, &[])?])
    }
}

pub fn run(out: &mut String) -> Result<(), Box<dyn Error>> {
    out.push_str("### Own laws against the same laws built in\n\n");
    out.push_str(
        "Both are integrated (power laws would be read off their theory, and an own law that is one becomes one: \
         a weight of 1 pN keeps both from it).\n\n",
    );
    let mut table =
        Table::new(["law", "built in", "own", "ratio", "difference of e", "in a scene, ratio"]);
    for twin in &TWINS {
        let laws = twin.laws()?;
        // A tiny external force makes both laws be integrated in time.
        let conditions = Conditions { external_force: 1e-12 };
        let e = |law: &Law| collide_under(law, SPEED, &conditions).map(|it| it.restitution.newton);
        let difference = (e(&laws[1])? / e(&laws[0])? - 1.0).abs();
        let time = |law: &Law| {
            measure::processor_seconds(|| collide_under(black_box(law), SPEED, &conditions))
        };
        let times = [time(&laws[0]), time(&laws[1])];
        let scene = |law: &Law| -> carom::Result<f64> {
            let world = scenes::falling_ball(*law, SPEED, 1e-8)?;
            scenes::impact(&world)?;
            Ok(measure::processor_seconds(|| scenes::impact(black_box(&world)).is_ok()))
        };
        let ratio = scene(&laws[1])? / scene(&laws[0])?;
        table.row([
            twin.name.to_string(),
            measure::time(times[0]),
            measure::time(times[1]),
            format!("{:.2}", times[1] / times[0]),
            format!("{difference:.0e}"),
            format!("{ratio:.2}"),
        ]);
    }
    table.write(out);
    Ok(())
}
