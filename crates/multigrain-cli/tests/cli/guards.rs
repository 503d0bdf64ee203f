//! What a run must not do to files of others, and what it must not compute without a word.

use super::Folder;
use std::fs;
use std::io::{BufRead, BufReader};
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

#[test]
fn a_damaged_checkpoint_is_replaced_by_the_one_before() {
    for scene in [SPHERES, POLYGONS] {
        let folder = Folder::with("a.toml", scene);
        let whole = folder.ok("simulate a.toml -o whole --json");
        folder.ok("simulate a.toml -o run");
        let mut bytes = folder.read("run/checkpoint.bin");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        folder.write("run/checkpoint.bin", bytes);
        let outcome = folder.run("simulate a.toml -o run --resume --json");
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(outcome.stderr.starts_with("note: cannot resume from run/checkpoint.bin: "), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("; continuing from run/checkpoint.previous.bin\n"), "{}", outcome.stderr);
        let fingerprint = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap()["fingerprint"].clone();
        assert_eq!(fingerprint(&outcome.text()), fingerprint(&whole));
        assert_eq!(folder.read("run/checkpoint.bin"), folder.read("whole/checkpoint.bin"));
    }
}

#[test]
fn outputs_never_replace_what_is_read() {
    let folder = Folder::with("grains.svg", "x,y,r\n0,0,1\n1.5,0,1\n");
    folder.write("table.csv", "radius,weight\n1,1\n2,1\n");
    let before = [folder.read("grains.svg"), folder.read("table.csv")];
    let lines = folder.fails("tune grains.svg --packing-fraction 0.5 --plot grains.svg");
    assert_eq!(lines[0], "error: the plot would replace grains.svg, which is read");
    let lines = folder.fails(
        "pack --law table --table table.csv --count 10 --placement random --packing-fraction 0.1 -o ./table.csv",
    );
    assert_eq!(lines[0], "error: the particles would replace table.csv, which is read");
    assert!([folder.read("grains.svg"), folder.read("table.csv")] == before);
}

#[test]
fn tables_frames_and_new_runs_never_replace_what_is_read() {
    let folder = Folder::with("a.toml", SPHERES);
    folder.ok("simulate a.toml -o run");
    std::fs::create_dir(folder.path("out")).unwrap();
    folder.write("out/profile.csv", "x,y,r\n0,0,1\n1.5,0,1\n");
    let lines = folder.fails("analyze out/profile.csv -o out");
    assert_eq!(lines[0], "error: profile.csv of the tables would replace out/profile.csv, which is read");
    let lines = folder.fails("convert run -o ./run/snapshot-000000000.dump");
    assert!(lines[0].ends_with("snapshot-000000000.dump, a file of the run that is read"), "{lines:?}");
    let start = SPHERES.find("count = 20").unwrap();
    let again = format!("{}file = \"run/snapshot-000000000.dump\"\n\n[output]\n", &SPHERES[..start]);
    folder.write("again.toml", again);
    let before = contents(&folder, "run");
    let lines = folder.fails("simulate again.toml -o run --overwrite");
    assert_eq!(lines[0], "error: --overwrite would remove run/snapshot-000000000.dump, which the scene reads");
    assert!(contents(&folder, "run") == before, "something was touched");
    folder.ok("simulate again.toml -o other");
}

/// Shells close it by `>&-`; Rust's own runtime would let all that is written go nowhere.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_closed_standard_output_is_an_error_where_something_goes_to_it() {
    let folder = Folder::with("grains.csv", super::GRAINS);
    let closed = |args: &str| {
        let mut command = assert_cmd::Command::new("sh");
        let line = format!("exec {} {args} --threads 1 >&-", env!("CARGO_BIN_EXE_multigrain"));
        command.current_dir(folder.path("")).args(["-c", &line]);
        super::Outcome::of(command)
    };
    for args in ["detect grains.csv", "detect grains.csv --json -o list.csv", "detect grains.csv -o -"] {
        let lines = closed(args).failure(args);
        assert_eq!(lines[0], "error: cannot write to standard output: it is closed", "{args}");
    }
    let outcome = closed("detect grains.csv -o list.csv");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let mut command = folder.command("detect grains.csv");
    assert!(command.output().unwrap().stdout.starts_with(b"i,j,overlap"));
}

