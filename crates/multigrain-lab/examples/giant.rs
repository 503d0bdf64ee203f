//! One body that covers more than 1e9 fine cells, among many small ones: must cost next to nothing.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example giant
//! cargo run --release -p multigrain-lab --example giant -- --count 1e6 --methods hgrid
//! ```
//!
//! Two systems of small bodies of radius 1, each with and without the giant, taking turns. In `dense` they fill a small part
//! of the giant; in `spread` they are scattered over all of it, so that the fine cells really are more than 1e9. Each
//! detection must take less than twice as long with the giant as without. Exit code 1 if one does not.

use multigrain::Domain;
use multigrain::Rng;
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_lab::scene::Scene;
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::{Contender, Rounds, alternate};
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
One huge body among many small ones: time with it over time without it

    --count N        small bodies (1e5)
    --methods A,B    methods (hgrid,hgrid-cells)
    --rounds N       turns of each (9)
    --threads N      threads (1)";

/// Cells of the small bodies' diameter along the giant's: its cube holds 1.3e9 of them.
const CELLS_ACROSS: f64 = 1100.0;

/// Radius of the giant; the small ones have radius 1.
const GIANT: f64 = CELLS_ACROSS;

/// Packing fraction of the small bodies where they are dense.
const DENSE: f64 = 0.6;

const BOUND: f64 = 2.0;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let count = arguments.take("count").unwrap_or(Count(100_000)).0;
    let rounds = arguments.take("rounds").unwrap_or(9);
    let threads = arguments.take("threads").unwrap_or(1);
    let names = arguments.take_list("methods").unwrap_or_else(|| vec!["hgrid".to_owned(), "hgrid-cells".to_owned()]);
    let methods = names.iter().map(|name: &String| engine::method(name)).collect::<Result<Vec<_>, _>>();
    let methods = methods.unwrap_or_else(|error| arguments.refuse(error));
    arguments.finish();

    let pool = engine::pool(threads)?;
    let dense_width = (4.0 / 3.0 * std::f64::consts::PI * count as f64 / DENSE).cbrt();
    let mut table = Table::new(["system", "method", "without", "with", "ratio", "below 2"]);
    let mut all_below = true;
    for (name, width) in [("dense", dense_width), ("spread", 2.0 * GIANT)] {
        let without = small_bodies(count, width);
        let with = with_giant(without.clone());
        for &method in &methods {
            let mut contenders = [&without, &with].map(|scene| {
                let mut warm = engine::warm("", method, &pool);
                Contender::new("", move |(): &()| warm.take_turn(scene))
            });
            let rounds = Rounds { count: rounds, patience: Duration::MAX };
            let timings = alternate(&mut (), rounds, &mut contenders, |_, _| ());
            let [without, with] = [0, 1].map(|k: usize| timings[k].ns_per(count));
            let ratio = with / without;
            let verdict = if ratio < BOUND { "yes" } else { "NO" };
            all_below &= ratio < BOUND;
            let times = [without, with, ratio].map(short);
            table.row([name.to_owned(), method.name().to_owned()].into_iter().chain(times).chain([verdict.to_owned()]));
        }
    }
    println!("nanoseconds per particle, {count} particles of radius 1, giant of radius {GIANT}, median of {rounds}");
    println!("{table}");
    Ok(verdict(all_below))
}

/// Bodies of radius 1 at random in a cube around the origin.
fn small_bodies(count: usize, width: f64) -> Scene {
    let mut rng = Rng::new(1);
    let mut coordinate = || width * (rng.uniform() - 0.5);
    let centers = (0..count).map(|_| [coordinate(), coordinate(), coordinate()]).collect();
    Scene { centers, radii: vec![1.0; count], domain: Domain::open() }
}

/// The same with a giant at the origin, in the middle of the list.
fn with_giant(mut scene: Scene) -> Scene {
    let middle = scene.radii.len() / 2;
    scene.centers.insert(middle, [0.0; 3]);
    scene.radii.insert(middle, GIANT);
    scene
}
