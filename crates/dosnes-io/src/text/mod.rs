//! Tables and lists in text files: lines into cells, cells into rows.

mod affixes;
mod beside;
pub(crate) mod edges;
mod flags;
pub(crate) mod forms;
mod groups;
mod header;
pub(crate) mod made;
pub(crate) mod mends;
pub(crate) mod records;
pub(crate) mod separator;
mod spaced;
pub(crate) mod table;
mod vectors;
