//! URDF, with the contact tags of Drake (`drake:proximity_properties`), Gazebo (`<gazebo reference>`: kp, kd, …) and
//! PyBullet (`<contact>` in a link).

use super::description::{Description, Edit, check_count};
use super::engine::Engine;
use super::links::{Collision, Joint, Link, Links, Motion};
use super::pose::{Matrix, Pose, roll_pitch_yaw};
use super::solid::Shape;
use super::surfaces::Surface;
use super::xml::{Element, Source};
use crate::error::{Error, Result};
use std::collections::HashMap;

/// Reads a robot for the given engine, or for the one whose tags the file contains.
pub fn read(
    source: &Source,
    engine: Option<Engine>,
    step: Option<f64>,
    pairs: &[[String; 2]],
) -> Result<Description> {
    let root = &source.root;
    if any_element(root, &|one| one.name.starts_with("xacro:")) {
        let advice = "expand it first: `xacro robot.urdf.xacro > robot.urdf`";
        return Err(Error::unsupported("a file with xacro macros", advice));
    }
    let tagged = engine_of_tags(root);
    let engine = match engine.or(tagged).unwrap_or(Engine::Bullet) {
        Engine::Mujoco => {
            let advice = "compile it with MuJoCo and check what mj_saveLastXML writes";
            return Err(Error::unsupported("URDF with the engine mujoco", advice));
        }
        engine => engine,
    };
    let step = step.unwrap_or(if engine == Engine::Bullet { 1.0 / 240.0 } else { 0.001 });
    let links = links(root, engine)?;
    let gravity = if engine == Engine::Ode { [0.0, 0.0, -9.8] } else { [0.0, 0.0, -9.81] };
    let mut description = links.description(engine, (step, None), gravity, pairs)?;
    if tagged.is_none() {
        let message =
            format!("no contact tags of any engine: the defaults of {} count", engine.id());
        description.add_finding(
            root.place,
            "no-contact-tags",
            message,
            "say which engine loads the file, and give it contact tags",
        );
    }
    Ok(description)
}

fn any_element(element: &Element, test: &dyn Fn(&Element) -> bool) -> bool {
    test(element) || element.children.iter().any(|child| any_element(child, test))
}

/// Returns the engine whose tags the file contains.
fn engine_of_tags(root: &Element) -> Option<Engine> {
    if any_element(root, &|one| one.name == "drake:proximity_properties") {
        return Some(Engine::Drake);
    }
    if root.all("link").any(|link| link.child("contact").is_some()) {
        return Some(Engine::Bullet);
    }
    root.child("gazebo").map(|_| Engine::Ode)
}

/// Returns the pose of an element `origin`.
fn origin(element: &Element) -> Result<Pose> {
    let Some(origin) = element.child("origin") else { return Ok(Pose::default()) };
    let position = origin.vector("xyz")?.unwrap_or_default();
    Ok(Pose { position, rotation: roll_pitch_yaw(origin.vector("rpy")?.unwrap_or_default()) })
}

