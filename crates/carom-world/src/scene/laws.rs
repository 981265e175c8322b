//! Contacts: the shapes that may touch, their law (read by the library's `Spec`), friction and rolling resistance.

use super::Files;
use super::bodies::{Part, Parts};
use super::reader::{Read, SceneTable};
use crate::World;
use crate::friction::{
    DEFAULT_STIFFNESS_RATIO, Dashpot, Friction, Regularisation, RollingResistance,
    TangentialStiffness, default_damping_ratio, mindlin_ratio,
};
use crate::law_source::{HertzianModel, LawSource};
use crate::math::Vec3;
use crate::nonsmooth;
use crate::shape::Shape;
use crate::world::{Contact, ContactMethod};
use carom::pair::{Body as Solid, Material, Pair, Shape as Solids, effective_mass, stiffness};
use carom::spec::Spec;
use carom::units::Dimension;
use carom::{Error, Result, own_law};

/// Reads the contacts.
pub(super) fn read(root: &SceneTable, world: &mut World, parts: &Parts, files: Files) -> Read<()> {
    for table in root.tables("contact")? {
        let (one, two) = table.pair("between")?;
        let find = |name: &str| table.check_at("between", parts.find_all(name));
        let (firsts, seconds) = (find(&one)?, find(&two)?);
        let given = table.text("name")?;
        // Each piece of a mesh has a contact of its own; all of them have the same name.
        let pieces = firsts.len() > 1 || seconds.len() > 1;
        for (a, b) in firsts.iter().flat_map(|a| seconds.iter().map(move |b| (a, b))) {
            table.check(refuse_second_contact(world, a, b))?;
            let contact = contact(&table, world, a, b, files)?;
            let name = match (&given, pieces) {
                (Some(name), _) => name.clone(),
                (None, true) => format!("{one}-{two}"),
                (None, false) => String::new(),
            };
            table.check(world.add_contact(Contact { name, ..contact }))?;
        }
        table.finish()?;
    }
    Ok(())
}

/// Returns the number of the contact between two shapes, if there is one.
pub(super) fn find_contact(world: &World, a: &Part, b: &Part) -> Option<usize> {
    let same = |c: &Contact| (c.a, c.b) == (a.shape, b.shape) || (c.a, c.b) == (b.shape, a.shape);
    world.contacts().iter().position(same)
}

/// Refuses a second contact between the same two shapes, because the forces of both would act.
fn refuse_second_contact(world: &World, a: &Part, b: &Part) -> Result<()> {
    let Some(first) = find_contact(world, a, b) else { return Ok(()) };
    let (number, name) = (first + 1, &world.contacts()[first].name);
    let what = format!(
        "contact {} between `{}` and `{}`, which contact {number} (`{name}`) joins already,",
        world.contacts().len() + 1,
        a.name,
        b.name
    );
    Err(Error::unsupported(what, "both would push; leave one of them out"))
}

/// Creates a contact of two parts with the law, friction and rolling resistance that a table describes.
pub(super) fn contact(
    table: &SceneTable,
    world: &World,
    a: &Part,
    b: &Part,
    files: Files,
) -> Read<Contact> {
    let contact = contact_without_friction(table, world, a, b, files)?;
    let friction = match table.table("friction")? {
        Some(inner) => Some(read_friction(&inner, mindlin_share(a, b), restitution(table)?)?),
        None => None,
    };
    Ok(Contact { friction, resistance: read_rolling_resistance(table)?, ..contact })
}

/// Creates a contact of two parts with the law that a table describes.
pub(super) fn contact_without_friction(
    table: &SceneTable,
    world: &World,
    a: &Part,
    b: &Part,
    files: Files,
) -> Read<Contact> {
    let law_source = law_source(table, world, a, b, files)?;
    let (a, b) = (a.shape, b.shape);
    let (name, restitution) = (String::new(), restitution(table)?);
    let contact = Contact { name, a, b, law_source, friction: None, resistance: None, restitution };
    if world.method != ContactMethod::Smooth {
        table.check(nonsmooth::restitution(&contact))?;
    }
    Ok(contact)
}

