//! Embeddings back from files: our own, and any table with `x`, `y`, `z` or `lat`, `lon`.

use std::path::Path;

use dosnes::Space;
use dosnes::input::{Column, Items, Values};
use ndarray::Array2;
use serde_json::Value;

use crate::columns::{check_ids, choose_id, numbers_if_possible};
use crate::dense::DenseBuilder;
use crate::error::{Error, Place};
use crate::formats::npy;
use crate::formats::table::{Role, read_table};
use crate::options::{MissingValues, ReadOptions};
use crate::records::Comments;
use crate::scan::{Scan, find_column};
use crate::source::Source;
use crate::write::{EmbeddingTable, column_name};

/// An embedding as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    /// The items, with the columns that travelled along.
    pub items: Items,
    /// n × 2 or n × 3.
    pub coordinates: Array2<f64>,
    /// The radius, when the points lie on a sphere about the origin.
    pub radius: Option<f64>,
}

impl Embedding {
    /// Where its points lie.
    pub fn space(&self) -> Space {
        match (self.radius, self.coordinates.ncols()) {
            (Some(_), _) => Space::Sphere,
            (None, 2) => Space::Plane,
            (None, _) => Space::Volume,
        }
    }

    /// A view of it for the writers.
    pub fn table(&self) -> EmbeddingTable<'_> {
        EmbeddingTable { items: &self.items, coordinates: self.coordinates.view(), radius: self.radius }
    }
}

/// Points count as lying on a sphere when their distances from the origin agree so far.
const SAME_RADIUS: f64 = 1e-6;

/// Reads an embedding: `.csv`, `.tsv`, `.json`, `.geojson` or `.npy`, told apart by their contents.
pub fn read_embedding(path: impl AsRef<Path>) -> Result<Embedding, Error> {
    let source = Source::file(path.as_ref())?;
    read_embedding_source(&source)
}

/// The same from bytes in memory; `name` stands in messages.
pub fn read_embedding_bytes(name: &str, bytes: &[u8]) -> Result<Embedding, Error> {
    read_embedding_source(&Source::bytes(name, bytes)?)
}

fn read_embedding_source(source: &Source<'_>) -> Result<Embedding, Error> {
    let start = source.start(1 << 12)?;
    let embedding = if start.starts_with(npy::MAGIC) {
        from_npy(source)?
    } else if start.contains(&0) {
        return Err(Error::unknown_format(
            &source.name,
            "a binary file, and not a NumPy array; an embedding is needed",
        ));
    } else if start.trim_ascii_start().starts_with(b"{") {
        from_json(source)?
    } else {
        from_table(source)?
    };
    check_ids(&source.name, &embedding.items.ids, |row| Place::default().row(row).column("id"))?;
    Ok(embedding)
}

/// The common distance from the origin of points in space, if there is one.
fn common_radius(coordinates: &Array2<f64>) -> Option<f64> {
    if coordinates.ncols() != 3 || coordinates.nrows() == 0 {
        return None;
    }
    let norms: Vec<f64> = coordinates.rows().into_iter().map(|row| row.dot(&row).sqrt()).collect();
    let mean = norms.iter().sum::<f64>() / norms.len() as f64;
    (mean > 0.0 && norms.iter().all(|n| (n - mean).abs() <= SAME_RADIUS * mean)).then_some(mean)
}

/// A point of the sphere from latitude and longitude in degrees.
fn on_sphere(radius: f64, lat: f64, lon: f64) -> [f64; 3] {
    let (lat, lon) = (lat.to_radians(), lon.to_radians());
    [radius * lat.cos() * lon.cos(), radius * lat.cos() * lon.sin(), radius * lat.sin()]
}

fn from_npy(source: &Source<'_>) -> Result<Embedding, Error> {
    let error = |problem: String| Error::malformed(&source.name, Place::default(), problem);
    let mut input = source.open()?;
    let header = npy::read_header(&mut input).map_err(error)?;
    let [rows, columns] = header.shape[..] else {
        return Err(error(format!(
            "the array has shape {}, and n × 2 or n × 3 is needed",
            npy::shape_text(&header.shape)
        )));
    };
    if !matches!(columns, 2 | 3) {
        return Err(error(format!("the array is {rows} × {columns}, and n × 2 or n × 3 is needed")));
    }
    let values = npy::read_in_row_order(&mut input, &header).map_err(error)?;
    let coordinates = Array2::from_shape_vec((rows, columns), values).map_err(|e| error(e.to_string()))?;
    check_finite(source, &coordinates)?;
    let radius = common_radius(&coordinates);
    Ok(Embedding { items: Items::numbered(rows), coordinates, radius })
}

fn check_finite(source: &Source<'_>, coordinates: &Array2<f64>) -> Result<(), Error> {
    match coordinates.indexed_iter().find(|(_, v)| !v.is_finite()) {
        Some(((row, column), value)) => {
            let place = Place::default().row(row).column(column.to_string());
            Err(Error::value(&source.name, place, format!("the coordinate {value} is not finite")))
        }
        None => Ok(()),
    }
}

