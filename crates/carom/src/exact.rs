//! Exact restitution: the functions ε(e) and e(ε) of every power law, and the dimensionless impact from which they
//! follow.
//!
//! For F = K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇ and effective mass mₑ, with L = (mₑv₀²/K)^(1/(n+1)), time L/v₀ and force
//! mₑv₀²/L, every impact is x″ + xⁿ + ε·xᵐ·|x′|^q·sgn x′ = 0, x(0) = 0, x′(0) = 1, with
//!
//! ε = c·L^(m+1)·v₀^(q−2)/mₑ.
//!
//! A restitution-based power law therefore consists of its exponents and one number. [`epsilon`] computes the ε that
//! delivers a restitution, [`restitution`] the restitution that an ε delivers, and [`outcome`] all results of the
//! impact; [`Curve`] does the same for millions of impacts with the same exponents.
//!
//! Closed forms are used where they exist (`closed.rs`). All other cases reduce to one scalar equation, which is
//! solved by collocation in microseconds (`panel.rs`). If the damping is so strong that this iteration does not
//! converge, a polynomial system is integrated step by step (`phase.rs`), and along its slow manifold while the
//! bodies creep (`phase/creep.rs`). There is no step size and no tolerance to choose.
//!
//! ```
//! use carom::exact::{self, Exponents};
//! use carom::Exit;
//! // A Tsuji law that must give 0.5 back, although it cannot pull:
//! let tsuji = Exponents::new(1.5, 0.25, 1.0)?;
//! let epsilon = exact::epsilon(tsuji, Exit::ZeroForce, 0.5)?;
//! assert!((epsilon - 0.5708136788).abs() < 1e-9);
//! assert!((exact::restitution(tsuji, Exit::ZeroForce, epsilon)? - 0.5).abs() < 1e-12);
//! # Ok::<(), carom::Error>(())
//! ```

mod closed;
mod curve;
mod gauss;
mod guess;
mod panel;
mod phase;
mod wide;

pub use closed::{
    damping_ratio_compression, damping_ratio_zero_force, damping_ratio_zero_indentation,
    hunt_crossley, hunt_crossley_restitution,
};
pub use curve::Curve;
pub use phase::Outcome;

use crate::error::{self, Error, Result, check_range};
use crate::law::{Exit, Power};
use crate::message::Action;
use panel::Accuracy;

/// Exponents of K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇, checked for their ranges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponents {
    /// n, in [1, 5].
    pub n: f64,
    /// m, in [0, 5].
    pub m: f64,
    /// q, in (0, 3].
    pub q: f64,
}

impl Exponents {
    /// Creates the exponents and checks their ranges.
    ///
    /// ```
    /// assert!(carom::exact::Exponents::new(0.5, 1.0, 1.0).unwrap_err().is_invalid());
    /// ```
    pub fn new(n: f64, m: f64, q: f64) -> Result<Self> {
        check_range("exponent", n, 1.0, 5.0, "n of K*delta^n; 3/2 is Hertz's point contact")?;
        check_range(
            "damping_exponent",
            m,
            0.0,
            5.0,
            "m of c*delta^m*rate^q; Hunt-Crossley laws have m = n",
        )?;
        if !(q > 0.0 && q <= 3.0) {
            let advice = "q of c*delta^m*rate^q; 1 is viscous damping";
            return Err(Error::invalid("rate_exponent", q, "above 0 and at most 3", advice));
        }
        Ok(Self { n, m, q })
    }

    /// Returns the exponents of a power law.
    pub(crate) fn of(power: &Power) -> Result<Self> {
        Self::new(power.elastic.value(), power.damping.value(), power.rate.value())
    }

    /// Computes p = q − 2(n−m)/(n+1). The damping coefficient that maintains a restitution scales as v₀^−p.
    ///
    /// For p = 0 the law is velocity-free: the coefficient does not depend on the impact speed, so that the law is
    /// also applicable to resting and multiple contacts, where v₀ has no meaning.
    ///
    /// ```
    /// use carom::exact::Exponents;
    /// assert_eq!(Exponents::new(1.5, 0.25, 1.0)?.speed_power(), 0.0); // Tsuji
    /// assert_eq!(Exponents::new(1.5, 1.5, 1.0)?.speed_power(), 1.0); // Hunt–Crossley
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn speed_power(self) -> f64 {
        self.q - 2.0 * (self.n - self.m) / (self.n + 1.0)
    }

    /// Returns whether the law is velocity-free, q = 2(n−m)/(n+1).
    pub fn is_velocity_free(self) -> bool {
        self.speed_power().abs() < 1e-12
    }

    fn is_hunt_crossley(self) -> bool {
        self.m == self.n && self.q == 1.0
    }

    fn is_linear_equivalent(self) -> bool {
        self.m == 0.5 * (self.n - 1.0) && self.q == 1.0
    }

