//! `mmr-factor`: multi-step MR against alpha, the factor between its groups of sizes.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::{Result, fault};
use crate::experiment::{Context, Cost, Experiment, Paper, Point};
use crate::packs_of_sizes::{DENSITY, Pack, RATIO, shake};
use crate::race::Contender;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::{Pairs, Rng, Snapshot};
use multigrain_papers::{Mmr, Mr};

pub const EXPERIMENT: Experiment = Experiment {
    name: "mmr-factor",
    paper: Paper::Mr,
    figure: "equations 30 to 34",
    about: "MMR on the pack of figure 32 (diameters 1/32 to 1 by mass, density 0.5, no overlaps, moving by up to a hundredth of the \
            smallest diameter) with groups by different factors alpha, and MR on the same bodies as if they had one size: one thread, \
            processor time, in turns. The factors are our choice; the paper has 2.",
    cost: Cost { quick: "10 s", full: "2 min" },
    parameters: &["factor", "w", "alpha", "phi"],
    points,
    draw,
    judge,
};

const MR_ON_ALL: &str = "MR on all of them";

fn points(choices: &Choices) -> Vec<Point> {
    let usual: &[f64] = choices.pick(
        &[1.5, 2.0],
        &[1.2, 1.5, 2.0, 3.0, 4.0, 8.0],
        &[1.1, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0, 32.0],
    );
    let factors = choices.list("factor", usual);
    let pack = Pack {
        exponent: choices.one("alpha", -4.0),
        ratio: choices.one("w", choices.pick(4.0, RATIO, RATIO)),
        density: choices.one("phi", choices.pick(0.3, DENSITY, DENSITY)),
        grown: choices.pick(400, 8_000, 64_000),
        copies: choices.pick(1, 2, 1),
    };
    let cycles = choices.pick(2, 4, 6);
    let names: Vec<String> = factors.iter().map(f64::to_string).collect();
    let key = format!("{},factors={},cycles={cycles},ratio", pack.key(), names.join(","));
    // MR with cells for the largest takes as long as some sixty of them.
    let seconds = 1.5e-6 * (pack.len() * cycles * (60 + factors.len())) as f64 + 0.1;
    let point = Point::new(key, seconds, move |context| measure(context, pack, &factors, cycles));
    vec![point.prepared(pack.seconds_of_growth(), move |context| pack.prepare(context)).seeded(1)]
}

fn measure(context: &Context<'_>, pack: Pack, factors: &[f64], cycles: usize) -> Result<Vec<Row>> {
    let system = pack.make(context)?;
    let (watch, seed) = (context.watch, context.seed);
    context.on_one_thread(move || {
        let mut centers = system.centers.clone();
        let smallest = system.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = system.radii.iter().copied().fold(0.0, f64::max);
        let mut rng = Rng::new(seed);
        let mut contenders = Vec::new();
        for &factor in factors {
            contenders.push((Some(factor), Contender::new("mmr", Box::new(Mmr::with_factor(factor)?))));
        }
        contenders.push((None, Contender::new(MR_ON_ALL, Box::new(Mr::default()))));
        let mut pairs = Pairs::new();
        for cycle in 0..cycles {
            watch.note(&format!("cycle {} of {cycles}", cycle + 1));
            if cycle > 0 {
                shake(&mut centers, smallest, 0.01, &mut rng);
            }
            let now = Snapshot::new(&centers, &system.radii)?;
            let mut found = None;
            for (factor, contender) in &mut contenders {
                contender.detect(now, &mut pairs);
                if pairs.fingerprint() != *found.get_or_insert(pairs.fingerprint()) {
                    return Err(fault!("mmr with factor {factor:?} finds other contacts than with the first"));
                }
            }
        }
        let now = Snapshot::new(&centers, &system.radii)?;
        let mut rows = Vec::new();
        for (factor, contender) in &mut contenders {
            contender.count(now, &mut pairs);
            let groups = contender.detector.layout().cell_sizes.len();
            let row = contender.row().with("particles", system.radii.len()).with("groups", groups);
            let row = row.with("largest_over_smallest", largest / smallest);
            rows.push(match factor {
                Some(factor) => row.with("factor", factor),
                None => row,
            });
        }
        Ok(rows)
    })?
}

