//! Where growth starts: random points with room for small balls, and random velocities.

use super::ball::{Ball, CLEARANCE};
use multigrain::Domain;
use multigrain::Error;
use multigrain::Levels;
use multigrain::Rng;
use multigrain_living_grid::LivingGrid;

/// Points tried for one ball before all are made smaller.
const MAX_TRIES: u32 = 1000;

/// How much smaller they are made.
const SHRINK: f64 = 0.8;

/// Centers of balls that do not overlap while their radii are a factor smaller than given, and that factor: `scale` or
/// less. The largest ball gets a random point first; every further one a random point where it fits.
pub(super) fn random_points<const D: usize>(
    radii: &[f64],
    domain: Domain<D>,
    scale: f64,
    rng: &mut Rng,
) -> Result<(Vec<[f64; D]>, f64), Error> {
    let order = largest_first(radii);
    let mut scale = scale;
    loop {
        if let Some(centers) = insert_all(radii, &order, domain, scale * CLEARANCE, rng)? {
            return Ok((centers, scale));
        }
        scale *= SHRINK;
    }
}

/// Centers of balls that do not overlap as large as they are, or nothing if one finds no place.
pub(super) fn random_points_at_once<const D: usize>(
    radii: &[f64],
    domain: Domain<D>,
    rng: &mut Rng,
) -> Result<Option<Vec<[f64; D]>>, Error> {
    insert_all(radii, &largest_first(radii), domain, CLEARANCE, rng)
}

fn largest_first(radii: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..radii.len()).collect();
    order.sort_by(|&i, &j| radii[j].total_cmp(&radii[i]).then(i.cmp(&j)));
    order
}

/// A center for every ball, or nothing if one finds no place.
fn insert_all<const D: usize>(
    radii: &[f64],
    order: &[usize],
    domain: Domain<D>,
    scale: f64,
    rng: &mut Rng,
) -> Result<Option<Vec<[f64; D]>>, Error> {
    let mut centers = vec![[0.0; D]; radii.len()];
    let Some(&last) = order.last() else { return Ok(Some(centers)) };
    let mut grid = LivingGrid::new(Levels::from_cell_sizes(&[2.0 * scale * radii[last]])?, domain)?;
    'balls: for &i in order {
        let radius = scale * radii[i];
        for _ in 0..MAX_TRIES {
            let center = random_point(&domain, radius, rng);
            let mut is_free = true;
            grid.touching_sphere(center, radius, |_, _| is_free = false)?;
            if is_free {
                grid.insert(i as u32, center, radius)?;
                centers[i] = center;
                continue 'balls;
            }
        }
        return Ok(None);
    }
    Ok(Some(centers))
}

/// Anywhere in a box from 0 where a ball does not touch a wall.
fn random_point<const D: usize>(domain: &Domain<D>, radius: f64, rng: &mut Rng) -> [f64; D] {
    std::array::from_fn(|axis| {
        let length = domain.hi()[axis];
        let margin = if domain.is_periodic(axis) { 0.0 } else { radius.min(length / 2.0) };
        margin + rng.uniform() * (length - 2.0 * margin)
    })
}

/// Gives every ball a random velocity, such that each has the same energy on average.
pub(super) fn random_velocities<const D: usize>(balls: &mut [Ball<D>], lightness: &[f64], rng: &mut Rng) {
    for (ball, light) in balls.iter_mut().zip(lightness) {
        ball.velocity = std::array::from_fn(|_| rng.normal() * light.sqrt());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Snapshot;

    #[test]
    fn balls_at_the_start_do_not_overlap() {
        let radii: Vec<f64> = (0..300).map(|k| 0.1 + f64::from(k) * 0.003).collect();
        for periodic in [[true; 2], [false; 2]] {
            let domain = Domain::new([0.0; 2], [30.0, 25.0], periodic).unwrap();
            // Half the area cannot be filled at random, so that all balls are made smaller.
            let (centers, scale) = random_points(&radii, domain, 1.5, &mut Rng::new(1)).unwrap();
            assert!(scale < 1.5 && scale > 0.5, "{scale}");
            let radii: Vec<f64> = radii.iter().map(|radius| scale * radius).collect();
            let now = Snapshot::new(&centers, &radii).unwrap().within(domain).unwrap();
            assert!(multigrain::find_pairs(now).is_empty());
        }
    }
}
