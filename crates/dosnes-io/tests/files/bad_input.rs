//! Every bad input has one clear answer: what is wrong, where, and what to do.

use std::path::{Path, PathBuf};

use dosnes::input::{Data, Values};
use dosnes::observe::Silent;
use dosnes_io::{Error, Format, Kind, Loaded, MissingValues, Note, ReadOptions};

fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Loaded, Error> {
    dosnes_io::read(path, options, &mut Silent)
}

fn read_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Loaded, Error> {
    dosnes_io::read_bytes(name, bytes, options, &mut Silent)
}

fn parse(name: &str, text: &str) -> Result<Loaded, Error> {
    read_bytes(name, text.as_bytes(), &ReadOptions::default())
}

fn parse_as(name: &str, text: &str, kind: Kind) -> Result<Loaded, Error> {
    read_bytes(name, text.as_bytes(), &ReadOptions { kind: Some(kind), ..ReadOptions::default() })
}

#[track_caller]
fn assert_message(result: Result<Loaded, Error>, expected: &str) {
    match result {
        Ok(loaded) => panic!("read as: {}", loaded.detected),
        Err(error) => assert!(error.to_string().contains(expected), "{error}\n  does not say: {expected}"),
    }
}

/// A file in a folder of its own, removed in the end.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new(name: &str, contents: &[u8]) -> Self {
        let folder = std::env::temp_dir().join(format!("dosnes-io-bad-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        std::fs::write(&path, contents).unwrap();
        Self(path)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.0.parent().unwrap());
    }
}

#[test]
fn nothing_to_read() {
    let error = read("no/such/file.csv", &ReadOptions::default()).unwrap_err();
    assert_eq!(error.io_error().map(std::io::Error::kind), Some(std::io::ErrorKind::NotFound));
    assert_message(read("no/such/file.csv", &ReadOptions::default()), "no/such/file.csv: cannot be opened");
    assert_message(read(std::env::temp_dir(), &ReadOptions::default()), "is a folder; give the path of a file");
    assert_message(parse("a.csv", ""), "a.csv: the file is empty");
    assert_message(parse("a.csv", "\n  \n"), "only blanks");
    assert_message(parse("a.csv", "# only\n# comments\n"), "there is no data in it");
    assert_message(parse("a.csv", "x1,x2\n"), "the file has 0 items");
    assert_message(parse("a.csv", "1,2,3\n"), "the file has 1 item, but a map needs at least 2");
}

#[test]
fn ragged_rows_name_their_line() {
    assert_message(
        parse("a.csv", "x1,x2\n1,2\n3,4\n5\n6,7\n"),
        "a.csv, line 4: this line has 1 cells where the others have 2",
    );
}

#[test]
fn cells_that_are_no_coordinate_name_line_and_column() {
    assert_message(
        parse("a.csv", "u,v\n1,2\n3,oops\n5,6\n7,8\n"),
        "a.csv, line 3, column \"v\": \"oops\" is not a number, while most of the column is",
    );
    assert_message(parse("a.csv", "u,v\n1,2\n3,inf\n5,6\n"), "line 3, column \"v\": \"inf\" is not finite");
    assert_message(parse("a.csv", "u,v\n1,2\nNaN,3\n5,6\n"), "line 3, column \"u\": \"NaN\" is a missing value");
    assert_message(parse("a.csv", "1,2\n,3\n5,6\n"), "line 2, column \"1\": the cell is empty");
    let options = ReadOptions { missing: MissingValues::Drop, ..ReadOptions::default() };
    let loaded = read_bytes("a.csv", b"u,v\n1,2\nNaN,3\n5,6\n", &options).unwrap();
    assert_eq!(loaded.dataset.items.len(), 2);
    assert!(loaded.notes.contains(&Note::RowsDropped { count: 1, first: "line 3".into() }));
}

