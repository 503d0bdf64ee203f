//! A cell whose edges do not lie along the axes.

use super::reduce::reduce;
use crate::error::Error;
use crate::limits::{MAX_LENGTH, MIN_LENGTH};

/// Edge vectors, and what follows from them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cell<const D: usize> {
    origin: [f64; D],
    edges: [[f64; D]; D],
    periodic: [bool; D],
    /// The component of a vector along edge `k` is its product with `dual[k]`; zero for open edges.
    dual: [[f64; D]; D],
}

/// Sine of the angle between a periodic edge and the others below which they count as lying in one plane.
const FLATTEST: f64 = 1e-9;

impl<const D: usize> Cell<D> {
    pub fn new(origin: [f64; D], edges: [[f64; D]; D], periodic: [bool; D]) -> Result<Self, Error> {
        for value in origin.iter().chain(edges.iter().flatten()) {
            if value.is_nan() || value.abs() > MAX_LENGTH {
                return Err(Error::Cell { problem: "has a number that is not finite or beyond 1e150" });
            }
        }
        let used: Vec<usize> = (0..D).filter(|&k| periodic[k]).collect();
        for &k in &used {
            if norm(edges[k]) < MIN_LENGTH.sqrt() {
                return Err(Error::Cell { problem: "has a periodic edge without length" });
            }
        }
        // Open edges may be anything, also nothing.
        let vectors: Vec<[f64; D]> = used.iter().map(|&k| edges[k]).collect();
        let Some(found) = dual(&vectors) else {
            return Err(Error::Cell { problem: "has periodic edges that lie in one line or plane" });
        };
        let mut dual = [[0.0; D]; D];
        for (&k, row) in used.iter().zip(found) {
            dual[k] = row;
        }
        Ok(Self { origin, edges, periodic, dual })
    }

    pub fn origin(&self) -> [f64; D] {
        self.origin
    }

    pub fn edges(&self) -> [[f64; D]; D] {
        self.edges
    }

    pub fn dual(&self) -> [[f64; D]; D] {
        self.dual
    }

    /// The same cell with this point in its middle, along periodic edges.
    pub fn centred_on(mut self, point: [f64; D]) -> Self {
        self.origin = point;
        for k in (0..D).filter(|&k| self.periodic[k]) {
            self.origin = std::array::from_fn(|axis| self.origin[axis] - 0.5 * self.edges[k][axis]);
        }
        self
    }

    pub fn edge_length(&self, k: usize) -> f64 {
        norm(self.edges[k])
    }

    /// Product of the heights of the edges over those before them.
    pub fn volume(&self) -> f64 {
        let mut directions: Vec<[f64; D]> = Vec::new();
        let mut volume = 1.0;
        for &edge in &self.edges {
            let rest = perpendicular(edge, &directions);
            let height = norm(rest);
            volume *= height;
            if height > 0.0 {
                directions.push(rest.map(|x| x / height));
            }
        }
        volume
    }

    /// Bounds of all corners.
    pub fn bounds(&self) -> ([f64; D], [f64; D]) {
        let sum = |axis: usize, pick: fn(f64, f64) -> f64| {
            self.origin[axis] + self.edges.iter().map(|edge| pick(edge[axis], 0.0)).sum::<f64>()
        };
        (std::array::from_fn(|axis| sum(axis, f64::min)), std::array::from_fn(|axis| sum(axis, f64::max)))
    }

    /// Whole edges, summed in their order.
    #[inline]
    pub fn translation(&self, shift: [i32; D]) -> [f64; D] {
        let mut sum = [0.0; D];
        for k in (0..D).filter(|&k| shift[k] != 0) {
            for axis in 0..D {
                sum[axis] += f64::from(shift[k]) * self.edges[k][axis];
            }
        }
        sum
    }

    /// Components of a vector along the periodic edges; 0 along open ones.
    #[inline]
    pub fn components(&self, vector: [f64; D]) -> [f64; D] {
        self.dual.map(|row| dot(row, vector))
    }

    /// Where a point lies, in edges from the origin.
    #[inline]
    pub fn fractions(&self, x: [f64; D]) -> [f64; D] {
        self.components(std::array::from_fn(|axis| x[axis] - self.origin[axis]))
    }

    /// How many whole edges a point lies from the cell.
    #[inline]
    pub fn edges_away(&self, x: [f64; D]) -> [i32; D] {
        self.fractions(x).map(|fraction| fraction.floor() as i32)
    }

