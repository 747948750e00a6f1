//! The five measures of a comparison that a reader should know, in sentences.

use dosnes::compare::{Table, TableRow};
use dosnes_view::Sentence;

/// What a sentence says of a measure: its key, the title, the words before and after the values, and how values are written.
struct Telling {
    key: &'static str,
    title: &'static str,
    before: &'static str,
    after: &'static str,
    write: fn(f64) -> String,
}

const TELLINGS: [Telling; 6] = [
    Telling {
        key: "recall_10",
        title: "Neighbours",
        before: "Share of the 10 most similar {items} in the data that are also among the 10 nearest on the map: ",
        after: "",
        write: percent,
    },
    Telling {
        key: "class_accuracy",
        title: "Classes",
        before: "Share of {items} whose class is that of most of their 10 nearest on the map: ",
        after: "",
        write: percent,
    },
    Telling {
        key: "distance_spearman",
        title: "Distances",
        before: "Distances on the map have the same order as in the data, with a rank correlation of ",
        after: "; 1 would be exact",
        write: two_decimals,
    },
    Telling {
        key: "density_share",
        title: "Crowding",
        before: "Share of all similarity that belongs to the half of the {items} in the denser places: ",
        after: "; 50 % would be even",
        write: percent,
    },
    Telling {
        key: "coverage",
        title: "Room",
        before: "Share of equal parts of the map that have {items} in them: ",
        after: "; at random it would be 63 %",
        write: percent,
    },
    // Where there are no classes.
    Telling {
        key: "trustworthiness_10",
        title: "Strangers",
        before: "What is near on the map is also near in the data, with a trustworthiness of ",
        after: "; 1 would be perfect",
        write: two_decimals,
    },
];

/// At most so many sentences.
const MOST: usize = 5;

/// The sentences about the first five of these measures that the table has, each with the maps in the order of the table.
pub(super) fn sentences(table: &Table, items: &str) -> Vec<Sentence> {
    let rows = table.rows();
    let told = TELLINGS.iter().filter_map(|telling| {
        let row = rows.iter().find(|row| row.key == telling.key)?;
        let values = values(table, row, telling.write)?;
        let text = format!("{}{values}{}.", telling.before.replace("{items}", items), telling.after);
        Some(Sentence { title: telling.title.to_owned(), text })
    });
    told.take(MOST).collect()
}

/// "32 % (DOSNES), 14 % (t-SNE)"; `None` if no map has the measure.
fn values(table: &Table, row: &TableRow, write: fn(f64) -> String) -> Option<String> {
    let of_maps: Vec<String> = table
        .columns
        .iter()
        .zip(&row.cells)
        .filter_map(|(column, cell)| cell.map(|cell| format!("{} ({})", write(cell.value), column.label)))
        .collect();
    (!of_maps.is_empty()).then(|| of_maps.join(", "))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn two_decimals(value: f64) -> String {
    // Avoids `-0.00`.
    format!("{:.2}", if value.abs() < 0.005 { 0.0 } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::{
        compare::Column,
        quality::{Better, Evaluation, Measure, NamedMeasure},
    };

    fn column(label: &str, values: &[(&str, f64)]) -> Column {
        let measure = |&(key, value): &(&str, f64)| NamedMeasure {
            key: key.to_owned(),
            label: key.to_owned(),
            better: Better::Higher,
            measure: Measure::exact(value),
        };
        let run = Evaluation { measures: values.iter().map(measure).collect(), curve: Vec::new() };
        Column { key: label.to_lowercase(), label: label.to_owned(), runs: vec![run] }
    }

    #[test]
    fn a_sentence_has_the_value_of_each_map_that_has_one() {
        let globe = [("kl", 1.0), ("coverage", 0.707), ("recall_10", 0.322), ("distance_spearman", -0.001)];
        let table = Table {
            columns: vec![column("DOSNES", &globe), column("t-SNE", &[("recall_10", 0.137), ("coverage", 0.5)])],
        };
        let told = sentences(&table, "airports");
        let titles: Vec<&str> = told.iter().map(|sentence| &sentence.title[..]).collect();
        assert_eq!(titles, ["Neighbours", "Distances", "Room"]);
        assert_eq!(
            told[0].text,
            "Share of the 10 most similar airports in the data that are also among the 10 nearest on the map: 32 % (DOSNES), \
             14 % (t-SNE)."
        );
        assert!(told[1].text.contains("0.00 (DOSNES)"), "{}", told[1].text);
        assert!(told[2].text.ends_with("71 % (DOSNES), 50 % (t-SNE); at random it would be 63 %."), "{}", told[2].text);
    }

    #[test]
    fn there_are_five_sentences_with_classes_and_without() {
        let all: Vec<(&str, f64)> = TELLINGS.iter().map(|telling| (telling.key, 0.5)).collect();
        let titles = |values: &[(&str, f64)]| {
            let table = Table { columns: vec![column("DOSNES", values)] };
            sentences(&table, "items").into_iter().map(|sentence| sentence.title).collect::<Vec<_>>()
        };
        assert_eq!(titles(&all), ["Neighbours", "Classes", "Distances", "Crowding", "Room"]);
        let without: Vec<(&str, f64)> = all.into_iter().filter(|(key, _)| *key != "class_accuracy").collect();
        assert_eq!(titles(&without), ["Neighbours", "Distances", "Crowding", "Room", "Strangers"]);
    }
}
