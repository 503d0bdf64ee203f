//! Grains that are polygons, and the walls that they meet, from the file.

use super::document::*;
use super::physics::{Reader, located};
use crate::memory;
use anyhow::Result;
use multigrain::{Axes, Dimension, Rng};
use multigrain_dem::{Grain, Shape, Wall};
use multigrain_packings::scattered;
use multigrain_polygons::{ConvexPolygon, PolygonError};
use std::f64::consts::TAU;
use toml::Spanned;

/// Spacing of rows by default, in units of the diameters.
const ROW_SPACING: f64 = 1.05;

/// Flat pieces of a round wall by default.
const SEGMENTS: usize = 48;

/// Thickness of walls by default, in units of the shorter side of the box.
const THICKNESS: f64 = 0.05;

impl<const D: usize> Reader<'_, D>
where
    Axes: Dimension<D>,
{
    /// Shapes and grains of all blocks of polygons, each grain with a shape of its own.
    pub fn polygons(&self) -> Result<(Vec<ConvexPolygon>, Vec<Grain<D>>)> {
        let (mut shapes, mut grains) = (Vec::new(), Vec::new());
        for (number, block) in self.document.polygons.iter().enumerate() {
            // Every block has random numbers of its own, as blocks of spheres have.
            let seed = self.document.seed.wrapping_add((number as u64) << 32);
            self.polygon_block(block, seed, &mut shapes, &mut grains)?;
        }
        Ok((shapes, grains))
    }

    fn polygon_block(
        &self,
        block: &Spanned<PolygonsDocument>,
        seed: u64,
        shapes: &mut Vec<ConvexPolygon>,
        grains: &mut Vec<Grain<D>>,
    ) -> Result<()> {
        let (keys, span) = (block.get_ref(), block.span());
        let mut radii = self.radii(&keys.size_keys(), keys.count as usize, span.clone())?;
        let range = self.corner_range(&keys.corners)?;
        memory::ensure("corners", u64::from(keys.count).saturating_mul(range[1] as u64), 2 * size_of::<[f64; 2]>())?;
        let region = self.region(keys.lo.as_ref(), keys.hi.as_ref())?;
        let mut rng = Rng::new(seed);
        let centers = match keys.placement.as_ref().map_or(PolygonPlacement::Rows, |given| *given.get_ref()) {
            PolygonPlacement::Random => {
                rng.shuffle(&mut radii);
                let system = scattered(radii, region, seed);
                let system = system.map_err(|error| located(self.source, &span, &error))?;
                radii = system.radii;
                system.centers
            }
            PolygonPlacement::Rows => {
                radii.sort_by(|a, b| b.total_cmp(a));
                let spacing = self.spacing(keys.spacing.as_ref(), ROW_SPACING)?;
                let [lo, hi] = [region.lo(), region.hi()].map(|corner| [corner[0], corner[1]]);
                let Some(centers) = rows(&radii, lo, hi, spacing) else {
                    let message = format!("rows of {} polygons do not fit the box", keys.count);
                    return Err(self.source.mistake(span, message, "make the box larger, or `spacing` smaller"));
                };
                centers.into_iter().map(of_plane).collect()
            }
        };
        let material = self.material(keys.material.as_ref())?;
        let velocity = keys.velocity.as_ref().map_or(Ok([0.0; D]), |velocity| self.vector(velocity))?;
        let speed = keys.speed.as_ref().map_or(Ok(0.0), |speed| self.source.not_negative("speed", speed))?;
        for (center, radius) in centers.into_iter().zip(radii) {
            let shape = polygon(range, radius, keys.regular, &mut rng);
            let number = shapes.len() as u32;
            shapes.push(shape.map_err(|error| located(self.source, &span, &error))?);
            let angle = TAU * rng.uniform();
            let velocity = velocity.map(|component| component + speed * rng.normal());
            let grain = Grain::at(center, radius).velocity(velocity).material(material).angle(angle);
            let grain = Grain { shape: Some(number), held: keys.held, ..grain };
            grains.push(grain.spin([0.0, 0.0, keys.spin.unwrap_or(0.0)]));
        }
        Ok(())
    }

    /// Shapes for a generator.
    pub fn drawn_shapes(
        &self,
        insert: &Spanned<InsertDocument>,
        radii: &[f64],
        seed: u64,
    ) -> Result<Vec<ConvexPolygon>> {
        let keys = insert.get_ref();
        let Some(corners) = &keys.corners else { return Ok(Vec::new()) };
        let (range, mut rng) = (self.corner_range(corners)?, Rng::new(seed));
        memory::ensure("corners", (radii.len() as u64).saturating_mul(range[1] as u64), 2 * size_of::<[f64; 2]>())?;
        let shapes: Result<Vec<_>, PolygonError> =
            radii.iter().map(|&radius| polygon(range, radius, keys.regular, &mut rng)).collect();
        shapes.map_err(|error| located(self.source, &insert.span(), &error))
    }

    fn corner_range(&self, corners: &Spanned<[usize; 2]>) -> Result<[usize; 2]> {
        let [fewest, most] = *corners.get_ref();
        if fewest < 3 || most < fewest {
            let message = format!("`corners` is [{fewest}, {most}]");
            return Err(self.source.mistake(corners.span(), message, "give the fewest, at least 3, and the most"));
        }
        Ok([fewest, most])
    }

    /// The pieces of a wall where there are polygons, which need something solid: plates have a thickness, and what is round is a
    /// ring of flat pieces. Nothing if the wall is one piece as it is.
    pub fn solid_pieces(&self, wall: &Spanned<WallDocument>) -> Result<Option<Vec<Shape<D>>>> {
        let keys = wall.get_ref();
        let thickness = keys.thickness.as_ref().map_or(self.default_thickness(), |given| *given.get_ref());
        let flat = |given: &Vector| self.vector(given).map(|point| [point[0], point[1]]);
        let missing = |key: &str| self.missing(wall.span(), "this wall", key);
        let pieces = match keys.shape {
            ShapeName::Plate => {
                let corners = keys.corners.as_ref().ok_or_else(|| missing("corners"))?;
                let [start, end] = corners.as_slice() else {
                    let hint = "give its ends, grains being on the left";
                    return Err(self.source.mistake(wall.span(), "a plate has two corners", hint));
                };
                vec![Wall::slab(flat(start)?, flat(end)?, thickness)]
            }
            ShapeName::Cylinder => {
                let radius = keys.radius.ok_or_else(|| missing("radius"))?;
                let center = flat(keys.point.as_ref().ok_or_else(|| missing("point"))?)?;
                let segments = keys.segments.as_ref().map_or(SEGMENTS, |given| *given.get_ref());
                memory::ensure("segments", segments as u64, size_of::<Wall<2>>())?;
                Wall::ring(center, radius, thickness, segments)
            }
            ShapeName::Plane
            | ShapeName::Box
            | ShapeName::Funnel
            | ShapeName::Cone
            | ShapeName::Polygon
            | ShapeName::Mesh => return Ok(None),
        };
        let of_piece = |piece: Wall<2>| match piece.shape {
            Shape::Polygon { corners } => Some(Shape::Polygon { corners: corners.into_iter().map(of_plane).collect() }),
            _ => None,
        };
        Ok(Some(pieces.into_iter().filter_map(of_piece).collect()))
    }

    fn default_thickness(&self) -> f64 {
        let (lo, hi) = (self.domain.lo(), self.domain.hi());
        THICKNESS * (0..D).map(|axis| hi[axis] - lo[axis]).fold(f64::INFINITY, f64::min)
    }
}

