//! Groups of similar items, and the similarities between groups: a smaller picture of a large matrix.

use super::{CsrMatrix, Number, Stored, operations::starts_of};
use rayon::prelude::*;

/// Items of a group, besides the one that founds it.
const SIZE: usize = 15;
/// A group has at least this number of them when it is founded, or half of them where items have few.
const LEAST: usize = 6;
/// Groups per task.
const GROUPS: usize = 64;
/// Batches of tasks.
const BATCHES: usize = 32;
const NONE: u32 = u32::MAX;

/// The items, divided into groups.
pub(crate) struct Groups {
    /// The group of each item.
    of_item: Vec<u32>,
    count: usize,
}

impl Groups {
    /// Groups of a symmetric matrix without negative entries, one item after the other. An item that is in no group founds one with
    /// those of its nearest items (the largest entries of its row) that are in none either. If there are too few of
    /// them, it waits, and later joins the group of the nearest item that is in one.
    ///
    /// Items that are not connected are never in the same group.
    pub(crate) fn of(matrix: &CsrMatrix<'_>) -> Self {
        match matrix.stored_values() {
            Stored::Double(values) => Self::of_values(matrix, values),
            Stored::Single(values) => Self::of_values(matrix, values),
        }
    }

    fn of_values<V: Number>(matrix: &CsrMatrix<'_>, values: &[V]) -> Self {
        let n = matrix.rows();
        let (starts, columns) = (matrix.row_starts(), matrix.column_indices());
        let mut of_item = vec![NONE; n];
        let mut count = 0_u32;
        let mut nearest: Vec<(f64, u32)> = Vec::new();
        for i in 0..n {
            if of_item[i] != NONE {
                continue;
            }
            let row = starts[i]..starts[i + 1];
            nearest.clear();
            nearest.extend(values[row.clone()].iter().map(|value| value.double()).zip(columns[row].iter().copied()));
            if nearest.len() > SIZE {
                nearest.select_nth_unstable_by(SIZE, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                nearest.truncate(SIZE);
            }
            let least = LEAST.min(nearest.len() / 2).max(1);
            nearest.retain(|&(_, j)| of_item[j as usize] == NONE && j as usize != i);
            if nearest.len() >= least {
                of_item[i] = count;
                for &(_, j) in &nearest {
                    of_item[j as usize] = count;
                }
                count += 1;
            }
        }
        // Those that wait depend only on the founded groups, not on each other: any number of tasks finds the same.
        let founded = &of_item;
        let joins = |i: usize| {
            if founded[i] != NONE {
                return founded[i];
            }
            let row = starts[i]..starts[i + 1];
            let known = columns[row.clone()].iter().zip(&values[row]).filter(|&(&j, _)| founded[j as usize] != NONE);
            known.max_by(|a, b| a.1.double().total_cmp(&b.1.double())).map_or(NONE, |(&j, _)| founded[j as usize])
        };
        let mut of_item: Vec<u32> = (0..n).into_par_iter().with_min_len(1024).map(joins).collect();
        // Who still has none founds one alone, or with others around that have none: a small component, for example.
        let mut stack = Vec::new();
        for i in 0..n {
            if of_item[i] == NONE {
                of_item[i] = count;
                stack.push(i);
                while let Some(i) = stack.pop() {
                    for &j in &columns[starts[i]..starts[i + 1]] {
                        if of_item[j as usize] == NONE {
                            of_item[j as usize] = count;
                            stack.push(j as usize);
                        }
                    }
                }
                count += 1;
            }
        }
        Self { of_item, count: count as usize }
    }

    /// Number of groups.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.count
    }

    /// The group of each item.
    pub(crate) fn of_item(&self) -> &[u32] {
        &self.of_item
    }

