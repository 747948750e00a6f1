//! What a square matrix of numbers holds: distances, similarities, a graph, or the vectors of as many items as columns.
//!
//! Everything is judged relative to the rest of the matrix: a diagonal of 2e-16 beside entries of 1 is zero, and two
//! entries that differ in their sixth digit are equal. What cannot be told from the numbers is a doubt, and said.

use dosnes::Kind;
use dosnes::ndarray::{Array2, ArrayView1};

use crate::note::Note;

/// A diagonal is zero up to rounding if it is at most this fraction of the median of the other entries. Distances that were
/// computed from products in single precision have diagonals of a few thousandths.
const ZERO_DIAGONAL: f64 = 0.01;
/// Two entries are equal up to rounding if they differ by at most this fraction of themselves.
const ROUNDING: f64 = 1e-4;
/// A negative entry is zero up to rounding if it is at most this fraction of the largest entry.
const TINY: f64 = 1e-6;
/// The share of the rows that must agree before their evidence is believed.
const AGREED: f64 = 0.75;
/// Rows that are asked for evidence, evenly spread.
const ASKED: usize = 200;
/// With fewer rows than this, correlations of rows say nothing.
const ENOUGH_ROWS: usize = 8;

/// What a matrix is taken for, why, and what remains doubtful.
#[derive(Debug)]
pub(super) struct Guess {
    pub(super) kind: Kind,
    pub(super) why: &'static str,
    pub(super) doubt: Option<Note>,
}

impl Guess {
    pub(super) fn sure(kind: Kind, why: &'static str) -> Self {
        Self { kind, why, doubt: None }
    }

    pub(super) fn doubtful(kind: Kind, why: &'static str, doubt: Note) -> Self {
        Self { kind, why, doubt: Some(doubt) }
    }
}

/// What the entries of a square matrix have in common. Missing entries (NaN) are ignored.
pub(super) struct Square<'a> {
    x: &'a Array2<f64>,
    /// The median of the absolute entries that are neither zero nor on the diagonal.
    scale: f64,
    /// The largest absolute entry.
    largest: f64,
    /// The smallest entry.
    smallest: f64,
    /// The largest absolute value on the diagonal.
    diagonal: f64,
}

impl<'a> Square<'a> {
    pub(super) fn new(x: &'a Array2<f64>) -> Self {
        let (mut smallest, mut largest, mut diagonal) = (f64::INFINITY, 0.0_f64, 0.0_f64);
        for ((i, j), &value) in x.indexed_iter() {
            if value.is_nan() {
                continue;
            }
            smallest = smallest.min(value);
            largest = largest.max(value.abs());
            if i == j {
                diagonal = diagonal.max(value.abs());
            }
        }
        let entries =
            asked(x.nrows()).flat_map(|i| (0..x.ncols()).filter(move |&j| j != i).map(move |j| x[[i, j]].abs()));
        let mut entries: Vec<f64> = entries.filter(|v| *v > 0.0).collect();
        let middle = entries.len() / 2;
        let scale = if entries.is_empty() { 0.0 } else { *entries.select_nth_unstable_by(middle, f64::total_cmp).1 };
        Self { x, scale, largest, smallest, diagonal }
    }

    /// An entry as small as this is zero up to rounding.
    pub(super) fn tiny(&self) -> f64 {
        TINY * self.largest
    }

    fn has_negative(&self) -> bool {
        self.smallest < -self.tiny()
    }

    pub(super) fn zero_diagonal(&self) -> bool {
        self.diagonal <= ZERO_DIAGONAL * self.scale
    }

    /// Equal up to the rounding of other programs.
    pub(super) fn is_symmetric(&self) -> bool {
        let slack = 0.1 * ROUNDING * self.scale;
        self.every_pair(|a, b| (a - b).abs() <= ROUNDING * a.abs().max(b.abs()) + slack)
    }

    /// Equal up to the rounding of a value that was printed with seven digits.
    pub(super) fn is_exactly_symmetric(&self) -> bool {
        self.every_pair(|a, b| (a - b).abs() <= 1e-6 * a.abs().max(b.abs()))
    }

