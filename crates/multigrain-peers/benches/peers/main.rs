//! The engine against other libraries, in one process, taking turns on the same systems.
//!
//! ```text
//! cargo bench -p multigrain-peers --bench peers
//! cargo bench -p multigrain-peers --bench peers -- --count 1e5 --sets mono,uv100 --peers parry,kiddo --rounds 9
//! ```
//!
//! The job: f64 positions and radii in memory, unsorted, to the list of all overlapping pairs, each once; all that takes
//! is timed. Every contender refills a list it keeps. All must find the same pairs, else the run fails.
//!
//! Peers deserve flags for the host's CPU; the engine must do without, and cargo sets flags for a whole build. So the run
//! above, in one build and one process, is the comparison; a second build shows how much the flags would give the peers:
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo bench --target-dir target/native -p multigrain-peers --bench peers -- --save native.csv
//! cargo bench -p multigrain-peers --bench peers -- --beside native.csv
//! ```
//!
//! The second command lists the peers of both builds and their ratios to the engine of the default build.

mod kiddo;
mod morton;
mod parry;
mod rstar;

use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run};
use multigrain_lab::results::{self, Measured, ResultsError};
use multigrain_lab::scene::{Scene, chosen_sets, scene};
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::{Contender, Found, Rounds, Turn, all_agree, alternate, timed};
use multigrain_methods::Method;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
The engine against other libraries: nanoseconds per particle and ratios

    --count N        particles per system (1e6)
    --sets A,B       data sets (all)
    --peers A,B      of parry, parry-morton, rstar, kiddo, linked-cell (all)
    --rounds N       turns of each contender (5)
    --threads N      threads of the engine (1); peers use one
    --method NAME    the engine's method (hgrid)
    --save FILE      write the times as CSV
    --beside FILE    also compare with the peers of a saved run";

/// A contender that takes longer has one turn only.
const PATIENCE: Duration = Duration::from_secs(10);

/// The linked cell needs hours where the largest body is a thousand times the smallest.
const TOO_SLOW: [(&str, &str); 1] = [("linked-cell", "uv1000")];

/// A peer's whole job: particles to the list of overlapping pairs, in either orientation.
type Job = fn(&Scene, &mut Vec<[u32; 2]>);

/// Peers in other libraries. `linked-cell` is a peer too, but one of ours.
const PEERS: [(&str, Job); 4] = [
    ("parry", parry::overlapping_pairs),
    ("parry-morton", parry::overlapping_pairs_after_sorting),
    ("rstar", rstar::overlapping_pairs),
    ("kiddo", kiddo::overlapping_pairs),
];

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_bench(USAGE);
    let count = arguments.take("count").unwrap_or(Count(arguments.by_size(1_000_000, 2_000))).0;
    let rounds = arguments.take("rounds").unwrap_or(arguments.by_size(5, 1));
    let threads = arguments.take("threads").unwrap_or(1);
    let method = engine::chosen_method(&mut arguments);
    let sets = chosen_sets(&mut arguments);
    let peers = chosen_peers(&mut arguments);
    let save: Option<PathBuf> = arguments.take("save");
    let beside: Option<PathBuf> = arguments.take("beside");
    arguments.finish();
    let beside = beside.map_or(Ok(Vec::new()), |path| saved_peers(&path, count))?;

    let pool = engine::pool(threads)?;
    let one_thread = engine::pool(1)?;
    let warm = format!("{} ({threads} thread{})", method.name(), if threads == 1 { "" } else { "s" });
    let mut measured: Vec<Measured> = Vec::new();
    for set in &sets {
        eprintln!("{}: {count} particles", set.name);
        let mut scene = scene(set, count);
        let mut contenders = vec![
            engine::warm(warm.clone(), method, &pool),
            engine::cold(format!("first call of {warm}"), method, &pool),
        ];
        for peer in peers.iter().filter(|peer| !TOO_SLOW.contains(&(peer, set.name))) {
            contenders.push(match PEERS.iter().find(|(name, _)| name == peer) {
                Some(&(name, job)) => in_its_own_list(name, job),
                None => engine::warm("linked-cell", Method::LinkedCell, &one_thread),
            });
        }
        let rounds = Rounds { count: rounds, patience: PATIENCE };
        let timings = alternate(&mut scene, rounds, &mut contenders, |_, _| ());
        all_agree(&timings).map_err(|disagreement| format!("{}: {disagreement}", set.name))?;
        eprintln!("    all find the same {} pairs", timings[0].found[0].pairs);
        for timing in timings {
            let (set, ns) = (set.name.to_owned(), timing.ns_per(count));
            measured.push(Measured { contender: timing.name, set, particles: count, ns });
        }
    }

    let sets: Vec<&str> = sets.iter().map(|set| set.name).collect();
    measured.extend(beside.into_iter().filter(|time| sets.contains(&time.set.as_str())));
    println!("\nnanoseconds per particle, {count} particles, median of {rounds}");
    println!("{}", table(&measured, &sets, |ns, _| ns));
    println!("times the {warm}");
    println!("{}", table(&measured, &sets, |ns, ours| ns / ours));
    save.map_or(Ok(()), |path| results::write(&path, &measured))?;
    Ok(ExitCode::SUCCESS)
}

/// The peers that `--peers` names, or else all.
fn chosen_peers(arguments: &mut Arguments) -> Vec<String> {
    let all: Vec<String> = PEERS.iter().map(|(name, _)| *name).chain(["linked-cell"]).map(str::to_owned).collect();
    let peers = arguments.take_list("peers").unwrap_or_else(|| all.clone());
    if let Some(unknown) = peers.iter().find(|peer| !all.contains(peer)) {
        arguments.refuse(format!("no peer is called `{unknown}`; there are {}", all.join(", ")));
    }
    peers
}

fn in_its_own_list(name: &'static str, job: Job) -> Contender<'static, Scene> {
    let mut list = Vec::new();
    Contender::new(name, move |scene: &Scene| {
        let (elapsed, ()) = timed(|| {
            list.clear();
            job(scene, &mut list);
        });
        Turn { elapsed, found: Found::in_list(&list) }
    })
}

/// The times of other libraries in a saved run of the same size, marked as such.
fn saved_peers(path: &Path, count: usize) -> Result<Vec<Measured>, ResultsError> {
    let is_peer = |time: &Measured| time.particles == count && PEERS.iter().any(|(name, _)| *name == time.contender);
    let mark = |time: Measured| Measured { contender: format!("{} (saved run)", time.contender), ..time };
    Ok(results::read(path)?.into_iter().filter(is_peer).map(mark).collect())
}

/// One row per contender, one column per set; `value` takes the contender's time and that of the engine.
fn table(measured: &[Measured], sets: &[&str], value: fn(f64, f64) -> f64) -> Table {
    let time = |contender: &str, set: &str| {
        let of_both = |time: &&Measured| time.contender == contender && time.set == set;
        measured.iter().find(of_both).map_or(f64::NAN, |time| time.ns)
    };
    let mut contenders: Vec<&str> = Vec::new();
    for time in measured {
        if !contenders.contains(&time.contender.as_str()) {
            contenders.push(&time.contender);
        }
    }
    let mut table = Table::new(std::iter::once("").chain(sets.iter().copied()));
    for &contender in &contenders {
        let cell = |set: &&str| short(value(time(contender, set), time(contenders[0], set)));
        table.row(std::iter::once(contender.to_owned()).chain(sets.iter().map(cell)));
    }
    table
}
