//! Making the similarities doubly stochastic: every item then has the same total similarity.
//!
//! | method | is | the diagonal |
//! |---|---|---|
//! | [`Normalization::Sinkhorn`] | P = diag(d) S diag(d) | see below |
//! | [`Normalization::Walk`] | two-step random walk on B, the paper's one pass | left out after the walk, then scaled as above |
//! | [`Normalization::ZassShashua`] | nearest in the Frobenius norm, dense | zero |
//! | [`Normalization::Rows`] | row normalisation, (D⁻¹S + SD⁻¹)/2: less unequal, not equal | left out |
//! | [`Normalization::None`] | S as it is: plain t-SNE and s-SNE | left out |
//!
//! **The diagonal.** s-SNE never uses P_ii, so the *off-diagonal* row sums must be equal. With [`Diagonal::Zero`] the
//! diagonal is removed first. Whether the rest has a doubly stochastic scaling depends on its structure
//! ([`feasibility()`]). If it has none (the leaves of one hub cannot all have the same total as the hub), the scaling
//! is softened, as the module `scaling` describes. [`Diagonal::Dropped`] scales with the diagonal of S and removes it
//! afterwards, as the authors' code does. This undoes the normalisation if the diagonal is large; it is included to
//! demonstrate that.

mod affinities;
mod feasibility;
mod imbalance;
mod inspection;
mod rows;
mod scaling;
mod walk;
mod zass_shashua;

pub use affinities::{Affinities, NormalizationReport, Rule};
pub use feasibility::{Feasibility, feasibility};
pub use imbalance::{Imbalance, degrees};
pub use inspection::Inspection;

use crate::{
    error::{DenseMethod, Error, Parameter, Quantity},
    named,
    observe::{Observer, Stage},
    similarity::Similarity,
    sparse::CsrMatrix,
};
use scaling::Target;

/// How to make the similarities doubly stochastic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Normalization {
    /// The walk for dyadic data, Sinkhorn-Knopp otherwise.
    #[default]
    Auto,
    /// Sinkhorn-Knopp scaling, in its symmetric form.
    Sinkhorn,
    /// The paper's two-step random walk.
    Walk,
    /// Zass and Shashua's projection.
    ZassShashua,
    /// Row normalisation, (D⁻¹S + SD⁻¹)/2: one step without scaling. Sums become less unequal, but not equal.
    Rows,
    /// Leave the similarities as they are.
    None,
}

named!(Normalization, "normalisation", {
    Auto => ("auto", "walk for dyadic data, sinkhorn otherwise"),
    Sinkhorn => ("sinkhorn", "Sinkhorn-Knopp scaling"),
    Walk => ("walk", "the paper's two-step random walk"),
    ZassShashua => ("zass-shashua", "the nearest doubly stochastic matrix; dense, for a few thousand items"),
    Rows => ("rows", "row normalisation: less unequal sums, but not equal ones"),
    None => ("none", "as they are: plain t-SNE and s-SNE"),
});

impl Normalization {
    /// The method that is used for these similarities: never [`Normalization::Auto`].
    fn resolve(self, similarity: &Similarity<'_>) -> Self {
        match (self, similarity) {
            (Self::Auto, Similarity::Dyadic(_)) => Self::Walk,
            (Self::Auto, _) => Self::Sinkhorn,
            (method, _) => method,
        }
    }
}

/// How the diagonal is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Diagonal {
    /// Removed before scaling, so that the off-diagonal sums become equal.
    #[default]
    Zero,
    /// Kept during scaling and removed afterwards, as in the authors' code.
    Dropped,
}

named!(Diagonal, "rule for the diagonal", {
    Zero => ("zero", "removed before scaling: the sums over other items become equal"),
    Dropped => ("dropped", "removed after scaling, as in the authors' code"),
});

