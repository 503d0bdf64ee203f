//! Ranks on paper: what is counted of them.

use multigrain_distributed::{Options, Paper};
use multigrain_packings::DataSet;

#[test]
fn a_boulder_widens_no_halo() {
    let mut system = DataSet::from_name("mono").unwrap().build_periodic(6000, 1).unwrap();
    let options = Options::within(system.domain);
    let ghosts = |system: &multigrain::System<3>| {
        let paper = Paper::new(&system.centers, &system.radii, &options, 0.0).unwrap();
        let cut = paper.cut(27).unwrap();
        assert!(cut.is_whole);
        cut.ranks.iter().map(|rank| rank.detection.ghosts).sum::<u64>()
    };
    let without = ghosts(&system);
    system.centers.push(system.domain.lengths().map(|length| 0.5 * length));
    system.radii.push(8.0 * system.radii[0]);
    let with = ghosts(&system);
    // It is a guest itself where it touches; cuts move a little to make room for it. With one distance for all there would be 15 times as many.
    assert!(with < without + without / 20 + 27, "{without} ghosts without it, {with} with it");
}

#[test]
fn equal_spheres_have_ghosts_by_the_surface_of_their_ranks() {
    let system = DataSet::from_name("mono").unwrap().build_periodic(20_000, 1).unwrap();
    let paper = Paper::new(&system.centers, &system.radii, &Options::within(system.domain), 0.1).unwrap();
    let cut = paper.cut(16).unwrap();
    assert!(cut.is_whole);
    // 1,250 bodies on a rank: 3.45 guests for each to the power of two thirds, ghosts twice that.
    let expected = 3.45 * 1250f64.powf(-1.0 / 3.0);
    assert!((cut.guests_per_body() / expected - 1.0).abs() < 0.15, "{} {expected}", cut.guests_per_body());
    assert!((cut.ghosts_per_body() / (2.0 * expected) - 1.0).abs() < 0.25, "{} {expected}", cut.ghosts_per_body());
    assert!(cut.most(|rank| rank.step.partners) <= 15);
    assert!(cut.largest_cost() * 16.0 < 1.1 * cut.total_cost());
}

#[test]
fn steps_are_cut_by_what_bodies_cost_there() {
    // A dense heap in a corner of a thin gas: most contacts are in the heap.
    let mut system = DataSet::from_name("mono").unwrap().build_periodic(4000, 1).unwrap();
    let sides = system.domain.lengths();
    for k in 0..system.centers.len() {
        if k % 2 == 0 {
            system.centers[k] = std::array::from_fn(|axis| 0.5 * sides[axis] * (system.centers[k][axis] / sides[axis]));
        }
    }
    let paper = Paper::new(&system.centers, &system.radii, &Options::within(system.domain), 0.1).unwrap();
    let cut = paper.cut(8).unwrap();
    let total: u64 = cut.ranks.iter().map(|rank| rank.step.weight).sum();
    assert_eq!(total, paper.step_weight());
    assert_eq!(total, 3 * 4000 + 4 * paper.serial().pairs);
    assert_eq!(cut.ranks.iter().map(|rank| rank.step.bodies).sum::<u64>(), 4000);
    let uneven = |most: u64, sum: u64| most as f64 * 8.0 / sum as f64;
    assert!(uneven(cut.most(|rank| rank.step.weight), total) < 1.03, "{:?}", cut.ranks);
    assert!(uneven(cut.most(|rank| rank.detection.bodies), 4000) < 1.01);
    assert!(uneven(cut.most(|rank| rank.step.bodies), 4000) > 1.05, "cut by bodies alone");
}
