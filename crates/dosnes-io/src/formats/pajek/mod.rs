//! Pajek networks (`.net`) and projects (`.paj`).
//!
//! A project holds networks, and partitions and vectors that give each vertex a class or a number: these are metadata. The first network is read unless another is asked for by name. `*Arcs` have a direction, `*Edges` have none. A
//! two-mode network (`*Vertices n n₁`) is dyadic: its first n₁ vertices are the items.
//!
//! Embeddings are written as vectors, one number a vertex, or as a project that holds them all.

mod read;
mod write;

pub(crate) use read::{looks_like_pajek, read};
pub(crate) use write::{write_project, write_vectors};
