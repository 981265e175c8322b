//! Bodies and their shapes.
//!
//! Body coordinates have their origin at the centre of mass, whose position in the world is `position`. A free hull without a
//! given inertia is assumed to be homogeneous, and its points are shifted so that its centre of mass is the origin. Points of a
//! fixed hull, or of a hull with a given inertia, are used as they are written.

use super::reader::{Read, SceneTable};
use super::{Files, up};
use crate::World;
use crate::check::index_by_name;
use crate::math::{Mat3, Quat, Vec3};
use crate::note::Note;
use crate::shape::{ConvexPieces, MassProperties, Mesh, Placed, Shape};
use crate::world::Body;
use carom::Error;
use carom::pair::{Material, material};

/// A shape to which contacts can refer, and its material.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// `body` or `body/part`.
    pub name: String,
    pub body: usize,
    pub shape: usize,
    pub material: Option<Material>,
    /// Name of the material, if it has one.
    pub material_name: Option<String>,
    /// Name of the mesh of which it is a piece.
    pub piece_of: Option<String>,
}

/// A material, and its name if it has one.
type NamedMaterial = (Option<Material>, Option<String>);

impl Part {
    fn new(
        name: String,
        body: usize,
        shape: usize,
        (material, material_name): NamedMaterial,
    ) -> Self {
        Self { name, body, shape, material, material_name, piece_of: None }
    }

    /// Returns the material if its elasticity is known.
    pub fn elastic_material(&self) -> Option<Material> {
        self.material.filter(|material| material.is_rigid() || material.youngs > 0.0)
    }

    /// Creates a part for a shape to which contacts do not refer by name.
    pub fn of(world: &World, body: usize, shape: usize, material: Option<Material>) -> Self {
        Self::new(world.bodies()[body].name.clone(), body, shape, (material, None))
    }
}

/// All shapes to which contacts can refer.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts(pub Vec<Part>);

impl Parts {
    /// Finds the parts with a name: one, or all pieces of a mesh.
    pub fn find_all(&self, name: &str) -> carom::Result<Vec<&Part>> {
        let pieces = self.0.iter().filter(|part| part.piece_of.as_deref() == Some(name));
        let pieces: Vec<_> = pieces.collect();
        if pieces.is_empty() { self.find(name).map(|part| vec![part]) } else { Ok(pieces) }
    }

    /// Finds a part by name; the name of the body suffices if it has only one part.
    pub fn find(&self, name: &str) -> carom::Result<&Part> {
        if let Some(part) = self.0.iter().find(|part| part.name == name) {
            return Ok(part);
        }
        let inside = format!("{name}/");
        let of_body: Vec<_> = self.0.iter().filter(|part| part.name.starts_with(&inside)).collect();
        match of_body.as_slice() {
            [part] => Ok(part),
            [] => {
                let known = self.0.iter().map(|part| part.name.as_str());
                Err(Error::not_among("shape", name, known))
            }
            several => {
                let names: Vec<_> = several.iter().map(|part| part.name.as_str()).collect();
                let (found, allowed) =
                    (format!("`{name}`"), format!("one of {}", names.join(", ")));
                Err(Error::invalid("shape", found, allowed, "the body has several parts"))
            }
        }
    }
}

/// Finds a body by name.
pub(super) fn find_body(world: &World, name: &str) -> carom::Result<usize> {
    index_by_name("body", name, world.body_names())
}

/// Reads ground and bodies.
pub(super) fn read(root: &SceneTable, world: &mut World, files: Files) -> Read<Parts> {
    let mut parts = Parts::default();
    let material = match root.table("ground")? {
        Some(table) => {
            let material = (read_material(&table)?, table.text("material")?);
            table.finish()?;
            material
        }
        None => (None, None),
    };
    let level = Placed::on(0, Shape::HalfSpace).turned(Quat::between(Vec3::Z, up(world.planar)));
    let shape = root.check(world.add_shape(level))?;
    parts.0.push(Part::new("ground".into(), 0, shape, material));
    for table in root.tables("body")? {
        read_body(&table, world, &mut parts, files)?;
        table.finish()?;
    }
    Ok(parts)
}

