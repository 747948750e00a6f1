//! Arrays of pairs: two columns of integers, perhaps with weights, or two rows as PyTorch Geometric's `edge_index` has them.

use dosnes::input::Items;
use dosnes::ndarray::{Array2, ArrayView1, Axis};
use std::collections::HashSet;

use crate::column_names;
use crate::raw::{Edge, Matrix, Network, NetworkForm, RawMatrix};

/// With fewer pairs than this, integers say nothing.
const FEWEST: usize = 4;

/// The edges of an array without names, if its first two columns are numbers of nodes and at least one of them recurs; or the
/// same in rows.
pub(super) fn as_network(raw: &RawMatrix) -> Option<Network> {
    if raw.items.is_some() || raw.partners.is_some() {
        return None;
    }
    match &raw.matrix {
        Matrix::Double(x) => of_array(x),
        Matrix::Single(x) => of_array(x),
        Matrix::Sparse(_) => None,
    }
}

fn of_array<T: Copy>(x: &Array2<T>) -> Option<Network>
where
    f64: From<T>,
{
    let axis = match x.dim() {
        (rows, 2 | 3) if rows >= FEWEST => Axis(1),
        (2, columns) if columns >= FEWEST => Axis(0),
        _ => return None,
    };
    let lane = |k: usize| x.index_axis(axis, k);
    let (from, to) = (nodes(&lane(0))?, nodes(&lane(1))?);
    let weights: Vec<f64> = match x.len_of(axis) {
        3 => lane(2).iter().map(|&v| f64::from(v)).collect(),
        _ => vec![1.0; from.len()],
    };
    let mut ids: Vec<u32> = from.iter().chain(&to).copied().collect();
    ids.sort_unstable();
    ids.dedup();
    // Each pair has two nodes; where all are different, there is no graph.
    if ids.len() == 2 * from.len() || weights.iter().any(|&w| w.is_nan() || w < 0.0) {
        return None;
    }
    let place = |node: u32| ids.partition_point(|&id| id < node) as u32;
    let arcs: Vec<Edge> =
        from.iter().zip(&to).zip(&weights).map(|((&i, &j), &weight)| (place(i), place(j), weight)).collect();
    let nodes = Items { ids: ids.iter().map(u32::to_string).collect(), columns: Vec::new() };
    Some(Network { nodes, arcs, edges: Vec::new(), form: NetworkForm::EdgeList })
}

/// Whether the first two of four columns are numbers of nodes, and most of these occur in both: edges with two numbers each.
pub(crate) fn share_nodes(matrix: &Matrix) -> bool {
    match matrix {
        Matrix::Double(x) => share_nodes_of(x),
        Matrix::Single(x) => share_nodes_of(x),
        Matrix::Sparse(_) => false,
    }
}

/// Two of at most six columns of whole numbers, not the first two, most of whose numbers occur in both, after others that are whole
/// too: the layer or the number of an edge before its ends.
pub(crate) fn shared_columns(matrix: &Matrix) -> Option<(usize, usize)> {
    match matrix {
        Matrix::Double(x) => shared_columns_of(x),
        Matrix::Single(x) => shared_columns_of(x),
        Matrix::Sparse(_) => None,
    }
}

fn shared_columns_of<T: Copy>(x: &Array2<T>) -> Option<(usize, usize)>
where
    f64: From<T>,
{
    if !(4..=6).contains(&x.ncols()) {
        return None;
    }
    // Each column up to the second end is whole.
    let sets: Vec<HashSet<u32>> =
        (0..x.ncols()).map_while(|k| nodes(&x.column(k)).map(|all| all.into_iter().collect())).collect();
    let pairs = (0..sets.len()).flat_map(|i| (i + 1..sets.len()).map(move |j| (i, j)));
    pairs.filter(|&pair| pair != (0, 1)).find(|&(i, j)| are_shared(&sets[i], &sets[j]))
}

