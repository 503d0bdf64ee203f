//! `read` and `write`: the file formats of the command line.

use crate::arguments;
use crate::arrays::Bodies;
use crate::contacts::Contacts;
use crate::domain::Domain;
use crate::errors::{check, of_file};
use crate::search::Space;
use crate::system::System;
use crate::threads;
use multigrain::{AnySystem, Axes, Dimension, each_dimension};
use multigrain_files::{ContactList, FrameChoice, Input, SystemFormat, Target};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use std::ffi::CString;
use std::path::PathBuf;

/// Read a particle system: ``.csv`` (columns x, y, [z,] r), ``.npy``, extended ``.xyz``, a LAMMPS dump or ``.vtp``, recognized by
/// extension and content, also compressed (``.gz``, ``.zst``). Lists of contacts are read too.
///
/// Parameters
/// ----------
/// path : str or os.PathLike
/// frame : int, default 0
///     Of a file with several frames; -1 is the last.
///
/// Returns
/// -------
/// System or Contacts
///     Particles, with the domain of the file where it has one; contacts where the file is a list of them.
///
/// Raises
/// ------
/// OSError
///     Where the file cannot be opened.
/// ValueError
///     Where it cannot be understood; the message names line and column.
///
/// Examples
/// --------
/// >>> import multigrain as mg, os, tempfile
/// >>> path = os.path.join(tempfile.mkdtemp(), "grains.xyz")
/// >>> mg.write(path, mg.pack(law="mono", count=10, packing_fraction=0.3, periodic="xy"))
/// >>> mg.read(path).domain.periodic
/// (True, True, False)
#[pyfunction]
#[pyo3(signature = (path, frame=0))]
pub fn read(py: Python<'_>, path: PathBuf, frame: i64) -> PyResult<Bound<'_, PyAny>> {
    let may_be_list = matches!(multigrain_files::extension(&path).as_str(), "csv" | "vtp" | "txt" | "");
    let input = Input::File(path.clone());
    let found = threads::run(py, |_| -> multigrain_files::Result<_> {
        if may_be_list && let Some(list) = ContactList::read(&path).ok().flatten() {
            return Ok(Err(list));
        }
        let frames = multigrain_files::read_frames(&input, FrameChoice::At(frame), &|_| Box::new(()))?;
        Ok(Ok(frames.chosen.into_iter().next()))
    })?;
    match found.map_err(of_file)? {
        Err(list) => Contacts::from(list).into_bound_py_any(py),
        Ok(Some((_, moment))) => each_dimension!(moment.system, AnySystem, particles => {
            of_file_particles(py, particles.into_inner())?.into_bound_py_any(py)
        }),
        Ok(None) => Err(PyValueError::new_err("the file has no frames")),
    }
}

/// Write a particle system in the format of the extension: ``.csv``, ``.npy``, ``.xyz``, ``.dump``, ``.lammpstrj`` or
/// ``.vtp``, compressed where ``.gz`` or ``.zst`` follows, or ``.h5`` where the package was built with HDF5. The file appears complete or not at all.
///
/// Parameters
/// ----------
/// path : str or os.PathLike
/// system : System
///     Or centers, as for :func:`find_pairs`, followed by radii.
/// radii : array_like, shape (N,), or float, optional
///     With centers.
/// domain : Domain, optional
///     With centers; kept by ``.xyz``, dumps and ``.vtp`` alone.
///
/// Raises
/// ------
/// OSError
///     Where the file cannot be written.
///
/// Warns
/// -----
/// UserWarning
///     Where the box is periodic and the format does not keep it.
///
/// Examples
/// --------
/// >>> import multigrain as mg, os, tempfile
/// >>> path = os.path.join(tempfile.mkdtemp(), "grains.csv")
/// >>> mg.write(path, [[0.5, 1.0], [2.0, 3.0]], [0.25, 0.5])
/// >>> print(open(path).read(), end="")
/// x,y,r
/// 0.5,1,0.25
/// 2,3,0.5
#[pyfunction]
#[pyo3(signature = (path, system, radii=None, domain=None))]
pub fn write<'py>(
    py: Python<'py>,
    path: PathBuf,
    system: &Bound<'py, PyAny>,
    radii: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'py, Domain>>,
) -> PyResult<()> {
    let (bodies, space) = match (system.cast::<System>(), radii, domain) {
        (Ok(system), None, None) => {
            let system = system.get();
            (system.bodies(py), Space { margin: 0.0, domain: system.domain_ref().cloned() })
        }
        (Ok(_), _, _) => {
            return Err(PyTypeError::new_err("a System has radii and domain of its own: leave these arguments out"));
        }
        (Err(_), Some(radii), domain) => {
            let space = Space::new(0.0, domain);
            (space.bodies(system, radii)?, space)
        }
        (Err(_), None, _) => return Err(PyTypeError::new_err("give a System, or centers and radii")),
    };
    let target = Target::File(path);
    let format = SystemFormat::for_target(&target).map_err(of_file)?;
    check(&target)?;
    each_dimension!(bodies.dimension(), D => write_in::<D>(&bodies, &space, format, &target)?);
    match &space.domain {
        Some(domain) if domain.has_images() && !format.carries_box() => warn_of_lost_box(py, domain),
        _ => Ok(()),
    }
}

fn warn_of_lost_box(py: Python<'_>, domain: &Domain) -> PyResult<()> {
    let text = format!("the file does not hold the box; search with domain={}", domain.__repr__());
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(text)?, 1)
}

fn write_in<const D: usize>(bodies: &Bodies<'_>, space: &Space, format: SystemFormat, target: &Target) -> PyResult<()>
where
    Axes: Dimension<D>,
{
    space.check::<D>(bodies)?;
    let lent = bodies.lend()?;
    let particles = multigrain::System {
        centers: lent.centers::<D>()?.to_vec(),
        radii: lent.radii()?.to_vec(),
        domain: Domain::for_axes(space.domain.as_ref())?,
    };
    threads::run(bodies.centers.py(), |_| format.save(target, &particles))?.map_err(of_file)
}

fn of_file_particles<const D: usize>(py: Python<'_>, particles: multigrain::System<D>) -> PyResult<System> {
    let multigrain::System { centers, radii, domain } = particles;
    System::of_lists(py, centers, radii, domain.bounded().as_ref())
}
