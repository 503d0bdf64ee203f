//! Findings as CSV and JSON.

use super::findings::Findings;
use super::json_text;
use anyhow::Result;
use multigrain_files::{AXES, Target};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

/// Files that are written.
pub const NAMES: &[&str] = &[
    "analysis.json",
    "coordination.csv",
    "pair_correlation.csv",
    "profile.csv",
    "map.csv",
    "forces.csv",
    "series.csv",
];

/// Writes the tables.
pub fn write(findings: &Findings, series: &[Value], folder: &Path) -> Result<()> {
    let save =
        |name: &str, text: String| Target::File(folder.join(name)).write(|out| Ok(out.write_all(text.as_bytes())?));
    save("analysis.json", json_text(findings, series)? + "\n")?;
    let histogram = findings.coordination.histogram.iter().enumerate();
    save(
        "coordination.csv",
        table(&["contacts", "grains"], histogram.map(|(k, &grains)| vec![k as f64, grains as f64])),
    )?;
    save("pair_correlation.csv", table(&["r", "g"], findings.correlation.values.iter().map(|&(r, g)| vec![r, g])))?;
    let names: Vec<&str> = findings.profile.0.iter().map(String::as_str).collect();
    save("profile.csv", table(&names, findings.profile.1.iter().cloned()))?;
    save("map.csv", map(findings))?;
    if let Some(forces) = &findings.forces {
        let rows = forces.density.iter().map(|&(force, density)| vec![force, density]);
        save("forces.csv", table(&["force_over_mean", "density"], rows))?;
    }
    if series.len() > 1 {
        save("series.csv", of_series(series))?;
    }
    Ok(())
}

fn map(findings: &Findings) -> String {
    let map = &findings.map;
    let axes = map.axes.map(|axis| AXES[axis]);
    let velocities = axes.map(|axis| format!("v{axis}"));
    let mut names = vec![axes[0], axes[1], "packing_fraction"];
    if !map.velocity.is_empty() {
        names.extend(velocities.iter().map(String::as_str));
    }
    let middle =
        |k: usize, pixel: usize| map.lo[k] + (pixel as f64 + 0.5) * (map.hi[k] - map.lo[k]) / map.pixels[k] as f64;
    let row = |pixel: usize| {
        let mut row =
            vec![middle(0, pixel % map.pixels[0]), middle(1, pixel / map.pixels[0]), map.packing_fraction[pixel]];
        row.extend(map.velocity.get(pixel).into_iter().flatten());
        row
    };
    table(&names, (0..map.packing_fraction.len()).map(row))
}

fn of_series(series: &[Value]) -> String {
    let Some(Value::Object(first)) = series.first() else { return String::new() };
    let mut names = vec!["step", "time"];
    names.extend(first.keys().map(String::as_str).filter(|name| !["step", "time"].contains(name)));
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    table(&names, series.iter().map(|row| names.iter().map(|name| number(&row[name])).collect()))
}

/// Rows under a header; empty where there is no number.
fn table(names: &[&str], rows: impl Iterator<Item = Vec<f64>>) -> String {
    let mut text = names.join(",") + "\n";
    for row in rows {
        for (k, value) in row.iter().enumerate() {
            let comma = if k == 0 { "" } else { "," };
            // Writing to a string cannot fail.
            let _ = if value.is_nan() { write!(text, "{comma}") } else { write!(text, "{comma}{value}") };
        }
        text.push('\n');
    }
    text
}
