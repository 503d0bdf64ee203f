//! `mmr`: multi-step MR for bodies of many sizes.

use super::classics::{color, least_for_time, linear_time, linear_work};
use crate::bodies::{CellBodies, Motion};
use crate::chart::{Axis, Figure, Look, Panel};
use crate::experiment::{Context, Cost, Experiment, Paper, Point, Size};
use crate::race::Contender;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use anyhow::{Result, bail};
use multigrain::System;
use multigrain::sizes::SizeLaw;
use multigrain::{Pairs, Snapshot};
use multigrain_methods::Method;
use multigrain_packings::random;
use multigrain_papers::{Mmr, Mr};

pub const EXPERIMENT: Experiment = Experiment {
    name: "mmr",
    paper: Paper::Mr,
    figure: "figure 32",
    about: "Diameters from 1/32 to 1, the passing fraction log-uniform in size: by mass, which is a number density of x^-4, and \
            by number, x^-1, as a variant; packing density 0.5, at random places (overlaps allowed, unlike in the paper), \
            numbered row by row as the bodies of the other packings are. MMR takes turns with MR on as many bodies of one size (packing A, moving by up to a cell), and with hgrid on the same bodies, on one thread.",
    cost: Cost { quick: "40 s", full: "3 min" },
    points,
    draw,
    judge,
};

/// Largest diameter over the smallest.
const RATIO: f64 = 32.0;

/// Work is judged from this many bodies on, where the box is three of the largest diameters wide.
const MIN_FOR_WORK: f64 = 6e4;

const LAWS: [(&str, f64); 2] = [("by mass", -4.0), ("by number", -1.0)];

fn points(size: Size) -> Vec<Point> {
    let counts: &[usize] = size.pick(
        &[500, 4000],
        &[8_000, 64_000, 250_047, 1_000_000, 3_944_312],
        &[8_000, 27_000, 64_000, 125_000, 343_000, 1_000_000, 2_197_000, 5_000_211],
    );
    let mut points = Vec::new();
    for (law, exponent) in LAWS {
        // The variant is dense in tests: many small bodies in the cells of large ones.
        let counts = if law == "by mass" { counts } else { &counts[..counts.len().min(size.pick(1, 3, 5))] };
        for &count in counts {
            let cycles = size.pick(2, if count > 1_000_000 { 2 } else { 3 }, 10);
            let key = format!("{},n={count},cycles={cycles}", law.replace(' ', "-"));
            let each = if law == "by mass" { 6e-6 } else { 2e-5 };
            points.push(
                Point::new(key, each * (count * cycles) as f64 + 0.02, move |context| {
                    measure(context, law, exponent, count, cycles)
                })
                .seeded(1),
            );
        }
    }
    points
}

fn measure(context: &Context<'_>, law: &str, exponent: f64, count: usize, cycles: usize) -> Result<Vec<Row>> {
    // Timed in open space, as the paper's; counted in a periodic box, where small systems have no more surface than large ones.
    let radii = SizeLaw::power(exponent, RATIO)?.sample(count, 3);
    let system = numbered_by_place(random::<3>(radii, 0.5, [true; 3], context.seed)?);
    let mut mono = CellBodies::raster(count, [1.0; 3], [2, 1, 0], context.seed);
    let watch = context.watch;
    context.on_one_thread(move || {
        let open = Snapshot::new(&system.centers, &system.radii)?;
        let mut mmr = Contender::new("mmr", Box::new(Mmr::new()));
        let mut hgrid = Contender::new("hgrid", Method::HGrid.build(open)?);
        let mut mr = Contender::new("mr", Box::new(Mr::default()));
        let mut pairs = Pairs::new();
        for cycle in 0..cycles {
            watch.note(&format!("cycle {} of {cycles}", cycle + 1));
            mmr.detect(open, &mut pairs);
            let found = pairs.len();
            // The bodies of many sizes rest: MMR walks its lists and finds them in order. Those of MR move.
            mono.advance(Motion::OneCell);
            mr.detect(mono.snapshot()?, &mut pairs);
            hgrid.detect(open, &mut pairs);
            if pairs.len() != found {
                bail!("mmr finds {found} contacts, hgrid {}: one of them is wrong", pairs.len());
            }
        }
        watch.note("counting");
        mmr.count(system.snapshot()?, &mut pairs);
        hgrid.count(system.snapshot()?, &mut pairs);
        mr.count(mono.snapshot()?, &mut pairs);
        let groups = mmr.detector.layout().cell_sizes.len();
        let row =
            |contender: &Contender| contender.row().with("particles", count).with("law", law).with("groups", groups);
        Ok([&mmr, &mr, &hgrid].map(row).into())
    })?
}

