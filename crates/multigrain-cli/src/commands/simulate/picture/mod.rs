//! A picture of a run: grains as shaded discs and polygons, the far ones first, and the walls of the plane.

mod canvas;
mod palette;
mod sheet;
mod svg;
mod view;

use super::course::Stage;
use crate::scene::ColorBy;
use anyhow::Result;
use canvas::Canvas;
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::{Shape, Simulation, Wall};
use palette::{Color, WALL, along, of_number};
use sheet::Sheet;
use svg::Svg;
use view::View;

/// Pixels of the longer side.
const SIZE: f64 = 900.0;

/// Sizes that differ by less than this share tell nothing.
const SAME_SIZE: f64 = 0.05;

/// Of all speeds, this share is told apart by colors; few fast grains must not make all others look slow.
const SHARE_OF_SPEEDS: f64 = 0.98;

/// All particles in their box, and the walls as they are now, as a PNG.
pub fn png<const D: usize>(simulation: &Simulation<D>, stage: &Stage<D>, color: ColorBy) -> Result<Vec<u8>>
where
    Axes: Dimension<D>,
{
    let view = View::new(&stage.domain, SIZE);
    let mut canvas = Canvas::new(view.width(), view.height());
    draw(&mut canvas, &view, simulation, stage, color);
    let (width, height, pixels) = canvas.finish();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Best);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(bytes)
}

/// The same as an SVG.
pub fn svg<const D: usize>(simulation: &Simulation<D>, stage: &Stage<D>, color: ColorBy) -> String
where
    Axes: Dimension<D>,
{
    let view = View::new(&stage.domain, SIZE);
    let mut svg = Svg::new(view.width(), view.height());
    draw(&mut svg, &view, simulation, stage, color);
    svg.finish()
}

fn draw<const D: usize>(
    sheet: &mut dyn Sheet,
    view: &View<D>,
    simulation: &Simulation<D>,
    stage: &Stage<D>,
    color: ColorBy,
) where
    Axes: Dimension<D>,
{
    let domain = &stage.domain;
    if D == 3 {
        box_edges(view, domain).for_each(|[from, to]| sheet.line(from, to, WALL, 1.0));
    }
    let colors = colors(simulation, color);
    let state = simulation.state();
    let mut order: Vec<usize> = (0..state.len()).collect();
    let depth = |place: usize| view.depth(state.positions()[place]);
    order.sort_by(|&i, &j| depth(j).total_cmp(&depth(i)).then(state.ids()[i].cmp(&state.ids()[j])));
    for place in order {
        if let Some(polygon) = simulation.polygon(place) {
            let corner = |[x, y]: [f64; 2]| view.project(std::array::from_fn(|axis| if axis == 0 { x } else { y }));
            let corners: Vec<[f64; 2]> = polygon.corners().map(corner).collect();
            sheet.polygon(&corners, colors[place], colors[place].map(|part| 0.5 * part));
            continue;
        }
        let radius = view.pixels(state.radii()[place]);
        sheet.ball(view.project(state.positions()[place]), radius, colors[place], D == 3);
    }
    if D == 2 {
        box_edges(view, domain).for_each(|[from, to]| sheet.line(from, to, WALL, 1.5));
        stage.walls_at(simulation.time()).iter().for_each(|wall| draw_wall(sheet, view, wall));
    }
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
            let mut sizes: Vec<f64> = state.radii().iter().map(|radius| radius.ln()).collect();
            let [lo, hi] = sizes.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], &x| [lo.min(x), hi.max(x)]);
            // Where all are of one size, corners tell them apart.
            if hi - lo <= SAME_SIZE {
                let corners = |place: usize| simulation.polygon(place).map_or(0, |polygon| polygon.polygon().len());
                sizes = (0..sizes.len()).map(|place| corners(place) as f64).collect();
            }
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
fn draw_wall<const D: usize>(sheet: &mut dyn Sheet, view: &View<D>, wall: &Wall<D>) {
    const THICK: f64 = 2.5;
    match &wall.shape {
        Shape::Plate { corners } => {
            for ends in corners.windows(2) {
                sheet.line(view.project(ends[0]), view.project(ends[1]), WALL, THICK);
            }
        }
        Shape::Cylinder { point, radius, .. } => {
            sheet.circle(view.project(*point), view.pixels(*radius), WALL, THICK);
        }
        Shape::Polygon { corners } => {
            let corners: Vec<[f64; 2]> = corners.iter().map(|&corner| view.project(corner)).collect();
            sheet.polygon(&corners, WALL, WALL);
        }
        // Planes are endless and boxes lie along the axes: the border of the domain stands for them.
        Shape::Plane { .. } | Shape::Box { .. } | Shape::Funnel { .. } => {}
    }
}
