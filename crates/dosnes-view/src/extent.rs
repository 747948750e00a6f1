//! The bounding box of points.

use ndarray::ArrayView2;

/// An axis-aligned box, given by its centre and half of its sides. Without points, and along axes that the points do not
/// have, both are 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extent {
    pub(crate) middle: [f64; 3],
    pub(crate) half: [f64; 3],
}

impl Extent {
    /// The box around all of these points, with two or three coordinates.
    pub(crate) fn of<'a>(all: impl IntoIterator<Item = ArrayView2<'a, f64>>) -> Self {
        let mut low = [f64::INFINITY; 3];
        let mut high = [f64::NEG_INFINITY; 3];
        for positions in all {
            for row in positions.rows() {
                for (k, &c) in row.iter().enumerate() {
                    low[k] = low[k].min(c);
                    high[k] = high[k].max(c);
                }
            }
        }
        let mut extent = Self { middle: [0.0; 3], half: [0.0; 3] };
        for k in 0..3 {
            if low[k] <= high[k] {
                // Halved before the addition or subtraction: the sum of two finite numbers may be infinite.
                extent.middle[k] = low[k] * 0.5 + high[k] * 0.5;
                extent.half[k] = high[k] * 0.5 - low[k] * 0.5;
            }
        }
        extent
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, arr2};

    use super::*;

    #[test]
    fn the_box_holds_all_points() {
        let (a, b) = (arr2(&[[7.0, -3.0], [5.0, 1.0]]), arr2(&[[6.0, 9.0]]));
        let extent = Extent::of([a.view(), b.view()]);
        assert_eq!(extent, Extent { middle: [6.0, 3.0, 0.0], half: [1.0, 6.0, 0.0] });
    }

    #[test]
    fn no_points_and_huge_points_have_finite_boxes() {
        assert_eq!(Extent::of([Array2::zeros((0, 3)).view()]), Extent { middle: [0.0; 3], half: [0.0; 3] });
        let extent = Extent::of([arr2(&[[-f64::MAX, 0.0, f64::MAX], [f64::MAX, 0.0, f64::MAX]]).view()]);
        assert_eq!(extent, Extent { middle: [0.0, 0.0, f64::MAX], half: [f64::MAX, 0.0, 0.0] });
    }
}
