//! Vectors of three coordinates.

pub(crate) type Vec3 = [f64; 3];

#[inline]
pub(crate) fn dot(a: &Vec3, b: &Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
pub(crate) fn norm(a: &Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// a + s b.
#[inline]
pub(crate) fn add_scaled(a: &Vec3, s: f64, b: &Vec3) -> Vec3 {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// The direction of `a`; a fixed direction for the zero vector, which has none.
#[inline]
pub(crate) fn unit(a: &Vec3) -> Vec3 {
    let length = norm(a);
    if length > 0.0 { a.map(|v| v / length) } else { [0.0, 0.0, 1.0] }
}

/// The part of `v` that is tangential to the unit sphere at `u`.
#[inline]
pub(crate) fn tangential(v: &Vec3, u: &Vec3) -> Vec3 {
    add_scaled(v, -dot(v, u), u)
}
