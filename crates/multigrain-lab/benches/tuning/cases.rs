//! Systems that a choice of levels must suit.

use super::Failure;
use super::contest::{Contest, ContestOf};
use multigrain::Rng;
use multigrain::System;
use multigrain::sizes::{SizeLaw, ball_volume};
use multigrain::{Domain, Error};
use multigrain_packings as scenes;
use multigrain_packings::DataSet;

/// A case in two dimensions.
const DISCS: &str = "discs 1:160";

const SEED: u64 = 1;

/// The names of all cases: the data sets and others that are hard to judge.
pub fn names() -> Vec<String> {
    let more = [
        "two sizes 1:2",
        "two sizes 1:10",
        "two sizes 1:100",
        "log-normal 0.3",
        "log-normal 1",
        "two clusters",
        "three giants",
        DISCS,
    ];
    DataSet::ALL.iter().map(|set| set.name.to_owned()).chain(more.map(str::to_owned)).collect()
}

/// The case of that name with this many bodies.
pub fn contest(name: &str, count: usize) -> Result<Box<dyn Contest>, Failure> {
    Ok(if name == DISCS {
        let radii = SizeLaw::power(-2.0, 160.0)?.sample(count, 2);
        Box::new(ContestOf::<2>::new(scenes::random(radii, 0.7, [false; 2], SEED)?)?)
    } else {
        Box::new(ContestOf::<3>::new(spheres(name, count)?)?)
    })
}

fn spheres(name: &str, count: usize) -> Result<System<3>, Failure> {
    let law = match name {
        "two sizes 1:2" => SizeLaw::bidisperse(2.0)?,
        "two sizes 1:10" => SizeLaw::bidisperse(10.0)?,
        "two sizes 1:100" => SizeLaw::bidisperse(100.0)?,
        "log-normal 0.3" => SizeLaw::log_normal(0.3)?,
        "log-normal 1" => SizeLaw::log_normal(1.0)?,
        "two clusters" => return Ok(two_clusters(count)?),
        "three giants" => return Ok(three_giants(count)?),
        set => return Ok(DataSet::from_name(set).ok_or("no such case")?.build(count, SEED)?),
    };
    Ok(scenes::random(law.sample(count, 3), 0.6, [false; 3], SEED)?)
}

/// Uniform volumes in two opposite corners of a box that is a thousand times larger than both together.
fn two_clusters(count: usize) -> Result<System<3>, Error> {
    let radii = SizeLaw::power(-3.0, 20.0)?.sample(count, 3);
    let volume: f64 = radii.iter().map(|&radius| ball_volume(radius, 3)).sum();
    let width = (volume / 2.0 / 0.6).cbrt();
    let side = width * 2000f64.cbrt();
    let mut rng = Rng::new(5);
    let place = |k: usize, rng: &mut Rng| {
        let corner = if k.is_multiple_of(2) { 0.0 } else { side - width };
        std::array::from_fn(|_| corner + width * rng.uniform())
    };
    // Radii ascend: neighbours in the list are of one size, one in each cluster. Shuffled by a walk through the list.
    let step = (count / 3) | 1;
    let shuffled = |k: usize| (k * step) % count;
    let radii: Vec<f64> = (0..count).map(|k| radii[shuffled(k)]).collect();
    let centers = (0..count).map(|k| place(k, &mut rng)).collect();
    Ok(System { centers, radii, domain: Domain::open() })
}

/// Small bodies of one size, and three that are a hundred times larger.
fn three_giants(count: usize) -> Result<System<3>, Error> {
    let mut system = scenes::random::<3>(vec![1.0; count], 0.3, [false; 3], 1)?;
    for k in [count / 5, count / 2, count - 7] {
        system.radii[k] = 100.0;
    }
    Ok(system)
}
