//! `Generator` and `Outflow`: grains that come and go while a simulation runs.

use super::vector_of;
use crate::arguments;
use crate::arrays::shown;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Puts grains into a box at a steady rate, at random places where they touch nothing. A grain that finds no place waits.
///
/// Parameters
/// ----------
/// lo, hi : array_like, shape (D,)
///     Corners of the box that new grains lie in.
/// rate : float
///     Grains per time.
/// radii : float, or sequence of floats
///     One of them is drawn for each grain.
/// velocity : array_like, shape (D,), optional
///     Of new grains; at rest by default.
/// material : int, default 0
/// limit : int, optional
///     Most grains in all.
/// seed : int, default 1
///     Names the sequence of places and radii.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> glass = mg.dem.Material(2500, stiffness=1e4, restitution=0.5)
/// >>> rain = mg.dem.Generator([0, 4], [3, 5], rate=100, radii=[0.05, 0.1], velocity=[0, -2], limit=50)
/// >>> drain = mg.dem.Outflow.beyond([0, 0], normal=[0, -1])
/// >>> sim = mg.dem.Simulation([[1.5, 2]], 0.1, glass, generators=[rain], outflows=[drain], gravity=[0, -9.81])
/// >>> sim.run(round(2 / sim.time_step))
/// >>> sim.generated, sim.removed
/// (50, 51)
#[pyclass(frozen, module = "multigrain.dem")]
pub struct Generator {
    lo: Vec<f64>,
    hi: Vec<f64>,
    rate: f64,
    radii: Vec<f64>,
    velocity: Option<Vec<f64>>,
    material: u16,
    limit: Option<u64>,
    seed: u64,
}

/// What a generator must be told: corners, rate, radii.
type GeneratorParts = (Vec<f64>, Vec<f64>, f64, Vec<f64>);

#[pymethods]
impl Generator {
    #[new]
    #[pyo3(signature = (lo, hi, rate, radii, *, velocity=None, material=0, limit=None, seed=1))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        lo: Vec<f64>,
        hi: Vec<f64>,
        rate: f64,
        radii: &Bound<'_, PyAny>,
        velocity: Option<Vec<f64>>,
        #[pyo3(from_py_with = arguments::material)] material: u16,
        #[pyo3(from_py_with = arguments::limit)] limit: Option<u64>,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
    ) -> PyResult<Self> {
        let radii = match radii.extract::<f64>() {
            Ok(one) => vec![one],
            Err(_) => {
                radii.extract().map_err(|_| PyTypeError::new_err("radii must be a number, or a sequence of numbers"))?
            }
        };
        check_axes("lo of a generator", lo.len())?;
        Ok(Self { lo, hi, rate, radii, velocity, material, limit, seed })
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(GeneratorParts, Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        keywords.set_item("velocity", self.velocity.clone())?;
        keywords.set_item("material", self.material)?;
        keywords.set_item("limit", self.limit)?;
        keywords.set_item("seed", self.seed)?;
        Ok(((self.lo.clone(), self.hi.clone(), self.rate, self.radii.clone()), keywords))
    }

    fn __repr__(&self) -> String {
        let limit = self.limit.map_or(String::new(), |limit| format!(", {limit} at most"));
        format!("<Generator: {} grains per time in {}D{limit}>", self.rate, self.lo.len())
    }
}

impl<const D: usize> From<&multigrain_dem::Generator<D>> for Generator {
    fn from(made: &multigrain_dem::Generator<D>) -> Self {
        Self {
            lo: made.lo.to_vec(),
            hi: made.hi.to_vec(),
            rate: made.rate,
            radii: made.radii.clone(),
            velocity: Some(made.velocity.to_vec()),
            material: made.material,
            limit: made.limit,
            seed: made.seed,
        }
    }
}

impl Generator {
    /// As the simulator takes it, for grains with `D` axes.
    pub fn inner<const D: usize>(&self, number: usize) -> PyResult<multigrain_dem::Generator<D>> {
        let vector = |values: &Vec<f64>, what: &str| vector_of(values, || format!("{what} of generator {number}"));
        let (lo, hi) = (vector(&self.lo, "lo")?, vector(&self.hi, "hi")?);
        Ok(multigrain_dem::Generator {
            velocity: self.velocity.as_ref().map_or(Ok([0.0; D]), |velocity| vector(velocity, "velocity"))?,
            material: self.material,
            limit: self.limit,
            seed: self.seed,
            ..multigrain_dem::Generator::new(lo, hi, self.rate, self.radii.clone())
        })
    }
}

