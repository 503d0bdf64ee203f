//! The fast grid's own cost model: it pays per body, per search of another level, per row of cells looked up and per
//! vector of eight candidates tested, not per cell.
//!
//! A search of another level looks at all rows that a ball of radius `a` touches, each clipped to the ball and rounded to
//! whole cells. For a ball at a random place these are, in the mean, the cells of a brick blown up by `a` (Steiner's
//! formula): with cells `x` by `y` by `z`
//!
//! ```text
//! rows       = (y z + 2 a (y + z) + pi a^2) / (y z)
//! candidates = (x y z + 2 a (x y + y z + z x) + pi a^2 (x + y + z) + 4/3 pi a^3) times bodies per volume
//! ```
//!
//! Both are polynomials in the radius of the searching body, so moments of the sizes are all that a level needs to know of
//! the others, as in the papers' model.

use crate::detector::Direction;
use crate::error::Error;
use crate::grid::{DenseCells, FULL_VECTOR};
use crate::levels::Levels;
use crate::limits::{MAX_LENGTH, MIN_LENGTH};
use multigrain_sizes::{Distribution, Moments, Side};
use std::f64::consts::PI;
use std::ops::{AddAssign, Mul};

/// Bodies tested at once.
const LANES: f64 = 8.0;

/// Work of the fast grid, `hgrid`, for bodies of given sizes at random places in a box. Half the margin belongs to a radius.
///
/// ```
/// use multigrain::{Levels, sizes::SizeLaw, tuning::{Distribution, RowModel}};
/// let sizes = Distribution::of_law(&SizeLaw::power(-3.0, 100.0)?, 3)?;
/// let model = RowModel::in_box(&sizes, 1_000_000, [350.0; 3], [true; 3])?;
/// let three = model.predict(&Levels::from_cell_sizes(&[10.0, 45.0, 200.0])?);
/// let one = model.predict(&Levels::from_cell_sizes(&[200.0])?);
/// assert!(three.work.candidates < one.work.candidates / 100.0);
/// # Ok::<(), multigrain::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct RowModel<'a, const D: usize> {
    sizes: &'a Distribution,
    particles: f64,
    /// Of the space that the bodies are in, in the unit of `sizes`.
    lengths: [f64; D],
    periodic: [bool; D],
    /// Share of that space in which there are bodies.
    filled: f64,
    direction: Direction,
}

/// Predicted work of given levels.
#[derive(Debug, Clone, PartialEq)]
pub struct RowPrediction {
    /// Work per particle.
    pub work: RowWork,
    /// Cell size of each level as laid out, along the last axis.
    pub cell_sizes: Vec<f64>,
    /// Share of all bodies on each level.
    pub share_of_particles: Vec<f64>,
}

/// Work of the fast grid, per particle of the system.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RowWork {
    /// Searches of other levels, and of images of a level.
    pub searches: f64,
    /// Rows of cells looked up: what `hgrid` counts as cells.
    pub rows: f64,
    /// Those of them on other levels, or of images.
    pub other_rows: f64,
    /// Vectors of eight candidates tested quickly: the first one or two of every row of the own level.
    pub quick_vectors: f64,
    /// Other vectors of eight candidates tested.
    pub vectors: f64,
    /// Bodies with more neighbours in a row of their own level than the quick search tests: a share, as the processor feels it.
    pub left_over: f64,
    /// Candidates tested.
    pub candidates: f64,
    /// Cells of the array over all cells, in all.
    pub index_cells: f64,
}

impl AddAssign for RowWork {
    fn add_assign(&mut self, other: Self) {
        self.searches += other.searches;
        self.rows += other.rows;
        self.other_rows += other.other_rows;
        self.quick_vectors += other.quick_vectors;
        self.vectors += other.vectors;
        self.left_over += other.left_over;
        self.candidates += other.candidates;
        self.index_cells += other.index_cells;
    }
}

