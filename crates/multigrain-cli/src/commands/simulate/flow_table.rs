//! The rows of `flows.csv`: what came, went and passed so far, and how fast since the row before.

use super::growing_table::GrowingTable;
use anyhow::Result;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Simulation, Summary};
use std::path::Path;

/// Name of the table.
pub const FILE: &str = "flows.csv";

/// The table of flows.
pub struct FlowTable {
    table: GrowingTable,
    /// Time of the row before, and all masses then.
    before: Option<(f64, Vec<f64>)>,
}

impl FlowTable {
    /// A new table, or the old one of a run that goes on; none where nothing comes, goes or is counted.
    pub fn open(folder: &Path, names: &[String], resumed_at: Option<u64>) -> Result<Option<Self>> {
        if names.is_empty() {
            return Ok(None);
        }
        let columns: String = names.iter().map(|name| format!(",{name}_grains,{name}_mass,{name}_flow")).collect();
        let table = GrowingTable::open(folder, FILE, format!("step,time{columns}\n"), resumed_at)?;
        let before = table.last_row().and_then(|row| {
            let values: Option<Vec<f64>> = row.split(',').map(|value| value.parse().ok()).collect();
            let values = values?;
            Some((*values.get(1)?, values.iter().skip(3).step_by(3).copied().collect()))
        });
        Ok(Some(Self { table, before }))
    }

    /// Adds the row of this moment, by what is the same on all ranks and what was summed over them.
    pub fn add<const D: usize>(&mut self, simulation: &Simulation<D>, summary: &Summary<D>) -> Result<()>
    where
        Axes: Dimension<D>,
    {
        let made = simulation.made().iter().map(|made| (made.grains as i64, made.mass));
        // Outflows, then meters.
        let passed = summary.totals.passed.iter().map(|passed| (passed.grains, passed.mass.value()));
        let (time, mut masses) = (simulation.time(), Vec::new());
        let mut row = format!("{},{time}", simulation.steps());
        for (k, (grains, mass)) in made.chain(passed).enumerate() {
            let flow = match &self.before {
                Some((then, before)) if time > *then && before.len() > k => (mass - before[k]) / (time - then),
                _ => 0.0,
            };
            row.push_str(&format!(",{grains},{mass},{flow}"));
            masses.push(mass);
        }
        row.push('\n');
        self.before = Some((time, masses));
        self.table.add_row(&row)
    }

    /// Waits until the disk has all rows.
    pub fn sync(&self) -> Result<()> {
        self.table.sync()
    }
}
