//! What detectors say about how they laid out the bodies.

use crate::check::Run;
use crate::scene::{Scene, periodic_axes};
use crate::settings;
use multigrain::sizes::SizeLaw;
use multigrain::{Axes, Dimension, Pairs};
use multigrain_methods::Method;
use multigrain_packings::random;

fn levels_are_sound<const D: usize>()
where
    Axes: Dimension<D>,
{
    for (axes, periodic) in periodic_axes::<D>() {
        let radii = SizeLaw::power(-3.0, 40.0).unwrap().sample(1000, D);
        let scene = Scene::of(format!("{axes} periodic"), random(radii, 0.5, periodic, 1).unwrap()).with_margin(0.1);
        let now = scene.now();
        for &method in Method::ALL {
            for settings in settings::to_try(now, &[]) {
                let run = Run::new(&scene.name, method, &settings);
                let Some(mut detector) = settings::build(method, now, &settings) else { continue };
                detector.find_pairs(now, &mut Pairs::new());
                let layout = detector.layout();
                let bodies: u64 = layout.particles_per_level.iter().sum();
                assert_eq!(layout.cell_sizes.len(), layout.particles_per_level.len(), "{run}: {layout:?}");
                assert!(layout.direction == settings.direction || settings.direction.is_none(), "{run}: {layout:?}");
                if layout.cell_sizes.is_empty() {
                    continue;
                }
                assert_eq!(bodies, now.len() as u64, "{run}: {layout:?}");
                assert!(layout.cell_sizes.is_sorted(), "{run}: {layout:?}");
                assert!(layout.cell_sizes.last() >= Some(&now.largest_reach()), "{run}: {layout:?}");
            }
        }
    }
}

#[test]
fn levels_hold_all_bodies_in_ascending_cells_large_enough_for_the_largest() {
    levels_are_sound::<2>();
    levels_are_sound::<3>();
}
