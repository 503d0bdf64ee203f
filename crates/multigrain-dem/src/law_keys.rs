//! A law of contact as users write it: named numbers of which some may be missing.

use crate::laws::{
    BOND_RATIO, Bond, Bridge, Cohesion, Plastic, RESISTANCE_DAMPING, RESISTANCE_STIFFNESS, Resistance, ResistanceKind,
};
use crate::material::{AREA_DAMPING, ContactLaw, Damping, Dashpot, Elasticity, Friction, Repulsion};

/// Declares the numbers, each with what it is.
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        /// The numbers of a law by the names that files and keyword arguments give them, and three words.
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
            $($(#[$doc])* pub $name: Option<f64>,)*
            /// Which cohesion is meant.
            pub cohesion: Option<CohesionName>,
            /// How rolling and twisting are resisted; by springs by default.
            pub rolling: Option<RollingName>,
            /// What the dashpot along the normal may do; pull too by default.
            pub dashpot: Option<DashpotName>,
        }

        impl LawKeys {
            /// Names of all numbers.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// The number of this name, to be read or put.
            pub fn number(&mut self, name: &str) -> Option<&mut Option<f64>> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

numbers! {
    /// Of the linear law: force per overlap. Of Luding's: of first loading.
    stiffness;
    /// Of Hertz: Young's modulus.
    modulus;
    /// Of Hertz: Poisson's ratio.
    poisson;
    /// Coefficient of restitution: speed after an impact over that before.
    restitution;
    /// Force per speed.
    damping;
    /// Coefficient of friction.
    friction;
    /// Tangential over normal stiffness, with friction.
    tangential_stiffness;
    /// Tangential over normal damping, with friction.
    tangential_damping;
    /// Resistance to rolling: largest torque over normal force and effective radius.
    rolling_friction;
    /// Torque per angle over normal stiffness and effective radius squared.
    rolling_stiffness;
    /// Torque per angular velocity over normal damping and effective radius squared.
    rolling_damping;
    /// The same against twisting about the normal.
    twisting_friction;
    /// See `rolling_stiffness`.
    twisting_stiffness;
    /// See `rolling_damping`.
    twisting_damping;
    /// Of Luding's law: of unloading from the largest dent.
    unloading_stiffness;
    /// Of Luding's law: of cohesion.
    cohesive_stiffness;
    /// Of Luding's law: depth of the largest dent over the harmonic mean of radii.
    plastic_depth;
    /// Linear adhesion: force where bodies touch.
    adhesion;
    /// The gap over which it is gone.
    adhesion_range;
    /// Work of adhesion of JKR and DMT: energy per area.
    adhesion_energy;
    /// Of liquid bridges.
    surface_tension;
    /// Of liquid bridges, in degrees.
    contact_angle;
    /// Of each liquid bridge.
    liquid_volume;
    /// Of bonds: Young's modulus.
    bond_modulus;
    /// Of bonds: tensile stress that breaks them.
    bond_strength;
    /// Of bonds: shear stress that breaks them; as the tensile one by default.
    bond_shear_strength;
    /// Radius of bonds over the smaller radius.
    bond_radius;
    /// Stiffness of bonds across over that along.
    bond_ratio;
    /// Of bonds: share of the critical damping.
    bond_damping;
    /// The largest gap over which bonds are made.
    bond_gap;
}

/// Declares words of keys.
macro_rules! words {
    ($($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All words.
            pub const NAMES: &'static [&'static str] = &[$($word),*];

            /// What a word means.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Its word.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }
    )*};
}

words! {
    /// Kinds of cohesion by the words of files and keyword arguments.
    CohesionName {
        /// [`Cohesion::Linear`].
        Linear = "linear",
        /// [`Cohesion::Dmt`].
        Dmt = "dmt",
        /// [`Cohesion::Jkr`].
        Jkr = "jkr",
        /// [`Cohesion::Willett`].
        Willett = "willett",
        /// [`Cohesion::Rabinovich`].
        Rabinovich = "rabinovich",
    }

    /// What dashpots may do.
    DashpotName {
        /// [`Dashpot::Free`].
        Free = "free",
        /// [`Dashpot::NoPull`].
        NoPull = "no-pull",
    }

    /// Kinds of resistance to rolling and twisting.
    RollingName {
        /// [`ResistanceKind::Spring`].
        Spring = "spring",
        /// [`ResistanceKind::Constant`].
        Constant = "constant",
    }
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
    /// The keys that make a law: all of its numbers, also those that it would have by default. The repulsion of laws of areas is no key.
    pub fn of(law: &ContactLaw) -> Self {
        let mut keys = Self::default();
        match law.elasticity {
            Elasticity::Linear { stiffness } => keys.stiffness = Some(stiffness),
            Elasticity::Hertz { modulus, poisson } => (keys.modulus, keys.poisson) = (Some(modulus), Some(poisson)),
            Elasticity::Area { modulus, .. } => keys.modulus = Some(modulus),
            Elasticity::Plastic(Plastic { loading, unloading, cohesive, depth }) => {
                (keys.stiffness, keys.unloading_stiffness) = (Some(loading), Some(unloading));
                (keys.cohesive_stiffness, keys.plastic_depth) = (Some(cohesive), Some(depth));
            }
        }
        match law.damping {
            Damping::None => (),
            Damping::Restitution(share) => keys.restitution = Some(share),
            Damping::Coefficient(value) | Damping::Share(value) => keys.damping = Some(value),
        }
        keys.dashpot = (law.dashpot == Dashpot::NoPull).then_some(DashpotName::NoPull);
        if let Some(Friction { coefficient, stiffness_ratio, damping_ratio }) = law.friction {
            keys.friction = Some(coefficient);
            (keys.tangential_stiffness, keys.tangential_damping) = (Some(stiffness_ratio), Some(damping_ratio));
        }
        for (name, resistance) in [("rolling", law.rolling), ("twisting", law.twisting)] {
            let Some(Resistance { coefficient, kind }) = resistance else { continue };
            let ratios = match kind {
                ResistanceKind::Spring { stiffness_ratio, damping_ratio } => {
                    [Some(stiffness_ratio), Some(damping_ratio)]
                }
                ResistanceKind::Constant => [None; 2],
            };
            keys.rolling = Some(if ratios[0].is_some() { RollingName::Spring } else { RollingName::Constant });
            let numbers = [("friction", Some(coefficient)), ("stiffness", ratios[0]), ("damping", ratios[1])];
            for (key, value) in numbers {
                if let Some(place) = keys.number(&format!("{name}_{key}")) {
                    *place = value;
                }
            }
        }
        if let Some(cohesion) = law.cohesion {
            keys.put_cohesion(cohesion);
        }
        if let Some(bond) = law.bond {
            (keys.bond_modulus, keys.bond_strength) = (Some(bond.modulus), Some(bond.strength));
            (keys.bond_shear_strength, keys.bond_radius) = (Some(bond.shear_strength), Some(bond.radius));
            (keys.bond_ratio, keys.bond_damping, keys.bond_gap) =
                (Some(bond.ratio), Some(bond.damping), Some(bond.gap));
        }
        keys
    }

    fn put_cohesion(&mut self, cohesion: Cohesion) {
        let (name, bridge) = match cohesion {
            Cohesion::Linear { force, range } => {
                (self.adhesion, self.adhesion_range) = (Some(force), Some(range));
                (CohesionName::Linear, None)
            }
            Cohesion::Dmt { energy } => {
                self.adhesion_energy = Some(energy);
                (CohesionName::Dmt, None)
            }
            Cohesion::Jkr { energy } => {
                self.adhesion_energy = Some(energy);
                (CohesionName::Jkr, None)
            }
            Cohesion::Willett(bridge) => (CohesionName::Willett, Some(bridge)),
            Cohesion::Rabinovich(bridge) => (CohesionName::Rabinovich, Some(bridge)),
        };
        self.cohesion = Some(name);
        if let Some(Bridge { tension, angle, volume }) = bridge {
            self.surface_tension = Some(tension);
            (self.contact_angle, self.liquid_volume) = (Some(angle), Some(volume));
        }
    }

    /// The law. Whether its numbers can be worked with is looked at when it is used.
    pub fn law(&self) -> Result<ContactLaw, LawMistake> {
        let mistake = |problem, remedy| Err(LawMistake { problem, remedy });
        let law = match (self.stiffness, self.modulus, self.poisson) {
            (Some(stiffness), None, None) => match self.plastic(stiffness)? {
                Some(plastic) => ContactLaw::plastic(plastic),
                None => ContactLaw::linear(stiffness),
            },
            _ if self.plastic(1.0)?.is_some() => {
                return mistake("`unloading_stiffness` belongs to the linear law", "give `stiffness`, or remove it");
            }
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
        let law = if self.dashpot == Some(DashpotName::NoPull) { law.no_pull() } else { law };
        self.with_parts(self.with_friction(law)?)
    }

    /// Luding's law, if its numbers are there.
    fn plastic(&self, loading: f64) -> Result<Option<Plastic>, LawMistake> {
        match (self.unloading_stiffness, self.cohesive_stiffness, self.plastic_depth) {
            (None, None, None) => Ok(None),
            (Some(unloading), cohesive, Some(depth)) => {
                Ok(Some(Plastic { loading, unloading, cohesive: cohesive.unwrap_or(0.0), depth }))
            }
            _ => Err(LawMistake {
                problem: "Luding's law needs `unloading_stiffness` and `plastic_depth`",
                remedy: "add them, or remove `cohesive_stiffness` and the other one",
            }),
        }
    }

    /// The same with rolling, twisting, cohesion and bonds.
    fn with_parts(&self, law: ContactLaw) -> Result<ContactLaw, LawMistake> {
        let rolling = self.resistance([self.rolling_friction, self.rolling_stiffness, self.rolling_damping])?;
        let twisting = self.resistance([self.twisting_friction, self.twisting_stiffness, self.twisting_damping])?;
        if self.rolling.is_some() && rolling.or(twisting).is_none() {
            let problem = "`rolling` says how rolling and twisting are resisted, but not how strongly";
            return Err(LawMistake { problem, remedy: "add `rolling_friction` or `twisting_friction`" });
        }
        Ok(ContactLaw { rolling, twisting, cohesion: self.cohesion()?, bond: self.bond()?, ..law })
    }

    fn resistance(&self, keys: [Option<f64>; 3]) -> Result<Option<Resistance>, LawMistake> {
        let [Some(coefficient), stiffness, damping] = keys else {
            return match keys {
                [None, None, None] => Ok(None),
                _ => Err(LawMistake {
                    problem: "`rolling_stiffness`, `rolling_damping` and those of twisting belong to a friction",
                    remedy: "add `rolling_friction` or `twisting_friction`, or remove them",
                }),
            };
        };
        if self.rolling == Some(RollingName::Constant) {
            return match (stiffness, damping) {
                (None, None) => Ok(Some(Resistance::constant(coefficient))),
                _ => Err(LawMistake {
                    problem: "`rolling` = \"constant\" has neither `rolling_stiffness` nor `rolling_damping`",
                    remedy: "remove them, or let it be \"spring\"",
                }),
            };
        }
        let kind = ResistanceKind::Spring {
            stiffness_ratio: stiffness.unwrap_or(RESISTANCE_STIFFNESS),
            damping_ratio: damping.unwrap_or(RESISTANCE_DAMPING),
        };
        Ok(Some(Resistance { coefficient, kind }))
    }

    fn cohesion(&self) -> Result<Option<Cohesion>, LawMistake> {
        use CohesionName::{Dmt, Jkr, Linear, Rabinovich, Willett};
        let mistake = |problem, remedy| Err(LawMistake { problem, remedy });
        let liquid = (self.surface_tension, self.contact_angle, self.liquid_volume);
        let of_linear = self.adhesion.is_some() || self.adhesion_range.is_some();
        let of_surfaces = self.adhesion_energy.is_some();
        let of_liquid = liquid != (None, None, None);
        let kind = match (self.cohesion, of_linear, of_surfaces, of_liquid) {
            (None, false, false, false) => return Ok(None),
            (Some(Linear), _, false, false) | (None, true, false, false) => Linear,
            (Some(kind @ (Dmt | Jkr)), false, _, false) => kind,
            (None, false, true, false) => {
                let problem = "`adhesion_energy` is of two kinds of cohesion";
                return mistake(problem, "add `cohesion = \"jkr\"` or `cohesion = \"dmt\"`");
            }
            (Some(kind @ (Willett | Rabinovich)), false, false, _) => kind,
            (None, false, false, true) => Willett,
            _ => return mistake("`cohesion` is of several kinds", "give the numbers of one kind"),
        };
        Ok(Some(match kind {
            Linear => match self.adhesion {
                Some(force) => Cohesion::Linear { force, range: self.adhesion_range.unwrap_or(0.0) },
                None => return mistake("linear `cohesion` needs `adhesion`, a force", "add it"),
            },
            Dmt | Jkr => match self.adhesion_energy {
                Some(energy) if kind == Dmt => Cohesion::Dmt { energy },
                Some(energy) => Cohesion::Jkr { energy },
                None => return mistake("`cohesion` of surfaces needs `adhesion_energy`", "add it"),
            },
            Willett | Rabinovich => match liquid {
                (Some(tension), angle, Some(volume)) => {
                    let bridge = Bridge { tension, angle: angle.unwrap_or(0.0), volume };
                    if kind == Willett { Cohesion::Willett(bridge) } else { Cohesion::Rabinovich(bridge) }
                }
                _ => return mistake("liquid bridges need `surface_tension` and `liquid_volume`", "add them"),
            },
        }))
    }

    fn bond(&self) -> Result<Option<Bond>, LawMistake> {
        let others = [self.bond_shear_strength, self.bond_radius, self.bond_ratio, self.bond_damping, self.bond_gap];
        match (self.bond_modulus, self.bond_strength) {
            (None, None) if others == [None; 5] => Ok(None),
            (Some(modulus), Some(strength)) => Ok(Some(Bond {
                shear_strength: self.bond_shear_strength.unwrap_or(strength),
                radius: self.bond_radius.unwrap_or(1.0),
                ratio: self.bond_ratio.unwrap_or(BOND_RATIO),
                damping: self.bond_damping.unwrap_or(0.0),
                gap: self.bond_gap.unwrap_or(0.0),
                ..Bond::new(modulus, strength)
            })),
            _ => Err(LawMistake { problem: "bonds need `bond_modulus` and `bond_strength`", remedy: "add both" }),
        }
    }

    /// The law of areas with this repulsion: a modulus, damping as a share of the critical one (0.3 by default), friction, and the
    /// tangential stiffness as a share of the modulus.
    pub fn area_law(&self, repulsion: Repulsion) -> Result<ContactLaw, LawMistake> {
        let mistake = |problem, remedy| Err(LawMistake { problem, remedy });
        let remedy = "it has `modulus`, `damping`, `friction`, `tangential_stiffness` and `repulsion`";
        match (self.modulus, self.stiffness, self.poisson, self.restitution) {
            _ if self.dashpot.is_some() => mistake("`dashpot` is not of the law of areas", remedy),
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
    fn keys_that_make_no_law_are_reported() {
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
