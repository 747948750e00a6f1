//! The running selection of what may be among the k nearest.

/// What may still be among the k nearest of one item, given for every candidate a lower and an upper bound of its
/// distance (or of any increasing function of it).
///
/// A candidate is thrown away only when its lower bound exceeds k others' upper bounds, so the true k nearest, with all
/// their ties, are always among those that remain.
pub(super) struct Candidates {
    k: usize,
    capacity: usize,
    /// (lower bound, index).
    kept: Vec<(f32, u32)>,
    /// Nothing with a lower bound above this can be among the k nearest.
    pub(super) threshold: f32,
    uppers: Vec<f32>,
}

impl Candidates {
    pub(super) fn new(k: usize) -> Self {
        let mut candidates = Self { k, capacity: 0, kept: Vec::new(), threshold: 0.0, uppers: Vec::new() };
        candidates.clear();
        candidates
    }

    pub(super) fn clear(&mut self) {
        self.kept.clear();
        // Sorting out pays when about as many came in as will stay.
        self.capacity = 2 * self.k + 32;
        self.threshold = f32::INFINITY;
    }

    /// Takes in a candidate whose lower bound does not exceed the threshold. `upper` finds the upper bound of any pair
    /// of (lower bound, index) that was ever pushed.
    #[inline]
    pub(super) fn push(&mut self, lower: f32, index: u32, upper: impl Fn(f32, u32) -> f32) {
        self.kept.push((lower, index));
        if self.kept.len() >= self.capacity {
            self.sort_out(upper);
            // Many near-ties: do not look through them again and again.
            self.capacity = self.capacity.max(2 * self.kept.len());
        }
    }

    /// Throws away what cannot be among the k nearest.
    #[inline(never)]
    pub(super) fn sort_out(&mut self, upper: impl Fn(f32, u32) -> f32) {
        if self.kept.len() > self.k {
            self.uppers.clear();
            self.uppers.extend(self.kept.iter().map(|&(lower, index)| upper(lower, index)));
            let (_, &mut kth, _) = self.uppers.select_nth_unstable_by(self.k - 1, f32::total_cmp);
            self.threshold = self.threshold.min(kth);
            let threshold = self.threshold;
            self.kept.retain(|&(lower, _)| lower <= threshold);
        }
    }

    /// The indices of all that may be among the k nearest.
    pub(super) fn remaining(&self) -> impl Iterator<Item = u32> + '_ {
        self.kept.iter().map(|&(_, index)| index)
    }
}
