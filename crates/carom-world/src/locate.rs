//! Events put at the end of a step.
//!
//! Most ends of a contact are foreseen (`aim.rs`): the step is taken to where they should be, and what is left to
//! them is gone with the slope there, where its square does not matter ([`Run::land`]). All others are found
//! after the step that passed them (`detect.rs`), and the step is taken again.

use crate::contact::Pushed;
use crate::detect::{
    Event, Look, Own, guard, guard_of, has_slider, limit, may_end, speed_bound, watched,
};
use crate::dynamics::Dynamics;
use crate::math::Vec3;
use crate::run::{Run, jump};
use crate::state::{Phase, TOUCH};
use crate::world::World;
use carom::Exit;

/// Sliders whose force is nearer to its limit than this share of it may have passed it and come back within a step.
const NEAR: f64 = 0.1;

/// A site that was open at both ends of a step and may have been closed in between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doubt {
    pub site: usize,
    /// Gaps at both ends.
    before: f64,
    after: f64,
    /// How fast the gap opens at the end of the step, the velocity between the bodies and how they turn there.
    parting: f64,
    later: Vec3,
    turn: f64,
    /// No point near the site is faster.
    pub bound: f64,
    /// What the rate of a material point may change by.
    pub bend: f64,
    /// The share of the step that is to be looked through.
    pub span: (f64, f64),
}

