//! Materials: typical values by name, or user-defined ones.
//!
//! The table contains *typical room-temperature* values for a first estimate. Moduli of metals are accurate to a few
//! per cent. Yield strengths depend on the heat treatment, which is part of the name. The values of polymers, rubbers
//! and natural materials vary by tens of per cent and depend on rate and temperature. Measured values, if available,
//! are given with [`Material::of`].

use crate::error::{Error, Result, check_positive};
use crate::message::{Action, Topic};

/// An isotropic elastic solid.
///
/// ```
/// use carom::pair::material::{Material, material};
/// let steel = material("bearing-steel")?;
/// assert_eq!(steel.id, "steel-52100");
///
/// let mine = Material::of(70e9, 0.33, 2700.0)?.with_yield(240e6)?;
/// assert_eq!(mine.yield_strength, Some(240e6));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Material {
    /// Name on the command line, in kebab case; `custom` for materials created with [`Material::of`].
    pub id: &'static str,
    /// Name for people, including the condition to which the values belong.
    pub name: &'static str,
    /// Other names under which the material is found.
    pub aliases: &'static [&'static str],
    /// Young's modulus E (Pa); infinite for [`Material::RIGID`].
    pub youngs: f64,
    /// Poisson's ratio ν.
    pub poisson: f64,
    /// Density ρ (kg/m³); infinite for [`Material::RIGID`], which has no density.
    pub density: f64,
    /// Yield strength in tension (Pa); absent for brittle solids, rubbers and wood.
    pub yield_strength: Option<f64>,
    /// Source of the values.
    pub source: &'static str,
}

impl Material {
    /// A material that does not deform: its compliance (1−ν²)/E is zero. It has no density, so that a moving rigid
    /// body needs a mass.
    pub const RIGID: Self = Self {
        id: "rigid",
        name: "rigid (does not deform)",
        aliases: &[],
        youngs: f64::INFINITY,
        poisson: 0.0,
        density: f64::INFINITY,
        yield_strength: None,
        source: "idealisation",
    };

    /// Creates a material from its own numbers: E > 0 (Pa), −1 < ν ≤ 1/2, ρ > 0 (kg/m³).
    ///
    /// # Errors
    /// If one of them is outside its range; for a body that does not deform use [`Material::RIGID`].
    pub fn of(youngs: f64, poisson: f64, density: f64) -> Result<Self> {
        check_positive(
            "youngs",
            youngs,
            "give Young's modulus in Pa (steel 2.1e11), or use `rigid`",
        )?;
        if !(poisson > -1.0 && poisson <= 0.5) {
            let advice = "most metals are near 0.3, rubber is just below 0.5, cork near 0";
            return Err(Error::invalid("poisson", poisson, "above -1 and at most 0.5", advice));
        }
        check_positive("density", density, "give the density in kg/m^3 (steel 7850)")?;
        let source = "given";
        Ok(Self { id: "custom", name: "custom", youngs, poisson, density, source, ..Self::RIGID })
    }

    /// Sets the yield strength (Pa).
    pub fn with_yield(self, yield_strength: f64) -> Result<Self> {
        check_positive(
            "yield_strength",
            yield_strength,
            "give the yield strength in Pa (mild steel 2.35e8)",
        )?;
        Ok(Self { yield_strength: Some(yield_strength), ..self })
    }

    /// Returns the material if its numbers are those of a solid or of [`Material::RIGID`], otherwise an error.
    pub(super) fn check(&self) -> Result<&Self> {
        if !self.is_rigid() {
            Self::of(self.youngs, self.poisson, self.density)?;
        }
        if let Some(strength) = self.yield_strength {
            self.with_yield(strength)?;
        }
        Ok(self)
    }

    /// Computes the compliance σ = (1−ν²)/E (1/Pa), zero for a rigid body.
    pub fn compliance(&self) -> f64 {
        super::stiffness::compliance(self.youngs, self.poisson)
    }

    /// Returns whether the material does not deform.
    pub fn is_rigid(&self) -> bool {
        self.youngs == f64::INFINITY
    }
}