fn links(root: &Element, engine: Engine) -> Result<Links> {
    let elements: Vec<&Element> = root.all("link").collect();
    check_count(elements.len().max(root.all("joint").count()), "links or joints")?;
    let names: HashMap<&str, usize> = elements
        .iter()
        .enumerate()
        .map(|(i, link)| (link.value("name").unwrap_or_default(), i))
        .collect();
    let mut joints: Vec<(usize, usize, &Element)> = Vec::new();
    for joint in root.all("joint") {
        let end = |key: &str| {
            let name = joint.child(key).and_then(|one| one.value("link")).unwrap_or_default();
            let known = names.keys().copied();
            let found = names.get(name).copied();
            found.ok_or_else(|| {
                Error::unknown("link", name, known, "name a link of the robot").at(joint.line())
            })
        };
        joints.push((end("parent")?, end("child")?, joint));
    }
    // Poses are computed from the roots outwards, with as many passes as there are links, which completes all chains.
    let mut poses: Vec<Option<Pose>> = (0..elements.len())
        .map(|i| (!joints.iter().any(|&(_, child, _)| child == i)).then(Pose::default))
        .collect();
    for _ in 0..elements.len() {
        for &(parent, child, joint) in &joints {
            let around = poses.get(parent).copied().flatten();
            if let (Some(around), Some(pose @ None)) = (around, poses.get_mut(child)) {
                *pose = Some(around.compose(&origin(joint)?));
            }
        }
    }
    let mut links = Links::default();
    for (i, element) in elements.iter().enumerate() {
        let name = element.value("name").unwrap_or_default().to_string();
        let (mass, inertial, inertia) = inertial(element)?;
        let pose = poses.get(i).copied().flatten().unwrap_or_default();
        let fixed = name == "world";
        let place = element.place;
        links.links.push(Link {
            name: name.clone(),
            pose,
            mass,
            inertial,
            inertia,
            model: 0,
            fixed,
            self_collide: false,
            place,
        });
        for (k, collision) in element.all("collision").enumerate() {
            let own = collision.value("name").map(str::to_string);
            links.collisions.push(Collision {
                name: own
                    .unwrap_or_else(|| if k == 0 { name.clone() } else { format!("{name}#{k}") }),
                link: i,
                shape: shape(collision)?,
                pose: origin(collision)?,
                surface: surface(root, element, collision, &name, engine)?,
                place: collision.place,
            });
        }
    }
    for (parent, child, joint) in joints {
        let pose = links.links.get(child).map(|link| link.pose).unwrap_or_default();
        let axis = joint.child("axis").map_or(Ok(None), |axis| axis.vector("xyz"))?;
        let axis = pose.direction(axis.unwrap_or([1.0, 0.0, 0.0]));
        let motion = match joint.value("type") {
            Some("revolute" | "continuous") => Motion::Turn(vec![axis]),
            Some("prismatic") => Motion::Slide(vec![axis]),
            Some("floating") => Motion::Free,
            Some("ball") => Motion::Ball,
            _ => Motion::Fixed,
        };
        links.joints.push(Joint { parent: Some(parent), child, motion, anchor: pose.position });
    }
    Ok(links)
}

fn inertial(link: &Element) -> Result<(f64, Pose, Matrix)> {
    let Some(element) = link.child("inertial") else {
        return Ok((0.0, Pose::default(), [[0.0; 3]; 3]));
    };
    let number = |child: &str, name: &str| -> Result<f64> {
        Ok(element.child(child).map_or(Ok(None), |one| one.number(name))?.unwrap_or(0.0))
    };
    let mass = number("mass", "value")?;
    let entry = |name: &str| number("inertia", name);
    let (xy, xz, yz) = (entry("ixy")?, entry("ixz")?, entry("iyz")?);
    let tensor = [[entry("ixx")?, xy, xz], [xy, entry("iyy")?, yz], [xz, yz, entry("izz")?]];
    Ok((mass, origin(element)?, tensor))
}

fn shape(collision: &Element) -> Result<Shape> {
    let Some(geometry) = collision.child("geometry") else { return Ok(Shape::Other) };
    if let Some(one) = geometry.child("sphere") {
        return Ok(one.number("radius")?.map_or(Shape::Other, |radius| Shape::Sphere { radius }));
    }
    if let Some(one) = geometry.child("box") {
        return Ok(one
            .vector("size")?
            .map_or(Shape::Other, |size| Shape::Box { half: size.map(|x| 0.5 * x) }));
    }
    if geometry.child("plane").is_some() {
        return Ok(Shape::Plane);
    }
    for name in ["cylinder", "capsule"] {
        if let Some(one) = geometry.child(name)
            && let (Some(radius), Some(length)) = (one.number("radius")?, one.number("length")?)
        {
            let half = 0.5 * length;
            return Ok(if name == "capsule" {
                Shape::Capsule { radius, half }
            } else {
                Shape::Cylinder { radius, half }
            });
        }
    }
    Ok(Shape::Other)
}

