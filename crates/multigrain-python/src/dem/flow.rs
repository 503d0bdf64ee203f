//! `Generator`, `Outflow` and `Meter`: grains that come, go and are counted while a simulation runs.

use super::region::Region;
use super::vector_of;
use crate::arguments;
use crate::arrays::shown;
use crate::errors::too_new;
use multigrain_dem::Pace;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Puts grains into a region at a steady rate, at random places where they touch nothing. A grain that finds no place waits.
///
/// Parameters
/// ----------
/// lo, hi : array_like, shape (D,), optional
///     Corners of the box that new grains lie in.
/// rate : float, optional
///     Grains per time; where neither this nor ``mass_rate`` is given, as many come as find a place.
/// radii : float, or sequence of floats, optional
///     One of them is drawn for each grain.
/// region : Region, optional
///     In place of a box.
/// mass_rate : float, optional
///     Mass per time.
/// velocity : array_like, shape (D,), optional
///     Of new grains; at rest by default.
/// speed : float, default 0
///     Standard deviation of each component of a velocity that is added at random.
/// spin : array_like, shape (3,), optional
///     Angular velocity of new grains.
/// temperature : float, optional
///     Of new grains, where their material conducts heat.
/// shapes, clumps : sequence of int, optional
///     Numbers of shapes or clump shapes, of which one is drawn for each grain, in place of radii.
/// upright : bool, default False
///     Whether they lie as their shapes have them; turned at random otherwise.
/// material : int, default 0
/// limit : int, optional
///     Most grains in all.
/// mass_limit : float, optional
///     It ends when the mass of all that it made has reached this.
/// start, until : float
///     When it begins and ends.
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
/// >>> sim.flows()["left"][0][0]
/// 51
#[pyclass(frozen, module = "multigrain.dem")]
pub struct Generator {
    region: Region,
    rate: Option<f64>,
    mass_rate: Option<f64>,
    radii: Vec<f64>,
    shapes: Vec<u32>,
    clumps: Vec<u32>,
    upright: bool,
    velocity: Option<Vec<f64>>,
    speed: f64,
    spin: [f64; 3],
    temperature: Option<f64>,
    material: u16,
    limit: Option<u64>,
    mass_limit: Option<f64>,
    start: f64,
    until: f64,
    seed: u64,
}

