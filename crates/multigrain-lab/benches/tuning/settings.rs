//! Every combination of a number of levels, bodies per cell of the finest and a direction.

use multigrain::tuning::{BodySample, Coefficients};
use multigrain::{Direction, Error, Level, Levels, Snapshot};

/// Bodies per cell of the finest level.
const FILLINGS: [f64; 5] = [0.6, 1.0, 1.6, 2.5, 4.0];

/// Most levels.
const MOST_LEVELS: usize = 5;

/// Levels and a direction.
pub struct Setting {
    /// In short.
    pub name: String,
    /// The levels.
    pub levels: Levels,
    /// Who searches between them.
    pub direction: Direction,
}

/// All settings that differ, for the bodies of a snapshot that fill a share of their box.
pub fn all<const D: usize>(now: &Snapshot<'_, D>, filled: f64) -> Result<Vec<Setting>, Error> {
    let mut radii: Vec<f64> = now.radii().to_vec();
    radii.sort_unstable_by(f64::total_cmp);
    let largest = radii[radii.len() - 1];
    let extent = now.extent();
    let volume: f64 = (0..D).map(|axis| extent.hi[axis] - extent.lo[axis]).product::<f64>() * filled;
    let per_cell =
        |radius: f64| radii.partition_point(|&other| other <= radius) as f64 / volume * (2.0 * radius).powi(D as i32);
    let mut settings: Vec<Setting> = Vec::new();
    for filling in FILLINGS {
        let finest =
            radius_with(filling, radii.iter().copied().find(|&r| r > 0.0).unwrap_or(largest), largest, per_cell);
        for count in 1..=MOST_LEVELS {
            let Some(levels) =
                levels(count, finest, largest, (volume * filling / radii.len() as f64).powf(1.0 / D as f64))
            else {
                continue;
            };
            let levels = Levels::new(levels)?;
            let directions = if count == 1 { &Direction::ALL[..1] } else { &Direction::ALL[..] };
            for &direction in directions {
                if !settings.iter().any(|other| other.levels == levels && other.direction == direction) {
                    let name = format!("{count} x {filling} {}", direction.name());
                    settings.push(Setting { name, levels: levels.clone(), direction });
                }
            }
        }
    }
    Ok(settings)
}

/// Predicted seconds per particle.
pub fn predicted<const D: usize>(sample: &BodySample<D>, setting: &Setting, by: &Coefficients) -> Result<f64, Error> {
    let model = sample.model()?.with_direction(setting.direction);
    Ok(by.seconds(&model.predict(&setting.levels).work))
}

/// Levels in equal ratios from `finest` to `largest`; one level takes cells of `size` if they hold the largest body.
fn levels(count: usize, finest: f64, largest: f64, size: f64) -> Option<Vec<Level>> {
    if count == 1 {
        return Some(vec![Level { max_radius: largest, cell_size: size.max(2.0 * largest) }]);
    }
    if finest * 1.05 > largest {
        return None;
    }
    let radius = |level: usize| match level + 1 == count {
        true => largest,
        false => finest * (largest / finest).powf(level as f64 / (count - 1) as f64),
    };
    Some((0..count).map(|level| Level { max_radius: radius(level), cell_size: 2.0 * radius(level) }).collect())
}

/// The radius up to which bodies fill cells of its diameter as asked.
fn radius_with(filling: f64, smallest: f64, largest: f64, per_cell: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (smallest, largest);
    if per_cell(low) >= filling {
        return low;
    }
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        if per_cell(middle) < filling { low = middle } else { high = middle }
    }
    high
}
