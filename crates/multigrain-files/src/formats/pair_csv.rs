//! Contact lists as CSV: `i,j`, image shifts in periodic domains, `overlap`, and the ids of both where there are some.

use super::numbers::{push_float, push_integer};
use super::text::write_rows;
use crate::error::Result;
use crate::system::AXES;
use multigrain::{Pairs, Snapshot};
use std::io::Write;

/// What a list of contacts says beyond the contacts themselves.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ListLabels<'a> {
    /// Ids of the particles, for the columns `id_i` and `id_j`.
    pub ids: Option<ListIds<'a>>,
    /// The frame, for the column `frame`, which comes first. Only frame 0 writes the header.
    pub frame: Option<usize>,
    /// In lists between two sets: how many bodies are of the first, after which those of the second are counted from 0 again.
    pub first: u32,
}

/// Ids that particles have in the file that they are from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ListIds<'a> {
    /// Of all particles, by index.
    All(&'a [i64]),
    /// Of those that the contacts are of, by their indices, which are sorted.
    Some {
        /// The indices.
        indices: &'a [u64],
        /// The id of each.
        ids: &'a [i64],
    },
}

impl ListIds<'_> {
    /// The id of a particle.
    fn of(&self, index: u64) -> i64 {
        match self {
            Self::All(ids) => ids[index as usize],
            Self::Some { indices, ids } => ids[indices.partition_point(|&other| other < index)],
        }
    }
}

/// A contact as lists have it, by indices that may not fit 32 bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactRow<const D: usize> {
    /// The particle with the smaller index.
    pub i: u64,
    /// The other one.
    pub j: u64,
    /// How many periods the image of `j` lies from `j`.
    pub shift: [i32; D],
    /// How deep they overlap.
    pub overlap: f64,
}

/// Writes contacts in the order of the list.
pub fn write<const D: usize>(
    out: &mut dyn Write,
    now: &Snapshot<'_, D>,
    pairs: &Pairs<D>,
    labels: ListLabels<'_>,
) -> Result<()> {
    let is_periodic = now.domain().has_images();
    if labels.frame.unwrap_or(0) == 0 {
        write_header::<D>(out, is_periodic, labels)?;
    }
    write_contacts(out, pairs.len(), is_periodic, labels, |k| {
        let [i, j] = pairs.as_slice()[k];
        let shift = if is_periodic { pairs.shifts()[k] } else { [0; D] };
        let overlap = now.overlap_depth(i as usize, j as usize, shift);
        ContactRow { i: i.into(), j: j.into(), shift, overlap }
    })
}

/// Writes the names of the columns.
pub fn write_header<const D: usize>(out: &mut dyn Write, is_periodic: bool, labels: ListLabels<'_>) -> Result<()> {
    write!(out, "{}i,j,", if labels.frame.is_some() { "frame," } else { "" })?;
    for axis in AXES.iter().take(if is_periodic { D } else { 0 }) {
        write!(out, "s{axis},")?;
    }
    Ok(writeln!(out, "overlap{}", if labels.ids.is_some() { ",id_i,id_j" } else { "" })?)
}

/// Writes a line for each contact.
pub fn write_contacts<const D: usize>(
    out: &mut dyn Write,
    count: usize,
    is_periodic: bool,
    labels: ListLabels<'_>,
    contact: impl Fn(usize) -> ContactRow<D> + Sync,
) -> Result<()> {
    write_rows(out, count, 48, |k, text| {
        let row = contact(k);
        if let Some(frame) = labels.frame {
            push_integer(text, frame);
            text.push(b',');
        }
        push_integer(text, row.i);
        text.push(b',');
        push_integer(text, row.j - u64::from(labels.first));
        text.push(b',');
        for &component in row.shift.iter().take(if is_periodic { D } else { 0 }) {
            push_integer(text, component);
            text.push(b',');
        }
        push_float(text, row.overlap);
        if let Some(ids) = labels.ids {
            for particle in [row.i, row.j] {
                text.push(b',');
                push_integer(text, ids.of(particle));
            }
        }
        text.push(b'\n');
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Domain;

    fn text<const D: usize>(now: Snapshot<'_, D>, pairs: &Pairs<D>) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes, &now, pairs, ListLabels::default()).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn open_lists_have_no_shifts() {
        let now = Snapshot::new(&[[0.0, 0.0], [1.5, 0.0]], &[1.0, 1.0]).unwrap();
        let mut pairs = Pairs::new();
        assert_eq!(text(now, &pairs), "i,j,overlap\n");
        pairs.extend(&[[0, 1]], &[]);
        assert_eq!(text(now, &pairs), "i,j,overlap\n0,1,0.5\n");
    }

    #[test]
    fn ids_and_frames_have_columns_of_their_own() {
        let now = Snapshot::new(&[[0.0, 0.0], [1.5, 0.0]], &[1.0, 1.0]).unwrap();
        let mut pairs = Pairs::new();
        pairs.extend(&[[0, 1]], &[]);
        let mut bytes = Vec::new();
        for (frame, ids) in
            [ListIds::All(&[17, -205]), ListIds::Some { indices: &[0, 1], ids: &[17, -205] }].into_iter().enumerate()
        {
            write(&mut bytes, &now, &pairs, ListLabels { ids: Some(ids), frame: Some(frame), first: 0 }).unwrap();
        }
        let expected = "frame,i,j,overlap,id_i,id_j\n0,0,1,0.5,17,-205\n1,0,1,0.5,17,-205\n";
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    }

    #[test]
    fn periodic_lists_have_shifts() {
        let now = Snapshot::new(&[[0.5, 0.5, 0.5], [9.5, 0.5, 0.5]], &[1.0, 1.0]).unwrap();
        let now = now.within(Domain::periodic([0.0; 3], [10.0; 3]).unwrap()).unwrap();
        let mut pairs = Pairs::new();
        pairs.extend(&[[0, 1]], &[[-1, 0, 0]]);
        assert_eq!(text(now, &pairs), "i,j,sx,sy,sz,overlap\n0,1,-1,0,0,1\n");
        assert_eq!(text(now, &Pairs::new()), "i,j,sx,sy,sz,overlap\n");
    }
}
