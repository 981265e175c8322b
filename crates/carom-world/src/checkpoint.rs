//! Checkpoints: a state as plain data, exact to the last bit, and back.
//!
//! Numbers are kept as their 64 bits under their names, so that a run that is stopped and resumed is the run that was never
//! stopped. What numbers a state, a touch or a note has is said once each (`numbers`), for writing and for
//! reading. Laws are not kept: they follow from the world and the effective mass of each touch.

use crate::math::Vec3;
use crate::note::Note;
use crate::state::{Account, Counts, Peak, Phase, State, Touch};
use crate::world::World;
use carom::law::Memory;
use carom::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A number by its bits.
type Bits = u64;
/// Numbers by their names.
type Numbers = BTreeMap<String, Bits>;

/// A state as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// Numbers of the whole state.
    numbers: Numbers,
    /// The state vector.
    y: Vec<Bits>,
    touches: Vec<SavedTouch>,
    accounts: Vec<SavedAccount>,
    counts: Counts,
    /// Sites without a touch.
    is_open: Vec<bool>,
    /// Normals of the sites where the last step began.
    normals: Vec<[Bits; 3]>,
    notes: Vec<SavedNote>,
}

/// Losses of a contact, and how many touches have ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedAccount {
    normal: Bits,
    friction: Bits,
    ended: usize,
}

/// A note: its kind, and its subject (contact, body, joint, or how many constraints).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedNote {
    kind: NoteKind,
    subject: usize,
    numbers: Numbers,
}

/// Kinds of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum NoteKind {
    SpeedFloor,
    Redundant,
    Energy,
    Overlap,
    Deep,
    Through,
    Start,
    Gain,
    JointJump,
    BodyJump,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedTouch {
    site: usize,
    active: bool,
    loading: bool,
    slipping: bool,
    /// Effective mass, from which the law follows.
    mass: Bits,
    curvatures: Option<(Bits, Bits)>,
    numbers: Numbers,
}

/// Keeps numbers by name.
fn keep<'a>(numbers: impl IntoIterator<Item = (&'static str, &'a mut f64)>) -> Numbers {
    numbers.into_iter().map(|(name, value)| (name.to_string(), value.to_bits())).collect()
}

/// Takes back numbers that were kept; nothing where one is missing.
fn take_back<'a>(
    numbers: impl IntoIterator<Item = (&'static str, &'a mut f64)>,
    kept: &Numbers,
) -> Option<()> {
    for (name, value) in numbers {
        *value = f64::from_bits(*kept.get(name)?);
    }
    Some(())
}

impl State {
    /// The numbers of the whole state, besides the state vector.
    fn numbers(&mut self) -> [(&'static str, &mut f64); 5] {
        [
            ("time", &mut self.time),
            ("next_step", &mut self.step),
            ("initial_energy", &mut self.initial),
            ("largest_speed", &mut self.largest_speed),
            ("largest_kinetic_energy", &mut self.largest_kinetic),
        ]
    }
}

impl Touch {
    /// The numbers of a touch, besides its effective mass and curvatures.
    fn numbers(&mut self) -> [(&'static str, &mut f64); 27] {
        let Self { memory, deepest, strongest, released, spring, normal, .. } = self;
        [
            ("memory.speed", &mut memory.speed),
            ("memory.damping", &mut memory.damping),
            ("memory.peak", &mut memory.peak),
            ("memory.time", &mut memory.time),
            ("memory.internal", &mut memory.internal),
            ("begun", &mut self.begun),
            ("speed", &mut self.speed),
            ("delta", &mut self.delta),
            ("rate", &mut self.rate),
            ("deepest.value", &mut deepest.value),
            ("deepest.time", &mut deepest.time),
            ("strongest.value", &mut strongest.value),
            ("strongest.time", &mut strongest.time),
            ("released.value", &mut released.value),
            ("released.time", &mut released.time),
            ("indentation_scale", &mut self.indentation_scale),
            ("force_rate", &mut self.force_rate),
            ("internal_scale", &mut self.internal_scale),
            ("stored_before", &mut self.stored_before),
            ("spring.constant", &mut spring.constant),
            ("spring.root", &mut spring.root),
            ("spring.damping", &mut spring.damping),
            ("spring.relative", &mut spring.relative),
            ("normal.x", &mut normal.x),
            ("normal.y", &mut normal.y),
            ("normal.z", &mut normal.z),
            ("offset", &mut self.offset),
        ]
    }

    fn save(&self) -> SavedTouch {
        SavedTouch {
            site: self.site,
            active: self.phase == Phase::Active,
            loading: self.loading,
            slipping: self.slipping,
            mass: self.law.mass.to_bits(),
            curvatures: self.curvatures.map(|(a, b)| (a.to_bits(), b.to_bits())),
            numbers: keep(self.clone().numbers()),
        }
    }

    /// The touch that was saved; nothing where it does not fit the world.
    fn restore(world: &World, saved: &SavedTouch) -> Option<Self> {
        let contact = &world.contacts[world.sites.get(saved.site)?.contact];
        let curvatures = saved.curvatures.map(|(a, b)| (f64::from_bits(a), f64::from_bits(b)));
        let mut touch = Self {
            site: saved.site,
            phase: if saved.active { Phase::Active } else { Phase::Released },
            loading: saved.loading,
            slipping: saved.slipping,
            law: contact.law_source.law(f64::from_bits(saved.mass), curvatures).ok()?,
            curvatures,
            memory: Memory::default(),
            begun: 0.0,
            speed: 0.0,
            delta: 0.0,
            rate: 0.0,
            deepest: Peak::default(),
            strongest: Peak::default(),
            released: Peak::default(),
            indentation_scale: 0.0,
            force_rate: 0.0,
            internal_scale: 0.0,
            stored_before: 0.0,
            spring: Default::default(),
            normal: Vec3::ZERO,
            offset: 0.0,
        };
        take_back(touch.numbers(), &saved.numbers)?;
        Some(touch)
    }
}

impl State {
    /// The state as plain data.
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
        let account = |a: &Account| SavedAccount {
            normal: a.normal.to_bits(),
            friction: a.friction.to_bits(),
            ended: a.ended,
        };
        Saved {
            numbers: keep(self.clone().numbers()),
            y: self.y.iter().map(|y| y.to_bits()).collect(),
            touches: self.touches.iter().map(Touch::save).collect(),
            accounts: self.accounts.iter().map(account).collect(),
            counts: self.counts,
            is_open: self.is_open.clone(),
            normals: self.normals.iter().map(|n| [n.x, n.y, n.z].map(f64::to_bits)).collect(),
            notes: self.notes.iter().map(save_note).collect(),
        }
    }