    /// Computes the slope of −ln e = slope·ε for ε → 0: ((n+1)/2)^(μ−1)·B(μ, 1+q/2) with μ = (m+1)/(n+1).
    fn weak_slope(self) -> f64 {
        let mu = (self.m + 1.0) / (self.n + 1.0);
        let half = 1.0 + 0.5 * self.q;
        let beta = libm::lgamma(mu) + libm::lgamma(half) - libm::lgamma(mu + half);
        (0.5 * (self.n + 1.0)).powf(mu - 1.0) * beta.exp()
    }
}

/// Computes the ε that delivers the restitution `e` in (0, 1] with this exit of contact.
pub fn epsilon(exponents: Exponents, exit: Exit, e: f64) -> Result<f64> {
    error::check_restitution(e)?;
    if exponents.is_hunt_crossley() {
        return check_limit(e, closed::hunt_crossley(e));
    }
    if exponents.is_linear_equivalent() {
        let zeta = match exit {
            Exit::ZeroIndentation => damping_ratio_zero_indentation(e),
            Exit::ZeroForce => damping_ratio_zero_force(e),
        };
        return check_limit(e, zeta * (2.0 * (exponents.n + 1.0)).sqrt());
    }
    let slope = exponents.weak_slope();
    if let Some(epsilon) = epsilon_if_nearly_elastic(e, slope) {
        return Ok(epsilon);
    }
    let start = guess::ln_epsilon(exponents, exit, slope, e);
    let mut memo = None;
    let found = solve_for_epsilon(e, start, |epsilon, accuracy| {
        ln_restitution(exponents, exit, epsilon, accuracy, &mut memo)
    })?;
    check_limit(e, found)
}

/// Computes the ε that delivers `e` if the damper acts in compression only.
///
/// The exit of contact has no influence, because restitution is elastic and the force is never tensile.
pub fn compression_epsilon(exponents: Exponents, e: f64) -> Result<f64> {
    error::check_restitution(e)?;
    if exponents.is_hunt_crossley() && e < 1.0 {
        return check_limit(e, closed::hunt_crossley_compression(e));
    }
    if exponents.is_linear_equivalent() {
        return check_limit(e, damping_ratio_compression(e) * (2.0 * (exponents.n + 1.0)).sqrt());
    }
    let slope = 0.5 * exponents.weak_slope();
    if let Some(epsilon) = epsilon_if_nearly_elastic(e, slope) {
        return Ok(epsilon);
    }
    // The start has the shape of the Hunt–Crossley curve, scaled to the correct slope at e = 1.
    let start = (closed::hunt_crossley(e) / (1.5 * slope)).ln();
    let found = solve_for_epsilon(e, start, |epsilon, _| {
        panel::ln_compression_restitution(exponents, epsilon)
            .or_else(|| phase::ln_compression_restitution(exponents, epsilon))
    })?;
    check_limit(e, found)
}

/// Computes ε if e is so close to 1 that −ln e = slope·ε holds to rounding; `None` for other e.
fn epsilon_if_nearly_elastic(e: f64, slope: f64) -> Option<f64> {
    let loss = -e.ln();
    (loss < 1e-9).then_some(loss / slope)
}

/// Computes ln e and ∂ln e/∂ln ε, by panels if these converge, otherwise by the flow of `phase.rs`; `None` if the
/// bodies never separate.
fn ln_restitution(
    exponents: Exponents,
    exit: Exit,
    epsilon: f64,
    accuracy: Accuracy,
    memo: &mut Option<panel::Grid>,
) -> Option<(f64, f64)> {
    panel::ln_restitution(exponents, exit, epsilon, accuracy, memo)
        .or_else(|| phase::ln_restitution(exponents, exit, epsilon))
}

