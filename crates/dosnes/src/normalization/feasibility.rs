//! Whether a pattern of nonzeros has a doubly stochastic scaling, decided from its structure.
//!
//! P = diag(d) S diag(d) with unit row sums exists exactly if S has *total support*: every nonzero lies on a positive
//! diagonal, that is, every edge of the bipartite graph of rows and columns is part of a perfect matching (Sinkhorn and
//! Knopp 1967; Csima and Datta 1972 for the symmetric form). Two leaves on one hub are enough to violate it: each of
//! them needs all of the hub's weight. We find a maximum matching (Hopcroft and Karp) and, if it is perfect, the edges
//! that no perfect matching can use: those between different strongly connected components of the alternating graph
//! (Dulmage and Mendelsohn's fine decomposition).

use crate::{error::Error, sparse::CsrMatrix};
use std::fmt;

/// The result for a square pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Feasibility {
    /// Total support: a doubly stochastic scaling exists.
    Exact,
    /// There is a perfect matching, but some entries are part of none: scaling would drive them to zero. These are the
    /// rows of such entries.
    VanishingEntries(Vec<usize>),
    /// No perfect matching: together, these rows have fewer distinct neighbours than there are rows (Hall's condition
    /// fails).
    TooFewPartners(Vec<usize>),
}

impl Feasibility {
    /// The rows that prevent an exact scaling; empty if one exists.
    pub fn obstacles(&self) -> &[usize] {
        match self {
            Self::Exact => &[],
            Self::VanishingEntries(rows) | Self::TooFewPartners(rows) => rows,
        }
    }

    /// The same result, with each row replaced by `names[row]`.
    pub(crate) fn renamed(self, names: &[usize]) -> Self {
        let rename = |rows: Vec<usize>| rows.into_iter().map(|row| names[row]).collect();
        match self {
            Self::Exact => Self::Exact,
            Self::VanishingEntries(rows) => Self::VanishingEntries(rename(rows)),
            Self::TooFewPartners(rows) => Self::TooFewPartners(rename(rows)),
        }
    }
}

impl fmt::Display for Feasibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("an exact scaling exists"),
            Self::VanishingEntries(rows) => write!(f, "similarities of {} items would have to vanish", rows.len()),
            Self::TooFewPartners(rows) => {
                write!(f, "{} items form a group with too few distinct neighbours", rows.len())
            }
        }
    }
}

const FREE: u32 = u32::MAX;

/// Decides whether the square `pattern` has total support. All stored entries off the diagonal count, whatever their
/// value.
pub fn feasibility(pattern: &CsrMatrix<'_>) -> Result<Feasibility, Error> {
    pattern.check_square()?;
    Ok(of_square(pattern))
}

/// As [`feasibility`], for a matrix that is known to be square.
pub(super) fn of_square(pattern: &CsrMatrix<'_>) -> Feasibility {
    let graph = Pattern { row_starts: pattern.row_starts(), indices: pattern.column_indices() };
    let matching = graph.maximum_matching();
    let unmatched: Vec<usize> = (0..graph.rows()).filter(|&i| matching.of_row[i] == FREE).collect();
    if !unmatched.is_empty() {
        return Feasibility::TooFewPartners(graph.reached_by_alternating_paths(&unmatched, &matching));
    }
    let component = graph.strong_components(&matching);
    let offending: Vec<usize> = (0..graph.rows())
        .filter(|&i| graph.columns(i).any(|j| component[i] != component[matching.of_column[j] as usize]))
        .collect();
    if offending.is_empty() { Feasibility::Exact } else { Feasibility::VanishingEntries(offending) }
}

struct Pattern<'a> {
    row_starts: &'a [usize],
    indices: &'a [u32],
}

struct Matching {
    of_row: Vec<u32>,
    of_column: Vec<u32>,
}

