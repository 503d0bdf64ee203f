//! `neighbor_list`: neighbours in the convention of ASE and matscipy.

use crate::arrays::{Bodies, blank, centers_of, floats, plain_number, radii_of};
use crate::domain::{Domain, periodic_axes};
use crate::errors::{refused, unknown};
use crate::memory::{self, Kept, Memory};
use crate::search::{EngineSpace, Space};
use crate::threads::{self, Size};
use multigrain::{Axes, Dimension, Snapshot};
use multigrain_methods::Method;
use multigrain_neighbors::{NeighborColumns, NeighborIndex, NeighborOrder, NeighborReal, PairView};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The search and the arrays behind `neighbor_list`, whose Python part takes objects of other libraries.
#[pyfunction]
#[pyo3(signature = (quantities, positions, cell=None, pbc=None, radii=None, *, cutoff=None, full=true, sorted=true, dtype=None, index_dtype=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn _neighbor_list<'py>(
    quantities: &str,
    positions: &Bound<'py, PyAny>,
    cell: Option<&Bound<'py, PyAny>>,
    pbc: Option<&Bound<'py, PyAny>>,
    radii: Option<&Bound<'py, PyAny>>,
    cutoff: Option<&Bound<'py, PyAny>>,
    full: bool,
    sorted: bool,
    dtype: Option<&Bound<'py, PyAny>>,
    index_dtype: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if quantities.is_empty() {
        return Err(PyValueError::new_err("quantities is empty, must name some of 'ijPdDS'"));
    }
    if let Some(other) = quantities.chars().find(|quantity| !"ijPdDS".contains(*quantity)) {
        return Err(unknown("quantity", &other.to_string(), ["i", "j", "P", "d", "D", "S"]));
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
    let order = match (full, sorted) {
        (true, true) => NeighborOrder::Rows,
        (true, false) => NeighborOrder::Found,
        (false, true) => NeighborOrder::HalfRows,
        (false, false) => NeighborOrder::HalfFound,
    };
    let is_single = is_narrow(dtype, "dtype", "float64", "float32")?;
    let is_short = is_narrow(index_dtype, "index_dtype", "int64", "int32")?;
    if is_short && count > i32::MAX as usize {
        return Err(PyValueError::new_err(format!("index_dtype is int32, which cannot name {count} particles")));
    }
    let options = ListOptions { quantities, order, is_single, is_short };
    let space = Space { margin: 0.0, domain: domain_of(cell, &periodic)? };
    let bodies = Bodies { centers, radii };
    let arrays = match dimension {
        2 => options.arrays::<2>(&bodies, &space.engine()?)?,
        _ => options.arrays::<3>(&bodies, &space.engine()?)?,
    };
    match <[_; 1]>::try_from(arrays) {
        Ok([only]) => Ok(only),
        Err(several) => Ok(PyTuple::new(positions.py(), several)?.into_any()),
    }
}

/// What a list is made of.
struct ListOptions<'a> {
    quantities: &'a str,
    order: NeighborOrder,
    /// Whether distances and vectors are float32, indices int32.
    is_single: bool,
    is_short: bool,
}

impl ListOptions<'_> {
    fn has(&self, quantity: char) -> bool {
        self.quantities.contains(quantity)
    }

    /// Finds the neighbours and writes the arrays.
    fn arrays<'py, const D: usize>(
        &self,
        bodies: &Bodies<'py>,
        space: &EngineSpace<D>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>>
    where
        Memory: Kept<D>,
        Axes: Dimension<D>,
    {
        match (self.is_short, self.is_single) {
            (false, false) => self.arrays_of::<i64, f64, D>(bodies, space),
            (false, true) => self.arrays_of::<i64, f32, D>(bodies, space),
            (true, false) => self.arrays_of::<i32, f64, D>(bodies, space),
            (true, true) => self.arrays_of::<i32, f32, D>(bodies, space),
        }
    }

    fn arrays_of<'py, I: NeighborIndex + Element, F: NeighborReal + Element, const D: usize>(
        &self,
        bodies: &Bodies<'py>,
        space: &EngineSpace<D>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>>
    where
        Memory: Kept<D>,
        Axes: Dimension<D>,
    {
        let py = bodies.centers.py();
        let lent = bodies.lend()?;
        let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
        let mut pairs = memory::take();
        let found = threads::run_by_size(py, space.size_of_search(centers, radii), |stop| {
            let now = space.snapshot(centers, radii)?;
            Method::Auto.build(now)?.find_pairs_until(now, &mut pairs, &|| stop.is_asked());
            Ok(now)
        })?;
        let now = found.map_err(refused)?;
        let arrays = Arrays::<I, F>::new(py, self, self.order.directions() * pairs.len(), D)?;
        arrays.write(py, self.order, &now, &pairs)?;
        memory::keep(pairs);
        let mut given = String::new();
        let all = self.quantities.chars().map(|quantity| {
            let array = arrays.quantity(py, quantity)?;
            let is_second = given.contains(quantity);
            given.push(quantity);
            // Named twice, it is two arrays.
            if is_second { array.call_method0("copy") } else { Ok(array) }
        });
        all.collect()
    }
}

