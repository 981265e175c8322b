//! Tables of joints, motors and sensors.

use super::shared::{BETWEEN, LAW, MOTION, MOUNT, NAME, kind, of_motion};
use super::{
    Key, TableFormat, Value, choice, direction, flag, quantity_in_words, length, points, table, text, vector,
};
use crate::joint::Kind;
use carom::units::Dimension;

pub(super) static JOINT: TableFormat = TableFormat {
    meaning: "An ideal joint, at a point and along an axis of the world where the bodies start, or at `points` and along `axes` of the two \
              bodies, which are then moved together. A revolute or cylindrical joint may be driven by its `angle`, a prismatic or \
              cylindrical one by its `slide`. Springs, friction and motors act on the same coordinates and on the angle of a planar joint; stops on \
              those of revolute, prismatic and cylindrical joints.",
    keys: &[
        &[
            NAME.absent_means("`joint 1`, …"),
            kind(|| Kind::ALL.map(|(name, _)| name).to_vec()),
            BETWEEN,
        ],
        MOUNT,
        &[
            direction("second_axis", "`universal`: the axis that the second body turns about, at right angles to `axis`, which the first body turns about; needed"),
            points("points", Dimension::LENGTH, "its point on the first body and on the second, in the axes of each, from its centre of mass")
                .absent_means("`point` on both"),
            points("axes", Dimension::NUMBER, "its axis on the first body and on the second, in the axes of each, with `points`; `universal`: the axes that they turn about, needed")
                .absent_means("`axis` on both"),
            table("angle", &JOINT_MOTION, "drives the angle"),
            table("slide", &JOINT_MOTION, "drives the slide"),
            table("spring", &JOINT_SPRING, "a spring and damper on its angle or slide"),
            table("friction", &JOINT_FRICTION, "Coulomb and viscous friction"),
            table("stops", &STOPS, "limits of its angle or slide, with a contact law"),
        ],
    ],
};

static JOINT_MOTION: TableFormat = TableFormat {
    meaning: "The angle (rad) or slide (m) of a driven joint as a function of time: steady, sine, table or record.",
    keys: &[MOTION],
};

/// Key for the coordinate on which an element acts.
const COORDINATE: Key = choice("coordinate", || vec!["angle", "slide"], "of a cylindrical joint: which of the two it acts on")
    .absent_means("the only one of the joint");

static JOINT_SPRING: TableFormat = TableFormat {
    meaning: "A linear spring and damper on the angle of a revolute, cylindrical or planar joint or the slide of a prismatic or cylindrical one. \
              Angles are counted beyond full turns.",
    keys: &[&[
        COORDINATE,
        quantity_in_words("stiffness", "N m (per rad), or N/m", "stiffness").absent_means("0"),
        quantity_in_words("damping", "N m s (per rad), or N s/m", "damping coefficient").absent_means("0"),
        of_motion("rest", 0, "angle or slide at which it carries nothing; both are 0 where the bodies start").with_default("0"),
    ]],
};

static JOINT_FRICTION: TableFormat = TableFormat {
    meaning: "Friction along the angle or slide of a joint: a torque or force of constant size against the motion, which holds the joint at rest \
              until it is overcome, and a viscous one. It does not depend on the load; where it should, make the joint a `[[clearance]]` with \
              friction. The nonsmooth method solves it together with the contacts: an impulse of at most step times `coulomb`.",
    keys: &[&[
        COORDINATE,
        quantity_in_words("coulomb", "N m, or N", "size of the constant torque or force").absent_means("0"),
        quantity_in_words("viscous", "N m s (per rad), or N s/m", "viscous coefficient").absent_means("0"),
    ]],
};

static STOPS: TableFormat = TableFormat {
    meaning: "Limits of the angle or slide. Beyond one, the contact law acts: on a slide the indentation is the distance beyond the limit, on an angle \
              that distance at a finger whose length is `arm`. Stops are contacts named `JOINT lower` and `JOINT upper`.",
    keys: &[
        &[
            COORDINATE,
            of_motion("lower", 0, "least angle or slide").absent_means("no lower stop"),
            of_motion("upper", 0, "largest angle or slide").absent_means("no upper stop"),
            length("arm", "of an angle: distance of the stop from the axis, needed").positive(),
        ],
        LAW,
    ],
};

pub(super) static MOTOR: TableFormat = TableFormat {
    meaning: "A motor turns the first body of a joint against the second about its axis, pushes it along that axis, or pushes two \
              points apart. It exerts one of: `effort`, a torque or force over time; gain·(speed − rate), a servo for `speed`; \
              stiffness·(position − value) + damping·(its rate − rate), a controller for `position`; or what a `controller` in Python says.",
    keys: &[
        &[
            NAME.absent_means("`motor 1`, …"),
            text("joint", "the joint that it is on"),
            COORDINATE,
            Key::new("between", Value::Pair, "the two bodies, where it is on no joint"),
            vector("from", Dimension::LENGTH, "the point of the first body, in the world at the start").absent_means("its position"),
            vector("to", Dimension::LENGTH, "the point of the second body, in the world at the start").absent_means("its position"),
            table("effort", &MOTOR_MOTION, "torque or force over time"),
            table("speed", &MOTOR_MOTION, "speed that is asked for over time, with `gain`"),
            quantity_in_words("gain", "N m s (per rad), or N s/m", "torque or force per difference of speed, with `speed`; needed"),
            table("position", &MOTOR_MOTION, "angle, slide or distance that is asked for over time, with `stiffness` and `damping`"),
            quantity_in_words("stiffness", "N m (per rad), or N/m", "torque or force per difference of position, with `position`; needed"),
            quantity_in_words("damping", "N m s (per rad), or N s/m", "torque or force per difference of speed, with `position`").absent_means("0"),
            flag("controller", "a function in Python says the torque or force, which is held for `control_interval` of [simulation]").with_default("false"),
            quantity_in_words("limit", "N m, or N", "largest torque or force, in both directions").absent_means("none"),
        ],
    ],
};

static MOTOR_MOTION: TableFormat = TableFormat {
    meaning: "A function of time: steady, sine or table.",
    keys: &[MOTION],
};

/// Quantities that sensors measure, in the order in which documents list them.
pub(crate) const MEASURES: [&str; 14] = [
    "position", "velocity", "acceleration", "angular_velocity", "angular_acceleration", "angle", "angle_rate", "slide", "slide_rate",
    "reaction_force", "reaction_moment", "contact_force", "contact_moment", "effort",
];

pub(super) static SENSOR: TableFormat = TableFormat {
    meaning: "A quantity of a point of a `body` (position, velocity, acceleration), of a body (angular_velocity, angular_acceleration), of a \
              `joint` (angle, slide, their rates, reaction on the first body), of a `contact` (force and moment on the second body) or of a \
              `motor` (effort). The table `sensors` has a row for each.",
    keys: &[&[
        text("name", "by which results and controllers call it").required("every sensor has a name"),
        choice("measure", || MEASURES.to_vec(), "what it measures").required(""),
        text("body", "the body"),
        vector("point", Dimension::LENGTH, "a point of the body, in the world at the start").absent_means("its centre of mass"),
        text("relative_to", "the body from which it is seen: its motion is subtracted").absent_means("the ground"),
        choice("axes", || vec!["world", "body"], "axes of vectors; `body`: those of `relative_to` or of `body`, of the first body of a joint, of the second of a contact").with_default("\"world\""),
        text("joint", "the joint"),
        text("contact", "the contact, or all contacts of this name"),
        text("motor", "the motor"),
    ]],
};

