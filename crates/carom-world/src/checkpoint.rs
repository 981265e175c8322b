//! Checkpoints: a state as plain data, exact to the last bit, and back.
//!
//! Numbers are kept as their 64 bits, so that a run that is stopped and resumed is the run that was never
//! stopped. Laws are not kept: they follow from the world and the effective mass of each touch.

use crate::friction::Spring;
use crate::math::Vec3;
use crate::note::Note;
use crate::state::{Account, Counts, Phase, State, TOUCH, Touch};
use crate::world::World;
use carom::law::Memory;
use carom::{Error, Result};
use serde::{Deserialize, Serialize};

/// A number by its bits.
type Bits = u64;

/// A state as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// Numbers of the whole state: time, next step, initial energy, largest speed and kinetic energy.
    scalars: [Bits; 5],
    y: Vec<Bits>,
    touches: Vec<SavedTouch>,
    /// Normal and friction losses and the number of touches ended, by contact.
    accounts: Vec<(Bits, Bits, usize)>,
    counts: [u64; 3],
    open: Vec<bool>,
    /// Normals of the sites.
    #[serde(default)]
    normals: Vec<[Bits; 3]>,
    /// What was noted so far.
    notes: Vec<SavedNote>,
}

/// Kind of a note, its contact (or how many rows), and its numbers.
type SavedNote = (u8, usize, [Bits; 3]);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedTouch {
    site: usize,
    flags: [bool; 3],
    numbers: Vec<Bits>,
    curvatures: Option<(Bits, Bits)>,
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
        let scalars = [self.time, self.step, self.initial, self.fastest, self.liveliest];
        let scalars = scalars.map(f64::to_bits);
        let touch = |t: &Touch| SavedTouch {
            site: t.site,
            flags: [t.phase == Phase::Pushing, t.loading, t.slipping],
            numbers: t.numbers().into_iter().map(f64::to_bits).collect(),
            curvatures: t.curvatures.map(|(a, b)| (a.to_bits(), b.to_bits())),
        };
        let account = |a: &Account| (a.normal.to_bits(), a.friction.to_bits(), a.ended);
        Saved {
            scalars,
            y: self.y.iter().map(|y| y.to_bits()).collect(),
            touches: self.touches.iter().map(touch).collect(),
            accounts: self.accounts.iter().map(account).collect(),
            counts: [self.counts.steps, self.counts.refused, self.counts.evaluations],
            open: self.open.clone(),
            normals: self.normals.iter().map(|n| [n.x, n.y, n.z].map(f64::to_bits)).collect(),
            notes: self.notes.iter().map(note).collect(),
        }
    }

    /// The state that was saved, for the same world.
    ///
    /// # Errors
    /// When the data do not fit the world.
    pub fn restore(world: &World, saved: &Saved) -> Result<Self> {
        let mut state = State::bare(world);
        let fits = saved.y.len() == state.layout.touch(0) + TOUCH * saved.touches.len()
            && saved.open.len() == world.sites.len()
            && saved.normals.len() == state.normals.len()
            && saved.accounts.len() == world.contacts.len()
            && saved
                .touches
                .iter()
                .all(|t| t.site < world.sites.len() && t.numbers.len() == NUMBERS);
        let other = || {
            let advice = "resume with the scene that was stopped, unchanged";
            Error::unsupported("a checkpoint of another scene", advice)
        };
        if !fits {
            return Err(other());
        }
        let [time, step, initial, fastest, liveliest] = saved.scalars.map(f64::from_bits);
        (state.time, state.step, state.initial) = (time, step, initial);
        (state.fastest, state.liveliest) = (fastest, liveliest);
        state.y = saved.y.iter().map(|&bits| f64::from_bits(bits)).collect();
        state.open.clone_from(&saved.open);
        for (normal, bits) in state.normals.iter_mut().zip(&saved.normals) {
            let [x, y, z] = bits.map(f64::from_bits);
            *normal = Vec3::new(x, y, z);
        }
        for (account, &(normal, friction, ended)) in state.accounts.iter_mut().zip(&saved.accounts)
        {
            let (normal, friction) = (f64::from_bits(normal), f64::from_bits(friction));
            *account = Account { normal, friction, ended };
        }
        let [steps, refused, evaluations] = saved.counts;
        state.counts = Counts { steps, refused, evaluations };
        for saved in &saved.notes {
            state.notes.push(noted(world, saved).ok_or_else(other)?);
        }
        for touch in &saved.touches {
            let contact = &world.contacts[world.sites[touch.site].contact];
            let n: Vec<f64> = touch.numbers.iter().map(|&bits| f64::from_bits(bits)).collect();
            let curvatures = touch.curvatures.map(|(a, b)| (f64::from_bits(a), f64::from_bits(b)));
            let [pushing, loading, slipping] = touch.flags;
            state.touches.push(Touch {
                site: touch.site,
                phase: if pushing { Phase::Pushing } else { Phase::Idle },
                loading,
                slipping,
                law: contact.law_source.law(n[0], curvatures)?,
                memory: Memory {
                    speed: n[1],
                    damping: n[2],
                    peak: n[3],
                    time: n[4],
                    internal: n[5],
                },
                curvatures,
                begun: n[6],
                speed: n[7],
                delta: n[8],
                deepest: (n[9], n[10]),
                strongest: (n[11], n[12]),
                scale: n[13],
                trend: n[14],
                released: (n[15], n[16]),
                internal: n[17],
                stored_before: n[18],
                rate: n[19],
                spring: Spring { constant: n[20], root: n[21], damping: n[22], relative: n[23] },
                normal: Vec3::new(n[24], n[25], n[26]),
                offset: n[27],
            });
        }
        Ok(state)
    }
}

