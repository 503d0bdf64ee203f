//! A time step from the shortest contact that can happen.

use crate::census::Census;
use crate::error::Error;
use crate::setup::TimeStep;
use crate::simulation::Simulation;
use crate::vector::length;
use multigrain::{Axes, Dimension};

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// The time step asked for: as given, or a share of the shortest contact.
    pub(crate) fn choose_time_step(&self, census: &Census) -> Result<f64, Error> {
        let (what, value) = match self.setup.physics.time_step {
            TimeStep::Given(time_step) => ("time step", time_step),
            TimeStep::Fraction(fraction) => ("fraction of the shortest contact", fraction),
        };
        if !(value > 0.0 && value.is_finite()) {
            return Err(Error::Parameter { what: what.to_owned(), value, must: "must be positive and finite" });
        }
        match self.setup.physics.time_step {
            TimeStep::Given(time_step) => Ok(time_step),
            TimeStep::Fraction(fraction) => {
                let shortest = self.shortest_contact_of(census)?;
                checked(fraction * shortest).ok_or_else(|| no_duration("a time step as this share of it", shortest))
            }
        }
    }

    /// How long the shortest contact lasts that grains here, or from generators, can have with each other or a wall.
    pub fn shortest_contact(&self) -> Result<f64, Error> {
        self.shortest_contact_of(&self.census())
    }

    fn shortest_contact_of(&self, census: &Census) -> Result<f64, Error> {
        let lightest = &census.lightest;
        if lightest.iter().all(Option::is_none) {
            return Err(Error::NoTimeStep { why: "there are no grains yet that could touch; give a time step" });
        }
        let mut shortest = f64::INFINITY;
        let mut consider = |a: usize, b: usize, inverse_mass: f64, radius: f64| -> Result<(), Error> {
            let law = self.laws.between(a as u16, b as u16);
            let speed = if law.is_speed_needed() { self.impact_speed(census)? } else { 0.0 };
            let duration = law.duration(inverse_mass, radius, speed);
            let Some(duration) = checked(duration) else {
                let mass = 1.0 / inverse_mass;
                return Err(no_duration(&format!("materials {a} and {b} and a mass of {mass:e}"), duration));
            };
            shortest = shortest.min(duration);
            Ok(())
        };
        for (a, one) in lightest.iter().enumerate() {
            let &Some([mass, radius]) = one else { continue };
            for (b, other) in lightest.iter().enumerate() {
                let &Some([other_mass, other_radius]) = other else { continue };
                let common = radius * other_radius / (radius + other_radius);
                consider(a, b, 1.0 / mass + 1.0 / other_mass, common)?;
            }
            for wall in &self.setup.physics.walls {
                consider(a, usize::from(wall.material), 1.0 / mass, radius)?;
            }
        }
        Ok(shortest)
    }

    /// The speed of impacts to be expected.
    fn impact_speed(&self, census: &Census) -> Result<f64, Error> {
        let physics = &self.setup.physics;
        if let Some(speed) = physics.impact_speed {
            if !(speed > 0.0 && speed.is_finite()) {
                let (what, must) = ("impact speed".to_owned(), "must be positive and finite");
                return Err(Error::Parameter { what, value: speed, must });
            }
            return Ok(speed);
        }
        // How far anything can fall: all heights, times the pull, and at least one diameter.
        let [low, high] = census.heights;
        let fall = (high - low).max(0.0) + 2.0 * census.largest * length(physics.gravity);
        let speed = (census.fastest * census.fastest + 2.0 * fall).sqrt();
        if speed > 0.0 {
            Ok(speed)
        } else {
            Err(Error::NoTimeStep {
                why: "with the law of Hertz contacts last the shorter the faster they are, and nothing moves yet; give a time step or an impact speed",
            })
        }
    }
}

/// A time that steps can be taken from.
fn checked(time: f64) -> Option<f64> {
    (time > 0.0 && time.is_finite()).then_some(time)
}

fn no_duration(of: &str, value: f64) -> Error {
    Error::Parameter {
        what: format!("duration of the shortest contact, with {of},"),
        value,
        must: "must be positive and finite: check density, radius and stiffness, or give a time step",
    }
}
