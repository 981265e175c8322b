//! `--plot FILE` and its options, with `impact`, `compare` and `model`; every other command has the same options.

use super::{STEEL, carom_with, folder, refused};
use std::fs;
use std::path::Path;
use std::process::Output;

const FLORES: &str = "impact --law flores-2011 --restitution 0.5";
const COMPARE: &str = "compare --experiment steel-ball-0.5";

fn run(words: &str, path: &Path) -> Output {
    let words = match words.starts_with("impact") {
        true => format!("{words} {STEEL}"),
        false => words.to_string(),
    };
    let mut arguments: Vec<_> = words.split_whitespace().collect();
    arguments.extend(["--plot", path.to_str().unwrap()]);
    carom_with(&arguments)
}

fn svg(words: &str, path: &Path) -> String {
    let output = run(words, path);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(!output.stdout.is_empty(), "the report is printed as well");
    fs::read_to_string(path).unwrap()
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

/// Checks that tags are closed in order, attributes are quoted, and characters reserved by XML are escaped.
fn well_formed(text: &str) {
    let mut open = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let before = &rest[..start];
        for part in before.split('&').skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;"].iter().any(|name| part.starts_with(name));
            assert!(known, "a bare & in {before}");
        }
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert!(tag.matches('"').count().is_multiple_of(2) && !tag.contains('<'), "<{tag}>");
        match (tag.strip_prefix('/'), tag.ends_with('/')) {
            (Some(name), _) => assert_eq!(open.pop(), Some(name), "</{name}>"),
            (None, true) => {}
            (None, false) => open.push(tag.split_whitespace().next().unwrap()),
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
}

/// Checks that coordinates are numbers and lie on the page.
fn drawn_on_its_page(text: &str) {
    for word in ["NaN", "inf\"", "inf ", "e-", "e+"] {
        let body = text.split("</style>").nth(1).unwrap();
        let attributes = body.split('"').skip(1).step_by(2);
        assert!(!attributes.clone().any(|value| value.contains(word)), "{word}");
    }
    let view = text.split("viewBox=\"0 0 ").nth(1).unwrap().split('"').next().unwrap();
    let page: Vec<f64> = view.split(' ').map(|size| size.parse().unwrap()).collect();
    for (names, size) in [
        (["x1=\"", "x2=\"", " x=\"", "cx=\""], page[0]),
        (["y1=\"", "y2=\"", " y=\"", "cy=\""], page[1]),
    ] {
        for name in names {
            for value in text.split(name).skip(1) {
                let value: f64 = value.split('"').next().unwrap().parse().unwrap();
                assert!((0.0..=size).contains(&value), "{name}{value} on a page of {size}");
            }
        }
    }
}

#[test]
fn an_impact_has_four_panels_with_prefixes() {
    let path = folder("figure-impact").join("impact.svg");
    let text = svg(FLORES, &path);
    well_formed(&text);
    drawn_on_its_page(&text);
    for words in [
        "Flores, Machado, Silva &amp; Martins",
        "force (kN)",
        "time (µs)",
        "indentation (µm)",
        "indentation rate (m/s)",
        "energy (mJ)",
        "kinetic",
        "stored",
        "dissipated",
        "0.4704",
    ] {
        assert!(text.contains(words), "{words}");
    }
    let body = text.split("</style>").nth(1).unwrap();
    assert!(body.len() < 26_000, "curves are thinned: {} bytes", body.len());
    assert_eq!(entries(path.parent().unwrap()), 1);
}

#[test]
fn a_comparison_names_every_law_that_ran() {
    let path = folder("figure-compare").join("compare.svg");
    let text = svg(COMPARE, &path);
    well_formed(&text);
    drawn_on_its_page(&text);
    let rows = super::json(COMPARE);
    let mut ran = 0;
    for row in rows[0]["rows"].as_array().unwrap() {
        if row["restitution"].is_number() {
            ran += 1;
            assert!(text.contains(row["law"].as_str().unwrap()), "{}", row["law"]);
        }
    }
    assert!(text.contains(&format!("what {ran} laws deliver")));
    for law in ["hertz-1881", "hunt-crossley-1975", "lankarani-nikravesh-1990", "flores-2011"] {
        assert!(text.matches(&format!(">{law}</text>")).count() == 2, "{law} has a loop and a row");
    }
    assert!(text.contains("prefers-color-scheme:dark"));
}

#[test]
fn few_laws_are_all_drawn_and_several_experiments_stand_below_each_other() {
    let folder = folder("figure-few");
    let few = svg(&format!("{COMPARE} --laws tsuji-1992,kelvin-voigt-1865"), &folder.join("a.svg"));
    for law in ["tsuji-1992", "kelvin-voigt-1865"] {
        assert_eq!(few.matches(&format!(">{law}</text>")).count(), 2, "{law}");
    }
    let all = svg("compare --experiment all", &folder.join("b.svg"));
    well_formed(&all);
    drawn_on_its_page(&all);
    assert!(all.contains("Sliotar core D") && all.contains("measured peak"));
}

#[test]
fn every_model_has_a_figure_or_says_what_to_do() {
    let folder = folder("figure-models");
    let mut drawn = 0;
    for model in carom::CATALOGUE {
        let path = folder.join(format!("{}.svg", model.id));
        let output = run(&format!("model {}", model.id), &path);
        if output.status.success() {
            let text = fs::read_to_string(&path).unwrap();
            well_formed(&text);
            drawn_on_its_page(&text);
            assert!(text.contains(model.id) && text.contains("force (kN)"), "{}", model.id);
            drawn += 1;
        } else {
            let sentence = refused(output, 2);
            assert!(sentence.contains("carom impact --law"), "{sentence}");
            assert!(!path.exists());
        }
    }
    assert!(10 * drawn > 8 * carom::CATALOGUE.len(), "only {drawn} drawn");
}

#[test]
fn the_same_question_gives_the_same_bytes() {
    let folder = folder("figure-again");
    for (i, words) in [FLORES, COMPARE, "model tsuji-1992"].iter().enumerate() {
        let [a, b] = ["a", "b"].map(|name| svg(words, &folder.join(format!("{name}{i}.svg"))));
        assert_eq!(a, b, "{words}");
    }
}

#[cfg(feature = "png")]
#[test]
fn png_is_the_same_picture() {
    let path = folder("figure-png").join("impact.PNG");
    assert!(run(FLORES, &path).status.success());
    let bytes = fs::read(&path).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(number(16), 1920, "twice the width of the SVG");
    assert!(number(20) > 1000 && bytes.len() > 30_000);
    // Dots per metre determine the size on paper: 192 per inch, or 300 if a size is given.
    assert_eq!((&bytes[37..41], number(41)), (b"pHYs".as_slice(), 7559));
    let sized = drawn(FLORES, "--plot-size 85mm", &path.with_file_name("sized.png"));
    let number = |at: usize| u32::from_be_bytes(sized[at..at + 4].try_into().unwrap());
    assert_eq!((number(16), number(41)), (1004, 11811));
}

#[test]
fn another_ending_is_refused_before_anything_runs() {
    let folder = folder("figure-ending");
    for name in ["figure.eps", "figure", "svg"] {
        for words in [FLORES, COMPARE, "model tsuji-1992", "model nonsense"] {
            let sentence = refused(run(words, &folder.join(name)), 2);
            assert!(sentence.contains(name) && sentence.contains(".svg"), "{sentence}");
        }
    }
    assert_eq!(entries(&folder), 0);
}

#[test]
fn nothing_is_left_behind_where_the_file_cannot_be_put() {
    let folder = folder("figure-occupied");
    let path = folder.join("figure.svg");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("keep"), "").unwrap();
    for words in [FLORES, COMPARE, "model tsuji-1992"] {
        let sentence = refused(run(words, &path), 1);
        assert!(sentence.contains("cannot write") && sentence.contains("figure.svg"), "{sentence}");
        refused(run(words, &folder.join("nowhere").join("figure.svg")), 1);
    }
    assert_eq!(entries(&folder), 1);
}

