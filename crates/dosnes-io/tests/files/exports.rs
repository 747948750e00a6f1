//! Files as programs of many fields export them: each is read right, or said to be doubtful, or refused by its name.

#![allow(clippy::format_collect, reason = "small files are built line by line")]

use crate::small::{doubts, edges, parse, read, refusal, shape, weight};
use dosnes::input::{Data, Distances};
use dosnes_io::{Kind, Note, ReadOptions};
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

#[test]
fn rows_with_a_name_of_their_own_are_items() {
    let rows: String = (0..20).map(|i| format!("person {i},{},{}\n", i * 7 % 9, i * 5 % 8)).collect();
    let loaded = parse("a.csv", &format!("name,a,b\n{rows}"));
    assert_eq!(shape(&loaded), (20, 2));
    assert_eq!(loaded.dataset.items.ids[3], "person 3");
    assert!(doubts(&loaded).contains("--as graph"), "{}", doubts(&loaded));
    // What stands behind the ends, or is called an edge, names the edge.
    let named: String = edges().enumerate().map(|(k, (i, j))| format!("{i},{j},edge {k}\n")).collect();
    assert_eq!(weight(&parse("a.csv", &format!("u,v,name\n{named}"))), 1.0);
    let named: String = edges().enumerate().map(|(k, (i, j))| format!("e{k},{i},{j}\n")).collect();
    assert_eq!(weight(&parse("a.csv", &format!("edge,u,v\n{named}"))), 1.0);
}

#[test]
fn pairs_of_the_same_names_are_edges_whatever_their_columns_are_called() {
    let flows: String = edges().map(|(i, j)| format!("E{i:03},E{j:03},{},{}\n", i + j, i % 3)).collect();
    let loaded = parse("flows.csv", &format!("usual residence,workplace,all categories,train\n{flows}"));
    assert_eq!(weight(&loaded), 1.0);
    let said = doubts(&loaded);
    assert!(said.contains("--as points") && said.contains("--weight NAME"), "{said}");
    let asked = ReadOptions { kind: Some(Kind::Points), ..ReadOptions::default() };
    let points =
        read("flows.csv", &format!("usual residence,workplace,all categories,train\n{flows}").as_bytes(), &asked);
    assert_eq!(shape(&points.unwrap()), (24, 2));
    // Texts that are kinds of things, or items with a name, are no pairs.
    let kinds: String =
        (0..24).map(|i| format!("p{i},c{},c{},{}.5,{}\n", i % 9, (i + 3) % 9, i * i % 7, i % 5)).collect();
    assert_eq!(shape(&parse("people.csv", &format!("who,born in,lives in,height,age\n{kinds}"))), (24, 2));
}

#[test]
fn a_date_before_two_names_is_no_end() {
    let mails: String =
        edges().map(|(i, j)| format!("2001-05-{:02};n{i}@example.org;n{j}@example.org\n", 1 + i + j)).collect();
    let loaded = parse("mails.csv", &mails);
    assert_eq!(weight(&loaded), 1.0);
    assert!(doubts(&loaded).contains("time of an edge"), "{}", doubts(&loaded));
}

#[test]
fn a_column_for_each_class_is_no_class() {
    let header: String = (0..6).map(|j| format!(",class{j}")).collect();
    let rows: String = (0..6)
        .map(|i| {
            format!(
                "class{i}{}\n",
                (0..6).map(|j| format!(",{}", if i == j { 90 } else { 3 * i + j })).collect::<String>()
            )
        })
        .collect();
    let loaded = parse("confusion.csv", &format!("{header}\n{rows}"));
    assert!(matches!(loaded.dataset.data, Data::Similarity(_)), "{}", loaded.detected);
}

#[test]
fn codes_and_clocks_are_no_coordinates_without_a_word() {
    let rows: String = (0..20).map(|i| format!("{},{},{}\n", 10_003 + i * 37 % 11, i * 3 % 7, i % 4)).collect();
    let said = doubts(&parse("a.csv", &format!("home_geocode,x,y\n{rows}")));
    assert!(said.contains("codes") && said.contains("--labels"), "{said}");
    let events: String = (0..20).map(|i| format!("{}.5,{},{}\n", i, i * 3 % 7, i % 4)).collect();
    let said = doubts(&parse("events.csv", &format!("Time,FSC-A,SSC-A\n{events}")));
    assert!(said.contains("times are used as coordinates"), "{said}");
    let features: String = (0..20).map(|i| format!("{} {} {} 1\n", 200 + i, i % 2, i % 3)).collect();
    let said = doubts(&parse("ego.feat", &features));
    assert!(said.contains("--id 1"), "{said}");
}

