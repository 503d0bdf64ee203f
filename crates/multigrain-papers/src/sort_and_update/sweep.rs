//! Start-up by sort and sweep: all pairs of overlapping boxes from sorted ends.
//!
//! A plain sweep along one axis tests all pairs that overlap along it, far too many where bodies share a plane or a size
//! ratio is large. Here only small sets are swept; large ones are cut in half along one axis after the other, in the manner
//! of a streamed segment tree (Zomorodian and Edelsbrunner), where a box that spans a whole half is not cut but compared
//! along the next axis. That is O(N log^D N) and the pairs found, for boxes of any shape anywhere.
//!
//! Boxes are measured by the ranks of their ends in the sorted lists: no two boxes begin at the same rank, so every pair is
//! found once, from the one that begins first.

use super::end_list::EndList;
use super::pair_list::key;
use super::spans::Spans;
use crate::classics::Stop;
use multigrain::threads;

/// Boxes up to which two sets are swept. Found by trial on `uv100`.
const SMALL: usize = 256;

/// Boxes of one set up to which it is swept against any other.
const FEW: usize = 24;

/// Boxes from which on halves are worth a thread each.
const WORTH_A_THREAD: usize = 1 << 13;

/// Pairs of boxes, as keys, and how many were compared to find them.
pub(super) struct SweptPairs<'a> {
    pub keys: Vec<u64>,
    pub compared: u64,
    /// Whether nobody wants the rest.
    stop: Stop<'a>,
}

/// All pairs of boxes that overlap, in ascending order and each once. In domains with images: all pairs of which any
/// images do, also a body and its own.
pub(super) fn overlapping_boxes<'a, const D: usize>(
    lists: &[EndList; D],
    spans: &Spans<D>,
    stop: Stop<'a>,
) -> SweptPairs<'a> {
    let mut found = SweptPairs { keys: Vec::new(), compared: 0, stop };
    if stop() {
        return found;
    }
    let pieces = pieces(lists, spans);
    match D {
        0 => (),
        1 => sweep_points(&pieces, &pieces, &mut found),
        _ => search(&pieces, &pieces, D - 1, &mut found),
    }
    drop(pieces);
    if stop() {
        found.keys.clear();
        return found;
    }
    if spans.have_turns() {
        let meets_itself = |id: &usize| spans.images(*id, *id).last != [0; D];
        found.keys.extend((0..spans.len()).filter(meets_itself).map(|id| key(id as u32, id as u32)));
    }
    found.keys.sort_unstable();
    // Boxes that reach around the period may meet more than once.
    found.keys.dedup();
    found
}

/// A box in ranks; on periodic axes the part of it within one period.
#[derive(Debug, Clone, Copy)]
struct Piece<const D: usize> {
    lo: [u32; D],
    hi: [u32; D],
    id: u32,
    /// A bit per axis: set if this is what reaches around the period, the rest of the box being another piece.
    around: u32,
}

/// Where a box lies along one axis: a range of ranks, or two where it reaches around the period.
#[derive(Debug, Clone, Copy, Default)]
struct Ranks {
    lo: u32,
    hi: u32,
    /// Rank of the lower end of the piece that reaches around, and of the upper one; not there if zero.
    around: Option<(u32, u32)>,
}

/// All boxes, or the pieces of those that cross a periodic border, by where they begin along the first axis.
fn pieces<const D: usize>(lists: &[EndList; D], spans: &Spans<D>) -> Vec<Piece<D>> {
    let mut ranks = vec![[Ranks::default(); D]; spans.len()];
    for (axis, list) in lists.iter().enumerate() {
        let mut clipped = 0;
        for (rank, (id, side)) in (0u32..).zip(list.iter()) {
            let ranks = &mut ranks[id][axis];
            *(if side == 0 { &mut ranks.lo } else { &mut ranks.hi }) = rank;
        }
        if !spans.have_turns() {
            continue;
        }
        // What reaches around begins before all else, each piece at a rank of its own.
        let last = 2 * spans.len() as u32;
        for (id, ranks) in ranks.iter_mut().enumerate() {
            let ranks = &mut ranks[axis];
            let [begin, end] = spans.turns(id, axis);
            match end - begin {
                0 => (),
                1 if ranks.hi < ranks.lo => {
                    ranks.around = Some((clipped, ranks.hi));
                    ranks.hi = last;
                    clipped += 1;
                }
                _ => {
                    // All of the axis.
                    ranks.around = Some((clipped, last));
                    clipped += 1;
                }
            }
        }
        for ranks in &mut ranks {
            let ranks = &mut ranks[axis];
            ranks.lo += clipped;
            ranks.hi += clipped;
            if let Some((lo, hi)) = ranks.around {
                ranks.around = Some((lo, hi + clipped));
                if hi == last {
                    (ranks.lo, ranks.hi, ranks.around) = (lo, hi + clipped, None);
                }
            }
        }
    }
    let mut pieces = Vec::with_capacity(spans.len());
    for (id, _) in lists[0].iter().filter(|&(_, side)| side == 0) {
        let ranks = &ranks[id];
        for around in 0..1u32 << D {
            if (0..D).any(|axis| around >> axis & 1 == 1 && ranks[axis].around.is_none()) {
                continue;
            }
            let mut piece =
                Piece { lo: ranks.map(|ranks| ranks.lo), hi: ranks.map(|ranks| ranks.hi), id: id as u32, around };
            for axis in 0..D {
                if let (1, Some((lo, hi))) = (around >> axis & 1, ranks[axis].around) {
                    (piece.lo[axis], piece.hi[axis]) = (lo, hi);
                }
            }
            pieces.push(piece);
        }
    }
    // In order already, but for what reaches around.
    pieces.sort_by_key(|piece| piece.lo[0]);
    pieces
}

