//! One integrator for everything: Dormand & Prince's explicit Runge–Kutta pair of order 8(5,3), with
//! dense output of order 7.
//!
//! Twelve evaluations a step, the error estimated by combining embedded formulas of orders 5 and 3,
//! after E. Hairer, S. P. Nørsett and G. Wanner, *Solving Ordinary Differential Equations I*, 2nd ed.,
//! Springer 1993, section II.5 (coefficients and error estimator); dense output section II.6.
//!
//! It is written here, not taken from a crate, because impacts need what the crates do not offer
//! together: fixed-size states on the stack, no allocation, and steps that can be taken again with
//! another length, which is how events are located to the last digit (`bench/` shows the ratio to
//! `ode_solvers` and `diffsol`).

/// y + h·Σ aᵢ·kᵢ.
#[inline(always)]
fn mix<const N: usize, const S: usize>(
    y: &[f64; N],
    h: f64,
    terms: [(f64, &[f64; N]); S],
) -> [f64; N] {
    let mut out = [0.0; N];
    for i in 0..N {
        let mut sum = 0.0;
        for (a, k) in terms {
            sum += a * k[i];
        }
        out[i] = y[i] + h * sum;
    }
    out
}

/// One step from `y` at `t`: where it ends, and what its error and dense output need.
#[derive(Clone, Copy)]
pub(crate) struct Step<const N: usize> {
    pub t: f64,
    pub h: f64,
    pub start: [f64; N],
    pub end: [f64; N],
    k: [[f64; N]; 12],
}

/// Takes one step of length `h`; `slope` is f(t, y). Accepts or rejects nothing.
#[inline(always)]
#[rustfmt::skip]
pub(crate) fn step<const N: usize>(
    f: &mut impl FnMut(f64, &[f64; N]) -> [f64; N],
    t: f64,
    y: &[f64; N],
    slope: &[f64; N],
    h: f64,
) -> Step<N> {
    let mut k = [*slope; 12];
    k[1] = f(t + 0.05260015195876773 * h, &mix(y, h, [(0.05260015195876773, &k[0])]));
    k[2] = f(t + 0.0789002279381516 * h, &mix(y, h, [(0.0197250569845379, &k[0]), (0.0591751709536137, &k[1])]));
    k[3] = f(t + 0.1183503419072274 * h, &mix(y, h, [(0.02958758547680685, &k[0]), (0.08876275643042054, &k[2])]));
    k[4] = f(t + 0.2816496580927726 * h, &mix(y, h, [(0.2413651341592667, &k[0]), (-0.8845494793282861, &k[2]), (0.924834003261792, &k[3])]));
    k[5] = f(t + 0.3333333333333333 * h, &mix(y, h, [(0.037037037037037035, &k[0]), (0.17082860872947386, &k[3]), (0.12546768756682242, &k[4])]));
    k[6] = f(t + 0.25 * h, &mix(y, h, [(0.037109375, &k[0]), (0.17025221101954405, &k[3]), (0.06021653898045596, &k[4]), (-0.017578125, &k[5])]));
    k[7] = f(t + 0.3076923076923077 * h, &mix(y, h, [(0.03709200011850479, &k[0]), (0.17038392571223998, &k[3]), (0.10726203044637328, &k[4]), (-0.015319437748624402, &k[5]), (0.008273789163814023, &k[6])]));
    k[8] = f(t + 0.6512820512820513 * h, &mix(y, h, [(0.6241109587160757, &k[0]), (-3.3608926294469414, &k[3]), (-0.868219346841726, &k[4]), (27.59209969944671, &k[5]), (20.154067550477894, &k[6]), (-43.48988418106996, &k[7])]));
    k[9] = f(t + 0.6 * h, &mix(y, h, [(0.47766253643826434, &k[0]), (-2.4881146199716677, &k[3]), (-0.590290826836843, &k[4]), (21.230051448181193, &k[5]), (15.279233632882423, &k[6]), (-33.28821096898486, &k[7]), (-0.020331201708508627, &k[8])]));
    k[10] = f(t + 0.8571428571428571 * h, &mix(y, h, [(-0.9371424300859873, &k[0]), (5.186372428844064, &k[3]), (1.0914373489967295, &k[4]), (-8.149787010746927, &k[5]), (-18.52006565999696, &k[6]), (22.739487099350505, &k[7]), (2.4936055526796523, &k[8]), (-3.0467644718982196, &k[9])]));
    k[11] = f(t + 1.0 * h, &mix(y, h, [(2.273310147516538, &k[0]), (-10.53449546673725, &k[3]), (-2.0008720582248625, &k[4]), (-17.9589318631188, &k[5]), (27.94888452941996, &k[6]), (-2.8589982771350235, &k[7]), (-8.87285693353063, &k[8]), (12.360567175794303, &k[9]), (0.6433927460157636, &k[10])]));
    let end = mix(y, h, [(0.054293734116568765, &k[0]), (4.450312892752409, &k[5]), (1.8915178993145003, &k[6]), (-5.801203960010585, &k[7]), (0.3111643669578199, &k[8]), (-0.1521609496625161, &k[9]), (0.20136540080403034, &k[10]), (0.04471061572777259, &k[11])]);
    Step { t, h, start: *y, end, k }
}

