//! Numbers printed in Wang & Gao 2023 (Actuators 12, 89). They are data for comparison. In the paper the socket is body 1 and the
//! ball body 2.

/// Radius of the ball (Table 1), m.
pub const BALL: f64 = 0.050;
/// Radii of the socket (Table 1), m.
pub const SOCKETS: [f64; 6] = [0.0501, 0.0503, 0.0505, 0.0507, 0.0509, 0.0510];
/// Radius of the socket of Figs. 3 (index), 4, 5, 7, 8 and 9, m: a clearance of 0.5 mm (Sect. 2.4).
pub const SOCKET: f64 = 0.0505;
/// Young's modulus of both bodies (Table 1), Pa.
pub const YOUNGS: f64 = 2.068e11;
/// Poisson's ratio of both bodies (Table 1).
pub const POISSON: f64 = 0.29;
/// Mass of the ball in Sect. 4, kg; Table 1 has 0.02 kg.
pub const MASS: f64 = 1.0;
/// Impact speed (Sect. 4), m/s.
pub const SPEED: f64 = 0.3;
/// Restitution of the dynamic simulations (Sect. 4.1).
pub const RESTITUTION: f64 = 0.9;
/// Integrated time span (Table 2), s.
pub const SPAN: f64 = 1e-4;
/// 13/50, the value used for ∫₀¹ x^(3/2)·√(1−x²) dx (Eqs. 22 and 23).
pub const INTEGRAL: &str = "0.26";
/// Largest error of the restitution above 0.9, in % (Sect. 4.1).
pub const ERROR: f64 = 2.5;
