//! What a run must not begin with, or end with, unsaid: steps too long for contacts, grains inside each other, energy from nothing.

use crate::failure::{hinted, say};
use crate::scene::Scene;
use crate::table::{count, three_digits};
use anyhow::Result;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Simulation, Totals};

/// Time step over the shortest contact from which on contacts are no longer worked out well.
const LONG_STEP: f64 = 0.1;

/// Time step over the shortest contact from which on they are nonsense.
const MAX_STEP: f64 = 0.5;

/// Overlap at the start, as a share of the smaller radius, from which on it is a mistake.
const MAX_OVERLAP: f64 = 0.1;

/// Overlap that rounding alone can make.
const ROUNDING: f64 = 1e-9;

/// Change of all energy, as a share of what has changed hands, from which on it is reported.
const MAX_DRIFT: f64 = 0.01;

/// A note or an error where a time step is long against the shortest contact.
pub fn check_step(scene: &Scene, time_step: f64, shortest: Option<f64>) -> Result<()> {
    let Some(share) = shortest.map(|shortest| time_step / shortest) else { return Ok(()) };
    let message = format!("the time step of {time_step:.3e} is {} of the shortest contact", three_digits(share));
    if share > MAX_STEP && !scene.allows_long_step() {
        let hint = "leave `step` of [time] to the program, make it shorter, or set `allow_long_step` to true";
        return Err(hinted(format!("{message}, more than a half: energy would come from nothing"), hint));
    }
    if share > LONG_STEP {
        say(&format!("warning: {message}, more than a tenth: contacts are not worked out well"));
    }
    Ok(())
}

/// An error where a scene asks for other grains than the run that it is to continue began with: these go on as they are.
pub fn check_counts(scene: &Scene, began_with: u64) -> Result<()> {
    match scene.document.grains_at_start() {
        Some(asked) if asked != began_with => Err(hinted(
            format!("the run began with {} grains, and the scene asks for {}", count(began_with), count(asked)),
            "a run goes on with the grains that it has: change their number back, or begin another run with -o",
        )),
        _ => Ok(()),
    }
}

/// Who overlaps most at the start, and how deep.
pub struct Deepest {
    /// Number of contacts.
    pub count: usize,
    /// The largest overlap as a share of the smaller radius.
    pub largest: f64,
    /// Those that overlap most.
    pub between: String,
}

/// A note or an error where grains overlap at the start.
pub fn check_overlaps(scene: &Scene, found: &Deepest) -> Result<()> {
    let Deepest { count: contacts, largest, between } = found;
    if *largest <= ROUNDING {
        return Ok(());
    }
    let contacts = count(*contacts as u64);
    let share = three_digits(100.0 * largest);
    let message =
        format!("contacts that overlap at the start: {contacts}, by up to {share} % of the smaller radius ({between})");
    if *largest > MAX_OVERLAP && !scene.allows_overlap() {
        let hint =
            "place grains apart from each other and from walls, or set `allow_overlap` to true at the top of the scene";
        return Err(hinted(message, hint));
    }
    say(&format!("note: {message}"));
    Ok(())
}

/// Where the energy of a run was at its start.
#[derive(Debug, Clone)]
pub struct Budget {
    kinetic: f64,
    elastic: f64,
    gravitational: f64,
    dissipated: f64,
    wall_work: f64,
    exchanged: u64,
}

impl Budget {
    /// Where it is now.
    pub fn of<const D: usize>(simulation: &Simulation<D>, totals: &Totals<D>) -> Self
    where
        Axes: Dimension<D>,
    {
        let energies = totals.energies();
        Self {
            kinetic: energies.kinetic(),
            elastic: energies.elastic,
            gravitational: energies.gravitational,
            dissipated: totals.dissipated(),
            wall_work: totals.wall_work(),
            exchanged: simulation.generated() + totals.removed,
        }
    }

    /// Where it was at the start of a run, by the first row of its table: what the row says under a name. A run that was not begun
    /// here, or into which grains came at once, has none.
    pub fn of_first_row(value: impl Fn(&str) -> Option<f64>) -> Option<Self> {
        (value("step")? == 0.0).then_some(())?;
        Some(Self {
            kinetic: value("translational")? + value("rotational")?,
            elastic: value("elastic")?,
            gravitational: value("gravitational")?,
            dissipated: value("dissipated")?,
            wall_work: value("wall_work")?,
            exchanged: 0,
        })
    }

    /// Energy that came from nothing or was lost since then, as a share of the largest that changed hands; nothing where grains
    /// came or went.
    pub fn drift(&self, now: &Self) -> Option<f64> {
        let all = |budget: &Self| {
            budget.kinetic + budget.elastic + budget.gravitational + budget.dissipated - budget.wall_work
        };
        let changed = [
            self.kinetic + self.elastic,
            now.kinetic + now.elastic,
            (now.gravitational - self.gravitational).abs(),
            (now.dissipated - self.dissipated).abs(),
            (now.wall_work - self.wall_work).abs(),
        ];
        let scale = changed.into_iter().fold(0.0, f64::max);
        let change = all(now) - all(self);
        (self.exchanged == now.exchanged).then(|| if change == 0.0 { 0.0 } else { change / scale })
    }
}

/// A warning where energy drifted.
pub fn warn_of_drift(drift: Option<f64>) {
    if let Some(drift) = drift.filter(|drift| drift.is_nan() || drift.abs() > MAX_DRIFT) {
        let way = if drift < 0.0 { "was lost to" } else { "came from" };
        let share = three_digits(100.0 * drift.abs());
        say(&format!("warning: {share} % of the energy {way} nothing in this run; a shorter time step may help"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drift_is_a_share_of_what_changed_hands_wherever_heights_are_counted_from() {
        let start =
            Budget { kinetic: 0.0, elastic: 0.0, gravitational: 1e3, dissipated: 0.0, wall_work: 0.0, exchanged: 0 };
        let end = |kinetic| Budget {
            kinetic,
            gravitational: 998.0,
            dissipated: 1.0,
            elastic: 0.0,
            wall_work: 0.0,
            exchanged: 0,
        };
        assert_eq!(start.drift(&end(1.0)), Some(0.0));
        assert_eq!(start.drift(&end(2.0)), Some(0.5));
        assert_eq!(start.drift(&start), Some(0.0), "nothing has changed hands yet");
        assert!(start.drift(&end(f64::NAN)).unwrap().is_nan());
        assert_eq!(start.drift(&Budget { exchanged: 1, ..end(2.0) }), None);
    }
}
