//! Principal components, for wide data: among the first 50 or so, neighbours are found faster and are often more
//! meaningful.
//!
//! | data | method |
//! |---|---|
//! | at most [`MOST_EXACT`] columns | the covariance matrix and all its eigenvalues |
//! | wider | subspace iteration from a random start (Halko, Martinsson and Tropp, SIAM Review 53, 2011) until the variances converge; among the rows, if the data are sparse and have fewer rows than columns |
//!
//! Sparse data is never made dense: its mean is subtracted implicitly. Sums are computed over fixed blocks in a fixed
//! order, so the result does not depend on the number of threads.

mod covariance;
mod eigen;
mod rows;
mod subspace;

pub(crate) use eigen::symmetric_eigen;

use ndarray::{Array2, ArrayView2, Axis};

use rows::{Numbers, Rows};

use crate::error::{Error, Parameter, Quantity};
use crate::input::{Points, column_means};
use crate::observe::Observer;

/// With at most this many columns the covariance matrix is computed, with all its eigenvalues.
pub const MOST_EXACT: usize = 1200;

/// Rows per block.
const BLOCK: usize = 512;

/// The first principal components of a set of points.
#[derive(Debug, Clone)]
pub struct Pca {
    /// The points in the coordinates of the components: n × c, centred.
    pub scores: Array2<f32>,
    /// The components, c × D, orthonormal rows; the largest entry of each is positive.
    pub components: Array2<f64>,
    /// The variance along each component (divided by n − 1), largest first.
    pub variances: Vec<f64>,
    /// The total variance of all columns.
    pub total_variance: f64,
    /// The mean of the points.
    pub mean: Vec<f64>,
}

