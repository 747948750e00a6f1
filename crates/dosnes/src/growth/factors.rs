//! Factors of new items, which make their total similarities equal to those of the items of the map.

/// Rounds in which they are found.
pub(super) const ROUNDS: usize = 60;

/// The logarithm with which a new item starts: the middle one of the map's.
pub(super) fn typical(log_scale: &[f32]) -> f32 {
    let mut sorted = log_scale.to_vec();
    sorted.sort_by(f32::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// A step from the logarithm of a factor to the one that makes the total 1, half of it at once since its partners change as well.
/// The total is that without the factor itself.
pub(super) fn half_step(now: f32, total: f64) -> f32 {
    (0.5 * f64::from(now) - 0.5 * total.max(f64::MIN_POSITIVE).ln()) as f32
}
