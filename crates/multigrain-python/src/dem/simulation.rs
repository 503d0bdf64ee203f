//! `Simulation`: grains that move.

use super::columns::{Contacts, Rows, by_id};
use super::grains::{grains, inserted};
use super::refused;
use super::setup::Wishes;
use crate::arguments;
use crate::arrays::{Bodies, shown};
use crate::errors::{check, of_file};
use crate::threads::{self, Stop};
use multigrain::{Axes, Dimension};
use multigrain_dem::{Grain, Setup, Simulation as Engine};
use multigrain_files::Target;
use numpy::{PyArray1, PyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::fs::File;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A soft-sphere simulation: grains of every size, with contact laws, walls and gravity.
///
/// Its course is the same, bit for bit, for every method of detection, skin and number of threads, and after
/// :meth:`save` and :meth:`resume`. Arrays go by id: grains are numbered from 0 in the order in which they come.
///
/// Parameters
/// ----------
/// centers : array_like, shape (N, 2) or (N, 3)
/// radii : array_like, shape (N,), or float
/// materials : Material, or sequence of them
///     Numbered from 0.
/// velocities : array_like, shape (N, D), optional
///     At rest by default.
/// material : int, default 0
///     Of the grains.
/// between : dict of (int, int) to Law, optional
///     How two materials push each other, by their numbers. Where nothing is said, springs act in series, and the smaller
///     restitution and friction count.
/// domain : Domain, optional
///     Periodic axes; walls are given apart.
/// gravity : array_like, shape (D,), optional
/// walls : sequence of Wall, optional
/// generators : sequence of Generator, optional
///     Where grains come from while the simulation runs.
/// outflows : sequence of Outflow, optional
///     Where grains leave.
/// time_step : float, optional
///     By default a fiftieth of the shortest contact.
/// impact_speed : float, optional
///     Of the fastest impacts to be expected: for the time step with the law of Hertz.
/// integrator : {"verlet", "plain-verlet", "gear"}
/// bounds : Domain, optional
///     A grain whose center leaves this box stops the simulation with an error.
/// method : str, default "auto"
///     Of contact detection, as for :func:`multigrain.find_pairs`.
/// skin : float or "auto", optional
///     Find contacts with a skin, so that one list serves several steps.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> glass = mg.dem.Material(2500, stiffness=1e4, restitution=0.5)
/// >>> floor = mg.dem.Wall.plane([0, 0, 0], [0, 0, 1])
/// >>> fall = mg.dem.Simulation([[0, 0, 0.02]], 0.01, glass, walls=[floor], gravity=[0, 0, -9.81])
/// >>> fall.run(20_000)
/// >>> bool(abs(fall.positions()[0, 2] - 0.01) < 1e-4)
/// True
#[pyclass(frozen, module = "multigrain.dem")]
pub struct Simulation {
    place: Mutex<Place>,
}

/// Where the simulation is.
enum Place {
    Here(Inner),
    /// With a thread that runs or saves it.
    Away,
    /// A panic left it in the middle of a step.
    Lost,
}

/// A simulation in the plane or in space.
enum Inner {
    Flat(Box<Engine<2>>),
    Solid(Box<Engine<3>>),
}

/// Grains to be added, in the plane or in space.
enum New {
    Flat(Vec<Grain<2>>),
    Solid(Vec<Grain<3>>),
}

/// The same expression for both dimensions.
macro_rules! each {
    ($inner:expr, $simulation:ident => $value:expr) => {
        match $inner {
            Inner::Flat($simulation) => $value,
            Inner::Solid($simulation) => $value,
        }
    };
}

/// A column of vectors as an array in the order of ids.
macro_rules! vectors {
    ($simulation:ident . $name:ident ($py:ident, $out:ident)) => {
        $simulation
            .look(|inner| Ok(each!(inner, s => Rows::new(by_id(s.state(), s.state().$name())))))?
            .into_array_or($py, $out)
    };
}

/// A column of numbers as an array in the order of ids.
macro_rules! numbers {
    ($simulation:ident . $name:ident ($py:ident)) => {{
        let column = $simulation.look(|inner| Ok(each!(inner, s => by_id(s.state(), s.state().$name()))))?;
        Ok(PyArray1::from_vec($py, column))
    }};
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(
        signature = (centers, radii, materials, *, velocities=None, material=0, **physics),
        text_signature = "(centers, radii, materials, *, velocities=None, material=0, between=None, domain=None, gravity=None, walls=(), generators=(), outflows=(), time_step=None, impact_speed=None, integrator=\"verlet\", bounds=None, method=\"auto\", skin=None)"
    )]
    fn new<'py>(
        centers: &Bound<'py, PyAny>,
        radii: &Bound<'py, PyAny>,
        materials: &Bound<'py, PyAny>,
        velocities: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = arguments::material)] material: u16,
        physics: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let wishes = Wishes::new(materials, physics)?;
        let bodies =
            Bodies::from_python(centers, radii, wishes.domain.as_ref().map(|domain| domain.get().dimension()))?;
        let py = centers.py();
        Ok(Self::holding(match bodies.dimension() {
            2 => Inner::Flat(started(py, wishes.setup()?, grains(&bodies, velocities, material)?)?),
            _ => Inner::Solid(started(py, wishes.setup()?, grains(&bodies, velocities, material)?)?),
        }))
    }

    /// Go on with a saved simulation, bit for bit as if it had never stopped.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    ///     What :meth:`save` wrote.
    /// materials, between, domain, gravity, walls, generators, outflows, time_step, impact_speed, integrator, bounds
    ///     As they were given to the simulation; other physics are refused.
    /// method, skin
    ///     Of contact detection; these may differ.
    /// dimension : {3, 2}
    ///     Of the simulation.
    ///
    /// Returns
    /// -------
    /// Simulation
    #[staticmethod]
    #[pyo3(
        signature = (path, materials, *, dimension=3, **physics),
        text_signature = "(path, materials, *, dimension=3, between=None, domain=None, gravity=None, walls=(), generators=(), outflows=(), time_step=None, impact_speed=None, integrator=\"verlet\", bounds=None, method=\"auto\", skin=None)"
    )]
    fn resume<'py>(
        py: Python<'py>,
        path: PathBuf,
        materials: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = arguments::dimension)] dimension: usize,
        physics: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        crate::packing::check_dimension(dimension)?;
        let wishes = Wishes::new(materials, physics)?;
        let file = py
            .detach(|| File::open(&path))
            .map_err(|error| of_file(anyhow::Error::new(error).context(format!("cannot read {}", path.display()))))?;
        Ok(Self::holding(match dimension {
            2 => Inner::Flat(resumed(py, wishes.setup()?, file)?),
            _ => Inner::Solid(resumed(py, wishes.setup()?, file)?),
        }))
    }

    /// Save everything that changes while the simulation runs, contact history included. The file appears complete or not
    /// at all.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let target = Target::File(path);
        check(&target)?;
        let (written, interrupt) =
            self.work(py, |inner, _| target.write(|out| Ok(each!(inner, simulation => simulation.encode_to(out))?)))?;
        interrupt.map_or(Ok(()), Err)?;
        written.map_err(of_file)
    }

    /// One time step.
    fn step(&self, py: Python<'_>) -> PyResult<()> {
        self.advance(py, 1)
    }

    /// So many time steps. Ctrl-C ends it after the step at hand.
    ///
    /// Parameters
    /// ----------
    /// steps : int
    /// callback : callable, optional
    ///     Called with the simulation every so many steps, and at the end; if it returns False the run ends.
    /// every : int, default 100
    ///     Steps between two calls.
    #[pyo3(signature = (steps, callback=None, *, every=100))]
    fn run(
        this: &Bound<'_, Self>,
        #[pyo3(from_py_with = arguments::steps)] steps: u64,
        callback: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::every)] every: u64,
    ) -> PyResult<()> {
        let (py, own) = (this.py(), this.get());
        let Some(callback) = callback else { return own.advance(py, steps) };
        if every == 0 {
            return Err(PyValueError::new_err("every is 0, must be at least 1"));
        }
        let mut left = steps;
        while left > 0 {
            let now = left.min(every);
            own.advance(py, now)?;
            left -= now;
            let answer = callback.call1((this,))?;
            if answer.extract::<bool>().is_ok_and(|goes_on| !goes_on) {
                break;
            }
        }
        Ok(())
    }

    /// Centers, shape (N, D), in the order of ids; along periodic axes inside the box.
    ///
    /// Parameters
    /// ----------
    /// out : ndarray of float64, shape (N, D), optional
    ///     An array to fill and return instead of a new one.
    #[pyo3(signature = (out=None))]
    fn positions<'py>(&self, py: Python<'py>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors!(self.positions(py, out))
    }

    /// Velocities of the centers, shape (N, D), in the order of ids.
    ///
    /// Parameters
    /// ----------
    /// out : ndarray of float64, shape (N, D), optional
    ///     An array to fill and return instead of a new one.
    #[pyo3(signature = (out=None))]
    fn velocities<'py>(&self, py: Python<'py>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors!(self.velocities(py, out))
    }

    /// Angular velocities, shape (N, 3), in the order of ids; in the plane only the third component is used.
    ///
    /// Parameters
    /// ----------
    /// out : ndarray of float64, shape (N, 3), optional
    ///     An array to fill and return instead of a new one.
    #[pyo3(signature = (out=None))]
    fn spins<'py>(&self, py: Python<'py>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors!(self.spins(py, out))
    }

    /// Forces on the centers, shape (N, D), in the order of ids.
    ///
    /// Parameters
    /// ----------
    /// out : ndarray of float64, shape (N, D), optional
    ///     An array to fill and return instead of a new one.
    #[pyo3(signature = (out=None))]
    fn forces<'py>(&self, py: Python<'py>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors!(self.forces(py, out))
    }

    /// Permanent ids, ascending, shape (N,), uint32.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        numbers!(self.ids(py))
    }

    /// Radii, shape (N,), in the order of ids.
    #[getter]
    fn radii<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        numbers!(self.radii(py))
    }

    /// Masses, shape (N,), in the order of ids.
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        numbers!(self.masses(py))
    }

    /// Length of a time step.
    #[getter]
    fn time_step(&self) -> PyResult<f64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.time_step())))
    }

    /// Steps taken so far.
    #[getter]
    fn steps(&self) -> PyResult<u64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.steps())))
    }

    /// Time simulated so far.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.time())))
    }

    /// How many grains generators have made so far.
    #[getter]
    fn generated(&self) -> PyResult<u64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.generated())))
    }

    /// How many grains have flowed out so far.
    #[getter]
    fn removed(&self) -> PyResult<u64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.removed())))
    }

    /// Energy that dashpots and sliding friction have taken so far.
    #[getter]
    fn dissipated(&self) -> PyResult<f64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.dissipated())))
    }

    /// Energy that moving walls, and surfaces that carry or turn, have given to grains so far.
    #[getter]
    fn wall_work(&self) -> PyResult<f64> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.wall_work())))
    }

    /// Contacts between grains, sorted by ids: a dict of arrays.
    ///
    /// Returns
    /// -------
    /// dict
    ///     ``ids`` (M, 2) uint32; ``overlaps`` (M,); ``normals`` (M, D), from the first to the second; ``forces`` (M, D)
    ///     on the second; ``shifts`` (M, D) int32.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.look(|inner| Ok(each!(inner, simulation => Contacts::of(&simulation.contacts()))))?.into_dict(py)
    }

    /// Energies now.
    ///
    /// Returns
    /// -------
    /// dict of str to float
    ///     ``translational``, ``rotational``, ``elastic`` and ``gravitational``.
    fn energies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let energies = self.look(|inner| Ok(each!(inner, simulation => simulation.energies())))?;
        let named = PyDict::new(py);
        named.set_item("translational", energies.translational)?;
        named.set_item("rotational", energies.rotational)?;
        named.set_item("elastic", energies.elastic)?;
        named.set_item("gravitational", energies.gravitational)?;
        Ok(named)
    }

    /// Add grains, which are pushed from the next step on where they overlap others.
    ///
    /// Parameters
    /// ----------
    /// centers : array_like, shape (N, D)
    /// radii : array_like, shape (N,), or float
    /// velocities : array_like, shape (N, D), optional
    /// material : int, default 0
    ///
    /// Returns
    /// -------
    /// ndarray of uint32, shape (N,)
    ///     Their ids.
    ///
    /// Examples
    /// --------
    /// >>> import multigrain as mg
    /// >>> glass = mg.dem.Material(1, stiffness=1e3)
    /// >>> gas = mg.dem.Simulation([[0, 0], [3, 0]], 1.0, glass)
    /// >>> gas.add([[6.0, 0.0]], 1.0, velocities=[[-1.0, 0.0]])
    /// array([2], dtype=uint32)
    /// >>> gas.remove([0])
    /// >>> gas.ids
    /// array([1, 2], dtype=uint32)
    #[pyo3(signature = (centers, radii, *, velocities=None, material=0))]
    fn add<'py>(
        &self,
        centers: &Bound<'py, PyAny>,
        radii: &Bound<'py, PyAny>,
        velocities: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = arguments::material)] material: u16,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let axes = self.look(|inner| Ok(inner.axes()))?;
        let bodies = Bodies::from_python(centers, radii, Some(axes))?;
        if bodies.dimension() != axes {
            let shape = shown(bodies.centers.shape());
            return Err(PyValueError::new_err(format!(
                "centers have shape {shape}, must be (N, {axes}) as the grains"
            )));
        }
        let new = match axes {
            2 => New::Flat(grains(&bodies, velocities, material)?),
            _ => New::Solid(grains(&bodies, velocities, material)?),
        };
        let ids = self.look(|inner| match (inner, &new) {
            (Inner::Flat(simulation), New::Flat(grains)) => inserted(simulation, grains),
            (Inner::Solid(simulation), New::Solid(grains)) => inserted(simulation, grains),
            _ => unreachable!("a simulation keeps its dimension"),
        })?;
        Ok(PyArray1::from_vec(centers.py(), ids))
    }

    /// Remove the grains with these ids; none of them where one is unknown or named twice.
    ///
    /// Parameters
    /// ----------
    /// ids : int, or sequence of ints
    fn remove(&self, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids: Vec<u32> = match ids.try_iter() {
            Ok(_) => arguments::taken(ids, "ids")?,
            Err(_) => vec![arguments::taken(ids, "ids")?],
        };
        self.look(|inner| each!(inner, simulation => simulation.remove_all(&ids)).map_err(refused))
    }

    /// Number of grains.
    fn __len__(&self) -> PyResult<usize> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.state().len())))
    }

    fn __repr__(&self) -> PyResult<String> {
        self.look(|inner| {
            let axes = inner.axes();
            let (count, steps, time) = each!(inner, s => (s.state().len(), s.steps(), s.time()));
            Ok(format!("<Simulation: {count} grains in {axes}D, {steps} steps, time {time}>"))
        })
    }
}

