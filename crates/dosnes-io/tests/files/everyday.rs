//! Files as spreadsheets, surveys, databases, statistics programs and instruments write them: each is read right, or said to be
//! doubtful with the option that changes it.

#![allow(clippy::format_collect, reason = "small files are built line by line")]

use crate::small::{doubts, parse, points, read, said};
use dosnes::input::{Data, Distances, Points};
use dosnes_io::{Kind, Loaded, MissingValues, ReadOptions};

/// 24 rows below a header.
fn rows(header: &str, line: impl Fn(usize) -> String) -> String {
    std::iter::once(header.to_owned()).chain((0..24).map(line)).collect()
}

/// A value that goes neither up nor down.
fn value(i: usize, k: usize) -> f64 {
    ((i * 37 + k * 11) % 23) as f64 / 4.0 + 0.25
}

fn coordinate(loaded: &Loaded, i: usize, k: usize) -> f64 {
    match &loaded.dataset.data {
        Data::Points(Points::Dense(x)) => f64::from(x[[i, k]]),
        Data::Points(Points::Dense64(x)) => x[[i, k]],
        other => panic!("{}", other.kind()),
    }
}

#[test]
fn codes_for_missing_answers_are_doubted_and_can_be_named() {
    let answer = |i: usize, k: usize| match (i, k) {
        (5, 1) => -99,
        (9, 0) => 999,
        _ => ((i * 7 + k * 3) % 5 + 1) as i64,
    };
    let text = rows("RespondentID,Q1,Q2,Q3\n", |i| {
        format!("{},{},{},{}\n", 10_000 + i, answer(i, 0), answer(i, 1), answer(i, 2))
    });
    let loaded = points("survey.csv", &text, (24, 3));
    assert_eq!(loaded.dataset.items.ids[1], "10001");
    assert!(doubts(&loaded).contains("--na=-99,999 --missing drop"), "{}", said(&loaded));
    let named = |missing| ReadOptions { missing, missing_codes: vec![-99.0, 999.0], ..ReadOptions::default() };
    let dropped = read("survey.csv", &text, &named(MissingValues::Drop)).unwrap();
    assert_eq!((dropped.dataset.items.len(), doubts(&dropped)), (22, String::new()));
    let filled = read("survey.csv", &text, &named(MissingValues::Mean)).unwrap();
    assert!((1.0..=5.0).contains(&coordinate(&filled, 5, 1)));
    let error = read("survey.csv", &text, &named(MissingValues::Error)).unwrap_err().to_string();
    assert!(error.contains("line 7") && error.contains("--missing drop"), "{error}");
    let edges = ReadOptions { missing_codes: vec![-99.0], ..ReadOptions::default() };
    let error = read("e.csv", "source,target\na,b\nb,c\n", &edges).unwrap_err().to_string();
    assert!(error.contains("--na"), "{error}");
}

#[test]
fn times_and_numbers_of_items_are_no_coordinates_without_a_word() {
    let panel =
        rows("country,year,gdp,life\n", |i| format!("C{},{},{},{}\n", i / 4, 2000 + i % 4, value(i, 0), value(i, 1)));
    assert!(doubts(&points("panel.csv", &panel, (24, 3))).contains("\"year\""));
    let codes = rows("FIPS,income,rate\n", |i| format!("{},{},{}\n", 1001 + 2 * i, value(i, 0), value(i, 1)));
    assert!(doubts(&points("counties.csv", &codes, (24, 3))).contains("--id FIPS"));
    let zip = rows("zip,income,rate\n", |i| format!("{:05},{},{}\n", 501 + 13 * i, value(i, 0), value(i, 1)));
    assert_eq!(points("zip.csv", &zip, (24, 2)).dataset.items.ids[1], "00514");
    let tweets = rows("tweet_id,likes,replies\n", |i| {
        format!("{},{},{}\n", 1_234_567_890_123_456_789_u64 + i as u64, value(i, 0), value(i, 1))
    });
    assert_eq!(points("tweets.csv", &tweets, (24, 2)).dataset.items.ids[0], "1234567890123456789");
    let indexed = rows("Unnamed: 0,Unnamed: 0.1,a,b\n", |i| format!("{i},{i},{},{}\n", value(i, 0), value(i, 1)));
    points("indexed.csv", &indexed, (24, 2));
}

