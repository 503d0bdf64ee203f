//! Scenes of the collection, cut to seconds: what comes out, against what it should be. `scenes/curves.py` runs them whole.

use super::Folder;
use super::flows::rows;
use std::collections::HashMap;
use std::fs;

/// A table of a run, by the names of its columns.
fn column(folder: &Folder, file: &str, name: &str) -> Vec<f64> {
    let text = String::from_utf8(folder.read(file)).unwrap();
    let place = text.lines().next().unwrap().split(',').position(|other| other == name).unwrap();
    rows(folder, file).iter().map(|row| row[place]).collect()
}

fn shipped(name: &str) -> String {
    format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

/// A scene with other words in it, that draws nothing.
fn cut(name: &str, changes: &[(&str, &str)]) -> String {
    let parts = format!("\"{}/../../scenes/parts/", env!("CARGO_MANIFEST_DIR"));
    let mut text = fs::read_to_string(shipped(name)).unwrap().replace("\"parts/", &parts);
    for (from, to) in [("picture = true", "page = false")].iter().chain(changes) {
        assert!(text.contains(from), "{name} has no {from}");
        text = text.replace(from, to);
    }
    text
}

/// Runs a scene with other words in it; the folder of the run is named like the scene.
fn run(name: &str, changes: &[(&str, &str)], duration: f64) -> Folder {
    let folder = Folder::with("cut.toml", cut(name, changes));
    folder.ok(&format!("simulate cut.toml --duration {duration} -o {name}"));
    folder
}

/// The columns of the last snapshots, the last one first.
fn snapshots(folder: &Folder, name: &str) -> Vec<HashMap<String, Vec<f64>>> {
    let entries = fs::read_dir(folder.path(name)).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|end| end == "dump")).collect();
    paths.sort();
    let read = |path: std::path::PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let mut lines = text.lines().skip_while(|line| !line.starts_with("ITEM: ATOMS"));
        let names: Vec<&str> = lines.next().unwrap().split_whitespace().skip(2).collect();
        let mut columns: HashMap<String, Vec<f64>> = names.iter().map(|name| (name.to_string(), Vec::new())).collect();
        for line in lines {
            for (name, value) in names.iter().zip(line.split_whitespace()) {
                columns.get_mut(*name).unwrap().push(value.parse().unwrap());
            }
        }
        columns
    };
    paths.into_iter().rev().map(read).collect()
}

fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = values.into_iter().fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}

/// The mean of a ratio of two columns of the table while a third is larger than a number.
fn mean_ratio(folder: &Folder, file: &str, of: [&str; 2], while_above: (&str, f64)) -> f64 {
    let [above, below, other] = [of[0], of[1], while_above.0].map(|name| column(folder, file, name));
    let late = (0..other.len()).filter(|&k| other[k] > while_above.1);
    mean(late.map(|k| above[k] / below[k]))
}

/// The slope of a line through points.
fn slope(points: &[[f64; 2]]) -> f64 {
    let [x, y] = [0, 1].map(|axis| mean(points.iter().map(|point| point[axis])));
    let across = points.iter().map(|point| (point[0] - x) * (point[1] - y)).sum::<f64>();
    across / points.iter().map(|point| (point[0] - x).powi(2)).sum::<f64>()
}

/// `scenes/curves.py` runs these to their end; here they begin.
#[test]
fn every_scene_with_a_curve_begins() {
    let folder = Folder::new();
    for (name, duration) in [
        ("screw", 0.01),
        ("vibrated-bed", 0.002),
        ("oedometer", 0.001),
        ("simple-shear", 0.3),
        ("triaxial", 0.0005),
        ("polygon-shear", 0.02),
        ("clump-hopper", 0.002),
        ("repose-rolling", 0.05),
        ("cohesive-collapse", 0.001),
        ("agglomerate", 0.0002),
        ("pull-off", 0.0001),
        ("clump-impact", 0.001),
        ("wet-drum", 0.002),
    ] {
        folder.ok(&format!("simulate {} --duration {duration} -o {name}", shipped(name)));
        assert!(rows(&folder, &format!("{name}/energies.csv")).len() > 1, "{name}");
    }
    assert!(column(&folder, "screw/flows.csv", "feed_grains").last().unwrap() > &20.0);
}

