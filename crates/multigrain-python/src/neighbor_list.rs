//! `neighbor_list`: neighbours in the convention of ASE and matscipy.

use crate::arrays::{Bodies, centers_of, floats, radii_of, shown, table};
use crate::domain::{Domain, periodic_axes};
use crate::errors::{refused, unknown};
use crate::search::Space;
use crate::threads;
use multigrain::{Method, NeighborTable, Snapshot};
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rayon::prelude::*;

/// Bodies whose rows one task sorts.
const BLOCK: usize = 1024;

/// Off-diagonal share of a cell's length that is rounding, as in cells made from angles of 90 degrees.
const ROUNDING: f64 = 1e-12;

/// Neighbours of every particle in the convention of ASE's ``neighbor_list`` and matscipy's ``neighbour_list``: every
/// pair in both directions, images of a particle itself with both signs, sorted by (i, j, S).
///
/// Parameters
/// ----------
/// quantities : str
///     Any of ``i`` (first particle), ``j`` (second), ``d`` (distance), ``D`` (vector from i to j) and ``S`` (cells
///     crossed): ``D == positions[j] - positions[i] + S @ cell``.
/// positions : array_like, shape (N, 2) or (N, 3)
/// cell : array_like, shape (D,) or (D, D), optional
///     Lengths of the cell, or its vectors, which along periodic axes must lie on them: skewed cells are an error.
///     The cell begins at the origin. Needed where an axis is periodic.
/// pbc : bool or sequence of D bools, default False
///     Periodic axes.
/// radii : array_like, shape (N,), or float
///     Neighbours are closer than ``radii[i] + radii[j]``. This is ASE's list of cutoffs, one per atom.
/// cutoff : float or array_like, shape (N,), optional
///     Instead of radii, as ASE has it: a number is the distance below which any two are neighbours (so it is twice a
///     radius), an array is the same as radii.
///
/// Returns
/// -------
/// tuple of arrays, or one array for a single quantity
///     ``i``, ``j``: (M,) int64; ``d``: (M,) float64; ``D``: (M, D) float64; ``S``: (M, D) int32.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> i, j, d, S = mg.neighbor_list("ijdS", [[0.5, 0.5, 0.5], [3.5, 0.5, 0.5]], [4, 9, 9], [True, False, False], [0.6, 0.5])
/// >>> i, j, d
/// (array([0, 1]), array([1, 0]), array([1., 1.]))
/// >>> S
/// array([[-1,  0,  0],
///        [ 1,  0,  0]], dtype=int32)
#[pyfunction]
#[pyo3(signature = (quantities, positions, cell=None, pbc=None, radii=None, *, cutoff=None))]
pub fn neighbor_list<'py>(
    quantities: &str,
    positions: &Bound<'py, PyAny>,
    cell: Option<&Bound<'py, PyAny>>,
    pbc: Option<&Bound<'py, PyAny>>,
    radii: Option<&Bound<'py, PyAny>>,
    cutoff: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if quantities.is_empty() {
        return Err(PyValueError::new_err("quantities is empty, must name some of 'ijdDS'"));
    }
    if let Some(other) = quantities.chars().find(|quantity| !"ijdDS".contains(*quantity)) {
        return Err(unknown("quantity", &other.to_string(), ["i", "j", "d", "D", "S"]));
    }
    let centers = centers_of(positions, None)?;
    let (count, dimension) = (centers.shape()[0], centers.shape()[1]);
    let radii = match (radii, cutoff) {
        (Some(radii), None) => radii_of(radii, count)?,
        (None, Some(cutoff)) => radii_of_cutoff(cutoff, count)?,
        (None, None) => return Err(PyValueError::new_err("radii are missing: give radii, or cutoff")),
        (Some(_), Some(_)) => {
            return Err(PyValueError::new_err("radii and cutoff both set the reach: give one of them"));
        }
    };
    let periodic = pbc.map_or(Ok(vec![false; dimension]), |pbc| periodic_axes(pbc, dimension))?;
    let space = Space { margin: 0.0, domain: domain_of(cell, &periodic)? };
    let bodies = Bodies { centers, radii };
    let arrays = match dimension {
        2 => arrays::<2>(quantities, &bodies, &space)?,
        _ => arrays::<3>(quantities, &bodies, &space)?,
    };
    match <[_; 1]>::try_from(arrays) {
        Ok([only]) => Ok(only),
        Err(several) => Ok(PyTuple::new(positions.py(), several)?.into_any()),
    }
}

/// A neighbour: whom, and how many cells away. Sorts by these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Neighbor<const D: usize> {
    j: u32,
    shift: [i32; D],
}

/// The list before it becomes arrays.
struct List<const D: usize> {
    first: Vec<i64>,
    neighbors: Vec<Neighbor<D>>,
}

impl<const D: usize> List<D> {
    fn new(table: NeighborTable<D>) -> Self {
        let NeighborTable { offsets, indices, shifts } = table;
        let mut neighbors: Vec<Neighbor<D>> = (0..indices.len())
            .into_par_iter()
            .map(|k| Neighbor { j: indices[k], shift: shifts.get(k).copied().unwrap_or([0; D]) })
            .collect();
        let mut first = vec![0; neighbors.len()];
        let bodies = offsets.len() - 1;
        let mut blocks = Vec::with_capacity(bodies.div_ceil(BLOCK));
        let (mut rest, mut rest_first) = (&mut neighbors[..], &mut first[..]);
        for from in (0..bodies).step_by(BLOCK) {
            let to = (from + BLOCK).min(bodies);
            let length = offsets[to] - offsets[from];
            let (head, tail) = rest.split_at_mut(length);
            let (head_first, tail_first) = rest_first.split_at_mut(length);
            blocks.push((from..to, head, head_first));
            (rest, rest_first) = (tail, tail_first);
        }
        blocks.into_par_iter().for_each(|(block, neighbors, first)| {
            let start = offsets[block.start];
            for body in block {
                let row = offsets[body] - start..offsets[body + 1] - start;
                neighbors[row.clone()].sort_unstable();
                first[row].fill(body as i64);
            }
        });
        Self { first, neighbors }
    }

