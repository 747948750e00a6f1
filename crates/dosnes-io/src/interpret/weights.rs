//! Which column of a table of edges is the weight.

use dosnes::Kind;
use std::collections::HashSet;

use super::layout::{EdgeColumns, FEWEST_NAMES};
use crate::column_names;
use crate::error::Error;
use crate::note::Note;
use crate::options::ReadOptions;
use crate::schema::Schema;
use crate::text::records::Record;

/// The weight that was asked for; else the column of that name; else the only further column of numbers, unless it contains
/// times or distances.
pub(super) fn choose_weight(
    file: &str,
    schema: &Schema,
    sample: &[Record],
    used: &[usize],
    options: &ReadOptions,
    chosen: &mut EdgeColumns,
) -> Result<(), Error> {
    if let Some(name) = &options.weight_column {
        let weight = schema.find(file, name)?;
        if weight == chosen.ends.0 || weight == chosen.ends.1 {
            let problem = format!(
                "column \"{name}\" is an end of the edges, so it cannot be the weight; choose another --weight"
            );
            return Err(Error::option(file, problem));
        }
        chosen.weight = Some(weight);
        chosen.distances = options.kind == Some(Kind::Distance);
        return Ok(());
    }
    let others: Vec<usize> = used.iter().copied().filter(|&k| k != chosen.ends.0 && k != chosen.ends.1).collect();
    chosen.direction = others
        .iter()
        .copied()
        .find(|&k| schema.header && column_names::is_direction(&schema.names[k]) && !schema.columns[k].is_numeric());
    let is_named =
        |&&k: &&usize| schema.header && column_names::is_weight(&schema.names[k]) && schema.columns[k].numbers > 0;
    if let Some(&named) = others.iter().find(is_named) {
        chosen.weight = Some(named);
        return Ok(());
    }
    if options.kind.is_none()
        && let Some(&words) = others.iter().find(|&&k| schema.header && is_weight_in_words(schema, sample, k))
    {
        let example = sample.first().map(|record| record.get(words).to_owned()).unwrap_or_default();
        chosen.notes.push(Note::WordsAreNoWeights { column: schema.names[words].clone(), example });
    }
    let (mut candidates, mut distances) = (Vec::new(), Vec::new());
    for k in others.iter().copied().filter(|&k| schema.columns[k].is_numeric()) {
        let name = &schema.names[k];
        let column = schema.columns[k];
        let is_distance = schema.header && column_names::is_distance(name) && !column.looks_like_times();
        let is_time = schema.header && column_names::is_time(name)
            || column.looks_like_times()
            || column.looks_like_years()
            || !schema.header && column.is_integer() && are_times_of_contacts(sample, chosen.ends, k);
        if is_time && !is_distance {
            let named = schema.header && column_names::is_time(name);
            chosen.notes.push(Note::TimeIsNoWeight { column: name.clone(), named });
        } else if is_distance || !schema.header && column_names::is_distance_file(file) {
            distances.push(k);
        } else if schema.header && column_names::is_chance(name) {
            chosen.notes.push(Note::ChanceIsNoWeight { column: name.clone() });
        } else if !(schema.header && column_names::is_no_weight(name) || column.is_empty()) {
            candidates.push(k);
        }
    }
    let numbers_only = others.iter().all(|&k| schema.columns[k].is_numeric());
    let by_word =
        || candidates.iter().copied().find(|&k| schema.header && column_names::has_weight_in_name(&schema.names[k]));
    chosen.weight = match candidates[..] {
        [only] if numbers_only && distances.is_empty() => Some(only),
        _ => by_word(),
    };
    if let (Some(weight), None) = (chosen.weight, options.kind) {
        let named = |k: &usize| *k != weight && schema.header && column_names::has_weight_in_name(&schema.names[*k]);
        let others: Vec<String> = candidates.iter().copied().filter(named).map(|k| schema.names[k].clone()).collect();
        if !others.is_empty() {
            chosen.notes.push(Note::OneOfSeveralWeights { column: schema.names[weight].clone(), others });
        }
    }
    if let (Some(weight), None, true) = (chosen.weight, options.kind, schema.header)
        && column_names::is_lapse(&schema.names[weight])
    {
        chosen.notes.push(Note::CouldBeLapses { column: schema.names[weight].clone() });
    }
    // Correlations may be negative; which of them are meant is not said.
    if chosen.weight.is_some_and(|k| schema.columns[k].has_negatives()) && options.kind.is_none() && schema.header {
        chosen.weight = None;
    }
    if chosen.weight.is_none() {
        if let ([only], true, false) = (&distances[..], candidates.is_empty(), chosen.two_kinds) {
            chosen.distances = true;
            chosen.weight = Some(*only);
            if options.kind.is_none() {
                chosen.notes.push(Note::PairsAreDistances { column: schema.names[*only].clone() });
            }
        } else {
            let names = |columns: &[usize]| columns.iter().map(|&k| schema.names[k].clone()).collect::<Vec<_>>();
            chosen.notes.extend(names(&distances).into_iter().map(|column| Note::DistanceIsNoWeight { column }));
            if !candidates.is_empty() {
                chosen.notes.push(Note::NoWeightChosen { columns: names(&candidates) });
            }
        }
    }
    Ok(())
}

/// Whether a column of words is called a weight (`weak`, `strong`), or has nothing but signs in it.
fn is_weight_in_words(schema: &Schema, sample: &[Record], column: usize) -> bool {
    let is_sign = |cell: &str| {
        matches!(cell, "+" | "-" | "−" | "+1" | "-1")
            || cell.eq_ignore_ascii_case("positive")
            || cell.eq_ignore_ascii_case("negative")
    };
    let cells = || sample.iter().map(|record| record.get(column));
    let has_words = schema.columns[column].texts > 0 && schema.columns[column].numbers == 0;
    has_words
        && (column_names::is_weight(&schema.names[column])
            || cells().all(is_sign) && cells().any(|cell| cell != sample[0].get(column)))
}

/// Contacts in the order of their times: the same pairs recur, and the number never falls, while the first names do.
fn are_times_of_contacts(sample: &[Record], ends: (usize, usize), column: usize) -> bool {
    let numbers = |k: usize| sample.iter().filter_map(|record| record.get(k).parse::<f64>().ok()).collect::<Vec<_>>();
    let pairs: HashSet<_> = sample.iter().map(|record| (record.get(ends.0), record.get(ends.1))).collect();
    let times: HashSet<_> = sample.iter().map(|record| record.get(column)).collect();
    pairs.len() < sample.len()
        && times.len() >= FEWEST_NAMES
        && numbers(column).is_sorted()
        && !sample.iter().map(|record| record.get(ends.0)).is_sorted()
        && (numbers(ends.0).is_empty() || !numbers(ends.0).is_sorted())
}
