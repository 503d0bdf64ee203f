//! Polygons to simulate, in any number.

use multigrain::Rng;
use multigrain_dem::{ContactLaw, Grain, Integrator, Material, Setup, Skin, TimeStep, Wall};
use multigrain_polygons::{ConvexPolygon, PolygonError};
use std::f64::consts::TAU;

/// Radius of the circle around most grains, in metres.
const RADIUS: f64 = 0.01;

/// Walls, gravity and shapes, and the grains.
pub type Bed = (Setup<2>, Vec<Grain<2>>);

/// A box, open above, with grains as soft as can be without those at the bottom being pressed by more than a percent or two: the
/// time step is long.
fn in_box(half: f64) -> Setup<2> {
    Setup::new()
        .material(Material::new(1000.0, ContactLaw::area(2e5).damping_share(0.3).friction(0.5)))
        .wall(Wall::plane([0.0, 0.0], [0.0, 1.0]))
        .wall(Wall::plane([-half, 0.0], [1.0, 0.0]))
        .wall(Wall::plane([half, 0.0], [-1.0, 0.0]))
        .gravity([0.0, -9.81])
        .integrator(Integrator::Gear)
        .time_step(TimeStep::Fraction(1.0 / 40.0))
        .skin(Skin::Chosen)
}

fn add(bed: &mut Bed, shape: ConvexPolygon, place: [f64; 2], angle: f64) {
    let number = bed.0.shapes().len() as u32;
    bed.0 = std::mem::take(&mut bed.0).shape(shape);
    bed.1.push(Grain::polygon(number, place).angle(angle));
}

/// A mixture of sizes 1:30 with 4 to 40 corners that settles in a box: every size has about the same share of the area.
pub fn settling(grains: usize, seed: u64) -> Result<Bed, PolygonError> {
    let mut rng = Rng::new(seed);
    let (smallest, largest) = (0.3 * RADIUS, 9.0 * RADIUS);
    // Number density x^-3 gives every stretch of ln x the same area; systematic, so that the largest are there.
    let radius = |k: usize| {
        let u = (k as f64 + 0.5) / grains as f64;
        let ratio: f64 = smallest / largest;
        largest / (1.0 + u * (1.0 / (ratio * ratio) - 1.0)).sqrt()
    };
    let radii: Vec<f64> = (0..grains).map(|k| if k == 0 { largest } else { radius(k) }).collect();
    let area: f64 = radii.iter().map(|radius| 4.0 * radius * radius).sum();
    let half = (0.5 * area.sqrt()).max(2.0 * largest);
    let mut bed = (in_box(half), Vec::new());
    // Largest first, on shelves one above the other, each as high as the first that lies on it; small ones lie above.
    let (mut x, mut y, mut shelf) = (-half, smallest, 0.0);
    for &radius in &radii {
        if x + 2.0 * radius > half || shelf == 0.0 {
            (x, y, shelf) = (-half, y + 2.0 * shelf, 1.02 * radius);
        }
        let (place, angle) = ([x + radius, y + shelf], TAU * rng.uniform());
        let corners = 4 + rng.below(37) as usize;
        add(&mut bed, ConvexPolygon::random(corners, 0.98 * radius, &mut rng)?, place, angle);
        x += 2.0 * radius;
    }
    Ok(bed)
}

/// Grains in close rows in a box many times as wide as high: they have not far to fall until all of them rest on others.
pub fn bed(grains: usize, seed: u64) -> Result<Bed, PolygonError> {
    let mut rng = Rng::new(seed);
    let spacing = 2.02 * RADIUS;
    let columns = ((32.0 * grains as f64).sqrt().ceil() as usize).max(1);
    let half = 0.5 * spacing * columns as f64;
    let mut bed = (in_box(half), Vec::new());
    for k in 0..grains {
        let (column, row) = ((k % columns) as f64 + 0.5, (k / columns) as f64 + 0.5);
        let (place, angle) = ([column * spacing - half, row * spacing], TAU * rng.uniform());
        add(&mut bed, ConvexPolygon::random(4 + rng.below(5) as usize, RADIUS, &mut rng)?, place, angle);
    }
    Ok(bed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_start_without_overlap_and_run() {
        for made in [settling(60, 1), bed(60, 1)] {
            let (setup, grains) = made.unwrap();
            assert_eq!(grains.len(), 60);
            let mut simulation = setup.build(grains).unwrap();
            assert_eq!(simulation.contact_count(), 0);
            simulation.run(1500).unwrap();
            assert!(simulation.energies().kinetic() > 0.0);
        }
    }

    #[test]
    fn the_mixture_spans_sizes_of_1_to_30_and_4_to_40_corners() {
        let (setup, _) = settling(1000, 3).unwrap();
        let radii = || setup.shapes().iter().map(ConvexPolygon::radius);
        let (least, most) = (radii().fold(f64::INFINITY, f64::min), radii().fold(0.0, f64::max));
        assert!((most / least - 30.0).abs() < 0.1, "{least} {most}");
        let corners = || setup.shapes().iter().map(ConvexPolygon::len);
        assert_eq!((corners().min(), corners().max()), (Some(4), Some(40)));
    }
}
