//! `dosnes demo`: a whole run on bundled data.

mod save;

use crate::{
    args::{Demo, DemoArgs, MapArgs, MemoryArgs},
    browser,
    images::{Images, Size},
    mapping::{self, Destination, Earlier, Mapped},
    output::{Output, embedding_outputs},
    picture::Other,
    progress::Watch,
    stages,
    summary::Nouns,
    terminal::Terminal,
};
use anyhow::{Context, Result};
use clap::Parser;
use dosnes::{
    Embedding, Kind, Space,
    input::{Items, Values},
    observe::Recorder,
    quality::{Geography, Map, geography},
    ranks::Alone,
};
use dosnes_io::{Loaded, ReadOptions, join_items_bytes, read_bytes};
use std::path::PathBuf;
use std::process::ExitCode;

/// Bundled data.
struct Bundle {
    name: &'static str,
    bytes: &'static [u8],
    items: Option<(&'static str, &'static [u8])>,
    /// Licence text that must be part of every copy of the data.
    license: Option<(&'static str, &'static [u8])>,
    kind: Kind,
    nouns: Nouns,
    source: &'static str,
    title: &'static str,
    /// What the page shows, in a sentence.
    subtitle: &'static str,
    color: Option<&'static str>,
    size: Option<&'static str>,
    /// Size of the images, if the columns are pixels.
    image_size: Option<Size>,
    /// The default output.
    page: &'static str,
}

const FLIGHTS: Bundle = Bundle {
    name: "flights.csv",
    bytes: include_bytes!("../../../data/flights.csv"),
    items: Some(("airports.csv", include_bytes!("../../../data/airports.csv"))),
    license: None,
    kind: Kind::Graph,
    nouns: ("airport", "airports"),
    source: "flights between US airports (US Government work, from vega-datasets)",
    title: "Geography comes out of flight counts alone",
    subtitle: "Each dot is a US airport. Only the numbers of flights between airports went into this map, no position; \
               neighbouring regions still end up side by side.",
    color: Some("region"),
    size: None,
    image_size: None,
    page: "dosnes-flights.html",
};
const FILMS: Bundle = Bundle {
    name: "films.csv.gz",
    bytes: include_bytes!("../../../data/films.csv.gz"),
    items: Some(("actors.csv.gz", include_bytes!("../../../data/actors.csv.gz"))),
    license: None,
    kind: Kind::Dyadic,
    nouns: ("actor", "actors"),
    source: "actors and the films in which they appeared (Wikidata, CC0)",
    title: "Time comes out of cast lists alone",
    subtitle: "Each dot is an actor. Only who appeared in which films went into this map, no date; actors of the same \
               years still end up side by side.",
    color: Some("median_year"),
    size: Some("films"),
    image_size: None,
    page: "dosnes-films.html",
};
const DIGITS: Bundle = Bundle {
    name: "digits.csv.gz",
    bytes: include_bytes!("../../../data/digits.csv.gz"),
    items: None,
    license: Some(("LICENSE-scikit-learn.txt", include_bytes!("../../../data/LICENSE-scikit-learn.txt"))),
    kind: Kind::Points,
    nouns: ("digit", "digits"),
    source: "handwritten digits of 8 × 8 pixels (UCI, from scikit-learn)",
    title: "Handwriting, sorted by itself",
    subtitle: "Each image is a digit that somebody wrote. Similar images are close together; nobody said which digit is which.",
    color: Some("label"),
    size: None,
    image_size: Some(Size { width: 8, height: 8 }),
    page: "dosnes-digits.html",
};

/// The demo is the command `dosnes embed` with these options.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    map: MapArgs,
}

fn options(seed: u64, further: &[&str]) -> Result<MapArgs> {
    let seed = seed.to_string();
    let line = ["dosnes", "--seed", &seed].into_iter().chain(further.iter().copied());
    Ok(Options::try_parse_from(line).context("the built-in options of the demo are wrong")?.map)
}

/// Runs the command.
pub(crate) fn run(args: &DemoArgs, terminal: Terminal) -> Result<ExitCode> {
    let bundle = match args.name {
        Demo::Flights => FLIGHTS,
        Demo::Films => FILMS,
        Demo::Digits => DIGITS,
    };
    if let Some(folder) = &args.save_data {
        return save::run(&bundle, folder, terminal);
    }
    let page = PathBuf::from(bundle.page);
    let files = if args.output.is_empty() { std::slice::from_ref(&page) } else { &args.output };
    let outputs = embedding_outputs(files, args.report.as_deref().as_slice(), &[], Space::Sphere)?;
    let map = options(args.seed, &[])?;
    let memory = MemoryArgs::default();
    terminal.say(bundle.source);
    let mut watch = Watch::new(terminal);
    let loaded = read(&bundle, &mut watch)?;
    watch.end();
    stages::describe(bundle.name, &loaded, terminal);
    let images =
        Images::read(None, bundle.image_size, &loaded.dataset.items, Some(&loaded.dataset.data), bundle.name.as_ref())?;
    if outputs.iter().any(Output::is_page) {
        watch.record(Recorder::new(None));
    }
    let mapped = mapping::make(
        &loaded,
        None,
        bundle.nouns,
        &map,
        &memory,
        false,
        Earlier::default(),
        &Alone,
        None,
        &mut watch,
        terminal,
    )?;
    // The conclusion needs it anyway, and the page shows how it wraps around the globe.
    let crowded = match args.name {
        Demo::Flights if !mapped.embedding.stopped => Some(flat_map(&loaded, "none", args.seed)?),
        _ => None,
    };
    let destination = Destination {
        input: bundle.name,
        title: bundle.title,
        subtitle: bundle.subtitle,
        source: &format!("Data: {}", bundle.source),
        noun: bundle.nouns.1,
        kernel: map.embed.kernel,
        color: bundle.color,
        size: bundle.size,
        label: None,
        images: images.as_ref(),
        flat: crowded.as_ref().filter(|made| made.p.kept() == mapped.p.kept()).map(|made| Other {
            name: "2D t-SNE of the raw counts",
            space: made.embedding.space,
            coordinates: made.embedding.coordinates.view(),
            radius: None,
        }),
        outputs: &outputs,
        report: args.report.as_deref(),
        replace_finished: false,
        registered: None,
    };
    let code = mapping::finish(&loaded, &mapped, &destination, args.seed, watch, terminal)?;
    if mapped.embedding.stopped {
        return Ok(code);
    }
    let conclusion = match args.name {
        Demo::Flights => flights(&loaded, &mapped, crowded.as_ref(), args.seed)?,
        Demo::Films => films(&loaded.dataset.items, &mapped)?,
        Demo::Digits => digits(&loaded.dataset.items, &mapped.embedding)?,
    };
    terminal.headline(&conclusion);
    if args.output.is_empty() && terminal.draws() && !args.no_open {
        browser::show(&page, terminal);
    } else if args.output.is_empty() {
        terminal.say(&format!("open {} in a browser to see the globe", page.display()));
    }
    Ok(code)
}

