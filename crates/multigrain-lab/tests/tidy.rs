//! Rules of the house that no compiler checks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Think at 500 lines; nobody needs 600.
const MAX_LINES: usize = 600;

/// What each crate of the workspace may use of the others: the arrows of the design.
const ARROWS: [(&str, &[&str]); 20] = [
    ("multigrain-sizes", &[]),
    ("multigrain", &["multigrain-sizes"]),
    ("multigrain-neighbors", &["multigrain"]),
    ("multigrain-living-grid", &["multigrain"]),
    ("multigrain-papers", &["multigrain", "multigrain-packings"]),
    ("multigrain-methods", &["multigrain", "multigrain-papers", "multigrain-packings"]),
    ("multigrain-packings", &["multigrain", "multigrain-living-grid"]),
    ("multigrain-c", &["multigrain", "multigrain-methods"]),
    ("multigrain-polygons", &["multigrain-sizes"]),
    ("multigrain-meshes", &["multigrain"]),
    ("multigrain-files", &["multigrain", "multigrain-meshes"]),
    (
        "multigrain-dem",
        &[
            "multigrain",
            "multigrain-living-grid",
            "multigrain-meshes",
            "multigrain-methods",
            "multigrain-papers",
            "multigrain-polygons",
            "multigrain-packings",
        ],
    ),
    ("multigrain-analysis", &["multigrain", "multigrain-packings"]),
    // Packings, polygons and meshes for its tests.
    (
        "multigrain-distributed",
        &[
            "multigrain",
            "multigrain-methods",
            "multigrain-packings",
            "multigrain-polygons",
            "multigrain-meshes",
            "multigrain-dem",
        ],
    ),
    ("multigrain-experiments", LIBRARIES),
    ("multigrain-cli", LIBRARIES),
    ("multigrain-python", LIBRARIES),
    ("multigrain-lab", LIBRARIES),
    (
        "multigrain-fuzz",
        &[
            "multigrain",
            "multigrain-living-grid",
            "multigrain-papers",
            "multigrain-methods",
            "multigrain-polygons",
            "multigrain-meshes",
            "multigrain-dem",
            "multigrain-files",
            "multigrain-cli",
            "multigrain-c",
            "multigrain-lab",
        ],
    ),
    (
        "multigrain-peers",
        &["multigrain", "multigrain-lab", "multigrain-methods", "multigrain-papers", "multigrain-polygons"],
    ),
];

/// What the crates at the top may use: everything but each other.
const LIBRARIES: &[&str] = &[
    "multigrain-sizes",
    "multigrain",
    "multigrain-neighbors",
    "multigrain-living-grid",
    "multigrain-papers",
    "multigrain-methods",
    "multigrain-packings",
    "multigrain-polygons",
    "multigrain-meshes",
    "multigrain-files",
    "multigrain-analysis",
    "multigrain-dem",
    "multigrain-distributed",
    "multigrain-experiments",
    "multigrain-cli",
];

#[test]
fn dependencies_between_crates_are_those_of_the_design() {
    for manifest in manifests() {
        let name = manifest.name();
        let Some((_, allowed)) = ARROWS.iter().find(|(known, _)| *known == name) else {
            panic!("{name} has no place in the design: give it one here and in ARCHITECTURE.md");
        };
        let ours = manifest.dependencies(&["dependencies", "dev-dependencies", "build-dependencies"]);
        for used in ours.iter().filter(|used| ARROWS.iter().any(|(known, _)| known == used)) {
            assert!(allowed.contains(&used.as_str()), "{name} must not depend on {used}");
        }
    }
}

#[test]
/// Serde where it is asked for.
fn the_engine_depends_on_rayon_and_thiserror_alone_and_the_papers_methods_on_the_engine_too() {
    let manifests = manifests();
    for (name, allowed) in [
        ("multigrain", &["multigrain-sizes", "rayon", "serde", "thiserror"][..]),
        ("multigrain-papers", &["multigrain", "rayon"]),
    ] {
        let manifest = manifests.iter().find(|manifest| manifest.name() == name).expect("it has a manifest");
        let used = manifest.dependencies(&["dependencies", "build-dependencies"]);
        assert_eq!(used, allowed.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>(), "{name}");
    }
}

