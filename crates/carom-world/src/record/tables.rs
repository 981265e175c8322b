//! Tables of a scene of bodies and of a bed of grains, column by column. Each table is declared once, with the functions
//! that read its values; writers, readers, documents and the Python package follow from these declarations.

use crate::grains::{BedContact, BedEnergies, Partner};
use crate::ledger::ContactEnergy;
use crate::math::Vec3;
use crate::measure::{JointMotion, Reading};
use crate::{ContactForce, EndedTouch, Energies, Pose};
use carom_store::table::{Declaration, Schema, Table, integer, real, text};

/// State of a body, joint, sensor or contact at an instant.
pub struct Row<T> {
    /// Time (s).
    pub time: f64,
    /// Index of the body, joint, sensor or contact.
    pub index: usize,
    /// Its state or reading.
    pub value: T,
}

const BODY: &[Declaration<Row<Pose>>] = &[
    real("time_s", "s", "time", |row| row.time),
    text("body", "name of the body", |row| row.index as u32),
    real("x_m", "m", "centre of mass", |row| row.value.position.x),
    real("y_m", "m", "", |row| row.value.position.y),
    real("z_m", "m", "", |row| row.value.position.z),
    real("qw", "", "unit quaternion from the axes of the body to those of the world", |row| row.value.rotation.w),
    real("qx", "", "", |row| row.value.rotation.v.x),
    real("qy", "", "", |row| row.value.rotation.v.y),
    real("qz", "", "", |row| row.value.rotation.v.z),
    real("vx_m_per_s", "m/s", "velocity of the centre of mass", |row| row.value.velocity.x),
    real("vy_m_per_s", "m/s", "", |row| row.value.velocity.y),
    real("vz_m_per_s", "m/s", "", |row| row.value.velocity.z),
    real("wx_rad_per_s", "rad/s", "angular velocity, in the axes of the world", |row| row.value.spin.x),
    real("wy_rad_per_s", "rad/s", "", |row| row.value.spin.y),
    real("wz_rad_per_s", "rad/s", "", |row| row.value.spin.z),
];

/// Table of poses and velocities of the bodies.
pub const TRAJECTORY: Table<Row<Pose>> = Table {
    name: "trajectory",
    about: "One row for each body that moves, at every `sample`.",
    columns: BODY,
};

/// Table of poses and velocities of bodies in contact, between samples.
pub const TRAJECTORY_BETWEEN: Table<Row<Pose>> = Table {
    name: "trajectory_between",
    about: "Poses and velocities between samples: one row for each moving body in contact, at the instants of \
            `contacts` that are not samples.",
    columns: BODY,
};

/// Force of a contact at an instant.
pub struct ContactRow {
    /// Time (s).
    pub time: f64,
    /// Force of the contact.
    pub force: ContactForce,
}

/// Table of contact forces.
pub const CONTACTS: Table<ContactRow> = Table {
    name: "contacts",
    about: "One row for each touch, at every `sample` and some forty times more through an impact, so that no \
            force curve falls between two samples. With the nonsmooth method there are rows at every `sample` only: forces are means over the \
            preceding step (impulse over step), and the indentation is the overlap after that step.",
    columns: &[
        real("time_s", "s", "time", |row| row.time),
        text("contact", "name of the contact", |row| row.force.contact as u32),
        integer("site", "which of the sites of its two shapes", |row| row.force.site as u64),
        real("indentation_m", "m", "positive in contact", |row| row.force.indentation),
        real("rate_m_per_s", "m/s", "its rate, positive while approaching", |row| row.force.rate),
        real("force_N", "N", "normal force, positive when it pushes", |row| row.force.force),
        real("friction_N", "N", "size of the tangential force", |row| row.force.friction.length()),
        real("x_m", "m", "where it acts", |row| row.force.point.x),
        real("y_m", "m", "", |row| row.force.point.y),
        real("z_m", "m", "", |row| row.force.point.z),
        real("nx", "", "normal, out of the first body into the second", |row| row.force.normal.x),
        real("ny", "", "", |row| row.force.normal.y),
        real("nz", "", "", |row| row.force.normal.z),
        real("fx_N", "N", "force on the second body, friction included", |row| row.force.total().x),
        real("fy_N", "N", "", |row| row.force.total().y),
        real("fz_N", "N", "", |row| row.force.total().z),
        real("cx_N_m", "N m", "couple on the second body against rolling and spinning", |row| row.force.couple.x),
        real("cy_N_m", "N m", "", |row| row.force.couple.y),
        real("cz_N_m", "N m", "", |row| row.force.couple.z),
    ],
};

