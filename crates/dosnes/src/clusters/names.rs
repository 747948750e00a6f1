//! Names of clusters, from the data alone.

use super::{
    Clusters, measurements,
    terms::{Terms, Typical},
    words,
};
use crate::input::{Data, Items, Values};
use std::collections::{HashMap, HashSet};

/// What the items were mapped by: vocabularies, genes, partners.
#[derive(Debug, Clone, Copy)]
pub struct Features<'a> {
    /// The data.
    pub data: &'a Data<'static>,
    /// The names of their columns.
    pub names: &'a [String],
    /// The row of each item in the data.
    pub rows: &'a [usize],
}

/// A value of a class column names a cluster if at least this share of it has the value.
const CLASS_SHARE: f64 = 0.5;
/// A class is a part of a mixture if at least this share of the cluster has it, and such parts make a name if they are more than
/// this share together.
const PART_SHARE: f64 = 0.15;
const MIXED_SHARE: f64 = 0.6;
/// A word of texts and names says something about a cluster if at least this share of it has the word, and so many times the
/// usual share.
const WORD_SHARE: f64 = 0.2;
const WORD_LIFT: f64 = 3.0;
/// A further term must score at least this share of the first.
const NEARLY_AS_GOOD: f64 = 0.3;
/// So many of the best terms are looked at for a name.
const MOST_COMPARED: usize = 20;
/// Between the terms of a name; not a comma, so that names need no quotes in CSV files.
const BETWEEN: &str = " · ";
/// The words in a name beside a class.
const WORDS: usize = 3;

/// Names the clusters of every level, from what is typical of them: the value of a class column that most of them share, and
/// the terms that are enriched against the whole and against the cluster around. The terms are the columns of `features` if
/// these have names, or else the words of texts such as titles, or else the words in the items' names. Clusters without such
/// terms are named after their most central items: those with the largest weight, or without weights, where the map is
/// densest; or if items have no names, after the classes that they are a mixture of.
pub fn name_clusters(
    clusters: &Clusters,
    items: &Items,
    features: Option<Features<'_>>,
    weights: Option<&[f64]>,
) -> Vec<Vec<String>> {
    let sources = Sources::of(items, features);
    let labels = labels(items);
    let mut names: Vec<Vec<String>> = Vec::new();
    for (place, level) in clusters.levels().iter().enumerate() {
        let count = level.iter().max().map_or(0, |&last| last as usize + 1);
        let around = match place {
            0 => vec![0; count],
            _ => containing(level, &clusters.levels()[place - 1], count),
        };
        let sizes = sizes(level, count);
        let classes = sources.classes(level, count);
        let mixed = sources.mixed_classes(level, count);
        let terms = sources.terms(level, &around, count);
        // What is typical of the whole continent may be all that there is to say about its largest country.
        let wider = sources.terms(level, &vec![0; count], count);
        let central = central(level, count, weights.unwrap_or(clusters.density()));
        let of_level = (0..count).map(|cluster| {
            let outer = around[cluster] as usize;
            // A cluster that was not divided keeps its name, unless that is only its number.
            let above = place.checked_sub(1).map(|above| (&clusters.levels()[above], &names[above][outer]));
            if let Some((above, name)) = above
                && *name != numbered(outer)
                && sizes[cluster] == above.iter().filter(|&&c| c as usize == outer).count()
            {
                return name.clone();
            }
            let class = classes[cluster].as_deref();
            let terms = if terms[cluster].is_empty() { &wider[cluster] } else { &terms[cluster] };
            let words = distinct(terms, class, if class.is_some() { WORDS - 1 } else { WORDS });
            let central = central[cluster].iter().filter_map(|&item| labels.map(|labels| labels[item].clone()));
            match (class, words.is_empty()) {
                (Some(class), false) => format!("{class}: {}", words.join(BETWEEN)),
                (None, false) => words.join(BETWEEN),
                (Some(class), true) => class.to_owned(),
                (None, true) if labels.is_some() => central.take(2).collect::<Vec<_>>().join(BETWEEN),
                (None, true) if !mixed[cluster].is_empty() => mixed[cluster].join(BETWEEN),
                (None, true) => numbered(cluster),
            }
        });
        let of_level: Vec<String> = of_level.collect();
        let most_central = |cluster: usize| labels.map(|labels| labels[central[cluster][0]].as_str());
        names.push(unique(of_level, most_central));
    }
    names
}

/// The name of a cluster about which there is nothing to say.
fn numbered(cluster: usize) -> String {
    format!("cluster {cluster}")
}

/// Where terms come from.
struct Sources<'a> {
    classes: Vec<Terms>,
    words: Vec<Terms>,
    own_names: Option<Terms>,
    partners: Option<Terms>,
    measured: Option<Features<'a>>,
}