#[test]
fn other_libraries_are_dev_dependencies_of_one_crate_alone() {
    let sections = ["dependencies", "build-dependencies", "dev-dependencies"];
    for manifest in manifests().iter().filter(|manifest| manifest.name() != "multigrain-peers") {
        let used = manifest.dependencies(&sections);
        for peer in ["parry2d-f64", "parry3d", "parry3d-f64", "rstar", "kiddo"] {
            assert!(!used.contains(peer), "{} uses {peer}", manifest.name());
        }
    }
}

#[test]
fn tests_run_and_code_is_finished() {
    for source in sources("crates") {
        for (number, line) in source.code() {
            for forbidden in ["#[ignore", "todo!(", "unimplemented!("] {
                assert!(!line.contains(forbidden), "{}:{number} contains {forbidden}", source.shown());
            }
        }
    }
}

#[test]
fn every_unsafe_says_why_it_is_sound() {
    for source in sources("crates") {
        for (number, line) in source.code() {
            let asserts = ["unsafe {", "unsafe impl", "unsafe extern"].iter().any(|word| line.contains(word));
            // Functions of an unsafe trait take its contract; others must state theirs.
            let demands = ["unsafe fn", "unsafe trait"].iter().any(|word| line.contains(word));
            if asserts || (demands && !source.is_in_unsafe_impl(number)) {
                assert!(source.has_safety_comment_above(number), "{}:{number} lacks a SAFETY comment", source.shown());
            }
        }
    }
}

/// The files that may have unsafe code, and how many lines of them begin some.
const UNSAFE: &[(&str, usize)] = &[
    ("crates/multigrain-c/src/detector.rs", 27),
    ("crates/multigrain-c/src/system.rs", 4),
    ("crates/multigrain-cli/src/memory.rs", 1),
    ("crates/multigrain-cli/src/runtime.rs", 11),
    ("crates/multigrain-dem/src/kernel.rs", 18),
    ("crates/multigrain-dem/src/kernel/at_places.rs", 8),
    ("crates/multigrain-fuzz/src/targets/c_interface.rs", 4),
    ("crates/multigrain-lab/src/counting_allocator.rs", 11),
    ("crates/multigrain/src/bounds.rs", 3),
    ("crates/multigrain/src/detectors/hgrid/index.rs", 1),
    ("crates/multigrain/src/detectors/hgrid/kernel/avx2.rs", 17),
    ("crates/multigrain/src/detectors/hgrid/kernel/avx512.rs", 13),
    ("crates/multigrain/src/detectors/hgrid/kernel/portable.rs", 1),
    ("crates/multigrain/src/grid/prefetch.rs", 1),
    ("crates/multigrain/src/grid/stream.rs", 1),
];

#[test]
fn unsafe_code_is_where_it_may_be_and_no_more_of_it() {
    for source in sources("crates") {
        let begins = |line: &str| {
            ["{", "impl", "fn", "extern", "trait"].iter().any(|next| line.contains(&format!("unsafe {next}")))
        };
        let found = source.code().filter(|(_, line)| begins(line)).count();
        let allowed = UNSAFE.iter().find(|(file, _)| *file == source.shown()).map_or(0, |&(_, count)| count);
        assert_eq!(found, allowed, "lines with unsafe code in {}: it is counted in this file", source.shown());
    }
}

/// Crates whose build script asks git for the revision, and does nothing else.
const BUILD_SCRIPTS: [&str; 1] = ["multigrain-experiments"];

