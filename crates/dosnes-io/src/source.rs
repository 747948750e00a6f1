//! The bytes of the input: from a file or from memory, gzipped or not.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use crate::error::Error;
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
    gzip: bool,
    /// The first bytes of the contents, decompressed.
    head: Vec<u8>,
    /// Whether the head is the complete contents.
    head_is_whole: bool,
    progress: &'a dyn Progress,
    /// Whether coordinates are kept in double precision.
    double: Cell<bool>,
}

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
        Self {
            name,
            bytes,
            size,
            gzip: false,
            head: Vec::new(),
            head_is_whole: false,
            progress,
            double: Cell::new(false),
        }
        .prepared()
    }

    /// Bytes in memory. `name` is used in error messages, and its extension like that of a file.
    pub(crate) fn bytes(name: &str, bytes: &'a [u8], progress: &'a dyn Progress) -> Result<Self, Error> {
        let size = bytes.len() as u64;
        let (name, bytes) = (name.to_owned(), Bytes::Borrowed(bytes));
        Self {
            name,
            bytes,
            size,
            gzip: false,
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
        let gzip = start.starts_with(&[0x1f, 0x8b]);
        let mut head = Vec::new();
        let read = if gzip {
            MultiGzDecoder::new(raw).take(HEAD).read_to_end(&mut head)
        } else {
            raw.take(HEAD).read_to_end(&mut head)
        };
        self.gzip = gzip;
        match read {
            Err(error) if head.is_empty() => return Err(self.read_error(error)),
            // A stream that is truncated later is reported when all of it is read.
            read => self.head_is_whole = read.is_ok() && (head.len() as u64) < HEAD,
        }
        self.head = head;
        Ok(self)
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
        Ok(if self.gzip {
            let contents = Watched::derived(MultiGzDecoder::new(raw), self.progress);
            Box::new(BufReader::with_capacity(1 << 16, contents))
        } else {
            Box::new(raw)
        })
    }

    /// The contents with random access. Gzipped files are decompressed into memory.
    pub(crate) fn open_seekable(&self) -> Result<Box<dyn ReadSeek + '_>, Error> {
        Ok(if self.head_is_whole {
            Box::new(Cursor::new(self.head.as_slice()))
        } else if self.gzip {
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
        if self.gzip && damaged { Error::Gzip { file, error } } else { Error::Read { file, error } }
    }

    /// The file, unless it is in memory or compressed.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.bytes {
            Bytes::File(path) if !self.gzip => Some(path),
            _ => None,
        }
    }

    /// The extension in lower case, without `.gz`.
    pub(crate) fn extension(&self) -> String {
        let name = self.name.to_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        Path::new(name).extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The name of the file without folders and extensions.
    pub(crate) fn stem(&self) -> String {
        let name = Path::new(&self.name).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let name = name.strip_suffix(".gz").unwrap_or(&name).to_owned();
        Path::new(&name).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or(name)
    }
}
