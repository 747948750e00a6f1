//! The tables of docs/paper.md, from the output of `dosnes compare`.

use std::collections::HashMap;
use std::fmt::Write;

/// The measures of one comparison: method, then measure, then the value and its spread.
pub(super) type Measures = HashMap<String, HashMap<String, (f64, Option<f64>)>>;

/// Rows of a comparison that the page omits, because other rows show the same.
const LEFT_OUT: [&str; 4] = ["KL(P‖Q) at the map's best size", "recall at 5", "recall at 20", "recall at 50"];

const METHODS: [(&str, &str); 8] = [
    ("dosnes", "DOSNES"),
    ("tsne-2d", "t-SNE 2D"),
    ("tsne-3d", "t-SNE 3D"),
    ("ssne-2d", "s-SNE 2D"),
    ("ssne-3d", "s-SNE 3D"),
    ("mds-2d", "MDS 2D"),
    ("mds-3d", "MDS 3D"),
    ("mds-sphere", "MDS sphere"),
];

/// Spreads below this are not shown.
const SPREAD_THAT_MATTERS: f64 = 0.01;

/// Which value of a measure is the best in the table of normalisations.
#[derive(Clone, Copy, PartialEq)]
enum Best {
    Highest,
    NearestToZero,
    None,
}

const ROWS: [(&str, &str, Best); 6] = [
    ("cv_p", "CV of row sums", Best::None),
    ("recall_10", "recall at 10, as given", Best::Highest),
    ("rnx_auc", "R_NX, as given", Best::Highest),
    ("class_accuracy", "class of 10 nearest", Best::Highest),
    ("density_spearman", "degree and local density", Best::NearestToZero),
    ("coverage", "coverage", Best::Highest),
];

/// The rows of a comparison that the page shows.
pub(super) fn headline(table: &str) -> String {
    let kept = |line: &&str| {
        let name = line.split('|').nth(1).unwrap_or("").trim();
        let name = name.strip_suffix(", made equal").unwrap_or(name);
        !LEFT_OUT.contains(&name)
    };
    table.lines().filter(kept).fold(String::new(), |text, line| text + line + "\n")
}

/// Reads a comparison's CSV: `measure,METHOD,METHOD_spread,…`.
pub(super) fn parse(csv: &str) -> Result<Measures, String> {
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    let mut measures = Measures::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        for column in (1..header.len()).step_by(2) {
            let cell = cells.get(column).copied().unwrap_or("");
            if cell.is_empty() {
                continue;
            }
            let value = cell.parse().map_err(|_| format!("{cell:?} is not a number, in {line:?}"))?;
            let spread = cells.get(column + 1).and_then(|cell| cell.parse().ok());
            measures.entry(header[column].to_owned()).or_default().insert(cells[0].to_owned(), (value, spread));
        }
    }
    Ok(measures)
}

/// Degree and local density, and degree and nearness to the centre, for all datasets and methods.
pub(super) fn crowding(data: &[(&str, Measures)]) -> String {
    let mut text = String::from("| data |");
    for (_, label) in METHODS {
        let _ = write!(text, " {label} |");
    }
    let _ = writeln!(text, "\n|---|{}", "---|".repeat(METHODS.len()));
    for (name, measures) in data {
        let _ = write!(text, "| {name} |");
        for (method, _) in METHODS {
            let value = |key: &str| Some(measures.get(method)?.get(key)?.0);
            if let Some(density) = value("density_spearman") {
                let _ = write!(text, " {density:.2}");
            }
            if let Some(centre) = value("centre_spearman") {
                let _ = write!(text, " ({centre:.2})");
            }
            text.push_str(" |");
        }
        text.push('\n');
    }
    text
}

/// The measures of maps with several normalisations; the best value of each row is bold.
pub(super) fn normalisation(ways: &[&str], data: &[(String, Vec<Measures>)]) -> String {
    let mut text = format!("| data | | {} |\n|---|---|{}\n", ways.join(" | "), "---|".repeat(ways.len()));
    for (name, columns) in data {
        let mut name = name.as_str();
        for (key, label, best) in ROWS {
            let cells: Vec<Option<&(f64, Option<f64>)>> =
                columns.iter().map(|measures| measures.get("dosnes")?.get(key)).collect();
            if cells.iter().all(Option::is_none) {
                continue;
            }
            let loss = |value: f64| if best == Best::Highest { -value } else { value.abs() };
            let lowest = cells.iter().flatten().map(|cell| loss(cell.0)).fold(f64::INFINITY, f64::min);
            let _ = write!(text, "| {name} | {label} |");
            for way in 0..ways.len() {
                let Some(&(value, spread)) = cells.get(way).copied().flatten() else {
                    text.push_str(" |");
                    continue;
                };
                let spread = spread.filter(|spread| *spread >= SPREAD_THAT_MATTERS);
                let spread = spread.map(|spread| format!(" ± {spread:.3}")).unwrap_or_default();
                let mark = if best != Best::None && loss(value) == lowest { "**" } else { "" };
                let _ = write!(text, " {mark}{value:.3}{spread}{mark} |");
            }
            text.push('\n');
            name = "";
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn omitted_rows_are_not_shown() {
        let table = "| | A |\n|---|---|\n| recall at 5 | 1 |\n| recall at 10 | 2 |\n| recall at 20, made equal | 3 |\n";
        assert_eq!(headline(table), "| | A |\n|---|---|\n| recall at 10 | 2 |\n");
    }

    #[test]
    fn the_best_of_each_row_is_bold_and_large_spreads_are_shown() {
        let of = |recall: &str| {
            parse(&format!("measure,dosnes,dosnes_spread\nrecall_10,{recall}\ndensity_spearman,-0.3,\n")).unwrap()
        };
        let table = normalisation(&["a", "b"], &[("d".into(), vec![of("0.5,0.02"), of("0.4,0.001")])]);
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(rows[0], "| d | recall at 10, as given | **0.500 ± 0.020** | 0.400 |");
        assert_eq!(rows[1], "|  | degree and local density | **-0.300** | **-0.300** |");
    }

    #[test]
    fn crowding_has_both_measures_where_there_is_a_centre() {
        let csv =
            "measure,dosnes,dosnes_spread,tsne-2d,tsne-2d_spread\ncentre_spearman,,,0.9,\ndensity_spearman,0.1,,0.8,\n";
        let table = crowding(&[("d", parse(csv).unwrap())]);
        assert_eq!(table.lines().last(), Some("| d | 0.10 | 0.80 (0.90) | | | | | | |"));
    }
}
