//! Combination of the values of two materials into one for the pair.
//!
//! Restitution is a property of a pair, not of a material, and should be measured for the pair if possible. If only
//! one number per material is known, programs combine the numbers by different rules. carom provides these rules by
//! name and never combines values without being asked to.

use crate::error::{Error, Result, check_range};

/// Rule by which two values are combined.
///
/// ```
/// use carom::pair::CombinationRule;
/// let rule: CombinationRule = "geometric-mean".parse()?;
/// assert!((rule.combine(0.9, 0.4, None)? - 0.6).abs() < 1e-15);
/// // The softer body (larger compliance) counts for more.
/// let weighted = CombinationRule::ComplianceWeighted.combine(0.9, 0.4, Some((1.0, 4.0)))?;
/// assert!((weighted - 0.5).abs() < 1e-15);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CombinationRule {
    /// (a + b)/2 (YADE, Avian).
    Mean,
    /// √(ab).
    GeometricMean,
    /// min(a, b) (Chrono).
    Minimum,
    /// max(a, b).
    Maximum,
    /// ab (an option of several particle codes).
    Product,
    /// 2ab/(a + b), the harmonic mean; 0 when both are 0.
    Harmonic,
    /// (σₐa + σ_b b)/(σₐ + σ_b), weighted by the part of the indentation in each body (Drake and Simbody, for
    /// dissipation).
    ComplianceWeighted,
}

names! {
    CombinationRule {
        Mean = "mean",
        GeometricMean = "geometric-mean",
        Minimum = "minimum",
        Maximum = "maximum",
        Product = "product",
        Harmonic = "harmonic",
        ComplianceWeighted = "compliance-weighted",
    }
    parsed as "combination rule"
}

impl CombinationRule {
    /// Combines `a` and `b`; `compliances` are (1−ν²)/E of both bodies, which only
    /// [`CombinationRule::ComplianceWeighted`] needs.
    ///
    /// # Errors
    /// If a value is negative or not finite, or if the compliances are needed and are missing, not finite or both
    /// zero.
    pub fn combine(self, a: f64, b: f64, compliances: Option<(f64, f64)>) -> Result<f64> {
        for (name, value) in [("first value", a), ("second value", b)] {
            check_range(name, value, 0.0, f64::MAX, "values to be combined are never negative")?;
        }
        Ok(match self {
            Self::Mean => 0.5 * a + 0.5 * b,
            Self::GeometricMean => a.sqrt() * b.sqrt(),
            Self::Minimum => a.min(b),
            Self::Maximum => a.max(b),
            Self::Product => a * b,
            Self::Harmonic if a.max(b) == 0.0 => 0.0,
            Self::Harmonic => 2.0 * a.min(b) / (1.0 + a.min(b) / a.max(b)),
            Self::ComplianceWeighted => {
                let (first, second) = compliances.ok_or_else(|| {
                    Error::missing(
                        "compliances",
                        "`compliance-weighted` needs (1-nu^2)/E of both bodies",
                    )
                })?;
                let advice = "it is (1-nu^2)/E in 1/Pa, and 0 for a rigid body";
                check_range("first compliance", first, 0.0, f64::MAX, advice)?;
                check_range("second compliance", second, 0.0, f64::MAX, advice)?;
                let share = first / (first + second);
                if share.is_nan() {
                    let what = "`compliance-weighted` with two rigid bodies";
                    let advice = "let one of them deform, or choose another rule";
                    return Err(Error::unsupported(what, advice));
                }
                share * a + (1.0 - share) * b
            }
        })
    }
}

impl std::fmt::Display for CombinationRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGMA: Option<(f64, f64)> = Some((1e-11, 3e-11));

    #[test]
    fn every_rule_but_the_product_keeps_equal_values() {
        for rule in CombinationRule::ALL.into_iter().filter(|r| *r != CombinationRule::Product) {
            assert!((rule.combine(0.7, 0.7, SIGMA).unwrap() - 0.7).abs() < 1e-15, "{rule}");
            assert_eq!(rule.combine(0.0, 0.0, SIGMA).unwrap(), 0.0, "{rule}");
        }
        assert_eq!(CombinationRule::Product.combine(0.5, 0.5, None).unwrap(), 0.25);
    }

    #[test]
    fn means_are_ordered_and_symmetric() {
        let of = |rule: CombinationRule| rule.combine(0.9, 0.3, None).unwrap();
        use CombinationRule::*;
        let ordered = [Product, Minimum, Harmonic, GeometricMean, Mean, Maximum].map(of);
        assert!(ordered.is_sorted(), "{ordered:?}");
        assert!((of(Harmonic) - 0.45).abs() < 1e-15);
        for rule in [Mean, GeometricMean, Minimum, Maximum, Product, Harmonic] {
            assert_eq!(of(rule), rule.combine(0.3, 0.9, None).unwrap());
        }
    }

    #[test]
    fn the_softer_body_decides_when_the_other_is_rigid() {
        let rule = CombinationRule::ComplianceWeighted;
        assert_eq!(rule.combine(0.9, 0.3, Some((0.0, 1e-11))).unwrap(), 0.3);
        assert!(rule.combine(0.9, 0.3, Some((0.0, 0.0))).unwrap_err().is_unsupported());
        assert!(rule.combine(0.9, 0.3, None).unwrap_err().is_missing());
        assert!(rule.combine(0.9, 0.3, Some((-1.0, 1.0))).unwrap_err().is_invalid());
    }

    #[test]
    fn names_round_trip_and_slips_are_recognised() {
        for rule in CombinationRule::ALL {
            assert_eq!(rule.name().parse::<CombinationRule>().unwrap(), rule);
            assert_eq!(serde_json::to_string(&rule).unwrap(), format!("\"{rule}\""));
        }
        let error = "geometric".parse::<CombinationRule>().unwrap_err();
        assert!(error.to_string().contains("`geometric-mean`"), "{error}");
    }

    #[test]
    fn negative_and_infinite_values_are_refused() {
        for bad in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(CombinationRule::Mean.combine(bad, 0.5, None).is_err());
            assert!(CombinationRule::Mean.combine(0.5, bad, None).is_err());
        }
    }
}
