//! The endpoints of the API as one list, from which the router and the documentation are made.

use super::stop::Stop;
use super::view;
use super::{delivered, drop, fit, library, plot, progress, robot, simulate, stored};
use crate::failure::Failure;
use crate::figure::FigureFormat;
use crate::model_page::ModelPage;
use crate::output;
use carom::pair::MATERIALS;
use carom::report::Entry;
use carom::spec::Spec;
use carom::{CATALOGUE, export, model};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// An answer, independent of HTTP.
#[derive(Debug)]
pub struct Answer {
    /// Media type.
    pub kind: &'static str,
    /// Contents.
    pub body: Vec<u8>,
}

impl Answer {
    /// Creates an answer in JSON, identical to the byte to what the command prints.
    fn json(value: &impl Serialize) -> Result<Self, Failure> {
        Ok(Self { kind: "application/json", body: output::json(value)?.into_bytes() })
    }

    /// Creates an answer in JSON without whitespace, for data that only the page reads.
    fn compact(value: &impl Serialize) -> Result<Self, Failure> {
        match serde_json::to_vec(value) {
            Ok(body) => Ok(Self { kind: "application/json", body }),
            Err(why) => Err(Failure::System(format!("cannot write the result as JSON: {why}"))),
        }
    }

    /// Creates an answer from a film that is already JSON; null without one.
    fn film(film: Option<Vec<u8>>) -> Self {
        Self { kind: "application/json", body: film.unwrap_or_else(|| b"null".to_vec()) }
    }
}

/// Class of requests by computing time. Each class has its own queue, so that quick requests never wait for long ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestClass {
    /// The answer never changes; it is computed once and stored.
    Constant,
    /// The computation takes milliseconds.
    Quick,
    /// The computation may take seconds; it ends when its client disconnects.
    Long,
}

/// An endpoint of the API.
pub struct Endpoint {
    /// Method: GET or POST.
    pub method: &'static str,
    /// Path below `/api/v1/`; `{…}` at its end is a parameter.
    pub path: &'static str,
    /// Description for `/api`.
    pub about: &'static str,
    /// Example of a request body for `/api`; empty for GET.
    pub example: &'static str,
    /// Returns whether a value of the path parameter exists; if not, the status is 404.
    pub has: fn(&str) -> bool,
    /// Class of the request by its computing time.
    pub lane: RequestClass,
    /// Computes the answer from the path parameter and the body; long computations check when to stop.
    pub run: fn(&str, &[u8], &Stop) -> Result<Answer, Failure>,
}

/// Defaults of an endpoint: a quick GET request without a path parameter.
const GET: Endpoint = Endpoint {
    method: "GET",
    path: "",
    about: "",
    example: "",
    has: |_| true,
    lane: RequestClass::Quick,
    run: |_, _, _| Answer::compact(&()),
};

/// Defaults of a POST request.
const POST: Endpoint = Endpoint { method: "POST", ..GET };

/// Description of an impact that every endpoint accepts.
const STEEL: &str = r#"{"law": "flores-2011", "mass": "0.54 kg", "stiffness": 2.4144e10, "exponent": 1.5, "speed": "0.5 m/s", "restitution": 0.7568, "calibration": "exact"}"#;

const VIEW: &str = r#"{"spec": {"mass": 0.54, "stiffness": 2.4144e10, "speed": 0.5, "restitution": 0.7568}, "laws": ["flores-2011", "hunt-crossley-1975"], "points": 200, "width": 460}"#;

const DELIVERED: &str = r#"{"spec": {"mass": 0.54, "stiffness": 2.4144e10, "speed": 0.5, "restitution": 0.7568}, "laws": ["flores-2011", "kuwabara-kono-1987"], "points": 10}"#;

const FIT: &str = "{\"csv\": \"time_ms,force_kN\\n0,0\\n0.02,0.62\\n0.04,1.79\\n0.06,3.12\\n0.08,4.13\\n0.1,4.39\\n\
      0.12,3.74\\n0.14,2.56\\n0.16,1.38\\n0.18,0.51\\n0.2,0.06\\n0.22,0\\n\", \
      \"spec\": {\"mass\": 0.54, \"speed\": 0.5}, \"laws\": [\"hunt-crossley-1975\"]}";

