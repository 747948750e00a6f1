//! How much memory and time a run will take, and how much memory there is.

use crate::{failure::Failure, numbers::bytes};
use anyhow::Result;
use dosnes::{
    AUTO_COMPONENTS, Affinity, Reduction, SimilarityParams, WIDE,
    affinity::DEFAULT_PERPLEXITY,
    input::{Csr, Data, Distances, Points},
    neighbors::Metric,
    normalize::{self, Method},
    optimize, repulsion,
};
use std::path::Path;

/// Bytes of one stored similarity: a 32-bit index and a double.
const ENTRY: u64 = 12;
/// Copies of the similarities that stand beside each other at most: as given, transposed, symmetrised, and P while it is
/// scaled; later P and the optimizer's own.
const COPIES: u64 = 4;
/// Bytes an item that the optimizer keeps: positions, forces and ten pairs of differences, in three coordinates.
const PER_ITEM: u64 = 8 * 3 * 40;
/// The program itself and the system's buffers.
const BASE: u64 = 20_000_000;

/// Pairs of items that one core handles in a second of exact sums. All of these numbers are rough.
const PAIRS_PER_SECOND: f64 = 1.5e8;
/// Similarities that one core handles in a second.
const SIMILARITIES_PER_SECOND: f64 = 2.5e8;
/// Seconds of one core for harmonic sums over n items, which grow as n^1.2, over n^1.2.
const HARMONIC_SECONDS: f64 = 8e-8;
/// Seconds of one core an item, on a grid in the plane.
const FFT_SECONDS: f64 = 5e-7;
/// Seconds of one core an item, over a tree.
const TREE_SECONDS: f64 = 2e-6;
/// Steps that a run usually takes, for few similarities and for many.
const USUAL_STEPS: [f64; 2] = [700.0, 200.0];

/// What a run will take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Estimate {
    /// Entries of the similarity matrix, at most.
    pub(crate) entries: u64,
    /// Bytes at the highest point.
    pub(crate) bytes: u64,
}

/// The estimate for data that were read.
pub(crate) fn estimate(data: &Data, similarity: &SimilarityParams, method: Method) -> Estimate {
    let n = data.len() as u64;
    let (held, entries) = match data {
        Data::Points(points) => {
            let (rows, columns) = points.shape();
            let k = neighbor_count(rows, similarity);
            let reduced = match similarity.reduction {
                Reduction::Components(count) => count as u64,
                Reduction::Auto if columns > WIDE && similarity.metric == Metric::Euclidean => AUTO_COMPONENTS as u64,
                _ => 0,
            };
            let covariance = if reduced > 0 { 8 * (columns as u64).pow(2).min(n * columns as u64) } else { 0 };
            // The search works on a padded copy of what it searches.
            let searched = if reduced > 0 { reduced } else { columns as u64 };
            let held = match points {
                Points::Dense(_) => 4 * n * (columns as u64 + searched) + covariance,
                Points::Sparse(x) => 2 * ENTRY * x.nnz() as u64 + covariance + 4 * n * reduced,
            };
            // Neighbours and their distances; the union of both directions has up to twice as many.
            (held + 8 * n * k, 2 * n * k)
        }
        Data::Distance(Distances::Dense(_)) => {
            let k = neighbor_count(data.len(), similarity);
            (4 * n * n + 8 * n * k, 2 * n * k)
        }
        Data::Distance(Distances::Sparse(x)) => (20 * x.nnz() as u64, 2 * x.nnz() as u64),
        Data::Similarity(x) | Data::Graph(x) => (ENTRY * x.nnz() as u64, symmetric_entries(x)),
        Data::Dyadic(x) => (2 * ENTRY * x.incidence.nnz() as u64, product_entries(&x.incidence)),
    };
    let dense = if method == Method::ZassShashua { 4 * 8 * n * n } else { 0 };
    Estimate { entries, bytes: BASE + held + COPIES * ENTRY * entries + PER_ITEM * n + dense }
}

/// Seconds that embedding `n` items with so many entries of P takes, roughly.
pub(crate) fn embedding_seconds(n: usize, entries: usize, embed: &optimize::Params) -> f64 {
    let items = n as f64;
    let exact = items.powi(2) / PAIRS_PER_SECOND;
    let repulsion = match embed.repulsion.plan(n, embed.space, embed.optimizer) {
        Ok(repulsion::Method::Harmonic) => exact.min(HARMONIC_SECONDS * items.powf(1.2)),
        Ok(repulsion::Method::Fft) => exact.min(FFT_SECONDS * items),
        Ok(repulsion::Method::Tree) => exact.min(TREE_SECONDS * items),
        _ => exact,
    };
    let attraction = entries as f64 / SIMILARITIES_PER_SECOND;
    let steps = if entries < 3_000_000 { USUAL_STEPS[0] } else { USUAL_STEPS[1] };
    steps * (repulsion + attraction) / rayon::current_num_threads() as f64
}

