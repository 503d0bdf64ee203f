//! Values of flags that are more than one word or number.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use multigrain::Direction;
use multigrain_files::FrameChoice;
use multigrain_methods::Method;

/// A list of numbers, separated by commas.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers(pub Vec<f64>);

/// Which axes are periodic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodicAxes(pub [bool; 3]);

/// Numbers separated by commas.
pub fn numbers(text: &str) -> Result<Numbers, String> {
    let number = |word: &str| word.trim().parse::<f64>().map_err(|_| format!("'{}' is not a number", word.trim()));
    text.split(',').map(number).collect::<Result<_, _>>().map(Numbers)
}

/// Rows of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows(pub Vec<Vec<f64>>);

/// Rows of numbers, with `;` between them.
pub fn rows(text: &str) -> Result<Rows, String> {
    text.split(';').map(|row| Ok(numbers(row)?.0)).collect::<Result<_, _>>().map(Rows)
}

/// A number of particles, also as 1e6 or 1_000_000.
pub fn count(text: &str) -> Result<u32, String> {
    let plain = text.trim().replace('_', "");
    let number = match plain.parse::<u64>() {
        Ok(number) => number as f64,
        Err(_) => plain.parse::<f64>().map_err(|_| "write a whole number, such as 20000 or 1e6".to_owned())?,
    };
    match number {
        number if number < 0.0 || number.fract() != 0.0 => Err(format!("{number} is not a whole number of particles")),
        number if number <= f64::from(u32::MAX) => Ok(number as u32),
        number => Err(format!("{number} is too many: at most {} particles are possible", u32::MAX)),
    }
}

/// A frame of a file: its number from 0, `last` or `all`.
pub fn frame(text: &str) -> Result<FrameChoice, String> {
    match text.trim() {
        "first" => Ok(FrameChoice::At(0)),
        "last" => Ok(FrameChoice::At(-1)),
        "all" => Ok(FrameChoice::All),
        number => number.parse().map(FrameChoice::At).map_err(|_| "write a number from 0, or last, or all".to_owned()),
    }
}

/// An axis by name.
pub fn axis(text: &str) -> Result<usize, String> {
    let axis = ["x", "y", "z"].iter().position(|name| *name == text.trim());
    axis.ok_or_else(|| "name x, y or z".to_owned())
}

/// Axes separated by commas, or `none`.
pub fn periodic_axes(text: &str) -> Result<PeriodicAxes, String> {
    let mut axes = [false; 3];
    if text.trim() == "none" {
        return Ok(PeriodicAxes(axes));
    }
    for word in text.split(',') {
        match word.trim() {
            "x" => axes[0] = true,
            "y" => axes[1] = true,
            "z" => axes[2] = true,
            other => return Err(format!("'{other}' is not an axis: name x, y, z separated by commas, or none")),
        }
    }
    Ok(PeriodicAxes(axes))
}

/// The box as `xlo,xhi,ylo,yhi[,zlo,zhi]`.
pub fn bounds(text: &str) -> Result<Numbers, String> {
    let numbers = numbers(text)?;
    match numbers.0.len() {
        4 | 6 => Ok(numbers),
        count => Err(format!(
            "{count} number{}, must be 4 or 6: xlo,xhi,ylo,yhi[,zlo,zhi]",
            if count == 1 { "" } else { "s" }
        )),
    }
}

/// The cell as edge vectors and, where it is given, the origin: `ax,ay,bx,by[,ox,oy]` or `ax,ay,az,bx,by,bz,cx,cy,cz[,ox,oy,oz]`, with
/// commas or blanks.
pub fn cell(text: &str) -> Result<Numbers, String> {
    let words = text.split([',', ' ']).filter(|word| !word.trim().is_empty());
    let numbers = numbers(&words.collect::<Vec<_>>().join(","))?;
    match numbers.0.len() {
        4 | 6 | 9 | 12 => Ok(numbers),
        count => Err(format!(
            "{count} number{}, must be 9 or 12 in 3D: ax,ay,az,bx,by,bz,cx,cy,cz[,ox,oy,oz], or 4 or 6 in 2D",
            if count == 1 { "" } else { "s" }
        )),
    }
}

/// A number of bytes, such as 20MB, 500 kB or 1.5GiB.
pub fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = (text[..digits].parse::<f64>(), text[digits..].trim().to_ascii_lowercase());
    let factor = match unit.as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024f64.powi(2),
        "gib" => 1024f64.powi(3),
        _ => return Err(format!("'{unit}' is not a unit: write bytes such as 20MB")),
    };
    match number {
        Ok(number) if number > 0.0 => Ok((number * factor) as u64),
        _ => Err("write bytes such as 20MB".to_owned()),
    }
}

/// A method by name; all that the engine knows.
pub fn method() -> impl TypedValueParser<Value = Method> {
    let value = |method: &Method| PossibleValue::new(method.name()).help(method.about());
    PossibleValuesParser::new(Method::ALL.iter().map(value))
        .try_map(|name| Method::from_name(&name).ok_or("is not a method"))
}

/// A direction by name.
pub fn direction() -> impl TypedValueParser<Value = Direction> {
    PossibleValuesParser::new(Direction::ALL.map(Direction::name)).try_map(|name| name.parse::<Direction>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_have_exponents() {
        for (text, expected) in [("17", 17), ("1e6", 1_000_000), ("2.5e3", 2500), ("1_000", 1000), ("0", 0)] {
            assert_eq!(count(text), Ok(expected), "{text}");
        }
        for text in ["", "many", "1.5", "-3", "1e10", "nan", "inf"] {
            assert!(count(text).is_err(), "{text}");
        }
    }

    #[test]
    fn frames_have_numbers_or_names() {
        for (text, expected) in [("0", FrameChoice::At(0)), ("last", FrameChoice::At(-1)), ("all", FrameChoice::All)] {
            assert_eq!(frame(text), Ok(expected), "{text}");
        }
        assert!(frame("1.5").is_err());
    }

    #[test]
    fn bytes_have_units() {
        for (text, expected) in [("17", 17), ("20MB", 20_000_000), ("1.5 kib", 1536), ("2G", 2_000_000_000)] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for text in ["", "MB", "-3MB", "0", "20 apples", "1.2.3"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
