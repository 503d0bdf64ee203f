//! The free cooling of the papers: a gas of discs that loses energy, detection in every step, no skin.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example free_cooling
//! ```
//!
//! 10,000 discs, size ratio 20, uniform volumes, packing fraction 0.4, held by walls. Counts the work of `hgrid-cells` with the
//! paper's five levels and with one, which must be 25 times as much; takes the time of whole runs with one level and with
//! tuned levels, for `hgrid-cells` and for `hgrid`, and with `auto`. All runs must end in the same state, bit for bit.

use multigrain::sizes::SizeLaw;
use multigrain::{LevelChoice, Pairs, Settings};
use multigrain_dem::{ContactLaw, Error, Material, Setup, Skin, Wall};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::engine::pool;
use multigrain_lab::gas::{Gas, Seconds};
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_methods::Method;
use std::process::ExitCode;

const USAGE: &str = "\
Free cooling of discs: counted work and time with one level and with several

    --count N    discs (1e4)
    --steps N    steps of each run (300)";

/// Cell sizes of the paper, in units of the smallest radius.
const PAPER: [f64; 5] = [4.0, 7.9, 15.1, 27.2, 40.0];

/// Cost of a cell over that of a candidate.
const K: f64 = 0.2;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let count = arguments.take("count").unwrap_or(Count(10_000)).0;
    let steps: u64 = arguments.take("steps").unwrap_or(300);
    arguments.finish();
    Ok(verdict(pool(1)?.install(|| measure(count, steps))?))
}

/// Whether everything that must hold does.
fn measure(count: usize, steps: u64) -> Result<bool, Error> {
    let mut gas = Gas::<2>::new(&SizeLaw::power(-3.0, 20.0)?, count, 0.4, false, 1)?;
    // Two of the smallest then overlap by about a hundredth of their radius.
    gas.heat(0.01, 2);
    let setup = Setup::new()
        .material(Material::new(1.0 / std::f64::consts::PI, ContactLaw::linear(1.0).restitution(0.9)))
        .wall(Wall::inside_box([0.0; 2], gas.sides));
    let mut start = setup.clone().build(gas.grains)?;
    start.run(2000)?;
    let bytes = start.encode();
    println!(
        "{count} discs in a box of {:.0}, {} contacts, time step {:.4}",
        gas.sides[0],
        start.contact_count(),
        start.time_step()
    );

    let levels = |cell_sizes: &[f64]| Settings::default().with_levels(LevelChoice::CellSizes(cell_sizes.to_vec()));
    let now = start.state().snapshot(Default::default())?;
    let mut work = [0.0; 2];
    for (k, sizes) in [&PAPER[..], &PAPER[4..]].into_iter().enumerate() {
        let counted = Method::HGridCells.build_with(now, &levels(sizes))?.count_work(now, &mut Pairs::new());
        work[k] = counted.candidates as f64 + K * counted.cells as f64;
        println!(
            "hgrid-cells, {} levels: {} candidates, {} cells, work {:.0}",
            sizes.len(),
            counted.candidates,
            counted.cells,
            work[k]
        );
    }
    let ratio = work[1] / work[0];
    println!("counted work of one level over five: {ratio:.1} (paper's model 35, wanted 25)\n");

    let runs = [
        ("auto", Method::Auto, Settings::default(), Skin::None),
        ("hgrid-cells, five levels", Method::HGridCells, levels(&PAPER), Skin::None),
        ("hgrid-cells, one level", Method::HGridCells, levels(&PAPER[4..]), Skin::None),
        ("hgrid, tuned levels", Method::HGrid, Settings::default(), Skin::None),
        ("hgrid, one level", Method::HGrid, levels(&PAPER[4..]), Skin::None),
        ("auto with a chosen skin, for comparison", Method::Auto, Settings::default(), Skin::Chosen),
    ];
    let mut ends = Vec::new();
    let mut seconds = Vec::new();
    for (name, method, settings, skin) in runs {
        let mut simulation = setup.clone().method(method).settings(settings).skin(skin).resume(&bytes)?;
        simulation.run(steps / 10)?;
        let taken = Seconds::of(&mut simulation, steps)?;
        println!("{name}: {}", taken.line(count as f64 * steps as f64));
        ends.push(simulation.state().fingerprint());
        seconds.push(taken.total());
    }
    println!("\nwhole run, one level over five, hgrid-cells: {:.1} (paper 9.9)", seconds[2] / seconds[1]);
    println!("whole run, one level over tuned ones, hgrid: {:.1}", seconds[4] / seconds[3]);
    let all_same = ends.iter().all(|end| *end == ends[0]);
    println!("all runs end in the same state: {all_same}");
    Ok(ratio >= 25.0 && all_same)
}
