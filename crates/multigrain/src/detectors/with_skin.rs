//! A list that lasts: pairs within a skin of touch are found once and tested again at every step, until something has
//! moved too far.

use crate::detector::{Detector, Layout, Search};
use crate::detectors::toolkit::hand_on_listed;
use crate::domain::Domain;
use crate::error::Error;
use crate::limits::{LARGEST, SMALLEST};
use crate::pairs::Pairs;
use crate::sink::PairSink;
use crate::snapshot::Snapshot;
use crate::threads;

/// Skin of a first call, in mean radii: nothing is known of speeds yet.
const FIRST_SKIN: f64 = 0.1;

/// Largest skin that is chosen, in mean radii: beyond it the list grows faster than it lasts longer.
const LARGEST_SKIN: f64 = 1.0;

/// What a new list costs against testing a list once, as it enters the best skin: see [`WithSkin::automatic`].
const COST_OF_A_LIST: f64 = 5.0;

/// Any detector, asked only now and then: for a wider list, of all bodies whose gap is below margin and skin. As long as no
/// two bodies can have come closer by more than the skin, that list holds every contact, and each call only tests it.
///
/// The pairs are those of the detector itself, sorted by (i, j, shift): that there is a skin shows in time and memory
/// alone. Bodies may cross periodic borders and be given whole boxes away; another number of bodies, another domain or
/// margin, or a body that jumps, only means a new list.
///
/// ```
/// use multigrain::detectors::WithSkin;
/// use multigrain::{Detector, Method, Pairs, Snapshot};
/// let (mut centers, radii) = ([[0.0, 0.0], [2.1, 0.0]], [1.0, 1.0]);
/// let now = Snapshot::new(&centers, &radii)?;
/// let (mut detector, mut pairs) = (WithSkin::new(Method::HGrid.build(now)?, 0.5)?, Pairs::new());
/// detector.find_pairs(now, &mut pairs);
/// assert!(pairs.is_empty());
/// centers[1][0] -= 0.2;
/// detector.find_pairs(Snapshot::new(&centers, &radii)?, &mut pairs);
/// assert_eq!(pairs.as_slice(), [[0, 1]]);
/// assert_eq!(detector.lists(), 1);
/// # Ok::<(), multigrain::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct WithSkin<T, const D: usize> {
    detector: T,
    /// `None` if the skin is to be chosen.
    given: Option<f64>,
    /// All pairs within margin and skin when it was made, sorted.
    list: Pairs<D>,
    made: Option<Made<D>>,
    /// Where the bodies were and how large, when the list was made.
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    /// Whole periods that each body was moved by since; empty where none was.
    periods: Vec<[i32; D]>,
    /// Calls since the list was made.
    calls: u32,
    lists: u64,
}

/// What a list was made for.
#[derive(Debug, Clone, Copy)]
struct Made<const D: usize> {
    domain: Domain<D>,
    margin: f64,
    skin: f64,
    /// Bound on the rounding of distances when it was made.
    slack: f64,
}

/// By how much two bodies may have come closer.
#[derive(Debug, Clone, Copy)]
struct Approach {
    /// The largest and the second largest way of a body, growth of its radius included.
    largest: [f64; 2],
    largest_growth: f64,
    /// Whether any body was moved by whole periods.
    any_periods: bool,
}

impl<T, const D: usize> WithSkin<T, D> {
    /// `detector` with a skin of this width.
    pub fn new(detector: T, skin: f64) -> Result<Self, Error> {
        if skin != 0.0 && !(SMALLEST..=LARGEST).contains(&skin) {
            return Err(Error::Parameter { what: "skin", value: skin, must: "must be 0 or between 1e-150 and 1e150" });
        }
        Ok(Self { given: Some(skin), ..Self::automatic(detector) })
    }

    /// `detector` with a skin chosen anew for every list, from how fast bodies come closer and from their mean radius.
    ///
    /// A list lasts as many steps as fit into the skin, and the tests of a step grow with the skin's share of the size of
    /// bodies; the sum of both costs is least at a skin that grows as the square root of speed and size. Where bodies are
    /// so fast that no list would last a step, there is no skin.
    pub fn automatic(detector: T) -> Self {
        Self {
            detector,
            given: None,
            list: Pairs::new(),
            made: None,
            centers: Vec::new(),
            radii: Vec::new(),
            periods: Vec::new(),
            calls: 0,
            lists: 0,
        }
    }

    /// The detector inside.
    pub fn detector(&self) -> &T {
        &self.detector
    }

    /// The skin of the list in use; 0 before there is one.
    pub fn skin(&self) -> f64 {
        self.made.map_or(0.0, |made| made.skin)
    }

    /// How many lists were made so far.
    pub fn lists(&self) -> u64 {
        self.lists
    }

    /// How far bodies have come since the list was made, if it was made for so many of them in such a domain.
    fn approach(&mut self, now: &Snapshot<'_, D>) -> Option<Approach> {
        let made = self.made?;
        let is_same = made.domain == *now.domain() && made.margin == now.contact_margin();
        if !is_same || self.centers.len() != now.len() {
            return None;
        }
        let lengths = made.domain.lengths();
        let blocks = threads::map_blocks(now.len(), |range| {
            let mut block = Approach::NONE;
            for i in range {
                let periods = whole_periods(self.centers[i], now.centers()[i], lengths);
                block.any_periods |= periods != [0; D];
                let way = distance(self.centers[i], now.centers()[i], periods, lengths);
                block.add(way, now.radii()[i] - self.radii[i]);
            }
            block
        });
        let approach = blocks.into_iter().fold(Approach::NONE, Approach::or);
        self.periods.clear();
        if approach.any_periods {
            let moves = self.centers.iter().zip(now.centers());
            self.periods.extend(moves.map(|(&then, &now)| whole_periods(then, now, lengths)));
        }
        Some(approach)
    }

