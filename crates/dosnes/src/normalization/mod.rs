//! Making the similarities doubly stochastic: every item then has the same total similarity.
//!
//! | method | is | the diagonal |
//! |---|---|---|
//! | [`Normalization::Sinkhorn`] | P = diag(d) S diag(d) | see below |
//! | [`Normalization::Walk`] | random walk between the items and the columns of B, the paper's one pass | left out after the walk, then scaled as above |
//! | [`Normalization::ZassShashua`] | nearest in the Frobenius norm, dense | zero |
//! | [`Normalization::Rows`] | row normalisation, (D⁻¹S + SD⁻¹)/2: less unequal, not equal | left out |
//! | [`Normalization::Layout`] | for drawing graphs: keeps neighbours, sums are not equal | left out |
//! | [`Normalization::None`] | S as it is: plain t-SNE and s-SNE | left out |
//!
//! **The diagonal.** s-SNE never uses P_ii, so the *off-diagonal* row sums must be equal. With [`Diagonal::Zero`] the
//! diagonal is removed first. Whether the rest has a doubly stochastic scaling depends on its structure
//! ([`feasibility()`]). Most graphs have none: the leaves of one hub cannot all have the same total as the hub. Then the
//! longer walks and a thin background are added first, so that an exact scaling exists (the module `equalize`
//! describes this; [`NormalizeOptions::steps`]). With a single step the scaling is softened instead, as the module
//! `scaling` describes. [`Diagonal::Dropped`] scales with the diagonal of S and removes it
//! afterwards, as the authors' code does. This undoes the normalisation if the diagonal is large; it is included to
//! demonstrate that.

mod affinities;
mod before;
mod equalize;
mod feasibility;
mod imbalance;
mod inspection;
mod layout;
mod rows;
mod scaling;
mod walk;
mod zass_shashua;

pub use affinities::{Affinities, NormalizationReport, Rule};
pub(crate) use before::{before_scaling, strongest_of_dyadic};
use equalize::Mixed;
pub use equalize::Mixture;
pub(crate) use equalize::{
    Completion, MOST, PARTNERS, ROUNDS, kept_per_row, kept_to_complete, largest_size, missing, next_direct,
    next_longer, shares, weight,
};
pub use feasibility::{Feasibility, feasibility};
pub use imbalance::{Imbalance, degrees};
pub use inspection::Inspection;

use crate::{
    error::{DenseMethod, Error, Parameter, Quantity},
    named,
    observe::{Observer, Stage, report},
    similarity::Similarity,
    sparse::{Components, CsrMatrix, Row, strongest_of_product},
};
use scaling::Target;

/// How to make the similarities doubly stochastic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// For drawing graphs: keeps direct neighbours next to each other. Sums are not made equal.
    Layout,
    /// Leave the similarities as they are.
    None,
}

named!(Normalization, "normalisation", {
    Auto => ("auto", "walk for dyadic data, sinkhorn otherwise"),
    Sinkhorn => ("sinkhorn", "Sinkhorn-Knopp scaling"),
    Walk => ("walk", "the paper's random walk between the items and the columns of dyadic data"),
    ZassShashua => ("zass-shashua", "the nearest doubly stochastic matrix; dense, for a few thousand items"),
    Rows => ("rows", "row normalisation: less unequal sums, but not equal ones"),
    Layout => ("layout", "for drawing graphs: keeps neighbours, does not make sums equal"),
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
    /// The longest random walk whose similarities are scaled, for [`Normalization::Sinkhorn`] and
    /// [`Normalization::Walk`]. 1: the similarities themselves, as in the paper. 2 to 10: also longer walks, and a thin
    /// background that makes an exact scaling possible. Default: 3 for graphs, and for similarities that have no exact
    /// scaling; 2 for dyadic data that have none, because their similarities are walks of two steps already; 1 for the
    /// others, for neighbours of points, and for [`Diagonal::Dropped`].
    pub steps: Option<usize>,
    /// Scale the similarities themselves, with one step, and fail if they have no exact scaling. Default: no.
    pub strict: bool,
    /// With one step: how soft a softened scaling is. The row sum of item i becomes d_i^(−softness). With a smaller value
    /// the sums are more equal, but the similarities between strong items are reduced more. Default: 1.
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
            steps: None,
            strict: false,
            softness: 1.0,
            tolerance: 1e-10,
            memory_limit: 8_000_000_000,
        }
    }
}

/// The floor of the soft rule: no entry falls below this share of its ordinary symmetric normalisation.
const SOFT_FLOOR: f64 = 0.03;
/// The largest number of steps: longer walks have forgotten where they began.
pub(crate) const MAX_STEPS: usize = 10;
/// The number of steps where one is not enough: for similarities that are walks of two steps themselves, and for others.
const STEPS_OF_WALKS: usize = 2;
pub(crate) const USUAL_STEPS: usize = 3;
const ZASS_SHASHUA_MAX_ROUNDS: usize = 20_000;

/// What of the form of the similarities matters after they have been made symmetric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Graph,
    Neighbors,
    /// Walks of two steps already: from an item to a column of dyadic data and back.
    Walks,
    Other,
}

