//! Files as people of many fields have them, which were misread without a word, or refused without the cause.

#![allow(clippy::format_collect, reason = "small files are built line by line")]

use crate::small::{doubts, edges, lines, parse, read, refused, said, shape, value, weight};
use dosnes::input::{Data, Points};
use dosnes_io::{Kind, MissingValues, ReadOptions};

#[test]
fn ends_are_known_by_the_words_of_more_fields() {
    let loaded = parse("od.csv", &lines("orig_zone,dest_zone,trips,car,bus\n", |i, j| format!("{i},{j},9,{i},7\n")));
    assert_eq!((weight(&loaded), doubts(&loaded)), (9.0, String::new()));
    let spectra = lines("CLUSTERID1\tCLUSTERID2\tDeltaMZ\tMEH\tCosine\tOther\n", |i, j| {
        format!("{i}\t{j}\t-{i}.5\t1.0\t0.9\t0.5\n")
    });
    assert_eq!(weight(&parse("gnps.tsv", &spectra)), 0.9);
    let taxis = lines("VendorID,trip_distance,PULocationID,DOLocationID,fare_amount\n", |i, j| {
        format!("{},{i}.5,{i},{j},12.5\n", 1 + i % 2)
    });
    assert_eq!(weight(&parse("taxis.csv", &taxis)), 12.5);
    let gravity = lines("iso_o,iso_d,dist,tradeflow\n", |i, j| format!("C{i},C{j},{i}00,7\n"));
    assert!(parse("gravity.csv", &gravity).detected.contains("edge list (iso_o, iso_d"));
}

#[test]
fn whole_numbers_that_two_columns_share_are_doubted_if_their_names_differ_in_a_word() {
    let header = "worker,home_tract,work_tract,age,hours\n";
    let text = lines(header, |i, j| format!("{},{},{},{},{}\n", 7 * i, 100 + i, 100 + j, 20 + i, 35.5));
    let said = doubts(&parse("commuters.csv", &text));
    assert!(said.contains("columns home_tract and work_tract have the same whole numbers"), "{said}");
    assert!(said.contains("--as graph --ignore worker"), "{said}");
    let couples = lines("income,age_wife,age_husband,rooms\n", |i, j| format!("{i}.5,{},{},3\n", 20 + i, 20 + j));
    assert!(!doubts(&parse("couples.csv", &couples)).contains("ends of edges"));
    // Answers on the same scale are no ends.
    let marks = lines("code_a,code_b,code_c,w\n", |i, j| format!("{i},{j},{},0.5\n", (i + 2 * j) % 12));
    assert!(!doubts(&parse("marks.csv", &marks)).contains("the same whole numbers"));
}

#[test]
fn minutes_between_two_ends_may_be_those_of_a_way() {
    let text = lines("from,to,minutes\n", |i, j| format!("Z{i},Z{j},{}\n", 5 + i));
    let said = doubts(&parse("skim.csv", &text));
    assert!(said.contains("--as distance --weight minutes"), "{said}");
    let asked = ReadOptions { kind: Some(Kind::Graph), ..ReadOptions::default() };
    assert_eq!(doubts(&read("skim.csv", &text, &asked).unwrap()), "");
}

#[test]
fn places_and_orders_are_no_weights() {
    let rides = lines("start_station,end_station,start_lat,start_lng,end_lat,end_lng\n", |i, j| {
        format!("S{i},S{j},40.{i},-73.{i},40.{j},-73.{j}\n")
    });
    assert_eq!(doubts(&parse("rides.csv", &rides)), "");
    let authors = lines("paper_id,author_name,author_position\n", |i, j| format!("P{i},Author {j},{}\n", j % 3 + 1));
    let loaded = parse("authors.csv", &authors);
    assert!(loaded.detected.contains("(author_name, paper_id): dyadic data"), "{}", loaded.detected);
}

#[test]
fn similarities_in_the_form_of_phylip_are_doubted_and_distances_are_not() {
    let triangle = |value: &dyn Fn(usize) -> f64| {
        let row = |i: usize| (0..i).map(|j| format!("\t{:.3}", value(i - j))).collect::<String>();
        format!("12\n{}", (0..12).map(|i| format!("g{i}{}\n", row(i))).collect::<String>())
    };
    let said = doubts(&parse("ani.matrix", &triangle(&|apart| 100.0 - 1.5 * apart as f64)));
    assert!(said.contains("--as similarity"), "{said}");
    assert_eq!(doubts(&parse("lt.phy", &triangle(&|apart| 0.02 * apart as f64))), "");
}

