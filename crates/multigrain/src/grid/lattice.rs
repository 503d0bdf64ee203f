//! Bodies brought into a periodic cell, and their images as a place sees them.

use crate::domain::{Cell, Reduced};
use crate::grid::ShiftRange;
use crate::snapshot::Snapshot;

/// Bodies brought into a periodic cell, sheared or not.
#[derive(Debug, Clone)]
pub struct Lattice<const D: usize> {
    reduced: Reduced<D>,
    homes: Vec<[f64; D]>,
    wraps: Vec<[i32; D]>,
    /// Bound on the rounding of places of bodies.
    slack: f64,
    /// How far from the origin bodies were given.
    far: f64,
}

impl<const D: usize> Lattice<D> {
    /// None in open space.
    pub fn of(now: &Snapshot<'_, D>) -> Option<Self> {
        let domain = now.domain();
        if !domain.has_images() {
            return None;
        }
        let periodic = std::array::from_fn(|k| domain.is_periodic(k));
        let cell = match domain.cell() {
            Some(cell) => *cell,
            None => Cell::new(domain.lo(), domain.edges(), periodic).ok()?,
        };
        let reduced = cell.reduced();
        let slack = now.cell_slack(&cell);
        let mut lattice = Self {
            reduced,
            homes: Vec::with_capacity(now.len()),
            wraps: Vec::new(),
            slack,
            far: now.farthest_from(&cell),
        };
        for &center in now.centers() {
            let (home, wrap) = lattice.wrap(center);
            lattice.homes.push(home);
            lattice.wraps.push(wrap);
        }
        Some(lattice)
    }

    /// The cell with short edges.
    pub(crate) fn cell(&self) -> &Cell<D> {
        &self.reduced.cell
    }

    /// Short edges that brought a body into the cell.
    pub(crate) fn wrap_of(&self, body: usize) -> [i32; D] {
        self.wraps[body]
    }

    /// A bound on the rounding of distances between images of bodies.
    pub(crate) fn slack_of_bodies(&self) -> f64 {
        self.slack
    }

    /// No body is further from the origin of the cell.
    pub(crate) fn farthest(&self) -> f64 {
        self.far
    }

    /// Where bodies lie in the cell.
    pub fn homes(&self) -> &[[f64; D]] {
        &self.homes
    }

    /// A point brought into the cell, and the short edges that did it.
    pub fn wrap(&self, point: [f64; D]) -> ([f64; D], [i32; D]) {
        let wrap = self.reduced.cell.edges_away(point);
        let back = self.reduced.cell.translation(wrap);
        (std::array::from_fn(|axis| point[axis] - back[axis]), wrap)
    }

    /// Bound on the rounding of distances from a point.
    pub fn slack(&self, point: [f64; D]) -> f64 {
        let along = (0..D).filter(|&axis| self.reduced.cell.is_periodic_along(axis));
        let far = along.map(|axis| point[axis].abs()).fold(0.0, f64::max);
        self.slack + 64.0 * f64::EPSILON * far
    }

    /// All shifts, in short edges, by which images of bodies may come within `distance` of a point in the cell.
    pub fn images_within(&self, home: [f64; D], distance: f64) -> ShiftRange<D> {
        let cell = &self.reduced.cell;
        let fractions = cell.fractions(home);
        let mut range = ShiftRange { first: [0; D], last: [0; D] };
        for k in 0..D {
            let spanned = cell.spanned(k, distance);
            if cell.spanned(k, 1.0) > 0.0 {
                let spanned = spanned + self.blur(k);
                range.first[k] = (fractions[k] - 1.0 - spanned).ceil() as i32;
                range.last[k] = (fractions[k] + spanned).floor() as i32;
            }
        }
        range
    }

    /// The distance of a point from all bodies along axes that no periodic edge has a part in: images are no nearer.
    pub fn distance_across(&self, point: [f64; D], lo: [f64; D], hi: [f64; D]) -> f64 {
        let open = (0..D).filter(|&axis| !self.reduced.cell.is_periodic_along(axis));
        let outside = open.map(|axis| (lo[axis] - point[axis]).max(point[axis] - hi[axis]).max(0.0));
        outside.map(|x| x * x).sum::<f64>().sqrt() * (1.0 - 1e-12)
    }

    /// How far outside the cell rounding may put a body, or a point as far away, in edges.
    fn blur(&self, k: usize) -> f64 {
        1e-9 + 128.0 * f64::EPSILON * self.reduced.cell.spanned(k, self.far)
    }

    /// All shifts of up to this many short edges along each that is periodic.
    pub fn ring(&self, rings: i32) -> ShiftRange<D> {
        let reach = std::array::from_fn(|k| if self.reduced.cell.spanned(k, 1.0) > 0.0 { rings } else { 0 });
        ShiftRange { first: reach.map(|reach: i32| -reach), last: reach }
    }

    /// The point from which images by `shift` look like the bodies at home.
    pub fn seen_from(&self, home: [f64; D], shift: [i32; D]) -> [f64; D] {
        let way = self.reduced.cell.translation(shift);
        std::array::from_fn(|axis| home[axis] - way[axis])
    }

    /// The shift to report, in given edges, of a body found with `shift` from a point brought home by `wrap`.
    pub fn reported(&self, wrap: [i32; D], body: u32, shift: [i32; D]) -> [i32; D] {
        let own = self.wraps[body as usize];
        self.reduced.in_given_edges(std::array::from_fn(|k| shift[k] - own[k] + wrap[k]))
    }
}
