//! `Domain`: the space that bodies live in, any axes periodic.

use crate::arrays::floats;
use crate::errors::refused;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString, PyTuple};

/// A box, of which any axes may be periodic.
///
/// On a periodic axis bodies stand for all their images, wherever they are. On an open axis the box is information only:
/// bodies outside it are ordinary. Without a domain every axis is open.
///
/// Parameters
/// ----------
/// lo, hi : array_like, shape (D,)
///     Lower and upper corner, with D = 2 or 3.
/// periodic : bool, sequence of D bools, or str, default True
///     Which axes are periodic: all, one by one, or by name as in ``"xy"``; ``"none"`` for none.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> box = mg.Domain([0, 0, 0], [1, 1, 2], periodic="xz")
/// >>> box.periodic
/// (True, False, True)
/// >>> box.hi
/// array([1., 1., 2.])
/// >>> pairs = mg.find_pairs([[0.1, 0.5, 0.5], [0.9, 0.5, 0.5]], [0.15, 0.15], domain=box)
/// >>> pairs.shifts
/// array([[-1,  0,  0]], dtype=int32)
#[pyclass(frozen, eq, module = "multigrain")]
#[derive(Clone, PartialEq)]
pub struct Domain {
    lo: Vec<f64>,
    hi: Vec<f64>,
    periodic: Vec<bool>,
}

#[pymethods]
impl Domain {
    #[new]
    #[pyo3(signature = (lo, hi, periodic=None))]
    fn new(lo: &Bound<'_, PyAny>, hi: &Bound<'_, PyAny>, periodic: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let (lo, hi) = (corner(lo, "lo")?, corner(hi, "hi")?);
        let axes = lo.len();
        if !matches!(axes, 2 | 3) || hi.len() != axes {
            return Err(PyValueError::new_err(format!(
                "lo has {axes} coordinates and hi {}, must be 2 or 3 and the same",
                hi.len()
            )));
        }
        let periodic = match periodic {
            Some(wish) => periodic_axes(wish, axes)?,
            None => vec![true; axes],
        };
        Self::of_axes(&lo, &hi, &periodic)
    }

    /// Lower corner, shape (D,).
    #[getter]
    fn lo<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.lo.clone())
    }

    /// Upper corner, shape (D,).
    #[getter]
    fn hi<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.hi.clone())
    }

    /// Which axes are periodic, a tuple of D bools.
    #[getter]
    fn periodic<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.periodic)
    }

    /// Number of axes, 2 or 3.
    #[getter]
    pub fn dimension(&self) -> usize {
        self.lo.len()
    }

    pub fn __repr__(&self) -> String {
        let names: String = "xyz".chars().zip(&self.periodic).filter(|(_, is)| **is).map(|(name, _)| name).collect();
        let names = if names.is_empty() { "none" } else { &names };
        format!("Domain({:?}, {:?}, periodic='{names}')", self.lo, self.hi)
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.lo(py), self.hi(py), self.periodic(py)?).into_pyobject(py)
    }
}

impl Domain {
    /// From slices of equal length, 2 or 3, where the engine takes them.
    pub fn of_axes(lo: &[f64], hi: &[f64], periodic: &[bool]) -> PyResult<Self> {
        let domain = Self { lo: lo.to_vec(), hi: hi.to_vec(), periodic: periodic.to_vec() };
        match domain.dimension() {
            2 => domain.engine::<2>().map(|_| ()),
            _ => domain.engine::<3>().map(|_| ()),
        }
        .map_err(refused)?;
        Ok(domain)
    }

    /// From the engine's, which must have a box.
    pub fn of_engine<const D: usize>(domain: &multigrain::Domain<D>) -> PyResult<Self> {
        let periodic: [bool; D] = std::array::from_fn(|axis| domain.is_periodic(axis));
        Self::of_axes(&domain.lo(), &domain.hi(), &periodic)
    }

    /// As the engine takes it, for bodies with `D` axes; open where there is none.
    pub fn for_axes<const D: usize>(domain: Option<&Self>) -> PyResult<multigrain::Domain<D>> {
        match domain {
            None => Ok(multigrain::Domain::open()),
            Some(domain) if domain.dimension() == D => domain.engine().map_err(refused),
            Some(domain) => Err(PyValueError::new_err(format!(
                "the domain has {} axes, but the centers have {D}",
                domain.dimension()
            ))),
        }
    }

    /// Whether any axis is periodic.
    pub fn has_images(&self) -> bool {
        self.periodic.contains(&true)
    }

    /// Volume, or area, of the box.
    pub fn volume(&self) -> f64 {
        self.lo.iter().zip(&self.hi).map(|(lo, hi)| hi - lo).product()
    }

    fn engine<const D: usize>(&self) -> Result<multigrain::Domain<D>, multigrain::Error> {
        let axes: [usize; D] = std::array::from_fn(|axis| axis);
        multigrain::Domain::new(axes.map(|k| self.lo[k]), axes.map(|k| self.hi[k]), axes.map(|k| self.periodic[k]))
    }
}

/// Axes from a bool, bools one by one, or names.
pub fn periodic_axes(wish: &Bound<'_, PyAny>, axes: usize) -> PyResult<Vec<bool>> {
    if let Ok(all) = wish.cast::<PyBool>() {
        return Ok(vec![all.is_true(); axes]);
    }
    if let Ok(names) = wish.cast::<PyString>() {
        return named_axes(&names.to_string(), axes);
    }
    let must = || PyTypeError::new_err("periodic must be a bool, a sequence of bools, or names of axes such as 'xy'");
    let items: Vec<Bound<'_, PyAny>> = wish.try_iter().map_err(|_| must())?.collect::<PyResult<_>>()?;
    if items.len() != axes {
        return Err(PyValueError::new_err(format!(
            "periodic has {} values, must be {axes}, one for each axis",
            items.len()
        )));
    }
    // Flags of other libraries come as numpy.bool or as 0 and 1.
    items
        .iter()
        .map(|item| {
            item.extract::<bool>().or_else(|_| match item.extract::<u8>() {
                Ok(0) => Ok(false),
                Ok(1) => Ok(true),
                _ => Err(must()),
            })
        })
        .collect()
}

fn named_axes(names: &str, axes: usize) -> PyResult<Vec<bool>> {
    let mut periodic = vec![false; axes];
    if names == "none" {
        return Ok(periodic);
    }
    for name in names.chars().filter(|c| !matches!(c, ',' | ' ')) {
        match "xyz".find(name).filter(|&axis| axis < axes) {
            Some(axis) => periodic[axis] = true,
            None => {
                return Err(PyValueError::new_err(format!(
                    "periodic is '{names}', must name axes out of '{}', or be 'none'",
                    &"xyz"[..axes]
                )));
            }
        }
    }
    Ok(periodic)
}

fn corner(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<f64>> {
    let array = floats(object, what)?;
    if array.ndim() != 1 {
        return Err(PyValueError::new_err(format!(
            "{what} has {} dimensions, must be a list of 2 or 3 numbers",
            array.ndim()
        )));
    }
    Ok(array.readonly().as_slice()?.to_vec())
}
