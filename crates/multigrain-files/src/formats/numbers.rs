//! Numbers as text: the shortest that read back to the same value.

/// Appends a float. Whole numbers are written without fraction.
pub fn push_float(text: &mut Vec<u8>, value: f64) {
    let mut buffer = zmij::Buffer::new();
    let digits = buffer.format(value);
    text.extend_from_slice(digits.strip_suffix(".0").unwrap_or(digits).as_bytes());
}

/// Appends a whole number.
pub fn push_integer(text: &mut Vec<u8>, value: impl itoa::Integer) {
    text.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// A float as text.
pub fn float_text(value: f64) -> String {
    let mut text = Vec::new();
    push_float(&mut text, value);
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_short_and_read_back_to_the_same_value() {
        for (value, text) in [(1.0, "1"), (-0.5, "-0.5"), (0.1 + 0.2, "0.30000000000000004"), (0.0, "0"), (-0.0, "-0")]
        {
            assert_eq!(float_text(value), text);
        }
        for value in [1e150, 1e-150, 5e-324, f64::MAX, 1.0 / 3.0, 123_456_789.123_456_79, 1e22, -4e-52] {
            let text = float_text(value);
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()), "{text}");
            assert!(text.len() <= 24, "{text}");
        }
    }
}