impl<const N: usize> Step<N> {
    /// The error of the step in units of `scale`, below 1 when the step is good.
    #[inline(always)]
    #[rustfmt::skip]
    pub fn error(&self, scale: impl Fn(usize, f64) -> f64) -> f64 {
        let k = &self.k;
        let zero = [0.0; N];
        let third = mix(&zero, self.h, [(-0.18980075407240762, &k[0]), (4.450312892752409, &k[5]), (1.8915178993145003, &k[6]), (-5.801203960010585, &k[7]), (-0.4226823213237919, &k[8]), (-0.1521609496625161, &k[9]), (0.20136540080403034, &k[10]), (0.02265179219836082, &k[11])]);
        let fifth = mix(&zero, self.h, [(0.01312004499419488, &k[0]), (-1.2251564463762044, &k[5]), (-0.4957589496572502, &k[6]), (1.6643771824549864, &k[7]), (-0.35032884874997366, &k[8]), (0.3341791187130175, &k[9]), (0.08192320648511571, &k[10]), (-0.022355307863886294, &k[11])]);
        let (mut sum3, mut sum5) = (0.0, 0.0);
        for i in 0..N {
            let unit = scale(i, self.start[i].abs().max(self.end[i].abs()));
            sum3 += (third[i] / unit) * (third[i] / unit);
            sum5 += (fifth[i] / unit) * (fifth[i] / unit);
        }
        if sum5 == 0.0 && sum3 == 0.0 {
            return 0.0;
        }
        sum5 / ((sum5 + 0.01 * sum3) * N as f64).sqrt()
    }

    /// f at the start of the step.
    pub fn start_slope(&self) -> &[f64; N] {
        &self.k[0]
    }

    /// Dense output over the step; three more evaluations.
    #[rustfmt::skip]
    pub fn dense(&self, f: &mut impl FnMut(f64, &[f64; N]) -> [f64; N], slope_end: &[f64; N]) -> Dense<N> {
        let (t, h, y) = (self.t, self.h, &self.start);
        let mut k = [[0.0; N]; 16];
        k[..12].copy_from_slice(&self.k);
        k[12] = *slope_end;
        k[13] = f(t + 0.1 * h, &mix(y, h, [(0.056167502283047954, &k[0]), (0.25350021021662483, &k[6]), (-0.2462390374708025, &k[7]), (-0.12419142326381637, &k[8]), (0.15329179827876568, &k[9]), (0.00820105229563469, &k[10]), (0.007567897660545699, &k[11]), (-0.008298, &k[12])]));
        k[14] = f(t + 0.2 * h, &mix(y, h, [(0.03183464816350214, &k[0]), (0.028300909672366776, &k[5]), (0.053541988307438566, &k[6]), (-0.05492374857139099, &k[7]), (-0.00010834732869724932, &k[10]), (0.0003825710908356584, &k[11]), (-0.00034046500868740456, &k[12]), (0.1413124436746325, &k[13])]));
        k[15] = f(t + 0.7777777777777778 * h, &mix(y, h, [(-0.42889630158379194, &k[0]), (-4.697621415361164, &k[5]), (7.683421196062599, &k[6]), (4.06898981839711, &k[7]), (0.3567271874552811, &k[8]), (-0.0013990241651590145, &k[12]), (2.9475147891527724, &k[13]), (-9.15095847217987, &k[14])]));
        let zero = [0.0; N];
        let mut rows = [[0.0; N]; 7];
        for i in 0..N {
            let change = self.end[i] - self.start[i];
            rows[0][i] = change;
            rows[1][i] = h * k[0][i] - change;
            rows[2][i] = 2.0 * change - h * (k[12][i] + k[0][i]);
        }
        rows[3] = mix(&zero, h, [(-8.428938276109013, &k[0]), (0.5667149535193777, &k[5]), (-3.0689499459498917, &k[6]), (2.38466765651207, &k[7]), (2.117034582445028, &k[8]), (-0.871391583777973, &k[9]), (2.2404374302607883, &k[10]), (0.6315787787694688, &k[11]), (-0.08899033645133331, &k[12]), (18.148505520854727, &k[13]), (-9.194632392478356, &k[14]), (-4.436036387594894, &k[15])]);
        rows[4] = mix(&zero, h, [(10.427508642579134, &k[0]), (242.28349177525817, &k[5]), (165.20045171727028, &k[6]), (-374.5467547226902, &k[7]), (-22.113666853125306, &k[8]), (7.733432668472264, &k[9]), (-30.674084731089398, &k[10]), (-9.332130526430229, &k[11]), (15.697238121770845, &k[12]), (-31.139403219565178, &k[13]), (-9.35292435884448, &k[14]), (35.81684148639408, &k[15])]);
        rows[5] = mix(&zero, h, [(19.985053242002433, &k[0]), (-387.0373087493518, &k[5]), (-189.17813819516758, &k[6]), (527.8081592054236, &k[7]), (-11.57390253995963, &k[8]), (6.8812326946963, &k[9]), (-1.0006050966910838, &k[10]), (0.7777137798053443, &k[11]), (-2.778205752353508, &k[12]), (-60.19669523126412, &k[13]), (84.32040550667716, &k[14]), (11.99229113618279, &k[15])]);
        rows[6] = mix(&zero, h, [(-25.69393346270375, &k[0]), (-154.18974869023643, &k[5]), (-231.5293791760455, &k[6]), (357.6391179106141, &k[7]), (93.40532418362432, &k[8]), (-37.45832313645163, &k[9]), (104.0996495089623, &k[10]), (29.8402934266605, &k[11]), (-43.53345659001114, &k[12]), (96.32455395918828, &k[13]), (-39.17726167561544, &k[14]), (-149.72683625798564, &k[15])]);
        Dense { t, h, start: self.start, rows }
    }
}

