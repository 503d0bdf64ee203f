//! The angle of repose of polygons against that of discs: what stays on a rough table when the rest has slid off.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example repose -- --plot repose.svg,repose.png
//! ```
//!
//! Grains are piled up over all of the table, and nothing holds them at its ends: they run off until the slopes on both sides are
//! no steeper than what holds. Polygons are regular. All grains have the same density, friction and spread of sizes; only their corners differ. Discs have the law of
//! spheres, in the plane. Regular polygons of 64 corners, which are nearly discs, show whether the two laws agree. Exit code
//! 1 if grains with up to eight corners do not make steeper heaps than discs by more than the errors of both.

use multigrain::Rng;
use multigrain_dem::{
    AREA_DAMPING, AREA_STIFFNESS_RATIO, ContactLaw, Friction, Grain, Integrator, Material, Setup, Simulation, Skin,
    TimeStep, Wall,
};
use multigrain_experiments::Figure;
use multigrain_experiments::chart::{Axis, Look, Panel};
use multigrain_experiments::drawing::{self, PlotFormat};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_lab::table::{Table, short};
use multigrain_polygons::ConvexPolygon;
use rayon::prelude::*;
use std::error::Error;
use std::f64::consts::{PI, TAU};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
The angle of repose of polygons against that of discs

    --grains N       grains (300)
    --corners A,B    numbers of corners (3,4,5,6,8,12,64)
    --seeds N        heaps of each kind (5)
    --friction MU    of all grains (0.5)
    --duration T     seconds to simulate (1.5)
    --plot A,B       plots, as .svg or .png";

/// Largest radius of discs in metres; polygons have the areas of discs.
const RADIUS: f64 = 0.01;

/// Smallest radius over the largest: grains of one size would lie in rows.
const MIN_SHARE: f64 = 0.7;

/// Young's modulus, soft enough for long time steps.
const MODULUS: f64 = 2e5;

/// Mass per area.
const DENSITY: f64 = 1000.0;

/// How far the table reaches to either side.
const HALF_WIDTH: f64 = 20.0 * RADIUS;

const GRAVITY: [f64; 2] = [0.0, -9.81];

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let grains = arguments.take("grains").unwrap_or(Count(300)).0;
    let corners: Vec<usize> = arguments.take_list("corners").unwrap_or_else(|| vec![3, 4, 5, 6, 8, 12, 64]);
    let seeds = arguments.take("seeds").unwrap_or(5u64).max(1);
    let friction = arguments.take("friction").unwrap_or(0.5f64);
    let duration = arguments.take("duration").unwrap_or(1.5f64);
    let plots: Vec<PathBuf> = arguments.take_list("plot").unwrap_or_default();
    arguments.finish();

    let kinds: Vec<Kind> = corners.iter().map(|&count| Kind::Polygon(count)).chain([Kind::Disc]).collect();
    let jobs: Vec<(Kind, u64)> = kinds.iter().flat_map(|&kind| (0..seeds).map(move |seed| (kind, seed))).collect();
    let angles = jobs.into_par_iter().with_max_len(1).map(|(kind, seed)| {
        let heap = Heap { kind, grains, friction, duration, seed };
        heap.slope().map_err(|error| format!("{}, seed {seed}: {error}", kind.name()))
    });
    let angles: Vec<f64> = angles.collect::<Result<_, _>>()?;
    let measured: Vec<Measured> = angles.chunks(seeds as usize).map(Measured::new).collect();

    let mut table = Table::new(["grains", "angle of repose", "error", "single heaps"]);
    for ((kind, measured), angles) in kinds.iter().zip(&measured).zip(angles.chunks(seeds as usize)) {
        let single: Vec<String> = angles.iter().map(|&angle| short(angle)).collect();
        table.row([kind.name(), short(measured.mean), short(measured.error), single.join(" ")]);
    }
    let setting = format!("{grains} grains, friction {friction}, {duration} s, mean and its error of {seeds} heaps");
    println!("{setting}, degrees\n{table}");
    for path in plots {
        let (target, format) = PlotFormat::for_path(&path)?;
        drawing::write(&figure(&corners, &measured, setting.clone()), &target, format)?;
    }
    let Some((discs, polygons)) = measured.split_last() else { unreachable!("discs are always among the kinds") };
    let angular: Vec<&Measured> =
        corners.iter().zip(polygons).filter(|(n, _)| **n <= 8).map(|(_, found)| found).collect();
    let are_steeper = angular.iter().all(|found| found.mean - found.error > discs.mean + discs.error);
    Ok(verdict(are_steeper && !angular.is_empty()))
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Polygon(usize),
    Disc,
}

