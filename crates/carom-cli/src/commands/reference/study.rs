//! The study format of `carom sweep`, held to what the reader accepts by a test.

use carom::batch::{DEFAULT_OUTPUTS, OUTPUTS};

/// A table of a study: its heading, what it is for, and its keys with value, default and meaning.
type StudyTable = (&'static str, &'static str, &'static [[&'static str; 4]]);

const TABLES: [StudyTable; 4] = [
    (
        "The study",
        "Keys above the first heading.",
        &[
            ["title", "text", "–", "one line that names the study"],
            [
                "outputs",
                "list of names",
                "the four marked below",
                "numbers of each impact that are kept",
            ],
            ["partition", "number", "65536", "cases that are computed and written as one piece"],
            [
                "figure",
                "`loops`, `lines`, `map`, `distribution`",
                "what suits the axes",
                "what `--plot` draws",
            ],
            ["impact", "table", "needed", "what does not vary"],
            ["sampling", "table", "–", "how distributions are sampled"],
            ["axis", "tables", "–", "a parameter that varies"],
        ],
    ),
    (
        "`[impact]`",
        "What does not vary, in the words of `carom impact`. Quantities are SI numbers or texts with a unit.",
        &[
            ["law", "text", "needed, unless it varies", "a law of `carom models`"],
            ["mass", "quantity (kg)", "from the bodies", "effective mass"],
            ["stiffness", "quantity (N/m^n)", "from the bodies", "K of K·δⁿ"],
            ["exponent", "number", "1.5, or from the bodies", "n of K·δⁿ"],
            [
                "bodies",
                "two tables",
                "–",
                "two bodies instead: shape, lengths and material, as `--body`",
            ],
            ["speed", "quantity (m/s)", "needed, unless it varies", "approach speed"],
            ["restitution", "number", "–", "the restitution that is asked for"],
            [
                "calibration",
                "`published`, `exact`",
                "`published`, where there is a formula",
                "how the damping is found",
            ],
            ["exit", "`force`, `indentation`", "that of the law's source", "where contact ends"],
            [
                "damping",
                "quantity",
                "–",
                "the damping coefficient itself, instead of a restitution",
            ],
            ["damping_exponent", "number", "that of the law", "m of c·δᵐ·|δ̇|^q"],
            ["rate_exponent", "number", "that of the law", "q of c·δᵐ·|δ̇|^q"],
            [
                "external_force",
                "quantity (N)",
                "0",
                "a constant force that presses the bodies together",
            ],
            [
                "set",
                "table of quantities",
                "–",
                "more parameters of the law, as `carom model ID` lists them",
            ],
        ],
    ),
    (
        "`[sampling]`",
        "How axes with a distribution are sampled: all of them together, `count` points.",
        &[
            ["method", "`sobol`, `latin-hypercube`, `random`", "`sobol`", "how points are chosen"],
            ["count", "number", "needed by distributions", "how many samples"],
            ["seed", "number", "0", "starts the random numbers"],
            ["scramble", "`true`, `false`", "`true`", "`sobol`: scramble the sequence by the seed"],
        ],
    ),
    (
        "`[[axis]]`",
        "A parameter and its values: a list (`values`), a range (`from`, `to`, `count`) or a distribution. Lists and ranges \
         are crossed, the first axis slowest; every point of that grid gets all samples.",
        &[
            [
                "parameter",
                "text",
                "needed",
                "a number or word of `[impact]`, `body_1.radius`, `body_2.material`, …, a parameter of the law, or `label`, a word that changes nothing",
            ],
            ["values", "list", "–", "numbers, quantities or words"],
            ["from", "quantity", "–", "lower end of a range; where a distribution is cut off"],
            ["to", "quantity", "–", "upper end"],
            ["count", "number", "needed by a range", "how many values"],
            ["spacing", "`linear`, `log`", "`linear`", "of a range"],
            [
                "distribution",
                "`uniform`, `log-uniform`, `normal`, `lognormal`",
                "–",
                "instead of a list or range",
            ],
            ["mean", "quantity", "needed by `normal`", "mean"],
            ["median", "quantity", "needed by `lognormal`", "median"],
            [
                "deviation",
                "quantity",
                "needed by `normal`, `lognormal`",
                "standard deviation; of the logarithm for `lognormal`",
            ],
            ["zip", "text", "–", "axes with the same word here advance together"],
        ],
    ),
];

/// The page.
pub fn markdown() -> String {
    let mut page = String::from(
        "# The study format\n\nA study is a TOML file that `carom sweep` and `carom sensitivity` read. How to use it is in \
         [Sweeps and sensitivity](../how-to/sweeps.md).\n",
    );
    for (heading, meaning, keys) in TABLES {
        page += &format!(
            "\n## {heading}\n\n{meaning}\n\n| key | value | default | meaning |\n|---|---|---|---|\n"
        );
        for [key, value, default, meaning] in keys {
            page +=
                &format!("| `{key}` | {value} | {default} | {} |\n", meaning.replace('|', "\\|"));
        }
    }
    page += "\n## Outputs\n\nNumbers of an impact that `outputs` can name. Units that depend on exponents are left open.\n\n\
             | name | SI unit | kept unless `outputs` is given |\n|---|---|---|\n";
    for output in OUTPUTS {
        let usual = if DEFAULT_OUTPUTS.contains(&output.name) { "yes" } else { "" };
        page += &format!("| `{}` | {} | {usual} |\n", output.name, output.unit);
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::sweep::Study;

    /// The keys that the reader says it knows when it is given one that it does not.
    fn accepted(study: &str) -> Vec<String> {
        let error = Study::from_toml(study).unwrap_err().to_string();
        let (_, list) = error.split_once("expected one of ").expect(&error);
        let names = list.split('`').skip(1).step_by(2);
        names.map(str::to_string).collect()
    }

    #[test]
    fn the_page_lists_the_keys_that_the_reader_takes() {
        let impact = "[impact]\nlaw = \"hertz-1881\"\n";
        let studies = [
            format!("nonsense = 1\n{impact}"),
            format!("{impact}nonsense = 1\n"),
            format!("{impact}[sampling]\nnonsense = 1\n"),
            format!("{impact}[[axis]]\nparameter = \"speed\"\nnonsense = 1\n"),
        ];
        for ((heading, _, keys), study) in TABLES.iter().zip(&studies) {
            let mut listed: Vec<_> = keys.iter().map(|[key, ..]| key.to_string()).collect();
            let mut accepted = accepted(study);
            listed.sort();
            accepted.sort();
            assert_eq!(listed, accepted, "{heading}");
        }
    }
}
