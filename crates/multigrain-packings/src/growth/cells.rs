//! Balls in cells, a grid per class of sizes: who is near a place, found and kept up to date in a fraction of a
//! microsecond.
//!
//! The living grid of the engine answers the same question anywhere in space. Here the box is known and everything is in
//! it, so that cells are plain arrays, which is several times as fast.

use multigrain::Domain;

/// Radii on one level differ by up to this factor.
const LEVEL_WIDTH: f64 = 1.5;

/// Most cells of a level, for each ball.
const MAX_CELLS_PER_BALL: f64 = 4.0;

const NOBODY: u32 = u32::MAX;

/// Balls by level and cell, in a box from 0. Centers and radii are the caller's.
#[derive(Debug)]
pub(super) struct BallCells<const D: usize> {
    domain: Domain<D>,
    levels: Vec<CellLevel<D>>,
    /// Level and cell of each ball, and its neighbours in the list of the cell.
    homes: Vec<Home>,
}

#[derive(Debug)]
struct CellLevel<const D: usize> {
    max_radius: f64,
    /// Cells along each axis.
    counts: [usize; D],
    /// One over their length.
    per_length: [f64; D],
    /// The first ball of each cell.
    heads: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Home {
    level: u32,
    cell: u32,
    next: u32,
    previous: u32,
}

impl<const D: usize> BallCells<D> {
    /// All balls in their cells.
    pub fn new(domain: Domain<D>, spheres: impl ExactSizeIterator<Item = ([f64; D], f64)> + Clone) -> Self {
        let smallest = spheres.clone().map(|(_, radius)| radius).fold(f64::INFINITY, f64::min);
        let class = |radius: f64| ((radius / smallest).ln() / LEVEL_WIDTH.ln()) as usize;
        let mut largest_of_class: Vec<f64> = Vec::new();
        for (_, radius) in spheres.clone() {
            let class = class(radius);
            if class >= largest_of_class.len() {
                largest_of_class.resize(class + 1, 0.0);
            }
            largest_of_class[class] = largest_of_class[class].max(radius);
        }
        let mut level_of_class = Vec::new();
        let mut levels = Vec::new();
        for max_radius in largest_of_class {
            level_of_class.push(levels.len() as u32);
            if max_radius > 0.0 {
                levels.push(CellLevel::new(&domain, max_radius, spheres.len()));
            }
        }
        let nowhere = Home { level: 0, cell: 0, next: NOBODY, previous: NOBODY };
        let mut cells = Self { domain, levels, homes: vec![nowhere; spheres.len()] };
        for (ball, (center, radius)) in spheres.enumerate() {
            cells.homes[ball].level = level_of_class[class(radius)];
            cells.link(ball as u32, center);
        }
        cells
    }

    /// A ball is at `center` now, inside the box.
    pub fn move_to(&mut self, ball: u32, center: [f64; D]) {
        self.unlink(ball);
        self.link(ball, center);
    }

    /// Visits every image of a ball that may come within `radius` plus its own of `center`, with its shift in periods.
    #[inline]
    pub fn visit_near(&self, center: [f64; D], radius: f64, mut visit: impl FnMut(u32, [i8; D])) {
        for level in &self.levels {
            let reach = radius + level.max_radius;
            let ranges: [[i64; 2]; D] =
                std::array::from_fn(|axis| level.range(&self.domain, axis, center[axis] - reach, center[axis] + reach));
            let mut at = ranges.map(|[first, _]| first);
            'cells: loop {
                let (mut cell, mut shift) = (0, [0i8; D]);
                for axis in (0..D).rev() {
                    let count = level.counts[axis] as i64;
                    let box_number = at[axis].div_euclid(count);
                    shift[axis] = box_number as i8;
                    cell = cell * level.counts[axis] + (at[axis] - box_number * count) as usize;
                }
                let mut ball = level.heads[cell];
                while ball != NOBODY {
                    visit(ball, shift);
                    ball = self.homes[ball as usize].next;
                }
                let mut axis = 0;
                while at[axis] == ranges[axis][1] {
                    at[axis] = ranges[axis][0];
                    axis += 1;
                    if axis == D {
                        break 'cells;
                    }
                }
                at[axis] += 1;
            }
        }
    }

