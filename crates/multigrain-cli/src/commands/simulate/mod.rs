//! `multigrain simulate`: runs a scene.

mod changes;
mod checkpoint;
mod checks;
mod course;
mod crew;
mod drive;
mod energies;
mod flow_table;
mod folder;
mod frames;
mod growing_table;
mod hands;
mod page;
mod picture;
mod schedule;
mod series;
mod stopping;
mod stopwatch;
mod wall_table;
mod walls;

use crate::failure::{hinted, say};
use crate::flags::SimulateFlags;
use crate::output;
use crate::scene::{OutputPlan, Reader, Scene};
use crate::table::{count, seconds, three_digits};
use anyhow::Result;
use checkpoint::Checkpoint;
use checks::{Budget, Deepest};
use course::{Course, Stage};
use crew::{Crew, Post};
use folder::{Earlier, RunFolder};
pub use folder::{hold, is_of_a_run};
use hands::Hands;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Simulation, Summary};
use multigrain_distributed::Transport;
use serde::Serialize;
use std::time::Instant;

/// The JSON object.
#[derive(Debug, Serialize)]
struct Report {
    particles: usize,
    /// How many of them.
    polygons: usize,
    /// Rigid bodies that some of them are members of.
    clumps: usize,
    dimension: usize,
    time: f64,
    time_step: f64,
    steps: u64,
    /// Between particles.
    contacts: u64,
    /// Of particles with walls.
    wall_contacts: u64,
    bonds: usize,
    bonds_broken: u64,
    largest_overlap: f64,
    inserted: u64,
    removed: u64,
    kinetic_energy: f64,
    total_energy: f64,
    /// Rows of the mean stress at the end, contacts and motion, pressure positive.
    stress: Option<Vec<Vec<f64>>>,
    /// Edges of the box at the end.
    edges: Vec<Vec<f64>>,
    energy_drift: Option<f64>,
    fingerprint: String,
    seconds: f64,
    /// What all steps were estimated to take, soon after the first ones; nothing where none were taken.
    estimated_seconds: Option<f64>,
    particle_steps_per_second: f64,
    detection_share: f64,
    folder: String,
    threads: usize,
    version: &'static str,
}

/// Reads the scene, runs it, writes what it is to write, reports.
pub fn run(flags: &SimulateFlags) -> Result<()> {
    with_crew(flags, None)
}

/// The same on several ranks: the first does all but the steps, which it takes together with the others.
pub fn run_on_ranks(flags: &SimulateFlags, transport: &mut dyn Transport) -> Result<()> {
    if transport.rank() > 0 {
        return crew::serve(flags, transport);
    }
    let mut post = Post::new(transport);
    let outcome = with_crew(flags, Some(&mut post));
    post.leave(outcome.is_err());
    outcome
}

fn with_crew(flags: &SimulateFlags, post: Option<&mut Post<'_>>) -> Result<()> {
    let scene = Scene::read(&flags.scene, &flags.change)?;
    match scene.dimension() {
        2 => simulate::<2>(&scene, flags, post),
        _ => simulate::<3>(&scene, flags, post),
    }
}

