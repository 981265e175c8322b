//! Studies: their meaning, that results depend on the study alone, and that computation in columns agrees with single impacts.

use carom::CATALOGUE;
use carom::sweep::sensitivity::{Options, sensitivity};
use carom::sweep::{AnyStudy, Study, builtin};
use carom_store::{Column, Values};

const STEEL: &str = r#"
[impact]
law = "hunt-crossley-1975"
mass = "0.54 kg"
stiffness = "2.4144e10 N/m^1.5"
speed = "0.5 m/s"
restitution = 0.7568
"#;

fn study(text: &str) -> Study {
    Study::from_toml(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn column<'a>(columns: &'a [Column], name: &str) -> &'a Values {
    &columns.iter().find(|column| column.name == name).unwrap_or_else(|| panic!("{name}")).values
}

fn reals(columns: &[Column], name: &str) -> Vec<f64> {
    let values = column(columns, name);
    (0..values.len()).map(|row| values.real(row).unwrap()).collect()
}

/// Compares columns bit for bit, including NaN.
fn same(a: &[Column], b: &[Column]) -> bool {
    format!("{a:?}") == format!("{b:?}")
}

#[test]
fn the_first_axis_is_slowest_and_samples_are_fastest() {
    let study = study(&format!(
        "{STEEL}
        [sampling]
        count = 3
        [[axis]]
        parameter = 'law'
        values = ['flores-2011', 'hertz-1881']
        [[axis]]
        parameter = 'mass'
        distribution = 'uniform'
        from = 1
        to = 2
        [[axis]]
        parameter = 'speed'
        values = ['10 cm/s', 0.2]
        "
    ));
    assert_eq!(
        (study.cases(), study.variation().grid(), study.variation().partitions()),
        (12, 4, 1)
    );
    let columns = study.plan().partition(0);
    assert_eq!(reals(&columns, "speed")[..7], [0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.1]);
    let laws = column(&columns, "law");
    assert_eq!((laws.text(5), laws.text(6)), (Some("flores-2011"), Some("hertz-1881")));
    let mass = reals(&columns, "mass");
    assert_eq!(mass[..3], mass[9..], "every point of the grid gets the same samples");
    assert_eq!(column(&columns, "case").real(11), Some(11.0));
    // Hertz's law accepts no restitution.
    assert_eq!(column(&columns, "status").text(6), Some("unsupported"));
    assert!(column(&columns, "duration").real(6).unwrap().is_nan());
}

#[test]
fn a_case_does_not_depend_on_who_computes_it() {
    for method in ["sobol", "latin-hypercube", "random"] {
        let text = format!(
            "partition = 100
            {STEEL}
            calibration = 'exact'
            [sampling]
            method = '{method}'
            count = 700
            seed = 11
            [[axis]]
            parameter = 'speed'
            distribution = 'log-uniform'
            from = '1 cm/s'
            to = '1 m/s'
            [[axis]]
            parameter = 'restitution'
            distribution = 'normal'
            mean = 0.8
            deviation = 0.1
            [[axis]]
            parameter = 'law'
            values = ['tsuji-1992', 'hunt-crossley-1975', 'goldsmith-1960']
            "
        );
        let text = text.replace("restitution = 0.7568\n", "");
        let study = study(&text);
        let plan = study.plan();
        assert_eq!(study.variation().partitions(), 21);
        let backwards: Vec<_> = (0..21).rev().map(|k| plan.partition(k)).collect();
        for k in 0..21 {
            assert!(same(&study.plan().partition(k), &backwards[20 - k as usize]), "{method} {k}");
        }
        // Restitutions above 1 yield rows without a result.
        let all = plan.cases(0..study.cases());
        let statuses = column(&all, "status");
        let invalid = (0..2100).filter(|&row| statuses.text(row) == Some("invalid")).count();
        assert!((20..=80).contains(&invalid), "{method} {invalid}");
        assert!(
            plan.error((0..2100).find(|&i| statuses.text(i) == Some("invalid")).unwrap() as u64)
                .unwrap()
                .to_string()
                .contains("restitution = 1.")
        );
    }
}