#[test]
fn sums_and_remarks_around_a_table_are_no_items() {
    let table = rows("name,a,b\n", |i| format!("n{i},{},{}\n", value(i, 0), value(i, 1)));
    let sum = |k: usize| (0..24).map(|i| value(i, k)).sum::<f64>();
    let loaded = points("total.csv", &format!("{table}Total,{},{}\n", sum(0), sum(1)), (24, 2));
    assert!(said(&loaded).contains("the last row, \"Total\", is the sum"), "{}", said(&loaded));
    // A name alone is no proof.
    let loaded = points("named.csv", &format!("{table}Total,1,2\n"), (25, 2));
    assert!(doubts(&loaded).contains("\"Total\""), "{}", said(&loaded));
    let loaded = points("mean.csv", &format!("{table}Mean,1,2\n"), (25, 2));
    assert!(doubts(&loaded).contains("\"Mean\""), "{}", said(&loaded));
    let loaded = points("source.csv", &format!("{table}\nSource: Eurostat\nDownloaded today\n"), (24, 2));
    assert!(said(&loaded).contains("2 lines below the table were skipped, from \"Source: Eurostat\""));
    // A short line with numbers is damage, and so is one between the rows.
    assert!(read("cut.csv", &format!("{table}n99\nn100,1,2\n"), &ReadOptions::default()).is_err());
    let wide = rows("name,a,b,c\n", |i| format!("n{i},{i}.5,1,2\n"));
    assert!(read("cut.csv", &format!("{wide}n99,1\n"), &ReadOptions::default()).is_err());
}

#[test]
fn sheets_may_have_empty_rows_and_columns_and_repeated_headers() {
    let line = |i: usize| format!(",n{i},{},{},,\n", value(i, 0), value(i, 1));
    let loaded = points("sheet.csv", &(rows(",,,,,\n,name,a,b,,\n", line) + ",,,,,\n"), (24, 2));
    assert_eq!(loaded.dataset.items.ids[3], "n3");
    assert!(said(&loaded).contains("3 columns without a name") && said(&loaded).contains("2 empty rows"));
    let table = rows("name,a,b\n", |i| format!("n{i},{},{}\n", value(i, 0), value(i, 1)));
    let loaded = points("joined.csv", &table.replace("n12,", "name,a,b\nn12,"), (24, 2));
    assert!(said(&loaded).contains("once more"), "{}", said(&loaded));
    let labels = "StartDate,ResponseId,Q1,Q2\nStart Date,Response ID,\"How much, overall?\",And this?\nx,y,QID1,QID2\n";
    let survey = rows(labels, |i| format!("2021-03-01,R_{i},{},{}\n", value(i, 0), value(i, 1)));
    let loaded = points("qualtrics.csv", &survey, (24, 2));
    assert_eq!(loaded.dataset.items.ids[0], "R_0");
    assert!(said(&loaded).contains("2 rows of labels"), "{}", said(&loaded));
}

#[test]
fn numbers_of_other_countries_and_programs_are_numbers() {
    for (name, text, expected) in [
        ("minus.csv", rows("n,p,q\n", |i| format!("n{i},\u{2212}1.5,{}\n", value(i, 0))), -1.5),
        ("fortran.csv", rows("n,p,q\n", |i| format!("n{i},-0.15D+01,{}\n", value(i, 0))), -1.5),
        ("swiss.csv", rows("n;p;q\n", |i| format!("n{i};1'234.5;{}\n", value(i, 0))), 1234.5),
        ("french.csv", rows("n;p;q\n", |i| format!("n{i};1\u{202f}234,5;{}\n", value(i, 0))), 1234.5),
        ("truth.csv", rows("n,p,q\n", |i| format!("n{i},TRUE,{}\n", if i % 2 == 0 { "FALSE" } else { "TRUE" })), 1.0),
        ("lists.csv", rows("n,v\n", |i| format!("n{i},\"[{}, 2.5, 1e-3]\"\n", value(i, 0))), value(0, 0)),
        ("arrays.csv", rows("n,v\n", |i| format!("n{i},\"[{} 2.5\n 0.1]\"\n", value(i, 0))), value(0, 0)),
    ] {
        let loaded = parse(name, &text);
        assert_eq!(coordinate(&loaded, 0, 0), expected, "{name}");
        assert_eq!(loaded.dataset.items.ids[1], "n1", "{name}");
    }
}