/// Where grains leave: those whose center comes there are removed. Make one with ``inside``, ``outside`` or ``beyond``.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> mg.dem.Outflow.outside([0, 0, 0], [1, 1, 1])
/// <Outflow: outside a box in 3D>
#[pyclass(frozen, module = "multigrain.dem")]
pub struct Outflow {
    place: Place,
    first: Vec<f64>,
    second: Vec<f64>,
}

/// Which side of what an outflow is.
#[derive(Clone, Copy)]
enum Place {
    Inside,
    Outside,
    Beyond,
}

/// How an outflow is made, and of what.
type OutflowParts = (&'static str, Vec<f64>, Vec<f64>);

#[pymethods]
impl Outflow {
    /// Inside a box.
    ///
    /// Parameters
    /// ----------
    /// lo, hi : array_like, shape (D,)
    #[staticmethod]
    fn inside(lo: Vec<f64>, hi: Vec<f64>) -> PyResult<Self> {
        Self::of(Place::Inside, lo, hi)
    }

    /// Outside a box.
    ///
    /// Parameters
    /// ----------
    /// lo, hi : array_like, shape (D,)
    #[staticmethod]
    fn outside(lo: Vec<f64>, hi: Vec<f64>) -> PyResult<Self> {
        Self::of(Place::Outside, lo, hi)
    }

    /// Behind a plane, on the side that the normal points to.
    ///
    /// Parameters
    /// ----------
    /// point, normal : array_like, shape (D,)
    #[staticmethod]
    fn beyond(point: Vec<f64>, normal: Vec<f64>) -> PyResult<Self> {
        Self::of(Place::Beyond, point, normal)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, OutflowParts)> {
        let maker = match self.place {
            Place::Inside => "inside",
            Place::Outside => "outside",
            Place::Beyond => "beyond",
        };
        Ok((py.import("multigrain._made")?.getattr("outflow")?, (maker, self.first.clone(), self.second.clone())))
    }

    fn __repr__(&self) -> String {
        let place = match self.place {
            Place::Inside => "inside a box",
            Place::Outside => "outside a box",
            Place::Beyond => "beyond a plane",
        };
        format!("<Outflow: {place} in {}D>", self.first.len())
    }
}

impl<const D: usize> From<&multigrain_dem::Outflow<D>> for Outflow {
    fn from(made: &multigrain_dem::Outflow<D>) -> Self {
        let (place, first, second) = match made {
            multigrain_dem::Outflow::Inside { lo, hi } => (Place::Inside, lo, hi),
            multigrain_dem::Outflow::Outside { lo, hi } => (Place::Outside, lo, hi),
            multigrain_dem::Outflow::Beyond { point, normal } => (Place::Beyond, point, normal),
        };
        Self { place, first: first.to_vec(), second: second.to_vec() }
    }
}

impl Outflow {
    fn of(place: Place, first: Vec<f64>, second: Vec<f64>) -> PyResult<Self> {
        check_axes("points of an outflow", first.len())?;
        Ok(Self { place, first, second })
    }

    /// As the simulator takes it, for grains with `D` axes.
    pub fn inner<const D: usize>(&self, number: usize) -> PyResult<multigrain_dem::Outflow<D>> {
        let (a, b) = match self.place {
            Place::Beyond => ("point", "normal"),
            _ => ("lo", "hi"),
        };
        let first = vector_of(&self.first, || format!("{a} of outflow {number}"))?;
        let second = vector_of(&self.second, || format!("{b} of outflow {number}"))?;
        Ok(match self.place {
            Place::Inside => multigrain_dem::Outflow::Inside { lo: first, hi: second },
            Place::Outside => multigrain_dem::Outflow::Outside { lo: first, hi: second },
            Place::Beyond => multigrain_dem::Outflow::Beyond { point: first, normal: second },
        })
    }
}

fn check_axes(what: &str, axes: usize) -> PyResult<()> {
    match axes {
        2 | 3 => Ok(()),
        _ => Err(PyValueError::new_err(format!("{what} has shape {}, must be (2,) or (3,)", shown(&[axes])))),
    }
}