/// Solves for ε by Newton's iteration for y = ln(−ln e) as a function of g = ln ε from `start`. The curvature is
/// estimated from the slopes of two trials, and the root is bracketed. `None` from `f` means too much damping.
///
/// [`crate::numeric::root`] is not used, because the same evaluation also gives the slope: two or three evaluations
/// are then sufficient where a method without slopes needs six.
fn solve_for_epsilon(
    e: f64,
    start: f64,
    mut f: impl FnMut(f64, Accuracy) -> Option<(f64, f64)>,
) -> Result<f64> {
    let loss = -e.ln();
    let target = loss.ln();
    let mut g = start;
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    // The last trial: g and dy/dg there.
    let mut before: Option<(f64, f64)> = None;
    for trial in 0..200 {
        // The first trial only provides a starting point and is computed with low accuracy.
        let accuracy = if trial == 0 { Accuracy::COARSE } else { Accuracy::FULL };
        let step = match f(g.exp(), accuracy) {
            Some((ln_e, slope)) if ln_e < 0.0 && slope < 0.0 => {
                let found = -ln_e;
                // Because of its low accuracy the first trial may be on the wrong side of a close root, so it is no
                // bound.
                if trial > 0 && found < loss {
                    low = low.max(g)
                } else if trial > 0 {
                    high = high.min(g)
                }
                let rise = -slope / found;
                let mut step = (target - found.ln()) / rise;
                if let Some((g0, rise0)) = before {
                    let bend = 0.5 * (rise - rise0) / (g - g0) / rise * step * step;
                    // Estimated error of the second-order term: its own change and the inaccuracy of the slope.
                    let uncertainty =
                        0.1 * bend.abs() + Accuracy::COARSE.slope * (step * step / (g - g0)).abs();
                    // The error of the next iterate is of the order of the square of this one: it is negligible below
                    // 1e-7, even close to creeping.
                    if uncertainty * rise * loss < 1e-11 || (found - loss).abs() < 1e-7 {
                        return Ok((g + step - bend).exp());
                    }
                    if bend.abs() < 0.2 * step.abs() {
                        step -= bend;
                    }
                }
                before = Some((g, rise));
                step.clamp(-3.0, 3.0)
            }
            _ => {
                high = high.min(g);
                -0.5
            }
        };
        let next = g + step;
        g = match next > low && next < high {
            true => next,
            false if low.is_finite() && high.is_finite() => 0.5 * (low + high),
            false => g + step.signum() * 0.5,
        };
        if high - low < 1e-15 * g.abs().max(1.0) {
            // The bracket is as narrow as rounding allows, as happens close to creeping. The result is accepted if it
            // delivers e to 1e-9.
            let delivered = f(g.exp(), Accuracy::FULL).map_or(0.0, |(ln_e, _)| ln_e.exp());
            match (delivered - e).abs() < 1e-9 {
                true => return Ok(g.exp()),
                false => break,
            }
        }
    }
    check_limit(e, f64::NAN)
}

/// Returns ε if it is at most 1e60, otherwise the error that `e` cannot be reached.
fn check_limit(e: f64, epsilon: f64) -> Result<f64> {
    match epsilon.is_finite() && epsilon <= 1e60 {
        true => Ok(epsilon),
        false => Err(Error::unreachable(
            e,
            "the required dimensionless damping is above 1e60",
            "ask for a larger restitution, or use another exit or a larger rate exponent",
        )),
    }
}

/// Computes the restitution that ε delivers with this exit of contact.
///
/// With [`Exit::ZeroIndentation`] a law with q ≤ 2(n−m)/(n+1) creeps and never separates if ε exceeds a finite limit.
/// That is an error here, and a note of an impact.
pub fn restitution(exponents: Exponents, exit: Exit, epsilon: f64) -> Result<f64> {
    let epsilon = check_epsilon(epsilon)?;
    if exponents.is_hunt_crossley() {
        return Ok(hunt_crossley_restitution(epsilon));
    }
    if epsilon == 0.0 {
        return Ok(1.0);
    }
    match ln_restitution(exponents, exit, epsilon, Accuracy::FULL, &mut None) {
        Some((ln_e, _)) => Ok(ln_e.exp().min(1.0)),
        None => Err(no_separation_error(exponents, exit, epsilon)),
    }
}

/// Computes ∂ln e/∂ln ε: the relative change of the restitution per relative change of the damping.
///
/// It is mostly of order one or less; close to creeping with [`Exit::ZeroIndentation`] it is unbounded and limits the
/// accuracy. The relative error of a restitution is about 1e-12 times this number, and at least 1e-16 (the spacing of
/// 64-bit numbers) times it.
///
/// ```
/// use carom::exact::{Exponents, epsilon, sensitivity};
/// use carom::Exit;
/// let dry = Exponents::new(5.0, 0.0, 0.1)?;
/// let condition = |exit| sensitivity(dry, exit, epsilon(dry, exit, 0.001)?);
/// assert!(condition(Exit::ZeroIndentation)?.abs() > 2e5);
/// assert!(condition(Exit::ZeroForce)?.abs() < 50.0);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn sensitivity(exponents: Exponents, exit: Exit, epsilon: f64) -> Result<f64> {
    let epsilon = check_epsilon(epsilon)?;
    if epsilon == 0.0 {
        return Ok(0.0);
    }
    match ln_restitution(exponents, exit, epsilon, Accuracy::FULL, &mut None) {
        Some((_, slope)) => Ok(slope),
        None => Err(no_separation_error(exponents, exit, epsilon)),
    }
}

/// Computes the restitution that ε delivers if the damper acts in compression only.
pub fn compression_restitution(exponents: Exponents, epsilon: f64) -> Result<f64> {
    match phase::ln_compression_restitution(exponents, check_epsilon(epsilon)?) {
        Some((ln_e, _)) => Ok(ln_e.exp().min(1.0)),
        None => Err(no_separation_error(exponents, Exit::ZeroForce, epsilon)),
    }
}

