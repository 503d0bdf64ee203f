//! Ranks: the bytes of one, whoever reads, searches and writes.

use super::{Folder, GRAINS, Outcome};

/// Grains of very different sizes, some of them outside the box.
fn mixture() -> String {
    let mut text = String::from("x,y,z,r\n");
    let mut seed = 12345u64;
    let mut number = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as f64 / f64::from(1u32 << 31)
    };
    for k in 0..600 {
        let radius = if k % 97 == 0 { 3.0 } else { 0.1 + 0.5 * number().powi(4) };
        text += &format!("{},{},{},{radius}\n", 11.0 * number() - 0.5, 10.0 * number(), 10.0 * number());
    }
    text
}

#[test]
fn every_number_of_ranks_writes_the_same_bytes() {
    let folder = Folder::with("grains.csv", mixture());
    // Arrays are read in pieces.
    folder.ok("convert grains.csv -o grains.npy");
    let spaces =
        ["", "--box 0,10,0,10,0,10 --periodic x,z", "--cell 10,0,0,3,10,0,-2,1,9 --periodic x,y,z --margin 0.05"];
    for space in spaces {
        for (input, list) in [
            ("grains.csv", "list.csv"),
            ("grains.npy", "list.csv"),
            ("grains.npy", "list.npy"),
            ("grains.csv", "list.csv.gz"),
        ] {
            let detect = |ranks: &str| {
                folder.ok(&format!("detect {input} -o {list} {space} {ranks}"));
                folder.read(list)
            };
            let alone = detect("");
            for ranks in [2, 3, 7] {
                assert!(detect(&format!("--ranks {ranks}")) == alone, "{input} to {list} on {ranks} ranks {space:?}");
            }
        }
    }
}

#[test]
fn standard_output_and_ids_are_those_of_one_rank() {
    let dump = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10\nITEM: ATOMS id x y z radius\n17 1 1 1 1\n5 2.5 1 1 1\n40 9.5 1 1 1\n";
    let folder = Folder::with("grains.dump", dump);
    let alone = folder.ok("detect grains.dump");
    assert_eq!(folder.ok("detect grains.dump --ranks 5"), alone);
    assert!(alone.contains("id_i"), "{alone}");
}

