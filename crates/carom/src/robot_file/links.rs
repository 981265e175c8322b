//! Converts links and joints, as in URDF and SDF, into bodies, geometries and pairs.

use super::bodies::{Bodies, Body, Freedom};
use super::description::{Description, Geometry, check_count};
use super::engine::Engine;
use super::pose::{Matrix, Pose, Vector, direction, rotate_tensor};
use super::solid::Shape;
use super::surfaces::{self, Surface};
use super::xml::Place;
use crate::error::Result;

/// A rigid link.
#[derive(Clone, Debug)]
pub struct Link {
    pub name: String,
    /// Frame of the link in the world at the zero pose.
    pub pose: Pose,
    pub mass: f64,
    /// Frame of the inertia relative to the link.
    pub inertial: Pose,
    pub inertia: Matrix,
    /// Index of the model to which it belongs; links of one model touch only if the model has self-collision.
    pub model: usize,
    pub fixed: bool,
    pub self_collide: bool,
    pub place: Place,
}

/// Motion of a child relative to its parent.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    Fixed,
    Turn(Vec<Vector>),
    Slide(Vec<Vector>),
    Ball,
    Free,
}

/// A joint; if the parent is not a link, it is the world.
#[derive(Clone, Debug)]
pub struct Joint {
    pub parent: Option<usize>,
    pub child: usize,
    /// Motion with its axes in the world at the zero pose.
    pub motion: Motion,
    pub anchor: Vector,
}

/// Collision geometry of a link.
#[derive(Clone, Debug)]
pub struct Collision {
    pub name: String,
    pub link: usize,
    pub shape: Shape,
    /// Frame of the geometry relative to the link.
    pub pose: Pose,
    pub surface: Surface,
    pub place: Place,
}

/// Link to which a geometry belongs.
struct CollisionOwner {
    link: usize,
    model: usize,
    /// Whether the links of the model may touch each other.
    self_collide: bool,
}

/// Contents of a file of links.
#[derive(Clone, Debug, Default)]
pub struct Links {
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    pub collisions: Vec<Collision>,
    /// Largest separation speed that the world permits (m/s).
    pub max_vel: Option<f64>,
}

impl Links {
    /// Returns the description of the file for an engine; `wanted` contains the names of the requested pairs, or is
    /// empty for all pairs.
    pub fn description(
        self,
        engine: Engine,
        step: (f64, Option<Place>),
        gravity: Vector,
        wanted: &[[String; 2]],
    ) -> Result<Description> {
        check_count(self.links.len(), "links")?;
        check_count(self.collisions.len(), "collisions")?;
        let (bodies, order) = self.bodies();
        let mut geometries = Vec::new();
        let mut of_surfaces = Vec::new();
        let mut owners = Vec::new();
        for collision in &self.collisions {
            let Some(link) = self.links.get(collision.link) else { continue };
            let body = order.get(collision.link).copied().unwrap_or(0);
            let pose = link.pose.compose(&collision.pose);
            let Collision { name, shape, place, .. } = collision.clone();
            geometries.push(Geometry { name, body, shape, pose, place });
            of_surfaces.push(collision.surface.clone());
            owners.push(Some(CollisionOwner {
                model: link.model,
                self_collide: link.self_collide,
                link: collision.link,
            }));
        }
        let bodies = Bodies::new(bodies, gravity);
        let mut description = Description {
            engine,
            step: step.0,
            step_place: step.1,
            gravity,
            bodies,
            geometries,
            touches: Vec::new(),
            findings: Vec::new(),
        };
        let moves: Vec<bool> =
            description.geometries.iter().map(|one| description.bodies.moves(one.body)).collect();
        if moves.iter().any(|moves| *moves) && moves.iter().all(|moves| *moves) {
            let ground = Geometry {
                name: "ground".into(),
                body: 0,
                shape: Shape::Plane,
                pose: Pose::default(),
                place: Place::default(),
            };
            description.geometries.push(ground);
            of_surfaces.push(Surface { assumed: true, ..Surface::default() });
            owners.push(None);
            let message = "nothing in the file is fixed to the world: a plane `ground` with the engine's default surface is \
                           assumed, which is what most programs add";
            description.add_finding(
                Place::default(),
                "ground-assumed",
                message,
                "check a file that holds both to be sure",
            );
        }
        self.note_masses(&mut description);
        let indices = super::requested_geometries(&description, wanted)?;
        for pair in self.pairs(&description, &of_surfaces, &owners, &indices)? {
            let surface = |i: usize| of_surfaces.get(i).cloned().unwrap_or_default();
            let sides = pair.map(surface);
            let moving = pair.map(|i| {
                description.geometries.get(i).is_some_and(|one| description.bodies.moves(one.body))
            });
            let limit = self.max_vel.unwrap_or(surfaces::WORLD_MAX_VEL);
            let touch =
                surfaces::touch(&mut description, pair, [&sides[0], &sides[1]], moving, limit);
            description.touches.push(touch);
        }
        Ok(description)
    }

