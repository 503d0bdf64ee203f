//! `find_pairs_between`: one set of bodies against another.

use crate::arguments;
use crate::arrays::Bodies;
use crate::domain::Domain;
use crate::pairs::Pairs;
use crate::search::{SearchOptions, Space, find_pairs_of};
use numpy::{PyArray1, PyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Every touching pair of a body of one set and a body of another; none within a set.
///
/// Parameters
/// ----------
/// a_centers, b_centers : array_like, shape (N, D) and (M, D)
/// a_radii, b_radii : array_like, shape (N,) and (M,), or float
/// method, margin, domain
///     As for :func:`find_pairs`.
///
/// Returns
/// -------
/// Pairs
///     Sorted; ``pairs.i`` counts the bodies of the first set, ``pairs.j`` those of the second, and shifts belong to j.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> pairs = mg.find_pairs_between([[0, 0], [0.5, 0], [9, 0]], 0.5, [[9.4, 0], [0.9, 0]], 0.1)
/// >>> pairs.array
/// array([[1, 1],
///        [2, 0]], dtype=uint32)
/// >>> pairs.distances
/// array([0.4, 0.4])
#[pyfunction]
#[pyo3(signature = (a_centers, a_radii, b_centers, b_radii, method="auto", margin=0.0, domain=None))]
pub fn find_pairs_between<'py>(
    a_centers: &Bound<'py, PyAny>,
    a_radii: &Bound<'py, PyAny>,
    b_centers: &Bound<'py, PyAny>,
    b_radii: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = arguments::method)] method: &str,
    #[pyo3(from_py_with = arguments::margin)] margin: f64,
    #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'py, Domain>>,
) -> PyResult<Pairs> {
    let space = Space::new(margin, domain);
    let mut b = space.bodies(b_centers, b_radii)?;
    // An empty list has no columns of its own: it has those of the other set.
    let a = Bodies::from_python(a_centers, a_radii, Some(b.dimension()))?;
    if b.centers.shape()[0] == 0 {
        b = Bodies::from_python(b_centers, b_radii, Some(a.dimension()))?;
    }
    if a.dimension() != b.dimension() {
        return Err(PyValueError::new_err(format!(
            "the first set has {} axes and the second {}, must be the same",
            a.dimension(),
            b.dimension()
        )));
    }
    for (set, which) in [(&a, "a"), (&b, "b")] {
        let (centers, radii) = (set.centers.shape()[0], set.radii.len());
        if centers != radii {
            return Err(PyValueError::new_err(format!("set {which} has {centers} centers but {radii} radii")));
        }
    }
    let py = a_centers.py();
    let (first, all) = (a.radii.len(), a.radii.len() + b.radii.len());
    let numpy = py.import("numpy")?;
    let joined = Bodies {
        centers: numpy.call_method1("concatenate", ((a.centers, b.centers),))?.cast_into::<PyArray2<f64>>()?,
        radii: numpy.call_method1("concatenate", ((a.radii, b.radii),))?.cast_into::<PyArray1<f64>>()?,
    };
    let groups = PyArray1::from_vec(py, (0..all).map(|k| u32::from(k >= first)).collect());
    let pairs =
        find_pairs_of(joined, space, method, SearchOptions { groups: Some(groups), ..SearchOptions::default() })?;
    pairs.sorted(py)?.split_at(py, first)
}
