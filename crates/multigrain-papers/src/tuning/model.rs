//! The papers' cost model of the hierarchical grid (optimal-hgrid, section 3 and appendix).
//!
//! Work per particle is `T = T_cd + K T_ca`: candidate pairs, plus cells looked at times the cost of one, in units of a
//! pair test. The papers sum over pairs of levels. The sum over the partners' levels can be carried out first: all
//! searches of level `j` together look at `X_j = integral of (2 r/s_j + 2)^d f(r) dr` of its cells per particle of the
//! system, over the radii above `s_j/2` (Top-Down) or up to `s_(j-1)/2` (Bottom-Up). So
//!
//! ```text
//! T = K (1 + n_c) + sum over levels h of  N_h/N (1/2 + n_c) m_h + (m_h + K) X_h
//! ```
//!
//! and each term knows only its own level's two borders. Work is the length of a path from the smallest size to the
//! largest, which is what makes the optimal sizes easy to find.

use multigrain::Direction;
use multigrain::Error;
use multigrain::Levels;
use multigrain::limits::{MAX_LENGTH, MIN_LENGTH};
use multigrain::sizes::ball_volume;
use multigrain::tuning::{Distribution, Moments, Side, Split};

/// Work of the hierarchical grid for bodies of given sizes at random places.
///
/// ```
/// use multigrain::{sizes::SizeLaw, tuning::Distribution};
/// use multigrain_papers::tuning::CostModel;
/// let sizes = Distribution::of_law(&SizeLaw::power(-3.0, 20.0)?, 2)?;
/// let model = CostModel::packed(&sizes, 2, 0.4)?;
/// let levels = model.predict(&[4.0, 7.9, 15.1, 27.2, 40.0])?;
/// let linked_cell = model.predict(&[40.0])?;
/// assert_eq!((linked_cell.work / levels.work).round(), 35.0);
/// # Ok::<(), multigrain::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct CostModel<'a> {
    sizes: &'a Distribution,
    dimension: usize,
    space: Space,
    k: f64,
    direction: Direction,
    /// Moments of all radii.
    total: Moments,
}

/// Predicted work of given levels, per particle.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// `T/N = T_cd/N + K T_ca/N`, in units of a pair test (eq. 27).
    pub work: f64,
    /// Candidate pairs, `T_cd/N` (eq. 23, 25).
    pub candidates_per_particle: f64,
    /// Cells looked at, `T_ca/N` (eq. 24, 26).
    pub cells_per_particle: f64,
    /// Bodies per cell of each level, `m_h` (eq. 11).
    pub particles_per_cell: Vec<f64>,
    /// Share of all bodies on each level, `N_h/N` (eq. 9).
    pub share_of_particles: Vec<f64>,
}

/// Cost of looking at a cell over that of testing a pair, for spheres, as the papers found it.
pub const K_OF_SPHERES: f64 = 0.2;

/// The same for `hgrid-cells`. What fits the times of its search best, mapping apart, over numbers of levels, packing fractions and
/// sizes is 14 to 18 (`multigrain reproduce hgrid-overhead`), but the number of levels is not sensitive to it: with any K from 4 to 10 detection
/// takes 3 % longer than with the best levels on average, see docs/decisions/quick-rule.md. The grid itself chooses levels by it, and
/// `tune --k auto` and the experiments use it.
pub const K_OF_HGRID_CELLS: f64 = 7.9;

impl<'a> CostModel<'a> {
    /// Bodies that fill a share `packing_fraction` of an endless space of 2 or 3 dimensions: the papers' form, whatever
    /// the number of bodies. Top-Down, with `K` = [`K_OF_SPHERES`].
    pub fn packed(sizes: &'a Distribution, dimension: usize, packing_fraction: f64) -> Result<Self, Error> {
        check_dimension(dimension)?;
        if !(packing_fraction > 0.0 && packing_fraction <= 1e6) {
            let must = "must be above 0 (and at most 1e6)";
            return Err(Error::Parameter { what: "packing fraction", value: packing_fraction, must });
        }
        let total = sizes.scaled_between(f64::NEG_INFINITY, f64::INFINITY);
        let volume = ball_volume(1.0, dimension) * total[dimension];
        let space = Space::Packed { particles_per_volume: packing_fraction / volume };
        Ok(Self { sizes, dimension, space, k: K_OF_SPHERES, direction: Direction::TopDown, total })
    }

