//! Colours, dashes and fonts of all figures, as one style sheet; widths of text.
//!
//! The colours are those of Okabe & Ito (safe for colour-blind readers) without their yellow, which is hardly visible on white
//! paper; on dark screens they are lighter. Every curve also has its own dash pattern, so that a print without colour can be read.
//! The style sheet uses class rules without CSS variables; renderers that do not support media queries draw the light version.

use std::fmt::Write;

/// Number of styles of curves.
pub const STYLES: usize = 12;

/// Colours of curves on a light and on a dark background.
const COLOURS: [(&str, &str); 8] = [
    ("#0072b2", "#4aa3e0"),
    ("#d55e00", "#f58142"),
    ("#009e73", "#2fc49a"),
    ("#cc79a7", "#e8a0c8"),
    ("#e69f00", "#f4bc45"),
    ("#56b4e9", "#a5dcfa"),
    ("#1c1f24", "#f2f3f5"),
    ("#868d96", "#8e959e"),
];

/// Dash patterns of curves.
const DASHES: [&str; STYLES] = [
    "",
    "8 3",
    "2 2.6",
    "9 3 2 3",
    "14 4",
    "5 2 1.5 2 1.5 2",
    "4.5 2.5",
    "16 3 4 3",
    "1 4",
    "10 2 2 2 2 2 2 2",
    "3 5",
    "12 3 3 3 3 3",
];

/// Background, text, grid and axes: class, rule on a light and on a dark background.
const THEME: [(&str, &str, &str); 7] = [
    (".paper", "fill:#ffffff", "fill:#14171c"),
    ("text", "fill:#1c1f24", "fill:#e6e8eb"),
    (".faint", "fill:#5b626c", "fill:#a7aeb8"),
    (".grid", "stroke:#e3e6ea", "stroke:#2a2f37"),
    (".axis", "stroke:#7b828c", "stroke:#848c97"),
    (".guide", "stroke:#1c1f24", "stroke:#e6e8eb"),
    (".none", "stroke:#5b626c;fill:#5b626c", "stroke:#a7aeb8;fill:#a7aeb8"),
];

/// Font families for figures without an embedded font, from common systems.
const FONT_FAMILIES: &str = "system-ui,-apple-system,'Segoe UI','Helvetica Neue',Arial,'Noto Sans','DejaVu Sans',sans-serif";

/// Size of normal text in px.
pub const TEXT_SIZE: f64 = 12.0;
/// Size of tick labels, remarks and captions in px.
pub const SMALL_TEXT_SIZE: f64 = 11.0;

/// Widths of curves in the order in which they are drawn. If curves coincide, the lower ones remain visible on both sides of the
/// upper ones and through the gaps in their dashes.
const CURVE_WIDTHS: [f64; 5] = [3.4, 2.9, 2.4, 2.0, 1.6];

/// Returns the CSS classes of the curve with index `rank` of `count` in a panel.
pub fn curve_class(style: usize, rank: usize, count: usize) -> String {
    // One or two curves need no wide line; curves beyond the list of widths are all thin.
    let width =
        (rank + CURVE_WIDTHS.len().saturating_sub(count.max(2))).min(CURVE_WIDTHS.len() - 1);
    format!("s c{} d{} w{width}", style % COLOURS.len(), style % STYLES)
}

/// Returns the CSS class that fills an area with the colour of a curve.
pub fn fill_class(style: usize) -> String {
    format!("f{}", style % COLOURS.len())
}

/// Returns the CSS classes of a marker with the colour of a curve, or without a colour.
pub fn marker_class(style: Option<usize>) -> String {
    match style {
        Some(style) => format!("c{} f{}", style % COLOURS.len(), style % COLOURS.len()),
        None => "none".to_string(),
    }
}

/// Family names of the embedded fonts, in the order in which they are tried.
pub const EMBEDDED_FAMILIES: [&str; 2] = ["carom-text", "carom-signs"];

/// Returns the style sheet; `embedded` if the figure has embedded fonts.
pub fn style_sheet(embedded: bool) -> String {
    // The embedded font has only one weight, so bold text is drawn with a thin outline.
    let (family, bold) = match embedded {
        true => (format!("{},sans-serif", EMBEDDED_FAMILIES.join(",")), "stroke-width:0.45"),
        false => (FONT_FAMILIES.to_string(), "font-weight:600"),
    };
    let mut css = format!(
        ".carom text{{font-family:{family};font-size:{TEXT_SIZE}px}}\n\
         .carom .title{{font-size:15px;{bold}}}\n\
         .carom .head{{{bold}}}\n\
         .carom .small{{font-size:{SMALL_TEXT_SIZE}px}}\n\
         .carom .raised{{font-size:8.5px}}\n\
         .carom .grid{{stroke-width:1}}\n\
         .carom .axis{{stroke-width:1}}\n\
         .carom .guide{{stroke-width:1.2;stroke-dasharray:3 3;fill:none}}\n\
         .carom .solid{{stroke-dasharray:none}}\n\
         .carom .s{{fill:none;stroke-linejoin:round}}\n\
         .carom .stem{{stroke-width:1.4}}\n\
         .carom .mark{{stroke-width:1.6}}\n"
    );
    // Writing to a string cannot fail.
    for (i, dash) in DASHES.iter().enumerate().filter(|(_, dash)| !dash.is_empty()) {
        let _ = writeln!(css, ".carom .d{i}{{stroke-dasharray:{dash}}}");
    }
    for (i, width) in CURVE_WIDTHS.iter().enumerate() {
        let _ = writeln!(css, ".carom .w{i}{{stroke-width:{width}}}");
    }
    let mut dark = String::new();
    let bold = [".title", ".head"].map(|name| (name, "stroke:#1c1f24", "stroke:#e6e8eb"));
    let bold = bold.into_iter().filter(|_| embedded);
    for (name, light_rule, dark_rule) in THEME.into_iter().chain(bold) {
        let _ = writeln!(css, ".carom {name}{{{light_rule}}}");
        let _ = writeln!(dark, ".carom {name}{{{dark_rule}}}");
    }
    for (i, (on_light, on_dark)) in COLOURS.iter().enumerate() {
        for (sheet, colour) in [(&mut css, on_light), (&mut dark, on_dark)] {
            let _ =
                writeln!(sheet, ".carom .c{i}{{stroke:{colour}}}\n.carom .f{i}{{fill:{colour}}}");
        }
    }
    for (sheet, paper) in [(&mut css, THEME[0].1), (&mut dark, THEME[0].2)] {
        let _ = writeln!(sheet, ".carom .open{{{paper}}}");
    }
    format!("{css}@media screen and (prefers-color-scheme:dark){{\n{dark}}}\n")
}

/// Estimates the width of a text in px; an upper estimate for common fonts.
pub fn text_width(text: &str, size: f64) -> f64 {
    let em = |letter: char| match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '(' | ')' => 0.33,
        ' ' | 'f' | 't' | 'r' | '-' => 0.4,
        'm' | 'w' | 'M' | 'W' | '%' => 0.96,
        c if c.is_ascii_uppercase() => 0.7,
        _ => 0.63,
    };
    size * text.chars().map(em).sum::<f64>()
}

/// Breaks a text into lines of at most `room` px.
pub fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(line, size) + text_width(word, size) + 0.38 * size <= room => {
                line.push(' ');
                *line += word;
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// Returns the text, shortened with an ellipsis if it is wider than `room` px.
pub fn ellipsize(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_string();
    }
    let mut short: String = text.to_string();
    while !short.is_empty() && text_width(&short, size) + 0.8 * size > room {
        short.pop();
    }
    short + "…"
}
