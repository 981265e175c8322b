//! Reads the fields of the JSON answers and the keys of a study from the declarations of the types that serde writes and reads: the
//! names as serde has them, the meanings and units from the documentation of the fields. `carom reference fields` and `carom
//! reference study` print them.
//!
//! This parser reads Rust as rustfmt formats it, not Rust in general. A type that is referred to but not found, or a field without
//! documentation, fails the build.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{Error, Result};

/// Answers of the commands: the command, the condition for this answer, and the file and type of the answer; `*` marks a list.
const ANSWERS: [(&str, &str, &str, &str); 29] = [
    ("models", "", "carom/report/entry.rs", "*Entry"),
    ("model", "", "carom-cli/model_page.rs", "ModelPage"),
    ("materials", "", "carom/pair/material.rs", "*Material"),
    ("impact", "", "carom/report.rs", "Report"),
    ("compare", "", "carom-cli/commands/compare.rs", "*Comparison"),
    ("identify", "one impact", "carom/identify/result.rs", "Identification"),
    ("identify", "`--speeds`", "carom/identify/speeds.rs", "SpeedFit"),
    ("advise", "", "carom/advise/report.rs", "Advice"),
    ("export", "", "carom/export.rs", "Export"),
    ("export", "`--list`", "carom/export/engine.rs", "*Engine"),
    ("check", "", "carom/robot_file.rs", "Report"),
    ("check", "`--restitution`", "carom-cli/commands/check.rs", "Fixed"),
    ("drop", "", "carom-cli/commands/drop.rs", "Evaluated"),
    ("fit", "one law", "carom-cli/commands/fit.rs", "Fitted"),
    ("fit", "several files", "carom/fit/together.rs", "JointReport"),
    ("fit", "several laws", "carom-cli/commands/fit.rs", "RankedLaws"),
    ("fit", "several files and laws", "carom/fit/ranking_together.rs", "JointRanking"),
    ("sweep", "`--case` of impacts", "carom-cli/commands/sweep.rs", "OneCase"),
    ("sweep", "`--case` of a scene", "carom-cli/commands/sweep.rs", "OneRun"),
    ("sweep", "`--out`", "carom-cli/commands/sweep/text.rs", "Done"),
    ("sweep", "`--dry-run`", "carom-cli/commands/sweep/dry_run.rs", "Expected"),
    ("sensitivity", "", "carom/sweep/sensitivity.rs", "Sensitivity"),
    ("simulate", "a scene of bodies", "carom-world/record/summary.rs", "Summary"),
    ("simulate", "a bed of grains", "carom-world/record/grains.rs", "BedSummary"),
    ("simulate", "`--columns`", "carom-cli/commands/simulate/columns.rs", "*TableColumn"),
    ("simulate", "`--laws`", "carom-cli/commands/simulate/laws.rs", "*LawRun"),
    ("regimes", "", "carom-world/regimes/laws.rs", "RegimeStudy"),
    ("bifurcation", "", "carom-cli/figure/bifurcation.rs", "Diagram"),
    ("reproduce", "", "carom-cli/papers.rs", "*Reproduction"),
];

/// JSON forms of types that are not declared here or that serialise themselves: the words for one value and for several.
const JSON_FORMS: [(&[&str], &str, &str); 8] = [
    (&["f64", "f32"], "number", "numbers"),
    (&["u8", "u16", "u32", "u64", "usize"], "integer", "integers"),
    (&["bool"], "`true` or `false`", "`true` or `false`"),
    (&["str", "String", "PathBuf", "Message"], "text", "texts"),
    (&["Value"], "table", "tables"),
    (&["Quantity"], "quantity", "quantities"),
    (&["(String, f64)"], "pair of text and number", "pairs of text and number"),
    (&["(f64, f64)"], "pair of numbers", "pairs of numbers"),
];

/// A type that is written as JSON or read from TOML.
struct Declaration {
    file: String,
    name: String,
    /// Imports of the file: `crate::report::{self, Report}`.
    imports: Vec<String>,
    about: String,
    /// Fields of a struct, or of all variants of an enum.
    fields: Vec<Field>,
    /// Names of the variants of an enum that have no fields.
    words: Vec<String>,
}

impl Declaration {
    fn wraps_one_type(&self) -> bool {
        matches!(self.fields.as_slice(), [only] if only.name.is_empty())
    }
}

struct Field {
    name: String,
    kind: String,
    about: String,
    flatten: bool,
}

/// Documentation and attributes before a declaration.
#[derive(Default)]
struct Preamble {
    about: Vec<String>,
    attributes: String,
}

