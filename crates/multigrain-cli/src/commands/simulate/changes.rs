//! What was changed on the way: in words, with step and time, in `changes.txt`.

use anyhow::{Context, Result};
use multigrain_files::Target;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "changes.txt";

/// Adds changes at a step to those that the run has had before it; gives the number of all.
pub fn note(folder: &Path, new: &[String], step: u64, time: f64) -> Result<usize> {
    let path = folder.join(FILE);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        text => text.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let step_of = |line: &str| line.strip_prefix("step ")?.split(',').next()?.parse::<u64>().ok();
    let mut lines: Vec<String> =
        text.lines().filter(|line| step_of(line).is_some_and(|of_line| of_line <= step)).map(str::to_owned).collect();
    lines.extend(new.iter().map(|change| format!("step {step}, time {time}: {change}")));
    if !lines.is_empty() {
        let text = lines.join("\n") + "\n";
        Target::File(path).write(|out| Ok(out.write_all(text.as_bytes())?))?;
    }
    Ok(lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_after_the_checkpoint_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(note(folder.path(), &[], 0, 0.0).unwrap(), 0);
        assert!(!folder.path().join(FILE).exists());
        assert_eq!(note(folder.path(), &["gravity was 1".to_owned()], 10, 0.1).unwrap(), 1);
        assert_eq!(note(folder.path(), &["gravity was 2".to_owned()], 20, 0.2).unwrap(), 2);
        assert_eq!(note(folder.path(), &[], 15, 0.15).unwrap(), 1);
        let text = fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert_eq!(text, "step 10, time 0.1: gravity was 1\n");
    }
}
