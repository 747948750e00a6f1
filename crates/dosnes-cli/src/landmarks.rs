//! `dosnes embed --landmarks N`: a part of the points is embedded, and the rest is placed on its map.

use crate::{
    args::{EmbedArgs, MapArgs},
    atlas::{Atlas, Known},
    failure::{Failure, of_library},
    images::Images,
    interrupt,
    mapping::{self, Destination, Earlier, Mapped},
    memory,
    model::{self, MISFIT, PART},
    numbers::{count, counted, duration},
    output::{Output, write_all},
    picture::Picture,
    progress::Watch,
    report::Report,
    summary::Nouns,
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::growth::{ModelError, Placed, landmarks};
use dosnes::input::{Data, Dataset, Items, Points, Values};
use dosnes::ndarray::Array2;
use dosnes::neighbors::Metric;
use dosnes::observe::Stage;
use dosnes::ranks::Alone;
use dosnes::{Affinity, Model, Space, transform};
use dosnes_io::{EmbeddingTable, Loaded};
use std::process::ExitCode;
use std::time::Instant;

/// Finds what cannot be combined with landmarks, before the work.
pub(crate) fn check(args: &EmbedArgs, map: &MapArgs) -> Result<()> {
    let refuse = |problem: String| Err(Failure::BadInput(problem).into());
    if map.embed.space != Space::Sphere {
        return refuse("--landmarks needs a map on a sphere (--space sphere)".into());
    }
    if map.similarity.affinity.unwrap_or_default() != Affinity::Entropic {
        return refuse(format!("--landmarks: {}", ModelError::Affinity));
    }
    if map.similarity.metric() == Metric::Jaccard {
        return refuse(format!("--landmarks: {}", ModelError::Metric(Metric::Jaccard)));
    }
    for (given, option) in [
        (args.places.like.is_some(), "--like"),
        (args.places.fix.is_some(), "--fix"),
        (args.page.snapshots.is_some(), "--snapshots"),
        (args.checkpoint.checkpoint.is_some(), "--checkpoint"),
        (args.memory.time_limit.is_some(), "--time-limit"),
    ] {
        if given {
            return refuse(format!("{option} cannot be combined with --landmarks; leave out one of both"));
        }
    }
    Ok(())
}

/// Embeds the landmarks, places the others, and writes all.
#[allow(clippy::too_many_arguments, reason = "each is a thing of its own")]
pub(crate) fn run(
    asked: usize,
    args: &EmbedArgs,
    map: &MapArgs,
    loaded: &Loaded,
    nouns: Nouns,
    destination: &Destination<'_>,
    mut watch: Watch,
    terminal: Terminal,
) -> Result<ExitCode> {
    let dataset = &loaded.dataset;
    let Data::Points(points) = &dataset.data else {
        let kind = dataset.data.kind();
        return Err(Failure::BadInput(format!("--landmarks is for points only, but this is read as {kind}")).into());
    };
    let n = dataset.items.len();
    if asked >= n {
        return Err(Failure::BadInput(format!(
            "--landmarks {asked} are not fewer than the {} of the data; leave --landmarks out",
            counted(n, nouns.0, nouns.1)
        ))
        .into());
    }
    let chosen = landmarks(points, asked, &mut watch).map_err(|error| of_library(error, &dataset.items))?;
    watch.end();
    let part = part_of(loaded, points, &chosen);
    let mut mapped = mapping::make(
        &part,
        None,
        nouns,
        map,
        &args.memory,
        true,
        Earlier::default(),
        &Alone,
        None,
        &mut watch,
        terminal,
    )?;
    let started = Instant::now();
    let Some(Placing { ground, is_landmark, on_map, rest, placed }) =
        place(dataset, points, &chosen, &part, &mapped, map, &mut watch)?
    else {
        terminal.note("the other items are not placed: the map has the landmarks only");
        mapped.embedding.stopped = true;
        let images = destination.images.map(|images| images.select(&chosen));
        let Destination { input, title, subtitle, source, noun, kernel, color, size, label, .. } = *destination;
        let Destination { outputs, report, replace_finished, .. } = *destination;
        let destination = Destination {
            input,
            title,
            subtitle,
            source,
            noun,
            kernel,
            color,
            size,
            label,
            images: images.as_ref(),
            flat: None,
            outputs,
            report,
            replace_finished,
            registered: None,
        };
        return mapping::finish(&part, &mapped, &destination, map.embed.seed, watch, terminal);
    };
    terminal.headline(&format!(
        "placed {} around {} landmarks in {}",
        counted(rest.len(), nouns.0, nouns.1),
        count(on_map.len()),
        duration(started.elapsed().as_secs_f64())
    ));
    let mut coordinates = Array2::zeros((n, 3));
    let mut misfit = vec![f64::NAN; n];
    for (&row, place) in on_map.iter().zip(ground.coordinates().rows()) {
        coordinates.row_mut(row).assign(&place);
    }
    for (at, &row) in rest.iter().enumerate() {
        coordinates.row_mut(row).assign(&placed.coordinates.row(at));
        misfit[row] = placed.misfit[at];
    }
    let mut items = dataset.items.clone();
    let name = |&is_landmark: &bool| if is_landmark { "landmark" } else { "placed" }.to_owned();
    items.set_column(PART, Values::Text(is_landmark.iter().map(name).collect()));
    items.set_column(MISFIT, Values::Number(misfit));
    watch.begin(Stage::Write);
    let written = write(destination, loaded, items, &coordinates, &ground, terminal)?;
    watch.end();
    if let Some(path) = destination.report {
        let mut report =
            Report::new(destination.input, &part, &mapped.facts, &mapped.p, Some(&mapped.embedding), map.embed.seed);
        report.input.n = n;
        report.placed = Some(rest.len());
        report.seconds = watch.seconds();
        report.peak_rss_bytes = memory::peak();
        report.outputs = written;
        report.write(path)?;
        terminal.say(&format!("wrote {}", path.display()));
    }
    if let Some(path) = args.growth.model.as_deref() {
        model::save(path, &ground, terminal)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The items around the landmarks.
struct Placing {
    /// The model of the landmarks.
    ground: Model,
    is_landmark: Vec<bool>,
    /// The rows of the landmarks on the map, and of all other items.
    on_map: Vec<usize>,
    rest: Vec<usize>,
    placed: Placed,
}

/// Places the items that are no landmarks. `None` if the run was stopped: the map of the landmarks is there, and is written.
fn place(
    dataset: &Dataset,
    points: &Points<'_>,
    chosen: &[usize],
    part: &Loaded,
    mapped: &Mapped<'_>,
    map: &MapArgs,
    watch: &mut Watch,
) -> Result<Option<Placing>> {
    if mapped.embedding.stopped {
        return Ok(None);
    }
    let on_map: Vec<usize> = mapped.p.kept().iter().map(|&row| chosen[row]).collect();
    let mut is_landmark = vec![false; dataset.items.len()];
    for &row in &on_map {
        is_landmark[row] = true;
    }
    let rest: Vec<usize> = (0..is_landmark.len()).filter(|&row| !is_landmark[row]).collect();
    let made = model::make(part, mapped, map, watch).and_then(|ground| {
        let placed = transform(&ground, &Data::Points(points.select(&rest)), watch)
            .map_err(|error| model::of_model(error, &dataset.items.select(&rest)))?;
        Ok((ground, placed))
    });
    watch.end();
    match made {
        Err(_) if interrupt::reason().is_some() => Ok(None),
        made => made.map(|(ground, placed)| Some(Placing { ground, is_landmark, on_map, rest, placed })),
    }
}

/// The landmarks as data of their own.
fn part_of(loaded: &Loaded, points: &Points<'_>, rows: &[usize]) -> Loaded {
    let Dataset { items, partners, .. } = &loaded.dataset;
    let data = Data::Points(points.select(rows));
    loaded.with_dataset(Dataset { items: items.select(rows), data, partners: partners.clone() })
}

fn write(
    destination: &Destination<'_>,
    loaded: &Loaded,
    mut items: Items,
    coordinates: &Array2<f64>,
    ground: &Model,
    terminal: Terminal,
) -> Result<Vec<String>> {
    let all: Vec<usize> = (0..items.len()).collect();
    let atlas = if destination.outputs.iter().any(Output::has_columns) {
        Atlas::of(&items, Space::Sphere, &coordinates.view(), Known::of(&loaded.dataset, &all, None))
    } else {
        None
    };
    if let Some(atlas) = &atlas {
        atlas.add_columns(&mut items);
    }
    let table = EmbeddingTable { items: &items, coordinates: coordinates.view(), radius: Some(ground.radius()) };
    let picture = Picture {
        subtitle: destination.subtitle,
        source: destination.source,
        noun: destination.noun,
        color: destination.color,
        size: destination.size,
        label: destination.label,
        sprites: destination.images.map(Images::sprites),
        atlas: atlas.as_ref(),
        ..Picture::of_table(&table, destination.title)
    };
    write_all(destination.outputs, &table, &picture, terminal)
}
