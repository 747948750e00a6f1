//! The graphs of the study, with what is known about them.

use dosnes::{
    CsrMatrix, Data, Kind, Similarity, input::Values, internals::harmonics::layouts::Random, observe::Silent,
};
use dosnes_io::{ReadOptions, read};
use std::path::{Path, PathBuf};

/// A graph, or similarities or dyadic data that are treated like one.
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) similarity: Similarity<'static>,
    /// Classes that no method uses.
    pub(crate) classes: Option<Vec<Option<u32>>>,
    /// True places, in degrees.
    pub(crate) places: Option<(Vec<f64>, Vec<f64>)>,
}

/// Where a graph comes from.
struct Source {
    name: &'static str,
    file: &'static str,
    kind: Kind,
    transpose: bool,
    /// A table of the items; its last column has their classes.
    classes: Option<&'static str>,
}

const fn graph(name: &'static str, file: &'static str) -> Source {
    Source { name, file, kind: Kind::Graph, transpose: false, classes: None }
}

const SOURCES: [Source; 11] = [
    graph("WorldTrade", "worldtrade/world_trade.paj"),
    graph("polblogs", "graphs/polblogs.mtx.gz"),
    graph("ca-GrQc", "graphs/ca-GrQc.mtx.gz"),
    graph("ca-AstroPh", "graphs/ca-AstroPh.mtx.gz"),
    graph("email-Enron", "graphs/email-Enron.mtx.gz"),
    Source { classes: Some("graphs/musae_github_target.csv"), ..graph("GitHub", "graphs/musae_github.mtx.gz") },
    Source { classes: Some("graphs/debian12_deps_nodes.tsv.gz"), ..graph("Debian", "graphs/debian12_deps_lcc.mtx.gz") },
    graph("WordNet", "graphs/wordnet30_lcc.mtx.gz"),
    Source { kind: Kind::Dyadic, transpose: true, ..graph("NIPS", "nips/nips_lcc_paper_author.mtx") },
    Source {
        kind: Kind::Dyadic,
        classes: Some("dyadic/BBC_News_labels.txt"),
        ..graph("BBC News", "dyadic/BBC_News.mtx.gz")
    },
    Source { kind: Kind::Dyadic, transpose: true, ..graph("film actors", "dyadic/wikidata_film_actor.mtx.gz") },
];

/// The graphs with published figures, in the order of their size.
const LAYOUT: [&str; 17] = [
    "dwt_72",
    "can_96",
    "grid17",
    "dwt_419",
    "cluster",
    "price_1000",
    "dwt_1005",
    "btree9",
    "bcsstk09",
    "1138_bus",
    "block_2000",
    "sierpinski3d",
    "ca-GrQc",
    "commanche",
    "EVA",
    "whitaker3",
    "fe_4elt2",
];

/// The real graphs: flights, and those in the folder `data`.
pub(crate) fn real(data: &Path) -> Result<Vec<Subject>, Box<dyn std::error::Error>> {
    let mut subjects = vec![flights()?];
    for source in &SOURCES {
        let options = ReadOptions {
            kind: Some(source.kind),
            transpose: source.transpose,
            items_file: source.classes.map(|file| data.join(file)),
            ..ReadOptions::default()
        };
        let dataset = read(data.join(source.file), &options, &mut Silent)?.dataset;
        let items = &dataset.items;
        let classes = match (source.classes, items.columns.last()) {
            (Some(_), Some(column)) => Some(items.classes(&column.name)?),
            _ => None,
        };
        let similarity = match dataset.data {
            Data::Graph(matrix) => Similarity::Graph(matrix),
            Data::Dyadic(matrix) => Similarity::Dyadic(matrix),
            _ => return Err(format!("{} is no graph", source.name).into()),
        };
        subjects.push(Subject { name: source.name.into(), similarity, classes, places: None });
    }
    Ok(subjects)
}

/// The graphs with published figures. Their weights are not used, as in the publications.
pub(crate) fn layout(data: &Path) -> Result<Vec<Subject>, Box<dyn std::error::Error>> {
    LAYOUT
        .iter()
        .map(|&name| {
            let options = ReadOptions { kind: Some(Kind::Graph), ..ReadOptions::default() };
            let dataset = read(data.join(format!("layout/{name}.mtx.gz")), &options, &mut Silent)?.dataset;
            let Data::Graph(matrix) = dataset.data else { return Err(format!("{name} is no graph").into()) };
            let ones: Vec<_> = matrix.iter().map(|(i, j, _)| (i as u32, j as u32, 1.0)).collect();
            let matrix = CsrMatrix::from_triplets(matrix.shape(), &ones)?;
            Ok(Subject { name: name.into(), similarity: Similarity::Graph(matrix), classes: None, places: None })
        })
        .collect()
}

