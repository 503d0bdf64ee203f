//! Polygons of this moment as files and pictures show them.

use crate::scene::{ColorBy, FrameFormat};
use anyhow::Result;
use multigrain_dem::polygons::PolygonSimulation;
use multigrain_files::polygons::{Drawn, View, WALL, color_of, png, svg, vtp};
use multigrain_files::view::PageFrame;
use multigrain_files::{Mesh, Target};
use std::path::Path;

/// Sizes that differ by less than this share tell nothing: then corners are colored.
const SAME_SIZE: f64 = 0.05;

/// All bodies with their colors, walls grey; their values are speeds.
pub fn drawn(simulation: &PolygonSimulation, color: ColorBy) -> Vec<Drawn<'_>> {
    let grains = || (0..simulation.len()).filter(|&k| !simulation.is_wall(k));
    let speed = |k: usize| {
        let ([x, y], _) = simulation.velocity(k);
        x.hypot(y)
    };
    let range = |values: &dyn Fn(usize) -> f64| {
        grains().map(values).fold([f64::INFINITY, 0.0], |[lo, hi], value| [lo.min(value), hi.max(value)])
    };
    let size = |k: usize| simulation.body(k).polygon().radius();
    let corners = |k: usize| simulation.body(k).polygon().len() as f64;
    let [smallest, largest] = range(&size);
    let is_one_size = largest <= (1.0 + SAME_SIZE) * smallest;
    let [fewest, most] = range(&corners);
    let [_, fastest] = range(&speed);
    let draw = |k: usize| {
        let color = match color {
            _ if simulation.is_wall(k) => WALL,
            // From a hundredth of the largest speed on, so that what creeps is not told from what rests.
            ColorBy::Speed => color_of(speed(k).max(0.01 * fastest), 0.01 * fastest, fastest),
            _ if is_one_size => color_of(corners(k), fewest, most),
            _ => color_of(size(k), smallest, largest),
        };
        Drawn { body: simulation.body(k), color, value: speed(k) }
    };
    (0..simulation.len()).map(draw).collect()
}

/// This moment for a page.
pub fn page_frame(simulation: &PolygonSimulation) -> PageFrame {
    let text = vtp(&drawn(simulation, ColorBy::Size));
    let mesh = Mesh::parse(text.as_bytes()).unwrap_or_default();
    let frame = PageFrame::of_polygons(&mesh).unwrap_or(PageFrame { dimension: 2, ..PageFrame::default() });
    PageFrame { time: Some(simulation.time()), step: Some(simulation.steps()), ..frame }
}

/// Writes bodies in all formats, as files that begin with `name`.
pub fn write(drawn: &[Drawn<'_>], view: &View, folder: &Path, name: &str, formats: &[FrameFormat]) -> Result<()> {
    for format in formats {
        let (ending, bytes) = match format {
            FrameFormat::Vtp => ("vtp", vtp(drawn).into_bytes()),
            FrameFormat::Svg => ("svg", svg(drawn, view).into_bytes()),
            FrameFormat::Png => ("png", png(drawn, view)?),
            // Scenes of polygons refuse it when they are read.
            FrameFormat::Dump => continue,
        };
        write_file(&folder.join(format!("{name}.{ending}")), &bytes)?;
    }
    Ok(())
}

/// Writes a file, which appears complete or not at all.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    Target::File(path.to_owned()).write(|out| Ok(out.write_all(bytes)?))
}
