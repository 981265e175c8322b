//! Scenes that once failed: friction of contacts whose load begins and ends at zero, contacts so stiff that the indentation at
//! rest is close to rounding, and bodies with nearly zero gap.

use crate::common::{add, add_held, law, parse};
use carom_world::friction::{Dashpot, Friction, TangentialStiffness};
use carom_world::math::{Quat, Vec3};
use carom_world::{Body, Contact, EndedTouch, Observer, Placed, Run, Shape, World};

const DOWN: Vec3 = Vec3::new(0.0, 0.0, -9.81);

/// Runs a world for a time in at most the given number of steps and checks that the ledger closes.
fn finishes(world: &World, duration: f64, steps: u64, what: &str) {
    let mut run = Run::new(world).unwrap();
    while run.state().time < duration {
        if let Err(error) = run.step(duration, &mut ()) {
            panic!("{what}: {error}");
        }
        let (state, counts) = (run.state(), run.state().counts);
        assert!(counts.steps + counts.refused < steps, "{what}: {counts:?} at {} s", state.time);
    }
    let energies = run.state().energies(world);
    let turned = energies.turned_over(energies.kinetic + energies.stored);
    let allowed = 1e-6 * turned + run.state().rounding(world);
    assert!(energies.error.abs() < allowed, "{what}: {energies:?}");
}

#[test]
fn friction_springs_begin_and_end_without_load() {
    let wedge: Vec<_> = [(-4, -3, -2), (5, -3, -2), (4, 3, -2), (-3, 4, -2), (0, 0, 4)]
        .map(|(x, y, z)| Vec3::new(f64::from(x), f64::from(y), f64::from(z)) * 0.01)
        .into();
    let shapes = [
        Shape::Sphere { radius: 0.03 },
        Shape::Capsule { radius: 0.02, half: 0.04 },
        Shape::Cylinder { radius: 0.03, half: 0.04 },
        Shape::Box { half: Vec3::new(0.05, 0.03, 0.04) },
        Shape::hull(&wedge).unwrap(),
    ];
    let laws = [
        law("hunt-crossley-1975", 1e10, 1.5, 0.5),
        law("flores-2011", 3e7, 1.0, 0.3),
        law("lankarani-nikravesh-1990", 1e9, 1.5, 0.8),
        law("tsuji-1992", 7e10, 1.5, 0.7),
    ];
    for shape in &shapes {
        for (number, law) in laws.iter().enumerate() {
            for (stiffness, damping) in [
                (TangentialStiffness::Root(2e7), Dashpot::Ratio(0.0)),
                (TangentialStiffness::Root(9e8), Dashpot::Ratio(0.1)),
                (TangentialStiffness::Constant(1e6), Dashpot::Ratio(0.0)),
                (TangentialStiffness::Constant(1e6), Dashpot::Constant(50.0)),
                (TangentialStiffness::Share(0.8), Dashpot::Ratio(0.05)),
            ] {
                let mut world = World::default().under(DOWN);
                let ground = add_held(&mut world, Shape::HalfSpace);
                let turn = Quat::about(Vec3::new(0.48, 0.6, 0.64), 0.4 + number as f64);
                let body = Body::of("body", shape, 2000.0).unwrap().at(Vec3::Z * 0.08).turned(turn);
                let body =
                    body.spinning(Vec3::new(3.0, -7.0, 5.0)).moving(Vec3::new(0.2, 0.1, -0.5));
                let (_, own) = add(&mut world, body, shape);
                let friction = Friction::Spring { coefficient: 0.4, stiffness, damping };
                world.add_contact(Contact::new(own, ground, *law).with_friction(friction)).unwrap();
                let what = format!("{} {number} {stiffness:?} {damping:?}", shape.name());
                finishes(&world, 0.08, 6000, &what);
            }
        }
    }
}

#[test]
fn a_ball_rests_on_a_contact_stiffer_than_rounding_resolves() {
    // The ball sinks by 5e-12 m, only a hundred thousand times the rounding error of a position of 5 cm.
    let mut world = World::default().under(DOWN);
    let ground = add_held(&mut world, Shape::HalfSpace);
    let ball = Shape::Sphere { radius: 0.05 };
    let body = Body::of("ball", &ball, 1000.0).unwrap().at(Vec3::Z * 0.05);
    let (_, own) = add(&mut world, body, &ball);
    let law = law("kelvin-voigt-1865", 1e12, 1.0, 0.7);
    world.add_contact(Contact::new(own, ground, law)).unwrap();
    finishes(&world, 1e-4, 2000, "ball");
}

