use super::{Folder, Outcome, without_ids};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Discs that fall into a box: short, with friction and everything that is written.
pub const SMALL: &str = r#"
dimension = 2
duration = 0.2
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
count = 60
law = "uniform"
ratio = 2.0
radius = 0.004
placement = "growth"

[output]
table_every = 0.01
snapshot_every = 0.05
checkpoint_every = 0.02
picture = true
"#;

const SCENES: [(&str, &str); 5] =
    [("free-cooling", "0.3"), ("settling", "0.002"), ("hopper", "0.01"), ("drum", "0.01"), ("segregation", "0.01")];

fn shipped(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(format!("{name}.toml"));
    path.canonicalize().unwrap().display().to_string()
}

fn report(folder: &Folder, args: &str) -> Value {
    serde_json::from_str(&folder.ok(&format!("simulate {args} --json"))).unwrap()
}

/// The table without the last column, which is a time.
fn rows(folder: &Folder, name: &str) -> Vec<String> {
    let text = String::from_utf8(folder.read(name)).unwrap();
    text.lines().map(|row| row.rsplit_once(',').unwrap().0.to_owned()).collect()
}

/// Waits until the table of a run has more rows.
fn wait_for_rows(folder: &Folder, name: &str, rows: usize) {
    let start = Instant::now();
    let has_rows = || std::fs::read_to_string(folder.path(name)).is_ok_and(|text| text.lines().count() > rows);
    while !has_rows() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn every_shipped_scene_runs() {
    let folder = Folder::new();
    for (name, duration) in SCENES {
        let report = report(&folder, &format!("{} --duration {duration} -o {name}", shipped(name)));
        assert!(report["particles"].as_u64().unwrap() >= 500, "{name}: {report}");
        assert!(report["steps"].as_u64().unwrap() >= 50, "{name}: {report}");
        assert!(report["total_energy"].as_f64().unwrap().is_finite(), "{name}: {report}");
        assert!(folder.path(name).join("picture.png").exists(), "{name}");
        assert!(folder.path(name).join("energies.csv").exists(), "{name}");
    }
}

#[test]
fn a_run_leaves_a_table_snapshots_a_picture_and_a_checkpoint() {
    let folder = Folder::with("small.toml", SMALL);
    let outcome = folder.run("simulate small.toml");
    assert_eq!((outcome.code, outcome.stdout.as_slice()), (0, &b""[..]), "{}", outcome.stderr);
    let said: Vec<&str> = outcome.stderr.lines().collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("note: ") && said[0].ends_with(" steps of 2.300e-5"), "{said:?}");
    assert!(said[1].starts_with("60 particles, "), "{said:?}");
    let mut names: Vec<String> = std::fs::read_dir(folder.path("small"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.iter().filter(|name| name.starts_with("snapshot-") && name.ends_with(".vtp")).count(), 5);
    assert_eq!(names.iter().filter(|name| name.starts_with("contacts-") && name.ends_with(".vtp")).count(), 5);
    let dumps: Vec<&String> = names.iter().filter(|name| name.ends_with(".dump")).collect();
    assert_eq!(dumps.len(), 5);
    for name in ["checkpoint.bin", "energies.csv", "picture.png"] {
        assert!(names.iter().any(|there| there == name), "{name}: {names:?}");
    }
    assert!(folder.read("small/picture.png").starts_with(b"\x89PNG"));
    // The last snapshot is a system like any other, and has the contacts that the run ended with.
    let contacts = folder.ok(&format!("detect small/{}", dumps[4])).lines().count() - 1;
    let last = rows(&folder, "small/energies.csv").pop().unwrap();
    // Behind them the last column but for the time is that of contacts with walls.
    assert_eq!(last.rsplit(',').nth(1).unwrap(), contacts.to_string());
    assert!(contacts > 15, "{contacts} contacts: they have settled");
    let twin = dumps[4].replace(".dump", ".vtp");
    let lists = [&twin, dumps[4]].map(|name| without_ids(&folder.ok(&format!("detect small/{name}"))));
    assert_eq!(lists[0], lists[1]);
    let head = rows(&folder, "small/energies.csv")[0].clone();
    assert_eq!(
        head,
        "step,time,particles,translational,rotational,elastic,gravitational,total,dissipated,wall_work,px,py,stress_xx,stress_yy,stress_xy,time_step,energy_drift,changes,largest_overlap,contacts,wall_contacts"
    );
}

#[test]
fn method_skin_and_threads_do_not_change_the_course() {
    let folder = Folder::with("small.toml", SMALL);
    let expected = report(&folder, "small.toml --duration 0.05");
    for (k, detection) in ["method = \"linked-cell\"", "skin = \"none\"", "skin = 0.001"].into_iter().enumerate() {
        folder.write("other.toml", format!("{SMALL}\n[detection]\n{detection}\n"));
        let other = report(&folder, &format!("other.toml --duration 0.05 --overwrite --threads {}", k + 1));
        assert_eq!(other["fingerprint"], expected["fingerprint"], "{detection}");
        assert_eq!(rows(&folder, "other/energies.csv"), rows(&folder, "small/energies.csv"), "{detection}");
    }
}

#[test]
fn a_killed_run_goes_on_bit_for_bit() {
    let long = SMALL.replace("duration = 0.2", "duration = 1.5");
    let folder = Folder::with("small.toml", long);
    let expected = report(&folder, "small.toml -o whole");
    // Killed three times somewhere on its way, each time after a few more rows of the table, whenever that is.
    for (resume, rows) in [(false, 8), (true, 20), (true, 32)] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_multigrain"));
        run.current_dir(folder.path("")).args(["simulate", "small.toml", "-o", "cut", "--threads", "1"]);
        run.args(resume.then_some("--resume"));
        let mut child = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_for_rows(&folder, "cut/energies.csv", rows);
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "the run was over before it could be killed");
        assert!(folder.path("cut/snapshots.pvd").exists());
    }
    let resumed = report(&folder, "small.toml -o cut --resume");
    assert_eq!(resumed["fingerprint"], expected["fingerprint"]);
    assert_eq!(rows(&folder, "cut/energies.csv"), rows(&folder, "whole/energies.csv"));
    assert_eq!(folder.read("cut/checkpoint.bin"), folder.read("whole/checkpoint.bin"));
    assert_eq!(folder.read("cut/picture.png"), folder.read("whole/picture.png"));
    assert_eq!(folder.read("cut/snapshots.pvd"), folder.read("whole/snapshots.pvd"));
    // A run that is over can be made longer.
    let longer = report(&folder, "small.toml -o cut --resume --duration 1.6");
    assert!(longer["steps"].as_u64() > expected["steps"].as_u64());
}

