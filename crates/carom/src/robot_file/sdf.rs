//! SDF, the format of Gazebo: worlds, models, links, and the surfaces of their collisions.
//!
//! The element `physics` names the engine; if it is missing, the engine is ODE. Models that an `include` refers to by
//! `model://` are not in the file; they are not read, and a finding states this.

use super::bodies::Body;
use super::description::{Description, Edit};
use super::engine::Engine;
use super::links::{Collision, Joint, Link, Links, Motion};
use super::pose::{Matrix, Pose, Vector, roll_pitch_yaw, rotate_tensor, scale, z_onto};
use super::solid::Shape;
use super::surfaces::Surface;
use super::urdf::{drake_write, tag};
use super::xml::{Element, Place, Source, numbers};
use crate::error::{Error, Result};

/// Named frames with their poses in the model.
type Frames = Vec<(String, Pose)>;

/// Reads a world or model for the given engine, or for the one that the file names.
pub fn read(
    source: &Source,
    engine: Option<Engine>,
    step: Option<f64>,
    pairs: &[[String; 2]],
) -> Result<Description> {
    let root = &source.root;
    let world = root.child("world");
    let physics = world.and_then(|world| world.child("physics"));
    let engine = match engine {
        Some(Engine::Mujoco) => {
            return Err(Error::unsupported(
                "SDF with the engine mujoco",
                "name ode, bullet, dart or drake",
            ));
        }
        Some(engine) => engine,
        None => named_engine(root, physics)?,
    };
    let mut place = None;
    let mut size = 0.001;
    if let Some(physics) = physics
        && let Some(found) = physics.number_at("max_step_size")?
    {
        (size, place) = (found, physics.child("max_step_size").map(|one| one.place));
    }
    if let Some(step) = step {
        size = step;
    }
    if !(size > 0.0) {
        let error = Error::invalid("max_step_size", size, "positive", "write a step in seconds");
        return Err(error.at(place.map_or(String::new(), |place| format!("line {}", place.line))));
    }
    let gravity = world
        .and_then(|world| world.child("gravity"))
        .or(physics.and_then(|one| one.child("gravity")));
    let gravity = gravity.map_or(Ok(None), vector)?.unwrap_or([0.0, 0.0, -9.8]);
    let mut reader = Reader {
        engine,
        links: Links::default(),
        scoped: Vec::new(),
        missing: Vec::new(),
        models: 0,
    };
    const MAX_VEL: &str = "ode/constraints/contact_max_correcting_vel";
    reader.links.max_vel = physics.map_or(Ok(None), |physics| physics.number_at(MAX_VEL))?;
    for parent in world.into_iter().chain([root]) {
        for model in parent.all("model") {
            reader.model(model)?;
        }
        reader.missing.extend(parent.all("include").map(|one| one.place));
    }
    let Reader { links, missing, .. } = reader;
    let mut description = links.description(engine, (size, place), gravity, pairs)?;
    if let Some(&first) = missing.first() {
        let message = format!(
            "{} models are included by name and not read: their contacts are missing here",
            missing.len()
        );
        description.add_finding(
            first,
            "not-read",
            message,
            "check the files of these models, or a world that holds them",
        );
    }
    Ok(description)
}

/// Returns the engine that the file names.
fn named_engine(root: &Element, physics: Option<&Element>) -> Result<Engine> {
    fn drake(element: &Element) -> bool {
        element.name == "drake:proximity_properties" || element.children.iter().any(drake)
    }
    match physics.and_then(|one| one.value("type")) {
        Some("bullet") => Ok(Engine::Bullet),
        Some("dart" | "dartsim") => Ok(Engine::Dart),
        Some("simbody") => {
            let advice = "say what it would be with ode, bullet, dart or drake";
            Err(Error::unsupported("the physics engine simbody", advice).at(root.line()))
        }
        _ if drake(root) => Ok(Engine::Drake),
        _ => Ok(Engine::Ode),
    }
}

/// Returns three numbers from the text of an element.
fn vector(element: &Element) -> Result<Option<Vector>> {
    Ok(match numbers(&element.text, &element.name, element.place)?.as_slice() {
        &[x, y, z] => Some([x, y, z]),
        _ => None,
    })
}

struct Reader {
    engine: Engine,
    links: Links,
    /// Names of the links, prefixed by those of the enclosing models.
    scoped: Vec<String>,
    missing: Vec<Place>,
    models: usize,
}