    /// The state that was saved, for the same world.
    ///
    /// # Errors
    /// When the data do not fit the world.
    pub fn restore(world: &World, saved: &Saved) -> Result<Self> {
        Self::fitting(world, saved).ok_or_else(|| {
            let advice = "resume with the scene that was stopped, unchanged";
            Error::unsupported("a checkpoint of another scene", advice)
        })
    }

    /// The state that was saved; nothing where it does not fit the world.
    fn fitting(world: &World, saved: &Saved) -> Option<Self> {
        let mut state = State::as_added(world);
        let fits = saved.y.len() == state.layout.len(saved.touches.len())
            && saved.is_open.len() == world.sites.len()
            && saved.normals.len() == state.normals.len()
            && saved.accounts.len() == world.contacts.len();
        if !fits {
            return None;
        }
        take_back(state.numbers(), &saved.numbers)?;
        state.y = saved.y.iter().map(|&bits| f64::from_bits(bits)).collect();
        state.is_open.clone_from(&saved.is_open);
        state.counts = saved.counts;
        for (normal, bits) in state.normals.iter_mut().zip(&saved.normals) {
            let [x, y, z] = bits.map(f64::from_bits);
            *normal = Vec3::new(x, y, z);
        }
        for (account, saved) in state.accounts.iter_mut().zip(&saved.accounts) {
            let [normal, friction] = [saved.normal, saved.friction].map(f64::from_bits);
            *account = Account { normal, friction, ended: saved.ended };
        }
        let notes = saved.notes.iter().map(|note| restore_note(world, note));
        state.notes = notes.collect::<Option<_>>()?;
        let touches = saved.touches.iter().map(|touch| Touch::restore(world, touch));
        state.touches = touches.collect::<Option<_>>()?;
        Some(state)
    }
}

/// Kind, subject and numbers of a note.
fn note_parts(note: &mut Note) -> (NoteKind, usize, Vec<(&'static str, &mut f64)>) {
    match note {
        Note::SpeedFloor { contact, speed, floor, time, .. } => (
            NoteKind::SpeedFloor,
            *contact,
            vec![("speed", speed), ("floor", floor), ("time", time)],
        ),
        Note::Redundant { rows } => (NoteKind::Redundant, *rows, vec![]),
        Note::Energy { error, allowed } => {
            (NoteKind::Energy, 0, vec![("error", error), ("allowed", allowed)])
        }
        Note::Overlap { contact, indentation, .. } => {
            (NoteKind::Overlap, *contact, vec![("indentation", indentation)])
        }
        Note::Deep { contact, indentation, smooth, time, .. } => (
            NoteKind::Deep,
            *contact,
            vec![("indentation", indentation), ("smooth", smooth), ("time", time)],
        ),
        Note::Through { contact, indentation, limit, time, .. } => (
            NoteKind::Through,
            *contact,
            vec![("indentation", indentation), ("limit", limit), ("time", time)],
        ),
        Note::Start { body, before, after, .. } => {
            (NoteKind::Start, *body, vec![("before", before), ("after", after)])
        }
        Note::Gain { contact, gained, .. } => (NoteKind::Gain, *contact, vec![("gained", gained)]),
        Note::Jump { joint, index, change, time, .. } => (
            if *joint { NoteKind::JointJump } else { NoteKind::BodyJump },
            *index,
            vec![("change", change), ("time", time)],
        ),
    }
}

fn save_note(note: &Note) -> SavedNote {
    let mut note = note.clone();
    let (kind, subject, numbers) = note_parts(&mut note);
    SavedNote { kind, subject, numbers: keep(numbers) }
}

/// The note that was saved; nothing where the world has no such subject. Names follow from the world.
fn restore_note(world: &World, saved: &SavedNote) -> Option<Note> {
    let subject = saved.subject;
    let contact = || world.contacts.get(subject).map(|contact| contact.name.clone());
    let body = || world.bodies.get(subject).map(|body| body.name.clone());
    let joint = || world.joints.get(subject).map(|joint| joint.name.clone());
    let (index, time, indentation) = (subject, 0.0, 0.0);
    let mut note = match saved.kind {
        NoteKind::SpeedFloor => {
            Note::SpeedFloor { contact: index, name: contact()?, speed: 0.0, floor: 0.0, time }
        }
        NoteKind::Redundant => Note::Redundant { rows: subject },
        NoteKind::Energy => Note::Energy { error: 0.0, allowed: 0.0 },
        NoteKind::Overlap => Note::Overlap { contact: index, name: contact()?, indentation },
        NoteKind::Deep => {
            Note::Deep { contact: index, name: contact()?, indentation, smooth: 0.0, time }
        }
        NoteKind::Through => {
            Note::Through { contact: index, name: contact()?, indentation, limit: 0.0, time }
        }
        NoteKind::Start => Note::Start { body: index, name: body()?, before: 0.0, after: 0.0 },
        NoteKind::Gain => Note::Gain { contact: index, name: contact()?, gained: 0.0 },
        NoteKind::JointJump => Note::Jump { joint: true, index, name: joint()?, change: 0.0, time },
        NoteKind::BodyJump => Note::Jump { joint: false, index, name: body()?, change: 0.0, time },
    };
    take_back(note_parts(&mut note).2, &saved.numbers)?;
    Some(note)
}

#[cfg(test)]
mod tests {
    use crate::{Run, Scene, State};

    /// Steps a scene whole and in pieces, stopped after every few steps.
    fn whole_and_in_pieces(text: &str, steps: usize, every: usize) {
        let scene = Scene::parse(text, &|_| Err("none".into())).unwrap();
        let mut whole = Run::new(&scene.world).unwrap();
        let mut pieces = Run::new(&scene.world).unwrap();
        for step in 0..steps {
            whole.step(1.0, &mut ()).unwrap();
            pieces.step(1.0, &mut ()).unwrap();
            if step % every == 0 {
                let saved = pieces.state().save();
                let state = State::restore(&scene.world, &saved).unwrap();
                pieces = Run::resume(&scene.world, state);
                // The evaluation on resuming is not one of the run.
                let (one, two) = (whole.state().save(), pieces.state().save());
                assert_eq!((one.y, one.normals), (two.y, two.normals), "{step}");
                assert_eq!(whole.state().time, pieces.state().time);
            }
        }
        assert!(whole.state().accounts().iter().all(|account| account.ended > 0), "all touched");
    }

    const EGG: &str = r#"
        [simulation]
        duration = 1
        gravity = 9.81
        [[body]]
        name = "egg"
        shape = "ellipsoid"
        semi_axes = ["2 cm", "3 cm", "4 cm"]
        youngs = "1 MPa"
        poisson = 0.3
        density = 1000
        position = [0, 0, 0.06]
        spin = [3, 1, 0]
        [ground]
        youngs = "1 MPa"
        poisson = 0.3
        [[contact]]
        between = ["egg", "ground"]
        law = "flores-2011"
        restitution = 0.7
    "#;

    #[test]
    fn a_run_that_is_stopped_anywhere_is_the_run_that_was_not() {
        let friction = r#"friction = { law = "spring", coefficient = 0.3, stiffness = "1 kN/m" }"#;
        whole_and_in_pieces(&format!("{EGG}{friction}"), 400, 7);
    }

    /// Laws that remember nothing are not evaluated again after a step, unless it was searched for its peaks.
    #[test]
    fn so_is_one_without_friction_after_its_peaks() {
        for tolerance in ["1e-3", "1e-4", "1e-5", "1e-6", "1e-8"] {
            let said = format!("tolerance = {tolerance}\n        gravity");
            whole_and_in_pieces(&EGG.replace("gravity", &said), 60, 1);
        }
    }

    /// Normals that are sought begin where they were when the step began.
    #[test]
    fn so_is_one_of_ellipsoids() {
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
        whole_and_in_pieces(&format!("{EGG}{second}"), 300, 1);
    }
}
