//! Laws as text: `mono`, `uniform(5)`, `power(-2, 10)`, `bidisperse(10)`, `log-normal(0.3, 5)`, `table(1: 0.75, 2: 0.25)`.

use crate::{Error, SizeLaw};
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// As it is read again.
///
/// ```
/// use multigrain_sizes::SizeLaw;
/// let law: SizeLaw = "power(-2, 10)".parse()?;
/// assert_eq!(law, SizeLaw::power(-2.0, 10.0)?);
/// assert_eq!(law.to_string(), "power(-2, 10)");
/// # Ok::<(), multigrain_sizes::Error>(())
/// ```
impl Display for SizeLaw {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let text = match self {
            Self::Mono => "mono".to_owned(),
            Self::Power { exponent: 0.0, ratio } => format!("uniform({ratio})"),
            Self::Power { exponent, ratio } => format!("power({exponent}, {ratio})"),
            Self::Bidisperse { ratio } => format!("bidisperse({ratio})"),
            Self::LogNormal { sigma, ratio } => format!("log-normal({sigma}, {ratio})"),
            Self::Table(entries) => {
                let entries: Vec<_> = entries.iter().map(|(radius, weight)| format!("{radius}: {weight}")).collect();
                format!("table({})", entries.join(", "))
            }
        };
        f.pad(&text)
    }
}

impl FromStr for SizeLaw {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::NotALaw { text: text.to_owned() };
        let (name, inside) = match text.trim().split_once('(') {
            Some((name, rest)) => (name, rest.strip_suffix(')').ok_or_else(unknown)?),
            None => (text.trim(), ""),
        };
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| unknown());
        let parts = inside.split(',').filter(|part| !part.trim().is_empty());
        if name == "table" {
            let entry = |part: &str| {
                let (radius, weight) = part.split_once(':').ok_or_else(unknown)?;
                Ok((number(radius)?, number(weight)?))
            };
            return Self::table(&parts.map(entry).collect::<Result<Vec<_>, Error>>()?);
        }
        let numbers = parts.map(number).collect::<Result<Vec<_>, Error>>()?;
        match (name, numbers[..].as_ref()) {
            ("mono", []) => Ok(Self::Mono),
            ("uniform", &[ratio]) => Self::uniform(ratio),
            ("power", &[exponent, ratio]) => Self::power(exponent, ratio),
            ("bidisperse", &[ratio]) => Self::bidisperse(ratio),
            ("log-normal", &[sigma]) => Self::log_normal(sigma),
            ("log-normal", &[sigma, ratio]) => Self::log_normal_within(sigma, ratio),
            _ => Err(unknown()),
        }
    }
}

#[cfg(feature = "serde")]
impl From<SizeLaw> for String {
    fn from(law: SizeLaw) -> Self {
        law.to_string()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<String> for SizeLaw {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_is_read_as_it_was_written() {
        let laws = [
            Ok(SizeLaw::Mono),
            SizeLaw::uniform(5.0),
            SizeLaw::power(-2.5, 1e3),
            SizeLaw::bidisperse(0.1 + 10.0),
            SizeLaw::log_normal(0.3),
            SizeLaw::log_normal_within(1.0 / 3.0, 1e140),
            SizeLaw::table(&[(2.0, 0.25), (1.0, 1e-3), (7.0 / 3.0, 4.0)]),
        ];
        for law in laws.map(Result::unwrap) {
            assert_eq!(law.to_string().parse::<SizeLaw>(), Ok(law.clone()), "{law}");
        }
        assert_eq!("log-normal(0.3)".parse::<SizeLaw>(), SizeLaw::log_normal(0.3));
        assert_eq!(format!("[{:>6}]", SizeLaw::Mono), "[  mono]");
    }

    #[test]
    fn what_is_no_law_is_refused_in_words() {
        for text in
            ["", "gauss(1)", "uniform", "uniform(a)", "power(1)", "mono(2)", "uniform(5", "table(1)", "power 1 2"]
        {
            let error = text.parse::<SizeLaw>().unwrap_err().to_string();
            assert!(error.contains("no law of sizes") && error.contains("power(-2, 10)"), "{text}: {error}");
        }
        assert!("uniform(0.5)".parse::<SizeLaw>().unwrap_err().to_string().contains("size ratio"));
        assert!("table(1: -1)".parse::<SizeLaw>().unwrap_err().to_string().contains("weight"));
    }
}
