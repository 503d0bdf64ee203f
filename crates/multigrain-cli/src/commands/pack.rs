//! `multigrain pack`: makes a particle system.

use super::growing::grow;
use super::relaxing::relax;
use crate::failure::say;
use crate::memory;
use crate::output;
use crate::plan::{PackPlan, Placement, periodic_axes};
use crate::table::count;
use anyhow::Result;
use multigrain::System;
use multigrain_files::{Particles, Target};
use multigrain_packings as scenes;
use serde::Serialize;

/// The JSON object.
#[derive(Debug, Serialize)]
struct Report<'a> {
    particles: usize,
    dimension: usize,
    packing_fraction: f64,
    #[serde(rename = "box")]
    bounds: Vec<f64>,
    seed: u64,
    law: &'a str,
}

/// Makes, writes, reports.
pub fn run(plan: &PackPlan) -> Result<()> {
    match plan.dimension {
        2 => pack::<2>(plan),
        _ => pack::<3>(plan),
    }
}

fn pack<const D: usize>(plan: &PackPlan) -> Result<()> {
    let system = place::<D>(plan)?;
    let (lo, hi) = (system.domain.lo(), system.domain.hi());
    let report = Report {
        particles: system.radii.len(),
        dimension: D,
        packing_fraction: system.packing_fraction(),
        bounds: (0..D).flat_map(|axis| [lo[axis], hi[axis]]).collect(),
        seed: plan.seed,
        law: &plan.law_name,
    };
    let System { centers, radii, domain } = system;
    let particles = Particles { centers, radii, domain: Some(domain) };
    if let Some((target, format)) = &plan.output {
        target.write(|out| format.write(out, &particles))?;
        if !format.carries_box() && domain.has_images() {
            let bounds: Vec<String> = report.bounds.iter().map(f64::to_string).collect();
            say(&format!("note: the file does not hold the box; detect with --box {}", bounds.join(",")));
        }
        if let (Target::File(path), false) = (target, plan.json) {
            say(&format!("{} particles written to {}", count(report.particles as u64), path.display()));
        }
    }
    if plan.json { output::print(&serde_json::to_string(&report)?) } else { Ok(()) }
}

fn place<const D: usize>(plan: &PackPlan) -> Result<System<D>> {
    let periodic = periodic_axes(plan.periodic)?;
    memory::ensure("particles", plan.count as u64, size_of::<[f64; D]>() + size_of::<f64>())?;
    let mut radii = plan.law.sample(plan.count, D);
    for radius in &mut radii {
        *radius *= plan.unit;
    }
    Ok(match &plan.placement {
        Placement::Random { packing_fraction } => scenes::random(radii, *packing_fraction, periodic, plan.seed)?,
        Placement::Lattice { packing_fraction } => {
            scenes::lattice_at_packing_fraction(radii, *packing_fraction, periodic, plan.seed)?
        }
        Placement::Growth { packing_fraction, relax: collisions } => {
            let grown =
                grow(*packing_fraction, |watch| scenes::growth(radii, *packing_fraction, periodic, plan.seed, watch))?;
            match collisions {
                Some(collisions) => relax(grown, *collisions, plan.seed)?,
                None => grown,
            }
        }
        Placement::SpacedLattice { spacing } => {
            scenes::lattice(radii, std::array::from_fn(|axis| spacing[axis]), periodic, plan.seed)?
        }
    })
}
