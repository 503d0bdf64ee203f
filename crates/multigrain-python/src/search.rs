//! Searching: every method by name, pairs, counted work.

use crate::arguments;
use crate::arrays::{Bodies, Lent, groups_of};
use crate::domain::Domain;
use crate::errors::{refused, unknown};
use crate::pairs::Pairs;
use crate::threads::{self, Size};
use multigrain::{Axes, Dimension, Direction, LevelChoice, Settings, Snapshot};
use multigrain_methods::Method;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::time::Instant;

/// Every touching pair of spheres (or discs), exactly once.
///
/// Two bodies touch where the gap between them is below the margin: ``|x_j - x_i| < r_i + r_j + margin``.
///
/// Parameters
/// ----------
/// centers : array_like, shape (N, 2) or (N, 3)
///     C-contiguous float64 is used without a copy; anything else is converted once. It must not be written to by
///     another thread while the search runs.
/// radii : array_like, shape (N,), or float
///     A single number is the radius of all.
/// method : str, default "auto"
///     One of :func:`methods`. All give the same pairs, in orders of their own.
/// margin : float, default 0.0
///     Gap below which bodies count as touching.
/// domain : Domain, optional
///     Box with periodic axes; without one space is open.
/// cell_sizes : array_like, optional
///     Cell sizes of the levels, ascending, for ``hgrid`` and ``hgrid-cells``.
/// levels : int, optional
///     Number of levels instead, for the same methods.
/// direction : {"top-down", "bottom-up"}, optional
///     Which of two bodies on different levels searches for the other, for the same methods.
/// factor : float, optional
///     Factor between groups of sizes, for ``mmr``.
/// groups : array_like of int, shape (N,), optional
///     Bodies of one group are never a pair, as elements of one mesh or spheres of one clump.
///
/// Returns
/// -------
/// Pairs
///     M contacts; ``pairs.array`` is (M, 2) uint32 with i < j, or i = j for a body that touches its own image.
///
/// Raises
/// ------
/// ValueError
///     For values that cannot be searched, such as NaN or a negative radius; the message names the particle.
/// TypeError
///     For arrays that are not of real numbers.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> pairs = mg.find_pairs([[0, 0, 0], [1.5, 0, 0], [9, 0, 0]], [1.0, 0.8, 2.0])
/// >>> pairs.array
/// array([[0, 1]], dtype=uint32)
/// >>> mg.find_pairs([[0, 0], [2.5, 0]], 1.0, margin=0.6).array
/// array([[0, 1]], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (centers, radii, method="auto", margin=0.0, domain=None, *, cell_sizes=None, levels=None, direction=None, factor=None, groups=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn find_pairs<'py>(
    centers: &Bound<'py, PyAny>,
    radii: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = arguments::method)] method: &str,
    #[pyo3(from_py_with = arguments::margin)] margin: f64,
    #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'py, Domain>>,
    cell_sizes: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = arguments::levels)] levels: Option<usize>,
    #[pyo3(from_py_with = arguments::direction)] direction: Option<&str>,
    factor: Option<f64>,
    groups: Option<&Bound<'py, PyAny>>,
) -> PyResult<Pairs> {
    let space = Space::new(margin, domain);
    let bodies = space.bodies(centers, radii)?;
    find_pairs_of(bodies, space, method, SearchOptions::new(cell_sizes, levels, direction, factor, groups)?)
}

/// Count the work of a search: the same on any machine and for any number of threads.
///
/// Parameters
/// ----------
/// centers, radii, method, margin, domain, cell_sizes, levels, direction, factor, groups
///     As for :func:`find_pairs`.
///
/// Returns
/// -------
/// Work
///     Candidate pairs tested, cells looked up, contacts found.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> work = mg.count_work([[0, 0, 0], [1.5, 0, 0], [9, 0, 0]], [1.0, 0.8, 2.0], method="brute-force")
/// >>> work
/// Work(candidates=3, cells=0, contacts=1)
#[pyfunction]
#[pyo3(signature = (centers, radii, method="auto", margin=0.0, domain=None, *, cell_sizes=None, levels=None, direction=None, factor=None, groups=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn count_work<'py>(
    centers: &Bound<'py, PyAny>,
    radii: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = arguments::method)] method: &str,
    #[pyo3(from_py_with = arguments::margin)] margin: f64,
    #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'py, Domain>>,
    cell_sizes: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = arguments::levels)] levels: Option<usize>,
    #[pyo3(from_py_with = arguments::direction)] direction: Option<&str>,
    factor: Option<f64>,
    groups: Option<&Bound<'py, PyAny>>,
) -> PyResult<Work> {
    let (method, options) = (method_of(method)?, SearchOptions::new(cell_sizes, levels, direction, factor, groups)?);
    let space = Space::new(margin, domain);
    let bodies = space.bodies(centers, radii)?;
    match bodies.dimension() {
        2 => space.count_work::<2>(&bodies, method, &options),
        _ => space.count_work::<3>(&bodies, method, &options),
    }
}

