//! A system in motion: every particle moves by a hundredth of its radius per step, and every step needs its pairs.
//!
//! ```text
//! cargo bench -p multigrain-peers --bench moving
//! cargo bench -p multigrain-peers --bench moving -- --count 1e5 --sets mono --rounds 20
//! ```
//!
//! Contenders, in turns, on the same positions:
//! - a first detection: fresh detector, fresh list;
//! - a step: the detector and the list of the step before;
//! - a step where the arrays are kept in the detector's order, as a simulation keeps them (see `order.rs`);
//! - parry3d: leaves updated, tree refitted and optimised a little, then traversed.
//!
//! Moving the particles and copying them into the kept order is not timed.

mod order;
mod parry;

use multigrain::Rng;
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run};
use multigrain_lab::scene::{Scene, chosen_sets_or, scene};
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::{Contender, Found, Rounds, Turn, all_agree, alternate};
use multigrain_methods::Method;
use rayon::ThreadPool;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
A system in motion: nanoseconds per particle and step

    --count N        particles per system (1e6)
    --sets A,B       data sets (mono,uv100)
    --rounds N       steps (5)
    --threads N      threads of the engine (1); parry3d uses one
    --method NAME    the engine's method (hgrid)";

/// How far a particle moves per step, in units of its radius.
const STRIDE: f64 = 0.01;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_bench(USAGE);
    let count = arguments.take("count").unwrap_or(Count(arguments.by_size(1_000_000, 2_000))).0;
    let rounds = arguments.take("rounds").unwrap_or(arguments.by_size(5, 2));
    let threads = arguments.take("threads").unwrap_or(1);
    let method = engine::chosen_method(&mut arguments);
    let sets = chosen_sets_or(&mut arguments, &["mono", "uv100"]);
    arguments.finish();

    let pool = engine::pool(threads)?;
    let mut table =
        Table::new(["set", "first", "step", "step in order", "parry", "step/first", "in order/step", "parry/step"]);
    for set in sets {
        eprintln!("{}: {count} particles", set.name);
        let mut motion = Motion::new(scene(set, count), method, &pool);
        let mut contenders = [
            first_detection(method, &pool),
            step(method, &pool),
            step_in_order(method, &pool),
            parry::refitted_tree(&motion.given),
        ];
        let rounds = Rounds { count: rounds, patience: Duration::MAX };
        let timings = alternate(&mut motion, rounds, &mut contenders, |_, motion| motion.advance());
        all_agree(&timings).map_err(|disagreement| format!("{}: {disagreement}", set.name))?;
        let [first, step, in_order, parry] = [0, 1, 2, 3].map(|k: usize| timings[k].ns_per(count));
        let values = [first, step, in_order, parry, step / first, in_order / step, parry / step];
        table.row(std::iter::once(set.name.to_owned()).chain(values.map(short)));
    }
    println!("\n{}, threads: {threads}, nanoseconds per particle, median of {rounds} steps", method.name());
    println!("{table}");
    Ok(ExitCode::SUCCESS)
}

/// Particles on their way, once in the order given and once in the detector's.
struct Motion {
    given: Scene,
    /// The same particles, those of `given` in the order of `order`.
    ordered: Scene,
    order: Vec<u32>,
    rng: Rng,
}

impl Motion {
    /// Particles at rest, and the order in which a detector of `method` stores them.
    fn new(given: Scene, method: Method, pool: &ThreadPool) -> Self {
        let mut detector = engine::Warm::new(method, pool);
        detector.detect(&given);
        let order = order::storage_order(&given, &detector.layout());
        let radii = order.iter().map(|&k| given.radii[k as usize]).collect();
        let ordered = Scene { radii, ..given.clone() };
        Self { given, ordered, order, rng: Rng::new(2) }
    }

    /// Moves every particle in a random direction.
    fn advance(&mut self) {
        for (center, radius) in self.given.centers.iter_mut().zip(&self.given.radii) {
            let direction = [(); 3].map(|()| self.rng.normal());
            let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
            for axis in 0..3 {
                center[axis] += STRIDE * radius * direction[axis] / length;
            }
        }
        for (center, &k) in self.ordered.centers.iter_mut().zip(&self.order) {
            *center = self.given.centers[k as usize];
        }
    }
}

fn first_detection<'a>(method: Method, pool: &'a ThreadPool) -> Contender<'a, Motion> {
    let mut cold = engine::cold("", method, pool);
    Contender::new("first", move |motion: &Motion| cold.take_turn(&motion.given))
}

fn step<'a>(method: Method, pool: &'a ThreadPool) -> Contender<'a, Motion> {
    let mut warm = engine::warm("", method, pool);
    Contender::new("step", move |motion: &Motion| warm.take_turn(&motion.given))
}

fn step_in_order<'a>(method: Method, pool: &'a ThreadPool) -> Contender<'a, Motion> {
    let mut warm = engine::Warm::new(method, pool);
    Contender::new("step in order", move |motion: &Motion| {
        let elapsed = warm.detect(&motion.ordered);
        let as_given = |&pair: &[u32; 2]| pair.map(|k| motion.order[k as usize]);
        let list: Vec<_> = warm.pairs().as_slice().iter().map(as_given).collect();
        Turn { elapsed, found: Found::in_list(&list) }
    })
}