impl Form {
    fn of(similarity: &Similarity<'_>, method: Normalization) -> Self {
        match similarity {
            Similarity::Dyadic(_) => Self::Walks,
            _ if method == Normalization::Walk => Self::Walks,
            Similarity::Graph(_) => Self::Graph,
            Similarity::Neighbors(_) => Self::Neighbors,
            _ => Self::Other,
        }
    }

    /// The number of steps where one is not enough.
    fn usual_steps(self) -> usize {
        if self == Self::Walks { STEPS_OF_WALKS } else { USUAL_STEPS }
    }
}

/// Makes the similarities doubly stochastic. Items without similarity to any other item are left out and listed.
pub fn normalize(
    similarity: &Similarity<'_>,
    options: &NormalizeOptions,
    observer: &mut dyn Observer,
) -> Result<Affinities, Error> {
    normalize_owned(similarity.borrowed(), options, observer)
}

/// As [`normalize`], for similarities that are not needed any more. If they own their entries, their memory is given back while
/// P is made.
pub fn normalize_owned(
    similarity: Similarity<'_>,
    options: &NormalizeOptions,
    observer: &mut dyn Observer,
) -> Result<Affinities, Error> {
    if !(options.softness > 0.0 && options.softness.is_finite()) {
        return Err(Error::parameter(Parameter::Softness, options.softness.to_string(), "it must be above 0"));
    }
    let method = options.method.resolve(&similarity);
    check_steps(method, options)?;
    check(&similarity)?;
    observer.stage(Stage::Normalize);
    let (n, form) = (similarity.len(), Form::of(&similarity, method));
    let most = most_partners(n);
    let (raw, cut, raw_degrees) = match (method, similarity) {
        (Normalization::Walk, similarity) => {
            let (walk, cut) = walk::two_step_walk(similarity.stored(), most)?;
            (walk, cut, similarity.degrees()?)
        }
        (_, Similarity::Dyadic(b)) => {
            let (product, cut) = strongest_of_product(&b, most)?;
            (product, cut, Similarity::Dyadic(b).degrees()?)
        }
        (_, similarity) => {
            let symmetric = similarity.into_symmetric()?;
            let degrees = degrees(&symmetric);
            (symmetric, false, degrees)
        }
    };
    // Each of these steps takes about a second with ten million entries: whoever wants to stop should not have to wait.
    report(observer, 0.0)?;
    let (kept, left_out): (Vec<usize>, Vec<usize>) = (0..n).partition(|&i| raw_degrees[i] > 0.0);
    if kept.len() < 2 {
        return Err(Error::TooFewItems { kept: kept.len(), n });
    }
    let given_totals: Vec<f64> = kept.iter().map(|&i| raw_degrees[i]).collect();
    let before = Imbalance::of_sums(&given_totals);
    let keep_diagonal = options.diagonal == Diagonal::Dropped;
    let source = raw.into_principal_submatrix(&kept, keep_diagonal);
    report(observer, 0.0)?;
    let components = Components::of(&source)?.sizes_descending();
    report(observer, 0.0)?;
    let outcome = match (method, options.diagonal) {
        (Normalization::None, _) => Outcome::untouched(without_diagonal(&source)),
        (Normalization::Rows, _) => Outcome {
            iterations: 1,
            rule: Rule::Unequal,
            ..Outcome::untouched(rows::row_normalized(&without_diagonal(&source)))
        },
        (Normalization::Layout, _) => Outcome {
            iterations: 1,
            rule: Rule::Unequal,
            ..Outcome::untouched(layout::for_layout(&without_diagonal(&source)))
        },
        (Normalization::ZassShashua, _) => zass_shashua(&source, options, observer)?,
        (Normalization::Walk, Diagonal::Dropped) => {
            let residual = largest_deviation_from_one(&source);
            Outcome {
                matrix: without_diagonal(&source),
                direct: None,
                rule: Rule::DiagonalDropped,
                iterations: 1,
                residual,
                obstacle: None,
                mixture: None,
            }
        }
        (_, Diagonal::Dropped) => {
            let scaled = scaling::scale(source, Target::Exact, options.tolerance, observer)?;
            Outcome {
                matrix: without_diagonal(&scaled.matrix),
                direct: None,
                rule: Rule::DiagonalDropped,
                iterations: scaled.iterations,
                residual: scaled.residual,
                obstacle: None,
                mixture: None,
            }
        }
        (_, Diagonal::Zero) => zero_diagonal(source, form, &kept, options, observer)?,
    };
    let after = Imbalance::of_sums(&degrees(&outcome.matrix));
    let Outcome { matrix, direct, rule, iterations, residual, obstacle, mixture } = outcome;
    let strongest_partners = cut.then_some(most);
    let report = NormalizationReport {
        method,
        rule,
        iterations,
        residual,
        before,
        after,
        components,
        strongest_partners,
        mixture,
        obstacle,
    };
    Ok(Affinities::new(matrix, direct, form == Form::Neighbors, kept, left_out, given_totals, report))
}

