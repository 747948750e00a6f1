//! Meanings of column names: one list or rule for each, by subject. All names in them are in lower case.

mod answers;
mod classes;
mod ends;
mod headers;
mod ids;
mod places;
mod times;
mod totals;
mod weights;
mod written;

pub(crate) use answers::about_answers;
pub(crate) use classes::{ClassNames, is_outcome};
pub(crate) use ends::{EndNames, could_name_ends, find_ends};
pub(crate) use headers::is_only_in_headers;
pub(crate) use ids::{is_code, is_feature, is_id, is_numeric_id, is_row_number};
pub(crate) use places::{LATITUDES, LONGITUDES, are_places, genome_places};
pub(crate) use times::{is_calendar, is_time};
pub(crate) use totals::{has_total_in_name, is_summary, is_total};
pub(crate) use weights::{
    has_weight_in_name, is_chance, is_direction, is_distance, is_distance_file, is_lapse, is_no_weight, is_weight,
};
pub(crate) use written::{original_name, written_name};

/// The column that a user means by `name`: its name, its name ignoring case, or its number, counted from 1.
pub(crate) fn find_column(names: &[String], name: &str) -> Option<usize> {
    names
        .iter()
        .position(|n| n == name)
        .or_else(|| names.iter().position(|n| n.eq_ignore_ascii_case(name)))
        .or_else(|| name.parse::<usize>().ok().filter(|k| (1..=names.len()).contains(k)).map(|k| k - 1))
}

fn is_among(name: &str, list: &[&str]) -> bool {
    list.contains(&name.trim().to_lowercase().as_str())
}

/// A name without blanks, signs and what stands in parentheses, in lower case: `:START_ID(Person)` is `startid`.
fn plain(name: &str) -> String {
    words(name).concat()
}

/// The words of a name in lower case, without what stands in parentheses: `fromNode`, `from_node` and `From node` are two.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let (mut depth, mut before) = (0_usize, ' ');
    for c in name.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            c if c.is_alphanumeric() => {
                let begins = c.is_uppercase() && before.is_lowercase() || c.is_ascii_digit() != before.is_ascii_digit();
                if begins {
                    words.push(String::new());
                }
                words.last_mut().into_iter().for_each(|word| word.extend(c.to_lowercase()));
            }
            _ => words.push(String::new()),
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}
