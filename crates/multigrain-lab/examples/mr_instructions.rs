//! Instructions per body of MR and of the variants its paper compares, against the number of bodies, counted by valgrind.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example mr_instructions
//! cargo run --release -p multigrain-lab --example mr_instructions -- --sides 20,40,80,171 --variants mr
//! ```
//!
//! Bodies on a lattice at a distance of one diameter (packing A), `--sides` of them along each edge of a cube, each moving by
//! up to half its diameter along each axis between two detections. The program runs itself under valgrind
//! three times per system: to the end of a first detection and the move, to the end of sorting in a second one, and to
//! the end of that. The differences are the instructions of a later step on one thread. 171 along an edge are the
//! paper's 5,000,211 bodies, which take about ten minutes for each variant.

use multigrain::Rng;
use multigrain::{Detector, Pairs};
use multigrain_lab::arguments::Arguments;
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run};
use multigrain_lab::scene::Scene;
use multigrain_lab::table::{Table, short};
use multigrain_lab::valgrind::{STOP, instructions};
use multigrain_packings::lattice;
use multigrain_papers::{Mr, MrCoordinates, MrOptions, MrSteps};
use std::convert::Infallible;
use std::process::{ExitCode, exit};

const USAGE: &str = "\
Instructions per body of MR and its variants, counted by valgrind

    --sides A,B      bodies along an edge of the cube (20,40,80)
    --variants A,B   of mr, computed, quick-sort, binary-search (all)";

/// Names of the variants.
const VARIANTS: [(&str, MrOptions); 4] = [
    ("mr", MrOptions { coordinates: MrCoordinates::Stored, steps: MrSteps::MrSortAndMrSearch }),
    ("computed", MrOptions { coordinates: MrCoordinates::Computed, steps: MrSteps::MrSortAndMrSearch }),
    ("quick-sort", MrOptions { coordinates: MrCoordinates::Stored, steps: MrSteps::QuickSortAndMrSearch }),
    ("binary-search", MrOptions { coordinates: MrCoordinates::Stored, steps: MrSteps::QuickSortAndBinarySearch }),
];

/// How far a body moves along an axis, in diameters.
const STRIDE: f64 = 0.5;

const FIRST_DETECTION: &str = "first-detection";
const SECOND_SORT: &str = "second-sort";
const SECOND_DETECTION: &str = "second-detection";

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let sides: Vec<usize> = arguments.take_list("sides").unwrap_or_else(|| vec![20, 40, 80]);
    let by_default = || VARIANTS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let names: Vec<String> = arguments.take_list("variants").unwrap_or_else(by_default);
    let known = |name: &String| VARIANTS.iter().find(|(known, _)| known == name);
    let unknown = |name: &String| format!("no variant is called `{name}`; there are {}", by_default().join(", "));
    let variants: Result<Vec<_>, _> = names.iter().map(|name| known(name).ok_or_else(|| unknown(name))).collect();
    let variants = variants.unwrap_or_else(|error| arguments.refuse(error));
    arguments.finish();

    if let Ok(stop) = std::env::var(STOP) {
        match engine::pool(1)?.install(|| detect_until(&stop, sides[0], variants[0].1))? {}
    }
    let mut table = Table::new(["variant", "bodies", "sort", "search", "both", "both / first"]);
    for (name, _) in variants {
        let mut measure = None;
        for &side in &sides {
            let counted = |stop| instructions(&["--sides", &side.to_string(), "--variants", name], stop);
            let (first, sorted, second) =
                (counted(FIRST_DETECTION)?, counted(SECOND_SORT)?, counted(SECOND_DETECTION)?);
            let bodies = side.pow(3);
            let [sort, search, both] =
                [sorted - first, second - sorted, second - first].map(|count| count / bodies as f64);
            let ratio = both / *measure.get_or_insert(both);
            let values = [sort, search, both, ratio].map(short);
            table.row([(*name).to_owned(), bodies.to_string()].into_iter().chain(values));
        }
    }
    println!("instructions per body of a later step, packing A, one thread");
    println!("{table}");
    Ok(ExitCode::SUCCESS)
}

/// The job under valgrind.
fn detect_until(stop: &str, side: usize, options: MrOptions) -> Result<Infallible, multigrain::Error> {
    let mut scene: Scene = lattice(vec![0.5; side.pow(3)], [1.0; 3], [false; 3], 1)?;
    let mut detector: Box<dyn Detector<3>> = Box::new(Mr::new(options));
    let mut pairs = Pairs::new();
    detector.find_pairs(scene.snapshot()?, &mut pairs);
    let mut rng = Rng::new(2);
    scene.centers.iter_mut().flatten().for_each(|x| *x += STRIDE * (2.0 * rng.uniform() - 1.0));
    if stop != FIRST_DETECTION {
        let mut sorted = || {
            if stop == SECOND_SORT {
                exit(0)
            }
        };
        detector.find_pairs_in_phases(scene.snapshot()?, &mut pairs, &mut sorted);
    }
    // Leaves without freeing anything, as the run that stops after sorting does.
    exit(0)
}