impl Inner {
    fn axes(&self) -> usize {
        match self {
            Self::Flat(_) => 2,
            Self::Solid(_) => 3,
        }
    }
}

impl Simulation {
    fn holding(inner: Inner) -> Self {
        Self { place: Mutex::new(Place::Here(inner)) }
    }

    fn lock(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Short work on the simulation, where no other thread runs it. It must not run Python code, which might come back here
    /// and wait for the lock for ever: arguments are converted before, arrays made after.
    fn look<T>(&self, work: impl FnOnce(&mut Inner) -> PyResult<T>) -> PyResult<T> {
        match &mut *self.lock() {
            Place::Here(inner) => work(inner),
            Place::Away => Err(away()),
            Place::Lost => Err(lost()),
        }
    }

    fn take(&self) -> PyResult<Inner> {
        let mut place = self.lock();
        match mem::replace(&mut *place, Place::Away) {
            Place::Here(inner) => Ok(inner),
            Place::Away => Err(away()),
            Place::Lost => {
                *place = Place::Lost;
                Err(lost())
            }
        }
    }

    /// Long work on the simulation, off the interpreter. It is taken out meanwhile, so that no lock is held.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner, &Stop) -> T + Send,
    ) -> PyResult<(T, Option<PyErr>)> {
        let mut inner = self.take()?;
        let outcome = catch_unwind(AssertUnwindSafe(|| threads::run_to_end(py, |stop| work(&mut inner, stop))));
        *self.lock() = if outcome.is_ok() { Place::Here(inner) } else { Place::Lost };
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    }