fn polygon(
    [fewest, most]: [usize; 2],
    radius: f64,
    regular: bool,
    rng: &mut Rng,
) -> Result<ConvexPolygon, PolygonError> {
    let corners = fewest + rng.below((most - fewest + 1) as u64) as usize;
    match regular {
        true => ConvexPolygon::regular(corners, radius),
        false => ConvexPolygon::random(corners, radius, rng),
    }
}

/// A point of the plane, in a scene that is one of the plane.
fn of_plane<const D: usize>(point: [f64; 2]) -> [f64; D] {
    std::array::from_fn(|axis| point.get(axis).copied().unwrap_or(0.0))
}

/// Centers in rows from the lower left corner of a box, each row as high as its first circle; nothing if they do not fit.
fn rows(radii: &[f64], lo: [f64; 2], hi: [f64; 2], spacing: f64) -> Option<Vec<[f64; 2]>> {
    // Rounding must not cost a column that just fits.
    let limits = [0, 1].map(|axis| hi[axis] + 1e-9 * (hi[axis] - lo[axis]));
    let (mut x, mut y, mut height) = (f64::INFINITY, lo[1], 0.0);
    let mut centers = Vec::with_capacity(radii.len());
    for radius in radii {
        let width = 2.0 * radius * spacing;
        if x + width > limits[0] {
            (x, y, height) = (lo[0], y + height, width);
        }
        if x + width > limits[0] || y + width > limits[1] {
            return None;
        }
        centers.push([x + 0.5 * width, y + 0.5 * width]);
        x += width;
    }
    Some(centers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_as_high_as_their_first_circle_and_end_at_the_border() {
        let centers = rows(&[2.0, 1.0, 1.0, 1.0], [0.0, 0.0], [8.0, 6.0], 1.0).unwrap();
        assert_eq!(centers, [[2.0, 2.0], [5.0, 1.0], [7.0, 1.0], [1.0, 5.0]]);
        assert_eq!(rows(&[2.0, 1.0, 1.0, 1.0], [0.0, 0.0], [8.0, 5.9], 1.0), None);
        assert_eq!(rows(&[2.0], [0.0, 0.0], [3.9, 9.0], 1.0), None);
    }
}
