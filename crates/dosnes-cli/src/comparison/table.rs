//! The table of measures: methods across, measures down, the best in each row marked.

use crate::comparison::{Better, Row};
use dosnes_view::{MeasureRow, Measures};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The measures of one method, of one or more maps.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// Its name in files.
    pub(crate) key: String,
    /// Its name for people.
    pub(crate) label: String,
    /// The measures of each of its maps.
    pub(crate) runs: Vec<Vec<Row>>,
    /// Its R_NX curve, of the first map.
    pub(crate) curve: Vec<(usize, f64)>,
}

/// One cell: a mean, and by how much it may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cell {
    /// The mean over the maps.
    pub(crate) value: f64,
    /// Their standard deviation, if there are several; else half the interval of a sampled measure.
    pub(crate) spread: Option<f64>,
}

/// The table.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    /// Methods.
    pub(crate) columns: Vec<Column>,
}

impl Column {
    fn cell(&self, key: &str) -> Option<Cell> {
        let found: Vec<_> = self.runs.iter().filter_map(|rows| rows.iter().find(|row| row.key == key)).collect();
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
    /// The rows' names and what is best, in the order in which they first occur.
    fn rows(&self) -> Vec<(&str, &str, Better)> {
        let mut rows: Vec<(&str, &str, Better)> = Vec::new();
        for row in self.columns.iter().flat_map(|column| column.runs.iter().flatten()) {
            if !rows.iter().any(|known| known.0 == row.key) {
                rows.push((&row.key, &row.label, row.better));
            }
        }
        rows
    }

    /// The column with the best value of a row, if that means anything.
    fn best(&self, key: &str, better: Better) -> Option<usize> {
        let loss = |value: f64| match better {
            Better::Higher => Some(-value),
            Better::Near(target) => Some((value - target).abs()),
            Better::None => None,
        };
        let cells = self.columns.iter().enumerate().filter_map(|(c, column)| Some((c, column.cell(key)?.value)));
        let losses = cells.filter_map(|(c, value)| Some((c, loss(value).filter(|l| l.is_finite())?)));
        let losses: Vec<(usize, f64)> = losses.collect();
        let best = losses.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
        (losses.len() > 1).then_some(best.0)
    }

    /// As Markdown, the best in bold.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::from("| |");
        for column in &self.columns {
            let _ = write!(text, " {} |", column.label);
        }
        text.push_str("\n|---|");
        text.push_str(&"---|".repeat(self.columns.len()));
        text.push('\n');
        for (key, label, better) in self.rows() {
            let best = self.best(key, better);
            let _ = write!(text, "| {label} |");
            for (c, column) in self.columns.iter().enumerate() {
                match column.cell(key) {
                    Some(cell) if best == Some(c) => {
                        let _ = write!(text, " **{}** |", number(cell));
                    }
                    Some(cell) => {
                        let _ = write!(text, " {} |", number(cell));
                    }
                    None => text.push_str(" |"),
                }
            }
            text.push('\n');
        }
        text
    }

    /// For the page of the maps.
    pub(crate) fn measures(&self) -> Measures {
        let row = |(key, label, better): (&str, &str, Better)| MeasureRow {
            name: label.to_owned(),
            cells: self.columns.iter().map(|column| column.cell(key).map_or_else(String::new, number)).collect(),
            best: self.best(key, better),
        };
        Measures {
            columns: self.columns.iter().map(|column| column.label.clone()).collect(),
            rows: self.rows().into_iter().map(row).collect(),
        }
    }