    /// One value for each entry.
    fn each<T: Send>(&self, value: impl Fn(usize, &Neighbor<D>) -> T + Sync) -> Vec<T> {
        let entries = self.first.par_iter().zip(&self.neighbors).with_min_len(1 << 13);
        entries.map(|(&i, neighbor)| value(i as usize, neighbor)).collect()
    }

    fn vectors(&self, now: &Snapshot<'_, D>) -> Vec<[f64; D]> {
        self.each(|i, to| now.contact_vector(i, to.j as usize, to.shift))
    }

    fn distances(&self, now: &Snapshot<'_, D>) -> Vec<f64> {
        self.each(|i, to| {
            let vector = now.contact_vector(i, to.j as usize, to.shift);
            vector.iter().map(|component| component * component).sum::<f64>().sqrt()
        })
    }
}

/// One of the arrays asked for.
enum Quantity<const D: usize> {
    Index(Vec<i64>),
    Distance(Vec<f64>),
    Vector(Vec<[f64; D]>),
    Shift(Vec<[i32; D]>),
}

fn arrays<'py, const D: usize>(
    quantities: &str,
    bodies: &Bodies<'py>,
    space: &Space,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = bodies.centers.py();
    let space = space.engine::<D>()?;
    let lent = bodies.lend()?;
    let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
    let made = threads::run(py, |_| {
        let now = space.snapshot(centers, radii)?;
        let mut pairs = multigrain::Pairs::new();
        Method::Auto.build(now)?.find_pairs(now, &mut pairs);
        let list = List::new(pairs.neighbor_table(now.len()));
        drop(pairs);
        let quantity = |name: char| match name {
            'i' => Quantity::Index(list.first.clone()),
            'j' => Quantity::Index(list.each(|_, to| i64::from(to.j))),
            'd' => Quantity::Distance(list.distances(&now)),
            'D' => Quantity::Vector(list.vectors(&now)),
            _ => Quantity::Shift(list.each(|_, to| to.shift)),
        };
        Ok(quantities.chars().map(quantity).collect::<Vec<_>>())
    })?;
    let made = made.map_err(refused)?.into_iter();
    made.map(|quantity| match quantity {
        Quantity::Index(list) => PyArray1::from_vec(py, list).into_bound_py_any(py),
        Quantity::Distance(list) => PyArray1::from_vec(py, list).into_bound_py_any(py),
        Quantity::Vector(list) => table(py, list)?.into_bound_py_any(py),
        Quantity::Shift(list) => table(py, list)?.into_bound_py_any(py),
    })
    .collect()
}

/// ASE's cutoff: a number for any two, or a radius for each.
fn radii_of_cutoff<'py>(cutoff: &Bound<'py, PyAny>, count: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let array = floats(cutoff, "cutoff")?;
    if array.ndim() > 0 {
        return radii_of(cutoff, count);
    }
    let reach: f64 = array.call_method0("item")?.extract()?;
    if !(reach.is_finite() && reach >= 0.0) {
        return Err(PyValueError::new_err(format!("cutoff is {reach}, must be finite and not negative")));
    }
    Ok(PyArray1::from_vec(cutoff.py(), vec![reach / 2.0; count]))
}

/// The cell as a box along the axes; open axes need none.
fn domain_of(cell: Option<&Bound<'_, PyAny>>, periodic: &[bool]) -> PyResult<Option<Domain>> {
    if !periodic.contains(&true) {
        return Ok(None);
    }
    let axes = periodic.len();
    let Some(cell) = cell else {
        return Err(PyValueError::new_err("pbc names periodic axes, but there is no cell: give its lengths"));
    };
    let cell = floats(cell, "cell")?;
    let values = cell.readonly();
    let values = values.as_slice()?;
    let is_matrix = match *cell.shape() {
        [length] if length == axes => false,
        [rows, columns] if rows == axes && columns == axes => true,
        _ => {
            return Err(PyValueError::new_err(format!(
                "cell has shape {}, must be ({axes},) or ({axes}, {axes})",
                shown(cell.shape())
            )));
        }
    };
    let mut hi = vec![1.0; axes];
    for axis in (0..axes).filter(|&axis| periodic[axis]) {
        let vector = if is_matrix { &values[axis * axes..(axis + 1) * axes] } else { values };
        hi[axis] = vector[axis];
        let is_off = |k: usize| k != axis && vector[k].abs() > ROUNDING * vector[axis].abs();
        if is_matrix && (0..axes).any(is_off) {
            return Err(PyValueError::new_err(format!(
                "cell is skewed or rotated: its vector {axis} is {vector:?}, which must lie along axis {}; only orthogonal \
                 cells along the axes are supported",
                ["x", "y", "z"][axis]
            )));
        }
    }
    Ok(Some(Domain::of_axes(&vec![0.0; axes], &hi, periodic)?))
}
