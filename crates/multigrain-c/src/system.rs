//! Particles and the space they live in, as C hands them over.

use crate::error::Failure;
use multigrain::{Axes, Dimension, Domain, Snapshot};

/// Particles in space. Arrays stay the caller's, are only read, and need to be valid during a call alone.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct MgSystem {
    /// 2 or 3.
    pub dimension: u32,
    /// Number of particles.
    pub count: usize,
    /// Centers: `dimension` numbers for each particle, particle after particle.
    pub centers: *const f64,
    /// Radii, one for each particle.
    pub radii: *const f64,
    /// Where the box begins: `dimension` numbers, or null for 0.
    pub origin: *const f64,
    /// Edge vectors of the box: `dimension` vectors of `dimension` numbers each; null for open space.
    pub edges: *const f64,
    /// Whether the box is periodic along each edge: `dimension` bytes, 0 or 1; null for all of them.
    pub periodic: *const u8,
    /// Gap below which particles count as touching.
    pub margin: f64,
    /// A group for each particle, pairs within which are left out; null for none.
    pub groups: *const u32,
}

impl MgSystem {
    /// The particles as the engine takes them.
    ///
    /// # Safety
    /// Pointers are null or point to as many numbers as the fields say, valid for `'a`.
    pub(crate) unsafe fn snapshot<'a, const D: usize>(&self) -> Result<Snapshot<'a, D>, Failure>
    where
        Axes: Dimension<D>,
    {
        // SAFETY: the caller's promise, number by number.
        unsafe {
            let centers = slice(self.centers, self.count.saturating_mul(D), "centers")?.as_chunks::<D>().0;
            let radii = slice(self.radii, self.count, "radii")?;
            let mut now = Snapshot::new(centers, radii)?;
            if !self.edges.is_null() {
                let edges = slice(self.edges, D * D, "edges")?;
                let edges = std::array::from_fn(|k| std::array::from_fn(|axis| edges[k * D + axis]));
                let origin = if self.origin.is_null() { &[0.0; D] } else { slice(self.origin, D, "origin")? };
                let periodic = if self.periodic.is_null() { &[1; D] } else { slice(self.periodic, D, "periodic")? };
                let domain = Domain::from_cell(
                    std::array::from_fn(|axis| origin[axis]),
                    edges,
                    std::array::from_fn(|k| periodic[k] != 0),
                )?;
                now = now.within(domain)?;
            }
            now = now.with_margin(self.margin)?.with_few_images()?;
            if !self.groups.is_null() {
                now = now.in_groups(slice(self.groups, self.count, "groups")?)?;
            }
            Ok(now)
        }
    }
}

/// # Safety
/// `data` is null or points to `len` values that are valid for `'a`.
unsafe fn slice<'a, T>(data: *const T, len: usize, what: &str) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(Failure::null(what));
    }
    if len > isize::MAX as usize / size_of::<T>() {
        return Err(Failure::invalid(format!("{what} would have {len} values, more than memory can hold")));
    }
    // SAFETY: not null, not too long, and the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(data, len) })
}
