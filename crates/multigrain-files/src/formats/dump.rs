//! LAMMPS dump, first frame: positions, `radius` or `diameter`, box and boundary flags. Particles are in the order of
//! their ids where there is an id column.

use super::lines::{Lines, all_there};
use super::numbers::{float_text, push_float, push_integer};
use super::rows::{Separator, Table, excerpt};
use super::text::write_rows;
use super::validate::{Field, validated};
use crate::error::{Result, fault, hinted};
use crate::progress::Progress;
use crate::system::{AXES, bounds_of, cell_in_space, file_cell, file_domain};
use multigrain::{AnySystem, Axes, CheckedSystem, Dimension, Domain, System};
use std::io::Write;

/// Endings of position columns, and whether those are fractions of the box.
const POSITIONS: [(&str, bool); 4] = [("", false), ("u", false), ("s", true), ("su", true)];

/// Columns that may be there once only.
const USED: [&str; 6] = ["id", "x", "y", "z", "radius", "diameter"];

/// Box of a frame; the third axis is there in the plane too.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    lo: [f64; 3],
    hi: [f64; 3],
    periodic: [bool; 3],
    /// Edges from `lo`, where they do not lie along the axes.
    edges: Option<[[f64; 3]; 3]>,
}

/// Reads the particles of the first frame.
pub fn read(file: &[u8], progress: &dyn Progress) -> Result<AnySystem> {
    let mut lines = Lines::new(file);
    let (mut count, mut bounds) = (None, None);
    let names = loop {
        let line = lines.next("ITEM: ATOMS")?;
        if let Some(columns) = line.strip_prefix("ITEM: ATOMS") {
            break columns.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        } else if line.starts_with("ITEM: NUMBER OF ATOMS") {
            let line = lines.next("the number of atoms")?;
            count = Some(lines.count(line)?);
        } else if let Some(flags) = line.strip_prefix("ITEM: BOX BOUNDS") {
            bounds = Some(read_bounds(&mut lines, flags)?);
        }
    };
    let Some(count) = count else { return Err(lines.error("there is no ITEM: NUMBER OF ATOMS before the atoms")) };
    let column = |name: &str| names.iter().position(|own| own == name);
    if let Some(twice) = USED.iter().find(|used| names.iter().filter(|name| name == used).count() > 1) {
        return Err(lines.error(format!("there are two columns {twice}")));
    }
    if column("radius").is_some() && column("diameter").is_some() {
        progress.note("the columns radius and diameter both give sizes; radius is taken");
    }
    let radius = column("radius").map(|column| (column, 1.0));
    let Some((radius, scale)) = radius.or(column("diameter").map(|column| (column, 0.5))) else {
        return Err(hinted(
            lines.error("there is no column radius or diameter").to_string(),
            "particles need sizes: dump them with dump custom ... id x y z radius",
        ));
    };
    let position = |axis: usize| {
        POSITIONS.iter().find_map(|(ending, is_scaled)| Some((column(&format!("{}{ending}", AXES[axis]))?, *is_scaled)))
    };
    let (Some(x), Some(y), z) = (position(0), position(1), position(2)) else {
        return Err(lines.error("there are no columns x and y (nor xu, xs or xsu)"));
    };
    let id = column("id");
    let rows = lines.take(count);
    lines.no_more_rows(count, |line| line.starts_with("ITEM:"))?;
    let table = Table { file, rows, separator: Separator::Blanks, has_comments: false, names };
    let frame = DumpFrame { table, count, radius, scale, id, bounds };
    Ok(match z {
        Some(z) => frame.particles([x, y, z], progress)?.into(),
        None => frame.particles([x, y], progress)?.into(),
    })
}

/// Writes particles as one frame, ids counted from 1.
pub fn write<const D: usize>(out: &mut dyn Write, particles: &System<D>) -> Result<()> {
    write_head(out, particles, 0)?;
    writeln!(out, "ITEM: ATOMS id type {} radius", AXES[..D].join(" "))?;
    write_rows(out, particles.len(), 16 + 20 * (D + 1), |i, text| {
        push_integer(text, i + 1);
        text.extend_from_slice(b" 1");
        for value in particles.centers[i].into_iter().chain([particles.radii[i]]) {
            text.push(b' ');
            push_float(text, value);
        }
        text.push(b'\n');
    })
}

