//! Finished maps in a folder, so that a comparison that was stopped goes on where it was.

use crate::comparison::{Made, Method, Recipe};
use anyhow::{Context, Result};
use dosnes::{input::Csr, optimize::Space};
use dosnes_io::{EmbeddingTable, read_embedding, write_embedding};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The folder, and what the maps in it must be of.
pub(crate) struct KeptMaps {
    folder: PathBuf,
    /// Stands for the data, the options and the program.
    fingerprint: String,
}

impl KeptMaps {
    /// The folder beside an output: `compare.html` has `compare.maps`.
    pub(crate) fn beside(output: &Path, recipe: &Recipe<'_>) -> Result<Self> {
        let folder = output.with_extension("maps");
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        Ok(Self { folder, fingerprint: fingerprint(recipe) })
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A file of a map.
    pub(crate) fn file(&self, method: Method, seed: u64, ending: &str) -> PathBuf {
        self.folder.join(format!("{}-{seed}.{ending}", method.key()))
    }

    /// A finished map, if it is of the same data and options, by the same program.
    pub(crate) fn find(&self, method: Method, seed: u64, n: usize) -> Option<Made> {
        let note: Value = serde_json::from_slice(&std::fs::read(self.file(method, seed, "json")).ok()?).ok()?;
        if note.get("fingerprint")?.as_str()? != self.fingerprint {
            return None;
        }
        let coordinates = read_embedding(self.file(method, seed, "csv")).ok()?.coordinates;
        (coordinates.nrows() == n).then(|| Made {
            coordinates,
            seconds: note.get("seconds").and_then(Value::as_f64).unwrap_or(0.0),
            stress: note.get("stress").and_then(Value::as_f64),
            landmarks: note.get("landmarks").and_then(Value::as_u64).map(|count| count as usize),
        })
    }

    /// Keeps a finished map. The note is written last: where it is, the map is whole.
    pub(crate) fn keep(&self, method: Method, seed: u64, made: &Made, recipe: &Recipe<'_>) -> Result<()> {
        let radius = (method.space() == Space::Sphere).then(|| {
            let first = made.coordinates.row(0);
            first.dot(&first).sqrt()
        });
        let table = EmbeddingTable { items: &recipe.subject.items, coordinates: made.coordinates.view(), radius };
        write_embedding(self.file(method, seed, "csv"), &table)?;
        let note = json!({
            "fingerprint": self.fingerprint,
            "method": method.key(),
            "seed": seed,
            "seconds": made.seconds,
            "stress": made.stress,
            "landmarks": made.landmarks,
        });
        let path = self.file(method, seed, "json");
        dosnes_io::atomic_write(&path, |out| writeln!(out, "{note:#}"))?;
        Ok(())
    }
}

/// A number that changes with the similarities, the items and the program.
fn fingerprint(recipe: &Recipe<'_>) -> String {
    let mut hash = Hash::default();
    // Not its version alone: another build of the same version may give other maps.
    let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    hash.add(env!("CARGO_PKG_VERSION").as_bytes());
    hash.add(&program);
    for id in &recipe.subject.items.ids {
        hash.add(id.as_bytes());
    }
    hash.add_matrix(recipe.given.matrix());
    hash.add_matrix(recipe.subject.p.matrix());
    format!("{:016x}", hash.0)
}

/// Fowler, Noll and Vo's hash, 64 bits, variant 1a.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        // The length too, so that pieces cannot be confused.
        for byte in bytes.iter().copied().chain((bytes.len() as u64).to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_matrix(&mut self, matrix: &Csr) {
        for (i, row) in matrix.outer_iterator().enumerate() {
            self.add(&(i as u64).to_le_bytes());
            for (j, value) in row.iter() {
                self.add(&(j as u64).to_le_bytes());
                self.add(&value.to_bits().to_le_bytes());
            }
        }
    }
}