fn neighbor_count(n: usize, params: &SimilarityParams) -> u64 {
    let others = n.saturating_sub(1) as u64;
    let wanted = params.neighbors.unwrap_or(match params.affinity {
        Affinity::Entropic | Affinity::SymmetricEntropic => {
            (3.0 * params.perplexity.unwrap_or(DEFAULT_PERPLEXITY)).ceil() as usize
        }
        Affinity::NeighborGraph => 15,
    });
    others.min(wanted as u64)
}

/// Entries of S + Sᵀ: those whose mirror image is there too are counted once.
fn symmetric_entries(x: &Csr) -> u64 {
    let mirrored = x.iter().filter(|&(_, (i, j))| x.get(j as usize, i as usize).is_some()).count();
    (2 * x.nnz() - mirrored) as u64
}

/// Entries of `BBᵀ`, at most: all pairs within each column.
fn product_entries(b: &Csr) -> u64 {
    let mut in_column = vec![0_u64; b.cols()];
    for &j in b.indices() {
        in_column[j as usize] += 1;
    }
    let pairs: u64 = in_column.iter().map(|&c| c * c).sum();
    pairs.min((b.rows() as u64).pow(2))
}

/// Refuses what will not fit.
pub(crate) fn check(estimate: Estimate, args: &crate::args::MemoryArgs) -> Result<()> {
    let Some(limit) = args.memory_limit.or_else(available) else { return Ok(()) };
    if args.force || estimate.bytes <= limit {
        return Ok(());
    }
    let source = if args.memory_limit.is_some() { "the limit is" } else { "there is" };
    Err(Failure::NotPossible(format!(
        "this would take about {} of memory, and {source} {}; nothing was computed. Take fewer neighbours or items, or go \
         on with --force",
        bytes(estimate.bytes),
        bytes(limit)
    ))
    .into())
}

/// Refuses a file that is larger than the memory before it is read.
pub(crate) fn check_file(path: &Path, args: &crate::args::MemoryArgs) -> Result<()> {
    let Ok(metadata) = std::fs::metadata(path) else { return Ok(()) };
    match args.memory_limit.or_else(available) {
        Some(limit) if metadata.is_file() && metadata.len() > limit && !args.force => {
            Err(Failure::NotPossible(format!(
                "{}: the file alone is {}, and the memory is {}; nothing was read. Go on with --force",
                path.display(),
                bytes(metadata.len()),
                bytes(limit)
            ))
            .into())
        }
        _ => Ok(()),
    }
}

/// Bytes that a dense method may take.
pub(crate) fn dense_limit(args: &crate::args::MemoryArgs) -> u64 {
    if args.force {
        u64::MAX
    } else {
        args.memory_limit.or_else(available).unwrap_or(normalize::Params::default().memory_limit)
    }
}

/// Memory that is free, within the limits of the process's control group; `None` where the system does not say.
pub(crate) fn available() -> Option<u64> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let free = kilobytes(&meminfo, "MemAvailable:")?;
    let number = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let in_group = match (number("/sys/fs/cgroup/memory.max"), number("/sys/fs/cgroup/memory.current")) {
        (Some(limit), Some(used)) => limit.saturating_sub(used),
        _ => u64::MAX,
    };
    Some(free.min(in_group))
}

/// Most memory that the process has had so far.
pub(crate) fn peak() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kb| kb * 1024)
}

/// `500MB`, `8 GB`, `2GiB`, or plain bytes.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let scale = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("\"{unit}\" is not a unit; give a size such as 500MB or 8GB")),
    };
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 => Ok((number * scale) as u64),
        _ => Err("give a size such as 500MB or 8GB".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::input::csr_from_triplets;

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("500MB"), Ok(500_000_000));
        assert_eq!(parse_size("1.5 GB"), Ok(1_500_000_000));
        assert_eq!(parse_size("2KiB"), Ok(2048));
        assert_eq!(parse_size("123"), Ok(123));
        assert!(parse_size("8 parsecs").is_err());
        assert!(parse_size("-1GB").is_err());
    }

    #[test]
    fn the_product_is_bounded_by_the_pairs_in_each_column() {
        let (b, _) = csr_from_triplets((4, 2), &[(0, 0, 1.0), (1, 0, 1.0), (2, 1, 1.0)]);
        assert_eq!(product_entries(&b), 5);
    }

    #[test]
    fn the_system_says_how_much_memory_was_used() {
        if cfg!(target_os = "linux") {
            assert!(peak().unwrap() > 100_000);
            assert!(available().unwrap() > 100_000);
        }
    }
}
