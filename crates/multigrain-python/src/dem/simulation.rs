//! `Simulation`: grains that move.

use super::beginning::{Input, resumed, started};
use super::grains::{Given, Shapes, grains, inserted};
use super::inner::{Inner, New, each};
use super::own_forces::Raised;
use super::setup::SetupOptions;
use super::trajectory::Progress;
use super::{Mistake, refused};
use crate::arguments;
use crate::arrays::{Bodies, shown};
use crate::distributed::{PythonRank, of_ranks, run_on_ranks};
use crate::errors::{check, of_file};
use crate::notebook::{html_table, short};
use crate::threads::{self, Stop, lock};
use multigrain_dem::{Error, Simulation as Engine};
use multigrain_distributed::Transport;
use multigrain_files::Target;
use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::ffi::CString;
use std::fs::File;
use std::io::Cursor;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

/// Steps between two looks at how deep grains overlap.
const LOOK_EVERY: u64 = 100;

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
/// spins : array_like, shape (N, 3), optional
///     Angular velocities; in the plane only the third component is used, and shape (N,) does, too.
/// material : int, or sequence of N ints, default 0
///     Of the grains.
/// held : bool, or sequence of N bools, default False
///     Grains that keep their velocity and spin whatever pushes them.
/// shape : int or array_like, shape (N,), optional
///     Numbers of the shapes of grains that are polygons, -1 for discs. By default one shape is that of all grains, and as many
///     shapes as grains are one for each. The radii of polygons are not used.
/// angles : float or array_like, shape (N,), optional
///     By which polygons are turned, counter-clockwise.
/// clump : int or array_like, shape (N,), optional
///     Numbers of the clump shapes of grains that are clumps, -1 for others; by default one clump shape is that of all grains. Each
///     member is a grain of its own with an id; the radii of clumps are not used.
/// orientations : array_like, shape (N, 4), optional
///     How clumps are turned: quaternions, the real part first.
/// between : dict of (int, int) to Law, optional
///     How two materials push each other, by their numbers. by default, springs act in series, and the smaller
///     restitution and friction count.
/// domain : Domain, optional
///     Periodic axes, or a cell that leans; walls are given apart.
/// deformations : sequence of Deformation, optional
///     How the periodic box changes its shape, one after the other.
/// gravity : array_like, shape (D,), optional
/// walls : sequence of Wall, optional
/// generators : sequence of Generator, optional
///     Where grains come from while the simulation runs.
/// outflows : sequence of Outflow, optional
///     Where grains leave.
/// meters : sequence of Meter, optional
///     Where grains that pass are counted.
/// time_step, fraction : float, optional
///     Its length, or as a share of the shortest contact; a fiftieth of that by default.
/// impact_speed : float, optional
///     Of the fastest impacts to be expected: for the time step with the law of Hertz.
/// integrator : {"verlet", "plain-verlet", "gear"}
/// bounds : Domain, optional
///     A grain whose center leaves this box stops the simulation with an error.
/// method : str, default "auto"
///     Of contact detection, as for :func:`multigrain.find_pairs`.
/// skin : float or "auto", optional
///     Find contacts with a skin, so that one list serves several steps.
/// shapes : sequence of Polygon, optional
///     In the plane: shapes of grains, numbered from 0.
/// clump_shapes : sequence of ClumpShape, optional
///     Shapes of clumps, numbered from 0.
/// fluid : dict, optional
///     A fluid that drags grains along: "viscosity", "density", "velocity", "buoyancy" (bool), and "drag", "stokes" (the default),
///     "schiller-naumann", or "linear" with a "coefficient".
/// fields : sequence of dict, optional
///     Accelerations by place: "acceleration", "gradient" (D rows), "about". Forces of any kind: :meth:`set_forces`.
///
/// Warns
/// -----
/// RuntimeWarning
///     For time steps that are too long for the contacts, grains outside their box, and grains crushed into each other.
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
    place: Mutex<Slot>,
    /// What a function of the user's own raised.
    raised: Raised,
    /// The step after which overlaps were looked at last.
    looked: AtomicU64,
}

