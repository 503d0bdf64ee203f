//! Ranks together find what one finds.

mod random;

use multigrain::{Axes, Dimension, Rng};
use random::RankSystem;

/// Half of them in the plane.
const SYSTEMS: usize = 500;

fn compare<const D: usize>(rng: &mut Rng) -> usize
where
    Axes: Dimension<D>,
{
    let system = RankSystem::<D>::random(rng);
    let (alone, on_ranks) = (system.alone(), system.on_ranks());
    assert_eq!(on_ranks, alone, "{}", system.shown());
    alone.len()
}

#[test]
fn ranks_together_find_what_one_finds() {
    let mut rng = Rng::new(23);
    let contacts: usize =
        (0..SYSTEMS).map(|k| if k % 2 == 0 { compare::<2>(&mut rng) } else { compare::<3>(&mut rng) }).sum();
    assert!(contacts > 10 * SYSTEMS, "{contacts} contacts show little");
}
