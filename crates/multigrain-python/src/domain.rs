//! `Domain`: the space that bodies live in, any axes periodic, sheared or not.

use crate::arrays::{floats, shown, table};
use crate::errors::refused;
use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString, PyTuple};

/// A box, or a sheared cell, of which any axes may be periodic.
///
/// On a periodic axis bodies stand for all their images, wherever they are. On an open axis the box is information only:
/// bodies outside it are ordinary. Without a domain every axis is open. For sheared cells see :meth:`from_cell`.
///
/// Parameters
/// ----------
/// lo, hi : array_like, shape (D,)
///     Lower and upper corner, with D = 2 or 3.
/// periodic : bool, sequence of D bools, or str, default True
///     Which axes are periodic: all, one by one, or by name as in ``"xy"``; ``"none"`` for none.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> box = mg.Domain([0, 0, 0], [1, 1, 2], periodic="xz")
/// >>> box.periodic
/// (True, False, True)
/// >>> box.hi
/// array([1., 1., 2.])
/// >>> pairs = mg.find_pairs([[0.1, 0.5, 0.5], [0.9, 0.5, 0.5]], [0.15, 0.15], domain=box)
/// >>> pairs.shifts
/// array([[-1,  0,  0]], dtype=int32)
#[pyclass(frozen, eq, module = "multigrain")]
#[derive(Clone, PartialEq)]
pub struct Domain(Axes);

/// The engine's domain of either dimension.
#[derive(Clone, Copy, PartialEq)]
enum Axes {
    D2(multigrain::Domain<2>),
    D3(multigrain::Domain<3>),
}

/// Does the same with the engine's domain, whatever its dimension.
macro_rules! of_axes {
    ($axes:expr, $domain:ident => $value:expr) => {
        match $axes {
            Axes::D2($domain) => $value,
            Axes::D3($domain) => $value,
        }
    };
}

#[pymethods]
impl Domain {
    #[new]
    #[pyo3(signature = (lo, hi, periodic=None))]
    fn new(lo: &Bound<'_, PyAny>, hi: &Bound<'_, PyAny>, periodic: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let (lo, hi) = (corner(lo, "lo")?, corner(hi, "hi")?);
        let axes = lo.len();
        if !matches!(axes, 2 | 3) || hi.len() != axes {
            return Err(PyValueError::new_err(format!(
                "lo has {axes} coordinates and hi {}, must be 2 or 3 and the same",
                hi.len()
            )));
        }
        let periodic = match periodic {
            Some(wish) => periodic_axes(wish, axes)?,
            None => vec![true; axes],
        };
        Self::of_axes(&lo, &hi, &periodic)
    }

    /// A cell spanned by edge vectors, which may be sheared, rotated or left-handed: triclinic cells.
    ///
    /// Parameters
    /// ----------
    /// matrix : array_like, shape (D, D) or (D,)
    ///     An edge vector in each row, or lengths along the axes. Edges that are not periodic may be anything, also zeros.
    /// origin : array_like, shape (D,), optional
    ///     Where the edges begin; zero by default.
    /// periodic : bool, sequence of D bools, or str, default True
    ///     Along which edges space is periodic: all, one by one, or by name as in ``"xy"`` for the first two.
    /// pbc : bool or sequence of D bools, optional
    ///     Another name of ``periodic``, as ASE has it.
    ///
    /// Returns
    /// -------
    /// Domain
    ///
    /// Examples
    /// --------
    /// >>> import multigrain as mg
    /// >>> cell = mg.Domain.from_cell([[10, 0], [3, 10]])
    /// >>> cell.is_sheared, cell.volume
    /// (True, 100.0)
    /// >>> mg.find_pairs([[1, 0.5], [4, 9.8]], 0.5, domain=cell).shifts
    /// array([[ 0, -1]], dtype=int32)
    #[staticmethod]
    #[pyo3(signature = (matrix, origin=None, periodic=None, *, pbc=None))]
    fn from_cell(
        matrix: &Bound<'_, PyAny>,
        origin: Option<&Bound<'_, PyAny>>,
        periodic: Option<&Bound<'_, PyAny>>,
        pbc: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let matrix = floats(matrix, "cell")?;
        let axes = match *matrix.shape() {
            [axes @ (2 | 3)] => axes,
            [axes @ (2 | 3), columns] if columns == axes => axes,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "cell has shape {}, must be (2, 2) or (3, 3), or lengths",
                    shown(matrix.shape())
                )));
            }
        };
        let periodic = match (periodic, pbc) {
            (Some(_), Some(_)) => return Err(PyValueError::new_err("periodic and pbc are the same: give one of them")),
            (Some(wish), None) | (None, Some(wish)) => periodic_axes(wish, axes)?,
            (None, None) => vec![true; axes],
        };
        Self::of_cell(&matrix, origin, &periodic, false)
    }

    /// Lower corner, shape (D,); of a sheared cell that of its bounds.
    #[getter]
    fn lo<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_axes!(&self.0, domain => PyArray1::from_slice(py, &domain.lo()))
    }

    /// Upper corner, shape (D,); of a sheared cell that of its bounds.
    #[getter]
    fn hi<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_axes!(&self.0, domain => PyArray1::from_slice(py, &domain.hi()))
    }

    /// Where the edges begin, shape (D,): the lower corner if they lie along the axes.
    #[getter]
    fn origin<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_axes!(&self.0, domain => PyArray1::from_slice(py, &domain.origin()))
    }

    /// The edges, one in each row, shape (D, D).
    #[getter]
    fn cell<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        of_axes!(&self.0, domain => table(py, domain.edges().to_vec()))
    }

    /// Which axes, or edges of a sheared cell, are periodic, a tuple of D bools.
    #[getter]
    fn periodic<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.flags())
    }

    /// Another name of ``periodic``, as ASE has it.
    #[getter]
    fn pbc<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.periodic(py)
    }

    /// Whether edges do not lie along the axes.
    #[getter]
    pub fn is_sheared(&self) -> bool {
        of_axes!(&self.0, domain => domain.is_sheared())
    }

    /// Volume of the cell, area in the plane.
    #[getter]
    pub fn volume(&self) -> f64 {
        of_axes!(&self.0, domain => domain.volume())
    }

    /// Number of axes, 2 or 3.
    #[getter]
    pub fn dimension(&self) -> usize {
        match &self.0 {
            Axes::D2(_) => 2,
            Axes::D3(_) => 3,
        }
    }

    pub fn __repr__(&self) -> String {
        let names: String = "xyz".chars().zip(self.flags()).filter(|(_, is)| *is).map(|(name, _)| name).collect();
        let names = if names.is_empty() { "none" } else { &names };
        match self.is_sheared() {
            false => {
                of_axes!(&self.0, domain => format!("Domain({:?}, {:?}, periodic='{names}')", domain.lo(), domain.hi()))
            }
            true => of_axes!(&self.0, domain => {
                format!("Domain.from_cell({:?}, origin={:?}, periodic='{names}')", domain.edges(), domain.origin())
            }),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        if self.is_sheared() {
            let parts = (self.cell(py)?, self.origin(py), self.periodic(py)?).into_pyobject(py)?;
            return Ok((py.import("multigrain._core")?.getattr("_domain_of")?, parts));
        }
        let parts = (self.lo(py), self.hi(py), self.periodic(py)?).into_pyobject(py)?;
        Ok((py.get_type::<Self>().into_any(), parts))
    }
}