impl<'a> Sources<'a> {
    fn of(items: &Items, features: Option<Features<'a>>) -> Self {
        let named = features.filter(|features| !words::are_numbered(features.names));
        let partners = named.and_then(|features| match features.data {
            Data::Dyadic(incidence) => Some(Terms::of_partners(incidence, features.rows, features.names)),
            _ => None,
        });
        let measured = named.filter(
            |features| matches!(features.data, Data::Points(points) if points.shape().1 == features.names.len()),
        );
        let mut classes = Vec::new();
        let mut words = Vec::new();
        for column in &items.columns {
            match (Terms::of_classes(column), &column.values) {
                (Some(terms), _) => classes.push(terms),
                (None, Values::Text(texts)) => words.push(Terms::of_words(texts)),
                (None, Values::Number(_)) => {}
            }
        }
        // Numbers of classes say less than their names.
        if classes.iter().any(|terms: &Terms| !terms.is_numbered()) {
            classes.retain(|terms| !terms.is_numbered());
        }
        let own_names = are_names(&items.ids).then(|| Terms::of_words(&items.ids));
        Self { classes, words, own_names, partners, measured }
    }

    /// The class that most of each cluster has.
    fn classes(&self, level: &[u32], count: usize) -> Vec<Option<String>> {
        let mut best: Vec<Option<(f64, String)>> = vec![None; count];
        for terms in &self.classes {
            for (best, typical) in best.iter_mut().zip(terms.typical(level, &vec![0; count], count)) {
                let Some(first) = typical.iter().find(|typical| typical.share >= CLASS_SHARE) else { continue };
                if best.as_ref().is_none_or(|(score, _)| first.score > *score) {
                    *best = Some((first.score, terms.names[first.term as usize].clone()));
                }
            }
        }
        best.into_iter().map(|best| best.map(|(_, name)| name)).collect()
    }

    /// The classes that a cluster is a mixture of, if these few are most of it.
    fn mixed_classes(&self, level: &[u32], count: usize) -> Vec<Vec<String>> {
        let mut best: Vec<(f64, Vec<String>)> = vec![Default::default(); count];
        for terms in &self.classes {
            for (best, typical) in best.iter_mut().zip(terms.typical(level, &vec![0; count], count)) {
                let mut parts: Vec<&Typical> = typical.iter().filter(|typical| typical.share >= PART_SHARE).collect();
                parts.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.term.cmp(&b.term)));
                parts.truncate(WORDS);
                let together = parts.iter().map(|typical| typical.share).sum::<f64>();
                if together > best.0.max(MIXED_SHARE) {
                    *best =
                        (together, parts.iter().map(|typical| terms.names[typical.term as usize].clone()).collect());
                }
            }
        }
        best.into_iter().map(|(_, names)| names).collect()
    }

    /// The terms of each cluster with their scores, best first. Of terms that nearly always occur together, only the best.
    fn terms(&self, level: &[u32], around: &[u32], count: usize) -> Vec<Vec<(String, f64)>> {
        if let Some(features) = self.measured
            && let Data::Points(points) = features.data
        {
            let found = measurements::enriched(points, features.rows, level, around, count);
            let named = |list: Vec<(u32, f64)>| {
                list.into_iter().map(|(column, effect)| (features.names[column as usize].clone(), effect)).collect()
            };
            return found.into_iter().map(named).collect();
        }
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        level.iter().enumerate().for_each(|(item, &cluster)| members[cluster as usize].push(item));
        let scored = |terms: &Terms, (share, lift): (f64, f64)| -> Vec<Vec<(String, f64)>> {
            let typical = terms.typical(level, around, count).into_iter();
            typical
                .enumerate()
                .map(|(cluster, list)| {
                    let enough = |typical: &Typical| typical.share >= share && typical.lift >= lift;
                    let common: Vec<Typical> = list.into_iter().filter(enough).take(MOST_COMPARED).collect();
                    let apart = terms.apart(&common, &members[cluster]);
                    apart
                        .into_iter()
                        .map(|typical| (terms.names[typical.term as usize].clone(), typical.score))
                        .collect()
                })
                .collect()
        };
        if let Some(partners) = &self.partners {
            return scored(partners, (0.0, 1.0));
        }
        let mut found = vec![Vec::new(); count];
        for list in self.words.iter().chain(&self.own_names).map(|terms| scored(terms, (WORD_SHARE, WORD_LIFT))) {
            found.iter_mut().zip(list).for_each(|(all, list)| all.extend(list));
        }
        for list in &mut found {
            list.sort_by(|a: &(String, f64), b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        }
        found
    }
}

