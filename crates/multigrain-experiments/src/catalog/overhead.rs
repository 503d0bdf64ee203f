//! `hgrid-overhead`: K, the cost of a cell over that of a test, of our `hgrid-cells`: the one measurement that its constant comes from.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::Result;
use crate::experiment::{Context, Cost, Experiment, Paper, Point};
use crate::fit::median;
use crate::processor_time::ProcessorTime;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::sizes::SizeLaw;
use multigrain::{Detector, Pairs, Rng};
use multigrain_packings::random;
use multigrain_papers::HGridCells;
use multigrain_papers::tuning::{K_OF_HGRID_CELLS, RadiiSample};
use std::hint::black_box;

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-overhead",
    paper: Paper::FastMultilevel,
    figure: "section 3.2 (K), and optimal-hgrid, section 3",
    about: "Spheres of uniform volume and of uniform size, size ratio 50, at random places in open boxes at three packing fractions: \
            processor time of the search of hgrid-cells, its mapping apart, with levels of appendix A in different numbers, one \
            thread. K is the cost of a counted cell over that of a tested couple that fits these times best, in relative error. \
            Beside it, three ways to test a couple on the same couples: the sphere test alone, both tests joined, and the box test \
            first, which the sphere test follows only where it passes.",
    cost: Cost { quick: "20 s", full: "3 min" },
    parameters: &["n", "w", "alpha", "phi"],
    points,
    draw,
    judge,
};

const LAWS: [(&str, f64); 2] = [("uniform volume", -3.0), ("uniform size", 0.0)];

/// What this experiment has fitted several times, to compare with the K of the code.
const FITTED: f64 = 15.0;

/// Names of the tests of a couple.
const TESTS: [&str; 3] = ["sphere alone", "joined", "box first"];

fn points(choices: &Choices) -> Vec<Point> {
    let count = choices.one("n", choices.pick(800, 30_001, 125_001));
    let ratio = choices.one("w", 50.0);
    let rounds = choices.pick(1, 3, 7);
    let fractions = choices.list("phi", choices.pick(&[0.4][..], &[0.1, 0.4, 0.62], &[0.05, 0.1, 0.2, 0.4, 0.62]));
    let levels: &'static [usize] =
        choices.pick(&[1, 2, 4, 6][..], &[1, 2, 3, 4, 5, 6, 8, 12, 16], &[1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20]);
    let laws: Vec<(&'static str, f64)> = match choices.list("alpha", &[]).as_slice() {
        [] => LAWS.to_vec(),
        [alpha, ..] => vec![("own", *alpha)],
    };
    // Small systems too, at one packing fraction: levels are chosen for them by the same K.
    let few = choices.pick(300, 2_000, 2_000);
    let is_own = !choices.are_of_papers();
    let mut cases: Vec<(usize, f64)> = fractions.iter().map(|&phi| (count, phi)).collect();
    cases.extend([(few, 0.4)].into_iter().filter(|_| !is_own));
    let mut points = Vec::new();
    for (law, alpha) in laws {
        for &(count, phi) in &cases {
            let rounds = if count == few { 5 * rounds } else { rounds };
            let longest = levels.last().copied().unwrap_or(1);
            let law_name = law.replace(' ', "-");
            let key =
                format!("{law_name},alpha={alpha},w={ratio},n={count},phi={phi},levels=1-{longest},rounds={rounds}");
            let seconds = 2e-6 * (count * levels.len() * (rounds + 1)) as f64;
            points.push(
                Point::new(key, seconds, move |context| {
                    let case = Case { law, alpha, ratio, count, phi, rounds };
                    measure(context, case, levels)
                })
                .seeded(1),
            );
        }
    }
    let tests = choices.pick(1 << 14, 1 << 22, 1 << 24);
    points.push(
        Point::new(format!("tests={tests}"), 3e-8 * tests as f64 + 0.05, move |context| test_couples(context, tests))
            .seeded(1),
    );
    points
}

