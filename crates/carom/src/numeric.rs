//! Numerical methods that all of carom uses, each implemented once.
//!
//! | module | contents |
//! |---|---|
//! | [`root`] | a bracketed root, by Chandrupatla's method |
//! | [`extremum`] | a bracketed minimum or maximum, by Brent's method |
//! | [`quadrature`] | an integral, by a Gauss–Legendre rule |
//! | [`linear`] | small systems of linear equations, least squares, eigenvalues |
//! | [`random`] | random numbers as functions of a key and an index |
//! | [`normal`] | the normal distribution |
//! | [`student`] | Student's distribution |
//!
//! None of these methods is specific to contacts.

pub mod extremum;
pub mod linear;
pub(crate) mod median;
pub mod normal;
pub mod quadrature;
pub mod random;
pub mod root;
pub mod student;
