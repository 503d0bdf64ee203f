//! `mmr`: multi-step MR for bodies of many sizes.

use super::classics::{color, least_for_time, linear_time, linear_work};
use crate::bodies::{CellBodies, Motion};
use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::{Result, fault};
use crate::experiment::{Context, Cost, Experiment, Paper, Point};
use crate::packs_of_sizes::{DENSITY, Pack, RATIO, shake};
use crate::race::Contender;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::{PairSink, Pairs, Rng, Search, Snapshot};
use multigrain_methods::Method;
use multigrain_papers::{Mmr, MmrLists, Mr, MrCoordinates};

pub const EXPERIMENT: Experiment = Experiment {
    name: "mmr",
    paper: Paper::Mr,
    figure: "figures 31 and 32, equations 34 and 35",
    about: "Diameters from 1/32 to 1, the passing fraction log-uniform in size: by mass, which is a number density of x^-4, and \
            by number, x^-1, as a variant; packing density 0.5, without overlaps: a pack is grown in a periodic box, and copies of it \
            are put side by side for larger numbers of bodies, which are numbered row by row. Each coordinate moves by up to a \
            hundredth of the smallest diameter between detections. MMR, which mends its lists by MR sort, takes turns with its \
            variant of two integers per body, with one that keeps a list for every step of the paper, with one that sorts afresh, with MR on as many bodies of one size (packing A, moving as little), and with hgrid on \
            the same bodies, on one thread, in processor time. Work is counted in the periodic box.",
    cost: Cost { quick: "60 s", full: "10 min" },
    parameters: &["n", "w", "alpha", "phi"],
    points,
    draw,
    judge,
};

const LAWS: [(&str, f64); 2] = [("by mass", -4.0), ("by number", -1.0)];

/// MMR with two integers per body, equation 35.
const SMALL: &str = "mmr, two integers per body";

/// MMR that keeps a list of all smaller bodies for every group, as the paper's steps sort them.
const PER_STEP: &str = "mmr, a list for every step";

/// MMR that keeps nothing: every list is sorted afresh by quick sort.
const AFRESH: &str = "mmr, sorted afresh";

/// [`AFRESH`].
#[derive(Debug)]
struct Afresh;

impl<const D: usize> Search<D> for Afresh {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        Mmr::new().search(now, sink);
    }
}

/// How far a body moves along an axis between detections, in diameters of the smallest.
const STRIDE: f64 = 0.01;

fn points(choices: &Choices) -> Vec<Point> {
    // Bodies that are grown, and copies along each axis: up to the paper's 5,000,211.
    let packs: &[(usize, usize)] = choices.pick(
        &[(400, 1), (400, 2)],
        &[(8_000, 1), (8_000, 2), (8_000, 3), (8_000, 5)],
        &[(64_000, 1), (64_000, 2), (185_193, 2), (185_193, 3)],
    );
    let packs: Vec<(usize, usize)> = match choices.list("n", &[]) {
        own if own.is_empty() => packs.to_vec(),
        own => own.into_iter().map(|count: usize| (count, 1)).collect(),
    };
    let mut points = Vec::new();
    let laws: Vec<(&'static str, f64)> = match choices.list("alpha", &[]).as_slice() {
        [] => LAWS.to_vec(),
        [exponent, ..] => vec![("own", *exponent)],
    };
    for (law, exponent) in laws {
        // The variant is dense in tests: many small bodies in the cells of large ones.
        let packs = if law == LAWS[1].0 { &packs[..packs.len().min(2)] } else { &packs[..] };
        for &(grown, copies) in packs {
            let density = choices.one("phi", choices.pick(0.3, DENSITY, DENSITY));
            let ratio = choices.one("w", choices.pick(4.0, RATIO, RATIO));
            let pack = Pack { exponent, ratio, density, grown, copies };
            let cycles = choices.pick(2, 4, if pack.len() > 1_000_000 { 4 } else { 8 });
            let key = format!("{},{},cycles={cycles}", law.replace(' ', "-"), pack.key());
            let each = if law == LAWS[0].0 { 9e-6 } else { 3e-5 };
            points.push(
                Point::new(key, each * (pack.len() * cycles) as f64 + 0.02, move |context| {
                    measure(context, law, pack, cycles)
                })
                .prepared(pack.seconds_of_growth(), move |context| pack.prepare(context))
                .seeded(1),
            );
        }
    }
    points
}

