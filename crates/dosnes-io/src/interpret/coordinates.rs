//! Columns of a table of points that may be no coordinates: times, codes of places, the numbers of the items.

use dosnes::input::Items;
use dosnes::ndarray::{Array2, ArrayView1};

use super::codes;
use crate::column_names;
use crate::note::Note;
use crate::raw::{Matrix, RawMatrix};
use crate::text::forms::is_date;

/// With fewer rows than this, numbers that go up say nothing.
const ENOUGH_ROWS: usize = 10;
/// Items whose pairs are recognised by their number, at least.
const FEWEST_OF_PAIRS: usize = 5;
/// Columns below which rows with dates are no series of times.
const ENOUGH_SERIES: usize = 4;
/// Letters of a barcode of a cell, at least.
const SHORTEST_BARCODE: usize = 8;

/// The number of items that this many pairs have; `None` if it is not a whole number.
pub(crate) fn items_of_pairs(pairs: usize) -> Option<usize> {
    let n = f64::midpoint(1.0, (1.0 + 8.0 * pairs as f64).sqrt()).round() as usize;
    (n >= FEWEST_OF_PAIRS && n.checked_mul(n - 1).is_some_and(|twice| twice / 2 == pairs)).then_some(n)
}

/// What is doubtful about the coordinates of points. `named` are those of a table with a header.
pub(super) fn doubts(raw: &RawMatrix, named: bool) -> Vec<Note> {
    match &raw.matrix {
        Matrix::Double(x) => of_matrix(x, raw, named),
        Matrix::Single(x) => of_matrix(x, raw, named),
        Matrix::Sparse(_) => Vec::new(),
    }
}

