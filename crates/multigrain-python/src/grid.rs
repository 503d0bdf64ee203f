//! `HierarchicalGrid`: the fast grid with levels of one's own, kept from call to call.

use crate::arguments;
use crate::arrays::Bodies;
use crate::domain::Domain;
use crate::errors::refused;
use crate::kept::{Keeper, KeptDetectors};
use crate::pairs::Pairs;
use crate::search::{EngineSpace, Space, direction_of, levels_of};
use crate::threads::{self, Size, lock};
use multigrain::detectors;
use multigrain::{Axes, Detector, Dimension, Direction, Error, Layout, Levels, Settings, Snapshot};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Mutex;

/// The hierarchical grid with levels of its own, which keeps its memory from call to call.
///
/// For a moving system make one and call :meth:`find_pairs` every step. Any call is right for any bodies, after any
/// other; those too large for every level make the coarsest one grow. Threads may call it at once.
///
/// Parameters
/// ----------
/// cell_sizes : array_like, shape (L,)
///     Cell size of each level, ascending.
/// direction : {"top-down", "bottom-up"}, default "top-down"
///     Which of two bodies on different levels searches for the other.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> system = mg.pack(law="power", exponent=-3, ratio=20, count=2000, packing_fraction=0.6, seed=1)
/// >>> grid = mg.HierarchicalGrid.tuned_for(system.centers, system.radii)
/// >>> bool(grid.cell_sizes[-1] >= 2 * system.radii.max())
/// True
/// >>> grid.find_pairs(system.centers, system.radii)
/// <Pairs: 2046 contacts of 2000 particles in 3D>
/// >>> mg.HierarchicalGrid([4, 40]).cell_sizes
/// array([ 4., 40.])
#[pyclass(frozen, module = "multigrain")]
pub struct HierarchicalGrid {
    levels: Levels,
    direction: Direction,
    kept: KeptDetectors,
    last: Mutex<Option<Searched>>,
}

/// What is known of the last search.
struct Searched {
    particles: usize,
    contacts: usize,
    cell_sizes: Vec<f64>,
    particles_per_level: Vec<u64>,
}

#[pymethods]
impl HierarchicalGrid {
    #[new]
    #[pyo3(signature = (cell_sizes, direction="top-down"))]
    fn new(cell_sizes: Vec<f64>, #[pyo3(from_py_with = arguments::direction)] direction: &str) -> PyResult<Self> {
        let levels = Levels::from_cell_sizes(&cell_sizes).map_err(refused)?;
        Ok(Self::with_levels(levels, direction_of(direction)?))
    }

