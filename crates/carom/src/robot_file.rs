//! Robot files of other simulators: computes how their contacts will behave in an impact.
//!
//! A file for MuJoCo, Gazebo, PyBullet or Drake contains contact parameters from which a restitution follows only
//! together with the rules of the engine: how the parameters of two geometries are combined, which rebound the
//! integrator produces with the step of the file, and which parameter limits another one. The file is read with the
//! rules of its engine, every pair of geometries that can touch becomes one contact of that engine, and that contact
//! is stepped through an impact with the update formulas of the engine:
//!
//! 1. [`read`] converts text into a [`Model`]: bodies at the zero pose, geometries, pairs, and findings made while
//!    reading.
//! 2. [`Model::check`] computes restitution, duration, penetration and peak force of every pair and speed, and
//!    findings, each with its line in the file.
//! 3. [`Model::fix`] computes the parameters that deliver a restitution and changes them in the text; the rest of the
//!    text is unchanged.
//!
//! The line of impact passes through the centre of the geometry, normal to a plane or towards the other centre;
//! friction, joint limits and motors do not act during the impact. The effective mass is that of the bodies with
//! their joints.
//!
//! ```
//! let text = r#"<mujoco>
//!   <worldbody>
//!     <geom name="floor" type="plane" size="1 1 1"/>
//!     <body><freejoint/><geom name="ball" size="0.05"/></body>
//!   </worldbody>
//! </mujoco>"#;
//! use carom::robot_file::{Question, read};
//! let nothing = |_: &str| Err(carom::Error::missing("file", "there is no other file"));
//! let report = read("ball.xml", text, &nothing, &Question::default())?.check()?;
//! let impact = &report.pairs[0];
//! assert_eq!(impact.geometries, ["floor", "ball"]);
//! // MuJoCo's default damps critically: the ball does not leave the floor again.
//! assert_eq!(impact.restitution, Some(0.0));
//! assert!(report.findings.iter().any(|finding| finding.kind == "default-mass"));
//! # Ok::<(), carom::Error>(())
//! ```

#[allow(clippy::indexing_slicing)]
mod bodies;
mod description;
pub(crate) mod engine;
mod findings;
mod fix;
pub(crate) mod impact;
mod included;
mod links;
mod mjcf;
#[allow(clippy::indexing_slicing)]
mod pose;
mod question;
mod sdf;
#[allow(clippy::indexing_slicing)]
mod solid;
mod surfaces;
mod urdf;
mod xml;

pub use description::{Combined, Finding};
pub use engine::Engine;
pub use fix::{Change, ChangedFile, Fix};
pub use included::included;
pub use question::{Question, Spec};
pub use xml::SIZE_MAX;

use crate::error::{Error, Result};
use crate::message::Action;
use description::{Description, Touch};
use engine::{Contact, Mechanics};
use impact::Outcome;
use pose::{Vector, direction, dot, rotate, scale, subtract, transpose};
use serde::Serialize;
use solid::Shape;
use xml::Source;

/// A robot file that has been read.
#[derive(Clone, Debug)]
pub struct Model {
    text: String,
    source: Source,
    question: Question,
    description: Description,
}

/// Behaviour of the contacts of a file.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Engine for which the contacts were computed.
    pub engine: Engine,
    /// Version of the engine whose formulas were used.
    pub version: &'static str,
    /// Time step (s).
    pub step: f64,
    /// Results of every pair at every speed.
    pub pairs: Vec<PairReport>,
    /// Findings, with lines in the file.
    pub findings: Vec<Finding>,
}

/// Results of a pair at a speed.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PairReport {
    /// Names of the two geometries.
    pub geometries: [String; 2],
    /// Approach speed (m/s).
    pub speed: f64,
    /// Rebound speed divided by approach speed, as the mean over the position of the onset within a step; `null` if
    /// it depends on a mass that is not known.
    pub restitution: Option<f64>,
    /// Smallest and largest restitution over the position of the onset within a step.
    pub restitution_range: Option<[f64; 2]>,
    /// Duration of contact (s); `null` if the bodies do not separate.
    pub duration: Option<f64>,
    /// Largest penetration (m).
    pub penetration: Option<f64>,
    /// Largest force (N); `null` if a mass is not known.
    pub force_max: Option<f64>,
    /// Effective mass (kg).
    pub mass: Option<f64>,
    /// Number of points at which the two geometries touch simultaneously.
    pub points: usize,
    /// Parameters of the contact, with the rules by which the engine combines them.
    pub parameters: Vec<Combined>,
}

