//! Work that can take minutes, and ends when nobody waits for it any more.

use crate::threads::Stop;
use multigrain::{Detector, Method, Pair, Pairs, Snapshot};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Carried out of work that was asked to stop.
struct Stopped;

/// What `work` makes, or nothing if it was asked to stop on the way: it calls what it is given now and then.
pub fn until_asked<T>(stop: &Stop, work: impl FnOnce(&mut (dyn FnMut() + Send)) -> T) -> Option<T> {
    let mut look = || {
        if stop.is_asked() {
            // Unwinding is the one way out of work that knows of no stopping. It passes by the hook that reports panics.
            resume_unwind(Box::new(Stopped));
        }
    };
    match catch_unwind(AssertUnwindSafe(|| work(&mut look))) {
        Ok(made) => Some(made),
        Err(cause) if cause.is::<Stopped>() => None,
        Err(cause) => resume_unwind(cause),
    }
}

/// Fills `pairs`. Searches that may take quadratic time look at `stop` on the way; what they found until then is of no use
/// to anyone. The others are done in moments.
pub fn find_pairs<const D: usize>(
    method: Method,
    detector: &mut dyn Detector<D>,
    now: Snapshot<'_, D>,
    pairs: &mut Pairs<D>,
    stop: &Stop,
) {
    if !may_take_long(method, now) {
        return detector.find_pairs(now, pairs);
    }
    let has_images = now.domain().has_images();
    let mut take = |pair: Pair<D>| {
        let shift = [pair.shift];
        pairs.extend(&[[pair.i, pair.j]], if has_images { &shift } else { &[] });
    };
    let _ = until_asked(stop, |look| detector.visit_pairs_patiently(now, &mut take, look));
}

/// Sizes may differ by so much before methods made for one size test very many candidates.
const ALIKE: f64 = 4.0;

/// Whether a search may take long. Those that may use one thread, whatever their number, or are made for bodies of one size
/// and meet others.
fn may_take_long<const D: usize>(method: Method, now: Snapshot<'_, D>) -> bool {
    match method {
        Method::BruteForce | Method::LinkedCell | Method::Mr | Method::Mmr | Method::Bbts => true,
        Method::Nbs | Method::MrS => {
            let largest = now.extent().max_radius;
            let small = |radius: &f64| *radius * ALIKE < largest;
            now.radii().iter().any(small)
        }
        _ => false,
    }
}