    /// Whether every contact of `now` is in the list.
    fn lasts(&self, now: &Snapshot<'_, D>, approach: Approach) -> bool {
        let Some(made) = self.made else { return false };
        let slack = made.slack + now.rounding_slack();
        approach.closer(now.domain().has_images()) + slack <= made.skin
    }

    /// The width of a skin for a list made now.
    fn choose(&self, now: &Snapshot<'_, D>, approach: Option<Approach>) -> f64 {
        if let Some(skin) = self.given {
            return skin;
        }
        let size = now.radii().iter().sum::<f64>() / now.len().max(1) as f64;
        let speed = approach.map_or(0.0, |approach| approach.closer(false).max(0.0) / f64::from(self.calls.max(1)));
        if speed == 0.0 {
            return FIRST_SKIN * size;
        }
        let best = (COST_OF_A_LIST * speed * size).sqrt().min(LARGEST_SKIN * size);
        if best > speed { best } else { 0.0 }
    }
}

impl<T: Detector<D>, const D: usize> WithSkin<T, D> {
    /// Makes a new list, and counts what that takes if `sink` wants to know.
    fn make_list<S: PairSink<D>>(&mut self, now: &Snapshot<'_, D>, skin: f64, sink: &mut S) {
        // A skin that a domain or the limits of numbers do not allow is left out.
        let (skin, wider) = match now.margin(now.contact_margin() + skin) {
            Ok(wider) => (skin, wider),
            Err(_) => (0.0, *now),
        };
        if S::COUNTS {
            let work = self.detector.count_work(wider, &mut self.list);
            sink.candidates(work.candidates);
            sink.cells(work.cells);
        } else {
            self.detector.find_pairs(wider, &mut self.list);
        }
        self.list.sort();
        self.centers.clear();
        self.centers.extend_from_slice(now.centers());
        self.radii.clear();
        self.radii.extend_from_slice(now.radii());
        self.periods.clear();
        let (domain, margin) = (*now.domain(), now.contact_margin());
        self.made = Some(Made { domain, margin, skin, slack: wider.rounding_slack() });
        self.calls = 0;
        self.lists += 1;
    }
}

impl<T: Detector<D>, const D: usize> Search<D> for WithSkin<T, D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        self.calls = self.calls.saturating_add(1);
        let approach = self.approach(&now);
        if !approach.is_some_and(|approach| self.lasts(&now, approach)) {
            let skin = self.choose(&now, approach);
            self.make_list(&now, skin, sink);
        }
        sink.mapped();
        let (pairs, shifts, periods) = (self.list.as_slice(), self.list.shifts(), &self.periods);
        hand_on_listed(pairs.len(), now.domain().has_images(), sink, |k| {
            let [i, j] = pairs[k];
            let mut shift = shifts.get(k).copied().unwrap_or([0; D]);
            if !periods.is_empty() {
                let (a, b) = (periods[i as usize], periods[j as usize]);
                shift = std::array::from_fn(|axis| shift[axis] - b[axis] + a[axis]);
            }
            ([i, j], shift, now.overlaps(i as usize, j as usize, shift))
        });
    }

    fn layout(&self) -> Layout {
        self.detector.layout()
    }
}

impl Approach {
    const NONE: Self = Self { largest: [f64::NEG_INFINITY; 2], largest_growth: f64::NEG_INFINITY, any_periods: false };

    /// Takes a body's way and the growth of its radius.
    #[inline]
    fn add(&mut self, way: f64, growth: f64) {
        self.add_sum(way + growth);
        self.largest_growth = self.largest_growth.max(growth);
    }

    #[inline]
    fn add_sum(&mut self, closer: f64) {
        let [first, second] = &mut self.largest;
        if closer > *second {
            *second = closer.min(*first);
            *first = closer.max(*first);
        }
    }

    fn or(mut self, other: Self) -> Self {
        other.largest.into_iter().for_each(|closer| self.add_sum(closer));
        self.largest_growth = self.largest_growth.max(other.largest_growth);
        self.any_periods |= other.any_periods;
        self
    }

    /// By how much the gap of any two bodies can have shrunk; with images also that of a body and its own.
    fn closer(&self, has_images: bool) -> f64 {
        let two = self.largest[0] + self.largest[1];
        let own = if has_images { 2.0 * self.largest_growth } else { f64::NEG_INFINITY };
        two.max(own)
    }
}

/// Whole periods by which a body was moved from `then` to `now`, apart from the shortest way there.
#[inline]
fn whole_periods<const D: usize>(then: [f64; D], now: [f64; D], lengths: [f64; D]) -> [i32; D] {
    std::array::from_fn(|axis| match lengths[axis] {
        0.0 => 0,
        length => ((now[axis] - then[axis]) / length).round() as i32,
    })
}

/// The way from `then` to `now`, less whole periods.
#[inline]
fn distance<const D: usize>(then: [f64; D], now: [f64; D], periods: [i32; D], lengths: [f64; D]) -> f64 {
    let squares = (0..D).map(|axis| ((now[axis] - then[axis]) - f64::from(periods[axis]) * lengths[axis]).powi(2));
    squares.sum::<f64>().sqrt()
}