const SCENE: &str = "{\"scene\": \"[simulation]\\nduration = 0.3\\ngravity = 9.81\\n[[body]]\\nname = \\\"ball\\\"\\n\
      shape = \\\"sphere\\\"\\nradius = 0.02\\ndensity = 7850\\nposition = [0, 0, 0.1]\\n[[contact]]\\n\
      between = [\\\"ball\\\", \\\"ground\\\"]\\nlaw = \\\"hunt-crossley-1975\\\"\\nstiffness = 1e9\\nrestitution = 0.8\\n\
      calibration = \\\"exact\\\"\\n\", \"frames\": 200}";

const PLOT: &str = r#"{"width": 460, "panels": [{"x": {"label": "time", "unit": "s"}, "y": {"label": "force", "unit": "N"}, "series": [{"name": "measured", "x": [0, 1, 2], "y": [0, 1, 0]}]}]}"#;

const DROP: &str =
    r#"{"spec": {"drop": "0.3,0.6,1.2m", "bounce": "0.21,0.40,0.76m", "height_error": "5mm"}}"#;

const ROBOT: &str = "{\"files\": {\"ball.xml\": \"<mujoco><worldbody><geom name=\\\"floor\\\" type=\\\"plane\\\" size=\\\"1 1 1\\\"/>\
      <body pos=\\\"0 0 1\\\"><freejoint/><geom name=\\\"ball\\\" size=\\\"0.1\\\" solref=\\\"0.01 0.2\\\"/></body></worldbody></mujoco>\"}, \
      \"spec\": {\"speed\": [\"1 m/s\"]}}";