impl Reader {
    fn model(&mut self, element: &Element) -> Result<()> {
        let name = element.value("name").unwrap_or_default().to_string();
        let pose = pose(element, &Vec::new())?;
        self.models += 1;
        let fixed = element.child("static").is_some_and(is_true);
        let collides = element.child("self_collide").is_some_and(is_true);
        self.content(element, &name, &pose, fixed, collides, self.models, 0)
    }

    #[allow(clippy::too_many_arguments)]
    fn content(
        &mut self,
        element: &Element,
        name: &str,
        around: &Pose,
        fixed: bool,
        collides: bool,
        model: usize,
        depth: usize,
    ) -> Result<()> {
        self.missing.extend(element.all("include").map(|one| one.place));
        let frames = frames(element)?;
        let first = self.links.links.len();
        for link in element.all("link") {
            self.link(link, name, &around.compose(&pose(link, &frames)?), fixed, collides, model)?;
        }
        for nested in element.all("model").filter(|_| depth < 20) {
            let inner = format!("{name}::{}", nested.value("name").unwrap_or_default());
            let placed = around.compose(&pose(nested, &frames)?);
            self.content(nested, &inner, &placed, fixed, collides, model, depth + 1)?;
        }
        for joint in element.all("joint") {
            self.joint(joint, (name, first), &frames)?;
        }
        Ok(())
    }

    fn link(
        &mut self,
        element: &Element,
        model_name: &str,
        pose_in_world: &Pose,
        fixed: bool,
        collides: bool,
        model: usize,
    ) -> Result<()> {
        let name = element.value("name").unwrap_or_default().to_string();
        let number_or = |path: &str, default: f64| -> Result<f64> {
            Ok(element.number_at(path)?.unwrap_or(default))
        };
        let inertia =
            |axis: &str, default: f64| number_or(&format!("inertial/inertia/{axis}"), default);
        let (xy, xz, yz) = (inertia("ixy", 0.0)?, inertia("ixz", 0.0)?, inertia("iyz", 0.0)?);
        let mut tensor: Matrix = [
            [inertia("ixx", 1.0)?, xy, xz],
            [xy, inertia("iyy", 1.0)?, yz],
            [xz, yz, inertia("izz", 1.0)?],
        ];
        let inertial = element.child("inertial");
        let mut inertial = inertial.map_or(Ok(Pose::default()), |one| pose(one, &Vec::new()))?;
        let mut mass = number_or("inertial/mass", 1.0)?;
        if let Some((found, centre, inertia)) = inertia_of_shapes(element)? {
            (mass, tensor) = (found, inertia);
            inertial = Pose { position: centre, ..Pose::default() };
        }
        let number = self.links.links.len();
        self.scoped.push(format!("{model_name}::{name}"));
        self.links.links.push(Link {
            name: name.clone(),
            pose: *pose_in_world,
            mass,
            inertial,
            inertia: tensor,
            model,
            fixed,
            self_collide: collides || element.child("self_collide").is_some_and(is_true),
            place: element.place,
        });
        for (k, collision) in element.all("collision").enumerate() {
            let (shape, turn) = shape(collision)?;
            let number_or =
                collision.value("name").map_or_else(|| format!("collision#{k}"), str::to_string);
            self.links.collisions.push(Collision {
                // Collisions of different links may have the same name.
                name: format!("{model_name}::{name}::{number_or}"),
                link: number,
                shape,
                pose: pose(collision, &Vec::new())?.compose(&turn),
                surface: surface(collision, self.engine)?,
                place: collision.place,
            });
        }
        Ok(())
    }

    /// Reads a joint of the model with this name; `first` is the index of the first link of the model.
    fn joint(
        &mut self,
        element: &Element,
        (model, first): (&str, usize),
        frames: &Frames,
    ) -> Result<()> {
        let known = self.links.links.iter().enumerate().skip(first);
        let find = |key: &str| {
            let name = element.child(key).map(|one| one.text.as_str()).unwrap_or_default();
            let whole = format!("{model}::{name}");
            let short = name.rsplit("::").next().unwrap_or(name);
            let scoped = self.scoped.iter().position(|known| *known == whole);
            scoped.or_else(|| known.clone().find(|(_, link)| link.name == short).map(|(i, _)| i))
        };
        let (parent, Some(child)) = (find("parent"), find("child")) else { return Ok(()) };
        let Some(link) = self.links.links.get(child) else { return Ok(()) };
        let frame = link.pose.compose(&pose(element, frames)?);
        let axis = |key: &str| -> Result<Option<Vector>> {
            let xyz = element.child(key).and_then(|axis| axis.child("xyz"));
            Ok(xyz.map_or(Ok(None), vector)?.map(|xyz| frame.direction(xyz)))
        };
        let first_axis = axis("axis")?.unwrap_or_else(|| frame.direction([0.0, 0.0, 1.0]));
        let motion = match element.value("type") {
            Some("revolute" | "continuous" | "screw" | "gearbox") => Motion::Turn(vec![first_axis]),
            Some("revolute2" | "universal") => {
                Motion::Turn([Some(first_axis), axis("axis2")?].into_iter().flatten().collect())
            }
            Some("prismatic") => Motion::Slide(vec![first_axis]),
            Some("ball") => Motion::Ball,
            _ => Motion::Fixed,
        };
        self.links.joints.push(Joint { parent, child, motion, anchor: frame.position });
        Ok(())
    }
}

