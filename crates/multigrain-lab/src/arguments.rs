//! The flags of the lab's programs.

use std::fmt::Display;
use std::process::exit;
use std::str::FromStr;

/// Flags as typed after the program's name: `--name value` or `--name`. A wrong one ends the program with exit code 2.
#[derive(Debug)]
pub struct Arguments {
    usage: &'static str,
    typed: Vec<String>,
    size: Size,
}

/// Whether a program is to measure, or only to show that it works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// As `cargo bench` and `cargo run` start it: sizes that show something.
    Full,
    /// As `cargo test --benches` starts it: everything runs once, small.
    Smoke,
}

impl Arguments {
    /// The flags of a bench. `cargo bench` marks its runs with `--bench`; without that mark the bench runs as a test.
    pub fn of_bench(usage: &'static str) -> Self {
        let mut arguments = Self::of_example(usage);
        arguments.size = if arguments.take_switch("bench") { Size::Full } else { Size::Smoke };
        arguments
    }

    /// The flags of an example.
    pub fn of_example(usage: &'static str) -> Self {
        let mut arguments = Self { usage, typed: std::env::args().skip(1).collect(), size: Size::Full };
        if arguments.take_switch("help") {
            println!("{usage}");
            exit(0);
        }
        arguments
    }

    /// Whether to measure or only to show that it works.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The first value for a full run, the second for a smoke test.
    pub fn by_size<T>(&self, full: T, smoke: T) -> T {
        match self.size {
            Size::Full => full,
            Size::Smoke => smoke,
        }
    }

    /// Whether `--name` was typed.
    pub fn take_switch(&mut self, name: &str) -> bool {
        let position = self.position(name);
        if let Some(position) = position {
            self.typed.remove(position);
        }
        position.is_some()
    }

    /// The value after `--name`.
    pub fn take<T: FromStr<Err: Display>>(&mut self, name: &str) -> Option<T> {
        let position = self.position(name)?;
        self.typed.remove(position);
        if position >= self.typed.len() || self.typed[position].starts_with("--") {
            self.refuse(format!("--{name} needs a value"));
        }
        let typed = self.typed.remove(position);
        Some(typed.parse().unwrap_or_else(|error| self.refuse(format!("--{name} {typed}: {error}"))))
    }

    /// The values after `--name`, separated by commas.
    pub fn take_list<T: FromStr<Err: Display>>(&mut self, name: &str) -> Option<Vec<T>> {
        let typed: String = self.take(name)?;
        let parse = |item: &str| item.parse().unwrap_or_else(|error| self.refuse(format!("--{name} {item}: {error}")));
        Some(typed.split(',').map(parse).collect())
    }

    /// Ends the program if anything was typed that nobody asked for.
    pub fn finish(self) {
        if let Some(unknown) = self.typed.first() {
            self.refuse(format!("unknown argument `{unknown}`"));
        }
    }

    /// Ends the program with a message and the usage.
    pub fn refuse(&self, message: impl Display) -> ! {
        eprintln!("error: {message}\n\n{}", self.usage);
        exit(2)
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.typed.iter().position(|typed| typed.strip_prefix("--") == Some(name))
    }
}

/// A number of particles, typed in full or as `1e6`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count(pub usize);

impl FromStr for Count {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, String> {
        let value: f64 = typed.parse().map_err(|_| "not a number".to_owned())?;
        if !(1.0..=f64::from(u32::MAX)).contains(&value) || value.fract() != 0.0 {
            return Err("must be a whole number from 1 to 4294967295, such as 1000000 or 1e6".to_owned());
        }
        Ok(Self(value as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(line: &str) -> Arguments {
        let typed = line.split_whitespace().map(str::to_owned).collect();
        Arguments { usage: "", typed, size: Size::Full }
    }

    #[test]
    fn takes_values_lists_and_switches_in_any_order() {
        let mut arguments = typed("--peers parry,rstar --big --count 1e6");
        assert_eq!(arguments.take::<Count>("count"), Some(Count(1_000_000)));
        assert_eq!(arguments.take_list::<String>("peers"), Some(vec!["parry".to_owned(), "rstar".to_owned()]));
        assert!(arguments.take_switch("big"));
        assert_eq!(arguments.take::<usize>("rounds"), None);
        assert!(arguments.typed.is_empty());
    }

    #[test]
    fn counts_are_whole_and_fit_an_index() {
        assert_eq!("125001".parse(), Ok(Count(125_001)));
        for bad in ["0", "-1", "1.5", "many", "1e10", "NaN"] {
            assert!(bad.parse::<Count>().is_err(), "{bad}");
        }
    }
}
