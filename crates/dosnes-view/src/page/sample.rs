//! A part of the items, for maps that are too large for a page.

use dosnes::{CsrMatrix, input::Items};
use ndarray::{Array2, ArrayView2, Axis};

use crate::thousands;

use super::{Before, Given, Level, Page, Snapshot, Sprites, View};

/// Most items on a page: a browser still turns them smoothly, and the file has some tens of megabytes.
pub(super) const MOST_ITEMS: usize = 1_000_000;

/// A page with some of the items, and what it needs of its own.
pub(super) struct Sample {
    subtitle: String,
    items: Items,
    views: Vec<SampledView>,
    flat: Option<SampledView>,
    similarity: Option<CsrMatrix<'static>>,
    given: Option<Vec<usize>>,
    degree: Option<Vec<f64>>,
    pixels: Option<Vec<u8>>,
    levels: Vec<Vec<u32>>,
}

struct SampledView {
    positions: Array2<f64>,
    trust: Option<Vec<f32>>,
    snapshots: Vec<Array2<f64>>,
    before: Option<Array2<f64>>,
}

/// One row of each of `most` equal parts of 0..n, at a place in it that looks random but never changes: rows that repeat after
/// a fixed number are not met again and again.
fn rows(n: usize, most: usize) -> Vec<usize> {
    (0..most)
        .map(|part| {
            let (first, end) = (n * part / most, n * (part + 1) / most);
            // The middle bits of a product with an odd constant (Knuth's multiplicative hash).
            let hash = (part as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
            first + hash as usize % (end - first).max(1)
        })
        .collect()
}

impl Sample {
    /// A sample of `most` items of a page that has more and was checked; `None` if it has no more.
    pub(super) fn of(page: &Page<'_>, most: usize) -> Option<Self> {
        let n = page.items.len();
        if n <= most {
            return None;
        }
        let chosen = rows(n, most);
        let select = |positions: ArrayView2<'_, f64>| positions.select(Axis(0), &chosen);
        let view = |view: &View<'_>| SampledView {
            positions: select(view.positions),
            trust: view.trust.map(|trust| chosen.iter().map(|&i| trust[i]).collect()),
            snapshots: view.snapshots.iter().map(|snapshot| select(snapshot.positions)).collect(),
            before: view.before.as_ref().map(|before| select(before.positions)),
        };
        let noun = if page.noun.is_empty() { "items" } else { page.noun };
        let what = format!("This page shows {} of {} {noun}, an even sample of them.", thousands(most), thousands(n));
        Some(Self {
            subtitle: format!("{} {what}", page.subtitle).trim_start().to_owned(),
            items: page.items.select(&chosen),
            views: page.views.iter().map(view).collect(),
            flat: page.flat.as_ref().map(view),
            similarity: page.similarity.and_then(|similarity| among(similarity, &chosen)),
            given: page.given.map(|given| chosen.iter().map(|&i| given.rows[i]).collect()),
            degree: page.degree.map(|degree| chosen.iter().map(|&i| degree[i]).collect()),
            pixels: page.sprites.map(|sprites| {
                let size = sprites.width * sprites.height * sprites.channels;
                chosen.iter().flat_map(|&i| &sprites.pixels[i * size..(i + 1) * size]).copied().collect()
            }),
            levels: page.levels.iter().map(|level| chosen.iter().map(|&i| level.clusters[i]).collect()).collect(),
        })
    }

    /// The page of the sample.
    pub(super) fn page<'a>(&'a self, whole: &'a Page<'_>) -> Page<'a> {
        Page {
            title: whole.title,
            subtitle: &self.subtitle,
            source: whole.source,
            noun: whole.noun,
            items: &self.items,
            views: whole.views.iter().zip(&self.views).map(|(view, sampled)| sampled.view(view)).collect(),
            flat: whole.flat.as_ref().zip(self.flat.as_ref()).map(|(view, sampled)| sampled.view(view)),
            similarity: self.similarity.as_ref(),
            given: whole.given.zip(self.given.as_deref()).map(|(given, rows)| Given { rows, ..given }),
            degree: self.degree.as_deref(),
            sprites: whole.sprites.zip(self.pixels.as_deref()).map(|(sprites, pixels)| Sprites { pixels, ..sprites }),
            measures: whole.measures.clone(),
            color: whole.color,
            size: whole.size,
            label: whole.label,
            levels: whole
                .levels
                .iter()
                .zip(&self.levels)
                .map(|(level, clusters)| Level { clusters, names: level.names })
                .collect(),
        }
    }
}

