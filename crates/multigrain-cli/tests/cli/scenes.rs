//! Scenes to begin with, and help on them.

use super::Folder;

const KINDS: [&str; 5] = ["hopper", "drum", "settling", "slope", "polygons"];

#[test]
fn every_scene_to_begin_with_runs() {
    let folder = Folder::new();
    for kind in KINDS {
        let outcome = folder.run(&format!("new {kind}"));
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(outcome.stderr.ends_with(&format!("multigrain simulate {kind}.toml\n")), "{}", outcome.stderr);
        let text = String::from_utf8(folder.read(&format!("{kind}.toml"))).unwrap();
        assert!(text.starts_with("# ") && text.matches("  # ").count() >= 5, "{kind} is explained");
        // The first moments are enough to see that it runs.
        let short: Vec<&str> = text.lines().filter(|line| !line.starts_with("snapshot_every")).collect();
        let duration = short.iter().position(|line| line.starts_with("duration")).unwrap();
        let mut short = short;
        short[duration] = "duration = 0.002";
        folder.write("short.toml", short.join("\n"));
        folder.ok("simulate short.toml --overwrite -o short");
        assert!(folder.path("short/page.html").exists(), "{kind}");
    }
}

#[test]
fn scenes_that_are_there_are_not_replaced() {
    let folder = Folder::with("drum.toml", "mine");
    assert_eq!(folder.fails("new drum")[0], "error: drum.toml is there already");
    assert_eq!(folder.read("drum.toml"), b"mine");
    folder.ok("new drum --overwrite");
    assert!(folder.read("drum.toml").starts_with(b"# Discs"));
    assert!(folder.ok("new drum -o -").starts_with("# Discs"));
}

#[test]
fn the_binary_explains_scenes_and_misspelt_commands() {
    let folder = Folder::new();
    let help = folder.ok("help scene");
    for key in ["`[[material]]`", "`restitution`", "`snapshot_every`"] {
        assert!(help.contains(key), "{key}");
    }
    assert!(!help.contains("]("), "links are their texts");
    let lines = folder.fails("help simulat");
    assert_eq!(
        lines,
        ["error: there is no command and no topic `simulat`", "hint: did you mean `multigrain help simulate`?"]
    );
    assert!(folder.ok("help simulate").contains("--resume"));
}

#[test]
fn mistakes_in_scenes_are_reported_in_words_of_physics() {
    let folder = Folder::new();
    let scene = "\
dimension = 2
duration = 0.01
[domain]
lo = [0.0, 0.0]
hi = [1.0, 1.0]
[[material]]
name = \"glass\"
density = 1.0
stiffness = 100.0
[[particles]]
count = 3
radius = 0.1
";
    for (from, to, error, hint) in [
        (
            "[[material]]",
            "[material]",
            "this table is one of a list",
            "write its name in double brackets, as in [[material]]",
        ),
        ("count = 3", "count = 3.5", "`3.5` must be a whole number", ""),
        ("density = 1.0", "density = \"heavy\"", "the text \"heavy\" must be a number", ""),
        ("lo = [0.0, 0.0]", "lo = 0.0", "`0.0` must be a list of numbers", "write it in brackets"),
        ("duration = 0.01\n", "", "the key `duration` is missing", "add it"),
    ] {
        folder.write("scene.toml", scene.replacen(from, to, 1));
        let lines = folder.fails("simulate scene.toml");
        assert!(lines[0].starts_with("error: scene.toml:") && lines[0].contains(error), "{to}: {lines:?}");
        assert!(hint.is_empty() || lines[1].contains(hint), "{to}: {lines:?}");
        for word in ["u32", "f64", "sequence", "struct"] {
            assert!(!lines.join(" ").contains(word), "{to}: {lines:?}");
        }
    }
}
