//! Projections of the sphere, with the same formulas as the page (`viewer/src/geometry/projection.ts`).

use std::f64::consts::{FRAC_PI_2, PI, SQRT_2};

use super::Viewpoint;

/// The projection of the sphere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Projection {
    /// The globe from a large distance (orthographic), one side at a time.
    Globe,
    /// The globe from a short distance, one side at a time.
    Perspective,
    /// The whole sphere around one point, with true areas (Lambert azimuthal).
    FishEye,
    /// An equal-area world map (Šavrič, Patterson, Jenny 2018).
    EqualEarth,
    /// The equal-area ellipse.
    Mollweide,
    /// Longitude and latitude as coordinates: a texture for spherical displays.
    Equirectangular,
}

dosnes::named!(Projection, "projection", {
    Globe => ("globe", "the globe from two opposite sides"),
    Perspective => ("perspective", "the globe from a short distance; a strip between the two sides is hidden"),
    FishEye => ("fish-eye", "the whole sphere around one point, with true areas"),
    EqualEarth => ("equal-earth", "an equal-area world map"),
    Mollweide => ("mollweide", "the equal-area ellipse"),
    Equirectangular => ("equirectangular", "longitude and latitude as coordinates: a texture for spherical displays"),
});

/// Distance of the eye from the centre of the perspective globe, in radii.
const EYE: f64 = 3.0;

const A: [f64; 4] = [1.340264, -0.081106, 0.000893, 0.003796];

/// A direction in the coordinates of a view: x to the right, y up, z towards the viewer.
pub(super) type Direction = [f64; 3];

/// Rotates a direction of the data (z north, x at longitude 0) to the coordinates of a view with the centre `middle`.
pub(super) fn turned(v: [f64; 3], middle: Viewpoint) -> Direction {
    let norm = v.iter().map(|c| c * c).sum::<f64>().sqrt();
    rotated(v.map(|c| c / norm), middle)
}

/// The same for a point at any distance.
pub(super) fn rotated([x, y, z]: [f64; 3], middle: Viewpoint) -> [f64; 3] {
    let (sin_l, cos_l) = middle.longitude.to_radians().sin_cos();
    let (sin_p, cos_p) = middle.latitude.to_radians().sin_cos();
    let (east, towards) = (cos_l * y - sin_l * x, cos_l * x + sin_l * y);
    [east, cos_p * z - sin_p * towards, sin_p * z + cos_p * towards]
}

impl Projection {
    /// Half of the width and height of the map, in units of the projection.
    pub(super) fn half(self) -> (f64, f64) {
        match self {
            Self::Globe | Self::Perspective => (1.0, 1.0),
            Self::FishEye => (2.0, 2.0),
            Self::EqualEarth => (PI * 2.0 / (3_f64.sqrt() * A[0]), equal_earth_height((3_f64.sqrt() / 2.0).asin())),
            Self::Mollweide => (2.0 * SQRT_2, SQRT_2),
            Self::Equirectangular => (PI, FRAC_PI_2),
        }
    }

    /// The position in the figure, y up, and the side (> 0: near; ≤ 0: hidden).
    pub(super) fn forward(self, [x, y, z]: Direction) -> (f64, f64, f64) {
        let longitude = x.atan2(z);
        match self {
            Self::Globe => (x, y, z),
            Self::Perspective => {
                // Scaled so that the limb, where z = 1/eye, has radius 1.
                let k = ((EYE + 1.0) / (EYE - 1.0)).sqrt() * (EYE - 1.0) / (EYE - z);
                (k * x, k * y, (z - 1.0 / EYE) / (1.0 - 1.0 / EYE))
            }
            Self::FishEye => {
                let across = x.hypot(y);
                if across == 0.0 {
                    return if z > 0.0 { (0.0, 0.0, 1.0) } else { (2.0, 0.0, 1.0) };
                }
                // Near the antipode 1 + z cancels; x² + y² = (1 − z)(1 + z) does not.
                let k = if z > 0.0 { (2.0 / (1.0 + z)).sqrt() } else { (2.0 * (1.0 - z)).sqrt() / across };
                (k * x, k * y, 1.0)
            }
            Self::EqualEarth => {
                let m = 3_f64.sqrt() / 2.0;
                let t = (m * y.clamp(-1.0, 1.0)).asin();
                let t2 = t * t;
                let slope = A[0] + 3.0 * A[1] * t2 + t2.powi(3) * (7.0 * A[2] + 9.0 * A[3] * t2);
                (longitude * t.cos() / (m * slope), equal_earth_height(t), 1.0)
            }
            Self::Mollweide => {
                let half = mollweide_cap(PI * (x * x + z * z) / (1.0 + y.abs())) / 2.0;
                (2.0 * SQRT_2 / PI * longitude * half.sin(), y.signum() * SQRT_2 * half.cos(), 1.0)
            }
            Self::Equirectangular => (longitude, y.clamp(-1.0, 1.0).asin(), 1.0),
        }
    }

