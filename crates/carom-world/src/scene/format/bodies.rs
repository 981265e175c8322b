//! Tables of a scene of bodies.

use super::grains::GRAINS;
use super::joints::{JOINT, MOTOR, SENSOR};
use super::shared::{ARMS, BETWEEN, LAW, MATERIAL, MOTION, MOUNT, NAME, kind};
use super::{
    Allowed, Key, TableFormat, Unit, Value, choice, direction, flag, quantity_in_words, length, list, number,
    points, quantity, table, tables, text, vector,
};
use crate::friction::Regularisation;
use crate::shape;
use crate::world::ImpactLaw;
use carom::units::Dimension;

/// The whole scene.
pub static SCENE: TableFormat = TableFormat {
    meaning: "The keys of the scene itself stand above the first heading. Bodies and `[grains]` are not mixed: a scene has \
              one or the other.",
    keys: &[&[
        text("title", "one line that names the scene").absent_means("`scene` or `grains`"),
        text("about", "what is known about it").absent_means("nothing"),
        table("simulation", &SIMULATION, "duration, gravity, method and accuracy").required("add it with duration = \"1 s\""),
        table("ground", &GROUND, "the half-space below z = 0 (y = 0 in a plane)"),
        tables("body", &BODY, "a rigid body"),
        tables("contact", &CONTACT, "two shapes that may touch, and the law between them"),
        tables("pair", &PAIR, "the law between two materials, for `contact = \"auto\"`"),
        tables("joint", &JOINT, "an ideal joint"),
        tables("clearance", &CLEARANCE, "a joint with clearance"),
        tables("spring", &SPRING, "a spring and damper between two points"),
        tables("force", &FORCE, "an applied force or couple"),
        tables("drag", &DRAG, "resistance of the surroundings to motion"),
        tables("motor", &MOTOR, "a motor on a joint, or between two points"),
        tables("sensor", &SENSOR, "a quantity that results are asked for by name"),
        table("output", &OUTPUT, "how results are written"),
        tables("control", &CONTROL, "keys that are meant to be varied: sliders in the lab"),
        table("grains", &GRAINS, "a bed of spheres, instead of bodies"),
    ]],
};

static SIMULATION: TableFormat = TableFormat {
    meaning: "Duration, gravity, method and accuracy of the run.",
    keys: &[&[
        quantity("duration", Dimension::TIME, "how long the scene runs").positive().required("give it in s, or with another unit in quotes"),
        quantity("sample", Dimension::TIME, "the time between two rows of the results").positive().absent_means("duration/1000; of grains duration/500"),
        Key::new("gravity", Value::QuantityOrVector(Unit::Of(Dimension::ACCELERATION)), "a number points down (along −z, or −y in a plane), three are a vector").with_default("0"),
        flag("planar", "bodies move in x and y and turn about z only").with_default("false"),
        number("tolerance", "relative error allowed in one step").allowed(Allowed::Between(1e-13, 1e-3)).absent_means("1e-10"),
        quantity("slowest_impact", Dimension::SPEED, "least impact speed v₀ that a law whose damping depends on v₀ is given; 0 for none").not_negative()
            .absent_means("1 mm/s, or more where a weight presses"),
        choice("contact", || vec!["listed", "auto"], "`auto`: all bodies may touch each other, but those that a joint connects; laws come from `[[pair]]`, and contacts that are listed win")
            .with_default("\"listed\""),
        length("assemble", "how far a point of a body may be moved at the start so that the joints close; needed where joints have `points`").positive().absent_means("any way"),
        choice("start", || vec!["given", "equilibrium"], "`equilibrium`: bodies are first moved to where all forces balance, and begin at rest").with_default("\"given\""),
        quantity("control_interval", Dimension::TIME, "the time between two calls of a controller in Python").positive().absent_means("motors with `controller` need it"),
        number("energy_tolerance", "error of the energy balance that is allowed at the end, relative to the energy turned over").positive().absent_means("1e-6; nonsmooth 1e-3; of grains 0.01"),
        quantity("step", Dimension::TIME, "the fixed step of grains, and of the nonsmooth method, where the longest one that divides `sample` and is not longer is taken").positive()
            .absent_means("of grains 1/50 of the shortest contact, at most 1/5 of Rayleigh's time; nonsmooth 1/1000 of the time in which a body moves or falls by its own size or a spring moves it"),
        choice("method", || vec!["smooth", "nonsmooth"], "by contact laws (`smooth`), or rigid bodies and impulses with the restitution and friction of each contact (`nonsmooth`)")
            .with_default("\"smooth\""),
        choice("impact_law", || ImpactLaw::ALL.map(|(name, _)| name).to_vec(), "nonsmooth: a restitution is the ratio of speeds (`newton`) or of impulses (`poisson`)").with_default("\"newton\""),
    ]],
};

