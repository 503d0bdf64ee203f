//! Random sheared cells: every method against brute force, which looks at every image by itself.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example sheared -- --systems 1e5
//! ```
//!
//! Cells have tilts of up to three lengths, either hand, thin ones and partly periodic ones among them, in the plane and in
//! space; bodies of any size lie in and outside of them. Exit code 1 on a difference.

use multigrain::detectors::BruteForce;
use multigrain::{Axes, Detector, Dimension, Domain, Pairs, Rng, Snapshot};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_methods::Method;
use std::process::ExitCode;

const USAGE: &str = "\
Random sheared cells: every method against brute force

    --systems N    systems, half of them in the plane (1e5)
    --seed S       of the first (1)";

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let systems = arguments.take("systems").unwrap_or(Count(100_000)).0;
    let seed: u64 = arguments.take("seed").unwrap_or(1);
    arguments.finish();
    let mut rng = Rng::new(seed);
    let (mut contacts, mut differences, mut sheared) = (0, 0, 0);
    for number in 0..systems {
        let found = if number % 2 == 0 { compare::<2>(&mut rng) } else { compare::<3>(&mut rng) };
        contacts += found.contacts;
        sheared += usize::from(found.is_sheared);
        for (method, domain) in found.differing {
            println!("system {number}: {method} differs in {domain}");
            differences += 1;
        }
    }
    println!(
        "{systems} systems, {sheared} sheared, {contacts} contacts, {} methods: {differences} differences",
        Method::ALL.len()
    );
    Ok(verdict(differences == 0 && contacts > systems))
}

struct Compared {
    contacts: usize,
    is_sheared: bool,
    differing: Vec<(Method, String)>,
}

fn compare<const D: usize>(rng: &mut Rng) -> Compared
where
    Axes: Dimension<D>,
{
    let domain = random_cell::<D>(rng);
    let count = (1.0 + 14.0 * rng.uniform()) as usize;
    let away = if rng.uniform() < 0.3 { 9.0 } else { 1.0 };
    let largest = if rng.uniform() < 0.2 { 1.2 } else { 0.5 };
    let edges = domain.edges();
    let (mut centers, mut radii) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let parts: [f64; D] = std::array::from_fn(|_| away * (rng.uniform() - 0.3));
        let place = |axis: usize| domain.origin()[axis] + (0..D).map(|k| parts[k] * edges[k][axis]).sum::<f64>();
        centers.push(std::array::from_fn(place));
        radii.push(if rng.uniform() < 0.1 { 0.0 } else { largest * rng.uniform().powi(3) });
    }
    let margin = if rng.uniform() < 0.3 { 0.2 * rng.uniform() } else { 0.0 };
    let now = Snapshot::new(&centers, &radii).and_then(|now| now.within(domain)?.with_margin(margin));
    let now = now.expect("valid bodies");
    let mut expected = Pairs::new();
    BruteForce.find_pairs(now, &mut expected);
    let differing = Method::ALL.iter().filter(|method| {
        let mut pairs = Pairs::new();
        method.build(now).expect("every method takes every cell").find_pairs(now, &mut pairs);
        pairs.len() != expected.len() || pairs.fingerprint() != expected.fingerprint()
    });
    let differing = differing.map(|&method| (method, format!("{domain:?}"))).collect();
    Compared { contacts: expected.len(), is_sheared: domain.is_sheared(), differing }
}

/// A cell with room for a few bodies, so that brute force has an end.
fn random_cell<const D: usize>(rng: &mut Rng) -> Domain<D> {
    loop {
        let mut edges = [[0.0; D]; D];
        for k in 0..D {
            let thin = if rng.uniform() < 0.2 { 0.05 } else { 1.0 };
            edges[k][k] = thin * (0.5 + 4.0 * rng.uniform()) * if rng.uniform() < 0.2 { -1.0 } else { 1.0 };
            for axis in (0..D).filter(|&axis| axis != k) {
                if rng.uniform() < 0.7 {
                    edges[k][axis] = 6.0 * (rng.uniform() - 0.5) * edges[axis][axis].abs().max(0.5);
                }
            }
        }
        let periodic = std::array::from_fn(|_| rng.uniform() < 0.8);
        let origin = std::array::from_fn(|_| 10.0 * rng.uniform() - 5.0);
        if let Ok(domain) = Domain::from_cell(origin, edges, periodic)
            && domain.volume() > 0.05
        {
            return domain;
        }
    }
}
