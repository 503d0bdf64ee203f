//! The report as one page that needs nothing else.

use super::{about_size, all_values, command, tally, unfinished};
use crate::experiment::{Paper, Size};
use crate::run::Report;
use crate::verdict::Verdict;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

const PAPERS: [Paper; 5] = [Paper::OptimalHgrid, Paper::FastMultilevel, Paper::Mr, Paper::Comparison, Paper::Polygons];

/// The page: contents, then for each experiment its figure and below it what became of its claims.
pub fn html(reports: &[Report], size: Size) -> String {
    let failed = reports.iter().flat_map(|report| &report.verdicts).filter(|verdict| !verdict.holds).count();
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Experiments of the papers</title>\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><style>{STYLE}</style></head><body>\n\
         <h1>Experiments of the papers</h1>\n<p class=\"about\">{} {}</p>\n\
         <p class=\"about small\">Machine: {}. Revision: {}.</p>\n\
         <input type=\"checkbox\" id=\"failed\"><label for=\"failed\">Show only what does not hold ({failed})</label>\n",
        about_size(size),
        tally(reports),
        escaped(&all_values(reports, "machine").join("; ")),
        escaped(&all_values(reports, "revision").join(", ")),
    );
    let missing = unfinished(reports);
    if !missing.is_empty() {
        let _ = writeln!(page, "<p>Not measured yet: {}.</p>", missing.join(", "));
    }
    contents(&mut page, reports);
    page += "<main>\n";
    for report in reports {
        section(&mut page, report, size);
    }
    page + "</main></body></html>\n"
}

/// A link to each experiment, paper by paper, with how many of its claims hold.
fn contents(page: &mut String, reports: &[Report]) {
    *page += "<nav>\n";
    for paper in PAPERS {
        let of_paper: Vec<&Report> = reports.iter().filter(|report| report.experiment.paper == paper).collect();
        if of_paper.is_empty() {
            continue;
        }
        let _ = writeln!(page, "<div><b>{}</b> <small>{}</small><ul>", paper.name(), escaped(paper.authors()));
        for report in of_paper {
            let held = report.verdicts.iter().filter(|verdict| verdict.holds).count();
            let _ = writeln!(
                page,
                "<li class=\"{}\"><a href=\"#{1}\">{1}</a> {held} of {2}</li>",
                class(report.verdicts.iter().all(|verdict| verdict.holds)),
                report.experiment.name,
                report.verdicts.len(),
            );
        }
        *page += "</ul></div>\n";
    }
    *page += "</nav>\n";
}

fn section(page: &mut String, report: &Report, size: Size) {
    let experiment = report.experiment;
    let _ = writeln!(
        page,
        "<section class=\"{5}\"><h2 id=\"{0}\">{0}</h2>\n<p class=\"about\"><b>{1}</b> ({2}), {3}. {4}</p>",
        experiment.name,
        experiment.paper.name(),
        escaped(experiment.paper.authors()),
        escaped(experiment.figure),
        escaped(experiment.about),
        class(report.verdicts.iter().all(|verdict| verdict.holds)),
    );
    let _ = writeln!(page, "<figure>{}</figure>", report.svg.trim());
    verdicts(page, &report.verdicts);
    let _ = writeln!(
        page,
        "<p class=\"small\">Repeat it: <code>{0}</code>. {1} rows of points: <a href=\"{2}.csv\">{2}.csv</a>; the figure: \
         <a href=\"{2}.svg\">SVG</a>, <a href=\"{2}.png\">PNG</a>.</p></section>",
        command(experiment.name, size),
        report.table.0.len(),
        experiment.name,
    );
}

fn verdicts(page: &mut String, verdicts: &[Verdict]) {
    const NAMES: [&str; 5] = ["claim", "paper", "measured", "verdict", "note"];
    let head: String = NAMES.iter().map(|name| format!("<th>{name}</th>")).collect();
    let _ = writeln!(page, "<table><thead><tr>{head}</tr></thead><tbody>");
    for verdict in verdicts {
        let Verdict { claim, paper, measured, note, .. } = verdict;
        let cells = [claim, paper, measured, verdict.outcome(), note];
        // On narrow screens each cell is a line under its name.
        let cell = |(name, text): (&&str, &str)| format!("<td data-name=\"{name}\">{}</td>", escaped(text));
        let cells: String = NAMES.iter().zip(cells).map(cell).collect();
        let _ = writeln!(page, "<tr class=\"{}\">{cells}</tr>", class(verdict.holds));
    }
    *page += "</tbody></table>\n";
}

/// The class of what holds, and of what does not.
fn class(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
