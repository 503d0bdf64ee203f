//! What files say of the space of a particle system.

use crate::error::Result;
use multigrain::limits::{MAX_LENGTH, MIN_LENGTH};
use multigrain::{Domain, System};

/// The box, or the bounds of the spheres where there is none; unit size for nothing at all.
pub fn bounds_of<const D: usize>(system: &System<D>) -> ([f64; D], [f64; D]) {
    if let Some(domain) = system.domain.bounded() {
        return (domain.lo(), domain.hi());
    }
    let (mut lo, mut hi) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for (center, radius) in system.centers.iter().zip(&system.radii) {
        for axis in 0..D {
            lo[axis] = lo[axis].min(center[axis] - radius);
            hi[axis] = hi[axis].max(center[axis] + radius);
        }
    }
    for axis in 0..D {
        if lo[axis] > hi[axis] {
            (lo[axis], hi[axis]) = (0.0, 1.0);
        }
        // Spheres may reach further than boxes may.
        (lo[axis], hi[axis]) = (lo[axis].max(-MAX_LENGTH), hi[axis].min(MAX_LENGTH));
    }
    (lo, hi)
}

/// The name of an axis in columns and flags.
pub const AXES: [&str; 3] = ["x", "y", "z"];

/// The domain that a file gives. On an open axis a box is information only, so there it may be flat, or thinner than any box.
pub fn file_domain<const D: usize>(lo: [f64; D], hi: [f64; D], periodic: [bool; D]) -> Result<Domain<D>> {
    let is_flat = |axis: usize| !periodic[axis] && (0.0..MIN_LENGTH).contains(&(hi[axis] - lo[axis]));
    let widened = |bounds: [f64; D], by: f64| -> [f64; D] {
        std::array::from_fn(|axis| match is_flat(axis) {
            true => (bounds[axis] + by * (1.0 + bounds[axis].abs())).clamp(-MAX_LENGTH, MAX_LENGTH),
            false => bounds[axis],
        })
    };
    Ok(Domain::new(widened(lo, -0.5), widened(hi, 0.5), periodic)?)
}

/// The domain of a cell that a file gives: edges in rows, of which those of `D` axes count.
pub fn file_cell<const D: usize>(origin: [f64; 3], edges: [[f64; 3]; 3], periodic: [bool; 3]) -> Result<Domain<D>> {
    let first = |vector: [f64; 3]| -> [f64; D] { std::array::from_fn(|axis| vector[axis]) };
    let is_periodic: [bool; D] = std::array::from_fn(|axis| periodic[axis]);
    let is_along_axes = (0..D).all(|k| {
        let has_room = edges[k][k] > 0.0 || (edges[k][k] == 0.0 && !periodic[k]);
        has_room && (0..D).all(|axis| axis == k || edges[k][axis] == 0.0)
    });
    if is_along_axes {
        let hi = std::array::from_fn(|axis| origin[axis] + edges[axis][axis]);
        return file_domain(first(origin), hi, is_periodic);
    }
    Ok(Domain::from_cell(first(origin), std::array::from_fn(|k| first(edges[k])), is_periodic)?)
}

/// Origin and edges in three dimensions, for formats that know no others: the third edge of a plane cell is one long, and begins
/// at `z`.
pub fn cell_in_space<const D: usize>(domain: &Domain<D>, z: f64) -> ([f64; 3], [[f64; 3]; 3]) {
    let (origin, edges) = (domain.origin(), domain.edges());
    let component = |vector: [f64; D], axis: usize, other: f64| if axis < D { vector[axis] } else { other };
    let edge = |k: usize| -> [f64; 3] {
        match k < D {
            true => std::array::from_fn(|axis| component(edges[k], axis, 0.0)),
            false => std::array::from_fn(|axis| f64::from(u8::from(axis == k))),
        }
    };
    (std::array::from_fn(|axis| component(origin, axis, z)), std::array::from_fn(edge))
}

/// Particles in sheared cells of several kinds, for tests of formats.
#[cfg(test)]
pub fn sheared_samples<const D: usize>() -> Vec<System<D>> {
    let rows = [
        [[4.0, 0.0, 0.0], [1.5, 3.0, 0.0], [-0.5, 0.25, 2.0]],
        [[4.0, 0.1, 0.3], [-7.3, 5.1, 0.1], [0.7, 0.0, -6.1]],
        [[0.1 + 0.2, 0.0, 0.0], [-1.0 / 3.0, 0.7, 0.0], [9.1, -1e-3, 1.1]],
    ];
    let flags = [[true, true, true], [true, false, true], [false, true, false]];
    let made = |edges: [[f64; 3]; 3], periodic: [bool; 3]| {
        let origin = std::array::from_fn(|axis| [0.5, -0.25, 1.75][axis]);
        let edges = std::array::from_fn(|k| std::array::from_fn(|axis| edges[k][axis]));
        let domain = Domain::from_cell(origin, edges, std::array::from_fn(|k| periodic[k])).unwrap();
        assert!(domain.is_sheared());
        System { centers: vec![[0.5; D], [-1.0 / 3.0; D]], radii: vec![0.25, 1e-9], domain }
    };
    rows.into_iter().flat_map(|edges| flags.map(|periodic| made(edges, periodic))).collect()
}