fn of_matrix<T: Copy>(x: &Array2<T>, raw: &RawMatrix, named: bool) -> Vec<Note>
where
    f64: From<T>,
{
    let mut notes: Vec<Note> = codes::found(x, raw).into_iter().collect();
    let is_first = |row: ArrayView1<'_, T>| row.iter().zip(x.row(0)).all(|(&a, &b)| f64::from(a) == f64::from(b));
    if x.nrows() > 1 && x.rows().into_iter().all(is_first) {
        notes.push(Note::AllTheSame);
    }
    notes.extend(are_neighbors(x).then_some(Note::CouldBeNeighbors));
    notes.extend(is_linkage(x).then_some(Note::CouldBeLinkage));
    if let (1, Some(items), None) = (x.ncols(), items_of_pairs(x.nrows()), &raw.items)
        && x.iter().all(|&v| f64::from(v) >= 0.0)
    {
        notes.push(Note::CouldBeCondensed { items });
    }
    let names = raw.partners.as_ref().map(|partners| &partners.ids[..]).filter(|ids| ids.len() == x.ncols() && named);
    let first = || x.column(0).mapv(|v| f64::from(v));
    let Some(names) = names else {
        if named && raw.id_column.is_none() && x.ncols() > 2 && goes_up(&first().view()) {
            notes.push(Note::AscendingCoordinate { column: "1".into() });
        }
        // Beside texts, the place of a column in the file is not known here.
        if named && raw.items.is_none() {
            let ends = [0, x.ncols().saturating_sub(1)].into_iter().filter(|&k| are_classes(x, k));
            notes.extend(ends.map(|k| Note::CouldBeClasses { column: (k + 1).to_string() }));
        }
        return notes;
    };
    if let Some(k) = (0..names.len()).rev().find(|&k| column_names::is_outcome(&names[k]) && are_classes(x, k)) {
        notes.push(Note::CouldBeClasses { column: names[k].clone() });
    }
    let is_time = |k: usize, name: &str| {
        let column = || x.column(k).into_iter().map(|&v| f64::from(v)).filter(|v| !v.is_nan());
        let stamps = |low: f64, high: f64| column().all(|v| (low..high).contains(&v));
        let never_falls = || column().zip(column().skip(1)).all(|(before, after)| before <= after);
        let is_clock = matches!(name.trim().to_lowercase().as_str(), "time" | "timestamp" | "elapsed time");
        column().next().is_some()
            && (column().all(|v| v.fract() == 0.0)
                && (column_names::is_calendar(name) || stamps(1e8, 4.1e9) || stamps(1e11, 4.1e12))
                || is_clock && x.nrows() >= ENOUGH_ROWS && never_falls())
    };
    let times: Vec<String> =
        names.iter().enumerate().filter(|(k, name)| is_time(*k, name)).map(|(_, name)| name.clone()).collect();
    // A table of nothing but times is about them.
    if !times.is_empty() && times.len() < x.ncols() {
        notes.push(Note::TimesAreCoordinates { columns: times.clone() });
    }
    let numbers_items =
        raw.id_column.is_none() && x.ncols() > 1 && !times.contains(&names[0]) && goes_up(&first().view());
    let is_integer = |k: usize| x.column(k).into_iter().all(|&v| f64::from(v).fract() == 0.0);
    let is_code = |&(k, name): &(usize, &String)| {
        column_names::is_code(name) && is_integer(k) && !times.contains(name) && !(k == 0 && numbers_items)
    };
    let codes: Vec<String> = names.iter().enumerate().filter(is_code).map(|(_, name)| name.clone()).collect();
    if !codes.is_empty() {
        notes.push(Note::CodesAreCoordinates { columns: codes });
    }
    let counts = |k: usize| counts_up(&x.column(k).mapv(|v| f64::from(v)).view()) && !times.contains(&names[k]);
    if numbers_items {
        notes.push(Note::AscendingCoordinate { column: names[0].clone() });
    } else if x.ncols() > 1
        && let Some(k) = (0..x.ncols()).find(|&k| counts(k))
    {
        notes.push(Note::AscendingCoordinate { column: names[k].clone() });
    }
    let ids = raw.items.as_ref().filter(|_| raw.id_column.is_some()).map_or(&[][..], |items| &items.ids);
    let genes = !ids.is_empty() && ids.iter().all(|id| is_gene(id));
    if names.len() >= ENOUGH_SERIES && ids.len() >= ENOUGH_ROWS && ids.iter().all(|id| is_date(id)) {
        notes.push(Note::RowsAreTimes { example: names[0].clone() });
    }
    // What is called `gene` was said when the rows were read.
    let said = raw.id_column.as_ref().is_none_or(|name| column_names::is_feature(name));
    if !said && x.ncols() > 1 && (genes || names.iter().all(|name| is_barcode(name))) {
        notes.push(Note::RowsAreFeatures { column: raw.id_column.clone().unwrap_or_default() });
    }
    notes
}

/// Whether each row has numbers of rows, all different, and its own number in none, or in the first column alone, as indexes of
/// nearest neighbours are saved. They count from 0 or from 1.
fn are_neighbors<T: Copy>(x: &Array2<T>) -> bool
where
    f64: From<T>,
{
    let n = x.nrows();
    if n < ENOUGH_ROWS || !(3..n).contains(&x.ncols()) {
        return false;
    }
    let mut seen_in = vec![usize::MAX; n];
    [0, 1].into_iter().any(|base| {
        seen_in.fill(usize::MAX);
        let own_first = f64::from(x[[0, 0]]) == base as f64;
        x.rows().into_iter().enumerate().all(|(i, row)| {
            row.iter().enumerate().all(|(k, &v)| {
                let v = f64::from(v) - base as f64;
                let is_row = v >= 0.0 && v < n as f64 && v.fract() == 0.0;
                let is_new = is_row && std::mem::replace(&mut seen_in[v as usize], i) != i;
                is_new && (v == i as f64) == (own_first && k == 0)
            })
        })
    })
}

