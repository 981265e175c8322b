//! For every shape and law, the controls show what the link contains and what is sent to the server.

use super::browser::Browser;
use super::served::Lab;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Every shape and its lengths, in the order of the list.
const SHAPES: [(&str, &[&str]); 6] = [
    ("sphere", &["radius"]),
    ("plane", &[]),
    ("socket", &["radius"]),
    ("square-punch", &["half_side"]),
    ("cylinder", &["radius", "length"]),
    ("bore", &["radius", "length"]),
];

/// Text fields, lists and radio buttons of the impact; the laws are tested separately.
const FIELDS: [&str; 18] = [
    "mass",
    "stiffness",
    "exponent",
    "speed",
    "restitution",
    "radius1",
    "length1",
    "half_side1",
    "radius2",
    "length2",
    "half_side2",
    "shape1",
    "shape2",
    "material1",
    "material2",
    "calibration",
    "exit",
    "engine",
];

/// Functions added to the page: they record the last request and the values of the controls, and wait for the next answer.
const HELPERS: &str = r#"(() => {
  window.asked = [];
  window.waiting = 0;
  const real = window.fetch;
  window.fetch = (url, options) => {
    if (!String(url).endsWith("/view")) return real(url, options);
    window.asked.push(JSON.parse(options.body));
    window.waiting += 1;
    return real(url, options).finally(() => { window.waiting -= 1; });
  };
  window.seen = (fields) => ({
    controls: Object.fromEntries(fields.map((name) => [name, document.getElementById(name).value])),
    bodies: document.querySelector("input[name=bodies]:checked")?.value ?? null,
    laws: [...document.querySelectorAll("input[name=law]:checked")].map((box) => box.value).sort(),
    shown: fields.filter((name) => document.getElementById(name).offsetParent !== null),
    focus: document.getElementById("focus").value,
    link: location.hash.slice(1),
    asked: window.asked.at(-1),
  });
  // Runs a change and waits until the page has shown the answer to it: a request that another one overtakes is given up and
  // never shown, so what counts is that nothing is waited for and the picture has not changed for a while.
  window.after = async (work, fields) => {
    const before = Number(document.body.dataset.shown);
    window.asked = [];
    work();
    const start = performance.now();
    let [shown, since] = [before, start];
    while (true) {
      const now = Number(document.body.dataset.shown);
      if (now !== shown || window.waiting > 0) [shown, since] = [now, performance.now()];
      if (window.asked.length > 0 && shown > before && performance.now() - since > 40) break;
      if (performance.now() - start > 30000) throw new Error("no answer: " + location.hash);
      await new Promise((go) => setTimeout(go, 5));
    }
    return window.seen(fields);
  };
})()"#;

struct Page {
    browser: Browser,
}

impl Page {
    fn open(lab: &Lab) -> Option<Self> {
        let mut browser = Browser::open(&lab.url())?;
        browser.eval(HELPERS);
        Some(Self { browser })
    }

    /// Returns the state of the page after some JavaScript has changed something.
    fn after(&mut self, work: &str) -> Value {
        self.browser.eval(&format!("after(() => {{ {work} }}, {})", json!(FIELDS)))
    }

    /// Returns the state of the page after following a link.
    fn follow(&mut self, link: &str) -> Value {
        self.after(&format!("location.hash = {}", json!(format!("#{link}"))))
    }
}

/// Returns the names and values of a link.
fn words(link: &str) -> BTreeMap<String, String> {
    let plain = |text: &str| {
        let text = text.replace('+', " ");
        let mut bytes = Vec::new();
        let mut rest = text.as_bytes();
        while let Some((&first, more)) = rest.split_first() {
            match (first, more) {
                (b'%', [a, b, more @ ..]) => {
                    let hex = String::from_utf8(vec![*a, *b]).unwrap();
                    bytes.push(u8::from_str_radix(&hex, 16).unwrap());
                    rest = more;
                }
                _ => {
                    bytes.push(first);
                    rest = more;
                }
            }
        }
        String::from_utf8(bytes).unwrap()
    };
    let pair = |word: &str| word.split_once('=').map(|(name, value)| (plain(name), plain(value)));
    link.split('&').filter_map(pair).collect()
}

/// Returns a field as it is sent to the server: as a number if it is one.
fn quantity(text: &str) -> Value {
    text.trim().parse::<f64>().map_or_else(|_| json!(text.trim()), |number| json!(number))
}

fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