    fn advance(&self, py: Python<'_>, steps: u64) -> PyResult<()> {
        let (outcome, interrupt) = self.work(py, |inner, stop| {
            let mut left = steps;
            let mut outcome = Ok(());
            while left > 0 && outcome.is_ok() && !stop.is_asked() {
                outcome = each!(&mut *inner, simulation => simulation.step());
                left -= 1;
            }
            outcome
        })?;
        interrupt.map_or(Ok(()), Err)?;
        outcome.map_err(refused)
    }
}

fn away() -> PyErr {
    PyRuntimeError::new_err("the simulation is being run or saved by another thread")
}

fn lost() -> PyErr {
    PyRuntimeError::new_err(
        "the simulation is lost: an earlier call panicked within it; resume it from where it was saved",
    )
}

fn started<const D: usize>(py: Python<'_>, setup: Setup<D>, grains: Vec<Grain<D>>) -> PyResult<Box<Engine<D>>>
where
    Axes: Dimension<D>,
{
    Ok(Box::new(threads::run(py, move |_| setup.build(grains))?.map_err(refused)?))
}

fn resumed<const D: usize>(py: Python<'_>, setup: Setup<D>, mut file: File) -> PyResult<Box<Engine<D>>>
where
    Axes: Dimension<D>,
{
    Ok(Box::new(threads::run(py, move |_| setup.resume_from(&mut file))?.map_err(refused)?))
}
