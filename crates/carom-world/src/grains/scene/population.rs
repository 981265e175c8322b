//! Grains of a scene: positions, velocities, sizes, material, and the width of the box.

use super::start_check::PositionFile;
use crate::check::positive;
use crate::grains::initial_positions::{self as positions, ADVICE_ON_TOO_MANY, uniform};
use crate::grains::pair_laws::MAX_SIZES;
use crate::math::Vec3;
use crate::scene::reader::{Read, SceneTable};
use crate::scene::{Files, bodies, motions};
use carom::Error;
use carom::pair::Material;
use carom::units::Dimension;

/// The grains of a scene.
pub(super) struct Population {
    pub position: Vec<Vec3>,
    pub velocity: Vec<Vec3>,
    pub radius: Vec<f64>,
    /// The different radii that occur (m).
    pub radii: Vec<f64>,
    /// For each grain, the index of its radius in `radii`.
    pub size: Vec<u8>,
    pub material: Material,
    pub width: Option<(f64, f64)>,
    /// File from which positions were read, if any.
    pub file: Option<PositionFile>,
}

/// Streams of random numbers for each purpose ([`uniform`]); the lattice uses the streams 0 to 2.
const RADIUS_STREAM: u64 = 3;
const VELOCITY_STREAMS: [u64; 3] = [4, 5, 6];

impl Population {
    /// Reads the table `[grains]` with at most `most` grains.
    pub fn read(table: &SceneTable, files: Files, most: usize) -> Read<Self> {
        let Some(material) =
            bodies::read_material(table)?.filter(|m| m.density > 0.0 && m.density.is_finite())
        else {
            let advice = "name a material, or give density (and youngs and poisson)";
            return table.missing("density", advice);
        };
        let width = match table.list("width")?.as_deref() {
            None => None,
            Some(&[x, y]) if x > 0.0 && y > 0.0 && x.is_finite() && y.is_finite() => Some((x, y)),
            Some(other) => {
                let advice =
                    "give the width of the box along x and y, for example [\"20 mm\", \"20 mm\"]";
                return table.invalid("width", format!("{other:?}"), "two lengths above 0", advice);
            }
        };
        let seed = table.required_quantity("seed")? as u64;
        let named = radii(table)?;
        let count = count(table, most)?;
        let mut file = None;
        let (position, mut radius) = match (table.text("file")?, count) {
            (Some(name), None) => {
                let unit = table.text("unit")?;
                let has_unit = unit.is_some();
                let unit = match unit {
                    None => 1.0,
                    Some(unit) => {
                        let one = carom::spec::Quantity::Text(format!("1 {unit}"));
                        table.check_at("unit", one.si("unit", Dimension::LENGTH))?
                    }
                };
                let advice = "name a file beside the scene, one grain a line: x y z [radius]";
                let text = motions::read_file(table, files, &name, advice)?;
                let listed = table.check_at("file", positions::read(&name, &text, unit, most))?;
                file = Some(PositionFile { name, lines: listed.lines, unit: has_unit });
                (listed.position, listed.radius)
            }
            (None, Some(count)) => {
                let Some((radii, _)) = &named else {
                    return table.missing("radius", "for example \"1 mm\"");
                };
                let Some(width) = width else {
                    let advice = "the lattice fills a box: width = [\"20 mm\", \"20 mm\"]";
                    return table.missing("width", advice);
                };
                let largest = radii.iter().copied().fold(0.0, f64::max);
                (table.check(positions::lattice(count, largest, width, seed))?, Vec::new())
            }
            (Some(_), Some(_)) => {
                let advice = "count makes a lattice of grains, file says where they are: leave one of them out";
                return table.unsupported("file", "count and file together", advice);
            }
            (None, None) => {
                let advice = "give count for a lattice of grains, or file for their positions";
                return table.missing("count or file", advice);
            }
        };
        match (&named, radius.is_empty()) {
            (Some((radii, shares)), true) => {
                let all: f64 = shares.iter().sum();
                let pick = |i: usize| {
                    let mut left = uniform(seed, RADIUS_STREAM, i as u64) * all;
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
                return table.missing("radius", advice);
            }
            (Some(_), false) => {
                let error = Error::unsupported("radius beside a file with radii", "leave one out");
                return Err(table.error_here(error));
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
            if radii.len() > MAX_SIZES {
                let advice = "each pair of sizes has its own law: round the radii to fewer sizes";
                let found = format!("more than {MAX_SIZES} different ones");
                return table.invalid("radii", found, format!("at most {MAX_SIZES}"), advice);
            }
        }
        let start = table.vector("velocity")?.unwrap_or_default();
        let shake = table.required_quantity("shake")?;
        let velocity = (0..position.len()).map(|i| {
            let [x, y, z] = VELOCITY_STREAMS
                .map(|stream| shake * (2.0 * uniform(seed, stream, i as u64) - 1.0));
            start + Vec3::new(x, y, z)
        });
        let velocity = velocity.collect();
        Ok(Self { position, velocity, radius, radii, size, material, width, file })
    }
}

/// Reads radii and their shares by number of grains, if the table gives them.
fn radii(table: &SceneTable) -> Read<Option<(Vec<f64>, Vec<f64>)>> {
    let one = table.quantity("radius")?;
    let many = table.list("radii")?;
    let shares = table.list("shares")?;
    let radii = match (one, many) {
        (None, None) => return Ok(None),
        (Some(radius), None) => vec![radius],
        (None, Some(radii)) if !radii.is_empty() => radii,
        (None, Some(_)) => {
            let advice = "for example [\"1 mm\"]";
            return table.invalid("radii", "an empty list", "one length or more", advice);
        }
        (Some(_), Some(_)) => {
            let advice = "give radius for one size, or radii for several";
            return table.unsupported("radii", "radius and radii together", advice);
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
        let allowed = "one number of at least 0 for each radius, not all 0";
        return table.invalid("shares", format!("{shares:?}"), allowed, advice);
    }
    Ok(Some((radii, shares)))
}

fn count(table: &SceneTable, most: usize) -> Read<Option<usize>> {
    let Some(count) = table.quantity("count")? else { return Ok(None) };
    if !(1.0..=most as f64).contains(&count) || count.fract() != 0.0 {
        let allowed = format!("a whole number of at least 1 and at most {most}");
        return table.invalid("count", count, allowed, ADVICE_ON_TOO_MANY);
    }
    Ok(Some(count as usize))
}