    /// A number of bodies in a box of 2 or 3 axes, with the exact form for few bodies on a level (eq. 12). Cells along a
    /// periodic axis are stretched to fit it a whole number of times. Top-Down, with `K` = [`K_OF_SPHERES`].
    pub fn in_box<const D: usize>(
        sizes: &'a Distribution,
        particles: usize,
        lengths: [f64; D],
        periodic: [bool; D],
    ) -> Result<Self, Error> {
        check_dimension(D)?;
        if particles == 0 {
            return Err(Error::Parameter { what: "number of particles", value: 0.0, must: "must be at least 1" });
        }
        let mut boxed = Boxed { lengths: [1.0; 3], periodic: [false; 3], particles: particles as f64 };
        for axis in 0..D {
            if !(MIN_LENGTH..=2.0 * MAX_LENGTH).contains(&lengths[axis]) {
                return Err(Error::Box { axis, lo: 0.0, hi: lengths[axis] });
            }
            // Boxes far larger than the bodies are all the same to them, and the number of cells must not overflow.
            boxed.lengths[axis] = (lengths[axis] / sizes.unit()).min(LONGEST);
            boxed.periodic[axis] = periodic[axis];
        }
        let total = sizes.scaled_between(f64::NEG_INFINITY, f64::INFINITY);
        let space = Space::Boxed(boxed);
        Ok(Self { sizes, dimension: D, space, k: K_OF_SPHERES, direction: Direction::TopDown, total })
    }

    /// The same with another cost of looking at a cell, in units of a pair test.
    pub fn with_k(self, k: f64) -> Result<Self, Error> {
        if !(0.0..=1e9).contains(&k) {
            let must = "must be between 0 and 1e9";
            return Err(Error::Parameter { what: "K, the cost of a cell over that of a pair test,", value: k, must });
        }
        Ok(Self { k, ..self })
    }

    /// The same in another direction of search between levels.
    pub fn with_direction(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// Sizes of the bodies.
    pub fn sizes(&self) -> &'a Distribution {
        self.sizes
    }

    /// Number of axes, 2 or 3.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Cost of looking at a cell, in units of a pair test.
    pub fn k(&self) -> f64 {
        self.k
    }

    /// Which of two bodies on different levels searches for the other.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Work with levels of the given cell sizes, of which the last must hold the largest body.
    pub fn predict(&self, cell_sizes: &[f64]) -> Result<Prediction, Error> {
        Levels::from_cell_sizes(cell_sizes)?;
        let last = cell_sizes[cell_sizes.len() - 1];
        if last < 2.0 * self.sizes.largest() {
            let must = "must be at least the largest diameter";
            return Err(Error::Parameter { what: "largest cell size", value: last, must });
        }
        let scaled: Vec<f64> = cell_sizes.iter().map(|size| size / self.sizes.unit()).collect();
        Ok(self.predict_scaled(&scaled))
    }

    /// Mean number of cells of size `cell_size` that a body with radius above `from` and up to `to` looks at when it
    /// searches their level: `b(j,h)` of eq. 16. 0 if there are no such bodies.
    pub fn cells_searched(&self, cell_size: f64, from: f64, to: f64) -> f64 {
        let unit = self.sizes.unit();
        let bodies = self.sizes.scaled_between(from / unit, to / unit);
        if bodies[0] > 0.0 { dot(self.searched(cell_size / unit), bodies) / bodies[0] } else { 0.0 }
    }

