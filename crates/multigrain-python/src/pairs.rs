//! `Pairs`: the contacts of a search as arrays, and what follows from them.

use crate::arrays::{Bodies, Lent, blank, rows, sealed, table};
use crate::domain::Domain;
use crate::errors::refused;
use crate::neighbor_table::NeighborTable;
use crate::search::Space;
use crate::threads::{self, Size};
use multigrain::{PairView, Snapshot};
use multigrain_analysis::Contact;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

/// Contacts that one thread measures at once.
const SHARE: usize = 1 << 14;

/// Contacts found by a search, each once.
///
/// Distances, vectors and overlaps are computed when asked: from the arrays that were searched, as they are then, if those
/// were float64 in C order, else from the copy that was made of them. To keep those of a step, ask for them before you
/// change the arrays in place.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> import numpy as np
/// >>> centers = np.array([[0.0, 0.0], [1.5, 0.0], [0.0, 1.0]])
/// >>> pairs = mg.find_pairs(centers, [1.0, 0.8, 0.25])
/// >>> len(pairs)
/// 2
/// >>> np.asarray(pairs)
/// array([[0, 1],
///        [0, 2]], dtype=uint32)
/// >>> pairs.i - pairs.j
/// array([-1, -2])
/// >>> pairs.distances
/// array([1.5, 1. ])
#[pyclass(frozen, module = "multigrain")]
pub struct Pairs {
    array: Py<PyArray2<u32>>,
    /// In periodic domains only.
    shifts: Option<Py<PyArray2<i32>>>,
    centers: Py<PyArray2<f64>>,
    radii: Py<PyArray1<f64>>,
    space: Space,
    particles: usize,
    dimension: usize,
}

#[pymethods]
impl Pairs {
    /// Indices (i, j) of every contact, shape (M, 2), uint32, read-only: i < j, or i = j for a body's own image.
    #[getter]
    fn array<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u32>> {
        self.array.bind(py).clone()
    }