#[test]
fn billions_of_contacts_with_images_of_a_tiny_box_are_refused() {
    let tiny = "1\nLattice=\"1e-3 0 0 0 1e-3 0 0 0 1e-3\" pbc=\"T T T\" Properties=pos:R:3:radius:R:1\n0 0 0 1\n";
    let folder = Folder::with("tiny.xyz", tiny);
    for args in [
        "detect tiny.xyz",
        "detect tiny.xyz --margin 5",
        "analyze tiny.xyz",
        "detect tiny.xyz --periodic x,y --margin 300",
    ] {
        let lines = folder.fails(args);
        assert!(lines[0].starts_with("error: not enough memory for "), "{args}: {lines:?}");
        assert!(lines[0].contains(" contacts with images: they need "), "{args}: {lines:?}");
        assert!(lines[1].contains("the periodic box is far smaller than the particles"), "{args}: {lines:?}");
    }
    // A box in metres around grains in tenths of millimetres, whose neighbours are all others, many times over.
    let mut grains = "x,y,z,r\n".to_owned();
    (0..8000).for_each(|k| grains += &format!("{},{},{},5\n", k % 20 * 10, k / 20 % 20 * 10, k / 400 * 10));
    folder.write("grains.csv", grains);
    let lines = folder.fails("detect grains.csv --box 0,0.2,0,0.2,0,0.2 --periodic x,y,z");
    assert!(lines[0].starts_with("error: not enough memory for "), "{lines:?}");
    assert!(lines[1].contains("the periodic box is far smaller than the particles"), "{lines:?}");
    folder.write("small.xyz", tiny.replace("1e-3", "0.5"));
    assert!(folder.ok("detect small.xyz").lines().count() > 100);
}

#[test]
fn scenes_whose_box_and_grains_are_not_of_one_unit_are_refused() {
    let scene = SPHERES.replace("[domain]", "[domain]\nperiodic = [\"x\"]");
    let scene = scene.replace("radius = 0.004", "radius = 0.004\nlo = [0.0, 0.0]\nhi = [0.2, 0.19]");
    let folder = Folder::with("a.toml", &scene);
    folder.ok("simulate a.toml -o run");
    let hi = scene.lines().find(|line| line.starts_with("hi = ")).unwrap();
    let (_, rest) = hi.split_once(',').unwrap();
    folder.write("b.toml", scene.replace(hi, &format!("hi = [1e-9,{rest}")));
    let lines = folder.fails("simulate b.toml -o tiny");
    assert!(lines[0].contains("the periodic box is far smaller than the grains"), "{lines:?}");
    assert!(lines[0].contains("b.toml:"), "{lines:?}");
}

#[cfg(unix)]
#[test]
fn devices_without_end_are_refused() {
    let folder = Folder::with("a.toml", SPHERES);
    for args in ["detect /dev/zero", "analyze /dev/zero", "simulate /dev/zero -o run"] {
        let lines = folder.fails(args);
        assert!(
            lines[0].contains("/dev/zero") && lines[0].contains("a device that gives more than"),
            "{args}: {lines:?}"
        );
    }
}

#[test]
fn runs_go_on_with_the_grains_that_they_have() {
    let folder = Folder::with("a.toml", SPHERES);
    folder.ok("simulate a.toml -o run");
    let count = SPHERES.lines().find(|line| line.starts_with("count = ")).unwrap();
    folder.write("a.toml", SPHERES.replace(count, "count = 3"));
    for args in ["simulate a.toml -o run --resume", "simulate a.toml -o run --resume --duration 99"] {
        let lines = folder.fails(args);
        assert!(lines[0].contains("the run began with") && lines[0].ends_with("the scene asks for 3"), "{lines:?}");
    }
}