#[test]
fn counts_of_cells_in_a_table_are_noticed() {
    let genes: Vec<String> = (0..30).map(|g| format!("GENE{g}")).collect();
    let row = |i: usize| (0..30).map(|g| format!(",{}", (i + g) % 4)).collect::<String>();
    let table = |corner: &str, name: &dyn Fn(usize) -> String| {
        let rows: String = (0..12).map(|i| format!("{}{}\n", name(i), row(i))).collect();
        format!("{corner},{}\n{rows}", genes.join(","))
    };
    let barcode = |i: usize| format!("AAACCTGAGAAA{}-1", (0..4).map(|b| ['A', 'C'][i >> b & 1]).collect::<String>());
    for (corner, named) in [("", true), ("cell", false), ("sample", false)] {
        let text = table(corner, &|i| if named { barcode(i) } else { format!("s{i}") });
        let expected = corner != "sample";
        assert_eq!(parse("counts.csv", &text).notes.contains(&Note::RawCounts), expected, "{corner}");
        let prepared = ReadOptions { cell_counts: true, ..ReadOptions::default() };
        let prepared = read("counts.csv", text.as_bytes(), &prepared).unwrap();
        assert!(!prepared.notes.contains(&Note::RawCounts));
    }
}

#[test]
fn the_numbers_before_the_names_of_clustal_are_no_names() {
    let row =
        |i: usize| (0..6).map(|j: usize| format!(" {:.2}", 100.0 - 9.0 * i.abs_diff(j) as f64)).collect::<String>();
    let rows: String = (0..6).map(|i| format!("     {}: seq_{i} {}\n", i + 1, row(i))).collect();
    let loaded = parse("a.pim", &format!("#\n#  Percent Identity  Matrix - created by Clustal2.1\n#\n\n{rows}"));
    assert!(matches!(loaded.dataset.data, Data::Similarity(_)), "{}", loaded.detected);
    assert_eq!(loaded.dataset.items.ids[..2], ["seq_0", "seq_1"]);
    assert!(loaded.dataset.items.columns.is_empty());
}