static GROUND: TableFormat = TableFormat {
    meaning: "The half-space below z = 0 (y = 0 in a plane), which contacts, joints and springs name `ground`. It is \
              always there; the table says what it is made of.",
    keys: &[MATERIAL],
};

const SHAPE_NAME: Key = choice("shape", || [&shape::NAMES[..], &["mesh"]].concat(), "the shape");

/// Keys for the dimensions of a shape.
const SHAPE: &[Key] = &[
    length("radius", "radius of a sphere, capsule, cylinder, socket or bore, above 0"),
    length("length", "length of a cylinder or bore, or between the centres of the ends of a capsule"),
    vector("size", Dimension::LENGTH, "the three edges of a box"),
    vector("semi_axes", Dimension::LENGTH, "the three semi-axes of an ellipsoid"),
    points("points", Dimension::LENGTH, "corners of a hull, at least four that do not lie in a plane"),
    text("file", "of a mesh: an STL or OBJ file with the closed surface of the body"),
    length("unit", "of a mesh: the length that 1 in the file stands for").positive().with_default("1"),
    number("pieces", "of a mesh: the most convex pieces that a concave one is cut into for contacts").allowed(Allowed::Between(1.0, 64.0)).with_default("16"),
];

const PLACE: &[Key] = &[
    vector("position", Dimension::LENGTH, "the centre of mass at the start; of a part, in the axes of its body").with_default("[0, 0, 0]"),
    table("rotation", &ROTATION, "how it is turned at the start"),
];

static BODY: TableFormat = TableFormat {
    meaning: "A rigid body. Without `fixed`, `motion`, `path` or `turn` it moves freely and needs a mass and an inertia: both follow from \
              a shape with a density or a material.",
    keys: &[
        &[text("name", "by which contacts, joints and changes find it; without `/`").required("every body has a name that contacts and joints use")],
        &[SHAPE_NAME.absent_means("a body without shape")],
        SHAPE,
        MATERIAL,
        &[
            quantity("mass", Dimension::MASS, "mass").absent_means("from shape and density"),
            list("inertia", Dimension::INERTIA, "three principal moments along its axes, or six numbers of the matrix: Ixx, Iyy, Izz, Ixy, Ixz, Iyz, with Ixy = −∫xy dm")
                .absent_means("of a homogeneous body of this shape and mass"),
        ],
        PLACE,
        &[
            vector("velocity", Dimension::SPEED, "velocity of the centre of mass at the start").with_default("[0, 0, 0]"),
            vector("spin", Dimension::FREQUENCY, "angular velocity at the start, in the axes of the world").with_default("[0, 0, 0]"),
            flag("fixed", "the body does not move").with_default("false"),
            table("motion", &BODY_MOTION, "moves it along a line as a function of time"),
            table("path", &PATH, "moves it through points as a function of time"),
            table("turn", &TURN, "turns it about an axis as a function of time"),
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
        direction("axis", "axis of the rotation").with_default("[0, 0, 1]"),
        number("angle", "angle in rad, or with a unit").required("give it as a number"),
    ]],
};