#[test]
fn the_lid_of_the_oedometer_comes_to_its_pressure() {
    let folder = Folder::new();
    folder.ok(&format!("simulate {} --duration 0.24 -o run", shipped("oedometer")));
    let (lid, floor) = (column(&folder, "run/walls.csv", "lid_fz"), column(&folder, "run/walls.csv", "box_z_lo_fz"));
    let force = 4000.0 * 0.05 * 0.05;
    assert!((lid.last().unwrap() / force - 1.0).abs() < 0.01, "{:?}", lid.last());
    // The floor bears lid and grains: 700 spheres weigh some 1.5 N.
    let weight = -floor.last().unwrap() - lid.last().unwrap();
    assert!((1.2..1.9).contains(&weight), "{weight}");
}

#[test]
fn adhesion_holds_a_column_that_runs_out_without() {
    let folder = Folder::new();
    let heights = ["0.02", "0"].map(|adhesion| {
        let text = fs::read_to_string(shipped("cohesive-collapse")).unwrap();
        assert!(text.contains("\nadhesion = 0.02\n"));
        folder.write("column.toml", text.replace("\nadhesion = 0.02\n", &format!("\nadhesion = {adhesion}\n")));
        folder.ok(&format!("simulate column.toml --duration 0.3 -o run-{adhesion}"));
        *column(&folder, &format!("run-{adhesion}/energies.csv"), "gravitational").last().unwrap()
    });
    // How high grains lie, in the mean.
    assert!(heights[0] > 1.25 * heights[1], "{heights:?}");
}

/// Grains that a screw holds at the bottom of its trough cannot turn with it: a turn moves them by its pitch.
#[test]
fn a_turn_of_the_screw_moves_grains_by_its_pitch() {
    let folder = run("screw", &[("law = \"uniform\"", "limit = 150\nlaw = \"uniform\"")], 1.0);
    let all = snapshots(&folder, "screw");
    // Snapshots are a quarter of a second, half a turn, apart.
    let (now, before) = (&all[0], &all[2]);
    let then: HashMap<u64, f64> = before["id"].iter().map(|id| *id as u64).zip(before["x"].iter().copied()).collect();
    let moved = mean(now["id"].iter().zip(&now["x"]).map(|(id, x)| x - then[&(*id as u64)]));
    assert_eq!(now["id"].len(), 150);
    assert!((moved / 0.05 - 1.0).abs() < 0.05, "{moved}");
}

#[test]
fn a_triaxial_test_finds_the_angle_of_friction_of_spheres() {
    let changes = [("count = 1000", "count = 200"), ("0.022, 0.022, 0.022", "0.0129, 0.0129, 0.0129")];
    let folder = run("triaxial", &changes, 0.35);
    let file = "triaxial/energies.csv";
    let ratio = mean_ratio(&folder, file, ["stress_zz", "stress_xx"], ("time", 0.25));
    let angle = ((ratio - 1.0) / (ratio + 1.0)).asin().to_degrees();
    // 18 to 25 for a friction of 0.5; without friction 4.
    assert!((17.0..25.0).contains(&angle), "{angle}");
    let late = column(&folder, file, "time").into_iter().zip(column(&folder, file, "stress_yy"));
    let side = mean(late.filter(|(time, _)| *time > 0.25).map(|(_, stress)| stress)) / 1e4;
    assert!((side - 1.0).abs() < 0.04, "{side}");
}

#[test]
fn sheared_polygons_rub_as_angular_grains_do() {
    let changes = [("count = 250", "count = 60"), ("hi = [0.7, 0.7]", "hi = [0.345, 0.345]")];
    let folder = run("polygon-shear", &changes, 1.8);
    let ratio = -mean_ratio(&folder, "polygon-shear/energies.csv", ["stress_xy", "stress_yy"], ("strain_xy", 0.6));
    // 0.44 in the whole scene, 0.17 without friction.
    assert!((0.38..0.54).contains(&ratio), "{ratio}");
}

