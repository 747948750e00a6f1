//! Checkpoints: a run between two steps, from which it can continue.
//!
//! A file is eight bytes that say what it is, the version of the format (32 bits), the contents in the format of postcard,
//! and a checksum of all before it (CRC-32). Numbers are little-endian. A checkpoint does not hold what can be read again:
//! it refers to the input by its digest.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use dosnes::observe::Observer;
use dosnes::{Affinities, CsrMatrix, OptimizerState, SimilarityFacts};
use flate2::Crc;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::progress::{Observed, Progress, Watched};
use crate::write::atomic_write;

const MAGIC: &[u8; 8] = b"dosnes\x00\x1a";
/// Version of the format. It changes with the types that are stored.
const VERSION: u32 = 2;
/// Bytes before the contents, and after them.
const AROUND: (usize, usize) = (MAGIC.len() + 4, 4);

/// States of a recorded animation: the distance between them, and each as its step and its coordinates.
pub type Recording = (f64, Vec<(usize, Vec<f64>)>);

/// What was computed before a run was interrupted. All parts may be absent.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct Checkpoint {
    /// What the caller says about the run, such as its options.
    pub about: String,
    /// How similarities were computed.
    pub facts: Option<SimilarityFacts>,
    /// The similarities of points or distances to their neighbours, as long as P is not known.
    pub neighbors: Option<CsrMatrix<'static>>,
    /// The matrix P.
    pub affinities: Option<Affinities>,
    /// The state of the optimizer.
    pub state: Option<OptimizerState>,
    /// The recorded states of the map.
    pub recording: Option<Recording>,
}

/// The parts of a [`Checkpoint`], borrowed: they may be most of the memory.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct CheckpointParts<'a> {
    /// See [`Checkpoint::about`].
    pub about: &'a str,
    /// See [`Checkpoint::facts`].
    pub facts: Option<&'a SimilarityFacts>,
    /// See [`Checkpoint::neighbors`].
    pub neighbors: Option<&'a CsrMatrix<'a>>,
    /// See [`Checkpoint::affinities`].
    pub affinities: Option<&'a Affinities>,
    /// See [`Checkpoint::state`].
    pub state: Option<&'a OptimizerState>,
    /// See [`Checkpoint::recording`].
    pub recording: Option<&'a Recording>,
}

/// Writes a checkpoint beside the old one, and then replaces it.
pub fn write_checkpoint(path: impl AsRef<Path>, parts: &CheckpointParts<'_>) -> Result<(), Error> {
    atomic_write(path, |out| {
        let mut out = Summed { inner: out, sum: Crc::new(), problem: None };
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        if let Err(error) = postcard::to_io(parts, &mut out) {
            // Its own error does not say what the system said.
            return Err(out.problem.take().unwrap_or_else(|| io::Error::other(error)));
        }
        let sum = out.sum.sum();
        out.inner.write_all(&sum.to_le_bytes())
    })
}

/// Reads a checkpoint. A file that is something else, damaged, or made by a newer version is refused. The observer is called in
/// between, and may stop it.
pub fn read_checkpoint(path: impl AsRef<Path>, observer: &mut dyn Observer) -> Result<Checkpoint, Error> {
    let path = path.as_ref();
    let file = path.display().to_string();
    let refuse = |problem: String| Err(Error::Checkpoint { file: file.clone(), problem });
    let unread = |error: io::Error| Error::Open { file: file.clone(), error };
    let mut input = File::open(path).map_err(unread)?;
    // What is something else may be of any size, or a device without an end.
    let mut start = Vec::with_capacity(AROUND.0);
    Read::by_ref(&mut input).take(AROUND.0 as u64).read_to_end(&mut start).map_err(unread)?;
    let Some(version) = start.strip_prefix(MAGIC).and_then(|version| version.first_chunk()) else {
        return refuse("this is not a checkpoint of dosnes".into());
    };
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return refuse(format!(
            "this checkpoint has format {version}, but this version of dosnes reads format {VERSION}; continue with the \
             version that wrote it"
        ));
    }
    let mut rest = Vec::new();
    let progress = Observed::begin(observer);
    let read = Watched::derived(input, &progress).read_to_end(&mut rest);
    read.map_err(|error| if progress.is_stopped() { Error::Stopped } else { unread(error) })?;
    let Some((contents, sum)) = rest.split_last_chunk::<{ AROUND.1 }>() else { return refuse(DAMAGED.into()) };
    let mut own = Crc::new();
    own.update(&start);
    own.update(contents);
    if own.sum() != u32::from_le_bytes(*sum) {
        return refuse(DAMAGED.into());
    }
    decode_checkpoint(&file, contents)
}

const DAMAGED: &str = "the checkpoint is damaged, and cannot be used; run the original command again";

/// The contents of a checkpoint, without what is around them. For the tests with random bytes.
#[doc(hidden)]
pub fn decode_checkpoint(file: &str, contents: &[u8]) -> Result<Checkpoint, Error> {
    match postcard::take_from_bytes(contents) {
        Ok((checkpoint, [])) => Ok(checkpoint),
        _ => Err(Error::Checkpoint { file: file.to_owned(), problem: DAMAGED.into() }),
    }
}

/// Sums up what is written.
struct Summed<'a> {
    inner: &'a mut dyn Write,
    sum: Crc,
    /// Why writing failed.
    problem: Option<io::Error>,
}

