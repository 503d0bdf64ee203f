//! Every experiment, through the real code at a tiny size: points, tables, figures, verdicts, report; stopped and continued.

use multigrain_experiments::chart::{Axis, Look, Panel};
use multigrain_experiments::{
    ALL, Choices, Context, Cost, Experiment, Figure, Outcome, Paper, Point, Row, Silent, Size, Table, Verdict, Watch,
    find, run,
};
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn tiny() -> Choices {
    Choices::from(Size::Tiny)
}

#[test]
fn every_experiment_gives_points_figures_and_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let reports = run(ALL, folder.path(), &tiny(), &Silent).unwrap();
    assert_eq!(reports.len(), ALL.len());
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    let summary = fs::read_to_string(folder.path().join("experiments.md")).unwrap();
    assert_eq!(page.matches("<svg").count(), ALL.len());
    assert!(page.contains("id=\"failed\"") && page.contains("max-width:700px"));
    assert!(!page.contains("src=") && !page.contains("Not measured yet"));
    for report in &reports {
        let name = report.experiment.name;
        let read = |extension: &str| fs::read(folder.path().join(format!("{name}.{extension}"))).unwrap();
        assert!(read("png").starts_with(b"\x89PNG") && read("svg").starts_with(b"<svg"), "{name}");
        let table = Table::from_csv(&String::from_utf8(read("csv")).unwrap()).unwrap();
        assert_eq!(table.to_csv(), report.table.to_csv(), "{name}");
        for row in &table.0 {
            for column in ["point", "seed", "seconds_of_point", "machine", "revision"] {
                assert!(!row.text(column).is_empty(), "{name} lacks {column}");
            }
        }
        for verdict in &report.verdicts {
            assert!(!verdict.claim.is_empty() && !verdict.measured.is_empty(), "{name}");
            assert!(!verdict.paper.is_empty() || verdict.outcome == Outcome::Beyond, "{name}: {}", verdict.claim);
            let needs_reason = matches!(verdict.outcome, Outcome::SameTrend | Outcome::Differs);
            assert!(!verdict.note.is_empty() || !needs_reason, "{name}: {}", verdict.claim);
            assert!(summary.contains(&verdict.measured.replace('|', "\\|")), "{name}: {}", verdict.measured);
        }
        let section = page.split(&format!("id=\"{name}\"")).nth(1).expect(name);
        assert!(section.find("<svg") < section.find("<table"), "{name}: the figure comes before the table");
        assert!(page.contains(&format!("href=\"#{name}\"")), "the contents leave out {name}");
        let figure = (report.experiment.draw)(&report.table);
        assert!(figure.longest_legend() <= 8, "{name} explains {} lines and marks", figure.longest_legend());
    }
}

/// Some points with packings, one that fails, one whose preparation fails.
static PARTLY_FAILS: Experiment = Experiment {
    name: "partly-fails",
    paper: Paper::Mr,
    figure: "none",
    about: "A test.",
    cost: Cost { quick: "1 s", full: "1 s" },
    parameters: &["n"],
    points: |choices| {
        let point = |key: &str, value: Result<f64, &'static str>| {
            let measure = move |_: &Context<'_>| match value {
                Ok(value) => Ok(vec![Row::new().with("x", value).with("y", value)]),
                Err(reason) => Err(std::io::Error::other(reason).into()),
            };
            Point::new(key.to_owned(), 1.0, measure)
        };
        let jams = |_: &Context<'_>| Err(std::io::Error::other("growth jams").into());
        let mends: bool = choices.one("n", 0) == 2;
        let second = if mends { point("b", Ok(2.0)) } else { point("b", Err("no room")) };
        vec![point("a", Ok(1.0)), second, point("c", Ok(3.0)).prepared(1.0, jams), point("d", Ok(4.0)).counted()]
    },
    draw: |table| {
        let axis = || Axis::linear("x").at_least(0.0, 5.0);
        Figure::new("a", "b").panel(Panel::new("c", axis(), axis()).series("d", 0, Look::Dots, table.curve("x", "y")))
    },
    judge: |table| vec![Verdict::new("all", format!("{}", table.0.len()), true).paper("4")],
};

