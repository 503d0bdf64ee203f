//! `Queries`: bodies prepared for questions about places.

use crate::arguments;
use crate::arrays::{Bodies, Lent, centers_of, radii_of, table};
use crate::domain::Domain;
use crate::errors::{refused, unknown};
use crate::search::{EngineSpace, Space};
use crate::threads;
use multigrain::{Axes, Dimension, Snapshot, each_dimension};
use multigrain_neighbors::{Answers, DistanceTo, Hit, Nearest, NearestOptions};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyFloat;
use self_cell::self_cell;

/// Questions between two looks at ctrl-C.
const BATCH: usize = 4096;

/// Copies of the bodies, and the space they live in.
struct Owner<const D: usize> {
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    space: EngineSpace<D>,
}

type Owner2d = Owner<2>;
type Owner3d = Owner<3>;
type Queries2d<'a> = multigrain_neighbors::Queries<'a, 2>;
type Queries3d<'a> = multigrain_neighbors::Queries<'a, 3>;

self_cell!(
    struct D2 {
        owner: Owner2d,
        #[covariant]
        dependent: Queries2d,
    }
);

self_cell!(
    struct D3 {
        owner: Owner3d,
        #[covariant]
        dependent: Queries3d,
    }
);

enum Prepared {
    D2(Box<D2>),
    D3(Box<D3>),
}

/// Bodies prepared for questions about places: what touches a sphere, reaches into a box, is nearest to a point.
///
/// Takes memory and time once; then each question costs about as much as it has answers. The bodies are copied: what happens
/// to the arrays later changes no answer.
///
/// Parameters
/// ----------
/// centers, radii, margin, domain
///     As for :func:`find_pairs`. Radii are 0 by default: points.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> bodies = mg.Queries([[0.5, 0.5], [3, 0.5], [9.8, 0.5]], 0.5, domain=mg.Domain([0, 0], [10, 10]))
/// >>> offsets, indices, shifts = bodies.touching([[0, 0.5], [3.2, 0]], 0.2)
/// >>> offsets, indices
/// (array([0, 2, 3]), array([0, 2, 1]))
/// >>> distances, indices = bodies.nearest([[4, 0.5]], k=2, to="surface")
/// >>> distances, indices
/// (array([[0.5, 3. ]]), array([[1, 0]]))
#[pyclass(frozen, module = "multigrain")]
pub struct Queries {
    prepared: Prepared,
    space: Space,
}

/// Offsets, indices and shifts of answers.
type Rows<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<i32>>);

