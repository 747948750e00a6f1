//! Tables that are embeddings.

use dosnes::input::{Column, Items, Values};
use dosnes::ndarray::Array2;

use super::read::{TextItems, read_items};
use super::write::original;
use crate::column_names::{self, original_name};
use crate::columns::{check_ids, choose_id, numbers_if_possible};
use crate::embedding::{Embedding, common_radius, on_sphere};
use crate::error::{Error, Place};
use crate::interpret::layout::Role;
use crate::options::{MissingValues, ReadOptions};
use crate::rows::ItemRows;
use crate::source::Source;
use crate::text::records::Comments;
use crate::text::table::TextTable;

/// The columns with positions.
struct Axes {
    /// x, y and z, as far as they are there.
    xyz: Vec<usize>,
    lat: Option<usize>,
    lon: Option<usize>,
}

impl Axes {
    fn of(names: &[String]) -> Self {
        let find = |wanted: &[&str]| wanted.iter().find_map(|name| column_names::find_column(names, name));
        let xyz = [find(&["x"]), find(&["y"]), find(&["z"])].into_iter().map_while(|k| k).collect();
        Self { xyz, lat: find(&column_names::LATITUDES), lon: find(&column_names::LONGITUDES) }
    }

    fn are_enough(&self) -> bool {
        self.xyz.len() >= 2 || (self.lat.is_some() && self.lon.is_some())
    }
}

/// Names of items may contain what is counted to guess the separator: if the guess gives no positions, those of our own
/// files are tried.
fn open<'a>(source: &'a Source<'a>) -> Result<TextTable<'a>, Error> {
    // There must be a header, and a column's name may look like a number.
    let with = |separator| {
        let options = ReadOptions { header: Some(true), separator, ..ReadOptions::default() };
        TextTable::open(source, &options, Comments::AtTop)
    };
    let has_axes = |table: &TextTable<'_>| Axes::of(&table.schema.names).are_enough();
    let guessed = with(None);
    if !guessed.as_ref().is_ok_and(has_axes) {
        let others = [',', '\t'].into_iter().filter_map(|separator| with(Some(separator)).ok());
        if let Some(table) = others.into_iter().find(has_axes) {
            return Ok(table);
        }
    }
    guessed
}

/// Reads a table with `x`, `y` (and `z`), or with `lat` and `lon`.
pub(crate) fn read_embedding(source: &Source<'_>) -> Result<Embedding, Error> {
    let file = source.name.as_str();
    let table = open(source)?;
    let Axes { xyz, lat, lon } = Axes::of(&table.schema.names);
    let (used, angles) = match (xyz.len(), lat, lon) {
        (2 | 3, ..) => (xyz, false),
        (_, Some(lat), Some(lon)) => (vec![lat, lon], true),
        _ => {
            let problem = "an embedding needs a header with x, y (and z), or with lat and lon";
            return Err(Error::shape(file, problem));
        }
    };
    let mut roles = vec![Role::Text; table.schema.width()];
    for &k in &used {
        roles[k] = Role::Coordinate;
    }
    // Where there are x, y, z, latitude and longitude are made from them.
    if !angles && used.len() == 3 {
        for k in [lat, lon].into_iter().flatten() {
            roles[k] = Role::Ignored;
        }
    }
    let rows = ItemRows::double(&table.schema, &roles);
    let TextItems { rows: table, .. } = read_items(file, table, rows, MissingValues::Error)?;
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
            let ids: Vec<String> = ids.into_iter().map(original).collect();
            check_ids(file, &ids, |row| table.lines.get(row).map_or_else(Place::default, |&line| Place::line(line)))?;
            ids
        }
        _ => Items::numbered(rows).ids,
    };
    let columns = columns.into_iter().map(restore).collect();
    Ok(Embedding { items: Items { ids, columns }, coordinates, radius })
}

/// A column under the name and with the type that it had before it was written.
fn restore(column: Column) -> Column {
    let name = original_name(column.name);
    let values = match column.values {
        Values::Text(values) => numbers_if_possible(values.into_iter().map(original).collect()),
        values @ Values::Number(_) => values,
    };
    Column { name, values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedding::{EmbeddingFormat, EmbeddingTable, read_embedding_bytes};
    use crate::write::write_embedding_to;

    /// Found by fuzzing: these names suggest that tabs separate the cells.
    #[test]
    fn names_with_tabs_and_line_breaks_come_back() {
        let texts = ["@SU'                  M(A1)", "\t", "\\%00"].map(str::to_owned).to_vec();
        let items = Items {
            ids: ["\u{FEFF}0", "\r\n1", ",;2"].map(str::to_owned).to_vec(),
            columns: vec![Column { name: "A\t".into(), values: Values::Text(texts) }],
        };
        let coordinates = Array2::from_shape_fn((3, 2), |(i, k)| (3 * i + k) as f64);
        let table = EmbeddingTable { items: &items, coordinates: coordinates.view(), radius: None };
        let mut file = Vec::new();
        write_embedding_to(&mut file, EmbeddingFormat::Csv, &table).unwrap();
        let back = read_embedding_bytes("map.csv", &file).unwrap();
        assert_eq!((back.items.ids, back.coordinates), (items.ids, coordinates));
    }
}
