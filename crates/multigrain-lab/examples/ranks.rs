//! Random systems on 1 to 16 ranks: the list of all ranks against that of one machine.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example ranks -- --systems 1e5
//! ```
//!
//! Systems are those of the tests, in the plane and in space: open, periodic and sheared, with radii up to 1e4 apart, clusters
//! and giants. Exit code 1 on a difference.

#[path = "../../multigrain-distributed/tests/random/mod.rs"]
mod random;

use multigrain::{Axes, Dimension, Rng};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::program::{Outcome, run, verdict};
use random::RankSystem;
use std::process::ExitCode;

const USAGE: &str = "\
Random systems on 1 to 16 ranks against one machine

    --systems N    systems, half of them in the plane (1e5)
    --seed S       of the first (1)";

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let systems = arguments.take("systems").unwrap_or(Count(100_000)).0;
    let seed: u64 = arguments.take("seed").unwrap_or(1);
    arguments.finish();
    let mut rng = Rng::new(seed);
    let (mut contacts, mut ranks, mut differences) = (0, 0, 0);
    for number in 0..systems {
        let compared = if number % 2 == 0 { compare::<2>(&mut rng) } else { compare::<3>(&mut rng) };
        contacts += compared.contacts;
        ranks += compared.ranks;
        if let Some(shown) = compared.differing {
            println!("system {number} differs: {shown}");
            differences += 1;
        }
    }
    println!("{systems} systems on {ranks} ranks, {contacts} contacts: {differences} differences");
    Ok(verdict(differences == 0 && contacts > systems))
}

struct Compared {
    contacts: usize,
    ranks: usize,
    differing: Option<String>,
}

fn compare<const D: usize>(rng: &mut Rng) -> Compared
where
    Axes: Dimension<D>,
{
    let system = RankSystem::<D>::random(rng);
    let (alone, on_ranks) = (system.alone(), system.on_ranks());
    let differing = (alone != on_ranks).then(|| system.shown());
    Compared { contacts: alone.len(), ranks: system.ranks(), differing }
}
