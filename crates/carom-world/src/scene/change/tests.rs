//! Tests of changes at any depth, and of the locations of errors about them.

use super::*;
use crate::Scene;

/// A scene with tables within tables, lists with and without names, and names with spaces and dots.
const NESTED: &str = r#"title = "nested"
[simulation]
duration = "1 s"
planar = true

[[body]]
name = "wheel no. 1"
mass = 1
inertia = [1, 1, 1]
spin = [0, 0, 2]

[[body]]
name = "ball"
shape = "sphere"
radius = 0.1
mass = 1
position = [1, 1]

[[joint]]
name = "main bearing"
kind = "revolute"
between = ["wheel no. 1", "ground"]
angle = { rate = 2 }

[[force]]
body = "ball"
direction = [1, 0, 0]
start = 1

[[force]]
body = "ball"
direction = [1, 0, 0]
start = 2

[[contact]]
between = ["ball", "ground"]
law = "hertz-1881"
stiffness = 1e6
exponent = 1.5
"#;

fn changed(text: &str, set: &[&str]) -> Result<Scene, SceneError> {
    let changes: Vec<Change> = set.iter().map(|change| change.parse().unwrap()).collect();
    Scene::parse_with(text, &|_| Err("no files".into()), &changes)
}

#[test]
fn a_change_reaches_every_key_however_deep() {
    // Keys of tables within tables: a path such as `main bearing.angle.rate` must not be taken for a key `rate` of a table
    // `main bearing.angle`.
    for set in
        ["main bearing.angle.rate=5", "joint.main bearing.angle.rate=5", "joint.0.angle.rate=5"]
    {
        let scene = changed(NESTED, &[set]).unwrap();
        let drive = format!("{:?}", scene.world.joints()[0].drive);
        assert!(drive.contains("rate: 5.0"), "{set}: {drive}");
    }
    // Names may contain dots, numbers are counted from 0, and items of lists can be set.
    let scene =
        changed(NESTED, &["wheel no. 1.spin.2=7", "force.1.start=9", "body.ball.radius=0.2"]);
    let scene = scene.unwrap();
    let wheel = scene.world.bodies().iter().find(|body| body.name == "wheel no. 1").unwrap();
    assert_eq!(wheel.spin.z, 7.0);
    assert!(format!("{:?}", scene.world).contains("radius: 0.2"));
    // Missing tables are created, and their contents are checked as usual.
    let scene =
        changed(NESTED, &["ball-ground.friction.coefficient=0.3", "output.format=arrow"]).unwrap();
    assert!(scene.world.contacts()[0].friction.is_some());
    assert_eq!(scene.output.format, Some("arrow"));
    assert_eq!(changed(NESTED, &["title=other"]).unwrap().title, "other");
    // The last of two changes of the same key is used.
    assert_eq!(
        changed(NESTED, &["simulation.duration=2", "simulation.duration=3"]).unwrap().duration,
        3.0
    );
}

#[test]
fn an_error_about_a_change_quotes_it_and_suggests_similar_names() {
    for (set, parts) in [
        (&["main bearng.angle.rate=5"][..], &["no table `main bearng`", "`main bearing`"][..]),
        (&["main bearing.angel.rate=5"], &["no key `angel`", "did you mean `angle`?"]),
        (&["main bearing.angle.rat=5"], &["no key `rat`", "`rate`"]),
        (&["force.2.start=5"], &["`2`", "0 to 1"]),
        (&["ball.radius.x=5"], &["radius", "no table"]),
        (&["ball=3"], &["TABLE.KEY"]),
        (&["ball.position=[1, \"2 kg\"]"], &["position = 2 kg"]),
        // An error refers to the last of two changes of the same key.
        (&["ball.radus=1", "ball.radus=2"], &["change 'ball.radus=2'", "`radius`"]),
        (&["ball-ground.law=hrtz"], &["no law `hrtz`"]),
        (&["ball-ground.restitution=7"], &["restitution"]),
    ] {
        let error = changed(NESTED, set).unwrap_err().to_string();
        assert!(error.starts_with("change '"), "{set:?}: {error}");
        assert!(parts.iter().all(|part| error.contains(part)), "{set:?}: {error}");
    }
    // Keys of `[simulation]` can be given alone.
    assert_eq!(changed(NESTED, &["duration=3"]).unwrap().duration, 3.0);
    let ambiguous = NESTED.replace("name = \"main bearing\"", "name = \"ball\"");
    let error = changed(&ambiguous, &["ball.radius=1"]).unwrap_err().to_string();
    assert!(error.contains("`body.1`, `joint.0`"), "{error}");
    assert!(changed(&ambiguous, &["body.ball.radius=1"]).is_ok());
}

