//! The page of scenes in a browser: run, play, scrub, follow, zoom, edit, phones, dark mode.

use super::browser::Browser;
use super::served::Lab;
use serde_json::{Value, json};

fn page(lab: &Lab, scene: &str) -> Option<Browser> {
    Browser::open(&format!("{}scenes#scene={scene}", lab.url()))
}

/// Returns the time that the page shows (s).
fn time(browser: &mut Browser) -> f64 {
    let text = browser.text("document.getElementById('clock').textContent");
    let mut words = text.trim_start_matches("t = ").split([' ', ',']);
    let number: f64 = words.next().unwrap().parse().unwrap();
    let unit = match words.next().unwrap() {
        "s" => 1.0,
        "ms" => 1e-3,
        "µs" => 1e-6,
        other => panic!("{other} in {text}"),
    };
    number * unit
}

/// Returns a number that changes with the picture of the scene.
fn pixels(browser: &mut Browser) -> Value {
    browser.eval(
        "(async () => { await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame); \
         const c = document.getElementById('canvas'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; \
         let h = 7; for (let i = 0; i < d.length; i += 4) h = (31 * h + d[i] + 3 * d[i + 1] + 5 * d[i + 2]) % 1000003; return h; })()",
    )
}

/// Returns the number of pixels that have the colour of a style variable.
fn coloured(browser: &mut Browser, name: &str) -> u64 {
    let count = browser.eval(&format!(
        "(async () => {{ await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame); \
         const h = getComputedStyle(document.documentElement).getPropertyValue({name:?}).trim(); \
         const [r, g, b] = [1, 3, 5].map((i) => parseInt(h.slice(i, i + 2), 16)); \
         const c = document.getElementById('canvas'); const d = c.getContext('2d').getImageData(0, 60, c.width - 160, c.height - 60).data; \
         let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] === r && d[i + 1] === g && d[i + 2] === b; return n; }})()"
    ));
    count.as_u64().unwrap()
}

fn set(browser: &mut Browser, id: &str, value: &str, event: &str) {
    browser.eval(&format!(
        "(() => {{ const e = document.getElementById({id:?}); if (e.type === 'checkbox') e.checked = {value:?} === 'true'; else e.value = {value:?}; e.dispatchEvent(new Event({event:?}, {{bubbles: true}})); }})()"
    ));
}

fn click(browser: &mut Browser, id: &str) {
    browser.eval(&format!("document.getElementById({id:?}).click()"));
}

/// Smoothly shaded balls and faceted balls cover nearly the same pixels, but with other colours.
#[test]
fn solids_are_smooth_where_the_browser_has_webgl() {
    let lab = Lab::start();
    let link = format!("{}scenes#scene=newtons-cradle", lab.url());
    let counts = "(() => { const c = document.getElementById('canvas'); const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height); \
                  let [covered, sum] = [0, 0]; for (let i = 0; i < data.length; i += 4) { sum = (31 * sum + data[i]) % 1000003; \
                  if (data[i] < 250 || data[i + 1] < 250 || data[i + 2] < 250) covered++; } return [sum, covered]; })()";
    let look = |browser: Option<Browser>, name: &str| {
        let mut browser = browser?;
        browser.size(1280, 900);
        browser.picture(name);
        let found = browser.eval(counts);
        let smooth = "import('/gl.js').then(({ solidPainter }) => solidPainter() !== null)";
        assert_eq!(browser.eval(smooth), name == "scenes-webgl");
        assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
        Some((found[0].as_f64().unwrap(), found[1].as_f64().unwrap()))
    };
    let Some((flat, covered)) = look(Browser::open_without_webgl(&link), "scenes-flat") else {
        return;
    };
    let (smooth, same) = look(Browser::open(&link), "scenes-webgl").unwrap();
    assert_ne!(smooth, flat, "the same colours");
    // The faceted balls lie within the smooth ones.
    assert!((0.97..1.07).contains(&(same / covered)), "{same} and {covered} pixels");
}

