//! Bytes on their way out and in, a block at a time, with a checksum.

use super::Value;
use crate::checksum::Checksum;
use crate::error::Error;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Bytes that are gathered before they are handed on, or read at once.
const BLOCK: usize = 1 << 16;

/// What can be read twice.
pub trait Input: Read + Seek {}

impl<T: Read + Seek> Input for T {}

/// Takes bytes, adds them up, and hands them on in blocks.
pub struct Sink<'a> {
    out: &'a mut dyn Write,
    block: Vec<u8>,
    sum: Checksum,
    /// The first failure: nothing is handed on after it.
    result: io::Result<()>,
    /// Bytes that were handed on.
    handed: usize,
    lists: Vec<List>,
}

/// A list that parts of a simulation have pieces of: where its number of items stands, and where its items end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct List {
    pub count_at: usize,
    pub count: u64,
    pub end: usize,
}

impl<'a> Sink<'a> {
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self {
            out,
            block: Vec::with_capacity(BLOCK + 64),
            sum: Checksum::default(),
            result: Ok(()),
            handed: 0,
            lists: Vec::new(),
        }
    }

    /// A list of particles, or of something of theirs, begins: how many items.
    pub fn begin_list(&mut self, count: u64) {
        self.lists.push(List { count_at: self.handed + self.block.len(), count, end: 0 });
        self.put(&count);
    }

    /// The list is over.
    pub fn end_list(&mut self) {
        let end = self.handed + self.block.len();
        if let Some(list) = self.lists.last_mut() {
            list.end = end;
        }
    }

    #[inline]
    pub fn put(&mut self, value: &impl Value) {
        value.write(&mut self.block);
        if self.block.len() >= BLOCK {
            self.hand_on();
        }
    }

    /// A list of bytes: their number, and they, filled up to whole words.
    pub fn put_bytes(&mut self, bytes: &[u8]) {
        self.put(&(bytes.len() as u64));
        self.block.extend_from_slice(bytes);
        self.block.resize(self.block.len().next_multiple_of(8), 0);
    }

    fn hand_on(&mut self) {
        self.sum.add(&self.block);
        if self.result.is_ok() {
            self.result = self.out.write_all(&self.block);
        }
        self.handed += self.block.len();
        self.block.clear();
    }

    /// Hands on what is left, and the checksum of all.
    pub fn end(mut self) -> io::Result<()> {
        self.hand_on();
        self.result?;
        self.out.write_all(&self.sum.end().to_le_bytes())
    }

    /// Hands on what is left, without the checksum. Which lists there were.
    pub fn end_slice(mut self) -> io::Result<Vec<List>> {
        self.hand_on();
        self.result.map(|()| self.lists)
    }
}

/// Gives bytes that were changed the checksum of what they are now, for those who look at what else is checked.
#[doc(hidden)]
pub fn seal(bytes: &mut [u8]) {
    if let Some((body, stands)) = bytes.split_last_chunk_mut::<8>() {
        *stands = Checksum::of(body).end().to_le_bytes();
    }
}

/// What stands behind magic and version in something saved. It is read twice: once for the checksum, once for what it says.
pub fn open(input: &mut (impl Read + Seek), magic: [u8; 8], version: u32) -> Result<Source<'_>, Error> {
    let refuse = |problem: &str| Err(Error::Saved { problem: problem.to_owned() });
    let failed = |error: io::Error| Error::Saved { problem: error.to_string() };
    let length = input.seek(SeekFrom::End(0)).map_err(failed)?;
    let Some(body) = length.checked_sub(8).filter(|&body| body >= 12) else {
        return refuse("it is too short to be one");
    };
    input.rewind().map_err(failed)?;
    let mut source = Source::new(input, body);
    if source.take() != Some(magic) {
        return refuse("it does not begin like a multigrain checkpoint; is it another kind of file?");
    }
    let found = source.take().map(u32::from_le_bytes);
    if found != Some(version) {
        let problem = format!("it has version {}, this program reads {version}", found.unwrap_or(0));
        return Err(Error::Saved { problem });
    }
    input.rewind().map_err(failed)?;
    if !has_right_sum(input, body).map_err(failed)? {
        return refuse("its checksum is wrong: it was cut short or changed; take an earlier one");
    }
    input.rewind().map_err(failed)?;
    let mut source = Source::new(input, body);
    // Magic and version were looked at already.
    let _: Option<[u8; 12]> = source.take();
    Ok(source)
}

/// Whether the checksum behind `body` bytes is theirs.
fn has_right_sum(input: &mut dyn Read, body: u64) -> io::Result<bool> {
    let (mut sum, mut left, mut block) = (Checksum::default(), body, vec![0; BLOCK]);
    while left > 0 {
        let part = &mut block[..left.min(BLOCK as u64) as usize];
        input.read_exact(part)?;
        sum.add(part);
        left -= part.len() as u64;
    }
    let mut stands = [0; 8];
    input.read_exact(&mut stands)?;
    Ok(sum.end() == u64::from_le_bytes(stands))
}

/// Gives bytes that are read a block at a time.
pub struct Source<'a> {
    input: &'a mut dyn Read,
    block: Vec<u8>,
    at: usize,
    /// Bytes that were not taken yet.
    pub left: u64,
}

impl<'a> Source<'a> {
    pub fn new(input: &'a mut dyn Read, length: u64) -> Self {
        Self { input, block: Vec::new(), at: 0, left: length }
    }

    /// The next bytes; nothing where there are fewer, or where they cannot be read.
    #[inline]
    pub fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        if self.block.len() - self.at < N {
            self.refill(N)?;
        }
        let (bytes, _) = self.block[self.at..].split_first_chunk()?;
        self.at += N;
        self.left -= N as u64;
        Some(*bytes)
    }

    fn refill(&mut self, least: usize) -> Option<()> {
        self.block.drain(..self.at);
        self.at = 0;
        let held = self.block.len();
        let more = (self.left - held as u64).min(BLOCK as u64) as usize;
        self.block.resize(held + more, 0);
        self.input.read_exact(&mut self.block[held..]).ok()?;
        (self.block.len() >= least).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_their_sum_is_right() {
        for count in [0, 1, 7, BLOCK / 24, BLOCK / 8, BLOCK / 3 + 5] {
            let items: Vec<[u16; 3]> = (0..count).map(|k| [k as u16, (k >> 16) as u16, 7]).collect();
            let mut bytes = Vec::new();
            let mut sink = Sink::new(&mut bytes);
            items.iter().for_each(|item| sink.put(item));
            sink.end().unwrap();
            let body = bytes.len() as u64 - 8;
            assert_eq!(body, 24 * count as u64);
            assert!(has_right_sum(&mut &bytes[..], body).unwrap());
            let mut input = &bytes[..];
            let mut source = Source::new(&mut input, body);
            assert!(items.iter().all(|item| <[u16; 3]>::read(&mut source) == Some(*item)));
            assert_eq!((source.left, source.take::<1>()), (0, None));
            bytes[body as usize / 2] ^= 1;
            assert!(!has_right_sum(&mut &bytes[..], body).unwrap());
        }
    }

    #[test]
    fn a_failure_is_reported_and_nothing_is_handed_on_after_it() {
        let mut small = [0; 10];
        let mut room = &mut small[..];
        let mut sink = Sink::new(&mut room);
        (0..BLOCK).for_each(|_| sink.put(&7_u64));
        assert_eq!(sink.end().unwrap_err().kind(), io::ErrorKind::WriteZero);
    }
}
