//! Every real file that the project is tried on is read, with the counts of its manifest.
//!
//! The files are not part of the repository; where they are expected is in `tests/shared_data.rs` at the root.

use std::path::{Path, PathBuf};

use crate::shared::folder;
use dosnes::input::{Data, Distances, Points, Values};
use dosnes::observe::Silent;
use dosnes_io::{Error, Format, Kind, Loaded, MissingValues, Note, ReadOptions};

fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Loaded, Error> {
    dosnes_io::read(path, options, &mut Silent)
}

fn shared(file: &str) -> Option<PathBuf> {
    Some(folder()?.join(file))
}

fn open(file: &str, options: &ReadOptions) -> Option<Loaded> {
    let loaded = read(shared(file)?, options).unwrap_or_else(|e| panic!("{e}"));
    println!("{file}: {}", loaded.detected);
    for note in &loaded.notes {
        println!("    {note}");
    }
    Some(loaded)
}

fn graph_size(loaded: &Loaded) -> (usize, usize) {
    match &loaded.dataset.data {
        Data::Graph(graph) => (graph.rows(), graph.nnz()),
        other => panic!("expected a graph, got {}", other.kind()),
    }
}

fn dyadic_size(loaded: &Loaded) -> (usize, usize, usize) {
    match &loaded.dataset.data {
        Data::Dyadic(incidence) => (incidence.rows(), incidence.columns(), incidence.nnz()),
        other => panic!("expected dyadic data, got {}", other.kind()),
    }
}

fn points_size(loaded: &Loaded) -> (usize, usize) {
    match &loaded.dataset.data {
        Data::Points(points) => points.shape(),
        other => panic!("expected points, got {}", other.kind()),
    }
}

#[test]
fn world_trade_is_a_project_of_80_countries_and_1000_arcs_of_which_998_are_distinct() {
    let Some(loaded) = open("worldtrade/world_trade.paj", &ReadOptions::default()) else { return };
    assert_eq!(loaded.format, Format::Pajek);
    assert_eq!(graph_size(&loaded), (80, 998));
    assert!(loaded.notes.contains(&Note::RepeatedEdges(2)));
    let items = &loaded.dataset.items;
    assert_eq!(items.ids[6], "Belgium /Lux.");
    for name in ["World_system_1980", "Continent", "World_system", "x_coordinates", "y_coordinates", "GDP_1995"] {
        assert!(items.column(name).is_some(), "{name}");
    }
}

#[test]
fn nips_is_papers_by_authors_and_its_transpose_is_named_by_the_author_file() {
    let Some(loaded) = open("nips/nips_lcc_paper_author.mtx", &ReadOptions::default()) else { return };
    assert_eq!(dyadic_size(&loaded), (5300, 5414, 14910));
    let options =
        ReadOptions { transpose: true, items_file: shared("nips/nips_lcc_authors.txt"), ..ReadOptions::default() };
    let Some(loaded) = open("nips/nips_lcc_paper_author.mtx", &options) else { return };
    assert_eq!(dyadic_size(&loaded), (5414, 5300, 14910));
    assert_eq!(loaded.dataset.items.ids[0], "Tesauro_G");
}

#[test]
fn mnist_is_70000_points_with_their_labels() {
    let Some(loaded) = open("images/mnist70k.npz", &ReadOptions::default()) else { return };
    assert_eq!(points_size(&loaded), (70000, 784));
    let labels = loaded.dataset.items.column("y").unwrap();
    assert_eq!(labels.values.len(), 70000);
}

#[test]
fn digits_are_points_whose_label_column_can_be_named_by_its_number() {
    let Some(loaded) = open("vectors/sklearn_digits.csv.gz", &ReadOptions::default()) else { return };
    assert_eq!(points_size(&loaded), (1797, 65));
    let options = ReadOptions { label_columns: vec!["65".into()], ..ReadOptions::default() };
    let Some(loaded) = open("vectors/sklearn_digits.csv.gz", &options) else { return };
    assert_eq!(points_size(&loaded), (1797, 64));
    assert_eq!(loaded.dataset.items.columns[0].values.len(), 1797);
}

#[test]
fn penguins_name_the_first_missing_cell_and_can_be_read_without_such_rows() {
    let Some(path) = shared("vectors/bokeh_penguins.csv") else { return };
    let error = read(&path, &ReadOptions::default()).unwrap_err();
    assert!(matches!(error, Error::Missing { .. }));
    let message = error.to_string();
    assert!(message.contains("line 5, column \"bill_length_mm\": the cell is empty"), "{message}");
    let options = ReadOptions { missing: MissingValues::Drop, ..ReadOptions::default() };
    let Some(loaded) = open("vectors/bokeh_penguins.csv", &options) else { return };
    assert_eq!(points_size(&loaded), (342, 4));
    assert!(loaded.notes.contains(&Note::RowsDropped { count: 2, first: "line 5".into() }));
    let names: Vec<&str> = loaded.dataset.items.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["species", "island", "sex"]);
}

#[test]
fn flights_are_a_graph_and_the_airports_file_joins_by_its_codes() {
    let options = ReadOptions { items_file: shared("graphs/vega_flights_airport_nodes.csv"), ..ReadOptions::default() };
    let Some(loaded) = open("graphs/vega_flights-airport.csv", &options) else { return };
    assert_eq!(graph_size(&loaded), (305, 5366));
    assert!(loaded.detected.contains("edge list (origin, destination, count)"), "{}", loaded.detected);
    let items = &loaded.dataset.items;
    let abe = items.ids.iter().position(|id| id == "ABE").unwrap();
    match &items.column("lat").unwrap().values {
        Values::Number(lat) => assert_eq!(lat[abe], 40.65236278),
        Values::Text(_) => panic!("latitudes are numbers"),
    }
    let options = ReadOptions { directed: Some(false), ..ReadOptions::default() };
    let Some(loaded) = open("graphs/vega_flights-airport.csv", &options) else { return };
    assert_eq!(graph_size(&loaded), (305, 2 * 2834));
}

