//! A reading that could be wrong is said with the option that changes it, and options are obeyed or refused.

use crate::small::{parse, read};
use dosnes::input::{Data, Points};
use dosnes_io::{Error, Kind, Loaded, MissingValues, Note, ReadOptions, Standardize};

fn doubts(loaded: &Loaded) -> Vec<String> {
    loaded.doubts().map(ToString::to_string).collect()
}

/// Total weight of a graph.
fn total(loaded: &Loaded) -> f64 {
    let Data::Graph(graph) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    graph.values().iter().sum()
}

#[test]
fn every_doubt_names_the_option_that_changes_it_and_strict_reading_refuses_it() {
    let square = "1,2,3,4\n4,5,6,7\n7,8,1,2\n9,9,1,3\n";
    for (text, option) in
        [("1,2\n2,3\n3,1\n", "--as graph"), (square, "--as similarity"), ("u,v\n1,2\n2,3\n1,3\n", "--as points")]
    {
        let loaded = parse("a.csv", text);
        assert!(doubts(&loaded).iter().any(|doubt| doubt.contains(option)), "{text}: {:?}", loaded.notes);
        let strict = ReadOptions { strict: true, ..ReadOptions::default() };
        let error = read("a.csv", text, &strict).unwrap_err();
        assert!(matches!(&error, Error::Doubtful { doubt, .. } if doubt.contains(option)), "{error}");
        let points = ReadOptions { kind: Some(Kind::Points), ..strict };
        assert!(read("a.csv", text, &points).is_ok());
    }
}

#[test]
fn time_stamps_and_distances_are_no_weights_by_guess() {
    let named = "source,target,timestamp\na,b,1600000000\nb,c,1600000060\n";
    let unnamed = "1 2 1600000000\n2 3 1600000060\n3 1 1600000080\n";
    assert_eq!(total(&parse("a.csv", named)), 2.0);
    let guessed = parse("a.txt", unnamed);
    assert_eq!(total(&guessed), 3.0);
    assert!(doubts(&guessed)[0].contains("--weight 3"), "{:?}", guessed.notes);
    let asked = ReadOptions { weight_column: Some("3".into()), ..ReadOptions::default() };
    assert_eq!(total(&read("a.txt", unnamed, &asked).unwrap()), 3.0 * 1.6e9 + 140.0);
    let far = parse("a.csv", "source,target,distance\na,b,7\nb,c,3\n");
    assert!(matches!(far.dataset.data, Data::Distance(_)), "{}", far.detected);
    assert!(doubts(&far)[0].contains("--as graph --weight distance"), "{:?}", far.notes);
    let both = parse("a.csv", "source,target,distance,speed,note\na,b,7,1,x\nb,c,3,2,y\n");
    assert_eq!(total(&both), 2.0);
    assert!(doubts(&both)[0].contains("--weight distance"), "{:?}", both.notes);
    let konect = parse("out.txt", "% asym weighted\n1 2 3 1600000000\n2 3 4 1600000060\n");
    assert_eq!(total(&konect), 7.0);
}

#[test]
fn ignored_columns_of_an_edge_list_are_ignored() {
    let ignore = ReadOptions { ignore_columns: vec!["3".into()], ..ReadOptions::default() };
    assert_eq!(total(&read("a.txt", "1 2 5\n2 3 6\n", &ignore).unwrap()), 2.0);
}

#[test]
fn a_weight_makes_edges_of_rows() {
    let text = "who,what,stars,note\n1,7,3.5,1\n2,7,2.5,2\n2,8,1,3\n";
    let options =
        ReadOptions { kind: Some(Kind::Dyadic), weight_column: Some("stars".into()), ..ReadOptions::default() };
    let loaded = read("a.csv", text, &options).unwrap();
    let Data::Dyadic(incidence) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!((incidence.shape(), incidence.get(0, 0)), ((2, 2), Some(3.5)));
    let points = ReadOptions { kind: Some(Kind::Points), ..options };
    assert!(read("a.csv", text, &points).unwrap_err().to_string().contains("--weight is for edges"));
}

