//! `carom reference`: pages of the reference manual, generated from the definitions that the program itself uses.

mod study;

use crate::failure::Failure;
use crate::lab;
use carom_world::record::tables;
use carom_world::scene::format;
use clap::Args;

/// A page: its name, what it is about, and its text.
struct Page {
    name: &'static str,
    about: &'static str,
    text: fn() -> String,
}

const PAGES: [Page; 6] = [
    Page { name: "commands", about: "every command with its options", text: commands },
    Page { name: "scene", about: "the scene format: every table and key", text: scene },
    Page { name: "study", about: "the study format of sweeps", text: study::markdown },
    Page { name: "tables", about: "the columns of the tables of a run", text: columns },
    Page { name: "fields", about: "the fields of the JSON answers", text: fields },
    Page { name: "http", about: "the HTTP API of the lab", text: lab::reference },
];

/// Print a page of the reference manual, as Markdown
#[derive(Args)]
#[command(after_help = list())]
pub struct Reference {
    /// The page
    #[arg(value_parser = PAGES.map(|page| page.name))]
    page: String,
}

fn list() -> String {
    let lines = PAGES.iter().map(|page| format!("\n  {:<10}{}", page.name, page.about));
    format!("Pages:{}", lines.collect::<String>())
}

impl Reference {
    /// The page.
    pub fn run(self) -> Result<String, Failure> {
        let page = PAGES.iter().find(|page| page.name == self.page);
        Ok(page.map(with_origin).unwrap_or_default())
    }
}

/// The text of a page below a comment that says where it comes from.
fn with_origin(page: &Page) -> String {
    format!(
        "<!-- Printed by `carom reference {}`; not edited by hand. -->\n\n{}",
        page.name,
        (page.text)()
    )
}

fn commands() -> String {
    let mut definition = super::definition().disable_help_subcommand(true).term_width(100);
    definition.build();
    let mut text = String::from(
        "# Commands\n\nWhat `carom COMMAND --help` prints. Formats, exit statuses and changes to scenes, which all \
         commands have in common, are in [the command line](command-line.md).\n\n| command | what it does |\n|---|---|\n",
    );
    let commands: Vec<_> =
        definition.get_subcommands().filter(|command| !command.is_hide_set()).cloned().collect();
    for command in &commands {
        let name = command.get_name();
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        text += &format!("| [`carom {name}`](#carom-{name}) | {about} |\n");
    }
    for command in commands {
        let name = command.get_name().to_string();
        let help = command.bin_name(format!("carom {name}")).render_long_help().to_string();
        let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
        text += &format!("\n## carom {name}\n\n```text\n{}\n```\n", lines.join("\n"));
    }
    text
}

fn scene() -> String {
    let words = "\
# The scene format

A scene is a [TOML](https://toml.io) file that `carom simulate`, `carom regimes` and the lab read. A *quantity* is a number in \
the SI unit of its row or a text with any unit of the same dimension (`\"12.7 mm\"`, `\"30 deg\"`); a *vector* is a list of three \
quantities (two in a plane); a *direction* is three numbers, normalised to length 1; a *table* is `[name]` or \
`name = { … }`. `–` in the column *default* means that nothing is assumed. A key that is not listed, or that has no effect \
because of the others (such as `radius` of a box), is an error that names the line and the nearest key.

How to use them is in [Scenes](../how-to/scenes.md) and [Beds of grains](../how-to/grains.md).

";
    format!("{words}{}", format::markdown())
}

fn columns() -> String {
    let words = "\
# Tables of a run

What `carom simulate SCENE --out DIR` writes, as CSV, Parquet or Arrow. Numbers are SI, with the unit at the end of the name; \
`carom simulate --columns` prints this list.

";
    format!("{words}{}", tables::markdown())
}

fn fields() -> String {
    let words = "\
# Fields of JSON

What `--json` prints, command by command, and the fields of every part of it; [JSON](json.md) has examples. A number that does not exist \
is `null`. `carom sweep` without `--out`, `--case` and `--dry-run` prints a list of cases with a field for every axis and every output \
of the study, named as there.

";
    // Made by build/answers.rs from the declarations of the types.
    format!("{words}{}", include_str!(concat!(env!("OUT_DIR"), "/fields.md")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_a_title_and_no_trailing_spaces() {
        for page in &PAGES {
            let text = with_origin(page);
            assert!(text.contains("\n# "), "{}", page.name);
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{}", page.name);
        }
    }

    #[test]
    fn every_command_is_on_the_page() {
        let page = commands();
        for command in crate::commands::definition().get_subcommands() {
            let heading = format!("\n## carom {}\n", command.get_name());
            assert_eq!(page.contains(&heading), !command.is_hide_set(), "{heading}");
        }
    }
}