/// da Cruz and others (2005): shear stress over pressure is 0.26 + 1.1 I.
#[test]
fn sheared_discs_follow_the_law_of_the_inertial_number() {
    let changes = [("count = 700", "count = 150"), ("[28.0, 28.0]", "[13.0, 13.0]"), ("until = 30.0", "until = 11.0")];
    let folder = run("simple-shear", &changes, 40.0);
    let ratio = -mean_ratio(&folder, "simple-shear/energies.csv", ["stress_xy", "stress_yy"], ("time", 22.0));
    // The rate is 0.1 then; without friction 0.21.
    assert!((ratio - 0.37).abs() < 0.05, "{ratio}");
    let pressure = column(&folder, "simple-shear/energies.csv", "stress_yy");
    assert!((mean(pressure.into_iter().skip(88)) - 1.0).abs() < 0.02);
}

#[test]
fn resistance_to_rolling_makes_a_heap_steep() {
    let angles = ["0.4", "0.0"].map(|rolling| {
        let rolling = format!("rolling_friction = {rolling}");
        let folder = run(
            "repose-rolling",
            &[
                ("rate = 300.0", "rate = 500.0"),
                ("limit = 600", "limit = 250"),
                ("rolling_friction = 0.4", &rolling),
                ("snapshot_every = 0.5", "snapshot_every = 0.9"),
            ],
            0.9,
        );
        let grains = &snapshots(&folder, "repose-rolling")[0];
        // The highest grain of each column, above the floor, flanks without foot and top.
        let mut tops: HashMap<i64, f64> = HashMap::new();
        for ((x, y), radius) in
            grains["x"].iter().zip(&grains["y"]).zip(&grains["radius"]).filter(|((_, y), _)| **y > 0.0)
        {
            let top = tops.entry((x / 0.008).floor() as i64).or_default();
            *top = top.max(y + radius);
        }
        let highest = tops.values().copied().fold(0.0, f64::max);
        let flank = tops.into_iter().filter(|(_, top)| (0.2 * highest..0.85 * highest).contains(top));
        let (left, right): (Vec<_>, Vec<_>) =
            flank.map(|(column, top)| [(column as f64 + 0.5) * 0.008, top]).partition(|point| point[0] < 0.0);
        (0.5 * (slope(&left) - slope(&right))).atan().to_degrees()
    });
    // 30 and 20 in the whole scene; the second is still running out.
    assert!((22.0..34.0).contains(&angles[0]) && (8.0..20.0).contains(&angles[1]), "{angles:?}");
}

/// Beverloo's law for slits: density of the bulk times slit times sqrt(g) (width - 1.4 d)^1.5, with a coefficient of about 1.
#[test]
fn clumps_leave_a_hopper_as_fast_as_beverloo_says() {
    let folder = run(
        "clump-hopper",
        &[
            ("count = 900", "count = 250"),
            ("hi = [0.06, 0.012, 0.196]", "hi = [0.06, 0.012, 0.072]"),
            ("[0.3, 0.0, 0.0, 0.0], [0.31", "[0.1, 0.0, 0.0, 0.0], [0.11"),
            ("snapshot_every = 0.1", "table_every = 0.005"),
        ],
        0.3,
    );
    let [time, mass] = ["time", "outlet_mass"].map(|name| column(&folder, "clump-hopper/flows.csv", name));
    let steady = time.into_iter().zip(mass).filter(|(_, mass)| (0.002..0.01).contains(mass));
    let flow = slope(&steady.map(|(time, mass)| [time, mass]).collect::<Vec<_>>());
    let law = 1.03 * 0.58 * 2500.0 * 0.012 * 9.81f64.sqrt() * (0.016f64 - 1.4 * 0.00356).powf(1.5);
    // Without friction 1.4 times as much.
    assert!((0.65..1.05).contains(&(flow / law)), "{flow} {law}");
}

