//! Tests every law of the catalogue through the C interface: contacts integrated by a simple integrator deliver the same results as
//! `carom_collide`.

use carom::model::Parameter;
use carom::{CATALOGUE, Model};
use carom_c::boundary::{CAROM_EXIT_FORCE, CAROM_OK};
use carom_c::contact::{carom_commit, carom_force, carom_internal_rate, carom_memory, carom_touch};
use carom_c::impact::{carom_collide, carom_impact};
use carom_c::law::{carom_law, carom_law_exit, carom_law_free, carom_law_mass, carom_law_new};
use serde_json::{Map, Value, json};
use std::ffi::CString;

const SPEED: f64 = 0.5;

/// Returns pairs of steel bodies, of which each law accepts one: a ball on a plane, a punch, a ball in a socket, a roller, a pin in
/// a bore.
fn pairs() -> Vec<Value> {
    let of = |mut a: Value, mut b: Value| {
        for body in [&mut a, &mut b] {
            body["youngs"] = json!(2.06e11);
            body["poisson"] = json!(0.3);
            body["density"] = json!(7850);
        }
        a["mass"] = json!(0.54);
        json!([a, b])
    };
    let plane = json!({"shape": "plane"});
    let roller = json!({"shape": "cylinder", "radius": 0.01, "length": 0.02});
    vec![
        of(json!({"shape": "sphere", "radius": 0.02}), plane.clone()),
        of(json!({"shape": "square-punch", "half_side": 0.005}), plane.clone()),
        of(
            json!({"shape": "sphere", "radius": 0.02}),
            json!({"shape": "socket", "radius": 0.0202}),
        ),
        of(roller.clone(), plane),
        of(roller, json!({"shape": "bore", "radius": 0.0102, "length": 0.02})),
    ]
}

/// Returns a plausible value of a parameter for such a body at 0.5 m/s.
fn sensible(parameter: &Parameter) -> f64 {
    let value = match (parameter.name, parameter.unit) {
        ("unloading_stiffness", _) => 4e10,
        ("permanent_indentation" | "yield_indentation", _) => 3e-6,
        ("work_of_adhesion", _) => 1e4,
        (_, "Pa s" | "Pa*s") => 2e5,
        (_, "Pa") => 1.5e9,
        (_, "m/s") => SPEED,
        (_, "m") => 1e-3,
        (_, "m^2") => 1e-4,
        (_, "N/m^3") => 1e15,
        (_, "1/m") => 3e4,
        (_, "s") => 1e-5,
        (_, "1/s") => 3e4,
        _ => 0.5,
    };
    value.clamp(parameter.range.0, parameter.range.1)
}

/// A law of the C library, freed when it is dropped.
struct Law(*mut carom_law);

impl Drop for Law {
    fn drop(&mut self) {
        // SAFETY: the pointer is from `carom_law_new`.
        unsafe { carom_law_free(self.0) };
    }
}

fn law(description: &Value) -> Option<Law> {
    let text = CString::new(description.to_string()).expect("no zero byte");
    let mut law = std::ptr::null_mut();
    // SAFETY: both pointers refer to local values.
    let status = unsafe { carom_law_new(text.as_ptr(), &raw mut law, std::ptr::null_mut()) };
    (status == CAROM_OK).then(|| Law(law))
}

/// Returns a law of the model and its impact, for the first pair and the first dissipation that give one.
fn some_law(model: &Model) -> Option<(Law, carom_impact)> {
    let open = model.parameters.iter().filter(|parameter| parameter.default.is_none());
    let all: Map<String, Value> =
        open.map(|parameter| (parameter.name.to_string(), json!(sensible(parameter)))).collect();
    for bodies in pairs() {
        for set in [Map::new(), all.clone()] {
            for asked in [
                json!({"restitution": 0.7, "calibration": "exact"}),
                json!({"restitution": 0.7}),
                json!({}),
            ] {
                let mut description = asked.clone();
                description["law"] = json!(model.id);
                description["bodies"] = bodies.clone();
                description["set"] = json!(set);
                let Some(law) = law(&description) else { continue };
                let mut impact = std::mem::MaybeUninit::uninit();
                // SAFETY: `impact` can be written, and is read only after it was written.
                unsafe {
                    if carom_collide(law.0, SPEED, impact.as_mut_ptr(), std::ptr::null_mut())
                        == CAROM_OK
                    {
                        return Some((law, impact.assume_init()));
                    }
                }
            }
        }
    }
    None
}

/// Returns the restitution that a Runge-Kutta integrator of fourth order with fixed steps computes.
fn integrated(law: &Law, step: f64) -> f64 {
    let law = law.0;
    let mut memory = carom_memory { speed: 0.0, damping: 0.0, peak: 0.0, time: 0.0, internal: 0.0 };
    // SAFETY: the pointers refer to the law and to a local memory.
    let (mass, cut) = unsafe {
        assert_eq!(carom_touch(law, SPEED, &raw mut memory), CAROM_OK);
        (carom_law_mass(law), carom_law_exit(law) == CAROM_EXIT_FORCE)
    };
    let carom_memory { speed, damping, .. } = memory;
    let mut y = [0.0, SPEED, 0.0];
    let (mut time, mut peak) = (0.0, 0.0);
    for _ in 0..100_000 {
        let slope = |at: f64, y: [f64; 3]| {
            let now = carom_memory { speed, damping, peak, time: at, internal: y[2] };
            // SAFETY: as above.
            let (force, internal) = unsafe {
                (
                    carom_force(law, y[0], y[1], &raw const now),
                    carom_internal_rate(law, y[0], y[1], &raw const now),
                )
            };
            ([y[1], -force / mass, internal], force)
        };
        let (first, force) = slope(time, y);
        if time > 0.0 && y[1] < 0.0 && (y[0] < 0.0 && force == 0.0 || cut && force <= 0.0) {
            return -y[1] / SPEED;
        }
        let after =
            |part: f64, slope: [f64; 3]| std::array::from_fn(|i| y[i] + part * step * slope[i]);
        let (second, _) = slope(time + 0.5 * step, after(0.5, first));
        let (third, _) = slope(time + 0.5 * step, after(0.5, second));
        let (fourth, _) = slope(time + step, after(1.0, third));
        for i in 0..3 {
            y[i] += step / 6.0 * (first[i] + 2.0 * (second[i] + third[i]) + fourth[i]);
        }
        time += step;
        let mut now = carom_memory { speed, damping, peak, time, internal: y[2] };
        // SAFETY: as above.
        unsafe { assert_eq!(carom_commit(law, y[0], y[1], &raw mut now), CAROM_OK) };
        peak = now.peak;
    }
    f64::NAN
}

#[test]
fn every_law_delivers_through_c_what_a_collision_says() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for model in CATALOGUE {
        let Some((law, impact)) = some_law(model) else {
            wrong.push(format!("{}: no law could be made", model.id));
            continue;
        };
        if impact.restitution == 0.0 {
            continue;
        }
        count += 1;
        let found = integrated(&law, impact.duration / 4000.0);
        if !((found - impact.restitution).abs() < 1e-3) {
            wrong.push(format!("{}: {found}, and {} was said", model.id, impact.restitution));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 70, "{count}");
}
