//! The bytes of the input: from a file or from memory, gzipped or not.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use zip::ZipArchive;

use crate::error::{Error, Place};
use crate::progress::{Progress, Watched};

/// Number of bytes at the start that are kept to detect the format, the separator and the header. A smaller file is opened
/// only once.
const HEAD: u64 = 1 << 22;

/// A file, or bytes under a name. Its head is read when it is opened; [`Source::open`] starts from the beginning.
pub(crate) struct Source<'a> {
    /// The name in error messages: the path as the user wrote it.
    pub(crate) name: String,
    bytes: Bytes<'a>,
    /// Number of bytes before decompression.
    size: u64,
    compression: Option<Compression>,
    /// The name of the only file of an archive, whose contents these are.
    member: Option<String>,
    /// The first bytes of the contents, decompressed.
    head: Vec<u8>,
    /// Whether the head is the complete contents.
    head_is_whole: bool,
    progress: &'a dyn Progress,
    /// Whether coordinates are kept in double precision.
    double: Cell<bool>,
}

/// How a file is compressed, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compression {
    Gzip,
    Bzip2,
    Xz,
    Zstandard,
}

impl Compression {
    fn of(start: &[u8]) -> Option<Self> {
        match start {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..] => Some(Self::Bzip2),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstandard),
            _ => None,
        }
    }

    fn open<'a>(self, raw: impl BufRead + 'a) -> io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(raw)),
            Self::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(raw)),
            Self::Xz => Box::new(lzma_rust2::XzReader::new(raw, true)),
            Self::Zstandard => {
                let damaged = |e| io::Error::new(io::ErrorKind::InvalidData, format!("{e}"));
                Box::new(ruzstd::decoding::StreamingDecoder::new(raw).map_err(damaged)?)
            }
        })
    }
}

/// The endings of compressed files.
const COMPRESSED: [&str; 5] = [".gz", ".bz2", ".xz", ".zst", ".zstd"];

enum Bytes<'a> {
    File(PathBuf),
    Borrowed(&'a [u8]),
    Owned(Vec<u8>),
}

/// Random access, for formats with an index at the end.
pub(crate) trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

impl<'a> Source<'a> {
    /// A file. A pipe is read into memory, because it cannot be opened twice.
    pub(crate) fn file(path: &Path, progress: &'a dyn Progress) -> Result<Self, Error> {
        let name = path.display().to_string();
        let open_error = |error| Error::Open { file: name.clone(), error };
        let metadata = std::fs::metadata(path).map_err(open_error)?;
        if metadata.is_dir() {
            return Err(Error::Folder { file: name });
        }
        let file = File::open(path).map_err(open_error)?;
        let (bytes, size) = if metadata.is_file() {
            (Bytes::File(path.to_owned()), metadata.len())
        } else {
            let mut all = Vec::new();
            let read = Watched::derived(file, progress).read_to_end(&mut all);
            read.map_err(|error| Error::Read { file: name.clone(), error })?;
            let size = all.len() as u64;
            (Bytes::Owned(all), size)
        };
        Self::new(name, bytes, size, progress)
    }

    /// Bytes in memory. `name` is used in error messages, and its extension like that of a file.
    pub(crate) fn bytes(name: &str, bytes: &'a [u8], progress: &'a dyn Progress) -> Result<Self, Error> {
        let size = bytes.len() as u64;
        let (name, bytes) = (name.to_owned(), Bytes::Borrowed(bytes));
        Self::new(name, bytes, size, progress)
    }

    fn new(name: String, bytes: Bytes<'a>, size: u64, progress: &'a dyn Progress) -> Result<Self, Error> {
        Self {
            name,
            bytes,
            size,
            compression: None,
            member: None,
            head: Vec::new(),
            head_is_whole: false,
            progress,
            double: Cell::new(false),
        }
        .prepared()
    }