fn read(bundle: &Bundle, watch: &mut Watch) -> Result<Loaded> {
    let options = ReadOptions { kind: Some(bundle.kind), ..ReadOptions::default() };
    let mut loaded = read_bytes(bundle.name, bundle.bytes, &options, watch)?;
    if let Some((name, bytes)) = bundle.items {
        let notes = join_items_bytes(&mut loaded.dataset.items, name, bytes)?;
        loaded.notes.extend(notes);
    }
    Ok(loaded)
}

/// 2D t-SNE of the flights, without a word on the terminal.
fn flat_map<'a>(loaded: &'a Loaded, normalize: &str, seed: u64) -> Result<Mapped<'a>> {
    let options = options(seed, &["--normalize", normalize, "--space", "plane"])?;
    let (mut watch, limits) = (Watch::new(Terminal::silent()), MemoryArgs::default());
    let (earlier, silent) = (Earlier::default(), Terminal::silent());
    mapping::make(loaded, None, FLIGHTS.nouns, &options, &limits, false, earlier, &Alone, None, &mut watch, silent)
}

/// Airports: compares globe and 2D t-SNE, of the raw counts and of row-normalised ones, with the true positions.
fn flights(loaded: &Loaded, mapped: &Mapped<'_>, crowded: Option<&Mapped<'_>>, seed: u64) -> Result<String> {
    let items = loaded.dataset.items.select(mapped.p.kept());
    let (lat, lon) = (numbers(&items, "lat")?, numbers(&items, "lon")?);
    let measured = |map: &Mapped<'_>| Ok::<_, anyhow::Error>(geography(&as_map(&map.embedding)?, lat, lon)?);
    let globe = measured(mapped)?;
    let raw = match crowded {
        Some(made) => measured(made)?,
        None => measured(&flat_map(loaded, "none", seed)?)?,
    };
    let rows = measured(&flat_map(loaded, "rows", seed)?)?;
    let km = |of: &Geography| crate::numbers::count(of.median_km.round() as usize);
    Ok(format!(
        "flight counts alone reveal geography: the 10 nearest airports on the globe are {} km away (median), and angles on \
         the globe and true distances have a rank correlation of {:.2}. 2D t-SNE of the raw counts: {} km and {:.2}; of \
         row-normalised counts: {} km and {:.2} (America is nearly flat, which suits a flat map)",
        km(&globe),
        globe.spearman,
        km(&raw),
        raw.spearman,
        km(&rows),
        rows.spearman
    ))
}

/// Actors: the nearest neighbours of the actor with the most co-actors.
fn films(items: &Items, mapped: &Mapped<'_>) -> Result<String> {
    let partners: Vec<usize> = mapped.p.direct().iter_rows().map(dosnes::Row::len).collect();
    let busiest = (0..partners.len()).max_by_key(|&i| partners[i]).unwrap_or(0);
    let nearest = as_map(&mapped.embedding)?.nearest_items(busiest, 6).unwrap_or_default();
    let name = |i: usize| items.ids[mapped.p.kept()[i]].as_str();
    let names: Vec<&str> = nearest.into_iter().map(name).collect();
    Ok(format!(
        "actors with common films are close together: {}, who has the most co-actors, is next to {}",
        name(busiest),
        names.join(", ")
    ))
}

/// Digits: the share of the nearest neighbours that are the same digit.
fn digits(items: &Items, embedding: &Embedding) -> Result<String> {
    let labels = numbers(items, "label")?;
    let map = as_map(embedding)?;
    let nearest = |i: usize| map.nearest_items(i, 10).unwrap_or_default();
    let same: usize =
        (0..labels.len()).map(|i| nearest(i).into_iter().filter(|&j| labels[i] == labels[j]).count()).sum();
    Ok(format!(
        "{:.1} % of the 10 nearest neighbours on the globe are the same digit",
        10.0 * same as f64 / labels.len() as f64
    ))
}

/// The embedding in the form that measures take.
fn as_map(embedding: &Embedding) -> Result<Map> {
    Ok(Map::new(embedding.coordinates.view(), embedding.space)?)
}

fn numbers<'a>(items: &'a Items, name: &str) -> Result<&'a [f64]> {
    match items.column(name).map(|column| &column.values) {
        Some(Values::Number(values)) => Ok(values),
        _ => anyhow::bail!("the data of the demo have no numeric column {name}"),
    }
}