/// A pipe in the place of a picture: the program waits for someone to read it, as if drawing took for ever.
#[cfg(unix)]
#[test]
fn signals_are_heard_while_pictures_are_drawn() {
    let folder = Folder::with("a.toml", SPHERES);
    folder.ok("simulate a.toml -o run");
    fs::remove_file(folder.path("run/picture.png")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path("run/picture.png")).status().unwrap().success());
    let mut run = Command::new(env!("CARGO_BIN_EXE_multigrain"));
    run.current_dir(folder.path("")).args(["simulate", "a.toml", "-o", "run", "--resume", "--threads", "1"]);
    let mut child = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    let waits = |seconds: u64| start.elapsed() < Duration::from_secs(seconds);
    // The state is saved at the beginning and behind the last step, each time in a new file; then comes the picture.
    let saved = || std::os::unix::fs::MetadataExt::ino(&fs::metadata(folder.path("run/checkpoint.bin")).unwrap());
    for _ in 0..2 {
        let before = saved();
        while saved() == before && waits(8) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    std::thread::sleep(Duration::from_millis(500));
    // One signal: a second one has always ended the program.
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    while child.try_wait().unwrap().is_none() && waits(30) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let code = child.try_wait().unwrap();
    let is_ended = code.is_some();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_ended, "it went on waiting");
    fs::remove_file(folder.path("run/picture.png")).unwrap();
    folder.ok("simulate a.toml -o run --resume");
    assert!(folder.path("run/picture.png").exists());
}

#[test]
fn long_messages_are_cut() {
    let folder = Folder::with("a.vtp", "x");
    let name = "n".repeat(20_000);
    let lines = folder.fails(&format!("detect a.vtp --method {name}"));
    assert!(lines.iter().all(|line| line.chars().count() < 1_100), "{} characters", lines[0].len());
    assert!(lines[0].contains(" ... ") && lines[0].starts_with("error: invalid value 'nnn"), "{}", lines[0]);
}

#[test]
fn a_time_step_too_long_for_contacts_is_a_warning_and_then_an_error() {
    for scene in [SPHERES, POLYGONS] {
        let folder = Folder::with("a.toml", scene);
        let json: serde_json::Value = serde_json::from_str(&folder.ok("simulate a.toml --json")).unwrap();
        let chosen = json["time_step"].as_f64().unwrap();
        let run = |factor: f64, more: &str| {
            folder.write("b.toml", format!("{scene}\n[time]\nstep = {:e}\n{more}", factor * chosen));
            folder.run("simulate b.toml --overwrite --duration 0.001")
        };
        let short = run(4.0, "");
        assert!(short.code == 0 && !short.stderr.contains("shortest contact"), "{}", short.stderr);
        let long = run(10.0, "");
        assert_eq!(long.code, 0, "{}", long.stderr);
        assert!(long.stderr.starts_with("warning: the time step of "), "{}", long.stderr);
        let lines = run(30.0, "").failure("30");
        assert!(
            lines[0].ends_with("of the shortest contact, more than a half: energy would come from nothing"),
            "{lines:?}"
        );
        assert!(lines[1].contains("`allow_long_step`"), "{lines:?}");
        let allowed = run(30.0, "allow_long_step = true\n");
        assert!(allowed.stderr.starts_with("warning: the time step of "), "{}", allowed.stderr);
    }
}

/// A scene of two grains in a file.
fn two_grains(folder: &Folder, distance: f64, more: &str) -> String {
    folder.write("two.csv", format!("x,y,r\n0.05,0.05,0.01\n{},0.05,0.02\n", 0.05 + distance));
    let (start, end) = (SPHERES.find("count = 20").unwrap(), SPHERES.find("[output]").unwrap());
    let scene = format!("{more}\n{}file = \"two.csv\"\n\n{}", &SPHERES[..start], &SPHERES[end..]);
    folder.write("a.toml", scene);
    "simulate a.toml --overwrite --duration 0.001".to_owned()
}

#[test]
fn overlaps_at_the_start_are_reported_and_deep_ones_refused() {
    let folder = Folder::new();
    let apart = folder.run(&two_grains(&folder, 0.03125, ""));
    assert!(apart.code == 0 && !apart.stderr.contains("overlap at the start"), "{}", apart.stderr);
    let shallow = folder.run(&two_grains(&folder, 0.0295, ""));
    assert_eq!(shallow.code, 0, "{}", shallow.stderr);
    let note = "contacts that overlap at the start: 1, by up to 5.00 % of the smaller radius (particles 0 and 1)";
    assert!(shallow.stderr.starts_with(&format!("note: {note}\n")), "{}", shallow.stderr);
    let lines = folder.fails(&two_grains(&folder, 0.02, ""));
    assert_eq!(lines[0], format!("error: {}", note.replace("5.00", "100.0")));
    assert!(lines[1].contains("`allow_overlap`"), "{lines:?}");
    let allowed = folder.run(&two_grains(&folder, 0.02, "allow_overlap = true"));
    assert_eq!(allowed.code, 0, "{}", allowed.stderr);
    assert!(allowed.stderr.starts_with(&format!("note: {}\n", note.replace("5.00", "100.0"))), "{}", allowed.stderr);
}

