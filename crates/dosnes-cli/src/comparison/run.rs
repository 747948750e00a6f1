//! Makes all maps of a comparison, measures them and writes the results.

use super::{
    kept::KeptMaps,
    stability::{self, Seeds, Stability},
    table::{measures, plain, write_with_stability},
};
use crate::{
    args::{MemoryArgs, NormalizeArgs, SimilarityArgs},
    atlas::{Atlas, Known},
    failure::{self, Failure},
    interrupt::{self, Reason},
    memory,
    numbers::duration,
    output::{ending, write_whole},
    picture::{Other, Picture},
    progress::Watch,
    stages,
    summary::{self, Nouns},
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::ndarray::Array2;
use dosnes::{
    Named, Space,
    compare::{Column, Method, MethodMap, Table},
    input::{Items, Values},
    optimize::Radius,
    pca::widest_view,
    quality::{Better, Map, Measure, NamedMeasure, QualityOptions, Subject},
};
use dosnes_io::Loaded;
use dosnes_view::Figure;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Default number of views on the page; more would be too narrow.
const VIEWS: usize = 4;
/// Number of labels in a figure.
const LABELS: usize = 30;

/// The requested methods, in the order of the table.
pub(crate) fn chosen(only: &[Method]) -> Vec<Method> {
    Method::ALL.iter().copied().filter(|method| only.is_empty() || only.contains(method)).collect()
}

/// What is compared, and how.
pub(crate) struct Plan<'a> {
    /// The title of the page.
    pub(crate) title: &'a str,
    /// The word for an item, singular and plural.
    pub(crate) nouns: Nouns,
    /// Output files. The folder with the maps is next to the first one.
    pub(crate) outputs: &'a [PathBuf],
    /// The methods.
    pub(crate) methods: Vec<Method>,
    /// The methods on the page; if empty, the first few.
    pub(crate) views: Vec<Method>,
    /// Seeds. The page shows the maps of the first one.
    pub(crate) seeds: Vec<u64>,
    /// The column with the classes.
    pub(crate) classes: Option<&'a str>,
    /// The column that sets the colours.
    pub(crate) color: Option<&'a str>,
    /// Width of .png figures; 0 for .svg figures.
    pub(crate) figure_width: u32,
    /// How points and distances become similarities.
    pub(crate) similarity: &'a SimilarityArgs,
    /// How similarities are normalised for DOSNES.
    pub(crate) normalize: &'a NormalizeArgs,
    /// How large the spheres may become.
    pub(crate) radius: Radius,
    /// Limits of memory.
    pub(crate) memory: &'a MemoryArgs,
}

/// Makes all maps, measures them, writes the comparison.
pub(crate) fn compare(loaded: &Loaded, plan: &Plan<'_>, watch: &mut Watch, terminal: Terminal) -> Result<ExitCode> {
    let dataset = &loaded.dataset;
    let seed = plan.seeds.first().copied().unwrap_or(0);
    let (similarities, p) = stages::normalize(dataset, plan.similarity, plan.normalize, seed, plan.memory, watch)?;
    summary::similarities(terminal, &similarities.facts(), similarities.similarity.len(), plan.nouns);
    summary::normalization(terminal, &p, &dataset.items, plan.nouns);
    let mut items = dataset.items.select(p.kept());
    let of_library = |error| failure::of_library(error, &dataset.items);
    let metric = plan.similarity.metric();
    let mut subject = Subject::new(&dataset.data, &similarities.similarity, metric, &p, watch).map_err(of_library)?;
    if let Some(name) = plan.classes {
        subject = subject.with_classes(items.classes(name).map_err(|e| Failure::BadInput(e.to_string()))?);
        numbers_become_names(&mut items, name);
    }
    let Some(first_output) = plan.outputs.first() else { anyhow::bail!("no output was given") };
    let kept = KeptMaps::beside(first_output, &items, &subject)?;
    interrupt::hold_result();

    let mut columns = Vec::new();
    let mut shown: Vec<(Method, Array2<f64>)> = Vec::new();
    let mut stable: Vec<Stability> = Vec::new();
    for &method in &plan.methods {
        // A deterministic method gives the same map for every seed.
        let seeds = if method.is_scaling() { &plan.seeds[..1] } else { &plan.seeds[..] };
        let mut column = Column { key: method.name().into(), label: method.label().into(), runs: Vec::new() };
        let mut maps = Seeds::of(method);
        for &seed in seeds {
            let made = if let Some(made) = kept.find(method, seed, items.len()) {
                terminal.say(&format!("{}, seed {seed}: reused the finished map", method.label()));
                made
            } else {
                let started = Instant::now();
                let made = match method.make(&subject, plan.radius, seed, memory::dense_limit(plan.memory), watch) {
                    Ok(made) => made,
                    Err(dosnes::Error::Stopped) => return Ok(stopped(&kept, terminal)),
                    Err(error) => return Err(failure::of_library(error, &items).into()),
                };
                watch.end();
                let seconds = started.elapsed().as_secs_f64();
                kept.keep(method, seed, &made, seconds, &items)?;
                say_made(method, seed, &made, seconds, terminal);
                made
            };
            let map = Map::new(made.coordinates.view(), method.space()).map_err(of_library)?;
            let options = QualityOptions { seed, ..QualityOptions::default() };
            let own = method.affinities(&subject).matrix();
            let mut measured = match subject.evaluate(&map, own, method.kernel(), &options, watch) {
                Ok(measured) => measured,
                Err(dosnes::Error::Stopped) => return Ok(stopped(&kept, terminal)),
                Err(error) => return Err(failure::of_library(error, &items).into()),
            };
            watch.end();
            if let Some(stress) = made.stress {
                measured.measures.push(NamedMeasure {
                    key: "stress".into(),
                    label: "Kruskal's stress".into(),
                    better: Better::None,
                    measure: Measure::exact(stress),
                });
            }
            maps.add(&made.coordinates);
            if column.runs.is_empty() {
                draw(&kept, method, seed, &made, &items, subject.degrees(), plan)?;
                shown.push((method, made.coordinates));
            }
            column.runs.push(measured);
        }
        stable.extend(maps.measure(&mut column, &items, terminal)?);
        columns.push(column);
    }
    stability::keep(&stable, &mut items, &kept)?;
    let unsteady = stable.first().map(Stability::column);
    let table = Table { columns };
    terminal.say(&plain(&table));
    for path in plan.outputs {
        if ending(path) == "html" {
            write_whole(path, &page(&shown, &table, &items, unsteady.as_deref(), &subject, plan)?)?;
        } else {
            write_with_stability(path, &table, &items, &stable)?;
        }
    }
    let names: Vec<String> = plan.outputs.iter().map(|path| path.display().to_string()).collect();
    terminal.say(&format!("wrote {}; maps and figures are in {}", names.join(", "), kept.folder().display()));
    Ok(ExitCode::SUCCESS)
}

