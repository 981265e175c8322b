//! MJCF, the format of MuJoCo: bodies, geometries and options.
//!
//! Included files, default classes, frames, joints, inertias and geometries at the reference pose are read here;
//! `mjcf/pairs.rs` determines the parameters of contacts. Inertias of geometries follow from their shape and density
//! if the file does not define them. Elements that generate bodies (`composite`, `flexcomp`, `replicate`, `attach`)
//! are not read, and a finding states this.

mod attributes;
mod geometry;
mod options;
pub mod pairs;
mod sliders;

use super::bodies::{Bodies, Body, Freedom};
use super::description::{Description, Geometry, check_count};
use super::engine::Engine;
use super::pose::{Matrix, Pose, direction, rotate_tensor, scale};
use super::xml::{Element, Place, Source};
use crate::error::{Error, Result};
use attributes::{Angles, Classes};
use geometry::{Surface, shape, surface};
use options::{Options, options};
use sliders::Slider;

/// Bodies and geometries during reading.
struct Reader<'a> {
    classes: Classes<'a>,
    angles: Angles,
    from_geometry: MassFromGeometry,
    bodies: Vec<Body>,
    names: Vec<String>,
    sliders: Vec<Slider>,
    /// Joints with their own force (springs, damping or friction), by body.
    braked: Vec<(Place, usize)>,
    geometries: Vec<Geometry>,
    surfaces: Vec<Surface>,
    default_density: Vec<Place>,
    unknown_mass: Vec<Place>,
    not_read: Vec<(Place, String)>,
}

/// Context of an element.
#[derive(Clone, Copy, Default)]
struct Scope<'a> {
    /// Index of the body to which it belongs.
    body: usize,
    /// Frame in which it is defined, relative to the body.
    frame: Pose,
    /// Class of defaults for elements that name none.
    class: Option<&'a str>,
}

#[derive(Clone, Copy, PartialEq)]
enum MassFromGeometry {
    Always,
    Never,
    WhereNotGiven,
}

/// A model that has been read: bodies, geometries with their contact parameters, and options.
pub struct Model {
    pub description: Description,
    pub surfaces: Vec<Surface>,
    pub options: Options,
    pub body_names: Vec<String>,
    /// Joints with their own force (springs, damping or friction), by body.
    braked: Vec<(Place, usize)>,
}

/// Reads a model without its pairs.
pub fn read(source: &Source) -> Result<Model> {
    let root = &source.root;
    let compiler =
        |name: &str| root.all("compiler").filter_map(|element| element.value(name)).last();
    let angles = Angles {
        unit: if compiler("angle") == Some("radian") { 1.0 } else { std::f64::consts::PI / 180.0 },
        sequence: compiler("eulerseq").unwrap_or("xyz").to_string(),
    };
    let options = options(root)?;
    let from_geometry = match compiler("inertiafromgeom") {
        Some("true") => MassFromGeometry::Always,
        Some("false") => MassFromGeometry::Never,
        _ => MassFromGeometry::WhereNotGiven,
    };
    let mut reader = Reader {
        classes: Classes::new(root),
        angles,
        from_geometry,
        bodies: vec![Body::new(None, Pose::default())],
        names: vec!["world".into()],
        sliders: vec![Slider::default()],
        braked: Vec::new(),
        geometries: Vec::new(),
        surfaces: Vec::new(),
        default_density: Vec::new(),
        unknown_mass: Vec::new(),
        not_read: Vec::new(),
    };
    for world in root.all("worldbody") {
        let scope = Scope { class: world.value("childclass"), ..Scope::default() };
        reader.read_solids(world, scope)?;
        reader.inner_bodies(world, scope)?;
    }
    for element in &root.children {
        if matches!(element.name.as_str(), "deformable" | "extension") {
            reader.not_read.push((element.place, element.name.clone()));
        }
    }
    let number = |name: &str| match compiler(name).map(str::parse::<f64>) {
        Some(Ok(value)) => Some(value),
        _ => None,
    };
    reader.apply_mass_bounds(number("boundmass"), number("boundinertia"), number("settotalmass"));
    sliders::find(&mut reader.bodies, &reader.sliders);
    let Reader {
        bodies,
        names,
        geometries,
        surfaces,
        braked,
        default_density,
        unknown_mass,
        not_read,
        ..
    } = reader;
    check_count(bodies.len(), "bodies")?;
    check_count(geometries.len(), "geometries")?;
    let mut description = Description {
        engine: Engine::Mujoco,
        step: options.step,
        step_place: options.step_place,
        gravity: options.gravity,
        bodies: Bodies::new(bodies, options.gravity),
        geometries,
        touches: Vec::new(),
        findings: Vec::new(),
    };
    for (place, name) in not_read {
        let message =
            format!("<{name}> is not read: geometries and bodies that it makes are missing here");
        description.add_finding(
            place,
            "not-read",
            message,
            "save the compiled model with MuJoCo (mj_saveLastXML) and check that file",
        );
    }
    if let Some(&place) = default_density.first() {
        let count = default_density.len();
        let message = format!(
            "{count} moving {} the mass of {} geometries at the default density of 1000 kg/m³: neither inertial, mass nor \
             density is given",
            if count == 1 { "body has" } else { "bodies have" },
            if count == 1 { "its" } else { "their" },
        );
        description.add_finding(
            place,
            "default-mass",
            message,
            "give the bodies an <inertial>, or their geometries a mass or density",
        );
    }
    if let Some(&place) = unknown_mass.first() {
        let message = "a moving body gets its mass from a mesh, which is not read: forces of its contacts are not known";
        let advice =
            message!["give it an <inertial>, or ", crate::message::Action::give_as("mass", "M")];
        description.add_finding(place, "unknown-mass", message, advice);
    }
    Ok(Model { description, surfaces, options, body_names: names, braked })
}

