//! The world: everything about a scene that does not change during a run.
//!
//! Body 0 is the ground. Shapes are placed on bodies; a contact consists of two shapes that may touch, with a law; joints
//! connect two bodies, and elements exert forces. Positions and velocities are in [`State`](crate::State).

use crate::actuator::{Actuator, Command, Coordinate, Effort};
use crate::check::{finite, not_negative, positive};
use crate::element::Element;
use crate::friction::{Friction, RollingResistance};
use crate::gap;
use crate::joint::{Drive, Joint, Kind};
use crate::law_source::LawSource;
use crate::math::{Mat3, Quat, Vec3};
use crate::motion::{Motion, SidedTime};
use crate::note::Note;
use crate::path::{Path, PathPoint};
use crate::sensor::Sensor;
use crate::shape::{Placed, Shape};
use carom::{Error, Law, Result};

/// Mobility of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Mobility {
    /// The body moves under the forces on it.
    Free,
    /// The body does not move.
    Fixed,
    /// The body has a prescribed motion; forces on it do work but do not affect its motion.
    Driven(Path),
}

/// A body as it is added to a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Name, for messages and results.
    pub name: String,
    /// Mass (kg).
    pub mass: f64,
    /// Inertia about the centre of mass, in body axes (kg·m²).
    pub inertia: Mat3,
    /// Initial position of the centre of mass (m).
    pub position: Vec3,
    /// Initial rotation of the body axes.
    pub rotation: Quat,
    /// Initial velocity (m/s).
    pub velocity: Vec3,
    /// Initial angular velocity, in world axes (rad/s).
    pub spin: Vec3,
    /// Mobility.
    pub mobility: Mobility,
}

impl Body {
    /// Returns the prescribed motion, if any.
    pub(crate) fn drive(&self) -> Option<&Path> {
        match &self.mobility {
            Mobility::Driven(path) => Some(path),
            _ => None,
        }
    }

    /// Creates a free body at rest at the origin.
    pub fn new(name: &str, mass: f64, inertia: Mat3) -> Self {
        Self {
            name: name.to_string(),
            mass,
            inertia,
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            mobility: Mobility::Free,
        }
    }

    /// Creates a free body at rest at the origin, with mass and inertia of a solid shape of a density (kg/m³).
    ///
    /// # Errors
    /// When the shape has no volume.
    pub fn of(name: &str, shape: &Shape, density: f64) -> Result<Self> {
        let solid = shape.solid(density)?;
        Ok(Self::new(name, solid.mass, solid.inertia))
    }

    /// Returns the body with another initial position.
    pub fn at(self, position: Vec3) -> Self {
        Self { position, ..self }
    }

    /// Returns the body with another initial velocity.
    pub fn moving(self, velocity: Vec3) -> Self {
        Self { velocity, ..self }
    }

    /// Returns the body with another initial angular velocity.
    pub fn spinning(self, spin: Vec3) -> Self {
        Self { spin, ..self }
    }

    /// Returns the body with another initial rotation.
    pub fn turned(self, rotation: Quat) -> Self {
        Self { rotation, ..self }
    }
}

/// Two shapes that may touch, with the law and friction between them.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Name, for messages and results.
    pub name: String,
    /// Index of the first shape.
    pub a: usize,
    /// Index of the second shape.
    pub b: usize,
    /// Source of the contact law.
    pub law_source: LawSource,
    /// Friction, if any.
    pub friction: Option<Friction>,
    /// Rolling resistance, if any.
    pub resistance: Option<RollingResistance>,
    /// Requested restitution, if any. A contact law already includes it; the nonsmooth method uses nothing else of the law.
    pub restitution: Option<f64>,
}

impl Contact {
    /// Creates a contact with a law and without friction.
    pub fn new(a: usize, b: usize, law: Law) -> Self {
        let law_source = LawSource::Given(law);
        Self {
            name: String::new(),
            a,
            b,
            law_source,
            friction: None,
            resistance: None,
            restitution: None,
        }
    }

    /// Returns the contact with friction.
    pub fn with_friction(self, friction: Friction) -> Self {
        Self { friction: Some(friction), ..self }
    }
}

/// Method by which impacts and contacts are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ContactMethod {
    /// Smooth method: forces of contact laws and friction laws, with steps of controlled error.
    #[default]
    Smooth,
    /// Nonsmooth method: impulses between rigid bodies, with a fixed step (`nonsmooth`).
    Nonsmooth {
        /// Length of the step (s).
        step: f64,
        /// Impact law that defines the restitution.
        law: ImpactLaw,
    },
}

