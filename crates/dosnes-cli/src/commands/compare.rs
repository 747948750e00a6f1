//! `dosnes compare`: the same data by several methods, measured.

use crate::{
    args::{CompareArgs, MemoryArgs, NormalizeArgs, SimilarityArgs},
    commands::{
        embed::title,
        evaluate::{check_ending, write_table},
        view::check_column,
    },
    comparison::{Column, KeptMaps, Made, Method, Recipe, Subject, Table},
    estimate, failure, interrupt,
    numbers::duration,
    output::{check_files, ending, write_whole},
    progress::Watch,
    stages,
    summary::{self, Nouns},
    terminal::Terminal,
};
use anyhow::Result;
use dosnes::{
    normalize,
    optimize::Space,
    quality::{Map, Params},
};
use dosnes_io::Loaded;
use dosnes_view::{Figure, Page, View};
use ndarray::{Array2, Axis};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Views that the page shows unless told otherwise: more are too narrow.
const VIEWS: usize = 4;
/// Labels in a figure.
const LABELS: usize = 30;

/// Runs the command.
pub(crate) fn run(args: &CompareArgs, terminal: Terminal) -> Result<ExitCode> {
    for path in &args.output {
        check_ending(path, &["html", "md", "csv", "json"])?;
    }
    check_files(args.output.iter().map(PathBuf::as_path), Some(&args.input))?;
    let mut watch = Watch::new(terminal);
    let loaded = stages::read(&args.input, &args.read, &args.memory, &mut watch, terminal)?;
    let plan = Plan {
        title: &title(&args.input),
        nouns: summary::nouns(&loaded.dataset.data),
        outputs: &args.output,
        methods: chosen(&args.only),
        views: args.views.clone(),
        seeds: (args.measure.seed..).take(args.seeds as usize).collect(),
        classes: args.measure.classes.as_deref(),
        color: args.color.as_deref().or(args.measure.classes.as_deref()),
        figure_width: args.figure_width,
        similarity: &args.similarity,
        normalize: &args.normalize,
        memory: &args.memory,
    };
    check_column(&loaded.dataset.items, plan.color, &args.input)?;
    compare(&loaded, &plan, &mut watch, terminal)
}

/// The methods that were asked for, in the order of tables.
pub(crate) fn chosen(only: &[Method]) -> Vec<Method> {
    Method::ALL.into_iter().filter(|method| only.is_empty() || only.contains(method)).collect()
}

/// What is compared, and how.
pub(crate) struct Plan<'a> {
    /// The heading of the page.
    pub(crate) title: &'a str,
    /// What one calls the items.
    pub(crate) nouns: Nouns,
    /// Where the comparison goes. The maps go beside the first.
    pub(crate) outputs: &'a [PathBuf],
    /// Which methods.
    pub(crate) methods: Vec<Method>,
    /// Which of them are on the page; none: the first few.
    pub(crate) views: Vec<Method>,
    /// Seeds; the first one's maps are shown.
    pub(crate) seeds: Vec<u64>,
    /// The column of classes.
    pub(crate) classes: Option<&'a str>,
    /// The column that pictures are coloured by.
    pub(crate) color: Option<&'a str>,
    /// Width of .png figures; 0: .svg.
    pub(crate) figure_width: u32,
    /// How points and distances become similarities.
    pub(crate) similarity: &'a SimilarityArgs,
    /// How DOSNES' are normalised.
    pub(crate) normalize: &'a NormalizeArgs,
    /// When memory does not suffice.
    pub(crate) memory: &'a MemoryArgs,
}

/// Makes all maps, measures them, writes the comparison.
pub(crate) fn compare(loaded: &Loaded, plan: &Plan<'_>, watch: &mut Watch, terminal: Terminal) -> Result<ExitCode> {
    let dataset = &loaded.dataset;
    let seed = plan.seeds.first().copied().unwrap_or(0);
    let (similarities, p) =
        stages::doubly_stochastic(dataset, plan.similarity, plan.normalize, seed, plan.memory, watch)?;
    summary::similarities(terminal, &similarities, plan.nouns);
    summary::normalization(terminal, &p, &dataset.items, plan.nouns);
    let untouched = normalize::Params { method: normalize::Method::None, ..normalize::Params::default() };
    let of_library = |error| failure::of_library(error, &dataset.items);
    let given = normalize(&similarities.similarity, &untouched).map_err(of_library)?;
    let metric = plan.similarity.params(seed).metric;
    let subject = Subject::new(&dataset.data, &dataset.items, &similarities.similarity, metric, &p, plan.classes)?;
    let recipe = Recipe { subject: &subject, given: &given, memory_limit: estimate::dense_limit(plan.memory) };
    let Some(first_output) = plan.outputs.first() else { anyhow::bail!("there is no output") };
    let kept = KeptMaps::beside(first_output, &recipe)?;

    let mut columns = Vec::new();
    let mut shown: Vec<(Method, Array2<f64>)> = Vec::new();
    for &method in &plan.methods {
        // What knows no chance is the same for every seed.
        let seeds = if method.is_scaling() { &plan.seeds[..1] } else { &plan.seeds[..] };
        let mut column =
            Column { key: method.key().into(), label: method.label().into(), runs: Vec::new(), curve: Vec::new() };
        for &seed in seeds {
            let made = match kept.find(method, seed, subject.items.len()) {
                Some(made) => {
                    terminal.say(&format!("{}, seed {seed}: kept from before", method.label()));
                    made
                }
                None => match method.make(&recipe, seed, watch)? {
                    Some(made) => {
                        kept.keep(method, seed, &made, &recipe)?;
                        say_made(method, seed, &made, terminal);
                        made
                    }
                    None => return Ok(stopped(&kept, terminal)),
                },
            };
            let own = if method == Method::Dosnes { p.matrix() } else { given.matrix() };
            let map = Map::new(made.coordinates.view(), method.space()).map_err(of_library)?;
            let params = Params { seed, ..Params::default() };
            let measured = subject.measure(&map, own, method.kernel(), &params).map_err(of_library)?;
            if interrupt::asked() {
                return Ok(stopped(&kept, terminal));
            }
            if column.runs.is_empty() {
                draw(&kept, method, seed, &made, &subject, plan)?;
                column.curve = measured.curve;
                shown.push((method, made.coordinates));
            }
            column.runs.push(measured.rows);
        }
        columns.push(column);
    }
    let table = Table { columns };
    terminal.say(&table.plain());
    for path in plan.outputs {
        if ending(path) == "html" {
            write_whole(path, &page(&shown, &table, &subject, plan)?)?;
        } else {
            write_table(path, &table)?;
        }
    }
    let names: Vec<String> = plan.outputs.iter().map(|path| path.display().to_string()).collect();
    terminal.say(&format!("wrote {}; maps and figures are in {}", names.join(", "), kept.folder().display()));
    Ok(ExitCode::SUCCESS)
}