impl Preamble {
    /// Returns the first paragraph, without links.
    fn about(&self) -> String {
        let first = self.about.iter().take_while(|line| !line.is_empty());
        let text = first.map(String::as_str).collect::<Vec<_>>().join(" ");
        // Links are `[text](target)`, and `[target]` with the target in backticks.
        let mut parts = text.split("](");
        let mut plain = parts.next().unwrap_or_default().to_string();
        for part in parts {
            plain = plain.rsplit_once('[').map_or(plain.clone(), |(a, b)| format!("{a}{b}"));
            plain += part.split_once(')').map_or(part, |(_, rest)| rest);
        }
        plain.replace("[`", "`").replace("`]", "`")
    }

    /// Returns the value of an option of serde: `rename = "x"`.
    fn serde_option(&self, option: &str) -> Option<&str> {
        let (_, rest) = self.attributes.split_once(&format!("{option} = \""))?;
        rest.split('"').next()
    }

    fn has_serde_option(&self, option: &str) -> bool {
        [format!("({option})"), format!("({option},"), format!(" {option})")]
            .iter()
            .any(|written| self.attributes.contains(written))
    }

    /// Returns a name as serde writes it.
    fn serde_name(&self, declared: &str, all: Option<&str>) -> String {
        match (self.serde_option("rename"), all) {
            (Some(name), _) => name.into(),
            (None, Some("kebab-case")) => lower_case(declared, '-'),
            (None, Some("snake_case")) => lower_case(declared, '_'),
            (None, _) => declared.into(),
        }
    }
}

/// Converts `OfOne` to `of-one`.
fn lower_case(name: &str, between: char) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push(between);
        }
        text.extend(letter.to_lowercase());
    }
    if between == '-' { text.replace('_', "-") } else { text }
}

/// Returns the types of a file that are serialised.
fn declarations(file: &str, text: &str) -> Vec<Declaration> {
    let mut found = Vec::new();
    let imports = text.split("\nuse ").skip(1).filter_map(|rest| rest.split(';').next());
    let imports: Vec<String> = imports.map(str::to_string).collect();
    let mut lines = text.lines();
    let mut before = Preamble::default();
    while let Some(line) = lines.next() {
        if read_preamble(line.trim(), &mut lines, &mut before) {
            continue;
        }
        let before = std::mem::take(&mut before);
        let item =
            ["pub(crate) ", "pub(super) ", "pub "].iter().find_map(|it| line.strip_prefix(it));
        let item = item.unwrap_or(line);
        let Some((what, rest)) = item.split_once(' ') else { continue };
        let name = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let serialised = before.attributes.contains("erialize")
            || text.contains(&format!("impl Serialize for {name} {{"));
        if !serialised || !["struct", "enum"].contains(&what) {
            continue;
        }
        let (mut fields, mut words) = (Vec::new(), Vec::new());
        match rest.split_once('(') {
            Some((_, inner)) if rest.ends_with(';') => fields.push(Field {
                name: String::new(),
                kind: inner.trim_end_matches(");").trim_start_matches("pub ").into(),
                about: before.about(),
                flatten: true,
            }),
            _ => read_body(what == "enum", &before, &mut lines, &mut fields, &mut words),
        }
        let (file, name) = (file.to_string(), name.to_string());
        let imports = imports.clone();
        found.push(Declaration { file, name, imports, about: before.about(), fields, words });
    }
    found
}

/// Reads a line of documentation or an attribute; returns false if it is neither.
fn read_preamble(line: &str, lines: &mut std::str::Lines, before: &mut Preamble) -> bool {
    if let Some(about) = line.strip_prefix("///") {
        before.about.push(about.trim().into());
    } else if line.starts_with("#[") {
        before.attributes += line;
        while !before.attributes.ends_with(']') {
            let Some(more) = lines.next() else { break };
            before.attributes += more.trim();
        }
    } else {
        return false;
    }
    true
}

