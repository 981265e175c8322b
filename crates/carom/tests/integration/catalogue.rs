//! The catalogue as data: names, texts and parameters of the models, and that each model yields a law.

use crate::common::Misses;
use crate::common::subjects::{self, SPEED, Subject};
use carom::law::{Force, Law, Memory, Work};
use carom::model::{Group, Input, Parameter};
use carom::pair::FACTS;
use carom::spec::{Quantity, Spec};
use carom::units::Dimension;
use carom::{CATALOGUE, Damping, Exit, model};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn names_are_unique_and_kebab_and_find_their_model() {
    let mut seen = BTreeMap::new();
    let mut misses = Misses::new();
    for m in CATALOGUE {
        for name in std::iter::once(&m.id).chain(m.aliases) {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            let kebab = name.chars().all(plain)
                && name.split('-').all(|part| !part.is_empty())
                && name.starts_with(|c: char| c.is_ascii_lowercase());
            misses.require(kebab, || format!("{name} is not kebab-case"));
            if let Some(other) = seen.insert(*name, m.id) {
                misses.require(false, || format!("{name} names {other} and {}", m.id));
            }
            let found = model(name).expect("a known name");
            misses.require(found.id == m.id, || format!("{name} finds {}, not {}", found.id, m.id));
        }
    }
    misses.assert_none();
}

#[test]
fn an_id_ends_in_the_year_of_its_model_where_it_has_one() {
    let mut misses = Misses::new();
    for m in CATALOGUE {
        misses.require((1600..=2030).contains(&m.year), || format!("{}: year {}", m.id, m.year));
        let year = m.id.split('-').find_map(|part| match part.len() {
            4 => part.parse::<u16>().ok(),
            _ => None,
        });
        match year {
            // The year in a name and the year of printing may differ by one.
            Some(year) => {
                misses.require(year.abs_diff(m.year) <= 1, || format!("{} is of {}", m.id, m.year))
            }
            // Models of programs, variants of other models and families have no year in their names.
            None => misses.require(
                matches!(m.group, Group::Software | Group::General | Group::Conformal),
                || format!("{} has no year", m.id),
            ),
        }
    }
    misses.assert_none();
}

#[test]
fn every_model_has_its_five_sections_and_a_title() {
    let mut misses = Misses::new();
    for m in CATALOGUE {
        misses.require(!m.title.trim().is_empty(), || format!("{} has no title", m.id));
        for heading in ["Equation", "Derivation", "Validity", "Remarks", "Reference"] {
            let text = m.section(heading);
            misses.require(text.len() > 10, || format!("{} {heading}: `{text}`", m.id));
            let once = m.text.lines().filter(|line| *line == format!("//! # {heading}")).count();
            misses.require(once == 1, || format!("{}: {once} headings {heading}", m.id));
        }
        misses.require(m.section("No such heading").is_empty(), || m.id.to_string());
        misses.require(m.text.contains(&format!("id: \"{}\"", m.id)), || {
            format!("{} has the text of another model", m.id)
        });
    }
    misses.assert_none();
}

#[test]
fn identifiers_of_sources_are_well_formed() {
    let mut misses = Misses::new();
    for m in CATALOGUE {
        let Some(doi) = m.doi else { continue };
        let good = doi.strip_prefix("10.").and_then(|rest| rest.split_once('/')).is_some_and(
            |(registrant, suffix)| {
                registrant.len() >= 4
                    && registrant.chars().all(|c| c.is_ascii_digit())
                    && !suffix.is_empty()
                    && !suffix.contains(char::is_whitespace)
            },
        );
        misses.require(good, || format!("{}: {doi}", m.id));
    }
    misses.assert_none();
}

/// Returns true for parameters whose unit depends on an exponent, so that no fixed unit can be given.
fn follows_an_exponent(p: &Parameter) -> bool {
    p.unit.contains("^lambda") || p.unit.contains("^n") || p.unit.contains("^m")
}

