//! Scenes in which grains come, go and are counted.

use super::Folder;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Spheres come through a face and clumps into a cylinder; a meter and two removals see them again.
const FLOWS: &str = r#"
dimension = 3
duration = 0.6
gravity = [0.0, 0.0, -9.81]

[domain]
lo = [0.0, 0.0, -0.1]
hi = [0.1, 0.1, 0.3]
periodic = ["x", "y"]
leaving = "allow"

[[material]]
name = "glass"
density = 2500.0
stiffness = 500.0
restitution = 0.5
friction = 0.3

[[insert]]
name = "feed"
mass_rate = 0.05
mass_limit = 0.02
law = "uniform"
ratio = 2.0
radius = 0.003
velocity = [0.0, 0.0, -0.5]
speed = 0.05
region = { shape = "face", corners = [[0.02, 0.02, 0.2], [0.08, 0.02, 0.2], [0.08, 0.08, 0.2], [0.02, 0.08, 0.2]] }

[[insert]]
rate = 100.0
start = 0.1
until = 0.3
radius = 0.006
spheres = [[0.0, 0.0, 0.0, 1.0], [1.2, 0.0, 0.0, 0.8]]
region = { shape = "cylinder", ends = [[0.05, 0.05, 0.21], [0.05, 0.05, 0.25]], radius = 0.03 }

[[remove]]
where = "inside"
region = { shape = "ball", point = [0.05, 0.05, 0.0], radius = 0.03 }

[[remove]]
name = "rest"
where = "beyond"
point = [0.0, 0.0, -0.05]
normal = [0.0, 0.0, -1.0]

[[meter]]
name = "gate"
point = [0.0, 0.0, 0.1]
normal = [0.0, 0.0, -1.0]

[output]
table_every = 0.01
checkpoint_every = 0.01
"#;

pub(super) fn rows(folder: &Folder, name: &str) -> Vec<Vec<f64>> {
    let text = String::from_utf8(folder.read(name)).unwrap();
    text.lines().skip(1).map(|row| row.split(',').map(|value| value.parse().unwrap()).collect()).collect()
}

#[test]
fn flows_are_reported_and_masses_balance() {
    let folder = Folder::with("flows.toml", FLOWS);
    folder.ok("simulate flows.toml -o run");
    let text = String::from_utf8(folder.read("run/flows.csv")).unwrap();
    let head = text.lines().next().unwrap();
    assert_eq!(
        head,
        "step,time,feed_grains,feed_mass,feed_flow,insert1_grains,insert1_mass,insert1_flow,remove0_grains,remove0_mass,remove0_flow,\
         rest_grains,rest_mass,rest_flow,gate_grains,gate_mass,gate_flow"
    );
    let rows = rows(&folder, "run/flows.csv");
    let last = rows.last().unwrap();
    let heaviest = 2500.0 * 4.2 * 0.006_f64.powi(3);
    assert!(last[3] >= 0.02 && last[3] < 0.02 + heaviest, "{last:?}");
    assert!((19.0..=20.0).contains(&last[5]), "{last:?}");
    // All of it has passed the gate and is gone.
    assert_eq!(last[2] + last[5], last[14]);
    assert_eq!(last[8] + last[11], last[14]);
    assert!(last[8] > 5.0 && last[11] > 5.0, "{last:?}");
    for masses in [[3, 6, 15], [9, 12, 15]] {
        assert!((last[masses[0]] + last[masses[1]] - last[masses[2]]).abs() < 1e-12, "{last:?}");
    }
    // Flows are differences of masses.
    let sum: f64 = rows.windows(2).map(|two| two[1][16] * (two[1][1] - two[0][1])).sum();
    assert!((sum - last[15]).abs() < 1e-12, "{sum}");
    let feed = rows.iter().filter(|row| row[1] > 0.1 && row[1] < 0.35).map(|row| row[4]);
    let (count, sum) = feed.fold((0.0, 0.0), |(count, sum), flow| (count + 1.0, sum + flow));
    assert!((sum / count - 0.05).abs() < 0.012, "{}", sum / count);
}

#[test]
fn a_killed_run_with_flows_goes_on_bit_for_bit_on_any_threads() {
    let folder = Folder::with("flows.toml", FLOWS);
    folder.ok("simulate flows.toml -o whole --threads 2");
    for (resume, rows) in [(false, 9), (true, 25), (true, 40)] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_multigrain"));
        run.current_dir(folder.path("")).args(["simulate", "flows.toml", "-o", "cut", "--threads", "1"]);
        run.args(resume.then_some("--resume"));
        let mut child = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (start, path) = (Instant::now(), folder.path("cut/flows.csv"));
        let has_rows = || std::fs::read_to_string(&path).is_ok_and(|text| text.lines().count() > rows);
        while !has_rows() && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    folder.ok("simulate flows.toml -o cut --resume --threads 1");
    for file in ["flows.csv", "checkpoint.bin"] {
        assert!(folder.read(&format!("cut/{file}")) == folder.read(&format!("whole/{file}")), "{file}");
    }
}

