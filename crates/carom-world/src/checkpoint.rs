//! Checkpoints: conversion of a state to plain data, exact to the last bit, and back.
//!
//! A run that is stopped and resumed gives exactly the same results as one that is not stopped. Laws are not saved, because
//! they follow from the world and the effective mass of each touch.

use crate::bits::{Number, SavedColumns, VECTOR, numbers};
use crate::impact_class::ImpactClass;
use crate::joint::JointMemory;
use crate::note::Note;
use crate::state::{Account, Counts, Pace, Phase, RIGID_TOUCH, RigidTouch, State, Touch, Windows};
use crate::world::World;
use carom::{Error, Result};
use serde::{Deserialize, Serialize};

/// A state as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// Numbers of the whole state.
    numbers: SavedColumns,
    /// The state vector.
    y: Vec<u64>,
    touches: Vec<SavedTouch>,
    touch_numbers: SavedColumns,
    joints: Vec<JointMemory>,
    held_efforts: Vec<u64>,
    /// Site and class of the touches of rigid bodies.
    rigid_touches: Vec<(usize, usize)>,
    rigid_touch_numbers: SavedColumns,
    accounts: Vec<Account>,
    counts: Counts,
    /// Integrator of the next step.
    pace: Pace,
    windows: Windows,
    /// Whether each site is open, without a touch.
    is_open: Vec<bool>,
    /// Normals of the sites at the beginning of the last step.
    normals: SavedColumns,
    notes: Vec<Note>,
}

/// A touch without its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedTouch {
    site: usize,
    /// Number of the class of impact.
    class: usize,
    phase: Phase,
    loading: bool,
    slipping: bool,
    /// Effective mass, from which the law follows.
    #[serde(with = "crate::bits")]
    mass: f64,
    /// Curvatures, by their bits.
    curvatures: Option<(u64, u64)>,
}

/// Numbers of the whole state, in addition to the state vector.
const STATE: &[Number<State>] = numbers! {
    time, "next_step" => step, "initial_energy" => initial, largest_speed, "largest_kinetic_energy" => largest_kinetic, overlap_max
};

/// Numbers of a touch, in addition to its effective mass and curvatures.
pub(crate) const TOUCH: &[Number<Touch>] = numbers! {
    memory.speed, memory.damping, memory.peak, memory.time, memory.internal,
    begun, speed, delta, rate, offset, normal.x, normal.y, normal.z,
    deepest.value, deepest.time, strongest.value, strongest.time, released.speed, released.time,
    indentation_scale, force_rate, internal_scale, stored_before,
    spring.constant, spring.root, spring.damping, spring.relative
};

/// Returns the error that a checkpoint belongs to another scene.
pub(crate) fn another_scene() -> Error {
    let advice = "resume with the scene that was stopped, unchanged";
    Error::unsupported("a checkpoint of another scene", advice)
}

impl SavedTouch {
    fn of(touch: &Touch) -> Self {
        Self {
            site: touch.site,
            class: touch.class.number(),
            phase: touch.phase,
            loading: touch.loading,
            slipping: touch.slipping,
            mass: touch.law.mass,
            curvatures: touch.curvatures.map(|(a, b)| (a.to_bits(), b.to_bits())),
        }
    }

    /// Creates the touch without its numbers, which are written later; none if it does not fit the world.
    fn restore(&self, world: &World) -> Option<Touch> {
        let contact = &world.contacts[world.sites.get(self.site)?.contact];
        let curvatures = self.curvatures.map(|(a, b)| (f64::from_bits(a), f64::from_bits(b)));
        let law = contact.law_source.law(self.mass, curvatures).ok()?;
        let &Self { site, phase, loading, slipping, .. } = self;
        let class = ImpactClass::numbered(self.class);
        Some(Touch { class, phase, loading, slipping, ..Touch::new(site, law, curvatures) })
    }
}

