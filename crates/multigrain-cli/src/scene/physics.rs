//! Materials, walls, what comes and goes: from the file to a setup of the simulator.

use super::boxes::tilted;
use super::document::*;
use super::source::Source;
use anyhow::Result;
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::{
    CohesionName, ContactLaw, DashpotName, Integrator, LawKeys, Material, Repulsion, RollingName, Setup, Simulation,
    Skin, TimeStep,
};
use multigrain_methods::Method;
use std::ops::Range;
use toml::Spanned;

/// Time step over the shortest contact where there are polygons and nothing is said.
const POLYGON_FRACTION: f64 = 0.025;

/// Reads parts of a scene in `D` dimensions.
pub struct Reader<'a, const D: usize> {
    pub source: &'a Source,
    pub document: &'a SceneDocument,
    pub domain: Domain<D>,
}

impl<'a, const D: usize> Reader<'a, D>
where
    Axes: Dimension<D>,
{
    pub fn new(source: &'a Source, document: &'a SceneDocument) -> Result<Self> {
        let given = &document.domain;
        let (lo, hi) = (vector::<D>(source, &given.lo)?, vector::<D>(source, &given.hi)?);
        let mut periodic = [false; D];
        for axis in &given.periodic {
            let Some(is_periodic) = periodic.get_mut(*axis.get_ref() as usize) else {
                return Err(source.mistake(
                    axis.span(),
                    "the scene has two dimensions, there is no axis z",
                    "name x and y only",
                ));
            };
            *is_periodic = true;
        }
        let domain = match &given.tilt {
            None => Domain::new(lo, hi, periodic),
            Some(tilt) => Domain::from_cell(lo, tilted(source, tilt, lo, hi)?, periodic),
        };
        let domain = domain.map_err(|error| located(source, &given.hi.span(), &error))?;
        Ok(Self { source, document, domain })
    }

    /// The setup, without grains.
    pub fn setup(&self) -> Result<Setup<D>> {
        let document = self.document;
        let mut setup = Setup::new().domain(self.domain);
        if let Some(gravity) = &document.gravity {
            setup = setup.gravity(self.vector(gravity)?);
        }
        for (number, material) in document.material.iter().enumerate() {
            let name = &material.get_ref().name;
            if document.material[..number].iter().any(|other| other.get_ref().name.get_ref() == name.get_ref()) {
                let message = format!("there are two materials `{}`", name.get_ref());
                return Err(self.source.mistake(name.span(), message, "give each a name of its own"));
            }
            let keys = material.get_ref();
            let words = [keys.cohesion.as_ref(), keys.rolling.as_ref(), keys.dashpot.as_ref()];
            let law = self.law(material.span(), keys.law_keys(), words, keys.repulsion)?;
            let made = self.with_heat(Material::new(material.get_ref().density, law), material)?;
            let sound = made.check(&format!("material `{}`", name.get_ref()));
            sound.map_err(|error| located(self.source, &material.span(), &error))?;
            setup = setup.material(made);
        }
        for between in &document.between {
            let [first, second] = &between.get_ref().materials;
            let keys = between.get_ref();
            let words = [keys.cohesion.as_ref(), keys.rolling.as_ref(), keys.dashpot.as_ref()];
            let law = self.law(between.span(), keys.law_keys(), words, keys.repulsion)?;
            let sound = law.check(&format!("materials `{}` and `{}`", first.get_ref(), second.get_ref()));
            sound.map_err(|error| located(self.source, &between.span(), &error))?;
            setup = setup.between(self.material(Some(first))?, self.material(Some(second))?, law);
        }
        for wall in self.walls()? {
            setup = setup.wall(wall);
        }
        for deform in &document.deform {
            setup = setup.deformation(self.deformation(deform)?);
        }
        setup = setup.with_shapes(self.polygons()?.0).with_clump_shapes(self.clumps()?.0);
        setup = self.flows(setup)?;
        if document.domain.leaving == Leaving::Error {
            let (mut lo, mut hi) = (self.domain.lo(), self.domain.hi());
            if self.domain.is_sheared() || !document.deform.is_empty() {
                // Nothing leaves across periodic borders, wherever they are.
                for axis in (0..D).filter(|&axis| self.domain.is_periodic(axis)) {
                    (lo[axis], hi[axis]) = (f64::NEG_INFINITY, f64::INFINITY);
                }
            }
            setup = setup.bounds(lo, hi);
        }
        self.timing(self.detection(self.body_forces(setup)?)?)
    }

    /// Bonds grains that are to be bonded at the start.
    pub fn bond(&self, simulation: &mut Simulation<D>) -> Result<()> {
        let Some(bonds) = &self.document.bonds else { return Ok(()) };
        let mistake = |message: String, hint: &str| self.source.mistake(bonds.span(), message, hint);
        let made = match bonds.get_ref() {
            BondsDocument::Word(word) if word == "touching" => simulation.bond_touching(),
            BondsDocument::Word(word) => {
                let hint = "write `bonds = \"touching\"`, or a list of pairs of ids from 0";
                return Err(mistake(format!("`bonds` is `{word}`"), hint));
            }
            BondsDocument::Pairs(pairs) => simulation.bond(pairs),
        };
        match made.map_err(|error| located(self.source, &bonds.span(), &error))? {
            0 => {
                let hint = "give `bond_modulus` and `bond_strength` to a material, and place grains so that they touch, or a `bond_gap`";
                Err(mistake("there is nothing for `bonds` to hold together".to_owned(), hint))
            }
            _ => Ok(()),
        }
    }

    /// Where a mistake that the simulator found is, if it is about something with a place in the file.
    pub fn explain(&self, error: multigrain_dem::Error) -> anyhow::Error {
        use multigrain_dem::Error;
        let materials = &self.document.material;
        match error {
            Error::Wall { wall, .. } => match self.wall_of_piece(wall) {
                Some(given) => located(self.source, &given.span(), &error),
                None => anyhow::Error::new(error).context(format!("scene {}", self.source.name())),
            },
            Error::Deformation { number, .. } if number < self.document.deform.len() => {
                located(self.source, &self.document.deform[number].span(), &error)
            }
            Error::TinyBox { .. } => located(self.source, &self.document.domain.hi.span(), &error),
            Error::Parameter { ref what, .. } => match self.flow_of(what) {
                Some(span) => located(self.source, &span, &error),
                None => anyhow::Error::new(error).context(format!("scene {}", self.source.name())),
            },
            Error::NoLawBetween { first, second } if first.max(second) < materials.len() => {
                let [first, second] = [first, second].map(|number| &materials[number].get_ref().name);
                let message =
                    format!("materials `{}` and `{}` have laws of different kinds", first.get_ref(), second.get_ref());
                self.source.mistake(second.span(), message, "say with `[[between]]` how they push each other")
            }
            _ => anyhow::Error::new(error).context(format!("scene {}", self.source.name())),
        }
    }

    pub fn vector(&self, given: &Vector) -> Result<[f64; D]> {
        vector(self.source, given)
    }

    /// The number of a material: that of the name, or the first.
    pub fn material(&self, name: Option<&Spanned<String>>) -> Result<u16> {
        let Some(name) = name else { return Ok(0) };
        let known: Vec<&str> =
            self.document.material.iter().map(|known| known.get_ref().name.get_ref().as_str()).collect();
        match known.iter().position(|known| known == name.get_ref()) {
            Some(number) => Ok(number as u16),
            None => Err(self.source.unknown("material", name, &known)),
        }
    }

    /// A law of areas where `repulsion` says so, or where there are polygons and a modulus is all that is given.
    fn law(
        &self,
        span: Range<usize>,
        mut keys: LawKeys,
        [cohesion, rolling, dashpot]: [Option<&Spanned<String>>; 3],
        repulsion: Option<RepulsionName>,
    ) -> Result<ContactLaw> {
        if let Some(word) = cohesion {
            let found = CohesionName::from_name(word.get_ref());
            keys.cohesion = Some(found.ok_or_else(|| self.source.unknown("cohesion", word, CohesionName::NAMES))?);
        }
        if let Some(word) = rolling {
            let found = RollingName::from_name(word.get_ref());
            keys.rolling = Some(found.ok_or_else(|| self.source.unknown("kind of rolling", word, RollingName::NAMES))?);
        }
        if let Some(word) = dashpot {
            let found = DashpotName::from_name(word.get_ref());
            keys.dashpot = Some(found.ok_or_else(|| self.source.unknown("dashpot", word, DashpotName::NAMES))?);
        }
        let is_of_areas = self.document.has_polygons() && keys.modulus.is_some() && keys.poisson.is_none();
        let law = match repulsion {
            Some(RepulsionName::Area) => keys.area_law(Repulsion::Area),
            Some(RepulsionName::Energy) => keys.area_law(Repulsion::Energy),
            None if is_of_areas => keys.area_law(Repulsion::default()),
            None => keys.law(),
        };
        law.map_err(|mistake| self.source.mistake(span, mistake.problem, mistake.remedy))
    }

    fn detection(&self, setup: Setup<D>) -> Result<Setup<D>> {
        let keys = &self.document.detection;
        let method = match &keys.method {
            None => Method::Auto,
            Some(name) => self.method(name)?,
        };
        let skin = match keys.skin.as_ref().map(|skin| (skin.get_ref(), skin.span())) {
            None => Skin::Chosen,
            Some((SkinDocument::Width(width), _)) => Skin::Width(*width),
            Some((SkinDocument::Word(word), _)) if word == "auto" => Skin::Chosen,
            Some((SkinDocument::Word(word), _)) if word == "none" => Skin::None,
            Some((SkinDocument::Word(word), span)) => {
                return Err(self.source.mistake(
                    span,
                    format!("`skin` is `{word}`"),
                    "give its width, \"auto\" or \"none\"",
                ));
            }
        };
        Ok(setup.method(method).skin(skin))
    }

    /// The method of this name.
    pub fn method(&self, name: &Spanned<String>) -> Result<Method> {
        Method::from_name(name.get_ref()).ok_or_else(|| {
            let known: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
            self.source.unknown("method", name, &known)
        })
    }

    fn timing(&self, setup: Setup<D>) -> Result<Setup<D>> {
        let keys = &self.document.time;
        let setup = match (keys.step, keys.fraction) {
            (None, None) if self.document.has_polygons() => setup.time_step(TimeStep::Fraction(POLYGON_FRACTION)),
            (None, None) => setup,
            (Some(step), None) => setup.time_step(TimeStep::Given(step)),
            (None, Some(fraction)) => setup.time_step(TimeStep::Fraction(fraction)),
            _ => {
                return Err(crate::failure::hinted(
                    format!(
                        "scene {}: `step` and `fraction` of [time] both say how long a step is",
                        self.source.name()
                    ),
                    "give one of them",
                ));
            }
        };
        let setup = match keys.impact_speed {
            Some(speed) => setup.impact_speed(speed),
            None => setup,
        };
        Ok(setup.integrator(match keys.integrator {
            None if self.document.has_polygons() && self.document.deform.is_empty() => Integrator::Gear,
            None | Some(IntegratorName::Verlet) => Integrator::Verlet,
            Some(IntegratorName::PlainVerlet) => Integrator::PlainVerlet,
            Some(IntegratorName::Gear) => Integrator::Gear,
        }))
    }

    pub fn missing(&self, span: Range<usize>, whose: &str, key: &str) -> anyhow::Error {
        self.source.mistake(span, format!("{whose} has no `{key}`"), format!("add `{key}`"))
    }
}

/// A vector with as many numbers as the scene has dimensions.
fn vector<const D: usize>(source: &Source, given: &Vector) -> Result<[f64; D]> {
    <[f64; D]>::try_from(given.get_ref().as_slice()).map_err(|_| {
        let count = given.get_ref().len();
        let message = format!("{count} numbers, but the scene has {D} dimensions");
        source.mistake(given.span(), message, format!("give {D} numbers, or another `dimension`"))
    })
}

pub(super) fn located(source: &Source, span: &Range<usize>, error: &dyn std::fmt::Display) -> anyhow::Error {
    source.mistake(span.clone(), error.to_string(), "multigrain help scene explains every key")
}
