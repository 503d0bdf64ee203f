//! A tree of bodies, cut at medians: for questions about few places among many bodies, however they are spread.

use rayon::join;

/// Bodies of a leaf.
const LEAF: usize = 8;

/// Bodies above which halves are built on two threads.
const SHARED: usize = 1 << 14;

/// What rounding may add to a squared distance.
const ROUNDING: f64 = 1.0 + 1e-12;

/// Bodies sorted so that every half of a half is a box in space.
#[derive(Debug, Clone, Default)]
pub struct BodyTree<const D: usize> {
    bodies: Vec<TreeBody<D>>,
    /// Node `k` has the children `2 k + 1` and `2 k + 2`.
    nodes: Vec<BoxNode<D>>,
}

#[derive(Debug, Clone, Copy)]
struct TreeBody<const D: usize> {
    center: [f64; D],
    radius: f64,
    id: u32,
}

/// Bounds of the bodies below.
#[derive(Debug, Clone, Copy)]
struct BoxNode<const D: usize> {
    lo: [f64; D],
    hi: [f64; D],
    max_radius: f64,
}

impl<const D: usize> BodyTree<D> {
    /// Sorts bodies into the tree.
    pub fn new(centers: &[[f64; D]], radii: &[f64]) -> Self {
        let bodies = centers.iter().zip(radii).enumerate();
        let mut bodies: Vec<TreeBody<D>> =
            bodies.map(|(id, (&center, &radius))| TreeBody { center, radius, id: id as u32 }).collect();
        let mut nodes = vec![BoxNode { lo: [0.0; D], hi: [0.0; D], max_radius: 0.0 }; number_of_nodes(bodies.len())];
        if !bodies.is_empty() {
            sort_in_boxes(&mut bodies);
            bound(&bodies, 0, &mut nodes);
        }
        Self { bodies, nodes }
    }

    /// Calls `visit` with every body whose sphere may come within `reach` of `center`: all that do, and few others.
    pub fn visit_near(&self, center: [f64; D], reach: f64, mut visit: impl FnMut(u32)) {
        self.visit_where(
            |node| {
                let within = reach + node.max_radius;
                squared_distance(node, center) <= within * within * ROUNDING
            },
            |body| visit(body.id),
        );
    }

    /// Calls `visit` with every body whose sphere may reach into a box.
    pub fn visit_box(&self, lo: [f64; D], hi: [f64; D], mut visit: impl FnMut(u32)) {
        self.visit_where(
            |node| {
                (0..D).all(|axis| {
                    let reach = node.max_radius * ROUNDING;
                    node.lo[axis] - reach <= hi[axis] && node.hi[axis] + reach >= lo[axis]
                })
            },
            |body| visit(body.id),
        );
    }

    /// Calls `visit` with the bodies of leaves that `may_hold` some, in an order that depends on the bodies alone.
    fn visit_where(&self, may_hold: impl Fn(&BoxNode<D>) -> bool, mut visit: impl FnMut(&TreeBody<D>)) {
        let mut waiting = Stack::default();
        waiting.push(0, 0, self.bodies.len());
        while let Some((node, from, to)) = waiting.pop() {
            if from == to || !may_hold(&self.nodes[node]) {
                continue;
            }
            if to - from <= LEAF {
                self.bodies[from..to].iter().for_each(&mut visit);
            } else {
                let middle = half(from, to);
                waiting.push(2 * node + 2, middle, to);
                waiting.push(2 * node + 1, from, middle);
            }
        }
    }

    /// Takes bodies by the distance of their centers, or of their surfaces, from a point: `add` has the body and its distance
    /// and returns the distance beyond which no more are wanted.
    pub fn visit_by_distance(
        &self,
        point: [f64; D],
        to_surface: bool,
        mut limit: f64,
        mut add: impl FnMut(u32, f64) -> f64,
    ) -> f64 {
        let nearest = |node: &BoxNode<D>| {
            let distance = (squared_distance(node, point) / ROUNDING).sqrt();
            if to_surface { distance - node.max_radius } else { distance }
        };
        let mut waiting = Stack::default();
        waiting.push(0, 0, self.bodies.len());
        while let Some((node, from, to)) = waiting.pop() {
            if from == to || nearest(&self.nodes[node]) > limit {
                continue;
            }
            if to - from <= LEAF {
                for body in &self.bodies[from..to] {
                    let squared: f64 = (0..D).map(|axis| (body.center[axis] - point[axis]).powi(2)).sum();
                    let distance = squared.sqrt() - if to_surface { body.radius } else { 0.0 };
                    if distance <= limit {
                        limit = add(body.id, distance);
                    }
                }
                continue;
            }
            // The nearer half first, so that the limit falls quickly.
            let middle = half(from, to);
            let [left, right] = [(2 * node + 1, from, middle), (2 * node + 2, middle, to)];
            let is_left_nearer = nearest(&self.nodes[left.0]) <= nearest(&self.nodes[right.0]);
            for (node, from, to) in if is_left_nearer { [right, left] } else { [left, right] } {
                waiting.push(node, from, to);
            }
        }
        limit
    }

