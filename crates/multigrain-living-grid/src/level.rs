//! One level of a living grid: its occupied cells and the lists of bodies in them.
//!
//! The cells of a level come in tiers. The first tier has the cells that were asked for. Where one of them crowds, its small
//! bodies move to cells of a quarter of the size, and so on: however small and close bodies are, no list of bodies that do
//! not touch gets long. Coarser tiers hold no bodies, but mark where there are some: so a query that is large compared with
//! the cells passes over empty space.

use crate::cells::{CHILDREN_BITS, Cell, LivingCells, NOBODY, bit_of, bits_within, child_of, parent_of};
use crate::sizes::{SizeClasses, bound_of, class_of};
use multigrain::grid::{CellAxis, ShiftRange, Span, translation_along};
use multigrain::limits::MIN_CELL;
use multigrain::overlap::reach;

/// Bodies in a cell from which on those that fit finer cells may move there.
const MIN_CROWD: u32 = 16;

/// Cells of the coarsest tier, at most: a query may look through all of them.
const MAX_COARSEST: usize = 512;

/// Where there are more, coarser tiers are added until this many are left.
const FEW_COARSEST: usize = 64;

/// Coarser tiers, at most: then one cell is all there is.
const MAX_COARSER: usize = 30;

/// Finest cells along a periodic axis, at most.
const MAX_PER_PERIOD: i64 = 1 << 58;

/// Cells that a query looks up one by one, at most, rather than begin with coarser ones.
const MAX_LOOKED_UP: f64 = 64.0;

/// A body and its links to the others of its cell.
#[derive(Debug, Clone)]
pub(super) struct LivingBody<const D: usize> {
    /// As given.
    pub center: [f64; D],
    pub radius: f64,
    pub id: u32,
    pub level: u32,
    /// Tier of its cell: 0 where cells are as asked for.
    pub tier: u32,
    /// Periods between the center as given and as stored in the box.
    pub wrap: [i32; D],
    pub next: u32,
    pub previous: u32,
}

/// The occupied cells of one level. A cell without bodies is removed at once.
#[derive(Debug, Clone)]
pub(super) struct LivingLevel<const D: usize> {
    /// Largest radius of a body that may be here.
    pub max_radius: f64,
    /// Tiers with bodies: that with cells as asked for, then finer ones.
    tiers: Vec<Tier<D>>,
    /// Coarser tiers, which only mark, from fine to coarse.
    coarser: Vec<LivingCells<D>>,
    sizes: SizeClasses,
}

#[derive(Debug, Clone)]
struct Tier<const D: usize> {
    axes: [CellAxis; D],
    cells: LivingCells<D>,
}

impl<const D: usize> Tier<D> {
    fn size(&self) -> f64 {
        self.axes.iter().fold(f64::INFINITY, |size, axis| size.min(axis.size()))
    }

    fn cell_of(&self, stored: [f64; D]) -> [i64; D] {
        std::array::from_fn(|axis| self.axes[axis].cell_of(stored[axis]))
    }
}

impl<const D: usize> LivingLevel<D> {
    /// A level without bodies.
    pub fn new(max_radius: f64, axes: [CellAxis; D]) -> Self {
        Self {
            max_radius,
            tiers: vec![Tier { axes, cells: LivingCells::default() }],
            coarser: Vec::new(),
            sizes: SizeClasses::default(),
        }
    }

    /// Whether no body is here.
    pub fn is_empty(&self) -> bool {
        self.sizes.largest().is_none()
    }

    /// A bound on the radii of the bodies here, less than twice the largest of them or next to nothing: how far a query
    /// must look depends on the bodies there are, not on those there could be.
    pub fn largest_radius(&self) -> f64 {
        self.sizes.largest().map_or(0.0, |class| bound_of(class, self.max_radius))
    }

