//! Making the similarities doubly stochastic, so that every item has the same total.
//!
//! | method | is | the diagonal |
//! |---|---|---|
//! | [`Method::Sinkhorn`] | P = diag(d) S diag(d) | see below |
//! | [`Method::Walk`] | two-step random walk on B, the paper's one pass | left out after the walk, then scaled as above |
//! | [`Method::ZassShashua`] | nearest in the Frobenius norm, dense | zero |
//! | [`Method::None`] | S as it is: plain t-SNE and s-SNE | left out |
//!
//! **The diagonal.** s-SNE never uses P_ii, so that it is the *off-diagonal* row sums that must be equal. With
//! [`Diagonal::Zero`] the diagonal is left out first. Whether the rest then has a doubly stochastic scaling is decided by
//! its structure ([`feasibility`]); where it has none (leaves of one hub can never all be as strong as the hub), the
//! scaling is softened: the module `scaling` says how. [`Diagonal::Dropped`] scales with the diagonal of S and leaves
//! it out afterwards, as the authors' code does; that undoes the normalisation where the diagonal is large, and is here to
//! show it.

mod feasibility;
mod imbalance;
mod scaling;
mod walk;
mod zass_shashua;

pub use feasibility::{Feasibility, feasibility};
pub use imbalance::{Imbalance, degrees};

use crate::{
    error::Error,
    input::{Csr, principal_submatrix},
    similarity::Similarity,
};
use scaling::Target;

/// How to make the similarities doubly stochastic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// The walk for dyadic data, Sinkhorn-Knopp otherwise.
    #[default]
    Auto,
    /// Sinkhorn and Knopp's scaling, in its symmetric form.
    Sinkhorn,
    /// The paper's two-step random walk.
    Walk,
    /// Zass and Shashua's projection.
    ZassShashua,
    /// Leave the similarities as they are.
    None,
}

/// What becomes of the diagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Diagonal {
    /// Left out before scaling, so that the off-diagonal sums are what is made equal.
    #[default]
    Zero,
    /// Kept while scaling and left out afterwards, as in the authors' code.
    Dropped,
}

/// Parameters of [`normalize`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Params {
    /// The method.
    pub method: Method,
    /// What becomes of the diagonal.
    pub diagonal: Diagonal,
    /// Fail where no exact scaling exists, instead of softening it.
    pub strict: bool,
    /// How soft a softened scaling is: the row sum of item i becomes d_i^(−softness). Smaller is more equal, and takes more
    /// from the similarities between strong items.
    pub softness: f64,
    /// Largest deviation of a row sum from what it should be.
    pub tolerance: f64,
    /// Bytes that a dense method may take.
    pub memory_limit: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            diagonal: Diagonal::Zero,
            strict: false,
            softness: 0.134,
            tolerance: 1e-10,
            memory_limit: 8_000_000_000,
        }
    }
}

/// By which rule the sums were made equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The sums are equal to the tolerance.
    Exact,
    /// No exact scaling exists for the zero diagonal: softened.
    Soft,
    /// Equal with the diagonal, which was then left out.
    DiagonalDropped,
    /// Not normalised.
    Untouched,
}

impl Rule {
    /// A short name, as reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "zero",
            Self::Soft => "zero, softened",
            Self::DiagonalDropped => "dropped after scaling",
            Self::Untouched => "left out",
        }
    }
}

/// How the normalisation went.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// The method that was used; never [`Method::Auto`].
    pub method: Method,
    /// The rule.
    pub rule: Rule,
    /// Rounds of scaling or projection.
    pub iterations: usize,
    /// Largest relative deviation of a row sum from what the rule wants it to be.
    pub residual: f64,
    /// Imbalance of the off-diagonal row sums before.
    pub before: Imbalance,
    /// And after.
    pub after: Imbalance,
    /// Where the rule is [`Rule::Soft`]: why no exact scaling exists, with rows of the whole input.
    pub obstacle: Option<Feasibility>,
}

/// Similarities that are ready to be embedded: symmetric, without a diagonal, every row with an entry.
#[derive(Debug, Clone)]
pub struct DoublyStochastic {
    matrix: Csr,
    kept: Vec<usize>,
    left_out: Vec<usize>,
    account: Account,
}

impl DoublyStochastic {
    /// P over the kept items. Its rows sum to one (as far as the [`Account`] says); [`Method::None`] leaves the scale of S.
    pub fn matrix(&self) -> &Csr {
        &self.matrix
    }

    /// Rows of the input that are in P, in order.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// Rows of the input that have no similarity to any other item.
    pub fn left_out(&self) -> &[usize] {
        &self.left_out
    }

    /// How it went.
    pub fn account(&self) -> &Account {
        &self.account
    }
}

/// The soft rule's floor: no entry falls below this share of its ordinary symmetric normalisation.
const SOFT_FLOOR: f64 = 0.03;
const ZASS_SHASHUA_MAX_ROUNDS: usize = 20_000;

