//! A model as bytes: the contents of a `.dosnes` file.
//!
//! All numbers are little-endian. `DOSNESMD`, the version (u32), the number of bytes that follow without the last eight (u64), the
//! contents, and a checksum of the contents (u64, FNV-1a). Lists begin with their length (u64), texts are UTF-8.

use super::{
    half::{HalfRows, from_f32, to_f32},
    model::Model,
    points::{PointModel, Projection},
};
use crate::{Named, kernel::Kernel, neighbors::Metric};
use ndarray::Array2;

const MAGIC: &[u8; 8] = b"DOSNESMD";
const VERSION: u32 = 1;
/// Before the contents: magic, version, length.
const HEADER: usize = 20;

/// Why bytes are no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// Something else.
    #[error("this is not a model of dosnes; `dosnes embed DATA --model map.dosnes` makes one")]
    Foreign,
    /// A later version.
    #[error("this model has version {found} of the format, and this program reads up to {known}; use a newer dosnes")]
    Newer {
        /// The version.
        found: u32,
        /// The newest known version.
        known: u32,
    },
    /// The end is missing.
    #[error("the model is truncated: {missing} bytes are missing at its end; copy or make it again")]
    Truncated {
        /// Number of missing bytes.
        missing: u64,
    },
    /// The checksum or the contents are wrong.
    #[error("the model is damaged ({0}); copy or make it again")]
    Damaged(&'static str),
}

impl Model {
    /// The model as bytes, for a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(Vec::new());
        out.text(self.kernel.name());
        out.f64(self.radius);
        out.f64(self.z);
        out.texts(&self.ids);
        out.list(self.coordinates.iter(), |out, v| out.f64(*v));
        out.list(self.generations.iter(), |out, &v| out.u64(v as u64));
        let points = &self.points;
        out.u64(points.dimensions as u64);
        out.texts(&points.columns);
        out.text(points.metric.name());
        out.f64(points.perplexity);
        out.u64(points.neighbors as u64);
        out.f64(points.mean_total.unwrap_or(0.0));
        out.u64(points.rows.dimensions as u64);
        for list in [&points.rows.scales, &points.rows.offsets] {
            out.list(list.iter(), |out, v| out.f32(*v));
        }
        out.list(points.rows.values.iter(), |out, v| out.u16(*v));
        for list in [&points.beta, &points.height, &points.reach, &points.log_scale, &points.misfits] {
            out.list(list.iter(), |out, v| out.f32(*v));
        }
        let nothing = Projection { mean: Vec::new(), components: Array2::zeros((0, 0)) };
        let projection = points.projection.as_ref().unwrap_or(&nothing);
        out.list(projection.mean.iter(), |out, v| out.f32(*v));
        out.list(projection.components.iter(), |out, v| out.u16(from_f32(*v)));
        let contents = out.0;
        let mut bytes = Vec::with_capacity(contents.len() + HEADER + 8);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(contents.len() as u64).to_le_bytes());
        let checksum = checksum(&contents);
        bytes.extend_from_slice(&contents);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Whether bytes begin as a model does.
    pub fn is_model(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// The model that [`to_bytes`](Self::to_bytes) wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        if !Self::is_model(bytes) {
            return Err(FormatError::Foreign);
        }
        let mut header = Reader(&bytes[MAGIC.len()..]);
        let version =
            header.u32().map_err(|_| FormatError::Truncated { missing: (HEADER + 8 - bytes.len()) as u64 })?;
        if version > VERSION {
            return Err(FormatError::Newer { found: version, known: VERSION });
        }
        let length = header.u64().map_err(|_| FormatError::Truncated { missing: (HEADER + 8 - bytes.len()) as u64 })?;
        let expected = length.saturating_add((HEADER + 8) as u64);
        if (bytes.len() as u64) < expected {
            return Err(FormatError::Truncated { missing: expected - bytes.len() as u64 });
        }
        if bytes.len() as u64 > expected {
            return Err(FormatError::Damaged("something follows after its end"));
        }
        let (contents, sum) = bytes[HEADER..].split_at(length as usize);
        if checksum(contents).to_le_bytes() != sum {
            return Err(FormatError::Damaged("its checksum is wrong"));
        }
        let mut reader = Reader(contents);
        let model = Self::parse(&mut reader)?;
        if reader.0.is_empty() { Ok(model) } else { Err(FormatError::Damaged("it has more contents than it should")) }
    }

    fn parse(from: &mut Reader<'_>) -> Result<Self, FormatError> {
        let wrong = |what| FormatError::Damaged(what);
        let kernel = Kernel::from_name(&from.text()?).map_err(|_| wrong("its kernel is unknown"))?;
        let (radius, z) = (from.f64()?, from.f64()?);
        let ids = from.texts()?;
        let n = ids.len();
        let coordinates = from.list(8, Reader::f64)?;
        let generations = from.list(8, Reader::size)?;
        let dimensions = from.size()?;
        let columns = from.texts()?;
        let metric = Metric::from_name(&from.text()?).map_err(|_| wrong("its metric is unknown"))?;
        let (perplexity, neighbors, mean_total) = (from.f64()?, from.size()?, from.f64()?);
        let width = from.size()?;
        let [scales, offsets] = [from.list(4, Reader::f32)?, from.list(4, Reader::f32)?];
        let values = from.list(2, Reader::u16)?;
        let mut lists: [Vec<f32>; 5] = Default::default();
        for list in &mut lists {
            *list = from.list(4, Reader::f32)?;
        }
        let (mean, components) = (from.list(4, Reader::f32)?, from.list(2, Reader::u16)?);
        let sizes = [
            coordinates.len() == 3 * n,
            Some(values.len()) == n.checked_mul(width),
            scales.len() == width && offsets.len() == width && width > 0,
            lists.iter().all(|list| list.len() == n),
            mean.is_empty() || Some(components.len()) == mean.len().checked_mul(width),
            mean.is_empty() && dimensions == width || mean.len() == dimensions,
            columns.is_empty() || columns.len() == dimensions,
            neighbors > 0 && generations.iter().all(|&first| first <= n),
        ];
        if sizes.contains(&false) {
            return Err(wrong("its parts have different lengths"));
        }
        let singles = lists.iter().flatten().chain(&scales).chain(&offsets).chain(&mean);
        let doubles = coordinates.iter().chain([&radius, &z, &perplexity, &mean_total]);
        let halves = values.iter().chain(&components).map(|&half| to_f32(half));
        let finite = singles.copied().chain(halves).all(f32::is_finite) && doubles.copied().all(f64::is_finite);
        if !finite || radius <= 0.0 || z <= 0.0 || perplexity < 1.0 || scales.iter().any(|&s| s <= 0.0) {
            return Err(wrong("a number is out of range"));
        }
        let rows = HalfRows { dimensions: width, scales, offsets, values };
        let projection = (!mean.is_empty()).then(|| Projection {
            components: Array2::from_shape_fn((mean.len(), width), |(j, c)| to_f32(components[j * width + c])),
            mean,
        });
        let [beta, height, reach, log_scale, misfits] = lists;
        let points = PointModel {
            dimensions,
            columns,
            metric,
            perplexity,
            neighbors,
            projection,
            rows,
            mean_total: (mean_total > 0.0).then_some(mean_total),
            beta,
            height,
            reach,
            log_scale,
            misfits,
        };
        let coordinates = Array2::from_shape_fn((n, 3), |(i, k)| coordinates[3 * i + k]);
        Ok(Self { ids, coordinates, radius, kernel, z, generations, points })
    }
}