    /// Changes the radius of a body that stays on this level; `false` if it no longer fits its cell.
    pub fn resize(&mut self, body: &mut LivingBody<D>, radius: f64) -> bool {
        let fits = body.tier == 0 || 2.0 * radius <= self.tiers[body.tier as usize].size();
        if fits {
            self.sizes.remove(class_of(body.radius, self.max_radius));
            self.sizes.add(class_of(radius, self.max_radius));
            body.radius = radius;
        }
        fits
    }

    /// The body as it is with its center at `center`.
    pub fn placed(&self, body: &LivingBody<D>, center: [f64; D]) -> LivingBody<D> {
        LivingBody { center, wrap: std::array::from_fn(|axis| self.tiers[0].axes[axis].wrap_of(center[axis])), ..*body }
    }

    /// Where a body is stored: inside the box along periodic axes.
    fn stored(&self, body: &LivingBody<D>) -> [f64; D] {
        std::array::from_fn(|axis| self.tiers[0].axes[axis].stored(body.center[axis], body.wrap[axis]))
    }

    /// The cell that a body would be in if it stayed on its tier.
    pub fn cell_of(&self, body: &LivingBody<D>) -> [i64; D] {
        self.tiers[body.tier as usize].cell_of(self.stored(body))
    }

    /// Puts a body into its cell.
    pub fn link(&mut self, bodies: &mut [LivingBody<D>], slot: u32) {
        self.sizes.add(class_of(bodies[slot as usize].radius, self.max_radius));
        let place = self.tiers[0].cell_of(self.stored(&bodies[slot as usize]));
        self.settle(bodies, slot, 0, place);
    }

    /// Puts a body into a cell, or into one below it where there are such.
    fn settle(&mut self, bodies: &mut [LivingBody<D>], slot: u32, mut tier: usize, mut place: [i64; D]) {
        let (crowd, is_new) = loop {
            let (cell, is_new) = self.tiers[tier].cells.get_or_add(place);
            if cell.children == 0 {
                break (push(cell, bodies, slot, tier), is_new);
            }
            let Some(child) = self.finer_place(&bodies[slot as usize], tier, place) else {
                let (cell, _) = self.tiers[tier].cells.get_or_add(place);
                break (push(cell, bodies, slot, tier), false);
            };
            (tier, place) = (tier + 1, child);
        };
        if is_new {
            self.mark(tier, place);
        }
        // Looking through a list again and again must not take longer than filling it.
        if crowd >= MIN_CROWD && crowd.is_power_of_two() {
            self.refine(bodies, tier, place);
        }
    }

    /// Moves the bodies of a cell that fit finer cells there, unless all are in one spot.
    fn refine(&mut self, bodies: &mut [LivingBody<D>], tier: usize, place: [i64; D]) {
        let first = self.tiers[tier].cells.get(place).map_or(NOBODY, |cell| cell.first);
        let (mut movable, mut spot, mut differ) = (Vec::new(), None, false);
        let mut slot = first;
        while slot != NOBODY {
            let body = &bodies[slot as usize];
            if let Some(child) = self.finer_place(body, tier, place) {
                movable.push((slot, child));
                differ |= *spot.get_or_insert(body.center) != body.center;
            }
            slot = body.next;
        }
        if differ {
            for (slot, child) in movable {
                self.take_out(bodies, slot, place);
                self.settle(bodies, slot, tier + 1, child);
            }
        }
    }

    /// The cell of the tier below that a body of this cell fits into, if there is any.
    fn finer_place(&mut self, body: &LivingBody<D>, tier: usize, place: [i64; D]) -> Option<[i64; D]> {
        if self.tiers.len() == tier + 1 {
            let axes = self.tiers[tier].axes;
            let size = self.tiers[tier].size() / 4.0;
            if size < MIN_CELL || axes.iter().any(|axis| axis.is_periodic() && axis.count() > MAX_PER_PERIOD) {
                return None;
            }
            self.tiers.push(Tier { axes: axes.map(CellAxis::quartered), cells: LivingCells::default() });
        }
        let finer = &self.tiers[tier + 1];
        let child = finer.cell_of(self.stored(body));
        // Where cells are finer than coordinates the numbers of cells end.
        (2.0 * body.radius <= finer.size() && parent_of(child) == place).then_some(child)
    }

