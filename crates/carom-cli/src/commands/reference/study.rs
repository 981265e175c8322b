//! Describes the study format of `carom sweep`. The keys come from the types that read it (build/answers.rs).

use carom::batch::{DEFAULT_OUTPUTS, OUTPUTS};

/// Includes the keys of a table of a study.
macro_rules! keys {
    ($page:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $page, ".md"))
    };
}

/// Tables of a study: heading, purpose, and the rows of the keys.
const TABLES: [(&str, &str, &str); 4] = [
    ("The study", "Keys above the first heading.", keys!("study")),
    (
        "`[impact]`",
        "What does not vary, in the words of `carom impact`. Quantities are SI numbers or texts with a unit. `law` and `speed` \
         are needed, unless they vary.",
        keys!("impact"),
    ),
    (
        "`[sampling]`",
        "How axes with a distribution are sampled: all of them together, `count` points.",
        keys!("sampling"),
    ),
    (
        "`[[axis]]`",
        "A parameter and its values: a list (`values`), a range (`from`, `to`, `count`) or a distribution. Lists and ranges \
         are crossed, the first axis slowest; every point of that grid gets all samples.",
        keys!("axis"),
    ),
];

/// Returns the page.
pub fn study_page() -> String {
    let mut page = String::from(
        "# The study format\n\nA study is a TOML file that `carom sweep` and `carom sensitivity` read. How to use it is in \
         [Sweeps and sensitivity](../how-to/sweeps.md).\n",
    );
    for (heading, meaning, keys) in TABLES {
        page += &format!(
            "\n## {heading}\n\n{meaning}\n\n| key | value | SI unit | meaning |\n|---|---|---|---|\n{keys}"
        );
    }
    page += "\n## Outputs\n\nNumbers of an impact that `outputs` can name. Units that depend on exponents are left open.\n\n\
             | name | SI unit | kept unless `outputs` is given |\n|---|---|---|\n";
    for output in OUTPUTS {
        let usual = if DEFAULT_OUTPUTS.contains(&output.name) { "yes" } else { "" };
        page += &format!("| `{}` | {} | {usual} |\n", output.name, output.unit);
    }
    page
}