impl Write for Summed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.inner.write(bytes) {
            Ok(count) => {
                self.sum.update(&bytes[..count]);
                Ok(count)
            }
            Err(error) => {
                let kind = error.kind();
                self.problem = Some(error);
                Err(kind.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Tells whether a file has changed: its length and its CRC-32. Of a folder: of all files in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// Number of bytes.
    pub bytes: u64,
    /// CRC-32 of the bytes.
    pub sum: u32,
}

impl Digest {
    /// The digest of a file or folder.
    pub fn of(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let mut files = vec![path.to_owned()];
        if path.is_dir() {
            let entries = path.read_dir().map_err(|error| Error::Open { file: path.display().to_string(), error })?;
            files = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
            files.sort();
        }
        let (mut sum, mut bytes) = (Crc::new(), 0);
        let mut buffer = vec![0; 1 << 16];
        for file in files {
            let name = || file.display().to_string();
            let mut input = File::open(&file).map_err(|error| Error::Open { file: name(), error })?;
            loop {
                let count = input.read(&mut buffer).map_err(|error| Error::Read { file: name(), error })?;
                if count == 0 {
                    break;
                }
                sum.update(&buffer[..count]);
                bytes += count as u64;
            }
        }
        Ok(Self { bytes, sum: sum.sum() })
    }
}

#[cfg(test)]
mod tests {
    use dosnes::observe::Silent;

    use super::*;

    struct Folder(std::path::PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("dosnes-io-checkpoint-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn affinities() -> Affinities {
        let ring: Vec<_> = (0..6).flat_map(|i| [(i, (i + 1) % 6, 0.5), ((i + 1) % 6, i, 0.5)]).collect();
        Affinities::from_matrix(&CsrMatrix::from_triplets((6, 6), &ring).unwrap()).unwrap()
    }

    #[test]
    fn a_checkpoint_is_read_as_it_was_written() {
        let folder = Folder::new("whole");
        let path = folder.0.join("run.checkpoint");
        let p = affinities();
        let facts = SimilarityFacts { components: Some(50), ..SimilarityFacts::default() };
        let recording = (0.25, vec![(3, vec![1.0, 2.0, 3.0])]);
        let parts = CheckpointParts {
            about: "a run",
            facts: Some(&facts),
            affinities: Some(&p),
            recording: Some(&recording),
            ..CheckpointParts::default()
        };
        write_checkpoint(&path, &parts).unwrap();
        let read = read_checkpoint(&path, &mut Silent).unwrap();
        let expected = Checkpoint {
            about: "a run".into(),
            facts: Some(facts),
            neighbors: None,
            affinities: Some(p),
            state: None,
            recording: Some(recording),
        };
        assert_eq!(read, expected);
    }

    #[test]
    fn every_damaged_byte_and_every_missing_end_is_noticed() {
        let folder = Folder::new("damaged");
        let path = folder.0.join("run.checkpoint");
        let p = affinities();
        write_checkpoint(&path, &CheckpointParts { affinities: Some(&p), ..CheckpointParts::default() }).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            std::fs::write(&path, &bytes).unwrap();
            let problem = read_checkpoint(&path, &mut Silent).unwrap_err().to_string();
            let expected = match at {
                0..8 => "is not a checkpoint of dosnes",
                8..12 => "this version of dosnes reads format 2",
                _ => "is damaged",
            };
            assert!(problem.contains(expected), "byte {at}: {problem}");
            std::fs::write(&path, &whole[..at]).unwrap();
            assert!(read_checkpoint(&path, &mut Silent).is_err(), "{at} bytes");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_checkpoint_is_not_read_to_its_end() {
        let folder = Folder::new("endless");
        let path = folder.0.join("run.checkpoint");
        // Four terabytes of zeros, none of which is stored.
        File::create(&path).unwrap().set_len(1 << 42).unwrap();
        let problem = read_checkpoint(&path, &mut Silent).unwrap_err().to_string();
        assert!(problem.contains("is not a checkpoint of dosnes"), "{problem}");
    }

    /// The checksum protects against accidents, not against intent: what it lets through is checked too.
    #[test]
    fn contents_that_no_run_can_have_are_refused_without_a_panic() {
        let folder = Folder::new("hostile");
        let path = folder.0.join("run.checkpoint");
        let p = affinities();
        write_checkpoint(&path, &CheckpointParts { affinities: Some(&p), ..CheckpointParts::default() }).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut refused = 0;
        for at in AROUND.0..whole.len() - AROUND.1 {
            for value in [0, 1, 0x7f, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] = value;
                let end = bytes.len() - AROUND.1;
                let mut sum = Crc::new();
                sum.update(&bytes[..end]);
                bytes[end..].copy_from_slice(&sum.sum().to_le_bytes());
                std::fs::write(&path, &bytes).unwrap();
                refused += usize::from(read_checkpoint(&path, &mut Silent).is_err());
            }
        }
        assert!(refused > 100, "{refused}");
    }

    #[test]
    fn a_digest_changes_with_the_file() {
        let folder = Folder::new("digest");
        let path = folder.0.join("a.csv");
        std::fs::write(&path, "1,2\n").unwrap();
        let before = Digest::of(&path).unwrap();
        assert_eq!(before, Digest::of(&folder.0).unwrap());
        std::fs::write(&path, "1,3\n").unwrap();
        let after = Digest::of(&path).unwrap();
        assert_eq!((before.bytes, after.bytes), (4, 4));
        assert_ne!(before, after);
    }
}
