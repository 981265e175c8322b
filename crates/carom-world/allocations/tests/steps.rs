//! Steps of a run allocate no memory after the beginning: neither in flight nor in contact, nor where touches begin and end.

use carom::law::{Damper, Exit, Power};
use carom::{Damping, Law, Pair, model};
use carom_world::friction::{Dashpot, Friction, TangentialStiffness};
use carom_world::grains::{Bed, ContactParameters, Wall};
use carom_world::math::Vec3;
use carom_world::{Body, Contact, Placed, Run, Scene, Shape, World};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

/// The system's allocator with a count of the allocations.
struct Counting;

static COUNT: AtomicU64 = AtomicU64::new(0);

// SAFETY: every request is passed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = COUNT.load(Ordering::Relaxed);
    work();
    COUNT.load(Ordering::Relaxed) - before
}

/// Builds a world of two balls that bounce on the ground and on each other, with friction.
fn balls() -> World {
    let pair = Pair::new(0.1, 1e8, 1.5).unwrap();
    let law = model("flores-2011").unwrap().law(&pair, Damping::Exact(0.9), None, &[]).unwrap();
    let mut world = World::default().under(Vec3::new(0.0, 0.0, -9.81));
    let ground = world.add_shape(Placed::on(0, Shape::HalfSpace)).unwrap();
    let ball = Shape::Sphere { radius: 0.02 };
    let friction = Friction::Spring {
        coefficient: 0.3,
        stiffness: TangentialStiffness::Constant(1e5),
        damping: Dashpot::Ratio(0.1),
    };
    let mut shapes = Vec::new();
    for start in [Vec3::new(0.0, 0.0, 0.05), Vec3::new(0.001, 0.0, 0.11)] {
        let body = Body::of("ball", &ball, 2500.0).unwrap().at(start).spinning(Vec3::X);
        let body = world.add_body(body).unwrap();
        let shape = world.add_shape(Placed::on(body, ball.clone())).unwrap();
        world.add_contact(Contact::new(shape, ground, law).with_friction(friction)).unwrap();
        shapes.push(shape);
    }
    world.add_contact(Contact::new(shapes[0], shapes[1], law).with_friction(friction)).unwrap();
    world
}

/// Builds a world of balls that bounce beside each other; each is an island with steps of its own.
fn balls_apart() -> World {
    let pair = Pair::new(0.1, 1e8, 1.5).unwrap();
    let law = model("flores-2011").unwrap().law(&pair, Damping::Exact(0.9), None, &[]).unwrap();
    let mut world = World::default().under(Vec3::new(0.0, 0.0, -9.81));
    let ground = world.add_shape(Placed::on(0, Shape::HalfSpace)).unwrap();
    let ball = Shape::Sphere { radius: 0.02 };
    let mut shapes = Vec::new();
    for i in 0..4 {
        let start = Vec3::new(0.1 * f64::from(i), 0.0, 0.1 + 0.033 * f64::from(i));
        let body = world.add_body(Body::of("ball", &ball, 2500.0).unwrap().at(start)).unwrap();
        let shape = world.add_shape(Placed::on(body, ball.clone())).unwrap();
        world.add_contact(Contact::new(shape, ground, law)).unwrap();
        for &other in &shapes {
            world.add_contact(Contact::new(shape, other, law)).unwrap();
        }
        shapes.push(shape);
    }
    world
}

/// Builds a bed of spheres that settles.
fn bed() -> Bed {
    let law = |stiffness: f64| {
        let power = Power::new(stiffness, 1.5, 0.25, 1.0, Damper::Ratio(0.3));
        Law::new(1.0, Exit::ZeroIndentation, power)
    };
    let place = |i: usize| Vec3::new((i % 8) as f64, (i / 8 % 8) as f64, (i / 64) as f64) * 2e-3;
    let position = (0..512).map(|i| place(i) + Vec3::Z * 1e-3).collect();
    let material =
        ContactParameters { grains: law(1e6), walls: law(2e6), friction: 0.5, tangential: 2e3 };
    let bed = Bed::new(position, vec![1e-3; 512], 2500.0, material).unwrap();
    let floor = Wall { point: Vec3::ZERO, normal: Vec3::Z };
    let mut bed = bed.with_wall(floor).periodic(16e-3, 16e-3).unwrap();
    bed.gravity = Vec3::new(0.0, 0.0, -9.81);
    bed
}

/// Takes steps only; `Run::advance` also sums up the energy ledger at its end, which allocates.
fn step(run: &mut Run, until: f64) {
    while run.state().time < until {
        run.step(until, &mut ()).unwrap();
    }
}

/// This is a single test because the count is shared by all threads of the process.
#[test]
fn steps_allocate_nothing() {
    let world = balls();
    let mut run = Run::new(&world).unwrap();
    run.advance(0.6).unwrap();
    let ended = |run: &Run| run.state().accounts().iter().map(|a| a.ended).sum::<usize>();
    let (before, steps) = (ended(&run), run.state().counts.steps);
    let count = allocations(|| step(&mut run, 1.2));
    let touches = ended(&run) - before;
    assert!(touches > 3, "they touch {touches} times");
    assert_eq!(count, 0, "{} steps", run.state().counts.steps - steps);

    let world = balls_apart();
    let mut run = Run::new(&world).unwrap();
    run.advance(0.6).unwrap();
    let (before, counts) = (ended(&run), run.state().counts);
    let count = allocations(|| step(&mut run, 1.2));
    let work = run.state().counts;
    let bodies = (work.body_evaluations - counts.body_evaluations) as f64
        / (work.evaluations - counts.evaluations) as f64;
    assert!(ended(&run) > before + 3 && bodies == 1.0, "{bodies} bodies to a step");
    assert_eq!(count, 0, "{} steps of islands", work.steps - counts.steps);

    let text = include_str!("../../../../scenes/slider-crank.toml");
    let scene = Scene::parse(text, &|_| Err("no files".into())).unwrap();
    let mut run = Run::new(&scene.world).unwrap();
    run.advance(0.002).unwrap();
    let steps = run.state().counts.steps;
    let count = allocations(|| step(&mut run, 0.004));
    assert_eq!(count, 0, "{} steps of the mechanism", run.state().counts.steps - steps);

    // The bed runs on one thread of a pool, because rayon allocates when it passes tasks between threads.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let mut bed = bed();
        bed.run(1e-5, 50);
        let lists = bed.lists;
        let count = allocations(|| bed.run(1e-5, 50));
        assert_eq!(bed.lists, lists, "no new list of neighbours meanwhile");
        assert_eq!(count, 0);
    });
}