#[pymethods]
impl Queries {
    #[new]
    #[pyo3(signature = (centers, radii=None, margin=0.0, domain=None))]
    fn new<'py>(
        centers: &Bound<'py, PyAny>,
        radii: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'py, Domain>>,
    ) -> PyResult<Self> {
        let space = Space::new(margin, domain);
        let centers = centers_of(centers, space.domain.as_ref().map(Domain::dimension))?;
        let radii = match radii {
            Some(radii) => radii_of(radii, centers.shape()[0])?,
            None => PyArray1::zeros(centers.py(), [centers.shape()[0]], false),
        };
        let bodies = Bodies { centers, radii };
        let py = bodies.centers.py();
        let prepared = match bodies.dimension() {
            2 => Prepared::D2(made(py, owner(&bodies, &space)?, |owner| D2::try_new(owner, prepare))?),
            _ => Prepared::D3(made(py, owner(&bodies, &space)?, |owner| D3::try_new(owner, prepare))?),
        };
        Ok(Self { prepared, space })
    }

    /// All bodies that touch given spheres, margin included.
    ///
    /// Parameters
    /// ----------
    /// centers : array_like, shape (Q, D)
    /// radii : array_like, shape (Q,), or float
    ///
    /// Returns
    /// -------
    /// offsets, indices, shifts : arrays
    ///     Compressed rows: bodies that touch sphere q are ``indices[offsets[q]:offsets[q + 1]]``, sorted; ``shifts`` says which
    ///     image of each. int64, int64, int32.
    fn touching<'py>(
        &self,
        py: Python<'py>,
        centers: &Bound<'py, PyAny>,
        radii: &Bound<'py, PyAny>,
    ) -> PyResult<Rows<'py>> {
        let spheres = Bodies::from_python(centers, radii, Some(self.dimension()))?;
        let lent = spheres.lend()?;
        let radii = lent.radii()?;
        if spheres.centers.shape()[0] != radii.len() {
            let (centers, radii) = (spheres.centers.shape()[0], radii.len());
            return Err(refused(multigrain::Error::LengthMismatch { centers, radii }));
        }
        each_dimension!(&self.prepared, Prepared, own => {
            let own = own.borrow_dependent();
            let centers = places(own, &lent)?;
            self.rows(py, centers.len(), |k| own.touching_each(&centers[k.clone()], &radii[k]))
        })
    }

    /// All bodies that reach into given boxes along the axes, borders and margin included.
    ///
    /// Parameters
    /// ----------
    /// lo, hi : array_like, shape (Q, D)
    ///     Lower and upper corners.
    ///
    /// Returns
    /// -------
    /// offsets, indices, shifts : arrays
    ///     As for :meth:`touching`.
    fn in_box<'py>(&self, py: Python<'py>, lo: &Bound<'py, PyAny>, hi: &Bound<'py, PyAny>) -> PyResult<Rows<'py>> {
        let lower = Bodies::from_python(lo, PyFloat::new(py, 0.0).as_any(), Some(self.dimension()))?;
        let upper = Bodies::from_python(hi, PyFloat::new(py, 0.0).as_any(), Some(self.dimension()))?;
        let (lower, upper) = (lower.lend()?, upper.lend()?);
        if lower.radii()?.len() != upper.radii()?.len() {
            let (lower, upper) = (lower.radii()?.len(), upper.radii()?.len());
            return Err(refused(multigrain::Error::CornerMismatch { lower, upper }));
        }
        each_dimension!(&self.prepared, Prepared, own => {
            let own = own.borrow_dependent();
            let (lo, hi) = (places(own, &lower)?, places(own, &upper)?);
            self.rows(py, lo.len(), |k| own.in_each_box(&lo[k.clone()], &hi[k]))
        })
    }

    /// The k bodies nearest to given points.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (Q, D)
    /// k : int, default 1
    /// to : {"center", "surface"}, default "center"
    ///     What the distance is to; to a surface it is negative inside.
    /// max_distance : float, optional
    ///     Only bodies nearer than this.
    /// images : bool, default True
    ///     Whether images of one body count apart. If False every body counts once, by its nearest image, as in scipy and freud.
    /// return_shifts : bool, default False
    ///     Whether to return which images these are, too.
    ///
    /// Returns
    /// -------
    /// distances, indices : arrays, shape (Q, k)
    ///     Nearest first. Where there are fewer bodies the distance is infinite and the index -1.
    /// shifts : array, shape (Q, k, D), int32
    ///     Where asked for.
    #[pyo3(signature = (points, k=1, to="center", *, max_distance=None, images=true, return_shifts=false))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        k: i64,
        to: &str,
        max_distance: Option<f64>,
        images: bool,
        return_shifts: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let to = match to {
            "center" => DistanceTo::Center,
            "surface" => DistanceTo::Surface,
            other => return Err(unknown("to", other, ["center", "surface"])),
        };
        if k < 1 {
            return Err(PyValueError::new_err(format!("k is {k}, must be at least 1")));
        }
        let k = usize::try_from(k)?;
        let max_distance = max_distance.unwrap_or(f64::INFINITY);
        if max_distance.is_nan() {
            return Err(PyValueError::new_err("max_distance is nan, must be a number"));
        }
        let options = NearestOptions { count: k, to, max_distance, images };
        let points = Bodies::from_python(points, PyFloat::new(py, 0.0).as_any(), Some(self.dimension()))?;
        let lent = points.lend()?;
        let (distances, indices, shifts) = each_dimension!(&self.prepared, Prepared, own => {
            let own = own.borrow_dependent();
            let points = places(own, &lent)?;
            self.table(py, points.len(), k, |part| own.nearest_each(&points[part], options))?
        });
        Ok(match return_shifts {
            true => (distances, indices, shifts).into_pyobject(py)?.into_any(),
            false => (distances, indices).into_pyobject(py)?.into_any(),
        })
    }

    /// Number of bodies.
    fn __len__(&self) -> usize {
        each_dimension!(&self.prepared, Prepared, own => own.borrow_owner().radii.len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (centers, radii) = each_dimension!(&self.prepared, Prepared, own => {
            (table(py, own.borrow_owner().centers.clone())?, &own.borrow_owner().radii)
        });
        let parts = (centers, PyArray1::from_slice(py, radii), self.space.margin, self.space.domain.clone());
        Ok((py.get_type::<Self>().into_any(), parts.into_pyobject(py)?.into_any()))
    }

    fn __repr__(&self) -> String {
        format!("<Queries: {} particles in {}D>", self.__len__(), self.dimension())
    }
}

