//! A law of the catalogue as text to paste into a program: its functions, and a comment that explains their use.

use super::{Formulas, Language};
use crate::compare::nominal_law;
use crate::error::Result;
use crate::law::{Exit, Force, Law, Work};
use crate::model::Model;
use crate::scalar::expression::Function;
use crate::spec::Spec;
use std::fmt::Write as _;

/// How the numbers of a law (stiffness, radius, …) appear in its printed functions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Numbers {
    /// As constants within the functions. If the damping is found by a search at onset, the comment states it for
    /// this approach speed (m/s), if one is given.
    Constants(Option<f64>),
    /// As arguments of the functions. The computation of the damping from a restitution is not printed in this case.
    Arguments,
}

impl Language {
    /// Returns the characters that begin a comment line.
    fn comment(self) -> &'static str {
        match self {
            Self::C | Self::Cuda => "//",
            Self::Python => "#",
            Self::Latex => "%",
        }
    }

    /// Returns the lines that must precede the functions.
    fn preamble(self) -> &'static str {
        match self {
            Self::C | Self::Cuda => "#include <math.h>\n\n",
            Self::Python => "import numpy as np\n\n\n",
            Self::Latex => "",
        }
    }
}

/// Returns a law of a model as functions with a comment. The comment contains the equation, the reference, the units,
/// the sign conventions, and what has to be remembered and how.
///
/// The functions are those of [`law`](super::law), and their names begin with the id of the model.
///
/// ```
/// use carom::code::{Language, Numbers, listing};
/// use carom::{Damping, Pair, model};
/// let (pair, model) = (Pair::new(0.54, 2.4144e10, 1.5)?, model("hunt-crossley-1975")?);
/// let law = model.law(&pair, Damping::Restitution(0.9), None, &[])?;
/// let text = listing(model, &law, Numbers::Constants(None), Language::C);
/// assert!(text.contains("static inline double hunt_crossley_1975_touch(double speed)"));
/// assert!(text.contains("double hunt_crossley_1975_force(double delta, double rate, double damping)"));
/// # Ok::<(), carom::Error>(())
/// ```
pub fn listing(model: &Model, law: &Law, numbers: Numbers, language: Language) -> String {
    let name = model.id.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
    let mut formulas = Formulas::of(law);
    if numbers == Numbers::Arguments {
        (formulas.touch, formulas.numbers) = (None, Vec::new());
    }
    let mut text = String::new();
    for line in comment(model, law, &formulas, numbers, &name).lines() {
        let _ = writeln!(text, "{}", format!("{} {line}", language.comment()).trim_end());
    }
    text + language.preamble() + &formulas.print(&name, language)
}

/// Returns the [`listing`] of a description. Its numbers are constants; if the description contains only a law, they
/// are arguments.
///
/// ```
/// use carom::code::{Language, described};
/// use carom::spec::Spec;
/// let spec = Spec { law: "hertz-1881".into(), ..Spec::default() };
/// assert!(described(&spec, Language::Python)?.contains("def hertz_1881_force(delta, rate, damping, stiffness):"));
/// let spec = Spec { mass: Some(0.54.into()), stiffness: Some(2.4144e10.into()), ..spec };
/// assert!(described(&spec, Language::Python)?.contains("stiffness = np.float64(24144000000.0)"));
/// # Ok::<(), carom::Error>(())
/// ```
pub fn described(spec: &Spec, language: Language) -> Result<String> {
    let model = spec.model()?;
    if *spec == (Spec { law: spec.law.clone(), ..Spec::default() }) {
        return Ok(listing(model, &nominal_law(model)?, Numbers::Arguments, language));
    }
    // The law itself does not depend on the speed, only the quantities that some laws determine at onset. Any speed
    // can therefore be used if none is given.
    let case = Spec { speed: spec.speed.clone().or(Some(1.0.into())), ..spec.clone() }.case()?;
    let numbers = Numbers::Constants(spec.speed.as_ref().map(|_| case.speed));
    Ok(listing(model, &case.law()?, numbers, language))
}

