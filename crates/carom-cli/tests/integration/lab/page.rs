//! Use of the page in a browser: sliders, laws, pointers, files, links, keyboard, phones.

use super::browser::Browser;
use super::served::{Lab, carom};
use serde_json::Value;

/// Returns the command's result for the steel ball with a law.
fn impact(law: &str, restitution: &str, more: &[&str]) -> Value {
    let mut arguments = vec![
        "impact",
        "--law",
        law,
        "--mass",
        "0.54",
        "--stiffness",
        "2.4144e10",
        "--exponent",
        "1.5",
    ];
    arguments.extend(["--speed", "0.5", "--restitution", restitution, "--json"]);
    arguments.extend(more);
    serde_json::from_str(&carom(&arguments).0).unwrap()
}

/// Returns the delivered restitution in the table's row of a law.
fn delivered(browser: &mut Browser, law: &str) -> f64 {
    let cell = browser.text(&format!(
        "[...document.querySelectorAll('#results tbody tr:not(.note)')].find((row) => row.cells[0].textContent === {law:?}).cells[1].firstChild.textContent"
    ));
    cell.parse().unwrap()
}

#[test]
fn an_own_law_is_typed_dropped_or_taken_from_a_measured_curve() {
    let lab = Lab::start();
    let link = format!("{}#laws=hertz-1881&calibration=exact", lab.url());
    let Some(mut browser) = Browser::open(&link) else { return };
    let own = |browser: &mut Browser| browser.text("document.getElementById('own').value");
    browser.eval("document.getElementById('own-example').click()");
    browser.settle();
    assert!((delivered(&mut browser, "my-buffer") - 0.7568).abs() < 1e-5);
    // The law is in the link, in the focus list, and in the export.
    assert_eq!(
        browser.text("document.getElementById('focus').selectedOptions[0].text"),
        "my-buffer"
    );
    browser.reload();
    browser.settle();
    assert!(own(&mut browser).contains("K3*delta^3"));
    assert!((delivered(&mut browser, "my-buffer") - 0.7568).abs() < 1e-5);
    // A mistake is reported by one sentence in its row, and the other laws remain.
    browser.eval(
        "(() => { const own = document.getElementById('own'); own.value = own.value.replace('K3*', 'K4*'); own.dispatchEvent(new Event('input')); })()",
    );
    browser.settle();
    let row = browser.text("document.querySelector('#results').innerText");
    assert!(row.contains("own law") && row.contains("no name `K4`"), "{row}");
    assert!(row.contains("hertz-1881"), "{row}");
    // A law file that is dropped on the page, and a measured curve as a spring.
    browser.drop_file("square.toml", "name = \"square\"\nspring = \"K*delta^2 + L*delta\"\n[parameters]\nK = \"1e12 N/m^2\"\nL = \"1e6 N/m\"\n");
    browser.until("document.getElementById('own').value.includes('square')");
    browser.settle();
    assert!((delivered(&mut browser, "square") - 0.7568).abs() < 1e-5);
    let rows: String = (0..=40)
        .map(|i| f64::from(i) * 0.01)
        .map(|d| format!("{d},{}\n", 2e4 * d.powf(1.5)))
        .collect();
    browser.drop_file("My Pad.csv", &format!("indentation (mm),force (N)\n{rows}"));
    browser.until("document.getElementById('as-spring') !== null");
    browser.settle();
    browser.eval("document.getElementById('as-spring').click()");
    browser.settle();
    assert!((delivered(&mut browser, "my-pad") - 0.7568).abs() < 1e-5);
}

/// Presses the button with this label in the notes or errors.
fn press_advice(browser: &mut Browser, label: &str) {
    browser.eval("document.querySelectorAll('button.notes[aria-expanded=false]').forEach((button) => button.click())");
    browser.eval(&format!(
        "[...document.querySelectorAll('button.advice')].find((button) => button.textContent === {label:?}).click()"
    ));
    browser.settle();
}