#[derive(Debug, Clone, Copy)]
struct Case {
    law: &'static str,
    alpha: f64,
    ratio: f64,
    count: usize,
    phi: f64,
    rounds: usize,
}

fn measure(context: &Context<'_>, case: Case, levels: &[usize]) -> Result<Vec<Row>> {
    let Case { law, alpha, ratio, count, phi, rounds } = case;
    let system = random::<3>(SizeLaw::power(alpha, ratio)?.sample(count, 3), phi, [false; 3], context.seed)?;
    let watch = context.watch;
    context.on_one_thread(move || {
        let now = system.snapshot()?;
        // As hgrid-cells does where it is left alone.
        let sample = RadiiSample::of(&now);
        let mut pairs = Pairs::new();
        let mut entries = Vec::new();
        for &number in levels {
            // A number of levels that no filling has is left out, as in the paper.
            if let Some(filling) = sample.with_levels(number)?.filter(|filling| filling.cell_sizes.len() == number) {
                let mut grid = HGridCells::with_levels(filling.levels()?, Default::default());
                let work = grid.count_work(now, &mut pairs);
                let looked = grid.look_ups();
                entries.push((filling, grid, work, looked, Vec::new()));
            }
        }
        for round in 0..rounds {
            watch.note(&format!("round {} of {rounds}", round + 1));
            for (_, grid, _, _, times) in &mut entries {
                let start = ProcessorTime::now();
                let mut mapped = start;
                grid.find_pairs_in_phases(now, &mut pairs, &mut || mapped = ProcessorTime::now(), &|| false);
                let end = ProcessorTime::now();
                times.push([mapped - start, end - mapped].map(|time| time.as_secs_f64()));
            }
        }
        let row = |(filling, _, work, looked, times): &Entry| {
            let part = |number: usize| median(&times.iter().map(|time| time[number]).collect::<Vec<_>>());
            Row::new()
                .with("law", law)
                .with("alpha", alpha)
                .with("w", ratio)
                .with("phi", phi)
                .with("particles", count)
                .with("levels", filling.cell_sizes.len())
                .with("particles_per_cell", filling.particles_per_cell)
                .with("candidates", work.candidates)
                .with("cells", work.cells)
                .with("blocks_looked_up", looked.done)
                .with("seconds_of_mapping", part(0))
                .with("seconds_of_search", part(1))
        };
        Ok(entries.iter().map(row).collect())
    })?
}

type Entry = (
    multigrain_papers::tuning::EqualFilling,
    HGridCells<3>,
    multigrain::Work,
    multigrain_papers::LookUps,
    Vec<[f64; 2]>,
);

/// A body of a couple: center, radius and number.
type Tested = ([f64; 3], f64, u32);

/// Times of three tests on the same couples, those of neighbouring cells.
fn test_couples(context: &Context<'_>, tests: usize) -> Result<Vec<Row>> {
    const EACH: usize = 32;
    let mut rng = Rng::new(context.seed);
    // Bodies of one level, in a box of three cells along each axis.
    let mut body =
        |id: usize| -> Tested { ([(); 3].map(|()| 3.0 * rng.uniform()), 0.25 + 0.25 * rng.uniform(), id as u32) };
    let bodies: Vec<Tested> = (0..tests / EACH + EACH + 1).map(&mut body).collect();
    context.on_one_thread(move || {
        let mut times = [const { Vec::new() }; 3];
        let mut found = [0; 3];
        for _ in 0..5 {
            for test in 0..3 {
                let start = ProcessorTime::now();
                found[test] = match test {
                    0 => touching::<EACH>(&bodies, sphere),
                    1 => touching::<EACH>(&bodies, |v, r| {
                        (v[0].abs() < r) & (v[1].abs() < r) & (v[2].abs() < r) & sphere(v, r)
                    }),
                    _ => touching::<EACH>(&bodies, |v, r| {
                        v[0].abs() < r && v[1].abs() < r && v[2].abs() < r && sphere(v, r)
                    }),
                };
                times[test].push(start.elapsed().as_secs_f64());
            }
        }
        let each = 1.0 / (EACH * (bodies.len() - EACH)) as f64;
        let row = |test: usize| {
            Row::new()
                .with("test", TESTS[test])
                .with("seconds_per_test", each * median(&times[test]))
                .with("share_that_touches", each * found[test] as f64)
        };
        Ok((0..3).map(row).collect())
    })?
}

