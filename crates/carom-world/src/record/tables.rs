//! The tables of a scene and of a bed of grains, column by column: the one list that files, documents and
//! Python are made from.

use super::rows::{Field, Kind, Table};

const fn real(name: &'static str, unit: &'static str, about: &'static str) -> Field {
    Field { name, unit, kind: Kind::Real, about }
}

const fn whole(name: &'static str, about: &'static str) -> Field {
    Field { name, unit: "", kind: Kind::Whole, about }
}

const fn word(name: &'static str, about: &'static str) -> Field {
    Field { name, unit: "", kind: Kind::Word, about }
}

const TIME: Field = real("time_s", "s", "time");

const WHERE: &[Field] = &[
    TIME,
    word("body", "name of the body"),
    real("x_m", "m", "centre of mass"),
    real("y_m", "m", ""),
    real("z_m", "m", ""),
    real("qw", "", "unit quaternion from the axes of the body to those of the world"),
    real("qx", "", ""),
    real("qy", "", ""),
    real("qz", "", ""),
    real("vx_m_per_s", "m/s", "velocity of the centre of mass"),
    real("vy_m_per_s", "m/s", ""),
    real("vz_m_per_s", "m/s", ""),
    real("wx_rad_per_s", "rad/s", "angular velocity, in the axes of the world"),
    real("wy_rad_per_s", "rad/s", ""),
    real("wz_rad_per_s", "rad/s", ""),
];

/// Where the bodies are.
pub const TRAJECTORY: Table = Table {
    name: "trajectory",
    about: "One row for each body that moves, at every `sample`.",
    fields: WHERE,
};

/// Where bodies are while they touch.
pub const TRAJECTORY_BETWEEN: Table = Table {
    name: "trajectory_between",
    about: "The same between two samples: one row for each body that moves and touches, at the instants of \
            `contacts` that are no sample.",
    fields: WHERE,
};

/// Contact forces.
pub const CONTACTS: Table = Table {
    name: "contacts",
    about: "One row for each touch, at every `sample` and some forty times more through an impact, so that no \
            force curve falls between two samples.",
    fields: &[
        TIME,
        word("contact", "name of the contact"),
        whole("place", "which of the places where its shapes may touch"),
        real("indentation_m", "m", "positive in contact"),
        real("rate_m_per_s", "m/s", "its rate, positive while approaching"),
        real("force_N", "N", "normal force, positive when it pushes"),
        real("friction_N", "N", "size of the tangential force"),
        real("x_m", "m", "where it acts"),
        real("y_m", "m", ""),
        real("z_m", "m", ""),
        real("nx", "", "normal, out of the first body into the second"),
        real("ny", "", ""),
        real("nz", "", ""),
        real("fx_N", "N", "force on the second body, friction included"),
        real("fy_N", "N", ""),
        real("fz_N", "N", ""),
    ],
};

const LEDGER_OF_ALL: &[Field] = &[
    TIME,
    real("kinetic_J", "J", "of all bodies"),
    real("potential_J", "J", "in the field of gravity and in springs"),
    real("stored_J", "J", "what contacts would give back, springs of friction included"),
    real("lost_in_contacts_J", "J", "lost by the contact laws so far"),
    real("lost_to_friction_J", "J", "lost to friction and rolling resistance so far"),
    real("lost_in_dampers_J", "J", "lost in dampers and drag so far"),
    real("work_of_forces_J", "J", "done by applied forces so far"),
    real("work_of_drives_J", "J", "done by what is driven, and by constraints, so far"),
    real("error_J", "J", "what is unaccounted for: the numerical error"),
];

/// The ledger of the whole scene.
pub const ENERGIES: Table = Table {
    name: "energies",
    about: "The ledger of the whole scene, at every `sample`: kinetic + potential + stored = what there was at \
            the start + works − losses + error.",
    fields: LEDGER_OF_ALL,
};

/// The ledger while bodies touch.
pub const ENERGIES_BETWEEN: Table = Table {
    name: "energies_between",
    about: "The same between two samples, at the instants of `contacts` that are no sample.",
    fields: LEDGER_OF_ALL,
};

/// Touches and partings.
pub const EVENTS: Table = Table {
    name: "events",
    about: "One row for every touch that begins (`touch`) and ends (`part`), located in time.",
    fields: &[
        TIME,
        word("event", "`touch` or `part`"),
        word("contact", "name of the contact"),
        whole("place", "which of the places where its shapes may touch"),
        real(
            "speed_m_per_s",
            "m/s",
            "approach speed, or the speed of separation when the force vanished",
        ),
        real("begun_s", "s", "when the touch began (`part` only, like all that follow)"),
        real("indentation_max_m", "m", "largest indentation"),
        real("force_max_N", "N", "largest normal force"),
        real("lost_J", "J", "lost by the contact law in this touch"),
        real("friction_J", "J", "lost to friction in this touch"),
    ],
};

