//! Scenes of polygons, in any size.

use super::body::PolygonBody;
use super::law::{PolygonMaterial, Repulsion};
use super::setup::PolygonSetup;
use super::walls::{drum, floor, hopper, slab};
use multigrain::Rng;
use multigrain_polygons::{ConvexPolygon, Frame, PolygonError};
use std::f64::consts::TAU;

/// Acceleration of gravity in all scenes.
const GRAVITY: [f64; 2] = [0.0, -9.81];

/// Radius of the circle around most grains, in metres.
const RADIUS: f64 = 0.01;

/// As soft as can be without grains at the bottom being pressed by more than a percent or two: the time step is long.
const SOFT: PolygonMaterial = PolygonMaterial {
    density: 1000.0,
    youngs_modulus: 2e5,
    damping: 0.3,
    friction: 0.5,
    tangential_stiffness: 0.3,
    repulsion: Repulsion::Energy,
};

/// A scene that is ready to be simulated.
#[derive(Debug, Clone)]
pub struct PolygonScene {
    /// Its name.
    pub name: &'static str,
    /// What is simulated.
    pub setup: PolygonSetup,
    /// Walls first, then grains.
    pub bodies: Vec<PolygonBody>,
    /// How long it takes until there is nothing new to be seen, in seconds.
    pub duration: f64,
    /// The part of the plane that pictures show: lower and upper corner.
    pub view: [[f64; 2]; 2],
}

