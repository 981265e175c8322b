//! Options of an MJCF model that affect contacts.

use super::super::description::Edit;
use super::super::engine::mujoco::Integrator;
use super::super::xml::{Element, Place};
use super::attributes::Classes;
use super::geometry::{SOLIMP, SOLREF};
use crate::error::{Error, Result};

/// Values of the options.
#[derive(Clone, Debug)]
pub struct Options {
    pub step: f64,
    pub step_place: Option<Place>,
    pub gravity: [f64; 3],
    pub integrator: Integrator,
    pub elliptic: bool,
    pub impratio: f64,
    pub refsafe: bool,
    pub filter_parent: bool,
    pub contacts: bool,
    /// Values of `o_solref`, `o_solimp`, `o_margin` and `o_friction` if the flag `override` is set.
    pub over: Option<Override>,
}

/// Parameters that replace those of all contacts.
#[derive(Clone, Debug)]
pub struct Override {
    pub solref: [f64; 2],
    pub solimp: [f64; 5],
    pub margin: f64,
    pub friction: f64,
    pub place: Place,
    pub write: Option<Edit>,
}

/// Reads the options; a later element overrides earlier ones.
pub fn options(root: &Element) -> Result<Options> {
    let classes = Classes::new(root);
    let mut options = Options {
        step: 0.002,
        step_place: None,
        gravity: [0.0, 0.0, -9.81],
        integrator: Integrator::SemiImplicit,
        elliptic: false,
        impratio: 1.0,
        refsafe: true,
        filter_parent: true,
        contacts: true,
        over: None,
    };
    let mut over = Override {
        solref: SOLREF,
        solimp: SOLIMP,
        margin: 0.0,
        friction: 1.0,
        place: Place::default(),
        write: None,
    };
    let mut overridden = false;
    for element in root.all("option") {
        let attributes = classes.of(element, None)?;
        if let Some(attribute) = element.attribute("timestep") {
            options.step = attributes.number("timestep", options.step)?;
            options.step_place = Some(attribute.place);
            if !(options.step > 0.0) {
                let error =
                    Error::invalid("timestep", options.step, "positive", "write a step in seconds");
                return Err(error.at(element.line()));
            }
        }
        options.gravity = attributes.fill("gravity", options.gravity)?;
        options.impratio = attributes.number("impratio", options.impratio)?;
        match element.value("integrator") {
            Some("RK4") => options.integrator = Integrator::RungeKutta,
            Some("Euler" | "implicit" | "implicitfast") => {
                options.integrator = Integrator::SemiImplicit
            }
            None => {}
            Some(other) => {
                let allowed = "Euler, RK4, implicit or implicitfast";
                return Err(Error::invalid("integrator", other, allowed, "write one of them")
                    .at(element.line()));
            }
        }
        if let Some(cone) = element.value("cone") {
            options.elliptic = cone == "elliptic";
        }
        over.solref = attributes.fill("o_solref", over.solref)?;
        over.solimp = attributes.fill("o_solimp", over.solimp)?;
        over.margin = attributes.number("o_margin", over.margin)?;
        over.friction = attributes.number("o_friction", over.friction)?;
        if let Some(attribute) = element.attribute("o_solref") {
            over.place = attribute.place;
        }
        if over.write.is_none() || element.attribute("o_solref").is_some() {
            over.write = Some(Edit::attribute("o_solref", element.attribute("o_solref"), element));
        }
        for flag in element.all("flag") {
            let set = |name: &str, before: bool| {
                flag.value(name).map_or(before, |value| value == "enable")
            };
            options.refsafe = set("refsafe", options.refsafe);
            options.filter_parent = set("filterparent", options.filter_parent);
            options.contacts = set("contact", options.contacts) && set("constraint", true);
            overridden = set("override", overridden);
            if !set("gravity", true) {
                options.gravity = [0.0; 3];
            }
            if overridden && over.place == Place::default() {
                over.place = flag.place;
            }
        }
    }
    options.over = overridden.then_some(over);
    Ok(options)
}