#[test]
fn json_reports_what_each_rank_did() {
    let folder = Folder::with("grains.csv", mixture());
    let report: serde_json::Value = serde_json::from_str(&folder.ok("detect grains.csv --json --ranks 4")).unwrap();
    let ranks = report["per_rank"].as_array().unwrap();
    assert_eq!((report["ranks"].as_u64(), ranks.len()), (Some(4), 4));
    let sum = |key: &str| ranks.iter().map(|rank| rank[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("particles"), 600);
    assert_eq!(Some(sum("contacts")), report["contacts"].as_u64());
    for key in ["ghosts", "messages", "bytes"] {
        assert_eq!(Some(sum(key)), report[key].as_u64());
    }
    assert!(sum("ghosts") > 0 && sum("candidates") > 0);
    // Ranks that are threads share the memory of their process.
    let most = ranks.iter().map(|rank| rank["peak_memory_bytes"].as_u64().unwrap()).max();
    assert_eq!(most, report["peak_memory_bytes"].as_u64());
    let imbalance = report["imbalance"].as_f64().unwrap();
    assert!((1.0..3.0).contains(&imbalance), "{imbalance}");
}

#[test]
fn an_error_is_reported_once_in_the_words_of_one_rank() {
    let folder = Folder::with("grains.csv", GRAINS);
    folder.write("bad.csv", "x,y,r\n0,0,1\n1,nan,1\n");
    for words in [
        "detect bad.csv",
        "detect grains.csv --method hgrid --cell-sizes 0.5",
        "detect missing.csv",
        "detect grains.csv -o nowhere/list.csv",
    ] {
        assert_eq!(folder.fails(&format!("{words} --ranks 4")), folder.fails(words));
    }
    let refused = folder.fails("detect grains.csv --repeat 3 --ranks 2");
    assert!(refused[0].contains("--repeat works on one rank"), "{refused:?}");
}

#[cfg(not(feature = "mpi"))]
#[test]
fn copies_that_do_not_know_of_each_other_are_noticed() {
    let folder = Folder::with("grains.csv", GRAINS);
    for (variable, by) in [("OMPI_COMM_WORLD_SIZE", "OpenMPI"), ("PMI_SIZE", "MPICH"), ("SLURM_STEP_NUM_TASKS", "srun")]
    {
        let run = |words: &str| {
            let mut command = folder.command(words);
            command.env(variable, "4");
            Outcome::of(command)
        };
        let refused = run("detect grains.csv").failure(variable);
        assert!(refused[0].starts_with(&format!("error: {by} started 4 copies of a program")), "{refused:?}");
        assert!(refused[1].contains("--features mpi"), "{refused:?}");
        let rank = if by == "OpenMPI" { "OMPI_COMM_WORLD_RANK" } else { "PMI_RANK" };
        let mut another = folder.command("detect grains.csv");
        another.env(variable, "4").env(rank, "3");
        let another = Outcome::of(another);
        assert_eq!((another.code, another.stderr.as_str()), (2, ""), "the first reports it");
        assert_eq!(run("detect grains.csv --ranks 1").code, 0, "copies may be what somebody wants");
    }
}

#[test]
fn a_system_is_cut_for_ranks_on_paper() {
    let folder = Folder::with("grains.csv", mixture());
    let words = "scale grains.csv --ranks 1,4,32 --box 0,10,0,10,0,10 --periodic x,y,z";
    let text = folder.ok(words);
    assert!(text.starts_with("600 particles, "), "{text}");
    assert_eq!(text.lines().filter(|line| line.ends_with("same pairs")).count(), 3, "{text}");
    let report: serde_json::Value = serde_json::from_str(&folder.ok(&format!("{words} --json"))).unwrap();
    let alone = &report["cuts"][0];
    assert_eq!(alone["per_rank"][0]["ghosts"], 0);
    assert!((alone["work"].as_f64().unwrap() - 1.0).abs() < 0.01, "only the border is elsewhere");
    let cut = &report["cuts"][2];
    assert_eq!(cut["per_rank"].as_array().unwrap().len(), 32);
    assert!(cut["guests_per_particle"].as_f64().unwrap() > 0.0);
    assert!(cut["step_efficiency"].as_f64().unwrap() < 1.0);
}

/// Grains fall on a floor between periodic sides; more come, and some leave through a hole.
const SCENE: &str = r#"
dimension = 2
duration = 0.12
gravity = [0.0, -9.81]

[domain]
lo = [0.0, 0.0]
hi = [1.0, 1.0]
periodic = ["x"]
leaving = "allow"

[[material]]
name = "grain"
density = 100.0
stiffness = 1e4
restitution = 0.5
friction = 0.5

[[wall]]
shape = "plate"
corners = [[0.1, 0.2], [0.9, 0.3]]
material = "grain"

[[particles]]
count = 60
law = "uniform"
ratio = 3.0
radius = 0.01
lo = [0.1, 0.35]
hi = [0.9, 0.7]
speed = 1.0

[[insert]]
lo = [0.3, 0.8]
hi = [0.7, 0.95]
rate = 300.0
law = "mono"
radius = 0.03

[[remove]]
where = "beyond"
point = [0.0, 0.1]
normal = [0.0, -1.0]

[output]
snapshot_every = 0.03
table_every = 0.01
"#;

/// Polygons and discs fall on a plate, and are drawn.
const POLYGONS: &str = r#"
dimension = 2
duration = 0.08
gravity = [0.0, -9.81]

[domain]
lo = [0.0, 0.0]
hi = [0.5, 0.5]
periodic = ["x"]

[[material]]
name = "grain"
density = 1000.0
modulus = 2e5
friction = 0.5

[[wall]]
shape = "plate"
corners = [[-0.1, 0.05], [0.6, 0.05]]

[[polygons]]
count = 30
corners = [3, 8]
radius = 0.02
lo = [0.0, 0.06]
hi = [0.5, 0.4]
speed = 0.5

[[particles]]
count = 5
radius = 0.02
placement = "lattice"
spacing = 1.2
lo = [0.0, 0.42]
hi = [0.5, 0.5]

[output]
snapshot_every = 0.03
formats = ["vtp", "dump", "svg"]
picture = true
"#;

/// Clumps and warmer spheres in space under a lid that a servo presses, over a floor that wears off.
const PRESSED: &str = r#"
dimension = 3
duration = 0.004
gravity = [0.0, 0.0, -9.81]

[domain]
lo = [0.0, 0.0, 0.0]
hi = [0.03, 0.03, 0.05]
periodic = ["x", "y"]

[[material]]
name = "grain"
density = 2500.0
stiffness = 2000.0
restitution = 0.4
friction = 0.4
conductivity = 1.0
heat_capacity = 500.0

[[wall]]
name = "floor"
shape = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
wear = { coefficient = 1e-3, hardness = 1e3 }

[[wall]]
name = "lid"
shape = "plane"
point = [0.0, 0.0, 0.04]
normal = [0.0, 0.0, -1.0]

[wall.motion]
kind = "servo"
direction = [0.0, 0.0, -1.0]
pressure = 1000.0
max_speed = 2.0

[[clumps]]
count = 25
spheres = [[0.0, 0.0, 0.0, 1.0], [1.3, 0.0, 0.0, 0.9], [0.5, 1.1, 0.0, 0.8]]
radius = 0.0024
lo = [0.0, 0.0, 0.001]
hi = [0.03, 0.03, 0.03]
speed = 1.0
temperature = 300.0

[[particles]]
count = 60
radius = 0.0012
lo = [0.0, 0.0, 0.032]
hi = [0.03, 0.03, 0.04]
speed = 1.0
temperature = 350.0

[output]
snapshot_every = 0.001
table_every = 0.0005
formats = ["vtp", "dump", "png"]
"#;

/// All files of a run but the state before the last, its table without the times in the last column.
fn run_files(folder: &Folder, run: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder.path(run)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut bytes = std::fs::read(&path).unwrap();
        if name == "energies.csv" {
            let text = String::from_utf8(bytes).unwrap();
            bytes = text.lines().flat_map(|line| line.rsplit_once(',').unwrap().0.bytes().chain([b'\n'])).collect();
        }
        if name != "checkpoint.previous.bin" {
            files.push((name, bytes));
        }
    }
    files.sort();
    files
}