fn read_body(table: &SceneTable, world: &mut World, parts: &mut Parts, files: Files) -> Read<()> {
    let name = table.required_text("name")?;
    if name.contains('/') || world.bodies().iter().any(|body| body.name == name) {
        let advice = "choose another, without `/`";
        return table.invalid("name", name, "new", advice);
    }
    let own = match table.has("shape") {
        true => Some(read_solid(table, files)?),
        false => None,
    };
    let material = read_material(table)?;
    let own_material = table.text("material")?;
    let inner = table.tables("part")?;
    let (mass, inertia, centre) = mass_properties(table, own.as_ref(), material.as_ref())?;
    let fixed = table.flag("fixed")?;
    let placed = Body {
        position: table.vector("position")?.unwrap_or_default(),
        rotation: read_rotation(table)?,
        velocity: table.vector("velocity")?.unwrap_or_default(),
        spin: table.vector("spin")?.unwrap_or_default(),
        ..Body::new(&name, mass.unwrap_or(f64::NAN), inertia.unwrap_or_default())
    };
    let mobility =
        match super::motions::read_body_motion(table, placed.position, world.planar, files)? {
            Some(_) if fixed => {
                let what = "fixed = true together with motion, path or turn";
                return table.unsupported("fixed", what, "leave one of them out");
            }
            Some(driven) => driven,
            None if fixed => crate::Mobility::Fixed,
            None => crate::Mobility::Free,
        };
    if mobility == crate::Mobility::Free {
        let advice = "give mass, density or a material (and inertia = [Ix, Iy, Iz] where the shape does not say it), or fixed = true";
        for (what, given) in [("mass", mass.is_some()), ("inertia", inertia.is_some())] {
            if !given {
                return table.missing(&format!("{what} of `{name}`"), advice);
            }
        }
    }
    refuse_idle_velocities(table, &placed, &mobility, world.planar)?;
    let moved = if mobility == crate::Mobility::Free { -centre } else { Vec3::ZERO };
    let body = table.check(world.add_body(Body { mobility, ..placed }))?;
    if let Some(solid) = own {
        let base = Part::new(name.clone(), body, 0, (material, own_material.clone()));
        let put = |shape: Shape| Placed::on(body, shape).at(moved);
        add_parts(table, world, parts, &base, solid, put)?;
    }
    for part in inner {
        let label = part.required_text("name")?;
        let position = part.vector("position")?.unwrap_or_default();
        let (solid, turned) = (read_solid(&part, files)?, read_rotation(&part)?);
        let put = |shape: Shape| Placed::on(body, shape).at(position).turned(turned);
        let material_name = part.text("material")?.or_else(|| own_material.clone());
        let material = (read_material(&part)?.or(material), material_name);
        part.finish()?;
        let base = Part::new(format!("{name}/{label}"), body, 0, material);
        add_parts(&part, world, parts, &base, solid, put)?;
    }
    Ok(())
}

/// Refuses initial velocities without effect: those of fixed and driven bodies, and components out of the plane of a planar
/// scene.
fn refuse_idle_velocities(
    table: &SceneTable,
    body: &Body,
    mobility: &crate::Mobility,
    planar: bool,
) -> Read<()> {
    let name = &body.name;
    for (key, given) in [("velocity", body.velocity), ("spin", body.spin)] {
        let out = match key {
            "velocity" => given.z != 0.0,
            _ => given.x != 0.0 || given.y != 0.0,
        };
        let (what, advice) = if *mobility != crate::Mobility::Free && given != Vec3::ZERO {
            let advice = "leave it out; motion = { direction = [1, 0, 0], rate = \"1 m/s\" } moves a body as told";
            (format!("{key} of `{name}`, which forces do not move,"), advice)
        } else if planar && out {
            let advice =
                "bodies move in x and y and turn about z: leave out the rest, or planar = true";
            (format!("{key} of `{name}` out of the plane of a planar scene"), advice)
        } else {
            continue;
        };
        return table.unsupported(key, what, advice);
    }
    Ok(())
}

