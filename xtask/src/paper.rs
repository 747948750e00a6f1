//! `cargo xtask paper`: computes every figure and table of docs/paper.md again.
//!
//! Finished maps are kept (next to the figures, or in `target/paper`; none are committed), so a run that was stopped
//! can be continued. Tables are in docs/paper.md between `<!-- table NAME -->` and `<!-- end -->`. The sentences about
//! them are written by hand: check them when the tables change.

mod tables;

use std::path::{Path, PathBuf};
use std::process::Command;

/// A dataset, and the options for reading it. `{data}` is the folder of the data that are not bundled.
struct Source {
    /// The folder of its comparison.
    name: &'static str,
    /// Its name in tables.
    label: &'static str,
    /// The file and the options for reading it.
    arguments: &'static [&'static str],
    /// The column with the classes.
    classes: Option<&'static str>,
}

const WORLD_TRADE: Source = Source {
    name: "worldtrade",
    label: "WorldTrade",
    arguments: &["{data}/worldtrade/world_trade.paj"],
    classes: Some("Continent"),
};
const FLIGHTS: Source = Source {
    name: "flights",
    label: "flights",
    arguments: &["crates/dosnes-cli/data/flights.csv", "--items", "crates/dosnes-cli/data/airports.csv"],
    classes: Some("region"),
};
const BLOGS: Source =
    Source { name: "polblogs", label: "polblogs", arguments: &["{data}/graphs/polblogs.mtx.gz"], classes: None };
const COAUTHORS: Source =
    Source { name: "ca-GrQc", label: "ca-GrQc", arguments: &["{data}/graphs/ca-GrQc.mtx.gz"], classes: None };
const NIPS: Source = Source {
    name: "nips",
    label: "NIPS",
    arguments: &[
        "{data}/nips/nips_lcc_paper_author.mtx",
        "--as",
        "dyadic",
        "--transpose",
        "--items",
        "{data}/nips/nips_lcc_authors.txt",
    ],
    classes: None,
};
const NEWS: Source = Source {
    name: "bbc",
    label: "BBC News",
    arguments: &["{data}/dyadic/BBC_News.mtx.gz", "--as", "dyadic", "--items", "{data}/dyadic/BBC_News_labels.txt"],
    classes: Some("BBC_News_labels"),
};
const ACTORS: Source = Source {
    name: "actors",
    label: "film actors",
    arguments: &[
        "{data}/dyadic/wikidata_film_actor.mtx.gz",
        "--as",
        "dyadic",
        "--transpose",
        "--items",
        "{data}/dyadic/wikidata_actors.txt",
    ],
    classes: None,
};
const DEBIAN: Source = Source {
    name: "debian12_deps",
    label: "debian12_deps",
    arguments: &["{data}/graphs/debian12_deps_lcc.mtx.gz", "--items", "{data}/graphs/debian12_deps_nodes.tsv.gz"],
    classes: None,
};
const DIGITS: Source = Source {
    name: "digits",
    label: "digits",
    arguments: &["crates/dosnes-cli/data/digits.csv.gz"],
    classes: Some("label"),
};
const CELLS: Source = Source {
    name: "pbmc3k",
    label: "pbmc3k",
    arguments: &[
        "{data}/singlecell/pbmc3k_counts_2638x2000.mtx.gz",
        "--as",
        "points",
        "--items",
        "{data}/singlecell/pbmc3k_cells.csv",
    ],
    classes: Some("label"),
};
const FEWER_CELLS: Source = Source {
    name: "pbmc68k",
    label: "pbmc68k, reduced",
    arguments: &["{data}/singlecell/pbmc68k_reduced.h5ad"],
    classes: Some("bulk_labels"),
};

/// Datasets with figures and a table of their own.
const SHOWN: [&Source; 3] = [&WORLD_TRADE, &NIPS, &FLIGHTS];

/// Datasets in the table of crowding.
const CROWDING: [&Source; 5] = [&WORLD_TRADE, &FLIGHTS, &BLOGS, &NIPS, &DEBIAN];

/// Datasets in the table of normalisations, and their kinds.
const NORMALISATION: [(&Source, &str); 10] = [
    (&WORLD_TRADE, "similarities"),
    (&FLIGHTS, "graph"),
    (&BLOGS, "graph"),
    (&COAUTHORS, "graph"),
    (&NIPS, "dyadic"),
    (&NEWS, "dyadic"),
    (&ACTORS, "dyadic"),
    (&DIGITS, "points"),
    (&CELLS, "points"),
    (&FEWER_CELLS, "points"),
];

/// The normalisations: a name for files, a display name, and the options.
const WAYS: [(&str, &str, &[&str]); 4] = [
    ("sinkhorn", "sinkhorn", &["--normalize", "sinkhorn"]),
    ("walk", "walk", &["--normalize", "walk"]),
    ("none", "none", &["--normalize", "none"]),
    ("entropic", "symmetric entropic", &["--affinity", "symmetric-entropic", "--normalize", "none"]),
];

/// Number of seeds for each normalisation.
const SEEDS: &str = "3";
/// The methods of the paper, and figures as wide as those of `dosnes reproduce`.
const ALL_METHODS: [&str; 4] =
    ["--only", "dosnes,tsne-2d,tsne-3d,ssne-2d,ssne-3d,mds-2d,mds-3d,mds-sphere", "--figure-width", "960"];

