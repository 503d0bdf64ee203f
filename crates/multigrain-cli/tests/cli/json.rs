use super::{Folder, GRAINS};
use multigrain_methods::Method;
use serde_json::Value;

fn json(text: &str) -> Value {
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    serde_json::from_str(text).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn detect_prints_exactly_the_promised_keys() {
    let folder = Folder::with("grains.csv", GRAINS);
    let outcome = folder.run("detect grains.csv --json --method linked-cell --threads 2");
    assert_eq!(outcome.stderr, "");
    let report = json(&outcome.text());
    let mut expected = vec![
        "particles",
        "dimension",
        "contacts",
        "method",
        "direction",
        "cell_sizes",
        "particles_per_level",
        "candidates",
        "cells",
        "seconds",
        "peak_memory_bytes",
        "threads",
        "version",
    ];
    expected.sort_unstable();
    assert_eq!(keys(&report), expected);
    assert_eq!(keys(&report["seconds"]), ["map", "read", "search", "total", "write"]);
    assert_eq!(report["particles"], 4);
    assert_eq!(report["dimension"], 2);
    assert_eq!(report["contacts"], 1);
    assert_eq!(report["method"], "linked-cell");
    assert_eq!(report["direction"], Value::Null);
    assert_eq!(report["particles_per_level"], serde_json::json!([4]));
    assert!(report["cell_sizes"][0].as_f64().unwrap() >= 2.0);
    assert_eq!((&report["candidates"], &report["cells"]), (&Value::Null, &Value::Null));
    assert_eq!(report["threads"], 2);
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    assert!(report["peak_memory_bytes"].as_u64().unwrap() > 0);
    let seconds = |key: &str| report["seconds"][key].as_f64().unwrap();
    let parts: f64 = ["read", "map", "search", "write"].map(seconds).iter().sum();
    assert!((seconds("total") - parts).abs() < 1e-12, "{} and {parts}", seconds("total"));
    assert_eq!(seconds("write"), 0.0);
    assert_eq!(folder.names(), ["grains.csv"], "no list without -o");
}

#[test]
fn detect_counts_work_when_asked() {
    let folder = Folder::with("grains.csv", GRAINS);
    let report = json(&folder.ok("detect grains.csv --json --method brute-force --count-work"));
    assert_eq!((&report["candidates"], &report["cells"]), (&6.into(), &0.into()));
    assert_eq!(report["cell_sizes"], serde_json::json!([]));
    assert_eq!(report["particles_per_level"], serde_json::json!([]));
    let report = json(&folder.ok("detect grains.csv --json --method brute-force --explain"));
    assert_eq!(report["candidates"], Value::Null);
}

#[test]
fn contacts_count_image_rows() {
    let folder = Folder::with("grains.csv", GRAINS);
    for method in Method::ALL {
        let args = format!("detect grains.csv --json --periodic y --box -5,5,0,10 --method {}", method.name());
        let report = json(&folder.ok(&args));
        assert_eq!(report["contacts"], 3);
        assert_eq!(report["method"], method.name());
    }
}

#[test]
fn json_and_a_list_go_together_when_the_list_goes_to_a_file() {
    let folder = Folder::with("grains.csv", GRAINS);
    let outcome = folder.run("detect grains.csv --json -o list.csv --repeat 3 --count-work");
    assert_eq!(outcome.stderr, "");
    assert!(json(&outcome.text())["seconds"]["write"].as_f64().unwrap() > 0.0);
    assert_eq!(folder.read("list.csv"), b"i,j,overlap\n0,1,0.5\n");
    for args in [
        "detect grains.csv --json -o -",
        "pack --law mono --count 3 --placement random --packing-fraction 0.5 --json -o -",
    ] {
        assert_eq!(
            folder.fails(args),
            [
                "error: --json and -o - both want standard output",
                "hint: write to a file with -o FILE, or leave one of them out"
            ]
        );
    }
}

#[test]
fn nothing_built_has_no_levels() {
    let folder = Folder::with("none.csv", "x,y,r\n");
    let report = json(&folder.ok("detect none.csv --json --method linked-cell --count-work"));
    assert_eq!(report["particles"], 0);
    assert_eq!(report["contacts"], 0);
    assert_eq!(report["cell_sizes"], serde_json::json!([]));
    assert_eq!((&report["candidates"], &report["cells"]), (&0.into(), &0.into()));
}

#[test]
fn hierarchical_grids_report_direction_and_levels() {
    let folder = Folder::new();
    folder.ok("pack --law power --exponent -3 --ratio 10 --count 2000 --placement random --packing-fraction 0.6 -o system.npy");
    let report = json(&folder.ok("detect system.npy --json --method hgrid --cell-sizes 4,20 --direction bottom-up"));
    assert_eq!(report["direction"], "bottom-up");
    let levels = report["particles_per_level"].as_array().unwrap();
    assert_eq!((levels.len(), report["cell_sizes"].as_array().unwrap().len()), (2, 2));
    assert_eq!(levels.iter().map(|level| level.as_u64().unwrap()).sum::<u64>(), 2000);
}

#[test]
fn peak_memory_is_that_of_the_detection() {
    let folder = Folder::new();
    folder.ok("pack --law mono --count 100000 --placement random --packing-fraction 0.3 -o system.npy");
    let peak = |args: &str| json(&folder.ok(args))["peak_memory_bytes"].as_u64().unwrap();
    let brute = "detect system.npy --json --method linked-cell --threads 1";
    // Sorted copies of centers, radii and ids alone take 36 bytes per particle; a few times that is plenty.
    let bytes = peak(brute);
    assert!((3_000_000..20_000_000).contains(&bytes), "{bytes}");
    // Counted in pages by the system, and in batches of them.
    let again = peak(&format!("{brute} --repeat 3"));
    assert!(again.abs_diff(bytes) < 2_000_000, "{bytes} and {again}");
}
