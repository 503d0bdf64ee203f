//! Contact lists as CSV: `i,j`, image shifts in periodic domains, `overlap`.

use super::numbers::{push_float, push_integer};
use super::text::write_rows;
use crate::system::AXES;
use anyhow::Result;
use multigrain::{Pair, Pairs, Snapshot};
use std::io::Write;

/// Writes contacts in the order of the list, second bodies counted from `first` on.
pub fn write<const D: usize>(out: &mut dyn Write, now: &Snapshot<'_, D>, pairs: &Pairs<D>, first: u32) -> Result<()> {
    let is_periodic = now.domain().has_images();
    write!(out, "i,j,")?;
    for axis in AXES.iter().take(if is_periodic { D } else { 0 }) {
        write!(out, "s{axis},")?;
    }
    writeln!(out, "overlap")?;
    write_rows(out, pairs.len(), 48, |k, text| {
        let [i, j] = pairs.as_slice()[k];
        let shift = if is_periodic { pairs.shifts()[k] } else { [0; D] };
        push_row(text, now, Pair { i, j, shift }, is_periodic, first);
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
    text.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Domain;

    fn text<const D: usize>(now: Snapshot<'_, D>, pairs: &Pairs<D>) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes, &now, pairs, 0).unwrap();
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
    fn periodic_lists_have_shifts() {
        let now = Snapshot::new(&[[0.5, 0.5, 0.5], [9.5, 0.5, 0.5]], &[1.0, 1.0]).unwrap();
        let now = now.within(Domain::periodic([0.0; 3], [10.0; 3]).unwrap()).unwrap();
        let mut pairs = Pairs::new();
        pairs.extend(&[[0, 1]], &[[-1, 0, 0]]);
        assert_eq!(text(now, &pairs), "i,j,sx,sy,sz,overlap\n0,1,-1,0,0,1\n");
        assert_eq!(text(now, &Pairs::new()), "i,j,sx,sy,sz,overlap\n");
    }
}
