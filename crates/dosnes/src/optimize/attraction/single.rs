//! Sums in single precision, eight pairs at once, as fast as memory allows.
//!
//! The similarities are in the order of the points, in which neighbours on the sphere are neighbours in memory: a copy of P, or
//! P itself, which for a hundred million pairs is most of the memory of a run. A point has four floats, so it is one load; a few shuffles turn eight points into vectors of x, y and z. A
//! gather instruction would take several times as long. In the plane z is zero.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the detected vector instructions")]

use super::{Pull, ROWS};
use crate::{
    kernel::Kernel,
    ranks::{from_bytes, to_bytes},
    simd::{self, Instructions, Lanes, SingleLanes, Work},
    sparse::{CsrMatrix, MatrixParts, Stored, inverse, permuted},
};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

const LANES: usize = 8;
/// x, y, z, and one unused element.
type Point = [f32; 4];

pub(super) struct Pairs<'a> {
    kernel: Kernel,
    row_starts: Cow<'a, [usize]>,
    indices: Cow<'a, [u32]>,
    similarities: Cow<'a, [f32]>,
    /// What makes the similarities add up to one.
    factor: f64,
    /// If this is in the memory of a matrix: the row of each point.
    order: Option<&'a [u32]>,
    points: Vec<Point>,
    /// The point of the first row. Other ranks may have other rows.
    first_row: usize,
}

impl<'a> Pairs<'a> {
    /// `p` divided by `total`, with the points in the given order if there is one: `order[new]` is the old index.
    pub(super) fn new(p: &'a CsrMatrix<'_>, total: f64, kernel: Kernel, order: Option<&[u32]>) -> Self {
        let (similarities, factor) = match p.stored_values() {
            Stored::Single(values) => (Cow::Borrowed(&**values), 1.0 / total),
            // Doubles may be too large or too small for singles.
            Stored::Double(values) => (values.iter().map(|value| (value / total) as f32).collect(), 1.0),
        };
        let (row_starts, indices) = (Cow::Borrowed(p.row_starts()), Cow::Borrowed(p.column_indices()));
        let points = vec![[0.0; 4]; p.rows()];
        let Some(order) = order else {
            return Self { kernel, row_starts, indices, similarities, factor, order: None, points, first_row: 0 };
        };
        let parts = (row_starts.into_owned(), indices.into_owned(), similarities.into_owned());
        let (row_starts, indices, similarities) = permuted(parts, order, &inverse(order));
        let (row_starts, indices, similarities) = (row_starts.into(), indices.into(), similarities.into());
        Self { kernel, row_starts, indices, similarities, factor, order: None, points, first_row: 0 }
    }

    /// The same in the memory of a matrix in single precision. [`into_matrix`](Self::into_matrix) gives it back.
    pub(super) fn in_place(parts: MatrixParts<f32>, total: f64, kernel: Kernel, order: &'a [u32]) -> Self {
        let (row_starts, indices, similarities) = permuted(parts, order, &inverse(order));
        Self {
            kernel,
            points: vec![[0.0; 4]; order.len()],
            row_starts: row_starts.into(),
            indices: indices.into(),
            similarities: similarities.into(),
            factor: 1.0 / total,
            order: Some(order),
            first_row: 0,
        }
    }

    /// The matrix as it was before, if this is in its memory.
    pub(super) fn into_matrix(self) -> Option<CsrMatrix<'static>> {
        let (order, n) = (self.order?, self.points.len());
        let parts = (self.row_starts.into_owned(), self.indices.into_owned(), self.similarities.into_owned());
        let (row_starts, indices, similarities) = permuted(parts, &inverse(order), order);
        Some(CsrMatrix::well_formed((n, n), row_starts, indices, similarities))
    }

    pub(super) fn add<const D: usize>(
        &mut self,
        points: &[[f64; D]],
        scale: f64,
        factor: f64,
        forces: &mut [[f64; D]],
        weights: &mut [f64],
    ) -> Vec<Pull> {
        assert_eq!(points.len(), self.points.len(), "one point for each item");
        assert!(forces.len() <= self.rows() && weights.len() == forces.len(), "a force and a weight for each row");
        self.points.par_iter_mut().with_min_len(4096).zip(points).for_each(|(single, point)| {
            for k in 0..D {
                single[k] = (scale * point[k]) as f32;
            }
        });
        let pairs = &*self;
        forces
            .par_chunks_mut(ROWS)
            .zip(weights.par_chunks_mut(ROWS))
            .enumerate()
            .map(|(chunk, (forces, weights))| {
                simd::run(Rows { pairs, first: chunk * ROWS, times: factor, forces, weights })
            })
            .collect()
    }

    /// Number of rows.
    fn rows(&self) -> usize {
        self.row_starts.len() - 1
    }

    /// Some of the rows as bytes, for [`from_bytes`](Self::from_bytes).
    pub(super) fn to_bytes(&self, rows: Range<usize>) -> [Vec<u8>; 3] {
        let entries = self.row_starts[rows.start]..self.row_starts[rows.end];
        let starts: Vec<u64> =
            self.row_starts[rows.start..=rows.end].iter().map(|start| (start - entries.start) as u64).collect();
        [to_bytes(&starts), to_bytes(&self.indices[entries.clone()]), to_bytes(&self.similarities[entries])]
    }

    /// The rows of `n` points from `first_row` on, from their bytes.
    pub(super) fn from_bytes(bytes: &[Vec<u8>; 3], first_row: usize, n: usize, factor: f64, kernel: Kernel) -> Self {
        let [row_starts, indices, similarities] = bytes;
        Self {
            kernel,
            row_starts: from_bytes::<u64>(row_starts).map(|start| start as usize).collect(),
            indices: from_bytes(indices).collect(),
            similarities: from_bytes(similarities).collect(),
            factor,
            order: None,
            points: vec![[0.0; 4]; n],
            first_row,
        }
    }

    /// What makes the similarities add up to one.
    pub(super) fn factor(&self) -> f64 {
        self.factor
    }

    /// The indices and similarities of the pairs of a row.
    #[inline(always)]
    fn row(&self, row: usize) -> (&[u32], &[f32]) {
        let range = self.row_starts[row]..self.row_starts[row + 1];
        (&self.indices[range.clone()], &self.similarities[range])
    }
}

