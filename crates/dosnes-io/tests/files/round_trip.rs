//! What is written is read back as the same.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use dosnes::CsrMatrix;
use dosnes::input::{Column, Data, Items, Values};
use dosnes::ndarray::Array2;
use dosnes::observe::Silent;
use dosnes_io::{
    EmbeddingFormat, EmbeddingTable, Error, Kind, Loaded, OutputProblem, ReadOptions, check_writable, lat_lon,
    read_embedding, write_embedding, write_embedding_to, write_matrix,
};
use proptest::prelude::*;

fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Loaded, Error> {
    dosnes_io::read(path, options, &mut Silent)
}

static COUNTER: AtomicUsize = AtomicUsize::new(0);

/// A folder of its own, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("dosnes-io-trip-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Names of all sorts: separators, quotes, line breaks, comment signs, other scripts.
fn id() -> impl Strategy<Value = String> {
    proptest::string::string_regex("[a-zé,;\"#%\t|中&<>'\\\\ ]{1,8}(\n[a-z]{1,3})?").unwrap()
}

fn sphere(n: usize, radius: f64) -> impl Strategy<Value = Array2<f64>> {
    proptest::collection::vec((-1.0..1.0_f64, -3.1..3.1_f64), n).prop_map(move |angles| {
        let mut y = Array2::zeros((angles.len(), 3));
        for (i, (z, lon)) in angles.into_iter().enumerate() {
            let s = (1.0 - z * z).sqrt();
            y[[i, 0]] = radius * s * lon.cos();
            y[[i, 1]] = radius * s * lon.sin();
            y[[i, 2]] = radius * z;
        }
        y
    })
}

fn items(n: usize) -> impl Strategy<Value = Items> {
    let ids = proptest::collection::vec(id(), n).prop_map(|ids| {
        // The number makes them unique; the blanks at the ends are cut on reading, as in every table.
        ids.into_iter().enumerate().map(|(k, id)| format!("{k}{id}.")).collect::<Vec<_>>()
    });
    let texts = proptest::collection::vec(id().prop_map(|t| format!("t{t}.")), n);
    let numbers = proptest::collection::vec(
        prop_oneof![4 => any::<f64>().prop_filter("finite", |v| v.is_finite()), 1 => Just(f64::NAN)],
        n,
    );
    (ids, texts, numbers).prop_map(|(ids, texts, numbers)| Items {
        ids,
        columns: vec![
            Column { name: "lat".into(), values: Values::Number(numbers) },
            Column { name: "a, \"b\"".into(), values: Values::Text(texts) },
        ],
    })
}

