//! `tune`: the best levels and cell sizes, with predicted work.

use crate::arguments;
use crate::arrays::floats;
use crate::errors::{refused, refused_sizes, unknown};
use crate::laws::LawParameters;
use crate::notebook::{html_table, short};
use crate::packing::check_dimension;
use crate::search::direction_of;
use crate::threads;
use multigrain::tuning::Distribution;
use multigrain_papers::tuning::{CostModel, Spacing};
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Find the levels of a hierarchical grid that need the least predicted work.
///
/// Work is that of the papers' cost model, which ``hgrid-cells`` counts: candidate pairs, plus k times the cells looked
/// at, per particle, for particles at random places. :class:`HierarchicalGrid` has a model of its own:
/// ``HierarchicalGrid.tuned_for``.
///
/// Parameters
/// ----------
/// radii : array_like, shape (N,), optional
///     Sizes of the particles.
/// packing_fraction : float, default 0.6
///     Volume of the particles over volume of the space.
/// law, exponent, ratio, sigma : optional
///     A size law instead of radii, as for :func:`pack`.
/// dimension : {3, 2}
/// distribution : {"optimal", "linear", "exponential", "constant"}
///     How cell sizes follow one another: least work of all, equal steps, equal ratios, or particles per cell in the
///     constant ratio ``per_cell_ratio``.
/// levels : int, optional
///     Number of levels; by default the one with the least work.
/// direction : {"top-down", "bottom-up"}
/// k : float, default 0.2
///     Cost of looking at a cell over that of testing a pair.
/// per_cell_ratio : float, default 1.0
///     With ``distribution="constant"``.
///
/// Returns
/// -------
/// Tuning
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> tuning = mg.tune(law="power", exponent=-3, ratio=100, packing_fraction=0.7)
/// >>> tuning.levels, round(tuning.work, 2)
/// (8, 11.57)
/// >>> mg.tune([1.0, 1.0, 5.0], packing_fraction=0.6).cell_sizes.round(2)
/// array([ 4.03, 10.  ])
#[pyfunction]
#[pyo3(signature = (
    radii=None, packing_fraction=0.6, *, law=None, exponent=None, ratio=None, sigma=None, dimension=3,
    distribution="optimal", levels=None, direction="top-down", k=0.2, per_cell_ratio=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn tune(
    py: Python<'_>,
    radii: Option<&Bound<'_, PyAny>>,
    packing_fraction: f64,
    #[pyo3(from_py_with = arguments::law)] law: Option<&str>,
    exponent: Option<f64>,
    ratio: Option<f64>,
    sigma: Option<f64>,
    #[pyo3(from_py_with = arguments::dimension)] dimension: usize,
    #[pyo3(from_py_with = arguments::distribution)] distribution: &str,
    #[pyo3(from_py_with = arguments::levels)] levels: Option<usize>,
    #[pyo3(from_py_with = arguments::direction)] direction: &str,
    k: f64,
    per_cell_ratio: Option<f64>,
) -> PyResult<Tuning> {
    check_dimension(dimension)?;
    let direction = direction_of(direction)?;
    let spacing = spacing_of(distribution, per_cell_ratio)?;
    let parameters = LawParameters { exponent, ratio, sigma };
    let sizes = match (radii, law) {
        (Some(_), Some(_)) => {
            return Err(PyValueError::new_err("radii and law both set the sizes: give one of them"));
        }
        (None, None) => return Err(PyValueError::new_err("there are no sizes: give radii, or law")),
        (None, Some(law)) => Distribution::of_law(&parameters.law(law)?, dimension).map_err(refused_sizes)?,
        (Some(radii), None) => {
            parameters.refuse("radii are given")?;
            let radii = floats(radii, "radii")?;
            if radii.ndim() != 1 {
                return Err(PyValueError::new_err(format!("radii have {} dimensions, must be (N,)", radii.ndim())));
            }
            let radii = radii.readonly();
            let radii = radii.as_slice()?;
            threads::run(py, |_| Distribution::of_radii(radii))?.map_err(refused_sizes)?
        }
    };
    let made = threads::run(py, |_| {
        let model = CostModel::packed(&sizes, dimension, packing_fraction)?.with_k(k)?.with_direction(direction);
        spacing.tune(&model, levels)
    })?;
    Ok(Tuning(made.map_err(refused)?))
}

