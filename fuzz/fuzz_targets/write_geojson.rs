//! Whatever the names and columns are, the file reads back as the same map.
#![no_main]

use dosnes_fuzz::Map;
use dosnes_io::{EmbeddingFormat, EmbeddingTable, read_embedding_bytes, write_embedding_to};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some(map) = Map::new(data) else { return };
    let table = EmbeddingTable { items: &map.items, coordinates: map.coordinates.view(), radius: Some(1.0) };
    let mut file = Vec::new();
    write_embedding_to(&mut file, EmbeddingFormat::GeoJson, &table).expect("a map can be written");
    let back = read_embedding_bytes("map.geojson", &file).expect("a map that was written can be read");
    assert_eq!(back.items.ids, map.items.ids);
});
