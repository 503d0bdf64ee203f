//! `System`: particles and the box they live in, made or read.

use crate::arguments;
use crate::arrays::{Bodies, table};
use crate::domain::Domain;
use crate::notebook::{html_table, short};
use crate::pairs::Pairs;
use crate::search::{SearchOptions, Space, find_pairs_of};
use multigrain::sizes::ball_volume;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A particle system: centers, radii and, where known, the box.
///
/// Parameters
/// ----------
/// centers : array_like, shape (N, 2) or (N, 3)
/// radii : array_like, shape (N,), or float
/// domain : Domain, optional
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> system = mg.System([[0.1, 0.5], [0.9, 0.5]], 0.15, mg.Domain([0, 0], [1, 1]))
/// >>> system
/// <System: 2 particles in 2D, Domain([0.0, 0.0], [1.0, 1.0], periodic='xy')>
/// >>> system.find_pairs().array
/// array([[0, 1]], dtype=uint32)
#[pyclass(frozen, module = "multigrain")]
pub struct System {
    centers: Py<PyArray2<f64>>,
    radii: Py<PyArray1<f64>>,
    domain: Option<Domain>,
}

#[pymethods]
impl System {
    #[new]
    #[pyo3(signature = (centers, radii, domain=None))]
    fn new(
        centers: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'_, Domain>>,
    ) -> PyResult<Self> {
        let space = Space::new(0.0, domain);
        let bodies = space.bodies(centers, radii)?;
        match bodies.dimension() {
            2 => space.check::<2>(&bodies)?,
            _ => space.check::<3>(&bodies)?,
        }
        Ok(Self { centers: bodies.centers.unbind(), radii: bodies.radii.unbind(), domain: space.domain })
    }

    /// Centers, shape (N, D), float64.
    #[getter]
    fn centers<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        self.centers.bind(py).clone()
    }

    /// Radii, shape (N,), float64.
    #[getter]
    fn radii<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.radii.bind(py).clone()
    }

    /// The box, or None where there is none.
    #[getter]
    fn domain(&self) -> Option<Domain> {
        self.domain.clone()
    }

    /// Number of axes, 2 or 3.
    #[getter]
    fn dimension(&self, py: Python<'_>) -> usize {
        self.centers.bind(py).shape()[1]
    }

    /// Volume of all particles, overlaps counted twice, over the volume of the box; None without a box.
    #[getter]
    fn packing_fraction(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        let Some(domain) = &self.domain else { return Ok(None) };
        let dimension = self.dimension(py);
        let radii = self.radii.bind(py).readonly();
        let volume: f64 = radii.as_slice()?.iter().map(|&radius| ball_volume(radius, dimension)).sum();
        Ok(Some(volume / domain.volume()))
    }

    /// Every touching pair, in the system's own domain.
    ///
    /// Parameters
    /// ----------
    /// method, margin, cell_sizes, levels, direction, factor, groups
    ///     As for :func:`find_pairs`.
    ///
    /// Returns
    /// -------
    /// Pairs
    #[pyo3(signature = (method="auto", margin=0.0, *, cell_sizes=None, levels=None, direction=None, factor=None, groups=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn find_pairs<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arguments::method)] method: &str,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        cell_sizes: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = arguments::levels)] levels: Option<usize>,
        #[pyo3(from_py_with = arguments::direction)] direction: Option<&str>,
        factor: Option<f64>,
        groups: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Pairs> {
        let space = Space { margin, domain: self.domain.clone() };
        let options = SearchOptions::new(cell_sizes, levels, direction, factor, groups)?;
        find_pairs_of(self.bodies(py), space, method, options)
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.centers(py), self.radii(py), self.domain()).into_pyobject(py)
    }

    /// Number of particles.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.radii.bind(py).len()
    }

    /// A table of the first particles, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let (centers, radii) = (self.centers.bind(py).readonly(), self.radii.bind(py).readonly());
        let (centers, radii, axes) = (centers.as_slice()?, radii.as_slice()?, self.dimension(py));
        let heads: Vec<&str> = ["x", "y", "z"].into_iter().take(axes).chain(["radius"]).collect();
        let rows = centers
            .chunks_exact(axes)
            .zip(radii)
            .map(|(center, radius)| center.iter().chain([radius]).map(|&value| short(value)).collect());
        Ok(html_table(&self.__repr__(py), &heads, rows, radii.len()))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let space = self.domain.as_ref().map_or("no box".to_owned(), Domain::__repr__);
        format!("<System: {} particles in {}D, {space}>", self.__len__(py), self.dimension(py))
    }
}

impl System {
    /// Takes over lists.
    pub fn of_lists<const D: usize>(
        py: Python<'_>,
        centers: Vec<[f64; D]>,
        radii: Vec<f64>,
        domain: Option<&multigrain::Domain<D>>,
    ) -> PyResult<Self> {
        Ok(Self {
            centers: table(py, centers)?.unbind(),
            radii: PyArray1::from_vec(py, radii).unbind(),
            domain: domain.map(Domain::of_engine).transpose()?,
        })
    }

    /// The particles as a search takes them.
    pub fn bodies<'py>(&self, py: Python<'py>) -> Bodies<'py> {
        Bodies { centers: self.centers(py), radii: self.radii(py) }
    }

    /// The box, where known.
    pub fn domain_ref(&self) -> Option<&Domain> {
        self.domain.as_ref()
    }
}