impl Kind {
    /// Radius of the circle around a grain with the area of a disc of radius 1.
    fn reach(self) -> f64 {
        match self {
            Self::Polygon(corners) => (TAU / (corners as f64 * (TAU / corners as f64).sin())).sqrt(),
            Self::Disc => 1.0,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Polygon(corners) => format!("{corners} corners"),
            Self::Disc => "discs".to_owned(),
        }
    }
}

/// A mean of several heaps.
struct Measured {
    mean: f64,
    /// Standard error of the mean.
    error: f64,
}

impl Measured {
    fn new(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self { mean, error: (squares / (count * (count - 1.0).max(1.0))).sqrt() }
    }
}

/// Grains piled up on a table.
struct Heap {
    kind: Kind,
    grains: usize,
    friction: f64,
    duration: f64,
    seed: u64,
}

impl Heap {
    /// The slope of what stays, in degrees.
    fn slope(&self) -> Result<f64, Box<dyn Error>> {
        Ok(slope(&match self.kind {
            Kind::Polygon(corners) => self.polygons(corners)?,
            Kind::Disc => self.discs()?,
        }))
    }

    /// Where polygons end.
    fn polygons(&self, corners: usize) -> Result<Vec<[f64; 2]>, Box<dyn Error>> {
        let law = ContactLaw::area(MODULUS).damping_share(AREA_DAMPING).friction(self.friction);
        let mut setup = Setup::new()
            .material(Material::new(DENSITY, law))
            .wall(Wall::slab([-HALF_WIDTH, 0.0], [HALF_WIDTH, 0.0], 4.0 * RADIUS))
            .gravity(GRAVITY)
            .integrator(Integrator::Gear)
            .time_step(TimeStep::Fraction(1.0 / 40.0))
            .skin(Skin::Chosen)
            .shape(ConvexPolygon::regular(64, RADIUS)?);
        let mut bodies: Vec<Grain<2>> =
            self.stones().into_iter().map(|place| Grain::polygon(0, place).held()).collect();
        for (place, radius, angle) in self.start() {
            let number = setup.shapes().len() as u32;
            setup = setup.shape(ConvexPolygon::regular(corners, radius * self.kind.reach())?);
            bodies.push(Grain::polygon(number, place).angle(angle));
        }
        let mut simulation = setup.build(bodies)?;
        simulation.run((self.duration / simulation.time_step()) as u64)?;
        Ok(free_places(&simulation))
    }

    /// Where discs end. Two of them feel the stiffness that polygons have with a contact line of half their length, and lose as
    /// much in a collision.
    fn discs(&self) -> Result<Vec<[f64; 2]>, Box<dyn Error>> {
        let (damping, tangential_stiffness) = (AREA_DAMPING, AREA_STIFFNESS_RATIO);
        let restitution = (-PI * damping / (1.0 - damping * damping).sqrt()).exp();
        let friction =
            Friction { coefficient: self.friction, stiffness_ratio: tangential_stiffness, damping_ratio: 0.5 };
        let law = ContactLaw { friction: Some(friction), ..ContactLaw::linear(0.5 * MODULUS).restitution(restitution) };
        let stones = self.stones().into_iter().map(|place| Grain::at(place, RADIUS).held());
        let discs = self.start().into_iter().map(|(place, radius, _)| Grain::at(place, radius));
        let mut simulation = Setup::new()
            .material(Material::new(DENSITY, law))
            .wall(Wall::plate(vec![[-HALF_WIDTH, 0.0], [HALF_WIDTH, 0.0]]))
            .gravity(GRAVITY)
            .build(stones.chain(discs))?;
        simulation.run_until(self.duration)?;
        Ok(free_places(&simulation))
    }

