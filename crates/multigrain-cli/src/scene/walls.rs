//! Walls of a scene: their shapes, also from files, and how they move.

use super::document::*;
use super::physics::{Reader, located};
use crate::failure::say;
use anyhow::Result;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Drive, Oscillation, Servo, Shape, TimeTable, Wall, Wear};
use multigrain_files::read_surface;
use multigrain_meshes::Surface;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;

/// Notes on a mesh that are printed; more are counted.
const NOTES: usize = 5;

impl<const D: usize> Reader<'_, D>
where
    Axes: Dimension<D>,
{
    /// All walls: those of the file in their order, then those of the box.
    pub fn walls(&self) -> Result<Vec<Wall<D>>> {
        let walls = self.document.wall.iter().map(|wall| self.wall(wall)).collect::<Result<Vec<_>>>()?;
        Ok(walls.into_iter().flatten().chain(self.walls_of_box()?).collect())
    }

    /// What each of `count` walls is called in tables: pieces of one wall have one name.
    pub fn wall_names(&self, count: usize) -> Vec<String> {
        let owners: Vec<usize> =
            self.document.wall.iter().enumerate().flat_map(|(k, wall)| self.pieces(wall, k)).collect();
        let of_wall = |k: usize| self.document.wall[k].get_ref().name.as_ref().map(|name| name.get_ref().clone());
        let named = owners.iter().map(|&k| of_wall(k).unwrap_or(format!("wall{k}")));
        let axes = (0..D).filter(|&axis| !self.domain.is_periodic(axis));
        let of_box = axes.flat_map(|axis| ["lo", "hi"].map(|side| format!("box_{}_{side}", ["x", "y", "z"][axis])));
        named.chain(of_box).take(count).collect()
    }

    /// The number of a wall, for each of its pieces.
    fn pieces(&self, wall: &Spanned<WallDocument>, number: usize) -> Vec<usize> {
        let pieces = match self.document.has_polygons() {
            true => self.solid_pieces(wall).ok().flatten().map_or(1, |pieces| pieces.len()),
            false => 1,
        };
        vec![number; pieces]
    }

    /// Which wall of the file the wall with this number is a piece of.
    pub(super) fn wall_of_piece(&self, number: usize) -> Option<&Spanned<WallDocument>> {
        let mut owners = self.document.wall.iter().enumerate().flat_map(|(k, wall)| self.pieces(wall, k));
        owners.nth(number).map(|k| &self.document.wall[k])
    }

    /// The pieces of a wall; one, but where there are polygons.
    fn wall(&self, wall: &Spanned<WallDocument>) -> Result<Vec<Wall<D>>> {
        let has_polygons = self.document.has_polygons();
        let pieces = if has_polygons { self.solid_pieces(wall)? } else { None };
        let shapes = match pieces {
            Some(pieces) => pieces,
            None => vec![self.shape_of(wall)?],
        };
        let keys = wall.get_ref();
        let has_motion = keys.velocity.is_some() || keys.spin.is_some();
        if keys.moves && !has_motion {
            let message = "`moves = true` needs `velocity` or `spin`";
            return Err(self.source.mistake(wall.span(), message, "add `velocity` or `spin`"));
        }
        // With polygons walls go along with their surface.
        let moves = keys.moves || has_polygons && has_motion;
        let mut made = Wall::new(Shape::Plate { corners: Vec::new() }).material(self.material(keys.material.as_ref())?);
        made.temperature = keys.temperature;
        if let Some(velocity) = &keys.velocity {
            made = made.carrying(self.vector(velocity)?);
        }
        made.temperature = keys.temperature;
        if let Some(about) = &keys.about {
            made.about = self.vector(about)?;
        }
        if let Some((spin, about)) = self.turning(wall)? {
            made = made.turning(spin, about);
        }
        if let Some(wear) = &keys.wear {
            let WearDocument { coefficient, hardness } = wear.get_ref();
            let coefficient = self.source.not_negative("coefficient", coefficient)?;
            made.wear = Some(Wear { coefficient, hardness: self.source.positive("hardness", hardness)? });
        }
        let finish = |shape: Shape<D>| -> Result<Wall<D>> {
            let drive = keys.motion.as_ref().map_or(Ok(Drive::None), |motion| self.drive(wall, motion, &shape))?;
            Ok(Wall { shape, moves, drive, ..made.clone() })
        };
        shapes.into_iter().map(finish).collect()
    }

    /// How a wall moves beside a steady velocity and spin.
    fn drive(
        &self,
        wall: &Spanned<WallDocument>,
        motion: &Spanned<MotionDocument>,
        shape: &Shape<D>,
    ) -> Result<Drive<D>> {
        let keys = motion.get_ref();
        let missing = |key: &str| self.missing(motion.span(), "this motion", key);
        self.refuse_keys_of_other_motions(keys)?;
        match keys.kind {
            MotionName::Oscillation => {
                let frequency = keys.frequency.as_ref().ok_or_else(|| missing("frequency"))?;
                let mut way = Oscillation::along([0.0; D], self.source.positive("frequency", frequency)?);
                way.phase = keys.phase.unwrap_or(0.0).to_radians();
                if keys.amplitude.is_none() && keys.angle.is_none() {
                    return Err(missing("amplitude"));
                }
                if let Some(amplitude) = &keys.amplitude {
                    let along = self.direction(keys.direction.as_ref().ok_or_else(|| missing("direction"))?)?;
                    let amplitude = self.source.not_negative("amplitude", amplitude)?;
                    way.amplitude = along.map(|x| amplitude * x);
                }
                if let Some(angle) = keys.angle {
                    let axis = match (&keys.axis, D) {
                        (_, 2) => [0.0, 0.0, 1.0],
                        (Some(axis), _) => self.direction(axis).map(|axis| [axis[0], axis[1], axis[D - 1]])?,
                        (None, _) => return Err(missing("axis")),
                    };
                    way.swing = axis.map(|x| angle.to_radians() * x);
                    if wall.get_ref().about.is_none() {
                        return Err(self.missing(wall.span(), "a wall that swings", "about"));
                    }
                }
                Ok(Drive::Oscillating(way))
            }
            MotionName::Table => {
                let rows = match (&keys.file, &keys.rows) {
                    (Some(file), None) => self.rows_of_file(file)?,
                    (None, Some(rows)) => rows.get_ref().clone(),
                    _ => {
                        return Err(self.source.mistake(
                            motion.span(),
                            "a table has a `file` or `rows`",
                            "give one of them",
                        ));
                    }
                };
                let span = keys.rows.as_ref().map(|rows| rows.span()).or(keys.file.as_ref().map(|file| file.span()));
                let table = self.time_table(&rows, span.clone().unwrap_or(motion.span()))?;
                Ok(Drive::Table(Arc::new(table)))
            }
            MotionName::Servo => {
                let direction = keys.direction.as_ref().ok_or_else(|| missing("direction"))?;
                let along = self.direction(direction)?;
                let force = match (&keys.force, &keys.pressure) {
                    (Some(force), None) => *force.get_ref(),
                    (None, Some(pressure)) => pressure.get_ref() * self.area(keys, motion, shape, along)?,
                    _ => {
                        let message = "a servo has a `force` or a `pressure`";
                        return Err(self.source.mistake(motion.span(), message, "give one of them"));
                    }
                };
                let max_speed = keys.max_speed.as_ref().ok_or_else(|| missing("max_speed"))?;
                let gain = keys.gain.as_ref().map(|gain| self.source.positive("gain", gain)).transpose()?;
                if force == 0.0 && gain.is_none() {
                    return Err(self.source.mistake(
                        motion.span(),
                        "a servo for no force needs a `gain`",
                        "add `gain`",
                    ));
                }
                let max_speed = self.source.positive("max_speed", max_speed)?;
                Ok(Drive::Servo(Servo { direction: along, force, max_speed, gain }))
            }
        }
    }

    /// A key that says nothing for this kind of motion is a mistake.
    fn refuse_keys_of_other_motions(&self, keys: &MotionDocument) -> Result<()> {
        let span = |key: &Option<Spanned<f64>>| key.as_ref().map(Spanned::span);
        let shaken = keys.kind == MotionName::Oscillation;
        let (follows, steered) = (keys.kind == MotionName::Table, keys.kind == MotionName::Servo);
        let given = [
            ("amplitude", span(&keys.amplitude), shaken),
            ("frequency", span(&keys.frequency), shaken),
            ("axis", keys.axis.as_ref().map(Spanned::span), shaken),
            ("file", keys.file.as_ref().map(Spanned::span), follows),
            ("rows", keys.rows.as_ref().map(Spanned::span), follows),
            ("force", span(&keys.force), steered),
            ("pressure", span(&keys.pressure), steered),
            ("max_speed", span(&keys.max_speed), steered),
            ("direction", keys.direction.as_ref().map(Spanned::span), shaken || steered),
        ];
        for (key, span, is_allowed) in given {
            if let Some(span) = span.filter(|_| !is_allowed) {
                let message = format!("`{key}` says nothing for this kind of motion");
                return Err(self.source.mistake(span, message, "remove it, or take another `kind`"));
            }
        }
        Ok(())
    }

    /// The area that a pressure acts on: as given, that of a plate, or the box across an axis.
    fn area(
        &self,
        keys: &MotionDocument,
        motion: &Spanned<MotionDocument>,
        shape: &Shape<D>,
        along: [f64; D],
    ) -> Result<f64> {
        if let Some(area) = &keys.area {
            return self.source.positive("area", area);
        }
        if let (Shape::Plane { .. }, Some(axis)) = (shape, (0..D).find(|&axis| along[axis].abs() > 1.0 - 1e-12)) {
            let (lo, hi) = (self.domain.lo(), self.domain.hi());
            return Ok((0..D).filter(|&other| other != axis).map(|other| hi[other] - lo[other]).product());
        }
        let message = "`pressure` needs the `area` that it acts on";
        Err(self.source.mistake(motion.span(), message, "add `area`; planes across an axis take that of the domain"))
    }

    /// Rows of a table of times: a time and a shift each.
    fn time_table(&self, rows: &[Vec<f64>], span: Range<usize>) -> Result<TimeTable<D>> {
        let refuse = |message: String| {
            self.source.mistake(span.clone(), message, "a row is a time and a shift along every axis")
        };
        let mut times = Vec::new();
        let mut shifts = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let Some((&time, shift)) = row.split_first().filter(|(_, shift)| shift.len() == D) else {
                return Err(refuse(format!(
                    "row {} of the table has {} numbers, not {}",
                    number + 1,
                    row.len(),
                    D + 1
                )));
            };
            times.push(time);
            shifts.push(std::array::from_fn(|axis| shift[axis]));
        }
        TimeTable::new(times, shifts).map_err(|problem| refuse(problem.to_owned()))
    }

    /// Numbers of a text file, in rows, split by commas or spaces; a head and comments are passed over.
    fn rows_of_file(&self, file: &Spanned<std::path::PathBuf>) -> Result<Vec<Vec<f64>>> {
        let path = self.source.folder().join(file.get_ref());
        let refuse =
            |message: String| self.source.mistake(file.span(), message, "it has a time and a shift in every line");
        let text = std::fs::read_to_string(&path)
            .map_err(|error| refuse(format!("cannot read {}: {error}", path.display())))?;
        let mut rows = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let words = line.split([',', ' ', '\t', ';']).filter(|word| !word.is_empty());
            let row: Result<Vec<f64>, _> = words.map(str::parse).collect();
            match row {
                Ok(row) if row.is_empty() => {}
                Ok(row) => rows.push(row),
                Err(_) if rows.is_empty() => {}
                Err(_) => {
                    return Err(refuse(format!("line {} of {} is no row of numbers", number + 1, path.display())));
                }
            }
        }
        Ok(rows)
    }

    /// A direction with length 1.
    fn direction(&self, given: &Vector) -> Result<[f64; D]> {
        let vector = self.vector(given)?;
        let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        match length > 0.0 && length.is_finite() {
            true => Ok(vector.map(|x| x / length)),
            false => Err(self.source.mistake(given.span(), "this is no direction", "give a vector that is not zero")),
        }
    }

    /// An angular velocity.
    pub(super) fn spin(&self, spin: &Vector) -> Result<[f64; 3]> {
        match spin.get_ref()[..] {
            [around_z] if D == 2 => Ok([0.0, 0.0, around_z]),
            [x, y, z] if D == 3 => Ok([x, y, z]),
            _ => {
                let message = format!("`spin` has {} numbers", spin.get_ref().len());
                let hint = if D == 2 { "in the plane it is one: [2.0]" } else { "in space it has three" };
                Err(self.source.mistake(spin.span(), message, hint))
            }
        }
    }

    /// How a wall turns, and about what.
    fn turning(&self, wall: &Spanned<WallDocument>) -> Result<Option<([f64; 3], [f64; D])>> {
        let keys = wall.get_ref();
        let Some(spin) = &keys.spin else { return Ok(None) };
        let vector = self.spin(spin)?;
        match (&keys.about, &keys.point) {
            (Some(given), _) | (None, Some(given)) => Ok(Some((vector, self.vector(given)?))),
            (None, None) => Err(self.missing(wall.span(), "a turning wall", "about")),
        }
    }

    fn shape_of(&self, wall: &Spanned<WallDocument>) -> Result<Shape<D>> {
        let keys = wall.get_ref();
        self.refuse_keys_of_meshes(keys)?;
        let need = |key: &Option<Vector>, name: &str| match key {
            Some(given) => self.vector(given),
            None => Err(self.missing(wall.span(), "this wall", name)),
        };
        let all = |key: &Option<Vec<Vector>>, name: &str| match key {
            Some(given) => given.iter().map(|corner| self.vector(corner)).collect::<Result<Vec<_>>>(),
            None => Err(self.missing(wall.span(), "this wall", name)),
        };
        let radius = || keys.radius.ok_or_else(|| self.missing(wall.span(), "this wall", "radius"));
        let cone = |radii: [f64; 2]| -> Result<Shape<D>> {
            let ends = all(&keys.ends, "ends")?;
            let Ok(ends) = <[[f64; D]; 2]>::try_from(ends) else {
                let (message, hint) = ("a funnel, cone or cylinder has two ends", "give the centers of both");
                return Err(self.source.mistake(wall.span(), message, hint));
            };
            let closed = match keys.closed.as_ref().map(Spanned::get_ref) {
                None => [false; 2],
                Some(ClosedDocument::All(closed)) => [*closed; 2],
                Some(ClosedDocument::Ends(ends)) => *ends,
            };
            Ok(Shape::Funnel { ends, radii, closed })
        };
        Ok(match keys.shape {
            ShapeName::Plane => {
                Shape::Plane { point: need(&keys.point, "point")?, normal: need(&keys.normal, "normal")? }
            }
            ShapeName::Box => Shape::Box { lo: need(&keys.lo, "lo")?, hi: need(&keys.hi, "hi")? },
            ShapeName::Cylinder if keys.ends.is_some() => cone([radius()?; 2])?,
            ShapeName::Cylinder => Shape::Cylinder {
                point: need(&keys.point, "point")?,
                axis: if D == 2 { [0.0; D] } else { need(&keys.axis, "axis")? },
                radius: radius()?,
            },
            ShapeName::Plate => Shape::Plate { corners: all(&keys.corners, "corners")? },
            ShapeName::Funnel | ShapeName::Cone => {
                cone(keys.radii.ok_or_else(|| self.missing(wall.span(), "this wall", "radii"))?)?
            }
            ShapeName::Polygon => Shape::Polygon { corners: all(&keys.corners, "corners")? },
            ShapeName::Mesh => Shape::Mesh { surface: Arc::new(self.mesh(wall)?) },
        })
    }

    /// Keys that only meshes and what can be closed have.
    fn refuse_keys_of_meshes(&self, keys: &WallDocument) -> Result<()> {
        let of_mesh = [
            ("file", keys.file.as_ref().map(Spanned::span)),
            ("scale", keys.scale.as_ref().map(Spanned::span)),
            ("rotate", keys.rotate.as_ref().map(Spanned::span)),
            ("translate", keys.translate.as_ref().map(Spanned::span)),
        ];
        let is_mesh = keys.shape == ShapeName::Mesh;
        if let Some((key, span)) = of_mesh.into_iter().find_map(|(key, span)| Some((key, span?))).filter(|_| !is_mesh) {
            return Err(self.source.mistake(
                span,
                format!("`{key}` is for meshes"),
                "set `shape` to \"mesh\", or remove it",
            ));
        }
        let closes = is_mesh || keys.ends.is_some();
        match keys.closed.as_ref().filter(|_| !closes) {
            Some(closed) => {
                let hint = "give a cylinder its `ends`, or remove it";
                Err(self.source.mistake(
                    closed.span(),
                    "`closed` is for cylinders and cones with `ends`, and for lines",
                    hint,
                ))
            }
            None => Ok(()),
        }
    }

    /// The faces of a mesh, of a file or of the corners of a line, brought to their place. What is wrong with them is reported.
    fn mesh(&self, wall: &Spanned<WallDocument>) -> Result<Surface<D>> {
        let keys = wall.get_ref();
        let (surface, notes) = match (&keys.file, &keys.corners) {
            (Some(file), None) => {
                let path = self.source.folder().join(file.get_ref());
                read_surface::<D>(&path).map_err(|error| located(self.source, &file.span(), &format!("{error:#}")))?
            }
            (None, Some(corners)) if D == 2 => {
                let corners = corners.iter().map(|corner| self.vector(corner)).collect::<Result<Vec<_>>>()?;
                let closed = matches!(keys.closed.as_ref().map(Spanned::get_ref), Some(ClosedDocument::All(true)));
                let (line, _) = Surface::polyline(corners, closed)
                    .map_err(|error| located(self.source, &wall.span(), &format!("`corners`: {error}")))?;
                (line, Vec::new())
            }
            _ => {
                let hint = if D == 2 { "give one of them" } else { "add `file`" };
                let message = if D == 2 { "a mesh has a `file` or `corners`" } else { "a mesh has a `file`" };
                return Err(self.source.mistake(wall.span(), message, hint));
            }
        };
        let name = keys.file.as_ref().map_or(String::new(), |file| file.get_ref().display().to_string());
        notes.iter().take(NOTES).for_each(|note| say(&format!("note: {name}: {note}")));
        let scale = keys.scale.as_ref().map_or(Ok(1.0), |scale| self.source.positive("scale", scale))?;
        let turn = keys.rotate.as_ref().map_or(Ok([0.0; 3]), |rotate| self.rotation(rotate))?;
        let shift = keys.translate.as_ref().map_or(Ok([0.0; D]), |shift| self.vector(shift))?;
        let placed = surface.placed(scale, turn, shift);
        let (placed, _) = placed.map_err(|error| located(self.source, &wall.span(), &format!("`file`: {error}")))?;
        Ok(placed)
    }

    /// Axis times angle.
    fn rotation(&self, rotate: &Spanned<RotateDocument>) -> Result<[f64; 3]> {
        let RotateDocument { axis, degrees } = rotate.get_ref();
        let axis = match (axis, D) {
            (_, 2) => [0.0, 0.0, 1.0],
            (Some(axis), _) => self.direction(axis).map(|axis| [axis[0], axis[1], axis[D - 1]])?,
            (None, _) => return Err(self.missing(rotate.span(), "`rotate`", "axis")),
        };
        Ok(axis.map(|x| degrees.to_radians() * x))
    }

    /// Planes along the borders of the box, where they are wanted and not periodic.
    fn walls_of_box(&self) -> Result<Vec<Wall<D>>> {
        let given = &self.document.domain;
        let material = self.material(given.material.as_ref())?;
        let mut walls = Vec::new();
        for axis in (0..D).filter(|&axis| given.walls && !self.domain.is_periodic(axis)) {
            for (point, inwards) in [(self.domain.lo(), 1.0), (self.domain.hi(), -1.0)] {
                let normal = std::array::from_fn(|other| if other == axis { inwards } else { 0.0 });
                walls.push(Wall::plane(point, normal).material(material));
            }
        }
        Ok(walls)
    }
}
