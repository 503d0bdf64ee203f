//! The space that bodies live in: open, periodic along axes, or periodic along edges of a sheared cell. What is periodic is
//! asked here and nowhere else.

pub(crate) mod along;
mod cell;
mod reduce;

use crate::error::Error;
use crate::limits::{MAX_LENGTH, MIN_LENGTH};
use along::{periods_along, translation_along};
pub(crate) use cell::{Cell, Reduced};

/// The space of a [`Snapshot`](crate::Snapshot): every axis is open (unbounded) or periodic.
///
/// On an open axis a box is information only: bodies outside it are ordinary. On a periodic axis bodies may lie outside
/// the box too; they stand for all their images. The edges of a box need not lie along the axes: see
/// [`from_cell`](Self::from_cell).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        try_from = "crate::written::WrittenDomain<D>",
        into = "crate::written::WrittenDomain<D>",
        bound(
            serialize = "[f64; D]: serde::Serialize, [bool; D]: serde::Serialize, [[f64; D]; D]: serde::Serialize",
            deserialize = "[f64; D]: serde::Deserialize<'de>, [bool; D]: serde::Deserialize<'de>, [[f64; D]; D]: serde::Deserialize<'de>"
        )
    )
)]
pub struct Domain<const D: usize> {
    lo: [f64; D],
    hi: [f64; D],
    /// Length of each side, kept when the box is moved: `hi - lo` would be rounded again.
    sides: [f64; D],
    periodic: [bool; D],
    /// Edges, where they do not lie along the axes.
    cell: Option<Cell<D>>,
}

impl<const D: usize> Domain<D> {
    /// Unbounded along every axis.
    pub const fn open() -> Self {
        Self {
            lo: [f64::NEG_INFINITY; D],
            hi: [f64::INFINITY; D],
            sides: [f64::INFINITY; D],
            periodic: [false; D],
            cell: None,
        }
    }

    /// Periodic along every axis.
    pub fn periodic(lo: [f64; D], hi: [f64; D]) -> Result<Self, Error> {
        Self::new(lo, hi, [true; D])
    }

    /// A box whose axes are periodic or open one by one.
    pub fn new(lo: [f64; D], hi: [f64; D], periodic: [bool; D]) -> Result<Self, Error> {
        for axis in 0..D {
            let (lo, hi) = (lo[axis], hi[axis]);
            let inside = lo.abs() <= MAX_LENGTH && hi.abs() <= MAX_LENGTH;
            if !(inside && hi - lo >= MIN_LENGTH) {
                return Err(Error::Box { axis, lo, hi });
            }
        }
        let sides = std::array::from_fn(|axis| hi[axis] - lo[axis]);
        Ok(Self { lo, hi, sides, periodic, cell: None })
    }

    /// A cell spanned by edge vectors from `origin`, periodic along some of them: a sheared box. Edges may be of any length and
    /// tilt and of either hand, but periodic ones must span a space. Open edges are information only.
    ///
    /// ```
    /// use multigrain::{Domain, Snapshot, find_pairs};
    /// let sheared = Domain::from_cell([0.0; 2], [[10.0, 0.0], [3.0, 10.0]], [true; 2])?;
    /// let centers = [[1.0, 0.5], [4.0, 9.8]];
    /// let pairs = find_pairs(Snapshot::new(&centers, &[0.5; 2])?.within(sheared)?);
    /// assert_eq!(pairs.shifts(), [[0, -1]]); // one edge down, which is 10 down and 3 to the left
    /// # Ok::<(), multigrain::Error>(())
    /// ```
    pub fn from_cell(origin: [f64; D], edges: [[f64; D]; D], periodic: [bool; D]) -> Result<Self, Error> {
        let is_along_axes = (0..D).all(|k| edges[k][k] > 0.0 && (0..D).all(|axis| axis == k || edges[k][axis] == 0.0));
        if is_along_axes {
            return Self::new(origin, std::array::from_fn(|axis| origin[axis] + edges[axis][axis]), periodic);
        }
        let cell = Cell::new(origin, edges, periodic)?;
        Ok(Self::of_cell(cell, periodic))
    }

    fn of_cell(cell: Cell<D>, periodic: [bool; D]) -> Self {
        let (lo, hi) = cell.bounds();
        Self { lo, hi, sides: std::array::from_fn(|axis| hi[axis] - lo[axis]), periodic, cell: Some(cell) }
    }

