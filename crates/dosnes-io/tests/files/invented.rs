//! Files as network scientists, biologists, humanists and data scientists have them, typed in their manner: each is read
//! right, or said to be doubtful with the option that changes it, or refused by its name.

#![allow(clippy::format_collect, reason = "small files are built line by line")]

use crate::small::{doubts, edges, lines, parse, points, read, refusal, refused, said};
use dosnes::input::{Data, Distances, Points};
use dosnes_io::{Kind, Loaded, ReadOptions};

fn rows(header: &str, line: impl Fn(usize) -> String) -> String {
    std::iter::once(header.to_owned()).chain((0..20).map(line)).collect()
}

/// Reads a graph, and returns the weight of the edge between the first two nodes.
#[track_caller]
fn graph(name: &str, text: &str) -> (Loaded, f64) {
    let loaded = parse(name, text);
    let Data::Graph(matrix) = &loaded.dataset.data else { panic!("{name}: {}", loaded.detected) };
    assert_eq!(matrix.rows(), 12, "{name}: {}", loaded.detected);
    let weight = matrix.get(0, 1).unwrap_or(0.0);
    (loaded, weight)
}

#[test]
fn the_ends_of_edges_have_many_names() {
    for (name, header, weight) in [
        ("trade.csv", "exporter_iso3,importer_iso3,year,value_usd\n", 7.0),
        ("bikes.csv", "start_station_id,end_station_id,year,trips\n", 7.0),
        ("biogrid.csv", "BioGRID ID A,BioGRID ID B,date,Score\n", 7.0),
        ("letters.csv", "Absender,Empfänger,Jahr,Anzahl\n", 7.0),
        ("lettres.csv", "expéditeur,destinataire,année,nombre\n", 7.0),
    ] {
        let (loaded, found) = graph(name, &lines(header, |i, j| format!("C{i:02},C{j:02},{},7\n", 1990 + i)));
        assert_eq!((found, doubts(&loaded)), (weight, String::new()), "{name}");
    }
    let mitab =
        lines("#ID(s) interactor A\tID(s) interactor B\tconfidence\n", |i, j| format!("up:P{i}\tup:P{j}\tx:0.4\n"));
    assert_eq!(graph("mitab.txt", &mitab).1, 1.0);
    // A column of ids in front does not hide the ends.
    let numbered =
        lines("id;Absender;Empfänger;Datum;Anzahl\n", |i, j| format!("{i};Anna {i};Anna {j};1710-01-02;3\n"));
    assert_eq!(graph("numbered.csv", &numbered).1, 3.0);
}

#[test]
fn a_header_of_texts_above_texts_is_seen_by_its_names() {
    let stamped = lines("sender,recipient,timestamp\n", |i, j| format!("u{i},u{j},2014-03-01T12:00:0{}Z\n", i % 10));
    assert_eq!(graph("mails.csv", &stamped).1, 1.0);
    let loaded = parse("parties.csv", &lines("person,event\n", |i, j| format!("p{i},e{}\n", j % 5)));
    assert!(loaded.detected.contains("dyadic data, 12 items × 5 partners"), "{}", loaded.detected);
}

#[test]
fn years_and_times_are_no_weights() {
    let (loaded, weight) = graph("years.csv", &lines("from,to,année\n", |i, j| format!("a{i},a{j},{}\n", 1710 + i)));
    assert_eq!(weight, 1.0, "{}", said(&loaded));
    let (loaded, weight) = graph("years.txt", &lines("", |i, j| format!("a{i} a{j} {}\n", 1710 + i)));
    assert_eq!(weight, 1.0);
    assert!(doubts(&loaded).contains("--weight 3"), "{}", said(&loaded));
}

#[test]
fn ratings_without_a_header_are_no_points() {
    let ratings: String =
        (0..60).map(|k| format!("{}\t{}\t{}\t{}\n", k % 9 + 1, k % 7 + 1, k % 5 + 1, 881_250_949 + k)).collect();
    let loaded = parse("u.data", &ratings);
    assert!(loaded.detected.contains("dyadic data, 9 items × 7 partners"), "{}", loaded.detected);
    assert!(doubts(&loaded).contains("--as graph"), "{}", said(&loaded));
    let as_points = ReadOptions { kind: Some(Kind::Points), ..ReadOptions::default() };
    assert_eq!(read("u.data", &ratings, &as_points).unwrap().dataset.items.len(), 60);
}