    /// Bounds of all centers, and the largest radius; none without bodies.
    pub fn bounds(&self) -> Option<([f64; D], [f64; D], f64)> {
        self.nodes.first().filter(|_| !self.bodies.is_empty()).map(|node| (node.lo, node.hi, node.max_radius))
    }
}

/// Nodes that are still to be visited: never more than one per halving and its sibling.
struct Stack {
    entries: [(usize, usize, usize); 80],
    len: usize,
}

impl Default for Stack {
    fn default() -> Self {
        Self { entries: [(0, 0, 0); 80], len: 0 }
    }
}

impl Stack {
    #[inline]
    fn push(&mut self, node: usize, from: usize, to: usize) {
        self.entries[self.len] = (node, from, to);
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<(usize, usize, usize)> {
        self.len = self.len.checked_sub(1)?;
        Some(self.entries[self.len])
    }
}

fn half(from: usize, to: usize) -> usize {
    from + (to - from).div_ceil(2)
}

/// Nodes of a tree over this many bodies. Halves differ by one body at most, so that all leaves are on two levels.
fn number_of_nodes(bodies: usize) -> usize {
    let mut nodes = 1;
    let mut largest = bodies;
    while largest > LEAF {
        largest = largest.div_ceil(2);
        nodes = 2 * nodes + 1;
    }
    nodes
}

/// Sorts bodies so that halves lie on two sides of a plane, and halves of halves too.
fn sort_in_boxes<const D: usize>(bodies: &mut [TreeBody<D>]) {
    if bodies.len() <= LEAF {
        return;
    }
    let (lo, hi) = bounds_of(bodies);
    let widest = (0..D).max_by(|&a, &b| (hi[a] - lo[a]).total_cmp(&(hi[b] - lo[b]))).unwrap_or(0);
    let middle = half(0, bodies.len());
    let key = |body: &TreeBody<D>| (body.center[widest], body.id);
    bodies.select_nth_unstable_by(middle - 1, |a, b| {
        let ((a, of_a), (b, of_b)) = (key(a), key(b));
        a.total_cmp(&b).then(of_a.cmp(&of_b))
    });
    let (left, right) = bodies.split_at_mut(middle);
    if left.len() > SHARED && crate::threads::available() {
        join(|| sort_in_boxes(left), || sort_in_boxes(right));
    } else {
        sort_in_boxes(left);
        sort_in_boxes(right);
    }
}

/// Fills in the bounds of a node and of all below.
fn bound<const D: usize>(bodies: &[TreeBody<D>], node: usize, nodes: &mut [BoxNode<D>]) -> BoxNode<D> {
    let found = if bodies.len() <= LEAF {
        let (lo, hi) = bounds_of(bodies);
        BoxNode { lo, hi, max_radius: bodies.iter().fold(0.0, |largest, body| body.radius.max(largest)) }
    } else {
        let (left, right) = bodies.split_at(half(0, bodies.len()));
        let (left, right) = (bound(left, 2 * node + 1, nodes), bound(right, 2 * node + 2, nodes));
        BoxNode {
            lo: std::array::from_fn(|axis| left.lo[axis].min(right.lo[axis])),
            hi: std::array::from_fn(|axis| left.hi[axis].max(right.hi[axis])),
            max_radius: left.max_radius.max(right.max_radius),
        }
    };
    nodes[node] = found;
    found
}

fn bounds_of<const D: usize>(bodies: &[TreeBody<D>]) -> ([f64; D], [f64; D]) {
    let (mut lo, mut hi) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for body in bodies {
        for axis in 0..D {
            lo[axis] = lo[axis].min(body.center[axis]);
            hi[axis] = hi[axis].max(body.center[axis]);
        }
    }
    (lo, hi)
}

#[inline]
fn squared_distance<const D: usize>(node: &BoxNode<D>, point: [f64; D]) -> f64 {
    let mut sum = 0.0;
    for axis in 0..D {
        let outside = (node.lo[axis] - point[axis]).max(point[axis] - node.hi[axis]).max(0.0);
        sum += outside * outside;
    }
    sum
}
