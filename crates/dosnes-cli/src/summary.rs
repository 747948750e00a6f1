//! Messages about the results of each stage.

use crate::{
    args::ReadArgs,
    failure::some_names,
    numbers::{count, counted, duration, factor},
    terminal::Terminal,
};
use dosnes::{
    Affinities, Embedding, Kind, Normalization, RepulsionMethod, SimilarityFacts, Space,
    input::Items,
    normalization::{Feasibility, NormalizationReport, Rule},
};
use dosnes_io::{Format, Loaded};

/// The word for an item, singular and plural.
pub(crate) type Nouns = (&'static str, &'static str);

/// The words for the items of a file. Files and counts of single cells have cells, unless they are transposed.
pub(crate) fn nouns(loaded: &Loaded, read: &ReadArgs) -> Nouns {
    let single_cells = read.counts || matches!(loaded.format, Format::H5ad | Format::TenX | Format::Loom);
    if single_cells && !read.transpose {
        return ("cell", "cells");
    }
    match loaded.dataset.data.kind() {
        Kind::Points => ("point", "points"),
        Kind::Graph => ("node", "nodes"),
        _ => ("item", "items"),
    }
}

/// Prints how points or distances became similarities.
pub(crate) fn similarities(terminal: Terminal, similarities: &SimilarityFacts, n: usize, nouns: Nouns) {
    if let Some(perplexity) = similarities.perplexity {
        terminal.detail(&format!("  perplexity {perplexity:.1}"));
    }
    if let Some(recall) = similarities.recall {
        terminal.detail(&format!(
            "  the approximate search found {:.1} % of the true neighbours (estimated on a sample)",
            100.0 * recall
        ));
    }
    if let Some(result) = similarities.symmetric {
        let things = counted(n, nouns.0, nouns.1);
        if result.converged {
            terminal.detail(&format!(
                "  symmetric entropic affinities: {}; {} of {things} have a larger perplexity than requested",
                counted(result.iterations, "step", "steps"),
                count(result.wider)
            ));
        } else {
            terminal.note(&format!(
                "found no symmetric affinities with the requested perplexity in every row on this neighbour graph: row \
                 sums differ from 1 by up to {:.2}, entropies from the requested value by up to {:.2}. More --neighbors \
                 or a smaller --perplexity may help",
                result.row_sum_residual, result.entropy_residual
            ));
        }
    }
}

/// Prints how the similarities were normalised, which items were left out, and the number of components.
pub(crate) fn normalization(terminal: Terminal, p: &Affinities, items: &Items, nouns: Nouns) {
    terminal.headline(&equalized(p.report(), p.kept().len(), nouns));
    let report = p.report();
    terminal.detail(&format!(
        "  {}: {}, residual {:.1e}, degree CV {:.3} before, {:.3} after",
        report.method,
        counted(report.iterations, "round", "rounds"),
        report.residual,
        report.before.cv,
        report.after.cv
    ));
    if let Some(kept) = report.strongest_partners {
        terminal.note(&format!(
            "nearly all pairs of {} share something; each kept only its strongest {kept} similarities, to save memory",
            nouns.1
        ));
    }
    if let Some(mixture) = report.mixture {
        let longer = if mixture.completed {
            "longer walks fill in what direct neighbours leave missing".to_owned()
        } else {
            format!("weight {:.2} for longer walks", mixture.longer_walks)
        };
        terminal.detail(&format!(
            "  walks of up to {} steps: {longer}, strong partners discounted by the exponent {:.2} (the weights follow the \
             totals with the exponent {:.2})",
            mixture.steps, mixture.discount, mixture.gravity
        ));
    }
    if let Some(obstacle) = &report.obstacle {
        terminal.detail(&format!(
            "  these prevent an exact scaling of the similarities alone: {}",
            some_names(obstacle.obstacles(), items)
        ));
    }
    if !p.left_out().is_empty() {
        terminal.note(&format!(
            "left out {} without a similarity to any other item: {}",
            counted(p.left_out().len(), nouns.0, nouns.1),
            some_names(p.left_out(), items)
        ));
    }
    let sizes = &report.components;
    if let [first, second, ..] = sizes[..] {
        terminal.note(&format!(
            "the similarities form {} connected components (the largest has {}, the next {}); the positions of \
             components relative to each other have no meaning",
            count(sizes.len()),
            counted(first, nouns.0, nouns.1),
            count(second)
        ));
    }
}