#[test]
fn the_collaboration_and_other_networks_have_the_counts_of_the_manifest() {
    for (file, nodes, edges) in [
        ("ca-GrQc", 5242, 14484),
        ("ca-AstroPh", 18772, 198050),
        ("email-Enron", 36692, 183831),
        ("polblogs", 1224, 16715),
        ("musae_github", 37700, 289003),
        ("debian12_deps_lcc", 56884, 243963),
        ("wordnet30_lcc", 115426, 182922),
    ] {
        let Some(loaded) = open(&format!("graphs/{file}.mtx.gz"), &ReadOptions::default()) else { return };
        assert_eq!(graph_size(&loaded), (nodes, 2 * edges), "{file}");
    }
}

#[test]
fn side_files_of_the_networks_join() {
    let options = ReadOptions { items_file: shared("graphs/musae_github_target.csv"), ..ReadOptions::default() };
    let Some(loaded) = open("graphs/musae_github.mtx.gz", &options) else { return };
    let Values::Number(target) = &loaded.dataset.items.column("target").unwrap().values else { panic!("numbers") };
    assert_eq!(target[..5], [0.0, 0.0, 1.0, 0.0, 1.0]);
    let options = ReadOptions { items_file: shared("graphs/debian12_deps_nodes.tsv.gz"), ..ReadOptions::default() };
    let Some(loaded) = open("graphs/debian12_deps_lcc.mtx.gz", &options) else { return };
    assert_eq!(loaded.dataset.items.ids[0], "0ad");
    assert_eq!(loaded.dataset.items.columns.len(), 1);
    let options = ReadOptions { items_file: shared("graphs/wordnet30_nodes.tsv.gz"), ..ReadOptions::default() };
    let Some(loaded) = open("graphs/wordnet30_lcc.mtx.gz", &options) else { return };
    assert!(loaded.dataset.items.columns.len() >= 2);
}

#[test]
fn films_and_news_are_dyadic() {
    let options = ReadOptions {
        items_file: shared("dyadic/wikidata_films.tsv"),
        partners_file: shared("dyadic/wikidata_actors.txt"),
        ..ReadOptions::default()
    };
    let Some(loaded) = open("dyadic/wikidata_film_actor.mtx.gz", &options) else { return };
    assert_eq!(dyadic_size(&loaded), (13146, 10453, 125979));
    let options = ReadOptions {
        items_file: shared("dyadic/BBC_News_labels.txt"),
        partners_file: shared("dyadic/BBC_News_vocab.txt"),
        ..ReadOptions::default()
    };
    let Some(loaded) = open("dyadic/BBC_News.mtx.gz", &options) else { return };
    assert_eq!(dyadic_size(&loaded), (2225, 2949, 182484));
    assert!(loaded.dataset.items.column("BBC_News_labels").is_some());
    assert_eq!(loaded.dataset.partners.as_ref().unwrap().ids[0], "sale");
}

#[test]
fn single_cells_are_counts_or_points() {
    let options = ReadOptions {
        kind: Some(Kind::Points),
        items_file: shared("singlecell/pbmc3k_cells.csv"),
        ..ReadOptions::default()
    };
    let Some(loaded) = open("singlecell/pbmc3k_counts_2638x2000.mtx.gz", &options) else { return };
    assert_eq!(points_size(&loaded), (2638, 2000));
    assert_eq!(loaded.dataset.items.ids[0], "AAACATACAACCAC");
    assert!(loaded.dataset.items.column("label").is_some());
}

#[test]
fn an_old_anndata_file_gives_its_matrix_its_embeddings_and_its_graph() {
    let file = "singlecell/pbmc68k_reduced.h5ad";
    let Some(loaded) = open(file, &ReadOptions::default()) else { return };
    assert_eq!(loaded.format, Format::H5ad);
    assert_eq!(points_size(&loaded), (700, 765));
    let items = &loaded.dataset.items;
    assert_eq!(items.ids[0], "AAAGCCTGGCTAAC-1");
    match &items.column("bulk_labels").unwrap().values {
        Values::Text(labels) => assert_eq!(labels[0], "CD14+ Monocyte"),
        Values::Number(_) => panic!("categories are texts"),
    }
    let options = ReadOptions { array: Some("X_pca".into()), ..ReadOptions::default() };
    let Some(loaded) = open(file, &options) else { return };
    assert_eq!(points_size(&loaded), (700, 50));
    let options = ReadOptions { kind: Some(Kind::Graph), ..ReadOptions::default() };
    let Some(loaded) = open(file, &options) else { return };
    assert_eq!(graph_size(&loaded), (700, 9992));
    let options = ReadOptions { kind: Some(Kind::Distance), ..ReadOptions::default() };
    let Some(loaded) = open(file, &options) else { return };
    let Data::Distance(Distances::Sparse(distances)) = &loaded.dataset.data else { panic!("sparse distances") };
    assert_eq!(distances.nnz(), 6300);
    let options = ReadOptions { array: Some("raw.X".into()), ..ReadOptions::default() };
    let Some(loaded) = open(file, &options) else { return };
    let Data::Points(Points::Sparse(counts)) = &loaded.dataset.data else { panic!("sparse points") };
    assert_eq!(counts.nnz(), 174400);
}
