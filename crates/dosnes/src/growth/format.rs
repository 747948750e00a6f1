//! A model as bytes: the contents of a `.dosnes` file.
//!
//! All numbers are little-endian. `DOSNESMD`, the version (u32), the number of bytes that follow without the last eight (u64), the
//! contents, and a checksum of the contents (u64, FNV-1a). Lists begin with their length (u64), texts are UTF-8.

use super::{
    completed::Completed,
    half::{HalfRows, from_f32, to_f32},
    model::{Known, Model},
    network::{Incidence, NetworkModel, WalkWeights},
    points::{PointModel, Projection},
    signs::Signs,
};
use crate::{Named, input::Kind, kernel::Kernel, neighbors::Metric, sparse::CsrMatrix};
use ndarray::Array2;

const MAGIC: &[u8; 8] = b"DOSNESMD";
const VERSION: u32 = 4;
/// The longest walk of a graph.
const MAX_STEPS: u64 = 10;
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
    #[error("this model has version {found} of the format, and this program reads version {known}; use a newer dosnes")]
    Newer {
        /// The version.
        found: u32,
        /// The version that is read.
        known: u32,
    },
    /// An earlier version.
    #[error(
        "this model has version {found} of the format, and this program reads version {known}; make it again from its data"
    )]
    Older {
        /// The version.
        found: u32,
        /// The version that is read.
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
        out.text(self.kind().name());
        match &self.known {
            Known::Points(points) => points.write(&mut out),
            Known::Network(_, network) => network.write(&mut out),
        }
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
        if version < VERSION {
            return Err(FormatError::Older { found: version, known: VERSION });
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
        Self::from_contents(contents)
    }

    /// The contents of a model, without what is around them. For the tests with random bytes.
    #[doc(hidden)]
    pub fn from_contents(contents: &[u8]) -> Result<Self, FormatError> {
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
        let kind = Kind::from_name(&from.text()?).map_err(|_| wrong("its kind of data is unknown"))?;
        let known = match kind {
            Kind::Points => Known::Points(PointModel::parse(from, n)?),
            Kind::Distance => return Err(wrong("its kind of data is unknown")),
            Kind::Graph | Kind::Similarity | Kind::Dyadic => Known::Network(kind, NetworkModel::parse(from, n, kind)?),
        };
        if coordinates.len() != 3 * n || generations.iter().any(|&first| first > n) {
            return Err(wrong("its parts have different lengths"));
        }
        let finite = coordinates.iter().chain([&radius, &z]).all(|v| v.is_finite());
        if !finite || radius <= 0.0 || z <= 0.0 {
            return Err(wrong("a number is out of range"));
        }
        let coordinates = Array2::from_shape_fn((n, 3), |(i, k)| coordinates[3 * i + k]);
        Ok(Self { ids, coordinates, radius, kernel, z, generations, known })
    }
}

impl PointModel {
    fn write(&self, out: &mut Writer) {
        out.u64(self.dimensions as u64);
        out.texts(&self.columns);
        out.text(self.metric.name());
        out.f64(self.perplexity);
        out.u64(self.neighbors as u64);
        out.f64(self.mean_total.unwrap_or(0.0));
        out.u64(self.rows.dimensions as u64);
        for list in [&self.rows.scales, &self.rows.offsets] {
            out.list(list.iter(), |out, v| out.f32(*v));
        }
        out.list(self.rows.values.iter(), |out, v| out.u16(*v));
        for list in [&self.beta, &self.height, &self.reach, &self.log_scale] {
            out.list(list.iter(), |out, v| out.f32(*v));
        }
        let Signs { log_residual, unlikely, outside, scattered } = &self.signs;
        for list in [log_residual, unlikely, outside, scattered] {
            out.halves(list);
        }
        let nothing = Projection { mean: Vec::new(), components: Array2::zeros((0, 0)), shrinkage: Vec::new() };
        let projection = self.projection.as_ref().unwrap_or(&nothing);
        out.list(projection.mean.iter(), |out, v| out.f32(*v));
        out.list(projection.components.iter(), |out, v| out.u16(from_f32(*v)));
        out.list(projection.shrinkage.iter(), |out, v| out.f32(*v));
    }

