//! The physics of a setup in words that stay the same from version to version: what checkpoints are tied to.
//!
//! A line for each thing: its name, a colon, and its numbers. The first line has the version of these words, which grows when
//! they change. Where two descriptions differ in numbers alone, one can go on from the other.

use crate::checksum::Checksum;
use crate::integrator::Integrator;
use crate::setup::{Physics, TimeStep};
use crate::walls::{Drive, Shape, Wall};
use std::fmt;
use std::fmt::Write as _;

/// Version of the words.
const VERSION: u32 = 2;

impl<const D: usize> Physics<D> {
    /// The description.
    pub fn describe(&self) -> String {
        let mut text = format!("physics: version {VERSION}, dimension {D}\n");
        let mut line = |name: fmt::Arguments<'_>, value: String| {
            // Strings take whatever is written.
            let _ = writeln!(text, "{name}: {value}");
        };
        for axis in 0..D {
            let (lo, hi) = (self.domain.lo()[axis], self.domain.hi()[axis]);
            let kind =
                if self.domain.is_periodic(axis) { format!("periodic {lo:e} {hi:e}") } else { "open".to_owned() };
            line(format_args!("axis {axis}"), kind);
        }
        if self.domain.is_sheared() {
            let edges = self.domain.edges().map(|edge| numbers(&edge)).join(", ");
            line(format_args!("cell"), format!("origin {}, edges {edges}", numbers(&self.domain.origin())));
        }
        for (k, deformation) in self.deformations.iter().enumerate() {
            line(format_args!("deformation {k}"), deformation.describe());
        }
        line(format_args!("gravity"), numbers(&self.gravity));
        for (k, material) in self.materials.iter().enumerate() {
            let heat = material.heat.map_or(String::new(), |heat| {
                format!(", conductivity {:e}, heat_capacity {:e}", heat.conductivity, heat.capacity)
            });
            let law = material.law.describe();
            line(format_args!("material {k}"), format!("density {:e}, {law}{heat}", material.density));
        }
        for (k, (a, b, law)) in self.between.iter().enumerate() {
            line(format_args!("between {k}"), format!("materials {a} {b}, {}", law.describe()));
        }
        for (k, wall) in self.walls.iter().enumerate() {
            let moves = match wall.drive {
                // Where the servo is, is saved: it may go on to another force.
                Drive::Servo(_) if !wall.moves => "steered",
                Drive::None if !wall.moves => "stays",
                Drive::None => "moves",
                _ => "moves, driven",
            };
            let value = format!(
                "{}, material {}, {moves}, velocity {}, spin {}, about {}{}",
                shape(&wall.shape),
                wall.material,
                numbers(&wall.velocity),
                numbers(&wall.spin),
                numbers(&wall.about),
                more_of(wall)
            );
            let warm = wall.temperature.map_or(String::new(), |temperature| format!(", temperature {temperature:e}"));
            line(format_args!("wall {k}"), value + &warm);
        }
        let integrator = match self.integrator {
            Integrator::Verlet => "verlet of version two",
            Integrator::PlainVerlet => "plain-verlet",
            Integrator::Gear => "gear of version two",
        };
        line(format_args!("integrator"), integrator.to_owned());
        let step = match self.time_step {
            TimeStep::Fraction(fraction) => format!("fraction {fraction:e}"),
            TimeStep::Given(step) => format!("given {step:e}"),
        };
        line(format_args!("time step"), step);
        if let Some(speed) = self.impact_speed {
            line(format_args!("impact speed"), format!("{speed:e}"));
        }
        for (k, generator) in self.generators.iter().enumerate() {
            line(format_args!("generator {k}"), generator.describe());
        }
        for (k, outflow) in self.outflows.iter().enumerate() {
            line(format_args!("outflow {k}"), outflow.describe());
        }
        for (k, meter) in self.meters.iter().enumerate() {
            line(format_args!("meter {k}"), meter.describe());
        }
        if self.temperature != 0.0 {
            line(format_args!("temperature"), format!("{:e}", self.temperature));
        }
        if let Some(fluid) = &self.fluid {
            line(format_args!("fluid"), fluid.describe());
        }
        for (k, field) in self.fields.iter().enumerate() {
            line(format_args!("field {k}"), field.describe());
        }
        if let Some([lo, hi]) = self.bounds {
            line(format_args!("bounds"), format!("{} to {}", numbers(&lo), numbers(&hi)));
        }
        if !self.clump_shapes.is_empty() {
            let numbers = self.clump_shapes.iter().flat_map(|shape| {
                let members = shape.members().iter().flat_map(|(place, radius)| place.iter().chain([radius]));
                members
                    .copied()
                    .chain([shape.volume()])
                    .chain(shape.inertia().as_flattened().to_vec())
                    .collect::<Vec<f64>>()
            });
            let bytes: Vec<u8> = numbers.flat_map(f64::to_le_bytes).collect();
            let value = format!("{} with checksum x{:016x}", self.clump_shapes.len(), Checksum::of(&bytes).end());
            line(format_args!("clump shapes"), value);
        }
        if !self.shapes.is_empty() {
            // Of thousands of shapes a checksum says enough. It is kept where numbers may change: other shapes are other bodies.
            let bytes: Vec<u8> = self
                .shapes
                .iter()
                .flat_map(|shape| shape.corners().iter().flatten().flat_map(|x| x.to_le_bytes()))
                .collect();
            line(
                format_args!("shapes"),
                format!("{} with checksum x{:016x}", self.shapes.len(), Checksum::of(&bytes).end()),
            );
        }
        text
    }
}

