//! What is measured of one arrangement.

use crate::growth::predicted;
use crate::parry::{self, Precision};
use multigrain::{Axes, Detector, Dimension, Error, Pairs, Work};
use multigrain_lab::clock::Clock;
use multigrain_lab::timing::{Contender, Found, Rounds, Turn, alternate, timed};
use multigrain_lab::zoo::{self, Arrangement, Bodies, Placed};
use multigrain_methods::Method;
use std::time::Duration;

/// One seed for all, so that runs are of the same bodies.
const SEED: u64 = 1;

/// Who takes longer for one turn has no other.
const PATIENCE: Duration = Duration::from_secs(1);

/// Seconds per body of what is quick: a single such time is not taken to grow as the square.
const MAX_QUICK: f64 = 2e-6;

/// How to measure.
pub struct Plan {
    /// The engine's method.
    pub method: Method,
    /// Turns of each contender.
    pub rounds: usize,
    /// What is predicted to take longer is left out.
    pub limit: Duration,
    /// Quick searches are repeated until a turn takes so long.
    pub turn: Duration,
    /// Whether parry takes part.
    pub with_parry: bool,
    /// How time is taken.
    pub clock: Clock,
}

/// One arrangement with one number of bodies.
pub struct Measured {
    /// The arrangement.
    pub arrangement: &'static Arrangement,
    /// Number of bodies.
    pub bodies: usize,
    /// What the engine found and took; `None` if it was predicted to exceed the limit.
    pub engine: Option<Engine>,
    /// What parry took.
    pub parry: Parry,
}

/// The engine's side.
pub struct Engine {
    /// Number of contacts.
    pub contacts: usize,
    /// Seconds of the first call on the clock (too short for the processor's), choice of levels included.
    pub first: f64,
    /// Seconds of a later call.
    pub warm: f64,
    /// The yardstick's nanoseconds per body and contact, from the same rounds.
    pub even: f64,
    /// Counted work of a later call.
    pub work: Work,
}

/// parry's side.
#[derive(Clone, Copy)]
pub enum Parry {
    /// It took part.
    Took {
        /// Seconds of a turn.
        seconds: f64,
        /// Number of contacts it found.
        contacts: usize,
        /// Precision of its boxes.
        precision: Precision,
    },
    /// It was predicted to take more than the limit.
    TooSlow,
    /// It did not take part.
    Absent,
}

impl Measured {
    /// Bodies and contacts.
    pub fn items(&self) -> Option<f64> {
        self.engine.as_ref().map(|engine| (self.bodies + engine.contacts) as f64)
    }

    /// Nanoseconds of a later call per body and contact.
    pub fn ns(&self) -> Option<f64> {
        Some(self.engine.as_ref()?.warm * 1e9 / self.items()?)
    }

    /// Time per body and contact in units of the yardstick's.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.ns()? / self.engine.as_ref()?.even)
    }

    /// Cells and candidates.
    pub fn work(&self) -> Option<f64> {
        self.engine.as_ref().map(|engine| engine.work.cells as f64 + engine.work.candidates as f64)
    }
}

/// The bodies that all others are compared with.
pub fn yardstick(count: usize) -> Placed<3> {
    match zoo::all().next().map(|even| even.build(count, SEED)) {
        Some(Bodies::Space(placed)) => placed,
        _ => panic!("the zoo begins with even spheres"),
    }
}

/// Measures an arrangement with the number of bodies of each yardstick, which ascend.
pub fn measure(arrangement: &'static Arrangement, yards: &[Placed<3>], plan: &Plan) -> Result<Vec<Measured>, String> {
    let mut all: Vec<Measured> = Vec::new();
    for yard in yards {
        let bodies = yard.len();
        let engine_fits = fits(&all, bodies, plan, |one| one.engine.as_ref().map(|engine| engine.warm));
        let parry_fits = fits(&all, bodies, plan, |one| match one.parry {
            Parry::Took { seconds, .. } => Some(seconds),
            _ => None,
        });
        let (engine, parry) = match arrangement.build(bodies, SEED) {
            Bodies::Plane(placed) => (contest(&placed, yard, plan, engine_fits, None)?.engine, Parry::Absent),
            Bodies::Space(placed) => {
                let precision = Precision::for_bodies(&placed);
                let peer = (plan.with_parry && parry_fits).then(|| parry(&placed, precision, plan));
                let sides = contest(&placed, yard, plan, engine_fits, peer)?;
                let parry = match sides.parry {
                    Some((seconds, contacts)) => Parry::Took { seconds, contacts, precision },
                    None if plan.with_parry => Parry::TooSlow,
                    None => Parry::Absent,
                };
                (sides.engine, parry)
            }
        };
        all.push(Measured { arrangement, bodies, engine, parry });
    }
    Ok(all)
}

