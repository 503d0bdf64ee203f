//! Arrays in and out: taken as they are where the layout allows, converted once where it does not, handed back without
//! copies.

use numpy::{
    Element, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PySlice, PyTuple};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Kinds of numbers that stand for places and sizes: floats and integers, signed or not.
const REAL_KINDS: [&str; 3] = ["f", "i", "u"];

/// Centers and radii of the bodies, as C-contiguous arrays of float64.
pub struct Bodies<'py> {
    /// (N, D).
    pub centers: Bound<'py, PyArray2<f64>>,
    /// (N,).
    pub radii: Bound<'py, PyArray1<f64>>,
}

impl<'py> Bodies<'py> {
    /// From what a caller passes. A single radius is that of all bodies. `axes` is the dimension of an array that has no
    /// columns to tell.
    pub fn from_python(centers: &Bound<'py, PyAny>, radii: &Bound<'py, PyAny>, axes: Option<usize>) -> PyResult<Self> {
        let centers = centers_of(centers, axes)?;
        let radii = radii_of(radii, centers.shape()[0])?;
        Ok(Self { centers, radii })
    }

    /// Number of axes, 2 or 3.
    pub fn dimension(&self) -> usize {
        self.centers.shape()[1]
    }

    /// Borrows the arrays for a search.
    pub fn lend(&self) -> PyResult<Lent<'py>> {
        Lent::new(&self.centers, &self.radii)
    }
}

/// Borrowed centers and radii.
pub struct Lent<'py> {
    centers: PyReadonlyArray2<'py, f64>,
    radii: PyReadonlyArray1<'py, f64>,
}

impl<'py> Lent<'py> {
    /// Borrows C-contiguous arrays.
    pub fn new(centers: &Bound<'py, PyArray2<f64>>, radii: &Bound<'py, PyArray1<f64>>) -> PyResult<Self> {
        let busy = |what: &str| PyValueError::new_err(format!("{what} are being written to by another call"));
        Ok(Self {
            centers: centers.try_readonly().map_err(|_| busy("centers"))?,
            radii: radii.try_readonly().map_err(|_| busy("radii"))?,
        })
    }

    /// Centers, where they have `D` axes.
    pub fn centers<const D: usize>(&self) -> PyResult<&[[f64; D]]> {
        rows(&self.centers)
    }

    /// Radii.
    pub fn radii(&self) -> PyResult<&[f64]> {
        Ok(self.radii.as_slice()?)
    }
}

/// The rows of a C-contiguous array with `D` columns.
pub fn rows<'a, T: Element, const D: usize>(array: &'a PyReadonlyArray2<'_, T>) -> PyResult<&'a [[T; D]]> {
    if array.shape()[1] != D || !array.is_c_contiguous() {
        return Err(PyValueError::new_err(format!(
            "an array of {D} columns has changed its layout since it was given"
        )));
    }
    Ok(array.as_slice()?.as_chunks().0)
}

/// An array of float64 in C order: the caller's own where it is one, else converted.
pub fn floats<'py>(object: &Bound<'py, PyAny>, what: &str) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    if let Ok(array) = object.cast_exact::<PyArrayDyn<f64>>()
        && array.is_c_contiguous()
        && (array.data() as usize).is_multiple_of(align_of::<f64>())
    {
        return Ok(array.clone());
    }
    let py = object.py();
    let numpy = py.import("numpy")?;
    if is_masked(object)? {
        return Err(PyTypeError::new_err(format!(
            "{what} are a masked array, whose mask would be lost: pass only the particles that count, or use filled()"
        )));
    }
    let array = numpy.call_method1("asarray", (object,))?;
    let array = array.cast::<PyUntypedArray>()?;
    let dtype = array.dtype();
    let kind: String = dtype.getattr("kind")?.extract()?;
    if !REAL_KINDS.contains(&kind.as_str()) {
        return Err(PyTypeError::new_err(format!("{what} have dtype {dtype}, must be real numbers such as float64")));
    }
    let options = PyDict::new(py);
    options.set_item("dtype", "float64")?;
    options.set_item("requirements", ["C_CONTIGUOUS", "ALIGNED"])?;
    let converted = numpy.call_method("require", (array,), Some(&options))?;
    Ok(converted.cast_into::<PyArrayDyn<f64>>()?)
}

/// Whether it is a masked array. There is none before `numpy.ma` is loaded, which takes longer than most searches.
fn is_masked(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let modules = object.py().import("sys")?.getattr("modules")?;
    let masked = modules.call_method1("get", ("numpy.ma",))?;
    if masked.is_none() { Ok(false) } else { object.is_instance(&masked.getattr("MaskedArray")?) }
}

/// The value of a plain Python number.
pub fn plain_number(object: &Bound<'_, PyAny>) -> Option<f64> {
    let is_plain = object.is_exact_instance_of::<PyFloat>() || object.is_exact_instance_of::<PyInt>();
    if is_plain { object.extract().ok() } else { None }
}

/// Centers as (N, 2) or (N, 3). An empty list has no columns: it gets `axes`, or 3.
pub fn centers_of<'py>(object: &Bound<'py, PyAny>, axes: Option<usize>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let array = floats(object, "centers")?;
    match *array.shape() {
        [_, 2 | 3] => Ok(array.cast_into::<PyArray2<f64>>()?),
        [0] => Ok(PyArray2::zeros(object.py(), [0, axes.unwrap_or(3)], false)),
        _ => {
            Err(PyValueError::new_err(format!("centers have shape {}, must be (N, 2) or (N, 3)", shown(array.shape()))))
        }
    }
}

