//! What a run needs, and what was estimated.

#![cfg(target_os = "linux")]

use crate::harness::Folder;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The estimate decides whether a run is refused, so it must be near to what the run needs.
#[test]
fn the_estimated_memory_is_near_the_peak() {
    let folder = Folder::new();
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 24)
    };
    let point =
        |number: &mut dyn FnMut() -> f64| (0..10).map(|_| format!("{:.3}", number())).collect::<Vec<_>>().join(",");
    let points: Vec<String> = (0..40_000).map(|_| point(&mut random)).collect();
    folder.write("points.csv", points.join("\n"));
    let edges: Vec<String> = (0..300_000).map(|k| format!("{},{}", k % 60_000, (random() * 60_000.0) as u32)).collect();
    folder.write("graph.csv", format!("source,target\n{}", edges.join("\n")));
    for file in ["points.csv", "graph.csv"] {
        let info: serde_json::Value = serde_json::from_str(&folder.run(&format!("info {file} --json")).stdout).unwrap();
        folder.run(&format!("embed {file} --iterations 20 -o map.npy --report r.json --threads 2")).succeeds();
        let (estimate, peak) =
            (info["memory_bytes"].as_f64().unwrap(), folder.json("r.json")["peak_rss_bytes"].clone());
        let ratio = estimate / peak.as_f64().unwrap();
        assert!((0.8..1.25).contains(&ratio), "{file}: estimate {estimate}, peak {peak}, ratio {ratio:.2}");
    }
}

/// A group of processes with a limit, which ends with the test, and a group in it without one.
struct ControlGroup(PathBuf);

impl ControlGroup {
    /// `None` where the user may make no groups.
    fn with_limit(bytes: u64) -> Option<Self> {
        let name = format!("dosnes-test-{}", std::process::id());
        let roots = [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")];
        roots.into_iter().find_map(|(root, limit)| {
            let group = Self(Path::new(root).join(&name));
            std::fs::create_dir(&group.0).ok()?;
            std::fs::write(group.0.join(limit), bytes.to_string()).ok()?;
            std::fs::create_dir(group.0.join("job")).ok()?;
            Some(group)
        })
    }

    /// Runs `dosnes` in the inner group.
    fn run(&self, folder: &Folder, arguments: &str) -> Option<Output> {
        let list = self.0.join("job/cgroup.procs");
        let program = env!("CARGO_BIN_EXE_dosnes");
        let line = format!("echo $$ > {} && exec {program} {arguments}", list.display());
        let output = Command::new("sh").args(["-c", &line]).current_dir(folder.path("")).output().ok()?;
        (!String::from_utf8_lossy(&output.stderr).contains("cgroup.procs")).then_some(output)
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(self.0.join("job"));
        let _ = std::fs::remove_dir(&self.0);
    }
}

/// A NumPy file of numbers in single precision.
fn array(rows: u64, columns: u64) -> Vec<u8> {
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend((0..rows * columns).flat_map(|k| ((k * 7919 % 100_003) as f32).to_le_bytes()));
    file
}

/// As in a container or a job of a cluster: the limit is that of the group around the own one.
#[test]
fn the_limit_of_a_container_is_seen_and_obeyed() {
    let folder = Folder::new();
    folder.write("points.npy", array(750_000, 2));
    let Some(group) = ControlGroup::with_limit(1_000_000_000) else {
        println!("not tested: no control group can be made here");
        return;
    };
    let Some(output) = group.run(&folder, "embed points.npy -o map.npy") else {
        println!("not tested: no process can be put into a control group here");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("this would need about 1.3 GB of memory, but the memory for it is 9"), "{said}");
    assert_eq!(folder.files(), ["points.npy"]);
    let info = group.run(&folder, "info points.npy").unwrap();
    assert!(String::from_utf8_lossy(&info.stdout).contains("(free: 9"), "{info:?}");
}

/// What a run has read already is not counted twice: it is in the estimate, and no longer free.
#[test]
fn what_a_run_has_already_counts_as_its_own() {
    let folder = Folder::new();
    folder.write("wide.npy", array(2_000, 20_000));
    let Some(group) = ControlGroup::with_limit(300_000_000) else {
        println!("not tested: no control group can be made here");
        return;
    };
    let Some(output) = group.run(&folder, "info wide.npy --json") else {
        println!("not tested: no process can be put into a control group here");
        return;
    };
    let info: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let available = info["memory_available_bytes"].as_u64().unwrap();
    assert!((250_000_000..=300_000_000).contains(&available), "{available}");
}

/// Maps, models and data may be compressed, and unpack to any size.
#[test]
fn every_file_is_held_to_the_limit_while_it_is_unpacked() {
    let folder = Folder::new();
    let zipped = |name: &str, start: &str, part: &str| {
        let file = std::fs::File::create(folder.path(name)).unwrap();
        let mut out = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        let parts = part.repeat(1 << 16);
        out.write_all(start.as_bytes()).unwrap();
        (0..(400_000_000 / parts.len())).for_each(|_| out.write_all(parts.as_bytes()).unwrap());
        out.finish().unwrap();
    };
    zipped("map.csv", "x,y,z\n", "1,2,3\n");
    zipped("model.dosnes", "", "01234567");
    folder.write("data.csv", "1,2\n3,4\n5,6\n");
    for line in ["evaluate map.csv --against data.csv", "transform model.dosnes data.csv -o new.csv"] {
        let outcome = folder.run(&format!("{line} --memory-limit 100MB"));
        outcome.fails_with(1, &["more than 100 MB of memory, the limit, was in use"]);
    }
    assert!(!folder.files().contains(&"new.csv".to_owned()));
}