    /// A grid whose levels suit these bodies and others like them.
    ///
    /// Parameters
    /// ----------
    /// centers, radii, margin, domain
    ///     As for :func:`find_pairs`.
    /// levels : int, optional
    ///     Number of levels; by default as many as are predicted to be fastest.
    /// direction : {"top-down", "bottom-up"}, default "top-down"
    ///     Which of two bodies on different levels searches for the other.
    ///
    /// Returns
    /// -------
    /// HierarchicalGrid
    #[staticmethod]
    #[pyo3(signature = (centers, radii, margin=0.0, domain=None, *, levels=None, direction="top-down"))]
    fn tuned_for<'py>(
        centers: &Bound<'py, PyAny>,
        radii: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'py, Domain>>,
        #[pyo3(from_py_with = arguments::levels)] levels: Option<usize>,
        #[pyo3(from_py_with = arguments::direction)] direction: &str,
    ) -> PyResult<Self> {
        let direction = direction_of(direction)?;
        let settings = Settings::default().with_direction(direction).with_levels(levels_of(None, levels)?);
        let space = Space::new(margin, domain);
        let bodies = space.bodies(centers, radii)?;
        let levels = match bodies.dimension() {
            2 => tuned_levels::<2>(&bodies, &space, &settings)?,
            _ => tuned_levels::<3>(&bodies, &space, &settings)?,
        };
        Ok(Self::with_levels(levels, direction))
    }

    /// Cell size of each level, ascending, shape (L,).
    #[getter]
    fn cell_sizes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.sizes())
    }

    /// Which of two bodies on different levels searches for the other.
    #[getter]
    fn direction(&self) -> &'static str {
        self.direction.name()
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
        self.find(centers, radii, Space::new(margin, domain), groups)
    }

    /// The levels in words, and what the last search met on each.
    ///
    /// Returns
    /// -------
    /// str
    ///
    /// Examples
    /// --------
    /// >>> import multigrain as mg
    /// >>> grid = mg.HierarchicalGrid([2, 8])
    /// >>> pairs = grid.find_pairs([[0, 0, 0], [1, 0, 0], [3, 0, 0]], [1, 1, 3.5])
    /// >>> print(grid.explain())
    /// hierarchical grid with 2 levels, top-down: the larger body searches finer levels
    /// last search: 3 contacts of 3 particles
    /// level 1: cells of size 2, 2 particles (66.7 %)
    /// level 2: cells of size 8, 1 particles (33.3 %)
    fn explain(&self) -> String {
        let searches = match self.direction {
            Direction::TopDown => "the larger body searches finer levels",
            Direction::BottomUp => "the smaller body searches coarser levels",
        };
        let sizes = self.sizes();
        let plural = if sizes.len() == 1 { "" } else { "s" };
        let mut text =
            format!("hierarchical grid with {} level{plural}, {}: {searches}", sizes.len(), self.direction.name());
        match &*lock(&self.last) {
            None => {
                text += "\nno search yet";
                for (level, size) in sizes.iter().enumerate() {
                    text += &format!("\nlevel {}: cells of size {}", level + 1, short(*size));
                }
            }
            Some(last) => {
                text += &format!("\nlast search: {} contacts of {} particles", last.contacts, last.particles);
                for (level, (size, count)) in last.cell_sizes.iter().zip(&last.particles_per_level).enumerate() {
                    let share = 100.0 * *count as f64 / last.particles.max(1) as f64;
                    let size = short(*size);
                    text += &format!("\nlevel {}: cells of size {size}, {count} particles ({share:.1} %)", level + 1);
                }
            }
        }
        text
    }

    /// A copy has the same levels and has seen nothing yet.
    fn __getnewargs__(&self) -> (Vec<f64>, &'static str) {
        (self.sizes(), self.direction.name())
    }

    fn __repr__(&self) -> String {
        format!("HierarchicalGrid({:?}, direction='{}')", self.sizes(), self.direction.name())
    }
}

impl HierarchicalGrid {
    fn with_levels(levels: Levels, direction: Direction) -> Self {
        Self { levels, direction, kept: KeptDetectors::default(), last: Mutex::default() }
    }

    fn sizes(&self) -> Vec<f64> {
        self.levels.as_slice().iter().map(|level| level.cell_size).collect()
    }
}

impl Keeper for HierarchicalGrid {
    fn kept(&self) -> &KeptDetectors {
        &self.kept
    }

    fn build<const D: usize>(&self, _: Snapshot<'_, D>) -> Result<Box<dyn Detector<D>>, Error>
    where
        Axes: Dimension<D>,
    {
        Ok(Box::new(detectors::HierarchicalGrid::with_levels(self.levels.clone(), self.direction)))
    }

    fn size<const D: usize>(&self, engine: &EngineSpace<D>, centers: &[[f64; D]], radii: &[f64]) -> Size
    where
        Axes: Dimension<D>,
    {
        engine.size_of_search(centers, radii)
    }

    fn note<const D: usize>(&self, grid: &dyn Detector<D>, particles: usize, contacts: usize) {
        let Layout { cell_sizes, particles_per_level, .. } = grid.layout();
        *lock(&self.last) = Some(Searched { particles, contacts, cell_sizes, particles_per_level });
    }
}

fn tuned_levels<const D: usize>(bodies: &Bodies<'_>, space: &Space, settings: &Settings) -> PyResult<Levels>
where
    Axes: Dimension<D>,
{
    let space = space.engine::<D>()?;
    let lent = bodies.lend()?;
    let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
    threads::run(bodies.centers.py(), |_| {
        let now = space.snapshot(centers, radii)?;
        Ok(detectors::HierarchicalGrid::with_settings(now, settings)?.levels().clone())
    })?
    .map_err(refused)
}

/// Five digits are enough for people.
fn short(size: f64) -> f64 {
    format!("{size:.4e}").parse().unwrap_or(size)
}
