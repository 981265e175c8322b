//! Families of laws that have the same force.
//!
//! Many laws of the catalogue differ only in their formula for the damping as a function of restitution. Once the
//! damping is determined (calibrated exactly, fitted, or by formulas that happen to agree) they are one force with
//! many names. If laws are ranked or offered as alternatives, such a family is one entry: [`families`] finds them by
//! comparing forces, independent of names, and puts the best-known law of each family first.

use crate::impact::Impact;
use crate::law::{Exit, Law, Memory};
use crate::model::{Group, Model};
use std::cmp::Reverse;

/// Scales of the impact at which forces are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Approach speed at touch (m/s).
    pub speed: f64,
    /// Largest indentation (m).
    pub indentation: f64,
    /// Largest force (N), to which differences are relative.
    pub force: f64,
}

impl From<&Impact> for Scale {
    fn from(impact: &Impact) -> Self {
        let Impact { speed, indentation_max, force_max, .. } = *impact;
        Self { speed, indentation: indentation_max, force: force_max }
    }
}

/// Difference, relative to the largest force, below which forces count as the same.
pub const TOLERANCE: f64 = 1e-6;

/// Groups laws that have the same force in this impact, with a tolerance relative to its largest force.
///
/// Returns indices into `laws`. Within a family the best-known law comes first ([`fame`]); families are in the order
/// in which `laws` first contains one of their members.
///
/// ```
/// use carom::same_force::{Scale, TOLERANCE, families};
/// use carom::{Damping, Pair, collide, model};
/// let pair = Pair::new(0.54, 2.4144e10, 1.5)?;
/// let names = ["zhang-sharf-2004", "tsuji-1992", "flores-2011", "hunt-crossley-1975"];
/// let mut laws = Vec::new();
/// for name in names {
///     let law = model(name)?.law(&pair, Damping::Exact(0.7), None, &[])?;
///     laws.push((model(name)?, law));
/// }
/// let impact = collide(&laws[0].1, 0.5)?;
/// let scale = Scale::from(&impact);
/// // Flores, Zhang & Sharf and Hunt & Crossley are one force with exact damping; Tsuji's is another.
/// assert_eq!(families(&laws, &scale, TOLERANCE), [vec![3, 2, 0], vec![1]]);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn families(laws: &[(&'static Model, Law)], scale: &Scale, tolerance: f64) -> Vec<Vec<usize>> {
    let mut families: Vec<Vec<usize>> = Vec::new();
    for (index, (_, law)) in laws.iter().enumerate() {
        let same = |family: &&mut Vec<usize>| {
            family.first().is_some_and(|&first| same_force(&laws[first].1, law, scale, tolerance))
        };
        match families.iter_mut().find(same) {
            Some(family) => family.push(index),
            None => families.push(vec![index]),
        }
    }
    for family in &mut families {
        family.sort_by_key(|&index| fame(laws[index].0));
    }
    families
}

/// Returns whether two laws have the same force at every indentation and rate of this impact, during first loading
/// and after it.
pub fn same_force(a: &Law, b: &Law, scale: &Scale, tolerance: f64) -> bool {
    // Laws with an internal state or a dependence on time are not determined by the force at one instant.
    if a.has_state_or_clock() || b.has_state_or_clock() || a.mass != b.mass {
        return false;
    }
    let touched = [a.touch(scale.speed), b.touch(scale.speed)];
    // If contact ends at zero force, there is no tensile force.
    let push = |law: &Law, delta: f64, rate: f64, memory: &Memory| {
        let force = law.force(delta, rate, memory);
        if law.exit == Exit::ZeroForce { force.max(0.0) } else { force }
    };
    let same = |part: f64, rate: f64, peak: f64| {
        let (delta, rate, peak) =
            (part * scale.indentation, rate * scale.speed, peak * scale.indentation);
        let [here, there] = touched.map(|memory| Memory { peak, ..memory });
        let difference = push(a, delta, rate, &here) - push(b, delta, rate, &there);
        difference.abs() <= tolerance * scale.force
    };
    let parts = [1e-3, 0.1, 0.3, 0.6, 0.9, 1.0];
    let rates = [0.9, 0.5, 0.1, -0.1, -0.4, -0.7];
    parts.iter().all(|&part| {
        // The memory is that after the largest indentation of the impact, and that of first loading.
        rates.iter().all(|&rate| same(part, rate, 1.0) && (rate < 0.0 || same(part, rate, part)))
    })
}