/// The rows of one task.
struct Rows<'a, const D: usize> {
    pairs: &'a Pairs<'a>,
    first: usize,
    /// What the forces are multiplied by before they are added.
    times: f64,
    forces: &'a mut [[f64; D]],
    weights: &'a mut [f64],
}

impl<const D: usize> Work for Rows<'_, D> {
    type Output = Pull;

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) -> Pull {
        let Pairs { points, kernel, factor, first_row, .. } = self.pairs;
        let mut pull = Pull::default();
        for (offset, (force, weight)) in self.forces.iter_mut().zip(self.weights).enumerate() {
            let row = self.first + offset;
            let (indices, similarities) = self.pairs.row(row);
            let i = first_row + row;
            let sums = match kernel {
                Kernel::Cauchy => sums::<S::Single, Cauchy>(simd, i, indices, similarities, points),
                Kernel::Gaussian => sums::<S::Single, Gaussian>(simd, i, indices, similarities, points),
            };
            *force = std::array::from_fn(|k| force[k] + self.times * (factor * f64::from(sums.force[k].total())));
            *weight = factor * f64::from(sums.weight.total());
            pull = pull
                + Pull {
                    energy: factor * f64::from(sums.energy.total()),
                    slope: 2.0 * factor * f64::from(sums.slope.total()),
                    curvature: 4.0 * factor * f64::from(sums.curvature.total()),
                };
        }
        pull
    }
}

/// The sums of a row, one partial sum per lane.
struct Sums<V> {
    force: [V; 3],
    /// Σ w.
    weight: V,
    /// Σ p (−log q).
    energy: V,
    /// Σ w d².
    slope: V,
    /// Σ w d² q (Cauchy) or Σ w d² (Gaussian).
    curvature: V,
}

impl<V: SingleLanes> Sums<V> {
    #[inline(always)]
    fn zero(simd: V::Proof) -> Self {
        let zero = V::splat(simd, 0.0);
        Self { force: [zero; 3], weight: zero, energy: zero, slope: zero, curvature: zero }
    }

    #[inline(always)]
    fn add_force(&mut self, w: V, differences: &[V; 3]) {
        for (sum, &difference) in self.force.iter_mut().zip(differences) {
            *sum = w.mul_add(difference, *sum);
        }
    }
}

/// What a kernel adds to the sums for eight pairs.
trait PairKernel {
    fn add<V: SingleLanes>(sums: &mut Sums<V>, simd: V::Proof, p: V, differences: &[V; 3], d2: V);
    /// After the last pair.
    fn finish<V: SingleLanes>(sums: &mut Sums<V>);
}

struct Cauchy;

impl PairKernel for Cauchy {
    #[inline(always)]
    fn add<V: SingleLanes>(sums: &mut Sums<V>, simd: V::Proof, p: V, differences: &[V; 3], d2: V) {
        let t = d2.add(V::splat(simd, 1.0));
        let q = t.recip();
        let w = p.mul(q);
        let stretch = w.mul(d2);
        sums.energy = p.mul_add(t.ln_from_one(), sums.energy);
        sums.slope = sums.slope.add(stretch);
        sums.curvature = stretch.mul_add(q, sums.curvature);
        sums.weight = sums.weight.add(w);
        sums.add_force(w, differences);
    }

    #[inline(always)]
    fn finish<V: SingleLanes>(_: &mut Sums<V>) {}
}

struct Gaussian;

