//! Pipes, terminals and colours.

use super::{STEEL, carom, command, stdout};
use std::io::Read;
use std::process::Stdio;

const EVERYTHING: [&str; 5] = ["models", "model tsuji-1992", "materials", "compare", "impact"];

fn words(command: &str) -> String {
    match command {
        "impact" => format!("impact --law flores-2011 {STEEL} --restitution 0.5"),
        other => other.to_string(),
    }
}

#[test]
fn piped_output_has_no_escape_codes() {
    for command in EVERYTHING {
        assert!(!stdout(&words(command)).contains('\u{1b}'), "{command}");
    }
    let error = carom("impact --law nonsense").stderr;
    assert!(!String::from_utf8(error).unwrap().contains('\u{1b}'));
}

#[test]
fn colours_can_be_forced_and_carry_no_other_text() {
    for name in EVERYTHING {
        let words = words(name);
        let output = command().args(words.split_whitespace()).env("CLICOLOR_FORCE", "1").output();
        let coloured = String::from_utf8(output.unwrap().stdout).unwrap();
        assert!(coloured.contains("\u{1b}["), "{name}");
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), stdout(&words), "{name}");
    }
}

#[test]
fn json_and_csv_are_never_coloured() {
    for name in EVERYTHING {
        for format in ["--json", "--csv"] {
            let words = format!("{} {format}", words(name));
            let output = command()
                .args(words.split_whitespace())
                .env("CLICOLOR_FORCE", "1")
                .output()
                .unwrap();
            assert!(output.status.success() && !output.stdout.contains(&0x1b), "{words}");
        }
    }
}

#[test]
fn delivered_restitutions_are_green_yellow_or_red() {
    let laws = "hunt-crossley-1975,flores-2011,zhang-sharf-2004";
    let words = format!("compare --experiment steel-ball-0.15 --laws {laws},lee-wang-1983");
    let output = command().args(words.split_whitespace()).env("CLICOLOR_FORCE", "1").output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    let line = |law: &str| text.lines().find(|line| line.contains(law)).unwrap().to_string();
    assert!(line("zhang-sharf-2004").contains("\u{1b}[32m"), "0.00 % is green");
    assert!(line("hunt-crossley-1975").contains("\u{1b}[33m"), "1.2 % is yellow");
    assert!(line("lee-wang-1983").contains("\u{1b}[31m"), "6.6 % is red");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = command()
        .args(["models", "--markdown"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = child.stdout.take().unwrap();
    let mut first = [0; 8];
    reader.read_exact(&mut first).unwrap();
    drop(reader);
    let output = child.wait_with_output().unwrap();
    assert_eq!(&first, b"# Models");
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn help_names_every_command() {
    let help = stdout("--help");
    for command in ["models", "model", "materials", "impact", "compare"] {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
        assert!(stdout(&format!("{command} --help")).contains("--json"), "{command}");
    }
    assert!(stdout("--version").starts_with("carom "));
}
