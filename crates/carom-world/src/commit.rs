//! Commit: the end of a step becomes the state.
//!
//! In this order: samples are taken within the step; the end becomes the state; laws remember; the state is
//! moved onto the joints; what the event changes is changed; and whatever else is due at the same instant
//! follows, such as the other corners of a block that lands flat.

use crate::contact::{Pushed, carried_over};
use crate::detect::{Event, hair};
use crate::gap;
use crate::joint::Drive;
use crate::motion::Motion;
use crate::observe::{Ended, Observer, Piece};
use crate::onset;
use crate::peak::peak;
use crate::run::{Run, jump, unit_rotations};
use crate::state::{Phase, State, TOUCH};
use crate::world::Mobility;
use crate::{Contact, Note, World, math::Vec3};
use carom::law::{Force, Memory, Work};
use carom::{Error, Exit, Result};

/// A memory after an accepted step.
struct Remember(f64, f64, Memory);

impl Work for Remember {
    type Output = Memory;
    fn run<F: Force>(self, form: F) -> Memory {
        let Remember(delta, rate, mut memory) = self;
        form.commit(delta, rate, &mut memory);
        memory
    }
}

/// Makes the end of the step the state.
pub(crate) fn commit(
    run: &mut Run,
    event: Option<Event>,
    until: f64,
    observer: &mut impl Observer,
) -> Result<()> {
    let (begun, length) = (run.stepper.begun(), run.stepper.length());
    // The end of the run is met to the last digit.
    let end = match length >= until - begun {
        true => until,
        false => (begun + (length + run.tail).max(0.0)).min(until),
    };
    sample(run, end, observer);
    // From here on motions are what they are after a bend that the step may have ended on.
    run.dynamics.limit = f64::INFINITY;
    let jumps = jumps(run, begun, end);
    let world = run.world;
    let state = &mut run.state;
    state.y.copy_from_slice(run.stepper.end());
    if run.tail != 0.0 {
        // What is left to an event that the step was aimed at.
        for (y, slope) in state.y.iter_mut().zip(&run.beyond) {
            *y += run.tail * slope;
        }
        run.tail = 0.0;
    }
    state.time = end;
    state.counts.steps += 1;
    unit_rotations(state.layout, &mut state.y);
    run.slope.resize(state.y.len(), 0.0);
    remember(run);
    if !world.joints.is_empty() {
        let state = &mut run.state;
        let before = jumps.then(|| state.kinetic(world));
        run.dynamics.project(world, state.layout, end, &mut state.y);
        if let Some(before) = before {
            // A drive that jumps does the work that the bodies' change of velocity takes, at once.
            let work = state.kinetic(world) - before;
            state.y[state.layout.works()] += work;
        }
        run.evaluate();
    }
    let Some(event) = event else { return Ok(()) };
    change(run, event, observer)?;
    // Whatever else is due now.
    for _ in 0..run.world.sites.len() + 1 {
        let Some(event) = due(run) else { break };
        change(run, event, observer)?;
    }
    Ok(())
}

/// Whether prescribed velocities jump where a step ended; notes them.
fn jumps(run: &mut Run, begun: f64, end: f64) -> bool {
    let mut any = false;
    let world = run.world;
    let mut look = |motion: &Motion, note: &dyn Fn(f64) -> Note| {
        if motion.next_breakpoint(begun) == end && motion.rate_jump_at(end) != 0.0 {
            any = true;
            run.state.note(note(motion.rate_jump_at(end)));
        }
    };
    for (index, joint) in world.joints.iter().enumerate() {
        if let Drive::Angle(motion) | Drive::Slide(motion) = &joint.drive {
            let name = || joint.name.clone();
            look(motion, &|change| Note::Jump {
                joint: true,
                index,
                name: name(),
                change,
                time: end,
            });
        }
    }
    for &index in &world.columns.driven {
        let body = &world.bodies[index];
        if let Mobility::Driven { motion, .. } = &body.mobility {
            let name = || body.name.clone();
            look(motion, &|change| Note::Jump {
                joint: false,
                index,
                name: name(),
                change,
                time: end,
            });
        }
    }
    any
}

/// Shows the observer what it wants to see of this step.
fn sample(run: &mut Run, end: f64, observer: &mut impl Observer) {
    let mut last = f64::NEG_INFINITY;
    while observer.next() <= end && observer.next() > last {
        let time = observer.next();
        last = time;
        let mut state = run.state.clone();
        if time > run.stepper.begun() {
            run.interpolate();
            run.stepper.at(time, &mut state.y);
            state.time = time;
            run.dynamics.read(run.world, state.layout, time, &state.y);
            for touch in &mut state.touches {
                let (gap, a, b) = run.dynamics.gap(run.world, touch.site);
                let (one, two) = (&run.dynamics.moving[a], &run.dynamics.moving[b]);
                (touch.delta, touch.rate) =
                    (-gap.distance - touch.offset, -gap.opening_rate(one, two));
            }
        }
        observer.sample(&Piece { world: run.world, time, state: &state });
    }
}

