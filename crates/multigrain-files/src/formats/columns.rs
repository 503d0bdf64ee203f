//! What a file says of its particles beyond place and size: any column of numbers, by its name.

use super::csv;
use super::lines::Lines;
use super::rows::{RADIUS_NAMES, Separator, Table};
use super::vtp::Mesh;
use super::xyz::value_of;
use crate::system::AXES;
use std::collections::HashSet;

/// Numbers of all particles, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// A number for each particle; NaN where there is none.
    pub values: Vec<f64>,
}

/// What there is beyond places and sizes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extras {
    pub time: Option<f64>,
    pub step: Option<u64>,
    pub ids: Option<Vec<i64>>,
    pub columns: Vec<Column>,
}

/// Columns that one property of extended XYZ, or one array of VTK, may have.
pub const MAX_WIDTH: usize = 1000;

/// Columns that extended XYZ may have in all: its header can ask for a thousand with nine letters.
pub const MAX_COLUMNS: usize = 10_000;

/// Ids below this are whole numbers of their own.
const MAX_ID: f64 = (1u64 << 53) as f64;

/// Columns of places in dumps.
const PLACES: [&str; 12] = ["x", "y", "z", "xu", "yu", "zu", "xs", "ys", "zs", "xsu", "ysu", "zsu"];

/// Which columns are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wanted {
    /// Ids alone.
    Ids,
    /// All there are.
    All,
}

impl Wanted {
    fn includes(self, name: &str) -> bool {
        self == Self::All || name == "id"
    }
}

/// Of a CSV file: every column that is no place or size and holds numbers.
pub fn of_csv(file: &[u8], wanted: Wanted) -> Extras {
    let Ok(table) = csv::with_header(file) else { return Extras::default() };
    Extras::of(&table, |name| wanted.includes(name) && !AXES.contains(&name) && !is_size(name))
}

/// Of one frame of a LAMMPS dump, in the order of ids.
pub fn of_dump(frame: &[u8], wanted: Wanted) -> Extras {
    let mut lines = Lines::new(frame);
    let (mut count, mut time, mut step) = (0, None, None);
    let names = loop {
        let Ok(line) = lines.next("ITEM: ATOMS") else { return Extras::default() };
        if let Some(columns) = line.strip_prefix("ITEM: ATOMS") {
            break columns.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        }
        let mut value = || lines.next("a value").unwrap_or_default().trim().to_owned();
        match line {
            "ITEM: TIMESTEP" => step = value().parse().ok(),
            "ITEM: TIME" => time = value().parse().ok(),
            "ITEM: NUMBER OF ATOMS" => count = value().parse().unwrap_or(0),
            _ => (),
        }
    };
    let rows = lines.take(count);
    let table = Table { file: frame, rows, separator: Separator::Blanks, has_comments: false, names };
    let extras = Extras::of(&table, |name| wanted.includes(name) && !PLACES.contains(&name) && !is_size(name));
    Extras { time, step, ..extras.sorted_by_id() }
}

/// Of one frame of extended XYZ.
pub fn of_xyz(frame: &[u8], wanted: Wanted) -> Extras {
    let mut lines = Lines::new(frame);
    let count = lines.next("the number of particles").ok().and_then(|line| line.parse().ok()).unwrap_or(0);
    let Ok(comment) = lines.next("the comment line") else { return Extras::default() };
    let Some(properties) = value_of(comment, "properties") else { return Extras::default() };
    let mut names: Vec<String> = Vec::new();
    for triple in properties.split(':').collect::<Vec<_>>().chunks(3) {
        let &[name, kind, width] = triple else { return Extras::default() };
        let width = width.trim().parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width));
        let Some(width) = width.filter(|width| names.len() + width <= MAX_COLUMNS) else { return Extras::default() };
        // Words and flags are no numbers, and places are no columns.
        let name = if matches!(kind, "R" | "I") && name != "pos" { name } else { "" };
        names.extend((0..width).map(|component| component_name(name, component, width)));
    }
    let rows = lines.take(count);
    let table = Table { file: frame, rows, separator: Separator::Blanks, has_comments: false, names };
    let number = |key: &str| value_of(comment, key).and_then(|value| value.trim().parse::<f64>().ok());
    let is_wanted = |name: &str| wanted.includes(name) && !name.is_empty() && !is_size(name);
    let extras = Extras::of(&table, is_wanted);
    Extras { time: number("time"), step: number("step").or(number("timestep")).map(|step| step as u64), ..extras }
}

/// Of the points of a VTK file.
pub fn of_vtp(mesh: &Mesh) -> Extras {
    let count = mesh.points.len();
    let mut extras = Extras { time: mesh.field("TimeValue"), ..Extras::default() };
    let mut taken = HashSet::new();
    for array in mesh.point_arrays.iter().filter(|array| !is_size(&array.name)) {
        if array.values.len() != count * array.components || !taken.insert(array.name.as_str()) {
            continue;
        }
        for component in 0..array.components {
            let values = array.values.iter().skip(component).step_by(array.components);
            let name = component_name(&array.name, component, array.components);
            extras.add(name, values.copied());
        }
    }
    extras
}