/// Returns the restitution given in a table.
pub(crate) fn restitution(table: &SceneTable) -> Read<Option<f64>> {
    let given = table.raw_quantity("restitution")?;
    Ok(given.and_then(|e| e.si("restitution", Dimension::NUMBER).ok()))
}

/// Reads the rolling resistance of a contact.
pub(crate) fn read_rolling_resistance(contact: &SceneTable) -> Read<Option<RollingResistance>> {
    let Some(table) = contact.table("rolling")? else { return Ok(None) };
    let found = RollingResistance {
        rolling: table.required_quantity("arm")?,
        spinning: table.required_quantity("spinning_arm")?,
        speed: table.required_quantity("speed")?,
    };
    table.finish()?;
    table.check(found.checked()).map(Some)
}

/// Returns the name of the law given in a table; if it is an own law in a file, the file is read.
fn law_name(table: &SceneTable, files: Files) -> Read<String> {
    let given = table.required_text("law")?;
    let read = |name: &str| {
        files(name).map_err(|why| {
            let advice = "name a file beside the scene";
            Error::invalid("law", format!("`{name}`"), format!("readable ({why})"), advice)
        })
    };
    let load = |law: &str| own_law::from_text_with(&read(law)?, &read);
    table.check_at("law", own_law::name_by(&given, &load))
}

/// Reads the law of a table as a `Spec` of the library.
pub(crate) fn read_spec(table: &SceneTable, files: Files) -> Read<Spec> {
    let law = law_name(table, files)?;
    let mut set = std::collections::BTreeMap::new();
    if let Some(table) = table.table("set")? {
        set.extend(table.entries()?);
    }
    Ok(Spec {
        law,
        damper: table.text("damper")?,
        stiffness: table.raw_quantity("stiffness")?,
        exponent: table.raw_quantity("exponent")?,
        restitution: table.raw_quantity("restitution")?,
        calibration: table.text("calibration")?,
        exit: table.text("exit")?,
        damping: table.raw_quantity("damping")?,
        damping_exponent: table.raw_quantity("damping_exponent")?,
        rate_exponent: table.raw_quantity("rate_exponent")?,
        set,
        // A case requires a speed, but the law does not depend on it.
        speed: Some(1.0.into()),
        ..Spec::default()
    })
}

/// Refuses an exponent without a stiffness, because without a stiffness both follow from the bodies.
pub(crate) fn check_exponent(table: &SceneTable, spec: &Spec) -> Read<()> {
    if spec.exponent.is_some() && spec.stiffness.is_none() {
        let advice = "an exponent has no meaning without a stiffness; give both, or neither";
        return table.check_at("exponent", Err(Error::missing("stiffness", advice)));
    }
    Ok(())
}

/// Returns whether the law needs no stiffness from the bodies, because it is given, or because the law is an own law with its
/// own stiffness.
pub(crate) fn has_stiffness(spec: &Spec) -> bool {
    let own = || spec.model().ok()?.own;
    spec.stiffness.is_some() || own().is_some_and(|own| !own.takes_stiffness())
}