/// Line of impact of two geometries.
struct ImpactLine {
    mechanics: Mechanics,
    /// Effective mass (kg), if it is known.
    mass: Option<f64>,
    /// Whether joints prevent any motion along the line.
    blocked: bool,
}

/// Reads a robot file with the rules of its engine. `load` returns the text of an included file.
pub fn read(
    name: &str,
    text: &str,
    load: &dyn Fn(&str) -> Result<String>,
    question: &Question,
) -> Result<Model> {
    let source = xml::read(name, text, load)?;
    let description = match source.root.name.as_str() {
        "mujoco" => mujoco_description(&source, question)?,
        "robot" => urdf::read(&source, question.engine, question.step, &question.pairs)?,
        "sdf" => sdf::read(&source, question.engine, question.step, &question.pairs)?,
        other => {
            let what = format!("a file whose outermost element is <{other}>");
            return Err(Error::unsupported(
                what,
                "give MJCF (<mujoco>), URDF (<robot>) or SDF (<sdf>)",
            ));
        }
    };
    Ok(Model { text: text.to_string(), source, question: question.clone(), description })
}

fn mujoco_description(source: &Source, question: &Question) -> Result<Description> {
    if let Some(engine) = question.engine.filter(|engine| *engine != Engine::Mujoco) {
        let what = format!("MJCF with the engine {}", engine.id());
        return Err(Error::unsupported(what, message!["leave out ", Action::leave_out("engine")]));
    }
    let mut model = mjcf::read(source)?;
    if let Some(step) = question.step {
        (model.options.step, model.description.step) = (step, step);
    }
    let wanted = requested_geometries(&model.description, &question.pairs)?;
    mjcf::pairs::find(&mut model, &source.root, &wanted)?;
    Ok(model.description)
}

/// Returns the indices of the geometries whose pairs are requested.
fn requested_geometries(
    description: &Description,
    pairs: &[[String; 2]],
) -> Result<Vec<[usize; 2]>> {
    let number = |name: &String| {
        let known = || description.geometries.iter().map(|geometry| geometry.name.as_str());
        let found = known().position(|known| known == name);
        found.ok_or_else(|| {
            Error::unknown(
                "geometry",
                name,
                known(),
                "name geometries as the table without pairs does",
            )
        })
    };
    let pair = |[a, b]: &[String; 2]| {
        let (a, b) = (number(a)?, number(b)?);
        Ok([a.min(b), a.max(b)])
    };
    pairs.iter().map(pair).collect()
}

impl Model {
    /// Returns the engine for which the file is evaluated.
    pub fn engine(&self) -> Engine {
        self.description.engine
    }

    /// Computes the behaviour of the contacts of the file.
    pub fn check(&self) -> Result<Report> {
        let mut description = self.description.clone();
        let speeds = self.speeds();
        let (mut pairs, mut outcomes) = (Vec::new(), Vec::new());
        let mut computed: Vec<(Contact, Mechanics, f64, Outcome)> = Vec::new();
        for touch in &self.description.touches {
            let ImpactLine { mechanics, mass, blocked } = self.impact_line(touch)?;
            if blocked {
                findings::add_blocked_finding(&mut description, touch);
            }
            for &speed in speeds.iter().filter(|_| !blocked) {
                // Robots have many pairs, but few different ones; known outcomes are therefore used again.
                let same = |one: &&(Contact, Mechanics, f64, Outcome)| {
                    one.0 == touch.contact && one.1 == mechanics && one.2 == speed
                };
                let outcome = match computed.iter().rev().take(64).find(same) {
                    Some(found) => found.3,
                    None => {
                        let outcome = impact::impact(
                            &touch.contact,
                            &mechanics,
                            self.description.step,
                            speed,
                        );
                        computed.push((touch.contact.clone(), mechanics, speed, outcome));
                        outcome
                    }
                };
                pairs.push(self.pair_report(touch, &mechanics, mass, speed, &outcome));
                outcomes.push((touch, mechanics, speed, outcome));
            }
        }
        findings::add_impact_findings(&mut description, &outcomes);
        findings::add_unit_findings(&mut description, &self.description.touches);
        Ok(Report {
            engine: self.description.engine,
            version: self.description.engine.version(),
            step: self.description.step,
            pairs,
            findings: findings::sorted_findings(&description, &self.source.names),
        })
    }

