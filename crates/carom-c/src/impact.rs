//! Complete impacts, and the damping that delivers a restitution.

use crate::boundary::{borrow, borrow_mut, check_positive, status_and_message};
use crate::law::{carom_law, exit_from_c};
use carom::exact::{self, Exponents};
use carom::law::{Damper, Power};
use carom::{Pair, collide};
use std::ffi::{c_char, c_int};

/// The result of an impact.
#[repr(C)]
pub struct carom_impact {
    /// Restitution: rebound speed over approach speed; 0 where the bodies never separate.
    pub restitution: f64,
    /// Duration of contact (s); infinite where the bodies never separate.
    pub duration: f64,
    /// Largest indentation (m).
    pub indentation_max: f64,
    /// Time of the largest indentation after touch (s).
    pub time_of_indentation_max: f64,
    /// Largest force (N).
    pub force_max: f64,
    /// Time of the largest force after touch (s).
    pub time_of_force_max: f64,
    /// Indentation at the end of contact (m).
    pub residual_indentation: f64,
    /// Impulse of the force up to the largest indentation (N s).
    pub impulse_of_compression: f64,
    /// Impulse of the force after the largest indentation (N s).
    pub impulse_of_restitution: f64,
    /// Kinetic energy of the relative motion at touch (J).
    pub energy: f64,
    /// Energy lost in the impact (J).
    pub energy_lost: f64,
}

/// Computes the impact of two bodies with this approach speed (m/s) and no other forces. The result is that of an integrator with
/// sufficiently small steps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_collide(
    law: *const carom_law,
    speed: f64,
    impact: *mut carom_impact,
    error: *mut *mut c_char,
) -> c_int {
    let call = || {
        // SAFETY: the rules for pointers in lib.rs.
        let (law, impact) = unsafe { (borrow(law)?, borrow_mut(impact)?) };
        let found = collide(&law.law, speed)?;
        *impact = carom_impact {
            restitution: found.restitution.newton,
            duration: found.duration,
            indentation_max: found.indentation_max,
            time_of_indentation_max: found.time_of_indentation_max,
            force_max: found.force_max,
            time_of_force_max: found.time_of_force_max,
            residual_indentation: found.residual_indentation,
            impulse_of_compression: found.impulse.compression,
            impulse_of_restitution: found.impulse.restitution,
            energy: found.energy.initial,
            energy_lost: found.energy.lost_in_compression + found.energy.lost_in_restitution,
        };
        Ok(())
    };
    // SAFETY: as above.
    unsafe { status_and_message(error, call) }
}

/// Computes the damping coefficient c (N s^q/m^(m+q)) with which F = K*delta^n + c*delta^m*|rate|^q*sgn(rate) delivers a
/// restitution exactly, for an effective mass (kg), K = stiffness (N/m^n), n = exponent, m = damping_exponent, q = rate_exponent,
/// an end of contact (CAROM_EXIT_FORCE or CAROM_EXIT_INDENTATION) and an approach speed (m/s).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_exact_damping(
    mass: f64,
    stiffness: f64,
    exponent: f64,
    damping_exponent: f64,
    rate_exponent: f64,
    contact_exit: c_int,
    speed: f64,
    restitution: f64,
    coefficient: *mut f64,
    error: *mut *mut c_char,
) -> c_int {
    let call = || {
        // SAFETY: the rules for pointers in lib.rs.
        let output = unsafe { borrow_mut(coefficient) }?;
        let pair = Pair::new(mass, stiffness, exponent)?;
        let speed = check_positive("speed", speed)?;
        let exponents = Exponents::new(exponent, damping_exponent, rate_exponent)?;
        let epsilon = exact::epsilon(exponents, exit_from_c(contact_exit)?, restitution)?;
        let (n, m, q) = (exponent, damping_exponent, rate_exponent);
        let law = Power::new(pair.stiffness, n, m, q, Damper::Ratio(epsilon));
        *output = law.coefficient(pair.mass, speed);
        Ok(())
    };
    // SAFETY: as above.
    unsafe { status_and_message(error, call) }
}

/// Computes the restitution that this law delivers with a damping coefficient; the other arguments are those of
/// carom_exact_damping.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_exact_restitution(
    mass: f64,
    stiffness: f64,
    exponent: f64,
    damping_exponent: f64,
    rate_exponent: f64,
    contact_exit: c_int,
    speed: f64,
    coefficient: f64,
    restitution: *mut f64,
    error: *mut *mut c_char,
) -> c_int {
    let call = || {
        // SAFETY: the rules for pointers in lib.rs.
        let output = unsafe { borrow_mut(restitution) }?;
        let pair = Pair::new(mass, stiffness, exponent)?;
        let speed = check_positive("speed", speed)?;
        let exponents = Exponents::new(exponent, damping_exponent, rate_exponent)?;
        let (n, m, q) = (exponent, damping_exponent, rate_exponent);
        let law = Power::new(pair.stiffness, n, m, q, Damper::Coefficient(coefficient));
        let epsilon = law.epsilon(pair.mass, speed);
        *output = exact::restitution(exponents, exit_from_c(contact_exit)?, epsilon)?;
        Ok(())
    };
    // SAFETY: as above.
    unsafe { status_and_message(error, call) }
}
