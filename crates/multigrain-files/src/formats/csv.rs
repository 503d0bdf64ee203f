//! CSV: a header that names the columns `x,y[,z],r` in any order, other columns ignored. `radius` or `diameter` may stand for
//! `r`, semicolons or blanks for commas, units may follow names in brackets, and lines that begin with `#` are comments.

use super::foreign::WHAT_IS_READ;
use super::numbers::push_float;
use super::rows::{RADIUS_NAMES, Separator, Table, excerpt, line_number};
use super::text::write_rows;
use super::validate::{Field, validated};
use crate::error::{Error, Result, fault, hinted};
use crate::progress::Progress;
use crate::system::AXES;
use multigrain::{AnySystem, Axes, CheckedSystem, Dimension, System};
use std::io::Write;

/// Columns that mean something.
const NAMES: [&str; 10] = ["x", "y", "z", "r", "radius", "radii", "diameter", "weight", "d", "id"];

/// Those of them that make a comment a header: the others are words of comments too.
const OF_HEADERS: usize = 8;

/// Byte order mark that spreadsheets put before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads particles.
pub fn read(file: &[u8], progress: &dyn Progress) -> Result<AnySystem> {
    let table = with_header(file)?;
    let column = |name: &str| table.names.iter().position(|own| own == name);
    let named = |&(name, scale): &(&str, f64)| Some(SizeColumn { column: column(name)?, scale });
    let known = RADIUS_NAMES.iter().filter(|(name, _)| *name != "r");
    let given: Vec<SizeColumn> = [("r", 1.0)].iter().chain(known).filter_map(named).collect();
    if let [first, second, ..] = given[..] {
        let (first, second) = (&table.names[first.column], &table.names[second.column]);
        progress.note(&format!("the columns {first} and {second} both give sizes; {first} is taken"));
    }
    let sizes = given.first().copied();
    let lengths = [column("x"), column("y"), column("z"), sizes.map(|sizes| sizes.column)];
    same_unit(file, &table, lengths.into_iter().flatten())?;
    match (column("x"), column("y"), column("z"), sizes) {
        (Some(x), Some(y), None, Some(sizes)) => Ok(particles(&table, [x, y], sizes, progress)?.into()),
        (Some(x), Some(y), Some(z), Some(sizes)) => Ok(particles(&table, [x, y, z], sizes, progress)?.into()),
        (x, y, _, sizes) => {
            let missing: Vec<&str> = [("x", x.is_none()), ("y", y.is_none()), ("r", sizes.is_none())]
                .iter()
                .filter(|(_, is_missing)| *is_missing)
                .map(|(name, _)| *name)
                .collect();
            Err(no_column(&table, &missing.join(", "), "x,y,z,r (r may be radius or diameter)"))
        }
    }
}

/// The column that sizes are in, and what to multiply it by.
#[derive(Clone, Copy)]
struct SizeColumn {
    column: usize,
    scale: f64,
}

/// An error if two of these columns have different units.
fn same_unit(file: &[u8], table: &Table<'_>, columns: impl Iterator<Item = usize>) -> Result<()> {
    let (line, header, separator) = header_of(file)?;
    let raw = raw_names(header, separator);
    let units: Vec<(usize, &str)> = columns.filter_map(|column| Some((column, unit_of(raw.get(column)?)?.1))).collect();
    match units.iter().find(|(_, unit)| *unit != units[0].1) {
        None => Ok(()),
        Some(&(column, unit)) => Err(hinted(
            format!(
                "line {line}: {} is in {}, but {} in {unit}",
                table.names[units[0].0], units[0].1, table.names[column]
            ),
            "give all lengths in one unit",
        )),
    }
}

/// Reads radii and their weights, from the columns `radius,weight`.
pub fn read_weights(file: &[u8]) -> Result<Vec<(f64, f64)>> {
    if file.trim_ascii().is_empty() {
        return Err(fault!("the file is empty"));
    }
    let table = with_header(file)?;
    let column = |name: &str| table.names.iter().position(|own| own == name);
    let (Some(radius), Some(weight)) = (column("radius"), column("weight")) else {
        let missing = if column("radius").is_none() { "radius" } else { "weight" };
        return Err(no_column(&table, missing, "radius,weight"));
    };
    let rows = table.read(&[radius, weight], &())?;
    Ok(rows.iter().map(|row| (row[0], row[1])).collect())
}

/// Writes particles.
pub fn write<const D: usize>(out: &mut dyn Write, particles: &System<D>) -> Result<()> {
    writeln!(out, "{},r", AXES[..D].join(","))?;
    write_rows(out, particles.len(), 20 * (D + 1), |i, text| {
        for coordinate in particles.centers[i] {
            push_float(text, coordinate);
            text.push(b',');
        }
        push_float(text, particles.radii[i]);
        text.push(b'\n');
    })
}