/// Returns the law of an entry of a request: a name, or a description with parameters of its own.
fn law_name(entry: &Value) -> &str {
    entry.as_str().unwrap_or_else(|| entry["law"].as_str().unwrap())
}

/// Checks that controls, link and request agree.
fn agree(seen: &Value, what: &str) {
    let control = |name: &str| seen["controls"][name].as_str().unwrap().to_string();
    // Values omitted from the link are the initial ones, which the first of these tests reads from the page.
    for (name, value) in words(seen["link"].as_str().unwrap()) {
        match name.as_str() {
            "laws" => {
                let mut laws: Vec<&str> = value.split(',').filter(|law| !law.is_empty()).collect();
                laws.sort_unstable();
                assert_eq!(seen["laws"], json!(laws), "{what}");
            }
            "bodies" => assert_eq!(seen["bodies"], json!(value), "{what}"),
            "focus" => assert_eq!(seen["focus"], json!(value), "{what}"),
            // Parameters of a single law, which have a test of their own.
            _ if name.contains('.') => {}
            _ => assert_eq!(control(&name), value, "{what}: {name} of the link"),
        }
    }
    let asked = &seen["asked"];
    let spec = &asked["spec"];
    let mut laws: Vec<&str> = asked["laws"].as_array().unwrap().iter().map(law_name).collect();
    laws.sort_unstable();
    assert_eq!(
        seen["laws"],
        json!(laws),
        "{what}: laws that are checked and laws that are computed"
    );
    let expect = |found: &Value, name: &str| {
        let wanted = quantity(&control(name));
        assert!(same(found, &wanted), "{what}: {name} shows {wanted}, asked is {found}");
    };
    expect(&spec["speed"], "speed");
    expect(&spec["restitution"], "restitution");
    assert_eq!(spec["calibration"], json!(control("calibration")), "{what}");
    assert_eq!(spec["exit"].as_str().unwrap_or(""), control("exit"), "{what}");
    let visible = |name: &str| seen["shown"].as_array().unwrap().contains(&json!(name));
    match seen["bodies"].as_str().unwrap() {
        "numbers" => {
            for name in ["mass", "stiffness", "exponent"] {
                expect(&spec[name], name);
                assert!(visible(name) && spec["bodies"].is_null(), "{what}");
            }
        }
        _ => {
            for number in [1, 2] {
                let body = &spec["bodies"][number - 1];
                let shape = control(&format!("shape{number}"));
                assert_eq!(
                    body["shape"],
                    json!(shape),
                    "{what}: the shape that is shown is computed"
                );
                assert_eq!(
                    body["material"],
                    json!(control(&format!("material{number}"))),
                    "{what}"
                );
                let has = SHAPES.iter().find(|(name, _)| *name == shape).map_or(&[][..], |s| s.1);
                for name in ["radius", "length", "half_side"] {
                    let field = format!("{name}{number}");
                    assert_eq!(
                        visible(&field),
                        has.contains(&name),
                        "{what}: {field} of a {shape}"
                    );
                    match has.contains(&name) {
                        true => expect(&body[name], &field),
                        false => assert!(body[name].is_null(), "{what}: a {shape} has no {name}"),
                    }
                }
            }
            assert!(spec["mass"].is_null() && spec["stiffness"].is_null(), "{what}");
        }
    }
}

/// Regression: the lists of the shapes had the same ids as the boxes around them and were therefore never set: the page showed a
/// plane but computed a socket. A cylinder could not be computed at all, because its length was missing.
#[test]
fn every_shape_that_is_shown_is_the_one_that_is_computed() {
    let lab = Lab::start();
    let Some(mut page) = Page::open(&lab) else { return };
    for (first, _) in SHAPES {
        for (second, _) in SHAPES {
            let link = format!(
                "bodies=shapes&shape1={first}&shape2={second}&radius1=11+mm&length1=21+mm&half_side1=4+mm\
                 &radius2=11.5+mm&length2=22+mm&half_side2=4+mm&material1=copper&material2=glass&speed=0.4"
            );
            let seen = page.follow(&link);
            agree(&seen, &format!("a {first} and a {second}"));
            assert_eq!(
                (&seen["controls"]["shape1"], &seen["controls"]["shape2"]),
                (&json!(first), &json!(second))
            );
        }
    }
    // A roller on a plane is computed with its length: twice the length makes it stiffer.
    let force = |page: &mut Page, length: &str| -> f64 {
        let laws = "laws=hunt-crossley-1975";
        page.follow(&format!(
            "bodies=shapes&shape1=cylinder&radius1=10+mm&length1={length}&{laws}"
        ));
        assert_eq!(page.browser.eval("document.getElementById('problem').hidden"), true);
        let cell = "document.querySelector('#results tbody tr').cells[3].firstChild.textContent";
        let text = page.browser.text(cell);
        let (number, unit) = text.split_once(' ').unwrap();
        number.parse::<f64>().unwrap() * if unit == "kN" { 1e3 } else { 1.0 }
    };
    let (short, long) = (force(&mut page, "10+mm"), force(&mut page, "20+mm"));
    assert!(long > 1.5 * short, "{short} N and {long} N");
    assert!(page.browser.complaints.is_empty(), "{:?}", page.browser.complaints);
}

