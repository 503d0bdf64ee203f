//! Detectors and what they find.

use crate::error::{Failure, MgStatus, guarded};
use crate::system::MgSystem;
use multigrain::{Axes, Between, Detector, Dimension, Error, Pairs, PairsBetween, Snapshot};
use multigrain_methods::Method;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;

/// Finds pairs, and keeps its memory from call to call.
pub struct MgDetector {
    detector: Any,
    question: Option<Question>,
}

/// The caller's question whether to stop.
#[derive(Clone, Copy)]
struct Question {
    // SAFETY: the promise of the caller of `mg_detector_set_stop`.
    ask: unsafe extern "C" fn(data: *mut c_void) -> bool,
    data: *mut c_void,
}

// SAFETY: the caller of `mg_detector_set_stop` promises that the function may be called with these data on any thread.
unsafe impl Send for Question {}
// SAFETY: the same.
unsafe impl Sync for Question {}

impl Question {
    fn is_yes(&self) -> bool {
        // SAFETY: the promise of the caller of `mg_detector_set_stop`.
        unsafe { (self.ask)(self.data) }
    }
}

/// Pairs that were found: filled by one call, kept until the next.
#[derive(Default)]
pub struct MgPairs {
    indices: Vec<[u32; 2]>,
    /// Image shifts, `dimension` of them for each pair; empty in open space.
    shifts: Vec<i32>,
}

enum Any {
    D2(One<2>),
    D3(One<3>),
}

/// A detector that is built when it sees its first particles.
struct One<const D: usize> {
    method: Method,
    detector: Option<Box<dyn Detector<D>>>,
    between: Option<Between<Box<dyn Detector<D>>, D>>,
    pairs: Pairs<D>,
    pairs_between: PairsBetween<D>,
}

impl<const D: usize> One<D>
where
    Axes: Dimension<D>,
{
    fn new(method: Method) -> Self {
        Self { method, detector: None, between: None, pairs: Pairs::new(), pairs_between: PairsBetween::default() }
    }

    fn find(&mut self, now: Snapshot<'_, D>, stop: Stop<'_>, found: &mut MgPairs) -> Result<(), Failure> {
        let detector = match &mut self.detector {
            Some(detector) => detector,
            None => self.detector.insert(self.method.build(now)?),
        };
        found.clear();
        if !detector.find_pairs_until(now, &mut self.pairs, stop) {
            return Err(Error::Stopped.into());
        }
        self.pairs.sort();
        found.fill(self.pairs.as_slice(), self.pairs.shifts());
        Ok(())
    }

    fn find_between(
        &mut self,
        [a, b]: [Snapshot<'_, D>; 2],
        stop: Stop<'_>,
        found: &mut MgPairs,
    ) -> Result<(), Failure> {
        let between = match &mut self.between {
            Some(between) => between,
            None => self.between.insert(Between::new(self.method.build(a)?)),
        };
        found.clear();
        if !between.find_pairs_until(a, b, &mut self.pairs_between, stop)? {
            return Err(Error::Stopped.into());
        }
        self.pairs_between.sort();
        found.fill(self.pairs_between.as_slice(), self.pairs_between.shifts());
        Ok(())
    }
}

type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

impl MgPairs {
    fn clear(&mut self) {
        self.indices.clear();
        self.shifts.clear();
    }

    fn fill<const D: usize>(&mut self, pairs: &[[u32; 2]], shifts: &[[i32; D]]) {
        self.clear();
        self.indices.extend_from_slice(pairs);
        self.shifts.extend_from_slice(shifts.as_flattened());
    }
}

/// A detector for 2 or 3 dimensions. `method` is a name such as "hgrid", or null for the one that suits the particles. Null
/// where that fails: see `mg_last_error`. To be freed with `mg_detector_free`.
///
/// # Safety
/// `method` is null or text that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mg_detector_new(dimension: u32, method: *const c_char) -> *mut MgDetector {
    let mut made = ptr::null_mut();
    guarded(|| {
        let method = if method.is_null() {
            Method::Auto
        } else {
            // SAFETY: not null, and the caller's promise.
            let name = unsafe { CStr::from_ptr(method) }.to_string_lossy();
            name.parse::<Method>().map_err(Failure::invalid)?
        };
        let detector = match dimension {
            2 => Any::D2(One::new(method)),
            3 => Any::D3(One::new(method)),
            _ => return Err(Failure::invalid(format!("dimension is {dimension}, must be 2 or 3"))),
        };
        made = Box::into_raw(Box::new(MgDetector { detector, question: None }));
        Ok(())
    });
    made
}

/// Has every search of a detector ask `stop` now and then, with `data`, and end soon after it answers with true: the call then
/// returns `MG_STATUS_STOPPED` with no pairs, and the detector can be used again. Null for no question, as in the beginning.
///
/// # Safety
/// `detector` is null or came from `mg_detector_new` and is used by nobody else during the call; `stop` may be called with `data` on
/// any thread, on several at once, for as long as it is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mg_detector_set_stop(
    detector: *mut MgDetector,
    // SAFETY: the caller's promise, above.
    stop: Option<unsafe extern "C" fn(data: *mut c_void) -> bool>,
    data: *mut c_void,
) {
    // SAFETY: the caller's promise.
    if let Some(detector) = unsafe { detector.as_mut() } {
        detector.question = stop.map(|ask| Question { ask, data });
    }
}

