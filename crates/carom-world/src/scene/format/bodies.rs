//! Tables of a scene of bodies.

use super::grains::GRAINS;
use super::shared::{ARMS, LAW, MATERIAL};
use super::{
    Allowed, Key, TableFormat, Unit, Value, choice, direction, flag, length, list, number,
    quantity, table, tables, text, vector,
};
use crate::friction::Regularisation;
use crate::joint::Kind;
use crate::shape;
use crate::world::ImpactLaw;
use carom::units::Dimension;

/// The whole scene.
pub static SCENE: TableFormat = TableFormat {
    meaning: "The keys of the scene itself stand above the first heading. Bodies and `[grains]` are not mixed: a scene has \
              one or the other.",
    keys: &[&[
        text("title", "one line that names the scene").otherwise("`scene` or `grains`"),
        text("about", "what is known about it").otherwise("nothing"),
        table("simulation", &SIMULATION, "how long it runs, and how exactly").required("add it with duration = \"1 s\""),
        table("ground", &GROUND, "the half-space below z = 0 (y = 0 in a plane)"),
        tables("body", &BODY, "a rigid body"),
        tables("contact", &CONTACT, "two shapes that may touch, and the law between them"),
        tables("joint", &JOINT, "an ideal joint"),
        tables("clearance", &CLEARANCE, "a joint with clearance"),
        tables("spring", &SPRING, "a spring and damper between two points"),
        tables("force", &FORCE, "an applied force or couple"),
        tables("drag", &DRAG, "resistance of the surroundings to motion"),
        table("output", &OUTPUT, "how results are written"),
        table("grains", &GRAINS, "a bed of spheres, instead of bodies"),
    ]],
};

static SIMULATION: TableFormat = TableFormat {
    meaning: "How long the scene runs, under which gravity, and how exactly.",
    keys: &[&[
        quantity("duration", Dimension::TIME, "how long the scene runs").positive().required("give it in s, or with another unit in quotes"),
        quantity("sample", Dimension::TIME, "the time between two rows of the results").positive().otherwise("duration/1000; of grains duration/500"),
        Key::new("gravity", Value::QuantityOrVector(Unit::Of(Dimension::ACCELERATION)), "a number points down (along −z, or −y in a plane), three are a vector").or("0"),
        flag("planar", "bodies move in x and y and turn about z only").or("false"),
        number("tolerance", "relative error allowed in one step").allowed(Allowed::Between(1e-13, 1e-3)).otherwise("1e-10"),
        quantity("slowest_impact", Dimension::SPEED, "least impact speed v₀ that a law whose damping depends on v₀ is given; 0 for none").not_negative()
            .otherwise("1 mm/s, or more where a weight presses"),
        number("energy_tolerance", "share of the energy turned over that may be unaccounted for at the end").positive().otherwise("1e-6; nonsmooth 1e-3; of grains 0.01"),
        quantity("step", Dimension::TIME, "the fixed step of grains, and of the nonsmooth method, where the longest one that divides `sample` and is not longer is taken").positive()
            .otherwise("of grains 1/50 of the shortest contact, at most 1/5 of Rayleigh's time; nonsmooth 1/1000 of the time in which a body moves or falls by its own size or a spring moves it"),
        choice("method", || vec!["smooth", "nonsmooth"], "by contact laws (`smooth`), or rigid bodies and impulses with the restitution and friction of each contact (`nonsmooth`)").or("\"smooth\""),
        choice("impact_law", || ImpactLaw::ALL.map(|(name, _)| name).to_vec(), "nonsmooth: a restitution is the ratio of speeds (`newton`) or of impulses (`poisson`)").or("\"newton\""),
    ]],
};

static GROUND: TableFormat = TableFormat {
    meaning: "The half-space below z = 0 (y = 0 in a plane), which contacts, joints and springs name `ground`. It is \
              always there; the table says what it is made of.",
    keys: &[MATERIAL],
};

const SHAPE_NAME: Key = choice("shape", || shape::NAMES.to_vec(), "the shape");

