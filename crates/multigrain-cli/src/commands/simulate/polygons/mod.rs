//! `multigrain simulate` for scenes of polygons.

mod course;
mod drawing;

use super::checkpoint::Checkpoint;
use super::checks::{self, Deepest};
use super::folder::RunFolder;
use super::{counted, duration, earlier, nothing_to_do};
use crate::failure::say;
use crate::flags::SimulateFlags;
use crate::output;
use crate::scene::{Reader, Scene};
use crate::table::{seconds, three_digits};
use anyhow::Result;
use course::PolygonCourse;
use multigrain_dem::polygons::PolygonSimulation;
use serde::Serialize;
use std::io::Read;
use std::time::Instant;

/// The JSON object.
#[derive(Debug, Serialize)]
struct Report {
    polygons: usize,
    walls: usize,
    time: f64,
    time_step: f64,
    steps: u64,
    contacts: usize,
    largest_overlap: f64,
    candidates: usize,
    kinetic_energy: f64,
    total_energy: f64,
    fingerprint: String,
    seconds: f64,
    polygon_steps_per_second: f64,
    folder: String,
    threads: usize,
    version: &'static str,
}

/// Runs the scene, writes what it is to write, reports.
pub fn simulate(scene: &Scene, flags: &SimulateFlags) -> Result<()> {
    let reader = Reader::<2>::new(&scene.source, &scene.document)?;
    let setup = reader.polygon_setup()?;
    let output = scene.output(flags.output.as_deref())?;
    let duration = duration(scene, flags)?;
    let bodies = reader.polygon_bodies()?;
    let checkpoint = Checkpoint::in_folder(&output.folder);
    let earlier = earlier(flags);
    RunFolder::check(&output.folder, earlier)?;
    let start = Instant::now();
    let (simulation, _held) = if flags.resume {
        let held = RunFolder::take(&output.folder, earlier)?;
        let resumed = checkpoint.resume(|file| {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(setup.clone().resume(bodies.clone(), &bytes)?)
        })?;
        (resumed, held)
    } else {
        let simulation = setup.build(bodies).map_err(|error| reader.explain(error))?;
        checks::check_step(scene, simulation.time_step(), simulation.shortest_contact())?;
        checks::check_overlaps(scene, &deepest(&simulation))?;
        (simulation, RunFolder::take(&output.folder, earlier)?)
    };
    let first_step = simulation.steps();
    let mut course = PolygonCourse::new(simulation, scene, &reader, output, duration)?;
    let steps_start = Instant::now();
    course.run()?;
    let PolygonCourse { simulation, output, .. } = course;
    let (energies, walls) = (simulation.energies(), (0..simulation.len()).filter(|&k| simulation.is_wall(k)).count());
    let polygons = simulation.len() - walls;
    let polygon_steps = polygons as f64 * (simulation.steps() - first_step) as f64;
    let report = Report {
        polygons,
        walls,
        time: simulation.time(),
        time_step: simulation.time_step(),
        steps: simulation.steps(),
        contacts: simulation.contact_count(),
        largest_overlap: deepest(&simulation).largest,
        candidates: simulation.candidate_count(),
        kinetic_energy: energies.kinetic + energies.rotational,
        total_energy: energies.kinetic + energies.rotational + energies.potential,
        fingerprint: format!("{:016x}", simulation.fingerprint()),
        seconds: start.elapsed().as_secs_f64(),
        polygon_steps_per_second: polygon_steps / steps_start.elapsed().as_secs_f64(),
        folder: output.folder.display().to_string(),
        threads: rayon::current_num_threads(),
        version: crate::commands::VERSION,
    };
    if flags.json {
        return output::print(&serde_json::to_string(&report)?);
    }
    let is_over = simulation.steps() == first_step;
    say(&if is_over { nothing_to_do(report.time) } else { report.text() });
    Ok(())
}

/// Who overlaps most, by depth over the smaller radius of the circles around bodies; walls have none.
fn deepest(simulation: &PolygonSimulation) -> Deepest {
    let mut deepest = Deepest { count: 0, largest: 0.0, between: String::new() };
    for contact in simulation.contacts() {
        let [a, b] = contact.bodies.map(|k| k as usize);
        let grains = [a, b].into_iter().filter(|&k| !simulation.is_wall(k));
        let radius = grains.map(|k| simulation.body(k).polygon().radius()).fold(f64::INFINITY, f64::min);
        deepest.count += 1;
        let share = contact.overlap.depth / radius;
        if share > deepest.largest {
            (deepest.largest, deepest.between) = (share, format!("bodies {a} and {b}"));
        }
    }
    deepest
}

impl Report {
    fn text(&self) -> String {
        format!(
            "{}, {} of {:.3e}, {} at the end, overlaps of up to {} % of the smaller radius; {}; {} million polygon-steps per second; written to {}",
            counted(self.polygons as u64, "polygon"),
            counted(self.steps, "step"),
            self.time_step,
            counted(self.contacts as u64, "contact"),
            three_digits(100.0 * self.largest_overlap),
            seconds(self.seconds),
            three_digits(1e-6 * self.polygon_steps_per_second),
            self.folder,
        )
    }
}
