//! Extended XYZ, first frame: `Properties=` with pos and radius (or diameter), `Lattice=`, `Origin=` and `pbc=`.

use super::columns::{MAX_COLUMNS, MAX_WIDTH};
use super::lines::{Lines, all_there};
use super::numbers::{float_text, push_float};
use super::rows::{RADIUS_NAMES, Separator, Table, excerpt};
use super::text::write_rows;
use super::validate::{Field, validated};
use crate::error::{Result, hinted};
use crate::progress::Progress;
use crate::system::{cell_in_space, file_cell};
use multigrain::{AnySystem, Axes, CheckedSystem, Dimension, Domain, System};
use std::io::Write;

/// Whether the bytes look like extended XYZ, whatever the file is called.
pub fn looks_like(file: &[u8]) -> bool {
    let mut lines = Lines::new(file);
    let count = lines.next("the number of particles").is_ok_and(|line| line.parse::<u64>().is_ok());
    count && lines.next("the comment").is_ok_and(|line| value_of(line, "properties").is_some())
}

/// Reads the particles of the first frame.
pub fn read(file: &[u8], progress: &dyn Progress) -> Result<AnySystem> {
    let mut lines = Lines::new(file);
    let count = lines.next("the number of particles")?;
    let count = lines.count(count)?;
    let comment = lines.next("the comment line")?;
    let Some(properties) = value_of(comment, "properties") else {
        return Err(hinted(
            lines.error("there is no Properties= that names the columns").to_string(),
            "extended XYZ has a comment line such as Properties=pos:R:3:radius:R:1",
        ));
    };
    let Some(properties) = Properties::parse(&properties) else {
        let shown = excerpt(properties.as_bytes());
        return Err(lines.error(match Properties::width(&properties) > MAX_COLUMNS {
            true => format!("Properties={shown} makes more than {MAX_COLUMNS} columns"),
            false => format!("Properties={shown} is not understood"),
        }));
    };
    if let Some(twice) = properties.twice(&["pos", "radius", "radii", "r", "diameter"]) {
        return Err(lines.error(format!("there are two columns {twice}")));
    }
    let mut sizes = RADIUS_NAMES.iter().filter_map(|&(name, scale)| Some((name, properties.column(name, 1)?, scale)));
    let (first, second) = (sizes.next(), sizes.next());
    if let (Some((first, ..)), Some((second, ..))) = (first, second) {
        progress.note(&format!("the columns {first} and {second} both give sizes; {first} is taken"));
    }
    let Some((_, radius, scale)) = first else {
        return Err(hinted(
            lines.error("there is no column radius or diameter").to_string(),
            "particles need sizes: add radius:R:1 to Properties= and a column of radii",
        ));
    };
    let is_solid = properties.column("pos", 3).is_some();
    let Some(first) = properties.column("pos", if is_solid { 3 } else { 2 }) else {
        return Err(hinted(
            lines.error("there is no column pos").to_string(),
            "positions are pos:R:3 in space and pos:R:2 in the plane",
        ));
    };
    let space = Space::parse(comment, &lines)?;
    let rows = lines.take(count);
    lines.no_more_rows(count, |line| line.parse::<u64>().is_ok())?;
    let table = Table { file, rows, separator: Separator::Blanks, has_comments: false, names: properties.columns };
    let frame = XyzFrame { table, count, radius, scale, space };
    if is_solid {
        Ok(frame.particles::<3>([first, first + 1, first + 2], progress)?.into())
    } else {
        Ok(frame.particles::<2>([first, first + 1], progress)?.into())
    }
}

/// Writes particles as one frame.
pub fn write<const D: usize>(out: &mut dyn Write, particles: &System<D>) -> Result<()> {
    write_head(out, particles)?;
    writeln!(out, "Properties=species:S:1:pos:R:{D}:radius:R:1")?;
    write_rows(out, particles.len(), 20 * (D + 1), |i, text| {
        text.push(b'X');
        for value in particles.centers[i].into_iter().chain([particles.radii[i]]) {
            text.push(b' ');
            push_float(text, value);
        }
        text.push(b'\n');
    })
}

