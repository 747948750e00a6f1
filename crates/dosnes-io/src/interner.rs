//! Maps names to numbers.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Gives each distinct text a number, in order of first appearance. All texts are in one buffer, so a name needs its
/// own bytes and at most 40 more, even if it occurs often.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    text: String,
    ends: Vec<usize>,
    /// Open addressing with a power of two of slots, at most half full. A slot contains the upper half of the hash, which avoids
    /// most comparisons with other names, and number + 1; it is 0 if it is free.
    slots: Vec<(u32, u32)>,
}

impl Interner {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The name with this number.
    pub(crate) fn get(&self, number: u32) -> &str {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.text[start..self.ends[number]]
    }

    /// The slot of `name`, or the free slot for it, with the tag of its hash.
    fn slot(&self, name: &str) -> (usize, u32) {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let hash = hasher.finish();
        let (mut slot, tag, mask) = (hash as usize, (hash >> 32) as u32, self.slots.len() - 1);
        loop {
            slot &= mask;
            match self.slots[slot] {
                (_, 0) => return (slot, tag),
                (other, number) if other == tag && self.get(number - 1) == name => return (slot, tag),
                _ => slot += 1,
            }
        }
    }

    /// The number of a name that is already known.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(name).0].1.checked_sub(1)
    }

    /// The number of `name`, new or known, and whether it is new; `None` where there are 2³² − 1 names already.
    pub(crate) fn intern(&mut self, name: &str) -> Option<(u32, bool)> {
        if self.slots.len() < 2 * (self.len() + 1) {
            self.grow();
        }
        let (slot, tag) = self.slot(name);
        if let Some(known) = self.slots[slot].1.checked_sub(1) {
            return Some((known, false));
        }
        // A slot holds the number + 1.
        let number = u32::try_from(self.len()).ok().filter(|&number| number < u32::MAX)?;
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.slots[slot] = (tag, number + 1);
        Some((number, true))
    }

    fn grow(&mut self) {
        let size = (4 * (self.len() + 1)).next_power_of_two().max(64);
        self.slots = vec![(0, 0); size];
        for number in 0..self.len() as u32 {
            let (slot, tag) = self.slot(self.get(number));
            self.slots[slot] = (tag, number + 1);
        }
    }

    /// The names in order of their numbers.
    pub(crate) fn into_names(self) -> Vec<String> {
        (0..self.len() as u32).map(|number| self.get(number).to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_in_order_of_appearance() {
        let mut names = Interner::default();
        for k in 0..1000_u32 {
            assert_eq!(names.intern(&format!("name {k}")), Some((k, true)));
        }
        for k in 0..1000_u32 {
            assert_eq!(names.intern(&format!("name {k}")), Some((k, false)));
            assert_eq!(names.find(&format!("name {k}")), Some(k));
        }
        assert_eq!(names.find("another"), None);
        assert_eq!(names.into_names()[999], "name 999");
    }
}
