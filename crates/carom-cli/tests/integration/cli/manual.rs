//! Completions, manual pages and the reference, all of which must contain every command.

use super::formats::commands;
use super::{carom_with, folder, refusal, stdout};
use std::fs;

#[test]
fn completions_know_every_command() {
    assert!(commands().len() >= 17, "{:?}", commands());
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&format!("completions {shell}"));
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
        }
        assert!(script.contains("calibration"), "{shell}");
    }
    assert!(refusal("completions tcsh").contains("bash"));
}

#[test]
fn every_command_has_a_manual_page() {
    let out = folder("manual");
    let written = carom_with(&["man", out.to_str().unwrap()]);
    assert!(written.status.success());
    for command in commands() {
        let page = fs::read_to_string(out.join(format!("carom-{command}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{command}");
    }
    let page = fs::read_to_string(out.join("carom-impact.1")).unwrap();
    assert!(page.contains("calibration") && page.contains("carom impact"), "{page}");
    assert!(fs::read_to_string(out.join("carom.1")).unwrap().contains("carom\\-impact"));
    // The command that writes these pages is for packagers and not listed.
    assert!(!out.join("carom-man.1").exists());
}

#[test]
fn the_reference_is_what_stands_in_the_documents() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/");
    for page in ["commands", "scene", "study", "tables", "http"] {
        let printed = stdout(&format!("reference {page}"));
        let document = fs::read_to_string(format!("{docs}{page}.md")).unwrap();
        assert!(printed == document, "docs/reference/{page}.md is out of date: run `make bless`");
    }
    assert!(refusal("reference scen").contains("scene"));
}