    fn parse(from: &mut Reader<'_>, n: usize) -> Result<Self, FormatError> {
        let wrong = |what| FormatError::Damaged(what);
        let dimensions = from.size()?;
        let columns = from.texts()?;
        let metric = Metric::from_name(&from.text()?).map_err(|_| wrong("its metric is unknown"))?;
        let (perplexity, neighbors, mean_total) = (from.f64()?, from.size()?, from.f64()?);
        let width = from.size()?;
        let [scales, offsets] = [from.list(4, Reader::f32)?, from.list(4, Reader::f32)?];
        let values = from.list(2, Reader::u16)?;
        let mut lists: [Vec<f32>; 8] = Default::default();
        let (singles, signs) = lists.split_at_mut(4);
        for list in singles {
            *list = from.list(4, Reader::f32)?;
        }
        for list in signs {
            *list = from.halves()?;
        }
        let (mean, components) = (from.list(4, Reader::f32)?, from.list(2, Reader::u16)?);
        let shrinkage = from.list(4, Reader::f32)?;
        let sizes = [
            Some(values.len()) == n.checked_mul(width),
            scales.len() == width && offsets.len() == width && width > 0,
            lists.iter().all(|list| list.len() == n),
            mean.is_empty() || Some(components.len()) == mean.len().checked_mul(width),
            mean.is_empty() || shrinkage.len() == width,
            mean.is_empty() && dimensions == width || mean.len() == dimensions,
            columns.is_empty() || columns.len() == dimensions,
            neighbors > 0,
        ];
        if sizes.contains(&false) {
            return Err(wrong("its parts have different lengths"));
        }
        let singles = lists.iter().flatten().chain(&scales).chain(&offsets).chain(&mean).chain(&shrinkage).copied();
        let halves = values.iter().chain(&components).map(|&half| to_f32(half));
        let finite = singles.chain(halves).all(f32::is_finite) && perplexity.is_finite() && mean_total.is_finite();
        if !finite || perplexity < 1.0 || scales.iter().any(|&scale| scale <= 0.0) {
            return Err(wrong("a number is out of range"));
        }
        let projection = (!mean.is_empty()).then(|| Projection {
            components: Array2::from_shape_fn((mean.len(), width), |(j, c)| to_f32(components[j * width + c])),
            mean,
            shrinkage,
        });
        let [beta, height, reach, log_scale, log_residual, unlikely, outside, scattered] = lists;
        Ok(Self {
            dimensions,
            columns,
            metric,
            perplexity,
            neighbors,
            projection,
            rows: HalfRows { dimensions: width, scales, offsets, values },
            mean_total: (mean_total > 0.0).then_some(mean_total),
            beta,
            height,
            reach,
            log_scale,
            signs: Signs { log_residual, unlikely, outside, scattered },
        })
    }
}

impl NetworkModel {
    fn write(&self, out: &mut Writer) {
        out.f64(self.unit);
        let walk = self.walk.unwrap_or(WalkWeights { discount: -1.0, longer: 0.0, background: 0.0 });
        for value in [walk.discount, walk.longer, walk.background, self.mean_total.unwrap_or(0.0)] {
            out.f64(value);
        }
        out.list(self.log_scale.iter(), |out, v| out.f32(*v));
        out.halves(&self.scattered);
        // No steps: longer walks have the same weight for all items.
        out.u64(self.completed.as_ref().map_or(0, |completed| completed.steps as u64));
        if let Some(completed) = &self.completed {
            out.f64(completed.gravity);
            out.list(completed.direct.iter(), |out, v| out.f32(*v));
            out.list(completed.longer.iter(), |out, v| out.f32(*v));
        }
        match &self.incidence {
            Some(incidence) => {
                out.u64(u64::from(incidence.is_walk));
                out.texts(&incidence.partners);
                out.matrix(&incidence.matrix);
            }
            // S is symmetric: one half is enough.
            None => out.matrix(&self.s.filtered(|i, j, _| j > i)),
        }
    }