/// All endpoints, in the order of `/api`.
pub const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        path: "impact",
        about: "One impact. The body is a spec: the options of `carom impact` by name, with underscores, \
                quantities as SI numbers or text with a unit. The answer is that of `carom impact --json`, \
                byte for byte.",
        example: STEEL,
        run: |_, body, _| Answer::json(&parse::<Spec>(body)?.case()?.run()?),
        ..POST
    },
    Endpoint {
        path: "view",
        about: "One impact with several laws: for each a report or an error message and the trajectory as columns (`course`), and \
                four plots as SVG `width` px wide with the position of their axes (none with `draw: false`). `laws` \
                replaces the law of the spec; each is a name, or a whole spec with parameters of its own; `measured` may hold columns to overlay (`time` or `indentation`, and \
                `force`, in SI units).",
        example: VIEW,
        run: |_, body, stop| Answer::compact(&view::view(&parse(body)?, stop)?),
        ..POST
    },
    Endpoint {
        path: "delivered",
        about: "Requested restitutions, equally spaced up to 1, and those that each law delivers, null where the law \
                fails. The body has `spec` and `laws` as for `view`, and the number of `points`.",
        example: DELIVERED,
        run: |_, body, stop| Answer::compact(&delivered::delivered(&parse(body)?, stop)?),
        ..POST
    },
    Endpoint {
        path: "figure/{svg|pdf|png}",
        about: "The plots of `view` as one figure file. The body is that of `view`.",
        example: VIEW,
        has: is_picture,
        lane: RequestClass::Long,
        run: |ending, body, stop| {
            let (kind, picture) = picture_kind(ending)?;
            Ok(Answer { kind, body: view::picture(&parse(body)?, picture, stop)? })
        },
        ..POST
    },
    Endpoint {
        path: "fit",
        about: "Laws fitted to a measured curve, the best first, as `carom fit --laws … --json`, with the \
                points that were fitted: times since touch or indentations, and forces. `csv` is the text of \
                a file; what the spec does not give (stiffness, damping) is found. `impact` chooses one of \
                several in the record, `columns` names columns by their roles, and `job` is a name to ask `progress` for.",
        example: FIT,
        lane: RequestClass::Long,
        run: |_, body, stop| Answer::compact(&fit::fit(&parse(body)?, stop)?),
        ..POST
    },
    Endpoint {
        path: "progress/{job}",
        about: "Progress of a fit or a scene with this `job`: laws fitted or seconds simulated, their total, the computing \
                time so far and the remaining one (s); null before it begins and after it ends.",
        run: |job, _, _| Answer::compact(&progress::progress(job)),
        ..GET
    },
    Endpoint {
        path: "film/{job}",
        about: "The film so far of a scene with this `job`, in the form of `simulate`: the first request asks for it and is \
                answered with null; a second one about 0.1 s later returns it.",
        run: |job, _, _| Ok(Answer::film(progress::film(job))),
        ..GET
    },
    Endpoint {
        path: "drop",
        about: "A drop test, as `carom drop --json`: `spec` has the options of the command by name, `csv` is the text of a table or `wav` the \
                bytes of a recording in base64. In addition to the answer of the command there are `fitted`, restitution over speed, and the `wave` with \
                its bounces.",
        example: DROP,
        lane: RequestClass::Long,
        run: |_, body, _| Answer::compact(&drop::drop(&parse(body)?)?),
        ..POST
    },
    Endpoint {
        path: "check",
        about: "What the contacts of a robot file (MJCF, SDF, URDF) deliver, as `carom check --json`: `files` are texts by name, `name` the main \
                file if there are several, `spec` the options of the command. With a `restitution` the answer has `fix` with the \
                changed `text`.",
        example: ROBOT,
        lane: RequestClass::Long,
        run: |_, body, _| Answer::compact(&robot::check(&parse(body)?)?),
        ..POST
    },
    Endpoint {
        path: "export/{engine}",
        about: "The impact as input for another simulator, as `carom export --to ENGINE --json`: text, what \
                is lost, what it will deliver. The body is a spec.",
        example: STEEL,
        has: |engine| export::engine(engine).is_ok(),
        run: |engine, body, _| Answer::json(&export::run(&parse(body)?, engine)?),
        ..POST
    },
    Endpoint {
        path: "simulate",
        about: "A scene of bodies that touch, or of grains, run as by `carom simulate`: `scene` is the text of the \
                file, `files` holds what it names, `set` keys to change, each as `TABLE.KEY=VALUE`. The answer is a film: bodies with shapes, joints, springs; frames in columns \
                (time, pose of every moving body, forces of the touches, energies), more densely where much \
                happens; touches and separations as events; notes; grains as columns of bytes. `seconds` limits the computing time (15 by default, at most 100; 0 \
                returns the initial state only) and `frames` the film; `controls` names keys to vary in addition to those of the scene, and `job` is a name for \
                `progress` and `film`; a run that is stopped answers with what it has reached.",
        example: SCENE,
        lane: RequestClass::Long,
        run: |_, body, stop| Answer::compact(&simulate::simulate(&parse(body)?, stop)?),
        ..POST
    },
    Endpoint {
        path: "run",
        about: "The film of the run that `carom lab DIR` was started with, in the form of `simulate`; null without one. A run in \
                progress is shown up to its last checkpoint.",
        lane: RequestClass::Long,
        run: |_, _, _| Ok(Answer::film(stored::film_json().map(|film| film.to_vec()))),
        ..GET
    },
    Endpoint {
        path: "run/state",
        about: "Whether the run that `carom lab DIR` was started with has ended, and `written`, which changes whenever `run` has more; null \
                without a run.",
        run: |_, _, _| Answer::compact(&stored::run_state()),
        ..GET
    },
    Endpoint {
        path: "scenes",
        about: "The library of scenes: name, title, description and text of each.",
        lane: RequestClass::Constant,
        run: |_, _, _| Answer::json(&library::scenes()),
        ..GET
    },
    Endpoint {
        path: "plot",
        about: "Curves as SVG, one plot per panel, `width` px wide, with the position of their axes. Axes have a label, \
                an SI unit and, unless it should follow from the data, a range.",
        example: PLOT,
        run: |_, body, _| Answer::compact(&plot::plot(parse(body)?)?),
        ..POST
    },
    Endpoint {
        path: "plot/{svg|pdf|png}",
        about: "The curves of `plot` as a figure file, one panel below the other. Curves may have a `style` (number of colour and dash pattern), be \
                `dots`, and have a `band`, the corners of an area around them.",
        example: PLOT,
        has: is_picture,
        lane: RequestClass::Long,
        run: |ending, body, _| {
            let (kind, picture) = picture_kind(ending)?;
            Ok(Answer { kind, body: plot::file(parse(body)?, picture)? })
        },
        ..POST
    },
    Endpoint {
        path: "engines",
        about: "The simulators that can be exported to, as `carom export --list --json`.",
        lane: RequestClass::Constant,
        run: |_, _, _| Answer::json(&export::engines().collect::<Vec<_>>()),
        ..GET
    },
    Endpoint {
        path: "models",
        about: "The catalogue, as `carom models --json`.",
        lane: RequestClass::Constant,
        run: |_, _, _| Answer::json(&CATALOGUE.iter().map(Entry::of).collect::<Vec<_>>()),
        ..GET
    },
    Endpoint {
        path: "models/{id}",
        about: "Everything about one law, as `carom model ID --json`: equation, validity, reference, what \
                it delivers.",
        has: |id| model(id).is_ok(),
        lane: RequestClass::Constant,
        run: |id, _, _| Answer::json(&ModelPage::of(model(id)?)),
        ..GET
    },
    Endpoint {
        path: "materials",
        about: "The materials, as `carom materials --json`.",
        lane: RequestClass::Constant,
        run: |_, _, _| Answer::json(&MATERIALS),
        ..GET
    },
];

