//! Instructions per body of MR, of the variants its paper compares and of MMR, against the number of bodies, counted by valgrind.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example mr_instructions
//! cargo run --release -p multigrain-lab --example mr_instructions -- --sides 20,40,80,171 --variants mr
//! cargo run --release -p multigrain-lab --example mr_instructions -- --sides 40,100,171 --variants mmr
//! ```
//!
//! For MR bodies on a lattice at a distance of one diameter (packing A), `--sides` of them along each edge of a cube, each moving by
//! up to half its diameter along each axis between two detections. For MMR as many bodies of diameters 1/32 to 1, the passing fraction
//! log-uniform by mass, at random places at a packing fraction of 0.5, moving by up to half the smallest diameter. The program runs itself under valgrind
//! three times per system: to the end of a first detection and the move, to the end of sorting in a second one, and to
//! the end of that. The differences are the instructions of a later step on one thread. 171 along an edge are the
//! paper's 5,000,211 bodies, which take about ten minutes for each variant.

use multigrain::Rng;
use multigrain::sizes::SizeLaw;
use multigrain::{Detector, Pairs};
use multigrain_lab::arguments::Arguments;
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run};
use multigrain_lab::scene::Scene;
use multigrain_lab::table::{Table, short};
use multigrain_lab::valgrind::{STOP, instructions};
use multigrain_packings::{lattice, random};
use multigrain_papers::{Mmr, MmrLists, Mr, MrCoordinates, MrOptions, MrSteps};
use std::convert::Infallible;
use std::process::{ExitCode, exit};

const USAGE: &str = "\
Instructions per body of MR, its variants and MMR, counted by valgrind

    --sides A,B      bodies along an edge of the cube (20,40,80)
    --variants A,B   of mr, computed, quick-sort, binary-search, mmr, mmr-per-step (all but the last two)";

/// A variant: its name, and what makes it.
type Variant = (&'static str, fn() -> Box<dyn Detector<3>>);

/// The variants: those of MR come first.
const VARIANTS: [Variant; 6] = [
    ("mr", || mr(MrCoordinates::Stored, MrSteps::MrSortAndMrSearch)),
    ("computed", || mr(MrCoordinates::Computed, MrSteps::MrSortAndMrSearch)),
    ("quick-sort", || mr(MrCoordinates::Stored, MrSteps::QuickSortAndMrSearch)),
    ("binary-search", || mr(MrCoordinates::Stored, MrSteps::QuickSortAndBinarySearch)),
    ("mmr", || Box::new(Mmr::new())),
    ("mmr-per-step", || Box::new(Mmr::new().with_lists(MmrLists::PerStep))),
];

/// How many of them are for bodies of one size.
const OF_ONE_SIZE: usize = 4;

/// Largest over smallest diameter of the bodies of MMR.
const RATIO: f64 = 32.0;

/// How far a body moves along an axis, in diameters of the smallest.
const STRIDE: f64 = 0.5;

const FIRST_DETECTION: &str = "first-detection";
const SECOND_SORT: &str = "second-sort";
const SECOND_DETECTION: &str = "second-detection";

fn mr(coordinates: MrCoordinates, steps: MrSteps) -> Box<dyn Detector<3>> {
    Box::new(Mr::new(MrOptions { coordinates, steps }))
}

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let sides: Vec<usize> = arguments.take_list("sides").unwrap_or_else(|| vec![20, 40, 80]);
    let by_default = || -> Vec<String> { VARIANTS[..OF_ONE_SIZE].iter().map(|(name, _)| (*name).to_owned()).collect() };
    let names: Vec<String> = arguments.take_list("variants").unwrap_or_else(by_default);
    let known = |name: &String| VARIANTS.iter().position(|(known, _)| known == name);
    let unknown = |name: &String| {
        format!("no variant is called `{name}`; there are {}", VARIANTS.map(|(name, _)| name).join(", "))
    };
    let variants: Result<Vec<_>, _> = names.iter().map(|name| known(name).ok_or_else(|| unknown(name))).collect();
    let variants = variants.unwrap_or_else(|error| arguments.refuse(error));
    arguments.finish();

    if let Ok(stop) = std::env::var(STOP) {
        match engine::pool(1)?.install(|| detect_until(&stop, sides[0], variants[0]))? {}
    }
    let mut table = Table::new(["variant", "bodies", "sort", "search", "both", "both / first"]);
    for variant in variants {
        let name = VARIANTS[variant].0;
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
            table.row([name.to_owned(), bodies.to_string()].into_iter().chain(values));
        }
    }
    println!("instructions per body of a later step, one thread");
    println!("{table}");
    Ok(ExitCode::SUCCESS)
}

/// The job under valgrind.
fn detect_until(stop: &str, side: usize, variant: usize) -> Result<Infallible, multigrain::Error> {
    let bodies = side.pow(3);
    let mut scene: Scene = if variant < OF_ONE_SIZE {
        lattice(vec![0.5; bodies], [1.0; 3], [false; 3], 1)?
    } else {
        // The smallest diameter is 1.
        let radii = SizeLaw::power(-4.0, RATIO)?.sample(bodies, 3).into_iter().map(|radius| 0.5 * radius).collect();
        random(radii, 0.5, [false; 3], 1)?
    };
    let mut detector = VARIANTS[variant].1();
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
        detector.find_pairs_in_phases(scene.snapshot()?, &mut pairs, &mut sorted, &|| false);
    }
    // Leaves without freeing anything, as the run that stops after sorting does.
    exit(0)
}