#[test]
fn weights_that_are_no_similarity_name_line_and_column() {
    let flights = "origin,destination,count\nABE,ATL,853\nABE,BHM,-3\n";
    assert_message(
        parse("airports.csv", flights),
        "airports.csv, line 3, column \"count\": weight \"-3\" is negative; similarities must be ≥ 0",
    );
    assert_message(parse("a.csv", "source,target,weight\na,b,1\nb,c,many\n"), "weight \"many\" is not a number");
    assert_message(parse("a.csv", "source,target,weight\na,b,1\nb,c,\n"), "the weight \"\" is missing");
    assert_message(parse("a.edges", "a b 1\nb c inf\n"), "line 2, column \"3\": weight \"inf\" is infinite");
    assert_message(parse("a.edges", "a b\nc\n"), "line 2: an edge needs 2 cells, but this line has 1");
}

#[test]
fn similarities_must_be_square_and_not_negative() {
    assert_message(parse_as("s.csv", "1,2,3\n4,5,6\n", Kind::Similarity), "must be square, but this one is 2 × 3");
    let error = parse_as("s.csv", "1,2,3\n4,5,6\n", Kind::Distance).unwrap_err();
    assert!(matches!(error, Error::NotSquare { kind: Kind::Distance, rows: 2, columns: 3, .. }));
    assert_message(
        parse_as("s.csv", "1,0.5\n-0.5,1\n", Kind::Similarity),
        "s.csv, line 2, column \"1\": similarity \"-0.5\" is negative; similarities must be ≥ 0",
    );
    let loaded = parse_as("s.csv", "1,0.5\n0.25,1\n", Kind::Similarity).unwrap();
    assert!(loaded.notes.contains(&Note::Asymmetric));
}

#[test]
fn ids_must_be_unique_when_they_are_asked_for() {
    let text = "name,u,v\nann,1,2\nbob,3,4\nann,5,6\n";
    let options = ReadOptions { id_column: Some("name".into()), ..ReadOptions::default() };
    assert_message(
        read_bytes("a.csv", text.as_bytes(), &options),
        "a.csv, line 4, column \"name\": the id \"ann\" was already given to an earlier item",
    );
    // Not asked for, the names are labels.
    let loaded = parse("a.csv", text).unwrap();
    assert_eq!(loaded.dataset.items.ids, ["0", "1", "2"]);
    assert!(loaded.dataset.items.column("name").is_some());
    let options = ReadOptions { id_column: Some("nome".into()), ..ReadOptions::default() };
    assert_message(
        read_bytes("a.csv", text.as_bytes(), &options),
        "there is no column \"nome\"; the columns are name, u, v",
    );
}

#[test]
fn side_files_that_do_not_fit_say_how_they_would() {
    let edges = "source,target\na,b\nb,c\n";
    let with = |side: &Path| {
        let options = ReadOptions { items_file: Some(side.to_owned()), ..ReadOptions::default() };
        read_bytes("g.csv", edges.as_bytes(), &options)
    };
    let side = TemporaryFile::new("twice.csv", b"id,size\na,1\nb,2\nb,3\n");
    assert_message(with(&side.0), "the id \"b\" was already given");
    let side = TemporaryFile::new("strangers.csv", b"id,size\nx,1\ny,2\nz,3\n");
    assert_message(with(&side.0), "no column contains the ids of the items (such as \"a\")");
    let side = TemporaryFile::new("more.csv", b"id,size\na,1\nb,2\nz,3\n");
    let loaded = with(&side.0).unwrap();
    assert!(
        loaded.notes.iter().any(|n| matches!(n, Note::UnknownInSideFile { count: 1, example, .. } if example == "z"))
    );
    assert!(
        loaded.notes.iter().any(|n| matches!(n, Note::AbsentFromSideFile { count: 1, example, .. } if example == "c"))
    );
    match &loaded.dataset.items.column("size").unwrap().values {
        Values::Number(size) => assert!(size[0] == 1.0 && size[1] == 2.0 && size[2].is_nan()),
        Values::Text(_) => panic!("sizes are numbers"),
    }
    let side = TemporaryFile::new("names.txt", b"one\ntwo\n");
    let options = ReadOptions { items_file: Some(side.0.clone()), ..ReadOptions::default() };
    assert_message(read_bytes("p.csv", b"1.5,2\n3,4\n5,6\n", &options), "the file has 2 rows for 3 items");
}

