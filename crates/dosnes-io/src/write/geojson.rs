//! `GeoJSON` (RFC 7946): each item is a point at its longitude and latitude.

use std::io::{self, Write};

use dosnes::input::Values;

use super::json::{json_number, json_text};
use super::{EmbeddingTable, column_name, lat_lon};

/// Writes a feature collection; the radius, which `GeoJSON` has no place for, is a member of its own.
pub(super) fn write(out: &mut dyn Write, table: &EmbeddingTable<'_>) -> io::Result<()> {
    write!(out, "{{\"type\": \"FeatureCollection\"")?;
    if let Some(radius) = table.radius {
        write!(out, ", \"radius\": {}", json_number(radius))?;
    }
    write!(out, ", \"features\": [")?;
    for (i, row) in table.coordinates.rows().into_iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let (lat, lon) = lat_lon(row[0], row[1], row[2]);
        let id = json_text(&table.items.ids[i]);
        write!(
            out,
            "{comma}\n{{\"type\": \"Feature\", \"id\": {id}, \"geometry\": {{\"type\": \"Point\", \"coordinates\": \
             [{}, {}]}}, \"properties\": {{\"id\": {id}",
            json_number(lon),
            json_number(lat)
        )?;
        for column in &table.items.columns {
            let value = match &column.values {
                Values::Text(values) => json_text(&values[i]),
                Values::Number(values) => json_number(values[i]),
            };
            write!(out, ", {}: {value}", json_text(&column_name(&column.name)))?;
        }
        write!(out, "}}}}")?;
    }
    writeln!(out, "\n]}}")
}