#[test]
fn build_scripts_ask_git_for_the_revision_and_nothing_else() {
    for manifest in manifests() {
        let name = manifest.name();
        let folder = root().join("crates").join(&name);
        let text = fs::read_to_string(folder.join("Cargo.toml")).expect("every crate has a manifest");
        assert!(!text.lines().any(|line| line.starts_with("build =")), "{name} names a build script of its own");
        let script = fs::read_to_string(folder.join("build.rs"));
        assert_eq!(script.is_ok(), BUILD_SCRIPTS.contains(&name.as_str()), "build script of {name}");
        let Ok(script) = script else { continue };
        assert_eq!(script.matches("Command::new(").count(), script.matches("Command::new(\"git\")").count());
        for forbidden in ["std::net", "std::fs", "std::env", "env!(", "include", "unsafe", "extern crate"] {
            assert!(!script.contains(forbidden), "the build script of {name} contains {forbidden}");
        }
        let asked: Vec<&str> = script.split("git(&[\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(asked.iter().all(|word| ["describe", "rev-parse"].contains(word)), "{name} asks git to {asked:?}");
        assert_eq!(manifest.dependencies(&["build-dependencies"]), BTreeSet::new(), "{name}");
    }
}

#[test]
fn the_list_of_dependencies_is_that_of_the_manifests() {
    let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
    let named = manifests().iter().flat_map(|manifest| manifest.dependencies(&sections)).collect::<BTreeSet<_>>();
    let named: BTreeSet<String> = named.into_iter().filter(|name| !name.starts_with("multigrain")).collect();
    let page = fs::read_to_string(root().join("docs/dependencies.md")).expect("the page exists");
    let listed = page.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned()));
    assert_eq!(listed.collect::<BTreeSet<_>>(), named);
}

#[test]
fn engine_and_simulator_know_no_clock_file_environment_or_terminal() {
    let libraries = [
        "multigrain-sizes",
        "multigrain",
        "multigrain-neighbors",
        "multigrain-living-grid",
        "multigrain-papers",
        "multigrain-methods",
        "multigrain-packings",
        "multigrain-polygons",
        "multigrain-meshes",
        "multigrain-dem",
    ];
    for source in libraries.iter().flat_map(|name| sources(&format!("crates/{name}/src"))) {
        for (number, line) in source.code() {
            let words =
                ["std::time", "std::env", "std::fs", "std::net", "std::process", "print!(", "println!(", "dbg!("];
            for forbidden in words {
                assert!(!line.contains(forbidden), "{}:{number} contains {forbidden}", source.shown());
            }
        }
    }
}

/// Rooms of the engine, and what they must not look into: the contract has no search, grids know no detector.
const ROOMS: [(&str, &[&str]); 4] = [
    ("crates/multigrain/src/grid", &["crate::detectors", "crate::tuning", "super::detectors"]),
    ("crates/multigrain/src/domain", &["crate::detectors", "crate::tuning", "crate::grid"]),
    ("crates/multigrain/src/tuning", &["crate::detectors", "super::detectors"]),
    ("crates/multigrain/src", &["crate::detectors", "crate::tuning"]),
];

#[test]
fn rooms_of_the_engine_look_into_no_room_above_them() {
    let mut looked_at = 0;
    for (room, forbidden) in ROOMS {
        let is_folder = room != "crates/multigrain/src";
        // `lib.rs` shows what all rooms have.
        let own = |source: &Source| is_folder || source.path.parent() == Some(&root().join(room));
        for source in sources(room).into_iter().filter(own).filter(|source| !source.shown().ends_with("src/lib.rs")) {
            for (number, line) in source.code().take_while(|(_, line)| !line.starts_with("#[cfg(test)]")) {
                looked_at += 1;
                for word in forbidden {
                    assert!(!line.contains(word), "{}:{number}: {room} must not use {word}", source.shown());
                }
            }
        }
    }
    assert!(looked_at > 4000, "{looked_at} lines");
}

/// Types of one name in one crate that may be: a meaning each that nobody confuses. As few as can be.
const SAME_NAMES: &[(&str, &[&str])] = &[
    // In modules of contacts, states and flows that never see each other's.
    ("multigrain-dem", &["Block", "Columns", "Made", "Room"]),
];