#[test]
fn damaged_and_misnamed_files_are_recognised() {
    let gzip = std::fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/numbers.csv.gz")).unwrap();
    let options = ReadOptions::default();
    assert_message(read_bytes("a.csv.gz", &gzip[..gzip.len() - 12], &options), "the gzip data is truncated or damaged");
    assert_message(
        read_bytes("a.csv", b"\x01\x02\x03\x04\x02\x01\x01\0\0\0\0", &options),
        "a binary file of unknown format, although its name ends in .csv",
    );
    assert_message(parse("a.csv", "{\"a\": 1}"), "JSON without a table or a graph in it");
    assert_message(parse("a.csv", "[{\"a\": 1}, {\"a\""), "line 1: the JSON is damaged or truncated");
    assert_message(parse("a.csv", "<html></html>"), "an HTML page, not data");
    assert_message(parse("a.csv", "<svg/>"), "an SVG figure");
    assert_message(parse("a.csv", "<x/>"), "neither GraphML nor GEXF");
    assert_message(parse("a.csv", "u,v\n1,2\n\"3,4\n5,6\n"), "line 3: a cell starts with a quote that is not closed");
}

#[test]
fn the_contents_count_more_than_the_extension() {
    let npy = std::fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/double.npy")).unwrap();
    assert_eq!(read_bytes("a.csv", &npy, &ReadOptions::default()).unwrap().format, Format::Npy);
    assert_eq!(parse("a.npy", "u,v\n1,2\n3,4\n5,6\n").unwrap().format, Format::Table);
    let graph = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n";
    assert_eq!(parse("a.txt", graph).unwrap().format, Format::MatrixMarket);
}

#[test]
fn matrix_market_breaches_name_their_line() {
    let head = "%%MatrixMarket matrix coordinate real general\n% a comment\n";
    assert_message(
        parse("m.mtx", &format!("{head}3 3 1\n4 1 1.0\n")),
        "m.mtx, line 4: row \"4\" is not between 1 and 3",
    );
    assert_message(parse("m.mtx", &format!("{head}3 3 2\n1 1 1.0\n")), "promises 2 entries, but the file ends after 1");
    assert_message(parse("m.mtx", &format!("{head}3 3 1\n1 2 x\n")), "line 4: \"x\" is not a number");
    assert_message(
        parse_as("m.mtx", &format!("{head}3 3 1\n1 2 -1\n"), Kind::Graph),
        "line 4: weight \"-1\" is negative",
    );
    let skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n";
    assert_message(parse("m.mtx", skew), "line 1: a skew-symmetric matrix has no meaning here");
}

#[test]
fn pajek_breaches_name_their_line() {
    assert_message(
        parse("n.net", "*Vertices 2\n1 \"a\"\n3 \"b\"\n"),
        "n.net, line 3: \"3\" is not a vertex between 1 and 2",
    );
    assert_message(parse("n.net", "*Vertices 2\n*Arcs\n1 2 -4\n"), "line 3: weight \"-4\" is negative");
    assert_message(parse("n.net", "*Vertices 2\n1 \"a\"\n"), "the network has no arcs and no edges");
}

#[test]
fn an_edge_to_an_unknown_node_is_refused_in_xml() {
    let graph = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>\
                 <edge source=\"a\" target=\"c\"/></graph></graphml>";
    assert_message(parse("g.graphml", graph), "an edge ends at \"c\", but there is no node with this name");
    let twice = "<graphml><graph><node id=\"a\"/><node id=\"a\"/></graph></graphml>";
    assert_message(parse("g.graphml", twice), "the id \"a\" was already given");
    assert_message(parse("g.graphml", &graph[..90]), "the XML is damaged or truncated");
}

