//! The paper's compact form: on a sphere, two angles an item and one radius say everything.

use std::io::{self, Write};

use dosnes::input::Values;

use super::{EmbeddingTable, lat_lon, number};

/// Writes `{"format": "dosnes-embedding", "space": …, "radius": …, "ids": […], "columns": […], "angles": [[lat, lon], …]}`; off
/// the sphere `coordinates` takes the place of `angles`, and there is no radius.
pub(super) fn write(out: &mut dyn Write, table: &EmbeddingTable<'_>) -> io::Result<()> {
    let space = match (table.radius, table.coordinates.ncols()) {
        (Some(_), _) => "sphere",
        (None, 2) => "plane",
        (None, _) => "space",
    };
    write!(out, "{{\n\"format\": \"dosnes-embedding\",\n\"version\": 1,\n\"space\": \"{space}\"")?;
    if let Some(radius) = table.radius {
        write!(out, ",\n\"radius\": {},\n\"angle_unit\": \"degree\"", json_number(radius))?;
    }
    write!(out, ",\n\"ids\": ")?;
    write_list(out, table.items.ids.iter().map(|id| json_text(id)))?;
    write!(out, ",\n\"columns\": [")?;
    for (k, column) in table.items.columns.iter().enumerate() {
        let comma = if k > 0 { "," } else { "" };
        write!(out, "{comma}\n{{\"name\": {}, \"values\": ", json_text(&column.name))?;
        match &column.values {
            Values::Text(values) => write_list(out, values.iter().map(|v| json_text(v)))?,
            Values::Number(values) => write_list(out, values.iter().map(|&v| json_number(v)))?,
        }
        write!(out, "}}")?;
    }
    writeln!(out, "],")?;
    let rows = table.coordinates.rows().into_iter();
    if table.radius.is_some() {
        write!(out, "\"angles\": ")?;
        write_list(
            out,
            rows.map(|row| {
                let (lat, lon) = lat_lon(row[0], row[1], row[2]);
                format!("[{}, {}]", json_number(lat), json_number(lon))
            }),
        )?;
    } else {
        write!(out, "\"coordinates\": ")?;
        let text =
            |row: ndarray::ArrayView1<'_, f64>| row.iter().map(|&v| json_number(v)).collect::<Vec<_>>().join(", ");
        write_list(out, rows.map(|row| format!("[{}]", text(row))))?;
    }
    writeln!(out, "\n}}")
}

fn write_list(out: &mut dyn Write, values: impl Iterator<Item = String>) -> io::Result<()> {
    write!(out, "[")?;
    for (k, value) in values.enumerate() {
        if k > 0 {
            write!(out, ", ")?;
        }
        out.write_all(value.as_bytes())?;
    }
    write!(out, "]")
}

/// A text as JSON writes it.
pub(super) fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A number as JSON writes it; what is not finite is null.
pub(super) fn json_number(value: f64) -> String {
    if value.is_finite() { number(value) } else { "null".into() }
}