    /// Whether the map is cut along the meridian opposite to its centre.
    pub(super) fn is_cut(self) -> bool {
        matches!(self, Self::EqualEarth | Self::Mollweide | Self::Equirectangular)
    }

    /// The outline of the map, y up.
    pub(super) fn outline(self) -> Vec<(f64, f64)> {
        const STEPS: usize = 90;
        if !self.is_cut() {
            let (half, _) = self.half();
            return (0..2 * STEPS)
                .map(|k| (PI * k as f64 / STEPS as f64).sin_cos())
                .map(|(s, c)| (half * c, half * s))
                .collect();
        }
        let side = |east: f64, k: usize| {
            let latitude = east * (PI * k as f64 / STEPS as f64 - FRAC_PI_2);
            let longitude = east * (PI - 1e-9);
            let (x, y, _) =
                self.forward([latitude.cos() * longitude.sin(), latitude.sin(), latitude.cos() * longitude.cos()]);
            (x, y)
        };
        (0..=STEPS).map(|k| side(1.0, k)).chain((0..=STEPS).map(|k| side(-1.0, k))).collect()
    }
}

fn equal_earth_height(t: f64) -> f64 {
    let t2 = t * t;
    t * (A[0] + A[1] * t2 + t2.powi(3) * (A[2] + A[3] * t2))
}

/// Solves e − sin e = s for 0 ≤ s ≤ π: the equation of Mollweide in a form without cancellation at the poles.
fn mollweide_cap(s: f64) -> f64 {
    let mut e = (6.0 * s).cbrt();
    if e < 0.05 {
        return e * (1.0 + e * e / 60.0);
    }
    for _ in 0..4 {
        e -= (e - e.sin() - s) / (1.0 - e.cos());
    }
    e
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_middle_is_in_the_middle_and_north_is_up() {
        for (longitude, latitude) in [(0.0, 0.0), (90.0, 0.0), (-30.0, 60.0), (180.0, -45.0)] {
            let (l, p) = (f64::to_radians(longitude), f64::to_radians(latitude));
            let middle = Viewpoint { longitude, latitude };
            let v = turned([p.cos() * l.cos(), p.cos() * l.sin(), p.sin()], middle);
            assert!((v[2] - 1.0).abs() < 1e-12, "{v:?}");
            let north = turned([0.0, 0.0, 1.0], middle);
            assert!(north[0].abs() < 1e-12 && north[1] >= 0.0, "{north:?}");
        }
    }

    /// From a distance of three radii, a third of the sphere is visible, and its border is the outline of the map.
    #[test]
    fn the_limb_of_the_perspective_globe_is_its_outline() {
        let z: f64 = 1.0 / 3.0;
        let (x, y, near) = Projection::Perspective.forward([0.0, (1.0 - z * z).sqrt(), z]);
        assert!(x == 0.0 && (y - 1.0).abs() < 1e-12 && near.abs() < 1e-12, "{x} {y} {near}");
        assert!(Projection::Perspective.forward([0.0, 0.0, 1.0]).2 > 0.99);
    }

    proptest! {
        /// A small square has the same area on the sphere and on the map, up to an error of its size.
        #[test]
        fn equal_area_projections_keep_areas(longitude in -3.0..3.0_f64, latitude in -1.4..1.4_f64) {
            let direction = |l: f64, p: f64| [p.cos() * l.sin(), p.sin(), p.cos() * l.cos()];
            let h = 1e-5;
            for projection in [Projection::FishEye, Projection::EqualEarth, Projection::Mollweide] {
                let at = |l, p| projection.forward(direction(l, p));
                let (a, b, c) = (at(longitude, latitude), at(longitude + h, latitude), at(longitude, latitude + h));
                let area = ((b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)).abs();
                prop_assert!((area / (h * h * latitude.cos()) - 1.0).abs() < 1e-2, "{projection:?}: {area}");
            }
        }

        #[test]
        fn everything_lies_within_the_outline(x in -1.0..1.0_f64, y in -1.0..1.0_f64, z in -1.0..1.0_f64) {
            prop_assume!(x * x + y * y + z * z > 1e-6);
            let v = turned([x, y, z], Viewpoint { longitude: 20.0, latitude: 10.0 });
            for projection in [Projection::Globe, Projection::Perspective, Projection::FishEye, Projection::EqualEarth, Projection::Mollweide, Projection::Equirectangular] {
                let (px, py, near) = projection.forward(v);
                let (w, h) = projection.half();
                prop_assert!(near <= 0.0 || (px.abs() <= w + 1e-9 && py.abs() <= h + 1e-9), "{projection:?}: {px}, {py}");
            }
        }
    }
}