#[test]
fn blocks_and_plates_in_the_place_of_grains_are_refused() {
    let block = "[[particles]]\ncount = 20\nradius = 0.004\n";
    let grown = "[[particles]]\ncount = 300\nradius = 0.004\nplacement = \"growth\"\n";
    let plate = "[[wall]]\nshape = \"plate\"\ncorners = [[0.0, 0.1], [0.2, 0.1]]\n";
    let thick = format!("{}count = 120\nradius = 0.004\n", &block[..14]);
    for (what, blocks, between) in [
        ("two blocks in one box", format!("{thick}\n{}", thick.replace("0.004", "0.005")), "(particles "),
        ("a plate across grown grains", format!("{grown}\n{plate}"), " and a wall)"),
    ] {
        let folder = Folder::with("a.toml", SPHERES.replace(block, &blocks));
        let lines = folder.fails("simulate a.toml");
        assert!(lines[0].starts_with("error: contacts that overlap at the start: "), "{what}: {lines:?}");
        assert!(lines[0].contains(between), "{what}: {lines:?}");
        assert_eq!(folder.names(), ["a.toml"], "{what}: nothing was begun");
    }
}

#[test]
fn energy_from_nothing_is_reported_at_the_end() {
    let folder = Folder::with("a.toml", SPHERES.replace("duration = 0.02", "duration = 0.3"));
    let good = folder.run("simulate a.toml");
    assert!(good.code == 0 && !good.stderr.contains("of the energy"), "{}", good.stderr);
    assert!(good.stderr.contains(" steps of ") && good.stderr.contains("overlaps of up to "), "{}", good.stderr);
    let json: serde_json::Value = serde_json::from_str(&folder.ok("simulate a.toml --overwrite --json")).unwrap();
    assert!(json["energy_drift"].as_f64().unwrap().abs() < 0.01, "{json}");
    assert!(json["largest_overlap"].as_f64().unwrap() > 0.0, "{json}");
    assert!(json["estimated_seconds"].as_f64().unwrap() > 0.0, "{json}");
    let row = table(&folder, "a");
    for (column, key) in [("time_step", "time_step"), ("energy_drift", "energy_drift"), ("step", "steps")] {
        assert_eq!(row.last().unwrap()[column], json[key].as_f64().unwrap(), "{column}");
    }
    assert_eq!(row[0]["energy_drift"], 0.0);
    let step = 18.0 * json["time_step"].as_f64().unwrap();
    let time = format!("[time]\nstep = {step:e}\n\n[output]");
    folder.write("a.toml", SPHERES.replace("duration = 0.02", "duration = 0.3").replace("[output]", &time));
    let bad = folder.run("simulate a.toml --overwrite");
    assert!(bad.stderr.contains("% of the energy came from nothing in this run"), "{}", bad.stderr);
    assert!(table(&folder, "a").last().unwrap()["energy_drift"] > 0.01);
}

/// Rows of the table of a run, by names of columns.
fn table(folder: &Folder, run: &str) -> Vec<std::collections::HashMap<String, f64>> {
    let text = String::from_utf8(folder.read(&format!("{run}/energies.csv"))).unwrap();
    let (head, rows) = text.split_once('\n').unwrap();
    let row = |row: &str| {
        head.split(',').map(str::to_owned).zip(row.split(',').map(|value| value.parse().unwrap())).collect()
    };
    rows.lines().map(row).collect()
}

