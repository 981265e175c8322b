//! Grains before they touch: where they are, how large, of what, in which box.

use super::inside::{self, Source};
use super::touching::Touching;
use crate::grains::{Bed, MOST_SIZES, Material as Laws, Wall, place};
use crate::math::Vec3;
use crate::scene::reader::{Read, Table};
use crate::scene::{Files, bodies, positive};
use carom::Error;
use carom::pair::Material;
use carom::units::Dimension;

/// Grains before they touch: where, how large, of what.
pub(super) struct Made {
    position: Vec<Vec3>,
    velocity: Vec<Vec3>,
    radius: Vec<f64>,
    /// Radii that there are, and which of them each grain has.
    pub radii: Vec<f64>,
    size: Vec<u8>,
    pub material: Material,
    width: Option<(f64, f64)>,
    /// The file that they are from, if any.
    source: Option<Source>,
}

impl Made {
    /// Reads them; there may be at most so many.
    pub fn read(table: &Table, files: Files, most: usize) -> Read<Self> {
        let Some(material) =
            bodies::made_of(table)?.filter(|m| m.density > 0.0 && m.density.is_finite())
        else {
            let advice = "name a material, or give density (and youngs and poisson)";
            return Err(table.missing("density", advice));
        };
        let width = match table.list("width")?.as_deref() {
            None => None,
            Some(&[x, y]) if x > 0.0 && y > 0.0 && x.is_finite() && y.is_finite() => Some((x, y)),
            Some(other) => {
                let advice =
                    "give the width of the box along x and y, for example [\"20 mm\", \"20 mm\"]";
                let error =
                    Error::invalid("width", format!("{other:?}"), "two lengths above 0", advice);
                return Err(table.fail_at("width", error));
            }
        };
        let seed = table.needed("seed")? as u64;
        let named = radii(table)?;
        let count = count(table, most)?;
        let mut source = None;
        let (position, mut radius) = match (table.text("file")?, count) {
            (Some(name), None) => {
                let said = table.text("unit")?;
                let known = said.is_some();
                let unit = match said {
                    None => 1.0,
                    Some(unit) => {
                        let one = carom::spec::Quantity::Text(format!("1 {unit}"));
                        one.si("unit", Dimension::LENGTH).map_err(|e| table.fail_at("unit", e))?
                    }
                };
                let text = files(&name).map_err(|why| {
                    let advice = "name a file beside the scene, one grain a line: x y z [radius]";
                    let error =
                        Error::invalid("file", format!("`{name}` ({why})"), "readable", advice);
                    table.fail_at("file", error)
                })?;
                let listed = place::read(&name, &text, unit, most);
                let listed = listed.map_err(|error| table.fail_at("file", error))?;
                source = Some(Source { name, lines: listed.lines, unit: known });
                (listed.position, listed.radius)
            }
            (None, Some(count)) => {
                let Some((radii, _)) = &named else {
                    return Err(table.missing("radius", "for example \"1 mm\""));
                };
                let Some(width) = width else {
                    let advice = "the lattice fills a box: width = [\"20 mm\", \"20 mm\"]";
                    return Err(table.missing("width", advice));
                };
                let largest = radii.iter().copied().fold(0.0, f64::max);
                (table.check(place::lattice(count, largest, width, seed))?, Vec::new())
            }
            (Some(_), Some(_)) => {
                let advice = "count makes a lattice of grains, file says where they are: leave one of them out";
                let error = Error::unsupported("count and file together", advice);
                return Err(table.fail_at("file", error));
            }
            (None, None) => {
                let advice = "give count for a lattice of grains, or file for their positions";
                return Err(table.fail(Error::missing("count or file", advice)));
            }
        };
        match (&named, radius.is_empty()) {
            (Some((radii, shares)), true) => {
                let all: f64 = shares.iter().sum();
                let pick = |i: usize| {
                    let mut left = place::draw(seed, 3, i as u64) * all;
                    let found = shares.iter().position(|share| {
                        left -= share;
                        left < 0.0
                    });
                    radii[found.unwrap_or(radii.len() - 1)]
                };
                radius = (0..position.len()).map(pick).collect();
            }
            (None, false) => {}
            (None, true) => {
                let advice = "give one for all, or a fourth column in the file";
                return Err(table.missing("radius", advice));
            }
            (Some(_), false) => {
                let error = Error::unsupported("radius beside a file with radii", "leave one out");
                return Err(table.fail(error));
            }
        }
        let mut radii: Vec<f64> = Vec::new();
        let mut size = Vec::with_capacity(radius.len());
        for r in &radius {
            table.check(positive("radius", *r, "every grain has one"))?;
            let at = radii.iter().position(|known| known == r);
            size.push(at.unwrap_or(radii.len()).min(255) as u8);
            if at.is_none() {
                radii.push(*r);
            }
            if radii.len() > MOST_SIZES {
                let advice = "each pair of sizes has its own law: round the radii to fewer sizes";
                let found = format!("more than {MOST_SIZES} different ones");
                let error = Error::invalid("radii", found, format!("at most {MOST_SIZES}"), advice);
                return Err(table.fail(error));
            }
        }
        let start = table.vector("velocity")?.unwrap_or_default();
        let shake = table.needed("shake")?;
        let velocity = (0..position.len()).map(|i| {
            let by = |stream| shake * (2.0 * place::draw(seed, stream, i as u64) - 1.0);
            start + Vec3::new(by(4), by(5), by(6))
        });
        let velocity = velocity.collect();
        Ok(Self { position, velocity, radius, radii, size, material, width, source })
    }