#[test]
fn numbers_in_a_form_that_is_not_read_are_doubted() {
    for cell in ["(3.50)", "2.5±0.1", "3/7", "0x1f", "1:23:45"] {
        let text = rows("name,a,b,c\n", |i| format!("n{i},{cell},{},{}\n", value(i, 0), value(i, 1)));
        let loaded = points("form.csv", &text, (24, 2));
        let said = doubts(&loaded);
        assert!(said.contains("--labels a") && said.contains(cell), "{said}");
        let labels = ReadOptions { label_columns: vec!["a".into()], ..ReadOptions::default() };
        assert_eq!(doubts(&read("form.csv", &text, &labels).unwrap()), "", "{cell}");
    }
    let dates = rows("name,when,b,c\n", |i| format!("n{i},2020-01-{:02},{},{}\n", i + 1, value(i, 0), value(i, 1)));
    assert_eq!(doubts(&points("dates.csv", &dates, (24, 2))), "");
}

#[test]
fn escaped_quotes_belong_to_the_text() {
    let text = rows("title,a,b\n", |i| format!("\"The \\\"{i}th\\\" one, again\",{},{}\n", value(i, 0), value(i, 1)));
    assert_eq!(points("titles.csv", &text, (24, 2)).dataset.items.ids[4], "The \"4th\" one, again");
    let paths = rows("path,a,b\n", |i| format!("\"C:\\{i}\\\",{},{}\n", value(i, 0), value(i, 1)));
    assert_eq!(points("paths.csv", &paths, (24, 2)).dataset.items.ids[4], "C:\\4\\");
}

/// The distances of places on a line.
fn distance(i: usize, j: usize) -> f64 {
    let place = |i: usize| i as f64 + 0.3 * ((i * i) % 7) as f64;
    (place(i) - place(j)).abs()
}

/// A square table of twelve items; an entry may be absent.
fn square(names: bool, entry: impl Fn(usize, usize) -> Option<String>) -> String {
    let header: String = (0..12).map(|j| format!("{}s{j}", if j > 0 || names { "," } else { "" })).collect();
    let line = |i: usize| {
        let cells: Vec<String> = (0..12).map(|j| entry(i, j).unwrap_or_default()).collect();
        if names { format!("s{i},{}\n", cells.join(",")) } else { format!("{}\n", cells.join(",")) }
    };
    std::iter::once(header + "\n").chain((0..12).map(line)).collect()
}

#[track_caller]
fn distances(name: &str, text: &str) -> Loaded {
    let loaded = parse(name, text);
    let Data::Distance(Distances::Dense(x)) = &loaded.dataset.data else { panic!("{name}: {}", loaded.detected) };
    assert_eq!(loaded.dataset.items.ids[11], "s11", "{name}");
    for (i, j) in [(0, 1), (1, 0), (3, 11), (11, 3), (4, 4)] {
        assert!((f64::from(x[[i, j]]) - distance(i, j)).abs() < 1e-5, "{name}: {i}, {j}");
    }
    loaded
}

#[test]
fn halves_of_distances_and_diagonals_that_are_not_given_are_completed() {
    let entry = |i, j| format!("{:.6}", distance(i, j));
    for (name, text) in [
        ("lower.csv", square(true, |i, j| (j <= i).then(|| entry(i, j)))),
        ("lower_without.csv", square(true, |i, j| (j < i).then(|| entry(i, j)))),
        ("upper.csv", square(true, |i, j| Some(if j >= i { entry(i, j) } else { "NA".into() }))),
        ("diagonal.csv", square(true, |i, j| Some(if i == j { "-".into() } else { entry(i, j) }))),
        ("header_only.csv", square(false, |i, j| Some(entry(i, j)))),
    ] {
        assert_eq!(doubts(&distances(name, &text)), "", "{name}");
    }
    let zeros = square(true, |i, j| Some(if j > i { entry(i, j) } else { "0".into() }));
    let loaded = distances("zeros.csv", &zeros);
    assert!(doubts(&loaded).contains("--as graph"), "{}", said(&loaded));
    let asked = ReadOptions { kind: Some(Kind::Graph), ..ReadOptions::default() };
    let Data::Graph(graph) = read("zeros.csv", &zeros, &asked).unwrap().dataset.data else { panic!() };
    assert_eq!((graph.get(0, 1).is_some(), graph.get(1, 0)), (true, None));
    let ragged: String =
        (0..12).map(|i| format!("s{i},{}\n", (0..=i).map(|j| entry(i, j)).collect::<Vec<_>>().join(","))).collect();
    let names: String = (0..12).map(|i| format!(",s{i}")).collect();
    distances("ragged.csv", &format!("{names}\n{ragged}"));
    // What follows from the rest is not missing.
    let drop = ReadOptions { missing: MissingValues::Drop, ..ReadOptions::default() };
    let lower = square(true, |i, j| (j < i).then(|| entry(i, j)));
    assert_eq!(read("lower.csv", &lower, &drop).unwrap().dataset.items.len(), 12);
    // A pair that is in neither half is missing.
    let gap = square(true, |i, j| (j < i && (i, j) != (5, 3)).then(|| entry(i, j)));
    let error = read("gap.csv", &gap, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("the cell is empty") && error.contains("--missing drop"), "{error}");
}