fn measure(context: &Context<'_>, law: &str, pack: Pack, cycles: usize) -> Result<Vec<Row>> {
    let system = pack.make(context)?;
    let count = pack.len();
    let mut mono = CellBodies::raster(count, [1.0; 3], [2, 1, 0], context.seed).anywhere_in_cells();
    let (watch, seed) = (context.watch, context.seed);
    context.on_one_thread(move || {
        // Timed in open space, as the paper's; counted in the periodic box, where small systems have no more surface.
        let mut centers = system.centers.clone();
        let smallest = system.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let mut rng = Rng::new(seed);
        let small = Mmr::new().with_coordinates(MrCoordinates::Computed);
        let first = Snapshot::new(&centers, &system.radii)?;
        let mut mixed = [
            Contender::new("mmr", Box::new(Mmr::new())),
            Contender::new(SMALL, Box::new(small)),
            Contender::new(PER_STEP, Box::new(Mmr::new().with_lists(MmrLists::PerStep))),
            Contender::new(AFRESH, Box::new(Afresh)),
            Contender::new("hgrid", Method::HGrid.build(first)?),
        ];
        let mut mr = Contender::new("mr", Box::new(Mr::default()));
        let mut pairs = Pairs::new();
        for cycle in 0..cycles {
            watch.note(&format!("cycle {} of {cycles}", cycle + 1));
            if cycle > 0 {
                shake(&mut centers, smallest, STRIDE, &mut rng);
                mono.advance(Motion::Hundredth);
            }
            let open = Snapshot::new(&centers, &system.radii)?;
            let mut found = None;
            for contender in &mut mixed {
                contender.detect(open, &mut pairs);
                if pairs.fingerprint() != *found.get_or_insert(pairs.fingerprint()) {
                    return Err(fault!("mmr and {} find different contacts: one of them is wrong", contender.name));
                }
            }
            mr.detect(mono.snapshot()?, &mut pairs);
        }
        let groups = mixed[0].detector.layout().cell_sizes.len();
        // Bytes are those of open space.
        let bytes: Vec<usize> = mixed.iter().map(|contender| contender.detector.index_bytes().unwrap_or(0)).collect();
        watch.note("counting");
        for contender in &mut mixed {
            contender.count(system.snapshot()?, &mut pairs);
        }
        mr.count(mono.snapshot()?, &mut pairs);
        let row =
            |contender: &Contender| contender.row().with("particles", count).with("law", law).with("groups", groups);
        let mut rows: Vec<Row> = Vec::new();
        for (contender, bytes) in mixed.iter().zip(bytes) {
            rows.push(row(contender).with("bytes_per_body", bytes as f64 / count as f64));
        }
        rows.push(row(&mr).with("bytes_per_body", mr.detector.index_bytes().unwrap_or(0) as f64 / count as f64));
        Ok(rows)
    })?
}

fn draw(table: &Table) -> Figure {
    let x = || Axis::log("number of bodies N");
    let setting = "diameters 1/32 to 1, packing density 0.5 without overlaps, one thread, processor time, median of later detections";
    let mut figure = Figure::new("MMR: bodies of many sizes", setting);
    for law in table.values("law") {
        let rows = table.only("law", &law);
        let mut panel = Panel::new(format!("sizes {law}"), x(), Axis::log("time per detection (s)"));
        for (name, method, shade) in [
            ("MMR", "mmr", color("mmr")),
            ("MMR, two integers per body", SMALL, 6),
            ("MMR, sorted afresh", AFRESH, 7),
            ("MR on bodies of one size", "mr", color("mr")),
            ("hgrid on the same bodies", "hgrid", color("hgrid")),
        ] {
            panel = panel.series(name, shade, Look::Curve, rows.only("method", method).curve("particles", "seconds"));
        }
        let mr = rows.only("method", "mr");
        let bound =
            mr.0.iter().map(|row| (row.number("particles"), row.number("groups") * row.number("seconds"))).collect();
        figure = figure.panel(panel.series("groups times MR", 3, Look::Dashed, bound));
    }
    figure
}

