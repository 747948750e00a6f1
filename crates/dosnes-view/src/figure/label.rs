//! Labels that never overlap: placed greedily, largest weight first, each on the first free side of four.

/// A text in the figure, and its box in pixels from the top left.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Label {
    pub(super) item: usize,
    pub(super) text: String,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) size: f64,
    /// On which of the four sides of its point it is.
    pub(super) side: usize,
    pub(super) opacity: f64,
}

/// A candidate for a label.
#[derive(Debug, Clone)]
pub(super) struct Wish {
    pub(super) item: usize,
    pub(super) text: String,
    pub(super) x: f64,
    pub(super) y: f64,
    /// The radius of the point.
    pub(super) clear: f64,
    pub(super) size: f64,
    /// The side to try first.
    pub(super) side: Option<usize>,
}

const LONGEST: usize = 28;

/// A text shortened for one line.
pub(super) fn one_line(text: &str) -> String {
    let clean: String = text.chars().take(LONGEST + 1).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if clean.chars().count() > LONGEST { clean.chars().take(LONGEST - 1).chain(['…']).collect() } else { clean }
}

/// The approximate width of a text in a common sans-serif font; an estimate from above.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'l' | 'j' | 'I' | '.' | ',' | '\'' | '|' | ' ' | 't' | 'f' => 0.36,
        'm' | 'w' | 'M' | 'W' | '…' => 0.95,
        _ if c.is_ascii_uppercase() => 0.74,
        _ if c.is_ascii() => 0.62,
        _ => 1.0,
    };
    size * text.chars().map(em).sum::<f64>()
}

/// Places at most `most` labels in the given box (left, top, right, bottom); `wishes` are in order of priority.
pub(super) fn place(wishes: impl Iterator<Item = Wish>, most: usize, within: (f64, f64, f64, f64)) -> Vec<Label> {
    let mut placed: Vec<Label> = Vec::new();
    let (left, top, right, bottom) = within;
    for wish in wishes {
        if placed.len() >= most {
            break;
        }
        let text = one_line(&wish.text);
        let (w, h) = (width(&text, wish.size), wish.size * 1.2);
        let gap = wish.clear + 0.25 * wish.size;
        let sides = [
            (wish.x + gap, wish.y - h / 2.0),
            (wish.x - gap - w, wish.y - h / 2.0),
            (wish.x - w / 2.0, wish.y - gap - h),
            (wish.x - w / 2.0, wish.y + gap),
        ];
        let free = |&(x, y): &(f64, f64)| {
            let inside = x >= left && y >= top && x + w <= right && y + h <= bottom;
            inside && placed.iter().all(|o| x >= o.x + o.width || o.x >= x + w || y >= o.y + o.height || o.y >= y + h)
        };
        let order = wish.side.into_iter().chain(0..sides.len());
        if let Some((side, (x, y))) = order.map(|side| (side, sides[side])).find(|(_, place)| free(place)) {
            let Wish { item, size, .. } = wish;
            placed.push(Label { item, text, x, y, width: w, height: h, size, side, opacity: 1.0 });
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn labels_never_overlap_and_stay_inside(places in prop::collection::vec((0.0..500.0_f64, 0.0..500.0_f64), 0..80)) {
            let wishes = places.iter().enumerate().map(|(i, &(x, y))| Wish { item: i, text: format!("label {i}"), x, y, clear: 3.0, size: 12.0, side: None });
            let labels = place(wishes, 50, (0.0, 0.0, 500.0, 500.0));
            for (i, a) in labels.iter().enumerate() {
                prop_assert!(a.x >= 0.0 && a.x + a.width <= 500.0 && a.y >= 0.0 && a.y + a.height <= 500.0);
                for b in &labels[..i] {
                    prop_assert!(a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height);
                }
            }
        }
    }

    #[test]
    fn long_texts_and_control_characters_are_made_fit() {
        assert_eq!(one_line(&"x".repeat(10_000)).chars().count(), LONGEST);
        assert_eq!(one_line("a\0b\nc"), "a\u{fffd}b\u{fffd}c");
    }
}