/// Whether this many bodies are predicted to stay within the limit, from the seconds that fewer took.
fn fits(fewer: &[Measured], bodies: usize, plan: &Plan, seconds: impl Fn(&Measured) -> Option<f64>) -> bool {
    let points: Vec<(f64, f64)> = fewer.iter().filter_map(|one| Some((one.bodies as f64, seconds(one)?))).collect();
    let quick = points.len() == 1 && points[0].1 < MAX_QUICK * points[0].0;
    let within_limit = predicted(&points, bodies as f64).is_none_or(|time| time < plan.limit.as_secs_f64());
    points.len() == fewer.len() && (quick || within_limit)
}

/// What came out of a contest.
struct Sides {
    engine: Option<Engine>,
    /// Seconds and number of contacts.
    parry: Option<(f64, usize)>,
}

/// The engine and parry take turns, the engine also with the yardstick.
fn contest<const D: usize>(
    placed: &Placed<D>,
    yard: &Placed<3>,
    plan: &Plan,
    with_engine: bool,
    parry: Option<Contender<'_, ()>>,
) -> Result<Sides, String>
where
    Axes: Dimension<D>,
{
    let has_parry = parry.is_some();
    let mut contenders: Vec<_> = parry.into_iter().collect();
    let mut start = None;
    if with_engine {
        let (this, first, work) = engine(placed, plan)?;
        contenders.extend([this, engine::<3>(yard, plan)?.0]);
        start = Some((first, work));
    }
    let timings = alternate(&mut (), Rounds { count: plan.rounds, patience: PATIENCE }, &mut contenders, |_, _| ());
    let results: Vec<(f64, usize)> = timings.iter().map(|one| (one.ns_per(1) * 1e-9, one.found[0].pairs)).collect();
    let (parry, ours) = results.split_at(usize::from(has_parry));
    let engine = match (start, ours) {
        (Some((first, work)), &[(warm, contacts), (even, even_contacts)]) => {
            let even = even * 1e9 / (yard.len() + even_contacts) as f64;
            Some(Engine { contacts, first, warm, even, work })
        }
        _ => None,
    };
    Ok(Sides { engine, parry: parry.first().copied() })
}

/// A detector that has seen the bodies before, seconds of its first call, and its work.
fn engine<'a, const D: usize>(placed: &'a Placed<D>, plan: &Plan) -> Result<(Contender<'a, ()>, f64, Work), String>
where
    Axes: Dimension<D>,
{
    let refused = |error: Error| format!("the engine refuses bodies of the zoo: {error}");
    let (first, detector) = timed(|| -> Result<_, Error> {
        let mut pairs = Pairs::new();
        let mut detector = plan.method.build(placed.snapshot()?)?;
        detector.find_pairs(placed.snapshot()?, &mut pairs);
        Ok((detector, pairs))
    });
    let (mut detector, mut pairs): (Box<dyn Detector<D>>, Pairs<D>) = detector.map_err(refused)?;
    let work = detector.count_work(placed.snapshot().map_err(refused)?, &mut pairs);
    let turn = repeated(plan, move || {
        if let Ok(now) = placed.snapshot() {
            detector.find_pairs(now, &mut pairs);
        }
        pairs.len()
    });
    Ok((turn, first.as_secs_f64(), work))
}

fn parry<'a>(placed: &'a Placed<3>, precision: Precision, plan: &Plan) -> Contender<'a, ()> {
    let mut list = Vec::new();
    repeated(plan, move || {
        list.clear();
        parry::overlapping_pairs(placed, precision, &mut list);
        list.len()
    })
}

/// A contender that does its job, which returns the number of contacts, again and again until a turn is long enough.
fn repeated<'a>(plan: &Plan, mut job: impl FnMut() -> usize + 'a) -> Contender<'a, ()> {
    let Plan { clock, turn, .. } = *plan;
    let mut times = 1;
    Contender::new("", move |(): &()| {
        let (seconds, pairs) = clock.time(|| (0..times).map(|_| job()).last().unwrap_or(0));
        let each = seconds / f64::from(times);
        // The first turn, which warms up, decides how often the others repeat.
        times = (turn.as_secs_f64() / each.max(1e-6)).clamp(1.0, 1000.0) as u32;
        Turn { elapsed: Duration::from_secs_f64(each), found: Found { pairs, fingerprint: 0 } }
    })
}
