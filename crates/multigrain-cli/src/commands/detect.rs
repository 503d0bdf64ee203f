//! `multigrain detect`: every contact of a particle file, or between two.

mod every_frame;
mod ids;
pub mod on_ranks;

use super::explain::Explanation;
use super::forecast::Forecast;
use super::measure::{Run, detect_once};
use crate::failure::{hinted, say};
use crate::input;
use crate::output;
use crate::plan::DetectPlan;
use crate::progress::Progress;
use anyhow::Result;
use multigrain::{AnySystem, Axes, CheckedSystem, Dimension, LevelChoice, Snapshot, Work, each_dimension};
use multigrain_experiments::median;
use multigrain_files::{FrameChoice, ListIds, ListLabels, Moment, Target, read_elements};
use multigrain_meshes::ElementMesh;
use serde::Serialize;
use std::io::{IsTerminal, stdout};
use std::time::Instant;

/// The JSON object.
#[derive(Debug, Serialize)]
pub struct DetectReport {
    pub particles: usize,
    pub dimension: usize,
    pub contacts: usize,
    pub method: &'static str,
    pub direction: Option<&'static str>,
    pub cell_sizes: Vec<f64>,
    pub particles_per_level: Vec<u64>,
    /// Regions of space with grids of their own; 0 where one grid serves all. For `--explain`: the keys of the object are
    /// promised.
    #[serde(skip)]
    pub regions: usize,
    pub candidates: Option<u64>,
    pub cells: Option<u64>,
    pub seconds: Seconds,
    pub peak_memory_bytes: u64,
    pub threads: usize,
    pub version: &'static str,
    /// Only where there are several.
    #[serde(flatten)]
    pub on_ranks: Option<on_ranks::RankReport>,
}

/// Where the time went.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Seconds {
    pub read: f64,
    pub map: f64,
    pub search: f64,
    pub write: f64,
    pub total: f64,
}

/// Reads, detects, writes, reports.
pub fn run(plan: &DetectPlan) -> Result<()> {
    let start = Instant::now();
    if let Some(other) = &plan.against {
        let (first, second) = (input::read(&plan.input)?, input::read(other)?);
        return match (first, second) {
            (AnySystem::D2(first), AnySystem::D2(second)) => detect_between(plan, first, second, start),
            (AnySystem::D3(first), AnySystem::D3(second)) => detect_between(plan, first, second, start),
            _ => Err(hinted(
                "one file has particles in the plane, the other in space",
                "give two files of the same dimension",
            )),
        };
    }
    if let Some(mesh) = read_elements(&plan.input)? {
        if plan.frame.is_some() {
            return Err(hinted(format!("{} is a mesh, which has no frames", plan.input), "leave out --frame"));
        }
        let spheres = mesh.bounding_spheres().checked()?;
        return detect(plan, &spheres, Labels { ids: None, sets: None, mesh: Some(&mesh) }, start);
    }
    let mut frames = input::frames(&plan.input, plan.frame)?;
    if plan.frame == Some(FrameChoice::All) {
        return every_frame::run(plan, &frames, start);
    }
    let (_, Moment { system, ids, .. }) = frames.chosen.remove(0);
    let labels = Labels { ids: ids.as_deref(), sets: None, mesh: None };
    each_dimension!(&system, AnySystem, particles => detect(plan, particles, labels, start))
}

/// What is known of particles beyond their places.
#[derive(Clone, Copy)]
struct Labels<'a> {
    ids: Option<&'a [i64]>,
    /// How many particles are of the first file, and the file of each.
    sets: Option<(usize, &'a [u32])>,
    /// The mesh whose elements they are: those that share a vertex are no pair.
    mesh: Option<&'a ElementMesh<3>>,
}

/// All particles together, in two groups. The box is that of the first file, or of the second if that has none.
fn detect_between<const D: usize>(
    plan: &DetectPlan,
    first: CheckedSystem<D>,
    second: CheckedSystem<D>,
    start: Instant,
) -> Result<()>
where
    Axes: Dimension<D>,
{
    let count = first.len();
    let all = first.joined(second)?;
    let groups: Vec<u32> = (0..all.len()).map(|k| u32::from(k >= count)).collect();
    detect(plan, &all, Labels { ids: None, sets: Some((count, &groups)), mesh: None }, start)
}

