use super::{Folder, GRAINS};
use serde_json::Value;

/// The papers' example: uniform volumes, sizes 1 to 100.
const EXAMPLE: &str = "tune --law power --exponent -3 --ratio 100 --packing-fraction 0.7 --dimension 3 --k 0.2 --json";

fn tuned(args: &str) -> Value {
    serde_json::from_str(&Folder::new().ok(args)).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Levels, and work as the papers print it.
fn levels_and_work(report: &Value) -> (u64, String) {
    (report["levels"].as_u64().unwrap(), format!("{:.2}", report["work"].as_f64().unwrap()))
}

/// How much more work this many levels need than the best number, in percent.
fn percent_more(distribution: &str, levels: u32) -> f64 {
    let work = |more: &str| tuned(&format!("{EXAMPLE} --distribution {distribution}{more}"))["work"].as_f64().unwrap();
    100.0 * (work(&format!(" --levels {levels}")) / work("") - 1.0)
}

#[test]
fn fewer_levels_than_asked_for_are_reported() {
    let outcome = Folder::new().run(&format!("{EXAMPLE} --levels 12"));
    let report: Value = serde_json::from_slice(&outcome.stdout).unwrap();
    let found = report["levels"].as_u64().unwrap();
    assert!(found < 12, "{report}");
    let note = format!("note: {found} of the 12 levels asked for: more would not lessen the work\n");
    assert_eq!((outcome.code, outcome.stderr), (0, note));
}

#[test]
fn sizes_that_hardly_differ_are_tuned_for_too() {
    let report = tuned("tune --law log-normal --ratio 10 --sigma 1e-6 --packing-fraction 0.5 --json");
    assert!(report["work"].as_f64().unwrap() < 40.0, "{report}");
}

#[test]
fn json_has_the_keys_of_the_interface() {
    let report = tuned(EXAMPLE);
    let keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "candidates_per_particle",
        "cell_sizes",
        "cells_per_particle",
        "direction",
        "k",
        "levels",
        "linked_cell_work",
        "particles_per_cell",
        "work",
    ];
    assert_eq!(keys, expected);
    assert_eq!((&report["direction"], &report["k"]), (&Value::from("top-down"), &Value::from(0.2)));
    let number = |key: &str| report[key].as_f64().unwrap();
    let work = number("candidates_per_particle") + 0.2 * number("cells_per_particle");
    assert!((number("work") / work - 1.0).abs() < 1e-12);
    assert_eq!(numbers(&report["cell_sizes"]).last(), Some(&200.0));
    assert_eq!(numbers(&report["particles_per_cell"]).len(), 8);
}

#[test]
fn prints_the_papers_figures() {
    assert_eq!(levels_and_work(&tuned(EXAMPLE)), (8, "11.57".into()));
    let best = |distribution: &str| levels_and_work(&tuned(&format!("{EXAMPLE} --distribution {distribution}")));
    assert_eq!(best("linear"), (43, "12.40".into()));
    assert_eq!(best("exponential"), (4, "12.13".into()));
    assert_eq!(best("constant"), (12, "11.60".into()));
    assert_eq!(format!("{:.1}", percent_more("constant", 8)), "10.0");
    assert_eq!(format!("{:.1}", percent_more("constant", 19)), "10.1");
    assert_eq!(format!("{:.0}", percent_more("exponential", 3)), "47");
    assert_eq!(format!("{:.0}", percent_more("exponential", 6)), "24");
}

#[test]
fn prints_the_levels_of_the_free_cooling_example() {
    let report = tuned("tune --law power --exponent -3 --ratio 20 --packing-fraction 0.4 --dimension 2 --k 0.2 --json");
    let sizes: Vec<String> = numbers(&report["cell_sizes"]).iter().map(|size| format!("{size:.2}")).collect();
    // The paper prints 4.0, 7.9, 15.1, 27.2 and 40.
    assert_eq!(sizes, ["4.01", "7.88", "15.05", "27.22", "40.00"]);
    let saved = report["linked_cell_work"].as_f64().unwrap() / report["work"].as_f64().unwrap();
    assert_eq!(saved.round(), 35.0);
}

