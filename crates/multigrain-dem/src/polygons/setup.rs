//! Everything a polygon simulation is told before it starts.

use super::body::PolygonBody;
use super::candidates::CandidateSearch;
use super::law::PolygonMaterial;
use super::motion::PolygonIntegrator;
use super::simulation::PolygonSimulation;
use crate::error::Error;
use std::f64::consts::PI;

/// The time step by default: this share of the shortest contact that the lightest grains can have.
const FRACTION: f64 = 1.0 / 40.0;

/// A description of a polygon simulation, to be finished with [`build`](Self::build).
#[derive(Debug, Clone, PartialEq)]
pub struct PolygonSetup {
    pub(super) material: PolygonMaterial,
    pub(super) gravity: [f64; 2],
    pub(super) integrator: PolygonIntegrator,
    pub(super) search: CandidateSearch,
    pub(super) time_step: Option<f64>,
    pub(super) fraction: f64,
}

impl PolygonSetup {
    /// Bodies of one material, without gravity, moved by Gear's integrator, found by sort-and-update.
    pub fn new(material: PolygonMaterial) -> Self {
        let (integrator, search) = (PolygonIntegrator::default(), CandidateSearch::default());
        Self { material, gravity: [0.0; 2], integrator, search, time_step: None, fraction: FRACTION }
    }

    /// Acceleration of all grains.
    pub fn gravity(self, gravity: [f64; 2]) -> Self {
        Self { gravity, ..self }
    }

    /// How bodies move in a step.
    pub fn integrator(self, integrator: PolygonIntegrator) -> Self {
        Self { integrator, ..self }
    }

    /// How candidates are found.
    pub fn search(self, search: CandidateSearch) -> Self {
        Self { search, ..self }
    }

    /// The time step, instead of one chosen from the modulus and the lightest grain.
    pub fn time_step(self, dt: f64) -> Self {
        Self { time_step: Some(dt), ..self }
    }

    /// The share of the shortest contact that a chosen time step is; a fortieth if nothing is said.
    pub fn time_step_fraction(self, fraction: f64) -> Self {
        Self { fraction, ..self }
    }

    /// The simulation of these bodies from saved bytes, bit for bit as it was: setup and bodies must be those that it was built
    /// from.
    pub fn resume(
        self,
        bodies: impl IntoIterator<Item = PolygonBody>,
        bytes: &[u8],
    ) -> Result<PolygonSimulation, Error> {
        self.build(bodies)?.restored(bytes)
    }

    /// The simulation of these bodies. They keep their order: the index of a body is its name.
    pub fn build(self, bodies: impl IntoIterator<Item = PolygonBody>) -> Result<PolygonSimulation, Error> {
        self.material.check()?;
        for (what, value) in [("gravity along x", self.gravity[0]), ("gravity along y", self.gravity[1])] {
            if !(-1e100..1e100).contains(&value) {
                return Err(Error::Parameter { what: what.to_owned(), value, must: "must be finite and below 1e100" });
            }
        }
        let bodies: Vec<PolygonBody> = bodies.into_iter().collect();
        let dt = match self.time_step {
            Some(value) if !(value > 0.0 && value.is_finite()) => {
                return Err(Error::Parameter {
                    what: "time step".to_owned(),
                    value,
                    must: "must be positive and finite",
                });
            }
            Some(value) => value,
            None if !(self.fraction > 0.0 && self.fraction < 1.0) => {
                return Err(Error::Parameter {
                    what: "time step over the shortest contact".to_owned(),
                    value: self.fraction,
                    must: "must be between 0 and 1",
                });
            }
            None => self.chosen_time_step(&bodies)?,
        };
        PolygonSimulation::new(self, bodies, dt)
    }

    /// A share of the shortest contact; an error where masses or modulus leave no number for it.
    fn chosen_time_step(&self, bodies: &[PolygonBody]) -> Result<f64, Error> {
        let areas = bodies.iter().filter(|body| body.drive.is_none()).map(|body| body.shape.area());
        let Some(part) = self.part_of_contact(areas) else {
            return Err(Error::NoTimeStep { why: "there are no grains; give one with `time_step`" });
        };
        let time_step = self.fraction * PI * part;
        if time_step > 0.0 && time_step.is_finite() {
            return Ok(time_step);
        }
        let PolygonMaterial { density, youngs_modulus, .. } = self.material;
        Err(Error::Parameter {
            what: format!(
                "duration of the shortest contact, with density {density:e} and Young's modulus {youngs_modulus:e},"
            ),
            value: PI * part,
            must: "must be positive and finite: check density, radius and modulus, or give a time step",
        })
    }

    /// How long the shortest contact of grains with these areas lasts; nothing without grains.
    pub(super) fn shortest_contact(&self, areas: impl Iterator<Item = f64>) -> Option<f64> {
        self.part_of_contact(areas).map(|part| PI * part)
    }

    /// The shortest contact over pi. The stiffest contact is as wide as it is long; two of the lightest grains part after half a
    /// period of it.
    fn part_of_contact(&self, areas: impl Iterator<Item = f64>) -> Option<f64> {
        let lightest = areas.min_by(f64::total_cmp)? * self.material.density;
        let stiffness = self.material.youngs_modulus * (1.0 + self.material.tangential_stiffness);
        Some((0.5 * lightest / stiffness).sqrt())
    }
}
