//! Contacts between all bodies, with laws that depend on the materials.
//!
//! Shapes of two bodies of which at least one is free may touch, unless the bodies are connected by a joint (ideal or with
//! clearance), or the contact is listed. Cavities have only the contacts that are listed, because a bore that contains a pin is
//! no obstacle to other bodies.

use super::bodies::{Part, Parts};
use super::mounts::body_pair;
use super::reader::{Read, SceneTable};
use super::{Files, laws};
use crate::World;
use crate::shape::Shape;
use crate::world::Contact;
use carom::Error;
use carom::pair::material;
use std::cell::Cell;

/// Law between two materials, or, without materials, between all other pairs.
struct PairLaw<'a> {
    materials: Option<(String, String)>,
    table: SceneTable<'a>,
    /// Whether a pair uses the law, so that all its keys have been read.
    is_used: Cell<bool>,
}

impl PairLaw<'_> {
    fn applies_to(&self, a: &Part, b: &Part) -> bool {
        match (&self.materials, &a.material_name, &b.material_name) {
            (Some(own), Some(a), Some(b)) => are_same_pair(own, (a, b)),
            _ => false,
        }
    }
}

/// Returns whether two pairs of names denote the same materials, in any order.
fn are_same_pair((one, two): &(String, String), (a, b): (&str, &str)) -> bool {
    (is_same_material(one, a) && is_same_material(two, b))
        || (is_same_material(one, b) && is_same_material(two, a))
}

/// Returns whether two names denote the same material, because some materials have several names.
fn is_same_material(one: &str, two: &str) -> bool {
    one == two
        || matches!((material(one), material(two)), (Ok(one), Ok(two)) if std::ptr::eq(one, two))
}

/// Adds contacts between all bodies, if the scene has contact = "auto".
pub(super) fn read(
    root: &SceneTable,
    simulation: &SceneTable,
    world: &mut World,
    parts: &Parts,
    files: Files,
) -> Read<()> {
    let pair_laws = read_pair_laws(root, parts)?;
    if simulation.required_choice("contact", "contact")? != "auto" {
        return match pair_laws.first() {
            None => Ok(()),
            Some(law) => {
                let advice = "give contact = \"auto\" in [simulation], or list the contacts";
                let error = Error::unsupported("[[pair]] where contacts are listed", advice);
                Err(law.table.error_here(error))
            }
        };
    }
    let joined = joined_bodies(root, world)?;
    for (index, a) in parts.0.iter().enumerate() {
        for b in parts.0.iter().skip(index + 1) {
            let bodies = (a.body.min(b.body), a.body.max(b.body));
            let listed = laws::find_contact(world, a, b).is_some();
            if !may_touch(world, a, b) || joined.contains(&bodies) || listed {
                continue;
            }
            let own = pair_laws.iter().find(|law| law.applies_to(a, b));
            let law = own.or(pair_laws.iter().find(|law| law.materials.is_none()));
            let Some(PairLaw { table, is_used, .. }) = law else {
                let material_of =
                    |part: &Part| part.material_name.clone().unwrap_or("no material".into());
                let what = format!(
                    "[[pair]] for `{}` ({}) and `{}` ({})",
                    a.name,
                    material_of(a),
                    b.name,
                    material_of(b)
                );
                let advice = "give one with materials = [\"…\", \"…\"], or one without materials for all others";
                return Err(simulation.error_at_key("contact", Error::missing(what, advice)));
            };
            let named = |part: &Part| part.piece_of.clone().unwrap_or(part.name.clone());
            let name = format!("{}-{}", named(a), named(b));
            let contact = laws::contact(table, world, a, b, files)?;
            table.check(world.add_contact(Contact { name, ..contact }))?;
            is_used.set(true);
        }
    }
    pair_laws.iter().filter(|law| law.is_used.get()).try_for_each(|law| law.table.finish())
}

fn read_pair_laws<'a>(root: &SceneTable<'a>, parts: &Parts) -> Read<Vec<PairLaw<'a>>> {
    let mut laws: Vec<PairLaw> = Vec::new();
    for table in root.tables("pair")? {
        let materials = match table.has("materials") {
            true => Some(table.pair("materials")?),
            false => None,
        };
        for name in materials.iter().flat_map(|(a, b)| [a, b]) {
            let known = parts.0.iter().filter_map(|part| part.material_name.as_deref());
            if !known.clone().any(|one| is_same_material(one, name)) {
                let otherwise = "no body of the scene is made of it";
                let error = Error::unknown("material", name, known, otherwise);
                return table.check_at("materials", Err(error));
            }
        }
        let same = |law: &PairLaw| match (&law.materials, &materials) {
            (None, None) => true,
            (Some(one), Some((a, b))) => are_same_pair(one, (a, b)),
            _ => false,
        };
        if laws.iter().any(same) {
            let error = Error::unsupported(
                "a second [[pair]] of the same materials",
                "leave one of them out",
            );
            return Err(table.error_here(error));
        }
        laws.push(PairLaw { materials, table, is_used: Cell::new(false) });
    }
    Ok(laws)
}

/// Returns the pairs of bodies that are connected by a joint, ideal or with clearance.
fn joined_bodies(root: &SceneTable, world: &World) -> Read<Vec<(usize, usize)>> {
    let ordered = |a: usize, b: usize| (a.min(b), a.max(b));
    let mut joined: Vec<_> =
        world.joints().iter().map(|joint| ordered(joint.a.body, joint.b.body)).collect();
    for table in root.tables("clearance")? {
        let (a, b) = body_pair(&table, world)?;
        joined.push(ordered(a, b));
    }
    Ok(joined)
}

/// Returns whether two shapes may touch without being listed.
fn may_touch(world: &World, a: &Part, b: &Part) -> bool {
    let shape = |part: &Part| &world.shapes()[part.shape].shape;
    let cavity = |part: &Part| shape(part).is_cavity();
    let moves = |part: &Part| world.columns.free_index[part.body].is_some();
    let flat = |part: &Part| *shape(part) == Shape::HalfSpace;
    a.body != b.body && (moves(a) || moves(b)) && !cavity(a) && !cavity(b) && !(flat(a) && flat(b))
}