#[inline(always)]
fn sphere(v: [f64; 3], reach: f64) -> bool {
    v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < reach * reach
}

/// How many couples of each body with the next `EACH` touch. They are listed, as a search lists them.
#[inline(always)]
fn touching<const EACH: usize>(bodies: &[Tested], touches: impl Fn([f64; 3], f64) -> bool) -> usize {
    let mut pairs: Vec<[u32; 2]> = Vec::with_capacity(1 << 12);
    let mut found = 0;
    for (place, (center, radius, id)) in bodies[..bodies.len() - EACH].iter().enumerate() {
        for (other, other_radius, other_id) in &bodies[place + 1..=place + EACH] {
            let vector = std::array::from_fn(|axis| other[axis] - center[axis]);
            if touches(vector, radius + other_radius) {
                pairs.push([*id, *other_id]);
                if pairs.len() == pairs.capacity() {
                    found += pairs.len();
                    black_box(&pairs);
                    pairs.clear();
                }
            }
        }
    }
    black_box(&pairs);
    found + pairs.len()
}

/// The systems of a table, each with its rows.
fn systems(table: &Table) -> Vec<(String, String, Table)> {
    let mut systems = Vec::new();
    for law in table.values("law") {
        let of_law = table.only("law", &law);
        for phi in of_law.values("phi") {
            let of_phi = of_law.only("phi", &phi);
            for count in of_phi.values("particles") {
                let rows = of_phi.only("particles", &count);
                let named =
                    if of_phi.values("particles").len() > 1 { format!("{phi}, {count} bodies") } else { phi.clone() };
                systems.push((law.clone(), named, rows));
            }
        }
    }
    systems
}

/// For every system the time of a detection, mapping included, with the number of levels of which the quick rule makes most by this K,
/// over that with the best one.
fn losses(table: &Table, k: f64) -> Vec<f64> {
    let time = |row: &Row| row.number("seconds_of_mapping") + row.number("seconds_of_search");
    let rule = |row: &Row| row.number("levels") * (row.number("particles_per_cell") + k);
    let of_system = |rows: &Table| {
        let chosen = rows.0.iter().min_by(|a, b| rule(a).total_cmp(&rule(b))).map_or(f64::NAN, time);
        chosen / rows.0.iter().map(time).fold(f64::INFINITY, f64::min)
    };
    systems(table).iter().map(|(_, _, rows)| of_system(rows)).collect()
}

/// The mean and the largest of these losses in words.
fn in_words(losses: &[f64]) -> String {
    let most = losses.iter().copied().fold(f64::NAN, f64::max);
    format!("{:.2} times the least on average, {most:.2} at most", losses.iter().sum::<f64>() / losses.len() as f64)
}

/// The costs of a couple and of a cell that fit the times of these rows best, in relative error, and their largest relative error.
fn fit(rows: &Table) -> (f64, f64, f64) {
    let points: Vec<[f64; 3]> = rows
        .having("seconds_of_search")
        .0
        .iter()
        .map(|row| {
            let time = row.number("seconds_of_search");
            [row.number("candidates") / time, row.number("cells") / time, time]
        })
        .collect();
    if points.len() < 3 {
        return (f64::NAN, f64::NAN, f64::NAN);
    }
    let sum = |value: fn(&[f64; 3]) -> f64| points.iter().map(value).sum::<f64>();
    let (xx, xy, yy) = (sum(|p| p[0] * p[0]), sum(|p| p[0] * p[1]), sum(|p| p[1] * p[1]));
    let (x, y) = (sum(|p| p[0]), sum(|p| p[1]));
    let determinant = xx * yy - xy * xy;
    let (test, cell) = ((x * yy - y * xy) / determinant, (xx * y - xy * x) / determinant);
    let off = points.iter().map(|p| (test * p[0] + cell * p[1] - 1.0).abs()).fold(0.0, f64::max);
    (test, cell, off)
}

