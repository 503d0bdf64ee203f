//! Questions about few places among many bodies: what touches a sphere, reaches into a box, is nearest to a point.

use crate::nearest::{self, Nearest, NearestOptions};
use multigrain::grid::{BodyTree, Lattice};
use multigrain::overlap::{reach, touches, translated_vector};
use multigrain::{Error, Snapshot, threads};

/// Bodies prepared for questions. Takes memory and time once, proportional to the bodies but for a logarithm; then each question
/// costs about as much as it has answers, however bodies are spread and whatever their sizes.
///
/// ```
/// use multigrain::{Domain, Snapshot};
/// use multigrain_neighbors::{DistanceTo, NearestOptions, Queries};
/// let centers = [[0.5, 0.5], [3.0, 0.5], [9.8, 0.5]];
/// let unit = Domain::periodic([0.0; 2], [10.0; 2])?;
/// let bodies = Queries::new(Snapshot::new(&centers, &[0.5; 3])?.within(unit)?);
/// let found = bodies.touching([0.0, 0.5], 0.2);
/// assert_eq!(found.iter().map(|hit| (hit.body, hit.shift)).collect::<Vec<_>>(), [(0, [0, 0]), (2, [-1, 0])]);
/// let to_surface = NearestOptions { to: DistanceTo::Surface, ..NearestOptions::new(1) };
/// assert_eq!(bodies.nearest([4.0, 0.5], to_surface)[0].distance, 0.5);
/// # Ok::<(), multigrain::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Queries<'a, const D: usize> {
    pub(crate) now: Snapshot<'a, D>,
    /// Bodies as given, or brought home where space is periodic.
    pub(crate) tree: BodyTree<D>,
    pub(crate) lattice: Option<Lattice<D>>,
}

/// A body that answers a question: its image `shift` periods away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit<const D: usize> {
    /// The body.
    pub body: u32,
    /// Which image of it; zero in open domains.
    pub shift: [i32; D],
}

/// Answers to many questions, in compressed rows: those of question `k` are `hits[offsets[k]..offsets[k + 1]]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers<T> {
    /// Where the answers of each question begin; one more than there are questions.
    pub offsets: Vec<usize>,
    /// Answers, question after question.
    pub hits: Vec<T>,
}

impl<T> Answers<T> {
    /// The answers to one question.
    pub fn of(&self, question: usize) -> &[T] {
        &self.hits[self.offsets[question]..self.offsets[question + 1]]
    }
}

impl<'a, const D: usize> Queries<'a, D> {
    /// Prepares the bodies of a snapshot, in its domain and with its margin.
    pub fn new(now: Snapshot<'a, D>) -> Self {
        let lattice = Lattice::of(&now);
        let tree = match &lattice {
            Some(lattice) => BodyTree::new(lattice.homes(), now.radii()),
            None => BodyTree::new(now.centers(), now.radii()),
        };
        Self { now, tree, lattice }
    }

    /// Every body that touches a sphere, by the same test as pairs, margin included; sorted. Points do not touch points.
    pub fn touching(&self, center: [f64; D], radius: f64) -> Vec<Hit<D>> {
        let mut hits = Vec::new();
        let reach_of_question = radius + self.now.margin();
        self.visit(
            center,
            reach_of_question,
            |tree, place, within, visit| tree.visit_near(place, within, visit),
            |hit| {
                let reach = reach(radius, self.now.radii()[hit.body as usize], self.now.margin());
                if touches(self.vector_to(center, hit), reach) {
                    hits.push(hit);
                }
            },
        );
        hits.sort_unstable();
        hits
    }

    /// Every body that reaches into a box along the axes: that has its center inside, borders included, or is nearer to it than
    /// its radius and the margin; sorted.
    pub fn in_box(&self, lo: [f64; D], hi: [f64; D]) -> Vec<Hit<D>> {
        let mut hits = Vec::new();
        let middle: [f64; D] = std::array::from_fn(|axis| 0.5 * lo[axis] + 0.5 * hi[axis]);
        let half: [f64; D] = std::array::from_fn(|axis| (0.5 * hi[axis] - 0.5 * lo[axis]).max(0.0));
        let farthest = half.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.visit(
            middle,
            farthest + self.now.margin(),
            |tree, place, within, visit| {
                let around = within - farthest;
                let corner = |sign: f64| std::array::from_fn(|axis| place[axis] + sign * (half[axis] + around));
                tree.visit_box(corner(-1.0), corner(1.0), visit);
            },
            |hit| {
                let center = self.now.centers()[hit.body as usize];
                let moved = self.now.domain().translation(hit.shift);
                let outside: [f64; D] = std::array::from_fn(|axis| {
                    let x = center[axis] + moved[axis];
                    (lo[axis] - x).max(x - hi[axis]).max(0.0)
                });
                let reach = self.now.radii()[hit.body as usize] + self.now.margin();
                if outside == [0.0; D] || touches(outside, reach) {
                    hits.push(hit);
                }
            },
        );
        hits.sort_unstable();
        hits
    }

