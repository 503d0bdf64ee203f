//! A law of contact as users write it: named numbers of which some may be missing.

use crate::material::{AREA_DAMPING, ContactLaw, Friction, Repulsion};

/// The numbers of a law by the names that files and keyword arguments give them.
///
/// ```
/// use multigrain_dem::{ContactLaw, LawKeys};
/// let keys = LawKeys { stiffness: Some(1e4), restitution: Some(0.8), ..LawKeys::default() };
/// assert_eq!(keys.law(), Ok(ContactLaw::linear(1e4).restitution(0.8)));
/// let both = LawKeys { damping: Some(2.0), ..keys };
/// assert_eq!(both.law().unwrap_err().to_string(), "`restitution` and `damping` both say what is lost: give one of them");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LawKeys {
    /// Of the linear law: force per overlap.
    pub stiffness: Option<f64>,
    /// Of Hertz: Young's modulus.
    pub modulus: Option<f64>,
    /// Of Hertz: Poisson's ratio.
    pub poisson: Option<f64>,
    /// Share of the speed of approach that is left after an impact.
    pub restitution: Option<f64>,
    /// Force per speed.
    pub damping: Option<f64>,
    /// Coefficient of friction.
    pub friction: Option<f64>,
    /// Tangential over normal stiffness, with friction.
    pub tangential_stiffness: Option<f64>,
    /// Tangential over normal damping, with friction.
    pub tangential_damping: Option<f64>,
}

/// Keys that make no law.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{problem}: {remedy}")]
pub struct LawMistake {
    /// What is wrong.
    pub problem: &'static str,
    /// What to do.
    pub remedy: &'static str,
}

impl LawKeys {
    /// The law. Whether its numbers can be worked with is looked at when it is used.
    pub fn law(&self) -> Result<ContactLaw, LawMistake> {
        let mistake = |problem, remedy| Err(LawMistake { problem, remedy });
        let law = match (self.stiffness, self.modulus, self.poisson) {
            (Some(stiffness), None, None) => ContactLaw::linear(stiffness),
            (None, Some(modulus), Some(poisson)) => ContactLaw::hertz(modulus, poisson),
            (None, None, None) => {
                let remedy = "give `stiffness`, or `modulus` and `poisson` for Hertz";
                return mistake("a law of contact is missing", remedy);
            }
            (None, ..) => return mistake("Hertz needs both `modulus` and `poisson`", "add the other one"),
            (Some(_), ..) => {
                let problem = "`stiffness` is of the linear law, `modulus` and `poisson` are of Hertz";
                return mistake(problem, "give one law");
            }
        };
        let law = match (self.restitution, self.damping) {
            (None, None) => law,
            (Some(share), None) => law.restitution(share),
            (None, Some(coefficient)) => law.damping(coefficient),
            (Some(_), Some(_)) => {
                return mistake("`restitution` and `damping` both say what is lost", "give one of them");
            }
        };
        self.with_friction(law)
    }

    /// The law of areas with this repulsion: a modulus, damping as a share of the critical one (0.3 by default), friction, and the
    /// tangential stiffness as a share of the modulus.
    pub fn area_law(&self, repulsion: Repulsion) -> Result<ContactLaw, LawMistake> {
        let mistake = |problem, remedy| Err(LawMistake { problem, remedy });
        let remedy = "it has `modulus`, `damping`, `friction`, `tangential_stiffness` and `repulsion`";
        match (self.modulus, self.stiffness, self.poisson, self.restitution) {
            (_, Some(_), ..) => mistake("`stiffness` is not of the law of areas", remedy),
            (_, _, Some(_), _) => mistake("`poisson` is not of the law of areas", remedy),
            (.., Some(_)) => mistake("`restitution` is not of the law of areas", remedy),
            (None, ..) => mistake("the law of areas needs `modulus`", "add it"),
            (Some(modulus), ..) => {
                let law = ContactLaw::area(modulus).repulsion(repulsion);
                let law = law.damping_share(self.damping.unwrap_or(AREA_DAMPING));
                // Without friction there is nothing to be held, whatever the stiffness.
                let friction = self.friction.or(self.tangential_stiffness.and(Some(0.0)));
                Self { friction, ..*self }.with_friction(law)
            }
        }
    }

