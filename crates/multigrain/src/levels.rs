//! Levels of a hierarchical grid: which radii live on which, with cells of what size.

use crate::error::Error;
use crate::limits::{MAX_LEVELS, MIN_CELL};
use crate::snapshot::Snapshot;

/// One level. A body's radius on a level includes half the margin.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Level {
    /// Largest radius of a body on this level.
    pub max_radius: f64,
    /// Size of its cells, at least twice that.
    pub cell_size: f64,
}

/// The levels of a hierarchical grid, from fine to coarse.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<Level>", into = "Vec<Level>")
)]
pub struct Levels(Vec<Level>);

impl TryFrom<Vec<Level>> for Levels {
    type Error = Error;

    fn try_from(levels: Vec<Level>) -> Result<Self, Error> {
        Self::new(levels)
    }
}

impl From<Levels> for Vec<Level> {
    fn from(levels: Levels) -> Self {
        levels.0
    }
}

/// One level of unit cells: for bodies of any size, though slow for most.
impl Default for Levels {
    fn default() -> Self {
        Self(vec![Level { max_radius: 0.5, cell_size: 1.0 }])
    }
}

impl Levels {
    /// Levels with the given cell sizes, each for bodies up to half its size.
    pub fn from_cell_sizes(sizes: &[f64]) -> Result<Self, Error> {
        Self::new(sizes.iter().map(|&size| Level { max_radius: size / 2.0, cell_size: size }).collect())
    }

    /// Levels with strictly ascending largest radii and cells that hold them.
    pub fn new(levels: Vec<Level>) -> Result<Self, Error> {
        let sound = |level: &Level| {
            let is_counted = level.cell_size.is_finite() && level.cell_size >= MIN_CELL;
            is_counted && level.max_radius > 0.0 && level.cell_size >= 2.0 * level.max_radius
        };
        let ascending = levels.windows(2).all(|pair| pair[0].max_radius < pair[1].max_radius);
        if levels.is_empty() || levels.len() > MAX_LEVELS || !levels.iter().all(sound) || !ascending {
            return Err(Error::CellSizes { sizes: levels.iter().map(|level| level.cell_size).collect() });
        }
        Ok(Self(levels))
    }

    /// All levels, from fine to coarse.
    pub fn as_slice(&self) -> &[Level] {
        &self.0
    }

    /// The level of insertion: the finest whose cells hold a body of `radius` (half the margin included). Bodies too
    /// large for every level go to the coarsest.
    #[inline]
    pub fn level_of(&self, radius: f64) -> usize {
        let last = self.0.len() - 1;
        self.0[..last].partition_point(|level| level.max_radius < radius)
    }

    /// An error if the coarsest cells cannot hold the largest body.
    pub fn must_hold<const D: usize>(&self, now: &Snapshot<'_, D>) -> Result<(), Error> {
        let largest_cell = self.0[self.0.len() - 1].cell_size;
        let diameter = now.largest_reach();
        if now.is_empty() || diameter <= largest_cell {
            return Ok(());
        }
        let particle = now.radii().iter().position(|&radius| radius == now.extent().max_radius).unwrap_or(0);
        Err(Error::CellTooSmall { largest_cell, particle, diameter })
    }

    /// These levels with the coarsest one grown, if need be, to hold bodies of `radius` (half the margin included).
    pub fn grown_to(mut self, radius: f64) -> Self {
        if let Some(last) = self.0.last_mut() {
            last.max_radius = last.max_radius.max(radius);
            last.cell_size = last.cell_size.max(2.0 * last.max_radius);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_go_to_the_finest_level_that_holds_them() {
        let levels = Levels::from_cell_sizes(&[3.0, 8.0]).unwrap();
        assert_eq!([0.1, 1.5, 1.5 + f64::EPSILON, 4.0, 9.0].map(|radius| levels.level_of(radius)), [0, 0, 1, 1, 1]);
        assert_eq!(levels.grown_to(9.0).as_slice()[1], Level { max_radius: 9.0, cell_size: 18.0 });
    }

    #[test]
    fn refuses_sizes_that_do_not_ascend() {
        for sizes in
            [&[][..], &[1.0, 1.0], &[2.0, 1.0], &[0.0, 1.0], &[-1.0], &[f64::NAN], &[f64::INFINITY], &[1e-320, 1.0]]
        {
            assert!(Levels::from_cell_sizes(sizes).is_err(), "{sizes:?}");
        }
    }

    #[test]
    fn names_the_body_that_does_not_fit() {
        let now = Snapshot::new(&[[0.0; 2]; 3], &[1.0, 5.0, 2.0]).unwrap();
        let error = Levels::from_cell_sizes(&[4.0]).unwrap().must_hold(&now).unwrap_err();
        assert_eq!(error, Error::CellTooSmall { largest_cell: 4.0, particle: 1, diameter: 10.0 });
    }

    #[test]
    fn no_bodies_fit_any_cells_whatever_the_margin() {
        let now = Snapshot::<2>::new(&[], &[]).unwrap().with_margin(50.0).unwrap();
        assert_eq!(Levels::from_cell_sizes(&[4.0]).unwrap().must_hold(&now), Ok(()));
    }
}