#[test]
fn pajek_sections_of_all_sorts_are_read() {
    let text = "*Network all\n*Vertices 4\n1 \"a b\" 0.1 0.2\n2 c\n3 d\n*Arcs :1 \"likes\"\n1 2 2\n1 2 3\n*Edges\n2 3 5\n\
                *Arcslist\n3 1 4\n*Edgeslist\n4 1\n*Partition sort\n*Vertices 4\n1\n2\n1\n2\n*Vector size.vec\n*Vertices 4\n\
                0.5\n1.5\n2.5\n3.5\n";
    let loaded = parse("all.paj", text).unwrap();
    let Data::Graph(graph) = &loaded.dataset.data else { panic!("graph") };
    assert_eq!(loaded.dataset.items.ids, ["a b", "c", "d", "4"]);
    assert_eq!(graph.get(0, 1), Some(5.0));
    assert_eq!((graph.get(1, 2), graph.get(2, 1)), (Some(5.0), Some(5.0)));
    assert_eq!((graph.get(2, 0), graph.get(2, 3), graph.get(3, 2)), (Some(1.0), Some(1.0), None));
    assert_eq!((graph.get(0, 3), graph.get(3, 0)), (Some(1.0), Some(1.0)));
    assert!(loaded.notes.contains(&Note::RepeatedEdges(1)));
    assert!(loaded.dataset.items.column("sort").is_some() && loaded.dataset.items.column("size").is_some());
}

#[test]
fn a_two_mode_pajek_network_is_dyadic() {
    let text = "*Vertices 5 2\n1 \"Ann\"\n2 \"Bob\"\n3 \"p\"\n4 \"q\"\n5 \"r\"\n*Edges\n1 3\n1 4\n2 5 2\n";
    let loaded = parse("two.net", text).unwrap();
    let Data::Dyadic(incidence) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!(loaded.dataset.items.ids, ["Ann", "Bob"]);
    assert_eq!(incidence.shape(), (2, 3));
    assert_eq!(incidence.get(1, 2), Some(2.0));
    assert_eq!(loaded.dataset.partners.as_ref().unwrap().ids, ["p", "q", "r"]);
}

#[test]
fn edge_lists_take_any_separator_comments_and_names_of_any_text() {
    for text in [
        "# made by hand\na b 2\nb c 3\nc a 1\n",
        "% konect\na\tb\t2\nb\tc\t3\nc\ta\t1\n",
        "// c\na;b;2\nb;c;3\nc;a;1\n",
        "a|b|2\nb|c|3\nc|a|1\n",
        "a,b,2\nb,c,3\nc,a,1\n",
    ] {
        let loaded = parse("graph.edges", text).unwrap();
        let Data::Graph(graph) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
        assert_eq!(loaded.dataset.items.ids, ["a", "b", "c"], "{text}");
        assert_eq!((graph.get(0, 1), graph.get(1, 2), graph.get(2, 0)), (Some(2.0), Some(3.0), Some(1.0)));
    }
    let loaded = parse("graph.edges", "\"New York\" \"Los Angeles\"\n\"Los Angeles\" \"São Paulo\"\n").unwrap();
    assert_eq!(loaded.dataset.items.ids, ["New York", "Los Angeles", "São Paulo"]);
}

