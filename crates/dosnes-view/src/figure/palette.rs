//! A few colours that stand for all colours of some pictures.
//!
//! The colours are split into boxes, again and again the box with the largest squared error, along the axis with the largest
//! variance, at its mean (Wu 1991, with means instead of an exhaustive search). The pictures are flat areas with soft
//! edges, so there is no dithering: flat areas stay flat and compress well.

use std::collections::HashMap;

pub(super) type Rgb = [u8; 3];

/// How often each colour occurs.
#[derive(Default)]
pub(super) struct Histogram(HashMap<Rgb, u64>);

impl Histogram {
    pub(super) fn add(&mut self, colors: impl Iterator<Item = Rgb>) {
        let mut last: Option<(Rgb, u64)> = None;
        for color in colors {
            match &mut last {
                Some((same, count)) if *same == color => *count += 1,
                _ => {
                    self.count(last);
                    last = Some((color, 1));
                }
            }
        }
        self.count(last);
    }

    fn count(&mut self, run: Option<(Rgb, u64)>) {
        if let Some((color, count)) = run {
            *self.0.entry(color).or_default() += count;
        }
    }
}

/// A palette, and the nearest of its colours for each colour that was asked for.
pub(super) struct Palette {
    pub(super) colors: Vec<Rgb>,
    nearest: HashMap<Rgb, u8>,
}

struct Group {
    colors: Vec<(Rgb, f64)>,
    mean: [f64; 3],
    error: [f64; 3],
}

impl Group {
    fn of(colors: Vec<(Rgb, f64)>) -> Self {
        let total: f64 = colors.iter().map(|(_, weight)| weight).sum();
        let sum = |f: &dyn Fn(f64) -> f64, k: usize| colors.iter().map(|(c, w)| w * f(f64::from(c[k]))).sum::<f64>();
        let mean = std::array::from_fn(|k| sum(&|c| c, k) / total);
        let error = std::array::from_fn(|k| sum(&|c| (c - mean[k]).powi(2), k));
        Self { colors, mean, error }
    }

    fn total_error(&self) -> f64 {
        self.error.iter().sum()
    }

    /// Both sides of the mean. Neither is empty, since the colours differ along this axis.
    fn split(self) -> (Self, Self) {
        let axis = (0..3).fold(0, |best, k| if self.error[k] > self.error[best] { k } else { best });
        let (low, high) = self.colors.into_iter().partition(|(c, _)| f64::from(c[axis]) <= self.mean[axis]);
        (Self::of(low), Self::of(high))
    }

    /// The most frequent colour if it is most of the group, so that areas keep their exact colours; otherwise the mean.
    fn representative(&self) -> Rgb {
        let total: f64 = self.colors.iter().map(|(_, weight)| weight).sum();
        let most = self.colors.iter().fold(None, |best: Option<&(Rgb, f64)>, next| match best {
            Some(best) if best.1 >= next.1 => Some(best),
            _ => Some(next),
        });
        match most {
            Some((color, weight)) if 2.0 * weight > total => *color,
            _ => self.mean.map(|c| c.round() as u8),
        }
    }
}

impl Palette {
    /// At most `most` colours (at least 1) for those of the histogram.
    pub(super) fn new(histogram: &Histogram, most: usize) -> Self {
        // In a fixed order, and with roots of the counts: a class of few points must keep its colour beside a large background.
        let mut colors: Vec<(Rgb, f64)> = histogram.0.iter().map(|(&c, &count)| (c, (count as f64).sqrt())).collect();
        colors.sort_by_key(|(color, _)| *color);
        let mut groups = if colors.is_empty() { Vec::new() } else { vec![Group::of(colors)] };
        while groups.len() < most {
            let widest = groups.iter().enumerate().filter(|(_, group)| group.colors.len() > 1);
            let Some((place, _)) = widest.max_by(|a, b| a.1.total_error().total_cmp(&b.1.total_error())) else { break };
            let (low, high) = groups.swap_remove(place).split();
            groups.extend([low, high]);
        }
        let mut colors: Vec<Rgb> = groups.iter().map(Group::representative).collect();
        colors.sort_unstable();
        colors.dedup();
        Self { colors, nearest: HashMap::new() }
    }

    /// The place of the nearest colour in the palette.
    pub(super) fn place(&mut self, color: Rgb) -> u8 {
        let colors = &self.colors;
        *self.nearest.entry(color).or_insert_with(|| {
            let distance =
                |other: &Rgb| -> i32 { (0..3).map(|k| (i32::from(other[k]) - i32::from(color[k])).pow(2)).sum() };
            (0..colors.len()).min_by_key(|&place| distance(&colors[place])).unwrap_or(0) as u8
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_exactly_however_rare_they_are() {
        let mut histogram = Histogram::default();
        histogram.add(std::iter::repeat_n([255, 255, 255], 100_000).chain([
            [200, 30, 40],
            [30, 200, 40],
            [200, 31, 40],
        ]));
        let mut palette = Palette::new(&histogram, 4);
        for color in [[255, 255, 255], [200, 30, 40], [30, 200, 40], [200, 31, 40]] {
            let place = palette.place(color);
            assert_eq!(palette.colors[usize::from(place)], color);
        }
    }

    #[test]
    fn many_colours_become_the_nearest_of_few_and_the_background_stays_exact() {
        let mut histogram = Histogram::default();
        let ramp = (0..=255u8).flat_map(|r| (0..=255u8).step_by(5).map(move |g| [r, g, r / 2 + g / 3]));
        histogram.add(ramp.clone().chain(std::iter::repeat_n([14, 17, 22], 50_000)));
        let mut palette = Palette::new(&histogram, 200);
        assert_eq!(palette.colors.len(), 200);
        assert!(palette.colors.contains(&[14, 17, 22]));
        let mut worst = 0;
        for color in ramp {
            let place = palette.place(color);
            let near = palette.colors[usize::from(place)];
            worst = worst.max((0..3).map(|k| near[k].abs_diff(color[k])).max().unwrap_or(0));
        }
        // 200 colours for a surface of 256 × 256: squares of 18 × 18, and no colour far from the middle of its own.
        assert!(worst <= 24, "{worst}");
    }
}