#[test]
fn the_quick_rule_gives_the_papers_seven_levels() {
    let sample = "tune --law power --exponent -3 --ratio 50 --packing-fraction 0.62 --count 125001 --json";
    let of_paper = tuned(&format!("{sample} --rule quick --k 0.3"));
    assert_eq!(of_paper["levels"], 7);
    let filled = tuned(&format!("{sample} --rule appendix-a --levels 7"));
    assert_eq!(filled["cell_sizes"], of_paper["cell_sizes"]);
    // Left alone it takes the K of hgrid-cells, as auto does, and so has the levels that this method takes.
    let by_default = tuned(&format!("{sample} --rule quick"));
    assert_eq!(by_default, tuned(&format!("{sample} --rule quick --k auto")));
    assert_eq!(by_default["levels"], 3);
    let least = tuned(&format!("{sample} --rule appendix-a"))["work"].as_f64().unwrap();
    assert!(least <= filled["work"].as_f64().unwrap());
}

#[test]
fn directions_ratios_and_k_are_taken() {
    let bottom_up = tuned(&format!("{EXAMPLE} --direction bottom-up"));
    assert_eq!(bottom_up["direction"], "bottom-up");
    assert!(bottom_up["work"].as_f64() > tuned(EXAMPLE)["work"].as_f64());
    let growing = tuned(&format!("{EXAMPLE} --distribution constant --per-cell-ratio 2"));
    let filling = numbers(&growing["particles_per_cell"]);
    assert!(filling.windows(2).all(|pair| (pair[1] / pair[0] - 2.0).abs() < 1e-6), "{filling:?}");
    let law = "tune --law mono --packing-fraction 0.5 --json";
    assert_eq!(tuned(law)["k"], 0.2);
    assert!(tuned(&format!("{law} --k auto"))["k"].as_f64().unwrap() > 0.0);
}

#[test]
fn tables_and_files_keep_their_unit() {
    let folder = Folder::with("sizes.csv", "radius,weight\n0.5,3\n2,1\n");
    folder.write("grains.csv", GRAINS);
    let report: Value = serde_json::from_str(
        &folder.ok("tune --law table --table sizes.csv --packing-fraction 0.5 --dimension 2 --json"),
    )
    .unwrap();
    assert_eq!(numbers(&report["cell_sizes"]).last(), Some(&4.0));
    for flags in
        ["", " --box 0,10,0,10 --periodic x,y", " --packing-fraction 0.4", " --rule quick", " --rule appendix-a"]
    {
        let report: Value = serde_json::from_str(&folder.ok(&format!("tune grains.csv --json{flags}"))).unwrap();
        assert_eq!(numbers(&report["cell_sizes"]).last(), Some(&2.0), "{flags}");
    }
    let wider: Value = serde_json::from_str(&folder.ok("tune grains.csv --margin 0.5 --json")).unwrap();
    assert_eq!(numbers(&wider["cell_sizes"]).last(), Some(&2.5));
}

#[test]
fn says_what_it_found_and_how_to_use_it() {
    let folder = Folder::new();
    let text = folder.ok(EXAMPLE.strip_suffix(" --json").unwrap());
    assert!(
        text.contains(
            "\n\nFor a power law r^-3, size ratio 100, packing fraction 0.7, 3 dimensions: 8 levels, top-down"
        )
    );
    assert!(text.starts_with("multigrain detect needs no tuning: by default it takes hgrid"), "{text}");
    assert!(text.contains("Predicted work per particle: 11.57 (5.55 candidate pairs, and 30.11 cells"), "{text}");
    folder.ok("pack --law power --exponent -3 --ratio 9 --count 2000 --placement random --packing-fraction 0.5 --periodic x,y,z -o a.xyz");
    let text = folder.ok("tune a.xyz");
    let advice = text
        .lines()
        .find_map(|line| line.strip_prefix("To study these levels, which takes longer: multigrain "))
        .expect("advice");
    let counted: Value = serde_json::from_str(&folder.ok(&format!("{advice} --count-work --json"))).unwrap();
    let predicted: Value = serde_json::from_str(&folder.ok("tune a.xyz --json")).unwrap();
    for (count, prediction) in [("candidates", "candidates_per_particle"), ("cells", "cells_per_particle")] {
        let ratio = counted[count].as_f64().unwrap() / 2000.0 / predicted[prediction].as_f64().unwrap();
        assert!((ratio - 1.0).abs() < 0.1, "{count}: {ratio}");
    }
}

