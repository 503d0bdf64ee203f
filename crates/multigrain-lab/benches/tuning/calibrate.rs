//! This machine's coefficients, measured as `multigrain calibrate` does.

use super::{Failure, turn};
use multigrain::Pairs;
use multigrain::System;
use multigrain::detectors::HierarchicalGrid;
use multigrain::tuning::{BodySample, Coefficients, Measured};
use multigrain_lab::clock::Clock;
use multigrain_lab::timing::median;
use multigrain_packings::DataSet;

/// Systems that differ in what they need most.
const SETS: [&str; 4] = ["mono", "us50", "bi10", "uv100"];

/// Measures settings of some systems, all in turns, and fits coefficients to them.
pub fn coefficients(count: usize, rounds: usize, clock: Clock) -> Result<Coefficients, Failure> {
    let sets = SETS.iter().map(|name| DataSet::from_name(name).ok_or("a data set is missing"));
    let systems = sets.map(|set| Ok(set?.build(count, 1)?)).collect::<Result<Vec<System<3>>, Failure>>()?;
    let mut settings = Vec::new();
    for (k, system) in systems.iter().enumerate() {
        let sample = BodySample::of(&system.snapshot()?).ok_or("nothing has a size")?;
        let model = sample.model()?;
        for setting in model.settings_to_measure()? {
            let work = model.with_direction(setting.direction).predict(&setting.levels).work;
            settings.push((k, setting, work));
        }
    }
    let mut times = vec![Vec::new(); settings.len()];
    let mut pairs = Pairs::new();
    for _ in 0..rounds {
        for ((k, setting, _), times) in settings.iter().zip(&mut times) {
            let mut grid = HierarchicalGrid::with_levels(setting.levels.clone(), setting.direction);
            times.push(turn(clock, &mut grid, systems[*k].snapshot()?, &mut pairs));
        }
    }
    let measured = settings.iter().zip(&times);
    let measured = measured.map(|(&(_, _, work), times)| Measured { work, seconds: median(times) / count as f64 });
    Ok(Coefficients::fit(&measured.collect::<Vec<_>>()).ok_or("too few measurements")?)
}
