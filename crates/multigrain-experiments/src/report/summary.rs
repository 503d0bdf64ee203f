//! The table of verdicts as a document in Markdown.

use super::{about_size, all_values, command, tally, unfinished};
use crate::experiment::{Experiment, Size};
use crate::run::Report;
use crate::verdict::verdict_table;

/// All verdicts, and where they come from.
pub fn markdown(reports: &[Report], size: Size) -> String {
    let table = verdict_table(reports.iter().map(|report| (report.experiment.name, report.verdicts.as_slice())));
    let mut text = format!(
        "# Experiments of the papers\n\n\
         What the papers claim, what was measured, and whether it holds; rows without a value of the paper are checks beside its claims. Written by `{}`, which also writes a page with all \
         figures. Short names of papers are those of `docs/papers.md`.\n\n\
         {} {} Machine: {}. Revision: {}.\n\n{table}",
        command("all", size),
        about_size(size),
        tally(reports),
        all_values(reports, "machine").join("; "),
        all_values(reports, "revision").join(", "),
    );
    let missing = unfinished(reports);
    if !missing.is_empty() {
        text += &format!("\nNot measured yet: {}.\n", missing.join(", "));
    }
    text += "\n## What is done\n\n";
    for Report { experiment, .. } in reports {
        let Experiment { name, paper, figure, about, .. } = experiment;
        text += &format!("- `{name}` ({}, {figure}): {about}\n", paper.name());
    }
    text
}