impl<'a, const D: usize> RowModel<'a, D> {
    /// A number of bodies in a box, of which axes may be periodic. Top-Down.
    pub fn in_box(
        sizes: &'a Distribution,
        particles: usize,
        lengths: [f64; D],
        periodic: [bool; D],
    ) -> Result<Self, Error> {
        if particles == 0 {
            return Err(Error::Parameter { what: "number of particles", value: 0.0, must: "must be at least 1" });
        }
        if let Some(axis) = (0..D).find(|&axis| !(MIN_LENGTH..=2.0 * MAX_LENGTH).contains(&lengths[axis])) {
            return Err(Error::Box { axis, lo: 0.0, hi: lengths[axis] });
        }
        let lengths = lengths.map(|length| length / sizes.unit());
        let (particles, direction) = (particles as f64, Direction::TopDown);
        Ok(Self { sizes, particles, lengths, periodic, filled: 1.0, direction })
    }

    /// The same in another direction of search between levels.
    pub fn with_direction(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// The same bodies crowded into a share of the box, above 0 and up to 1.
    pub fn with_filled_share(self, filled: f64) -> Result<Self, Error> {
        if !(filled > 0.0 && filled <= 1.0) {
            let must = "must be above 0 and at most 1";
            return Err(Error::Parameter { what: "filled share of the box", value: filled, must });
        }
        Ok(Self { filled, ..self })
    }

    /// Work with given levels. Bodies too large for every level go to the coarsest, which grows.
    pub fn predict(&self, levels: &Levels) -> RowPrediction {
        let unit = self.sizes.unit();
        let levels = levels.clone().grown_to(self.sizes.largest());
        let mut dense = DenseCells::new(self.particles);
        let mut laid_out = Vec::with_capacity(levels.as_slice().len());
        let mut lower = f64::NEG_INFINITY;
        for level in levels.as_slice() {
            let radius = (level.max_radius / unit).min(self.sizes.scaled_largest());
            let size = (level.cell_size / unit).max(2.0 * radius);
            let (grid, columns) = dense.next([0.0; D], self.lengths, [size; D]);
            let cells = Cells { sizes: grid.sizes, columns: f64::from(columns) };
            laid_out.push(LaidOut { lower, radius, cells, bodies: self.sizes.scaled_between(lower, radius) });
            lower = radius;
            if radius >= self.sizes.scaled_largest() {
                break;
            }
        }
        let mut work = RowWork::default();
        for level in &laid_out {
            work += self.level(level.radius, &level.cells, level.bodies, self.searching(level.lower, level.radius));
        }
        RowPrediction {
            work,
            cell_sizes: laid_out.iter().map(|level| level.cells.sizes[D - 1] * unit).collect(),
            share_of_particles: laid_out.iter().map(|level| level.bodies[0]).collect(),
        }
    }

    /// Number of bodies.
    pub(super) fn particles(&self) -> f64 {
        self.particles
    }

    /// Sizes of the bodies.
    pub(super) fn sizes(&self) -> &'a Distribution {
        self.sizes
    }

    /// Which of two bodies on different levels searches for the other.
    pub(super) fn direction(&self) -> Direction {
        self.direction
    }

    /// Rows that a body looks up on its own level.
    pub(super) fn own_rows(&self) -> f64 {
        if D == 2 { 2.0 } else { 5.0 }
    }

    /// Size of cells of which each holds one body, where there are bodies, of a level with a share of all bodies.
    pub(super) fn size_for_one(&self, share: f64) -> f64 {
        let volume = self.filled * self.lengths.iter().product::<f64>();
        root::<D>(volume / (share * self.particles))
    }

