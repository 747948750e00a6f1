//! JSON of many programs, prints of programs, and files that are named: each is read right, or refused by its name.

#![allow(clippy::format_collect, reason = "small files are built line by line")]

use crate::small::{doubts, edges, parse, points, refused, weight};
use dosnes::input::Data;

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(",")
}

#[test]
fn graphs_of_more_programs_are_read_from_json() {
    let link = |from: &str, to: &str, more: &str| {
        list(edges().map(|(i, j)| format!("{{\"{from}\": \"{i}\", \"{to}\": \"{j}\", {more}}}")))
    };
    let nodes = list((0..12).map(|i| format!("{{\"id\": \"{i}\"}}")));
    let format = format!(
        "{{\"graph\": {{\"nodes\": [{nodes}], \"edges\": [{}]}}}}",
        link("source", "target", "\"metadata\": {\"weight\": 2}")
    );
    assert_eq!(weight(&parse("jgf.json", &format)), 2.0);
    let vosviewer = format!(
        "{{\"network\": {{\"items\": [{nodes}], \"links\": [{}]}}}}",
        link("source_id", "target_id", "\"strength\": 3")
    );
    assert_eq!(weight(&parse("vos.json", &vosviewer)), 3.0);
    let elements = format!(
        "[{}, {}]",
        list((0..12).map(|i| format!("{{\"group\": \"nodes\", \"data\": {{\"id\": \"{i}\"}}}}"))),
        list(edges().map(|(i, j)| format!(
            "{{\"group\": \"edges\", \"data\": {{\"source\": \"{i}\", \"target\": \"{j}\", \"weight\": 4}}}}"
        )))
    );
    assert_eq!(weight(&parse("elements.json", &elements)), 4.0);
    let bindings = list(edges().map(|(i, j)| {
        format!(
            "{{\"a\": {{\"type\": \"uri\", \"value\": \"p{i}\"}}, \"b\": {{\"type\": \"uri\", \"value\": \"p{j}\"}}}}"
        )
    }));
    let sparql = format!("{{\"head\": {{\"vars\": [\"a\", \"b\"]}}, \"results\": {{\"bindings\": [{bindings}]}}}}");
    assert_eq!(weight(&parse("sparql.json", &sparql)), 1.0);
}

#[test]
fn records_within_answers_of_web_services_are_found() {
    let records = list((0..10).map(|i| format!("{{\"id\": {i}, \"a\": {i}.5, \"b\": {}}}", i * i % 7)));
    for text in [
        format!("{{\"status\": \"ok\", \"count\": 10, \"results\": [{records}]}}"),
        format!("{{\"took\": 5, \"hits\": {{\"total\": {{\"value\": 10}}, \"hits\": [{records}]}}}}"),
        format!("{{\"mark\": \"point\", \"data\": {{\"values\": [{records}]}}}}"),
        format!("{{\"features\": [{{\"name\": \"a\"}}, {{\"name\": \"b\"}}], \"rows\": [{records}]}}"),
    ] {
        let loaded = parse("answer.json", &text);
        let Data::Points(points) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
        assert_eq!(points.shape(), (10, 2), "{text}");
    }
}

#[test]
fn json_that_is_no_data_is_named() {
    for (text, part) in [
        ("{\"name\": \"a\", \"children\": [{\"name\": \"b\"}, {\"name\": \"c\"}]}", "a tree"),
        ("{\"data\": [{\"x\": [1, 2]}], \"layout\": {}}", "Plotly"),
        ("{\"results\": [{\"data\": [{\"graph\": {\"nodes\": [], \"relationships\": []}}]}], \"errors\": []}", "Neo4j"),
        ("{\"type\": \"node\", \"id\": 1}\n{\"type\": \"relationship\", \"id\": 2}\n", "Neo4j"),
    ] {
        refused("a.json", text.as_bytes(), part);
    }
}