#[test]
fn contacts_without_end_and_extreme_numbers_are_drawn() {
    let folder = folder("figure-extreme");
    for (i, words) in [
        "--law kelvin-voigt-1865 --mass 1 --stiffness 1e6 --exponent 1 --speed 1 --damping 1e5 --exit indentation",
        "--law hunt-crossley-1975 --mass 1e-18 --stiffness 1e3 --speed 1e-6 --restitution 0.01 --calibration exact",
        "--law hertz-1881 --mass 1e15 --stiffness 1e3 --speed 1e5",
    ]
    .iter()
    .enumerate()
    {
        let path = folder.join(format!("{i}.svg"));
        let words = format!("impact {words} --plot {}", path.display());
        let output = carom_with(&words.split_whitespace().collect::<Vec<_>>());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = fs::read_to_string(&path).unwrap();
        well_formed(&text);
        drawn_on_its_page(&text);
    }
}

/// Returns the bytes of a figure drawn with further options.
fn drawn(words: &str, options: &str, path: &Path) -> Vec<u8> {
    let output = run(&format!("{words} {options}"), path);
    assert!(output.status.success(), "{options}: {}", String::from_utf8_lossy(&output.stderr));
    fs::read(path).unwrap()
}

/// Returns the position of the first occurrence of some bytes.
fn find(data: &[u8], what: &[u8]) -> Option<usize> {
    data.windows(what.len()).position(|window| window == what)
}