#[test]
fn weights_that_could_be_meant_are_named() {
    let text = lines("gene_a,gene_b,rho,pvalue\n", |i, j| format!("g{i},g{j},{},0.0{i}\n", 0.5 - i as f64 / 10.0));
    let (loaded, weight) = graph("rho.csv", &text);
    assert_eq!(weight, 1.0);
    let said = doubts(&loaded);
    assert!(said.contains("\"rho\"") && said.contains("--weight") && said.contains("\"pvalue\""), "{said}");
}

#[test]
fn pairs_with_distances_are_distances() {
    let place = |i: usize| (i * i % 7) as f64 + i as f64 / 3.0;
    let pairs = |separator: char, header: &str| -> String {
        let all = (0..12).flat_map(|i| (0..i).map(move |j| (i, j)));
        let line =
            |(i, j): (usize, usize)| format!("s{i}{separator}s{j}{separator}{:.4}\n", (place(i) - place(j)).abs());
        std::iter::once(header.to_owned()).chain(all.map(line)).collect()
    };
    for (name, text) in [
        ("pairs.csv", pairs(',', "item1,item2,distance\n")),
        ("mothur.dist", pairs(' ', "")),
        ("distances.txt", pairs('\t', "")),
    ] {
        let loaded = parse(name, &text);
        let Data::Distance(Distances::Sparse(matrix)) = &loaded.dataset.data else {
            panic!("{name}: {}", loaded.detected)
        };
        assert_eq!((matrix.rows(), matrix.nnz()), (12, 132), "{name}");
        // The first pair is s1, s0.
        assert!((matrix.get(0, 1).unwrap() - (place(1) - place(0)).abs()).abs() < 1e-4, "{name}");
        assert!(doubts(&loaded).contains("--as graph --weight"), "{name}: {}", said(&loaded));
    }
    let weighted =
        ReadOptions { kind: Some(Kind::Graph), weight_column: Some("distance".into()), ..ReadOptions::default() };
    assert!(matches!(
        read("pairs.csv", &pairs(',', "item1,item2,distance\n"), &weighted).unwrap().dataset.data,
        Data::Graph(_)
    ));
    let asked = ReadOptions { kind: Some(Kind::Distance), weight_column: Some("x".into()), ..ReadOptions::default() };
    assert!(matches!(
        read("pairs.csv", &pairs(',', "item1,item2,x\n"), &asked).unwrap().dataset.data,
        Data::Distance(_)
    ));
    let twice = refusal("twice.csv", "item1,item2,distance\na,b,1\nb,c,2\na,b,5\n");
    assert!(twice.contains("\"a\" and \"b\"") && twice.contains("distances 1 and 5"), "{twice}");
    let directed = parse("both.csv", "item1,item2,distance\na,b,1\nb,c,2\nb,a,5\n");
    assert!(said(&directed).contains("not symmetric"), "{}", said(&directed));
}

#[test]
fn tables_of_programs_for_networks() {
    let gephi = lines("Source,Target,Type,Id,Label,Weight\n", |i, j| format!("{i},{j},Undirected,{i}{j},,2.5\n"));
    let (loaded, weight) = graph("gephi.csv", &gephi);
    assert_eq!(weight, 2.5);
    assert!(loaded.detected.contains("24 undirected edges"), "{}", loaded.detected);
    let cytoscape = lines("\"SUID\",\"interaction\",\"name\",\"selected\",\"shared name\",\"weight\"\n", |i, j| {
        format!("\"{i}\",\"pp\",\"G {i} (pp) G {j}\",\"false\",\"G {i} (pp) G {j}\",\"0.5\"\n")
    });
    let (loaded, weight) = graph("edges.csv", &cytoscape);
    assert_eq!((weight, loaded.dataset.items.ids[0].as_str()), (0.5, "G 0"));
    let dimacs = format!("c a graph\np edge 12 24\n{}", lines("", |i, j| format!("e {} {}\n", i + 1, j + 1)));
    assert_eq!(graph("graph.col", &dimacs).1, 1.0);
    let roads = format!("c roads\np sp 12 24\n{}", lines("", |i, j| format!("a {} {} {}\n", i + 1, j + 1, 5 + i)));
    assert!(parse("roads.gr", &roads).detected.contains("distances between 12 items"));
    let sif = lines("", |i, j| format!("g{i} pp g{j} g{}\n", (j + 1) % 12)) + "lonely\n";
    let loaded = parse("a.sif", &sif);
    let Data::Graph(matrix) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!((matrix.rows(), matrix.get(0, 1), matrix.get(0, 2)), (13, Some(1.0), Some(1.0)));
    let blast: String = (0..12)
        .map(|i| {
            let hits = [(i + 1) % 12, (i + 5) % 12]
                .map(|j| format!("q{i}\tq{j}\t90.0\t100\t3\t0\t1\t100\t5\t104\t1e-20\t200\n"));
            format!(
                "# BLASTP 2.9.0+\n# Query: q{i}\n# Fields: query, subject, % identity\n# 2 hits found\n{}",
                hits.concat()
            )
        })
        .collect();
    assert_eq!(graph("hits.txt", &blast).1, 200.0);
}

