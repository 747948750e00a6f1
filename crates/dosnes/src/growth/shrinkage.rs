//! How much principal components flatter the rows that they were made of.
//!
//! Components turn towards each of these rows, its noise included. So its scores are larger than those of a new row of the same
//! kind, most of all along the last components, if the rows are few and the columns many: of 630 cells with 765 genes, a new
//! cell has half of the variance that the 630 have. To compare like with like, a model keeps the scores of its rows as they would be
//! without the row itself, ρ_k times as large. Components that show mostly noise then count less, too.
//!
//! ρ_k is the slope of the scores without the row on those with it, over a sample of rows. No components are computed again. In the
//! coordinates of the components and of e, the direction of what they leave of the row, all other rows have the scatter
//!
//! ```text
//! W = diag(w_1, …, w_c, g) − z zᵀ,
//! ```
//!
//! where z is the row, w_k the scatter of all rows along component k, and g that along e. The components without the row are all
//! directions but the one of the least scatter: the eigenvector u of the smallest eigenvalue of W. What they leave of z, z − (u·z) u,
//! is seen along the old components after the shortest rotation, from u to e.
//!
//! Scores of new rows are multiplied by 1/ρ_k in Lee, Zou and Wright (Annals of Statistics 38, 2010), which leaves the noise of the
//! last components as it is.

