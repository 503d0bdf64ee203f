//! Features: the corners and edges of a polygon's ring.

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
}

/// One feature of each of two bodies. Kept by the caller from call to call: the memory that makes the next call short.
///
/// Any value is right for any pair of polygons; a good guess only saves steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Features {
    /// Feature of the first body.
    pub a: Feature,
    /// Feature of the second body.
    pub b: Feature,
}

impl Default for Features {
    /// The first corners: nothing is known yet.
    fn default() -> Self {
        Self { a: Feature::Vertex(0), b: Feature::Vertex(0) }
    }
}