/// The dimensions of a shape.
const SHAPE: &[Key] = &[
    length("radius", "radius of a sphere, capsule, cylinder, socket or bore, above 0"),
    length("length", "length of a cylinder or bore, or between the centres of the ends of a capsule"),
    vector("size", Dimension::LENGTH, "the three edges of a box"),
    vector("semi_axes", Dimension::LENGTH, "the three semi-axes of an ellipsoid"),
    Key::new("points", Value::Points(Unit::Of(Dimension::LENGTH)), "corners of a hull, at least four that do not lie in a plane"),
];

const PLACE: &[Key] = &[
    vector("position", Dimension::LENGTH, "the centre of mass at the start; of a part, in the axes of its body").or("[0, 0, 0]"),
    table("rotation", &ROTATION, "how it is turned at the start"),
];

static BODY: TableFormat = TableFormat {
    meaning: "A rigid body. Without `fixed` or `motion` it moves freely and needs a mass and an inertia: both follow from \
              a shape with a density or a material.",
    keys: &[
        &[text("name", "by which contacts, joints and changes find it; without `/`").required("every body has a name that contacts and joints use")],
        &[SHAPE_NAME.otherwise("a body without shape")],
        SHAPE,
        MATERIAL,
        &[
            quantity("mass", Dimension::MASS, "mass").otherwise("from shape and density"),
            vector("inertia", Dimension::INERTIA, "principal moments of inertia, along its axes").otherwise("of a homogeneous body of this shape and mass"),
        ],
        PLACE,
        &[
            vector("velocity", Dimension::SPEED, "velocity of the centre of mass at the start").or("[0, 0, 0]"),
            vector("spin", Dimension::FREQUENCY, "angular velocity at the start, in the axes of the world").or("[0, 0, 0]"),
            flag("fixed", "the body does not move").or("false"),
            table("motion", &BODY_MOTION, "moves it along a line as a function of time"),
            tables("part", &PART, "more shapes of the same body; contacts name them `body/part`"),
        ],
    ],
};

static PART: TableFormat = TableFormat {
    meaning: "One of several shapes of a body, placed in the axes of the body. Parts add no mass.",
    keys: &[
        &[text("name", "contacts name the part `body/name`").required("every part has a name: contacts say body/part")],
        &[SHAPE_NAME.required("")],
        SHAPE,
        MATERIAL,
        PLACE,
    ],
};

static ROTATION: TableFormat = TableFormat {
    meaning: "A rotation about an axis.",
    keys: &[&[
        direction("axis", "axis of the rotation").or("[0, 0, 1]"),
        number("angle", "angle in rad, or with a unit").required("give it as a number"),
    ]],
};

/// A function of time.
const MOTION: &[Key] = &[
    of_motion("start", 0, "value at the start, or about which a sine goes").or("0"),
    of_motion("rate", 1, "steady: start + rate·t"),
    of_motion("amplitude", 0, "sine: start + amplitude·sin(frequency·t + phase)"),
    quantity("frequency", Dimension::FREQUENCY, "sine: angular frequency, in rad/s"),
    number("phase", "sine: phase in rad").or("0"),
    list("times", Dimension::TIME, "table: times, increasing; the value is constant outside"),
    Key::new("values", Value::List(Unit::OfMotion(0)), "table: one value for each time"),
    choice("interpolation", || vec!["linear", "cubic"], "table: `cubic` has a continuous velocity and does not overshoot").or("\"linear\""),
    Key::new("accelerations", Value::List(Unit::OfMotion(2)), "record: the accelerations, from rest"),
    text("file", "record: a file of accelerations; lines that begin with # are comments"),
    quantity("interval", Dimension::TIME, "record: time between two accelerations"),
    number("scale", "record: factor of all accelerations").or("1"),
];

const fn of_motion(name: &'static str, per_time: u8, meaning: &'static str) -> Key {
    Key::new(name, Value::Quantity(Unit::OfMotion(per_time)), meaning)
}