/// Every method by name, with one line on what it is.
///
/// Returns
/// -------
/// dict of str to str
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> list(mg.methods())[:4]
/// ['auto', 'brute-force', 'linked-cell', 'hgrid']
#[pyfunction]
pub fn methods(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for method in Method::ALL {
        all.set_item(method.name(), method.about())?;
    }
    Ok(all)
}

/// The search behind every `find_pairs`.
pub fn find_pairs_of(bodies: Bodies<'_>, space: Space, method: &str, options: SearchOptions<'_>) -> PyResult<Pairs> {
    let method = method_of(method)?;
    match bodies.dimension() {
        2 => space.search::<2>(bodies, method, &options),
        _ => space.search::<3>(bodies, method, &options),
    }
}

/// What a search may be given beside method, margin and domain.
#[derive(Default)]
pub struct SearchOptions<'py> {
    pub settings: Settings,
    pub groups: Option<Bound<'py, PyArray1<u32>>>,
}

impl<'py> SearchOptions<'py> {
    /// From arguments.
    pub fn new(
        cell_sizes: Option<&Bound<'_, PyAny>>,
        levels: Option<usize>,
        direction: Option<&str>,
        factor: Option<f64>,
        groups: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let direction = direction.map(direction_of).transpose()?;
        Ok(Self {
            settings: Settings::default()
                .with_direction(direction)
                .with_levels(levels_of(cell_sizes, levels)?)
                .with_factor(factor),
            groups: groups.map(groups_of).transpose()?,
        })
    }
}

/// The bodies in their groups, where there are any.
pub fn grouped<'a, const D: usize>(
    now: Snapshot<'a, D>,
    groups: Option<&'a [u32]>,
) -> Result<Snapshot<'a, D>, multigrain::Error> {
    groups.map_or(Ok(now), |groups| now.in_groups(groups))
}

/// Seconds of the same search called from Rust, list allocated: what the bench compares with.
#[pyfunction]
pub fn _seconds_in_rust<'py>(centers: &Bound<'py, PyAny>, radii: &Bound<'py, PyAny>) -> PyResult<f64> {
    let bodies = Bodies::from_python(centers, radii, None)?;
    let lent = bodies.lend()?;
    fn seconds<const D: usize>(py: Python<'_>, lent: &Lent<'_>) -> PyResult<f64>
    where
        Axes: Dimension<D>,
    {
        let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
        threads::run(py, |_| {
            let start = Instant::now();
            let pairs = multigrain::find_pairs(Snapshot::new(centers, radii)?);
            let seconds = start.elapsed().as_secs_f64();
            drop(pairs);
            Ok(seconds)
        })?
        .map_err(refused)
    }
    match bodies.dimension() {
        2 => seconds::<2>(centers.py(), &lent),
        _ => seconds::<3>(centers.py(), &lent),
    }
}

/// What a search did, counted.
#[pyclass(frozen, eq, get_all, module = "multigrain")]
#[derive(PartialEq)]
pub struct Work {
    /// Candidate pairs whose distance was tested.
    candidates: u64,
    /// Cells, or rows of cells, looked up; compares only within one method.
    cells: u64,
    /// Contacts found.
    contacts: usize,
}

#[pymethods]
impl Work {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (u64, u64, usize))> {
        let parts = (self.candidates, self.cells, self.contacts);
        Ok((py.import("multigrain._core")?.getattr("_work_of")?, parts))
    }

    fn __repr__(&self) -> String {
        format!("Work(candidates={}, cells={}, contacts={})", self.candidates, self.cells, self.contacts)
    }
}

/// Work as it was counted.
#[pyfunction]
pub fn _work_of(candidates: u64, cells: u64, contacts: usize) -> Work {
    Work { candidates, cells, contacts }
}

/// Bodies up to which it is worth finding out how long a search takes.
const MAX_SHORT: usize = 200_000;

/// Margin and domain of a search.
#[derive(Clone)]
pub struct Space {
    pub margin: f64,
    pub domain: Option<Domain>,
}

impl Space {
    /// From arguments.
    pub fn new(margin: f64, domain: Option<Bound<'_, Domain>>) -> Self {
        Self { margin, domain: domain.map(|domain| domain.get().clone()) }
    }

