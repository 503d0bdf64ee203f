//! A hierarchical grid for one body at a time: the papers' own form, a hash of occupied cells.

mod cells;
mod check;
mod level;
mod sizes;
#[cfg(test)]
mod tests;

use cells::NOBODY;
use level::{CandidateBody, CellVisitor, LivingBody, LivingLevel};
use multigrain::grid::{CellAxis, HashIndex, hash_id};
use multigrain::overlap::{contact_vector, reach, touches};
use multigrain::{Domain, Error, Levels, Sphere};

/// Bodies that come, go, move and grow one at a time, each change in O(1), and the question which of them touch a sphere
/// or a box.
///
/// Bodies have ids of the caller's choice. Memory is O(number of bodies), whatever their extent. In a periodic domain
/// bodies may lie outside the box; they stand for all their images. A body too large for the coarsest level opens a
/// coarser one, and where bodies far smaller than their cells crowd, these are cut into finer ones: any mixture of sizes and
/// any way bodies are spread stays fast.
///
/// ```
/// use multigrain::{Domain, Levels};
/// use multigrain_living_grid::LivingGrid;
/// let mut grid = LivingGrid::new(Levels::from_cell_sizes(&[3.0, 8.0])?, Domain::open())?;
/// grid.insert(7, [10.3, 14.4], 4.0)?;
/// grid.insert(8, [14.0, 14.0], 1.5)?;
/// let mut touching = Vec::new();
/// grid.touching_sphere([15.0, 15.0], 0.5, |id, _| touching.push(id))?;
/// assert_eq!(touching, [8]);
/// grid.move_to(7, [11.0, 14.4])?;
/// grid.resize(7, 3.0)?;
/// grid.remove(8)?;
/// assert_eq!(grid.len(), 1);
/// # Ok::<(), multigrain::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LivingGrid<const D: usize> {
    domain: Domain<D>,
    /// The given levels from fine to coarse, then those opened for larger bodies, in the order they were needed.
    levels: Vec<LivingLevel<D>>,
    /// How many levels were given.
    given: usize,
    bodies: Vec<LivingBody<D>>,
    /// Unused places among the bodies, linked by `next`.
    free: u32,
    by_id: HashIndex,
    len: usize,
    /// Largest magnitude of a coordinate along each axis so far: it bounds the rounding of wrapped coordinates.
    farthest: [f64; D],
}

impl<const D: usize> LivingGrid<D> {
    /// An empty grid. Along periodic axes cells are stretched so that a whole number of them fills the box.
    pub fn new(levels: Levels, domain: Domain<D>) -> Result<Self, Error> {
        if domain.is_sheared() {
            return Err(Error::Sheared { what: "the living grid" });
        }
        let levels: Vec<_> = levels
            .as_slice()
            .iter()
            .map(|level| LivingLevel::new(level.max_radius, axes_of(&domain, level.cell_size)))
            .collect();
        Ok(Self {
            domain,
            given: levels.len(),
            levels,
            bodies: Vec::new(),
            free: NOBODY,
            by_id: HashIndex::default(),
            len: 0,
            farthest: [0.0; D],
        })
    }

    /// Adds a body. Fails if one of that id is there, or if a value is not valid; then nothing has changed.
    pub fn insert(&mut self, id: u32, center: [f64; D], radius: f64) -> Result<(), Error> {
        check::center(&self.domain, id, center)?;
        check::radius(&self.domain, id, radius)?;
        if self.find(id).is_some() {
            return Err(Error::AlreadyThere { particle: id });
        }
        if self.len == NOBODY as usize {
            return Err(Error::TooManyParticles { count: self.len + 1 });
        }
        let level = self.level_for(radius);
        let body = LivingBody { center, radius, id, level, tier: 0, wrap: [0; D], next: NOBODY, previous: NOBODY };
        let slot = if self.free == NOBODY {
            self.bodies.push(body);
            self.bodies.len() as u32 - 1
        } else {
            let slot = self.free;
            self.free = self.bodies[slot as usize].next;
            self.bodies[slot as usize] = body;
            slot
        };
        self.by_id.insert(hash_id(id), slot);
        self.len += 1;
        self.place(slot, center);
        self.link(slot);
        Ok(())
    }

