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

use multigrain::scenes::DataSet;
use multigrain::{Direction, LevelChoice, Method, Pairs, Settings};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::engine;
use multigrain_lab::scene::{Scene, chosen_sets, scene};
use multigrain_lab::timing::Found;
use rayon::ThreadPool;
use std::error::Error;
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

fn main() -> Result<ExitCode, Box<dyn Error>> {
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
            if tests_with_one_level(set, &scene, &setting) > most_tests {
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
    Ok(if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
    let setting =
        |levels: &LevelChoice, direction| Setting { method, settings: Settings { levels: levels.clone(), direction } };
    choices.iter().flat_map(|levels| directions.iter().map(move |&direction| setting(levels, direction))).collect()
}

/// How many candidates half a stencil of cells of the largest diameter holds, summed over all bodies. Zero for methods that
/// have more levels.
fn tests_with_one_level(set: &DataSet, scene: &Scene, setting: &Setting) -> f64 {
    let one_level = setting.settings.levels == LevelChoice::Count(1) || setting.method == Method::LinkedCell;
    if !one_level {
        return 0.0;
    }
    let cube = |x: f64| x * x * x;
    let volume =
        scene.radii.iter().map(|&r| 4.0 / 3.0 * std::f64::consts::PI * cube(r)).sum::<f64>() / set.packing_fraction;
    let largest = scene.radii.iter().copied().fold(0.0, f64::max);
    let bodies = scene.radii.len() as f64;
    bodies * (13.5 * cube(2.0 * largest) * bodies / volume).min(bodies / 2.0)
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
