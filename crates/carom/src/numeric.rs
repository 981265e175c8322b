//! Numerical methods that the rest of carom shares: one implementation of each.
//!
//! | module | contents |
//! |---|---|
//! | [`root`] | a bracketed root, by Chandrupatla's method |
//! | [`extremum`] | a bracketed minimum or maximum, by Brent's method |
//! | [`quadrature`] | an integral, by a Gauss–Legendre rule |
//!
//! Nothing here allocates, panics or knows about contacts.

pub mod extremum;
pub mod quadrature;
pub mod root;
