//! `polygon-scaling`: sort-and-update against the number of bodies, while they settle and at rest.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::Result;
use crate::experiment::{Context, Cost, Experiment, Paper, Point};
use crate::fit::{log_slope, median};
use crate::polygon_beds::settling;
use crate::processor_time::ProcessorTime;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::Pairs;
use multigrain::Rng;
use multigrain_dem::{Simulation, TimeStep};
use multigrain_papers::Boxes;
use multigrain_papers::SortAndUpdate;
use multigrain_polygons::{ConvexPolygon, Extremes};

pub const EXPERIMENT: Experiment = Experiment {
    name: "polygon-scaling",
    paper: Paper::Polygons,
    figure: "section 3.3",
    about: "Polygons of sizes 1:30 with 4 to 40 corners, set in motion at random, collide, fall and settle in a box. \
            Sort-and-update follows the bounding boxes of every step: its time, and how often ends of boxes change places, per \
            body, while they move; and at rest, where the same boxes are given again. One thread; numbers and speeds are our \
            choice.",
    cost: Cost { quick: "20 s", full: "5 min" },
    parameters: &["n"],
    points,
    draw,
    judge,
};

const FALLING: &str = "settling";
const AT_REST: &str = "at rest";

/// How far bodies fly in a step along each axis at the start, over the radius of the smallest, root mean square. They meet
/// their neighbours long before the clock starts, however many there are; falling alone would take them there together.
const STIRRED: f64 = 1.0 / 800.0;

fn points(size: &Choices) -> Vec<Point> {
    let counts: &[usize] =
        size.pick(&[60, 200], &[500, 1000, 2000, 4000], &[1000, 2000, 4000, 8000, 16_000, 32_000, 64_000]);
    let (before, steps) = size.pick((50, 20), (3000, 100), (4000, 300));
    let point = |count: usize| {
        let seconds = 4e-7 * (count * (before + steps)) as f64;
        Point::new(format!("n={count},stirred,before={before},steps={steps}"), seconds + 0.05, move |context| {
            measure(context, count, before as u64, steps)
        })
        .seeded(1)
    };
    size.list("n", counts).into_iter().map(point).collect()
}

fn measure(context: &Context<'_>, count: usize, before: u64, steps: usize) -> Result<Vec<Row>> {
    let (setup, mut grains) = settling(count, context.seed)?;
    // Twice the usual time step, which is still short: more is to happen in as many steps.
    let time_step = 2.0 * setup.clone().build(grains.iter().copied())?.time_step();
    let mut rng = Rng::new(context.seed);
    let smallest = setup.shapes().iter().map(ConvexPolygon::radius).fold(f64::INFINITY, f64::min);
    let speed = STIRRED * smallest / time_step;
    for grain in &mut grains {
        grain.velocity = [(); 2].map(|()| speed * rng.normal());
    }
    let mut simulation = setup.time_step(TimeStep::Given(time_step)).build(grains)?;
    context.watch.note("colliding");
    simulation.run(before)?;
    context.on_one_thread(move || {
        let mut follower = Follower::new(&simulation);
        follower.follow(&simulation)?;
        let mut falling = Vec::new();
        for _ in 0..steps {
            simulation.step()?;
            falling.push(follower.follow(&simulation)?);
        }
        // Nothing moves any more: the same boxes again.
        let resting = (0..steps.min(50)).map(|_| follower.search()).collect::<Result<Vec<_>>>()?;
        let bodies = simulation.state().len() as f64;
        let row = |state: &str, times: &[(f64, u64)]| {
            let exchanges: u64 = times.iter().map(|time| time.1).sum();
            Row::new()
                .with("state", state)
                .with("particles", count)
                .with("steps", times.len())
                .with("seconds", median(&times.iter().map(|time| time.0).collect::<Vec<_>>()))
                .with("exchanges_per_body", exchanges as f64 / times.len() as f64 / bodies)
                .with("box_pairs", follower.pairs.len())
                .with("contacts", simulation.contact_count())
        };
        Ok(vec![row(FALLING, &falling), row(AT_REST, &resting)])
    })?
}

/// Sort-and-update on the bounding boxes of a simulation.
struct Follower {
    detector: SortAndUpdate<2>,
    extremes: Vec<Extremes>,
    lo: Vec<[f64; 2]>,
    hi: Vec<[f64; 2]>,
    pairs: Pairs<2>,
}

impl Follower {
    fn new(simulation: &Simulation<2>) -> Self {
        let count = simulation.state().len();
        let corners = vec![[0.0; 2]; count];
        Self {
            detector: SortAndUpdate::new(),
            extremes: vec![Extremes::default(); count],
            lo: corners.clone(),
            hi: corners,
            pairs: Pairs::new(),
        }
    }

