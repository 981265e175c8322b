//! `carom lab`: serves the lab on this machine.

use crate::failure::Failure;
use crate::lab::{self, Server, Token};
use crate::output;
use clap::Args;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const HELP: &str = "\
The page and its API (described at /api) can be reached from this machine only, and read no files
except those of the run that is given here. The lab works offline; the whole view is in the
address, so that a link reproduces it. The printed link contains a token, without which other
users of this machine have no access. Stop it with Ctrl-C.

Examples:
  carom lab
  carom simulate scenes/slider-crank.toml --out run
  carom lab run";

/// Explore impacts on a local web page, and play runs of scenes
#[derive(Args)]
#[command(after_help = HELP)]
pub struct Lab {
    /// Play the run that `carom simulate --out DIR` wrote to this folder; it need not be finished
    #[arg(value_name = "DIR")]
    run: Option<PathBuf>,
    /// Port on loopback; 0 takes one that is free
    #[arg(long, default_value_t = 7117)]
    port: u16,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Give access to all users of this machine, without a token
    #[arg(long)]
    no_token: bool,
}

impl Lab {
    /// Serves until the process ends.
    pub fn run(self) -> Result<String, Failure> {
        // Errors of the run are reported before the server starts.
        if let Some(run) = &self.run {
            lab::open(run)?;
        }
        let token = if self.no_token { Token::disabled() } else { Token::new()? };
        let query = token.query();
        let server = Server::bind(self.port, token)?;
        let url = match &self.run {
            None => server.url() + &query,
            Some(_) => server.url() + "scenes" + &query + "#run",
        };
        let plays = match &self.run {
            None => "is".to_string(),
            Some(run) => format!("plays `{}`", run.display()),
        };
        output::print(&format!("The lab {plays} at {url} (end it with Ctrl-C).\n"))?;
        if !self.no_open {
            open_browser(&url);
        }
        server.serve()?;
        Ok(String::new())
    }
}

/// Opens the browser. If there is none, the user can open the printed address.
fn open_browser(url: &str) {
    let mut command = match std::env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => Command::new("explorer"),
        _ => Command::new("xdg-open"),
    };
    let silent = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = silent.spawn();
}
