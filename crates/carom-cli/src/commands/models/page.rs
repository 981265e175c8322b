//! Renders the catalogue as one Markdown page.

use crate::commands::model::properties;
use crate::output::report::decimals;
use carom::Model;
use carom::compare::deliveries;
use carom::model::Parameter;
use carom::report::Entry;
use carom::units::format;
use std::fmt::Write;

const INTRODUCTION: &str = "\
δ is the indentation, positive in contact; δ̇ is positive while the bodies approach; F is positive
when it pushes; mₑ is the effective mass and v₀ the speed at first touch. Velocity-free laws do not
depend on v₀.

The tables say what a law delivers for a requested restitution: by its published formula when contact
ends at zero force (F = 0) and at zero indentation (δ = 0), measured on a steel ball at 0.5 m/s. For
power laws K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇ ball and speed do not matter, and the dimensionless damping
ε = c·L^(m+1)·v₀^(q−2)/mₑ, L = (mₑ·v₀²/K)^(1/(n+1)), is given as published and as it would be exact.
";

const DELIVERY_TABLE_HEAD: &str = "\
| requested | delivered, F = 0 | delivered, δ = 0 | ε published | ε exact, F = 0 | ε exact, δ = 0 |
|---:|---:|---:|---:|---:|---:|
";

/// Returns a page with every section of each of these models, in groups.
pub fn render(models: &[&'static Model]) -> String {
    let mut page = String::from("# Models\n\n");
    page += "<!-- Written by `carom models --markdown` from the catalogue; do not edit. -->\n\n";
    let _ = writeln!(page, "{} laws. {INTRODUCTION}", models.len());
    let mut group = "";
    for model in models {
        if model.group.name() != group {
            group = model.group.name();
            let _ = writeln!(page, "## {}: {}\n", group, model.group.about());
        }
        page += &model_section(model);
    }
    page
}

fn model_section(model: &'static Model) -> String {
    let mut text = format!("### {}\n\n`{}`", model.title, model.id);
    if !model.aliases.is_empty() {
        let aliases: Vec<_> = model.aliases.iter().map(|alias| format!("`{alias}`")).collect();
        let _ = write!(text, ", also {}", aliases.join(", "));
    }
    let _ = writeln!(text, "\n\n{}\n", properties(&Entry::of(model)));
    let equation = escape_asterisks(&model.section("Equation"));
    let lines: Vec<_> =
        equation.lines().map(|line| format!("> {line}").trim_end().to_string()).collect();
    let _ = writeln!(text, "{}\n", lines.join("\n"));
    for heading in ["Derivation", "Validity", "Remarks", "Reference"] {
        let _ = writeln!(text, "**{heading}.** {}\n", escape_asterisks(&model.section(heading)));
    }
    if let Some(doi) = model.doi {
        let _ = writeln!(text, "<https://doi.org/{doi}>\n");
    }
    text + &parameter_table(model.parameters) + &delivery_table(model)
}

fn parameter_table(parameters: &[Parameter]) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let mut text = String::from("| parameter | unit | default | meaning |\n|---|---|---|---|\n");
    for p in parameters {
        let default = p.default.map_or("-".to_string(), |value| format(value, p.unit));
        let unit = if p.unit.is_empty() { "-" } else { p.unit };
        let _ = writeln!(
            text,
            "| `{}` | {unit} | {default} | {} |",
            p.name,
            escape_asterisks(p.help).replace('|', "\\|")
        );
    }
    text + "\n"
}

fn delivery_table(model: &'static Model) -> String {
    let table = deliveries(model);
    if table.rows.is_empty() {
        return String::new();
    }
    let mut text = String::from(DELIVERY_TABLE_HEAD);
    let epsilon = |value: Option<f64>| value.map_or("-".to_string(), |value| format(value, ""));
    for row in &table.rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            row.requested,
            decimals(row.published_force, 4),
            decimals(row.published_indentation, 4),
            epsilon(row.published_epsilon),
            epsilon(row.exact_force_epsilon),
            epsilon(row.exact_indentation_epsilon)
        );
    }
    for (name, value) in &table.nominal {
        let _ = writeln!(text, "\nComputed with `{name}` = {value:e} (SI).");
    }
    text + "\n"
}

/// Escapes asterisks outside code, because they belong to symbols (E*, K*) and do not mark emphasis.
fn escape_asterisks(text: &str) -> String {
    let parts: Vec<_> = text
        .split('`')
        .enumerate()
        .map(|(i, part)| if i % 2 == 0 { part.replace('*', "\\*") } else { part.to_string() })
        .collect();
    parts.join("`")
}
