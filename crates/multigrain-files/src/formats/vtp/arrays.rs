//! Numbers of a `<DataArray>`, however they are written.

use super::super::rows::{excerpt, line_number};
use super::base64;
use super::xml::Element;
use crate::error::{Error, Result, fault, hinted};
use std::cell::Cell;

/// Numbers for each byte of a file, in all of its arrays: a byte may be a number, and a field may be looked at several times.
const MAX_PER_BYTE: usize = 4;

/// How a file writes its arrays.
#[derive(Debug, Clone)]
pub struct Encoding<'a> {
    pub file: &'a [u8],
    /// Numbers that may still be read: arrays that share their bytes would be longer than any file.
    left: Cell<usize>,
    /// Bytes of the number that says how long an array is.
    header: usize,
    is_big_endian: bool,
    /// What `<AppendedData>` holds behind its underscore, and whether it is base64.
    appended: Option<(&'a [u8], bool)>,
}

impl<'a> Encoding<'a> {
    /// What the outermost element says.
    pub fn new(file: &'a [u8], root: &Element<'_>) -> Result<Self> {
        if let Some(compressor) = root.attribute("compressor") {
            let compressor = excerpt(compressor.as_bytes());
            return Err(hinted(
                root.error(file, format!("its arrays are compressed by {compressor}")).to_string(),
                "write it without compression: in ParaView set Compressor Type to None",
            ));
        }
        let header = match root.attribute("header_type") {
            None | Some("UInt32") => 4,
            Some("UInt64") => 8,
            Some(other) => {
                let other = excerpt(other.as_bytes());
                return Err(root.error(file, format!("header_type is {other}, known are UInt32 and UInt64")));
            }
        };
        let is_big_endian = match root.attribute("byte_order") {
            None | Some("LittleEndian") => false,
            Some("BigEndian") => true,
            Some(other) => {
                let other = excerpt(other.as_bytes());
                return Err(root.error(file, format!("byte_order is {other}, known are LittleEndian and BigEndian")));
            }
        };
        let appended = match root.child("AppendedData") {
            None => None,
            Some(element) => {
                let data = &file[element.text.clone()];
                let start = data.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(data.len());
                let Some((b'_', data)) = data[start..].split_first() else {
                    return Err(element.error(file, "there is no underscore before the data"));
                };
                let is_base64 = match element.attribute("encoding") {
                    None | Some("base64") => true,
                    Some("raw") => false,
                    Some(other) => {
                        let other = excerpt(other.as_bytes());
                        return Err(element.error(file, format!("encoding is {other}, known are raw and base64")));
                    }
                };
                Some((data, is_base64))
            }
        };
        Ok(Self { file, left: Cell::new(MAX_PER_BYTE * file.len()), header, is_big_endian, appended })
    }

    /// All numbers of an array.
    pub fn numbers(&self, array: &Element<'_>) -> Result<Vec<f64>> {
        let numbers = self.decoded(array)?;
        let left = self.left.get().checked_sub(numbers.len());
        self.left.set(left.ok_or_else(|| array.error(self.file, "arrays share their numbers too many times over"))?);
        Ok(numbers)
    }

    fn decoded(&self, array: &Element<'_>) -> Result<Vec<f64>> {
        match array.attribute("format") {
            None | Some("ascii") => self.ascii(array),
            Some("binary") => {
                let text = &self.file[array.text.clone()];
                self.values(array, self.in_base64(array, text)?)
            }
            Some("appended") => {
                let offset = array.attribute("offset").and_then(|offset| offset.trim().parse::<usize>().ok());
                let offset = offset.ok_or_else(|| array.error(self.file, "it is appended, but has no offset"))?;
                let Some((data, is_base64)) = self.appended else {
                    return Err(array.error(self.file, "it is appended, but there is no <AppendedData>"));
                };
                let data = data.get(offset..).ok_or_else(|| self.cut_short(array))?;
                if is_base64 {
                    return self.values(array, self.in_base64(array, data)?);
                }
                let length = self.length(array, data)?;
                let end = self.header.checked_add(length).ok_or_else(|| self.cut_short(array))?;
                self.values(array, data.get(self.header..end).ok_or_else(|| self.cut_short(array))?)
            }
            Some(other) => {
                let other = excerpt(other.as_bytes());
                Err(array.error(self.file, format!("format is {other}, known are ascii, binary and appended")))
            }
        }
    }

    fn ascii(&self, array: &Element<'_>) -> Result<Vec<f64>> {
        let (mut numbers, mut offset) = (Vec::new(), array.text.start);
        for word in self.file[array.text.clone()].split(u8::is_ascii_whitespace) {
            if !word.is_empty() {
                numbers.push(fast_float2::parse(word).map_err(|_| {
                    let name = excerpt(array.attribute("Name").unwrap_or_default().as_bytes());
                    let line = line_number(self.file, offset);
                    fault!("line {line}, array {name}: '{}' is not a number", excerpt(word))
                })?);
            }
            offset += word.len() + 1;
        }
        Ok(numbers)
    }

    /// The bytes of an array in base64, its length first.
    fn in_base64(&self, array: &Element<'_>, text: &[u8]) -> Result<Vec<u8>> {
        let length = self.length(array, &base64::decode(text, self.header))?;
        let all = self.header.checked_add(length).ok_or_else(|| self.cut_short(array))?;
        let mut bytes = base64::decode(text, all);
        if bytes.len() < all {
            return Err(self.cut_short(array));
        }
        bytes.drain(..self.header);
        Ok(bytes)
    }

    /// How many bytes an array has, by the number before it.
    fn length(&self, array: &Element<'_>, data: &[u8]) -> Result<usize> {
        let header = data.get(..self.header).ok_or_else(|| self.cut_short(array))?;
        let mut bytes = [0; 8];
        let length = if self.is_big_endian {
            bytes[8 - self.header..].copy_from_slice(header);
            u64::from_be_bytes(bytes)
        } else {
            bytes[..self.header].copy_from_slice(header);
            u64::from_le_bytes(bytes)
        };
        usize::try_from(length).map_err(|_| self.cut_short(array))
    }

    fn cut_short(&self, array: &Element<'_>) -> Error {
        array.error(self.file, "the file is cut short: its numbers are not all there")
    }

    /// Numbers from bytes, by the type of the array.
    fn values(&self, array: &Element<'_>, bytes: impl AsRef<[u8]>) -> Result<Vec<f64>> {
        let bytes = bytes.as_ref();
        let kind = array.attribute("type").unwrap_or("");
        macro_rules! numbers {
            ($($name:literal $type:ty),*) => {
                match kind {
                    $($name => {
                        let (items, rest) = bytes.as_chunks::<{ size_of::<$type>() }>();
                        if !rest.is_empty() {
                            return Err(array.error(self.file, format!("{} bytes are no whole number of {kind}", bytes.len())));
                        }
                        let big = self.is_big_endian;
                        let value = |item: &[u8; size_of::<$type>()]| {
                            (if big { <$type>::from_be_bytes(*item) } else { <$type>::from_le_bytes(*item) }) as f64
                        };
                        Ok(items.iter().map(value).collect())
                    })*
                    _ => Err(array.error(self.file, format!("type is '{}', which is none of VTK's numbers", excerpt(kind.as_bytes())))),
                }
            };
        }
        numbers!("Float64" f64, "Float32" f32, "Int8" i8, "UInt8" u8, "Int16" i16, "UInt16" u16, "Int32" i32, "UInt32" u32, "Int64" i64, "UInt64" u64)
    }
}
