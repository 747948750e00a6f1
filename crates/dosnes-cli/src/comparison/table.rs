//! The table of a comparison, for people and for programs.

use super::{sentences::sentences, stability::Stability};
use crate::output::{ending, write_whole};
use anyhow::Result;
use dosnes::compare::{Cell, Table};
use dosnes::input::Items;
use dosnes_view::{MeasureRow, Measures};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::Path;

/// Writes the table in the format of the file extension.
pub(crate) fn write_table(path: &Path, table: &Table) -> Result<()> {
    write_with_stability(path, table, &Items::default(), &[])
}

/// The same; JSON also has the stability of each item.
pub(super) fn write_with_stability(path: &Path, table: &Table, items: &Items, stable: &[Stability]) -> Result<()> {
    let text = match ending(path).as_str() {
        "csv" => csv(table),
        "md" => markdown(table),
        _ => format!("{:#}\n", with_angles(json(table), items, stable)),
    };
    write_whole(path, text.as_bytes())?;
    Ok(())
}

/// As Markdown, with the best value of each row in bold.
fn markdown(table: &Table) -> String {
    let mut text = String::from("| |");
    for column in &table.columns {
        let _ = write!(text, " {} |", column.label);
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(table.columns.len()));
    text.push('\n');
    for row in table.rows() {
        let _ = write!(text, "| {} |", row.label);
        for (c, cell) in row.cells.iter().enumerate() {
            let _ = match cell {
                Some(cell) if row.best == Some(c) => write!(text, " **{}** |", number(*cell)),
                Some(cell) => write!(text, " {} |", number(*cell)),
                None => write!(text, " |"),
            };
        }
        text.push('\n');
    }
    text
}

/// For the page with the maps; `items` is the word for the items.
pub(super) fn measures(table: &Table, items: &str) -> Measures {
    let rows = table.rows().into_iter().map(|row| MeasureRow {
        name: row.label,
        cells: row.cells.iter().map(|cell| cell.map_or_else(String::new, number)).collect(),
        best: row.best,
    });
    Measures {
        columns: table.columns.iter().map(|column| column.label.clone()).collect(),
        sentences: sentences(table, items),
        rows: rows.collect(),
    }
}

/// For a terminal: aligned, with a star for the best value of each row.
pub(crate) fn plain(table: &Table) -> String {
    let mut lines: Vec<Vec<String>> =
        vec![std::iter::once(String::new()).chain(table.columns.iter().map(|c| c.label.clone())).collect()];
    for row in table.rows() {
        let mut line = vec![row.label];
        for (c, cell) in row.cells.iter().enumerate() {
            let text = cell.map_or_else(String::new, number);
            line.push(if row.best == Some(c) { format!("{text}*") } else { text });
        }
        lines.push(line);
    }
    let width = |k: usize| lines.iter().map(|line| line[k].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=table.columns.len()).map(width).collect();
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

/// As CSV: one line for each measure, two cells for each method.
fn csv(table: &Table) -> String {
    let mut text = String::from("measure");
    for column in &table.columns {
        let _ = write!(text, ",{0},{0}_spread", column.key);
    }
    text.push('\n');
    for row in table.rows() {
        text.push_str(&row.key);
        for cell in &row.cells {
            match cell {
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

/// As JSON: methods, each with its measures.
fn json(table: &Table) -> Value {
    let rows = table.rows();
    let mut methods = Map::new();
    for (c, column) in table.columns.iter().enumerate() {
        let mut measures = Map::new();
        for row in &rows {
            if let Some(cell) = row.cells[c] {
                measures.insert(row.key.clone(), json!({ "value": cell.value, "spread": cell.spread }));
            }
        }
        let curve = column.runs.first().map(|run| run.curve.as_slice()).unwrap_or_default();
        let method = json!({ "maps": column.runs.len(), "measures": measures, "rnx": curve });
        methods.insert(column.key.clone(), method);
    }
    Value::Object(methods)
}

/// With the angles of all items, by id.
fn with_angles(mut methods: Value, items: &Items, stable: &[Stability]) -> Value {
    for stability in stable {
        let angles: Map<String, Value> =
            items.ids.iter().zip(&stability.angles).map(|(id, angle)| (id.clone(), json!(angle))).collect();
        if let Some(method) = methods.get_mut(stability.method.name()).and_then(Value::as_object_mut) {
            method.insert("seed_angles".into(), Value::Object(angles));
        }
    }
    methods
}

/// With three decimals, and the spread if there is one.
fn number(cell: Cell) -> String {
    // Avoids `-0.000`.
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
    use dosnes::{
        compare::Column,
        quality::{Better, Evaluation, Measure, NamedMeasure},
    };

    fn column(key: &str, runs: &[&[(&str, Better, f64)]]) -> Column {
        let measure = |&(key, better, value): &(&str, Better, f64)| NamedMeasure {
            key: key.to_owned(),
            label: key.to_owned(),
            better,
            measure: Measure::exact(value),
        };
        let run = |rows: &&[(&str, Better, f64)]| Evaluation {
            measures: rows.iter().map(measure).collect(),
            curve: Vec::new(),
        };
        Column { key: key.to_owned(), label: key.to_uppercase(), runs: runs.iter().map(run).collect() }
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
            markdown(&table()),
            "| | A | B |\n|---|---|---|\n| recall | 0.500 | **0.700 ± 0.141** |\n| share | 0.900 | **0.400** |\n\
             | kl | 1.000 | 2.000 |\n"
        );
    }

    #[test]
    fn a_terminal_gets_aligned_columns() {
        assert_eq!(
            plain(&table()),
            "            A               B\nrecall  0.500  0.700 ± 0.141*\nshare   0.900          0.400*\n\
             kl      1.000           2.000\n"
        );
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(number(Cell { value: -0.0004, spread: None }), "0.000");
        assert_eq!(number(Cell { value: -0.0006, spread: None }), "-0.001");
    }

    #[test]
    fn a_page_gets_the_same_texts() {
        let measures = measures(&table(), "items");
        assert_eq!(measures.columns, ["A", "B"]);
        assert_eq!(measures.rows[0].cells, ["0.500", "0.700 ± 0.141"]);
        assert_eq!(measures.rows.iter().map(|row| row.best).collect::<Vec<_>>(), [Some(1), Some(1), None]);
    }

    #[test]
    fn csv_has_one_line_for_each_measure() {
        let csv = csv(&table());
        assert_eq!(csv.lines().next(), Some("measure,a,a_spread,b,b_spread"));
        assert_eq!(csv.lines().nth(2), Some("share,0.9,,0.4,"));
    }
}