/// Results call the contacts of stops `JOINT lower` and `JOINT upper`, but such names were not found.
#[test]
fn stops_are_found_by_the_names_of_their_contacts() {
    let text = r#"
        simulation = { duration = 1 }
        body = [{ name = "cart", mass = 1, inertia = [1, 1, 1] }]
        [[joint]]
        name = "rail"
        kind = "prismatic"
        between = ["cart", "ground"]
        stops = { lower = -1, upper = 1, law = "hertz-1881", stiffness = 1e6 }
        "#;
    for (set, parts) in [
        ("rail upper.law=hrtz", &["change 'rail upper.law=hrtz'", "no law `hrtz`"][..]),
        ("rail lower.stifness=1", &["no key `stifness`", "did you mean `stiffness`?"]),
        ("rail middle.law=hertz-1881", &["no table `rail middle`"]),
    ] {
        let error = changed(text, &[set]).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{set}: {error}");
    }
    let scene = changed(text, &["rail lower.upper=2"]).unwrap();
    assert!(format!("{:?}", scene.world).contains("2.0"));
}

/// Contacts of `contact = "auto"` have no table of their own: the error used to list all tables but not to say what to do.
#[test]
fn a_change_of_a_contact_by_materials_is_sent_to_its_pair() {
    let text = r#"
        simulation = { duration = 1, contact = "auto" }
        body = [{ name = "ball", shape = "sphere", radius = 0.1, mass = 1, position = [0, 0, 1] }]
        pair = [{ law = "hertz-1881", stiffness = 1e6 }]
        "#;
    let error = changed(text, &["ground-ball.law=flores-2011"]).unwrap_err().to_string();
    assert!(error.contains("no table `ground-ball`") && error.contains("pair.0"), "{error}");
}

#[test]
fn an_error_names_the_line_of_its_key_and_not_that_of_its_table() {
    // Errors of the library must be located at the line of the key, not at that of the heading of the table.
    let line_of = |text: &str, part: &str| 1 + text.lines().position(|l| l.contains(part)).unwrap();
    for (key, wrong) in [
        ("radius = 0.1", "radius = -0.1"),
        ("exponent = 1.5", "exponent = 99"),
        ("stiffness = 1e6", "stiffness = -1e6"),
        ("law = \"hertz-1881\"", "law = \"hrtz\""),
        ("duration = \"1 s\"", "duration = \"-1 s\""),
        ("mass = 1\nposition", "mass = -1\nposition"),
    ] {
        let text = NESTED.replace(key, wrong);
        let error = changed(&text, &[]).unwrap_err();
        let first = wrong.lines().next().unwrap();
        assert_eq!(error.location, Location::Line(line_of(&text, first)), "{wrong}: {error}");
    }
}

#[test]
fn an_unclosed_bracket_is_reported_in_the_line_where_it_begins() {
    // The error must name the line with the opening bracket, not only the later line in which the parser detects it.
    for broken in ["spin = [0, 0, 2", "about = \"\"\"\nmore"] {
        let text = NESTED.replace("spin = [0, 0, 2]", broken);
        let error = changed(&text, &[]).unwrap_err().to_string();
        assert!(error.contains("begins in line 10;"), "{error}");
    }
    let error = changed(&NESTED.replace("mass = 1", "mass 1"), &[]).unwrap_err().to_string();
    assert!(error.starts_with("line 8:") && !error.contains("begins"), "{error}");
}

#[test]
fn a_box_of_materials_is_refused_when_the_scene_is_read() {
    // The error must occur on reading, not after a fall of 0.194 s at the first contact: flat faces, edges and corners have no
    // Hertzian stiffness.
    let text = |shape: &str, contact: &str| {
        format!(
            "[simulation]\nduration = 1\ngravity = 9.81\n[ground]\nmaterial = \"steel\"\n[[body]]\nname = \"it\"\n\
             {shape}\nmaterial = \"steel\"\nposition = [0, 0, 1]\n[[contact]]\nbetween = [\"it\", \"ground\"]\n\
             law = \"hunt-crossley-1975\"\nrestitution = 0.5\n{contact}\n"
        )
    };
    let cube = "shape = \"box\"\nsize = [0.1, 0.1, 0.1]";
    let hull = "shape = \"hull\"\npoints = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]";
    for shape in [cube, hull] {
        let error = changed(&text(shape, ""), &[]).unwrap_err();
        assert!(error.to_string().contains("give stiffness and exponent"), "{error}");
        assert!(changed(&text(shape, "stiffness = 1e9\nexponent = 1.5"), &[]).is_ok());
    }
    assert!(changed(&text("shape = \"sphere\"\nradius = 0.1", ""), &[]).is_ok());
}