fn particles<const D: usize>(
    table: &Table<'_>,
    axes: [usize; D],
    sizes: SizeColumn,
    progress: &dyn Progress,
) -> Result<CheckedSystem<D>>
where
    Axes: Dimension<D>,
{
    let wanted: Vec<usize> = axes.into_iter().chain([sizes.column]).collect();
    let rows = table.read(&wanted, progress)?;
    let mut particles = System::with_capacity(rows.len());
    for row in rows.iter() {
        particles.centers.push(std::array::from_fn(|axis| row[axis]));
        particles.radii.push(row[D] * sizes.scale);
    }
    validated(particles, |row, field| {
        table.place(
            row,
            match field {
                Field::Axis(axis) => axes[axis],
                Field::Radius => sizes.column,
            },
        )
    })
}

/// The rows below the header. It must name each column once.
pub(super) fn with_header(file: &[u8]) -> Result<Table<'_>> {
    let (line, header, separator) = header_of(file)?;
    let names = names_in(header, separator);
    if names.iter().any(|name| name.parse::<f64>().is_ok()) {
        return Err(hinted(
            format!("line {line}: there is no header, the first line is '{}'", excerpt(header.as_bytes())),
            "begin the file with a line that names the columns, such as x,y,z,r",
        ));
    }
    let mut columns = [None; NAMES.len()];
    for (column, name) in names.iter().enumerate() {
        let Some(known) = NAMES.iter().position(|known| name == known) else { continue };
        if let Some(first) = columns[known].replace(column + 1) {
            return Err(fault!("line {line}: columns {first} and {} are both named {name}", column + 1));
        }
    }
    let behind = header.as_ptr().addr() - file.as_ptr().addr() + header.len();
    let end = memchr::memchr(b'\n', &file[behind..]).map_or(file.len(), |k| behind + k + 1);
    Ok(Table { file, rows: end..file.len(), separator, has_comments: true, names })
}

