//! Writing comma- and tab-separated values.

use std::borrow::Cow;
use std::io::{self, Write};

use dosnes::input::Values;

use crate::column_names::written_name;
use crate::embedding::{EmbeddingTable, lat_lon};
use crate::write::number;

/// Writes one row an item.
pub(crate) fn write_embedding(out: &mut dyn Write, separator: u8, table: &EmbeddingTable<'_>) -> io::Result<()> {
    let axes = &["x", "y", "z"][..table.coordinates.ncols()];
    let mut header = vec!["id".to_owned()];
    header.extend(table.items.columns.iter().map(|c| written_name(&c.name)));
    header.extend(axes.iter().map(|&axis| axis.to_owned()));
    if table.radius.is_some() {
        header.extend(["lat".to_owned(), "lon".to_owned()]);
    }
    write_row(out, separator, &header)?;
    let mut cells: Vec<String> = Vec::with_capacity(header.len());
    for (i, row) in table.coordinates.rows().into_iter().enumerate() {
        cells.clear();
        cells.push(inert(&table.items.ids[i]));
        for column in &table.items.columns {
            cells.push(match &column.values {
                Values::Text(values) => inert(&values[i]),
                Values::Number(values) if values[i].is_nan() => String::new(),
                Values::Number(values) => number(values[i]),
            });
        }
        cells.extend(row.iter().map(|&v| number(v)));
        if table.radius.is_some() {
            let (lat, lon) = lat_lon(row[0], row[1], row[2]);
            cells.extend([number(lat), number(lon)]);
        }
        write_row(out, separator, &cells)?;
    }
    Ok(())
}

/// A text that a spreadsheet would run as a formula begins with an apostrophe, which spreadsheets take for "this is a text".
/// [`original`] takes it off. A number is no formula.
fn inert(text: &str) -> String {
    if is_formula(text.trim_start_matches('\'')) { format!("'{text}") } else { text.to_owned() }
}

fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err()
}

/// The text before it was written.
pub(super) fn original(text: String) -> String {
    match text.strip_prefix('\'') {
        Some(inner) if is_formula(inner.trim_start_matches('\'')) => inner.to_owned(),
        _ => text,
    }
}

fn write_row(out: &mut dyn Write, separator: u8, cells: &[String]) -> io::Result<()> {
    for (k, cell) in cells.iter().enumerate() {
        if k > 0 {
            out.write_all(&[separator])?;
        }
        write_cell(out, separator, cell, k == 0)?;
    }
    out.write_all(b"\n")
}

/// Quotes a cell that would otherwise be read back as something else: with a separator, a quote or a line break in it, with
/// blanks at its ends, or at the start of a line where it would be a comment. A file with a NUL would be taken for a binary one:
/// it becomes the character for what cannot be shown.
fn write_cell(out: &mut dyn Write, separator: u8, cell: &str, first: bool) -> io::Result<()> {
    let cell = &*if cell.contains('\0') { Cow::Owned(cell.replace('\0', "\u{FFFD}")) } else { Cow::Borrowed(cell) };
    let special = |b: u8| b == separator || matches!(b, b'"' | b'\n' | b'\r');
    let needs_quotes =
        cell.bytes().any(special) || cell.trim() != cell || (first && (cell.is_empty() || cell.starts_with('#')));
    if needs_quotes { write!(out, "\"{}\"", cell.replace('"', "\"\"")) } else { out.write_all(cell.as_bytes()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_with_a_nul_does_not_make_the_file_binary() {
        let mut line = Vec::new();
        write_row(&mut line, b',', &["a\0b".to_owned(), "\0".to_owned()]).unwrap();
        assert_eq!(String::from_utf8(line).unwrap(), "a\u{FFFD}b,\u{FFFD}\n");
    }

    #[test]
    fn formulas_are_made_inert_and_come_back() {
        for text in ["=cmd|' /C calc'!A0", "@SUM(A1)", "+1 (555)", "-x", "'=1", "''=1"] {
            assert!(inert(text).starts_with('\''), "{text}");
            assert_eq!(original(inert(text)), text);
        }
        for text in ["-1.5", "+3", "ant", "'quoted'", "", "O'Hara"] {
            assert_eq!(inert(text), text);
            assert_eq!(original(text.to_owned()), text);
        }
    }
}
