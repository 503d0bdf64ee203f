//! This machine's coefficients, measured as `multigrain calibrate` does.

use super::{Failure, second_run};
use multigrain::Pairs;
use multigrain::detectors::HierarchicalGrid;
use multigrain::scenes::DataSet;
use multigrain::tuning::{BodySample, Coefficients, Measured};
use multigrain_lab::clock::Clock;
use multigrain_lab::timing::median;

/// Systems that differ in what they need most.
const SETS: [&str; 4] = ["mono", "us50", "bi10", "uv100"];

/// Bodies per cell, few and many.
const FILLINGS: [f64; 2] = [1.0, 4.0];

/// Measures settings of some systems and fits coefficients to them.
pub fn coefficients(count: usize, rounds: usize, clock: Clock) -> Result<Coefficients, Failure> {
    let mut measured = Vec::new();
    let mut pairs = Pairs::new();
    for name in SETS {
        let system = DataSet::from_name(name).ok_or("a data set is missing")?.build(count, 1)?;
        let now = system.snapshot()?;
        let sample = BodySample::of(&now).ok_or("nothing has a size")?;
        let model = sample.model()?;
        let settings = model.settings(&FILLINGS)?;
        let mut times = vec![Vec::new(); settings.len()];
        for _ in 0..rounds {
            for (setting, times) in settings.iter().zip(&mut times) {
                let mut grid = HierarchicalGrid::with_levels(setting.levels.clone(), setting.direction);
                times.push(second_run(clock, &mut grid, now, &mut pairs));
            }
        }
        measured.extend(settings.iter().zip(&times).map(|(setting, times)| {
            let work = model.with_direction(setting.direction).predict(&setting.levels).work;
            Measured { work, seconds: median(times) / now.len() as f64 }
        }));
    }
    Ok(Coefficients::fit(&measured).ok_or("too few measurements")?)
}