#[cfg(feature = "png")]
#[test]
fn pdf_is_a_page_of_the_size_asked_for_that_carries_its_font() {
    let folder = folder("figure-pdf");
    let pdf =
        drawn(FLORES, "--plot-size 85mm --plot-panel 2 --plot-title none", &folder.join("a.pdf"));
    assert!(pdf.starts_with(b"%PDF-1.6") && pdf.ends_with(b"%%EOF\n"));
    // 85 mm equal 240.945 points.
    assert!(find(&pdf, b"/MediaBox [0 0 240.9").is_some());
    assert!(find(&pdf, b"/FontFile2").is_some() && find(&pdf, b"/ToUnicode").is_some());
    // The cross-reference table gives the position of each object.
    let text = String::from_utf8_lossy(&pdf[pdf.len() - 2000..]).to_string();
    let start: usize =
        text.split("startxref\n").nth(1).unwrap().split('\n').next().unwrap().parse().unwrap();
    assert!(pdf[start..].starts_with(b"xref\n"));
    let table = String::from_utf8_lossy(&pdf[start..]).to_string();
    let places = table.lines().filter(|line| line.ends_with(" n "));
    let mut count = 0;
    for (i, line) in places.enumerate() {
        let place: usize = line[..10].parse().unwrap();
        assert!(pdf[place..].starts_with(format!("{} 0 obj", i + 1).as_bytes()), "{line}");
        count += 1;
    }
    assert!(count >= 10, "{count} objects");
    let again =
        drawn(FLORES, "--plot-size 85mm --plot-panel 2 --plot-title none", &folder.join("b.pdf"));
    assert_eq!(pdf, again, "the same question gives the same bytes");
}