    /// Bounds of [`cells_searched`](Self::cells_searched) that need no distribution, eq. 17 and 18.
    pub fn cells_searched_bounds(&self, cell_size: f64, from: f64, to: f64) -> (f64, f64) {
        let unit = self.sizes.unit();
        let searched = self.searched(cell_size / unit);
        let at = |radius: f64| {
            let radius = radius / unit;
            dot(searched, [1.0, radius, radius * radius, radius * radius * radius])
        };
        (at(from), at(to))
    }

    /// What a level with cells of `size` would be like. Sizes in the distribution's unit, here and below.
    pub(super) fn rung(&self, size: f64) -> Rung {
        let (split, searched) = (self.split(0.5 * size), self.searched(size));
        let crowding = self.crowding(size);
        let one_per_cell = match &self.space {
            Space::Packed { .. } => 0.0,
            Space::Boxed(boxed) => crowding / boxed.particles,
        };
        Rung { size, split, searched, searched_from_split: dot(searched, split.moments), crowding, one_per_cell }
    }

    /// Bodies per cell of `size` with radii above `from` and up to what the cell holds, `m_h` of eq. 11.
    pub(super) fn bodies_per_cell(&self, from: f64, size: f64) -> f64 {
        self.sizes.scaled_share(from, 0.5 * size) * self.crowding(size)
    }

    /// The rung below all bodies.
    pub(super) fn ground(&self) -> Rung {
        let moments = if self.direction == Direction::TopDown { self.total } else { [0.0; 4] };
        let split = Split { share_below: 0.0, share_above: 1.0, moments };
        Rung { size: 0.0, split, searched: [0.0; 4], searched_from_split: 0.0, crowding: 0.0, one_per_cell: 0.0 }
    }

    /// What the level between two rungs adds to the work.
    pub(super) fn level_work(&self, below: &Rung, level: &Rung) -> f64 {
        let (candidates, cells) = self.level_counts(below, level, below.split.share_up_to(&level.split));
        candidates + self.k * cells
    }

    /// Share of the bodies, or of their volume if that is more, between two rungs.
    pub(super) fn weight_between(&self, below: &Rung, above: &Split) -> f64 {
        let volume = (below.split.moments[self.dimension] - above.moments[self.dimension]).abs();
        below.split.share_up_to(above).max(volume / self.total[self.dimension])
    }

    /// What lies on either side of `radius`.
    pub(super) fn split(&self, radius: f64) -> Split {
        let side = match self.direction {
            Direction::TopDown => Side::Above,
            Direction::BottomUp => Side::Below,
        };
        self.sizes.split(radius, side)
    }

    /// Work that no choice of levels can change: every body looks at its own cell and half of the neighbours.
    pub(super) fn least_work(&self) -> f64 {
        self.k * (1.0 + self.neighbors())
    }

    pub(super) fn predict_scaled(&self, sizes: &[f64]) -> Prediction {
        let mut below = self.ground();
        let mut lower = f64::NEG_INFINITY;
        let (mut candidates, mut cells) = (0.0, 1.0 + self.neighbors());
        let (mut particles_per_cell, mut share_of_particles) = (Vec::new(), Vec::new());
        for &size in sizes {
            let level = self.rung(size);
            let share = self.sizes.scaled_share(lower, 0.5 * size);
            let (level_candidates, level_cells) = self.level_counts(&below, &level, share);
            candidates += level_candidates;
            cells += level_cells;
            particles_per_cell.push(share * level.crowding);
            share_of_particles.push(share);
            (below, lower) = (level, 0.5 * size);
        }
        Prediction {
            work: candidates + self.k * cells,
            candidates_per_particle: candidates,
            cells_per_particle: cells,
            particles_per_cell,
            share_of_particles,
        }
    }

    /// Sizes at which cells fit a periodic axis without a rest, in `from..to`: there the number of cells jumps.
    pub(super) fn sizes_that_fit(&self, from: f64, to: f64) -> Vec<f64> {
        const MAX_CELLS: f64 = 64.0;
        let Space::Boxed(boxed) = &self.space else { return vec![] };
        let axes = (0..self.dimension).filter(|&axis| boxed.periodic[axis]).map(|axis| boxed.lengths[axis]);
        axes.flat_map(|length| {
            let most = (length / from).floor().min(MAX_CELLS) as u32;
            // A little less than the fraction itself, or rounding might lose a cell.
            (1..=most).map(move |cells| length / f64::from(cells) * (1.0 - 4.0 * f64::EPSILON))
        })
        .filter(|size| (from..to).contains(size))
        .collect()
    }

