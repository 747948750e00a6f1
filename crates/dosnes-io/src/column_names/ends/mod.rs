//! Which columns are the two ends of an edge.

mod lists;

use std::collections::HashMap;
use std::hash::Hash;

use super::{plain, words};
use lists::{
    END_PAIRS, END_STEMS, END_WORDS, ID_ENDINGS, ITEM_SIDES, NO_END_WORDS, PARTNER_SIDES, POSSIBLE_END_PAIRS,
    WEAK_END_WORDS,
};

/// How certain it is that two columns are the ends of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndNames {
    /// Nothing else has these names.
    Certain,
    /// Coordinates could have these names too.
    Possible,
    /// The two sides are different kinds of items.
    TwoKinds,
}

/// The columns that are the two ends of an edge, by their names in the header.
pub(crate) fn find_ends(names: &[String]) -> Option<(usize, usize, EndNames)> {
    let places = first_places(names.iter().map(|name| plain(name)));
    let position = |name: &str| places.get(name).copied();
    let among = |pairs: &[(&str, &str)]| pairs.iter().find_map(|(from, to)| Some((position(from)?, position(to)?)));
    if let Some((from, to)) = among(&END_PAIRS) {
        return Some((from, to, EndNames::Certain));
    }
    // Names that go on (`gene1`, `gene2`, `gene3`) are a series of measurements, not two ends.
    for (first, second, others) in
        [("1", "2", ["0", "3"]), ("a", "b", ["c", "d"]), ("i", "j", ["h", "k"]), ("x", "y", ["w", "z"])]
    {
        let is_series = |stem: &str| others.iter().any(|other| position(&format!("{stem}{other}")).is_some());
        for stem in END_STEMS.into_iter().filter(|stem| !is_series(stem)) {
            let both = |s: &str, t: &str| Some((position(&format!("{stem}{s}"))?, position(&format!("{stem}{t}"))?));
            if let Some((from, to)) =
                both(first, second).or_else(|| both(&format!("id{first}"), &format!("id{second}")))
            {
                return Some((from, to, EndNames::Certain));
            }
        }
    }
    if let Some((from, to)) = ends_by_words(names) {
        return Some((from, to, EndNames::Certain));
    }
    // The kind of items or partners that a name says, by its place in the list.
    let kind = |list: &[&str], name: &str| {
        let of = |stem: &str| list.iter().position(|kind| *kind == stem);
        of(name).or_else(|| ID_ENDINGS.iter().find_map(|ending| of(name.strip_suffix(ending)?)))
    };
    // The lists begin with what is most likely meant: customers rather than their invoices, products rather than events.
    let first = |list: &[&str]| places.iter().filter_map(|(name, &k)| Some((kind(list, name)?, k))).min();
    if let (Some((_, item)), Some((_, partner))) = (first(&ITEM_SIDES), first(&PARTNER_SIDES)) {
        return Some((item, partner, EndNames::TwoKinds));
    }
    // `a, b, c` are three of a kind.
    let goes_on = position("c").is_some();
    let possible = among(&POSSIBLE_END_PAIRS).filter(|(from, _)| !(goes_on && plain(&names[*from]) == "a"));
    possible.map(|(from, to)| (from, to, EndNames::Possible))
}

/// Two columns whose names differ in one word only, which says that they are the ends of an edge.
fn ends_by_words(names: &[String]) -> Option<(usize, usize)> {
    let places = first_places(names.iter().map(|name| words(name)));
    let begins = |word: &String| END_WORDS.iter().chain(&WEAK_END_WORDS).any(|(first, _)| word == first);
    let mut candidates: Vec<(usize, &Vec<String>)> =
        places.iter().filter(|(words, _)| words.iter().any(begins)).map(|(words, &k)| (k, words)).collect();
    candidates.sort_unstable();
    let is_thing = |word: &String| {
        END_STEMS.contains(&word.as_str())
            || matches!(word.as_str(), "id" | "code" | "iso" | "gene" | "symbol" | "accession")
    };
    let find = |first: &str, second: &str, weak: bool| {
        candidates.iter().find_map(|&(k, from)| {
            let place = from.iter().position(|word| word == first)?;
            let others = || from.iter().enumerate().filter(|(p, _)| *p != place).map(|(_, word)| word);
            let named = others().next().is_some() && !others().any(|word| NO_END_WORDS.contains(&word.as_str()));
            if !named || weak && !others().any(is_thing) {
                return None;
            }
            let with = |other: &str| {
                let mut wanted = from.clone();
                other.clone_into(&mut wanted[place]);
                places.get(&wanted).copied()
            };
            // A series goes on.
            let goes_on = weak && ["c", "d", "0", "3"].iter().any(|other| *other != second && with(other).is_some());
            with(second).filter(|_| !goes_on).map(|to| (k, to))
        })
    };
    let strong = END_WORDS.iter().find_map(|(first, second)| find(first, second, false));
    strong.or_else(|| WEAK_END_WORDS.iter().find_map(|(first, second)| find(first, second, true)))
}