#[test]
fn advice_is_a_button_that_applies_it_and_never_an_option_of_the_command() {
    let lab = Lab::start();
    let link = format!("{}#laws=hunt-crossley-1975,kuwabara-kono-1987&exit=indentation", lab.url());
    let Some(mut browser) = Browser::open(&link) else { return };
    browser.eval("document.querySelectorAll('button.notes').forEach((button) => button.click())");
    let shown = browser.text("document.querySelector('main').innerText");
    assert!(!shown.contains("--") && shown.contains("use exact damping to get"), "{shown}");
    press_advice(&mut browser, "exact damping");
    assert_eq!(browser.text("document.getElementById('calibration').value"), "exact");
    assert!((delivered(&mut browser, "hunt-crossley-1975") - 0.7568).abs() < 1e-5);
    press_advice(&mut browser, "end of contact at zero force");
    assert_eq!(browser.text("document.getElementById('exit').value"), "force");
    assert_eq!(browser.eval("document.querySelectorAll('button.advice, button.advise').length"), 0);
    // The same button appears once for all laws, above the plots.
    browser.go(&link);
    browser.eval("document.querySelector('button.advise').click()");
    browser.settle();
    assert_eq!(browser.text("document.getElementById('calibration').value"), "exact");
    // An error about the impact itself is shown at the top.
    browser.go(&format!("{}#laws=power&restitution=0.5", lab.url()));
    assert!(browser.text("document.getElementById('problem').innerText").contains("exact damping"));
    press_advice(&mut browser, "exact damping");
    assert!((delivered(&mut browser, "power") - 0.5).abs() < 1e-5);
}

