//! Terms that items have or do not have: values of class columns, words of texts, partners.

use super::words;
use crate::{
    input::{Column, Values},
    sparse::CsrMatrix,
};
use std::collections::HashMap;

/// The terms of each item.
#[derive(Debug, Default)]
pub(super) struct Terms {
    pub(super) names: Vec<String>,
    starts: Vec<usize>,
    /// All of them; item i has those from `starts[i]` to `starts[i + 1]`.
    of_items: Vec<u32>,
}

/// A term of a cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Typical {
    pub(super) term: u32,
    /// The share of the cluster's items that have the term.
    pub(super) share: f64,
    /// How many times the usual share this is: the geometric mean of the shares in the whole and around the cluster.
    pub(super) lift: f64,
    /// How well the term tells the cluster's items from all others: the mean F½ of the share of the cluster that has the term,
    /// and of the share of the term's items that are in the cluster. In a name the second one is worth more: "rugby" says
    /// where one is, although fewer texts have it than "team".
    pub(super) score: f64,
}

/// A class column has at most so many different values, and each is shared by so many items on the average.
const MOST_CLASSES: usize = 1000;
const ITEMS_PER_CLASS: usize = 4;
/// Terms of fewer items of a cluster than this are left out, and terms that so few standard deviations could explain.
const FEWEST_ITEMS: usize = 3;
const DEVIATIONS: f64 = 3.0;
/// Two terms say the same if more than this share of the items that have the rarer one have both.
const TOGETHER: f64 = 0.9;
/// The weight of the share of the cluster, relative to the share of the term: β² of the measure F½.
const RECALL: f64 = 0.25;

impl Terms {
    /// The distinct terms of each item.
    fn from_lists<T: AsRef<str>>(items: impl Iterator<Item = Vec<T>>) -> Self {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut result = Self { starts: vec![0], ..Self::default() };
        let mut of_item: Vec<u32> = Vec::new();
        for list in items {
            of_item.clear();
            for term in &list {
                let term = term.as_ref();
                let next = numbers.len() as u32;
                let number = *numbers.entry(term.to_owned()).or_insert(next);
                if number == next {
                    result.names.push(term.to_owned());
                }
                of_item.push(number);
            }
            of_item.sort_unstable();
            of_item.dedup();
            result.of_items.extend(&of_item);
            result.starts.push(result.of_items.len());
        }
        result
    }

    /// The values of a column that divides the items into classes; in lists such as "Drama, Crime", each part. `None` if
    /// it does not.
    pub(super) fn of_classes(column: &Column) -> Option<Self> {
        let terms = match &column.values {
            Values::Text(texts) => {
                let is_number = |text: &String| text.is_empty() || text.parse::<f64>().is_ok();
                if texts.iter().all(is_number) {
                    let named =
                        |text: &String| if text.is_empty() { vec![] } else { vec![format!("{} {text}", column.name)] };
                    return Self::from_lists(texts.iter().map(named)).if_classes();
                }
                let whole =
                    Self::from_lists(texts.iter().map(|text| if text.is_empty() { vec![] } else { vec![text] }));
                if whole.names.len() * ITEMS_PER_CLASS <= texts.len() && whole.names.len() <= 60 {
                    whole
                } else {
                    let parts = |text: &String| {
                        let parts = text.split([',', ';', '|']).map(str::trim).filter(|part| !part.is_empty());
                        parts.map(str::to_owned).collect::<Vec<_>>()
                    };
                    Self::from_lists(texts.iter().map(parts))
                }
            }
            Values::Number(numbers) => {
                let is_class = |v: &f64| v.is_nan() || (v.fract() == 0.0 && (0.0..100.0).contains(v));
                if !numbers.iter().all(is_class) {
                    return None;
                }
                let named = |v: &f64| if v.is_nan() { vec![] } else { vec![format!("{} {v}", column.name)] };
                Self::from_lists(numbers.iter().map(named))
            }
        };
        terms.if_classes()
    }

    /// Itself, if its terms divide the items into classes.
    fn if_classes(self) -> Option<Self> {
        let items = self.starts.len() - 1;
        let several = (2..=MOST_CLASSES).contains(&self.names.len());
        (several && self.names.len() * ITEMS_PER_CLASS <= items).then_some(self)
    }

    /// Whether its terms are only numbers, after the name of their column.
    pub(super) fn is_numbered(&self) -> bool {
        self.names.iter().all(|name| name.rsplit(' ').next().is_some_and(|end| end.parse::<f64>().is_ok()))
    }

    /// The words of texts, as long as they are not the same everywhere.
    pub(super) fn of_words(texts: &[String]) -> Self {
        Self::from_lists(texts.iter().map(|text| words::words(text).collect()))
    }

    /// The partners of dyadic data.
    pub(super) fn of_partners(incidence: &CsrMatrix<'_>, rows: &[usize], names: &[String]) -> Self {
        let mut result = Self { names: names.to_vec(), starts: vec![0], of_items: Vec::new() };
        for &row in rows {
            if let Some(row) = incidence.get_row(row) {
                result.of_items.extend(row.iter().filter(|&(_, weight)| weight > 0.0).map(|(column, _)| column as u32));
            }
            result.starts.push(result.of_items.len());
        }
        result
    }

