//! Contact lists, read back: those of `multigrain detect` and those of a simulation.

use super::vtp::{self, Mesh, MeshArray};
use super::{csv, rows::Table};
use crate::error::{Context, Result};
use crate::packed::read_file;
use std::path::Path;

/// Contacts of a file, column by column.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactList {
    /// How many there are.
    pub count: usize,
    /// Columns by name, each of one or more numbers for each contact: `i`, `j`, `overlap` and so on of CSV; of VTK files the arrays of
    /// the lines, and `ends`, the six coordinates of both ends.
    pub columns: Vec<MeshArray>,
}

impl ContactList {
    /// Reads a list; none if the file is something else. Errors name it.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        let cannot = || format!("cannot read {}", path.display());
        let file = read_file(path).with_context(cannot)?;
        Self::parse(&file).with_context(cannot)
    }

    /// From the bytes of a file.
    pub fn parse(file: &[u8]) -> Result<Option<Self>> {
        if vtp::looks_like(file) {
            let mesh = Mesh::parse(file)?;
            let is_list = mesh.cell_array("ids").is_some() && mesh.polygons.is_empty();
            return Ok(is_list.then(|| Self::of_mesh(&mesh)));
        }
        // Arrays and particles have other headers, or none.
        match csv::with_header(file) {
            Ok(table) if is_list(&table) => Self::of_table(&table).map(Some),
            _ => Ok(None),
        }
    }

    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<&MeshArray> {
        self.columns.iter().find(|column| column.name == name)
    }

    fn of_mesh(mesh: &Mesh) -> Self {
        let lines: Vec<[usize; 2]> = mesh.lines.iter().filter_map(|line| line[..].try_into().ok()).collect();
        let ends = lines.iter().flatten().flat_map(|&point| mesh.points[point]).collect();
        let mut columns = vec![MeshArray { name: "ends".to_owned(), components: 6, values: ends }];
        let fits = |array: &&MeshArray| array.values.len() == lines.len() * array.components;
        columns.extend(mesh.cell_arrays.iter().filter(fits).cloned());
        Self { count: lines.len(), columns }
    }

    fn of_table(table: &Table<'_>) -> Result<Self> {
        let all: Vec<usize> = (0..table.names.len()).collect();
        let rows = table.read(&all, &())?;
        let column = |&k: &usize| MeshArray {
            name: table.names[k].clone(),
            components: 1,
            values: rows.iter().map(|row| row[k]).collect(),
        };
        Ok(Self { count: rows.len(), columns: all.iter().map(column).collect() })
    }
}

fn is_list(table: &Table<'_>) -> bool {
    let has = |name: &str| table.names.iter().any(|own| own == name);
    has("i") && has("j") && !(has("x") && has("y"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContactLine, Frame};
    use multigrain::Domain;

    #[test]
    fn lists_of_detect_are_read_back() {
        let list = ContactList::parse(b"i,j,sx,sy,overlap\n0,1,0,-1,0.5\n3,7,0,0,0.25\n").unwrap().unwrap();
        assert_eq!(list.count, 2);
        assert_eq!(list.column("j").unwrap().values, [1.0, 7.0]);
        assert_eq!(list.column("sy").unwrap().values, [-1.0, 0.0]);
        assert_eq!(ContactList::parse(b"x,y,r,i,j\n0,1,0,1,2\n").unwrap(), None);
        assert_eq!(ContactList::parse(b"i,j,overlap\n").unwrap().map(|list| list.count), Some(0));
        assert!(ContactList::parse(b"i,j,overlap\n0,1,much\n").is_err());
    }

    #[test]
    fn lists_of_simulations_are_read_back() {
        let frame = Frame::<2> {
            step: 1,
            time: 0.5,
            ids: vec![2, 7],
            centers: vec![[0.1, 0.2], [1.5, -3.0]],
            velocities: vec![[0.0; 2]; 2],
            radii: vec![0.7, 0.3],
            materials: vec![0, 1],
            outlines: None,
            domain: Domain::new([0.0, -4.0], [2.0, 4.0], [true, false]).unwrap(),
            details: None,
        };
        let line = ContactLine {
            ids: [2, 7],
            ends: [[0.1, 0.2], [2.1, 0.2]],
            force: [3.0, 4.0],
            overlap: 0.01,
            bond_load: None,
        };
        let mut file = Vec::new();
        frame.write_contacts_vtp(&mut file, &[line, line]).unwrap();
        let list = ContactList::parse(&file).unwrap().unwrap();
        assert_eq!(list.count, 2);
        assert_eq!(list.column("ids").unwrap().values, [2.0, 7.0, 2.0, 7.0]);
        assert_eq!(list.column("ends").unwrap().values[..6], [0.1, 0.2, 0.0, 2.1, 0.2, 0.0]);
        assert_eq!(list.column("force").unwrap().values[3..], [3.0, 4.0, 0.0]);
        let mut particles = Vec::new();
        frame.write_vtp(&mut particles).unwrap();
        assert_eq!(ContactList::parse(&particles).unwrap(), None);
    }
}