/// Asked to stop, a run saves where it is and says how to go on.
#[cfg(unix)]
#[test]
fn an_interrupted_run_saves_its_state_and_goes_on_bit_for_bit() {
    let long =
        SMALL.replace("duration = 0.2", "duration = 1.5").replace("checkpoint_every = 0.02", "checkpoint_every = 1e20");
    let folder = Folder::with("small.toml", long);
    let expected = report(&folder, "small.toml -o whole");
    for (flag, signal, rows) in [(None, "-INT", 8), (Some("--resume"), "-TERM", 20)] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_multigrain"));
        run.current_dir(folder.path("")).args(["simulate", "small.toml", "-o", "cut", "--threads", "1"]).args(flag);
        let child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for_rows(&folder, "cut/energies.csv", rows);
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{signal}: {text}");
        assert!(output.stdout.is_empty());
        assert!(text.contains("\nstopped at step ") && text.contains("hint: ") && text.contains("--resume"), "{text}");
    }
    let resumed = report(&folder, "small.toml -o cut --resume");
    assert_eq!(resumed["fingerprint"], expected["fingerprint"]);
    assert_eq!(rows(&folder, "cut/energies.csv"), rows(&folder, "whole/energies.csv"));
}

#[test]
fn a_run_that_is_over_says_so_when_resumed() {
    for scene in [SMALL, POLYGONS] {
        let folder = Folder::with("a.toml", scene);
        folder.ok("simulate a.toml --duration 0.01");
        let outcome = folder.run("simulate a.toml --duration 0.005 --resume");
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(
            outcome.stderr.starts_with("nothing to do: the run had already reached time 0.01"),
            "{}",
            outcome.stderr
        );
        assert!(outcome.stderr.contains("--duration"), "{}", outcome.stderr);
        assert_eq!(report(&folder, "a.toml --duration 0.01 --resume")["particle_steps_per_second"], 0.0);
    }
}