/// What hits a wall changes its momentum by the impulse of the wall, and its energy goes into motion, springs, bonds and heat: the account stays
/// closed while bonds break. A stress wave of `density c v`, with the speed of sound `c` of the bonded block, stays far below the strength of bonds
/// at 1 m/s and exceeds it at 6 m/s.
#[test]
fn a_fast_agglomerate_breaks_and_a_slow_one_jumps_back() {
    let [fast, slow] = ["6.0", "1.0"].map(|speed| {
        let velocity = format!("velocity = [0.0, 0.0, -{speed}]");
        let folder = run(
            "agglomerate",
            &[
                ("count = 360", "count = 110"),
                ("lo = [-0.0125, -0.0125, 0.0006]", "lo = [-0.0085, -0.0085, 0.0006]"),
                ("hi = [0.0125, 0.0125, 0.0256]", "hi = [0.0085, 0.0085, 0.0176]"),
                ("velocity = [0.0, 0.0, -6.0]", &velocity),
                ("table_every = 0.00005", "table_every = 0.00001"),
            ],
            0.003,
        );
        let [total, taken] = ["total", "dissipated"].map(|name| column(&folder, "agglomerate/energies.csv", name));
        let start = total[0];
        for (total, taken) in total.iter().zip(&taken) {
            assert!(((total + taken) / start - 1.0).abs() < 0.01, "{total} and {taken} of {start} at {speed} m/s");
        }
        let [time, force] = ["time", "wall0_fz"].map(|name| column(&folder, "agglomerate/walls.csv", name));
        let impulse: f64 =
            (1..time.len()).map(|k| 0.5 * (force[k] + force[k - 1]) * (time[k] - time[k - 1])).sum::<f64>();
        let momentum = column(&folder, "agglomerate/energies.csv", "pz");
        let change = momentum.last().unwrap() - momentum[0];
        assert!((-impulse / change - 1.0).abs() < 0.02, "{impulse} changes the momentum by {change}");
        ["bonds", "bonds_broken", "pz"].map(|name| column(&folder, "agglomerate/energies.csv", name))
    });
    let share = fast[1].last().unwrap() / fast[0][0];
    assert!((0.05..1.0).contains(&share), "{share}");
    assert_eq!(slow[1].last(), Some(&0.0));
    // A body that stays whole jumps back, by less than it came with: bonds and contacts take some.
    let restitution = -slow[2].last().unwrap() / slow[2][0];
    assert!((0.0..1.0).contains(&restitution), "{restitution}");
}

/// Grains and walls of the scenes with parts that `scenes/parts/make.py` makes.
const AMONG_PARTS: &str = r#"
dimension = 3
gravity = [0.0, 0.0, -9.81]

[[material]]
name = "grain"
density = 2500.0
stiffness = 600.0
restitution = 0.5
friction = 0.2
"#;

fn part(name: &str) -> String {
    format!("shape = \"mesh\"\nfile = \"{}/../../scenes/parts/{name}\"\nscale = 0.001\n", env!("CARGO_MANIFEST_DIR"))
}

/// Between its sides, and out at its lower end, goes all that falls on the chute.
#[test]
fn a_chute_carries_all_that_falls_on_it() {
    let scene = format!(
        r#"duration = 0.7{AMONG_PARTS}
[domain]
lo = [0.0, -0.02, -0.05]
hi = [0.5, 0.08, 0.25]
leaving = "allow"
[[wall]]
{}
[[particles]]
count = 30
radius = 0.004
lo = [0.01, 0.01, 0.14]
hi = [0.06, 0.05, 0.19]
[[meter]]
name = "outlet"
point = [0.24, 0.0, 0.0]
normal = [1.0, 0.0, 0.0]
lo = [0.2, 0.0, -0.01]
hi = [0.3, 0.06, 0.05]
[[remove]]
where = "beyond"
point = [0.3, 0.0, 0.0]
normal = [1.0, 0.0, 0.0]
"#,
        part("chute.obj")
    );
    let folder = Folder::with("chute.toml", scene);
    folder.ok("simulate chute.toml -o chute");
    assert_eq!(column(&folder, "chute/flows.csv", "outlet_grains").last(), Some(&30.0));
    assert_eq!(column(&folder, "chute/flows.csv", "remove0_grains").last(), Some(&30.0));
}

