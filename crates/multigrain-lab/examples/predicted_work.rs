//! Predicted against counted work of the hierarchical grids, for every data set: `hgrid` against its own model with the
//! levels it chooses, `hgrid-cells` against the papers' model with optimal levels.

use multigrain::System;
use multigrain::detectors::HierarchicalGrid;
use multigrain::tuning::{Distribution, RowModel};
use multigrain::{Detector, Direction, Error, LevelChoice, Pairs, Settings, Work};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_lab::table::{Table, short};
use multigrain_methods::Method;
use multigrain_packings::DataSet;
use multigrain_papers::tuning::{CostModel, Spacing};
use std::process::ExitCode;

const USAGE: &str = "\
cargo run --release -p multigrain-lab --example predicted_work -- [--count N]

  --count N   bodies, 1e6 by default";

/// How far counted work may be from that predicted: of `hgrid`, and of `hgrid-cells`.
const BARS: [f64; 2] = [0.05, 0.03];

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let count = arguments.take::<Count>("count").map_or(1_000_000, |count| count.0);
    arguments.finish();
    let head = ["set", "method", "cell sizes", "cells", "predicted", "off", "candidates", "predicted", "off"];
    let mut table = Table::new(head);
    let mut holds = true;
    for set in DataSet::ALL {
        let system = set.build_periodic(count, 1)?;
        for (line, bar) in [fast(&system)?, of_the_papers(&system)?].into_iter().zip(BARS) {
            holds &= line.rows.is_within(bar) && line.candidates.is_within(bar);
            let mut cells = vec![set.name.to_owned(), line.method.to_owned(), line.cell_sizes];
            cells.extend(line.rows.shown().into_iter().chain(line.candidates.shown()));
            table.row(cells);
        }
    }
    println!("{count} bodies in a periodic box, work per body\n{table}");
    Ok(verdict(holds))
}

/// A count per body, and its prediction.
struct Compared {
    counted: f64,
    predicted: f64,
}

impl Compared {
    fn off(&self) -> f64 {
        self.predicted / self.counted - 1.0
    }

    fn is_within(&self, bar: f64) -> bool {
        self.off().abs() < bar
    }

    fn shown(&self) -> [String; 3] {
        [short(self.counted), short(self.predicted), format!("{:+.2} %", 100.0 * self.off())]
    }
}

/// What one method did on one set.
struct Line {
    method: &'static str,
    cell_sizes: String,
    rows: Compared,
    candidates: Compared,
}

impl Line {
    fn new<D: Detector<3> + ?Sized>(
        method: Method,
        system: &System<3>,
        grid: &mut D,
        predicted: [f64; 2],
    ) -> Result<Self, Error> {
        let Work { cells, candidates } = grid.count_work(system.snapshot()?, &mut Pairs::new());
        let compared = |counted: u64, predicted: f64| {
            let counted = counted as f64 / system.radii.len() as f64;
            Compared { counted, predicted }
        };
        let sizes: Vec<String> = grid.layout().cell_sizes.iter().map(|&size| short(size)).collect();
        Ok(Self {
            method: method.name(),
            cell_sizes: sizes.join(" "),
            rows: compared(cells, predicted[0]),
            candidates: compared(candidates, predicted[1]),
        })
    }
}

fn fast(system: &System<3>) -> Result<Line, Error> {
    let sizes = Distribution::of_radii(&system.radii)?;
    let model = RowModel::in_box(&sizes, system.radii.len(), system.domain.lengths(), [true; 3])?;
    let tuned = model.tune(None)?;
    let work = model.predict(&tuned.levels).work;
    let mut grid = HierarchicalGrid::with_levels(tuned.levels, tuned.direction);
    Line::new(Method::HGrid, system, &mut grid, [work.rows, work.candidates])
}

fn of_the_papers(system: &System<3>) -> Result<Line, Error> {
    let sizes = Distribution::of_radii(&system.radii)?;
    let model = CostModel::in_box(&sizes, system.radii.len(), system.domain.lengths(), [true; 3])?;
    let best = Spacing::Optimal.tune(&model, None)?;
    let settings = Settings::default()
        .with_direction(Direction::TopDown)
        .with_levels(LevelChoice::CellSizes(best.cell_sizes.clone()));
    let mut grid = Method::HGridCells.build_with(system.snapshot()?, &settings)?;
    let predicted = [best.cells_per_particle, best.candidates_per_particle];
    Line::new(Method::HGridCells, system, &mut *grid, predicted)
}