#[test]
fn a_table_that_cannot_be_read_is_not_replaced() {
    let folder = Folder::with("small.toml", SMALL);
    folder.ok("simulate small.toml --duration 0.01");
    folder.write("small/energies.csv", b"step\n1\n\xff\n");
    let lines = folder.fails("simulate small.toml --resume");
    assert!(lines[0].starts_with("error: cannot read small/energies.csv: "), "{lines:?}");
    assert_eq!(folder.read("small/energies.csv"), b"step\n1\n\xff\n");
    std::fs::remove_file(folder.path("small/energies.csv")).unwrap();
    folder.ok("simulate small.toml --resume");
}

/// Whatever a killed run wrote to its table after the checkpoint, whole rows or half of one, is written again.
#[test]
fn resuming_neither_doubles_nor_misses_rows() {
    let folder = Folder::with("small.toml", SMALL);
    folder.ok("simulate small.toml -o whole");
    folder.ok("simulate small.toml -o cut --duration 0.1");
    let (whole, cut) = (folder.read("whole/energies.csv"), folder.read("cut/energies.csv"));
    for more in [0, 1, 40, 400] {
        folder.ok("simulate small.toml -o cut --duration 0.1 --overwrite");
        folder.write("cut/energies.csv", &whole[..cut.len() + more]);
        folder.ok("simulate small.toml -o cut --resume");
        assert_eq!(rows(&folder, "cut/energies.csv"), rows(&folder, "whole/energies.csv"), "{more} bytes more");
    }
}

#[test]
fn walls_that_move_push_grains_and_do_work() {
    let wall = "[[wall]]\nshape = \"plane\"\npoint = [0.0, 0.0]\nnormal = [1.0, 0.0]\nvelocity = [0.4, 0.0]\nmoves = true\n[output]";
    let folder = Folder::with("piston.toml", SMALL.replace("[output]", wall));
    folder.ok("simulate piston.toml");
    let last = String::from_utf8(folder.read("piston/energies.csv")).unwrap().lines().last().unwrap().to_owned();
    let numbers: Vec<f64> = last.split(',').map(|number| number.parse().unwrap()).collect();
    assert!(numbers[8] > 0.0 && numbers[9] > 0.0, "dissipated and work: {last}");
    // At 0.2 the piston is at 0.08: all grains lie beyond it.
    let dump = std::fs::read_dir(folder.path("piston")).unwrap().map(|entry| entry.unwrap().path());
    let dump = dump.filter(|path| path.extension().is_some_and(|end| end == "dump")).max().unwrap();
    let text = std::fs::read_to_string(dump).unwrap();
    let x = text.lines().skip(9).map(|row| row.split(' ').nth(2).unwrap().parse::<f64>().unwrap());
    assert!(x.clone().count() == 60 && x.clone().all(|x| x > 0.08), "{text}");
    folder.write("still.toml", SMALL.replace("[output]", &wall.replace("velocity = [0.4, 0.0]\n", "")));
    let lines = folder.fails("simulate still.toml");
    assert_eq!(lines[0], "error: still.toml:29: `moves = true` needs `velocity` or `spin`");
}

#[test]
fn resuming_needs_a_whole_checkpoint_of_the_same_scene() {
    let folder = Folder::with("small.toml", SMALL);
    let lines = folder.fails("simulate small.toml --resume");
    assert_eq!(lines[0], "error: there is no small/checkpoint.bin to resume from");
    folder.ok("simulate small.toml --duration 0.01");
    folder.write("other.toml", SMALL.replace("friction = 0.4", "friction = 0.5"));
    let lines = folder.fails("simulate other.toml -o small --resume");
    assert!(lines[0].starts_with("error: cannot resume from small/checkpoint.bin: "), "{lines:?}");
    for name in ["small/checkpoint.bin", "small/checkpoint.previous.bin"] {
        let mut bytes = folder.read(name);
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        folder.write(name, bytes);
    }
    let lines = folder.fails("simulate small.toml --resume");
    assert!(lines[0].starts_with("error: cannot resume from small/checkpoint.bin: "), "{lines:?}");
    assert_eq!(lines[1], "hint: small/checkpoint.previous.bin cannot be taken either");
}

