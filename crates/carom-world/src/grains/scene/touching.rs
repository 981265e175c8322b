//! How grains touch: laws for every pair of sizes, friction, rolling, and the step that follows.

use super::made::Made;
use crate::friction::{Resistance, usual_ratio};
use crate::grains::suits;
use crate::record::NoteSummary;
use crate::scene::reader::{Read, Table};
use crate::scene::{bodies, laws};
use carom::law::Law;
use carom::pair::{Body, Material, Pair, Shape, effective_mass};
use carom::spec::Spec;
use carom::units::Dimension;
use carom::{Error, collide};

/// Steps of one contact where none was chosen, and the fewest that go without a note.
const STEPS: (f64, f64) = (50.0, 20.0);
/// Shares of Rayleigh's time, likewise.
const RAYLEIGH: (f64, f64) = (0.2, 0.4);

/// How grains touch.
pub(super) struct Touching {
    /// Between sizes, in the order of [`Bed::with_sizes`].
    pub laws: Vec<Law>,
    pub walls: Vec<Law>,
    friction: f64,
    stiffness: Option<f64>,
    /// Tangential springs stiffen with the contact, as the material says.
    pub mindlin: bool,
    /// Damping ratio of the tangential springs.
    pub damping_ratio: f64,
    material: Material,
    pub resistance: Option<Resistance>,
    /// Whether stiffness follows from the material, so that waves have their speed.
    deforms: bool,
}

impl Touching {
    pub fn read(table: &Table, made: &Made) -> Read<Self> {
        let Some(contact) = table.table("contact")? else {
            let advice = "add [grains.contact] with law = \"tsuji-1992\" and restitution = 0.8";
            return Err(table.fail(Error::missing("[grains.contact]", advice)));
        };
        let spec = laws::spec(&contact)?;
        laws::no_lone_exponent(&contact, &spec)?;
        let restitution = contact.written("restitution")?;
        let restitution = restitution.and_then(|e| e.si("restitution", Dimension::NUMBER).ok());
        let (friction, stiffness, mindlin, damping_ratio) = match contact.table("friction")? {
            None => (0.0, None, false, 0.0),
            Some(friction) => {
                let coefficient = friction.needed("coefficient")?;
                let stiffness = friction.quantity("stiffness")?;
                let ratio = friction.quantity("damping_ratio")?;
                let mindlin = friction.flag("mindlin")?;
                if mindlin && stiffness.is_some() {
                    let advice =
                        "Mindlin's stiffness follows from the material; give one of the two";
                    let error = Error::unsupported("mindlin and stiffness together", advice);
                    return Err(friction.fail_at("mindlin", error));
                }
                friction.finish()?;
                let ratio = ratio.unwrap_or_else(|| usual_ratio(restitution));
                (coefficient, stiffness, mindlin, ratio)
            }
        };
        let resistance = match contact.table("rolling")? {
            None => None,
            Some(rolling) => {
                let found = Resistance {
                    rolling: rolling.needed("arm")?,
                    spinning: rolling.needed("spinning_arm")?,
                    speed: rolling.needed("speed")?,
                };
                rolling.finish()?;
                Some(rolling.check(found.checked())?)
            }
        };
        contact.finish()?;
        // Walls are made of the same and have the same law unless they say otherwise.
        let said_of_walls = table.table("wall_contact")?;
        let (wall_spec, wall_material) = match &said_of_walls {
            None => (spec.clone(), made.material),
            Some(walls) => {
                let material = bodies::made_of(walls)?.unwrap_or(made.material);
                let spec = laws::spec(walls)?;
                laws::no_lone_exponent(walls, &spec)?;
                walls.finish()?;
                (spec, material)
            }
        };
        let deforms = spec.stiffness.is_none();
        let sphere = |radius: f64| {
            let mass = made.material.density * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
            Body::new(Shape::Sphere { radius }, made.material).with_mass(mass)
        };
        let law = |spec: &Spec, one: Body, two: Body| -> carom::Result<Law> {
            let mass = effective_mass(one.mass()?, two.mass()?)?;
            let spec = Spec { mass: Some(mass.into()), ..spec.clone() };
            let law = match spec.stiffness {
                Some(_) => spec.case()?.law()?,
                None => laws::with_pair(&spec, Pair::of(&one, &two)?)?,
            };
            suits(&law)?;
            Ok(law)
        };
        let (mut between, mut walls) = (Vec::new(), Vec::new());
        for (b, &large) in made.radii.iter().enumerate() {
            for &small in &made.radii[..=b] {
                between.push(contact.check(law(&spec, sphere(small), sphere(large)))?);
            }
            let plane = Body::new(Shape::Plane, wall_material).with_mass(f64::INFINITY);
            let of_wall = law(&wall_spec, sphere(large), plane);
            walls.push(said_of_walls.as_ref().unwrap_or(&contact).check(of_wall)?);
        }
        let material = made.material;
        Ok(Self {
            laws: between,
            walls,
            friction,
            stiffness,
            mindlin,
            damping_ratio,
            material,
            resistance,
            deforms,
        })
    }

