//! Tables `[grains.contact]` and `[grains.wall_contact]`: laws for every pair of sizes, friction, rolling resistance, and
//! the length of the step that follows from them.

use super::population::Population;
use crate::friction::{RollingResistance, default_damping_ratio};
use crate::grains::pair_laws::check_law;
use crate::note::NoteSummary;
use crate::scene::reader::{Read, SceneTable};
use crate::scene::{Files, bodies, laws};
use carom::collide;
use carom::law::Law;
use carom::message::Action;
use carom::pair::{Body, Material, Pair, Shape, effective_mass};
use carom::spec::Spec;

/// Number of steps during the shortest contact, if the scene gives no step.
const STEPS_PER_CONTACT: f64 = 50.0;
/// A note is given if the shortest contact takes fewer steps than this.
const MIN_STEPS_PER_CONTACT: f64 = 20.0;
/// Ratio of the step to Rayleigh's time, if the scene gives no step.
const RAYLEIGH_SHARE: f64 = 0.2;
/// A note is given if the ratio of the step to Rayleigh's time is larger than this.
const MAX_RAYLEIGH_SHARE: f64 = 0.4;

/// Contact laws and friction of a scene of grains.
pub(super) struct ContactTable {
    /// Laws between sizes, in the order of [`Bed::with_sizes`](crate::grains::Bed::with_sizes).
    pub laws: Vec<Law>,
    pub walls: Vec<Law>,
    friction: f64,
    stiffness: Option<f64>,
    /// Whether the tangential stiffness is Mindlin's, from the material.
    pub mindlin: bool,
    /// Damping ratio of the tangential springs.
    pub damping_ratio: f64,
    material: Material,
    pub resistance: Option<RollingResistance>,
    /// Whether the normal stiffness is computed from the material, so that Rayleigh's time of the material limits the step.
    stiffness_from_material: bool,
}

impl ContactTable {
    pub fn read(table: &SceneTable, population: &Population, files: Files) -> Read<Self> {
        let contact = table.required_table("contact")?;
        let spec = laws::read_spec(&contact, files)?;
        laws::check_exponent(&contact, &spec)?;
        let restitution = laws::restitution(&contact)?;
        let (friction, stiffness, mindlin, damping_ratio) = match contact.table("friction")? {
            None => (0.0, None, false, 0.0),
            Some(friction) => {
                let coefficient = friction.required_quantity("coefficient")?;
                let stiffness = friction.quantity("stiffness")?;
                let ratio = friction.quantity("damping_ratio")?;
                let mindlin = friction.flag("mindlin")?;
                if mindlin && stiffness.is_some() {
                    let advice =
                        "Mindlin's stiffness follows from the material; give one of the two";
                    let what = "mindlin and stiffness together";
                    return friction.unsupported("mindlin", what, advice);
                }
                friction.finish()?;
                let ratio = ratio.unwrap_or_else(|| default_damping_ratio(restitution));
                (coefficient, stiffness, mindlin, ratio)
            }
        };
        let resistance = laws::read_rolling_resistance(&contact)?;
        contact.finish()?;
        // Walls have the material and the law of the grains unless [grains.wall_contact] gives others.
        let wall_table = table.table("wall_contact")?;
        let (wall_spec, wall_material) = match &wall_table {
            None => (spec.clone(), population.material),
            Some(walls) => {
                let material = bodies::read_material(walls)?.unwrap_or(population.material);
                let spec = laws::read_spec(walls, files)?;
                laws::check_exponent(walls, &spec)?;
                walls.finish()?;
                (spec, material)
            }
        };
        let stiffness_from_material = !laws::has_stiffness(&spec);
        let sphere = |radius: f64| {
            let mass =
                population.material.density * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
            Body::new(Shape::Sphere { radius }, population.material).with_mass(mass)
        };
        let law = |spec: &Spec, one: Body, two: Body| -> carom::Result<Law> {
            let mass = effective_mass(one.mass()?, two.mass()?)?;
            let spec = Spec { mass: Some(mass.into()), ..spec.clone() };
            let law = match laws::has_stiffness(&spec) {
                true => spec.case()?.law()?,
                false => laws::law_for_pair(&spec, Pair::of(&one, &two)?)?,
            };
            check_law(&law)?;
            Ok(law)
        };
        let (mut between, mut walls) = (Vec::new(), Vec::new());
        for (b, &large) in population.radii.iter().enumerate() {
            for &small in &population.radii[..=b] {
                between.push(contact.check(law(&spec, sphere(small), sphere(large)))?);
            }
            let plane = Body::new(Shape::Plane, wall_material).with_mass(f64::INFINITY);
            let at_wall = law(&wall_spec, sphere(large), plane);
            walls.push(wall_table.as_ref().unwrap_or(&contact).check(at_wall)?);
        }
        let material = population.material;
        Ok(Self {
            laws: between,
            walls,
            friction,
            stiffness,
            mindlin,
            damping_ratio,
            material,
            resistance,
            stiffness_from_material,
        })
    }

