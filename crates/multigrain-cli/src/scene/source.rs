//! The text of a scene, and mistakes in it: reported with file, line and the nearest word that would do.

use super::words;
use crate::failure::hinted;
use anyhow::{Context, Error, Result};
use multigrain_files::read_plain;
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// A scene file.
pub struct Source {
    path: PathBuf,
    text: String,
    /// Parts of the text that are not in the file, each with what `--change` said.
    changed: Vec<Change>,
}

struct Change {
    at: Range<usize>,
    typed: String,
}

impl Source {
    /// The text of a file.
    pub fn read(path: &Path) -> Result<Self> {
        let cannot = || format!("cannot read {}", path.display());
        if path.is_dir() {
            return Err(hinted(format!("{}: it is a folder", cannot()), "name a scene file in it, such as scene.toml"));
        }
        let bytes = read_plain(path).with_context(cannot)?;
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(hinted(format!("{}: it is not text in UTF-8", cannot()), "save it as text in UTF-8"));
        };
        Ok(Self::of_text(path, text))
    }

    /// A text as if it stood in this file.
    pub fn of_text(path: &Path, text: String) -> Self {
        Self { path: path.to_owned(), text, changed: Vec::new() }
    }

    /// The same with these keys changed, as `--change` says.
    pub fn changed(mut self, changes: &[String]) -> Result<Self> {
        for typed in changes {
            let (replaced, new) = super::change::edit(&self, typed)?;
            self.text.replace_range(replaced.clone(), &new);
            // What was changed before and is changed again is that no more; what stands behind moves.
            self.changed.retain(|earlier| earlier.at.end <= replaced.start || replaced.end <= earlier.at.start);
            for earlier in self.changed.iter_mut().filter(|earlier| earlier.at.start >= replaced.end) {
                let moved = |at: usize| at - replaced.len() + new.len();
                earlier.at = moved(earlier.at.start)..moved(earlier.at.end);
            }
            self.changed.push(Change { at: replaced.start..replaced.start + new.len(), typed: typed.clone() });
        }
        Ok(self)
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the text says, or what is wrong with it.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        toml::from_str(&self.text).map_err(|error| self.unreadable(&error))
    }

    /// What is wrong with the text, in words of those who write scenes.
    pub fn unreadable(&self, error: &toml::de::Error) -> Error {
        let message = error.message().lines().collect::<Vec<_>>().join("; ");
        let hint = nearest_of_message(&message);
        let shown = match &hint {
            // The list of all that would do is long; the hint names the nearest.
            Some(_) => message.split(", expected").next().unwrap_or(&message).to_owned(),
            None => message,
        };
        let (shown, way_out) = words::plain(&shown);
        let span = error.span().unwrap_or(0..0);
        let is_other = self.path.extension().is_some_and(|extension| extension != "toml");
        let other = is_other.then(|| "a scene is a TOML file; multigrain new writes one to begin with".to_owned());
        match hint.or(way_out).or(other) {
            Some(hint) => self.mistake(span, shown, hint),
            None => Error::msg(self.located(span, &shown)),
        }
    }

    /// An error at a place of the text, with a way out.
    pub fn mistake(&self, span: Range<usize>, message: impl AsRef<str>, hint: impl Into<String>) -> Error {
        hinted(self.located(span, message.as_ref()), hint)
    }

    /// An error at a place of the text for a word that is none of those known.
    pub fn unknown(&self, what: &str, word: &Spanned<String>, known: &[&str]) -> Error {
        let hint = match nearest(word.get_ref(), known) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => known_words(known),
        };
        self.mistake(word.span(), format!("there is no {what} `{}`", word.get_ref()), hint)
    }

    /// The number of a key that must be positive.
    pub fn positive(&self, key: &str, value: &Spanned<f64>) -> Result<f64> {
        let number = *value.get_ref();
        match number > 0.0 && number.is_finite() {
            true => Ok(number),
            false => Err(self.refused(key, value, "it must be positive and finite")),
        }
    }

    /// The number of a key that must not be negative.
    pub fn not_negative(&self, key: &str, value: &Spanned<f64>) -> Result<f64> {
        let number = *value.get_ref();
        match number >= 0.0 && number.is_finite() {
            true => Ok(number),
            false => Err(self.refused(key, value, "it must be finite and not negative")),
        }
    }

    fn refused(&self, key: &str, value: &Spanned<f64>, hint: &str) -> Error {
        self.mistake(value.span(), format!("`{key}` is {}", value.get_ref()), hint)
    }

    /// The file itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder that names of files in the scene are seen from.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The name of the scene: that of its file without extension.
    pub fn name(&self) -> String {
        self.path.file_stem().map_or_else(|| "scene".to_owned(), |stem| stem.to_string_lossy().into_owned())
    }

    fn located(&self, span: Range<usize>, message: &str) -> String {
        let start = self.key_of_table(span.start, message).unwrap_or(span.start).min(self.text.len());
        let text = self.text.as_bytes();
        let end = text[start..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |length| start + length);
        let is_there = |change: &&Change| change.at.start < end.max(start + 1) && start < change.at.end;
        if let Some(change) = self.changed.iter().find(is_there) {
            return format!("--change {}: {message}", change.typed);
        }
        let is_of_the_file = |at: usize| !self.changed.iter().any(|change| change.at.contains(&at));
        let line = 1 + (0..start).filter(|&at| text[at] == b'\n' && is_of_the_file(at)).count();
        format!("{}:{line}: {message}", self.path.display())
    }
}