/// Makes the similarities doubly stochastic. Items without any similarity to another one are left out and listed.
pub fn normalize(similarity: &Similarity, params: &Params) -> Result<DoublyStochastic, Error> {
    if !(params.softness > 0.0 && params.softness.is_finite()) {
        return Err(Error::Parameter {
            name: "softness",
            value: params.softness.to_string(),
            expected: "it must be above 0",
        });
    }
    check(similarity)?;
    let method = match (params.method, similarity) {
        (Method::Auto, Similarity::Dyadic(_)) => Method::Walk,
        (Method::Auto, _) => Method::Sinkhorn,
        (method, _) => method,
    };
    let n = similarity.len();
    let raw = similarity.symmetric();
    let raw_degrees = degrees(&raw);
    let (kept, left_out): (Vec<usize>, Vec<usize>) = (0..n).partition(|&i| raw_degrees[i] > 0.0);
    if kept.len() < 2 {
        return Err(Error::TooFewItems { kept: kept.len(), n });
    }
    let before = Imbalance::of_sums(&kept.iter().map(|&i| raw_degrees[i]).collect::<Vec<_>>());
    let keep_diagonal = params.diagonal == Diagonal::Dropped;
    let source = match (method, similarity) {
        (Method::Walk, _) => principal_submatrix(&walk::two_step_walk(similarity.stored()), &kept, keep_diagonal),
        _ => principal_submatrix(&raw, &kept, keep_diagonal),
    };
    drop(raw);
    let outcome = match (method, params.diagonal) {
        (Method::None, _) => Outcome::untouched(without_diagonal(&source)),
        (Method::ZassShashua, _) => zass_shashua(&source, params)?,
        (Method::Walk, Diagonal::Dropped) => {
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
            let scaled = scaling::scale(source, Target::Exact, params.tolerance);
            Outcome {
                matrix: without_diagonal(&scaled.matrix),
                rule: Rule::DiagonalDropped,
                iterations: scaled.iterations,
                residual: scaled.residual,
                obstacle: None,
            }
        }
        (_, Diagonal::Zero) => zero_diagonal(source, &kept, params)?,
    };
    let after = Imbalance::of_sums(&degrees(&outcome.matrix));
    let Outcome { matrix, rule, iterations, residual, obstacle } = outcome;
    Ok(DoublyStochastic {
        matrix,
        kept,
        left_out,
        account: Account { method, rule, iterations, residual, before, after, obstacle },
    })
}

struct Outcome {
    matrix: Csr,
    rule: Rule,
    iterations: usize,
    residual: f64,
    obstacle: Option<Feasibility>,
}

impl Outcome {
    fn untouched(matrix: Csr) -> Self {
        let residual = largest_deviation_from_one(&matrix);
        Self { matrix, rule: Rule::Untouched, iterations: 0, residual, obstacle: None }
    }
}

/// Scales a matrix without diagonal: exactly where its structure allows it, softly elsewhere.
fn zero_diagonal(source: Csr, kept: &[usize], params: &Params) -> Result<Outcome, Error> {
    let obstacle = match feasibility(&source) {
        Feasibility::Exact => None,
        Feasibility::VanishingEntries(rows) => {
            Some(Feasibility::VanishingEntries(rows.into_iter().map(|i| kept[i]).collect()))
        }
        Feasibility::TooFewPartners(rows) => {
            Some(Feasibility::TooFewPartners(rows.into_iter().map(|i| kept[i]).collect()))
        }
    };
    let (target, rule) = match &obstacle {
        None => (Target::Exact, Rule::Exact),
        Some(why) if params.strict => return Err(Error::NoExactScaling(why.clone())),
        Some(_) => (Target::Soft { kappa: params.softness, floor: SOFT_FLOOR }, Rule::Soft),
    };
    let scaled = scaling::scale(source, target, params.tolerance);
    Ok(Outcome { matrix: scaled.matrix, rule, iterations: scaled.iterations, residual: scaled.residual, obstacle })
}

fn zass_shashua(source: &Csr, params: &Params) -> Result<Outcome, Error> {
    let n = source.rows();
    // The matrix, the iterate, the correction and one temporary.
    let needed = 4 * 8 * (n as u64).pow(2);
    if needed > params.memory_limit {
        return Err(Error::TooLarge { method: "zass-shashua", n, needed, limit: params.memory_limit });
    }
    // The projection is additive: in which units S comes matters. Row sums of one on average are the natural ones.
    let mean = degrees(source).iter().sum::<f64>() / n as f64;
    let dense = source.to_dense() / mean;
    let projection = zass_shashua::nearest_doubly_stochastic(&dense, params.tolerance, ZASS_SHASHUA_MAX_ROUNDS);
    let triplets: Vec<(u32, u32, f64)> = projection
        .matrix
        .indexed_iter()
        .filter(|&(_, &value)| value > 0.0)
        .map(|((i, j), &value)| (i as u32, j as u32, value))
        .collect();
    Ok(Outcome {
        matrix: crate::input::csr_from_triplets((n, n), &triplets).0,
        rule: Rule::Exact,
        iterations: projection.iterations,
        residual: projection.residual,
        obstacle: None,
    })
}

fn check(similarity: &Similarity) -> Result<(), Error> {
    let stored = similarity.stored();
    if !matches!(similarity, Similarity::Dyadic(_)) && stored.rows() != stored.cols() {
        return Err(Error::NotSquare { rows: stored.rows(), columns: stored.cols() });
    }
    for (row, entries) in stored.outer_iterator().enumerate() {
        for (column, &value) in entries.iter() {
            if !(value.is_finite() && value >= 0.0) {
                return Err(Error::Value { row, column, value, expected: "similarities are finite and ≥ 0" });
            }
        }
    }
    Ok(())
}

fn without_diagonal(matrix: &Csr) -> Csr {
    let all: Vec<usize> = (0..matrix.rows()).collect();
    principal_submatrix(matrix, &all, false)
}

fn largest_deviation_from_one(matrix: &Csr) -> f64 {
    matrix.outer_iterator().map(|row| (row.data().iter().sum::<f64>() - 1.0).abs()).fold(0.0, f64::max)
}
