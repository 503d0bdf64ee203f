//! Every experiment, through the real code at a tiny size: points, tables, figures, verdicts, report; stopped and continued.

use multigrain_experiments::{ALL, Choices, Outcome, Silent, Size, Table, Watch, find, run};
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
            assert!(!verdict.note.is_empty() || verdict.outcome != Outcome::Differs, "{name}: {}", verdict.claim);
            assert!(summary.contains(&verdict.measured.replace('|', "\\|")), "{name}: {}", verdict.measured);
        }
        let section = page.split(&format!("id=\"{name}\"")).nth(1).expect(name);
        assert!(section.find("<svg") < section.find("<table"), "{name}: the figure comes before the table");
        assert!(page.contains(&format!("href=\"#{name}\"")), "the contents leave out {name}");
        let figure = (report.experiment.draw)(&report.table);
        assert!(figure.longest_legend() <= 8, "{name} explains {} lines and marks", figure.longest_legend());
    }
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
