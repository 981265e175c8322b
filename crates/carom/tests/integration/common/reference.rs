//! An independent reference: the dimensionless impact by Gragg–Bulirsch–Stoer extrapolation.
//!
//! It shares no code with the library: it integrates the equation of motion in time by the modified midpoint rule with
//! extrapolation in h². The algebraic singularities of the equation (touch, turn, separation) are approached in geometrically
//! decreasing steps: a step never covers more than nine tenths of the distance to the next one.

/// x″ + xⁿ + ε·xᵐ·|x′|^q·sgn x′ = 0, x(0) = 0, x′(0) = 1.
#[derive(Clone, Copy, Debug)]
pub struct Impact {
    pub n: f64,
    pub m: f64,
    pub q: f64,
    pub epsilon: f64,
}

/// The result at the end of contact.
#[derive(Clone, Copy, Debug)]
pub struct End {
    pub restitution: f64,
    pub duration: f64,
    pub indentation_max: f64,
    pub time_of_indentation_max: f64,
    pub residual_indentation: f64,
}

type State = [f64; 2];

const SUBSTEPS: [usize; 7] = [2, 4, 6, 8, 10, 12, 14];
const MAX_STEPS: usize = 400_000;
const TOLERANCE: f64 = 1e-14;

impl Impact {
    fn force(&self, [x, v]: State) -> f64 {
        let x = x.max(0.0);
        let viscous = self.epsilon * x.powf(self.m) * v.abs().powf(self.q);
        x.powf(self.n) + viscous.copysign(v)
    }

    fn slope(&self, y: State) -> State {
        [y[1], -self.force(y)]
    }

    fn midpoint(&self, y: State, h: f64, substeps: usize) -> State {
        let small = h / substeps as f64;
        let f = self.slope(y);
        let (mut before, mut now) = (y, [0, 1].map(|i| y[i] + small * f[i]));
        for _ in 1..substeps {
            let f = self.slope(now);
            (before, now) = (now, [0, 1].map(|i| before[i] + 2.0 * small * f[i]));
        }
        let f = self.slope(now);
        [0, 1].map(|i| 0.5 * (now[i] + before[i] + small * f[i]))
    }

    /// Takes one extrapolated step and returns the new state and its error in units of `scale`.
    fn step(&self, y: State, h: f64, scale: State) -> (State, f64) {
        let mut row: Vec<State> = Vec::with_capacity(SUBSTEPS.len());
        let mut error = f64::INFINITY;
        for (k, &substeps) in SUBSTEPS.iter().enumerate() {
            let mut next = vec![self.midpoint(y, h, substeps)];
            for j in 1..=k {
                // Aitken–Neville extrapolation in h².
                let ratio = (substeps as f64 / SUBSTEPS[k - j] as f64).powi(2) - 1.0;
                let (coarse, fine) = (row[j - 1], next[j - 1]);
                next.push([0, 1].map(|i| fine[i] + (fine[i] - coarse[i]) / ratio));
            }
            if k > 0 {
                let (a, b) = (next[k], next[k - 1]);
                error =
                    [0, 1].map(|i| (a[i] - b[i]).abs() / scale[i]).into_iter().fold(0.0, f64::max);
            }
            row = next;
            if error < TOLERANCE {
                break;
            }
        }
        (row[row.len() - 1], error)
    }

    /// Integrates from touch to the end of contact, at zero force or at zero indentation.
    pub fn run(&self, at_zero_force: bool) -> Option<End> {
        let (mut y, mut t, mut h): (State, f64, f64) = ([0.0, 1.0], 0.0, 1e-8);
        let mut turn = None;
        for _ in 0..MAX_STEPS {
            let [x, v] = y;
            let force = self.force(y);
            // At most nine tenths of the time to the turn or to zero indentation.
            let (ahead, gap) = if turn.is_none() { (v / force.max(1e-30), v) } else { (-x / v, x) };
            if gap < 1e-13 {
                t += ahead.max(0.0);
                match turn {
                    None => {
                        turn = Some((x, t));
                        y = [x, 0.0];
                        h = 1e-8;
                        continue;
                    }
                    Some(turn) => return Some(self.end(y, t, turn, 0.0)),
                }
            }
            let limit = if ahead > 0.0 { 0.9 * ahead } else { f64::INFINITY };
            let tried = h.min(limit);
            let scale = [x.max(1e-6), v.abs().max(1e-6)];
            let (next, error) = self.step(y, tried, scale);
            if error.is_nan() || error >= 10.0 * TOLERANCE {
                h = 0.5 * tried;
                continue;
            }
            if let Some(turn) = turn.filter(|_| at_zero_force && self.force(next) < 0.0) {
                let (y, dt) = self.vanish(y, tried, scale);
                return Some(self.end(y, t + dt, turn, y[0]));
            }
            y = next;
            t += tried;
            h = if error < TOLERANCE { 1.5 * tried } else { tried };
        }
        None
    }

    fn end(&self, y: State, duration: f64, (x, t): (f64, f64), residual: f64) -> End {
        End {
            restitution: -y[1],
            duration,
            indentation_max: x,
            time_of_indentation_max: t,
            residual_indentation: residual,
        }
    }

    /// Returns the state and the time at which the force vanishes within a step of length `h`.
    fn vanish(&self, y: State, h: f64, scale: State) -> (State, f64) {
        let (mut low, mut high) = (0.0, h);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let (end, _) = self.step(y, middle, scale);
            if self.force(end) > 0.0 { low = middle } else { high = middle }
        }
        (self.step(y, low, scale).0, low)
    }
}
