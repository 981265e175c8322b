//! DEM-Engine (Chrono's engine for grains on graphics cards): the law as a text for `DefineContactForceModel`.
//!
//! The functions are those of the generated code ([`crate::code`]) in double precision; indentations are in double
//! precision as well. Velocities, forces and the memory of a contact (wildcards of contacts, at most 16) are in
//! single precision, so the error of a rate is about 10⁻⁷ of the velocities. Positions are integer multiples of a
//! length l, truncated after every step: 64 bits for the voxel and 16 bits within it along each axis, so that l is
//! the width of a cubic domain divided by 2³⁷. [`rounding_error`] estimates the effect.
//!
//! The scheme has to be chosen: with the default ("extended Taylor") positions are advanced with the mean of old and
//! new velocity and the force is that of the old position. This multiplies the energy of a spring by 1 + (ωh)²/2 in
//! every step h, so that the rebound of an impact in N steps is too fast by the relative amount π²/(4N) (0.25 % for
//! N = 1000; measured for four laws: 0.23 to 0.34 %). "Centered difference" is the semi-implicit Euler scheme.
//!
//! Source: DEM-Engine of March 2026, `src/kernel/DEMCalcForceKernels.cu` (where the text is inserted, and which names
//! are visible to it), `src/DEM/APIPrivate.cpp` (how names of wildcards are found in it, and how l follows from the
//! domain) and `src/kernel/DEMHelperKernels.cuh` (`positionToVoxelID`, which truncates).

use super::engine::{Check, Deck, Engine};
use super::law_plan::LawPlan;
use super::text::{fill, number, setting};
use crate::advise::Integrator;
use crate::code::{Formulas, Language, MEMORY};
use crate::error::Result;
use crate::law::Exit;
use crate::scalar::expression::Function;
use std::fmt::Write as _;

/// Description of DEM-Engine.
pub(super) const ENGINE: Engine = Engine {
    id: "dem-engine",
    title: "DEM-Engine DefineContactForceModel",
    aliases: &["deme"],
    version: "3.0.19",
    check: Check::Read,
    integrator: Some(Integrator::SemiImplicitEuler),
    command: &[],
    traps: &[
        "the numbers of this law are those of one pair of bodies: grains of another size or mass need another text",
        "positions there are multiples of the width of the domain over 2^37, and velocities are single precision: the error that is stated \
         is for a domain 48 radii of a sphere wide, and its part from positions grows with the width; a contact that creeps is resolved to 1e-7 of its velocities",
        "its default scheme gains energy (a quarter of a percent of the restitution at 1000 steps a contact): set the integrator to \
         centered_difference, as the text says",
        "its own Hertzian model pulls before the contact ends; this text does not, where the law does not",
    ],
    ..Engine::BLANK
};

/// Ratio of the width of the domain to the radius of a sphere, for which errors are stated.
const DOMAIN_RADII: f64 = 48.0;

/// Returns the contribution of truncated positions and of velocities in single precision to the relative error of the
/// restitution.
///
/// Each of N steps moves the bodies by v·h with an error of up to l, so that the work of the force has an error of
/// F·l: in sum at most √N·F_max·l (2.5 standard deviations of independent errors), divided by twice the energy of the
/// rebound, mₑ·(e·v₀)². Velocities are rounded N times with a relative error of at most 2⁻²⁴. For the 81 laws that
/// were simulated and have a stated error (`docs/dem-engine.md`) the error was at most 0.48 of this sum.
pub(super) fn rounding_error(plan: &LawPlan) -> f64 {
    let root = (plan.impact.duration / plan.step).sqrt();
    let length = DOMAIN_RADII * 2.0 * plan.radius / 2f64.powi(37);
    let rebound = plan.impact.restitution.newton * plan.case.speed;
    let positions = plan.impact.force_max * length / (plan.law.mass * rebound * rebound);
    root * (positions + 2f64.powi(-24) / plan.impact.restitution.newton)
}

