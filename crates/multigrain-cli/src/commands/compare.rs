//! `multigrain compare`: all methods on the same particles.

use super::side_by_side::{Entry, must_agree, side_by_side};
use crate::input;
use crate::output;
use crate::plan::ComparePlan;
use crate::table::{TextTable, count, seconds, three_digits};
use anyhow::Result;
use multigrain::{AnySystem, Axes, CheckedSystem, Dimension, each_dimension};
use multigrain_methods::Method;
use serde::Serialize;

/// The JSON object.
#[derive(Debug, Serialize)]
struct CompareReport {
    particles: usize,
    dimension: usize,
    agree: bool,
    methods: Vec<MethodReport>,
    threads: usize,
    version: &'static str,
}

/// One method; all but its name is null where it was left out.
#[derive(Debug, Serialize)]
struct MethodReport {
    method: &'static str,
    left_out: Option<String>,
    agrees: Option<bool>,
    contacts: Option<usize>,
    candidates: Option<u64>,
    cells: Option<u64>,
    seconds: Option<f64>,
    step_seconds: Option<f64>,
    peak_memory_bytes: Option<u64>,
    bytes_per_particle: Option<f64>,
    index_bytes_per_particle: Option<f64>,
}

/// Reads, runs every method, reports; an error if they disagree.
pub fn run(plan: &ComparePlan) -> Result<()> {
    each_dimension!(&input::read(&plan.input)?, AnySystem, particles => compare(plan, particles))
}

fn compare<const D: usize>(plan: &ComparePlan, particles: &CheckedSystem<D>) -> Result<()>
where
    Axes: Dimension<D>,
{
    let now = plan.space.snapshot(particles)?;
    let chosen = plan.choose(&now);
    let running: Vec<Method> =
        chosen.iter().filter(|(_, left_out)| left_out.is_none()).map(|(method, _)| *method).collect();
    let entries = side_by_side(now, &running, plan.repeat, f64::INFINITY)?;
    let report = CompareReport {
        particles: now.len(),
        dimension: D,
        agree: entries.iter().all(|entry| entry.difference.is_none()),
        methods: chosen
            .into_iter()
            .map(|(method, left_out)| {
                let entry = entries.iter().find(|entry| entry.method == method);
                MethodReport::new(method, left_out, entry, now.len())
            })
            .collect(),
        threads: rayon::current_num_threads(),
        version: super::VERSION,
    };
    output::print(&if plan.json { serde_json::to_string(&report)? } else { report.table() })?;
    must_agree(&entries)
}

impl MethodReport {
    fn new<const D: usize>(
        method: Method,
        left_out: Option<String>,
        entry: Option<&Entry<D>>,
        particles: usize,
    ) -> Self {
        let per_particle = |bytes: f64| bytes / particles.max(1) as f64;
        Self {
            method: method.name(),
            left_out,
            agrees: entry.map(|entry| entry.difference.is_none()),
            contacts: entry.map(|entry| entry.contacts),
            candidates: entry.map(|entry| entry.work.candidates),
            cells: entry.map(|entry| entry.work.cells),
            seconds: entry.map(|entry| entry.seconds),
            step_seconds: entry.map(|entry| entry.step_seconds),
            peak_memory_bytes: entry.map(|entry| entry.peak_bytes),
            bytes_per_particle: entry.map(|entry| per_particle(entry.peak_bytes as f64)),
            index_bytes_per_particle: entry.and_then(|entry| entry.index_bytes).map(|bytes| per_particle(bytes as f64)),
        }
    }
}

impl CompareReport {
    fn table(&self) -> String {
        let mut table = TextTable::new([
            "method",
            "contacts",
            "candidates",
            "cells",
            "time",
            "later calls",
            "bytes per particle",
            "index bytes",
            "agrees",
        ]);
        for row in &self.methods {
            let counted = |value: Option<u64>| value.map_or("-".to_owned(), count);
            let verdict = match (row.agrees, &row.left_out) {
                (Some(true), _) => "yes".to_owned(),
                (Some(false), _) => "NO".to_owned(),
                (None, reason) => reason.clone().unwrap_or_default(),
            };
            table.row([
                row.method.to_owned(),
                counted(row.contacts.map(|contacts| contacts as u64)),
                counted(row.candidates),
                counted(row.cells),
                row.seconds.map_or("-".to_owned(), seconds),
                row.step_seconds.map_or("-".to_owned(), seconds),
                row.bytes_per_particle.map_or("-".to_owned(), three_digits),
                row.index_bytes_per_particle.map_or("-".to_owned(), three_digits),
                verdict,
            ]);
        }
        let threads = format!("{} thread{}", self.threads, if self.threads == 1 { "" } else { "s" });
        format!("{} particles in {} dimensions, {threads}\n{table}", count(self.particles as u64), self.dimension)
    }
}
