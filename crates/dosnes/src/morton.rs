//! Morton codes interleave the bits of the coordinates: items that are close in space are then close in the order.

/// The lowest 63/D bits of `v`, D places apart.
pub(crate) fn spread<const D: usize>(v: u64) -> u64 {
    // Each step halves the groups of neighbouring bits: (shift, mask of the bits that are kept).
    let steps: &[(u32, u64)] = if D == 2 {
        &[
            (16, 0x0000_ffff_0000_ffff),
            (8, 0x00ff_00ff_00ff_00ff),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ]
    } else {
        &[
            (32, 0x001f_0000_0000_ffff),
            (16, 0x001f_0000_ff00_00ff),
            (8, 0x100f_00f0_0f00_f00f),
            (4, 0x10c3_0c30_c30c_30c3),
            (2, 0x1249_2492_4924_9249),
        ]
    };
    steps.iter().fold(v, |v, &(shift, mask)| (v | v << shift) & mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_spread_apart() {
        for bit in 0..31 {
            assert_eq!(spread::<2>(1 << bit), 1 << (2 * bit));
        }
        for bit in 0..21 {
            assert_eq!(spread::<3>(1 << bit), 1 << (3 * bit));
        }
        assert_eq!(spread::<3>(0b1011), 0b001_000_001_001);
    }
}
