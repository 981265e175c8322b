//! A model: what has been published about one contact law, as constant data.
//!
//! Each model is one file in `models/` and one entry of the list in `models.rs`. A model states which inputs it takes
//! and for which exit of contact its formula was derived, and it builds the [`Law`]. Its equation, derivation,
//! validity, remarks and reference are the module comment of its file. The command line and the documentation read
//! them from there ([`Model::section`]), so that this text exists only once.

use crate::error::{self, Error, Result};
use crate::exact::{self, Exponents};
use crate::law::own::Definition;
use crate::law::{Damper, Exit, Form, Law, Phases, Power};
use crate::message::{Action, Topic};
use crate::pair::{FACTS, Pair};
use crate::units::Dimension;

/// One model of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Identifier in kebab case, `author-author-year`.
    pub id: &'static str,
    /// Title in the form of a citation: `Flores, Machado, Silva & Martins 2011`.
    pub title: &'static str,
    /// Other names by which the model is found (earlier names in the literature, the id of the review, …).
    pub aliases: &'static [&'static str],
    /// Year of publication.
    pub year: u16,
    /// Family, in the grouping of the review; set by the catalogue from the folder of the model's file.
    pub group: Group,
    /// Quantity that determines the dissipation.
    pub input: Input,
    /// Exit of contact for which the formula of the model was derived.
    pub exit: Exit,
    /// Range of restitutions for which the published formula is intended.
    pub restitution: (f64, f64),
    /// True if the law is limited to v₀ ≤ 1e-5·√(E/ρ), above which local plasticity dissipates.
    pub low_speed: bool,
    /// How the number that determines the dissipation is given and printed.
    pub coefficient: Coefficient,
    /// Parameters that may be given instead of a restitution.
    pub stands_in: &'static [&'static str],
    /// Parameters in addition to mass, stiffness, exponent and damping.
    pub parameters: &'static [Parameter],
    /// Digital object identifier of the source, if it has one.
    pub doi: Option<&'static str>,
    /// Builds the law from checked inputs.
    pub build: fn(&Inputs) -> Result<Law>,
    /// Text of the model's file; set by the catalogue.
    pub text: &'static str,
    /// Model whose spring this one uses, for models with the linear-equivalent damper
    /// ([`linear_equivalent`](crate::linear_equivalent)).
    pub base: Option<&'static Model>,
    /// Formulas of the model, for laws defined by users ([`own_law`](crate::own_law)).
    pub own: Option<OwnLaw>,
}

/// The formulas of an own law.
#[derive(Clone, Copy, Debug)]
pub struct OwnLaw {
    /// The formulas.
    pub definition: &'static Definition,
    /// Damping coefficient that is used if none is given.
    pub coefficient: Option<f64>,
    /// Unit of the damping coefficient, if the law file declares one.
    pub coefficient_unit: Option<&'static str>,
    /// Dimension of the internal state.
    pub state: Dimension,
    /// The text and the curve from which the law was made.
    pub source: &'static str,
}

impl OwnLaw {
    /// Returns whether the law has the stiffness of the pair as a parameter.
    pub fn takes_stiffness(&self) -> bool {
        self.definition.parameters.contains(&"stiffness")
    }
}

impl Model {
    /// Default values of the fields that a model file omits: `Model { id: …, ..Model::BLANK }`.
    pub const BLANK: Self = Self {
        id: "",
        title: "",
        aliases: &[],
        year: 0,
        group: Group::Base,
        input: Input::Elastic,
        exit: Exit::ZeroForce,
        restitution: (0.0, 1.0),
        low_speed: false,
        coefficient: Coefficient::DAMPER,
        stands_in: &[],
        parameters: &[],
        doi: None,
        build: |_| Err(Error::unsupported("a blank model", "name a model of the catalogue")),
        text: "",
        base: None,
        own: None,
    };
}

