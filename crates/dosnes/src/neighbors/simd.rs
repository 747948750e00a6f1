//! The one place that chooses instructions at run time.

/// Work that is compiled once for every machine and once for those with 256-bit vectors and fused multiply-add.
///
/// Everything that `run` calls in its loops must be `#[inline(always)]`: what is not inlined is not compiled again.
/// Results must not depend on the choice, unless they are rounded by the caller's own bounds.
pub(super) trait Work {
    type Output;

    /// `FUSED`: whether a fused multiply-add is an instruction here and not a slow function.
    fn run<const FUSED: bool>(self) -> Self::Output;
}

/// Does the work with the best instructions that this machine has.
#[inline]
pub(super) fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        #[allow(unsafe_code, reason = "the one way to use instructions that were just found to be there")]
        // SAFETY: the two features that the function is compiled for were detected.
        return unsafe { with_avx2(work) };
    }
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) { work.run::<true>() } else { work.run::<false>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn with_avx2<W: Work>(work: W) -> W::Output {
    work.run::<true>()
}