fn say_made(method: Method, seed: u64, made: &MethodMap, seconds: f64, terminal: Terminal) {
    let stress = made.stress.map(|stress| format!(", stress {stress:.4}")).unwrap_or_default();
    let landmarks = made.landmarks.map(|count| format!(" of {count} landmarks")).unwrap_or_default();
    terminal.headline(&format!("{}, seed {seed}: {}{stress}{landmarks}", method.label(), duration(seconds)));
}

/// Turns class numbers into names, so that figures show them as classes too.
fn numbers_become_names(items: &mut Items, column: &str) {
    for column in items.columns.iter_mut().filter(|c| c.name == column) {
        if let Values::Number(numbers) = &column.values {
            let name = |v: &f64| if v.is_finite() { v.to_string() } else { String::new() };
            column.values = Values::Text(numbers.iter().map(name).collect());
        }
    }
}

fn stopped(kept: &KeptMaps, terminal: Terminal) -> ExitCode {
    let (folder, reason) = (kept.folder().display(), interrupt::reason());
    terminal.note(&format!(
        "{}; finished maps are in {folder}. Run the same command again to continue",
        reason.map_or("stopped", Reason::name)
    ));
    reason.map_or(ExitCode::FAILURE, Reason::exit_code)
}

/// Draws a static figure of a map in the folder of the maps.
fn draw(
    kept: &KeptMaps,
    method: Method,
    seed: u64,
    made: &MethodMap,
    items: &Items,
    degrees: &[f64],
    plan: &Plan<'_>,
) -> Result<()> {
    let flat;
    let (space, coordinates) = if method.space() == Space::Volume {
        // From the direction with the widest view.
        flat = widest_view(made.coordinates.view())?;
        (Space::Plane, flat.view())
    } else {
        (method.space(), made.coordinates.view())
    };
    let mut figure = Figure::new(items, space, coordinates);
    figure.title = method.label();
    figure.weights = Some(degrees);
    figure.color = plan.color;
    figure.labels = LABELS;
    if plan.figure_width > 0 {
        figure.width = plan.figure_width;
        write_whole(&kept.file(method, seed, "png"), &figure.to_png()?)?;
    } else {
        write_whole(&kept.file(method, seed, "svg"), figure.to_svg()?.as_bytes())?;
    }
    Ok(())
}

/// The page with the maps side by side and the table of all measures. `unsteady` is the column with the angles between seeds.
fn page(
    shown: &[(Method, Array2<f64>)],
    table: &Table,
    items: &Items,
    unsteady: Option<&str>,
    subject: &Subject<'_>,
    plan: &Plan<'_>,
) -> Result<Vec<u8>> {
    let wanted: Vec<Method> = if plan.views.is_empty() {
        Method::TELLING.into_iter().filter(|method| shown.iter().any(|s| s.0 == *method)).take(VIEWS).collect()
    } else {
        plan.views.clone()
    };
    let views: Vec<&(Method, Array2<f64>)> =
        wanted.iter().filter_map(|method| shown.iter().find(|s| s.0 == *method)).collect();
    let Some((first, rest)) = views.split_first() else { anyhow::bail!("none of the methods of --views was made") };
    let known = Known { weights: Some(subject.degrees()), ..Known::default() };
    let atlas = Atlas::of(items, first.0.space(), &first.1.view(), known);
    let picture = Picture {
        title: plan.title,
        subtitle: "",
        source: "",
        name: first.0.label(),
        noun: plan.nouns.1,
        items,
        space: first.0.space(),
        coordinates: first.1.view(),
        radius: None,
        similar: Some(subject.affinities().direct()),
        given: None,
        degree: Some(subject.degrees()),
        color: plan.color.or(unsteady),
        size: None,
        label: None,
        states: &[],
        before: None,
        sprites: None,
        others: rest
            .iter()
            .map(|(method, coordinates)| Other {
                name: method.label(),
                space: method.space(),
                coordinates: coordinates.view(),
                radius: None,
            })
            .collect(),
        flat: None,
        measures: Some(measures(table, plan.nouns.1)),
        atlas: atlas.as_ref(),
    };
    picture.html()
}
