//! A picture of a run: grains as shaded discs, the far ones first, and the walls of the plane.

mod canvas;
mod palette;
mod view;

use crate::scene::ColorBy;
use anyhow::Result;
use canvas::Canvas;
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::{Shape, Simulation, Wall};
use multigrain_files::Target;
use palette::{Color, WALL, along, of_number};
use std::path::Path;
use view::View;

/// Pixels of the longer side.
const SIZE: f64 = 900.0;

/// Of all speeds, this share is told apart by colors; few fast grains must not make all others look slow.
const SHARE_OF_SPEEDS: f64 = 0.98;

/// Writes a PNG of all particles in their box.
pub fn write<const D: usize>(
    simulation: &Simulation<D>,
    domain: Domain<D>,
    walls: &[Wall<D>],
    color: ColorBy,
    path: &Path,
) -> Result<()>
where
    Axes: Dimension<D>,
{
    let view = View::new(&domain, SIZE);
    let mut canvas = Canvas::new(view.width(), view.height());
    if D == 3 {
        box_edges(&view, &domain).for_each(|[from, to]| canvas.line(from, to, WALL, 1.0));
    }
    let colors = colors(simulation, color);
    let state = simulation.state();
    let mut order: Vec<usize> = (0..state.len()).collect();
    let depth = |place: usize| view.depth(state.positions()[place]);
    order.sort_by(|&i, &j| depth(j).total_cmp(&depth(i)).then(state.ids()[i].cmp(&state.ids()[j])));
    for place in order {
        let radius = view.pixels(state.radii()[place]);
        canvas.ball(view.project(state.positions()[place]), radius, colors[place], D == 3);
    }
    if D == 2 {
        box_edges(&view, &domain).for_each(|[from, to]| canvas.line(from, to, WALL, 1.5));
        walls.iter().for_each(|wall| draw_wall(&mut canvas, &view, wall));
    }
    let (width, height, pixels) = canvas.finish();
    Target::File(path.to_owned()).write(|out| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Best);
        encoder.write_header()?.write_image_data(&pixels)?;
        Ok(out.write_all(&bytes)?)
    })
}

/// A color for every particle, by place.
fn colors<const D: usize>(simulation: &Simulation<D>, by: ColorBy) -> Vec<Color>
where
    Axes: Dimension<D>,
{
    let state = simulation.state();
    let spread = |values: Vec<f64>, top: f64| {
        let bottom = values.iter().copied().fold(f64::INFINITY, f64::min);
        let width = if top > bottom { top - bottom } else { 1.0 };
        values.into_iter().map(|value| along(((value - bottom) / width).clamp(0.0, 1.0))).collect()
    };
    match by {
        ColorBy::Material => state.materials().iter().map(|&material| of_number(material)).collect(),
        ColorBy::Size => {
            let sizes: Vec<f64> = state.radii().iter().map(|radius| radius.ln()).collect();
            let top = sizes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            spread(sizes, top)
        }
        ColorBy::Speed => {
            let speed = |velocity: &[f64; D]| velocity.iter().map(|x| x * x).sum::<f64>().sqrt();
            let speeds: Vec<f64> = state.velocities().iter().map(speed).collect();
            let mut sorted = speeds.clone();
            sorted.sort_by(f64::total_cmp);
            let top = sorted.get((SHARE_OF_SPEEDS * sorted.len() as f64) as usize).copied().unwrap_or(0.0);
            spread(speeds, top)
        }
    }
}

/// The edges of the box as lines of the picture.
fn box_edges<const D: usize>(view: &View<D>, domain: &Domain<D>) -> impl Iterator<Item = [[f64; 2]; 2]> {
    let (lo, hi) = (domain.lo(), domain.hi());
    let corner = move |bits: usize| -> [f64; D] {
        std::array::from_fn(|axis| if bits >> axis & 1 == 1 { hi[axis] } else { lo[axis] })
    };
    let edges = (0..1usize << D).flat_map(|bits| (0..D).map(move |axis| (bits, bits | 1 << axis)));
    edges.filter(|(from, to)| from != to).map(move |(from, to)| [corner(from), corner(to)].map(|end| view.project(end)))
}

/// A wall in the plane that is more than a border of the box.
fn draw_wall<const D: usize>(canvas: &mut Canvas, view: &View<D>, wall: &Wall<D>) {
    const THICK: f64 = 2.5;
    match &wall.shape {
        Shape::Plate { corners } => {
            for ends in corners.windows(2) {
                canvas.line(view.project(ends[0]), view.project(ends[1]), WALL, THICK);
            }
        }
        Shape::Cylinder { point, radius, .. } => {
            canvas.circle(view.project(*point), view.pixels(*radius), WALL, THICK);
        }
        Shape::Polygon { corners } => {
            let corners: Vec<[f64; 2]> = corners.iter().map(|&corner| view.project(corner)).collect();
            canvas.polygon(&corners, WALL, WALL);
        }
        // Planes are endless and boxes lie along the axes: the border of the domain stands for them.
        Shape::Plane { .. } | Shape::Box { .. } | Shape::Funnel { .. } => {}
    }
}
