//! Levels for the fast grid by the occupancy of its cells: look-ups cost more than tests, so few levels with well-filled
//! cells win.

use crate::error::Error;
use crate::levels::{Level, Levels};
use crate::limits::MOST_LEVELS;
use crate::snapshot::Snapshot;

/// Bodies per cell of the finest level.
const FINEST: f64 = 1.3;

/// Bodies per cell up to which one level for all bodies is best.
const ONE_LEVEL: f64 = 6.0;

/// Ratio of cell sizes of neighbouring levels, at most.
const STEP: f64 = 4.5;

/// Most bodies looked at.
const SAMPLE: usize = 1 << 14;

/// Levels for the bodies of `now`: as many as suit them, or `count`.
pub fn levels<const D: usize>(now: &Snapshot<'_, D>, count: Option<usize>) -> Result<Levels, Error> {
    if let Some(count) = count.filter(|count| !(1..=MOST_LEVELS).contains(count)) {
        return Err(Error::LevelCount { count });
    }
    let half_margin = now.contact_margin() / 2.0;
    let largest = now.largest_reach() / 2.0;
    if largest == 0.0 {
        return Levels::from_cell_sizes(&[1.0]);
    }
    let stride = now.len().div_ceil(SAMPLE).max(1);
    let mut radii: Vec<f64> = now.radii().iter().step_by(stride).map(|radius| radius + half_margin).collect();
    radii.sort_unstable_by(f64::total_cmp);
    let volume = occupied_volume(now, stride);
    let density = now.len() as f64 / volume;
    let share = |radius: f64| radii.partition_point(|&other| other <= radius) as f64 / radii.len() as f64;
    let occupancy = |radius: f64| density * share(radius) * (2.0 * radius).powi(D as i32);
    let one = Level { max_radius: largest, cell_size: 2.0 * largest };
    if count == Some(1) || (count.is_none() && occupancy(largest) <= ONE_LEVEL) {
        return Levels::new(vec![one]);
    }
    let finest = finest_radius(&radii, largest, occupancy);
    let steps = match count {
        Some(count) => count - 1,
        None => ((largest / finest).ln() / STEP.ln()).ceil().max(1.0) as usize,
    };
    let mut levels: Vec<Level> = Vec::with_capacity(steps + 1);
    for step in 0..=steps {
        let limit = finest * (largest / finest).powf(step as f64 / steps as f64);
        let limit = if step == steps { largest } else { limit };
        let bodies = share(limit) - levels.last().map_or(0.0, |level| share(level.max_radius));
        // A level without bodies is of no use, unless that many levels were asked for.
        let ascends = levels.last().is_none_or(|level| level.max_radius < limit);
        if ascends && (count.is_some() || bodies > 0.0 || step == steps) {
            levels.push(Level { max_radius: limit, cell_size: 2.0 * limit });
        }
    }
    Levels::new(levels)
}

/// Radius of the largest body on a finest level with the wanted occupancy.
fn finest_radius(radii: &[f64], largest: f64, occupancy: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (radii.iter().copied().find(|&radius| radius > 0.0).unwrap_or(largest), largest);
    if occupancy(low) >= FINEST {
        return low;
    }
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        if occupancy(middle) < FINEST { low = middle } else { high = middle }
    }
    low
}

/// Volume of the space that the bodies fill, of cells much larger than the distance between bodies: empty parts of the
/// bounding box do not count.
fn occupied_volume<const D: usize>(now: &Snapshot<'_, D>, stride: usize) -> f64 {
    let extent = now.extent();
    let widths: [f64; D] = std::array::from_fn(|axis| (extent.hi[axis] - extent.lo[axis]).max(now.largest_reach()));
    let widest = widths.into_iter().fold(0.0, f64::max);
    // Positions on a grid of 2^16 cells along the widest axis, bits of all axes interleaved: a prefix of the code is a
    // cell of a coarser grid.
    const BITS: u32 = 16;
    let mut codes: Vec<u64> = (now.centers().iter().step_by(stride))
        .map(|center| {
            let mut code = 0;
            for (axis, x) in center.iter().enumerate() {
                let along = (x - extent.lo[axis]) / widest * f64::from((1 << BITS) - 1);
                for bit in 0..BITS {
                    code |= u64::from(along as u32 >> bit & 1) << (bit * D as u32 + axis as u32);
                }
            }
            code
        })
        .collect();
    codes.sort_unstable();
    let box_volume: f64 = widths.iter().product();
    let mut volume = box_volume;
    for depth in 1..=BITS {
        let shift = (BITS - depth) * D as u32;
        let occupied = 1 + codes.windows(2).filter(|pair| pair[0] >> shift != pair[1] >> shift).count();
        if (codes.len() as f64) < 4.0 * occupied as f64 {
            break;
        }
        let cell = (widest / f64::from(1u32 << depth)).powi(D as i32);
        volume = (occupied as f64 * cell).min(box_volume);
    }
    volume
}
