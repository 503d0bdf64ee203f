//! Numbers that formulas are written for once: a single one, or a pack that goes through the processor together.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// How many points a law is shown at once.
pub const LANES: usize = 8;

/// One number, or several of which each goes its own way. Both round alike.
pub trait Number:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Send
    + Sync
{
    /// This number, everywhere.
    fn splat(value: f64) -> Self;

    /// The square root.
    fn sqrt(self) -> Self;

    /// The larger one.
    fn max(self, other: Self) -> Self;

    /// `then` where this is below `limit`, else `otherwise`.
    fn if_below(self, limit: Self, then: Self, otherwise: Self) -> Self;
}

impl Number for f64 {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn if_below(self, limit: Self, then: Self, otherwise: Self) -> Self {
        if self < limit { then } else { otherwise }
    }
}

/// Several numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub struct Pack(pub [f64; LANES]);

macro_rules! each_lane {
    ($($trait:ident $method:ident $sign:tt)*) => {$(
        impl $trait for Pack {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let mut result = self.0;
                for lane in 0..LANES {
                    result[lane] = self.0[lane] $sign other.0[lane];
                }
                Self(result)
            }
        }
    )*};
}

each_lane! { Add add + Sub sub - Mul mul * Div div / }

impl Neg for Pack {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        let mut result = self.0;
        for lane in 0..LANES {
            result[lane] = -self.0[lane];
        }
        Self(result)
    }
}

impl Number for Pack {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let mut result = self.0;
        for lane in 0..LANES {
            result[lane] = self.0[lane].sqrt();
        }
        Self(result)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        let mut result = self.0;
        for lane in 0..LANES {
            result[lane] = if self.0[lane] > other.0[lane] { self.0[lane] } else { other.0[lane] };
        }
        Self(result)
    }

    #[inline(always)]
    fn if_below(self, limit: Self, then: Self, otherwise: Self) -> Self {
        let mut result = self.0;
        for lane in 0..LANES {
            result[lane] = if self.0[lane] < limit.0[lane] { then.0[lane] } else { otherwise.0[lane] };
        }
        Self(result)
    }
}