/// Whether the rows are the steps of a hierarchical clustering, as SciPy's `linkage` has them: the two clusters that are joined, each
/// number once, their distance, which never falls, and how many items they have.
fn is_linkage<T: Copy>(x: &Array2<T>) -> bool
where
    f64: From<T>,
{
    let steps = x.nrows();
    if x.ncols() != 4 || steps < 3 {
        return false;
    }
    let mut joined = vec![false; 2 * steps];
    let mut highest = f64::NEG_INFINITY;
    x.rows().into_iter().all(|row| {
        let [first, second, distance, count] = [0, 1, 2, 3].map(|k| f64::from(row[k]));
        let mut is_new = |v: f64| {
            let is_number = v.fract() == 0.0 && v >= 0.0 && v < (2 * steps) as f64;
            is_number && !std::mem::replace(&mut joined[v as usize], true)
        };
        let fits = is_new(first) && is_new(second) && distance >= highest && count >= 2.0;
        highest = distance;
        fits
    }) && f64::from(x[[steps - 1, 3]]) == (steps + 1) as f64
}

/// Whether a column has a few whole numbers from 0 or 1 on, or −1 and 1, while most others have fractions.
fn are_classes<T: Copy>(x: &Array2<T>, column: usize) -> bool
where
    f64: From<T>,
{
    const MOST_CLASSES: usize = 20;
    const ROWS_OF_A_CLASS: usize = 5;
    let has_fractions = |k: &usize| x.column(*k).iter().any(|&v| f64::from(v).fract() != 0.0);
    let others = || (0..x.ncols()).filter(|&k| k != column);
    if x.ncols() < 3 || has_fractions(&column) || 2 * others().filter(has_fractions).count() <= others().count() {
        return false;
    }
    let mut values: Vec<f64> = x.column(column).iter().map(|&v| f64::from(v)).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let counts = (values.first() == Some(&0.0) || values.first() == Some(&1.0))
        && values.windows(2).all(|pair| pair[1] - pair[0] == 1.0);
    (2..=MOST_CLASSES).contains(&values.len())
        && x.nrows() >= ROWS_OF_A_CLASS * values.len()
        && (counts || values == [-1.0, 1.0])
}

/// Integers, each larger than the one before.
fn goes_up(column: &ArrayView1<'_, f64>) -> bool {
    column.len() >= ENOUGH_ROWS
        && column.iter().all(|v| v.fract() == 0.0)
        && column.windows(2).into_iter().all(|pair| pair[0] < pair[1])
}

/// Integers, each the one before and one more.
fn counts_up(column: &ArrayView1<'_, f64>) -> bool {
    goes_up(column) && column.windows(2).into_iter().all(|pair| pair[1] - pair[0] == 1.0)
}

/// Whether counts are those of genes in single cells, by the names of both: barcodes or `cell` for the items, or names that
/// only genes have for the columns.
pub(super) fn are_cells(raw: &RawMatrix) -> bool {
    const FEWEST_GENES: usize = 20;
    const KNOWN_GENES: usize = 3;
    let ids = |items: &Option<Items>| items.as_ref().map_or(&[][..], |items| &items.ids[..]).to_vec();
    let (cells, genes) = (ids(&raw.items), ids(&raw.partners));
    let barcodes = cells.iter().filter(|id| is_barcode(id)).count();
    let named = raw.id_column.as_deref().is_some_and(|name| {
        matches!(
            name.trim().to_lowercase().as_str(),
            "cell" | "cells" | "cell_id" | "cellid" | "cell id" | "barcode" | "barcodes"
        )
    });
    let known = genes.iter().filter(|name| is_gene(name) || is_common_gene(name)).count();
    genes.len() >= FEWEST_GENES && (2 * barcodes > cells.len() || named || known >= KNOWN_GENES)
}

