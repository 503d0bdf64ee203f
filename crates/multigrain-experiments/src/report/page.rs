//! The report as one page that needs nothing else.

use super::{about_size, all_values, command, tally, unfinished};
use crate::experiment::Size;
use crate::run::Report;
use crate::verdict::Verdict;
use std::fmt::Write;

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;color:#222;max-width:1500px;margin:2em auto;padding:0 1.5em}\
h1{margin-bottom:.2em}h2{margin-top:2.5em;border-top:1px solid #ddd;padding-top:1em}\
.about{color:#555;max-width:75em}table{border-collapse:collapse;width:100%;font-size:14px}\
th,td{text-align:left;vertical-align:top;padding:.35em .7em;border-bottom:1px solid #e4e4e4}\
th{background:#f5f5f5;position:sticky;top:0}td.name{white-space:nowrap}\
.yes,.no{white-space:nowrap;font-weight:600}.yes{color:#00734f}.no{color:#b3261e}\
figure{margin:1em 0;overflow-x:auto}svg{max-width:100%;height:auto}code{background:#f3f3f3;padding:.1em .35em}";

/// The page.
pub fn html(reports: &[Report], size: Size) -> String {
    let (claims, held) = tally(reports);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Experiments of the papers</title>\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><style>{STYLE}</style></head><body>\n\
         <h1>Experiments of the papers</h1>\n<p class=\"about\">{} {held} of {claims} claims hold. Machine: {}. \
         Revision: {}.</p>\n",
        about_size(size),
        escaped(&all_values(reports, "machine").join("; ")),
        escaped(&all_values(reports, "revision").join(", ")),
    );
    verdicts(&mut page, reports.iter().map(|report| (Some(report.experiment.name), report.verdicts.as_slice())));
    let missing = unfinished(reports);
    if !missing.is_empty() {
        let _ = writeln!(page, "<p>Not measured yet: {}.</p>", missing.join(", "));
    }
    for report in reports {
        section(&mut page, report, size);
    }
    page + "</body></html>\n"
}

fn section(page: &mut String, report: &Report, size: Size) {
    let experiment = report.experiment;
    let _ = writeln!(
        page,
        "<h2 id=\"{0}\">{0}</h2>\n<p class=\"about\"><b>{1}</b> ({2}), {3}. {4}</p>",
        experiment.name,
        experiment.paper.name(),
        escaped(experiment.paper.authors()),
        escaped(experiment.figure),
        escaped(experiment.about),
    );
    let _ = writeln!(page, "<figure>{}</figure>", report.svg.trim());
    verdicts(page, [(None, report.verdicts.as_slice())].into_iter());
    let _ = writeln!(
        page,
        "<p>Repeat it: <code>{0}</code>. {1} rows of points: <a href=\"{2}.csv\">{2}.csv</a>; the figure: \
         <a href=\"{2}.svg\">SVG</a>, <a href=\"{2}.png\">PNG</a>.</p>",
        command(experiment.name, size),
        report.table.0.len(),
        experiment.name,
    );
}

/// A table of verdicts, with a column of names where they have one.
fn verdicts<'a>(page: &mut String, verdicts: impl Iterator<Item = (Option<&'a str>, &'a [Verdict])>) {
    let mut head = "";
    let mut rows = String::new();
    for (name, verdicts) in verdicts {
        let cell = name.map_or(String::new(), |name| format!("<td class=\"name\"><a href=\"#{name}\">{name}</a></td>"));
        head = if name.is_some() { "<th>experiment</th>" } else { "" };
        for verdict in verdicts {
            let class = if verdict.holds { "yes" } else { "no" };
            let [claim, paper, measured, note] =
                [&verdict.claim, &verdict.paper, &verdict.measured, &verdict.note].map(|text| escaped(text));
            let _ = writeln!(
                rows,
                "<tr>{cell}<td>{claim}</td><td>{paper}</td><td>{measured}</td><td class=\"{class}\">{}</td><td>{note}</td></tr>",
                verdict.outcome(),
            );
        }
    }
    let columns = "<th>claim</th><th>paper</th><th>measured</th><th>verdict</th><th>note</th>";
    let _ = writeln!(page, "<table><thead><tr>{head}{columns}</tr></thead><tbody>\n{rows}</tbody></table>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
