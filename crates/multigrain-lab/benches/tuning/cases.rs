//! Systems that a choice of levels must suit.

use multigrain::scenes::{self, DataSet, Rng, System};
use multigrain::sizes::{SizeLaw, ball_volume};
use multigrain::{Domain, Error};

/// A system of two or three dimensions.
pub enum Case {
    /// Discs.
    Flat(System<2>),
    /// Spheres.
    Solid(System<3>),
}

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
        "discs 1:160",
    ];
    DataSet::ALL.iter().map(|set| set.name.to_owned()).chain(more.map(str::to_owned)).collect()
}

/// The case of that name with so many bodies.
pub fn case(name: &str, count: usize) -> Result<Case, Error> {
    const SEED: u64 = 1;
    if let Some(set) = DataSet::from_name(name) {
        return Ok(Case::Solid(set.build(count, SEED)?));
    }
    let solid = |law: SizeLaw| Ok(Case::Solid(scenes::random(law.sample(count, 3), 0.6, [false; 3], SEED)?));
    match name {
        "two sizes 1:2" => solid(SizeLaw::bidisperse(2.0)?),
        "two sizes 1:10" => solid(SizeLaw::bidisperse(10.0)?),
        "two sizes 1:100" => solid(SizeLaw::bidisperse(100.0)?),
        "log-normal 0.3" => solid(SizeLaw::log_normal(0.3)?),
        "log-normal 1" => solid(SizeLaw::log_normal(1.0)?),
        "two clusters" => two_clusters(count),
        "three giants" => three_giants(count),
        _ => {
            let radii = SizeLaw::power(-2.0, 160.0)?.sample(count, 2);
            Ok(Case::Flat(scenes::random(radii, 0.7, [false; 2], SEED)?))
        }
    }
}

/// Uniform volumes in two opposite corners of a box that is a thousand times larger than both together.
fn two_clusters(count: usize) -> Result<Case, Error> {
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
    Ok(Case::Solid(System { centers, radii, domain: Domain::open() }))
}

/// Small bodies of one size, and three that are a hundred times larger.
fn three_giants(count: usize) -> Result<Case, Error> {
    let mut system = scenes::random::<3>(vec![1.0; count], 0.3, [false; 3], 1)?;
    for k in [count / 5, count / 2, count - 7] {
        system.radii[k] = 100.0;
    }
    Ok(Case::Solid(system))
}
