//! Every method, direction, choice of levels and number of threads against the oracle, on random systems.

use crate::check::every_method_agrees;
use crate::scene::{Scene, periodic_axes};
use crate::threads::COUNTS;
use multigrain::sizes::SizeLaw;
use multigrain::{Axes, Dimension};
use multigrain_packings::{lattice_at_packing_fraction, random};

fn laws() -> [(&'static str, SizeLaw); 6] {
    [
        ("mono", SizeLaw::Mono),
        ("uniform", SizeLaw::uniform(5.0).unwrap()),
        ("uniform volume", SizeLaw::power(-3.0, 50.0).unwrap()),
        ("bidisperse", SizeLaw::bidisperse(4.0).unwrap()),
        ("log-normal", SizeLaw::log_normal(0.4).unwrap()),
        ("table", SizeLaw::table(&[(1.0, 20.0), (8.0, 3.0), (9.0, 1.0)]).unwrap()),
    ]
}

/// All laws and domains; margin and density take turns, so that every law meets each of them.
fn random_systems_agree<const D: usize>(count: usize, densities: [f64; 2])
where
    Axes: Dimension<D>,
{
    let mut seed = 0;
    for (law_name, law) in laws() {
        for (axes, periodic) in periodic_axes::<D>() {
            for density in densities {
                seed += 1;
                let margin = if seed % 3 == 0 { 0.0 } else { 0.37 };
                let name = format!("{law_name} at {density}, {axes} periodic, margin {margin}");
                let system = random(law.sample(count, D), density, periodic, seed).unwrap();
                every_method_agrees(&Scene::of(name, system).with_margin(margin), &COUNTS);
            }
        }
    }
}

#[test]
fn every_method_agrees_with_the_oracle_in_2d() {
    random_systems_agree::<2>(220, [0.2, 0.9]);
}

#[test]
fn every_method_agrees_with_the_oracle_in_3d() {
    random_systems_agree::<3>(220, [0.1, 0.7]);
}

#[test]
fn every_method_agrees_on_lattices_where_bodies_just_touch() {
    for (axes, periodic) in periodic_axes::<3>() {
        let radii = SizeLaw::Mono.sample(343, 3);
        // At pi/6 bodies of a cubic lattice touch, up to rounding: only the overlap test itself knows which do.
        let system = lattice_at_packing_fraction(radii, std::f64::consts::PI / 6.0, periodic, 1).unwrap();
        every_method_agrees(&Scene::of(format!("touching lattice, {axes} periodic"), system), &[1, 3]);
    }
}

#[test]
fn every_method_agrees_where_one_level_has_thousands_of_bodies() {
    let radii = SizeLaw::power(-3.0, 30.0).unwrap().sample(4000, 2);
    let system = random::<2>(radii, 0.8, [true, false], 5).unwrap();
    every_method_agrees(&Scene::of("4000 discs", system), &[1, 3]);
}