#[test]
fn sliders_move_what_is_shown_and_it_is_what_the_command_says() {
    let lab = Lab::start();
    let Some(mut browser) = Browser::open(&lab.url()) else { return };
    browser.picture("lab-light");
    assert!(
        (delivered(&mut browser, "flores-2011")
            - impact("flores-2011", "0.7568", &[])["restitution"]["newton"].as_f64().unwrap())
        .abs()
            < 1e-5
    );
    // The restitution slider, moved one step by each key press.
    browser.eval("document.getElementById('restitution-slider').focus()");
    for _ in 0..20 {
        browser.press("ArrowLeft");
    }
    browser.settle();
    let asked = browser.text("document.getElementById('restitution').value");
    assert_ne!(asked, "0.7568");
    for law in ["flores-2011", "tsuji-1992"] {
        let expected = impact(law, &asked, &[])["restitution"]["newton"].as_f64().unwrap();
        assert!((delivered(&mut browser, law) - expected).abs() < 1e-5, "{law} at {asked}");
    }
    // With exact damping, every law delivers the requested restitution.
    browser.eval("(() => { const c = document.getElementById('calibration'); c.value = 'exact'; c.dispatchEvent(new Event('change')); })()");
    browser.settle();
    for law in ["hunt-crossley-1975", "lankarani-nikravesh-1990", "flores-2011", "tsuji-1992"] {
        let wanted: f64 = asked.parse().unwrap();
        assert!((delivered(&mut browser, law) - wanted).abs() < 1e-5, "{law}");
    }
    // Text with a unit, and invalid text, which is answered with an error message.
    for (text, problem) in [("50 cm/s", false), ("50 kg", true), ("", true), ("0.5", false)] {
        browser.eval(&format!(
            "(() => {{ const f = document.getElementById('speed'); f.value = {text:?}; f.dispatchEvent(new Event('input')); }})()"
        ));
        browser.settle();
        assert_eq!(browser.eval("document.getElementById('problem').hidden"), !problem, "{text}");
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
    browser.asked_only(&lab);
}

#[test]
fn the_pointer_reads_off_the_same_instant_in_every_plot() {
    let lab = Lab::start();
    let Some(mut browser) =
        Browser::open(&format!("{}#laws=hunt-crossley-1975&calibration=exact", lab.url()))
    else {
        return;
    };
    browser.hover("[data-plot=force-time] svg", 0.5, 0.4);
    browser.until("!document.querySelector('[data-plot=force-time] .tip').hidden");
    std::thread::sleep(std::time::Duration::from_millis(60));
    let time = browser.eval("Number(document.getElementById('cursor').value) / 1000");
    let cell =
        browser.text("document.querySelector('#results td[data-at]').firstChild.textContent");
    assert_eq!(browser.eval("document.querySelectorAll('.marks circle').length"), 5);
    let tip = browser.text("document.querySelector('[data-plot=force-time] .tip').innerText");
    assert!(tip.contains(&cell) && tip.contains("hunt-crossley-1975"), "{tip} and {cell}");
    // The same value from the trajectory of the command.
    let file = std::env::temp_dir().join(format!("carom-lab-course-{}.csv", std::process::id()));
    impact(
        "hunt-crossley-1975",
        "0.7568",
        &["--calibration", "exact", "--points", "2001", "--trajectory", file.to_str().unwrap()],
    );
    let text = std::fs::read_to_string(&file).unwrap();
    let _ = std::fs::remove_file(&file);
    let row = (2000.0 * time.as_f64().unwrap()).round() as usize + 1;
    let force: f64 = text.lines().nth(row).unwrap().split(',').nth(3).unwrap().parse().unwrap();
    let (shown, unit) = cell.split_once(' ').unwrap();
    let shown = shown.parse::<f64>().unwrap() * if unit == "kN" { 1e3 } else { 1.0 };
    assert!((shown / force - 1.0).abs() < 5e-3, "{shown} and {force}");
    // On the loop the nearest point counts, and the dot lies on the drawn curve.
    browser.hover("[data-plot=force-indentation] svg", 0.9, 0.2);
    browser.until("!document.querySelector('[data-plot=force-indentation] .tip').hidden");
    std::thread::sleep(std::time::Duration::from_millis(60));
    let far = browser.eval(
        "(() => { const plot = document.querySelector('[data-plot=force-indentation]'); const dot = plot.querySelector('.marks circle'); \
         const curve = plot.querySelector('.drawing path.s'); let best = 1e9; const length = curve.getTotalLength(); \
         for (let i = 0; i <= 2000; i++) { const p = curve.getPointAtLength(length * i / 2000); best = Math.min(best, Math.hypot(p.x - dot.cx.baseVal.value, p.y - dot.cy.baseVal.value)); } return best; })()",
    );
    assert!(far.as_f64().unwrap() < 1.0, "{far} px from the curve");
}

#[test]
fn laws_are_found_and_chosen_with_the_keyboard_alone_and_a_link_brings_them_back() {
    let lab = Lab::start();
    let Some(mut browser) = Browser::open(&lab.url()) else { return };
    // Every control has an accessible name.
    let nameless = browser.eval(
        "[...document.querySelectorAll('input, select, button')].filter((e) => !(e.labels?.length || e.getAttribute('aria-label') || e.textContent.trim())).map((e) => e.outerHTML).join()",
    );
    assert_eq!(nameless, "");
    browser.eval("document.activeElement.blur()");
    let mut hops = 0;
    while browser.text("document.activeElement.id") != "search" {
        browser.press("Tab");
        hops += 1;
        assert!(hops < 60, "the search field cannot be reached");
    }
    browser.type_text("herbert");
    while browser.text("document.activeElement.value") != "herbert-mcwhannell-1977" {
        browser.press("Tab");
        hops += 1;
        assert!(
            hops < 90,
            "the law cannot be reached: {}",
            browser.text("document.activeElement.outerHTML")
        );
    }
    browser.press(" ");
    browser.settle();
    assert!(delivered(&mut browser, "herbert-mcwhannell-1977") > 0.0);
    assert_eq!(browser.eval("document.querySelectorAll('#results tbody tr:not(.note)').length"), 5);
    // The same link opened anew shows the same results.
    let link = browser.text("location.href");
    let table = browser.text("document.getElementById('results').innerText");
    browser.go(&lab.url());
    assert_ne!(browser.text("document.getElementById('results').innerText"), table);
    browser.go(&link);
    assert_eq!(browser.text("document.getElementById('results').innerText"), table);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn a_dropped_file_is_overlaid_and_fitted() {
    let lab = Lab::start();
    let Some(mut browser) =
        Browser::open(&format!("{}#laws=hunt-crossley-1975,tsuji-1992", lab.url()))
    else {
        return;
    };
    let file = std::env::temp_dir().join(format!("carom-lab-drop-{}.csv", std::process::id()));
    impact(
        "hunt-crossley-1975",
        "0.7",
        &["--calibration", "exact", "--points", "300", "--trajectory", file.to_str().unwrap()],
    );
    let course = std::fs::read_to_string(&file).unwrap();
    let _ = std::fs::remove_file(&file);
    let mut csv = String::from("time_ms,force_kN\n");
    for (i, line) in course.lines().skip(1).enumerate() {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        csv += &format!(
            "{:.6},{:.6}\n",
            1e3 * cells[0],
            1e-3 * cells[3] + 0.01 * (77.7 * i as f64).sin()
        );
    }
    browser.drop_file("drop.csv", &csv);
    browser.until("document.querySelectorAll('#fit-table tbody tr').length === 2");
    browser.settle();
    browser.picture("lab-measured");
    assert!(
        browser
            .text("document.getElementById('measured-report').innerText")
            .contains("force_kN as force in kN")
    );
    assert_eq!(
        browser.eval("document.querySelector('[data-plot=force-time] path.measured') !== null"),
        true
    );
    let best = browser.text("document.querySelector('#fit-table tbody tr').innerText");
    assert!(best.starts_with("hunt-crossley-1975"), "{best}");
    let stiffness: f64 =
        best.split("stiffness = ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!((stiffness / 2.4144e10 - 1.0).abs() < 0.01, "{stiffness}");
    // The fitted values are copied to the controls, and the law then follows the data.
    browser.eval("document.querySelector('#fit-table button').click()");
    browser.settle();
    let e: f64 = browser.text("document.getElementById('restitution').value").parse().unwrap();
    assert!((e - 0.7).abs() < 0.01, "{e}");
    // A file that contains no measurement is answered with an error message.
    browser.drop_file("drop.csv", "hello\nworld\n");
    browser.until("document.querySelector('#measured-report .bad')");
    assert!(browser.complaints.iter().all(|c| c.contains("400")), "{:?}", browser.complaints);
}

/// Types into a field of the page.
fn fill(browser: &mut Browser, field: &str, text: &str) {
    browser.eval(&format!(
        "(() => {{ const f = document.getElementById({field:?}); f.focus(); f.value = {text:?}; f.dispatchEvent(new Event('input')); }})()"
    ));
    browser.settle();
}

#[test]
fn an_answer_stays_in_sight_and_what_is_half_typed_keeps_the_picture() {
    let lab = Lab::start();
    let Some(mut browser) = Browser::open(&lab.url()) else { return };
    browser.size(1280, 720);
    browser.picture("lab-answer");
    // Every law with its row, all plots and the first controls lie within the window, which does not scroll.
    let outside = "[...document.querySelectorAll('#results tr, .plot, #restitution, #speed')].filter((e) => { const b = e.getBoundingClientRect(); \
                   return b.top < 0 || b.bottom > innerHeight + 1 || b.right > innerWidth + 1; }).length + document.documentElement.scrollHeight - innerHeight";
    assert_eq!(browser.eval(outside), 0);
    let paths = "[...document.querySelectorAll('path.s')].map((p) => p.getAttribute('d')).join()";
    browser.until("document.querySelector('.drawing svg').viewBox.baseVal.height === Math.round(document.querySelector('.canvas').getBoundingClientRect().height)");
    let before = browser.text(paths);
    fill(&mut browser, "speed", "50 kg");
    assert_eq!(browser.text(paths), before, "the last good picture stays");
    let marked = "document.body.classList.contains('stale') + ' ' + document.activeElement.id + ' ' + document.getElementById('speed').getAttribute('aria-invalid')";
    assert_eq!(browser.text(marked), "true speed true");
    let sentence = browser.text("document.getElementById('field-problem').innerText");
    assert!(sentence.contains("speed must be a speed"), "{sentence}");
    fill(&mut browser, "speed", "0.6");
    assert_eq!(browser.text(marked), "false speed null");
    assert_ne!(browser.text(paths), before);
    // An invalid parameter of one law keeps the last results of that law.
    browser.go(&format!("{}#laws=hunt-crossley-1975,tsuji-1992", lab.url()));
    browser.until("document.getElementById('p-exponent') !== null");
    fill(&mut browser, "p-exponent", "1.");
    fill(&mut browser, "p-exponent", "1.x");
    assert_eq!(browser.eval("document.querySelectorAll('#results tr.stale').length"), 1);
    assert_eq!(
        browser.text("document.getElementById('p-exponent').getAttribute('aria-invalid')"),
        "true"
    );
    assert!(delivered(&mut browser, "hunt-crossley-1975") > 0.0);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn changes_are_undone_and_the_link_holds_cursors_zoom_and_what_is_hidden() {
    let lab = Lab::start();
    let Some(mut browser) = Browser::open(&lab.url()) else { return };
    let table = |browser: &mut Browser| {
        browser.text("[...document.querySelectorAll('#results tbody tr:not(.note)')].map((row) => row.cells[1].innerText).join()")
    };
    let first = table(&mut browser);
    fill(&mut browser, "speed", "0.7");
    browser.eval("document.querySelector('input[name=law][value=hu-guo-2015]').click()");
    browser.settle();
    let last = table(&mut browser);
    for (button, rows) in [("undo", 4), ("undo", 4), ("redo", 4), ("redo", 5)] {
        browser.eval(&format!("document.getElementById('{button}').click()"));
        browser.settle();
        assert_eq!(
            browser.eval("document.querySelectorAll('#results tbody tr:not(.note)').length"),
            rows
        );
    }
    assert_eq!(table(&mut browser), last);
    browser.eval("history.go(-2)");
    browser.settle();
    assert_eq!(
        (table(&mut browser), browser.eval("document.getElementById('undo').disabled")),
        (first, true.into())
    );
    // Zoom by dragging, two cursors by clicks, a curve that is hidden.
    browser.drag("[data-plot=energy] .canvas", (0.5, 0.5), (0.4, 0.6));
    browser.drag("[data-plot=force-time] .canvas", (0.5, 0.5), (0.5, 0.5));
    browser.eval("document.getElementById('two').click()");
    browser.eval("document.querySelector('button.legend').click()");
    browser.eval("document.querySelector('[data-plot=motion] [title=Enlarge]').click()");
    browser.settle();
    let shown = "JSON.stringify([...document.querySelectorAll('.plot')].map((p) => p.hidden || [p.querySelectorAll('path.s').length, [...p.querySelectorAll('.axes ~ text, text')].map((t) => t.textContent).join()])) \
                 + document.getElementById('cursor').value + document.getElementById('cursor-b').value";
    let (link, seen) = (browser.text("location.href"), browser.text(shown));
    for word in ["zoom=energy", "a=0.000", "b=0.000", "hidden=hunt-crossley-1975", "large=motion"] {
        assert!(link.contains(word), "{word} in {link}");
    }
    browser.go(&link);
    assert_eq!(browser.text(shown), seen);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn the_restitution_delivered_is_a_plot_that_can_be_asked_with_a_click() {
    let lab = Lab::start();
    let Some(mut browser) =
        Browser::open(&format!("{}#laws=hunt-crossley-1975,hertz-1881", lab.url()))
    else {
        return;
    };
    // The curve of the law and the diagonal; the elastic law has no curve, and is computed without a restitution.
    let curve = "[...document.querySelectorAll('[data-plot=delivered] path.s')].filter((p) => p.getAttribute('d').length > 100).length";
    browser.until(&format!("{curve} === 1"));
    assert!((delivered(&mut browser, "hertz-1881") - 1.0).abs() < 1e-9);
    browser.drag("[data-plot=delivered] .canvas", (0.5, 0.3), (0.5, 0.3));
    browser.settle();
    let asked = browser.text("document.getElementById('restitution').value");
    assert!((0.3..0.6).contains(&asked.parse::<f64>().unwrap()), "{asked}");
    let expected =
        impact("hunt-crossley-1975", &asked, &[])["restitution"]["newton"].as_f64().unwrap();
    assert!((delivered(&mut browser, "hunt-crossley-1975") - expected).abs() < 1e-5);
}

#[test]
fn a_lab_that_ends_is_said_and_taken_up_again() {
    let lab = Lab::start();
    let port = lab.port;
    let Some(mut browser) = Browser::open(&lab.url()) else { return };
    drop(lab);
    browser.until("!document.getElementById('away').hidden");
    assert_eq!(
        browser.eval("document.querySelectorAll('path.s').length > 10"),
        true,
        "the picture stays"
    );
    let _lab = Lab::at(port, &["--no-token"]);
    browser.until("document.getElementById('away').hidden");
    fill(&mut browser, "restitution", "0.5");
    assert!((delivered(&mut browser, "tsuji-1992") - 0.5).abs() < 0.01);
}

/// Returns a record of two half-sine impacts, with a column that belongs to neither time nor force.
fn two_impacts() -> String {
    let mut csv = String::from("t (ms),room (C),load (N)\n");
    for i in 0..600 {
        let t = f64::from(i) * 0.01;
        let force = [1.0, 4.0].iter().map(|start| t - start).filter(|t| (0.0..=1.0).contains(t));
        let force: f64 = force.map(|t| 720.0 * (std::f64::consts::PI * t).sin()).sum();
        csv += &format!("{t:.2},21,{force:.4}\n");
    }
    csv
}

#[test]
fn measured_data_have_choosers_residuals_and_a_ranking_that_can_be_cancelled() {
    let lab = Lab::start();
    let Some(mut browser) =
        Browser::open(&format!("{}#laws=hunt-crossley-1975,tsuji-1992", lab.url()))
    else {
        return;
    };
    browser.drop_file("two.csv", &two_impacts());
    browser.until("document.getElementById('impact-number')");
    assert_eq!(
        browser.text("document.querySelector('[role=tab][aria-selected=true]').textContent"),
        "Data"
    );
    let choose = |browser: &mut Browser, field: &str, value: &str| {
        browser.eval(&format!("(() => {{ const c = document.getElementById('{field}'); c.value = '{value}'; c.dispatchEvent(new Event('change')); }})()"));
    };
    choose(&mut browser, "impact-number", "2");
    browser.until("document.querySelectorAll('#fit-table tbody tr').length === 2");
    assert_eq!(browser.eval("document.querySelectorAll('[data-plot=residuals] path.s').length"), 2);
    browser.picture("lab-data");
    // The temperature is chosen as force, which is refused.
    choose(&mut browser, "column-force", "2");
    browser.until("document.querySelector('#measured-report .bad')");
    choose(&mut browser, "column-force", "3");
    browser.until("document.querySelectorAll('#fit-table tbody tr').length === 2");
    browser.eval("document.getElementById('rank-all').click()");
    browser.until("document.getElementById('cancel-fit')");
    browser.eval("document.getElementById('cancel-fit').click()");
    browser.until("/cancelled/.test(document.querySelector('#measured-report').innerText)");
    assert_eq!(
        browser.eval("document.querySelectorAll('#fit-table tbody tr').length"),
        2,
        "the last fit stays"
    );
    assert!(browser.complaints.iter().all(|c| c.contains("400")), "{:?}", browser.complaints);
}

#[test]
fn files_are_offered_and_the_export_can_be_copied() {
    let lab = Lab::start();
    let Some(mut browser) =
        Browser::open(&format!("{}#laws=tsuji-1992&calibration=exact&tab=export", lab.url()))
    else {
        return;
    };
    let folder = browser.downloads();
    let plots = [
        ("shown", "motion", "svg"),
        ("svg", "force-time", "svg"),
        ("pdf", "force-time", "pdf"),
        ("png", "force-time", "png"),
    ];
    for kind in
        ["svg", "pdf", "png", "csv", "json", "table", "plot 0", "plot 1", "plot 2", "plot 3"]
    {
        let name = match (kind, kind.strip_prefix("plot ")) {
            ("table", _) => "results.csv".to_string(),
            (_, Some(number)) => {
                let (choice, plot, ending) = plots[number.parse::<usize>().unwrap()];
                browser.eval("document.getElementById('show-plots').click()");
                browser
                    .until(&format!("document.querySelector('[data-plot={plot}] .drawing svg')"));
                browser.eval(&format!(
                    "(() => {{ const menu = document.querySelector('[data-plot={plot}] [title^=Save]'); menu.value = '{choice}'; menu.dispatchEvent(new Event('change')); }})()"
                ));
                format!("{plot}.{ending}")
            }
            _ => format!("impacts.{kind}"),
        };
        if !kind.starts_with("plot") {
            browser.eval(&format!("document.querySelector('[data-download={kind}]').click()"));
        }
        let path = folder.join(name);
        let first: &[u8] = match kind {
            "svg" => b"<svg",
            "pdf" => b"%PDF",
            "png" => b"\x89PNG",
            "csv" => b"law,time_s",
            "table" => b"law,restitution_asked,",
            "plot 0" | "plot 1" => b"<svg",
            "plot 2" => b"%PDF",
            "plot 3" => b"\x89PNG",
            _ => b"{",
        };
        // A file has its name before it is completely written.
        let whole = || std::fs::read(&path).is_ok_and(|it| it.starts_with(first) && it.len() > 100);
        let start = std::time::Instant::now();
        while !whole() {
            assert!(start.elapsed().as_secs() < 30, "no {}", path.display());
            browser.eval("1");
            std::thread::sleep(std::time::Duration::from_millis(30));
        }
    }
    // All digits of the command, also along the trajectory.
    let motion = std::fs::read_to_string(folder.join("impacts.csv")).unwrap();
    assert!(motion.lines().nth(20).unwrap().split(',').nth(4).unwrap().len() > 10, "{motion}");
    let table = std::fs::read_to_string(folder.join("results.csv")).unwrap();
    let force =
        impact("tsuji-1992", "0.7568", &["--calibration", "exact"])["force_max"].to_string();
    assert!(table.contains(&force), "{table} {force}");
    browser.eval("document.getElementById('show-export').click()");
    browser.until(
        "document.querySelector('#export pre')?.textContent.includes('pair_style granular')",
    );
    browser.eval("(() => { const e = document.getElementById('engine'); e.value = 'mujoco'; e.dispatchEvent(new Event('change')); })()");
    browser.until("/mujoco/i.test(document.querySelector('#export')?.textContent)");
    assert_eq!(browser.eval("document.getElementById('copy-export') !== null"), true);
    assert!(browser.text("document.getElementById('law').innerText").contains("Tsuji"));
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn it_fits_a_phone_and_a_dark_room() {
    let lab = Lab::start();
    let Some(mut browser) = Browser::open(&lab.url()) else { return };
    browser.size(390, 844);
    browser.picture("lab-phone");
    let (wide, room) =
        (browser.eval("document.documentElement.scrollWidth"), browser.eval("innerWidth"));
    assert!(wide.as_f64() <= room.as_f64(), "{wide} px on a screen of {room} px");
    browser.size(1280, 900);
    browser.dark(true);
    browser.picture("lab-dark");
    let ground = browser.text("getComputedStyle(document.body).backgroundColor");
    assert_eq!(ground, "rgb(20, 23, 28)");
    let paper = browser.text("getComputedStyle(document.querySelector('.drawing .paper')).fill");
    assert_eq!(paper, ground, "plots are as dark as the page");
}

/// Measures the time from a key press to the drawn result with ten laws and one slider; nothing is checked.
#[test]
fn the_round_trip_with_ten_laws_is_measured() {
    let lab = Lab::start();
    let laws = "hertz-1881,hunt-crossley-1975,lankarani-nikravesh-1990,flores-2011,tsuji-1992,kelvin-voigt-1865,anagnostopoulos-2004,zhang-sharf-2004,herbert-mcwhannell-1977,gonthier-2004";
    let Some(mut browser) = Browser::open(&format!("{}#laws={laws}", lab.url())) else { return };
    assert_eq!(
        browser.eval("document.querySelectorAll('#results tbody tr:not(.note)').length"),
        10
    );
    browser.eval("document.getElementById('restitution-slider').focus()");
    let mut times = Vec::new();
    for _ in 0..31 {
        browser.press("ArrowLeft");
        browser.settle();
        let trip: f64 = browser.text("document.body.dataset.roundTrip").parse().unwrap();
        times.push(trip);
    }
    times.sort_by(f64::total_cmp);
    println!("round trip with ten laws: median {} ms, worst {} ms", times[15], times[30]);
}