    /// The sums of the entries between every two groups, in single precision: AᵀPA, where A_ig is 1 for each item i of group g. Pairs
    /// within a group are on the diagonal.
    pub(crate) fn sums(&self, matrix: &CsrMatrix<'_>) -> CsrMatrix<'static> {
        match matrix.stored_values() {
            Stored::Double(values) => self.sums_of(matrix, values),
            Stored::Single(values) => self.sums_of(matrix, values),
        }
    }

    fn sums_of<V: Number>(&self, matrix: &CsrMatrix<'_>, values: &[V]) -> CsrMatrix<'static> {
        let (members, first) = self.members();
        let (starts, columns) = (matrix.row_starts(), matrix.column_indices());
        let sums_of_groups = |sums: &mut Vec<f64>, groups: &[usize]| {
            let mut part = (Vec::new(), Vec::new(), Vec::new());
            let mut touched: Vec<u32> = Vec::new();
            for &group in groups {
                for &i in &members[first[group]..first[group + 1]] {
                    let row = starts[i as usize]..starts[i as usize + 1];
                    for (&j, value) in columns[row.clone()].iter().zip(&values[row]) {
                        let other = self.of_item[j as usize];
                        let sum = &mut sums[other as usize];
                        if *sum == 0.0 {
                            touched.push(other);
                        }
                        *sum += value.double();
                    }
                }
                touched.sort_unstable();
                touched.dedup();
                part.0.push(touched.len());
                for &other in &touched {
                    part.1.push(other);
                    part.2.push(std::mem::take(&mut sums[other as usize]) as f32);
                }
                touched.clear();
            }
            part
        };
        let groups: Vec<usize> = (0..self.count).collect();
        let (mut lengths, mut other_groups, mut sums) = (Vec::with_capacity(self.count), Vec::new(), Vec::new());
        // Batch by batch, so that there is never a second copy of all sums.
        for batch in groups.chunks((self.count / BATCHES + 1).next_multiple_of(GROUPS)) {
            let parts: Vec<(Vec<usize>, Vec<u32>, Vec<f32>)> =
                batch.par_chunks(GROUPS).map_init(|| vec![0.0_f64; self.count], sums_of_groups).collect();
            for part in parts {
                lengths.extend(part.0);
                other_groups.extend(part.1);
                sums.extend(part.2);
            }
        }
        other_groups.shrink_to_fit();
        sums.shrink_to_fit();
        let shape = (self.count, self.count);
        CsrMatrix::well_formed(shape, starts_of(lengths.into_iter()), other_groups, sums)
    }

    /// The items, group after group, and the place of the first one of each group.
    fn members(&self) -> (Vec<u32>, Vec<usize>) {
        let mut sizes = vec![0_usize; self.count];
        for &group in &self.of_item {
            sizes[group as usize] += 1;
        }
        let first = starts_of(sizes.into_iter());
        let mut next = first.clone();
        let mut members = vec![0; self.of_item.len()];
        for (i, &group) in self.of_item.iter().enumerate() {
            members[next[group as usize]] = i as u32;
            next[group as usize] += 1;
        }
        (members, first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::Components;
    use proptest::prelude::*;

    fn symmetric(n: usize, entries: Vec<(u32, u32, f64)>) -> CsrMatrix<'static> {
        let both = entries.into_iter().map(|(i, j, value)| (i % n as u32, j % n as u32, value));
        let triplets: Vec<(u32, u32, f64)> = both.flat_map(|(i, j, value)| [(i, j, value), (j, i, value)]).collect();
        CsrMatrix::from_triplets((n, n), &triplets).unwrap()
    }

    proptest! {
        #[test]
        fn groups_are_connected_and_their_sums_are_those_of_a_plain_product(
            n in 1_usize..80,
            entries in prop::collection::vec((0_u32..80, 0_u32..80, 0.01_f64..1.0), 0..400),
        ) {
            let matrix = symmetric(n, entries);
            let groups = Groups::of(&matrix);
            let component = Components::of(&matrix).unwrap();
            let mut of_group = vec![None; groups.len()];
            for i in 0..n {
                let found = of_group[groups.of_item()[i] as usize].get_or_insert(component.labels()[i]);
                prop_assert_eq!(*found, component.labels()[i]);
            }
            prop_assert!(of_group.iter().all(Option::is_some), "no group is empty");
            let mut expected = ndarray::Array2::<f64>::zeros((groups.len(), groups.len()));
            for (i, j, value) in matrix.iter() {
                expected[[groups.of_item()[i] as usize, groups.of_item()[j] as usize]] += value;
            }
            let sums = groups.sums(&matrix).to_dense();
            for (sum, expected) in sums.iter().zip(&expected) {
                prop_assert!((sum - expected).abs() <= 1e-6 * expected);
            }
        }
    }

    #[test]
    fn near_items_of_a_ring_are_grouped() {
        // Each item is similar to the nine on either side, and most to the nearest ones.
        let n = 2000_u32;
        let near = |i: u32| (1..10).map(move |step| (i, (i + step) % n, 1.0 / f64::from(step)));
        let matrix = symmetric(n as usize, (0..n).flat_map(near).collect());
        let groups = Groups::of(&matrix);
        assert!((100..300).contains(&groups.len()), "{}", groups.len());
        let mut first = vec![None; groups.len()];
        for (i, &group) in (0..n).zip(groups.of_item()) {
            let away = i.abs_diff(*first[group as usize].get_or_insert(i));
            assert!(away.min(n - away) <= 40, "a group is not wider than four times what its founder sees");
        }
    }
}