    /// For a terminal: aligned, the best with a star.
    pub(crate) fn plain(&self) -> String {
        let mut lines =
            vec![std::iter::once(String::new()).chain(self.columns.iter().map(|c| c.label.clone())).collect()];
        for (key, label, better) in self.rows() {
            let best = self.best(key, better);
            let mut line = vec![label.to_owned()];
            for (c, column) in self.columns.iter().enumerate() {
                let text = column.cell(key).map_or_else(String::new, number);
                line.push(if best == Some(c) { format!("{text}*") } else { text });
            }
            lines.push(line);
        }
        let width = |k: usize| lines.iter().map(|line: &Vec<String>| line[k].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..=self.columns.len()).map(width).collect();
        let mut text = String::new();
        for line in &lines {
            for (k, (cell, width)) in line.iter().zip(&widths).enumerate() {
                let blanks = " ".repeat(width - cell.chars().count());
                let _ = if k == 0 { write!(text, "{cell}{blanks}") } else { write!(text, "  {blanks}{cell}") };
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text
    }

    /// As CSV: one line a measure, two cells a method.
    pub(crate) fn csv(&self) -> String {
        let mut text = String::from("measure");
        for column in &self.columns {
            let _ = write!(text, ",{0},{0}_spread", column.key);
        }
        text.push('\n');
        for (key, ..) in self.rows() {
            text.push_str(key);
            for column in &self.columns {
                match column.cell(key) {
                    Some(cell) => {
                        let _ = write!(text, ",{},", cell.value);
                        if let Some(spread) = cell.spread {
                            let _ = write!(text, "{spread}");
                        }
                    }
                    None => text.push_str(",,"),
                }
            }
            text.push('\n');
        }
        text
    }

    /// As JSON: method, then measure.
    pub(crate) fn json(&self) -> Value {
        let mut methods = Map::new();
        for column in &self.columns {
            let mut measures = Map::new();
            for (key, ..) in self.rows() {
                if let Some(cell) = column.cell(key) {
                    measures.insert(key.to_owned(), json!({ "value": cell.value, "spread": cell.spread }));
                }
            }
            let method = json!({ "maps": column.runs.len(), "measures": measures, "rnx": column.curve });
            methods.insert(column.key.clone(), method);
        }
        Value::Object(methods)
    }
}

/// With the digits that matter, and the spread if there is one.
fn number(cell: Cell) -> String {
    // Nothing is not less than nothing.
    let value = if cell.value.abs() < 0.0005 { 0.0 } else { cell.value };
    let value = if value.abs() >= 100.0 { format!("{value:.0}") } else { format!("{value:.3}") };
    match cell.spread {
        Some(spread) => format!("{value} ± {spread:.3}"),
        None => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::quality::Measure;

    fn column(key: &str, runs: &[&[(&str, Better, f64)]]) -> Column {
        let row = |&(key, better, value): &(&str, Better, f64)| Row {
            key: key.to_owned(),
            label: key.to_owned(),
            better,
            measure: Measure { value, margin: None },
        };
        let runs = runs.iter().map(|rows| rows.iter().map(row).collect()).collect();
        Column { key: key.to_owned(), label: key.to_uppercase(), runs, curve: Vec::new() }
    }

    fn table() -> Table {
        let (higher, near, none) = (Better::Higher, Better::Near(0.5), Better::None);
        Table {
            columns: vec![
                column("a", &[&[("recall", higher, 0.5), ("share", near, 0.9), ("kl", none, 1.0)]]),
                column(
                    "b",
                    &[&[("recall", higher, 0.6), ("share", near, 0.4), ("kl", none, 2.0)], &[("recall", higher, 0.8)]],
                ),
            ],
        }
    }

    #[test]
    fn the_best_is_marked_where_there_is_one() {
        assert_eq!(
            table().markdown(),
            "| | A | B |\n|---|---|---|\n| recall | 0.500 | **0.700 ± 0.141** |\n| share | 0.900 | **0.400** |\n\
             | kl | 1.000 | 2.000 |\n"
        );
    }

    #[test]
    fn a_terminal_gets_aligned_columns() {
        assert_eq!(
            table().plain(),
            "            A               B\nrecall  0.500  0.700 ± 0.141*\nshare   0.900          0.400*\n\
             kl      1.000           2.000\n"
        );
    }

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!(number(Cell { value: -0.0004, spread: None }), "0.000");
        assert_eq!(number(Cell { value: -0.0006, spread: None }), "-0.001");
    }

    #[test]
    fn a_page_gets_the_same_texts() {
        let measures = table().measures();
        assert_eq!(measures.columns, ["A", "B"]);
        assert_eq!(measures.rows[0].cells, ["0.500", "0.700 ± 0.141"]);
        assert_eq!(measures.rows.iter().map(|row| row.best).collect::<Vec<_>>(), [Some(1), Some(1), None]);
    }

    #[test]
    fn csv_has_a_line_a_measure() {
        let csv = table().csv();
        assert_eq!(csv.lines().next(), Some("measure,a,a_spread,b,b_spread"));
        assert_eq!(csv.lines().nth(2), Some("share,0.9,,0.4,"));
    }
}
