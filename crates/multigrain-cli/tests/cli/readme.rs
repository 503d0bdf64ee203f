use super::Folder;
use std::path::Path;

/// In order, in one folder: later commands read what earlier ones wrote.
#[test]
fn the_commands_of_the_readme_work_as_printed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let shell = readme.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands: Vec<&str> = shell.flat_map(str::lines).filter_map(|line| line.strip_prefix("multigrain ")).collect();
    assert!(commands.len() >= 5, "{commands:?}");
    let folder = Folder::new();
    for command in commands {
        folder.ok(command);
    }
}