fn simulate<const D: usize>(scene: &Scene, flags: &SimulateFlags, post: Option<&mut Post<'_>>) -> Result<()>
where
    Axes: Dimension<D>,
{
    let reader = Reader::<D>::new(&scene.source, &scene.document)?;
    let setup = reader.setup()?;
    let flow_names = reader.flow_names()?;
    let output = scene.output(flags.output.as_deref())?;
    let duration = duration(scene, flags)?;
    let checkpoint = Checkpoint::in_folder(&output.folder);
    let earlier = earlier(flags);
    RunFolder::check(&output.folder, earlier)?;
    RunFolder::check_inputs(&output.folder, &scene.inputs(), earlier)?;
    let start = Instant::now();
    let (simulation, _held) = if flags.resume {
        let held = RunFolder::take(&output.folder, earlier)?;
        let resumed = checkpoint.resume(|file| match flags.change.is_empty() {
            true => Ok(setup.clone().resume_from(file)?),
            false => Ok(setup.clone().resume_changed(file)?),
        })?;
        checks::check_counts(scene, resumed.ids_given().saturating_sub(resumed.generated()))?;
        if !resumed.changes().is_empty() {
            checks::check_step(scene, resumed.time_step(), resumed.shortest_contact().ok())?;
        }
        (resumed, held)
    } else {
        let mut simulation = setup.build(reader.grains()?).map_err(|error| reader.explain(error))?;
        reader.bond(&mut simulation)?;
        // With the law of Hertz, and nothing that moves, there is no shortest contact.
        checks::check_step(scene, simulation.time_step(), simulation.shortest_contact().ok())?;
        checks::check_overlaps(scene, &deepest(&simulation))?;
        (simulation, RunFolder::take(&output.folder, earlier)?)
    };
    for change in simulation.changes() {
        say(&format!("note: {change}"));
    }
    let budget = Budget::of(&simulation, &simulation.totals());
    let changes = simulation.changes().to_vec();
    let particle_steps = (simulation.steps(), simulation.state().len() as u64);
    let wall_names = reader.wall_names(simulation.walls_at_start().len());
    let stage = Stage { wall_names, flow_names, materials: scene.materials() };
    let hands = match post {
        Some(post) => Hands::Crew(Box::new(Crew::assemble(post, simulation, reader.setup()?)?)),
        None => Hands::Alone(Box::new(simulation)),
    };
    let mut course = Course::new(hands, &changes, stage, output, duration)?;
    let steps_start = Instant::now();
    course.run()?;
    let times = [start, steps_start].map(|since| since.elapsed().as_secs_f64());
    let share = course.detection_share();
    let start_of_all = course.budget().cloned();
    let Course { mut hands, output, largest_overlap, estimated_seconds, .. } = course;
    let (summary, fingerprint) = (hands.summary()?, hands.fingerprint()?);
    let simulation = hands.shared();
    // Of the whole run, or where numbers were changed on the way since it went on.
    let energy_drift = start_of_all.unwrap_or(budget).drift(&Budget::of(simulation, &summary.totals));
    let report = Report {
        largest_overlap,
        estimated_seconds,
        energy_drift,
        fingerprint: format!("{fingerprint:016x}"),
        ..report(simulation, &summary, &output, times, share, particle_steps)
    };
    let is_over = simulation.steps() == particle_steps.0;
    if flags.json {
        output::print(&serde_json::to_string(&report)?)?;
    } else {
        say(&if is_over { nothing_to_do(report.time) } else { report.text() });
    }
    checks::warn_of_drift(energy_drift);
    Ok(())
}

fn duration(scene: &Scene, flags: &SimulateFlags) -> Result<f64> {
    let duration = flags.duration.unwrap_or(scene.duration());
    if duration > 0.0 && duration.is_finite() {
        return Ok(duration);
    }
    Err(hinted(format!("--duration is {duration}, must be positive and finite"), "give it in the scene's unit of time"))
}

/// What flags say about a run that is there already.
fn earlier(flags: &SimulateFlags) -> Earlier {
    match (flags.resume, flags.overwrite) {
        (true, _) => Earlier::Resume,
        (false, true) => Earlier::Remove,
        (false, false) => Earlier::Refuse,
    }
}

/// Who overlaps most.
fn deepest<const D: usize>(simulation: &Simulation<D>) -> Deepest
where
    Axes: Dimension<D>,
{
    let overlaps = simulation.overlaps();
    let between = match overlaps.ids {
        Some((first, Some(second))) => format!("particles {first} and {second}"),
        Some((only, None)) => format!("particle {only} and a wall"),
        None => String::new(),
    };
    Deepest { count: overlaps.count, largest: overlaps.largest, between }
}

fn nothing_to_do(time: f64) -> String {
    format!("nothing to do: the run had already reached time {time}; a longer --duration continues it")
}

fn rows<const D: usize>(matrix: [[f64; D]; D]) -> Vec<Vec<f64>> {
    matrix.map(Vec::from).into()
}

/// A count with its noun: 1 particle, 2 particles.
fn counted(value: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(value), if value == 1 { "" } else { "s" })
}

fn report<const D: usize>(
    simulation: &Simulation<D>,
    summary: &Summary<D>,
    output: &OutputPlan,
    [seconds, seconds_of_steps]: [f64; 2],
    detection_share: f64,
    (first_step, particles_at_start): (u64, u64),
) -> Report
where
    Axes: Dimension<D>,
{
    let totals = &summary.totals;
    let energies = totals.energies();
    let particles = totals.particles as usize;
    // Where particles come and go, the mean of first and last is near enough.
    let mean_particles = 0.5 * (particles_at_start as f64 + particles as f64);
    Report {
        particles,
        polygons: summary.polygons as usize,
        clumps: summary.clumps as usize,
        dimension: D,
        time: simulation.time(),
        time_step: simulation.time_step(),
        steps: simulation.steps(),
        contacts: totals.contacts,
        wall_contacts: totals.wall_contacts,
        bonds: summary.bonds as usize,
        bonds_broken: simulation.bonds_made() - summary.bonds,
        largest_overlap: 0.0,
        inserted: simulation.generated(),
        removed: totals.removed,
        kinetic_energy: energies.kinetic(),
        total_energy: energies.total(),
        stress: summary.stress(simulation.domain()).map(|stress| rows(stress.total())),
        edges: rows(simulation.domain().edges()),
        energy_drift: None,
        fingerprint: String::new(),
        seconds,
        estimated_seconds: None,
        particle_steps_per_second: mean_particles * (simulation.steps() - first_step) as f64 / seconds_of_steps,
        detection_share,
        folder: output.folder.display().to_string(),
        threads: rayon::current_num_threads(),
        version: super::VERSION,
    }
}

impl Report {
    fn text(&self) -> String {
        format!(
            "{}, {} of {:.3e}, {} between them and {} with walls at the end, {}overlaps of up to {} % of the smaller radius; {}, {:.0} % of it detection; {} million \
             particle-steps per second; written to {}",
            counted(self.particles as u64, "particle"),
            counted(self.steps, "step"),
            self.time_step,
            counted(self.contacts, "contact"),
            count(self.wall_contacts),
            match self.bonds as u64 + self.bonds_broken {
                0 => String::new(),
                made => format!("{} of {} broken, ", count(self.bonds_broken), counted(made, "bond")),
            },
            three_digits(100.0 * self.largest_overlap),
            seconds(self.seconds),
            100.0 * self.detection_share,
            three_digits(1e-6 * self.particle_steps_per_second),
            self.folder,
        )
    }
}