fn draw(table: &Table) -> Figure {
    let mut figure = Figure::new(
        "Cost of cells and tests of hgrid-cells",
        "search alone, mapping apart, one thread, processor time; lines: a couples + b cells, fitted",
    );
    for law in table.values("law").into_iter().take(2) {
        let mut panel =
            Panel::new(format!("search, {law}"), Axis::log("number of levels L"), Axis::log("time per particle (ns)"));
        for (k, phi) in table.only("law", &law).values("phi").into_iter().take(4).enumerate() {
            let rows = table.only("law", &law).only("phi", &phi);
            let most = rows.curve("particles", "particles").last().map_or(f64::NAN, |point| point.0);
            let rows = rows.only("particles", most);
            let (test, cell, _) = fit(&rows);
            let each = |value: &dyn Fn(&Row) -> f64| {
                let mut points: Vec<(f64, f64)> = rows
                    .0
                    .iter()
                    .map(|row| (row.number("levels"), 1e9 * value(row) / row.number("particles")))
                    .collect();
                points.sort_by(|a, b| a.0.total_cmp(&b.0));
                points
            };
            panel = panel
                .series(format!("packing fraction {phi}"), k, Look::Dots, each(&|row| row.number("seconds_of_search")))
                .series("", k, Look::Line, each(&|row| test * row.number("candidates") + cell * row.number("cells")));
        }
        figure = figure.panel(panel);
    }
    figure
}

