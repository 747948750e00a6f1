//! Models of maps: made with a map, and used to go on with it.

use crate::{
    args::{MapArgs, MemoryArgs, ReadArgs},
    failure::{Failure, of_library, some_names},
    interrupt,
    mapping::Mapped,
    numbers::{bytes, count, counted},
    output::print,
    progress::Watch,
    stages,
    terminal::{Terminal, harmless},
};
use anyhow::Result;
use dosnes::growth::{ModelError, ModelParts, connect, connect_all};
use dosnes::input::{Column, Data, Items, Points, Values};
use dosnes::ndarray::Axis;
use dosnes::{Kind, Model, Space};
use dosnes_io::{Loaded, write_model};
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// Finds what prevents a model before the work.
pub(crate) fn check(path: &Path, map: &MapArgs, read: &ReadArgs) -> Result<()> {
    check_name(path)?;
    if map.embed.space != Space::Sphere {
        return Err(Failure::BadInput(ModelError::Space.to_string()).into());
    }
    for (given, option) in [(read.standardize.is_some(), "--standardize"), (read.counts, "--counts")] {
        if given {
            return Err(Failure::BadInput(format!(
                "--model keeps the columns as they are in the file, so {option} cannot be repeated on new items; prepare the \
                 data before, and leave {option} out"
            ))
            .into());
        }
    }
    Ok(())
}

/// Checks the name of a model before the work.
pub(crate) fn check_name(path: &Path) -> Result<()> {
    Ok(dosnes_io::check_model_name(path).map_err(|error| Failure::BadInput(error.to_string()))?)
}

/// Maps of distances have no models.
pub(crate) fn check_kind(kind: Kind) -> Result<()> {
    match kind {
        Kind::Distance => Err(Failure::BadInput(ModelError::Kind(kind).to_string()).into()),
        _ => Ok(()),
    }
}

/// Makes the model of a map and writes it. An unfinished map is no ground for others: it has no model, and an older one stays.
pub(crate) fn write_unless_stopped(
    path: &Path,
    loaded: &Loaded,
    mapped: &Mapped<'_>,
    map: &MapArgs,
    terminal: Terminal,
) -> Result<()> {
    let is_stopped = || interrupt::reason().is_some();
    if !is_stopped() {
        match make(loaded, mapped, map, &mut Watch::new(terminal)) {
            Err(_) if is_stopped() => {}
            model => return save(path, &model?, terminal),
        }
    }
    terminal.note(&format!("{} was not written, because the run was stopped", path.display()));
    Ok(())
}

/// Makes the model of a map.
pub(crate) fn make(loaded: &Loaded, mapped: &Mapped<'_>, map: &MapArgs, watch: &mut Watch) -> Result<Model> {
    let options = map.similarity.options(map.embed.seed);
    let again;
    let similarities = if let Some(similarities) = &mapped.similarities {
        similarities
    } else {
        // A checkpoint does not hold them.
        again = dosnes::similarities(&loaded.dataset.data, &options, watch)
            .map_err(|error| of_library(error, &loaded.dataset.items))?;
        &again
    };
    let parts = ModelParts {
        ids: &loaded.dataset.items.ids,
        columns: loaded.dataset.partners.as_ref().map(|partners| &partners.ids[..]),
        data: &loaded.dataset.data,
        options: &options,
        similarities,
        affinities: &mapped.p,
        embedding: &mapped.embedding,
        kernel: map.embed.kernel,
    };
    let model = Model::new(&parts, watch).map_err(|error| of_model(error, &loaded.dataset.items))?;
    watch.end();
    Ok(model)
}

/// Writes a model and says how large it is.
pub(crate) fn save(path: &Path, model: &Model, terminal: Terminal) -> Result<()> {
    let size = write_model(path, model)?;
    terminal.say(&format!(
        "wrote {}, the model of {}: {}",
        path.display(),
        counted(model.len(), "item", "items"),
        bytes(size)
    ));
    Ok(())
}

/// What a model contains, in a form for programs.
#[derive(Debug, Serialize)]
struct ModelInfo<'a> {
    file: String,
    kind: &'static str,
    /// The kind of data.
    data: &'static str,
    n: usize,
    radius: f64,
    kernel: &'static str,
    /// Columns of the data.
    columns: usize,
    column_names: &'a [String],
    /// Principal components.
    components: Option<usize>,
    metric: Option<&'static str>,
    perplexity: Option<f64>,
    /// How often the map has grown, and by how many items in total.
    generations: usize,
    grown: usize,
    bytes: u64,
}

/// Prints what a model contains.
pub(crate) fn describe(path: &Path, json: bool) -> Result<ExitCode> {
    let model = stages::read_model(path, &MemoryArgs::default())?;
    let (generations, grown) = model.growth();
    let info = ModelInfo {
        file: path.display().to_string(),
        kind: "model",
        data: model.kind().name(),
        n: model.len(),
        radius: model.radius(),
        kernel: model.kernel().name(),
        columns: model.dimensions(),
        column_names: model.columns(),
        components: model.components(),
        metric: model.metric().map(dosnes::neighbors::Metric::name),
        perplexity: model.perplexity(),
        generations,
        grown,
        bytes: std::fs::metadata(path).map_or(0, |file| file.len()),
    };
    let text = if json { format!("{}\n", serde_json::to_string_pretty(&info)?) } else { info.text() };
    print(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

impl ModelInfo<'_> {
    fn text(&self) -> String {
        let reduced =
            self.components.map_or_else(String::new, |count| format!(", reduced to {count} principal components"));
        let mut text = format!(
            "{}: a model of dosnes, {}\n  {} on a sphere of radius {:.2} ({} kernel)\n  made of data of the kind {}: \
             {}{reduced}\n",
            harmless(&self.file),
            bytes(self.bytes),
            counted(self.n, "item", "items"),
            self.radius,
            self.kernel,
            self.data,
            counted(self.columns, "column", "columns")
        );
        if let (Some(metric), Some(perplexity)) = (self.metric, self.perplexity) {
            let _ = writeln!(text, "  {metric} distance, perplexity {perplexity:.1}");
        }
        if self.generations > 0 {
            let times = counted(self.generations, "time", "times");
            let _ = writeln!(text, "  grown {times} by {}", counted(self.grown, "item", "items"));
        }
        text
    }
}

/// The error of a model, with ids instead of row numbers.
pub(crate) fn of_model(error: ModelError, items: &Items) -> Failure {
    match error {
        ModelError::Library(error) => of_library(error, items),
        other => Failure::BadInput(other.to_string()),
    }
}

/// What is done with new items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// They are placed, each for itself.
    Transform,
    /// They are added, with the links between them.
    Grow,
}

