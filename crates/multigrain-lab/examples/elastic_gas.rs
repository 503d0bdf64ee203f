//! Energy of an elastic gas over a long run, with every integrator that is asked for.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example elastic_gas
//! ```
//!
//! Spheres in a periodic box that lose nothing, time step a fiftieth of the shortest contact. With Verlet the total energy must
//! stay within 1e-4 of what it was, at every hundredth part of the run; with Gear it is only shown. Exit code 1 if it does not.

use multigrain::Domain;
use multigrain::sizes::SizeLaw;
use multigrain_dem::{ContactLaw, Error, Integrator, Material, Setup};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::gas::Gas;
use multigrain_lab::program::{Outcome, run, verdict};
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "\
Energy drift of an elastic gas

    --count N    spheres (1e4)
    --steps N    steps (1e5)
    --gear       with Gear instead of Verlet";

const MAX_ERROR: f64 = 1e-4;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let count = arguments.take("count").unwrap_or(Count(10_000)).0;
    let steps: u64 = arguments.take("steps").unwrap_or(100_000);
    let integrator = if arguments.take_switch("gear") { Integrator::Gear } else { Integrator::Verlet };
    arguments.finish();
    Ok(verdict(measure(count, steps, integrator)? < MAX_ERROR || integrator == Integrator::Gear))
}

/// The largest share by which the energy differed from the first.
fn measure(count: usize, steps: u64, integrator: Integrator) -> Result<f64, Error> {
    let mut gas = Gas::<3>::new(&SizeLaw::power(-3.0, 5.0)?, count, 0.3, true, 1)?;
    gas.heat(0.01, 2);
    let mut simulation = Setup::new()
        .domain(Domain::periodic([0.0; 3], gas.sides)?)
        .material(Material::new(3.0 / (4.0 * std::f64::consts::PI), ContactLaw::linear(1.0)))
        .integrator(integrator)
        .build(gas.grains)?;
    let (first, momentum) = (simulation.energies().total(), simulation.momentum());
    let (mut largest, mut collisions, start) = (0.0f64, 0, Instant::now());
    for _ in 0..100 {
        simulation.run(steps.div_ceil(100))?;
        largest = largest.max((simulation.energies().total() / first - 1.0).abs());
        collisions = collisions.max(simulation.contact_count());
    }
    let rate = count as f64 * simulation.steps() as f64 / start.elapsed().as_secs_f64();
    let drift: f64 = (0..3).map(|axis| (simulation.momentum()[axis] - momentum[axis]).abs()).fold(0.0, f64::max);
    println!(
        "{count} spheres, {} steps of {integrator:?}: energy within {largest:.2e} of the first",
        simulation.steps()
    );
    println!(
        "momentum changed by {drift:.1e}, up to {collisions} contacts at a time, {:.1} million particle-steps per second",
        rate * 1e-6
    );
    Ok(largest)
}