    /// Cells of a level about as they will be laid out, other levels unknown.
    pub(super) fn cells(&self, size: f64, is_finest: bool) -> Cells<D> {
        let all = self.lengths.iter().map(|length| length / size + 1.0).product::<f64>();
        let most = self.particles * if is_finest { 1.25 } else { 0.6 } + 64.0;
        let grown = (all / most).max(1.0);
        let mut sizes = [size * root::<D>(grown); D];
        let columns = if is_finest { (self.particles * grown / all).clamp(1.0, 4.0).floor() } else { 1.0 };
        sizes[0] /= columns;
        Cells { sizes, columns }
    }

    /// Moments of the bodies that search a level for radii above `lower` and up to `upper`.
    pub(super) fn searching(&self, lower: f64, upper: f64) -> Moments {
        match self.direction {
            Direction::TopDown => self.sizes.split(upper, Side::Above).moments,
            Direction::BottomUp => self.sizes.split(lower, Side::Below).moments,
        }
    }

    /// What a level costs, for radii up to `radius`: `bodies` are on it, `searching` search it from other levels. In the
    /// unit of the sizes.
    pub(super) fn level(&self, radius: f64, cells: &Cells<D>, bodies: Moments, searching: Moments) -> RowWork {
        let share = bodies[0];
        let on_level = share * self.particles;
        let index_cells: f64 = (0..D).map(|axis| (self.lengths[axis] / cells.sizes[axis]).max(0.0) + 1.0).product();
        let mut work = RowWork { index_cells: index_cells / self.particles, ..RowWork::default() };
        if share == 0.0 {
            // Nobody searches a level without bodies.
            return work;
        }
        // Within the level: the rest of the own row, and the later half of the rows around it.
        let near: f64 = (0..D)
            .map(|axis| {
                let along = AxisCells { length: self.lengths[axis], size: cells.sizes[axis] };
                along.share_of_near(if axis == 0 { cells.columns } else { 1.0 })
            })
            .product();
        let own_rows = self.own_rows();
        let candidates = 0.5 * (on_level - 1.0).max(0.0) * near / self.filled;
        work.rows += share * own_rows;
        work.candidates += share * candidates;
        let own = OwnRow { bodies: candidates / own_rows };
        let (quick, more) = (f64::from(own.quick_vectors()), own.chance_of_more());
        work.quick_vectors += share * own_rows * quick;
        work.vectors += share * own_rows * (vectors(own.bodies) - quick).max(more);
        // Where every body is left over, the processor foresees it and it costs half.
        let left_over = 1.0 - (1.0 - more).powi(own_rows as i32);
        work.left_over += share * left_over * (1.0 - 0.5 * left_over);
        // Its images: a half, as partners do the other half.
        let density = on_level / self.filled;
        if self.periodic.contains(&true) {
            work += self.search(radius, cells, bodies, density).images() * 0.5;
        }
        // From other levels.
        let others = self.search(radius, cells, searching, density);
        work += others.home;
        work += others.images();
        work
    }

