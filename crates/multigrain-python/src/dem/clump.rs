//! `ClumpShape`: rigid bodies of spheres, and what a simulation reports of them.

use super::columns::Rows;
use super::inner::{Inner, each};
use super::simulation::Simulation;
use super::{refused, vector_of};
use crate::arrays::{Bodies, table};
use multigrain_dem::ClumpShape as Engine;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A rigid body of spheres, in the plane of discs, that may overlap. Places are seen from its center of mass.
///
/// Parameters
/// ----------
/// centers : array_like, shape (K, 2) or (K, 3)
/// radii : array_like, shape (K,), or float
/// center_of_mass : array_like, shape (D,), optional
/// volume : float, optional
/// inertia : array_like, shape (3, 3), or float in the plane, optional
///     All three, for density 1 and about the center of mass, or none: then they are those of the union, each point counting once.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> dumbbell = mg.dem.ClumpShape([[0, 0, 0], [1.2, 0, 0]], 1.0)
/// >>> dumbbell
/// <ClumpShape: 2 spheres in 3D, volume 7.506>
/// >>> grain = mg.dem.Material(1, stiffness=1e4, restitution=0.5, friction=0.5)
/// >>> floor = mg.dem.Wall.plane([0, 0, 0], [0, 0, 1])
/// >>> sim = mg.dem.Simulation([[0, 0, 3.0]], 1.0, grain, clump_shapes=[dumbbell], orientations=[[0.9, 0.1, 0.4, 0]],
/// ...                         walls=[floor], gravity=[0, 0, -9.81])
/// >>> sim.run(round(5 / sim.time_step))
/// >>> bool(abs(sim.clumps()["positions"][0, 2] - 1) < 0.02)  # it lies on both spheres
/// True
#[pyclass(frozen, module = "multigrain.dem")]
#[derive(Clone)]
pub struct ClumpShape(AnyShape);

/// In the plane or in space.
#[derive(Clone)]
enum AnyShape {
    D2(Engine<2>),
    D3(Engine<3>),
}

/// The same expression for both dimensions.
macro_rules! of_kind {
    ($shape:expr, $engine:ident => $value:expr) => {
        match &$shape.0 {
            AnyShape::D2($engine) => $value,
            AnyShape::D3($engine) => $value,
        }
    };
}

/// Centers and radii of the members.
type Members<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>);

#[pymethods]
impl ClumpShape {
    #[new]
    #[pyo3(signature = (centers, radii, *, center_of_mass=None, volume=None, inertia=None))]
    fn new(
        centers: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
        center_of_mass: Option<Vec<f64>>,
        volume: Option<f64>,
        inertia: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let bodies = Bodies::from_python(centers, radii, None)?;
        let inertia = inertia.map(tensor).transpose()?;
        let given = match (center_of_mass, volume, inertia) {
            (None, None, None) => None,
            (Some(center), Some(volume), Some(inertia)) => Some((center, volume, inertia)),
            _ => {
                let text = "center_of_mass, volume and inertia belong together: give all three, or none";
                return Err(PyValueError::new_err(text));
            }
        };
        Ok(Self(match bodies.dimension() {
            2 => AnyShape::D2(made(&bodies, given)?),
            _ => AnyShape::D3(made(&bodies, given)?),
        }))
    }

    /// Centers of members from the center of mass, shape (K, D).
    #[getter]
    fn centers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        of_kind!(self, shape => table(py, shape.members().iter().map(|member| member.0).collect()))
    }

    /// Radii of members, shape (K,).
    #[getter]
    fn radii<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, of_kind!(self, shape => shape.members().iter().map(|member| member.1).collect()))
    }

    /// Volume, in the plane area.
    #[getter]
    fn volume(&self) -> f64 {
        of_kind!(self, shape => shape.volume())
    }

    /// Inertia for density 1, about the center of mass, shape (3, 3); in the plane that of a flat body.
    #[getter]
    fn inertia<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, of_kind!(self, shape => shape.inertia()).to_vec())
    }

    /// Radius of the sphere around the center of mass that holds all members.
    #[getter]
    fn radius(&self) -> f64 {
        of_kind!(self, shape => shape.radius())
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Members<'py>, Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        keywords.set_item("center_of_mass", of_kind!(self, shape => vec![0.0; shape.members()[0].0.len()]))?;
        keywords.set_item("volume", self.volume())?;
        keywords.set_item("inertia", self.inertia(py)?)?;
        Ok(((self.centers(py)?, self.radii(py)), keywords))
    }

    fn __repr__(&self) -> String {
        let (members, axes) = of_kind!(self, shape => (shape.members().len(), shape.members()[0].0.len()));
        let what = if axes == 2 { "discs" } else { "spheres" };
        format!("<ClumpShape: {members} {what} in {axes}D, volume {:.3}>", self.volume())
    }
}