/// Returns the name of the quantity that a law stores as the damping in [`Memory`](crate::law::Memory).
struct FixedAtTouch;

impl Work for FixedAtTouch {
    type Output = &'static str;
    fn run<F: Force>(self, _: F) -> &'static str {
        F::FIXED_AT_TOUCH
    }
}

/// Returns the lines of the comment, without the characters that mark them as comments.
fn comment(model: &Model, law: &Law, formulas: &Formulas, numbers: Numbers, name: &str) -> String {
    let indented = |section: &str| model.section(section).replace('\n', "\n  ");
    let mut text = format!(
        "{} (`{}` of carom {})\n\nEquation\n  {}\nReference\n  {}\n",
        model.title,
        model.id,
        env!("CARGO_PKG_VERSION"),
        indented("Equation"),
        indented("Reference"),
    );
    if let Some(doi) = model.doi {
        text += &format!("  https://doi.org/{doi}\n");
    }
    text += "Units and signs\n  SI. delta (m) > 0 in contact, rate = d(delta)/dt (m/s) > 0 while approaching, force (N) > 0 pushes \
             apart.\n";
    let release = match law.release() {
        0.0 => "0".to_string(),
        _ if numbers == Numbers::Arguments => {
            "the negative length of the adhesive neck".to_string()
        }
        release => format!("{release:e} m"),
    };
    text += &format!(
        "  Call it while the bodies touch, delta >= {release}: elsewhere there is no force.\n"
    );
    text += match law.exit {
        Exit::ZeroForce => "  Contact ends where the force returns to zero while separating.\n",
        Exit::ZeroIndentation => "  Contact ends where the indentation returns to zero.\n",
    };
    if numbers != Numbers::Arguments {
        text += &format!("  Effective mass m1*m2/(m1+m2) = {} kg.\n", law.mass);
    }
    let takes = |argument: &str| {
        let all = [Some(&formulas.force), formulas.internal_rate.as_ref()];
        all.into_iter().flatten().any(|function| function.takes(argument))
    };
    let call = |function: &Function| formulas.arguments(function).collect::<Vec<_>>().join(", ");
    let mut remembered = String::new();
    if takes("speed") {
        remembered += "  speed: approach speed at first touch (m/s)\n";
    }
    if takes("damping") {
        let how = match (&formulas.touch, numbers) {
            (Some(touch), _) => format!("damping = {name}_touch({})", call(touch)),
            (None, Numbers::Constants(Some(speed))) => {
                let damping = law.touch(speed).damping;
                format!("{damping:?} at {speed:?} m/s, found by a search for this speed")
            }
            (None, Numbers::Constants(None)) => {
                "found by a search for the approach speed; name the speed to have it here"
                    .to_string()
            }
            (None, Numbers::Arguments) => {
                "name bodies and dissipation to have it as a function of the speed".to_string()
            }
        };
        remembered +=
            &format!("  damping: {}, fixed at first touch; {how}\n", law.with(FixedAtTouch));
    }
    if let Some(peak) = &formulas.peak {
        remembered += &format!(
            "  peak: largest indentation so far, or what the law keeps in its place (m), 0 at first touch;\n    after every \
             accepted step, never after a trial: peak = {name}_peak({})\n",
            call(peak)
        );
    }
    if takes("time") {
        remembered += "  time: since first touch (s)\n";
    }
    if let Some(rate) = &formulas.internal_rate {
        remembered += &format!(
            "  internal: internal state of the law, 0 at first touch; to be integrated with the motion,\n    \
             d(internal)/dt = {name}_internal_rate({})\n",
            call(rate)
        );
    }
    text += match remembered.is_empty() {
        true => "Nothing has to be remembered of a contact.\n",
        false => "To be remembered of every contact\n",
    };
    text + &remembered
}
