//! `carom lab`: the page, served on this machine.

use crate::failure::Failure;
use crate::lab::Server;
use crate::output;
use clap::Args;
use std::process::{Command, Stdio};

const HELP: &str = "\
The page and its API (described at /api) answer on this machine only and read no files.
It works offline; the whole view is in the address, so that a link reproduces it.
End it with Ctrl-C.";

/// Explore impacts on a local web page
#[derive(Args)]
#[command(after_help = HELP)]
pub struct Lab {
    /// Port on loopback; 0 takes one that is free
    #[arg(long, default_value_t = 7117)]
    port: u16,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
}

impl Lab {
    /// Serves until it is ended.
    pub fn run(self) -> Result<String, Failure> {
        let server = Server::bind(self.port)?;
        let url = server.url();
        output::print(&format!("The lab is at {url} (end it with Ctrl-C).\n"))?;
        if !self.no_open {
            open(&url);
        }
        server.serve()?;
        Ok(String::new())
    }
}

/// Opens the browser; where there is none, the address was printed.
fn open(url: &str) {
    let mut command = match std::env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => Command::new("explorer"),
        _ => Command::new("xdg-open"),
    };
    let silent = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = silent.spawn();
}
