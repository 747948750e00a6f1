//! Maps: CSV, JSON, GeoJSON, NumPy.
#![no_main]

use dosnes_fuzz::memory::bounded;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [name, contents @ ..] = data else { return };
    let name = ["map.csv", "map.json", "map.geojson", "map.npy", "map.tsv", "map.csv.gz"][*name as usize % 6];
    let _ = bounded(contents, || dosnes_io::read_embedding_bytes(name, contents));
});
