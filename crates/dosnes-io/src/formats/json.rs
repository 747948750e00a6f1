//! The paper's compact form of an embedding in JSON: on a sphere, two angles an item and one radius say everything.

use std::io::{self, Write};

use dosnes::input::{Column, Items, Values};
use dosnes::ndarray::{Array2, ArrayView1};
use serde_json::Value;

use crate::embedding::{Embedding, EmbeddingTable, lat_lon, on_sphere};
use crate::write::number;

/// Whether this is the compact form.
pub(crate) fn is_embedding(json: &Value) -> bool {
    json.get("format").and_then(Value::as_str) == Some("dosnes-embedding")
}

/// Reads the compact form.
pub(crate) fn embedding_from(json: &Value) -> Result<Embedding, String> {
    let ids: Vec<String> = list(json, "ids")?.iter().map(text_of).collect();
    let n = ids.len();
    let radius = json.get("radius").and_then(Value::as_f64);
    let (rows, width) = if let Some(radius) = radius {
        let place = |v: &Value| pair(v).map(|(lat, lon)| on_sphere(radius, lat, lon).to_vec());
        (list(json, "angles")?.iter().map(place).collect::<Option<Vec<_>>>(), 3)
    } else {
        let place = |v: &Value| v.as_array()?.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>();
        let rows = list(json, "coordinates")?.iter().map(place).collect::<Option<Vec<_>>>();
        let width = rows.as_ref().and_then(|r| r.first()).map_or(0, Vec::len);
        (rows, width)
    };
    let rows = rows.ok_or("a place is not a list of numbers")?;
    if rows.len() != n || rows.iter().any(|r| r.len() != width) || !matches!(width, 2 | 3) {
        return Err(format!("there are {} places for {n} ids, or some have another number of axes", rows.len()));
    }
    let coordinates = Array2::from_shape_vec((n, width), rows.concat()).map_err(|e| e.to_string())?;
    let mut columns = Vec::new();
    for column in json.get("columns").and_then(Value::as_array).into_iter().flatten() {
        let name = column.get("name").and_then(Value::as_str).ok_or("a column has no name")?.to_owned();
        let values = values_of(list(column, "values")?);
        if values.len() != n {
            return Err(format!("the column \"{name}\" has {} values for {n} ids", values.len()));
        }
        columns.push(Column { name, values });
    }
    Ok(Embedding { items: Items { ids, columns }, coordinates, radius })
}

/// The list that is a member of an object.
pub(super) fn list<'a>(json: &'a Value, name: &str) -> Result<&'a Vec<Value>, String> {
    json.get(name).and_then(Value::as_array).ok_or_else(|| format!("there is no list \"{name}\""))
}

/// The two numbers of a list.
pub(super) fn pair(value: &Value) -> Option<(f64, f64)> {
    let list = value.as_array()?;
    Some((list.first()?.as_f64()?, list.get(1)?.as_f64()?))
}

/// A list of texts, or of numbers and nulls.
pub(super) fn values_of(list: &[Value]) -> Values {
    if list.iter().all(|v| v.is_number() || v.is_null()) && list.iter().any(Value::is_number) {
        Values::Number(list.iter().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect())
    } else {
        Values::Text(list.iter().map(text_of).collect())
    }
}

/// A text, or any other value as JSON writes it; null is empty.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Writes `{"format": "dosnes-embedding", "space": …, "radius": …, "ids": […], "columns": […], "angles": [[lat, lon], …]}`; off
/// the sphere `coordinates` takes the place of `angles`, and there is no radius.
pub(crate) fn write_embedding(out: &mut dyn Write, table: &EmbeddingTable<'_>) -> io::Result<()> {
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
        let text = |row: ArrayView1<'_, f64>| row.iter().map(|&v| json_number(v)).collect::<Vec<_>>().join(", ");
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
    Value::from(text).to_string()
}

/// A number as JSON writes it; what is not finite is null.
pub(super) fn json_number(value: f64) -> String {
    if value.is_finite() { number(value) } else { "null".into() }
}