/// Stiff contacts make millions of steps, which nobody should wait for unwarned.
#[test]
fn a_run_says_at_once_how_many_steps_it_takes_and_soon_how_long() {
    let folder = Folder::with("stiff.toml", SPHERES.replace("stiffness = 2000.0", "stiffness = 1e12"));
    let mut run = Command::new(env!("CARGO_BIN_EXE_multigrain"));
    run.current_dir(folder.path("")).args(["simulate", "stiff.toml", "--duration", "10", "--threads", "1"]);
    let mut child = run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let said = [lines.next(), lines.next()];
    child.kill().unwrap();
    child.wait().unwrap();
    let [steps, time] = said.map(Option::unwrap);
    let (count, step) = steps.strip_prefix("note: ").unwrap().split_once(" steps of ").unwrap();
    let count: f64 = count.replace(',', "").parse().unwrap();
    let step: f64 = step.parse().unwrap();
    assert!(count > 1e7 && (count * step / 10.0 - 1.0).abs() < 1e-3, "{steps}");
    assert!(time.starts_with("note: step ") && time.contains(", about ") && time.ends_with(" to go"), "{time}");
    // One that is short says it as well, and one that goes on what is left.
    folder.write("a.toml", SPHERES);
    let short = folder.run("simulate a.toml --duration 0.01");
    let first = short.stderr.lines().next().unwrap();
    assert!(first.contains(" steps of "), "{}", short.stderr);
    let more = folder.run("simulate a.toml --resume");
    let first = more.stderr.lines().next().unwrap();
    assert!(first.contains(" more steps of ") && first.contains(", up to step "), "{}", more.stderr);
}

#[test]
fn a_time_step_that_is_no_number_is_an_error() {
    let folder = Folder::with("a.toml", POLYGONS.replace("modulus = 2e5", "modulus = 5e-324"));
    let lines = folder.fails("simulate a.toml");
    assert!(lines[0].contains("duration of the shortest contact, with materials 0 and 0"), "{lines:?}");
    folder.write("a.toml", SPHERES.replace("density = 10.0", "density = 1e-305"));
    let lines = folder.fails("simulate a.toml");
    assert!(lines[0].contains("duration of the shortest contact, with materials 0 and 0"), "{lines:?}");
    assert_eq!(folder.names(), ["a.toml"], "nothing was begun");
}

/// Under a limit, so that the test is the same on every machine.
#[cfg(unix)]
#[test]
fn more_memory_than_there_is_is_one_line() {
    let folder = Folder::with("spheres.toml", SPHERES.replace("count = 20", "count = 4294967295"));
    folder.write("polygons.toml", POLYGONS.replace("count = 10", "count = 4294967295"));
    folder.write("corners.toml", POLYGONS.replace("[4, 9]", "[4, 60000]").replace("count = 10", "count = 100000"));
    let ring = "[[wall]]\nshape = \"cylinder\"\npoint = [0.1, 0.1]\nradius = 0.1\nsegments = 4000000000\n\n[output]";
    folder.write("ring.toml", POLYGONS.replace("[output]", ring));
    for args in [
        "pack --law mono --count 4294967295 --placement random --packing-fraction 0.5 -o a.xyz",
        "tune --law uniform --ratio 2 --packing-fraction 0.5 --rule quick --count 4294967295",
        "simulate spheres.toml",
        "simulate polygons.toml",
        "simulate ring.toml",
        "simulate corners.toml",
    ] {
        let mut command = assert_cmd::Command::new("sh");
        let line = format!("ulimit -v 2000000; exec {} {args} --threads 1", env!("CARGO_BIN_EXE_multigrain"));
        command.current_dir(folder.path("")).args(["-c", &line]);
        let lines = super::Outcome::of(command).failure(args);
        let is_reported = ["not enough memory for 4", "not enough memory for 6000000000 corners"]
            .iter()
            .any(|message| lines[0].contains(message));
        assert!(is_reported, "{args}: {lines:?}");
    }
    // Where no count foretells it.
    for args in
        ["pack --law mono --count 20000000 --placement random --packing-fraction 0.1 -o a.csv", "detect large.csv"]
    {
        folder.write("large.csv", "x,y,r\n".to_owned() + &"0,0,1\n".repeat(300_000));
        let mut command = assert_cmd::Command::new("sh");
        let line = format!("ulimit -v 300000; exec {} {args} --threads 1", env!("CARGO_BIN_EXE_multigrain"));
        command.current_dir(folder.path("")).args(["-c", &line]).env("RUST_BACKTRACE", "1");
        let lines = super::Outcome::of(command).failure(args);
        assert!(lines[0].contains("memory"), "{args}: {lines:?}");
        std::fs::remove_file(folder.path("large.csv")).unwrap();
    }
    let names: Vec<String> = folder.names().into_iter().filter(|name| !name.ends_with(".tmp")).collect();
    assert_eq!(names, ["corners.toml", "polygons.toml", "ring.toml", "spheres.toml"]);
}
