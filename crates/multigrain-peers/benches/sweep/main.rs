//! Sort-and-update in motion and at rest: what a step costs against a start from scratch and against parry3d's refit.
//!
//! ```text
//! cargo bench -p multigrain-peers --bench sweep
//! cargo bench -p multigrain-peers --bench sweep -- --count 1e6 --sets mono --stride 0.001 --threads 2
//! ```
//!
//! Every particle moves by a hundredth of its radius per step. Contenders, in turns, on the same positions:
//! - start: a fresh detector, which sorts and sweeps;
//! - step: the detector of the step before, which exchanges ends;
//! - at rest: the same positions once more;
//! - parry3d: leaves updated, tree refitted and optimised a little, then traversed.
//!
//! Moving the particles is not timed.

#[path = "../moving/parry.rs"]
mod parry;

use multigrain::Rng;
use multigrain::{Detector, Pairs};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run};
use multigrain_lab::scene::{Scene, chosen_sets_or, scene};
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::{Contender, Found, Rounds, Turn, all_agree, alternate, median, timed};
use multigrain_papers::SortAndUpdate;
use rayon::ThreadPool;
use std::cell::RefCell;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
Sort-and-update in motion and at rest: nanoseconds per particle and step

    --count N        particles per system (1e5)
    --sets A,B       data sets (uv100,mono)
    --rounds N       steps (11)
    --stride X       how far a particle moves per step, in units of its radius (0.01)
    --threads N      threads of the engine (1); parry3d uses one";

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_bench(USAGE);
    let count = arguments.take("count").unwrap_or(Count(arguments.by_size(100_000, 2_000))).0;
    let rounds = arguments.take("rounds").unwrap_or(arguments.by_size(11, 2));
    let stride = arguments.take("stride").unwrap_or(0.01);
    let threads = arguments.take("threads").unwrap_or(1);
    let sets = chosen_sets_or(&mut arguments, &["uv100", "mono"]);
    arguments.finish();

    let pool = engine::pool(threads)?;
    let heads = ["set", "start", "step", "at rest", "parry", "start/step", "start/rest", "step/parry"];
    let mut times = Table::new(heads);
    let mut counts = Table::new(["set", "exchanges/particle", "box pairs/particle", "contacts/particle"]);
    for set in sets {
        eprintln!("{}: {count} particles", set.name);
        let mut motion = Motion { given: scene(set, count), rng: Rng::new(2), stride };
        let steps = RefCell::new(Vec::new());
        let mut contenders = [start(&pool), step(&pool, &steps), at_rest(&pool), parry::refitted_tree(&motion.given)];
        let rounds = Rounds { count: rounds, patience: Duration::MAX };
        let timings = alternate(&mut motion, rounds, &mut contenders, |_, motion| motion.advance());
        all_agree(&timings).map_err(|disagreement| format!("{}: {disagreement}", set.name))?;
        let [start, step, rest, parry] = [0, 1, 2, 3].map(|k: usize| timings[k].ns_per(count));
        let values = [start, step, rest, parry, start / step, start / rest, step / parry];
        times.row(std::iter::once(set.name.to_owned()).chain(values.map(short)));
        drop(contenders);
        let middle = |of: fn(&Counted) -> usize| {
            let values: Vec<f64> = steps.borrow()[1..].iter().map(|step| of(step) as f64).collect();
            short(median(&values) / count as f64)
        };
        let values = [middle(|step| step.exchanges), middle(|step| step.box_pairs), middle(|step| step.contacts)];
        counts.row(std::iter::once(set.name.to_owned()).chain(values));
    }
    println!(
        "\nsort-and-update, threads: {threads}, stride {stride}, nanoseconds per particle, medians of {rounds} steps"
    );
    println!("{times}\nper step\n{counts}");
    Ok(ExitCode::SUCCESS)
}

/// Particles on their way.
struct Motion {
    given: Scene,
    rng: Rng,
    stride: f64,
}

impl Motion {
    /// Moves every particle in a random direction.
    fn advance(&mut self) {
        for (center, radius) in self.given.centers.iter_mut().zip(&self.given.radii) {
            let direction = [(); 3].map(|()| self.rng.normal());
            let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
            for axis in 0..3 {
                center[axis] += self.stride * radius * direction[axis] / length;
            }
        }
    }
}

/// What a step did.
struct Counted {
    exchanges: usize,
    box_pairs: usize,
    contacts: usize,
}

fn detect(detector: &mut SortAndUpdate<3>, scene: &Scene, pairs: &mut Pairs<3>) {
    detector.find_pairs(scene.snapshot().expect("the lab's systems are valid"), pairs);
}

fn start<'a>(pool: &'a ThreadPool) -> Contender<'a, Motion> {
    Contender::new("start", move |motion: &Motion| {
        let job = || {
            let mut pairs = Pairs::new();
            detect(&mut SortAndUpdate::new(), &motion.given, &mut pairs);
            pairs
        };
        let (elapsed, pairs) = pool.install(|| timed(job));
        Turn { elapsed, found: Found::in_pairs(&pairs) }
    })
}

fn step<'a>(pool: &'a ThreadPool, steps: &'a RefCell<Vec<Counted>>) -> Contender<'a, Motion> {
    let (mut detector, mut pairs) = (SortAndUpdate::new(), Pairs::new());
    Contender::new("step", move |motion: &Motion| {
        let (elapsed, ()) = pool.install(|| timed(|| detect(&mut detector, &motion.given, &mut pairs)));
        let counted = Counted {
            exchanges: detector.exchanges() as usize,
            box_pairs: detector.box_pairs(),
            contacts: pairs.len(),
        };
        steps.borrow_mut().push(counted);
        Turn { elapsed, found: Found::in_pairs(&pairs) }
    })
}

fn at_rest<'a>(pool: &'a ThreadPool) -> Contender<'a, Motion> {
    let (mut detector, mut pairs) = (SortAndUpdate::new(), Pairs::new());
    Contender::new("at rest", move |motion: &Motion| {
        detect(&mut detector, &motion.given, &mut pairs);
        let (elapsed, ()) = pool.install(|| timed(|| detect(&mut detector, &motion.given, &mut pairs)));
        Turn { elapsed, found: Found::in_pairs(&pairs) }
    })
}
