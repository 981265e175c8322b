//! The catalogue of models. Each model is one file and one line in the list below; everything else (command, help,
//! documents, tests) is derived from this list.

mod shared;
#[cfg(test)]
mod tests;
mod viscoelastic;

use crate::error::{Error, Result};
use crate::linear_equivalent;
use crate::message::{Action, Topic};
use crate::model::{Group, Model};
use crate::own_law;

/// Declares the modules and collects their `MODEL` constants, each with its group and the text of its file.
macro_rules! catalogue {
    ($($(#[doc = $doc:literal])* $folder:ident: $group:ident { $($file:ident),* $(,)? })*) => {
        $(
            $(#[doc = $doc])*
            // The documentation of a model is that of its module.
            #[allow(missing_docs)]
            pub mod $folder { $(pub mod $file;)* }
        )*

        /// All models that carom knows, in the order of the groups of the review and then of this list.
        pub static CATALOGUE: &[Model] = &[$($(Model {
            group: Group::$group,
            text: include_str!(concat!("models/", stringify!($folder), "/", stringify!($file), ".rs")),
            ..$folder::$file::MODEL
        },)*)*];
    };
}

catalogue! {
    /// Elastic and elementary laws.
    base: Base { hooke_1678, hertz_1881, brandlein_1999, goldsmith_1960, kelvin_voigt_1865 }
    /// Damping fitted to tests (review group 1).
    empirical: Empirical {
        ristow_1992,
        lee_herrmann_1993,
        schafer_dippel_wolf_1996,
        falcon_1998,
        bordbar_hyppanen_2007,
        alizadeh_2013,
    }
    /// Damping from an equation for the restitution (review group 2).
    exact_equation: ExactEquation {
        herbert_mcwhannell_1977,
        goyal_pinson_sinden_1994,
        gonthier_2004,
        zhang_sharf_2004,
        luo_nahon_2011,
        khatiwada_2014,
        yu_2020,
    }
    /// Simplified explicit damping factors (review group 3).
    simplified: Simplified {
        hunt_crossley_1975,
        marhefka_orin_1999,
        lee_wang_1983,
        kuwabara_kono_1987,
        anagnostopoulos_1988,
        lankarani_nikravesh_1990,
        lankarani_nikravesh_1994,
        tsuji_1992,
        brilliantov_1996,
        zheng_2012,
        brilliantov_2015,
        jankowski_2005,
        jankowski_2006,
        zhiying_qishao_2006,
        gharib_hurmuzlu_2012,
        wang_2019,
        wang_2019_table,
        thornton_cummins_cleary_2013,
        mueller_poeschel_2011,
    }
    /// Damping from an assumed velocity profile (review group 4).
    profile: Profile {
        ye_li_zhu_2009,
        flores_2011,
        hu_guo_2015,
        zhang_2020,
        safaeifar_farshidianfar_2020,
    }
    /// Alternative approaches: plasticity, volume, internal state (review group 5).
    alternative: Alternative {
        thornton_1997,
        choi_2010,
        yigit_2011,
        yigit_linear_2011,
        gonthier_volumetric_2004,
        roy_carretero_2012,
        xiong_2014,
        jian_2019,
        jian_sinusoidal_2019,
    }
    /// Power laws with free exponents, and exact relations that the review does not cover.
    general: General {
        power,
        zhang_2022,
        zhang_2022_corrected,
        zhang_2022_approximate,
        zhang_huang_2021,
        ramaswamy_humbert_2023,
        ramaswamy_humbert_acceleration,
        carvalho_martins_2019,
        poursina_nikravesh_2020,
        kruggel_emden_2007,
        azad_featherstone_2014,
        ye_li_zhu_2008,
    }
    /// Conformal contact: sockets, bores, journals.
    conformal: Conformal { hertz_internal, steuermann_1939, johnson_cylinder_1985, liu_2006, wang_gao_2023 }
    /// Adhesive contact.
    adhesive: Adhesive { jkr_1971, dmt_1975 }
    /// Elastic-plastic contact laws that the review does not cover.
    plastic: Plastic {
        johnson_1985,
        walton_braun_1986,
        kogut_etsion_2002,
        jackson_green_2005,
        luding_2008,
        thakur_2014,
        zunker_kamrin_2024,
    }
    /// Laws of structural pounding that the review does not cover.
    pounding: Pounding {
        muthukumar_desroches_2004,
        muthukumar_desroches_2006,
        mahmoud_jankowski_2011,
        pant_wijeyewickrema_2012,
    }
    /// Laws in the form in which simulation programs implement them.
    software: Software { adams_impact, simbody, drake }
}

/// Returns the model with this id or alias, or the model of an own law given as text. Own-law files are read by
/// [`own_law::name_of`]. If the name ends in `+linear-equivalent`, the result is the model with the linear-equivalent
/// damper ([`linear_equivalent`]).
///
/// ```
/// assert_eq!(carom::model("flores-2011")?.year, 2011);
/// assert_eq!(carom::model("hertz+linear-equivalent")?.id, "hertz-1881+linear-equivalent");
/// # Ok::<(), carom::Error>(())
/// ```
pub fn model(name: &str) -> Result<&'static Model> {
    if let Some(spring) = name.strip_suffix(linear_equivalent::SUFFIX) {
        return model(spring).map(linear_equivalent::derived);
    }
    if own_law::is_text(name) {
        return own_law::from_text(name);
    }
    if own_law::is_file(name) {
        let advice = "give the text of the law";
        return Err(Error::unsupported(format!("reading the law file `{name}` here"), advice));
    }
    let found = CATALOGUE.iter().find(|model| model.id == name || model.aliases.contains(&name));
    found.or_else(|| own_law::known(name)).ok_or_else(|| {
        let names =
            CATALOGUE.iter().flat_map(|m| std::iter::once(m.id).chain(m.aliases.iter().copied()));
        Error::unknown("law", name, names, message!["see ", Action::see(Topic::Laws)])
    })
}
