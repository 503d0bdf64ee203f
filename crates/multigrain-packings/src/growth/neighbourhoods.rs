//! Who may meet whom: every ball's neighbours, as long as no ball leaves its neighbourhood.
//!
//! A ball's neighbourhood is a sphere around where it was when its list was made. It holds the ball, grown to the end of
//! the stage, while the center moves no further than the ball's `freedom`. Two balls can meet only if their
//! neighbourhoods overlap, so lists are made again, one ball at a time, only when a ball leaves.

use super::ball::{Ball, dot};
use super::cells::BallCells;
use multigrain::Error;
use multigrain::Pairs;
use multigrain::Snapshot;
use multigrain::{Axes, Dimension, Domain};

/// Neighbourhoods are larger by this factor than they need be, so that rounding loses no pair.
const SLACK: f64 = 1.0 + 1e-9;

/// An image of a ball: `shift` counts periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Neighbour<const D: usize> {
    pub ball: u32,
    pub shift: [i8; D],
}

/// Lists of neighbours, kept mutual, and the cells that find new ones.
pub(super) struct Neighbourhoods<const D: usize> {
    domain: Domain<D>,
    cells: BallCells<D>,
    lists: Vec<Vec<Neighbour<D>>>,
    anchors: Vec<Anchor<D>>,
    /// A list being made.
    fresh: Vec<Neighbour<D>>,
}

/// Where a ball was when its list was made, how far it may go, and how much room it has to itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor<const D: usize> {
    pub center: [f64; D],
    pub freedom: f64,
    radius: f64,
}

impl<const D: usize> Neighbourhoods<D>
where
    Axes: Dimension<D>,
{
    /// Neighbourhoods of all balls where they are now, for a stage in which radii grow up to `scale` times the final
    /// ones, and in which each ball may move as far as its `freedom`.
    pub fn new(
        balls: &[Ball<D>],
        domain: Domain<D>,
        scale: f64,
        freedom: impl Fn(usize) -> f64,
    ) -> Result<Self, Error> {
        let anchor = |(i, ball): (usize, &Ball<D>)| {
            let freedom = freedom(i);
            Anchor { center: ball.center, freedom, radius: (scale * ball.radius + freedom) * SLACK }
        };
        let anchors: Vec<Anchor<D>> = balls.iter().enumerate().map(anchor).collect();
        let centers: Vec<[f64; D]> = balls.iter().map(|ball| ball.center).collect();
        let radii: Vec<f64> = anchors.iter().map(|anchor| anchor.radius).collect();
        let pairs = multigrain::find_pairs(Snapshot::new(&centers, &radii)?.within(domain)?);
        let cells = BallCells::new(domain, anchors.iter().map(|anchor| (anchor.center, anchor.radius)));
        let mut made = Self { domain, cells, lists: vec![Vec::new(); balls.len()], anchors, fresh: Vec::new() };
        made.fill(&pairs);
        Ok(made)
    }

    fn fill(&mut self, pairs: &Pairs<D>) {
        for pair in pairs.iter() {
            // A ball's own image flies as it does and never meets it.
            if pair.i != pair.j {
                self.join(pair.i, pair.j, narrow(pair.shift));
            }
        }
    }

    /// The neighbours of a ball.
    #[inline]
    pub fn of(&self, ball: u32) -> &[Neighbour<D>] {
        &self.lists[ball as usize]
    }

    /// Where a ball was when its list was made, and how far it may go from there.
    #[inline]
    pub fn anchor(&self, ball: u32) -> &Anchor<D> {
        &self.anchors[ball as usize]
    }

    /// A new list for a ball that is now at `center`, inside the box.
    pub fn renew(&mut self, ball: u32, center: [f64; D]) {
        let i = ball as usize;
        // Lists are taken out while others change, and put back for their memory.
        let mut list = std::mem::take(&mut self.lists[i]);
        for neighbour in list.drain(..) {
            let back = Neighbour { ball, shift: neighbour.shift.map(|shift| -shift) };
            let others = &mut self.lists[neighbour.ball as usize];
            if let Some(place) = others.iter().position(|entry| *entry == back) {
                others.swap_remove(place);
            }
        }
        self.lists[i] = list;
        self.anchors[i].center = center;
        self.cells.move_to(ball, center);
        let radius = self.anchors[i].radius;
        let mut fresh = std::mem::take(&mut self.fresh);
        self.cells.visit_near(center, radius, |other, shift| {
            let anchor = &self.anchors[other as usize];
            let moved = self.domain.translation(shift.map(i32::from));
            let apart: [f64; D] = std::array::from_fn(|axis| (anchor.center[axis] - center[axis]) + moved[axis]);
            if dot(apart, apart) < (radius + anchor.radius).powi(2) && other != ball {
                fresh.push(Neighbour { ball: other, shift });
            }
        });
        for neighbour in fresh.drain(..) {
            self.join(ball, neighbour.ball, neighbour.shift);
        }
        self.fresh = fresh;
    }

    /// Makes the image of `j` by `shift` a neighbour of `i`, and the other way round.
    fn join(&mut self, i: u32, j: u32, shift: [i8; D]) {
        self.lists[i as usize].push(Neighbour { ball: j, shift });
        self.lists[j as usize].push(Neighbour { ball: i, shift: shift.map(|shift| -shift) });
    }
}

/// Shifts are small: balls stay near the box, and no ball is longer than the box.
fn narrow<const D: usize>(shift: [i32; D]) -> [i8; D] {
    shift.map(|shift| i8::try_from(shift).expect("neighbours are a few boxes away at most"))
}