/// Reads new items, with the columns in the order of the model.
pub(crate) fn read_new(
    path: &Path,
    model: &Model,
    purpose: Purpose,
    read: &ReadArgs,
    memory: &MemoryArgs,
    watch: &mut Watch,
    terminal: Terminal,
) -> Result<Loaded> {
    let read = ReadArgs { kind: read.kind.or(Some(model.kind())), one_item: true, ..read.clone() };
    let mut loaded = stages::read(path, &read, memory, watch, terminal)?;
    if model.kind() != Kind::Points {
        return connected(path, model, purpose, loaded, terminal);
    }
    let names = loaded.dataset.partners.as_ref().map(|partners| partners.ids.clone());
    let (Some(names), false) = (names, model.columns().is_empty()) else { return Ok(loaded) };
    if names == model.columns() {
        return Ok(loaded);
    }
    let place: HashMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    let found: Vec<Option<usize>> = model.columns().iter().map(|name| place.get(name.as_str()).copied()).collect();
    let refuse = |problem: String| Err(Failure::BadInput(format!("{}: {problem}", path.display())).into());
    let missing: Vec<&str> =
        model.columns().iter().zip(&found).filter(|(_, at)| at.is_none()).map(|(name, _)| name.as_str()).collect();
    if !missing.is_empty() {
        let shown = missing.iter().take(10).map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        return refuse(format!(
            "{} of the {} columns of the map's data are missing here: {shown}",
            count(missing.len()),
            count(model.columns().len())
        ));
    }
    let order: Vec<usize> = found.into_iter().flatten().collect();
    let chosen = match &loaded.dataset.data {
        Data::Points(Points::Dense(x)) => Points::from(x.select(Axis(1), &order)),
        Data::Points(Points::Dense64(x)) => Points::from(x.select(Axis(1), &order)),
        Data::Points(Points::Rounded(x)) => Points::Rounded(x.select(Axis(1), &order).into()),
        _ => return refuse("its columns are in another order than those of the map's data".to_owned()),
    };
    loaded.dataset.data = Data::Points(chosen);
    if names.len() > order.len() {
        terminal.note(&format!(
            "{}: {} further columns are not used",
            path.display(),
            count(names.len() - order.len())
        ));
    }
    Ok(loaded)
}

/// New items of a network, with their links to the items of the map.
fn connected(path: &Path, model: &Model, purpose: Purpose, mut loaded: Loaded, terminal: Terminal) -> Result<Loaded> {
    let dataset = &loaded.dataset;
    let partners = dataset.partners.as_ref().map(|partners| &partners.ids[..]);
    let found = match purpose {
        Purpose::Transform => connect(model, &dataset.items.ids, partners, &dataset.data),
        Purpose::Grow => connect_all(model, &dataset.items.ids, partners, &dataset.data),
    };
    let found = found.map_err(|error| of_model(error, &dataset.items))?;
    if !found.unconnected.is_empty() {
        terminal.note(&format!(
            "left out {} without a link to the map: {}",
            counted(found.unconnected.len(), "new item", "new items"),
            some_names(&found.unconnected, &dataset.items)
        ));
    }
    if found.unused > 0 {
        terminal.note(&format!(
            "{} to other new items or to unknown columns are not used",
            counted(found.unused, "link", "links")
        ));
    }
    if found.rows.is_empty() {
        let problem = "it has no new item with a link to the map; new items are those whose ids are not on the map";
        return Err(Failure::BadInput(format!("{}: {problem}", path.display())).into());
    }
    loaded.dataset.items = dataset.items.select(&found.rows);
    loaded.dataset.data = found.data;
    Ok(loaded)
}

/// The column that tells old items from new ones, or landmarks from the others.
pub(crate) const PART: &str = "part";
/// The column with the share of items that fit better.
pub(crate) const MISFIT: &str = "misfit";

/// Old items followed by new ones. The columns of the new ones are empty for the old ones.
pub(crate) fn with_old(old: &[String], new: &Items) -> Items {
    let part = |name: &str, count: usize| std::iter::repeat_n(name.to_owned(), count);
    let mut items = Items { ids: old.iter().chain(&new.ids).cloned().collect(), columns: Vec::new() };
    let parts = Values::Text(part("old", old.len()).chain(part("new", new.len())).collect());
    for Column { name, values } in &new.columns {
        let values = match values {
            Values::Text(texts) => Values::Text(part("", old.len()).chain(texts.iter().cloned()).collect()),
            Values::Number(numbers) => {
                Values::Number(std::iter::repeat_n(f64::NAN, old.len()).chain(numbers.iter().copied()).collect())
            }
        };
        items.columns.push(Column { name: name.clone(), values });
    }
    items.set_column(PART, parts);
    items
}