    fn with_friction(&self, law: ContactLaw) -> Result<ContactLaw, LawMistake> {
        let mistake = |problem, remedy| Err(LawMistake { problem, remedy });
        match (self.friction, self.tangential_stiffness, self.tangential_damping) {
            (Some(coefficient), stiffness, damping) => {
                let usual = law.friction(coefficient);
                Ok(match usual.friction {
                    None => usual,
                    Some(friction) => law.with_friction(Friction {
                        stiffness_ratio: stiffness.unwrap_or(friction.stiffness_ratio),
                        damping_ratio: damping.unwrap_or(friction.damping_ratio),
                        ..friction
                    }),
                })
            }
            (None, None, None) => Ok(law),
            (None, ..) => mistake(
                "`tangential_stiffness` and `tangential_damping` belong to friction",
                "add `friction`, or remove them",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::DAMPING_RATIO;

    #[test]
    fn the_law_of_areas_takes_a_modulus_alone() {
        let keys = LawKeys { modulus: Some(2e5), ..LawKeys::default() };
        assert_eq!(keys.area_law(Repulsion::Energy), Ok(ContactLaw::area(2e5).damping_share(AREA_DAMPING)));
        let rough = LawKeys { friction: Some(0.5), damping: Some(0.1), ..keys };
        let law = ContactLaw::area(2e5).repulsion(Repulsion::Area).damping_share(0.1).friction(0.5);
        assert_eq!(rough.area_law(Repulsion::Area), Ok(law));
        let stiff = LawKeys { stiffness: Some(1.0), ..keys };
        assert!(
            stiff.area_law(Repulsion::Area).unwrap_err().problem.contains("`stiffness` is not of the law of areas")
        );
        assert_eq!(
            LawKeys::default().area_law(Repulsion::Area).unwrap_err().problem,
            "the law of areas needs `modulus`"
        );
    }

    #[test]
    fn every_way_to_lose_energy_goes_with_every_elasticity() {
        let linear = LawKeys { stiffness: Some(3.0), ..LawKeys::default() };
        let hertz = LawKeys { modulus: Some(5.0), poisson: Some(0.3), ..LawKeys::default() };
        for (keys, law) in [(linear, ContactLaw::linear(3.0)), (hertz, ContactLaw::hertz(5.0, 0.3))] {
            assert_eq!(keys.law(), Ok(law));
            assert_eq!(LawKeys { restitution: Some(0.5), ..keys }.law(), Ok(law.restitution(0.5)));
            assert_eq!(LawKeys { damping: Some(0.5), ..keys }.law(), Ok(law.damping(0.5)));
            assert_eq!(LawKeys { friction: Some(0.2), ..keys }.law(), Ok(law.friction(0.2)));
            let with_ratios = LawKeys { friction: Some(0.2), tangential_stiffness: Some(0.7), ..keys };
            let friction = Friction { coefficient: 0.2, stiffness_ratio: 0.7, damping_ratio: DAMPING_RATIO };
            assert_eq!(with_ratios.law(), Ok(law.with_friction(friction)));
        }
    }

    #[test]
    fn keys_that_make_no_law_are_told() {
        let none = LawKeys::default();
        let linear = LawKeys { stiffness: Some(3.0), ..none };
        let cases = [
            (none, "a law of contact is missing"),
            (LawKeys { modulus: Some(5.0), ..none }, "Hertz needs both"),
            (LawKeys { poisson: Some(0.3), ..none }, "Hertz needs both"),
            (LawKeys { poisson: Some(0.3), ..linear }, "`stiffness` is of the linear law"),
            (LawKeys { restitution: Some(0.5), damping: Some(1.0), ..linear }, "both say what is lost"),
            (LawKeys { tangential_damping: Some(1.0), ..linear }, "belong to friction"),
            (LawKeys { tangential_stiffness: Some(1.0), ..linear }, "belong to friction"),
        ];
        for (keys, problem) in cases {
            assert!(keys.law().unwrap_err().problem.contains(problem), "{keys:?}");
        }
    }
}