/// Writes the number of particles, and of the comment line what is said of space.
pub fn write_head<const D: usize>(out: &mut dyn Write, particles: &System<D>) -> Result<()> {
    writeln!(out, "{}", particles.len())?;
    if let Some(domain) = &particles.domain.bounded() {
        let (origin, edges) = cell_in_space(domain, 0.0);
        let words = |numbers: &[f64]| numbers.iter().map(|&x| float_text(x)).collect::<Vec<_>>().join(" ");
        write!(out, "Lattice=\"{}\" Origin=\"{}\" ", words(edges.as_flattened()), words(&origin))?;
        let letter = |axis: usize| if axis < D && domain.is_periodic(axis) { "T" } else { "F" };
        write!(out, "pbc=\"{} {} {}\" ", letter(0), letter(1), letter(2))?;
    } else {
        write!(out, "pbc=\"F F F\" ")?;
    }
    Ok(())
}

/// One frame, ready to be read.
struct XyzFrame<'a> {
    table: Table<'a>,
    count: usize,
    radius: usize,
    scale: f64,
    space: Space,
}

impl XyzFrame<'_> {
    fn particles<const D: usize>(&self, axes: [usize; D], progress: &dyn Progress) -> Result<CheckedSystem<D>>
    where
        Axes: Dimension<D>,
    {
        let wanted: Vec<usize> = axes.into_iter().chain([self.radius]).collect();
        let rows = self.table.read(&wanted, progress)?;
        all_there(rows.len(), self.count)?;
        let mut particles = System::with_capacity(rows.len());
        for row in rows.iter() {
            particles.centers.push(std::array::from_fn(|axis| row[axis]));
            particles.radii.push(row[D] * self.scale);
        }
        particles.domain = self.space.domain()?.unwrap_or_default();
        validated(particles, |row, field| {
            self.table.place(
                row,
                match field {
                    Field::Axis(axis) => axes[axis],
                    Field::Radius => self.radius,
                },
            )
        })
    }
}

/// What `Properties=` says.
struct Properties {
    groups: Vec<Group>,
    /// Names of single columns, for messages.
    columns: Vec<String>,
}

/// A property of one or more columns.
struct Group {
    name: String,
    column: usize,
    width: usize,
}

impl Properties {
    /// Triples of name, type and width, all separated by colons.
    fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split(':').collect();
        let mut properties = Self { groups: Vec::new(), columns: Vec::new() };
        for triple in parts.chunks(3) {
            let &[name, _, width] = triple else { return None };
            let width: usize = width.trim().parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width))?;
            let column = properties.columns.len();
            if column + width > MAX_COLUMNS {
                return None;
            }
            properties.groups.push(Group { name: name.to_ascii_lowercase(), column, width });
            properties.columns.extend(std::iter::repeat_n(name.to_owned(), width));
        }
        Some(properties)
    }

    /// Columns in all, as far as they are understood.
    fn width(text: &str) -> usize {
        text.split(':').skip(2).step_by(3).filter_map(|width| width.trim().parse().ok()).fold(0, usize::saturating_add)
    }

    /// One of these names that two properties have.
    fn twice<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        names.iter().copied().find(|name| self.groups.iter().filter(|group| group.name == *name).count() > 1)
    }

    fn column(&self, name: &str, width: usize) -> Option<usize> {
        self.groups.iter().find(|group| group.name == name && group.width == width).map(|group| group.column)
    }
}

/// Box and boundaries of the comment line.
struct Space {
    lattice: Option<[f64; 9]>,
    origin: [f64; 3],
    periodic: [bool; 3],
}