/// Radii as (N,); a single number is the radius of all `count` bodies.
pub fn radii_of<'py>(object: &Bound<'py, PyAny>, count: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
    if let Some(radius) = plain_number(object) {
        return Ok(PyArray1::from_vec(object.py(), vec![radius; count]));
    }
    let array = floats(object, "radii")?;
    match *array.shape() {
        [_] => Ok(array.cast_into::<PyArray1<f64>>()?),
        [] => {
            let radius: f64 = object.call_method0("__float__").or_else(|_| array.call_method0("item"))?.extract()?;
            Ok(PyArray1::from_vec(object.py(), vec![radius; count]))
        }
        _ => Err(PyValueError::new_err(format!(
            "radii have shape {}, must be (N,), one for each center, or a single number",
            shown(array.shape())
        ))),
    }
}

/// The number of the group of each body, from integers of any kind: what counts is which are the same.
pub fn groups_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let numpy = object.py().import("numpy")?;
    let mut array = numpy.call_method1("asarray", (object,))?;
    let (kind, axes): (String, usize) =
        (array.getattr("dtype")?.getattr("kind")?.extract()?, array.getattr("ndim")?.extract()?);
    let count: usize = array.getattr("size")?.extract()?;
    if axes != 1 || (count > 0 && !matches!(kind.as_str(), "i" | "u" | "b")) {
        return Err(PyTypeError::new_err("groups must be a list of integers, one for each center"));
    }
    let fits = |array: &Bound<'py, PyAny>| -> PyResult<bool> {
        let (min, max) = (array.call_method0("min")?, array.call_method0("max")?);
        Ok(min.ge(0)? && max.le(u32::MAX)?)
    };
    if count > 0 && kind != "b" && !fits(&array)? {
        let wish = PyDict::new(object.py());
        wish.set_item("return_inverse", true)?;
        array = numpy.call_method("unique", (array,), Some(&wish))?.get_item(1)?;
    }
    Ok(numpy.call_method1("ascontiguousarray", (array, "uint32"))?.cast_into::<PyArray1<u32>>()?)
}

/// An array to be filled, values unknown. Large ones are made by numpy, which asks for large pages from 4 MB on: these are there
/// in a fraction of the time, so somewhat smaller arrays are the beginning of one of that size, the rest of which is never
/// touched.
pub fn blank<'py, T: Element, const A: usize>(
    py: Python<'py>,
    shape: [usize; A],
) -> PyResult<Bound<'py, numpy::PyArray<T, numpy::ndarray::Dim<[usize; A]>>>>
where
    numpy::ndarray::Dim<[usize; A]>: numpy::ndarray::Dimension,
    [usize; A]: numpy::ndarray::IntoDimension<Dim = numpy::ndarray::Dim<[usize; A]>>,
{
    const SMALL: usize = 1 << 16;
    const WORTH_LARGE_PAGES: usize = 1 << 20;
    const LARGE: usize = 1 << 22;
    // glibc hands memory back to the system, page by page, when twice the largest array so far is free. One array that comes and
    // goes untouched lets it keep 32 MB, as any program does that has once had an array of this size.
    const LARGE_ENOUGH: usize = (1 << 24) / size_of::<f64>();
    static IS_ASKED: AtomicBool = AtomicBool::new(false);
    let row = shape[1..].iter().product::<usize>() * size_of::<T>();
    let bytes = shape[0] * row;
    if bytes < SMALL {
        return Ok(numpy::PyArray::zeros(py, shape, false));
    }
    let numpy = py.import("numpy")?;
    if !IS_ASKED.swap(true, Relaxed) {
        drop(numpy.call_method1("empty", (LARGE_ENOUGH,))?);
    }
    let is_near = (WORTH_LARGE_PAGES..LARGE).contains(&bytes);
    let mut asked = shape.to_vec();
    asked[0] = if is_near { LARGE.div_ceil(row) } else { shape[0] };
    let array = numpy.call_method1("empty", (PyTuple::new(py, asked)?, numpy::dtype::<T>(py)))?;
    let array = if is_near { array.get_item(PySlice::new(py, 0, shape[0] as isize, 1))? } else { array };
    Ok(array.cast_into()?)
}

/// A (rows, columns) array that takes over the memory of a flat list.
pub fn table<'py, T: Element, const D: usize>(py: Python<'py>, rows: Vec<[T; D]>) -> PyResult<Bound<'py, PyArray2<T>>> {
    let count = rows.len();
    PyArray1::from_vec(py, rows.into_flattened()).reshape([count, D])
}

/// The array, closed to writing.
pub fn sealed<'py, T: Element, D: numpy::ndarray::Dimension>(
    array: Bound<'py, numpy::PyArray<T, D>>,
) -> PyResult<Bound<'py, numpy::PyArray<T, D>>> {
    let wish = PyDict::new(array.py());
    wish.set_item("write", false)?;
    array.call_method("setflags", (), Some(&wish))?;
    Ok(array)
}

/// A shape as Python writes it.
pub fn shown(shape: &[usize]) -> String {
    match shape {
        [only] => format!("({only},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}