/// As given, with mass and inertia of the union where none are.
fn made<const D: usize>(bodies: &Bodies<'_>, given: Option<(Vec<f64>, f64, [[f64; 3]; 3])>) -> PyResult<Engine<D>> {
    let lent = bodies.lend()?;
    let members: Vec<([f64; D], f64)> =
        lent.centers::<D>()?.iter().copied().zip(lent.radii()?.iter().copied()).collect();
    let shape = match given {
        None => Engine::new(&members),
        Some((center, volume, inertia)) => {
            Engine::with(&members, vector_of(&center, || "center_of_mass".to_owned())?, volume, inertia)
        }
    };
    shape.map_err(refused)
}

/// A tensor in space, or the one number that counts in the plane.
fn tensor(given: &Bound<'_, PyAny>) -> PyResult<[[f64; 3]; 3]> {
    if let Ok(about) = given.extract::<f64>() {
        return Ok([[0.0; 3], [0.0; 3], [0.0, 0.0, about]]);
    }
    let rows = given.call_method0("tolist").unwrap_or_else(|_| given.clone());
    rows.extract().map_err(|_| PyValueError::new_err("inertia must have shape (3, 3), or be a number in the plane"))
}

impl ClumpShape {
    /// As the simulator takes it, for grains with `D` axes.
    pub fn inner<const D: usize>(&self) -> PyResult<Engine<D>> {
        let members: Vec<([f64; D], f64)> = of_kind!(self, shape => {
            let fits = |place: &[f64]| vector_of(place, || "a center of a clump shape".to_owned());
            shape.members().iter().map(|(place, radius)| Ok((fits(place)?, *radius))).collect::<PyResult<_>>()?
        });
        let (volume, inertia) = of_kind!(self, shape => (shape.volume(), shape.inertia()));
        Engine::with(&members, [0.0; D], volume, inertia).map_err(refused)
    }

    /// What the simulator has, of two axes or three.
    pub fn of_engine<const D: usize>(shape: &Engine<D>) -> PyResult<Self> {
        fn parts<const D: usize, const E: usize>(shape: &Engine<D>) -> Result<Engine<E>, multigrain_dem::Error> {
            let place = |place: &[f64; D]| std::array::from_fn(|axis| if axis < D { place[axis] } else { 0.0 });
            let members: Vec<([f64; E], f64)> = shape.members().iter().map(|(x, r)| (place(x), *r)).collect();
            Engine::with(&members, [0.0; E], shape.volume(), shape.inertia())
        }
        Ok(Self(match D {
            2 => AnyShape::D2(parts(shape).map_err(refused)?),
            _ => AnyShape::D3(parts(shape).map_err(refused)?),
        }))
    }
}

#[pymethods]
impl Simulation {
    /// All clumps by number: a dict of arrays.
    ///
    /// Returns
    /// -------
    /// dict
    ///     ``numbers`` (C,) uint32; ``first_ids`` (C,) uint64, of their first members, those of others follow; ``shapes`` (C,) uint32;
    ///     ``positions`` and ``velocities`` of their centers of mass, (C, D); ``spins`` (C, 3); ``orientations`` (C, 4), quaternions with the real
    ///     part first; ``masses`` (C,); ``forces`` (C, D); ``torques`` (C, 3).
    fn clumps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        self.look(|inner| {
            each!(inner, s => {
                let all = s.clumps();
                named.set_item("numbers", PyArray1::from_vec(py, all.iter().map(|clump| clump.number).collect()))?;
                named.set_item("first_ids", PyArray1::from_vec(py, all.iter().map(|clump| clump.first).collect()))?;
                named.set_item("shapes", PyArray1::from_vec(py, all.iter().map(|clump| clump.shape).collect()))?;
                named.set_item("positions", Rows::new(all.iter().map(|clump| clump.position).collect()).into_array(py)?)?;
                named.set_item("velocities", Rows::new(all.iter().map(|clump| clump.velocity).collect()).into_array(py)?)?;
                named.set_item("spins", table(py, all.iter().map(|clump| clump.spin).collect())?)?;
                named.set_item("orientations", table(py, all.iter().map(|clump| s.orientation(clump)).collect())?)?;
                named.set_item("masses", PyArray1::from_vec(py, all.iter().map(|clump| clump.mass).collect()))?;
                named.set_item("forces", Rows::new(all.iter().map(|clump| clump.force).collect()).into_array(py)?)?;
                named.set_item("torques", table(py, all.iter().map(|clump| clump.torque).collect())?)
            })
        })?;
        Ok(named)
    }

    /// Numbers of the clumps that grains are members of, shape (N,), int64, in the order of ids; -1 for others.
    #[getter]
    fn clump_numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let numbers = self.look(|inner| {
            Ok(each!(inner, s => {
                let number = |place: u32| s.clump_of(place as usize).map_or(-1, |clump| i64::from(clump.number));
                s.state().places_by_id().into_iter().map(number).collect()
            }))
        })?;
        Ok(PyArray1::from_vec(py, numbers))
    }
}
