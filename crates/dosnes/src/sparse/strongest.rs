//! The strongest entries of a row.

use crate::random::mix;

/// Keeps the `m` strongest of `entries` of row `i`, sorted by column. Ties are decided by a hash of the pair, which favours
/// no part of the file and is the same for (i, j) and (j, i).
pub(crate) fn keep_strongest(i: usize, entries: &mut Vec<(u32, f64)>, m: usize) {
    if entries.len() > m {
        // Sums in another order may differ in the last bits: single precision makes them ties.
        let rank = |&(j, value): &(u32, f64)| (value as f32, pair_hash(i, j as usize));
        entries.select_nth_unstable_by(m, |a, b| {
            let (a, b) = (rank(a), rank(b));
            b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
        });
        entries.truncate(m);
    }
    entries.sort_unstable_by_key(|entry| entry.0);
}

fn pair_hash(i: usize, j: usize) -> u64 {
    let (low, high) = (i.min(j) as u64, i.max(j) as u64);
    mix(mix(low) ^ high.wrapping_mul(0xd1b5_4a32_d192_ed03))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_stay_and_ties_do_not_go_to_the_lowest_columns() {
        let mut entries: Vec<(u32, f64)> = (1..=100).map(|j| (j, if j == 77 { 2.0 } else { 1.0 })).collect();
        keep_strongest(0, &mut entries, 10);
        assert_eq!(entries.len(), 10);
        assert!(entries.iter().any(|entry| entry.0 == 77));
        assert!(entries.is_sorted_by_key(|entry| entry.0));
        let mean = entries.iter().map(|entry| f64::from(entry.0)).sum::<f64>() / 10.0;
        assert!((25.0..75.0).contains(&mean), "{entries:?}");
    }
}