/// Options of [`normalize`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalizeOptions {
    /// The method. Default: automatic.
    pub method: Normalization,
    /// How the diagonal is handled. Default: zero.
    pub diagonal: Diagonal,
    /// Fail if no exact scaling exists, instead of using a softened one. Default: no.
    pub strict: bool,
    /// How soft a softened scaling is: the row sum of item i becomes d_i^(−softness). With a smaller value the sums are
    /// more equal, but the similarities between strong items are reduced more. Default: 0.134.
    pub softness: f64,
    /// Largest relative deviation of a row sum from its target. Default: 1e-10.
    pub tolerance: f64,
    /// Largest number of bytes that a method on dense matrices may use. Default: 8 GB.
    pub memory_limit: u64,
}

impl Default for NormalizeOptions {
    fn default() -> Self {
        Self {
            method: Normalization::Auto,
            diagonal: Diagonal::Zero,
            strict: false,
            softness: 0.134,
            tolerance: 1e-10,
            memory_limit: 8_000_000_000,
        }
    }
}

/// The floor of the soft rule: no entry falls below this share of its ordinary symmetric normalisation.
const SOFT_FLOOR: f64 = 0.03;
const ZASS_SHASHUA_MAX_ROUNDS: usize = 20_000;

/// Makes the similarities doubly stochastic. Items without similarity to any other item are left out and listed.
pub fn normalize(
    similarity: &Similarity<'_>,
    options: &NormalizeOptions,
    observer: &mut dyn Observer,
) -> Result<Affinities, Error> {
    if !(options.softness > 0.0 && options.softness.is_finite()) {
        return Err(Error::parameter(Parameter::Softness, options.softness.to_string(), "it must be above 0"));
    }
    check(similarity)?;
    observer.stage(Stage::Normalize);
    let method = options.method.resolve(similarity);
    let n = similarity.len();
    let raw = similarity.symmetric()?;
    let raw_degrees = degrees(&raw);
    let (kept, left_out): (Vec<usize>, Vec<usize>) = (0..n).partition(|&i| raw_degrees[i] > 0.0);
    if kept.len() < 2 {
        return Err(Error::TooFewItems { kept: kept.len(), n });
    }
    let before = Imbalance::of_sums(&kept.iter().map(|&i| raw_degrees[i]).collect::<Vec<_>>());
    let keep_diagonal = options.diagonal == Diagonal::Dropped;
    let source = if method == Normalization::Walk {
        drop(raw);
        walk::two_step_walk(similarity.stored())?.principal_submatrix(&kept, keep_diagonal)
    } else {
        raw.principal_submatrix(&kept, keep_diagonal)
    };
    let outcome = match (method, options.diagonal) {
        (Normalization::None, _) => Outcome::untouched(without_diagonal(&source)),
        (Normalization::Rows, _) => Outcome {
            iterations: 1,
            rule: Rule::RowNormalized,
            ..Outcome::untouched(rows::row_normalized(&without_diagonal(&source)))
        },
        (Normalization::ZassShashua, _) => zass_shashua(&source, options, observer)?,
        (Normalization::Walk, Diagonal::Dropped) => {
            let residual = largest_deviation_from_one(&source);
            Outcome {
                matrix: without_diagonal(&source),
                rule: Rule::DiagonalDropped,
                iterations: 1,
                residual,
                obstacle: None,
            }
        }
        (_, Diagonal::Dropped) => {
            let scaled = scaling::scale(source, Target::Exact, options.tolerance, observer)?;
            Outcome {
                matrix: without_diagonal(&scaled.matrix),
                rule: Rule::DiagonalDropped,
                iterations: scaled.iterations,
                residual: scaled.residual,
                obstacle: None,
            }
        }
        (_, Diagonal::Zero) => zero_diagonal(source, &kept, options, observer)?,
    };
    let after = Imbalance::of_sums(&degrees(&outcome.matrix));
    let Outcome { matrix, rule, iterations, residual, obstacle } = outcome;
    let report = NormalizationReport { method, rule, iterations, residual, before, after, obstacle };
    Ok(Affinities::new(matrix, kept, left_out, report))
}