impl Run<'_> {
    /// Brings the end of the step to an event that it was aimed at; false where it is not there.
    pub(crate) fn land(&mut self, event: Event) -> bool {
        for attempt in 0..3 {
            if attempt > 0 && !(self.error() <= 1.0) {
                return false;
            }
            let length = self.stepper.length();
            let Some((left, near)) = self.left(event) else { return false };
            self.state.counts.evaluations += 1;
            if near {
                self.tail = left;
                return true;
            }
            if left.abs() > 0.1 * length || attempt == 2 {
                return false;
            }
            self.again(length + left);
        }
        false
    }

    /// Time from the end of the step to an event near it, and whether the slope leads there.
    fn left(&mut self, event: Event) -> Option<(f64, bool)> {
        let index = event.touch()?;
        let (world, state, y) = (self.world, &self.state, self.stepper.end());
        let end = self.stepper.begun() + self.stepper.length();
        self.beyond.resize(y.len(), 0.0);
        let (layout, touches) = (state.layout, &state.touches);
        self.dynamics.slope(world, layout, touches, end, y, &mut self.beyond);
        let (touch, at) = (&touches[index], layout.touch(index));
        let pushed = match touch.phase {
            Phase::Pushing => self.dynamics.pushed[index],
            Phase::Idle => Pushed::of(world, &self.dynamics, touch, end, &y[at..at + TOUCH]),
        };
        let memory = touch.memory_at(end, &y[at..]);
        let pressing = self.dynamics.pressing(&pushed.gap, pushed.a, pushed.b);
        let left = match event {
            Event::Turn(_) => -pushed.rate / pressing,
            Event::Part(_) => {
                let (release, _) = touch.marks();
                // A force that vanished before is another event.
                let near = release - 1e-7 * pushed.rate * self.stepper.length();
                let pushes = touch.law.exit != Exit::ZeroForce
                    || touch.phase == Phase::Idle
                    || touch.signed(near, pushed.rate, &memory) > 0.0;
                if !(pushes && pushed.rate < 0.0) {
                    return None;
                }
                (release - pushed.delta) / pushed.rate
            }
            Event::Vanish(_) => {
                let tangent = touch.law.tangent(pushed.delta, pushed.rate, &memory);
                let trend = tangent.stiffness * pushed.rate + tangent.damping * pressing;
                -touch.signed(pushed.delta, pushed.rate, &memory) / trend
            }
            _ => return None,
        };
        // What the slope leaves out, of indentation and speed.
        let square = 0.5 * left * left;
        let (way, change) = (pressing * square, touch.trend / touch.law.mass * square);
        let allowed = 0.01 * world.tolerance;
        let near = way.abs() <= allowed * touch.scale
            && change.abs() <= allowed * touch.speed
            && left.abs() < 0.01 * self.stepper.length();
        left.is_finite().then_some((left, near))
    }

    /// The earliest event that the step passed, and at which share of it.
    /// Without those of a touch that the step was aimed at and has met. The bodies must have been brought to the end.
    pub(crate) fn passed(&mut self, landed: Option<Event>) -> Option<(Event, f64)> {
        let world = self.world;
        let end = self.stepper.begun() + self.stepper.length();
        self.events.clear();
        for index in 0..self.state.touches.len() {
            watched(world, &self.dynamics, &self.state, index, &mut self.events);
        }
        let (state, y) = (&self.state, &self.ending);
        let dynamics = &self.dynamics;
        self.events.retain(|&event| {
            let Some(index) = event.touch() else { return false };
            let (touch, at) = (&state.touches[index], state.layout.touch(index));
            let idle;
            let pushed = match touch.phase {
                Phase::Pushing => &dynamics.pushed[index],
                Phase::Idle => {
                    idle = Pushed::of(world, dynamics, touch, end, &y[at..at + TOUCH]);
                    &idle
                }
            };
            let value = guard_of(world, dynamics, state, event, index, pushed, end, y);
            match event {
                Event::Resume(_) => value < 0.0,
                Event::Part(_) if touch.phase == Phase::Pushing && !may_end(touch) => {
                    value < -jump::least(world, pushed.a, pushed.b)
                }
                _ => value <= 0.0,
            }
        });
        // A slider near its limit may slip, or stick, for a part of the step.
        self.brief.clear();
        for (index, touch) in state.touches.iter().enumerate() {
            let event = if touch.slipping { Event::Stick(index) } else { Event::Slip(index) };
            let watched = touch.phase == Phase::Pushing && has_slider(world, touch);
            if !watched || self.events.contains(&event) {
                continue;
            }
            let pushed = &dynamics.pushed[index];
            let limit = limit(world, touch.site, pushed);
            let fresh = state.time == touch.begun;
            if fresh || (pushed.trial - limit).abs() < NEAR * limit {
                self.brief.push(event);
            }
        }
        if let Some(index) = landed.and_then(Event::touch) {
            self.events.retain(|event| match event {
                Event::Turn(i) | Event::Part(i) | Event::Vanish(i) => *i != index,
                _ => true,
            });
        }
        // Open sites: closed at the end, or perhaps on the way.
        self.doubts.clear();
        for site in (0..world.sites.len()).filter(|&site| state.open[site]) {
            let before = self.gaps[site];
            let after = dynamics.gap(world, site).0.distance;
            let bound = speed_bound(world, dynamics, site);
            let own = Own::of(world, site, self.stepper.begun(), self.stepper.length());
            let (one, two) = world.bodies_at(site);
            if before < -jump::least(world, one, two) {
                if after <= 0.0 && opening(world, dynamics, site).0 < 0.0 {
                    self.events.push(Event::Press(site));
                }
            } else if after <= 0.0 {
                // One that has just parted may have been left inside by rounding.
                if before > 0.0 || after < before {
                    self.events.push(Event::Begin(site));
                }
            } else if (before > 0.0 || own.bends())
                && before.max(0.0) + after <= 1.5 * (bound + own.change) * self.stepper.length()
            {
                let (parting, later, turn) = opening(world, dynamics, site);
                let (bend, span) = (f64::INFINITY, (0.0, 1.0));
                let doubt = Doubt { site, before, after, parting, later, turn, bound, bend, span };
                self.doubts.push(doubt);
            }
        }
        if self.events.iter().any(|event| matches!(event, Event::Press(_))) {
            self.keep_presses(landed.is_some());
        }
        if !self.doubts.is_empty() {
            self.doubt();
        }
        if self.events.is_empty() && self.doubts.is_empty() && self.brief.is_empty() {
            return None;
        }
        self.interpolate();
        let mut look = Look {
            world,
            dynamics: &mut self.dynamics,
            stepper: &self.stepper,
            state: &self.state,
            y: &mut self.buffer,
            slope: &mut self.second,
            pieces: &mut self.pieces,
        };
        let mut first: Option<(Event, f64)> = None;
        let earlier = |first: &Option<(Event, f64)>, x: f64| first.is_none_or(|(_, f)| x < f);
        for &event in &self.events {
            // Most laws push until the bodies part: then the force vanishes there and nowhere before.
            let parts = match event {
                Event::Vanish(i) if self.events.contains(&Event::Part(i)) => {
                    Some(look.root(Event::Part(i), 1.0) * (1.0 - 1e-7))
                }
                _ => None,
            };
            let x = match parts {
                // One that closes all the time begins at the end of the step: there it has not just jumped.
                None if matches!(event, Event::Press(_)) && look.value(event, 0.0) <= 0.0 => 1.0,
                Some(before) if look.value(event, before) > 0.0 => continue,
                Some(before) => look.root(event, before),
                None => look.root(event, 1.0),
            };
            // A place that is found at a depth has not closed there: it overlaps from now on, without a touch.
            if let Event::Begin(site) = event {
                let (a, b) = world.bodies_at(site);
                if look.value(event, x) < -jump::least(world, a, b) {
                    continue;
                }
            }
            if earlier(&first, x) {
                first = Some((event, x));
            }
        }
        for &event in &self.brief {
            let within = [0.25, 0.5, 0.75].into_iter().find(|&x| look.value(event, x) <= 0.0);
            if let Some(until) = within {
                let x = look.root(event, until);
                if earlier(&first, x) {
                    first = Some((event, x));
                }
            }
        }
        for doubt in &self.doubts {
            if let Some(x) = look.passed_through(doubt)
                && earlier(&first, x)
            {
                first = Some((Event::Begin(doubt.site), x));
            }
        }
        first
    }

    /// Of the sites that could have been closed and opened within the step, keeps those that may have been.
    ///
    /// On a straight way a gap has one minimum: one that opens at the start or closes at the end has not been
    /// smaller than there. A rate changes by no more than the change of velocity and the turn times the speed, so
    /// that it keeps its sign for a share of the step; what is left is to be looked through.
    fn doubt(&mut self) {
        self.arrived = false;
        let (world, layout, h) = (self.world, self.state.layout, self.stepper.length());
        self.dynamics.read(world, layout, self.state.time, &self.state.y);
        let dynamics = &self.dynamics;
        self.doubts.retain_mut(|doubt| {
            let (opening, now, turned) = opening(world, dynamics, doubt.site);
            let both = doubt.bound.max(speed_bound(world, dynamics, doubt.site));
            let own = Own::of(world, doubt.site, self.stepper.begun(), h);
            let turning = (both + own.change) * doubt.turn.max(turned);
            let change = (doubt.later - now).length() + (turning + own.acceleration) * h;
            doubt.bend = change;
            let bend = 0.5 * h * change;
            let clear = (opening >= 0.0 && doubt.before >= bend)
                || (doubt.parting <= 0.0 && doubt.after >= bend);
            let steady = |rate: f64| if rate > 0.0 { 0.5 * rate / change } else { 0.0 };
            doubt.span = (steady(opening), 1.0 - steady(-doubt.parting));
            doubt.bound = 1.1 * both + (both - doubt.bound).abs() + own.change;
            !clear && doubt.span.0 < doubt.span.1
        });
    }

    /// Takes the step again so that the event lies at its end.
    pub(crate) fn locate(&mut self, event: Event, x: f64) {
        if matches!(event, Event::Press(_)) && x == 1.0 {
            return;
        }
        let whole = self.stepper.length();
        let mut length = x * whole;
        // The slope of the guard, from the dense output.
        let slope = {
            let mut look = Look {
                world: self.world,
                dynamics: &mut self.dynamics,
                stepper: &self.stepper,
                state: &self.state,
                y: &mut self.buffer,
                slope: &mut self.second,
                pieces: &mut self.pieces,
            };
            let back = (x - 1e-6).max(0.0);
            (look.value(event, x) - look.value(event, back)) / ((x - back) * whole)
        };
        for _ in 0..3 {
            self.again(length);
            let end = self.stepper.begun() + length;
            let (sticky, y) = (matches!(event, Event::Stick(_)), self.stepper.end());
            self.buffer.resize(y.len(), 0.0);
            self.dynamics.see(self.world, &self.state, sticky, end, y, &mut self.buffer);
            let miss = guard(self.world, &self.dynamics, &self.state, event, end, y);
            let next = length - miss / slope;
            let change = (next - length).abs();
            // Forces may vanish on a plateau, where no slope leads anywhere.
            if !(next > 0.0 && next <= whole) || change < 1e-13 * whole || change > 1e-3 * whole {
                break;
            }
            length = next;
        }
        if self.stepper.length() != length {
            self.again(length);
        }
        // A gap that jumps shut has no slope that leads there: the step ends where it was seen to be closed.
        if let Event::Begin(site) = event
            && length != x * whole
            && !self.is_closed(site)
        {
            self.again(x * whole);
        }
    }

    /// Whether a site is closed where the step ends, up to what is not told from closed.
    fn is_closed(&mut self, site: usize) -> bool {
        let (world, end) = (self.world, self.stepper.begun() + self.stepper.length());
        self.arrived = false;
        self.dynamics.read(world, self.state.layout, end, self.stepper.end());
        let (a, b) = world.bodies_at(site);
        self.dynamics.gap(world, site).0.distance < jump::least(world, a, b)
    }
}

/// How fast the gap at a site opens, the velocity between its bodies, and how fast they turn.
pub(crate) fn opening(world: &World, dynamics: &Dynamics, site: usize) -> (f64, Vec3, f64) {
    let (gap, a, b) = dynamics.gap(world, site);
    let (one, two) = (&dynamics.moving[a], &dynamics.moving[b]);
    (gap.opening_rate(one, two), two.v - one.v, one.w.length() + two.w.length())
}
