//! Reads files into the types of the [`dosnes`] library and writes its results: one module for each format.
//!
//! [`read`] takes any file and returns a [`dosnes::input::Dataset`] with a description of how it was interpreted.
//! The format is detected from the contents, never from the name alone; `.gz` is transparent. [`write_embedding`] and
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
//! # How a file is interpreted
//! [`ReadOptions`] can override all of these rules.
//!
//! | contents | read as |
//! |---|---|
//! | a table with columns for both ends of an edge (`source,target`, `from,to`, `gene1,gene2`, `u,v`, …) | graph; the weight is the column `weight`, `count`, `value`, … or the only further column of numbers, unless it contains times or distances |
//! | a table with columns for two kinds of items (`user,item`, `author,paper`, …) | dyadic; the weight as above |
//! | a table with two columns of text in which names repeat, with or without a column of numbers | graph |
//! | a table of more columns, no row with a name of its own, in which two columns of text have the same names | graph, with a doubt |
//! | two or three columns separated by blanks or below `#` or `%` comments, the first two integers or text; `.edges`, `.edgelist`, `.ncol`; KONECT | edge list: a graph, or dyadic if KONECT says `bip` |
//! | any other table | a matrix with names, as below |
//! | square dense matrix, symmetric, no entry negative, zero diagonal | distance if at most a tenth of the rest is zero and rows with a small entry between them are alike; similarity if rows with a large entry between them are alike; otherwise distance, with a doubt |
//! | the same with more zeros | distance if zeros are only between equal rows, otherwise graph (an adjacency matrix) |
//! | square dense matrix, symmetric, no entry negative, any other diagonal | similarity |
//! | square dense matrix, symmetric, ones on the diagonal, negative entries, none beyond ±1 | correlations r: distance 1 − r; on request similarity, with negative entries as zero |
//! | the same with empty cells on the diagonal or in one half, or with one half of zeros and hardly any in the other | the whole symmetric matrix, as above; the half of zeros with a doubt |
//! | square dense matrix, not symmetric, rows and columns with the same names | graph if the diagonal is zero or not given, otherwise similarity |
//! | square table, rows and columns with the same names, at least half of the cells empty | graph, with a doubt; empty cells are zero |
//! | array of two rows of integers | graph: the rows are the ends of its edges, with a doubt |
//! | any other dense matrix | points |
//! | square sparse matrix, no entry negative | similarity if the diagonal is complete, otherwise graph |
//! | other sparse matrix of integers ≥ 0 | dyadic |
//! | any other sparse matrix | points |
//! | Pajek, `GraphML`, GEXF, GML, DOT, adjacency lists, graphs in JSON | graph; a two-mode Pajek network is dyadic |
//! | records, columns and rows in JSON, Excel | like a table; more names with vectors than these have entries: points |
//! | svmlight, `.fvecs` and the like, word2vec | points |
//! | triangles, PHYLIP | the whole symmetric matrix, as above; PHYLIP has distances, with a doubt if rows with a large entry between them are alike |
//! | 10x files and folders, loom | points: the cells |
//! | `.h5ad` | points from `X`, or the requested array |
//!
//! In a table, the first row is a header if it contains no number and is above a column of numbers, or has a common name such
//! as `id`; years after a text are a header too. The first line of a word2vec file, which contains its size, is skipped. A
//! column is text if at most half of its cells are numbers (otherwise a text in it is an error). The id is a text column with a
//! unique value in every row: preferably one called `id`, `name` or similar, otherwise the first. A column of numbers called
//! `id`, `index`, `key` or `node`, or whose name ends in `id`, may also be the id, and so may a first column of integers with
//! zeros in front. Other text columns are metadata, and so are columns of numbers called
//! `label`, `class`, `target`, `species`, `cluster` or similar (also `y`, if there is no `x`). All other numbers are
//! coordinates.
//!
//! "Zero" and "symmetric" mean up to rounding: a diagonal of at most a hundredth of the median entry is zero, and mirrored
//! entries that differ by at most 1e-4 of themselves are equal. Where a wrong reading would ruin the map and cannot be
//! excluded, there is a [`Note`] that [is a doubt](Note::is_doubt); [`ReadOptions::strict`] makes it an error.
//!
//! Edges of edge lists are directed (similarities are symmetrised later anyway) unless [`ReadOptions::directed`] is
//! `Some(false)`. The weights of repeated edges are added, with a [`Note`].
//!
//! # Output formats
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
//! In `.csv` and `.tsv`, a text that a spreadsheet would run as a formula (`=…`, `+…`, `-…`, `@…`, but no number) begins with an
//! apostrophe; [`read_embedding`] takes it off. A NUL becomes U+FFFD, since a file with a NUL would be taken for a binary one.
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
mod unreadable;

// What formats share.
mod column_names;
mod columns;
mod dense;
mod graph;
mod hdf5;
mod interner;
mod rows;
mod schema;
mod sparse;
mod text;
mod xml;

mod checkpoint;
mod embedding;
mod error;
mod loaded;
mod model;
mod note;
mod options;
mod write;

#[doc(hidden)]
pub use checkpoint::decode_checkpoint;
pub use checkpoint::{Checkpoint, CheckpointParts, Digest, Recording, read_checkpoint, write_checkpoint};
pub use dosnes;
pub use dosnes::Kind;
pub use dosnes::input::Standardize;
pub use embedding::{Embedding, EmbeddingFormat, EmbeddingTable, lat_lon, read_embedding, read_embedding_bytes};
pub use error::{Error, OutputProblem, Place};
pub use loaded::Loaded;
pub use model::{check_model_name, is_model, read_model, write_model};
pub use note::Note;
pub use options::{Format, MissingValues, ReadOptions};
pub use read::{read, read_bytes};
pub use side::join_items_bytes;
pub use write::{atomic_write, check_writable, write_embedding, write_embedding_to, write_matrix};

/// The README's example is tested like the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
