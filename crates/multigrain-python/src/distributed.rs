//! Ranks of an mpi4py communicator. What they say to each other goes through its methods: nothing of MPI is linked here, and any MPI will do.

use crate::arguments;
use crate::domain::Domain;
use crate::search::{Space, method_of};
use multigrain::{Axes, Dimension};
use multigrain_dem::Simulation as Engine;
use multigrain_distributed::{
    DistributedSimulation, Error, Options, Parcel, Rows, Sent, Transport, Why, find_pairs, first_failed, signed,
    unsigned,
};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList};

/// Tags are counted up to here, then from 1 again: MPI promises as many.
const TAGS: i32 = 32_767;

/// A rank of a communicator.
pub struct PythonRank {
    /// Of its own: no message of others is met.
    comm: Py<PyAny>,
    /// The module `mpi4py.MPI`, for its constants.
    mpi: Py<PyModule>,
    rank: usize,
    size: usize,
    tag: i32,
    sent: Sent,
}

impl PythonRank {
    /// Of this communicator; collective.
    pub fn new(comm: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mpi = comm.py().import("mpi4py.MPI")?;
        if !comm.is_instance(&mpi.getattr("Intracomm")?)? {
            let kind = comm.get_type().name()?;
            let problem = format!("comm is a {kind}, must be a communicator of mpi4py, such as MPI.COMM_WORLD");
            return Err(PyTypeError::new_err(problem));
        }
        Self::of(&comm.call_method0("Dup")?, &mpi)
    }

    fn of(comm: &Bound<'_, PyAny>, mpi: &Bound<'_, PyModule>) -> PyResult<Self> {
        let (rank, size) = (comm.call_method0("Get_rank")?.extract()?, comm.call_method0("Get_size")?.extract()?);
        Ok(Self { comm: comm.clone().unbind(), mpi: mpi.clone().unbind(), rank, size, tag: 0, sent: Sent::default() })
    }

    /// Something with communicator and module. An exception in the middle leaves other ranks waiting for ever: it is reported, and ends all.
    fn speak<T>(&self, speak: impl Fn(&Bound<'_, PyAny>, &Bound<'_, PyModule>) -> PyResult<T>) -> T {
        Python::attach(|py| {
            let (comm, mpi) = (self.comm.bind(py), self.mpi.bind(py));
            speak(comm, mpi).unwrap_or_else(|error| {
                error.print(py);
                // There is nothing to do if that fails, too.
                let _ = comm.call_method1("Abort", (1,));
                std::process::exit(1)
            })
        })
    }

    fn reduce(&self, numbers: &[i64], operation: &str) -> Vec<i64> {
        self.speak(|comm, mpi| {
            let array = PyArray1::from_slice(comm.py(), numbers);
            let numbers = (&array, mpi.getattr("INT64_T")?);
            comm.call_method1("Allreduce", (mpi.getattr("IN_PLACE")?, numbers, mpi.getattr(operation)?))?;
            Ok(array.readonly().as_slice()?.to_vec())
        })
    }
}

impl Drop for PythonRank {
    fn drop(&mut self) {
        // At the end of the program there may be no MPI any more to give it back to.
        Python::attach(|py| drop(self.comm.bind(py).call_method0("Free")));
    }
}

impl Transport for PythonRank {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn exchange(&mut self, _: Why, parcels: Vec<Parcel>) -> Vec<Parcel> {
        let leaving = parcels.iter().filter(|parcel| parcel.rank != self.rank);
        for parcel in leaving {
            self.sent.messages += 1;
            self.sent.bytes += parcel.bytes.len() as u64;
        }
        self.tag = self.tag % TAGS + 1;
        let mut came = self.speak(|comm, mpi| exchanged(comm, mpi, self.rank, self.tag, &parcels));
        came.sort_by_key(|parcel| parcel.rank);
        came
    }

    fn all_max(&mut self, words: &mut [u64]) {
        let numbers: Vec<i64> = words.iter().map(|&word| signed(word)).collect();
        words.iter_mut().zip(self.reduce(&numbers, "MAX")).for_each(|(word, largest)| *word = unsigned(largest));
    }

    fn all_sum(&mut self, words: &mut [u64]) {
        // Without overflow, a sum is the same with a sign and without.
        let numbers: Vec<i64> = words.iter().map(|&word| word as i64).collect();
        words.iter_mut().zip(self.reduce(&numbers, "SUM")).for_each(|(word, sum)| *word = sum as u64);
    }

    fn all_gather(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        self.speak(|comm, _| comm.call_method1("allgather", (PyBytes::new(comm.py(), bytes),))?.extract())
    }

    fn split(&mut self, part: usize) -> Box<dyn Transport> {
        Box::new(self.speak(|comm, mpi| Self::of(&comm.call_method1("Split", (part, self.rank))?, mpi)))
    }

    fn sent(&self) -> Sent {
        self.sent
    }
}

