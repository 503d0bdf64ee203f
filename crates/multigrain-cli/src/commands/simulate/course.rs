//! The course of a run: steps, and between them what is to be written.

use super::changes;
use super::checkpoint::Checkpoint;
use super::checks::Budget;
use super::drive::{self, STEPS_AT_ONCE};
use super::energies;
use super::flow_table::FlowTable;
use super::growing_table::GrowingTable;
use super::hands::Hands;
use super::schedule::Schedule;
use super::series::{self, Series};
use super::stopwatch::Stopwatch;
use super::wall_table::WallTable;
use super::{frames, page, walls};
use crate::failure::hinted;
use crate::scene::{ColorBy, FrameFormat, OutputPlan};
use anyhow::{Context, Result};
use multigrain::{Axes, Dimension};
use multigrain_dem::{Cause, Error};

/// Where a run takes place: for files and pictures, which show more than the simulator knows.
pub struct Stage {
    /// What each wall is called in tables.
    pub wall_names: Vec<String>,
    /// What tables call generators, outflows and meters, in this order.
    pub flow_names: Vec<String>,
    /// Names of the materials.
    pub materials: Vec<String>,
}

/// A run of a scene.
pub struct Course<'a, const D: usize> {
    pub hands: Hands<'a, D>,
    steps: u64,
    time_step: f64,
    pub output: OutputPlan,
    stage: Stage,
    checkpoint: Checkpoint,
    /// Steps at the end.
    last_step: u64,
    rows: Schedule,
    snapshots: Option<Series>,
    table: GrowingTable,
    wall_table: Option<WallTable>,
    flow_table: Option<FlowTable>,
    /// How many numbers of the physics were changed so far.
    changes: usize,
    stopwatch: Stopwatch,
    /// Where energy was at the start of the run; nothing where numbers of the physics were changed since, or nobody knows any more.
    budget: Option<Budget>,
    /// Of all rows of the table that this run wrote.
    pub largest_overlap: f64,
    /// Seconds that all steps of this run were estimated to take, soon after the first ones.
    pub estimated_seconds: Option<f64>,
}

impl<'a, const D: usize> Course<'a, D>
where
    Axes: Dimension<D>,
{
    /// A run up to a time. Where the simulation has steps behind it, the table goes on from there.
    pub fn new(
        mut hands: Hands<'a, D>,
        changes: &[String],
        stage: Stage,
        output: OutputPlan,
        duration: f64,
    ) -> Result<Self> {
        let summary = hands.summary()?;
        let (steps, time_step) = (hands.shared().steps(), hands.shared().time_step());
        let last_step = drive::last_step(duration, time_step, steps);
        let resumed_at = (steps > 0).then_some(steps);
        let checkpoint = Checkpoint::in_folder(&output.folder);
        if !changes.is_empty() {
            // First the state that has them, then the note: a kill between the two must not leave a note of what never was.
            hands.save(&checkpoint)?;
        }
        let simulation = hands.shared();
        let changes = changes::note(&output.folder, changes, steps, simulation.time())?;
        let table =
            GrowingTable::open(&output.folder, energies::FILE, energies::head(simulation, &summary), resumed_at)?;
        let budget = match resumed_at {
            None => Some(Budget::of(simulation, &summary.totals)),
            // Of all numbers, those of the first row say what was there at the start.
            Some(_) => table.first_row().and_then(Budget::of_first_row),
        };
        Ok(Self {
            last_step,
            rows: Schedule::new(output.table_every / time_step),
            snapshots: output.snapshot_every.map(|every| Series::new(every, time_step, last_step)),
            table,
            budget: budget.filter(|_| changes == 0),
            estimated_seconds: None,
            wall_table: WallTable::open(&output.folder, simulation, &stage.wall_names, resumed_at)?,
            flow_table: FlowTable::open(&output.folder, &stage.flow_names, resumed_at)?,
            changes,
            stopwatch: Stopwatch::new(),
            largest_overlap: 0.0,
            checkpoint,
            hands,
            steps,
            time_step,
            output,
            stage,
        })
    }

    /// Detection over all time in steps.
    pub fn detection_share(&self) -> f64 {
        self.stopwatch.share()
    }

    /// Takes all steps and writes all there is to write. What depends on the step alone is written at steps, so that a
    /// resumed run writes the same.
    pub fn run(&mut self) -> Result<()> {
        let is_still = !walls::do_change(self.hands.shared());
        if is_still {
            self.write_walls("walls.vtp")?;
        }
        drive::to_the_end(self, self.output.checkpoint_every)?;
        if is_still {
            // Once more, with the forces at the end.
            self.write_walls("walls.vtp")?;
        }
        if self.output.picture {
            let formats: &[FrameFormat] =
                if D == 2 { &[FrameFormat::Png, FrameFormat::Svg] } else { &[FrameFormat::Png] };
            self.hands.draw(&self.stage, &self.output, "picture", formats)?;
        }
        let (snapshots, now) = (self.snapshots, self.steps());
        let has = |step: u64| step <= now && snapshots.is_some_and(|snapshots| snapshots.has(step));
        let OutputPlan { folder, name, page, film, color, .. } = &self.output;
        let wish = page::Wish { page: *page, film: *film, column: color.map(ColorBy::column) };
        let particles = self.hands.summary()?.totals.particles as usize;
        let hands = &mut self.hands;
        page::write(folder, name, wish, has, particles, || {
            hands.look(|whole| frames::page_frame(whole, *whole.domain()))
        })?;
        Ok(())
    }

    /// Writes the walls of this moment.
    fn write_walls(&mut self, name: &str) -> Result<()> {
        if self.hands.shared().walls_at_start().is_empty() {
            return Ok(());
        }
        let summary = self.hands.summary()?;
        walls::write(self.hands.shared(), &summary, &self.output.folder, name)
    }

    /// A particle was lost: the state is saved as it is, beside the last checkpoint.
    fn stop(&mut self, error: Error) -> anyhow::Error {
        let Error::Lost { cause, .. } = error else {
            return anyhow::Error::new(error).context("the simulation cannot go on");
        };
        let written = self.hands.write_lost(cause, &self.output);
        let folder = &self.output.folder;
        let way_out = match error {
            Error::Lost { cause: Cause::LeftBounds, .. } => drive::STAY_INSIDE,
            _ => "a shorter time step or stiffer contacts may help",
        };
        match written.context("nor could its state be saved") {
            Ok(()) => hinted(
                error.to_string(),
                format!(
                    "its state is in {}, the last good one in {}; {way_out}",
                    folder.join("lost-snapshot.vtp").display(),
                    self.checkpoint.path().display()
                ),
            ),
            Err(failed) => failed.context(error.to_string()),
        }
    }
}