/// That both runs have the same files.
fn same_files(ours: &[(String, Vec<u8>)], theirs: &[(String, Vec<u8>)], what: &str) {
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|file| file.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(ours), names(theirs), "{what}");
    for ((name, ours), (_, theirs)) in ours.iter().zip(theirs) {
        assert!(ours == theirs, "{name} {what}");
    }
}

#[test]
fn every_kind_of_run_on_ranks_writes_the_files_of_one() {
    let folder = Folder::with("polygons.toml", POLYGONS);
    folder.write("pressed.toml", PRESSED);
    for (scene, some) in [("polygons", "picture.png"), ("pressed", "walls.csv")] {
        let report = |words: &str| -> serde_json::Value {
            serde_json::from_str(&folder.ok(&format!("simulate {scene}.toml --json {words}"))).unwrap()
        };
        let expected = report("-o alone --overwrite");
        let alone = run_files(&folder, "alone");
        assert!(alone.iter().any(|file| file.0 == some), "{scene}");
        let table = super::flows::rows(&folder, "alone/energies.csv");
        assert!(table.iter().flatten().all(|number| number.is_finite()), "{scene}");
        for ranks in [2, 5] {
            let found = report(&format!("-o run --overwrite --ranks {ranks}"));
            for key in ["fingerprint", "particles", "clumps", "polygons", "total_energy", "stress", "largest_overlap"] {
                assert_eq!(found[key], expected[key], "{key} of {scene}");
            }
            same_files(&run_files(&folder, "run"), &alone, &format!("{scene} on {ranks} ranks"));
        }
    }
}

