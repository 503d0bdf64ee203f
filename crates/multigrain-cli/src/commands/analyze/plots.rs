//! Findings as plots.

use super::findings::Findings;
use anyhow::Result;
use multigrain_experiments::chart::{Axis, Figure, Look, Panel};
use multigrain_experiments::drawing::{self, PlotFormat};
use multigrain_files::{AXES, Target};
use serde_json::Value;
use std::path::Path;

/// Files that are written.
pub const NAMES: &[&str] = &["analysis.svg", "analysis.png"];

/// Writes them.
pub fn write(findings: &Findings, series: &[Value], folder: &Path) -> Result<()> {
    let figure = figure(findings, series);
    for (name, format) in NAMES.iter().zip([PlotFormat::Svg, PlotFormat::Png]) {
        drawing::write(&figure, &Target::File(folder.join(name)), format)?;
    }
    Ok(())
}

fn figure(findings: &Findings, series: &[Value]) -> Figure {
    let grains = findings.json["particles"].as_u64().unwrap_or(0);
    let setting = match findings.time {
        Some(time) => format!("{grains} grains at time {}", drawing::short(time)),
        None => format!("{grains} grains"),
    };
    let mut figure = Figure::new(format!("Analysis of {}", findings.name), setting);
    let histogram = findings.coordination.histogram.iter().enumerate();
    let points = histogram.map(|(contacts, &grains)| (contacts as f64, grains as f64)).collect();
    figure = figure.panel(
        Panel::new("coordination", Axis::linear("contacts of a grain"), Axis::linear("grains").at_least(0.0, 1.0))
            .series("", 0, Look::Curve, points),
    );
    let line = vec![(0.0, 1.0), (findings.correlation.max_distance, 1.0)];
    figure = figure.panel(
        Panel::new("pair correlation", Axis::linear("distance r"), Axis::linear("g(r)").at_least(0.0, 1.5))
            .series("", 5, Look::Dashed, line)
            .series("", 1, Look::Line, findings.correlation.values.clone()),
    );
    figure = figure.panel(of_profile(findings, "packing_fraction", "packing fraction", 2));
    let velocities = findings.profile.0.iter().filter(|name| name.starts_with('v'));
    if velocities.clone().next().is_some() {
        let axis = AXES[findings.axis];
        let mut panel = Panel::new(format!("velocity along {axis}"), Axis::linear(axis), Axis::linear("mean velocity"));
        for (k, name) in velocities.enumerate() {
            // The legend is that of the whole figure: it says which panel it belongs to.
            panel = panel.series(format!("mean velocity {name}"), k, Look::Line, column(findings, name));
        }
        figure = figure.panel(panel);
    }
    if let Some(forces) = &findings.forces {
        let points = forces.density.iter().copied().filter(|(_, density)| *density > 0.0).collect();
        figure = figure.panel(
            Panel::new("normal forces", Axis::linear("force over mean force"), Axis::log("density of probability"))
                .series("", 3, Look::Curve, points),
        );
    }
    if series.len() > 1 {
        for (name, label) in [("coordination", "coordination number"), ("pressure", "pressure")] {
            let point = |row: &Value| Some((row["time"].as_f64().or(row["step"].as_f64())?, row[name].as_f64()?));
            let points: Vec<(f64, f64)> = series.iter().filter_map(point).collect();
            if points.len() > 1 {
                let panel = Panel::new(format!("{label} over time"), Axis::linear("time"), Axis::linear(label));
                figure = figure.panel(panel.series("", 4, Look::Curve, points));
            }
        }
    }
    figure
}

fn of_profile(findings: &Findings, name: &str, label: &str, color: usize) -> Panel {
    let axis = AXES[findings.axis];
    Panel::new(format!("{label} along {axis}"), Axis::linear(axis), Axis::linear(label).at_least(0.0, 0.1)).series(
        "",
        color,
        Look::Line,
        column(findings, name),
    )
}

/// A column of the profile over the middle of its slices.
fn column(findings: &Findings, name: &str) -> Vec<(f64, f64)> {
    let (names, rows) = &findings.profile;
    let Some(column) = names.iter().position(|own| own == name) else { return Vec::new() };
    let points = rows.iter().map(|row| (0.5 * (row[0] + row[1]), row[column]));
    points.filter(|point| !point.1.is_nan()).collect()
}
