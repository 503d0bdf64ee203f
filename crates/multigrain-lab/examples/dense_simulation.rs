//! Steps of a dense system of spheres with friction: one thread against several, time by phase, and memory.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example dense_simulation                      # 1e5 spheres, 1 and 2 threads
//! cargo run --release -p multigrain-lab --example dense_simulation -- --count 1e6 --threads 2
//! ```
//!
//! Spheres of size ratio 5 are laid out without overlap in a tall box and swollen until they press on each other; then they
//! settle under gravity. All numbers of threads must end in the same state, bit for bit. Memory is counted by the allocator:
//! what is kept between steps, and the most in use at once, grains as given included; with a million spheres it must stay below 1 GiB.

use multigrain::sizes::{SizeLaw, ball_volume};
use multigrain_dem::{ContactLaw, Error, Grain, Material, STEPS_BETWEEN_SORTS, Setup, Wall};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::counting_allocator::CountingAllocator;
use multigrain_lab::engine::pool;
use multigrain_lab::gas::{Gas, Seconds};
use multigrain_lab::program::{Outcome, run, verdict};
use std::process::ExitCode;

const USAGE: &str = "\
A dense system of spheres with friction that settles

    --count N        spheres (1e5)
    --steps N        steps that are timed (100)
    --before N       steps before them (200)
    --threads A,B    numbers of threads, one after the other (1,2)
    --sort-every N   steps between two sorts of the state (256)
    --swollen X      by how much radii grow before the start (1.25); 1.35 gives the contacts of a settled packing";

#[global_allocator]
static MEMORY: CountingAllocator = CountingAllocator::new();

/// Fraction of the box that spheres fill before they are swollen.
const FILLED: f64 = 0.27;

const BOUND: usize = 1 << 30;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let count = arguments.take("count").unwrap_or(Count(100_000)).0;
    let steps: u64 = arguments.take("steps").unwrap_or(100);
    let before: u64 = arguments.take("before").unwrap_or(200);
    let threads: Vec<usize> = arguments.take_list("threads").unwrap_or_else(|| vec![1, 2]);
    let growth: f64 = arguments.take("swollen").unwrap_or(1.25);
    let sort_every = arguments.take("sort-every").unwrap_or(STEPS_BETWEEN_SORTS);
    arguments.finish();

    let mut ends = Vec::new();
    let mut seconds = Vec::new();
    let mut most = 0;
    for &threads in &threads {
        let pool = pool(threads)?;
        let (peak, outcome) = MEMORY.peak_of(|| pool.install(|| settle(count, growth, sort_every, before, steps)));
        let (taken, end) = outcome?;
        println!("threads: {threads}: {}", taken.line(count as f64 * steps as f64));
        println!("peak memory {:.0} MiB, {:.0} MiB if blocks are copied\n", mib(peak.in_place), mib(peak.copying));
        most = most.max(peak.in_place);
        ends.push(end);
        seconds.push(taken.total());
    }
    for (number, taken) in threads.iter().zip(&seconds).skip(1) {
        println!("{number} threads against {}: {:.2} times as fast", threads[0], seconds[0] / taken);
    }
    let all_same = ends.iter().all(|end| *end == ends[0]);
    println!("all runs end in the same state: {all_same}");
    Ok(verdict(all_same && most < BOUND))
}

fn mib(bytes: usize) -> f64 {
    bytes as f64 / (1 << 20) as f64
}

/// Time of the steps, and the state after them.
fn settle(count: usize, growth: f64, sort_every: u64, before: u64, steps: u64) -> Result<(Seconds, u64), Error> {
    let before_all = MEMORY.in_use();
    let (sides, grains) = swollen(count, growth)?;
    let law = ContactLaw::linear(1.0).restitution(0.5).friction(0.5);
    let mut simulation = Setup::new()
        .material(Material::new(3.0 / (4.0 * std::f64::consts::PI), law))
        .wall(Wall::inside_box([0.0; 3], sides))
        .gravity([0.0, 0.0, -1e-6])
        .sort_every(sort_every)
        .build(grains)?;
    simulation.run(before)?;
    let taken = Seconds::of(&mut simulation, steps)?;
    let energies = simulation.energies();
    let kept = MEMORY.in_use() - before_all;
    println!("{:.0} bytes per sphere between steps", kept as f64 / count as f64);
    println!(
        "{count} spheres after {} steps: {:.2} contacts each, kinetic energy {:.3e}, elastic {:.3e}",
        simulation.steps(),
        2.0 * simulation.contact_count() as f64 / count as f64,
        energies.kinetic(),
        energies.elastic,
    );
    Ok((taken, simulation.state().fingerprint()))
}

fn swollen(count: usize, growth: f64) -> Result<([f64; 3], Vec<Grain<3>>), Error> {
    let radii = SizeLaw::power(-3.0, 5.0)?.sample(count, 3);
    let volume: f64 = radii.iter().map(|&radius| ball_volume(radius, 3)).sum();
    let side = (volume / FILLED / 2.0).cbrt();
    let mut gas = Gas::in_box(radii, [side, side, 2.0 * side], false, 1)?;
    gas.grains.iter_mut().for_each(|grain| grain.radius *= growth);
    Ok((gas.sides, gas.grains))
}