    /// Returns the stiffness of the tangential spring (8·G* for Mindlin's) and the coefficient of friction.
    pub fn tangential(&self, speed: f64) -> carom::Result<(f64, f64)> {
        let Material { youngs, poisson, .. } = self.material;
        let stiffness = match self.stiffness {
            Some(stiffness) => stiffness,
            // 1/G* = 2·(2 − ν)/G for two bodies of one material, G = E/(2·(1 + ν)).
            None if self.mindlin => 2.0 * youngs / ((1.0 + poisson) * (2.0 - poisson)),
            None if self.friction == 0.0 => 0.0,
            // 2/7 of the secant normal stiffness in the fastest expected impact.
            None => {
                let impact = collide(&self.laws[0], speed)?;
                2.0 / 7.0 * impact.force_max / impact.indentation_max
            }
        };
        Ok((stiffness, self.friction))
    }

    /// Returns the step and notes about it: the step as given, or a fraction of the shortest contact and of Rayleigh's time.
    pub fn step(
        &self,
        population: &Population,
        speed: f64,
        given: Option<f64>,
    ) -> carom::Result<(f64, Vec<NoteSummary>)> {
        let mut contact = f64::INFINITY;
        for law in self.laws.iter().chain(&self.walls) {
            contact = contact.min(2.0 * collide(law, speed)?.time_of_indentation_max);
        }
        let smallest = population.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let Material { youngs, poisson, density, .. } = population.material;
        let rayleigh = match self.stiffness_from_material && youngs.is_finite() && youngs > 0.0 {
            true => carom::advise::rayleigh(smallest, youngs, poisson, density),
            false => f64::INFINITY,
        };
        let Some(given) = given else {
            return Ok(((contact / STEPS_PER_CONTACT).min(RAYLEIGH_SHARE * rayleigh), Vec::new()));
        };
        let mut notes = Vec::new();
        let mut note = |problem: String, step: f64| {
            let shorter = Action::set("simulation.step", format!("{step:.3e} s"));
            let message = carom::message![problem, shorter, ", or leave `step` out"];
            notes.push(NoteSummary::new("step", message));
        };
        if given > contact / MIN_STEPS_PER_CONTACT {
            let problem = format!(
                "a step of {given:.3e} s takes {:.1} steps through the shortest contact ({contact:.3e} s at {speed:.3} m/s); \
                 restitutions will be off: take ",
                contact / given
            );
            note(problem, contact / STEPS_PER_CONTACT);
        }
        if given > MAX_RAYLEIGH_SHARE * rayleigh {
            let problem = format!(
                "a step of {given:.3e} s is {:.2} of Rayleigh's time, {rayleigh:.3e} s; waves through the grains will be \
                 off: take at most ",
                given / rayleigh
            );
            note(problem, RAYLEIGH_SHARE * rayleigh);
        }
        Ok((given, notes))
    }
}