/// What a touch did at the end of a step, until all of them are booked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    pushed: Pushed,
    memory: Memory,
    /// Rate of the force.
    trend: f64,
}

/// Indentations, largest values and memories after the step; leaves the slope at the state.
fn remember(run: &mut Run) {
    run.settle();
    let mut all = std::mem::take(&mut run.now);
    all.clear();
    all.extend((0..run.state.touches.len()).map(|index| now(run, index)));
    let mut looked = false;
    // While the touches still remember what they did during the step.
    for (index, now) in all.iter().enumerate() {
        let touch = &run.state.touches[index];
        let (before, rate) = (touch.trend, touch.rate);
        if touch.phase == Phase::Pushing && before > 0.0 && now.trend <= 0.0 {
            looked = true;
            let found = peak(run, index, (before, now.trend), |pushed| pushed.force);
            let touch = &mut run.state.touches[index];
            if found.0 > touch.strongest.0 {
                touch.strongest = found;
            }
        }
        let touch = &mut run.state.touches[index];
        if touch.turns_smoothly() && touch.loading != (now.pushed.rate > 0.0) {
            let turned = touch.loading;
            touch.loading = !turned;
            looked |= turned;
            let deepest = match turned {
                true => peak(run, index, (rate, now.pushed.rate), |pushed| pushed.delta),
                false => (0.0, 0.0),
            };
            deepen(run.world, &mut run.state, index, deepest);
        }
    }
    let (state, mut changed) = (&mut run.state, false);
    for (index, Now { pushed, memory, trend }) in all.iter().copied().enumerate() {
        let at = state.layout.touch(index);
        let time = state.time;
        let touch = &mut state.touches[index];
        touch.trend = trend;
        touch.delta = pushed.delta;
        touch.rate = pushed.rate;
        touch.scale = touch.scale.max(pushed.delta.abs());
        touch.internal = touch.internal.max(memory.internal.abs());
        deepen(run.world, state, index, (pushed.delta, time));
        let touch = &mut state.touches[index];
        if touch.phase == Phase::Pushing {
            if pushed.force > touch.strongest.0 {
                touch.strongest = (pushed.force, time);
            }
            touch.memory = touch.law.with(Remember(pushed.delta, pushed.rate, memory));
            changed |= !touch.forgets();
        }
        let contact = &run.world.contacts[run.world.sites[touch.site].contact];
        if let Some(friction) = contact.friction {
            // Friction may know the largest force.
            changed = true;
            let memory = Vec3::read(&state.y, at + 1);
            let mut memory = carried_over(memory, touch.normal, pushed.gap.normal);
            touch.normal = pushed.gap.normal;
            let limit = friction.limit(pushed.force.max(0.0)).unwrap_or(0.0);
            if touch.slipping
                && !touch.spring.is_damped()
                && limit > 0.0
                && let Some(along) = memory.unit()
            {
                memory = along * limit;
            }
            memory.write(&mut state.y, at + 1);
        }
    }
    run.now = all;
    let kinetic = state.kinetic(run.world);
    state.liveliest = state.liveliest.max(kinetic);
    // What is remembered enters the forces, and a look for peaks left the bodies where they were within the step: a
    // run that is resumed here must find the same.
    if changed || looked {
        run.evaluate();
    }
}

/// Keeps the deepest indentation of a touch and when it was, and notes it where it passes what is meant.
pub(crate) fn deepen(world: &World, state: &mut State, index: usize, (deepest, time): (f64, f64)) {
    let touch = &mut state.touches[index];
    let before = touch.deepest.0;
    if deepest <= before {
        return;
    }
    touch.deepest = (deepest, time);
    let contact = world.sites[touch.site].contact;
    let Contact { a, b, ref name, .. } = world.contacts[contact];
    let [a, b] = [a, b].map(|index| &world.shapes[index].shape);
    let passes = |mark: f64| deepest > mark && before <= mark;
    let (smooth, limit) = (gap::smooth_depth(a, b), gap::valid_depth(a, b));
    if passes(limit) {
        let name = name.clone();
        state.note(Note::Through { contact, name, indentation: deepest, limit, time });
    } else if passes(smooth) {
        let name = name.clone();
        state.note(Note::Deep { contact, name, indentation: deepest, smooth, time });
    }
}

