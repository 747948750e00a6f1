//! Files to and from the types of the [`dosnes`] library: one module a format.
//!
//! [`read`] takes any file and returns a [`dosnes::input::Dataset`] with a sentence that says how the file was understood.
//! What the file is, is decided by its contents, never by its name alone; `.gz` is transparent. [`write_embedding`] and
//! [`write_matrix`] write results, [`read_embedding`] reads them back.
//!
//! ```
//! use dosnes_io::dosnes::observe::Silent;
//! use dosnes_io::{ReadOptions, read_bytes};
//!
//! let flights = b"origin,destination,count\nABE,ATL,853\nATL,ABE,850\nATL,BHM,1200\n";
//! let loaded = read_bytes("flights.csv", flights, &ReadOptions::default(), &mut Silent)?;
//! assert_eq!(loaded.dataset.items.ids, ["ABE", "ATL", "BHM"]);
//! assert_eq!(
//!     loaded.detected,
//!     "comma-separated, with header, 3 rows: edge list (origin, destination, count): graph of 3 nodes and 3 arcs"
//! );
//! # Ok::<(), dosnes_io::Error>(())
//! ```
//!
//! # How a file is understood
//! Everything below can be said outright in [`ReadOptions`].
//!
//! | contents | taken as |
//! |---|---|
//! | a table whose header names two ends (`source,target`, `from,to`, `origin,destination`, …) | graph; the weight is the column `weight`, `count`, `value`, … or the only further column of numbers |
//! | a table of two columns of text in which names come again, alone or with a column of numbers | graph |
//! | two or three columns separated by blanks or below `#` or `%` comments, the first two integers or text; `.edges`, `.edgelist`, `.ncol` | edge list: a graph |
//! | any other table | a matrix with names, as below |
//! | square dense matrix, symmetric, no entry negative, zero diagonal, at most a tenth of the rest zero | distance |
//! | the same with more zeros | graph (an adjacency matrix) |
//! | square dense matrix, symmetric, no entry negative, any other diagonal | similarity |
//! | square dense matrix, not symmetric, rows and columns of the same names | graph if the diagonal is zero, else similarity |
//! | any other dense matrix | points |
//! | square sparse matrix, no entry negative | similarity if the whole diagonal is there, else graph |
//! | other sparse matrix of integers ≥ 0 | dyadic |
//! | any other sparse matrix | points |
//! | Pajek, `GraphML`, GEXF | graph; a two-mode Pajek network is dyadic |
//! | `.h5ad` | points from `X`, or the requested array |
//!
//! In a table, the first row is a header when it holds no number and stands above a column of numbers, or has a usual name
//! such as `id`; years after a text are one too. The line of sizes that starts a word2vec file is skipped. A column is text
//! when at most half of its cells are numbers (else the odd text in it is an error). The id is a text column that
//! names every row once: one called `id`, `name` or the like, else the first; a column of numbers called `id`, `index`,
//! `key` or `node` is one too. Other text columns are metadata, and so are columns of numbers called `label`, `class`,
//! `target`, `species`, `cluster` or the like (`y` as well, unless there is an `x`). All other numbers are coordinates.
//!
//! Edges of edge lists are arcs as they stand (similarities are symmetrised later anyway) unless
//! [`ReadOptions::directed`] is `Some(false)`. Repeated edges add up, with a [`Note`].
//!
//! # What is written
//! | extension | contents |
//! |---|---|
//! | `.csv`, `.tsv` | one row for each item: `id`, the metadata, `x`, `y`, `z`, and on the sphere `lat`, `lon` |
//! | `.npy` | the coordinates, n × 3 (or n × 2 in the plane), double precision |
//! | `.json` | the compact form of the paper: one radius, and two angles for each item, with ids and columns |
//! | `.geojson` | points with their columns as properties (RFC 7946: longitude first) |
//! | `.vec` | Pajek vectors, one file for each axis: `map.vec` becomes `map_x.vec`, `map_y.vec`, `map_z.vec` |
//! | `.mtx`, `.npz` | sparse matrices, `.npz` as `scipy.sparse.load_npz` reads them |
//! | `.paj` | a Pajek project: the labelled vertices at their positions on the map, and one vector for each axis |
//!
//! Latitude is asin(z/r), longitude is atan2(y, x), both in degrees. All but `.npy`, `.vec` and `.paj` may end in `.gz` too.
//!
//! A metadata column with a reserved name (`id`, `x`, `y`, `z`, `lat`, `lon`) is written as `input_NAME`.

#![forbid(unsafe_code)]

// The path of a file: open and decompress, tell the format, parse into a raw form, decide the kind, make the dataset.
mod detect;
mod formats;
mod interpret;
mod progress;
mod raw;
mod read;
mod side;
mod source;

// What formats share.
mod column_names;
mod columns;
mod dense;
mod hdf5;
mod interner;
mod rows;
mod schema;
mod sparse;
mod text;
mod xml;

mod embedding;
mod error;
mod loaded;
mod options;
mod write;

pub use dosnes;
pub use dosnes::Kind;
pub use embedding::{Embedding, EmbeddingFormat, EmbeddingTable, lat_lon, read_embedding, read_embedding_bytes};
pub use error::{Error, OutputProblem, Place};
pub use loaded::{Loaded, Note};
pub use options::{Format, MissingValues, ReadOptions};
pub use read::{read, read_bytes};
pub use side::join_items_bytes;
pub use write::{atomic_write, check_writable, write_embedding, write_embedding_to, write_matrix};

/// The README's example is tested like the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