/// Meaning of a restitution e in an impact of rigid bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpactLaw {
    /// Newton: separation speed = e · approach speed, at every contact.
    #[default]
    Newton,
    /// Poisson: impulse of the restitution phase = e · impulse of the compression phase, at every contact.
    Poisson,
}

impl ImpactLaw {
    /// Names that are used in scenes.
    pub const ALL: [(&'static str, Self); 2] =
        [("newton", Self::Newton), ("poisson", Self::Poisson)];
}

/// Largest number of sites, all of which are considered in every step.
const MAX_SITES: usize = 1_000_000;

/// A pair of features of two shapes that may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    pub contact: usize,
    /// Number of the site among those of the contact.
    pub number: usize,
}

/// Constant properties of the bodies, in columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyColumns {
    pub mass: Vec<f64>,
    pub inverse_mass: Vec<f64>,
    pub inertia: Vec<Mat3>,
    pub inverse_inertia: Vec<Mat3>,
    /// Moment of inertia of bodies for which it is the same about every axis, so that it need not be rotated (kg·m²).
    pub isotropic_inertia: Vec<Option<f64>>,
    /// Index of a body among the free bodies; none for other bodies.
    pub free_index: Vec<Option<usize>>,
    /// Bounding radius of the shapes about the centre of mass, or a radius of gyration if the body has no shapes (m).
    pub bounding_radius: Vec<f64>,
    /// Bodies with a prescribed motion.
    pub driven: Vec<usize>,
}

/// All bodies, shapes, contacts, joints, elements and settings of a scene, which do not change during a run.
#[derive(Clone, Debug)]
pub struct World {
    /// Acceleration of gravity (m/s²).
    pub gravity: Vec3,
    /// Whether motion is restricted to the x-y plane: no velocity along z, and rotation about z alone. Must be set before
    /// contacts are added, because their sites are counted in the plane.
    pub planar: bool,
    /// Lower bound of v₀ that is passed to laws at onset (m/s), 0 for none. Without a value it follows from the weight (see
    /// `step/onset.rs`).
    pub min_onset_speed: Option<f64>,
    /// Allowed error of a step, relative to the indentation and speed of the contacts.
    pub tolerance: f64,
    /// Largest displacement of a point of a body at the start to close the joints (m); unlimited if none.
    pub assemble: Option<f64>,
    /// Whether bodies are moved at the start to positions at which all forces balance.
    pub in_equilibrium: bool,
    /// Method by which impacts and contacts are computed.
    pub method: ContactMethod,
    pub(crate) bodies: Vec<Body>,
    pub(crate) columns: BodyColumns,
    pub(crate) free: Vec<usize>,
    pub(crate) shapes: Vec<Placed>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) sites: Vec<Site>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) elements: Vec<Element>,
    pub(crate) actuators: Vec<Actuator>,
    /// Notes about the world itself.
    pub(crate) notes: Vec<Note>,
    /// Sensors, whose readings are part of the results.
    pub sensors: Vec<Sensor>,
}

impl Default for World {
    /// Creates a world with only the ground and without gravity.
    fn default() -> Self {
        let mut world = Self {
            gravity: Vec3::ZERO,
            planar: false,
            min_onset_speed: None,
            tolerance: 1e-10,
            assemble: None,
            in_equilibrium: false,
            method: ContactMethod::Smooth,
            bodies: Vec::new(),
            columns: BodyColumns::default(),
            free: Vec::new(),
            shapes: Vec::new(),
            contacts: Vec::new(),
            sites: Vec::new(),
            joints: Vec::new(),
            elements: Vec::new(),
            actuators: Vec::new(),
            sensors: Vec::new(),
            notes: Vec::new(),
        };
        let ground = Body::new("ground", f64::INFINITY, Mat3::default());
        world.push(Body { mobility: Mobility::Fixed, ..ground });
        world
    }
}

impl World {
    /// Returns the world with gravity (m/s²).
    pub fn under(self, gravity: Vec3) -> Self {
        Self { gravity, ..self }
    }

    /// Returns the world with motion restricted to the x-y plane.
    pub fn flat(self) -> Self {
        Self { planar: true, ..self }
    }

