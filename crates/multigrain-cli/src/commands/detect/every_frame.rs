//! Contacts of every frame of a file, in one list.

use super::{DetectReport, Seconds};
use crate::commands::VERSION;
use crate::commands::measure::{Run, detect_once};
use crate::failure::{of_file, say};
use crate::output;
use crate::plan::DetectPlan;
use crate::progress::Progress;
use crate::table::count;
use anyhow::{Result, bail};
use multigrain::{AnySystem, Axes, CheckedSystem, Dimension, Work, each_dimension};
use multigrain_files::{Frames, ListFormat, ListIds, ListLabels, Moment, Target};
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

/// The JSON object: sums over frames under the usual keys, and each frame.
#[derive(Debug, Serialize)]
struct Reports {
    #[serde(flatten)]
    all: DetectReport,
    frames: Vec<OfFrame>,
}

#[derive(Debug, Serialize)]
struct OfFrame {
    frame: usize,
    step: Option<u64>,
    time: Option<f64>,
    particles: usize,
    contacts: usize,
}

/// Detects in one frame after another. Levels of the last one are reported.
pub fn run(plan: &DetectPlan, frames: &Frames, start: Instant) -> Result<()> {
    let read = start.elapsed().as_secs_f64();
    // A list has one header: ids are in it if all frames have them.
    let has_ids = frames.chosen.iter().all(|(_, moment)| moment.ids.is_some());
    let bar = Progress::steps("detecting", frames.total as u64);
    let mut reports: Option<Reports> = None;
    let mut detect_all = |out: &mut dyn Write, format: Option<ListFormat>| -> Result<()> {
        for (number, moment) in &frames.chosen {
            let labels = ListLabels {
                ids: moment.ids.as_deref().filter(|_| has_ids).map(ListIds::All),
                frame: Some(*number),
                first: 0,
            };
            let report = each_dimension!(&moment.system, AnySystem, particles => of_frame(plan, particles, out, format, labels)?);
            match &mut reports {
                Some(reports) => reports.add(report, *number, moment)?,
                None => reports = Some(Reports { all: report, frames: Vec::new() }.first(*number, moment)),
            }
            bar.advance(1);
        }
        Ok(())
    };
    match &plan.list {
        Some((target, format)) => target.write(|out| detect_all(out, Some(*format)).map_err(of_file))?,
        None => detect_all(&mut std::io::sink(), None)?,
    }
    drop(bar);
    let Some(mut reports) = reports else { bail!("{} has no frames", plan.input) };
    reports.all.seconds.read = read;
    reports.all.seconds.total += read;
    if plan.json {
        return output::print(&serde_json::to_string(&reports)?);
    }
    if let Some((Target::File(path), _)) = &plan.list {
        let (contacts, frames) = (count(reports.all.contacts as u64), count(reports.frames.len() as u64));
        say(&format!("{contacts} contacts in {frames} frames written to {}", path.display()));
    }
    Ok(())
}

fn of_frame<const D: usize>(
    plan: &DetectPlan,
    particles: &CheckedSystem<D>,
    out: &mut dyn Write,
    format: Option<ListFormat>,
    labels: ListLabels<'_>,
) -> Result<DetectReport>
where
    Axes: Dimension<D>,
{
    let now = plan.space.snapshot(particles)?;
    let mut run: Run<D> = detect_once(now, plan.method, &plan.settings)?;
    let (map, search, peak_memory_bytes) = (run.map, run.search, run.peak_bytes);
    let work = plan.count_work.then(|| run.count_work(now, plan.method, &plan.settings)).transpose()?;
    let layout = run.layout(&now);
    let writing = Instant::now();
    if let Some(format) = format {
        run.pairs.sort();
        format.write_labelled(out, &now, &run.pairs, labels)?;
    }
    let write = writing.elapsed().as_secs_f64();
    let counted = |value: fn(Work) -> u64| work.map(value);
    Ok(DetectReport {
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
        seconds: Seconds { read: 0.0, map, search, write, total: map + search + write },
        peak_memory_bytes,
        threads: rayon::current_num_threads(),
        version: VERSION,
        on_ranks: None,
    })
}

impl Reports {
    fn first(mut self, number: usize, moment: &Moment) -> Self {
        self.frames.push(OfFrame::of(&self.all, number, moment));
        self
    }

    fn add(&mut self, report: DetectReport, number: usize, moment: &Moment) -> Result<()> {
        let all = &self.all;
        if report.dimension != all.dimension {
            bail!("frame {number} has {} dimensions, frame 0 has {}", report.dimension, all.dimension);
        }
        self.frames.push(OfFrame::of(&report, number, moment));
        let sum = |a: Option<u64>, b: Option<u64>| Some(a? + b?);
        let (seconds, own) = (all.seconds, report.seconds);
        self.all = DetectReport {
            particles: all.particles + report.particles,
            contacts: all.contacts + report.contacts,
            candidates: sum(all.candidates, report.candidates),
            cells: sum(all.cells, report.cells),
            seconds: Seconds {
                read: 0.0,
                map: seconds.map + own.map,
                search: seconds.search + own.search,
                write: seconds.write + own.write,
                total: seconds.total + own.total,
            },
            peak_memory_bytes: all.peak_memory_bytes.max(report.peak_memory_bytes),
            ..report
        };
        Ok(())
    }
}

impl OfFrame {
    fn of(report: &DetectReport, frame: usize, moment: &Moment) -> Self {
        let (particles, contacts) = (report.particles, report.contacts);
        Self { frame, step: moment.step, time: moment.time, particles, contacts }
    }
}