/// Synchronous sends; who has seen all of its own arrive enters a barrier; when that ends, nothing is on its way any more.
fn exchanged(
    comm: &Bound<'_, PyAny>,
    mpi: &Bound<'_, PyModule>,
    rank: usize,
    tag: i32,
    parcels: &[Parcel],
) -> PyResult<Vec<Parcel>> {
    let py = comm.py();
    let (any, byte) = (mpi.getattr("ANY_SOURCE")?, mpi.getattr("BYTE")?);
    let (status, requests) = (mpi.getattr("Status")?.call0()?, mpi.getattr("Request")?);
    let (mut came, sends) = (Vec::new(), PyList::empty(py));
    for parcel in parcels {
        if parcel.rank == rank {
            came.push(parcel.clone());
            continue;
        }
        let message = (PyBytes::new(py, &parcel.bytes), &byte);
        sends.append(comm.call_method1("Issend", (message, parcel.rank, tag))?)?;
    }
    let mut barrier: Option<Bound<'_, PyAny>> = None;
    loop {
        loop {
            let message = comm.call_method1("Improbe", (&any, tag, &status))?;
            if message.is_none() {
                break;
            }
            let length: usize = status.call_method1("Get_count", (&byte,))?.extract()?;
            let source = status.call_method0("Get_source")?.extract()?;
            let buffer = PyByteArray::new(py, &vec![0; length]);
            message.call_method1("Recv", ((&buffer, &byte),))?;
            came.push(Parcel { rank: source, bytes: buffer.to_vec() });
        }
        match &barrier {
            Some(barrier) if barrier.call_method0("Test")?.extract()? => return Ok(came),
            None if requests.call_method1("Testall", (&sends,))?.extract()? => {
                barrier = Some(comm.call_method0("Ibarrier")?);
            }
            _ => (),
        }
        // Where ranks are more than cores, others must run.
        py.detach(std::thread::yield_now);
    }
}

/// Pairs and shifts of the rows of this rank; see `multigrain.distributed`.
#[pyfunction]
#[pyo3(signature = (comm, centers, radii, method="auto", margin=0.0, domain=None))]
pub fn _find_pairs_on_ranks<'py>(
    comm: &Bound<'py, PyAny>,
    centers: &Bound<'py, PyAny>,
    radii: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = arguments::method)] method: &str,
    #[pyo3(from_py_with = arguments::margin)] margin: f64,
    #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'py, Domain>>,
) -> PyResult<(Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)> {
    let mut rank = PythonRank::new(comm)?;
    let space = Space::new(margin, domain);
    let bodies = space.bodies(centers, radii);
    let bodies = match first_failed(&mut rank, bodies.is_err()) {
        Some(other) if bodies.is_ok() => {
            return Err(PyValueError::new_err(format!("rank {other} was given what cannot be searched")));
        }
        _ => bodies?,
    };
    match bodies.dimension() {
        2 => on_ranks::<2>(&mut rank, &bodies, &space, method),
        _ => on_ranks::<3>(&mut rank, &bodies, &space, method),
    }
}

fn on_ranks<'py, const D: usize>(
    rank: &mut PythonRank,
    bodies: &crate::arrays::Bodies<'py>,
    space: &Space,
    method: &str,
) -> PyResult<(Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)>
where
    Axes: Dimension<D>,
{
    let mut options = Options::within(Domain::for_axes::<D>(space.domain.as_ref())?);
    (options.margin, options.method) = (space.margin, method_of(method)?);
    let lent = bodies.lend()?;
    let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
    let counts = rank.all_gather(&(radii.len() as u64).to_le_bytes());
    let before =
        counts[..rank.rank()].iter().filter_map(|bytes| bytes.first_chunk().map(|&word| u64::from_le_bytes(word)));
    let rows = Rows::new(before.sum(), centers, radii);
    // Each rank on its own thread: where cores are to be used, there are ranks for them.
    let found = multigrain::on_this_thread(|| find_pairs(rank, rows, &options)).map_err(of_ranks)?;
    let py = bodies.centers.py();
    let pairs = PyArray1::from_slice(py, found.pairs.as_flattened()).reshape([found.pairs.len(), 2])?;
    let shifts = match options.domain.has_images() {
        true => {
            Some(PyArray1::from_slice(py, found.shifts.as_flattened()).reshape([found.shifts.len(), D])?.into_any())
        }
        false => None,
    };
    Ok((pairs.into_any(), shifts))
}

/// Takes steps with all ranks, which have the same simulation, and gives all of them what came of it. With an error the simulation is as it
/// was when it was met.
pub fn run_on_ranks<const D: usize>(
    rank: &mut PythonRank,
    whole: Engine<D>,
    steps: u64,
) -> PyResult<(Engine<D>, Result<(), Error>)>
where
    Axes: Dimension<D>,
{
    let setup = whole.setup().clone();
    let run = || -> Result<(Option<Engine<D>>, Result<(), Error>), Error> {
        let whole = (rank.rank() == 0).then_some(whole);
        let mut part = DistributedSimulation::deal_out(rank, setup.clone(), whole, None)?;
        let outcome = part.run(rank, steps);
        Ok((part.gather(rank)?, outcome))
    };
    let (gathered, outcome) = multigrain::on_this_thread(run).map_err(of_ranks)?;
    let everyone = if gathered.is_some() { 0..rank.size() } else { 0..0 };
    let bytes = gathered.map(|whole| whole.encode()).unwrap_or_default();
    let parcels = everyone.map(|rank| Parcel { rank, bytes: bytes.clone() }).collect();
    let came = rank.exchange(Why::Files, parcels);
    let whole = setup.resume(&came[0].bytes).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok((whole, outcome))
}

/// What ranks say, as a `ValueError`.
pub fn of_ranks(error: Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}