#[test]
fn mistakes_in_flows_are_reported_with_their_line() {
    let folder = Folder::new();
    let line_of = |word: &str| FLOWS.lines().position(|line| line.contains(word)).unwrap() + 1;
    for (from, to, line, error) in [
        (
            "mass_rate = 0.05",
            "mass_rate = 0.05\nrate = 1.0",
            "[[insert]]",
            "`rate` and `mass_rate` both say how fast grains come",
        ),
        (
            "mass_rate = 0.05",
            "mass_rate = -1.0",
            "[[insert]]",
            "rate of generator 0 is -1, must be positive and finite",
        ),
        ("radius = 0.03 }", "radius = 0.001 }", "name", "radius of the region of generator 1 is 0.001"),
        ("name = \"rest\"", "name = \"feed\"", "name = \"rest\"", "there are two flows `feed`"),
        (
            "shape = \"ball\", point = [0.05, 0.05, 0.0],",
            "shape = \"ball\",",
            "shape = \"ball\"",
            "this region has no `point`",
        ),
        ("shape = \"ball\"", "shape = \"bowl\"", "shape = \"ball\"", "unknown variant `bowl`"),
        (
            "normal = [0.0, 0.0, -1.0]\n\n[output]",
            "normal = [0.0, 0.0, 0.0]\n\n[output]",
            "[[meter]]",
            "normal of meter 0 is 0",
        ),
    ] {
        assert!(FLOWS.contains(from), "{from}");
        folder.write("bad.toml", FLOWS.replacen(from, to, 1));
        let message = folder.fails("simulate bad.toml -o bad")[0].clone();
        assert!(message.contains(error), "{message}");
        if line != "name" {
            let at: usize = message.split(':').nth(2).unwrap().parse().unwrap();
            assert!((line_of(line)..line_of(line) + 12).contains(&at), "{message}");
        }
    }
}

/// Spin and temperature of what is there from the beginning, of clumps and of what comes; colors by pressure.
#[test]
fn spin_and_temperature_are_those_of_the_scene() {
    let scene = r#"dimension = 3
duration = 0.002
[domain]
lo = [0.0, 0.0, 0.0]
hi = [1.0, 1.0, 1.0]
[[material]]
name = "grain"
density = 2500.0
stiffness = 1e4
friction = 0.3
conductivity = 1.0
heat_capacity = 500.0
[[particles]]
count = 3
radius = 0.02
hi = [1.0, 1.0, 0.3]
spin = [1.0, 0.0, 0.0]
temperature = 301.0
[[clumps]]
count = 3
spheres = [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.5]]
radius = 0.03
lo = [0.0, 0.0, 0.35]
hi = [1.0, 1.0, 0.6]
spin = [0.0, 2.0, 0.0]
temperature = 302.0
[[insert]]
lo = [0.0, 0.0, 0.65]
hi = [1.0, 1.0, 1.0]
limit = 3
radius = 0.02
spin = [0.0, 0.0, 3.0]
temperature = 303.0
[output]
snapshot_every = 0.002
formats = ["dump", "svg"]
color = "pressure"
"#;
    let folder = Folder::with("scene.toml", scene);
    folder.ok("simulate scene.toml -o run");
    let last = std::fs::read_dir(folder.path("run")).unwrap().map(|entry| entry.unwrap().path());
    let last = last.filter(|path| path.extension().is_some_and(|end| end == "dump")).max().unwrap();
    let text = std::fs::read_to_string(last).unwrap();
    let mut lines = text.lines().skip_while(|line| !line.starts_with("ITEM: ATOMS"));
    let names: Vec<&str> = lines.next().unwrap().split_whitespace().skip(2).collect();
    let place = |name: &str| names.iter().position(|other| *other == name).unwrap();
    let columns = ["omegax", "omegay", "omegaz", "temperature"].map(place);
    let mut counts = [0; 3];
    for line in lines {
        let values: Vec<f64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let [x, y, z, warm] = columns.map(|column| values[column]);
        let kind = (warm - 301.0) as usize;
        counts[kind] += 1;
        let wanted = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]][kind];
        // A clump that is turned tumbles.
        let length = (x * x + y * y + z * z).sqrt();
        assert!((length - [1.0, 2.0, 3.0][kind]).abs() < 0.01, "{line}");
        assert!(kind == 1 || [x, y, z] == wanted, "{line}");
    }
    assert_eq!(counts, [3, 6, 3]);
    folder.write("bad.toml", scene.replacen("spin = [1.0, 0.0, 0.0]", "spin = [1.0]", 1));
    assert!(folder.fails("simulate bad.toml")[0].contains("`spin` has 1 numbers"));
}

/// A clump of given volume and inertia has their energy of motion and of turning, at any size.
#[test]
fn mass_and_inertia_of_clumps_may_be_given() {
    let scene = r#"dimension = 3
duration = 0.001
[domain]
lo = [0.0, 0.0, 0.0]
hi = [1.0, 1.0, 1.0]
[[material]]
name = "grain"
density = 2000.0
stiffness = 1e4
[[clumps]]
count = 1
spheres = [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]]
center = [0.5, 0.0, 0.0]
volume = 2.0
inertia = [[0.3, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.7]]
radius = 0.15
upright = true
velocity = [2.0, 0.0, 0.0]
spin = [0.0, 0.0, 3.0]
"#;
    let folder = Folder::with("scene.toml", scene);
    folder.ok("simulate scene.toml -o run");
    let text = String::from_utf8(folder.read("run/energies.csv")).unwrap();
    let names: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let first = &rows(&folder, "run/energies.csv")[0];
    let value = |name: &str| first[names.iter().position(|other| *other == name).unwrap()];
    // Its sphere has a radius of 1.5 as it is given: a tenth of that.
    let (moving, turning) = (0.5 * 2000.0 * 2.0 * 1e-3 * 4.0, 0.5 * 2000.0 * 0.7 * 1e-5 * 9.0);
    assert!((value("translational") / moving - 1.0).abs() < 1e-9, "{}", value("translational"));
    assert!((value("rotational") / turning - 1.0).abs() < 1e-9, "{}", value("rotational"));
    folder.write("half.toml", scene.replacen("volume = 2.0\n", "", 1));
    assert!(folder.fails("simulate half.toml")[0].contains("some are missing"));
}