impl<'a> Reader<'a> {
    /// Reads the geometries and joints of a body, including those in frames.
    fn read_solids(&mut self, element: &'a Element, scope: Scope<'a>) -> Result<()> {
        for child in &element.children {
            match child.name.as_str() {
                "geom" => self.geometry(child, scope)?,
                "joint" | "freejoint" => self.joint(child, scope)?,
                "frame" => self.read_solids(child, self.frame(child, scope)?)?,
                "composite" | "flexcomp" | "replicate" | "attach" => {
                    self.not_read.push((child.place, child.name.clone()))
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn inner_bodies(&mut self, element: &'a Element, scope: Scope<'a>) -> Result<()> {
        for child in &element.children {
            match child.name.as_str() {
                "body" => self.body(child, scope)?,
                "frame" => self.inner_bodies(child, self.frame(child, scope)?)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the context of the elements in an element `frame`.
    fn frame(&self, element: &'a Element, scope: Scope<'a>) -> Result<Scope<'a>> {
        let pose = self.angles.pose(&self.classes.of(element, None)?)?;
        let class = element.value("childclass").or(scope.class);
        Ok(Scope { frame: scope.frame.compose(&pose), class, ..scope })
    }

    /// Returns the pose in the world of an element with the pose `within` its frame.
    fn in_world(&self, scope: Scope, within: &Pose) -> Pose {
        let around = self.bodies.get(scope.body).map(|body| body.pose).unwrap_or_default();
        around.compose(&scope.frame.compose(within))
    }

    fn body(&mut self, element: &'a Element, scope: Scope<'a>) -> Result<()> {
        let attributes = self.classes.of(element, None)?;
        let pose = self.in_world(scope, &self.angles.pose(&attributes)?);
        let number = self.bodies.len();
        let class = element.value("childclass").or(scope.class);
        let inner = Scope { body: number, class, ..Scope::default() };
        let mut body = Body::new(Some(scope.body), pose);
        body.gravity = 1.0 - attributes.number("gravcomp", 0.0)?;
        self.bodies.push(body);
        self.sliders.push(Slider::default());
        self.names
            .push(element.value("name").map_or_else(|| format!("body#{number}"), str::to_string));
        let first = self.geometries.len();
        self.read_solids(element, inner)?;
        if element.value("mocap") == Some("true")
            && let Some(body) = self.bodies.get_mut(number)
        {
            body.freedoms.clear();
        }
        if let Some(inertial) = element.child("inertial")
            && self.from_geometry != MassFromGeometry::Always
        {
            self.inertial(inertial, number, &pose)?;
        } else if self.from_geometry == MassFromGeometry::Never
            && let Some(body) = self.bodies.get_mut(number)
        {
            (body.mass, body.inertia) = (Some(0.0), [[0.0; 3]; 3]);
        } else {
            self.note_mass(element, number, first, class);
        }
        self.inner_bodies(element, inner)
    }

    /// Adds a finding if a mass follows from a default density or from a mesh.
    fn note_mass(
        &mut self,
        element: &'a Element,
        number: usize,
        first: usize,
        class: Option<&str>,
    ) {
        let Some(body) = self.bodies.get(number).filter(|body| !body.freedoms.is_empty()) else {
            return;
        };
        if body.mass.is_none() {
            self.unknown_mass.push(element.place);
        }
        let own: Vec<&Element> = element.all("geom").collect();
        let given = |geom: &&Element| match self.classes.of(geom, class) {
            Ok(attributes) => {
                attributes.value("mass").is_some() || attributes.value("density").is_some()
            }
            Err(_) => true,
        };
        if self.geometries.len() > first && !own.is_empty() && !own.iter().any(given) {
            self.default_density.push(element.place);
        }
    }

    fn inertial(&mut self, element: &'a Element, number: usize, pose: &Pose) -> Result<()> {
        let attributes = self.classes.of(element, None)?;
        let own = self.angles.pose(&attributes)?;
        let placed = pose.compose(&own);
        if let Some(slider) = self.sliders.get_mut(number) {
            slider.given_frame(&own, attributes.attribute("fullinertia").is_some());
        }
        let tensor: Matrix = match attributes.numbers("fullinertia")?.as_deref() {
            Some(&[xx, yy, zz, xy, xz, yz]) => [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
            _ => {
                let [x, y, z] = attributes.fill("diaginertia", [0.0; 3])?;
                [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]
            }
        };
        if let Some(body) = self.bodies.get_mut(number) {
            body.mass = Some(attributes.number("mass", 0.0)?);
            body.centre = placed.position;
            body.inertia = rotate_tensor(&placed.rotation, &tensor);
        }
        Ok(())
    }

    fn joint(&mut self, element: &'a Element, scope: Scope<'a>) -> Result<()> {
        let Scope { body, frame, class } = scope;
        let attributes = self.classes.of(element, class)?;
        let kind = if element.name == "freejoint" {
            "free"
        } else {
            attributes.value("type").unwrap_or("hinge")
        };
        let (axis, position) =
            (attributes.fill("axis", [0.0, 0.0, 1.0])?, attributes.fill("pos", [0.0; 3])?);
        let armature = attributes.number("armature", 0.0)?;
        for name in ["damping", "frictionloss", "stiffness"] {
            if attributes.number(name, 0.0)? != 0.0 && kind != "free" {
                self.braked.push((element.place, body));
            }
        }
        if let Some(slider) = self.sliders.get_mut(body) {
            slider.joint(kind, frame.direction(axis), frame.point(position));
        }
        let Some(body) = self.bodies.get_mut(body) else { return Ok(()) };
        let pose = body.pose.compose(&frame);
        let (axis, anchor) =
            (direction(pose.direction(axis)).unwrap_or([0.0, 0.0, 1.0]), pose.point(position));
        let before = body.freedoms.len();
        match kind {
            "free" => body.set_free(),
            "ball" => body.turn_freely(anchor),
            "slide" => body.freedoms.push((Freedom::Slide(axis), 0.0)),
            "hinge" => body.freedoms.push((Freedom::Turn { axis, anchor }, 0.0)),
            other => {
                let allowed = "free, ball, slide or hinge";
                return Err(
                    Error::invalid("type", other, allowed, "write one of them").at(element.line())
                );
            }
        }
        body.freedoms.iter_mut().skip(before).for_each(|(_, inertia)| *inertia = armature);
        Ok(())
    }

    fn geometry(&mut self, element: &'a Element, scope: Scope<'a>) -> Result<()> {
        let Scope { body, frame, class } = scope;
        let attributes = self.classes.of(element, class)?;
        let (shape, within) = shape(&attributes, &self.angles)?;
        let pose = self.in_world(scope, &within);
        let mass = match attributes.numbers("mass")? {
            Some(list) => list.first().copied(),
            None => shape
                .volume()
                .map(|volume| volume * attributes.number("density", 1000.0).unwrap_or(1000.0)),
        };
        let tensor = shape.inertia().map(|row| scale(row, mass.unwrap_or(0.0)));
        if let Some(slider) = self.sliders.get_mut(body).filter(|_| mass != Some(0.0)) {
            slider.solid(&frame.compose(&within));
        }
        if let Some(body) = self.bodies.get_mut(body) {
            body.add_solid(mass, pose.position, rotate_tensor(&pose.rotation, &tensor));
        }
        let number = self.geometries.len();
        let name = element.value("name").map_or_else(|| format!("geom#{number}"), str::to_string);
        self.surfaces.push(surface(&attributes)?);
        self.geometries.push(Geometry { name, body, shape, pose, place: element.place });
        Ok(())
    }

    /// Applies the smallest mass and inertia, and the total mass, that the element `compiler` specifies.
    fn apply_mass_bounds(&mut self, mass: Option<f64>, inertia: Option<f64>, total: Option<f64>) {
        let sum: Option<f64> = self.bodies.iter().map(|body| body.mass).sum();
        let factor = match (total, sum) {
            (Some(total), Some(sum)) if total > 0.0 && sum > 0.0 => total / sum,
            _ => 1.0,
        };
        for body in self.bodies.iter_mut().skip(1) {
            let least = mass.unwrap_or(0.0);
            body.mass = body.mass.map(|own| own.max(least) * factor);
            for (i, row) in body.inertia.iter_mut().enumerate() {
                for (j, entry) in row.iter_mut().enumerate() {
                    let least = if i == j { inertia.unwrap_or(0.0) } else { f64::NEG_INFINITY };
                    *entry = entry.max(least) * factor;
                }
            }
        }
    }
}