#[test]
fn no_crate_has_two_types_of_one_name() {
    for entry in fs::read_dir(root().join("crates")).expect("the workspace has crates") {
        let name = entry.expect("readable folder").file_name().to_string_lossy().into_owned();
        let allowed = SAME_NAMES.iter().find(|(known, _)| *known == name).map_or(&[][..], |&(_, allowed)| allowed);
        let mut places = BTreeMap::<String, Vec<String>>::new();
        for source in sources(&format!("crates/{name}/src")) {
            for (number, line) in source.code() {
                if let Some(kind) = defined_type(&line) {
                    places.entry(kind).or_default().push(format!("{}:{number}", source.shown()));
                }
            }
        }
        places.retain(|_, places| places.len() > 1);
        places.retain(|kind, _| !allowed.contains(&kind.as_str()));
        assert!(places.is_empty(), "types that {name} has twice: {places:#?}");
    }
}

/// The name of the type that a line defines.
fn defined_type(line: &str) -> Option<String> {
    let line = line.trim_start();
    let line = match line.strip_prefix("pub(") {
        Some(rest) => rest.split_once(") ")?.1,
        None => line.strip_prefix("pub ").unwrap_or(line),
    };
    let line = line.strip_prefix("unsafe ").unwrap_or(line);
    let rest = ["struct ", "enum ", "trait ", "union "].iter().find_map(|word| line.strip_prefix(word))?;
    let name: String = rest.chars().take_while(|letter| letter.is_alphanumeric()).collect();
    (!name.is_empty()).then_some(name)
}

#[test]
fn definitions_of_types_are_recognised() {
    for line in
        ["    pub(super) struct Body<const D: usize> {", "struct Body;", "pub unsafe trait Body {", "pub enum Body {"]
    {
        assert_eq!(defined_type(line).as_deref(), Some("Body"), "{line}");
    }
    for line in ["structure Body", "let body = Body {", "    struct $name {", "impl Body {"] {
        assert_eq!(defined_type(line), None, "{line}");
    }
}

/// Sums of floats across ranks would depend on how many ranks there are.
#[test]
fn nothing_but_words_is_summed_across_ranks() {
    let mut sums = Vec::new();
    for source in sources("crates") {
        let mut function = String::new();
        for (_, line) in source.code() {
            if line.contains("fn ") {
                function = line.trim().to_owned();
            }
            if line.contains("SystemOperation::sum") {
                sums.push((source.path.file_name().map(|name| name.to_owned()), function.clone()));
            }
        }
    }
    let known = (Some("mpi_rank.rs".into()), "fn all_sum(&mut self, words: &mut [u64]) {".to_owned());
    assert_eq!(sums, [known]);
}

#[test]
fn files_of_tests_are_part_of_a_program() {
    let folder = root().join("crates/multigrain-dem/tests");
    let program = fs::read_to_string(folder.join("dem.rs")).expect("the program of all tests");
    for entry in fs::read_dir(&folder).expect("a folder of tests") {
        let path = entry.expect("readable folder").path();
        let name = path.file_stem().expect("files have names").to_string_lossy().into_owned();
        let is_listed = name == "dem" || program.lines().any(|line| line == format!("mod {name};"));
        assert!(is_listed, "{} is in no program: add `mod {name};` to dem.rs", path.display());
    }
}

#[test]
fn files_stay_short() {
    for source in sources("crates") {
        let lines = source.text.lines().count();
        assert!(lines < MAX_LINES, "{} has {lines} lines: two ideas, two files", source.shown());
    }
}

#[test]
fn comments_and_literals_are_distinguished_from_code() {
    let source = Source { path: PathBuf::new(), text: "a // unsafe {\n\"todo!(\" b // c\n'\"' d\n".to_owned() };
    let code: Vec<_> = source.code().map(|(_, line)| line.trim().to_owned()).collect();
    assert_eq!(code, ["a", "\"\" b", "' ' d"]);
}