/// Returns mass and inertia, given or computed from the shape, and the centre of mass of the shape.
fn mass_properties(
    table: &SceneTable,
    shape: Option<&SolidShape>,
    material: Option<&Material>,
) -> Read<(Option<f64>, Option<Mat3>, Vec3)> {
    let given = table.quantity("mass")?;
    let given_inertia = read_inertia(table)?;
    let density = material.map(|m| m.density).filter(|d| *d > 0.0 && d.is_finite());
    // The inertia is that of a homogeneous body of this shape, scaled to the mass.
    let solid = shape.and_then(|shape| shape.solid(density.unwrap_or(1.0)));
    let mass = given.or(density.and(solid).map(|s| s.mass));
    let inertia = match (given_inertia, solid, mass) {
        (Some(inertia), _, _) => Some(inertia),
        (None, Some(solid), Some(mass)) => {
            let by = mass / solid.mass;
            Some(Mat3(solid.inertia.0.map(|row| row * by)))
        }
        _ => None,
    };
    let centre = match (given_inertia, solid) {
        (None, Some(solid)) => solid.centre,
        _ => Vec3::ZERO,
    };
    Ok((mass, inertia, centre))
}

/// Reads the given inertia: principal moments, or the six components of the matrix.
fn read_inertia(table: &SceneTable) -> Read<Option<Mat3>> {
    match table.list("inertia")?.as_deref() {
        None => Ok(None),
        Some(&[x, y, z]) => Ok(Some(Mat3::diagonal(Vec3::new(x, y, z)))),
        Some(&[xx, yy, zz, xy, xz, yz]) => {
            Ok(Some(Mat3([Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz)])))
        }
        Some(other) => {
            let (found, allowed) = (format!("{} numbers", other.len()), "three numbers, or six");
            let advice = "give Ix, Iy, Iz, or Ixx, Iyy, Izz, Ixy, Ixz, Iyz";
            table.invalid("inertia", found, allowed, advice)
        }
    }
}

/// Reads a material by name or by its constants. With a density alone, the body has a mass but no elasticity.
pub(crate) fn read_material(table: &SceneTable) -> Read<Option<Material>> {
    let name = table.text("material")?;
    let youngs = table.quantity("youngs")?;
    let poisson = table.quantity("poisson")?;
    let density = table.quantity("density")?;
    match (name, youngs, poisson, density) {
        (Some(name), None, None, None) => Ok(Some(*table.check_at("material", material(&name))?)),
        (Some(_), ..) => {
            let what = "a material together with constants of its own";
            let advice = "name the material, or give youngs, poisson and density";
            table.unsupported("material", what, advice)
        }
        (None, Some(youngs), Some(poisson), density) => {
            let material = table.check(Material::of(youngs, poisson, density.unwrap_or(1.0)))?;
            Ok(Some(Material { density: density.unwrap_or(f64::NAN), ..material }))
        }
        (None, None, None, Some(density)) => Ok(Some(Material { density, ..Material::RIGID })),
        (None, None, None, None) => Ok(None),
        _ => table.missing("youngs or poisson", "give both, or name a material"),
    }
}

fn read_rotation(table: &SceneTable) -> Read<Quat> {
    let Some(turn) = table.table("rotation")? else { return Ok(Quat::IDENTITY) };
    let axis = turn.direction("axis")?.unwrap_or(Vec3::Z);
    let angle = turn.required_quantity("angle")?;
    turn.finish()?;
    Ok(Quat::about(axis, angle))
}