    /// Terms of a cluster with these items, best first, without those that nearly always occur there together with a better one,
    /// or nearly only where it does.
    pub(super) fn apart(&self, typical: &[Typical], members: &[usize]) -> Vec<Typical> {
        let place: HashMap<u32, usize> =
            typical.iter().enumerate().map(|(place, typical)| (typical.term, place)).collect();
        let mut together = vec![vec![0_usize; typical.len()]; typical.len()];
        for &item in members {
            let own: Vec<usize> = self.row(item).iter().filter_map(|term| place.get(term).copied()).collect();
            for &a in &own {
                for &b in &own {
                    together[a][b] += 1;
                }
            }
        }
        let mut kept: Vec<usize> = Vec::new();
        for b in 0..typical.len() {
            let same = |&a: &usize| {
                let fewer = together[a][a].min(together[b][b]);
                together[a][b] as f64 > TOGETHER * fewer as f64
            };
            if !kept.iter().any(same) {
                kept.push(b);
            }
        }
        kept.into_iter().map(|place| typical[place]).collect()
    }

    fn row(&self, item: usize) -> &[u32] {
        &self.of_items[self.starts[item]..self.starts[item + 1]]
    }

    /// The typical terms of each of `count` clusters, best first. `around` is the cluster of the level above that contains
    /// each one.
    pub(super) fn typical(&self, clusters: &[u32], around: &[u32], count: usize) -> Vec<Vec<Typical>> {
        let everywhere = counts(clusters.len(), |_| 0, 1, self);
        let wider = around.iter().max().map_or(0, |&last| last as usize + 1);
        // The cluster of the level above, of each item.
        let in_wider = counts(clusters.len(), |i| around[clusters[i] as usize], wider, self);
        let in_cluster = counts(clusters.len(), |i| clusters[i], count, self);
        let n = clusters.len() as f64;
        let total = |term: u32| everywhere.of[0].get(&term).copied().unwrap_or(0) as f64 / n;
        (0..count)
            .map(|cluster| {
                let size = in_cluster.sizes[cluster] as f64;
                let outer = around[cluster] as usize;
                let mut typical: Vec<Typical> = in_cluster.of[cluster]
                    .iter()
                    .filter(|&(_, &found)| found >= FEWEST_ITEMS)
                    .filter_map(|(&term, &found)| {
                        let nearby = in_wider.of[outer].get(&term).copied().unwrap_or(0) as f64;
                        let wider = nearby / in_wider.sizes[outer] as f64;
                        let share = found as f64 / size;
                        let usual = (total(term) * wider).sqrt();
                        let expected = size * total(term);
                        let spread = (expected * (1.0 - total(term))).max(f64::MIN_POSITIVE).sqrt();
                        let real = found as f64 - expected > DEVIATIONS * spread;
                        let more = share > wider && share > total(term);
                        let score = (1.0 + RECALL) * found as f64 / (RECALL * size + n * total(term));
                        (real && more).then(|| Typical { term, share, lift: share / usual, score })
                    })
                    .collect();
                typical.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.term.cmp(&b.term)));
                typical
            })
            .collect()
    }
}

/// How many items of each group have each term.
struct Counts {
    sizes: Vec<usize>,
    of: Vec<HashMap<u32, usize>>,
}

fn counts(items: usize, group: impl Fn(usize) -> u32, groups: usize, terms: &Terms) -> Counts {
    let mut result = Counts { sizes: vec![0; groups], of: vec![HashMap::new(); groups] };
    for item in 0..items {
        let group = group(item) as usize;
        result.sizes[group] += 1;
        for &term in terms.row(item) {
            *result.of[group].entry(term).or_default() += 1;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_typical_term_is_frequent_inside_and_rare_outside() {
        let genres = ["War, Drama", "War, Drama", "War", "War, Drama", "Drama", "Drama", "Drama", "Comedy, Drama"];
        let texts: Vec<String> = genres.iter().cycle().take(64).map(|text| (*text).to_owned()).collect();
        let column = Column { name: "genres".into(), values: Values::Text(texts) };
        let terms = Terms::of_classes(&column).unwrap();
        let clusters: Vec<u32> = (0..64).map(|i| u32::from(i % 8 >= 4)).collect();
        let typical = terms.typical(&clusters, &[0, 0], 2);
        // The whole values are few, so they are the classes.
        assert_eq!(terms.names[typical[0][0].term as usize], "War, Drama");
        assert_eq!(terms.names[typical[1][0].term as usize], "Drama");
    }

    /// In a cluster of sport, all texts say "game", which many others say, too; "squad" is said by nearly as many, and elsewhere by
    /// hardly any.
    #[test]
    fn a_term_that_belongs_to_the_cluster_is_better_than_one_that_is_frequent_everywhere() {
        let text = |i: usize| match i {
            0..=29 => "game squad",
            30..=39 => "game",
            40..=139 => "game firm",
            _ => "firm",
        };
        let texts: Vec<String> = (0..400).map(|i| text(i).to_owned()).collect();
        let terms = Terms::of_words(&texts);
        let clusters: Vec<u32> = (0..400).map(|i| u32::from(i >= 40)).collect();
        let typical = &terms.typical(&clusters, &[0, 0], 2)[0];
        let found: Vec<(&str, f64)> = typical.iter().map(|t| (&terms.names[t.term as usize][..], t.score)).collect();
        assert_eq!(found, [("squad", 37.5 / 40.0), ("game", 50.0 / 150.0)]);
    }

    #[test]
    fn years_and_measurements_are_no_classes() {
        let numbers =
            |of: fn(usize) -> f64| Column { name: "n".into(), values: Values::Number((0..400).map(of).collect()) };
        assert!(Terms::of_classes(&numbers(|i| 1900.0 + (i % 50) as f64)).is_none());
        assert!(Terms::of_classes(&numbers(|i| i as f64 / 7.0)).is_none());
        assert_eq!(Terms::of_classes(&numbers(|i| (i % 3) as f64)).unwrap().names, ["n 0", "n 1", "n 2"]);
    }
}
