//! `carom lab`: a page on this machine to explore impacts, and the API behind it.
//!
//! The page is a third door to the library's `spec` and `report`: what it sends is a
//! [`carom::spec::Spec`], what it gets is a [`carom::report::Report`], and its plots are drawn by the
//! module that draws the figures of the command line. Nothing is computed in the browser; of a scene it draws the
//! frames that the server computed, and what lies between two of them.
//!
//! - `lab/guard.rs`: who may ask. The server listens on loopback only and refuses requests that carry a
//!   foreign `Host` or `Origin`, so that no page on the web can reach it through the browser.
//! - `lab/endpoints.rs`: the one list of what can be asked; the router and `/api` are derived from it.
//! - `lab/view.rs`: several laws in one impact, as results, courses and plots.
//! - `lab/fit.rs`: measured data, read and fitted.
//! - `lab/simulate.rs`: a scene, run and answered as a film (`lab/film.rs`: which frames are kept; `lab/solids.rs`:
//!   what is drawn); `lab/library.rs` holds the scenes that come with carom, `lab/plot.rs` draws columns.
//! - `lab/bed.rs`: the same for a bed of grains; `lab/stored.rs`: a run in a folder.
//! - `lab/stop.rs`: when to stop computing.
//! - `lab/server.rs`: HTTP, limits on size, number and time.
//! - `lab/page/`: the page itself; no line of it comes from elsewhere, nothing is loaded from elsewhere.

mod bed;
mod endpoints;
mod film;
mod fit;
mod guard;
mod library;
mod page;
mod plot;
mod reference;
mod server;
mod simulate;
mod solids;
mod stop;
mod stored;
mod view;

pub use reference::reference;
pub use server::Server;
pub use stored::open;