    /// The same periodic space, its box moved so that this point is in its middle: for those who have bodies around it, and want
    /// none of them to meet a border. Neither pairs nor shifts change, for they are those of positions as given.
    pub fn centred_on(self, point: [f64; D]) -> Self {
        if let Some(cell) = self.cell {
            return Self::of_cell(cell.centred_on(point), self.periodic);
        }
        let mut moved = self;
        for axis in (0..D).filter(|&axis| self.periodic[axis]) {
            moved.lo[axis] = point[axis] - 0.5 * self.sides[axis];
            moved.hi[axis] = moved.lo[axis] + self.sides[axis];
        }
        moved
    }

    /// For each periodic edge of a lattice with short edges, the vector whose product with a way counts its edges; zero for
    /// open ones.
    #[doc(hidden)]
    pub fn dual_edges(&self) -> [[f64; D]; D] {
        match &self.cell {
            Some(cell) => cell.reduced().cell.dual(),
            None => std::array::from_fn(|k| {
                std::array::from_fn(|axis| if axis == k && self.periodic[k] { 1.0 / self.sides[k] } else { 0.0 })
            }),
        }
    }

    /// Lower corner, of a sheared cell that of its bounds; minus infinity where no box was given.
    pub const fn lo(&self) -> [f64; D] {
        self.lo
    }

    /// Upper corner, of a sheared cell that of its bounds; infinity where no box was given.
    pub const fn hi(&self) -> [f64; D] {
        self.hi
    }

    /// Where the edges begin: the lower corner, if they lie along the axes.
    pub fn origin(&self) -> [f64; D] {
        self.cell.map_or(self.lo, |cell| cell.origin())
    }

    /// The edges: those of the box along the axes, if it is not sheared. Infinite where no box was given.
    pub fn edges(&self) -> [[f64; D]; D] {
        match &self.cell {
            Some(cell) => cell.edges(),
            None => std::array::from_fn(|k| std::array::from_fn(|axis| if axis == k { self.sides[k] } else { 0.0 })),
        }
    }

    /// Volume of the box or cell, area in the plane; infinite where no box was given.
    pub fn volume(&self) -> f64 {
        match &self.cell {
            Some(cell) => cell.volume(),
            None => self.sides.iter().product(),
        }
    }

    /// This domain, if it has a box; nothing for space that is open along every axis and has none.
    pub fn bounded(self) -> Option<Self> {
        self.lo.iter().all(|lo| lo.is_finite()).then_some(self)
    }

    /// Whether edges do not lie along the axes.
    pub const fn is_sheared(&self) -> bool {
        self.cell.is_some()
    }

    /// Whether images lie along edges that do not lie along the axes.
    pub(crate) fn has_sheared_images(&self) -> bool {
        self.is_sheared() && self.has_images()
    }

    pub(crate) fn cell(&self) -> Option<&Cell<D>> {
        self.cell.as_ref()
    }

    /// Whether `axis`, or the edge of this number in a sheared cell, is periodic.
    pub const fn is_periodic(&self, axis: usize) -> bool {
        self.periodic[axis]
    }

    /// Whether any axis is periodic, so that contacts carry image shifts.
    pub fn has_images(&self) -> bool {
        self.periodic.contains(&true)
    }

    /// Period along `axis`; 0 on an open axis, so that `shift * length` vanishes there. In a sheared cell the length of the
    /// edge: what it translates by is [`translation`](Self::translation).
    pub fn length(&self, axis: usize) -> f64 {
        match (&self.cell, self.periodic[axis]) {
            (_, false) => 0.0,
            (None, true) => self.sides[axis],
            (Some(cell), true) => cell.edge_length(axis),
        }
    }

    /// Periods along all axes; 0 on open ones.
    pub fn lengths(&self) -> [f64; D] {
        std::array::from_fn(|axis| self.length(axis))
    }

    /// What `shift` moves a body by: whole edges, or whole lengths along the axes.
    #[inline]
    pub fn translation(&self, shift: [i32; D]) -> [f64; D] {
        match &self.cell {
            None => std::array::from_fn(|axis| translation_along(shift[axis], self.length(axis))),
            Some(cell) => cell.translation(shift),
        }
    }

    /// How many periods `x` lies from the box, along each edge.
    #[inline]
    pub fn periods_away(&self, x: [f64; D]) -> [i32; D] {
        match &self.cell {
            None => std::array::from_fn(|axis| periods_along(x[axis], self.lo[axis], self.length(axis))),
            Some(cell) => cell.edges_away(x),
        }
    }

