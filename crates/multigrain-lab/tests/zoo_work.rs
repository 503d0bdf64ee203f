//! Counted work of `auto` on every arrangement of the zoo grows no faster than bodies and contacts.

use multigrain::{Axes, Dimension, Pairs};
use multigrain_lab::zoo::{self, Arrangement, Bodies, Placed};
use multigrain_methods::Method;

/// Numbers of bodies whose work is compared.
const COUNTS: [usize; 2] = [20_000, 160_000];

/// Exponent with which work may grow with bodies and contacts.
const MAX_EXPONENT: f64 = 1.15;

/// Cells and candidates per body and contact up to which growth says nothing: one choice of levels may take twice the work
/// of another and the same time.
const MAX_ORDINARY: f64 = 30.0;

/// Cells and candidates per body and contact, whatever the arrangement.
const MAX_WORK: f64 = 60.0;

#[test]
fn counted_work_is_proportional_to_bodies_and_contacts_in_every_arrangement() {
    let mut wrong = Vec::new();
    for arrangement in zoo::all() {
        let [few, many] = COUNTS.map(|count| match arrangement.build(count, 1) {
            Bodies::Space(placed) => counted(&placed),
            Bodies::Plane(placed) => counted(&placed),
        });
        wrong.extend(complaint(arrangement, few, many));
    }
    assert!(wrong.is_empty(), "{} arrangements:\n{}", wrong.len(), wrong.join("\n"));
}

/// Work, and what it should be proportional to.
struct Counted {
    work: f64,
    items: f64,
}

fn counted<const D: usize>(placed: &Placed<D>) -> Counted
where
    Axes: Dimension<D>,
{
    let now = placed.snapshot().unwrap();
    let mut pairs = Pairs::new();
    let work = Method::Auto.build(now).unwrap().count_work(now, &mut pairs);
    Counted { work: work.cells as f64 + work.candidates as f64, items: (now.len() + pairs.len()) as f64 }
}

fn complaint(arrangement: &Arrangement, few: Counted, many: Counted) -> Option<String> {
    let [start, end] = [&few, &many].map(|counted| (counted.work / counted.items).max(MAX_ORDINARY));
    let exponent = 1.0 + (end / start).ln() / (many.items / few.items).ln();
    let is_right = exponent <= MAX_EXPONENT && end <= MAX_WORK;
    (!is_right).then(|| {
        let [few, many] = [few, many].map(|counted| counted.work / counted.items);
        format!("{}: work {few:.1}, then {many:.1} per body and contact, exponent {exponent:.2}", arrangement.name)
    })
}