    fn speeds(&self) -> Vec<f64> {
        match self.question.speeds.is_empty() {
            true => vec![1.0],
            false => self.question.speeds.clone(),
        }
    }

    fn pair_report(
        &self,
        touch: &Touch,
        mechanics: &Mechanics,
        mass: Option<f64>,
        speed: f64,
        outcome: &Outcome,
    ) -> PairReport {
        // The contacts of MuJoCo do not depend on the mass.
        let known = mass.is_some() || self.description.engine == Engine::Mujoco;
        let number = |value: f64| Some(value).filter(|value| known && value.is_finite());
        PairReport {
            geometries: touch.geometries.map(|i| self.description.name(i).to_string()),
            speed,
            restitution: number(outcome.restitution),
            restitution_range: known.then_some(outcome.restitution_range),
            duration: outcome.duration.filter(|_| known),
            penetration: number(outcome.penetration),
            force_max: mass.and(number(outcome.force_max)),
            mass,
            points: mechanics.points as usize,
            parameters: touch.parameters.clone(),
        }
    }

    /// Returns the line of impact of a pair.
    fn impact_line(&self, touch: &Touch) -> Result<ImpactLine> {
        let description = &self.description;
        let geometry = |i: usize| {
            let found = description.geometries.get(i);
            found.ok_or_else(|| {
                Error::numerical("the pairs", "a pair has no geometry", "report the file")
            })
        };
        let (first, second) = (geometry(touch.geometries[0])?, geometry(touch.geometries[1])?);
        let normal_of = |plane: &description::Geometry| plane.pose.direction([0.0, 0.0, 1.0]);
        // The normal points from the second geometry to the first.
        let (normal, point): (Vector, Vector) = match (&first.shape, &second.shape) {
            (Shape::Plane, _) => (scale(normal_of(first), -1.0), second.pose.position),
            (_, Shape::Plane) => (normal_of(second), first.pose.position),
            _ => {
                let line = direction(subtract(first.pose.position, second.pose.position));
                (line.unwrap_or([0.0, 0.0, 1.0]), first.pose.position)
            }
        };
        let flat = |body: &description::Geometry| {
            body.shape.points_on_plane(rotate(&transpose(&body.pose.rotation), normal))
        };
        let several = matches!(description.engine, Engine::Mujoco | Engine::Ode | Engine::Bullet);
        let points = match (&first.shape, &second.shape) {
            (Shape::Plane, _) if several => flat(second),
            (_, Shape::Plane) if several => flat(first),
            _ => 1,
        };
        let found = description.bodies.mobility([first.body, second.body], point, normal);
        let moves = [first, second].map(|one| description.bodies.moves(one.body));
        // If the masses are not known, the approach acceleration is gravity on the geometry that can move.
        let fall = dot(description.gravity, normal);
        let acceleration = found.map_or(
            match moves {
                [true, false] => -fall,
                [false, true] => fall,
                _ => 0.0,
            },
            |found| found.acceleration,
        );
        let blocked = self.question.mass.is_none() && found.is_some_and(|found| found.along == 0.0);
        let found = found.filter(|found| found.along > 0.0);
        let mass = self.question.mass.or(found.map(|found| 1.0 / found.along));
        let estimate = found.map_or(1.0, |found| found.mean / found.along);
        let mobility = 1.0 / mass.unwrap_or(1.0);
        let mechanics = Mechanics {
            mobility,
            mobility_estimate: estimate * mobility,
            acceleration,
            points: points as f64,
        };
        Ok(ImpactLine { mechanics, mass, blocked })
    }
}
