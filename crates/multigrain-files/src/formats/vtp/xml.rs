//! As much of XML as VTK files are made of: elements with attributes, text, comments; raw bytes behind `<AppendedData>`.

use super::super::rows::{excerpt, line_number};
use crate::error::{Error, Result, fault};
use memchr::{memchr, memmem};
use std::ops::Range;

/// How many elements may be open at once. VTK needs ten; the stack is not for files to fill.
const DEEPEST: usize = 64;

/// An element with all that is in it.
#[derive(Debug)]
pub struct Element<'a> {
    pub name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    /// Where it begins, in bytes from the start of the file.
    pub offset: usize,
    /// The text up to its first child or its end; behind `<AppendedData>` all the rest of the file.
    pub text: Range<usize>,
    pub children: Vec<Element<'a>>,
}

impl<'a> Element<'a> {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(own, _)| *own == name).map(|&(_, value)| value)
    }

    /// The first child of this name.
    pub fn child(&self, name: &str) -> Option<&Element<'a>> {
        self.children.iter().find(|child| child.name == name)
    }

    /// An error about this element: its line, and what it is called.
    pub fn error(&self, file: &[u8], what: impl std::fmt::Display) -> Error {
        let name = self.attribute("Name").map(|name| format!(" Name=\"{}\"", excerpt(name.as_bytes())));
        let line = line_number(file, self.offset);
        fault!("line {line}, <{}{}>: {what}", excerpt(self.name.as_bytes()), name.unwrap_or_default())
    }
}

/// The outermost element of a file.
pub fn parse(file: &[u8]) -> Result<Element<'_>> {
    let mut open: Vec<Element<'_>> = Vec::new();
    let mut at = 0;
    loop {
        let Some(tag) = memchr(b'<', &file[at..]).map(|k| at + k) else {
            return Err(match open.last() {
                Some(element) => element.error(file, "the file ends inside it"),
                None => fault!("there is no XML element in the file"),
            });
        };
        if let Some(parent) = open.last_mut().filter(|parent| parent.children.is_empty()) {
            parent.text.end = tag;
        }
        let rest = &file[tag..];
        if let Some(end) = skipped(rest) {
            at = tag + end.ok_or_else(|| at_line(file, tag, "a comment or declaration has no end"))?;
        } else if rest.starts_with(b"</") {
            let end = tag_end(rest).ok_or_else(|| at_line(file, tag, "a tag has no end"))?;
            let name = text(file, tag + 2..tag + end)?.trim();
            let element = open.pop().ok_or_else(|| at_line(file, tag, "an element ends that was never begun"))?;
            if element.name != name {
                let what = format!("it is ended by </{}>", excerpt(name.as_bytes()));
                return Err(element.error(file, what));
            }
            at = tag + end + 1;
            match open.last_mut() {
                Some(parent) => parent.children.push(element),
                None => return Ok(element),
            }
        } else {
            let end = tag_end(rest).ok_or_else(|| at_line(file, tag, "a tag has no end"))?;
            let is_whole = rest[end - 1] == b'/';
            let inside = tag + 1..tag + end - usize::from(is_whole);
            let mut element = begun(file, tag, inside)?;
            at = tag + end + 1;
            element.text = at..at;
            if element.name == "AppendedData" {
                // What follows is no text: nothing behind it is looked at.
                element.text = at..file.len();
                open.push(element);
                return close(open).ok_or_else(|| fault!("there is no XML element in the file"));
            }
            if open.len() == DEEPEST {
                return Err(element.error(file, format!("it is inside {DEEPEST} others, which is too deep")));
            }
            match open.last_mut() {
                Some(parent) if is_whole => parent.children.push(element),
                None if is_whole => return Ok(element),
                _ => open.push(element),
            }
        }
    }
}

