//! The angle of repose against the number of corners: a column of grains collapses on a plane.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example repose -- --plot repose.svg
//! ```
//!
//! All grains have the same friction; only their corners differ. With 64 corners they roll like discs. Exit code 1 if no
//! angular grain makes a steeper heap than the discs.

use multigrain_dem::polygons::{PolygonScene, PolygonSimulation};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_lab::table::{Table, short};
use rayon::prelude::*;
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
The angle of repose against the number of corners

    --grains N       grains (120)
    --corners A,B    numbers of corners (3,4,5,6,8,12,24,64); the last stands for discs
    --seeds N        heaps per number of corners (1)
    --friction MU    of all grains (0.5)
    --duration T     seconds to simulate (1.2)
    --plot FILE      a plot, as SVG";

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let grains = arguments.take("grains").unwrap_or(Count(120)).0;
    let corners: Vec<usize> = arguments.take_list("corners").unwrap_or_else(|| vec![3, 4, 5, 6, 8, 12, 24, 64]);
    let seeds = arguments.take("seeds").unwrap_or(1u64).max(1);
    let friction = arguments.take("friction").unwrap_or(0.5f64);
    let duration = arguments.take("duration").unwrap_or(1.2f64);
    let plot: Option<PathBuf> = arguments.take("plot");
    arguments.finish();
    let jobs: Vec<(usize, u64)> = corners.iter().flat_map(|&n| (0..seeds).map(move |seed| (n, seed))).collect();
    let angles = jobs.into_par_iter().map(|(corners, seed)| {
        let scene = PolygonScene::heap(grains, corners..=corners, friction, seed).map_err(|error| error.to_string())?;
        let mut simulation = scene.setup.build(scene.bodies).map_err(|error| error.to_string())?;
        let steps = (duration / simulation.time_step()) as u64;
        simulation.run(steps).map_err(|error| error.to_string())?;
        Ok::<_, String>(slope(&simulation))
    });
    let angles: Vec<f64> = angles.collect::<Result<_, _>>()?;
    let mut table = Table::new(["corners", "angle of repose", "of single heaps"]);
    let mut means = Vec::new();
    for (&corners, angles) in corners.iter().zip(angles.chunks(seeds as usize)) {
        let mean = angles.iter().sum::<f64>() / angles.len() as f64;
        let single: Vec<String> = angles.iter().map(|&angle| short(angle)).collect();
        table.row([corners.to_string(), short(mean), single.join(", ")]);
        means.push((corners, mean));
    }
    println!("{grains} grains, friction {friction}, {duration} s, degrees\n{table}");
    if let Some(file) = plot {
        std::fs::write(file, chart(&means)?)?;
    }
    let discs = means.last().map_or(0.0, |&(_, angle)| angle);
    let angular = means.iter().filter(|(corners, _)| *corners <= 8).map(|&(_, angle)| angle);
    Ok(verdict(angular.fold(f64::INFINITY, f64::min) > discs))
}

/// The slope of a heap in degrees, from its area and its foot. A triangle with the area of the grains and their mean distance
/// from the middle has it: that distance is a third of half the base. Grains that have run away count with the rest.
fn slope(simulation: &PolygonSimulation) -> f64 {
    let grains = || (0..simulation.len()).filter(|&k| !simulation.is_wall(k)).map(|k| simulation.body(k));
    let count = grains().count() as f64;
    let middle = grains().map(|body| body.frame().position()[0]).sum::<f64>() / count;
    let spread = grains().map(|body| (body.frame().position()[0] - middle).abs()).sum::<f64>() / count;
    let height = grains().map(|body| body.frame().position()[1].max(0.0)).sum::<f64>() / count;
    // In a triangle the mean height is a third of the height, and the mean distance a third of half the base.
    (height / spread).atan().to_degrees()
}

/// A plot of angles over corners, on a logarithmic axis.
fn chart(means: &[(usize, f64)]) -> Result<String, Box<dyn Error>> {
    let (width, height, left, bottom) = (560.0, 340.0, 60.0, 50.0);
    let most = means.iter().map(|&(_, angle)| angle).fold(10.0, f64::max) * 1.1;
    let ends = [means.first(), means.last()].map(|end| end.map_or(3.0, |&(corners, _)| corners as f64));
    let x = |corners: usize| left + (width - left - 30.0) * (corners as f64 / ends[0]).ln() / (ends[1] / ends[0]).ln();
    let y = |angle: f64| height - bottom - (height - bottom - 30.0) * angle / most;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <path d=\"M{left},20V{base}H{right}\" fill=\"none\" stroke=\"#333\"/>\n\
         <text x=\"{middle}\" y=\"{caption}\" text-anchor=\"middle\">corners per grain (64 roll like discs)</text>\n\
         <text x=\"{left}\" y=\"14\">angle of repose, degrees</text>\n",
        base = height - bottom,
        right = width - 20.0,
        middle = 0.5 * (width + left),
        caption = height - 12.0,
    );
    for tick in (0..=(most as usize)).step_by(5) {
        let level = y(tick as f64);
        writeln!(text, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{tick}</text>", left - 8.0, level + 4.0)?;
        writeln!(text, "<path d=\"M{left},{level}H{}\" stroke=\"#ddd\"/>", width - 20.0)?;
    }
    let points: Vec<String> =
        means.iter().map(|&(corners, angle)| format!("{:.1},{:.1}", x(corners), y(angle))).collect();
    writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#2a6f97\" stroke-width=\"1.5\"/>",
        points.join(" ")
    )?;
    for &(corners, angle) in means {
        writeln!(text, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"#2a6f97\"/>", x(corners), y(angle))?;
        writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{corners}</text>",
            x(corners),
            height - bottom + 18.0
        )?;
    }
    text.push_str("</svg>\n");
    Ok(text)
}