#[test]
fn simulations_on_ranks_write_the_bytes_of_one() {
    let folder = Folder::with("scene.toml", SCENE);
    folder.ok("simulate scene.toml -o alone");
    let alone = run_files(&folder, "alone");
    assert!(alone.len() > 4, "{:?}", alone.iter().map(|file| &file.0).collect::<Vec<_>>());
    for ranks in [2, 3, 5] {
        folder.ok(&format!("simulate scene.toml --overwrite -o run --ranks {ranks}"));
        same_files(&run_files(&folder, "run"), &alone, &format!("{ranks} ranks"));
    }
    // Half of it, and on with other ranks.
    folder.ok("simulate scene.toml --overwrite -o run --duration 0.06 --ranks 4");
    folder.ok("simulate scene.toml --resume -o run --ranks 3");
    same_files(&run_files(&folder, "run"), &alone, "resumed");
}

#[test]
fn what_stops_a_simulation_on_ranks_is_reported_as_by_one() {
    let strict = SCENE
        .replace("leaving = \"allow\"", "leaving = \"error\"")
        .replace("where = \"beyond\"\npoint = [0.0, 0.1]", "where = \"beyond\"\npoint = [0.0, -9.0]");
    let folder = Folder::with("scene.toml", strict);
    let alone = folder.fails("simulate scene.toml -o run --duration 1");
    assert!(alone[0].contains("left the bounds"), "{alone:?}");
    let lost = folder.read("run/lost-snapshot.vtp");
    for ranks in [2, 4] {
        assert_eq!(
            folder.fails(&format!("simulate scene.toml -o run --overwrite --duration 1 --ranks {ranks}")),
            alone
        );
        assert!(folder.read("run/lost-snapshot.vtp") == lost, "{ranks} ranks");
    }
    folder.write("bad.toml", "dimension = 7\n");
    assert_eq!(folder.fails("simulate bad.toml --ranks 3"), folder.fails("simulate bad.toml"));
}

/// A limit on the size of files does what a full disk does: the last state, larger than the first, cannot be written.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_ends_all_ranks_with_one_message_and_a_state_to_go_on_from() {
    let folder = Folder::with("scene.toml", SCENE.replace("snapshot_every = 0.03\n", ""));
    folder.ok("simulate scene.toml -o alone");
    let alone = run_files(&folder, "alone");
    // In blocks of 512 bytes.
    let limit = folder.read("alone/checkpoint.bin").len() / 512;
    let limited = |words: &str| {
        let mut command = assert_cmd::Command::new("sh");
        command.current_dir(folder.path("")).arg("-c");
        command
            .arg(format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" {words}"))
            .arg(env!("CARGO_BIN_EXE_multigrain"));
        Outcome::of(command).failure(words)
    };
    let by_one = limited("simulate scene.toml -o run");
    assert!(by_one[0].starts_with("error: cannot write run/checkpoint.bin: "), "{by_one:?}");
    for ranks in [2, 4] {
        assert_eq!(limited(&format!("simulate scene.toml -o run --overwrite --ranks {ranks}")), by_one);
        folder.ok(&format!("simulate scene.toml -o run --resume --ranks {}", ranks + 1));
        same_files(&run_files(&folder, "run"), &alone, &format!("{ranks} ranks"));
    }
}

#[test]
fn the_share_of_detection_is_measured_on_ranks_too() {
    let folder = Folder::with("scene.toml", SCENE);
    let report: serde_json::Value =
        serde_json::from_str(&folder.ok("simulate scene.toml -o run --json --ranks 2")).unwrap();
    let share = report["detection_share"].as_f64().unwrap();
    assert!(share > 0.0 && share < 1.0, "{share}");
}