fn detect<const D: usize>(
    plan: &DetectPlan,
    particles: &CheckedSystem<D>,
    labels: Labels<'_>,
    start: Instant,
) -> Result<()>
where
    Axes: Dimension<D>,
{
    let mut now = plan.space.snapshot(particles)?;
    if let Some((_, groups)) = labels.sets {
        now = now.in_groups(groups)?;
    }
    let read = start.elapsed().as_secs_f64();
    let (mut run, map, search) = repeat(plan, now)?;
    if let Some(mesh) = labels.mesh {
        run.pairs.retain(|pair| !mesh.share_vertex(pair.i as usize, pair.j as usize));
    }
    let peak_memory_bytes = run.peak_bytes;
    let work = match plan.count_work || plan.explain {
        true => {
            let _progress = Progress::waiting("counting work");
            Some(run.count_work(now, plan.method, &plan.settings)?)
        }
        false => None,
    };
    let layout = run.layout(&now);
    let write = write_list(plan, &now, &mut run, labels)?;
    let counted = |value: fn(Work) -> u64| work.filter(|_| plan.count_work).map(value);
    let report = DetectReport {
        particles: now.len(),
        dimension: D,
        contacts: run.pairs.len(),
        method: plan.method.name(),
        direction: layout.direction.map(|direction| direction.name()),
        cell_sizes: layout.cell_sizes,
        particles_per_level: layout.particles_per_level,
        regions: layout.regions,
        candidates: counted(|work| work.candidates),
        cells: counted(|work| work.cells),
        seconds: Seconds { read, map, search, write, total: read + map + search + write },
        peak_memory_bytes,
        threads: rayon::current_num_threads(),
        version: super::VERSION,
        on_ranks: None,
    };
    print(plan, &report, &now, work)?;
    if plan.json { output::print(&serde_json::to_string(&report)?) } else { Ok(()) }
}

/// Detects as often as asked: the last run, and medians of the seconds for map and search.
fn repeat<const D: usize>(plan: &DetectPlan, now: Snapshot<'_, D>) -> Result<(Run<D>, f64, f64)>
where
    Axes: Dimension<D>,
{
    let progress = match plan.repeat {
        1 => Progress::waiting(&format!("detecting by {}", plan.method.name())),
        repeat => Progress::steps("detecting", repeat.into()),
    };
    let mut run = detect_once(now, plan.method, &plan.settings)?;
    let (mut map, mut search) = (vec![run.map], vec![run.search]);
    progress.advance(1);
    for _ in 1..plan.repeat {
        // The old list goes before the new one comes, as in a run of its own.
        drop(run);
        run = detect_once(now, plan.method, &plan.settings)?;
        map.push(run.map);
        search.push(run.search);
        progress.advance(1);
    }
    Ok((run, median(&map), median(&search)))
}

/// Sorts and writes the list where it is wanted; the seconds that took.
fn write_list<const D: usize>(
    plan: &DetectPlan,
    now: &Snapshot<'_, D>,
    run: &mut Run<D>,
    labels: Labels<'_>,
) -> Result<f64> {
    let Some((target, format)) = &plan.list else { return Ok(0.0) };
    let start = Instant::now();
    run.pairs.sort();
    let first = labels.sets.map_or(0, |(first, _)| first as u32);
    let labels = ListLabels { ids: labels.ids.map(ListIds::All), frame: None, first };
    target.write(|out| format.write_labelled(out, now, &run.pairs, labels))?;
    Ok(start.elapsed().as_secs_f64())
}

/// What people want to know, on standard error.
fn print<const D: usize>(
    plan: &DetectPlan,
    report: &DetectReport,
    now: &Snapshot<'_, D>,
    work: Option<Work>,
) -> Result<()> {
    let explanation =
        Explanation { report, radii: (now.extent().min_radius, now.extent().max_radius), repeat: plan.repeat };
    if plan.explain {
        say(&explanation.method(plan.method));
        say(&explanation.input(&plan.input));
        explanation.levels().iter().for_each(|line| say(line));
        if let Some(choice) = explanation.choice(plan.method, &plan.settings) {
            say(&choice);
        }
    }
    if let Some(work) = work.filter(|_| plan.explain || !plan.json) {
        say(&explanation.work(work));
    }
    if let (true, Some(work), Some(forecast)) = (plan.explain, work, Forecast::of(plan, report, now)?) {
        say(&forecast.table(work, report.seconds.map + report.seconds.search));
    }
    if plan.explain || (plan.repeat > 1 && !plan.json) {
        say(&explanation.times());
    }
    if plan.explain {
        say(&explanation.memory());
    }
    if let (LevelChoice::CellSizes(wish), 0, false) =
        (&plan.settings.levels, report.regions, report.cell_sizes.is_empty())
        && *wish != report.cell_sizes
    {
        let sizes: Vec<String> = report.cell_sizes.iter().map(f64::to_string).collect();
        say(&format!("note: {} works with the cell sizes {}", plan.method.name(), sizes.join(",")));
    }
    match &plan.list {
        Some((Target::File(path), _)) if !plan.json => say(&explanation.written(path)),
        // Somebody has just seen them pass by.
        Some((Target::Stdout, _)) if stdout().is_terminal() => say(&explanation.found()),
        _ => (),
    }
    Ok(())
}