/// What few walls have.
fn more_of<const D: usize>(wall: &Wall<D>) -> String {
    let mut text = match &wall.drive {
        Drive::None => String::new(),
        Drive::Oscillating(way) => format!(
            ", oscillates {} swing {} frequency {:e} phase {:e}",
            numbers(&way.amplitude),
            numbers(&way.swing),
            way.frequency,
            way.phase
        ),
        Drive::Table(table) => {
            let bytes = table.times().iter().chain(table.shifts().iter().flatten()).flat_map(|x| x.to_le_bytes());
            let sum = Checksum::of(&bytes.collect::<Vec<u8>>()).end();
            format!(", table of {} times with checksum x{sum:016x}", table.times().len())
        }
        Drive::Servo(servo) => format!(
            ", servo {} force {:e} speed {:e} gain {:e}",
            numbers(&servo.direction),
            servo.force,
            servo.max_speed,
            servo.gain.unwrap_or(0.0)
        ),
    };
    if wall.start != 0.0 {
        let _ = write!(text, ", since {:e}", wall.start);
    }
    if let Some(wear) = wall.wear {
        let _ = write!(text, ", wear {:e} hardness {:e}", wear.coefficient, wear.hardness);
    }
    text
}

fn shape<const D: usize>(shape: &Shape<D>) -> String {
    match shape {
        Shape::Plane { point, normal } => format!("plane {} normal {}", numbers(point), numbers(normal)),
        Shape::Box { lo, hi } => format!("box {} to {}", numbers(lo), numbers(hi)),
        Shape::Cylinder { point, axis, radius } => {
            format!("cylinder {} axis {} radius {radius:e}", numbers(point), numbers(axis))
        }
        Shape::Plate { corners } => {
            format!("plate {}", corners.iter().map(|corner| numbers(corner)).collect::<Vec<_>>().join(" to "))
        }
        Shape::Polygon { corners } => {
            format!("polygon {}", corners.iter().map(|corner| numbers(corner)).collect::<Vec<_>>().join(" to "))
        }
        Shape::Funnel { ends, radii, closed } => {
            let closed = match closed {
                [false, false] => "",
                [true, false] => " closed below",
                [false, true] => " closed above",
                [true, true] => " closed",
            };
            format!("funnel {} to {} radii {}{closed}", numbers(&ends[0]), numbers(&ends[1]), numbers(radii))
        }
        Shape::Mesh { surface } => {
            let corners = surface.vertices().iter().flatten().flat_map(|x| x.to_le_bytes());
            let faces = surface.faces().iter().flatten().flat_map(|vertex| vertex.to_le_bytes());
            let bytes: Vec<u8> = corners.chain(faces).collect();
            format!("mesh of {} faces with checksum x{:016x}", surface.faces().len(), Checksum::of(&bytes).end())
        }
    }
}

/// Numbers in full, so that the same text means the same bits.
pub(crate) fn numbers(numbers: &[f64]) -> String {
    numbers.iter().map(|number| format!("{number:e}")).collect::<Vec<_>>().join(" ")
}