impl PolygonScene {
    /// Names of the scenes that [`named`](Self::named) makes.
    pub const NAMES: [&'static str; 5] = ["heap", "drum", "hopper", "settling", "bed"];

    /// The scene with this name and about this many grains; `None` for a name that there is not.
    pub fn named(name: &str, grains: usize, seed: u64) -> Option<Result<Self, PolygonError>> {
        match name {
            "heap" => Some(Self::heap(grains, 5..=8, 0.5, seed)),
            "drum" => Some(Self::drum(grains, seed)),
            "hopper" => Some(Self::hopper(grains, seed)),
            "settling" => Some(Self::settling(grains, seed)),
            "bed" => Some(Self::bed(grains, seed)),
            _ => None,
        }
    }

    /// A column of grains that collapses into a heap on a plane. Corners are drawn from the range; from 32 corners on grains
    /// are regular, and roll like discs.
    pub fn heap(
        grains: usize,
        corners: std::ops::RangeInclusive<usize>,
        friction: f64,
        seed: u64,
    ) -> Result<Self, PolygonError> {
        let columns = ((grains as f64 / 3.0).sqrt().ceil() as usize).max(1);
        let mut rng = Rng::new(seed);
        let reach = 2.5 * grains as f64 * RADIUS / columns as f64 + 20.0 * RADIUS;
        let mut bodies = floor(4.0 * reach, 4.0 * RADIUS)?;
        // Stones that are let into the floor hold the first layer.
        let stones = (4.0 * reach / (4.0 * RADIUS)) as usize;
        for k in 0..stones {
            let stone = ConvexPolygon::regular(6, RADIUS)?;
            bodies.push(PolygonBody::wall(
                stone,
                Frame::new([(k as f64 + 0.5) * 4.0 * RADIUS - 2.0 * reach, -0.2 * RADIUS], 0.3)?,
            ));
        }
        let width = 2.2 * RADIUS * columns as f64;
        let range = (corners.end() - corners.start() + 1) as u64;
        for k in 0..grains {
            let frame = in_rows(k, columns, 2.2 * RADIUS, [-0.5 * width, 1.2 * RADIUS], &mut rng)?;
            let count = corners.start() + rng.below(range) as usize;
            let shape = match count {
                0..32 => ConvexPolygon::random(count, RADIUS, &mut rng)?,
                _ => ConvexPolygon::regular(count, RADIUS)?,
            };
            bodies.push(PolygonBody::grain(shape, frame));
        }
        let material = PolygonMaterial { friction, ..SOFT };
        let top = 0.8 * 2.2 * RADIUS * (grains / columns) as f64;
        let view = [[-1.2 * top, -4.0 * RADIUS], [1.2 * top, top]];
        Ok(Self { name: "heap", setup: setup(material), bodies, duration: 1.4, view })
    }

    /// Grains in a turning drum.
    pub fn drum(grains: usize, seed: u64) -> Result<Self, PolygonError> {
        // Grains fill about a third of the drum.
        let radius = (3.0 * grains as f64).sqrt() * RADIUS;
        let mut rng = Rng::new(seed);
        let mut bodies = drum(radius, 0.1 * radius, 48, 1.5)?;
        let side = 1.3 * radius;
        let columns = ((side / (2.05 * RADIUS)) as usize).max(1);
        for k in 0..grains {
            let frame = in_rows(k, columns, 2.05 * RADIUS, [-0.5 * side, -0.6 * radius], &mut rng)?;
            bodies.push(PolygonBody::grain(ConvexPolygon::random(4 + rng.below(5) as usize, RADIUS, &mut rng)?, frame));
        }
        let view = [[-1.12 * radius; 2], [1.12 * radius; 2]];
        Ok(Self { name: "drum", setup: setup(SOFT), bodies, duration: 2.0, view })
    }

    /// Grains that run out of a hopper onto a floor.
    pub fn hopper(grains: usize, seed: u64) -> Result<Self, PolygonError> {
        let mut rng = Rng::new(seed);
        let height = 1.6 * (grains as f64).sqrt() * RADIUS;
        let mut bodies = hopper(12.0 * RADIUS, height, TAU / 6.0, 4.0 * RADIUS)?;
        let (half, drop) = (6.0 * RADIUS + height / (TAU / 6.0).tan(), 20.0 * RADIUS);
        // Side walls above, and a floor with rims below.
        bodies.push(slab([half, height], [half, 4.0 * height], 4.0 * RADIUS)?);
        bodies.push(slab([-half, 4.0 * height], [-half, height], 4.0 * RADIUS)?);
        bodies.push(slab([-3.0 * half, -drop], [3.0 * half, -drop], 4.0 * RADIUS)?);
        bodies.push(slab([3.0 * half, -drop], [3.0 * half, 0.0], 4.0 * RADIUS)?);
        bodies.push(slab([-3.0 * half, 0.0], [-3.0 * half, -drop], 4.0 * RADIUS)?);
        let columns = ((2.0 * half / (2.1 * RADIUS)) as usize).max(1);
        for k in 0..grains {
            let frame = in_rows(k, columns, 2.1 * RADIUS, [-half, height + 1.5 * RADIUS], &mut rng)?;
            bodies.push(PolygonBody::grain(ConvexPolygon::random(5 + rng.below(4) as usize, RADIUS, &mut rng)?, frame));
        }
        let view = [[-3.1 * half, -drop - 4.0 * RADIUS], [3.1 * half, 2.6 * height]];
        Ok(Self { name: "hopper", setup: setup(SOFT), bodies, duration: 1.5, view })
    }

    /// A mixture of sizes 1:30 with 4 to 40 corners that settles in a box: every size has about the same share of the area.
    pub fn settling(grains: usize, seed: u64) -> Result<Self, PolygonError> {
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
        let (height, thickness) = (8.0 * half, 4.0 * RADIUS);
        let mut bodies = vec![
            slab([-half, 0.0], [half, 0.0], thickness)?,
            slab([half, -thickness], [half, height], thickness)?,
            slab([-half, height], [-half, -thickness], thickness)?,
        ];
        // Largest first, on shelves one above the other, each as high as the first that lies on it; small ones lie above.
        let (mut x, mut y, mut shelf) = (-half, smallest, 0.0);
        for &radius in &radii {
            if x + 2.0 * radius > half || shelf == 0.0 {
                (x, y, shelf) = (-half, y + 2.0 * shelf, 1.02 * radius);
            }
            let frame = Frame::new([x + radius, y + shelf], TAU * rng.uniform())?;
            let corners = 4 + rng.below(37) as usize;
            bodies.push(PolygonBody::grain(ConvexPolygon::random(corners, 0.98 * radius, &mut rng)?, frame));
            x += 2.0 * radius;
        }
        let view = [[-1.05 * half, -thickness], [1.05 * half, 0.7 * (y + 2.0 * largest)]];
        Ok(Self { name: "settling", setup: setup(SOFT), bodies, duration: 0.6, view })
    }

    /// Grains in close rows in a box many times as wide as high: they have not far to fall until all of them rest on others.
    pub fn bed(grains: usize, seed: u64) -> Result<Self, PolygonError> {
        let mut rng = Rng::new(seed);
        let spacing = 2.02 * RADIUS;
        let columns = ((32.0 * grains as f64).sqrt().ceil() as usize).max(1);
        let half = 0.5 * spacing * columns as f64;
        let (height, thickness) = (1.5 * spacing * (grains.div_ceil(columns)) as f64, 4.0 * RADIUS);
        let mut bodies = vec![
            slab([-half, 0.0], [half, 0.0], thickness)?,
            slab([half, -thickness], [half, height], thickness)?,
            slab([-half, height], [-half, -thickness], thickness)?,
        ];
        for k in 0..grains {
            let frame = in_rows(k, columns, spacing, [-half, 0.0], &mut rng)?;
            bodies.push(PolygonBody::grain(ConvexPolygon::random(4 + rng.below(5) as usize, RADIUS, &mut rng)?, frame));
        }
        let view = [[-1.02 * half, -thickness], [1.02 * half, height]];
        Ok(Self { name: "bed", setup: setup(SOFT), bodies, duration: 0.25, view })
    }
}

fn setup(material: PolygonMaterial) -> PolygonSetup {
    PolygonSetup::new(material).gravity(GRAVITY)
}

/// The place of grain `k` in rows from a corner on, turned at random.
fn in_rows(k: usize, columns: usize, spacing: f64, [x, y]: [f64; 2], rng: &mut Rng) -> Result<Frame, PolygonError> {
    let (column, row) = ((k % columns) as f64 + 0.5, (k / columns) as f64 + 0.5);
    Frame::new([x + column * spacing, y + row * spacing], TAU * rng.uniform())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_starts_without_overlap_and_runs() {
        for name in PolygonScene::NAMES {
            let scene = PolygonScene::named(name, 60, 1).expect("a scene of that name").unwrap();
            assert_eq!(scene.name, name);
            let grains = scene.bodies.iter().filter(|body| body.drive.is_none()).count();
            assert_eq!(grains, 60);
            let mut simulation = scene.setup.build(scene.bodies).unwrap();
            assert_eq!(simulation.contact_count(), 0, "{name}");
            simulation.run(1500).unwrap();
            assert!(simulation.energies().kinetic > 0.0);
        }
        assert!(PolygonScene::named("avalanche", 1, 1).is_none());
    }

    #[test]
    fn the_mixture_spans_sizes_of_1_to_30_and_4_to_40_corners() {
        let scene = PolygonScene::settling(1000, 3).unwrap();
        let grains = || scene.bodies.iter().filter(|body| body.drive.is_none()).map(|body| &body.shape);
        let [least, most] =
            grains().fold([f64::INFINITY, 0.0f64], |[lo, hi], shape| [lo.min(shape.radius()), hi.max(shape.radius())]);
        assert!((most / least - 30.0).abs() < 0.1, "{least} {most}");
        assert_eq!(
            (grains().map(|shape| shape.len()).min(), grains().map(|shape| shape.len()).max()),
            (Some(4), Some(40))
        );
    }
}