    fn every_pair(&self, test: impl Fn(f64, f64) -> bool) -> bool {
        let n = self.x.nrows();
        (0..n).all(|i| {
            (0..i).all(|j| {
                let (a, b) = (self.x[[i, j]], self.x[[j, i]]);
                a.is_nan() || b.is_nan() || test(a, b)
            })
        })
    }

    /// The largest difference of two entries that mirror each other.
    pub(super) fn asymmetry(&self) -> f64 {
        let n = self.x.nrows();
        let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.map(|(i, j)| (self.x[[i, j]] - self.x[[j, i]]).abs()).filter(|d| !d.is_nan()).fold(0.0, f64::max)
    }

    /// Correlations or cosines: symmetric, ones on the diagonal, no entry beyond ±1.
    pub(super) fn is_correlation(&self) -> bool {
        self.x.diag().iter().all(|v| (v - 1.0).abs() <= 1e-3)
            && self.x.iter().all(|v| v.is_nan() || v.abs() <= 1.0 + 1e-3)
            && self.is_symmetric()
    }

    /// Whether a matrix with these entries holds correlations some of which are negative.
    pub(super) fn has_negative_correlations(&self) -> bool {
        self.has_negative() && self.is_correlation()
    }

    /// What the matrix holds.
    pub(super) fn guess(&self, same_names: bool) -> Guess {
        if self.has_negative() {
            return if self.is_correlation() {
                Guess::sure(Kind::Distance, "correlations: symmetric, ones on the diagonal, negative entries")
            } else {
                let why = "square, but with negative entries, so each row is a vector";
                Guess::doubtful(Kind::Points, why, Note::SquarePoints)
            };
        }
        if self.is_symmetric() {
            return if self.zero_diagonal() { self.with_zero_diagonal() } else { self.with_full_diagonal() };
        }
        if same_names {
            return self.directed();
        }
        Guess::doubtful(Kind::Points, "square, but not symmetric, so each row is a vector", Note::SquarePoints)
    }

    fn with_zero_diagonal(&self) -> Guess {
        let n = self.x.nrows();
        let zeros = self.zeros();
        let equal_rows = zeros > 0 && self.zeros_join_equal_rows();
        if equal_rows && self.has_several_values() {
            return Guess::sure(Kind::Distance, "square, symmetric, zero diagonal, zeros only between equal items");
        }
        if 10 * zeros > n * (n - 1) {
            let why = "square, symmetric, zero diagonal, many zeros: an adjacency matrix";
            return Guess { kind: Kind::Graph, why, doubt: equal_rows.then_some(Note::CouldBeDistances) };
        }
        let why = "square, symmetric, zero diagonal";
        match self.small_is_near() {
            Some(share) if share >= AGREED => Guess::sure(Kind::Distance, why),
            Some(share) if share <= 1.0 - AGREED => {
                let why = "square, symmetric, zero diagonal, but items with large entries have similar rows";
                Guess::doubtful(Kind::Similarity, why, Note::CouldBeDistances)
            }
            None if self.obeys_triangles() => Guess::sure(Kind::Distance, why),
            _ => Guess::doubtful(Kind::Distance, why, Note::CouldBeSimilarities),
        }
    }

    fn with_full_diagonal(&self) -> Guess {
        let n = self.x.nrows();
        let why = "square, symmetric, diagonal not zero";
        let rows = |test: &dyn Fn(f64, f64) -> bool| {
            let holds = |i: &usize| {
                let own = self.x[[*i, *i]];
                self.x.row(*i).iter().enumerate().all(|(j, &v)| j == *i || v.is_nan() || test(own, v))
            };
            (0..n).filter(holds).count() * 10 >= n * 9
        };
        if rows(&|own, other| own >= other) {
            return Guess::sure(Kind::Similarity, why);
        }
        let near = self.small_is_near();
        if rows(&|own, other| own <= other) && near.is_none_or(|share| share >= AGREED) {
            let why = "square, symmetric, the diagonal has the smallest entries";
            return Guess::doubtful(Kind::Distance, why, Note::CouldBeSimilarities);
        }
        match near {
            Some(share) if share <= 1.0 - AGREED => Guess::sure(Kind::Similarity, why),
            _ => Guess::doubtful(Kind::Similarity, why, Note::CouldBeDistances),
        }
    }