    fn prepared(mut self) -> Result<Self, Error> {
        let mut raw = BufReader::with_capacity(1 << 16, self.raw()?);
        let start = raw.fill_buf().map_err(|error| Error::Read { file: self.name.clone(), error })?;
        if start.is_empty() {
            return Err(Error::empty(&self.name, "the file is empty"));
        }
        let compression = Compression::of(start);
        let mut head = Vec::new();
        let read = match compression {
            Some(compression) => compression.open(raw).and_then(|input| input.take(HEAD).read_to_end(&mut head)),
            None => raw.take(HEAD).read_to_end(&mut head),
        };
        self.compression = compression;
        match read {
            Err(error) if head.is_empty() => return Err(self.read_error(error)),
            // A stream that is truncated later is reported when all of it is read.
            read => self.head_is_whole = read.is_ok() && (head.len() as u64) < HEAD,
        }
        self.head = head;
        if self.head.starts_with(b"PK\x03\x04")
            && let Some((name, bytes)) = self.only_member()?
        {
            // An archive may contain itself, and unpacking it would never end.
            if self.member.is_some() {
                return Err(Error::unknown_format(&self.name, "a zip archive inside a zip archive; unpack it first"));
            }
            return self.replaced(bytes, Some(name)).prepared();
        }
        if let Some(big_endian) = utf32(&self.head) {
            let bytes = self.read_all()?;
            let number = |&four: &[u8; 4]| if big_endian { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) };
            let units = bytes.as_chunks::<4>().0.iter().map(number);
            let text: String = units.map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
            return self.replaced(text.into_bytes(), None).prepared();
        }
        if let Some(big_endian) = utf16(&self.head) {
            let bytes = self.read_all()?;
            let pairs = bytes.as_chunks().0.iter();
            let units = pairs.map(|&pair| if big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) });
            let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
            return self.replaced(text.into_bytes(), None).prepared();
        }
        Ok(self)
    }

    /// The same source with other contents.
    fn replaced(self, bytes: Vec<u8>, member: Option<String>) -> Self {
        let size = bytes.len() as u64;
        let member = member.or(self.member);
        Self {
            bytes: Bytes::Owned(bytes),
            size,
            compression: None,
            member,
            head: Vec::new(),
            head_is_whole: false,
            ..self
        }
    }

    /// The only file of a zip archive, unless the archive is a format of its own (NumPy, Excel).
    fn only_member(&self) -> Result<Option<(String, Vec<u8>)>, Error> {
        let Ok(mut archive) = ZipArchive::new(self.open_seekable()?) else { return Ok(None) };
        let mut members = Vec::new();
        for index in 0..archive.len() {
            let Ok(entry) = archive.by_index(index) else { return Ok(None) };
            let name = entry.name().map(|name| name.to_string()).unwrap_or_default();
            let is_own_format = Path::new(&name).extension().is_some_and(|e| e == "npy")
                || name.starts_with("xl/")
                || name == "[Content_Types].xml";
            if is_own_format || name == "mimetype" {
                return Ok(None);
            }
            if !name.ends_with('/') && !is_of_system(&name) {
                members.push((index, name, entry.size(), entry.compressed_size()));
            }
        }
        let [(index, name, size, compressed)] = &members[..] else {
            if members.iter().any(|member| member.1.ends_with("/data.pkl")) {
                let how = "a file of PyTorch; save the array there: numpy.save(\"x.npy\", x.detach().cpu().numpy())";
                return Err(Error::unknown_format(&self.name, how));
            }
            let names: Vec<&str> = members.iter().take(5).map(|member| member.1.as_str()).collect();
            let problem = format!(
                "a zip archive of {} files ({}{}); unpack it, and give one of them",
                members.len(),
                names.join(", "),
                if members.len() > 5 { ", …" } else { "" }
            );
            return Err(Error::unknown_format(&self.name, problem));
        };
        let damaged = |e: String| {
            Error::malformed(&self.name, Place::part(name.clone()), format!("the zip archive is damaged ({e})"))
        };
        // Deflate compresses at most 1 : 1032.
        if *size > compressed.saturating_mul(1032).saturating_add(1024) {
            return Err(damaged("it claims an impossible size".into()));
        }
        let entry = archive.by_index(*index).map_err(|e| {
            let problem =
                format!("the file in the zip archive cannot be unpacked ({e}); unpack it yourself, and give that file");
            Error::malformed(&self.name, Place::part(name.clone()), problem)
        })?;
        let mut bytes = Vec::new();
        self.watched(entry).read_to_end(&mut bytes).map_err(|e| damaged(e.to_string()))?;
        Ok(Some((name.clone(), bytes)))
    }

    fn raw(&self) -> Result<Box<dyn ReadSeek + '_>, Error> {
        let file;
        let bytes: &[u8] = match &self.bytes {
            Bytes::File(path) => {
                file = File::open(path).map_err(|error| Error::Open { file: self.name.clone(), error })?;
                return Ok(Box::new(Watched::counted(file, self.progress, self.size)));
            }
            Bytes::Borrowed(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
        };
        Ok(Box::new(Watched::counted(Cursor::new(bytes), self.progress, self.size)))
    }

    /// The contents from the beginning, decompressed.
    pub(crate) fn open(&self) -> Result<Box<dyn BufRead + '_>, Error> {
        if self.head_is_whole {
            return Ok(Box::new(self.head.as_slice()));
        }
        let raw = BufReader::with_capacity(1 << 16, self.raw()?);
        Ok(match self.compression {
            Some(compression) => {
                let contents = compression.open(raw).map_err(|error| self.read_error(error))?;
                Box::new(BufReader::with_capacity(1 << 16, Watched::derived(contents, self.progress)))
            }
            None => Box::new(raw),
        })
    }

    /// The contents with random access. Gzipped files are decompressed into memory.
    pub(crate) fn open_seekable(&self) -> Result<Box<dyn ReadSeek + '_>, Error> {
        Ok(if self.head_is_whole {
            Box::new(Cursor::new(self.head.as_slice()))
        } else if self.compression.is_some() {
            Box::new(Cursor::new(self.read_all()?))
        } else {
            Box::new(BufReader::new(self.raw()?))
        })
    }

    /// All of the contents, decompressed.
    pub(crate) fn read_all(&self) -> Result<Vec<u8>, Error> {
        let mut all = Vec::new();
        self.open()?.read_to_end(&mut all).map_err(|error| self.read_error(error))?;
        Ok(all)
    }

    /// The first bytes of the contents, decompressed: at most `length` of them.
    pub(crate) fn start(&self, length: usize) -> &[u8] {
        self.head.get(..length).unwrap_or(&self.head)
    }

    /// The first lines of a text: all complete lines in the head, or the whole head if it is one line.
    pub(crate) fn first_lines(&self) -> &[u8] {
        let end = if self.head_is_whole { None } else { self.head.iter().rposition(|&b| b == b'\n') };
        end.map_or(&self.head, |end| &self.head[..=end])
    }

    /// Whether coordinates are kept in double precision. They are when single precision would lose too much of them, which is
    /// known only after they were read once.
    pub(crate) fn is_double(&self) -> bool {
        self.double.get()
    }

    /// Asks for coordinates in double precision.
    pub(crate) fn keep_double(&self) {
        self.double.set(true);
    }

    /// Bytes that are derived from those of the file, such as decompressed ones; calls the observer in between.
    pub(crate) fn watched<R: Read>(&self, inner: R) -> Watched<'_, R> {
        Watched::derived(inner, self.progress)
    }

    /// Reports the fraction of the file that is read, for readers that do not use [`Source::open`].
    pub(crate) fn report(&self, fraction: f64) -> Result<(), Error> {
        if self.progress.report(fraction).is_break() { Err(Error::Stopped) } else { Ok(()) }
    }

    /// Number of bytes before decompression.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn read_error(&self, error: io::Error) -> Error {
        if self.progress.is_stopped() {
            return Error::Stopped;
        }
        let file = self.name.clone();
        // Distinguishes a truncated or damaged stream from a failing disk.
        let damaged = matches!(
            error.kind(),
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput
        );
        match self.compression {
            Some(Compression::Gzip) if damaged => Error::Gzip { file, error },
            // The decoders of the others have errors of their own kinds.
            Some(_) if damaged || error.kind() == io::ErrorKind::Other => Error::malformed(
                &file,
                Place::default(),
                format!("the compressed data are truncated or damaged ({error})"),
            ),
            _ => Error::Read { file, error },
        }
    }

    /// The file, unless it is in memory or compressed.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.bytes {
            Bytes::File(path) if self.compression.is_none() => Some(path),
            _ => None,
        }
    }

    /// The observer of the reading, for sources that are made from this one.
    pub(crate) fn progress(&self) -> &'a dyn Progress {
        self.progress
    }

    /// The extension in lower case, without that of a compression.
    pub(crate) fn extension(&self) -> String {
        let name = self.file_name().to_lowercase();
        Path::new(&name).extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The name of the file without folders and extensions.
    pub(crate) fn stem(&self) -> String {
        let name = self.file_name();
        Path::new(&name).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or(name)
    }

    /// The name of the file, or of the only file in an archive, without folders and the ending of a compression.
    fn file_name(&self) -> String {
        let name = self.member.as_deref().unwrap_or(&self.name);
        let name = Path::new(name).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let ending = COMPRESSED.iter().find(|ending| name.to_lowercase().ends_with(**ending));
        name[..name.len() - ending.map_or(0, |ending| ending.len())].to_owned()
    }
}

