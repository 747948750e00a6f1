//! Maps of the same items by several methods, and a table of their measures.
//!
//! ```
//! use dosnes::{
//!     CsrMatrix, Data, NormalizeOptions, SimilarityOptions, compare::Method, neighbors::Metric, normalize,
//!     observe::Silent, optimize::Radius, quality::Subject, similarities,
//! };
//!
//! let ring: Vec<(u32, u32, f64)> = (0..20).flat_map(|i| [(i, (i + 1) % 20, 1.0), (i, 0, 0.5)]).collect();
//! let data = Data::Graph(CsrMatrix::from_triplets((20, 20), &ring)?);
//! let found = similarities(&data, &SimilarityOptions::default(), &mut Silent)?;
//! let p = normalize(&found.similarity, &NormalizeOptions::default(), &mut Silent)?;
//! let subject = Subject::new(&data, &found.similarity, Metric::Euclidean, &p, &mut Silent)?;
//! let map = Method::Tsne2.make(&subject, Radius::Auto, 0, u64::MAX, &mut Silent)?;
//! assert_eq!(map.coordinates.dim(), (20, 2));
//! # Ok::<(), dosnes::Error>(())
//! ```

mod method;
mod table;

pub use method::{Method, MethodMap};
pub use table::{Cell, Column, Table, TableRow};