/// How a model expresses the number that determines its dissipation, both as an input and in results.
#[derive(Clone, Copy, Debug)]
pub struct Coefficient {
    /// Name under which the number is given: `damping`, or the parameter of the model that replaces it.
    pub name: &'static str,
    /// SI unit of the number; if `None`, the unit of c in c·δᵐ·|δ̇|^q, which follows from the exponents.
    pub unit: Option<&'static str>,
    /// Ratio of the number in the force to the number as it is given, as a function of the effective mass (kg).
    pub factor: fn(f64) -> f64,
    /// Returns the number in the force, for a law at an approach speed (m/s).
    pub read: fn(&Law, f64) -> Option<f64>,
}

impl Coefficient {
    /// The coefficient c of c·δᵐ·|δ̇|^q itself.
    pub const DAMPER: Self =
        Self { name: "damping", unit: None, factor: |_| 1.0, read: Law::coefficient };

    /// Returns a damping coefficient that appears in the force unchanged and has this unit.
    pub const fn in_unit(unit: &'static str) -> Self {
        Self { unit: Some(unit), ..Self::DAMPER }
    }

    /// Returns the description of a parameter of the model that replaces the coefficient, with the unit of that
    /// parameter.
    pub const fn parameter(name: &'static str, unit: &'static str) -> Self {
        Self { name, ..Self::in_unit(unit) }
    }
}

/// Families of models. The first six follow the review; the others contain what the review does not cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Group {
    /// Elastic and elementary laws.
    Base,
    /// Damping fitted to tests (review group 1).
    Empirical,
    /// Damping from an equation for the restitution (review group 2).
    ExactEquation,
    /// Simplified explicit damping factors (review group 3).
    Simplified,
    /// Damping from an assumed velocity profile (review group 4).
    Profile,
    /// Alternative approaches: plasticity, volume, internal state (review group 5).
    Alternative,
    /// Power laws with free exponents.
    General,
    /// Conformal contact: sockets, bores, journals.
    Conformal,
    /// Adhesive contact.
    Adhesive,
    /// Elastic-plastic contact laws that the review does not cover.
    Plastic,
    /// Laws of structural pounding that the review does not cover.
    Pounding,
    /// Laws in the form in which simulation programs implement them.
    Software,
}

names! {
    Group {
        Base = "base",
        Empirical = "empirical",
        ExactEquation = "exact-equation",
        Simplified = "simplified",
        Profile = "profile",
        Alternative = "alternative",
        General = "general",
        Conformal = "conformal",
        Adhesive = "adhesive",
        Plastic = "plastic",
        Pounding = "pounding",
        Software = "software",
    }
}

impl Group {
    /// Returns what the models of the group have in common, for headings.
    pub fn about(self) -> &'static str {
        match self {
            Self::Base => "elastic and elementary laws",
            Self::Empirical => "damping fitted to tests (review group 1)",
            Self::ExactEquation => "damping from an equation for the restitution (review group 2)",
            Self::Simplified => "simplified explicit damping factors (review group 3)",
            Self::Profile => "damping from an assumed velocity profile (review group 4)",
            Self::Alternative => "plasticity, volume, internal state (review group 5)",
            Self::General => "power laws with free exponents, exact relations",
            Self::Conformal => "sockets, bores, journals",
            Self::Adhesive => "adhesive contact",
            Self::Plastic => "elastic-plastic contact outside the review",
            Self::Pounding => "structural pounding outside the review",
            Self::Software => "laws as programs implement them",
        }
    }
}

/// Quantity that determines the dissipation of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// None: the law is elastic.
    Elastic,
    /// A coefficient of restitution, by a published formula.
    Restitution,
    /// A damping coefficient. A restitution can be given only with exact calibration.
    Coefficient,
    /// Material constants (viscosities, yield pressure, work of adhesion, …), given as parameters.
    Material,
}

names! {
    Input {
        Elastic = "elastic",
        Restitution = "restitution",
        Coefficient = "coefficient",
        Material = "material",
    }
}