/// Finds the pairs of a box of `inside` and one of `begins` where the second begins inside the first along `axis` and both
/// overlap along all axes before it. Both come in the order in which they begin along the first axis.
fn search<const D: usize>(inside: &[Piece<D>], begins: &[Piece<D>], axis: usize, found: &mut SweptPairs<'_>) {
    if inside.is_empty() || begins.is_empty() || (found.stop)() {
        return;
    }
    if axis == 0 {
        return sweep_points(inside, begins, found);
    }
    let (less, more) = (inside.len().min(begins.len()), inside.len().max(begins.len()));
    if less <= FEW || more <= SMALL {
        return sweep(inside, begins, axis, found);
    }
    let mut starts: Vec<u32> = begins.iter().map(|piece| piece.lo[axis]).collect();
    let half = starts.len() / 2;
    let (before, &mut middle, after) = starts.select_nth_unstable(half);
    let first = before.iter().copied().min().unwrap_or(middle);
    let last = after.iter().copied().max().unwrap_or(middle);
    drop(starts);
    let mut across = Vec::new();
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for piece in inside.iter().filter(|piece| piece.lo[axis] <= last && piece.hi[axis] >= first) {
        if piece.lo[axis] < first && piece.hi[axis] > last {
            across.push(*piece);
            continue;
        }
        if piece.lo[axis] < middle {
            lower.push(*piece);
        }
        if piece.hi[axis] >= middle {
            upper.push(*piece);
        }
    }
    let along_next = |found: &mut SweptPairs<'_>| {
        search(&across, begins, axis - 1, found);
        search(begins, &across, axis - 1, found);
    };
    let in_halves = |found: &mut SweptPairs<'_>| {
        let (low, high): (Vec<_>, Vec<_>) =
            begins.iter().copied().partition(|piece: &Piece<D>| piece.lo[axis] < middle);
        in_parallel(more, |found| search(&lower, &low, axis, found), |found| search(&upper, &high, axis, found), found);
    };
    in_parallel(more, along_next, in_halves, found);
}

/// Does both, by two threads if `boxes` are worth it and threads are there.
fn in_parallel(
    boxes: usize,
    first: impl FnOnce(&mut SweptPairs<'_>) + Send,
    second: impl FnOnce(&mut SweptPairs<'_>) + Send,
    found: &mut SweptPairs<'_>,
) {
    if boxes < WORTH_A_THREAD || !threads::available() {
        first(found);
        second(found);
        return;
    }
    let mut other = SweptPairs { keys: Vec::new(), compared: 0, stop: found.stop };
    rayon::join(|| first(found), || second(&mut other));
    found.keys.append(&mut other.keys);
    found.compared += other.compared;
}

/// The search along the first axis, where all that begins inside is a pair.
fn sweep_points<const D: usize>(inside: &[Piece<D>], begins: &[Piece<D>], found: &mut SweptPairs<'_>) {
    let mut next = 0;
    for piece in inside {
        if (found.stop)() {
            return;
        }
        while next < begins.len() && begins[next].lo[0] <= piece.lo[0] {
            next += 1;
        }
        let partners = begins[next..].iter().take_while(|other| other.lo[0] < piece.hi[0]);
        for other in partners {
            found.compared += 1;
            found.add(piece, other);
        }
    }
}

/// The search in small sets: a sweep along the first axis.
fn sweep<const D: usize>(inside: &[Piece<D>], begins: &[Piece<D>], axis: usize, found: &mut SweptPairs<'_>) {
    let (mut i, mut b) = (0, 0);
    while i < inside.len() && b < begins.len() {
        let (piece, other) = (&inside[i], &begins[b]);
        if piece.lo[0] < other.lo[0] {
            for other in begins[b..].iter().take_while(|other| other.lo[0] < piece.hi[0]) {
                found.compare(piece, other, axis);
            }
            i += 1;
        } else {
            for piece in inside[i..].iter().take_while(|piece| piece.lo[0] < other.hi[0]) {
                found.compare(piece, other, axis);
            }
            b += 1;
        }
    }
}

impl SweptPairs<'_> {
    /// Compares two boxes that overlap along the first axis: is the start of the second inside the first along `axis`,
    /// and do they overlap along all axes between?
    #[inline]
    fn compare<const D: usize>(&mut self, inside: &Piece<D>, begins: &Piece<D>, axis: usize) {
        self.compared += 1;
        let is_inside = inside.lo[axis] < begins.lo[axis] && begins.lo[axis] < inside.hi[axis];
        if is_inside && (1..axis).all(|axis| inside.lo[axis] < begins.hi[axis] && begins.lo[axis] < inside.hi[axis]) {
            self.add(inside, begins);
        }
    }

    #[inline]
    fn add<const D: usize>(&mut self, a: &Piece<D>, b: &Piece<D>) {
        // Two boxes that both reach around the period meet at its end already, with their other pieces.
        if a.around & b.around == 0 && a.id != b.id {
            self.keys.push(key(a.id, b.id));
        }
    }
}