/// A sheared domain as it was when it was pickled or copied.
#[pyfunction]
pub fn _domain_of(cell: &Bound<'_, PyAny>, origin: &Bound<'_, PyAny>, periodic: &Bound<'_, PyAny>) -> PyResult<Domain> {
    Domain::from_cell(cell, Some(origin), Some(periodic), None)
}

impl Domain {
    /// From slices of equal length, 2 or 3, where the engine takes them.
    pub fn of_axes(lo: &[f64], hi: &[f64], periodic: &[bool]) -> PyResult<Self> {
        fn made<const D: usize>(
            lo: &[f64],
            hi: &[f64],
            periodic: &[bool],
        ) -> Result<multigrain::Domain<D>, multigrain::Error> {
            multigrain::Domain::new(first(lo), first(hi), first(periodic))
        }
        Ok(Self(match lo.len() {
            2 => Axes::D2(made(lo, hi, periodic).map_err(refused)?),
            _ => Axes::D3(made(lo, hi, periodic).map_err(refused)?),
        }))
    }

    /// From edges in rows, or lengths, for as many axes as there are flags. Straightened where only pairs count, not the cell
    /// itself.
    pub fn of_cell(
        cell: &Bound<'_, PyArrayDyn<f64>>,
        origin: Option<&Bound<'_, PyAny>>,
        periodic: &[bool],
        is_straightened: bool,
    ) -> PyResult<Self> {
        let axes = periodic.len();
        let origin = match origin {
            Some(origin) => corner(origin, "origin")?,
            None => vec![0.0; axes],
        };
        if origin.len() != axes {
            return Err(PyValueError::new_err(format!("origin has {} coordinates, must be {axes}", origin.len())));
        }
        let values = cell.readonly();
        let values = values.as_slice()?;
        let mut rows: Vec<Vec<f64>> = match *cell.shape() {
            [length] if length == axes => {
                (0..axes).map(|k| (0..axes).map(|axis| if axis == k { values[k] } else { 0.0 }).collect()).collect()
            }
            [rows, columns] if rows == axes && columns == axes => values.chunks(axes).map(<[f64]>::to_vec).collect(),
            _ => {
                return Err(PyValueError::new_err(format!(
                    "cell has shape {}, must be ({axes},) or ({axes}, {axes})",
                    shown(cell.shape())
                )));
            }
        };
        if is_straightened {
            straighten(&mut rows, periodic);
        }
        fn made<const D: usize>(
            origin: &[f64],
            rows: &[Vec<f64>],
            periodic: &[bool],
        ) -> Result<multigrain::Domain<D>, multigrain::Error> {
            let edges = std::array::from_fn(|k| first(&rows[k]));
            multigrain::Domain::from_cell(first(origin), edges, first(periodic))
        }
        Ok(Self(match axes {
            2 => Axes::D2(made(&origin, &rows, periodic).map_err(refused)?),
            _ => Axes::D3(made(&origin, &rows, periodic).map_err(refused)?),
        }))
    }

