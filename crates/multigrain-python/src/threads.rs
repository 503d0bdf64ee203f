//! Work off the interpreter: on a pool of our own, with the interpreter released and ctrl-C heard.

use crate::arguments;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::Cell;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often signals are looked for while work goes on.
const PATIENCE: Duration = Duration::from_millis(50);

/// Most threads that can be asked for: more is a slip of the finger.
const MAX_THREADS: usize = 4096;

/// The pool, and the process it belongs to: threads do not survive a fork, so a child makes its own.
struct Owned {
    process: u32,
    pool: Arc<ThreadPool>,
}

static POOL: Mutex<Option<Owned>> = Mutex::new(None);

/// Says to work that it may stop early, because nobody waits for its result any more.
pub struct Stop(AtomicBool);

impl Stop {
    /// Whether to give up.
    pub fn is_asked(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// Number of threads that searches share.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> mg.threads() >= 1
/// True
#[pyfunction]
pub fn threads() -> PyResult<usize> {
    Ok(pool()?.current_num_threads())
}

/// Choose how many threads searches share; 0 means one per core, which is the default. Results never depend on it.
///
/// Parameters
/// ----------
/// count : int
///     Number of threads, 0 for all cores.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> mg.set_threads(2)
/// >>> mg.threads()
/// 2
/// >>> mg.set_threads(0)
#[pyfunction]
pub fn set_threads(#[pyo3(from_py_with = arguments::count)] count: usize) -> PyResult<()> {
    if count > MAX_THREADS {
        return Err(PyValueError::new_err(format!("threads is {count}, must be at most {MAX_THREADS}")));
    }
    let made = build(count)?;
    let mut owned = lock(&POOL);
    forget_inherited(&mut owned);
    *owned = Some(made);
    Ok(())
}

/// How much there is to do, about. Handing work to another thread takes 20 microseconds, and milliseconds where that thread has
/// to wait for a core; so work stays on the thread of the caller unless others can do it sooner.
#[derive(Clone, Copy)]
pub struct Size {
    /// Visits of bodies or entries, some nanoseconds each.
    pub visits: f64,
    /// Items that may be sorted on several threads.
    pub sorted: usize,
}

impl Size {
    /// As much as there may be.
    pub const UNKNOWN: Self = Self { visits: f64::INFINITY, sorted: 0 };
    /// Less than releasing the interpreter is worth.
    const TINY: f64 = 1e4;
    /// Less than several threads are worth.
    const SMALL: f64 = 4e5;
    /// Done before anyone would press ctrl-C: worth one other thread only if that is not the only one.
    const SHORT: f64 = 4e6;
    /// Items up to which no sort asks for a pool.
    const FEW: usize = 2000;

    /// The number of visits by what looks for other threads before it asks for them.
    pub fn of_visits(visits: usize) -> Self {
        Self { visits: visits as f64, sorted: 0 }
    }

    fn is_tiny(self) -> bool {
        self.visits <= Self::TINY && self.sorted <= Self::FEW
    }

    fn stays_here(self) -> PyResult<bool> {
        Ok(match self.visits {
            ..=Self::SMALL => self.sorted <= Self::FEW || is_own_pool(),
            ..=Self::SHORT => pool()?.current_num_threads() == 1 && is_own_pool(),
            _ => false,
        })
    }
}

/// Whether this thread is a pool of its own, so that what asks for one gets this thread: only one thread can be, as rayon never
/// forgets it. A forked child has it too if that thread forked.
fn is_own_pool() -> bool {
    static IS_TAKEN: AtomicBool = AtomicBool::new(false);
    thread_local!(static OWN: Cell<bool> = const { Cell::new(false) });
    if !OWN.get() && !IS_TAKEN.swap(true, Relaxed) {
        OWN.set(ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().is_ok());
    }
    OWN.get()
}

/// What is behind a lock, also after a panic.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` as [`run`] does if it is large, else on the thread of the caller alone.
pub fn run_by_size<T: Send>(py: Python<'_>, size: Size, work: impl FnOnce(&Stop) -> T + Send) -> PyResult<T> {
    let never = Stop(AtomicBool::new(false));
    if size.is_tiny() {
        Ok(multigrain::on_this_thread(|| work(&never)))
    } else if size.stays_here()? {
        Ok(py.detach(|| multigrain::on_this_thread(|| work(&never))))
    } else {
        run(py, work)
    }
}

/// Runs `work` on the pool while other Python threads go on. Ctrl-C asks it to stop, waits until it does, and raises.
pub fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&Stop) -> T + Send) -> PyResult<T> {
    match run_to_end(py, work)? {
        (result, None) => Ok(result),
        (_, Some(interrupt)) => Err(interrupt),
    }
}

/// As [`run`], but what was made until an interrupt is not lost: it comes together with that.
pub fn run_to_end<T: Send>(py: Python<'_>, work: impl FnOnce(&Stop) -> T + Send) -> PyResult<(T, Option<PyErr>)> {
    let pool = pool()?;
    let stop = &Stop(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let (result, interrupt) = py.detach(move || {
        pool.in_place_scope(|scope| {
            scope.spawn(move |_| {
                // A panic hangs up instead; the scope hands it on.
                let _ = sender.send(work(stop));
            });
            let mut interrupt = None;
            loop {
                match receiver.recv_timeout(PATIENCE) {
                    Ok(result) => break (Some(result), interrupt),
                    Err(RecvTimeoutError::Disconnected) => break (None, interrupt),
                    Err(RecvTimeoutError::Timeout) if interrupt.is_none() => {
                        interrupt = Python::attach(|py| py.check_signals()).err();
                        stop.0.store(interrupt.is_some(), Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => (),
                }
            }
        })
    });
    match result {
        Some(result) => Ok((result, interrupt)),
        None => Err(PyRuntimeError::new_err("the work ended without a result")),
    }
}

/// The pool of this process. The lock is only held with the interpreter attached, so no fork can find it taken.
fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut owned = lock(&POOL);
    forget_inherited(&mut owned);
    let own = match &mut *owned {
        Some(own) => own,
        none => none.insert(build(0)?),
    };
    Ok(own.pool.clone())
}

/// In a forked child the parent's threads do not exist: its pool must neither be used nor waited for.
fn forget_inherited(owned: &mut Option<Owned>) {
    if owned.as_ref().is_some_and(|own| own.process != process::id()) {
        std::mem::forget(owned.take());
    }
}

fn build(count: usize) -> PyResult<Owned> {
    let pool = ThreadPoolBuilder::new().num_threads(count).thread_name(|k| format!("multigrain-{k}")).build();
    let pool = pool.map_err(|error| PyRuntimeError::new_err(format!("cannot start {count} threads: {error}")))?;
    Ok(Owned { process: process::id(), pool: Arc::new(pool) })
}