    /// Where `x` lies, in edges from the origin; 0 along open ones.
    #[inline]
    pub fn fractions(&self, x: [f64; D]) -> [f64; D] {
        match &self.cell {
            None => std::array::from_fn(|axis| match self.length(axis) {
                0.0 => 0.0,
                length => (x[axis] - self.lo[axis]) / length,
            }),
            Some(cell) => cell.fractions(x),
        }
    }

    /// How many edges a distance may span, along each of them; 0 along open ones.
    pub fn spanned(&self, distance: f64) -> [f64; D] {
        match &self.cell {
            None => self.lengths().map(|length| if length > 0.0 { distance / length } else { 0.0 }),
            Some(cell) => std::array::from_fn(|k| cell.spanned(k, distance)),
        }
    }

    /// `x` brought into the box, up to rounding, and the shift that brings it back: `x` is `home + translation(shift)`.
    #[inline]
    pub fn wrap(&self, x: [f64; D]) -> ([f64; D], [i32; D]) {
        let shift = self.periods_away(x);
        (self.less(x, shift), shift)
    }

    /// The whole periods in a way from one place to another: what is left is short if it is short at all.
    #[inline]
    pub fn whole_periods(&self, way: [f64; D]) -> [i32; D] {
        match &self.cell {
            None => std::array::from_fn(|axis| match self.length(axis) {
                0.0 => 0,
                length => (way[axis] / length).round() as i32,
            }),
            Some(cell) => cell.components(way).map(|component| component.round() as i32),
        }
    }

    /// A vector without these whole periods.
    #[inline]
    pub fn less(&self, vector: [f64; D], shift: [i32; D]) -> [f64; D] {
        let moved = self.translation(shift);
        std::array::from_fn(|axis| if moved[axis] == 0.0 { vector[axis] } else { vector[axis] - moved[axis] })
    }

    /// Along each axis, a way that no body makes that is moved by a whole period; infinite where there is none.
    pub(crate) fn half_periods(&self) -> [f64; D] {
        match &self.cell {
            None => self.lengths().map(|length| if length > 0.0 { 0.5 * length } else { f64::INFINITY }),
            Some(cell) => [0.5 * cell.thickness() / (D as f64).sqrt(); D],
        }
    }
}

impl<const D: usize> Default for Domain<D> {
    fn default() -> Self {
        Self::open()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_along_the_axes_is_a_box() {
        let cell = Domain::from_cell([1.0, 2.0], [[3.0, 0.0], [0.0, 4.0]], [true, false]).unwrap();
        assert_eq!(cell, Domain::new([1.0, 2.0], [4.0, 6.0], [true, false]).unwrap());
        assert_eq!(cell.edges(), [[3.0, 0.0], [0.0, 4.0]]);
        assert!(!cell.is_sheared());
    }

    #[test]
    fn wrapping_and_translation_undo_each_other() {
        let boxes = [
            Domain::periodic([-1.0, 0.5], [2.0, 4.5]).unwrap(),
            Domain::from_cell([0.3, -0.2], [[4.0, 1.0], [-7.0, 2.0]], [true; 2]).unwrap(),
            Domain::from_cell([0.0; 2], [[0.0, 2.0], [3.0, 1.0]], [true, false]).unwrap(),
        ];
        assert!((boxes[1].volume() - 15.0).abs() < 1e-12, "{}", boxes[1].volume());
        for domain in boxes {
            for x in [[0.0, 0.0], [17.3, -25.0], [-3.0, 4.0], [1e3, 1e3]] {
                let (home, shift) = domain.wrap(x);
                let back = domain.translation(shift);
                for axis in 0..2 {
                    assert!((home[axis] + back[axis] - x[axis]).abs() < 1e-9, "{domain:?} {x:?} {home:?} {shift:?}");
                }
                assert_eq!(domain.periods_away(home), [0; 2], "{domain:?} {x:?}");
                assert_eq!(domain.whole_periods(back), shift);
            }
        }
    }

    #[test]
    fn a_cell_without_room_is_refused() {
        let flat = Domain::from_cell([0.0; 2], [[1.0, 1.0], [2.0, 2.0]], [true; 2]);
        assert!(flat.unwrap_err().to_string().contains("lie in one line or plane"));
        assert!(Domain::from_cell([0.0; 2], [[1.0, 1.0], [2.0, 2.0]], [true, false]).is_ok(), "open edges are free");
        assert!(Domain::from_cell([0.0; 2], [[1.0, f64::NAN], [0.0, 2.0]], [true; 2]).is_err());
        assert!(Domain::from_cell([0.0; 2], [[1.0, 1e160], [0.0, 2.0]], [true; 2]).is_err());
    }
}