    /// How many edges a distance may span along edge `k`: 0 for open ones.
    pub fn spanned(&self, k: usize, distance: f64) -> f64 {
        distance * norm(self.dual[k])
    }

    /// Whether places along `axis` say anything of where a point lies between periodic faces.
    pub fn is_periodic_along(&self, axis: usize) -> bool {
        (0..D).any(|k| self.periodic[k] && self.edges[k][axis] != 0.0)
    }

    /// The least distance of opposite faces; no image of a body is nearer to it.
    pub fn thickness(&self) -> f64 {
        let thinnest = self.dual.iter().map(|&row| norm(row)).fold(0.0, f64::max);
        if thinnest > 0.0 { 1.0 / thinnest } else { f64::INFINITY }
    }

    /// The same lattice with short edges, and which sums of the given edges they are.
    pub fn reduced(&self) -> Reduced<D> {
        let used: Vec<usize> = (0..D).filter(|&k| self.periodic[k]).collect();
        let (vectors, sums) = reduce(used.iter().map(|&k| self.edges[k]).collect());
        let mut edges = self.edges;
        let mut made_of = [[0; D]; D];
        for (row, &k) in used.iter().enumerate() {
            edges[k] = vectors[row];
            for (column, &other) in used.iter().enumerate() {
                made_of[k][other] = sums[row][column];
            }
        }
        // Short edges span what the given ones span.
        let cell = Self::new(self.origin, edges, self.periodic).unwrap_or(*self);
        if cell.edges != edges {
            made_of = std::array::from_fn(|k| std::array::from_fn(|other| i32::from(k == other && self.periodic[k])));
        }
        Reduced { cell, made_of }
    }
}

/// A lattice with short edges.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reduced<const D: usize> {
    pub cell: Cell<D>,
    /// Row `k`: how many of each given edge make up short edge `k`.
    made_of: [[i32; D]; D],
}

impl<const D: usize> Reduced<D> {
    /// A shift along short edges in given edges.
    #[inline]
    pub fn in_given_edges(&self, shift: [i32; D]) -> [i32; D] {
        // Sums fit 32 bits, as was checked; what is added need not.
        let sum = |given: usize| (0..D).map(|k| i64::from(shift[k]) * i64::from(self.made_of[k][given])).sum::<i64>();
        std::array::from_fn(|given| sum(given) as i32)
    }
}

/// Vectors whose products with `vectors` are 1 for their own and 0 for the others; none if these lie in one line or plane.
fn dual<const D: usize>(vectors: &[[f64; D]]) -> Option<Vec<[f64; D]>> {
    // In units of their lengths, so that nothing over- or underflows.
    let lengths: Vec<f64> = vectors.iter().map(|&v| norm(v)).collect();
    let unit: Vec<[f64; D]> = vectors.iter().zip(&lengths).map(|(v, length)| v.map(|x| x / length)).collect();
    let mut found = Vec::new();
    for (k, &own) in unit.iter().enumerate() {
        // What is left of a vector without its parts along the others, made perpendicular one by one; twice, for rounding.
        let mut others: Vec<[f64; D]> = Vec::new();
        for (_, &other) in unit.iter().enumerate().filter(|&(other, _)| other != k) {
            let rest = perpendicular(other, &others);
            let length = norm(rest);
            if length < FLATTEST {
                return None;
            }
            others.push(rest.map(|x| x / length));
        }
        let rest = perpendicular(own, &others);
        let height = dot(rest, own);
        if height <= FLATTEST * FLATTEST {
            return None;
        }
        found.push(rest.map(|x| x / height / lengths[k]));
    }
    Some(found)
}

fn perpendicular<const D: usize>(vector: [f64; D], to: &[[f64; D]]) -> [f64; D] {
    let mut rest = vector;
    for &other in to.iter().chain(to) {
        let part = dot(rest, other);
        rest = std::array::from_fn(|axis| rest[axis] - part * other[axis]);
    }
    rest
}

#[inline]
pub(super) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|axis| a[axis] * b[axis]).sum()
}

pub(super) fn norm<const D: usize>(v: [f64; D]) -> f64 {
    // Scaled, since squares of very long and very short edges would not fit.
    let largest = v.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    if largest == 0.0 { 0.0 } else { largest * v.map(|x| x / largest).iter().map(|x| x * x).sum::<f64>().sqrt() }
}