#[test]
fn points_that_fail_are_named_and_the_others_are_kept() {
    for jobs in [1, 2] {
        let folder = tempfile::tempdir().unwrap();
        let run_with = |n: &str| {
            let choices = Choices::new(Size::Tiny, &[n.to_owned()]).unwrap().with_jobs(jobs);
            run(&[&PARTLY_FAILS], folder.path(), &choices, &Silent).unwrap_err().to_string()
        };
        let page = || fs::read_to_string(folder.path().join("report.html")).unwrap();
        let error = run_with("n=1");
        assert!(error.starts_with("partly-fails, point "), "{error}");
        let table = || fs::read_to_string(folder.path().join("partly-fails.csv")).unwrap();
        assert_eq!(table().lines().count(), 3, "{}", table());
        assert!(
            page().contains("Points that failed") && page().contains("b: no room") && page().contains("c: growth jams")
        );
        let summary = fs::read_to_string(folder.path().join("experiments.md")).unwrap();
        assert!(summary.contains("Points of `partly-fails` that failed"));
        // Measured again, one of them succeeds.
        assert_eq!(run_with("n=2"), "partly-fails, point c");
        assert_eq!(table().lines().count(), 4);
        assert!(!page().contains("no room") && page().contains("growth jams"));
    }
}

#[test]
fn what_is_counted_does_not_depend_on_how_many_points_are_at_work() {
    let experiments = ["hgrid-time-scales", "hgrid-counts", "hgrid-covered"].map(|name| find(name).unwrap());
    let tables = [1, 3].map(|jobs| {
        let folder = tempfile::tempdir().unwrap();
        let reports = run(&experiments, folder.path(), &tiny().with_jobs(jobs), &Silent).unwrap();
        reports.into_iter().map(|report| report.verdicts).collect::<Vec<_>>()
    });
    assert_eq!(tables[0], tables[1]);
}

/// Counts points, and measures no more than this many.
struct Stops {
    after: usize,
    points: AtomicUsize,
}

impl Watch for Stops {
    fn point(&self, _experiment: &str, _key: &str, done: f64, all: f64) {
        assert!(done < all);
        if self.points.fetch_add(1, Relaxed) >= self.after {
            // As a signal would, in the middle of things.
            panic!("stopped");
        }
    }

    fn note(&self, _what: &str) {}
}

#[test]
fn a_stopped_run_goes_on_where_it_was() {
    let experiment = find("hgrid-optimal").unwrap();
    let stopped = tempfile::tempdir().unwrap();
    let watch = Stops { after: 2, points: AtomicUsize::new(0) };
    let attempt = std::panic::catch_unwind(|| run(&[experiment], stopped.path(), &tiny(), &watch));
    assert!(attempt.is_err() && !stopped.path().join("report.html").exists());
    let rest = Stops { after: usize::MAX, points: AtomicUsize::new(0) };
    let reports = run(&[experiment], stopped.path(), &tiny(), &rest).unwrap();
    assert_eq!(rest.points.load(Relaxed), (experiment.points)(&tiny()).len() - 2);

    let whole = tempfile::tempdir().unwrap();
    let at_once = run(&[experiment], whole.path(), &tiny(), &Silent).unwrap();
    assert_eq!(reports[0].verdicts, at_once[0].verdicts);
    assert_eq!(reports[0].svg, at_once[0].svg);
    let page = |folder: &tempfile::TempDir| fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert_eq!(page(&stopped), page(&whole));
}

#[test]
fn a_damaged_point_is_named_with_a_way_out() {
    let experiment = find("hgrid-linked-cell").unwrap();
    let folder = tempfile::tempdir().unwrap();
    run(&[experiment], folder.path(), &tiny(), &Silent).unwrap();
    let key = &(experiment.points)(&tiny())[0].key;
    fs::write(folder.path().join(format!("points/tiny/hgrid-linked-cell/{key}.csv")), "a,b\n1\n").unwrap();
    let error = run(&[experiment], folder.path(), &tiny(), &Silent).unwrap_err();
    assert!(error.to_string().starts_with("cannot use the point in "), "{error}");
    assert!(error.hint().unwrap().starts_with("remove this file"));
}

#[test]
fn parameters_of_ones_own_are_measured_and_are_no_claims() {
    let folder = tempfile::tempdir().unwrap();
    let own = Choices::new(Size::Tiny, &["alpha=-2.5".to_owned(), "w=10,100,1000".to_owned()]).unwrap();
    let optimal = find("hgrid-optimal").unwrap();
    let reports = run(&[optimal], folder.path(), &own, &Silent).unwrap();
    assert_eq!(reports[0].table.values("alpha"), ["-2.5"]);
    assert!(reports[0].verdicts.iter().all(|verdict| verdict.outcome == Outcome::Beyond));
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(
        page.contains("nothing here is a claim of a paper") && page.contains("--set alpha=-2.5 --set w=10,100,1000")
    );
    let error = run(&[find("compare-memory").unwrap()], folder.path(), &own, &Silent).unwrap_err();
    assert_eq!(error.to_string(), "compare-memory does not take alpha");
}
