//! `Pairs`: the contacts of a search as arrays, and what follows from them.

use crate::arrays::{Bodies, Lent, blank, rows, sealed, table};
use crate::domain::Domain;
use crate::errors::{damaged, refused};
use crate::neighbor_table::NeighborTable;
use crate::notebook::{SHOWN, html_table, short};
use crate::search::Space;
use crate::threads::{self, Size};
use multigrain::pairs::differences;
use multigrain::{Axes, Dimension, Pair, Snapshot};
use multigrain_analysis::Contact;
use multigrain_neighbors::PairView;
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PySlice, PyTuple};
use rayon::prelude::*;

/// Contacts that one thread measures at once.
const SHARE: usize = 1 << 14;

/// Contacts found by a search, each once.
///
/// Distances, vectors and overlaps are computed when asked, from a copy of the bodies as they were searched: what happens to
/// the arrays later changes nothing. ``pairs[k]`` is the indices (i, j) of one contact, so are the items of a loop;
/// ``pairs[2:5]``, ``pairs[mask]`` and ``pairs[[3, 1]]`` are Pairs again. Pairs are equal where they have the same contacts, in any
/// order.
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
/// >>> pairs[pairs.distances > 1.2], list(pairs)
/// (<Pairs: 1 contacts of 3 particles in 2D>, [(0, 1), (0, 2)])
/// >>> pairs == pairs[::-1]
/// True
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
    /// Number of bodies of the first set, where there are two: those of the second are counted from 0 again.
    split: Option<usize>,
}

#[pymethods]
impl Pairs {
    /// Indices (i, j) of every contact, shape (M, 2), uint32, read-only: i < j, or i = j for a body's own image. Between two sets
    /// i is of the first and j of the second.
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
        if self.split.is_some() {
            return Err(PyValueError::new_err("pairs between two sets have no table of both directions: use i and j"));
        }
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
    pub fn sorted(&self, py: Python<'_>) -> PyResult<Self> {
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

    fn __getitem__<'py>(&self, py: Python<'py>, which: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let array = self.array.bind(py);
        if let Some(place) = which.extract::<isize>().ok().filter(|_| !which.is_instance_of::<PyBool>()) {
            let count = self.__len__(py);
            let at = if place < 0 { place.checked_add_unsigned(count) } else { Some(place) };
            let at = at.and_then(|at| usize::try_from(at).ok()).filter(|&at| at < count);
            let Some(at) = at else {
                return Err(PyIndexError::new_err(format!("contact is {place}, but there are {count}")));
            };
            let list = array.readonly();
            let [i, j] = rows::<u32, 2>(&list)?[at];
            return (i, j).into_bound_py_any(py);
        }
        if which.is_instance_of::<PyTuple>() {
            return Err(PyTypeError::new_err("pairs have one axis: use pairs.array for columns"));
        }
        let which = if which.is_instance_of::<PySlice>() {
            which.clone()
        } else {
            let which = py.import("numpy")?.call_method1("asarray", (which,))?;
            let is_empty = which.getattr("size")?.extract::<usize>()? == 0;
            // An empty list is one of floats for numpy.
            if is_empty { which.call_method1("astype", ("int64",))? } else { which }
        };
        if !which.is_instance_of::<PySlice>() && which.getattr("ndim")?.extract::<usize>()? != 1 {
            return Err(PyIndexError::new_err("contacts are picked by a list or a mask with one axis"));
        }
        let taken = |array: &Bound<'py, PyAny>| -> PyResult<Bound<'py, PyAny>> {
            py.import("numpy")?.call_method1("ascontiguousarray", (array.get_item(&which)?,))
        };
        let shifts = match &self.shifts {
            Some(shifts) => Some(sealed(taken(shifts.bind(py).as_any())?.cast_into::<PyArray2<i32>>()?)?.unbind()),
            None => None,
        };
        let some = Self {
            array: sealed(taken(array.as_any())?.cast_into::<PyArray2<u32>>()?)?.unbind(),
            shifts,
            centers: self.centers.clone_ref(py),
            radii: self.radii.clone_ref(py),
            space: self.space.clone(),
            particles: self.particles,
            dimension: self.dimension,
            split: self.split,
        };
        some.into_bound_py_any(py)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let list = self.array.bind(py).readonly();
        let pairs: Vec<(u32, u32)> = rows::<u32, 2>(&list)?.iter().map(|&[i, j]| (i, j)).collect();
        pairs.into_bound_py_any(py)?.call_method0("__iter__")
    }

