//! The formats of the field: each with one small file in data/, read as what was put into it.

use std::path::PathBuf;

use dosnes::input::{Data, Distances, Points};
use dosnes::observe::Silent;
use dosnes_io::{Error, Format, Kind, Loaded, Note, ReadOptions};

const NAMES: [&str; 5] = ["ant", "bee", "çat", "dog", "eel"];

fn read_with(file: &str, options: &ReadOptions) -> Result<Loaded, Error> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    dosnes_io::read(path, options, &mut Silent)
}

fn open(file: &str) -> Loaded {
    let loaded = read_with(file, &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    println!("{file}: {}", loaded.detected);
    loaded
}

fn parse(name: &str, text: &str) -> Loaded {
    let loaded = dosnes_io::read_bytes(name, text.as_bytes(), &ReadOptions::default(), &mut Silent);
    loaded.unwrap_or_else(|e| panic!("{e}"))
}

/// 10 i + j at (i, j).
fn assert_ten_i_plus_j(loaded: &Loaded) {
    let value = |i: usize, j: usize| match &loaded.dataset.data {
        Data::Points(Points::Dense(x)) => f64::from(x[[i, j]]),
        Data::Points(Points::Sparse(x)) => x.get(i, j).unwrap_or(0.0),
        _ => panic!("points: {}", loaded.detected),
    };
    for (i, j) in (0..5).flat_map(|i| (0..3).map(move |j| (i, j))) {
        assert_eq!(value(i, j), (10 * i + j) as f64, "{}: at ({i}, {j})", loaded.detected);
    }
}

/// The chain ant – bee – çat – dog – eel, with the weights 2 to 5, or without weights.
fn assert_chain(loaded: &Loaded, weighted: bool) {
    let Data::Graph(graph) = &loaded.dataset.data else { panic!("a graph: {}", loaded.detected) };
    assert_eq!((graph.rows(), graph.nnz()), (5, 8), "{}", loaded.detected);
    for k in 0..4 {
        let weight = if weighted { Some((k + 2) as f64) } else { Some(1.0) };
        assert_eq!((graph.get(k, k + 1), graph.get(k + 1, k)), (weight, weight), "{}", loaded.detected);
    }
}

#[test]
fn tables_in_json_excel_and_compressed_files_are_read_like_csv() {
    let files = ["records.json", "columns.json", "lines.jsonl", "workbook.xlsx", "table.csv.bz2", "table.csv.xz"];
    for file in files.into_iter().chain(["table.zip", "table_utf16.csv"]) {
        let loaded = open(file);
        assert_ten_i_plus_j(&loaded);
        assert_eq!(loaded.dataset.items.ids, NAMES, "{file}");
    }
}

#[test]
fn other_sheets_of_a_workbook_are_read_on_request() {
    let sheet = |name: &str| ReadOptions { array: Some(name.into()), ..ReadOptions::default() };
    assert_eq!(read_with("workbook.xlsx", &sheet("other")).unwrap().dataset.data.len(), 3);
    let message = read_with("workbook.xlsx", &sheet("third")).unwrap_err().to_string();
    assert!(message.contains("--array: \"data\", \"other\""), "{message}");
}

#[test]
fn graphs_have_the_same_edges_in_every_format() {
    for file in ["nodelink.json", "positions.json", "cytoscape.json", "chain.gml", "chain.dot"] {
        let loaded = open(file);
        assert_chain(&loaded, true);
        assert_eq!(loaded.dataset.items.ids, NAMES, "{file}");
    }
    for file in ["nodelink.json", "cytoscape.json", "chain.gml"] {
        assert!(open(file).dataset.items.column("size").is_some(), "{file}");
    }
    for file in ["chain.adjlist", "chain.metis"] {
        assert_chain(&open(file), false);
    }
    let Data::Graph(sif) = open("chain.sif").dataset.data else { panic!("a graph") };
    assert_eq!(sif.shape(), (5, 5));
}

#[test]
fn vectors_are_points() {
    for file in ["points.fvecs", "points.bvecs", "points.fbin", "points.svmlight", "words.bin"] {
        assert_ten_i_plus_j(&open(file));
    }
    assert_eq!(open("words.bin").dataset.items.ids, NAMES);
    assert!(open("points.svmlight").dataset.items.column("label").is_some());
}

#[test]
fn vectors_of_many_pieces_are_read_whole_and_damaged_ones_are_refused() {
    let (rows, columns) = (700_u32, 50_u32);
    let value = |i: u32, j: u32| (i * columns + j) as f32;
    let mut one_header: Vec<u8> = [rows, columns].iter().flat_map(|size| size.to_le_bytes()).collect();
    let mut own_sizes = Vec::new();
    for i in 0..rows {
        let vector: Vec<u8> = (0..columns).flat_map(|j| value(i, j).to_le_bytes()).collect();
        one_header.extend(&vector);
        own_sizes.extend(columns.to_le_bytes());
        own_sizes.extend(vector);
    }
    let read = |name: &str, bytes: &[u8]| dosnes_io::read_bytes(name, bytes, &ReadOptions::default(), &mut Silent);
    for (name, bytes) in [("a.fbin", &one_header), ("a.fvecs", &own_sizes)] {
        let loaded = read(name, bytes).unwrap();
        let Data::Points(Points::Dense(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
        assert_eq!(x.dim(), (700, 50));
        assert!(x.indexed_iter().all(|((i, j), &v)| v == value(i as u32, j as u32)), "{name}");
        for cut in [1, 3, 4, 150] {
            assert!(read(name, &bytes[..bytes.len() - cut]).is_err(), "{name} without {cut} bytes");
        }
        assert!(read(name, &[&bytes[..], &[0; 7]].concat()).is_err(), "{name} with more bytes");
    }
    own_sizes[3 * (4 + 4 * 50)] = 49;
    let problem = read("a.fvecs", &own_sizes).unwrap_err().to_string();
    assert!(problem.contains("another number of dimensions"), "{problem}");
}

#[test]
fn triangles_are_whole_matrices() {
    for file in ["lower.csv", "upper.txt", "distances.phy"] {
        let loaded = open(file);
        let Data::Distance(Distances::Dense(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
        for ((i, j), &value) in x.indexed_iter() {
            assert_eq!(value, (i as f32 - j as f32).abs(), "{file}");
        }
    }
    assert_eq!(open("distances.phy").dataset.items.ids, NAMES);
}

#[test]
fn what_people_put_around_a_table_is_taken_off() {
    let table = "name,u,v\nant,1.5,2\nbee,3,4.5\ncat,5,6\n";
    let semicolons = table.replace(',', ";");
    for text in [
        format!("Experiment of today\n\n{table}"),
        format!("sep=;\n{semicolons}"),
        table.replace('\n', ",\n"),
        table.replace("ant", ",mm,kg\nant"),
        table.replace('\n', "\r"),
        format!("#{table}"),
    ] {
        let loaded = parse("a.csv", &text);
        let Data::Points(Points::Dense(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
        assert_eq!((x.dim(), x[[1, 1]]), ((3, 2), 4.5), "{text:?}: {}", loaded.detected);
        assert_eq!(loaded.dataset.items.ids, ["ant", "bee", "cat"], "{text:?}");
    }
    let skip = ReadOptions { skip: 2, ..ReadOptions::default() };
    let text = format!("a,b,c\nd,e,f\n{table}");
    assert_eq!(dosnes_io::read_bytes("a.csv", text.as_bytes(), &skip, &mut Silent).unwrap().dataset.items.len(), 3);
}

#[test]
fn separators_of_thousands_are_understood_where_they_are_certain() {
    for text in ["name;u\na;1.234,50\nb;1.000\nc;7,25\n", "name,u\na,\"1,234.50\"\nb,\"1,000\"\nc,7.25\n"] {
        let loaded = parse("a.csv", text);
        let Data::Points(Points::Dense(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
        assert_eq!((x[[0, 0]], x[[1, 0]], x[[2, 0]]), (1234.5, 1000.0, 7.25), "{text}");
        assert!(loaded.notes.iter().any(|note| matches!(note, Note::Thousands(_))));
    }
}

#[test]
fn a_quotation_mark_may_be_a_word() {
    let loaded = parse("vectors.txt", "the 0.1 0.2\n\" 0.3 0.4\n, 0.5 0.6\n");
    assert_eq!(loaded.dataset.items.ids, ["the", "\"", ","]);
}

#[test]
fn konect_says_what_its_edges_are() {
    let both = parse("out.x", "% bip weighted\n1 1 3\n1 2 4\n2 1 5\n");
    assert_eq!((both.dataset.data.kind(), both.dataset.data.len()), (Kind::Dyadic, 2));
    let mixed = parse("out.x", "% asym positive\n1 2\t3\t1082008561\n2 3\t4\t1082008561\n");
    let Data::Graph(graph) = &mixed.dataset.data else { panic!("{}", mixed.detected) };
    assert_eq!(graph.get(1, 2), Some(4.0));
    assert!(parse("out.x", "% sym unweighted\n1 2\n2 3\n").detected.contains("2 undirected edges"));
}

#[test]
fn what_cannot_be_read_is_named_with_a_way_to_convert_it() {
    for (bytes, what) in [
        (&b"\x80\x04\x95\x10\0\0\0\0\0\0\0"[..], "a pickle"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a PNG image"),
        (b"ARROW1\0\0", "a Feather or Arrow file"),
        (b">seq one\nACGTTGCA\n>seq two\nACGT\n", "FASTA"),
        (b"@relation x\n@attribute a numeric\n@data\n1\n", "ARFF"),
        (b"<html><table><tr><td>1</td></tr></table></html>", "HTML with a table"),
        (b"id,text\n1,\"a long text of many words\"\n2,\"another text of many words\"\n", "a table of texts"),
        (b"a,b,c\nb,c\nd,e,f,g\na,c\n", "--format adjacency"),
        (b"{\"format\": \"dosnes-embedding\"}", "dosnes view"),
    ] {
        let error = dosnes_io::read_bytes("a", bytes, &ReadOptions::default(), &mut Silent).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn the_list_of_formats_in_the_readme_is_the_readers_own() {
    let readme = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    assert!(readme.contains(&Format::table()), "the table of formats in README.md should be:\n{}", Format::table());
}

#[test]
fn the_files_of_one_sample_may_have_its_name_and_those_of_several_are_refused() {
    let folder = std::env::temp_dir().join(format!("dosnes-io-samples-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let cells = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/cells");
    let copy = |sample: &str| {
        for name in ["matrix.mtx", "barcodes.tsv", "features.tsv"] {
            std::fs::copy(cells.join(name), folder.join(format!("{sample}{name}"))).unwrap();
        }
    };
    let read = |path: &std::path::Path| dosnes_io::read(path, &ReadOptions::default(), &mut Silent);
    copy("GSM1_s1_");
    let loaded = read(&folder).unwrap();
    assert_eq!((loaded.format, loaded.dataset.items.ids[0].as_str()), (Format::TenX, "ant-1"));
    // The matrix alone has the genes as its rows.
    let alone = read(&folder.join("GSM1_s1_matrix.mtx")).unwrap();
    let said = crate::small::doubts(&alone);
    assert!(said.contains("give the folder"), "{said}");
    copy("GSM2_s2_");
    let several = read(&folder).unwrap_err().to_string();
    assert!(several.contains("GSM1_s1_matrix.mtx, GSM2_s2_matrix.mtx"), "{several}");
    std::fs::remove_dir_all(folder).unwrap();
}