/// A note as plain data; names follow from the world.
fn note(note: &Note) -> SavedNote {
    let (kind, subject, numbers) = match *note {
        Note::SpeedFloor { contact, speed, floor, time, .. } => (0, contact, [speed, floor, time]),
        Note::Redundant { rows } => (1, rows, [0.0; 3]),
        Note::Energy { error, allowed } => (2, 0, [error, allowed, 0.0]),
        Note::Overlap { contact, indentation, .. } => (3, contact, [indentation, 0.0, 0.0]),
        Note::Deep { contact, indentation, smooth, time, .. } => {
            (4, contact, [indentation, smooth, time])
        }
        Note::Through { contact, indentation, limit, time, .. } => {
            (5, contact, [indentation, limit, time])
        }
        Note::Start { body, before, after, .. } => (6, body, [before, after, 0.0]),
        Note::Gain { contact, gained, .. } => (7, contact, [gained, 0.0, 0.0]),
        Note::Jump { joint, index, change, time, .. } => {
            (if joint { 8 } else { 9 }, index, [change, 0.0, time])
        }
    };
    (kind, subject, numbers.map(f64::to_bits))
}

/// The note that was saved; nothing where the world has no such contact.
fn noted(world: &World, &(kind, subject, numbers): &SavedNote) -> Option<Note> {
    let [a, b, time] = numbers.map(f64::from_bits);
    let name = || world.contacts.get(subject).map(|contact| contact.name.clone());
    Some(match kind {
        0 => Note::SpeedFloor { contact: subject, name: name()?, speed: a, floor: b, time },
        1 => Note::Redundant { rows: subject },
        2 => Note::Energy { error: a, allowed: b },
        3 => Note::Overlap { contact: subject, name: name()?, indentation: a },
        4 => Note::Deep { contact: subject, name: name()?, indentation: a, smooth: b, time },
        5 => Note::Through { contact: subject, name: name()?, indentation: a, limit: b, time },
        6 => {
            let name = world.bodies.get(subject)?.name.clone();
            Note::Start { body: subject, name, before: a, after: b }
        }
        7 => Note::Gain { contact: subject, name: name()?, gained: a },
        8 => {
            let name = world.joints.get(subject)?.name.clone();
            Note::Jump { joint: true, index: subject, name, change: a, time }
        }
        9 => {
            let name = world.bodies.get(subject)?.name.clone();
            Note::Jump { joint: false, index: subject, name, change: a, time }
        }
        _ => return None,
    })
}

/// Numbers of a touch.
const NUMBERS: usize = 28;

impl Touch {
    fn numbers(&self) -> [f64; NUMBERS] {
        let m = &self.memory;
        [
            self.law.mass,
            m.speed,
            m.damping,
            m.peak,
            m.time,
            m.internal,
            self.begun,
            self.speed,
            self.delta,
            self.deepest.0,
            self.deepest.1,
            self.strongest.0,
            self.strongest.1,
            self.scale,
            self.trend,
            self.released.0,
            self.released.1,
            self.internal,
            self.stored_before,
            self.rate,
            self.spring.constant,
            self.spring.root,
            self.spring.damping,
            self.spring.relative,
            self.normal.x,
            self.normal.y,
            self.normal.z,
            self.offset,
        ]
    }
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
