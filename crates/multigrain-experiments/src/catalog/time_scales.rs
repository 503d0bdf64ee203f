//! `hgrid-time-scales`: what a time step for each level would save.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::Result;
use crate::experiment::{Context, Cost, Experiment, Paper, Point};
use crate::packings::Recipe;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain_dem::soft_gas;

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-time-scales",
    paper: Paper::OptimalHgrid,
    figure: "section 1 (named, not done)",
    about: "Large particles are slow, so each level could have a time step of its own. In a soft simulation of a grown packing (linear \
            springs of one stiffness, so that the duration of a contact grows as r^(3/2)), every particle could take steps 2^k times \
            those of the smallest, the largest power that its own contacts allow; a contact is worked out as often as its faster \
            partner moves. Counted: contacts and moves that would be left of all.",
    cost: Cost { quick: "15 s", full: "5 min" },
    parameters: &["w", "alpha", "n", "phi"],
    points,
    draw,
    judge,
};

const ALPHAS: [f64; 3] = [0.0, -2.0, -3.0];

fn points(choices: &Choices) -> Vec<Point> {
    let count = choices.one("n", choices.pick(400, 4_001, 50_001));
    let (ratio, phi) =
        (choices.one("w", choices.pick(5.0, 20.0, 20.0)), choices.one("phi", choices.pick(0.4, 0.6, 0.6)));
    let steps = choices.pick(20, 300, 500);
    let point = |alpha: f64| {
        let key = format!("alpha={alpha},w={ratio},n={count},phi={phi},steps={steps}");
        Point::new(key, 1e-3 * count as f64, move |context| measure(context, alpha, ratio, count, phi, steps))
            .counted()
            .seeded(1)
    };
    choices.list("alpha", &ALPHAS).into_iter().map(point).collect()
}

fn measure(context: &Context<'_>, alpha: f64, ratio: f64, count: usize, phi: f64, steps: u64) -> Result<Vec<Row>> {
    let packing = Recipe::power(alpha, ratio, count, phi, true)?.grow(context)?;
    let seed = context.seed;
    context.on_one_thread(move || {
        let mut gas = soft_gas(&packing, seed)?;
        gas.run(steps)?;
        let smallest = packing.radii.iter().copied().fold(f64::INFINITY, f64::min);
        // Steps of a body over those of the smallest: the durations of their contacts go with the root of the mass.
        let power = |radius: f64| (1.5 * (radius / smallest).log2()).floor().max(0.0);
        let radius = |id: u64| packing.radii[id as usize];
        let moves: f64 = packing.radii.iter().map(|&radius| 0.5f64.powf(power(radius))).sum();
        let contacts = gas.contacts();
        let worked: f64 =
            contacts.iter().map(|contact| 0.5f64.powf(power(radius(contact.ids[0]).min(radius(contact.ids[1]))))).sum();
        Ok(vec![
            Row::new()
                .with("alpha", alpha)
                .with("w", ratio)
                .with("phi", phi)
                .with("particles", count)
                .with("contacts", contacts.len())
                .with("share_of_moves", moves / count as f64)
                .with("share_of_contacts", worked / contacts.len() as f64),
        ])
    })?
}

fn draw(table: &Table) -> Figure {
    let percent =
        |column: &str| table.curve("alpha", column).into_iter().map(|(alpha, share)| (alpha, 100.0 * share)).collect();
    let panel = Panel::new(
        "what is left of the work",
        Axis::linear("exponent alpha of the size distribution"),
        Axis::linear("share of all (percent)").at_least(0.0, 100.0),
    )
    .series("moves of particles", 0, Look::Curve, percent("share_of_moves"))
    .series("contacts worked out", 1, Look::Curve, percent("share_of_contacts"));
    Figure::new("A time step for each level", "soft spheres, grown packings, steps in powers of two").panel(panel)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let share = |alpha: f64, column: &str| 100.0 * table.at("alpha", alpha, column);
    let each = |alpha: f64| {
        format!(
            "{:.0} % of contacts and {:.0} % of moves (alpha = {alpha})",
            share(alpha, "share_of_contacts"),
            share(alpha, "share_of_moves")
        )
    };
    vec![
        Verdict::beyond("work that would be left with a time step for each level", ALPHAS.map(each).join(", "))
            .note("counted from the contacts of a simulation; nothing is stepped so here"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_reported_by_exponent() {
        let row =
            |alpha: f64| Row::new().with("alpha", alpha).with("share_of_moves", 0.5).with("share_of_contacts", 0.25);
        let verdicts = judge(&Table(ALPHAS.map(row).to_vec()));
        assert!(verdicts[0].measured.starts_with("25 % of contacts and 50 % of moves (alpha = 0)"), "{verdicts:?}");
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }
}