#[test]
fn the_short_way_gives_what_one_impact_gives() {
    // Every law of the catalogue, published and exact, with parameters that vary in every supported way.
    let laws: Vec<_> = CATALOGUE.iter().map(|model| format!("'{}'", model.id)).collect();
    let text = format!(
        "outputs = ['restitution', 'duration', 'force_max', 'indentation_max', 'residual_indentation',
                    'energy_lost_in_compression', 'damping_epsilon']
        [impact]
        restitution = 0.7
        [impact.set]
        radius = '12 mm'
        modulus = '110 GPa'
        [sampling]
        count = 40
        [[axis]]
        parameter = 'law'
        values = [{}]
        [[axis]]
        parameter = 'calibration'
        values = ['published', 'exact']
        [[axis]]
        parameter = 'exit'
        values = ['force', 'indentation']
        [[axis]]
        parameter = 'mass'
        distribution = 'lognormal'
        median = '0.5 kg'
        deviation = 0.2
        [[axis]]
        parameter = 'stiffness'
        distribution = 'uniform'
        from = 1e10
        to = '3e10 N/m^1.5'
        [[axis]]
        parameter = 'speed'
        distribution = 'log-uniform'
        from = 0.05
        to = 0.6
        ",
        laws.join(", ")
    );
    let study = study(&text);
    let columns = study.plan().cases(0..study.cases());
    let statuses = column(&columns, "status");
    let mut compared = 0;
    // One case of every law, calibration and exit, at a different position in each block.
    for block in 0..study.cases() / 40 {
        let index = block * 40 + block * 7 % 40;
        let row = index as usize;
        let direct = study.spec(index).unwrap().case().and_then(|case| case.run());
        match direct {
            Err(error) => assert_eq!(statuses.text(row), Some(error.kind()), "{index} {error}"),
            Ok(report) => {
                compared += 1;
                for (name, expected) in [
                    ("restitution_newton", report.restitution.newton),
                    ("duration", report.duration),
                    ("force_max", report.force_max),
                    ("indentation_max", report.indentation_max),
                    ("damping_epsilon", report.damping.epsilon.unwrap_or(f64::NAN)),
                ] {
                    let found = column(&columns, name).real(row).unwrap();
                    let near = (found - expected).abs() <= 1e-9 * expected.abs();
                    let alike = found == expected || (found.is_nan() && expected.is_nan());
                    assert!(near || alike, "{} {name}: {found} {expected}", report.law);
                }
            }
        }
    }
    assert!(compared > CATALOGUE.len(), "{compared}");
}

#[test]
fn materials_and_bodies_are_axes() {
    let study = study(
        "[impact]
        law = 'hertz-1881'
        speed = '0.1 m/s'
        bodies = [{shape = 'sphere', radius = '10 mm', material = 'steel'}, {shape = 'plane', material = 'steel'}]
        [[axis]]
        parameter = 'body_1.material'
        values = ['steel', 'glass']
        [[axis]]
        parameter = 'body_1.radius'
        values = ['10 mm', '20 mm']",
    );
    let columns = study.plan().partition(0);
    let duration = reals(&columns, "duration");
    // T ∝ (m²/(R·E*²·v))^⅕ with m ∝ R³: proportional to the radius.
    assert!((duration[1] / duration[0] - 2.0).abs() < 1e-9 && duration[2] != duration[0]);
}

#[test]
fn zhang_s_figure_seven_is_reproduced() {
    // Dimensionless X_max and F_max and the delivered restitution, computed by two independent integrators (Dormand–Prince in
    // time, extrapolation in the phase plane) that agree to 1e-11: first and last points of (a) to (g).
    let expected = [
        (0, 0.91273, 1.11366, 0.59517),
        (4, 0.88596, 0.96643, 0.59521),
        (5, 0.89053, 0.94811, 0.56730),
        (9, 0.90512, 1.12627, 0.61245),
        (10, 0.89949, 1.01717, 0.58406),
        (14, 0.89940, 1.06100, 0.60272),
        (15, 0.78409, 0.96196, 0.58578),
        (19, 0.78632, 1.04088, 0.61127),
        (20, 0.97167, 1.09831, 0.57988),
        (24, 0.97371, 1.17350, 0.60593),
        (25, 1.04768, 1.08444, 0.89694),
        (29, 1.04996, 1.08575, 0.90300),
        (30, 0.70977, 1.14024, 0.25178),
        (34, 0.68674, 1.30583, 0.28572),
    ];
    let study = study(builtin::find("zhang-2022-fig7").unwrap().text);
    let columns = study.plan().partition(0);
    for (row, depth, force, e) in expected {
        for (name, value) in
            [("indentation_max", depth), ("force_max", force), ("restitution_newton", e)]
        {
            let found = column(&columns, name).real(row).unwrap();
            assert!((found - value).abs() < 6e-6, "{row} {name}: {found} {value}");
        }
    }
}

