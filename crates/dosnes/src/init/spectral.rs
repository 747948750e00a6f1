//! Leading eigenvectors of the normalised similarity matrix, by Chebyshev-filtered subspace iteration.
//!
//! A start needs only two or three digits, but the matrix may have a hundred million entries. So the method iterates on
//! a block of a few vectors, with polynomials of the matrix that damp all but the top of the spectrum, and
//! Rayleigh-Ritz steps in between (Zhou, Saad, Tiago and Chelikowsky, J. Comput. Phys. 219, 2006).
//!
//! Of many points, similar items are first put together in groups, and groups in larger groups, until few are left. The
//! eigenvectors of the walk between groups are those of the walk between their items but for details: along a leading
//! eigenvector, similar items have similar entries. So the eigenvectors of each level are the start of the next finer one, where one round
//! is enough.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the detected vector instructions")]

use crate::{
    error::Error,
    observe::{Observer, Part, report},
    parallel::sum_over,
    simd::{self, Instructions, Lanes, Work},
    sparse::{CsrMatrix, Groups, Number, Stored},
};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

/// Extra vectors in the block, for faster convergence of the wanted ones.
const SPARE: usize = 3;
/// Largest block: three wanted vectors and the extra ones.
const MAX_BLOCK: usize = 3 + SPARE;
const DEGREE: usize = 16;
const MAX_ROUNDS: usize = 25;
/// Limit on the number of matrix entries that are read in total, although three rounds are always done. With hundreds
/// of millions of entries and weakly connected groups, the last digits of the eigenvectors are not worth minutes.
const MAX_READS: usize = 2_000_000_000;
const MIN_ROUNDS: usize = 3;
/// Points that are more than this are put together in groups first, and so are groups that are more than the second.
const MANY: usize = 20_000;
const FEW_GROUPS: usize = 4_000;
/// Fewer groups than this say too little.
const FEWEST_GROUPS: usize = 100;
/// The share of the work that the levels of groups are.
const SHARE_OF_GROUPS: f64 = 0.2;
/// Rounds that start from the eigenvectors of groups.
const ROUNDS_FROM_GROUPS: usize = 1;
/// The iteration ends when no wanted eigenvalue changes by more than this fraction of its distance to 1. That distance
/// is the rate at which the walk mixes along the eigenvector.
const TOLERANCE: f64 = 0.01;

/// A row of the block: one entry of each vector, together in memory, so that the matrix is read once for all vectors.
/// Eight floats fill one vector register.
type Row = [f32; 8];
/// Rows per task.
const ROWS: usize = 256;

/// The `D` leading nontrivial eigenvectors of the random walk D⁻¹P of a symmetric `p`, one row per item of a connected component.
/// Outside of it they are zero, and stay so: no step of the walk leads there.
pub(super) fn laplacian_eigenvectors<const D: usize>(
    p: &CsrMatrix<'_>,
    component: &[usize],
    rng: &mut Xoshiro256PlusPlus,
    observer: &mut dyn Observer,
) -> Result<Vec<[f64; D]>, Error> {
    let many = matches!(p.stored_values(), Stored::Single(_)) && component.len() > MANY;
    let x = leading_vectors::<D>(p, component, many, rng, observer)?;
    let root = |i: usize| p.row(i).sum().sqrt();
    Ok(component.par_iter().map(|&i| std::array::from_fn(|k| f64::from(x[i][k]) / root(i))).collect())
}

