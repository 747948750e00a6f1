//! Which columns of a list of edges are weights, and which look like it but are none.

use super::ids::is_numeric_id;
use super::{is_among, words};

/// The weight of an edge.
const WEIGHTS: [&str; 59] = [
    "weight",
    "weights",
    "w",
    "count",
    "counts",
    "value",
    "n",
    "strength",
    "similarity",
    "score",
    "combined_score",
    "bitscore",
    "bit_score",
    "frequency",
    "freq",
    "number",
    "total",
    "rating",
    "ratings",
    "stars",
    "overall",
    "amount",
    "volume",
    "trips",
    "flow",
    "plays",
    "quantity",
    "cooccurrence",
    "occurrences",
    "passengers",
    "letters",
    "messages",
    "calls",
    "mentions",
    "retweets",
    "citations",
    "flights",
    "visits",
    "meetings",
    "jaccard",
    "cosine",
    "tanimoto",
    "r2",
    "overlap",
    "share",
    "confidence",
    // Relatedness, as PLINK and KING write it.
    "pi_hat",
    "kinship",
    "anzahl",
    "gewicht",
    "häufigkeit",
    "poids",
    "nombre",
    "peso",
    "вес",
    "количество",
    "权重",
    "次数",
    "重み",
];

/// Distances, which are the opposite of weights.
const DISTANCES: [&str; 18] = [
    "distance",
    "distances",
    "dist",
    "length",
    "cost",
    "km",
    "miles",
    "duration",
    "travel_time",
    "dissimilarity",
    "divergence",
    "rmsd",
    "distanz",
    "resistance",
    "impedance",
    "delay",
    "rtt",
    "hops",
];

/// Probabilities of chance, which are small where a link is strong, but are no distances.
const CHANCES: [&str; 14] = [
    "evalue", "e_value", "e-value", "pvalue", "p_value", "p-value", "p.value", "pval", "p", "padj", "p_adj", "fdr",
    "qvalue", "q_value",
];

/// Which way edges go: the cells say `Directed` or `Undirected`.
const DIRECTIONS: [&str; 4] = ["type", "direction", "directed", "edge_type"];

/// Whether a column with this name contains weights.
pub(crate) fn is_weight(name: &str) -> bool {
    is_among(name, &WEIGHTS)
}

/// Whether a word in the name of a column says that it contains weights: `value_usd`, `number of letters`.
pub(crate) fn has_weight_in_name(name: &str) -> bool {
    words(name).iter().any(|word| word.len() > 1 && WEIGHTS.contains(&word.as_str()))
}

/// Whether the numbers of a column with this name are no weights: those of ids, codes and sorts, places, and places in a list.
pub(crate) fn is_no_weight(name: &str) -> bool {
    const PLACES: [&str; 8] = ["lat", "latitude", "lon", "lng", "longitude", "position", "order", "sequence"];
    let words = words(name);
    is_numeric_id(name)
        || words.iter().any(|word| {
            matches!(word.as_str(), "id" | "ids" | "code" | "codes" | "type" | "class" | "layer" | "chr" | "bp")
        })
        || words.last().is_some_and(|word| PLACES.contains(&word.as_str()))
}

/// Whether a column with this name contains probabilities of chance.
pub(crate) fn is_chance(name: &str) -> bool {
    is_among(name, &CHANCES)
}

/// Whether a column with this name may say that edges are undirected.
pub(crate) fn is_direction(name: &str) -> bool {
    is_among(name, &DIRECTIONS)
}

/// Whether a column with this name contains distances: `distance_km`, `travel time (min)`.
pub(crate) fn is_distance(name: &str) -> bool {
    const IN_NAMES: [&str; 20] = [
        "distance",
        "distances",
        "dist",
        "km",
        "kilometres",
        "kilometers",
        "miles",
        "duration",
        "dissimilarity",
        "divergence",
        "rmsd",
        "latency",
        "fst",
        "hamming",
        "levenshtein",
        "euclidean",
        "manhattan",
        "unifrac",
        "rank",
        "error",
    ];
    const WAYS: [&str; 6] = ["travel", "drive", "driving", "walking", "transit", "flight"];
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    is_among(name, &DISTANCES) || has(&IN_NAMES) || has(&WAYS) && has(&["time", "minutes", "hours"])
}

/// Whether the name of a file says that it has distances: `mothur.dist`, `distances.txt`.
pub(crate) fn is_distance_file(file: &str) -> bool {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file).to_lowercase();
    name.rsplit('.').next() == Some("dist")
        || name.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "distance" | "distances"))
}

/// Whether a column with this name counts minutes or the like, of a way or of a talk.
pub(crate) fn is_lapse(name: &str) -> bool {
    const UNITS: [&str; 10] =
        ["minutes", "minute", "mins", "hours", "hour", "hrs", "seconds", "secs", "milliseconds", "ms"];
    words(name).last().is_some_and(|word| UNITS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_names_say_what_numbers_of_edges_are() {
        assert!(has_weight_in_name("value_usd") && has_weight_in_name("Trade Value") && !has_weight_in_name("x_n"));
        assert!(is_no_weight("start_lat") && is_no_weight("stop_sequence") && !is_no_weight("sequence_identity"));
        assert!(is_lapse("travel minutes") && !is_lapse("minutes_per_call") && !is_lapse("items"));
    }
}
