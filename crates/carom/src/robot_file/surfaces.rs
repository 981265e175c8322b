//! Surface parameters of URDF and SDF files, and how Gazebo, PyBullet and Drake combine those of two geometries.
//!
//! | engine | rule |
//! |---|---|
//! | ODE in Gazebo classic | kp in series, kd added; the smaller restitution, threshold, max_vel and min_depth |
//! | Bullet | restitutions multiplied; stiffnesses in series, dampings added (a side without them has no stiffness and 0.1 N s/m) |
//! | DART | restitutions multiplied |
//! | Drake | stiffnesses in series; dissipations weighted by the other side's stiffness |
//!
//! # Reference
//! See the files of `engine/`; Drake be259df7, `multibody/plant/contact_properties.cc`,
//! `geometry/scene_graph_config.h`.

use super::description::{Combined, Description, Edit, Touch};
use super::engine::{Contact, Engine, bullet, dart, drake, ode};
use super::pose::norm;
use super::solid::Shape;
use super::xml::Place;

/// Contact parameters of a geometry; for those that are missing the engine's default applies.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Stiffness kp (N/m) and damping kd (N s/m) for ODE.
    pub kp: Option<f64>,
    pub kd: Option<f64>,
    pub restitution: Option<f64>,
    /// Speed below which the restitution is not applied (m/s).
    pub threshold: Option<f64>,
    pub max_vel: Option<f64>,
    pub min_depth: Option<f64>,
    /// Stiffness (N/m) and damping (N s/m) for Bullet.
    pub spring: Option<(f64, f64)>,
    /// Stiffness (N/m) and dissipation (s/m) for Drake.
    pub stiffness: Option<f64>,
    pub dissipation: Option<f64>,
    /// Collision mask for ODE.
    pub collide: Option<u32>,
    /// Place of the parameters in the file.
    pub place: Place,
    /// Places where other values would be written, depending on the engine.
    pub edits: Vec<Edit>,
    /// Whether the surface is assumed and not part of any file.
    pub assumed: bool,
}

/// Defaults of SDF for ODE in Gazebo classic.
const KP: f64 = 1e12;
const KD: f64 = 1.0;
const THRESHOLD: f64 = 100_000.0;
const MAX_VEL: f64 = 0.01;
/// Default of the largest separation speed of the world (m/s).
pub const WORLD_MAX_VEL: f64 = 100.0;
/// Defaults of Drake for stiffness (N/m) and dissipation (s/m).
const STIFFNESS: f64 = 1e6;
const DISSIPATION: f64 = 50.0;
/// Default damping of Bullet (N s/m) if only one side has a damping.
const BULLET_DAMPING: f64 = 0.1;

fn in_series(a: f64, b: f64) -> f64 {
    1.0 / (1.0 / a + 1.0 / b)
}

