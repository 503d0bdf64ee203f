//! One system: `auto` and all settings in turns, and what came of it.

use super::{Failure, turn};
use multigrain::System;
use multigrain::detectors::HierarchicalGrid;
use multigrain::tuning::{BodySample, Coefficients, RowSetting, RowWork};
use multigrain::{Axes, Dimension, Pairs};
use multigrain_lab::clock::Clock;
use multigrain_lab::table::short;
use multigrain_lab::timing::median;
use multigrain_methods::Method;

/// Bodies per cell of the finest level.
const FILLINGS: [f64; 5] = [0.6, 1.0, 1.6, 2.5, 4.0];

/// A system of two or three dimensions on which settings take turns.
pub trait Contest {
    /// A turn of every setting and of `auto`.
    fn round(&mut self, clock: Clock) -> Result<(), Failure>;

    /// What all rounds have shown, with predictions by given coefficients.
    fn judged(&self, by: &Coefficients) -> Result<Judged, Failure>;
}

/// What was measured of one case.
pub struct Judged {
    /// All settings.
    pub settings: Vec<Timed>,
    /// The quickest of them.
    pub best: usize,
    /// Cells that `auto` chose.
    pub auto_layout: String,
    /// Seconds that it took.
    pub auto_seconds: f64,
    /// Seconds to choose levels.
    pub choosing: f64,
    /// Pairs of settings whose times differ by more than 30 %.
    pub compared: usize,
    /// Those of them that the model orders wrongly.
    pub wrong: usize,
}

/// A setting with its times.
pub struct Timed {
    /// In short.
    pub name: String,
    /// Median seconds.
    pub seconds: f64,
    /// Predicted seconds.
    pub predicted: f64,
    /// Predicted work.
    pub work: RowWork,
}

/// Settings of one system and their times so far.
pub struct ContestOf<const D: usize> {
    system: System<D>,
    settings: Vec<RowSetting>,
    work: Vec<RowWork>,
    times: Vec<Vec<f64>>,
    auto_layout: String,
    auto_times: Vec<f64>,
    choosing: Vec<f64>,
    pairs: Pairs<D>,
}

impl<const D: usize> ContestOf<D>
where
    Axes: Dimension<D>,
{
    pub fn new(system: System<D>) -> Result<Self, Failure> {
        let sample = BodySample::of_all(&system.snapshot()?).ok_or("nothing has a size")?;
        let model = sample.model()?;
        let settings = model.settings(&FILLINGS)?;
        let predict = |setting: &RowSetting| model.with_direction(setting.direction).predict(&setting.levels).work;
        Ok(Self {
            work: settings.iter().map(predict).collect(),
            times: vec![Vec::new(); settings.len()],
            settings,
            system,
            auto_layout: String::new(),
            auto_times: Vec::new(),
            choosing: Vec::new(),
            pairs: Pairs::new(),
        })
    }
}

impl<const D: usize> Contest for ContestOf<D>
where
    Axes: Dimension<D>,
{
    fn round(&mut self, clock: Clock) -> Result<(), Failure> {
        let now = self.system.snapshot()?;
        for (setting, times) in self.settings.iter().zip(&mut self.times) {
            let mut grid = HierarchicalGrid::with_levels(setting.levels.clone(), setting.direction);
            times.push(turn(clock, &mut grid, now, &mut self.pairs));
        }
        let (elapsed, auto) = Clock::Wall.time(|| Method::Auto.build(now));
        let mut auto = auto?;
        self.choosing.push(elapsed);
        self.auto_times.push(turn(clock, &mut *auto, now, &mut self.pairs));
        let layout = auto.layout();
        let sizes: Vec<String> = layout.cell_sizes.iter().map(|&size| short(size)).collect();
        let direction = layout.direction.map_or("brute force", |direction| direction.name());
        self.auto_layout = format!("{} {direction}", sizes.join(" "));
        Ok(())
    }

    fn judged(&self, by: &Coefficients) -> Result<Judged, Failure> {
        let bodies = self.system.radii.len() as f64;
        let timed = self.settings.iter().zip(&self.work).zip(&self.times).map(|((setting, &work), times)| {
            let RowSetting { levels, direction, filling } = setting;
            let name = format!("{} x {filling} {}", levels.as_slice().len(), direction.name());
            Timed { name, seconds: median(times), predicted: by.seconds(&work) * bodies, work }
        });
        let settings: Vec<Timed> = timed.collect();
        let best = (0..settings.len())
            .min_by(|&a, &b| settings[a].seconds.total_cmp(&settings[b].seconds))
            .ok_or("no settings")?;
        let (compared, wrong) = orders(&settings);
        let (auto_layout, auto_seconds) = (self.auto_layout.clone(), median(&self.auto_times));
        Ok(Judged { settings, best, auto_layout, auto_seconds, choosing: median(&self.choosing), compared, wrong })
    }
}

/// Pairs of settings whose times differ by more than 30 %, and how many of them the prediction orders wrongly.
fn orders(settings: &[Timed]) -> (usize, usize) {
    let (mut compared, mut wrong) = (0, 0);
    for (k, a) in settings.iter().enumerate() {
        for b in &settings[..k] {
            let (slow, quick) = if a.seconds > b.seconds { (a, b) } else { (b, a) };
            if slow.seconds > 1.3 * quick.seconds {
                compared += 1;
                wrong += usize::from(slow.predicted <= quick.predicted);
            }
        }
    }
    (compared, wrong)
}
