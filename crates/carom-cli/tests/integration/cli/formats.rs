//! `--json` prints JSON and `--csv` CSV in every command and with all options; tables fit the width of the terminal.

use super::{STEEL, carom_with, command, folder, scene_path, stdout};
use serde_json::Value;

/// Returns the commands listed by `carom --help`, so that a new one is tested automatically.
pub fn commands() -> Vec<String> {
    let help = stdout("--help");
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| line.starts_with("  "));
    // Lines with more indentation continue the description of a command.
    let listed = listed.filter(|line| !line.starts_with("   "));
    let names = listed.filter_map(|line| line.split_whitespace().next()).map(str::to_string);
    names.filter(|name| name != "help").collect()
}

/// Commands that serve a page or print a text, and have no numerical results.
const WITHOUT_NUMBERS: [&str; 3] = ["lab", "reference", "completions"];

/// Returns arguments for every kind of answer that a command has, without the format.
fn questions(command: &str, study: &str, bare: &str) -> Vec<String> {
    let impact = format!("--law flores-2011 {STEEL} --restitution 0.5");
    let asked: &[&str] = match command {
        "models" => &["", "tsuji", "--group plastic"],
        "model" => &["tsuji-1992", "hertz-1881", "thornton-1997"],
        "materials" => &["", "steel"],
        "impact" => &["{impact}"],
        "compare" => &["--laws flores-2011,hertz-1881"],
        "identify" => &[
            "--mass 0.54kg --speed 0.5m/s --restitution 0.7568 --duration 207us",
            "--speeds 0.1,0.5,1 --restitutions 0.9,0.8,0.7",
        ],
        "advise" => &["--mass 0.54kg --stiffness 2.4144e10 --speed 0.5m/s --restitution 0.75"],
        "export" => &["--list", "--to lammps {impact}"],
        "fit" => &["--example sliotar"],
        "drop" => &["--drop 0.3,0.6,1.2m --bounce 0.21,0.40,0.76m", "--times 0.5,0.4,0.33s"],
        "check" => &["{robot}", "{robot} --restitution 0.5"],
        "reproduce" => &["zhang-2022"],
        "sweep" => &[
            "{study}",
            "{study} --case 1",
            "{study} --dry-run",
            "{ball} --over simulation.duration=0.05,0.06",
            "{ball} --over simulation.duration=0.05,0.06 --case 1",
        ],
        "sensitivity" => &["{study} --samples 64"],
        "simulate" => &[
            "--columns",
            "{bare}",
            "{ball} --set simulation.duration=0.1",
            "{grains} --set simulation.duration=1e-4 --set grains.count=8",
            "{crank} --set simulation.duration=1e-3 --laws flores-2011,tsuji-1992",
        ],
        "regimes" => &["{crank} --turns 1 --skip 0", "{crank} --turns 1 --skip 0 --laws ideal"],
        "bifurcation" => &["{crank} --over simulation.gravity=0,1 --turns 1 --skip 0"],
        other if WITHOUT_NUMBERS.contains(&other) => &[],
        unknown => panic!("say here what to ask of `carom {unknown}`"),
    };
    let filled = |text: &&str| {
        text.replace("{impact}", &impact)
            .replace("{study}", study)
            .replace("{bare}", bare)
            .replace("{robot}", &robot_path())
            .replace("{ball}", &scene_path("bouncing-ball"))
            .replace("{grains}", &scene_path("grains"))
            .replace("{crank}", &scene_path("slider-crank"))
    };
    asked.iter().map(filled).collect()
}

/// Writes a robot file of a ball above a plane and returns its path.
fn robot_path() -> String {
    let path = folder("formats-robot").join("ball.xml");
    let text = r#"<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body pos="0 0 1"><freejoint/><geom name="ball" size="0.05"/></body>
  </worldbody>
</mujoco>"#;
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

/// Returns the rows of a CSV, with quotes as in RFC 4180.
fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (vec![], vec![], String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quoted, letter) {
            (true, '"') if letters.peek() == Some(&'"') => cell.extend(letters.next()),
            (_, '"') => quoted = !quoted,
            (false, ',') => row.push(std::mem::take(&mut cell)),
            (false, '\n') => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            (_, letter) => cell.push(letter),
        }
    }
    assert!(!quoted && row.is_empty() && cell.is_empty(), "it ends within a row: {text}");
    rows
}

fn check_csv(words: &str, text: &str) {
    let rows = parse_csv(text);
    assert!(!rows.is_empty(), "{words} prints nothing");
    let header = &rows[0];
    for name in header {
        let first = name.chars().next().unwrap_or(' ');
        assert!(first.is_alphabetic(), "{words}: `{name}` is no name of a column: {header:?}");
        assert_eq!(header.iter().filter(|other| *other == name).count(), 1, "{words}: {name}");
    }
    for row in &rows {
        assert_eq!(row.len(), header.len(), "{words}: {row:?} under {header:?}");
    }
}

/// The page of fields: the fields of every type, and every command with its possible answers, names and values.
struct FieldPage(String);

impl FieldPage {
    /// Returns the cells of the rows below a heading.
    fn rows(&self, heading: &str) -> impl Iterator<Item = Vec<&str>> {
        let (_, section) = self.0.split_once(&format!("\n{heading}\n")).expect(heading);
        let rows = section.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
        rows.take_while(|line| line.starts_with('|')).map(|row| row.split(" | ").collect())
    }

