//! Linear loading, stiffer unloading, and a cohesive branch (Luding 2008).
//!
//! Loading k₁·δ; unloading and reloading k₂·(δ − δ₀) from the peak p, with δ₀ = (1 − k₁/k₂)·p; the
//! pull is limited to k_c·δ, along which the contact opens to δ = 0. A contact that stops on the
//! limit and closes again does so along k₂, as one with the smaller peak (k₂+k_c)/(k₂−k₁)·δ would:
//! that is the one place where `commit` lowers the peak.
//!
//! With r = k₂/k₁ and κ = k_c/k₁ the energies of the triangles give, for contact that ends at δ =
//! 0, e² = 1/r − κ·(r−1)²/(r·(r+κ)), which solves to r = (1 + 2κ − κe²)/(e² + κ). Beyond r = 2 +
//! 1/κ the bodies stick. Where contact ends at zero force the cohesion is not felt and e² = 1/r.

use super::loads;
use crate::law::{Exit, Force, Form, Memory, Tangent};

/// Linear loading and unloading with a cohesive branch.
#[derive(Clone, Copy, Debug)]
pub struct Cohesive {
    /// k₁, of loading (N/m).
    pub loading: f64,
    /// k₂ ≥ k₁, of unloading (N/m).
    pub unloading: f64,
    /// k_c ≥ 0, of the cohesive limit (N/m).
    pub cohesion: f64,
}

impl Cohesive {
    /// The unloading stiffness that delivers this restitution under this exit.
    pub fn delivering(loading: f64, cohesion: f64, exit: Exit, restitution: f64) -> Self {
        let (square, kappa) = (restitution * restitution, cohesion / loading);
        let ratio = match exit {
            Exit::ZeroForce => 1.0 / square,
            Exit::ZeroIndentation => (1.0 + 2.0 * kappa - kappa * square) / (square + kappa),
        };
        Self { loading, unloading: loading * ratio, cohesion }
    }

    /// Indentation at which the unloading line from `peak` meets the cohesive limit.
    fn corner(&self, peak: f64) -> f64 {
        peak * (self.unloading - self.loading) / (self.unloading + self.cohesion)
    }

    /// The unloading line from `peak`.
    #[inline(always)]
    fn line(&self, delta: f64, peak: f64) -> f64 {
        self.loading * peak - self.unloading * (peak - delta)
    }
}

impl Force for Cohesive {
    fn kink(&self, loading: bool, memory: &Memory) -> f64 {
        if loading { f64::NAN } else { self.corner(memory.peak) }
    }

    #[inline(always)]
    fn force(&self, delta: f64, _rate: f64, memory: &Memory) -> f64 {
        let delta = delta.max(0.0);
        if delta >= memory.peak {
            return self.loading * delta;
        }
        self.line(delta, memory.peak).max(-self.cohesion * delta)
    }

    fn tangent(&self, delta: f64, rate: f64, memory: &Memory) -> Tangent {
        let stiffness = if delta < 0.0 {
            0.0
        } else if loads(delta, rate, memory) {
            self.loading
        } else if delta >= self.corner(memory.peak) {
            self.unloading
        } else {
            -self.cohesion
        };
        Tangent { stiffness, damping: 0.0 }
    }

    fn stored(&self, delta: f64, memory: &Memory) -> f64 {
        let (delta, peak) = (delta.max(0.0), memory.peak.max(delta));
        let corner = self.corner(peak);
        let low = delta.min(corner);
        // The force runs from −k_c·corner at the corner to line(δ) above it.
        let above = (delta - corner).max(0.0);
        let mean = 0.5 * (self.line(delta, peak) - self.cohesion * corner);
        mean * above - 0.5 * self.cohesion * low * low
    }

    fn commit(&self, delta: f64, _rate: f64, memory: &mut Memory) {
        memory.peak = memory.peak.max(delta);
        // At the corner itself, but for rounding, nothing is lowered yet.
        if delta < self.corner(memory.peak) * (1.0 - 1e-12) {
            // Below 0 there is no dent left: neither here, where the quotient may be infinite.
            let grip = (self.unloading + self.cohesion) / (self.unloading - self.loading);
            memory.peak = if delta > 0.0 { grip * delta } else { 0.0 };
        }
    }
}

impl From<Cohesive> for Form {
    fn from(form: Cohesive) -> Self {
        Self::Cohesive(form)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::check::{impact, near, stored, tangents, work};
    use super::*;

    const SAND: Cohesive = Cohesive { loading: 1e5, unloading: 3e5, cohesion: 0.5e5 };

    #[test]
    fn tangents_and_stored_energy() {
        let memory = Memory { peak: 1e-4, ..Memory::default() };
        let corner = SAND.corner(1e-4);
        tangents(SAND, 1.2e-4, 0.1, &memory);
        tangents(SAND, 0.9e-4, -0.1, &memory);
        tangents(SAND, 0.5 * corner, -0.1, &memory);
        for delta in [0.4 * corner, 1.3 * corner, 0.99e-4] {
            stored(SAND, 0.0, delta, &memory, 1e-6);
        }
        near(SAND.force(corner, -0.1, &memory), -0.5e5 * corner, 1e-12);
    }

    #[test]
    fn a_contact_that_closes_again_from_the_limit_climbs_the_unloading_slope() {
        let mut memory = Memory { peak: 1e-4, ..Memory::default() };
        let delta = 0.6 * SAND.corner(1e-4);
        let before = SAND.force(delta, -0.1, &memory);
        SAND.commit(delta, -0.1, &mut memory);
        near(SAND.force(delta, 0.1, &memory), before, 1e-12);
        let step = 1e-8;
        near((SAND.force(delta + step, 0.1, &memory) - before) / step, 3e5, 1e-6);
        near((before - SAND.force(delta - step, -0.1, &memory)) / step, -0.5e5, 1e-6);
    }

    #[test]
    fn the_energy_balance_with_cohesion_is_closed() {
        let memory = Memory { peak: 1e-4, ..Memory::default() };
        let spent = work(SAND, 0.0, 1e-4, &Memory::default());
        let (r, kappa) = (3.0_f64, 0.5);
        let square = 1.0 / r - kappa * (r - 1.0).powi(2) / (r * (r + kappa));
        near(SAND.stored(1e-4, &memory) / spent, square, 1e-9);
    }

    #[test]
    fn both_exits_deliver_what_is_asked() {
        let (mass, speed) = (0.01_f64, 0.3);
        let span = (mass / 1e5).sqrt();
        for cohesion in [0.0, 2e4, 2e5] {
            for exit in [Exit::ZeroForce, Exit::ZeroIndentation] {
                for e in [0.9, 0.5, 0.1] {
                    let form = Cohesive::delivering(1e5, cohesion, exit, e);
                    assert!(form.unloading >= form.loading);
                    near(impact(form, mass, speed, exit, span)[0], e, 1e-4);
                }
            }
        }
    }
}
