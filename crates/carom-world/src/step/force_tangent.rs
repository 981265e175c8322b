//! Tangents of the forces between two bodies: derivatives with respect to the relative motion at the point where the force acts.
//!
//! For a touch with normal n, a relative displacement d and a relative velocity u of body b at the contact point change the
//! normal force by δF = −∂F/∂δ·(n·d) − ∂F/∂δ̇·(n·u), with the derivatives of the law itself (dual numbers). Friction and the
//! internal states of laws have no analytical derivatives here: derivatives by the tangential velocity, the load and the memory
//! of friction are difference quotients. The normal and the contact point are assumed to be fixed. The neglected stiffness is of
//! the order of weight over radius; the motion that belongs to it is slower than any motion that makes a step stiff, and the
//! Newton iteration converges without it.
//!
//! The memory of a touch (internal state, force of the tangential spring) depends only on its own motion and on itself. It is
//! therefore eliminated touch by touch ([`ForceTangent::eliminate`]), and only the velocities of the bodies remain as unknowns of
//! the linear system: for dozens of sites between a few boxes these are a tenth of all variables.

use crate::contact::{ContactEvaluation, TouchMotion, touch_friction};
use crate::element::Element;
use crate::input::StepInput;
use crate::kinematics::Kinematics;
use crate::math::{Mat3, Vec3};
use crate::state::{Touch, TouchVariables};
use carom::numeric::linear::Lu;

/// Number of variables that a touch remembers: its internal state and three components of the memory of friction.
const REMEMBERED_COUNT: usize = 4;
type RememberedVariables = [f64; REMEMBERED_COUNT];

/// Relative increment of a variable in a difference quotient.
const RELATIVE_INCREMENT: f64 = 1e-6;

/// Linearised force between points of two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForceTangent {
    pub a: usize,
    pub b: usize,
    /// Vectors from the centres of mass to the point at which the force acts (m).
    pub arm_a: Vec3,
    pub arm_b: Vec3,
    /// Derivatives of the force on b with respect to the displacement and velocity of b relative to a.
    by_displacement: Mat3,
    by_velocity: Mat3,
    /// Derivative of the couple on b with respect to the relative angular velocity of b.
    pub couple_by_spin: Mat3,
    /// Index of the touch, and the derivatives that involve its memory, if it has one.
    pub memory: Option<(usize, MemoryTangent)>,
    /// Index of the touch and its forces, whose works are corrected with the motion.
    pub works: Option<(usize, ContactForces)>,
}

/// Forces of a touch that do work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactForces {
    /// Normal force on b, friction force on b, and the couple on b that resists rolling.
    normal: Vec3,
    friction: Vec3,
    couple: Vec3,
}

impl ContactForces {
    /// Returns the powers of the works done against the normal force and against friction at a relative velocity and angular
    /// velocity (W).
    pub fn powers(&self, velocity: Vec3, spin: Vec3) -> (f64, f64) {
        (-self.normal.dot(velocity), -self.friction.dot(velocity) - self.couple.dot(spin))
    }
}

/// Derivatives that involve the memory of a touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryTangent {
    /// Derivatives of the force on b with respect to the remembered variables.
    force: [Vec3; REMEMBERED_COUNT],
    /// Derivatives of the rates of the remembered variables with respect to displacement, velocity, and these variables
    /// themselves.
    by_displacement: [Vec3; REMEMBERED_COUNT],
    by_velocity: [Vec3; REMEMBERED_COUNT],
    by_memory: [RememberedVariables; REMEMBERED_COUNT],
}

/// A force after elimination of its memory, for one length of step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EliminatedForce {
    /// Derivative of the force with respect to the relative velocity, including the displacement that follows from it.
    pub by_velocity: Mat3,
    /// Derivative of the force with respect to a given displacement.
    pub by_displacement: Mat3,
    /// LU decomposition of I − γh·∂ṡ/∂s, with s the remembered variables.
    inverse: Option<Lu<REMEMBERED_COUNT>>,
    /// γh (s), with h the length of the step and γ the coefficient of the implicit method.
    gamma_h: f64,
}

/// Returns the dyadic product of a column and a row vector.
fn dyadic_product(column: Vec3, row: Vec3) -> Mat3 {
    Mat3([row * column.x, row * column.y, row * column.z])
}

fn scaled(matrix: Mat3, by: f64) -> Mat3 {
    Mat3(matrix.0.map(|row| row * by))
}

