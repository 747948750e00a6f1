//! Files that were once misread without a word. Each is read right now, or doubted with the option that changes it, or refused by
//! its name.

#![allow(clippy::format_collect, reason = "small files are built line by line")]

use crate::small::{doubts, edges, parse, read, refused, value};
use dosnes::input::{Data, Points};
use dosnes_io::{Loaded, ReadOptions};

/// The name of the kind, the number of items, and that of coordinates or partners.
fn shape(loaded: &Loaded) -> (String, usize, usize) {
    let data = &loaded.dataset.data;
    let columns = match data {
        Data::Points(points) => points.shape().1,
        Data::Dyadic(incidence) => incidence.columns(),
        _ => 0,
    };
    (data.kind().to_string(), data.len(), columns)
}

fn is(kind: &str, items: usize, columns: usize) -> (String, usize, usize) {
    (kind.to_owned(), items, columns)
}

#[test]
fn places_in_a_genome_are_no_coordinates() {
    let counts: String = (0..15)
        .map(|i| format!("G{i}\tchr1\t{}\t{}\t+\t5\t{}\t{}\n", 10 * i, 10 * i + 5, value(i, 1), value(i, 2)))
        .collect();
    let loaded = parse(
        "counts.txt",
        &format!("# Program:featureCounts\nGeneid\tChr\tStart\tEnd\tStrand\tLength\ta\tb\n{counts}"),
    );
    assert_eq!(shape(&loaded), is("points", 15, 2));
    let bed: String =
        (0..15).map(|i| format!("chr{}\t{}\t{}\tp{i}\t{}\n", 1 + i % 3, 100 * i, 100 * i + 50, value(i, 1))).collect();
    let loaded = parse("peaks.txt", &bed);
    assert!(doubts(&loaded).contains("places in a genome"), "{}", doubts(&loaded));
    refused("a.gtf", b"chr1\tx\tgene\t1\t5\t.\t+\t.\tgene_id \"a\";\n", "GFF");
}

#[test]
fn edges_may_be_typed_with_arrows() {
    for (arrow, after, entries) in
        [(" -> ", " : 3", 24), ("->", ": 3", 24), (" -- ", ", 3", 48), ("--", "\t3", 48), (" → ", " 3", 24)]
    {
        let text: String = edges().map(|(i, j)| format!("n {i}{arrow}n {j}{after}\n")).collect();
        let loaded = parse("net.txt", &text);
        let Data::Graph(graph) = &loaded.dataset.data else { panic!("{text}") };
        assert_eq!((graph.rows(), graph.nnz(), graph.get(0, 1)), (12, entries, Some(3.0)), "{text}");
        assert_eq!(loaded.dataset.items.ids[1], "n 1");
        assert_eq!(doubts(&loaded), "");
    }
    let loaded = parse("net.txt", &edges().map(|(i, j)| format!("n{j} <- n{i}\n")).collect::<String>());
    let Data::Graph(graph) = &loaded.dataset.data else { panic!() };
    let id = |name: &str| loaded.dataset.items.ids.iter().position(|id| id == name).unwrap();
    assert_eq!((graph.get(id("n0"), id("n1")), graph.get(id("n1"), id("n0"))), (Some(1.0), None));
    let damaged: String = edges().map(|(i, j)| format!("n{i} -> n{j}\n")).collect::<String>().repeat(6) + "n1 n2\n";
    refused("net.txt", damaged.as_bytes(), "line 145");
}

#[test]
fn sizes_above_the_entries_of_a_sparse_matrix_are_no_edge() {
    let entries: String = (0..30).map(|k| format!("{} {} {}\n", 1 + k % 12, 1 + k % 7, 1 + k % 5)).collect();
    for sizes in ["12 7 30\n", "12\n7\n30\n"] {
        let loaded = parse("docword.txt", &format!("{sizes}{entries}"));
        assert_eq!(shape(&loaded), is("dyadic", 12, 7), "{}", loaded.detected);
    }
    // Numbers that are no sizes are an edge.
    let loaded = parse("net.txt", &format!("12 7 31\n{entries}"));
    assert_eq!(loaded.dataset.data.kind().to_string(), "graph");
}