/// Ends all elements that are open; the outermost is left.
fn close(mut open: Vec<Element<'_>>) -> Option<Element<'_>> {
    loop {
        let element = open.pop()?;
        match open.last_mut() {
            Some(parent) => parent.children.push(element),
            None => return Some(element),
        }
    }
}

/// How long a comment or declaration is, if one begins here; nothing inside if it has no end.
fn skipped(rest: &[u8]) -> Option<Option<usize>> {
    let ends: [(&[u8], &[u8]); 3] = [(b"<!--", b"-->"), (b"<?", b"?>"), (b"<!", b">")];
    let (_, end) = ends.iter().find(|(begin, _)| rest.starts_with(begin))?;
    Some(memmem::find(rest, end).map(|k| k + end.len()))
}

/// Where the tag that begins here ends: the first `>` that is not in quotes.
fn tag_end(rest: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (k, &byte) in rest.iter().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(k),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => (),
        }
    }
    None
}

/// An element from what is inside its tag.
fn begun(file: &[u8], offset: usize, inside: Range<usize>) -> Result<Element<'_>> {
    let inside = text(file, inside)?;
    let (name, mut rest) = inside.split_at(inside.find(char::is_whitespace).unwrap_or(inside.len()));
    if name.is_empty() {
        return Err(at_line(file, offset, "a tag has no name"));
    }
    let mut attributes = Vec::new();
    rest = rest.trim_start();
    while !rest.is_empty() {
        let parsed = rest.split_once('=').and_then(|(key, value)| {
            let value = value.trim_start();
            let quote = value.chars().next().filter(|letter| matches!(letter, '"' | '\''))?;
            let (value, behind) = value[1..].split_once(quote)?;
            Some((key.trim(), value, behind))
        });
        let Some((key, value, behind)) = parsed else {
            let what = format!("'{}' is not an attribute such as name=\"value\"", excerpt(rest.as_bytes()));
            return Err(at_line(file, offset, &what));
        };
        attributes.push((key, value));
        rest = behind.trim_start();
    }
    Ok(Element { name, attributes, offset, text: 0..0, children: Vec::new() })
}

fn text(file: &[u8], range: Range<usize>) -> Result<&str> {
    let start = range.start;
    std::str::from_utf8(&file[range]).map_err(|_| at_line(file, start, "this is not text"))
}

fn at_line(file: &[u8], offset: usize, what: &str) -> Error {
    fault!("line {}: {what}", line_number(file, offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_hold_attributes_text_and_children() {
        let file = b"<?xml version=\"1.0\"?>\n<!-- <no> -->\n<a x='1 > 0' y = \"2\"><b/>\n<c> text </c><c/></a>";
        let root = parse(file).unwrap();
        assert_eq!((root.name, root.attribute("x"), root.attribute("y")), ("a", Some("1 > 0"), Some("2")));
        assert_eq!(root.children.iter().map(|child| child.name).collect::<Vec<_>>(), ["b", "c", "c"]);
        assert_eq!(file[root.children[1].text.clone()], *b" text ");
        assert_eq!(root.child("c").unwrap().error(file, "no").to_string(), "line 4, <c>: no");
    }

    #[test]
    fn appended_data_may_hold_anything() {
        let file = b"<a><b/><AppendedData encoding=\"raw\">_\x00</b>\xff<";
        let root = parse(file).unwrap();
        let data = root.child("AppendedData").unwrap();
        assert_eq!(file[data.text.clone()], *b"_\x00</b>\xff<");
    }

    #[test]
    fn mistakes_are_reported_with_line_and_element() {
        let error = |file: &str| parse(file.as_bytes()).unwrap_err().to_string();
        assert_eq!(error("no"), "there is no XML element in the file");
        assert_eq!(error("<a>\n<b>"), "line 2, <b>: the file ends inside it");
        assert_eq!(error("<a>\n<b></a>"), "line 2, <b>: it is ended by </a>");
        assert_eq!(error("<a>\n<b x=1/></a>"), "line 2: 'x=1' is not an attribute such as name=\"value\"");
        assert_eq!(error("<a>\n<b "), "line 2: a tag has no end");
        assert_eq!(error("</a>"), "line 1: an element ends that was never begun");
        assert_eq!(error("< >"), "line 1: a tag has no name");
        assert_eq!(error("<!-- "), "line 1: a comment or declaration has no end");
        let deep = format!("<a>\n{}", "<b>".repeat(300_000));
        assert_eq!(error(&deep), "line 2, <b>: it is inside 64 others, which is too deep");
        let closed = format!("{}{}", "<b>".repeat(64), "</b>".repeat(64));
        assert!(parse(closed.as_bytes()).is_ok());
    }
}