fn judge(table: &Table) -> Vec<Verdict> {
    let mut of_cases = Vec::new();
    // K is that of the large systems, losses are those of all.
    let most = table.curve("particles", "particles").last().map_or(f64::NAN, |point| point.0);
    let large = table.only("particles", most);
    for (law, phi, rows) in systems(&large) {
        let (test, cell, off) = fit(&rows);
        of_cases.push((law, phi, cell / test, off));
    }
    let (least, most) =
        of_cases.iter().fold((f64::INFINITY, 0.0f64), |(low, high), case| (low.min(case.2), high.max(case.2)));
    let spread = if of_cases.is_empty() { f64::NAN } else { most / least };
    let all = of_cases.iter().map(|(law, phi, k, _)| format!("{k:.2} ({law}, {phi})")).collect::<Vec<_>>().join(", ");
    let listed = if of_cases.is_empty() { "NaN".to_owned() } else { all };
    let (test, cell, off) = fit(&large);
    let look = {
        let rows = large.having("seconds_of_search");
        let total = |column: &str| rows.0.iter().map(|row| row.number(column)).sum::<f64>();
        total("cells") / total("blocks_looked_up")
    };
    let time = |name: &str| 1e9 * table.at("test", name, "seconds_per_test");
    let [alone, joined, first] = TESTS.map(time);
    vec![
        Verdict::new("K lies in a narrow range", &listed, least >= 0.2 && most <= 0.45)
            .paper("0.2 to 0.45, depending on the size distribution")
            .because(format!(
                "a test takes {:.1} ns here and a counted cell {:.1}; {look:.1} counted cells go with one look at a block of cells",
                1e9 * test,
                1e9 * cell
            )),
        Verdict::new("K does not depend on the packing fraction", listed, spread < 1.5)
            .paper("not dependent on the particle volume fraction")
            .of(Paper::OptimalHgrid)
            .because(format!(
                "by these fits it varies by a factor of {spread:.1}; one K for all of them is off by up to {:.0} %",
                100.0 * off
            )),
        Verdict::beyond(
            "the K of hgrid-cells, for `tune --k auto` and the experiments",
            format!("{:.2} by all points of this run; {K_OF_HGRID_CELLS} in the code", cell / test),
        ),
        Verdict::beyond(
            "time of a detection with the number of levels that the quick rule takes by K",
            format!(
                "{} with K = {K_OF_HGRID_CELLS}; {} with {FITTED}; {} with the paper's {}",
                in_words(&losses(table, K_OF_HGRID_CELLS)),
                in_words(&losses(table, FITTED)),
                in_words(&losses(table, RadiiSample::PAPER_K)),
                RadiiSample::PAPER_K
            ),
        ),
        Verdict::new(
            "tests of a couple: the box first is faster than the sphere alone",
            format!("{alone:.2} ns for the sphere alone, {joined:.2} for both joined, {first:.2} for the box first"),
            first < alone,
        )
        .paper("testing boxes first usually increases the performance")
        .because(format!(
            "the box first takes {:.1} times as long as the sphere alone on the same couples, of which {:.0} % touch, and both joined \
             {:.1} times: what is saved is less than what branching costs",
            first / alone,
            100.0 * table.at("test", TESTS[0], "share_that_touches"),
            joined / alone
        )),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Silent;

    #[test]
    fn costs_are_found_again() {
        let row = |couples: f64, cells: f64| {
            let row = Row::new()
                .with("law", "a")
                .with("particles", 9)
                .with("phi", 0.4)
                .with("candidates", couples)
                .with("cells", cells);
            row.with("seconds_of_search", 3e-9 * couples + 6e-9 * cells).with("blocks_looked_up", cells)
        };
        let table = Table(vec![row(100.0, 3.0), row(50.0, 10.0), row(60.0, 20.0), row(20.0, 40.0)]);
        let (test, cell, off) = fit(&table);
        assert!((test - 3e-9).abs() < 1e-15 && (cell - 6e-9).abs() < 1e-15 && off < 1e-9);
        let verdicts = judge(&table);
        assert!(!verdicts[0].is_as_printed() && verdicts[1].is_as_printed(), "{verdicts:?}");
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }

    #[test]
    fn a_choice_of_levels_that_takes_longer_is_a_loss() {
        let row = |levels: f64, filling: f64, time: f64| {
            let row = Row::new().with("law", "a").with("particles", 9).with("phi", 0.4).with("levels", levels);
            row.with("particles_per_cell", filling).with("seconds_of_mapping", 1.0).with("seconds_of_search", time)
        };
        let table = Table(vec![row(1.0, 90.0, 30.0), row(2.0, 9.0, 4.0), row(5.0, 1.0, 9.0)]);
        // 2 (9 + k) against 5 (1 + k): two levels from k = 13/3 on.
        assert_eq!((losses(&table, 5.0), losses(&table, 0.3)), (vec![1.0], vec![2.0]));
    }

    #[test]
    fn levels_of_open_boxes_are_filled_by_the_cells_of_the_box() {
        let folder = tempfile::tempdir().unwrap();
        let context = Context { cache: folder.path(), seed: 1, watch: &Silent };
        let case = Case { law: "own", alpha: -3.0, ratio: 50.0, count: 4000, phi: 0.4, rounds: 1 };
        let rows = measure(&context, case, &[4]).unwrap();
        // A level has far more cells than one.
        assert!(rows[0].number("particles_per_cell") < 50.0, "{rows:?}");
    }

    #[test]
    fn all_tests_find_the_same_couples() {
        let bodies: Vec<Tested> =
            (0..200).map(|k| ([0.3 * f64::from(k % 7), 0.2 * f64::from(k % 5), 0.0], 0.2, k)).collect();
        let found = touching::<32>(&bodies, sphere);
        assert!(found > 100);
        assert_eq!(found, touching::<32>(&bodies, |v, r| v[0].abs() < r && v[1].abs() < r && sphere(v, r)));
    }
}
