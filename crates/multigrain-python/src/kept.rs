//! Detectors that are kept from call to call: what `Detector` and `HierarchicalGrid` have in common.

use crate::arrays::{Bodies, groups_of};
use crate::errors::refused;
use crate::pairs::Pairs;
use crate::search::{EngineSpace, Space, grouped};
use crate::threads::{self, Size, lock};
use multigrain::{Axes, Detector, Dimension, Error, Snapshot};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use std::sync::Mutex;

/// Detectors of the engine, each made when bodies of its dimension first come. Held for moments only, never during a search: a pool
/// thread that waits for parts of one search may begin another.
#[derive(Default)]
pub struct KeptDetectors {
    d2: Mutex<Option<Box<dyn Detector<2>>>>,
    d3: Mutex<Option<Box<dyn Detector<3>>>>,
}

/// How a detector is made, and what is noted of a search.
pub trait Keeper: Sync {
    /// Where its detectors are.
    fn kept(&self) -> &KeptDetectors;

    fn build<const D: usize>(&self, now: Snapshot<'_, D>) -> Result<Box<dyn Detector<D>>, Error>
    where
        Axes: Dimension<D>;

    /// How large a search is, where that decides who does it.
    fn size<const D: usize>(&self, engine: &EngineSpace<D>, centers: &[[f64; D]], radii: &[f64]) -> Size
    where
        Axes: Dimension<D>;

    /// A search is done.
    fn note<const D: usize>(&self, _detector: &dyn Detector<D>, _particles: usize, _contacts: usize) {}

    /// Every touching pair, exactly once.
    fn find<'py>(
        &self,
        centers: &Bound<'py, PyAny>,
        radii: &Bound<'py, PyAny>,
        space: Space,
        groups: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Pairs> {
        let groups = groups.map(groups_of).transpose()?;
        match space.bodies(centers, radii)? {
            bodies if bodies.dimension() == 2 => self.search::<2>(&self.kept().d2, bodies, space, groups),
            bodies => self.search::<3>(&self.kept().d3, bodies, space, groups),
        }
    }

    fn search<const D: usize>(
        &self,
        slot: &Mutex<Option<Box<dyn Detector<D>>>>,
        bodies: Bodies<'_>,
        space: Space,
        groups: Option<Bound<'_, PyArray1<u32>>>,
    ) -> PyResult<Pairs>
    where
        Axes: Dimension<D>,
    {
        let engine = space.engine::<D>()?;
        let lent = bodies.lend()?;
        let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
        let groups = groups.as_ref().map(|groups| groups.readonly());
        let groups = groups.as_ref().map(|groups| groups.as_slice()).transpose()?;
        let size = self.size(&engine, centers, radii);
        let found = threads::run_by_size(bodies.centers.py(), size, |stop| {
            let now = grouped(engine.snapshot(centers, radii)?, groups)?;
            let mut pairs = multigrain::Pairs::new();
            // Taken out for the search: a second thread meanwhile, and the next call after a stop or a panic, begins with a fresh one.
            let kept = lock(slot).take();
            let mut detector = match kept {
                Some(kept) => kept,
                None => self.build(now)?,
            };
            if detector.find_pairs_until(now, &mut pairs, &|| stop.is_asked()) {
                self.note(&*detector, now.len(), pairs.len());
                *lock(slot) = Some(detector);
            }
            Ok(pairs.into_parts())
        })?;
        Pairs::new(found.map_err(refused)?, bodies, space)
    }
}
