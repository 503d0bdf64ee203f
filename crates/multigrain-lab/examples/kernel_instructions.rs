//! Instructions per particle, counted by valgrind: the same on every run, so small changes of a kernel show.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example kernel_instructions
//! cargo run --release -p multigrain-lab --example kernel_instructions -- --sets mono,uv100 --methods hgrid,linked-cell
//! ```
//!
//! The program runs itself under `valgrind --tool=callgrind` three times per system, each time a little further: to the end
//! of a first detection, to the end of the mapping in a second one, and to the end of that. The differences are the
//! instructions of mapping and search of a warm detector on one thread; what it takes to build the system drops out.

use multigrain::Pairs;
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run};
use multigrain_lab::scene::{Scene, chosen_sets, scene};
use multigrain_lab::table::{Table, short};
use multigrain_lab::valgrind::{STOP, instructions};
use multigrain_methods::Method;
use std::convert::Infallible;
use std::process::{ExitCode, exit};
use std::str::FromStr;

const USAGE: &str = "\
Instructions per particle, counted by valgrind

    --count N        particles per system (1e5)
    --sets A,B       data sets (all)
    --methods A,B    methods (hgrid)";

/// Where a run under valgrind ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    FirstDetection,
    SecondMapping,
    SecondDetection,
}

impl Stop {
    const ALL: [(Self, &'static str); 3] = [
        (Self::FirstDetection, "first-detection"),
        (Self::SecondMapping, "second-mapping"),
        (Self::SecondDetection, "second-detection"),
    ];
}

impl FromStr for Stop {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.iter().find(|(_, known)| *known == name);
        known.map(|(stop, _)| *stop).ok_or_else(|| format!("{STOP} is `{name}`, which is no place to stop"))
    }
}

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let count = arguments.take("count").unwrap_or(Count(100_000)).0;
    let sets = chosen_sets(&mut arguments);
    let names: Vec<String> = arguments.take_list("methods").unwrap_or_else(|| vec!["hgrid".to_owned()]);
    let methods = names.iter().map(|name| engine::method(name)).collect::<Result<Vec<_>, _>>();
    let methods = methods.unwrap_or_else(|error| arguments.refuse(error));
    arguments.finish();

    if let Ok(stop) = std::env::var(STOP) {
        let stop = stop.parse::<Stop>()?;
        let scene = scene(sets[0], count);
        match engine::pool(1)?.install(|| detect_until(stop, &scene, methods[0]))? {}
    }
    let mut table = Table::new(["set", "method", "map", "search", "both"]);
    for set in sets {
        for method in &methods {
            let counted = |stop| {
                instructions(&["--count", &count.to_string(), "--sets", set.name, "--methods", method.name()], stop)
            };
            let [first, mapped, second] = [Stop::ALL[0].1, Stop::ALL[1].1, Stop::ALL[2].1].map(counted);
            let [first, mapped, second] = [first?, mapped?, second?];
            let per_particle = [mapped - first, second - mapped, second - first].map(|n| short(n / count as f64));
            table.row([set.name.to_owned(), method.name().to_owned()].into_iter().chain(per_particle));
        }
    }
    println!("instructions per particle, {count} particles, one thread");
    println!("{table}");
    Ok(ExitCode::SUCCESS)
}

/// The job under valgrind.
fn detect_until(stop: Stop, scene: &Scene, method: Method) -> Result<Infallible, multigrain::Error> {
    let mut detector = method.build(scene.snapshot()?)?;
    let mut pairs = Pairs::new();
    detector.find_pairs_in_phases(scene.snapshot()?, &mut pairs, &mut || (), &|| false);
    if stop != Stop::FirstDetection {
        let mut mapped = || {
            if stop == Stop::SecondMapping {
                exit(0)
            }
        };
        detector.find_pairs_in_phases(scene.snapshot()?, &mut pairs, &mut mapped, &|| false);
    }
    // Leaves without freeing anything, as the run that stops after mapping does.
    exit(0)
}
