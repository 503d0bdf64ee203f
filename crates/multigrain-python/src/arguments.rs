//! Arguments that are named where they are wrong: pyo3 alone puts the name into a note, which messages lack.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// What a caller passes as the argument of this name.
pub fn taken<'a, 'py, T: FromPyObject<'a, 'py>>(object: &'a Bound<'py, PyAny>, name: &str) -> PyResult<T> {
    object.extract().map_err(|error: T::Error| named(error.into(), name, object))
}

/// The error with the name of the argument: a `TypeError` for the wrong type, a `ValueError` for a number out of range.
pub fn named(error: PyErr, name: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let py = object.py();
    if error.is_instance_of::<PyTypeError>(py) {
        return PyTypeError::new_err(format!("argument '{name}': {}", error.value(py)));
    }
    if !error.is_instance_of::<PyOverflowError>(py) {
        return error;
    }
    let problem = match object.lt(0) {
        Ok(true) => "must not be negative",
        Ok(false) => "which is too large",
        Err(_) => "of which a number is out of range",
    };
    PyValueError::new_err(format!("{name} is {object}, {problem}"))
}

/// A function for each name, as `from_py_with` takes it.
macro_rules! arguments {
    ($($name:ident)*) => {$(
        pub fn $name<'a, 'py, T: FromPyObject<'a, 'py>>(object: &'a Bound<'py, PyAny>) -> PyResult<T> {
            taken(object, stringify!($name))
        }
    )*};
}

arguments! {
    count dimension direction distribution domain every law levels limit margin material method number placement seed steps
}
