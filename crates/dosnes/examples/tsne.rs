//! Plain t-SNE in the plane, for comparison with a globe of the same points.
//!
//! `cargo run --release -p dosnes --example tsne`

#![allow(clippy::print_stdout, reason = "an example shows its result")]

use dosnes::{Dosnes, ndarray::Array2};

fn main() -> Result<(), dosnes::Error> {
    let points = Array2::from_shape_fn((200, 5), |(i, j)| ((i * (j + 3)) as f32).sin() + (i % 4) as f32 * 3.0);
    let fit = Dosnes::tsne().perplexity(20.0).seed(7).fit(&points)?;
    println!("{} × {} coordinates, KL {:.3}", fit.embedding.coordinates.nrows(), 2, fit.embedding.kl);
    Ok(())
}
