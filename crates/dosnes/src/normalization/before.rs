//! The matrices from which P was scaled, computed again.

use super::{Affinities, Completion, Normalization, equalize, equalize::Mixed, most_partners, walk};
use crate::{
    error::Error,
    observe::Observer,
    similarity::Similarity,
    sparse::{CsrMatrix, strongest_of_product},
};

/// The similarities of the kept items, before and after walks of several steps were added.
pub(crate) struct BeforeScaling {
    /// S, without diagonal.
    pub(crate) source: CsrMatrix<'static>,
    /// What was scaled: S itself, or the mixture.
    pub(crate) mixed: CsrMatrix<'static>,
    /// How much each item has of direct neighbours and of longer walks, where it is not the same for all.
    pub(crate) completion: Option<Completion>,
}

/// The matrices from which `p` was scaled.
pub(crate) fn before_scaling(
    similarity: &Similarity<'_>,
    p: &Affinities,
    observer: &mut dyn Observer,
) -> Result<BeforeScaling, Error> {
    let source = match similarity {
        Similarity::Dyadic(b) => strongest_of_dyadic(b, p.report().method == Normalization::Walk)?,
        other => other.symmetric()?.into_owned(),
    };
    let source = source.principal_submatrix(p.kept(), false);
    let (mixed, completion) = match p.report().mixture {
        Some(mixture) => {
            let way = if mixture.completed { equalize::completed } else { equalize::mixed };
            let Mixed { matrix, completion, .. } = way(&source, mixture.steps, observer)?;
            (matrix, completion)
        }
        None => (source.clone(), None),
    };
    Ok(BeforeScaling { source, mixed, completion })
}

/// The similarities of dyadic data: the random walk between items and columns, or BBᵀ.
pub(crate) fn strongest_of_dyadic(b: &CsrMatrix<'_>, is_walk: bool) -> Result<CsrMatrix<'static>, Error> {
    let most = most_partners(b.rows());
    Ok(if is_walk { walk::two_step_walk(b, most)?.0 } else { strongest_of_product(b, most)?.0 })
}
