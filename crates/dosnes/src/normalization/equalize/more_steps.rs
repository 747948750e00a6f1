//! Walks of three and more steps.

use super::{Walk, kept_per_row, kept_to_complete, shares, two_steps::squared};
use crate::{
    error::Error,
    observe::{Observer, report},
    sparse::{CsrMatrix, keep_strongest, symmetrized},
};
use rayon::prelude::*;

/// The mean of the symmetric powers 2 to `steps` of the walk, without diagonal; `two` is the power 2. With many items each
/// power keeps the strongest entries of each row.
pub(super) fn mean_of_steps(
    walk: &Walk<'_>,
    two: CsrMatrix<'static>,
    steps: usize,
    observer: &mut dyn Observer,
) -> Result<CsrMatrix<'static>, Error> {
    let share = 1.0 / (steps - 1) as f64;
    let mut total = two.times(share);
    // From here on in one direction: R, R², …
    let mut power = one_step(walk);
    for step in 2..=steps {
        report(observer, 0.5 + 0.5 * (step - 2) as f64 / (steps - 1) as f64)?;
        power = next_power(walk, &power, kept_per_row(walk.len()));
        if step > 2 {
            let pairs = power.filtered(|i, j, _| i != j && !walk.few_siblings(i, j));
            total = total.plus(&symmetrized(&pairs).times(share));
        }
    }
    Ok(total)
}

/// F: the symmetric powers 2 to `steps` of the walk, without diagonal, with [`shares`] that rise with their number of steps. With
/// many items each power keeps the strongest entries of each row, and its diagonal: a walk may return.
pub(super) fn shared_steps(
    walk: &Walk<'_>,
    steps: usize,
    observer: &mut dyn Observer,
) -> Result<CsrMatrix<'static>, Error> {
    let kept = kept_to_complete(walk.len());
    let mut power = squared(walk, kept);
    let mut total: Option<CsrMatrix<'static>> = None;
    for (at, share) in shares(steps).enumerate() {
        report(observer, 0.5 + 0.5 * at as f64 / (steps - 1) as f64)?;
        if at > 0 {
            power = next_power(walk, &power, kept);
        }
        let pairs = power.filtered(|i, j, _| i != j && !walk.few_siblings(i, j));
        let pairs = symmetrized(&pairs).times(share);
        total = Some(match total {
            Some(total) => total.plus(&pairs),
            None => pairs,
        });
    }
    let empty = || CsrMatrix::from_rows(walk.s.shape(), vec![(Vec::new(), Vec::new()); walk.len()]);
    Ok(total.unwrap_or_else(empty))
}

fn one_step(walk: &Walk<'_>) -> CsrMatrix<'static> {
    let n = walk.len();
    let rows = (0..n).map(|i| walk.steps_from(i).map(|(j, value)| (j as u32, value)).unzip()).collect();
    CsrMatrix::from_rows((n, n), rows)
}

/// R · `power`, the strongest entries of each row.
fn next_power(walk: &Walk<'_>, power: &CsrMatrix<'_>, kept: usize) -> CsrMatrix<'static> {
    let n = walk.len();
    let rows: Vec<(Vec<u32>, Vec<f64>)> = (0..n)
        .into_par_iter()
        .map_init(
            || (vec![0.0_f64; n], Vec::new()),
            |(sums, touched), i| {
                for (v, first) in walk.steps_from(i) {
                    for (j, rest) in power.row(v).iter() {
                        let path = first * rest;
                        // A path may be too weak for a number: it must not make its end one that was never touched.
                        if sums[j] == 0.0 && path > 0.0 {
                            touched.push(j as u32);
                        }
                        sums[j] += path;
                    }
                }
                let mut entries: Vec<(u32, f64)> = Vec::with_capacity(touched.len());
                for j in touched.drain(..) {
                    entries.push((j, std::mem::take(&mut sums[j as usize])));
                }
                keep_strongest(i, &mut entries, kept);
                entries.into_iter().unzip()
            },
        )
        .collect();
    CsrMatrix::from_rows((n, n), rows)
}