    fn __richcmp__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (Ok(other), CompareOp::Eq | CompareOp::Ne) = (other.cast::<Self>(), op) else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        let is_same = match self.dimension {
            _ if other.get().dimension != self.dimension => false,
            _ if other.get().__len__(py) != self.__len__(py) => false,
            2 => self.contacts::<2>(py)? == other.get().contacts::<2>(py)?,
            _ => self.contacts::<3>(py)? == other.get().contacts::<3>(py)?,
        };
        (is_same == matches!(op, CompareOp::Eq)).into_bound_py_any(py)
    }

    /// A table of the first contacts, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let first = self.__getitem__(py, &PySlice::new(py, 0, SHOWN as isize, 1).into_any())?;
        let first = first.cast::<Self>()?.get();
        let (distances, overlaps) = (first.distances(py)?.readonly(), first.overlaps(py)?.readonly());
        let (distances, overlaps) = (distances.as_slice()?, overlaps.as_slice()?);
        let list = first.array.bind(py).readonly();
        let rows = rows::<u32, 2>(&list)?
            .iter()
            .enumerate()
            .map(|(k, [i, j])| vec![i.to_string(), j.to_string(), short(distances[k]), short(overlaps[k])]);
        Ok(html_table(&self.__repr__(py), &["i", "j", "distance", "overlap"], rows, self.__len__(py)))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let images = if self.shifts.is_some() { ", with image shifts" } else { "" };
        format!("<Pairs: {} contacts of {} particles in {}D{images}>", self.__len__(py), self.particles, self.dimension)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Parts<'py>,))> {
        let shifts = self.shifts.as_ref().map(|shifts| shifts.bind(py).clone());
        let (centers, radii) = (self.centers.bind(py).clone(), self.radii.bind(py).clone());
        let domain = self.space.domain.clone().map(|domain| Bound::new(py, domain)).transpose()?;
        let parts = (self.array(py), shifts, centers, radii, self.space.margin, domain, self.split);
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
    Option<usize>,
);

/// Pairs as they were when they were pickled or copied.
#[pyfunction]
pub fn _pairs_of(parts: Parts<'_>) -> PyResult<Pairs> {
    let (array, shifts, centers, radii, margin, domain, split) = parts;
    let (particles, dimension) = (radii.len(), centers.shape()[1]);
    let first = split.unwrap_or(particles);
    let others = split.map_or(Some(particles), |first| particles.checked_sub(first));
    let has_bodies = |&[i, j]: &[u32; 2]| (i as usize) < first && others.is_some_and(|others| (j as usize) < others);
    let are_sound = matches!(dimension, 2 | 3)
        && centers.shape()[0] == particles
        && array.shape()[1] == 2
        && rows::<u32, 2>(&array.readonly())?.iter().all(has_bodies)
        && shifts.as_ref().is_none_or(|shifts| shifts.shape() == [array.shape()[0], dimension]);
    if !are_sound {
        return Err(damaged("pairs"));
    }
    Ok(Pairs {
        particles,
        dimension,
        array: sealed(array)?.unbind(),
        shifts: shifts.map(sealed).transpose()?.map(Bound::unbind),
        centers: kept(centers)?.unbind(),
        radii: kept(radii)?.unbind(),
        space: Space::new(margin, domain),
        split,
    })
}

/// What changed from one list to the next, both of bodies with as many axes: pairs that `before` does not have, and pairs of `before`
/// that `now` does not have. Both sorted.
#[pyfunction]
pub fn _pairs_changed(py: Python<'_>, now: &Pairs, before: &Pairs) -> PyResult<(Pairs, Pairs)> {
    match (now.dimension, before.dimension) {
        (2, 2) => now.changes::<2>(py, before),
        (3, 3) => now.changes::<3>(py, before),
        _ => Err(PyValueError::new_err("pairs of the plane and pairs of space have nothing in common")),
    }
}

