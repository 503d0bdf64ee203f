//! Arrays of numbers as planes of bytes: all lowest bytes, then all next ones. Bytes of one kind together deflate better than
//! whole numbers one after the other.

/// Bits of a float's fraction that are kept where rounding cannot be seen.
const KEPT_BITS: u32 = 12;

/// Appends the lowest `width` bytes of each number, plane by plane.
pub fn push_planes(out: &mut Vec<u8>, numbers: &[u32], width: usize) {
    out.reserve(numbers.len() * width);
    for byte in 0..width {
        out.extend(numbers.iter().map(|number| (number >> (8 * byte)) as u8));
    }
}

/// A float as its bits; coarse ones have the lowest bits of the fraction rounded away.
pub fn float_bits(value: f32, is_coarse: bool) -> u32 {
    let bits = value.to_bits();
    if !is_coarse || !value.is_finite() {
        return bits;
    }
    let dropped = 23 - KEPT_BITS;
    let rounded = bits.saturating_add(1 << (dropped - 1)) & !((1 << dropped) - 1);
    if f32::from_bits(rounded).is_finite() { rounded } else { bits }
}

/// Differences between numbers and those before them.
pub fn differences(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut before = 0;
    numbers.map(|number| number.wrapping_sub(std::mem::replace(&mut before, number))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_bytes_come_first() {
        let mut out = Vec::new();
        push_planes(&mut out, &[0x0403_0201, 0x0807_0605], 3);
        assert_eq!(out, [1, 5, 2, 6, 3, 7]);
    }

    #[test]
    fn coarse_floats_are_near_enough() {
        for value in [1.0f32, -0.1, 3.4e38, 1e-30, 0.0, 12345.678] {
            let coarse = f32::from_bits(float_bits(value, true));
            assert!((coarse - value).abs() <= value.abs() * 2e-4, "{value} became {coarse}");
            assert_eq!(float_bits(value, false), value.to_bits());
        }
        assert!(f32::from_bits(float_bits(f32::NAN, true)).is_nan());
        assert_eq!(float_bits(f32::INFINITY, true), f32::INFINITY.to_bits());
    }

    #[test]
    fn differences_wrap() {
        assert_eq!(differences([5, 3, 3].into_iter()), [5, u32::MAX - 1, 0]);
    }
}
