//! t-SNE in the plane is as good as the best programs for it.

use crate::harness::{Folder, bundled};
use serde_json::Value;

const SEEDS: usize = 5;

/// The lowest KL that each of the other programs reached from the same affinities, over the seeds that it was run with.
fn others(data: &str) -> Vec<(&'static str, f64)> {
    let reference: Value = serde_json::from_str(include_str!("../../../dosnes/tests/reference/tsne.json")).unwrap();
    ["openTSNE", "scikit-learn"]
        .map(|name| {
            let values = reference[data][name].as_array().unwrap().iter().map(|kl| kl.as_f64().unwrap());
            let lowest = values.fold(f64::INFINITY, f64::min);
            assert!(lowest.is_finite(), "no run of {name}");
            (name, lowest)
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

#[test]
fn digits_in_the_plane_are_within_a_percent_of_the_best_programs_or_better() {
    let ours = ours(&bundled("digits.csv.gz"));
    for (name, theirs) in others("digits") {
        assert!(ours < 1.01 * theirs, "ours {ours}, {name} {theirs}");
    }
}
