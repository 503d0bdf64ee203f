//! The same pairs from every method, number of levels, direction and number of threads, at sizes no test can afford.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example agree
//! cargo run --release -p multigrain-lab --example agree -- --count 1e7 --methods hgrid
//! ```
//!
//! The reference is `hgrid` as it comes, on one thread. Sets of pairs are compared by fingerprint; lists found by different
//! numbers of threads also by order. Exit code 1 on a difference. What would test too many candidates is left out, and the
//! output says so.

use multigrain::{Direction, LevelChoice, Pairs, Settings};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_lab::scene::{Scene, chosen_sets, scene};
use multigrain_lab::timing::Found;
use multigrain_methods::Method;
use multigrain_packings::DataSet;
use rayon::ThreadPool;
use std::f64::consts::PI;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::ExitCode;

const USAGE: &str = "\
The same pairs from every method, number of levels, direction and number of threads

    --count N        particles per system (1e6)
    --sets A,B       data sets (all)
    --methods A,B    of hgrid, hgrid-cells, linked-cell (all)
    --threads A,B    numbers of threads (1,2)
    --levels A,B     numbers of levels of hgrid (1,2,3,4,5)
    --most-tests X   leave out what would test more candidates with a single level (1e12)";

/// The others have so many sizes that the linked cell tests one candidate at a time for hours.
const SETS_OF_THE_LINKED_CELL: [&str; 3] = ["mono", "us50", "bi10"];

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let count = arguments.take("count").unwrap_or(Count(1_000_000)).0;
    let sets = chosen_sets(&mut arguments);
    let all = || ["hgrid", "hgrid-cells", "linked-cell"].map(str::to_owned).to_vec();
    let names: Vec<String> = arguments.take_list("methods").unwrap_or_else(all);
    let methods = names.iter().map(|name| engine::method(name)).collect::<Result<Vec<_>, _>>();
    let methods = methods.unwrap_or_else(|error| arguments.refuse(error));
    let threads: Vec<usize> = arguments.take_list("threads").unwrap_or_else(|| vec![1, 2]);
    let levels: Vec<usize> = arguments.take_list("levels").unwrap_or_else(|| (1..=5).collect());
    let most_tests: f64 = arguments.take("most-tests").unwrap_or(1e12);
    arguments.finish();

    let reference = engine::method("hgrid")?;
    let pools = threads.iter().map(|&threads| engine::pool(threads)).collect::<Result<Vec<_>, _>>()?;
    let one_thread = engine::pool(1)?;
    let mut differences = 0;
    for set in sets {
        let scene = scene(set, count);
        let expected = detect(&scene, reference, &Settings::default(), &one_thread)?;
        println!(
            "{}: {count} particles, {} pairs, fingerprint {:016x}",
            set.name, expected.found.pairs, expected.found.fingerprint
        );
        for setting in methods.iter().flat_map(|&method| settings(method, &levels)) {
            if is_too_slow(&setting, set, &scene, most_tests) {
                println!("    {}: left out, tests too many candidates", setting.name());
                continue;
            }
            let mut order = None;
            for pool in &pools {
                let detected = detect(&scene, setting.method, &setting.settings, pool)?;
                let same_set = detected.found == expected.found;
                let same_order = *order.get_or_insert(detected.order) == detected.order;
                let verdict = match (same_set, same_order) {
                    (true, true) => "same",
                    (true, false) => "ORDER DIFFERS from that of the first number of threads",
                    (false, _) => "DIFFERS",
                };
                differences += usize::from(!(same_set && same_order));
                let (threads, levels) = (pool.current_num_threads(), detected.levels);
                println!("    {}, threads {threads}: {verdict} ({levels} levels in use)", setting.name());
                if !same_set {
                    println!("        {:?} instead of {:?}", detected.found, expected.found);
                }
            }
        }
    }
    println!("{differences} differences");
    Ok(verdict(differences == 0))
}

/// A method with its parameters.
struct Setting {
    method: Method,
    settings: Settings,
}

impl Setting {
    fn name(&self) -> String {
        let mut name = self.method.name().to_owned();
        if let LevelChoice::Count(levels) = self.settings.levels {
            name += &format!(", levels {levels}");
        }
        if let Some(direction) = self.settings.direction {
            name += &format!(", {}", direction.name());
        }
        name
    }
}

/// All parameters to try a method with: levels and directions of `hgrid`, directions of `hgrid-cells`.
fn settings(method: Method, levels: &[usize]) -> Vec<Setting> {
    let choices = match method.name() {
        "hgrid" => levels.iter().map(|&levels| LevelChoice::Count(levels)).collect(),
        _ => vec![LevelChoice::Tuned],
    };
    let directions = match method.name() {
        "hgrid" | "hgrid-cells" => Direction::ALL.map(Some).to_vec(),
        _ => vec![None],
    };
    let setting = |levels: &LevelChoice, direction| Setting {
        method,
        settings: Settings::default().with_levels(levels.clone()).with_direction(direction),
    };
    choices.iter().flat_map(|levels| directions.iter().map(move |&direction| setting(levels, direction))).collect()
}

/// Whether a single level for all sizes would take too long.
fn is_too_slow(setting: &Setting, set: &DataSet, scene: &Scene, most_tests: f64) -> bool {
    match (&setting.settings.levels, setting.method) {
        (_, Method::LinkedCell) => !SETS_OF_THE_LINKED_CELL.contains(&set.name),
        (LevelChoice::Count(1), _) => tests_with_one_level(set, scene) > most_tests,
        _ => false,
    }
}

/// How many candidates half a stencil of cells of the largest diameter holds, summed over all bodies.
fn tests_with_one_level(set: &DataSet, scene: &Scene) -> f64 {
    let cube = |x: f64| x * x * x;
    let volume_of_bodies: f64 = scene.radii.iter().map(|&radius| 4.0 / 3.0 * PI * cube(radius)).sum();
    let largest = scene.radii.iter().copied().fold(0.0, f64::max);
    let bodies = scene.radii.len() as f64;
    let density = bodies * set.packing_fraction / volume_of_bodies;
    bodies * (13.5 * cube(2.0 * largest) * density).min(bodies / 2.0)
}

/// What a detection found, in which order and with how many levels.
struct Detected {
    found: Found,
    order: u64,
    levels: usize,
}

fn detect(
    scene: &Scene,
    method: Method,
    settings: &Settings,
    pool: &ThreadPool,
) -> Result<Detected, multigrain::Error> {
    pool.install(|| {
        let now = scene.snapshot()?;
        let mut pairs = Pairs::new();
        let mut detector = method.build_with(now, settings)?;
        detector.find_pairs(now, &mut pairs);
        let mut order = DefaultHasher::new();
        pairs.as_slice().hash(&mut order);
        let levels = detector.layout().cell_sizes.len();
        Ok(Detected { found: Found::in_pairs(&pairs), order: order.finish(), levels })
    })
}
