//! Measured values by name, and tables of them as CSV.

use crate::error::{Result, fault};
use std::fmt::Write;

/// Values by column, as text: what is judged and drawn has been written and read, so a run that was stopped and continued
/// cannot be told from one that was not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row(Vec<(String, String)>);

impl Row {
    /// No values yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more value. Numbers have the shortest form that reads back to the same.
    pub fn with(mut self, column: &str, value: impl ToString) -> Self {
        self.0.push((column.to_owned(), value.to_string()));
        self
    }

    /// A value as text; empty where there is none.
    pub fn text(&self, column: &str) -> &str {
        self.0.iter().find(|(name, _)| name == column).map_or("", |(_, value)| value)
    }

    /// A value as number; not a number where there is none, so that no claim about it holds.
    pub fn number(&self, column: &str) -> f64 {
        self.text(column).parse().unwrap_or(f64::NAN)
    }

    /// Whether a value is this text, or the same number.
    pub fn is(&self, column: &str, value: impl ToString) -> bool {
        let (own, value) = (self.text(column), value.to_string());
        own == value || matches!((own.parse::<f64>(), value.parse::<f64>()), (Ok(own), Ok(value)) if own == value)
    }
}

/// Rows; they may have different columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table(pub Vec<Row>);

impl Table {
    /// The rows with this value.
    pub fn only(&self, column: &str, value: impl ToString) -> Self {
        let value = value.to_string();
        Self(self.0.iter().filter(|row| row.is(column, &value)).cloned().collect())
    }

    /// The rows that have a value in this column.
    pub fn having(&self, column: &str) -> Self {
        Self(self.0.iter().filter(|row| !row.text(column).is_empty()).cloned().collect())
    }

    /// Two columns as points, by the first one ascending; rows without numbers there are left out.
    pub fn curve(&self, x: &str, y: &str) -> Vec<(f64, f64)> {
        let points = self.0.iter().map(|row| (row.number(x), row.number(y)));
        let mut points: Vec<_> = points.filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    }

    /// The values of a column in order of appearance, each once.
    pub fn values(&self, column: &str) -> Vec<String> {
        let mut values: Vec<String> = Vec::new();
        for value in self.0.iter().map(|row| row.text(column)).filter(|value| !value.is_empty()) {
            if !values.iter().any(|known| known == value) {
                values.push(value.to_owned());
            }
        }
        values
    }

    /// The number in `y` of the row whose `x` is this; not a number where there is none.
    pub fn at(&self, x: &str, value: impl ToString, y: &str) -> f64 {
        let value = value.to_string();
        self.0.iter().find(|row| row.is(x, &value)).map_or(f64::NAN, |row| row.number(y))
    }

    /// Comma-separated, with a header of all columns in order of appearance.
    pub fn to_csv(&self) -> String {
        let mut columns: Vec<&str> = Vec::new();
        for (name, _) in self.0.iter().flat_map(|row| &row.0) {
            if !columns.contains(&name.as_str()) {
                columns.push(name);
            }
        }
        let mut text = columns.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(",") + "\n";
        for row in &self.0 {
            let cells: Vec<String> = columns.iter().map(|column| quoted(row.text(column))).collect();
            let _ = writeln!(text, "{}", cells.join(","));
        }
        text
    }

    /// Reads what [`to_csv`](Self::to_csv) wrote.
    pub fn from_csv(text: &str) -> Result<Self> {
        let mut lines = text.lines();
        let columns = match lines.next() {
            Some(line) => fields(line)?,
            None => return Err(fault!("it is empty")),
        };
        let mut rows = Vec::new();
        for (number, line) in lines.enumerate() {
            let cells = fields(line)?;
            if cells.len() != columns.len() {
                return Err(fault!("line {} has {} values, the header {}", number + 2, cells.len(), columns.len()));
            }
            let present = columns.iter().cloned().zip(cells).filter(|(_, value)| !value.is_empty());
            rows.push(Row(present.collect()));
        }
        Ok(Self(rows))
    }
}

fn quoted(value: &str) -> String {
    let plain = value.replace(['\n', '\r'], " ");
    if plain.contains([',', '"']) { format!("\"{}\"", plain.replace('"', "\"\"")) } else { plain }
}

fn fields(line: &str) -> Result<Vec<String>> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                fields.last_mut().expect("there is one").push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            letter => fields.last_mut().expect("there is one").push(letter),
        }
    }
    if is_quoted {
        return Err(fault!("a quotation mark is not closed in `{line}`"));
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_read_back_as_written() {
        let table = Table(vec![
            Row::new().with("method", "mr, \"stored\"").with("work", 0.1 + 0.2),
            Row::new().with("method", "nbs").with("cells", 7u64),
        ]);
        let text = table.to_csv();
        assert_eq!(text, "method,work,cells\n\"mr, \"\"stored\"\"\",0.30000000000000004,\nnbs,,7\n");
        assert_eq!(Table::from_csv(&text).unwrap(), table);
    }

    #[test]
    fn damaged_tables_are_refused() {
        for (text, said) in [("", "it is empty"), ("a,b\n1\n", "line 2 has 1 values"), ("a\n\"1\n", "not closed")] {
            let error = Table::from_csv(text).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn curves_ascend_and_leave_out_what_is_missing() {
        let row = |x: f64, y: &str| Row::new().with("x", x).with("y", y);
        let table = Table(vec![row(3.0, "1"), row(1.0, "2"), row(2.0, "")]);
        assert_eq!(table.curve("x", "y"), [(1.0, 2.0), (3.0, 1.0)]);
        assert_eq!(table.at("x", 3, "y"), 1.0);
        assert!(table.at("x", 4, "y").is_nan());
        assert_eq!(table.values("y"), ["1", "2"]);
    }
}
