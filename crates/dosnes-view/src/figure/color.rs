//! Colours that people with any kind of colour vision can distinguish, and the legend.

use dosnes::input::{Items, Values};

use super::Theme;

/// Red, green, blue.
pub(super) type Rgb = [u8; 3];

/// The colours of the page (`viewer/src/color/palette.ts`): none of them is grey, which is for the rest only.
const ON_LIGHT: [u32; MOST_CLASSES] =
    [0x1170b8, 0xe8820c, 0x12946c, 0xc8377d, 0x7c4dbd, 0xa8710a, 0x2aa9d2, 0xd4382c, 0x7a9a1a, 0xd678c4];
const ON_DARK: [u32; MOST_CLASSES] =
    [0x4da3ec, 0xffa02e, 0x2cc795, 0xf5679f, 0xab86f2, 0xd9b13b, 0x6fdcf5, 0xff6f5e, 0xa9cf4a, 0xf2a6e4];
/// Stops of viridis (van der Walt and Smith 2015).
const VIRIDIS: [u32; 11] =
    [0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c, 0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725];
const MOST_CLASSES: usize = 10;

fn rgb(hex: u32) -> Rgb {
    [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8]
}

/// The colour of each item, and the lines of the legend.
#[derive(Debug, Clone)]
pub(super) struct Coloring {
    pub(super) colors: Vec<Rgb>,
    pub(super) legend: Vec<(Rgb, String)>,
}

/// Classes are sorted by size, and the largest ten have their own colours. Numbers use viridis, on a logarithmic scale if they
/// span more than three powers of ten.
pub(super) fn coloring(items: &Items, column: Option<&str>, theme: Theme) -> Coloring {
    let dark = theme == Theme::Dark;
    let rest = if dark { rgb(0x68707d) } else { rgb(0xa0a6af) };
    match column.and_then(|name| items.column(name)).map(|column| &column.values) {
        None => {
            let one = rgb(if dark { ON_DARK[0] } else { ON_LIGHT[0] });
            Coloring { colors: vec![one; items.len()], legend: Vec::new() }
        }
        Some(Values::Text(texts)) => classes(texts, dark, rest),
        Some(Values::Number(numbers)) => ramp(numbers, dark, rest),
    }
}

fn classes(texts: &[String], dark: bool, rest: Rgb) -> Coloring {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    let mut place = std::collections::HashMap::new();
    for text in texts.iter().filter(|text| !text.is_empty()) {
        let at = *place.entry(text.as_str()).or_insert_with(|| {
            counts.push((text, 0));
            counts.len() - 1
        });
        counts[at].1 += 1;
    }
    // A stable sort: classes of the same size stay in the order of first use.
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let palette = if dark { ON_DARK } else { ON_LIGHT }.map(rgb);
    let color_of: std::collections::HashMap<&str, Rgb> =
        counts.iter().take(MOST_CLASSES).zip(&palette).map(|(&(name, _), &color)| (name, color)).collect();
    let mut legend: Vec<(Rgb, String)> =
        counts.iter().take(MOST_CLASSES).zip(&palette).map(|(&(name, _), &color)| (color, name.to_owned())).collect();
    if counts.len() > MOST_CLASSES {
        legend.push((rest, format!("{} more", counts.len() - MOST_CLASSES)));
    } else if texts.iter().any(String::is_empty) {
        legend.push((rest, "no value".to_owned()));
    }
    Coloring { colors: texts.iter().map(|text| color_of.get(text.as_str()).copied().unwrap_or(rest)).collect(), legend }
}

fn ramp(numbers: &[f64], dark: bool, rest: Rgb) -> Coloring {
    let finite = || numbers.iter().copied().filter(|v| v.is_finite());
    let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    let logarithmic = low > 0.0 && high / low > 1000.0;
    let place = |v: f64| match (high > low, logarithmic) {
        (false, _) => 0.5,
        (true, true) => (v / low).ln() / (high / low).ln(),
        (true, false) => (v - low) / (high - low),
    };
    let value = |t: f64| if logarithmic { low * (high / low).powf(t) } else { low + (high - low) * t };
    let color = |t: f64| viridis(if dark { 0.12 + 0.88 * t } else { 0.94 * t });
    let legend = if low <= high {
        [1.0, 0.75, 0.5, 0.25, 0.0].into_iter().map(|t| (color(t), short(value(t)))).collect()
    } else {
        Vec::new()
    };
    Coloring { colors: numbers.iter().map(|&v| if v.is_finite() { color(place(v)) } else { rest }).collect(), legend }
}

fn viridis(t: f64) -> Rgb {
    let place = t.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let i = (place as usize).min(VIRIDIS.len() - 2);
    let (a, b, f) = (rgb(VIRIDIS[i]), rgb(VIRIDIS[i + 1]), place - i as f64);
    std::array::from_fn(|k| (f64::from(a[k]) + (f64::from(b[k]) - f64::from(a[k])) * f).round() as u8)
}

/// Three significant digits.
fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let digits = (2 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use dosnes::input::Column;

    use super::*;

    fn items(values: Values) -> Items {
        Items {
            ids: (0..values.len()).map(|i| i.to_string()).collect(),
            columns: vec![Column { name: "c".to_owned(), values }],
        }
    }

    #[test]
    fn the_largest_ten_classes_have_colours_of_their_own() {
        let texts = (0..100).map(|i| format!("class {}", i % 14)).collect();
        let Coloring { colors, legend } = coloring(&items(Values::Text(texts)), Some("c"), Theme::Light);
        assert_eq!(legend.len(), 11);
        assert_eq!(legend[10].1, "4 more");
        assert_eq!(colors[0], legend[0].0);
        assert_eq!(colors[13], legend[10].0);
    }

    /// Grey is for the rest: a class that is nearly grey would be taken for it.
    #[test]
    fn no_class_is_grey() {
        for color in ON_LIGHT.into_iter().chain(ON_DARK).map(rgb) {
            let (low, high) = (color.iter().min(), color.iter().max());
            assert!(high.zip(low).is_some_and(|(high, low)| high - low > 70), "{color:?}");
        }
    }

    #[test]
    fn numbers_that_are_missing_are_grey() {
        let Coloring { colors, legend } =
            coloring(&items(Values::Number(vec![1.0, f64::NAN, 1e6])), Some("c"), Theme::Dark);
        assert_eq!(colors[1], rgb(0x68707d));
        assert_eq!(
            legend.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(),
            ["1000000", "31623", "1000", "31.6", "1"]
        );
    }
}