    /// Marks a new cell in that of the tier above it; one of the first tier in as many coarser tiers as do not have it yet.
    fn mark(&mut self, tier: usize, mut place: [i64; D]) {
        if tier > 0 {
            self.tiers[tier - 1].cells.get_or_add(parent_of(place)).0.children |= bit_of(place);
            return;
        }
        for cells in &mut self.coarser {
            let bit = bit_of(place);
            place = parent_of(place);
            let (cell, is_new) = cells.get_or_add(place);
            cell.children |= bit;
            if !is_new {
                return;
            }
        }
        if self.coarsest().as_slice().len() > MAX_COARSEST {
            while self.coarsest().as_slice().len() > FEW_COARSEST && self.coarser.len() < MAX_COARSER {
                let mut cells = LivingCells::default();
                for Cell { place, .. } in self.coarsest().as_slice() {
                    cells.get_or_add(parent_of(*place)).0.children |= bit_of(*place);
                }
                self.coarser.push(cells);
            }
        }
    }

    /// The cells of the coarsest tier.
    fn coarsest(&self) -> &LivingCells<D> {
        self.coarser.last().unwrap_or(&self.tiers[0].cells)
    }

    /// Takes a body out of its cell, and the cell away if it was the last.
    pub fn unlink(&mut self, bodies: &mut [LivingBody<D>], slot: u32) {
        let body = &bodies[slot as usize];
        self.sizes.remove(class_of(body.radius, self.max_radius));
        let (tier, place) = (body.tier as usize, self.cell_of(body));
        self.take_out(bodies, slot, place);
        self.remove_if_empty(tier, place);
    }

    /// Takes a body out of the list of its cell.
    fn take_out(&mut self, bodies: &mut [LivingBody<D>], slot: u32, place: [i64; D]) {
        let LivingBody { previous, next, tier, .. } = bodies[slot as usize];
        if next != NOBODY {
            bodies[next as usize].previous = previous;
        }
        if previous != NOBODY {
            bodies[previous as usize].next = next;
        }
        let Some(cell) = self.tiers[tier as usize].cells.get_mut(place) else {
            unreachable!("a body lies outside its cell")
        };
        cell.count -= 1;
        if previous == NOBODY {
            cell.first = next;
        }
    }

    /// Removes a cell that is empty, and with it the cells above it that become so.
    fn remove_if_empty(&mut self, tier: usize, mut place: [i64; D]) {
        let Self { tiers, coarser, .. } = self;
        let upwards = tiers[..=tier].iter_mut().rev().map(|tier| &mut tier.cells).chain(coarser);
        let mut gone = 0;
        for cells in upwards {
            let Some(cell) = cells.get_mut(place) else { return };
            cell.children &= !gone;
            if !cell.is_empty() {
                return;
            }
            cells.remove(place);
            gone = bit_of(place);
            place = parent_of(place);
        }
    }

    /// Visits every cell that may hold bodies within `reach` of a box, each image once.
    pub fn visit_near<V: CellVisitor<D>>(&self, near: &CandidateBody<D>, visitor: &mut V) {
        let axes = &self.tiers[0].axes;
        let mut shifts = ShiftRange { first: [0; D], last: [0; D] };
        let spans = std::array::from_fn::<_, D, _>(|axis| {
            axes[axis].clipped(near.span(&axes[axis], axis, 0, self.largest_radius()))
        });
        for axis in (0..D).filter(|&axis| axes[axis].is_periodic()) {
            shifts.first[axis] = axes[axis].split(spans[axis].first).1;
            shifts.last[axis] = axes[axis].split(spans[axis].last).1;
        }
        for shift in shifts.iter() {
            let part = std::array::from_fn::<_, D, _>(|axis| axes[axis].part(spans[axis], shift[axis]));
            let (first, last) = (part.map(|span| span.first), part.map(|span| span.last));
            if (0..D).all(|axis| first[axis] <= last[axis]) {
                self.visit_box(&Part { near, shift, first, last }, visitor);
            }
        }
    }

