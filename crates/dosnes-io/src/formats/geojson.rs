//! `GeoJSON` (RFC 7946): each item is a point at its longitude and latitude.

use std::io::{self, Write};

use dosnes::input::{Column, Items, Values};
use dosnes::ndarray::Array2;
use serde_json::Value;

use super::json::{json_number, json_text, list, pair, text_of, values_of};
use crate::column_names::{original_name, written_name};
use crate::embedding::{Embedding, EmbeddingTable, lat_lon, on_sphere};

/// Whether this is a collection of features.
pub(crate) fn is_geojson(json: &Value) -> bool {
    json.get("type").and_then(Value::as_str) == Some("FeatureCollection")
}

/// Reads a collection of points.
pub(crate) fn embedding_from(json: &Value) -> Result<Embedding, String> {
    let radius = json.get("radius").and_then(Value::as_f64).unwrap_or(1.0);
    let features = list(json, "features")?;
    let (mut ids, mut places) = (Vec::new(), Vec::new());
    let mut names: Vec<String> = Vec::new();
    for (k, feature) in features.iter().enumerate() {
        let geometry = feature.get("geometry").unwrap_or(&Value::Null);
        let place = geometry.get("coordinates").and_then(pair);
        let (lon, lat) = place
            .filter(|_| geometry.get("type").and_then(Value::as_str) == Some("Point"))
            .ok_or_else(|| format!("feature {k} is not a point"))?;
        places.extend(on_sphere(radius, lat, lon));
        let id = feature.get("id").or_else(|| feature.get("properties")?.get("id"));
        ids.push(id.map_or_else(|| k.to_string(), text_of));
        for name in feature.get("properties").and_then(Value::as_object).into_iter().flat_map(|p| p.keys()) {
            if name != "id" && !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    let columns = names
        .into_iter()
        .map(|name| {
            let at = |f: &Value| f.get("properties").and_then(|p| p.get(&name)).cloned().unwrap_or(Value::Null);
            let values = values_of(&features.iter().map(at).collect::<Vec<_>>());
            let name = original_name(name);
            Column { name, values }
        })
        .collect();
    let coordinates = Array2::from_shape_vec((ids.len(), 3), places).map_err(|e| e.to_string())?;
    Ok(Embedding { items: Items { ids, columns }, coordinates, radius: Some(radius) })
}

/// Writes a feature collection; the radius, which `GeoJSON` has no place for, is a member of its own.
pub(crate) fn write_embedding(out: &mut dyn Write, table: &EmbeddingTable<'_>) -> io::Result<()> {
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
            write!(out, ", {}: {value}", json_text(&written_name(&column.name)))?;
        }
        write!(out, "}}}}")?;
    }
    writeln!(out, "\n]}}")
}
