//! Which columns name or number the rows.

use super::{is_among, words};

/// Names of id columns.
const IDS: [&str; 23] = [
    "id",
    "ids",
    "key",
    "index",
    "node",
    "node_id",
    "nodeid",
    "name",
    "names",
    "item",
    "barcode",
    "cell",
    "cell_id",
    "word",
    "token",
    "title",
    "iata",
    "code",
    "symbol",
    "gene",
    "unnamed: 0",
    "__index_level_0__",
    "",
];

/// Those that are ids even if they contain numbers.
const NUMERIC_IDS: [&str; 11] =
    ["id", "ids", "key", "index", "node", "node_id", "nodeid", "cell_id", "unnamed: 0", "suid", "uid"];

/// What the rows of a table of expression or abundance are called if they are not cells or samples.
const FEATURES: [&str; 14] = [
    "gene",
    "genes",
    "gene_id",
    "geneid",
    "gene_name",
    "genename",
    "gene_symbol",
    "ensembl_id",
    "feature",
    "feature_id",
    "probe",
    "id_ref",
    "otu",
    "otu_id",
];

/// Whether a column with this name contains ids.
pub(crate) fn is_id(name: &str) -> bool {
    is_among(name, &IDS) || words(name).last().is_some_and(|word| word == "id")
}

/// Whether a column of numbers with this name contains ids: `id`, `PassengerId`, or what pandas calls a column without a
/// name.
pub(crate) fn is_numeric_id(name: &str) -> bool {
    is_among(name, &NUMERIC_IDS)
        || words(name).last().is_some_and(|word| word == "id")
        || name.trim().to_lowercase().starts_with("unnamed: ")
}

/// Whether a column of numbers with this name numbers the rows.
pub(crate) fn is_row_number(name: &str) -> bool {
    const NUMBERS: [&str; 22] = [
        "#",
        "no",
        "no.",
        "nr",
        "nr.",
        "№",
        "n°",
        "lfd. nr.",
        "lfd.nr.",
        "lfd nr",
        "s.no",
        "s.no.",
        "sno",
        "sl no",
        "sr no",
        "row",
        "rownum",
        "row number",
        "rownames",
        "level_0",
        "编号",
        "序号",
    ];
    is_among(name, &NUMBERS)
}

/// Whether rows with ids of this name are genes and the like, whose columns are what most people embed.
pub(crate) fn is_feature(name: &str) -> bool {
    let spaced = name.trim().to_lowercase().trim_start_matches('#').replace([' ', '.'], "_");
    FEATURES.contains(&spaced.as_str())
}

/// Whether numbers in a column with this name are codes of something, such as places.
pub(crate) fn is_code(name: &str) -> bool {
    const CODES: [&str; 37] = [
        "subj",
        "subject",
        "participant",
        "respondent",
        "trial",
        "block",
        "session",
        "visit",
        "wave",
        "arm",
        "sex",
        "gender",
        "race",
        "ethnicity",
        "condition",
        "phone",
        "code",
        "codes",
        "geocode",
        "geoid",
        "fips",
        "zip",
        "zipcode",
        "postcode",
        "plz",
        "isbn",
        "issn",
        "ean",
        "naics",
        "nace",
        "isic",
        "uuid",
        "rep",
        "replicate",
        "batch",
        "plate",
        "fold",
    ];
    words(name).last().is_some_and(|word| CODES.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_says_that_numbers_are_codes() {
        assert!(is_code("w_geocode") && is_code("ZIP code") && is_code("countryCode") && !is_code("decoded"));
    }
}
