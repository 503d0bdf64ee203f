//! `find_box_pairs`: overlapping bounding boxes of bodies of any shape.

use crate::arguments;
use crate::arrays::{Bodies, sealed, table};
use crate::domain::Domain;
use crate::errors::refused;
use crate::threads;
use multigrain::each_dimension;
use multigrain_papers::{Boxes, SortAndUpdate};
use numpy::PyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyFloat;

/// Indices and shifts of the pairs.
type BoxPairs<'py> = (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray2<i32>>);

/// Every pair of overlapping bounding boxes along the axes, by ``sort-and-update``: for bodies of any shape. Boxes that touch
/// overlap.
///
/// Parameters
/// ----------
/// lo, hi : array_like, shape (N, D)
///     Lower and upper corners.
/// domain : Domain, optional
///     Not a sheared one.
///
/// Returns
/// -------
/// indices : array, shape (M, 2), uint32
///     Sorted, i < j, or i = j for a box that overlaps its own image.
/// shifts : array, shape (M, D), int32
///     How many periods the image of j lies from j.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> indices, shifts = mg.find_box_pairs([[0, 0], [2, 1], [0.5, 3]], [[2, 1], [3, 2], [9, 4]])
/// >>> indices
/// array([[0, 1]], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (lo, hi, domain=None))]
pub fn find_box_pairs<'py>(
    py: Python<'py>,
    lo: &Bound<'py, PyAny>,
    hi: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'py, Domain>>,
) -> PyResult<BoxPairs<'py>> {
    let axes = domain.as_ref().map(|domain| domain.get().dimension());
    let zero = PyFloat::new(py, 0.0);
    let (lower, upper) = (Bodies::from_python(lo, zero.as_any(), axes)?, Bodies::from_python(hi, zero.as_any(), axes)?);
    if lower.dimension() != upper.dimension() {
        return Err(PyValueError::new_err("lo and hi have different numbers of axes"));
    }
    each_dimension!(lower.dimension(), D => search::<D>(py, &lower, &upper, domain.as_ref()))
}

fn search<'py, const D: usize>(
    py: Python<'py>,
    lower: &Bodies<'py>,
    upper: &Bodies<'py>,
    domain: Option<&Bound<'py, Domain>>,
) -> PyResult<BoxPairs<'py>> {
    let domain = Domain::for_axes::<D>(domain.map(|domain| domain.get()))?;
    let (lower, upper) = (lower.lend()?, upper.lend()?);
    let (lo, hi) = (lower.centers::<D>()?, upper.centers::<D>()?);
    let (list, mut shifts) = threads::run(py, |stop| {
        let mut pairs = multigrain::Pairs::new();
        let boxes = Boxes::new(lo, hi)?.within(domain)?;
        SortAndUpdate::new().find_box_pairs_until(boxes, &mut pairs, &|| stop.is_asked());
        Ok(pairs.into_parts())
    })?
    .map_err(refused)?;
    shifts.resize(list.len(), [0; D]);
    Ok((sealed(table(py, list)?)?, sealed(table(py, shifts)?)?))
}
