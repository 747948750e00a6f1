//! What the fuzz targets share: the memory that a reader takes, real files to begin with, and a map whose names and columns are the fuzzer's bytes.

pub mod files;
pub mod memory;
pub mod seeds;

use dosnes::input::{Column, Items, Values};
use dosnes::ndarray::Array2;

/// A map of up to 40 items with the given texts as title, ids and a column.
pub struct Map {
    pub title: String,
    pub items: Items,
    pub coordinates: Array2<f64>,
}

impl Map {
    /// `None` if there are too few texts for two items.
    pub fn new(data: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(data);
        let mut parts = text.split('\u{1}').map(str::to_owned);
        let (title, name) = (parts.next()?, parts.next()?);
        let texts: Vec<String> = parts.take(80).collect();
        let pairs = texts.as_chunks::<2>().0;
        if pairs.len() < 2 {
            return None;
        }
        let ids = pairs.iter().enumerate().map(|(i, pair)| format!("{}#{i}", pair[0])).collect::<Vec<_>>();
        let values = Values::Text(pairs.iter().map(|pair| pair[1].clone()).collect());
        let n = ids.len();
        let items = Items { ids, columns: vec![Column { name, values }] };
        let coordinates = Array2::from_shape_fn((n, 3), |(i, k)| {
            let angle = i as f64;
            [angle.cos() * (0.3 * angle).cos(), angle.sin() * (0.3 * angle).cos(), (0.3 * angle).sin()][k]
        });
        Some(Self { title, items, coordinates })
    }
}