#[test]
fn a_link_holds_camera_instant_and_what_is_followed() {
    let lab = Lab::start();
    let Some(mut browser) = page(&lab, "newtons-cradle") else { return };
    browser.size(1280, 1330);
    browser.drag("#canvas", (0.5, 0.5), (0.4, 0.6));
    browser.press("End");
    set(&mut browser, "follow", "2", "change");
    set(&mut browser, "arrows", "none", "change");
    browser.eval("document.getElementById('names').click()");
    for word in ["camera=", "t=0.6", "follow=", "arrows=none", "names=1"] {
        browser.until(&format!("location.hash.includes('{word}')"));
    }
    // The keyboard rotates the view as well.
    let turned = browser.text("location.hash");
    browser.eval("document.getElementById('canvas').focus()");
    browser.press("d");
    browser.until(&format!("location.hash !== {turned:?}"));
    let link = browser.text("location.href");
    browser.go(&link);
    browser.until("document.getElementById('names').checked");
    assert_eq!(time(&mut browser), 0.6);
    // The settings of the view are taken from the link: changing one of them leaves the others unchanged.
    browser.eval("document.getElementById('names').click()");
    browser.until(&format!("location.href === {:?}", link.replace("&names=1", "")));
    // A film saved as a file, played at the largest rate.
    let folder = browser.downloads();
    set(&mut browser, "rate", "1", "input");
    click(&mut browser, "film");
    let path = folder.join("newton-s-cradle.webm");
    // The signature of Matroska, on which WebM is based; a file has its name before it is completely written.
    let film = || std::fs::read(&path).is_ok_and(|it| it.starts_with(&[0x1a, 0x45, 0xdf, 0xa3]));
    let start = std::time::Instant::now();
    while !film() {
        assert!(start.elapsed().as_secs() < 60, "no {}", path.display());
        browser.eval("1");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn the_cradle_is_played_scrubbed_and_followed() {
    let lab = Lab::start();
    let Some(mut browser) = page(&lab, "newtons-cradle") else { return };
    browser.size(1280, 1330);
    assert_eq!(time(&mut browser), 0.0);
    let start = pixels(&mut browser);
    // Space starts and pauses the animation, and the picture changes.
    browser.eval("document.activeElement.blur()");
    browser.press(" ");
    browser.until("Number(document.getElementById('scrub').value) > 0.02");
    browser.press(" ");
    let paused = time(&mut browser);
    assert!(paused > 0.0 && paused < 0.6, "{paused}");
    assert_ne!(pixels(&mut browser), start);
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(time(&mut browser), paused, "paused is paused");
    // Single steps, ends, events.
    let share = "Number(document.getElementById('scrub').value)";
    let before = browser.eval(share).as_f64().unwrap();
    browser.press("ArrowRight");
    let after = browser.eval(share).as_f64().unwrap();
    assert!(after > before && after < before + 0.01, "one frame from {before} to {after}");
    browser.press("ArrowLeft");
    assert!(browser.eval(share).as_f64().unwrap() <= before);
    browser.press("End");
    assert_eq!(time(&mut browser), 0.6);
    browser.press("Home");
    assert_eq!(time(&mut browser), 0.0);
    assert_eq!(coloured(&mut browser, "--c1"), 0, "no force before the first touch");
    click(&mut browser, "event-forth");
    let touch = time(&mut browser);
    let text = browser.text("document.getElementById('text').value");
    let film = lab.post("/api/v1/simulate", &json!({ "scene": text }).to_string()).json();
    let first = film["events"][0]["touch"].as_f64().unwrap();
    assert!((touch - first).abs() < 1e-4, "the first touch at {touch} and not {first}");
    // Zoomed in until the impact fills the bar: forces are arrows, and numbers give their size.
    for _ in 0..3 {
        click(&mut browser, "closer");
    }
    browser.settle();
    for _ in 0..40 {
        browser.press("ArrowRight");
    }
    assert!(coloured(&mut browser, "--c1") > 50, "arrows are drawn");
    let numbers = browser.text("document.getElementById('numbers').innerText");
    assert!(numbers.contains("ball 1-ball 2") && numbers.contains("N at"), "{numbers}");
    browser.picture("scenes-impact");
    set(&mut browser, "arrows", "none", "change");
    assert_eq!(coloured(&mut browser, "--c1"), 0);
    set(&mut browser, "arrows", "linear", "change");
    // The list of touches leads to each of them.
    set(&mut browser, "touches", "3", "change");
    let last = time(&mut browser);
    assert!(last > touch && last < touch + 1e-3, "{last}");
    // Scrubbing through the whole run, and following a body, which remains in the middle.
    click(&mut browser, "whole");
    set(&mut browser, "scrub", "0.5", "input");
    assert!((time(&mut browser) - 0.3).abs() < 1e-9);
    set(&mut browser, "follow", "5", "change");
    set(&mut browser, "traces", "followed", "change");
    let middle = "(() => { const c = document.getElementById('canvas'); return [...c.getContext('2d').getImageData(c.width / 2 + 12, c.height / 2 - 12, 1, 1).data].slice(0, 3).join(); })()";
    let paper = "255,255,255";
    for part in ["0.45", "0.6", "0.75"] {
        set(&mut browser, "scrub", part, "input");
        pixels(&mut browser);
        assert_ne!(browser.text(middle), paper, "the followed ball left the middle at {part}");
    }
    browser.picture("scenes-follow");
    // The line in the plots marks the time of the animation, and clicking on a plot sets it.
    let line = "Number(document.querySelector('.marks line.now').getAttribute('x1'))";
    let before = browser.eval(line).as_f64().unwrap();
    browser.drag("#plots .plot .canvas", (0.3, 0.4), (0.3, 0.4));
    assert!(browser.eval(line).as_f64().unwrap() < before);
    // The mouse rotates the view, and Fit brings the scene back into view.
    let seen = pixels(&mut browser);
    browser.drag("#canvas", (0.5, 0.5), (0.7, 0.4));
    assert_ne!(pixels(&mut browser), seen);
    // The wheel and two fingers zoom.
    let at = browser.eval("(() => { const b = document.getElementById('canvas').getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()");
    let (x, y) = (at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
    let seen = pixels(&mut browser);
    let wheel = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": -200});
    browser.call("Input.dispatchMouseEvent", wheel);
    let near = pixels(&mut browser);
    assert_ne!(near, seen, "the wheel zooms");
    let fingers =
        |apart: f64| json!([{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}]);
    for (kind, points) in
        [("touchStart", fingers(100.0)), ("touchMove", fingers(60.0)), ("touchEnd", json!([]))]
    {
        browser.call("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}));
    }
    assert_ne!(pixels(&mut browser), near, "two fingers zoom");
    // A mark above the bar leads to its touch exactly.
    set(&mut browser, "follow", "-1", "change");
    click(&mut browser, "whole");
    let part = first / 0.6;
    browser.drag("#marks", (0.2, 0.5), (0.2, 0.5));
    let room = browser.eval("document.getElementById('marks').clientWidth").as_f64().unwrap();
    let across = (8.0 + part * (room - 16.0) + 2.0) / room;
    browser.drag("#marks", (across, 0.5), (across, 0.5));
    let share = browser.eval(share).as_f64().unwrap();
    let ends = film["events"].as_array().unwrap().iter().flat_map(|e| [&e["touch"], &e["part"]]);
    let nearest = ends.map(|t| (t.as_f64().unwrap() / 0.6 - share).abs()).fold(1.0, f64::min);
    assert!(nearest < 1e-12, "{share} is no event");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
    browser.asked_only(&lab);
}

#[test]
fn the_text_of_a_scene_is_checked_while_it_is_written() {
    let lab = Lab::start();
    let Some(mut browser) = page(&lab, "bouncing-ball") else { return };
    browser.settle();
    browser.eval("document.getElementById('source').open = true");
    let text = browser.text("document.getElementById('text').value");
    let line = 1 + text.lines().position(|line| line.starts_with("gravity")).unwrap();
    set(&mut browser, "text", &text.replace("gravity", "gravty"), "input");
    browser.until("!document.getElementById('text-problem').hidden");
    let said = browser.text("document.getElementById('text-problem').innerText");
    assert!(said.starts_with(&format!("line {line}: ")) && said.contains("did you mean"), "{said}");
    assert_eq!(browser.text("document.querySelector('#lines b').textContent"), line.to_string());
    browser.picture("scenes-mistake");
    // The mark stands beside its line in an editor of fixed height, however far the text is scrolled.
    let beside = "(async () => { const [t, l] = ['text', 'lines'].map((i) => document.getElementById(i)); \
        const apart = []; for (const top of [0, 40, 1e6]) { t.scrollTop = top; await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame); \
        const b = l.querySelector('b').getBoundingClientRect(); const s = getComputedStyle(t); \
        const y = t.getBoundingClientRect().top + parseFloat(s.paddingTop) + (Number(l.querySelector('b').textContent) - 0.5) * parseFloat(s.lineHeight) - t.scrollTop; \
        apart.push(Math.abs((b.top + b.bottom) / 2 - y)); } return [Math.max(...apart), t.offsetHeight, t.scrollTop]; })()";
    let beside = browser.eval(beside);
    assert!(beside[0].as_f64() < Some(4.0) && beside[1].as_f64() < Some(600.0), "{beside}");
    assert!(beside[2].as_f64() > Some(40.0), "the text is long enough to be scrolled: {beside}");
    click(&mut browser, "go");
    let marked = "(() => { const t = document.getElementById('text'); return t.value.slice(t.selectionStart, t.selectionEnd); })()";
    assert!(browser.text(marked).starts_with("gravty"));
    // After the correction the initial state is shown, and Run runs the scene.
    set(&mut browser, "text", &text.replace("3.2 s", "0.3 s"), "input");
    browser.until("document.getElementById('text-problem').hidden && /of 1$/.test(document.getElementById('clock').textContent)");
    click(&mut browser, "run");
    browser.until("/of [0-9]{3,}$/.test(document.getElementById('clock').textContent)");
    click(&mut browser, "play");
    browser.press("End");
    assert_eq!(browser.text("document.getElementById('library').value"), "your own");
    // The edited text is restored after a scene of the library was shown, and after reloading the page.
    browser.until("location.hash.startsWith('#text=')");
    let packed = browser.text("location.href");
    set(&mut browser, "library", "newtons-cradle", "change");
    browser.until("document.getElementById('text').value.includes('cradle') && location.hash.includes('scene=')");
    set(&mut browser, "library", "your own", "change");
    let mine = text.replace("3.2 s", "0.3 s");
    assert_eq!(browser.text("document.getElementById('text').value"), mine);
    browser.eval("sessionStorage.clear()");
    // The link alone restores it as well.
    browser.go(&packed);
    assert_eq!(browser.text("document.getElementById('text').value"), mine);
    browser.until("location.hash.startsWith('#text=')");
    browser.reload();
    browser.until("document.getElementById('library')?.value === 'your own' && document.getElementById('text').value.includes('0.3 s')");
    browser.settle();
    assert_eq!(browser.text("document.getElementById('text').value"), mine);
    // A scene file that is dropped together with the file it reads.
    let scene = "[simulation]\nduration = 1\nplanar = true\n[[body]]\nname = \"table\"\nshape = \"box\"\nsize = [1, 0.1, 1]\n\
        motion = { direction = [1, 0, 0], file = \"quake.csv\", interval = 0.5 }\n";
    browser.eval(&format!(
        "(() => {{ const t = new DataTransfer(); t.items.add(new File(['0\\n1\\n0\\n'], 'quake.csv')); t.items.add(new File([{scene:?}], 'table.toml')); \
         document.dispatchEvent(new DragEvent('drop', {{dataTransfer: t, bubbles: true, cancelable: true}})); }})()"
    ));
    browser.until("document.getElementById('canvas').getAttribute('aria-label').includes('table')");
    assert_eq!(browser.eval("document.getElementById('text-problem').hidden"), true);
    assert!(browser.complaints.iter().all(|c| c.contains("400")), "{:?}", browser.complaints);
}

/// Returns a scene without a title, with a ball that falls on the ground from a height.
fn fall(height: f64) -> String {
    format!(
        "[simulation]\nduration = 1\ngravity = 9.81\nplanar = true\n[[body]]\nname = \"ball\"\nshape = \"sphere\"\n\
         radius = 0.02\ndensity = 1000\nposition = [0, {height}, 0]\n[[contact]]\nbetween = [\"ball\", \"ground\"]\n\
         law = \"kelvin-voigt-1865\"\nstiffness = 1e5\nexponent = 1\nrestitution = 0.5\ncalibration = \"exact\"\n"
    )
}

#[test]
fn a_run_fits_the_view_and_the_plot_has_no_force_before_the_touch() {
    let lab = Lab::start();
    let Some(mut browser) = page(&lab, "bouncing-ball") else { return };
    // The window is large enough for the whole page, because a scroll bar would change the size of the view.
    browser.size(1280, 1330);
    let ran = "/of [0-9]{3,}$/.test(document.getElementById('clock').textContent) && document.getElementById('run').textContent === 'Run'";
    let still = "document.getElementById('play').textContent.includes('Pause') && document.getElementById('play').click()";
    set(&mut browser, "text", &fall(3.0), "input");
    browser.until("/of 1$/.test(document.getElementById('clock').textContent)");
    click(&mut browser, "run");
    browser.until(ran);
    browser.eval(still);
    browser.settle();
    browser.press("Home");
    let run = pixels(&mut browser);
    browser.picture("scenes-fall");
    browser.eval("document.querySelector('[data-view=fit]').click()");
    assert_eq!(pixels(&mut browser), run, "the run after a preview is seen whole");
    // The plotted curve: a force that begins suddenly must begin at that time.
    let curve = browser.eval(
        "(async () => { const { Film } = await import('/film.js'); const { thinnedCurve } = await import('/strip.js'); \
         const r = await fetch('/api/v1/simulate', { method: 'POST', body: JSON.stringify({ scene: document.getElementById('text').value }) }); \
         const film = new Film(await r.json()); const [name, column, before] = film.forces()[0]; const { x, y } = thinnedCurve({ name, column, before }, film, 0, film.end); \
         const touch = film.events[0].touch; return [Math.max(...y.filter((_, i) => x[i] < touch)), x.filter((t) => t === touch).length, \
         y[x.indexOf(touch)], y[x.lastIndexOf(touch)]]; })()",
    );
    assert_eq!((&curve[0], &curve[1], &curve[2]), (&json!(0), &json!(2), &json!(0)), "{curve}");
    assert!(curve[3].as_f64() > Some(0.0), "the law pushes from the touch on: {curve}");
}

#[test]
fn every_scene_of_the_library_is_shown_in_light_and_dark_and_on_a_phone() {
    let lab = Lab::start();
    let Some(mut browser) = page(&lab, "newtons-cradle") else { return };
    browser.size(1280, 1180);
    let scenes = lab.get("/api/v1/scenes").json();
    let names: Vec<&str> =
        scenes.as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert!(names.len() >= 10);
    for (index, name) in names.iter().enumerate() {
        set(&mut browser, "library", name, "change");
        browser.until(&format!("location.hash.includes('scene={name}') && document.getElementById('run').textContent === 'Run'"));
        browser.settle();
        browser.eval("document.getElementById('play').textContent.includes('Pause') && document.getElementById('play').click()");
        set(&mut browser, "scrub", "0.3", "input");
        click(&mut browser, "event-forth");
        for _ in 0..3 {
            browser.press("ArrowRight");
        }
        // On a busy machine a bed may take longer than the page allows.
        let whole = browser.eval("document.getElementById('problem').hidden") == true;
        assert!(whole || *name == "grains", "{name}");
        browser.settle();
        browser.picture(&format!("scenes-{name}"));
        if index == 0 {
            browser.dark(true);
            pixels(&mut browser);
            browser.picture("scenes-dark");
            let corner = "[...document.getElementById('canvas').getContext('2d').getImageData(3, 3, 1, 1).data].slice(0, 3).join()";
            assert_eq!(browser.text(corner), "20,23,28", "the canvas is as dark as the page");
            browser.dark(false);
        }
    }
    browser.size(390, 844);
    browser.picture("scenes-phone");
    let (wide, room) =
        (browser.eval("document.documentElement.scrollWidth"), browser.eval("innerWidth"));
    assert!(wide.as_f64() <= room.as_f64(), "{wide} px on a screen of {room} px");
    let nameless = browser.eval(
        "[...document.querySelectorAll('input, select, button, textarea')].filter((e) => !(e.labels?.length || e.getAttribute('aria-label') || e.textContent.trim())).map((e) => e.outerHTML).join()",
    );
    assert_eq!(nameless, "");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// Regression: Back and Undo left the page, and the message of a run that ran out of time named a command.
#[test]
fn changes_are_undone_and_a_stopped_run_can_have_more_time() {
    let lab = Lab::start();
    let Some(mut browser) = page(&lab, "newtons-cradle") else { return };
    let undo = "document.getElementById('undo')";
    assert_eq!(browser.eval(&format!("{undo}.disabled")), true);
    set(&mut browser, "library", "foot", "change");
    browser.until("location.hash.includes('scene=foot') && document.title.startsWith('A foot')");
    browser.eval("(() => { const field = document.getElementById('control-key'); field.value = 'foot.mass=2 kg'; document.getElementById('control-add').click(); })()");
    browser
        .until("location.hash.includes('foot.mass') && !document.getElementById('changes').hidden");
    click(&mut browser, "undo");
    browser.until("document.getElementById('changes').hidden && document.title.startsWith('A foot') && document.getElementById('run').textContent === 'Run'");
    click(&mut browser, "undo");
    browser.until("document.title.startsWith('Newton') && document.getElementById('library').value === 'newtons-cradle'");
    click(&mut browser, "redo");
    browser.until("document.title.startsWith('A foot')");
    // The plots show numbers at the pointer, and a click sets the time.
    browser.settle();
    browser.hover("#plots .plot .canvas", 0.5, 0.5);
    browser.until("/kinetic/.test(document.querySelector('#plots .tip:not([hidden])')?.innerText)");
    // After a run has exceeded its time, a button gives it more.
    browser.eval(
        "(() => { const real = window.fetch; window.asked = []; window.fetch = (path, options) => { if (String(path).endsWith('simulate')) { const body = JSON.parse(options.body); window.asked.push(body.seconds); \
         options = { ...options, body: JSON.stringify({ ...body, seconds: body.seconds ?? 0.01 }) }; } return real(path, options); }; })()",
    );
    click(&mut browser, "run");
    browser.until("!document.getElementById('problem').hidden");
    let said = browser.text("document.getElementById('problem').innerText");
    assert!(said.contains("allow more computing time") && !said.contains("carom"), "{said}");
    browser.eval("document.querySelector('#problem button').click()");
    browser.until("document.getElementById('problem').hidden && document.getElementById('run').textContent === 'Run'");
    assert_eq!(browser.eval("window.asked.at(-1)"), 100);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}