    /// The first body of every contact, shape (M,), int64: a copy. Differences of these are right, and torch takes them as
    /// an index; those of ``array`` are unsigned, where 0 - 1 is 4294967295.
    #[getter]
    fn i<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        self.bodies_of(py, 0)
    }

    /// The second body of every contact, shape (M,), int64: a copy.
    #[getter]
    fn j<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        self.bodies_of(py, 1)
    }

    /// How many periods the image of j lies from j, shape (M, D), int32; zeros where no axis is periodic.
    #[getter]
    fn shifts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        match &self.shifts {
            Some(shifts) => Ok(shifts.bind(py).clone()),
            None => sealed(PyArray2::zeros(py, [self.__len__(py), self.dimension], false)),
        }
    }

    /// Vector from the center of i to the center of (the image of) j, shape (M, D).
    #[getter]
    fn vectors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        match self.dimension {
            2 => table(py, self.each::<2, _>(py, |now, i, j, shift| now.contact_vector(i, j, shift))?),
            _ => table(py, self.each::<3, _>(py, |now, i, j, shift| now.contact_vector(i, j, shift))?),
        }
    }

    /// Distance between the centers, shape (M,).
    #[getter]
    fn distances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let distances = match self.dimension {
            2 => self.each::<2, _>(py, |now, i, j, shift| length(now.contact_vector(i, j, shift)))?,
            _ => self.each::<3, _>(py, |now, i, j, shift| length(now.contact_vector(i, j, shift)))?,
        };
        Ok(PyArray1::from_vec(py, distances))
    }

    /// Depth of overlap, r_i + r_j - distance, shape (M,); negative within the margin.
    #[getter]
    fn overlaps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let overlaps = match self.dimension {
            2 => self.each::<2, _>(py, |now, i, j, shift| now.overlap_depth(i, j, shift))?,
            _ => self.each::<3, _>(py, |now, i, j, shift| now.overlap_depth(i, j, shift))?,
        };
        Ok(PyArray1::from_vec(py, overlaps))
    }

    /// Every body's partners in both directions, as compressed rows (CSR), each sorted by partner and shift.
    ///
    /// Returns
    /// -------
    /// NeighborTable
    ///
    /// Examples
    /// --------
    /// >>> import multigrain as mg, numpy as np, scipy.sparse
    /// >>> table = mg.find_pairs([[0, 0], [1.5, 0], [3, 0]], 1.0).neighbor_table()
    /// >>> table.offsets
    /// array([0, 1, 3, 4])
    /// >>> table.indices
    /// array([1, 0, 2, 1])
    /// >>> graph = scipy.sparse.csr_array((np.ones(len(table.indices)), table.indices, table.offsets))
    /// >>> int(scipy.sparse.csgraph.connected_components(graph)[0])
    /// 1
    fn neighbor_table(&self, py: Python<'_>) -> PyResult<NeighborTable> {
        match self.dimension {
            2 => self.with_contacts::<2, _>(py, |view| NeighborTable::of_pairs(py, view, self.particles)),
            _ => self.with_contacts::<3, _>(py, |view| NeighborTable::of_pairs(py, view, self.particles)),
        }
    }

    /// The same contacts sorted by (i, j, shift), the same for every method.
    ///
    /// Returns
    /// -------
    /// Pairs
    ///
    /// Examples
    /// --------
    /// >>> import multigrain as mg
    /// >>> system = mg.pack(law="uniform", ratio=4, count=500, packing_fraction=0.6, seed=1)
    /// >>> a = system.find_pairs(method="nbs").sorted()
    /// >>> b = system.find_pairs(method="hgrid").sorted()
    /// >>> bool((a.array == b.array).all())
    /// True
    fn sorted(&self, py: Python<'_>) -> PyResult<Self> {
        match self.dimension {
            2 => self.sorted_in::<2>(py),
            _ => self.sorted_in::<3>(py),
        }
    }

    /// Number of bodies that were searched.
    #[getter]
    fn particles(&self) -> usize {
        self.particles
    }

    /// Number of contacts.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.array.bind(py).shape()[0]
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let images = if self.shifts.is_some() { ", with image shifts" } else { "" };
        format!("<Pairs: {} contacts of {} particles in {}D{images}>", self.__len__(py), self.particles, self.dimension)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Parts<'py>,))> {
        let shifts = self.shifts.as_ref().map(|shifts| shifts.bind(py).clone());
        let (centers, radii) = (self.centers.bind(py).clone(), self.radii.bind(py).clone());
        let domain = self.space.domain.clone().map(|domain| Bound::new(py, domain)).transpose()?;
        let parts = (self.array(py), shifts, centers, radii, self.space.margin, domain);
        Ok((py.import("multigrain._core")?.getattr("_pairs_of")?, (parts,)))
    }

    /// The same as ``pairs.array``, for numpy.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = self.array(py).into_bound_py_any(py)?;
        let is_other = match dtype {
            Some(dtype) => !py.import("numpy")?.call_method1("dtype", (dtype,))?.eq(array.getattr("dtype")?)?,
            None => false,
        };
        match (is_other, copy) {
            (true, Some(false)) => {
                Err(PyValueError::new_err("pairs are uint32: another dtype cannot be had without a copy"))
            }
            (true, _) => array.call_method1("astype", (dtype,)),
            (false, Some(true)) => array.call_method0("copy"),
            (false, _) => Ok(array),
        }
    }
}

/// What pickle and copy make pairs from.
type Parts<'py> = (
    Bound<'py, PyArray2<u32>>,
    Option<Bound<'py, PyArray2<i32>>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    f64,
    Option<Bound<'py, Domain>>,
);

/// Pairs as they were when they were pickled or copied.
#[pyfunction]
pub fn _pairs_of(parts: Parts<'_>) -> PyResult<Pairs> {
    let (array, shifts, centers, radii, margin, domain) = parts;
    Ok(Pairs {
        particles: radii.len(),
        dimension: centers.shape()[1],
        array: sealed(array)?.unbind(),
        shifts: shifts.map(sealed).transpose()?.map(Bound::unbind),
        centers: centers.unbind(),
        radii: radii.unbind(),
        space: Space::new(margin, domain),
    })
}