/// Returns mass, centre of mass and inertia of a link with `<inertial auto="true">` (SDF 1.11), from its collisions
/// and their densities. `None` if the file does not request this, or if a shape is a mesh.
fn inertia_of_shapes(link: &Element) -> Result<Option<(f64, Vector, Matrix)>> {
    let Some(inertial) = link.child("inertial").filter(|one| one.value("auto") == Some("true"))
    else {
        return Ok(None);
    };
    let common = inertial.number_at("density")?.unwrap_or(1000.0);
    let mut body = Body::new(None, Pose::default());
    for collision in link.all("collision") {
        let density = collision.number_at("density")?.unwrap_or(common);
        let (shape, turn) = shape(collision)?;
        let placed = pose(collision, &Vec::new())?.compose(&turn);
        let mass = shape.volume().map(|volume| density * volume);
        let tensor = shape.inertia().map(|row| scale(row, mass.unwrap_or(0.0)));
        body.add_solid(mass, placed.position, rotate_tensor(&placed.rotation, &tensor));
    }
    Ok(body.mass.filter(|mass| *mass > 0.0).map(|mass| (mass, body.centre, body.inertia)))
}

fn is_true(element: &Element) -> bool {
    matches!(element.text.as_str(), "true" | "1")
}

/// Returns the named frames of a model, including links; frames that refer to later ones are resolved in a second
/// pass.
fn frames(model: &Element) -> Result<Frames> {
    let mut frames: Frames = Vec::new();
    for _ in 0..2 {
        for element in model.all("link").chain(model.all("frame")).chain(model.all("model")) {
            let name = element.value("name").unwrap_or_default().to_string();
            let found = pose(element, &frames)?;
            match frames.iter_mut().find(|(known, _)| *known == name) {
                Some(known) => known.1 = found,
                None => frames.push((name, found)),
            }
        }
    }
    Ok(frames)
}

/// Returns the pose of an element, relative to the frame that it names or to the enclosing one.
fn pose(element: &Element, frames: &Frames) -> Result<Pose> {
    let named = |name: Option<&str>| {
        let frame = frames.iter().find(|(known, _)| Some(known.as_str()) == name);
        frame.map(|one| one.1).unwrap_or_default()
    };
    let attached = element.value("attached_to");
    let Some(written) = element.child("pose") else { return Ok(named(attached)) };
    let unit =
        if written.value("degrees") == Some("true") { std::f64::consts::PI / 180.0 } else { 1.0 };
    let own = match numbers(&written.text, "pose", written.place)?.as_slice() {
        &[x, y, z, roll, pitch, yaw] => Pose {
            position: [x, y, z],
            rotation: roll_pitch_yaw([roll, pitch, yaw].map(|angle| angle * unit)),
        },
        [] => Pose::default(),
        list => {
            let found = format!("{} numbers", list.len());
            return Err(Error::invalid("pose", found, "six numbers", "write x y z roll pitch yaw")
                .at(written.line()));
        }
    };
    Ok(named(written.value("relative_to").or(attached)).compose(&own))
}