fn flights() -> Result<Subject, Box<dyn std::error::Error>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../crates/dosnes-cli/data");
    let options = ReadOptions { items_file: Some(folder.join("airports.csv")), ..ReadOptions::default() };
    let loaded = read(folder.join("flights.csv"), &options, &mut Silent)?;
    let items = &loaded.dataset.items;
    let numbers = |name: &str| match items.column(name).map(|column| &column.values) {
        Some(Values::Number(values)) => Ok(values.clone()),
        _ => Err(format!("airports.csv has no numbers {name}")),
    };
    let places = Some((numbers("lat")?, numbers("lon")?));
    let classes = Some(items.classes("region")?);
    let Data::Graph(matrix) = loaded.dataset.data else { return Err("flights.csv is no graph".into()) };
    Ok(Subject { name: "flights".into(), similarity: Similarity::Graph(matrix), classes, places })
}

/// Graphs whose truth is known: blocks, and points on a real sphere. Popularity spreads over several orders of magnitude.
pub(crate) fn planted() -> Result<Vec<Subject>, Box<dyn std::error::Error>> {
    Ok(vec![blocks(1)?, blocks(2)?, sphere(5.0, 2)?, sphere(3.0, 3)?])
}

/// A stochastic block model with ten blocks and degrees over three orders of magnitude.
fn blocks(seed: u64) -> Result<Subject, Box<dyn std::error::Error>> {
    const ITEMS: usize = 2000;
    const BLOCKS: usize = 10;
    const MEAN_DEGREE: f64 = 12.0;
    const BETWEEN: f64 = 0.02;
    let mut random = Random::new(seed);
    let block: Vec<usize> = (0..ITEMS).map(|_| (random.uniform() * BLOCKS as f64) as usize).collect();
    let popularity: Vec<f64> = (0..ITEMS).map(|_| 1000.0_f64.powf(random.uniform())).collect();
    let rate = |i: usize, j: usize| popularity[i] * popularity[j] * if block[i] == block[j] { 1.0 } else { BETWEEN };
    let matrix = poisson_graph(ITEMS, ITEMS as f64 * MEAN_DEGREE / 2.0, rate, &mut random)?;
    let classes = block.into_iter().map(|block| Some(block as u32)).collect();
    let name = format!("blocks {seed}");
    Ok(Subject { name, similarity: Similarity::Graph(matrix), classes: Some(classes), places: None })
}

/// Points on a sphere: near ones have many contacts, and popularity spreads over `orders` orders of magnitude.
fn sphere(orders: f64, seed: u64) -> Result<Subject, Box<dyn std::error::Error>> {
    const ITEMS: usize = 1500;
    const WIDTH: f64 = 0.15;
    let mut random = Random::new(seed);
    let points: Vec<[f64; 3]> = (0..ITEMS).map(|_| random.direction()).collect();
    let popularity: Vec<f64> = (0..ITEMS).map(|_| 10.0_f64.powf(orders * random.uniform())).collect();
    let rate = |i: usize, j: usize| {
        let squared: f64 = (0..3).map(|k| (points[i][k] - points[j][k]).powi(2)).sum();
        popularity[i] * popularity[j] * (-squared / (2.0 * WIDTH * WIDTH)).exp()
    };
    // So many contacts that nine of ten items have three or more.
    let mut totals: Vec<f64> = (0..ITEMS).map(|i| (0..ITEMS).filter(|&j| j != i).map(|j| rate(i, j)).sum()).collect();
    let all: f64 = totals.iter().sum();
    totals.sort_unstable_by(f64::total_cmp);
    let contacts = 3.0 / totals[ITEMS / 10] * all / 2.0;
    let matrix = poisson_graph(ITEMS, contacts, rate, &mut random)?;
    let places = points.iter().map(|p| (p[2].asin().to_degrees(), p[1].atan2(p[0]).to_degrees())).unzip();
    let name = format!("sphere, 10^{orders}");
    Ok(Subject { name, similarity: Similarity::Graph(matrix), classes: None, places: Some(places) })
}

/// Numbers of contacts of all pairs, with this expected total.
fn poisson_graph(
    n: usize,
    total: f64,
    rate: impl Fn(usize, usize) -> f64,
    random: &mut Random,
) -> Result<CsrMatrix<'static>, Box<dyn std::error::Error>> {
    let sum: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| rate(i, j)).sum();
    let mut triplets = Vec::new();
    for i in 0..n {
        for j in 0..i {
            let count = poisson(rate(i, j) * total / sum, random);
            if count > 0.0 {
                triplets.push((i as u32, j as u32, count));
            }
        }
    }
    Ok(CsrMatrix::from_triplets((n, n), &triplets)?)
}

/// A Poisson number: by products of uniform numbers if the mean is small, by a rounded normal number otherwise.
fn poisson(mean: f64, random: &mut Random) -> f64 {
    if mean > 50.0 {
        return (mean + mean.sqrt() * random.normal()).round().max(0.0);
    }
    let limit = (-mean).exp();
    let mut product = random.uniform();
    let mut count = 0.0;
    while product > limit {
        product *= random.uniform();
        count += 1.0;
    }
    count
}
