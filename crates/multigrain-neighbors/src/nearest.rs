//! The bodies nearest to a point.

use crate::queries::{Hit, Queries};
use multigrain::Pair;
use multigrain::grid::ShiftRange;

/// What the distance to a body is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DistanceTo {
    /// To its center, whatever its radius.
    #[default]
    Center,
    /// To its surface; negative inside.
    Surface,
}

/// Which bodies count as the nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestOptions {
    /// How many are wanted.
    pub count: usize,
    /// What the distance is to.
    pub to: DistanceTo,
    /// Only bodies nearer than this; infinite by default.
    pub max_distance: f64,
    /// Whether images of one body count apart, as they do by default, or each body once, by its nearest image.
    pub images: bool,
}

impl NearestOptions {
    /// The given number of bodies, by the distance of their centers.
    pub fn new(count: usize) -> Self {
        Self { count, to: DistanceTo::Center, max_distance: f64::INFINITY, images: true }
    }
}

/// One of the bodies nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest<const D: usize> {
    /// The body.
    pub body: u32,
    /// Which image of it; zero in open domains.
    pub shift: [i32; D],
    /// How far away.
    pub distance: f64,
}

pub(crate) fn nearest<const D: usize>(
    queries: &Queries<'_, D>,
    point: [f64; D],
    options: NearestOptions,
) -> Vec<Nearest<D>> {
    // Where each body counts once there are no more than there are bodies.
    let most = if options.images { usize::MAX } else { queries.now.len() };
    let options = NearestOptions { count: options.count.min(most), ..options };
    let mut best = Best { kept: Vec::with_capacity(options.count.min(1024) + 1), options };
    if options.count == 0 || queries.now.is_empty() {
        return Vec::new();
    }
    let to_surface = options.to == DistanceTo::Surface;
    let own = |body: u32| if to_surface { queries.now.radii()[body as usize] } else { 0.0 };
    let Some(lattice) = &queries.lattice else {
        queries.tree.visit_by_distance(point, to_surface, best.limit(), |body, distance| {
            best.add(Nearest { body, shift: [0; D], distance })
        });
        return best.kept;
    };
    let (home, wrap) = lattice.wrap(point);
    let (lo, hi, largest) = queries.tree.bounds().unwrap_or(([0.0; D], [0.0; D], 0.0));
    let largest = if to_surface { largest } else { 0.0 };
    let across = lattice.distance_across(point, lo, hi);
    let slack = lattice.slack(point);
    let look = |best: &mut Best<D>, shift: [i32; D]| {
        let limit = best.limit() + slack;
        queries.tree.visit_by_distance(lattice.seen_from(home, shift), to_surface, limit, |body, _| {
            let shift = lattice.reported(wrap, body, shift);
            let vector = queries.vector_to(point, Hit { body, shift });
            let distance = vector.iter().map(|x| x * x).sum::<f64>().sqrt() - own(body);
            best.add(Nearest { body, shift, distance }) + slack
        });
    };
    // All images that may hold something near enough.
    let near = |best: &Best<D>| {
        let limit = best.limit() + largest + slack;
        let along = (limit * limit - across * across).max(0.0).sqrt() + slack;
        lattice.images_within(home, along)
    };
    // Ring by ring, until there are enough bodies or no more images.
    let mut seen = lattice.ring(0);
    look(&mut best, [0; D]);
    let has_all = |seen: &ShiftRange<D>, near: ShiftRange<D>| seen.contains(near.first) && seen.contains(near.last);
    while best.kept.len() < options.count && !has_all(&seen, near(&best)) {
        let ring = lattice.ring(seen.last.into_iter().max().unwrap_or(0) + 1);
        ring.iter().filter(|&shift| !seen.contains(shift)).for_each(|shift| look(&mut best, shift));
        seen = ring;
    }
    near(&best).iter().filter(|&shift| !seen.contains(shift)).for_each(|shift| look(&mut best, shift));
    best.kept
}

/// The nearest found so far, sorted.
struct Best<const D: usize> {
    kept: Vec<Nearest<D>>,
    options: NearestOptions,
}

impl<const D: usize> Best<D> {
    /// Distance beyond which nothing is wanted.
    fn limit(&self) -> f64 {
        match self.kept.get(self.options.count - 1) {
            Some(last) => last.distance,
            None => self.options.max_distance,
        }
    }

    /// Takes a body if it is near enough; the new limit.
    fn add(&mut self, new: Nearest<D>) -> f64 {
        let order = |nearest: &Nearest<D>| Pair { i: nearest.body, j: 0, shift: nearest.shift };
        let place = self.kept.partition_point(|kept| {
            kept.distance < new.distance || (kept.distance == new.distance && order(kept) < order(&new))
        });
        // Written so that no distance is nearer than NaN.
        let is_near = new.distance < self.options.max_distance && place < self.options.count;
        let other_image = match self.options.images {
            true => None,
            false => self.kept.iter().position(|kept| kept.body == new.body),
        };
        if is_near && other_image.is_none_or(|other| place <= other) {
            if let Some(other) = other_image {
                self.kept.remove(other);
            }
            self.kept.insert(place, new);
            self.kept.truncate(self.options.count);
        }
        self.limit()
    }
}