/// The polynomial through a step.
pub(crate) struct Dense<const N: usize> {
    t: f64,
    h: f64,
    start: [f64; N],
    rows: [[f64; N]; 7],
}

impl<const N: usize> Dense<N> {
    /// The state at time `t` within the step.
    pub fn at(&self, t: f64) -> [f64; N] {
        let x = (t - self.t) / self.h;
        let mut y = [0.0; N];
        for (i, row) in self.rows.iter().rev().enumerate() {
            let factor = if i % 2 == 0 { x } else { 1.0 - x };
            for j in 0..N {
                y[j] = (y[j] + row[j]) * factor;
            }
        }
        for j in 0..N {
            y[j] += self.start[j];
        }
        y
    }
}

/// How much longer the next step should be, given the error of this one.
#[inline(always)]
pub(crate) fn stretch(error: f64) -> f64 {
    // A NaN or infinite error means the step left the domain of the law: shorten it.
    if !error.is_finite() {
        return 0.1;
    }
    (0.9 / eighth_root(error)).clamp(0.2, 8.0)
}

/// x^(1/8), the exponent being that of the order, by three square roots.
fn eighth_root(x: f64) -> f64 {
    x.sqrt().sqrt().sqrt()
}

/// The lengths of steps, chosen with an eye to where the error is going.
///
/// A power of the indentation is singular at touch and at separation: steps must grow away from the one
/// and shrink towards the other, and a rule that knows only the last error lags behind on both sides.
/// K. Gustafsson (ACM Trans. Math. Softw. 20 (1994) 496–517) lets the trend go on as it was.
#[derive(Default)]
pub(crate) struct Pace {
    /// Length and eighth root of the error of the last good step.
    last: Option<(f64, f64)>,
}

impl Pace {
    /// The length of the step after a good one.
    pub fn next(&mut self, h: f64, error: f64) -> f64 {
        let root = eighth_root(error.max(1e-8));
        let trend = match self.last {
            Some((length, last)) => (h / length * (last / root)).clamp(0.4, 1.8),
            None => 1.0,
        };
        self.last = Some((h, root));
        h * (0.92 * stretch(error) * trend).clamp(0.2, 8.0)
    }

    /// Forgets the trend, at an event.
    pub fn forget(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oscillator(_: f64, y: &[f64; 2]) -> [f64; 2] {
        [y[1], -y[0]]
    }

    /// Largest deviation from cos t over [0, 4] with steps of length h, at the ends and in between.
    fn deviations(h: f64) -> (f64, f64) {
        let mut f = oscillator;
        let (mut t, mut y) = (0.0, [1.0, 0.0]);
        let (mut ends, mut inside) = (0.0f64, 0.0f64);
        while t < 4.0 - 1e-9 {
            let slope = f(t, &y);
            let taken = step(&mut f, t, &y, &slope, h);
            let slope_end = f(t + h, &taken.end);
            let dense = taken.dense(&mut f, &slope_end);
            inside = inside.max((dense.at(t + 0.37 * h)[0] - (t + 0.37 * h).cos()).abs());
            t += h;
            y = taken.end;
            ends = ends.max((y[0] - t.cos()).abs());
        }
        (ends, inside)
    }

    #[test]
    fn steps_are_of_order_eight_and_dense_output_of_order_seven() {
        let (coarse, fine) = (deviations(1.0), deviations(0.5));
        let order = (coarse.0 / fine.0).log2();
        assert!(order > 7.5 && order < 9.5, "order {order}");
        let order = (coarse.1 / fine.1).log2();
        assert!(order > 6.5, "dense order {order}");
    }

    #[test]
    fn the_error_estimate_bounds_the_error() {
        let mut f = oscillator;
        let y = [1.0, 0.0];
        let slope = f(0.0, &y);
        let taken = step(&mut f, 0.0, &y, &slope, 0.8);
        let estimate = taken.error(|_, _| 1.0);
        assert!((taken.end[0] - 0.8f64.cos()).abs() < estimate);
        assert!(estimate < 1e-6);
    }
}
