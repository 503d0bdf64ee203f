//! Which size law the flags mean.

use crate::failure::hinted;
use crate::flags::{LawName, LawParameters};
use anyhow::{Context, Result};
use multigrain::sizes::SizeLaw;
use multigrain_files::{read_plain, read_weights};
use std::path::Path;

/// The law and its smallest radius.
pub fn law(name: LawName, flags: &LawParameters) -> Result<(SizeLaw, f64)> {
    let law = name;
    let name = law.name();
    let need = |value: Option<f64>, flag: &str| {
        value.ok_or_else(|| hinted(format!("--law {name} needs {flag}"), format!("add {flag} with a number")))
    };
    let takes: &[&str] = match law {
        LawName::Mono => &[],
        LawName::Uniform | LawName::Bidisperse => &["--ratio"],
        LawName::Power => &["--exponent", "--ratio"],
        LawName::LogNormal => &["--sigma", "--ratio"],
        LawName::Table => &["--table"],
    };
    let given = [
        ("--exponent", flags.exponent.is_some()),
        // One size has a size ratio of 1.
        ("--ratio", flags.ratio.is_some_and(|ratio| law != LawName::Mono || ratio != 1.0)),
        ("--sigma", flags.sigma.is_some()),
        ("--table", flags.table.is_some()),
    ];
    if let Some((flag, _)) = given.iter().find(|(flag, is_given)| *is_given && !takes.contains(flag)) {
        let hint = match takes {
            [] => "it has no parameters".to_owned(),
            takes => format!("its parameters are {}", takes.join(" and ")),
        };
        return Err(hinted(format!("--law {name} takes no {flag}"), hint));
    }
    let law = match law {
        LawName::Mono => SizeLaw::Mono,
        LawName::Uniform => SizeLaw::uniform(need(flags.ratio, "--ratio")?)?,
        LawName::Bidisperse => SizeLaw::bidisperse(need(flags.ratio, "--ratio")?)?,
        LawName::Power => SizeLaw::power(need(flags.exponent, "--exponent")?, need(flags.ratio, "--ratio")?)?,
        LawName::LogNormal => match (flags.sigma, flags.ratio) {
            (Some(sigma), Some(ratio)) => SizeLaw::log_normal_within(sigma, ratio)?,
            (Some(sigma), None) => SizeLaw::log_normal(sigma)?,
            (None, Some(ratio)) => SizeLaw::log_normal_within(ratio.ln() / 6.0, ratio)?,
            (None, None) => {
                return Err(hinted("--law log-normal needs --sigma or --ratio", "add one of them, or both"));
            }
        },
        LawName::Table => {
            let path = flags.table.as_deref();
            let path =
                path.ok_or_else(|| hinted("--law table needs --table", "add --table with a CSV of radius,weight"))?;
            return table_law(path).with_context(|| format!("cannot read {}", path.display()));
        }
    };
    Ok((law, 1.0))
}

fn table_law(path: &Path) -> Result<(SizeLaw, f64)> {
    let entries = read_weights(&read_plain(path)?)?;
    let law = SizeLaw::table(&entries)?;
    let used = entries.iter().filter(|(_, weight)| *weight > 0.0);
    Ok((law, used.map(|(radius, _)| *radius).fold(f64::INFINITY, f64::min)))
}
