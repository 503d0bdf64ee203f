//! Levels for the papers' grid when none are given: appendix A and the quick rule with the K of this grid
//! ([`K_OF_HGRID_CELLS`]), and others where bodies crowd.

use super::HGridCells;
use super::crowds::levels_for_crowds;
use crate::tuning::{K_OF_HGRID_CELLS, RadiiSample};
use multigrain::Error;
use multigrain::Levels;
use multigrain::Snapshot;
use multigrain::{Build, LevelChoice, Settings};

impl<const D: usize> Build<D> for HGridCells<D> {
    fn build(now: Snapshot<'_, D>, settings: &Settings) -> Result<Self, Error> {
        let filling = match &settings.levels {
            LevelChoice::CellSizes(sizes) => {
                let levels = Levels::from_cell_sizes(sizes)?;
                levels.must_hold(&now)?;
                return Ok(Self::with_levels(levels, settings.direction.unwrap_or_default()));
            }
            LevelChoice::Count(count) => RadiiSample::of(&now).with_levels(*count)?,
            LevelChoice::Tuned => RadiiSample::of(&now).quick_rule(K_OF_HGRID_CELLS),
            _ => return Err(Error::NoSuchSetting { method: "hgrid-cells", setting: "levels of this kind" }),
        };
        // Without any size one level of any size will do: it grows with the first body that has one.
        let particles_per_cell = filling.as_ref().map_or(0.0, |filling| filling.particles_per_cell);
        let levels = filling.map_or_else(|| Levels::from_cell_sizes(&[1.0]), |filling| filling.levels())?;
        // The papers' rules take bodies to be spread evenly.
        if settings.levels == LevelChoice::Tuned
            && let Some((levels, direction)) = levels_for_crowds(&now, &levels, particles_per_cell)
        {
            return Ok(Self::with_levels(levels, settings.direction.unwrap_or(direction)));
        }
        Ok(Self::with_levels(levels, settings.direction.unwrap_or_default()))
    }
}
