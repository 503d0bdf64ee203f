use super::Folder;
use std::path::Path;

/// In order, in one folder: later commands read what earlier ones wrote.
#[test]
fn the_commands_of_the_readme_work_as_printed() {
    let commands = commands_of("README.md");
    assert!(commands.len() >= 5, "{commands:?}");
    let folder = Folder::new();
    for command in commands {
        folder.ok(&command);
    }
}

/// Each page of the book in a folder of its own.
#[test]
fn the_commands_of_the_book_work_as_printed() {
    let mut seen = 0;
    for page in [
        "docs/view.md",
        "docs/analyze.md",
        "docs/scenes.md",
        "docs/methods.md",
        "docs/simulation.md",
        "docs/polygons.md",
    ] {
        let folder = Folder::new();
        for command in commands_of(page) {
            folder.ok(&command);
            seen += 1;
        }
    }
    assert!(seen >= 5, "{seen} commands");
}

/// Lines of shell blocks that call the program, without what comments say.
fn commands_of(page: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = std::fs::read_to_string(path).unwrap();
    let shell = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let command = |line: &str| Some(line.strip_prefix("multigrain ")?.split(" #").next()?.trim().to_owned());
    shell.flat_map(str::lines).filter_map(command).collect()
}
