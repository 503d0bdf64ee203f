//! What part of space a page shows, and the grid that its places are rounded to.

use super::Page;
use super::frame::PageFrame;

/// Grains that reach this many times as far as the box do not widen the picture: they have flown off.
const FAR: f64 = 3.0;

/// Grains of all frames from which places are rounded more coarsely, if that cannot be seen.
const MANY: usize = 300_000;

/// Of the smallest grain: how coarse places may be.
const MAX_ROUNDING: f64 = 0.05;

/// Lower and upper corner.
pub type Corners = [[f64; 3]; 2];

/// What the picture shows: the box and all grains; of those far outside the box only the box.
pub fn shown(page: &Page) -> Corners {
    let grains = around(page.frames.iter().flat_map(reach));
    let walls = page.frames.iter().flat_map(|frame| {
        let triangles = frame.walls.triangles.iter().flatten().copied();
        triangles.chain(frame.walls.edges.iter().flatten().copied())
    });
    let corners = page.frames.iter().filter_map(|frame| frame.bounds.as_ref()).flat_map(|bounds| bounds.corners());
    let Some([lo, hi]) = around(corners) else {
        return grains.into_iter().chain(around(walls)).reduce(both).unwrap_or([[-0.5; 3], [0.5; 3]]);
    };
    let is_far = |[from, to]: &Corners| {
        (0..3).any(|axis| {
            let length = hi[axis] - lo[axis];
            lo[axis] - from[axis] > FAR * length || to[axis] - hi[axis] > FAR * length
        })
    };
    // In the plane there is no length along z, and nothing outside it.
    let flat = page.dimension == 2;
    match grains {
        Some(grains) if flat || !is_far(&grains) => both([lo, hi], grains),
        _ => [lo, hi],
    }
}

/// A grid for places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    pub lo: [f64; 3],
    pub step: [f64; 3],
    /// Bytes of each coordinate.
    pub bytes: usize,
}

impl Grid {
    /// A grid over all centers and corners.
    pub fn of(page: &Page) -> Self {
        let centers = page.frames.iter().flat_map(|frame| frame.centers.iter().copied());
        let corners = page.frames.iter().filter_map(|frame| frame.corners.as_ref()).flatten().flatten();
        let [lo, hi] = around(centers.chain(corners.map(|&[x, y]| [x, y, 0.0]))).unwrap_or([[0.0; 3]; 2]);
        let step = |bytes: u32| -> [f64; 3] {
            std::array::from_fn(|axis| (hi[axis] - lo[axis]) / (256f64.powi(bytes as i32) - 1.0))
        };
        let radii = page.frames.iter().flat_map(|frame| &frame.radii).copied().filter(|&radius| radius > 0.0);
        let smallest = radii.fold(f64::INFINITY, f64::min);
        let is_fine = step(2).iter().all(|&step| step <= MAX_ROUNDING * smallest);
        let bytes = if page.grains() > MANY && is_fine { 2 } else { 3 };
        Self { lo, step: step(bytes), bytes: bytes as usize }
    }

    /// Whether numbers other than places are to be rounded too.
    pub fn is_coarse(&self) -> bool {
        self.bytes == 2
    }

    /// A coordinate as a whole number of steps.
    pub fn place(&self, value: f64, axis: usize) -> u32 {
        if self.step[axis] == 0.0 { 0 } else { ((value - self.lo[axis]) / self.step[axis]).round() as u32 }
    }
}

/// Both ends of all grains along all axes.
fn reach(frame: &PageFrame) -> impl Iterator<Item = [f64; 3]> + '_ {
    let depth = if frame.dimension == 2 { 0.0 } else { 1.0 };
    frame.centers.iter().zip(&frame.radii).flat_map(move |(center, &radius)| {
        [-radius, radius].map(|by| [center[0] + by, center[1] + by, center[2] + depth * by])
    })
}

/// The smallest box around points.
fn around(points: impl Iterator<Item = [f64; 3]>) -> Option<Corners> {
    points.map(|point| [point; 2]).reduce(both)
}

fn both(a: Corners, b: Corners) -> Corners {
    let lo = std::array::from_fn(|axis| a[0][axis].min(b[0][axis]));
    [lo, std::array::from_fn(|axis| a[1][axis].max(b[1][axis]))]
}
