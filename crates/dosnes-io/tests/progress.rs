//! Reading reports its progress, and can be stopped.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use dosnes::CsrMatrix;
use dosnes::input::{Data, Items, Points};
use dosnes::ndarray::Array2;
use dosnes::observe::{Observer, Silent, Stage};
use dosnes_io::{EmbeddingTable, Error, ReadOptions, read, read_bytes, write_embedding, write_matrix};

/// Records all calls, and requests a stop after a given number of calls.
#[derive(Default)]
struct Watcher {
    stages: Vec<Stage>,
    fractions: Vec<f64>,
    patience: Option<usize>,
}

impl Watcher {
    fn with_patience(patience: usize) -> Self {
        Self { patience: Some(patience), ..Self::default() }
    }
}

impl Observer for Watcher {
    fn stage(&mut self, stage: Stage) {
        self.stages.push(stage);
    }

    fn progress(&mut self, fraction: f64) -> ControlFlow<()> {
        self.fractions.push(fraction);
        if self.patience.is_some_and(|patience| self.fractions.len() > patience) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("dosnes-io-progress-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A text of so many lines.
fn lines(count: u32, line: impl Fn(u32) -> String) -> String {
    let mut text = String::new();
    for k in 0..count {
        text.push_str(&line(k));
        text.push('\n');
    }
    text
}

/// The file is read with progress from 0 to 1, and with one that stops early as [`Error::Stopped`].
fn check(path: &std::path::Path, least: usize) {
    let options = ReadOptions::default();
    let mut watcher = Watcher::default();
    read(path, &options, &mut watcher).unwrap();
    assert_eq!(watcher.stages, [Stage::Read], "{}", path.display());
    assert!(watcher.fractions.len() >= least, "{}: {:?}", path.display(), watcher.fractions);
    assert!(watcher.fractions.is_sorted(), "{}: {:?}", path.display(), watcher.fractions);
    assert_eq!(watcher.fractions.last(), Some(&1.0), "{}", path.display());
    for patience in [0, 1, least / 2, watcher.fractions.len() - 1] {
        let mut hasty = Watcher::with_patience(patience);
        let error = read(path, &options, &mut hasty).unwrap_err();
        assert!(matches!(error, Error::Stopped), "{}: {error}", path.display());
        // Who said stop is not asked again.
        assert_eq!(hasty.fractions.len(), patience + 1, "{}", path.display());
    }
}

#[test]
fn long_files_of_every_family_report_progress_and_stop_on_request() {
    let folder = folder("long");
    let table = lines(600_000, |k| format!("{}.5,{}.25,{}", k % 997, k % 1009, k % 1013));
    let path = folder.join("table.csv");
    std::fs::write(&path, &table).unwrap();
    check(&path, 10);
    // A compressed file is small, what comes out of it is not.
    let path = folder.join("table.csv.gz");
    let mut gzip = flate2::write::GzEncoder::new(std::fs::File::create(&path).unwrap(), flate2::Compression::fast());
    gzip.write_all(table.as_bytes()).unwrap();
    gzip.finish().unwrap();
    check(&path, 10);
    let edges = lines(600_000, |k| format!("node{} node{} {}", k % 5003, k % 4999, k % 7 + 1));
    let path = folder.join("list.edges");
    std::fs::write(&path, edges).unwrap();
    check(&path, 8);
    let nodes = lines(60_000, |k| format!("<node id=\"n{k}\"><data key=\"d\">some text {k}</data></node>"));
    let edges = lines(60_000, |k| format!("<edge source=\"n{}\" target=\"n{k}\"/>", k / 2));
    let path = folder.join("graph.graphml");
    std::fs::write(&path, format!("<graphml><graph>\n{nodes}{edges}</graph></graphml>\n")).unwrap();
    check(&path, 4);
    let items = Items::numbered(500_000);
    let coordinates = Array2::from_shape_fn((500_000, 2), |(i, j)| (i * (j + 1)) as f64);
    let path = folder.join("points.npy");
    write_embedding(&path, &EmbeddingTable { items: &items, coordinates: coordinates.view(), radius: None }).unwrap();
    check(&path, 6);
    let triplets: Vec<(u32, u32, f64)> =
        (0..600_000).map(|k| (k / 100, (k % 6000) * 7919 % 6000, 1.0 + f64::from(k))).collect();
    let matrix = CsrMatrix::from_triplets((6000, 6000), &triplets).unwrap();
    for (name, least) in [("matrix.npz", 6), ("matrix.mtx", 6)] {
        let path = folder.join(name);
        write_matrix(&path, &matrix).unwrap();
        check(&path, least);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Large datasets are read in windows of rows, which must fit together, whole chunks or not.
#[test]
fn hdf5_datasets_of_many_windows_are_read_whole_and_stop_on_request() {
    let folder = folder("hdf5");
    let (rows, columns) = (1_100_u32, 1_000_u32);
    let values: Vec<f32> = (0..rows * columns).map(|k| k as f32).collect();
    let mut chunked = hdf5_pure::FileBuilder::new();
    let shape = [u64::from(rows), u64::from(columns)];
    chunked.create_dataset("X").with_f32_data(&values).with_shape(&shape).with_chunks(&[300, 170]).with_deflate(1);
    let mut contiguous = hdf5_pure::FileBuilder::new();
    contiguous.create_dataset("X").with_f32_data(&values).with_shape(&shape);
    for (name, builder) in [("chunked.h5ad", chunked), ("contiguous.h5ad", contiguous)] {
        let path = folder.join(name);
        builder.write(&path).unwrap();
        check(&path, 2);
        let loaded = read(&path, &ReadOptions::default(), &mut Silent).unwrap();
        let Data::Points(Points::Dense(x)) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
        assert_eq!(x.dim(), (rows as usize, columns as usize));
        assert!(x.iter().zip(&values).all(|(a, b)| a == b), "{name}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_small_file_is_reported_once_and_can_be_stopped() {
    let mut watcher = Watcher::default();
    read_bytes("a.csv", b"u,v\n1,2\n3,4\n", &ReadOptions::default(), &mut watcher).unwrap();
    assert_eq!((watcher.stages, watcher.fractions), (vec![Stage::Read], vec![1.0]));
    let mut hasty = Watcher::with_patience(0);
    let stopped = read_bytes("a.csv", b"u,v\n1,2\n3,4\n", &ReadOptions::default(), &mut hasty);
    assert!(matches!(stopped, Err(Error::Stopped)));
}

#[test]
fn an_error_of_the_file_is_not_hidden_by_the_observer() {
    let missing = read_bytes("a.csv", b"u,v\n1,2\n3,\n", &ReadOptions::default(), &mut Silent);
    assert!(matches!(missing, Err(Error::Missing { .. })));
}
