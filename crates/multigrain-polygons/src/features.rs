//! Features: the corners and edges of a polygon's ring.

use super::vector::Point;
use std::hash::{Hash, Hasher};

/// A corner or an edge of a polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Feature {
    /// The corner with this index.
    Vertex(u32),
    /// The edge from the corner with this index to the next one.
    Edge(u32),
}

impl Feature {
    pub(super) fn vertex(k: usize) -> Self {
        Self::Vertex(k as u32)
    }

    pub(super) fn edge(k: usize) -> Self {
        Self::Edge(k as u32)
    }

    /// Index of the corner, or of the corner that the edge begins at.
    pub(super) fn corner(self) -> u32 {
        let (Self::Vertex(k) | Self::Edge(k)) = self;
        k
    }
}

/// One feature of each of two bodies. Kept by the caller from call to call: the memory that makes the next call short.
///
/// Any value is right for any pair of polygons; a good guess only saves steps. Features are equal where `a` and `b` are.
#[derive(Debug, Clone, Copy)]
pub struct Features {
    /// Feature of the first body.
    pub a: Feature,
    /// Feature of the second body.
    pub b: Feature,
    toward: Point,
}

impl Features {
    /// Two features.
    pub fn new(a: Feature, b: Feature) -> Self {
        Self::facing(a, b, [0.0; 2])
    }

    /// Two features, and the direction from the first body to the second across the gap between them, of any length; zero
    /// where it is not known. Bodies that spin past each other change their features in every call and the direction hardly
    /// at all: it tells where the next features are.
    pub fn facing(a: Feature, b: Feature, toward: [f64; 2]) -> Self {
        Self { a, b, toward }
    }

    /// The direction from the first body to the second; zero where it is not known.
    pub fn toward(&self) -> [f64; 2] {
        self.toward
    }
}

impl Default for Features {
    /// The first corners: nothing is known yet.
    fn default() -> Self {
        Self::new(Feature::Vertex(0), Feature::Vertex(0))
    }
}

impl PartialEq for Features {
    fn eq(&self, other: &Self) -> bool {
        (self.a, self.b) == (other.a, other.b)
    }
}

impl Eq for Features {}

impl Hash for Features {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.a, self.b).hash(state);
    }
}
