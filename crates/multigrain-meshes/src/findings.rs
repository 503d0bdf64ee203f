//! What is wrong with a mesh, in words.

use std::fmt;

/// A kind of flaw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Flaw {
    /// A face with a vertex that is not there; it is left out.
    NoSuchVertex,
    /// A face with a vertex whose coordinates are no numbers; it is left out.
    NotFinite,
    /// A face without area; it is left out.
    NoArea,
    /// A face that was there before; it is left out.
    Twice,
    /// A vertex without a face; it is left out.
    Unused,
    /// A vertex that rounding has put beside another; they are made one.
    Apart,
    /// A face far longer than high.
    Sliver,
    /// A face whose corners go round the other way than those of its neighbours.
    TurnedOver,
    /// An edge at which faces cannot be turned to one side: a twisted band.
    Twisted,
    /// An edge with more than two faces.
    Crowded,
    /// An edge with one face.
    Open,
}

/// How often a flaw was found, and where first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub flaw: Flaw,
    /// How often.
    pub count: usize,
    /// The first face that has it, numbered from 0 in the order of the file; vertices have none.
    pub face: Option<usize>,
    /// Whether edges are ends of lines, in the plane.
    pub(crate) in_plane: bool,
}

/// All that was found wrong with a mesh.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    found: Vec<Finding>,
}

impl Findings {
    /// Every kind of flaw that was found, once.
    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        self.found.iter()
    }

    /// How often a flaw was found.
    pub fn count(&self, flaw: Flaw) -> usize {
        self.found.iter().find(|finding| finding.flaw == flaw).map_or(0, |finding| finding.count)
    }

    pub(crate) fn add(&mut self, flaw: Flaw, count: usize, face: Option<usize>) {
        if count == 0 {
            return;
        }
        match self.found.iter_mut().find(|finding| finding.flaw == flaw) {
            Some(known) => known.count += count,
            None => self.found.push(Finding { flaw, count, face, in_plane: false }),
        }
    }

    pub(crate) fn in_plane(&mut self) {
        self.found.iter_mut().for_each(|finding| finding.in_plane = true);
    }

    pub(crate) fn sort(&mut self) {
        self.found.sort_by_key(|finding| finding.flaw);
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, finding) in self.found.iter().enumerate() {
            write!(out, "{}{finding}", if k == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_one = self.count == 1;
        let (noun, place) = match self.flaw {
            Flaw::Unused | Flaw::Apart => (["vertex", "vertices"], ""),
            Flaw::Twisted | Flaw::Crowded | Flaw::Open if self.in_plane => (["end", "ends"], "of "),
            Flaw::Twisted | Flaw::Crowded | Flaw::Open => (["edge", "edges"], "of "),
            Flaw::Sliver => (["sliver", "slivers"], ""),
            _ => (["face", "faces"], ""),
        };
        let noun = noun[usize::from(!is_one)];
        let (are, have) = if is_one { ("is", "has") } else { ("are", "have") };
        let words = match self.flaw {
            Flaw::NoSuchVertex => format!("with a vertex that is not there {are} left out"),
            Flaw::NotFinite => format!("with a vertex that is not finite {are} left out"),
            Flaw::NoArea => format!("without area {are} left out"),
            Flaw::Twice => format!("that {are} there twice {are} left out"),
            Flaw::Unused => format!("without a face {are} left out"),
            Flaw::Apart if is_one => "differs from another by rounding: they are made one".to_owned(),
            Flaw::Apart => "differ from others by rounding: they are made one".to_owned(),
            Flaw::Sliver if is_one => ", a face far longer than high".to_owned(),
            Flaw::Sliver => ", faces far longer than high".to_owned(),
            Flaw::TurnedOver => {
                "turned over against its neighbours".replace("its", if is_one { "its" } else { "their" })
            }
            Flaw::Twisted => format!("{have} faces that cannot be turned to one side"),
            Flaw::Crowded => format!("{have} more than two faces"),
            Flaw::Open => format!("{have} one face only: the surface is open there"),
        };
        let gap = if words.starts_with(',') { "" } else { " " };
        write!(out, "{} {noun}{gap}{words}", self.count)?;
        match self.face {
            Some(face) if is_one => write!(out, " (face {face})"),
            Some(face) => write!(out, ", the first is {place}face {face}"),
            None => Ok(()),
        }
    }
}