/// The header and its line: the first that is neither blank nor a comment, or a comment that names a column.
fn header_of(file: &[u8]) -> Result<(usize, &str, Separator)> {
    let mut end = if file.starts_with(MARK) { MARK.len() } else { 0 };
    let (mut line, mut counted) = (1, 0);
    loop {
        let start = end + file[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        end = memchr::memchr(b'\n', &file[start..]).map_or(file.len(), |k| start + k);
        let header = file[start..end].trim_ascii();
        // Headers written by numpy.savetxt are comments.
        let (header, is_comment) = header.strip_prefix(b"#").map_or((header, false), |header| (header, true));
        // Counted as it goes: there may be as many comments as lines.
        line += line_number(&file[counted..], start - counted) - 1;
        counted = start;
        let header = match std::str::from_utf8(header) {
            Ok(header) if !header.contains('\0') => header,
            _ => return Err(hinted(format!("line {line}: the header is not text in UTF-8"), WHAT_IS_READ)),
        };
        if header.contains('\r') && end == file.len() {
            let what = format!("line {line}: the lines end with carriage returns alone");
            return Err(hinted(what, "save it with line feeds, as CSV in UTF-8 has them"));
        }
        let separator = separator_of(header);
        let is_of_header = |name: &String| NAMES[..OF_HEADERS].contains(&name.as_str());
        if !is_comment || end == file.len() || names_in(header, separator).iter().any(is_of_header) {
            return Ok((line, header, separator));
        }
    }
}

/// Commas, or what else the header has: semicolons, or tabs and other blanks.
fn separator_of(header: &str) -> Separator {
    let has = |letter: char| header.contains(letter);
    match (has(','), has(';')) {
        (true, _) => Separator::One(b','),
        (_, true) => Separator::One(b';'),
        _ if header.trim().contains([' ', '\t']) => Separator::Blanks,
        _ => Separator::One(b','),
    }
}

/// Names as they are looked for: columns that mean something may be in large letters, and have a unit in brackets, where no other
/// has the name.
fn names_in(header: &str, separator: Separator) -> Vec<String> {
    let mut names = raw_names(header, separator);
    // One look at each name: there may be very many.
    let mut is_there = [false; NAMES.len()];
    let mut instead = [None; NAMES.len()];
    for (column, name) in names.iter().enumerate() {
        let bare = unit_of(name).map_or(name.as_str(), |(bare, _)| bare);
        let Some(known) = NAMES.iter().position(|known| bare.eq_ignore_ascii_case(known)) else { continue };
        is_there[known] |= name == NAMES[known];
        instead[known].get_or_insert(column);
    }
    for (known, column) in instead.into_iter().enumerate() {
        if let (false, Some(column)) = (is_there[known], column) {
            names[column] = NAMES[known].to_owned();
        }
    }
    names
}

/// Names as they stand in the header.
fn raw_names(header: &str, separator: Separator) -> Vec<String> {
    let clean = |name: &str| name.trim().trim_matches('"').trim().to_owned();
    match separator {
        Separator::One(letter) => header.split(char::from(letter)).map(clean).collect(),
        Separator::Blanks => {
            let mut names: Vec<String> = Vec::new();
            for word in header.split_whitespace() {
                match names.last_mut() {
                    // The unit of the name before.
                    Some(name) if word.starts_with(['[', '(']) && word.ends_with([']', ')']) => *name += word,
                    _ => names.push(clean(word)),
                }
            }
            names
        }
    }
}

/// Name and unit of a column such as `x [m]` or `x (m)`.
fn unit_of(name: &str) -> Option<(&str, &str)> {
    let (bare, unit) = name.split_once(['[', '('])?;
    let unit = unit.trim_end().strip_suffix([']', ')'])?;
    Some((bare.trim_end(), unit.trim()))
}

fn no_column(table: &Table<'_>, missing: &str, example: &str) -> Error {
    let line = line_number(table.file, table.rows.start.saturating_sub(1));
    hinted(
        format!("line {line}: the header '{}' has no column {missing}", excerpt(table.names.join(",").as_bytes())),
        format!("name the columns in the first line, separated by commas, such as {example}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Domain;

    fn parse(text: &str) -> Result<AnySystem, String> {
        read(text.as_bytes(), &()).map_err(|error| format!("{error:#}"))
    }

    fn flat(centers: &[[f64; 2]], radii: &[f64]) -> AnySystem {
        System { centers: centers.to_vec(), radii: radii.to_vec(), domain: Domain::open() }.checked().unwrap().into()
    }

    #[test]
    fn reads_columns_in_any_order_and_ignores_others() {
        let expected = flat(&[[1.0, 2.0], [3.0, 4.0]], &[0.5, 0.25]);
        for text in [
            "x,y,r\n1,2,.5\n3,4,0.25\n",
            "X,Y,Radius\n1,2,.5\n3,4,0.25\n",
            "X,x,y,r,R\n9,1,2,.5,9\n9,3,4,0.25,9\n",
            "x,y,diameter\n1,2,1\n3,4,0.5\n",
            "x,y,radius,r\n1,2,9,.5\n3,4,9,0.25\n",
            "x;y;r\n1;2;.5\n3; 4; 0.25\n",
            "x\ty\tr\n1\t2\t.5\n3\t4\t0.25\n",
            "x y r\n1 2 .5\n 3  4 0.25\n",
            "# made by hand, with care\nx,y,r\n1,2,0.5\n# one more\n3,4,0.25\n",
            "# made by hand\n# x,y,r\n1,2,0.5\n3,4,0.25\n",
            "r,name,y,x\n0.5,a,2,1\n0.25,\"b,c\",4,3",
            "\u{feff}\"x\", \"y\" ,r\r\n1, 2, 5e-1\r\n3,4,+0.25\r\n\r\n",
            "# x,y,r\n1,2,0.5\n3,4,0.25\n",
        ] {
            assert_eq!(parse(text).as_ref(), Ok(&expected), "{text:?}");
        }
    }

    #[test]
    fn units_in_brackets_are_no_part_of_the_name() {
        let expected = flat(&[[1.0, 2.0], [3.0, 4.0]], &[0.5, 0.25]);
        for text in [
            "x [m],y [m],r [m]\n1,2,.5\n3,4,0.25\n",
            "X(mm);Y(mm);Radius(mm)\n1;2;.5\n3;4;0.25\n",
            "x [m] y [m] d [m]\n1 2 1\n3 4 0.5\n",
            "x,y,d,m [kg]\n1,2,1,9\n3,4,0.5,9\n",
        ] {
            assert_eq!(parse(text).as_ref(), Ok(&expected), "{text:?}");
        }
        let mixed = read(b"x [m],y [m],r [mm]\n1,2,3\n", &()).unwrap_err();
        assert_eq!(mixed.to_string(), "line 1: x is in m, but r in mm");
        assert_eq!(mixed.hint(), Some("give all lengths in one unit"));
    }

    #[test]
    fn decimal_commas_are_reported() {
        let error = read(b"x;y;r\n1,5;2;3\n", &()).unwrap_err();
        assert_eq!(error.hint(), Some("write numbers with decimal points, such as 1.5"));
    }

    #[test]
    fn two_columns_of_sizes_are_reported() {
        struct Notes(std::sync::Mutex<Vec<String>>);
        impl Progress for Notes {
            fn advance(&self, _bytes: u64) {}
            fn note(&self, text: &str) {
                self.0.lock().unwrap().push(text.to_owned());
            }
        }
        for (text, expected) in [
            ("x,y,radius,r\n1,2,9,5\n", "the columns r and radius both give sizes; r is taken"),
            ("x,y,diameter,radius\n1,2,9,5\n", "the columns radius and diameter both give sizes; radius is taken"),
            ("x,y,r\n1,2,9\n", ""),
        ] {
            let notes = Notes(std::sync::Mutex::default());
            read(text.as_bytes(), &notes).unwrap();
            assert_eq!(notes.0.lock().unwrap().join(";"), expected);
        }
    }

    /// Each name is looked for once, not each column among all others; each comment is counted from the one before.
    #[test]
    fn many_columns_and_many_comments_take_linear_time() {
        let columns = "x,y,r".to_owned() + &",q".repeat(300_000) + "\n0,0,1" + &",2".repeat(300_000) + "\n";
        let comments = "#\n".repeat(500_000) + "x,y,r\n0,0,1\n";
        for text in [columns, comments] {
            assert_eq!(parse(&text).unwrap().len(), 1);
            assert!(
                super::super::columns::of_csv(text.as_bytes(), super::super::columns::Wanted::All).columns.len() < 2
            );
        }
        let words = "x,y,r".to_owned()
            + &",q".repeat(3000)
            + "\n"
            + &("0,0,1".to_owned() + &",a".repeat(3000) + "\n").repeat(50);
        assert!(super::super::columns::of_csv(words.as_bytes(), super::super::columns::Wanted::All).columns.is_empty());
    }

    #[test]
    fn three_dimensions_by_a_z_column() {
        let Ok(AnySystem::D3(particles)) = parse("z,y,x,r\n3,2,1,4\n") else { panic!("not 3D") };
        assert_eq!(particles.centers, [[1.0, 2.0, 3.0]]);
    }

    #[test]
    fn a_header_alone_is_a_system_of_no_particles() {
        for text in ["x,y,r", "x,y,r\n", "x,y,r\r\n\r\n"] {
            assert_eq!(parse(text), Ok(flat(&[], &[])));
        }
    }

    #[test]
    fn says_what_is_wrong_with_the_header() {
        let error = |text: &str| parse(text).unwrap_err();
        assert_eq!(error("1,2,3\n4,5,6\n"), "line 1: there is no header, the first line is '1,2,3'");
        assert_eq!(error("x,y,z\n"), "line 1: the header 'x,y,z' has no column r");
        assert_eq!(error("a;b\n1;2\n"), "line 1: the header 'a,b' has no column x, y, r");
        assert_eq!(error("1.0 2.0 3.0\n4 5 6\n"), "line 1: there is no header, the first line is '1.0 2.0 3.0'");
        assert_eq!(error("# nothing else"), "line 1: the header 'nothing,else' has no column x, y, r");
        assert_eq!(error("x,y,r\n# note\n1,2,a\n"), "line 3, column 3 (r): 'a' is not a number");
        assert_eq!(error("x;y;r\n1,5;2;3\n"), "line 2, column 1 (x): '1,5' is not a number");
        assert_eq!(error("x,y,r,x\n"), "line 1: columns 1 and 4 are both named x");
    }

    #[test]
    fn names_line_and_column_of_bad_particles() {
        let error = |text: &str| parse(text).unwrap_err();
        assert_eq!(
            error("x,y,r\n0,0,1\n\n0,0,-0.5\n"),
            "line 4, column 3 (r): radius of particle 1 is -0.5, must not be negative"
        );
        assert_eq!(error("x,y,r\nnan,0,1\n"), "line 2, column 1 (x): x of particle 0 is NaN, must be finite");
        assert_eq!(error("x,r,y\n0,1,1e999\n"), "line 2, column 3 (y): y of particle 0 is inf, must be finite");
    }

    #[test]
    fn reads_back_what_it_wrote() {
        let count = 40_007;
        let particles = System::<3> {
            centers: (0..count).map(|k| [k as f64 / 7.0, -1e-9 * k as f64, 1e12]).collect(),
            radii: (0..count).map(|k| 1.0 / (k + 1) as f64).collect(),
            domain: Domain::open(),
        };
        let mut text = Vec::new();
        write(&mut text, &particles).unwrap();
        assert_eq!(read(&text, &()).unwrap(), particles.checked().unwrap().into());
    }

    #[test]
    fn weights_come_from_radius_and_weight() {
        assert_eq!(read_weights(b"weight,radius\n3,1\n1,2\n").unwrap(), [(1.0, 3.0), (2.0, 1.0)]);
        assert!(read_weights(b"radius\n1\n").unwrap_err().to_string().contains("no column weight"));
        assert!(read_weights(b"").is_err());
    }
}
