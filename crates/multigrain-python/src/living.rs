//! `LivingGrid`: bodies that come, go, move and grow one at a time.

use crate::arguments;
use crate::arrays::{Bodies, table};
use crate::domain::Domain;
use crate::errors::refused;
use crate::threads::lock;
use multigrain::{Axes, Dimension, Error, Levels, each_dimension};
use numpy::{PyArray1, PyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyTuple};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard};

/// Bodies that come, go, move and grow one at a time, and the question which of them touch a sphere or a box. Each change takes the
/// same short time, however many bodies there are; for all pairs at once :func:`find_pairs` is faster.
///
/// Parameters
/// ----------
/// cell_sizes : sequence of floats
///     Of the levels, ascending; about the diameters of the bodies. Larger bodies open levels of their own.
/// domain : Domain, optional
///     Box with periodic axes, not sheared.
/// dimension : {3, 2}
///     Where there is no domain to say it.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> grid = mg.LivingGrid([3.0, 8.0], dimension=2)
/// >>> grid.insert([7, 8], [[10.3, 14.4], [14.0, 14.0]], [4.0, 1.5])
/// >>> grid.touching([15.0, 15.0], 0.5)
/// (array([8]), array([[0, 0]], dtype=int32))
/// >>> grid.move(7, [[13.0, 14.4]])
/// >>> grid.touching([15.0, 15.0], 0.5)[0]
/// array([7, 8])
/// >>> grid.remove(8)
/// >>> grid, 8 in grid
/// (<LivingGrid: 1 bodies in 2D>, False)
#[pyclass(frozen, module = "multigrain")]
pub struct LivingGrid {
    cell_sizes: Vec<f64>,
    domain: Option<Domain>,
    inner: Mutex<GridAndIds>,
}

struct GridAndIds {
    grid: Grid,
    ids: BTreeSet<u32>,
}

enum Grid {
    D2(multigrain_living_grid::LivingGrid<2>),
    D3(multigrain_living_grid::LivingGrid<3>),
}

/// Ids, and the shifts of their images.
type Touching<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<i32>>);

#[pymethods]
impl LivingGrid {
    #[new]
    #[pyo3(signature = (cell_sizes, domain=None, *, dimension=3))]
    fn new(
        cell_sizes: Vec<f64>,
        #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'_, Domain>>,
        #[pyo3(from_py_with = arguments::dimension)] dimension: usize,
    ) -> PyResult<Self> {
        crate::packing::check_dimension(dimension)?;
        let domain = domain.map(|domain| domain.get().clone());
        let levels = Levels::from_cell_sizes(&cell_sizes).map_err(refused)?;
        let grid = match domain.as_ref().map_or(dimension, Domain::dimension) {
            2 => Grid::D2(empty(levels, domain.as_ref())?),
            _ => Grid::D3(empty(levels, domain.as_ref())?),
        };
        Ok(Self { cell_sizes, domain, inner: Mutex::new(GridAndIds { grid, ids: BTreeSet::new() }) })
    }

    /// Add bodies; none of them where one is refused.
    ///
    /// Parameters
    /// ----------
    /// ids : int, or sequence of N ints
    ///     Numbers of your choice that no body has yet.
    /// centers : array_like, shape (N, D)
    /// radii : array_like, shape (N,), or float
    fn insert(&self, ids: &Bound<'_, PyAny>, centers: &Bound<'_, PyAny>, radii: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = ids_of(ids)?;
        let bodies = self.bodies(centers, radii, ids.len())?;
        let lent = bodies.lend()?;
        let radii = lent.radii()?;
        let GridAndIds { grid, ids: known } = &mut *self.lock();
        let mut insert = |k: usize| each_dimension!(grid, Grid, grid => grid.insert(ids[k], lent.centers()?[k], radii[k]).map_err(refused));
        let done = (0..ids.len()).map(|k| insert(k).map_err(|error| (k, error))).find_map(Result::err);
        if let Some((refused_at, error)) = done {
            for &id in &ids[..refused_at] {
                let _ = each_dimension!(grid, Grid, grid => grid.remove(id).map(|_| ()));
            }
            return Err(error);
        }
        known.extend(ids);
        Ok(())
    }

