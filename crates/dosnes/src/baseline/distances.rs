//! Distances between the items in the data.

use crate::{
    error::{Error, Quantity},
    input::{Distances, Points},
    neighbors::{Metric, with_pair_distances},
    sparse::{Components, CsrMatrix},
};
use ndarray::ArrayView2;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Distances between all items: between points, as given, or along the shortest paths of a graph.
#[derive(Debug, Clone)]
pub struct DataDistances<'a> {
    source: Source<'a>,
    /// The items that are used; `None`: all of them.
    kept: Option<&'a [usize]>,
}

#[derive(Debug, Clone)]
enum Source<'a> {
    Points(Points<'a>, Metric),
    /// If the two directions differ, their mean is used.
    Given(ArrayView2<'a, f32>),
    /// Infinite if no path connects two items.
    Paths(Lengths),
}

/// The lengths of a graph's edges.
#[derive(Debug, Clone)]
pub struct Lengths {
    matrix: CsrMatrix<'static>,
}

/// Distances from one item to all others, row by row.
pub(crate) trait DistanceRows: Sync {
    /// Number of items.
    fn len(&self) -> usize;

    /// Writes the distances from item `i` to all items, including itself, into `out`.
    fn fill(&self, i: usize, out: &mut [f64]);
}

impl Lengths {
    /// The paper's lengths (section 5): S̃ = S/max(S), D = 1 − S̃, for the pairs with S > 0 off the diagonal. The
    /// maximum is also taken off the diagonal: an item's similarity to itself says nothing about how close two items
    /// can be.
    ///
    /// The pair with the largest similarity would have length 0, which no map can show (R's `isoMDS` rejects it): it
    /// gets half of the smallest other length. If all similarities are equal, there is no other length, and every edge
    /// gets length 1.
    pub fn of_similarity(s: &CsrMatrix<'_>) -> Result<Self, Error> {
        s.check_square()?;
        let matrix = s.filtered(|i, j, value| i != j && value > 0.0);
        let largest = matrix.values().iter().copied().fold(0.0, f64::max);
        let length = |value: f64| 1.0 - value / largest;
        let smallest = matrix.values().iter().map(|&v| length(v)).filter(|&d| d > 0.0).fold(f64::INFINITY, f64::min);
        let at_largest = if smallest.is_finite() { 0.5 * smallest } else { 1.0 };
        let shape = matrix.shape();
        let (row_starts, columns, mut values) = matrix.into_parts();
        for value in &mut values {
            *value = if *value < largest { length(*value) } else { at_largest };
        }
        Ok(Self { matrix: CsrMatrix::well_formed(shape, row_starts, columns, values) })
    }

    /// The distances of near pairs, for example of a neighbour graph, as they are. If the two directions differ, the
    /// shorter one is used.
    pub fn of_near_pairs(distances: &CsrMatrix<'_>) -> Result<Self, Error> {
        distances.check_square()?;
        if let Some((row, column, value)) = distances.iter().find(|&(_, _, value)| value < 0.0) {
            return Err(Error::Value { quantity: Quantity::Distance, row, column, value });
        }
        let mut triplets: Vec<(u32, u32, f64)> = distances
            .iter()
            .filter(|&(i, j, _)| i != j)
            .flat_map(|(i, j, value)| [(i as u32, j as u32, value), (j as u32, i as u32, value)])
            .collect();
        triplets.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        triplets.dedup_by_key(|t| (t.0, t.1));
        Ok(Self { matrix: CsrMatrix::from_triplets(distances.shape(), &triplets)? })
    }

    /// The items of the largest connected component, in order. Of several largest components, the first one is used.
    pub fn largest_component(&self) -> Result<Vec<usize>, Error> {
        Ok(Components::of(&self.matrix)?.largest())
    }
}

impl<'a> DataDistances<'a> {
    /// Distances between points, by a metric.
    pub fn of_points(points: &'a Points<'_>, metric: Metric) -> Self {
        Self { source: Source::Points(points.borrowed(), metric), kept: None }
    }

    /// Distances that are given for every pair. If the two directions differ, their mean is used.
    #[allow(clippy::needless_pass_by_value, reason = "views of arrays are references in all but name")]
    pub fn of_matrix(matrix: ArrayView2<'a, f32>) -> Self {
        Self { source: Source::Given(matrix), kept: None }
    }

    /// Distances along shortest paths; infinite if no path connects two items.
    pub fn of_paths(lengths: Lengths) -> Self {
        Self { source: Source::Paths(lengths), kept: None }
    }

    /// Distances that are the input data: for every pair, or as shortest paths over the near pairs.
    pub fn of_given(distances: &'a Distances<'_>) -> Result<Self, Error> {
        Ok(match distances {
            Distances::Dense(matrix) => Self::of_matrix(matrix.view()),
            Distances::Sparse(matrix) => Self::of_paths(Lengths::of_near_pairs(matrix)?),
        })
    }

    /// Restricts the distances to the items in these rows. Shortest paths may still pass through the others.
    #[must_use]
    pub fn of_items(self, kept: &'a [usize]) -> Self {
        Self { kept: Some(kept), ..self }
    }

    /// The distances from one item to all items, including itself; `None` if there is no such item.
    pub fn distances_from(&self, item: usize) -> Result<Option<Vec<f64>>, Error> {
        self.with_rows(|rows| {
            (item < rows.len()).then(|| {
                let mut row = vec![0.0; rows.len()];
                rows.fill(item, &mut row);
                row
            })
        })
    }

    /// Calls `f` with the rows.
    pub(crate) fn with_rows<R>(&self, f: impl FnOnce(&dyn DistanceRows) -> R) -> Result<R, Error> {
        let all = match &self.source {
            Source::Points(points, _) => points.shape().0,
            Source::Given(matrix) => matrix.nrows(),
            Source::Paths(lengths) => lengths.matrix.rows(),
        };
        if let Some(&row) = self.kept.into_iter().flatten().find(|&&row| row >= all) {
            return Err(Error::Length { what: "the data", found: all, expected: row + 1 });
        }
        let of_kept = |rows: &dyn DistanceRows| match self.kept {
            Some(kept) => f(&OfKept { rows, kept }),
            None => f(rows),
        };
        match &self.source {
            Source::Points(points, metric) => {
                with_pair_distances(points, *metric, |distance| of_kept(&OfPairs { n: all, distance }))
            }
            Source::Given(matrix) => {
                let (rows, columns) = matrix.dim();
                if rows != columns {
                    return Err(Error::NotSquare { rows, columns });
                }
                let bad = matrix.indexed_iter().find(|(_, d)| !(d.is_finite() && **d >= 0.0));
                if let Some(((row, column), &value)) = bad {
                    return Err(Error::Value { quantity: Quantity::Distance, row, column, value: f64::from(value) });
                }
                let distance = |i: usize, j: usize| f64::midpoint(f64::from(matrix[[i, j]]), f64::from(matrix[[j, i]]));
                Ok(of_kept(&OfPairs { n: rows, distance: &distance }))
            }
            Source::Paths(lengths) => Ok(of_kept(lengths)),
        }
    }
}

/// A subset of the items.
struct OfKept<'a> {
    rows: &'a dyn DistanceRows,
    kept: &'a [usize],
}

