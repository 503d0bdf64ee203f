//! Keys of a scene that are changed on the command line: `--change material.friction=0.3`.

use super::source::{Source, nearest};
use crate::failure::hinted;
use anyhow::{Error, Result};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Keys that say how a run began: it is too late to change them.
const OF_THE_START: [&str; 4] = ["dimension", "seed", "particles", "polygons"];

/// Where a value is to be put into the text of a scene.
enum Place {
    /// Instead of what is there.
    Value(Range<usize>),
    /// As a key of its own behind this place.
    Behind(usize),
}

/// What part of the text is replaced by what for one key to be as `KEY=VALUE` says; the key is a path such as `material.glass.friction`.
pub fn edit(source: &Source, change: &str) -> Result<(Range<usize>, String)> {
    let Some((path, value)) = change.split_once('=').map(|(path, value)| (path.trim(), value.trim())) else {
        return Err(refused(change, "there is no =", "write it as --change gravity=[0,-1.6]"));
    };
    if let Some(key) = OF_THE_START.iter().find(|key| path.split('.').next() == Some(key)) {
        let hint = "a run may change its laws, gravity, motion of walls, flows, and what it writes";
        return Err(refused(change, &format!("`{key}` says how the run began"), hint));
    }
    let text = source.text();
    let document = DeTable::parse(text).map_err(|error| source.unreadable(&error))?;
    let mut names: Vec<&str> = path.split('.').collect();
    let key = names.pop().unwrap_or_default();
    let value = toml_value(value);
    let Some(table) = table_of(document.get_ref(), &names, change)? else {
        // A table that the scene does not have yet.
        return Ok((text.len()..text.len(), format!("\n[{}]\n{key} = {value}\n", names.join("."))));
    };
    Ok(
        match place(table, key, text)
            .ok_or_else(|| refused(change, "its table is empty", "add the key to the scene"))?
        {
            Place::Value(span) => (span, value),
            Place::Behind(end) => (end..end, format!("\n{key} = {value}")),
        },
    )
}

fn refused(change: &str, problem: &str, hint: &str) -> Error {
    hinted(format!("--change {change}: {problem}"), hint)
}

/// What was typed as a value of TOML: words need no quotes.
fn toml_value(typed: &str) -> String {
    match DeValue::parse(typed) {
        Ok(_) => typed.to_owned(),
        Err(_) => format!("\"{}\"", typed.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

/// The table that names lead to; of a list of tables the one of the number, of the name, or the only one. None where a table of
/// its own is missing.
fn table_of<'a, 'i>(root: &'a DeTable<'i>, names: &[&str], change: &str) -> Result<Option<&'a DeTable<'i>>> {
    let (mut table, mut rest) = (root, names);
    while let Some((name, behind)) = rest.split_first() {
        rest = behind;
        let Some(found) = table.get(*name) else {
            let known: Vec<&str> = table.iter().map(|(key, _)| &**key.get_ref()).collect();
            return match nearest(name, &known) {
                Some(nearest) => {
                    let hint = format!("did you mean `{nearest}`?");
                    Err(refused(change, &format!("the scene has no `{name}`"), &hint))
                }
                None => Ok(None),
            };
        };
        match found.get_ref() {
            DeValue::Table(inner) => table = inner,
            DeValue::Array(list) if list.iter().any(|item| item.get_ref().is_table()) => {
                let tables: Vec<&DeTable<'i>> = list.iter().filter_map(|item| item.get_ref().as_table()).collect();
                let chosen = rest.first().and_then(|word| one_of(&tables, word));
                match (chosen, &tables[..]) {
                    (Some(chosen), _) => (table, rest) = (chosen, &rest[1..]),
                    (None, [only]) if rest.is_empty() => table = only,
                    (None, several) => {
                        let problem = format!("the scene has {} tables [[{name}]]", several.len());
                        let hint =
                            format!("say which by its number from 0, or by its name: --change {name}.0.KEY=VALUE");
                        return Err(refused(change, &problem, &hint));
                    }
                }
            }
            _ => return Err(refused(change, &format!("`{name}` has no keys of its own"), "multigrain help scene")),
        }
    }
    Ok(Some(table))
}

/// The table of a list with this number or name.
fn one_of<'a, 'i>(tables: &[&'a DeTable<'i>], word: &str) -> Option<&'a DeTable<'i>> {
    let is_named = |table: &&&DeTable<'_>| table.get("name").is_some_and(|name| name.get_ref().as_str() == Some(word));
    let numbered = word.parse::<usize>().ok().and_then(|number| tables.get(number));
    numbered.or_else(|| tables.iter().find(is_named)).copied()
}

/// Where the value of a key is, or where the key can be added: behind the line of another key of the table.
fn place(table: &DeTable<'_>, key: &str, text: &str) -> Option<Place> {
    if let Some(value) = table.get(key) {
        return Some(Place::Value(value.span()));
    }
    let is_plain = |value: &&Spanned<DeValue<'_>>| match value.get_ref() {
        DeValue::Table(_) => false,
        DeValue::Array(items) => !items.iter().any(|item| item.get_ref().is_table()),
        _ => true,
    };
    let end = table.iter().map(|(_, value)| value).filter(is_plain).map(|value| value.span().end).max()?;
    Some(Place::Behind(text[end..].find('\n').map_or(text.len(), |line| end + line)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const SCENE: &str = "gravity = [0.0, -9.81] # down\n\n[[material]]\nname = \"glass\"\nfriction = 0.5\n\n[[material]]\n\
                         name = \"steel\"\ndensity = 7.8 # heavy\n\n[[wall]]\nshape = \"plane\"\n";

    fn after(change: &str) -> Result<String, String> {
        let source = Source::of_text(Path::new("a.toml"), SCENE.to_owned());
        let changed = source.changed(&[change.to_owned()]).map_err(|error| error.to_string())?;
        Ok(changed.text().to_owned())
    }

    #[test]
    fn keys_are_replaced_where_they_stand_and_added_where_they_belong() {
        for (change, line) in [
            ("gravity=[0,-1.6]", "gravity = [0,-1.6] # down\n"),
            ("material.glass.friction = 0.1", "friction = 0.1\n"),
            ("material.1.density=8", "density = 8 # heavy\n"),
            ("material.steel.friction=0.2", "density = 7.8 # heavy\nfriction = 0.2\n"),
            ("wall.velocity=[1,0]", "shape = \"plane\"\nvelocity = [1,0]\n"),
            ("time.integrator=gear", "[time]\nintegrator = \"gear\"\n"),
        ] {
            let text = after(change).unwrap();
            assert!(text.contains(line), "{change}: {text}");
            assert_eq!(text.matches("name =").count(), 2, "{text}");
        }
    }

    #[test]
    fn what_is_not_one_key_of_the_scene_is_refused() {
        for (change, problem) in [
            ("gravity", "there is no ="),
            ("material.friction=1", "the scene has 2 tables [[material]]"),
            ("materiel.friction=1", "the scene has no `materiel`"),
            ("particles.count=7", "`particles` says how the run began"),
            ("gravity.x=1", "`gravity` has no keys of its own"),
        ] {
            assert_eq!(after(change), Err(format!("--change {change}: {problem}")));
        }
    }
}
