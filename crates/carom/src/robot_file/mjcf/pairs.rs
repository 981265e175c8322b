//! Determines which geometries of an MJCF model can touch, and which contact parameters MuJoCo uses for them.
//!
//! Two geometries are tested, except if they belong to the same body or to bodies fixed to each other, if neither can
//! move, if one body is the parent of the other (and not the world), if their masks have no bit in common, or if an
//! element `exclude` names their bodies. An element `pair` adds a pair independent of the masks, with its own
//! parameters: those of the geometries are ignored for it, and a parameter that the element does not define has
//! MuJoCo's default. Otherwise the geometry with the higher `priority` determines the parameters. If the priorities
//! are equal, `solref` and `solimp` are means weighted by `solmix` (the smaller of each number if a `solref` is
//! negative), `condim` and `friction` the larger value, and `margin` the sum.
//!
//! # Reference
//! MuJoCo 4.0, `doc/modeling.rst` (Contact parameters), `engine_collision_driver.c`; verified by simulations.

use super::super::description::{Combined, Edit, Touch, check_count};
use super::super::engine::Contact;
use super::super::engine::mujoco::{self, pyramid_factor, spring_damper};
use super::super::solid::Shape;
use super::super::xml::{Element, Place};
use super::Model;
use super::attributes::Classes;
use super::geometry::{SOLIMP, SOLREF, Surface};
use crate::error::{Error, Result};
use std::collections::HashSet;

/// Contact parameters of a pair.
struct Parameters {
    solref: [f64; 2],
    solimp: [f64; 5],
    friction: f64,
    condim: i64,
    margin: f64,
    rule: &'static str,
    place: Place,
    edits: Vec<Edit>,
}

/// Adds the pairs that can touch to the description of the model; if `wanted` contains pairs, only those.
pub fn find(model: &mut Model, root: &Element, wanted: &[[usize; 2]]) -> Result<()> {
    if !model.options.contacts {
        let message = "contacts are disabled by a flag of <option>: nothing touches";
        model.description.add_finding(
            Place::default(),
            "contacts-disabled",
            message,
            "remove the flag",
        );
        return Ok(());
    }
    let named = root.all("contact").map(|contact| contact.children.len()).sum();
    check_count(named, "elements in <contact>")?;
    let explicit = explicit_pairs(model, root)?;
    let excluded = excluded_bodies(model, root)?;
    let named: HashSet<[usize; 2]> = explicit.iter().map(|(pair, _)| *pair).collect();
    let mut found: Vec<([usize; 2], Option<Parameters>)> =
        explicit.into_iter().map(|(pair, numbers)| (pair, Some(numbers))).collect();
    found.retain(|(pair, _)| wanted.is_empty() || wanted.contains(pair));
    let others: Vec<_> = wanted.iter().copied().filter(|pair| !named.contains(pair)).collect();
    if wanted.is_empty() || !others.is_empty() {
        let refusal = |pair| match named.contains(&pair) {
            true => Some("a <pair> names them"),
            false => why_not_tested(model, &excluded, pair),
        };
        let pairs = model.description.pairs(&others, refusal)?;
        found.extend(pairs.into_iter().map(|pair| (pair, None)));
    }
    for (pair, numbers) in found {
        if let Some(touch) = touch(model, pair, numbers) {
            model.description.touches.push(touch);
        }
    }
    find_joint_forces(model);
    Ok(())
}

/// Adds a finding if joints of touching bodies exert forces as well.
fn find_joint_forces(model: &mut Model) {
    let description = &model.description;
    let mut touching: HashSet<usize> = HashSet::new();
    for touch in &description.touches {
        let bodies = touch.geometries.iter().filter_map(|&i| description.geometries.get(i));
        touching.extend(bodies.flat_map(|geometry| description.bodies.chain(geometry.body)));
    }
    let Some(&(place, _)) = model.braked.iter().find(|(_, body)| touching.contains(body)) else {
        return;
    };
    let message = "damping, friction or springs of joints act during the impacts as well, and are left out here";
    let advice = "where they matter, drop the body in MuJoCo and compare";
    model.description.add_finding(place, "joint-forces", message, advice);
}