    /// Seconds and exchanges of a search on the boxes of now. To make the boxes is not part of it.
    fn follow(&mut self, simulation: &Simulation<2>) -> Result<(f64, u64)> {
        // By ids: the state changes its order now and then.
        for (place, &id) in simulation.state().ids().iter().enumerate() {
            if let Some(polygon) = simulation.polygon(place) {
                let k = id as usize;
                [self.lo[k], self.hi[k]] = polygon.bounding_box(&mut self.extremes[k]);
            }
        }
        self.search()
    }

    fn search(&mut self) -> Result<(f64, u64)> {
        let boxes = Boxes::new(&self.lo, &self.hi)?;
        let start = ProcessorTime::now();
        self.detector.find_box_pairs(boxes, &mut self.pairs);
        Ok((start.elapsed().as_secs_f64(), self.detector.exchanges()))
    }
}

fn draw(table: &Table) -> Figure {
    let x = || Axis::log("number of bodies N");
    let mut time = Panel::new("time of a search", x(), Axis::log("time (ms)"));
    let mut each = Panel::new("the same, per body", x(), Axis::linear("time per body (ns)").at_least(0.0, 0.0));
    let mut exchanges =
        Panel::new("ends that change places", x(), Axis::linear("exchanges per body and step").at_least(0.0, 0.0));
    for (k, state) in [FALLING, AT_REST].into_iter().enumerate() {
        let rows = table.only("state", state);
        let scaled = |unit: fn(f64, f64) -> f64| {
            rows.curve("particles", "seconds").into_iter().map(|(count, time)| (count, unit(count, time))).collect()
        };
        time = time.series(state, k, Look::Curve, scaled(|_, time| 1e3 * time));
        each = each.series(state, k, Look::Curve, scaled(|count, time| 1e9 * time / count));
        exchanges = exchanges.series(state, k, Look::Curve, rows.curve("particles", "exchanges_per_body"));
    }
    Figure::new(
        "Sort-and-update against the number of bodies",
        "polygons of sizes 1:30 that collide and settle in a box, median over steps, one thread",
    )
    .panel(time)
    .panel(each)
    .panel(exchanges)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let slope = |state: &str| log_slope(&table.only("state", state).curve("particles", "seconds"));
    let (falling, resting) = (slope(FALLING), slope(AT_REST));
    let exchanges = |state: &str| table.only("state", state).curve("particles", "exchanges_per_body");
    let moved = exchanges(FALLING);
    let most_at_rest = exchanges(AT_REST).iter().map(|point| point.1).fold(f64::NAN, f64::max);
    let (first, last) =
        (moved.first().map_or(f64::NAN, |point| point.1), moved.last().map_or(f64::NAN, |point| point.1));
    let growth = log_slope(&moved);
    vec![
        Verdict::new(
            "settling: time is linear in the number of bodies",
            format!("N^{falling:.2}; {first:.1e} exchanges per body and step for the fewest, {last:.1e} for the most"),
            (falling - 1.0).abs() < 0.05 && first > 0.0,
        )
        .paper("O(N)")
        .same_trend_if((falling - 1.0).abs() < 0.25)
        .because(format!("exchanges per body, counted, grow as N^{growth:.2}")),
        Verdict::new(
            "exchanges per body do not grow with the number of bodies",
            format!("they grow as N^{growth:.2}"),
            growth < 0.05,
        )
        .paper("O(N~), the number of particles that have changed position")
        .because(
            "counted here: a body that moves passes the ends that lie side by side along an axis, whose number grows as N^(1/2) in the \
             plane",
        ),
        Verdict::new(
            "at rest: time is linear in the number of bodies",
            format!("N^{resting:.2}"),
            (resting - 1.0).abs() < 0.05,
        )
        .paper("O(N)")
        .same_trend_if((resting - 1.0).abs() < 0.25),
        Verdict::new(
            "work goes to zero as motion stops",
            format!("{most_at_rest} exchanges per body at rest"),
            most_at_rest == 0.0,
        )
        .paper("no exchanges at rest"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanges_at_rest_and_steep_time_fail() {
        let row = |state: &str, count: f64, time: f64, exchanges: f64| {
            Row::new()
                .with("state", state)
                .with("particles", count)
                .with("seconds", time)
                .with("exchanges_per_body", exchanges)
        };
        let table = Table(vec![
            row(FALLING, 10.0, 1.0, 0.1),
            row(FALLING, 100.0, 20.0, 0.3),
            row(AT_REST, 10.0, 1.0, 0.0),
            row(AT_REST, 100.0, 10.0, 0.01),
        ]);
        let outcomes: Vec<bool> = judge(&table).iter().map(Verdict::is_as_printed).collect();
        assert_eq!(outcomes, [false, false, true, false]);
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }
}