/// Reads the fields of a struct, or the variants of an enum, up to the closing brace.
fn read_body(
    variants: bool,
    outer: &Preamble,
    lines: &mut std::str::Lines,
    fields: &mut Vec<Field>,
    words: &mut Vec<String>,
) {
    let (all, tag, content) = (
        outer.serde_option("rename_all"),
        outer.serde_option("tag"),
        outer.serde_option("content"),
    );
    let mut names = Vec::new();
    let mut before = Preamble::default();
    // Name of the variant whose fields are being read.
    let mut variant = String::new();
    while let Some(line) = lines.next() {
        if line == "}" {
            break;
        }
        let line = line.trim();
        if line.is_empty() || line.starts_with("//") && !line.starts_with("///") {
            continue;
        }
        if read_preamble(line, lines, &mut before) {
            continue;
        }
        let preamble = std::mem::take(&mut before);
        let line = line.trim_end_matches(',');
        let field = line.split_once(": ").filter(|_| !variants || !variant.is_empty());
        if line == "}" {
            variant.clear();
        } else if let Some((name, kind)) = field {
            let name = name.rsplit(' ').next().unwrap_or(name);
            let name = preamble.serde_name(name, all.filter(|_| !variants));
            let of = if variant.is_empty() { String::new() } else { format!("`{variant}`: ") };
            if !preamble.has_serde_option("skip") {
                let about = of + &preamble.about();
                fields.push(Field {
                    name,
                    kind: kind.into(),
                    about,
                    flatten: preamble.has_serde_option("flatten"),
                });
            }
        } else {
            let (name, rest) = line.split_at(line.find([' ', '(']).unwrap_or(line.len()));
            let name = preamble.serde_name(name, all);
            if let Some(kind) = rest.strip_prefix('(') {
                let untagged = outer.has_serde_option("untagged");
                fields.push(Field {
                    name: content.unwrap_or(if untagged { "" } else { &name }).into(),
                    kind: kind.trim_end_matches(')').into(),
                    about: preamble.about(),
                    flatten: untagged,
                });
            } else if rest.ends_with('{') {
                variant.clone_from(&name);
            } else {
                words.push(name.clone());
            }
            names.push(name);
        }
    }
    if let Some(tag) = tag {
        let (kind, about) = ("str".into(), format!("One of {}.", quoted_list(&names)));
        fields.insert(0, Field { name: tag.into(), kind, about, flatten: false });
        words.clear();
    }
}

fn quoted_list(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Returns the type inside references, options and boxes, and what surrounds it in JSON.
fn inner_type(kind: &str) -> (String, &str) {
    let kind = kind.trim();
    if let Some(inner) = kind.strip_prefix('&') {
        let inner = inner.trim_start_matches("'static ").trim_start_matches("'a ");
        return inner_type(inner);
    }
    for (outer, end, prefix) in [
        ("Option<", ">", ""),
        ("Box<", ">", ""),
        ("Spanned<", ">", ""),
        // Types that serialise themselves as a table.
        ("Vec<(&'static str, ", ")>", "table of "),
        ("Vec<", ">", "list of "),
        ("BTreeMap<String, ", ">", "table of "),
        ("BTreeMap<&'static str, ", ">", "table of "),
    ] {
        if let Some(inner) = kind.strip_prefix(outer).and_then(|rest| rest.strip_suffix(end)) {
            let (around, inner) = inner_type(inner);
            return (format!("{prefix}{around}"), inner);
        }
    }
    if let Some(inner) = kind.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let (around, inner) = inner_type(inner.split(';').next().unwrap_or(inner));
        return (format!("list of {around}"), inner);
    }
    if kind.starts_with('(') {
        return (String::new(), kind);
    }
    let path = kind.split('<').next().unwrap_or(kind);
    (String::new(), path.rsplit("::").next().unwrap_or(path))
}

/// Returns the unit given in a documentation text such as `Largest force (N).`, and the text without it.
fn split_unit(about: &str) -> (&str, String) {
    let symbols = ["m", "mⁿ", "m²", "m³", "s", "s²", "N", "kg", "J", "Pa", "rad", "°"];
    for (open, _) in about.match_indices(" (") {
        let inner = about[open + 2..].split(')').next().unwrap_or_default();
        if inner.split(['/', '·']).all(|part| symbols.contains(&part)) {
            return (inner, about.replacen(&format!(" ({inner})"), "", 1));
        }
    }
    ("", about.into())
}

/// All declarations, by name.
pub struct Declarations(Vec<Declaration>);

impl Declarations {
    /// Reads the declarations of files, given by their names (with the crate in place of its folder of sources) and their texts.
    pub fn new(files: &[(String, String)]) -> Self {
        Self(files.iter().flat_map(|(file, text)| declarations(file, text)).collect())
    }

    /// Returns the type to which a name refers in the file of `near`: the imported one, or else the nearest one with that name.
    fn find(&self, near: &Declaration, name: &str) -> Option<&Declaration> {
        let named =
            |import: &&String| import.split(|c: char| !c.is_alphanumeric()).any(|it| it == name);
        let (own_crate, _) = near.file.split_once('/').unwrap_or_default();
        let parent = near.file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let module = match near.imports.iter().find(named) {
            None => near.file.trim_end_matches(".rs").to_string(),
            Some(import) => {
                let import = import.split('{').next().unwrap_or_default().trim_end_matches(name);
                let path = import.trim_end_matches("::").replace("::", "/");
                let path = path.replacen("crate", own_crate, 1).replacen("super", parent, 1);
                path.replacen("carom_", "carom-", 1)
            }
        };
        let shared =
            |other: &str| module.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        self.0.iter().filter(|found| found.name == name).max_by_key(|found| shared(&found.file))
    }