#[pymethods]
impl Generator {
    #[new]
    #[pyo3(signature = (
        lo=None, hi=None, rate=None, radii=None, *, region=None, mass_rate=None, velocity=None, speed=0.0, spin=[0.0; 3],
        temperature=None, shapes=None, clumps=None, upright=false, material=0, limit=None, mass_limit=None, start=0.0, until=f64::INFINITY, seed=1
    ), text_signature = "(lo=None, hi=None, rate=None, radii=None, *, region=None, mass_rate=None, velocity=None, speed=0.0, spin=(0.0, 0.0, 0.0), temperature=None, shapes=None, clumps=None, upright=False, material=0, limit=None, mass_limit=None, start=0.0, until=float(\"inf\"), seed=1)")]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        lo: Option<Vec<f64>>,
        hi: Option<Vec<f64>>,
        rate: Option<f64>,
        radii: Option<&Bound<'_, PyAny>>,
        region: Option<&Bound<'_, Region>>,
        mass_rate: Option<f64>,
        velocity: Option<Vec<f64>>,
        speed: f64,
        spin: [f64; 3],
        temperature: Option<f64>,
        shapes: Option<Vec<u32>>,
        clumps: Option<Vec<u32>>,
        upright: bool,
        #[pyo3(from_py_with = arguments::material)] material: u16,
        #[pyo3(from_py_with = arguments::limit)] limit: Option<u64>,
        mass_limit: Option<f64>,
        start: f64,
        until: f64,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
    ) -> PyResult<Self> {
        let radii = match radii.map(|radii| (radii.extract::<f64>(), radii)) {
            None => Vec::new(),
            Some((Ok(one), _)) => vec![one],
            Some((Err(_), list)) => {
                list.extract().map_err(|_| PyTypeError::new_err("radii must be a number, or a sequence of numbers"))?
            }
        };
        let region = match (region, lo, hi) {
            (Some(region), None, None) => region.get().clone(),
            (None, Some(lo), Some(hi)) => {
                check_axes("lo of a generator", lo.len())?;
                Region::aligned(lo, hi)?
            }
            _ => return Err(PyTypeError::new_err("a generator needs both corners of a box, or a region")),
        };
        if rate.is_some() && mass_rate.is_some() {
            return Err(PyValueError::new_err("rate and mass_rate both say how fast grains come: give one"));
        }
        Ok(Self {
            region,
            rate,
            mass_rate,
            radii,
            shapes: shapes.unwrap_or_default(),
            clumps: clumps.unwrap_or_default(),
            upright,
            velocity,
            speed,
            spin,
            temperature,
            material,
            limit,
            mass_limit,
            start,
            until,
            seed,
        })
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, pyo3::types::PyTuple>, Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        keywords.set_item("region", Bound::new(py, self.region.clone())?)?;
        keywords.set_item("rate", self.rate)?;
        keywords.set_item("mass_rate", self.mass_rate)?;
        keywords.set_item("radii", self.radii.clone())?;
        keywords.set_item("shapes", self.shapes.clone())?;
        keywords.set_item("clumps", self.clumps.clone())?;
        keywords.set_item("upright", self.upright)?;
        keywords.set_item("velocity", self.velocity.clone())?;
        keywords.set_item("speed", self.speed)?;
        keywords.set_item("spin", self.spin)?;
        keywords.set_item("temperature", self.temperature)?;
        keywords.set_item("material", self.material)?;
        keywords.set_item("limit", self.limit)?;
        keywords.set_item("mass_limit", self.mass_limit)?;
        keywords.set_item("start", self.start)?;
        keywords.set_item("until", self.until)?;
        keywords.set_item("seed", self.seed)?;
        Ok((pyo3::types::PyTuple::empty(py), keywords))
    }

    fn __repr__(&self) -> String {
        let limit = self.limit.map_or(String::new(), |limit| format!(", {limit} at most"));
        let pace = match (self.rate, self.mass_rate) {
            (Some(rate), _) => format!("{rate} grains per time"),
            (None, Some(rate)) => format!("a mass of {rate} per time"),
            (None, None) => "as many grains as fit".to_owned(),
        };
        format!("<Generator: {pace} in {}D{limit}>", self.region.axes())
    }
}

impl Generator {
    /// As Python knows it.
    pub fn of_engine<const D: usize>(made: &multigrain_dem::Generator<D>) -> PyResult<Self> {
        let (rate, mass_rate) = match made.pace {
            Pace::Grains(rate) => (Some(rate), None),
            Pace::Mass(rate) => (None, Some(rate)),
            Pace::AsManyAsFit => (None, None),
            _ => return Err(too_new("pace of a generator")),
        };
        Ok(Self {
            region: Region::of_engine(&made.region)?,
            rate,
            mass_rate,
            radii: made.radii.clone(),
            shapes: made.shapes.clone(),
            clumps: made.clumps.clone(),
            upright: made.upright,
            velocity: Some(made.velocity.to_vec()),
            speed: made.speed,
            spin: made.spin,
            temperature: made.temperature,
            material: made.material,
            limit: made.limit,
            mass_limit: made.mass_limit,
            start: made.start,
            until: made.until,
            seed: made.seed,
        })
    }
}