/// FNV-1a over words of eight bytes: it finds damage, and is quick.
fn checksum(bytes: &[u8]) -> u64 {
    let step = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        step(hash, u64::from_le_bytes(word))
    })
}

struct Writer(Vec<u8>);

impl Writer {
    fn u16(&mut self, v: u16) {
        self.0.extend_from_slice(&v.to_le_bytes());
    }

    fn u64(&mut self, v: u64) {
        self.0.extend_from_slice(&v.to_le_bytes());
    }

    fn f32(&mut self, v: f32) {
        self.0.extend_from_slice(&v.to_le_bytes());
    }

    fn f64(&mut self, v: f64) {
        self.0.extend_from_slice(&v.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.short(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    /// A length in one byte if it is short.
    fn short(&mut self, mut length: usize) {
        while length >= 0x80 {
            self.0.push(length as u8 | 0x80);
            length >>= 7;
        }
        self.0.push(length as u8);
    }

    fn texts(&mut self, texts: &[String]) {
        self.u64(texts.len() as u64);
        for text in texts {
            self.text(text);
        }
    }

    fn list<T>(&mut self, values: impl ExactSizeIterator<Item = T>, write: impl Fn(&mut Self, T)) {
        self.u64(values.len() as u64);
        for value in values {
            write(self, value);
        }
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], FormatError> {
        if count > self.0.len() {
            return Err(FormatError::Damaged("a part is longer than the file"));
        }
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    fn u16(&mut self) -> Result<u16, FormatError> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, FormatError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, FormatError> {
        self.array().map(u64::from_le_bytes)
    }

    fn f32(&mut self) -> Result<f32, FormatError> {
        self.array().map(f32::from_le_bytes)
    }

    fn f64(&mut self) -> Result<f64, FormatError> {
        self.array().map(f64::from_le_bytes)
    }

    fn size(&mut self) -> Result<usize, FormatError> {
        usize::try_from(self.u64()?).map_err(|_| FormatError::Damaged("a number is out of range"))
    }

    fn text(&mut self) -> Result<String, FormatError> {
        let (mut length, mut shift) = (0_usize, 0);
        loop {
            let [byte] = self.array()?;
            length |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
            shift += 7;
            if shift > 28 {
                return Err(FormatError::Damaged("a text is too long"));
            }
        }
        let bytes = self.bytes(length)?.to_vec();
        String::from_utf8(bytes).map_err(|_| FormatError::Damaged("a text is not UTF-8"))
    }

    fn texts(&mut self) -> Result<Vec<String>, FormatError> {
        self.list(1, Self::text)
    }

    /// A list whose elements have at least `size` bytes each.
    fn list<T>(
        &mut self,
        size: usize,
        read: impl Fn(&mut Self) -> Result<T, FormatError>,
    ) -> Result<Vec<T>, FormatError> {
        let length = self.size()?;
        if length.checked_mul(size).is_none_or(|bytes| bytes > self.0.len()) {
            return Err(FormatError::Damaged("a list is longer than the file"));
        }
        (0..length).map(|_| read(self)).collect()
    }
}
