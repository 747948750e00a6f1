//! The names of the columns of an `AnnData` matrix: the index of `var`.

use dosnes::input::Items;
use hdf5_pure::Datatype;

use crate::columns::names_from;
use crate::hdf5::{Cells, Hdf5, decode, text_attribute};

/// The names of the columns of the array at `path`; `None` if they have none. What cannot be read is left out, since a map
/// can be made without it.
pub(super) fn read(hdf5: &Hdf5<'_>, path: &str, columns: usize) -> Option<Items> {
    if path != "X" && !path.starts_with("layers/") {
        return None;
    }
    let cells = if hdf5.group("var").is_some() { of_group(hdf5)? } else { of_table(hdf5)? };
    let ids = names_from(cells.into());
    (ids.len() == columns).then_some(Items { ids, columns: Vec::new() })
}

/// Today's layout: a group with one member a column.
fn of_group(hdf5: &Hdf5<'_>) -> Option<Cells> {
    let attributes = hdf5.group("var")?.attrs().ok()?;
    let named = text_attribute(attributes.get("_index"));
    let names = named.iter().map(String::as_str).chain(["_index", "index"]);
    names.map(|name| format!("var/{name}")).find_map(|path| hdf5.cells(&path).ok())
}

/// The oldest layout: one table.
fn of_table(hdf5: &Hdf5<'_>) -> Option<Cells> {
    let dataset = hdf5.dataset("var").ok()?;
    let Ok(Datatype::Compound { members, size }) = dataset.datatype() else { return None };
    let index = members.iter().find(|member| member.name == "index" || member.name == "_index")?;
    decode(&hdf5.raw("var", &dataset).ok()?, &index.datatype, index.byte_offset as usize, size as usize)
}