/// Returns why two geometries are never tested; `None` if they are.
fn why_not_tested(
    model: &Model,
    excluded: &HashSet<[usize; 2]>,
    [a, b]: [usize; 2],
) -> Option<&'static str> {
    let description = &model.description;
    let (first, second) = (description.geometries.get(a)?, description.geometries.get(b)?);
    let (one, other) = (model.surfaces.get(a)?, model.surfaces.get(b)?);
    let bodies = &description.bodies;
    let fixed = [first, second].map(|one| bodies.fixed_to(one.body));
    let parent = |group: usize| -> usize {
        let parent = bodies.list.get(group).and_then(|body| body.parent);
        parent.map_or(0, |parent| bodies.fixed_to(parent))
    };
    if let Some(reason) = description.why_rigid([a, b]) {
        return Some(reason);
    }
    if model.options.filter_parent
        && fixed[0] != 0
        && fixed[1] != 0
        && (parent(fixed[0]) == fixed[1] || parent(fixed[1]) == fixed[0])
    {
        return Some("one body is the parent of the other");
    }
    if one.contype & other.conaffinity == 0 && other.contype & one.conaffinity == 0 {
        return Some("their contype and conaffinity share no bit");
    }
    if excluded.contains(&[first.body.min(second.body), first.body.max(second.body)]) {
        return Some("an <exclude> names their bodies");
    }
    if first.shape == Shape::Plane && second.shape == Shape::Plane {
        return Some("both are planes");
    }
    None
}

fn in_order(pair: [usize; 2]) -> [usize; 2] {
    [pair[0].min(pair[1]), pair[0].max(pair[1])]
}

/// Returns the pairs of bodies that are excluded from contact.
fn excluded_bodies(model: &Model, root: &Element) -> Result<HashSet<[usize; 2]>> {
    let mut found = HashSet::new();
    for element in root.all("contact").flat_map(|contact| contact.all("exclude")) {
        let body = |key: &str| {
            let name = element.value(key).unwrap_or_default();
            let number = model.body_names.iter().position(|known| known == name);
            let known = model.body_names.iter().map(String::as_str);
            number.ok_or_else(|| {
                Error::unknown("body", name, known, "name a body of the model").at(element.line())
            })
        };
        found.insert(in_order([body("body1")?, body("body2")?]));
    }
    Ok(found)
}

/// Returns the pairs that the file names, with the parameters that it specifies for them.
fn explicit_pairs(model: &mut Model, root: &Element) -> Result<Vec<([usize; 2], Parameters)>> {
    let classes = Classes::new(root);
    let mut found = Vec::new();
    for element in root.all("contact").flat_map(|contact| contact.all("pair")) {
        let geometries = &model.description.geometries;
        let geometry = |key: &str| {
            let name = element.value(key).unwrap_or_default();
            let number = geometries.iter().position(|known| known.name == name);
            let known = geometries.iter().map(|geometry| geometry.name.as_str());
            number.ok_or_else(|| {
                Error::unknown("geometry", name, known, "name a geometry of the model")
                    .at(element.line())
            })
        };
        let pair = in_order([geometry("geom1")?, geometry("geom2")?]);
        let attributes = classes.of(element, None)?;
        let says = pair.map(|i| {
            model
                .surfaces
                .get(i)
                .is_some_and(|one| one.solref_place.is_some() || one.solimp_place.is_some())
        });
        if (says[0] || says[1])
            && (attributes.attribute("solref").is_none()
                || attributes.attribute("solimp").is_none())
        {
            let message = "this <pair> does not take solref and solimp from its geometries: what it does not say is MuJoCo's \
                           default, solref=\"0.02 1\" and solimp=\"0.9 0.95 0.001 0.5 2\"";
            model.description.add_finding(
                element.place,
                "overridden",
                message,
                "write both attributes into the <pair>",
            );
        }
        let numbers = Parameters {
            solref: attributes.fill("solref", SOLREF)?,
            solimp: attributes.fill("solimp", SOLIMP)?,
            friction: attributes.number("friction", 1.0)?,
            condim: attributes.integer("condim", 3)?,
            margin: attributes.number("margin", 0.0)?,
            rule: "the <pair> decides, its geometries do not count",
            place: attributes
                .attribute("solref")
                .map_or(element.place, |attribute| attribute.place),
            edits: vec![Edit::attribute("solref", attributes.attribute("solref"), element)],
        };
        found.push((pair, numbers));
    }
    Ok(found)
}

