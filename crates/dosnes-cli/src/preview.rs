//! The first rows of a data set as they were understood, so that a wrong reading is seen at a glance.

use dosnes::{
    CsrMatrix,
    input::{Data, Dataset, Distances, Items, Points},
};

/// Rows, or edges, that are shown.
const ROWS: usize = 3;
/// Values of a row that are shown.
const VALUES: usize = 6;

/// The first rows: an item with its values, or edges with their ends.
pub(crate) fn rows(dataset: &Dataset) -> Vec<String> {
    let items = &dataset.items;
    match &dataset.data {
        Data::Points(Points::Dense(x)) => dense(items, x.ncols(), |i, j| f64::from(x[[i, j]])),
        Data::Points(Points::Dense64(x) | Points::Rounded(x)) => dense(items, x.ncols(), |i, j| x[[i, j]]),
        Data::Distance(Distances::Dense(x)) => dense(items, x.ncols(), |i, j| f64::from(x[[i, j]])),
        Data::Similarity(x) | Data::Graph(x) | Data::Distance(Distances::Sparse(x)) => links(x, items, Some(items)),
        Data::Points(Points::Sparse(x)) | Data::Dyadic(x) => links(x, items, dataset.partners.as_ref()),
    }
}

fn dense(items: &Items, columns: usize, value: impl Fn(usize, usize) -> f64) -> Vec<String> {
    let row = |(i, id): (usize, &String)| {
        let mut values: Vec<String> = (0..columns.min(VALUES)).map(|j| short(value(i, j))).collect();
        if columns > VALUES {
            values.push("…".into());
        }
        format!("{}: {}", in_one_line(id), values.join(", "))
    };
    items.ids.iter().take(ROWS).enumerate().map(row).collect()
}

/// The first entries of a sparse matrix, by the names of their ends.
fn links(matrix: &CsrMatrix<'_>, items: &Items, partners: Option<&Items>) -> Vec<String> {
    let name = |names: Option<&Items>, k: usize| {
        names.and_then(|names| names.ids.get(k).cloned()).unwrap_or_else(|| format!("column {k}"))
    };
    let entry = |(i, j, value): (usize, usize, f64)| {
        let (from, to) = (name(Some(items), i), name(partners, j));
        format!("{} – {}: {}", in_one_line(&from), in_one_line(&to), short(value))
    };
    matrix.iter().take(ROWS).map(entry).collect()
}

/// A name without breaks of lines.
fn in_one_line(name: &str) -> String {
    name.split(['\n', '\r', '\t']).collect::<Vec<_>>().join(" ")
}

/// A number with at most six digits.
fn short(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 || (1e-4..1e7).contains(&magnitude) {
        // Of single precision there are seven digits.
        let decimals = match magnitude {
            1e3.. => 2,
            100.0.. => 3,
            10.0.. => 4,
            _ => 5,
        };
        let text = format!("{value:.decimals$}");
        let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        text.to_owned()
    } else {
        format!("{value:.5e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0.0, 1.5, 1.0 / 3.0, 1234.5678, 2.5e-9, f64::from(156.6_f32), f64::from(15.66_f32)].map(short),
            ["0", "1.5", "0.33333", "1234.57", "2.50000e-9", "156.6", "15.66"]
        );
    }
}