#[test]
fn a_lost_particle_is_named_and_the_state_saved() {
    let scene = SMALL.replace("walls = true\n", "").replace("picture = true", "");
    let folder = Folder::with("open.toml", scene);
    let lines = folder.fails("simulate open.toml");
    assert!(lines[0].starts_with("error: particle "), "{lines:?}");
    assert!(lines[0].contains(": it left the bounds of the simulation; last good position ["), "{lines:?}");
    assert!(lines[1].contains("open/lost-snapshot.vtp"), "{lines:?}");
    assert!(lines[1].ends_with("put walls there, make the box larger, or set `leaving` to \"allow\""), "{lines:?}");
    for name in ["lost-snapshot.vtp", "lost-snapshot.dump", "checkpoint.bin"] {
        assert!(folder.path("open").join(name).exists(), "{name}");
    }
    let flying = SMALL.replace("walls = true\n", "leaving = \"allow\"\n");
    folder.write("flying.toml", flying);
    folder.ok("simulate flying.toml");
}

#[test]
fn particles_come_from_files_and_generators_and_go() {
    let folder = Folder::with("grains.csv", "x,y,r\n0.05,0.05,0.01\n0.1,0.05,0.01\n");
    let start = SMALL.find("[[particles]]").unwrap();
    let end = SMALL.find("[output]").unwrap();
    let blocks = r#"
[[particles]]
file = "grains.csv"
velocity = [0.1, 0.0]

[[insert]]
lo = [0.0, 0.15]
hi = [0.2, 0.2]
rate = 100.0
limit = 7
radius = 0.005

[[remove]]
where = "inside"
lo = [0.0, 0.0]
hi = [0.2, 0.012]
"#;
    folder.write("flow.toml", format!("{}{blocks}{}", &SMALL[..start], &SMALL[end..]));
    let report = report(&folder, "flow.toml --duration 0.5");
    assert_eq!(report["inserted"], 7);
    assert_eq!(report["removed"], 9);
    assert_eq!(report["particles"], 0);
}

#[test]
fn mistakes_are_reported_with_line_and_nearest_key() {
    let folder = Folder::new();
    let check = |from: &str, to: &str, error: &str, hint: &str| {
        assert!(SMALL.contains(from), "{from}");
        folder.write("a.toml", SMALL.replacen(from, to, 1));
        let lines = folder.fails("simulate a.toml");
        assert_eq!(lines[0], format!("error: a.toml:{error}"));
        assert_eq!(lines.get(1).map_or("", String::as_str), hint, "{error}");
    };
    check("gravity", "gravty", "4: unknown field `gravty`", "hint: did you mean `gravity`?");
    check("friction", "fricton", "16: unknown field `fricton`", "hint: did you mean `friction`?");
    check("\"growth\"", "\"groth\"", "23: unknown variant `groth`", "hint: did you mean `growth`?");
    check(
        "walls = true",
        "walls = true\nmaterial = \"gran\"",
        "10: there is no material `gran`",
        "hint: did you mean `grain`?",
    );
    check(
        "hi = [0.2, 0.2]",
        "hi = [0.2, 0.2, 0.2]",
        "8: 3 numbers, but the scene has 2 dimensions",
        "hint: give 2 numbers, or another `dimension`",
    );
    check("law = \"uniform\"", "law = \"power\"", "20: law power needs exponent", "hint: add exponent with a number");
    check("dimension = 2", "dimension = 4", "2: `dimension` is 4", "hint: it is 2 or 3");
    check("duration = 0.2", "duration = -1", "3: `duration` is -1", "hint: it must be positive and finite");
    check(
        "density = 10.0\n",
        "",
        "11: the key `density` is missing",
        "hint: add it, such as `density = ...`; multigrain help scene explains every key",
    );
    check("[output]", "[output]\ncolor = 3", "26: the value must be a text in quotes", "");
    check(
        "[output]",
        "[detection]\nmethod = \"hgird\"\n[output]",
        "26: there is no method `hgird`",
        "hint: did you mean `hgrid`?",
    );
    check(
        "[output]",
        "[[wall]]\nshape = \"plane\"\npoint = [0.0, 0.0]\n[output]",
        "25: this wall has no `normal`",
        "hint: add `normal`",
    );
    check(
        "stiffness = 2000.0\n",
        "",
        "11: a law of contact is missing",
        "hint: give `stiffness`, or `modulus` and `poisson` for Hertz",
    );
    let positive = "hint: it must be positive and finite";
    for value in ["0", "-1", "NaN"] {
        let lattice = format!("\"lattice\"\nspacing = {}", value.to_lowercase());
        check("\"growth\"", &lattice, &format!("24: `spacing` is {value}"), positive);
    }
    for value in ["-1", "NaN"] {
        let keys = format!("radius = 0.004\nspeed = {}", value.to_lowercase());
        let hint = "hint: it must be finite and not negative";
        check("radius = 0.004", &keys, &format!("23: `speed` is {value}"), hint);
    }
    check("radius = 0.004", "radius = -0.004", "22: `radius` is -0.004", positive);
    let keys = "hint: multigrain help scene explains every key";
    check(
        "restitution = 0.5",
        "restitution = 2",
        "15: restitution of material `grain` is 2, must be above 0 and at most 1",
        keys,
    );
    check(
        "stiffness = 2000.0",
        "stiffness = -1",
        "14: stiffness of material `grain` is -1, must be positive and finite",
        keys,
    );
    check("density = 10.0", "density = 0", "13: density of material `grain` is 0, must be positive and finite", keys);
    assert_eq!(folder.names(), ["a.toml"], "nothing was begun");
}

