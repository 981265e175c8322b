//! One contact as an engine computes it, step by step.
//!
//! A contact with its integrator maps the indentation δ and its rate at the start of a step to those at its end. The
//! bodies enter by their properties along the line of impact ([`Mechanics`]). Every file contains the update formulas
//! of an engine; they agree with the engines to rounding errors where these are installed (`make test-engines`).

pub mod bullet;
pub mod dart;
pub mod drake;
pub mod mujoco;
pub mod ode;

use serde::Serialize;

/// Programs whose contacts can be computed.
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
    /// List of all engines.
    pub const ALL: [Engine; 5] =
        [Engine::Mujoco, Engine::Ode, Engine::Bullet, Engine::Dart, Engine::Drake];

    /// Returns the name used in options and in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Self::Mujoco => "mujoco",
            Self::Ode => "ode",
            Self::Bullet => "bullet",
            Self::Dart => "dart",
            Self::Drake => "drake",
        }
    }

    /// Returns the version of the engine from which the formulas are taken.
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

/// Properties of the two bodies along the line of impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mechanics {
    /// Inverse effective mass (1/kg).
    pub mobility: f64,
    /// Estimate of the mobility that the engine uses (1/kg); only MuJoCo has one.
    pub mobility_estimate: f64,
    /// Acceleration that presses the bodies together (m/s²).
    pub acceleration: f64,
    /// Number of points at which they touch simultaneously.
    pub points: f64,
}

impl Mechanics {
    /// Returns two bodies with this effective mass (kg) in a central impact at one point, without gravity.
    pub fn central(mass: f64) -> Self {
        let mobility = 1.0 / mass;
        Self { mobility, mobility_estimate: mobility, acceleration: 0.0, points: 1.0 }
    }
}

/// Contact of one of the engines.
#[derive(Clone, Debug, PartialEq)]
pub enum Contact {
    Mujoco(mujoco::Contact),
    Ode(ode::Contact),
    Bullet(bullet::Contact),
    Dart(dart::Contact),
    Drake(drake::Contact),
}

impl Contact {
    /// Returns the state one step later, and the force during the step (N).
    pub fn advance(&self, mechanics: &Mechanics, step: f64, state: State) -> (State, f64) {
        match self {
            Self::Mujoco(contact) => contact.advance(mechanics, step, state),
            Self::Ode(contact) => contact.advance(mechanics, step, state),
            Self::Bullet(contact) => contact.advance(mechanics, step, state),
            Self::Dart(contact) => contact.advance(mechanics, step, state),
            Self::Drake(contact) => contact.advance(mechanics, step, state),
        }
    }

    /// Returns whether velocities are advanced before positions, as in all engines except MuJoCo with Runge–Kutta.
    pub fn is_semi_implicit(&self) -> bool {
        !matches!(self, Self::Mujoco(contact) if contact.integrator == mujoco::Integrator::RungeKutta)
    }

    /// Returns the distance of the surfaces at which the contact begins to act (m).
    pub fn reach(&self) -> f64 {
        match self {
            Self::Mujoco(contact) => contact.margin,
            Self::Bullet(contact) => contact.reach,
            _ => 0.0,
        }
    }
}

/// Returns the state after a semi-implicit Euler step in which the new velocity is given.
fn semi_implicit_euler(state: State, rate: f64, step: f64) -> State {
    State { indentation: state.indentation + step * rate, rate }
}