/// The same bodies with numbers that go along x, then y, then z, by cells that hold one body on average.
fn numbered_by_place(system: System<3>) -> System<3> {
    let lengths = system.domain.lengths();
    let per_length = (system.centers.len() as f64 / lengths.iter().product::<f64>()).cbrt();
    let cell = |body: u32| system.centers[body as usize].map(|along| (along * per_length).floor() as i64);
    let mut order: Vec<u32> = (0..system.centers.len() as u32).collect();
    order.sort_by_cached_key(|&body| {
        let [x, y, z] = cell(body);
        [z, y, x]
    });
    let centers = order.iter().map(|&body| system.centers[body as usize]).collect();
    let radii = order.iter().map(|&body| system.radii[body as usize]).collect();
    System { centers, radii, domain: system.domain }
}

fn draw(table: &Table) -> Figure {
    let x = || Axis::log("number of bodies N");
    let mut panels = Vec::new();
    for (law, exponent) in LAWS {
        let rows = table.only("law", law);
        let mut panel =
            Panel::new(format!("sizes {law}, number density x^{exponent}"), x(), Axis::log("time per detection (s)"));
        for (name, method) in
            [("MMR", "mmr"), ("MR on bodies of one size", "mr"), ("hgrid on the same bodies", "hgrid")]
        {
            panel = panel.series(
                name,
                color(method),
                Look::Curve,
                rows.only("method", method).curve("particles", "seconds"),
            );
        }
        let mr = rows.only("method", "mr");
        let bound =
            mr.0.iter().map(|row| (row.number("particles"), row.number("groups") * row.number("seconds"))).collect();
        panels.push(panel.series("groups times MR", 3, Look::Dashed, bound));
    }
    let setting = "diameters 1/32 to 1, packing density 0.5, one thread, median of the later detections";
    panels.into_iter().fold(Figure::new("MMR: bodies of many sizes", setting), Figure::panel)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let main = table.only("law", LAWS[0].0);
    let roomy = Table(main.0.iter().filter(|row| row.number("particles") >= MIN_FOR_WORK).cloned().collect());
    let work = linear_work(&roomy, "mmr")
        .note("from 64,000 bodies on: smaller boxes hold fewer than three of the largest cells along an edge");
    let mut verdicts = vec![work, linear_time(&main, "mmr", "seconds", least_for_time(&main))];
    for (law, _) in LAWS {
        let rows = table.only("law", law);
        let largest = rows.curve("particles", "particles").last().map_or(f64::NAN, |point| point.0);
        let rows = rows.only("particles", largest);
        let time = |method: &str| rows.at("method", method, "seconds");
        let couples = |method: &str| rows.at("method", method, "candidates") / largest;
        let groups = rows.at("method", "mmr", "groups");
        let ratio = time("mmr") / time("mr");
        let measured = format!("{ratio:.2} times MR's with {groups} groups ({largest:.0} bodies, sizes {law})");
        if law == LAWS[0].0 {
            verdicts.push(
                Verdict::new("much slower than MR on bodies of one size", &measured, ratio > 1.5).paper("much greater"),
            );
        }
        verdicts.push(
            Verdict::new("below the number of groups times MR's time", measured, ratio < groups)
                .paper("below groups times T_MR")
                .if_not(format!(
                    "MMR tests {:.0} couples per body, as large bodies have many small ones in their cells, and MR {:.0} on \
                     its lattice",
                    couples("mmr"),
                    couples("mr"),
                )),
        );
    }
    let last = |method: &str| {
        main.only("method", method).curve("particles", "seconds").last().map_or(f64::NAN, |point| point.1)
    };
    let slower = last("mmr") / last("hgrid");
    verdicts.push(
        Verdict::new(
            "the hierarchical grid is faster on the same bodies",
            format!("MMR takes {slower:.1} times as long"),
            slower > 1.0,
        )
        .note("not a claim of the paper, which is older"),
    );
    verdicts
}
