//! The order in which a cell-sorted detector stores particles, worked out from its layout.

use multigrain::Layout;
use multigrain_lab::scene::Scene;

/// Particles by level, then by cell of that level along z, y, x. Grids start at the lowest corner of each level's centers;
/// a method without levels has one, with cells of the largest diameter.
///
/// A detector may stretch or shift its cells a little. The order then is nearly its own, which is also what a simulation
/// has that sorts its arrays once in many steps.
pub fn storage_order(scene: &Scene, layout: &Layout) -> Vec<u32> {
    let count = scene.radii.len();
    let mut by_size: Vec<u32> = (0..count as u32).collect();
    by_size.sort_by(|&a, &b| scene.radii[a as usize].total_cmp(&scene.radii[b as usize]));
    let largest = by_size.last().map_or(0.0, |&k| scene.radii[k as usize]);
    let levels: Vec<(f64, usize)> = match layout.cell_sizes.is_empty() {
        true => vec![(2.0 * largest, count)],
        false => {
            let bodies = layout.particles_per_level.iter().map(|&bodies| bodies as usize);
            layout.cell_sizes.iter().copied().zip(bodies).collect()
        }
    };
    let mut order = Vec::with_capacity(count);
    let mut rest = by_size.as_slice();
    for (cell_size, bodies) in levels {
        // Levels hold bodies by size, so the smallest not yet placed are those of the finest level left.
        let (members, others) = rest.split_at(bodies.min(rest.len()));
        rest = others;
        order.extend(by_cell(scene, members, cell_size));
    }
    order.extend(rest);
    order
}

fn by_cell(scene: &Scene, members: &[u32], cell_size: f64) -> impl Iterator<Item = u32> + use<> {
    let corner = |axis: usize| members.iter().map(|&k| scene.centers[k as usize][axis]).fold(f64::INFINITY, f64::min);
    let lo = [corner(0), corner(1), corner(2)];
    let cell = |k: u32, axis: usize| ((scene.centers[k as usize][axis] - lo[axis]) / cell_size) as u32;
    let mut keyed: Vec<([u32; 3], u32)> = members.iter().map(|&k| ([2, 1, 0].map(|axis| cell(k, axis)), k)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, k)| k)
}