    /// Returns the bodies, parents before children, and the body of every link.
    fn bodies(&self) -> (Vec<Body>, Vec<usize>) {
        let mut bodies = vec![Body::new(None, Pose::default())];
        let mut number: Vec<Option<usize>> = vec![None; self.links.len()];
        // A link whose parent has not been placed yet is tried again in the next round; links in a closed loop of
        // joints remain free.
        for round in 0..=self.links.len() {
            let mut changed = false;
            for (i, link) in self.links.iter().enumerate() {
                if number.get(i).is_none_or(|known| known.is_some()) {
                    continue;
                }
                let joint = self.joints.iter().find(|joint| joint.child == i);
                let parent = match joint.and_then(|joint| joint.parent) {
                    Some(parent) if round < self.links.len() => {
                        match number.get(parent).copied().flatten() {
                            Some(parent) => parent,
                            None => continue,
                        }
                    }
                    _ => 0,
                };
                let mut body = Body::new(Some(parent), link.pose);
                let inertial = link.pose.compose(&link.inertial);
                body.mass = Some(link.mass);
                body.centre = inertial.position;
                body.inertia = rotate_tensor(&inertial.rotation, &link.inertia);
                match joint {
                    _ if link.fixed => {}
                    None => body.set_free(),
                    Some(joint) => add_freedoms(&mut body, joint),
                }
                if let Some(known) = number.get_mut(i) {
                    *known = Some(bodies.len());
                }
                bodies.push(body);
                changed = true;
            }
            if !changed && number.iter().all(Option::is_some) {
                break;
            }
        }
        (bodies, number.into_iter().map(|known| known.unwrap_or(0)).collect())
    }

    /// Adds findings about masses and inertias that may be defaults.
    fn note_masses(&self, description: &mut Description) {
        for link in self.links.iter().filter(|link| !link.fixed) {
            let diagonal = [link.inertia[0][0], link.inertia[1][1], link.inertia[2][2]];
            let carries = self
                .collisions
                .iter()
                .any(|one| self.links.get(one.link).is_some_and(|other| other.name == link.name));
            if !carries {
                continue;
            }
            if !(link.mass > 0.0) {
                let message = format!(
                    "link `{}` has no mass: what touches it has no effective mass",
                    link.name
                );
                description.add_finding(
                    link.place,
                    "default-mass",
                    message,
                    "give it an <inertial> with mass and inertia",
                );
            } else if diagonal == [1.0; 3] {
                let message = format!(
                    "link `{}` has an inertia of 1 kg m² about every axis and a mass of {} kg: that is a default, and impacts \
                     off its centre meet too large a mass",
                    link.name, link.mass
                );
                description.add_finding(
                    link.place,
                    "default-inertia",
                    message,
                    "give it the inertia of its shape",
                );
            }
        }
    }

    /// Returns the pairs that the engine tests, or the requested ones.
    fn pairs(
        &self,
        description: &Description,
        of_surfaces: &[Surface],
        owners: &[Option<CollisionOwner>],
        wanted: &[[usize; 2]],
    ) -> Result<Vec<[usize; 2]>> {
        let reason = |[a, b]: [usize; 2]| -> Option<&'static str> {
            if let Some(reason) = description.why_rigid([a, b]) {
                return Some(reason);
            }
            if let (Some(one), Some(other)) = (owners.get(a)?, owners.get(b)?)
                && one.model == other.model
            {
                let joined = |child: &CollisionOwner, parent: &CollisionOwner| {
                    let connects = |joint: &Joint| {
                        joint.child == child.link && joint.parent == Some(parent.link)
                    };
                    self.joints.iter().any(connects)
                };
                if joined(one, other) || joined(other, one) {
                    return Some("a joint connects their links");
                }
                let self_collide = one.self_collide && other.self_collide;
                if description.engine != Engine::Drake && !self_collide {
                    return Some("links of one model do not touch unless it says self_collide");
                }
            }
            // A geometry without a mask collides with every mask.
            let mask = |i: usize| of_surfaces.get(i).and_then(|one| one.collide).unwrap_or(!0);
            (mask(a) & mask(b) == 0).then_some("their collide_bitmask share no bit")
        };
        description.pairs(wanted, reason)
    }
}

/// Adds the degrees of freedom of a joint.
fn add_freedoms(body: &mut Body, joint: &Joint) {
    match &joint.motion {
        Motion::Fixed => {}
        Motion::Free => body.set_free(),
        Motion::Ball => body.turn_freely(joint.anchor),
        Motion::Turn(axes) => {
            for axis in axes.iter().filter_map(|axis| direction(*axis)) {
                body.freedoms.push((Freedom::Turn { axis, anchor: joint.anchor }, 0.0));
            }
        }
        Motion::Slide(axes) => {
            for axis in axes.iter().filter_map(|axis| direction(*axis)) {
                body.freedoms.push((Freedom::Slide(axis), 0.0));
            }
        }
    }
}