#[test]
fn users_and_what_they_rate_are_two_kinds_of_items() {
    let loaded =
        parse("a.csv", "userId,movieId,rating,timestamp\n1,1,3.5,965863785\n1,2,4,965863786\n2,1,5,965863787\n");
    let Data::Dyadic(incidence) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!((incidence.shape(), incidence.get(1, 0)), ((2, 2), Some(5.0)));
}

#[test]
fn options_that_cannot_be_used_are_refused_by_name() {
    let points = "name,u,v\nx,1.5,2\ny,3,4\nz,5,6\n";
    let edges = "source,target\na,b\nb,c\n";
    let default = ReadOptions::default;
    for (text, options, option) in [
        (points, ReadOptions { array: Some("X".into()), ..default() }, "--array"),
        (points, ReadOptions { directed: Some(true), ..default() }, "--directed"),
        (edges, ReadOptions { label_columns: vec!["source".into()], ..default() }, "--labels"),
        (edges, ReadOptions { id_column: Some("source".into()), ..default() }, "--id"),
    ] {
        let message = read("a.csv", text, &options).unwrap_err().to_string();
        assert!(message.contains(option) && message.contains("leave the option out"), "{message}");
    }
    let market = "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n";
    for (options, option) in [
        (ReadOptions { weight_column: Some("1".into()), ..default() }, "--weight"),
        (ReadOptions { ignore_columns: vec!["1".into()], ..default() }, "--ignore"),
        (ReadOptions { header: Some(true), ..default() }, "--header"),
    ] {
        let message = read("a.mtx", market, &options).unwrap_err().to_string();
        assert!(message.contains(option), "{message}");
    }
}

