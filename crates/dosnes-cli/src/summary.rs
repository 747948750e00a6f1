//! The end of a run in plain words.

use crate::{
    failure::some_names,
    numbers::{count, counted, duration, factor},
    pieces,
    report::method_name,
    terminal::Terminal,
};
use dosnes::{
    DoublyStochastic, Embedding, Similarities,
    input::{Data, Items},
    normalize::{Account, Feasibility, Method, Rule},
    optimize::Space,
    repulsion,
};

/// What to call the items: one of them, and several.
pub(crate) type Nouns = (&'static str, &'static str);

/// What to call the items of some data.
pub(crate) fn nouns(data: &Data) -> Nouns {
    match data {
        Data::Points(_) => ("point", "points"),
        Data::Graph(_) => ("node", "nodes"),
        _ => ("item", "items"),
    }
}

/// Says how points or distances became similarities.
pub(crate) fn similarities(terminal: Terminal, similarities: &Similarities, nouns: Nouns) {
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
pub(crate) fn normalization(terminal: Terminal, p: &DoublyStochastic, items: &Items, nouns: Nouns) {
    terminal.headline(&equalized(p.account(), p.kept().len(), nouns));
    let account = p.account();
    terminal.detail(&format!(
        "  {}: {}, residual {:.1e}, degree CV {:.3} before, {:.3} after",
        method_name(account.method),
        counted(account.iterations, "round", "rounds"),
        account.residual,
        account.before.cv,
        account.after.cv
    ));
    if let Some(obstacle) = &account.obstacle {
        terminal.detail(&format!("  in the way of an exact scaling: {}", some_names(offending(obstacle), items)));
    }
    if !p.left_out().is_empty() {
        terminal.note(&format!(
            "left out {} without a similarity to any other: {}",
            counted(p.left_out().len(), nouns.0, nouns.1),
            some_names(p.left_out(), items)
        ));
    }
    let pieces = pieces::sizes(p.matrix());
    if pieces.len() > 1 {
        terminal.note(&format!(
            "the similarities fall into {} separate pieces (the largest of {}, then {}); how pieces lie to each other on \
             the map means nothing",
            count(pieces.len()),
            counted(pieces[0], nouns.0, nouns.1),
            count(pieces[1])
        ));
    }
}

fn equalized(account: &Account, n: usize, nouns: Nouns) -> String {
    let things = counted(n, nouns.0, nouns.1);
    let before = factor(account.before.ratio());
    let after = factor(account.after.ratio());
    if account.method == Method::None {
        return format!("left the similarities of {things} as they are: strengths range over a factor of {before}");
    }
    let changed = format!("made {things} equal: strengths ranged over a factor of {before}, now {after}");
    let reason = match (account.rule, &account.obstacle) {
        (Rule::Soft, Some(Feasibility::TooFewPartners(rows))) => {
            format!(
                " (no exact scaling exists: {} share too few partners; softened)",
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
        repulsion::Method::Harmonic => "by spherical harmonics and cells",
        repulsion::Method::Fft => "on a grid, by Fourier transforms",
        repulsion::Method::Tree => "over a tree",
        _ => "over every pair",
    };
    terminal.detail(&format!("  repulsion was summed {way} ({})", embedding.repulsion.name()));
}

/// The rows that are in the way of an exact scaling.
pub(crate) fn offending(why: &Feasibility) -> &[usize] {
    match why {
        Feasibility::Exact => &[],
        Feasibility::VanishingEntries(rows) | Feasibility::TooFewPartners(rows) => rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::normalize::Imbalance;

    fn account(rule: Rule, obstacle: Option<Feasibility>, after: f64) -> Account {
        Account {
            method: Method::Sinkhorn,
            rule,
            iterations: 10,
            residual: 0.0,
            before: Imbalance { cv: 2.0, min: 2.0, max: 829_034.0 },
            after: Imbalance { cv: 0.5, min: 1.0, max: after },
            obstacle,
        }
    }

    #[test]
    fn an_exact_scaling_makes_all_equal() {
        let text = equalized(&account(Rule::Exact, None, 1.0), 305, ("airport", "airports"));
        assert_eq!(text, "made 305 airports equal: strengths ranged over a factor of 414,517, now 1.0000");
    }

    #[test]
    fn a_softened_scaling_says_why() {
        let obstacle = Some(Feasibility::TooFewPartners(vec![1, 2, 3]));
        let text = equalized(&account(Rule::Soft, obstacle, 21.83), 305, ("airport", "airports"));
        assert!(
            text.ends_with("now 21.8 (no exact scaling exists: 3 airports share too few partners; softened)"),
            "{text}"
        );
    }
}