    /// Rows and columns have the same names, but the two directions differ.
    fn directed(&self) -> Guess {
        let n = self.x.nrows();
        if !self.zero_diagonal() {
            return Guess::sure(Kind::Similarity, "square, rows and columns have the same names");
        }
        let why = "square, rows and columns have the same names, zero diagonal";
        if 10 * self.zeros() > n * (n - 1) {
            return Guess::sure(Kind::Graph, why);
        }
        match self.small_is_near() {
            Some(share) if share >= AGREED => Guess::doubtful(Kind::Distance, why, Note::CouldBeSimilarities),
            _ => Guess::doubtful(Kind::Graph, why, Note::CouldBeDistances),
        }
    }

    /// Zeros outside the diagonal.
    fn zeros(&self) -> usize {
        self.x.indexed_iter().filter(|&((i, j), &v)| i != j && v == 0.0).count()
    }

    /// Whether the entries that are not zero differ.
    fn has_several_values(&self) -> bool {
        let mut entries = self.x.iter().filter(|v| **v > self.tiny());
        entries.next().is_some_and(|first| entries.any(|v| (v - first).abs() > ROUNDING * first))
    }

    /// Two items at distance zero have the same distances to all others. Edges that are absent have no such rule.
    fn zeros_join_equal_rows(&self) -> bool {
        let n = self.x.nrows();
        let equal = |i: usize, j: usize| {
            let slack = ROUNDING * self.scale;
            self.x.row(i).iter().zip(self.x.row(j)).all(|(a, b)| a.is_nan() || b.is_nan() || (a - b).abs() <= slack)
        };
        // One partner of each asked row is enough: with unequal rows, the first one betrays it.
        asked(n).all(|i| (0..n).find(|&j| j != i && self.x[[i, j]] == 0.0).is_none_or(|j| equal(i, j)))
    }

    /// The share of rows that resemble the row of their smallest entry more than that of their largest one. It is near 1 for
    /// distances, whose small entries join neighbours, and near 0 for similarities. `None` if there are too few rows.
    fn small_is_near(&self) -> Option<f64> {
        let n = self.x.nrows();
        if n < ENOUGH_ROWS {
            return None;
        }
        let (mut votes, mut voters) = (0.0, 0.0);
        for i in asked(n) {
            let row = self.x.row(i);
            let others = || row.iter().enumerate().filter(|&(j, v)| j != i && !v.is_nan());
            let Some((near, _)) = others().min_by(|a, b| a.1.total_cmp(b.1)) else { continue };
            let Some((far, _)) = others().max_by(|a, b| a.1.total_cmp(b.1)) else { continue };
            let (with_near, with_far) = (self.resemblance(i, near), self.resemblance(i, far));
            if let (Some(a), Some(b)) = (with_near, with_far) {
                votes += if a > b {
                    1.0
                } else if a == b {
                    0.5
                } else {
                    0.0
                };
                voters += 1.0;
            }
        }
        (voters > 0.0).then(|| votes / voters)
    }

    /// The correlation of two rows, without the entries of the two items themselves.
    fn resemblance(&self, i: usize, j: usize) -> Option<f64> {
        let (a, b): (ArrayView1<'_, f64>, ArrayView1<'_, f64>) = (self.x.row(i), self.x.row(j));
        let pairs =
            || (0..a.len()).filter(|&k| k != i && k != j).map(|k| (a[k], b[k])).filter(|p| !(p.0 + p.1).is_nan());
        let count = pairs().count() as f64;
        let (sum_a, sum_b) = pairs().fold((0.0, 0.0), |(s, t), (u, v)| (s + u, t + v));
        let (mean_a, mean_b) = (sum_a / count, sum_b / count);
        let (mut both, mut one, mut other) = (0.0, 0.0, 0.0);
        for (u, v) in pairs() {
            let (u, v) = (u - mean_a, v - mean_b);
            both += u * v;
            one += u * u;
            other += v * v;
        }
        let norm = (one * other).sqrt();
        (norm > 0.0 && norm.is_finite()).then(|| both / norm)
    }