/// Returns the material with this id or alias.
///
/// ```
/// use carom::pair::material::material;
/// assert_eq!(material("aluminium")?.youngs, 69e9);
/// let error = material("alumnium").unwrap_err().to_string();
/// assert!(error.contains("did you mean `aluminium`?"));
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// If there is no material of that name; the most similar name is suggested.
pub fn material(name: &str) -> Result<&'static Material> {
    let wanted = name.trim().to_lowercase().replace([' ', '_'], "-");
    let found = MATERIALS.iter().find(|m| m.id == wanted || m.aliases.contains(&wanted.as_str()));
    found.ok_or_else(|| {
        let names =
            MATERIALS.iter().flat_map(|m| [m.id].into_iter().chain(m.aliases.iter().copied()));
        let otherwise =
            sentence!("see {}, or give youngs, poisson and density", Action::see(Topic::Materials));
        Error::unknown("material", name, names, otherwise)
    })
}

const CALLISTER: &str = "Callister, Materials Science and Engineering, App. B";
const MATWEB: &str = "MatWeb, typical";
const MAKERS: &str = "manufacturers' data sheets, typical";

/// Creates a row of the table: E (Pa), ν, ρ (kg/m³), yield strength (Pa; 0 for none).
const fn entry(
    id: &'static str,
    name: &'static str,
    aliases: &'static [&'static str],
    [youngs, poisson, density, strength]: [f64; 4],
    source: &'static str,
) -> Material {
    let yield_strength = if strength > 0.0 { Some(strength) } else { None };
    Material { id, name, aliases, youngs, poisson, density, yield_strength, source }
}