impl<const D: usize> Owner<D>
where
    Axes: Dimension<D>,
{
    fn now(&self) -> Result<Snapshot<'_, D>, multigrain::Error> {
        self.space.snapshot(&self.centers, &self.radii)
    }
}

fn owner<const D: usize>(bodies: &Bodies<'_>, space: &Space) -> PyResult<Owner<D>> {
    let lent = bodies.lend()?;
    Ok(Owner { centers: lent.centers::<D>()?.to_vec(), radii: lent.radii()?.to_vec(), space: space.engine()? })
}

/// The questions that bodies are prepared for.
fn prepare<const D: usize>(own: &Owner<D>) -> Result<multigrain_neighbors::Queries<'_, D>, multigrain::Error>
where
    Axes: Dimension<D>,
{
    Ok(multigrain_neighbors::Queries::new(own.now()?))
}

/// Prepares bodies off the interpreter.
fn made<O: Send, T: Send>(
    py: Python<'_>,
    owner: O,
    make: impl FnOnce(O) -> Result<T, multigrain::Error> + Send,
) -> PyResult<Box<T>> {
    Ok(Box::new(threads::run(py, move |_| make(owner))?.map_err(refused)?))
}

/// Places of questions, which must have as many axes as the bodies.
fn places<'a, const D: usize>(
    _: &multigrain_neighbors::Queries<'_, D>,
    lent: &'a Lent<'_>,
) -> PyResult<&'a [[f64; D]]> {
    lent.centers::<D>().map_err(|_| PyValueError::new_err(format!("questions must have {D} axes, as the bodies have")))
}

type Table<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<i64>>, Bound<'py, PyAny>);

impl Queries {
    fn dimension(&self) -> usize {
        match &self.prepared {
            Prepared::D2(_) => 2,
            Prepared::D3(_) => 3,
        }
    }

    /// Asks in batches, so that ctrl-C is heard.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        questions: usize,
        ask: impl Fn(std::ops::Range<usize>) -> Result<Answers<T>, multigrain::Error> + Sync + Send,
    ) -> PyResult<Answers<T>> {
        threads::run(py, |stop| {
            let mut all = Answers { offsets: vec![0], hits: Vec::new() };
            let mut first = 0;
            while first < questions && !stop.is_asked() {
                let last = (first + BATCH).min(questions);
                let part = ask(first..last)?;
                let before = all.hits.len();
                all.offsets.extend(part.offsets[1..].iter().map(|offset| offset + before));
                all.hits.extend(part.hits);
                first = last;
            }
            Ok(all)
        })?
        .map_err(refused)
    }

    fn rows<'py, const D: usize>(
        &self,
        py: Python<'py>,
        questions: usize,
        ask: impl Fn(std::ops::Range<usize>) -> Result<Answers<Hit<D>>, multigrain::Error> + Sync + Send,
    ) -> PyResult<Rows<'py>> {
        let answers = self.ask(py, questions, ask)?;
        let offsets = answers.offsets.iter().map(|&offset| offset as i64).collect();
        let indices = answers.hits.iter().map(|hit| i64::from(hit.body)).collect();
        let shifts = answers.hits.iter().map(|hit| hit.shift).collect();
        Ok((PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, indices), table(py, shifts)?))
    }

    fn table<'py, const D: usize>(
        &self,
        py: Python<'py>,
        questions: usize,
        k: usize,
        ask: impl Fn(std::ops::Range<usize>) -> Result<Answers<Nearest<D>>, multigrain::Error> + Sync + Send,
    ) -> PyResult<Table<'py>> {
        let answers = self.ask(py, questions, ask)?;
        let places = questions.saturating_mul(k);
        let (mut distances, mut indices, mut shifts) =
            (Vec::with_capacity(places), Vec::with_capacity(places), Vec::with_capacity(places));
        for question in 0..questions {
            let found = answers.of(question);
            distances.extend(found.iter().map(|near| near.distance));
            indices.extend(found.iter().map(|near| i64::from(near.body)));
            shifts.extend(found.iter().map(|near| near.shift));
            let filled = (question + 1) * k;
            distances.resize(filled, f64::INFINITY);
            indices.resize(filled, -1);
            shifts.resize(filled, [0; D]);
        }
        Ok((
            PyArray1::from_vec(py, distances).reshape([questions, k])?,
            PyArray1::from_vec(py, indices).reshape([questions, k])?,
            table(py, shifts)?.call_method1("reshape", (questions, k, D))?,
        ))
    }
}
