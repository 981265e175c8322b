//! Where bodies are: all of them in a state, or those of one contact at an instant within a step.
//!
//! What is asked within a step is asked of one contact: its gap, its force. Only the numbers of its two bodies and of its
//! touch are then interpolated, so that a body that touches at many places at once costs as much a place as one that touches
//! at a few: with the whole state read for each of P places, a step would cost P². Numbers are interpolated one
//! by one, so that they are the same to the last bit.

use crate::dynamics::Dynamics;
use crate::joint::BodyMotion;
use crate::math::{Quat, Vec3};
use crate::motion::SidedTime;
use crate::state::{Layout, Pose, State, TOUCH};
use crate::world::{Mobility, World};
use carom::ode::Stepper;

/// States up to this length are interpolated whole: a few blocks of numbers are sooner computed than chosen.
const FEW: usize = 64;

impl Dynamics {
    /// Reads where all bodies are.
    #[inline(always)]
    pub fn read(&mut self, world: &World, layout: Layout, t: f64, y: &[f64]) {
        let (x, q, v, w) = layout.columns(y);
        for ((((&body, x), q), v), w) in world.free.iter().zip(x).zip(q).zip(v).zip(w) {
            let [x, v, w] = [x, v, w].map(|&[x, y, z]| Vec3::new(x, y, z));
            self.moving[body] = BodyMotion { x, q: Quat::of(*q), v, w };
        }
        self.drive(world, t);
    }

    /// Reads where one free body is.
    pub fn read_body(&mut self, layout: Layout, body: usize, slot: usize, y: &[f64]) {
        let Pose { position: x, rotation: q, velocity: v, spin: w } = Pose::read(y, layout, slot);
        self.moving[body] = BodyMotion { x, q, v, w };
    }

    /// Moves the bodies that are driven.
    #[inline(always)]
    pub fn drive(&mut self, world: &World, t: f64) {
        for &index in &world.columns.driven {
            let body = &world.bodies[index];
            if let Mobility::Driven { direction, motion } = &body.mobility {
                let at = motion.evaluate(SidedTime { time: t, limit: self.limit });
                self.moving[index].x = body.position + *direction * at.value;
                self.moving[index].v = *direction * at.rate;
                self.acceleration[index] = (*direction * at.acceleration, Vec3::ZERO);
            }
        }
    }

    /// Reads where all bodies are and, if asked, how they accelerate.
    pub fn see(
        &mut self,
        world: &World,
        state: &State,
        accelerations: bool,
        t: f64,
        y: &[f64],
        room: &mut [f64],
    ) {
        match accelerations {
            true => self.slope(world, state.layout, &state.touches, t, y, room),
            false => self.read(world, state.layout, t, y),
        }
    }

    /// Reads where the two bodies of a site are at an instant within the step, and the numbers of a touch there.
    ///
    /// Other bodies stay where they were read last.
    pub fn glimpse(
        &mut self,
        world: &World,
        layout: Layout,
        stepper: &Stepper,
        t: f64,
        (site, touch): (usize, Option<usize>),
        y: &mut [f64],
    ) {
        if y.len() <= FEW {
            stepper.at(t, y);
            return self.read(world, layout, t, y);
        }
        let contact = &world.contacts[world.sites[site].contact];
        for body in [contact.a, contact.b].map(|shape| world.shapes[shape].body) {
            let Some(slot) = world.columns.slot[body] else { continue };
            for (at, count) in layout.body(slot) {
                stepper.part(t, at..at + count, y);
            }
            self.read_body(layout, body, slot, y);
        }
        self.drive(world, t);
        if let Some(index) = touch {
            let at = layout.touch(index);
            stepper.part(t, at..at + TOUCH, y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Contact, Placed, Run, Shape};
    use carom::law::{Exit, Law, Power};

    /// A row of balls over a plane, too many to be read whole.
    #[test]
    fn one_contact_is_seen_as_with_all_others() {
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
        while run.state.touches.is_empty() {
            run.step(1.0, &mut ()).unwrap();
        }
        for _ in 0..4 {
            run.step(1.0, &mut ()).unwrap();
        }
        run.interpolate();
        let t = run.stepper.begun() + 0.37 * run.stepper.length();
        let (layout, touches) = (run.state.layout, run.state.touches.len());
        assert!(run.state.y.len() > FEW && touches > 0);
        let mut whole = vec![0.0; run.stepper.start().len()];
        run.stepper.at(t, &mut whole);
        let mut all = Dynamics::new(&world);
        all.read(&world, layout, t, &whole);
        for (index, site) in run.state.touches.iter().map(|touch| touch.site).enumerate() {
            let (mut one, mut some) = (Dynamics::new(&world), vec![f64::NAN; whole.len()]);
            one.glimpse(&world, layout, &run.stepper, t, (site, Some(index)), &mut some);
            let (seen, a, b) = one.gap(&world, site);
            assert_eq!(seen, all.gap(&world, site).0);
            for body in [a, b] {
                assert_eq!(format!("{:?}", one.moving[body]), format!("{:?}", all.moving[body]));
            }
            let at = layout.touch(index);
            assert_eq!(some[at..at + TOUCH], whole[at..at + TOUCH]);
            assert!(some.iter().any(|y| y.is_nan()), "not everything was interpolated");
        }
    }
}
