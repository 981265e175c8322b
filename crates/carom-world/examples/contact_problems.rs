//! Runs a scene with the nonsmooth method and prints the contact problem of every step as input for other solvers:
//! `contact_problems FILE`. `bench/nonsmooth.py` solves these problems with Siconos.
//!
//! The first line of JSON contains the step, gravity, and mass and inertia of the bodies. Each step is a line with the bodies at
//! its beginning (position, velocity, angular velocity, rotation as the columns of a matrix) and all sites that are nearly closed
//! at its middle or touch, found independently with [`carom_world::gap::gap`]: contact, site, two bodies, normal (out of the
//! first) and contact point at the middle and at the beginning, gap, and whether it touched before. The last line has the bodies
//! at the end.

use carom_world::gap::{Frame, gap, site_count};
use carom_world::math::{Mat3, Vec3};
use carom_world::{ContactMethod, Mobility, Run, Scene, World};

/// Largest gap, divided by the size of the smaller shape, of the sites that are printed.
const NEAR: f64 = 1e-6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("contact_problems FILE")?;
    let text = std::fs::read_to_string(&file)?;
    let scene = Scene::parse(&text, &|_| Err("scenes without files only".into()))?;
    let world = &scene.world;
    let ContactMethod::Nonsmooth { step, .. } = world.method else {
        return Err("the scene is not one of the nonsmooth method".into());
    };
    if !world.joints().is_empty() || !world.elements().is_empty() || !world.actuators().is_empty() {
        return Err("scenes of free bodies, contacts and gravity only".into());
    }
    let free = |body: usize| world.bodies()[body].mobility == Mobility::Free;
    let bodies: Vec<_> = world.bodies().iter().enumerate().collect();
    let given = bodies.iter().map(|(index, body)| {
        let mass = if free(*index) { format!("{:e}", body.mass) } else { "null".to_string() };
        format!(
            "{{\"name\": {:?}, \"mass\": {mass}, \"inertia\": {}}}",
            body.name,
            matrix(&body.inertia)
        )
    });
    let given: Vec<_> = given.collect();
    println!(
        "{{\"step\": {step:e}, \"planar\": {}, \"gravity\": {}, \"bodies\": [{}]}}",
        world.planar,
        vector(world.gravity),
        given.join(", ")
    );
    let mut run = Run::new(world)?;
    while run.state().time < scene.duration {
        println!("{{{}, \"sites\": [{}]}}", placements(&run), sites(world, &run, step)?.join(", "));
        run.step(scene.duration, &mut ())?;
    }
    println!("{{{}, \"sites\": []}}", placements(&run));
    Ok(())
}

/// Returns the current time and bodies as JSON.
fn placements(run: &Run) -> String {
    let world = run.world();
    let rows = (0..world.bodies().len()).map(|body| match run.state().body(world, body) {
        None => "null".to_string(),
        Some(pose) => {
            let turned = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| vector(pose.rotation.rotate(axis)));
            let moving = [pose.position, pose.velocity, pose.spin].map(vector).join(", ");
            format!("[{moving}, [{}]]", turned.join(", "))
        }
    });
    format!(
        "\"time\": {:e}, \"states\": [{}]",
        run.state().time,
        rows.collect::<Vec<_>>().join(", "),
    )
}

/// Returns the sites that are nearly closed at the middle of the step that begins now.
fn sites(world: &World, run: &Run, step: f64) -> Result<Vec<String>, carom::Error> {
    let frame = |shape: usize, time: f64| {
        let placed = &world.shapes()[shape];
        let body = &world.bodies()[placed.body];
        let (x, q) = match run.state().body(world, placed.body) {
            Some(pose) => {
                (pose.position + pose.velocity * time, pose.rotation.rotated_by(pose.spin * time))
            }
            None => (body.position, body.rotation),
        };
        Frame { origin: x + q.rotate(placed.position), rotation: q * placed.rotation }
    };
    let touching: Vec<_> =
        run.state().rigid_touches().iter().map(|touch| touch.site(world)).collect();
    let mut found = Vec::new();
    for (index, contact) in world.contacts().iter().enumerate() {
        let [a, b] = [contact.a, contact.b].map(|shape| &world.shapes()[shape]);
        let size = a.shape.reach().min(b.shape.reach());
        let gap_after = |time: f64, site: usize| {
            gap(&a.shape, &frame(contact.a, time), &b.shape, &frame(contact.b, time), site)
        };
        for site in 0..site_count(&a.shape, &b.shape)? {
            let (before, gap) = (gap_after(0.0, site), gap_after(0.5 * step, site));
            let touching = touching.contains(&(index, site));
            if touching || gap.distance <= NEAR * size {
                found.push(format!(
                    "{{\"contact\": {:?}, \"site\": {site}, \"a\": {}, \"b\": {}, \"size\": {size:e}, \"normal\": {}, \
                     \"point\": {}, \"normal_before\": {}, \"point_before\": {}, \"gap\": {:e}, \"touching\": {touching}}}",
                    contact.name,
                    a.body,
                    b.body,
                    vector(gap.normal),
                    vector(gap.point),
                    vector(before.normal),
                    vector(before.point),
                    gap.distance,
                ));
            }
        }
    }
    Ok(found)
}

fn vector(v: Vec3) -> String {
    format!("[{:e}, {:e}, {:e}]", v.x, v.y, v.z)
}

fn matrix(m: &Mat3) -> String {
    let columns = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| vector(m.of(axis)));
    format!("[{}]", columns.join(", "))
}