#[test]
fn a_list_of_authors_and_papers_can_be_dyadic() {
    let text = "author,paper\nann,p1\nann,p2\nbob,p2\n";
    // The names of the columns say so; without them it is a doubt.
    for (text, kind) in [(text, None), (&text[13..], Some(Kind::Dyadic))] {
        let options = ReadOptions { kind, ..ReadOptions::default() };
        let loaded = read_bytes("list.csv", text.as_bytes(), &options).unwrap();
        let Data::Dyadic(incidence) = &loaded.dataset.data else { panic!("dyadic") };
        assert_eq!(incidence.shape(), (2, 2));
        assert_eq!(loaded.dataset.items.ids, ["ann", "bob"]);
    }
    let loaded = parse("list.csv", &text[13..]).unwrap();
    assert_eq!(loaded.dataset.data.kind(), Kind::Graph);
    assert!(loaded.notes.contains(&Note::CouldBeDyadic));
}

#[test]
fn pairs_of_whole_numbers_in_a_csv_are_points_and_could_be_edges() {
    let loaded = parse("a.csv", "0,1\n1,2\n2,0\n").unwrap();
    assert_eq!(loaded.dataset.data.kind(), Kind::Points);
    assert!(loaded.notes.contains(&Note::CouldBeEdges));
    let loaded = parse_as("a.csv", "0,1\n1,2\n2,0\n", Kind::Graph).unwrap();
    assert_eq!(loaded.dataset.data.kind(), Kind::Graph);
}

#[test]
fn points_can_be_transposed_and_then_are_named_by_their_header() {
    let options = ReadOptions { transpose: true, ..ReadOptions::default() };
    let loaded = read_bytes("a.csv", b"u,v,w\n1,2,3\n4,5,6\n", &options).unwrap();
    assert_eq!(loaded.dataset.items.ids, ["u", "v", "w"]);
    assert_eq!(loaded.dataset.data.len(), 3);
}

#[test]
fn text_that_is_not_utf8_is_read_as_latin1_and_said_so() {
    let loaded = read_bytes("a.csv", b"name,u,v\nJos\xe9,1,2\nAnn,3,4\n", &ReadOptions::default()).unwrap();
    assert_eq!(loaded.dataset.items.ids[0], "José");
    assert!(loaded.notes.contains(&Note::Latin1 { foreign: false }));
}

#[test]
fn a_table_of_items_is_not_taken_for_edges() {
    let cells = "barcode,label,count\nAAA,B,1\nAAC,T,2\nAAG,B,3\n";
    assert_eq!(parse("cells.csv", cells).unwrap().dataset.data.kind(), Kind::Points);
    assert_message(parse("nodes.tsv", "zip\tutils\nvim\teditors\n"), "no column contains coordinates");
}

#[test]
fn word_vectors_with_or_without_their_line_of_sizes_are_named_points() {
    for text in ["cat 0.1 0.2\ndog 0.3 0.4\n", "2 2\ncat 0.1 0.2\ndog 0.3 0.4\n"] {
        let loaded = parse("vectors.txt", text).unwrap();
        assert_eq!(loaded.dataset.items.ids, ["cat", "dog"]);
        assert_eq!(loaded.dataset.data.kind(), Kind::Points);
    }
}

#[test]
fn years_above_columns_are_a_header() {
    let loaded = parse("a.csv", "country,1990,1995\nFI,1,2\nSE,2,3\n").unwrap();
    assert_eq!(loaded.dataset.items.ids, ["FI", "SE"]);
}

#[test]
fn columns_can_be_named_by_header_or_by_number() {
    let text = "u,code,v\n1,ann,2\n3,bob,4\n";
    for asked in ["code", "CODE", "2"] {
        let options = ReadOptions { id_column: Some(asked.into()), ..ReadOptions::default() };
        let loaded = read_bytes("a.csv", text.as_bytes(), &options).unwrap();
        assert_eq!(loaded.dataset.items.ids, ["ann", "bob"]);
        let options = ReadOptions { label_columns: vec![asked.into()], ..ReadOptions::default() };
        let loaded = read_bytes("a.csv", text.as_bytes(), &options).unwrap();
        assert_eq!(loaded.dataset.items.ids, ["0", "1"]);
        assert!(loaded.dataset.items.column("code").is_some());
    }
}