/// The program, the folders and the data of a run.
struct Paper {
    program: PathBuf,
    root: PathBuf,
    data: PathBuf,
}

/// Computes all figures and tables.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let data = crate::tools::need_shared_data(root)?;
    crate::cargo(&["build", "--release", "-p", "dosnes-cli"])?;
    let program = root.join("target/release/dosnes");
    Paper { program, root: root.to_owned(), data }.make()
}

impl Paper {
    fn make(&self) -> Result<(), String> {
        let data = self.data.display().to_string();
        let shown = |name: &str| self.shown(name).display().to_string();
        self.dosnes(&["reproduce", "figure1", "-o", &shown("figure1")])?;
        for experiment in ["worldtrade", "nips"] {
            self.dosnes(&["reproduce", experiment, "--data", &data, "-o", &shown(experiment)])?;
        }
        for source in [&FLIGHTS, &BLOGS] {
            self.compare(source, &self.comparison(source), &ALL_METHODS)?;
        }
        for (source, kind) in NORMALISATION {
            for (name, _, options) in ways(kind) {
                let seeds = ["--only", "dosnes", "--seeds", SEEDS];
                self.compare(source, &self.normalised(source, name), &[*options, &seeds].concat())?;
            }
        }
        // The longest run comes last.
        self.compare(&DEBIAN, &self.comparison(&DEBIAN), &ALL_METHODS)?;
        self.write_tables()
    }

    /// A folder of results that the page shows.
    fn shown(&self, name: &str) -> PathBuf {
        self.root.join("docs/paper").join(name)
    }

    /// The path of a dataset's comparison: on the page if it shows figures of it.
    fn comparison(&self, source: &Source) -> PathBuf {
        let on_page = SHOWN.iter().any(|shown| shown.name == source.name);
        let folder = if on_page { self.shown(source.name) } else { self.root.join("target/paper").join(source.name) };
        folder.join("compare.csv")
    }

    /// The path of the measures of a dataset with one normalisation.
    fn normalised(&self, source: &Source, way: &str) -> PathBuf {
        self.root.join("target/paper/normalisation").join(source.name).join(format!("{way}.csv"))
    }

    /// Runs `dosnes compare`, with output to a file and to the same file in Markdown.
    fn compare(&self, source: &Source, file: &Path, options: &[&str]) -> Result<(), String> {
        let data = self.data.display().to_string();
        let arguments: Vec<String> = source.arguments.iter().map(|part| part.replace("{data}", &data)).collect();
        let folder = file.parent().unwrap_or(&self.root);
        std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        let outputs = [file.to_owned(), file.with_extension("md")].map(|path| path.display().to_string());
        let mut line: Vec<&str> = vec!["compare"];
        line.extend(arguments.iter().map(String::as_str));
        line.extend(source.classes.iter().flat_map(|&column| ["--classes", column]));
        line.extend(outputs.iter().flat_map(|path| ["-o", path]));
        line.extend(options);
        // The setting of the paper, as in `dosnes reproduce`. docs/normalisation.md is about the defaults.
        line.extend(["--steps", "1", "--softness", "0.134", "--radius", "free"]);
        self.dosnes(&line)
    }

    fn dosnes(&self, arguments: &[&str]) -> Result<(), String> {
        eprintln!("── dosnes {}", arguments.join(" "));
        match Command::new(&self.program).args(arguments).current_dir(&self.root).status() {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err(format!("failed: dosnes {}", arguments.join(" "))),
            Err(error) => Err(format!("cannot run {}: {error}", self.program.display())),
        }
    }

    /// Puts the tables into docs/paper.md.
    fn write_tables(&self) -> Result<(), String> {
        let read = |path: &Path| {
            std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
        };
        let file = self.root.join("docs/paper.md");
        let mut page = read(&file)?;
        page = crate::tables::replace(&page, "figure1", &read(&self.shown("figure1/figure1.md"))?)?;
        for source in SHOWN {
            let whole = read(&self.comparison(source).with_extension("md"))?;
            page = crate::tables::replace(&page, source.name, &tables::headline(&whole))?;
        }
        let mut crowding = Vec::new();
        for source in CROWDING {
            crowding.push((source.label, tables::parse(&read(&self.comparison(source))?)?));
        }
        page = crate::tables::replace(&page, "crowding", &tables::crowding(&crowding))?;
        let mut normalisation = Vec::new();
        for (source, kind) in NORMALISATION {
            let mut columns = Vec::new();
            for (way, ..) in ways(kind) {
                columns.push(tables::parse(&read(&self.normalised(source, way))?)?);
            }
            normalisation.push((format!("{}, {kind}", source.label), columns));
        }
        let names: Vec<&str> = WAYS.iter().map(|way| way.1).collect();
        page = crate::tables::replace(&page, "normalisation", &tables::normalisation(&names, &normalisation))?;
        std::fs::write(&file, page).map_err(|error| format!("cannot write {}: {error}", file.display()))
    }
}

/// The normalisations that apply to a kind of data: only points have a choice of affinities.
fn ways(kind: &str) -> &'static [(&'static str, &'static str, &'static [&'static str])] {
    if kind == "points" { &WAYS } else { &WAYS[..3] }
}
