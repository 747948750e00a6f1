//! What the tests of small files share: reading them, what is said about them, and how they are made.

#![allow(clippy::format_collect, reason = "small files are built line by line")]

use dosnes::input::Data;
use dosnes::observe::Silent;
use dosnes_io::{Error, Loaded, ReadOptions};

pub(crate) fn read(name: &str, contents: &(impl AsRef<[u8]> + ?Sized), options: &ReadOptions) -> Result<Loaded, Error> {
    dosnes_io::read_bytes(name, contents.as_ref(), options, &mut Silent)
}

/// Reads a file as it is, and prints how it was interpreted.
#[track_caller]
pub(crate) fn parse(name: &str, contents: &(impl AsRef<[u8]> + ?Sized)) -> Loaded {
    let loaded = read(name, contents, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    println!("{name}: {}", loaded.detected);
    loaded
}

/// Why a file is refused.
#[track_caller]
pub(crate) fn refusal(name: &str, contents: &(impl AsRef<[u8]> + ?Sized)) -> String {
    match read(name, contents, &ReadOptions::default()) {
        Ok(loaded) => panic!("{name} was read: {}", loaded.detected),
        Err(error) => error.to_string(),
    }
}

/// Checks that a file is refused with a message that says this.
#[track_caller]
pub(crate) fn refused(name: &str, contents: &(impl AsRef<[u8]> + ?Sized), part: &str) {
    let refusal = refusal(name, contents);
    assert!(refusal.contains(part), "{name}: “{part}” is not in: {refusal}");
}

/// All notes.
pub(crate) fn said(loaded: &Loaded) -> String {
    loaded.notes.iter().map(|note| format!("{note}\n")).collect()
}

/// The notes that are doubts.
pub(crate) fn doubts(loaded: &Loaded) -> String {
    loaded.doubts().map(|note| format!("{note}\n")).collect()
}

/// Edges of a ring of twelve nodes with chords, so that every node occurs several times.
pub(crate) fn edges() -> impl Iterator<Item = (usize, usize)> {
    (0..12).flat_map(|i| [(i, (i + 1) % 12), (i, (i + 3) % 12)])
}

/// A header, and a line for each of these edges.
pub(crate) fn lines(header: &str, line: impl Fn(usize, usize) -> String) -> String {
    std::iter::once(header.to_owned()).chain(edges().map(|(i, j)| line(i, j))).collect()
}

/// The weight of the edge between the first two of the twelve nodes.
#[track_caller]
pub(crate) fn weight(loaded: &Loaded) -> f64 {
    let Data::Graph(graph) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    assert_eq!(graph.rows(), 12, "{}", loaded.detected);
    graph.get(0, 1).unwrap_or(0.0)
}

/// A number that is not regular.
pub(crate) fn value(i: usize, k: usize) -> f64 {
    ((i * 37 + k * 101 + i * i * k * 7) % 89) as f64 / 10.0 + 0.01
}

/// The numbers of points and of coordinates.
#[track_caller]
pub(crate) fn shape(loaded: &Loaded) -> (usize, usize) {
    let Data::Points(points) = &loaded.dataset.data else { panic!("{}", loaded.detected) };
    points.shape()
}

/// Reads points, and checks their shape.
#[track_caller]
pub(crate) fn points(name: &str, contents: &(impl AsRef<[u8]> + ?Sized), expected: (usize, usize)) -> Loaded {
    let loaded = parse(name, contents);
    assert_eq!(shape(&loaded), expected, "{name}: {}", loaded.detected);
    loaded
}