/// Combines the numbers of two lists one by one.
fn combine_lists<const N: usize>(
    a: [f64; N],
    b: [f64; N],
    rule: impl Fn(f64, f64) -> f64,
) -> [f64; N] {
    let mut made = a;
    made.iter_mut().zip(b).for_each(|(a, b)| *a = rule(*a, b));
    made
}

/// Returns the parameters that follow from two geometries.
fn combine(one: &Surface, other: &Surface, places: [Place; 2]) -> Parameters {
    let taken = |surface: &Surface, place: Place| Parameters {
        solref: surface.solref,
        solimp: surface.solimp,
        friction: surface.friction[0],
        condim: surface.condim,
        margin: one.margin + other.margin,
        rule: "the geometry of higher priority decides",
        place: surface.solref_place.unwrap_or(place),
        edits: vec![surface.write.clone()],
    };
    match one.priority.cmp(&other.priority) {
        std::cmp::Ordering::Greater => return taken(one, places[0]),
        std::cmp::Ordering::Less => return taken(other, places[1]),
        std::cmp::Ordering::Equal => {}
    }
    let tiny = 1e-15;
    let share = match (one.solmix >= tiny, other.solmix >= tiny) {
        (true, true) => one.solmix / (one.solmix + other.solmix),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    };
    let mixed = |a: f64, b: f64| share * a + (1.0 - share) * b;
    let standard = one.solref[0] > 0.0 && other.solref[0] > 0.0;
    let solref = match standard {
        true => combine_lists(one.solref, other.solref, mixed),
        false => combine_lists(one.solref, other.solref, f64::min),
    };
    Parameters {
        solref,
        solimp: combine_lists(one.solimp, other.solimp, mixed),
        friction: one.friction[0].max(other.friction[0]),
        condim: one.condim.max(other.condim),
        margin: one.margin + other.margin,
        rule: match standard {
            true => "mean weighted by solmix",
            false => {
                "a negative solref: the smaller of each number; solimp the mean weighted by solmix"
            }
        },
        place: one.solref_place.or(other.solref_place).unwrap_or(places[1]),
        edits: vec![one.write.clone(), other.write.clone()],
    }
}