/// The best terms that differ from each other and from the class.
fn distinct<'a>(terms: &'a [(String, f64)], class: Option<&str>, most: usize) -> Vec<&'a str> {
    let mut chosen: Vec<&str> = Vec::new();
    let least = terms.first().map_or(0.0, |&(_, score)| NEARLY_AS_GOOD * score);
    for (term, score) in terms {
        if chosen.len() == most || *score < least {
            break;
        }
        let said = chosen.iter().copied().chain(class).any(|other| words::are_alike(term, other));
        if !said {
            chosen.push(term);
        }
    }
    chosen
}

/// Whether ids mean something to a reader.
fn are_names(ids: &[String]) -> bool {
    !words::are_numbered(ids) && !words::are_codes(ids)
}

/// The texts by which a reader knows the items: the ids, or if these are numbers or codes, a column of texts that are nearly all
/// different; `None` if there are only numbers.
fn labels(items: &Items) -> Option<&[String]> {
    if are_names(&items.ids) {
        return Some(&items.ids);
    }
    items.columns.iter().find_map(|column| match &column.values {
        Values::Text(texts) => {
            let different: HashSet<&String> = texts.iter().collect();
            (2 * different.len() > texts.len() && !words::are_codes(texts)).then_some(&texts[..])
        }
        Values::Number(_) => None,
    })
}

/// The cluster of the level above that contains each cluster.
fn containing(level: &[u32], above: &[u32], count: usize) -> Vec<u32> {
    let mut result = vec![0; count];
    for (&cluster, &outer) in level.iter().zip(above) {
        result[cluster as usize] = outer;
    }
    result
}

fn sizes(level: &[u32], count: usize) -> Vec<usize> {
    let mut sizes = vec![0; count];
    for &cluster in level {
        sizes[cluster as usize] += 1;
    }
    sizes
}

/// The two items of each cluster with the largest weight, ties by index.
fn central(level: &[u32], count: usize, weights: &[f64]) -> Vec<Vec<usize>> {
    let mut best: Vec<Vec<usize>> = vec![Vec::with_capacity(3); count];
    for (item, &cluster) in level.iter().enumerate() {
        let best = &mut best[cluster as usize];
        let place = best.partition_point(|&other| weights[other].total_cmp(&weights[item]).is_ge());
        best.insert(place, item);
        best.truncate(2);
    }
    best
}

