//! Kinematics: positions and motions of the bodies at one instant, and the gaps between them.
//!
//! Within a step, usually the gap or force of a single contact is needed. Only the variables of its two bodies and of its touch
//! are then interpolated ([`Kinematics::read_site`]), so that the cost of a site does not grow with the number of sites of a
//! body. If the whole state were read for each of P sites, the cost of a step would grow with P². Each number is interpolated
//! independently, so that the results are the same to the last bit in both cases.

use crate::gap::{Frame, Gap, RelativeFrame, gap, gap_from};
use crate::input::StepInput;
use crate::integrator::Integrator;
use crate::joint::BodyMotion;
use crate::math::{Quat, Vec3};
use crate::motion::SidedTime;
use crate::shape::Placed;
use crate::state::Pose;
use crate::world::World;

/// Length of state vectors up to which they are interpolated as a whole, which is faster than selecting some of their numbers.
const MAX_WHOLE_INTERPOLATION: usize = 64;
/// Distance by which bodies move for the difference quotient of a normal, divided by the size of the smaller body.
const NORMAL_DIFFERENCE_TRAVEL: f64 = 1e-7;
/// Change of a gap, divided by the size of the smaller body, below which a jump is not distinguished from rounding and motion.
const SMALLEST_JUMP: f64 = 1e-8;

/// Position and motion of all bodies at one instant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinematics {
    pub bodies: Vec<BodyMotion>,
    /// Whether each shape has its origin at the centre of mass of its body and the body's axes, as most do.
    centred: Vec<bool>,
}

/// A gap, and the two bodies between which it lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteGap {
    pub gap: Gap,
    pub a: usize,
    pub b: usize,
}

impl Kinematics {
    /// Creates the kinematics of all bodies as they were added to the world.
    pub fn new(world: &World) -> Self {
        let moving = |body: &crate::Body| BodyMotion {
            x: body.position,
            q: body.rotation,
            ..BodyMotion::default()
        };
        Self {
            bodies: world.bodies.iter().map(moving).collect(),
            centred: world.shapes.iter().map(Placed::is_centred).collect(),
        }
    }

    /// Reads all bodies from a state vector.
    #[inline(always)]
    pub fn read(&mut self, input: &StepInput, t: f64, y: &[f64]) {
        let (x, q, v, w) = input.layout().columns(y);
        for ((((&body, x), q), v), w) in input.world.free.iter().zip(x).zip(q).zip(v).zip(w) {
            let [x, v, w] = [x, v, w].map(|&[x, y, z]| Vec3::new(x, y, z));
            self.bodies[body] = BodyMotion { x, q: Quat::of(*q), v, w };
        }
        self.read_driven(input, t);
    }

    /// Reads the two bodies of a site at a time within the step, and the variables of a touch there into `y`.
    /// The other bodies, and the other numbers of `y`, are left as they are.
    pub fn read_site(
        &mut self,
        input: &StepInput,
        stepper: &Integrator,
        t: f64,
        (site, touch): (usize, Option<usize>),
        y: &mut [f64],
    ) {
        if y.len() <= MAX_WHOLE_INTERPOLATION {
            stepper.at(t, y);
            return self.read(input, t, y);
        }
        let (world, layout) = (input.world, input.layout());
        let (a, b) = world.bodies_at(site);
        for body in [a, b] {
            let Some(slot) = world.columns.free_index[body] else { continue };
            for range in layout.body_ranges(slot) {
                stepper.part(t, range, y);
            }
            let Pose { position: x, rotation: q, velocity: v, spin: w } = layout.pose(y, slot);
            self.bodies[body] = BodyMotion { x, q, v, w };
        }
        self.read_driven(input, t);
        if let Some(index) = touch {
            stepper.part(t, layout.touch_range(index), y);
        }
    }

    /// Sets the bodies with a prescribed motion to their pose and velocities at a time.
    #[inline(always)]
    fn read_driven(&mut self, input: &StepInput, t: f64) {
        if input.world.columns.driven.is_empty() {
            return;
        }
        for (body, at) in input.world.driven(SidedTime { time: t, limit: input.horizon }) {
            self.bodies[body] = at.motion;
        }
    }