impl Pattern<'_> {
    fn rows(&self) -> usize {
        self.row_starts.len() - 1
    }

    fn columns(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        self.indices[self.row_starts[row]..self.row_starts[row + 1]]
            .iter()
            .map(|&j| j as usize)
            .filter(move |&j| j != row)
    }

    /// The Hopcroft-Karp algorithm, from a greedy start.
    fn maximum_matching(&self) -> Matching {
        let n = self.rows();
        let mut matching = Matching { of_row: vec![FREE; n], of_column: vec![FREE; n] };
        for i in 0..n {
            if let Some(j) = self.columns(i).find(|&j| matching.of_column[j] == FREE) {
                matching.of_row[i] = j as u32;
                matching.of_column[j] = i as u32;
            }
        }
        let mut layer = vec![0_u32; n];
        let mut queue = Vec::with_capacity(n);
        loop {
            // Breadth first: the layer of each row, counted from the free rows over alternating paths.
            queue.clear();
            for i in 0..n {
                layer[i] = if matching.of_row[i] == FREE { 0 } else { u32::MAX };
                if layer[i] == 0 {
                    queue.push(i);
                }
            }
            let mut found = false;
            let mut head = 0;
            while head < queue.len() {
                let i = queue[head];
                head += 1;
                for j in self.columns(i) {
                    let mate = matching.of_column[j];
                    if mate == FREE {
                        found = true;
                    } else if layer[mate as usize] == u32::MAX {
                        layer[mate as usize] = layer[i] + 1;
                        queue.push(mate as usize);
                    }
                }
            }
            if !found || !self.augment_along_layers(&mut layer, &mut matching) {
                return matching;
            }
        }
    }

    /// Augments along a maximal set of disjoint shortest paths, depth first without recursion. Returns whether any was
    /// found.
    fn augment_along_layers(&self, layer: &mut [u32], matching: &mut Matching) -> bool {
        let n = self.rows();
        let mut next: Vec<usize> = self.row_starts[..n].to_vec();
        let mut any = false;
        let mut path: Vec<usize> = Vec::new();
        for root in 0..n {
            if matching.of_row[root] != FREE {
                continue;
            }
            path.clear();
            path.push(root);
            while let Some(&i) = path.last() {
                if next[i] == self.row_starts[i + 1] {
                    layer[i] = u32::MAX;
                    path.pop();
                    continue;
                }
                let j = self.indices[next[i]] as usize;
                next[i] += 1;
                if j == i {
                    continue;
                }
                let mate = matching.of_column[j];
                if mate == FREE {
                    // Each row on the path takes the column it was looking at; the last one takes j.
                    for &row in &path {
                        let column = self.indices[next[row] - 1];
                        matching.of_row[row] = column;
                        matching.of_column[column as usize] = row as u32;
                        layer[row] = u32::MAX;
                    }
                    any = true;
                    break;
                }
                if layer[mate as usize] == layer[i].saturating_add(1) && layer[i] != u32::MAX {
                    path.push(mate as usize);
                }
            }
        }
        any
    }

    /// The rows that alternating paths reach from `rows`: a set with fewer columns than rows.
    fn reached_by_alternating_paths(&self, rows: &[usize], matching: &Matching) -> Vec<usize> {
        let mut reached = vec![false; self.rows()];
        let mut stack = rows.to_vec();
        for &i in rows {
            reached[i] = true;
        }
        while let Some(i) = stack.pop() {
            for j in self.columns(i) {
                let mate = matching.of_column[j];
                if mate != FREE && !reached[mate as usize] {
                    reached[mate as usize] = true;
                    stack.push(mate as usize);
                }
            }
        }
        (0..self.rows()).filter(|&i| reached[i]).collect()
    }

    /// Tarjan's strongly connected components of the graph in which row i points to the mates of its columns, without
    /// recursion.
    fn strong_components(&self, matching: &Matching) -> Vec<u32> {
        const UNSEEN: u32 = u32::MAX;
        let n = self.rows();
        let mut order = vec![UNSEEN; n];
        let mut low = vec![0_u32; n];
        let mut component = vec![UNSEEN; n];
        let mut next: Vec<usize> = self.row_starts[..n].to_vec();
        let (mut count, mut components) = (0, 0);
        let (mut open, mut path): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for root in 0..n {
            if order[root] != UNSEEN {
                continue;
            }
            path.push(root);
            while let Some(&i) = path.last() {
                if order[i] == UNSEEN {
                    order[i] = count;
                    low[i] = count;
                    count += 1;
                    open.push(i);
                }
                if next[i] < self.row_starts[i + 1] {
                    let j = self.indices[next[i]] as usize;
                    next[i] += 1;
                    if j == i {
                        continue;
                    }
                    let to = matching.of_column[j] as usize;
                    if order[to] == UNSEEN {
                        path.push(to);
                    } else if component[to] == UNSEEN {
                        low[i] = low[i].min(order[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&parent) = path.last() {
                    low[parent] = low[parent].min(low[i]);
                }
                if low[i] == order[i] {
                    while let Some(member) = open.pop() {
                        component[member] = components;
                        if member == i {
                            break;
                        }
                    }
                    components += 1;
                }
            }
        }
        component
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn symmetric(n: usize, edges: &[(usize, usize)]) -> CsrMatrix<'static> {
        let triplets: Vec<_> =
            edges.iter().flat_map(|&(i, j)| [(i as u32, j as u32, 1.0), (j as u32, i as u32, 1.0)]).collect();
        CsrMatrix::from_triplets((n, n), &triplets).unwrap()
    }

    /// Total support by trying all permutations: obviously correct, for tiny patterns only.
    fn total_support_by_permutations(pattern: &CsrMatrix) -> bool {
        let n = pattern.rows();
        let has = |i: usize, j: usize| i != j && pattern.get(i, j).is_some();
        let mut used = vec![vec![false; n]; n];
        let mut permutation: Vec<usize> = (0..n).collect();
        visit_permutations(&mut permutation, 0, &mut |p| {
            if p.iter().enumerate().all(|(i, &j)| has(i, j)) {
                for (i, &j) in p.iter().enumerate() {
                    used[i][j] = true;
                }
            }
        });
        (0..n).all(|i| (0..n).any(|j| used[i][j]) && (0..n).all(|j| !has(i, j) || used[i][j]))
    }

    fn visit_permutations(p: &mut Vec<usize>, fixed: usize, visit: &mut impl FnMut(&[usize])) {
        if fixed == p.len() {
            visit(p);
            return;
        }
        for k in fixed..p.len() {
            p.swap(fixed, k);
            visit_permutations(p, fixed + 1, visit);
            p.swap(fixed, k);
        }
    }

    #[test]
    fn two_leaves_of_one_hub_have_too_few_partners() {
        let star = symmetric(4, &[(0, 1), (0, 2), (0, 3)]);
        assert_eq!(of_square(&star), Feasibility::TooFewPartners(vec![1, 2, 3]));
    }

    #[test]
    fn a_path_of_four_would_lose_its_middle_edge() {
        // 0-1-2-3: each leaf needs all of its only neighbour's weight, so the edge 1-2 must vanish.
        let path = symmetric(4, &[(0, 1), (1, 2), (2, 3)]);
        assert_eq!(of_square(&path), Feasibility::VanishingEntries(vec![1, 2]));
    }

    #[test]
    fn a_cycle_and_a_complete_graph_scale_exactly() {
        assert_eq!(of_square(&symmetric(4, &[(0, 1), (1, 2), (2, 3), (3, 0)])), Feasibility::Exact);
        assert_eq!(of_square(&symmetric(3, &[(0, 1), (1, 2), (2, 0)])), Feasibility::Exact);
    }

    proptest! {
        #[test]
        fn structure_agrees_with_trying_all_permutations(
            n in 2_usize..7,
            bits in proptest::collection::vec(any::<bool>(), 21),
        ) {
            let pairs: Vec<(usize, usize)> = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
            let edges: Vec<_> = pairs.iter().zip(&bits).filter(|&(_, &keep)| keep).map(|(&e, _)| e).collect();
            let pattern = symmetric(n, &edges);
            let expected = total_support_by_permutations(&pattern);
            prop_assert_eq!(of_square(&pattern) == Feasibility::Exact, expected);
        }

        #[test]
        fn rows_with_too_few_partners_violate_halls_condition(
            n in 3_usize..30,
            picks in proptest::collection::vec((0_usize..30, 0_usize..30), 1..40),
        ) {
            let edges: Vec<_> = picks.into_iter().map(|(i, j)| (i % n, j % n)).filter(|(i, j)| i != j).collect();
            let pattern = symmetric(n, &edges);
            if let Feasibility::TooFewPartners(rows) = of_square(&pattern) {
                let mut columns: Vec<usize> =
                    rows.iter().flat_map(|&i| pattern.row(i).columns().to_vec()).map(|j| j as usize).collect();
                columns.sort_unstable();
                columns.dedup();
                prop_assert!(columns.len() < rows.len());
            }
        }
    }
}
