//! Whatever the names and columns are, they stay data: the page has no more scripts and elements than with harmless ones.
#![no_main]

use dosnes::{Space, input::Values};
use dosnes_fuzz::Map;
use dosnes_view::{Page, View};
use std::collections::HashMap;

fn html(map: &Map, title: &str) -> Vec<u8> {
    let mut page = Page::new(title, &map.items);
    page.subtitle = title;
    page.views.push(View::new("map", Space::Sphere, map.coordinates.view()));
    page.to_html().expect("a page of a map")
}

/// Number of tags, of scripts and of ends of scripts.
fn tags(page: &[u8]) -> [usize; 3] {
    let text = String::from_utf8_lossy(page).to_lowercase();
    ["<", "<script", "</script"].map(|tag| text.matches(tag).count())
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some(map) = Map::new(data) else { return };
    let mut harmless = Map { title: "t".into(), items: map.items.clone(), coordinates: map.coordinates.clone() };
    for (i, id) in harmless.items.ids.iter_mut().enumerate() {
        *id = format!("n{i}");
    }
    // Equal texts stay equal, and empty ones empty: otherwise the page would have other blocks of data.
    let mut known = HashMap::new();
    for column in &mut harmless.items.columns {
        column.name = "c".into();
        if let Values::Text(texts) = &mut column.values {
            for text in texts.iter_mut().filter(|text| !text.is_empty()) {
                let next = known.len();
                *text = format!("v{}", *known.entry(std::mem::take(text)).or_insert(next));
            }
        }
    }
    let title = if map.title.is_empty() { "" } else { "t" };
    assert_eq!(tags(&html(&map, &map.title)), tags(&html(&harmless, title)));
});