    /// Removes a body and returns what it was.
    pub fn remove(&mut self, id: u32) -> Result<Sphere<D>, Error> {
        let slot = self.slot_of(id)?;
        self.unlink(slot);
        self.by_id.remove(hash_id(id), slot);
        self.len -= 1;
        let body = &mut self.bodies[slot as usize];
        body.next = std::mem::replace(&mut self.free, slot);
        Ok(Sphere { center: body.center, radius: body.radius })
    }

    /// Moves a body, over any distance.
    pub fn move_to(&mut self, id: u32, center: [f64; D]) -> Result<(), Error> {
        check::center(&self.domain, id, center)?;
        let slot = self.slot_of(id)?;
        let body = &self.bodies[slot as usize];
        let level = &self.levels[body.level as usize];
        if level.cell_of(body) == level.cell_of(&level.placed(body, center)) {
            self.place(slot, center);
        } else {
            self.unlink(slot);
            self.place(slot, center);
            self.link(slot);
        }
        Ok(())
    }

    /// Changes the radius of a body.
    pub fn resize(&mut self, id: u32, radius: f64) -> Result<(), Error> {
        check::radius(&self.domain, id, radius)?;
        let slot = self.slot_of(id)?;
        let level = self.level_for(radius);
        let body = &mut self.bodies[slot as usize];
        if level != body.level || !self.levels[level as usize].resize(body, radius) {
            self.unlink(slot);
            let body = &mut self.bodies[slot as usize];
            (body.radius, body.level) = (radius, level);
            self.link(slot);
        }
        Ok(())
    }

