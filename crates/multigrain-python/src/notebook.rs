//! Objects as notebooks show them: what they are, and their first rows.

/// Rows that are shown.
pub const SHOWN: usize = 10;

/// A paragraph on what an object is, and a table of its first rows, of `count`.
pub fn html_table(about: &str, heads: &[&str], rows: impl Iterator<Item = Vec<String>>, count: usize) -> String {
    let cells = |tag: &str, values: &[String]| {
        let cells: String = values.iter().map(|value| format!("<{tag}>{}</{tag}>", escaped(value))).collect();
        format!("<tr>{cells}</tr>")
    };
    let heads: Vec<String> = heads.iter().map(|&head| head.to_owned()).collect();
    let body: String = rows.take(SHOWN).map(|row| cells("td", &row)).collect();
    let more = if count > SHOWN { format!("<p>and {} more</p>", count - SHOWN) } else { String::new() };
    let about = escaped(about.trim_matches(['<', '>']));
    format!("<p>{about}</p><table>{}{body}</table>{more}", cells("th", &heads))
}

/// A number with as many digits as people read.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e7).contains(&size) { format!("{value:.5e}") } else { format!("{value:.6}") }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
