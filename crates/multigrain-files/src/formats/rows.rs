//! Rows of numbers in text files: separated by commas, semicolons or blanks, parsed in parallel blocks straight from the bytes.

use crate::error::{Error, Result, hinted};
use crate::progress::Progress;
use memchr::{memchr, memchr_iter};
use rayon::prelude::*;
use std::ops::Range;

/// Bytes of text per parallel task.
const BLOCK: usize = 1 << 20;

/// Names of the column that holds radii, and what to multiply it by.
pub const RADIUS_NAMES: [(&str, f64); 5] = [("radius", 1.0), ("radii", 1.0), ("r", 1.0), ("diameter", 0.5), ("d", 0.5)];

/// What stands between two values of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    /// One of this letter, blanks around it ignored; values may be quoted.
    One(u8),
    /// Any number of blanks.
    Blanks,
}

/// A table of text: rows of equally many values under known column names.
pub struct Table<'a> {
    /// The whole file, to number lines by.
    pub file: &'a [u8],
    /// The bytes of the rows.
    pub rows: Range<usize>,
    /// What stands between values.
    pub separator: Separator,
    /// Whether lines that begin with `#` are comments.
    pub has_comments: bool,
    /// Names of all columns, in file order.
    pub names: Vec<String>,
}

/// The wanted values of every row, in file order.
pub struct Rows {
    blocks: Vec<Vec<f64>>,
    width: usize,
}

/// The values of a block of rows, and which of the wanted columns hold something else than numbers.
type Block = (Vec<f64>, Vec<bool>);

/// What is wrong with a row.
struct Fault {
    /// Where, in bytes from the start of the file.
    offset: usize,
    /// In which column; `None` for the row as a whole.
    column: Option<usize>,
    what: String,
}

