//! What other libraries leave to their users: boxes around spheres, and the sphere test of candidates.

/// The f32 box around a sphere given in f64, wide enough that rounding loses no contact: each side goes outward by a few
/// units in the last place of its largest term.
#[inline]
pub fn padded_box(center: [f64; 3], radius: f64) -> ([f32; 3], [f32; 3]) {
    const PADDING: f64 = 2.0 * f32::EPSILON as f64;
    let side = |direction: f64| center.map(|x| (x + direction * (radius + PADDING * (x.abs() + radius))) as f32);
    (side(-1.0), side(1.0))
}

/// Whether two spheres overlap, in f64: the test of every peer's candidates.
#[inline]
pub fn overlap(centers: &[[f64; 3]], radii: &[f64], i: u32, j: u32) -> bool {
    let (i, j) = (i as usize, j as usize);
    let [x, y, z] = [0, 1, 2].map(|axis| centers[j][axis] - centers[i][axis]);
    let reach = radii[i] + radii[j];
    x * x + y * y + z * z < reach * reach
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_exactly_is_no_overlap() {
        let centers = [[0.0; 3], [2.0, 0.0, 0.0], [1.9, 0.0, 0.0]];
        assert!(!overlap(&centers, &[1.0; 3], 0, 1));
        assert!(overlap(&centers, &[1.0; 3], 0, 2));
    }

    #[test]
    fn boxes_hold_their_spheres() {
        for k in 0..10_000 {
            let x = 1e4 * (f64::from(k) * 0.618_033_988_75).fract() - 5e3;
            let (lo, hi) = padded_box([x, -x, 3.0 * x], 1.1);
            for (axis, x) in [x, -x, 3.0 * x].into_iter().enumerate() {
                assert!(f64::from(lo[axis]) <= x - 1.1 && x + 1.1 <= f64::from(hi[axis]), "{x}");
            }
        }
    }
}
