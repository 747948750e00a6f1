//! Items that stay at given directions.
//!
//! The points of a map on the sphere are kept centred, since they would drift into a cap of an ever larger sphere without it. Items
//! that are fixed at two or more directions replace this: their angles, times the radius, are distances that the objective wants
//! to have a certain size. A single fixed item only says how the finished map is turned.

use super::{EmbedOptions, options::CheckedOptions};
use crate::{
    error::Error,
    growth::align,
    init,
    normalization::Affinities,
    ranks::Share,
    space::Space,
    sphere::{Vec3, centre, dot, norm, project_to_centred_tangent, unit},
};
use ndarray::Array2;
use rayon::prelude::*;

/// An item that stays at a direction, see [`EmbedOptions::fixed`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fixed {
    /// Its row on the map, as in [`Affinities::kept`].
    pub item: usize,
    /// Its direction, of any length.
    pub direction: [f64; 3],
}

impl EmbedOptions {
    /// Checks the fixed items of a map of `n` items.
    pub(super) fn check_fixed(&self, n: usize) -> Result<(), Error> {
        let mut is_fixed = vec![false; n];
        for &Fixed { item, direction } in &self.fixed {
            let length = norm(&direction);
            let reason = if self.space != Space::Sphere {
                "only maps on a sphere have directions"
            } else if self.optimizer == super::Optimizer::Paper {
                "the optimizer of the paper moves all items"
            } else if item >= n {
                "the map has no such row"
            } else if !(length.is_finite() && length > 0.0) {
                "its direction must be finite and not zero"
            } else if std::mem::replace(&mut is_fixed[item], true) {
                "it has two directions"
            } else {
                continue;
            };
            return Err(Error::Fixed { row: item, reason });
        }
        Ok(())
    }
}

/// Which items move, and whether all together stay centred.
#[derive(Debug, Clone, Default)]
pub(super) struct Pins {
    /// Empty if no item is fixed while the others move.
    is_fixed: Vec<bool>,
}

impl Pins {
    /// For a map of `n` items.
    pub(super) fn of(options: &CheckedOptions, n: usize) -> Self {
        if options.fixed.len() < 2 {
            return Self::default();
        }
        let mut is_fixed = vec![false; n];
        for fixed in &options.fixed {
            is_fixed[fixed.item] = true;
        }
        Self { is_fixed }
    }

    /// In another order of the items: `old[new]` is the old number.
    pub(super) fn reordered(&self, old: &[u32]) -> Self {
        if self.is_fixed.is_empty() {
            return Self::default();
        }
        Self { is_fixed: old.iter().map(|&i| self.is_fixed[i as usize]).collect() }
    }

    /// Whether each item is fixed; none if all move.
    pub(super) fn fixed(&self) -> &[bool] {
        &self.is_fixed
    }

    /// The opposite.
    pub(super) fn of_fixed(is_fixed: Vec<bool>) -> Self {
        Self { is_fixed }
    }

    /// Centres the points, unless some are fixed, each rank its own. Afterwards every rank has the points of all.
    pub(super) fn centre(&self, share: &Share<'_>, u: &mut [Vec3]) {
        if self.is_fixed.is_empty() {
            centre(share, u);
        }
        share.fill_in_points(u);
    }

    /// Makes the tangent vectors `v` of this rank's points such that the points stay centred, or that fixed points stay where they
    /// are.
    pub(super) fn project(&self, share: &Share<'_>, u: &[Vec3], v: &mut [Vec3]) {
        if self.is_fixed.is_empty() {
            project_to_centred_tangent(share, u, v);
        } else {
            v.par_iter_mut().with_min_len(1024).zip(&self.is_fixed[share.own()]).for_each(|(v, &is_fixed)| {
                if is_fixed {
                    *v = [0.0; 3];
                }
            });
        }
    }
}

/// Where the items start if some are fixed: these at their directions, the others between them; or as `start`, rotated such that the
/// fixed items are as near to their directions as possible.
pub(super) fn start(p: &Affinities, options: &CheckedOptions, start: Option<Vec<Vec3>>) -> Result<Vec<Vec3>, Error> {
    let fixed = &options.fixed;
    let mut u = if let Some(u) = start {
        rotated(&u, fixed)?
    } else {
        let mut places = vec![None; p.len()];
        for fixed in fixed {
            places[fixed.item] = Some(unit(&fixed.direction));
        }
        init::directions_between(p.matrix(), places, options.seed)
    };
    for fixed in fixed {
        u[fixed.item] = unit(&fixed.direction);
    }
    Ok(u)
}