    fn parse(from: &mut Reader<'_>, n: usize, kind: Kind) -> Result<Self, FormatError> {
        let wrong = |what| FormatError::Damaged(what);
        let numbers = [from.f64()?, from.f64()?, from.f64()?, from.f64()?, from.f64()?];
        let [unit, discount, longer, background, mean_total] = numbers;
        let (log_scale, scattered) = (from.list(4, Reader::f32)?, from.halves()?);
        let finite = numbers.iter().all(|v| v.is_finite()) && log_scale.iter().chain(&scattered).all(|v| v.is_finite());
        if !finite || unit <= 0.0 {
            return Err(wrong("a number is out of range"));
        }
        let completed = match from.u64()? {
            0 => None,
            steps @ 2..=MAX_STEPS => Some(Completed {
                steps: steps as usize,
                gravity: from.f64()?,
                direct: from.list(4, Reader::f32)?,
                longer: from.list(4, Reader::f32)?,
            }),
            _ => return Err(wrong("a number is out of range")),
        };
        if let Some(Completed { gravity, direct, longer, .. }) = &completed {
            let positive =
                direct.iter().all(|&c| c > 0.0 && c <= 1.0) && longer.iter().all(|&x| x >= 0.0 && x.is_finite());
            if !positive || !(0.0..=1.0).contains(gravity) {
                return Err(wrong("a number is out of range"));
            }
            if direct.len() != n || longer.len() != n {
                return Err(wrong("its parts have different lengths"));
            }
        }
        let (s, incidence) = if kind == Kind::Dyadic {
            let is_walk = from.u64()? != 0;
            let partners = from.texts()?;
            let matrix = from.matrix()?;
            if !partners.is_empty() && partners.len() != matrix.columns() {
                return Err(wrong("its parts have different lengths"));
            }
            let incidence = Incidence { matrix, partners, is_walk };
            let s = incidence.similarities().map_err(|_| wrong("a matrix is out of range"))?;
            (s, Some(incidence))
        } else {
            let half = from.matrix()?;
            if half.iter().any(|(i, j, _)| j <= i) {
                return Err(wrong("a matrix is out of range"));
            }
            let both: Vec<(u32, u32, f64)> =
                half.iter().flat_map(|(i, j, v)| [(i as u32, j as u32, v), (j as u32, i as u32, v)]).collect();
            let s = CsrMatrix::from_triplets(half.shape(), &both).map_err(|_| wrong("a matrix is out of range"))?;
            (s, None)
        };
        if s.rows() != n || s.columns() != n || log_scale.len() != n || scattered.len() != n {
            return Err(wrong("its parts have different lengths"));
        }
        let walk = (discount >= 0.0).then_some(WalkWeights { discount, longer, background });
        let mean_total = (mean_total > 0.0).then_some(mean_total);
        Ok(Self { s, unit, walk, completed, mean_total, log_scale, scattered, incidence })
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

    /// A matrix of values ≥ 0 in single precision: for each row the number of entries, the distances between their columns, and
    /// their values.
    fn matrix(&mut self, matrix: &CsrMatrix<'_>) {
        self.u64(matrix.rows() as u64);
        self.u64(matrix.columns() as u64);
        for row in matrix.iter_rows() {
            self.short(row.len());
            let mut last = 0;
            for (j, value) in row.iter() {
                self.short(j - last);
                self.f32(value as f32);
                last = j;
            }
        }
    }

    /// Numbers that are exact in half precision.
    fn halves(&mut self, values: &[f32]) {
        self.list(values.iter(), |out, v| out.u16(from_f32(*v)));
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

    /// A number that was written by `Writer::short`.
    fn short(&mut self) -> Result<usize, FormatError> {
        let (mut number, mut shift) = (0_usize, 0);
        loop {
            let [byte] = self.array()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
            shift += 7;
            if shift > 28 {
                return Err(FormatError::Damaged("a number is out of range"));
            }
        }
    }

    fn matrix(&mut self) -> Result<CsrMatrix<'static>, FormatError> {
        let (rows, columns) = (self.size()?, self.size()?);
        // A row has at least one byte.
        if rows > self.0.len() || columns > u32::MAX as usize {
            return Err(FormatError::Damaged("a matrix is longer than the file"));
        }
        let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for _ in 0..rows {
            let mut last = 0;
            for _ in 0..self.short()? {
                last += self.short()?;
                indices.push(last as u32);
                values.push(f64::from(self.f32()?));
            }
            starts.push(indices.len());
        }
        let matrix = CsrMatrix::new((rows, columns), starts, indices, values);
        let matrix = matrix.map_err(|_| FormatError::Damaged("a matrix is out of range"))?;
        if matrix.values().iter().any(|&value| value < 0.0) {
            return Err(FormatError::Damaged("a matrix is out of range"));
        }
        Ok(matrix)
    }

    fn text(&mut self) -> Result<String, FormatError> {
        let length = self.short()?;
        let bytes = self.bytes(length)?.to_vec();
        String::from_utf8(bytes).map_err(|_| FormatError::Damaged("a text is not UTF-8"))
    }

    fn halves(&mut self) -> Result<Vec<f32>, FormatError> {
        self.list(2, |from| from.u16().map(to_f32))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of the other half would be added to these, and the sum may need more digits than a model keeps.
    #[test]
    fn one_half_of_the_similarities_of_a_graph_is_read_and_no_other_entries() {
        let s = CsrMatrix::from_triplets((2, 2), &[(0, 1, 0.5), (1, 0, 0.5)]).unwrap();
        let half = s.filtered(|i, j, _| j > i);
        let model = NetworkModel {
            s: s.clone(),
            unit: 1.0,
            walk: None,
            completed: None,
            mean_total: None,
            log_scale: vec![0.0; 2],
            scattered: vec![0.0; 2],
            incidence: None,
        };
        let parsed_with = |matrix: &CsrMatrix<'_>| {
            let (mut whole, mut end) = (Writer(Vec::new()), Writer(Vec::new()));
            model.write(&mut whole);
            end.matrix(&half);
            whole.0.truncate(whole.0.len() - end.0.len());
            whole.matrix(matrix);
            NetworkModel::parse(&mut Reader(&whole.0), 2, Kind::Graph)
        };
        assert_eq!(parsed_with(&half).as_ref(), Ok(&model));
        let diagonal = CsrMatrix::from_triplets((2, 2), &[(0, 0, 0.5), (0, 1, 0.5)]).unwrap();
        for wrong in [&s, &diagonal] {
            assert!(matches!(parsed_with(wrong), Err(FormatError::Damaged(_))));
        }
    }
}
