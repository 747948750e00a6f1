//! Prints the errors of the sums against the reference implementation, for several layouts, radii and tolerances.
//!
//! `cargo run --release -p dosnes-benchmarks --bin accuracy`
#![allow(clippy::print_stdout, missing_docs)]

use dosnes::internals::harmonics::{Kernel, ZonalSums, exact_sums, layouts};

fn main() -> Result<(), dosnes::internals::harmonics::Error> {
    let n: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(6000);
    println!("kernel   layout      tolerance   radius   degree pairs/point   force      Z     slope  potential");
    for kernel in [Kernel::Cauchy, Kernel::Gaussian] {
        for layout in layouts::ALL {
            let u = layout.points(n, 1);
            let mut exact = vec![[0.0; 3]; n];
            let mut potentials = vec![0.0; n];
            for r in [1e-4, 0.01, 1.0, 20.0, 300.0, 2000.0] {
                let truth = exact_sums(kernel, &u, r, &mut exact, &mut potentials);
                for tolerance in [1e-3, 1e-6, 1e-10] {
                    let mut sums = ZonalSums::new(kernel, tolerance)?;
                    let mut forces = vec![[0.0; 3]; n];
                    let totals = sums.evaluate(&u, r, &mut forces)?;
                    let report = sums.report();
                    let error = layouts::relative_error(&forces, &exact);
                    let worst =
                        sums.potentials().iter().zip(&potentials).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    println!(
                        "{:8} {:10} {tolerance:9.0e} {r:9} {:8} {:10.0} {error:9.1e} {:8.1e} {:8.1e} {:8.1e}{}",
                        format!("{kernel:?}"),
                        format!("{layout:?}"),
                        report.degree,
                        report.pairs as f64 / n as f64,
                        (totals.z / truth.z - 1.0).abs(),
                        (totals.stretch / truth.stretch - 1.0).abs(),
                        worst / (truth.z / n as f64),
                        if error > 2.0 * tolerance { "  <--" } else { "" },
                    );
                }
            }
        }
    }
    Ok(())
}
