//! A claim of a paper, and what became of it.

use std::fmt::Write;

/// A claim of a paper against what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// What is claimed.
    pub claim: String,
    /// The paper's own value, where it gives one.
    pub paper: String,
    /// What was measured.
    pub measured: String,
    /// Whether the claim holds.
    pub holds: bool,
    /// Why it does not, or what else there is to know.
    pub note: String,
}

impl Verdict {
    /// A claim with what was measured for it, and whether it holds.
    pub fn new(claim: impl Into<String>, measured: impl Into<String>, holds: bool) -> Self {
        let (claim, measured) = (claim.into(), grouped(&measured.into()));
        Self { claim, paper: String::new(), measured, holds, note: String::new() }
    }

    /// With the paper's own value.
    pub fn paper(self, value: impl Into<String>) -> Self {
        Self { paper: value.into(), ..self }
    }

    /// With something else to know.
    pub fn note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// With the reason, if it does not hold.
    pub fn if_not(self, reason: impl Into<String>) -> Self {
        if self.holds { self } else { self.note(reason) }
    }

    /// Whether the paper says so itself; the others are checked beside its claims.
    pub fn is_of_paper(&self) -> bool {
        !self.paper.is_empty()
    }

    /// `holds` or `does not hold`.
    pub fn outcome(&self) -> &'static str {
        if self.holds { "holds" } else { "does not hold" }
    }
}

/// Verdicts of experiments as a table in Markdown.
pub fn verdict_table<'a>(verdicts: impl IntoIterator<Item = (&'a str, &'a [Verdict])>) -> String {
    let mut text = "| experiment | claim | paper | measured | verdict | note |\n|---|---|---|---|---|---|\n".to_owned();
    for (name, verdicts) in verdicts {
        for verdict in verdicts {
            let Verdict { claim, paper, measured, note, .. } = verdict;
            let cells = [claim, paper, measured, verdict.outcome(), note].map(|cell| cell.replace('|', "\\|"));
            let _ = writeln!(text, "| `{name}` | {} |", cells.join(" | "));
        }
    }
    text
}

/// A text whose whole numbers of five digits and more have commas: 31,622,777.
fn grouped(text: &str) -> String {
    let mut grouped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let length = rest[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - start);
        let (before, number) = (&rest[..start], &rest[start..start + length]);
        grouped += before;
        let is_whole = !before.ends_with('.') && !before.ends_with(|c: char| c.is_alphabetic());
        for (k, digit) in number.char_indices() {
            if is_whole && length >= 5 && k > 0 && (length - k) % 3 == 0 {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        rest = &rest[start + length..];
    }
    grouped + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_whole_numbers_have_commas() {
        assert_eq!(grouped("1.234567 times, 31622777 bodies"), "1.234567 times, 31,622,777 bodies");
        assert_eq!(grouped("N^1.05 from 1000 to 100001"), "N^1.05 from 1000 to 100,001");
        assert_eq!(grouped("no number"), "no number");
    }

    #[test]
    fn reasons_are_given_only_where_a_claim_fails() {
        let verdict = |holds| Verdict::new("linear", "1.3", holds).paper("1").if_not("cache");
        assert_eq!((verdict(true).note.as_str(), verdict(false).note.as_str()), ("", "cache"));
        let table = verdict_table([("mr", &[verdict(false)][..])]);
        assert!(table.ends_with("| `mr` | linear | 1 | 1.3 | does not hold | cache |\n"), "{table}");
    }
}
