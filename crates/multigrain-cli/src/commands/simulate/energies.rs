//! The rows of `energies.csv`: energies, momentum, stress, time step, drift, contacts, detection share.

use multigrain::{Axes, Dimension};
use multigrain_dem::{Simulation, Summary};
use std::fmt::Write as _;

/// Name of the table.
pub const FILE: &str = "energies.csv";

/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Components of a symmetric tensor: those along the axes first.
fn symmetric<const D: usize>() -> impl Iterator<Item = (usize, usize)> {
    (0..D).map(|i| (i, i)).chain((0..D).flat_map(|i| (i + 1..D).map(move |j| (i, j))))
}

/// Names of the columns.
pub fn head<const D: usize>(simulation: &Simulation<D>, summary: &Summary<D>) -> String
where
    Axes: Dimension<D>,
{
    let name = |(i, j): (usize, usize)| format!("{}{}", AXES[i], AXES[j]);
    let momentum: String = AXES[..D].iter().map(|axis| format!("p{axis},")).collect();
    let stress: String = symmetric::<D>().map(|at| format!("stress_{},", name(at))).collect();
    let shape = match simulation.strain() {
        None => String::new(),
        Some(_) => (0..D * D)
            .map(|k| format!("strain_{},", name((k / D, k % D))))
            .fold("volume,".to_owned(), |all, one| all + &one),
    };
    let more: String = more_columns(simulation, summary).iter().map(|(name, _)| format!("{name},")).collect();
    format!(
        "step,time,particles,translational,rotational,elastic,gravitational,total,dissipated,wall_work,{momentum}{stress}{shape}\
         time_step,energy_drift,changes,largest_overlap,contacts,wall_contacts,{more}detection_share\n"
    )
}

/// Columns that only some runs have, with what they say now.
fn more_columns<const D: usize>(simulation: &Simulation<D>, summary: &Summary<D>) -> Vec<(&'static str, String)>
where
    Axes: Dimension<D>,
{
    let mut columns = Vec::new();
    if simulation.bonds_made() > 0 {
        columns.push(("bonds", summary.bonds.to_string()));
        columns.push(("bonds_broken", (simulation.bonds_made() - summary.bonds).to_string()));
    }
    columns.extend(summary.mean_temperature().map(|mean| ("mean_temperature", mean.to_string())));
    columns
}

/// The row of this moment, with the drift of energy where there is one, after this many changes of the physics, by what is the same on all ranks and what was summed over them.
pub fn row<const D: usize>(
    simulation: &Simulation<D>,
    summary: &Summary<D>,
    drift: Option<f64>,
    changes: usize,
    detection_share: f64,
) -> String
where
    Axes: Dimension<D>,
{
    // Strings take whatever is written.
    let (totals, largest_overlap) = (&summary.totals, summary.largest_overlap);
    let energies = totals.energies();
    let mut row = format!("{},{},{}", simulation.steps(), simulation.time(), totals.particles);
    for value in [energies.translational, energies.rotational, energies.elastic, energies.gravitational] {
        let _ = write!(row, ",{value}");
    }
    for value in [energies.total(), totals.dissipated(), totals.wall_work()] {
        let _ = write!(row, ",{value}");
    }
    for component in &totals.momentum {
        let _ = write!(row, ",{}", component.value());
    }
    let stress = summary.stress(simulation.domain()).map_or([[f64::NAN; D]; D], |stress| stress.total());
    for (i, j) in symmetric::<D>() {
        let _ = write!(row, ",{}", 0.5 * (stress[i][j] + stress[j][i]));
    }
    if let Some(strain) = simulation.strain() {
        let _ = write!(row, ",{}", simulation.domain().volume());
        for value in strain.as_flattened() {
            let _ = write!(row, ",{value}");
        }
    }
    let _ = write!(row, ",{},{}", simulation.time_step(), drift.unwrap_or(f64::NAN));
    let _ = write!(row, ",{changes},{largest_overlap},{},{}", totals.contacts, totals.wall_contacts);
    for (_, value) in more_columns(simulation, summary) {
        let _ = write!(row, ",{value}");
    }
    let _ = writeln!(row, ",{detection_share:.4}");
    row
}