/// The number of partners that an item of dyadic data keeps, the strongest. Documents that share a word are similar, and
/// with many documents nearly all of them share one: without a limit the similarities would not fit into memory.
pub(crate) fn most_partners(n: usize) -> usize {
    (MANY_ENTRIES / n.max(1)).max(FEWEST_PARTNERS)
}

/// Similarities of dyadic data are cut if there may be more than this number of them.
const MANY_ENTRIES: usize = 50_000_000;
/// Every item keeps this number of partners.
const FEWEST_PARTNERS: usize = 300;

struct Outcome {
    matrix: CsrMatrix<'static>,
    /// The similarities before others were added, relative to the strongest of either item.
    direct: Option<CsrMatrix<'static>>,
    rule: Rule,
    iterations: usize,
    residual: f64,
    obstacle: Option<Feasibility>,
    mixture: Option<Mixture>,
}

impl Outcome {
    fn untouched(matrix: CsrMatrix<'static>) -> Self {
        let residual = largest_deviation_from_one(&matrix);
        Self { matrix, direct: None, rule: Rule::Untouched, iterations: 0, residual, obstacle: None, mixture: None }
    }
}

fn check_steps(method: Normalization, options: &NormalizeOptions) -> Result<(), Error> {
    let problem = match options.steps {
        None | Some(1) => return Ok(()),
        Some(steps) if steps == 0 || steps > MAX_STEPS => "it must be from 1 to 10",
        Some(_) if !matches!(method, Normalization::Sinkhorn | Normalization::Walk) => {
            "only the normalisations `sinkhorn` and `walk` can use more than one step"
        }
        Some(_) if options.strict => "a strict scaling has one step",
        Some(_) if options.diagonal == Diagonal::Dropped => "a diagonal that is dropped allows only one step",
        Some(_) => return Ok(()),
    };
    let value = options.steps.map(|steps| steps.to_string()).unwrap_or_default();
    Err(Error::parameter(Parameter::Steps, value, problem))
}

/// Scales a matrix without diagonal. With one step: exactly if its structure allows it, otherwise softened. With more
/// steps: always exactly.
fn zero_diagonal(
    source: CsrMatrix<'static>,
    form: Form,
    kept: &[usize],
    options: &NormalizeOptions,
    observer: &mut dyn Observer,
) -> Result<Outcome, Error> {
    let several = match options.steps {
        Some(steps) => (steps > 1).then_some(steps),
        None => (form == Form::Graph && !options.strict).then_some(form.usual_steps()),
    };
    if let Some(steps) = several {
        return several_steps(&source, form, steps, options.tolerance, observer);
    }
    let obstacle = match feasibility::of_square(&source) {
        Feasibility::Exact => None,
        other => Some(other.renamed(kept)),
    };
    report(observer, 0.0)?;
    let may_choose = options.steps.is_none() && form != Form::Neighbors && !options.strict;
    if obstacle.is_some() && may_choose {
        return Ok(Outcome {
            obstacle,
            ..several_steps(&source, form, form.usual_steps(), options.tolerance, observer)?
        });
    }
    let (target, rule) = match &obstacle {
        None => (Target::Exact, Rule::Exact),
        Some(why) if options.strict => return Err(Error::NoExactScaling(why.clone())),
        Some(_) => (Target::Soft { kappa: options.softness, floor: SOFT_FLOOR }, Rule::Soft),
    };
    let scaled = scaling::scale(source, target, options.tolerance, observer)?;
    Ok(Outcome {
        matrix: scaled.matrix,
        direct: None,
        rule,
        iterations: scaled.iterations,
        residual: scaled.residual,
        obstacle,
        mixture: None,
    })
}

/// S_ij divided by the strongest similarity of i or of j, whichever gives more: from 0 to 1. In an unweighted graph all
/// neighbours are equal; and a small item whose strongest partner is a hub is as close to the hub as another hub is.
fn relative_to_strongest(s: &CsrMatrix<'_>) -> CsrMatrix<'static> {
    let strongest: Vec<f64> = s.iter_rows().map(Row::largest).collect();
    s.mapped(|i, j, value| value / strongest[i].min(strongest[j]))
}

/// Adds walks of up to `steps` steps and a thin background, and scales exactly.
fn several_steps(
    source: &CsrMatrix<'_>,
    form: Form,
    steps: usize,
    tolerance: f64,
    observer: &mut dyn Observer,
) -> Result<Outcome, Error> {
    let Mixed { matrix: mixed, mixture, .. } = match form {
        Form::Walks => equalize::mixed(source, steps, observer)?,
        _ => equalize::completed(source, steps, observer)?,
    };
    let scaled = scaling::scale(mixed, Target::Exact, tolerance, observer)?;
    let direct = relative_to_strongest(source);
    Ok(Outcome {
        matrix: scaled.matrix,
        direct: Some(direct),
        rule: Rule::Exact,
        iterations: scaled.iterations,
        residual: scaled.residual,
        obstacle: None,
        mixture: Some(mixture),
    })
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
        direct: None,
        rule: Rule::Exact,
        iterations: projection.iterations,
        residual: projection.residual,
        obstacle: None,
        mixture: None,
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