#[test]
fn parameters_are_named_once_with_unit_range_and_help() {
    let mut misses = Misses::new();
    let taken = ["mass", "stiffness", "exponent", "speed", "restitution", "damping", "exit", "law"];
    for m in CATALOGUE {
        let (low, high) = m.restitution;
        misses.require((0.0..1.0).contains(&low) && low < high && high <= 1.0, || m.id.to_string());
        let names: BTreeSet<_> = m.parameters.iter().map(|p| p.name).collect();
        misses.require(names.len() == m.parameters.len(), || format!("{}: a name twice", m.id));
        for p in m.parameters {
            let label = format!("{} {}", m.id, p.name);
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            misses.require(p.name.chars().all(plain), || format!("{label}: not snake_case"));
            misses.require(!taken.contains(&p.name), || format!("{label}: the name is taken"));
            misses.require(p.help.len() > 5, || format!("{label}: no help"));
            misses.require(p.range.0 < p.range.1, || format!("{label}: {:?}", p.range));
            let inside = p.default.is_none_or(|value| value >= p.range.0 && value <= p.range.1);
            misses.require(inside, || format!("{label}: the default is not allowed"));
            let dimension = Dimension::of(p.unit);
            let known = dimension.is_ok() || follows_an_exponent(p);
            misses.require(known, || format!("{label}: unit `{}`", p.unit));
            if let (Some((_, unit, _)), Ok(dimension)) =
                (FACTS.iter().find(|(fact, ..)| *fact == p.name), dimension)
            {
                let fact = Dimension::of(unit).expect("a unit");
                misses.require(dimension.same(fact), || format!("{label}: the fact is in {unit}"));
            }
        }
    }
    misses.assert_none();
}

#[test]
fn every_model_makes_a_law_of_a_steel_pair() {
    let mut misses = Misses::new();
    for m in CATALOGUE {
        misses.require(!subjects::of(m).is_empty(), || format!("{} makes no law", m.id));
    }
    misses.assert_none();
}

/// Returns the forces at a few states of both phases; two laws with equal forces there are taken to be the same.
fn fingerprint(law: &Law, depth: f64, time: f64) -> Vec<f64> {
    struct Sample(Law, f64, f64);
    impl Work for Sample {
        type Output = Vec<f64>;
        fn run<F: Force>(self, form: F) -> Vec<f64> {
            let Sample(law, depth, time) = self;
            let touch = form.touch(law.mass, SPEED);
            let mut forces = vec![form.release()];
            for i in 1..12 {
                let delta = 0.1 * i as f64 * depth;
                let (peak, internal) = (1.2 * depth, 0.3 * delta.powf(1.5));
                for t in [0.3 * time, 2.0 * time] {
                    let memory = Memory { peak: delta, time: t, internal, ..touch };
                    forces.push(form.force(delta, 0.5 * SPEED, &memory));
                    forces.push(form.internal_rate(delta, 0.5 * SPEED, &memory));
                    forces.push(form.force(delta, -0.5 * SPEED, &Memory { peak, ..memory }));
                }
            }
            forces
        }
    }
    law.with(Sample(*law, depth, time))
}

#[test]
fn every_parameter_can_be_felt() {
    let mut misses = Misses::new();
    for m in CATALOGUE {
        let subjects = subjects::of(m);
        for p in m.parameters {
            let felt = |subject: &Subject| {
                let set = subject.set.iter().find(|(name, _)| name == p.name).map(|&(_, v)| v);
                let value = set.or(subject.pair.fact(p.name)).or(p.default).unwrap_or(0.5);
                // Some values are inadmissible in combination with the others, such as a ball wider than its cavity.
                [0.7 * value, 1.3 * value, 1.0].into_iter().any(|other| {
                    let mut changed = subject.set.clone();
                    changed.retain(|(name, _)| name != p.name);
                    changed.push((p.name.to_string(), other.clamp(p.range.0, p.range.1)));
                    let law = m.law(&subject.pair, subject.damping, None, &changed);
                    law.is_ok_and(|law| {
                        fingerprint(&law, 3e-5, 1e-4) != fingerprint(&subject.law, 3e-5, 1e-4)
                    })
                })
            };
            let label = format!("{}: nothing depends on {}", m.id, p.name);
            misses.require(subjects.iter().any(felt), || label);
        }
    }
    misses.assert_none();
}