#[test]
fn prints_of_programs_are_named() {
    let rows = |count: usize| (0..count).map(|i| format!("{i} {}.5 {}\n", i * 3 % 7, i * i % 5)).collect::<String>();
    let cut = format!("  a b\n{}.. ... ...\n{}\n[150 rows x 2 columns]\n", rows(5), rows(5));
    let sparse = "  (0, 0)\t1.0\n  (0, 3)\t2.0\n  (1, 2)\t1.5\n";
    let coordinates = "<Compressed Sparse Row sparse matrix of dtype 'float64'\n\twith 3 stored elements>\n";
    for (text, part) in [
        (cut.as_str(), "only a part"),
        (sparse, "save_npz"),
        (coordinates, "save_npz"),
        ("     [,1] [,2]\n[1,]  1.5  2.5\n[2,]  0.5  1.5\n", "as R prints it"),
        ("'data.frame':\t150 obs. of  5 variables:\n $ a: num  5.1 4.9 ...\n", "as R shows it"),
        ("      a         \n Min.   :4.300  \n 1st Qu.:5.100  \n", "summary"),
        ("A =\n\n  Columns 1 through 4\n\n 1 2 3 4\n", "MATLAB prints"),
        ("Name & a & b \\\\\n\\hline\nx & 1 & 2 \\\\\n", "LaTeX"),
        ("shape: (2, 2)\n┌─────┬─────┐\n│ a   ┆ b   │\n", "polars"),
        ("[(0, 1), (1, 2), (2, 0)]\n", "as Python prints"),
        (" (1.5+0.5j)  (2.5-0.5j)\n (0.5+0.5j)  (1.5-0.5j)\n", "complex"),
        ("x <- structure(list(a = c(1, 2)), class = \"data.frame\")\n", "R code"),
        ("{| class=\"wikitable\"\n! a !! b\n|-\n| 1 || 2\n|}\n", "wiki"),
    ] {
        refused("a.txt", text.as_bytes(), part);
    }
}