/// Table of coordinates and reactions of the joints.
pub const JOINTS: Table<Row<JointMotion>> = Table {
    name: "joints",
    about: "One row for each ideal joint, at every `sample`.",
    columns: &[
        real("time_s", "s", "time", |row| row.time),
        text("joint", "name of the joint", |row| row.index as u32),
        real("angle_rad", "rad", "angle of the first body about the axis, beyond full turns; empty where the joint has none", |row| row.value.angle),
        real("angle_rate_rad_per_s", "rad/s", "its rate", |row| row.value.angle_rate),
        real("slide_m", "m", "way of the first body along the axis; empty where the joint has none", |row| row.value.slide),
        real("slide_rate_m_per_s", "m/s", "its rate", |row| row.value.slide_rate),
        real("fx_N", "N", "force of the joint on the first body, in the axes of the world", |row| row.value.force.x),
        real("fy_N", "N", "", |row| row.value.force.y),
        real("fz_N", "N", "", |row| row.value.force.z),
        real("mx_N_m", "N m", "moment on the first body about the point of the joint on it; that of a drive and of friction is included, that of springs and motors is not", |row| row.value.moment.x),
        real("my_N_m", "N m", "", |row| row.value.moment.y),
        real("mz_N_m", "N m", "", |row| row.value.moment.z),
    ],
};

/// Table of accelerations of the bodies.
pub const ACCELERATIONS: Table<Row<(Vec3, Vec3)>> = Table {
    name: "accelerations",
    about: "One row for each body that moves, at every `sample`.",
    columns: &[
        real("time_s", "s", "time", |row| row.time),
        text("body", "name of the body", |row| row.index as u32),
        real("ax_m_per_s2", "m/s^2", "acceleration of the centre of mass, in the axes of the world", |row| row.value.0.x),
        real("ay_m_per_s2", "m/s^2", "", |row| row.value.0.y),
        real("az_m_per_s2", "m/s^2", "", |row| row.value.0.z),
        real("alphax_rad_per_s2", "rad/s^2", "angular acceleration, in the axes of the world", |row| row.value.1.x),
        real("alphay_rad_per_s2", "rad/s^2", "", |row| row.value.1.y),
        real("alphaz_rad_per_s2", "rad/s^2", "", |row| row.value.1.z),
    ],
};

/// Table of readings of the sensors.
pub const SENSORS: Table<Row<Reading>> = Table {
    name: "sensors",
    about: "One row for each `[[sensor]]`, at every `sample` and, while bodies touch, at the instants of `contacts` in between, so \
            that no peak falls between two samples.",
    columns: &[
        real("time_s", "s", "time", |row| row.time),
        text("sensor", "name of the sensor", |row| row.index as u32),
        text("unit", "SI unit of what it measures", |row| row.index as u32),
        real("x", "", "the number, or the first component of a vector, in the axes that the sensor asks for", |row| row.value.numbers()[0]),
        real("y", "", "second component of a vector", |row| row.value.numbers()[1]),
        real("z", "", "third component of a vector", |row| row.value.numbers()[2]),
        real("size", "", "length of the vector, or the absolute value of the number", |row| row.value.size()),
    ],
};

/// Energy ledger of a scene at an instant.
pub struct EnergyRow {
    /// Time (s).
    pub time: f64,
    /// The energies.
    pub energies: Energies,
}

const ENERGY: &[Declaration<EnergyRow>] = &[
    real("time_s", "s", "time", |row| row.time),
    real("kinetic_J", "J", "of all bodies", |row| row.energies.kinetic),
    real("potential_J", "J", "in the field of gravity and in springs", |row| row.energies.potential),
    real("stored_J", "J", "stored in contacts, springs of friction included", |row| row.energies.stored),
    real("lost_in_contacts_J", "J", "lost by the contact laws so far", |row| row.energies.lost_in_contacts),
    real("lost_to_friction_J", "J", "lost to friction and rolling resistance so far", |row| row.energies.lost_to_friction),
    real("lost_in_dampers_J", "J", "lost in dampers, drag and the friction of joints so far", |row| row.energies.lost_in_dampers),
    real("work_of_forces_J", "J", "done by applied forces and motors so far", |row| row.energies.work_of_forces),
    real("work_of_drives_J", "J", "done by what is driven, and by constraints, so far", |row| row.energies.work_of_drives),
    real("error_J", "J", "missing from the balance: the numerical error", |row| row.energies.error),
];

/// Table of the energy ledger of the scene.
pub const ENERGIES: Table<EnergyRow> = Table {
    name: "energies",
    about: "The ledger of the whole scene, at every `sample`: kinetic + potential + stored = what there was at \
            the start + works − losses + error.",
    columns: ENERGY,
};