#[test]
fn a_matrix_market_file_that_claims_the_largest_number_of_entries_is_refused() {
    let text = format!("%%MatrixMarket matrix coordinate real general\n3 3 {}\n1 1 1\n", usize::MAX);
    assert_message(parse("m.mtx", &text), "but the file ends after 1");
    let side = u32::MAX;
    let text = format!("%%MatrixMarket matrix array real symmetric\n{side} {side}\n1\n");
    assert_message(parse("m.mtx", &text), "but the file ends after 1");
}

#[test]
fn weights_whose_sums_could_overflow_are_divided_by_a_power_of_two() {
    let loaded = parse("a.edges", "a b 1e308\na b 1e308\nb c 1\n").unwrap();
    let notes = loaded.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(notes.contains("weights are larger than 1e150, so all were divided by 2^526"), "{notes}");
    assert_message(parse("a.edges", "a b 1e309\nb c 1\n"), "is infinite; weights must be finite");
}

#[test]
fn what_breaks_behind_the_first_rows_is_reported_with_its_line() {
    let mut text = String::from("u,v\n");
    for k in 0..1500 {
        text.push_str(if k == 1200 { "1,\"2\n" } else { "1,2.5\n" });
    }
    assert_message(parse("a.csv", &text), "a.csv, line 1202: a cell starts with a quote that is not closed");
    let text = text.replace("1,\"2\n", "oops,2\n");
    assert_message(parse("a.csv", &text), "a.csv, line 1202, column \"u\": \"oops\" is not a number");
    let early = "u,v\n1,2\n3,\"4\n5,6\n";
    assert_message(parse("a.csv", early), "a.csv, line 3: a cell starts with a quote that is not closed");
}

#[test]
fn a_zip_archive_inside_a_zip_archive_is_refused() {
    use std::io::Write;
    let zipped = |name: &str, bytes: &[u8]| {
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
        archive.finish().unwrap().into_inner()
    };
    let options = ReadOptions::default();
    let inner = zipped("a.csv", b"x,y\n1,2\n3,5\n7,4\n");
    assert!(read_bytes("a.zip", &inner, &options).is_ok());
    assert_message(read_bytes("b.zip", &zipped("a.zip", &inner), &options), "a zip archive inside a zip archive");
}

/// Work that grows with the square of the number of columns would take hours here.
#[test]
fn very_many_columns_are_looked_at_once_each() {
    const WIDTH: usize = 200_000;
    let line = |cell: &dyn Fn(usize) -> String| (0..WIDTH).map(cell).collect::<Vec<_>>().join(",");
    let table = |name: &dyn Fn(usize) -> String, cell: &dyn Fn(usize) -> String| {
        let rows: Vec<String> = (0..5).map(|row| line(&|k| cell(k + row))).collect();
        format!("{}\n{}\n", line(name), rows.join("\n"))
    };
    let digit = |k: usize| (k * k % 7).to_string();
    let tables = [
        table(&|k| format!("class{k}"), &digit),
        table(&|k| format!("gene1_{k}"), &digit),
        table(&|_| "name".into(), &|k| format!("{k} kg")),
        table(&|_| String::new(), &|k| if k % 50_000 == 0 { "1".into() } else { String::new() }),
        table(&|_| "flag".into(), &|k| if k % 2 == 0 { "true".into() } else { "12 345".into() }),
    ];
    for table in tables {
        let started = std::time::Instant::now();
        let _result = dosnes_io::read_bytes("a.csv", table.as_bytes(), &ReadOptions::default(), &mut Silent);
        assert!(started.elapsed().as_secs() < 60, "{}", &table[..40]);
    }
}

#[test]
fn a_line_of_millions_of_cells_is_refused() {
    let line = ",".repeat(5_000_000);
    assert_message(parse("a.csv", &format!("{line}\n{line}\n")), "line 1: this line has more than 2 million cells");
}