    /// Returns the parts of `value` that the page does not describe, where this kind of value is expected.
    fn missing(&self, value: &Value, kind: &str) -> Vec<String> {
        let link = kind.split_once('[').map(|(around, rest)| (around, rest.split(']').next()));
        let (around, Some(title)) = link.unwrap_or_default() else { return Vec::new() };
        match (value, around.split_once(" of ")) {
            (Value::Array(items), Some((_, inner))) => {
                let inner = format!("{inner}[{title}]");
                items.iter().flat_map(|item| self.missing(item, &inner)).collect()
            }
            (Value::Object(fields), Some((_, inner))) => {
                let inner = format!("{inner}[{title}]");
                fields.values().flat_map(|item| self.missing(item, &inner)).collect()
            }
            (Value::Object(fields), None) => {
                let mut missing = Vec::new();
                for (name, value) in fields {
                    match self.kind(title, name) {
                        Some(kind) => missing.extend(self.missing(value, &kind)),
                        None => missing.push(format!("`{name}` of {title}")),
                    }
                }
                missing
            }
            (Value::Null, _) => Vec::new(),
            // A word in place of an object.
            (Value::String(word), None) if around.contains(&format!("`{word}`")) => Vec::new(),
            _ => vec![format!("{title}, which is not {value}")],
        }
    }

    /// Returns the kind of the value of a field of a type.
    fn kind(&self, title: &str, field: &str) -> Option<String> {
        self.rows(&format!("## {title}")).find_map(|row| match row[0] {
            name if name == format!("| `{field}`") => Some(row[1].to_string()),
            "| *its fields*" => {
                let inner = row[1].split(['[', ']']).nth(1)?;
                self.kind(inner, field)
            }
            _ => None,
        })
    }
}

#[test]
fn json_is_json_and_csv_is_csv_in_every_command() {
    let page = FieldPage(stdout("reference fields"));
    // Regression: `sweep --case 3 --csv` printed JSON, `simulate --columns --json` Markdown, `models zzzz --csv` nothing, and
    // `export` had no --csv.
    let folder = folder("formats");
    let study = folder.join("study.toml");
    let text = "[impact]\nlaw = \"flores-2011\"\nmass = 1\nstiffness = 1e9\nspeed = 1\n\
                [[axis]]\nparameter = \"restitution\"\ndistribution = \"uniform\"\nfrom = 0.5\nto = 0.9\n\
                [sampling]\ncount = 3\n";
    std::fs::write(&study, text).unwrap();
    let bare = folder.join("bare.toml");
    std::fs::write(&bare, "[simulation]\nduration = 1\n").unwrap();
    for name in commands() {
        let help = stdout(&format!("{name} --help"));
        let has = |flag: &str| help.lines().any(|line| line.trim_start().starts_with(flag));
        assert_eq!(has("--json"), has("--csv"), "{name} has one of the two formats only");
        assert_eq!(has("--json"), !WITHOUT_NUMBERS.contains(&name.as_str()), "{name}");
        for asked in questions(&name, study.to_str().unwrap(), bare.to_str().unwrap()) {
            let words = format!("{name} {asked}");
            let json = stdout(&format!("{words} --json"));
            let parsed: Result<Value, _> = serde_json::from_str(&json);
            let parsed = parsed.unwrap_or_else(|why| panic!("{words} --json: {why}: {json}"));
            // A sweep without an output file prints the columns of its study.
            let table =
                name == "sweep" && !["--case", "--dry-run"].iter().any(|it| words.contains(it));
            if !table {
                let answers = page
                    .rows("# Fields of JSON")
                    .filter(|row| row[0] == format!("| `carom {name}`"));
                let missing: Vec<_> = answers.map(|row| page.missing(&parsed, row[2])).collect();
                assert!(missing.iter().any(Vec::is_empty), "{words}: not on the page: {missing:?}");
            }
            check_csv(&words, &stdout(&format!("{words} --csv")));
        }
    }
}

#[test]
fn a_search_that_finds_nothing_is_an_empty_list_and_exit_status_one() {
    for words in ["models zzzz", "materials nosuch"] {
        let run = |format: &str| {
            let words = format!("{words} {format}");
            let output = carom_with(&words.split_whitespace().collect::<Vec<_>>());
            assert_eq!(output.status.code(), Some(1), "{words}");
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(said.starts_with("error: no ") && said.lines().count() == 1, "{said}");
            String::from_utf8(output.stdout).unwrap()
        };
        assert_eq!(run(""), "");
        assert_eq!(run("--json"), "[]\n");
        let header = run("--csv");
        assert!(header.starts_with("id,") && header.lines().count() == 1, "{header}");
        check_csv(words, &header);
        // The columns are the same as in an answer with rows.
        let name = words.split(' ').next().unwrap();
        let all = stdout(&format!("{name} --csv"));
        assert_eq!(all.lines().next(), header.lines().next(), "{name}");
    }
}

#[test]
fn tables_fit_into_sixty_columns_also_through_a_pipe() {
    // Regression: lines of tables exceeded the width, and COLUMNS was ignored if the output was a pipe.
    let impact = format!("--law flores-2011 {STEEL} --restitution 0.5");
    let crank = format!("regimes {} --turns 1 --skip 0 --laws ideal", scene_path("slider-crank"));
    for words in ["models", "materials", "compare", "model tsuji-1992", "export --list", &crank] {
        let with = |columns: &str| {
            let output = command().args(words.split_whitespace()).env("COLUMNS", columns).output();
            String::from_utf8(output.unwrap().stdout).unwrap()
        };
        let narrow = with("60");
        let long = |text: &str| text.lines().find(|l| l.chars().count() > 60).map(str::to_string);
        assert_eq!(long(&narrow), None, "carom {words}");
        assert!(long(&stdout(words)).is_some(), "carom {words} is narrow by itself");
        assert_eq!(with("0"), stdout(words), "COLUMNS=0 says nothing");
        assert_eq!(with("wide"), stdout(words));
    }
    assert!(!stdout(&format!("impact {impact}")).is_empty());
}