    /// Places, radii of discs with their areas, and angles of all grains at the start: rows over all of the table.
    fn start(&self) -> Vec<([f64; 2], f64, f64)> {
        let spacing = 2.05 * RADIUS * self.kind.reach();
        let columns = (2.0 * HALF_WIDTH / spacing) as usize;
        let mut rng = Rng::new(self.seed);
        let grain = |k: usize| {
            let (column, row) = ((k % columns) as f64 + 0.5, (k / columns) as f64 + 0.5);
            let place = [(column - 0.5 * columns as f64) * spacing, RADIUS + row * spacing];
            let radius = RADIUS * (MIN_SHARE + (1.0 - MIN_SHARE) * rng.uniform());
            (place, radius, TAU * rng.uniform())
        };
        (0..self.grains).map(grain).collect()
    }

    /// Round stones that are let into the table hold the first layer.
    fn stones(&self) -> Vec<[f64; 2]> {
        let count = (HALF_WIDTH / (2.0 * RADIUS)) as usize;
        let first = -2.0 * RADIUS * (count as f64 - 1.0);
        (0..count).map(|k| [first + 4.0 * RADIUS * k as f64, -0.2 * RADIUS]).collect()
    }
}

/// Where all grains are that nothing holds.
fn free_places(simulation: &Simulation<2>) -> Vec<[f64; 2]> {
    let state = simulation.state();
    (0..state.len()).filter(|&k| !state.is_held(k)).map(|k| state.positions()[k]).collect()
}

/// The slope of a heap in degrees: that of the straight line through its highest grains, stretch by stretch of the table, over
/// their distance from the middle. The ends of the table and the tip of the heap are left out.
fn slope(places: &[[f64; 2]]) -> f64 {
    let stretch = 2.5 * RADIUS;
    let count = (2.0 * HALF_WIDTH / stretch) as usize;
    let mut highest = vec![[0.0; 2]; count];
    for &[x, y] in places.iter().filter(|[x, _]| x.abs() < HALF_WIDTH) {
        let top = &mut highest[(((x + HALF_WIDTH) / stretch) as usize).min(count - 1)];
        if y > top[1] {
            *top = [x.abs(), y];
        }
    }
    let is_on_slope = |[x, y]: &&[f64; 2]| *y > 0.0 && (0.1..0.9).contains(&(x / HALF_WIDTH));
    let points: Vec<&[f64; 2]> = highest.iter().filter(is_on_slope).collect();
    let mean = |of: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(|point| of(point)).sum::<f64>() / points.len() as f64;
    let [x, y] = [mean(&|point| point[0]), mean(&|point| point[1])];
    let falls = mean(&|point| (x - point[0]) * (point[1] - y)) / mean(&|point| (point[0] - x).powi(2));
    falls.atan().to_degrees()
}

/// Angles over corners, and that of discs across.
fn figure(corners: &[usize], measured: &[Measured], setting: String) -> Figure {
    let last = corners.iter().copied().max().unwrap_or(3) as f64;
    let steepest = measured.iter().map(|found| found.mean + found.error).fold(0.0, f64::max);
    let axes = (Axis::log("corners per grain"), Axis::linear("angle of repose, degrees").at_least(0.0, steepest));
    let mut panel = Panel::new("", axes.0, axes.1);
    if let Some(discs) = measured.last() {
        let across = |angle: f64| vec![(3.0, angle), (last, angle)];
        panel = panel.series("discs, with their error", 1, Look::Dashed, across(discs.mean));
        for edge in [discs.mean - discs.error, discs.mean + discs.error] {
            panel = panel.series("", 5, Look::Line, across(edge));
        }
    }
    let points: Vec<(f64, &Measured)> = corners.iter().map(|&count| count as f64).zip(measured).collect();
    for (count, found) in &points {
        let bar = vec![(*count, found.mean - found.error), (*count, found.mean + found.error)];
        panel = panel.series("", 3, Look::Line, bar);
    }
    let means = points.iter().map(|(count, found)| (*count, found.mean)).collect();
    panel = panel.series("polygons, with their errors", 0, Look::Curve, means);
    Figure::new("Angle of repose: grains with corners make steeper heaps than discs", setting).panel(panel)
}