impl Source {
    /// For a mistake in a table that begins here: where the key stands that the message names first.
    fn key_of_table(&self, start: usize, message: &str) -> Option<usize> {
        let table = self.text.get(start..).filter(|table| table.starts_with('['))?;
        if !(start == 0 || self.text.as_bytes()[start - 1] == b'\n') {
            return None;
        }
        let (mut keys, mut at) = (Vec::new(), start);
        for (number, line) in table.split_inclusive('\n').enumerate() {
            if number > 0 && line.starts_with('[') {
                break;
            }
            keys.extend(line.split_once('=').map(|(key, _)| (key.trim(), at)));
            at += line.len();
        }
        let words = message.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.filter_map(|word| keys.iter().find(|(key, _)| *key == word)).map(|&(_, at)| at).next()
    }
}

/// For a message that names a wrong word and those that would do, all in backticks: which one is nearest.
fn nearest_of_message(message: &str) -> Option<String> {
    if !message.starts_with("unknown ") {
        return None;
    }
    let words: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let (wrong, known) = words.split_first()?;
    Some(match nearest(wrong, known) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => known_words(known),
    })
}

/// All that would do.
fn known_words(known: &[&str]) -> String {
    match known {
        [only] => format!("the only one is `{only}`"),
        _ => format!("there are {}", known.join(", ")),
    }
}

/// The known word that takes the fewest changes of letters, if they are few enough for a slip.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let best = known.iter().copied().min_by_key(|candidate| edit_distance(word, candidate))?;
    let is_slip = edit_distance(word, best) <= 1 + best.chars().count().max(word.chars().count()) / 3;
    is_slip.then_some(best)
}

/// How many letters must be put in, taken out, changed or swapped with the next to make one word the other.
fn edit_distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    // rows[i][j]: distance of the first i letters to the first j.
    let mut rows = vec![vec![0; to.len() + 1]; from.len() + 1];
    for i in 0..=from.len() {
        for j in 0..=to.len() {
            rows[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let change = rows[i - 1][j - 1] + usize::from(from[i - 1] != to[j - 1]);
                    let mut least = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                    if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                        least = least.min(rows[i - 2][j - 2] + 1);
                    }
                    least
                }
            };
        }
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_distinguished_from_other_words() {
        let known = ["gravity", "duration", "domain", "material"];
        assert_eq!(nearest("gravty", &known), Some("gravity"));
        assert_eq!(nearest("garvity", &known), Some("gravity"));
        assert_eq!(nearest("Domian", &known), Some("domain"));
        assert_eq!(nearest("temperature", &known), None);
        assert_eq!(nearest("x", &[]), None);
    }

    #[test]
    fn mistakes_are_at_the_line_of_the_key_they_name() {
        let text = "duration = 1\n[[material]]\nname = \"glass\"\n\nfriction = -1\n[[wall]]\nfriction = 2\n";
        let source = Source::of_text(Path::new("a.toml"), text.to_owned());
        let table = text.find("[[material]]").unwrap();
        let line = |start: usize, message: &str| source.located(start..start, message);
        assert_eq!(line(table, "friction of it is -1"), "a.toml:5: friction of it is -1");
        assert_eq!(line(table, "density is missing"), "a.toml:2: density is missing");
        assert_eq!(line(0, "friction"), "a.toml:1: friction");
    }

    #[test]
    fn mistakes_in_changes_name_the_flag_and_others_the_line_of_the_file() {
        let text = "duration = 1\n[[material]]\nname = \"glass\"\n\n[[wall]]\nfriction = 2\n";
        let typed =
            ["material.density=0", "nosuch=1", "wall.friction=7", "time.step=-1", "wall.friction=8"].map(str::to_owned);
        let source = Source::of_text(Path::new("a.toml"), text.to_owned()).changed(&typed).unwrap();
        let at = |word: &str| {
            let start = source.text.find(word).unwrap();
            source.located(start..start + word.len(), "no")
        };
        assert_eq!(at("density"), "--change material.density=0: no");
        assert_eq!(at("0"), "--change material.density=0: no");
        assert_eq!(at("nosuch"), "--change nosuch=1: no");
        assert_eq!(at("8"), "--change wall.friction=8: no");
        assert_eq!(at("-1"), "--change time.step=-1: no");
        assert_eq!(at("duration"), "a.toml:1: no");
        assert_eq!(at("[[wall]]"), "a.toml:5: no");
        let wall = source.text.find("[[wall]]").unwrap();
        assert_eq!(source.located(wall..wall, "friction is 8"), "--change wall.friction=8: friction is 8");
    }

    #[test]
    fn distances_count_changes_of_letters() {
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("abc", "abc"), 0);
        assert_eq!(edit_distance("acb", "abc"), 1);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }
}