/// The opposite direction: from the controls to the link and the request.
#[test]
fn every_control_changes_the_link_and_the_request() {
    let lab = Lab::start();
    let Some(mut page) = Page::open(&lab) else { return };
    let start = page.browser.eval(&format!("seen({})", json!(FIELDS)));
    assert_eq!(start["link"], "", "a fresh page has nothing to say");
    let press = "document.querySelector('input[name=bodies][value=shapes]').click()";
    agree(&page.after(press), "shapes and materials");
    let choose = |name: &str, value: &str| {
        format!(
            "const c = document.getElementById('{name}'); c.value = '{value}'; c.dispatchEvent(new Event('change'));"
        )
    };
    for number in [1, 2] {
        for (shape, lengths) in SHAPES {
            let name = format!("shape{number}");
            // A list that already shows this shape does not change.
            if page.browser.text(&format!("document.getElementById('{name}').value")) != shape {
                agree(&page.after(&choose(&name, shape)), shape);
            }
            for length in lengths {
                let field = format!("{length}{number}");
                for text in ["3 mm", "0.004"] {
                    let typed = format!(
                        "const f = document.getElementById('{field}'); f.value = '{text}'; f.dispatchEvent(new Event('input'));"
                    );
                    let seen = page.after(&typed);
                    agree(&seen, &field);
                    assert_eq!(words(seen["link"].as_str().unwrap())[&field], text);
                }
            }
        }
        let material = format!("material{number}");
        agree(&page.after(&choose(&material, "rubber")), &material);
    }
    for (name, value) in
        [("calibration", "exact"), ("exit", "force"), ("exit", "indentation"), ("exit", "")]
    {
        agree(&page.after(&choose(name, value)), name);
    }
    agree(
        &page.after("document.querySelector('input[name=bodies][value=numbers]').click()"),
        "numbers",
    );
    // Sliders, moved to both ends and to a value in between.
    for name in ["mass", "stiffness", "exponent", "speed", "restitution"] {
        for step in [0, 437, 1000] {
            let slide = format!(
                "const s = document.getElementById('{name}-slider'); s.value = {step}; s.dispatchEvent(new Event('input'));"
            );
            agree(&page.after(&slide), &format!("{name} at {step}"));
            let now = page.browser.text(&format!("document.getElementById('{name}-slider').value"));
            assert_eq!(now, step.to_string(), "the slider of {name} stays where it was put");
        }
    }
    // A field that has the focus follows changes from elsewhere: going back, starting over.
    page.browser.eval("document.getElementById('speed').focus()");
    let seen = page.after("document.getElementById('reset').click()");
    agree(&seen, "start over");
    assert_eq!(seen["controls"]["speed"], start["controls"]["speed"]);
    // The link to the plots does not describe an impact.
    agree(&page.follow("speed=0.3"), "another speed");
    agree(&page.follow("plots"), "skip to the plots");
    assert_eq!(page.browser.text("document.getElementById('speed').value"), "0.3");
    assert!(page.browser.complaints.is_empty(), "{:?}", page.browser.complaints);
}

