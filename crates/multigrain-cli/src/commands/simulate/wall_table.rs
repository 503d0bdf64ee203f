//! The rows of `walls.csv`: force and torque on every wall, how far it is shifted, what it has lost by wear.

use super::growing_table::GrowingTable;
use anyhow::Result;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Simulation, Summary};
use std::path::Path;

/// Name of the table.
pub const FILE: &str = "walls.csv";

/// A wall of the scene, which may have several pieces.
struct Column {
    name: String,
    pieces: Vec<usize>,
    moves: bool,
    wears: bool,
}

/// The table of walls.
pub struct WallTable {
    table: GrowingTable,
    columns: Vec<Column>,
}

impl WallTable {
    /// A new table, or the old one of a run that goes on; none where there are no walls.
    pub fn open<const D: usize>(
        folder: &Path,
        simulation: &Simulation<D>,
        names: &[String],
        resumed_at: Option<u64>,
    ) -> Result<Option<Self>>
    where
        Axes: Dimension<D>,
    {
        let mut columns: Vec<Column> = Vec::new();
        for (piece, (wall, name)) in simulation.walls_at_start().iter().zip(names).enumerate() {
            let (moves, wears) = (wall.goes(), wall.wear.is_some());
            match columns.iter_mut().find(|column| column.name == *name) {
                Some(column) => column.pieces.push(piece),
                None => columns.push(Column { name: name.clone(), pieces: vec![piece], moves, wears }),
            }
        }
        if columns.is_empty() {
            return Ok(None);
        }
        let mut head = "step,time".to_owned();
        let axes = &["x", "y", "z"][..D];
        let turning = if D == 2 { &["z"][..] } else { axes };
        for Column { name, moves, wears, .. } in &columns {
            let mut add = |what: &str, of: &[&str]| {
                of.iter().for_each(|axis| head.push_str(&format!(",{name}_{what}{axis}")));
            };
            add("f", axes);
            add("t", turning);
            add("", if *moves { axes } else { &[] });
            add("wear", if *wears { &[""] } else { &[] });
        }
        let table = GrowingTable::open(folder, FILE, head + "\n", resumed_at)?;
        Ok(Some(Self { table, columns }))
    }

    /// Adds the row of this moment, by what is the same on all ranks and what was summed over them.
    pub fn add<const D: usize>(&mut self, simulation: &Simulation<D>, summary: &Summary<D>) -> Result<()>
    where
        Axes: Dimension<D>,
    {
        let (forces, torques) = (summary.wall_forces(), summary.wall_torques());
        let (shifts, wear) = (simulation.wall_shifts(), simulation.wall_wear());
        let mut row = format!("{},{}", simulation.steps(), simulation.time());
        for Column { pieces, moves, wears, .. } in &self.columns {
            let sum = |of: &dyn Fn(usize) -> f64| pieces.iter().map(|&piece| of(piece)).sum::<f64>();
            let mut values: Vec<f64> = (0..D).map(|axis| sum(&|piece| forces[piece][axis])).collect();
            values.extend((if D == 2 { 2 } else { 0 }..3).map(|axis| sum(&|piece| torques[piece][axis])));
            if *moves {
                values.extend(shifts[pieces[0]]);
            }
            if *wears {
                values.push(sum(&|piece| wear[piece]));
            }
            values.iter().for_each(|value| row.push_str(&format!(",{value}")));
        }
        row.push('\n');
        self.table.add_row(&row)
    }

    /// Waits until the disk has all rows.
    pub fn sync(&self) -> Result<()> {
        self.table.sync()
    }
}
