//! Gives the crate the revision of the sources it is built from.

use std::process::Command;

fn main() {
    let revision = git(&["describe", "--always", "--dirty", "--abbrev=10"]).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=MULTIGRAIN_REVISION={revision}");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src");
    // Grows with every commit and change of branch.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
}

/// What git says; nothing without git or outside of a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
