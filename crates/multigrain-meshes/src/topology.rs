//! How faces hang together: open, crowded and twisted edges, faces that are turned over.

use crate::findings::{Findings, Flaw};

/// A side of a face: its edge, in the plane its end, which way the face goes along it, and the face.
type Side = ([u32; 2], bool, u32);

/// Looks at all edges; `numbers` are those of the faces in the file.
pub(crate) fn look<const D: usize>(faces: &[[u32; D]], numbers: &[usize], findings: &mut Findings) {
    let mut sides: Vec<Side> = Vec::with_capacity(D * faces.len());
    for (number, face) in (0..).zip(faces) {
        for k in 0..D {
            let (a, b) = (face[k], face[(k + 1) % D]);
            sides.push(match D {
                2 => ([a, u32::MAX], k == 0, number),
                _ => ([a.min(b), a.max(b)], a < b, number),
            });
        }
    }
    sides.sort_unstable();
    let mut groups = Groups::new(faces.len());
    for edge in sides.chunk_by(|one, other| one.0 == other.0) {
        let face = edge.iter().map(|side| numbers[side.2 as usize]).min();
        match edge {
            [_] => findings.add(Flaw::Open, 1, face),
            [one, other] => {
                if !groups.join(one.2, other.2, one.1 == other.1) {
                    findings.add(Flaw::Twisted, 1, face);
                }
            }
            _ => findings.add(Flaw::Crowded, 1, face),
        }
    }
    // Of every part of the surface the fewer faces are the ones that are turned over.
    let mut counts = vec![[0usize; 2]; faces.len()];
    let of_faces: Vec<(u32, bool)> = (0..faces.len() as u32).map(|face| groups.find(face)).collect();
    of_faces.iter().for_each(|&(root, over)| counts[root as usize][usize::from(over)] += 1);
    for (face, &(root, over)) in of_faces.iter().enumerate() {
        let [straight, turned] = counts[root as usize];
        if over == (turned <= straight) && straight.min(turned) > 0 {
            findings.add(Flaw::TurnedOver, 1, Some(numbers[face]));
        }
    }
    if D == 2 {
        findings.in_plane();
    }
}

/// Faces that hang together, each with whether it is turned over against the first of its group.
struct Groups {
    parent: Vec<(u32, bool)>,
}

impl Groups {
    fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).map(|face| (face, false)).collect() }
    }

    fn find(&mut self, face: u32) -> (u32, bool) {
        let (mut root, mut over) = (face, false);
        while self.parent[root as usize].0 != root {
            let (next, turned) = self.parent[root as usize];
            (root, over) = (next, over ^ turned);
        }
        // Everyone on the way points to the root from now on.
        let (mut at, mut left) = (face, over);
        while at != root {
            let (next, turned) = std::mem::replace(&mut self.parent[at as usize], (root, left));
            (at, left) = (next, left ^ turned);
        }
        (root, over)
    }

    /// Whether two faces fit, which are turned over against each other or not.
    fn join(&mut self, one: u32, other: u32, turned: bool) -> bool {
        let ((a, over_a), (b, over_b)) = (self.find(one), self.find(other));
        if a == b {
            return over_a ^ over_b == turned;
        }
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = (low, over_a ^ over_b ^ turned);
        true
    }
}
