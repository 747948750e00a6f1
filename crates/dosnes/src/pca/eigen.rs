//! Eigenvalues and eigenvectors of a dense symmetric matrix.
//!
//! Householder reduction to tridiagonal form, then the implicit QL iteration (Golub and Van Loan, *Matrix
//! Computations*, 4th edition, sections 8.3.1 and 8.3.3). The rotations are collected and applied to strips of the
//! eigenvectors' coordinates in parallel. Only the wanted vectors are transformed back by the reflections.

use ndarray::Array2;
use rayon::prelude::*;

/// Coordinates per strip.
const STRIP: usize = 64;
/// Number of rotations that are collected before they are applied, so that threads rarely wait for each other.
const ROTATIONS: usize = 20_000;
/// QL needs at most about two sweeps per eigenvalue; it reaches this limit only if the matrix contains NaN.
const MOST_SWEEPS: usize = 60;

/// The eigenvalues, largest first, and the eigenvectors of the `wanted` largest, as rows of length 1.
pub(crate) fn symmetric_eigen(a: &Array2<f64>, wanted: usize) -> (Vec<f64>, Array2<f64>) {
    let n = a.nrows();
    let mut a = a.as_standard_layout().into_owned();
    let reflections = to_tridiagonal(&mut a);
    let mut diagonal: Vec<f64> = (0..n).map(|i| a[[i, i]]).collect();
    let mut off_diagonal: Vec<f64> = (0..n).map(|i| if i + 1 < n { a[[i + 1, i]] } else { 0.0 }).collect();
    let strips = diagonalise(&mut diagonal, &mut off_diagonal);

    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&p, &q| diagonal[q].total_cmp(&diagonal[p]));
    let mut vectors = vec![0.0; wanted * n];
    vectors.par_chunks_mut(n.max(1)).zip(&order).for_each(|(vector, &e)| {
        for (s, strip) in strips.iter().enumerate() {
            let width = strip.len() / n;
            vector[s * STRIP..s * STRIP + width].copy_from_slice(&strip[e * width..(e + 1) * width]);
        }
        for (k, reflection) in reflections.iter().enumerate().rev() {
            reflect(reflection, &mut vector[k + 1..]);
        }
    });
    let vectors = Array2::from_shape_vec((wanted, n), vectors).expect("one row for each wanted vector");
    (order.iter().map(|&e| diagonal[e]).collect(), vectors)
}

/// x ← (1 − 2vvᵀ) x for a unit vector v; an empty v changes nothing.
fn reflect(v: &[f64], x: &mut [f64]) {
    let twice = 2.0 * v.iter().zip(x.iter()).map(|(v, x)| v * x).sum::<f64>();
    for (x, v) in x.iter_mut().zip(v) {
        *x -= twice * v;
    }
}

/// Leaves `QᵀAQ` on the diagonal and below it. Q is the product of the reflections; the k-th acts on the coordinates
/// after k.
fn to_tridiagonal(a: &mut Array2<f64>) -> Vec<Vec<f64>> {
    let n = a.nrows();
    let mut reflections = Vec::with_capacity(n.saturating_sub(2));
    for k in 0..n.saturating_sub(2) {
        let column: Vec<f64> = (k + 1..n).map(|i| a[[i, k]]).collect();
        let largest = column.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        if column[1..].iter().all(|&v| v == 0.0) {
            reflections.push(Vec::new());
            continue;
        }
        // Scaled, to prevent overflow and underflow of the squares.
        let mut v: Vec<f64> = column.iter().map(|c| c / largest).collect();
        let length = v.iter().map(|c| c * c).sum::<f64>().sqrt();
        let sign = if v[0] < 0.0 { -1.0 } else { 1.0 };
        v[0] += sign * length;
        let norm = v.iter().map(|c| c * c).sum::<f64>().sqrt();
        for c in &mut v {
            *c /= norm;
        }
        a[[k + 1, k]] = -sign * length * largest;

        // A ← HAH with H = 1 − 2vvᵀ: A − vwᵀ − wvᵀ with w = 2(Av − (vᵀAv)v). Only the lower triangle is kept.
        let values = a.as_slice_mut().expect("made in standard layout");
        let row_starts = (k + 1..n).map(|i| i * n + k + 1);
        let mut w = vec![0.0; v.len()];
        for (i, start) in row_starts.clone().enumerate() {
            let (row, diagonal) = (&values[start..start + i], values[start + i]);
            let mut product = diagonal * v[i];
            for ((a, v_j), w_j) in row.iter().zip(&v).zip(&mut w) {
                product += a * v_j;
                *w_j += a * v[i];
            }
            w[i] += product;
        }
        let inner: f64 = w.iter().zip(&v).map(|(w, v)| w * v).sum();
        for (w, v) in w.iter_mut().zip(&v) {
            *w = 2.0 * (*w - inner * v);
        }
        for (i, start) in row_starts.enumerate() {
            let (v_i, w_i) = (v[i], w[i]);
            for ((a, v_j), w_j) in values[start..=start + i].iter_mut().zip(&v).zip(&w) {
                *a -= v_i * w_j + w_i * v_j;
            }
        }
        reflections.push(v);
    }
    reflections
}