fn draw(table: &Table) -> Figure {
    let each = |column: &str, unit: f64| -> Vec<(f64, f64)> {
        let rows = table.having("factor");
        let of = |row: &Row| (row.number("factor"), unit * row.number(column) / row.number("particles"));
        let mut points: Vec<_> = rows.0.iter().map(of).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    let x = || Axis::log("factor alpha between groups");
    Figure::new("MMR against the factor between its groups", "diameters 1/32 to 1, packing density 0.5, one thread")
        .panel(
            Panel::new("time of a later detection", x(), Axis::linear("time per body (ns)").at_least(0.0, 0.0))
                .series("all", 0, Look::Curve, each("seconds", 1e9))
                .series("sort", 1, Look::Curve, each("seconds_of_sort", 1e9))
                .series("search", 2, Look::Curve, each("seconds_of_search", 1e9)),
        )
        .panel(Panel::new("couples tested", x(), Axis::log("couples per body")).series(
            "MMR",
            3,
            Look::Curve,
            each("candidates", 1.0),
        ))
        .panel(Panel::new("memory", x(), Axis::linear("bytes per body").at_least(0.0, 0.0)).series(
            "MMR",
            4,
            Look::Curve,
            each("index_bytes", 1.0),
        ))
}

fn judge(table: &Table) -> Vec<Verdict> {
    let rows = table.having("factor");
    let time = rows.curve("factor", "seconds");
    let best = time.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((f64::NAN, f64::NAN));
    let at = |factor: f64, column: &str| rows.at("factor", factor, column);
    let mut groups: Vec<String> =
        rows.curve("factor", "groups").iter().map(|(factor, groups)| format!("{groups} by {factor}")).collect();
    if groups.is_empty() {
        groups.push("NaN".to_owned());
    }
    // The groups that a factor must make: as many as it takes to go from the largest to the smallest diameter. A sample has few of the
    // largest, and none as large as the law allows; a group without bodies is none.
    let ratio = rows.0.first().map_or(f64::NAN, |row| row.number("largest_over_smallest"));
    let fits = |factor: f64, found: f64| (found - (ratio.ln() / factor.ln()).ceil()).abs() <= 1.0;
    let all_fit = rows.curve("factor", "groups").iter().all(|&(factor, found)| fits(factor, found));
    vec![
        Verdict::new(
            "groups needed for a size ratio of alpha^n",
            format!("{}, for a ratio of {ratio:.1}", groups.join(", ")),
            all_fit && !rows.0.is_empty(),
        )
        .paper("n for d_max/d_min = alpha^n"),
        Verdict::beyond(
            "the best factor",
            format!(
                "{} ({:.2} times the time of the paper's example 2); couples tested per body {:.0} by 2, {:.0} by {}",
                best.0,
                best.1 / at(2.0, "seconds"),
                at(2.0, "candidates") / at(2.0, "particles"),
                at(best.0, "candidates") / at(best.0, "particles"),
                best.0
            ),
        ),
        Verdict::beyond(
            "MR on the same bodies, with cells for the largest",
            format!("{:.0} times the time of MMR by 2", table.at("method", MR_ON_ALL, "seconds") / at(2.0, "seconds")),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_groups_are_reported() {
        let row = |factor: f64, groups: f64| {
            let row = Row::new().with("method", "mmr").with("factor", factor).with("groups", groups);
            let row = row.with("largest_over_smallest", 30.0);
            row.with("seconds", 1.0).with("candidates", 10).with("particles", 5)
        };
        assert!(judge(&Table(vec![row(2.0, 5.0), row(4.0, 3.0)]))[0].is_as_printed());
        assert!(!judge(&Table(vec![row(2.0, 7.0), row(4.0, 3.0)]))[0].is_as_printed());
        assert!(!judge(&Table(vec![row(2.0, 8.0)]))[0].is_as_printed());
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }
}