impl Space {
    fn parse(comment: &str, lines: &Lines<'_>) -> Result<Self> {
        let numbers = |key: &str, count: usize| -> Result<Option<Vec<f64>>> {
            let Some(value) = value_of(comment, key) else { return Ok(None) };
            let numbers = words(&value).map(|word| lines.number(word)).collect::<Result<Vec<_>>>()?;
            if numbers.len() != count {
                return Err(lines.error(format!("{key}= has {} numbers, must have {count}", numbers.len())));
            }
            Ok(Some(numbers))
        };
        let lattice = numbers("lattice", 9)?.and_then(|numbers| numbers.try_into().ok());
        let origin = numbers("origin", 3)?.and_then(|numbers| numbers.try_into().ok()).unwrap_or([0.0; 3]);
        let periodic = match value_of(comment, "pbc") {
            // A lattice without flags is periodic, by the custom of this format.
            None => [lattice.is_some(); 3],
            Some(value) => {
                let flags: Option<Vec<bool>> = words(&value)
                    .map(|word| match word.to_ascii_lowercase().as_str() {
                        "t" | "true" | "1" => Some(true),
                        "f" | "false" | "0" => Some(false),
                        _ => None,
                    })
                    .collect();
                match flags.as_deref() {
                    Some(&[x, y, z]) => [x, y, z],
                    Some(&[x, y]) => [x, y, false],
                    _ => return Err(lines.error(format!("pbc={} must be like T T F", excerpt(value.as_bytes())))),
                }
            }
        };
        Ok(Self { lattice, origin, periodic })
    }

    fn domain<const D: usize>(&self) -> Result<Option<Domain<D>>> {
        let Some(lattice) = self.lattice else { return Ok(None) };
        let edges = std::array::from_fn(|k| std::array::from_fn(|axis| lattice[3 * k + axis]));
        file_cell(self.origin, edges, self.periodic).map(Some)
    }
}

