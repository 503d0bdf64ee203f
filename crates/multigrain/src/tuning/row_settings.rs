//! Settings of the fast grid that differ in what they need most: every combination of a number of levels, bodies per cell
//! and a direction. To measure coefficients with, and to judge a choice of levels by.

use super::coefficients::Coefficients;
use super::row_model::{RowModel, root};
use crate::detector::Direction;
use crate::error::Error;
use crate::levels::{Level, Levels};

/// Most levels of a setting.
const MAX_LEVELS: usize = 5;

/// Bodies per cell of the settings that coefficients are fitted to: few, just too many for one vector, and many.
const FILLINGS_TO_MEASURE: [f64; 3] = [1.0, 1.6, 4.0];

/// Settings predicted to take this many times the least time are not worth measuring.
const TOO_SLOW: f64 = 12.0;

/// Levels of the fast grid and who searches between them.
#[derive(Debug, Clone, PartialEq)]
pub struct RowSetting {
    /// The levels.
    pub levels: Levels,
    /// Who searches between them.
    pub direction: Direction,
    /// Bodies per cell of the finest level that were asked for.
    pub filling: f64,
}

impl<const D: usize> RowModel<'_, D> {
    /// The settings to measure coefficients with.
    pub fn settings_to_measure(&self) -> Result<Vec<RowSetting>, Error> {
        self.settings(&FILLINGS_TO_MEASURE)
    }

    /// All settings with one to five levels, some numbers of bodies per cell of the finest and either direction, each once.
    /// Those that the built-in coefficients say are far too slow are left out.
    pub fn settings(&self, fillings: &[f64]) -> Result<Vec<RowSetting>, Error> {
        let mut settings: Vec<RowSetting> = Vec::new();
        for &filling in fillings {
            for count in 1..=MAX_LEVELS {
                let Some(levels) = self.levels_in_equal_ratios(count, filling)? else { continue };
                let directions = if count == 1 { &[Direction::TopDown][..] } else { &Direction::ALL[..] };
                for &direction in directions {
                    if !settings.iter().any(|other| other.levels == levels && other.direction == direction) {
                        settings.push(RowSetting { levels: levels.clone(), direction, filling });
                    }
                }
            }
        }
        let seconds = |setting: &RowSetting| {
            Coefficients::BUILT_IN.seconds(&self.with_direction(setting.direction).predict(&setting.levels).work)
        };
        let least = settings.iter().map(seconds).fold(f64::INFINITY, f64::min);
        settings.retain(|setting| seconds(setting) < TOO_SLOW * least);
        Ok(settings)
    }

    /// Levels whose radii grow in equal ratios to the largest body, from the one whose cells hold `filling` bodies. Nothing if
    /// that is the largest body already.
    fn levels_in_equal_ratios(&self, count: usize, filling: f64) -> Result<Option<Levels>, Error> {
        let (unit, largest) = (self.sizes().unit(), self.sizes().largest());
        if count == 1 {
            let size = self.size_for_one(1.0) * root::<D>(filling) * unit;
            return Levels::new(vec![Level { max_radius: largest, cell_size: size.max(2.0 * largest) }]).map(Some);
        }
        let finest = self.radius_with(filling) * unit;
        if finest * 1.05 > largest {
            return Ok(None);
        }
        let radius = |level: usize| match level + 1 == count {
            true => largest,
            false => finest * (largest / finest).powf(level as f64 / (count - 1) as f64),
        };
        let levels = (0..count).map(radius).map(|radius| Level { max_radius: radius, cell_size: 2.0 * radius });
        Levels::new(levels.collect()).map(Some)
    }

    /// The radius up to which bodies fill cells of its diameter as asked, in the unit of the sizes.
    fn radius_with(&self, filling: f64) -> f64 {
        let is_filled = |radius: f64| {
            let share = self.sizes().scaled_between(f64::NEG_INFINITY, radius)[0];
            share > 0.0 && 2.0 * radius >= self.size_for_one(share) * root::<D>(filling)
        };
        let (mut low, mut high) = (self.sizes().scaled_smallest(), self.sizes().scaled_largest());
        if is_filled(low) {
            return low;
        }
        for _ in 0..60 {
            let middle = (low * high).sqrt();
            if is_filled(middle) { high = middle } else { low = middle }
        }
        high
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sizes::SizeLaw;
    use crate::tuning::Distribution;

    #[test]
    fn settings_differ_and_hold_all_bodies() {
        let sizes = Distribution::of_law(&SizeLaw::power(-3.0, 100.0).unwrap(), 3).unwrap();
        let model = RowModel::in_box(&sizes, 100_000, [160.0; 3], [false; 3]).unwrap();
        let settings = model.settings(&[1.0, 4.0]).unwrap();
        assert!(settings.len() > 10, "{}", settings.len());
        for (k, setting) in settings.iter().enumerate() {
            assert!(!settings[..k].contains(setting));
            assert_eq!(setting.levels.as_slice().last().unwrap().max_radius, sizes.largest());
        }
        for count in 2..=MAX_LEVELS {
            let found = settings.iter().filter(|setting| setting.levels.as_slice().len() == count);
            assert!(found.count() >= 1, "{count}");
        }
    }

    #[test]
    fn cells_of_the_finest_level_hold_what_was_asked_for() {
        let sizes = Distribution::of_law(&SizeLaw::power(-3.0, 100.0).unwrap(), 3).unwrap();
        let model = RowModel::in_box(&sizes, 100_000, [160.0; 3], [false; 3]).unwrap();
        for filling in [0.6, 1.0, 4.0] {
            let levels = model.levels_in_equal_ratios(3, filling).unwrap().unwrap();
            let finest = levels.as_slice()[0];
            let share = sizes.scaled_between(f64::NEG_INFINITY, finest.max_radius / sizes.unit())[0];
            let found = share * 1e5 * (finest.cell_size / 160.0).powi(3);
            assert!((found / filling - 1.0).abs() < 1e-6, "{found} {filling}");
        }
    }

    #[test]
    fn one_size_has_one_level() {
        let sizes = Distribution::of_radii(&[1.0; 100]).unwrap();
        let model = RowModel::in_box(&sizes, 100, [8.0; 3], [false; 3]).unwrap();
        let settings = model.settings(&[1.0, 4.0]).unwrap();
        assert!(settings.iter().all(|setting| setting.levels.as_slice().len() == 1), "{settings:?}");
    }
}