    /// Remove bodies; none of them where one is not there.
    ///
    /// Parameters
    /// ----------
    /// ids : int, or sequence of ints
    fn remove(&self, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = ids_of(ids)?;
        let inner = &mut *self.lock();
        inner.must_have(&ids)?;
        for id in ids {
            if inner.ids.remove(&id) {
                each_dimension!(&mut inner.grid, Grid, grid => grid.remove(id).map(|_| ())).map_err(refused)?;
            }
        }
        Ok(())
    }

    /// Move bodies, over any distance.
    ///
    /// Parameters
    /// ----------
    /// ids : int, or sequence of N ints
    /// centers : array_like, shape (N, D)
    #[pyo3(name = "move")]
    fn move_to(&self, ids: &Bound<'_, PyAny>, centers: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = ids_of(ids)?;
        let bodies = self.bodies(centers, PyFloat::new(centers.py(), 0.0).as_any(), ids.len())?;
        let lent = bodies.lend()?;
        let inner = &mut *self.lock();
        inner.must_have(&ids)?;
        each_dimension!(&mut inner.grid, Grid, grid => {
            ids.iter().zip(lent.centers()?).try_for_each(|(&id, &x)| grid.move_to(id, x)).map_err(refused)
        })
    }

    /// Change the radii of bodies.
    ///
    /// Parameters
    /// ----------
    /// ids : int, or sequence of N ints
    /// radii : array_like, shape (N,), or float
    fn resize(&self, ids: &Bound<'_, PyAny>, radii: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = ids_of(ids)?;
        let radii = crate::arrays::radii_of(radii, ids.len())?;
        let radii = numpy::PyArrayMethods::readonly(&radii);
        let radii = radii.as_slice()?;
        if radii.len() != ids.len() {
            return Err(PyValueError::new_err(format!("{} ids but {} radii", ids.len(), radii.len())));
        }
        let inner = &mut *self.lock();
        inner.must_have(&ids)?;
        let mut resized = ids.iter().zip(radii);
        each_dimension!(&mut inner.grid, Grid, grid => resized.try_for_each(|(&id, &radius)| grid.resize(id, radius)))
            .map_err(refused)
    }

    /// All bodies that touch a sphere.
    ///
    /// Parameters
    /// ----------
    /// center : array_like, shape (D,)
    /// radius : float
    ///
    /// Returns
    /// -------
    /// ids, shifts : arrays, shape (M,) int64 and (M, D) int32
    ///     Sorted; which image of each body touches.
    fn touching<'py>(&self, py: Python<'py>, center: Vec<f64>, radius: f64) -> PyResult<Touching<'py>> {
        each_dimension!(&self.lock().grid, Grid, grid => {
            let mut found = Vec::new();
            let center = point(&center)?;
            grid.touching_sphere(center, radius, |id, shift| found.push((id, shift))).map_err(refused)?;
            touching(py, found)
        })
    }

    /// All bodies that reach into a box along the axes.
    ///
    /// Parameters
    /// ----------
    /// lo, hi : array_like, shape (D,)
    ///
    /// Returns
    /// -------
    /// ids, shifts : arrays
    ///     As for :meth:`touching`.
    fn in_box<'py>(&self, py: Python<'py>, lo: Vec<f64>, hi: Vec<f64>) -> PyResult<Touching<'py>> {
        each_dimension!(&self.lock().grid, Grid, grid => {
            let mut found = Vec::new();
            grid.touching_box(point(&lo)?, point(&hi)?, |id, shift| found.push((id, shift))).map_err(refused)?;
            touching(py, found)
        })
    }

    /// Ids of all bodies, ascending, shape (N,), int64.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_vec(py, self.lock().ids.iter().map(|&id| i64::from(id)).collect())
    }

    /// Centers of all bodies in the order of ids, shape (N, D).
    #[getter]
    fn centers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let GridAndIds { grid, ids } = &*self.lock();
        each_dimension!(grid, Grid, grid => table(py, ids.iter().filter_map(|&id| Some(grid.get(id)?.center)).collect()))
    }

    /// Radii of all bodies in the order of ids, shape (N,).
    #[getter]
    fn radii<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let GridAndIds { grid, ids } = &*self.lock();
        let radius = |id: &u32| each_dimension!(grid, Grid, grid => grid.get(*id).map(|body| body.radius));
        PyArray1::from_vec(py, ids.iter().filter_map(radius).collect())
    }

    /// Number of bodies.
    fn __len__(&self) -> usize {
        self.lock().ids.len()
    }

    fn __contains__(&self, id: &Bound<'_, PyAny>) -> bool {
        id.extract::<u32>().is_ok_and(|id| self.lock().ids.contains(&id))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let parts = (self.cell_sizes.clone(), self.domain.clone(), self.dimension());
        let bodies = (self.ids(py), self.centers(py)?, self.radii(py));
        Ok((py.import("multigrain._made")?.getattr("living_grid")?, (parts, bodies).into_pyobject(py)?))
    }

    fn __repr__(&self) -> String {
        format!("<LivingGrid: {} bodies in {}D>", self.__len__(), self.dimension())
    }
}

