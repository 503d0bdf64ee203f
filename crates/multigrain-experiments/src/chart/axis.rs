//! Axes, linear or logarithmic.

use crate::drawing::{as_power, has_power, short, ticks};
use std::ops::Range;

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it measures, with the unit.
    pub label: String,
    /// Whether equal ratios, not equal steps, have equal lengths.
    is_log: bool,
    /// What it shows at least; the points may widen it.
    at_least: Option<(f64, f64)>,
    /// What it shows at most; points beyond are cut off.
    at_most: Option<(f64, f64)>,
}

impl Axis {
    /// Equal steps have equal lengths.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), is_log: false, at_least: None, at_most: None }
    }

    /// Equal ratios have equal lengths.
    pub fn log(label: impl Into<String>) -> Self {
        Self { is_log: true, ..Self::linear(label) }
    }

    /// Shows at least this range.
    pub fn at_least(self, from: f64, to: f64) -> Self {
        Self { at_least: Some((from, to)), ..self }
    }

    /// Shows at most this range.
    pub fn at_most(self, from: f64, to: f64) -> Self {
        Self { at_most: Some((from, to)), ..self }
    }

    /// The place of a value, in units of the axis; nothing for one that has none or lies outside of what is shown.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        let is_shown = self.at_most.is_none_or(|(from, to)| (from..=to).contains(&value));
        let place = if self.is_log { value.log10() } else { value };
        (is_shown && place.is_finite()).then_some(place)
    }

    /// The places that the axis spans to show these values.
    pub(super) fn span(&self, values: impl Iterator<Item = f64>) -> Range<f64> {
        let wanted = self.at_least.into_iter().flat_map(|(from, to)| [from, to]);
        let places = values.chain(wanted).filter_map(|value| self.place(value));
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        if low > high {
            return 0.0..1.0;
        }
        // One value alone still gets an axis around it.
        let length = if high > low { high - low } else { 0.5 * high.abs().max(1.0) };
        let low_end = low - 0.04 * length;
        // Linear axes of values that are not negative do not go below zero.
        let low_end = if !self.is_log && low >= 0.0 { low_end.max(0.0) } else { low_end };
        low_end..high + 0.06 * length
    }

    /// The places of ticks.
    pub(super) fn ticks(&self, span: &Range<f64>) -> Vec<f64> {
        if !self.is_log {
            return round_steps(span);
        }
        let values = 10f64.powf(span.start)..10f64.powf(span.end);
        let decades: Vec<f64> = ticks(&values).into_iter().map(f64::log10).collect();
        // Less than an octave has no such ticks, or one.
        if decades.len() >= 2 { decades } else { round_steps(&values).into_iter().map(f64::log10).collect() }
    }

    /// The texts at ticks, all in one manner: large and small numbers as powers of ten where one of them needs it.
    pub(super) fn texts(&self, ticks: &[f64]) -> impl Fn(&f64) -> String + use<> {
        let is_log = self.is_log;
        let value = move |place: f64| if is_log { 10f64.powf(place) } else { place };
        let needs_powers = ticks.iter().any(|&tick| has_power(value(tick)));
        move |&place| {
            let value = value(place);
            let is_far = value != 0.0 && !(0.01..1000.0).contains(&value.abs());
            if needs_powers && is_far { as_power(value) } else { short(value) }
        }
    }
}

/// Multiples of 1, 2 or 5 times a power of ten, about six of them.
fn round_steps(span: &Range<f64>) -> Vec<f64> {
    let wanted = (span.end - span.start) / 6.0;
    let decade = 10f64.powf(wanted.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * decade >= wanted).unwrap_or(10.0);
    let step = factor * decade;
    let (first, last) = ((span.start / step).ceil() as i64, (span.end / step).floor() as i64);
    (first..=last).map(|k| k as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_without_a_place_are_left_out() {
        assert_eq!(Axis::log("").place(0.0), None);
        assert_eq!(Axis::log("").place(100.0), Some(2.0));
        assert_eq!(Axis::linear("").at_most(0.0, 1.0).place(2.0), None);
    }

    #[test]
    fn ticks_are_round() {
        let axis = Axis::linear("");
        assert_eq!(axis.ticks(&(0.0..31.0)), [0.0, 10.0, 20.0, 30.0]);
        let axis = Axis::log("");
        let span = axis.span([1.0, 1000.0].into_iter());
        let texts = |ticks: Vec<f64>| -> Vec<String> { ticks.iter().map(axis.texts(&ticks)).collect() };
        assert_eq!(texts(axis.ticks(&span)), ["1", "10", "100", "1000"]);
        assert_eq!(texts(vec![2.0, 3.0, 4.0, 5.0]), ["100", "1e3", "1e4", "1e5"]);
        assert!(axis.ticks(&axis.span([1.2, 1.3].into_iter())).len() >= 2);
    }
}
