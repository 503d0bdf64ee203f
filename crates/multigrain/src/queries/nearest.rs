//! The bodies nearest to a point.

use super::Queries;
use crate::pairs::Pair;

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

pub(super) fn nearest<const D: usize>(
    queries: &Queries<'_, D>,
    point: [f64; D],
    count: usize,
    to: DistanceTo,
) -> Vec<Nearest<D>> {
    let mut best = Best { kept: Vec::with_capacity(count.min(1024) + 1), count };
    if count == 0 || queries.now.is_empty() {
        return Vec::new();
    }
    let to_surface = to == DistanceTo::Surface;
    let own = |body: u32| if to_surface { queries.now.radii()[body as usize] } else { 0.0 };
    let Some(lattice) = &queries.lattice else {
        queries.tree.visit_by_distance(point, to_surface, f64::INFINITY, |body, distance| {
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
            let vector = queries.vector_to(point, super::Hit { body, shift });
            let distance = vector.iter().map(|x| x * x).sum::<f64>().sqrt() - own(body);
            best.add(Nearest { body, shift, distance }) + slack
        });
    };
    // Ring by ring of images, until there are enough.
    let mut seen = lattice.ring(0);
    look(&mut best, [0; D]);
    while best.limit() == f64::INFINITY {
        let ring = lattice.ring(seen.last.into_iter().max().unwrap_or(0) + 1);
        ring.iter().filter(|&shift| !seen.contains(shift)).for_each(|shift| look(&mut best, shift));
        seen = ring;
    }
    // Then all others that may hold something nearer.
    let limit = best.limit() + largest + slack;
    let along = (limit * limit - across * across).max(0.0).sqrt() + slack;
    let near = lattice.images_within(home, along);
    near.iter().filter(|&shift| !seen.contains(shift)).for_each(|shift| look(&mut best, shift));
    best.kept
}

/// The nearest found so far, sorted.
struct Best<const D: usize> {
    kept: Vec<Nearest<D>>,
    count: usize,
}

impl<const D: usize> Best<D> {
    /// Distance beyond which nothing is wanted.
    fn limit(&self) -> f64 {
        if self.kept.len() < self.count { f64::INFINITY } else { self.kept[self.count - 1].distance }
    }

    /// Takes a body if it is near enough; the new limit.
    fn add(&mut self, new: Nearest<D>) -> f64 {
        let order = |nearest: &Nearest<D>| Pair { i: nearest.body, j: 0, shift: nearest.shift };
        let place = self.kept.partition_point(|kept| {
            kept.distance < new.distance || (kept.distance == new.distance && order(kept) < order(&new))
        });
        if place < self.count {
            self.kept.insert(place, new);
            self.kept.truncate(self.count);
        }
        self.limit()
    }
}