/// Writes the input.
pub(super) fn write(plan: &LawPlan) -> Result<Deck> {
    let formulas = Formulas::of(&plan.law);
    let arguments_of = |function: &Function| {
        let arguments = formulas.arguments(function).map(|name| match MEMORY.contains(&name) {
            true => format!("carom_{name}"),
            false => name.to_string(),
        });
        arguments.collect::<Vec<_>>().join(", ")
    };
    let everything =
        [Some(&formulas.force), formulas.peak.as_ref(), formulas.internal_rate.as_ref()];
    let uses = |name: &str| everything.iter().flatten().any(|function| function.takes(name));
    let mut wildcards = vec!["carom_speed"];
    let (mut touch, mut advance) = (String::new(), String::new());
    if uses("damping") {
        wildcards.push("carom_damping");
        let value = match &formulas.touch {
            Some(function) => format!("carom_law::law_touch({})", arguments_of(function)),
            // The damping follows from a search; it is written for the speed of the description.
            None => number(plan.law.touch(plan.case.speed).damping),
        };
        let _ = writeln!(touch, "        carom_damping = {value};");
    }
    if formulas.peak.is_some() {
        wildcards.push("carom_peak");
        touch += "        carom_peak = 0.f;\n";
    }
    if uses("time") {
        wildcards.push("carom_time");
        touch += "        carom_time = rate > 0. ? delta / rate : 0.;\n";
        advance += "        carom_time += ts;\n";
    }
    if let Some(function) = &formulas.internal_rate {
        wildcards.push("carom_internal");
        touch += "        carom_internal = 0.f;\n";
        let _ = writeln!(
            advance,
            "        carom_internal += ts * carom_law::law_internal_rate({});",
            arguments_of(function)
        );
    }
    if !advance.is_empty() {
        advance = format!("    }} else {{\n{advance}");
    }
    wildcards.extend(["carom_tx", "carom_ty", "carom_tz"]);
    let commit = formulas.peak.as_ref().map_or(String::new(), |function| {
        format!("    carom_peak = carom_law::law_peak({});\n", arguments_of(function))
    });
    let cut = match plan.law.exit {
        Exit::ZeroForce => "    if (carom_load < 0.) carom_load = 0.;\n",
        Exit::ZeroIndentation => "",
    };
    let quoted: Vec<_> = wildcards.iter().map(|name| format!("\"{name}\"")).collect();
    let clear: Vec<_> = wildcards.iter().map(|name| format!("{name} = 0.f;")).collect();
    let values = [
        ("usage", usage(plan, &quoted.join(", "))),
        ("release", number(plan.law.release())),
        ("functions", functions(&formulas)),
        ("touch", touch),
        ("advance", advance),
        ("force", arguments_of(&formulas.force)),
        ("commit", commit),
        ("cut", cut.to_string()),
        ("clear", clear.join(" ")),
    ];
    Ok(Deck {
        files: vec![fill("carom_model.cu", include_str!("templates/dem_engine.cu"), &values)?],
        settings: vec![
            setting("radius", 2.0 * plan.radius, "m"),
            setting("mass", 2.0 * plan.law.mass, "kg"),
        ],
    })
}

/// Returns the functions as members of a structure within the kernel, without constants from a header that the
/// run-time compiler lacks.
fn functions(formulas: &Formulas) -> String {
    let text = formulas.print("law", Language::Cuda);
    let text = text
        .replace("__host__ __device__ inline", "static __device__ inline")
        .replace("INFINITY", "(1e308 * 10.0)")
        .replace("NAN", "(0.0 * (1e308 * 10.0))");
    text.lines().fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "{}", format!("        {line}").trim_end());
        out
    })
}

/// Returns comments on how the text is passed to the solver.
fn usage(plan: &LawPlan, wildcards: &str) -> String {
    let mut text = format!(
        "// How to use it, in C++ or Python:\n\
         //   model = solver.DefineContactForceModel(<this text>)   or   solver.ReadContactForceModel(<this file>)\n\
         //   model.SetMustHaveMatProp({{\"E\", \"nu\", \"mu\"}})\n\
         //   model.SetMustPairwiseMatProp({{\"mu\"}})\n\
         //   model.SetPerContactWildcards({{{wildcards}}})\n\
         //   solver.SetIntegrator(\"centered_difference\")\n\
         // E and nu serve friction alone; mu = 0 leaves it out. Two spheres of radius {} m and mass {} kg that meet at {} m/s\n\
         // make the impact above, with solver.SetInitTimeStep({}).",
        number(2.0 * plan.radius),
        number(2.0 * plan.law.mass),
        number(plan.case.speed),
        number(plan.step),
    );
    let release = plan.law.release();
    if release < 0.0 {
        let _ = write!(
            text,
            "\n// The contact holds as far as {} m: solver.SetFamilyExtraMargin(family, {}) for all families.",
            number(-release),
            number(-1.1 * release)
        );
    }
    text
}