impl LivingGrid {
    /// Held for moments only, and never while Python code runs.
    fn lock(&self) -> MutexGuard<'_, GridAndIds> {
        lock(&self.inner)
    }

    fn dimension(&self) -> usize {
        match self.lock().grid {
            Grid::D2(_) => 2,
            Grid::D3(_) => 3,
        }
    }

    /// The given number of bodies, with as many axes as the grid.
    fn bodies<'py>(
        &self,
        centers: &Bound<'py, PyAny>,
        radii: &Bound<'py, PyAny>,
        count: usize,
    ) -> PyResult<Bodies<'py>> {
        let axes = self.dimension();
        let bodies = Bodies::from_python(centers, radii, Some(axes))?;
        if bodies.dimension() != axes || bodies.centers.shape()[0] != count || bodies.radii.len() != count {
            return Err(PyValueError::new_err(format!(
                "centers and radii must have {axes} axes and be as many as ids, which are {count}"
            )));
        }
        Ok(bodies)
    }
}

impl GridAndIds {
    fn must_have(&self, ids: &[u32]) -> PyResult<()> {
        match ids.iter().find(|id| !self.ids.contains(id)) {
            Some(id) => Err(PyKeyError::new_err(format!("no body has the id {id}"))),
            None => Ok(()),
        }
    }
}

fn empty<const D: usize>(levels: Levels, domain: Option<&Domain>) -> PyResult<multigrain_living_grid::LivingGrid<D>>
where
    Axes: Dimension<D>,
{
    let made: Result<_, Error> = multigrain_living_grid::LivingGrid::new(levels, Domain::for_axes(domain)?);
    made.map_err(refused)
}

fn ids_of(ids: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    match ids.try_iter() {
        Ok(_) => arguments::taken(ids, "ids"),
        Err(_) => Ok(vec![arguments::taken(ids, "ids")?]),
    }
}

fn point<const D: usize>(values: &[f64]) -> PyResult<[f64; D]> {
    let must = |_| PyValueError::new_err(format!("a point has {} numbers, must have {D}", values.len()));
    <[f64; D]>::try_from(values).map_err(must)
}

fn touching<const D: usize>(py: Python<'_>, mut found: Vec<(u32, [i32; D])>) -> PyResult<Touching<'_>> {
    found.sort_unstable();
    let ids = found.iter().map(|&(id, _)| i64::from(id)).collect();
    Ok((PyArray1::from_vec(py, ids), table(py, found.into_iter().map(|(_, shift)| shift).collect())?))
}