    /// The bodies nearest to a point; sorted by distance, then by body and shift. Fewer where there are fewer.
    pub fn nearest(&self, point: [f64; D], options: NearestOptions) -> Vec<Nearest<D>> {
        nearest::nearest(self, point, options)
    }

    /// [`touching`](Self::touching) for many spheres, by all threads.
    pub fn touching_each(&self, centers: &[[f64; D]], radii: &[f64]) -> Result<Answers<Hit<D>>, Error> {
        let questions = self.now.with_bodies(centers, radii)?;
        Ok(answers(questions.len(), |k| self.touching(centers[k], radii[k])))
    }

    /// [`nearest`](Self::nearest) for many points, by all threads.
    pub fn nearest_each(&self, points: &[[f64; D]], options: NearestOptions) -> Result<Answers<Nearest<D>>, Error> {
        let radii = vec![0.0; points.len()];
        let questions = self.now.with_bodies(points, &radii)?;
        Ok(answers(questions.len(), |k| self.nearest(points[k], options)))
    }

    /// [`in_box`](Self::in_box) for many boxes, by all threads.
    pub fn in_each_box(&self, lo: &[[f64; D]], hi: &[[f64; D]]) -> Result<Answers<Hit<D>>, Error> {
        if lo.len() != hi.len() {
            return Err(Error::CornerMismatch { lower: lo.len(), upper: hi.len() });
        }
        let radii = vec![0.0; lo.len()];
        for corners in [lo, hi] {
            self.now.with_bodies(corners, &radii)?;
        }
        Ok(answers(lo.len(), |k| self.in_box(lo[k], hi[k])))
    }

    /// The vector from a point to an image of a body.
    pub(crate) fn vector_to(&self, point: [f64; D], hit: Hit<D>) -> [f64; D] {
        let center = self.now.centers()[hit.body as usize];
        translated_vector(point, center, self.now.domain().translation(hit.shift))
    }

    /// Calls `hit` with every image of a body that may be within `reach` of `center`; `near` asks the tree around one place.
    fn visit(
        &self,
        center: [f64; D],
        reach: f64,
        near: impl Fn(&BodyTree<D>, [f64; D], f64, &mut dyn FnMut(u32)),
        mut hit: impl FnMut(Hit<D>),
    ) {
        let Some(lattice) = &self.lattice else {
            return near(&self.tree, center, reach, &mut |body| hit(Hit { body, shift: [0; D] }));
        };
        let largest = self.tree.bounds().map_or(0.0, |(_, _, largest)| largest);
        let (home, wrap) = lattice.wrap(center);
        let within = reach + lattice.slack(center);
        for shift in lattice.images_within(home, within + largest).iter() {
            near(&self.tree, lattice.seen_from(home, shift), within, &mut |body| {
                hit(Hit { body, shift: lattice.reported(wrap, body, shift) });
            });
        }
    }
}

/// Answers to this many questions, in their order.
fn answers<T: Send>(questions: usize, ask: impl Fn(usize) -> Vec<T> + Sync) -> Answers<T> {
    let blocks = threads::map_parts(questions, QUESTIONS_OF_A_PART, |range| {
        let mut hits = Vec::new();
        let mut counts = Vec::with_capacity(range.len());
        for k in range {
            let found = ask(k);
            counts.push(found.len());
            hits.extend(found);
        }
        (counts, hits)
    });
    let mut answers = Answers { offsets: vec![0], hits: Vec::new() };
    for (counts, hits) in blocks {
        for count in counts {
            answers.offsets.push(answers.offsets[answers.offsets.len() - 1] + count);
        }
        answers.hits.extend(hits);
    }
    answers
}

/// Questions that one thread answers before it looks for more.
const QUESTIONS_OF_A_PART: usize = 256;
