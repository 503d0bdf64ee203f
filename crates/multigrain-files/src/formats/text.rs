//! Rows of text, formatted in parallel, written in order.

use crate::error::Result;
use rayon::prelude::*;
use std::io::Write;

/// Rows formatted by one task.
const BLOCK: usize = 1 << 14;

/// Writes `count` rows of about `length` bytes each. Only a few blocks are held in memory at a time.
pub fn write_rows(
    out: &mut dyn Write,
    count: usize,
    length: usize,
    push: impl Fn(usize, &mut Vec<u8>) + Sync,
) -> Result<()> {
    let blocks = count.div_ceil(BLOCK);
    let at_once = 2 * rayon::current_num_threads();
    let format = |block: usize| {
        let rows = block * BLOCK..((block + 1) * BLOCK).min(count);
        let mut text = Vec::with_capacity(rows.len() * length);
        rows.for_each(|row| push(row, &mut text));
        text
    };
    for first in (0..blocks).step_by(at_once) {
        let texts: Vec<Vec<u8>> = (first..(first + at_once).min(blocks)).into_par_iter().map(format).collect();
        for text in texts {
            out.write_all(&text)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_in_order_whatever_the_number_of_blocks() {
        for count in [0, 1, BLOCK, 20 * BLOCK + 3] {
            let mut text = Vec::new();
            write_rows(&mut text, count, 8, |row, text| text.extend_from_slice(format!("{row}\n").as_bytes())).unwrap();
            let expected: String = (0..count).map(|row| format!("{row}\n")).collect();
            assert!(text == expected.as_bytes(), "{count}");
        }
    }
}
