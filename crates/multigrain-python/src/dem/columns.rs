//! Columns of a simulation, taken out of it in the order of ids, then made arrays.

use crate::arrays::{shown, table};
use multigrain::{Axes, Dimension};
use multigrain_dem::{Contact, State, WallTouch};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// One value for each particle, by id.
pub fn by_id<const D: usize, T: Copy>(state: &State<D>, column: &[T]) -> Vec<T>
where
    Axes: Dimension<D>,
{
    state.places_by_id().into_iter().map(|place| column[place as usize]).collect()
}

/// Rows of the given width, one after the other.
pub struct Rows<T> {
    numbers: Vec<T>,
    columns: usize,
}

impl<T: Element> Rows<T> {
    pub fn new<const K: usize>(rows: Vec<[T; K]>) -> Self {
        Self { numbers: rows.into_flattened(), columns: K }
    }

    fn shape(&self) -> [usize; 2] {
        [self.numbers.len() / self.columns, self.columns]
    }

    pub fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyArray2<T>>> {
        let shape = self.shape();
        PyArray1::from_vec(py, self.numbers).reshape(shape)
    }
}

impl Rows<f64> {
    /// A new array, or the caller's own filled.
    pub fn into_array_or<'py>(
        self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let Some(out) = out else { return self.into_array(py) };
        let out =
            out.cast::<PyArray2<f64>>().map_err(|_| PyTypeError::new_err("out must be an array of float64, (N, D)"))?;
        let wanted = self.shape();
        if out.shape() != wanted || !out.is_c_contiguous() {
            let (given, wanted) = (shown(out.shape()), shown(&wanted));
            return Err(PyValueError::new_err(format!("out has shape {given}, must be {wanted} in C order")));
        }
        let mut writable = out
            .try_readwrite()
            .map_err(|_| PyValueError::new_err("out cannot be written to: it is read-only, or used by another call"))?;
        writable.as_slice_mut()?.copy_from_slice(&self.numbers);
        Ok(out.clone())
    }
}

/// ContactColumns, a column for each thing known of them.
pub struct ContactColumns {
    ids: Vec<[u64; 2]>,
    overlaps: Vec<f64>,
    normals: Rows<f64>,
    forces: Rows<f64>,
    shifts: Rows<i32>,
}

impl ContactColumns {
    pub fn of<const D: usize>(all: &[Contact<D>]) -> Self {
        Self {
            ids: all.iter().map(|contact| contact.ids).collect(),
            overlaps: all.iter().map(|contact| contact.overlap).collect(),
            normals: Rows::new(all.iter().map(|contact| contact.normal).collect()),
            forces: Rows::new(all.iter().map(|contact| contact.force).collect()),
            shifts: Rows::new(all.iter().map(|contact| contact.shift).collect()),
        }
    }

    /// Arrays by name.
    pub fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let arrays = PyDict::new(py);
        arrays.set_item("ids", table(py, self.ids)?)?;
        arrays.set_item("overlaps", PyArray1::from_vec(py, self.overlaps))?;
        arrays.set_item("normals", self.normals.into_array(py)?)?;
        arrays.set_item("forces", self.forces.into_array(py)?)?;
        arrays.set_item("shifts", self.shifts.into_array(py)?)?;
        Ok(arrays)
    }
}

/// ContactColumns with walls, a column for each thing known of them.
pub struct WallContacts {
    ids: Vec<u64>,
    walls: Vec<i64>,
    overlaps: Vec<f64>,
    normals: Rows<f64>,
    forces: Rows<f64>,
}

impl WallContacts {
    pub fn of<const D: usize>(all: &[WallTouch<D>]) -> Self {
        Self {
            ids: all.iter().map(|touch| touch.id).collect(),
            walls: all.iter().map(|touch| touch.wall as i64).collect(),
            overlaps: all.iter().map(|touch| touch.overlap).collect(),
            normals: Rows::new(all.iter().map(|touch| touch.normal).collect()),
            forces: Rows::new(all.iter().map(|touch| touch.force).collect()),
        }
    }

    /// Arrays by name.
    pub fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let arrays = PyDict::new(py);
        arrays.set_item("ids", PyArray1::from_vec(py, self.ids))?;
        arrays.set_item("walls", PyArray1::from_vec(py, self.walls))?;
        arrays.set_item("overlaps", PyArray1::from_vec(py, self.overlaps))?;
        arrays.set_item("normals", self.normals.into_array(py)?)?;
        arrays.set_item("forces", self.forces.into_array(py)?)?;
        Ok(arrays)
    }
}
