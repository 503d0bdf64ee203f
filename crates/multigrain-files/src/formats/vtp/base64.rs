//! Base64, as VTK files have it.

/// The bytes of a text, `most` of them at most; blanks are passed over, and the text ends where something else stands. Padding
/// may be in the middle: VTK encodes the length of an array apart from the array.
pub fn decode(text: &[u8], most: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(most.min(text.len() / 4 * 3 + 3));
    let (mut bits, mut held) = (0u32, 0u32);
    for &letter in text {
        if bytes.len() >= most {
            break;
        }
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                (bits, held) = (0, 0);
                continue;
            }
            _ if letter.is_ascii_whitespace() => continue,
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    bytes
}

/// Bytes as text, filled up to whole groups of four letters.
pub fn encode(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut word = [0; 4];
        word[1..1 + chunk.len()].copy_from_slice(chunk);
        let word = u32::from_be_bytes(word);
        for k in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * k)) as usize & 63];
            text.push(if k <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
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