/// Computes all results of the dimensionless impact with this ε; `None` if the bodies never separate.
pub fn outcome(exponents: Exponents, exit: Exit, epsilon: f64) -> Result<Option<Outcome>> {
    let epsilon = check_epsilon(epsilon)?;
    Ok(panel::outcome(exponents, exit, epsilon)
        .or_else(|| phase::outcome(exponents, exit, epsilon)))
}

/// Computes all results of the dimensionless impact whose damper acts in compression only.
pub fn compression_outcome(exponents: Exponents, epsilon: f64) -> Result<Option<Outcome>> {
    Ok(phase::compression_outcome(exponents, check_epsilon(epsilon)?))
}

fn check_epsilon(epsilon: f64) -> Result<f64> {
    check_range(
        "epsilon",
        epsilon,
        0.0,
        1e60,
        "the dimensionless damping is a finite number of at least 0",
    )
}

fn no_separation_error(exponents: Exponents, exit: Exit, epsilon: f64) -> Error {
    let Exponents { n, m, q } = exponents;
    Error::numerical(
        "separation",
        format!(
            "with n = {n}, m = {m}, q = {q} and epsilon = {epsilon} the bodies creep and never separate when contact ends at zero {}",
            exit.name()
        ),
        sentence!("use less damping, or {}", Action::set("exit", "force")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::Sequence;

    fn random(seed: u64) -> impl FnMut() -> f64 {
        let mut random = Sequence::new(seed);
        move || random.unit()
    }

    #[test]
    fn panels_and_flow_agree_wherever_both_answer() {
        let mut r = random(7);
        let mut both = 0;
        for i in 0..400 {
            let exponents = Exponents::new(1.0 + 4.0 * r(), 5.0 * r(), 0.2 + 2.8 * r()).unwrap();
            let exit = if i % 2 == 0 { Exit::ZeroForce } else { Exit::ZeroIndentation };
            let epsilon = 1e-6 * 1e8f64.powf(r());
            let Some(fast) = panel::outcome(exponents, exit, epsilon) else { continue };
            let Some(flow) = phase::outcome(exponents, exit, epsilon) else {
                panic!("{exponents:?} {exit:?} {epsilon}: only the panels separate");
            };
            both += 1;
            // Close to creeping both methods lose accuracy.
            if flow.restitution < 1e-3 {
                continue;
            }
            for (a, b, size) in [
                (fast.restitution, flow.restitution, flow.restitution),
                (fast.duration, flow.duration, flow.duration),
                (fast.indentation_max, flow.indentation_max, flow.indentation_max),
                (fast.time_of_indentation_max, flow.time_of_indentation_max, flow.duration),
                (fast.force_max, flow.force_max, flow.force_max),
                (fast.time_of_force_max, flow.time_of_force_max, flow.duration),
                (fast.residual_indentation, flow.residual_indentation, flow.indentation_max),
            ] {
                assert!((a - b).abs() < 1e-10 * size, "{exponents:?} {exit:?} {epsilon}: {a} {b}");
            }
        }
        assert!(both > 300, "{both}");
    }

    #[test]
    fn the_sensitivity_is_the_slope() {
        for (n, m, q) in [(1.5, 1.2, 0.9), (1.0, 0.0, 1.0), (3.0, 4.0, 2.0)] {
            let exponents = Exponents::new(n, m, q).unwrap();
            for exit in [Exit::ZeroForce, Exit::ZeroIndentation] {
                let at = |epsilon: f64| {
                    ln_restitution(exponents, exit, epsilon, Accuracy::FULL, &mut None).unwrap()
                };
                let (h, epsilon) = (1e-5f64, 0.4);
                let difference = at(epsilon * h.exp()).0 - at(epsilon * (-h).exp()).0;
                assert!((difference / (2.0 * h) / at(epsilon).1 - 1.0).abs() < 1e-6, "{n} {m} {q}");
            }
        }
    }

    #[test]
    fn strong_damping_that_creeps_is_an_error_that_names_the_exit_that_works() {
        let kelvin_voigt = Exponents::new(1.0, 0.0, 1.0).unwrap();
        let error = restitution(kelvin_voigt, Exit::ZeroIndentation, 2.5).unwrap_err();
        assert!(error.to_string().contains("exit = \"force\""), "{error}");
        let e = restitution(kelvin_voigt, Exit::ZeroForce, 2.5).unwrap();
        // With ζ = 1.25, ln e = −2ζ·arcosh ζ/√(ζ²−1).
        assert!((e.ln() + 2.5 * 1.25f64.acosh() / 0.75).abs() < 1e-10);
    }
}