#[test]
fn pairs_with_ratings_and_times_could_be_edges() {
    let text: String =
        edges().map(|(i, j)| format!("{i},{j},{},{}\n", (i + j) as i64 % 7 - 3, 1_289_241_911 + i)).collect();
    assert!(doubts(&parse("soc-sign.csv", &text)).contains("--as graph"));
}

#[test]
fn travel_times_are_distances() {
    let text: String = edges().map(|(i, j)| format!("n{i},n{j},{}\n", 5 + i + j)).collect();
    for name in ["travel_time_min", "distance_km", "Driving time (hours)"] {
        let loaded = parse("travel.csv", &format!("from,to,{name}\n{text}"));
        assert_eq!(loaded.dataset.data.kind().to_string(), "distance", "{name}");
    }
}

#[test]
fn one_of_several_weights_is_a_doubt() {
    let text: String = edges().map(|(i, j)| format!("n{i},n{j},{i},{j}\n")).collect();
    let loaded = parse("games.csv", &format!("Player 1,Player 2,Score 1,Score 2\n{text}"));
    assert!(doubts(&loaded).contains("--weight"), "{}", doubts(&loaded));
}

#[test]
fn several_names_in_a_cell_are_doubted() {
    let text: String = edges().map(|(i, j)| format!("n{i}@x.org,n{j}@x.org;n{}@x.org\n", (j + 1) % 12)).collect();
    assert!(doubts(&parse("mails.csv", &format!("from,to\n{text}"))).contains("several names in a cell"));
}

#[test]
fn long_tables_are_doubted_and_wide_ones_are_not() {
    let long: String = (0..6)
        .flat_map(|i| {
            (0..2).flat_map(move |t| ["rt", "acc"].map(|m| format!("s{i},{},{m},{}\n", ["A", "B"][t], value(i, t))))
        })
        .collect();
    let loaded = parse("long.csv", &format!("subject,condition,measure,value\n{long}"));
    assert!(doubts(&loaded).contains("one row for each item"), "{}", doubts(&loaded));
    let wide: String = (0..24)
        .map(|i| format!("{},{},{},{}\n", ["m", "f"][i % 2], ["a", "b", "c"][i % 3], value(i, 1), value(i, 2)))
        .collect();
    assert_eq!(doubts(&parse("wide.csv", &format!("sex,island,length,depth\n{wide}"))), "");
}

#[test]
fn a_header_is_known_by_its_form() {
    let text: String = edges().map(|(i, j)| format!("n{i}@x.org;m{j}@x.org\n")).collect();
    let loaded = parse("pairs.csv", &format!("Wer;Wem\n{text}"));
    assert_eq!(loaded.dataset.items.len(), 24, "{}", loaded.detected);
}

#[test]
fn numbers_of_rows_are_doubted_beside_names() {
    let text: String = (0..15).map(|i| format!("n{i},{},{},{}\n", 100 + i, value(i, 1), value(i, 2))).collect();
    assert!(doubts(&parse("items.csv", &format!("name,no,a,b\n{text}"))).contains("--id no"));
    assert_eq!(shape(&parse("nodes.csv", &format!("name,SUID,a,b\n{text}"))), is("points", 15, 2));
}

#[test]
fn names_with_one_number_are_a_doubt() {
    let text: String = (0..15).map(|i| format!("ENSG{i}\t{}\n", value(i, 3))).collect();
    assert!(doubts(&parse("htseq.txt", &text)).contains("items differ by it alone"));
}

#[test]
fn letters_of_other_alphabets_are_doubted_and_those_of_western_europe_are_not() {
    let text = |name: &[u8]| -> Vec<u8> {
        let row = |i: usize| [name, format!("{i};{};{}\n", value(i, 1), value(i, 2)).as_bytes()].concat();
        std::iter::once(b"name;a;b\n".to_vec()).chain((0..12).map(row)).flatten().collect()
    };
    let cyrillic = parse("a.csv", &text(b"\xcc\xee\xf1\xea\xe2\xe0"));
    assert!(doubts(&cyrillic).contains("save the file as UTF-8"));
    let western = parse("a.csv", &text(b"Z\xfcrich"));
    assert_eq!((doubts(&western).as_str(), western.dataset.items.ids[0].as_str()), ("", "Zürich0"));
    assert_eq!(parse("a.csv", &text(b"\x80 5 \x96")).dataset.items.ids[0], "€ 5 –0");
}