/// Table of the energy ledger between samples, while bodies touch.
pub const ENERGIES_BETWEEN: Table<EnergyRow> = Table {
    name: "energies_between",
    about: "The energy ledger between samples, at the instants of `contacts` that are not samples.",
    columns: ENERGY,
};

/// Beginning or end of a touch.
pub struct EventRow {
    /// Index into [`EVENT_KINDS`].
    pub kind: u32,
    /// Time (s).
    pub time: f64,
    /// Approach speed at the beginning, or separation speed at the end (m/s).
    pub speed: f64,
    /// The touch; at its beginning everything except contact, site and class is NaN.
    pub touch: EndedTouch,
}

/// Kinds of events.
pub const EVENT_KINDS: [&str; 2] = ["touch", "part"];

/// Table of onsets and separations.
pub const EVENTS: Table<EventRow> = Table {
    name: "events",
    about: "One row for every touch that begins (`touch`) and ends (`part`), located in time; of the nonsmooth method at the \
            ends of the step in which it happens.",
    columns: &[
        real("time_s", "s", "time", |row| row.time),
        text("event", "`touch` or `part`", |row| row.kind),
        text("contact", "name of the contact", |row| row.touch.contact as u32),
        integer("site", "which of the sites of its two shapes", |row| row.touch.site as u64),
        real("speed_m_per_s", "m/s", "approach speed, or the speed of separation when the force vanished", |row| row.speed),
        text("class", "class of impact by which it began: `central collinear`, `central oblique`, `eccentric collinear` or `eccentric oblique`", |row| row.touch.class.number() as u32),
        real("begun_s", "s", "when the touch began (`part` only, like all that follow)", |row| row.touch.begun),
        real("indentation_max_m", "m", "largest indentation (not nonsmooth)", |row| row.touch.indentation_max),
        real("force_max_N", "N", "largest normal force (not nonsmooth)", |row| row.touch.force_max),
        real("lost_J", "J", "lost by the contact law in this touch", |row| row.touch.lost),
        real("friction_J", "J", "lost to friction in this touch", |row| row.touch.friction),
        real("impulse_N_s", "N s", "normal impulse of this touch (nonsmooth only)", |row| row.touch.impulse),
        real("friction_impulse_N_s", "N s", "sum of the sizes of its tangential impulses (nonsmooth only)", |row| row.touch.friction_impulse),
    ],
};

/// Table of the energy ledger of every contact.
pub const LEDGER: Table<Row<ContactEnergy>> = Table {
    name: "ledger",
    about: "The ledger of each contact, at every `sample`. Its sums are the columns of `energies`.",
    columns: &[
        real("time_s", "s", "time", |row| row.time),
        text("contact", "name of the contact", |row| row.index as u32),
        integer("touches", "touches so far, those that still last among them", |row| row.value.touches as u64),
        integer("touching", "touches that last", |row| row.value.touching as u64),
        real("stored_J", "J", "what it would give back", |row| row.value.stored),
        real("lost_J", "J", "lost by its law so far", |row| row.value.lost),
        real("friction_J", "J", "lost to friction and rolling resistance so far", |row| row.value.friction),
    ],
};

/// State of a grain at an instant.
pub struct GrainRow {
    /// Time (s).
    pub time: f64,
    /// Number of the grain.
    pub grain: usize,
    /// Radius (m).
    pub radius: f64,
    /// Position of the centre (m).
    pub position: Vec3,
    /// Velocity (m/s).
    pub velocity: Vec3,
    /// Angular velocity (rad/s).
    pub spin: Vec3,
}

/// Table of positions and velocities of the grains.
pub const GRAINS: Table<GrainRow> = Table {
    name: "grains",
    about: "One row for each grain, at every `snapshot`.",
    columns: &[
        real("time_s", "s", "time", |row| row.time),
        integer("grain", "number of the grain, from 0", |row| row.grain as u64),
        real("radius_m", "m", "radius", |row| row.radius),
        real("x_m", "m", "centre", |row| row.position.x),
        real("y_m", "m", "", |row| row.position.y),
        real("z_m", "m", "", |row| row.position.z),
        real("vx_m_per_s", "m/s", "velocity", |row| row.velocity.x),
        real("vy_m_per_s", "m/s", "", |row| row.velocity.y),
        real("vz_m_per_s", "m/s", "", |row| row.velocity.z),
        real("wx_rad_per_s", "rad/s", "angular velocity", |row| row.spin.x),
        real("wy_rad_per_s", "rad/s", "", |row| row.spin.y),
        real("wz_rad_per_s", "rad/s", "", |row| row.spin.z),
    ],
};

/// A contact of a grain at an instant.
pub struct GrainContactRow {
    /// Time (s).
    pub time: f64,
    /// The contact.
    pub contact: BedContact,
}

