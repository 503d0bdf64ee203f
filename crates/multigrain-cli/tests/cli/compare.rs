use super::{Folder, GRAINS};
use multigrain_methods::Method;
use serde_json::Value;

#[test]
fn all_methods_agree_in_a_table() {
    let folder = Folder::with("grains.csv", GRAINS);
    let outcome = folder.run("compare grains.csv --periodic y --box -5,5,0,10 --threads 2");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let text = outcome.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "4 particles in 2 dimensions, 2 threads");
    assert!(lines[1].starts_with("method "), "{text}");
    let head: Vec<&str> = lines[1].split("  ").map(str::trim).filter(|word| !word.is_empty()).collect();
    let time_and_memory = ["time", "later calls", "bytes per particle", "index bytes"];
    assert_eq!(head, [&["method", "contacts", "candidates", "cells"][..], &time_and_memory, &["agrees"]].concat());
    assert_eq!(lines.len(), 2 + Method::ALL.len());
    for (line, method) in lines[2..].iter().zip(Method::ALL) {
        assert!(line.starts_with(method.name()) && line.ends_with("  yes"), "{text}");
    }
}

#[test]
fn json_has_a_report_for_each_method() {
    let folder = Folder::with("grains.csv", GRAINS);
    let report: Value = serde_json::from_str(
        &folder.ok("compare grains.csv --json --repeat 2 --methods brute-force,linked-cell,brute-force"),
    )
    .unwrap();
    assert_eq!(report["agree"], true);
    assert_eq!(report["particles"], 4);
    let methods = report["methods"].as_array().unwrap();
    assert_eq!(methods.len(), 2, "each method once");
    let brute = &methods[0];
    assert_eq!(
        (&brute["method"], &brute["contacts"], &brute["candidates"]),
        (&"brute-force".into(), &1.into(), &6.into())
    );
    assert_eq!(brute["left_out"], Value::Null);
    for method in methods {
        assert_eq!(method["agrees"], true);
        assert!(method["seconds"].as_f64().unwrap() > 0.0);
        assert!(method["step_seconds"].as_f64().unwrap() > 0.0);
        assert!(method["bytes_per_particle"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn sorted_lists_report_the_bytes_of_the_papers() {
    let folder = Folder::new();
    folder.ok("pack --law mono --count 20000 --placement random --packing-fraction 0.3 -o system.npy");
    let report: Value =
        serde_json::from_str(&folder.ok("compare system.npy --json --repeat 1 --methods mr-s,mr,brute-force")).unwrap();
    let bytes: Vec<_> = (0..3).map(|k| report["methods"][k]["index_bytes_per_particle"].as_f64()).collect();
    assert!((bytes[0].unwrap() - 14.0).abs() < 0.01 && (bytes[1].unwrap() - 18.0).abs() < 0.01, "{bytes:?}");
    assert_eq!(bytes[2], None);
}

#[test]
fn methods_that_would_take_for_ever_are_left_out_unless_named() {
    let folder = Folder::new();
    folder.ok("pack --law mono --count 20001 --placement random --packing-fraction 0.2 -o system.npy");
    let text = folder.ok("compare system.npy --repeat 1");
    let brute = text.lines().find(|line| line.starts_with("brute-force")).unwrap();
    assert!(brute.ends_with("-  left out above 20000 particles"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("linked-cell") && line.ends_with("yes")), "{text}");
    let text = folder.ok("compare system.npy --repeat 1 --methods brute-force,linked-cell");
    assert!(text.lines().skip(2).all(|line| line.ends_with("yes")), "{text}");
}

#[test]
fn no_particles_agree_too() {
    let folder = Folder::with("none.csv", "x,y,z,r\n");
    assert!(folder.ok("compare none.csv").starts_with("0 particles in 3 dimensions"));
}

#[test]
fn wrong_flags_are_errors() {
    let folder = Folder::with("grains.csv", GRAINS);
    let lines = folder.fails("compare grains.csv --periodic x");
    assert_eq!(lines[0], "error: --periodic x needs a box, and the file has none");
    assert_eq!(
        folder.fails("compare gone.csv")[0],
        "error: cannot read gone.csv: No such file or directory (os error 2)"
    );
}