#[test]
fn utf_32_is_read() {
    let text: String = (0..12).map(|i| format!("n{i},{},{}\n", value(i, 1), value(i, 2))).collect();
    let text = format!("\u{feff}name,a,b\n{text}");
    let little: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let big: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    for bytes in [little, big] {
        let loaded = parse("a.csv", &bytes);
        assert_eq!((shape(&loaded), loaded.dataset.items.ids[0].as_str()), (is("points", 12, 2), "n0"));
        assert!(matches!(loaded.dataset.data, Data::Points(Points::Dense(_))));
    }
}

#[test]
fn what_programs_write_for_themselves_is_named() {
    let kraken = " 10.5\t100\t5\tG\t561\t  Escherichia\n  9.5\t90\t90\tS\t562\t    Escherichia coli\n";
    let log = "127.0.0.1 - - [01/Jan/2024:00:00:00 +0000] \"GET / HTTP/1.1\" 200 7011\n".repeat(5);
    let map = "id\tlabel\tx\ty\tcluster\tweight<Links>\n1\ta\t0.5\t0.2\t1\t5\n2\tb\t0.1\t0.9\t1\t5\n";
    for (name, text, part) in [
        ("sample.txt", kraken, "Kraken"),
        ("access.txt", &log, "log of a web server"),
        ("map.txt", map, "--items"),
        ("a.vw", "1 |f a:0.5 b:2\n-1 |f a:0.1 c:3\n", "Vowpal"),
        ("a.pdb", "ATOM      1  N   ALA A   1      38.428  13.104   6.364  1.00 54.69           N\n", "PDB"),
        ("a.txt", "structure(list(a = c(1, 2, 3)), class = \"data.frame\")\n", "R code"),
        ("a.yml", "a: 1\nb: 2\nc: 3\n", "YAML"),
    ] {
        refused(name, text.as_bytes(), part);
    }
    for (bytes, part) in [
        (&b"II*\0aaaa"[..], "TIFF"),
        (b"RIFF\x10\0\0\0WAVE", "WAV"),
        (b"\0\0\x08\x03\0\0\0\x01", "IDX"),
        (b"\x40\0\0\0\0\0\0\0{\"a\":{}}", "safetensors"),
        (b"\0\0\0\x18ftypmp42", "MP4"),
        (b"SIMPLE  =                    T", "FITS"),
    ] {
        refused("x.dat", bytes, part);
    }
}

#[test]
fn names_of_phylip_may_have_ten_characters_and_blanks() {
    let strict = "    4\nSpecies_A 0.0000 0.1000 0.2000 0.3000\nHomo sapie0.1000 0.0000 0.2500 0.3500\n\
                  Pan troglo0.2000 0.2500 0.0000 0.1500\nGorilla go0.3000 0.3500 0.1500 0.0000\n";
    let loaded = parse("infile", strict);
    assert_eq!(shape(&loaded), is("distance", 4, 0), "{}", loaded.detected);
    assert_eq!(loaded.dataset.items.ids, ["Species_A", "Homo_sapie", "Pan_troglo", "Gorilla_go"]);
}

#[test]
fn tables_of_offices_with_a_row_for_each_year_are_doubted() {
    let rows: String =
        (0..12).flat_map(|i| [2015, 2016].map(|y| format!("C{i},GDP,USD,{y},{}\n", value(i, y)))).collect();
    let loaded = parse("oecd.csv", &format!("LOCATION,INDICATOR,MEASURE,TIME,Value\n{rows}"));
    assert!(doubts(&loaded).contains("one row for each item"), "{}", doubts(&loaded));
}

#[test]
fn titles_above_and_remarks_below_a_table_are_skipped() {
    let rows: String = (0..12).map(|i| format!("n{i},{},{},{}\n", value(i, 1), value(i, 2), value(i, 3))).collect();
    let loaded = parse("t.csv", &format!("Table 3. Things\nSource: survey\n\nname,a,b,c\n{rows}\nNote: provisional\n"));
    assert_eq!(shape(&loaded), is("points", 12, 3));
    assert_eq!((loaded.dataset.items.ids[0].as_str(), doubts(&loaded).as_str()), ("n0", ""));
}