#[test]
fn the_indices_of_a_product_of_powers_are_known() {
    // Hertz: T ∝ m^⅖·K^−⅖·v^−⅕. For a product of lognormal numbers with cᵢ = exp(aᵢ²σᵢ²) − 1:
    // V = ∏(1+cᵢ) − 1, Sᵢ = cᵢ/V, Tᵢ = cᵢ·∏_{j≠i}(1+cⱼ)/V.
    let sigma = [0.5, 0.8, 0.7];
    let power = [0.4, -0.4, -0.2];
    let study = study(
        "outputs = ['duration']
        [impact]
        law = 'hertz-1881'
        [sampling]
        count = 1
        [[axis]]
        parameter = 'mass'
        distribution = 'lognormal'
        median = 1
        deviation = 0.5
        [[axis]]
        parameter = 'stiffness'
        distribution = 'lognormal'
        median = 1e9
        deviation = 0.8
        [[axis]]
        parameter = 'speed'
        distribution = 'lognormal'
        median = 1
        deviation = 0.7",
    );
    let options = Options { samples: 8192, threads: 2, ..Options::default() };
    let found = sensitivity(&study, &options).unwrap();
    let c: Vec<f64> =
        sigma.iter().zip(power).map(|(s, a): (&f64, f64)| (a * a * s * s).exp() - 1.0).collect();
    let all: f64 = c.iter().map(|c| 1.0 + c).product();
    for (share, c) in found.groups[0].outputs[0].parameters.iter().zip(c) {
        let (first, total) = (c / (all - 1.0), c * all / (1.0 + c) / (all - 1.0));
        let index = &share.index;
        assert!((index.first - first).abs() < 0.01, "{share:?} {first}");
        assert!((index.total - total).abs() < 0.01, "{share:?} {total}");
        assert!(index.first_low < first + 0.005 && first - 0.005 < index.first_high);
    }
    // One parameter at a time: the duration is a power of the mass.
    let alone = &found.groups[0].curves[0];
    let durations = &alone.outputs["duration"];
    let slope = (durations[40] / durations[0]).ln() / (alone.value[40] / alone.value[0]).ln();
    assert!((slope - 0.4).abs() < 1e-9);
    // The result is the same with another number of threads.
    let again = sensitivity(&study, &Options { threads: 5, ..options }).unwrap();
    assert_eq!(format!("{found:?}"), format!("{again:?}"));
}

#[test]
fn what_changes_results_changes_the_fingerprint_and_nothing_else() {
    let axis = "[[axis]]\nparameter = 'speed'\nvalues = [0.1, 0.2]\n";
    let text = format!("{STEEL}{axis}");
    let of = |text: &str| study(text).fingerprint();
    assert_eq!(of(&text), of(&format!("title = 'x' # a comment\n{text}")));
    for (from, to) in [("0.1,", "0.11,"), ("0.54", "0.55"), ("hunt-crossley-1975", "flores-2011")] {
        assert_ne!(of(&text), of(&text.replace(from, to)), "{from}");
    }
    assert_ne!(of(&text), of(&format!("outputs = ['duration']\n{text}")));
    assert_ne!(of(&text), of(&format!("partition = 7\n{text}")));
}

