//! Which columns have times.

use super::weights::has_weight_in_name;
use super::{is_among, words};

/// Times, which are no weights.
const TIMES: [&str; 35] = [
    "time",
    "times",
    "timestamp",
    "timestamps",
    "time_stamp",
    "date",
    "datetime",
    "date_time",
    "ts",
    "unixtime",
    "unix_time",
    "epoch",
    "created_at",
    "year",
    "month",
    "day",
    "t",
    "period",
    "years",
    "hour",
    "week",
    "decade",
    "century",
    "created",
    "jahr",
    "datum",
    "uhrzeit",
    "zeit",
    "heure",
    "année",
    "annee",
    "año",
    "anio",
    "fecha",
    "anno",
];

/// Whether a column with this name contains times.
pub(crate) fn is_time(name: &str) -> bool {
    const IN_NAMES: [&str; 7] = ["time", "timestamp", "date", "datetime", "year", "month", "day"];
    is_among(name, &TIMES)
        || !has_weight_in_name(name) && words(name).iter().any(|word| IN_NAMES.contains(&word.as_str()))
}

/// Whether a column with this name has years or dates.
pub(crate) fn is_calendar(name: &str) -> bool {
    const WORDS: [&str; 12] =
        ["date", "datetime", "timestamp", "year", "datum", "jahr", "année", "annee", "fecha", "año", "дата", "год"];
    words(name).iter().any(|word| WORDS.contains(&word.as_str())) || matches!(name, "日期" | "年份" | "年" | "日付")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_names_say_that_a_column_has_times() {
        assert!(is_time("sent_date") && is_time("Année") && !is_time("lifetime") && !is_time("update"));
    }
}
