//! One module a format: what it looks like, read and written.

pub(crate) mod edge_list;
pub(crate) mod geojson;
pub(crate) mod gexf;
pub(crate) mod graphml;
pub(crate) mod h5ad;
pub(crate) mod json;
pub(crate) mod mat;
pub(crate) mod matrix_market;
pub(crate) mod npy;
pub(crate) mod npz;
pub(crate) mod pajek;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
pub(crate) mod table;