#[test]
fn mistakes_are_one_sentence_with_a_line() {
    let axis = |body: &str| format!("{STEEL}[[axis]]\n{body}\n");
    let cases: &[(String, &[&str])] = &[
        (axis("parameter = 'sped'\nvalues = [1]"), &["line 8", "no parameter `sped`", "`speed`"]),
        (axis("parameter = 'speed'\nvalues = ['1 kg']"), &["line 8", "speed", "in m/s"]),
        (axis("parameter = 'speed'\nvalues = []"), &["values of speed", "not empty"]),
        (axis("parameter = 'speed'\nform = 1"), &["line 10", "form"]),
        (axis("parameter = 'speed'\nfrom = 1\nto = 2"), &["count of speed is missing"]),
        (axis("parameter = 'speed'\nfrom = 0\nto = 2\ncount = 3\nspacing = 'log'"), &["above 0"]),
        (axis("parameter = 'speed'\nfrom = 1\nto = 2\ncount = 0"), &["count of speed = 0"]),
        (axis("parameter = 'speed'\nvalues = [1]\ncount = 3"), &["count in a list of speed"]),
        (axis("parameter = 'law'\nfrom = 1\nto = 2\ncount = 3"), &["its values are words"]),
        (axis("parameter = 'speed'\ndistribution = 'gauss'"), &["no distribution `gauss`"]),
        (axis("parameter = 'speed'\ndistribution = 'normal'\nmean = 1"), &["deviation of speed"]),
        (
            axis("parameter = 'speed'\ndistribution = 'normal'\nmean = 1\ndeviation = -1"),
            &["deviation of speed = -1", "above 0"],
        ),
        (
            axis("parameter = 'speed'\ndistribution = 'uniform'\nfrom = 2\nto = 1"),
            &["from of speed = 2", "below to = 1"],
        ),
        (
            axis("parameter = 'speed'\ndistribution = 'uniform'\nfrom = 1\nto = 2"),
            &["sampling.count is missing", "[sampling]"],
        ),
        (
            axis("parameter = 'speed'\nvalues = [1]\n[[axis]]\nparameter = 'speed'\nvalues = [1]"),
            &["line 11", "a second axis for speed"],
        ),
        (
            axis(
                "parameter = 'speed'\nzip = 'a'\nvalues = [1]\n[[axis]]\nparameter = 'mass'\nzip = 'a'\nvalues = [1, 2]",
            ),
            &["number of values of mass = 2", "zip `a`"],
        ),
        (
            axis(
                "parameter = 'speed'\nfrom = 1\nto = 2\ncount = 10000000\n[[axis]]\nparameter = 'mass'\nfrom = 1\nto = 2\ncount = 10000000",
            ),
            &["number of cases = 100000000000000", "at most"],
        ),
        (format!("outputs = ['durration']\n{STEEL}"), &["line 1", "`duration`"]),
        (format!("partition = 0\n{STEEL}"), &["line 1", "partition = 0"]),
        (format!("figure = 'pie'\n{STEEL}"), &["no figure `pie`"]),
        (format!("{STEEL}\n[sampling]\nmethod = 'halton'\ncount = 2"), &["no sampling method"]),
        (format!("{STEEL}\n[sampling]\ncount = 2"), &["sampling without a distribution"]),
        ("[impact".into(), &["line 1", "cannot be read"]),
        (String::new(), &["impact"]),
        ("[impact]\nlow = 'hertz-1881'".into(), &["line 2", "low"]),
    ];
    for (text, parts) in cases {
        let error = Study::from_toml(text).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
        for part in *parts {
            assert!(error.contains(part), "`{part}` is not in: {error}\n{text}");
        }
    }
}

#[test]
fn hostile_studies_do_not_panic() {
    for body in [
        "parameter = 'mass'\nvalues = [0, -1, nan, inf, 1e308, 1e-308]",
        "parameter = 'speed'\nvalues = [0, -1, 1e200, 1e-200]",
        "parameter = 'restitution'\nvalues = [0, -1, 2, 1, 1e-9]",
        "parameter = 'damping'\nvalues = [0, -1, 1e300]",
        "parameter = 'exponent'\nvalues = [0, 1, 9]",
        "parameter = 'law'\nvalues = ['', 'no-law']",
        "parameter = 'body_1.radius'\nvalues = [1]",
        "parameter = 'external_force'\nvalues = [1e9, -1e9]",
    ] {
        if let Ok(study) = Study::from_toml(&format!("{STEEL}[[axis]]\n{body}")) {
            let columns = study.plan().partition(0);
            assert_eq!(columns[0].values.len() as u64, study.cases());
            assert!(study.plan().partition(u64::MAX)[0].values.is_empty());
        }
    }
}

#[test]
fn the_study_in_the_guide_is_a_study() {
    let guide = include_str!("../../../../docs/how-to/sweeps.md");
    let mut count = 0;
    for block in guide.split("```toml\n").skip(1) {
        let text = block.split("```").next().unwrap();
        count += 1;
        let read = AnyStudy::from_toml_with(text, &|law| Ok(law.to_string())).unwrap();
        // Runs of scenes are not computed in this crate.
        let AnyStudy::Impacts(study) = read else { continue };
        let columns = study.plan().cases(0..20);
        let statuses = column(&columns, "status");
        assert_eq!(statuses.text(0), Some("ok"), "{:?}", study.plan().error(0));
    }
    assert!(count >= 2);
}