impl DistanceRows for OfKept<'_> {
    fn len(&self) -> usize {
        self.kept.len()
    }

    fn fill(&self, i: usize, out: &mut [f64]) {
        let mut whole = vec![0.0; self.rows.len()];
        self.rows.fill(self.kept[i], &mut whole);
        for (distance, &j) in out.iter_mut().zip(self.kept) {
            *distance = whole[j];
        }
    }
}

struct OfPairs<'a> {
    n: usize,
    distance: &'a (dyn Fn(usize, usize) -> f64 + Sync),
}

impl DistanceRows for OfPairs<'_> {
    fn len(&self) -> usize {
        self.n
    }

    fn fill(&self, i: usize, out: &mut [f64]) {
        for (j, out) in out.iter_mut().enumerate() {
            *out = if i == j { 0.0 } else { (self.distance)(i, j) };
        }
    }
}

/// An entry of the priority queue of the search; the nearest comes first.
#[derive(PartialEq)]
struct Reached {
    distance: f64,
    item: u32,
}

impl Eq for Reached {}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.total_cmp(&self.distance).then(other.item.cmp(&self.item))
    }
}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl DistanceRows for Lengths {
    fn len(&self) -> usize {
        self.matrix.rows()
    }

    /// Dijkstra's algorithm.
    fn fill(&self, i: usize, out: &mut [f64]) {
        out.fill(f64::INFINITY);
        out[i] = 0.0;
        let mut heap = BinaryHeap::from([Reached { distance: 0.0, item: i as u32 }]);
        while let Some(Reached { distance, item }) = heap.pop() {
            if distance > out[item as usize] {
                continue;
            }
            for (j, length) in self.matrix.row(item as usize).iter() {
                let there = distance + length;
                if there < out[j] {
                    out[j] = there;
                    heap.push(Reached { distance: there, item: j as u32 });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn symmetric(n: usize, pairs: &[(u32, u32, f64)]) -> CsrMatrix<'static> {
        let both: Vec<_> = pairs.iter().flat_map(|&(i, j, v)| [(i, j, v), (j, i, v)]).collect();
        CsrMatrix::from_triplets((n, n), &both).unwrap()
    }

    fn rows(lengths: &Lengths) -> Vec<Vec<f64>> {
        (0..lengths.len())
            .map(|i| {
                let mut row = vec![0.0; lengths.len()];
                lengths.fill(i, &mut row);
                row
            })
            .collect()
    }

    #[test]
    fn lengths_follow_the_paper_and_none_is_zero() {
        let s = symmetric(4, &[(0, 1, 10.0), (1, 2, 5.0), (2, 3, 1.0)]);
        let d = rows(&Lengths::of_similarity(&s).unwrap());
        // 1 − 5/10 and 1 − 1/10; the pair with the largest similarity gets half of the smaller one.
        assert_eq!(d[0], [0.0, 0.25, 0.75, 1.65]);
    }

    #[test]
    fn edges_of_equal_weight_have_length_one() {
        let d = rows(&Lengths::of_similarity(&symmetric(4, &[(0, 1, 3.0), (1, 2, 3.0)])).unwrap());
        assert_eq!(d[0], [0.0, 1.0, 2.0, f64::INFINITY]);
    }

    #[test]
    fn the_largest_component_is_found() {
        let s = symmetric(6, &[(0, 1, 1.0), (2, 3, 1.0), (3, 5, 1.0)]);
        assert_eq!(Lengths::of_similarity(&s).unwrap().largest_component().unwrap(), [2, 3, 5]);
    }

    proptest! {
        /// Dijkstra's algorithm against Floyd-Warshall, which tries every path through every item. Sums of up to n
        /// lengths ≤ 1 are added in a different order: at most n² rounding errors.
        #[test]
        fn shortest_paths_are_the_shortest(
            n in 2_usize..15,
            pairs in prop::collection::vec((0_u32..15, 0_u32..15, 0.1_f64..9.0), 0..40),
        ) {
            let pairs: Vec<_> = pairs.into_iter().filter(|p| p.0 != p.1 && p.0.max(p.1) < n as u32).collect();
            let lengths = Lengths::of_similarity(&symmetric(n, &pairs)).unwrap();
            let mut d = vec![vec![f64::INFINITY; n]; n];
            for (i, row) in d.iter_mut().enumerate() {
                row[i] = 0.0;
                for (j, length) in lengths.matrix.row(i).iter() {
                    row[j] = length;
                }
            }
            for k in 0..n {
                for i in 0..n {
                    for j in 0..n {
                        d[i][j] = d[i][j].min(d[i][k] + d[k][j]);
                    }
                }
            }
            for (found, expected) in rows(&lengths).iter().flatten().zip(d.iter().flatten()) {
                prop_assert!(found == expected || (found - expected).abs() < 225.0 * f64::EPSILON * n as f64);
            }
        }
    }
}
