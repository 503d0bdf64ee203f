//! Scenes whose grains are polygons: material, walls and grains from the file.

use super::document::*;
use super::physics::{Reader, located};
use crate::memory;
use anyhow::Result;
use multigrain::Rng;
use multigrain_dem::polygons::{
    CandidateSearch, Drive, PolygonBody, PolygonIntegrator, PolygonMaterial, PolygonSetup, Repulsion, drum, slab,
};
use multigrain_methods::Method;
use multigrain_packings::scattered;
use multigrain_polygons::{ConvexPolygon, Frame, PolygonError};
use std::f64::consts::TAU;
use std::ops::Range;
use toml::Spanned;

/// Spacing of rows by default, in units of the diameters.
const ROW_SPACING: f64 = 1.05;

/// Flat pieces of a round wall by default.
const SEGMENTS: usize = 48;

/// Thickness of walls by default, in units of the shorter side of the box.
const THICKNESS: f64 = 0.05;

impl Reader<'_, 2> {
    /// The setup of a scene of polygons.
    pub fn polygon_setup(&self) -> Result<PolygonSetup> {
        self.refuse_keys_of_spheres()?;
        let mut setup = PolygonSetup::new(self.polygon_material()?).search(self.candidate_search()?);
        if let Some(gravity) = &self.document.gravity {
            setup = setup.gravity(self.vector(gravity)?);
        }
        let keys = &self.document.time;
        if let Some(step) = keys.step {
            setup = setup.time_step(step);
        }
        if let Some(fraction) = keys.fraction {
            setup = setup.time_step_fraction(fraction);
        }
        Ok(match keys.integrator {
            None | Some(IntegratorName::Gear) => setup.integrator(PolygonIntegrator::Gear),
            Some(_) => setup.integrator(PolygonIntegrator::Verlet),
        })
    }

    /// Walls, then grains, block by block.
    pub fn polygon_bodies(&self) -> Result<Vec<PolygonBody>> {
        let mut bodies = Vec::new();
        for wall in &self.document.wall {
            bodies.extend(self.polygon_wall(wall)?);
        }
        if self.document.domain.walls {
            let ([x0, y0], [x1, y1], thick) = (self.domain.lo(), self.domain.hi(), self.default_thickness());
            // Side walls reach around the corners.
            let ends = [
                ([x0, y0], [x1, y0]),
                ([x1, y0 - thick], [x1, y1 + thick]),
                ([x1, y1], [x0, y1]),
                ([x0, y1 + thick], [x0, y0 - thick]),
            ];
            for (start, end) in ends {
                let made = slab(start, end, thick);
                bodies.push(made.map_err(|error| located(self.source, &self.document.domain.hi.span(), &error))?);
            }
        }
        for (number, block) in self.document.polygons.iter().enumerate() {
            // Every block has random numbers of its own, as blocks of spheres have.
            let seed = self.document.seed.wrapping_add((number as u64) << 32);
            bodies.extend(self.polygon_block(block, seed)?);
        }
        Ok(bodies)
    }

    fn polygon_material(&self) -> Result<PolygonMaterial> {
        let [given] = self.document.material.as_slice() else {
            let second = self.document.material.get(1).map_or(0..0, Spanned::span);
            return Err(self.source.mistake(second, "polygons have one material", "keep one `[[material]]`"));
        };
        let keys = given.get_ref();
        let others = [
            ("stiffness", keys.stiffness),
            ("poisson", keys.poisson),
            ("restitution", keys.restitution),
            ("tangential_damping", keys.tangential_damping),
        ];
        if let Some((name, _)) = others.into_iter().find(|(_, value)| value.is_some()) {
            let hint = "polygons have `modulus`, `damping`, `friction`, `tangential_stiffness` and `repulsion`";
            return Err(self.source.mistake(given.span(), format!("`{name}` is for spheres"), hint));
        }
        let default = PolygonMaterial::default();
        let material = PolygonMaterial {
            density: keys.density,
            youngs_modulus: keys.modulus.ok_or_else(|| self.missing(given.span(), "this material", "modulus"))?,
            damping: keys.damping.unwrap_or(default.damping),
            friction: keys.friction.unwrap_or(0.0),
            tangential_stiffness: keys.tangential_stiffness.unwrap_or(default.tangential_stiffness),
            repulsion: match keys.repulsion.as_ref().map(|name| *name.get_ref()) {
                None => default.repulsion,
                Some(RepulsionName::Area) => Repulsion::Area,
                Some(RepulsionName::Energy) => Repulsion::Energy,
            },
        };
        material.check().map_err(|error| located(self.source, &given.span(), &error))?;
        Ok(material)
    }

    fn candidate_search(&self) -> Result<CandidateSearch> {
        match &self.document.detection.method {
            None => Ok(CandidateSearch::SortAndUpdate),
            // It has boxes to sort, which fit polygons better than circles do.
            Some(name) if name.get_ref() == Method::SortAndUpdate.name() => Ok(CandidateSearch::SortAndUpdate),
            Some(name) => Ok(CandidateSearch::Circles(self.method(name)?)),
        }
    }

    fn polygon_wall(&self, wall: &Spanned<WallDocument>) -> Result<Vec<PolygonBody>> {
        let keys = wall.get_ref();
        self.material(keys.material.as_ref())?;
        let thickness = keys.thickness.as_ref().map_or(self.default_thickness(), |given| *given.get_ref());
        let corners = || match &keys.corners {
            Some(given) => given.iter().map(|corner| self.vector(corner)).collect::<Result<Vec<_>>>(),
            None => Err(self.missing(wall.span(), "this wall", "corners")),
        };
        let mistake = |message: &str, hint: &str| self.source.mistake(wall.span(), message, hint);
        let sound = |error: PolygonError| located(self.source, &wall.span(), &error);
        let point = keys.point.as_ref().map(|point| self.vector(point)).transpose()?;
        let spin = match keys.spin.as_ref().map(|spin| (spin.get_ref().as_slice(), spin.span())) {
            None => 0.0,
            Some((&[spin], _)) => spin,
            Some((_, span)) => {
                return Err(self.source.mistake(span, "`spin` has one number in the plane", "write spin = [2.0]"));
            }
        };
        let bodies = match keys.shape {
            ShapeName::Plate => match corners()?[..] {
                [start, end] => vec![slab(start, end, thickness).map_err(sound)?],
                _ => return Err(mistake("a plate has two corners", "give its ends, grains being on the left")),
            },
            ShapeName::Polygon => {
                let shape = ConvexPolygon::new(&corners()?).map_err(sound)?;
                let frame = shape.as_given().frame();
                vec![PolygonBody::wall(shape, frame)]
            }
            ShapeName::Cylinder => {
                let radius = keys.radius.ok_or_else(|| self.missing(wall.span(), "this wall", "radius"))?;
                let [x, y] = point.ok_or_else(|| self.missing(wall.span(), "this wall", "point"))?;
                let segments = keys.segments.as_ref().map_or(SEGMENTS, |given| *given.get_ref());
                memory::ensure("segments", segments as u64, size_of::<PolygonBody>())?;
                let ring = drum(radius, thickness, segments, 0.0).map_err(sound)?;
                let moved = ring.into_iter().map(|body| {
                    let ([cx, cy], angle) = (body.frame.position(), body.frame.angle());
                    Ok(PolygonBody { frame: Frame::new([x + cx, y + cy], angle)?, ..body })
                });
                moved.collect::<Result<_, _>>().map_err(sound)?
            }
            ShapeName::Plane | ShapeName::Box | ShapeName::Funnel => {
                return Err(mistake(
                    "polygons meet walls that are plates, cylinders or polygons",
                    "use plates, or `walls = true` of [domain]",
                ));
            }
        };
        let about = match (&keys.about, point) {
            (Some(given), _) => self.vector(given)?,
            (None, Some(point)) => point,
            (None, None) if spin != 0.0 => return Err(self.missing(wall.span(), "a turning wall", "about")),
            (None, None) => [0.0; 2],
        };
        let velocity = keys.velocity.as_ref().map_or(Ok([0.0; 2]), |velocity| self.vector(velocity))?;
        let drive = Drive { velocity, spin, center: about };
        Ok(bodies.into_iter().map(|body| body.driven(drive)).collect())
    }

    fn polygon_block(&self, block: &Spanned<PolygonsDocument>, seed: u64) -> Result<Vec<PolygonBody>> {
        let (keys, span) = (block.get_ref(), block.span());
        let mut radii = self.radii(&keys.size_keys(), keys.count as usize, span.clone())?;
        let [fewest, most] = *keys.corners.get_ref();
        if fewest < 3 || most < fewest {
            let message = format!("`corners` is [{fewest}, {most}]");
            return Err(self.source.mistake(keys.corners.span(), message, "give the fewest, at least 3, and the most"));
        }
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
                let Some(centers) = rows(&radii, region.lo(), region.hi(), spacing) else {
                    let message = format!("rows of {} polygons do not fit the box", keys.count);
                    return Err(self.source.mistake(span, message, "make the box larger, or `spacing` smaller"));
                };
                centers
            }
        };
        let velocity = keys.velocity.as_ref().map_or(Ok([0.0; 2]), |velocity| self.vector(velocity))?;
        let speed = keys.speed.as_ref().map_or(Ok(0.0), |speed| self.source.not_negative("speed", speed))?;
        let spin = keys.spin.unwrap_or(0.0);
        let grain = |(center, radius): ([f64; 2], f64)| {
            let corners = fewest + rng.below((most - fewest + 1) as u64) as usize;
            let shape = match keys.regular {
                true => ConvexPolygon::regular(corners, radius)?,
                false => ConvexPolygon::random(corners, radius, &mut rng)?,
            };
            let frame = Frame::new(center, TAU * rng.uniform())?;
            let velocity = velocity.map(|component| component + speed * rng.normal());
            Ok(PolygonBody::grain(shape, frame).moving(velocity, spin))
        };
        let grains: Result<Vec<PolygonBody>, PolygonError> = centers.into_iter().zip(radii).map(grain).collect();
        grains.map_err(|error| located(self.source, &span, &error))
    }

    fn default_thickness(&self) -> f64 {
        let ([x0, y0], [x1, y1]) = (self.domain.lo(), self.domain.hi());
        THICKNESS * (x1 - x0).min(y1 - y0)
    }

    /// Keys that say nothing where grains are polygons are mistakes.
    fn refuse_keys_of_spheres(&self) -> Result<()> {
        let document = self.document;
        let refuse = |span: Range<usize>, what: &str, hint: &str| {
            Err(self.source.mistake(span, format!("{what} not for scenes of polygons"), hint))
        };
        let tables = [
            ("`[[particles]]` are", document.particles.first().map(Spanned::span)),
            ("`[[between]]` is", document.between.first().map(Spanned::span)),
            ("`[[insert]]` is", document.insert.first().map(Spanned::span)),
            ("`[[remove]]` is", document.remove.first().map(Spanned::span)),
            ("`periodic` is", document.domain.periodic.first().map(Spanned::span)),
            ("`skin` is", document.detection.skin.as_ref().map(Spanned::span)),
        ];
        for (what, span) in tables {
            if let Some(span) = span {
                return refuse(span, what, "remove it; multigrain help scene tells what polygons have");
            }
        }
        let dump = document.output.formats.iter().flatten().find(|format| *format.get_ref() == FrameFormat::Dump);
        if let Some(dump) = dump {
            return refuse(dump.span(), "`dump` is", "there are vtp, svg and png");
        }
        let top = document.dimension.span();
        let (time, color) = (&document.time, document.output.color);
        if time.impact_speed.is_some() {
            return refuse(top, "`impact_speed` is", "remove it");
        }
        if time.integrator == Some(IntegratorName::PlainVerlet) {
            return refuse(top, "`plain-verlet` is", "there are gear and verlet");
        }
        if time.step.is_some() && time.fraction.is_some() {
            let message = "`step` and `fraction` of [time] both say how long a step is";
            return Err(self.source.mistake(top, message, "give one of them"));
        }
        if color == ColorBy::Material {
            return refuse(top, "colors by material are", "there are size and speed");
        }
        Ok(())
    }
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