#[test]
fn every_parameter_can_be_set_by_name_as_a_number() {
    let mut misses = Misses::new();
    for m in CATALOGUE {
        for subject in subjects::of(m).iter().filter(|subject| !subject.set.is_empty()) {
            let quantity = |value: f64| Some(Quantity::Number(value));
            let mut spec = Spec {
                law: m.id.into(),
                mass: quantity(subject.pair.mass),
                stiffness: quantity(subject.pair.stiffness),
                exponent: quantity(subject.pair.exponent),
                speed: quantity(SPEED),
                ..Spec::default()
            };
            match subject.damping {
                Damping::None => {}
                Damping::Coefficient(c) => spec.damping = quantity(c),
                Damping::Restitution(e) => spec.restitution = quantity(e),
                Damping::Exact(e) => {
                    spec.restitution = quantity(e);
                    spec.calibration = Some("exact".into());
                }
            }
            let facts = subject.pair.facts.iter().map(|&(name, value)| (name.to_string(), value));
            let all = facts.chain(subject.set.iter().cloned());
            spec.set = all.map(|(name, value)| (name, Quantity::Number(value))).collect();
            let found = spec.case().and_then(|case| case.law());
            misses.require(found.is_ok(), || format!("{subject}: {:?}", found.err()));
        }
        for p in m.parameters {
            let mut spec = Spec {
                law: m.id.into(),
                mass: Some(1.0.into()),
                stiffness: Some(1e9.into()),
                speed: Some(SPEED.into()),
                ..Spec::default()
            };
            let value = p.default.unwrap_or(p.range.0.max(0.0).min(p.range.1));
            spec.set.insert(p.name.into(), value.into());
            let found = spec.case();
            misses.require(found.is_ok(), || format!("{} {}: {:?}", m.id, p.name, found.err()));
        }
    }
    misses.assert_none();
}

#[test]
fn a_value_outside_the_range_of_a_parameter_is_refused_by_name() {
    let mut misses = Misses::new();
    for m in CATALOGUE {
        let Some(subject) = subjects::of(m).into_iter().next() else { continue };
        for p in m.parameters {
            for bad in [f64::NAN, p.range.1 * 2.0 + 1.0, p.range.0 - 1.0] {
                if bad >= p.range.0 && bad <= p.range.1 && bad.is_finite() {
                    continue;
                }
                // A parameter that is not read in this case may have any value; one that is read must be refused or used safely.
                let set = [(p.name.to_string(), bad)];
                if let Err(error) = m.law(&subject.pair, subject.damping, None, &set) {
                    let text = error.to_string();
                    misses.require(!text.is_empty(), || format!("{} {}", m.id, p.name));
                    if error.is_invalid() {
                        let named = text.contains(p.name);
                        misses.require(named, || format!("{} {}: {text}", m.id, p.name));
                    }
                }
            }
        }
    }
    misses.assert_none();
}

#[test]
fn the_declared_input_is_what_the_model_takes() {
    let mut misses = Misses::new();
    for m in CATALOGUE {
        let taken: BTreeSet<_> = subjects::of(m).iter().map(|s| s.damping.name()).collect();
        match m.input {
            Input::Elastic => misses.require(
                !taken.contains("exact") && !taken.contains("published") && taken.contains("none"),
                || format!("{} is elastic and takes {taken:?}", m.id),
            ),
            Input::Restitution => {
                misses.require(taken.contains("published"), || format!("{} takes {taken:?}", m.id))
            }
            Input::Coefficient => misses
                .require(taken.contains("coefficient") && !taken.contains("published"), || {
                    format!("{} takes {taken:?}", m.id)
                }),
            Input::Material => {
                misses.require(taken.contains("none"), || format!("{} takes {taken:?}", m.id))
            }
        }
    }
    misses.assert_none();
}

#[test]
fn the_exit_of_a_law_is_the_models_unless_another_is_asked_for() {
    let mut misses = Misses::new();
    for subject in subjects::all() {
        let own = subject.law.exit == subject.model.exit;
        misses.require(own, || format!("{subject}: derived for {:?}", subject.model.exit));
        for exit in [Exit::ZeroForce, Exit::ZeroIndentation] {
            if let Ok(law) = subject.with(subject.damping, Some(exit)) {
                misses.require(law.exit == exit, || format!("{subject}: {:?}", law.exit));
            }
        }
    }
    misses.assert_none();
}

#[test]
fn no_blank_is_left_in_the_catalogue() {
    assert!(CATALOGUE.len() >= 47, "the review alone has 47");
    for m in CATALOGUE {
        assert!(!m.id.is_empty() && !m.text.is_empty() && m.year > 0, "{}", m.id);
        assert!(m.text.starts_with("//! "), "{}", m.id);
    }
}
