//! The program under test, started, killed and looked at.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Set for a process that is to be the program under test itself.
pub const CHILD: &str = "MULTIGRAIN_UNDER_TEST";

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(300);

/// A program that takes the flags of `multigrain`.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
}

/// How a run ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it said.
    pub stderr: String,
}

impl Ended {
    /// Whether it is an error in words: exit code 2, one line and perhaps a hint.
    pub fn is_in_words(&self) -> bool {
        let lines: Vec<&str> = self.stderr.lines().filter(|line| !line.starts_with("note: ")).collect();
        self.code == Some(2)
            && lines.first().is_some_and(|line| line.starts_with("error: "))
            && lines.iter().skip(1).all(|line| line.starts_with("hint: "))
            && lines.len() <= 2
    }
}

impl Program {
    /// The program at this path.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Starts it in a folder, with flags separated by blanks.
    pub fn start(&self, folder: &Path, flags: &str) -> io::Result<Child> {
        self.command(folder, flags).spawn()
    }

    /// Runs it to its end.
    pub fn run(&self, folder: &Path, flags: &str) -> io::Result<Ended> {
        end(self.start(folder, flags)?)
    }

    /// Runs it in a shell, behind commands such as `ulimit`.
    pub fn run_behind(
        &self,
        folder: &Path,
        before: &str,
        flags: &str,
        environment: &[(&str, OsString)],
    ) -> io::Result<Ended> {
        let mut command = Command::new("sh");
        let line = format!("{before}; exec '{}' {flags}", self.path.display());
        command.current_dir(folder).args(["-c", &line]).env(CHILD, "1").envs(environment.iter().cloned());
        end(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?)
    }

    fn command(&self, folder: &Path, flags: &str) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(folder).args(flags.split_whitespace()).env(CHILD, "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// Waits for the end, and ends what hangs.
pub fn end(mut child: Child) -> io::Result<Ended> {
    let start = Instant::now();
    while child.try_wait()?.is_none() && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(2));
    }
    let hangs = child.try_wait()?.is_none();
    if hangs {
        child.kill()?;
    }
    let output = child.wait_with_output()?;
    let mut stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if hangs {
        stderr.push_str("it hung, and was killed");
    }
    Ok(Ended { code: output.status.code(), stdout: String::from_utf8_lossy(&output.stdout).into_owned(), stderr })
}

/// Sends a signal by name.
pub fn signal(child: &Child, name: &str) -> io::Result<()> {
    let status =
        Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).stderr(Stdio::null()).status()?;
    // A process that has just ended takes no signals.
    let _ = status;
    Ok(())
}

/// Everything in a folder, below it too: contents by name. Columns of times that clocks tell are left out, and the checkpoint before
/// the last.
pub fn contents(folder: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut all = BTreeMap::new();
    if folder.exists() {
        collect(folder, folder, &mut all)?;
    }
    Ok(all)
}

fn collect(root: &Path, folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, all)?;
            continue;
        }
        // Which state is the one before the last is a matter of the clock.
        if path.ends_with("checkpoint.previous.bin") {
            continue;
        }
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let mut bytes = fs::read(&path)?;
        if name.ends_with("energies.csv") {
            let text = String::from_utf8_lossy(&bytes);
            let row = |line: &str| line.rsplit_once(',').map_or(line, |(row, _)| row).to_owned() + "\n";
            bytes = text.lines().map(row).collect::<String>().into_bytes();
        }
        all.insert(name, bytes);
    }
    Ok(())
}

/// What differs between two folders, in words; nothing if they are the same.
pub fn differences(one: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) -> Option<String> {
    let names: std::collections::BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let differing: Vec<String> = names
        .into_iter()
        .filter_map(|name| match (one.get(name), other.get(name)) {
            (Some(a), Some(b)) if a == b => None,
            (Some(_), Some(_)) => Some(format!("{name} differs")),
            (Some(_), None) => Some(format!("{name} is missing")),
            (None, _) => Some(format!("{name} is left over")),
        })
        .collect();
    (!differing.is_empty()).then(|| differing.join(", "))
}
