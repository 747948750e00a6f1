//! Distances between two rows in double precision: the definition that every search method must reproduce.

use crate::{input::Centring, named};

/// The distance between two rows x and y.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Metric {
    /// √Σ(x−y)².
    #[default]
    Euclidean,
    /// 1 − x·y/(|x||y|), computed as ½|x/|x| − y/|y||², which is accurate also for almost parallel rows. A row of zeros
    /// has no direction and is an error.
    Cosine,
    /// The cosine distance after subtracting each row's own mean. A row of equal values is an error.
    Correlation,
    /// Σ|x−y|.
    Manhattan,
    /// The share of coordinates that differ.
    Hamming,
    /// 1 − |A∩B|/|A∪B| with A and B the columns in which x and y are not zero. Two empty rows are at distance 0.
    Jaccard,
}

named!(Metric, "metric", {
    Euclidean => ("euclidean", "√Σ(x−y)²"),
    Cosine => ("cosine", "one minus the cosine of the angle"),
    Correlation => ("correlation", "cosine distance after subtracting each row's mean"),
    Manhattan => ("manhattan", "Σ|x−y|"),
    Hamming => ("hamming", "the share of coordinates that differ"),
    Jaccard => ("jaccard", "Jaccard distance of the sets of nonzero columns"),
});

impl Metric {
    /// Whether points may be centred before they are compared: only if the metric is invariant under translation.
    pub(crate) fn centring(self) -> Centring {
        match self {
            Self::Euclidean | Self::Manhattan => Centring::Subtract,
            Self::Cosine | Self::Correlation | Self::Hamming | Self::Jaccard => Centring::Keep,
        }
    }

    /// Whether only a row's direction matters. A row without a direction is then an error.
    pub(super) fn is_angular(self) -> bool {
        matches!(self, Self::Cosine | Self::Correlation)
    }
}

/// `Σ f(x_k, y_k)` in double precision, in eight partial sums, which the compiler turns into vector instructions.
#[inline(always)]
#[allow(clippy::inline_always, reason = "only inlined code is compiled for the detected vector instructions")]
pub(super) fn sum_over_pairs(x: &[f32], y: &[f32], f: impl Fn(f64, f64) -> f64) -> f64 {
    let mut sums = [0.0; 8];
    let (x_chunks, y_chunks) = (x.chunks_exact(8), y.chunks_exact(8));
    let rest: f64 =
        x_chunks.remainder().iter().zip(y_chunks.remainder()).map(|(&a, &b)| f(f64::from(a), f64::from(b))).sum();
    for (a, b) in x_chunks.zip(y_chunks) {
        for lane in 0..8 {
            sums[lane] += f(f64::from(a[lane]), f64::from(b[lane]));
        }
    }
    sums.iter().sum::<f64>() + rest
}