/// All materials that carom knows by name.
#[rustfmt::skip] // a table is read by rows
pub static MATERIALS: &[Material] = &[
    // Steels and irons.
    entry("steel", "structural steel S235", &["s235", "mild-steel"],
        [210e9, 0.30, 7850.0, 235e6], "EN 1993-1-1, design values"),
    entry("steel-1018", "carbon steel AISI 1018, cold drawn", &["aisi-1018", "1018"],
        [205e9, 0.29, 7870.0, 370e6], MATWEB),
    entry("steel-1045", "carbon steel AISI 1045, hot rolled", &["aisi-1045", "1045", "c45"],
        [206e9, 0.29, 7870.0, 310e6], MATWEB),
    entry("steel-4340", "alloy steel AISI 4340, quenched and tempered at 315 °C", &["aisi-4340", "4340"],
        [207e9, 0.30, 7850.0, 1620e6], CALLISTER),
    entry("steel-52100", "bearing steel AISI 52100 (100Cr6), hardened to about 60 HRC",
        &["bearing-steel", "aisi-52100", "52100", "100cr6"], [210e9, 0.30, 7810.0, 2000e6],
        "MatWeb, typical; yield: order of magnitude for through-hardened balls"),
    entry("steel-wang-gao", "steel of Wang & Gao 2023 (E = 30e6 psi)", &["wang-gao"],
        [206.8e9, 0.29, 7850.0, 0.0], "Wang & Gao 2023, Table 1; density: common value, not in the paper"),
    entry("stainless-304", "stainless steel AISI 304, annealed", &["stainless", "stainless-steel", "aisi-304", "304"],
        [193e9, 0.30, 8000.0, 205e6], CALLISTER),
    entry("stainless-316", "stainless steel AISI 316, annealed", &["aisi-316", "316"],
        [193e9, 0.30, 8000.0, 205e6], CALLISTER),
    entry("stainless-440c", "stainless steel AISI 440C, hardened and tempered at 315 °C", &["aisi-440c", "440c"],
        [200e9, 0.28, 7800.0, 1900e6], "ASM Handbook vol. 1, typical"),
    entry("cast-iron", "grey cast iron, class 30 to 40", &["grey-cast-iron", "gray-cast-iron"],
        [110e9, 0.26, 7300.0, 0.0], CALLISTER),
    entry("ductile-iron", "ductile cast iron 60-40-18, annealed", &["nodular-iron"],
        [169e9, 0.29, 7100.0, 276e6], CALLISTER),
    // Other metals.
    entry("aluminium-6061-t6", "aluminium alloy 6061-T6", &["aluminium", "aluminum", "al-6061", "6061", "6061-t6"],
        [69e9, 0.33, 2700.0, 276e6], CALLISTER),
    entry("aluminium-7075-t6", "aluminium alloy 7075-T6", &["al-7075", "7075", "7075-t6"],
        [71.7e9, 0.33, 2810.0, 503e6], MATWEB),
    entry("aluminium-2024-t3", "aluminium alloy 2024-T3", &["al-2024", "2024", "2024-t3"],
        [73.1e9, 0.33, 2780.0, 345e6], MATWEB),
    entry("magnesium-az31b", "magnesium alloy AZ31B, rolled", &["magnesium", "az31b"],
        [45e9, 0.35, 1770.0, 220e6], CALLISTER),
    entry("titanium-6al-4v", "titanium alloy Ti-6Al-4V, annealed", &["titanium", "ti-6al-4v", "grade-5"],
        [113.8e9, 0.342, 4430.0, 880e6], MATWEB),
    entry("brass-c360", "free-cutting brass C36000, half hard", &["brass", "c36000", "c360"],
        [97e9, 0.34, 8500.0, 310e6], CALLISTER),
    entry("brass-c260", "cartridge brass C26000, hard", &["cartridge-brass", "c26000", "c260"],
        [110e9, 0.35, 8530.0, 435e6], CALLISTER),
    entry("bronze-c932", "bearing bronze C93200, sand cast", &["bronze", "bearing-bronze", "c93200", "c932"],
        [100e9, 0.34, 8930.0, 125e6], CALLISTER),
    entry("bronze-c510", "phosphor bronze C51000, hard", &["phosphor-bronze", "c51000", "c510"],
        [110e9, 0.35, 8800.0, 515e6], CALLISTER),
    entry("copper", "copper C11000 (electrolytic tough pitch), hot rolled", &["c11000", "c110"],
        [115e9, 0.33, 8890.0, 69e6], CALLISTER),
    entry("lead", "chemical lead", &[],
        [13.5e9, 0.44, 11340.0, 7e6], CALLISTER),
    entry("tungsten", "tungsten, commercial", &[],
        [400e9, 0.28, 19300.0, 760e6], CALLISTER),
    // Ceramics, glasses, stones.
    entry("tungsten-carbide", "cemented carbide WC-6Co", &["carbide", "wc", "wc-co"],
        [630e9, 0.22, 14900.0, 0.0], MAKERS),
    entry("alumina", "aluminium oxide, 99.5 %", &["al2o3", "aluminium-oxide"],
        [372e9, 0.22, 3900.0, 0.0], MAKERS),
    entry("sapphire", "sapphire or ruby (single-crystal Al2O3), mean over directions", &["ruby"],
        [400e9, 0.29, 3980.0, 0.0], MAKERS),
    entry("silicon-nitride", "silicon nitride, bearing grade", &["si3n4"],
        [310e9, 0.26, 3200.0, 0.0], "typical within ASTM F2094"),
    entry("zirconia", "zirconia, 3 mol% yttria", &["zro2"],
        [205e9, 0.31, 6000.0, 0.0], CALLISTER),
    entry("glass", "soda-lime glass", &["soda-lime-glass"],
        [69e9, 0.23, 2500.0, 0.0], CALLISTER),
    entry("borosilicate-glass", "borosilicate glass 3.3", &["borosilicate", "pyrex"],
        [64e9, 0.20, 2230.0, 0.0], MAKERS),
    entry("granite", "granite", &[],
        [50e9, 0.23, 2650.0, 0.0], "Jaeger, Cook & Zimmerman, Fundamentals of Rock Mechanics, mid-range"),
    entry("concrete", "concrete C25/30", &[],
        [31e9, 0.20, 2400.0, 0.0], "EN 1992-1-1, Table 3.1"),
    entry("ice", "polycrystalline ice at about -10 °C", &[],
        [9.3e9, 0.33, 917.0, 0.0], "Schulson & Duval, Creep and Fracture of Ice"),
    // Polymers.
    entry("pmma", "acrylic glass (PMMA)", &["acrylic", "plexiglas", "perspex"],
        [3e9, 0.37, 1190.0, 70e6], CALLISTER),
    entry("polycarbonate", "polycarbonate (PC)", &["pc"],
        [2.38e9, 0.36, 1200.0, 62e6], CALLISTER),
    entry("nylon-66", "nylon 6/6 (PA66), dry", &["nylon", "pa66", "nylon-6/6"],
        [3e9, 0.39, 1140.0, 82e6], MAKERS),
    entry("acetal", "acetal homopolymer (POM)", &["pom", "delrin", "polyoxymethylene"],
        [3.1e9, 0.35, 1420.0, 70e6], MAKERS),
    entry("hdpe", "high-density polyethylene", &["polyethylene", "pe-hd"],
        [1.08e9, 0.46, 959.0, 30e6], CALLISTER),
    entry("uhmwpe", "ultra-high-molecular-weight polyethylene", &["pe-uhmw"],
        [0.69e9, 0.46, 940.0, 23e6], CALLISTER),
    entry("ptfe", "polytetrafluoroethylene", &["teflon"],
        [0.5e9, 0.46, 2170.0, 14e6], CALLISTER),
    entry("pvc", "rigid polyvinyl chloride", &["pvc-u"],
        [3e9, 0.38, 1400.0, 43e6], CALLISTER),
    entry("abs", "acrylonitrile butadiene styrene", &[],
        [2.3e9, 0.37, 1050.0, 43e6], MAKERS),
    // Rubbers and natural materials: small strain, slow loading.
    entry("natural-rubber", "natural rubber, unfilled, about 40 IRHD", &["rubber"],
        [1.5e6, 0.4998, 930.0, 0.0], "Lindley, Engineering Design with Natural Rubber"),
    entry("silicone-rubber", "silicone rubber, about 50 Shore A", &["silicone"],
        [2.4e6, 0.49, 1150.0, 0.0], MAKERS),
    entry("oak", "red oak along the grain, 12 % moisture (across it E is about a tenth)", &["wood", "red-oak"],
        [12.5e9, 0.35, 710.0, 0.0], "Forest Products Laboratory, Wood Handbook"),
    entry("cork", "cork, radial", &[],
        [20e6, 0.05, 170.0, 0.0], "Gibson, Easterling & Ashby, Proc. R. Soc. A 377 (1981) 99"),
    Material::RIGID,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_kebab_and_found() {
        let all_names = |m: &'static Material| [m.id].into_iter().chain(m.aliases.iter().copied());
        let mut names: Vec<&str> = MATERIALS.iter().flat_map(all_names).collect();
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-/".contains(c);
        for name in &names {
            assert!(name.chars().all(kebab) && material(name).is_ok(), "{name}");
        }
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(MATERIALS.len() > 40);
        assert_eq!(material(" Bearing Steel ").unwrap().id, "steel-52100");
    }

    #[test]
    fn values_lie_where_solids_lie() {
        for m in MATERIALS.iter().filter(|m| !m.is_rigid()) {
            let Material { id, youngs, poisson, density, .. } = *m;
            assert!(Material::of(youngs, poisson, density).is_ok(), "{id}");
            assert!((1e6..7e11).contains(&youngs) && (100.0..2e4).contains(&density), "{id}");
            assert!((0.0..0.5).contains(&poisson) && !m.source.is_empty(), "{id}");
            // The strain at yield of a solid is between 0.04 % and 5 %.
            if let Some(y) = m.yield_strength {
                assert!((0.0004..0.05).contains(&(y / youngs)), "{id}");
            }
            // The range of √(E/ρ) from rubber to diamond.
            assert!((30.0..12000.0).contains(&(youngs / density).sqrt()), "{id}");
        }
    }

    #[test]
    fn steels_agree_with_each_other() {
        let steel = |id: &str| id.starts_with("steel") || id.starts_with("stainless");
        for m in MATERIALS.iter().filter(|m| steel(m.id)) {
            assert!((190e9..=210e9).contains(&m.youngs), "{}", m.id);
            assert!((0.27..=0.31).contains(&m.poisson), "{}", m.id);
            assert!((7700.0..=8100.0).contains(&m.density), "{}", m.id);
        }
    }

    #[test]
    fn what_is_no_solid_is_refused() {
        for (youngs, poisson, density) in [
            (0.0, 0.3, 1.0),
            (-1.0, 0.3, 1.0),
            (f64::NAN, 0.3, 1.0),
            (f64::INFINITY, 0.3, 1.0),
            (1e9, 0.51, 1.0),
            (1e9, -1.0, 1.0),
            (1e9, f64::NAN, 1.0),
            (1e9, 0.3, 0.0),
        ] {
            assert!(Material::of(youngs, poisson, density).unwrap_err().is_invalid());
        }
        assert!(Material::of(1e9, 0.5, 1.0).is_ok() && Material::of(1e9, -0.9, 1.0).is_ok());
        assert!(Material::of(1e9, 0.3, 1.0).unwrap().with_yield(0.0).is_err());
        assert_eq!(Material::RIGID.compliance(), 0.0);
        assert!(material("unobtainium").unwrap_err().is_unknown());
    }
}