/// The arrays of a list; those that nobody wants are empty.
struct Arrays<'py, I, F> {
    first: Bound<'py, PyArray1<I>>,
    second: Bound<'py, PyArray1<I>>,
    shifts: Bound<'py, PyArray2<i32>>,
    distances: Bound<'py, PyArray1<F>>,
    vectors: Bound<'py, PyArray2<F>>,
}

impl<'py, I: NeighborIndex + Element, F: NeighborReal + Element> Arrays<'py, I, F> {
    fn new(py: Python<'py>, options: &ListOptions<'_>, entries: usize, axes: usize) -> PyResult<Self> {
        let is_pair = |quantity: char| "ij".contains(quantity) && options.has('P');
        let length = |quantity: char| if options.has(quantity) || is_pair(quantity) { entries } else { 0 };
        Ok(Self {
            first: blank(py, [length('i')])?,
            second: blank(py, [length('j')])?,
            shifts: blank(py, [length('S'), axes])?,
            distances: blank(py, [length('d')])?,
            vectors: blank(py, [length('D'), axes])?,
        })
    }

    fn write<const D: usize>(
        &self,
        py: Python<'py>,
        order: NeighborOrder,
        now: &Snapshot<'_, D>,
        pairs: &multigrain::Pairs<D>,
    ) -> PyResult<()> {
        let (mut first, mut second) = (self.first.readwrite(), self.second.readwrite());
        let (mut shifts, mut distances, mut vectors) =
            (self.shifts.readwrite(), self.distances.readwrite(), self.vectors.readwrite());
        let columns = NeighborColumns {
            offsets: &mut [],
            first: first.as_slice_mut()?,
            second: second.as_slice_mut()?,
            shifts: shifts.as_slice_mut()?.as_chunks_mut().0,
            distances: distances.as_slice_mut()?,
            vectors: vectors.as_slice_mut()?.as_chunks_mut().0,
        };
        let size = Size::of_visits(now.len() + 4 * pairs.len());
        threads::run_by_size(py, size, |_| PairView::from(pairs).write_neighbors(now, order, columns))
    }

    fn quantity(&self, py: Python<'py>, name: char) -> PyResult<Bound<'py, PyAny>> {
        Ok(match name {
            'P' => py.import("numpy")?.call_method1("column_stack", ((&self.first, &self.second),))?,
            'i' => self.first.as_any().clone(),
            'j' => self.second.as_any().clone(),
            'd' => self.distances.as_any().clone(),
            'D' => self.vectors.as_any().clone(),
            _ => self.shifts.as_any().clone(),
        })
    }
}

/// Whether a dtype is the narrow one of these two; the wide one by default.
fn is_narrow(dtype: Option<&Bound<'_, PyAny>>, what: &str, wide: &str, narrow: &str) -> PyResult<bool> {
    let Some(dtype) = dtype else { return Ok(false) };
    let dtype = dtype.py().import("numpy")?.call_method1("dtype", (dtype,))?;
    let is = |name: &str| dtype.eq(name);
    if is(wide)? || is(narrow)? {
        return is(narrow);
    }
    Err(PyValueError::new_err(format!("{what} is {dtype}, must be {wide} or {narrow}")))
}

/// ASE's cutoff: a number for any two, or a radius for each.
fn radii_of_cutoff<'py>(cutoff: &Bound<'py, PyAny>, count: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let reach = match plain_number(cutoff) {
        Some(reach) => reach,
        None => {
            let array = floats(cutoff, "cutoff")?;
            if array.ndim() > 0 {
                return radii_of(cutoff, count);
            }
            array.call_method0("item")?.extract()?
        }
    };
    if !(reach.is_finite() && reach >= 0.0) {
        return Err(PyValueError::new_err(format!("cutoff is {reach}, must be finite and not negative")));
    }
    Ok(PyArray1::from_vec(cutoff.py(), vec![reach / 2.0; count]))
}

/// The space of a cell; open axes need none.
fn domain_of(cell: Option<&Bound<'_, PyAny>>, periodic: &[bool]) -> PyResult<Option<Domain>> {
    if !periodic.contains(&true) {
        return Ok(None);
    }
    let Some(cell) = cell else {
        return Err(PyValueError::new_err("pbc names periodic axes, but there is no cell: give its lengths"));
    };
    Ok(Some(Domain::of_cell(&floats(cell, "cell")?, None, periodic, true)?))
}
