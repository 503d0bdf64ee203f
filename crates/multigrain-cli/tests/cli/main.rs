//! The command as users meet it: flags, files, texts and exit codes.

mod analyze;
mod bad_input;
mod boxes;
mod calibrate;
mod compare;
mod demo;
mod detect;
mod files;
mod flows;
mod formats;
mod golden;
mod guards;
mod json;
mod outcomes;
mod pack;
mod ranks;
mod readme;
mod reproduce;
mod restart;
mod scenes;
mod simulate;
mod streams;
mod tune;
mod usage;
mod view;
mod walls;

use assert_cmd::Command;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// Four discs: 0 and 1 touch, 3 touches them across y = 0 in a box of height 10, 2 is 1 away from 1.
const GRAINS: &str = "x,y,r\n0,0,1\n1.5,0,1\n4,0,0.5\n0,9.5,1\n";

/// A list of contacts without the columns of ids.
fn without_ids(list: &str) -> String {
    let header = list.lines().next().unwrap_or_default();
    let kept = header.split(',').take_while(|name| *name != "id_i").count();
    let row = |line: &str| line.split(',').take(kept).collect::<Vec<_>>().join(",") + "\n";
    list.lines().map(row).collect()
}

/// A folder of its own for each test; commands run inside it, so that messages have short names.
struct Folder(TempDir);

/// What a command did.
struct Outcome {
    code: i32,
    stdout: Vec<u8>,
    stderr: String,
}

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.write(name, content);
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        self.names_in("")
    }

    /// Names of files in a folder of it, in order.
    fn names_in(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(name)).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_multigrain"));
        command.current_dir(self.0.path()).args(args.split_whitespace()).env("RUST_BACKTRACE", "1");
        command
    }

    /// Runs the command with arguments separated by blanks.
    fn run(&self, args: &str) -> Outcome {
        Outcome::of(self.command(args))
    }

    /// As `run`, and standard output as text; it must go well.
    fn ok(&self, args: &str) -> String {
        let outcome = self.run(args);
        assert_eq!(outcome.code, 0, "{args}: {}", outcome.stderr);
        outcome.text()
    }

    /// The lines on standard error of a command that must fail with code 2 and print nothing else.
    fn fails(&self, args: &str) -> Vec<String> {
        self.run(args).failure(args)
    }
}

impl Outcome {
    fn of(mut command: Command) -> Self {
        let output = command.output().unwrap();
        Self {
            code: output.status.code().expect("not killed by a signal"),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn text(self) -> String {
        String::from_utf8(self.stdout).unwrap()
    }

    fn failure(self, what: &str) -> Vec<String> {
        assert_eq!(self.code, 2, "{what}: {}", self.stderr);
        assert!(self.stdout.is_empty(), "{what} printed {}", String::from_utf8_lossy(&self.stdout));
        // A run that fails on its way has said how many steps it was to take.
        let is_ahead = |line: &&str| line.starts_with("note: ") && line.contains(" steps of ");
        let lines: Vec<String> = self.stderr.lines().skip_while(is_ahead).map(str::to_owned).collect();
        assert!(lines[0].starts_with("error: "), "{what}: {}", self.stderr);
        assert!(lines.len() == 1 || (lines.len() == 2 && lines[1].starts_with("hint: ")), "{what}: {}", self.stderr);
        lines
    }
}
