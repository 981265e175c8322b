//! Fits to the experiments: free parameters, and the values that papers found.

use super::{EXPERIMENTS, Experiment};
use crate::error::{Result, find_by_name};
use crate::fit::Observation;

/// A fit to some of the [`EXPERIMENTS`].
///
/// ```
/// use carom::fit::{Data, Options, fit};
/// use carom::problems::example;
/// use carom::spec::Spec;
/// let sliotar = example("sliotar")?;
/// let rows = sliotar.observations();
/// let spec = Spec { law: sliotar.law.into(), ..Spec::default() };
/// let options = Options {
///     free: sliotar.free.iter().map(|name| name.to_string()).collect(),
///     reference: sliotar.reference.iter().map(|(n, v)| (n.to_string(), *v)).collect(),
///     ..Options::default()
/// };
/// let found = fit(&Data::Outcomes(&rows), &spec, &options)?;
/// assert!(found.reference.unwrap().improvement > 0.1);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Name on the command line.
    pub id: &'static str,
    /// One-line description of the fit.
    pub title: &'static str,
    /// Prefix of the names of the experiments that are used.
    pub experiments: &'static str,
    /// Id of the law.
    pub law: &'static str,
    /// Free parameters.
    pub free: &'static [&'static str],
    /// True if the measured restitution is the input of the law; false if the restitution is fitted.
    pub asked: bool,
    /// Values of the parameters in a paper.
    pub reference: &'static [(&'static str, f64)],
    /// Source of these values.
    pub source: &'static str,
}

impl Example {
    /// Returns the experiments.
    pub fn experiments(&self) -> impl Iterator<Item = &'static Experiment> {
        let prefix = self.experiments;
        EXPERIMENTS.iter().filter(move |experiment| experiment.id.starts_with(prefix))
    }

    /// Returns the experiments as rows of a table.
    pub fn observations(&self) -> Vec<Observation> {
        let asked = self.asked;
        let stiff = self.free.contains(&"stiffness");
        self.experiments()
            .map(|known| Observation {
                speed: Some(known.speed),
                mass: Some(known.mass),
                stiffness: (!stiff).then_some(known.stiffness),
                requested: asked.then_some(known.restitution),
                restitution: (!asked).then_some(known.restitution),
                duration: known.duration,
                force_max: known.force_max,
                indentation_max: known.indentation_max,
            })
            .collect()
    }
}

/// Returns the example with this name.
///
/// # Errors
/// When there is none; the error suggests the nearest name.
pub fn example(id: &str) -> Result<&'static Example> {
    find_by_name("example", id, &EXAMPLES.iter().collect::<Vec<_>>(), |known| known.id)
}

/// All built-in examples.
pub static EXAMPLES: &[Example] = &[
    Example {
        id: "sliotar",
        title: "Exponents m and q of the damping of four sliotar cores",
        experiments: "sliotar",
        law: "zhang-2022",
        free: &["damping_exponent", "rate_exponent"],
        asked: true,
        reference: &[("damping_exponent", 1.1), ("rate_exponent", 1.25)],
        source: "Zhang et al. 2022, who chose them by hand",
    },
    Example {
        id: "steel-ball",
        title: "Stiffness and damping of a steel ball at two speeds",
        experiments: "steel-ball",
        law: "power",
        free: &["stiffness", "damping", "damping_exponent"],
        asked: false,
        reference: &[("stiffness", 2.4144e10)],
        source: "Zhang & Sharf 2009, from the shape and the material",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_has_experiments_and_a_law_with_its_parameters() {
        for known in EXAMPLES {
            assert_eq!(example(known.id).unwrap().id, known.id);
            assert!(known.experiments().count() >= 2, "{}", known.id);
            let model = crate::model(known.law).unwrap();
            let own = |name: &str| model.parameters.iter().any(|p| p.name == name);
            let general = ["stiffness", "damping"];
            assert!(known.free.iter().all(|name| own(name) || general.contains(name)));
            assert!(known.reference.iter().all(|(name, _)| known.free.contains(name)));
        }
    }
}
