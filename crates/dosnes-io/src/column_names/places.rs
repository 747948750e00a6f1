//! Which columns say where something is: on the Earth, or in a genome.

use super::{plain, words};

/// Names of the latitude and of the longitude in a table that is an embedding.
pub(crate) const LATITUDES: [&str; 2] = ["lat", "latitude"];

pub(crate) const LONGITUDES: [&str; 4] = ["lon", "lng", "long", "longitude"];

/// Whether columns with these names are the latitude and longitude of places, and no others.
pub(crate) fn are_places(names: &[&str]) -> bool {
    let has = |list: &[&str]| names.iter().any(|name| words(name).iter().any(|word| list.contains(&word.as_str())));
    names.len() == 2 && has(&LATITUDES) && has(&LONGITUDES)
}

/// Which columns say where something is in a genome: beside a column of chromosomes, those of its start and end.
pub(crate) fn genome_places(names: &[String]) -> Vec<usize> {
    const CHROMOSOMES: [&str; 7] = ["chr", "chrom", "chromosome", "seqname", "seqnames", "seqid", "contig"];
    const PLACES: [&str; 16] = [
        "start",
        "end",
        "stop",
        "pos",
        "position",
        "length",
        "strand",
        "startposition",
        "endposition",
        "chromstart",
        "chromend",
        "txstart",
        "txend",
        "bp",
        "width",
        "genomelength",
    ];
    let plain: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let chromosome = plain.iter().position(|name| CHROMOSOMES.contains(&name.as_str()));
    let places = (0..names.len()).filter(|&k| PLACES.contains(&plain[k].as_str()));
    chromosome.map_or_else(Vec::new, |chromosome| std::iter::once(chromosome).chain(places).collect())
}