#[test]
fn correlations_in_one_half_are_correlations() {
    let r = |i: usize, j: usize| (distance(i, j) / 6.0).cos();
    let text = square(true, |i, j| (j <= i).then(|| format!("{:.3}", r(i, j)).replace("0.", ".")));
    let loaded = parse("spss.csv", &text);
    let Data::Distance(Distances::Dense(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert!((f64::from(x[[2, 9]]) - (1.0 - r(2, 9))).abs() < 1e-3);
}

#[test]
fn sums_beside_a_square_matrix_are_left_out() {
    let edge = |i: usize, j: usize| u8::from((i + 1) % 12 == j || (j + 1) % 12 == i);
    let text = square(true, |i, j| Some(edge(i, j).to_string()));
    let mut lines: Vec<String> = text.lines().map(|line| format!("{line},2\n")).collect();
    lines[0] = text.lines().next().unwrap().to_owned() + ",Degree\n";
    let loaded = parse("degree.csv", &lines.concat());
    assert!(loaded.detected.contains("12 undirected edges"), "{}", loaded.detected);
    lines[0] = lines[0].replace("Degree", "Total");
    let total = lines.concat() + "Total" + &",2".repeat(12) + ",24\n";
    let loaded = parse("totals.csv", &total);
    assert!(loaded.detected.contains("12 undirected edges"), "{}", loaded.detected);
    assert!(said(&loaded).contains("row, \"Total\"") && said(&loaded).contains("column, \"Total\""));
}

#[test]
fn contacts_that_begin_with_a_time_are_edges_of_the_names_after_it() {
    let contacts: String = (0..60)
        .map(|k| format!("{}\t{}\t{}\tA\tB\n", 31_220 + 20 * k, 1000 + k % 12, 1000 + (k * 5 + 1 + k / 12) % 12))
        .collect();
    for text in [contacts.clone(), contacts.replace("\tA\tB", "")] {
        let loaded = parse("contacts.dat", &text);
        let Data::Graph(graph) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
        assert_eq!(graph.rows(), 12);
        assert!(doubts(&loaded).contains("--as graph --weight 3"), "{}", said(&loaded));
    }
    let ordinary: String =
        (0..12).flat_map(|i| [(i, i + 1), (i, i + 3)]).map(|(i, j)| format!("{i} {j} 2\n")).collect();
    assert_eq!(doubts(&parse("ordinary.txt", &ordinary)), "");
}

#[test]
fn pairs_are_known_by_more_names() {
    for header in ["来源,目标,权重\n", "Источник,Цель,Вес\n", "IID1,IID2,weight\n", "payer,payee,amount\n"]
    {
        let text = rows(header, |i| format!("{},{},{}\n", i % 12, (i * 5 + 1) % 12, i % 3 + 1));
        assert!(matches!(parse("pairs.csv", &text).dataset.data, Data::Graph(_)), "{header}");
    }
    // Three of a kind are coordinates.
    let series = rows("name,a,b,c\n", |i| format!("n{i},{},{},{}\n", i % 5, i % 7, i % 3));
    points("series.csv", &series, (24, 3));
    // Trade between countries, as in BACI: `i` exports to `j`.
    let baci = rows("t,i,j,k,v,q\n", |i| format!("2018,{},{},1,{},2\n", i % 12, (i * 5 + 1) % 12, value(i, 0)));
    assert!(doubts(&points("baci.csv", &baci, (24, 6))).contains("--as graph"));
    let asked = ReadOptions { kind: Some(Kind::Graph), weight_column: Some("v".into()), ..ReadOptions::default() };
    assert!(matches!(read("baci.csv", &baci, &asked).unwrap().dataset.data, Data::Graph(_)));
}

#[test]
fn tables_whose_columns_are_cells_are_doubted() {
    let barcodes = ["AAACCTGAGAAACCAT-1", "AAACCTGAGAAACGAG-1", "AAACCTGCAAACGCGA-1"].join("\t");
    let counts = rows(&format!("{barcodes}\n"), |i| format!("GENE{i}\t{}\t{}\t{}\n", i % 3, i % 5, i % 2));
    assert!(doubts(&points("counts.tsv", &counts, (24, 3))).contains("--transpose"));
    let bulk = rows(",s1,s2\n", |i| format!("ENSG{:011},{},{}\n", 141_510 + i, i % 3, i % 5));
    assert!(doubts(&points("bulk.csv", &bulk, (24, 2))).contains("--transpose"));
    let otus = rows("#OTU ID\ts1\ts2\n", |i| format!("O{i}\t{}\t{}\n", i % 3, i % 5));
    assert!(doubts(&points("otus.txt", &otus, (24, 2))).contains("--transpose"));
    let genotypes = rows("FID IID PAT MAT SEX PHENOTYPE rs1_A rs2_A\n", |i| {
        format!("F{i} I{i} 0 0 {} -9 {} {}\n", i % 2 + 1, i % 3, i % 2)
    });
    points("genotypes.raw", &genotypes, (24, 2));
}

#[test]
fn json_of_other_programs_has_its_graphs_and_tables() {
    let ring = |link: &dyn Fn(usize, usize) -> String| {
        (0..12).flat_map(|i| [(i, (i + 1) % 12), (i, (i + 3) % 12)]).map(|(i, j)| link(i, j)).collect::<Vec<_>>()
    };
    let nodes: Vec<String> = (0..12).map(|i| format!("\"n{i}\": {{\"label\": \"N {i}\"}}")).collect();
    let edges = ring(&|i, j| format!("{{\"source\": \"n{i}\", \"target\": \"n{j}\"}}")).join(",");
    let jgf = format!("{{\"graph\": {{\"nodes\": {{{}}}, \"edges\": [{edges}]}}}}", nodes.join(","));
    assert!(parse("jgf.json", &jgf).detected.contains("graph of 12 nodes and 24"));
    let weights: Vec<String> = (0..12)
        .map(|i| format!("\"n{i}\": {{\"n{}\": 2.5, \"n{}\": {{\"weight\": 4}}}}", (i + 1) % 12, (i + 3) % 12))
        .collect();
    let loaded = parse("dicts.json", &format!("{{{}}}", weights.join(",")));
    let Data::Graph(graph) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    let at = |name: &str| loaded.dataset.items.ids.iter().position(|id| id == name).unwrap();
    assert_eq!((graph.get(at("n0"), at("n1")), graph.get(at("n0"), at("n3"))), (Some(2.5), Some(4.0)));
    let matrix: Vec<String> = (0..12)
        .map(|i| format!("[{}]", (0..12).map(|j| distance(i, j).to_string()).collect::<Vec<_>>().join(",")))
        .collect();
    let names: Vec<String> = (0..12).map(|i| format!("\"s{i}\"")).collect();
    distances("named.json", &format!("{{\"labels\": [{}], \"matrix\": [{}]}}", names.join(","), matrix.join(",")));
    let nested: Vec<String> =
        (0..24).map(|i| format!("{{\"name\": \"n{i}\", \"f\": {{\"a\": {}, \"b\": 2}}}}", value(i, 0))).collect();
    points("nested.json", &format!("{{\"data\": [{}]}}", nested.join(",")), (24, 2));
    // The rows of pandas (orient="index") cannot be told from its columns.
    let by_index: Vec<String> = (0..24).map(|i| format!("\"n{i}\": {{\"a\": {}, \"b\": 2}}", value(i, 0))).collect();
    assert!(doubts(&parse("index.json", &format!("{{{}}}", by_index.join(",")))).contains("--transpose"));
}

#[test]
fn a_list_of_distances_is_doubted() {
    let list: String = (1..12).flat_map(|i| (0..i).map(move |j| format!("{:.4}\n", distance(i, j)))).collect();
    assert!(doubts(&points("pdist.txt", &list, (66, 1))).contains("squareform"));
    // Promised items without numbers do not become a matrix.
    let promised = "30000\n".to_owned() + &"a\n".repeat(30_000);
    assert!(read("a.phy", &promised, &ReadOptions::default()).is_err());
}

#[test]
fn tables_as_databases_and_authors_draw_them_are_tables() {
    let psql =
        " name |  a  |  b\n------+-----+-----\n x    | 1.5 | 2.5\n y    | 2.5 | 0.5\n z    | 3.5 | 1.5\n(3 rows)\n";
    let mysql = "+------+-----+-----+\n| name | a   | b   |\n+------+-----+-----+\n| x    | 1.5 | 2.5 |\n\
                 | y    | 2.5 | 0.5 |\n| z    | 3.5 | 1.5 |\n+------+-----+-----+\n";
    let markdown = "| name | a | b |\n|:--|---:|---:|\n| x | 1.5 | 2.5 |\n| y | 2.5 | 0.5 |\n| z | 3.5 | 1.5 |\n";
    let restructured = "====  ===  ===\nname  a    b\n====  ===  ===\nx     1.5  2.5\ny     2.5  0.5\nz     3.5  1.5\n====  ===  ===\n";
    for text in [psql, mysql, markdown, restructured] {
        let loaded = points("table.txt", text, (3, 2));
        assert_eq!(loaded.dataset.items.ids, ["x", "y", "z"], "{text}");
        assert_eq!((coordinate(&loaded, 1, 0), coordinate(&loaded, 2, 1)), (2.5, 1.5), "{text}");
        assert_eq!(doubts(&loaded), "");
    }
}

#[test]
fn commas_between_apostrophes_are_refused() {
    let apostrophes = rows("title,a,b\n", |i| format!("'One, no {i}',{},{}\n", value(i, 0), value(i, 1)));
    assert!(read("titles.csv", &apostrophes, &ReadOptions::default()).is_err());
}

#[test]
fn names_may_have_blanks_where_blanks_separate_columns() {
    // Before the numbers, and between columns that wide blanks separate.
    let single = "city pop area\nNew York 8.3 468\nParis 2.1 41\nRio de Janeiro 6.7 1200\nRome 2.8 496\n";
    let wide = "city            country        pop   area\nNew York        United States  8.3   468\n\
                Paris           France         2.1   41\nRio de Janeiro  Brazil         6.7   1200\n\
                Rome            Italy          2.8   496\n";
    for (text, place) in [(single, 1), (wide, 1)] {
        let loaded = points("cities.txt", text, (4, 2));
        assert_eq!(loaded.dataset.items.ids, ["New York", "Paris", "Rio de Janeiro", "Rome"], "{text}");
        assert_eq!(coordinate(&loaded, 2, place), 1200.0);
    }
    assert!(said(&points("cities.txt", single, (4, 2))).contains("one name, as in \"New York\""));
    // A line that may have one number too many is refused, not mended.
    let doubtful = single.replace("Paris", "Area 51");
    assert!(read("cities.txt", &doubtful, &ReadOptions::default()).is_err());
}

#[test]
fn flags_of_statistics_are_taken_off_and_said() {
    let text = "freq,unit,geo\\TIME_PERIOD\t2015 \t2016 \t2017 \nA,PC,AT\t1.5 \t2.5 b\t3.0 \nA,PC,BE\t0.5 p\t1.5 \t2.0 bp\n\
                A,PC,DE\t: \t1.0 \t4.0 \nA,PC,FR\t2.5 \t: c\t1.0 e\n";
    let options = ReadOptions { missing: MissingValues::Drop, ..ReadOptions::default() };
    let loaded = read("tps00001.tsv", text, &options).unwrap();
    assert_eq!(loaded.dataset.items.ids, ["A,PC,AT", "A,PC,BE"]);
    assert_eq!((coordinate(&loaded, 0, 1), coordinate(&loaded, 1, 2)), (2.5, 2.0));
    assert!(
        said(&loaded).contains("flags taken off the numbers: \"b\", \"bp\", \"c\", \"e\", \"p\""),
        "{}",
        said(&loaded)
    );
    let missing = read("tps00001.tsv", text, &ReadOptions::default()).unwrap_err().to_string();
    assert!(missing.contains("--missing drop"), "{missing}");
    let stars = "var,a,b\na,1,.45***\nb,.45***,1\nc,-.2*,.31\n";
    assert_eq!(coordinate(&points("r.csv", stars, (3, 2)), 0, 1), f64::from(0.45_f32));
}
