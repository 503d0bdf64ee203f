//! What is packed of each crate is enough to build it.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// `dist.sh` builds every crate from its package, which takes minutes; that files are missing shows here at once.
#[test]
fn packages_hold_every_file_that_their_sources_include() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut packages, mut included) = (0, 0);
    for entry in fs::read_dir(crates).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        if manifest.contains("publish = false") {
            continue;
        }
        let packed = packed(&folder);
        let name = folder.display();
        assert!(packed.contains(&PathBuf::from("Cargo.toml")), "{name}: {packed:?}");
        let is_root = |path: &PathBuf| ["src/lib.rs", "src/main.rs"].iter().any(|root| path == Path::new(root));
        assert!(packed.iter().any(is_root), "{name}: {packed:?}");
        for source in packed.iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs")) {
            for file in includes(&fs::read_to_string(folder.join(source)).unwrap()) {
                let file = plain(&source.parent().unwrap().join(&file));
                assert!(packed.contains(&file), "{name}: {} includes {}", source.display(), file.display());
                included += 1;
            }
        }
        packages += 1;
    }
    assert!(packages >= 15 && included >= 8, "{packages} packages, {included} files");
}

#[test]
fn includes_of_tests_are_not_those_of_packages() {
    let text = "#[doc = include_str!(\"../a.md\")]\n#[cfg(doctest)]\n#[doc = include_str!(\"b.md\")]\nstruct B;\n\
                static C: &[u8] = include_bytes!(\"c\");\n#[cfg(test)]\nmod tests { const D: &str = include_str!(\"d\"); }\n";
    assert_eq!(includes(text), ["../a.md", "c"]);
    assert_eq!(plain(Path::new("src/x/../../y")), Path::new("y"));
}

/// The files of a package.
fn packed(folder: &Path) -> Vec<PathBuf> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).args(["package", "--list", "--allow-dirty", "--offline"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(PathBuf::from).collect()
}

/// Files that a source includes, but for those that only tests and examples see.
fn includes(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let file = |(k, line): (usize, &&str)| {
        let is_example = k > 0 && lines[k - 1].contains("cfg(doctest)");
        let path = ["include_str!(\"", "include_bytes!(\""].iter().find_map(|call| line.split_once(call));
        let path = path.filter(|_| !is_example)?.1.split_once('"')?.0;
        Some(path.to_owned())
    };
    lines.iter().enumerate().filter_map(file).collect()
}

/// A path without steps back.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}