/// Returns a number of a contact tag, given as attribute `value` or as text.
pub fn tag(parent: Option<&Element>, name: &str) -> Result<Option<f64>> {
    let Some(element) = parent.and_then(|parent| parent.child(name)) else { return Ok(None) };
    match element.attribute("value") {
        Some(_) => element.number("value"),
        None => parent.map_or(Ok(None), |parent| parent.number_at(name)),
    }
}

/// Returns the place where the dissipation of a geometry is or would be written for Drake.
pub fn drake_write(collision: &Element, attribute: bool) -> Option<Edit> {
    const NAME: &str = "drake:hunt_crossley_dissipation";
    let properties = collision.child("drake:proximity_properties");
    if let Some(there) = properties.and_then(|one| one.child(NAME)) {
        let value = there.attribute("value");
        let range = value.map_or(&there.text_range, |value| &value.range);
        return Some(Edit::replace(NAME, there.place, range));
    }
    let (open, close) = match attribute {
        true => (format!("<{NAME} value=\""), "\"/>".to_string()),
        false => (format!("<{NAME}>"), format!("</{NAME}>")),
    };
    match properties {
        Some(properties) => Edit::insert(NAME, properties, open, close),
        None => {
            let before = format!("<drake:proximity_properties>{open}");
            Edit::insert(NAME, collision, before, format!("{close}</drake:proximity_properties>"))
        }
    }
}

fn surface(
    root: &Element,
    link: &Element,
    collision: &Element,
    name: &str,
    engine: Engine,
) -> Result<Surface> {
    let mut surface = Surface { place: collision.place, ..Surface::default() };
    let place = |element: Option<&Element>, surface: &mut Surface| {
        if let Some(element) = element {
            surface.place = element.place;
        }
    };
    match engine {
        Engine::Drake => {
            let properties = collision.child("drake:proximity_properties");
            place(properties, &mut surface);
            surface.stiffness = tag(properties, "drake:point_contact_stiffness")?;
            surface.dissipation = tag(properties, "drake:hunt_crossley_dissipation")?;
            surface.edits.extend(drake_write(collision, true));
        }
        Engine::Bullet => {
            let contact = link.child("contact");
            place(contact, &mut surface);
            surface.restitution = tag(contact, "restitution")?;
            let (stiffness, damping) = (tag(contact, "stiffness")?, tag(contact, "damping")?);
            surface.spring = stiffness.map(|stiffness| (stiffness, damping.unwrap_or(0.1)));
            surface.edits.extend(bullet_write(link));
        }
        _ => {
            let of_link = |one: &&Element| one.value("reference") == Some(name);
            for gazebo in root.all("gazebo").filter(of_link) {
                for (key, slot) in [
                    ("kp", &mut surface.kp),
                    ("kd", &mut surface.kd),
                    ("maxVel", &mut surface.max_vel),
                    ("minDepth", &mut surface.min_depth),
                ] {
                    if let Some(found) = tag(Some(gazebo), key)? {
                        *slot = Some(found);
                    }
                }
                surface.place = gazebo.place;
            }
        }
    }
    Ok(surface)
}

/// Returns the place where the restitution of a link is or would be written for PyBullet.
fn bullet_write(link: &Element) -> Option<Edit> {
    let contact = link.child("contact");
    let value =
        contact.and_then(|one| one.child("restitution")).and_then(|one| one.attribute("value"));
    if let Some(value) = value {
        return Some(Edit::replace("restitution", value.place, &value.range));
    }
    let (parent, before, after) = match contact {
        Some(contact) => (contact, "<restitution value=\"", "\"/>"),
        None => (link, "<contact><restitution value=\"", "\"/></contact>"),
    };
    Edit::insert("restitution", parent, before, after)
}