static BODY_MOTION: TableFormat = TableFormat {
    meaning: "A displacement along a line as a function of time: one of steady (`rate`), sine (`amplitude`, `frequency`), \
              table (`times`, `values`) or record (`accelerations` or `file`, `interval`).",
    keys: &[&[direction("direction", "along which the body moves").or("[1, 0, 0]")], MOTION],
};

static JOINT_MOTION: TableFormat = TableFormat {
    meaning: "The angle (rad) or slide (m) of a driven joint as a function of time: steady, sine, table or record.",
    keys: &[MOTION],
};

const NAME: Key = text("name", "by which results and changes call it");

const BETWEEN: Key = Key::new("between", Value::Pair, "the two that it joins")
    .required("name two bodies, for example [\"crank\", \"ground\"]");

const RESISTANCES: &[Key] = &[
    table("friction", &FRICTION, "the tangential force").otherwise("no friction"),
    table("rolling", &ROLLING, "resistance to rolling and spinning").otherwise("none"),
];

static CONTACT: TableFormat = TableFormat {
    meaning: "Two shapes that may touch. Shapes may touch at several points at once; each has the law.",
    keys: &[
        &[
            NAME.otherwise("`first-second`, from the bodies"),
            Key::new("between", Value::Pair, "two bodies with one shape, or `body/part`")
                .required("name the two shapes that touch, for example [\"ball\", \"ground\"]"),
        ],
        LAW,
        RESISTANCES,
    ],
};

static FRICTION: TableFormat = TableFormat {
    meaning: "The tangential force of a contact. `spring` and `lugre` stick; `regularised` and `brown-mcphee` creep \
              under a lasting load.",
    keys: &[&[
        choice("law", || vec!["spring", "lugre", "brown-mcphee", "regularised"], "the friction law").or("\"spring\""),
        number("coefficient", "`spring`, `regularised`: coefficient of friction μ, needed"),
        number("static", "`lugre`, `brown-mcphee`: coefficient at rest, needed"),
        number("dynamic", "`lugre`, `brown-mcphee`: coefficient while sliding, needed"),
        quantity("speed", Dimension::SPEED, "`regularised`, `brown-mcphee`: speed at which friction is fully there; `lugre`: Stribeck speed, needed")
            .otherwise("1 mm/s"),
        choice("form", || Regularisation::ALL.map(|(name, _)| name).to_vec(), "`regularised`: how friction rises with speed").or("\"tanh\""),
        Key::new("stiffness", Value::Quantity(Unit::OfLaw("N/m; 1/m of `lugre`")), "`spring`: tangential stiffness; `lugre`: bristle stiffness divided by the normal force, needed")
            .otherwise("`stiffness_share`"),
        quantity("stiffness_root", Dimension::stiffness(1.5), "`spring`: tangential stiffness divided by √δ, instead"),
        number("stiffness_share", "`spring`: tangential stiffness as a share of the normal one, instead").otherwise("Mindlin's ratio, or 2/7 without materials"),
        Key::new("damping", Value::Quantity(Unit::OfLaw("N s/m; s/m of `lugre`")), "`spring`: tangential damping; `lugre`: bristle damping divided by the normal force")
            .otherwise("`damping_ratio`; 0 of `lugre`"),
        number("damping_ratio", "`spring`: share of critical damping, instead").otherwise("that of the restitution, at least 0.05"),
        quantity("viscous", Dimension::SLOWNESS, "`lugre`, `brown-mcphee`: viscous friction divided by the normal force").or("0"),
    ]],
};

static ROLLING: TableFormat = TableFormat {
    meaning: "Couples against rolling and spinning, each an arm times the normal force.",
    keys: &[ARMS, &[quantity("speed", Dimension::FREQUENCY, "angular speed at which the couple is fully there").or("1e-3")]],
};

