//! The space that bodies live in: each axis open or periodic.

use crate::error::Error;
use crate::limits::{LARGEST, SMALLEST};

/// The space of a [`Snapshot`](crate::Snapshot): every axis is open (unbounded) or periodic.
///
/// On an open axis a box is information only: bodies outside it are ordinary. On a periodic axis bodies may lie outside
/// the box too; they stand for all their images.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Domain<const D: usize> {
    lo: [f64; D],
    hi: [f64; D],
    periodic: [bool; D],
}

impl<const D: usize> Domain<D> {
    /// Unbounded along every axis.
    pub const fn open() -> Self {
        Self { lo: [f64::NEG_INFINITY; D], hi: [f64::INFINITY; D], periodic: [false; D] }
    }

    /// The same domain where `E` is `D`, which generic code cannot know.
    pub(crate) fn with_axes<const E: usize>(self) -> Domain<E> {
        assert_eq!(D, E, "a domain keeps its axes");
        Domain {
            lo: std::array::from_fn(|axis| self.lo[axis]),
            hi: std::array::from_fn(|axis| self.hi[axis]),
            periodic: std::array::from_fn(|axis| self.periodic[axis]),
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
            let inside = lo.abs() <= LARGEST && hi.abs() <= LARGEST;
            if !(inside && hi - lo >= SMALLEST) {
                return Err(Error::Box { axis, lo, hi });
            }
        }
        Ok(Self { lo, hi, periodic })
    }

    /// Lower corner; minus infinity where no box was given.
    pub const fn lo(&self) -> [f64; D] {
        self.lo
    }

    /// Upper corner; infinity where no box was given.
    pub const fn hi(&self) -> [f64; D] {
        self.hi
    }

    /// Whether `axis` is periodic.
    pub const fn is_periodic(&self, axis: usize) -> bool {
        self.periodic[axis]
    }

    /// Whether any axis is periodic, so that contacts carry image shifts.
    pub fn has_images(&self) -> bool {
        self.periodic.contains(&true)
    }

    /// Period along `axis`; 0 on an open axis, so that `shift * length` vanishes there.
    pub fn length(&self, axis: usize) -> f64 {
        if self.periodic[axis] { self.hi[axis] - self.lo[axis] } else { 0.0 }
    }

    /// Periods along all axes; 0 on open ones.
    pub fn lengths(&self) -> [f64; D] {
        std::array::from_fn(|axis| self.length(axis))
    }
}

impl<const D: usize> Default for Domain<D> {
    fn default() -> Self {
        Self::open()
    }
}
