//! A turn as an animated GIF.

use std::num::NonZero;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use resvg::tiny_skia::Pixmap;

use super::Turn;
use super::palette::{Histogram, Palette, Rgb};
use crate::Error;

/// From so many frames the palette is made. A turn shows the same colours all the time.
const SAMPLED: usize = 12;
/// Viewers show a frame for at least so many hundredths of a second, and make shorter ones longer.
const SHORTEST: u64 = 2;
/// So many pictures are in memory at a time, at most.
const MOST_THREADS: usize = 16;

impl Turn<'_> {
    /// The turn as the bytes of a GIF file that is played again and again. `seconds` is the time of one turn, at least 0.02 for
    /// each frame. `drawn` is told how many frames are complete.
    ///
    /// All frames have the same 255 colours, so that nothing flickers. A frame contains only what differs from the one before.
    pub fn to_gif(&self, seconds: f64, mut drawn: impl FnMut(usize)) -> Result<Vec<u8>, Error> {
        let count = self.frames();
        let ends = |k: usize| (100.0 * seconds * k as f64 / count as f64).round() as u64;
        // Also for times that are not numbers.
        if !(100.0 * seconds >= (SHORTEST * count as u64) as f64 && seconds <= 600.0) {
            return Err(Error::BadSeconds { seconds, frames: count });
        }
        let mut histogram = Histogram::default();
        let mut size = (1, 1);
        let sampled = SAMPLED.min(count);
        self.draw((0..sampled).map(|k| k * count / sampled), |picture| {
            size = (picture.width() as u16, picture.height() as u16);
            histogram.add(colors(picture));
            Ok(())
        })?;
        let mut palette = Palette::new(&histogram, 255);
        let unchanged = palette.colors.len() as u8;
        let mut encoder = Encoder::new(Vec::new(), size.0, size.1, palette.colors.as_flattened()).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        let mut before: Vec<u8> = Vec::new();
        let mut k = 0;
        self.draw(0..count, |picture| {
            let places: Vec<u8> = colors(picture).map(|color| palette.place(color)).collect();
            let mut frame = changed(&places, &before, size, unchanged);
            frame.delay = (ends(k + 1) - ends(k)) as u16;
            before = places;
            encoder.write_frame(&frame).map_err(failed)?;
            k += 1;
            drawn(k);
            Ok(())
        })?;
        encoder.into_inner().map_err(failed)
    }

    /// Draws these frames, some at a time on as many threads, and hands them over in order.
    fn draw(
        &self,
        frames: impl Iterator<Item = usize>,
        mut take: impl FnMut(&Pixmap) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS);
        let frames: Vec<usize> = frames.collect();
        for some in frames.chunks(threads) {
            let pictures: Vec<Result<Pixmap, Error>> = std::thread::scope(|scope| {
                let draw = |&frame: &usize| scope.spawn(move || self.raster.draw(&self.to_svg(frame)));
                let running: Vec<_> = some.iter().map(draw).collect();
                let stopped = |_| Err(Error::Raster("a thread stopped".to_owned()));
                running.into_iter().map(|thread| thread.join().unwrap_or_else(stopped)).collect()
            });
            for picture in pictures {
                take(&picture?)?;
            }
        }
        Ok(())
    }
}

fn failed(error: gif::EncodingError) -> Error {
    Error::Raster(error.to_string())
}

/// The colours of a picture without transparency.
fn colors(picture: &Pixmap) -> impl Iterator<Item = Rgb> {
    picture.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
}

/// The smallest rectangle with all changes since the frame before; in it, what has not changed is transparent.
fn changed(now: &[u8], before: &[u8], (width, height): (u16, u16), unchanged: u8) -> Frame<'static> {
    let wide = usize::from(width);
    let (mut left, mut right, mut top, mut bottom) = (wide - 1, 0, usize::from(height) - 1, 0);
    let differs = |at: usize| before.get(at) != Some(&now[at]);
    for at in (0..now.len()).filter(|&at| differs(at)) {
        let (x, y) = (at % wide, at / wide);
        (left, right, top, bottom) = (left.min(x), right.max(x), top.min(y), bottom.max(y));
    }
    if left > right {
        // Nothing has changed: one transparent pixel keeps the time.
        (left, right, top, bottom) = (0, 0, 0, 0);
    }
    let rows = (top..=bottom).flat_map(|y| (y * wide + left)..=(y * wide + right));
    Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        dispose: DisposalMethod::Keep,
        transparent: Some(unchanged),
        buffer: rows.map(|at| if differs(at) { now[at] } else { unchanged }).collect(),
        ..Frame::default()
    }
}