#[test]
fn safety_comments_stand_just_above() {
    let text = "// SAFETY: so\n#[allow(x)]\nunsafe impl A for B {\n    unsafe fn a() {}\n}\n\nunsafe fn b() {}\n";
    let source = Source { path: PathBuf::new(), text: text.to_owned() };
    assert!(source.has_safety_comment_above(3) && source.is_in_unsafe_impl(4));
    assert!(!source.has_safety_comment_above(7) && !source.is_in_unsafe_impl(7));
}

/// A manifest of the workspace.
struct Manifest(toml::Table);

impl Manifest {
    fn name(&self) -> String {
        self.0["package"]["name"].as_str().expect("packages have names").to_owned()
    }

    /// Names of all dependencies in these sections, those for special targets included; a renamed one by its true name.
    fn dependencies(&self, sections: &[&str]) -> BTreeSet<String> {
        let targets = self.0.get("target").and_then(toml::Value::as_table);
        let for_targets = targets.into_iter().flat_map(|targets| targets.values().filter_map(toml::Value::as_table));
        let tables = std::iter::once(&self.0).chain(for_targets);
        let mut names = BTreeSet::new();
        for table in tables {
            for section in sections.iter().filter_map(|section| table.get(*section)?.as_table()) {
                for (name, value) in section {
                    let package = value.get("package").and_then(toml::Value::as_str);
                    names.insert(package.unwrap_or(name).to_owned());
                }
            }
        }
        names
    }
}

fn manifests() -> Vec<Manifest> {
    let crates = fs::read_dir(root().join("crates")).expect("the workspace has crates");
    let paths = crates.map(|entry| entry.expect("readable folder").path().join("Cargo.toml"));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Manifest(text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    };
    let manifests: Vec<_> = paths.filter(|path| path.exists()).map(read).collect();
    assert!(manifests.len() >= 2, "found {} manifests", manifests.len());
    manifests
}

/// A Rust file.
struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    /// The path as seen from the root of the workspace.
    fn shown(&self) -> String {
        self.path.strip_prefix(root()).unwrap_or(&self.path).display().to_string()
    }

    /// Numbered lines without comments and without what stands inside string literals.
    fn code(&self) -> impl Iterator<Item = (usize, String)> + '_ {
        self.text.lines().enumerate().map(|(k, line)| (k + 1, without_comments_and_literals(line)))
    }

    /// Whether the line belongs to an `unsafe impl`: the last line above without indentation begins one.
    fn is_in_unsafe_impl(&self, number: usize) -> bool {
        let lines: Vec<&str> = self.text.lines().take(number - 1).collect();
        let begins = |line: &&&str| line.starts_with(|first: char| !first.is_whitespace());
        lines.iter().rev().find(begins).is_some_and(|line| line.starts_with("unsafe impl"))
    }

    /// Whether the lines just above `number`, attributes aside, are a comment that says why, or what callers owe.
    fn has_safety_comment_above(&self, number: usize) -> bool {
        let lines: Vec<&str> = self.text.lines().map(str::trim).collect();
        let above = lines[..number - 1].iter().rev().skip_while(|line| line.starts_with("#["));
        above
            .take_while(|line| line.starts_with("//"))
            .any(|line| line.contains("SAFETY:") || line.contains("# Safety"))
    }
}

/// One line's code. Good enough for our own sources, which have no block comments.
fn without_comments_and_literals(line: &str) -> String {
    let mut code = String::new();
    let mut rest = line.replace("'\"'", "' '").replace("\\\\", "").replace("\\\"", "");
    if let Some(start) = rest.find("//").filter(|&start| rest[..start].matches('"').count().is_multiple_of(2)) {
        rest.truncate(start);
    }
    for (k, piece) in rest.split('"').enumerate() {
        if k > 0 {
            code.push('"');
        }
        if k % 2 == 0 {
            code.push_str(piece);
        }
    }
    code
}

fn sources(folder: &str) -> Vec<Source> {
    let mut found = Vec::new();
    collect(&root().join(folder), &mut found);
    assert!(!found.is_empty(), "no sources in {folder}");
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("readable folder") {
        let path = entry.expect("readable folder").path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            found.push(Source { path, text });
        }
    }
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace exists")
}