/// Geometry of a body: one shape, or a mesh with its convex pieces.
enum SolidShape {
    One(Shape),
    Mesh(Mesh, ConvexPieces),
}

impl SolidShape {
    /// Computes the mass properties at a density; none for shapes without a volume.
    fn solid(&self, density: f64) -> Option<MassProperties> {
        match self {
            Self::One(shape) => shape.solid(density).ok(),
            Self::Mesh(mesh, _) => Some(mesh.solid(density)),
        }
    }
}

fn read_solid(table: &SceneTable, files: Files) -> Read<SolidShape> {
    if table.choice("shape", "shape")? != Some("mesh") {
        return read_shape(table).map(SolidShape::One);
    }
    let advice = "name an STL or OBJ file beside the scene";
    let name = table.or_missing("file", table.text("file")?, advice)?;
    let text = super::motions::read_file(table, files, &name, "name a file beside the scene")?;
    let mesh = table.check_at("file", Mesh::parse(&text, table.required_quantity("unit")?))?;
    let pieces = mesh.convex_pieces(table.required_quantity("pieces")? as usize);
    let pieces = table.check_at("file", pieces)?;
    Ok(SolidShape::Mesh(mesh, pieces))
}

/// Attaches the shapes of a solid to its body.
fn add_parts(
    table: &SceneTable,
    world: &mut World,
    parts: &mut Parts,
    base: &Part,
    solid: SolidShape,
    put: impl Fn(Shape) -> Placed,
) -> Read<()> {
    let shapes = match solid {
        SolidShape::One(shape) => vec![shape],
        SolidShape::Mesh(_, ConvexPieces { hulls, volume_error }) => {
            if volume_error.abs() > 1e-6 {
                let (name, pieces) = (base.name.clone(), hulls.len());
                world.notes.push(Note::Mesh { body: base.body, name, pieces, volume_error });
            }
            hulls.into_iter().map(|points| Shape::Hull { points }).collect()
        }
    };
    let several = shapes.len() > 1;
    for (index, shape) in shapes.into_iter().enumerate() {
        let shape = table.check(world.add_shape(put(shape)))?;
        let (name, piece_of) = match several {
            true => (format!("{}/{}", base.name, index + 1), Some(base.name.clone())),
            false => (base.name.clone(), None),
        };
        parts.0.push(Part { name, shape, piece_of, ..base.clone() });
    }
    Ok(())
}

fn read_shape(table: &SceneTable) -> Read<Shape> {
    let name = table.required_choice("shape", "shape")?;
    let radius = |table: &SceneTable| table.required_quantity("radius");
    let half = |table: &SceneTable| table.required_quantity("length").map(|length| 0.5 * length);
    let vector =
        |key: &'static str, advice: &str| table.or_missing(key, table.vector(key)?, advice);
    let shape = match name {
        "sphere" => Shape::Sphere { radius: radius(table)? },
        "half-space" => Shape::HalfSpace,
        "box" => Shape::Box { half: vector("size", "give its three edges")? * 0.5 },
        "capsule" => Shape::Capsule { radius: radius(table)?, half: half(table)? },
        "cylinder" => Shape::Cylinder { radius: radius(table)?, half: half(table)? },
        "ellipsoid" => Shape::Ellipsoid { semi: vector("semi_axes", "give its three semi-axes")? },
        "socket" => Shape::Socket { radius: radius(table)? },
        "bore" => Shape::Bore { radius: radius(table)?, half: half(table)? },
        "hull" => {
            let advice = "give its corners, points = [[x, y, z], ...]";
            let points = table.or_missing("points", table.points("points")?, advice)?;
            return table.check_at("points", Shape::hull(&points));
        }
        other => {
            let what = format!("the shape `{other}` in a scene");
            return table.unsupported("shape", what, "use another shape");
        }
    };
    table.check(shape.checked())
}