    /// All searches of a level with cells `cells` and radii up to `radius` by bodies with given moments.
    fn search(&self, radius: f64, cells: &Cells<D>, searching: Moments, bodies: f64) -> Searches {
        if searching[0] <= 0.0 {
            return Searches::default();
        }
        // Moments of the distance within which the bodies touch those of the level.
        let [m0, m1, m2, m3] = searching;
        let reach = [
            m0,
            m1 + radius * m0,
            m2 + radius * (2.0 * m1 + radius * m0),
            m3 + radius * (3.0 * m2 + radius * (3.0 * m1 + radius * m0)),
        ];
        let [x, y] = [cells.sizes[0], cells.sizes[1]];
        let z = if D == 2 { 1.0 } else { cells.sizes[D - 1] };
        let rows: Moments = match D {
            2 => [1.0, 2.0 / y, 0.0, 0.0],
            _ => [1.0, 2.0 / y + 2.0 / z, PI / (y * z), 0.0],
        };
        let volume: Moments = match D {
            2 => [x * y, 2.0 * (x + y), PI, 0.0],
            _ => [x * y * z, 2.0 * (x * y + y * z + z * x), PI * (x + y + z), 4.0 / 3.0 * PI],
        };
        let per_volume = bodies / self.lengths.iter().product::<f64>();
        let all_rows = dot(rows, reach);
        let all_candidates = dot(volume, reach) * per_volume;
        // What borders change, by a typical search, weighted by the rows it looks at.
        let typical = reach[D] / reach[D - 1];
        let (mut home_rows, mut seen_rows) = (all_rows, all_rows);
        let (mut home_candidates, mut seen_candidates) = (all_candidates, all_candidates);
        for axis in 0..D {
            let cells = AxisCells { length: self.lengths[axis], size: cells.sizes[axis] };
            if axis > 0 {
                let reach = if D == 2 { typical } else { typical * ROUND };
                let endless = 2.0 * reach / cells.size + 1.0;
                let home = cells.touched(reach) / endless;
                home_rows *= home;
                seen_rows *= if self.periodic[axis] { cells.touched_with_images(reach) / endless } else { home };
            }
            let reach = typical * ROUND * ROUND;
            let endless = 2.0 * reach + cells.size;
            let home = cells.length_touched(reach) / endless;
            home_candidates *= home;
            seen_candidates *=
                if self.periodic[axis] { cells.length_touched_with_images(reach) / endless } else { home };
        }
        let mut images = 0.0;
        if self.periodic[0] {
            // A row that the border cuts is looked up on both sides, and at least its last cell is tested.
            let cut = 2.0 / self.lengths[0] * dot([0.0, rows[0], rows[1], rows[2]], reach);
            seen_rows += cut;
            seen_candidates += cut / 3.0 * x * y * z * per_volume;
        }
        for axis in (0..D).filter(|&axis| self.periodic[axis]) {
            images += 2.0 * reach[1] / self.lengths[axis];
        }
        Searches {
            home: RowWork::of_rows(reach[0], home_rows, home_candidates),
            seen: RowWork::of_rows(reach[0] + images, seen_rows, seen_candidates),
        }
    }
}

/// Half the mean width of a disc over its radius.
const ROUND: f64 = PI / 4.0;

/// Cells of a level as laid out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cells<const D: usize> {
    /// Along each axis.
    pub sizes: [f64; D],
    /// Cells along x that are as long as a cell along the other axes.
    pub columns: f64,
}

/// A level over the bodies.
struct LaidOut<const D: usize> {
    /// Radii above this.
    lower: f64,
    /// And up to this.
    radius: f64,
    cells: Cells<D>,
    bodies: Moments,
}

/// Searches of one level by others.
#[derive(Debug, Clone, Copy, Default)]
struct Searches {
    /// Of bodies as stored.
    home: RowWork,
    /// Of bodies as stored and of their images.
    seen: RowWork,
}

impl Searches {
    fn images(&self) -> RowWork {
        let rest = |seen: f64, home: f64| (seen - home).max(0.0);
        RowWork {
            searches: rest(self.seen.searches, self.home.searches),
            rows: rest(self.seen.rows, self.home.rows),
            other_rows: rest(self.seen.other_rows, self.home.other_rows),
            quick_vectors: 0.0,
            vectors: rest(self.seen.vectors, self.home.vectors),
            left_over: 0.0,
            candidates: rest(self.seen.candidates, self.home.candidates),
            index_cells: 0.0,
        }
    }
}

impl RowWork {
    fn of_rows(searches: f64, rows: f64, candidates: f64) -> Self {
        let vectors = if rows > 0.0 { rows * vectors(candidates / rows) } else { 0.0 };
        Self { searches, rows, other_rows: rows, vectors, candidates, ..Self::default() }
    }
}

impl Mul<f64> for RowWork {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self {
            searches: self.searches * factor,
            rows: self.rows * factor,
            other_rows: self.other_rows * factor,
            quick_vectors: self.quick_vectors * factor,
            vectors: self.vectors * factor,
            left_over: self.left_over * factor,
            candidates: self.candidates * factor,
            index_cells: self.index_cells * factor,
        }
    }
}