#[test]
fn steps_of_bodies_that_turn_at_a_tiny_distance_are_not_halved_without_end() {
    let mut world = World::default();
    let egg = Shape::Ellipsoid { semi: Vec3::new(0.03, 0.03, 0.05) };
    let mut shapes = Vec::new();
    for x in [0.0, 0.06 + 1e-13] {
        let body = Body::of("egg", &egg, 1000.0).unwrap().at(Vec3::X * x).spinning(Vec3::Z * 10.0);
        shapes.push(add(&mut world, body, &egg).1);
    }
    let law = law("flores-2011", 4e10, 1.5, 0.6);
    world.add_contact(Contact::new(shapes[0], shapes[1], law)).unwrap();
    finishes(&world, 0.05, 1000, "eggs");
}

#[test]
fn sites_that_let_go_together_do_not_push_again_by_rounding() {
    // Two equal blocks on a third one, aligned: twelve sites of each pair, whose forces vanish at the same instant.
    let cube = Shape::Box { half: Vec3::new(0.05, 0.05, 0.05) };
    let mut world = World::default().under(DOWN);
    let law = law("kelvin-voigt-1865", 1.4e5, 1.0, 0.81);
    let stiffness = TangentialStiffness::Root(5e8);
    let friction = Friction::Spring { coefficient: 0.12, stiffness, damping: Dashpot::Ratio(0.0) };
    let mut below = world.add_shape(Placed::on(0, cube.clone()).at(Vec3::Z * -0.05)).unwrap();
    for floor in 0..2 {
        let start = Vec3::Z * (0.05 + 0.1 * f64::from(floor) + 1e-4 * f64::from(floor + 1));
        let body = Body::of("block", &cube, 2917.0).unwrap().at(start).moving(Vec3::Z * -0.49);
        let (_, own) = add(&mut world, body, &cube);
        world.add_contact(Contact::new(own, below, law).with_friction(friction)).unwrap();
        below = own;
    }
    finishes(&world, 0.12, 20_000, "blocks");
}

#[test]
fn heavy_blocks_on_soft_contacts_get_notes_on_their_depth() {
    let cube = Shape::Box { half: Vec3::new(0.05, 0.05, 0.05) };
    for (id, tilt, start) in [("kelvin-voigt-1865", 0.0, 1e-4), ("tsuji-1992", 0.0, -4e-3)] {
        let mut world = World::default().under(DOWN);
        let below = world.add_shape(Placed::on(0, cube.clone()).at(Vec3::Z * -0.05)).unwrap();
        let body = Body::of("block", &cube, 8000.0).unwrap().at(Vec3::Z * (0.05 + start));
        let body = body.turned(Quat::about(Vec3::X, tilt)).moving(Vec3::Z * -1.0);
        let (_, own) = add(&mut world, body, &cube);
        world.add_contact(Contact::new(own, below, law(id, 1e4, 1.0, 0.5))).unwrap();
        let mut run = Run::new(&world).unwrap();
        let told = |run: &Run| run.state().notes().iter().any(|note| note.kind() == "deep");
        // If the run begins deep in contact, the note is given at once.
        assert_eq!(told(&run), start < 0.0, "{id} {tilt}");
        if start < 0.0 {
            continue;
        }
        if let Err(error) = run.advance(0.015) {
            let said = error.to_string();
            assert!(
                said.contains("rounded for") && said.contains("stiffer"),
                "{id} {tilt}: {said}"
            );
        }
        assert!(told(&run), "{id} {tilt}: {:?}", run.state().notes());
    }
}

/// Records the touches without a pushing force or without an approach speed, and counts all touches.
#[derive(Default)]
struct Ghosts(Vec<EndedTouch>, usize);

impl Observer for Ghosts {
    fn ended(&mut self, _world: &World, ended: &EndedTouch) {
        self.1 += 1;
        if !(ended.force_max > 0.0 && ended.speed > 0.0) {
            self.0.push(*ended);
        }
    }
}

#[test]
fn sites_that_have_just_parted_are_not_touched_by_rounding() {
    for e in ["0.6", "0.5"] {
        let text = format!(
            "[simulation]\nduration = 1.2\ngravity = 9.81\n[[body]]\nname = \"b\"\nshape = \"capsule\"\nradius = 0.05\n\
             length = 0.2\nrotation = {{ axis = [1, 0, 0], angle = \"90 deg\" }}\nmass = 2\nposition = [0, 0, 0.25]\n\
             [[contact]]\nbetween = [\"b\", \"ground\"]\nstiffness = 1e8\nexponent = 1\nrestitution = {e}\n\
             law = \"kelvin-voigt-1865\"\ncalibration = \"exact\"\n"
        );
        let scene = parse(&text);
        let (mut run, mut ghosts) = (Run::new(&scene.world).unwrap(), Ghosts::default());
        run.advance_with(1.2, &mut ghosts).unwrap();
        assert!(ghosts.1 > 15, "{} touches", ghosts.1);
        assert!(ghosts.0.is_empty(), "e = {e}: {:?}", ghosts.0);
    }
}
