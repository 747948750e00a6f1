//! A globe of similarities P that another program computed. They are embedded as they are.
//!
//! `cargo run --release -p dosnes --example precomputed`

#![allow(clippy::print_stdout, reason = "an example shows its result")]

use dosnes::{Affinities, CsrMatrix, Dosnes};

fn main() -> Result<(), dosnes::Error> {
    // The parts of a CSR matrix as in SciPy (indptr, indices, data): a ring of four items, with row sums of one.
    // Nothing is copied here.
    let (row_starts, columns) = ([0, 2, 4, 6, 8], [1, 3, 0, 2, 1, 3, 0, 2]);
    let values = [0.5; 8];
    let p = CsrMatrix::new((4, 4), &row_starts[..], &columns[..], &values[..])?;

    let affinities = Affinities::from_matrix(&p)?;
    println!("doubly stochastic: {}", affinities.is_doubly_stochastic(1e-12));
    let map = Dosnes::sphere().embed(&affinities)?;
    println!("{:.3}", map.coordinates);
    Ok(())
}