    /// Center and radius of a body, if it is there.
    pub fn get(&self, id: u32) -> Option<Sphere<D>> {
        let body = &self.bodies[self.find(id)? as usize];
        Some(Sphere { center: body.center, radius: body.radius })
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The space the bodies live in.
    pub fn domain(&self) -> &Domain<D> {
        &self.domain
    }

    /// Visits every body that touches a sphere, with its id and image shift, each image once, in no particular order.
    ///
    /// The vector from the center of the sphere to the image is `(x - center) + shift * L`, with positions as given; the
    /// body touches where that is shorter than the sum of the radii. A body of the grid also touches itself, with shift 0.
    pub fn touching_sphere(
        &self,
        center: [f64; D],
        radius: f64,
        mut visit: impl FnMut(u32, [i32; D]),
    ) -> Result<(), Error> {
        check::query_sphere(&self.domain, center, radius)?;
        let lengths = self.domain.lengths();
        self.visit_near(center, center, radius, |body, shift| {
            if touches(contact_vector(center, body.center, shift, lengths), reach(radius, body.radius, 0.0)) {
                visit(body.id, shift);
            }
        });
        Ok(())
    }

    /// Visits every body that touches the box `lo..hi`, with its id and image shift, each image once, in no particular
    /// order.
    ///
    /// The center of the image is `x + shift * L`; the body touches where its distance to the box is below its radius. A
    /// point (radius 0) touches a box that it lies inside of.
    pub fn touching_box(&self, lo: [f64; D], hi: [f64; D], mut visit: impl FnMut(u32, [i32; D])) -> Result<(), Error> {
        check::query_box(&self.domain, lo, hi)?;
        let lengths = self.domain.lengths();
        self.visit_near(lo, hi, 0.0, |body, shift| {
            if touches_box(lo, hi, body, shift, lengths) {
                visit(body.id, shift);
            }
        });
        Ok(())
    }

    /// Visits every body that may come within `distance` of the box `lo..hi`, with its shift as given, each image once.
    fn visit_near(&self, lo: [f64; D], hi: [f64; D], distance: f64, visit: impl FnMut(&LivingBody<D>, [i32; D])) {
        self.visit_cells(lo, hi, distance, &mut EachBody { bodies: &self.bodies, visit });
    }

    /// Visits every cell that may hold such bodies.
    fn visit_cells(&self, lo: [f64; D], hi: [f64; D], distance: f64, visitor: &mut impl CellVisitor<D>) {
        let domain = &self.domain;
        let farthest = std::array::from_fn(|axis| {
            let borders = domain.lo()[axis].abs().max(domain.hi()[axis].abs());
            borders.max(self.farthest[axis])
        });
        let near = CandidateBody { lo, hi, distance, lengths: domain.lengths(), farthest };
        for level in self.levels.iter().filter(|level| !level.is_empty()) {
            level.visit_near(&near, visitor);
        }
    }

    /// The level for bodies of `radius`: the finest of those given that holds it. Larger bodies get a level of their own
    /// factor of two, opened when it is first needed.
    fn level_for(&mut self, radius: f64) -> u32 {
        let given = self.levels[..self.given].partition_point(|level| level.max_radius < radius);
        if given < self.given {
            return given as u32;
        }
        let coarsest = self.levels[self.given - 1].max_radius;
        let mut max_radius = 2.0 * coarsest;
        while max_radius < radius {
            max_radius *= 2.0;
        }
        let opened = self.levels[self.given..].iter().position(|level| level.max_radius == max_radius);
        let level = self.given + opened.unwrap_or(self.levels.len() - self.given);
        if opened.is_none() {
            self.levels.push(LivingLevel::new(max_radius, axes_of(&self.domain, 2.0 * max_radius)));
        }
        level as u32
    }

    /// Sets the center of a body that is in no cell, or stays in its cell.
    fn place(&mut self, slot: u32, center: [f64; D]) {
        let body = &mut self.bodies[slot as usize];
        *body = self.levels[body.level as usize].placed(body, center);
        for (farthest, x) in self.farthest.iter_mut().zip(center) {
            *farthest = farthest.max(x.abs());
        }
    }

    fn link(&mut self, slot: u32) {
        let level = self.bodies[slot as usize].level as usize;
        self.levels[level].link(&mut self.bodies, slot);
    }

    fn unlink(&mut self, slot: u32) {
        let level = self.bodies[slot as usize].level as usize;
        self.levels[level].unlink(&mut self.bodies, slot);
    }

    fn find(&self, id: u32) -> Option<u32> {
        self.by_id.find(hash_id(id), |slot| self.bodies[slot as usize].id == id)
    }

    fn slot_of(&self, id: u32) -> Result<u32, Error> {
        self.find(id).ok_or(Error::NotThere { particle: id })
    }
}

/// Visits the bodies of cells.
struct EachBody<'a, F, const D: usize> {
    bodies: &'a [LivingBody<D>],
    visit: F,
}

impl<F: FnMut(&LivingBody<D>, [i32; D]), const D: usize> CellVisitor<D> for EachBody<'_, F, D> {
    fn cell(&mut self, first: u32, shift: [i32; D]) {
        let mut slot = first;
        while slot != NOBODY {
            let body = &self.bodies[slot as usize];
            (self.visit)(body, std::array::from_fn(|axis| shift[axis] - body.wrap[axis]));
            slot = body.next;
        }
    }
}

fn axes_of<const D: usize>(domain: &Domain<D>, size: f64) -> [CellAxis; D] {
    std::array::from_fn(|axis| match domain.is_periodic(axis) {
        true => CellAxis::periodic(size, domain.lo()[axis], domain.length(axis)),
        false => CellAxis::unbounded(size),
    })
}

/// Whether the image of a body comes closer to the box than its radius, or is a point inside.
fn touches_box<const D: usize>(
    lo: [f64; D],
    hi: [f64; D],
    body: &LivingBody<D>,
    shift: [i32; D],
    lengths: [f64; D],
) -> bool {
    let image = contact_vector([0.0; D], body.center, shift, lengths);
    if body.radius == 0.0 {
        return (0..D).all(|axis| lo[axis] < image[axis] && image[axis] < hi[axis]);
    }
    let beyond: [f64; D] = std::array::from_fn(|axis| image[axis] - image[axis].clamp(lo[axis], hi[axis]));
    touches(beyond, body.radius)
}
