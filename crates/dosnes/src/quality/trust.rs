//! How far each item's position on a map can be trusted.

use super::Map;
use crate::{
    error::{Error, Parameter},
    neighbors::visit_nearest,
    observe::Observer,
    sparse::CsrMatrix,
};

/// For each item, how similar its `k` nearest items on the map are, as a share of what the `k` most similar items have
/// together. An item with fewer similar items is measured only on those; an item without any has 0.
///
/// Where one of the most similar items is replaced by another that is equally similar, nothing is lost; where it is replaced
/// by one that is nearly as similar, little is lost.
pub fn trust(map: &Map, similar: &CsrMatrix<'_>, k: usize, observer: &mut dyn Observer) -> Result<Vec<f64>, Error> {
    similar.check_square()?;
    map.check_length(similar.rows())?;
    let k = k.min(map.len() - 1);
    if k == 0 {
        return Err(Error::zero(Parameter::Neighbors));
    }
    let mut values: Vec<f64> = Vec::new();
    let mut shares = vec![0.0; map.len()];
    visit_nearest(map.points(), k, observer, |i, on_map| {
        let row = similar.row(i);
        values.clear();
        values.extend(row.iter().filter(|&(j, value)| j != i && value > 0.0).map(|(_, value)| value));
        values.sort_unstable_by(|a, b| b.total_cmp(a));
        values.truncate(k);
        let best: f64 = values.iter().sum();
        let near = on_map.iter().take(values.len()).filter_map(|near| similar.get(i, near.item as usize)).sum::<f64>();
        if best > 0.0 {
            shares[i] = (near / best).min(1.0);
        }
    })?;
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{observe::Silent, space::Space};
    use ndarray::{Array2, array};

    #[test]
    fn trust_is_the_share_of_the_best_similarity_that_is_near() {
        let map = Map::new(array![[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [9.0, 0.0]].view(), Space::Plane).unwrap();
        let p = CsrMatrix::from_triplets((4, 4), &[(0, 1, 2.0), (0, 3, 1.0), (1, 0, 2.0), (3, 0, 1.0)]).unwrap();
        // Item 0 has similarities 2 and 1, to 1 and 3; its two nearest items are 1 and 2.
        assert_eq!(trust(&map, &p, 2, &mut Silent).unwrap(), [2.0 / 3.0, 1.0, 0.0, 0.0]);
        assert!(trust(&map, &p, 0, &mut Silent).is_err());
    }

    #[test]
    fn equally_similar_items_can_replace_each_other() {
        // A hub with a hundred leaves around it: whichever of them are nearest, all are equally similar.
        let place = |i: usize, axis: usize| {
            let angle = i as f64;
            if i == 0 { 0.0 } else { i as f64 * if axis == 0 { angle.cos() } else { angle.sin() } }
        };
        let positions = Array2::from_shape_fn((101, 2), |(i, axis)| place(i, axis));
        let map = Map::new(positions.view(), Space::Plane).unwrap();
        let star: Vec<_> = (1..101).flat_map(|i| [(0, i, 1.0), (i, 0, 1.0)]).collect();
        let star = CsrMatrix::from_triplets((101, 101), &star).unwrap();
        assert_eq!(trust(&map, &star, 15, &mut Silent).unwrap()[0], 1.0);
    }
}