/// Laws after which a force is usually named, the most common first.
const BEST_KNOWN: &[&str] = &[
    "hertz-1881",
    "hooke-1678",
    "hunt-crossley-1975",
    "kelvin-voigt-1865",
    "tsuji-1992",
    "lankarani-nikravesh-1990",
    "kuwabara-kono-1987",
    "brilliantov-1996",
    "flores-2011",
    "walton-braun-1986",
    "thornton-1997",
    "gonthier-2004",
    "zhang-sharf-2004",
    "anagnostopoulos-1988",
    "jankowski-2005",
    "goldsmith-1960",
    "lee-herrmann-1993",
];

/// Returns a key that sorts laws by how well known they are: first those after which the force is usually named, then
/// older laws before newer ones. Laws as programs implement them and the power law with free exponents come after
/// laws with an author.
pub fn fame(model: &Model) -> (bool, Reverse<usize>, u16, &'static str) {
    let nameless = model.group == Group::Software || model.id == "power";
    let rank = BEST_KNOWN.iter().rev().position(|id| *id == model.id);
    (nameless, Reverse(rank.map_or(0, |rank| rank + 1)), model.year, model.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::CATALOGUE;
    use crate::{Damping, Pair, collide};

    fn named(pair: &Pair, damping: Damping) -> Vec<Vec<&'static str>> {
        let build = |model: &'static Model| {
            Some((model, model.law(pair, damping, Some(Exit::ZeroForce), &[]).ok()?))
        };
        let laws: Vec<_> = CATALOGUE.iter().filter_map(build).collect();
        let impact = collide(&laws[0].1, 0.5).unwrap();
        let scale = Scale::from(&impact);
        let name = |family: Vec<usize>| family.into_iter().map(|i| laws[i].0.id).collect();
        families(&laws, &scale, TOLERANCE).into_iter().map(name).collect()
    }

    #[test]
    fn the_best_known_laws_are_of_the_catalogue() {
        for id in BEST_KNOWN {
            assert!(CATALOGUE.iter().any(|model| model.id == *id), "{id}");
        }
    }

    /// A force with many names must be listed once, under its best-known name: otherwise a recommendation for a
    /// Hertzian pair would be listed under a little-known law whose formula happens to be nearest to the exact one,
    /// with dozens of other names for it.
    #[test]
    fn a_force_with_many_names_is_called_by_the_best_known() {
        let point = named(&Pair::new(0.54, 2.4144e10, 1.5).unwrap(), Damping::Exact(0.7));
        let firsts: Vec<_> = point.iter().filter(|family| family.len() > 1).map(|f| f[0]).collect();
        for name in ["hunt-crossley-1975", "tsuji-1992"] {
            assert!(firsts.contains(&name), "{firsts:?}");
        }
        let of = |name: &str| point.iter().find(|family| family.contains(&name)).unwrap();
        assert_eq!(of("flores-2011")[0], "hunt-crossley-1975");
        assert_eq!(of("brilliantov-2015")[0], "kuwabara-kono-1987");
        assert_eq!(of("ristow-1992")[0], "lee-herrmann-1993");
        assert_eq!(of("hunt-crossley-1975").last(), Some(&"simbody"));
        let linear = named(&Pair::new(1.0, 1e6, 1.0).unwrap(), Damping::Exact(0.7));
        let of = |name: &str| linear.iter().find(|family| family.contains(&name)).unwrap();
        assert_eq!(of("tsuji-1992")[0], "kelvin-voigt-1865");
        // Every law is in one family only.
        let mut all = linear.concat();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), linear.concat().len());
    }

    #[test]
    fn laws_that_lose_alike_by_other_means_are_not_one_force() {
        let linear = named(&Pair::new(1.0, 1e6, 1.0).unwrap(), Damping::Exact(0.7));
        let of = |name: &str| linear.iter().find(|family| family.contains(&name)).unwrap();
        assert!(!of("walton-braun-1986").contains(&"kelvin-voigt-1865"));
        assert!(!of("hunt-crossley-1975").contains(&"kelvin-voigt-1865"));
    }
}
