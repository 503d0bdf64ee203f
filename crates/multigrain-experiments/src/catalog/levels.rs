//! `hgrid-levels`: time of simulations against the number of levels.

use super::classics::chosen;
use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::{Result, fault};
use crate::experiment::{Context, Cost, Experiment, Paper, Point, Size};
use crate::fit::median;
use crate::packings::Recipe;
use crate::processor_time::ProcessorTime;
use crate::row::{Row, Table};
use crate::steps::{StepTime, timed_steps};
use crate::verdict::Verdict;
use multigrain::sizes::{SizeLaw, ball_volume};
use multigrain::{LevelChoice, Pairs, Settings};
use multigrain_dem::{Simulation, Skin};
use multigrain_dem::{soft_gas, soft_setup};
use multigrain_methods::Method;
use multigrain_packings::random;
use multigrain_papers::tuning::{EqualFilling, K_OF_HGRID_CELLS, RadiiSample};

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-levels",
    paper: Paper::FastMultilevel,
    figure: "figure 4",
    about: "Elastic spheres of size ratio 50 in a box with hard walls, grown and set in motion: time of a step with hgrid-cells \
            against the number of levels, whose cell sizes come from appendix A, over that of the best number, for uniform volume \
            (alpha = -3) and uniform size (alpha = 0), with the rule L (m + K) for the paper's K = 0.3 and for the K of hgrid-cells, at \
            packing fractions 0.62, 0.4 and 0.1. All numbers of levels take turns from the same state, one thread, in processor time. \
            Beside it, one detection of spheres at random by linked-cell and by tuned hgrid.",
    cost: Cost { quick: "60 s", full: "15 min" },
    parameters: &["n", "w", "alpha", "phi", "k", "methods"],
    points,
    draw,
    judge,
};

const RATIO: f64 = 50.0;
const PACKING_FRACTION: f64 = 0.62;
/// The paper's number of particles.
const PARTICLES: usize = 125_001;

const LAWS: [(&str, f64); 2] = [("uniform volume", -3.0), ("uniform size", 0.0)];

fn points(size: &Choices) -> Vec<Point> {
    let count = size.one("n", size.pick(501, 6_001, PARTICLES));
    let fractions =
        size.list("phi", size.pick(&[0.4][..], &[PACKING_FRACTION, 0.4, 0.1], &[PACKING_FRACTION, 0.4, 0.1]));
    let (ratio, k) = (size.one("w", RATIO), size.one("k", K_OF_HGRID_CELLS));
    let levels: Vec<usize> = match size.size {
        Size::Tiny => vec![1, 3],
        Size::Quick => vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20],
        Size::Full => (1..=20).chain([24, 28, 32, 36, 40, 45, 50]).collect(),
    };
    let plan = LevelPlan {
        rounds: size.pick(1, 3, 3),
        budget: size.pick(0.001, 0.1, 0.4),
        settle: size.pick(20, 200, 300),
        ratio,
        k,
    };
    let laws: Vec<(String, f64)> = match size.list("alpha", &[]) {
        own if own.is_empty() => LAWS.map(|(law, alpha)| (law.to_owned(), alpha)).to_vec(),
        own => own.into_iter().map(|alpha: f64| (format!("alpha = {alpha}"), alpha)).collect(),
    };
    let mut points = Vec::new();
    for fraction in fractions {
        for (law, alpha) in laws.clone() {
            let levels = levels.clone();
            let longest = levels.last().copied().unwrap_or(1);
            let key = format!(
                "{},w={ratio},n={count},phi={fraction},k={k},levels={longest},rounds={}",
                law.replace(" = ", "=").replace(' ', "-"),
                plan.rounds
            );
            let seconds = 3e-7 * (count as u64 * plan.settle) as f64
                + (levels.len() * plan.rounds) as f64 * plan.budget * 1.3
                + 3e-7 * (count as f64).powf(1.6);
            points.push(
                Point::new(key, seconds, move |context| measure(context, &law, alpha, count, fraction, &levels, plan))
                    .prepared(8e-4 * count as f64, move |context| {
                        Recipe::power(alpha, ratio, count, fraction, false)?.grow(context).map(|_| ())
                    })
                    .seeded(1),
            );
        }
    }
    let count = size.one("n", size.pick(501, 30_001, PARTICLES));
    let rounds = size.pick(1, 1, 2);
    let methods = chosen(size, &[Method::LinkedCell.name(), Method::HGrid.name()]);
    let key = format!("detection,w={ratio},n={count},rounds={rounds},{}", methods.join(","));
    points.push(
        Point::new(key, 1.8e-4 * (count * rounds) as f64, move |context| {
            detection(context, ratio, count, rounds, &methods)
        })
        .seeded(1),
    );
    points
}