impl PairKernel for Gaussian {
    #[inline(always)]
    fn add<V: SingleLanes>(sums: &mut Sums<V>, _: V::Proof, p: V, differences: &[V; 3], d2: V) {
        sums.energy = p.mul_add(d2, sums.energy);
        sums.weight = sums.weight.add(p);
        sums.add_force(p, differences);
    }

    #[inline(always)]
    fn finish<V: SingleLanes>(sums: &mut Sums<V>) {
        sums.slope = sums.energy;
        sums.curvature = sums.energy;
    }
}

/// The sums over the pairs of point `i`.
#[inline(always)]
fn sums<V: SingleLanes, K: PairKernel>(
    simd: V::Proof,
    i: usize,
    indices: &[u32],
    similarities: &[f32],
    points: &[Point],
) -> Sums<V> {
    let mut sums = Sums::zero(simd);
    let (whole, rest) = indices.as_chunks::<LANES>();
    let (whole_similarities, rest_similarities) = similarities.as_chunks::<LANES>();
    for (indices, similarities) in whole.iter().zip(whole_similarities) {
        add_pairs::<V, K>(&mut sums, simd, &points[i], indices, similarities, points);
    }
    if !rest.is_empty() {
        // Filled up with pairs of the point and itself, of similarity zero.
        let (mut last, mut last_similarities) = ([i as u32; LANES], [0.0; LANES]);
        last[..rest.len()].copy_from_slice(rest);
        last_similarities[..rest.len()].copy_from_slice(rest_similarities);
        add_pairs::<V, K>(&mut sums, simd, &points[i], &last, &last_similarities, points);
    }
    K::finish(&mut sums);
    sums
}

#[inline(always)]
fn add_pairs<V: SingleLanes, K: PairKernel>(
    sums: &mut Sums<V>,
    simd: V::Proof,
    point: &Point,
    indices: &[u32; LANES],
    similarities: &[f32; LANES],
    points: &[Point],
) {
    let others = V::gather(simd, points, indices);
    let differences: [V; 3] = std::array::from_fn(|k| V::splat(simd, point[k]).sub(others[k]));
    let [x, y, z] = differences;
    let d2 = x.mul_add(x, y.mul_add(y, z.mul(z)));
    K::add(sums, simd, V::load(simd, similarities), &differences, d2);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Choice;

    #[test]
    fn rows_are_the_same_to_rounding_with_any_instructions() {
        let n = 40;
        let points: Vec<Point> =
            (0..n).map(|i| [0.9, 1.7, 2.3, 0.0].map(|speed| 3.0 * (speed * i as f32).sin())).collect();
        // Rows of 21 to 24 pairs: some of them fill whole vectors, some do not.
        let lengths: Vec<usize> = (0..n).map(|i| 21 + i % 4).collect();
        let row_starts: Vec<usize> = std::iter::once(0)
            .chain(lengths.iter().scan(0, |end, length| {
                *end += length;
                Some(*end)
            }))
            .collect();
        let entries = row_starts[n];
        let indices: Vec<u32> = (0..entries).map(|k| ((k * 7 + k / 8 * 5) % n) as u32).collect();
        let similarities: Vec<f32> = (0..entries).map(|k| 0.01 * (1 + k % 9) as f32).collect();
        for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
            let [best, portable] = Choice::both(|choice| {
                let (mut forces, mut weights) = (vec![[0.0; 3]; n], vec![0.0; n]);
                let pairs = Pairs {
                    kernel,
                    order: None,
                    row_starts: Cow::Borrowed(&row_starts),
                    indices: Cow::Borrowed(&indices),
                    similarities: Cow::Borrowed(&similarities),
                    factor: 1.0,
                    points: points.clone(),
                    first_row: 0,
                };
                let pull = choice.run(Rows {
                    pairs: &pairs,
                    first: 0,
                    times: 1.0,
                    forces: &mut forces,
                    weights: &mut weights,
                });
                (forces, weights, pull)
            });
            assert!(best.1.iter().all(|&weight| weight > 0.0));
            // A row adds 24 terms, each below 0.09 · 6; the pull adds 40 rows with squares of up to 108.
            let near = |a: f64, b: f64, size: f64| (a - b).abs() <= 30.0 * f64::from(f32::EPSILON) * size;
            for i in 0..n {
                assert!(near(best.1[i], portable.1[i], 24.0 * 0.09), "{} {}", best.1[i], portable.1[i]);
                for k in 0..3 {
                    assert!(near(best.0[i][k], portable.0[i][k], 24.0 * 0.54));
                }
            }
            let size = 24.0 * n as f64 * 0.09 * 108.0;
            assert!(near(best.2.energy, portable.2.energy, size));
            assert!(near(best.2.slope, portable.2.slope, size));
            assert!(near(best.2.curvature, portable.2.curvature, size));
        }
    }
}
