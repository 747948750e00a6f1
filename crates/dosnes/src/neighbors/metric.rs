//! Distances between two rows, in double precision: what every search method is held to.

use crate::{input::Centring, named};

/// How far apart two rows x and y are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Metric {
    /// √Σ(x−y)².
    #[default]
    Euclidean,
    /// 1 − x·y/(|x||y|), computed as ½|x/|x| − y/|y||², which loses nothing when the two are almost parallel. A row of
    /// zeros has no direction: it is an error.
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
    Correlation => ("correlation", "the same after subtracting each row's mean"),
    Manhattan => ("manhattan", "Σ|x−y|"),
    Hamming => ("hamming", "the share of coordinates that differ"),
    Jaccard => ("jaccard", "of the sets of columns that are not zero"),
});

impl Metric {
    /// Whether points may be centred before they are compared: only where moving all of them together changes nothing.
    pub(crate) fn centring(self) -> Centring {
        match self {
            Self::Euclidean | Self::Manhattan => Centring::Subtract,
            Self::Cosine | Self::Correlation | Self::Hamming | Self::Jaccard => Centring::Keep,
        }
    }

    /// Whether only a row's direction counts, so that a row without one is an error.
    pub(super) fn is_angular(self) -> bool {
        matches!(self, Self::Cosine | Self::Correlation)
    }
}

/// `Σ f(x_k, y_k)` in double precision, in eight running sums, which the compiler turns into vector instructions.
#[inline(always)]
#[allow(clippy::inline_always, reason = "what is not inlined is not compiled for the instructions that were detected")]
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