#[test]
fn codes_with_decimals_are_noticed_and_obeyed() {
    let rows = |i: usize| {
        let dew = if i.is_multiple_of(5) { "9999.9".into() } else { format!("{}.5", i % 7) };
        let wind = if i % 4 == 1 { "999.9".into() } else { format!("{}.25", i % 6) };
        format!("ST{i},{dew},{wind},{}.5\n", i % 9)
    };
    let text: String = std::iter::once("station,dew,wind,temp\n".into()).chain((0..40).map(rows)).collect();
    assert!(doubts(&parse("isd.csv", &text)).contains("--na=999.9,9999.9 "));
    let options =
        ReadOptions { missing_codes: vec![999.9, 9999.9], missing: MissingValues::Mean, ..ReadOptions::default() };
    let loaded = read("isd.csv", &text, &options).unwrap();
    let Data::Points(Points::Dense(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert!(x.iter().all(|v| *v < 10.0), "{x}");
}

#[test]
fn fingerprints_in_one_cell_are_bits() {
    let bits =
        |i: usize| (0..24).map(|k| if (i * k + k).is_multiple_of(3) { '1' } else { '0' }).rev().collect::<String>();
    let rows: String = (0..12).map(|i| format!("CHEMBL{i},{}\n", bits(i))).collect();
    assert_eq!(shape(&parse("fp.csv", &format!("id,fingerprint\n{rows}"))), (12, 24));
    // Numbers that have no other digits are numbers.
    let rows: String = (0..12).map(|i| format!("n{i},1000000{},{i}.5\n", i % 2)).collect();
    assert_eq!(shape(&parse("n.csv", &format!("name,count,b\n{rows}"))), (12, 2));
}

#[test]
fn subtotals_between_the_rows_are_doubted() {
    let block = |region: usize| {
        let rows: String = (1..5).map(|i| format!("R{region},c{region}{i},{i},{},{}\n", 2 * i, i + region)).collect();
        format!("{rows}R{region} subtotal,,10,20,{}\n", 10 + 4 * region)
    };
    let text = format!("region,city,a,b,c\n{}{}{}", block(1), block(2), block(3));
    let said = doubts(&parse("sales.csv", &text));
    assert!(said.contains("\"R1 subtotal\" (3 of them)"), "{said}");
    // A name with the word in it is no sum.
    let films: String = (1..9).map(|i| format!("film {i},{i},{}\n", i * i)).collect();
    let films = parse("films.csv", &format!("title,a,b\n{films}Total Recall,3,1\n"));
    assert!(!doubts(&films).contains("sums of those above"));
}

#[test]
fn a_single_column_of_numbers_is_a_doubt() {
    let numbers: String = (0..30).map(|i| format!("{}\n", i * i % 17)).collect();
    assert!(doubts(&parse("labels.txt", &numbers)).contains("only the column \"1\" has numbers"));
    let asked = ReadOptions { kind: Some(Kind::Points), ..ReadOptions::default() };
    assert!(!doubts(&read("labels.txt", &numbers, &asked).unwrap()).contains("only the column"));
}

#[test]
fn what_a_clock_shows_is_no_number_that_was_not_read() {
    let rows: String = (10..40).map(|i| format!("01.06.2022;10:{i};{}.5;{}.5\n", i % 7, i % 5)).collect();
    assert_eq!(doubts(&parse("sensor.csv", &format!("Datum;Uhrzeit;Temp;Wind\n{rows}"))), "");
    let times: String = (10..40).map(|i| format!("r{i},1:{i}:05,{}.5,{}.5\n", i % 7, i % 5)).collect();
    assert!(doubts(&parse("runs.csv", &format!("runner,result,a,b\n{times}"))).contains("1:10:05"));
    let texts: String = (10..40).map(|i| format!("r{i},=\"{i}.5\",{}.5,{}.5\n", i % 7, i % 5)).collect();
    assert!(doubts(&parse("excel.csv", &format!("name,x,a,b\n{texts}"))).contains("--labels x"));
}

#[test]
fn numbers_in_json_are_no_header_and_ids_are_known_by_their_key() {
    assert_eq!(shape(&parse("a.json", "[[1.0, 2.0], [3.5, 4.5], [0.5, 7.5], [2.5, 1.5], [0.1, 0.2]]")), (5, 2));
    let vectors: Vec<[f64; 3]> = (0..6).map(|i| [f64::from(i), 0.5, f64::from(i * i)]).collect();
    let text = |k: i32, what: &str| (0..k).map(|i| format!("\"{what} {i}\"")).collect::<Vec<_>>().join(",");
    let chroma =
        format!("{{\"documents\": [{}], \"embeddings\": {vectors:?}, \"ids\": [{}]}}", text(6, "text"), text(6, "d"));
    assert_eq!(parse("chroma.json", &chroma).dataset.items.ids[2], "d 2");
}

#[test]
fn tables_of_names_are_refused_with_what_they_are() {
    let friends: String = (0..12).map(|i| format!("s{i},s{},s{}\n", (i + 1) % 12, (i + 5) % 12)).collect();
    refused("roster.csv", &format!("id,friend1,friend2\n{friends}"), "write a line for each pair");
    let authors: String = (0..12).map(|i| format!("P{i},Ann{}; Bob{}; Eve\n", i % 3, i % 4)).collect();
    refused("papers.csv", &format!("paper,authors\n{authors}"), "several names in a cell");
}

#[test]
fn more_files_are_named() {
    for (name, text, part) in [
        ("a.sdf", "mol\n  RDKit\n\n  3  2  0\n", "SDF"),
        ("a.txt", "mol\n  RDKit\n\n  3  2  0  0  0 0  0 0 0999 V2000\n    0.0  0.0  0.0 C\n", "SDF"),
        ("a.aln", "CLUSTAL W (1.83) multiple sequence alignment\n\nseq1  ATGC\nseq2  ATGG\n", "Clustal"),
        ("a.fps", "#FPS1\n#num_bits=16\n03ff\tm1\n13ff\tm2\n", "ToBitString"),
        ("a.gen", "microsats\nLoc1\nLoc2\nPop\ni1 , 0101 0202\nPop\ni2 , 0102 0202\n", "Genepop"),
        ("a.lvm", "LabVIEW Measurement\t\nWriter_Version\t2\n***End_of_Header***\t\nX\tY\n1\t2\n", "--skip"),
        ("a.txt", "$GPGGA,123519,4807.038,N\n$GPRMC,123519,A,4807.038,N\n", "GPS"),
        ("a.tntp", "<NUMBER OF ZONES> 4\n<END OF METADATA>\n\nOrigin 1\n 2 : 100.0;\n", "TNTP"),
        ("a.m", "{{1., 2.}, {3., 4.}, {5., 6.}}\n", "Mathematica"),
        ("a.m", "X = [1 2 3;\n4 5 6;\n7 8 9];\n", "MATLAB"),
        ("a.txt", "Matrix(2, 2, [[1,2],[3,4]])\n", "Maple"),
        (
            "a.txt",
            "   +-------------+\n   | id   income |\n   |-------------|\n 1. | 1   1000 |\n 2. | 2   900 |\n   +-------------+\n",
            "Stata",
        ),
        ("a.csv", "\"_id\",\"_labels\",\"name\",\"_start\",\"_end\",\"_type\"\n\"0\",\":P\",\"x\",,,\n", "Neo4j"),
    ] {
        refused(name, text, part);
    }
    let rows: String = (0..30).map(|i| format!("name{i},{i}.5,{}.25\n", i % 7)).collect();
    refused("nul.csv", &rows.replacen("name20", "na\0me20", 1), "line 21: a zero byte");
    refused("fill.csv", &rows.replacen("20.5", "1e20", 1), "--na=1e20");
}

#[test]
fn columns_of_a_graph_in_json_cannot_be_left_out() {
    let text = r#"{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b", "w": 2}]}"#;
    let options = ReadOptions { ignore_columns: vec!["w".into()], ..ReadOptions::default() };
    let error = read("graph.json", text, &options).unwrap_err().to_string();
    assert!(error.contains("--ignore is for tables"), "{error}");
    // Records of edges are a table.
    let rows: Vec<String> =
        edges().map(|(i, j)| format!("{{\"source\": \"a{i}\", \"target\": \"a{j}\", \"w\": 3}}")).collect();
    let records = format!("[{}]", rows.join(","));
    assert_eq!(weight(&read("records.json", &records, &options).unwrap()), 1.0);
}

#[test]
fn eight_and_nine_are_doubted_on_a_scale_of_answers() {
    let answer = |i: usize, k: usize| if (i * 7 + k * 5).is_multiple_of(19) { 9 } else { (i * 3 + k + i / 5) % 5 + 1 };
    let answers = |i: usize| (0..4).map(|k| answer(i, k).to_string()).collect::<Vec<_>>().join(",");
    let rows: String = (0..40).map(|i| format!("R{i},{}\n", answers(i))).collect();
    let text = format!("resp,q1,q2,q3,q4\n{rows}");
    let loaded = parse("survey.csv", &text);
    assert!(doubts(&loaded).contains("--na=9 "), "{}", doubts(&loaded));
    let asked = ReadOptions { missing_codes: vec![9.0], missing: MissingValues::Mean, ..ReadOptions::default() };
    assert_eq!(doubts(&read("survey.csv", &text, &asked).unwrap()), "");
}

#[test]
fn sums_among_countries_and_partners_are_doubted() {
    let trade = lines("reporter,partner,value\n", |i, j| format!("C{i},C{j},{}\n", 1 + i));
    let world: String = (0..12).map(|i| format!("C{i},World,{}\n", 50 + i)).collect();
    assert_eq!(doubts(&parse("trade.csv", &trade)), "");
    assert!(doubts(&parse("trade.csv", &format!("{trade}{world}"))).contains("\"World\" may be sums"));
    let names = ["Germany", "France", "Italy", "Spain", "Poland", "Japan", "China", "Brazil", "World"];
    let shares: String = (0..9).map(|i| format!("{},{},{}\n", names[i], value(i, 1), value(i, 2))).collect();
    let said = doubts(&parse("shares.csv", &format!("country,a,b\n{shares}")));
    assert!(said.contains("\"World\" may be sums"), "{said}");
}

#[test]
fn two_tables_in_one_sheet_are_doubted_and_those_of_different_lengths_refused() {
    let row = |i: usize, right: &str| format!("n{i},{},{},,{right}\n", value(i, 1), value(i, 2));
    let right = |i: usize| format!("m{i},{},{}", value(i, 3), value(i, 4));
    let same: String = (0..12).map(|i| row(i, &right(i))).collect();
    let text = format!("name,a,b,,who,x,y\n{same}");
    let said = doubts(&parse("sheet.csv", &text));
    assert!(said.contains("--ignore who --ignore x --ignore y"), "{said}");
    let ignore = || ["who", "x", "y"].map(str::to_owned).to_vec();
    let asked = ReadOptions { ignore_columns: ignore(), ..ReadOptions::default() };
    let first = read("sheet.csv", &text, &asked).unwrap();
    assert_eq!((shape(&first), doubts(&first)), ((12, 2), String::new()));
    let shorter: String = (0..12).map(|i| row(i, &if i < 7 { right(i) } else { ",,".into() })).collect();
    let text = format!("name,a,b,,who,x,y\n{shorter}");
    refused("sheet.csv", &text, "two tables of different lengths stand side by side");
    assert_eq!(shape(&read("sheet.csv", &text, &asked).unwrap()), (12, 2));
    // An empty column in one table.
    let one: String =
        (0..12).map(|i| format!("n{i},{},{},,{},{}\n", value(i, 1), value(i, 2), value(i, 3), value(i, 4))).collect();
    assert_eq!(doubts(&parse("one.csv", &format!("name,a,b,,c,d\n{one}"))), "");
}

#[test]
fn triples_and_tables_in_long_form_are_edges() {
    let triples = lines("head,relation,tail\n", |i, j| format!("n{i},r{},n{j}\n", (i + j) % 3));
    let loaded = parse("kg.csv", &triples);
    assert_eq!((weight(&loaded), doubts(&loaded)), (1.0, String::new()));
    let unnamed = lines("who,how,whom\n", |i, j| format!("n{i},r{},n{j}\n", (i + j) % 3));
    let said = doubts(&parse("kg.csv", &unnamed));
    assert!(said.contains("have the same names in them"), "{said}");
    // Without a header, the first line is an edge like the others.
    let bare = lines("", |i, j| format!("n{i},r{},n{j}\n", (i + j) % 3));
    assert_eq!(weight(&parse("kg.csv", &bare)), 1.0);
    let weighted = lines("", |i, j| format!("n{i} n{j} {{'weight': 7}}\n"));
    assert_eq!(weight(&parse("nx.edgelist", &weighted)), 7.0);
    let games = lines("White,Black,Result\n", |i, j| format!("n{i},n{j},{}-{}\n", (i + j) % 2, (i + j + 1) % 2));
    assert_eq!(weight(&parse("games.csv", &games)), 1.0);
    let long = lines("Var1,Var2,Freq\n", |i, j| format!("n{i},n{j},4\n"));
    assert_eq!(weight(&parse("long.csv", &long)), 4.0);
    let baskets: String =
        (0..60).map(|i| format!("{},2015-07-{:02},item {}\n", 1000 + i / 5, 1 + i % 28, i % 7)).collect();
    let loaded = parse("market.csv", &format!("Member_number,Date,itemDescription\n{baskets}"));
    assert_eq!(loaded.dataset.data.kind(), Kind::Dyadic, "{}", loaded.detected);
    let clicks: String = (0..60).map(|i| format!("u{},click,i{}\n", i / 5, i % 7)).collect();
    let loaded = parse("log.csv", &format!("user,event,item\n{clicks}"));
    assert!(loaded.detected.contains("edge list (user, item)"), "{}", loaded.detected);
    let reviews: String = (0..60).map(|i| format!("B{},{},A{}\n", i % 7, i % 5 + 1, i / 5)).collect();
    let loaded = parse("reviews.csv", &format!("asin,overall,reviewerID\n{reviews}"));
    assert!(loaded.detected.contains("edge list (reviewerID, asin, overall)"), "{}", loaded.detected);
    let flows = lines("ts,sa,da,packets,bytes\n", |i, j| {
        format!("2020-01-01 00:{i:02}:{j:02},10.0.0.{i},10.0.0.{j},{},{}\n", i + j, 100 + i)
    });
    assert!(parse("flows.csv", &flows).detected.contains("edge list (sa, da)"));
    let far = parse("circuit.csv", &lines("from,to,resistance\n", |i, j| format!("n{i},n{j},{}.5\n", i + j)));
    assert!(doubts(&far).contains("--weight resistance"), "{}", doubts(&far));
}

#[test]
fn rows_that_are_days_are_said_and_steps_of_a_clustering_are_doubted() {
    let day =
        |i: usize| format!("2020-01-{:02},{},{},{},{}\n", i + 1, value(i, 1), value(i, 2), value(i, 3), value(i, 4));
    let days: String = (0..20).map(day).collect();
    let stocks = parse("stocks.csv", &format!("Date,AAPL,MSFT,IBM,SAP\n{days}"));
    // Days are items as often as the columns are: a note, which does not stop a pipeline.
    let all = said(&stocks);
    assert!(all.contains("--transpose") && all.contains("\"AAPL\""), "{all}");
    assert!(!doubts(&stocks).contains("--transpose"));
    let steps = "0,1,0.5,2\n2,3,0.5,2\n4,6,1,3\n5,7,2,5\n";
    assert!(doubts(&parse("linkage.csv", steps)).contains("hierarchical clustering"));
}

#[test]
fn comments_between_rows_are_skipped_but_hashtags_are_not() {
    let row = |i: usize| {
        format!("{}{},{},{}\n", if i % 7 == 3 { "# batch\n" } else { "" }, value(i, 1), value(i, 2), value(i, 3))
    };
    let rows: String = (0..30).map(row).collect();
    let loaded = parse("batches.csv", &format!("a,b,c\n{rows}"));
    assert_eq!(shape(&loaded), (30, 3));
    assert!(loaded.notes.iter().any(|note| note.to_string() == "4 comment lines were skipped"), "{:?}", loaded.notes);
    refused("tags.csv", "n,a,b\n1,2,3\n#x,4\n5,6,7\n8,9,1\n", "line 3: this line has 2 cells");
}