    /// Adds a body that has been checked.
    pub(crate) fn push(&mut self, body: Body) -> usize {
        let index = self.bodies.len();
        let free = body.mobility == Mobility::Free;
        let columns = &mut self.columns;
        columns.mass.push(body.mass);
        columns.inverse_mass.push(if free { 1.0 / body.mass } else { 0.0 });
        columns.inertia.push(body.inertia);
        let inverse = if free { body.inertia.inverse() } else { None };
        columns.inverse_inertia.push(inverse.unwrap_or_default());
        let [x, y, z] = body.inertia.0;
        let round = body.inertia == Mat3::diagonal(Vec3::splat(x.x)) && y.y == z.z;
        columns.isotropic_inertia.push((free && round).then_some(x.x));
        columns.free_index.push(free.then_some(self.free.len()));
        // A radius of gyration, used until the body has shapes.
        let gyration = ((x.x + y.y + z.z) / body.mass).sqrt();
        columns.bounding_radius.push(if free && gyration.is_finite() { gyration } else { 0.0 });
        if free {
            self.free.push(index);
        }
        if body.drive().is_some() {
            self.columns.driven.push(index);
        }
        self.bodies.push(body);
        index
    }

    /// Adds a body and returns its index; the ground is body 0.
    ///
    /// # Errors
    /// When a free body has no mass or inertia, or a number is not finite.
    pub fn add_body(&mut self, body: Body) -> Result<usize> {
        let name = &body.name;
        finite("position", name, body.position)?;
        finite("velocity", name, body.velocity)?;
        finite("spin", name, body.spin)?;
        finite("rotation", name, body.rotation.v)?;
        if body.mobility == Mobility::Free {
            let advice = "give it in kg, or a shape with a density, or fix the body";
            positive(&format!("mass of `{name}`"), body.mass, advice)?;
            let moments = body.inertia.principal_moments();
            let most = moments.into_iter().fold(0.0, f64::max);
            let sound = moments.iter().all(|i| *i > 0.0 && i.is_finite());
            let refuse = |allowed: &str, advice: &str| {
                let what = format!("inertia of `{name}`");
                Err(Error::invalid(what, format!("{moments:?}"), allowed, advice))
            };
            if !sound || body.inertia.inverse().is_none() {
                let advice =
                    "give principal moments of inertia in kg m^2, or a shape with a density";
                return refuse("positive and invertible", advice);
            }
            if most > (moments.iter().sum::<f64>() - most) * (1.0 + 1e-9) {
                let advice = "each principal moment of a body is at most the sum of the other two";
                return refuse("possible", advice);
            }
        }
        Ok(self.push(Body { rotation: body.rotation.normalised(), ..body }))
    }

    /// Adds a shape to a body and returns its index.
    ///
    /// # Errors
    /// When there is no such body, or a length is not positive.
    pub fn add_shape(&mut self, placed: Placed) -> Result<usize> {
        self.body(placed.body)?;
        finite("position", "a shape", placed.position)?;
        let shape = placed.shape.checked()?;
        let reach = placed.position.length() + shape.reach();
        let column = &mut self.columns.bounding_radius[placed.body];
        if reach.is_finite() {
            *column = column.max(reach);
        }
        self.shapes.push(Placed { shape, rotation: placed.rotation.normalised(), ..placed });
        Ok(self.shapes.len() - 1)
    }

    /// Adds a contact of two shapes and returns its index.
    ///
    /// # Errors
    /// When there are no such shapes, both are on one body, neither body is free, or contacts of such a pair of shapes are
    /// not supported.
    pub fn add_contact(&mut self, contact: Contact) -> Result<usize> {
        let of = |index: usize| {
            self.shapes.get(index).ok_or_else(|| {
                let known = format!("below {}, the number of shapes", self.shapes.len());
                Error::invalid("shape of a contact", index, known, "add the shape first")
            })
        };
        let (a, b) = (of(contact.a)?, of(contact.b)?);
        if a.body == b.body {
            let what = format!("contact of `{}` with itself", self.bodies[a.body].name);
            return Err(Error::unsupported(what, "put one of the shapes on another body"));
        }
        if [a.body, b.body].iter().all(|&i| self.columns.free_index[i].is_none()) {
            let (a, b) = (&self.bodies[a.body].name, &self.bodies[b.body].name);
            let what = format!("contact of `{a}` and `{b}`, which are both held");
            return Err(Error::unsupported(what, "let one of them move freely"));
        }
        if let Some(friction) = contact.friction {
            friction.checked()?;
        }
        if let Some(resistance) = contact.resistance {
            resistance.checked()?;
        }
        let sites = gap::site_count(&a.shape, &b.shape)?;
        let sites = match self.planar {
            true => {
                let pose = |placed: &Placed| {
                    let body = &self.bodies[placed.body];
                    gap::Frame { origin: body.position, rotation: body.rotation }
                };
                crate::planar_sites::distinct_sites((a, pose(a)), (b, pose(b)), sites)
            }
            false => (0..sites).collect(),
        };
        if self.sites.len() + sites.len() > MAX_SITES {
            let found = self.sites.len() + sites.len();
            let advice =
                "take simpler shapes (corners meet corners, edges meet edges) or fewer contacts";
            let allowed = format!("at most {MAX_SITES} in all contacts");
            return Err(Error::invalid("contact sites", found, allowed, advice));
        }
        let index = self.contacts.len();
        let name = match contact.name.is_empty() {
            true => format!("{}-{}", self.bodies[a.body].name, self.bodies[b.body].name),
            false => contact.name.clone(),
        };
        self.sites.extend(sites.into_iter().map(|number| Site { contact: index, number }));
        self.contacts.push(Contact { name, ..contact });
        Ok(index)
    }

