//! Tests of every page with axe, light and dark: no violation, and no undecided case except those listed here.

use super::browser::Browser;
use super::served::Lab;
use serde_json::Value;
use std::path::Path;

/// Returns the script of axe-core, which `.ci/setup` downloads.
fn axe() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/axe-core/axe.min.js");
    std::fs::read_to_string(&path).unwrap_or_else(|why| {
        panic!(
            "axe-core checks the lab's pages and is not at {}: {why}; run `.ci/setup`, or skip these tests with CAROM_NO_BROWSER=1",
            path.display()
        )
    })
}

/// The cases that axe cannot decide: the rule, and the beginning of the element. Text in plots lies below a layer of marks, so
/// that axe does not find its background, the colour of the paper; `CONTRASTS` computes the contrast instead. Symbols on buttons
/// have a name beside them, and the same colour as all buttons.
const DECIDED: [(&str, &str); 3] = [
    ("color-contrast", "<text"),
    ("color-contrast", "<span aria-hidden"),
    ("label-content-name-mismatch", "<button"),
];

/// Computes the contrast of the two text colours with the paper, as WCAG 2.1 defines it.
const CONTRASTS: &str = "(() => { const style = getComputedStyle(document.documentElement); \
    const light = (name) => { const hex = style.getPropertyValue(name).trim(); const long = hex.length === 4 ? '#' + [...hex.slice(1)].map((c) => c + c).join('') : hex; \
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(long.slice(i, i + 2), 16) / 255).map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; }; \
    const paper = light('--paper'); return ['--ink', '--faint'].map(light).map((text) => (Math.max(text, paper) + 0.05) / (Math.min(text, paper) + 0.05)); })()";

#[test]
fn axe_finds_nothing_on_any_page() {
    let lab = Lab::start();
    let Some(mut browser) = Browser::open(&lab.url()) else { return };
    let axe = axe();
    let mut found = Vec::new();
    for dark in [false, true] {
        browser.dark(dark);
        for (name, page) in [
            ("impact", ""),
            ("impact-law", "#bodies=shapes&tab=law&laws=hunt-crossley-1975,kelvin-voigt"),
            ("impact-export", "#tab=export&large=force-time&b=0.0001"),
            ("impact-data", "#tab=data"),
            ("scenes", "scenes#scene=newtons-cradle"),
            (
                "scenes-bed",
                "scenes#scene=grains&chains=1&slice=1,0.5,0.2&set=simulation.duration%3D2%20ms",
            ),
            ("drop", "drop"),
            ("robot", "robot"),
            ("api", "api"),
        ] {
            browser.go(&format!("{}{page}", lab.url()));
            let contrasts = browser.eval(CONTRASTS);
            for contrast in contrasts.as_array().unwrap() {
                assert!(contrast.as_f64().unwrap() >= 4.5, "{contrasts}, dark: {dark}");
            }
            if page.contains("tab=data") {
                browser.drop_file("pulse.csv", "time_ms,force_kN\n0,0\n0.02,0.62\n0.04,1.79\n0.06,3.12\n0.08,4.13\n0.1,4.39\n0.12,3.74\n0.14,2.56\n0.16,1.38\n0.18,0.51\n0.2,0.06\n0.22,0\n");
                browser.until("document.querySelector('#fit-table tbody tr')");
                browser.settle();
            }
            if page == "robot" {
                browser.eval("document.getElementById('example').click()");
                browser.until("document.querySelector('#contacts tbody tr')");
            }
            browser.eval(&format!("(() => {{ {axe}; return true; }})()"));
            let answer = browser.eval(
                "(async () => { const found = await axe.run(document, { resultTypes: ['violations', 'incomplete'] }); \
                 const list = (kind) => found[kind].flatMap(({ id, nodes }) => nodes.map(({ html, any, all, none }) => [kind, id, html.slice(0, 160), [...any, ...all, ...none].map((check) => check.message).join('; ')])); \
                 return [...list('violations'), ...list('incomplete')]; })()",
            );
            for entry in answer.as_array().unwrap() {
                let text = |i: usize| entry[i].as_str().unwrap_or_default();
                let decided = DECIDED
                    .iter()
                    .any(|(rule, part)| text(1) == *rule && text(2).starts_with(part));
                if !decided {
                    found.push(format!("{page} {}: {entry}", if dark { "dark" } else { "light" }));
                }
            }
            assert_ne!(answer, Value::Null);
            browser.picture(&format!("{name}-{}", if dark { "dark" } else { "light" }));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