    /// From the engine's, which must have a box.
    pub fn of_engine<const D: usize>(domain: &multigrain::Domain<D>) -> PyResult<Self> {
        Ok(Self(match D {
            2 => Axes::D2(same_axes(domain)?),
            _ => Axes::D3(same_axes(domain)?),
        }))
    }

    /// As the engine takes it, for bodies with `D` axes; open where there is none.
    pub fn for_axes<const D: usize>(domain: Option<&Self>) -> PyResult<multigrain::Domain<D>> {
        match domain {
            None => Ok(multigrain::Domain::open()),
            Some(domain) if domain.dimension() == D => of_axes!(&domain.0, domain => same_axes(domain)),
            Some(domain) => Err(PyValueError::new_err(format!(
                "the domain has {} axes, but the centers have {D}",
                domain.dimension()
            ))),
        }
    }

    /// Whether any axis is periodic.
    pub fn has_images(&self) -> bool {
        of_axes!(&self.0, domain => domain.has_images())
    }

    fn flags(&self) -> Vec<bool> {
        (0..self.dimension()).map(|axis| of_axes!(&self.0, domain => domain.is_periodic(axis))).collect()
    }
}

/// The same domain, where both have the same number of axes.
fn same_axes<const D: usize, const E: usize>(domain: &multigrain::Domain<D>) -> PyResult<multigrain::Domain<E>> {
    let periodic = std::array::from_fn(|axis| domain.is_periodic(axis));
    if domain.is_sheared() {
        let edges = domain.edges();
        return multigrain::Domain::from_cell(
            first(&domain.origin()),
            std::array::from_fn(|k| first(&edges[k])),
            periodic,
        )
        .map_err(refused);
    }
    multigrain::Domain::new(first(&domain.lo()), first(&domain.hi()), periodic).map_err(refused)
}

fn first<const D: usize, T: Copy>(values: &[T]) -> [T; D] {
    std::array::from_fn(|axis| values[axis])
}

/// Off-diagonal share of an edge that is rounding, as in cells made from angles of 90 degrees.
const ROUNDING: f64 = 1e-12;

/// Makes a box along the axes of edges whose periodic ones lie along them but for rounding: such a box takes less time. Open
/// edges, which mean nothing for pairs, get some length.
fn straighten(rows: &mut [Vec<f64>], periodic: &[bool]) {
    let axes = rows.len();
    let is_straight = |k: usize| {
        let along = rows[k][k];
        along > 0.0 && (0..axes).all(|axis| axis == k || rows[k][axis].abs() <= ROUNDING * along)
    };
    if !(0..axes).all(|k| !periodic[k] || is_straight(k)) {
        return;
    }
    for k in 0..axes {
        let along = if periodic[k] { rows[k][k] } else { 1.0 };
        rows[k].fill(0.0);
        rows[k][k] = along;
    }
}

/// Axes from a bool, bools one by one, or names.
pub fn periodic_axes(wish: &Bound<'_, PyAny>, axes: usize) -> PyResult<Vec<bool>> {
    if let Ok(all) = wish.cast::<PyBool>() {
        return Ok(vec![all.is_true(); axes]);
    }
    if let Ok(names) = wish.cast::<PyString>() {
        return named_axes(&names.to_string(), axes);
    }
    let must = || PyTypeError::new_err("periodic must be a bool, a sequence of bools, or names of axes such as 'xy'");
    let items: Vec<Bound<'_, PyAny>> = wish.try_iter().map_err(|_| must())?.collect::<PyResult<_>>()?;
    if items.len() != axes {
        return Err(PyValueError::new_err(format!(
            "periodic has {} values, must be {axes}, one for each axis",
            items.len()
        )));
    }
    // Flags of other libraries come as numpy.bool or as 0 and 1.
    items
        .iter()
        .map(|item| {
            item.extract::<bool>().or_else(|_| match item.extract::<u8>() {
                Ok(0) => Ok(false),
                Ok(1) => Ok(true),
                _ => Err(must()),
            })
        })
        .collect()
}

fn named_axes(names: &str, axes: usize) -> PyResult<Vec<bool>> {
    let mut periodic = vec![false; axes];
    if names == "none" {
        return Ok(periodic);
    }
    for name in names.chars().filter(|c| !matches!(c, ',' | ' ')) {
        match "xyz".find(name).filter(|&axis| axis < axes) {
            Some(axis) => periodic[axis] = true,
            None => {
                return Err(PyValueError::new_err(format!(
                    "periodic is '{names}', must name axes out of '{}', or be 'none'",
                    &"xyz"[..axes]
                )));
            }
        }
    }
    Ok(periodic)
}

fn corner(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<f64>> {
    let array = floats(object, what)?;
    if array.ndim() != 1 {
        return Err(PyValueError::new_err(format!(
            "{what} has {} dimensions, must be a list of 2 or 3 numbers",
            array.ndim()
        )));
    }
    Ok(array.readonly().as_slice()?.to_vec())
}
