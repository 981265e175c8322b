//! The lab as it is used: by programs through HTTP, and by people in a browser.

mod accessibility;
mod api;
mod beds;
mod bench;
mod browser;
mod controls;
mod firefox;
mod load;
mod page;
mod runs;
mod scenes;
mod served;
mod simulate;
mod speed;
mod watched;
