//! What the documents name exists: files, links, tests, methods.

use multigrain_methods::Method;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_method_has_a_row_in_the_table_of_methods() {
    let page = read(&root().join("docs/methods.md"));
    for method in Method::ALL {
        let row = format!("| `{}` |", method.name());
        assert!(page.lines().any(|line| line.starts_with(&row)), "docs/methods.md has no row for {}", method.name());
    }
}

#[test]
fn the_book_has_every_page() {
    let summary = read(&root().join("docs/SUMMARY.md"));
    let mut pages = Vec::new();
    collect(&root().join("docs"), "md", &mut pages);
    assert!(pages.len() > 15, "{pages:?}");
    for page in pages.iter().filter(|page| !page.ends_with("SUMMARY.md")) {
        let name = shown(page);
        let name = name.strip_prefix("docs/").unwrap_or(&name);
        assert!(summary.contains(&format!("]({name})")), "docs/SUMMARY.md leaves out {name}");
    }
}

/// The version stands in `Cargo.toml`; what must repeat it says the same.
#[test]
fn there_is_one_version() {
    let manifest = read(&root().join("Cargo.toml"));
    let version =
        manifest.lines().find_map(|line| line.strip_prefix("version = ")).expect("a version").trim_matches('"');
    let own = manifest.lines().filter(|line| line.starts_with("multigrain") && line.contains("path = "));
    let repeated: Vec<&str> = own.filter(|line| !line.contains(&format!("version = \"{version}\""))).collect();
    assert!(repeated.is_empty(), "{repeated:?}");
    assert!(read(&root().join("CITATION.cff")).contains(&format!("\nversion: {version}\n")));
    assert!(read(&root().join("README.md")).contains(&format!("multigrain {version}")));
    assert!(read(&root().join("CHANGELOG.md")).contains("\n## Unreleased\n"));
    for folder in fs::read_dir(root().join("crates")).expect("readable folder") {
        let manifest = read(&folder.expect("readable folder").path().join("Cargo.toml"));
        assert!(manifest.contains("version.workspace = true"), "a crate has a version of its own:\n{manifest}");
    }
}

/// What is not in `docs` is not in the book that mdBook makes of it.
#[test]
fn links_of_the_book_stay_in_it() {
    let docs = root().join("docs");
    let mut pages = Vec::new();
    collect(&docs, "md", &mut pages);
    for page in pages {
        let text = read(&page);
        for target in text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target)) {
            let target = target.split('#').next().unwrap_or_default();
            let there = page.parent().expect("files are in folders").join(target);
            let is_elsewhere = target.is_empty() || target.contains("://");
            let is_inside = there.canonicalize().is_ok_and(|there| there.starts_with(&docs));
            assert!(is_elsewhere || is_inside, "{} links to {target}, which the book has not", shown(&page));
        }
    }
}

#[test]
fn links_lead_to_files_that_exist() {
    for path in documents() {
        let text = read(&path);
        // Behind every `](` up to the closing parenthesis is the target of a link.
        for target in text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target)) {
            let target = target.split('#').next().unwrap_or_default();
            let elsewhere = target.is_empty() || target.contains("://");
            let folder = path.parent().expect("files are in folders");
            assert!(elsewhere || folder.join(target).exists(), "{} links to {target}", shown(&path));
        }
    }
}

#[test]
fn paths_in_backticks_exist() {
    for path in documents() {
        for name in in_backticks(&read(&path)) {
            let is_path = ["crates/", "docs/"].iter().any(|folder| name.starts_with(folder));
            let is_pattern = name.contains(['*', '<', '{', ' ']);
            assert!(!is_path || is_pattern || root().join(&name).exists(), "{} names `{name}`", shown(&path));
        }
    }
}

#[test]
fn tests_in_backticks_exist() {
    let mut sources = Vec::new();
    collect(&root().join("crates"), "rs", &mut sources);
    let code: String = sources.iter().map(|path| read(path)).collect();
    let mut tests = 0;
    for path in documents() {
        for name in in_backticks(&read(&path)).into_iter().filter(|name| is_sentence(name)) {
            assert!(code.contains(&format!("fn {name}(")), "{} names the test `{name}`", shown(&path));
            tests += 1;
        }
    }
    assert!(tests > 20, "only {tests} tests are named");
}

#[test]
fn a_readme_between_sources_names_all_of_them() {
    let between_sources = |path: &PathBuf| path.ends_with("README.md") && shown(path).contains("/src/");
    let readmes: Vec<PathBuf> = documents().into_iter().filter(between_sources).collect();
    assert!(!readmes.is_empty());
    for path in readmes {
        let text = read(&path);
        for entry in fs::read_dir(path.parent().expect("files are in folders")).expect("readable folder") {
            let name = entry.expect("readable folder").file_name().to_string_lossy().into_owned();
            assert!(name == "README.md" || text.contains(&format!("[{name}](")), "{} leaves out {name}", shown(&path));
        }
    }
}

/// Whether a word is a sentence joined by underscores, as names of tests are.
fn is_sentence(word: &str) -> bool {
    word.matches('_').count() >= 3 && word.chars().all(|c| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit())
}

/// Every document of the project.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root()).expect("readable folder") {
        let path = entry.expect("readable folder").path();
        if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    collect(&root().join("docs"), "md", &mut found);
    collect(&root().join("crates"), "md", &mut found);
    assert!(found.len() > 5, "found {found:?}");
    found
}

/// What stands between single backticks, blocks of code left out.
fn in_backticks(text: &str) -> Vec<String> {
    let outside_blocks: String = text.split("```").step_by(2).collect();
    outside_blocks.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn collect(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("readable folder") {
        let path = entry.expect("readable folder").path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The path as seen from the root of the workspace.
fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace exists")
}
