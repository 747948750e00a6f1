//! Which columns have classes.

use std::collections::HashMap;

use super::{is_among, words};

/// Names of class columns, also with numbers.
const LABELS: [&str; 20] = [
    "label",
    "labels",
    "class",
    "classes",
    "target",
    "species",
    "category",
    "cluster",
    "clusters",
    "group",
    "digit",
    "cell_type",
    "celltype",
    "type",
    "louvain",
    "leiden",
    "community",
    "partition",
    "color",
    "colour",
];

/// Words in the names of columns of classes.
const CLASS_WORDS: [&str; 10] =
    ["cluster", "clusters", "class", "louvain", "leiden", "community", "modularity", "partition", "pclass", "snn"];

/// What the names of all columns together say about each of them. Tables may have a million columns, so it is found out once.
pub(crate) struct ClassNames {
    has_x: bool,
    /// How many names consist of these words and a number at the end.
    series: HashMap<Vec<String>, usize>,
}

impl ClassNames {
    pub(crate) fn new(names: &[String]) -> Self {
        let mut series = HashMap::new();
        for stem in names.iter().filter_map(|name| numbered_stem(name)) {
            *series.entry(stem).or_default() += 1;
        }
        Self { has_x: names.iter().any(|name| name.trim().eq_ignore_ascii_case("x")), series }
    }

    /// Whether a column of numbers with this name is a class rather than a coordinate. `y` is one unless there is an `x`.
    pub(crate) fn is_label(&self, name: &str) -> bool {
        is_among(name, &LABELS) || name.trim().eq_ignore_ascii_case("y") && !self.has_x
    }

    /// Whether a word in the name of a column of integers says that they are classes. `class1`, `class2`, `class3` are a
    /// column for each class instead.
    pub(crate) fn is_class(&self, name: &str) -> bool {
        let is_numbered =
            || numbered_stem(name).is_some_and(|stem| self.series.get(&stem).is_some_and(|&count| count > 1));
        words(name).iter().any(|word| CLASS_WORDS.contains(&word.as_str())) && !is_numbered()
    }
}

/// The words before the number at the end of a name.
fn numbered_stem(name: &str) -> Option<Vec<String>> {
    let mut words = words(name);
    let last = words.pop()?;
    (!words.is_empty() && last.bytes().all(|b| b.is_ascii_digit())).then_some(words)
}

/// Whether numbers in a column with this name are what the others are to explain, such as `outcome`.
pub(crate) fn is_outcome(name: &str) -> bool {
    const OUTCOMES: [&str; 12] = [
        "outcome",
        "diagnosis",
        "survived",
        "churn",
        "quality",
        "output",
        "response",
        "y",
        "result",
        "status",
        "default",
        "disease",
    ];
    words(name).last().is_some_and(|word| OUTCOMES.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_says_that_integers_are_classes_but_a_series_is_a_column_for_each_class() {
        let alone = ClassNames::new(&[]);
        assert!(
            alone.is_class("seurat_clusters") && alone.is_class("modularity_class") && !alone.is_class("classical")
        );
        let series = ["class0", "class1", "x"].map(str::to_owned);
        assert!(!ClassNames::new(&series).is_class("class1") && ClassNames::new(&series[1..]).is_class("class1"));
    }
}
