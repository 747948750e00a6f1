//! A globe of points: three clusters in ten dimensions.
//!
//! `cargo run --release -p dosnes --example points`

#![allow(clippy::print_stdout, reason = "an example shows its result")]

use dosnes::{Dosnes, ndarray::Array2};

fn main() -> Result<(), dosnes::Error> {
    let points = Array2::from_shape_fn((150, 10), |(i, j)| {
        let centre = if j == i % 3 { 8.0 } else { 0.0 };
        centre + ((i * 37 + j * 101) as f64).sin()
    });
    let fit = Dosnes::sphere().perplexity(15.0).seed(7).fit(&points)?;
    let radius = fit.embedding.radius.unwrap_or(0.0);
    println!("{} points on a sphere of radius {radius:.2}, KL {:.3}", points.nrows(), fit.embedding.kl);
    Ok(())
}
