//! What a sweep can keep of an impact, under the names of the columns of an impact.

use crate::error::{Error, Result};
use crate::impact::Impact;
use crate::law::Law;
use crate::model::Model;

/// A case that was computed: its model, law and impact.
pub(super) type Evaluated = (&'static Model, Law, Impact);

/// A number of an impact.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Name of its column.
    pub name: &'static str,
    /// SI unit; empty for pure numbers and for units that depend on the exponents.
    pub unit: &'static str,
    of: fn(&Model, &Law, &Impact) -> f64,
}

impl PartialEq for Output {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Kept unless a study says otherwise.
pub(super) const USUAL: [&str; 4] =
    ["restitution_newton", "duration", "force_max", "indentation_max"];

/// Everything that can be kept.
pub const OUTPUTS: &[Output] = &[
    output("restitution_newton", "", |_, _, i| i.restitution.newton),
    output("restitution_poisson", "", |_, _, i| i.restitution.poisson),
    output("restitution_stronge", "", |_, _, i| i.restitution.stronge),
    output("duration", "s", |_, _, i| i.duration),
    output("indentation_max", "m", |_, _, i| i.indentation_max),
    output("time_of_indentation_max", "s", |_, _, i| i.time_of_indentation_max),
    output("force_max", "N", |_, _, i| i.force_max),
    output("time_of_force_max", "s", |_, _, i| i.time_of_force_max),
    output("residual_indentation", "m", |_, _, i| i.residual_indentation),
    output("impulse_compression", "N s", |_, _, i| i.impulse.compression),
    output("impulse_restitution", "N s", |_, _, i| i.impulse.restitution),
    output("energy_initial", "J", |_, _, i| i.energy.initial),
    output("energy_lost_in_compression", "J", |_, _, i| i.energy.lost_in_compression),
    output("energy_lost_in_restitution", "J", |_, _, i| i.energy.lost_in_restitution),
    output("pair_mass", "kg", |_, law, _| law.mass),
    output("pair_stiffness", "", |_, law, _| law.power().map_or(f64::NAN, |p| p.stiffness)),
    output("pair_exponent", "", |_, law, _| law.power().map_or(f64::NAN, |p| p.elastic.value())),
    output("damping_coefficient", "", |model, law, i| {
        model.written_coefficient(law, i.speed).unwrap_or(f64::NAN)
    }),
    output("damping_epsilon", "", |_, law, i| {
        law.power().map_or(f64::NAN, |p| p.epsilon(law.mass, i.speed))
    }),
];

const fn output(
    name: &'static str,
    unit: &'static str,
    of: fn(&Model, &Law, &Impact) -> f64,
) -> Output {
    Output { name, unit, of }
}

impl Output {
    /// Finds an output by name; `restitution` is Newton's.
    pub fn find(name: &str) -> Result<Self> {
        let wanted = match name.trim() {
            "restitution" => "restitution_newton",
            other => other,
        };
        OUTPUTS.iter().find(|output| output.name == wanted).copied().ok_or_else(|| {
            let known = OUTPUTS.iter().map(|output| output.name);
            let all: Vec<_> = known.clone().collect();
            Error::unknown("output", name, known, format!("there are {}", all.join(", ")))
        })
    }

    /// The number.
    pub(super) fn of(&self, (model, law, impact): &Evaluated) -> f64 {
        (self.of)(model, law, impact)
    }
}