    /// The bed with its walls.
    pub fn bed(&self, table: &Table, contact: &Touching) -> Read<Bed> {
        let periodic = table.flag("periodic")?;
        let floor = table.flag("floor")?;
        let first = Laws {
            grains: contact.laws[0],
            walls: contact.walls[0],
            friction: 0.0,
            tangential: 0.0,
        };
        let (position, radius) = (self.position.clone(), self.radius.clone());
        let density = self.material.density;
        let mut bed = table.check(Bed::new(position, radius, density, first))?.with_ledger();
        bed.velocity.clone_from(&self.velocity);
        bed = table.check(bed.with_sizes(self.size.clone(), &contact.laws, &contact.walls))?;
        if let Some(resistance) = contact.resistance {
            bed = table.check(bed.with_resistance(resistance))?;
        }
        let wall = |bed: Bed, point: Vec3, normal: Vec3| bed.with_wall(Wall { point, normal });
        if floor {
            bed = wall(bed, Vec3::ZERO, Vec3::Z);
        }
        match (self.width, periodic) {
            (Some((x, y)), true) => bed = table.check(bed.repeated(x, y))?,
            (Some((x, y)), false) => {
                bed = wall(bed, Vec3::ZERO, Vec3::X);
                bed = wall(bed, Vec3::X * x, -Vec3::X);
                bed = wall(bed, Vec3::ZERO, Vec3::Y);
                bed = wall(bed, Vec3::Y * y, -Vec3::Y);
            }
            (None, true) => {
                return Err(table.missing("width", "the period along x and y"));
            }
            (None, false) => {}
        }
        for more in table.tables("wall")? {
            let point = more.vector("point")?.unwrap_or_default();
            let Some(normal) = more.direction("normal")? else {
                return Err(
                    more.fail(Error::missing("normal", "towards the grains, such as [0, 0, 1]"))
                );
            };
            more.finish()?;
            bed = wall(bed, point, normal);
        }
        let key = if self.source.is_some() { "file" } else { "count" };
        let found = inside::check(&bed, self.source.as_ref(), self.width);
        found.map_err(|error| table.fail_at(key, error))?;
        Ok(bed)
    }
}

/// Radii and how many there are of each, where the table names them.
fn radii(table: &Table) -> Read<Option<(Vec<f64>, Vec<f64>)>> {
    let one = table.quantity("radius")?;
    let many = table.list("radii")?;
    let shares = table.list("shares")?;
    let radii = match (one, many) {
        (None, None) => return Ok(None),
        (Some(radius), None) => vec![radius],
        (None, Some(radii)) if !radii.is_empty() => radii,
        (None, Some(_)) => {
            let error = Error::invalid(
                "radii",
                "an empty list",
                "one length or more",
                "for example [\"1 mm\"]",
            );
            return Err(table.fail_at("radii", error));
        }
        (Some(_), Some(_)) => {
            let advice = "give radius for one size, or radii for several";
            let error = Error::unsupported("radius and radii together", advice);
            return Err(table.fail_at("radii", error));
        }
    };
    for radius in &radii {
        table.check(positive("radius", *radius, "for example \"1 mm\""))?;
    }
    let shares = shares.unwrap_or_else(|| vec![1.0; radii.len()]);
    let sound = shares.len() == radii.len()
        && shares.iter().all(|share| *share >= 0.0 && share.is_finite())
        && shares.iter().sum::<f64>() > 0.0;
    if !sound {
        let advice = "give one share for each radius, by number of grains";
        let error = Error::invalid(
            "shares",
            format!("{shares:?}"),
            "one number of at least 0 for each radius, not all 0",
            advice,
        );
        return Err(table.fail_at("shares", error));
    }
    Ok(Some((radii, shares)))
}

fn count(table: &Table, most: usize) -> Read<Option<usize>> {
    let Some(count) = table.quantity("count")? else { return Ok(None) };
    if !(1.0..=most as f64).contains(&count) || count.fract() != 0.0 {
        let allowed = format!("a whole number of at least 1 and at most {most}");
        let error = Error::invalid("count", count, allowed, place::FEWER);
        return Err(table.fail_at("count", error));
    }
    Ok(Some(count as usize))
}