static JOINT: TableFormat = TableFormat {
    meaning: "An ideal joint, at a point and along an axis of the world where the bodies start. A revolute or \
              cylindrical joint may be driven by its `angle`, a prismatic or cylindrical one by its `slide`.",
    keys: &[
        &[
            NAME.otherwise("`joint 1`, …"),
            kind(|| Kind::ALL.map(|(name, _)| name).to_vec()),
            BETWEEN,
        ],
        MOUNT,
        &[
            table("angle", &JOINT_MOTION, "drives the angle"),
            table("slide", &JOINT_MOTION, "drives the slide"),
        ],
    ],
};

const fn kind(names: fn() -> Vec<&'static str>) -> Key {
    choice("kind", names, "which joint").required("")
}

/// Where a joint stands.
const MOUNT: &[Key] = &[
    vector("point", Dimension::LENGTH, "where it stands, in the world").otherwise("the position of the first body"),
    direction("axis", "its axis, in the world").or("[0, 0, 1]"),
];

static CLEARANCE: TableFormat = TableFormat {
    meaning: "A joint with clearance is a contact: a pin in a bore (`revolute`), a ball in a socket (`spherical`), a block \
              between two walls (`translational`). The first body carries the inner shape.",
    keys: &[
        &[
            NAME.otherwise("`first-second`, from the bodies"),
            kind(|| vec!["revolute", "spherical", "translational"]),
            BETWEEN,
        ],
        MOUNT,
        &[
            length("clearance", "difference of the radii, or half the play of a block").positive().required("it is the difference of the radii, or half the play"),
            length("radius", "`revolute`, `spherical`: radius of the pin or ball, needed"),
            length("length", "`revolute`: length of the pin").otherwise("contact in the middle plane only"),
            vector("size", Dimension::LENGTH, "`translational`: length along the axis, height between the walls, and width; needed"),
            direction("normal", "`translational`: direction from wall to wall").otherwise("up: z, or y in a plane"),
            flag("ideal", "make it an ideal joint, for comparison").or("false"),
        ],
        LAW,
        RESISTANCES,
    ],
};

static SPRING: TableFormat = TableFormat {
    meaning: "A linear spring and damper between two points, given in the world where the bodies start.",
    keys: &[&[
        NAME,
        BETWEEN,
        vector("from", Dimension::LENGTH, "the point of the first body").or("[0, 0, 0]"),
        vector("to", Dimension::LENGTH, "the point of the second body").or("[0, 0, 0]"),
        quantity("stiffness", Dimension::stiffness(1.0), "stiffness").or("0"),
        quantity("damping", Dimension::damping(0.0, 1.0), "damping coefficient").or("0"),
        length("length", "length at which it carries no force").otherwise("the distance at the start"),
    ]],
};

static FORCE: TableFormat = TableFormat {
    meaning: "A force along a `direction`, or a couple about an `axis`. Its magnitude (N or N m) is a function of time: \
              steady, sine or table.",
    keys: &[
        &[
            BODY_NAME,
            direction("direction", "of a force, in the world"),
            direction("axis", "of a couple, in the world"),
            vector("point", Dimension::LENGTH, "where a force acts, in the world at the start").otherwise("the centre of mass"),
        ],
        MOTION,
    ],
};

const BODY_NAME: Key =
    text("body", "the body that it acts on").required("name the body that it acts on");

static DRAG: TableFormat = TableFormat {
    meaning: "A force against the velocity of a body, linear·v + quadratic·v².",
    keys: &[&[
        BODY_NAME,
        quantity("linear", Dimension::damping(0.0, 1.0), "linear coefficient").or("0"),
        quantity("quadratic", Dimension::damping(0.0, 2.0), "quadratic coefficient").or("0"),
    ]],
};

/// Formats in which tables are written.
pub const TABLE_FORMATS: [&str; 3] = ["csv", "parquet", "arrow"];

static OUTPUT: TableFormat = TableFormat {
    meaning: "How results are written.",
    keys: &[&[
        choice("format", || TABLE_FORMATS.to_vec(), "format of the tables, unless the command is given another").otherwise("csv"),
        Key::new("follow", Value::Names, "bodies that figures follow").otherwise("all, at most six"),
    ]],
};
