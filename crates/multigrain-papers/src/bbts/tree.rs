//! A height-balanced binary search tree over cells, in arrays (Knott's balanced tree; AVL).

use crate::classics::CellKey;

/// No node, no body.
pub(super) const NONE: u32 = u32::MAX;

/// More than the height of a balanced tree of 2^32 nodes: at most 1.44 times the logarithm.
const MAX_HEIGHT: usize = 48;

/// Cells with the lists of their bodies. At every node the heights of both sides differ by at most one.
#[derive(Debug, Clone)]
pub(super) struct Tree<K> {
    nodes: Vec<Node<K>>,
    root: u32,
    /// The next body of the same cell.
    next: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Node<K> {
    cell: K,
    /// Smaller cells, then larger ones.
    sides: [u32; 2],
    /// The first body of the cell.
    body: u32,
    height: u8,
}

impl<K> Default for Tree<K> {
    fn default() -> Self {
        Self { nodes: Vec::new(), root: NONE, next: Vec::new() }
    }
}

impl<K: CellKey> Tree<K> {
    /// Forgets everything and makes room for this many bodies.
    pub fn clear_for(&mut self, bodies: usize) {
        self.nodes.clear();
        self.root = NONE;
        self.next.resize(bodies, NONE);
    }

    /// Puts a body into its cell.
    pub fn insert(&mut self, cell: K, body: u32) {
        let mut path = [(0u32, 0usize); MAX_HEIGHT];
        let mut depth = 0;
        let mut at = self.root;
        while at != NONE {
            let node = &mut self.nodes[at as usize];
            if cell == node.cell {
                self.next[body as usize] = node.body;
                node.body = body;
                return;
            }
            let side = usize::from(cell > node.cell);
            path[depth] = (at, side);
            depth += 1;
            at = node.sides[side];
        }
        self.next[body as usize] = NONE;
        let mut child = self.nodes.len() as u32;
        self.nodes.push(Node { cell, sides: [NONE; 2], body, height: 1 });
        while depth > 0 {
            depth -= 1;
            let (parent, side) = path[depth];
            self.nodes[parent as usize].sides[side] = child;
            let before = self.nodes[parent as usize].height;
            child = self.balanced(parent);
            if child == parent && self.nodes[parent as usize].height == before {
                return;
            }
        }
        self.root = child;
    }

    /// The node of a cell that holds bodies.
    #[inline]
    pub fn find(&self, cell: K) -> Option<u32> {
        let mut at = self.root;
        while at != NONE {
            let node = &self.nodes[at as usize];
            if cell == node.cell {
                return Some(at);
            }
            at = node.sides[usize::from(cell > node.cell)];
        }
        None
    }

    /// The cell of a node.
    pub fn cell(&self, node: u32) -> K {
        self.nodes[node as usize].cell
    }

    /// The bodies of a node's cell.
    #[inline]
    pub fn bodies(&self, node: u32) -> impl Iterator<Item = u32> {
        let following = |body: &u32| Some(self.next[*body as usize]).filter(|&next| next != NONE);
        std::iter::successors(Some(self.nodes[node as usize].body), following)
    }

    /// All nodes in the order of their cells.
    pub fn in_order(&self, order: &mut Vec<u32>) {
        order.clear();
        order.reserve_exact(self.nodes.len());
        let mut path = [0u32; MAX_HEIGHT];
        let mut depth = 0;
        let mut at = self.root;
        while at != NONE || depth > 0 {
            while at != NONE {
                path[depth] = at;
                depth += 1;
                at = self.nodes[at as usize].sides[0];
            }
            depth -= 1;
            order.push(path[depth]);
            at = self.nodes[path[depth] as usize].sides[1];
        }
    }

    /// Number of bodies.
    pub fn bodies_len(&self) -> usize {
        self.next.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<K>>() + self.next.capacity() * size_of::<u32>()
    }

    fn height(&self, node: u32) -> u8 {
        if node == NONE { 0 } else { self.nodes[node as usize].height }
    }

    /// Corrects the height of a node whose sides are balanced, turns it if one side is two higher than the other, and gives
    /// the node that now stands in its place.
    fn balanced(&mut self, node: u32) -> u32 {
        let [smaller, larger] = self.nodes[node as usize].sides.map(|side| self.height(side));
        if smaller.abs_diff(larger) < 2 {
            self.nodes[node as usize].height = 1 + smaller.max(larger);
            return node;
        }
        let high = usize::from(larger > smaller);
        let child = self.nodes[node as usize].sides[high];
        let [inner, outer] = [1 - high, high].map(|side| self.height(self.nodes[child as usize].sides[side]));
        if inner > outer {
            self.nodes[node as usize].sides[high] = self.turned(child, 1 - high);
        }
        self.turned(node, high)
    }

    /// Puts the child on one side of a node in its place, the node on the other side of that child.
    fn turned(&mut self, node: u32, side: usize) -> u32 {
        let child = self.nodes[node as usize].sides[side];
        self.nodes[node as usize].sides[side] = self.nodes[child as usize].sides[1 - side];
        self.nodes[child as usize].sides[1 - side] = node;
        for changed in [node, child] {
            let heights = self.nodes[changed as usize].sides.map(|side| self.height(side));
            self.nodes[changed as usize].height = 1 + heights[0].max(heights[1]);
        }
        child
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Rng;

    /// Checks heights and balance below a node and gives its height.
    fn checked_height(tree: &Tree<u64>, node: u32) -> u8 {
        if node == NONE {
            return 0;
        }
        let [smaller, larger] = tree.nodes[node as usize].sides.map(|side| checked_height(tree, side));
        assert!(smaller.abs_diff(larger) < 2, "{smaller} and {larger}");
        assert_eq!(tree.nodes[node as usize].height, 1 + smaller.max(larger));
        1 + smaller.max(larger)
    }

    #[test]
    fn stays_balanced_and_finds_every_cell_in_any_order_of_insertion() {
        let mut rng = Rng::new(3);
        let orders: [Vec<u64>; 4] = [
            (0..1000).collect(),
            (0..1000).rev().collect(),
            (0..1000).map(|_| rng.below(300)).collect(),
            (0..1000).map(|k| if k % 2 == 0 { k } else { 2000 - k }).collect(),
        ];
        let mut tree = Tree::default();
        let mut order = Vec::new();
        for cells in orders {
            tree.clear_for(cells.len());
            for (body, &cell) in cells.iter().enumerate() {
                tree.insert(cell, body as u32);
            }
            assert!(checked_height(&tree, tree.root) <= 14);
            tree.in_order(&mut order);
            let sorted: Vec<u64> = order.iter().map(|&node| tree.cell(node)).collect();
            assert!(sorted.is_sorted_by(|a, b| a < b));
            let mut listed = 0;
            for &node in &order {
                assert_eq!(tree.find(tree.cell(node)), Some(node));
                assert!(tree.bodies(node).all(|body| cells[body as usize] == tree.cell(node)));
                listed += tree.bodies(node).count();
            }
            assert_eq!(listed, cells.len());
            assert_eq!(tree.find(5000), None);
        }
    }
}
