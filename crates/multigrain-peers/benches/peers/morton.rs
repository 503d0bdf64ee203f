//! The order along the Morton curve, in which neighbours in space are mostly neighbours in memory.

use multigrain_lab::scene::Scene;

/// Bits per axis of a code.
const BITS: u32 = 21;

/// Particles in the order of their Morton codes over the bounding cube.
pub fn morton_order(scene: &Scene) -> Vec<u32> {
    let mut lo = [f64::INFINITY; 3];
    let mut hi = [f64::NEG_INFINITY; 3];
    for center in &scene.centers {
        for axis in 0..3 {
            lo[axis] = lo[axis].min(center[axis]);
            hi[axis] = hi[axis].max(center[axis]);
        }
    }
    let width = (0..3).map(|axis| hi[axis] - lo[axis]).fold(f64::MIN_POSITIVE, f64::max);
    let scale = f64::from((1 << BITS) - 1) / width;
    let code = |center: &[f64; 3]| -> u64 {
        (0..3).map(|axis| spread(((center[axis] - lo[axis]) * scale) as u64) << axis).sum()
    };
    let mut coded: Vec<(u64, u32)> = scene.centers.iter().zip(0..).map(|(center, k)| (code(center), k)).collect();
    coded.sort_unstable();
    coded.into_iter().map(|(_, k)| k).collect()
}

/// Moves bit `k` to bit `3 k`.
fn spread(value: u64) -> u64 {
    let mut x = value;
    for (shift, mask) in [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ] {
        x = (x | (x << shift)) & mask;
    }
    x
}