impl ForceTangent {
    /// Computes the tangent of an active touch at the state.
    pub fn of_touch(
        input: &StepInput,
        kinematics: &Kinematics,
        index: usize,
        at: &ContactEvaluation,
    ) -> Self {
        let (state, touch) = (input.state, &input.state.touches[index]);
        let (t, variables) = (state.time, state.touch(index));
        let contact = input.world.contact_at(touch.site);
        let n = at.gap.normal;
        let law = touch.law.tangent(at.delta, at.rate, &touch.memory_at(t, variables.internal));
        let arm = |body: usize| at.gap.point - kinematics.bodies[body].x;
        let mut tangent = Self {
            a: at.a,
            b: at.b,
            arm_a: arm(at.a),
            arm_b: arm(at.b),
            by_displacement: dyadic_product(n, n * -law.stiffness),
            by_velocity: dyadic_product(n, n * -law.damping),
            couple_by_spin: Mat3::default(),
            memory: None,
            works: Some((
                index,
                ContactForces { normal: n * at.force, friction: at.friction, couple: at.couple },
            )),
        };
        let motion =
            TouchMotion { delta: at.delta, rate: at.rate, normal: n, velocity: at.velocity };
        let mut memory = MemoryTangent {
            force: [Vec3::ZERO; REMEMBERED_COUNT],
            by_displacement: [Vec3::ZERO; REMEMBERED_COUNT],
            by_velocity: [Vec3::ZERO; REMEMBERED_COUNT],
            by_memory: [[0.0; REMEMBERED_COUNT]; REMEMBERED_COUNT],
        };
        let by_load = match contact.friction {
            Some(friction) => {
                let load = at.force.max(0.0);
                let force = |motion: &TouchMotion, load: f64, remembered: Vec3| {
                    touch_friction(contact, touch, motion, load, remembered)
                };
                let now = force(&motion, load, variables.friction);
                let (first, second) = n.frame();
                let slip = RELATIVE_INCREMENT
                    * friction.speed_scale(load, &touch.spring, at.delta, at.velocity);
                let change = RELATIVE_INCREMENT
                    * friction.scale(touch.load_scale()).max(variables.friction.length());
                for along in [first, second] {
                    let moved = TouchMotion { velocity: at.velocity + along * slip, ..motion };
                    let then = force(&moved, load, variables.friction);
                    let (by_velocity, rate) = (
                        (then.force - now.force) * (1.0 / slip),
                        (then.rate - now.rate) * (1.0 / slip),
                    );
                    tangent.by_velocity = tangent.by_velocity + dyadic_product(by_velocity, along);
                    let rates = dyadic_product(rate, along);
                    for (sum, row) in memory.by_velocity[1..].iter_mut().zip(rates.0) {
                        *sum += row;
                    }
                    if change > 0.0 && friction.has_memory() {
                        let then = force(&motion, load, variables.friction + along * change);
                        let (by_memory, rate) = (
                            (then.force - now.force) * (1.0 / change),
                            (then.rate - now.rate) * (1.0 / change),
                        );
                        for (sum, along) in
                            memory.force[1..].iter_mut().zip(<[f64; 3]>::from(along))
                        {
                            *sum += by_memory * along;
                        }
                        for (sum, row) in
                            memory.by_memory[1..].iter_mut().zip(dyadic_product(rate, along).0)
                        {
                            for (sum, row) in sum[1..].iter_mut().zip(<[f64; 3]>::from(row)) {
                                *sum += row;
                            }
                        }
                    }
                }
                let more = RELATIVE_INCREMENT * touch.load_scale();
                match load > 0.0 && more > 0.0 {
                    true => {
                        let then = force(&motion, load + more, variables.friction);
                        (
                            (then.force - now.force) * (1.0 / more),
                            (then.rate - now.rate) * (1.0 / more),
                        )
                    }
                    false => (Vec3::ZERO, Vec3::ZERO),
                }
            }
            None => (Vec3::ZERO, Vec3::ZERO),
        };
        // The load of friction is the normal force.
        let load_by_displacement = n * -law.stiffness;
        let load_by_velocity = n * -law.damping;
        tangent.by_displacement =
            tangent.by_displacement + dyadic_product(by_load.0, load_by_displacement);
        tangent.by_velocity = tangent.by_velocity + dyadic_product(by_load.0, load_by_velocity);
        for (i, rate) in <[f64; 3]>::from(by_load.1).into_iter().enumerate() {
            memory.by_displacement[1 + i] += load_by_displacement * rate;
            memory.by_velocity[1 + i] += load_by_velocity * rate;
        }
        if let Some(resistance) = &contact.resistance {
            let load = at.force.max(0.0);
            let now = resistance.couple(load, n, at.spin);
            let change = RELATIVE_INCREMENT * (resistance.speed + at.spin.length());
            let columns = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| {
                (resistance.couple(load, n, at.spin + axis * change) - now) * (1.0 / change)
            });
            tangent.couple_by_spin = Mat3(columns).transposed();
        }
        let has_internal = touch.internal_scale > 0.0;
        if has_internal {
            let memory = &mut memory;
            internal_tangent(touch, &motion, t, &variables, memory);
        }
        if has_internal || contact.friction.is_some_and(|friction| friction.has_memory()) {
            tangent.memory = Some((index, memory));
        }
        tangent
    }

    /// Computes the tangent of a spring element; nothing for other elements or for a spring of zero length.
    pub fn of_element(kinematics: &Kinematics, element: &Element) -> Option<Self> {
        let Element::Spring { a, b, stiffness, damping, length } = element else { return None };
        let arm =
            |anchor: &crate::element::Anchor| kinematics.bodies[anchor.body].q.rotate(anchor.point);
        let (arm_a, arm_b) = (arm(a), arm(b));
        let (p, q) = (kinematics.bodies[a.body].x + arm_a, kinematics.bodies[b.body].x + arm_b);
        let apart = q - p;
        let along = apart.unit()?;
        // Stiffness for displacements perpendicular to the spring: tension over length.
        let across = stiffness * (apart.length() - length) / apart.length();
        let identity = Mat3::diagonal(Vec3::new(1.0, 1.0, 1.0));
        let by_displacement =
            dyadic_product(along, along * (across - stiffness)) + scaled(identity, -across);
        Some(Self {
            a: a.body,
            b: b.body,
            arm_a,
            arm_b,
            by_displacement,
            by_velocity: dyadic_product(along, along * -damping),
            couple_by_spin: Mat3::default(),
            memory: None,
            works: None,
        })
    }

    /// Eliminates the memory of the touch, for stages with the coefficient γh.
    pub fn eliminate(&self, gamma_h: f64) -> EliminatedForce {
        let mut by_displacement = self.by_displacement;
        let mut by_velocity = self.by_velocity;
        let mut inverse = None;
        if let Some((_, memory)) = &self.memory {
            let mut matrix = [[0.0; REMEMBERED_COUNT]; REMEMBERED_COUNT];
            for (i, row) in matrix.iter_mut().enumerate() {
                for (j, entry) in row.iter_mut().enumerate() {
                    *entry = f64::from(u8::from(i == j)) - gamma_h * memory.by_memory[i][j];
                }
            }
            let lu = Lu::new(matrix, REMEMBERED_COUNT);
            for axis in 0..3 {
                let unit = [Vec3::X, Vec3::Y, Vec3::Z][axis];
                let force = |rates: &[Vec3; REMEMBERED_COUNT]| {
                    let mut remembered = rates.map(|rate| gamma_h * rate.dot(unit));
                    lu.solve(&mut remembered);
                    memory.force_of(&remembered)
                };
                by_displacement =
                    by_displacement + dyadic_product(force(&memory.by_displacement), unit);
                by_velocity = by_velocity + dyadic_product(force(&memory.by_velocity), unit);
            }
            inverse = Some(lu);
        }
        EliminatedForce {
            by_velocity: by_velocity + scaled(by_displacement, gamma_h),
            by_displacement,
            inverse,
            gamma_h,
        }
    }

    /// Returns the change of the force on b that follows from residuals of the displacement and of the remembered variables.
    pub fn force_of_residuals(
        &self,
        eliminated: &EliminatedForce,
        displacement: Vec3,
        mut remembered: RememberedVariables,
    ) -> Vec3 {
        let force = eliminated.by_displacement.of(displacement);
        match (&self.memory, &eliminated.inverse) {
            (Some((_, memory)), Some(lu)) => {
                lu.solve(&mut remembered);
                force + memory.force_of(&remembered)
            }
            _ => force,
        }
    }
}

