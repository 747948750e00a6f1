//! A full turn of a figure around its axis, frame by frame.

use std::collections::HashMap;

use super::label::{Label, place};
use super::png::{Raster, encode};
use super::sheet::{Sheet, View};
use super::{Figure, Projection, Viewpoint};
use crate::{Error, Space};

/// Latitude from which a globe is seen if no viewpoint is given: from the equator, a turn would look like a slide.
const TILT: f64 = 20.0;
/// In so many frames a label appears or disappears, and a label that is seen in fewer frames than this is left out.
const FADE: usize = 4;
/// With fewer frames than this, there is too little time for labels to appear slowly.
const SLOW: usize = 24;
/// A label that is there already gives way to one of this many times its weight.
const STAYING: f64 = 4.0;

/// A full turn of a [`Figure`] of a sphere or of points in space, in frames of equal steps. The frame after the last is the
/// first one, so that the turn can be shown again and again. Labels keep their places as long as they can.
///
/// Each frame is a figure with the size and colours of the figure; it is drawn when it is asked for.
pub struct Turn<'a> {
    figure: Figure<'a>,
    sheet: Sheet,
    /// For each frame, the centre and the labels of each view.
    frames: Vec<Vec<(Viewpoint, Vec<Label>)>>,
    pub(super) raster: Raster,
}

impl<'a> Figure<'a> {
    /// A full turn around the axis from south to north, in this number of frames (2 to 3600), to the east like the Earth.
    ///
    /// The first frame is seen from the figure's viewpoints, by default one, a little north of the equator.
    pub fn turn(&self, frames: usize) -> Result<Turn<'a>, Error> {
        self.check()?;
        if self.space == Space::Plane {
            return Err(Error::NothingTurns);
        }
        if !(2..=3600).contains(&frames) {
            return Err(Error::BadFrames(frames));
        }
        let round =
            self.space == Space::Volume || matches!(self.projection, Projection::Globe | Projection::Perspective);
        let starts = match self.viewpoints.as_slice() {
            [] => vec![Viewpoint { longitude: 0.0, latitude: if round { TILT } else { 0.0 } }],
            given => given.to_vec(),
        };
        let sheet = self.sheet(starts.len());
        let views: Vec<Vec<(Viewpoint, Vec<Label>)>> = (starts.iter().enumerate())
            .map(|(view, start)| {
                let longitude = |k| start.longitude - 360.0 * k as f64 / frames as f64;
                let middles: Vec<Viewpoint> =
                    (0..frames).map(|k| Viewpoint { longitude: longitude(k), ..*start }).collect();
                let labels = self.labels_of_turn(&sheet, view, &middles);
                middles.into_iter().zip(labels).collect()
            })
            .collect();
        let mut views: Vec<_> = views.into_iter().map(Vec::into_iter).collect();
        let frames = (0..frames).map(|_| views.iter_mut().filter_map(Iterator::next).collect()).collect();
        Ok(Turn { figure: self.clone(), sheet, frames, raster: Raster::new() })
    }

    /// The labels of one view in each frame. They stay where they are in the frame before if there is room.
    fn labels_of_turn(&self, sheet: &Sheet, view: usize, middles: &[Viewpoint]) -> Vec<Vec<Label>> {
        if sheet.texture || self.labels == 0 {
            return vec![Vec::new(); middles.len()];
        }
        let weights = self.relative_weights();
        let panel = sheet.panels[view];
        let wishes: Vec<_> = (middles.iter())
            .map(|&middle| {
                let spots = self.spots(panel, middle, weights.as_deref());
                self.wishes(&spots, weights.as_deref(), sheet.font)
            })
            .collect();
        let mut sides: HashMap<usize, usize> = HashMap::new();
        let mut placed = vec![Vec::new(); middles.len()];
        // The first turn is only to find the labels with which the second one begins.
        for frame in (0..middles.len()).chain(0..middles.len()) {
            let mut wanted = wishes[frame].clone();
            for wish in &mut wanted {
                wish.side = sides.get(&wish.item).copied();
            }
            match &weights {
                Some(weights) => wanted.sort_by(|a, b| {
                    let rank = |item: usize, side: Option<usize>| weights[item] * side.map_or(1.0, |_| STAYING);
                    rank(b.item, b.side).total_cmp(&rank(a.item, a.side))
                }),
                None => wanted.sort_by_key(|wish| wish.side.is_none()),
            }
            placed[frame] = place(wanted.into_iter(), self.labels, panel.bounds());
            sides = placed[frame].iter().map(|label| (label.item, label.side)).collect();
        }
        if middles.len() >= SLOW {
            fade(&mut placed);
        }
        placed
    }
}

/// Lets labels appear and disappear slowly, and leaves out those that would only flash.
fn fade(frames: &mut [Vec<Label>]) {
    let count = frames.len();
    let mut seen: HashMap<(usize, usize), Vec<bool>> = HashMap::new();
    for (frame, labels) in frames.iter().enumerate() {
        for label in labels {
            seen.entry((label.item, label.side)).or_insert_with(|| vec![false; count])[frame] = true;
        }
    }
    for (frame, labels) in frames.iter_mut().enumerate() {
        labels.retain_mut(|label| {
            let there = &seen[&(label.item, label.side)];
            let before = (1..count).take_while(|k| there[(frame + count - k) % count]).count();
            let after = (1..count).take_while(|k| there[(frame + k) % count]).count();
            label.opacity = ((before.min(after) + 1) as f64 / FADE as f64).min(1.0);
            before + after + 1 >= FADE
        });
    }
}

impl Turn<'_> {
    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// A frame as the text of an SVG file. Frames are counted from 0, and the turn goes on after the last one.
    pub fn to_svg(&self, frame: usize) -> String {
        let weights = self.figure.relative_weights();
        let views: Vec<View> = (self.frames[frame % self.frames.len()].iter().zip(&self.sheet.panels))
            .map(|((middle, labels), &panel)| View {
                middle: *middle,
                spots: self.figure.spots(panel, *middle, weights.as_deref()),
                labels: labels.clone(),
            })
            .collect();
        self.figure.write(&self.sheet, &views)
    }

    /// A frame as the bytes of a PNG file.
    pub fn to_png(&self, frame: usize) -> Result<Vec<u8>, Error> {
        encode(&self.raster.draw(&self.to_svg(frame))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(item: usize) -> Label {
        Label { item, text: String::new(), x: 0.0, y: 0.0, width: 1.0, height: 1.0, size: 1.0, side: 0, opacity: 1.0 }
    }

    #[test]
    fn labels_appear_slowly_also_across_the_end_and_never_flash() {
        // Item 0 is always there, item 1 from frame 26 over the end to frame 5, item 2 in two frames only.
        let mut frames: Vec<Vec<Label>> = (0..30)
            .map(|k| [(0, true), (1, !(6..26).contains(&k)), (2, k == 10 || k == 11)])
            .map(|there| there.into_iter().filter(|(_, there)| *there).map(|(item, _)| label(item)).collect())
            .collect();
        fade(&mut frames);
        let opacity = |frame: usize, item| frames[frame].iter().find(|l| l.item == item).map(|l| l.opacity);
        assert!((0..30).all(|k| opacity(k, 0) == Some(1.0)));
        assert_eq!(
            [25, 26, 27, 29, 0, 4, 5, 6].map(|k| opacity(k, 1)),
            [None, Some(0.25), Some(0.5), Some(1.0), Some(1.0), Some(0.5), Some(0.25), None]
        );
        assert_eq!([10, 11].map(|k| opacity(k, 2)), [None, None]);
    }
}
