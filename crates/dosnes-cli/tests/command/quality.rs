//! t-SNE in the plane is as good as the best programs for it: over five seeds, the worst of our maps is within a percent of
//! the best of theirs, from the same affinities.

use crate::harness::{Folder, bundled};
use crate::shared;
use serde_json::Value;

const SEEDS: usize = 5;

/// The lowest KL that each of the other programs reached from the same affinities, over as many seeds.
fn others(data: &str) -> Vec<(&'static str, f64)> {
    let reference: Value = serde_json::from_str(include_str!("../../../dosnes/tests/reference/tsne.json")).unwrap();
    ["openTSNE", "scikit-learn"]
        .map(|name| {
            let values: Vec<f64> =
                reference[data][name].as_array().unwrap().iter().map(|kl| kl.as_f64().unwrap()).collect();
            assert_eq!(values.len(), SEEDS, "{name}");
            (name, values.into_iter().fold(f64::INFINITY, f64::min))
        })
        .into()
}

/// The highest KL of dosnes over its seeds.
fn ours(input: &str) -> f64 {
    let folder = Folder::new();
    let run = |seed: usize| {
        let options = "--normalize none --space plane";
        folder.run(&format!("embed {input} {options} --seed {seed} --report {seed}.json")).succeeds();
        folder.json(&format!("{seed}.json"))["kl"].as_f64().unwrap()
    };
    (0..SEEDS).map(run).fold(0.0, f64::max)
}

fn is_within_a_percent_or_better(input: &str, data: &str) {
    let ours = ours(input);
    for (name, theirs) in others(data) {
        assert!(ours < 1.01 * theirs, "ours {ours}, {name} {theirs}");
    }
}

#[test]
fn digits_in_the_plane_are_within_a_percent_of_the_best_programs_or_better() {
    is_within_a_percent_or_better(&bundled("digits.csv.gz"), "digits");
}

#[test]
fn cells_in_the_plane_are_within_a_percent_of_the_best_programs_or_better() {
    let Some(data) = shared::folder() else { return };
    let counts = data.join("singlecell/pbmc3k_counts_2638x2000.mtx.gz");
    is_within_a_percent_or_better(&format!("{} --as points", counts.display()), "pbmc3k");
}
