//! Scenes of the repository are read, and the page about scenes says what there is to say.

use multigrain_cli::{Trial, check_scene, keys_of_scenes, try_scene};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_scene_of_the_repository_is_read_the_large_ones_too() {
    let mut scenes = Vec::new();
    collect(&root().join("scenes"), &mut scenes);
    assert!(scenes.len() > 20 && scenes.iter().any(|path| path.ends_with("large/settling-million.toml")), "{scenes:?}");
    for path in scenes {
        check_scene(&path).unwrap_or_else(|error| panic!("{}: {error:#}", path.display()));
    }
}

#[test]
fn every_key_is_documented() {
    let (text, keys) = (page("docs/scenes.md"), keys_of_scenes());
    assert!(keys.len() > 60, "{keys:?}");
    for key in keys {
        let forms = [format!("`{key}`"), format!("`{key} ="), format!("[{key}]")];
        assert!(forms.iter().any(|form| text.contains(form)), "docs/scenes.md does not name {key}");
    }
}

#[test]
fn the_example_of_the_documents_is_a_scene() {
    let text = page("docs/scenes.md");
    let example = text.split("```toml\n").nth(1).expect("an example").split("```").next().expect("its text");
    assert!(example.contains("[[particles]]") && example.contains("[[material]]"));
    assert_eq!(try_scene(Path::new("scene.toml"), example, 0).expect("it is read"), Trial::TooLarge);
}

/// The book shows lines of the block that declares columns of the state.
#[test]
fn columns_are_declared_as_the_book_says() {
    let (book, source) = (page("docs/extending.md"), page("crates/multigrain-dem/src/state/mod.rs"));
    let (_, shown) = book.split_once("```text\n").expect("a block of text");
    let (lines, _) = shown.split_once("```").expect("its end");
    assert_eq!(lines.lines().count(), 2);
    assert!(lines.lines().all(|line| source.lines().any(|other| other.trim() == line)), "{lines}");
}

/// Tests of a crate that is published have all they need in it.
#[test]
fn copies_of_what_tests_share_are_equal() {
    for name in ["golden", "mixture"] {
        let [one, other] = [
            format!("crates/multigrain-dem/tests/{name}.rs"),
            format!("crates/multigrain-distributed/tests/{name}/mod.rs"),
        ]
        .map(|path| page(&path));
        assert_eq!(one, other, "of the two copies of {name} one was changed alone");
    }
}

#[test]
fn published_crates_reach_for_no_file_outside() {
    let mut sources = Vec::new();
    collect_ending(&root().join("crates"), "rs", &mut sources);
    for path in sources {
        let shown = path.strip_prefix(root()).expect("it is in the repository").display().to_string();
        let manifest = page(&format!("{}/Cargo.toml", shown.split('/').take(2).collect::<Vec<_>>().join("/")));
        if manifest.contains("publish = false") {
            continue;
        }
        // Folders between the file and its crate, which a path may go up by.
        let deep = shown.split('/').count() - 3;
        let text = fs::read_to_string(&path).expect("readable sources");
        for (number, line) in text.lines().enumerate() {
            let named = ["include_str!(\"", "include_bytes!(\"", "#[path = \""]
                .iter()
                .find_map(|word| line.split_once(word).map(|(_, rest)| rest.matches("../").count()));
            assert!(named.is_none_or(|up| up <= deep), "{shown}:{} reaches out of its crate: {line}", number + 1);
        }
    }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    collect_ending(folder, "toml", found);
}

fn collect_ending(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("readable folder") {
        let path = entry.expect("readable folder").path();
        match path.is_dir() {
            true if path.ends_with("target") => (),
            true => collect_ending(&path, extension, found),
            false if path.extension().is_some_and(|other| other == extension) => found.push(path),
            false => (),
        }
    }
}

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace exists")
}
