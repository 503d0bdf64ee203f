//! Two sets of half a million bodies against one set of a million; and what groups cost where they are used.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example two_sets
//! ```
//!
//! The same bodies in all contenders, which take turns in one process: one set; the first half of them against the second, in one
//! detector that keeps its memory; one set in as many groups as bodies, so that every pair is asked for its groups and none is left
//! out. Groups that are not used are one question per batch of pairs: the instructions that `kernel_instructions` counts include it.
//! Exit code 1 if two sets take 1.3 times as long as one set.

use multigrain::detectors::Auto;
use multigrain::{Between, Pairs, PairsBetween, Snapshot};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_lab::scene::{Scene, chosen_sets_or, scene};
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::{Contender, Found, Rounds, Turn, alternate, timed};
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
Two sets of half the bodies, and groups in use, against one set of all

    --count N      bodies in all (1e6)
    --sets A,B     data sets (mono,uv100)
    --rounds N     turns of each (5)
    --threads N    threads (1)";

/// Longest time that two sets may take, in times of one.
const BOUND: f64 = 1.3;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let count = arguments.take("count").unwrap_or(Count(1_000_000)).0;
    let rounds = arguments.take("rounds").unwrap_or(5);
    let threads = arguments.take("threads").unwrap_or(1);
    let sets = chosen_sets_or(&mut arguments, &["mono", "uv100"]);
    arguments.finish();

    let pool = engine::pool(threads)?;
    let mut table =
        Table::new(["system", "one set", "two sets", "groups", "two sets / one", "groups / one", "two sets below 1.3"]);
    let mut all_below = true;
    for set in sets {
        let bodies = scene(set, count);
        let half = count / 2;
        let groups: Vec<u32> = (0..count as u32).collect();
        let (mut one, mut pairs) = (Auto::boxed(), Pairs::new());
        let (mut grouped, mut grouped_pairs) = (Auto::boxed(), Pairs::new());
        let (mut between, mut pairs_between) = (Between::new(Auto::boxed()), PairsBetween::default());
        let mut contenders = [
            Contender::new("one set", |scene: &Scene| {
                let elapsed = pool.install(|| timed(|| one.find_pairs(valid(scene.snapshot()), &mut pairs)).0);
                Turn { elapsed, found: Found::in_pairs(&pairs) }
            }),
            Contender::new("two sets", |scene: &Scene| {
                let Scene { centers, radii, .. } = scene;
                let part = |bodies| -> Result<Snapshot<'_, 3>, multigrain::Error> {
                    let bodies: std::ops::Range<usize> = bodies;
                    Snapshot::new(&centers[bodies.clone()], &radii[bodies])?.within(scene.domain)
                };
                let mut find = || {
                    valid(between.find_pairs(valid(part(0..half)), valid(part(half..count)), &mut pairs_between));
                };
                let elapsed = pool.install(|| timed(&mut find).0);
                Turn { elapsed, found: Found { pairs: pairs_between.len(), fingerprint: 0 } }
            }),
            Contender::new("groups", |scene: &Scene| {
                let mut find = || {
                    let now = valid(scene.snapshot().and_then(|now| now.in_groups(&groups)));
                    grouped.find_pairs(now, &mut grouped_pairs);
                };
                let elapsed = pool.install(|| timed(&mut find).0);
                Turn { elapsed, found: Found::in_pairs(&grouped_pairs) }
            }),
        ];
        let rounds = Rounds { count: rounds, patience: Duration::MAX };
        let timings = alternate(&mut bodies.clone(), rounds, &mut contenders, |_, _| ());
        let [one, two, grouped] = [0, 1, 2].map(|k: usize| timings[k].ns_per(count));
        let ratios = [two / one, grouped / one];
        // Of pairs of bodies at random places about half have a body in each half of the list.
        let share = timings[1].found[0].pairs as f64 / timings[0].found[0].pairs as f64;
        let agrees = timings[0].found == timings[2].found && (0.4..0.6).contains(&share);
        let is_below = agrees && ratios[0] < BOUND;
        all_below &= is_below;
        let numbers = [one, two, grouped, ratios[0], ratios[1]].map(short);
        let last = if is_below { "yes" } else { "NO" }.to_owned();
        table.row([set.name.to_owned()].into_iter().chain(numbers).chain([last]));
    }
    println!("nanoseconds per body, {count} bodies, median of {rounds}");
    println!("{table}");
    Ok(verdict(all_below))
}

/// The lab's systems are its own: one that the engine refuses is a bug.
fn valid<T>(result: Result<T, multigrain::Error>) -> T {
    result.unwrap_or_else(|error| panic!("the engine refuses a system of the lab: {error}"))
}
