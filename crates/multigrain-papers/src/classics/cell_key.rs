//! Integer coordinates of cells, and cells as single numbers in the order of the papers: along the last axis first, x last.

/// A cell as one number. Coordinates count from 1, so that neighbours of every cell have a number too, and a step to a
/// neighbour is one addition.
pub(crate) trait CellKey: Copy + Ord + Default + std::fmt::Debug + Send + Sync + 'static {
    /// A coordinate as it is stored.
    type Coordinate: Copy + Default + std::fmt::Debug + Send + Sync + 'static;

    /// Most cells along an axis.
    const MAX_CELLS: u32;

    /// The stored form of a coordinate, which counts from 1.
    fn coordinate(value: u32) -> Self::Coordinate;

    /// The coordinate in its stored form.
    fn value(coordinate: Self::Coordinate) -> u32;

    /// The number of a cell.
    fn pack<const D: usize>(cell: [u32; D]) -> Self;

    /// The cell of a number.
    fn unpack<const D: usize>(self) -> [u32; D];

    /// What is added to a number to go this many steps along each axis.
    fn step<const D: usize>(steps: [i32; D]) -> Self;

    /// The number of the cell `step` away.
    fn moved(self, step: Self) -> Self;

    /// What all cells of a line along x have in common.
    fn line(self) -> Self;
}

macro_rules! cell_key {
    ($key:ty, $signed:ty, $coordinate:ty) => {
        impl CellKey for $key {
            type Coordinate = $coordinate;
            const MAX_CELLS: u32 = <$coordinate>::MAX as u32 - 1;

            #[inline]
            fn coordinate(value: u32) -> $coordinate {
                value as $coordinate
            }

            #[inline]
            fn value(coordinate: $coordinate) -> u32 {
                u32::from(coordinate)
            }

            #[inline]
            fn pack<const D: usize>(cell: [u32; D]) -> Self {
                const { assert!(D as u32 * <$coordinate>::BITS <= Self::BITS) };
                cell.iter().rev().fold(0, |key, &value| (key << <$coordinate>::BITS) | Self::from(value))
            }

            #[inline]
            fn unpack<const D: usize>(self) -> [u32; D] {
                std::array::from_fn(|axis| u32::from((self >> (axis as u32 * <$coordinate>::BITS)) as $coordinate))
            }

            #[inline]
            fn step<const D: usize>(steps: [i32; D]) -> Self {
                let add = |key: $signed, &step: &i32| (key << <$coordinate>::BITS) + <$signed>::from(step);
                steps.iter().rev().fold(0, add) as Self
            }

            #[inline]
            fn moved(self, step: Self) -> Self {
                self.wrapping_add(step)
            }

            #[inline]
            fn line(self) -> Self {
                self >> <$coordinate>::BITS
            }
        }
    };
}

cell_key!(u64, i64, u16);
cell_key!(u128, i128, u32);

/// Integer coordinates of many bodies, an array for each axis.
#[derive(Debug, Clone)]
pub(crate) struct Columns<K: CellKey, const D: usize> {
    along: [Vec<K::Coordinate>; D],
}

impl<K: CellKey, const D: usize> Default for Columns<K, D> {
    fn default() -> Self {
        Self { along: std::array::from_fn(|_| Vec::new()) }
    }
}

impl<K: CellKey, const D: usize> Columns<K, D> {
    /// Makes room for the coordinates of this many bodies, exactly.
    pub fn resize(&mut self, len: usize) {
        for column in &mut self.along {
            column.reserve_exact(len.saturating_sub(column.len()));
            column.resize(len, K::Coordinate::default());
        }
    }

    /// Coordinates of a body.
    #[inline]
    pub fn cell(&self, place: usize) -> [u32; D] {
        std::array::from_fn(|axis| K::value(self.along[axis][place]))
    }

    /// The cell of a body, as a number.
    #[inline]
    pub fn key(&self, place: usize) -> K {
        K::pack(self.cell(place))
    }

    /// Changes the coordinates of a body.
    #[inline]
    pub fn set(&mut self, place: usize, cell: [u32; D]) {
        for axis in 0..D {
            self.along[axis][place] = K::coordinate(cell[axis]);
        }
    }

    /// Exchanges the coordinates of two bodies.
    #[inline]
    pub fn swap(&mut self, a: usize, b: usize) {
        self.along.iter_mut().for_each(|column| column.swap(a, b));
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.along.iter().map(|column| column.capacity() * size_of::<K::Coordinate>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_cells_are_in_the_order_of_the_papers() {
        let ascending = [[9, 9, 1], [1, 2, 2], [2, 2, 2], [1, 3, 2], [1, 1, 3]];
        assert!(ascending.map(u64::pack).is_sorted() && ascending.map(u128::pack).is_sorted());
        for cell in ascending {
            assert_eq!((u64::pack(cell).unpack(), u128::pack(cell).unpack()), (cell, cell));
        }
    }

    #[test]
    fn a_line_along_x_is_the_other_coordinates() {
        assert_eq!(u64::pack([7, 5, 3]).line(), u64::pack([1, 5, 3]).line());
        assert!(u64::pack([7, 5, 3]).line() < u64::pack([1, 6, 3]).line());
        assert_ne!(u128::pack([7, 5]).line(), u128::pack([7, 6]).line());
    }

    #[test]
    fn a_step_leads_to_the_neighbour() {
        for steps in [[1, -1, 0], [-1, -1, 1], [0, 1, -1]] {
            let neighbour = [0, 1, 2].map(|axis| (7 + steps[axis]) as u32);
            assert_eq!(u64::pack([7; 3]).moved(u64::step(steps)), u64::pack(neighbour));
            assert_eq!(u128::pack([7; 3]).moved(u128::step(steps)), u128::pack(neighbour));
        }
        // The outermost cells have neighbours too.
        assert_eq!(u64::pack([1, 5]).moved(u64::step([-1, 0])), u64::pack([0, 5]));
        let last = u64::MAX_CELLS;
        assert_eq!(u64::pack([last, 5]).moved(u64::step([1, 0])).unpack(), [last + 1, 5]);
    }
}
