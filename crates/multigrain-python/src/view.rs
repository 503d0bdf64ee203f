//! `view`: pages that show particles, also in notebooks.

use crate::analysis::grains_of;
use crate::arguments;
use crate::arrays::{Bodies, floats};
use crate::domain::Domain;
use crate::errors::{check, of_file, refused};
use crate::search::Space;
use crate::system::System;
use crate::threads;
use multigrain::{AnySystem, Axes, Dimension, each_dimension};
use multigrain_files::view::{MAX_WITH_CONTACTS, Page, PageFrame, find_contacts};
use multigrain_files::{Column, Input, Target, read_moments};
use numpy::{PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use std::path::PathBuf;

/// A page that shows particles in 3D or in the plane: in a notebook it appears by itself.
#[pyclass(frozen, module = "multigrain")]
pub struct View {
    html: String,
    notes: Vec<String>,
    frames: usize,
    particles: usize,
    height: u32,
}

#[pymethods]
impl View {
    /// The page, whole: program, style and data.
    #[getter]
    fn html(&self) -> &str {
        &self.html
    }

    /// What was left out, and why.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Write the page to a file, which needs no network and no other file.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let target = Target::File(path);
        check(&target)?;
        target.write(|out| Ok(out.write_all(self.html.as_bytes())?)).map_err(of_file)
    }

    fn _repr_html_(&self) -> String {
        let page = self.html.replace('&', "&amp;").replace('"', "&quot;");
        format!(
            "<iframe srcdoc=\"{page}\" style=\"width:100%;height:{}px;border:1px solid #8886;border-radius:4px\" \
             allow=\"fullscreen\"></iframe>",
            self.height
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let parts = (self.html.clone(), self.notes.clone(), self.frames, self.particles, self.height);
        Ok((py.import("multigrain._core")?.getattr("_view_of")?, parts))
    }

    fn __repr__(&self) -> String {
        let frames = if self.frames == 1 { String::new() } else { format!("{} frames, ", self.frames) };
        format!("<View: {frames}{} particles, {:.1} MB>", self.particles, self.html.len() as f64 / 1e6)
    }
}

/// All that a view holds.
type Parts = (String, Vec<String>, usize, usize, u32);

/// A view as it was made.
#[pyfunction]
pub fn _view_of(html: String, notes: Vec<String>, frames: usize, particles: usize, height: u32) -> View {
    View { html, notes, frames, particles, height }
}

/// Show particles: an interactive page to be turned, cut and colored, as `multigrain view` writes it.
///
/// Parameters
/// ----------
/// system : System, path, or list of these
///     Or centers, as for :func:`find_pairs`, followed by radii. A path is that of a particle file, all frames of which are shown; of
///     a list each is a frame.
/// radii : array_like, shape (N,), or float, optional
///     With centers.
/// domain : Domain, optional
///     With centers.
/// columns : dict of str to array_like, shape (N,), optional
///     Numbers to color by.
/// contacts : bool, optional
///     Whether contacts are shown; by default up to some hundred thousand grains.
/// title : str, optional
/// height : int, default 600
///     Of the page in a notebook, in pixels.
///
/// Returns
/// -------
/// View
///     Shown by notebooks; ``save(path)`` writes it to a file.
///
/// Examples
/// --------
/// >>> import multigrain as mg, os, tempfile
/// >>> page = mg.view([[0, 0, 0], [1.5, 0, 0]], [1.0, 0.8], columns={"charge": [1.0, -1.0]})
/// >>> page
/// <View: 2 particles, ... MB>
/// >>> page.save(os.path.join(tempfile.mkdtemp(), "page.html"))
#[pyfunction]
#[pyo3(signature = (system, radii=None, domain=None, *, columns=None, contacts=None, title=None, height=600))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn view<'py>(
    py: Python<'py>,
    system: &Bound<'py, PyAny>,
    radii: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'py, Domain>>,
    columns: Option<&Bound<'py, PyDict>>,
    contacts: Option<bool>,
    title: Option<String>,
    height: u32,
) -> PyResult<View> {
    let is_frames = |items: usize| radii.is_none() && items > 0;
    let sources: Vec<Bound<'py, PyAny>> = match (system.cast::<PyList>(), system.cast::<PyTuple>()) {
        (Ok(list), _) if is_frames(list.len()) => list.iter().collect(),
        (_, Ok(tuple)) if is_frames(tuple.len()) => tuple.iter().collect(),
        _ => vec![system.clone()],
    };
    if columns.is_some() && sources.len() > 1 {
        return Err(PyValueError::new_err("columns belong to one system, not to a list of frames"));
    }
    let mut shown = Vec::new();
    for source in &sources {
        shown.extend(parts_of(source, radii, domain.clone())?);
    }
    if let Some(columns) = columns {
        let [(_, frame)] = &mut shown[..] else {
            return Err(PyValueError::new_err("columns belong to one frame"));
        };
        frame.columns.extend(columns_of(columns, frame.len())?);
    }
    let grains: usize = shown.iter().map(|(_, frame)| frame.len()).sum();
    let with_contacts = contacts.unwrap_or(grains <= MAX_WITH_CONTACTS);
    let title = title.unwrap_or_else(|| "multigrain".to_owned());
    let made = threads::run(py, move |_| -> multigrain_files::Result<View> {
        let mut frames = Vec::new();
        for (k, (system, frame)) in shown.into_iter().enumerate() {
            let contacts = with_contacts.then(|| find_contacts(&system)).transpose()?;
            let label = if frame.label.is_empty() { format!("frame {k}") } else { frame.label.clone() };
            frames.push(PageFrame { label, contacts, ..frame });
        }
        let page = Page::new(title, frames);
        if let Some(frame) = page.frames.iter().find(|frame| frame.dimension != page.dimension) {
            let words = format!("a frame has {} dimensions, the first has {}", frame.dimension, page.dimension);
            return Err(multigrain_files::Error::new(words));
        }
        let (frames, particles) = (page.frames.len(), page.frames.first().map_or(0, PageFrame::len));
        let thinned = page.html_within(None)?;
        Ok(View { html: thinned.html, notes: thinned.notes, frames, particles, height })
    })?;
    made.map_err(of_file)
}