    /// Visits the occupied cells of a box of cells of the first tier, and those below.
    fn visit_box<V: CellVisitor<D>>(&self, part: &Part<'_, D>, visitor: &mut V) {
        let mut height = 0;
        let (mut first, mut last) = (part.first, part.last);
        let cells_in = |first: &[i64; D], last: &[i64; D]| {
            (0..D).map(|axis| (last[axis] - first[axis] + 1) as f64).product::<f64>()
        };
        while height < self.coarser.len() && cells_in(&first, &last) > MAX_LOOKED_UP {
            (first, last) = (parent_of(first), parent_of(last));
            height += 1;
        }
        let cells = if height == 0 { &self.tiers[0].cells } else { &self.coarser[height - 1] };
        if cells_in(&first, &last) > cells.as_slice().len() as f64 {
            for cell in cells.as_slice() {
                visitor.looks_up();
                if (0..D).all(|axis| (first[axis]..=last[axis]).contains(&cell.place[axis])) {
                    self.visit_below(part, height, cell, visitor);
                }
            }
            return;
        }
        let mut place = first;
        loop {
            visitor.looks_up();
            if let Some(cell) = cells.get(place) {
                self.visit_below(part, height, cell, visitor);
            }
            let Some(axis) = (0..D).find(|&axis| place[axis] < last[axis]) else { return };
            place[axis] += 1;
            place[..axis].copy_from_slice(&first[..axis]);
        }
    }

    /// Visits what is below a cell of a coarser tier, `height` above the first.
    fn visit_below<V: CellVisitor<D>>(&self, part: &Part<'_, D>, height: usize, cell: &Cell<D>, visitor: &mut V) {
        if height == 0 {
            return self.visit_cell(part, 0, cell, visitor);
        }
        let down = CHILDREN_BITS * (height as u32 - 1);
        let [first, last] = [part.first, part.last].map(|corner| corner.map(|along| along >> down));
        let cells = if height == 1 { &self.tiers[0].cells } else { &self.coarser[height - 2] };
        for place in children_within(cell, first, last) {
            visitor.looks_up();
            if let Some(child) = cells.get(place) {
                self.visit_below(part, height - 1, child, visitor);
            }
        }
    }

    /// Visits a cell of a tier with bodies, and the cells below.
    fn visit_cell<V: CellVisitor<D>>(&self, part: &Part<'_, D>, tier: usize, cell: &Cell<D>, visitor: &mut V) {
        if cell.count > 0 {
            visitor.cell(cell.first, part.shift);
        }
        if cell.children == 0 {
            return;
        }
        let Some(finer) = self.tiers.get(tier + 1) else { return };
        let largest = self.largest_radius().min(finer.size() / 2.0);
        let spans =
            std::array::from_fn::<_, D, _>(|axis| part.near.span(&finer.axes[axis], axis, part.shift[axis], largest));
        for place in children_within(cell, spans.map(|span| span.first), spans.map(|span| span.last)) {
            visitor.looks_up();
            if let Some(child) = finer.cells.get(place) {
                self.visit_cell(part, tier + 1, child, visitor);
            }
        }
    }
}

/// The places of those cells below a cell that are within `first..=last`.
fn children_within<const D: usize>(cell: &Cell<D>, first: [i64; D], last: [i64; D]) -> impl Iterator<Item = [i64; D]> {
    let (parent, mut bits) = (cell.place, cell.children & bits_within(cell.place, first, last));
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros();
        (bits != 0).then(|| {
            bits &= bits - 1;
            child_of(parent, bit)
        })
    })
}

/// Puts a body at the front of a cell's list; returns how long that is then.
fn push<const D: usize>(cell: &mut Cell<D>, bodies: &mut [LivingBody<D>], slot: u32, tier: usize) -> u32 {
    let next = std::mem::replace(&mut cell.first, slot);
    cell.count += 1;
    let body = &mut bodies[slot as usize];
    (body.next, body.previous, body.tier) = (next, NOBODY, tier as u32);
    if next != NOBODY {
        bodies[next as usize].previous = slot;
    }
    cell.count
}