#[test]
fn rows_of_phylip_may_go_on_in_further_lines() {
    let distance = |i: usize, j: usize| (3 * i.abs_diff(j)) as f64 / 10.0;
    let row = |i: usize| {
        let first: String = (0..4).map(|j| format!("  {:.4}", distance(i, j))).collect();
        let second: String = (4..7).map(|j| format!("  {:.4}", distance(i, j))).collect();
        format!("taxon_{i}   {first}\n         {second}\n")
    };
    let loaded = parse("infile", &format!("    7\n{}", (0..7).map(row).collect::<String>()));
    let Data::Distance(Distances::Dense(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!((x.dim(), x[[1, 6]], x[[6, 1]]), ((7, 7), 1.5, 1.5));
    assert_eq!(loaded.dataset.items.ids[6], "taxon_6");
    let short = (0..7).map(row).collect::<String>().replacen("  1.2000\n", "\n", 1);
    let error = refusal("infile", &format!("    7\n{short}").as_bytes());
    assert!(error.contains("line"), "{error}");
}

#[test]
fn square_matrices_may_have_blanks_for_what_is_not_there() {
    let header: String = (0..12).map(|j| format!(";Zone {j}")).collect();
    let table = |cell: &dyn Fn(usize, usize) -> String| {
        let row = |i: usize| (0..12).map(|j| format!(";{}", cell(i, j))).collect::<String>();
        format!("from/to{header}\n{}", (0..12).map(|i| format!("Zone {i}{}\n", row(i))).collect::<String>())
    };
    // Flows between places: all but those within one.
    let flows = parse("od.csv", &table(&|i, j| if i == j { "-".into() } else { (i + 2 * j).to_string() }));
    assert_eq!(weight(&flows), 2.0);
    assert!(flows.notes.iter().any(|note| matches!(note, Note::DiagonalFilled { count: 12, .. })), "{:?}", flows.notes);
    // Links: only those that are there.
    let linked = |i: usize, j: usize| (i + 1) % 12 == j || (j + 1) % 12 == i;
    let links = table(&|i, j| if linked(i, j) { "3".into() } else { String::new() });
    let loaded = parse("links.csv", &links);
    assert_eq!(weight(&loaded), 3.0);
    assert!(doubts(&loaded).contains("--missing"), "{}", doubts(&loaded));
    let asked = ReadOptions { kind: Some(Kind::Graph), strict: true, ..ReadOptions::default() };
    assert_eq!(weight(&read("links.csv", links.as_bytes(), &asked).unwrap()), 3.0);
    // A few unknown ones are no zeros.
    let unknown =
        table(&|i, j| if i == 2 && j == 5 || i == 5 && j == 2 { String::new() } else { i.abs_diff(j).to_string() });
    assert!(refusal("unknown.csv", unknown.as_bytes()).contains("--missing"));
}

#[test]
fn dots_are_missing_values() {
    let rows: String = (0..20)
        .map(|i| format!("1001-{i:03},{}.5,{}\n", i % 7, if i == 3 { ".".into() } else { i.to_string() }))
        .collect();
    let error = refusal("sas.csv", &format!("SUBJID,ALT,AST\n{rows}").as_bytes());
    assert!(error.contains("missing value") && error.contains("--missing drop"), "{error}");
}

#[test]
fn lists_with_the_number_of_neighbours_are_known_by_their_contents() {
    let node = |i: usize| {
        let ends: Vec<usize> = edges().filter(|edge| edge.0 == i).map(|edge| edge.1).collect();
        let lines: String = ends.iter().map(|j| format!("n{j} {{'weight': {}}}\n", i + j)).collect();
        format!("n{i} {}\n{lines}", ends.len())
    };
    let text: String = std::iter::once("# written\n".to_owned()).chain((0..12).map(node)).collect();
    assert_eq!(weight(&parse("graph.adjlist", &text)), 1.0);
    let error = refusal("graph.adjlist", b"a b 2\nb {'weight': 1}\n");
    assert!(error.contains("edge list"), "{error}");
}

#[test]
fn weights_of_graphs_have_longer_names_and_deeper_places() {
    let nodes: String = (0..12).map(|i| format!("<node id=\"n{i}\"/>")).collect();
    let links: String = edges()
        .map(|(i, j)| format!("<edge source=\"n{i}\" target=\"n{j}\"><data key=\"d1\">{}.5</data></edge>", i + j))
        .collect();
    let key = "<key id=\"d1\" for=\"edge\" attr.name=\"Edge Weight\" attr.type=\"double\"/>";
    let text = format!("<graphml>{key}<graph edgedefault=\"undirected\">{nodes}{links}</graph></graphml>");
    assert_eq!(weight(&parse("a.graphml", &text)), 1.5);
    let nodes: Vec<String> =
        (0..12).map(|i| format!("{{\"key\": \"{i}\", \"attributes\": {{\"label\": \"node {i}\"}}}}")).collect();
    let links: Vec<String> = edges()
        .map(|(i, j)| {
            format!("{{\"source\": \"{i}\", \"target\": \"{j}\", \"attributes\": {{\"weight\": {}}}}}", i + j)
        })
        .collect();
    let loaded =
        parse("sigma.json", &format!("{{\"nodes\": [{}], \"edges\": [{}]}}", nodes.join(","), links.join(",")));
    assert_eq!(weight(&loaded), 1.0);
    assert_eq!(loaded.dataset.items.ids[3], "node 3");
    let heavier =
        format!("{{\"nodes\": [{}], \"edges\": [{}]}}", nodes.join(","), links.join(",").replace(": 1}", ": 9}"));
    assert_eq!(weight(&parse("sigma.json", &heavier)), 9.0);
}

#[test]
fn records_by_name_are_rows() {
    let records: Vec<String> = (0..12)
        .map(|i| format!("\"item {i:02}\": {{\"x\": {i}.5, \"y\": {}, \"class\": \"k{}\"}}", i * i % 7, i % 3))
        .collect();
    let loaded = parse("index.json", &format!("{{{}}}", records.join(",")));
    assert_eq!(shape(&loaded), (12, 2));
    assert_eq!(loaded.dataset.items.ids[3], "item 03");
    assert_eq!(loaded.dataset.items.columns[0].name, "class");
}

/// A NumPy array of integers.
fn npy(rows: usize, columns: usize, values: &[i64]) -> Vec<u8> {
    let header = format!("{{'descr': '<i8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    bytes
}

#[test]
fn arrays_of_pairs_are_noticed() {
    let pairs: Vec<(usize, usize)> = edges().collect();
    let in_columns: Vec<i64> = pairs.iter().flat_map(|&(i, j)| [i as i64, j as i64]).collect();
    let file = npy(24, 2, &in_columns);
    let loaded = read("edges.npy", &file, &ReadOptions::default()).unwrap();
    assert_eq!(shape(&loaded), (24, 2));
    assert!(doubts(&loaded).contains("--as graph"), "{}", doubts(&loaded));
    let graph = ReadOptions { kind: Some(Kind::Graph), ..ReadOptions::default() };
    assert_eq!(weight(&read("edges.npy", &file, &graph).unwrap()), 1.0);
    let in_rows: Vec<i64> =
        pairs.iter().map(|edge| edge.0 as i64).chain(pairs.iter().map(|edge| edge.1 as i64)).collect();
    let loaded = read("edge_index.npy", &npy(2, 24, &in_rows), &ReadOptions::default()).unwrap();
    assert_eq!(weight(&loaded), 1.0);
    assert!(doubts(&loaded).contains("two rows"), "{}", doubts(&loaded));
}

/// A workbook of these sheets, as XML of their rows.
fn workbook(sheets: &[(&str, String)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut part = |name: &str, text: &str| {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    };
    let list: String =
        sheets.iter().enumerate().map(|(k, (name, _))| format!("<sheet name=\"{name}\" r:id=\"r{k}\"/>")).collect();
    part("xl/workbook.xml", &format!("<workbook xmlns:r=\"r\"><sheets>{list}</sheets></workbook>"));
    let relations: String =
        (0..sheets.len()).map(|k| format!("<Relationship Id=\"r{k}\" Target=\"worksheets/{k}.xml\"/>")).collect();
    part("xl/_rels/workbook.xml.rels", &format!("<Relationships>{relations}</Relationships>"));
    for (k, (_, rows)) in sheets.iter().enumerate() {
        part(&format!("xl/worksheets/{k}.xml"), &format!("<worksheet><sheetData>{rows}</sheetData></worksheet>"));
    }
    archive.finish().unwrap().into_inner()
}

fn cells(row: usize, cells: &[&str]) -> String {
    let cell = |(k, text): (usize, &&str)| {
        let place = format!("{}{row}", (b'A' + k as u8) as char);
        match text.parse::<f64>() {
            _ if text.is_empty() => String::new(),
            Ok(_) => format!("<c r=\"{place}\"><v>{text}</v></c>"),
            Err(_) => format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>"),
        }
    };
    format!("<row>{}</row>", cells.iter().enumerate().map(cell).collect::<String>())
}

fn numbers(first: usize) -> String {
    (0..10)
        .map(|i| {
            cells(
                first + i,
                &[&format!("plot {i}"), &format!("{}.5", i % 4), &(3 * i % 10).to_string(), &(i * i % 7).to_string()],
            )
        })
        .collect()
}

#[test]
fn the_first_sheet_that_is_a_table_is_read() {
    let data = format!("{}{}", cells(1, &["plot", "pH", "N", "T"]), numbers(2));
    let book = workbook(&[("Notes", cells(1, &["Plots of 2019"])), ("Data", data.clone())]);
    let loaded = read("a.xlsx", &book, &ReadOptions::default()).unwrap();
    assert_eq!(shape(&loaded), (10, 3));
    assert!(doubts(&loaded).contains("--array"), "{}", doubts(&loaded));
    let chosen = ReadOptions { array: Some("Data".into()), strict: true, ..ReadOptions::default() };
    assert_eq!(shape(&read("a.xlsx", &book, &chosen).unwrap()), (10, 3));
    let nodes: String = (0..12).map(|i| cells(i + 2, &[&i.to_string(), &format!("node {i}")])).collect();
    let links: String =
        edges().enumerate().map(|(k, (i, j))| cells(k + 2, &[&i.to_string(), &j.to_string(), "2"])).collect();
    let book = workbook(&[
        ("nodes", format!("{}{nodes}", cells(1, &["id", "label"]))),
        ("edges", format!("{}{links}", cells(1, &["source", "target", "weight"]))),
    ]);
    assert_eq!(weight(&read("a.xlsx", &book, &ReadOptions::default()).unwrap()), 2.0);
    let book = workbook(&[("Notes", cells(1, &["a"])), ("More", cells(1, &["b"]))]);
    assert!(refusal("a.xlsx", &book).contains("--array"));
}

#[test]
fn sheets_have_titles_and_merged_cells() {
    let rows = format!(
        "{}{}{}{}",
        cells(1, &["Measurements of the northern plots"]),
        cells(2, &["", "Soil", "", "Air"]),
        cells(3, &["plot", "pH", "N", "T"]),
        numbers(4)
    );
    let loaded = read("a.xlsx", &workbook(&[("Sheet1", rows)]), &ReadOptions::default()).unwrap();
    assert_eq!(shape(&loaded), (10, 3));
    assert_eq!(loaded.dataset.partners.unwrap().ids, ["Soil pH", "Soil N", "Air T"]);
}

#[test]
fn formulas_without_results_are_named() {
    let formula = "<row><c r=\"A9\" t=\"inlineStr\"><is><t>z</t></is></c><c r=\"B9\"><f>B2+1</f><v></v></c></row>";
    let rows = format!("{}{}{formula}", cells(1, &["plot", "pH", "N", "T"]), numbers(2));
    let error = refusal("a.xlsx", &workbook(&[("Sheet1", rows)]));
    assert!(error.contains("cell B9") && error.contains("formula"), "{error}");
}

#[test]
fn what_systems_add_to_archives_is_no_file() {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let table: String = (0..10).map(|i| format!("{i}.5,{}\n", i * i % 7)).collect();
    for (name, text) in
        [("data.csv", table.as_str()), ("__MACOSX/._data.csv", "x"), (".DS_Store", "x"), ("a/Thumbs.db", "x")]
    {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    let file = archive.finish().unwrap().into_inner();
    assert_eq!(shape(&read("a.zip", &file, &ReadOptions::default()).unwrap()), (10, 2));
}

#[test]
fn a_plate_is_no_markup() {
    let row = |i: usize| (0..6).map(|j| format!(",0.{}", (i + 2 * j) % 9)).collect::<String>();
    let rows: String = (0..4).map(|i| format!("{}{}\n", (b'A' + i as u8) as char, row(i))).collect();
    assert_eq!(shape(&parse("plate.csv", &format!("<>,1,2,3,4,5,6\n{rows}"))), (4, 6));
}

#[test]
fn relatedness_is_a_weight() {
    let pairs: String = edges().map(|(i, j)| format!("F I{i} F I{j} UN NA 0.5 0.1 0.4 0.{}\n", 1 + i % 9)).collect();
    let loaded = parse("plink.genome", &format!("FID1 IID1 FID2 IID2 RT EZ Z0 Z1 Z2 PI_HAT\n{pairs}"));
    assert_eq!(weight(&loaded), 0.1);
}

#[test]
fn files_of_other_programs_are_named() {
    for (name, contents, part) in [
        ("a.dta", &b"<stata_dta><header>\0\0"[..], "Stata"),
        ("b.dta", b"\x72\x02\x01\0", "Stata"),
        ("a.sav", b"$FL2@(#) SPSS\0", "SPSS"),
        ("a.sas7bdat", b"\0\0\0\0", "SAS"),
        ("a.mat", b"\0\0\0\0\x1e\0\0\0", "-v7"),
        ("a.fcs", b"FCS3.0  \0", "flow cytometer"),
        ("a.ped", b"F1 I1 0 0 1 1 A A G G\n", "--recode A"),
        ("a.gdf", b"nodedef>name VARCHAR\n", "Gephi"),
        ("a.tlp", b"(tlp \"2.3\"\n(nodes 0..3)\n)\n", "Tulip"),
        ("a.lgl", b"# a\nb 2\n", "igraph"),
    ] {
        let error = refusal(name, contents);
        assert!(error.contains(part), "{name}: {error}");
    }
}
