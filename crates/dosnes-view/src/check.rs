//! Checks that pages and figures share.

use dosnes::input::Items;
use ndarray::ArrayView2;

use crate::{Error, Space};

/// One entry for each item.
pub(crate) fn length(what: impl Fn() -> String, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::WrongLength { what: what(), expected, found }) }
}

/// One value for each item in every column.
pub(crate) fn columns(items: &Items) -> Result<(), Error> {
    items
        .columns
        .iter()
        .try_for_each(|column| length(|| format!("column {:?}", column.name), items.len(), column.values.len()))
}

/// The items have a column with this name.
pub(crate) fn column(items: &Items, name: &str) -> Result<(), Error> {
    if items.column(name).is_some() {
        return Ok(());
    }
    let known = items.columns.iter().map(|column| column.name.clone()).collect();
    Err(Error::UnknownColumn { name: name.to_owned(), known })
}

/// Each item has a position: as many coordinates as the space, all of them finite, and on the sphere not all zero.
pub(crate) fn positions(
    what: impl Fn() -> String,
    items: &Items,
    space: Space,
    positions: ArrayView2<'_, f64>,
) -> Result<(), Error> {
    length(&what, items.len(), positions.nrows())?;
    let (expected, found) = (space.dimensions(), positions.ncols());
    if expected != found {
        return Err(Error::WrongDimension { what: what(), space: space.name(), expected, found });
    }
    for (item, row) in positions.rows().into_iter().enumerate() {
        let id = || items.ids[item].clone();
        if !row.iter().all(|c| c.is_finite()) {
            return Err(Error::NotFinite { what: what(), item, id: id() });
        }
        if space == Space::Sphere && row.iter().all(|&c| c == 0.0) {
            return Err(Error::AtCentre { what: what(), item, id: id() });
        }
    }
    Ok(())
}