impl SampledView {
    fn view<'a>(&'a self, whole: &'a View<'_>) -> View<'a> {
        View {
            radius: whole.radius,
            trust: self.trust.as_deref(),
            snapshots: whole
                .snapshots
                .iter()
                .zip(&self.snapshots)
                .map(|(snapshot, positions)| Snapshot { step: snapshot.step, positions: positions.view() })
                .collect(),
            before: whole
                .before
                .as_ref()
                .zip(self.before.as_ref())
                .map(|(before, positions)| Before { name: before.name, positions: positions.view() }),
            ..View::new(whole.name.clone(), whole.space, self.positions.view())
        }
    }
}

/// The similarities among the chosen items. `None` if they cannot be stored.
fn among(similarity: &CsrMatrix<'_>, chosen: &[usize]) -> Option<CsrMatrix<'static>> {
    const NONE: u32 = u32::MAX;
    let mut number = vec![NONE; similarity.rows()];
    for (new, &old) in chosen.iter().enumerate() {
        number[old] = new as u32;
    }
    let mut row_starts = Vec::with_capacity(chosen.len() + 1);
    row_starts.push(0);
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    for &i in chosen {
        let known = similarity.get_row(i)?.iter().filter(|&(j, _)| number[j] != NONE);
        for (j, value) in known {
            columns.push(number[j]);
            values.push(value);
        }
        row_starts.push(columns.len());
    }
    CsrMatrix::new((chosen.len(), chosen.len()), row_starts, columns, values).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Space;

    #[test]
    fn a_sample_has_the_same_values_for_fewer_items_and_says_so() {
        let n = 1000;
        let items = Items::numbered(n);
        let positions = Array2::from_shape_fn((n, 3), |(i, k)| ((i * 3 + k) as f64).sin());
        let triplets: Vec<(u32, u32, f64)> = (0..n as u32).map(|i| (i, (i + 1) % n as u32, f64::from(i + 1))).collect();
        let similarity = CsrMatrix::from_triplets((n, n), &triplets).unwrap();
        let (degree, trust): (Vec<f64>, Vec<f32>) = (0..n).map(|i| (i as f64, i as f32 / n as f32)).unzip();
        let clusters: Vec<u32> = (0..n as u32).map(|i| i % 2).collect();
        let names = ["even".to_owned(), "odd".to_owned()];
        let mut page = Page::new("title", &items);
        page.noun = "points";
        page.degree = Some(&degree);
        page.similarity = Some(&similarity);
        let all: Vec<usize> = (0..n).collect();
        page.given = Some(Given { matrix: &similarity, rows: &all });
        page.views.push(View { trust: Some(&trust), ..View::new("map", Space::Sphere, positions.view()) });
        page.levels.push(Level { clusters: &clusters, names: &names });
        assert!(Sample::of(&page, n).is_none());
        let sample = Sample::of(&page, 300).unwrap();
        let part = sample.page(&page);
        part.check().unwrap();
        assert_eq!(part.subtitle, "This page shows 300 of 1,000 points, an even sample of them.");
        assert_eq!(part.items.len(), 300);
        let numbers: Vec<usize> = part.items.ids.iter().map(|id| id.parse().unwrap()).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b));
        for (new, &old) in numbers.iter().enumerate() {
            assert_eq!(part.views[0].positions.row(new), positions.row(old));
            assert_eq!(part.degree.unwrap()[new], degree[old]);
            assert_eq!(part.views[0].trust.unwrap()[new], trust[old]);
            assert_eq!(part.given.unwrap().rows[new], old);
            assert_eq!(part.levels[0].clusters[new], clusters[old]);
            let kept = numbers.binary_search(&((old + 1) % n)).ok();
            let found: Vec<(usize, f64)> = part.similarity.unwrap().get_row(new).unwrap().iter().collect();
            assert_eq!(found, kept.map(|other| (other, (old + 1) as f64)).into_iter().collect::<Vec<_>>());
        }
        assert!(!part.to_html().unwrap().is_empty());
    }

    #[test]
    fn rows_are_spread_over_all_and_do_not_follow_a_period() {
        let chosen = rows(11_000, 1_000);
        assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
        let mut of_period = [0; 11];
        for row in chosen {
            of_period[row % 11] += 1;
        }
        assert!(of_period.iter().all(|&count| (50..150).contains(&count)), "{of_period:?}");
    }
}