/// Sums that differ by a smaller factor are said to be the same, or exactly the same. Rounding to single precision is between
/// the two.
const NEARLY_EQUAL: f64 = 1.000_001;
const EQUAL: f64 = 1.000_000_01;

fn equalized(report: &NormalizationReport, n: usize, nouns: Nouns) -> String {
    let things = counted(n, nouns.0, nouns.1);
    let before = factor(report.before.ratio());
    let after = factor(report.after.ratio());
    if report.method == Normalization::None {
        return format!(
            "left the similarities of {things} as they are: total similarities differ by a factor of {before}"
        );
    }
    // Where numbers differ by more than can be computed with, the sums may be less equal than they should be.
    if report.rule == Rule::Exact && report.after.ratio() < NEARLY_EQUAL {
        let exactly = if report.after.ratio() < EQUAL { "exactly " } else { "" };
        return format!(
            "all {things} now have {exactly}the same total similarity; before, totals differed by a factor of {before}"
        );
    }
    let changed = format!("normalised {things}: total similarities differed by a factor of {before}, now {after}");
    let reason = match (report.rule, &report.obstacle) {
        (Rule::Soft, Some(Feasibility::TooFewPartners(rows))) => {
            format!(
                " (softened, because no exact scaling exists: {} form a group with too few distinct neighbours)",
                counted(rows.len(), nouns.0, nouns.1)
            )
        }
        (Rule::Soft, _) => {
            " (softened, because no exact scaling exists: some similarities would have to become zero)".into()
        }
        (Rule::DiagonalDropped, _) => " (the diagonal was removed after scaling)".into(),
        _ => String::new(),
    };
    format!("{changed}{reason}")
}

/// Prints the result of the embedding.
pub(crate) fn embedding(terminal: Terminal, embedding: &Embedding, seconds: f64) {
    let place = match (embedding.space, embedding.radius) {
        (Space::Sphere, Some(radius)) if embedding.at_largest_radius => {
            format!("on a sphere of radius {radius:.2}, the largest that --radius allows")
        }
        (Space::Sphere, Some(radius)) => format!("on a sphere of radius {radius:.2}"),
        (Space::Plane, _) => "in the plane".into(),
        _ => "in space".into(),
    };
    terminal.headline(&format!(
        "embedded {place}: KL {:.4} after {}, in {}",
        embedding.kl,
        counted(embedding.iterations, "step", "steps"),
        duration(seconds)
    ));
    if embedding.space == Space::Sphere && !embedding.converged && !embedding.stopped {
        terminal.note(&format!(
            "the map was still improving after the last step; it may improve further with --iterations {}",
            2 * embedding.iterations
        ));
    }
    let way = match embedding.repulsion {
        RepulsionMethod::Harmonic => "with spherical harmonics and cells",
        RepulsionMethod::Fft => "with Fourier transforms on a grid",
        RepulsionMethod::Tree => "with a Barnes-Hut tree",
        _ => "for all pairs",
    };
    terminal.detail(&format!("  repulsion was computed {way} ({})", embedding.repulsion.name()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::{CsrMatrix, NormalizeOptions, Similarity, normalize, observe::Silent};

    fn equalized_graph(n: usize, edges: &[(u32, u32, f64)], steps: Option<usize>) -> String {
        let graph = Similarity::Graph(CsrMatrix::from_triplets((n, n), edges).unwrap());
        let p = normalize(&graph, &NormalizeOptions { steps, ..NormalizeOptions::default() }, &mut Silent).unwrap();
        equalized(p.report(), p.len(), ("airport", "airports"))
    }

    #[test]
    fn an_exact_scaling_makes_all_equal() {
        let text = equalized_graph(3, &[(0, 1, 1.0), (1, 2, 2.0), (2, 0, 5.0)], None);
        let expected =
            "all 3 airports now have exactly the same total similarity; before, totals differed by a factor of 2.33";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_softened_scaling_says_why() {
        let text = equalized_graph(4, &[(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0)], Some(1));
        assert!(
            text.ends_with(
                "(softened, because no exact scaling exists: 3 airports form a group with too few distinct neighbours)"
            ),
            "{text}"
        );
    }
}
