//! `multigrain analyze`: what grains and their contacts say.

mod findings;
mod plots;
mod sample;
mod tables;

use crate::failure::{hinted, say};
use crate::flags::AnalyzeFlags;
use crate::output;
use crate::plan::Space;
use anyhow::{Context, Result};
use findings::{AnalysisOptions, Findings};
use multigrain::{AnySystem, each_dimension};
use multigrain_files::Target;
use sample::{Sample, SampleSource};
use serde_json::{Value, json};
use std::path::Path;

/// Reads, computes, writes.
pub fn run(flags: &AnalyzeFlags) -> Result<()> {
    if let Some(stiffness) = flags.stiffness.filter(|stiffness| !(*stiffness > 0.0 && stiffness.is_finite())) {
        return Err(hinted(format!("--stiffness is {stiffness}, must be positive"), "give force per overlap"));
    }
    if let Some(folder) = &flags.output {
        check_folder(folder, &flags.input)?;
    }
    let space = Space::from_flags(&flags.space);
    let source = SampleSource::open(&flags.input, flags.frame)?;
    let mut series = Vec::new();
    let mut last = None;
    for sample in source.samples() {
        let findings = find(&sample?, &space, flags)?;
        series.push(findings.row());
        last = Some(findings);
    }
    let findings = last.context("there is nothing to analyze")?;
    if let Some(folder) = &flags.output {
        write(&findings, &series, folder)?;
        if !flags.json {
            say(&format!("tables and plots written to {}", folder.display()));
        }
    }
    let text = if flags.json { json_text(&findings, &series)? } else { findings.summary() };
    output::print(&text)
}

fn find(sample: &Sample, space: &Space, flags: &AnalyzeFlags) -> Result<Findings> {
    let options = AnalysisOptions { bins: flags.bins as usize, axis: flags.axis, stiffness: flags.stiffness };
    each_dimension!(&sample.moment.system, AnySystem, particles => Findings::of(particles, sample, space, &options))
}

/// All numbers as one object; of a run also the series.
fn json_text(findings: &Findings, series: &[Value]) -> Result<String> {
    let mut object = findings.json.clone();
    if let (Value::Object(object), true) = (&mut object, series.len() > 1) {
        object.insert("series".to_owned(), json!(series));
    }
    Ok(serde_json::to_string(&object)?)
}

fn check_folder(folder: &Path, input: &Path) -> Result<()> {
    if folder.exists() && !folder.is_dir() {
        let message = format!("cannot write to {}: it is a file", folder.display());
        return Err(hinted(message, "name a folder for tables and plots"));
    }
    if folder.is_dir() && folder.canonicalize()? == input.canonicalize().unwrap_or_default() {
        let message = format!("the tables would go into {}, which is read", folder.display());
        return Err(hinted(message, "name another folder"));
    }
    let is_own = |name: &&str| Target::File(folder.join(name)).is_same_file(input);
    match tables::NAMES.iter().chain(plots::NAMES).find(|name| is_own(name)) {
        Some(name) => {
            let message = format!("{name} of the tables would replace {}, which is read", input.display());
            Err(hinted(message, "name another folder"))
        }
        None => Ok(()),
    }
}

fn write(findings: &Findings, series: &[Value], folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    tables::write(findings, series, folder)?;
    plots::write(findings, series, folder)
}
