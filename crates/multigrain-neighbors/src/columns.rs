//! Where a list of neighbours is written.

/// Columns of a list of neighbours, one value for each entry. Those that are left empty are not written.
#[derive(Debug)]
pub struct NeighborColumns<'a, I, F, const D: usize> {
    /// Where the entries of each body begin, one more than there are bodies. Only where entries are in rows.
    pub offsets: &'a mut [usize],
    /// The body that has the neighbour.
    pub first: &'a mut [I],
    /// The neighbour.
    pub second: &'a mut [I],
    /// How many periods the image that is the neighbour lies from the second body.
    pub shifts: &'a mut [[i32; D]],
    /// Distance between the centers.
    pub distances: &'a mut [F],
    /// Vector from the center of the first to that of the image of the second.
    pub vectors: &'a mut [[F; D]],
}

impl<I, F, const D: usize> Default for NeighborColumns<'_, I, F, D> {
    fn default() -> Self {
        Self {
            offsets: &mut [],
            first: &mut [],
            second: &mut [],
            shifts: &mut [],
            distances: &mut [],
            vectors: &mut [],
        }
    }
}

impl<I, F, const D: usize> NeighborColumns<'_, I, F, D> {
    /// Panics unless every column is empty or has its length.
    pub(crate) fn check(&self, entries: usize, particles: usize) {
        let lengths =
            [self.first.len(), self.second.len(), self.shifts.len(), self.distances.len(), self.vectors.len()];
        assert!(
            lengths.iter().all(|&length| length == 0 || length == entries),
            "columns have {lengths:?} entries, must be empty or have {entries}"
        );
        let offsets = self.offsets.len();
        assert!(
            offsets == 0 || offsets == particles + 1,
            "there are {offsets} offsets, must be none or {}",
            particles + 1
        );
    }

    /// Takes the first `entries` entries out of the columns; offsets stay.
    pub(crate) fn take_front(&mut self, entries: usize) -> Self {
        Self {
            offsets: &mut [],
            first: take_front(&mut self.first, entries),
            second: take_front(&mut self.second, entries),
            shifts: take_front(&mut self.shifts, entries),
            distances: take_front(&mut self.distances, entries),
            vectors: take_front(&mut self.vectors, entries),
        }
    }
}

/// Takes the first items out of a slice that has as many, or none.
pub(crate) fn take_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let whole = std::mem::take(slice);
    let (front, rest) = whole.split_at_mut(count.min(whole.len()));
    *slice = rest;
    front
}

/// A number that names a body in a list of neighbours.
pub trait NeighborIndex: Copy + Default + Send + Sync {
    /// The number of a body, which must fit.
    fn of(body: u32) -> Self;

    /// A column of these as memory for entries, where they are as wide.
    fn as_entries(column: &mut [Self]) -> Option<&mut [i64]>;
}

impl NeighborIndex for i64 {
    #[inline]
    fn of(body: u32) -> Self {
        i64::from(body)
    }

    fn as_entries(column: &mut [Self]) -> Option<&mut [i64]> {
        Some(column)
    }
}

impl NeighborIndex for i32 {
    #[inline]
    fn of(body: u32) -> Self {
        body as i32
    }

    fn as_entries(_column: &mut [Self]) -> Option<&mut [i64]> {
        None
    }
}

impl NeighborIndex for u32 {
    #[inline]
    fn of(body: u32) -> Self {
        body
    }

    fn as_entries(_column: &mut [Self]) -> Option<&mut [i64]> {
        None
    }
}

/// A number for distances and vectors in a list of neighbours; they are worked out in float64.
pub trait NeighborReal: Copy + Default + Send + Sync {
    /// The nearest one.
    fn of(value: f64) -> Self;
}

impl NeighborReal for f64 {
    #[inline]
    fn of(value: f64) -> Self {
        value
    }
}

impl NeighborReal for f32 {
    #[inline]
    fn of(value: f64) -> Self {
        value as f32
    }
}