impl Generator {
    /// As the simulator takes it, for grains with `D` axes.
    pub fn inner<const D: usize>(&self, number: usize) -> PyResult<multigrain_dem::Generator<D>> {
        let of = format!("generator {number}");
        let velocity = |values: &Vec<f64>| vector_of(values, || format!("velocity of {of}"));
        let pace = match (self.rate, self.mass_rate) {
            (Some(rate), _) => Pace::Grains(rate),
            (None, Some(rate)) => Pace::Mass(rate),
            (None, None) => Pace::AsManyAsFit,
        };
        Ok(multigrain_dem::Generator {
            shapes: self.shapes.clone(),
            clumps: self.clumps.clone(),
            upright: self.upright,
            velocity: self.velocity.as_ref().map_or(Ok([0.0; D]), velocity)?,
            speed: self.speed,
            spin: self.spin,
            temperature: self.temperature,
            material: self.material,
            limit: self.limit,
            mass_limit: self.mass_limit,
            start: self.start,
            until: self.until,
            seed: self.seed,
            ..multigrain_dem::Generator::in_region(self.region.inner(&of)?, pace, self.radii.clone())
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
/// >>> mg.dem.Outflow.inside(mg.dem.Region.ball([0, 0], 0.1))
/// <Outflow: inside a ball in 2D>
#[pyclass(frozen, module = "multigrain.dem")]
pub struct Outflow(Place);

/// Which side of what an outflow is.
enum Place {
    Inside(Region),
    Outside(Region),
    Beyond(Vec<f64>, Vec<f64>),
}

/// How an outflow is made, and of what.
type OutflowParts<'py> = (&'static str, Bound<'py, PyAny>, Option<Vec<f64>>);

#[pymethods]
impl Outflow {
    /// Inside a region, or a box.
    ///
    /// Parameters
    /// ----------
    /// lo : Region, or array_like, shape (D,)
    /// hi : array_like, shape (D,), optional
    ///     The upper corner, where ``lo`` is the lower one.
    #[staticmethod]
    #[pyo3(signature = (lo, hi=None))]
    fn inside(lo: &Bound<'_, PyAny>, hi: Option<Vec<f64>>) -> PyResult<Self> {
        Ok(Self(Place::Inside(Region::either(lo, hi)?)))
    }

    /// Outside a region, or a box.
    ///
    /// Parameters
    /// ----------
    /// lo : Region, or array_like, shape (D,)
    /// hi : array_like, shape (D,), optional
    ///     The upper corner, where ``lo`` is the lower one.
    #[staticmethod]
    #[pyo3(signature = (lo, hi=None))]
    fn outside(lo: &Bound<'_, PyAny>, hi: Option<Vec<f64>>) -> PyResult<Self> {
        Ok(Self(Place::Outside(Region::either(lo, hi)?)))
    }

    /// Behind a plane, on the side that the normal points to.
    ///
    /// Parameters
    /// ----------
    /// point, normal : array_like, shape (D,)
    #[staticmethod]
    fn beyond(point: Vec<f64>, normal: Vec<f64>) -> PyResult<Self> {
        check_axes("points of an outflow", point.len())?;
        Ok(Self(Place::Beyond(point, normal)))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, OutflowParts<'py>)> {
        let (maker, first, second) = match &self.0 {
            Place::Inside(region) => ("inside", Bound::new(py, region.clone())?.into_any(), None),
            Place::Outside(region) => ("outside", Bound::new(py, region.clone())?.into_any(), None),
            Place::Beyond(point, normal) => ("beyond", point.clone().into_pyobject(py)?, Some(normal.clone())),
        };
        Ok((py.import("multigrain._made")?.getattr("outflow")?, (maker, first, second)))
    }

    fn __repr__(&self) -> String {
        match &self.0 {
            Place::Inside(region) => format!("<Outflow: inside a {} in {}D>", region.name(), region.axes()),
            Place::Outside(region) => format!("<Outflow: outside a {} in {}D>", region.name(), region.axes()),
            Place::Beyond(point, _) => format!("<Outflow: beyond a plane in {}D>", point.len()),
        }
    }
}

impl Outflow {
    /// As Python knows it.
    pub fn of_engine<const D: usize>(made: &multigrain_dem::Outflow<D>) -> PyResult<Self> {
        Ok(Self(match made {
            multigrain_dem::Outflow::Inside(region) => Place::Inside(Region::of_engine(region)?),
            multigrain_dem::Outflow::Outside(region) => Place::Outside(Region::of_engine(region)?),
            multigrain_dem::Outflow::Beyond { point, normal } => Place::Beyond(point.to_vec(), normal.to_vec()),
            _ => return Err(too_new("outflow")),
        }))
    }
}

impl Outflow {
    /// As the simulator takes it, for grains with `D` axes.
    pub fn inner<const D: usize>(&self, number: usize) -> PyResult<multigrain_dem::Outflow<D>> {
        let of = format!("outflow {number}");
        Ok(match &self.0 {
            Place::Inside(region) => multigrain_dem::Outflow::Inside(region.inner(&of)?),
            Place::Outside(region) => multigrain_dem::Outflow::Outside(region.inner(&of)?),
            Place::Beyond(point, normal) => multigrain_dem::Outflow::Beyond {
                point: vector_of(point, || format!("point of {of}"))?,
                normal: vector_of(normal, || format!("normal of {of}"))?,
            },
        })
    }
}

/// Counts what passes through a plane: grains whose center comes to the side that the normal points to, less those that come back.
/// ``Simulation.flows()["metered"]`` says how many, and their mass.
///
/// Parameters
/// ----------
/// point, normal : array_like, shape (D,)
/// region : Region, optional
///     Where centers must be when they have passed; everywhere by default.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> mg.dem.Meter([0, 0, 1], normal=[0, 0, -1])
/// <Meter: a plane in 3D>
#[pyclass(frozen, module = "multigrain.dem")]
pub struct Meter {
    point: Vec<f64>,
    normal: Vec<f64>,
    region: Option<Region>,
}

/// Point and normal of a plane.
type Plane = (Vec<f64>, Vec<f64>);

#[pymethods]
impl Meter {
    #[new]
    #[pyo3(signature = (point, normal, *, region=None))]
    fn new(point: Vec<f64>, normal: Vec<f64>, region: Option<&Bound<'_, Region>>) -> PyResult<Self> {
        check_axes("point of a meter", point.len())?;
        Ok(Self { point, normal, region: region.map(|region| region.get().clone()) })
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Plane, Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        let region = self.region.clone().map(|region| Bound::new(py, region)).transpose()?;
        keywords.set_item("region", region)?;
        Ok(((self.point.clone(), self.normal.clone()), keywords))
    }

    fn __repr__(&self) -> String {
        let region = self.region.as_ref().map_or(String::new(), |region| format!(" within a {}", region.name()));
        format!("<Meter: a plane in {}D{region}>", self.point.len())
    }
}

impl Meter {
    /// As Python knows it.
    pub fn of_engine<const D: usize>(made: &multigrain_dem::Meter<D>) -> PyResult<Self> {
        let region = made.region.as_ref().map(Region::of_engine).transpose()?;
        Ok(Self { point: made.point.to_vec(), normal: made.normal.to_vec(), region })
    }
}

impl Meter {
    /// As the simulator takes it, for grains with `D` axes.
    pub fn inner<const D: usize>(&self, number: usize) -> PyResult<multigrain_dem::Meter<D>> {
        let of = format!("meter {number}");
        let point = vector_of(&self.point, || format!("point of {of}"))?;
        let normal = vector_of(&self.normal, || format!("normal of {of}"))?;
        let region = self.region.as_ref().map(|region| region.inner(&of)).transpose()?;
        Ok(multigrain_dem::Meter { region, ..multigrain_dem::Meter::new(point, normal) })
    }
}

fn check_axes(what: &str, axes: usize) -> PyResult<()> {
    match axes {
        2 | 3 => Ok(()),
        _ => Err(PyValueError::new_err(format!("{what} has shape {}, must be (2,) or (3,)", shown(&[axes])))),
    }
}