static BODY_MOTION: TableFormat = TableFormat {
    meaning: "A displacement along a line as a function of time: one of steady (`rate`), sine (`amplitude`, `frequency`), \
              table (`times`, `values`) or record (`accelerations` or `file`, `interval`).",
    keys: &[&[direction("direction", "along which the body moves").with_default("[1, 0, 0]")], MOTION],
};

static PATH: TableFormat = TableFormat {
    meaning: "A displacement through points at given times, from the position of the body at the start.",
    keys: &[&[
        list("times", Dimension::TIME, "times of the points, increasing").required("give one time for each point"),
        points("points", Dimension::LENGTH, "displacements at these times, constant outside"),
        choice("interpolation", || vec!["linear", "cubic"], "between the points: `cubic` has a continuous velocity and does not overshoot").with_default("\"cubic\""),
    ]],
};

static TURN: TableFormat = TableFormat {
    meaning: "A rotation about an axis as a function of time: steady, sine, table or record.",
    keys: &[
        &[
            direction("axis", "axis of the rotation, in the world").with_default("[0, 0, 1]"),
            vector("point", Dimension::LENGTH, "a point of the axis in the world at the start; the axis moves with `motion` and `path`")
                .absent_means("the position of the body"),
        ],
        MOTION,
    ],
};

const RESISTANCES: &[Key] = &[
    table("friction", &FRICTION, "the tangential force").absent_means("no friction"),
    table("rolling", &ROLLING, "resistance to rolling and spinning").absent_means("none"),
];

static CONTACT: TableFormat = TableFormat {
    meaning: "Two shapes that may touch. Shapes may touch at several points at once; each has the law.",
    keys: &[
        &[
            NAME.absent_means("`first-second`, from the bodies"),
            Key::new("between", Value::Pair, "two bodies with one shape, or `body/part`")
                .required("name the two shapes that touch, for example [\"ball\", \"ground\"]"),
        ],
        LAW,
        RESISTANCES,
    ],
};

static PAIR: TableFormat = TableFormat {
    meaning: "The law of all contacts between two materials, where `[simulation]` says `contact = \"auto\"`.",
    keys: &[
        &[Key::new("materials", Value::Pair, "two materials that bodies name").absent_means("all pairs without a table of their own")],
        LAW,
        RESISTANCES,
    ],
};

static FRICTION: TableFormat = TableFormat {
    meaning: "The tangential force of a contact. `spring` and `lugre` stick; `regularised` and `brown-mcphee` creep \
              under a lasting load.",
    keys: &[&[
        choice("law", || vec!["spring", "lugre", "brown-mcphee", "regularised"], "the friction law").with_default("\"spring\""),
        number("coefficient", "`spring`, `regularised`: coefficient of friction μ, needed"),
        number("static", "`lugre`, `brown-mcphee`: coefficient at rest, needed"),
        number("dynamic", "`lugre`, `brown-mcphee`: coefficient while sliding, needed"),
        quantity("speed", Dimension::SPEED, "`regularised`, `brown-mcphee`: speed at which friction is fully there; `lugre`: Stribeck speed, needed")
            .absent_means("1 mm/s"),
        choice("form", || Regularisation::ALL.map(|(name, _)| name).to_vec(), "`regularised`: how friction rises with speed").with_default("\"tanh\""),
        quantity_in_words("stiffness", "N/m; 1/m of `lugre`", "`spring`: tangential stiffness; `lugre`: bristle stiffness divided by the normal force, needed")
            .absent_means("`stiffness_share`"),
        quantity("stiffness_root", Dimension::stiffness(1.5), "`spring`: tangential stiffness divided by √δ, instead"),
        number("stiffness_share", "`spring`: tangential stiffness as a share of the normal one, instead").absent_means("Mindlin's ratio, or 2/7 without materials"),
        quantity_in_words("damping", "N s/m; s/m of `lugre`", "`spring`: tangential damping; `lugre`: bristle damping divided by the normal force")
            .absent_means("`damping_ratio`; 0 of `lugre`"),
        number("damping_ratio", "`spring`: share of critical damping, instead").absent_means("that of the restitution, at least 0.05"),
        quantity("viscous", Dimension::SLOWNESS, "`lugre`, `brown-mcphee`: viscous friction divided by the normal force").with_default("0"),
    ]],
};

