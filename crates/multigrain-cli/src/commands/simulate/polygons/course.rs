//! The course of a run of polygons: steps, and between them what is to be written.

use super::super::checkpoint::Checkpoint;
use super::super::drive::{self, Run, STEPS_AT_ONCE};
use super::super::energies::EnergyTable;
use super::super::schedule::Schedule;
use super::drawing::{self, write_file};
use crate::failure::hinted;
use crate::scene::{FrameFormat, OutputPlan, Reader, Scene};
use anyhow::{Context, Result};
use multigrain_dem::polygons::PolygonSimulation;
use multigrain_files::polygons::{Film, View, collection};

/// Width of pictures and films in pixels.
const WIDTH: u32 = 800;

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
    snapshots: Option<Schedule>,
    table: EnergyTable,
    film: Option<Film>,
    /// Times and names of snapshots for ParaView.
    series: Vec<(f64, String)>,
}

impl PolygonCourse {
    /// A run up to a time. Where the simulation has steps behind it, the table goes on from there.
    pub fn new(
        simulation: PolygonSimulation,
        scene: &Scene,
        reader: &Reader<'_, 2>,
        output: OutputPlan,
        duration: f64,
    ) -> Result<Self> {
        let schedule = |every: f64| Schedule::new(every / simulation.time_step());
        let resumed_at = (simulation.steps() > 0).then(|| simulation.steps());
        let view = View { lo: reader.domain.lo(), hi: reader.domain.hi(), width: WIDTH };
        Ok(Self {
            view,
            is_bounded: scene.grains_must_stay(),
            last_step: (duration / simulation.time_step()).ceil() as u64,
            rows: schedule(output.table_every),
            snapshots: output.snapshot_every.map(schedule),
            table: EnergyTable::open(&output.folder, HEAD.to_owned(), resumed_at)?,
            film: output.film.then(|| Film::new(&scene.source.name(), view)),
            series: Vec::new(),
            checkpoint: Checkpoint::in_folder(&output.folder),
            simulation,
            output,
        })
    }

    /// Takes all steps and writes all there is to write.
    pub fn run(&mut self) -> Result<()> {
        drive::to_the_end(self, self.output.checkpoint_every)?;
        self.finish()
    }

    /// What is written at the end: picture, film, list of snapshots.
    fn finish(&self) -> Result<()> {
        let folder = &self.output.folder;
        if self.output.picture {
            let drawn = drawing::drawn(&self.simulation, self.output.color);
            drawing::write(&drawn, &self.view, folder, "picture", &[FrameFormat::Svg, FrameFormat::Png])?;
        }
        if let Some(film) = &self.film {
            write_file(&folder.join("film.html"), film.page().as_bytes())?;
        }
        if !self.series.is_empty() && self.output.formats.contains(&FrameFormat::Vtp) {
            write_file(&folder.join("snapshots.pvd"), collection(&self.series).as_bytes())?;
        }
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
                let hint = "put walls there, make the box larger, or set `leaving` to \"allow\"";
                Err(hinted(format!("polygon {k} has left the box at step {step}: it is at ({x}, {y})"), hint))
            }
        }
    }

    /// Writes the row and the snapshot of this step, if it is one that has them.
    fn write_due(&mut self) -> Result<()> {
        let now = self.simulation.steps();
        if self.rows.has(now) || now == self.last_step {
            self.table.add_row(&row(&self.simulation))?;
        }
        if self.snapshots.is_some_and(|snapshots| snapshots.has(now) || now == self.last_step) {
            let drawn = drawing::drawn(&self.simulation, self.output.color);
            let name = format!("snapshot-{now:09}");
            drawing::write(&drawn, &self.view, &self.output.folder, &name, &self.output.formats)?;
            if let Some(film) = &mut self.film {
                film.frame(self.simulation.time(), &drawn);
            }
            self.series.push((self.simulation.time(), format!("{name}.vtp")));
        }
        Ok(())
    }

    /// Saves the state, after the rows of the table that belong to it: a run that goes on from it finds them all.
    fn save(&self) -> Result<()> {
        self.table.sync()?;
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