impl State {
    /// Returns the state as plain data.
    ///
    /// ```
    /// use carom_world::{Run, State, World};
    /// let world = World::default();
    /// let run = Run::new(&world)?;
    /// let saved = run.state().save();
    /// assert_eq!(State::restore(&world, &saved)?.save(), saved);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn save(&self) -> Saved {
        Saved {
            numbers: SavedColumns::of(std::slice::from_ref(self), STATE),
            y: self.y.iter().map(|y| y.to_bits()).collect(),
            touches: self.touches.iter().map(SavedTouch::of).collect(),
            touch_numbers: SavedColumns::of(&self.touches, TOUCH),
            joints: self.joints.clone(),
            held_efforts: self.held_efforts.iter().map(|effort| effort.to_bits()).collect(),
            rigid_touches: self.rigid_touches.iter().map(|t| (t.site, t.class.number())).collect(),
            rigid_touch_numbers: SavedColumns::of(&self.rigid_touches, RIGID_TOUCH),
            accounts: self.accounts.clone(),
            counts: self.counts,
            pace: self.pace,
            windows: self.windows.clone(),
            is_open: self.is_open.clone(),
            normals: SavedColumns::of(&self.normals, VECTOR),
            notes: self.notes.clone(),
        }
    }

    /// Restores a saved state, for the same world.
    ///
    /// # Errors
    /// When the data do not fit the world.
    pub fn restore(world: &World, saved: &Saved) -> Result<Self> {
        Self::try_restore(world, saved).ok_or_else(another_scene)
    }

    /// Restores a saved state; none if it does not fit the world.
    fn try_restore(world: &World, saved: &Saved) -> Option<Self> {
        let mut state = State::as_added(world);
        let fits = saved.y.len() == state.layout.len(saved.touches.len())
            && saved.is_open.len() == world.sites.len()
            && saved.accounts.len() == world.contacts.len()
            && saved.joints.len() == world.joints.len()
            && saved.held_efforts.len() == state.held_efforts.len()
            && saved.windows.paces.len() == world.free.len();
        if !fits {
            return None;
        }
        saved.numbers.write(std::slice::from_mut(&mut state), STATE)?;
        saved.normals.write(&mut state.normals, VECTOR)?;
        let touches = saved.touches.iter().map(|touch| touch.restore(world));
        state.touches = touches.collect::<Option<_>>()?;
        saved.touch_numbers.write(&mut state.touches, TOUCH)?;
        state.joints.clone_from(&saved.joints);
        state.held_efforts = saved.held_efforts.iter().map(|&bits| f64::from_bits(bits)).collect();
        let rigid = |&(site, class): &(usize, usize)| {
            let class = ImpactClass::numbered(class);
            (site < world.sites.len()).then(|| RigidTouch { site, class, ..RigidTouch::default() })
        };
        state.rigid_touches = saved.rigid_touches.iter().map(rigid).collect::<Option<_>>()?;
        saved.rigid_touch_numbers.write(&mut state.rigid_touches, RIGID_TOUCH)?;
        state.y = saved.y.iter().map(|&bits| f64::from_bits(bits)).collect();
        state.is_open.clone_from(&saved.is_open);
        state.accounts.clone_from(&saved.accounts);
        state.notes.clone_from(&saved.notes);
        state.counts = saved.counts;
        state.pace = saved.pace;
        state.windows.clone_from(&saved.windows);
        Some(state)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::integrator::Method;
    use crate::joint::{JointFrictionState, JointMemory};
    use crate::{Phase, Run, Scene, State};

    /// Runs a scene without interruption, and again in pieces that are saved and resumed after every few steps, until its end
    /// or for a number of steps. `watch` is called with the states before and after each step. Returns the final state.
    pub(crate) fn whole_and_in_pieces(
        text: &str,
        steps: usize,
        every: usize,
        mut watch: impl FnMut(&State, &State),
    ) -> State {
        let scene = Scene::parse(text, &|_| Err("none".into())).unwrap();
        let mut whole = Run::new(&scene.world).unwrap();
        let mut pieces = Run::new(&scene.world).unwrap();
        let mut step = 0;
        while step < steps && whole.state().time < scene.duration {
            let before = whole.state().clone();
            whole.step(scene.duration, &mut ()).unwrap();
            pieces.step(scene.duration, &mut ()).unwrap();
            let saved = pieces.state().save();
            assert_eq!(whole.state().save(), saved, "{step}");
            if step % every == 0 {
                let state = State::restore(&scene.world, &saved).unwrap();
                pieces = Run::resume(&scene.world, state);
            }
            watch(&before, whole.state());
            step += 1;
        }
        whole.state
    }

    fn all_touched(state: &State) -> bool {
        state.accounts().iter().all(|account| account.ended > 0)
    }

    const EGG: &str = r#"
        simulation = { duration = 1, gravity = 9.81 }
        ground = { youngs = "1 MPa", poisson = 0.3 }
        [[body]]
        name = "egg"
        shape = "ellipsoid"
        semi_axes = ["2 cm", "3 cm", "4 cm"]
        youngs = "1 MPa"
        poisson = 0.3
        density = 1000
        position = [0, 0, 0.06]
        spin = [3, 1, 0]
        [[contact]]
        between = ["egg", "ground"]
        law = "flores-2011"
        restitution = 0.7
    "#;

    #[test]
    fn a_run_is_resumed_exactly_after_any_step() {
        let friction = r#"friction = { law = "spring", coefficient = 0.3, stiffness = "1 kN/m" }"#;
        let text = format!("{EGG}{friction}");
        assert!(all_touched(&whole_and_in_pieces(&text, 400, 7, |_, _| ())));
    }

    /// With laws without memory, the equations are not evaluated again after a step, unless the step was searched for its
    /// peaks.
    #[test]
    fn a_run_without_friction_is_resumed_exactly_after_its_peaks() {
        for tolerance in ["1e-3", "1e-4", "1e-5", "1e-6", "1e-8"] {
            let text = EGG.replace("gravity", &format!("tolerance = {tolerance}, gravity"));
            assert!(all_touched(&whole_and_in_pieces(&text, 60, 1, |_, _| ())));
        }
    }

    /// A block that lands on a corner, comes to rest and falls asleep: the data with which the implicit pair takes over are
    /// part of the state.
    #[test]
    fn a_run_in_lasting_contact_is_resumed_exactly() {
        let text = r#"
            simulation = { duration = 20, gravity = 9.81, tolerance = 1e-6 }
            body = [{ name = "block", shape = "box", size = [0.1, 0.08, 0.06], density = 1000, position = [0, 0, 0.04],
                rotation = { axis = [1, 2, 0], angle = 0.1 } }]
            contact = [{ between = ["block", "ground"], law = "kelvin-voigt-1865", stiffness = 1e5, exponent = 1,
                restitution = 0.3, calibration = "exact", friction = { coefficient = 0.4 } }]
        "#;
        let mut implicit = 0;
        let state = whole_and_in_pieces(text, usize::MAX, 1, |_, after| {
            implicit += usize::from(after.pace.method == Method::Implicit);
        });
        assert!(implicit > 0, "{implicit} implicit steps");
        assert!(state.touches.iter().all(|touch| touch.phase == Phase::Asleep));
    }

    /// A driven hammer, a ball that it hits, and an ellipsoid that is hit by the ball.
    #[test]
    fn a_run_of_driven_bodies_is_resumed_exactly() {
        let text = r#"
            simulation = { duration = 0.4, gravity = 9.81, tolerance = 1e-7 }
            ground = { youngs = "1 MPa", poisson = 0.3 }
            body = [
                { name = "ball", shape = "sphere", radius = "2 cm", youngs = "1 MPa", poisson = 0.3, density = 1000,
                    position = [-0.07, 0, 0.021], velocity = [-0.3, 0, -0.2] },
                { name = "egg", shape = "ellipsoid", semi_axes = ["2 cm", "3 cm", "2.5 cm"], youngs = "1 MPa",
                    poisson = 0.3, density = 1000, position = [-0.02, 0, 0.04], spin = [3, 1, 0] },
                { name = "hammer", shape = "box", size = ["2 cm", "4 cm", "4 cm"], youngs = "1 MPa", poisson = 0.3,
                    density = 2000, position = [-0.12, 0, 0.05] },
            ]
            joint = [{ name = "hinge", kind = "revolute", between = ["hammer", "ground"], point = [-0.12, 0, 0.15],
                axis = [0, 1, 0], angle = { amplitude = 0.9, frequency = "15 rad/s" } }]
            contact = [
                { between = ["ball", "ground"], law = "tsuji-1992", restitution = 0.6,
                    friction = { law = "spring", coefficient = 0.3, stiffness = "1 kN/m" } },
                { between = ["egg", "ground"], law = "hunt-crossley-1975", restitution = 0.5,
                    friction = { coefficient = 0.2 } },
                { between = ["egg", "ball"], law = "flores-2011", restitution = 0.5 },
                { between = ["hammer", "ball"], law = "tsuji-1992", stiffness = "1e5 N/m^1.5", exponent = 1.5,
                    restitution = 0.5 },
            ]
        "#;
        assert!(all_touched(&whole_and_in_pieces(text, usize::MAX, 1, |_, _| ())));
    }

    /// A wheel on a bearing with dry friction slides, stops and is held.
    #[test]
    fn a_run_of_a_joint_with_friction_is_resumed_exactly() {
        let text = r#"
            simulation = { duration = 2 }
            body = [{ name = "wheel", mass = 1, inertia = [0.01, 0.01, 0.01], spin = [0, 0, 3] }]
            joint = [{ kind = "revolute", between = ["wheel", "ground"], axis = [0, 0, 1], friction = { coulomb = 0.02 } }]
        "#;
        let (mut slides, mut is_held) = (false, false);
        whole_and_in_pieces(text, usize::MAX, 1, |_, after| {
            let JointMemory { angle, friction } = after.joints[0];
            slides |= friction == JointFrictionState::Sliding(1.0);
            is_held |= friction == JointFrictionState::Held(angle);
        });
        assert!(slides && is_held);
    }

    /// The search for the normal of two ellipsoids starts from that at the beginning of the step, which is part of the state.
    #[test]
    fn a_run_of_two_ellipsoids_is_resumed_exactly() {
        let second = r#"
            [[body]]
            name = "other"
            shape = "ellipsoid"
            semi_axes = ["3 cm", "2 cm", "2.5 cm"]
            youngs = "1 MPa"
            poisson = 0.3
            density = 1000
            position = ["5 mm", "2 mm", 0.14]
            velocity = [0, 0, -0.5]
            spin = [0, 2, 1]
            [[contact]]
            between = ["egg", "other"]
            law = "flores-2011"
            restitution = 0.7
        "#;
        let text = format!("{EGG}{second}");
        assert!(all_touched(&whole_and_in_pieces(&text, 300, 1, |_, _| ())));
    }
}