#[test]
fn places_on_earth_alone_are_a_doubt() {
    let rows: String = (0..12).map(|i| format!("n{i},{},{}\n", value(i, 1), value(i, 2))).collect();
    assert!(doubts(&parse("stops.csv", &format!("stop,stop_lat,stop_lon\n{rows}"))).contains("--as points"));
}

#[test]
fn edges_with_two_numbers_and_times_with_fractions_are_no_sure_points() {
    let trust: String = edges().map(|(i, j)| format!("{i},{j},{},1289241911.5\n", 5 - i as i64)).collect();
    assert!(doubts(&parse("soc.csv", &trust)).contains("--as graph"));
    let attributes: String = edges().map(|(i, j)| format!("{i},{j},{},{}\n", value(i, j), value(j, i))).collect();
    assert!(doubts(&parse("a.csv", &attributes)).contains("--as graph"));
    let points: String =
        (0..40).map(|i| format!("{},{},{},{}\n", i % 9, 20 + i % 11, value(i, 1), value(i, 2))).collect();
    assert!(!doubts(&parse("a.csv", &points)).contains("--as graph"));
    let named: String = edges().map(|(i, j)| format!("{i},{j},{}\n", 5 - i as i64)).collect();
    refused("a.csv", &format!("rater,ratee,rating\n{named}").as_bytes(), "--ignore rating");
}

#[test]
fn pairs_of_each_item_with_all_and_zero_with_itself_are_distances() {
    let pairs = |own: usize| -> String {
        (0..12)
            .flat_map(|i| (0..12).map(move |j: usize| (i, j)))
            .map(|(i, j)| format!("n{i},n{j},{}\n", if i == j { own } else { 1 + i.abs_diff(j) }))
            .collect()
    };
    let distances = parse("a.csv", &format!("source,target,value\n{}", pairs(0)));
    assert_eq!(shape(&distances), is("distance", 12, 0));
    assert!(doubts(&distances).contains("--as graph"), "{}", doubts(&distances));
    let graph = parse("a.csv", &format!("source,target,value\n{}", pairs(20)));
    assert_eq!((shape(&graph), doubts(&graph)), (is("graph", 12, 0), String::new()));
    let options = ReadOptions { kind: Some(dosnes::Kind::Graph), ..ReadOptions::default() };
    let asked = read("a.csv", &format!("source,target,value\n{}", pairs(0)), &options);
    assert_eq!(shape(&asked.unwrap()), is("graph", 12, 0));
}

#[test]
fn contacts_in_the_order_of_time_have_no_weights() {
    let contacts: String =
        (0..4).flat_map(|_| edges()).enumerate().map(|(t, (i, j))| format!("{i} {j} {}\n", 20 * t)).collect();
    let loaded = parse("contacts.txt", &contacts);
    assert!(doubts(&loaded).contains("--weight 3"), "{}", doubts(&loaded));
    let Data::Graph(graph) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!(graph.get(0, 1), Some(4.0));
    // Weights may go up, too: each pair occurs once, or the list is in the order of the names.
    let weights: String = edges().enumerate().map(|(t, (i, j))| format!("{j} {i} {}\n", 20 * t)).collect();
    assert_eq!(doubts(&parse("weights.txt", &weights)), "");
}

#[test]
fn different_units_in_a_column_are_no_flags() {
    let rows: String = (0..12)
        .map(|i| {
            let length = if i % 2 == 0 { format!("{} cm", 100 + i) } else { format!("1.{i} m") };
            format!("n{i},{length},{},{}\n", value(i, 1), value(i, 2))
        })
        .collect();
    let loaded = parse("a.csv", &format!("name,length,a,b\n{rows}"));
    assert_eq!(shape(&loaded), is("points", 12, 2));
    assert!(doubts(&loaded).contains("--labels length"), "{}", doubts(&loaded));
    let rows: String = (0..12).map(|i| format!("n{i},{}.5 (1.0-9.5),{},{}\n", i, value(i, 1), value(i, 2))).collect();
    let loaded = parse("a.csv", &format!("name,ratio,a,b\n{rows}"));
    assert!(doubts(&loaded).contains("--labels ratio"), "{}", doubts(&loaded));
    let rows: String = (0..12).map(|i| format!("c{i},{i}.5M,{}K\n", 100 + i)).collect();
    refused("a.csv", &format!("channel,views,likes\n{rows}").as_bytes(), "write plain numbers");
}

