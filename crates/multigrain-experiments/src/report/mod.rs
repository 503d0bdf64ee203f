//! Reports of all finished experiments: a page and a document.

mod page;
mod summary;

pub use page::html;
pub use summary::markdown;

use crate::catalog;
use crate::experiment::Size;
use crate::run::Report;

/// How an experiment is repeated.
fn command(name: &str, size: Size) -> String {
    let flag = if size == Size::Quick { " --quick" } else { "" };
    format!("multigrain reproduce {name}{flag}")
}

/// One sentence on how much was measured.
fn about_size(size: Size) -> &'static str {
    match size {
        Size::Tiny => "The tiny run: it tests the code; its verdicts mean nothing.",
        Size::Quick => "The quick run: smaller systems than the papers', minutes on two cores.",
        Size::Full => "The full run: the papers' own sizes.",
    }
}

/// One sentence on how many claims of the papers hold, and how many of what was checked beside them.
fn tally(reports: &[Report]) -> String {
    let count = |is_of_paper: bool| {
        let all = || reports.iter().flat_map(|report| &report.verdicts).filter(|one| one.is_of_paper() == is_of_paper);
        (all().filter(|verdict| verdict.holds).count(), all().count())
    };
    let ((held, claims), (also_held, more)) = (count(true), count(false));
    let beside = if more > 0 { format!("; of {more} further checks {also_held}") } else { String::new() };
    format!("{held} of {claims} claims of the papers hold{beside}.")
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