#[test]
fn missing_values_can_be_left_out_or_filled_in() {
    let with = |missing| ReadOptions { missing, ..ReadOptions::default() };
    let points = "u,v\n1,2\nNaN,3\n5,10\n";
    let dropped = read("a.csv", points, &with(MissingValues::Drop)).unwrap();
    assert_eq!(dropped.dataset.items.ids, ["0", "2"]);
    let filled = read("a.csv", points, &with(MissingValues::Mean)).unwrap();
    let Data::Points(Points::Dense(x)) = &filled.dataset.data else { panic!("{}", filled.detected) };
    assert_eq!(x[[1, 0]], 3.0);
    assert!(filled.notes.contains(&Note::MissingFilled { count: 1, first: "line 3, column \"u\"".into() }));
    let edges = "source,target,weight\na,b,1\nb,c,\nc,a,3\n";
    assert_eq!(total(&read("a.csv", edges, &with(MissingValues::Drop)).unwrap()), 4.0);
    assert_eq!(total(&read("a.csv", edges, &with(MissingValues::Mean)).unwrap()), 6.0);
    // Sparse points: a row, or the mean of the column, in which what is not written is zero.
    let sparse = "1 1:2 2:nan 3:1\n0 1:4 2:6 3:1\n1 1:1 3:5\n0 1:3 3:2\n";
    let refused = read("a.svmlight", sparse, &ReadOptions::default()).unwrap_err().to_string();
    assert!(refused.contains("row 0 (from 0)") && refused.contains("--missing mean"), "{refused}");
    assert_eq!(read("a.svmlight", sparse, &with(MissingValues::Drop)).unwrap().dataset.items.ids, ["1", "2", "3"]);
    let filled = read("a.svmlight", sparse, &with(MissingValues::Mean)).unwrap();
    let Data::Points(Points::Sparse(x)) = &filled.dataset.data else { panic!("{}", filled.detected) };
    assert_eq!(x.get(0, 1), Some(2.0));
    // A sparse matrix of a graph is treated as a list of edges.
    let matrix = "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 1\n3 2 nan\n3 1 3\n";
    assert_eq!(total(&read("a.mtx", matrix, &with(MissingValues::Drop)).unwrap()), 8.0);
    assert_eq!(total(&read("a.mtx", matrix, &with(MissingValues::Mean)).unwrap()), 12.0);
    assert!(read("a.mtx", matrix, &ReadOptions::default()).unwrap_err().to_string().contains("--missing drop"));
    // Files of graphs, each with the weights 1, missing and 3, and both directions of an edge.
    let graphs = [
        (
            "a.gml",
            "graph [ node [ id 0 ] node [ id 1 ] node [ id 2 ] edge [ source 0 target 1 weight 1 ] \
             edge [ source 1 target 2 weight NAN ] edge [ source 0 target 2 weight 3 ] ]",
        ),
        ("a.net", "*Vertices 3\n1 \"a\"\n2 \"b\"\n3 \"c\"\n*Edges\n1 2 1\n2 3 nan\n1 3 3\n"),
        (
            "a.json",
            r#"{"nodes": [{"id": "a", "note": "NaN \" NaN"}, {"id": "b"}, {"id": "c"}], "links": [{"source": "a", "target": "b",
            "weight": 1}, {"source": "b", "target": "c", "weight": NaN}, {"source": "a", "target": "c", "weight": 3}]}"#,
        ),
        (
            "b.json",
            r#"{"nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}], "links": [{"source": "a", "target": "b", "weight": 1},
            {"source": "b", "target": "c", "weight": null}, {"source": "a", "target": "c", "weight": 3}]}"#,
        ),
    ];
    for (name, text) in graphs {
        let refused = read(name, text, &ReadOptions::default()).unwrap_err().to_string();
        assert!(refused.contains("edge from") && refused.contains("--missing drop or --missing mean"), "{refused}");
        assert_eq!(total(&read(name, text, &with(MissingValues::Drop)).unwrap()), 8.0, "{name}");
        let filled = read(name, text, &with(MissingValues::Mean)).unwrap();
        assert_eq!(total(&filled), 12.0, "{name}");
        assert!(filled.notes.iter().any(|note| matches!(note, Note::MissingFilled { count: 1, .. })), "{name}");
    }
    // A square table stays square, and remains what it was.
    let square = "0,1,2,9\n1,0,NaN,9\n2,NaN,0,9\n9,9,9,0\n";
    let dropped = read("a.csv", square, &with(MissingValues::Drop)).unwrap();
    assert_eq!((dropped.dataset.data.kind(), dropped.dataset.data.len()), (Kind::Distance, 3));
}

