//! `mr-density`: MR against the density of packings B, C and D.

use super::classics::{chosen, contenders, raced};
use crate::bodies::{CellBodies, Motion};
use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::experiment::{Cost, Experiment, Paper, Point};
use crate::row::Table;
use crate::verdict::Verdict;

pub const EXPERIMENT: Experiment = Experiment {
    name: "mr-density",
    paper: Paper::Mr,
    figure: "figures 24 to 30",
    about: "Packings B, C and D: bodies s diameters apart along one, two or three axes, two diameters (s in D) along the others, \
            down to 1/200, 1/40,000 and 1/8,000,000 of the density at s = 1. Time of MR, sort and search apart, and its memory, \
            on one thread, in processor time; each coordinate moves by -1, 0 or 1 cell between detections.",
    cost: Cost { quick: "10 s", full: "10 s" },
    parameters: &["n", "methods"],
    points,
    draw,
    judge,
};

/// The packings: name, and which axes have the spacing s; the others have 2.
const PACKINGS: [(&str, [bool; 3]); 3] =
    [("B", [true, false, false]), ("C", [true, true, false]), ("D", [true, true, true])];

fn points(size: &Choices) -> Vec<Point> {
    let count: usize = size.one("n", size.pick(1000, 125_000, 125_000));
    let cycles = size.pick(3, 10, 10);
    let spacings: &[f64] =
        size.pick(&[1.0, 200.0], &[1.0, 2.0, 5.0, 20.0, 200.0], &[1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0]);
    let methods = chosen(size, &["mr"]);
    let mut points = Vec::new();
    for (packing, axes) in PACKINGS {
        for &spacing in spacings {
            let key = format!("packing={packing},n={count},s={spacing},cycles={cycles},{}", methods.join(","));
            let methods = methods.clone();
            points.push(
                Point::new(key, 1e-6 * (count * cycles) as f64 + 0.01, move |context| {
                    let steps = axes.map(|is_wide| if is_wide { spacing } else { 2.0 });
                    let seed = context.seed;
                    let make = move || CellBodies::raster(count, steps, [2, 1, 0], seed);
                    let density = spacing.powi(-(axes.iter().filter(|&&is_wide| is_wide).count() as i32));
                    let rows = raced(context, contenders(&methods)?, make, Motion::OneCell, cycles)?;
                    Ok(rows
                        .into_iter()
                        .map(|row| row.with("packing", packing).with("s", spacing).with("density", density))
                        .collect())
                })
                .seeded(1),
            );
        }
    }
    points
}

fn draw(table: &Table) -> Figure {
    let x = || Axis::log("spacing s (diameters)");
    let y = || Axis::linear("time per detection and body (ns)").at_least(0.0, 0.0);
    let columns =
        [("sort and search", "seconds"), ("sort alone", "seconds_of_sort"), ("search alone", "seconds_of_search")];
    let mut panels = columns.map(|(caption, _)| Panel::new(caption, x(), y()));
    let mut memory = Panel::new("memory", x(), Axis::linear("bytes of the index per body").at_least(0.0, 0.0));
    let methods = table.values("method");
    let all = methods.iter().flat_map(|method| PACKINGS.map(|(packing, _)| (method, packing)));
    // A legend explains eight curves.
    for (k, (method, packing)) in all.take(8).enumerate() {
        let rows = table.only("packing", packing).only("method", method);
        let count = rows.0.first().map_or(f64::NAN, |row| row.number("particles"));
        let name =
            if methods.len() > 1 { format!("packing {packing}, {method}") } else { format!("packing {packing}") };
        let each = |column: &str, unit: f64| {
            rows.curve("s", column).into_iter().map(|(s, value)| (s, unit * value / count)).collect::<Vec<_>>()
        };
        for (panel, (_, column)) in panels.iter_mut().zip(columns) {
            *panel = panel.clone().series(&name, k, Look::Curve, each(column, 1e9));
        }
        memory = memory.series(&name, k, Look::Curve, each("index_bytes", 1.0));
    }
    let setting =
        "MR, 125,000 bodies, one thread, median of the later detections; density falls as s^-1 (B), s^-2 (C), s^-3 (D)";
    let [both, sort, search] = panels;
    Figure::new("MR at low densities", setting).panel(both).panel(sort).panel(search).panel(memory)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let table = &table.only("method", "mr");
    let mut verdicts = Vec::new();
    for ((packing, _), lowest) in PACKINGS.into_iter().zip(["1/200", "1/40,000", "1/8,000,000"]) {
        let rows = table.only("packing", packing);
        let ratio = |column: &str| rows.at("s", 200, column) / rows.at("s", 1, column);
        let [both, sort, search] = ["seconds", "seconds_of_sort", "seconds_of_search"].map(ratio);
        let couples = ratio("candidates");
        verdicts.push(
            Verdict::new(
                format!("packing {packing}: time does not depend on density, down to {lowest}"),
                format!(
                    "{both:.2} times that at the highest density (sort {sort:.2}, search {search:.2}; couples tested {couples:.2})"
                ),
                (0.87..=1.15).contains(&both),
            )
            .paper("independent of density")
            .same_trend_if(both < 0.87)
            .because(format!(
                "it falls: the lower the density, the fewer couples share neighbouring cells and are tested, {couples:.2} times as many"
            )),
        );
    }
    let bytes = table.curve("s", "index_bytes");
    let (least, most) =
        bytes.iter().fold((f64::INFINITY, 0.0f64), |(low, high), point| (low.min(point.1), high.max(point.1)));
    let count = table.0.first().map_or(f64::NAN, |row| row.number("particles"));
    verdicts.push(
        Verdict::new(
            "memory does not depend on density",
            format!("{:.1} to {:.1} bytes of index per body", least / count, most / count),
            most <= 1.01 * least,
        )
        .paper("independent of density"),
    );
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Row;
    use crate::verdict::Outcome;

    #[test]
    fn time_that_grows_or_falls_and_memory_that_grows_are_reported() {
        let row = |packing: &str, s: f64, time: f64| {
            let row =
                Row::new().with("packing", packing).with("s", s).with("particles", 10).with("index_bytes", 180.0 + s);
            let row = row
                .with("method", "mr")
                .with("seconds", time)
                .with("seconds_of_sort", time)
                .with("seconds_of_search", time);
            row.with("candidates", 10)
        };
        let mut rows = Vec::new();
        for (packing, time) in [("B", 1.1), ("C", 0.5), ("D", 1.4)] {
            rows.extend([row(packing, 1.0, 1.0), row(packing, 200.0, time)]);
        }
        let outcomes: Vec<Outcome> = judge(&Table(rows)).iter().map(|verdict| verdict.outcome).collect();
        assert_eq!(outcomes, [Outcome::AsPrinted, Outcome::SameTrend, Outcome::Differs, Outcome::Differs]);
    }
}
