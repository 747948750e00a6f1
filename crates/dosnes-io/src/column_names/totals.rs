//! Which rows and columns sum up the others.

use super::{is_among, words};

/// Whether a row or column with this name has the sums of the others.
pub(crate) fn is_total(name: &str) -> bool {
    const TOTALS: [&str; 22] = [
        "total",
        "totals",
        "sum",
        "sums",
        "grand total",
        "row sum",
        "row total",
        "column total",
        "col total",
        "degree",
        "all",
        "summe",
        "gesamt",
        "insgesamt",
        "somme",
        "ensemble",
        "suma",
        "totale",
        "soma",
        "итого",
        "合计",
        "合計",
    ];
    is_among(name.trim_end_matches([':', '.']), &TOTALS)
}

/// Whether a word in a name says that a row has the sums of others: `North subtotal`.
pub(crate) fn has_total_in_name(name: &str) -> bool {
    const WORDS: [&str; 9] =
        ["total", "totals", "subtotal", "subtotals", "sum", "summe", "zwischensumme", "gesamt", "subtotales"];
    words(name).iter().any(|word| WORDS.contains(&word.as_str()))
}

/// Whether a row with this name sums up the others.
pub(crate) fn is_summary(name: &str) -> bool {
    const SUMMARIES: [&str; 18] = [
        "mean",
        "average",
        "avg",
        "median",
        "sd",
        "std",
        "stdev",
        "std dev",
        "standard deviation",
        "variance",
        "min",
        "max",
        "mittelwert",
        "durchschnitt",
        "moyenne",
        "media",
        "média",
        "среднее",
    ];
    is_total(name) || is_among(name.trim_end_matches([':', '.']), &SUMMARIES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_says_that_a_row_has_sums() {
        assert!(has_total_in_name("North subtotal") && !has_total_in_name("totality"));
    }
}