#[test]
fn a_large_offset_in_a_long_table_costs_no_digits() {
    let rows: Vec<String> = (0..50).map(|k| format!("{}.5,{}", 1_700_000_000 + k, k % 7)).collect();
    let text = rows.join("\n");
    let loaded = parse("a.csv", &text);
    let Data::Points(Points::Dense64(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!(x[[3, 0]], 1_700_000_003.5);
}

#[test]
fn a_column_that_decides_everything_is_noticed_and_can_be_standardised() {
    let rows: Vec<String> = (0..20).map(|k| format!("{}.5,{}", k % 5, 1000 * (k % 7))).collect();
    let text = format!("length,mass\n{}\n", rows.join("\n"));
    let loaded = parse("a.csv", &text);
    let doubts = doubts(&loaded);
    assert!(doubts[0].starts_with("column \"mass\" has 100.0 % of the variance"), "{doubts:?}");
    assert!(doubts[0].contains("--standardize"));
    for how in [Standardize::None, Standardize::Z] {
        let options = ReadOptions { standardize: Some(how), strict: true, ..ReadOptions::default() };
        let loaded = read("a.csv", &text, &options).unwrap();
        let Data::Points(Points::Dense(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
        let largest = x.column(1).iter().copied().fold(0.0, f32::max);
        assert_eq!(largest > 10.0, how == Standardize::None, "{how:?}: {largest}");
    }
}

#[test]
fn counts_of_single_cells_are_prepared_in_one_step_and_said_so() {
    let options = ReadOptions { cell_counts: true, ..ReadOptions::default() };
    let market = "%%MatrixMarket matrix coordinate integer general\n3 2 4\n1 1 2\n2 1 1\n2 2 3\n3 2 8\n";
    let loaded = read("a.mtx", market, &options).unwrap();
    let Data::Points(Points::Sparse(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!(x.get(2, 1), Some(4_f64.ln_1p()));
    assert!(matches!(&loaded.notes[..], [Note::Prepared(what)] if what.contains("a total of 4")), "{:?}", loaded.notes);
    // Who does not know the option is told about it, whether the counts are read as links or as points.
    assert!(doubts(&parse("a.mtx", market))[0].contains("--counts"));
    let points = ReadOptions { kind: Some(Kind::Points), ..ReadOptions::default() };
    assert_eq!(read("a.mtx", market, &points).unwrap().notes, [Note::RawCounts]);
    assert!(Note::RawCounts.to_string().contains("--counts"));
    let ones = "%%MatrixMarket matrix coordinate integer general\n3 2 4\n1 1 1\n2 1 1\n2 2 1\n3 2 1\n";
    assert!(read("a.mtx", ones, &points).unwrap().notes.is_empty());
    let message = read("a.csv", "0.5,1\n1,2\n1,3\n", &options).unwrap_err().to_string();
    assert!(message.contains("--counts needs counts"), "{message}");
}

#[test]
fn options_that_a_format_cannot_use_are_refused() {
    let no_header = || ReadOptions { header: Some(false), ..ReadOptions::default() };
    let skip = || ReadOptions { skip: 1, ..ReadOptions::default() };
    let separator = || ReadOptions { separator: Some(';'), ..ReadOptions::default() };
    let id = || ReadOptions { id_column: Some("no such".into()), ..ReadOptions::default() };
    let undirected = || ReadOptions { directed: Some(false), ..ReadOptions::default() };
    let sif = "ant likes bee\nbee likes cat\ncat eats ant\n";
    let dimacs = "p edge 3 2\ne 1 2\ne 2 3\n";
    let dl = "dl n=3 format=fullmatrix\ndata:\n0 1 1\n1 0 1\n1 1 0\n";
    let graph = "{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}], \"links\": [{\"source\": \"a\", \"target\": \"b\"}]}";
    let records = "[{\"name\": \"a\", \"x\": 1}, {\"name\": \"b\", \"x\": 2}]";
    let ratings = "user,item,rating\nu1,i1,3\nu1,i2,4\nu2,i1,5\n";
    for (name, text, options, part) in [
        ("a.sif", sif, skip(), "--skip is for text tables, but this is SIF"),
        ("a.sif", sif, separator(), "--separator"),
        ("a.sif", sif, no_header(), "--header"),
        ("a.sif", sif, id(), "--id"),
        ("a.col", dimacs, skip(), "--skip"),
        ("a.dl", dl, no_header(), "--header"),
        ("a.txt", "a -> b\nb -> c\nc -> a\n", skip(), "--skip"),
        ("a.json", graph, id(), "no column \"no such\""),
        ("a.json", graph, no_header(), "--header"),
        ("a.json", records, no_header(), "--header no"),
        ("a.dot", "graph { a [size=1]; a -- b }", id(), "their columns: \"size\""),
        ("a.csv", ratings, undirected(), "--directed and --undirected are for graphs"),
    ] {
        let error = read(name, text, &options).expect_err(part).to_string();
        assert!(error.contains(part), "{name}: “{part}” is not in: {error}");
    }
    let sparse = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/csr.npz")).unwrap();
    let array = ReadOptions { array: Some("X".into()), ..ReadOptions::default() };
    assert!(read("a.npz", &sparse, &array).unwrap_err().to_string().contains("--array X"));
    let absent = ReadOptions { missing_codes: vec![-99.0], ..ReadOptions::default() };
    let loaded = read("a.csv", "x,y\n1,2.5\n3,4\n5,1\n", &absent).unwrap();
    assert!(loaded.notes.contains(&Note::CodesAbsent(vec!["-99".into()])), "{:?}", loaded.notes);
}
