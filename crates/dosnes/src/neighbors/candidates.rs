//! The running selection of candidates for the k nearest.

/// The candidates for the k nearest neighbours of one item, where each candidate has a lower and an upper bound of its
/// distance (or of any increasing function of it).
///
/// A candidate is discarded only if its lower bound exceeds the upper bounds of k others. The true k nearest, with all
/// their ties, are therefore always among those that remain.
pub(super) struct Candidates {
    k: usize,
    capacity: usize,
    kept: Vec<Candidate>,
    /// A candidate with a lower bound above this cannot be among the k nearest.
    pub(super) threshold: f32,
    uppers: Vec<f32>,
}

struct Candidate {
    lower: f32,
    upper: f32,
    index: u32,
}

impl Candidates {
    pub(super) fn new(k: usize) -> Self {
        let mut candidates = Self { k, capacity: 0, kept: Vec::new(), threshold: 0.0, uppers: Vec::new() };
        candidates.clear();
        candidates
    }

    pub(super) fn clear(&mut self) {
        self.kept.clear();
        // Discarding pays off when about as many candidates were added as will be kept.
        self.capacity = 2 * self.k + 32;
        self.threshold = f32::INFINITY;
    }

    /// Adds a candidate whose lower bound does not exceed the threshold.
    #[inline]
    pub(super) fn push(&mut self, lower: f32, upper: f32, index: u32) {
        self.kept.push(Candidate { lower, upper, index });
        if self.kept.len() >= self.capacity {
            self.sort_out();
            // Many near-ties: avoid scanning them again and again.
            self.capacity = self.capacity.max(2 * self.kept.len());
        }
    }

    /// Discards candidates that cannot be among the k nearest.
    #[inline(never)]
    pub(super) fn sort_out(&mut self) {
        if self.kept.len() >= self.k {
            self.uppers.clear();
            self.uppers.extend(self.kept.iter().map(|candidate| candidate.upper));
            let (_, &mut kth, _) = self.uppers.select_nth_unstable_by(self.k - 1, f32::total_cmp);
            self.threshold = self.threshold.min(kth);
            let threshold = self.threshold;
            self.kept.retain(|candidate| candidate.lower <= threshold);
        }
    }

    /// The indices of all remaining candidates.
    pub(super) fn remaining(&self) -> impl Iterator<Item = u32> + '_ {
        self.kept.iter().map(|candidate| candidate.index)
    }
}
