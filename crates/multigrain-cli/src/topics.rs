//! Help on what is no command: `multigrain help scene`, and commands that are misspelt after `help`.

use crate::failure::hinted;
use crate::flags::Flags;
use crate::output;
use crate::scene::nearest;
use anyhow::Result;
use clap::CommandFactory;
use std::ffi::OsString;

/// What the documents say of scenes.
const SCENES: &str = include_str!("../help/scenes.txt");

/// Other names of the topic.
const SCENE: [&str; 3] = ["scene", "scenes", "toml"];

/// Answers `help TOPIC`; nothing for all that the commands answer themselves.
pub fn answer(arguments: impl Iterator<Item = OsString>) -> Option<Result<()>> {
    let words: Vec<String> = arguments.skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let [help, topic] = &words[..] else { return None };
    if help != "help" || topic.starts_with('-') {
        return None;
    }
    if SCENE.contains(&topic.as_str()) {
        return Some(output::print(&plain(SCENES)));
    }
    let command = Flags::command();
    let mut known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    known.extend(["help", "scene"]);
    if known.contains(&topic.as_str()) {
        return None;
    }
    let hint = match nearest(topic, &known) {
        Some(nearest) => format!("did you mean `multigrain help {nearest}`?"),
        None => format!("there is help on {}", known.join(", ")),
    };
    Some(Err(hinted(format!("there is no command and no topic `{topic}`"), hint)))
}

/// A page of the documents for a terminal: links are their texts.
fn plain(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once("](").and_then(|(name, target)| Some((name, target.split_once(')')?.1)));
        text += before;
        match link {
            Some((name, behind)) if !name.contains(['\n', '[', ']']) => {
                text += name;
                rest = behind;
            }
            _ => {
                text.push('[');
                rest = after;
            }
        }
    }
    (text + rest).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_their_texts() {
        let page = "see [view.md](view.md), `[[wall]]` and [a\nb] or `[3.0]`\n";
        assert_eq!(plain(page), "see view.md, `[[wall]]` and [a\nb] or `[3.0]`");
    }
}