impl Table<'_> {
    /// Reads the `wanted` columns. Blank lines are passed over, and comments where the table may have them.
    pub fn read(&self, wanted: &[usize], progress: &dyn Progress) -> Result<Rows> {
        Ok(self.read_all(wanted, progress, false)?.0)
    }

    /// The same, but columns may hold something else than numbers: which of the `wanted` ones do is returned beside the rows.
    pub fn read_numbers(&self, wanted: &[usize]) -> Result<(Rows, Vec<bool>)> {
        self.read_all(wanted, &(), true)
    }

    fn read_all(&self, wanted: &[usize], progress: &dyn Progress, forgives: bool) -> Result<(Rows, Vec<bool>)> {
        let mut slots = vec![None; self.names.len()];
        for (slot, &column) in wanted.iter().enumerate() {
            slots[column] = Some(slot);
        }
        let parsed: Vec<Result<Block, Fault>> = self
            .blocks()
            .into_par_iter()
            .map(|block| {
                let length = block.len() as u64;
                let mut others = vec![false; if forgives { wanted.len() } else { 0 }];
                let values = self.read_block(block, &slots, wanted.len(), &mut others)?;
                progress.advance(length);
                Ok((values, others))
            })
            .collect();
        let (mut blocks, mut others) = (Vec::with_capacity(parsed.len()), vec![false; wanted.len()]);
        for block in parsed {
            let (values, found) = block.map_err(|fault| self.error(fault))?;
            blocks.push(values);
            others.iter_mut().zip(found).for_each(|(other, found)| *other |= found);
        }
        Ok((Rows { blocks, width: wanted.len() }, others))
    }

    /// The place of a value, for messages.
    pub fn place(&self, row: usize, column: usize) -> String {
        let line = self.lines(self.rows.clone()).filter(|line| !self.is_passed_over(line)).nth(row);
        self.place_at(line.map_or(self.rows.end, |line| line.start), Some(column))
    }

    /// The rows, cut behind line ends into blocks of about equal length.
    fn blocks(&self) -> Vec<Range<usize>> {
        let mut blocks = Vec::with_capacity(self.rows.len() / BLOCK + 1);
        let mut start = self.rows.start;
        while start < self.rows.end {
            let reach = (start + BLOCK).min(self.rows.end);
            let end = memchr(b'\n', &self.file[reach..self.rows.end]).map_or(self.rows.end, |k| reach + k + 1);
            blocks.push(start..end);
            start = end;
        }
        blocks
    }

    /// `others` are slots that were found to hold something else than numbers; where it is empty, that is a fault.
    fn read_block(
        &self,
        block: Range<usize>,
        slots: &[Option<usize>],
        width: usize,
        others: &mut [bool],
    ) -> Result<Vec<f64>, Fault> {
        let mut values = Vec::new();
        for line in self.lines(block.clone()) {
            if self.is_passed_over(&line) {
                continue;
            }
            if values.len() == values.capacity() {
                // Rows are about equally long: those so far show how many are to come.
                let rows = (values.len() / width).max(1);
                let length = (line.end + 1 - block.start).div_ceil(rows);
                values.reserve(((block.end - line.start) / length + 2) * width * 17 / 16);
            }
            let slot = values.len();
            values.resize(slot + width, 0.0);
            self.read_row(line, slots, &mut values[slot..], others)?;
        }
        Ok(values)
    }

    fn read_row(
        &self,
        line: Range<usize>,
        slots: &[Option<usize>],
        values: &mut [f64],
        others: &mut [bool],
    ) -> Result<(), Fault> {
        let mut cursor = Cursor { bytes: &self.file[line.clone()], at: 0, separator: self.separator };
        cursor.skip_blanks();
        for (column, slot) in slots.iter().enumerate() {
            if column > 0 && !cursor.skip_separator() {
                return Err(self.wrong_width(line));
            }
            let start = cursor.at;
            let read = match slot {
                Some(slot) => cursor.number().map(|value| values[*slot] = value),
                None => cursor.skip_value(),
            };
            if read.is_none() || !cursor.is_behind_value() {
                let mut behind = Cursor { at: start, ..cursor };
                if let Some(other) = slot.and_then(|slot| others.get_mut(slot))
                    && behind.skip_value().is_some()
                    && behind.is_behind_value()
                {
                    *other = true;
                    cursor = behind;
                    continue;
                }
                if slots.len() > cursor.values_in_all() {
                    return Err(self.wrong_width(line));
                }
                let value = Cursor { at: start, ..cursor }.value_text();
                let what =
                    if value.is_empty() { "the value is missing".into() } else { format!("'{value}' is not a number") };
                return Err(Fault { offset: line.start, column: Some(column), what });
            }
        }
        if cursor.at < cursor.bytes.len() { Err(self.wrong_width(line)) } else { Ok(()) }
    }

    /// Lines without their ends.
    fn lines(&self, block: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut start = block.start;
        std::iter::from_fn(move || {
            if start >= block.end {
                return None;
            }
            let end = memchr(b'\n', &self.file[start..block.end]).map_or(block.end, |k| start + k);
            let line = start..end - usize::from(end > start && self.file[end - 1] == b'\r');
            start = end + 1;
            Some(line)
        })
    }

    fn is_passed_over(&self, line: &Range<usize>) -> bool {
        match self.file[line.clone()].iter().find(|byte| !byte.is_ascii_whitespace()) {
            None => true,
            Some(first) => self.has_comments && *first == b'#',
        }
    }

    fn wrong_width(&self, line: Range<usize>) -> Fault {
        let found = Cursor { bytes: &self.file[line.clone()], at: 0, separator: self.separator }.values_in_all();
        let what = format!("the row has {found} value{}, but there are {} columns", plural(found), self.names.len());
        Fault { offset: line.start, column: None, what }
    }

    fn error(&self, fault: Fault) -> Error {
        let place = self.place_at(fault.offset, fault.column);
        // Every comma within a number makes two values of it.
        let twice = format!("the row has {} values,", 2 * self.names.len());
        if self.separator == Separator::One(b',') && fault.what.starts_with(&twice) {
            let hint = "if numbers have decimal commas, write decimal points, such as 1.5";
            return hinted(fault.what, hint).context(place);
        }
        match has_decimal_comma(&fault.what) {
            true => hinted(fault.what, "write numbers with decimal points, such as 1.5").context(place),
            false => Error::new(fault.what).context(place),
        }
    }

    fn place_at(&self, offset: usize, column: Option<usize>) -> String {
        let line = line_number(self.file, offset);
        match column {
            Some(column) => {
                format!("line {line}, column {} ({})", column + 1, excerpt(self.names[column].as_bytes()))
            }
            None => format!("line {line}"),
        }
    }
}

