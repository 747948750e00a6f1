//! Tables: values separated by commas, tabs or other characters.

mod cytoscape;
mod embedding;
mod read;
mod write;

pub(crate) use embedding::read_embedding;
pub(crate) use read::{Metadata, read, read_lines, read_metadata};
pub(crate) use write::write_embedding;
