//! Walking through the header lines of a text file.

use super::rows::{excerpt, line_number};
use crate::error::{Error, Result, fault};
use memchr::{memchr, memchr_iter};
use std::ops::Range;

/// A place between two lines.
pub struct Lines<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> Lines<'a> {
    /// Before the first line.
    pub fn new(file: &'a [u8]) -> Self {
        Self { file, at: 0 }
    }

    /// The next line, or an error if the file ends where `what` should be.
    pub fn next(&mut self, what: &str) -> Result<&'a str> {
        if self.at >= self.file.len() {
            return Err(fault!("the file ends before {what}"));
        }
        let end = memchr(b'\n', &self.file[self.at..]).map_or(self.file.len(), |k| self.at + k);
        let line = &self.file[self.at..end];
        self.at = (end + 1).min(self.file.len());
        std::str::from_utf8(line.trim_ascii()).map_err(|_| self.error("this is not text"))
    }

    /// The bytes of the next `count` lines, or of those there are.
    pub fn take(&mut self, count: usize) -> Range<usize> {
        let rest = &self.file[self.at..];
        let length = match count.checked_sub(1) {
            Some(last) => memchr_iter(b'\n', rest).nth(last).map_or(rest.len(), |k| k + 1),
            None => 0,
        };
        let range = self.at..self.at + length;
        self.at = range.end;
        range
    }

    /// An error if rows go on behind the `count` that were promised: what follows, if anything, must begin a frame.
    pub fn no_more_rows(&self, count: usize, begins_frame: impl Fn(&str) -> bool) -> Result<()> {
        let blanks = self.file[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let mut behind = Self { file: self.file, at: self.at + blanks };
        if behind.at == self.file.len() || behind.next("a row").is_ok_and(begins_frame) {
            return Ok(());
        }
        Err(behind.error(format!("there are more rows than the {count} particles that the header promises")))
    }

    /// An error in the line last read.
    pub fn error(&self, what: impl std::fmt::Display) -> Error {
        fault!("line {}: {what}", line_number(self.file, self.at.saturating_sub(1)))
    }

    /// The number of particles that a line gives.
    pub fn count(&self, line: &str) -> Result<usize> {
        line.trim()
            .parse()
            .map_err(|_| self.error(format!("'{}' is not a number of particles", excerpt(line.as_bytes()))))
    }

    /// A number out of a header line.
    pub fn number(&self, text: &str) -> Result<f64> {
        fast_float2::parse(text).map_err(|_| self.error(format!("'{}' is not a number", excerpt(text.as_bytes()))))
    }
}

/// An error if there are fewer rows than the header promises.
pub fn all_there(rows: usize, promised: usize) -> Result<()> {
    if rows == promised { Ok(()) } else { Err(fault!("the header promises {promised} particles, the file has {rows}")) }
}