/// Returns the contact of a pair, and adds findings about its parameters.
fn touch(model: &mut Model, pair: [usize; 2], given: Option<Parameters>) -> Option<Touch> {
    let [a, b] = pair;
    let (one, other) = (model.surfaces.get(a)?.clone(), model.surfaces.get(b)?.clone());
    let places =
        [model.description.geometries.get(a)?.place, model.description.geometries.get(b)?.place];
    let names = [
        model.description.geometries.get(a)?.name.clone(),
        model.description.geometries.get(b)?.name.clone(),
    ];
    let by_pair = given.is_some();
    if !by_pair && one.priority != other.priority {
        let (winner, loser, lost) = if one.priority > other.priority {
            (&names[0], &names[1], &other)
        } else {
            (&names[1], &names[0], &one)
        };
        if let Some(place) = lost.solref_place.or(lost.solimp_place) {
            let message = format!(
                "solref and solimp of `{loser}` do not count against `{winner}`, whose priority is higher"
            );
            model.description.add_finding(
                place,
                "overridden",
                message,
                "give both the same priority, or write the numbers at the other",
            );
        }
    }
    let mut numbers = given.unwrap_or_else(|| combine(&one, &other, places));
    if !by_pair
        && one.priority == other.priority
        && (one.solref[0] > 0.0) != (other.solref[0] > 0.0)
    {
        let message = format!(
            "solref of `{}` and `{}` have different forms, (time, ratio) and (−stiffness, −damping): the smaller of each number \
             is taken, so only the negative ones count",
            names[0], names[1]
        );
        model.description.add_finding(
            numbers.place,
            "overridden",
            message,
            "write solref of both in the same form",
        );
    }
    if let Some(over) = model.options.over.clone() {
        numbers.edits = over.write.into_iter().collect();
        (numbers.solref, numbers.solimp, numbers.margin) = (over.solref, over.solimp, over.margin);
        numbers.friction = over.friction;
        (numbers.rule, numbers.place) =
            ("o_solref and o_solimp of <option> replace all others", over.place);
        let message = "the flag `override` is set: o_solref and o_solimp replace those of all geometries and pairs";
        model.description.add_finding(
            over.place,
            "overridden",
            message,
            "remove the flag for the numbers of the geometries to count",
        );
    }
    let step = model.options.step;
    let [first, second] = numbers.solref;
    if (first > 0.0) != (second > 0.0) {
        let message = format!(
            "solref=\"{first} {second}\" mixes signs: MuJoCo replaces it with its default, 0.02 1"
        );
        model.description.add_finding(
            numbers.place,
            "mixed-solref",
            message,
            "write both numbers positive or both negative",
        );
    } else if first > 0.0 && first < 2.0 * step {
        let what = format!("the time constant {first} s of solref is below two steps of {step} s");
        let (message, advice) = match model.options.refsafe {
            true => (
                format!(
                    "{what}: MuJoCo raises it to {} s, which makes the contact softer",
                    2.0 * step
                ),
                format!(
                    "use a timestep of at most {} s, or a time constant of at least {} s",
                    0.5 * first,
                    2.0 * step
                ),
            ),
            false => (
                format!("{what} and the flag refsafe is disabled: the contact may be unstable"),
                format!("use a timestep of at most {} s", 0.5 * first),
            ),
        };
        model.description.add_finding(numbers.place, "short-time-constant", message, advice);
    }
    let (stiffness, damping) =
        spring_damper(numbers.solref, numbers.solimp[1], model.options.refsafe.then_some(step));
    let cone = match model.options.elliptic || numbers.condim <= 1 {
        true => 1.0,
        false => pyramid_factor(
            numbers.friction,
            numbers.condim.clamp(1, 6) as usize,
            model.options.impratio,
        ),
    };
    let contact = mujoco::Contact {
        stiffness,
        damping,
        impedance: numbers.solimp,
        margin: numbers.margin,
        cone,
        integrator: model.options.integrator,
    };
    let both_values = |each: &dyn Fn(&Surface) -> Vec<f64>| match by_pair {
        true => [Vec::new(), Vec::new()],
        false => [each(&one), each(&other)],
    };
    let combined = |name, of, used: &[f64], rule| Combined { name, of, used: used.to_vec(), rule };
    let (rule, larger) = (numbers.rule, "larger, or of higher priority");
    let parameters = vec![
        combined("solref", both_values(&|s| s.solref.to_vec()), &numbers.solref, rule),
        combined("solimp", both_values(&|s| s.solimp.to_vec()), &numbers.solimp, rule),
        combined("friction", both_values(&|s| vec![s.friction[0]]), &[numbers.friction], larger),
        combined(
            "condim",
            both_values(&|s| vec![s.condim as f64]),
            &[numbers.condim as f64],
            larger,
        ),
        combined("margin", both_values(&|s| vec![s.margin]), &[numbers.margin], "sum"),
    ];
    Some(Touch {
        geometries: pair,
        contact: Contact::Mujoco(contact),
        parameters,
        place: numbers.place,
        edits: numbers.edits,
    })
}
