//! Small images of the items, from their rows in a table or from a sprite sheet.

use crate::failure::Failure;
use anyhow::Result;
use dosnes::ndarray::ArrayView2;
use dosnes::{
    input::{Data, Items, Points},
    observe::Silent,
};
use dosnes_io::ReadOptions;
use dosnes_view::Sprites;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// Images stand for points, so larger ones make no sense.
const LARGEST: usize = 512;

/// Reads `28x28`.
pub(crate) fn parse_size(text: &str) -> Result<Size, String> {
    let parts: Vec<Option<usize>> = text.split(['x', '×']).map(|part| part.trim().parse().ok()).collect();
    match parts[..] {
        [Some(width), Some(height)] if (1..=LARGEST).contains(&width) && (1..=LARGEST).contains(&height) => {
            Ok(Size { width, height })
        }
        _ => Err(format!("give width and height of the images in pixels, such as 28x28, each at most {LARGEST}")),
    }
}

/// The images of all items, one after the other.
#[derive(Debug)]
pub(crate) struct Images {
    size: Size,
    channels: usize,
    pixels: Vec<u8>,
}

impl Images {
    /// The images of the items: from a sprite sheet or a table in another file if one is given, else from the rows of the
    /// input.
    pub(crate) fn read(
        file: Option<&Path>,
        size: Option<Size>,
        items: &Items,
        data: Option<&Data<'_>>,
        input: &Path,
    ) -> Result<Option<Self>> {
        let Some(size) = size else { return Ok(None) };
        let images = match (file, data) {
            (Some(path), _) if is_png(path) => Self::from_sheet(path, size, items.len())?,
            (Some(path), _) => {
                let loaded = dosnes_io::read(path, &ReadOptions::default(), &mut Silent)?;
                let Data::Points(points) = &loaded.dataset.data else {
                    return refuse(
                        path,
                        &format!(
                            "images must be a table with one row of pixels for each item, or a sprite sheet (.png); this is {}",
                            loaded.detected
                        ),
                    );
                };
                Self::from_points(path, size, points, items.len())?
            }
            (None, Some(Data::Points(points))) => Self::from_points(input, size, points, items.len())?,
            (None, _) => {
                return refuse(input, "this input has no pixels; give a file with the images by --images");
            }
        };
        Ok(Some(images))
    }