fn say_made(method: Method, seed: u64, made: &Made, terminal: Terminal) {
    let stress = made.stress.map(|stress| format!(", stress {stress:.4}")).unwrap_or_default();
    let landmarks = made.landmarks.map(|count| format!(" of {count} landmarks")).unwrap_or_default();
    terminal.headline(&format!("{}, seed {seed}: {}{stress}{landmarks}", method.label(), duration(made.seconds)));
}

fn stopped(kept: &KeptMaps, terminal: Terminal) -> ExitCode {
    let folder = kept.folder().display();
    terminal
        .note(&format!("stopped by Ctrl-C; finished maps are kept in {folder}: the same command goes on from there"));
    ExitCode::from(failure::INTERRUPTED)
}

/// A still figure of a map, in the folder of the maps.
fn draw(kept: &KeptMaps, method: Method, seed: u64, made: &Made, subject: &Subject<'_>, plan: &Plan<'_>) -> Result<()> {
    let (space, flat) = match method.space() {
        space @ (Space::Sphere | Space::Plane) => (space, made.coordinates.clone()),
        // From the side on which there is most to see.
        Space::Space => (Space::Plane, widest_view(&made.coordinates)),
    };
    let mut figure = Figure::new(&subject.items, space, flat.view());
    figure.title = method.label();
    figure.weights = Some(&subject.degrees);
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

/// Points in space as seen along the axis of least variance.
fn widest_view(y: &Array2<f64>) -> Array2<f64> {
    let n = y.nrows() as f64;
    let centred = y - &(y.sum_axis(Axis(0)) / n);
    let covariance = centred.t().dot(&centred);
    // The two leading axes by power iteration with deflation: three dimensions need no more.
    let mut axes: Vec<[f64; 3]> = Vec::new();
    for start in [[0.6, 0.5, 0.4], [0.4, -0.6, 0.5]] {
        let mut v = start;
        for _ in 0..500 {
            let mut w: [f64; 3] = std::array::from_fn(|i| (0..3).map(|j| covariance[[i, j]] * v[j]).sum());
            for axis in &axes {
                let along: f64 = (0..3).map(|k| w[k] * axis[k]).sum();
                w = std::array::from_fn(|k| w[k] - along * axis[k]);
            }
            let length = w.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.0 {
                v = w.map(|x| x / length);
            }
        }
        axes.push(v);
    }
    Array2::from_shape_fn((y.nrows(), 2), |(i, k)| (0..3).map(|j| centred[[i, j]] * axes[k][j]).sum())
}

/// The maps side by side, and the table of all measures.
fn page(shown: &[(Method, Array2<f64>)], table: &Table, subject: &Subject<'_>, plan: &Plan<'_>) -> Result<Vec<u8>> {
    let mut page = Page::new(plan.title, &subject.items);
    page.measures = Some(table.measures());
    page.noun = plan.nouns.1;
    page.similarity = Some(subject.p.matrix());
    page.degree = Some(&subject.degrees);
    page.color = plan.color;
    let wanted: Vec<Method> = if plan.views.is_empty() {
        let order = <Method as clap::ValueEnum>::value_variants();
        order.iter().copied().filter(|method| shown.iter().any(|s| s.0 == *method)).take(VIEWS).collect()
    } else {
        plan.views.clone()
    };
    for (method, coordinates) in wanted.iter().filter_map(|method| shown.iter().find(|s| s.0 == *method)) {
        page.views.push(View::new(method.label(), method.space(), coordinates.view()));
    }
    Ok(page.to_html()?)
}

/// Makes sure that a folder is there.
pub(crate) fn make_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(|error| {
        failure::Failure::NotPossible(format!("cannot make the folder {}: {error}", path.display())).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_cloud_in_space_is_seen_from_above() {
        let y = Array2::from_shape_fn((50, 3), |(i, k)| match k {
            0 => (i as f64).sin(),
            1 => 5.0 * (1.7 * i as f64).cos(),
            _ => 0.0,
        });
        let view = widest_view(&y);
        let spread = |k: usize| view.column(k).iter().map(|v| v * v).sum::<f64>();
        let total: f64 = (0..3).map(|k| y.column(k).iter().map(|v| v * v).sum::<f64>()).sum();
        assert!(spread(0) > spread(1));
        // Centring takes away a little.
        assert!(spread(0) + spread(1) > 0.95 * total);
    }
}