fn from_table(source: &Source<'_>) -> Result<Embedding, Error> {
    let file = source.name.as_str();
    // There must be one, and a column's name may look like a number.
    let options = ReadOptions { header: Some(true), ..ReadOptions::default() };
    let scan = Scan::new(source, &options, Comments::AtTop)?;
    let find = |names: &[&str]| names.iter().find_map(|name| find_column(&scan.names, name));
    let axes: Vec<usize> = [find(&["x"]), find(&["y"]), find(&["z"])].into_iter().map_while(|k| k).collect();
    let lat = find(&["lat", "latitude"]);
    let lon = find(&["lon", "lng", "long", "longitude"]);
    let (used, angles) = match (axes.len(), lat, lon) {
        (2 | 3, ..) => (axes, false),
        (_, Some(lat), Some(lon)) => (vec![lat, lon], true),
        _ => {
            let problem = "an embedding needs a header with x, y (and z), or with lat and lon";
            return Err(Error::shape(file, problem));
        }
    };
    let mut roles = vec![Role::Text; scan.width()];
    for &k in &used {
        roles[k] = Role::Coordinate;
    }
    // Where there are x, y, z, latitude and longitude are made from them.
    if !angles && used.len() == 3 {
        for k in [lat, lon].into_iter().flatten() {
            roles[k] = Role::Ignored;
        }
    }
    let table =
        read_table(source, &scan, &roles, Comments::AtTop, MissingValues::Error, DenseBuilder::double(used.len()))?;
    // Columns come back in the order of the file, and x, y, z might not.
    let order: Vec<usize> = {
        let mut sorted = used.clone();
        sorted.sort_unstable();
        used.iter().filter_map(|k| sorted.iter().position(|s| s == k)).collect()
    };
    let rows = table.lines.len();
    let values = table.dense.into_values();
    let cell = |i: usize, k: usize| values[i * order.len() + order[k]];
    let (coordinates, radius) = if angles {
        let mut coordinates = Array2::zeros((rows, 3));
        for i in 0..rows {
            for (k, value) in on_sphere(1.0, cell(i, 0), cell(i, 1)).into_iter().enumerate() {
                coordinates[[i, k]] = value;
            }
        }
        (coordinates, Some(1.0))
    } else {
        let coordinates = Array2::from_shape_fn((rows, order.len()), |(i, k)| cell(i, k));
        let radius = common_radius(&coordinates);
        (coordinates, radius)
    };
    let mut columns = table.columns;
    let id = columns.iter().position(|c| c.name == "id").or_else(|| choose_id(&columns));
    let ids = match id.map(|k| columns.remove(k).values) {
        Some(Values::Text(ids)) => {
            check_ids(file, &ids, |row| Place::line(table.lines[row]))?;
            ids
        }
        _ => Items::numbered(rows).ids,
    };
    let columns = columns.into_iter().map(restore).collect();
    Ok(Embedding { items: Items { ids, columns }, coordinates, radius })
}

/// The name that a column had before it was written.
fn original_name(name: String) -> String {
    match name.strip_prefix("input_") {
        Some(original) if column_name(original) == name => original.to_owned(),
        _ => name,
    }
}

/// A column under the name and with the type that it had before it was written.
fn restore(column: Column) -> Column {
    let name = original_name(column.name);
    let values = match column.values {
        Values::Text(values) => numbers_if_possible(values),
        values @ Values::Number(_) => values,
    };
    Column { name, values }
}

fn from_json(source: &Source<'_>) -> Result<Embedding, Error> {
    let error = |problem: String| Error::malformed(&source.name, Place::default(), problem);
    let bytes = source.read_all()?;
    let json: Value = serde_json::from_slice(&bytes).map_err(|e| {
        Error::malformed(&source.name, Place::line(e.line() as u64), format!("the JSON is damaged or truncated ({e})"))
    })?;
    let embedding = if json.get("type").and_then(Value::as_str) == Some("FeatureCollection") {
        from_geojson(&json).map_err(error)?
    } else if json.get("format").and_then(Value::as_str) == Some("dosnes-embedding") {
        from_compact(&json).map_err(error)?
    } else {
        return Err(Error::unknown_format(&source.name, "JSON, but neither an embedding nor GeoJSON"));
    };
    check_finite(source, &embedding.coordinates)?;
    Ok(embedding)
}

fn list<'a>(json: &'a Value, name: &str) -> Result<&'a Vec<Value>, String> {
    json.get(name).and_then(Value::as_array).ok_or_else(|| format!("there is no list \"{name}\""))
}

fn pair(value: &Value) -> Option<(f64, f64)> {
    let list = value.as_array()?;
    Some((list.first()?.as_f64()?, list.get(1)?.as_f64()?))
}

/// A list of texts, or of numbers and nulls.
fn values_of(list: &[Value]) -> Values {
    if list.iter().all(|v| v.is_number() || v.is_null()) && list.iter().any(Value::is_number) {
        Values::Number(list.iter().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect())
    } else {
        Values::Text(list.iter().map(text_of).collect())
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn from_compact(json: &Value) -> Result<Embedding, String> {
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

fn from_geojson(json: &Value) -> Result<Embedding, String> {
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
