//! Walls from meshes, walls that are driven, and what is written of them.

use super::Folder;
use multigrain_files::Mesh;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SCENE: &str = "\
dimension = 3
duration = 0.1
gravity = [0.0, 0.0, -9.81]
[domain]
lo = [0.0, 0.0, 0.0]
hi = [0.1, 0.1, 0.2]
walls = true
[[material]]
name = \"glass\"
density = 2500.0
stiffness = 1000.0
restitution = 0.5
friction = 0.4
[[particles]]
count = 60
radius = 0.006
lo = [0.0, 0.0, 0.06]
hi = [0.1, 0.1, 0.16]
[[wall]]
name = \"ramp\"
shape = \"mesh\"
file = \"ramp.obj\"
scale = 0.1
rotate = { axis = [0, 0, 1], degrees = 90 }
translate = [0.1, 0.0, 0.0]
wear = { coefficient = 1e-3, hardness = 1e9 }
[wall.motion]
kind = \"oscillation\"
direction = [0, 0, 1]
amplitude = 0.002
frequency = 100.0
[[wall]]
name = \"lid\"
shape = \"plane\"
point = [0.0, 0.0, 0.17]
normal = [0.0, 0.0, -1.0]
[wall.motion]
kind = \"servo\"
direction = [0.0, 0.0, -1.0]
pressure = 100.0
max_speed = 1.0
[output]
table_every = 0.01
snapshot_every = 0.05
checkpoint_every = 0.001
picture = true
";

/// Two triangles, one of them twice, and one without area.
const RAMP: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0.5\nv 0 1 0.5\nf 1 2 3 4\nf 1 3 2\nf 1 1 2\n";

fn folder() -> Folder {
    let folder = Folder::with("scene.toml", SCENE);
    folder.write("ramp.obj", RAMP);
    folder
}

#[test]
fn meshes_servos_and_wear_are_in_tables_pictures_and_vtp_and_resume() {
    let folder = folder();
    let outcome = folder.run("simulate scene.toml -o whole");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for note in ["note: ramp.obj: 1 face without area is left out (face 3)", "1 face that is there twice is left out"] {
        assert!(outcome.stderr.contains(note), "{}", outcome.stderr);
    }
    let table = String::from_utf8(folder.read("whole/walls.csv")).unwrap();
    let head: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    for name in ["ramp_fz", "ramp_tx", "ramp_z", "ramp_wear", "lid_fz", "lid_z", "box_x_lo_fx", "box_z_hi_tz"] {
        assert!(head.contains(&name), "{head:?}");
    }
    assert!(!head.contains(&"lid_wear") && !head.contains(&"box_x_lo_x"), "{head:?}");
    let last: Vec<f64> = table.lines().last().unwrap().split(',').map(|word| word.parse().unwrap()).collect();
    let value = |name: &str| last[head.iter().position(|own| *own == name).unwrap()];
    let shift = 0.002 * (std::f64::consts::TAU * 100.0 * value("time")).sin();
    assert!((value("ramp_z") - shift).abs() < 1e-12 && value("ramp_wear") > 0.0 && value("lid_z") < -0.005);
    let walls = String::from_utf8(folder.read("whole/walls-000000000.vtp")).unwrap();
    for array in ["wall", "force", "torque", "wear"] {
        assert!(walls.contains(&format!("Name=\"{array}\"")), "{array}");
    }
    assert!(folder.path("whole/picture.png").exists() && folder.path("whole/page.html").exists());
    // Half of it, then the rest on other threads and with another method: the same bytes.
    folder.ok("simulate scene.toml -o parts --duration 0.05");
    folder.write(
        "scene.toml",
        SCENE.replace("[output]", "[detection]\nmethod = \"linked-cell\"\nskin = \"none\"\n[output]"),
    );
    folder.ok("simulate scene.toml -o parts --resume --threads 3");
    for file in ["walls.csv", "checkpoint.bin", "picture.png"] {
        assert!(folder.read(&format!("parts/{file}")) == folder.read(&format!("whole/{file}")), "{file}");
    }
    let changed =
        folder.run("simulate scene.toml -o parts --resume --duration 0.101 --change wall.lid.motion.pressure=50");
    assert_eq!(changed.code, 0, "{}", changed.stderr);
    assert!(String::from_utf8(folder.read("parts/changes.txt")).unwrap().contains("force"));
}