    /// Stiffness of the tangential spring (Mindlin's: 8·G*) and coefficient of friction.
    pub fn tangential(&self, speed: f64) -> carom::Result<(f64, f64)> {
        let Material { youngs, poisson, .. } = self.material;
        let stiffness = match self.stiffness {
            Some(stiffness) => stiffness,
            // 1/G* = 2·(2 − ν)/G for two bodies of one material, G = E/(2·(1 + ν)).
            None if self.mindlin => 2.0 * youngs / ((1.0 + poisson) * (2.0 - poisson)),
            None if self.friction == 0.0 => 0.0,
            // As for a linear spring with Mindlin's ratio, at the hardest impact that is expected.
            None => {
                let impact = collide(&self.laws[0], speed)?;
                2.0 / 7.0 * impact.force_max / impact.indentation_max
            }
        };
        Ok((stiffness, self.friction))
    }

    /// The step: as given, or a share of the shortest contact and of Rayleigh's time; with notes.
    pub fn step(
        &self,
        made: &Made,
        speed: f64,
        given: Option<f64>,
    ) -> carom::Result<(f64, Vec<NoteSummary>)> {
        let mut contact = f64::INFINITY;
        for law in self.laws.iter().chain(&self.walls) {
            contact = contact.min(2.0 * collide(law, speed)?.time_of_indentation_max);
        }
        let smallest = made.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let Material { youngs, poisson, density, .. } = made.material;
        let rayleigh = match self.deforms && youngs.is_finite() && youngs > 0.0 {
            true => carom::advise::rayleigh(smallest, youngs, poisson, density),
            false => f64::INFINITY,
        };
        let Some(given) = given else {
            return Ok(((contact / STEPS.0).min(RAYLEIGH.0 * rayleigh), Vec::new()));
        };
        let mut notes = Vec::new();
        if given > contact / STEPS.1 {
            notes.push(NoteSummary {
                kind: "step".into(),
                message: format!(
                    "a step of {given:.3e} s takes {:.1} steps through the shortest contact ({contact:.3e} s at \
                     {speed:.3} m/s); restitutions will be off: take {:.3e} s, or leave `step` out",
                    contact / given,
                    contact / STEPS.0
                ),
            });
        }
        if given > RAYLEIGH.1 * rayleigh {
            notes.push(NoteSummary {
                kind: "step".into(),
                message: format!(
                    "a step of {given:.3e} s is {:.2} of Rayleigh's time, {rayleigh:.3e} s; waves through the \
                     grains will be off: take at most {:.3e} s, or leave `step` out",
                    given / rayleigh,
                    RAYLEIGH.0 * rayleigh
                ),
            });
        }
        Ok((given, notes))
    }
}