/// Takes the cells that a query comes to.
pub(super) trait CellVisitor<const D: usize> {
    /// A cell with bodies, the first of its list, seen this many periods away.
    fn cell(&mut self, first: u32, shift: [i32; D]);

    /// Counts cells looked up.
    fn looks_up(&mut self) {}
}

/// Some cells of the first tier, within `first..=last`, seen this many periods away.
struct Part<'a, const D: usize> {
    near: &'a CandidateBody<D>,
    shift: [i32; D],
    first: [i64; D],
    last: [i64; D],
}

/// What a query asks for: all within a distance of a box.
pub(super) struct CandidateBody<const D: usize> {
    pub lo: [f64; D],
    pub hi: [f64; D],
    pub distance: f64,
    /// Periods of the axes; 0 along open ones.
    pub lengths: [f64; D],
    /// Largest magnitude of borders and of coordinates that were wrapped, along each axis.
    pub farthest: [f64; D],
}

impl<const D: usize> CandidateBody<D> {
    /// The cells along an axis in which bodies of radii up to `largest` may be near, if all is seen `shift` periods away. A
    /// little more along periodic axes, where coordinates and images are rounded; along open ones the order of cells is that
    /// of coordinates.
    fn span(&self, cells: &CellAxis, axis: usize, shift: i32, largest: f64) -> Span {
        let (mut lo, mut hi) = (self.lo[axis], self.hi[axis]);
        let reach = reach(self.distance, largest, 0.0);
        let mut beyond = reach;
        if cells.is_periodic() {
            let magnitude = (lo.abs().max(hi.abs()) + reach).max(self.farthest[axis]);
            beyond += 32.0 * f64::EPSILON * magnitude;
            let translation = translation_along(shift, self.lengths[axis]);
            (lo, hi) = (lo - translation, hi - translation);
        }
        cells.span(lo - beyond, hi + beyond)
    }
}

#[cfg(test)]
impl<const D: usize> LivingLevel<D> {
    /// The cells as asked for.
    pub fn axes(&self) -> &[CellAxis; D] {
        &self.tiers[0].axes
    }

    /// Every body is in the list of its cell, every cell but the coarsest is marked above, none is empty, and lists are only
    /// as long as they must be. Hands every body to `see`.
    pub fn assert_well_formed(&self, bodies: &[LivingBody<D>], mut see: impl FnMut(&LivingBody<D>)) {
        let tiers = self.coarser.iter().rev().chain(self.tiers.iter().map(|tier| &tier.cells));
        let first_tier = self.coarser.len();
        let mut above: Option<&LivingCells<D>> = None;
        for (number, cells) in tiers.enumerate() {
            let mut marked =
                above.map(|cells| cells.as_slice().iter().map(|cell| cell.children.count_ones()).sum::<u32>());
            if let Some(marked) = &mut marked {
                assert_eq!(*marked as usize, cells.as_slice().len());
            }
            for cell in cells.as_slice() {
                assert!(!cell.is_empty(), "an empty cell was kept");
                if let Some(above) = above {
                    let parent = above.get(parent_of(cell.place)).expect("a cell above it");
                    assert_ne!(parent.children & bit_of(cell.place), 0);
                }
                let (mut slot, mut previous, mut count) = (cell.first, NOBODY, 0);
                while slot != NOBODY {
                    let body = &bodies[slot as usize];
                    assert_eq!((body.previous, body.tier as usize + first_tier), (previous, number));
                    assert_eq!(self.cell_of(body), cell.place);
                    assert!(body.tier == 0 || 2.0 * body.radius <= self.tiers[body.tier as usize].size());
                    see(body);
                    count += 1;
                    (previous, slot) = (slot, body.next);
                }
                assert_eq!(count, cell.count);
            }
            above = Some(cells);
        }
        if self.is_empty() {
            assert!(self.tiers.iter().all(|tier| tier.cells.as_slice().is_empty()));
        }
    }
}