impl GrainContactRow {
    /// Returns the number of the second member, and its kind as index into [`PARTNERS`].
    fn partner(&self) -> (u32, u32) {
        match self.contact.b {
            Partner::Grain(grain) => (grain, 0),
            Partner::Wall(wall) => (wall, 1),
        }
    }

    /// Returns the size of the tangential force (N), the part of the force perpendicular to the normal.
    fn friction(&self) -> f64 {
        let BedContact { force, load, .. } = self.contact;
        (force.dot(force) - load * load).max(0.0).sqrt()
    }
}

/// Kinds of partners with which a grain can be in contact.
pub const PARTNERS: [&str; 2] = ["grain", "wall"];

/// Table of contact forces of grains.
pub const GRAIN_CONTACTS: Table<GrainContactRow> = Table {
    name: "contacts",
    about: "One row for each pair that touches, at every `snapshot`.",
    columns: &[
        real("time_s", "s", "time", |row| row.time),
        integer("grain", "first grain", |row| u64::from(row.contact.a)),
        integer("other", "second grain, or the number of the wall, from 0", |row| u64::from(row.partner().0)),
        text("with", "what the second is: `grain` or `wall`", |row| row.partner().1),
        real("indentation_m", "m", "positive in contact", |row| row.contact.delta),
        real("force_N", "N", "normal force, positive when it pushes", |row| row.contact.load),
        real("friction_N", "N", "size of the tangential force", |row| row.friction()),
        real("fx_N", "N", "force on the first grain", |row| row.contact.force.x),
        real("fy_N", "N", "", |row| row.contact.force.y),
        real("fz_N", "N", "", |row| row.contact.force.z),
    ],
};

/// Energy ledger and packing of a bed at an instant.
pub struct BedRow {
    /// Time (s).
    pub time: f64,
    /// Energies, contacts and height.
    pub bed: BedEnergies,
    /// Largest change of a restitution due to the fixed step.
    pub restitution_error: f64,
}

/// Table of the energy ledger of a bed.
pub const BED_ENERGIES: Table<BedRow> = Table {
    name: "energies",
    about: "The ledger of the bed, at every `sample`.",
    columns: &[
        real("time_s", "s", "time", |row| row.time),
        real("kinetic_J", "J", "of all grains, spinning included", |row| row.bed.kinetic),
        real("potential_J", "J", "in the field of gravity", |row| row.bed.potential),
        real("stored_J", "J", "stored in contacts, tangential springs included", |row| row.bed.stored),
        real("lost_in_contacts_J", "J", "lost by the contact law, and to the error of the fixed step, so far", |row| row.bed.lost_in_contacts),
        real("lost_to_friction_J", "J", "lost to friction so far", |row| row.bed.lost_to_friction),
        real("lost_to_rolling_J", "J", "lost to rolling resistance so far", |row| row.bed.lost_to_rolling),
        real("error_J", "J", "missing from the balance: rounding, because works are summed as the steps do them; it does not contain the error of the step", |row| row.bed.error),
        integer("pairs", "pairs of grains that touch", |row| row.bed.pairs),
        integer("wall_contacts", "grains that touch a wall, once for each wall", |row| row.bed.wall_contacts),
        real("coordination", "", "grains that a grain touches, on average", |row| row.bed.coordination),
        real("overlap_max", "", "largest indentation as a share of the smaller radius", |row| row.bed.overlap_max),
        real("height_m", "m", "mean height of the centres, against gravity", |row| row.bed.height),
        real("restitution_error", "", "largest error in restitution that the fixed step causes, for the fastest touch so far", |row| row.restitution_error),
    ],
};

/// Returns the tables of a scene of bodies.
pub fn of_bodies() -> [Schema; 10] {
    [
        TRAJECTORY.schema(),
        CONTACTS.schema(),
        ENERGIES.schema(),
        EVENTS.schema(),
        LEDGER.schema(),
        TRAJECTORY_BETWEEN.schema(),
        ENERGIES_BETWEEN.schema(),
        JOINTS.schema(),
        ACCELERATIONS.schema(),
        SENSORS.schema(),
    ]
}

/// Returns the tables of a bed of grains.
pub fn of_grains() -> [Schema; 3] {
    [GRAINS.schema(), GRAIN_CONTACTS.schema(), BED_ENERGIES.schema()]
}

/// Returns all tables as Markdown, for the command and docs/reference/tables.md.
pub fn markdown() -> String {
    let list =
        |tables: &[Schema]| tables.iter().map(Schema::markdown).collect::<Vec<_>>().join("\n");
    format!(
        "## Tables of a scene of bodies\n\n{}\n## Tables of a bed of grains\n\n{}",
        list(&of_bodies()),
        list(&of_grains())
    )
}
