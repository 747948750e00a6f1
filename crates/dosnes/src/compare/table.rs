//! The table of measures: one column per method, one row per measure, the best value of each row marked.

use crate::quality::{Better, Evaluation, NamedMeasure};

/// The measures of one method, for one or more maps.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its identifier in files.
    pub key: String,
    /// Its display name.
    pub label: String,
    /// The measures of each of its maps.
    pub runs: Vec<Evaluation>,
}

/// One cell: a mean and its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The mean over the maps.
    pub value: f64,
    /// Their standard deviation if there are several maps; otherwise half the confidence interval of a sampled measure.
    pub spread: Option<f64>,
}

/// One measure for all methods.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRow {
    /// The measure's identifier in files.
    pub key: String,
    /// Its display name.
    pub label: String,
    /// One cell per method; `None` for a method without this measure.
    pub cells: Vec<Option<Cell>>,
    /// The column with the best value, if the measure has a best value.
    pub best: Option<usize>,
}

/// The table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Methods.
    pub columns: Vec<Column>,
}

impl Column {
    fn cell(&self, key: &str) -> Option<Cell> {
        let found: Vec<&NamedMeasure> =
            self.runs.iter().filter_map(|run| run.measures.iter().find(|row| row.key == key)).collect();
        let first = found.first()?;
        let m = found.len() as f64;
        let value = found.iter().map(|row| row.measure.value).sum::<f64>() / m;
        let spread = if found.len() > 1 {
            let variance = found.iter().map(|row| (row.measure.value - value).powi(2)).sum::<f64>() / (m - 1.0);
            Some(variance.sqrt())
        } else {
            first.measure.margin
        };
        Some(Cell { value, spread })
    }
}

impl Table {
    /// The measures, in the order in which they first occur.
    pub fn rows(&self) -> Vec<TableRow> {
        let mut rows: Vec<TableRow> = Vec::new();
        for measure in self.columns.iter().flat_map(|column| column.runs.iter().flat_map(|run| &run.measures)) {
            if !rows.iter().any(|known| known.key == measure.key) {
                let cells: Vec<Option<Cell>> = self.columns.iter().map(|column| column.cell(&measure.key)).collect();
                let best = best(&cells, measure.better);
                rows.push(TableRow { key: measure.key.clone(), label: measure.label.clone(), cells, best });
            }
        }
        rows
    }
}

/// The column with the best value, if there are several columns and one of them is the best.
fn best(cells: &[Option<Cell>], better: Better) -> Option<usize> {
    let loss = |cell: &Option<Cell>| cell.and_then(|cell| better.loss(cell.value)).filter(|loss| loss.is_finite());
    let losses: Vec<(usize, f64)> = cells.iter().enumerate().filter_map(|(c, cell)| Some((c, loss(cell)?))).collect();
    let best = losses.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    (losses.len() > 1).then_some(best.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::Measure;

    fn column(key: &str, runs: &[&[(&str, Better, f64)]]) -> Column {
        let measure = |&(key, better, value): &(&str, Better, f64)| NamedMeasure {
            key: key.to_owned(),
            label: key.to_owned(),
            better,
            measure: Measure { value, margin: None },
        };
        let run = |rows: &&[(&str, Better, f64)]| Evaluation {
            measures: rows.iter().map(measure).collect(),
            curve: Vec::new(),
        };
        Column { key: key.to_owned(), label: key.to_uppercase(), runs: runs.iter().map(run).collect() }
    }

    #[test]
    fn the_best_is_found_where_there_is_one() {
        let (higher, near, none) = (Better::Higher, Better::Near(0.5), Better::None);
        let table = Table {
            columns: vec![
                column("a", &[&[("recall", higher, 0.5), ("share", near, 0.9), ("kl", none, 1.0)]]),
                column(
                    "b",
                    &[&[("recall", higher, 0.6), ("share", near, 0.4), ("kl", none, 2.0)], &[("recall", higher, 0.8)]],
                ),
            ],
        };
        let rows = table.rows();
        let keys: Vec<(&str, Option<usize>)> = rows.iter().map(|row| (row.key.as_str(), row.best)).collect();
        assert_eq!(keys, [("recall", Some(1)), ("share", Some(1)), ("kl", None)]);
        let recall = rows[0].cells[1].unwrap();
        assert!((recall.value - 0.7).abs() < 1e-12 && (recall.spread.unwrap() - 0.02_f64.sqrt()).abs() < 1e-12);
        assert_eq!(rows[1].cells[1], Some(Cell { value: 0.4, spread: None }));
    }
}
