use super::{Folder, GRAINS};
use serde_json::Value;

fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_file_has_coordination_fabric_and_correlation_but_no_forces() {
    let folder = Folder::with("grains.csv", GRAINS);
    let report = object(&folder.ok("analyze grains.csv --json"));
    assert_eq!((report["particles"].as_u64(), report["contacts"].as_u64()), (Some(4), Some(1)));
    assert_eq!(report["coordination"]["mean"], 0.5);
    assert_eq!(report["coordination"]["histogram"].to_string(), "[2,2]");
    assert_eq!(report["fabric"]["tensor"].to_string(), "[[1.0,0.0],[0.0,0.0]]");
    assert!(report["stress"].is_null());
    let text = folder.ok("analyze grains.csv");
    assert!(text.contains("stress            unknown: the input has no forces; --stiffness K"), "{text}");
}

#[test]
fn springs_make_stress_of_overlaps() {
    let folder = Folder::with("grains.csv", GRAINS);
    // One contact: overlap 0.5, force 5, branch 1.5, in the box around the grains, 5.5 by 11.5.
    let report = object(&folder.ok("analyze grains.csv --stiffness 10 --json"));
    let expected = 5.0 * 1.5 / (5.5 * 11.5);
    assert!((report["stress"]["tensor"][0][0].as_f64().unwrap() / expected - 1.0).abs() < 1e-12, "{report}");
    assert_eq!(report["forces"]["mean"], 5.0);
}

#[test]
fn tables_and_plots_go_to_a_folder() {
    let folder = Folder::new();
    folder.ok("pack --law uniform --ratio 2 --count 400 --packing-fraction 0.6 --periodic x,y,z -o a.xyz");
    folder.ok("analyze a.xyz --margin 0.05 --bins 25 -o out");
    let names =
        ["analysis.json", "analysis.png", "analysis.svg", "coordination.csv", "map.csv", "pair_correlation.csv"];
    for name in names {
        assert!(folder.path("out").join(name).exists(), "{name}");
    }
    let profile = std::fs::read_to_string(folder.path("out/profile.csv")).unwrap();
    assert!(profile.starts_with("from,to,centers,packing_fraction,mean_radius\n"), "{profile}");
    let fractions: Vec<f64> =
        profile.lines().skip(1).map(|line| line.split(',').nth(3).unwrap().parse().unwrap()).collect();
    assert_eq!(fractions.len(), 25);
    assert!((fractions.iter().sum::<f64>() / 25.0 - 0.6).abs() < 1e-9);
    let report = object(&std::fs::read_to_string(folder.path("out/analysis.json")).unwrap());
    assert!(report["coordination"]["mean"].as_f64().unwrap() > 2.0, "{report}");
}

#[test]
fn a_run_is_a_series_with_forces() {
    let scene = "\
dimension = 3
duration = 0.2
gravity = [0.0, 0.0, -9.81]
[domain]
lo = [0.0, 0.0, 0.0]
hi = [0.02, 0.02, 0.06]
periodic = [\"x\", \"y\"]
walls = true
[[material]]
name = \"glass\"
density = 2500.0
stiffness = 1000.0
restitution = 0.5
friction = 0.3
[[particles]]
count = 150
radius = 0.002
placement = \"growth\"
[output]
snapshot_every = 0.05
";
    let folder = Folder::with("scene.toml", scene);
    folder.ok("simulate scene.toml -o run");
    let report = object(&folder.ok("analyze run --json -o out"));
    let series = report["series"].as_array().unwrap();
    assert!(series.len() >= 4, "{report}");
    assert!(series[0]["time"].as_f64().unwrap() < series[3]["time"].as_f64().unwrap());
    assert!(report["stress"]["pressure"].as_f64().unwrap() > 0.0, "{report}");
    assert!(report["profile"]["columns"]["vz"].is_array());
    assert!(folder.path("out/series.csv").exists() && folder.path("out/forces.csv").exists());
    // All snapshots in one file say the same, forces aside.
    folder.ok("convert run -o run.dump.gz");
    let last = object(&folder.ok("analyze run.dump.gz --json"));
    assert_eq!((&last["coordination"], &last["step"]), (&report["coordination"], &report["step"]));
    assert!(folder.ok("detect run.dump.gz --frame all").lines().last().unwrap().starts_with("4,"));
    assert!(folder.fails("convert run -o run.csv")[0].contains("the file holds one"));
    folder.ok("convert run --frame last -o run.csv");
    assert!(folder.read("run.csv").starts_with(b"x,y,z,r\n"));
    let first = object(&folder.ok("analyze run --frame 0 --json"));
    assert!(first["series"].is_null() && first["time"] == 0.0, "{first}");
}

#[test]
fn mistakes_are_one_line() {
    let folder = Folder::with("grains.csv", GRAINS);
    folder.write("two.csv", "x,y,r\n");
    assert!(folder.fails("analyze gone.csv")[0].contains("gone.csv"));
    assert!(folder.fails("analyze grains.csv --stiffness -1")[0].contains("--stiffness is -1, must be positive"));
    assert!(folder.fails("analyze grains.csv --axis z")[0].contains("the particles are in the plane"));
    assert!(folder.fails("analyze grains.csv -o grains.csv")[0].contains("it is a file"));
    assert!(folder.fails("analyze grains.csv --frame all")[0].contains("one frame at a time"));
    assert!(folder.ok("analyze two.csv").contains("0 in 2 dimensions"));
}

#[test]
fn contacts_with_walls_are_counted_everywhere() {
    let scene = "dimension = 3\nduration = 0.2\ngravity = [0.0, 0.0, -9.81]\n[domain]\nlo = [0.0, 0.0, 0.0]\nhi = [1.0, 1.0, 1.0]\n\
                 walls = true\n[[material]]\nname = \"m\"\ndensity = 1000.0\nstiffness = 1e5\nrestitution = 0.1\n[[particles]]\n\
                 count = 1\nradius = 0.1\nlo = [0.3, 0.3, 0.0]\nhi = [0.7, 0.7, 0.2]\n[output]\nsnapshot_every = 0.1\n";
    let folder = Folder::with("a.toml", scene);
    let report = object(&folder.ok("simulate a.toml --json"));
    assert_eq!((report["contacts"].as_u64(), report["wall_contacts"].as_u64()), (Some(0), Some(1)));
    let table = String::from_utf8(folder.read("a/energies.csv")).unwrap();
    let column = table.lines().next().unwrap().split(',').position(|name| name == "wall_contacts").unwrap();
    assert_eq!(table.lines().last().unwrap().split(',').nth(column), Some("1"));
    let found = object(&folder.ok("analyze a --json"));
    assert_eq!(
        (found["wall_contacts"].as_u64(), found["coordination"]["mean"].as_f64()),
        (Some(1), Some(1.0)),
        "{found}"
    );
}