/// The number of nodes is only a claim.
#[test]
fn ucinet_files_of_impossible_sizes_are_refused() {
    for (n, format) in [
        ("0", "fullmatrix"),
        ("39999999999990", "fullmatrix"),
        ("18446744073709551615", "fullmatrix"),
        ("39999999999990", "fullmatrix labels embedded"),
        ("18446744073709551615", "fullmatrix labels embedded"),
    ] {
        let text = format!("dl n={n} format={format}\ndata:\n0 1\n1 0\n");
        let read = read("a.dl", &text, &ReadOptions::default());
        assert!(read.unwrap_err().to_string().contains("a UCINET DL file"), "{text}");
    }
    let text = "dl n=39999999999990 format=edgelist1\ndata:\n1 2 1\n2 3 1\n";
    let read = read("a.dl", text, &ReadOptions::default()).unwrap();
    assert_eq!(read.dataset.items.len(), 3);
}

#[test]
fn ucinet_matrices_and_lists_have_their_labels() {
    let labels = "labels:\nanna,boris,clara,dmitri\n";
    for (name, text) in [
        ("full.dl", format!("dl n=4 format=fullmatrix\n{labels}data:\n0 1 0 0\n1 0 1 0\n0 1 0 1\n0 0 1 0\n")),
        ("nodes.dl", format!("dl n=4 format=nodelist1\n{labels}data:\n1 2\n2 1 3\n3 2 4\n4 3\n")),
        (
            "edges.dl",
            "DL n = 4\nformat = edgelist1\nlabels embedded\ndata:\nanna boris 1\nboris clara 1\nclara dmitri 1\n"
                .to_owned(),
        ),
    ] {
        let loaded = parse(name, &text);
        let Data::Graph(matrix) = &loaded.dataset.data else { panic!("{name}: {}", loaded.detected) };
        assert_eq!(loaded.dataset.items.ids, ["anna", "boris", "clara", "dmitri"], "{name}");
        assert_eq!((matrix.get(0, 1), matrix.get(0, 3)), (Some(1.0), None), "{name}");
    }
    let two = refusal("two.dl", "dl nr=4 nc=3 format=fullmatrix\ndata:\n1 0 0\n");
    assert!(two.contains("two modes") && two.contains("CSV"), "{two}");
}

#[test]
fn graphs_in_json_have_several_forms() {
    let lists: Vec<String> = (0..12)
        .map(|i| {
            format!(
                "\"n{i}\": [{}]",
                edges().filter(|e| e.0 == i).map(|e| format!("\"n{}\"", e.1)).collect::<Vec<_>>().join(", ")
            )
        })
        .collect();
    assert_eq!(graph("names.json", &format!("{{{}}}", lists.join(", "))).0.dataset.items.ids[0], "n0");
    let nodes: Vec<String> = (0..12).map(|i| format!("{{\"id\": {i}}}")).collect();
    let both = |i: usize| edges().filter_map(move |(a, b)| if a == i { Some(b) } else { (b == i).then_some(a) });
    let neighbors: Vec<String> = (0..12)
        .map(|i| format!("[{}]", both(i).map(|j| format!("{{\"id\": {j}}}")).collect::<Vec<_>>().join(", ")))
        .collect();
    let text =
        format!("{{\"directed\": false, \"nodes\": [{}], \"adjacency\": [{}]}}", nodes.join(","), neighbors.join(","));
    let (loaded, weight) = graph("adjacency.json", &text);
    assert_eq!(weight, 1.0, "{}", said(&loaded));
}

