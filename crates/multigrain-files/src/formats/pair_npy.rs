//! Contact lists as NPY: (M, 2) uint32, in periodic domains (M, 2 + D) int64 with the image shifts.

use super::npy::{write_header, write_rows};
use crate::error::Result;
use multigrain::{Pairs, Snapshot};
use std::io::Write;

/// Writes contacts in the order of the list, second bodies counted from `first` on.
pub fn write<const D: usize>(out: &mut dyn Write, now: &Snapshot<'_, D>, pairs: &Pairs<D>, first: u32) -> Result<()> {
    let is_periodic = now.domain().has_images();
    write_head::<D>(out, pairs.len(), is_periodic)?;
    write_contacts(out, pairs.len(), is_periodic, first, |k| {
        let [i, j] = pairs.as_slice()[k].map(u64::from);
        (i, j, if is_periodic { pairs.shifts()[k] } else { [0; D] })
    })
}

/// Writes what stands before the rows.
pub fn write_head<const D: usize>(out: &mut dyn Write, contacts: usize, is_periodic: bool) -> Result<()> {
    if is_periodic { write_header(out, "<i8", contacts, 2 + D) } else { write_header(out, "<u4", contacts, 2) }
}

/// Writes a row for each contact.
pub fn write_contacts<const D: usize>(
    out: &mut dyn Write,
    count: usize,
    is_periodic: bool,
    first: u32,
    contact: impl Fn(usize) -> (u64, u64, [i32; D]),
) -> Result<()> {
    write_rows(out, count, |k, row| {
        let (i, j, shift) = contact(k);
        let j = j - u64::from(first);
        if !is_periodic {
            return row.extend_from_slice(&(i | j << 32).to_le_bytes());
        }
        for index in [i, j] {
            row.extend_from_slice(&index.to_le_bytes());
        }
        for component in shift {
            row.extend_from_slice(&i64::from(component).to_le_bytes());
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Domain;

    #[test]
    fn open_lists_are_two_columns_of_u32() {
        let now = Snapshot::new(&[[0.0; 2]; 3], &[1.0; 3]).unwrap();
        let mut pairs = Pairs::new();
        pairs.extend(&[[0, 1], [1, 2]], &[]);
        let mut bytes = Vec::new();
        write(&mut bytes, &now, &pairs, 0).unwrap();
        let (header, data) = bytes.split_at(128);
        assert!(
            header.starts_with(b"\x93NUMPY\x01\x00\x76\x00{'descr': '<u4', 'fortran_order': False, 'shape': (2, 2), }")
        );
        assert_eq!(data, [0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
    }

    #[test]
    fn periodic_lists_are_columns_of_i64() {
        let now = Snapshot::new(&[[0.5; 2]; 2], &[0.1; 2]).unwrap();
        let now = now.within(Domain::periodic([0.0; 2], [1.0; 2]).unwrap()).unwrap();
        let mut pairs = Pairs::new();
        pairs.extend(&[[0, 1]], &[[-1, 2]]);
        let mut bytes = Vec::new();
        write(&mut bytes, &now, &pairs, 0).unwrap();
        let (header, data) = bytes.split_at(128);
        assert!(String::from_utf8_lossy(header).contains("'descr': '<i8', 'fortran_order': False, 'shape': (1, 4), "));
        let values: Vec<i64> = data.as_chunks::<8>().0.iter().map(|&bytes| i64::from_le_bytes(bytes)).collect();
        assert_eq!(values, [0, 1, -1, 2]);
    }
}
