use super::Folder;

/// Every experiment that there is to be, in the order of the list.
const NAMES: [&str; 29] = [
    "hgrid-linked-cell",
    "hgrid-linear",
    "hgrid-exponential",
    "hgrid-constant",
    "hgrid-optimal",
    "hgrid-exponents",
    "hgrid-ratio",
    "hgrid-sensitivity",
    "hgrid-counts",
    "hgrid-free-cooling",
    "hgrid-covered",
    "hgrid-time-scales",
    "hgrid-overhead",
    "hgrid-levels",
    "hgrid-scaling",
    "hgrid-elongated",
    "mr-linear",
    "mr-density",
    "mmr",
    "mmr-factor",
    "compare-1",
    "compare-2",
    "compare-3",
    "compare-4",
    "compare-memory",
    "polygon-corners",
    "polygon-scaling",
    "polygon-neighbors",
    "threads",
];

#[test]
fn the_list_has_every_experiment_with_paper_figure_and_cost() {
    let folder = Folder::new();
    let text = folder.ok("reproduce list");
    let names: Vec<&str> = text.lines().skip(1).map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(names, NAMES);
    let line = text.lines().find(|line| line.starts_with("hgrid-sensitivity ")).unwrap();
    assert!(
        line.contains("optimal-hgrid") && line.contains("figures 9 and 10") && line.ends_with("alpha,w,phi,k"),
        "{line}"
    );
    assert_eq!(folder.ok("reproduce"), text);
}

#[test]
fn two_experiments_never_write_to_one_folder_at_once() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("results")).unwrap();
    let held = std::fs::File::open(folder.path("results")).unwrap();
    held.try_lock().unwrap();
    let lines = folder.fails("reproduce hgrid-sensitivity --quick --output results");
    assert_eq!(lines[0], "error: another run is writing to the folder results");
    assert_eq!(std::fs::read_dir(folder.path("results")).unwrap().count(), 0);
    drop(held);
    folder.ok("reproduce hgrid-sensitivity --quick --output results");
}

#[test]
fn an_experiment_leaves_table_figures_verdicts_and_report() {
    let folder = Folder::new();
    let text = folder.ok("reproduce hgrid-sensitivity --quick --output results");
    assert!(text.contains("as printed: linear: best number of levels and its work: 43 levels, 12.40"), "{text}");
    assert!(
        text.trim_end().ends_with("6 as printed, 2 same trend, 0 differs, 0 beyond; see results/report.html"),
        "{text}"
    );
    for name in ["hgrid-sensitivity.csv", "hgrid-sensitivity.svg", "hgrid-sensitivity.png", "experiments.md"] {
        assert!(folder.path("results").join(name).exists(), "{name}");
    }
    let page = String::from_utf8(folder.read("results/report.html")).unwrap();
    assert!(page.contains("multigrain reproduce hgrid-sensitivity --quick") && page.contains("<svg"));
    // Another one joins it in the same report; what is finished is not measured again.
    let point = "results/points/quick/hgrid-sensitivity/linear,levels=50,alpha=-3,w=100,phi=0.7,k=0.2.csv";
    let before = folder.read(point);
    folder.ok("reproduce hgrid-ratio hgrid-sensitivity --quick --output results");
    assert_eq!(folder.read(point), before);
    let page = String::from_utf8(folder.read("results/report.html")).unwrap();
    assert!(page.contains("id=\"hgrid-ratio\"") && page.contains("id=\"hgrid-sensitivity\""));
}

#[test]
fn unknown_experiments_and_bad_folders_are_errors_with_hints() {
    let folder = Folder::with("file", "");
    let lines = folder.fails("reproduce hgrid-linea --quick");
    assert_eq!(lines[0], "error: no experiment is called `hgrid-linea`");
    assert!(lines[1].contains("hgrid-linear"), "{lines:?}");
    assert_eq!(folder.fails("reproduce list all")[0], "error: list stands alone");
    let lines = folder.fails("reproduce hgrid-linear --quick --output file");
    assert!(lines[0].starts_with("error: cannot make the folder file"), "{lines:?}");
    assert_eq!(folder.names(), ["file"]);
}

#[test]
fn figures_are_drawn_for_parameters_of_ones_own() {
    let folder = Folder::new();
    let text = folder.ok("reproduce hgrid-ratio --quick --set alpha=-2.5 --set w=30");
    assert!(text.contains("0 as printed, 0 same trend, 0 differs"), "{text}");
    assert!(folder.path("multigrain-quick-alpha=-2.5_w=30").join("hgrid-ratio.svg").exists());
    for (arguments, message) in [
        ("reproduce hgrid-ratio --quick --set speed=3", "error: no parameter is called `speed`"),
        ("reproduce hgrid-ratio --quick --set w=0", "error: w cannot be `0`"),
        ("reproduce hgrid-ratio --quick --set methods=mr", "error: hgrid-ratio does not take methods"),
    ] {
        assert_eq!(folder.fails(arguments)[0], message);
    }
}
