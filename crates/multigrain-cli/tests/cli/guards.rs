//! What a run must not do to files of others, and what it must not compute without a word.

use super::Folder;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Discs that fall into a box, with snapshots of every kind.
const SPHERES: &str = r#"
dimension = 2
duration = 0.02
gravity = [0.0, -9.81]

[domain]
lo = [0.0, 0.0]
hi = [0.2, 0.2]
walls = true

[[material]]
name = "grain"
density = 10.0
stiffness = 2000.0
restitution = 0.5
friction = 0.4

[[particles]]
count = 20
radius = 0.004

[output]
snapshot_every = 0.004
picture = true
"#;

/// Polygons that fall into a box, with a film.
const POLYGONS: &str = r#"
dimension = 2
duration = 0.005
gravity = [0.0, -9.81]

[domain]
lo = [0.0, 0.0]
hi = [0.2, 0.2]
walls = true

[[material]]
name = "grain"
density = 1000.0
modulus = 2e5
friction = 0.5

[[polygons]]
count = 10
corners = [4, 9]
radius = 0.01

[output]
snapshot_every = 0.001
formats = ["vtp", "svg", "png"]
picture = true
film = true
"#;

/// Names and contents of all files of a folder.
fn contents(folder: &Folder, name: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder.path(name)).unwrap().map(|entry| entry.unwrap());
    let mut all: Vec<(String, Vec<u8>)> =
        entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect();
    all.sort();
    all
}

#[test]
fn a_folder_that_holds_a_run_is_left_as_it_is() {
    for scene in [SPHERES, POLYGONS] {
        let folder = Folder::with("a.toml", scene);
        folder.ok("simulate a.toml -o run");
        let before = contents(&folder, "run");
        for flag in ["-o", "--output"] {
            let lines = folder.fails(&format!("simulate a.toml {flag} run"));
            assert_eq!(lines[0], "error: the folder run holds a run already, with checkpoint.bin");
            assert!(lines[1].contains("--resume") && lines[1].contains("--overwrite"), "{lines:?}");
        }
        assert!(contents(&folder, "run") == before, "something was touched");
        folder.fails("simulate a.toml -o run --overwrite --resume");
        assert!(contents(&folder, "run") == before, "something was touched");
        folder.ok("simulate a.toml -o run --resume");
    }
}

#[test]
fn overwriting_removes_the_files_of_the_run_and_no_others() {
    for scene in [SPHERES, POLYGONS] {
        let folder = Folder::with("a.toml", scene);
        folder.write("b.toml", scene.replace("snapshot_every = 0.00", "snapshot_every = 0.0009"));
        folder.ok("simulate a.toml -o run");
        folder.write("run/notes.txt", "mine");
        folder.write("run/snapshot-5.vtp", "mine");
        folder.ok("simulate b.toml -o run --overwrite");
        folder.ok("simulate b.toml -o fresh");
        let names = |run: &str| contents(&folder, run).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        let mut expected = names("fresh");
        expected.extend(["notes.txt".to_owned(), "snapshot-5.vtp".to_owned()]);
        expected.sort();
        assert_eq!(names("run"), expected);
        assert_eq!(folder.read("run/notes.txt"), b"mine");
    }
}

#[test]
fn nothing_is_removed_where_the_new_run_cannot_begin() {
    let folder = Folder::with("a.toml", SPHERES);
    folder.ok("simulate a.toml -o run");
    let before = contents(&folder, "run");
    folder.write("a.toml", SPHERES.replace("count = 20", "count = 20000"));
    folder.fails("simulate a.toml -o run --overwrite");
    assert!(contents(&folder, "run") == before, "something was touched");
}

#[test]
fn two_runs_never_share_a_folder_and_a_killed_one_does_not_hold_it() {
    for scene in [SPHERES, POLYGONS] {
        let folder = Folder::with("a.toml", scene.replace("duration = 0.0", "duration = 1000.0"));
        let mut run = Command::new(env!("CARGO_BIN_EXE_multigrain"));
        run.current_dir(folder.path("")).args(["simulate", "a.toml", "-o", "run", "--threads", "1"]);
        let mut child = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while !folder.path("run/checkpoint.bin").exists() && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(2));
        }
        let lines = ["--resume", "--overwrite"].map(|flag| folder.fails(&format!("simulate a.toml -o run {flag}")));
        child.kill().unwrap();
        child.wait().unwrap();
        for lines in lines {
            assert_eq!(lines[0], "error: another run is writing to the folder run");
        }
        folder.write("a.toml", scene);
        folder.ok("simulate a.toml -o run --overwrite");
    }
}
