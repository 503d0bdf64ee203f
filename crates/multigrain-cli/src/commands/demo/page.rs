//! The page of the demo: the table, bars, and a cut through the sample that one can move.

use super::{MethodReport, Report};
use crate::table::{count, seconds, three_digits};
use multigrain::System;
use multigrain_packings::DataSet;
use std::fmt::Write;

/// Everything that needs no numbers.
const TEMPLATE: &str = include_str!("page.html");

/// Steps that the box is cut into for the numbers of the page: they fit 16 bits.
const STEPS: f64 = 65_535.0;

/// The page, which needs nothing else.
pub fn page(report: &Report, sample: &DataSet, system: &System<3>) -> String {
    let (lo, side) = (system.domain.lo(), system.domain.hi()[0] - system.domain.lo()[0]);
    let step = |length: f64| (length / side * STEPS).round().clamp(0.0, STEPS) as u16;
    let mut spheres = String::new();
    for (center, radius) in system.centers.iter().zip(&system.radii) {
        let [x, y, z] = [0, 1, 2].map(|axis| step(center[axis] - lo[axis]));
        // Writing into a string does not fail.
        let _ = write!(spheres, "{x},{y},{z},{},", step(*radius));
    }
    let levels = report.methods.last().map_or(&[][..], |method| &method.cell_sizes);
    let sizes: Vec<String> = levels.iter().map(f64::to_string).collect();
    let threads = if report.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", report.threads) };
    let candidates = |method: &MethodReport| method.candidates as f64 / report.particles as f64;
    let values = [
        ("PARTICLES", count(report.particles as u64)),
        ("RATIO", sample.law().ratio().to_string()),
        ("FRACTION", sample.packing_fraction.to_string()),
        ("CONTACTS", count(report.contacts as u64)),
        ("SPEED_UP", three_digits(report.speed_up)),
        ("THREADS", threads),
        ("ROWS", report.methods.iter().map(row).collect()),
        (
            "CANDIDATE_BARS",
            bars(report, candidates, |value| if value < 100.0 { three_digits(value) } else { count(value as u64) }),
        ),
        ("TIME_BARS", bars(report, |method| method.seconds, seconds)),
        ("SIDE", side.to_string()),
        ("CELL_SIZES", sizes.join(",")),
        ("VERSION", report.version.to_owned()),
        ("SPHERES", spheres),
    ];
    values.iter().fold(TEMPLATE.to_owned(), |page, (name, value)| page.replace(&format!("{{{{{name}}}}}"), value))
}

fn row(method: &MethodReport) -> String {
    format!(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        method.method,
        method.cell_sizes.len(),
        count(method.candidates),
        count(method.cells),
        seconds(method.seconds),
        three_digits(method.speed_up)
    )
}

/// A bar for each method, as long as its value, the fastest method in another color.
fn bars(report: &Report, value: impl Fn(&MethodReport) -> f64, shown: impl Fn(f64) -> String) -> String {
    let largest = report.methods.iter().map(&value).fold(0.0, f64::max);
    let bar = |method: &MethodReport| {
        let class = if method.speed_up == report.speed_up { "bar fast" } else { "bar" };
        let (width, text) = (65.0 * value(method) / largest, shown(value(method)));
        format!("<div class=\"{class}\"><b>{}</b><i style=\"width:{width:.3}%\"></i>{text}</div>", method.method)
    };
    report.methods.iter().map(bar).collect()
}