/// Whether a member of an archive is what a system puts beside the files of its users: `__MACOSX/`, `.DS_Store`, `Thumbs.db`.
fn is_of_system(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    name.starts_with("__MACOSX") || file.starts_with('.') || matches!(file, "Thumbs.db" | "desktop.ini")
}

/// Whether a text is UTF-32, by its mark, and whether the large byte is first.
fn utf32(start: &[u8]) -> Option<bool> {
    match start {
        [0xff, 0xfe, 0, 0, ..] => Some(false),
        [0, 0, 0xfe, 0xff, ..] => Some(true),
        _ => None,
    }
}

/// Whether a text is UTF-16, and big-endian: by its mark, or by every second byte being zero.
fn utf16(start: &[u8]) -> Option<bool> {
    match start {
        [0xff, 0xfe, ..] => return Some(false),
        [0xfe, 0xff, ..] => return Some(true),
        _ => {}
    }
    let pairs = start.get(..start.len().min(4096) / 2 * 2)?.as_chunks::<2>().0;
    if pairs.len() < 8 {
        return None;
    }
    let is_text = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let share =
        |test: &dyn Fn(&[u8; 2]) -> bool| 10 * pairs.iter().filter(|pair| test(pair)).count() >= 9 * pairs.len();
    if share(&|pair| pair[1] == 0 && is_text(pair[0])) {
        Some(false)
    } else if share(&|pair| pair[0] == 0 && is_text(pair[1])) {
        Some(true)
    } else {
        None
    }
}