/// Where the simulation is.
enum Slot {
    Here(Inner),
    /// With a thread that runs or saves it.
    Busy,
    /// A panic left it in the middle of a step.
    Lost,
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(
        signature = (centers, radii, materials, *, velocities=None, spins=None, material=None, held=None, shape=None, angles=None, clump=None, orientations=None, **physics),
        text_signature = "(centers, radii, materials, *, velocities=None, spins=None, material=0, held=False, shape=None, angles=None, clump=None, orientations=None, between=None, domain=None, deformations=(), gravity=None, walls=(), generators=(), outflows=(), meters=(), time_step=None, fraction=None, impact_speed=None, integrator=\"verlet\", bounds=None, method=\"auto\", skin=None, shapes=(), clump_shapes=(), fluid=None, fields=()"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new<'py>(
        centers: &Bound<'py, PyAny>,
        radii: &Bound<'py, PyAny>,
        materials: &Bound<'py, PyAny>,
        velocities: Option<&Bound<'py, PyAny>>,
        spins: Option<&Bound<'py, PyAny>>,
        material: Option<&Bound<'py, PyAny>>,
        held: Option<&Bound<'py, PyAny>>,
        shape: Option<&Bound<'py, PyAny>>,
        angles: Option<&Bound<'py, PyAny>>,
        clump: Option<&Bound<'py, PyAny>>,
        orientations: Option<&Bound<'py, PyAny>>,
        physics: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let options = SetupOptions::new(materials, physics)?;
        let clump_shapes = options.clump_shapes();
        let given = Given { velocities, spins, material, held, clump, orientations, clump_shapes };
        let shapes = Shapes { shape, angles, count: options.shapes() };
        let bodies =
            Bodies::from_python(centers, radii, options.domain.as_ref().map(|domain| domain.get().dimension()))?;
        let py = centers.py();
        let made = Self::holding(match bodies.dimension() {
            2 => Inner::D2(started(py, options.setup()?, grains(&bodies, &given, shapes)?)?),
            _ => Inner::D3(started(py, options.setup()?, grains(&bodies, &given, shapes)?)?),
        });
        made.warn(py)?;
        Ok(made)
    }

