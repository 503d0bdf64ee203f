//! Measured times in a small file, so that runs of different builds can be put side by side.

use std::fmt;
use std::fs;
use std::path::Path;

/// The first line of the file.
const HEAD: &str = "contender,set,particles,ns_per_particle";

/// One measured time.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Who was measured.
    pub contender: String,
    /// On which data set.
    pub set: String,
    /// With how many particles.
    pub particles: usize,
    /// Median time in nanoseconds per particle.
    pub ns: f64,
}

/// A file of results that cannot be written or read.
#[derive(Debug)]
pub struct ResultsError(String);

impl fmt::Display for ResultsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ResultsError {}

/// Writes results as CSV.
pub fn write(path: &Path, results: &[Measured]) -> Result<(), ResultsError> {
    let mut text = format!("{HEAD}\n");
    for Measured { contender, set, particles, ns } in results {
        text += &format!("{contender},{set},{particles},{ns}\n");
    }
    fs::write(path, text).map_err(|error| ResultsError(format!("cannot write {}: {error}", path.display())))
}

/// Reads what [`write()`] wrote.
pub fn read(path: &Path) -> Result<Vec<Measured>, ResultsError> {
    let text =
        fs::read_to_string(path).map_err(|error| ResultsError(format!("cannot read {}: {error}", path.display())))?;
    let wrong = |line: usize| ResultsError(format!("{}, line {}: expected `{HEAD}`", path.display(), line + 1));
    let mut lines = text.lines().enumerate();
    if lines.next().is_none_or(|(_, head)| head != HEAD) {
        return Err(wrong(0));
    }
    lines.map(|(number, line)| parse(line).ok_or_else(|| wrong(number))).collect()
}

fn parse(line: &str) -> Option<Measured> {
    let [contender, set, particles, ns] = line.split(',').collect::<Vec<_>>().try_into().ok()?;
    let (contender, set) = (contender.to_owned(), set.to_owned());
    Some(Measured { contender, set, particles: particles.parse().ok()?, ns: ns.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_wrote_and_names_a_broken_line() {
        let path = std::env::temp_dir().join(format!("multigrain-lab-results-{}.csv", std::process::id()));
        let results = [Measured { contender: "parry".into(), set: "mono".into(), particles: 1000, ns: 1040.25 }];
        write(&path, &results).unwrap();
        assert_eq!(read(&path).unwrap(), results);
        fs::write(&path, format!("{HEAD}\nparry,mono,many,1\n")).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("line 2"));
        fs::remove_file(&path).unwrap();
        assert!(read(&path).unwrap_err().to_string().starts_with("cannot read"));
    }
}