/// Chosen levels and what they are predicted to cost; sizes in the unit of the radii (of a law: its smallest).
#[pyclass(frozen, module = "multigrain")]
pub struct Tuning(multigrain_papers::tuning::Tuning);

#[pymethods]
impl Tuning {
    /// Number of levels.
    #[getter]
    fn levels(&self) -> usize {
        self.0.cell_sizes.len()
    }

    /// Cell size of each level, ascending, shape (L,); the last is the largest diameter.
    #[getter]
    fn cell_sizes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.cell_sizes)
    }

    /// Work per particle, T/N, in units of a pair test.
    #[getter]
    fn work(&self) -> f64 {
        self.0.work
    }

    /// Candidate pairs per particle.
    #[getter]
    fn candidates_per_particle(&self) -> f64 {
        self.0.candidates_per_particle
    }

    /// Cells looked at per particle.
    #[getter]
    fn cells_per_particle(&self) -> f64 {
        self.0.cells_per_particle
    }

    /// Work per particle of a single level, the linked cell.
    #[getter]
    fn linked_cell_work(&self) -> f64 {
        self.0.linked_cell_work
    }

    /// Particles per cell of each level, shape (L,).
    #[getter]
    fn particles_per_cell<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.particles_per_cell)
    }

    /// Share of all particles on each level, shape (L,).
    #[getter]
    fn share_of_particles<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.share_of_particles)
    }

    /// Which of two bodies on different levels searches for the other.
    #[getter]
    fn direction(&self) -> &'static str {
        self.0.direction.name()
    }

    /// Cost of looking at a cell, in units of a pair test.
    #[getter]
    fn k(&self) -> f64 {
        self.0.k
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Parts,))> {
        let own = self.0.clone();
        let sums = [own.work, own.candidates_per_particle, own.cells_per_particle, own.linked_cell_work, own.k];
        let parts =
            (own.cell_sizes, own.particles_per_cell, own.share_of_particles, sums, own.direction.name().to_owned());
        Ok((py.import("multigrain._core")?.getattr("_tuning_of")?, (parts,)))
    }

    /// A table of the levels, for notebooks.
    fn _repr_html_(&self) -> String {
        let own = &self.0;
        let rows = (0..self.levels()).map(|level| {
            let numbers = [own.cell_sizes[level], own.particles_per_cell[level], own.share_of_particles[level]];
            std::iter::once(level.to_string()).chain(numbers.map(short)).collect()
        });
        let heads = ["level", "cell size", "particles per cell", "share of particles"];
        html_table(&self.__repr__(), &heads, rows, self.levels())
    }

    fn __repr__(&self) -> String {
        format!(
            "<Tuning: {} levels, {:.4} of work per particle (linked cell: {:.4})>",
            self.levels(),
            self.0.work,
            self.0.linked_cell_work
        )
    }
}

/// All that a tuning holds.
type Parts = (Vec<f64>, Vec<f64>, Vec<f64>, [f64; 5], String);

/// A tuning as it was.
#[pyfunction]
pub fn _tuning_of(parts: Parts) -> PyResult<Tuning> {
    let (cell_sizes, particles_per_cell, share_of_particles, sums, direction) = parts;
    let [work, candidates_per_particle, cells_per_particle, linked_cell_work, k] = sums;
    Ok(Tuning(multigrain_papers::tuning::Tuning {
        cell_sizes,
        work,
        candidates_per_particle,
        cells_per_particle,
        linked_cell_work,
        particles_per_cell,
        share_of_particles,
        direction: direction_of(&direction)?,
        k,
    }))
}

fn spacing_of(name: &str, per_cell_ratio: Option<f64>) -> PyResult<Spacing> {
    if per_cell_ratio.is_some() && name != "constant" {
        return Err(PyValueError::new_err("per_cell_ratio goes with distribution='constant'"));
    }
    match name {
        "linear" => Ok(Spacing::Linear),
        "exponential" => Ok(Spacing::Exponential),
        "constant" => Ok(Spacing::ConstantRatio(per_cell_ratio.unwrap_or(1.0))),
        "optimal" => Ok(Spacing::Optimal),
        _ => Err(unknown("distribution", name, ["optimal", "linear", "exponential", "constant"])),
    }
}