    /// An error where the engine would not take the bodies.
    pub fn check<const D: usize>(&self, bodies: &Bodies<'_>) -> PyResult<()>
    where
        Axes: Dimension<D>,
    {
        let space = self.engine::<D>()?;
        let lent = bodies.lend()?;
        space.snapshot(lent.centers()?, lent.radii()?).map(|_| ()).map_err(refused)
    }

    /// The bodies that a caller passes.
    pub fn bodies<'py>(&self, centers: &Bound<'py, PyAny>, radii: &Bound<'py, PyAny>) -> PyResult<Bodies<'py>> {
        Bodies::from_python(centers, radii, self.domain.as_ref().map(Domain::dimension))
    }

    /// As the engine takes it.
    pub fn engine<const D: usize>(&self) -> PyResult<EngineSpace<D>> {
        Ok(EngineSpace { margin: self.margin, domain: Domain::for_axes(self.domain.as_ref())? })
    }

    fn search<const D: usize>(self, bodies: Bodies<'_>, method: Method, options: &SearchOptions<'_>) -> PyResult<Pairs>
    where
        Axes: Dimension<D>,
    {
        let space = self.engine::<D>()?;
        let lent = bodies.lend()?;
        let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
        let groups = options.groups.as_ref().map(|groups| groups.readonly());
        let groups = groups.as_ref().map(|groups| groups.as_slice()).transpose()?;
        let settings = &options.settings;
        let size = match method {
            Method::Auto | Method::HGrid | Method::BruteForce => space.size_of_search(centers, radii),
            _ => Size::UNKNOWN,
        };
        let found = threads::run_by_size(bodies.centers.py(), size, |stop| {
            let now = grouped(space.snapshot(centers, radii)?, groups)?;
            let mut pairs = multigrain::Pairs::new();
            let mut detector = method.build_with(now, settings)?;
            if stop.is_asked() {
                return Ok(pairs.into_parts());
            }
            detector.find_pairs_until(now, &mut pairs, &|| stop.is_asked());
            Ok(pairs.into_parts())
        })?;
        Pairs::new(found.map_err(refused)?, bodies, self)
    }

    fn count_work<const D: usize>(
        &self,
        bodies: &Bodies<'_>,
        method: Method,
        options: &SearchOptions<'_>,
    ) -> PyResult<Work>
    where
        Axes: Dimension<D>,
    {
        let space = self.engine::<D>()?;
        let lent = bodies.lend()?;
        let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
        let groups = options.groups.as_ref().map(|groups| groups.readonly());
        let groups = groups.as_ref().map(|groups| groups.as_slice()).transpose()?;
        let settings = &options.settings;
        let counted = threads::run(bodies.centers.py(), |stop| {
            let now = grouped(space.snapshot(centers, radii)?, groups)?;
            let mut pairs = multigrain::Pairs::new();
            let work = method.build_with(now, settings)?.count_work_until(now, &mut pairs, &|| stop.is_asked());
            Ok(Work { candidates: work.candidates, cells: work.cells, contacts: pairs.len() })
        })?;
        counted.map_err(refused)
    }
}

/// Margin and domain as the engine takes them.
#[derive(Clone, Copy)]
pub struct EngineSpace<const D: usize> {
    pub margin: f64,
    pub domain: multigrain::Domain<D>,
}

impl<const D: usize> EngineSpace<D>
where
    Axes: Dimension<D>,
{
    /// The bodies as the engine sees them.
    pub fn snapshot<'a>(
        &self,
        centers: &'a [[f64; D]],
        radii: &'a [f64],
    ) -> Result<Snapshot<'a, D>, multigrain::Error> {
        Snapshot::new(centers, radii)?.with_margin(self.margin)?.within(self.domain)?.with_few_images()
    }

    /// How much a search of these bodies has to do, about, if they are spread evenly.
    pub fn size_of_search(&self, centers: &[[f64; D]], radii: &[f64]) -> Size {
        let bodies = centers.len() as f64;
        let size = |neighbors: f64| Size { visits: bodies * (8.0 + neighbors), sorted: centers.len() };
        if centers.len() > MAX_SHORT {
            return size(f64::INFINITY);
        }
        let now = match multigrain::on_this_thread(|| self.snapshot(centers, radii)) {
            Ok(now) => now,
            // What cannot be searched is refused at once.
            Err(_) => return size(0.0),
        };
        let reach = now.largest_reach();
        if self.domain.is_sheared() {
            let is_full = (0..D).all(|axis| self.domain.is_periodic(axis));
            let images = (2.0 * reach).powi(D as i32) / self.domain.volume();
            return size(if is_full { bodies * images } else { f64::INFINITY });
        }
        let within_reach = |axis: usize| {
            let extent = now.extent().hi[axis] - now.extent().lo[axis];
            match self.domain.length(axis) {
                0.0 if extent > 2.0 * reach => 2.0 * reach / extent,
                0.0 => 1.0,
                period => 2.0 * reach / period,
            }
        };
        size(bodies * (0..D).map(within_reach).product::<f64>())
    }
}

/// The method of that name.
pub fn method_of(name: &str) -> PyResult<Method> {
    Method::from_name(name).ok_or_else(|| unknown("method", name, Method::ALL.iter().map(|method| method.name())))
}

/// The direction of that name.
pub fn direction_of(name: &str) -> PyResult<Direction> {
    name.parse().map_err(|_| unknown("direction", name, Direction::ALL.map(Direction::name)))
}

/// Levels by cell sizes or by number.
pub fn levels_of(cell_sizes: Option<&Bound<'_, PyAny>>, levels: Option<usize>) -> PyResult<LevelChoice> {
    match (cell_sizes, levels) {
        (Some(_), Some(_)) => Err(PyValueError::new_err("cell_sizes and levels both set the levels: give one of them")),
        (Some(sizes), None) => Ok(LevelChoice::CellSizes(sizes.extract()?)),
        (None, Some(count)) => Ok(LevelChoice::Count(count)),
        (None, None) => Ok(LevelChoice::Tuned),
    }
}
