//! Growth with a bar that shows how far it is.

use crate::failure::hinted;
use crate::progress::Progress;
use crate::table::three_digits;
use anyhow::Result;
use multigrain::System;
use multigrain_packings::{Grown, GrowthProgress};

/// The system that `growth` makes, which is to reach `packing_fraction`. Falling short of it is an error.
pub fn grow<const D: usize>(
    packing_fraction: f64,
    growth: impl FnOnce(&mut dyn FnMut(GrowthProgress) -> bool) -> Result<Grown<D>, multigrain::Error>,
) -> Result<System<D>> {
    let grown = grow_as_far(packing_fraction, growth)?;
    if grown.is_jammed {
        let reached = grown.progress.packing_fraction;
        return Err(hinted(
            format!("growth jams at a packing fraction of {reached:.4}, short of {packing_fraction}"),
            // A little less, so that the advice holds for other seeds too.
            format!("ask for less, at most {:.2}, or take another mixture of sizes", (reached - 0.01).max(0.0)),
        ));
    }
    Ok(grown.system)
}

/// The same, jammed or not.
pub fn grow_as_far<const D: usize>(
    packing_fraction: f64,
    growth: impl FnOnce(&mut dyn FnMut(GrowthProgress) -> bool) -> Result<Grown<D>, multigrain::Error>,
) -> Result<Grown<D>> {
    let bar = Progress::share("growing");
    let grown = growth(&mut |progress| {
        bar.show(progress.packing_fraction / packing_fraction, |elapsed| {
            let rate = progress.events as f64 / elapsed.as_secs_f64();
            format!(
                "{:.4} of {packing_fraction} filled, {} events per second",
                progress.packing_fraction,
                three_digits(rate)
            )
        });
        true
    })?;
    Ok(grown)
}
