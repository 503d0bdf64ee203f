//! The course of a run of polygons: steps, and between them what is to be written.

use super::super::checkpoint::Checkpoint;
use super::super::drive::{self, Run, STEPS_AT_ONCE};
use super::super::energies::EnergyTable;
use super::super::page;
use super::super::schedule::Schedule;
use super::super::series::{self, Series};
use super::drawing::{self, write_file};
use crate::failure::hinted;
use crate::scene::{FrameFormat, OutputPlan, Reader, Scene};
use anyhow::{Context, Result};
use multigrain_dem::polygons::PolygonSimulation;
use multigrain_files::polygons::{Film, View};
use std::fs;

/// Pixels of the longer side of pictures and films.
const WIDTH: u32 = 800;

/// The page that plays all snapshots.
const FILM: &str = "film.html";

/// Columns of the table.
const HEAD: &str =
    "step,time,polygons,translational,rotational,gravitational,total,px,py,contacts,candidates,exchanges\n";

/// A run of a scene of polygons.
pub struct PolygonCourse {
    pub simulation: PolygonSimulation,
    pub output: OutputPlan,
    view: View,
    /// Whether a grain that leaves the box ends the run.
    is_bounded: bool,
    checkpoint: Checkpoint,
    last_step: u64,
    rows: Schedule,
    snapshots: Option<Series>,
    table: EnergyTable,
    film: Option<Film>,
}

impl PolygonCourse {
    /// A run up to a time. Where the simulation has steps behind it, table and film go on from there.
    pub fn new(
        simulation: PolygonSimulation,
        scene: &Scene,
        reader: &Reader<'_, 2>,
        output: OutputPlan,
        duration: f64,
    ) -> Result<Self> {
        let (steps, time_step) = (simulation.steps(), simulation.time_step());
        let last_step = drive::last_step(duration, time_step, steps);
        let resumed_at = (steps > 0).then_some(steps);
        let snapshots = output.snapshot_every.map(|every| Series::new(every, time_step, last_step));
        let view = View { lo: reader.domain.lo(), hi: reader.domain.hi(), width: WIDTH };
        let mut film = output.film.then(|| Film::new(&scene.source.name(), view));
        if let (Some(film), Some(snapshots), Some(_)) = (&mut film, &snapshots, resumed_at) {
            // Without a page that can be read, the film is one of what comes after.
            let page = fs::read_to_string(output.folder.join(FILM)).unwrap_or_default();
            film.read_back(&page, |time| time <= simulation.time() && snapshots.has_time(time));
        }
        Ok(Self {
            view,
            is_bounded: scene.grains_must_stay(),
            last_step,
            rows: Schedule::new(output.table_every / time_step),
            snapshots,
            table: EnergyTable::open(&output.folder, HEAD.to_owned(), resumed_at, 0)?,
            film,
            checkpoint: Checkpoint::in_folder(&output.folder),
            simulation,
            output,
        })
    }

    /// Takes all steps and writes all there is to write.
    pub fn run(&mut self) -> Result<()> {
        drive::to_the_end(self, self.output.checkpoint_every)?;
        if self.output.picture {
            let drawn = drawing::drawn(&self.simulation, self.output.color);
            let formats = [FrameFormat::Svg, FrameFormat::Png];
            drawing::write(&drawn, &self.view, &self.output.folder, "picture", &formats)?;
        }
        let (snapshots, now) = (self.snapshots, self.steps());
        let has = |step: u64| step <= now && snapshots.is_some_and(|snapshots| snapshots.has(step));
        let OutputPlan { folder, name, page, .. } = &self.output;
        // Films of polygons are written as they go on.
        let wish = page::Wish { page: *page, film: false };
        page::write(folder, name, wish, has, || drawing::page_frame(&self.simulation))?;
        Ok(())
    }
}

impl Run for PolygonCourse {
    fn steps(&self) -> u64 {
        self.simulation.steps()
    }

    fn time(&self) -> f64 {
        self.simulation.time()
    }

    fn last_step(&self) -> u64 {
        self.last_step
    }

    /// Steps until something is due, but not too many at once.
    fn advance(&mut self) -> Result<()> {
        let now = self.simulation.steps();
        let snapshot = self.snapshots.map_or(u64::MAX, |snapshots| snapshots.next_after(now));
        let next = self.rows.next_after(now).min(snapshot).min(self.last_step);
        self.simulation.run((next - now).min(STEPS_AT_ONCE)).context("the simulation cannot go on")?;
        let is_outside = |&k: &usize| {
            let place = self.simulation.body(k).frame().position();
            (0..2).any(|axis| place[axis] < self.view.lo[axis] || place[axis] > self.view.hi[axis])
        };
        let mut grains = (0..self.simulation.len()).filter(|&k| !self.simulation.is_wall(k));
        match grains.find(is_outside).filter(|_| self.is_bounded) {
            None => Ok(()),
            Some(k) => {
                let ([x, y], step) = (self.simulation.body(k).frame().position(), self.simulation.steps());
                let message = format!("polygon {k} has left the box at step {step}: it is at ({x}, {y})");
                Err(hinted(message, drive::STAY_INSIDE))
            }
        }
    }

    /// Writes the row and the snapshot of this step, if it is one that has them.
    fn write_due(&mut self) -> Result<()> {
        let now = self.simulation.steps();
        if self.rows.has(now) || now == self.last_step {
            self.table.add_row(&row(&self.simulation))?;
        }
        if self.snapshots.is_some_and(|snapshots| snapshots.has(now)) {
            let drawn = drawing::drawn(&self.simulation, self.output.color);
            drawing::write(&drawn, &self.view, &self.output.folder, &series::name(now), &self.output.formats)?;
            if let Some(film) = &mut self.film {
                film.frame(self.simulation.time(), &drawn);
            }
        }
        Ok(())
    }

    /// Saves the state, after the rows of the table and the film that belong to it: a run that goes on from it finds them all.
    fn save(&self) -> Result<()> {
        self.table.sync()?;
        let folder = &self.output.folder;
        if let Some(snapshots) = &self.snapshots {
            snapshots.write(folder, &self.output.formats, self.steps())?;
        }
        if let Some(film) = self.film.as_ref().filter(|film| !film.is_empty()) {
            write_file(&folder.join(FILM), film.page().as_bytes())?;
        }
        self.checkpoint.write(|out| out.write_all(&self.simulation.encode()))
    }
}

fn row(simulation: &PolygonSimulation) -> String {
    let energies = simulation.energies();
    let grains = (0..simulation.len()).filter(|&k| !simulation.is_wall(k)).count();
    let [px, py, _] = simulation.momentum();
    format!(
        "{},{},{grains},{},{},{},{},{px},{py},{},{},{}\n",
        simulation.steps(),
        simulation.time(),
        energies.kinetic,
        energies.rotational,
        energies.potential,
        energies.kinetic + energies.rotational + energies.potential,
        simulation.contact_count(),
        simulation.candidate_count(),
        simulation.total_exchanges(),
    )
}
