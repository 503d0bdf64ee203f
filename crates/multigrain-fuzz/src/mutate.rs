//! Inputs made from others: bits, bytes, words of the format, numbers, pieces moved, doubled, lost or taken from another input.

use multigrain::Rng;

/// Most changes of one input.
const MAX_CHANGES: u64 = 6;

/// Numbers at the ends of what can be worked with, and beyond.
const NUMBERS: [&str; 24] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "1e-3",
    "1e3",
    "0.5",
    "1e150",
    "1.1e150",
    "1e-150",
    "9e-151",
    "1e308",
    "5e-324",
    "nan",
    "inf",
    "-inf",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "9223372036854775808",
];

/// Bytes at the ends of types.
const WORDS: [&[u8]; 10] = [
    &[0],
    &[0xff],
    &[0x80],
    &[0; 4],
    &[0xff; 4],
    &[0; 8],
    &[0xff; 8],
    &[0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
    &[0, 0, 0, 0, 0, 0, 0xf0, 0x7f],
    &[1, 0, 0, 0, 0, 0, 0, 0],
];

/// An input made from one or two others. Changes that lengthen end where it is as long as it may be.
pub fn mutated(input: &[u8], other: &[u8], words: &[&str], longest: usize, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let changes = if rng.below(2) == 0 { 1 } else { 1 + rng.below(MAX_CHANGES) };
    for _ in 0..changes {
        change(&mut bytes, other, words, rng);
        bytes.truncate(longest);
    }
    bytes
}

/// An input made far longer, to between these lengths, by a piece of it that comes again and again: whole lines mostly.
pub fn grown(input: &[u8], shortest: usize, longest: usize, rng: &mut Rng) -> Vec<u8> {
    let length = (shortest as f64 * (longest as f64 / shortest as f64).powf(rng.uniform())) as usize;
    let lines: Vec<usize> =
        (0..=input.len()).filter(|&k| k == 0 || k == input.len() || input[k - 1] == b'\n').collect();
    let mut ends = [(); 2].map(|()| match rng.below(4) {
        0 => rng.below(input.len() as u64 + 1) as usize,
        _ => lines[rng.below(lines.len() as u64) as usize],
    });
    ends.sort_unstable();
    if ends[0] == ends[1] {
        ends = [0, input.len()];
    }
    let piece = &input[ends[0]..ends[1]];
    let times = length.saturating_sub(input.len()) / piece.len().max(1);
    [&input[..ends[0]], &piece.repeat(1 + times), &input[ends[1]..]].concat()
}

fn change(bytes: &mut Vec<u8>, other: &[u8], words: &[&str], rng: &mut Rng) {
    let mut at = |length: usize| rng.below(length as u64 + 1) as usize;
    let place = at(bytes.len());
    let piece = |from: &[u8], rng: &mut Rng| -> Vec<u8> {
        let start = rng.below(from.len() as u64 + 1) as usize;
        let most = if rng.below(8) == 0 { from.len() } else { 24 };
        let length = rng.below((from.len() - start).min(most) as u64 + 1) as usize;
        from[start..start + length].to_vec()
    };
    match rng.below(12) {
        0 if place < bytes.len() => bytes[place] ^= 1 << rng.below(8),
        1 if place < bytes.len() => bytes[place] = rng.below(256) as u8,
        2 => {
            let word = WORDS[rng.below(WORDS.len() as u64) as usize];
            let end = (place + word.len()).min(bytes.len());
            bytes[place..end].copy_from_slice(&word[..end - place]);
        }
        3 | 4 if !words.is_empty() => {
            let word = words[rng.below(words.len() as u64) as usize];
            bytes.splice(place..place, word.bytes());
        }
        5 | 6 => replace_number(bytes, place, rng),
        7 => {
            let length = piece(&bytes[place..], rng).len();
            bytes.drain(place..place + length);
        }
        8 => {
            let copied = piece(bytes, rng);
            bytes.splice(place..place, copied);
        }
        9 => {
            let taken = piece(other, rng);
            bytes.splice(place..place, taken);
        }
        10 => replace_line(bytes, other, rng),
        _ => {
            // One piece many times: what is long or deep is found by this.
            let copied = piece(bytes, rng);
            let times = 1 + rng.below(64) as usize;
            bytes.splice(place..place, copied.repeat(times));
        }
    }
}

/// The number at or behind a place becomes another.
fn replace_number(bytes: &mut Vec<u8>, place: usize, rng: &mut Rng) {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E');
    let Some(start) = bytes[place..].iter().position(u8::is_ascii_digit).map(|k| place + k) else { return };
    let end = start + bytes[start..].iter().take_while(|&byte| is_part(byte)).count();
    let number = match rng.below(4) {
        0 => format!("{}", rng.below(20)),
        1 => format!("{:e}", rng.uniform() * 10f64.powi(rng.below(40) as i32 - 20)),
        _ => NUMBERS[rng.below(NUMBERS.len() as u64) as usize].to_owned(),
    };
    bytes.splice(start..end, number.into_bytes());
}

/// A line becomes one of another input, or goes.
fn replace_line(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let pick = |from: &[u8], rng: &mut Rng| {
        let lines: Vec<usize> =
            from.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(k, _)| k + 1).collect();
        let start = match lines.is_empty() {
            true => 0,
            false => lines[rng.below(lines.len() as u64) as usize],
        };
        let end = from[start..].iter().position(|&byte| byte == b'\n').map_or(from.len(), |k| start + k + 1);
        start..end
    };
    let gone = pick(bytes, rng);
    let come = if rng.below(3) == 0 { 0..0 } else { pick(other, rng) };
    bytes.splice(gone, other[come].iter().copied());
}