/// Returns the contact of two geometries; `moving` states which of them can move, `world_max_vel` is the largest
/// separation speed of the world.
pub fn touch(
    description: &mut Description,
    pair: [usize; 2],
    surfaces: [&Surface; 2],
    moving: [bool; 2],
    world_max_vel: f64,
) -> Touch {
    let [a, b] = surfaces;
    let numbers = |of: &dyn Fn(&Surface) -> Option<f64>, default: f64| {
        [of(a).unwrap_or(default), of(b).unwrap_or(default)]
    };
    let combined = Combined::number;
    let restitutions = numbers(&|one| one.restitution, 0.0);
    let place = [a, b].into_iter().map(|one| one.place).max().unwrap_or_default();
    let (contact, parameters) = match description.engine {
        Engine::Ode => {
            let (kps, kds) = (numbers(&|one| one.kp, KP), numbers(&|one| one.kd, KD));
            let thresholds = numbers(&|one| one.threshold, THRESHOLD);
            // The values of bodies that can move are used, limited by that of the world.
            let of_moving = |each: [f64; 2]| {
                let counted = each.into_iter().zip(moving).filter(|(_, moves)| *moves);
                counted.map(|(value, _)| value).fold(f64::INFINITY, f64::min)
            };
            let (speeds, depths) =
                (numbers(&|one| one.max_vel, MAX_VEL), numbers(&|one| one.min_depth, 0.0));
            let contact = ode::Contact {
                stiffness: in_series(kps[0], kps[1]),
                damping: kds[0] + kds[1],
                restitution: restitutions[0].min(restitutions[1]),
                threshold: thresholds[0].min(thresholds[1]),
                speed_max: of_moving(speeds).min(world_max_vel),
                depth_min: Some(of_moving(depths)).filter(|depth| depth.is_finite()).unwrap_or(0.0),
            };
            let parameters = vec![
                combined("kp", kps, contact.stiffness, "springs in series"),
                combined("kd", kds, contact.damping, "sum"),
                combined("restitution_coefficient", restitutions, contact.restitution, "smaller"),
                combined("threshold", thresholds, contact.threshold, "smaller"),
                combined("max_vel", speeds, contact.speed_max, "smaller of the bodies that move"),
                combined("min_depth", depths, contact.depth_min, "smaller of the bodies that move"),
            ];
            (Contact::Ode(contact), parameters)
        }
        Engine::Bullet => {
            let product = restitutions[0] * restitutions[1];
            let spring = (a.spring.is_some() || b.spring.is_some()).then(|| {
                let part = |one: &Surface| one.spring.unwrap_or((f64::INFINITY, BULLET_DAMPING));
                (in_series(part(a).0, part(b).0), part(a).1 + part(b).1)
            });
            let reach = pair
                .iter()
                .filter_map(|&i| description.geometries.get(i))
                .filter_map(|one| creation_distance(&one.shape));
            let contact = bullet::Contact {
                restitution: product,
                spring,
                reach: reach.fold(f64::INFINITY, f64::min).min(0.02),
                slop: bullet::SLOP,
                threshold: bullet::THRESHOLD,
                reduction: bullet::REDUCTION,
            };
            let mut parameters = vec![combined("restitution", restitutions, product, "product")];
            if let Some((stiffness, damping)) = spring {
                let each =
                    |of: &dyn Fn((f64, f64)) -> f64| [a, b].map(|one| one.spring.map_or(0.0, of));
                let stiffnesses = each(&|one| one.0);
                parameters.extend([
                    combined("stiffness", stiffnesses, stiffness, "springs in series"),
                    combined("damping", each(&|one| one.1), damping, "sum"),
                ]);
            }
            (Contact::Bullet(contact), parameters)
        }
        Engine::Drake => {
            let (stiff, lossy) = (
                numbers(&|one| one.stiffness, STIFFNESS),
                numbers(&|one| one.dissipation, DISSIPATION),
            );
            let total = stiff[0] + stiff[1];
            // The dissipation of a side is weighted with the stiffness of the other side.
            let weights = [stiff[1] / total, stiff[0] / total];
            let dissipation = weights[0] * lossy[0] + weights[1] * lossy[1];
            // An assumed side keeps its dissipation, independent of the file.
            let part = |one: &Surface, weight: f64, own: f64| match one.assumed {
                true => (0.0, weight * own),
                false => (weight, 0.0),
            };
            let parts = [part(a, weights[0], lossy[0]), part(b, weights[1], lossy[1])];
            let contact = drake::Contact {
                stiffness: in_series(stiff[0], stiff[1]),
                dissipation,
                share: parts[0].0 + parts[1].0,
                rest: parts[0].1 + parts[1].1,
            };
            let weighted = "mean weighted by the other side's stiffness";
            let parameters = vec![
                combined("point_contact_stiffness", stiff, contact.stiffness, "springs in series"),
                combined("hunt_crossley_dissipation", lossy, dissipation, weighted),
            ];
            (Contact::Drake(contact), parameters)
        }
        _ => {
            let restitution = restitutions[0] * restitutions[1];
            let used = combined("restitution_coefficient", restitutions, restitution, "product");
            (Contact::Dart(dart::Contact { restitution }), vec![used])
        }
    };
    add_one_sided_finding(description, pair, surfaces, restitutions);
    // An assumed side is not in any file and cannot be changed, so there is nothing to write unless the other side
    // alone determines the result.
    let decides = description.engine == Engine::Drake || !(a.assumed || b.assumed);
    let edits = if decides {
        [a, b].into_iter().flat_map(|one| one.edits.clone()).collect()
    } else {
        Vec::new()
    };
    Touch { geometries: pair, contact, parameters, place, edits }
}

/// Adds a finding about a restitution that the other side makes zero.
fn add_one_sided_finding(
    description: &mut Description,
    pair: [usize; 2],
    surfaces: [&Surface; 2],
    restitutions: [f64; 2],
) {
    if !matches!(description.engine, Engine::Ode | Engine::Bullet | Engine::Dart) {
        return;
    }
    let name = |i: usize| description.name(i).to_string();
    let rule = match description.engine {
        Engine::Ode => "the smaller of the two counts",
        _ => "the two are multiplied",
    };
    let sides = [
        (surfaces[0].place, restitutions[0], name(pair[0]), restitutions[1], name(pair[1])),
        (surfaces[1].place, restitutions[1], name(pair[1]), restitutions[0], name(pair[0])),
    ];
    for (place, own, name, other, other_name) in sides {
        if own > 0.0 && other == 0.0 {
            let message = format!(
                "the restitution {own} of `{name}` has no effect against `{other_name}`, which has 0: {rule}"
            );
            description.add_finding(place, "overridden", message, "give both sides a restitution");
        }
    }
}

/// Returns the distance at which Bullet creates contacts (m): 0.02 times half the diagonal of the bounding box.
fn creation_distance(shape: &Shape) -> Option<f64> {
    let half = match *shape {
        Shape::Plane | Shape::Other => return None,
        Shape::Sphere { radius } => [radius; 3],
        Shape::Capsule { radius, half } => [radius, radius, radius + half],
        Shape::Cylinder { radius, half } => [radius, radius, half],
        Shape::Ellipsoid { half } | Shape::Box { half } => half,
    };
    Some(0.02 * norm(half))
}
