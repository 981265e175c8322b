//! The lab as its users meet it: programs over HTTP, people in a browser.

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
