//! Real checkpoints and models to begin with. No file of them can be kept: their format follows the library's types.

use dosnes::observe::{Observer, Silent, Step};
use dosnes::{
    Affinities, CsrMatrix, Data, Dosnes, Model, OptimizerState, SimilarityFacts, embed, ndarray::Array2, normalize,
    similarities,
};
use dosnes_io::{CheckpointParts, write_checkpoint};
use std::ops::ControlFlow;
use std::path::Path;

use crate::files::folder;

/// Keeps the state of the third step.
#[derive(Default)]
struct Third(usize, Option<OptimizerState>);

impl Observer for Third {
    fn step(&mut self, step: &Step<'_>) -> ControlFlow<()> {
        self.0 = step.iteration;
        if self.0 < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn wants_state(&mut self) -> bool {
        self.0 >= 3
    }

    fn state(&mut self, state: OptimizerState) {
        self.1 = Some(state);
    }
}

fn ring() -> CsrMatrix<'static> {
    let edges: Vec<_> = (0..12_u32).map(|i| (i, (i + 1) % 12, 1.0 + f64::from(i % 3))).collect();
    CsrMatrix::from_triplets((12, 12), &edges).expect("a ring")
}

fn points() -> Array2<f64> {
    Array2::from_shape_fn((12, 2), |(i, axis)| ((i * (axis + 2)) as f64).sin())
}

fn dyads() -> CsrMatrix<'static> {
    let pairs: Vec<_> = (0..12_u32).flat_map(|i| [(i, i % 5, 1.0), (i, (i + 1) % 5, 2.0)]).collect();
    CsrMatrix::from_triplets((12, 5), &pairs).expect("pairs")
}

/// A graph, points and dyadic data, each with the method that suits so few items.
fn data() -> [(&'static str, Data<'static>); 3] {
    [("graph", Data::Graph(ring())), ("points", Data::from(points())), ("dyadic", Data::Dyadic(dyads()))]
}

/// Checkpoints of small runs, without the frame around their contents.
pub fn checkpoints() {
    let Some(folder) = folder() else { return };
    for (name, data) in data() {
        for (space, method) in [("sphere", Dosnes::sphere()), ("plane", Dosnes::plane())] {
            let method = method.perplexity(3.0);
            let found = similarities(&data, method.similarity_options(), &mut Silent).expect("similarities");
            let p: Affinities = normalize(&found.similarity, method.normalize_options(), &mut Silent)
                .expect("similarities of equal sums");
            let mut third = Third::default();
            embed(&p, method.embed_options(), &mut third).expect("a map");
            let facts = SimilarityFacts::default();
            let recording = (0.5, vec![(1, vec![1.0, 0.0, 0.0])]);
            let matrix = p.matrix().clone();
            let about = "{\"line\":[\"embed\",\"a.csv\"]}";
            let whole = CheckpointParts {
                about,
                facts: Some(&facts),
                affinities: Some(&p),
                state: third.1.as_ref(),
                recording: Some(&recording),
                ..CheckpointParts::default()
            };
            let early = CheckpointParts { about, neighbors: Some(&matrix), ..CheckpointParts::default() };
            for (stage, parts) in [("whole", whole), ("early", early)] {
                let path = folder.join(format!("{name}-{space}-{stage}"));
                write_checkpoint(&path, &parts).expect("a checkpoint");
                unframe(&path, 12, 4);
            }
        }
    }
}

/// Models of small maps, without the frame around their contents.
pub fn models() {
    let Some(folder) = folder() else { return };
    for (name, data) in data() {
        let ids: Vec<String> = (0..data.len()).map(|i| format!("n{i}")).collect();
        let model = Model::fit(&Dosnes::sphere().perplexity(3.0), &ids, data, &mut Silent).expect("a model");
        let path = folder.join(name);
        std::fs::write(&path, model.to_bytes()).expect("a file");
        unframe(&path, 20, 8);
    }
}

/// Takes away what is before and after the contents of a file.
fn unframe(path: &Path, before: usize, after: usize) {
    let bytes = std::fs::read(path).expect("a file");
    std::fs::write(path, &bytes[before..bytes.len() - after]).expect("a file");
}
