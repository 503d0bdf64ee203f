//! Contact lists as CSV: `i,j`, image shifts in periodic domains, `overlap`, and the ids of both where there are some.

use super::numbers::{push_float, push_integer};
use super::text::write_rows;
use crate::system::AXES;
use anyhow::Result;
use multigrain::{Pair, Pairs, Snapshot};
use std::io::Write;

/// What a list of contacts says beyond the contacts themselves.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ListLabels<'a> {
    /// Ids of the particles, for the columns `id_i` and `id_j`.
    pub ids: Option<&'a [i64]>,
    /// The frame, for the column `frame`, which comes first. Only frame 0 writes the header.
    pub frame: Option<usize>,
    /// In lists between two sets: how many bodies are of the first, after which those of the second are counted from 0 again.
    pub first: u32,
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
        write!(out, "{}i,j,", if labels.frame.is_some() { "frame," } else { "" })?;
        for axis in AXES.iter().take(if is_periodic { D } else { 0 }) {
            write!(out, "s{axis},")?;
        }
        writeln!(out, "overlap{}", if labels.ids.is_some() { ",id_i,id_j" } else { "" })?;
    }
    write_rows(out, pairs.len(), 48, |k, text| {
        let [i, j] = pairs.as_slice()[k];
        let shift = if is_periodic { pairs.shifts()[k] } else { [0; D] };
        if let Some(frame) = labels.frame {
            push_integer(text, frame);
            text.push(b',');
        }
        push_row(text, now, Pair { i, j, shift }, is_periodic, labels.first);
        if let Some(ids) = labels.ids {
            for particle in [i, j] {
                text.push(b',');
                push_integer(text, ids[particle as usize]);
            }
        }
        text.push(b'\n');
    })
}

fn push_row<const D: usize>(text: &mut Vec<u8>, now: &Snapshot<'_, D>, pair: Pair<D>, is_periodic: bool, first: u32) {
    push_integer(text, pair.i);
    text.push(b',');
    push_integer(text, pair.j - first);
    text.push(b',');
    for &component in pair.shift.iter().take(if is_periodic { D } else { 0 }) {
        push_integer(text, component);
        text.push(b',');
    }
    push_float(text, now.overlap_depth(pair.i as usize, pair.j as usize, pair.shift));
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
        for frame in [0, 1] {
            write(&mut bytes, &now, &pairs, ListLabels { ids: Some(&[17, -205]), frame: Some(frame), first: 0 })
                .unwrap();
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