impl Rows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.len() / self.width).sum()
    }

    /// The wanted values, row by row, in the order they were wanted.
    pub fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.blocks.iter().flat_map(|block| block.chunks_exact(self.width))
    }
}

/// Whether a value is no number only because of a comma.
fn has_decimal_comma(what: &str) -> bool {
    let value = what.strip_prefix('\'').and_then(|rest| rest.split_once('\'')).map(|(value, _)| value);
    value.is_some_and(|value| value.contains(',') && value.replacen(',', ".", 1).parse::<f64>().is_ok())
}

/// The line, counted from 1, that the byte at `offset` is on.
pub fn line_number(file: &[u8], offset: usize) -> usize {
    memchr_iter(b'\n', &file[..offset.min(file.len())]).count() + 1
}

/// A piece of the file for a message: printable and short.
pub fn excerpt(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(bytes.trim_ascii());
    let mut shown = String::new();
    for letter in text.chars().take(LONGEST) {
        if letter.is_control() { shown.extend(letter.escape_debug()) } else { shown.push(letter) }
    }
    if text.chars().nth(LONGEST).is_some() { shown + "..." } else { shown }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// A place in a line.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    separator: Separator,
}

impl Cursor<'_> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Steps to the next value, if there is one.
    #[inline]
    fn skip_separator(&mut self) -> bool {
        match self.separator {
            Separator::One(letter) if self.peek() == Some(letter) => {
                self.at += 1;
                self.skip_blanks();
                true
            }
            Separator::One(_) => false,
            // Blanks were skipped behind the value before.
            Separator::Blanks => self.at < self.bytes.len(),
        }
    }

    /// Reads a number and steps behind it and the blanks that follow.
    #[inline]
    fn number(&mut self) -> Option<f64> {
        let is_quoted = self.separator != Separator::Blanks && self.peek() == Some(b'"');
        if is_quoted {
            self.at += 1;
            self.skip_blanks();
        }
        let (value, length) = fast_float2::parse_partial(&self.bytes[self.at..]).ok()?;
        self.at += length;
        match (self.peek(), is_quoted) {
            (None, false) => (),
            (Some(letter), false) if self.separator == Separator::One(letter) => (),
            _ => self.end_number(is_quoted)?,
        }
        Some(value)
    }

    /// Steps behind the blanks and the quote that may follow a number; `None` if anything else does.
    fn end_number(&mut self, is_quoted: bool) -> Option<()> {
        let before = self.at;
        self.skip_blanks();
        if is_quoted {
            (self.peek() == Some(b'"')).then_some(())?;
            self.at += 1;
            self.skip_blanks();
        } else if self.separator == Separator::Blanks && self.at == before {
            return None;
        }
        Some(())
    }

    /// Steps behind a value, whatever it is, and the blanks that follow; `None` if a quote is not closed.
    fn skip_value(&mut self) -> Option<()> {
        match self.separator {
            Separator::One(_) if self.peek() == Some(b'"') => {
                self.at += 1;
                loop {
                    self.at += memchr(b'"', &self.bytes[self.at..])? + 1;
                    if self.peek() != Some(b'"') {
                        break;
                    }
                    self.at += 1;
                }
                self.skip_blanks();
            }
            Separator::One(letter) => {
                self.at += memchr(letter, &self.bytes[self.at..]).unwrap_or(self.bytes.len() - self.at);
            }
            Separator::Blanks => {
                while self.peek().is_some_and(|byte| !matches!(byte, b' ' | b'\t')) {
                    self.at += 1;
                }
                self.skip_blanks();
            }
        }
        Some(())
    }

    #[inline]
    fn is_behind_value(&self) -> bool {
        match self.separator {
            Separator::Blanks => true,
            Separator::One(letter) => self.peek().is_none_or(|next| next == letter),
        }
    }

    /// The text of the value here, for messages.
    fn value_text(self) -> String {
        let mut end = self;
        let length = match end.skip_value() {
            Some(()) => end.at - self.at,
            None => self.bytes.len() - self.at,
        };
        excerpt(&self.bytes[self.at..self.at + length])
    }

    /// How many values the whole line has.
    fn values_in_all(self) -> usize {
        let mut cursor = Self { at: 0, ..self };
        cursor.skip_blanks();
        let mut count = usize::from(cursor.separator != Separator::Blanks || cursor.at < cursor.bytes.len());
        loop {
            if cursor.skip_value().is_none() {
                return count;
            }
            // Text behind a closing quote belongs to the value.
            while !cursor.is_behind_value() {
                cursor.at += 1;
            }
            if !cursor.skip_separator() {
                return count;
            }
            count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, separator: Separator, columns: usize, wanted: &[usize]) -> Result<Vec<Vec<f64>>, String> {
        let table = Table {
            file: text.as_bytes(),
            rows: 0..text.len(),
            separator,
            has_comments: false,
            names: (0..columns).map(|k| format!("c{k}")).collect(),
        };
        match table.read(wanted, &()) {
            Ok(rows) => Ok(rows.iter().map(<[f64]>::to_vec).collect()),
            Err(error) => Err(format!("{error:#}")),
        }
    }

    #[test]
    fn reads_wanted_columns_in_the_order_wanted() {
        let text = "1,a,2.5\n\n 3 , \"b, \"\"c\"\"\" ,\t\"4e-1\" \r\n5,,6\n\n";
        let rows = read(text, Separator::One(b','), 3, &[2, 0]).unwrap();
        assert_eq!(rows, [[2.5, 1.0], [0.4, 3.0], [6.0, 5.0]]);
        let rows = read("  1 H 2\r\n3\tHe   4  \n", Separator::Blanks, 3, &[0, 2]).unwrap();
        assert_eq!(rows, [[1.0, 2.0], [3.0, 4.0]]);
    }

    #[test]
    fn names_line_and_column_of_what_is_no_number() {
        let comma = |text: &str| read(text, Separator::One(b','), 2, &[0, 1]).unwrap_err();
        assert_eq!(comma("1,2\n3,x4\n"), "line 2, column 2 (c1): 'x4' is not a number");
        assert_eq!(comma("1,2\n3.5e,4\n"), "line 2, column 1 (c0): '3.5e' is not a number");
        assert_eq!(comma("1,2\n3,4 5\n"), "line 2, column 2 (c1): '4 5' is not a number");
        assert_eq!(comma("1, \n"), "line 1, column 2 (c1): the value is missing");
        assert_eq!(comma("1,\"2\n"), "line 1, column 2 (c1): '\"2' is not a number");
        assert_eq!(comma("0x10,2\n"), "line 1, column 1 (c0): '0x10' is not a number");
        let blanks = read("1 2\n1 2x\n", Separator::Blanks, 2, &[0, 1]).unwrap_err();
        assert_eq!(blanks, "line 2, column 2 (c1): '2x' is not a number");
    }

    #[test]
    fn names_the_line_of_a_row_of_wrong_width() {
        let comma = |text: &str| read(text, Separator::One(b','), 2, &[0, 1]).unwrap_err();
        assert_eq!(comma("1,2\n\n3\n"), "line 3: the row has 1 value, but there are 2 columns");
        assert_eq!(comma("1,2,3"), "line 1: the row has 3 values, but there are 2 columns");
        assert_eq!(comma("1,2,\n"), "line 1: the row has 3 values, but there are 2 columns");
        let blanks = |text: &str| read(text, Separator::Blanks, 2, &[0, 1]).unwrap_err();
        assert_eq!(blanks("1\n"), "line 1: the row has 1 value, but there are 2 columns");
        assert_eq!(blanks("1 2 3\n"), "line 1: the row has 3 values, but there are 2 columns");
    }

    #[test]
    fn blocks_join_in_order_and_count_lines_across_them() {
        let count = 300_000;
        let mut text: String = (0..count).map(|k| format!("{k},{}\n", k * 2)).collect();
        assert!(text.len() > 3 * BLOCK);
        let rows = read(&text, Separator::One(b','), 2, &[0, 1]).unwrap();
        assert!(rows.iter().enumerate().all(|(k, row)| row[..] == [k as f64, 2.0 * k as f64]));
        text.push_str("1,oops\n");
        let error = read(&text, Separator::One(b','), 2, &[0, 1]).unwrap_err();
        assert_eq!(error, format!("line {}, column 2 (c1): 'oops' is not a number", count + 1));
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt(b" a\x07\n"), "a\\u{7}");
        assert_eq!(excerpt(&[b'x'; 100]), format!("{}...", "x".repeat(40)));
    }
}