/// The particles of a file, of a system, or of arrays, with what the page shows of them.
fn parts_of<'py>(
    source: &Bound<'py, PyAny>,
    radii: Option<&Bound<'py, PyAny>>,
    domain: Option<Bound<'py, Domain>>,
) -> PyResult<Vec<(AnySystem, PageFrame)>> {
    let is_path = source.is_instance_of::<PyString>() || source.hasattr("__fspath__")?;
    if is_path && radii.is_none() && domain.is_none() {
        let path: PathBuf = source.extract()?;
        let moments = read_moments(&Input::File(path), &|_| Box::new(())).map_err(of_file)?;
        return Ok(moments.into_iter().map(|moment| (moment.system.clone(), PageFrame::of_moment(moment))).collect());
    }
    let (bodies, space) = match source.cast::<System>() {
        Ok(system) if radii.is_none() => {
            let own = system.get();
            (own.bodies(source.py()), Space { margin: 0.0, domain: own.domain_ref().cloned() })
        }
        _ => grains_of(source, radii, domain, 0.0)?,
    };
    Ok(vec![each_dimension!(bodies.dimension(), D => of_bodies::<D>(&bodies, &space)?)])
}

fn of_bodies<const D: usize>(bodies: &Bodies<'_>, space: &Space) -> PyResult<(AnySystem, PageFrame)>
where
    Axes: Dimension<D>,
{
    space.check::<D>(bodies)?;
    let lent = bodies.lend()?;
    let domain = Domain::for_axes(space.domain.as_ref())?;
    let particles =
        multigrain::System { centers: lent.centers::<D>()?.to_vec(), radii: lent.radii()?.to_vec(), domain };
    let frame = PageFrame::of_particles(&particles);
    Ok((particles.checked().map_err(refused)?.into(), frame))
}

fn columns_of(columns: &Bound<'_, PyDict>, grains: usize) -> PyResult<Vec<Column>> {
    let mut made = Vec::new();
    for (name, values) in columns {
        let name: String = name.extract()?;
        let values = floats(&values, &name)?;
        if values.shape() != [grains] {
            return Err(PyValueError::new_err(format!("{name} has shape {:?}, must be ({grains},)", values.shape())));
        }
        let values = values.readonly().as_slice()?.to_vec();
        made.push(Column { name, values });
    }
    Ok(made)
}