#[test]
fn classes_in_numbers_are_no_sure_coordinates() {
    let rows = |class: &dyn Fn(usize) -> String| -> String {
        (0..40).map(|i| format!("{},{},{},{}\n", value(i, 1), value(i, 2), value(i, 3), class(i))).collect()
    };
    let three = rows(&|i| (i % 3).to_string());
    assert!(doubts(&parse("a.csv", &three)).contains("--labels 4"));
    assert!(
        doubts(&parse("a.csv", &rows(&|i| if i % 2 == 0 { "1".into() } else { "-1".into() }))).contains("--labels 4")
    );
    assert!(doubts(&parse("a.csv", &format!("a,b,c,Outcome\n{three}"))).contains("--labels Outcome"));
    assert_eq!(doubts(&parse("a.csv", &format!("a,b,c,children\n{three}"))), "");
    assert_eq!(doubts(&parse("a.csv", &rows(&|i| value(i, 4).to_string()))), "");
}

#[test]
fn numbers_of_replicates_are_no_sure_coordinates() {
    let rows: String =
        (0..24).map(|i| format!("{},{},{},{}\n", ["x", "y"][i % 2], 1 + i % 4, value(i, 1), value(i, 2))).collect();
    assert!(doubts(&parse("a.csv", &format!("treatment,rep,a,b\n{rows}"))).contains("--labels"));
}

#[test]
fn tiny_coordinates_are_not_lost_and_equal_items_are_said() {
    let rows = |exponent: i32| -> String {
        (0..12).map(|i| format!("n{i},{}e{exponent},{}e{exponent}\n", value(i, 1), value(i, 2))).collect()
    };
    for exponent in [-50, -310] {
        let loaded = parse("a.csv", &format!("name,a,b\n{}", rows(exponent)));
        let Data::Points(Points::Dense(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
        assert_eq!(x.iter().copied().fold(0.0, f32::max), 1.0);
        let ratio = f64::from(x[[1, 0]]) / f64::from(x[[2, 0]]);
        assert!((ratio - value(1, 1) / value(2, 1)).abs() < 1e-6, "{ratio}");
        assert_eq!((loaded.notes.len(), doubts(&loaded)), (1, String::new()), "{:?}", loaded.notes);
    }
    assert!(parse("a.csv", &format!("name,a,b\n{}", rows(-20))).notes.is_empty());
    let same: String = (0..12).map(|i| format!("n{i},1,5\n")).collect();
    assert!(doubts(&parse("a.csv", &format!("name,a,b\n{same}"))).contains("all items have the same coordinates"));
}

#[test]
fn numbers_of_edges_in_graph_files_are_not_left_out_without_a_word() {
    let gml = |name: &str| format!("graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 {name} 2.5 ] ]");
    let json =
        |name: &str| format!(r#"{{"nodes":[{{"id":0}},{{"id":1}}],"links":[{{"source":0,"target":1,"{name}":2.5}}]}}"#);
    let graphml = |name: &str| {
        format!(
            "<graphml><key id=\"d\" for=\"edge\" attr.name=\"{name}\"/><graph><node id=\"a\"/><node id=\"b\"/>\
             <edge source=\"a\" target=\"b\"><data key=\"d\">2.5</data></edge></graph></graphml>"
        )
    };
    let files = |name: &str| [("a.gml", gml(name)), ("a.json", json(name)), ("a.graphml", graphml(name))];
    for (file, text) in files("distance") {
        let doubt = doubts(&parse(file, &text));
        assert!(doubt.contains("numbers: \"distance\"") && doubt.contains("--as graph"), "{file}: {doubt}");
    }
    for (file, text) in files("weight").into_iter().chain(files("year")) {
        assert_eq!(doubts(&parse(file, &text)), "", "{file}: {text}");
    }
}
