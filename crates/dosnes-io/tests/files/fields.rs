//! Tables as people in many fields have them: headers of numbers, titles and remarks of spreadsheets, vectors in cells, weights in
//! words, matrices without a diagonal. Each was once misread or refused.

#![allow(clippy::format_collect, reason = "small files are built line by line")]

use crate::small::{doubts, edges, parse, read, refused, shape, value, weight};
use dosnes::input::{Data, Distances, Points};
use dosnes_io::{Kind, Note, ReadOptions};

fn rows(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn values(i: usize, count: usize, separator: &str) -> String {
    (0..count).map(|k| value(i, k + 1).to_string()).collect::<Vec<_>>().join(separator)
}

#[test]
fn numbers_in_order_above_rows_are_a_header() {
    let below = rows(15, |i| format!("{}\n", values(i, 5, ",")));
    let loaded = parse("pandas.csv", &format!("0,1,2,3,4\n{below}"));
    assert_eq!(shape(&loaded), (15, 5));
    assert!(loaded.notes.iter().any(|note| note.to_string().contains("--header no")), "{:?}", loaded.notes);
    let asked = ReadOptions { header: Some(false), ..ReadOptions::default() };
    assert_eq!(shape(&read("pandas.csv", &format!("0,1,2,3,4\n{below}"), &asked).unwrap()), (16, 5));
    let wavelengths: Vec<String> = (0..30).map(|k| (400 + 10 * k).to_string()).collect();
    let spectra = rows(10, |i| format!("S{i},{}\n", values(i, 30, ",")));
    let loaded = parse("spectra.csv", &format!("sample,{}\n{spectra}", wavelengths.join(",")));
    assert_eq!((shape(&loaded), loaded.dataset.items.ids[0].as_str()), ((10, 30), "S0"));
    let unnamed = rows(10, |i| format!("{}\n", values(i, 30, ",")));
    assert_eq!(shape(&parse("spectra.csv", &format!("{}\n{unnamed}", wavelengths.join(",")))), (10, 30));
    // R has no cell above the names of the rows.
    let spectra = spectra.replace(',', "\t");
    assert_eq!(shape(&parse("spectra.txt", &format!("{}\n{spectra}", wavelengths.join("\t")))), (10, 30));
}

#[test]
fn a_first_row_in_order_may_be_data() {
    // A distance matrix of items on a line, edges, and rows that are all in order.
    let line =
        rows(6, |i| format!("{}\n", (0..6_usize).map(|j| i.abs_diff(j).to_string()).collect::<Vec<_>>().join(",")));
    assert_eq!(parse("d.csv", &line).dataset.data.len(), 6);
    assert_eq!(shape(&parse("e.csv", &rows(9, |i| format!("{},{}\n", i, i + 1)))), (9, 2));
    let sorted = rows(9, |i| format!("{}\n", (0..9).map(|k| format!("{}.5", i + 2 * k)).collect::<Vec<_>>().join(",")));
    assert_eq!(parse("s.csv", &sorted).dataset.data.len(), 9);
}

#[test]
fn a_title_one_cell_short_is_no_header() {
    let matrix = rows(20, |i| format!(" {}\n", values(i, 3, "  ")));
    let loaded = parse("julia.txt", &format!("20×3 Matrix{{Float64}}:\n{matrix}"));
    assert_eq!(shape(&loaded), (20, 3));
}

#[test]
fn titles_and_remarks_of_spreadsheets_have_empty_cells_beside_them() {
    let table = format!("Plot,pH,N\n{}", rows(12, |i| format!("P{i},{}\n", values(i, 2, ","))));
    let text = format!("\"Plots, 2021\",,\n,,\n{table}* provisional,,\n\"Source: own\",,\n");
    let loaded = parse("sheet.csv", &text);
    assert_eq!((shape(&loaded), doubts(&loaded)), ((12, 2), String::new()));
    assert!(loaded.notes.contains(&Note::LinesSkipped(1)));
    assert!(
        loaded.notes.iter().any(|note| matches!(note, Note::RemarksSkipped { count: 2, .. })),
        "{:?}",
        loaded.notes
    );
    // Between rows, it is a row without values.
    refused("sheet.csv", &format!("{table}South,,\nP99,1,2\n"), "line 14");
}

#[test]
fn rows_of_missing_values_are_no_header() {
    let names: Vec<String> = (0..8).map(|i| format!("n{i}")).collect();
    let cell = |i: usize, j: usize| if j < i { (i - j).to_string() + ".5" } else { "NA".into() };
    let below = rows(8, |i| format!("n{i},{}\n", (0..8).map(|j| cell(i, j)).collect::<Vec<_>>().join(",")));
    let loaded = parse("mantel.csv", &format!(",{}\n{below}", names.join(",")));
    let Data::Distance(Distances::Dense(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!((x.dim(), x[[0, 7]], loaded.dataset.items.ids[0].as_str()), ((8, 8), 7.5, "n0"));
}

#[test]
fn halves_of_matrices_may_have_an_empty_row_and_column() {
    let cell = |i: usize, j: usize| if i < j { format!("{}.5", j - i) } else { "nan".into() };
    let text = rows(8, |i| format!("{}\n", (0..8).map(|j| cell(i, j)).collect::<Vec<_>>().join(" ")));
    assert_eq!(parse("rdm.txt", &text).dataset.data.kind(), Kind::Distance);
    // As papers print correlations.
    let cell = |i: usize, j: usize| match i.cmp(&j) {
        std::cmp::Ordering::Greater => format!(".{}5**", 1 + (i + j) % 8),
        std::cmp::Ordering::Equal => "—".into(),
        std::cmp::Ordering::Less => String::new(),
    };
    let below = rows(8, |i| format!("{}. x,{}\n", i + 1, (0..8).map(|j| cell(i, j)).collect::<Vec<_>>().join(",")));
    let loaded = parse("table.csv", &format!("Variable,1,2,3,4,5,6,7,8\n{below}"));
    assert_eq!(loaded.dataset.data.len(), 8);
    assert!(!doubts(&loaded).is_empty(), "{}", loaded.detected);
    let numbered = "    1    2    3    4\n 1  0.00\n 2  0.05  0.00\n 3  0.10  0.07  0.00\n 4  0.12  0.09  0.03  0.00\n";
    let loaded = parse("fst.txt", numbered);
    assert_eq!((loaded.dataset.data.kind(), loaded.dataset.items.ids[3].as_str()), (Kind::Distance, "4"));
}

#[test]
fn a_diagonal_that_is_not_given_does_not_tell_distances_from_correlations() {
    let names: Vec<String> = (0..9).map(|i| format!("n{i}")).collect();
    let table = |corner: &str| {
        let cell = |i: usize, j: usize| {
            let number = i.abs_diff(j) as f64 / 10.0;
            if i == j { String::new() } else { format!("{number:.2}") }
        };
        let below = rows(9, |i| format!("n{i},{}\n", (0..9).map(|j| cell(i, j)).collect::<Vec<_>>().join(",")));
        format!("{corner},{}\n{below}", names.join(","))
    };
    assert!(doubts(&parse("r.csv", &table(""))).contains("--as similarity"));
    // What is called a distance is one.
    let named = parse("d.csv", &table("distance"));
    assert_eq!((named.dataset.data.kind(), doubts(&named)), (Kind::Distance, String::new()), "{}", named.detected);
}

#[test]
fn vectors_in_cells_have_many_forms_and_are_the_coordinates() {
    let vector = |i: usize| values(i, 8, ", ");
    for (open, close) in [("[", "]"), ("{", "}"), ("tensor([", "])"), ("array([", "], dtype=float32)")] {
        let text = rows(12, |i| format!("{i},B{},{},\"Good, really\",\"{open}{}{close}\"\n", i / 2, i % 5, vector(i)));
        let loaded = parse("reviews.csv", &format!("id,ProductId,Score,Text,embedding\n{text}"));
        assert_eq!((shape(&loaded), doubts(&loaded)), ((12, 8), String::new()), "{open}");
        assert!(loaded.dataset.items.columns.iter().any(|column| column.name == "Score"));
    }
    let pixels = rows(12, |i| {
        format!(
            "{},{},Training\n",
            i % 7,
            (0..16).map(|k| ((i * k * 5) % 256).to_string()).collect::<Vec<_>>().join(" ")
        )
    });
    assert_eq!(shape(&parse("faces.csv", &format!("emotion,pixels,Usage\n{pixels}"))), (12, 16));
    let records =
        rows(12, |i| format!("{{\"id\": {i}, \"meta\": {{\"tokens\": {}}}, \"vector\": [{}]}}\n", 100 + i, vector(i)));
    assert_eq!(shape(&parse("v.jsonl", &records)), (12, 8));
    let cut = rows(12, |i| format!("{i},\"[{} ... {}]\"\n", value(i, 1), value(i, 2)));
    refused("cut.csv", &format!("id,v\n{cut}"), "were cut");
}

#[test]
fn crosses_and_words_for_yes_and_no_are_numbers_where_there_are_no_others() {
    let cross = |i: usize, k: usize| if (i * k + i).is_multiple_of(3) { "x" } else { "" };
    let text = rows(12, |i| format!("n{i},{}\n", (0..6).map(|k| cross(i, k)).collect::<Vec<_>>().join(",")));
    let loaded = parse("events.csv", &format!("who,e0,e1,e2,e3,e4,e5\n{text}"));
    assert_eq!(shape(&loaded), (12, 6));
    let Data::Points(Points::Dense(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!((x[[0, 0]], x[[1, 0]], x[[1, 2]]), (1.0, 0.0, 1.0));
    let yes = rows(12, |i| format!("n{i},{},{}\n", ["yes", "no"][i % 2], ["No", "Yes"][i % 3 / 2]));
    assert_eq!(shape(&parse("answers.csv", &format!("who,a,b\n{yes}"))), (12, 2));
    let text: String = edges().map(|(i, j)| format!("d{i},d{j},no,yes\n")).collect();
    assert_eq!(doubts(&parse("coci.csv", &format!("citing,cited,journal_sc,author_sc\n{text}"))), "");
}

#[test]
fn weights_in_words_are_doubted_and_sorts_are_no_weights() {
    for (name, words) in [("strength", ["weak", "strong"]), ("sign", ["+", "-"])] {
        let text: String = edges().map(|(i, j)| format!("n{i},n{j},{}\n", words[i % 2])).collect();
        let loaded = parse("a.csv", &format!("source,target,{name}\n{text}"));
        assert!(doubts(&loaded).contains(&format!("--ignore {name}")), "{}", doubts(&loaded));
    }
    let text: String = edges().map(|(i, j)| format!("S{i},S{j},2\n")).collect();
    assert_eq!(weight(&parse("transfers.txt", &format!("from_stop_id,to_stop_id,transfer_type\n{text}"))), 1.0);
}

#[test]
fn a_plain_list_of_names_and_weights_is_no_doubt() {
    for separator in ["|", "\t", ",", ";"] {
        let text: String = edges().map(|(i, j)| format!("n{i}{separator}n{j}{separator}{}\n", i + j)).collect();
        let loaded = parse("a.txt", &text);
        assert_eq!((weight(&loaded), doubts(&loaded)), (1.0, String::new()), "{separator:?}");
    }
}

#[test]
fn layers_before_the_ends_of_edges_are_noticed() {
    let text: String = (1..4)
        .flat_map(|layer| edges().map(move |(i, j)| format!("{layer} {} {} {}\n", i + 1, j + 1, 1 + i * j % 3)))
        .collect();
    let loaded = parse("multilayer.txt", &text);
    assert!(doubts(&loaded).contains("--as graph --ignore 1"), "{}", doubts(&loaded));
    let asked = ReadOptions {
        kind: Some(Kind::Graph),
        ignore_columns: vec!["1".into()],
        strict: true,
        ..ReadOptions::default()
    };
    assert_eq!(weight(&read("multilayer.txt", &text, &asked).unwrap()), 3.0);
    let points: String = rows(40, |i| format!("{} {} {} {}\n", i % 4, 20 + i % 11, i % 9, i % 3));
    assert_eq!(doubts(&parse("a.txt", &points)), "");
}

#[test]
fn ids_that_are_shared_and_lists_of_addresses_are_edges() {
    let text: String = edges().map(|(i, j)| format!("{}\t{}\t{}\n", 900_000 + i, 900_000 + j, i + 1)).collect();
    let loaded = parse("retweets.tsv", &format!("retweeter_id\tauthor_id\tn\n{text}"));
    assert_eq!(weight(&loaded), 1.0);
    assert!(doubts(&loaded).contains("--as points"));
    let text: String = edges().map(|(i, j)| format!("n{i}@x.org,\"n{j}@x.org, n0@x.org\"\n")).collect();
    assert!(doubts(&parse("mails.csv", &format!("From,To\n{text}"))).contains("several names"));
    let text: String = edges().map(|(i, j)| format!("10.1/{i},10.1/{j},2010-01\n")).collect();
    assert_eq!(weight(&parse("dois.csv", &format!("citing_doi,cited_doi,creation\n{text}"))), 1.0);
}

#[test]
fn a_square_matrix_with_more_columns_is_doubted() {
    let names: Vec<String> = (0..8).map(|i| format!("s{i}")).collect();
    let text = rows(8, |i| format!("s{i},{},{}\n", values(i, 8, ","), 100 + i));
    let text = format!("Sector,{},Final demand\n{text}", names.join(","));
    assert!(doubts(&parse("io.csv", &text)).contains("--ignore \"Final demand\""));
    let asked = ReadOptions { ignore_columns: vec!["Final demand".into()], ..ReadOptions::default() };
    assert_ne!(read("io.csv", &text, &asked).unwrap().dataset.data.kind(), Kind::Points);
}

#[test]
fn numbers_that_may_be_torn_or_joined_are_doubted() {
    let torn = rows(12, |i| format!("n{i},1,{},2,{}\n", i, i * i % 7));
    assert!(doubts(&parse("a.csv", &format!("name,a,b\n{torn}"))).contains("decimal commas"));
    let joined = rows(12, |i| format!("w{i} {},{}\n", value(i, 1), values(i, 4, ",")));
    assert!(doubts(&parse("a.csv", &joined)).contains("end in a number"));
    let thousands = rows(12, |i| format!("n{i};{};{}\n", ["950", "1.125", "12.500"][i % 3], value(i, 1)));
    assert!(doubts(&parse("a.csv", &format!("name;a;b\n{thousands}"))).contains("separates thousands"));
    let millions = rows(12, |i| format!("n{i};{}.234.567;{}.000\n", i + 1, i + 2));
    let loaded = parse("a.csv", &format!("name;p;q\n{millions}"));
    assert_eq!(shape(&loaded), (12, 2));
    assert!(loaded.notes.iter().any(|note| matches!(note, Note::Thousands(_))), "{:?}", loaded.notes);
    let decimals = rows(12, |i| format!("n{i};{:.3};{:.3}\n", value(i, 1), value(i, 2)));
    assert!(!doubts(&parse("a.csv", &format!("name;p;q\n{decimals}"))).contains("thousands"));
}

#[test]
fn numbers_of_rows_and_codes_are_known_by_their_names() {
    for name in ["#", "No.", "编号", "level_0"] {
        let text = rows(12, |i| format!("{},n{i},{}\n", i + 1, values(i, 2, ",")));
        let loaded = parse("a.csv", &format!("{name},Name,a,c\n{text}"));
        assert_eq!((shape(&loaded), doubts(&loaded)), ((12, 2), String::new()), "{name}");
    }
    let text = rows(24, |i| format!("{},{},{}\n", i / 6, i % 6, values(i, 2, ",")));
    assert!(doubts(&parse("a.csv", &format!("subj,trial,rt,acc\n{text}"))).contains("\"subj\", \"trial\""));
}

#[test]
fn comments_may_begin_with_a_semicolon_or_two_dashes() {
    let text: String = edges().map(|(i, j)| format!("n{i} n{j}\n")).collect();
    for comment in ["; my net, from to", "-- my net, from to"] {
        assert_eq!(weight(&parse("a.txt", &format!("{comment}\n{text}"))), 1.0, "{comment}");
    }
}

#[test]
fn texts_with_bytes_that_windows_lacks_are_in_another_code() {
    let mut bytes = b"\x96\xbc\x91O,a,b\n".to_vec();
    (0..12).for_each(|i| bytes.extend([&b"\x90l"[..], format!("{i},{}\n", values(i, 2, ",")).as_bytes()].concat()));
    let loaded = parse("a.csv", &bytes);
    assert!(doubts(&loaded).contains("SHIFT_JIS"), "{:?}", loaded.notes);
}

#[test]
fn neighbours_may_have_weights_after_them() {
    let line = |i: usize| format!("n{i}\tn{}\t0.5\tn{}\t0.25\n", (i + 1) % 12, (i + 3) % 12);
    assert_eq!(weight(&parse("aracne.adj", &format!("> Input file x\n{}", rows(12, line)))), 0.5);
}
