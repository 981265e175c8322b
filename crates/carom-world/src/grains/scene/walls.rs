//! Boundaries of the grains of a scene: the floor, the sides of the box or periods, and `[[grains.wall]]`.

use super::contact_table::ContactTable;
use super::population::Population;
use super::start_check;
use crate::grains::bed::{Bed, ContactParameters};
use crate::grains::boundary::Wall;
use crate::math::Vec3;
use crate::scene::reader::{Read, SceneTable};

/// Creates the bed of a population with the floor, the box or periods, and the walls of the table `[grains]`.
pub(super) fn bed(
    table: &SceneTable,
    population: &Population,
    contact: &ContactTable,
) -> Read<Bed> {
    let periodic = table.flag("periodic")?;
    let floor = table.flag("floor")?;
    let first = ContactParameters {
        grains: contact.laws[0],
        walls: contact.walls[0],
        friction: 0.0,
        tangential: 0.0,
    };
    let (position, radius) = (population.position.clone(), population.radius.clone());
    let density = population.material.density;
    let mut bed = table.check(Bed::new(position, radius, density, first))?.with_ledger();
    bed.velocity.clone_from(&population.velocity);
    bed = table.check(bed.with_sizes(population.size.clone(), &contact.laws, &contact.walls))?;
    if let Some(resistance) = contact.resistance {
        bed = table.check(bed.with_resistance(resistance))?;
    }
    let wall = |bed: Bed, point: Vec3, normal: Vec3| bed.with_wall(Wall { point, normal });
    if floor {
        bed = wall(bed, Vec3::ZERO, Vec3::Z);
    }
    match (population.width, periodic) {
        (Some((x, y)), true) => bed = table.check(bed.periodic(x, y))?,
        (Some((x, y)), false) => {
            bed = wall(bed, Vec3::ZERO, Vec3::X);
            bed = wall(bed, Vec3::X * x, -Vec3::X);
            bed = wall(bed, Vec3::ZERO, Vec3::Y);
            bed = wall(bed, Vec3::Y * y, -Vec3::Y);
        }
        (None, true) => {
            return table.missing("width", "the period along x and y");
        }
        (None, false) => {}
    }
    for more in table.tables("wall")? {
        let point = more.vector("point")?.unwrap_or_default();
        let advice = "towards the grains, such as [0, 0, 1]";
        let normal = more.or_missing("normal", more.direction("normal")?, advice)?;
        more.finish()?;
        bed = wall(bed, point, normal);
    }
    let key = if population.file.is_some() { "file" } else { "count" };
    let start = start_check::check(&bed, population.file.as_ref(), population.width);
    table.check_at(key, start)?;
    Ok(bed)
}
