//! The objective of the optimizer, KL(P‖Q), and how equal the row sums of P and Q are.

use super::{Map, Measure, QualityOptions};
use crate::{
    error::Error,
    kernel::Kernel,
    normalization::{Imbalance, degrees},
    parallel::sum_over,
    sparse::CsrMatrix,
};
use rayon::prelude::*;

/// The objective of the optimizer, and the variation of the row sums.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Divergence {
    /// KL(P‖Q) of the coordinates as they are.
    pub kl: Measure,
    /// KL(P‖Q) of the map at its best size, for methods whose maps have no natural size, such as multidimensional
    /// scaling.
    pub kl_at_best_size: Measure,
    /// The factor from the map's size to its best size.
    pub best_size: f64,
    /// Coefficient of variation of the row sums of P: standard deviation over mean.
    pub cv_p: f64,
    /// The same for Q.
    pub cv_q: Measure,
}

/// Sizes are searched from 2^−SPAN to 2^SPAN times that of the map.
const SPAN: f64 = 20.0;
/// Tolerance of the size. KL is flat at its minimum, so its own error is of the order of the square.
const SIZE_TOLERANCE: f64 = 1e-6;
/// Largest number of rows of q in the search for the best size.
const FOR_SIZE: usize = 1000;

/// Measures KL(P‖Q). `p` is symmetric; its diagonal is ignored, and its scale does not matter.
pub fn divergence(map: &Map, p: &CsrMatrix<'_>, kernel: Kernel, options: &QualityOptions) -> Result<Divergence, Error> {
    let n = map.len();
    p.check_square()?;
    map.check_length(p.rows())?;
    let sums = degrees(p);
    let total = sum_over(n, |i| sums[i]);
    let entropy = sum_over(n, |i| entries(p, i).map(|(_, value)| value / total * (value / total).ln()).sum::<f64>());
    let sample = options.sample(n);
    let problem = Problem { map, p, kernel, total, entropy, sample: &sample };
    let (kl, q_sums) = problem.kl(1.0);
    // The best size, by golden-section search: with the size of a map, KL first falls, then rises.
    let few: Vec<usize> = sample.iter().copied().step_by(sample.len().div_ceil(FOR_SIZE)).collect();
    let rough = Problem { sample: &few, ..problem };
    let at = |log2: f64| rough.kl(log2.exp2()).0.value;
    let log2 = golden_section(at, -SPAN, SPAN);
    let best_size = log2.exp2();
    let kl_at_best_size = problem.kl(best_size).0;
    Ok(Divergence {
        kl,
        kl_at_best_size,
        best_size,
        cv_p: Imbalance::of_sums(&sums).cv,
        cv_q: coefficient_of_variation(&q_sums, n),
    })
}

#[derive(Clone, Copy)]
struct Problem<'a> {
    map: &'a Map,
    p: &'a CsrMatrix<'a>,
    kernel: Kernel,
    total: f64,
    entropy: f64,
    sample: &'a [usize],
}

impl Problem<'_> {
    /// KL(P‖Q) of the map at `size` times its size, and the row sums of q from which log Z was computed.
    fn kl(&self, size: f64) -> (Measure, Vec<f64>) {
        let n = self.map.len();
        let squared = size * size;
        let energy = sum_over(n, |i| {
            entries(self.p, i)
                .map(|(j, value)| value / self.total * self.minus_log_q(squared * self.map.squared_chord(i, j)))
                .sum::<f64>()
        });
        let row_sum = |&i: &usize| {
            (0..n).filter(|&j| j != i).map(|j| self.q(squared * self.map.squared_chord(i, j))).sum::<f64>()
        };
        let q_sums: Vec<f64> = self.sample.par_iter().map(row_sum).collect();
        let mean = Measure::mean(&q_sums, n);
        let kl = mean.map(|mean| self.entropy + energy + (mean * n as f64).ln(), 1.0 / mean.value);
        (kl, q_sums)
    }

    fn q(&self, d2: f64) -> f64 {
        match self.kernel {
            Kernel::Cauchy => 1.0 / (1.0 + d2),
            Kernel::Gaussian => (-d2).exp(),
        }
    }

    fn minus_log_q(&self, d2: f64) -> f64 {
        match self.kernel {
            Kernel::Cauchy => d2.ln_1p(),
            Kernel::Gaussian => d2,
        }
    }
}

fn entries<'a>(p: &'a CsrMatrix<'_>, i: usize) -> impl Iterator<Item = (usize, f64)> + 'a {
    p.row(i).iter().filter(move |&(j, value)| j != i && value > 0.0)
}

/// Standard deviation over mean; its interval is the one for normal values, σ/√(2m).
fn coefficient_of_variation(values: &[f64], n: usize) -> Measure {
    let cv = Imbalance::of_sums(values).cv;
    let m = values.len() as f64;
    let margin = (values.len() < n).then(|| 1.96 * cv / (2.0 * m).sqrt() * (1.0 - m / n as f64).sqrt());
    Measure { value: cv, margin }
}

/// The minimum of `f` between `low` and `high`.
fn golden_section(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let mut inner = [high - ratio * (high - low), low + ratio * (high - low)];
    let mut values = inner.map(&f);
    while high - low > SIZE_TOLERANCE {
        if values[0] <= values[1] {
            high = inner[1];
            inner = [high - ratio * (high - low), inner[0]];
            values = [f(inner[0]), values[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + ratio * (high - low)];
            values = [values[1], f(inner[1])];
        }
    }
    f64::midpoint(low, high)
}
