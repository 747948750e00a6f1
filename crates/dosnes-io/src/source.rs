//! Where bytes come from: a file or memory, gzipped or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use crate::error::Error;

/// A file, or bytes under a name, that can be opened more than once.
pub(crate) struct Source<'a> {
    /// The name that errors give: the path as the user wrote it.
    pub(crate) name: String,
    bytes: Bytes<'a>,
    gzip: bool,
}

enum Bytes<'a> {
    File(PathBuf),
    Borrowed(&'a [u8]),
    Owned(Vec<u8>),
}

/// What a format with an index at its end needs.
pub(crate) trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

impl Source<'static> {
    /// A file. A pipe is read into memory, since it cannot be opened twice.
    pub(crate) fn file(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let open_error = |error| Error::open(&name, &error);
        let metadata = std::fs::metadata(path).map_err(open_error)?;
        if metadata.is_dir() {
            return Err(Error::Folder { file: name });
        }
        let mut file = File::open(path).map_err(open_error)?;
        let bytes = if metadata.is_file() {
            Bytes::File(path.to_owned())
        } else {
            let mut all = Vec::new();
            file.read_to_end(&mut all).map_err(|error| Error::read(&name, &error))?;
            Bytes::Owned(all)
        };
        Self { name, bytes, gzip: false }.prepared()
    }
}

impl<'a> Source<'a> {
    /// Bytes in memory; `name` stands in errors and its extension counts as a file's would.
    pub(crate) fn bytes(name: &str, bytes: &'a [u8]) -> Result<Self, Error> {
        Self { name: name.to_owned(), bytes: Bytes::Borrowed(bytes), gzip: false }.prepared()
    }

    fn prepared(mut self) -> Result<Self, Error> {
        let mut start = Vec::new();
        self.raw()?.take(2).read_to_end(&mut start).map_err(|error| Error::read(&self.name, &error))?;
        if start.is_empty() {
            return Err(Error::empty(&self.name, "the file is empty"));
        }
        self.gzip = start == [0x1f, 0x8b];
        Ok(self)
    }

    fn raw(&self) -> Result<Box<dyn ReadSeek + '_>, Error> {
        Ok(match &self.bytes {
            Bytes::File(path) => Box::new(File::open(path).map_err(|error| Error::open(&self.name, &error))?),
            Bytes::Borrowed(bytes) => Box::new(Cursor::new(*bytes)),
            Bytes::Owned(bytes) => Box::new(Cursor::new(bytes.as_slice())),
        })
    }

    /// The contents from the beginning, decompressed.
    pub(crate) fn open(&self) -> Result<Box<dyn BufRead + '_>, Error> {
        let raw = BufReader::with_capacity(1 << 16, self.raw()?);
        Ok(if self.gzip {
            Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(raw)))
        } else {
            Box::new(raw)
        })
    }

    /// The contents with random access. What is gzipped is decompressed into memory.
    pub(crate) fn open_seekable(&self) -> Result<Box<dyn ReadSeek + '_>, Error> {
        if self.gzip { Ok(Box::new(Cursor::new(self.read_all()?))) } else { Ok(Box::new(BufReader::new(self.raw()?))) }
    }

    /// All of the contents, decompressed.
    pub(crate) fn read_all(&self) -> Result<Vec<u8>, Error> {
        let mut all = Vec::new();
        self.open()?.read_to_end(&mut all).map_err(|e| self.read_error(&e))?;
        Ok(all)
    }

    /// The first bytes of the contents, decompressed.
    pub(crate) fn start(&self, length: u64) -> Result<Vec<u8>, Error> {
        let mut start = Vec::new();
        let read = self.open()?.take(length).read_to_end(&mut start);
        match read {
            Err(error) if start.is_empty() => Err(self.read_error(&error)),
            // A stream that breaks off later is reported when it is read in earnest.
            _ => Ok(start),
        }
    }

    pub(crate) fn read_error(&self, error: &io::Error) -> Error {
        if self.gzip { Error::read_gzip(&self.name, error) } else { Error::read(&self.name, error) }
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

    /// The file's name without folders and extensions.
    pub(crate) fn stem(&self) -> String {
        let name = Path::new(&self.name).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let name = name.strip_suffix(".gz").unwrap_or(&name).to_owned();
        Path::new(&name).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or(name)
    }
}