/// As equal as NaN allows.
fn same_items(a: &Items, b: &Items) -> bool {
    let same = |a: &Values, b: &Values| match (a, b) {
        (Values::Text(a), Values::Text(b)) => a == b,
        (Values::Number(a), Values::Number(b)) => a.iter().zip(b).all(|(a, b)| a == b || a.is_nan() && b.is_nan()),
        // A column of nothing but missing values has no type.
        (Values::Number(a), Values::Text(b)) => a.iter().all(|v| v.is_nan()) && b.iter().all(String::is_empty),
        _ => false,
    };
    a.ids == b.ids
        && a.columns.len() == b.columns.len()
        && a.columns.iter().all(|c| b.column(&c.name).is_some_and(|d| same(&c.values, &d.values)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn embeddings_on_the_sphere_come_back((items, y) in (2..12_usize).prop_flat_map(|n| (items(n), sphere(n, 7.5)))) {
        let folder = Folder::new();
        let table = EmbeddingTable { items: &items, coordinates: y.view(), radius: Some(7.5) };
        for name in ["map.csv", "map.tsv", "map.json", "map.geojson", "map.csv.gz", "map.json.gz"] {
            let path = folder.0.join(name);
            write_embedding(&path, &table).unwrap();
            let back = read_embedding(&path, &mut Silent).unwrap();
            prop_assert!(same_items(&items, &back.items), "{name}: {:?} became {:?}", items, back.items);
            // Angles in degrees carry a few roundings of 2⁻⁵³ relative to 180°, so 1e-14 · r in place.
            for (a, b) in y.iter().zip(&back.coordinates) {
                prop_assert!((a - b).abs() <= 7.5e-14, "{name}: {a} became {b}");
            }
            prop_assert!((back.radius.unwrap() - 7.5).abs() < 1e-12);
        }
    }

    #[test]
    fn flat_embeddings_come_back_to_the_last_bit(
        items in items(6),
        places in proptest::collection::vec(any::<f64>().prop_filter("finite", |v| v.is_finite()), 12),
    ) {
        let folder = Folder::new();
        let y = Array2::from_shape_vec((6, 2), places).unwrap();
        let table = EmbeddingTable { items: &items, coordinates: y.view(), radius: None };
        for name in ["map.csv", "map.tsv", "map.json", "map.npy"] {
            let path = folder.0.join(name);
            write_embedding(&path, &table).unwrap();
            let back = read_embedding(&path, &mut Silent).unwrap();
            prop_assert_eq!(&back.coordinates, &y);
            prop_assert_eq!(back.radius, None);
        }
    }

    #[test]
    fn matrices_come_back_to_the_last_bit(
        triplets in proptest::collection::vec((0..9_u32, 0..9_u32, 1e-300..1e149_f64), 1..60),
        symmetric in any::<bool>(),
    ) {
        let folder = Folder::new();
        let mut entries = Vec::new();
        for (i, j, value) in triplets {
            entries.push((i, j, value));
            if symmetric && i != j {
                entries.push((j, i, value));
            }
        }
        let matrix = CsrMatrix::from_triplets((9, 9), &entries).unwrap();
        for name in ["p.mtx", "p.npz"] {
            let path = folder.0.join(name);
            write_matrix(&path, &matrix).unwrap();
            let options = ReadOptions { kind: Some(Kind::Similarity), ..ReadOptions::default() };
            match read(&path, &options).unwrap().dataset.data {
                Data::Similarity(back) => prop_assert_eq!(&back, &matrix),
                other => panic!("{}", other.kind()),
            }
        }
    }
}

fn small() -> (Items, Array2<f64>) {
    let items = Items {
        ids: vec!["a".into(), "b, c".into()],
        columns: vec![Column { name: "x".into(), values: Values::Number(vec![0.5, f64::NAN]) }],
    };
    (items, Array2::from_shape_vec((2, 3), vec![0.0, 2.0, 0.0, 0.0, 0.0, -2.0]).unwrap())
}

#[test]
fn a_table_starts_with_the_id_and_ends_with_latitude_and_longitude() {
    let folder = Folder::new();
    let (items, y) = small();
    let path = folder.0.join("map.csv");
    write_embedding(&path, &EmbeddingTable { items: &items, coordinates: y.view(), radius: Some(2.0) }).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text, "id,input_x,x,y,z,lat,lon\na,0.5,0,2,0,0,90\n\"b, c\",,0,0,-2,-90,0\n");
}

/// As a table about the items that has no header names them.
#[test]
fn a_column_that_is_named_by_a_number_is_read_back() {
    let (mut items, y) = small();
    let texts = (0..items.len()).map(|i| format!("class {i}")).collect();
    items.columns = vec![Column { name: "2".to_owned(), values: Values::Text(texts) }];
    let folder = Folder::new();
    let path = folder.0.join("map.csv");
    write_embedding(&path, &EmbeddingTable { items: &items, coordinates: y.view(), radius: None }).unwrap();
    let back = read_embedding(&path, &mut Silent).unwrap();
    assert_eq!(back.coordinates, y);
    assert!(same_items(&back.items, &items));
}

#[test]
fn geojson_has_longitude_first() {
    let folder = Folder::new();
    let (items, y) = small();
    let path = folder.0.join("map.geojson");
    write_embedding(&path, &EmbeddingTable { items: &items, coordinates: y.view(), radius: Some(2.0) }).unwrap();
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(json["type"], "FeatureCollection");
    assert_eq!(json["features"][0]["geometry"]["coordinates"], serde_json::json!([90, 0]));
    assert_eq!(json["features"][1]["properties"]["id"], "b, c");
    assert!(json["features"][1]["properties"]["input_x"].is_null());
}

#[test]
fn pajek_gets_one_vector_an_axis_or_a_project_that_we_read_ourselves() {
    let folder = Folder::new();
    let (items, y) = small();
    let table = EmbeddingTable { items: &items, coordinates: y.view(), radius: Some(2.0) };
    let files = write_embedding(folder.0.join("map.vec"), &table).unwrap();
    let names: Vec<String> = files.iter().map(|f| f.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(names, ["map_x.vec", "map_y.vec", "map_z.vec"]);
    assert_eq!(std::fs::read_to_string(&files[1]).unwrap(), "*Vertices 2\r\n2\r\n0\r\n");
    let path = folder.0.join("map.paj");
    write_embedding(&path, &table).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("2 \"b, c\" 0.500000 0.500000 0.000000\r\n"), "{text}");
    // A network without lines is no data, but it parses up to there.
    let message = read(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(message.contains("no arcs and no edges"), "{message}");
}

#[test]
fn an_unknown_extension_and_a_flat_map_in_geojson_are_refused() {
    let folder = Folder::new();
    let (items, y) = small();
    let table = EmbeddingTable { items: &items, coordinates: y.view(), radius: None };
    let message = write_embedding(folder.0.join("map.xlsx"), &table).unwrap_err().to_string();
    assert!(message.contains("must end in .csv, .tsv"), "{message}");
    let error = write_embedding(folder.0.join("map.geojson"), &table).unwrap_err();
    assert!(matches!(error, Error::Output { problem: OutputProblem::NotOnSphere, .. }), "{error}");
    assert!(check_writable(folder.0.join("map.csv")).is_ok());
}

#[test]
fn latitude_and_longitude_are_exact_at_the_poles_and_on_the_equator() {
    assert_eq!(lat_lon(0.0, 0.0, 3.0), (90.0, 0.0));
    assert_eq!(lat_lon(0.0, 3.0, 0.0), (0.0, 90.0));
    assert_eq!(lat_lon(-3.0, 0.0, 0.0), (0.0, 180.0));
}

#[test]
fn columns_of_the_wrong_length_are_refused_before_anything_is_written() {
    let folder = Folder::new();
    let (mut items, y) = small();
    items.columns[0].values = Values::Number(vec![0.5]);
    let path = folder.0.join("map.csv");
    let table = EmbeddingTable { items: &items, coordinates: y.view(), radius: None };
    let error = write_embedding(&path, &table).unwrap_err();
    assert!(matches!(error, Error::Output { problem: OutputProblem::RowCount { rows: 1, items: 2 }, .. }), "{error}");
    assert!(!path.exists());
}

/// A stream whose reader has gone.
struct ClosedPipe;

impl std::io::Write for ClosedPipe {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_known_by_the_kind_of_the_error() {
    let (items, y) = small();
    let table = EmbeddingTable { items: &items, coordinates: y.view(), radius: None };
    let error = write_embedding_to(&mut ClosedPipe, EmbeddingFormat::Csv, &table).unwrap_err();
    assert_eq!(error.io_error().map(std::io::Error::kind), Some(std::io::ErrorKind::BrokenPipe));
    assert!(matches!(error, Error::Write { .. }));
}
