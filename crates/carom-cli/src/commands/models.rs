//! `carom models`: lists the laws of the catalogue.

mod page;

use crate::failure::Failure;
use crate::output::table::{Cell, TextTable};
use crate::output::{Format, style, wrap};
use carom::report::Entry;
use carom::{CATALOGUE, Model};
use clap::Args;
use clap::builder::PossibleValuesParser;

const HELP: &str = "\
Velocity-free laws keep a restitution without knowing the speed at first touch, so they are safe
in lasting and multiple contact.";

/// List the laws of the catalogue
#[derive(Args)]
#[command(after_help = HELP)]
pub struct Models {
    /// Only those whose name, alias or reference contains this
    search: Option<String>,
    /// Only one group
    #[arg(long, value_parser = PossibleValuesParser::new(group_names()))]
    group: Option<String>,
    /// Only those whose dissipation is given in this way
    #[arg(long, value_parser = PossibleValuesParser::new(input_names()))]
    input: Option<String>,
    /// Only laws that do not depend on the speed at first touch
    #[arg(long, conflicts_with = "velocity_dependent")]
    velocity_free: bool,
    /// Only laws that depend on the speed at first touch
    #[arg(long)]
    velocity_dependent: bool,
    /// Print the whole catalogue page, with every section of every law
    #[arg(long, conflicts_with_all = ["json", "csv"], help_heading = "Output")]
    markdown: bool,

    #[command(flatten)]
    format: Format,
}

impl Models {
    /// Returns the list.
    pub fn run(self) -> Result<String, Failure> {
        let found = self.selected_models();
        if self.markdown && !found.is_empty() {
            return Ok(page::render(&found));
        }
        let entries: Vec<Entry> = found.iter().map(|model| Entry::of(model)).collect();
        let example = Entry::of(&CATALOGUE[0]);
        let nothing = || "no law matches; `carom models` lists them all".to_string();
        self.format.search(&entries, &example, nothing, || catalogue_table(&entries))
    }

    fn selected_models(&self) -> Vec<&'static Model> {
        let mut found: Vec<&'static Model> = CATALOGUE.iter().collect();
        if let Some(group) = &self.group {
            found.retain(|model| model.group.name() == group);
        }
        if let Some(input) = &self.input {
            found.retain(|model| model.input.name() == input);
        }
        if let Some(text_sought) = self.search.as_ref().map(|text| text.to_lowercase()) {
            found.retain(|model| matches(model, &text_sought));
        }
        if self.velocity_free || self.velocity_dependent {
            found.retain(|model| model.velocity_free() == Some(self.velocity_free));
        }
        found
    }
}

/// Returns the groups that have members, in the order of the catalogue.
pub fn group_names() -> Vec<&'static str> {
    distinct(CATALOGUE.iter().map(|model| model.group.name()))
}

fn input_names() -> Vec<&'static str> {
    distinct(CATALOGUE.iter().map(|model| model.input.name()))
}

fn distinct(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut all = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

fn matches(model: &Model, text_sought: &str) -> bool {
    let reference = model.section("Reference");
    let names =
        [model.id, model.title, &reference].into_iter().chain(model.aliases.iter().copied());
    names.map(str::to_lowercase).any(|name| name.contains(text_sought))
}

fn catalogue_table(entries: &[Entry]) -> String {
    let mut table = TextTable::new()
        .left(["id"])
        .shrinkable("law")
        .right(["year"])
        .left(["input", "exit", "v-free"]);
    let mut group = "";
    for entry in entries {
        if entry.group.name() != group {
            group = entry.group.name();
            table.heading(group, entry.group.about());
        }
        let year = entry.year.to_string();
        let title = entry.title.strip_suffix(&year).unwrap_or(entry.title).trim_end();
        table.row([
            Cell::styled(entry.id, style::NAME),
            title.into(),
            year.into(),
            entry.input.name().into(),
            entry.exit.name().into(),
            match entry.velocity_free {
                Some(true) => Cell::styled("yes", style::GOOD),
                Some(false) => Cell::styled("no", style::FAINT),
                None => Cell::styled("-", style::FAINT),
            },
        ]);
    }
    let laws = match entries.len() {
        1 => "1 law".to_string(),
        n => format!("{n} laws"),
    };
    let hint = format!("{laws}; `carom model ID` shows one, `carom models --help` how to filter.");
    let hint = wrap::fill(&hint, 0, 0);
    format!("{}\n{}\n", table.render(0), style::paint(style::FAINT, hint.trim_end()))
}