/// The leading eigenvectors of D^(−½) P D^(−½), on a component: from a random start, or from the eigenvectors of the walk between
/// groups of items.
fn leading_vectors<const D: usize>(
    p: &CsrMatrix<'_>,
    component: &[usize],
    by_groups: bool,
    rng: &mut Xoshiro256PlusPlus,
    observer: &mut dyn Observer,
) -> Result<Vec<Row>, Error> {
    let n = p.rows();
    let block = (D + SPARE).min(component.len() - 1);
    let root_degrees: Vec<f64> = (0..n).into_par_iter().with_min_len(1024).map(|i| p.row(i).sum().sqrt()).collect();
    let mut x: Vec<Row>;
    let mut rounds = (MAX_READS / ((DEGREE + 1) * p.nnz().max(1))).clamp(MIN_ROUNDS, MAX_ROUNDS);
    let mut begun = 0.0;
    if let Some((groups, of_component)) = by_groups.then(|| groups_of(p, component)).flatten() {
        report(observer, begun)?;
        let sums = groups.sums(p);
        report(observer, begun)?;
        begun = SHARE_OF_GROUPS;
        let mut part = Part { observer: &mut *observer, from: 0.0, to: begun };
        let many = of_component.len() > FEW_GROUPS;
        let coarse = leading_vectors::<D>(&sums, &of_component, many, rng, &mut part)?;
        let roots: Vec<f64> = sums.iter_rows().map(|row| row.sum().sqrt()).collect();
        // They can be a third of P.
        drop(sums);
        x = vec![[0.0; 8]; n];
        for &i in component {
            let group = groups.of_item()[i] as usize;
            let share = (root_degrees[i] / roots[group]) as f32;
            x[i] = coarse[group].map(|v| share * v);
        }
        rounds = ROUNDS_FROM_GROUPS;
    } else {
        x = vec![[0.0; 8]; n];
        for &i in component {
            x[i] = std::array::from_fn(|k| if k < block { rng.random::<f32>() - 0.5 } else { 0.0 });
        }
    }
    let mut trivial = vec![0.0; n];
    for &i in component {
        trivial[i] = root_degrees[i];
    }
    let trivial_norm = sum_over(n, |i| trivial[i] * trivial[i]).sqrt();
    for v in &mut trivial {
        *v /= trivial_norm;
    }
    let mut walk = NormalizedWalk { p, root_degrees: &root_degrees, scaled: vec![[0.0; 8]; n] };
    orthonormalize(&mut x, block, &trivial);
    let mut values = rayleigh_ritz(&mut walk, &mut x, block);
    for round in 0..rounds {
        report(observer, begun + (1.0 - begun) * round as f64 / rounds as f64)?;
        // Damp everything below the smallest Ritz value of the block; the spectrum ends at −1.
        let cut = values[block - 1].clamp(-0.5, 1.0 - 1e-6);
        chebyshev_filter(&mut walk, &mut x, cut);
        orthonormalize(&mut x, block, &trivial);
        let next = rayleigh_ritz(&mut walk, &mut x, block);
        let settled = (0..D.min(block)).all(|k| (next[k] - values[k]).abs() <= TOLERANCE * (1.0 - next[k]).abs());
        values = next;
        if settled {
            break;
        }
    }
    Ok(x)
}

/// Groups of the items, and those of the component. `None` if they would be no smaller picture of it, or too small a one.
fn groups_of(p: &CsrMatrix<'_>, component: &[usize]) -> Option<(Groups, Vec<usize>)> {
    let groups = Groups::of(p);
    let mut of_component: Vec<usize> = component.iter().map(|&i| groups.of_item()[i] as usize).collect();
    of_component.sort_unstable();
    of_component.dedup();
    (FEWEST_GROUPS..component.len() / 2).contains(&of_component.len()).then_some((groups, of_component))
}

/// D^(−½) P D^(−½).
struct NormalizedWalk<'a> {
    p: &'a CsrMatrix<'a>,
    root_degrees: &'a [f64],
    /// D^(−½) x.
    scaled: Vec<Row>,
}

impl NormalizedWalk<'_> {
    /// `out` ← A x.
    fn apply(&mut self, x: &[Row], out: &mut Vec<Row>) {
        let roots = self.root_degrees;
        self.scaled.par_iter_mut().with_min_len(1024).zip(x).zip(roots).for_each(|((scaled, x), root)| {
            let factor = (1.0 / root) as f32;
            *scaled = x.map(|v| factor * v);
        });
        out.resize(x.len(), [0.0; 8]);
        let (p, scaled) = (self.p, &self.scaled);
        out.par_chunks_mut(ROWS).enumerate().for_each(|(chunk, out)| {
            simd::run(WalkRows { p, scaled, roots, first: chunk * ROWS, out });
        });
    }
}

