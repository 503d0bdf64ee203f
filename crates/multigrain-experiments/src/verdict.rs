//! A claim of a paper, and what became of it, in four words.

use crate::experiment::Paper;
use std::fmt::Write;

/// What became of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The paper's number or ranking, within its own tolerance.
    AsPrinted,
    /// The direction is right, the number is not.
    SameTrend,
    /// Neither.
    Differs,
    /// Not a claim of a paper.
    Beyond,
}

impl Outcome {
    /// All four.
    pub const ALL: [Self; 4] = [Self::AsPrinted, Self::SameTrend, Self::Differs, Self::Beyond];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AsPrinted => "as printed",
            Self::SameTrend => "same trend",
            Self::Differs => "differs",
            Self::Beyond => "beyond",
        }
    }
}

/// A claim of a paper against what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// What is claimed.
    pub claim: String,
    /// The paper's own words or value; empty for what no paper claims.
    pub paper: String,
    /// What was measured.
    pub measured: String,
    /// What became of it.
    pub outcome: Outcome,
    /// Why it is not as printed, where a measurement shows it, or what else there is to know.
    pub note: String,
    /// The paper, where it is not that of the experiment.
    pub of: Option<Paper>,
}

impl Verdict {
    /// A claim with what was measured for it, and whether that is as printed. The paper's value must follow.
    pub fn new(claim: impl Into<String>, measured: impl Into<String>, is_as_printed: bool) -> Self {
        let (claim, measured) = (claim.into(), grouped(&measured.into()));
        let outcome = if is_as_printed { Outcome::AsPrinted } else { Outcome::Differs };
        Self { claim, paper: String::new(), measured, outcome, note: String::new(), of: None }
    }

    /// What was measured beside the claims of the papers.
    pub fn beyond(what: impl Into<String>, measured: impl Into<String>) -> Self {
        Self { outcome: Outcome::Beyond, ..Self::new(what, measured, false) }
    }

    /// The same measurement of something that no paper has, such as a variant of ours: no claim.
    pub fn of_ours(self) -> Self {
        Self { outcome: Outcome::Beyond, paper: String::new(), note: String::new(), ..self }
    }

    /// With the paper's own value.
    pub fn paper(self, value: impl Into<String>) -> Self {
        Self { paper: value.into(), ..self }
    }

    /// A claim of another paper than that of the experiment.
    pub fn of(self, paper: Paper) -> Self {
        Self { of: Some(paper), ..self }
    }

    /// The direction is right if this is so, though the number is not.
    pub fn same_trend_if(self, is_so: bool) -> Self {
        let outcome = if self.outcome == Outcome::Differs && is_so { Outcome::SameTrend } else { self.outcome };
        Self { outcome, ..self }
    }

    /// With something else to know.
    pub fn note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// With the reason, if it is not as printed: only what a measurement shows, which the reason names.
    pub fn because(self, reason: impl Into<String>) -> Self {
        if matches!(self.outcome, Outcome::SameTrend | Outcome::Differs) { self.note(reason) } else { self }
    }

    /// Whether it is as printed.
    pub fn is_as_printed(&self) -> bool {
        self.outcome == Outcome::AsPrinted
    }

    /// Whether the paper says so itself.
    pub fn is_of_paper(&self) -> bool {
        self.outcome != Outcome::Beyond
    }

    /// The verdict as it is reported. Nothing for what was not measured. What no paper says, or what was measured with parameters
    /// of one's own, is beyond. What is not as printed for no reason that a measurement shows, says so.
    pub(crate) fn reported(mut self, with_own_parameters: bool) -> Option<Self> {
        if self.measured.contains("NaN") || self.measured.is_empty() {
            return None;
        }
        if self.paper.is_empty() || with_own_parameters {
            self.outcome = Outcome::Beyond;
        }
        if matches!(self.outcome, Outcome::SameTrend | Outcome::Differs) && self.note.is_empty() {
            self.note = "why: unknown".to_owned();
        }
        Some(self)
    }
}

/// How many of these verdicts have each outcome, in the order of [`Outcome::ALL`].
pub(crate) fn tally<'a>(verdicts: impl Iterator<Item = &'a Verdict>) -> [usize; 4] {
    let mut counts = [0; 4];
    for verdict in verdicts {
        counts[verdict.outcome as usize] += 1;
    }
    counts
}

/// Verdicts of experiments as a table in Markdown.
pub fn verdict_table<'a>(verdicts: impl IntoIterator<Item = (&'a str, &'a [Verdict])>) -> String {
    let mut text = "| experiment | claim | paper | measured | verdict | note |\n|---|---|---|---|---|---|\n".to_owned();
    for (name, verdicts) in verdicts {
        for verdict in verdicts {
            let Verdict { claim, paper, measured, note, .. } = verdict;
            let cells = [claim, paper, measured, verdict.outcome.name(), note].map(|cell| cell.replace('|', "\\|"));
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
    fn four_words_say_what_became_of_a_claim() {
        let claim = |is_as_printed: bool, trend: bool| {
            let verdict = Verdict::new("linear", "1.3", is_as_printed).paper("1").same_trend_if(trend);
            verdict.because("cache misses, counted").reported(false).unwrap()
        };
        let words = |verdict: Verdict| (verdict.outcome.name(), verdict.note);
        assert_eq!(words(claim(true, true)), ("as printed", String::new()));
        assert_eq!(words(claim(false, true)), ("same trend", "cache misses, counted".to_owned()));
        assert_eq!(words(claim(false, false)), ("differs", "cache misses, counted".to_owned()));
        let table = verdict_table([("mr", &[claim(false, false)][..])]);
        assert!(table.ends_with("| `mr` | linear | 1 | 1.3 | differs | cache misses, counted |\n"), "{table}");
    }

    #[test]
    fn what_no_paper_says_is_beyond_and_what_was_not_measured_is_left_out() {
        assert_eq!(Verdict::new("fast", "2", true).reported(false).unwrap().outcome, Outcome::Beyond);
        assert_eq!(Verdict::new("fast", "2", true).paper("3").reported(true).unwrap().outcome, Outcome::Beyond);
        assert_eq!(Verdict::new("fast", "NaN times", false).paper("3").reported(false), None);
        let unexplained = Verdict::new("fast", "2", false).paper("3").reported(false).unwrap();
        assert_eq!((unexplained.outcome, unexplained.note.as_str()), (Outcome::Differs, "why: unknown"));
        assert_eq!(tally([unexplained].iter()), [0, 0, 1, 0]);
        let trend = Verdict::new("fast", "2", false).paper("3").same_trend_if(true).reported(false).unwrap();
        assert_eq!((trend.outcome, trend.note.as_str()), (Outcome::SameTrend, "why: unknown"));
    }
}
