//! Inert blocks of data inside the page: arrays as byte planes in base64, compressed if that makes them smaller.

use std::collections::HashMap;
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dosnes::input::Values;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;

/// How an array is stored in its block.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Block {
    /// Number of the block.
    id: usize,
    /// Number of entries.
    length: usize,
    /// Bytes per entry. They are stored as planes: all first (lowest) bytes, then all second bytes, …
    bytes: usize,
    /// The type of the entries: `u` unsigned, `i` signed, `f` floating point.
    kind: char,
    /// Whether the block is zlib-compressed.
    packed: bool,
}

/// Concatenated texts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Texts {
    /// Their lengths in UTF-16 code units, as in JavaScript.
    lengths: Block,
    /// All of them in UTF-8.
    text: Block,
}

/// A column of the page.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum ColumnData {
    /// The distinct texts, and for each item the index of its text; without codes, item i has text i.
    Text {
        #[serde(flatten)]
        texts: Texts,
        codes: Option<Block>,
    },
    /// Numbers; NaN is a missing value.
    Number { values: Block },
}

/// The blocks of a page, in the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    html: Vec<u8>,
    count: usize,
}

impl Blocks {
    /// The blocks as markup. Base64 has no `<`, so nothing in it can end the element.
    pub(super) fn into_html(self) -> Vec<u8> {
        self.html
    }

    /// Adds an array of entries of `bytes` bytes each, little-endian.
    fn add(&mut self, data: &[u8], bytes: usize, kind: char) -> Result<Block, std::io::Error> {
        let length = data.len() / bytes;
        let mut planes = Vec::with_capacity(data.len());
        for plane in 0..bytes {
            planes.extend(data.iter().skip(plane).step_by(bytes));
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
        encoder.write_all(&planes)?;
        let packed_planes = encoder.finish()?;
        let packed = packed_planes.len() < planes.len();
        let content = if packed { &packed_planes } else { &planes };
        let id = self.count;
        self.count += 1;
        write!(self.html, "<script type=\"application/octet-stream\" id=\"block-{id}\">")?;
        self.html.extend_from_slice(STANDARD.encode(content).as_bytes());
        self.html.extend_from_slice(b"</script>\n");
        Ok(Block { id, length, bytes, kind, packed })
    }

    /// Adds raw bytes.
    pub(super) fn bytes(&mut self, data: &[u8]) -> Result<Block, std::io::Error> {
        self.add(data, 1, 'u')
    }

    /// Adds integers in as few bytes as the largest one needs.
    pub(super) fn unsigned(&mut self, values: &[u32]) -> Result<Block, std::io::Error> {
        let largest = values.iter().copied().max().unwrap_or(0);
        let bytes = (4 - largest.leading_zeros() as usize / 8).max(1);
        let data: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes().into_iter().take(bytes)).collect();
        self.add(&data, bytes, 'u')
    }

    /// Adds single-precision numbers.
    pub(super) fn singles(&mut self, values: impl Iterator<Item = f32>) -> Result<Block, std::io::Error> {
        let data: Vec<u8> = values.flat_map(f32::to_le_bytes).collect();
        self.add(&data, 4, 'f')
    }

    /// Adds numbers, in single precision if that is exact.
    pub(super) fn numbers(&mut self, values: &[f64]) -> Result<Block, std::io::Error> {
        if values.iter().all(|&v| v.is_nan() || f64::from(v as f32) == v) {
            return self.singles(values.iter().map(|&v| v as f32));
        }
        let data: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.add(&data, 8, 'f')
    }

    /// Adds texts.
    pub(super) fn texts<'t>(&mut self, texts: impl Iterator<Item = &'t str>) -> Result<Texts, std::io::Error> {
        let mut lengths = Vec::new();
        let mut all = String::new();
        for text in texts {
            lengths.push(text.encode_utf16().count() as u32);
            all.push_str(text);
        }
        Ok(Texts { lengths: self.unsigned(&lengths)?, text: self.bytes(all.as_bytes())? })
    }

    /// Adds a column: texts have a dictionary in the order of first use, unless all are different.
    pub(super) fn column(&mut self, values: &Values) -> Result<ColumnData, std::io::Error> {
        let texts = match values {
            Values::Number(values) => return Ok(ColumnData::Number { values: self.numbers(values)? }),
            Values::Text(texts) => texts,
        };
        let mut dictionary: Vec<&str> = Vec::new();
        let mut code_of: HashMap<&str, u32> = HashMap::new();
        let mut codes = Vec::with_capacity(texts.len());
        for text in texts {
            let code = *code_of.entry(text).or_insert_with(|| {
                dictionary.push(text);
                dictionary.len() as u32 - 1
            });
            codes.push(code);
        }
        let codes = if dictionary.len() == texts.len() { None } else { Some(self.unsigned(&codes)?) };
        Ok(ColumnData::Text { texts: self.texts(dictionary.into_iter())?, codes })
    }
}
