//! Whatever the names and columns are, they stay text: the figure has no element that it should not have.
#![no_main]

use dosnes::Space;
use dosnes_fuzz::Map;
use dosnes_view::Figure;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some(map) = Map::new(data) else { return };
    let mut figure = Figure::new(&map.items, Space::Sphere, map.coordinates.view());
    figure.title = &map.title;
    figure.color = Some(&map.items.columns[0].name);
    let Ok(svg) = figure.to_svg() else { return };
    for tag in ["<script", "<image", "<foreignObject", "<a ", "<!", "<?xml-stylesheet"] {
        assert!(!svg.contains(tag), "{tag}");
    }
});