    /// Returns the frame of a shape.
    #[inline(always)]
    pub fn frame(&self, world: &World, shape: usize) -> Frame {
        self.frame_on(world, shape, &self.bodies[world.shapes[shape].body])
    }

    /// Returns the frame of a shape on a body with a given pose.
    #[inline(always)]
    fn frame_on(&self, world: &World, shape: usize, body: &BodyMotion) -> Frame {
        let placed = &world.shapes[shape];
        if self.centred[shape] {
            return Frame { origin: body.x, rotation: body.q };
        }
        Frame {
            origin: body.x + body.q.rotate(placed.position),
            rotation: body.q * placed.rotation,
        }
    }

    /// Computes the gap at a site. It may depend on the normal in the state.
    #[inline]
    pub fn gap(&self, input: &StepInput, site: usize) -> SiteGap {
        gap_of_frames(input, site, &self.frames(input.world, site))
    }

    /// Computes the gap at a site without regard to the normal in the state.
    pub fn gap_without_memory(&self, world: &World, site: usize) -> SiteGap {
        gap_between(world, site, &self.frames(world, site), None)
    }

    /// Returns the frames of the two shapes of a site.
    #[inline(always)]
    fn frames(&self, world: &World, site: usize) -> [Frame; 2] {
        let contact = world.contact_at(site);
        [self.frame(world, contact.a), self.frame(world, contact.b)]
    }

    /// Computes the rate of the normal at a site (1/s) by a difference quotient over a short time, with a relative error of
    /// some 1e-7; `normal` is the normal now.
    pub fn normal_rate(&self, input: &StepInput, site: usize, normal: Vec3) -> Vec3 {
        let (world, contact) = (input.world, input.world.contact_at(site));
        let (a, b) = world.bodies_at(site);
        let time = NORMAL_DIFFERENCE_TRAVEL * smaller_body_size(world, a, b)
            / self.speed_bound(world, site);
        if !time.is_finite() {
            return Vec3::ZERO;
        }
        let frames = [contact.a, contact.b].map(|shape| {
            let body = &self.bodies[world.shapes[shape].body];
            let later = BodyMotion {
                x: body.x + body.v * time,
                q: body.q.rotated_by(body.w * time),
                ..*body
            };
            self.frame_on(world, shape, &later)
        });
        (gap_of_frames(input, site, &frames).gap.normal - normal) * (1.0 / time)
    }

    /// Computes the pose of the second shape of a contact relative to the first.
    pub fn relative_frame(&self, world: &World, contact: usize) -> RelativeFrame {
        let contact = &world.contacts[contact];
        RelativeFrame::new(&self.frame(world, contact.a), &self.frame(world, contact.b))
    }

    /// Computes the rate at which a gap opens (m/s).
    pub fn opening_rate(&self, SiteGap { gap, a, b }: &SiteGap) -> f64 {
        gap.opening_rate(&self.bodies[*a], &self.bodies[*b])
    }

    /// Returns a bound of the relative speed of points near a site (m/s).
    pub fn speed_bound(&self, world: &World, site: usize) -> f64 {
        let (a, b) = world.bodies_at(site);
        let (one, two) = (&self.bodies[a], &self.bodies[b]);
        let swing = |w: Vec3, body: usize| w.length() * world.columns.bounding_radius[body];
        (two.v - one.v).length() + swing(one.w, a) + swing(two.w, b)
    }

    /// Returns a bound of the rounding error of a gap between two bodies (m).
    pub fn gap_rounding(&self, world: &World, a: usize, b: usize) -> f64 {
        let size = |body: usize| self.bodies[body].x.length() + world.columns.bounding_radius[body];
        8.0 * f64::EPSILON * (size(a) + size(b))
    }
}

/// Computes the gap at a site for given frames of its shapes. It may depend on the normal in the state.
#[inline(always)]
fn gap_of_frames(input: &StepInput, site: usize, frames: &[Frame; 2]) -> SiteGap {
    let normals = &input.state.normals;
    let start = match normals.is_empty() {
        true => None,
        false => normals.get(site).filter(|&&start| start != Vec3::ZERO),
    };
    gap_between(input.world, site, frames, start)
}