/// Frees a detector; null is fine.
///
/// # Safety
/// `detector` came from `mg_detector_new` and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mg_detector_free(detector: *mut MgDetector) {
    if !detector.is_null() {
        // SAFETY: made by Box::into_raw, and the caller's promise.
        drop(unsafe { Box::from_raw(detector) });
    }
}

/// An empty list of pairs, to be freed with `mg_pairs_free`.
#[unsafe(no_mangle)]
pub extern "C" fn mg_pairs_new() -> *mut MgPairs {
    Box::into_raw(Box::default())
}

/// Frees a list of pairs; null is fine.
///
/// # Safety
/// `pairs` came from `mg_pairs_new` and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mg_pairs_free(pairs: *mut MgPairs) {
    if !pairs.is_null() {
        // SAFETY: made by Box::into_raw, and the caller's promise.
        drop(unsafe { Box::from_raw(pairs) });
    }
}

/// Number of pairs; 0 for null.
///
/// # Safety
/// `pairs` is null or came from `mg_pairs_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mg_pairs_count(pairs: *const MgPairs) -> usize {
    // SAFETY: the caller's promise.
    unsafe { pairs.as_ref() }.map_or(0, |pairs| pairs.indices.len())
}

/// Two particles for each pair, pair after pair, sorted; valid until the list is filled again or freed.
///
/// # Safety
/// `pairs` is null or came from `mg_pairs_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mg_pairs_indices(pairs: *const MgPairs) -> *const u32 {
    // SAFETY: the caller's promise.
    unsafe { pairs.as_ref() }.map_or(ptr::null(), |pairs| pairs.indices.as_flattened().as_ptr())
}

/// How many edges the image of the second particle lies from it: `dimension` numbers for each pair. Null in open space; valid as
/// long as the indices.
///
/// # Safety
/// `pairs` is null or came from `mg_pairs_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mg_pairs_shifts(pairs: *const MgPairs) -> *const i32 {
    // SAFETY: the caller's promise.
    let pairs = unsafe { pairs.as_ref() };
    pairs.filter(|pairs| !pairs.shifts.is_empty()).map_or(ptr::null(), |pairs| pairs.shifts.as_ptr())
}

/// Fills `pairs` with every touching pair of the particles, each once, sorted.
///
/// # Safety
/// `detector` and `pairs` came from this library and are used by nobody else during the call; `system` points to a system whose
/// arrays are as long as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mg_find_pairs(
    detector: *mut MgDetector,
    system: *const MgSystem,
    pairs: *mut MgPairs,
) -> MgStatus {
    guarded(|| {
        // SAFETY: the caller's promise.
        let (detector, system, pairs) = unsafe { (detector.as_mut(), system.as_ref(), pairs.as_mut()) };
        let detector = detector.ok_or_else(|| Failure::null("detector"))?;
        let system = system.ok_or_else(|| Failure::null("system"))?;
        let pairs = pairs.ok_or_else(|| Failure::null("pairs"))?;
        let MgDetector { detector, question } = detector;
        let stop: Stop<'_> = &|| question.as_ref().is_some_and(Question::is_yes);
        match (detector, system.dimension) {
            // SAFETY: the caller's promise about the arrays of the system.
            (Any::D2(one), 2) => one.find(unsafe { system.snapshot()? }, stop, pairs),
            // SAFETY: the same.
            (Any::D3(one), 3) => one.find(unsafe { system.snapshot()? }, stop, pairs),
            (_, dimension) => Err(other_dimension(dimension)),
        }
    })
}

/// Fills `pairs` with every particle of `a` that touches one of `b`: the first of each pair is of `a`, the second of `b`. Both
/// need the same box and margin.
///
/// # Safety
/// As for `mg_find_pairs`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mg_find_pairs_between(
    detector: *mut MgDetector,
    a: *const MgSystem,
    b: *const MgSystem,
    pairs: *mut MgPairs,
) -> MgStatus {
    guarded(|| {
        // SAFETY: the caller's promise.
        let (detector, a, b, pairs) = unsafe { (detector.as_mut(), a.as_ref(), b.as_ref(), pairs.as_mut()) };
        let detector = detector.ok_or_else(|| Failure::null("detector"))?;
        let (a, b) = (a.ok_or_else(|| Failure::null("a"))?, b.ok_or_else(|| Failure::null("b"))?);
        let pairs = pairs.ok_or_else(|| Failure::null("pairs"))?;
        let MgDetector { detector, question } = detector;
        let stop: Stop<'_> = &|| question.as_ref().is_some_and(Question::is_yes);
        match (detector, a.dimension, b.dimension) {
            // SAFETY: the caller's promise about the arrays of the systems.
            (Any::D2(one), 2, 2) => unsafe { one.find_between([a.snapshot()?, b.snapshot()?], stop, pairs) },
            // SAFETY: the same.
            (Any::D3(one), 3, 3) => unsafe { one.find_between([a.snapshot()?, b.snapshot()?], stop, pairs) },
            (_, dimension, _) => Err(other_dimension(dimension)),
        }
    })
}

fn other_dimension(dimension: u32) -> Failure {
    Failure::invalid(format!("the system has dimension {dimension}, which is not that of the detector"))
}
