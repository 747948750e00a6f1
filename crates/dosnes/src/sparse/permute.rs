//! Another order of the items of a square matrix, with little memory beside the matrix.
//!
//! Rows are first moved into buckets of the new order, from the end of the matrix on, while the memory of those that were moved
//! is given back. Then each bucket is put in order. So there is never a second copy of the whole.

use super::{Number, operations::starts_of};
use rayon::prelude::*;

/// Parts of the old order.
const PARTS: usize = 32;
/// Parts of the new order.
const BUCKETS: usize = 32;

/// The row starts, columns and values of a matrix.
pub(crate) type Parts<V> = (Vec<usize>, Vec<u32>, Vec<V>);

/// `inverse[order[new]]` is `new`.
pub(crate) fn inverse(order: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        inverse[old as usize] = new as u32;
    }
    inverse
}

/// The same matrix with its items in another order: `order[new]` is the old index, `numbers` is the inverse. The entries of a row
/// stay in their order, so columns are no longer increasing.
pub(crate) fn permuted<V: Number>(parts: Parts<V>, order: &[u32], numbers: &[u32]) -> Parts<V> {
    let (old_starts, mut old_columns, mut old_values) = parts;
    let n = order.len();
    let starts = starts_of(order.iter().map(|&old| old_starts[old as usize + 1] - old_starts[old as usize]));
    let total = starts[n];
    let first_of_bucket = |bucket: usize| n * bucket / BUCKETS;
    let bucket_of: Vec<u8> = (0..BUCKETS)
        .flat_map(|bucket| (first_of_bucket(bucket)..first_of_bucket(bucket + 1)).map(move |_| bucket as u8))
        .collect();
    let mut next: Vec<usize> = (0..BUCKETS).map(|bucket| starts[first_of_bucket(bucket)]).collect();
    // The system gives memory only to what is written, so the result takes over what the old rows give back.
    let (mut columns, mut values) = (vec![0_u32; total], vec![V::default(); total]);
    let mut places = vec![0_usize; n];
    for part in (0..PARTS).rev() {
        let (first, end) = (n * part / PARTS, n * (part + 1) / PARTS);
        for old in first..end {
            let row = old_starts[old]..old_starts[old + 1];
            let place = &mut next[usize::from(bucket_of[numbers[old] as usize])];
            columns[*place..*place + row.len()].copy_from_slice(&old_columns[row.clone()]);
            values[*place..*place + row.len()].copy_from_slice(&old_values[row.clone()]);
            places[old] = *place;
            *place += row.len();
        }
        old_columns.truncate(old_starts[first]);
        old_values.truncate(old_starts[first]);
        old_columns.shrink_to_fit();
        old_values.shrink_to_fit();
    }
    for bucket in 0..BUCKETS {
        let rows = first_of_bucket(bucket)..first_of_bucket(bucket + 1);
        let first = starts[rows.start];
        let of_bucket = first..starts[rows.end];
        let (columns, values) = (&mut columns[of_bucket.clone()], &mut values[of_bucket]);
        let (unsorted_columns, unsorted_values) = (columns.to_vec(), values.to_vec());
        for new in rows {
            let (place, to) = (places[order[new] as usize] - first, starts[new] - first..starts[new + 1] - first);
            let from = place..place + to.len();
            columns[to.clone()].copy_from_slice(&unsorted_columns[from.clone()]);
            values[to].copy_from_slice(&unsorted_values[from]);
        }
        columns.par_chunks_mut(1 << 16).for_each(|columns| {
            for column in columns {
                *column = numbers[*column as usize];
            }
        });
    }
    (starts, columns, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::CsrMatrix;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_are_in_the_new_order_and_back_again(
            n in 1_usize..70,
            entries in prop::collection::vec((0_u32..70, 0_u32..70, 0.0_f64..1.0), 0..300),
            seed: u64,
        ) {
            let triplets: Vec<(u32, u32, f64)> =
                entries.into_iter().map(|(i, j, value)| (i % n as u32, j % n as u32, value)).collect();
            let matrix = CsrMatrix::from_triplets((n, n), &triplets).unwrap();
            let mut order: Vec<u32> = (0..n as u32).collect();
            order.sort_by_key(|&i| crate::random::mix(seed ^ u64::from(i)));
            let numbers = inverse(&order);
            let there = permuted(matrix.clone().into_parts(), &order, &numbers);
            for new in 0..n {
                let row: Vec<(u32, f64)> =
                    (there.0[new]..there.0[new + 1]).map(|k| (order[there.1[k] as usize], there.2[k])).collect();
                let old: Vec<(u32, f64)> =
                    matrix.row(order[new] as usize).iter().map(|(j, value)| (j as u32, value)).collect();
                prop_assert_eq!(row, old);
            }
            let back = permuted(there, &numbers, &order);
            prop_assert_eq!(back, matrix.into_parts());
        }
    }
}
