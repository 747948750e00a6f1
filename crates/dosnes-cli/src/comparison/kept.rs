//! Finished maps in a folder, so that an interrupted comparison can be continued.

use crate::{args::MemoryArgs, output::make_folder, stages};
use anyhow::Result;
use dosnes::{
    CsrMatrix, Space,
    compare::{Method, MethodMap},
    input::Items,
    quality::Subject,
};
use dosnes_io::{EmbeddingTable, write_embedding};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The folder, and a fingerprint that its maps must have.
pub(crate) struct KeptMaps {
    folder: PathBuf,
    /// Depends on the data, the options and the program.
    fingerprint: String,
}

impl KeptMaps {
    /// The folder next to an output: `compare.maps` for `compare.html`.
    pub(crate) fn beside(output: &Path, items: &Items, subject: &Subject<'_>) -> Result<Self> {
        let folder = output.with_extension("maps");
        make_folder(&folder)?;
        Ok(Self { folder, fingerprint: fingerprint(items, subject) })
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a map with this extension.
    pub(crate) fn file(&self, method: Method, seed: u64, ending: &str) -> PathBuf {
        self.folder.join(format!("{}-{seed}.{ending}", method.name()))
    }

    /// A finished map, if it was made from the same data, with the same options, by the same program.
    pub(crate) fn find(&self, method: Method, seed: u64, n: usize) -> Option<MethodMap> {
        let note: Value = serde_json::from_slice(&std::fs::read(self.file(method, seed, "json")).ok()?).ok()?;
        if note.get("fingerprint")?.as_str()? != self.fingerprint {
            return None;
        }
        let coordinates = stages::read_map(&self.file(method, seed, "csv"), &MemoryArgs::default()).ok()?.coordinates;
        (coordinates.nrows() == n).then(|| MethodMap {
            coordinates,
            stress: note.get("stress").and_then(Value::as_f64),
            landmarks: note.get("landmarks").and_then(Value::as_u64).map(|count| count as usize),
        })
    }

    /// Stores a finished map. The JSON file is written last: if it exists, the map is complete.
    pub(crate) fn keep(&self, method: Method, seed: u64, made: &MethodMap, seconds: f64, items: &Items) -> Result<()> {
        let radius = (method.space() == Space::Sphere).then(|| {
            let first = made.coordinates.row(0);
            first.dot(&first).sqrt()
        });
        let table = EmbeddingTable { items, coordinates: made.coordinates.view(), radius };
        write_embedding(self.file(method, seed, "csv"), &table)?;
        let note = json!({
            "fingerprint": self.fingerprint,
            "method": method.name(),
            "seed": seed,
            "seconds": seconds,
            "stress": made.stress,
            "landmarks": made.landmarks,
        });
        let path = self.file(method, seed, "json");
        dosnes_io::atomic_write(&path, |out| writeln!(out, "{note:#}"))?;
        Ok(())
    }
}

/// A hash of the similarities, the ids and the program.
fn fingerprint(items: &Items, subject: &Subject<'_>) -> String {
    let mut hash = Hash::default();
    // The version is not enough: another build of the same version may give other maps.
    let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    hash.add(env!("CARGO_PKG_VERSION").as_bytes());
    hash.add(&program);
    for id in &items.ids {
        hash.add(id.as_bytes());
    }
    hash.add_matrix(subject.given().matrix());
    hash.add_matrix(subject.affinities().matrix());
    format!("{:016x}", hash.0)
}

/// The FNV-1a hash with 64 bits.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        // The length is hashed too, so that the same bytes, split differently, give another hash.
        for byte in bytes.iter().copied().chain((bytes.len() as u64).to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_matrix(&mut self, matrix: &CsrMatrix<'_>) {
        for (i, row) in matrix.iter_rows().enumerate() {
            self.add(&(i as u64).to_le_bytes());
            for (j, value) in row.iter() {
                self.add(&(j as u64).to_le_bytes());
                self.add(&value.to_bits().to_le_bytes());
            }
        }
    }
}