#[test]
fn mistakes_in_walls_are_reported_at_the_line_of_their_key() {
    let folder = folder();
    // A mesh that there is nothing to be said of.
    folder.write("ramp.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0.3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    folder.write("bad.stl", "solid\nfacet\nvertex 1 2\n");
    folder.write("empty.obj", "");
    for (from, to, line, error) in [
        ("ramp.obj", "nothing.obj", 22, "cannot read"),
        ("ramp.obj", "bad.stl", 22, "line 3: a vertex needs three numbers"),
        ("ramp.obj", "empty.obj", 22, "the file is empty"),
        ("scale = 0.1", "scale = -0.1", 23, "`scale` is -0.1"),
        ("axis = [0, 0, 1], degrees", "degrees", 24, "`rotate` has no `axis`"),
        ("amplitude = 0.002\n", "", 27, "this motion has no `amplitude`"),
        ("frequency = 100.0", "frequency = 0.0", 31, "`frequency` is 0"),
        ("kind = \"oscillation\"", "kind = \"table\"", 30, "`amplitude` says nothing for this kind of motion"),
        ("pressure = 100.0", "pressure = 100.0\nforce = 1.0", 41, "a servo has a `force` or a `pressure`"),
        ("max_speed = 1.0", "max_speed = 0.0", 41, "`max_speed` is 0"),
        ("hardness = 1e9", "hardness = 0.0", 26, "`hardness` is 0"),
        ("shape = \"mesh\"", "shape = \"box\"", 22, "`file` is for meshes"),
        ("kind = \"servo\"", "kind = \"servos\"", 38, "unknown variant `servos`"),
    ] {
        folder.write("scene.toml", SCENE.replacen(from, to, 1));
        let lines = folder.fails("simulate scene.toml");
        assert!(lines[0].contains(error), "{to}: {lines:?}");
        let place = lines[0].strip_prefix("error: scene.toml:").unwrap().split(':').next().unwrap().parse::<i32>();
        assert!(place.as_ref().is_ok_and(|place| (place - line).abs() <= 1), "{to}: {lines:?}, expected line {line}");
    }
}

/// A mesh that is shaken, a servo, wear, clumps and bonds, in one scene.
fn everything() -> Folder {
    let folder = folder();
    let more = "[[material]]
name = \"glue\"
density = 2500.0
stiffness = 1000.0
restitution = 0.5
friction = 0.4
bond_modulus = 1e6
bond_strength = 1e4
bond_gap = 0.002
[[particles]]
count = 27
radius = 0.005
placement = \"lattice\"
spacing = 1.1
lo = [0.03, 0.03, 0.07]
hi = [0.065, 0.065, 0.105]
material = \"glue\"
[[clumps]]
count = 40
spheres = [[0.0, 0.0, 0.0, 1.0], [1.2, 0.0, 0.0, 0.8]]
radius = 0.006
lo = [0.0, 0.0, 0.11]
hi = [0.1, 0.1, 0.165]
[[wall]]";
    let block = SCENE.find("[[particles]]").unwrap();
    let wall = SCENE.find("[[wall]]").unwrap();
    let text = format!("bonds = \"touching\"\n{}{}", &SCENE[..block], SCENE[wall..].replacen("[[wall]]", more, 1));
    folder.write("scene.toml", text.replace("table_every = 0.01", "table_every = 0.001").replace("picture = true", ""));
    folder
}

/// Of the last snapshot the bonds of all grains, and what bonds of contacts bear.
fn bonds_of_last(folder: &Folder, run: &str) -> (f64, Vec<f64>) {
    let entries = std::fs::read_dir(folder.path(run)).unwrap().map(|entry| entry.unwrap().path());
    let last = entries.filter(|path| path.extension().is_some_and(|end| end == "dump")).max().unwrap();
    let text = std::fs::read_to_string(&last).unwrap();
    let mut lines = text.lines().skip_while(|line| !line.starts_with("ITEM: ATOMS"));
    let place = lines.next().unwrap().split_whitespace().skip(2).position(|name| name == "bonds").unwrap();
    let bonds = lines.map(|line| line.split_whitespace().nth(place).unwrap().parse::<f64>().unwrap()).sum();
    let name = last.file_name().unwrap().to_string_lossy().replace("snapshot", "contacts").replace(".dump", ".vtp");
    let mesh = Mesh::read(&folder.path(&format!("{run}/{name}"))).unwrap();
    (bonds, mesh.cell_array("bond_load").unwrap().values.clone())
}

#[test]
fn a_killed_run_with_meshes_clumps_bonds_and_servos_goes_on_bit_for_bit_on_any_threads() {
    let folder = everything();
    folder.ok("simulate scene.toml -o whole --threads 1");
    let table = String::from_utf8(folder.read("whole/energies.csv")).unwrap();
    let [bonds, broken] = ["bonds", "bonds_broken"].map(|name| {
        let column = table.lines().next().unwrap().split(',').position(|other| other == name).unwrap();
        table.lines().last().unwrap().split(',').nth(column).unwrap().parse::<u32>().unwrap()
    });
    assert!(bonds > 0 && broken > 0, "{bonds} {broken}");
    // Which of them hold is in snapshots and their contacts.
    let (of_grains, contacts) = bonds_of_last(&folder, "whole");
    let hold = contacts.iter().filter(|load| **load >= 0.0).count();
    assert_eq!((of_grains as u32, hold as u32), (2 * bonds, bonds));
    assert!(contacts.iter().any(|load| *load == -1.0) && contacts.iter().all(|load| *load < 1.0));
    for (threads, rows) in [(2, 20), (3, 45), (8, 70)] {
        let name = format!("cut-{threads}");
        let mut run = Command::new(env!("CARGO_BIN_EXE_multigrain"));
        run.current_dir(folder.path("")).args(["simulate", "scene.toml", "-o", &name, "--threads", "1"]);
        let mut child = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (start, path) = (Instant::now(), folder.path(&format!("{name}/energies.csv")));
        let has_rows = || std::fs::read_to_string(&path).is_ok_and(|text| text.lines().count() > rows);
        while !has_rows() && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        folder.ok(&format!("simulate scene.toml -o {name} --resume --threads {threads}"));
        for file in ["walls.csv", "checkpoint.bin"] {
            assert!(folder.read(&format!("{name}/{file}")) == folder.read(&format!("whole/{file}")), "{name}/{file}");
        }
    }
}