/// Blades push grains on before them: in the mean these turn in the same direction, and no faster.
#[test]
fn blades_of_a_mixer_stir_grains() {
    let scene = format!(
        r#"duration = 0.6{AMONG_PARTS}
[domain]
lo = [-0.06, -0.06, -0.001]
hi = [0.06, 0.06, 0.1]
[[wall]]
shape = "cylinder"
point = [0.0, 0.0, 0.0]
axis = [0.0, 0.0, 1.0]
radius = 0.055
[[wall]]
shape = "plane"
point = [0.0, 0.0, -0.001]
normal = [0.0, 0.0, 1.0]
[[wall]]
{}spin = [0.0, 0.0, 12.0]
about = [0.0, 0.0, 0.0]
moves = true
[[particles]]
count = 80
radius = 0.004
lo = [-0.035, -0.035, 0.03]
hi = [0.035, 0.035, 0.09]
[output]
snapshot_every = 0.02
formats = ["dump"]
"#,
        part("blades.stl")
    );
    let folder = Folder::with("mixer.toml", scene);
    folder.ok("simulate mixer.toml -o mixer");
    let turning = mean(snapshots(&folder, "mixer")[..10].iter().flat_map(|grains| {
        let of = |name: &str| &grains[name];
        (0..80)
            .map(move |k| {
                let [x, y, vx, vy] = ["x", "y", "vx", "vy"].map(|name| of(name)[k]);
                (x * vy - y * vx) / (x * x + y * y)
            })
            .collect::<Vec<_>>()
    }));
    assert!((3.0..12.5).contains(&turning), "{turning}");
}

#[test]
fn a_large_disc_rises_where_the_floor_is_shaken_hard() {
    let [hard, softly] = [("0.0025", 2.4), ("0.0005", 0.96)].map(|(amplitude, duration)| {
        let amplitude = format!("amplitude = {amplitude}");
        let folder = run(
            "vibrated-bed",
            &[
                ("hi = [0.12, 0.3]", "hi = [0.06, 0.3]"),
                ("lo = [0.05, 0.011]", "lo = [0.02, 0.011]"),
                ("hi = [0.07, 0.03]", "hi = [0.04, 0.03]"),
                ("count = 400", "count = 150"),
                ("hi = [0.118, 0.12]", "hi = [0.058, 0.1]"),
                ("amplitude = 0.0025", &amplitude),
            ],
            duration,
        );
        let grains = &snapshots(&folder, "vibrated-bed")[0];
        let large = grains["radius"].iter().position(|radius| *radius == 0.009).unwrap();
        // How many of the small ones are lower.
        mean(grains["y"].iter().map(|y| f64::from(*y < grains["y"][large])))
    });
    assert!(hard > 0.4 && softly < 0.2, "{hard} {softly}");
}

#[test]
fn water_makes_the_surface_in_a_drum_steep() {
    let [wet, dry] = ["0.3", "1e-9"].map(|tension| {
        let tension = format!("surface_tension = {tension}");
        let folder = run(
            "wet-drum",
            &[
                ("count = 600", "count = 160"),
                ("radius = 0.1\n", "radius = 0.052\n"),
                ("stiffness = 800.0", "stiffness = 300.0"),
                ("lo = [-0.085, -0.052]", "lo = [-0.042, -0.028]"),
                ("hi = [0.085, 0.052]", "hi = [0.042, 0.028]"),
                ("spin = [2.0]", "spin = [2.6]"),
                ("snapshot_every = 0.1", "snapshot_every = 0.05"),
                ("surface_tension = 0.072", &tension),
            ],
            1.2,
        );
        // By how much the center of all is turned from the lowest place, in the second half.
        let all = snapshots(&folder, "wet-drum");
        mean(all[..all.len() / 2].iter().map(|grains| {
            let [x, y] = ["x", "y"].map(|name| mean(grains[name].iter().copied()));
            x.atan2(-y).to_degrees()
        }))
    });
    // Without friction nothing is lifted.
    assert!((26.0..36.0).contains(&dry) && (1.1..1.5).contains(&(wet / dry)), "{wet} {dry}");
}
