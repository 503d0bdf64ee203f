use super::{Folder, Outcome};
use serde_json::Value;

/// Runs with a cache folder of its own.
fn run(folder: &Folder, args: &str) -> Outcome {
    let mut command = folder.command(args);
    command.env("XDG_CACHE_HOME", folder.path("cache"));
    Outcome::of(command)
}

const PACK: &str = "pack --law power --exponent -3 --ratio 20 --count 20000 --placement random --packing-fraction 0.5 --periodic x,y,z -o grains.xyz";

#[test]
fn coefficients_are_measured_kept_and_used_by_explain_alone() {
    let folder = Folder::new();
    folder.ok(PACK);
    let before = run(&folder, "detect grains.xyz --explain --json");
    assert!(before.stderr.contains("by built-in coefficients; multigrain calibrate measures"), "{}", before.stderr);
    let calibrated = run(&folder, "calibrate --count 5000 --repeat 1 --threads 1 --json");
    assert_eq!(calibrated.code, 0, "{}", calibrated.stderr);
    let report: Value = serde_json::from_str(&calibrated.text()).unwrap();
    for kind in ["body", "search", "row", "vector", "cell"] {
        assert!((0.0..1.0).contains(&report[kind].as_f64().unwrap()), "{kind}: {report}");
    }
    assert_eq!(report["threads"], 1);
    let file = folder.path("cache").join("multigrain").join("coefficients.json");
    assert_eq!(report["file"], file.display().to_string());
    let kept: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(kept["row"], report["row"]);
    let after = run(&folder, "detect grains.xyz --explain --json");
    assert!(after.stderr.contains("by this machine's coefficients"), "{}", after.stderr);
    let levels = |outcome: Outcome| serde_json::from_str::<Value>(&outcome.text()).unwrap()["cell_sizes"].clone();
    assert_eq!(levels(before), levels(after));
    std::fs::write(&file, "{").unwrap();
    assert!(run(&folder, "detect grains.xyz --explain --json").stderr.contains("by built-in coefficients"));
}

#[test]
fn explain_sets_predictions_beside_counts() {
    let folder = Folder::new();
    folder.ok(PACK);
    let off = |line: &str| -> f64 {
        let words: Vec<&str> = line.split_whitespace().collect();
        let percent = words.iter().position(|word| *word == "%").unwrap();
        words[percent - 1].parse().unwrap()
    };
    for method in ["auto", "hgrid", "hgrid-cells", "hgrid --levels 2 --direction bottom-up"] {
        let outcome = run(&folder, &format!("detect grains.xyz --explain --json --method {method}"));
        let line = |start: &str| outcome.stderr.lines().find(|line| line.starts_with(start)).unwrap_or_default();
        for counted in ["candidates ", "cells or rows "] {
            assert!(off(line(counted)).abs() < 10.0, "{method}: {}", outcome.stderr);
        }
        assert_eq!(outcome.stderr.contains("coefficients"), !method.starts_with("hgrid-cells"), "{method}");
        assert_eq!(outcome.stderr.contains("made again when pairs or occupied rows"), method == "auto");
    }
    let plain = run(&folder, "detect grains.xyz --explain --json --method linked-cell");
    assert!(!plain.stderr.contains("predicted"), "{}", plain.stderr);
}

#[test]
fn a_cache_folder_that_cannot_be_made_is_an_error() {
    let folder = Folder::with("cache", "a file, not a folder");
    let lines = run(&folder, "calibrate --count 1000 --repeat 1").failure("calibrate");
    assert!(lines[0].starts_with("error: cannot make the folder "), "{lines:?}");
}