impl Pairs {
    /// Takes over the lists of a search.
    pub fn new<const D: usize>(
        (list, shifts): (Vec<[u32; 2]>, Vec<[i32; D]>),
        bodies: Bodies<'_>,
        space: Space,
    ) -> PyResult<Self> {
        let py = bodies.centers.py();
        let has_images = space.engine::<D>()?.domain.has_images();
        let shifts = if has_images { Some(sealed(table(py, shifts)?)?.unbind()) } else { None };
        Ok(Self {
            array: sealed(table(py, list)?)?.unbind(),
            shifts,
            particles: bodies.radii.len(),
            dimension: D,
            centers: bodies.centers.unbind(),
            radii: bodies.radii.unbind(),
            space,
        })
    }

    /// The bodies, as they are now.
    fn bodies<'py>(&self, py: Python<'py>) -> Bodies<'py> {
        Bodies { centers: self.centers.bind(py).clone(), radii: self.radii.bind(py).clone() }
    }

    /// Every contact as it is analyzed, without force.
    pub fn branches<const D: usize>(&self, py: Python<'_>) -> PyResult<Vec<Contact<D>>> {
        if self.dimension != D {
            return Err(PyValueError::new_err(format!("pairs are of {} dimensions, grains of {D}", self.dimension)));
        }
        self.each::<D, _>(py, |now, i, j, shift| {
            let (branch, overlap) = (now.contact_vector(i, j, shift), now.overlap_depth(i, j, shift));
            Contact { pair: [i as u32, j as u32], branch, overlap, force: None }
        })
    }

    /// One value for each contact, in parallel.
    fn each<const D: usize, T: Send>(
        &self,
        py: Python<'_>,
        value: impl Fn(&Snapshot<'_, D>, usize, usize, [i32; D]) -> T + Sync + Send,
    ) -> PyResult<Vec<T>> {
        let lent: Lent<'_> = self.bodies(py).lend()?;
        let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
        let space = self.space.engine::<D>()?;
        let (array, shifts) = (self.array.bind(py).readonly(), self.shifts.as_ref().map(|s| s.bind(py).readonly()));
        let list = rows::<u32, 2>(&array)?;
        let shifts = shifts.as_ref().map_or(Ok(&[][..]), rows::<i32, D>)?;
        // Longer lists are shared by all threads, and only a thread of a pool may ask for them.
        let is_shared = list.len() > SHARE;
        let size = Size { visits: (list.len() + centers.len()) as f64, sorted: if is_shared { list.len() } else { 0 } };
        threads::run_by_size(py, size, |_| {
            let now = space.snapshot(centers, radii)?;
            let of = |k: usize| {
                let [i, j] = list[k];
                value(&now, i as usize, j as usize, shifts.get(k).copied().unwrap_or([0; D]))
            };
            Ok(match is_shared {
                true => (0..list.len()).into_par_iter().with_min_len(SHARE).map(of).collect(),
                false => (0..list.len()).map(of).collect(),
            })
        })?
        .map_err(refused)
    }

    /// Does something with the contacts.
    fn with_contacts<const D: usize, T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(PairView<'_, D>) -> PyResult<T>,
    ) -> PyResult<T> {
        let (array, shifts) = (self.array.bind(py).readonly(), self.shifts.as_ref().map(|s| s.bind(py).readonly()));
        let list = rows::<u32, 2>(&array)?;
        let shifts = shifts.as_ref().map_or(Ok(&[][..]), rows::<i32, D>)?;
        work(PairView { list, shifts })
    }

    /// The first or second body of every contact.
    fn bodies_of<'py>(&self, py: Python<'py>, which: usize) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let column = blank::<i64, 1>(py, [self.__len__(py)])?;
        let array = self.array.bind(py).readonly();
        let list = rows::<u32, 2>(&array)?;
        for (place, pair) in column.readwrite().as_slice_mut()?.iter_mut().zip(list) {
            *place = i64::from(pair[which]);
        }
        Ok(column)
    }

    fn sorted_in<const D: usize>(&self, py: Python<'_>) -> PyResult<Self> {
        let parts = self.with_contacts::<D, _>(py, |view| {
            threads::run(py, |_| {
                let mut pairs = multigrain::Pairs::new();
                pairs.extend(view.list, view.shifts);
                pairs.sort();
                pairs.into_parts()
            })
        })?;
        Self::new(parts, self.bodies(py), self.space.clone())
    }
}

fn length<const D: usize>(vector: [f64; D]) -> f64 {
    vector.iter().map(|component| component * component).sum::<f64>().sqrt()
}