/// Where each value stands first. A table may have millions of columns without a name, so each value is stored once.
fn first_places<T: Eq + Hash>(values: impl Iterator<Item = T>) -> HashMap<T, usize> {
    let mut places = HashMap::new();
    values.enumerate().for_each(|(k, value)| {
        places.entry(value).or_insert(k);
    });
    places
}

/// Whether two names have the same words but for one, and a word for a thing that has an id is among those: `home_tract` and
/// `work_tract`, but not `age_wife` and `age_husband`.
pub(crate) fn could_name_ends(first: &str, second: &str) -> bool {
    const THINGS: [&str; 14] = [
        "id", "code", "iso", "zone", "tract", "location", "area", "region", "county", "district", "idx", "index",
        "key", "nr",
    ];
    let (first, second) = (words(first), words(second));
    let is_thing = |word: &String| THINGS.contains(&word.as_str()) || END_STEMS.contains(&word.as_str());
    let same = || first.iter().zip(&second).filter(|(a, b)| a == b).map(|(word, _)| word);
    first.len() == second.len() && same().count() + 1 == first.len() && same().any(is_thing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(names: &[&str]) -> Option<(usize, usize, EndNames)> {
        find_ends(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn two_numbered_names_are_ends_but_a_series_is_not() {
        assert_eq!(ends(&["gene1", "gene2", "score"]), Some((0, 1, EndNames::Certain)));
        assert_eq!(ends(&["Protein_A", "Protein_B"]), Some((0, 1, EndNames::Certain)));
        assert_eq!(ends(&["GENE0", "GENE1", "GENE2"]), None);
        assert_eq!(ends(&["station1", "station2", "station3"]), None);
    }

    #[test]
    fn one_word_tells_the_ends_apart() {
        for (names, expected) in [
            (vec!["exporter_iso3", "importer_iso3", "year"], (0, 1)),
            (vec!["ride", "start_station_id", "end_station_id"], (1, 2)),
            (vec!["BioGRID ID A", "BioGRID ID B", "Score"], (0, 1)),
            (vec!["ID(s) interactor A", "ID(s) interactor B"], (0, 1)),
            (vec!["fromStationName", "toStationName"], (0, 1)),
            (vec![":START_ID(Person)", "role", ":END_ID(Film)"], (0, 2)),
            (vec!["orig_zone", "dest_zone", "car"], (0, 1)),
            (vec!["pickup_datetime", "dropoff_datetime", "pickup_zone", "dropoff_zone"], (2, 3)),
            (vec!["year", "iso_o", "iso_d", "gdp_o", "gdp_d"], (1, 2)),
            (vec!["CLUSTERID1", "CLUSTERID2", "DeltaMZ"], (0, 1)),
        ] {
            assert_eq!(ends(&names), Some((expected.0, expected.1, EndNames::Certain)), "{names:?}");
        }
        for names in [
            vec!["start_time", "end_time"],
            vec!["from_lat", "to_lat"],
            vec!["UMAP_1", "UMAP_2"],
            vec!["PC1", "PC2", "PC3"],
            vec!["mean 1", "mean 2"],
            vec!["gene a", "gene b", "gene c"],
            vec!["pickup_datetime", "dropoff_datetime", "fare"],
            vec!["gdp_o", "gdp_d"],
        ] {
            assert_eq!(ends(&names), None, "{names:?}");
        }
    }

    #[test]
    fn names_that_differ_in_one_word_could_be_ends() {
        assert!(could_name_ends("homeTract", "workTract") && could_name_ends("area_of_birth", "area_of_work"));
        assert!(
            !could_name_ends("age_wife", "age_husband") && !could_name_ends("a", "b") && !could_name_ends("id", "ids")
        );
    }
}