/// A block of rows of A x.
struct WalkRows<'a> {
    p: &'a CsrMatrix<'a>,
    scaled: &'a [Row],
    roots: &'a [f64],
    first: usize,
    out: &'a mut [Row],
}

impl Work for WalkRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Instructions>(self, simd: S) {
        walk_rows::<S::Single>(simd, self);
    }
}

#[inline(always)]
fn walk_rows<V: Lanes<f32>>(simd: V::Proof, work: WalkRows<'_>) {
    match work.p.stored_values() {
        Stored::Double(values) => walk_rows_of::<V, f64>(simd, work, values),
        Stored::Single(values) => walk_rows_of::<V, f32>(simd, work, values),
    }
}

#[inline(always)]
fn walk_rows_of<V: Lanes<f32>, N: Number>(simd: V::Proof, work: WalkRows<'_>, values: &[N]) {
    let WalkRows { p, scaled, roots, first, out } = work;
    let (indices, ends) = (p.column_indices(), p.row_starts());
    for (offset, out) in out.iter_mut().enumerate() {
        let i = first + offset;
        let range = ends[i]..ends[i + 1];
        // Two sums, so that an addition need not wait for the one before.
        let mut sums = [V::splat(simd, 0.0); 2];
        let (columns, last_column) = indices[range.clone()].as_chunks::<2>();
        let (of_columns, last_value) = values[range].as_chunks::<2>();
        for (columns, values) in columns.iter().zip(of_columns) {
            for lane in 0..2 {
                let others = V::load(simd, &scaled[columns[lane] as usize]);
                sums[lane] = V::splat(simd, values[lane].single()).mul_add(others, sums[lane]);
            }
        }
        for (&j, &value) in last_column.iter().zip(last_value) {
            sums[0] = V::splat(simd, value.single()).mul_add(V::load(simd, &scaled[j as usize]), sums[0]);
        }
        sums[0].add(sums[1]).mul(V::splat(simd, (1.0 / roots[i]) as f32)).store(out);
    }
}

/// x ← T_m(A') x, where A' is A mapped so that [−1, cut] becomes [−1, 1].
fn chebyshev_filter(walk: &mut NormalizedWalk<'_>, x: &mut Vec<Row>, cut: f64) {
    let (inverse_width, middle) = ((1.0 / (0.5 * cut + 0.5)) as f32, (0.5 * cut - 0.5) as f32);
    let mut previous = std::mem::take(x);
    let mut current = Vec::new();
    walk.apply(&previous, &mut current);
    current.par_iter_mut().with_min_len(1024).zip(&previous).for_each(|(ax, x)| {
        *ax = std::array::from_fn(|k| (ax[k] - middle * x[k]) * inverse_width);
    });
    let mut next = Vec::new();
    for _ in 1..DEGREE {
        walk.apply(&current, &mut next);
        previous.par_iter_mut().with_min_len(1024).zip(&next).zip(&current).for_each(|((previous, ax), x)| {
            *previous = std::array::from_fn(|k| 2.0 * (ax[k] - middle * x[k]) * inverse_width - previous[k]);
        });
        std::mem::swap(&mut previous, &mut current);
    }
    *x = current;
}

/// Gram-Schmidt, twice for accuracy, starting with the trivial eigenvector.
fn orthonormalize(x: &mut [Row], block: usize, trivial: &[f64]) {
    let n = x.len();
    for k in 0..block {
        for _ in 0..2 {
            let along = sum_over(n, |i| f64::from(x[i][k]) * trivial[i]);
            x.par_iter_mut().with_min_len(1024).zip(trivial).for_each(|(x, t)| x[k] -= (along * t) as f32);
            for other in 0..k {
                let along = sum_over(n, |i| f64::from(x[i][k]) * f64::from(x[i][other])) as f32;
                x.par_iter_mut().with_min_len(1024).for_each(|x| x[k] -= along * x[other]);
            }
        }
        let length = sum_over(n, |i| f64::from(x[i][k]).powi(2)).sqrt().max(f64::MIN_POSITIVE);
        x.par_iter_mut().with_min_len(1024).for_each(|x| x[k] = (f64::from(x[k]) / length) as f32);
    }
}

