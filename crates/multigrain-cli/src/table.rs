//! Tables and figures for people.

use std::fmt;

/// A table of text: first and last column left, the others right.
pub struct TextTable {
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// With these headings.
    pub fn new<const N: usize>(headings: [&str; N]) -> Self {
        Self { rows: vec![headings.map(str::to_owned).to_vec()] }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.to_vec());
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows[0].len();
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (k, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let gap = if column == 0 { "" } else { "  " };
                let width = widths[column];
                line += &match column {
                    0 => format!("{gap}{cell:<width$}"),
                    last if last + 1 == columns => format!("{gap}{cell}"),
                    _ => format!("{gap}{cell:>width$}"),
                };
            }
            write!(f, "{}{}", if k == 0 { "" } else { "\n" }, line.trim_end())?;
        }
        Ok(())
    }
}

/// A count with separators: 125,001.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of any size with four digits that count.
pub fn four_digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs().log10().floor();
    if !(-4.0..6.0).contains(&size) {
        return format!("{value:.3e}");
    }
    let text = format!("{value:.*}", (3.0 - size).max(0.0) as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A time with three digits and its unit.
pub fn seconds(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0} s"),
        value if value >= 1.0 => format!("{value:.2} s"),
        value if value >= 1e-3 => format!("{} ms", three_digits(value * 1e3)),
        value => format!("{} µs", three_digits(value * 1e6)),
    }
}

/// A plain number with three digits.
pub fn three_digits(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_size_have_four_digits() {
        for (value, expected) in [
            (0.0, "0"),
            (0.0023456, "0.002346"),
            (-12.0, "-12"),
            (198.4567, "198.5"),
            (123456.7, "123457"),
            (1.5e9, "1.500e9"),
            (3.1e-7, "3.100e-7"),
        ] {
            assert_eq!(four_digits(value), expected);
        }
    }

    #[test]
    fn columns_line_up() {
        let mut table = TextTable::new(["name", "work", "note"]);
        table.row(["a".into(), "1,000".into(), String::new()]);
        table.row(["long name".into(), "7".into(), "fine".into()]);
        assert_eq!(table.to_string(), "name        work  note\na          1,000\nlong name      7  fine");
    }

    #[test]
    fn figures_are_short() {
        assert_eq!([0, 999, 1000, 125_001, 1_234_567].map(count), ["0", "999", "1,000", "125,001", "1,234,567"]);
        assert_eq!(
            [123.4, 2.345, 0.0123, 0.1234, 1.5e-6].map(seconds),
            ["123 s", "2.35 s", "12.3 ms", "123 ms", "1.50 µs"]
        );
    }
}
