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
    assert!(cut.most(|rank| rank.partners) <= 15);
    assert!(cut.largest_cost() * 16.0 < 1.1 * cut.total_cost());
}