/// Makes equal names different: by the most central item of each cluster, "doc: python3", and then by numbers, in order.
fn unique<'a>(names: Vec<String>, central: impl Fn(usize) -> Option<&'a str>) -> Vec<String> {
    let mut times: HashMap<String, usize> = HashMap::new();
    for name in &names {
        *times.entry(name.clone()).or_default() += 1;
    }
    let with_item = |(cluster, name): (usize, String)| match central(cluster) {
        // "perl: perl" says no more than "perl".
        Some(item) if times[&name] > 1 && !words::are_alike(&name, item) => {
            let several = name.contains(BETWEEN) || name.contains(": ");
            format!("{name}{}{item}", if several { BETWEEN } else { ": " })
        }
        _ => name,
    };
    let names: Vec<String> = names.into_iter().enumerate().map(with_item).collect();
    let mut seen = HashMap::new();
    let mut number = |name: String| {
        let times = seen.entry(name.clone()).and_modify(|times| *times += 1).or_insert(1);
        if *times == 1 { name } else { format!("{name} ({times})") }
    };
    names.into_iter().map(&mut number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{input::Column, sparse::CsrMatrix};

    fn two_clusters() -> Clusters {
        Clusters::for_test((0..40).map(|i| u32::from(i >= 20)).collect())
    }

    #[test]
    fn a_cluster_is_named_after_its_class_and_its_terms() {
        let class = |i: usize| if i < 20 { "sport" } else { "business" };
        let texts = Values::Text((0..40).map(|i| class(i).to_owned()).collect());
        let items = Items { columns: vec![Column { name: "topic".into(), values: texts }], ..Items::numbered(40) };
        // All have "say"; the first have "match", the others "profit" and "profits".
        let entries = (0..40_u32).flat_map(|i| {
            let own: &[u32] = if i < 20 { &[1] } else { &[2, 3] };
            own.iter().map(move |&term| (i, term, 1.0)).chain([(i, 0, 1.0)])
        });
        let entries: Vec<(u32, u32, f64)> = entries.collect();
        let data = Data::Dyadic(CsrMatrix::from_triplets((40, 4), &entries).unwrap());
        let names = ["say", "match", "profit", "profits"].map(String::from);
        let rows: Vec<usize> = (0..40).collect();
        let features = Features { data: &data, names: &names, rows: &rows };
        let named = name_clusters(&two_clusters(), &items, Some(features), None);
        assert_eq!(named, [["sport: match", "business: profit"]]);
    }

    #[test]
    fn a_class_is_not_said_twice() {
        let texts = Values::Text((0..40).map(|i| if i < 20 { "perl" } else { "java" }.to_owned()).collect());
        let letters = |i: usize| format!("{}{}", (b'A' + (i / 26) as u8) as char, (b'A' + (i % 26) as u8) as char);
        let mut ids: Vec<String> = (0..40).map(letters).collect();
        ids[3] = "perl".into();
        ids[30] = "default-jre".into();
        let items = Items { ids, columns: vec![Column { name: "section".into(), values: texts }] };
        let weights: Vec<f64> = (0..40).map(|i| if i == 3 || i == 30 { 9.0 } else { 1.0 }).collect();
        let named = name_clusters(&two_clusters(), &items, None, Some(&weights));
        assert_eq!(named, [["perl", "java"]]);
    }

    #[test]
    fn without_names_a_mixture_is_named_after_its_classes() {
        let clusters = Clusters::for_test((0..400).map(|i| u32::from(i >= 200)).collect());
        let named = |first: &[f64]| {
            let digit = |i: usize| if i >= 200 { 1.0 } else { first[i % first.len()] };
            let values = Values::Number((0..400).map(digit).collect());
            let items = Items { columns: vec![Column { name: "y".into(), values }], ..Items::numbered(400) };
            name_clusters(&clusters, &items, None, None).remove(0)
        };
        assert_eq!(named(&[4.0, 9.0, 9.0, 4.0, 9.0]), ["y 9", "y 1"]);
        assert_eq!(named(&[4.0, 9.0, 7.0, 9.0, 7.0, 9.0, 7.0, 9.0]), ["y 9", "y 1"]);
        assert_eq!(named(&[4.0, 9.0, 7.0]), ["y 4 · y 9 · y 7", "y 1"]);
        // Ten classes, of which each is a tenth, are no name.
        assert_eq!(named(&[0.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]), ["cluster 0", "y 1"]);
    }

    #[test]
    fn of_terms_that_occur_together_only_one_is_in_a_name() {
        // "golang" and "github" are always in the same names; "ruby" is in others.
        let letter = |i: usize| (b'a' + (i % 26) as u8) as char;
        let id = |i: usize| match i {
            0..12 => format!("golang-github-{}", letter(i)),
            12..20 => format!("ruby-{}", letter(i)),
            _ => format!("q{}{}", letter(i / 26), letter(i)),
        };
        let items = Items { ids: (0..220).map(id).collect(), columns: Vec::new() };
        let clusters = Clusters::for_test((0..220).map(|i| u32::from(i >= 20)).collect());
        let named = name_clusters(&clusters, &items, None, None);
        assert_eq!(named[0][0], "golang · ruby");
    }

    #[test]
    fn barcodes_are_in_no_name() {
        let letter = |digit: usize| ['A', 'C', 'G', 'T'][digit % 4];
        let barcode = |i: usize| (0..12).map(|k| letter(i / 4_usize.pow(k % 3) + k as usize)).collect::<String>();
        let items = Items { ids: (0..40).map(barcode).collect(), columns: Vec::new() };
        let named = name_clusters(&two_clusters(), &items, None, None);
        assert_eq!(named, [["cluster 0", "cluster 1"]]);
    }

    #[test]
    fn equal_names_are_told_apart_by_items_and_numbers() {
        let names = ["dev", "dev", "doc", "dev"].map(String::from).to_vec();
        let told = unique(names, |cluster| Some(["gtk", "qt", "tex", "qt"][cluster]));
        assert_eq!(told, ["dev: gtk", "dev: qt", "doc", "dev: qt (2)"]);
        let longer = unique(vec!["a · b".into(), "a · b".into()], |cluster| Some(["gtk", "qt"][cluster]));
        assert_eq!(longer, ["a · b · gtk", "a · b · qt"]);
    }

    #[test]
    fn without_terms_the_items_with_the_largest_weights_name_a_cluster() {
        let letters = |i: usize| format!("{}{}", (b'A' + (i / 26) as u8) as char, (b'A' + (i % 26) as u8) as char);
        let items = Items { ids: (0..40).map(letters).collect(), columns: Vec::new() };
        let weights: Vec<f64> = (0..40).map(|i| f64::from(i % 20)).collect();
        let named = name_clusters(&two_clusters(), &items, None, Some(&weights));
        assert_eq!(named, [["AT · AS", "BN · BM"]]);
        let numbered = name_clusters(&two_clusters(), &Items::numbered(40), None, Some(&weights));
        assert_eq!(numbered, [["cluster 0", "cluster 1"]]);
    }
}