/// The first `count` principal components. `seed` is for the random start that wide data needs.
///
/// The `observer` is notified of progress and can stop the computation, which then returns [`Error::Stopped`].
pub fn principal_components(
    points: &Points<'_>,
    count: usize,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Pca, Error> {
    let (rows, columns) = points.shape();
    if count == 0 {
        return Err(Error::zero(Parameter::Components));
    }
    if count > rows.min(columns) {
        return Err(Error::TooManyComponents { asked: count, rows, columns });
    }
    let data = match points {
        Points::Dense(x) => Rows::Dense(Numbers::Single(x.view())),
        Points::Dense64(x) => Rows::Dense(Numbers::Double(x.view(), column_means(&x.view()))),
        Points::Rounded(x) => Rows::Dense(Numbers::Double(x.view(), vec![0.0; columns])),
        Points::Sparse(x) => Rows::Sparse(x),
    };
    data.check()?;
    let mean = data.mean();
    let (mut eigenvalues, mut components, total) = if columns <= MOST_EXACT {
        let covariance = covariance::scatter(&data, &mean, observer)?;
        let total = covariance.diag().sum();
        let (values, vectors) = symmetric_eigen(&covariance, count);
        (values, vectors, total)
    } else {
        let total = data.total_scatter(&mean);
        let (values, vectors) = match &data {
            Rows::Sparse(x) if rows < columns => subspace::leading_of_wide(x, &mean, count, seed, observer)?,
            _ => subspace::leading(&data, &mean, count, seed, observer)?,
        };
        (values, vectors, total)
    };
    for mut component in components.axis_iter_mut(Axis(0)) {
        let largest = component.iter().fold(0.0_f64, |m, &v| if v.abs() > m.abs() { v } else { m });
        if largest < 0.0 {
            component.mapv_inplace(|v| -v);
        }
    }
    eigenvalues.truncate(count);
    let divisor = (rows.max(2) - 1) as f64;
    let scores = data.project(&mean, &components);
    let mean = match points {
        // What was subtracted before the reduction to single precision.
        Points::Dense64(x) => column_means(&x.view()).iter().zip(&mean).map(|(offset, rest)| offset + rest).collect(),
        Points::Dense(_) | Points::Rounded(_) | Points::Sparse(_) => mean,
    };
    Ok(Pca {
        scores,
        components,
        // Rounding may make a variance of zero slightly negative.
        variances: eigenvalues.iter().map(|v| v.max(0.0) / divisor).collect(),
        total_variance: total / divisor,
        mean,
    })
}

/// Bytes that [`principal_components`] needs besides the points and their scores.
pub(crate) fn working_bytes(points: &Points<'_>, count: usize) -> u64 {
    let (rows, columns) = points.shape();
    let (rows, width, count) = (rows as u64, (count + subspace::EXTRA) as u64, count as u64);
    let tasks = rayon::current_num_threads() as u64;
    let exact = columns <= MOST_EXACT;
    let columns = columns as u64;
    let components = 2 * columns * count;
    8 * match points {
        _ if exact => columns.pow(2).min(rows * columns),
        // The largest moment is the orthonormalisation of the components, or a strip for each thread before it.
        Points::Sparse(_) if rows < columns => {
            components + columns * count + 3 * rows * width + tasks * subspace::STRIP as u64 * columns
        }
        Points::Sparse(_) => components + 4 * columns * width,
        Points::Dense(_) | Points::Dense64(_) | Points::Rounded(_) => {
            components + (subspace::PARTS as u64 + 2) * columns * width + tasks * BLOCK as u64 * columns
        }
    }
}

/// Points in space as seen along their axis of least variance: centred, in the coordinates of the two other axes.
#[allow(clippy::needless_pass_by_value, reason = "array views are references")]
pub fn widest_view(points: ArrayView2<'_, f64>) -> Result<Array2<f64>, Error> {
    if points.ncols() != 3 {
        return Err(Error::Dimensions { what: "the map", found: points.ncols(), expected: 3 });
    }
    if let Some(((row, column), &value)) = points.indexed_iter().find(|(_, v)| !v.is_finite()) {
        return Err(Error::Value { quantity: Quantity::MapCoordinate, row, column, value });
    }
    let centred = &points - &(points.sum_axis(Axis(0)) / points.nrows().max(1) as f64);
    let (_, axes) = symmetric_eigen(&centred.t().dot(&centred), 2);
    Ok(centred.dot(&axes.t()))
}

#[cfg(test)]
mod tests {
    use ndarray::{ShapeBuilder, s};
    use proptest::prelude::*;

    use super::*;
    use crate::observe::Silent;
    use crate::sparse::CsrMatrix;

    fn solve(points: &Points, count: usize) -> Pca {
        principal_components(points, count, 0, &mut Silent).expect("good points")
    }

    fn to_sparse(x: &Array2<f32>) -> Points<'static> {
        let entries = x.indexed_iter().filter(|&(_, &v)| v != 0.0);
        let triplets: Vec<_> = entries.map(|((i, j), &v)| (i as u32, j as u32, f64::from(v))).collect();
        Points::Sparse(CsrMatrix::from_triplets(x.dim(), &triplets).unwrap())
    }

    /// Values of a fixed hash, a third of them zero, with variances that decrease from column to column.
    fn points(n: usize, columns: usize, decay: f32) -> Array2<f32> {
        Array2::from_shape_fn((n, columns), |(i, j)| {
            let hash = (i * columns + j + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
            let value = (hash % 1000) as f32 / 500.0 - 0.5;
            if hash.is_multiple_of(3) { 0.0 } else { value * decay.powi((j % 40) as i32) }
        })
    }

    /// The properties that principal components must have for any data.
    fn check(x: &Array2<f32>, pca: &Pca, tolerance: f64) {
        let (n, columns) = x.dim();
        let count = pca.variances.len();
        let product = pca.components.dot(&pca.components.t());
        for a in 0..count {
            for b in 0..count {
                let expected = f64::from(u8::from(a == b));
                assert!((product[[a, b]] - expected).abs() < 1e-10, "components {a} and {b}: {}", product[[a, b]]);
            }
        }
        let scale = pca.total_variance.max(1e-30);
        for a in 0..count {
            for b in 0..count {
                let column = |c: usize| pca.scores.column(c).mapv(f64::from);
                let covariance = column(a).dot(&column(b)) / (n as f64 - 1.0);
                let expected = if a == b { pca.variances[a] } else { 0.0 };
                assert!((covariance - expected).abs() < tolerance * scale, "scores {a}, {b}: {covariance} {expected}");
            }
        }
        assert!(pca.variances.windows(2).all(|w| w[0] >= w[1]));
        let sum: f64 = pca.variances.iter().sum();
        assert!(
            sum <= pca.total_variance * (1.0 + 1e-6) && (count < columns || sum >= pca.total_variance * (1.0 - 1e-6))
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn scores_are_uncorrelated_and_have_the_variances(n in 2_usize..60, columns in 1_usize..20, decay in 0.5_f32..1.0) {
            let x = points(n, columns, decay);
            let count = n.min(columns);
            check(&x, &solve(&Points::from(x.clone()), count), 1e-6);
            check(&x, &solve(&to_sparse(&x), count), 1e-6);
        }
    }

    #[test]
    fn the_mean_is_that_of_the_points_also_in_double_precision() {
        let x = points(40, 5, 0.8).mapv(f64::from) + 1.7e9;
        let expected = x.mean_axis(Axis(0)).unwrap();
        let pca = solve(&Points::from(x), 3);
        for (mean, expected) in pca.mean.iter().zip(&expected) {
            assert!((mean - expected).abs() < 1e-5, "{mean} {expected}");
        }
    }

    #[test]
    fn precision_and_order_in_memory_do_not_change_a_bit_of_the_components() {
        for (n, columns) in [(1300, 30), (40, MOST_EXACT + 5)] {
            let x = points(n, columns, 0.9);
            let expected = solve(&Points::from(&x), 4);
            let mut by_columns = Array2::zeros((n, columns).f());
            by_columns.assign(&x);
            // Less than half of a unit in the last place of single precision.
            let double = x.mapv(|v| f64::from(v) * (1.0 + 1e-9));
            for other in [Points::from(by_columns), Points::Rounded(double.into())] {
                let found = solve(&other, 4);
                assert_eq!(found.scores, expected.scores);
                assert_eq!(found.components, expected.components);
                assert_eq!((found.mean, found.total_variance), (expected.mean.clone(), expected.total_variance));
            }
        }
    }

    #[test]
    fn wide_data_has_the_same_components_as_the_covariance_matrix() {
        let x = points(300, 150, 0.8);
        let mut go_on = Silent;
        let dense = Rows::Dense(Numbers::Single(x.view()));
        let mean = dense.mean();
        let scatter = covariance::scatter(&dense, &mean, &mut go_on).unwrap();
        let (exact, vectors) = symmetric_eigen(&scatter, 6);
        let Points::Sparse(matrix) = to_sparse(&x) else { panic!("made sparse") };
        for rows in [dense, Rows::Sparse(&matrix)] {
            let (found, components) = subspace::leading(&rows, &mean, 6, 0, &mut go_on).unwrap();
            for c in 0..6 {
                // The error of an eigenvalue is second order in the error of the subspace, and the last round changed
                // them by 1e-5.
                assert!((found[c] / exact[c] - 1.0).abs() < 1e-4, "{c}: {} is not {}", found[c], exact[c]);
            }
            // Each exact vector lies in the span of the found ones.
            for vector in vectors.slice(s![..4, ..]).outer_iter() {
                let inside = components.dot(&vector);
                assert!(inside.dot(&inside) > 0.999, "{}", inside.dot(&inside));
            }
        }
    }

    #[test]
    fn sparse_data_with_few_rows_has_the_same_components_too() {
        let x = points(120, 300, 0.8);
        let dense = Rows::Dense(Numbers::Single(x.view()));
        let mean = dense.mean();
        let (exact, vectors) = symmetric_eigen(&covariance::scatter(&dense, &mean, &mut Silent).unwrap(), 6);
        let Points::Sparse(matrix) = to_sparse(&x) else { panic!("made sparse") };
        let (found, components) = subspace::leading_of_wide(&matrix, &mean, 6, 0, &mut Silent).unwrap();
        for c in 0..6 {
            assert!((found[c] / exact[c] - 1.0).abs() < 1e-4, "{c}: {} is not {}", found[c], exact[c]);
        }
        for vector in vectors.slice(s![..4, ..]).outer_iter() {
            let inside = components.dot(&vector);
            assert!(inside.dot(&inside) > 0.999, "{}", inside.dot(&inside));
        }
        let wide = points(60, MOST_EXACT + 300, 0.9);
        check(&wide, &solve(&to_sparse(&wide), 5), 1e-4);
        // Of rank 1, with more components than that.
        let flat = Array2::from_shape_fn((20, MOST_EXACT + 1), |(i, j)| if j % 50 == 0 { (i + 1) as f32 } else { 0.0 });
        let pca = solve(&to_sparse(&flat), 5);
        check(&flat, &pca, 1e-6);
        assert!(pca.variances[1] < 1e-6 * pca.variances[0]);
    }

    #[test]
    fn data_of_low_rank_still_has_orthonormal_components() {
        let x = Array2::from_shape_fn((50, MOST_EXACT + 1), |(i, j)| ((i % 3) * (j % 5)) as f32);
        let pca = solve(&Points::from(&x), 5);
        check(&x, &pca, 1e-6);
        assert!(pca.variances[1] < 1e-6 * pca.variances[0]);
        let constant = Array2::from_elem((10, 4), 3.0_f32);
        check(&constant, &solve(&Points::from(constant.clone()), 4), 1e-6);
    }

    #[test]
    fn a_flat_cloud_in_space_is_seen_along_its_thinnest_axis() {
        let y = Array2::from_shape_fn((50, 3), |(i, k)| match k {
            0 => (i as f64).sin(),
            1 => 5.0 * (1.7 * i as f64).cos(),
            _ => 0.0,
        });
        let view = widest_view(y.view()).unwrap();
        let spread = |k: usize| view.column(k).iter().map(|v| v * v).sum::<f64>();
        let total: f64 = (0..3).map(|k| y.column(k).iter().map(|v| v * v).sum::<f64>()).sum();
        assert!(spread(0) > spread(1));
        // Centring removes a small part.
        assert!(spread(0) + spread(1) > 0.95 * total);
        assert!(widest_view(y.slice(s![.., ..2])).is_err());
    }

    #[test]
    fn invalid_requests_are_errors() {
        let mut go_on = Silent;
        let x = Points::from(Array2::<f32>::zeros((5, 3)));
        let error = principal_components(&x, 4, 0, &mut go_on).unwrap_err();
        assert_eq!(error, Error::TooManyComponents { asked: 4, rows: 5, columns: 3 });
        assert!(matches!(principal_components(&x, 0, 0, &mut go_on), Err(Error::Parameter { .. })));
        let infinite = Points::from(Array2::from_elem((5, 3), f32::INFINITY));
        assert!(matches!(principal_components(&infinite, 1, 0, &mut go_on), Err(Error::Value { .. })));
        let mut bad = Array2::from_elem((5, 3), 1.0_f64);
        for value in [f64::NAN, f64::INFINITY] {
            bad[[2, 1]] = value;
            for points in [Points::from(&bad), Points::Rounded((&bad).into())] {
                let error = principal_components(&points, 1, 0, &mut go_on).unwrap_err();
                assert!(matches!(error, Error::Value { row: 2, column: 1, .. }), "{error}");
            }
        }
        bad[[2, 1]] = 1e200;
        let error = principal_components(&Points::Rounded((&bad).into()), 1, 0, &mut go_on).unwrap_err();
        assert!(matches!(error, Error::Value { row: 2, column: 1, .. }), "{error}");
    }

    #[test]
    fn same_bytes_on_any_number_of_threads() {
        let (narrow, wide) = (points(3000, 300, 0.95), points(700, MOST_EXACT + 10, 0.9));
        for x in [Points::from(narrow.clone()), to_sparse(&narrow), Points::from(wide.clone()), to_sparse(&wide)] {
            let on = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| solve(&x, 5))
            };
            let (one, seven) = (on(1), on(7));
            assert_eq!(one.scores, seven.scores);
            assert_eq!(one.components, seven.components);
            assert_eq!(one.variances, seven.variances);
        }
    }
}
