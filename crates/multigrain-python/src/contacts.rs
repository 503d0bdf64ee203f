//! `Contacts`: a list of contacts as it was read from a file.

use crate::errors::damaged;
use crate::notebook::html_table;
use multigrain_files::{ContactList, MeshArray};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

/// Contacts as :func:`read` finds them in a file: those that ``multigrain detect`` writes as CSV, and those of a simulation
/// (``contacts-N.vtp``).
///
/// Columns are arrays by name: ``i``, ``j``, ``overlap``, ``sx`` and so on of a CSV; ``ids``, ``force``, ``force_norm``, ``overlap`` and ``ends``
/// of a simulation.
///
/// Examples
/// --------
/// >>> import multigrain as mg, os, tempfile
/// >>> path = os.path.join(tempfile.mkdtemp(), "contacts.csv")
/// >>> _ = open(path, "w").write("i,j,overlap\n0,1,0.5\n")
/// >>> contacts = mg.read(path)
/// >>> contacts
/// <Contacts: 1 contacts with i, j, overlap>
/// >>> contacts.pairs
/// array([[0, 1]])
#[pyclass(frozen, module = "multigrain")]
pub struct Contacts {
    list: ContactList,
}

#[pymethods]
impl Contacts {
    /// Both particles of each contact, shape (M, 2), int64: places of a CSV, ids of a simulation.
    #[getter]
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let whole = |values: &[f64]| values.iter().map(|&value| value as i64).collect::<Vec<_>>();
        let flat = match (self.list.column("ids"), self.list.column("i"), self.list.column("j")) {
            (Some(ids), ..) => whole(&ids.values),
            (None, Some(i), Some(j)) => {
                whole(&i.values.iter().zip(&j.values).flat_map(|(&i, &j)| [i, j]).collect::<Vec<_>>())
            }
            _ => Vec::new(),
        };
        let count = flat.len() / 2;
        PyArray1::from_vec(py, flat).reshape([count, 2])
    }

    /// Names of the columns.
    fn keys(&self) -> Vec<&str> {
        self.list.columns.iter().map(|column| column.name.as_str()).collect()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.list.column(name) {
            Some(MeshArray { components: 1, values, .. }) => PyArray1::from_slice(py, values).into_bound_py_any(py),
            Some(MeshArray { components, values, .. }) => {
                PyArray1::from_slice(py, values).reshape([self.list.count, *components])?.into_bound_py_any(py)
            }
            None => Err(PyKeyError::new_err(format!("there is no column '{name}', but {}", self.keys().join(", ")))),
        }
    }

    fn __len__(&self) -> usize {
        self.list.count
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let columns = self.list.columns.iter();
        let columns = columns.map(|column| (column.name.clone(), column.components, column.values.clone()));
        Ok((py.import("multigrain._core")?.getattr("_contacts_of")?, (self.list.count, columns.collect())))
    }

    /// A table of the first contacts, for notebooks.
    fn _repr_html_(&self) -> String {
        let rows = (0..self.list.count).map(|k| {
            let shown = |column: &MeshArray| {
                let values = &column.values[k * column.components..(k + 1) * column.components];
                values.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
            };
            self.list.columns.iter().map(shown).collect()
        });
        html_table(&self.__repr__(), &self.keys(), rows, self.list.count)
    }

    fn __repr__(&self) -> String {
        format!("<Contacts: {} contacts with {}>", self.list.count, self.keys().join(", "))
    }
}

/// Name, numbers for each contact, and all numbers.
type Column = (String, usize, Vec<f64>);

/// How many contacts, and their columns.
type Parts = (usize, Vec<Column>);

/// Contacts as they were read.
#[pyfunction]
pub fn _contacts_of(count: usize, columns: Vec<Column>) -> PyResult<Contacts> {
    let is_whole = |(_, components, values): &Column| count.checked_mul(*components) == Some(values.len());
    if !columns.iter().all(is_whole) {
        return Err(damaged("contacts"));
    }
    let columns = columns.into_iter().map(|(name, components, values)| MeshArray { name, components, values });
    Ok(Contacts { list: ContactList { count, columns: columns.collect() } })
}

impl From<ContactList> for Contacts {
    fn from(list: ContactList) -> Self {
        Self { list }
    }
}
