//! How fast balls grow, in which stages, and when growth is at its end.

use super::ball::dot;
use super::gas::{Counts, Gas, Stage};
use multigrain::{Axes, Dimension};

/// Every stage lets the volume of the balls grow by this factor; then velocities are rescaled and lists made again.
const VOLUME_STEP: f64 = 1.05;

/// At the end of growth the surface of the mean ball moves at this part of its thermal speed. Slower growth jams later;
/// this one takes equal spheres to a packing fraction of 0.635.
const SLOWEST_GROWTH: f64 = 0.02;

/// At its beginning, where there is room, growth is faster by one plus this.
const EARLY_SPEEDUP: f64 = 9.0;

/// How far balls may go before they need new neighbours, in units of the room that each has: further, and lists get
/// long; less, and they are made too often.
const FREEDOM: f64 = 0.45;

/// Heavy balls are slow and need less freedom, but no less than this part of it.
const MIN_FREEDOM: f64 = 0.1;

/// A stage ends early after this many collisions per ball, ...
const COLLISIONS_PER_BALL: u64 = 100;

/// ... and this many more, for a few balls alone, ...
const COLLISIONS_OF_A_FEW: u64 = 1000;

/// ... and if the logarithm of the volume has then grown by less than this, the balls are jammed: the collisions needed
/// for a given growth diverge, as the pressure does.
const MIN_GROWTH: f64 = 1e-3;

/// Why a stage has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StageEnd {
    /// There is more to grow.
    Going,
    /// The balls have their final size.
    Full,
    /// They touch so often that they hardly grow.
    Jammed,
}

/// Takes the gas one stage further.
pub(super) fn grow_a_stage<const D: usize>(
    gas: &mut Gas<D>,
    packing_fraction: f64,
    watch: &mut dyn FnMut(f64, Counts) -> bool,
) -> Result<(StageEnd, Counts), multigrain::Error>
where
    Axes: Dimension<D>,
{
    rescale_velocities(gas);
    let before = gas.scale;
    let stage = next_stage(gas, packing_fraction);
    let counts = gas.run(&stage, watch)?;
    let grown = D as f64 * (gas.scale / before).ln();
    let end = if gas.scale >= 1.0 {
        StageEnd::Full
    } else if counts.collisions >= stage.most_collisions && grown < MIN_GROWTH {
        StageEnd::Jammed
    } else {
        StageEnd::Going
    };
    Ok((end, counts))
}

/// `packing_fraction` is that at the end of growth.
fn next_stage<const D: usize>(gas: &Gas<D>, packing_fraction: f64) -> Stage {
    let count = gas.balls.len() as f64;
    let volume: f64 = gas.domain.hi().iter().product();
    let filled = gas.scale.powi(D as i32);
    let room = ((1.0 - packing_fraction * filled) * volume / count).powf(1.0 / D as f64);
    let largest = gas.balls.iter().map(|ball| ball.radius).fold(0.0, f64::max);
    Stage {
        scale: (gas.scale * VOLUME_STEP.powf(1.0 / D as f64)).min(1.0),
        // The unit of length is the mean radius. Large balls push small ones ahead of them, so wide mixtures take longer.
        rate: SLOWEST_GROWTH / largest.sqrt() * (1.0 + EARLY_SPEEDUP * (1.0 - filled).powi(2)),
        freedom: FREEDOM * room,
        least_freedom: MIN_FREEDOM * FREEDOM * room,
        most_collisions: COLLISIONS_PER_BALL * gas.balls.len() as u64 + COLLISIONS_OF_A_FEW,
    }
}

/// Takes out the heat of growth, and any common drift along periodic axes.
fn rescale_velocities<const D: usize>(gas: &mut Gas<D>) {
    let mass: f64 = gas.lightness.iter().map(|light| 1.0 / light).sum();
    for axis in (0..D).filter(|&axis| gas.domain.is_periodic(axis)) {
        let momentum: f64 = gas.balls.iter().zip(&gas.lightness).map(|(ball, light)| ball.velocity[axis] / light).sum();
        let drift = momentum / mass;
        gas.balls.iter_mut().for_each(|ball| ball.velocity[axis] -= drift);
    }
    // A mean over balls rather than energies: what a few large balls do matters little to the others.
    let squares: f64 = gas.balls.iter().map(|ball| dot(ball.velocity, ball.velocity)).sum();
    let temperature = squares / (D as f64 * gas.lightness.iter().sum::<f64>());
    if temperature > 0.0 {
        let factor = 1.0 / temperature.sqrt();
        for ball in &mut gas.balls {
            ball.velocity = ball.velocity.map(|speed| factor * speed);
        }
    }
}
