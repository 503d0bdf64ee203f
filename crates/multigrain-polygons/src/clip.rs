//! The common part of two polygons however they overlap: one cut by the edges of the other.

use super::ring::Ring;
use super::vector::{Point, along, cross, sub};

/// A corner of the common part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    pub(super) corner: Point,
    /// Whether the edge that leaves the corner is one of the first body's.
    pub(super) is_of_a: bool,
}

/// Cuts `a` by the edges of `b`. The corners of what is left go round counter-clockwise.
pub(super) fn clip(a: &Ring<'_>, b: &Ring<'_>) -> Vec<Cut> {
    let mut left: Vec<Cut> = (0..a.len()).map(|k| Cut { corner: a.corner(k), is_of_a: true }).collect();
    let mut kept = Vec::with_capacity(left.len() + 2);
    for k in 0..b.len() {
        let (start, edge) = (b.corner(k), b.edge(k));
        let height = |cut: &Cut| cross(edge, sub(cut.corner, start));
        if left.iter().all(|cut| height(cut) >= 0.0) {
            continue;
        }
        kept.clear();
        let Some(mut cut) = left.last() else { break };
        let mut here = height(cut);
        for next in &left {
            let there = height(next);
            if here >= 0.0 {
                kept.push(*cut);
            }
            if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
                let corner = along(cut.corner, sub(next.corner, cut.corner), here / (here - there));
                kept.push(Cut { corner, is_of_a: here < 0.0 && cut.is_of_a });
            } else if here == 0.0 && there < 0.0 {
                // The corner stays, but from it on the boundary follows the edge of `b`.
                if let Some(last) = kept.last_mut() {
                    last.is_of_a = false;
                }
            }
            (cut, here) = (next, there);
        }
        std::mem::swap(&mut left, &mut kept);
        if left.len() < 3 {
            left.clear();
            break;
        }
    }
    left
}
