//! One module a format: what it looks like, read and written.

pub(crate) mod adjacency;
mod arrows;
pub(crate) mod cells;
pub(crate) mod dimacs;
pub(crate) mod dot;
pub(crate) mod edge_list;
pub(crate) mod geojson;
pub(crate) mod gexf;
pub(crate) mod gml;
pub(crate) mod graphml;
pub(crate) mod h5ad;
mod h5ad_genes;
pub(crate) mod json;
pub(crate) mod json_data;
mod json_graph;
mod json_unreadable;
pub(crate) mod mat;
pub(crate) mod matrix_market;
pub(crate) mod npy;
pub(crate) mod npz;
pub(crate) mod pajek;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
pub(crate) mod sif;
pub(crate) mod svmlight;
pub(crate) mod table;
pub(crate) mod triangle;
pub(crate) mod ucinet;
pub(crate) mod vectors;
pub(crate) mod xlsx;
mod xlsx_dates;
