//! A map that is to be measured.

use crate::{
    error::{Error, Quantity},
    space::Space,
};
use ndarray::ArrayView2;

/// The positions of the items, prepared for measuring.
#[derive(Debug, Clone)]
pub struct Map {
    space: Space,
    /// In the plane the third coordinate is zero; on the sphere the length is the radius.
    points: Vec<[f64; 3]>,
    radius: f64,
}

/// Allowed deviation of a point from the sphere, relative to the radius.
const OFF_SPHERE: f64 = 1e-6;

impl Map {
    /// A map with these coordinates: n × 2 in the plane, n × 3 otherwise.
    #[allow(clippy::needless_pass_by_value, reason = "array views are references")]
    pub fn new(coordinates: ArrayView2<'_, f64>, space: Space) -> Result<Self, Error> {
        let dimensions = space.dimensions();
        if coordinates.ncols() != dimensions {
            return Err(Error::Dimensions { what: "the map", found: coordinates.ncols(), expected: dimensions });
        }
        if coordinates.nrows() < 2 {
            return Err(Error::TooFewForNeighbors { items: coordinates.nrows(), least: 2 });
        }
        if let Some(((row, column), &value)) = coordinates.indexed_iter().find(|(_, v)| !v.is_finite()) {
            return Err(Error::Value { quantity: Quantity::MapCoordinate, row, column, value });
        }
        let mut points = Vec::with_capacity(coordinates.nrows());
        for row in coordinates.rows() {
            points.push([row[0], row[1], if dimensions == 3 { row[2] } else { 0.0 }]);
        }
        let length = |y: &[f64; 3]| y.iter().map(|v| v * v).sum::<f64>().sqrt();
        let radius = points.iter().map(length).sum::<f64>() / points.len() as f64;
        if space == Space::Sphere {
            let off = |y: &[f64; 3]| (length(y) - radius).abs() > OFF_SPHERE * radius;
            if let Some(row) = points.iter().position(|y| radius == 0.0 || off(y)) {
                let value = length(&points[row]);
                return Err(Error::Value { quantity: Quantity::Radius, row, column: 0, value });
            }
        }
        Ok(Self { space, points, radius })
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Returns an error if the data have another number of items than the map.
    pub(super) fn check_length(&self, items: usize) -> Result<(), Error> {
        let found = self.len();
        if found == items { Ok(()) } else { Err(Error::Length { what: "the map", found, expected: items }) }
    }

    /// The space of the map.
    pub fn space(&self) -> Space {
        self.space
    }

    pub(crate) fn points(&self) -> &[[f64; 3]] {
        &self.points
    }

    /// |y_i − y_j|²; on a sphere, along the chord.
    pub(super) fn squared_chord(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (&self.points[i], &self.points[j]);
        (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2)
    }

    /// The distance on the map: along the great circle on a sphere, otherwise straight.
    pub(crate) fn distance(&self, i: usize, j: usize) -> f64 {
        let chord = self.squared_chord(i, j).sqrt();
        if self.space == Space::Sphere {
            2.0 * self.radius * (chord / (2.0 * self.radius)).min(1.0).asin()
        } else {
            chord
        }
    }

    /// The `k` items nearest to `i`, nearest first, ties by index; `None` if there is no such item.
    pub fn nearest_items(&self, i: usize, k: usize) -> Option<Vec<usize>> {
        (i < self.len()).then(|| self.nearest(i, k, |_| true).into_iter().map(|(_, j)| j as usize).collect())
    }

    /// The other items, nearest to `i` first, ties by index. Chords have the same order as arcs.
    pub(super) fn order(&self, i: usize, out: &mut Vec<(f64, u32)>) {
        out.clear();
        out.extend((0..self.len()).filter(|&j| j != i).map(|j| (self.squared_chord(i, j), j as u32)));
        out.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }

    /// The `k` items nearest to `i` among those for which `counts` is true, nearest first, ties by index.
    pub(super) fn nearest(&self, i: usize, k: usize, counts: impl Fn(usize) -> bool) -> Vec<(f64, u32)> {
        let others = (0..self.len()).filter(|&j| j != i && counts(j));
        let mut all: Vec<(f64, u32)> = others.map(|j| (self.squared_chord(i, j), j as u32)).collect();
        let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if all.len() > k && k > 0 {
            all.select_nth_unstable_by(k - 1, order);
        }
        all.truncate(k);
        all.sort_unstable_by(order);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn distances_on_a_sphere_follow_its_surface() {
        let map = Map::new(array![[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [-2.0, 0.0, 0.0]].view(), Space::Sphere).unwrap();
        assert!((map.distance(0, 1) - std::f64::consts::PI).abs() < 1e-14);
        assert!((map.distance(0, 2) - std::f64::consts::TAU).abs() < 1e-7);
    }

    #[test]
    fn points_off_the_sphere_are_rejected() {
        assert!(Map::new(array![[2.0, 0.0, 0.0], [0.0, 2.1, 0.0]].view(), Space::Sphere).is_err());
        assert!(Map::new(array![[2.0, 0.0, 0.0], [0.0, 2.1, 0.0]].view(), Space::Volume).is_ok());
        assert!(Map::new(array![[2.0, f64::NAN], [0.0, 2.1]].view(), Space::Plane).is_err());
    }
}