#[test]
fn what_cannot_be_simulated_is_an_error_with_a_reason() {
    let folder = Folder::with("small.toml", SMALL);
    let lines = folder.fails("simulate gone.toml");
    assert_eq!(lines[0], "error: cannot read gone.toml: No such file or directory (os error 2)");
    let lines = folder.fails("simulate small.toml --duration 0");
    assert_eq!(lines[0], "error: --duration is 0, must be positive and finite");
    folder.write("full.toml", SMALL.replace("count = 60", "count = 600"));
    let lines = folder.fails("simulate full.toml");
    assert!(lines[0].starts_with("error: full.toml:18: packing fraction is "), "{lines:?}");
    let small = Outcome::of(folder.command("simulate small.toml --duration 0.001 --threads 1"));
    assert_eq!(small.code, 0, "{}", small.stderr);
}

/// Polygons that fall into a box.
const POLYGONS: &str = r#"
dimension = 2
duration = 0.03
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
count = 40
corners = [4, 9]
radius = 0.01
velocity = [0.0, -1.0]

[output]
table_every = 0.005
snapshot_every = 0.01
checkpoint_every = 0.02
picture = true
film = true
"#;

#[test]
fn every_shipped_scene_of_polygons_runs() {
    let folder = Folder::new();
    for name in ["polygon-heap", "polygon-drum", "polygon-hopper", "polygon-settling"] {
        let report = report(&folder, &format!("{} --duration 0.004 -o {name}", shipped(name)));
        assert!(report["polygons"].as_u64().unwrap() >= 300, "{name}: {report}");
        assert!(report["steps"].as_u64().unwrap() >= 50, "{name}: {report}");
        for file in ["picture.png", "picture.svg", "film.html", "energies.csv", "snapshots.pvd", "checkpoint.bin"] {
            assert!(folder.path(name).join(file).exists(), "{name}: {file}");
        }
    }
}

#[test]
fn polygons_go_on_from_a_checkpoint_bit_for_bit() {
    let folder = Folder::with("pile.toml", POLYGONS);
    let whole = report(&folder, "pile.toml -o whole");
    assert!(whole["contacts"].as_u64().unwrap() > 0, "{whole}");
    report(&folder, "pile.toml -o part --duration 0.017");
    let resumed = report(&folder, "pile.toml -o part --resume");
    assert_eq!(resumed["fingerprint"], whole["fingerprint"]);
    assert_eq!(rows(&folder, "part/energies.csv").last(), rows(&folder, "whole/energies.csv").last());
}

#[test]
fn a_resumed_run_of_polygons_has_the_list_of_a_whole_one_and_a_film() {
    let folder = Folder::with("pile.toml", POLYGONS);
    folder.ok("simulate pile.toml -o whole");
    folder.ok("simulate pile.toml -o part --duration 0.017");
    folder.ok("simulate pile.toml -o part --resume");
    let list = |name: &str| String::from_utf8(folder.read(&format!("{name}/snapshots.pvd"))).unwrap();
    assert_eq!(list("part"), list("whole"));
    assert_eq!(list("whole").matches("<DataSet ").count(), 4, "{}", list("whole"));
    let film = String::from_utf8(folder.read("part/film.html")).unwrap();
    assert!(film.contains("\"plays\":true") && film.contains("\"polygon\""), "a film is the page, playing");
}

/// Discs and polygons in one heap, of two materials, over a periodic border, some of them coming while it runs.
const MIXED: &str = r#"
dimension = 2
duration = 0.05
gravity = [0.0, -9.81]