struct Outcome {
    matrix: CsrMatrix<'static>,
    rule: Rule,
    iterations: usize,
    residual: f64,
    obstacle: Option<Feasibility>,
}

impl Outcome {
    fn untouched(matrix: CsrMatrix<'static>) -> Self {
        let residual = largest_deviation_from_one(&matrix);
        Self { matrix, rule: Rule::Untouched, iterations: 0, residual, obstacle: None }
    }
}

/// Scales a matrix without diagonal: exactly if its structure allows it, otherwise softened.
fn zero_diagonal(
    source: CsrMatrix<'static>,
    kept: &[usize],
    options: &NormalizeOptions,
    observer: &mut dyn Observer,
) -> Result<Outcome, Error> {
    let obstacle = match feasibility::of_square(&source) {
        Feasibility::Exact => None,
        other => Some(other.renamed(kept)),
    };
    let (target, rule) = match &obstacle {
        None => (Target::Exact, Rule::Exact),
        Some(why) if options.strict => return Err(Error::NoExactScaling(why.clone())),
        Some(_) => (Target::Soft { kappa: options.softness, floor: SOFT_FLOOR }, Rule::Soft),
    };
    let scaled = scaling::scale(source, target, options.tolerance, observer)?;
    Ok(Outcome { matrix: scaled.matrix, rule, iterations: scaled.iterations, residual: scaled.residual, obstacle })
}

fn zass_shashua(
    source: &CsrMatrix<'_>,
    options: &NormalizeOptions,
    observer: &mut dyn Observer,
) -> Result<Outcome, Error> {
    let n = source.rows();
    // The matrix, the iterate, the correction and one temporary.
    let needed = (n as u64).saturating_pow(2).saturating_mul(4 * 8);
    if needed > options.memory_limit {
        return Err(Error::TooLarge { method: DenseMethod::ZassShashua, n, needed, limit: options.memory_limit });
    }
    // The projection is additive, so the units of S matter. The natural ones give row sums of one on average.
    let mean = degrees(source).iter().sum::<f64>() / n as f64;
    let dense = source.to_dense() / mean;
    let projection =
        zass_shashua::nearest_doubly_stochastic(&dense, options.tolerance, ZASS_SHASHUA_MAX_ROUNDS, observer)?;
    let triplets: Vec<(u32, u32, f64)> = projection
        .matrix
        .indexed_iter()
        .filter(|&(_, &value)| value > 0.0)
        .map(|((i, j), &value)| (i as u32, j as u32, value))
        .collect();
    Ok(Outcome {
        matrix: CsrMatrix::from_triplets((n, n), &triplets)?,
        rule: Rule::Exact,
        iterations: projection.iterations,
        residual: projection.residual,
        obstacle: None,
    })
}

fn check(similarity: &Similarity<'_>) -> Result<(), Error> {
    let stored = similarity.stored();
    if !matches!(similarity, Similarity::Dyadic(_)) {
        stored.check_square()?;
    }
    check_similarities(stored)
}

/// Returns an error at the first negative entry.
fn check_similarities(matrix: &CsrMatrix<'_>) -> Result<(), Error> {
    match matrix.iter().find(|&(_, _, value)| value < 0.0) {
        Some((row, column, value)) => Err(Error::Value { quantity: Quantity::Similarity, row, column, value }),
        None => Ok(()),
    }
}

fn without_diagonal(matrix: &CsrMatrix<'_>) -> CsrMatrix<'static> {
    matrix.filtered(|i, j, value| i != j && value > 0.0)
}

fn largest_deviation_from_one(matrix: &CsrMatrix<'_>) -> f64 {
    matrix.iter_rows().map(|row| (row.sum() - 1.0).abs()).fold(0.0, f64::max)
}
