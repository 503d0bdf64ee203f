//! `find_pairs_each`: many systems in one call.

use crate::arguments;
use crate::arrays::Lent;
use crate::errors::refused;
use crate::pairs::Pairs;
use crate::search::{EngineSpace, Space, method_of};
use crate::system::System;
use crate::threads::{self, Stop};
use multigrain::{Axes, Dimension, Error};
use multigrain_methods::Method;
use pyo3::prelude::*;
use rayon::prelude::*;

/// One search of many, as threads take it.
struct Job<'a, const D: usize> {
    space: EngineSpace<D>,
    centers: &'a [[f64; D]],
    radii: &'a [f64],
}

/// A search in the plane or in space.
enum Either<'a> {
    D2(Job<'a, 2>),
    D3(Job<'a, 3>),
}

/// What it found.
enum FoundPairs {
    D2(Parts<2>),
    D3(Parts<3>),
}

/// Pairs, and shifts where there are images.
type Parts<const D: usize> = (Vec<[u32; 2]>, Vec<[i32; D]>);

/// The touching pairs of each of many systems: systems are shared among threads, so that many small ones take less time than in a
/// loop.
///
/// Parameters
/// ----------
/// systems : sequence of System
///     Each in its own domain; in the plane or in space.
/// method, margin
///     As for :func:`find_pairs`.
///
/// Returns
/// -------
/// list of Pairs
///     In the order of the systems.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> systems = [mg.pack(law="mono", count=100, packing_fraction=0.5, seed=seed) for seed in range(8)]
/// >>> found = mg.find_pairs_each(systems)
/// >>> len(found), found[3] == systems[3].find_pairs()
/// (8, True)
#[pyfunction]
#[pyo3(signature = (systems, method="auto", margin=0.0))]
pub fn find_pairs_each<'py>(
    py: Python<'py>,
    systems: Vec<Bound<'py, System>>,
    #[pyo3(from_py_with = arguments::method)] method: &str,
    #[pyo3(from_py_with = arguments::margin)] margin: f64,
) -> PyResult<Vec<Pairs>> {
    let method = method_of(method)?;
    let bodies: Vec<_> = systems.iter().map(|system| system.get().bodies(py)).collect();
    let spaces: Vec<_> =
        systems.iter().map(|system| Space { margin, domain: system.get().domain_ref().cloned() }).collect();
    let lent: Vec<Lent<'_>> = bodies.iter().map(|bodies| bodies.lend()).collect::<PyResult<_>>()?;
    let jobs = bodies.iter().zip(&spaces).zip(&lent).map(|((bodies, space), lent)| {
        Ok(match bodies.dimension() {
            2 => Either::D2(Job { space: space.engine()?, centers: lent.centers()?, radii: lent.radii()? }),
            _ => Either::D3(Job { space: space.engine()?, centers: lent.centers()?, radii: lent.radii()? }),
        })
    });
    let jobs: Vec<Either<'_>> = jobs.collect::<PyResult<_>>()?;
    let found = threads::run(py, |stop| {
        jobs.par_iter()
            .map(|job| match job {
                Either::D2(job) => job.search(method, stop).map(FoundPairs::D2),
                Either::D3(job) => job.search(method, stop).map(FoundPairs::D3),
            })
            .collect::<Result<Vec<FoundPairs>, Error>>()
    })?
    .map_err(refused)?;
    drop(jobs);
    drop(lent);
    let all = found.into_iter().zip(bodies).zip(spaces).map(|((found, bodies), space)| match found {
        FoundPairs::D2(parts) => Pairs::new(parts, bodies, space),
        FoundPairs::D3(parts) => Pairs::new(parts, bodies, space),
    });
    all.collect()
}

impl<const D: usize> Job<'_, D>
where
    Axes: Dimension<D>,
{
    /// On this thread alone: others have systems of their own.
    fn search(&self, method: Method, stop: &Stop) -> Result<Parts<D>, Error> {
        let now = self.space.snapshot(self.centers, self.radii)?;
        let mut pairs = multigrain::Pairs::new();
        multigrain::on_this_thread(|| {
            method.build(now)?.find_pairs_until(now, &mut pairs, &|| stop.is_asked());
            Ok(pairs.into_parts())
        })
    }
}
