//! Items that are sums of others: the world among countries, a total among partners.

use dosnes::CsrMatrix;
use dosnes::input::{Data, Dataset, Items};

use crate::note::Note;

/// What sums of places and of partners are called, in lower case.
#[rustfmt::skip]
const AGGREGATES: [&str; 54] = [
    "world", "wld", "w00", "total", "totals", "all", "all countries", "all partners", "all products", "welt", "monde", "mundo",
    "european union", "europäische union", "union européenne", "unión europea", "unione europea", "eu", "eu15", "eu-15", "eu25",
    "eu-25", "eu27", "eu-27", "eu27_2020", "eu28", "eu-28", "extra-eu27", "intra-eu27", "extra-eu", "intra-eu", "euro area",
    "eurozone", "ea", "ea19", "ea20", "oecd", "oecd total", "oecd - total", "oecd members", "g7", "g20", "asean", "arab world",
    "high income", "upper middle income", "middle income", "lower middle income", "low income", "low & middle income",
    "sub-saharan africa", "latin america & caribbean", "east asia & pacific", "south asia",
];

/// Large countries, by which a table of countries is known, in lower case.
#[rustfmt::skip]
const COUNTRIES: [&str; 29] = [
    "argentina", "australia", "austria", "belgium", "brazil", "canada", "china", "egypt", "france", "germany", "greece", "india",
    "indonesia", "italy", "japan", "mexico", "netherlands", "nigeria", "poland", "portugal", "russia", "russian federation",
    "south africa", "spain", "sweden", "turkey", "united kingdom", "united states", "vietnam",
];

/// Their codes.
#[rustfmt::skip]
const COUNTRY_CODES: [&str; 54] = [
    "ARG", "AUS", "AUT", "BEL", "BRA", "CAN", "CHN", "EGY", "FRA", "DEU", "GRC", "IND", "IDN", "ITA", "JPN", "MEX", "NLD", "NGA",
    "POL", "PRT", "RUS", "ZAF", "ESP", "SWE", "TUR", "GBR", "USA", "AR", "AU", "AT", "BE", "BR", "CA", "CN", "EG", "FR", "DE", "EL",
    "IN", "ID", "IT", "JP", "MX", "NL", "NG", "PL", "PT", "RU", "ZA", "ES", "SE", "TR", "GB", "US",
];

/// Items that are called like sums, if the others are countries or if their links are the strongest ones nearly everywhere.
pub(super) fn doubt(dataset: &Dataset) -> Option<Note> {
    let partners = dataset.partners.as_ref().filter(|_| matches!(dataset.data, Data::Dyadic(_)));
    let ids = || [Some(&dataset.items), partners].into_iter().flatten().flat_map(|items: &Items| &items.ids);
    let mut names: Vec<String> = ids().filter(|id| is_aggregate(id)).cloned().collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() || names.len() == dataset.items.len() {
        return None;
    }
    if let (Data::Graph(graph), false) = (&dataset.data, are_countries(ids())) {
        let strongest = strongest(graph, &dataset.items.ids);
        names.retain(|name| strongest.contains(&name));
    } else if !are_countries(ids()) {
        return None;
    }
    (!names.is_empty()).then_some(Note::AggregateItems { names })
}

fn is_aggregate(id: &str) -> bool {
    AGGREGATES.contains(&id.trim().to_lowercase().as_str())
}

/// Whether names of large countries, or their codes, are among the names, and not by chance.
fn are_countries<'a>(ids: impl Iterator<Item = &'a String>) -> bool {
    const FEWEST: usize = 5;
    let (mut count, mut known) = (0, 0);
    for id in ids {
        count += 1;
        let id = id.trim();
        known += usize::from(COUNTRY_CODES.contains(&id) || COUNTRIES.contains(&id.to_lowercase().as_str()));
    }
    known >= FEWEST && 10 * known >= count
}

/// The aggregates whose link is stronger than all others of an item for nine of ten items that have one, in one direction.
fn strongest<'a>(graph: &CsrMatrix<'_>, ids: &'a [String]) -> Vec<&'a String> {
    const FEWEST: usize = 5;
    let aggregate: Vec<bool> = ids.iter().map(|id| is_aggregate(id)).collect();
    // The strongest link of each item that is to no aggregate: as the source, and as the target.
    let mut most = vec![[0.0_f64; 2]; ids.len()];
    for (i, j, weight) in graph.iter().filter(|&(i, j, _)| i != j && !aggregate[i] && !aggregate[j]) {
        most[i][0] = most[i][0].max(weight);
        most[j][1] = most[j][1].max(weight);
    }
    // For each aggregate as the target and as the source: links, and those that are the strongest ones.
    let mut links = vec![[(0_usize, 0_usize); 2]; ids.len()];
    let mut count = |aggregate: usize, side: usize, other: usize, weight: f64| {
        let (all, stronger) = &mut links[aggregate][side];
        if most[other][side] > 0.0 {
            *all += 1;
            *stronger += usize::from(weight > most[other][side]);
        }
    };
    for (i, j, weight) in graph.iter() {
        match (aggregate[i], aggregate[j]) {
            (false, true) => count(j, 0, i, weight),
            (true, false) => count(i, 1, j, weight),
            _ => {}
        }
    }
    let is_sum = |k: &usize| links[*k].iter().any(|&(all, stronger)| all >= FEWEST && 10 * stronger >= 9 * all);
    (0..ids.len()).filter(|k| aggregate[*k] && is_sum(k)).map(|k| &ids[k]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of ten items and one more, to which each has a link.
    fn ring(name: &str, weight: f64) -> Dataset {
        let ids: Vec<String> = (0..10).map(|i| format!("item {i}")).chain([name.to_owned()]).collect();
        let links = (0..10_u32).flat_map(|i| [(i, (i + 1) % 10, 2.0), (i, 10, weight)]).collect::<Vec<_>>();
        let graph = CsrMatrix::from_triplets((11, 11), &links).unwrap();
        Dataset::new(Items { ids, columns: Vec::new() }, Data::Graph(graph))
    }

    #[test]
    fn a_total_is_known_by_its_name_and_by_its_links() {
        assert_eq!(doubt(&ring("Total", 3.0)), Some(Note::AggregateItems { names: vec!["Total".into()] }));
        assert_eq!(doubt(&ring("EU27_2020", 3.0)), Some(Note::AggregateItems { names: vec!["EU27_2020".into()] }));
        assert_eq!(doubt(&ring("total", 2.0)), None);
        assert_eq!(doubt(&ring("hub", 9.0)), None);
    }

    #[test]
    fn the_world_is_a_sum_among_countries_but_a_word_among_words() {
        let points = |ids: &[&str]| {
            let ids: Vec<String> = ids.iter().map(|&id| id.to_owned()).collect();
            let x = dosnes::ndarray::Array2::<f32>::zeros((ids.len(), 2));
            Dataset::new(Items { ids, columns: Vec::new() }, Data::from(x))
        };
        let world = Some(Note::AggregateItems { names: vec!["World".into()] });
        assert_eq!(doubt(&points(&["Germany", "France", "Italy", "Spain", "Poland", "World"])), world);
        assert_eq!(doubt(&points(&["DE", "FR", "IT", "ES", "PL", "World"])), world);
        assert_eq!(doubt(&points(&["world", "peace", "in", "it", "us", "at", "be", "war"])), None);
    }
}