    /// Adds a joint and returns its index.
    ///
    /// # Errors
    /// When there are no such bodies, neither is free, or drive or friction do not fit the joint.
    pub fn add_joint(&mut self, joint: Joint) -> Result<usize> {
        let (a, b) = (joint.a.body, joint.b.body);
        self.body(a)?;
        self.body(b)?;
        let name = &joint.name;
        if a == b || [a, b].iter().all(|&i| self.columns.free_index[i].is_none()) {
            let what = format!("joint `{name}` between bodies that cannot move against each other");
            return Err(Error::unsupported(what, "join two bodies of which one is free"));
        }
        finite("point", name, joint.a.point)?;
        finite("point", name, joint.b.point)?;
        let fits = match joint.drive {
            Drive::Free => true,
            Drive::Angle(_) => matches!(joint.kind, Kind::Revolute | Kind::Cylindrical),
            Drive::Slide(_) => matches!(joint.kind, Kind::Prismatic | Kind::Cylindrical),
        };
        if !fits {
            return Err(Error::unsupported(
                format!("this drive of joint `{name}`"),
                "drive the angle of a revolute or cylindrical joint, or the slide of a prismatic or cylindrical one",
            ));
        }
        if let Some(friction) = joint.friction {
            let coordinate = friction.coordinate;
            if !joint.kind.coordinates().contains(&coordinate)
                || joint.drive.coordinate() == Some(coordinate)
            {
                return Err(Error::unsupported(
                    format!("friction of joint `{name}`"),
                    "it acts on an angle or slide that is free and not driven; for other motions make the joint a [[clearance]] with friction",
                ));
            }
            let advice = "give it in N m for an angle, in N for a slide";
            not_negative(&format!("coulomb of joint `{name}`"), friction.coulomb, advice)?;
            not_negative(&format!("viscous of joint `{name}`"), friction.viscous, advice)?;
        }
        self.joints.push(joint);
        Ok(self.joints.len() - 1)
    }

    /// Adds a force element and returns its index.
    ///
    /// # Errors
    /// When there is no such body, both are held, or a number is not finite or is negative where this is not allowed.
    pub fn add_element(&mut self, element: Element) -> Result<usize> {
        let (a, b) = element.bodies();
        self.body(a)?;
        self.body(b)?;
        let held = |body: usize| {
            self.columns.free_index[body].is_none() && !self.columns.driven.contains(&body)
        };
        if (held(a) && held(b)) || (a == b && matches!(element, Element::Spring { .. })) {
            let what = match element {
                Element::Spring { .. } => {
                    "a spring between bodies that cannot move against each other".into()
                }
                _ => format!("a force on `{}`, which cannot move,", self.bodies[a].name),
            };
            return Err(Error::unsupported(what, "let it act on a body that moves"));
        }
        for (name, value, positive) in element.numbers() {
            if !value.is_finite() || (positive && value < 0.0) {
                let allowed = if positive { "a finite number of at least 0" } else { "finite" };
                return Err(Error::invalid(name, value, allowed, "check its sign and unit"));
            }
        }
        self.elements.push(element);
        Ok(self.elements.len() - 1)
    }

    /// Adds a spring or motor along a coordinate and returns its index.
    ///
    /// # Errors
    /// When there is no such joint, coordinate or body, or a number is negative.
    pub fn add_actuator(&mut self, actuator: Actuator) -> Result<usize> {
        let name = &actuator.name;
        match &actuator.on {
            Coordinate::Joint(joint, _) if *joint >= self.joints.len() => {
                let known = format!("below {}, the number of joints", self.joints.len());
                return Err(Error::invalid("joint", joint, known, "add the joint first"));
            }
            Coordinate::Joint(joint, on)
                if !self.joints[*joint].kind.coordinates().contains(on) =>
            {
                return Err(Error::unsupported(
                    format!(
                        "`{name}` on a coordinate that joint `{}` does not have",
                        self.joints[*joint].name
                    ),
                    "springs and motors act on an angle or slide that is free",
                ));
            }
            Coordinate::Joint(..) => {}
            Coordinate::Distance(a, b) => {
                self.body(a.body)?;
                self.body(b.body)?;
            }
        }
        for (what, value) in actuator.effort.numbers() {
            let advice = "check its sign and unit";
            not_negative(&format!("{what} of `{name}`"), value, advice)?;
        }
        if let Effort::Motor { limit, .. } = actuator.effort
            && !(limit > 0.0)
        {
            let advice = "give the largest force or torque of the motor";
            return Err(Error::invalid(format!("limit of `{name}`"), limit, "above 0", advice));
        }
        self.actuators.push(actuator);
        Ok(self.actuators.len() - 1)
    }

