//! What a mesh costs: spheres on a floor of many triangles beside the same spheres on a plane.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example mesh_share                # 1e5 triangles, 1e5 spheres
//! ```
//!
//! The floor is flat, so both simulations have the same contacts; what one takes longer is what triangles cost. Spheres lie in layers,
//! each in the hollows of the one below, and touch from the start on. Both take turns, on one thread; processor time, medians of
//! rounds. The mesh may cost half of the step at most. `--layers 1` lets every sphere lie on the mesh. With `--bumps` the floor is
//! uneven, and the plane lies below it: there is nothing to compare with but the time itself.

use multigrain::Rng;
use multigrain_dem::{ContactLaw, Grain, Material, Setup, Simulation, Skin, Wall};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::clock::Clock;
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_meshes::Surface;
use std::process::ExitCode;

const USAGE: &str = "\
What a mesh costs in a step

    --triangles N   of the floor (1e5)
    --count N       spheres (1e5)
    --layers N      how deep they lie (5)
    --steps N       steps of a round (20)
    --rounds N      rounds (5)
    --before N      steps before them (300)
    --bumps X       height of bumps of the floor, in radii (0)";

/// How deep spheres of one layer sit in those below, and how far apart those of a layer lie.
const SPACING: f64 = 2.06;
const TOUCH: f64 = 1.999;

fn main() -> ExitCode {
    match engine::pool(1) {
        Ok(one_thread) => one_thread.install(|| run(program)),
        Err(error) => run(|| Err(error.into())),
    }
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let triangles = arguments.take("triangles").unwrap_or(Count(100_000)).0;
    let count = arguments.take("count").unwrap_or(Count(100_000)).0;
    let layers: usize = arguments.take("layers").unwrap_or(5);
    let steps: u64 = arguments.take("steps").unwrap_or(20);
    let rounds: usize = arguments.take("rounds").unwrap_or(5);
    let before: u64 = arguments.take("before").unwrap_or(300);
    let bumps: f64 = arguments.take("bumps").unwrap_or(0.0);
    arguments.finish();

    let across = ((count / layers) as f64).sqrt().ceil() as usize;
    let side = SPACING * (across as f64 + 0.5);
    let rise = (TOUCH * TOUCH - 0.5 * SPACING * SPACING).sqrt();
    let mut rng = Rng::new(1);
    let grains: Vec<Grain<3>> = (0..count)
        .map(|k| {
            let (layer, place) = (k / (across * across), k % (across * across));
            let mut along = |k: usize| {
                let hollow = if layer % 2 == 0 { 0.0 } else { 0.5 };
                SPACING * (0.5 + hollow + k as f64) + 0.01 * (rng.uniform() - 0.5)
            };
            let (x, y) = (along(place % across), along(place / across));
            Grain::at([x, y, TOUCH / 2.0 + rise * layer as f64 + bumps], 1.0)
        })
        .collect();
    let floor = floor(triangles, side, bumps)?;
    let of = |wall: Wall<3>| -> Result<Simulation<3>, multigrain_dem::Error> {
        let around = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(|normal| Wall::plane([0.0; 3], normal));
        let back = [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]].map(|normal| Wall::plane([side; 3], normal));
        let law = ContactLaw::linear(1e4).restitution(0.5).friction(0.5);
        let setup = around.into_iter().chain(back).fold(Setup::new(), Setup::wall).wall(wall);
        let setup = setup.material(Material::new(1.0, law)).gravity([0.0, 0.0, -1.0]).skin(Skin::Chosen);
        let mut simulation = setup.build(grains.clone())?;
        simulation.run(before)?;
        Ok(simulation)
    };
    let mut both = [of(Wall::mesh(floor))?, of(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))?];
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        for (simulation, times) in both.iter_mut().zip(&mut times) {
            let (taken, outcome) = Clock::Processor.time(|| simulation.run(steps));
            outcome?;
            times.push(taken / steps as f64);
        }
    }
    let [mesh, plane] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    for (name, simulation) in ["mesh", "plane"].iter().zip(&both) {
        let at_floor = simulation.wall_contacts().iter().filter(|touch| touch.wall == 4).count();
        println!("{name}: {} contacts of spheres, {at_floor} with the floor", simulation.contact_count());
    }
    let share = (mesh - plane) / mesh;
    println!(
        "a step with the mesh {:.2} ms, with the plane {:.2} ms: the mesh is {share:.3} of it",
        1e3 * mesh,
        1e3 * plane
    );
    Ok(verdict(share <= 0.5))
}

/// A square of about so many triangles, all of it flat or with bumps.
fn floor(triangles: usize, side: f64, bumps: f64) -> Result<Surface<3>, multigrain_meshes::MeshError> {
    let cells = ((triangles / 2) as f64).sqrt().ceil() as usize;
    let mut rng = Rng::new(2);
    let corners = (0..(cells + 1) * (cells + 1)).map(|k| {
        let [x, y] = [k % (cells + 1), k / (cells + 1)].map(|k| side * k as f64 / cells as f64);
        [x, y, bumps * rng.uniform()]
    });
    let faces = (0..cells * cells).flat_map(|k| {
        let first = (k / cells * (cells + 1) + k % cells) as u32;
        let next = first + cells as u32 + 1;
        [[first, first + 1, next + 1], [first, next + 1, next]]
    });
    Ok(Surface::new(corners.collect(), faces)?.0)
}