    /// Go on with a saved simulation, bit for bit as if it had never stopped.
    ///
    /// Parameters
    /// ----------
    /// path : str, os.PathLike, or bytes
    ///     What :meth:`save` wrote, or the bytes of such a file.
    /// materials, between, domain, deformations, gravity, walls, generators, outflows, meters, time_step, fraction, impact_speed, integrator, bounds
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
        text_signature = "(path, materials, *, dimension=3, between=None, domain=None, deformations=(), gravity=None, walls=(), generators=(), outflows=(), meters=(), time_step=None, fraction=None, impact_speed=None, integrator=\"verlet\", bounds=None, method=\"auto\", skin=None, shapes=(), clump_shapes=(), fluid=None, fields=())"
    )]
    fn resume<'py>(
        py: Python<'py>,
        path: &Bound<'py, PyAny>,
        materials: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = arguments::dimension)] dimension: usize,
        physics: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        crate::packing::check_dimension(dimension)?;
        let options = SetupOptions::new(materials, physics)?;
        let holding = |input: &mut (dyn Input + '_)| -> PyResult<Self> {
            Ok(Self::holding(match dimension {
                2 => Inner::D2(resumed(py, options.setup()?, input)?),
                _ => Inner::D3(resumed(py, options.setup()?, input)?),
            }))
        };
        if let Ok(bytes) = path.cast::<PyBytes>() {
            return holding(&mut Cursor::new(bytes.as_bytes()));
        }
        let path: PathBuf = path.extract()?;
        let mut file = py.detach(|| File::open(&path)).map_err(|error| {
            of_file(multigrain_files::Error::from(error).context(format!("cannot read {}", path.display())))
        })?;
        holding(&mut file)
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

    /// Run this many time steps. Ctrl-C ends it after the current step.
    ///
    /// Parameters
    /// ----------
    /// steps : int
    /// callback : callable, optional
    ///     Called with the simulation every ``every`` steps, and at the end; if it returns False the run ends.
    /// every : int, default 100
    ///     Steps between two calls, and between two frames of a trajectory.
    /// trajectory : str or os.PathLike, optional
    ///     A ``.dump`` file that frames are added to, as :meth:`write` does: at the beginning, every ``every`` steps, and at the end.
    /// progress : bool, default False
    ///     Report progress on standard error.
    #[pyo3(signature = (steps, callback=None, *, every=100, trajectory=None, progress=false))]
    fn run(
        this: &Bound<'_, Self>,
        #[pyo3(from_py_with = arguments::steps)] steps: u64,
        callback: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::every)] every: u64,
        trajectory: Option<PathBuf>,
        progress: bool,
    ) -> PyResult<()> {
        let (py, own) = (this.py(), this.get());
        if callback.is_none() && trajectory.is_none() && !progress {
            return own.advance(py, steps);
        }
        if every == 0 {
            return Err(PyValueError::new_err("every is 0, must be at least 1"));
        }
        let mut shown = Progress::of(steps);
        let write = |path: &PathBuf| own.write(py, path.clone(), true);
        trajectory.as_ref().map(write).transpose()?;
        let mut left = steps;
        while left > 0 {
            let now = left.min(every);
            own.advance(py, now)?;
            left -= now;
            trajectory.as_ref().map(write).transpose()?;
            if progress {
                shown.report(py, steps - left)?;
            }
            let answer = callback.map(|callback| callback.call1((this,))).transpose()?;
            if answer.is_some_and(|answer| answer.extract::<bool>().is_ok_and(|goes_on| !goes_on)) {
                break;
            }
        }
        Ok(())
    }

    /// Run this many time steps on all ranks of an mpi4py communicator, each of which works on a part of space: the bits of a run without
    /// them. Every rank calls it, with the same simulation, and has all of it afterwards.
    ///
    /// Parameters
    /// ----------
    /// comm : mpi4py.MPI.Intracomm
    /// steps : int
    fn run_on(
        &self,
        py: Python<'_>,
        comm: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::steps)] steps: u64,
    ) -> PyResult<()> {
        let mut rank = PythonRank::new(comm)?;
        let hash =
            self.look(|inner| Ok(each!(inner, simulation => (simulation.checksum(), simulation.has_own_forces()))))?;
        let mut bounds = [hash.0, !hash.0];
        rank.all_max(&mut bounds);
        if bounds[0] != !bounds[1] {
            return Err(PyValueError::new_err("ranks have different simulations: give all of them the same"));
        }
        if hash.1 {
            return Err(PyValueError::new_err("forces of one's own act on one rank alone: use run"));
        }
        let inner = self.take()?;
        // Should anything fail, there is no simulation any more.
        *self.lock() = Slot::Lost;
        let (inner, outcome) = match inner {
            Inner::D2(whole) => {
                let (whole, outcome) = run_on_ranks(&mut rank, *whole, steps)?;
                (Inner::D2(Box::new(whole)), outcome)
            }
            Inner::D3(whole) => {
                let (whole, outcome) = run_on_ranks(&mut rank, *whole, steps)?;
                (Inner::D3(Box::new(whole)), outcome)
            }
        };
        *self.lock() = Slot::Here(inner);
        outcome.map_err(of_ranks)?;
        self.warn_of_overlaps(py)
    }

    /// Add grains, which are pushed from the next step on where they overlap others.
    ///
    /// Parameters
    /// ----------
    /// centers : array_like, shape (N, D)
    /// radii : array_like, shape (N,), or float
    /// velocities : array_like, shape (N, D), optional
    /// spins : array_like, shape (N, 3), optional
    /// material : int, or sequence of N ints, default 0
    /// held : bool, or sequence of N bools, default False
    /// shape : int or array_like, optional
    ///     Numbers of their shapes; round by default.
    /// angles : float or array_like, optional
    /// clump : int or array_like, optional
    ///     Numbers of their clump shapes; none by default.
    /// orientations : array_like, shape (N, 4), optional
    ///
    /// Returns
    /// -------
    /// ndarray of uint64, shape (N,)
    ///     Their ids.
    ///
    /// Examples
    /// --------
    /// >>> import multigrain as mg
    /// >>> glass = mg.dem.Material(1, stiffness=1e3)
    /// >>> gas = mg.dem.Simulation([[0, 0], [3, 0]], 1.0, glass)
    /// >>> gas.add([[6.0, 0.0]], 1.0, velocities=[[-1.0, 0.0]])
    /// array([2], dtype=uint64)
    /// >>> gas.remove([0])
    /// >>> gas.ids
    /// array([1, 2], dtype=uint64)
    #[pyo3(
        signature = (centers, radii, *, velocities=None, spins=None, material=None, held=None, shape=None, angles=None, clump=None, orientations=None),
        text_signature = "($self, centers, radii, *, velocities=None, spins=None, material=0, held=False, shape=None, angles=None, clump=None, orientations=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn add<'py>(
        &self,
        centers: &Bound<'py, PyAny>,
        radii: &Bound<'py, PyAny>,
        velocities: Option<&Bound<'py, PyAny>>,
        spins: Option<&Bound<'py, PyAny>>,
        material: Option<&Bound<'py, PyAny>>,
        held: Option<&Bound<'py, PyAny>>,
        shape: Option<&Bound<'py, PyAny>>,
        angles: Option<&Bound<'py, PyAny>>,
        clump: Option<&Bound<'py, PyAny>>,
        orientations: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let given = Given { velocities, spins, material, held, clump, orientations, clump_shapes: 0 };
        let shapes = Shapes { shape, angles, count: 0 };
        let axes = self.look(|inner| Ok(inner.axes()))?;
        let bodies = Bodies::from_python(centers, radii, Some(axes))?;
        if bodies.dimension() != axes {
            let shape = shown(bodies.centers.shape());
            return Err(PyValueError::new_err(format!(
                "centers have shape {shape}, must be (N, {axes}) as the grains"
            )));
        }
        let new = match axes {
            2 => New::D2(grains(&bodies, &given, shapes)?),
            _ => New::D3(grains(&bodies, &given, shapes)?),
        };
        let ids = self.look(|inner| match (inner, &new) {
            (Inner::D2(simulation), New::D2(grains)) => inserted(simulation, grains),
            (Inner::D3(simulation), New::D3(grains)) => inserted(simulation, grains),
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
        let ids: Vec<u64> = match ids.try_iter() {
            Ok(_) => arguments::taken(ids, "ids")?,
            Err(_) => vec![arguments::taken(ids, "ids")?],
        };
        self.look(|inner| each!(inner, simulation => simulation.remove_all(&ids)).map_err(refused))
    }

    /// Number of grains.
    fn __len__(&self) -> PyResult<usize> {
        self.look(|inner| Ok(each!(inner, simulation => simulation.state().len())))
    }

    /// Its energies, for notebooks.
    fn _repr_html_(&self) -> PyResult<String> {
        let energies = self.look(|inner| Ok(each!(inner, simulation => simulation.energies())))?;
        let rows = [
            ("translational", energies.translational),
            ("rotational", energies.rotational),
            ("elastic", energies.elastic),
            ("gravitational", energies.gravitational),
        ];
        let rows = rows.into_iter().map(|(name, value)| vec![name.to_owned(), short(value)]);
        Ok(html_table(&self.__repr__()?, &["energy", "value"], rows, 4))
    }

    fn __repr__(&self) -> PyResult<String> {
        self.look(|inner| {
            let axes = inner.axes();
            let (count, steps, time) = each!(inner, s => (s.state().len(), s.steps(), s.time()));
            Ok(format!("<Simulation: {count} grains in {axes}D, {steps} steps, time {time}>"))
        })
    }
}

