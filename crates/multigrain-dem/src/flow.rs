//! Particles that come and go while a simulation runs.

use crate::error::{Cause, Error};
use crate::simulation::Simulation;
use crate::vector::{dot, sub};
use multigrain::{Axes, Dimension};

/// Puts grains into a box at a steady rate, at random places where they touch nothing. A grain for which no place is found
/// waits for the next try.
#[derive(Debug, Clone, PartialEq)]
pub struct Generator<const D: usize> {
    /// Lower corner of the box that new grains lie in.
    pub lo: [f64; D],
    /// Upper corner of the box that new grains lie in.
    pub hi: [f64; D],
    /// Grains per time.
    pub rate: f64,
    /// Radii, of which one is drawn for each grain; not used where there are shapes.
    pub radii: Vec<f64>,
    /// Numbers of shapes, of which one is drawn for each grain, turned at random; empty for spheres and discs.
    pub shapes: Vec<u32>,
    /// Velocity of new grains.
    pub velocity: [f64; D],
    /// Number of their material.
    pub material: u16,
    /// Most grains in all; `None` for no end.
    pub limit: Option<u64>,
    /// Names the sequence of places and radii.
    pub seed: u64,
}

impl<const D: usize> Generator<D> {
    /// Grains of the first material, at rest, without end.
    pub fn new(lo: [f64; D], hi: [f64; D], rate: f64, radii: Vec<f64>) -> Self {
        Self { lo, hi, rate, radii, shapes: Vec::new(), velocity: [0.0; D], material: 0, limit: None, seed: 1 }
    }

    /// `of_shapes` are the radii of all shapes of the setup.
    pub(crate) fn check(&self, number: usize, materials: usize, of_shapes: &[f64]) -> Result<(), Error> {
        let refuse = |what: &str, value, must| {
            Err(Error::Parameter { what: format!("{what} of generator {number}"), value, must })
        };
        if !(self.rate > 0.0 && self.rate.is_finite()) {
            return refuse("rate", self.rate, "must be positive and finite");
        }
        if let Some(&shape) = self.shapes.iter().find(|&&shape| shape as usize >= of_shapes.len()) {
            return refuse("shape", f64::from(shape), "must be the number of a shape of the setup");
        }
        let largest = self.radii(of_shapes).into_iter().fold(f64::NAN, f64::max);
        if let Some(&radius) = self.radii.iter().find(|&&radius| !(radius > 0.0 && radius.is_finite())) {
            return refuse("radius", radius, "must be positive and finite");
        }
        if self.radii.is_empty() && self.shapes.is_empty() {
            return refuse("number of radii", 0.0, "must be 1 or more");
        }
        for axis in 0..D {
            let width = self.hi[axis] - self.lo[axis];
            if !(width >= 2.0 * largest && width.is_finite()) {
                return refuse("width", width, "must be finite and hold the largest grain");
            }
            if !self.velocity[axis].is_finite() {
                return refuse("velocity", self.velocity[axis], "must be finite");
            }
        }
        let material = usize::from(self.material);
        if material >= materials {
            let what = format!("generator {number}");
            return Err(Error::NoSuchMaterial { what, material, count: materials });
        }
        Ok(())
    }

    /// Radii of the grains that it may make, in the order in which they are drawn.
    pub(crate) fn radii(&self, of_shapes: &[f64]) -> Vec<f64> {
        match self.shapes.is_empty() {
            true => self.radii.clone(),
            false => self.shapes.iter().map(|&shape| of_shapes[shape as usize]).collect(),
        }
    }

    /// How many grains it should have made by this time.
    pub(crate) fn due(&self, time: f64) -> u64 {
        ((self.rate * time).floor() as u64).min(self.limit.unwrap_or(u64::MAX))
    }
}

/// Where particles leave the simulation: those whose center comes there are removed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outflow<const D: usize> {
    /// Inside a box.
    Inside {
        /// Lower corner.
        lo: [f64; D],
        /// Upper corner.
        hi: [f64; D],
    },
    /// Outside a box.
    Outside {
        /// Lower corner.
        lo: [f64; D],
        /// Upper corner.
        hi: [f64; D],
    },
    /// Behind a plane, on the side that the normal points to.
    Beyond {
        /// A point of the plane.
        point: [f64; D],
        /// The direction outwards, of any length.
        normal: [f64; D],
    },
}

impl<const D: usize> Outflow<D> {
    /// Whether a center there is out.
    #[inline]
    pub fn takes(&self, x: [f64; D]) -> bool {
        match *self {
            Self::Inside { lo, hi } => is_inside(x, lo, hi),
            Self::Outside { lo, hi } => !is_inside(x, lo, hi),
            Self::Beyond { point, normal } => dot(sub(x, point), normal) > 0.0,
        }
    }
}

#[inline]
fn is_inside<const D: usize>(x: [f64; D], lo: [f64; D], hi: [f64; D]) -> bool {
    (0..D).all(|axis| x[axis] >= lo[axis] && x[axis] <= hi[axis])
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// The last part of a step: removes what came into an outflow, and guests with it. Whether anything left; an error for what left
    /// the bounds.
    pub fn flow_out(&mut self) -> Result<bool, Error> {
        let mut has_left = false;
        let physics = &self.setup.physics;
        if !physics.outflows.is_empty() {
            let stays = |place: &u32| {
                // A clump goes as a whole, with its center.
                let clump = self.clump_of(*place as usize);
                let position = clump.map_or(self.state.positions[*place as usize], |clump| clump.position);
                !physics.outflows.iter().any(|outflow| outflow.takes(position))
            };
            has_left = (0..self.state.own() as u32).any(|place| !stays(&place));
            if has_left {
                let staying: Vec<u32> = (0..self.state.own() as u32).filter(stays).collect();
                self.removed += (self.state.own() - staying.len()) as u64;
                self.take(&staying);
            }
        }
        let Some([lo, hi]) = self.setup.physics.bounds else { return Ok(has_left) };
        let outside =
            self.state.positions[..self.state.own()].iter().enumerate().filter(|&(_, &x)| !is_inside(x, lo, hi));
        match outside.map(|(place, _)| place).min_by_key(|&place| self.state.ids[place]) {
            Some(place) => Err(self.lost(place, Cause::LeftBounds)),
            None => Ok(has_left),
        }
    }
}