#[test]
fn a_figure_goes_into_a_paper_as_it_is() {
    let folder = folder("figure-paper");
    let text =
        |options: &str| String::from_utf8(drawn(FLORES, options, &folder.join("a.svg"))).unwrap();
    let whole = text("");
    assert_eq!(whole.matches("class=\"axis\"").count(), 8, "four panels with two axes each");
    let bare = text("--plot-size 85x60mm --plot-panel 3 --plot-title none");
    well_formed(&bare);
    drawn_on_its_page(&bare);
    assert!(
        bare.contains("width=\"240.94pt\"") && bare.contains("height=\"170"),
        "{}",
        &bare[..300]
    );
    assert_eq!(bare.matches("class=\"axis\"").count(), 2, "one panel");
    assert!(!bare.contains("class=\"title\"") && !bare.contains("540 g"));
    // Numbers at the axes have 11 units, so that with 6 points instead of 8.25 the same page is wider in these units.
    let view = |text: &str| -> f64 {
        text.split("viewBox=\"0 0 ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
    };
    let small = text("--plot-size 85mm --plot-text 6 --plot-title none");
    assert!((view(&small) / view(&bare) - 8.25 / 6.0).abs() < 1e-3);
    let named = text("--plot-title Impact");
    assert!(named.contains(">Impact</text>") && named.contains("540 g"));
    // Two panels fit beside each other on 170 mm, but not on 85 mm.
    let wide = text("--plot-size 170mm --plot-panel 1,2");
    let narrow = text("--plot-size 85mm --plot-panel 1,2");
    let height = |text: &str| -> f64 {
        let view = text.split("viewBox=\"0 0 ").nth(1).unwrap().split('"').next().unwrap();
        view.split(' ').nth(1).unwrap().parse().unwrap()
    };
    assert!(height(&narrow) > 1.6 * height(&wide));
}

#[test]
fn what_cannot_be_drawn_is_refused_in_a_sentence() {
    let folder = folder("figure-refused");
    let note = folder.join("note.ttf");
    fs::write(&note, "no font").unwrap();
    for (options, word) in [
        ("--plot-size 85", "85mm"),
        ("--plot-size 1mm", "85mm"),
        ("--plot-size 85x20mm", "height"),
        ("--plot-text 200", "72 points"),
        ("--plot-panel 9", "1 to 4"),
        (&format!("--plot-font {}", note.display()), "TrueType"),
    ] {
        let path = folder.join("a.svg");
        let sentence = refused(run(&format!("{FLORES} {options}"), &path), 2);
        assert!(sentence.contains(word), "{options}: {sentence}");
        assert!(!path.exists(), "{options}");
    }
    // A file that cannot be read is not an error in the arguments.
    let unreadable =
        refused(run(&format!("{FLORES} --plot-font nowhere.ttf"), &folder.join("a.svg")), 1);
    assert!(unreadable.contains("cannot read the font `nowhere.ttf`"), "{unreadable}");
    // Without a file, options for its appearance are refused.
    let words = format!("{FLORES} {STEEL} --plot-size 85mm");
    refused(carom_with(&words.split_whitespace().collect::<Vec<_>>()), 2);
}

#[cfg(feature = "png")]
#[test]
fn svg_carries_the_font_that_png_and_pdf_are_set_in() {
    // Regression: PNG used the font Ubuntu, and SVG whichever font the machine of the reader had.
    let text = svg(FLORES, &folder("figure-font").join("a.svg"));
    let rule = text.split("@font-face{font-family:").nth(1).unwrap();
    assert!(rule.starts_with("carom-text;src:url(data:font/ttf;base64,AAEAAAA"));
    assert!(text.contains(".carom text{font-family:carom-text"));
    assert!(rule.split(')').next().unwrap().len() < 30_000, "only the letters that are shown");
}

#[test]
fn exponents_of_units_are_raised() {
    let text = svg(COMPARE, &folder("figure-raised").join("a.svg"));
    assert!(text.contains("N/m<tspan class=\"raised\" dy=\"-4\">1.5</tspan>"));
    assert!(!text.contains("m^1.5"));
}

#[test]
fn five_laws_on_each_other_have_marks_of_their_own() {
    // Regression: their loops differ by less than the width of a line, so that the last one drawn covered the others.
    let words = "compare --experiment steel-ball-0.5 --laws flores-2011,hu-guo-2015,zhang-2020,ye-li-zhu-2009,\
                 zhang-sharf-2004";
    let text = svg(words, &folder("figure-five").join("a.svg"));
    for style in 0..5 {
        let marks = text.matches(&format!("class=\"mark c{style} f{style} open\"")).count();
        assert!(marks >= 6, "{style}: {marks}");
    }
    let apart =
        "compare --experiment steel-ball-0.5 --laws hertz-1881,lee-wang-1983,gharib-hurmuzlu-2012";
    let text = svg(apart, &folder("figure-apart").join("a.svg"));
    assert!(!text.contains(" open\" cx"), "curves that can be told apart have none");
}

#[test]
fn every_command_that_draws_takes_the_same_options() {
    for command in [
        "impact",
        "compare",
        "model",
        "sweep",
        "sensitivity",
        "fit",
        "advise",
        "simulate",
        "regimes",
        "reproduce",
    ] {
        let help = super::stdout(&format!("{command} --help"));
        for option in [
            "--plot ",
            "--plot-size ",
            "--plot-text ",
            "--plot-font ",
            "--plot-title ",
            "--plot-panel ",
        ] {
            assert!(help.contains(option), "{command} {option}");
        }
    }
}

#[test]
fn a_figure_of_a_paper_is_drawn_by_its_name() {
    let path = folder("figure-reproduced").join("a.svg");
    let text = svg("reproduce wang-gao-2023 --figure fig-3", &path);
    assert!(text.contains("Wang &amp; Gao 2023, Fig. 3"));
    let sentence = refused(run("reproduce wang-gao-2023 --figure fig-30", &path), 2);
    assert!(sentence.contains("wang-gao-2023-fig-3"), "{sentence}");
}
