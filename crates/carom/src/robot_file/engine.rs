//! One contact as an engine computes it, step by step.
//!
//! A contact with its integrator turns the indentation δ and its rate at the start of a step into those at its end. Bodies
//! enter as what the line of impact sees of them ([`Meeting`]). Every file states the engine's own update; they agree with
//! the engines to rounding where these are installed (`make test-engines`).

pub mod bullet;
pub mod dart;
pub mod drake;
pub mod mujoco;
pub mod ode;

use serde::Serialize;

/// Programs whose contacts are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Engine {
    /// MuJoCo.
    Mujoco,
    /// The Open Dynamics Engine as Gazebo classic uses it.
    Ode,
    /// Bullet's multibody solver, as PyBullet and Gazebo use it.
    Bullet,
    /// DART, the default of Gazebo since Ignition.
    Dart,
    /// Drake's discrete multibody plant with point contact.
    Drake,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 5] =
        [Engine::Mujoco, Engine::Ode, Engine::Bullet, Engine::Dart, Engine::Drake];

    /// Its name in options and in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Self::Mujoco => "mujoco",
            Self::Ode => "ode",
            Self::Bullet => "bullet",
            Self::Dart => "dart",
            Self::Drake => "drake",
        }
    }

    /// The version whose formulas these are.
    pub fn version(self) -> &'static str {
        match self {
            Self::Mujoco => "MuJoCo 4.0",
            Self::Ode => "ODE of Gazebo classic 11",
            Self::Bullet => "Bullet 3.25, settings of PyBullet 3.2",
            Self::Dart => "DART 6.20",
            Self::Drake => "Drake 1.51, discrete, lagged or similar",
        }
    }
}

/// Indentation (m, negative before touch) and its rate (m/s, positive while approaching).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    pub indentation: f64,
    pub rate: f64,
}

/// The two bodies along the line of impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Inverse effective mass (1/kg).
    pub mobility: f64,
    /// The engine's estimate of it (1/kg); only MuJoCo has one.
    pub mobility_estimate: f64,
    /// Acceleration that presses the bodies together (m/s²).
    pub press: f64,
    /// On how many points they touch at once.
    pub points: f64,
}

impl Meeting {
    /// Two bodies of this effective mass (kg) in a central impact on one point, without gravity.
    pub fn central(mass: f64) -> Self {
        let mobility = 1.0 / mass;
        Self { mobility, mobility_estimate: mobility, press: 0.0, points: 1.0 }
    }
}

/// A contact of one of the engines.
#[derive(Clone, Debug, PartialEq)]
pub enum Contact {
    Mujoco(mujoco::Contact),
    Ode(ode::Contact),
    Bullet(bullet::Contact),
    Dart(dart::Contact),
    Drake(drake::Contact),
}

impl Contact {
    /// The state one step later, and the force during the step (N).
    pub fn advance(&self, meeting: &Meeting, step: f64, state: State) -> (State, f64) {
        match self {
            Self::Mujoco(contact) => contact.advance(meeting, step, state),
            Self::Ode(contact) => contact.advance(meeting, step, state),
            Self::Bullet(contact) => contact.advance(meeting, step, state),
            Self::Dart(contact) => contact.advance(meeting, step, state),
            Self::Drake(contact) => contact.advance(meeting, step, state),
        }
    }

    /// Whether velocities are advanced before positions, as all do but MuJoCo with Runge–Kutta.
    pub fn is_semi_implicit(&self) -> bool {
        !matches!(self, Self::Mujoco(contact) if contact.integrator == mujoco::Integrator::RungeKutta)
    }

    /// Distance of the surfaces at which the contact begins to act (m).
    pub fn reach(&self) -> f64 {
        match self {
            Self::Mujoco(contact) => contact.margin,
            Self::Bullet(contact) => contact.reach,
            _ => 0.0,
        }
    }
}

/// Semi-implicit Euler: a velocity after a step, and the position with it.
fn drift(state: State, rate: f64, step: f64) -> State {
    State { indentation: state.indentation + step * rate, rate }
}