/// Formats of pictures: ending, media type, kind.
pub const PICTURES: [(&str, &str, FigureFormat); 3] = [
    ("svg", "image/svg+xml", FigureFormat::Svg),
    ("pdf", "application/pdf", FigureFormat::Pdf),
    ("png", "image/png", FigureFormat::Png),
];

fn is_picture(ending: &str) -> bool {
    PICTURES.iter().any(|(known, ..)| *known == ending)
}

/// Returns the media type and kind of a picture by its ending.
fn picture_kind(ending: &str) -> Result<(&'static str, FigureFormat), Failure> {
    let found = PICTURES.iter().find(|(known, ..)| *known == ending);
    found.map(|(_, media, kind)| (*media, *kind)).ok_or_else(|| {
        let advice = "ask for svg, pdf or png";
        carom::Error::invalid("picture", format!("`{ending}`"), "svg, pdf or png", advice).into()
    })
}

/// Returns the endpoints for a path below `/api/v1/`, one for each method, with the value of the path parameter.
pub fn find(path: &str) -> impl Iterator<Item = (&'static Endpoint, &str)> {
    ENDPOINTS.iter().filter_map(move |endpoint| match endpoint.path.split_once('{') {
        None => (endpoint.path == path).then_some((endpoint, "")),
        Some((stem, _)) => {
            let word = path.strip_prefix(stem)?;
            (!word.is_empty() && !word.contains('/')).then_some((endpoint, word))
        }
    })
}

/// Parses the body of a request.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|why| {
        Failure::Input(format!(
            "the request is not the JSON that is expected: {why}; /api shows what can be asked, with examples"
        ))
    })
}

/// Path parameters and their values in the examples.
const EXAMPLE_VALUES: [(&str, &str); 4] =
    [("{svg|pdf|png}", "svg"), ("{id}", "hertz-1881"), ("{engine}", "lammps"), ("{job}", "my-fit")];

/// Returns a path with an example value in place of its parameter.
pub fn example_path(path: &str) -> String {
    EXAMPLE_VALUES.iter().fold(path.to_string(), |path, (any, one)| path.replace(any, one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_with_their_word() {
        let found = |path| find(path).next().map(|(endpoint, word)| (endpoint.path, word));
        assert_eq!(found("models"), Some(("models", "")));
        assert_eq!(found("models/hertz-1881"), Some(("models/{id}", "hertz-1881")));
        assert_eq!(found("models/a/b"), None);
        assert_eq!(found("nothing"), None);
    }
}
