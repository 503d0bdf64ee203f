//! A picture of a run: grains as shaded discs and polygons, the far ones first, walls, and below them what colors mean.

mod canvas;
mod footer;
mod palette;
mod sheet;
mod svg;
mod view;

use super::course::Stage;
use super::walls::mesh;
use crate::scene::ColorBy;
use anyhow::Result;
use canvas::Canvas;
use footer::{Footer, Key};
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::{Simulation, Stress, Wall};
use palette::{Color, WALL, along, of_number};
use sheet::Sheet;
use svg::Svg;
use view::View;

/// Pixels of the longer side.
const SIZE: f64 = 900.0;

/// Sizes that differ by less than this share tell nothing.
const SAME_SIZE: f64 = 0.05;

/// Of all speeds and pressures, this share is told apart by colors; few fast grains must not make all others look slow.
const SHARE_TOLD_APART: f64 = 0.98;

/// Pieces that edges are cut into, so that each is before or behind grains as a whole.
const PIECES: usize = 24;

/// How much of what is behind it a wall hides.
const OPAQUE: f64 = 0.10;

/// What is drawn, one after the other.
enum Item {
    Grain(usize),
    Surface(Vec<[f64; 2]>),
    Edge([[f64; 2]; 2]),
}

/// All particles in their box and the walls as they are now as a PNG, and below what colors mean, time and scale.
pub fn png<const D: usize>(simulation: &Simulation<D>, stage: &Stage, color: ColorBy) -> Result<Vec<u8>>
where
    Axes: Dimension<D>,
{
    let view = view_of(simulation);
    let mut canvas = Canvas::new(view.width(), view.height() + footer::HEIGHT);
    let key = draw(&mut canvas, &view, simulation, stage, color);
    let (width, height, mut pixels) = canvas.finish();
    Footer { key, time: simulation.time(), pixels_per_length: view.pixels(1.0) }.draw(&mut pixels, width as usize)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Best);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(bytes)
}

/// The grains and walls alone as an SVG.
pub fn svg<const D: usize>(simulation: &Simulation<D>, stage: &Stage, color: ColorBy) -> String
where
    Axes: Dimension<D>,
{
    let view = view_of(simulation);
    let mut svg = Svg::new(view.width(), view.height());
    draw(&mut svg, &view, simulation, stage, color);
    svg.finish()
}

fn view_of<const D: usize>(simulation: &Simulation<D>) -> View<D>
where
    Axes: Dimension<D>,
{
    View::new(simulation.domain(), beyond(simulation, simulation.domain()), SIZE, footer::MIN_WIDTH)
}

/// Draws all of it, the far ones first. What colors mean.
fn draw<const D: usize>(
    sheet: &mut dyn Sheet,
    view: &View<D>,
    simulation: &Simulation<D>,
    stage: &Stage,
    color: ColorBy,
) -> Key
where
    Axes: Dimension<D>,
{
    let (colors, key) = colors(simulation, stage, color);
    let state = simulation.state();
    let grains = (0..state.len()).map(|place| (view.depth(state.positions()[place]), Item::Grain(place)));
    let walls = walls(view, simulation.domain(), &simulation.walls());
    let mut items: Vec<(f64, Item)> = grains.chain(walls).collect();
    // Of equally far ones the order is that of ids, then walls.
    let rank = |item: &Item| if let Item::Grain(place) = item { state.ids()[*place] } else { u64::MAX };
    items.sort_by(|(far, one), (near, other)| near.total_cmp(far).then(rank(one).cmp(&rank(other))));
    let thickness = if D == 3 { 1.2 } else { 2.0 };
    for (_, item) in items {
        match item {
            Item::Grain(place) => match simulation.polygon(place) {
                Some(polygon) => {
                    let corner =
                        |[x, y]: [f64; 2]| view.project(std::array::from_fn(|axis| if axis == 0 { x } else { y }));
                    let corners: Vec<[f64; 2]> = polygon.corners().map(corner).collect();
                    sheet.polygon(&corners, colors[place], colors[place].map(|part| 0.5 * part));
                }
                None => {
                    let radius = view.pixels(state.radii()[place]);
                    sheet.ball(view.project(state.positions()[place]), radius, colors[place], D == 3);
                }
            },
            // In the plane they are solid.
            Item::Surface(corners) if D == 2 => sheet.polygon(&corners, WALL, WALL),
            Item::Surface(corners) => sheet.surface(&corners, WALL, OPAQUE),
            Item::Edge([from, to]) => sheet.line(from, to, WALL, thickness),
        }
    }
    key
}

/// How far grains reach over the borders of the box, up to a tenth of its shortest side.
fn beyond<const D: usize>(simulation: &Simulation<D>, domain: &Domain<D>) -> f64
where
    Axes: Dimension<D>,
{
    let (lo, hi, state) = (domain.lo(), domain.hi(), simulation.state());
    let over = |(center, radius): (&[f64; D], &f64)| {
        (0..D).map(|axis| (lo[axis] - center[axis]).max(center[axis] - hi[axis]) + radius).fold(0.0, f64::max)
    };
    let most = state.positions().iter().zip(state.radii()).map(over).fold(0.0, f64::max);
    most.min(0.1 * (0..D).map(|axis| hi[axis] - lo[axis]).fold(f64::INFINITY, f64::min))
}

