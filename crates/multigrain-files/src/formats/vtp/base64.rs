//! Base64, as VTK files have it.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Takes texts whose padding was cut off.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The bytes of a text, `most` of them at most; blanks are passed over, and the text ends where something else stands. Padding
/// may be in the middle: VTK encodes the length of an array apart from the array.
pub fn decode(text: &[u8], most: usize) -> Vec<u8> {
    // Two parts, the second of which begins with a whole group.
    let letters = (most / 3).saturating_mul(4).saturating_add(16);
    let is_letter = |letter: &u8| matches!(letter, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' | b'=');
    let text = text.iter().copied().filter(|letter| !letter.is_ascii_whitespace());
    let text: Vec<u8> = text.take_while(is_letter).take(letters).collect();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    for part in text.split(|&letter| letter == b'=') {
        // One letter alone is not a byte.
        let whole = if part.len() % 4 == 1 { &part[..part.len() - 1] } else { part };
        LENIENT.decode_vec(whole, &mut bytes).expect("these are letters, and no single one is left over");
    }
    bytes.truncate(most);
    bytes
}

/// Bytes as text, filled up to whole groups of four letters.
pub fn encode(bytes: &[u8]) -> String {
    LENIENT.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts_are_decoded() {
        assert_eq!(encode(b"grain"), "Z3JhaW4=");
        assert_eq!(decode(b" Z3Jh\naW4= ", 99), b"grain");
        assert_eq!(decode(b"Z3JhaW4=", 3), b"gra");
        assert_eq!(decode(b"Z3Jh</DataArray>", 99), b"gra");
        assert_eq!(decode(b"", 9), b"");
    }

    #[test]
    fn any_bytes_come_back_also_behind_padding() {
        let bytes: Vec<u8> = (0..=255).collect();
        for length in 0..bytes.len() {
            let text = encode(&bytes[..length]);
            assert_eq!(decode(text.as_bytes(), usize::MAX), bytes[..length]);
            assert_eq!(decode((encode(b"12345678") + &text).as_bytes(), usize::MAX)[8..], bytes[..length]);
        }
    }
}
