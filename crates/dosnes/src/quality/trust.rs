//! How far each item's position on a map can be trusted.

use super::Map;
use crate::{
    error::Error,
    input::Points,
    neighbors::{NeighborOptions, find_neighbors},
    observe::Observer,
    sparse::CsrMatrix,
};
use ndarray::Array2;

/// For each item, the share of its `k` strongest similarities that are among its `k` nearest items on the map. An item
/// with fewer similarities is measured only on those; an item without any has 0.
pub fn trust(map: &Map, p: &CsrMatrix<'_>, k: usize, observer: &mut dyn Observer) -> Result<Vec<f64>, Error> {
    p.check_square()?;
    map.check_length(p.rows())?;
    let k = k.min(map.len() - 1);
    let points = Array2::from_shape_fn((map.len(), 3), |(i, axis)| map.points()[i][axis] as f32);
    let nearest = find_neighbors(&Points::from(points), &NeighborOptions::new(k), observer)?;
    let mut strongest: Vec<(f64, usize)> = Vec::new();
    let share = |(i, row): (usize, crate::sparse::Row<'_>)| {
        strongest.clear();
        strongest.extend(row.iter().map(|(j, value)| (value, j)));
        strongest.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        strongest.truncate(k);
        let (on_map, _) = nearest.row(i);
        let on_map = &on_map[..strongest.len().min(on_map.len())];
        let kept = strongest.iter().filter(|&&(_, j)| on_map.contains(&(j as u32))).count();
        kept as f64 / strongest.len().max(1) as f64
    };
    Ok(p.iter_rows().enumerate().map(share).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{observe::Silent, space::Space};
    use ndarray::array;

    #[test]
    fn trust_is_the_share_of_strong_similarities_that_are_near() {
        let map = Map::new(array![[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [9.0, 0.0]].view(), Space::Plane).unwrap();
        let p = CsrMatrix::from_triplets((4, 4), &[(0, 1, 2.0), (0, 3, 1.0), (1, 0, 2.0), (3, 0, 1.0)]).unwrap();
        // The two strongest similarities of item 0 are to 1 and 3; its two nearest items are 1 and 2.
        assert_eq!(trust(&map, &p, 2, &mut Silent).unwrap(), [0.5, 1.0, 0.0, 0.0]);
        assert!(trust(&map, &p, 0, &mut Silent).is_err());
    }
}
