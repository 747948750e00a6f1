//! The largest similarities of each item.

use dosnes::{CsrMatrix, ndarray::ArrayView2};

/// The largest similarities of each item, largest first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Neighbors {
    /// Number of neighbours of each item.
    pub(super) counts: Vec<u32>,
    /// The neighbours, item by item.
    pub(super) indices: Vec<u32>,
    /// The similarities, scaled so that the largest of each item is 255; at least 1.
    pub(super) strengths: Vec<u8>,
}

/// Number of neighbours of each item in the page: 15, or fewer if that would be more than a million entries.
pub(super) fn count(n: usize) -> usize {
    (1_000_000 / n.max(1)).clamp(1, 15)
}

/// The `count` largest positive similarities of each item, without the item itself. Of equal similarities, those to the
/// items that are nearest on the map come first: a page that shows fifteen of a thousand equal neighbours should not pick
/// fifteen that are far away.
pub(super) fn strongest(similarity: &CsrMatrix<'_>, map: ArrayView2<'_, f64>, count: usize) -> Neighbors {
    let squared_distance =
        |i: usize, j: u32| -> f64 { map.row(i).iter().zip(map.row(j as usize)).map(|(a, b)| (a - b).powi(2)).sum() };
    let mut out = Neighbors { counts: Vec::new(), indices: Vec::new(), strengths: Vec::new() };
    let mut row = Vec::new();
    for (i, entries) in similarity.iter_rows().enumerate() {
        row.clear();
        row.extend(
            entries
                .iter()
                .filter(|&(j, s)| j != i && s > 0.0)
                .map(|(j, s)| (s, squared_distance(i, j as u32), j as u32)),
        );
        row.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        row.truncate(count);
        out.counts.push(row.len() as u32);
        for &(s, _, j) in &row {
            out.indices.push(j);
            out.strengths.push((255.0 * s / row[0].0).round().max(1.0) as u8);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::ndarray::array;

    #[test]
    fn the_strongest_come_first_and_nobody_is_their_own_neighbour() {
        let triplets = [(0, 0, 9.0), (0, 1, 1.0), (0, 2, 4.0), (0, 3, 4.0), (2, 0, 1e-9), (2, 3, 1.0)];
        // Item 0 is equally similar to 2 and 3; 3 is nearer.
        let map = array![[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [2.0, 0.0]];
        let neighbors = strongest(&CsrMatrix::from_triplets((4, 4), &triplets).unwrap(), map.view(), 2);
        assert_eq!(neighbors.counts, [2, 0, 2, 0]);
        assert_eq!(neighbors.indices, [3, 2, 3, 0]);
        assert_eq!(neighbors.strengths, [255, 255, 255, 1]);
    }

    #[test]
    fn large_pages_get_fewer_neighbours() {
        assert_eq!([0, 305, 100_000, 1_000_000, 5_000_000].map(count), [15, 15, 10, 1, 1]);
    }
}