    /// Returns the heading of a type: its name, with its module if several types have the name.
    fn title(&self, of: &Declaration) -> String {
        let module = of.file.trim_end_matches(".rs").split_once('/').unwrap_or_default().1;
        match self.0.iter().filter(|other| other.name == of.name).count() {
            1 => of.name.clone(),
            _ => format!("{} ({})", of.name, module.replace(['_', '/'], " ")),
        }
    }

    /// Returns a link to the section of a type.
    fn link(&self, of: &Declaration) -> String {
        let title = self.title(of);
        let anchor = title.to_lowercase().replace(' ', "-").replace(['(', ')'], "");
        format!("[{title}](#{anchor})")
    }

    /// Returns the row of a field; `refer` expresses a reference to another type, to one value of it or to several.
    fn field_row<'a>(
        &'a self,
        of: &Declaration,
        field: &Field,
        mut refer: impl FnMut(&'a Declaration, bool) -> String,
    ) -> Result<String> {
        let known = |kind| JSON_FORMS.iter().find(|(names, ..)| names.contains(&kind));
        let (mut around, mut kind) = inner_type(&field.kind);
        let mut near = of;
        // A type that only wraps another one is treated as that one.
        while known(kind).is_none()
            && let Some(wrapper) = self.find(near, kind).filter(|it| it.wraps_one_type())
        {
            let (more, inner) = inner_type(&wrapper.fields[0].kind);
            (around, kind, near) = (around + &more, inner, wrapper);
        }
        let value = match (known(kind), self.find(near, kind)) {
            (Some((_, one, _)), _) if around.is_empty() => one.to_string(),
            (Some((_, _, several)), _) => several.to_string(),
            (None, Some(inner)) if inner.fields.is_empty() => quoted_list(&inner.words),
            (None, Some(inner)) if inner.words.is_empty() => refer(inner, !around.is_empty()),
            (None, Some(inner)) => {
                format!("{} or {}", quoted_list(&inner.words), refer(inner, !around.is_empty()))
            }
            (None, None) => {
                let place = format!("{}: `{}` of `{}`", of.file, field.name, of.name);
                return Err(Error::other(format!("{place}: the type `{kind}` is not known")));
            }
        };
        if field.about.is_empty() && !field.flatten {
            let place = format!("{}: `{}` of `{}`", of.file, field.name, of.name);
            return Err(Error::other(format!("{place} has no documentation")));
        }
        let name = match field.flatten {
            true => "*its fields*".into(),
            false => format!("`{}`", field.name),
        };
        let (unit, about) = split_unit(&field.about);
        Ok(format!("| {name} | {around}{value} | {unit} | {} |\n", about.replace('|', "\\|")))
    }

    /// Returns the rows of the keys of a table of a study.
    pub fn key_rows(&self, file: &str, name: &str) -> Result<String> {
        let of = self.declaration(file, name)?;
        let table = |_: &Declaration, several| if several { "tables" } else { "table" }.to_string();
        of.fields.iter().map(|field| self.field_row(of, field, table)).collect()
    }

    fn declaration(&self, file: &str, name: &str) -> Result<&Declaration> {
        let found = self.0.iter().find(|found| found.file == file && found.name == name);
        found.ok_or_else(|| Error::other(format!("no `{name}` in {file}")))
    }

    /// Returns the page of the answers.
    pub fn markdown(&self) -> Result<String> {
        let mut page = String::from("| command | with | answer |\n|---|---|---|\n");
        let mut open = Vec::new();
        for (command, when, file, name) in ANSWERS {
            let (around, name) = match name.strip_prefix('*') {
                Some(name) => ("list of ", name),
                None => ("", name),
            };
            let found = self.declaration(file, name)?;
            page += &format!("| `carom {command}` | {when} | {around}{} |\n", self.link(found));
            open.push(found);
        }
        let mut sections = BTreeMap::new();
        while let Some(next) = open.pop() {
            let Entry::Vacant(section) = sections.entry(self.title(next)) else { continue };
            let mut link = |inner, _| {
                open.push(inner);
                self.link(inner)
            };
            let rows: Result<String> =
                next.fields.iter().map(|field| self.field_row(next, field, &mut link)).collect();
            section.insert((&next.about, rows?));
        }
        for (title, (about, rows)) in sections {
            page += &format!("\n## {title}\n\n{about}\n\n");
            page += &format!("| field | value | SI unit | meaning |\n|---|---|---|---|\n{rows}");
        }
        Ok(page)
    }
}
