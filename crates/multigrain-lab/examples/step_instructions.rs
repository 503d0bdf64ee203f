//! Instructions per particle of a step of a simulation, phase by phase, counted by valgrind: the same on every run, so small changes show.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example step_instructions
//! cargo run --release -p multigrain-lab --example step_instructions -- --fraction 0.5 --count 2e4
//! ```
//!
//! The spheres of `beside_lammps` are brought to a start and saved. Then the program runs itself under `valgrind --tool=callgrind` on what was
//! saved, each time a little further: to the beginning of every phase of a step that keeps its list of candidates. The differences are the
//! instructions of the phases, on one thread. Two more runs, some steps apart, give those of a step with its share of new lists.

use multigrain_dem::{Integrator, Phase};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::dense::Dense;
use multigrain_lab::engine::pool;
use multigrain_lab::program::{Outcome, run};
use multigrain_lab::table::{Table, short};
use multigrain_lab::valgrind::{STOP, instructions};
use std::process::{ExitCode, exit};

const USAGE: &str = "\
Instructions per particle of a step, counted by valgrind

    --count N          spheres (1e4)
    --ratio X          largest over smallest, as much volume in each octave (1)
    --fraction X       packing fraction (0.64)
    --swollen X        by how much radii grow before the start (1.02)
    --settle N         steps of a fall onto a floor before the start (0: hot, in a periodic cube)
    --before N         steps before those that are counted (50)
    --steps N          steps that are counted with their share of new lists (30); 0 for the phases alone
    --integrator NAME  verlet or plain (verlet)";

/// Steps after the start whose last one is counted by phases: its list is that of the start, or of the step before it.
const STEPS: u64 = 3;

const PHASES: [(Phase, &str); 5] = [
    (Phase::Move, "move"),
    (Phase::Detect, "detect"),
    (Phase::Push, "push"),
    (Phase::Gather, "gather"),
    (Phase::Done, "done"),
];

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let count = arguments.take("count").unwrap_or(Count(10_000)).0;
    let ratio: f64 = arguments.take("ratio").unwrap_or(1.0);
    let fraction: f64 = arguments.take("fraction").unwrap_or(0.64);
    let swollen: f64 = arguments.take("swollen").unwrap_or(1.02);
    let settle: u64 = arguments.take("settle").unwrap_or(0);
    let before: u64 = arguments.take("before").unwrap_or(50);
    let steps: u64 = arguments.take("steps").unwrap_or(30);
    let name: String = arguments.take("integrator").unwrap_or_else(|| "verlet".to_owned());
    let saved: Option<String> = arguments.take("saved");
    let side: Option<f64> = arguments.take("side");
    let step: Option<f64> = arguments.take("step");
    arguments.finish();
    let integrator = if name == "plain" { Integrator::PlainVerlet } else { Integrator::Verlet };

    if let (Ok(stop), Some(saved), Some(side), Some(step)) = (std::env::var(STOP), saved, side, step) {
        let setup = Dense { side, step, grains: Vec::new(), falls: settle > 0 }.setup(integrator, None)?;
        let mut simulation = setup.resume(&std::fs::read(saved)?)?;
        let phase = PHASES.iter().find(|(_, name)| *name == stop).map(|(phase, _)| *phase);
        pool(1)?.install(|| match phase {
            None => simulation.run(stop.parse().unwrap_or(0)),
            Some(phase) => simulation.run(STEPS - 1).and_then(|()| {
                simulation.run_with(1, &mut |now| {
                    if now == phase {
                        exit(0)
                    }
                })
            }),
        })?;
        exit(0)
    }
    let system = Dense::new(count, ratio, fraction, swollen)?;
    let system = if settle > 0 { system.settled(settle)? } else { system };
    let mut simulation = system.simulation(integrator, None)?;
    simulation.run(before)?;
    let contacts = 2.0 * simulation.contact_count() as f64 / count as f64;
    let path = std::env::temp_dir().join(format!("step-instructions-{}", std::process::id()));
    std::fs::write(&path, simulation.encode())?;
    let counted = |stop: &str| {
        let shown = path.display().to_string();
        let (side, step, settle) = (system.side.to_string(), system.step.to_string(), settle.to_string());
        let more = ["--settle", &settle, "--integrator", &name, "--side", &side, "--step", &step];
        instructions(&[&["--saved", &shown][..], &more].concat(), stop)
    };
    let per_particle = |from: f64, to: f64, steps: u64| short((to - from) / (count as f64 * steps as f64));
    let mut table = Table::new(["phase", "instructions per particle"]);
    let at = PHASES.map(|(_, name)| counted(name));
    let at = at.into_iter().collect::<Result<Vec<f64>, _>>()?;
    for (k, (_, name)) in PHASES[..4].iter().enumerate() {
        table.row([(*name).to_owned(), per_particle(at[k], at[k + 1], 1)]);
    }
    table.row(["step that keeps its list".to_owned(), per_particle(at[0], at[4], 1)]);
    if steps > 0 {
        let (from, to) = (counted("0")?, counted(&steps.to_string())?);
        table.row(["step with its share of new lists".to_owned(), per_particle(from, to, steps)]);
    }
    std::fs::remove_file(&path)?;
    println!("{count} spheres, {contacts:.2} contacts each, one thread");
    println!("{table}");
    Ok(ExitCode::SUCCESS)
}