    /// Candidates on a level, found within it and by searches from other levels, and cells of it looked at by those.
    fn level_counts(&self, below: &Rung, level: &Rung, share: f64) -> (f64, f64) {
        let per_cell = share * level.crowding;
        let in_own_cell = 0.5 * (per_cell - level.one_per_cell).max(0.0);
        let searched = match self.direction {
            Direction::TopDown => level.searched_from_split,
            Direction::BottomUp => dot(level.searched, below.split.moments),
        };
        (share * (in_own_cell + self.neighbors() * per_cell) + per_cell * searched, searched)
    }

    /// Bodies per cell of `size` if all bodies were on one level.
    fn crowding(&self, size: f64) -> f64 {
        match &self.space {
            Space::Packed { particles_per_volume } => particles_per_volume * size.powi(self.dimension as i32),
            Space::Boxed(boxed) => {
                let cells: f64 = (0..self.dimension).map(|axis| boxed.cells(axis, size)).product();
                boxed.particles / cells
            }
        }
    }

    /// `n_c`: half of the neighbouring cells.
    fn neighbors(&self) -> f64 {
        0.5 * (3f64.powi(self.dimension as i32) - 1.0)
    }

    /// Coefficients, by powers of its radius, of the number of cells that a body looks at on a level of `size`.
    ///
    /// Along an axis with cells of length c its range, of length `2 r + size`, touches `(2 r + size)/c + 1` of them in
    /// the mean (eq. 55); with c = size this is `2 r/size + 2`.
    fn searched(&self, size: f64) -> Moments {
        let mut product = [1.0, 0.0, 0.0, 0.0];
        for axis in 0..self.dimension {
            let cell = match &self.space {
                Space::Packed { .. } => size,
                Space::Boxed(boxed) => boxed.cell(axis, size),
            };
            let (constant, slope) = (size / cell + 1.0, 2.0 / cell);
            for k in (0..=axis).rev() {
                product[k + 1] += product[k] * slope;
                product[k] *= constant;
            }
        }
        product
    }
}

/// A possible level: all that its cost needs to know of its cell size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rung {
    pub size: f64,
    pub split: Split,
    searched: Moments,
    /// Cells that the bodies on the split's side would look at.
    searched_from_split: f64,
    /// Bodies per cell if all bodies were on this level.
    crowding: f64,
    /// What one body adds to the bodies per cell; 0 where their number does not matter.
    one_per_cell: f64,
}

/// Longest box, in the distribution's unit.
const LONGEST: f64 = 1e12;

#[derive(Debug, Clone, Copy)]
enum Space {
    Packed { particles_per_volume: f64 },
    Boxed(Boxed),
}

#[derive(Debug, Clone, Copy)]
struct Boxed {
    lengths: [f64; 3],
    periodic: [bool; 3],
    particles: f64,
}

impl Boxed {
    /// Number of cells of at least `size` along an axis; a fraction where the last one sticks out of the box.
    fn cells(&self, axis: usize, size: f64) -> f64 {
        (self.lengths[axis] / self.cell(axis, size)).max(1.0)
    }

    /// Length of cells of at least `size` along an axis.
    fn cell(&self, axis: usize, size: f64) -> f64 {
        let length = self.lengths[axis];
        if self.periodic[axis] { length / (length / size).floor().max(1.0) } else { size }
    }
}

fn dot(a: Moments, b: Moments) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

fn check_dimension(dimension: usize) -> Result<(), Error> {
    if matches!(dimension, 2 | 3) {
        return Ok(());
    }
    Err(Error::Parameter { what: "dimension", value: dimension as f64, must: "must be 2 or 3" })
}