    /// From rows of numbers. One number per pixel is ink, from none (the smallest number, or 0) to full (the largest).
    /// Three or four numbers per pixel are red, green, blue and opacity.
    fn from_points(path: &Path, size: Size, points: &Points<'_>, count: usize) -> Result<Self> {
        let dense;
        let table: ArrayView2<'_, f32> = match points {
            Points::Dense(table) => table.view(),
            Points::Dense64(table) | Points::Rounded(table) => {
                dense = table.mapv(|value| value as f32);
                dense.view()
            }
            Points::Sparse(matrix) => {
                dense = matrix.to_dense().mapv(|value| value as f32);
                dense.view()
            }
        };
        if table.nrows() != count {
            return refuse(
                path,
                &format!(
                    "has {} rows, but the map has {count} items; give one row for each item, in the same order",
                    table.nrows()
                ),
            );
        }
        let area = size.width * size.height;
        let channels = table.ncols() / area;
        if channels * area != table.ncols() || !matches!(channels, 1 | 3 | 4) {
            return refuse(
                path,
                &format!(
                    "a row has {} numbers, but an image of {size} pixels needs {area} (or 3 or 4 times as many for colour)",
                    table.ncols()
                ),
            );
        }
        let low = table.iter().copied().fold(0.0, f32::min);
        let high = table.iter().copied().fold(low, f32::max);
        let scale = if high > low { 255.0 / (high - low) } else { 0.0 };
        let pixels = table.iter().map(|value| ((value - low) * scale).round() as u8).collect();
        Ok(Self { size, channels, pixels })
    }

    /// From a sprite sheet: images in rows, in the order of the items, as for the projector of TensorBoard.
    fn from_sheet(path: &Path, size: Size, count: usize) -> Result<Self> {
        let file = File::open(path).map_err(|error| Failure::BadInput(format!("{}: {error}", path.display())))?;
        let mut decoder = png::Decoder::new(BufReader::new(file));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let bad = |error: png::DecodingError| Failure::BadInput(format!("{}: {error}", path.display()));
        let mut reader = decoder.read_info().map_err(bad)?;
        let Some(length) = reader.output_buffer_size() else { return refuse(path, "the image is too large") };
        let mut sheet = vec![0; length];
        let info = reader.next_frame(&mut sheet).map_err(bad)?;
        let (width, height) = (info.width as usize, info.height as usize);
        let (across, down) = (width / size.width, height / size.height);
        if across * down < count || across * size.width != width || down * size.height != height {
            return refuse(
                path,
                &format!(
                    "a sheet of {width}x{height} pixels has room for {across} times {down} images of {size}; it must have room for {count} images without leftover pixels"
                ),
            );
        }
        let samples = info.color_type.samples();
        // A grey sheet contains photographs, not ink, so it becomes RGB.
        let channels = if samples % 2 == 0 { 4 } else { 3 };
        let mut pixels = Vec::with_capacity(count * size.width * size.height * channels);
        for item in 0..count {
            let (left, top) = (item % across * size.width, item / across * size.height);
            for y in top..top + size.height {
                for x in left..left + size.width {
                    let at = y * info.line_size + x * samples;
                    match sheet[at..at + samples] {
                        [grey] => pixels.extend([grey; 3]),
                        [grey, opacity] => pixels.extend([grey, grey, grey, opacity]),
                        ref color => pixels.extend(color),
                    }
                }
            }
        }
        Ok(Self { size, channels, pixels })
    }

    /// The images of some of the items.
    #[must_use]
    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        let each = self.size.width * self.size.height * self.channels;
        let pixels = rows.iter().flat_map(|&i| &self.pixels[i * each..(i + 1) * each]).copied().collect();
        Self { pixels, ..*self }
    }

    /// The images in the form that pages take.
    pub(crate) fn sprites(&self) -> Sprites<'_> {
        let Size { width, height } = self.size;
        Sprites { width, height, channels: self.channels, pixels: &self.pixels }
    }
}

fn is_png(path: &Path) -> bool {
    crate::output::ending(path) == "png"
}

fn refuse<T>(path: &Path, problem: &str) -> Result<T> {
    Err(Failure::BadInput(format!("{}: {problem}", path.display())).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::ndarray::array;

    #[test]
    fn a_size_is_two_numbers() {
        assert_eq!(parse_size("28x20"), Ok(Size { width: 28, height: 20 }));
        for text in ["28", "0x3", "x", "1000x8", "8x8x3", "-1x2"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_largest_number_is_full_ink() {
        let points = Points::from(array![[0.0_f32, 8.0, 16.0, 4.0], [16.0, 0.0, 0.0, 0.0]]);
        let size = Size { width: 2, height: 2 };
        let images = Images::from_points(Path::new("x"), size, &points, 2).unwrap();
        assert_eq!(images.sprites().channels, 1);
        assert_eq!(images.pixels, [0, 128, 255, 64, 255, 0, 0, 0]);
        assert_eq!(images.select(&[1]).pixels, [255, 0, 0, 0]);
    }

    #[test]
    fn rows_that_are_no_images_are_refused() {
        let points = Points::from(array![[0.0_f32, 8.0, 16.0]]);
        let size = Size { width: 2, height: 2 };
        let error = Images::from_points(Path::new("x"), size, &points, 1).unwrap_err().to_string();
        assert!(error.contains("a row has 3 numbers") && error.contains("2x2 pixels needs 4"), "{error}");
    }
}