/// Two columns of whole numbers whose names could be those of ends, which have most of their numbers in common, and no other column
/// has these.
pub(crate) fn named_ends(matrix: &Matrix, names: &[&String]) -> Option<(usize, usize)> {
    // A table of so many columns is no list of edges.
    const MOST_COLUMNS: usize = 24;
    if !(3..=MOST_COLUMNS).contains(&names.len()) {
        return None;
    }
    let columns = 0..names.len();
    let named = || columns.clone().flat_map(|i| (i + 1..names.len()).map(move |j| (i, j)));
    let mut named = named().filter(|&(i, j)| column_names::could_name_ends(names[i], names[j])).peekable();
    named.peek()?;
    let sets: Vec<Option<HashSet<u32>>> = match matrix {
        Matrix::Double(x) => columns.clone().map(|k| Some(nodes(&x.column(k))?.into_iter().collect())).collect(),
        Matrix::Single(x) => columns.clone().map(|k| Some(nodes(&x.column(k))?.into_iter().collect())).collect(),
        Matrix::Sparse(_) => return None,
    };
    let shared = |i: usize, j: usize| matches!((&sets[i], &sets[j]), (Some(from), Some(to)) if are_shared(from, to));
    named.find(|&(i, j)| {
        let others = || columns.clone().filter(|&k| k != i && k != j);
        shared(i, j) && !others().any(|k| shared(i, k) || shared(j, k))
    })
}

/// Whether two columns have most of their numbers in common.
fn are_shared(from: &HashSet<u32>, to: &HashSet<u32>) -> bool {
    // Fewer may be the same by chance.
    const FEWEST_NODES: usize = 8;
    from.len().min(to.len()) >= FEWEST_NODES && 2 * from.intersection(to).count() >= from.len().max(to.len())
}

fn share_nodes_of<T: Copy>(x: &Array2<T>) -> bool
where
    f64: From<T>,
{
    if x.ncols() != 4 {
        return false;
    }
    let set = |k: usize| Some(nodes(&x.column(k))?.into_iter().collect::<HashSet<u32>>());
    let Some((from, to)) = set(0).zip(set(1)) else { return false };
    are_shared(&from, &to)
}

/// Integers that could be the numbers of nodes.
fn nodes<T: Copy>(lane: &ArrayView1<'_, T>) -> Option<Vec<u32>>
where
    f64: From<T>,
{
    // Beyond this, single precision may have lost digits.
    const LARGEST: f64 = 16_777_216.0;
    let node = |&v: &T| {
        let v = f64::from(v);
        ((0.0..=LARGEST).contains(&v) && v.fract() == 0.0).then_some(v as u32)
    };
    lane.iter().map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::ndarray::array;

    fn arcs(x: Array2<f64>) -> Option<Vec<Edge>> {
        as_network(&RawMatrix::new(Matrix::Double(x))).map(|network| network.arcs)
    }

    #[test]
    fn pairs_in_columns_and_in_rows_are_the_same_edges() {
        let columns = array![[0.0, 7.0], [7.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
        let expected = vec![(0, 2, 1.0), (2, 1, 1.0), (1, 0, 1.0), (0, 1, 1.0)];
        assert_eq!(arcs(columns.clone()), Some(expected.clone()));
        assert_eq!(arcs(columns.reversed_axes().as_standard_layout().into_owned()), Some(expected));
    }

    #[test]
    fn a_third_column_is_the_weight() {
        let x = array![[0.0, 1.0, 0.5], [1.0, 2.0, 2.0], [2.0, 0.0, 1.0], [0.0, 3.0, 1.0]];
        assert_eq!(arcs(x).unwrap()[1], (1, 2, 2.0));
    }

    #[test]
    fn other_numbers_are_no_pairs() {
        assert_eq!(arcs(array![[0.5, 1.0], [1.0, 2.0], [2.0, 0.0], [0.0, 3.0]]), None);
        assert_eq!(arcs(array![[-1.0, 1.0], [1.0, 2.0], [2.0, 0.0], [0.0, 3.0]]), None);
        assert_eq!(arcs(array![[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]), None);
        assert_eq!(arcs(array![[0.0, 1.0], [1.0, 0.0]]), None);
    }
}
