//! A globe of a graph: a ring of thirty nodes, one of which is connected to all others.
//!
//! `cargo run --release -p dosnes --example graph`

#![allow(clippy::print_stdout, reason = "an example shows its result")]

use dosnes::{CsrMatrix, Data, Dosnes};

fn main() -> Result<(), dosnes::Error> {
    let ring = (0..30).map(|i| (i, (i + 1) % 30, 1.0));
    let hub = (1..30).map(|i| (0, i, 5.0));
    let edges: Vec<(u32, u32, f64)> = ring.chain(hub).collect();
    let graph = Data::Graph(CsrMatrix::from_triplets((30, 30), &edges)?);

    let fit = Dosnes::sphere().fit(&graph)?;
    let report = fit.affinities.report();
    println!(
        "total similarities differed by a factor of {:.0}, now {:.1}",
        report.before.ratio(),
        report.after.ratio()
    );
    println!("the hub lies at {:.2}", fit.embedding.coordinates.row(0));
    Ok(())
}
