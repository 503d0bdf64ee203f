//! A list that lasts: pairs within a skin of touch are found once and tested again at every step, until something has
//! moved too far.

mod list_origin;

use crate::detector::{Detector, Layout, Search};
use crate::domain::Domain;
use crate::error::Error;
use crate::grid::emit_confirmed;
use crate::limits::{MAX_LENGTH, MIN_LENGTH};
use crate::overlap::{contact_vector, reach, touches};
use crate::pairs::Pairs;
use crate::sink::PairSink;
use crate::snapshot::Snapshot;
use list_origin::{Approach, ListOrigin};

/// Skin of a first call, in mean radii: nothing is known of speeds yet.
const FIRST_SKIN: f64 = 0.1;

/// Largest skin that is chosen, in mean radii: beyond it the list grows faster than it lasts longer.
const MAX_SKIN: f64 = 1.0;

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
/// use multigrain::detectors::{Auto, WithSkin};
/// use multigrain::{Build, Detector, Pairs, Settings, Snapshot};
/// let (mut centers, radii) = ([[0.0, 0.0], [2.1, 0.0]], [1.0, 1.0]);
/// let now = Snapshot::new(&centers, &radii)?;
/// let (mut detector, mut pairs) = (WithSkin::new(Auto::build(now, &Settings::default())?, 0.5)?, Pairs::new());
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
    /// The bodies when the list was made.
    then: ListOrigin<D>,
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
    groups: u64,
}

impl<T, const D: usize> WithSkin<T, D> {
    /// `detector` with a skin of this width.
    pub fn new(detector: T, skin: f64) -> Result<Self, Error> {
        if skin != 0.0 && !(MIN_LENGTH..=MAX_LENGTH).contains(&skin) {
            return Err(Error::Parameter { what: "skin", value: skin, must: "must be 0 or between 1e-150 and 1e150" });
        }
        Ok(Self { given: Some(skin), ..Self::automatic(detector) })
    }

    /// `detector` with a skin chosen again for every list, from how fast bodies come closer and from their mean radius.
    ///
    /// A list lasts as many steps as fit into the skin, and the tests of a step grow with the skin's share of the size of
    /// bodies; the sum of both costs is least at a skin that grows as the square root of speed and size. Where bodies are
    /// so fast that no list would last a step, there is no skin.
    pub fn automatic(detector: T) -> Self {
        Self { detector, given: None, list: Pairs::new(), made: None, then: ListOrigin::default(), calls: 0, lists: 0 }
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

    /// How far bodies have come since the list was made, if it was made for this many of them in such a domain.
    fn approach(&mut self, now: &Snapshot<'_, D>) -> Option<Approach> {
        let made = self.made?;
        let is_same =
            made.domain == *now.domain() && made.margin == now.margin() && made.groups == now.groups().fingerprint();
        if !is_same || self.then.len() != now.len() {
            return None;
        }
        Some(self.then.approach(now))
    }

    /// Whether every contact of `now` is in the list.
    fn lasts(&self, now: &Snapshot<'_, D>, approach: Approach) -> bool {
        let Some(made) = self.made else { return false };
        let slack = made.slack + largest_slack(now);
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
        let best = (COST_OF_A_LIST * speed * size).sqrt().min(MAX_SKIN * size);
        if best > speed { best } else { 0.0 }
    }
}

/// What rounding may take from a skin.
fn largest_slack<const D: usize>(now: &Snapshot<'_, D>) -> f64 {
    now.rounding_slack().into_iter().fold(0.0, f64::max)
}

impl<T: Detector<D>, const D: usize> WithSkin<T, D> {
    /// Makes a new list, and counts what that takes if `sink` wants to know.
    fn make_list<S: PairSink<D>>(&mut self, now: &Snapshot<'_, D>, skin: f64, sink: &mut S) {
        // A skin that a domain or the limits of numbers do not allow is left out.
        let (skin, wider) = match now.with_margin(now.margin() + skin) {
            Ok(wider) => (skin, wider),
            Err(_) => (0.0, *now),
        };
        if sink.counts() {
            let work = self.detector.count_work_until(wider, &mut self.list, sink.stop());
            sink.candidates(work.candidates);
            sink.cells(work.cells);
        } else {
            self.detector.find_pairs_until(wider, &mut self.list, sink.stop());
        }
        if sink.stop_requested() {
            // Nobody wants a list that is not whole.
            self.made = None;
            self.list.clear();
            return;
        }
        self.list.sort();
        self.then.remember(now);
        let (domain, margin) = (*now.domain(), now.margin());
        self.made =
            Some(Made { domain, margin, skin, slack: largest_slack(&wider), groups: now.groups().fingerprint() });
        self.calls = 0;
        self.lists += 1;
    }
}

impl<T: Detector<D>, const D: usize> Search<D> for WithSkin<T, D> {
    const TAKES_SHEARED: bool = true;

    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        self.calls = self.calls.saturating_add(1);
        let approach = self.approach(&now);
        if !approach.is_some_and(|approach| self.lasts(&now, approach)) {
            let skin = self.choose(&now, approach);
            self.make_list(&now, skin, sink);
        }
        sink.mapped();
        // Everything that is the same for all of the list is looked up once: this is the inner loop of most steps.
        let (pairs, shifts, periods) = (self.list.as_slice(), self.list.shifts(), self.then.periods());
        let (centers, radii, margin) = (now.centers(), now.radii(), now.margin());
        let (lengths, sheared) = (now.domain().lengths(), now.domain().is_sheared());
        emit_confirmed(pairs.len(), now.domain().has_images(), sink, |k| {
            let pair = pairs[k];
            let [i, j] = pair.map(|body| body as usize);
            let mut shift = shifts.get(k).copied().unwrap_or([0; D]);
            if !periods.is_empty() {
                shift = std::array::from_fn(|axis| shift[axis] - periods[j][axis] + periods[i][axis]);
            }
            if sheared {
                return (pair, shift, now.overlaps(i, j, shift));
            }
            let vector = contact_vector(centers[i], centers[j], shift, lengths);
            (pair, shift, touches(vector, reach(radii[i], radii[j], margin)))
        });
    }

    fn layout(&self) -> Layout {
        self.detector.layout()
    }
}
