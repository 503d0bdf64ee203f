//! `Detector`: any method by name, kept from call to call.

use crate::arguments;
use crate::arrays::{Bodies, groups_of};
use crate::domain::Domain;
use crate::errors::refused;
use crate::pairs::Pairs;
use crate::search::{Space, Wish, grouped, method_of};
use crate::threads;
use multigrain::{Axes, Dimension, Settings};
use multigrain_methods::Method;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Any method, kept from call to call: those that remember mend what they built in the last call, so that bodies that moved
/// little take less time.
///
/// Any call is right for any bodies, after any other. For which pairs came and went see :class:`Changes`.
///
/// Parameters
/// ----------
/// method : str, default "auto"
///     One of :func:`methods`.
/// cell_sizes, levels, direction, factor
///     As for :func:`find_pairs`.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> detector = mg.Detector("mmr", factor=2)
/// >>> detector.find_pairs([[0, 0], [1.5, 0]], [1.0, 0.8])
/// <Pairs: 1 contacts of 2 particles in 2D>
/// >>> detector
/// Detector('mmr', factor=2.0)
#[pyclass(frozen, module = "multigrain")]
pub struct Detector {
    method: Method,
    settings: Settings,
    cell_sizes: Option<Vec<f64>>,
    levels: Option<usize>,
    state: Mutex<State>,
}

/// Detectors of the engine, each made when bodies of its dimension first come.
#[derive(Default)]
struct State {
    flat: Option<Box<dyn multigrain::Detector<2>>>,
    solid: Option<Box<dyn multigrain::Detector<3>>>,
}

/// Where a detector of each dimension is kept.
trait Kept<const D: usize> {
    fn slot(&mut self) -> &mut Option<Box<dyn multigrain::Detector<D>>>;
}

impl Kept<2> for State {
    fn slot(&mut self) -> &mut Option<Box<dyn multigrain::Detector<2>>> {
        &mut self.flat
    }
}

impl Kept<3> for State {
    fn slot(&mut self) -> &mut Option<Box<dyn multigrain::Detector<3>>> {
        &mut self.solid
    }
}

#[pymethods]
impl Detector {
    #[new]
    #[pyo3(signature = (method="auto", *, cell_sizes=None, levels=None, direction=None, factor=None))]
    fn new(
        #[pyo3(from_py_with = arguments::method)] method: &str,
        cell_sizes: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::levels)] levels: Option<usize>,
        #[pyo3(from_py_with = arguments::direction)] direction: Option<&str>,
        factor: Option<f64>,
    ) -> PyResult<Self> {
        let settings = Wish::new(cell_sizes, levels, direction, factor, None)?.settings;
        let method = method_of(method)?;
        // What the method does not take is told at once.
        let nobody = multigrain::Snapshot::<3>::new(&[], &[]).map_err(refused)?;
        method.build_with(nobody, &settings).map_err(refused)?;
        let cell_sizes = cell_sizes.map(|sizes| sizes.extract()).transpose()?;
        Ok(Self { method, settings, cell_sizes, levels, state: Mutex::default() })
    }

    /// Name of the method.
    #[getter]
    fn method(&self) -> &'static str {
        self.method.name()
    }

    /// Every touching pair, exactly once.
    ///
    /// Parameters
    /// ----------
    /// centers, radii, margin, domain, groups
    ///     As for :func:`find_pairs`.
    ///
    /// Returns
    /// -------
    /// Pairs
    #[pyo3(signature = (centers, radii, margin=0.0, domain=None, *, groups=None))]
    fn find_pairs<'py>(
        &self,
        centers: &Bound<'py, PyAny>,
        radii: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'py, Domain>>,
        groups: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Pairs> {
        let space = Space::new(margin, domain);
        let groups = groups.map(groups_of).transpose()?;
        match space.bodies(centers, radii)? {
            bodies if bodies.dimension() == 2 => self.search::<2>(bodies, space, groups),
            bodies => self.search::<3>(bodies, space, groups),
        }
    }

    fn __repr__(&self) -> String {
        let mut text = format!("Detector('{}'", self.method.name());
        if let Some(sizes) = &self.cell_sizes {
            text += &format!(", cell_sizes={sizes:?}");
        }
        if let Some(levels) = self.levels {
            text += &format!(", levels={levels}");
        }
        if let Some(direction) = self.settings.direction {
            text += &format!(", direction='{}'", direction.name());
        }
        if let Some(factor) = self.settings.factor {
            text += &format!(", factor={factor:?}");
        }
        text + ")"
    }

    /// A copy has seen nothing yet.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let direction = self.settings.direction.map(|direction| direction.name());
        let parts = (self.method.name(), self.cell_sizes.clone(), self.levels, direction, self.settings.factor)
            .into_pyobject(py)?;
        Ok((py.import("multigrain._core")?.getattr("_detector_of")?, parts))
    }
}

/// A detector as it was made.
#[pyfunction]
pub fn _detector_of(
    method: &str,
    cell_sizes: Option<&Bound<'_, PyAny>>,
    levels: Option<usize>,
    direction: Option<&str>,
    factor: Option<f64>,
) -> PyResult<Detector> {
    Detector::new(method, cell_sizes, levels, direction, factor)
}

impl Detector {
    /// Held for moments only, never during a search.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn search<const D: usize>(
        &self,
        bodies: Bodies<'_>,
        space: Space,
        groups: Option<Bound<'_, PyArray1<u32>>>,
    ) -> PyResult<Pairs>
    where
        State: Kept<D>,
        Axes: Dimension<D>,
    {
        let engine = space.engine::<D>()?;
        let lent = bodies.lend()?;
        let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
        let groups = groups.as_ref().map(|groups| groups.readonly());
        let groups = groups.as_ref().map(|groups| groups.as_slice()).transpose()?;
        let found = threads::run(bodies.centers.py(), |stop| {
            let now = grouped(engine.snapshot(centers, radii)?, groups)?;
            let mut pairs = multigrain::Pairs::new();
            // Taken out for the search: a second thread meanwhile, and the next call after a stop, begins with a fresh one.
            let kept = Kept::<D>::slot(&mut *self.lock()).take();
            let mut detector = match kept {
                Some(kept) => kept,
                None => self.method.build_with(now, &self.settings)?,
            };
            if detector.find_pairs_until(now, &mut pairs, &|| stop.is_asked()) {
                *self.lock().slot() = Some(detector);
            }
            Ok(pairs.into_parts())
        })?;
        Pairs::new(found.map_err(refused)?, bodies, space)
    }
}