/// A line in which two descriptions differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    saved: Option<String>,
    given: Option<String>,
    /// Whether only numbers differ.
    pub is_number: bool,
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |line: &String| line.split(": ").next().unwrap_or_default().to_owned();
        match (&self.saved, &self.given) {
            (Some(saved), Some(given)) if name(saved) == name(given) => {
                let value =
                    |line: &String| line.split_once(": ").map(|(_, value)| value.to_owned()).unwrap_or_default();
                write!(out, "{} was `{}`, is `{}`", name(saved), value(saved), value(given))
            }
            (Some(saved), _) => write!(out, "it has `{saved}`, which the setup has not"),
            (None, Some(given)) => write!(out, "the setup has `{given}`, which it has not"),
            (None, None) => Ok(()),
        }
    }
}

/// Where two descriptions differ.
pub(crate) fn differences(saved: &str, given: &str) -> Vec<Difference> {
    let (mut old, mut new) = (saved.lines(), given.lines());
    let mut found = Vec::new();
    loop {
        let (saved, given) = (old.next(), new.next());
        if saved.is_none() && given.is_none() {
            return found;
        }
        if saved != given {
            let is_number = match (saved, given) {
                (Some(saved), Some(given)) => words(saved) == words(given),
                _ => false,
            };
            found.push(Difference { saved: saved.map(str::to_owned), given: given.map(str::to_owned), is_number });
        }
    }
}

/// A line without its numbers; those of names, versions, dimensions and materials stay, and all of walls that move: where they
/// are follows from how they moved from the start.
fn words(line: &str) -> Vec<&str> {
    let (name, value) = line.split_once(": ").unwrap_or((line, ""));
    if value.contains(", moves, ") {
        return vec![line];
    }
    let mut kept = vec![name];
    let mut last = "";
    for word in value.split(' ') {
        let is_number = word.trim_end_matches(',').parse::<f64>().is_ok();
        let is_kept = ["version", "dimension", "material", "materials"].contains(&last);
        if !is_number || is_kept {
            kept.push(word);
        }
        last = word;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContactLaw, Material, Setup, Wall};

    fn setup(stiffness: f64) -> Setup<2> {
        Setup::new()
            .material(Material::new(1.0, ContactLaw::linear(stiffness).friction(0.5)))
            .wall(Wall::plane([0.0; 2], [0.0, 1.0]))
            .gravity([0.0, -1.0])
    }

    #[test]
    fn descriptions_stay_what_they_are() {
        let expected = "\
physics: version 2, dimension 2
axis 0: open
axis 1: open
gravity: 0e0 -1e0
material 0: density 1e0, linear 1, stiffness 1e4, friction 5e-1, tangential_stiffness 2.857142857142857e-1, tangential_damping 5e-1
wall 0: plane 0e0 0e0 normal 0e0 1e0, material 0, stays, velocity 0e0 0e0, spin 0e0 0e0 0e0, about 0e0 0e0
integrator: verlet of version two
time step: fraction 2e-2
";
        assert_eq!(setup(1e4).physics.describe(), expected);
    }

    #[test]
    fn numbers_may_differ_where_what_there_is_does_not() {
        let one = setup(1e4).physics.describe();
        assert_eq!(differences(&one, &one), []);
        let found = differences(&one, &setup(2e4).physics.describe());
        assert!(found.len() == 1 && found[0].is_number);
        assert!(
            found[0].to_string().starts_with("material 0 was `density 1e0, linear 1, stiffness 1e4"),
            "{}",
            found[0]
        );
        let more = setup(1e4).wall(Wall::plane([0.0, 9.0], [0.0, -1.0])).physics.describe();
        assert!(differences(&one, &more).iter().any(|difference| !difference.is_number));
        let lid = |speed: f64| {
            let wall = Wall::plane([0.0, 9.0], [0.0, -1.0]).carrying([0.0, speed]).moving();
            setup(1e4).wall(wall).physics.describe()
        };
        assert!(!differences(&lid(1.0), &lid(2.0))[0].is_number);
        let hertz = Setup::<2>::new().material(Material::new(1.0, ContactLaw::hertz(1.0, 0.3))).physics.describe();
        let linear = Setup::<2>::new().material(Material::new(1.0, ContactLaw::linear(1.0))).physics.describe();
        assert!(!differences(&linear, &hertz)[0].is_number);
    }
}
