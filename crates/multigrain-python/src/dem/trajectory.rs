//! Frames of a simulation in files, and how far it has come.

use super::inner::{Inner, each};
use super::simulation::Simulation;
use crate::errors::{check, of_file};
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::{Simulation as Engine, Stress};
use multigrain_files::Result;
use multigrain_files::{Frame, FrameDetails, Target};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fs::OpenOptions;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[pymethods]
impl Simulation {
    /// Write the grains as they are now, with all that snapshots of ``multigrain simulate`` say of them: ids, velocities, spins, forces, masses,
    /// contacts, stress, and temperatures, bonds and clumps where there are some.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    ///     ``.dump`` for LAMMPS, which OVITO and others read, or ``.vtp`` for ParaView.
    /// append : bool, default False
    ///     Add a frame to the file, so that it becomes a trajectory; ``.dump`` only.
    ///
    /// Examples
    /// --------
    /// >>> import multigrain as mg, os, tempfile
    /// >>> sim = mg.dem.Simulation([[0, 0], [3, 0]], 1.0, mg.dem.Material(1, stiffness=1e3))
    /// >>> path = os.path.join(tempfile.mkdtemp(), "run.dump")
    /// >>> sim.run(30, every=10, trajectory=path)
    /// >>> open(path).read().count("ITEM: TIMESTEP")
    /// 4
    #[pyo3(signature = (path, *, append=false))]
    pub fn write(&self, py: Python<'_>, path: PathBuf, append: bool) -> PyResult<()> {
        let format = Format::of(&path)?;
        if append && format != Format::Dump {
            return Err(PyValueError::new_err("append goes with .dump files: other formats hold one frame"));
        }
        let target = Target::File(path.clone());
        check(&target)?;
        let (written, interrupt) = self.work(py, |inner, _| match append {
            true => append_frame(&path, inner),
            false => target.write(|out| write_frame(out, inner, format)),
        })?;
        interrupt.map_or(Ok(()), Err)?;
        written.map_err(of_file)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Format {
    Dump,
    Vtp,
}

impl Format {
    fn of(path: &Path) -> PyResult<Self> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("dump") => Ok(Self::Dump),
            Some("vtp") => Ok(Self::Vtp),
            _ => Err(PyValueError::new_err(format!("{} must end in .dump or .vtp", path.display()))),
        }
    }
}

fn write_frame(out: &mut dyn Write, inner: &Inner, format: Format) -> Result<()> {
    each!(inner, simulation => {
        let frame = frame(simulation)?;
        match format {
            Format::Dump => frame.write_dump(out),
            Format::Vtp => frame.write_vtp(out),
        }
    })
}

fn append_frame(path: &Path, inner: &Inner) -> Result<()> {
    let mut out = BufWriter::new(OpenOptions::new().create(true).append(true).open(path)?);
    write_frame(&mut out, inner, Format::Dump)?;
    Ok(out.flush()?)
}

/// All grains of this moment, in the order of ids, in the box that they are in: as it leans. Axes without periods reach as far as the grains.
fn frame<const D: usize>(simulation: &Engine<D>) -> Result<Frame<D>>
where
    Axes: Dimension<D>,
{
    let state = simulation.state();
    let places: Vec<usize> = state.places_by_id().into_iter().map(|place| place as usize).collect();
    fn column<T: Copy>(places: &[usize], column: &[T]) -> Vec<T> {
        places.iter().map(|&place| column[place]).collect()
    }
    let details = simulation.details();
    let details = FrameDetails {
        stresses: details.stresses.iter().map(Stress::in_space).collect(),
        spins: details.spins,
        forces: details.forces,
        masses: details.masses,
        contacts: details.contacts,
        wall_contacts: details.wall_contacts,
        bonds: details.bonds,
        clumps: details.clumps,
        temperatures: details.temperatures,
    };
    Ok(Frame {
        step: simulation.steps(),
        time: simulation.time(),
        ids: column(&places, state.ids()),
        centers: column(&places, state.positions()),
        velocities: column(&places, state.velocities()),
        radii: column(&places, state.radii()),
        materials: column(&places, state.materials()),
        outlines: simulation.outlines(&places),
        domain: box_around(simulation)?,
        details: Some(details),
    })
}

fn box_around<const D: usize>(simulation: &Engine<D>) -> Result<Domain<D>>
where
    Axes: Dimension<D>,
{
    let (state, domain) = (simulation.state(), simulation.domain());
    if domain.is_sheared() {
        return Ok(*domain);
    }
    let mut corners = [domain.lo(), domain.hi()];
    for axis in (0..D).filter(|&axis| !domain.is_periodic(axis)) {
        let reach = |side: f64| {
            let ends = state.positions().iter().zip(state.radii()).map(|(x, radius)| x[axis] + side * radius);
            ends.fold(0.0, |far: f64, x| if side > 0.0 { far.max(x) } else { far.min(x) })
        };
        (corners[0][axis], corners[1][axis]) = (reach(-1.0), reach(1.0).max(f64::MIN_POSITIVE));
    }
    let periodic = std::array::from_fn(|axis| domain.is_periodic(axis));
    Ok(Domain::new(corners[0], corners[1], periodic)?)
}

/// How far a run has come, on the standard error of Python.
pub struct Progress {
    steps: u64,
    begin: Instant,
    shown: Option<Instant>,
}

impl Progress {
    /// For the given number of steps.
    pub fn of(steps: u64) -> Self {
        Self { steps, begin: Instant::now(), shown: None }
    }

    /// Reports it, unless that was done a moment ago.
    pub fn report(&mut self, py: Python<'_>, done: u64) -> PyResult<()> {
        const MOMENT: Duration = Duration::from_millis(200);
        if done < self.steps && self.shown.is_some_and(|shown| shown.elapsed() < MOMENT) {
            return Ok(());
        }
        self.shown = Some(Instant::now());
        let passed = self.begin.elapsed().as_secs_f64();
        let left = passed * (self.steps - done) as f64 / done.max(1) as f64;
        let share = 100.0 * done as f64 / self.steps.max(1) as f64;
        let end = if done == self.steps { "\n" } else { "" };
        let line = format!("\r{share:3.0} % of {} steps, {passed:.1} s, {left:.1} s left {end}", self.steps);
        let out = py.import("sys")?.getattr("stderr")?;
        out.call_method1("write", (line,))?;
        out.call_method0("flush")?;
        Ok(())
    }
}