impl Simulation {
    fn holding(inner: Inner) -> Self {
        Self { place: Mutex::new(Slot::Here(inner)), raised: Raised::default(), looked: AtomicU64::new(0) }
    }

    /// Where functions of the user's own leave what they raise.
    pub fn raised(&self) -> Raised {
        self.raised.clone()
    }

    /// Number of grains and of axes.
    pub fn shape(&self) -> PyResult<(usize, usize)> {
        self.look(|inner| Ok((each!(inner, s => s.state().len()), inner.axes())))
    }

    /// Changes something of the simulation that takes as long as a step, off the interpreter.
    pub fn change(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut Inner) -> Result<(), Mistake> + Send,
    ) -> PyResult<()> {
        let (outcome, interrupt) = self.work(py, |inner, _| change(inner))?;
        match outcome {
            Ok(()) => interrupt.map_or(Ok(()), Err)?,
            Err(Mistake::Raised(error)) => return Err(error),
            Err(Mistake::Refused(error)) => return Err(self.words(error)),
        }
        self.warn(py)
    }

    /// The same with numbers for grains in the plane.
    pub fn change_2d<T: Send>(
        &self,
        py: Python<'_>,
        numbers: Vec<T>,
        change: impl FnOnce(&mut Engine<2>, &[T]) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        self.change(py, move |inner| match inner {
            Inner::D2(simulation) => Ok(change(simulation, &numbers)?),
            Inner::D3(_) => unreachable!("a simulation keeps its dimension"),
        })
    }

    /// The same with numbers for grains in space.
    pub fn change_3d<T: Send>(
        &self,
        py: Python<'_>,
        numbers: Vec<T>,
        change: impl FnOnce(&mut Engine<3>, &[T]) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        self.change(py, move |inner| match inner {
            Inner::D3(simulation) => Ok(change(simulation, &numbers)?),
            Inner::D2(_) => unreachable!("a simulation keeps its dimension"),
        })
    }

    /// What went wrong: where a function of the user's own raised something, that.
    fn words(&self, error: Error) -> PyErr {
        let raised = lock(&self.raised).take();
        raised.unwrap_or_else(|| refused(error))
    }

    /// Warns of what should not go unsaid.
    fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let concerns = self.look(|inner| {
            Ok(each!(inner, s => [s.concern_of_step(), s.concern_of_overlaps(), s.concern_of_walls()]))
        })?;
        concerns.into_iter().flatten().try_for_each(|concern| warn(py, &concern))
    }

    /// Warns of grains that are crushed into each other, now and then.
    fn warn_of_overlaps(&self, py: Python<'_>) -> PyResult<()> {
        let (steps, looked) = (self.steps()?, self.looked.load(Relaxed));
        if steps < looked + LOOK_EVERY {
            return Ok(());
        }
        self.looked.store(steps, Relaxed);
        let concern = self.look(|inner| Ok(each!(inner, simulation => simulation.concern_of_overlaps())))?;
        concern.map_or(Ok(()), |concern| warn(py, &concern))
    }

    fn lock(&self) -> MutexGuard<'_, Slot> {
        lock(&self.place)
    }

    /// Short work on the simulation, where no other thread runs it. It must not run Python code, which might come back here
    /// and wait for the lock for ever: arguments are converted before, arrays made after.
    pub fn look<T>(&self, work: impl FnOnce(&mut Inner) -> PyResult<T>) -> PyResult<T> {
        match &mut *self.lock() {
            Slot::Here(inner) => work(inner),
            Slot::Busy => Err(away()),
            Slot::Lost => Err(lost()),
        }
    }

    fn take(&self) -> PyResult<Inner> {
        let mut place = self.lock();
        match mem::replace(&mut *place, Slot::Busy) {
            Slot::Here(inner) => Ok(inner),
            Slot::Busy => Err(away()),
            Slot::Lost => {
                *place = Slot::Lost;
                Err(lost())
            }
        }
    }

    /// Long work on the simulation, off the interpreter. It is taken out meanwhile, so that no lock is held.
    pub fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner, &Stop) -> T + Send,
    ) -> PyResult<(T, Option<PyErr>)> {
        let mut inner = self.take()?;
        let outcome = catch_unwind(AssertUnwindSafe(|| threads::run_to_end(py, |stop| work(&mut inner, stop))));
        *self.lock() = if outcome.is_ok() { Slot::Here(inner) } else { Slot::Lost };
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
        outcome.map_err(|error| self.words(error))?;
        self.warn_of_overlaps(py)
    }
}

/// A warning of Python's.
pub(super) fn warn(py: Python<'_>, words: &str) -> PyResult<()> {
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &CString::new(words)?, 1)
}

fn away() -> PyErr {
    PyRuntimeError::new_err("the simulation is being run or saved by another thread")
}

fn lost() -> PyErr {
    PyRuntimeError::new_err(
        "the simulation is lost: an earlier call panicked within it; resume it from where it was saved",
    )
}