/// The ledger of every contact.
pub const LEDGER: Table = Table {
    name: "ledger",
    about: "The ledger of each contact, at every `sample`. Its sums are the columns of `energies`.",
    fields: &[
        TIME,
        word("contact", "name of the contact"),
        whole("touches", "touches so far, those that still last among them"),
        whole("touching", "touches that last"),
        real("stored_J", "J", "what it would give back"),
        real("lost_J", "J", "lost by its law so far"),
        real("friction_J", "J", "lost to friction and rolling resistance so far"),
    ],
};

/// Tables of a scene of bodies, in the order of their numbers.
pub const BODIES: [&Table; 7] =
    [&TRAJECTORY, &CONTACTS, &ENERGIES, &EVENTS, &LEDGER, &TRAJECTORY_BETWEEN, &ENERGIES_BETWEEN];

/// Where the grains are.
pub const SNAPSHOTS: Table = Table {
    name: "grains",
    about: "One row for each grain, at every `snapshot`.",
    fields: &[
        TIME,
        whole("grain", "number of the grain, from 0"),
        real("radius_m", "m", "radius"),
        real("x_m", "m", "centre"),
        real("y_m", "m", ""),
        real("z_m", "m", ""),
        real("vx_m_per_s", "m/s", "velocity"),
        real("vy_m_per_s", "m/s", ""),
        real("vz_m_per_s", "m/s", ""),
        real("wx_rad_per_s", "rad/s", "angular velocity"),
        real("wy_rad_per_s", "rad/s", ""),
        real("wz_rad_per_s", "rad/s", ""),
    ],
};

/// Contact forces among grains.
pub const TOUCHES: Table = Table {
    name: "contacts",
    about: "One row for each pair that touches, at every `snapshot`.",
    fields: &[
        TIME,
        whole("grain", "first grain"),
        whole("other", "second grain, or the number of the wall, from 0"),
        word("with", "what the second is: `grain` or `wall`"),
        real("indentation_m", "m", "positive in contact"),
        real("force_N", "N", "normal force, positive when it pushes"),
        real("friction_N", "N", "size of the tangential force"),
        real("fx_N", "N", "force on the first grain"),
        real("fy_N", "N", ""),
        real("fz_N", "N", ""),
    ],
};

/// The ledger of a bed.
pub const BED: Table = Table {
    name: "energies",
    about: "The ledger of the bed, at every `sample`.",
    fields: &[
        TIME,
        real("kinetic_J", "J", "of all grains, spinning included"),
        real("potential_J", "J", "in the field of gravity"),
        real("stored_J", "J", "what contacts would give back, tangential springs included"),
        real(
            "lost_in_contacts_J",
            "J",
            "lost by the contact law, and to the error of the fixed step, so far",
        ),
        real("lost_to_friction_J", "J", "lost to friction so far"),
        real("lost_to_rolling_J", "J", "lost to rolling resistance so far"),
        real(
            "error_J",
            "J",
            "what is unaccounted for: rounding, as works are summed as the steps make them; it does not tell the error of the step",
        ),
        whole("pairs", "pairs of grains that touch"),
        whole("wall_contacts", "grains that touch a wall, once for each wall"),
        real("coordination", "", "grains that a grain touches, on average"),
        real("overlap_max", "", "largest indentation as a share of the smaller radius"),
        real("height_m", "m", "mean height of the centres, against gravity"),
        real(
            "restitution_error",
            "",
            "error of the fixed step: how far it puts a restitution off, at most, at the fastest touch so far",
        ),
    ],
};

/// Tables of a bed of grains, in the order of their numbers.
pub const GRAINS: [&Table; 3] = [&SNAPSHOTS, &TOUCHES, &BED];

/// All tables as Markdown, for `carom simulate --columns` and docs/reference/tables.md.
pub fn markdown() -> String {
    let list =
        |tables: &[&Table]| tables.iter().map(|t| t.markdown()).collect::<Vec<_>>().join("\n");
    format!(
        "## Tables of a scene of bodies\n\n{}\n## Tables of a bed of grains\n\n{}",
        list(&BODIES),
        list(&GRAINS)
    )
}