/// How long steps are taken.
#[derive(Debug, Clone, Copy)]
struct LevelPlan {
    rounds: usize,
    /// Seconds of a turn; one step at least.
    budget: f64,
    /// Steps before the clock starts.
    settle: u64,
    ratio: f64,
    /// K of the rule.
    k: f64,
}

fn measure(
    context: &Context<'_>,
    law: &str,
    alpha: f64,
    count: usize,
    fraction: f64,
    levels: &[usize],
    plan: LevelPlan,
) -> Result<Vec<Row>> {
    let recipe = Recipe::power(alpha, plan.ratio, count, fraction, false)?;
    let system = recipe.grow(context)?;
    let (watch, seed) = (context.watch, context.seed);
    context.on_one_thread(move || {
        watch.note("settling");
        let mut start = soft_gas(&system, seed)?;
        start.run(plan.settle)?;
        let bytes = start.encode();
        let sides: [f64; 3] = std::array::from_fn(|axis| system.domain.hi()[axis] - system.domain.lo()[axis]);
        let sample = RadiiSample::new(system.radii.clone(), &sides);
        let mut runs = Vec::new();
        for &count in levels {
            // A number of levels that no filling has is left out, as in the paper.
            let Some(filling) = sample.with_levels(count)?.filter(|filling| filling.cell_sizes.len() == count) else {
                continue;
            };
            let settings = Settings::default().with_levels(LevelChoice::CellSizes(filling.cell_sizes.clone()));
            let setup = soft_setup(&system).method(Method::HGridCells).settings(settings).skin(Skin::None);
            let mut simulation = setup.resume(&bytes)?;
            let first = timed_steps(&mut simulation, 1)?.whole;
            let steps = ((plan.budget / first) as u64).clamp(1, 200);
            runs.push(LevelsRun { filling, simulation, steps, times: Vec::new() });
        }
        for round in 0..plan.rounds {
            watch.note(&format!("round {} of {}", round + 1, plan.rounds));
            for run in &mut runs {
                run.times.push(timed_steps(&mut run.simulation, run.steps)?);
            }
        }
        let row = |run: &LevelsRun| run.row(plan.k).with("law", law).with("particles", count).with("phi", fraction);
        Ok(runs.iter().map(row).collect())
    })?
}

/// A simulation with one number of levels.
struct LevelsRun {
    filling: EqualFilling,
    simulation: Simulation<3>,
    /// Steps of a turn.
    steps: u64,
    times: Vec<StepTime>,
}

impl LevelsRun {
    fn row(&self, k: f64) -> Row {
        let levels = self.filling.cell_sizes.len();
        let middle = |value: fn(&StepTime) -> f64| median(&self.times.iter().map(value).collect::<Vec<_>>());
        Row::new()
            .with("levels", levels)
            .with("steps", self.steps)
            .with("seconds_per_step", middle(|time| time.whole))
            .with("seconds_of_detection", middle(|time| time.detection))
            .with("particles_per_cell", self.filling.particles_per_cell)
            .with("rule", levels as f64 * (self.filling.particles_per_cell + k))
            .with("rule_of_paper", levels as f64 * (self.filling.particles_per_cell + RadiiSample::PAPER_K))
    }
}