fn law_source(
    table: &SceneTable,
    world: &World,
    a: &Part,
    b: &Part,
    files: Files,
) -> Read<LawSource> {
    let mut spec = read_spec(table, files)?;
    if world.method != ContactMethod::Smooth && restitution(table)? == Some(0.0) {
        // In the nonsmooth method the restitution may be 0. Laws have no damping for that value, and the nonsmooth method uses
        // only the restitution of the contact, so another value is used to create the law.
        spec.restitution = Some(0.5.into());
    }
    let mass = table.check(effective_mass(mass(world, a), mass(world, b)))?;
    spec.mass = Some(mass.into());
    if has_stiffness(&spec) {
        return Ok(LawSource::Given(table.check(spec.case().and_then(|case| case.law()))?));
    }
    check_exponent(table, &spec)?;
    let material_of = |part: &Part| {
        part.elastic_material().ok_or_else(|| {
            let advice = format!(
                "give stiffness (and exponent) of the contact, or a material of `{}` and of the other body",
                part.name
            );
            table.error_here(Error::missing("stiffness", advice))
        })
    };
    let (one, two) = (material_of(a)?, material_of(b)?);
    let (first, second) = (&world.shapes()[a.shape].shape, &world.shapes()[b.shape].shape);
    // Two cylinders touch along a line if they are parallel, and at a point if they are crossed.
    let cross = match (first, second) {
        (Shape::Cylinder { .. }, Shape::Cylinder { .. }) => {
            third_axis(world, a).cross(third_axis(world, b)).length() > 1e-3
        }
        _ => false,
    };
    // The flat ends of a cylinder do not touch along a line as its side does; inside a bore they do not touch at all.
    let ends = [first, second].iter().any(|shape| matches!(shape, Shape::Cylinder { .. }))
        && ![first, second].iter().any(|shape| matches!(shape, Shape::Bore { .. }));
    let law_source = match (solid_shape(first), solid_shape(second)) {
        (Some(first), Some(second)) if !cross => {
            let pair = solid_pair(world, (a, first, one), (b, second, two));
            // Stiffness and further properties come from the pair, all else from the spec.
            let law = pair.and_then(|pair| law_for_pair(&spec, pair));
            law.map(if ends { LawSource::CylinderSide } else { LawSource::Given })
        }
        // Shapes without a Hertzian stiffness are refused here, not only when they first touch.
        _ => LawSource::check_curvatures(first, second)
            .and_then(|()| hertzian_source(&spec, &one, &two, mass)),
    };
    table.check(law_source)
}

/// Returns the third axis of a part at the start, in world coordinates.
fn third_axis(world: &World, part: &Part) -> Vec3 {
    let turn = world.bodies()[part.body].rotation * world.shapes()[part.shape].rotation;
    turn.rotate(Vec3::Z)
}

fn mass(world: &World, part: &Part) -> f64 {
    match world.columns.free_index[part.body] {
        Some(_) => world.columns.mass[part.body],
        None => f64::INFINITY,
    }
}

/// Converts a shape to that of the library's pairs; none for shapes that these do not include.
fn solid_shape(shape: &Shape) -> Option<Solids> {
    Some(match *shape {
        Shape::Sphere { radius } => Solids::Sphere { radius },
        Shape::HalfSpace => Solids::Plane,
        Shape::Socket { radius } => Solids::Socket { radius },
        // The contact of a cylinder has two sites, at its ends, each of which carries half the length.
        Shape::Cylinder { radius, half } => Solids::Cylinder { radius, length: half },
        Shape::Bore { radius, half } => Solids::Bore { radius, length: half },
        _ => return None,
    })
}

fn solid_pair(
    world: &World,
    (a, shape_a, material_a): (&Part, Solids, Material),
    (b, shape_b, material_b): (&Part, Solids, Material),
) -> Result<Pair> {
    let solid = |part: &Part, shape, material: Material| {
        let density = if material.density.is_finite() { material.density } else { 1.0 };
        Solid::new(shape, Material { density, ..material }).with_mass(mass(world, part))
    };
    Pair::of(&solid(a, shape_a, material_a), &solid(b, shape_b, material_b))
}

/// Creates the law of a spec for a pair with known stiffness.
pub(crate) fn law_for_pair(spec: &Spec, pair: Pair) -> Result<carom::Law> {
    let numbers = Spec {
        stiffness: Some(pair.stiffness.into()),
        exponent: Some(pair.exponent.into()),
        ..spec.clone()
    };
    let mut case = numbers.case()?;
    for (name, value) in pair.facts {
        if case.pair.fact(name).is_none() {
            case.pair.facts.push((name, value));
        }
    }
    case.law()
}

fn hertzian_source(spec: &Spec, one: &Material, two: &Material, mass: f64) -> Result<LawSource> {
    let modulus = stiffness::effective_modulus(one.compliance(), two.compliance())?;
    // The stiffness is not known before contact. Any value serves to check and read the other keys.
    let probe = Spec { stiffness: Some(1e9.into()), exponent: Some(1.5.into()), ..spec.clone() };
    let case = probe.case()?;
    let mut facts = case.pair.facts.clone();
    facts.push(("modulus", modulus));
    let curved = HertzianModel {
        model: case.model,
        damping: case.damping,
        exit: case.exit,
        set: case.set,
        modulus,
        facts,
    };
    // The law is created once here, so that an error is reported now and not when contact begins.
    let law_source = LawSource::Hertzian(Box::new(curved));
    law_source.law(mass, Some((1.0, 1.0)))?;
    Ok(law_source)
}