#[test]
fn files_of_more_programs_are_named() {
    for (name, bytes, part) in [
        ("a.index", &b"IxFI\x08\0\0\0\x14\0\0\0"[..], "FAISS"),
        ("a.ann", b"\x01\x02\0\0\xff", "index for finding neighbours"),
        ("a.pt", b"\x01\x02\0\0\xff", "PyTorch"),
        ("a.xpt", b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!0000\n", "SAS"),
        ("a.xml", b"<?xml version=\"1.0\"?><pathway name=\"path:hsa04110\"></pathway>", "KGML"),
        ("a.xml", b"<?xml version=\"1.0\"?><osm version=\"0.6\"></osm>", "OpenStreetMap"),
        ("a.nt", b"<http://a/1> <http://p> <http://a/2> .\n<http://a/2> <http://p> <http://a/3> .\n", "RDF"),
        ("a.ttl", b"@prefix ex: <http://ex/> .\nex:a ex:knows ex:b .\n", "Turtle"),
        ("a.mztab", b"MTD\tmzTab-version\t1.0.0\n", "mzTab"),
        ("a.nbib", b"PMID- 123\nTI  - A\n", "PubMed"),
        ("a.clu", b"*Vertices 4\n2\n1\n2\n1\n", "partition or vector"),
        ("a.vec", b"*Vertices 3\n1.5\n0.5\n2.5\n", "partition or vector"),
        ("a.txt", b"id\tlabel\tcluster\tweight<Links>\n1\ta\t1\t5\n2\tb\t1\t5\n", "VOSviewer"),
        ("a.csv", b",,a,b\na,Pearson Correlation,1,.5\n,Sig. (2-tailed),,.000\n,N,9,9\n", "SPSS"),
    ] {
        refused(name, bytes, part);
    }
}

#[test]
fn subgraphs_of_dot_are_groups_of_nodes() {
    let text = "digraph G {\n  rankdir=LR; node [shape=box];\n  subgraph cluster_0 { label=\"x\"; a -> b -> c; }\n  \
                subgraph cluster_1 { d -> e [weight=3]; }\n  a:port1:n -> d:p2; {b c} -> e; f;\n}\n";
    let loaded = parse("sub.dot", text);
    let Data::Graph(graph) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    let ids = &loaded.dataset.items.ids;
    let mut found: Vec<(&str, &str, f64)> = graph.iter().map(|(i, j, w)| (&ids[i][..], &ids[j][..], w)).collect();
    found.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    let edges = [("a", "b", 1.0), ("a", "d", 1.0), ("b", "c", 1.0), ("b", "e", 1.0), ("c", "e", 1.0), ("d", "e", 3.0)];
    assert_eq!(found, edges);
    assert_eq!(ids.len(), 6);
    let html = parse("html.gv", "graph { a [label=<<b>x; y</b> [1]>]; a -- {b c d}; subgraph s {e; f} -- a }");
    assert!(html.detected.contains("graph of 6 nodes and 5 undirected edges"), "{}", html.detected);
    refused("comma.dot", "graph { a, b -- c }", "a comma between names");
    let many: String = (0..1100).map(|i| format!("n{i} ")).collect();
    refused("many.dot", &format!("graph {{ {{{many}}} -- {{{many}}} }}"), "more than a million");
    refused("open.dot", "graph { a -- }", "only one end");
    refused("open.dot", "graph { a -- b [weight=2", "is closed");
    refused("deep.dot", &format!("graph {{ {} a -- b", "{".repeat(1000)), "too many subgraphs");
    let named = parse("two.dot", "graph { a -- b [label=2]; b -- c [label=5]; c -- d }");
    assert!(doubts(&named).contains("\"label\"") && doubts(&named).contains("--weight NAME"), "{}", doubts(&named));
}

#[test]
fn graphs_of_echarts_and_vectors_with_names_are_read_from_json() {
    let nodes = list((0..12).map(|i| format!("{{\"name\": \"n{i}\", \"value\": {i}}}")));
    let links = list(edges().map(|(i, j)| format!("{{\"source\": \"n{i}\", \"target\": \"n{j}\", \"value\": 6}}")));
    let option = format!("{{\"series\": [{{\"type\": \"graph\", \"data\": [{nodes}], \"links\": [{links}]}}]}}");
    assert_eq!(weight(&parse("option.json", &option)), 6.0);
    let vectors = format!("{{{}}}", list((0..12).map(|i| format!("\"w{i}\": [{i}, 0.{i}, 1.5]"))));
    let loaded = points("vectors.json", &vectors, (12, 3));
    assert!(loaded.dataset.items.ids.contains(&"w11".to_owned()), "{:?}", loaded.dataset.items.ids);
    assert!(doubts(&loaded).contains("--transpose"), "{}", doubts(&loaded));
    let columns = "{\"x\": [1.5, 2, 4, 3, 7], \"y\": [2, 0.5, 1, 9, 8]}";
    assert!(!doubts(&points("columns.json", columns, (5, 2))).contains("--transpose"));
}

#[test]
fn more_files_are_named_by_their_first_lines() {
    let rows = "12 12 4\n1 2\n2 3\n5 6\n12 1\n";
    refused("graph.mtx", rows, "%%MatrixMarket matrix coordinate");
    refused("graph.mtx", &format!("% a comment\n{rows}"), "without its first line");
    let one_sign = format!("%MatrixMarket matrix coordinate pattern symmetric\n{rows}");
    assert!(parse("graph.mtx", &one_sign).detected.contains("graph of 12 nodes"));
    refused("survey.por", "ASCII SPSS PORT FILE   ASCII SPSS PORT FILE\nA\n", "an SPSS file");
    refused("lists.txt", "{'ant': ['bee', 'cat'], 'bee': ['ant']}\n", "as Python prints it");
    let jasp = "Variable,,a,b\na,Pearson's r,—,\n,p-value,—,\nb,Pearson's r,0.5,—\n,p-value,0.01,—\n";
    refused("jasp.csv", jasp, "correlations as JASP prints them");
    let distmat =
        "\nDistance Matrix\n---------------\n\nUsing base positions 123 in the codon\n\n\t1\t2\n\t0.00\t12.50\ta 1\n";
    refused("a.distmat", distmat, "as EMBOSS prints them");
    refused("sky.xml", "<?xml version=\"1.0\"?><VOTABLE><TABLE/></VOTABLE>", "a VOTable");
}