#[test]
fn vectors_in_json_have_a_column_for_each_of_their_numbers() {
    let record = |i: usize| format!("{{\"title\": \"t{i}\", \"embedding\": [{i}.5, 2, 3]}}");
    let list: Vec<String> = (0..8).map(record).collect();
    for (name, text) in [("a.json", format!("[{}]", list.join(","))), ("a.jsonl", list.join("\n"))] {
        let loaded = points(name, &text, (8, 3));
        assert_eq!(loaded.dataset.items.ids[3], "t3", "{name}");
    }
    let words: Vec<String> = (0..8).map(|i| format!("\"w{i}\": [{i}.5, 2, 3]")).collect();
    let loaded = points("words.json", &format!("{{{}}}", words.join(",")), (8, 3));
    assert!(doubts(&loaded).contains("--transpose"), "{}", said(&loaded));
}

#[test]
fn signs_and_units_are_taken_off_numbers() {
    let loaded =
        points("percent.csv", &rows("country,urban,growth\n", |i| format!("C{i},{}%,-{i}.5 %\n", 50 + i)), (20, 2));
    assert!(said(&loaded).contains("\"%\" of column \"urban\""), "{}", said(&loaded));
    let Data::Points(Points::Dense(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!((x[[1, 0]], x[[1, 1]]), (51.0, -1.5));
    points(
        "prices.csv",
        &rows("name,price,income\n", |i| format!("n{i},\"${},000.50\",\"${},111\"\n", i + 1, i + 2)),
        (20, 2),
    );
    points("sizes.csv", &rows("name,height,weight\n", |i| format!("n{i},{} cm,{}.5 kg\n", 150 + i, 50 + i)), (20, 2));
    assert_eq!(graph("share.csv", &lines("from,to,share\n", |i, j| format!("a{i},a{j},{}%\n", 3 + i))).1, 3.0);
}

/// What pandas writes for columns in groups, without and with a name of the index.
#[test]
fn the_rows_of_a_grouped_header_are_joined() {
    for top in [",petal,petal,sepal\n,length,width,length\n", ",petal,petal,sepal\n,length,width,length\nflower,,,\n"] {
        let loaded = points("flowers.csv", &rows(top, |i| format!("f{i},{i}.5,2,{}\n", i % 3)), (20, 3));
        assert_eq!(loaded.dataset.items.ids[1], "f1", "{top}");
        let names = loaded.dataset.partners.as_ref().map(|partners| partners.ids.clone());
        assert_eq!(names.unwrap(), ["petal length", "petal width", "sepal length"], "{top}");
        assert!(said(&loaded).contains("the rows of the header were joined"), "{}", said(&loaded));
    }
}

#[test]
fn nodes_with_a_colon_before_their_neighbours_are_a_graph() {
    let neighbours = |i: usize| {
        let others = edges().filter_map(|(a, b)| if a == i { Some(b) } else { (b == i).then_some(a) });
        others.map(|k| format!("n{k}")).collect::<Vec<_>>()
    };
    for between in [", ", ",", " "] {
        let text: String = (0..12).map(|i| format!("n{i}: {}\n", neighbours(i).join(between))).collect();
        let (loaded, weight) = graph("friends.txt", &text);
        // Each edge stands in two lines.
        assert_eq!(weight, 1.0, "{}", loaded.detected);
        assert_eq!(loaded.dataset.items.ids[0], "n0");
    }
    let settings = "title: first\ncolour: red\nsize: 3\nshape: round\n";
    assert!(read("settings.txt", settings, &ReadOptions::default()).is_err());
}

#[test]
fn numbers_that_name_or_class_items_are_no_coordinates() {
    // Topics of MALLET: the number of the row, the name of the file, the shares.
    let topics = rows("", |i| format!("{i}\tfile:/x/doc{i}.txt\t0.{}\t0.{}\n", i + 1, (3 * i) % 10));
    assert_eq!(points("topics.txt", &topics, (20, 2)).dataset.items.ids[2], "file:/x/doc2.txt");
    points("index.csv", &rows("", |i| format!("{i},0.{},{}\n", i + 1, (3 * i) % 10)), (20, 2));
    let years = format!("20 3\n{}", rows("", |i| format!("{} 0.5 0.{i} 1.5\n", 1900 + i)));
    assert_eq!(points("years.vec", &years, (20, 3)).dataset.items.ids[1], "1901");
    let cells = rows("\"\",\"nCount\",\"percent.mt\",\"seurat_clusters\"\n", |i| {
        format!("\"AC{i}-1\",{},{}.5,\"{}\"\n", 100 + i, i % 7, i % 4)
    });
    points("cells.csv", &cells, (20, 2));
}

#[test]
fn rows_that_may_not_be_meant_are_doubted() {
    let genes = rows("gene,cell1,cell2,cell3\n", |i| format!("G{i},{},{},{}\n", i % 3, i % 5, i % 2));
    assert!(doubts(&points("genes.csv", &genes, (20, 3))).contains("--transpose"));
    let log = rows("", |i| format!("2020-01-01 12:00:{i:02} started process {}\n", i * i % 11));
    assert!(doubts(&parse("log.txt", &log)).contains("--as graph"));
}

#[test]
fn tables_of_geo_stand_between_other_lines() {
    let table = rows("\"ID_REF\"\t\"GSM1\"\t\"GSM2\"\n", |i| format!("\"p{i}\"\t{}.5\t{}\n", i % 7, i % 3));
    let text = format!(
        "!Series_title\t\"x\"\n!Sample_title\t\"a\"\t\"b\"\n!series_matrix_table_begin\n{table}!series_matrix_table_end\n"
    );
    assert_eq!(points("series.txt", &text, (20, 2)).dataset.items.ids[0], "p0");
    let soft = format!(
        "^DATASET = GDS1\n!dataset_title = x\n#ID_REF = probe\n!dataset_table_begin\n{table}!dataset_table_end\n"
    );
    points("a.soft", &soft, (20, 2));
}

#[test]
fn what_cannot_be_read_is_named() {
    for (name, text, parts) in [
        ("a.nex", "#NEXUS\nBEGIN TREES;\n tree t = ((A,B),(C,D));\nEND;\n", &["NEXUS", "CSV"][..]),
        ("a.meg", "#mega\n!Title: x;\n[1] #a\n", &["MEGA"]),
        ("a.yaml", "- a: 1\n  b: 2\n- a: 3\n  b: 4\n", &["YAML"]),
        ("a.sql", "CREATE TABLE x (a INT);\nINSERT INTO x VALUES (1);\n", &["SQL", "CSV"]),
        ("a.tex", "\\begin{tabular}{lrr}\na & 1 & 2 \\\\\n\\end{tabular}\n", &["LaTeX"]),
        ("a.vna", "*node data\nID name\n1 a\n*tie data\nfrom to\n1 2\n", &["VNA"]),
        ("a.gw", "LEDA.GRAPH\nstring\nint\n-1\n3\n", &["LEDA"]),
        ("a.g6", ">>graph6<<DQc\n", &["graph6"]),
        ("a.bib", "@article{x,\n author = {A and B}\n}\n", &["BibTeX"]),
        ("pairs.txt", "(0, 1)\n(1, 2)\n", &["parentheses"]),
        ("a.tgf", "1 a\n2 b\n#\n1 2\n", &["TGF", "sed"]),
        ("a.gmt", "SET1\tx\tG1\tG2\nSET2\tx\tG1\n", &["GMT", "--as dyadic"]),
        ("a.m", "A = [\n1 2 3;\n4 5 6;\n];\n", &["MATLAB", "writematrix"]),
        ("a.txt", "[[0.1 0.2]\n [0.4 0.5]]\n", &["NumPy", "numpy.save"]),
        ("d.txt", "     a    b    c\nb 0.1\nc 0.2 0.3\nd 0.4 0.5 0.6\n", &["R prints", "as.matrix"]),
        ("t.txt", "#doc name topic proportion ...\n0\tx\t2\t0.5\t1\t0.3\n", &["MALLET"]),
        ("b.json", "{\"matrix_type\": \"sparse\", \"matrix_element_type\": \"int\", \"data\": [[0,2,1]]}", &["BIOM"]),
    ] {
        for part in parts {
            refused(name, text, part);
        }
    }
}