/// How the dissipation is specified; each variant says what its number means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damping {
    /// No dissipation other than that of the law's own parameters.
    None,
    /// The damping that the published formula assigns to this restitution.
    Restitution(f64),
    /// The damping that delivers exactly this restitution, for the chosen exit of contact.
    Exact(f64),
    /// The damping coefficient itself, in the unit of the law.
    Coefficient(f64),
}

impl Damping {
    /// Returns the specified restitution, if there is one.
    pub fn restitution(self) -> Option<f64> {
        match self {
            Self::Restitution(e) | Self::Exact(e) => Some(e),
            Self::None | Self::Coefficient(_) => None,
        }
    }

    /// Returns the name of the variant: `published`, `exact`, `coefficient` or `none`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Restitution(_) => "published",
            Self::Exact(_) => "exact",
            Self::Coefficient(_) => "coefficient",
        }
    }
}

/// A parameter of a model in addition to mass, stiffness, exponent and damping.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name in `set` of a description ([`Spec`](crate::spec::Spec)).
    pub name: &'static str,
    /// SI unit, e.g. `Pa`; empty for pure numbers. `lambda` in it stands for the exponent of the pair.
    pub unit: &'static str,
    /// Value that is used if the parameter is neither set nor a known property of the pair.
    pub default: Option<f64>,
    /// Smallest and largest permitted value. Finite limits are permitted values themselves, infinite ones are not.
    pub range: (f64, f64),
    /// Meaning of the parameter, in one line.
    pub help: &'static str,
}

impl Parameter {
    /// Returns the SI unit for a pair with this exponent. Units that depend on the exponent are declared with
    /// `lambda`.
    pub fn unit_at(&self, exponent: f64) -> String {
        self.unit.replace("lambda", &exponent.to_string())
    }
}

/// All data from which a model builds its law.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The model that is being built.
    pub model: &'a Model,
    /// The two bodies.
    pub pair: &'a Pair,
    /// How the dissipation is specified.
    pub damping: Damping,
    /// Condition for the end of the contact.
    pub exit: Exit,
    /// Parameters that were set by name.
    pub set: &'a [(String, f64)],
}