impl MemoryTangent {
    fn force_of(&self, remembered: &RememberedVariables) -> Vec3 {
        let parts = self.force.iter().zip(remembered);
        parts.fold(Vec3::ZERO, |sum, (force, by)| sum + *force * *by)
    }

    /// Returns the correction of the remembered variables that follows from their residual and the corrections of displacement
    /// and velocity.
    pub fn correction(
        &self,
        eliminated: &EliminatedForce,
        residual: RememberedVariables,
        displacement: Vec3,
        velocity: Vec3,
    ) -> RememberedVariables {
        let mut remembered = residual;
        for (i, value) in remembered.iter_mut().enumerate() {
            let rate =
                self.by_displacement[i].dot(displacement) + self.by_velocity[i].dot(velocity);
            *value += eliminated.gamma_h * rate;
        }
        if let Some(lu) = &eliminated.inverse {
            lu.solve(&mut remembered);
        }
        remembered
    }
}

/// Adds the derivatives that involve the internal state of a law, by difference quotients.
fn internal_tangent(
    touch: &Touch,
    motion: &TouchMotion,
    t: f64,
    variables: &TouchVariables,
    memory: &mut MemoryTangent,
) {
    let at = |delta: f64, rate: f64, internal: f64| {
        touch.force_and_internal_rate((delta, rate), t, internal)
    };
    let now = at(motion.delta, motion.rate, variables.internal);
    let n = motion.normal;
    let change = RELATIVE_INCREMENT * touch.internal_scale.max(variables.internal.abs());
    let then = at(motion.delta, motion.rate, variables.internal + change);
    memory.force[0] = n * ((then.0 - now.0) / change);
    memory.by_memory[0][0] = (then.1 - now.1) / change;
    let deeper = RELATIVE_INCREMENT * touch.indentation_scale;
    let then = at(motion.delta + deeper, motion.rate, variables.internal);
    memory.by_displacement[0] = n * -((then.1 - now.1) / deeper);
    let faster = RELATIVE_INCREMENT * touch.speed.max(motion.rate.abs()).max(1e-6);
    let then = at(motion.delta, motion.rate + faster, variables.internal);
    memory.by_velocity[0] = n * -((then.1 - now.1) / faster);
}
