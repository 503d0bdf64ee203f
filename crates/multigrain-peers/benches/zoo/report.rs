//! What was measured, as a table, as verdicts and as CSV.

use crate::growth::exponent;
use crate::measure::{Measured, Parry};
use crate::parry::Precision;
use multigrain_lab::table::{Table, short};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Time per body and contact, in units of the yardstick's, and in boxes thinner than a body.
const MAX_RATIO: [f64; 2] = [5.0, 8.0];

/// Exponent with which time and work grow with bodies and contacts.
const MAX_EXPONENT: f64 = 1.1;

/// One row per arrangement and number of bodies; exponents in the last row of an arrangement.
pub fn table(measured: &[Measured]) -> Table {
    let mut table = Table::new([
        "arrangement",
        "bodies",
        "contacts",
        "ns",
        "first",
        "to even",
        "work",
        "parry",
        "parry/engine",
        "time^",
        "work^",
    ]);
    for group in by_arrangement(measured) {
        for (k, one) in group.iter().enumerate() {
            let mut row = vec![one.arrangement.name.to_owned(), format!("{:e}", one.bodies as f64)];
            match (&one.engine, one.items()) {
                (Some(engine), Some(items)) => row.extend([
                    engine.contacts.to_string(),
                    shown(one.ns()),
                    short(engine.first * 1e9 / items),
                    shown(one.ratio()),
                    shown(one.work().map(|work| work / items)),
                ]),
                _ => row.extend(["-", "> limit", "-", "-", "-"].map(str::to_owned)),
            }
            let parry = match (one.parry, one.items()) {
                (Parry::Took { seconds, precision, .. }, Some(items)) => short(seconds * 1e9 / items) + mark(precision),
                (Parry::Took { seconds, precision, .. }, None) => short(seconds) + " s" + mark(precision),
                (Parry::TooSlow, _) => "> limit".to_owned(),
                (Parry::Absent, _) => "-".to_owned(),
            };
            row.extend([parry, shown(lead(one))]);
            if k + 1 == group.len() {
                row.extend([short(time_exponent(group)), short(work_exponent(group))]);
            }
            table.row(row);
        }
    }
    table
}

/// Which bars hold, and which arrangements miss them.
pub fn summary(measured: &[Measured]) -> String {
    let mut text = String::from(
        "ns, first (call), work (cells + candidates) and parry: per body and contact. ^: exponent of growth.\n",
    );
    let bar = |what: &str, misses: &dyn Fn(&[Measured]) -> Option<f64>| {
        let missing: Vec<String> = by_arrangement(measured)
            .filter_map(|group| misses(group).map(|value| format!("{} ({})", group[0].arrangement.name, short(value))))
            .collect();
        let all = by_arrangement(measured).count();
        let names = if missing.is_empty() { String::new() } else { format!(": not {}", missing.join(", ")) };
        format!("{what}: {} of {all}{names}\n", all - missing.len())
    };
    text += &bar("within the limit", &|group| group.iter().any(|one| one.engine.is_none()).then_some(f64::NAN));
    text += &bar(&format!("time at most {} times even ({} in thin boxes)", MAX_RATIO[0], MAX_RATIO[1]), &|group| {
        let worst = group.iter().filter_map(Measured::ratio).fold(0.0, f64::max);
        (worst > MAX_RATIO[usize::from(group[0].arrangement.is_thin)]).then_some(worst)
    });
    if by_arrangement(measured).all(|group| group.len() < 2) {
        text += "exponents: not measured with a single number of bodies\n";
    }
    text += &bar(&format!("exponent of time at most {MAX_EXPONENT}"), &|group| {
        Some(time_exponent(group)).filter(|&exponent| exponent > MAX_EXPONENT)
    });
    text += &bar(&format!("the same, time in units of even's, at most {MAX_EXPONENT}"), &|group| {
        let in_units = |one: &Measured| Some((one.items()?, one.ratio()? * one.items()?));
        Some(exponent(&group.iter().filter_map(in_units).collect::<Vec<_>>()))
            .filter(|&exponent| exponent > MAX_EXPONENT)
    });
    text += &bar(&format!("exponent of work at most {MAX_EXPONENT}"), &|group| {
        Some(work_exponent(group)).filter(|&exponent| exponent > MAX_EXPONENT)
    });
    text += &bar("never slower than parry", &|group| {
        let worst = group.iter().filter_map(lead).fold(f64::INFINITY, f64::min);
        (worst < 1.0).then_some(worst)
    });
    text += &bar("as many contacts as parry", &|group| group.iter().any(|one| !agrees(one)).then_some(f64::NAN));
    text
}

/// Everything as CSV; empty fields where nothing was measured.
pub fn write(path: &Path, measured: &[Measured]) -> Result<(), String> {
    let mut text = String::from(
        "arrangement,bodies,contacts,first_seconds,seconds,ns_per_item,ratio_to_even,cells,candidates,parry_seconds,parry_boxes\n",
    );
    let or_empty = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for one in measured {
        let engine = one.engine.as_ref();
        let (parry, boxes) = match one.parry {
            Parry::Took { seconds, precision, .. } => (Some(seconds), format!("{precision:?}").to_lowercase()),
            _ => (None, String::new()),
        };
        let fields = [
            one.arrangement.name.to_owned(),
            one.bodies.to_string(),
            engine.map_or(String::new(), |engine| engine.contacts.to_string()),
            or_empty(engine.map(|engine| engine.first)),
            or_empty(engine.map(|engine| engine.warm)),
            or_empty(one.ns()),
            or_empty(one.ratio()),
            engine.map_or(String::new(), |engine| engine.work.cells.to_string()),
            engine.map_or(String::new(), |engine| engine.work.candidates.to_string()),
            or_empty(parry),
            boxes,
        ];
        writeln!(text, "{}", fields.join(",")).map_err(|error| error.to_string())?;
    }
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Whether parry and the engine found the same number of contacts wherever both took part.
pub fn all_agree(measured: &[Measured]) -> bool {
    measured.iter().all(agrees)
}

fn agrees(one: &Measured) -> bool {
    match (&one.engine, one.parry) {
        (Some(engine), Parry::Took { contacts, .. }) => engine.contacts == contacts,
        _ => true,
    }
}

fn by_arrangement(measured: &[Measured]) -> impl Iterator<Item = &[Measured]> {
    measured.chunk_by(|a, b| a.arrangement.name == b.arrangement.name)
}

fn shown(value: Option<f64>) -> String {
    short(value.unwrap_or(f64::NAN))
}

fn mark(precision: Precision) -> &'static str {
    match precision {
        Precision::F32 => "",
        Precision::F64 => " (f64)",
    }
}

/// How many times as long as the engine parry takes.
fn lead(one: &Measured) -> Option<f64> {
    match (&one.engine, one.parry) {
        (Some(engine), Parry::Took { seconds, .. }) => Some(seconds / engine.warm),
        _ => None,
    }
}

fn time_exponent(group: &[Measured]) -> f64 {
    let points: Vec<_> = group.iter().filter_map(|one| Some((one.items()?, one.engine.as_ref()?.warm))).collect();
    exponent(&points)
}

fn work_exponent(group: &[Measured]) -> f64 {
    let points: Vec<_> = group.iter().filter_map(|one| Some((one.items()?, one.work()?))).collect();
    exponent(&points)
}