impl Inputs<'_> {
    /// Returns the value of a parameter: the value set by name, otherwise that of the pair, otherwise the default.
    pub fn parameter(&self, name: &'static str) -> Result<f64> {
        match self.optional(name)? {
            Some(value) => Ok(value),
            None => {
                let declared = self.model.parameters.iter().find(|p| p.name == name);
                let help = declared.map_or("", |p| p.help);
                let from_bodies = match FACTS.iter().any(|(fact, ..)| *fact == name) {
                    true => " or name the bodies and materials",
                    false => "",
                };
                Err(Error::missing(
                    name,
                    message![
                        format!("`{}` needs it ({help}); give ", self.model.id),
                        Action::give_entry(name),
                        from_bodies,
                    ],
                ))
            }
        }
    }

    /// Returns the value of a parameter like [`Inputs::parameter`], or `None` if it is not known.
    pub fn optional(&self, name: &'static str) -> Result<Option<f64>> {
        let declared = self.model.parameters.iter().find(|p| p.name == name);
        let set = self.set.iter().find(|(known, _)| known == name).map(|&(_, value)| value);
        let value = set.or_else(|| self.pair.fact(name)).or(declared.and_then(|p| p.default));
        if let (Some(value), Some(p)) = (value, declared) {
            let (low, high) = p.range;
            if !(value >= low && value <= high && value.is_finite()) {
                let allowed = match (low, high) {
                    (f64::NEG_INFINITY, f64::INFINITY) => "a finite number".to_string(),
                    (low, f64::INFINITY) => format!("a finite number of at least {low}"),
                    (low, high) => format!("between {low} and {high}"),
                };
                return Err(Error::invalid(name, value, allowed, p.help));
            }
        }
        Ok(value)
    }

    /// Returns the value of a parameter that must be greater than zero.
    pub fn positive(&self, name: &'static str) -> Result<f64> {
        let value = self.parameter(name)?;
        let advice = message!["see ", Action::see(Topic::Law), " for its meaning and unit"];
        error::check_positive(name, value, advice)
    }

    /// Builds a power law with the exponents (n, m, q); `published` is the formula ε(e) of the model, if it has one.
    pub fn power(
        &self,
        n: f64,
        m: f64,
        q: f64,
        published: Option<&dyn Fn(f64) -> f64>,
    ) -> Result<Law> {
        let exponents = Exponents::new(n, m, q)?;
        let damper = self.damper(published, |e| exact::epsilon(exponents, self.exit, e))?;
        Ok(self.law(Power::new(self.pair.stiffness, n, m, q, damper)))
    }

    /// Builds a power law of the form of Hunt and Crossley, F = K·δⁿ·(1 + ε·δ̇/v₀), with the model's formula ε(e).
    pub fn hunt_crossley(&self, published: &dyn Fn(f64) -> f64) -> Result<Law> {
        let n = self.pair.exponent;
        self.power(n, n, 1.0, Some(published))
    }

    /// Builds a power law like [`Inputs::power`] whose damper acts in compression only.
    pub fn compression_power(
        &self,
        n: f64,
        m: f64,
        q: f64,
        published: Option<&dyn Fn(f64) -> f64>,
    ) -> Result<Law> {
        let exponents = Exponents::new(n, m, q)?;
        let damper = self.damper(published, |e| exact::compression_epsilon(exponents, e))?;
        let power = Power::new(self.pair.stiffness, n, m, q, damper);
        Ok(self.law(Power { phases: Phases::Compression, ..power }))
    }

    /// Returns the damper that [`Inputs::damping`] specifies.
    fn damper(
        &self,
        published: Option<&dyn Fn(f64) -> f64>,
        exact: impl Fn(f64) -> Result<f64>,
    ) -> Result<Damper> {
        Ok(match self.damping {
            Damping::None => Damper::Coefficient(0.0),
            Damping::Coefficient(c) => {
                let factor = (self.model.coefficient.factor)(self.pair.mass);
                Damper::Coefficient(error::check_coefficient(c)? * factor)
            }
            Damping::Exact(e) => Damper::Ratio(exact(error::check_restitution(e)?)?),
            Damping::Restitution(e) => match published {
                Some(published) => Damper::Ratio(published(error::check_restitution(e)?)),
                None => return Err(self.no_published_formula()),
            },
        })
    }

    /// Returns the error for a published restitution in a model whose source has no formula for it.
    pub fn no_published_formula(&self) -> Error {
        Error::unsupported(
            format!("a restitution by published formula in `{}`", self.model.id),
            message![
                "the source gives none; use ",
                Action::set("calibration", "exact"),
                " or give ",
                Action::give("damping")
            ],
        )
    }

    /// Builds a law of this form with the mass of the pair and the chosen exit of contact.
    pub fn law(&self, form: impl Into<Form>) -> Law {
        Law::new(self.pair.mass, self.exit, form)
    }
}