static ROLLING: TableFormat = TableFormat {
    meaning: "Couples that resist rolling and spinning: each is the normal force times a lever arm.",
    keys: &[ARMS, &[quantity("speed", Dimension::FREQUENCY, "angular speed at which the couple is fully there").with_default("1e-3")]],
};

static CLEARANCE: TableFormat = TableFormat {
    meaning: "A joint with clearance is a contact: a pin in a bore (`revolute`), a ball in a socket (`spherical`), a block \
              between two walls (`translational`). The first body carries the inner shape.",
    keys: &[
        &[
            NAME.absent_means("`first-second`, from the bodies"),
            kind(|| vec!["revolute", "spherical", "translational"]),
            BETWEEN,
        ],
        MOUNT,
        &[
            length("clearance", "difference of the radii, or half the play of a block").positive().required("it is the difference of the radii, or half the play"),
            length("radius", "`revolute`, `spherical`: radius of the pin or ball, needed"),
            length("length", "`revolute`: length of the pin").absent_means("contact in the middle plane only"),
            vector("size", Dimension::LENGTH, "`translational`: length along the axis, height between the walls, and width; needed"),
            direction("normal", "`translational`: direction from wall to wall").absent_means("up: z, or y in a plane"),
            flag("ideal", "make it an ideal joint, for comparison").with_default("false"),
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
        vector("from", Dimension::LENGTH, "the point of the first body").with_default("[0, 0, 0]"),
        vector("to", Dimension::LENGTH, "the point of the second body").with_default("[0, 0, 0]"),
        quantity("stiffness", Dimension::stiffness(1.0), "stiffness").with_default("0"),
        quantity("damping", Dimension::damping(0.0, 1.0), "damping coefficient").with_default("0"),
        length("length", "length at which it carries no force").absent_means("the distance at the start"),
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
            flag("follows", "direction or axis turn with the body, as given at the start").with_default("false"),
            vector("point", Dimension::LENGTH, "where a force acts, in the world at the start").absent_means("the centre of mass"),
        ],
        MOTION,
    ],
};

pub(super) const BODY_NAME: Key =
    text("body", "the body that it acts on").required("name the body that it acts on");

static DRAG: TableFormat = TableFormat {
    meaning: "A force against the velocity of a body, linear·v + quadratic·v².",
    keys: &[&[
        BODY_NAME,
        quantity("linear", Dimension::damping(0.0, 1.0), "linear coefficient").with_default("0"),
        quantity("quadratic", Dimension::damping(0.0, 2.0), "quadratic coefficient").with_default("0"),
    ]],
};

static CONTROL: TableFormat = TableFormat {
    meaning: "Keys that are meant to be varied: `carom lab` makes a slider of them, and runs the scene again with the keys changed. The \
              run itself does not depend on it.",
    keys: &[&[
        Key::new("keys", Value::Names, "the keys, named as changes name them; several have the same value").required("name them"),
        text("label", "text shown beside the slider").absent_means("the first key"),
        quantity_in_words("from", "that of the keys", "lower end").required("give it"),
        quantity_in_words("to", "that of the keys", "upper end, in whose unit the numbers are shown").required("give it"),
        flag("logarithmic", "equal ways of the slider are equal ratios").with_default("false"),
    ]],
};

/// Names of the formats in which tables are written.
pub const TABLE_FORMATS: [&str; 3] = ["csv", "parquet", "arrow"];

static OUTPUT: TableFormat = TableFormat {
    meaning: "How results are written.",
    keys: &[&[
        choice("format", || TABLE_FORMATS.to_vec(), "format of the tables, unless the command is given another").absent_means("csv"),
        Key::new("follow", Value::Names, "bodies that figures follow").absent_means("all, at most six"),
    ]],
};