/// The box and the walls, with their depths: in the plane before all grains.
fn walls<const D: usize>(view: &View<D>, domain: &Domain<D>, walls: &[Wall<D>]) -> Vec<(f64, Item)>
where
    Axes: Dimension<D>,
{
    let mesh = mesh(walls, domain);
    let point = |k: usize| -> [f64; D] { std::array::from_fn(|axis| mesh.points[k][axis]) };
    let depth = |point: [f64; D]| if D == 3 { view.depth(point) } else { f64::NEG_INFINITY };
    let middle = |points: &[[f64; D]]| -> [f64; D] {
        std::array::from_fn(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / points.len() as f64)
    };
    let mut items = Vec::new();
    for polygon in &mesh.polygons {
        let corners: Vec<[f64; D]> = polygon.iter().map(|&k| point(k)).collect();
        let shown = corners.iter().map(|&corner| view.project(corner)).collect();
        items.push((depth(middle(&corners)), Item::Surface(shown)));
    }
    let of_walls = mesh.lines.iter().flat_map(|line| line.windows(2).map(|ends| [point(ends[0]), point(ends[1])]));
    for [from, to] in box_edges(domain).chain(of_walls) {
        let at = |k: usize| -> [f64; D] {
            std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * k as f64 / PIECES as f64)
        };
        for piece in 0..PIECES {
            let ends = [at(piece), at(piece + 1)];
            items.push((depth(middle(&ends)), Item::Edge(ends.map(|end| view.project(end)))));
        }
    }
    items
}

/// A color for every particle, by place, and what colors mean.
fn colors<const D: usize>(simulation: &Simulation<D>, stage: &Stage, color: ColorBy) -> (Vec<Color>, Key)
where
    Axes: Dimension<D>,
{
    let state = simulation.state();
    let spread = |values: &[f64], from: f64, to: f64| -> Vec<Color> {
        let width = if to > from { to - from } else { 1.0 };
        values.iter().map(|value| along(((value - from) / width).clamp(0.0, 1.0))).collect()
    };
    let ends = |values: &[f64]| {
        let fold = |start: f64, pick: fn(f64, f64) -> f64| values.iter().copied().fold(start, pick);
        (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max))
    };
    // Told apart up to where nearly all are.
    let most_of = |name: &'static str, values: Vec<f64>| {
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let from = sorted.first().copied().unwrap_or(0.0);
        let to = sorted.get((SHARE_TOLD_APART * sorted.len() as f64) as usize).copied().unwrap_or(0.0);
        let is_cut = sorted.last().is_some_and(|&most| most > to);
        let key = match to > from {
            true => Key::Range { name, from, middle: 0.5 * (from + to), to, is_cut },
            false => Key::Same { name, value: from },
        };
        (spread(&values, from, to), key)
    };
    match color {
        ColorBy::Material => {
            let colors = state.materials().iter().map(|&material| of_number(material)).collect();
            (colors, Key::Materials(stage.materials.clone()))
        }
        ColorBy::Size => {
            let logs: Vec<f64> = state.radii().iter().map(|radius| radius.ln()).collect();
            let ((from, to), (least, most)) = (ends(&logs), ends(state.radii()));
            // Where all are of one size, corners tell polygons apart.
            let corners = |place: usize| simulation.polygon(place).map_or(0, |polygon| polygon.polygon().len()) as f64;
            let counts: Vec<f64> = (0..state.len()).map(corners).collect();
            let (fewest, longest) = ends(&counts);
            if to - from <= SAME_SIZE && longest > fewest {
                let middle = 0.5 * (fewest + longest);
                let key = Key::Range { name: "corners", from: fewest, middle, to: longest, is_cut: false };
                return (spread(&counts, fewest, longest), key);
            }
            let key = match most > least {
                true => {
                    Key::Range { name: "radius", from: least, middle: (least * most).sqrt(), to: most, is_cut: false }
                }
                false => Key::Same { name: "radius", value: if least.is_finite() { least } else { 0.0 } },
            };
            (spread(&logs, from, to), key)
        }
        ColorBy::Temperature => {
            let warm = state.temperatures();
            let (from, to) = ends(warm);
            let key = match to > from {
                true => Key::Range { name: "temperature", from, middle: 0.5 * (from + to), to, is_cut: false },
                false => Key::Same { name: "temperature", value: warm.first().copied().unwrap_or(0.0) },
            };
            let same = vec![along(0.0); state.len()];
            (if warm.is_empty() { same } else { spread(warm, from, to) }, key)
        }
        ColorBy::Speed => {
            let speed = |velocity: &[f64; D]| velocity.iter().map(|x| x * x).sum::<f64>().sqrt();
            most_of("speed", state.velocities().iter().map(speed).collect())
        }
        ColorBy::Pressure => most_of("pressure", simulation.stresses().iter().map(Stress::pressure).collect()),
    }
}

/// The edges of the box.
fn box_edges<const D: usize>(domain: &Domain<D>) -> impl Iterator<Item = [[f64; D]; 2]> {
    let (origin, edges) = (domain.origin(), domain.edges());
    let corner = move |bits: usize| -> [f64; D] {
        let there = (0..D).filter(|edge| bits >> edge & 1 == 1);
        there.fold(origin, |corner, edge| std::array::from_fn(|axis| corner[axis] + edges[edge][axis]))
    };
    let edges = (0..1usize << D).flat_map(|bits| (0..D).map(move |axis| (bits, bits | 1 << axis)));
    edges.filter(|(from, to)| from != to).map(move |(from, to)| [corner(from), corner(to)])
}