    fn link(&mut self, ball: u32, center: [f64; D]) {
        let home = &mut self.homes[ball as usize];
        let level = &mut self.levels[home.level as usize];
        let mut cell = 0;
        for axis in (0..D).rev() {
            let along = (center[axis] * level.per_length[axis]) as usize;
            cell = cell * level.counts[axis] + along.min(level.counts[axis] - 1);
        }
        let next = level.heads[cell];
        *home = Home { level: home.level, cell: cell as u32, next, previous: NOBODY };
        level.heads[cell] = ball;
        if next != NOBODY {
            self.homes[next as usize].previous = ball;
        }
    }

    fn unlink(&mut self, ball: u32) {
        let Home { level, cell, next, previous } = self.homes[ball as usize];
        match previous {
            NOBODY => self.levels[level as usize].heads[cell as usize] = next,
            _ => self.homes[previous as usize].next = next,
        }
        if next != NOBODY {
            self.homes[next as usize].previous = previous;
        }
    }
}

impl<const D: usize> CellLevel<D> {
    fn new(domain: &Domain<D>, max_radius: f64, balls: usize) -> Self {
        let most = (MAX_CELLS_PER_BALL * balls as f64).max(1.0);
        let lengths = domain.hi();
        let mut size = 2.0 * max_radius;
        let cells = |size: f64| lengths.map(|length| (length / size).floor().max(1.0));
        while cells(size).iter().product::<f64>() > most {
            size *= LEVEL_WIDTH;
        }
        let counts = cells(size).map(|count| count as usize);
        Self {
            max_radius,
            counts,
            per_length: std::array::from_fn(|axis| counts[axis] as f64 / lengths[axis]),
            heads: vec![NOBODY; counts.iter().product()],
        }
    }

    /// First and last cell between two coordinates: those of images beyond the box on periodic axes, none on others.
    fn range(&self, domain: &Domain<D>, axis: usize, lo: f64, hi: f64) -> [i64; 2] {
        let range = [lo, hi].map(|x| (x * self.per_length[axis]).floor() as i64);
        match domain.is_periodic(axis) {
            true => range,
            false => range.map(|cell| cell.clamp(0, self.counts[axis] as i64 - 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::growth::ball::dot;
    use multigrain::Rng;
    use multigrain::overlap::contact_vector;
    use std::collections::BTreeSet;

    #[test]
    fn finds_every_image_in_reach_after_any_move() {
        let mut rng = Rng::new(8);
        for periodic in [[true, true, true], [false, true, false], [false; 3]] {
            let domain = Domain::new([0.0; 3], [9.0, 14.0, 11.0], periodic).unwrap();
            let mut point = || std::array::from_fn(|axis| domain.hi()[axis] * rng.uniform());
            let mut centers: Vec<[f64; 3]> = (0..200).map(|_| point()).collect();
            let radii: Vec<f64> =
                (0..200).map(|k| if k % 40 == 0 { 3.0 } else { 0.1 + f64::from(k) * 0.004 }).collect();
            let mut cells = BallCells::new(domain, centers.iter().copied().zip(radii.iter().copied()));
            for ball in 0..200 {
                centers[ball] = point();
                cells.move_to(ball as u32, centers[ball]);
            }
            for ball in 0..200 {
                let touches = |other: usize, shift: [i8; 3]| {
                    let shift = shift.map(i32::from);
                    let apart = contact_vector(centers[ball], centers[other], shift, domain.lengths());
                    dot(apart, apart) < (radii[ball] + radii[other]).powi(2)
                };
                let mut found = BTreeSet::new();
                cells.visit_near(centers[ball], radii[ball], |other, shift| {
                    if touches(other as usize, shift) {
                        assert!(found.insert((other as usize, shift)), "each image once");
                    }
                });
                let around = |axis: usize| if periodic[axis] { -2i8..=2 } else { 0..=0 };
                let mut expected = BTreeSet::new();
                for other in 0..200 {
                    for x in around(0) {
                        for y in around(1) {
                            for z in around(2) {
                                if touches(other, [x, y, z]) {
                                    expected.insert((other, [x, y, z]));
                                }
                            }
                        }
                    }
                }
                assert_eq!(found, expected, "{periodic:?} {ball}");
            }
        }
    }
}
