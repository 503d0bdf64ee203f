//! The table of verdicts as a document in Markdown.

use super::{TIMES, WORDS, about_own, about_size, all_values, command, tally_table, unfinished};
use crate::choices::Choices;
use crate::experiment::Experiment;
use crate::run::Report;
use crate::verdict::verdict_table;

/// All verdicts, and where they come from.
pub fn markdown(reports: &[Report], choices: &Choices) -> String {
    let table = verdict_table(reports.iter().map(|report| (report.experiment.name, report.verdicts.as_slice())));
    let mut text = format!(
        "# Experiments of the papers\n\n\
         What the papers claim, what was measured, and what became of it. Written by `{}`, which also writes a page with all figures. \
         Short names of papers are those of `docs/papers.md`.\n\n\
         {}{} Machine: {}. Revision: {}. {TIMES}\n\n{}\n{WORDS}\n\n{table}",
        command("all", choices),
        about_size(choices.size),
        about_own(choices),
        all_values(reports, "machine").join("; "),
        all_values(reports, "revision").join(", "),
        tally_table(reports),
    );
    for report in reports.iter().filter(|report| !report.failed.is_empty()) {
        text +=
            &format!("\nPoints of `{}` that failed; claims that need them are left out:\n\n", report.experiment.name);
        report.failed.iter().for_each(|point| text += &format!("- {point}\n"));
    }
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
