//! The two precisions of the stored columns.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// f32, or its twin f64 where f32 would blur too much.
pub(super) trait Real:
    Copy
    + PartialOrd
    + Send
    + Sync
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Twice the largest relative error of rounding to this type, and of one operation.
    const ROUNDING: f64;
    fn from_f64(value: f64) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// Rounded down, of a value that is not negative and below 2^22 (f32) or 2^31 (f64), more than there are cells along
    /// an axis; a whole number may give the one before. Adding a large number leaves the whole part in the low bits: no
    /// slow conversion.
    fn to_cell(self) -> u32;
    fn from_cell(cell: u32) -> Self;
}

macro_rules! real {
    ($type:ty, $rounding:expr, $whole:expr) => {
        impl Real for $type {
            const ROUNDING: f64 = $rounding;
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as $type
            }
            #[inline(always)]
            fn abs(self) -> Self {
                <$type>::abs(self)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                <$type>::sqrt(self)
            }
            #[inline(always)]
            fn to_cell(self) -> u32 {
                const WHOLE: $type = $whole;
                ((self - 0.5) + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits()) as u32
            }
            #[inline(always)]
            fn from_cell(cell: u32) -> Self {
                cell as i32 as $type
            }
        }
    };
}

real!(f32, f32::EPSILON as f64, 1.5 * (1u32 << 23) as f32);
real!(f64, f64::EPSILON, 1.5 * (1u64 << 52) as f64);