/// Returns the shape of a collision, and its rotation relative to the collision.
fn shape(collision: &Element) -> Result<(Shape, Pose)> {
    let number = |path: &str| collision.number_at(&format!("geometry/{path}"));
    if let Some(radius) = number("sphere/radius")? {
        return Ok((Shape::Sphere { radius }, Pose::default()));
    }
    for name in ["cylinder", "capsule"] {
        if let (Some(radius), Some(length)) =
            (number(&format!("{name}/radius"))?, number(&format!("{name}/length"))?)
        {
            let half = 0.5 * length;
            let shape = if name == "capsule" {
                Shape::Capsule { radius, half }
            } else {
                Shape::Cylinder { radius, half }
            };
            return Ok((shape, Pose::default()));
        }
    }
    if let Some(element) = collision.at("geometry/box/size")
        && let Some(size) = vector(element)?
    {
        return Ok((Shape::Box { half: size.map(|x| 0.5 * x) }, Pose::default()));
    }
    if let Some(element) = collision.at("geometry/ellipsoid/radii")
        && let Some(half) = vector(element)?
    {
        return Ok((Shape::Ellipsoid { half }, Pose::default()));
    }
    if let Some(plane) = collision.at("geometry/plane") {
        let normal = plane.child("normal").map_or(Ok(None), vector)?.unwrap_or([0.0, 0.0, 1.0]);
        return Ok((Shape::Plane, Pose { rotation: z_onto(normal), ..Pose::default() }));
    }
    Ok((Shape::Other, Pose::default()))
}

fn surface(collision: &Element, engine: Engine) -> Result<Surface> {
    let number = |path: &str| collision.number_at(&format!("surface/{path}"));
    let bounce = collision.at("surface/bounce");
    let mut surface = Surface {
        restitution: number("bounce/restitution_coefficient")?,
        threshold: number("bounce/threshold")?,
        kp: number("contact/ode/kp")?,
        kd: number("contact/ode/kd")?,
        max_vel: number("contact/ode/max_vel")?,
        min_depth: number("contact/ode/min_depth")?,
        collide: number("contact/collide_bitmask")?.map(|mask| mask as u32),
        place: bounce.or(collision.child("surface")).unwrap_or(collision).place,
        ..Surface::default()
    };
    if engine == Engine::Drake {
        let properties = collision.child("drake:proximity_properties");
        surface.stiffness = tag(properties, "drake:point_contact_stiffness")?;
        surface.dissipation = tag(properties, "drake:hunt_crossley_dissipation")?;
        surface.place = properties.unwrap_or(collision).place;
        surface.edits.extend(drake_write(collision, false));
    } else {
        surface.edits = bounce_writes(collision, engine == Engine::Ode);
    }
    Ok(surface)
}

/// Returns the places where the restitution is or would be written and, for ODE, those of the parameters that would
/// prevent it from being applied.
fn bounce_writes(collision: &Element, ode: bool) -> Vec<Edit> {
    let replace = |parameter: &'static str, element: &Element| {
        Edit::replace(parameter, element.place, &element.text_range)
    };
    let insert = |parameter: &'static str, parent: &Element, before: &str, after: &str| {
        Edit::insert(parameter, parent, before, after)
    };
    let threshold = if ode { "<threshold>0.01</threshold>" } else { "" };
    let limit = if ode { "<contact><ode><max_vel>100</max_vel></ode></contact>" } else { "" };
    let close = "</restitution_coefficient>";
    let (bounce_open, open) = ("<bounce><restitution_coefficient>", "<restitution_coefficient>");
    let Some(surface) = collision.child("surface") else {
        let after = format!("{close}{threshold}</bounce>{limit}</surface>");
        let before = format!("<surface>{bounce_open}");
        return insert("restitution_coefficient", collision, &before, &after).into_iter().collect();
    };
    let mut edits = Vec::new();
    match surface.child("bounce") {
        None => {
            let after = format!("{close}{threshold}</bounce>");
            edits.extend(insert("restitution_coefficient", surface, bounce_open, &after));
        }
        Some(bounce) => {
            match bounce.child("restitution_coefficient") {
                Some(there) => edits.push(replace("restitution_coefficient", there)),
                None => edits.extend(insert("restitution_coefficient", bounce, open, close)),
            }
            match bounce.child("threshold") {
                _ if !ode => {}
                Some(there) => edits.push(replace("threshold", there)),
                None => edits.extend(insert("threshold", bounce, "<threshold>", "</threshold>")),
            }
        }
    }
    if ode {
        let contact = surface.child("contact");
        match (contact, contact.and_then(|one| one.child("ode"))) {
            (_, Some(element)) => match element.child("max_vel") {
                Some(there) => edits.push(replace("max_vel", there)),
                None => edits.extend(insert("max_vel", element, "<max_vel>", "</max_vel>")),
            },
            (Some(contact), None) => {
                edits.extend(insert("max_vel", contact, "<ode><max_vel>", "</max_vel></ode>"))
            }
            (None, None) => {
                let (before, after) = ("<contact><ode><max_vel>", "</max_vel></ode></contact>");
                edits.extend(insert("max_vel", surface, before, after));
            }
        }
    }
    edits
}