impl<const D: usize> Course<'_, D>
where
    Axes: Dimension<D>,
{
    /// Steps taken so far, by earlier runs too.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    pub fn time(&self) -> f64 {
        self.steps as f64 * self.time_step
    }

    pub fn time_step(&self) -> f64 {
        self.time_step
    }

    /// Energy at the start of the whole run, if it is known.
    pub fn budget(&self) -> Option<&Budget> {
        self.budget.as_ref()
    }

    /// Steps at the end.
    pub fn last_step(&self) -> u64 {
        self.last_step
    }

    /// Steps until something is due, but not too many at once.
    pub fn advance(&mut self) -> Result<()> {
        let now = self.steps;
        let snapshot = self.snapshots.map_or(u64::MAX, |snapshots| snapshots.next_after(now));
        let next = self.rows.next_after(now).min(snapshot).min(self.last_step);
        let steps = (next - now).min(STEPS_AT_ONCE);
        if let Err(error) = self.hands.run(steps, &mut self.stopwatch)? {
            return Err(self.stop(error));
        }
        self.steps += steps;
        Ok(())
    }

    /// Writes the row and the snapshot of this step, if it is one that has them.
    pub fn write_due(&mut self) -> Result<()> {
        let now = self.steps;
        if self.rows.has(now) || now == self.last_step {
            let summary = self.hands.summary()?;
            let simulation = self.hands.shared();
            self.largest_overlap = self.largest_overlap.max(summary.largest_overlap);
            let drift = self.budget.as_ref().and_then(|start| start.drift(&Budget::of(simulation, &summary.totals)));
            self.table.add_row(&energies::row(simulation, &summary, drift, self.changes, self.stopwatch.share()))?;
            if let Some(table) = &mut self.wall_table {
                table.add(simulation, &summary)?;
            }
            if let Some(table) = &mut self.flow_table {
                table.add(simulation, &summary)?;
            }
        }
        if self.snapshots.is_some_and(|snapshots| snapshots.has(now)) {
            self.hands.write_snapshot(&self.stage, &self.output)?;
            if walls::do_change(self.hands.shared()) {
                self.write_walls(&(series::name(now).replacen("snapshot", "walls", 1) + ".vtp"))?;
            }
        }
        Ok(())
    }

    /// Saves the state, after the rows of the table that belong to it: a run that goes on from it finds them all.
    pub fn save(&mut self) -> Result<()> {
        self.table.sync()?;
        self.wall_table.as_ref().map_or(Ok(()), WallTable::sync)?;
        self.flow_table.as_ref().map_or(Ok(()), FlowTable::sync)?;
        if let Some(snapshots) = &self.snapshots {
            snapshots.write(&self.output.folder, &self.output.formats, self.steps())?;
        }
        self.hands.save(&self.checkpoint)
    }
}
