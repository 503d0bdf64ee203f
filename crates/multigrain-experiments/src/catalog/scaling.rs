//! `hgrid-scaling`: simulations of bodies of many sizes against those of as many of one size.

use super::classics::chosen;
use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::{Result, fault};
use crate::experiment::{Context, Cost, Experiment, Paper, Point, Size};
use crate::fit::{log_slope, median};
use crate::packings::Recipe;
use crate::row::{Row, Table};
use crate::steps::{StepTime, timed_steps};
use crate::verdict::Verdict;
use multigrain::sizes::SizeLaw;
use multigrain::tuning::Distribution;
use multigrain::{LevelChoice, Pairs, Settings, System};
use multigrain_dem::{Simulation, Skin, soft_gas, soft_setup};
use multigrain_methods::Method;
use multigrain_papers::tuning::{CostModel, K_OF_HGRID_CELLS, Spacing};

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-scaling",
    paper: Paper::FastMultilevel,
    figure: "figure 5",
    about: "Whole simulations of grown and softly relaxed packings (packing fraction 0.62, in the quick run 0.55, since between walls few bodies jam earlier; hard walls, elastic spheres) of two sizes \
            with equal volumes, and of uniform volume, against as many of one size: processor time of a step, and of detection alone, on \
            one thread, all mixtures in turns. Bodies of one size are searched by linked-cell, mixtures by hgrid-cells, those of two \
            sizes with two levels at their diameters, the others with optimal levels for its K; hgrid is beside it. Work is counted \
            of the same states. Numbers and size ratios are our choice; as in the paper, wide mixtures begin where their largest bodies are small beside the box. \
            A packing that jams is named and left out.",
    cost: Cost { quick: "90 s", full: "25 min" },
    parameters: &["n", "w", "alpha", "phi", "k", "methods"],
    points,
    draw,
    judge,
};

const PACKING_FRACTION: f64 = 0.62;

/// Between walls few bodies jam earlier.
const QUICK_PACKING_FRACTION: f64 = 0.55;

/// Bodies of one size.
const MONO: &str = "mono";

/// Bodies of some sizes.
#[derive(Debug, Clone, PartialEq)]
struct Mixture {
    name: String,
    ratio: f64,
    kind: ScalingKind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum ScalingKind {
    Mono,
    Two,
    /// Radii distributed as a power.
    Power(f64),
}

impl Mixture {
    fn law(&self) -> Result<SizeLaw> {
        Ok(match self.kind {
            ScalingKind::Mono => SizeLaw::Mono,
            ScalingKind::Two => SizeLaw::bidisperse(self.ratio)?,
            ScalingKind::Power(alpha) => SizeLaw::power(alpha, self.ratio)?,
        })
    }

    /// The packing of so many.
    fn recipe(&self, count: usize, phi: f64) -> Result<Recipe> {
        let name = self.name.replace(" = ", "=").replace([',', ' '], "-");
        Ok(Recipe { name, law: self.law()?, count, packing_fraction: phi, periodic: false })
    }