/// Genes that nearly every table of cells has: of mitochondria, of ribosomes, and some that are used as a scale.
fn is_common_gene(name: &str) -> bool {
    let upper = name.to_uppercase();
    let numbered = |prefix: &str| {
        upper.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) && rest.len() < 6)
    };
    upper.starts_with("MT-")
        || numbered("RPL")
        || numbered("RPS")
        || matches!(upper.as_str(), "ACTB" | "GAPDH" | "MALAT1" | "B2M" | "TMSB4X" | "FTL" | "EEF1A1")
}

/// The barcode of a cell, as 10x Genomics writes it: `AAACCTGAGAAACCAT-1`, perhaps after the name of a sample.
fn is_barcode(name: &str) -> bool {
    let letters = |part: &str| part.len() >= SHORTEST_BARCODE && part.bytes().all(|b| b"ACGTN".contains(&b));
    name.split(|c: char| !c.is_ascii_alphanumeric()).any(letters)
}

/// A gene or a variant by its number in Ensembl or dbSNP: `ENSG00000141510.18`, `ENSMUSG00000059552`, `rs7412`.
fn is_gene(id: &str) -> bool {
    let digits = |text: &str, fewest: usize| {
        let text = text.split(['.', '_']).next().unwrap_or(text);
        text.len() >= fewest && text.bytes().all(|b| b.is_ascii_digit())
    };
    let ensembl = |rest: &str| {
        let number = rest.trim_start_matches(|c: char| c.is_ascii_uppercase());
        rest.len() - number.len() <= 4 && rest[..rest.len() - number.len()].ends_with('G') && digits(number, 8)
    };
    id.strip_prefix("ENS").is_some_and(ensembl) || id.strip_prefix("rs").is_some_and(|rest| digits(rest, 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::ndarray::array;

    #[test]
    fn numbers_of_nearest_items_are_no_sure_coordinates() {
        let neighbors = |own: usize, base: usize| {
            Array2::from_shape_fn((12, 4), |(i, k)| ((i + [own, 1, 2, 5][k]) % 12 + base) as f64)
        };
        for (own, base) in [(0, 0), (0, 1), (7, 0), (7, 1)] {
            assert!(are_neighbors(&neighbors(own, base)), "{own} {base}");
        }
        let mut other = neighbors(0, 0);
        other[[4, 2]] = other[[4, 1]];
        assert!(!are_neighbors(&other) && !are_neighbors(&neighbors(0, 2)));
    }

    #[test]
    fn steps_of_a_clustering_are_no_sure_coordinates() {
        let steps = array![[0.0, 1.0, 0.5, 2.0], [2.0, 3.0, 0.5, 2.0], [4.0, 6.0, 1.0, 3.0], [5.0, 7.0, 2.0, 5.0]];
        assert!(is_linkage(&steps));
        for (place, value) in [([3, 3], 4.0), ([1, 2], 0.25), ([2, 1], 3.0), ([0, 0], 0.5)] {
            let mut other = steps.clone();
            other[place] = value;
            assert!(!is_linkage(&other), "{place:?}");
        }
    }

    #[test]
    fn the_number_of_pairs_tells_that_of_the_items() {
        assert_eq!([10, 45, 1128, 11, 6, 0].map(items_of_pairs), [Some(5), Some(10), Some(48), None, None, None]);
        let pairs = Array2::from_shape_fn((45, 1), |(i, _)| i as f64);
        let notes = doubts(&RawMatrix::new(Matrix::Double(pairs)), false);
        assert_eq!(notes, [Note::CouldBeCondensed { items: 10 }]);
    }

    #[test]
    fn barcodes_are_known_by_their_letters() {
        assert!(is_barcode("AAACCTGAGAAACCAT-1") && is_barcode("s1_AAACCTGAGAAACCAT") && !is_barcode("CATTAG-1"));
        assert!(!is_barcode("GATA3"));
        assert!(is_gene("ENSG00000141510.18") && is_gene("ENSMUSG00000059552") && is_gene("rs7412"));
        assert!(!is_gene("ENSP00000269305") && !is_gene("ENSGALUS") && !is_gene("rsid"));
    }
}