/// The array itself if nobody can write to it, else a copy that nobody can write to.
fn kept<'py, T: Element, D: numpy::ndarray::Dimension>(
    array: Bound<'py, numpy::PyArray<T, D>>,
) -> PyResult<Bound<'py, numpy::PyArray<T, D>>> {
    let flags = array.getattr("flags")?;
    let is_open = |name: &str| flags.getattr(name)?.extract::<bool>();
    // A view that is closed to writing may have a base that is not.
    if is_open("owndata")? && !is_open("writeable")? {
        return Ok(array);
    }
    sealed(array.call_method0("copy")?.cast_into()?)
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
            centers: kept(bodies.centers)?.unbind(),
            radii: kept(bodies.radii)?.unbind(),
            space,
            split: None,
        })
    }

    /// The same pairs, as pairs between the first `first` bodies and the others.
    pub fn split_at(self, py: Python<'_>, first: usize) -> PyResult<Self> {
        let list: Vec<[u32; 2]> = {
            let array = self.array.bind(py).readonly();
            rows::<u32, 2>(&array)?.iter().map(|&[i, j]| [i, j - first as u32]).collect()
        };
        Ok(Self { array: sealed(table(py, list)?)?.unbind(), split: Some(first), ..self })
    }

    /// All contacts, sorted, with shifts.
    fn contacts<const D: usize>(&self, py: Python<'_>) -> PyResult<Vec<([u32; 2], [i32; D])>> {
        self.with_contacts::<D, _>(py, |view| {
            let shift = |k: usize| view.shifts.get(k).copied().unwrap_or([0; D]);
            let mut all: Vec<_> = view.list.iter().enumerate().map(|(k, &pair)| (pair, shift(k))).collect();
            all.sort_unstable();
            Ok(all)
        })
    }

    /// What the engine's `WithChanges` reports, for lists of any detector.
    fn changes<const D: usize>(&self, py: Python<'_>, before: &Self) -> PyResult<(Self, Self)> {
        let (now, old) = (self.contacts::<D>(py)?, before.contacts::<D>(py)?);
        let (mut begun, mut ended) = (Vec::new(), Vec::new());
        let pairs = |list: Vec<([u32; 2], [i32; D])>| list.into_iter().map(|([i, j], shift)| Pair { i, j, shift });
        differences(pairs(now), pairs(old), &mut begun, &mut ended);
        let part = |list: Vec<Pair<D>>, of: &Self| {
            let parts = list.into_iter().map(|pair| ([pair.i, pair.j], pair.shift)).unzip();
            Self::new::<D>(parts, of.bodies(py), of.space.clone())
        };
        Ok((part(begun, self)?, part(ended, before)?))
    }

    /// The bodies, as they were searched.
    fn bodies<'py>(&self, py: Python<'py>) -> Bodies<'py> {
        Bodies { centers: self.centers.bind(py).clone(), radii: self.radii.bind(py).clone() }
    }

    /// Every contact as it is analyzed, without force.
    pub fn branches<const D: usize>(&self, py: Python<'_>) -> PyResult<Vec<Contact<D>>>
    where
        Axes: Dimension<D>,
    {
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
    ) -> PyResult<Vec<T>>
    where
        Axes: Dimension<D>,
    {
        let lent: Lent<'_> = self.bodies(py).lend()?;
        let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
        let space = self.space.engine::<D>()?;
        let (array, shifts) = (self.array.bind(py).readonly(), self.shifts.as_ref().map(|s| s.bind(py).readonly()));
        let list = rows::<u32, 2>(&array)?;
        let shifts = shifts.as_ref().map_or(Ok(&[][..]), rows::<i32, D>)?;
        // Longer lists are shared by all threads, and only a thread of a pool may ask for them.
        let is_shared = list.len() > SHARE;
        let first = self.split.unwrap_or(0);
        let size = Size { visits: (list.len() + centers.len()) as f64, sorted: if is_shared { list.len() } else { 0 } };
        threads::run_by_size(py, size, |_| {
            let now = space.snapshot(centers, radii)?;
            let of = |k: usize| {
                let [i, j] = list[k];
                value(&now, i as usize, j as usize + first, shifts.get(k).copied().unwrap_or([0; D]))
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
        if self.split.is_some() {
            // They are sorted from the start; a selection is put in order by its rows.
            let contacts = self.contacts::<D>(py)?;
            let (list, shifts): (Vec<_>, Vec<_>) = contacts.into_iter().unzip();
            let sorted = Self::new((list, shifts), self.bodies(py), self.space.clone())?;
            return Ok(Self { split: self.split, ..sorted });
        }
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