/// The name of one of several columns that belong together: velocities are vx, vy and vz, as in dumps.
fn component_name(name: &str, component: usize, width: usize) -> String {
    let axis = AXES.get(component).filter(|_| width <= 3);
    match axis {
        _ if width == 1 || name.is_empty() => name.to_owned(),
        Some(axis) if ["vel", "velo", "velocity", "velocities"].contains(&name.to_ascii_lowercase().as_str()) => {
            format!("v{axis}")
        }
        Some(axis) => format!("{name}_{axis}"),
        None => format!("{name}_{component}"),
    }
}

/// Whether some format takes a column of this name for places, sizes or ids.
pub fn has_meaning(name: &str) -> bool {
    is_size(name) || PLACES.iter().chain(&["id", "pos"]).any(|known| known.eq_ignore_ascii_case(name))
}

fn is_size(name: &str) -> bool {
    RADIUS_NAMES.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
}

impl Extras {
    /// The columns of a table that are wanted by name and hold numbers.
    fn of(table: &Table<'_>, is_wanted: impl Fn(&str) -> bool) -> Self {
        let wanted: Vec<usize> = (0..table.names.len()).filter(|&column| is_wanted(&table.names[column])).collect();
        let mut extras = Self::default();
        if wanted.is_empty() {
            return extras;
        }
        let Ok((rows, others)) = table.read_numbers(&wanted) else { return extras };
        let mut taken = HashSet::new();
        for (slot, &column) in wanted.iter().enumerate() {
            // Words are left out, and of columns with one name the first that holds numbers is taken.
            if !others[slot] && taken.insert(table.names[column].as_str()) {
                extras.add(table.names[column].clone(), rows.iter().map(|row| row[slot]));
            }
        }
        extras
    }

    /// Adds a column; that of ids becomes the ids, if they are.
    fn add(&mut self, name: String, values: impl Iterator<Item = f64>) {
        let values: Vec<f64> = values.collect();
        let is_id = |value: &f64| value.fract() == 0.0 && value.abs() < MAX_ID;
        if name == "id" && self.ids.is_none() && values.iter().all(is_id) {
            self.ids = Some(values.iter().map(|&value| value as i64).collect());
        } else {
            self.columns.push(Column { name, values });
        }
    }

    /// As the reader of dumps has them.
    fn sorted_by_id(mut self) -> Self {
        let Some(ids) = &mut self.ids else { return self };
        if ids.is_sorted() {
            return self;
        }
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_by_key(|&row| ids[row]);
        *ids = order.iter().map(|&row| ids[row]).collect();
        for column in &mut self.columns {
            column.values = order.iter().map(|&row| column.values[row]).collect();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column<'a>(extras: &'a Extras, name: &str) -> &'a [f64] {
        &extras.columns.iter().find(|column| column.name == name).unwrap().values
    }

    #[test]
    fn columns_of_words_are_left_out() {
        let extras = of_csv(b"x,y,r,name,heat,id\n0,0,1,a,2.5,7\n1,1,1,b,-1,3\n", Wanted::All);
        assert_eq!(extras.columns.len(), 1);
        assert_eq!(column(&extras, "heat"), [2.5, -1.0]);
    }

    #[test]
    fn dumps_are_in_the_order_of_ids() {
        let frame = b"ITEM: TIMESTEP\n40\nITEM: NUMBER OF ATOMS\n2\nITEM: ATOMS id type x y radius vx element\n9 1 0 0 1 0.5 C\n4 2 1 1 1 -2 H\n";
        let extras = of_dump(frame, Wanted::All);
        assert_eq!((extras.step, extras.ids.as_deref()), (Some(40), Some(&[4, 9][..])));
        assert_eq!((column(&extras, "type"), column(&extras, "vx")), (&[2.0, 1.0][..], &[-2.0, 0.5][..]));
        assert_eq!(extras.columns.len(), 2);
    }

    #[test]
    fn arrays_of_no_points_are_empty_columns() {
        let velocity = crate::MeshArray { name: "velocity".to_owned(), components: 3, values: Vec::new() };
        let extras = of_vtp(&Mesh { point_arrays: vec![velocity], ..Mesh::default() });
        let names: Vec<&str> = extras.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["vx", "vy", "vz"]);
    }

    #[test]
    fn extended_xyz_has_vectors_by_component() {
        let text = b"1\nTime=0.5 Properties=species:S:1:pos:R:3:radius:R:1:vel:R:3:charge:R:1:fixed:L:1:force:R:3\nSi 0 0 0 1 1 2 3 4 T 5 6 7\n";
        let extras = of_xyz(text, Wanted::All);
        let names: Vec<&str> = extras.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["vx", "vy", "vz", "charge", "force_x", "force_y", "force_z"]);
        assert_eq!((extras.time, column(&extras, "vz")), (Some(0.5), &[3.0][..]));
        let endless = b"1\nProperties=pos:R:3:radius:R:1:heat:R:99999999999999\n0 0 0 1 2\n";
        assert_eq!(of_xyz(endless, Wanted::All), Extras::default());
    }
}