/// The implicit QL iteration: leaves the eigenvalues in `d`. Returns the eigenvectors' coordinates in strips, each n ×
/// (its width), with one row per eigenvector.
fn diagonalise(d: &mut [f64], e: &mut [f64]) -> Vec<Vec<f64>> {
    let n = d.len();
    let mut strips: Vec<Vec<f64>> = (0..n.div_ceil(STRIP))
        .map(|s| {
            let width = STRIP.min(n - s * STRIP);
            let mut strip = vec![0.0; n * width];
            for c in 0..width {
                strip[(s * STRIP + c) * width + c] = 1.0;
            }
            strip
        })
        .collect();
    let mut rotations: Vec<(usize, f64, f64)> = Vec::new();
    for l in 0..n {
        for _ in 0..MOST_SWEEPS {
            // The block that starts at l ends where the off-diagonal entry is negligible relative to its neighbours.
            let negligible = |m: usize| e[m].abs() <= f64::EPSILON * (d[m].abs() + d[m + 1].abs());
            let m = (l..n - 1).find(|&m| negligible(m)).unwrap_or(n - 1);
            if m == l {
                break;
            }
            // Wilkinson's shift: the eigenvalue of the leading 2 × 2 that is nearer to d[l].
            let half = (d[l + 1] - d[l]) / (2.0 * e[l]);
            let shift = d[l] - e[l] / (half + half.hypot(1.0).copysign(half));
            let (mut g, mut p) = (d[m] - shift, 0.0);
            let (mut sine, mut cosine) = (1.0, 1.0);
            let mut whole = true;
            for i in (l..m).rev() {
                let (f, b) = (sine * e[i], cosine * e[i]);
                let r = f.hypot(g);
                e[i + 1] = r;
                if r == 0.0 {
                    // The block splits here; the rotations so far remain valid.
                    d[i + 1] -= p;
                    e[m] = 0.0;
                    whole = false;
                    break;
                }
                (sine, cosine) = (f / r, g / r);
                g = d[i + 1] - p;
                let t = (d[i] - g) * sine + 2.0 * cosine * b;
                p = sine * t;
                d[i + 1] = g + p;
                g = cosine * t - b;
                rotations.push((i, sine, cosine));
            }
            if whole {
                d[l] -= p;
                e[l] = g;
                e[m] = 0.0;
            }
            if rotations.len() >= ROTATIONS {
                rotate(&mut strips, &rotations, n);
                rotations.clear();
            }
        }
    }
    rotate(&mut strips, &rotations, n);
    strips
}

/// Applies the rotations (i, sine, cosine) in order to rows i and i + 1 of all strips.
fn rotate(strips: &mut [Vec<f64>], rotations: &[(usize, f64, f64)], n: usize) {
    strips.par_iter_mut().for_each(|strip| {
        let width = strip.len() / n;
        for &(i, sine, cosine) in rotations {
            let (upper, lower) = strip[i * width..(i + 2) * width].split_at_mut(width);
            for (x, y) in upper.iter_mut().zip(lower) {
                let f = *y;
                *y = sine * *x + cosine * f;
                *x = cosine * *x - sine * f;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(a: &Array2<f64>) {
        let n = a.nrows();
        let (values, vectors) = symmetric_eigen(a, n);
        let scale = a.iter().fold(f64::MIN_POSITIVE, |m, v| m.max(v.abs()));
        // Backward stable: errors are a modest multiple of the unit roundoff, which grows with n.
        let tolerance = 20.0 * n as f64 * f64::EPSILON;
        let identity = vectors.dot(&vectors.t());
        let residual = vectors.dot(a);
        assert!(values.windows(2).all(|w| w[0] >= w[1]));
        for i in 0..n {
            for j in 0..n {
                let expected = f64::from(u8::from(i == j));
                assert!((identity[[i, j]] - expected).abs() < tolerance, "not orthonormal: {}", identity[[i, j]]);
                let difference = residual[[i, j]] - values[i] * vectors[[i, j]];
                assert!(difference.abs() < tolerance * scale * n as f64, "not an eigenvector: {difference}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn eigenvectors_are_orthonormal_and_satisfy_their_equation(
            n in 1_usize..40,
            cells in prop::collection::vec(-1.0_f64..1.0, 40 * 40),
            exponent in -100_i32..100,
            rank in 1_usize..40,
        ) {
            let scale = 10.0_f64.powi(exponent);
            let b = Array2::from_shape_fn((n, rank), |(i, j)| cells[i * 40 + j]);
            let c = Array2::from_shape_fn((n, n), |(i, j)| scale * (cells[i * 40 + j] + cells[j * 40 + i]));
            check(&(b.dot(&b.t()) * scale));
            check(&c);
        }
    }

    #[test]
    fn large_matrices_take_the_parallel_paths() {
        check(&Array2::from_shape_fn((300, 300), |(i, j)| (((i * 37 + j * 37) % 101) as f64) - ((i * j) % 7) as f64));
    }

    #[test]
    fn special_matrices_are_solved() {
        check(&Array2::eye(7));
        check(&Array2::zeros((5, 5)));
        check(&Array2::from_elem((6, 6), 1.0));
        check(&Array2::from_shape_fn((9, 9), |(i, j)| if i.abs_diff(j) == 1 { 1.0 } else { 0.0 }));
        check(&Array2::from_diag(&ndarray::array![3.0, -1.0, 3.0, 1e-200, 0.0]));
    }
}