fn judge(table: &Table) -> Vec<Verdict> {
    let main = table.only("law", LAWS[0].0);
    let mut verdicts =
        vec![linear_work(&main, "mmr"), linear_time(&main, "mmr", "seconds", least_for_time(&main).min(6e4))];
    for (law, _) in LAWS {
        let rows = table.only("law", law);
        let largest = rows.curve("particles", "particles").last().map_or(f64::NAN, |point| point.0);
        let rows = rows.only("particles", largest);
        let time = |method: &str| rows.at("method", method, "seconds");
        let couples = |method: &str| rows.at("method", method, "candidates") / largest;
        let groups = rows.at("method", "mmr", "groups");
        let ratio = time("mmr") / time("mr");
        let measured = format!("{ratio:.2} times MR's with {groups} groups ({largest:.0} bodies, sizes {law})");
        let counted =
            format!("couples tested per body: {:.0} by MMR, {:.0} by MR on its lattice", couples("mmr"), couples("mr"));
        if law == LAWS[0].0 {
            verdicts.push(
                Verdict::new(
                    "much slower than MR on bodies of one size (more than twice: our tolerance)",
                    &measured,
                    ratio > 2.0,
                )
                .paper("much greater")
                .same_trend_if(ratio > 1.0)
                .because(&counted),
            );
        }
        verdicts.push(
            Verdict::new("below the number of groups times MR's time", measured, ratio < groups)
                .paper("below groups times T_MR")
                .because(counted),
        );
    }
    let bytes = |method: &str| main.only("method", method).curve("particles", "bytes_per_body");
    let most = |method: &str| bytes(method).iter().map(|point| point.1).fold(f64::NAN, f64::max);
    verdicts.push(
        Verdict::new(
            "memory is that of MR: two integers per body (the variant without coordinates)",
            format!(
                "at most {:.2} bytes per body in its variant without coordinates, {:.1} as it is by default, {:.1} for MR",
                most(SMALL),
                most("mmr"),
                most("mr")
            ),
            most(SMALL) < 8.5,
        )
        .paper("2 N integers, identical to MR"),
    );
    let last = |method: &str| {
        main.only("method", method).curve("particles", "seconds").last().map_or(f64::NAN, |point| point.1)
    };
    verdicts.push(Verdict::beyond(
        "price of two integers per body",
        format!("{:.2} times the time of MMR by default", last(SMALL) / last("mmr")),
    ));
    verdicts.push(Verdict::beyond(
        "lists kept and mended, against others",
        format!(
            "sorted afresh in every step it takes {:.2} times as long, with a list for every step {:.2} times",
            last(AFRESH) / last("mmr"),
            last(PER_STEP) / last("mmr")
        ),
    ));
    verdicts.push(Verdict::beyond(
        "beside the hierarchical grid on the same bodies",
        format!("MMR takes {:.1} times as long as hgrid", last("mmr") / last("hgrid")),
    ));
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Outcome;

    #[test]
    fn more_memory_or_more_time_than_the_paper_says_is_reported() {
        let row = |method: &str, time: f64, bytes: f64| {
            let row =
                Row::new().with("law", "by mass").with("method", method).with("particles", 1000).with("groups", 5);
            row.with("seconds", time).with("bytes_per_body", bytes).with("candidates", 9000)
        };
        let outcomes = |time: f64, bytes: f64| -> Vec<Outcome> {
            let rows =
                vec![row("mmr", time, 60.0), row(SMALL, 9.0, bytes), row("mr", 1.0, 18.0), row("hgrid", 0.1, 0.0)];
            judge(&Table(rows)).iter().map(|verdict| verdict.outcome).collect()
        };
        assert_eq!(outcomes(3.0, 8.0)[2..4], [Outcome::AsPrinted, Outcome::AsPrinted]);
        assert_eq!(outcomes(3.0, 8.0)[5], Outcome::AsPrinted);
        assert_eq!(outcomes(6.0, 14.0)[3], Outcome::Differs);
        assert_eq!(outcomes(6.0, 14.0)[5], Outcome::Differs);
    }
}