    /// No side of a triangle is longer than the two others together.
    fn obeys_triangles(&self) -> bool {
        let n = self.x.nrows();
        let d = |i: usize, j: usize| self.x[[i, j]];
        let triples = (0..n).flat_map(|i| (0..n).flat_map(move |j| (0..n).map(move |k| (i, j, k))));
        let mut distinct = triples.filter(|&(i, j, k)| i != j && j != k && i != k);
        // A missing side breaks no rule.
        !distinct.any(|(i, j, k)| d(i, k) > (d(i, j) + d(j, k)) * (1.0 + ROUNDING))
    }
}

/// At most [`ASKED`] of n rows, evenly spread.
fn asked(n: usize) -> impl Iterator<Item = usize> {
    let step = n.div_ceil(ASKED).max(1);
    (0..n).step_by(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::ndarray::array;

    /// Items on a line, with a small disturbance of the places.
    fn distances(n: usize) -> Array2<f64> {
        let place = |i: usize| i as f64 + 0.3 * ((i * i) % 7) as f64;
        Array2::from_shape_fn((n, n), |(i, j)| (place(i) - place(j)).abs())
    }

    fn guess(x: &Array2<f64>) -> Guess {
        Square::new(x).guess(false)
    }

    #[test]
    fn a_diagonal_of_rounding_errors_is_zero() {
        let mut x = distances(30);
        for (k, v) in x.diag_mut().iter_mut().enumerate() {
            *v = [2e-16, 0.0, 1e-7, 1e-3][k % 4];
        }
        let guess = guess(&x);
        assert_eq!((guess.kind, guess.doubt), (Kind::Distance, None));
    }

    #[test]
    fn rounding_differences_between_the_two_halves_do_not_matter() {
        let mut x = distances(30);
        x[[3, 7]] *= 1.0 + 1e-6;
        assert_eq!(guess(&x).kind, Kind::Distance);
        x[[3, 7]] *= 1.1;
        let other = guess(&x);
        assert_eq!((other.kind, other.doubt), (Kind::Points, Some(Note::SquarePoints)));
    }

    #[test]
    fn similarities_with_a_zero_diagonal_are_not_taken_for_distances() {
        let mut x = distances(30).mapv(|d| (-d / 3.0).exp());
        assert_eq!(guess(&x).kind, Kind::Similarity);
        x.diag_mut().fill(0.0);
        let guess = guess(&x);
        assert_eq!((guess.kind, guess.doubt), (Kind::Similarity, Some(Note::CouldBeDistances)));
    }

    #[test]
    fn counts_that_could_be_either_are_a_doubt() {
        let x = Array2::from_shape_fn((20, 20), |(i, j)| {
            let pair = (1 + i.min(j) * 20 + i.max(j)) as u64;
            let mixed = pair.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            if i == j { 0.0 } else { (20 + (mixed >> 40) % 40) as f64 }
        });
        let guess = guess(&x);
        assert!(guess.doubt.is_some(), "{guess:?}");
    }

    #[test]
    fn many_zeros_between_equal_items_are_distances_and_otherwise_a_graph() {
        let classes = Array2::from_shape_fn((12, 12), |(i, j)| ((i % 3) as f64 - (j % 3) as f64).abs());
        assert_eq!(guess(&classes).kind, Kind::Distance);
        let ring =
            Array2::from_shape_fn((12, 12), |(i, j)| f64::from(u8::from((i + 1) % 12 == j || (j + 1) % 12 == i)));
        assert_eq!(guess(&ring).kind, Kind::Graph);
    }

    #[test]
    fn correlations_are_recognised() {
        let x = array![[1.0, -0.5, 0.2], [-0.5, 1.0, 0.3], [0.2, 0.3, 1.0]];
        let guess = guess(&x);
        assert_eq!((guess.kind, guess.doubt), (Kind::Distance, None));
        assert!(Square::new(&x).has_negative_correlations());
    }

    #[test]
    fn directed_distances_with_names_are_no_graph() {
        let mut x = distances(30);
        for i in 0..30 {
            for j in 0..i {
                x[[i, j]] *= 1.05;
            }
        }
        let guess = Square::new(&x).guess(true);
        assert_eq!((guess.kind, guess.doubt), (Kind::Distance, Some(Note::CouldBeSimilarities)));
    }
}