/// Writes what stands before the particles of a frame: step, number and box.
pub fn write_head<const D: usize>(out: &mut dyn Write, particles: &System<D>, step: u64) -> Result<()> {
    // LAMMPS keeps a periodic third axis in the plane.
    let flags: Vec<&str> =
        (0..3).map(|axis| if axis >= D || particles.domain.is_periodic(axis) { "pp" } else { "ff" }).collect();
    writeln!(out, "ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n{}", particles.len())?;
    for line in box_lines(particles, &flags.join(" ")) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The lines of the box: bounds; bounds with tilts if that reads back to the same cell; else its edges and origin.
fn box_lines<const D: usize>(particles: &System<D>, flags: &str) -> Vec<String> {
    if particles.domain.is_sheared() {
        return cell_lines(&particles.domain, flags);
    }
    let (lo, hi) = bounds_of(particles);
    let bounds = |axis: usize| if axis < D { words(&[lo[axis], hi[axis]]) } else { "-0.5 0.5".to_owned() };
    std::iter::once(format!("ITEM: BOX BOUNDS {flags}")).chain((0..3).map(bounds)).collect()
}

fn words(numbers: &[f64]) -> String {
    numbers.iter().map(|&x| float_text(x)).collect::<Vec<_>>().join(" ")
}

/// The lines of a sheared box.
pub(crate) fn cell_lines<const D: usize>(domain: &Domain<D>, flags: &str) -> Vec<String> {
    let (origin, edges) = cell_in_space(domain, -0.5);
    let [[_, a_y, a_z], [xy, _, b_z], [xz, yz, _]] = edges;
    let hi: [f64; 3] = std::array::from_fn(|k| origin[k] + edges[k][k]);
    let outer = outer_bounds([xy, xz, yz], origin, hi, 1.0);
    let (lo, hi) = outer_bounds([xy, xz, yz], outer.0, outer.1, -1.0);
    let is_kept = (0..3).all(|k| lo[k] == origin[k] && edges[k][k] > 0.0 && hi[k] - lo[k] == edges[k][k]);
    if is_kept && [a_y, a_z, b_z] == [0.0; 3] {
        let line = |k: usize| words(&[outer.0[k], outer.1[k], [xy, xz, yz][k]]);
        return std::iter::once(format!("ITEM: BOX BOUNDS xy xz yz {flags}")).chain((0..3).map(line)).collect();
    }
    let line = |k: usize| words(&[edges[k][0], edges[k][1], edges[k][2], origin[k]]);
    std::iter::once(format!("ITEM: BOX BOUNDS abc origin {flags}")).chain((0..3).map(line)).collect()
}

/// LAMMPS writes the bounds of a tilted box and not its corners: bounds from corners with sign 1, corners from bounds with -1.
fn outer_bounds([xy, xz, yz]: [f64; 3], lo: [f64; 3], hi: [f64; 3], sign: f64) -> ([f64; 3], [f64; 3]) {
    let below = [[0.0, xy, xz, xy + xz].into_iter().fold(0.0, f64::min), yz.min(0.0), 0.0];
    let above = [[0.0, xy, xz, xy + xz].into_iter().fold(0.0, f64::max), yz.max(0.0), 0.0];
    (std::array::from_fn(|k| lo[k] + sign * below[k]), std::array::from_fn(|k| hi[k] + sign * above[k]))
}

/// Three lines of lower and upper bound, with a tilt in sheared boxes, or of an edge and a coordinate of the origin; after flags
/// such as `pp pp ff`.
fn read_bounds(lines: &mut Lines<'_>, flags: &str) -> Result<Bounds> {
    let flags: Vec<&str> = flags.split_whitespace().collect();
    let is_general = flags.first() == Some(&"abc");
    let names = ["xy", "xz", "yz", "abc", "origin"];
    let flags: Vec<&str> = flags.into_iter().filter(|flag| !names.contains(flag)).collect();
    if !matches!(flags.len(), 0 | 3) {
        return Err(lines.error(format!("there are {} boundary flags, must be 3, such as pp pp ff", flags.len())));
    }
    if let Some(flag) = flags.iter().find(|flag| flag.len() != 2 || !flag.chars().all(|side| "pfsm".contains(side))) {
        let flag = excerpt(flag.as_bytes());
        return Err(lines.error(format!("boundary flag '{flag}' is not known, must be two of p, f, s and m")));
    }
    let mut bounds = Bounds { lo: [0.0; 3], hi: [0.0; 3], periodic: [false; 3], edges: None };
    let (mut tilts, mut edges) = ([0.0; 3], [[0.0; 3]; 3]);
    for axis in 0..3 {
        bounds.periodic[axis] = flags.get(axis).is_some_and(|flag| flag.starts_with('p'));
        let line = lines.next("the box bounds")?;
        let numbers = line.split_whitespace().map(|word| lines.number(word)).collect::<Result<Vec<_>>>()?;
        match (is_general, &numbers[..]) {
            (true, &[x, y, z, origin]) => (edges[axis], bounds.lo[axis]) = ([x, y, z], origin),
            (true, _) => {
                let line = excerpt(line.as_bytes());
                return Err(lines.error(format!("'{line}' must be an edge and a coordinate of the origin")));
            }
            (false, &[lo, hi]) => (bounds.lo[axis], bounds.hi[axis]) = (lo, hi),
            (false, &[lo, hi, tilt]) => (bounds.lo[axis], bounds.hi[axis], tilts[axis]) = (lo, hi, tilt),
            _ => return Err(lines.error(format!("'{}' must be a lower and an upper bound", excerpt(line.as_bytes())))),
        }
    }
    if is_general {
        bounds.edges = Some(edges);
    } else if tilts != [0.0; 3] {
        let [xy, xz, yz] = tilts;
        let (lo, hi) = outer_bounds(tilts, bounds.lo, bounds.hi, -1.0);
        bounds.lo = lo;
        bounds.edges = Some([[hi[0] - lo[0], 0.0, 0.0], [xy, hi[1] - lo[1], 0.0], [xz, yz, hi[2] - lo[2]]]);
    }
    Ok(bounds)
}

/// One frame, ready to be read.
struct DumpFrame<'a> {
    table: Table<'a>,
    count: usize,
    radius: usize,
    scale: f64,
    id: Option<usize>,
    bounds: Option<Bounds>,
}