/// One detection by each of these methods, in turns, on random positions.
fn detection(
    context: &Context<'_>,
    ratio: f64,
    count: usize,
    rounds: usize,
    methods: &[&'static str],
) -> Result<Vec<Row>> {
    let system =
        random::<3>(SizeLaw::power(-3.0, ratio)?.sample(count, 3), PACKING_FRACTION, [false; 3], context.seed)?;
    let watch = context.watch;
    context.on_one_thread(move || {
        let now = system.snapshot()?;
        let mut contenders = Vec::new();
        for &name in methods {
            let method = Method::from_name(name).ok_or_else(|| fault!("no method is called {name}"))?;
            contenders.push((name, method.build(now)?, Vec::new()));
        }
        let mut found = None;
        let mut pairs = Pairs::new();
        for round in 0..rounds {
            watch.note(&format!("round {} of {rounds}", round + 1));
            for (name, detector, times) in &mut contenders {
                let start = ProcessorTime::now();
                detector.find_pairs(now, &mut pairs);
                times.push(start.elapsed().as_secs_f64());
                if *found.get_or_insert(pairs.len()) != pairs.len() {
                    return Err(fault!("{name} finds {} contacts, others {found:?}: one is wrong", pairs.len()));
                }
            }
        }
        let row = |(name, _, times): &(&str, _, Vec<f64>)| {
            let row = Row::new().with("method", name).with("particles", count).with("phi", PACKING_FRACTION);
            row.with("seconds_of_one_detection", median(times)).with("contacts", pairs.len())
        };
        Ok(contenders.iter().map(row).collect())
    })?
}

/// A column over its least value.
fn over_least(rows: &Table, column: &str) -> Vec<(f64, f64)> {
    let curve = rows.curve("levels", column);
    let least = curve.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
    curve.into_iter().map(|(levels, value)| (levels, value / least)).collect()
}

fn draw(table: &Table) -> Figure {
    let mut figure = Figure::new(
        "Time of a simulation step against the number of levels",
        "elastic spheres, size ratio 50, hgrid-cells with levels of appendix A, one thread; slowdown: time over the least",
    );
    for fraction in table.having("levels").values("phi") {
        let mut panel = Panel::new(
            format!("packing fraction {fraction}"),
            Axis::log("number of levels L"),
            Axis::log("slowdown factor"),
        );
        for (k, law) in table.values("law").into_iter().take(2).enumerate() {
            let rows = table.only("law", &law).only("phi", &fraction);
            panel = panel
                .series(format!("{law}: whole step"), k, Look::Curve, over_least(&rows, "seconds_per_step"))
                .series(format!("{law}: detection"), 4 + k, Look::Curve, over_least(&rows, "seconds_of_detection"))
                .series(format!("{law}: rule L (m + K)"), k, Look::Dashed, over_least(&rows, "rule"));
        }
        if fraction == "0.62" {
            panel = panel.paper(vec![(8.0, 1.0), (1.0, 220.0), (2.0, 1.0), (1.0, 1.3)]);
        }
        figure = figure.panel(panel);
    }
    figure
}

/// The number of levels with the least time.
fn best(rows: &Table, column: &str) -> f64 {
    over_least(rows, column).into_iter().find(|point| point.1 == 1.0).map_or(f64::NAN, |point| point.0)
}

/// What the quick rule says for the paper's sample.
fn rule(alpha: f64) -> Option<usize> {
    let radii = SizeLaw::power(alpha, RATIO).ok()?.sample(PARTICLES, 3);
    let volume: f64 = radii.iter().map(|&radius| ball_volume(radius, 3)).sum();
    let side = (volume / PACKING_FRACTION).cbrt();
    Some(RadiiSample::new(radii, &[side; 3]).quick_rule(RadiiSample::PAPER_K)?.cell_sizes.len())
}

/// Levels, bodies per cell, and time over the least, from 2 to 20 levels.
fn followed(rows: &Table) -> Vec<(f64, f64, f64)> {
    let times = over_least(rows, "seconds_of_detection");
    let fillings = rows.curve("levels", "particles_per_cell");
    let points = times.iter().zip(&fillings).map(|(time, filling)| (time.0, filling.1, time.1));
    points.filter(|point| (2.0..=20.0).contains(&point.0)).collect()
}

/// By which factor times and L (m + K) are apart at most, scaled so that they are as far apart above as below.
fn apart(points: &[(f64, f64, f64)], k: f64) -> f64 {
    let logs = points.iter().map(|(levels, m, time)| (time / (levels * (m + k))).ln());
    let (low, high) = logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    if points.len() < 3 { f64::NAN } else { (0.5 * (high - low)).exp() }
}

/// The K with which L (m + K) follows these times best, and by which factor it is then apart at most.
fn fitted(rows: &Table) -> (f64, f64) {
    let points = followed(rows);
    if points.len() < 3 {
        return (f64::NAN, f64::NAN);
    }
    let all = (0..200).map(|step| 0.02 * 1.05f64.powi(step));
    all.map(|k| (k, apart(&points, k))).min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((f64::NAN, f64::NAN))
}

fn judge(table: &Table) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let found = rule(-3.0);
    verdicts.push(
        Verdict::new(
            "uniform volume: levels by the rule L (m + K), K = 0.3, 125,001 particles",
            found.map_or("none".to_owned(), |rule| rule.to_string()),
            found == Some(7),
        )
        .paper("7"),
    );
    let dense = table.having("levels").only("phi", PACKING_FRACTION);
    for ((law, _), levels) in LAWS.into_iter().zip([8.0, 2.0]) {
        let rows = dense.only("law", law);
        let [whole, detection] = ["seconds_per_step", "seconds_of_detection"].map(|column| best(&rows, column));
        let at = |levels: f64, column: &str| {
            over_least(&rows, column).into_iter().find(|point| point.0 == levels).map_or(f64::NAN, |point| point.1)
        };
        let particles = rows.0.first().map_or(f64::NAN, |row| row.number("particles"));
        let (k, _) = fitted(&rows);
        verdicts.push(
            Verdict::new(
                format!("{law}: best number of levels"),
                format!(
                    "{whole} for the whole step, {detection} for detection; {levels} levels take {:.2} times the least",
                    at(levels, "seconds_per_step")
                ),
                whole == levels,
            )
            .paper(format!("{levels}"))
            // Several levels, and within a factor of two as many.
            .same_trend_if(whole > 1.0 && (0.5..=2.0).contains(&(whole / levels)))
            .because(format!(
                "K is {k:.2} by these times, and a level costs K (experiment hgrid-overhead); the paper's is 0.3"
            )),
        );
        let (slower, in_detection) = (at(1.0, "seconds_per_step"), at(1.0, "seconds_of_detection"));
        let two = at(1.0, "seconds_per_step") / at(2.0, "seconds_per_step");
        verdicts.push(match law {
            "uniform volume" => Verdict::new(
                format!("{law}: one level, the linked cell, is far slower than the best number (tolerance 20 %, ours)"),
                format!("{slower:.1} times in the whole step, {in_detection:.1} in detection, {particles} particles"),
                (176.0..=264.0).contains(&slower),
            )
            .paper("220 times, 125,001 particles")
            .same_trend_if(slower > 5.0)
            .because(format!("{particles} particles here; counted couples of one level grow with their number")),
            _ => Verdict::new(
                format!("{law}: two levels are faster than one by 30 % (tolerance 15 points, ours)"),
                format!("one level takes {two:.2} times the time of two, {particles} particles"),
                (1.15..1.45).contains(&two),
            )
            .paper("about 30 %")
            .same_trend_if(two > 1.02)
            .because(format!("K is {k:.2} by these times, and a level costs K (experiment hgrid-overhead)")),
        });
    }
    let mut of_cases = Vec::new();
    for phi in table.having("levels").values("phi") {
        for (law, _) in LAWS {
            let rows = table.having("levels").only("phi", &phi).only("law", law);
            let points = followed(&rows);
            let (own, paper) = (apart(&points, K_OF_HGRID_CELLS), apart(&points, RadiiSample::PAPER_K));
            let (k, least) = fitted(&rows);
            of_cases.push((law, phi.clone(), k));
            verdicts.push(
                Verdict::new(
                    format!("{law}, packing fraction {phi}: detection follows L (m + K) from 2 to 20 levels, K from these times (tolerance 20 %, ours)"),
                    format!("apart by a factor of {least:.2} at most with K = {k:.2}; {paper:.2} with the paper's 0.3"),
                    least < 1.2,
                )
                .paper("very good agreement; K is obtained from numerical experiments")
                .same_trend_if(least < 1.44)
                .because(format!("no K follows these very times better; with the {K_OF_HGRID_CELLS} of hgrid-cells they are {own:.2} apart")),
            );
        }
    }
    let (low, high) =
        of_cases.iter().fold((f64::INFINITY, 0.0f64), |(low, high), case| (low.min(case.2), high.max(case.2)));
    let all = of_cases.iter().map(|(law, phi, k)| format!("{k:.2} ({law}, {phi})")).collect::<Vec<_>>().join(", ");
    verdicts.push(
        Verdict::new(
            "K of these simulations varies in a narrow range",
            if of_cases.is_empty() { "NaN".to_owned() } else { all },
            low >= 0.2 && high <= 0.45,
        )
        .paper("0.2 to 0.45")
        .because("by the search alone, mapping apart, it is another too: experiment hgrid-overhead"),
    );
    let time = |method: &str| table.at("method", method, "seconds_of_one_detection");
    let (slower, count) = (time("linked-cell") / time("hgrid"), table.at("method", "hgrid", "particles"));
    verdicts.push(Verdict::beyond(
        "uniform volume: linked-cell against tuned hgrid in one detection",
        format!("{slower:.0} times as long, {count} particles at random"),
    ));
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Outcome;

    #[test]
    fn best_levels_and_the_rule_are_judged() {
        let row = |law: &str, levels: f64, m: f64, time: f64| {
            let row = Row::new().with("law", law).with("levels", levels).with("phi", 0.62).with("particles", 9);
            let row =
                row.with("seconds_per_step", time).with("seconds_of_detection", time).with("particles_per_cell", m);
            row.with("rule", levels * (m + 2.0)).with("rule_of_paper", levels * (m + 0.3))
        };
        let made = |levels: f64, m: f64| row("uniform volume", levels, m, levels * (m + 2.0));
        let table = Table(vec![made(1.0, 900.0), made(2.0, 20.0), made(4.0, 3.0), made(8.0, 0.2), made(16.0, 0.1)]);
        let (k, apart) = fitted(&table);
        assert!((k - 2.0).abs() < 0.15 && apart < 1.05, "{k} {apart}");
        let verdicts = judge(&table);
        let of = |claim: &str| verdicts.iter().find(|verdict| verdict.claim.contains(claim)).unwrap();
        assert!(of("best number").is_as_printed() && of("follows L").is_as_printed());
        // Times that no K follows are not as printed, and one level where the paper has two is no trend.
        let steep = |levels: f64, m: f64| row("uniform size", levels, m, levels.powi(2));
        let verdicts = judge(&Table(vec![steep(1.0, 90.0), steep(2.0, 2.0), steep(4.0, 1.0), steep(8.0, 0.5)]));
        let of = |claim: &str| verdicts.iter().find(|verdict| verdict.claim.starts_with(claim)).unwrap().outcome;
        assert_eq!(of("uniform size: best number"), Outcome::Differs);
        assert_eq!(of("uniform size, packing fraction 0.62"), Outcome::Differs);
    }
}