    /// Whether so many bodies fill a box some three times as long as the largest of them.
    fn fits(&self, count: usize) -> bool {
        let count = count as f64;
        match self.kind {
            ScalingKind::Mono => true,
            ScalingKind::Two => count >= 8.0 * self.ratio.powi(3),
            ScalingKind::Power(_) => count >= 16.0 * self.ratio.powi(2),
        }
    }
}

/// Those of the paper; its ratios are in its figure only.
fn mixtures() -> Vec<Mixture> {
    let mixture = |name: &str, ratio: f64, kind| Mixture { name: name.to_owned(), ratio, kind };
    let volume = |ratio: f64| mixture(&format!("uniform volume, w = {ratio}"), ratio, ScalingKind::Power(-3.0));
    let first = [mixture(MONO, 1.0, ScalingKind::Mono), mixture("two sizes, w = 10", 10.0, ScalingKind::Two)];
    first.into_iter().chain([10.0, 20.0, 50.0, 100.0].map(volume)).collect()
}

/// Those of a run: bodies of one size, and those of the paper or of one's own size ratios and exponents.
fn chosen_mixtures(choices: &Choices) -> Vec<Mixture> {
    let (ratios, exponents): (Vec<f64>, Vec<f64>) = (choices.list("w", &[]), choices.list("alpha", &[]));
    if ratios.is_empty() && exponents.is_empty() {
        let all = mixtures();
        return all[..choices.pick(3, 5, 6).min(all.len())].to_vec();
    }
    let mut own = mixtures()[..1].to_vec();
    for ratio in if ratios.is_empty() { vec![10.0] } else { ratios } {
        for alpha in if exponents.is_empty() { vec![-3.0] } else { exponents.clone() } {
            let name = format!("alpha = {alpha}, w = {ratio}");
            own.push(Mixture { name, ratio, kind: ScalingKind::Power(alpha) });
        }
    }
    own
}

#[derive(Debug, Clone)]
struct ScalingPlan {
    phi: f64,
    k: f64,
    /// Collisions per particle before anything is measured.
    collisions: f64,
    rounds: usize,
    /// Particle-steps of a turn.
    turn: usize,
    mixtures: Vec<Mixture>,
    /// What searches mixtures, and what is beside it.
    methods: [Method; 2],
    /// What searches bodies of one size.
    of_one_size: Method,
}

fn points(choices: &Choices) -> Vec<Point> {
    let usual: &[usize] = choices.pick(&[300], &[3_000, 5_000, 9_000], &[3_000, 10_000, 40_000, 160_000]);
    let names = chosen(choices, &[Method::HGridCells.name(), Method::HGrid.name()]);
    let method = |place: usize| names.get(place).and_then(|name| Method::from_name(name));
    let is_own = !choices.list::<String>("methods", &[]).is_empty();
    let first = method(0).unwrap_or(Method::HGridCells);
    let plan = ScalingPlan {
        phi: choices.one("phi", choices.pick(0.4, QUICK_PACKING_FRACTION, PACKING_FRACTION)),
        k: choices.one("k", K_OF_HGRID_CELLS),
        collisions: choices.pick(0.2, 1.0, 1.0),
        rounds: choices.pick(1, 5, 5),
        turn: choices.pick(300, 60_000, 600_000),
        mixtures: chosen_mixtures(choices),
        methods: [first, method(1).unwrap_or(Method::HGrid)],
        of_one_size: if is_own { first } else { Method::LinkedCell },
    };
    // Only where all is as it was meant to be: small runs and those of one's own take what they get.
    let leaves_out = choices.size == Size::Full;
    let point = |count: usize| {
        let mut plan = plan.clone();
        plan.mixtures.retain(|mixture| !leaves_out || mixture.fits(count));
        let ScalingPlan { phi, k, collisions, rounds, turn, ref mixtures, .. } = plan;
        let number = mixtures.len();
        let key = format!(
            "n={count},phi={phi},k={k},collisions={collisions},rounds={rounds},turn={turn},mixtures={number},{}",
            names.join(",")
        );
        let seconds = 4e-6 * (turn.max(count) * (rounds + 1) * number) as f64 + 1e-5 * (count * number) as f64;
        let prepared = plan.clone();
        Point::new(key, seconds, move |context| measure(context, count, &plan))
            .prepared(8e-4 * (count * number) as f64, move |context| packings(context, count, &prepared).map(|_| ()))
            .seeded(1)
    };
    choices.list("n", usual).into_iter().map(point).collect()
}

/// The packing of a mixture, or why there is none.
type Packing = std::result::Result<System<3>, String>;

/// The packings of all mixtures. One that jams does not stop the others.
fn packings(context: &Context<'_>, count: usize, plan: &ScalingPlan) -> Result<Vec<(Mixture, Packing)>> {
    let packing = |mixture: &Mixture| {
        let relaxed = mixture.recipe(count, plan.phi)?.relax(context, plan.collisions);
        Ok((mixture.clone(), relaxed.map_err(|error| error.with_causes())))
    };
    plan.mixtures.iter().map(packing).collect()
}

/// A mixture with its simulations: by the papers' grid, and by what is beside it.
struct Raced {
    row: Row,
    runs: [(Simulation<3>, Vec<StepTime>); 2],
}

fn measure(context: &Context<'_>, count: usize, plan: &ScalingPlan) -> Result<Vec<Row>> {
    let (mut systems, mut jammed) = (Vec::new(), Vec::new());
    for (mixture, packing) in packings(context, count, plan)? {
        match packing {
            Ok(system) => systems.push((mixture, system)),
            Err(reason) => jammed.push(
                Row::new()
                    .with("mixture_left_out", mixture.name)
                    .with("particles_asked_for", count)
                    .with("reason", reason),
            ),
        }
    }
    if !systems.iter().any(|(mixture, _)| mixture.kind == ScalingKind::Mono) {
        return Err(fault!("there is no packing of one size to compare with: {}", jammed[0].text("reason")));
    }
    let (watch, seed) = (context.watch, context.seed);
    context.on_one_thread(move || {
        let mut mixtures = Vec::new();
        for (Mixture { name, ratio, kind }, system) in &systems {
            let mut start = soft_gas(system, seed)?;
            start.run(20)?;
            let bytes = start.encode();
            let now = start.state().snapshot(Default::default())?;
            let sizes = Distribution::of_radii(&system.radii)?;
            let model = CostModel::packed(&sizes, 3, plan.phi)?.with_k(plan.k)?;
            let largest = system.radii.iter().copied().fold(0.0, f64::max);
            let smallest = system.radii.iter().copied().fold(f64::INFINITY, f64::min);
            let cell_sizes = match kind {
                ScalingKind::Mono => vec![2.0 * largest],
                ScalingKind::Two => vec![2.0 * smallest, 2.0 * largest],
                ScalingKind::Power(_) => Spacing::Optimal.tune(&model, None)?.cell_sizes,
            };
            let settings = Settings::default().with_levels(LevelChoice::CellSizes(cell_sizes.clone()));
            let work = Method::HGridCells.build_with(now, &settings)?.count_work(now, &mut Pairs::new());
            let setup = || soft_setup(system).skin(Skin::None);
            let of_paper = match kind {
                ScalingKind::Mono => setup().method(plan.of_one_size),
                _ => setup().method(plan.methods[0]).settings(settings),
            };
            let runs = [of_paper, setup().method(plan.methods[1])];
            let [first, second] = runs.map(|setup| setup.resume(&bytes));
            let runs = [(first?, Vec::new()), (second?, Vec::new())];
            let row = Row::new()
                .with("mixture", name)
                .with("w", ratio)
                .with("largest_over_w", largest / smallest / ratio)
                .with("particles", count)
                .with("phi", plan.phi)
                .with("phi_reached", system.packing_fraction())
                .with("levels", cell_sizes.len())
                .with("contacts", start.contact_count())
                .with("candidates", work.candidates)
                .with("cells", work.cells)
                .with("work", work.candidates as f64 + plan.k * work.cells as f64);
            mixtures.push(Raced { row, runs });
        }
        let steps = (plan.turn / count).max(1) as u64;
        // The first round warms up.
        for round in 0..=plan.rounds {
            watch.note(&format!("round {round} of {}", plan.rounds));
            for (simulation, times) in mixtures.iter_mut().flat_map(|mixture| &mut mixture.runs) {
                let time = timed_steps(simulation, steps)?;
                if round > 0 {
                    times.push(time);
                }
            }
        }
        let row = |Raced { row, runs }: &Raced| {
            let middle =
                |run: usize, value: fn(&StepTime) -> f64| median(&runs[run].1.iter().map(value).collect::<Vec<_>>());
            row.clone()
                .with("seconds_per_step", middle(0, |time| time.whole))
                .with("seconds_of_detection", middle(0, |time| time.detection))
                .with("hgrid_seconds_per_step", middle(1, |time| time.whole))
                .with("hgrid_seconds_of_detection", middle(1, |time| time.detection))
        };
        Ok(mixtures.iter().map(row).chain(jammed).collect())
    })?
}

/// A column of every mixture over that of bodies of one size: mixture, number, ratio. Mixtures whose largest bodies are too few
/// to be there are left out, as in the paper.
fn relative(table: &Table, column: &str) -> Vec<(String, f64, f64)> {
    let mono = table.only("mixture", MONO);
    let others = table.0.iter().filter(|row| !row.is("mixture", MONO) && row.number("largest_over_w") > 0.9);
    others
        .map(|row| {
            let count = row.number("particles");
            (row.text("mixture").to_owned(), count, row.number(column) / mono.at("particles", count, column))
        })
        .collect()
}

/// The mixtures of a table but for that of one size.
fn names(table: &Table) -> Vec<String> {
    table.values("mixture").into_iter().filter(|name| name != MONO).collect()
}

fn draw(table: &Table) -> Figure {
    let panel = |caption: &str, column: &str| {
        let ratios = relative(table, column);
        let mut panel = Panel::new(
            caption,
            Axis::log("number of particles N"),
            Axis::linear("over that of one size").at_least(0.0, 1.6),
        );
        for (k, name) in names(table).into_iter().enumerate() {
            let points =
                ratios.iter().filter(|entry| entry.0 == name).map(|&(_, count, ratio)| (count, ratio)).collect();
            panel = panel.series(name.clone(), k % 6, Look::Curve, points);
        }
        let ends: Vec<f64> = table.curve("particles", "particles").into_iter().map(|point| point.0).collect();
        let line = |y: f64| [ends.first(), ends.last()].into_iter().flatten().map(|&x| (x, y)).collect::<Vec<_>>();
        panel.series("one size", 6, Look::Line, line(1.0)).series(
            "largest of the paper, 1.5",
            3,
            Look::Dashed,
            line(1.5),
        )
    };
    Figure::new(
        "Simulations of mixtures against those of bodies of one size",
        format!(
            "grown and relaxed, packing fraction {}, same number of particles, one thread, processor time",
            table.values("phi").join(", ")
        ),
    )
    .panel(panel("a whole step: hgrid-cells over linked-cell", "seconds_per_step"))
    .panel(panel("a whole step: hgrid", "hgrid_seconds_per_step"))
    .panel(panel("counted work, hgrid-cells", "work"))
}

fn worst(table: &Table, column: &str) -> (String, f64, f64) {
    let ratios = relative(table, column).into_iter().filter(|entry| entry.2.is_finite());
    ratios.max_by(|a, b| a.2.total_cmp(&b.2)).unwrap_or((String::new(), f64::NAN, f64::NAN))
}

/// How far the ratios of a mixture are off their median at most, over all mixtures.
fn spread(table: &Table, column: &str) -> f64 {
    let mut spread = f64::NAN;
    for name in names(table) {
        let ratios: Vec<f64> =
            relative(table, column).into_iter().filter(|entry| entry.0 == name).map(|entry| entry.2).collect();
        if ratios.len() > 1 {
            let middle = median(&ratios);
            spread = ratios.iter().fold(spread, |spread, ratio| spread.max((ratio / middle - 1.0).abs()));
        }
    }
    spread
}

fn judge(table: &Table) -> Vec<Verdict> {
    let (time, work) = (worst(table, "seconds_per_step"), worst(table, "work"));
    let detection = worst(table, "seconds_of_detection");
    let off = [spread(table, "seconds_per_step"), spread(table, "work")].map(|off| 100.0 * off);
    let most = table.curve("particles", "particles").last().map_or(f64::NAN, |point| point.0);
    let rows = table.only("particles", most);
    let ratios: Vec<f64> = [10, 20, 50]
        .map(|w| {
            let of = |name: String, column: &str| rows.at("mixture", name, column);
            of(format!("uniform volume, w = {w}"), "seconds_per_step") / of(MONO.to_owned(), "seconds_per_step")
        })
        .to_vec();
    let falls = ratios.windows(2).all(|pair| pair[1] < pair[0]);
    let slope = |name: &str, column: &str| log_slope(&table.only("mixture", name).curve("particles", column));
    let mut verdicts = vec![
        Verdict::new(
            "a whole simulation takes at most 1.5 times that of one size",
            format!(
                "{:.2} times at most ({}, {} particles), {:.2} in detection; counted work {:.2} times",
                time.2, time.0, time.1, detection.2, work.2
            ),
            time.2 <= 1.55,
        )
        .paper("about 50 % more at most, at w = 10")
        // No more than twice as much more.
        .same_trend_if(time.2 <= 2.0)
        .because(format!(
            "in detection alone it is {:.2} times, in counted work with our K {:.2}: one size is searched by linked-cell, whose cells \
             are an array and not a hash",
            detection.2, work.2
        )),
        Verdict::new(
            "time over that of one size is constant in N within 10 %",
            format!("{:.0} % off the median at most; counted work {:.0} %", off[0], off[1]),
            off[0] <= 10.0,
        )
        .paper("constant within 10 %")
        .same_trend_if(off[0] <= 20.0)
        .because(format!("counted work of the same states varies by {:.0} % too: few bodies have more surface", off[1])),
        Verdict::new(
            "uniform volume: time falls with the size ratio",
            format!("{:.2}, {:.2}, {:.2} times that of one size for w = 10, 20, 50", ratios[0], ratios[1], ratios[2]),
            falls,
        )
        .paper("decreases with w")
        .same_trend_if(ratios[2] < ratios[0])
        .because(format!(
            "counted work over that of one size: {}",
            [10, 20, 50]
                .map(|w| {
                    let of = |name: String| rows.at("mixture", name, "work");
                    format!("{:.2} (w = {w})", of(format!("uniform volume, w = {w}")) / of(MONO.to_owned()))
                })
                .join(", ")
        )),
    ];
    for name in [MONO, "uniform volume, w = 10"] {
        let (time, work) = (slope(name, "seconds_per_step"), slope(name, "work"));
        verdicts.push(
            Verdict::new(
                format!("{name}: time is linear in the number of particles"),
                format!("N^{time:.2}; counted work N^{work:.3}"),
                (time - 1.0).abs() < 0.05,
            )
            .paper("O(N)")
            .same_trend_if((time - 1.0).abs() < 0.10)
            .because(format!("counted work of the same states grows as N^{work:.3}")),
        );
    }
    let fast = worst(table, "hgrid_seconds_per_step");
    verdicts.push(Verdict::beyond(
        "the same with hgrid for all",
        format!("{:.2} times that of one size at most ({}, {} particles)", fast.2, fast.0, fast.1),
    ));
    let left_out: Vec<String> = table
        .having("mixture_left_out")
        .0
        .iter()
        .map(|row| {
            format!(
                "{} ({} bodies): {}",
                row.text("mixture_left_out"),
                row.text("particles_asked_for"),
                row.text("reason")
            )
        })
        .collect();
    let early: Vec<String> = table
        .0
        .iter()
        .filter(|row| row.number("phi_reached") < 0.999 * row.number("phi"))
        .map(|row| {
            format!("{:.3} ({}, {} bodies)", row.number("phi_reached"), row.text("mixture"), row.text("particles"))
        })
        .collect();
    if !early.is_empty() {
        verdicts.push(
            Verdict::beyond("packing fractions of those that jam a little earlier", early.join(", "))
                .note("between walls few bodies of one size jam before 0.62; a twentieth less is taken"),
        );
    }
    if !left_out.is_empty() {
        verdicts.push(Verdict::beyond("mixtures left out, since their packing fails", left_out.join("; ")));
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packing_that_jams_is_named_and_the_others_are_measured() {
        let folder = tempfile::tempdir().unwrap();
        let context = Context { cache: folder.path(), seed: 1, watch: &crate::experiment::Silent };
        let mut plan = ScalingPlan {
            phi: 0.54,
            k: 1.0,
            collisions: 0.1,
            rounds: 1,
            turn: 200,
            mixtures: mixtures()[..1].to_vec(),
            methods: [Method::HGridCells, Method::HGrid],
            of_one_size: Method::LinkedCell,
        };
        // Nearly all of its volume is one sphere, which fills no box so far.
        plan.mixtures.push(Mixture { name: "giant".to_owned(), ratio: 1000.0, kind: ScalingKind::Two });
        let table = Table(measure(&context, 200, &plan).unwrap());
        assert_eq!(table.values("mixture"), [MONO]);
        assert_eq!(table.values("mixture_left_out"), ["giant"]);
        let last = judge(&table).pop().unwrap();
        assert!(last.measured.contains("giant (200 bodies): "), "{last:?}");
        assert_eq!(draw(&table).longest_legend(), 2);
        plan.mixtures.remove(0);
        assert!(measure(&context, 200, &plan).unwrap_err().to_string().contains("one size"));
    }

    #[test]
    fn mixtures_without_their_largest_are_left_out_and_slow_ones_are_reported() {
        let row = |name: &str, largest: f64, time: f64| {
            let row = Row::new().with("mixture", name).with("largest_over_w", largest).with("particles", 1000);
            let row = row.with("work", 10.0 * time).with("seconds_per_step", time).with("seconds_of_detection", time);
            row.with("hgrid_seconds_per_step", time)
        };
        let table = |time: f64| {
            Table(vec![
                row(MONO, 1.0, 1.0),
                row("two sizes, w = 10", 1.0, time),
                row("uniform volume, w = 50", 0.5, 9.0),
            ])
        };
        assert!(judge(&table(1.4))[0].is_as_printed() && !judge(&table(2.4))[0].is_as_printed());
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }
}
