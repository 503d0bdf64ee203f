//! Scenes of polygons, with pictures.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example polygon_scenes -- --scene drum --output out
//! ```
//!
//! Writes a page that plays the film (`drum.html`), first and last frame as SVG and PNG, and a series for ParaView
//! (`drum.pvd`). Prints how the work of sort-and-update goes down as grains come to rest.

use multigrain_dem::polygons::{PolygonScene, PolygonSimulation};
use multigrain_files::collection;
use multigrain_files::polygons::{Drawn, Film, View, WALL, color_of, png, svg, vtp};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::program::{Outcome, run};
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::timed;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
Scenes of polygons, with pictures

    --scene NAME     heap, drum, hopper or settling (heap)
    --grains N       grains (400)
    --seed N         seed (1)
    --frames N       frames of the film (100)
    --duration T     seconds to simulate (the scene's own)
    --threads N      threads (2)
    --output DIR     where pictures go (polygon-scenes)";

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let name: String = arguments.take("scene").unwrap_or_else(|| "heap".to_owned());
    let grains = arguments.take("grains").unwrap_or(Count(400)).0;
    let seed = arguments.take("seed").unwrap_or(1u64);
    let frames = arguments.take("frames").unwrap_or(Count(100)).0;
    let duration: Option<f64> = arguments.take("duration");
    let threads = arguments.take("threads").unwrap_or(2usize);
    let output: PathBuf = arguments.take("output").unwrap_or_else(|| PathBuf::from("polygon-scenes"));
    let Some(scene) = PolygonScene::named(&name, grains, seed) else {
        arguments.refuse(format!("--scene {name}: there are heap, drum, hopper and settling"));
    };
    arguments.finish();
    let scene = scene?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    fs::create_dir_all(output.join("vtp"))?;
    let [lo, hi] = scene.view;
    let view = View { lo, hi, width: 800 };
    let (elapsed, result) = timed(|| pool.install(|| film(scene, duration, frames, view, &output)));
    result.map_err(|error| error.to_string())?;
    println!("{name}: {} s of real time", short(elapsed.as_secs_f64()));
    Ok(ExitCode::SUCCESS)
}

fn film(
    scene: PolygonScene,
    duration: Option<f64>,
    frames: usize,
    view: View,
    output: &Path,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let name = scene.name;
    let mut simulation = scene.setup.build(scene.bodies)?;
    let steps = (duration.unwrap_or(scene.duration) / simulation.time_step()).round() as u64;
    println!("{name}: {} bodies, time step {:.2e} s, {steps} steps", simulation.len(), simulation.time_step());
    let mut film = Film::new(name, view);
    let mut series = Vec::new();
    let mut table = Table::new(["time", "kinetic", "contacts", "candidates", "exchanges/step", "features/candidate"]);
    for frame in 0..=frames {
        let mut exchanges = 0;
        let until = steps * frame as u64 / frames as u64;
        let from = steps * (frame as u64).saturating_sub(1) / frames as u64;
        for _ in from..until {
            simulation.step()?;
            exchanges += simulation.exchanges().unwrap_or(0);
        }
        let drawn = drawn(&simulation);
        film.frame(simulation.time(), &drawn);
        let file = format!("vtp/{name}-{frame:04}.vtp");
        fs::write(output.join(&file), vtp(&drawn))?;
        series.push((simulation.time(), file));
        if frame == 0 || frame == frames {
            let stage = if frame == 0 { "first" } else { "last" };
            fs::write(output.join(format!("{name}-{stage}.svg")), svg(&drawn, &view))?;
            fs::write(output.join(format!("{name}-{stage}.png")), png(&drawn, &view)?)?;
        }
        if frame > 0 && frame % (frames / 10).max(1) == 0 {
            let energies = simulation.energies();
            let candidates = simulation.candidate_count();
            let per_step = exchanges as f64 / (until - from).max(1) as f64;
            let features = simulation.feature_steps() as f64 / candidates.max(1) as f64;
            let numbers = [simulation.time(), energies.kinetic + energies.rotational];
            let counts = [simulation.contact_count(), candidates].map(|count| count.to_string());
            table.row(numbers.map(short).into_iter().chain(counts).chain([per_step, features].map(short)));
        }
    }
    println!("{table}");
    fs::write(output.join(format!("{name}.html")), film.page())?;
    fs::write(output.join(format!("{name}.pvd")), collection(&series))?;
    Ok(())
}

/// All bodies, grains colored by size, valued by speed.
fn drawn(simulation: &PolygonSimulation) -> Vec<Drawn<'_>> {
    let grains = || (0..simulation.len()).filter(|&k| !simulation.is_wall(k));
    let sizes = || grains().map(|k| simulation.body(k).polygon().radius());
    let (least, most) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    let draw = |k: usize| {
        let body = simulation.body(k);
        let ([x, y], _) = simulation.velocity(k);
        let size = body.polygon().radius();
        // Grains of one size are told apart by their corners.
        let grain = if most > 1.05 * least {
            color_of(size, least, most)
        } else {
            color_of(body.polygon().len() as f64, 4.0, 9.0)
        };
        Drawn { body, color: if simulation.is_wall(k) { WALL } else { grain }, value: x.hypot(y) }
    };
    (0..simulation.len()).map(draw).collect()
}
