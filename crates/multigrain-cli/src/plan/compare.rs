//! What `multigrain compare` is to do.

use super::Space;
use crate::flags::CompareFlags;
use multigrain::Snapshot;
use multigrain_files::Input;
use multigrain_methods::{Candidates, Method};

/// Particles up to which brute force takes part: more take longer than a second.
const MAX_PARTICLES_BY_BRUTE_FORCE: usize = 20_000;

/// Candidates that a method with cells of one size may test before it is left out: about a quarter of a minute.
const MAX_CANDIDATES: f64 = 1e10;

/// Methods side by side on one input.
#[derive(Debug)]
pub struct ComparePlan {
    /// Where the particles come from.
    pub input: Input,
    /// Methods asked for; `None` for all that finish in time.
    pub methods: Option<Vec<Method>>,
    /// The space the particles are in.
    pub space: Space,
    /// Rounds.
    pub repeat: u32,
    /// Whether to print JSON.
    pub json: bool,
}

impl ComparePlan {
    /// From flags.
    pub fn from_flags(flags: CompareFlags) -> Self {
        let methods = flags.methods.map(|mut methods| {
            let mut seen = Vec::new();
            methods.retain(|method| {
                !seen.contains(method) && {
                    seen.push(*method);
                    true
                }
            });
            methods
        });
        Self {
            input: Input::from_flag(&flags.input),
            methods,
            space: Space::from_flags(&flags.space),
            repeat: flags.repeat,
            json: flags.json,
        }
    }

    /// Every method in question, with the reason where it is left out. Those asked for by name always run.
    pub fn choose<const D: usize>(&self, now: &Snapshot<'_, D>) -> Vec<(Method, Option<String>)> {
        match &self.methods {
            Some(methods) => methods.iter().map(|&method| (method, None)).collect(),
            None => Method::ALL.iter().map(|&method| (method, too_slow(method, now))).collect(),
        }
    }
}

/// Why a method is left out, if it would take far too long.
fn too_slow<const D: usize>(method: Method, now: &Snapshot<'_, D>) -> Option<String> {
    match method.candidates() {
        Candidates::EveryPair if now.len() > MAX_PARTICLES_BY_BRUTE_FORCE => {
            Some(format!("left out above {MAX_PARTICLES_BY_BRUTE_FORCE} particles"))
        }
        Candidates::OneSize => {
            let candidates = one_size_candidates(now);
            (candidates > MAX_CANDIDATES).then(|| format!("left out: about {candidates:.0e} candidates"))
        }
        _ => None,
    }
}

/// Candidates with cells of one size if the particles fill their extent evenly: half of those in a particle's own and the
/// neighbouring cells.
fn one_size_candidates<const D: usize>(now: &Snapshot<'_, D>) -> f64 {
    if now.nothing_can_touch() {
        return 0.0;
    }
    let count = now.len() as f64;
    let mut cells = 1.0;
    let mut neighborhood = 1.0;
    for axis in 0..D {
        let along = (now.extent().hi[axis] - now.extent().lo[axis]) / now.largest_reach();
        cells *= along.max(1.0);
        neighborhood *= along.clamp(1.0, 3.0);
    }
    count * count * neighborhood / cells / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_predicted_from_the_cells() {
        // 20 x 20 cells of size 1 with 4 bodies each: half of 9 cells, or of all pairs where one body fills everything.
        let centers: Vec<[f64; 2]> =
            (0..1600).map(|k| [(k % 40) as f64 * 20.0 / 39.0, (k / 40) as f64 * 20.0 / 39.0]).collect();
        let mut radii = vec![0.5; 1600];
        let predicted = one_size_candidates(&Snapshot::new(&centers, &radii).unwrap());
        assert!((predicted - 1600.0 * 18.0).abs() < 1.0, "{predicted}");
        radii[0] = 100.0;
        let predicted = one_size_candidates(&Snapshot::new(&centers, &radii).unwrap());
        assert_eq!(predicted, 1600.0 * 1600.0 / 2.0);
    }
}