/// What a touch does where the state is.
fn now(run: &Run, index: usize) -> Now {
    let state = &run.state;
    let (touch, at) = (&state.touches[index], state.layout.touch(index));
    let slots = &state.y[at..at + TOUCH];
    let pushed = match touch.phase {
        Phase::Pushing => run.dynamics.pushed[index],
        Phase::Idle => Pushed::of(run.world, &run.dynamics, touch, state.time, slots),
    };
    let pressing = run.dynamics.pressing(&pushed.gap, pushed.a, pushed.b);
    let memory = touch.memory_at(state.time, slots);
    let tangent = touch.law.tangent(pushed.delta, pushed.rate, &memory);
    let own = match touch.forgets() {
        true => 0.0,
        // Laws of time or with an internal state also change by themselves.
        false => {
            let soon = 1e-6 * (state.time - touch.begun);
            let later = Memory {
                time: memory.time + soon,
                internal: memory.internal + pushed.internal_rate * soon,
                ..memory
            };
            let drift = touch.law.force(pushed.delta, pushed.rate, &later) - pushed.force;
            if drift == 0.0 { 0.0 } else { drift / soon }
        }
    };
    let trend = tangent.stiffness * pushed.rate + tangent.damping * pressing + own;
    Now { pushed, memory, trend }
}

/// Changes what an event changes.
fn change(run: &mut Run, event: Event, observer: &mut impl Observer) -> Result<()> {
    let time = run.state.time;
    match event {
        // Closed by rounding alone, on its way apart: a touch there would do nothing but pull. Or still open, just before its
        // gap jumps shut.
        Event::Begin(site) if parts(run, site) => {}
        Event::Begin(site) | Event::Press(site) => {
            let h = onset::touch(run.world, &mut run.dynamics, &mut run.state, site)?;
            // Others that touch already may need shorter steps.
            let alone = run.state.touches.len() == 1;
            run.state.step = if alone { h } else { h.min(run.state.step) };
            if let Some(touch) = run.state.touches.last() {
                observer.began(run.world, time, touch);
            }
        }
        Event::Turn(index) => {
            holds(run, index)?;
            let touch = &mut run.state.touches[index];
            touch.loading = !touch.loading;
        }
        Event::Kink(_) => {}
        Event::Vanish(index) => {
            let rate = rate(run, index);
            let touch = &mut run.state.touches[index];
            touch.phase = Phase::Idle;
            touch.slipping = false;
            touch.released = (time, -rate);
            if run.state.touches.iter().all(|touch| touch.phase == Phase::Idle) {
                run.state.step = 0.0;
            }
            // Friction lets go with the load.
            let at = run.state.layout.touch(index);
            Vec3::ZERO.write(&mut run.state.y, at + 1);
        }
        Event::Resume(index) => {
            let rate = rate(run, index);
            let jumped = run.jumped(run.state.touches[index].site);
            let touch = &mut run.state.touches[index];
            // As where a touch begins at a depth (`onset.rs`).
            touch.offset += jumped;
            touch.delta -= jumped;
            touch.phase = Phase::Pushing;
            touch.loading = rate > 0.0;
            let (dynamics, state) = (&run.dynamics, &mut run.state);
            onset::begin_friction(run.world, dynamics, state, index);
        }
        Event::Part(index) => part(run, index, observer)?,
        Event::Slip(index) if run.state.touches[index].spring.is_damped() => {
            run.state.touches[index].slipping = true;
        }
        Event::Slip(index) => {
            let at = run.state.layout.touch(index);
            let touch = &run.state.touches[index];
            let slots = &run.state.y[at..at + TOUCH];
            let pushed = Pushed::of(run.world, &run.dynamics, touch, time, slots);
            // Where nothing is carried yet, friction begins against the motion.
            let carried = Vec3::read(slots, 1).across(pushed.gap.normal);
            let against = (-pushed.velocity).unit().unwrap_or(Vec3::ZERO);
            let along = carried.unit().unwrap_or(against);
            let size = pushed.tangential.length().max(1e-9 * pushed.force.abs()).max(1e-100);
            (along * size).write(&mut run.state.y, at + 1);
            run.state.touches[index].slipping = true;
        }
        Event::Stick(index) => run.state.touches[index].slipping = false,
    }
    run.evaluate();
    Ok(())
}

