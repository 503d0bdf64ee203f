//! The classic detectors against the linked cell: first and later steps among bodies of one size, and time against density.
//!
//! ```text
//! cargo bench -p multigrain-lab --bench classics
//! cargo bench -p multigrain-lab --bench classics -- --count 1e5 --methods nbs,mr-s --rounds 9
//! ```
//!
//! Two tables, each from one run in which all take turns on the same positions. The first: `--count` bodies of the data set
//! `mono`, in random order, each moving by a hundredth of its radius per step; a first detection with a fresh detector, and
//! a step of one that has followed the motion. The second: `--sparse-count` bodies on a lattice (packing D of the mr paper)
//! at spacings from 1 to 200 diameters, which are densities from 1 to 1/8,000,000, moving alike.

use multigrain::Rng;
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::engine::{self, Warm};
use multigrain_lab::program::{Outcome, run};
use multigrain_lab::scene::{Scene, scene};
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::{Contender, Found, Rounds, Timing, Turn, all_agree, alternate};
use multigrain_methods::Method;
use multigrain_packings::{DataSet, lattice};
use rayon::ThreadPool;
use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
The classic detectors against the linked cell

    --count N          particles of mono (1e6)
    --sparse-count N   particles on lattices (125000)
    --methods A,B      methods (linked-cell,nbs,mr-s,mr,mmr,bbts); the first is the measure of the others
    --spacings A,B     of the lattices, in diameters (1,2,10,50,200); the first is the measure of the others
    --rounds N         steps (5)
    --threads N        threads (1)";

/// How far a particle moves per step, in units of its radius.
const STRIDE: f64 = 0.01;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_bench(USAGE);
    let count = arguments.take("count").unwrap_or(Count(arguments.by_size(1_000_000, 2_000))).0;
    let sparse_count = arguments.take("sparse-count").unwrap_or(Count(arguments.by_size(125_000, 1_000))).0;
    let rounds = arguments.take("rounds").unwrap_or(arguments.by_size(5, 2));
    let threads = arguments.take("threads").unwrap_or(1);
    let by_default = || ["linked-cell", "nbs", "mr-s", "mr", "mmr", "bbts"].map(str::to_owned).to_vec();
    let names: Vec<String> = arguments.take_list("methods").unwrap_or_else(by_default);
    let methods = names.iter().map(|name| engine::method(name)).collect::<Result<Vec<_>, _>>();
    let methods = methods.unwrap_or_else(|error| arguments.refuse(error));
    let spacings: Vec<f64> = arguments.take_list("spacings").unwrap_or_else(|| vec![1.0, 2.0, 10.0, 50.0, 200.0]);
    arguments.finish();
    let pool = engine::pool(threads)?;
    let rounds = Rounds { count: rounds, patience: Duration::MAX };

    let mono = DataSet::from_name("mono").ok_or("there is no data set called mono")?;
    eprintln!("mono: {count} particles");
    println!(
        "\nmono, {count} particles, threads: {threads}, nanoseconds per particle, median of {} steps",
        rounds.count
    );
    println!("{}", against_the_first(scene(mono, count), &methods, rounds, &pool)?);

    println!("packing D, {sparse_count} particles, threads: {threads}, nanoseconds per particle and step; in brackets");
    println!("the ratio to the first spacing");
    println!("{}", against_density(sparse_count, &spacings, &methods, rounds, &pool)?);
    Ok(ExitCode::SUCCESS)
}

/// First and later steps of every method, and how they compare with those of the first.
fn against_the_first(
    scene: Scene,
    methods: &[Method],
    rounds: Rounds,
    pool: &ThreadPool,
) -> Result<Table, Box<dyn Error>> {
    let count = scene.radii.len();
    let bytes: Vec<Option<usize>> = methods
        .iter()
        .map(|&method| {
            let mut warm = Warm::new(method, pool);
            warm.detect(&scene);
            warm.index_bytes()
        })
        .collect();
    let first = |&method: &Method| {
        let mut cold = engine::cold("", method, pool);
        Contender::new(format!("first of {}", method.name()), move |motion: &Motion| cold.take_turn(&motion.0))
    };
    let mut contenders: Vec<_> = methods.iter().map(first).chain(methods.iter().map(|&m| later(m, pool))).collect();
    let timings = run_motion(scene, rounds, &mut contenders)?;
    let (firsts, laters) = timings.split_at(methods.len());
    let mut table = Table::new(["method", "first", "step", "first / that of the first", "step / same", "index bytes"]);
    for (k, method) in methods.iter().enumerate() {
        let [first, later] = [firsts, laters].map(|timings| timings[k].ns_per(count));
        let [measure, later_measure] = [firsts, laters].map(|timings| timings[0].ns_per(count));
        let values = [first, later, first / measure, later / later_measure].map(short);
        let bytes = bytes[k].map_or("-".to_owned(), |bytes| short(bytes as f64 / count as f64));
        table.row([method.name().to_owned()].into_iter().chain(values).chain([bytes]));
    }
    Ok(table)
}

/// Time of a step of every method at every spacing.
fn against_density(
    count: usize,
    spacings: &[f64],
    methods: &[Method],
    rounds: Rounds,
    pool: &ThreadPool,
) -> Result<Table, Box<dyn Error>> {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); methods.len()];
    for &spacing in spacings {
        eprintln!("spacing {spacing}: {count} particles");
        let scene = lattice(vec![1.0; count], [spacing; 3], [false; 3], 1)?;
        let mut contenders: Vec<_> = methods.iter().map(|&method| later(method, pool)).collect();
        let timings = run_motion(scene, rounds, &mut contenders)?;
        times.iter_mut().zip(timings).for_each(|(times, timing)| times.push(timing.ns_per(count)));
    }
    let head = ["method".to_owned()].into_iter().chain(spacings.iter().map(|spacing| format!("spacing {spacing}")));
    let mut table = Table::new(head.collect::<Vec<_>>());
    for (method, times) in methods.iter().zip(times) {
        let cell = |&time: &f64| format!("{} ({})", short(time), short(time / times[0]));
        table.row([method.name().to_owned()].into_iter().chain(times.iter().map(cell)));
    }
    Ok(table)
}

fn run_motion(
    scene: Scene,
    rounds: Rounds,
    contenders: &mut [Contender<'_, Motion>],
) -> Result<Vec<Timing>, Box<dyn Error>> {
    let mut motion = Motion(scene, Rng::new(2));
    let timings = alternate(&mut motion, rounds, contenders, |_, motion| motion.advance());
    all_agree(&timings)?;
    Ok(timings)
}

fn later<'a>(method: Method, pool: &'a ThreadPool) -> Contender<'a, Motion> {
    let mut warm = Warm::new(method, pool);
    Contender::new(method.name(), move |motion: &Motion| {
        let elapsed = warm.detect(&motion.0);
        Turn { elapsed, found: Found::in_pairs(warm.pairs()) }
    })
}

/// Particles on their way.
struct Motion(Scene, Rng);

impl Motion {
    /// Moves every particle in a random direction.
    fn advance(&mut self) {
        let Self(scene, rng) = self;
        for (center, radius) in scene.centers.iter_mut().zip(&scene.radii) {
            let direction = [(); 3].map(|()| rng.normal());
            let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
            for axis in 0..3 {
                center[axis] += STRIDE * radius * direction[axis] / length;
            }
        }
    }
}
