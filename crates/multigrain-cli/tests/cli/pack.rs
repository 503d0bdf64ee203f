use super::{Folder, without_ids};
use serde_json::Value;

#[test]
fn the_same_flags_and_seed_give_the_same_system() {
    let folder = Folder::new();
    let args = "pack --law log-normal --sigma 0.4 --count 50 --packing-fraction 0.4";
    let system = folder.ok(args);
    assert!(system.starts_with("x,y,z,r\n"));
    assert_eq!(system.lines().count(), 51);
    assert_eq!(folder.ok(args), system);
    assert_eq!(folder.ok(&format!("{args} --seed 1 -o - --threads 3")), system);
    assert_ne!(folder.ok(&format!("{args} --seed 2")), system);
}

#[test]
fn json_is_a_summary() {
    let folder = Folder::new();
    let outcome = folder.run(
        "pack --law bidisperse --ratio 3 --count 1000 --packing-fraction 0.5 --dimension 2 --seed 7 --json -o a.csv",
    );
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let report: Value = serde_json::from_str(&outcome.text()).unwrap();
    let keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    let expected =
        ["box", "dimension", "law", "overlapping_pairs", "packing_fraction", "particles", "placement", "ratio", "seed"];
    assert_eq!(keys, expected);
    assert_eq!(report["particles"], 1000);
    assert_eq!(report["dimension"], 2);
    assert_eq!(report["law"], "bidisperse");
    assert_eq!(report["seed"], 7);
    assert!((report["packing_fraction"].as_f64().unwrap() - 0.5).abs() < 1e-12);
    let bounds: Vec<f64> = report["box"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
    assert_eq!((bounds.len(), bounds[0], bounds[2]), (4, 0.0, 0.0));
    assert_eq!(bounds[1], bounds[3]);
    assert_eq!(folder.read("a.csv").iter().filter(|&&byte| byte == b'\n').count(), 1001);
    let only_summary = folder.ok("pack --law mono --count 10 --packing-fraction 0.5 --json");
    assert!(only_summary.starts_with('{'));
}

#[test]
fn lattices_by_spacing_and_by_packing_fraction() {
    let folder = Folder::new();
    let spaced = folder.ok("pack --law mono --count 4 --dimension 2 --placement lattice --spacing 1,1.5");
    assert_eq!(spaced, "x,y,r\n1,1.5,1\n3,1.5,1\n1,4.5,1\n3,4.5,1\n");
    let filled = folder.ok("pack --law mono --count 8 --placement lattice --packing-fraction 0.5235987755982988");
    let first: Vec<f64> = filled.lines().nth(1).unwrap().split(',').map(|value| value.parse().unwrap()).collect();
    for (value, expected) in first.iter().zip([1.0, 1.0, 1.0, 1.0]) {
        assert!((value - expected).abs() < 1e-12, "{first:?}");
    }
}

#[test]
fn every_law_has_its_parameters() {
    let folder = Folder::with("sizes.csv", "radius,weight\n0.5,3\n2,1\n");
    for law in [
        "mono",
        "mono --ratio 1",
        "uniform --ratio 3",
        "power --exponent -2.5 --ratio 3",
        "bidisperse --ratio 3",
        "log-normal --sigma 0.2",
        "log-normal --ratio 3",
        "log-normal --sigma 0.2 --ratio 3",
        "table --table sizes.csv",
    ] {
        let system = folder.ok(&format!("pack --law {law} --count 100 --packing-fraction 0.5"));
        assert_eq!(system.lines().count(), 101, "{law}");
    }
    let table = folder.ok("pack --law table --table sizes.csv --count 4 --packing-fraction 0.5 --dimension 2");
    let mut radii: Vec<&str> = table.lines().skip(1).map(|line| line.rsplit(',').next().unwrap()).collect();
    radii.sort_unstable();
    assert_eq!(radii, ["0.5", "0.5", "0.5", "2"], "radii of a table keep their unit");
}

#[test]
fn wrong_combinations_are_errors_with_a_way_out() {
    let folder = Folder::with("sizes.csv", "radius,weight\n-1,3\n");
    folder.write("empty.csv", "");
    folder.write("weights.csv", "radius|weight\n1|3\n");
    for (args, error) in [
        ("--law uniform --packing-fraction 0.5", "--law uniform needs --ratio"),
        ("--law power --ratio 3 --packing-fraction 0.5", "--law power needs --exponent"),
        ("--law power --exponent 1 --packing-fraction 0.5", "--law power needs --ratio"),
        ("--law log-normal --packing-fraction 0.5", "--law log-normal needs --sigma or --ratio"),
        ("--law table --packing-fraction 0.5", "--law table needs --table"),
        ("--law mono --ratio 3 --packing-fraction 0.5", "--law mono takes no --ratio"),
        ("--law uniform --ratio 3 --sigma 1 --packing-fraction 0.5", "--law uniform takes no --sigma"),
        ("--law uniform --ratio 0.5 --packing-fraction 0.5", "size ratio is 0.5, must be between 1 and 1e150"),
        (
            "--law log-normal --sigma -1 --packing-fraction 0.5",
            "sigma of the log-normal law is -1, must be positive and finite",
        ),
        ("--law mono", "--packing-fraction is needed"),
        ("--law mono --placement random", "--placement random needs --packing-fraction"),
        ("--law mono --packing-fraction -1", "packing fraction is -1, must be positive and finite"),
        ("--law mono --packing-fraction 0.5 --spacing 1,1,1", "--spacing is for lattices"),
        ("--law mono --placement lattice", "--placement lattice needs --packing-fraction or --spacing"),
        ("--law mono --placement lattice --spacing 1,1", "--spacing has 2 numbers, but the system has 3 dimensions"),
        ("--law mono --placement lattice --spacing 1,-1,1", "lattice spacing is -1, must be positive and finite"),
        (
            "--law mono --placement lattice --spacing 1,1,1 --packing-fraction 0.5",
            "--spacing and --packing-fraction both set how dense the lattice is",
        ),
        ("--law mono --placement growth", "--placement growth needs --packing-fraction"),
        ("--law mono --placement growth --packing-fraction 0.5 --spacing 1,1,1", "--spacing is for lattices"),
        ("--law mono --packing-fraction 0.5 --relax 3 --placement random", "--relax comes after growth"),
        ("--law mono --packing-fraction max --placement random", "--packing-fraction max is what growth reaches"),
        ("--law mono --packing-fraction 0.5 --radius -1", "--radius is -1, must be positive"),
        (
            "--law mono --packing-fraction 0.5 --radius 1 --box 0,9,0,9,0,9",
            "--count, radii and --packing-fraction say more than the box leaves open",
        ),
        ("--law mono --packing-fraction 0.5 --box 0,9,0,9", "--box has 4 numbers, but the particles have 3 dimensions"),
        ("--law mono --placement lattice --packing-fraction 0.5 --box 0,9,0,9,0,9", "a lattice makes a box of its own"),
        (
            "--law mono --placement growth --packing-fraction 0.4 --relax -3",
            "--relax is -3, must be finite and not negative",
        ),
        (
            "--law bidisperse --ratio 30 --placement growth --packing-fraction 0.7",
            "largest diameter over length of the box is 1.1015009913023546, must be at most 1: take more particles, or a lower packing fraction",
        ),
        (
            "--law mono --packing-fraction 0.5 --dimension 2 --periodic z",
            "--periodic z, but the particles are in the plane",
        ),
        ("--law mono --packing-fraction 0.5 -o a.txt", "cannot tell the format of a.txt by its extension"),
        ("--law mono --packing-fraction 0.5 -o no/a.csv", "cannot write no/a.csv: there is no folder no"),
        (
            "--law table --table sizes.csv --packing-fraction 0.5",
            "cannot read sizes.csv: a radius of the size table is -1, must be positive and finite",
        ),
        ("--law table --table empty.csv --packing-fraction 0.5", "cannot read empty.csv: the file is empty"),
        (
            "--law table --table weights.csv --packing-fraction 0.5",
            "cannot read weights.csv: line 1: the header 'radius|weight' has no column radius",
        ),
        (
            "--law table --table gone.csv --packing-fraction 0.5",
            "cannot read gone.csv: No such file or directory (os error 2)",
        ),
    ] {
        let lines = folder.fails(&format!("pack --count 10 {args}"));
        assert_eq!(lines[0], format!("error: {error}"), "{args}");
    }
    assert_eq!(folder.names(), ["empty.csv", "sizes.csv", "weights.csv"]);
}

#[test]
fn boxes_are_noted_where_the_file_cannot_hold_them() {
    let folder = Folder::new();
    let args = "pack --law mono --count 8 --placement lattice --spacing 1,1,1 --periodic x";
    let outcome = folder.run(&format!("{args} -o a.csv"));
    assert_eq!(
        outcome.stderr,
        "note: the file does not hold the box; detect with --box 0,4,0,4,0,4\n\
         8 particles of radius 1, packing fraction 0.5236, by lattice, written to a.csv\n"
    );
    let message = folder.run(&format!("{args} -o a.xyz")).stderr;
    assert_eq!(message, "8 particles of radius 1, packing fraction 0.5236, by lattice, written to a.xyz\n");
    let with_margin = "--margin 0.1";
    assert_eq!(
        folder.ok(&format!("detect a.csv --box 0,4,0,4,0,4 --periodic x {with_margin}")),
        folder.ok(&format!("detect a.xyz {with_margin}")),
    );
}

#[test]
fn no_particles_are_a_system_too() {
    let folder = Folder::new();
    for name in ["a.csv", "a.npy", "a.xyz", "a.dump"] {
        folder.ok(&format!("pack --law mono --count 0 --packing-fraction 0.5 --dimension 2 -o {name}"));
        assert_eq!(without_ids(&folder.ok(&format!("detect {name}"))), "i,j,overlap\n", "{name}");
    }
}

#[test]
fn growth_fills_the_box_without_a_contact() {
    let folder = Folder::new();
    let args = "pack --law power --exponent -3 --ratio 5 --count 300 --packing-fraction 0.6 --placement growth";
    let periodic = folder.ok(&format!("{args} --periodic x,y,z -o a.xyz --json"));
    let report: Value = serde_json::from_str(&periodic).unwrap();
    assert!((report["packing_fraction"].as_f64().unwrap() - 0.6).abs() < 1e-9);
    assert_eq!(folder.ok("detect a.xyz"), "i,j,sx,sy,sz,overlap\n");
    let walls = folder.ok(&format!("{args} --dimension 2"));
    assert_eq!(walls, folder.ok(&format!("{args} --dimension 2 --threads 3")), "the same flags give the same system");
    assert_ne!(walls, folder.ok(&format!("{args} --dimension 2 --seed 2")));
}

#[test]
fn growth_says_where_it_jams() {
    let folder = Folder::new();
    let lines = folder.fails("pack --law mono --count 200 --packing-fraction 0.8 --placement growth -o a.csv");
    assert!(lines[0].starts_with("error: growth jams at a packing fraction of 0."), "{lines:?}");
    assert!(lines[0].ends_with(", short of 0.8"), "{lines:?}");
    assert!(lines[1].starts_with("hint: ask for less, at most 0."), "{lines:?}");
    assert!(folder.names().is_empty());
}

#[test]
fn relaxed_particles_have_moved_and_overlap_a_little() {
    let folder = Folder::new();
    let args = "pack --law uniform --ratio 2 --count 300 --packing-fraction 0.5 --placement growth";
    let grown = folder.ok(args);
    let relaxed = folder.ok(&format!("{args} --relax 4"));
    assert_ne!(relaxed, grown);
    assert_eq!(relaxed, folder.ok(&format!("{args} --relax 4 --threads 1")), "threads change nothing");
    let radii = |text: &str| text.lines().map(|row| row.rsplit(',').next().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(radii(&relaxed), radii(&grown));
    folder.write("a.csv", &relaxed);
    let contacts = folder.ok("detect a.csv");
    let overlaps: Vec<f64> =
        contacts.lines().skip(1).map(|row| row.rsplit(',').next().unwrap().parse().unwrap()).collect();
    // The mean of the deepest overlaps is a hundredth of the smallest radius, which is 1; large ones meet with more force.
    assert!(overlaps.len() > 10 && overlaps.iter().all(|&overlap| overlap < 0.1), "{overlaps:?}");
    assert_eq!(folder.ok(&format!("{args} --relax 0")), grown);
}

#[test]
fn particles_do_not_overlap_by_default() {
    let folder = Folder::new();
    let outcome =
        folder.run("pack --law uniform --ratio 30 --count 2000 --packing-fraction 0.6 --periodic x,y,z -o a.xyz");
    assert!(outcome.stderr.contains("packing fraction 0.6000, by growth, written to a.xyz"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("(ratio 29."), "the ratio reached is reported: {}", outcome.stderr);
    assert_eq!(folder.ok("detect a.xyz"), "i,j,sx,sy,sz,overlap\n");
}

#[test]
fn overlaps_of_random_places_are_counted() {
    let folder = Folder::new();
    let args = "pack --law mono --count 2e3 --packing-fraction 0.6 --periodic x,y,z -o a.xyz";
    let message = folder.run(&format!("{args} --placement random")).stderr;
    let contacts = folder.ok("detect a.xyz").lines().count() - 1;
    let expected =
        format!("note: placed at random, {},{:03} pairs overlap: --placement growth", contacts / 1000, contacts % 1000);
    assert!(contacts > 1000 && message.starts_with(&expected), "{message}");
    let message = folder.run("pack --law mono --count 1000 --packing-fraction 60 -o b.xyz").stderr;
    assert!(message.starts_with("note: a packing fraction of 60.000 is above 1"), "{message}");
    assert!(message.contains("a packing fraction above 0.64 is more than growth promises"), "{message}");
    let message = folder.run("pack --law mono --count 1 --packing-fraction 1 -o one.xyz").stderr;
    assert!(message.starts_with("1 particle of radius 1, packing fraction 1.0000,"), "{message}");
    let message = folder.run("pack --law mono --count 2 --packing-fraction 1e200 -o two.xyz").stderr;
    assert!(
        message.contains("a packing fraction of 1.000e200 is above 1") && message.contains("1 pair overlaps"),
        "{message}"
    );
    let jammed = folder.run("pack --law mono --count 12 --packing-fraction 0.62 -o c.xyz").stderr;
    assert!(jammed.contains("overlap: growth jams at"), "{jammed}");
}

#[test]
fn as_dense_as_it_gets() {
    let folder = Folder::new();
    let args = "pack --law bidisperse --ratio 1.4 --count 300 --packing-fraction max --seed 3";
    let report: Value = serde_json::from_str(&folder.ok(&format!("{args} --periodic x,y,z -o a.xyz --json"))).unwrap();
    let fraction = report["packing_fraction"].as_f64().unwrap();
    assert!((0.6..0.7).contains(&fraction), "{fraction}");
    assert_eq!(report["overlapping_pairs"], 0);
    let args = "pack --law bidisperse --ratio 1.4 --count 300 --packing-fraction max --periodic x,y";
    let report = folder.ok(&format!("{args} --box 0,0.1,0,0.1,-0.2,0 -o b.xyz --json"));
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["box"].to_string(), "[0.0,0.1,0.0,0.1,-0.2,0.0]");
    assert!(report["packing_fraction"].as_f64().unwrap() > 0.5, "{report}");
    assert_eq!(report["overlapping_pairs"], 0);
}

#[test]
fn a_box_leaves_one_of_count_radius_and_packing_fraction_open() {
    let folder = Folder::new();
    let column = "pack --law uniform --ratio 2 --box 0,0.1,0,0.1,0,0.5 --json -o a.xyz";
    let report = |args: &str| -> Value { serde_json::from_str(&folder.ok(&format!("{column} {args}"))).unwrap() };
    let counted = report("--radius 0.005 --packing-fraction 0.5");
    assert!((counted["packing_fraction"].as_f64().unwrap() - 0.5).abs() < 0.01, "{counted}");
    assert!((1000..2000).contains(&counted["particles"].as_u64().unwrap()), "{counted}");
    let scaled = report("--count 700 --packing-fraction 0.5");
    assert_eq!(scaled["particles"], 700);
    assert!((scaled["packing_fraction"].as_f64().unwrap() - 0.5).abs() < 1e-9);
    let free = report("--count 700 --radius 0.005");
    assert!(free["packing_fraction"].as_f64().unwrap() < 0.4, "{free}");
    assert_eq!(free["placement"], "growth");
    let file = String::from_utf8(folder.read("a.xyz")).unwrap();
    let inside = |line: &str| {
        let values: Vec<f64> = line.split(' ').skip(1).map(|value| value.parse().unwrap()).collect();
        let fits = |axis: usize, hi: f64| values[axis] >= values[3] && values[axis] <= hi - values[3];
        fits(0, 0.1) && fits(1, 0.1) && fits(2, 0.5)
    };
    assert!(file.lines().skip(2).all(inside), "walls stand on all sides");
}

const CLUMPS: &str =
    "pack --law uniform --ratio 1.3 --radius 0.01 --count 60 --spheres 0,0,0,1;1.3,0,0,0.9;0.5,1.1,0,0.8";

/// A scene of clumps from a file.
fn scene_of_clumps(file: &str, domain: &str) -> String {
    format!(
        "dimension = 3\nduration = 0.02\n[domain]\n{domain}\nperiodic = [\"x\", \"y\", \"z\"]\n[[material]]\nname = \"a\"\n\
         density = 1000.0\nstiffness = 1000.0\nrestitution = 0.5\nfriction = 0.5\n[[clumps]]\nfile = \"{file}\"\n\
         [output]\nsnapshot_every = 0.01\npicture = true\n"
    )
}

#[test]
fn clumps_are_packed_and_scenes_take_them() {
    let folder = Folder::new();
    let args = format!("{CLUMPS} --packing-fraction 0.2 --periodic x,y,z");
    let report: Value = serde_json::from_str(&folder.ok(&format!("{args} --json -o clumps.dump"))).unwrap();
    assert_eq!((report["clumps"].as_u64(), report["particles"].as_u64()), (Some(60), Some(180)));
    assert_eq!(report["overlapping_pairs"], 0);
    assert!((report["packing_fraction"].as_f64().unwrap() - 0.2).abs() < 1e-9, "{report}");
    folder.ok(&format!("{args} -o again.dump"));
    assert_eq!(folder.read("clumps.dump"), folder.read("again.dump"));
    folder.ok(&format!("{args} -o clumps.vtp"));
    folder.ok("view clumps.dump -o clumps.html");
    let side = report["box"][1].as_f64().unwrap();
    let domain = format!("lo = [0.0, 0.0, 0.0]\nhi = [{side}, {side}, {side}]");
    for end in ["dump", "vtp"] {
        let moving = "velocity = [0.5, 0.2, 0.0]\n[output]";
        let scene = scene_of_clumps(&format!("clumps.{end}"), &domain).replace("[output]", moving);
        folder.write("scene.toml", scene);
        let run: Value = serde_json::from_str(&folder.ok(&format!("simulate scene.toml --json -o {end}"))).unwrap();
        assert_eq!((run["clumps"].as_u64(), run["particles"].as_u64()), (Some(60), Some(180)), "{run}");
    }
    assert_eq!(folder.read("dump/checkpoint.bin"), folder.read("vtp/checkpoint.bin"));
    // Members lie in the first snapshot as they were packed.
    let places = |name: &str| {
        let text = String::from_utf8(folder.read(name)).unwrap();
        let rows = text.lines().skip_while(|line| !line.starts_with("ITEM: ATOMS")).skip(1);
        let numbers = rows.map(|row| row.split(' ').skip(2).take(4).map(|x| x.parse().unwrap()).collect());
        numbers.collect::<Vec<Vec<f64>>>()
    };
    let first = folder.names_in("dump").into_iter().find(|name| name.ends_with(".dump")).unwrap();
    for (packed, begun) in places("clumps.dump").iter().zip(&places(&format!("dump/{first}"))) {
        let off = |k: usize| (packed[k] - begun[k]).abs() % side;
        assert!((0..4).all(|k| off(k).min(side - off(k)) < 1e-9), "{packed:?} {begun:?}");
    }
}

/// Clumps of a snapshot go on as they moved, from the other side of a periodic box too.
#[test]
fn clumps_of_a_snapshot_begin_another_run() {
    let folder = Folder::new();
    folder.ok(&format!("{CLUMPS} --packing-fraction 0.25 --periodic x,y,z -o clumps.dump"));
    let text = String::from_utf8(folder.read("clumps.dump")).unwrap();
    let side: f64 = text.lines().nth(5).unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let domain = format!("lo = [0.0, 0.0, 0.0]\nhi = [{side}, {side}, {side}]");
    let shaken = "[[field]]\ngradient = [[0.0, 900.0, 0.0], [0.0, 0.0, 900.0], [0.0, 0.0, 0.0]]\n[output]";
    folder.write("a.toml", scene_of_clumps("clumps.dump", &domain).replace("[output]", shaken));
    folder.ok("simulate a.toml -o a");
    let last = folder.names_in("a").into_iter().rfind(|name| name.ends_with(".dump")).unwrap();
    folder.write("b.toml", scene_of_clumps(&format!("a/{last}"), &domain));
    folder.ok("simulate b.toml -o b --duration 1e-9");
    let energies = |run: &str, row: usize| -> Vec<f64> {
        let text = String::from_utf8(folder.read(&format!("{run}/energies.csv"))).unwrap();
        let rows: Vec<&str> = text.lines().skip(1).collect();
        rows[row % rows.len()].split(',').skip(3).take(2).map(|x| x.parse().unwrap()).collect()
    };
    let rows = String::from_utf8(folder.read("a/energies.csv")).unwrap().lines().count() - 1;
    for (before, after) in energies("a", rows - 1).into_iter().zip(energies("b", 0)) {
        assert!(before > 0.0 && (before / after - 1.0).abs() < 1e-6, "{before} {after}");
    }
}

#[test]
fn mistakes_in_clumps_are_reported() {
    let folder = Folder::new();
    let message = |args: &str| folder.fails(args).join(" ");
    let few = message("pack --law mono --count 3 --packing-fraction 0.1 --spheres 0,0,1;1,0,1 -o a.dump");
    assert!(few.contains("sphere 0 of --spheres has 3 numbers") && few.contains("x,y,z,radius"), "{few}");
    let none = message("pack --law mono --count 3 --packing-fraction 0.1 --spheres 0,0,0,-1 -o a.dump");
    assert!(none.contains("-1"), "{none}");
    let file = message(&format!("{CLUMPS} --packing-fraction 0.1 -o a.csv"));
    assert!(file.contains(".dump or .vtp"), "{file}");
    let dense = message(&format!("{CLUMPS} --packing-fraction 0.5 -o a.dump"));
    assert!(dense.contains("ask for less, or for max"), "{dense}");
    folder.ok("pack --law mono --count 3 --packing-fraction 0.1 -o plain.dump");
    folder.write("scene.toml", scene_of_clumps("plain.dump", "lo = [0.0, 0.0, 0.0]\nhi = [9.0, 9.0, 9.0]"));
    let plain = message("simulate scene.toml");
    assert!(plain.contains("scene.toml:14: ") && plain.contains("plain.dump has no clumps"), "{plain}");
    let text = scene_of_clumps("a", "lo = [0.0, 0.0, 0.0]\nhi = [9.0, 9.0, 9.0]").replace("file = \"a\"", "count = 3");
    folder.write("scene.toml", text);
    assert!(message("simulate scene.toml").contains("neither `count` and `spheres` nor `file`"));
}
