//! `NeighborTable`: partners of every body in compressed rows.

use crate::arrays::{blank, sealed};
use crate::errors::damaged;
use crate::notebook::{SHOWN, html_table};
use crate::threads::{self, Size};
use multigrain_neighbors::PairView;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

/// Partners of every body, both directions, in compressed rows (CSR): those of body k are
/// ``indices[offsets[k]:offsets[k + 1]]``, sorted, images of one partner by shift.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> table = mg.find_pairs([[0, 0], [1.5, 0], [3, 0]], 1.0).neighbor_table()
/// >>> table.neighbors(1)
/// array([0, 2])
/// >>> table.counts
/// array([1, 2, 1])
#[pyclass(frozen, module = "multigrain")]
pub struct NeighborTable {
    offsets: Py<PyArray1<i64>>,
    indices: Py<PyArray1<i64>>,
    shifts: Option<Py<PyArray2<i32>>>,
    dimension: usize,
}

#[pymethods]
impl NeighborTable {
    /// Where the partners of each body begin, shape (N + 1,), int64.
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.offsets.bind(py).clone()
    }

    /// Partners, body after body, shape (2 M,), int64.
    #[getter]
    fn indices<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.indices.bind(py).clone()
    }

    /// Image shifts of the partners, shape (2 M, D), int32, negated in the mirrored entry; zeros where no axis is periodic.
    #[getter]
    fn shifts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        match &self.shifts {
            Some(shifts) => Ok(shifts.bind(py).clone()),
            None => sealed(PyArray2::zeros(py, [self.indices.bind(py).len(), self.dimension], false)),
        }
    }

    /// Number of partners of each body, shape (N,), int64.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let offsets = self.offsets.bind(py).readonly();
        let counts = offsets.as_slice()?.windows(2).map(|ends| ends[1] - ends[0]).collect();
        Ok(PyArray1::from_vec(py, counts))
    }

    /// Partners of one body.
    ///
    /// Parameters
    /// ----------
    /// body : int
    ///     Index of the body; negative ones count from the end.
    ///
    /// Returns
    /// -------
    /// ndarray of int64
    ///     A view of ``indices``.
    fn neighbors<'py>(&self, py: Python<'py>, body: isize) -> PyResult<Bound<'py, PyAny>> {
        let offsets = self.offsets.bind(py).readonly();
        let offsets = offsets.as_slice()?;
        let bodies = offsets.len() - 1;
        let at = if body < 0 { body.checked_add_unsigned(bodies) } else { Some(body) };
        match at.and_then(|at| usize::try_from(at).ok()).filter(|&at| at < bodies) {
            Some(at) => {
                let slice = pyo3::types::PySlice::new(py, offsets[at] as isize, offsets[at + 1] as isize, 1);
                self.indices.bind(py).get_item(slice)
            }
            None => Err(PyIndexError::new_err(format!("body is {body}, but there are {bodies}"))),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Parts<'py>,))> {
        let shifts = self.shifts.as_ref().map(|shifts| shifts.bind(py).clone());
        let parts = (self.offsets(py), self.indices(py), shifts, self.dimension);
        Ok((py.import("multigrain._core")?.getattr("_neighbor_table_of")?, (parts,)))
    }

    /// Number of bodies.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.offsets.bind(py).len() - 1
    }

    /// Partners of one body; over all bodies when iterated.
    fn __getitem__<'py>(&self, py: Python<'py>, body: isize) -> PyResult<Bound<'py, PyAny>> {
        self.neighbors(py, body)
    }

    /// A table of the first bodies, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let (offsets, indices) = (self.offsets.bind(py).readonly(), self.indices.bind(py).readonly());
        let (offsets, indices) = (offsets.as_slice()?, indices.as_slice()?);
        let rows = offsets.windows(2).enumerate().map(|(body, ends)| {
            let partners = &indices[ends[0] as usize..ends[1] as usize];
            let mut named: Vec<String> = partners.iter().take(SHOWN).map(i64::to_string).collect();
            if partners.len() > SHOWN {
                named.push(format!("and {} more", partners.len() - SHOWN));
            }
            vec![body.to_string(), partners.len().to_string(), named.join(", ")]
        });
        Ok(html_table(&self.__repr__(py), &["body", "neighbors", "which"], rows, self.__len__(py)))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<NeighborTable: {} neighbors of {} particles>", self.indices.bind(py).len(), self.__len__(py))
    }
}

/// What pickle and copy make a table from.
type Parts<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Option<Bound<'py, PyArray2<i32>>>, usize);

/// A table as it was when it was pickled or copied.
#[pyfunction]
pub fn _neighbor_table_of(parts: Parts<'_>) -> PyResult<NeighborTable> {
    let (offsets, indices, shifts, dimension) = parts;
    let count = indices.len();
    let are_sound = {
        let offsets = offsets.readonly();
        let offsets = offsets.as_slice()?;
        offsets.first() == Some(&0) && offsets.last() == Some(&(count as i64)) && offsets.is_sorted()
    };
    if !are_sound || shifts.as_ref().is_some_and(|shifts| shifts.shape() != [count, dimension]) {
        return Err(damaged("neighbors"));
    }
    Ok(NeighborTable {
        offsets: sealed(offsets)?.unbind(),
        indices: sealed(indices)?.unbind(),
        shifts: shifts.map(sealed).transpose()?.map(Bound::unbind),
        dimension,
    })
}

impl NeighborTable {
    /// The table of these contacts of the given number of bodies.
    pub fn of_pairs<const D: usize>(py: Python<'_>, pairs: PairView<'_, D>, particles: usize) -> PyResult<Self> {
        let entries = 2 * pairs.list.len();
        let indices = blank::<i64, 1>(py, [entries])?;
        let shifts = if pairs.shifts.is_empty() { None } else { Some(blank::<i32, 2>(py, [entries, D])?) };
        let mut offsets = vec![0; particles + 1];
        {
            let (mut indices, mut shifts) = (indices.readwrite(), shifts.as_ref().map(|shifts| shifts.readwrite()));
            let indices = indices.as_slice_mut()?;
            let shifts = shifts.as_mut().map_or(Ok(&mut [][..]), |shifts| shifts.as_slice_mut())?.as_chunks_mut().0;
            let size = Size::of_visits(entries + particles);
            threads::run_by_size(py, size, |_| pairs.write_table(particles, &mut offsets, indices, shifts))?;
        }
        let offsets = offsets.into_iter().map(|offset| offset as i64).collect();
        Ok(Self {
            offsets: sealed(PyArray1::from_vec(py, offsets))?.unbind(),
            indices: sealed(indices)?.unbind(),
            shifts: shifts.map(sealed).transpose()?.map(Bound::unbind),
            dimension: D,
        })
    }
}
