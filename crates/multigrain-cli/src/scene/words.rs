//! Mistakes in scenes, in words of those who write them: the reader of TOML speaks of types of Rust.

/// A message of the reader, and a way out where one is known.
pub fn plain(message: &str) -> (String, Option<String>) {
    if let Some(field) = quoted(message, "missing field ") {
        let hint = match field {
            "material" => "write a table [[material]] with name, density and stiffness".to_owned(),
            "domain" => "write a table [domain] with lo and hi".to_owned(),
            _ => format!("add it, such as `{field} = ...`; multigrain help scene explains every key"),
        };
        return (format!("the key `{field}` is missing"), Some(hint));
    }
    if message == "wanted string or table" {
        return ("the value must be a text in quotes".to_owned(), None);
    }
    let Some((found, expected)) = message.split_once(", expected ") else { return (message.to_owned(), None) };
    let is_table = found.starts_with("invalid type: map");
    let found = match found.split_once(": ") {
        Some(("invalid type" | "invalid value", what)) => of_value(what),
        _ => return (message.to_owned(), None),
    };
    let wanted = match expected.split([',', ';']).next().unwrap_or(expected).trim() {
        "f64" => "a number",
        "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64" => "a whole number, not negative",
        "a boolean" => "true or false",
        "a string" | "string" | "path string" => "a text in quotes",
        "a sequence" if is_table => {
            let hint = "write its name in double brackets, as in [[material]]: there may be several";
            return ("this table is one of a list".to_owned(), Some(hint.to_owned()));
        }
        "a sequence" => {
            let hint = "write it in brackets, such as [3.0], or [0.0, -9.81]";
            return (format!("{found} must be a list of numbers"), Some(hint.to_owned()));
        }
        other if other.starts_with("struct ") => "a table with keys, such as [domain]",
        other => other,
    };
    (format!("{found} must be {wanted}"), None)
}

/// A value as it stands in the file.
fn of_value(what: &str) -> String {
    let named = [
        ("floating point ", ""),
        ("integer ", ""),
        ("boolean ", ""),
        ("string ", "the text "),
        ("sequence", "this list"),
        ("map", "this table"),
    ];
    for (kind, name) in named {
        if let Some(value) = what.strip_prefix(kind) {
            return format!("{name}{}", value.trim());
        }
    }
    what.to_owned()
}

/// The word in backticks behind a beginning.
fn quoted<'a>(message: &'a str, beginning: &str) -> Option<&'a str> {
    message.strip_prefix(beginning)?.strip_prefix('`')?.split('`').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_rust_are_words_of_physics() {
        for (message, expected) in [
            ("invalid type: floating point `3.5`, expected u32", "`3.5` must be a whole number, not negative"),
            ("invalid type: string \"much\", expected f64", "the text \"much\" must be a number"),
            ("invalid value: integer `-3`, expected u64", "`-3` must be a whole number, not negative"),
            ("invalid type: integer `1`, expected a boolean", "`1` must be true or false"),
            ("invalid type: floating point `3.0`, expected a sequence", "`3.0` must be a list of numbers"),
            ("invalid type: map, expected a sequence", "this table is one of a list"),
            ("missing field `density`", "the key `density` is missing"),
            ("wanted string or table", "the value must be a text in quotes"),
            ("duplicate key", "duplicate key"),
        ] {
            assert_eq!(plain(message).0, expected);
        }
        assert!(plain("invalid type: map, expected a sequence").1.unwrap().contains("[[material]]"));
    }
}