/// Rotates the block to its Ritz vectors, largest value first, and returns the values.
fn rayleigh_ritz(walk: &mut NormalizedWalk<'_>, x: &mut [Row], block: usize) -> Vec<f64> {
    let n = x.len();
    let mut ax = Vec::new();
    walk.apply(x, &mut ax);
    let mut small = [[0.0; MAX_BLOCK]; MAX_BLOCK];
    for a in 0..block {
        for b in 0..=a {
            small[a][b] = sum_over(n, |i| f64::from(x[i][a]) * f64::from(ax[i][b]));
            small[b][a] = small[a][b];
        }
    }
    let (values, vectors) = jacobi_eigen(small, block);
    let mut order: Vec<usize> = (0..block).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    x.par_iter_mut().with_min_len(1024).for_each(|row| {
        let old = *row;
        for (new, &k) in order.iter().enumerate() {
            row[new] = (0..block).map(|a| f64::from(old[a]) * vectors[a][k]).sum::<f64>() as f32;
        }
    });
    order.iter().map(|&k| values[k]).collect()
}

/// Eigenvalues and eigenvectors (in columns) of the leading `size` rows and columns of a symmetric matrix, by Jacobi
/// rotations.
fn jacobi_eigen(
    mut a: [[f64; MAX_BLOCK]; MAX_BLOCK],
    size: usize,
) -> ([f64; MAX_BLOCK], [[f64; MAX_BLOCK]; MAX_BLOCK]) {
    let mut v = [[0.0; MAX_BLOCK]; MAX_BLOCK];
    for (k, row) in v.iter_mut().enumerate() {
        row[k] = 1.0;
    }
    for _ in 0..30 {
        for p in 0..size {
            for q in p + 1..size {
                if a[p][q].abs() < 1e-300 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..size {
                    let (kp, kq) = (a[k][p], a[k][q]);
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                for k in 0..size {
                    let (pk, qk) = (a[p][k], a[q][k]);
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                }
                for row in v.iter_mut().take(size) {
                    let (kp, kq) = (row[p], row[q]);
                    row[p] = c * kp - s * kq;
                    row[q] = s * kp + c * kq;
                }
            }
        }
    }
    (std::array::from_fn(|k| a[k][k]), v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{observe::Silent, simd::Choice};
    use rand::SeedableRng;

    #[test]
    fn rows_of_the_walk_are_the_same_to_rounding_with_any_instructions() {
        let n = 30_u32;
        let triplets: Vec<_> =
            (0..n).flat_map(|i| (1..9).map(move |k| (i, (i * k + 1) % n, 0.1 * f64::from(k)))).collect();
        let p = CsrMatrix::from_triplets((n as usize, n as usize), &triplets).unwrap();
        let scaled: Vec<Row> = (0..n).map(|i| std::array::from_fn(|k| ((i + k as u32) as f32).sin())).collect();
        let roots: Vec<f64> = (0..n).map(|i| 1.0 + 0.1 * f64::from(i)).collect();
        let [best, portable] = Choice::both(|choice| {
            let mut out = vec![[0.0; 8]; n as usize];
            choice.run(WalkRows { p: &p, scaled: &scaled, roots: &roots, first: 0, out: &mut out });
            out
        });
        assert!(best.iter().flatten().any(|&value| value.abs() > 0.1));
        // Up to 16 products, none larger than 1.
        for (best, portable) in best.iter().flatten().zip(portable.iter().flatten()) {
            assert!((best - portable).abs() <= 16.0 * f32::EPSILON, "{best} {portable}");
        }
    }

    /// A long sheet of items, each similar to those around it, and their order mixed.
    fn sheet(width: u32, length: u32) -> CsrMatrix<'static> {
        let n = width * length;
        // A step that has no divisor in common with n visits each item once.
        let name = |x: u32, y: u32| (u64::from(x * length + y) * 7919 % u64::from(n)) as u32;
        let mut triplets = Vec::new();
        for (x, y) in (0..width).flat_map(|x| (0..length).map(move |y| (x, y))) {
            for (dx, dy) in (0..3).flat_map(|dx| (0..3).map(move |dy| (dx, dy))).filter(|&step| step != (0, 0)) {
                let weight = (-0.3 * f64::from(dx * dx + dy * dy)).exp();
                let mut link = |to: (u32, u32)| {
                    if to.0 < width && to.1 < length {
                        let (a, b) = (name(x, y), name(to.0, to.1));
                        triplets.extend([(a, b, weight), (b, a, weight)]);
                    }
                };
                link((x + dx, y + dy));
                if dx > 0 && dy > 0 && dy <= y {
                    link((x + dx, y - dy));
                }
            }
        }
        CsrMatrix::from_triplets((n as usize, n as usize), &triplets).unwrap()
    }

    #[test]
    fn the_start_from_groups_finds_the_eigenvectors_that_many_rounds_find() {
        let p = sheet(20, 120);
        let all: Vec<usize> = (0..p.rows()).collect();
        let run = |by_groups| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
            leading_vectors::<3>(&p, &all, by_groups, &mut rng, &mut Silent).unwrap()
        };
        let (slow, fast) = (run(false), run(true));
        assert!(groups_of(&p, &all).is_some());
        // The share of each fast vector that lies in the space of the slow ones.
        for k in 0..3 {
            let share: f64 = (0..3)
                .map(|other| {
                    all.iter().map(|&i| f64::from(fast[i][k]) * f64::from(slow[i][other])).sum::<f64>().powi(2)
                })
                .sum();
            assert!(share > 0.98, "vector {k}: {share}");
        }
    }

    #[test]
    fn without_groups_that_help_the_start_is_random() {
        // A star is one group.
        let star: Vec<_> = (1..500_u32).flat_map(|i| [(0, i, 1.0), (i, 0, 1.0)]).collect();
        let star = CsrMatrix::from_triplets((500, 500), &star).unwrap();
        let all: Vec<usize> = (0..500).collect();
        assert!(groups_of(&star, &all).is_none());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let x = leading_vectors::<3>(&star, &all, true, &mut rng, &mut Silent).unwrap();
        assert!(x.iter().flatten().all(|v| v.is_finite()));
    }

    #[test]
    fn a_ring_is_embedded_as_a_ring() {
        // The eigenvectors of a cycle are sines and cosines: the points lie on a circle, in order.
        let n = 40_u32;
        let triplets: Vec<_> = (0..n).flat_map(|i| [(i, (i + 1) % n, 1.0), (i, (i + n - 1) % n, 1.0)]).collect();
        let p = CsrMatrix::from_triplets((n as usize, n as usize), &triplets).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let y = laplacian_eigenvectors::<2>(&p, &(0..p.rows()).collect::<Vec<_>>(), &mut rng, &mut Silent).unwrap();
        let radii: Vec<f64> = y.iter().map(|y| (y[0] * y[0] + y[1] * y[1]).sqrt()).collect();
        let mean = radii.iter().sum::<f64>() / f64::from(n);
        assert!(radii.iter().all(|r| (r / mean - 1.0).abs() < 1e-3), "{radii:?}");
        let turn = std::f64::consts::TAU / f64::from(n);
        for i in 0..n as usize {
            let (a, b) = (y[i], y[(i + 1) % n as usize]);
            let angle = (a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1]).abs();
            assert!((angle - turn).abs() < 1e-2, "{angle} {turn}");
        }
    }
}