/// The points after the rotation that brings the fixed ones as near as possible to their directions.
fn rotated(u: &[Vec3], fixed: &[Fixed]) -> Result<Vec<Vec3>, Error> {
    let wanted = Array2::from_shape_fn((fixed.len(), 3), |(i, k)| fixed[i].direction[k]);
    let found = Array2::from_shape_fn((fixed.len(), 3), |(i, k)| u[fixed[i].item][k]);
    let alignment = align(wanted.view(), found.view())?;
    Ok(u.iter().map(|u| alignment.rotation.map(|row| dot(&row, u))).collect())
}

/// At the end of a run: turns a map with a single fixed item, and gives fixed items their directions to the last bit.
pub(super) fn finish(u: &mut Vec<Vec3>, fixed: &[Fixed]) -> Result<(), Error> {
    if fixed.len() == 1 {
        *u = rotated(u, fixed)?;
    }
    for fixed in fixed {
        u[fixed.item] = unit(&fixed.direction);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Kernel,
        init::Init,
        observe::Silent,
        optimize::{Optimizer, Radius, embed},
        sparse::CsrMatrix,
    };

    /// The distance between a place and a direction on the unit sphere.
    fn angle(coordinates: &Array2<f64>, item: usize, direction: &Vec3) -> f64 {
        let u = unit(&std::array::from_fn(|k| coordinates[[item, k]]));
        norm(&std::array::from_fn(|k| u[k] - unit(direction)[k]))
    }

    /// Points that are spread evenly over the sphere (a Fibonacci lattice).
    fn lattice(n: usize) -> Vec<Vec3> {
        let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
        let point = |i: usize| {
            let z = 1.0 - (2.0 * i as f64 + 1.0) / n as f64;
            let (ring, angle) = ((1.0 - z * z).sqrt(), golden * i as f64);
            [ring * angle.cos(), ring * angle.sin(), z]
        };
        (0..n).map(point).collect()
    }

    /// Items of the lattice are similar if they are close.
    fn of_lattice(points: &[Vec3]) -> Affinities {
        let near = 4.5 / (points.len() as f64).sqrt();
        let distance = |i: usize, j: usize| norm(&std::array::from_fn(|k| points[i][k] - points[j][k]));
        let n = points.len();
        let pairs: Vec<(u32, u32, f64)> = (0..n)
            .flat_map(|i| (0..n).filter(move |&j| j != i).map(move |j| (i, j)))
            .filter(|&(i, j)| distance(i, j) < near)
            .map(|(i, j)| (i as u32, j as u32, 1.0))
            .collect();
        Affinities::from_matrix(&CsrMatrix::from_triplets((n, n), &pairs).unwrap()).unwrap()
    }

    /// Items that are far from each other, at their places.
    fn some_fixed(points: &[Vec3]) -> Vec<Fixed> {
        let of = |item: usize| Fixed { item, direction: points[item].map(|v| 7.0 * v) };
        (0..8).map(|k| of((2 * k + 1) * points.len() / 16)).collect()
    }

    #[test]
    fn fixed_items_end_at_their_directions_and_the_others_around_them() {
        for (n, optimizer) in [(150, Optimizer::Auto), (150, Optimizer::Both), (1100, Optimizer::Auto)] {
            let points = lattice(n);
            let p = of_lattice(&points);
            // From a random start, a large map has folds, with or without fixed items.
            let starts = [Init::Auto, Init::Spectral, Init::Random];
            for init in &starts[..if n > 1000 { 2 } else { 3 }] {
                let fixed = some_fixed(&points);
                let options =
                    EmbedOptions { fixed: fixed.clone(), optimizer, init: init.clone(), ..EmbedOptions::default() };
                let map = embed(&p, &options, &mut Silent).unwrap();
                let mut near = Vec::new();
                for Fixed { item, direction } in fixed {
                    assert!(angle(&map.coordinates, item, &direction) < 1e-12, "{item}");
                    let row = map.coordinates.row(item);
                    assert!((row.dot(&row).sqrt() / map.radius.unwrap() - 1.0).abs() < 1e-12);
                    let neighbors = p.matrix().row(item).columns();
                    near.extend(neighbors.iter().map(|&j| angle(&map.coordinates, j as usize, &direction)));
                }
                // Neighbours of fixed items are near: random items would be a right angle away.
                near.sort_by(f64::total_cmp);
                assert!(near[near.len() / 2] < 0.45, "{n} {optimizer} {init:?}: {near:?}");
                let mut errors: Vec<f64> = (0..n).map(|i| angle(&map.coordinates, i, &points[i])).collect();
                errors.sort_by(f64::total_cmp);
                // A random map would be a right angle away, by the median.
                assert!(errors[n / 2] < 0.35, "{n} {optimizer} {init:?}: {}", errors[n / 2]);
            }
        }
    }

    #[test]
    fn one_fixed_item_only_turns_the_map() {
        let p = of_lattice(&lattice(80));
        let free = EmbedOptions { radius: Radius::Free, ..EmbedOptions::default() };
        let fixed = vec![Fixed { item: 5, direction: [0.0, -3.0, 0.0] }];
        let turned = embed(&p, &EmbedOptions { fixed, ..free.clone() }, &mut Silent).unwrap();
        let free = embed(&p, &free, &mut Silent).unwrap();
        assert!(angle(&turned.coordinates, 5, &[0.0, -1.0, 0.0]) < 1e-12);
        assert_eq!((turned.kl, turned.radius), (free.kl, free.radius));
        let alignment = align(free.coordinates.view(), turned.coordinates.view()).unwrap();
        assert!(alignment.moved.iter().all(|degrees| *degrees < 1e-5));
    }

    #[test]
    fn all_items_may_be_fixed_and_the_radius_is_still_found() {
        let p = of_lattice(&lattice(60));
        let mut options = EmbedOptions { radius: Radius::Free, ..EmbedOptions::default() };
        let free = embed(&p, &options, &mut Silent).unwrap();
        options.fixed = (0..60)
            .map(|item| Fixed { item, direction: std::array::from_fn(|k| free.coordinates[[item, k]]) })
            .collect();
        let again = embed(&p, &options, &mut Silent).unwrap();
        let radii = (again.radius.unwrap(), free.radius.unwrap());
        assert!((radii.0 / radii.1 - 1.0).abs() < 0.02, "{radii:?}");
        assert!((again.kl - free.kl).abs() < 1e-3, "{} {}", again.kl, free.kl);
    }

    #[test]
    fn the_gradient_of_fixed_points_is_zero_and_that_of_others_is_not_changed() {
        let pins = Pins { is_fixed: vec![false, true, false] }.reordered(&[1, 2, 0]);
        let mut v = vec![[1.0, 2.0, 3.0]; 3];
        pins.project(&Share::alone(3), &[[1.0, 0.0, 0.0]; 3], &mut v);
        assert_eq!(v, [[0.0; 3], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]);
    }

    #[test]
    fn what_cannot_be_fixed_is_refused() {
        let points = lattice(16);
        let p = of_lattice(&points);
        let good = Fixed { item: 1, direction: [1.0, 0.0, 0.0] };
        let refuse = |fixed: Vec<Fixed>, options: EmbedOptions, part: &str| {
            let error = embed(&p, &EmbedOptions { fixed, ..options }, &mut Silent).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
        };
        let sphere = EmbedOptions::default;
        refuse(vec![Fixed { item: 16, ..good }], sphere(), "no such row");
        refuse(vec![Fixed { direction: [0.0; 3], ..good }], sphere(), "not zero");
        refuse(vec![Fixed { direction: [f64::NAN, 1.0, 0.0], ..good }], sphere(), "finite");
        refuse(vec![good, good], sphere(), "two directions");
        refuse(vec![good], EmbedOptions { space: Space::Plane, ..sphere() }, "on a sphere");
        refuse(vec![good], EmbedOptions { optimizer: Optimizer::Paper, ..sphere() }, "moves all items");
        let gaussian = EmbedOptions { kernel: Kernel::Gaussian, fixed: some_fixed(&points), ..sphere() };
        assert!(embed(&p, &gaussian, &mut Silent).is_ok());
    }
}
