//! The page of the demo: the sample in 3D, cut open, colored by levels, and what detection took.

use super::DemoReport;
use crate::table::{count, seconds, three_digits};
use anyhow::Result;
use multigrain::System;
use multigrain_files::Column;
use multigrain_files::view::{Page, PageFrame, PageStart, find_contacts};
use multigrain_packings::DataSet;

/// Larger spheres touch the cell of their level exactly, or by rounding miss it.
const SLACK: f64 = 1e-9;

/// The page, which needs nothing else.
pub fn page(report: &DemoReport, sample: &DataSet, system: System<3>) -> Result<String> {
    let sizes = report.methods.last().map_or(&[][..], |method| &method.cell_sizes);
    let level = |&radius: &f64| {
        let fits = |&size: &f64| 2.0 * radius <= size * (1.0 + SLACK);
        sizes.iter().position(fits).unwrap_or(sizes.len().saturating_sub(1)) as f64 + 1.0
    };
    let levels = Column { name: "level".to_owned(), values: system.radii.iter().map(level).collect() };
    let mut frame = PageFrame { columns: vec![levels], ..PageFrame::of_particles(&system) };
    frame.contacts = Some(find_contacts(&system.checked()?.into())?);
    let title = format!("Every contact of {} grains", count(report.particles as u64));
    let start =
        PageStart { column: Some("level".to_owned()), cut: Some('x'), contacts: Some(true), ..PageStart::default() };
    let page = Page { notes: notes(report, sample), start, ..Page::new(title, vec![frame]) };
    Ok(page.html()?)
}

fn notes(report: &DemoReport, sample: &DataSet) -> Vec<String> {
    let mut notes = vec![format!(
        "As much volume in small spheres as in large ones, size ratio {}, packing fraction {}, at random places, so that many overlap. \
         Rods join those that touch; to let them be seen, grains are drawn smaller than they are (\u{201c}drawn as\u{201d} in the panel). \
         Colors of grains show the level of the grid that each lives on.",
        three_digits(report.ratio),
        sample.packing_fraction
    )];
    for method in &report.methods {
        let levels = match method.cell_sizes.len() {
            1 => "one cell size".to_owned(),
            levels => format!("{levels} levels"),
        };
        let candidates = method.candidates as f64 / report.particles as f64;
        let candidates = if candidates < 100.0 { three_digits(candidates) } else { count(candidates as u64) };
        let speed = match method.speed_up == 1.0 {
            true => String::new(),
            false => format!(": {} times as fast", three_digits(method.speed_up)),
        };
        let time = seconds(method.seconds);
        notes.push(format!("{}, {levels}: {candidates} tests per grain, {time}{speed}", method.method));
    }
    notes
}