/// Returns Mindlin's ratio of tangential to normal stiffness if both materials are known.
fn mindlin_share(a: &Part, b: &Part) -> Option<f64> {
    let elastic = |part: &Part| {
        let material = part.elastic_material()?;
        let youngs = if material.is_rigid() { f64::INFINITY } else { material.youngs };
        Some((youngs, material.poisson))
    };
    mindlin_ratio([elastic(a)?, elastic(b)?])
}

/// Reads friction. `share` (the ratio of tangential to normal stiffness) and `restitution` are those of the contact, if known,
/// and determine the defaults of the tangential spring.
fn read_friction(
    table: &SceneTable,
    share: Option<f64>,
    restitution: Option<f64>,
) -> Read<Friction> {
    let law = table.required_choice("law", "friction law")?;
    if let Some(key) = ["speed", "form"].into_iter().find(|key| !table.has("law") && table.has(key))
    {
        let advice = "name the law that has it, for example law = \"regularised\"; without a name friction is a \
                      tangential spring, which sticks";
        return table.unsupported(key, format!("`{key}` of a friction without law"), advice);
    }
    let viscous = table.required_quantity("viscous")?;
    let found = match law {
        "regularised" => {
            let rise = table.required_one_of("form", "form", &Regularisation::ALL)?;
            let speed = table.quantity("speed")?.unwrap_or(1e-3);
            Friction::Regularised {
                coefficient: table.required_quantity("coefficient")?,
                speed,
                rise,
            }
        }
        "brown-mcphee" => Friction::BrownMcPhee {
            static_coefficient: table.required_quantity("static")?,
            dynamic_coefficient: table.required_quantity("dynamic")?,
            speed: table.quantity("speed")?.unwrap_or(1e-3),
            viscous,
        },
        "lugre" => Friction::LuGre {
            static_coefficient: table.required_quantity("static")?,
            dynamic_coefficient: table.required_quantity("dynamic")?,
            speed: table.required_quantity("speed")?,
            stiffness: table
                .required_quantity_in("stiffness", Dimension::NUMBER / Dimension::LENGTH)?,
            damping: table.quantity_in("damping", Dimension::SLOWNESS)?.unwrap_or(0.0),
            viscous,
        },
        // The tangential spring, the only other law that is declared.
        _ => {
            let given = [
                table
                    .quantity_in("stiffness", Dimension::stiffness(1.0))?
                    .map(TangentialStiffness::Constant),
                table.quantity("stiffness_root")?.map(TangentialStiffness::Root),
                table.quantity("stiffness_share")?.map(TangentialStiffness::Share),
            ];
            let usual = TangentialStiffness::Share(share.unwrap_or(DEFAULT_STIFFNESS_RATIO));
            let keys = "stiffness, stiffness_root and stiffness_share";
            let stiffness = at_most_one(table, keys, &given)?.unwrap_or(usual);
            let given = [
                table.quantity_in("damping", Dimension::damping(0.0, 1.0))?.map(Dashpot::Constant),
                table.quantity("damping_ratio")?.map(Dashpot::Ratio),
            ];
            let usual = Dashpot::Ratio(default_damping_ratio(restitution));
            let damping = at_most_one(table, "damping and damping_ratio", &given)?.unwrap_or(usual);
            Friction::Spring {
                coefficient: table.required_quantity("coefficient")?,
                stiffness,
                damping,
            }
        }
    };
    table.finish()?;
    table.check(found.checked())
}

/// Returns the alternative that was given; it is an error to give more than one.
fn at_most_one<T: Copy>(table: &SceneTable, names: &str, given: &[Option<T>]) -> Read<Option<T>> {
    if given.iter().flatten().count() > 1 {
        let error = Error::unsupported(format!("more than one of {names}"), "give one of them");
        return Err(table.error_here(error));
    }
    Ok(given.iter().flatten().next().copied())
}
