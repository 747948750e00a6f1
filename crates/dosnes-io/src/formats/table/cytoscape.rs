//! Tables of edges as Cytoscape exports them: the ends are in one column, as `A (interacts with) B`.

use crate::column_names;
use crate::error::{Error, Place};
use crate::options::ReadOptions;
use crate::raw::Parsed;
use crate::schema::Schema;
use crate::source::Source;
use crate::text::made::MadeTable;
use crate::text::records::Record;
use crate::text::table::TextTable;

/// The column with both ends, if this is such a table.
pub(super) fn edge_column(schema: &Schema, sample: &[Record]) -> Option<usize> {
    let has = |name: &str| schema.names.iter().any(|n| n.eq_ignore_ascii_case(name));
    if !schema.header || !has("interaction") && !has("shared interaction") {
        return None;
    }
    let column = ["shared name", "name"].iter().find_map(|name| column_names::find_column(&schema.names, name))?;
    (!sample.is_empty() && sample.iter().all(|record| ends(record.get(column)).is_some())).then_some(column)
}

/// `A (interacts with) B`.
fn ends(cell: &str) -> Option<(&str, &str)> {
    let (from, rest) = cell.split_once(" (")?;
    let (_, to) = rest.split_once(") ")?;
    (!from.is_empty() && !to.is_empty()).then_some((from, to))
}

/// Reads the table with two columns instead of the one.
pub(super) fn read(
    source: &Source<'_>,
    table: TextTable<'_>,
    column: usize,
    options: &ReadOptions,
) -> Result<Parsed, Error> {
    let TextTable { schema, mut rows, .. } = table;
    // What Cytoscape adds to every table.
    let own = ["suid", "name", "shared name", "interaction", "shared interaction", "selected"];
    let kept: Vec<usize> = (0..schema.width())
        .filter(|&k| !own.contains(&schema.names[k].to_lowercase().as_str()) && !schema.columns[k].is_empty())
        .collect();
    let mut made = MadeTable::default();
    made.cells(["source", "target"]);
    made.cells(kept.iter().map(|&k| &schema.names[k]));
    made.end_row();
    let mut record = Record::default();
    while rows.next(&mut record)? {
        let Some((from, to)) = ends(record.get(column)) else {
            let problem = format!("\"{}\" is not of the form A (interaction) B", record.get(column));
            return Err(Error::malformed(&source.name, Place::line(record.line), problem));
        };
        made.cell(from);
        made.cell(to);
        made.cells(kept.iter().map(|&k| record.get(k)));
        made.end_row();
    }
    made.read(source, source.progress(), Some(true), "Cytoscape's table of edges", options)
}
