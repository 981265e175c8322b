//! Tables of a bed of grains.

use super::shared::{ARMS, LAW, MATERIAL};
use super::{
    TableFormat, direction, flag, length, list, number, quantity, table, tables, text, vector,
};
use carom::units::Dimension;

/// A bed of grains.
pub(super) static GRAINS: TableFormat = TableFormat {
    meaning: "A bed of spheres with one fixed step for all. Grains begin on a lattice (`count`) or where a `file` puts \
              them, inside a box with a floor and four sides (`width`).",
    keys: &[
        &[
            number("count", "how many grains, on a randomly shifted lattice from which they fall"),
            text("file", "positions instead: one grain a line, x y z or x y z radius"),
            text("unit", "unit of the lengths in `file`").absent_means("m"),
            length("radius", "radius of all grains").positive(),
            list("radii", Dimension::LENGTH, "several radii instead, at most 16"),
            list("shares", Dimension::NUMBER, "how many grains have each of the `radii`, by number").absent_means("equal shares"),
        ],
        MATERIAL,
        &[
            list("width", Dimension::LENGTH, "the box, from 0 to here along x and y").absent_means("no sides; needed by `count` and `periodic`"),
            flag("periodic", "the box repeats along x and y and has no sides").with_default("false"),
            flag("floor", "there is a floor at z = 0").with_default("true"),
            tables("wall", &WALL, "more planes"),
            number("seed", "starts the random numbers").with_default("1"),
            vector("velocity", Dimension::SPEED, "velocity of all grains at the start").with_default("[0, 0, 0]"),
            quantity("shake", Dimension::SPEED, "largest random velocity added along each axis").with_default("0"),
            quantity("speed", Dimension::SPEED, "the fastest expected impact, for the choice of the step").positive().absent_means("that of a fall from the top"),
            quantity("snapshot", Dimension::TIME, "time between two rows of the tables `grains` and `contacts`").positive().absent_means("duration/20"),
            table("contact", &CONTACT, "how grains touch").required("add [grains.contact] with law = \"tsuji-1992\" and restitution = 0.8"),
            table("wall_contact", &WALL_CONTACT, "how grains touch walls, where that differs").absent_means("as grains touch each other"),
        ],
    ],
};

static WALL: TableFormat = TableFormat {
    meaning: "A plane that grains touch.",
    keys: &[&[
        vector("point", Dimension::LENGTH, "a point of the plane").with_default("[0, 0, 0]"),
        direction("normal", "its normal, towards the grains").required("towards the grains, such as [0, 0, 1]"),
    ]],
};

static CONTACT: TableFormat = TableFormat {
    meaning: "The law between grains, for each pair of sizes; any law of `carom models` but those that pull across a gap.",
    keys: &[
        LAW,
        &[
            table("friction", &FRICTION, "a tangential spring with history").absent_means("no friction"),
            table("rolling", &ROLLING, "resistance to rolling").absent_means("none"),
        ],
    ],
};

static WALL_CONTACT: TableFormat = TableFormat {
    meaning: "The law between grains and walls, and what walls are made of.",
    keys: &[MATERIAL, LAW],
};

static FRICTION: TableFormat = TableFormat {
    meaning: "A tangential spring that follows the contact and slides at μ times the normal force.",
    keys: &[&[
        number("coefficient", "coefficient of friction μ").not_negative().required("give it as a number"),
        quantity("stiffness", Dimension::stiffness(1.0), "tangential stiffness").not_negative().absent_means("2/7 of the normal one at the fastest impact"),
        flag("mindlin", "stiffness after Mindlin, from the material and the indentation").with_default("false"),
        number("damping_ratio", "share of critical damping").not_negative().absent_means("that of the restitution, at least 0.05"),
    ]],
};

static ROLLING: TableFormat = TableFormat {
    meaning: "Couples that resist rolling and spinning: each is the normal force times a lever arm.",
    keys: &[
        ARMS,
        &[quantity("speed", Dimension::FREQUENCY, "angular speed at which the couple is fully there").with_default("0.1")],
    ],
};
