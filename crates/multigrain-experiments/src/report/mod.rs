//! Reports of all finished experiments: a page and a document.

mod page;
mod summary;

pub use page::html;
pub use summary::markdown;

use crate::catalog;
use crate::choices::Choices;
use crate::experiment::{Paper, Size};
use crate::run::Report;
use crate::verdict::tally;

/// How an experiment is repeated.
fn command(name: &str, choices: &Choices) -> String {
    let flag = if choices.size == Size::Quick { " --quick" } else { "" };
    let set: String =
        choices.text().split('_').filter(|set| !set.is_empty()).map(|set| format!(" --set {set}")).collect();
    format!("multigrain reproduce {name}{flag}{set}")
}

/// One sentence on how much was measured.
fn about_size(size: Size) -> &'static str {
    match size {
        Size::Tiny => "The tiny run: it tests the code; its verdicts mean nothing.",
        Size::Quick => "The quick run: smaller systems than the papers', minutes on two cores.",
        Size::Full => "The full run: the papers' own sizes, but for those that `docs/papers.md` names.",
    }
}

/// What the times are.
const TIMES: &str = "Times are processor time. What others do on the machine is not in them, but it takes caches and memory from what is timed: \
                     on a busy machine trust ratios of one run.";

/// What the four words mean.
const WORDS: &str = "As printed: the paper's number or ranking, within its own tolerance. Same trend: the direction is right, the \
                     number is not. Differs: neither; the note names the measurement that shows why, or says that it is unknown. \
                     Beyond: measured beside the claims of the papers, and not counted among them.";

/// One sentence on a run with parameters of one's own; nothing otherwise.
fn about_own(choices: &Choices) -> String {
    if choices.are_of_papers() {
        return String::new();
    }
    format!(
        " With parameters of one's own ({}): nothing here is a claim of a paper.",
        choices.text().replace('_', ", ")
    )
}

/// How many claims of each paper have which outcome: its name, then the numbers in the order of [`Outcome::ALL`]; all together last.
fn tallies(reports: &[Report]) -> Vec<(&'static str, [usize; 4])> {
    let each = |wanted: Option<Paper>| {
        let verdicts = reports.iter().flat_map(|report| {
            let own = report.experiment.paper;
            report.verdicts.iter().filter(move |verdict| wanted.is_none_or(|paper| verdict.of.unwrap_or(own) == paper))
        });
        tally(verdicts)
    };
    let papers = Paper::ALL.into_iter().map(|paper| (paper.name(), each(Some(paper))));
    papers.chain([("all", each(None))]).collect()
}

/// The tally of a run as a table in Markdown.
pub fn tally_table(reports: &[Report]) -> String {
    let mut text = "| paper | as printed | same trend | differs | beyond |\n|---|---|---|---|---|\n".to_owned();
    for (name, [printed, trend, differs, beyond]) in tallies(reports) {
        text += &format!("| {name} | {printed} | {trend} | {differs} | {beyond} |\n");
    }
    text
}

/// The different values of a column over all reports, in order of appearance.
fn all_values(reports: &[Report], column: &str) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for value in reports.iter().flat_map(|report| report.table.values(column)) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Names of experiments that are not finished at this size.
fn unfinished(reports: &[Report]) -> Vec<&'static str> {
    let is_finished = |name: &str| reports.iter().any(|report| report.experiment.name == name);
    catalog::ALL.iter().map(|experiment| experiment.name).filter(|name| !is_finished(name)).collect()
}
