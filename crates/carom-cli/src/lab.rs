//! `carom lab`: a local web page to explore impacts and scenes, and its HTTP API.
//!
//! The page sends a [`carom::spec::Spec`] and receives a [`carom::report::Report`]; `figure` draws its plots, as it does for the
//! command line. The browser performs no simulation: it draws the columns of impacts and the frames of scenes that the server
//! computed, and interpolates between them.
//!
//! - `lab/guard.rs`: access. The server listens on loopback only and refuses requests with a foreign `Host` or `Origin`, so that no
//!   page on the web can reach it through the browser; `lab/token.rs` excludes other users of the machine.
//! - `lab/endpoints.rs`: the list of endpoints, from which the router, the page `/api` and `lab/openapi.rs` are made.
//! - `lab/view.rs`: one impact with several laws (`lab/law_request.rs`: each with the common spec or its own): results,
//!   trajectories and plots; `lab/delivered.rs`: requested and delivered restitution.
//! - `lab/fit.rs`: reads and fits measured data; `lab/progress.rs`: progress of a fit or a scene, and its film so far.
//! - `lab/drop.rs`: drop tests; `lab/robot.rs`: robot files; each has a page of its own.
//! - `lab/simulate.rs`: runs a scene and answers with a film of it (`lab/film.rs`: which frames are kept; `lab/solids.rs`:
//!   geometry); `lab/library.rs`: scenes that come with carom; `lab/plot.rs`: plots of columns.
//! - `lab/bed.rs`: films of beds of grains; `lab/stored.rs`: films of runs in a folder, finished or in progress.
//! - `lab/stop.rs`: conditions for stopping a computation; `lab/limits.rs`: limits on requests.
//! - `lab/server.rs`: HTTP, limits on size, number and time of requests.
//! - `lab/page/`: the files of the page, without third-party code and without links to other servers.

mod bed;
mod delivered;
mod drop;
mod endpoints;
mod film;
mod fit;
mod guard;
mod law_request;
mod library;
mod limits;
mod openapi;
mod page;
mod plot;
mod progress;
mod reference;
mod robot;
mod run_film;
mod server;
mod simulate;
mod solids;
mod stop;
mod stored;
mod token;
mod view;

pub use reference::reference;
pub use server::Server;
pub use stored::open;
pub use token::Token;
