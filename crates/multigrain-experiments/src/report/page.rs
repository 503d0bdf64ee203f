//! The report as one page that needs nothing else.

use super::{TIMES, WORDS, about_own, about_size, all_values, command, tallies, unfinished};
use crate::choices::Choices;
use crate::experiment::Paper;
use crate::run::Report;
use crate::verdict::{Outcome, Verdict, tally};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

/// The page: tally, contents, then for each experiment its figure and below it what became of its claims.
pub fn html(reports: &[Report], choices: &Choices) -> String {
    let [.., differs, _] = tally(reports.iter().flat_map(|report| &report.verdicts));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Experiments of the papers</title>\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><style>{STYLE}</style></head><body>\n\
         <h1>Experiments of the papers</h1>\n<p class=\"about\">{}{}</p>\n\
         <p class=\"about small\">Machine: {}. Revision: {}. {TIMES}</p>\n",
        about_size(choices.size),
        escaped(&about_own(choices)),
        escaped(&all_values(reports, "machine").join("; ")),
        escaped(&all_values(reports, "revision").join(", ")),
    );
    page += "<table class=\"tally\"><thead><tr><th>paper</th>";
    Outcome::ALL.iter().for_each(|outcome| page += &format!("<th>{}</th>", outcome.name()));
    page += "</tr></thead><tbody>\n";
    for (name, counts) in tallies(reports) {
        let cells: String = counts.iter().map(|count| format!("<td>{count}</td>")).collect();
        let _ = writeln!(page, "<tr><td>{name}</td>{cells}</tr>");
    }
    let _ = writeln!(
        page,
        "</tbody></table>\n<p class=\"about small\">{WORDS} Below, behind each name: claims as printed, of the same trend, that differ.</p>\n\
         <input type=\"checkbox\" id=\"failed\"><label for=\"failed\">Show only what differs ({differs})</label>"
    );
    let missing = unfinished(reports);
    if !missing.is_empty() {
        let _ = writeln!(page, "<p>Not measured yet: {}.</p>", missing.join(", "));
    }
    contents(&mut page, reports);
    page += "<main>\n";
    for report in reports {
        section(&mut page, report, choices);
    }
    page + "</main></body></html>\n"
}

/// A link to each experiment, paper by paper, with how many of its claims differ.
fn contents(page: &mut String, reports: &[Report]) {
    *page += "<nav>\n";
    for paper in Paper::ALL {
        let of_paper: Vec<&Report> = reports.iter().filter(|report| report.experiment.paper == paper).collect();
        if of_paper.is_empty() {
            continue;
        }
        let _ = writeln!(page, "<div><b>{}</b> <small>{}</small><ul>", paper.name(), escaped(paper.authors()));
        for report in of_paper {
            let [printed, trend, differs, _] = tally(report.verdicts.iter());
            let _ = writeln!(
                page,
                "<li class=\"{}\"><a href=\"#{1}\">{1}</a> {printed}, {trend}, {differs}</li>",
                class(differs == 0),
                report.experiment.name,
            );
        }
        *page += "</ul></div>\n";
    }
    *page += "</nav>\n";
}

fn section(page: &mut String, report: &Report, choices: &Choices) {
    let experiment = report.experiment;
    let _ = writeln!(
        page,
        "<section class=\"{5}\"><h2 id=\"{0}\">{0}</h2>\n<p class=\"about\"><b>{1}</b> ({2}), {3}. {4}</p>",
        experiment.name,
        experiment.paper.name(),
        escaped(experiment.paper.authors()),
        escaped(experiment.figure),
        escaped(experiment.about),
        class(report.verdicts.iter().all(|verdict| verdict.outcome != Outcome::Differs)),
    );
    let _ = writeln!(page, "<figure>{}</figure>", report.svg.trim());
    if !report.failed.is_empty() {
        let failed: String = report.failed.iter().map(|point| format!("<li>{}</li>", escaped(point))).collect();
        let _ =
            writeln!(page, "<p><b>Points that failed</b>; claims that need them are left out:</p><ul>{failed}</ul>");
    }
    verdicts(page, &report.verdicts);
    let _ = writeln!(
        page,
        "<p class=\"small\">Repeat it: <code>{0}</code>. {1} rows of points: <a href=\"{2}.csv\">{2}.csv</a>; the figure: \
         <a href=\"{2}.svg\">SVG</a>, <a href=\"{2}.png\">PNG</a>.</p></section>",
        command(experiment.name, choices),
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
        let cells = [claim, paper, measured, verdict.outcome.name(), note];
        // On narrow screens each cell is a line under its name.
        let cell = |(name, text): (&&str, &str)| format!("<td data-name=\"{name}\">{}</td>", escaped(text));
        let cells: String = NAMES.iter().zip(cells).map(cell).collect();
        let _ = writeln!(page, "<tr class=\"{}\">{cells}</tr>", class(verdict.outcome != Outcome::Differs));
    }
    *page += "</tbody></table>\n";
}

/// The class of what differs, and of all else.
fn class(is_alike: bool) -> &'static str {
    if is_alike { "yes" } else { "no" }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