#[test]
fn plots_are_drawn_as_asked() {
    let folder = Folder::new();
    let args = EXAMPLE.strip_suffix(" --json").unwrap();
    let outcome = folder.run(&format!("{args} --plot a.svg"));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, "plot written to a.svg\n"));
    let drawing = String::from_utf8(folder.read("a.svg")).unwrap();
    assert!(drawing.starts_with("<svg") && drawing.trim_end().ends_with("</svg>"));
    for text in
        ["linear: 12.40 with 43 levels", "optimal: 11.57 with 8 levels, chosen", "particles per cell of each level"]
    {
        assert!(drawing.contains(text), "{text}");
    }
    assert_eq!(drawing.matches(", chosen").count(), 1);
    for (more, chosen) in [("linear", Some("linear: ")), ("constant --per-cell-ratio 2", Some("constant: "))] {
        folder.ok(&format!("{args} --distribution {more} --plot a.svg"));
        let drawing = String::from_utf8(folder.read("a.svg")).unwrap();
        let marked = drawing.lines().find(|line| line.contains(", chosen")).map(str::trim);
        assert_eq!(marked.and_then(|line| chosen.filter(|name| line.starts_with(name))), chosen, "{marked:?}");
    }
    folder.ok(&format!("{args} --plot a.png --json"));
    assert!(folder.read("a.png").starts_with(b"\x89PNG"));
    for law in ["mono", "bidisperse --ratio 1e6", "power --exponent -4 --ratio 1e5"] {
        folder.ok(&format!("tune --law {law} --packing-fraction 0.5 --plot b.svg"));
        assert!(!String::from_utf8(folder.read("b.svg")).unwrap().contains("NaN"), "{law}");
    }
    assert_eq!(folder.names(), ["a.png", "a.svg", "b.svg"]);
}

#[test]
fn wrong_combinations_are_errors_with_a_way_out() {
    let folder = Folder::with("grains.csv", GRAINS);
    folder.write("none.csv", "x,y,r\n");
    let law = "--law mono --packing-fraction 0.5";
    for (args, error) in [
        ("".to_owned(), "neither a file nor a law to tune for"),
        ("gone.csv".to_owned(), "cannot read gone.csv: No such file or directory (os error 2)"),
        ("none.csv".to_owned(), "none.csv has no particles to tune for"),
        ("grains.csv --count 5".to_owned(), "--count belongs to a law, but a file is given"),
        ("grains.csv --dimension 3".to_owned(), "--dimension 3, but the particles of the file have 2 dimensions"),
        ("grains.csv --levels 0".to_owned(), "0 levels asked for: between 1 and 64 are possible"),
        ("--law mono".to_owned(), "--law needs --packing-fraction"),
        ("--law mono --packing-fraction 0".to_owned(), "packing fraction is 0, must be above 0 (and at most 1e6)"),
        (format!("{law} --box 0,1,0,1"), "--box belongs to a file, but a law is given"),
        (format!("{law} --count 5"), "--count goes with --rule"),
        (format!("{law} --rule quick"), "--rule needs particles"),
        (format!("{law} --rule quick --count 5 --levels 2"), "--rule quick chooses the number of levels itself"),
        (format!("{law} --per-cell-ratio 2"), "--per-cell-ratio goes with --distribution constant"),
        (format!("{law} --k -1"), "K, the cost of a cell over that of a pair test, is -1, must be between 0 and 1e9"),
        (format!("{law} --plot a.pdf"), "cannot tell the format of a.pdf by its extension"),
        (format!("{law} --plot no/a.svg"), "cannot write no/a.svg: there is no folder no"),
    ] {
        let lines = folder.fails(&format!("tune {args}"));
        assert_eq!(lines[0], format!("error: {error}"), "{args}");
    }
    assert_eq!(folder.names(), ["grains.csv", "none.csv"]);
}
