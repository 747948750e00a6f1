//! The clusters of maps and their names, in tables and pages.

use crate::harness::{Folder, bundled};
use crate::shared;
use serde_json::Value;
use std::collections::HashMap;

/// The column of a map in JSON.
fn column<'a>(map: &'a Value, name: &str) -> &'a [Value] {
    let columns = map["columns"].as_array().unwrap();
    let column = columns.iter().find(|column| column["name"] == name).unwrap_or_else(|| panic!("{name}"));
    column["values"].as_array().unwrap()
}

/// How often the majority class of its cluster is an item's own, and the number of clusters.
fn agreement(map: &Value, classes: &str) -> (f64, usize) {
    let mut counts: HashMap<String, HashMap<String, usize>> = HashMap::new();
    let clusters = column(map, "cluster");
    for (cluster, class) in clusters.iter().zip(column(map, classes)) {
        *counts.entry(cluster.to_string()).or_default().entry(class.to_string()).or_default() += 1;
    }
    let majorities: usize = counts.values().map(|classes| classes.values().max().copied().unwrap_or(0)).sum();
    (majorities as f64 / clusters.len() as f64, counts.len())
}

/// Embeds with the classes hidden from the method, and checks that the clusters know them.
fn clusters_know(input: &str, classes: &str, most: usize, least: f64) -> Value {
    let folder = Folder::new();
    folder.run(&format!("embed {input} -o map.json")).succeeds();
    let map = folder.json("map.json");
    let (share, count) = agreement(&map, classes);
    assert!(share >= least && count <= most, "{share:.3} of {least} with {count} clusters of {most}");
    map
}

fn names(map: &Value) -> Vec<String> {
    let mut names: Vec<String> =
        column(map, "cluster_name").iter().map(|name| name.as_str().unwrap().to_owned()).collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn clusters_of_digits_are_digits() {
    clusters_know(&bundled("digits.csv.gz"), "label", 30, 0.85);
    clusters_know(&format!("{} --space plane", bundled("digits.csv.gz")), "label", 30, 0.85);
}

#[test]
fn clusters_of_news_are_topics_and_are_named_after_their_vocabulary() {
    let Some(data) = shared::folder() else { return };
    let file = |name: &str| data.join("dyadic").join(name).display().to_string();
    let (matrix, labels, terms) = (file("BBC_News.mtx.gz"), file("BBC_News_labels.txt"), file("BBC_News_vocab.txt"));
    let input = format!("{matrix} --as dyadic --items {labels} --partners {terms}");
    let names = names(&clusters_know(&input, "BBC_News_labels", 15, 0.85));
    for term in ["film", "election", "console"] {
        assert!(names.iter().any(|name| name.contains(term)), "{term}: {names:?}");
    }
}

#[test]
fn clusters_of_cells_are_cell_types_and_are_named_after_their_genes() {
    let Some(data) = shared::folder() else { return };
    let file = |name: &str| data.join("singlecell").join(name).display().to_string();
    let input = file("pbmc68k_reduced.h5ad");
    clusters_know(&input, "bulk_labels", 30, 0.75);
    let (counts, cells, genes) =
        (file("pbmc3k_counts_2638x2000.mtx.gz"), file("pbmc3k_cells.csv"), file("pbmc3k_genes.txt"));
    let input = format!("{counts} --as points --counts --items {cells} --partners {genes}");
    let names = names(&clusters_know(&input, "label", 27, 0.75));
    for marker in ["GNLY", "PF4", "FCER1A"] {
        assert!(names.iter().any(|name| name.contains(marker)), "{marker}: {names:?}");
    }
}

#[test]
fn clusters_are_the_same_bytes_on_any_number_of_threads() {
    let folder = Folder::new();
    for threads in ["1", "3"] {
        let run = format!("demo digits -o {threads}.csv");
        let output = folder.command(&run).env("RAYON_NUM_THREADS", threads).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    assert_eq!(folder.read("1.csv"), folder.read("3.csv"));
    assert!(folder.read("1.csv").lines().next().unwrap().contains(",cluster,cluster_name,"));
}

#[test]
fn columns_of_the_input_are_not_overwritten() {
    let folder = Folder::new();
    let nodes: String = (0..120).map(|i| format!("n{i},mine\n")).collect();
    folder.write("nodes.csv", format!("id,cluster\n{nodes}"));
    let edges: String =
        (0..120).flat_map(|i| (1..4).map(move |step| format!("n{i},n{}\n", 60 * (i / 60) + (i + step) % 60))).collect();
    folder.write("edges.csv", format!("source,target\n{edges}n0,n60\n"));
    folder.run("embed edges.csv --items nodes.csv -o map.csv").succeeds();
    let map = folder.read("map.csv");
    assert!(map.starts_with("id,cluster,x,y,z,lat,lon\nn0,mine,"), "{map}");
    folder.run("embed edges.csv -o map.csv -o page.html").succeeds();
    assert!(folder.read("map.csv").starts_with("id,cluster,cluster_name,x,y,z,lat,lon\n"));
    let levels = &folder.page("page.html")["clusters"]["levels"];
    assert_eq!(levels.as_array().map(Vec::len), Some(1), "{levels}");
}