impl Model {
    /// Builds the law of this model for a pair. The law consists of numbers only and can be integrated at once.
    ///
    /// ```
    /// use carom::{Damping, Pair, model};
    /// let steel = Pair::new(0.54, 2.4144e10, 1.5)?;
    /// let law = model("flores-2011")?.law(&steel, Damping::Exact(0.7568), None, &[])?;
    /// assert_eq!(law.mass, 0.54);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn law(
        &self,
        pair: &Pair,
        damping: Damping,
        exit: Option<Exit>,
        set: &[(String, f64)],
    ) -> Result<Law> {
        for (name, _) in set {
            if !self.parameters.iter().any(|p| p.name == name) {
                let known = self.parameters.iter().map(|p| p.name);
                let all: Vec<_> = known.clone().collect();
                let otherwise = match all.is_empty() {
                    true => format!("`{}` takes no parameters of its own", self.id),
                    false => format!("`{}` takes {}", self.id, all.join(", ")),
                };
                return Err(Error::unknown("parameter", name, known, &otherwise));
            }
        }
        self.check_damping(damping, set)?;
        let exit = exit.unwrap_or(self.exit);
        (self.build)(&Inputs { model: self, pair, damping, exit, set })
    }

    /// Returns the number that determines the dissipation of a law of this model at `speed` (m/s), in the form in
    /// which it is given to the model. If it is given again under the name and in the unit of [`Model::coefficient`],
    /// the result is the same law.
    ///
    /// ```
    /// use carom::{Damping, Pair, model};
    /// let (pair, ristow) = (Pair::new(0.54, 2.4144e10, 1.5)?, model("ristow-1992")?);
    /// let law = ristow.law(&pair, Damping::Coefficient(3000.0), None, &[])?;
    /// assert!((ristow.written_coefficient(&law, 0.5).unwrap() - 3000.0).abs() < 1e-9);
    /// assert_eq!(ristow.coefficient_unit(&law), "1/s");
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn written_coefficient(&self, law: &Law, speed: f64) -> Option<f64> {
        Some((self.coefficient.read)(law, speed)? / (self.coefficient.factor)(law.mass))
    }

    /// Returns the SI unit of the number that [`Model::written_coefficient`] returns.
    pub fn coefficient_unit(&self, law: &Law) -> String {
        match (self.coefficient.unit, law.damper_exponents()) {
            (Some(unit), _) => unit.to_string(),
            (None, Some((m, q))) => Dimension::damping_unit(m, q),
            (None, None) => String::new(),
        }
    }

    /// Returns an error for a dissipation that the model does not support, and for a missing one that it needs.
    fn check_damping(&self, damping: Damping, set: &[(String, f64)]) -> Result<()> {
        let id = self.id;
        if self.own.is_some() {
            // Own laws check their dissipation when they are built, because it depends on their formulas.
            return Ok(());
        }
        match (self.input, damping) {
            (Input::Elastic, Damping::None | Damping::Restitution(1.0) | Damping::Exact(1.0)) => {
                Ok(())
            }
            (Input::Elastic, _) => Err(Error::unsupported(
                format!("dissipation in `{id}`"),
                message![
                    "the law is elastic; leave out ",
                    Action::leave_out("restitution"),
                    " and ",
                    Action::leave_out("damping"),
                    ", or choose a dissipative law; see ",
                    Action::see(Topic::Laws)
                ],
            )),
            (Input::Restitution, Damping::None) => {
                if set.iter().any(|(name, _)| self.stands_in.contains(&name.as_str())) {
                    return Ok(());
                }
                let restitution = Action::give_as("restitution", "E");
                let mut advice = message![
                    format!("`{id}` needs one; give "),
                    restitution,
                    ", above 0 and at most 1"
                ];
                for name in self.stands_in {
                    advice = message![advice, ", or ", Action::give_entry(name)];
                }
                Err(Error::missing("restitution", advice))
            }
            (Input::Coefficient, Damping::None) => Err(Error::missing(
                "damping",
                message![
                    format!("`{id}` needs a coefficient; give "),
                    Action::give_as("damping", "C"),
                    ", or ",
                    Action::give_as("restitution", "E"),
                    " with ",
                    Action::set("calibration", "exact"),
                ],
            )),
            _ => Ok(()),
        }
    }

    /// Returns a section of the model's text: `Equation`, `Derivation`, `Validity`, `Remarks` or `Reference`.
    pub fn section(&self, heading: &str) -> String {
        let mut found = false;
        let mut lines = Vec::new();
        for line in self.text.lines().map_while(|line| line.strip_prefix("//!")) {
            let line = line.strip_prefix(' ').unwrap_or(line);
            match line.strip_prefix("# ") {
                Some(title) => found = title.trim() == heading,
                None if found => lines.push(line),
                None => {}
            }
        }
        lines.join("\n").trim().to_string()
    }
}