[domain]
lo = [0.0, 0.0]
hi = [0.2, 0.3]
periodic = ["x"]
walls = true

[[material]]
name = "grain"
density = 1000.0
modulus = 2e5
friction = 0.5

[[material]]
name = "heavy"
density = 3000.0
modulus = 4e5
damping = 0.2
friction = 0.3

[[particles]]
count = 20
radius = 0.008
placement = "lattice"
lo = [0.0, 0.03]
hi = [0.2, 0.1]
velocity = [0.0, -1.0]

[[polygons]]
count = 20
corners = [3, 6]
radius = 0.01
material = "heavy"
lo = [0.0, 0.1]
hi = [0.2, 0.2]
velocity = [1.0, -1.0]

[[insert]]
lo = [0.0, 0.22]
hi = [0.2, 0.3]
rate = 500.0
corners = [5, 5]
regular = true
radius = 0.01

[[remove]]
where = "inside"
lo = [0.0, -1.0]
hi = [0.01, 0.05]

[[wall]]
shape = "polygon"
corners = [[0.05, 0.0], [0.15, 0.0], [0.1, 0.02]]

[output]
snapshot_every = 0.01
formats = ["vtp", "dump", "svg", "png"]
"#;

#[test]
fn discs_and_polygons_run_in_one_scene_and_go_on_bit_for_bit() {
    let folder = Folder::with("mixed.toml", MIXED);
    let whole = report(&folder, "mixed.toml -o whole");
    assert!(whole["contacts"].as_u64().unwrap() > 10, "{whole}");
    assert!(whole["inserted"].as_u64().unwrap() > 5, "{whole}");
    let polygons = whole["polygons"].as_u64().unwrap();
    assert!(polygons >= 20 && polygons < whole["particles"].as_u64().unwrap(), "{whole}");
    report(&folder, "mixed.toml -o part --duration 0.031 --threads 1");
    let resumed = report(&folder, "mixed.toml -o part --resume");
    assert_eq!(resumed["fingerprint"], whole["fingerprint"]);
    assert_eq!(rows(&folder, "part/energies.csv").last(), rows(&folder, "whole/energies.csv").last());
    for name in ["snapshot-000000000.svg", "snapshot-000000000.png", "snapshot-000000000.dump", "walls.vtp"] {
        assert!(folder.path("whole").join(name).exists(), "{name}");
    }
}

#[test]
fn mistakes_in_scenes_of_polygons_are_reported_with_their_line() {
    let message = |from: &str, to: &str| {
        let folder = Folder::with("pile.toml", POLYGONS.replace(from, to));
        let outcome = folder.run("simulate pile.toml");
        assert_eq!(outcome.code, 2, "{}", outcome.stderr);
        outcome.stderr
    };
    let text = message("corners = [4, 9]", "corners = [2, 9]");
    assert!(text.contains("pile.toml:19: `corners` is [2, 9]"), "{text}");
    let text = message("count = 40", "count = 4000");
    assert!(text.contains("rows of 4000 polygons do not fit the box"), "{text}");
    let text = message("radius = 0.01", "radius = 0.01\nspacing = 0");
    assert!(text.contains("pile.toml:21: `spacing` is 0"), "{text}");
    let text = message("radius = 0.01", "radius = 0.01\nspeed = -1");
    assert!(text.contains("pile.toml:21: `speed` is -1"), "{text}");
    let text = message("modulus = 2e5", "modulus = -1");
    assert!(text.contains("pile.toml:14: Young's modulus of material `grain` is -1"), "{text}");
    let text = message("film = true", "[detection]\nmethod = \"no such\"");
    assert_eq!(text.matches("sort-and-update").count(), 1, "{text}");
    let text = message("corners = [4, 9]", "cornres = [4, 9]");
    assert!(text.contains("did you mean `corners`?"), "{text}");
    let text = message("modulus = 2e5", "modulus = 2e5\nrestitution = 0.5");
    assert!(text.contains("`restitution` is not of the law of areas"), "{text}");
    let text = message("dimension = 2", "dimension = 3");
    assert!(text.contains("polygons lie in the plane"), "{text}");
    let folder = Folder::with("small.toml", SMALL.replace("picture = true", "film = true"));
    folder.ok("simulate small.toml");
    let film = String::from_utf8(folder.read("small/film.html")).unwrap();
    assert!(film.contains("\"plays\":true"), "a film of discs is the page, playing");
}