#[test]
fn every_law_that_is_checked_is_computed_and_by_whatever_name() {
    let lab = Lab::start();
    let Some(mut page) = Page::open(&lab) else { return };
    let models = lab.get("/api/v1/models").json();
    let (mut previous, mut aliased) = (String::new(), 0);
    for model in models.as_array().unwrap() {
        let id = model["id"].as_str().unwrap();
        let seen = page.follow(&format!("laws={id}"));
        agree(&seen, id);
        assert_eq!((&seen["laws"], &seen["focus"]), (&json!([id]), &json!(id)));
        if let Some(alias) = model["aliases"][0].as_str() {
            let seen = page.follow(&format!("laws={previous},{alias},{id}&focus=nothing"));
            agree(&seen, alias);
            assert!(seen["laws"].as_array().unwrap().contains(&json!(id)), "{alias}");
            aliased += 1;
        }
        previous = id.to_string();
    }
    assert!(aliased > 3, "{aliased} laws have another name");
    // An unknown value is sent nevertheless, is shown where it is chosen, and is answered with an error message.
    let seen = page.follow("laws=no-such-law,hertz-1881&calibration=exakt&shape1=blob&material1=unobtainium&bodies=shapes");
    agree(&seen, "what does not exist");
    assert_eq!(seen["controls"]["shape1"], "blob");
    assert_eq!(page.browser.eval("document.getElementById('problem').hidden"), false);
    agree(&page.follow("bodies=what&constructor=1"), "a way to describe bodies that there is not");
}

/// Every parameter of every law has a field with its unit, and field, link and request agree.
#[test]
fn every_parameter_of_every_law_has_a_field_and_is_asked() {
    let lab = Lab::start();
    let Some(mut page) = Page::open(&lab) else { return };
    let models = lab.get("/api/v1/models").json();
    let mut tried = 0;
    for model in models.as_array().unwrap() {
        let id = model["id"].as_str().unwrap();
        let about = lab.get(&format!("/api/v1/models/{id}")).json();
        let names: Vec<&str> = about["parameters"]
            .as_array()
            .unwrap()
            .iter()
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        if names.is_empty() {
            continue;
        }
        let said: Vec<String> =
            names.iter().enumerate().map(|(i, name)| format!("&{id}.{name}=0.{}", i + 1)).collect();
        let seen = page.follow(&format!("laws={id}&{id}.damped-by=none{}", said.concat()));
        let asked = &seen["asked"]["laws"][0];
        assert_eq!(asked["law"], json!(id));
        assert!(asked["restitution"].is_null() && asked["calibration"].is_null(), "{asked}");
        for (i, name) in names.iter().enumerate() {
            let wanted = format!("0.{}", i + 1);
            assert_eq!(asked["set"][name], json!(wanted.parse::<f64>().unwrap()), "{id} {name}");
            page.browser
                .until(&format!("document.getElementById('p-{name}')?.value === '{wanted}'"));
            assert_eq!(words(seen["link"].as_str().unwrap())[&format!("{id}.{name}")], wanted);
        }
        tried += 1;
    }
    assert!(tried > 30, "{tried} laws have parameters");
    // From the fields to the request: a coefficient in place of a restitution, and an exponent for one law only.
    page.follow("laws=kelvin-voigt-1865,tsuji-1992");
    page.browser.until("document.getElementById('p-damped-by') !== null");
    for (name, text) in [
        ("damped-by", "coefficient"),
        ("damping", "1e4 N s/m"),
        ("exponent", "1"),
        ("stiffness", "1e8"),
    ] {
        let kind = if name == "damped-by" { "change" } else { "input" };
        page.after(&format!(
            "const f = document.getElementById('p-{name}'); f.value = '{text}'; f.dispatchEvent(new Event('{kind}'));"
        ));
    }
    let seen = page.browser.eval(&format!("seen({})", json!(FIELDS)));
    let asked = &seen["asked"]["laws"];
    let wanted = json!({"law": "kelvin-voigt-1865", "mass": 0.54, "stiffness": 1e8, "exponent": 1, "speed": 0.5, "damping": "1e4 N s/m"});
    for (name, value) in wanted.as_object().unwrap() {
        assert!(same(&asked[0][name], value), "{name}: {asked}");
    }
    assert_eq!(asked[1], "tsuji-1992", "the other law is as it was");
    assert_eq!(page.browser.eval("document.querySelectorAll('#results td.bad').length"), 0);
}

/// If two elements had the same id, only the first would be found and updated.
#[test]
fn no_id_is_there_twice() {
    let lab = Lab::start();
    let Some(mut browser) = Browser::open(&lab.url()) else { return };
    let twice = "(() => { const ids = [...document.querySelectorAll('[id]')].map((e) => e.id); return ids.filter((id, i) => ids.indexOf(id) !== i).join(); })()";
    assert_eq!(browser.eval(twice), "");
    browser.go(&format!("{}scenes", lab.url()));
    assert_eq!(browser.eval(twice), "");
}