/// The value of a `key=value` of the comment line; keys in any case, values bare or in quotes or brackets.
pub(super) fn value_of(comment: &str, key: &str) -> Option<String> {
    let mut rest = comment.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let Some(after) = after.strip_prefix('=') else {
            rest = after.trim_start();
            continue;
        };
        let close = match after.chars().next() {
            Some(quote @ ('"' | '\'')) => Some(quote),
            Some('{') => Some('}'),
            Some('[') => Some(']'),
            _ => None,
        };
        let (value, after) = match close {
            Some(close) => after[1..].split_once(close)?,
            None => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
        };
        if name.eq_ignore_ascii_case(key) {
            return Some(value.to_owned());
        }
        rest = after.trim_start();
    }
    None
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_cannot_ask_for_any_number_of_columns() {
        let text = format!("1\nProperties=pos:R:3:radius:R:1{}\n0 0 0 1\n", ":a:R:1000".repeat(100_000));
        let error = read(text.as_bytes(), &()).unwrap_err().to_string();
        assert!(error.ends_with(" makes more than 10000 columns"), "{error}");
        assert_eq!(super::super::columns::of_xyz(text.as_bytes(), super::super::columns::Wanted::All).columns, []);
    }

    fn parse(text: &str) -> Result<AnySystem, String> {
        read(text.as_bytes(), &()).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn reads_positions_sizes_box_and_boundaries_of_the_first_frame() {
        let text = "2\nLattice=\"4 0 0 0 5 0 0 0 6\" Origin=\"-1 0 2\" Properties=species:S:1:pos:R:3:id:I:1:diameter:R:1 pbc=\"T F T\" note=x\n\
                    Si 1 2 3 7 4\nO 4 5 6 8 2\n1\nProperties=pos:R:3:radius:R:1\n0 0 0 1\n";
        let Ok(AnySystem::D3(particles)) = parse(text) else { panic!("{:?}", parse(text)) };
        assert_eq!(particles.centers, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        assert_eq!(particles.radii, [2.0, 1.0]);
        let domain = Domain::new([-1.0, 0.0, 2.0], [3.0, 5.0, 8.0], [true, false, true]).unwrap();
        assert_eq!(particles.domain, domain);
    }

    #[test]
    fn two_dimensions_by_positions_without_z() {
        let text = "1\nProperties=pos:R:2:r:R:1 Lattice='4 0 0 0 5 0 0 0 0'\n1 2 0.5\n";
        let Ok(AnySystem::D2(particles)) = parse(text) else { panic!("{:?}", parse(text)) };
        assert_eq!(particles.centers, [[1.0, 2.0]]);
        assert_eq!(particles.domain, Domain::periodic([0.0; 2], [4.0, 5.0]).unwrap());
    }

    #[test]
    fn says_what_is_wrong() {
        let error = |text: &str| parse(text).unwrap_err();
        let good = "Properties=pos:R:2:radius:R:1";
        assert_eq!(error("x\n"), "line 1: 'x' is not a number of particles");
        assert_eq!(error("1"), "the file ends before the comment line");
        assert_eq!(error("1\nhello\nH 0 0 0\n"), "line 2: there is no Properties= that names the columns");
        assert_eq!(error("1\nProperties=pos:R\n0\n"), "line 2: Properties=pos:R is not understood");
        assert_eq!(
            error("1\nProperties=pos:R:2:radius:R:1\n0 0 1\n\n1 0 1\n"),
            "line 5: there are more rows than the 1 particles that the header promises"
        );
        assert_eq!(
            error("1\nProperties=pos:R:2:radius:R:1:radius:R:1\n0 0 1 1\n"),
            "line 2: there are two columns radius"
        );
        assert_eq!(error("1\nProperties=pos:R:3\n0 0 0\n"), "line 2: there is no column radius or diameter");
        assert_eq!(error("1\nProperties=radius:R:1\n0\n"), "line 2: there is no column pos");
        assert_eq!(error(&format!("3\n{good}\n0 0 1\n1 1 1\n")), "the header promises 3 particles, the file has 2");
        assert_eq!(error(&format!("1\n{good}\n0 0\n")), "line 3: the row has 2 values, but there are 3 columns");
        assert_eq!(
            error(&format!("1\n{good}\n0 0 -1\n")),
            "line 3, column 3 (radius): radius of particle 0 is -1, must not be negative"
        );
        assert_eq!(error(&format!("0\n{good} pbc=yes\n")), "line 2: pbc=yes must be like T T F");
        assert_eq!(error(&format!("0\n{good} Lattice=\"1 2\"\n")), "line 2: lattice= has 2 numbers, must have 9");
        let flat = error(&format!("0\n{good} Lattice=\"1 0.5 0 2 1 0 0 0 1\"\n"));
        assert!(flat.contains("periodic edges that lie in one line or plane"), "{flat}");
    }

    #[test]
    fn reads_sheared_lattices() {
        let text = "1\nLattice=\"4 0.5 0 -7 5 0.1 0 0 -6\" Origin=\"1 2 3\" pbc=\"T F T\" Properties=pos:R:3:radius:R:1\n0 0 0 1\n";
        let Ok(AnySystem::D3(particles)) = parse(text) else { panic!("{:?}", parse(text)) };
        let edges = [[4.0, 0.5, 0.0], [-7.0, 5.0, 0.1], [0.0, 0.0, -6.0]];
        let domain = Domain::from_cell([1.0, 2.0, 3.0], edges, [true, false, true]).unwrap();
        assert!(domain.is_sheared());
        assert_eq!(particles.domain, domain);
    }

    #[test]
    fn reads_back_sheared_cells() {
        for solid in crate::system::sheared_samples::<3>() {
            let mut text = Vec::new();
            write(&mut text, &solid).unwrap();
            assert_eq!(read(&text, &()).unwrap(), solid.checked().unwrap().into());
        }
        for flat in crate::system::sheared_samples::<2>() {
            let mut text = Vec::new();
            write(&mut text, &flat).unwrap();
            assert_eq!(read(&text, &()).unwrap(), flat.checked().unwrap().into());
        }
    }

    #[test]
    fn reads_back_what_it_wrote() {
        let domain = Domain::new([0.0; 3], [1.5, 2.5, 3.5], [true, false, false]).unwrap();
        let solid = System { centers: vec![[0.1, 0.2, 0.3]; 2], radii: vec![0.7, 1e-9], domain };
        let flat = System { centers: vec![[0.1, 0.2]; 2], radii: vec![0.7, 1e-9], domain: Domain::open() };
        let mut text = Vec::new();
        write(&mut text, &solid).unwrap();
        assert_eq!(read(&text, &()).unwrap(), solid.checked().unwrap().into());
        text.clear();
        write(&mut text, &flat).unwrap();
        assert!(looks_like(&text));
        assert_eq!(read(&text, &()).unwrap(), flat.checked().unwrap().into());
    }
}
