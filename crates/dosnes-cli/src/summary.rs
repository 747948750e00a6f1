//! The end of a run in plain words.

use crate::{
    failure::some_names,
    numbers::{count, counted, duration, factor},
    terminal::Terminal,
};
use dosnes::{
    Affinities, Components, Embedding, Kind, Normalization, RepulsionMethod, Similarities, Space,
    input::Items,
    normalization::{Feasibility, NormalizationReport, Rule},
};

/// What to call the items: one of them, and several.
pub(crate) type Nouns = (&'static str, &'static str);

/// What to call the items of a kind of data.
pub(crate) fn nouns(kind: Kind) -> Nouns {
    match kind {
        Kind::Points => ("point", "points"),
        Kind::Graph => ("node", "nodes"),
        _ => ("item", "items"),
    }
}

/// Says how points or distances became similarities.
pub(crate) fn similarities(terminal: Terminal, similarities: &Similarities<'_>, nouns: Nouns) {
    if let Some(perplexity) = similarities.perplexity {
        terminal.detail(&format!("  perplexity {perplexity:.1}"));
    }
    if let Some(recall) = similarities.recall {
        terminal.detail(&format!("  the search found {:.1} % of the true neighbours (of a sample)", 100.0 * recall));
    }
    if let Some(account) = similarities.symmetric {
        let things = counted(similarities.similarity.len(), nouns.0, nouns.1);
        if account.converged {
            terminal.detail(&format!(
                "  symmetric entropic affinities: {}; {} of {things} have more than that perplexity",
                counted(account.iterations, "step", "steps"),
                count(account.wider)
            ));
        } else {
            terminal.note(&format!(
                "among these neighbours no symmetric affinities with that perplexity in every row were found: row sums \
                 miss 1 by up to {:.2}, entropies what was asked for by up to {:.2}. More --neighbors or a smaller \
                 --perplexity may help",
                account.row_sum_residual, account.entropy_residual
            ));
        }
    }
}

/// Says how the items were made equal, what was left out, and in how many pieces they are.
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
    if let Some(obstacle) = &report.obstacle {
        terminal.detail(&format!("  these prevent an exact scaling: {}", some_names(obstacle.obstacles(), items)));
    }
    if !p.left_out().is_empty() {
        terminal.note(&format!(
            "left out {} without a similarity to any other item: {}",
            counted(p.left_out().len(), nouns.0, nouns.1),
            some_names(p.left_out(), items)
        ));
    }
    let sizes = Components::of(p.matrix()).map(|components| components.sizes_descending()).unwrap_or_default();
    if let [first, second, ..] = sizes[..] {
        terminal.note(&format!(
            "the similarities fall into {} separate components (the largest of {}, then {}); how components lie to each \
             other on the map means nothing",
            count(sizes.len()),
            counted(first, nouns.0, nouns.1),
            count(second)
        ));
    }
}

fn equalized(report: &NormalizationReport, n: usize, nouns: Nouns) -> String {
    let things = counted(n, nouns.0, nouns.1);
    let before = factor(report.before.ratio());
    let after = factor(report.after.ratio());
    if report.method == Normalization::None {
        return format!("left the similarities of {things} as they are: strengths range over a factor of {before}");
    }
    let changed = format!("made {things} equal: strengths ranged over a factor of {before}, now {after}");
    let reason = match (report.rule, &report.obstacle) {
        (Rule::Soft, Some(Feasibility::TooFewPartners(rows))) => {
            format!(
                " (no exact scaling exists: {} form a group with too few distinct neighbours; softened)",
                counted(rows.len(), nouns.0, nouns.1)
            )
        }
        (Rule::Soft, _) => " (no exact scaling exists: some similarities would have to vanish; softened)".into(),
        (Rule::DiagonalDropped, _) => " (the diagonal was left out after scaling)".into(),
        _ => String::new(),
    };
    format!("{changed}{reason}")
}

/// Says where the points ended.
pub(crate) fn embedding(terminal: Terminal, embedding: &Embedding, seconds: f64) {
    let place = match (embedding.space, embedding.radius) {
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
    let way = match embedding.repulsion {
        RepulsionMethod::Harmonic => "by spherical harmonics and cells",
        RepulsionMethod::Fft => "on a grid, by Fourier transforms",
        RepulsionMethod::Tree => "over a tree",
        _ => "over every pair",
    };
    terminal.detail(&format!("  repulsion was summed {way} ({})", embedding.repulsion.name()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::{CsrMatrix, NormalizeOptions, Similarity, normalize, observe::Silent};

    fn equalized_graph(n: usize, edges: &[(u32, u32, f64)]) -> String {
        let graph = Similarity::Directed(CsrMatrix::from_triplets((n, n), edges).unwrap());
        let p = normalize(&graph, &NormalizeOptions::default(), &mut Silent).unwrap();
        equalized(p.report(), p.len(), ("airport", "airports"))
    }

    #[test]
    fn an_exact_scaling_makes_all_equal() {
        let text = equalized_graph(3, &[(0, 1, 1.0), (1, 2, 2.0), (2, 0, 5.0)]);
        assert_eq!(text, "made 3 airports equal: strengths ranged over a factor of 2.33, now 1.0000");
    }

    #[test]
    fn a_softened_scaling_says_why() {
        let text = equalized_graph(4, &[(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0)]);
        assert!(
            text.ends_with(
                "(no exact scaling exists: 3 airports form a group with too few distinct neighbours; softened)"
            ),
            "{text}"
        );
    }
}
