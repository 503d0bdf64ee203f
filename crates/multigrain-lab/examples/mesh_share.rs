//! What a mesh costs: spheres on a floor of many triangles beside the same spheres on a plane.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example mesh_share                # 1e5 triangles, 1e5 spheres
//! ```
//!
//! The floor is flat, so both simulations have the same contacts; what one takes longer is what triangles cost. Both take turns, on one
//! thread; processor time, medians of rounds. The mesh may cost half of the step at most. With `--bumps` the floor is uneven, and the
//! plane lies below it: there is nothing to compare with but the time itself.

use multigrain::Rng;
use multigrain_dem::{ContactLaw, Grain, Material, Setup, Simulation, Skin, Wall};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::clock::Clock;
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

fn main() -> ExitCode {
    run(program)
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
    let side = 2.1 * across as f64;
    let mut rng = Rng::new(1);
    let grains: Vec<Grain<3>> = (0..count)
        .map(|k| {
            let (layer, place) = (k / (across * across), k % (across * across));
            let shake = |rng: &mut Rng| 0.04 * (rng.uniform() - 0.5);
            let [x, y, z] = [place % across, place / across, layer].map(|k| 1.05 + 2.1 * k as f64);
            Grain::at([x + shake(&mut rng), y + shake(&mut rng), z + bumps], 1.0)
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
