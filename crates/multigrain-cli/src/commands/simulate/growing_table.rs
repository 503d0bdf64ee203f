//! A table that grows while a run goes on.

use anyhow::{Context, Result};
use multigrain_files::Target;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A CSV that grows while the run goes on. A row is written whole; after a kill at most the last one is incomplete, and
/// resuming drops it with all that came after the checkpoint. Rows up to a checkpoint are on the disk before the checkpoint is.
pub struct GrowingTable {
    file: File,
    path: PathBuf,
    head: String,
    first_row: Option<String>,
    last_row: Option<String>,
}

impl GrowingTable {
    /// A new table, or for a run that goes on after `resumed_at` steps the old one up to there.
    pub fn open(folder: &Path, name: &str, head: String, resumed_at: Option<u64>) -> Result<Self> {
        let path = folder.join(name);
        let cannot = || format!("cannot write {}", path.display());
        let mut text = head;
        if let Some(steps) = resumed_at {
            let old = read(&path)?;
            let columns = columns_in(old.lines().next().unwrap_or_default(), text.trim_end());
            for row in rows_until(&old, steps) {
                let values: Vec<&str> = row.split(',').collect();
                let value = |column: &Option<usize>| column.and_then(|k| values.get(k).copied()).unwrap_or_default();
                text.push_str(&columns.iter().map(value).collect::<Vec<_>>().join(","));
                text.push('\n');
            }
        }
        // The old table is replaced as a whole: a kill here must not lose it.
        Target::File(path.clone()).write(|out| Ok(out.write_all(text.as_bytes())?))?;
        let file = OpenOptions::new().append(true).open(&path).with_context(cannot)?;
        let [first_row, last_row] =
            [text.lines().nth(1), text.lines().skip(1).last()].map(|row| row.map(str::to_owned));
        let head = text.lines().next().unwrap_or_default().to_owned();
        Ok(Self { file, path, head, first_row, last_row })
    }

    /// What the first row that it had when it was opened says under a name.
    pub fn first_row(&self) -> Option<impl Fn(&str) -> Option<f64>> {
        let row = self.first_row.as_ref()?;
        Some(|name: &str| {
            let column = self.head.split(',').position(|own| own == name)?;
            row.split(',').nth(column)?.parse().ok()
        })
    }

    /// The last row that it had when it was opened.
    pub fn last_row(&self) -> Option<&str> {
        self.last_row.as_deref()
    }

    /// Waits until the disk has all rows.
    pub fn sync(&self) -> Result<()> {
        self.file.sync_data().with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Adds a row that ends its line.
    pub fn add_row(&mut self, row: &str) -> Result<()> {
        self.file.write_all(row.as_bytes()).with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// The text of a table; nothing where there is none.
fn read(path: &Path) -> Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        text => text.with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Where the columns of a table are in one that an earlier version of the program began, which may have had others.
fn columns_in(old_head: &str, head: &str) -> Vec<Option<usize>> {
    head.split(',').map(|name| old_head.split(',').position(|old| old == name)).collect()
}

/// The whole rows of a table up to a step.
fn rows_until(text: &str, steps: u64) -> impl Iterator<Item = &str> {
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let step_of = |row: &str| row.split(',').next().and_then(|step| step.parse::<u64>().ok());
    whole.lines().skip(1).filter(move |row| step_of(row).is_some_and(|step| step <= steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_with_fewer_columns_gets_the_missing_ones() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("energies.csv");
        fs::write(&path, "step,time,total\n0,0,5\n10,1,6\n20,2,7\n").unwrap();
        let head = "step,total,changes,time\n".to_owned();
        let mut table = GrowingTable::open(folder.path(), "energies.csv", head, Some(10)).unwrap();
        table.add_row("20,8,0,2\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "step,total,changes,time\n0,5,,0\n10,6,,1\n20,8,0,2\n");
    }

    #[test]
    fn resuming_keeps_whole_rows_up_to_the_checkpoint() {
        let rows = |text| rows_until(text, 20).collect::<Vec<_>>();
        assert_eq!(rows("step,time\n10,1\n20,2\n30,3\n"), ["10,1", "20,2"]);
        assert_eq!(rows("step,time\n10,1\n2"), ["10,1"]);
        assert!(rows("").is_empty());
    }
}