/// A row that a body looks up on its own level.
struct OwnRow {
    /// On average.
    bodies: f64,
}

impl OwnRow {
    /// Vectors of every row that are tested quickly.
    fn quick_vectors(&self) -> u32 {
        if self.bodies > FULL_VECTOR { 2 } else { 1 }
    }

    /// The chance that a row holds more bodies than are tested quickly, if these lie anywhere.
    fn chance_of_more(&self) -> f64 {
        let mut term = (-self.bodies).exp();
        let mut up_to = term;
        for k in 1..=self.quick_vectors() * LANES as u32 {
            term *= self.bodies / f64::from(k);
            up_to += term;
        }
        (1.0 - up_to).max(0.0)
    }
}

/// Mean number of vectors that a row takes if it holds this many bodies on average: one at least, else filled ones and one
/// that is not.
fn vectors(bodies: f64) -> f64 {
    const SOFT: f64 = 0.03;
    let beyond_one = (bodies + 3.5) / LANES - 1.0;
    1.0 + 0.5 * (beyond_one + (beyond_one * beyond_one + SOFT).sqrt())
}

/// Cells along an axis, the last of which may stick out of the box.
#[derive(Debug, Clone, Copy)]
struct AxisCells {
    length: f64,
    size: f64,
}

impl AxisCells {
    fn count(&self) -> f64 {
        (self.length / self.size).floor() + 1.0
    }

    /// What of the last cell is inside the box.
    fn last(&self) -> f64 {
        (self.length - (self.count() - 1.0) * self.size).max(0.0)
    }

    /// The chance that two random places lie at most `reach` cells apart.
    fn share_of_near(&self, reach: f64) -> f64 {
        let count = self.count();
        if count <= reach + 1.0 {
            return 1.0;
        }
        let (full, last) = (self.size / self.length, self.last() / self.length);
        let same = (count - 1.0) * full * full + last * last;
        let steps = reach * (count - 1.0) - reach * (reach + 1.0) / 2.0;
        same + 2.0 * (steps * full * full + reach * full * last)
    }

    /// Mean number of cells within `reach` of a random place.
    fn touched(&self, reach: f64) -> f64 {
        let [below, above] = self.lost(reach);
        ((self.length + 2.0 * reach * self.count() - below - above - reach) / self.length).max(1.0).min(self.count())
    }

    /// The same if the box repeats itself.
    fn touched_with_images(&self, reach: f64) -> f64 {
        1.0 + 2.0 * reach * self.count() / self.length
    }

    /// Mean length, inside the box, of all cells within `reach` of a random place.
    fn length_touched(&self, reach: f64) -> f64 {
        let [below, above] = self.lost(reach);
        let lost = self.size * (below + above) + self.last() * reach;
        (self.length_touched_with_images(reach) - lost / self.length).max(0.0).min(self.length)
    }

    /// The same if the box repeats itself.
    fn length_touched_with_images(&self, reach: f64) -> f64 {
        let (full, last) = (self.size, self.last());
        ((self.count() - 1.0) * full * full + last * last) / self.length + 2.0 * reach
    }

    /// By how much the cells near either border, the last one apart, could have been touched from beyond it.
    fn lost(&self, reach: f64) -> [f64; 2] {
        let sum = |reach: f64| {
            let cells = (reach / self.size).ceil().max(0.0).min(self.count() - 1.0);
            cells * reach - self.size * cells * (cells - 1.0) / 2.0
        };
        [sum(reach), sum(reach - self.last())]
    }
}

/// Edge of a square or cube of a given area or volume.
pub(super) fn root<const D: usize>(volume: f64) -> f64 {
    if D == 2 { volume.sqrt() } else { volume.cbrt() }
}

fn dot(a: Moments, b: Moments) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}
