//! Columns of a simulation as arrays in the order of ids.

use crate::arrays::{shown, table};
use multigrain_dem::State;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// One value for each particle, by id.
pub fn by_id<const D: usize, T: Copy>(state: &State<D>, column: &[T]) -> Vec<T> {
    state.places_by_id().into_iter().map(|place| column[place as usize]).collect()
}

/// Vectors by id: a new array, or the caller's own filled.
pub fn vectors<'py, const D: usize, const K: usize>(
    py: Python<'py>,
    state: &State<D>,
    column: &[[f64; K]],
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let Some(out) = out else { return table(py, by_id(state, column)) };
    let out =
        out.cast::<PyArray2<f64>>().map_err(|_| PyTypeError::new_err("out must be an array of float64, (N, D)"))?;
    let wanted = [state.len(), K];
    if out.shape() != wanted || !out.is_c_contiguous() {
        let (given, wanted) = (shown(out.shape()), shown(&wanted));
        return Err(PyValueError::new_err(format!("out has shape {given}, must be {wanted} in C order")));
    }
    let mut writable = out
        .try_readwrite()
        .map_err(|_| PyValueError::new_err("out cannot be written to: it is read-only, or used by another call"))?;
    let rows = writable.as_slice_mut()?.as_chunks_mut::<K>().0;
    for (row, place) in rows.iter_mut().zip(state.places_by_id()) {
        *row = column[place as usize];
    }
    drop(writable);
    Ok(out.clone())
}

/// Numbers by id.
pub fn numbers<'py, const D: usize, T: Copy + numpy::Element>(
    py: Python<'py>,
    state: &State<D>,
    column: &[T],
) -> Bound<'py, PyArray1<T>> {
    PyArray1::from_vec(py, by_id(state, column))
}
