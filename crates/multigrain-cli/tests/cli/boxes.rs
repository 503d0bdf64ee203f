//! Boxes that lean and deform, from scenes.

use super::Folder;
use serde_json::Value;

/// Discs that are pressed together and then sheared at that stress.
const SHEAR: &str = r#"
dimension = 2
duration = 2.0

[domain]
lo = [0.0, 0.0]
hi = [9.0, 9.0]
periodic = ["x", "y"]

[[deform]]
pressure = 2.0
max_rate = 0.3
until = 0.5

[[deform]]
rates = { xy = 1.0 }
stress = { yy = 2.0 }
max_rate = 0.3

[[material]]
name = "grain"
density = 1.0
stiffness = 200.0
restitution = 0.5
friction = 0.4

[[particles]]
count = 80
radius = 0.45
placement = "growth"

[output]
table_every = 0.1
snapshot_every = 1.0
checkpoint_every = 0.02
picture = true
"#;

fn report(folder: &Folder, args: &str) -> Value {
    serde_json::from_str(&folder.ok(&format!("simulate {args} --json"))).unwrap()
}

fn table(folder: &Folder, name: &str) -> Vec<String> {
    let text = String::from_utf8(folder.read(name)).unwrap();
    text.lines().map(|row| row.rsplit_once(',').unwrap().0.to_owned()).collect()
}

#[test]
fn boxes_deform_report_stress_and_go_on_bit_for_bit() {
    let folder = Folder::new();
    folder.write("shear.toml", SHEAR);
    let whole = report(&folder, "shear.toml -o whole");
    assert_eq!(whole["stress"].as_array().map(Vec::len), Some(2), "{whole}");
    let edges = &whole["edges"];
    assert!(edges[1][0].as_f64().unwrap() != 0.0 && edges[0][1].as_f64() == Some(0.0), "{edges}");
    let rows = table(&folder, "whole/energies.csv");
    let head: Vec<&str> = rows[0].split(',').collect();
    let column = |name: &str| head.iter().position(|other| *other == name).unwrap();
    let last: Vec<&str> = rows.last().unwrap().split(',').collect();
    let value = |name: &str| last[column(name)].parse::<f64>().unwrap();
    assert!((value("strain_xy") - 1.5).abs() < 0.02, "{rows:?}");
    assert!(value("stress_yy") > 1.0 && value("stress_xy") < 0.0);
    let volume = edges[0][0].as_f64().unwrap() * edges[1][1].as_f64().unwrap();
    assert!((value("volume") - volume).abs() < 1e-9);
    // In two goes, with another method.
    report(&folder, "shear.toml -o parts --duration 0.9");
    folder.write("shear.toml", SHEAR.replace("[output]", "[detection]\nmethod = \"linked-cell\"\n\n[output]"));
    let parts = report(&folder, "shear.toml -o parts --resume");
    assert_eq!(parts["fingerprint"], whole["fingerprint"]);
    let last_step = whole["steps"].as_u64().unwrap();
    let name = format!("snapshot-{last_step:09}.dump");
    let dump = String::from_utf8(folder.read(&format!("parts/{name}"))).unwrap();
    // By bounds and tilts where those give the same numbers again, else by edges.
    let heads = ["ITEM: BOX BOUNDS xy xz yz pp pp", "ITEM: BOX BOUNDS abc origin pp pp"];
    assert!(heads.iter().any(|head| dump.contains(head)), "{}", &dump[..200]);
    assert_eq!(folder.read(&format!("whole/{name}")), dump.as_bytes());
    // The snapshot is a system like any other, in its own leaning box.
    assert!(folder.ok(&format!("detect whole/{name} --json")).contains("\"contacts\""));
}

#[test]
fn mistakes_of_boxes_are_reported_with_their_place() {
    let folder = Folder::new();
    let refusal = |from: &str, to: &str| {
        folder.write("wrong.toml", SHEAR.replace(from, to));
        folder.fails("simulate wrong.toml -o wrong").join("\n")
    };
    let text = refusal("rates = { xy = 1.0 }", "rates = { xz = 1.0 }");
    assert!(text.contains("wrong.toml:16: the scene has two dimensions, there is no xz"), "{text}");
    let text = refusal("rates = { xy = 1.0 }", "rates = { yy = 1.0 }");
    assert!(text.contains("yy has a rate and a stress"), "{text}");
    let text = refusal("periodic = [\"x\", \"y\"]", "periodic = [\"x\"]");
    assert!(text.contains("both axes must be periodic"), "{text}");
    let text = refusal("pressure = 2.0\nmax_rate = 0.3", "pressure = 2.0");
    assert!(text.contains("a box that goes by stress has no `max_rate`"), "{text}");
    let text = refusal("periodic =", "tilt = [1.0, 2.0]\nperiodic =");
    assert!(text.contains("`tilt` has 2 numbers"), "{text}");
    let text = refusal("periodic =", "tilt = [1.0]\nperiodic =");
    assert!(text.contains("cannot be placed in all of a box that leans"), "{text}");
}