impl DumpFrame<'_> {
    /// `axes`: column of each coordinate, and whether it is a fraction of the box.
    fn particles<const D: usize>(&self, axes: [(usize, bool); D], progress: &dyn Progress) -> Result<CheckedSystem<D>>
    where
        Axes: Dimension<D>,
    {
        let columns = axes.iter().map(|&(column, _)| column);
        let wanted: Vec<usize> = columns.chain([self.radius]).chain(self.id).collect();
        let rows = self.table.read(&wanted, progress)?;
        all_there(rows.len(), self.count)?;
        if self.bounds.is_none() && axes.iter().any(|&(_, is_scaled)| is_scaled) {
            return Err(fault!("scaled coordinates need ITEM: BOX BOUNDS before the atoms"));
        }
        let edges = self.bounds.and_then(|bounds| bounds.edges);
        let scaled = axes.iter().filter(|&&(_, is_scaled)| is_scaled).count();
        if edges.is_some() && scaled != 0 && scaled != D {
            return Err(fault!("in a sheared box either all coordinates are scaled or none"));
        }
        let mut particles = System::with_capacity(rows.len());
        for row in rows.iter() {
            if let (Some(edges), Some(Bounds { lo, .. }), true) = (edges, &self.bounds, scaled == D) {
                let along = |axis: usize| (0..D).map(|k| row[k] * edges[k][axis]).sum::<f64>();
                particles.centers.push(std::array::from_fn(|axis| lo[axis] + along(axis)));
                particles.radii.push(row[D] * self.scale);
                continue;
            }
            particles.centers.push(std::array::from_fn(|axis| match (axes[axis].1, &self.bounds) {
                (true, Some(Bounds { lo, hi, .. })) => lo[axis] + row[axis] * (hi[axis] - lo[axis]),
                _ => row[axis],
            }));
            particles.radii.push(row[D] * self.scale);
        }
        let order = match self.id {
            Some(column) => self.order_by_id(&rows.iter().map(|row| row[D + 1]).collect::<Vec<f64>>(), column)?,
            None => None,
        };
        if let Some(order) = &order {
            particles.centers = order.iter().map(|&row| particles.centers[row]).collect();
            particles.radii = order.iter().map(|&row| particles.radii[row]).collect();
        }
        if let Some(Bounds { lo, edges: Some(edges), periodic, .. }) = self.bounds {
            particles.domain = file_cell(lo, edges, periodic)?;
        } else if let Some(Bounds { lo, hi, periodic, .. }) = self.bounds {
            fn first<const D: usize, T: Copy>(of_three: [T; 3]) -> [T; D] {
                std::array::from_fn(|axis| of_three[axis])
            }
            particles.domain = file_domain(first(lo), first(hi), first(periodic))?;
        }
        validated(particles, |particle, field| {
            let row = order.map_or(particle, |order| order[particle]);
            self.table.place(
                row,
                match field {
                    Field::Axis(axis) => axes[axis].0,
                    Field::Radius => self.radius,
                },
            )
        })
    }

    /// Rows in the order of their ids, where that is another one.
    fn order_by_id(&self, ids: &[f64], column: usize) -> Result<Option<Vec<usize>>> {
        const MAX_EXACT: f64 = (1u64 << 53) as f64;
        if let Some(row) = ids.iter().position(|id| id.abs() >= MAX_EXACT) {
            return Err(fault!("{}: ids from {MAX_EXACT} on are not supported", self.table.place(row, column)));
        }
        if let Some(row) = ids.iter().position(|id| id.fract() != 0.0) {
            return Err(fault!("{}: id {} is not a whole number", self.table.place(row, column), ids[row]));
        }
        if ids.is_sorted_by(|a, b| a < b) {
            return Ok(None);
        }
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_by(|&a, &b| ids[a].total_cmp(&ids[b]));
        if let Some(twins) = order.windows(2).find(|pair| ids[pair[0]] == ids[pair[1]]) {
            return Err(fault!("{}: id {} is there twice", self.table.place(twins[1], column), ids[twins[1]]));
        }
        Ok(Some(order))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<AnySystem, String> {
        read(text.as_bytes(), &()).map_err(|error| format!("{error:#}"))
    }

    fn frame(bounds: &str, atoms: &str) -> String {
        let count = atoms.lines().count() - 1;
        format!("ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n{count}\nITEM: BOX BOUNDS {bounds}\nITEM: ATOMS {atoms}")
    }

    const CUBE: &str = "pp ff pp\n0 10\n-5 5\n1.0e0 3";

    #[test]
    fn reads_the_first_frame_in_the_order_of_ids() {
        let one = frame(CUBE, "id type x y z diameter\n9 1 1 2 3 2\n4 1 4 5 6 1\n");
        let Ok(AnySystem::D3(particles)) = parse(&format!("{one}{one}")) else { panic!("{:?}", parse(&one)) };
        assert_eq!(particles.centers, [[4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]);
        assert_eq!(particles.radii, [0.5, 1.0]);
        let domain = Domain::new([0.0, -5.0, 1.0], [10.0, 5.0, 3.0], [true, false, true]).unwrap();
        assert_eq!(particles.domain, domain);
    }

    #[test]
    fn reads_scaled_and_unwrapped_coordinates() {
        let text = frame(CUBE, "xs ys zs radius\n0.5 0.5 0.25 1\n");
        let Ok(AnySystem::D3(particles)) = parse(&text) else { panic!("{:?}", parse(&text)) };
        assert_eq!(particles.centers, [[5.0, 0.0, 1.5]]);
        let text = frame(CUBE, "xu yu radius\n-15 0.5 1\n");
        let Ok(AnySystem::D2(particles)) = parse(&text) else { panic!("{:?}", parse(&text)) };
        assert_eq!(particles.centers, [[-15.0, 0.5]]);
    }

    #[test]
    fn says_what_is_wrong() {
        let error = |text: &str| parse(text).unwrap_err();
        assert_eq!(error("ITEM: TIMESTEP\n0\n"), "the file ends before ITEM: ATOMS");
        assert_eq!(error(&frame(CUBE, "x y z\n0 0 0\n")), "line 9: there is no column radius or diameter");
        assert_eq!(
            error(&frame(CUBE, "x z radius\n0 0 0\n")),
            "line 9: there are no columns x and y (nor xu, xs or xsu)"
        );
        assert_eq!(
            error(&frame("xy xz yz pp pp pp\n0 1 0.5\n0 1 0\n0 1 0", "xs y radius\n0 0 0\n")),
            "in a sheared box either all coordinates are scaled or none"
        );
        assert_eq!(
            error(&frame("abc origin pp pp pp\n1 0 0\n0 1 0 0\n0 0 1 0", "x y radius\n")),
            "line 6: '1 0 0' must be an edge and a coordinate of the origin"
        );
        assert_eq!(
            error(&frame("pp pp pp\n0\n0 1\n0 1", "x y radius\n")),
            "line 6: '0' must be a lower and an upper bound"
        );
        assert_eq!(
            error(&frame("pp pp\n0 1\n0 1\n0 1", "x y radius\n")),
            "line 5: there are 2 boundary flags, must be 3, such as pp pp ff"
        );
        assert_eq!(
            error(&frame("pp pp pp\n1 0\n0 1\n0 1", "x y radius\n0 0 1\n")),
            "box along x runs from 1 to 0: it needs finite borders within ±1e150 and a length above 1e-150"
        );
        assert_eq!(
            error(&frame(CUBE, "id x y radius\n1 0 0 1\n2 0 0 -1\n")),
            "line 11, column 4 (radius): radius of particle 1 is -1, must not be negative"
        );
        assert_eq!(
            error(&frame(CUBE, "id x y radius\n5 0 0 1\n5 0 0 1\n")),
            "line 11, column 1 (id): id 5 is there twice"
        );
        assert_eq!(
            error(&frame(CUBE, "id x y radius\n1.5 0 0 1\n")),
            "line 10, column 1 (id): id 1.5 is not a whole number"
        );
        assert_eq!(
            error(&frame(CUBE, "id x y radius\n9007199254740993 0 0 1\n")),
            "line 10, column 1 (id): ids from 9007199254740992 on are not supported"
        );
        assert_eq!(error(&frame(CUBE, "x x y radius\n0 0 0 1\n")), "line 9: there are two columns x");
        assert_eq!(
            error(&frame("qq pp pp\n0 1\n0 1\n0 1", "x y radius\n")),
            "line 5: boundary flag 'qq' is not known, must be two of p, f, s and m"
        );
        let long = frame(CUBE, "x y radius\n0 0 1\n0 0 1\n").replace("ATOMS\n2", "ATOMS\n1");
        assert_eq!(error(&long), "line 11: there are more rows than the 1 particles that the header promises");
        let short = frame(CUBE, "x y radius\n0 0 1\n").replace("ATOMS\n1", "ATOMS\n7");
        assert_eq!(error(&short), "the header promises 7 particles, the file has 1");
    }

    #[test]
    fn a_box_without_thickness_is_fine_on_an_open_axis() {
        let text = frame("pp ff ff\n0 10\n2 2\n0 0", "x y z radius\n1 2 0 1\n");
        let Ok(AnySystem::D3(particles)) = parse(&text) else { panic!("{:?}", parse(&text)) };
        assert!(particles.domain.is_periodic(0) && !particles.domain.is_periodic(1));
    }

    #[test]
    fn reads_tilted_boxes_as_lammps_writes_them() {
        // xlo 0, xhi 10, ylo 0, yhi 8, zlo -1, zhi 5 with tilts xy 3, xz -4, yz 2.
        let tilted = "xy xz yz pp ff pp\n-4 13 3\n0 10 -4\n-1 5 2";
        let domain = Domain::from_cell(
            [0.0, 0.0, -1.0],
            [[10.0, 0.0, 0.0], [3.0, 8.0, 0.0], [-4.0, 2.0, 6.0]],
            [true, false, true],
        )
        .unwrap();
        let general = "abc origin pp ff pp\n10 0 0 0\n3 8 0 0\n-4 2 6 -1";
        for bounds in [tilted, general] {
            let text = frame(bounds, "xs ys zs radius\n0.5 0.5 0.25 1\n");
            let Ok(AnySystem::D3(particles)) = parse(&text) else { panic!("{:?}", parse(&text)) };
            assert_eq!(particles.domain, domain);
            assert_eq!(particles.centers, [[5.5, 4.5, 0.5]]);
        }
        let text = frame(tilted, "x y radius\n1 2 1\n");
        let Ok(AnySystem::D2(particles)) = parse(&text) else { panic!("{:?}", parse(&text)) };
        let plane = Domain::from_cell([0.0; 2], [[10.0, 0.0], [3.0, 8.0]], [true, false]).unwrap();
        assert_eq!(particles.domain, plane);
    }

    #[test]
    fn reads_back_sheared_cells() {
        let mut headers = Vec::new();
        for solid in crate::system::sheared_samples::<3>() {
            let mut text = Vec::new();
            write(&mut text, &solid).unwrap();
            headers.push(String::from_utf8_lossy(&text).lines().nth(4).unwrap().to_owned());
            assert_eq!(read(&text, &()).unwrap(), solid.checked().unwrap().into());
        }
        for flat in crate::system::sheared_samples::<2>() {
            let mut text = Vec::new();
            write(&mut text, &flat).unwrap();
            assert_eq!(read(&text, &()).unwrap(), flat.checked().unwrap().into());
        }
        let has = |form: &str| headers.iter().any(|header| header.starts_with(&format!("ITEM: BOX BOUNDS {form}")));
        assert!(has("xy xz yz pp") && has("abc origin pp"), "{headers:?}");
    }

    #[test]
    fn reads_back_what_it_wrote() {
        let domain = Domain::new([-1.0, 0.1], [1.5, 2.5], [true, false]).unwrap();
        let flat = System { centers: vec![[0.1, 0.2], [1e-9, 3.0]], radii: vec![0.7, 1e-9], domain };
        let mut text = Vec::new();
        write(&mut text, &flat).unwrap();
        assert_eq!(read(&text, &()).unwrap(), flat.checked().unwrap().into());
    }
}