/// Computes the gap at a site for given frames of its shapes; `start` is the normal from which the search begins, if it needs
/// one.
#[inline(always)]
fn gap_between(world: &World, site: usize, [a, b]: &[Frame; 2], start: Option<&Vec3>) -> SiteGap {
    let site = world.sites[site];
    let contact = &world.contacts[site.contact];
    let (one, two) = (&world.shapes[contact.a], &world.shapes[contact.b]);
    let gap = match start {
        None => gap(&one.shape, a, &two.shape, b, site.number),
        Some(&start) => gap_from(start, &one.shape, a, &two.shape, b, site.number),
    };
    SiteGap { gap, a: one.body, b: two.body }
}

/// Returns the bounding radius of the smaller of two bodies (m); 1 if neither has one.
pub(crate) fn smaller_body_size(world: &World, a: usize, b: usize) -> f64 {
    let reach = [a, b].map(|body| world.columns.bounding_radius[body]);
    let least = reach.into_iter().filter(|r| *r > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}

/// Returns the smallest change of the gap of two bodies that is considered a jump and not motion (m), see `step/jump.rs`.
pub(crate) fn smallest_jump(world: &World, a: usize, b: usize) -> f64 {
    SMALLEST_JUMP * smaller_body_size(world, a, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Contact, Run, Shape};
    use carom::law::{Exit, Law, Power};

    /// A row of balls above a plane; their state vector is too long to be interpolated as a whole.
    #[test]
    fn a_site_is_interpolated_alone_as_in_the_whole_state() {
        let law = Law::new(1.0, Exit::ZeroForce, Power::elastic(1e7, 1.5));
        let mut world = World::default().under(Vec3::Z * -9.81);
        let ground = world.add_shape(Placed::on(0, Shape::HalfSpace)).unwrap();
        let ball = Shape::Sphere { radius: 0.01 };
        for i in 0..9 {
            let start = Vec3::new(0.05 * i as f64, 0.0, 0.01 + 1e-3 * i as f64);
            let body = Body::of("ball", &ball, 1000.0).unwrap().at(start).spinning(Vec3::X);
            let body = world.add_body(body.moving(Vec3::Z * -0.5)).unwrap();
            let shape = world.add_shape(Placed::on(body, ball.clone())).unwrap();
            world.add_contact(Contact::new(shape, ground, law)).unwrap();
        }
        let mut run = Run::new(&world).unwrap();
        while run.state().touches.is_empty() {
            run.step(1.0, &mut ()).unwrap();
        }
        for _ in 0..4 {
            run.step(1.0, &mut ()).unwrap();
        }
        let state = run.state().clone();
        let input = StepInput::at(&world, &state);
        let mut evaluation = crate::dynamics::Evaluation::new(&world);
        let mut slope = vec![0.0; state.y.len()];
        evaluation.evaluate(&input, state.time, &state.y, &mut slope);
        let mut f = |t: f64, y: &[f64], out: &mut [f64]| evaluation.evaluate(&input, t, y, out);
        let mut stepper = Integrator::default();
        stepper.step_explicitly(&mut f, state.time, &state.y, &slope, 1e-6);
        stepper.interpolate(&mut f);
        let t = stepper.begun() + 0.37 * stepper.length();
        assert!(state.y.len() > MAX_WHOLE_INTERPOLATION && !state.touches.is_empty());
        let mut whole = vec![0.0; state.y.len()];
        stepper.at(t, &mut whole);
        let mut all = Kinematics::new(&world);
        all.read(&input, t, &whole);
        for (index, site) in state.touches.iter().map(|touch| touch.site).enumerate() {
            let (mut one, mut some) = (Kinematics::new(&world), vec![f64::NAN; whole.len()]);
            one.read_site(&input, &stepper, t, (site, Some(index)), &mut some);
            let found = one.gap(&input, site);
            assert_eq!(found.gap, all.gap(&input, site).gap);
            for body in [found.a, found.b] {
                assert_eq!(format!("{:?}", one.bodies[body]), format!("{:?}", all.bodies[body]));
            }
            let range = input.layout().touch_range(index);
            assert_eq!(some[range.clone()], whole[range]);
            assert!(some.iter().any(|y| y.is_nan()), "not everything was interpolated");
        }
    }
}
