//! The connected pieces of a similarity graph: how two of them lie to each other on the map means nothing.

use dosnes::input::Csr;

/// Sizes of the pieces, largest first. `matrix` is taken as symmetric whatever it is: an arc connects both ways.
pub(crate) fn sizes(matrix: &Csr) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..matrix.rows()).collect();
    for (_, (i, j)) in matrix {
        let (a, b) = (root(&mut parent, i as usize), root(&mut parent, j as usize));
        parent[a.max(b)] = a.min(b);
    }
    let mut count = vec![0; parent.len()];
    for i in 0..parent.len() {
        count[root(&mut parent, i)] += 1;
    }
    count.retain(|&size| size > 0);
    count.sort_unstable_by(|a, b| b.cmp(a));
    count
}

/// The root of `i`'s tree; paths are halved on the way.
fn root(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::input::csr_from_triplets;

    #[test]
    fn arcs_connect_both_ways_and_lone_items_are_pieces() {
        let (m, _) = csr_from_triplets((6, 6), &[(0, 1, 1.0), (2, 1, 1.0), (4, 3, 1.0)]);
        assert_eq!(sizes(&m), [3, 2, 1]);
    }
}