/// Refuses a weight that lies between what a law pushes while it is pressed in and while it is let go: the
/// bodies would stay between its two branches, turning back at every instant.
fn holds(run: &Run, index: usize) -> Result<()> {
    let touch = &run.state.touches[index];
    let slots = &run.state.y[run.state.layout.touch(index)..];
    let memory = touch.memory_at(run.state.time, slots);
    let pushed = Pushed::of(run.world, &run.dynamics, touch, run.state.time, &slots[..TOUCH]);
    let balanced =
        pushed.force + touch.law.mass * run.dynamics.pressing(&pushed.gap, pushed.a, pushed.b);
    let at = |rate: f64| touch.signed(pushed.delta, rate, &memory);
    let (inwards, outwards) = (at(f64::MIN_POSITIVE), at(-f64::MIN_POSITIVE));
    let jump = 1e-9 * inwards.abs();
    if inwards > balanced + jump && balanced > outwards + jump {
        let contact = &run.world.contacts[run.world.sites[touch.site].contact];
        return Err(Error::numerical(
            "the run",
            format!(
                "at t = {} s contact `{}` would rest between the two branches of its law, which pushes with {inwards:.3e} N \
                 while pressed in and {outwards:.3e} N while let go",
                run.state.time, contact.name
            ),
            "use a law whose force does not jump at rest for lasting contact, such as tsuji-1992",
        ));
    }
    Ok(())
}

fn rate(run: &Run, index: usize) -> f64 {
    let at = run.state.layout.touch(index);
    let slots = &run.state.y[at..at + TOUCH];
    Pushed::of(run.world, &run.dynamics, &run.state.touches[index], run.state.time, slots).rate
}

/// Whether the bodies at a site move apart, no deeper than rounding makes them, or are apart already.
fn parts(run: &Run, site: usize) -> bool {
    let (gap, a, b) = run.dynamics.gap(run.world, site);
    let (one, two) = (&run.dynamics.moving[a], &run.dynamics.moving[b]);
    let opens =
        gap.opening_rate(one, two) > 0.0 && gap.distance > -hair(run.world, &run.dynamics, a, b);
    opens || gap.distance > jump::least(run.world, a, b)
}

/// Ends a touch and books what it lost.
fn part(run: &mut Run, index: usize, observer: &mut impl Observer) -> Result<()> {
    let rate = rate(run, index);
    let state: &mut State = &mut run.state;
    let at = state.layout.touch(index);
    let touch = state.touches.remove(index);
    let (work, friction) = (state.y[at + 4], state.y[at + 5]);
    state.y.drain(at..at + TOUCH);
    let site = run.world.sites[touch.site];
    state.open[touch.site] = true;
    if state.touches.is_empty() {
        // The steps of the contact say nothing about those of the flight.
        state.step = 0.0;
    }
    let lost = work + touch.stored_before;
    state.took(run.world, &touch, lost)?;
    let account = &mut state.accounts[site.contact];
    account.normal += lost;
    account.friction += friction;
    account.ended += 1;
    let (released, rebound) = match touch.phase {
        Phase::Pushing => (state.time, -rate),
        Phase::Idle => touch.released,
    };
    observer.ended(
        run.world,
        &Ended {
            contact: site.contact,
            place: site.place,
            begun: touch.begun,
            ended: state.time,
            speed: touch.speed,
            rebound,
            released,
            indentation_max: touch.deepest.0,
            force_max: touch.strongest.0,
            lost,
            friction,
        },
    );
    Ok(())
}

/// Something that is due at this very instant.
fn due(run: &Run) -> Option<Event> {
    let (world, state) = (run.world, &run.state);
    for (index, touch) in state.touches.iter().enumerate() {
        let (release, _) = touch.marks();
        let contact = &world.contacts[world.sites[touch.site].contact];
        let [a, b] = [contact.a, contact.b].map(|shape| world.shapes[shape].body);
        let hair = (1e-12 * touch.scale).max(hair(run.world, &run.dynamics, a, b));
        let parting = rate(run, index) < 0.0 && !touch.loading;
        if parting && touch.delta <= release + hair {
            let ends = touch.phase == Phase::Idle || touch.law.exit == Exit::ZeroIndentation;
            if ends || touch.delta <= release {
                return Some(Event::Part(index));
            }
        }
    }
    for site in (0..world.sites.len()).filter(|&site| state.open[site]) {
        let (gap, a, b) = run.dynamics.gap(world, site);
        let (one, two) = (&run.dynamics.moving[a], &run.dynamics.moving[b]);
        let hair = hair(run.world, &run.dynamics, a, b);
        // (What overlaps by more without a touch begins otherwise, `run/jump.rs`.)
        let closed = gap.distance <= hair && gap.distance >= -jump::least(world, a, b);
        if closed && gap.opening_rate(one, two) < 0.0 {
            return Some(Event::Begin(site));
        }
    }
    None
}