    /// Returns the motors whose effort is set by a controller, in the order of their numbers.
    pub fn held_motors(&self) -> impl Iterator<Item = &Actuator> {
        self.actuators.iter().filter(|actuator| {
            matches!(actuator.effort, Effort::Motor { command: Command::Held(_), .. })
        })
    }

    /// Checks that no motor needs a controller.
    ///
    /// # Errors
    /// When a motor does.
    pub fn check_motors(&self) -> Result<()> {
        match self.held_motors().next() {
            None => Ok(()),
            Some(motor) => {
                let what = format!("motor `{}` without a controller", motor.name);
                let advice = "run the scene from Python with controller=f, or tell the motor an effort, a speed or a position";
                Err(Error::unsupported(what, advice))
            }
        }
    }

    /// Returns the springs and motors along coordinates.
    pub fn actuators(&self) -> &[Actuator] {
        &self.actuators
    }

    /// Returns the bodies with a prescribed motion, and their motion at a time.
    #[inline(always)]
    pub(crate) fn driven(&self, time: SidedTime) -> impl Iterator<Item = (usize, PathPoint)> {
        self.columns.driven.iter().filter_map(move |&index| {
            let body = &self.bodies[index];
            Some((index, body.drive()?.at(body.position, body.rotation, time)))
        })
    }

    /// Returns all prescribed motions and all functions of time of forces, couples and actuators.
    pub(crate) fn motions(&self) -> impl Iterator<Item = &Motion> {
        let bodies = self.bodies.iter().filter_map(Body::drive).flat_map(Path::motions);
        let joints = self.joints.iter().filter_map(|joint| joint.drive.motion());
        let elements = self.elements.iter().filter_map(|element| match element {
            Element::Force { magnitude, .. } | Element::Couple { magnitude, .. } => Some(magnitude),
            _ => None,
        });
        let actuators = self.actuators.iter().filter_map(|actuator| actuator.effort.motion());
        bodies.chain(joints).chain(elements).chain(actuators)
    }

    fn body(&self, index: usize) -> Result<&Body> {
        self.bodies.get(index).ok_or_else(|| {
            let known = format!("below {}, the number of bodies", self.bodies.len());
            Error::invalid("body", index, known, "add the body first; the ground is body 0")
        })
    }

    /// Returns the contact of a site.
    #[inline(always)]
    pub(crate) fn contact_at(&self, site: usize) -> &Contact {
        &self.contacts[self.sites[site].contact]
    }

    /// Returns the two shapes of a site.
    pub(crate) fn shapes_at(&self, site: usize) -> [&Shape; 2] {
        let contact = self.contact_at(site);
        [contact.a, contact.b].map(|shape| &self.shapes[shape].shape)
    }

    /// Returns the difference of the radii of the two shapes of a contact (m), if it is a ball or pin in a cavity.
    pub(crate) fn clearance(&self, contact: usize) -> Option<f64> {
        let contact = &self.contacts[contact];
        self.shapes[contact.a].shape.clearance(&self.shapes[contact.b].shape)
    }

    /// Returns the two bodies of a site.
    pub(crate) fn bodies_at(&self, site: usize) -> (usize, usize) {
        let contact = self.contact_at(site);
        (self.shapes[contact.a].body, self.shapes[contact.b].body)
    }

    /// Returns the bodies, beginning with the ground.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Returns the names of the bodies, beginning with the ground.
    pub(crate) fn body_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.bodies.iter().map(|body| body.name.as_str())
    }

    /// Returns the names of the contacts; several contacts may have the same name.
    pub(crate) fn contact_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.contacts.iter().map(|contact| contact.name.as_str())
    }

    /// Returns the contacts.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Returns the joints.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Returns the force elements.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Returns the shapes.
    pub fn shapes(&self) -> &[Placed] {
        &self.shapes
    }
}