use crate::{
    input::{Points, rounded},
    pca::Pca,
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

/// The sample has so many rows, and fewer if they are wide.
const MOST_ROWS: usize = 256;
const LEAST_ROWS: usize = 32;
const MOST_NUMBERS: usize = 1 << 22;
/// A row of which the components leave less than this part has no direction of its own.
const NEGLIGIBLE: f64 = 1e-10;

/// ρ_k for each component.
pub(super) fn shrinkage(points: &Points<'_>, pca: &Pca) -> Vec<f32> {
    let (n, columns) = points.shape();
    let count = (MOST_NUMBERS / columns.max(1)).clamp(LEAST_ROWS, MOST_ROWS).min(n);
    let chosen: Vec<usize> = (0..count).map(|at| at * n / count).collect();
    let rows = centred(points, &chosen, &pca.mean);
    let scores = rows.dot(&pca.components.t());
    let scatter: Array1<f64> = pca.variances.iter().map(|variance| variance * (n.max(2) - 1) as f64).collect();
    let without = scores_without(&rows.view(), &scores.view(), &scatter.view(), n);
    let slope = |k: usize| {
        let (own, without) = (scores.column(k), without.column(k));
        let slope = own.dot(&without) / own.dot(&own);
        if slope.is_finite() { slope.clamp(0.0, 1.0) as f32 } else { 1.0 }
    };
    (0..scores.ncols()).map(slope).collect()
}

/// Some rows, less the mean.
fn centred(points: &Points<'_>, chosen: &[usize], mean: &[f64]) -> Array2<f64> {
    let mut rows = Array2::zeros((chosen.len(), mean.len()));
    for (mut row, &i) in rows.rows_mut().into_iter().zip(chosen) {
        match points {
            Points::Dense(x) => row.iter_mut().zip(x.row(i)).for_each(|(to, &v)| *to = f64::from(v)),
            Points::Dense64(x) => row.assign(&x.row(i)),
            Points::Rounded(x) => row.iter_mut().zip(x.row(i)).for_each(|(to, &v)| *to = rounded(v)),
            Points::Sparse(x) => x.row(i).iter().for_each(|(j, v)| row[j] = v),
        }
        row.iter_mut().zip(mean).for_each(|(v, mean)| *v -= mean);
    }
    rows
}

/// The scores of each of these rows along the components of all `n` rows but itself.
fn scores_without(
    rows: &ArrayView2<'_, f64>,
    scores: &ArrayView2<'_, f64>,
    scatter: &ArrayView1<'_, f64>,
    n: usize,
) -> Array2<f64> {
    // Inner products of what the components leave of the rows.
    let rest = rows.dot(&rows.t()) - scores.dot(&scores.t());
    let mut without = Array2::zeros(scores.dim());
    for (i, own) in scores.rows().into_iter().enumerate() {
        let square = rest[[i, i]];
        let has_rest = square > NEGLIGIBLE * (square + own.dot(&own));
        let others = if has_rest && rest.nrows() > 1 {
            let sum = rest.row(i).iter().map(|v| v * v).sum::<f64>() - square * square;
            sum / square * (n - 1) as f64 / (rest.nrows() - 1) as f64
        } else {
            0.0
        };
        let length = if has_rest { square.sqrt() } else { 0.0 };
        let z: Vec<f64> = own.iter().copied().chain([length]).collect();
        let w: Vec<f64> = scatter.iter().copied().chain([length * length + others]).collect();
        let u = least_scatter(&w, &z);
        let along: f64 = u.iter().zip(&z).map(|(u, z)| u * z).sum();
        let remaining: Vec<f64> = z.iter().zip(&u).map(|(z, u)| z - along * u).collect();
        // The rotation from u to e, the last axis, of a vector p at right angles to u: p − p_e (u + e)/(1 + u_e).
        let (last, p_last) = (u[own.len()], remaining[own.len()]);
        for k in 0..own.len() {
            without[[i, k]] = remaining[k] - p_last * u[k] / (1.0 + last);
        }
    }
    without
}

/// The eigenvector of the smallest eigenvalue of diag(w) − z zᵀ, of length 1; its last entry is not negative.
fn least_scatter(w: &[f64], z: &[f64]) -> Vec<f64> {
    let mut u = vec![0.0; w.len()];
    let last = w.len() - 1;
    let present = || w.iter().zip(z).filter(|(_, z)| **z != 0.0);
    let square: f64 = z.iter().map(|z| z * z).sum();
    let top = present().map(|(w, _)| *w).fold(f64::INFINITY, f64::min);
    // The smallest eigenvalue is the root of Σ z²/(w − μ) = 1 below all w. The sum grows with μ.
    let (mut low, mut high) = (top - square, top);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        let sum: f64 = present().map(|(w, z)| z * z / (w - middle)).sum();
        *(if sum < 1.0 { &mut low } else { &mut high }) = middle;
    }
    // Without a rest there is no scatter along the last axis, unless the row alone makes one of the components.
    let alone = low <= NEGLIGIBLE * w.iter().copied().fold(0.0, f64::max);
    if !top.is_finite() || (z[last] == 0.0 && !alone) {
        u[last] = 1.0;
        return u;
    }
    for ((u, w), z) in u.iter_mut().zip(w).zip(z) {
        *u = if *z == 0.0 { 0.0 } else { z / (w - low) };
    }
    let length = u.iter().map(|u| u * u).sum::<f64>().sqrt();
    for u in &mut u {
        *u /= length;
    }
    u
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        observe::Silent,
        pca::{principal_components, symmetric_eigen},
        random::mix,
        sparse::CsrMatrix,
    };
    use ndarray::Axis;
    use proptest::prelude::*;

    /// Numbers from −1 to 1 that look like chance.
    fn noise(seed: u64, i: usize, j: usize) -> f64 {
        mix(mix(mix(seed) ^ i as u64) ^ j as u64) as f64 / u64::MAX as f64 * 2.0 - 1.0
    }

    /// Noise, and three directions in which the rows differ more.
    fn data(seed: u64, n: usize, columns: usize) -> Array2<f64> {
        let factor = |i: usize, j: usize| (0..3).map(|f| noise(seed ^ 1, i, f) * noise(seed ^ 2, f, j)).sum::<f64>();
        Array2::from_shape_fn((n, columns), |(i, j)| 2.0 * factor(i, j) + noise(seed, i, j) + 5.0)
    }

    /// The components are computed again without each row, and turned as near as possible to those of all rows. The slope of each
    /// component, and the sum of its squared scores.
    fn slow(x: &Array2<f64>, count: usize) -> (Vec<f64>, Vec<f64>) {
        let components = |x: &Array2<f64>| principal_components(&Points::from(x), count, 0, &mut Silent).unwrap();
        let all = components(x);
        let (mut products, mut squares) = (vec![0.0; count], vec![0.0; count]);
        for i in 0..x.nrows() {
            let others: Vec<usize> = (0..x.nrows()).filter(|&j| j != i).collect();
            let without = components(&x.select(Axis(0), &others));
            // The orthogonal matrix that is nearest to M is M (Mᵀ M)^(−½).
            let m = without.components.dot(&all.components.t());
            let (values, vectors) = symmetric_eigen(&m.t().dot(&m), count);
            let roots = Array2::from_diag(&values.iter().map(|v| v.powf(-0.5)).collect::<Array1<f64>>());
            let turn = m.dot(&vectors.t()).dot(&roots).dot(&vectors);
            let row = &x.row(i) - &Array1::from(all.mean.clone());
            let seen = row.dot(&without.components.t()).dot(&turn);
            let own = row.dot(&all.components.t());
            for k in 0..count {
                products[k] += own[k] * seen[k];
                squares[k] += own[k] * own[k];
            }
        }
        (products.iter().zip(&squares).map(|(p, s)| p / s).collect(), squares)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        /// Both leave one row out. The fast way sees only the span of the components and of the row. The data have three components of
        /// their own, which must agree one by one. The others are noise of nearly the same variance, of which each can become a mixture
        /// when a row is left out, so that only the slope of all scores together can be compared.
        #[test]
        fn it_is_what_leaving_rows_out_says(seed: u64, n in 30_usize..60, columns in 20_usize..90) {
            let x = data(seed, n, columns);
            let pca = principal_components(&Points::from(&x), 6, 0, &mut Silent).unwrap();
            let fast: Vec<f64> = shrinkage(&Points::from(&x), &pca).into_iter().map(f64::from).collect();
            let (slow, squares) = slow(&x, 6);
            for (fast, slow) in fast.iter().zip(&slow).take(3) {
                prop_assert!((fast - slow).abs() < 0.02, "{fast} {slow}");
            }
            let of_all = |slopes: &[f64]| {
                slopes.iter().zip(&squares).map(|(slope, square)| slope * square).sum::<f64>() / squares.iter().sum::<f64>()
            };
            prop_assert!((of_all(&fast) - of_all(&slow)).abs() < 0.03, "{fast:?} {slow:?}");
        }

        #[test]
        fn the_direction_of_least_scatter_is_an_eigenvector(
            parts in prop::collection::vec((0.1_f64..9.0, -0.3_f64..0.3), 2..8),
        ) {
            let (w, z): (Vec<f64>, Vec<f64>) = parts.into_iter().unzip();
            prop_assume!(z[z.len() - 1].abs() > 1e-3);
            let matrix = Array2::from_diag(&Array1::from(w.clone()))
                - Array2::from_shape_fn((z.len(), z.len()), |(a, b)| z[a] * z[b]);
            let (_, vectors) = symmetric_eigen(&matrix, z.len());
            let u = Array1::from(least_scatter(&w, &z));
            prop_assert!(u.dot(&vectors.row(z.len() - 1)).abs() > 1.0 - 1e-6);
        }
    }

    #[test]
    fn the_last_components_of_few_wide_rows_are_mostly_noise_and_those_of_many_narrow_rows_are_not() {
        let wide = data(3, 60, 200);
        let pca = principal_components(&Points::from(&wide), 20, 0, &mut Silent).unwrap();
        let found = shrinkage(&Points::from(&wide), &pca);
        assert!(found[0] > 0.9 && found[19] < 0.5, "{found:?}");
        let narrow = data(3, 2000, 20);
        let pca = principal_components(&Points::from(&narrow), 3, 0, &mut Silent).unwrap();
        assert!(shrinkage(&Points::from(&narrow), &pca).iter().all(|&rho| rho > 0.99));
    }

    #[test]
    fn rows_that_their_components_show_entirely_stay_as_they_are() {
        // Of rank 3.
        let x = data(5, 40, 3).dot(&data(6, 3, 30));
        let pca = principal_components(&Points::from(&x), 3, 0, &mut Silent).unwrap();
        assert!(shrinkage(&Points::from(&x), &pca).iter().all(|&rho| rho > 0.999));
        let same = Array2::from_elem((9, 4), 2.5);
        let pca = principal_components(&Points::from(&same), 2, 0, &mut Silent).unwrap();
        assert_eq!(shrinkage(&Points::from(&same), &pca), [1.0, 1.0]);
    }

    #[test]
    fn all_forms_of_points_say_the_same() {
        let x = data(7, 50, 40).mapv(|v| f64::from(v as f32));
        let single = x.mapv(|v| v as f32);
        let entries: Vec<(u32, u32, f64)> = x.indexed_iter().map(|((i, j), &v)| (i as u32, j as u32, v)).collect();
        let forms = [
            Points::from(&x),
            Points::Rounded((&x).into()),
            Points::from(&single),
            Points::from(CsrMatrix::from_triplets(x.dim(), &entries).unwrap()),
        ];
        let found = forms.map(|points| {
            let pca = principal_components(&points, 5, 0, &mut Silent).unwrap();
            shrinkage(&points, &pca)
        });
        for other in &found[1..] {
            assert!(found[0].iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-4), "{found:?}");
        }
    }
}
