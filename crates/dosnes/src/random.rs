//! A hash that looks random and never changes: choices that must not depend on the order of a file, on the seed, or on a
//! version of a library.

/// The step of the generator SplitMix64.
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A hash of `x`: a step of SplitMix64 (Steele, Lea and Flood 2014).
pub(crate) fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(GOLDEN);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
