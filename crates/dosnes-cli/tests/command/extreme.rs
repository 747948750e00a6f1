//! Broken and extreme inputs: what a user sees, the exit code and the memory. `cargo xtask torture` puts the table into
//! docs/reliability.md.

#![cfg(target_os = "linux")]

use crate::harness::Folder;
use std::fmt::Write as _;
use std::process::Stdio;

/// No case takes more memory than this.
const MOST_MEMORY: u64 = 400_000_000;

/// A name, the name of the file, its contents, further options, the exit code, and a part of what is said.
type Case = (&'static str, &'static str, Vec<u8>, &'static str, i32, &'static str);

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A line, many times.
fn gzip_repeated(line: &[u8], times: usize) -> Vec<u8> {
    use std::io::Write;
    let lines = line.repeat(4096);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    (0..times / 4096).for_each(|_| encoder.write_all(&lines).unwrap());
    encoder.finish().unwrap()
}

/// A NumPy header with an empty body.
fn npy(shape: &str, kind: &str) -> Vec<u8> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes
}

fn edges(edges: impl Iterator<Item = (usize, usize, f64)>) -> Vec<u8> {
    let mut text = String::from("source,target,weight\n");
    for (i, j, weight) in edges {
        let _ = writeln!(text, "n{i},n{j},{weight:e}");
    }
    text.into_bytes()
}

fn text(line: impl Fn(usize) -> String, lines: usize) -> Vec<u8> {
    (0..lines).flat_map(|k| (line(k) + "\n").into_bytes()).collect()
}

fn broken() -> Vec<Case> {
    let short = "1,2\n3,4\n5,6\n".repeat(20).into_bytes();
    vec![
        ("an empty file", "a.csv", Vec::new(), "", 2, "the file is empty"),
        ("only a header", "a.csv", b"x,y\n".to_vec(), "", 2, ""),
        ("a single row", "a.csv", b"1,2,3\n".to_vec(), "", 2, ""),
        ("rows of different lengths", "a.csv", b"1,2\n3,4,5\n6,7\n".to_vec(), "", 2, "cells where the others have"),
        ("a text among numbers", "a.csv", b"1,2\n3,x\n4,5\n6,7\n".to_vec(), "", 2, "line 2"),
        ("a missing value", "a.csv", b"1,2\n3,\n4,5\n6,7\n".to_vec(), "", 2, "--missing"),
        ("a number that is infinite", "a.csv", b"1,2\n3,inf\n4,5\n6,7\n".to_vec(), "", 2, ""),
        ("random bytes", "a.bin", (0..4000_u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 13) as u8).collect(), "", 2, ""),
        ("zeros", "a.csv", vec![0; 100_000], "", 2, ""),
        ("a quote that never ends", "a.csv", b"a,b\n\"1,2\n3,4\n5,6\n".to_vec(), "", 2, ""),
        ("one line of a million cells", "a.csv", text(|_| vec!["1"; 1_000_000].join(","), 1), "", 2, ""),
        ("a gzip file that is cut off", "a.csv.gz", { let z = gzip(&short); z[..z.len() / 2].to_vec() }, "", 2, "gzip"),
        ("gzip of 1 MB that unpacks to 1 GB", "a.csv.gz", gzip_repeated(b"1.5,2.5,3.5,4.5\n", 1 << 26), "--memory-limit 200MB", 1, "the limit, was in use"),
        ("a NumPy header of 10¹² rows", "a.npy", npy("(1000000000000, 100)", "<f8"), "", 2, ""),
        ("a NumPy header whose size overflows", "a.npy", npy("(4294967296, 4294967296)", "<f8"), "", 2, ""),
        ("a NumPy array of Python objects", "a.npy", npy("(10, 2)", "|O"), "", 2, "objects"),
        ("a Matrix Market header of 10¹² entries", "a.mtx", b"%%MatrixMarket matrix coordinate real general\n1000000 1000000 1000000000000\n1 2 3\n".to_vec(), "", 2, ""),
        ("a Matrix Market entry outside of the matrix", "a.mtx", b"%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 3\n7 1 1\n".to_vec(), "", 2, "line 4"),
        ("a Pajek file of 10⁹ vertices", "a.net", b"*Vertices 1000000000\n*Edges\n1 2\n".to_vec(), "", 2, ""),
        ("XML with an entity bomb", "a.graphml", b"<!DOCTYPE x [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><graphml><graph><node id=\"&b;\"/></graph></graphml>".to_vec(), "", 2, ""),
        ("XML that is cut off", "a.graphml", b"<graphml><graph><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=".to_vec(), "", 2, ""),
        ("JSON in 100,000 brackets", "a.json", b"[".repeat(100_000), "", 2, ""),
        ("JSON that is cut off", "a.json", b"[{\"x\": 1, \"y\": 2}, {\"x\": 3".to_vec(), "", 2, ""),
        ("a zip archive that is cut off", "a.zip", b"PK\x03\x04\x14\x00\x00\x00".to_vec(), "", 2, ""),
        ("a PDF file", "a.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n".to_vec(), "", 2, "PDF"),
        ("similarities that are negative", "a.csv", edges([(0, 1, -1.0), (1, 2, 2.0), (2, 0, 1.0)].into_iter()), "--as graph", 2, "negative"),
        ("a graph of loops alone", "a.csv", edges((0..9).map(|i| (i, i, 1.0))), "", 2, "similarity to another item"),
    ]
}

fn extreme() -> Vec<Case> {
    vec![
        ("two points", "a.csv", b"1,2\n3,4\n".to_vec(), "", 2, ""),
        ("all points equal", "a.csv", b"1,2\n".repeat(500), "", 0, "wrote map.csv"),
        (
            "one huge clump and one point far away",
            "a.csv",
            {
                let mut t = text(|k| format!("{},{}", (k % 97) as f64 * 1e-9, (k % 89) as f64 * 1e-9), 1500);
                t.extend(b"1e9,1e9\n");
                t
            },
            "",
            0,
            "wrote map.csv",
        ),
        (
            "coordinates from 1e-300 to 1e300",
            "a.csv",
            text(|k| format!("1e{},{}", (k as i32 * 3) % 600 - 300, k), 300),
            "",
            2,
            "is larger than 1e18; if it means that a value is missing, use --na=1e21",
        ),
        ("a graph of one edge", "a.csv", edges([(0, 1, 1.0)].into_iter()), "", 0, "wrote map.csv"),
        (
            "a star of 20,000 leaves",
            "a.csv",
            edges((1..=20_000).map(|i| (0, i, 1.0))),
            "--iterations 30",
            0,
            "all 20,001 nodes now have exactly the same total similarity",
        ),
        (
            "a path of 3,000 nodes",
            "a.csv",
            edges((0..3000).map(|i| (i, i + 1, 1.0))),
            "--iterations 30",
            0,
            "wrote map.csv",
        ),
        (
            "a thousand components",
            "a.csv",
            edges((0..1000).flat_map(|i| [(3 * i, 3 * i + 1, 1.0), (3 * i + 1, 3 * i + 2, 2.0)])),
            "--iterations 30",
            0,
            "1,000 connected components",
        ),
        (
            "a clique of 300 and 300 pairs",
            "a.csv",
            edges(
                (0..300)
                    .flat_map(|i| (0..i).map(move |j| (i, j, 1.0)))
                    .chain((0..300).map(|i| (1000 + 2 * i, 1001 + 2 * i, 1.0))),
            ),
            "--iterations 30",
            0,
            "301 connected components",
        ),
        (
            "weights from 1e-300 to 1e300",
            "a.csv",
            edges((0..600).map(|i| (i, (i + 1) % 600, 10_f64.powi(i as i32 - 300)))),
            "--iterations 60",
            0,
            "totals differed by a factor of more than 1e308",
        ),
        (
            "weights from 1e-300 to 1e140",
            "a.csv",
            edges((0..440).map(|i| (i, (i + 1) % 440, 10_f64.powi(i as i32 - 300)))),
            "--iterations 60",
            0,
            "totals differed by a factor of more than 1e308",
        ),
        (
            "weights whose sum overflows",
            "a.csv",
            edges((0..60).flat_map(|i| [(i, (i + 1) % 60, 1.7e308), (i, (i + 2) % 60, 1.7e308)])),
            "",
            0,
            "weights are larger than 1e150, so all were divided by 2^526",
        ),
        (
            "weights that are all 5e-324",
            "a.csv",
            edges((0..60).flat_map(|i| [(i, (i + 1) % 60, 5e-324), (i, (i + 2) % 60, 5e-324)])),
            "",
            0,
            "all weights are smaller than 1e-150, so they were multiplied by 2^1074",
        ),
        (
            "names of 100,000 characters",
            "a.csv",
            {
                let long = "x".repeat(100_000);
                text(|k| if k == 0 { "source,target".into() } else { format!("{long}{},{long}{}", k, k % 20 + 1) }, 30)
            },
            "",
            0,
            "wrote map.csv",
        ),
    ]
}

#[test]
fn extreme_and_broken_inputs_end_with_a_sentence_a_code_and_little_memory() {
    let mut table = String::from("| input | what is said | exit code | memory |\n|---|---|--:|--:|\n");
    let cases: Vec<Case> = broken().into_iter().chain(extreme()).collect();
    assert!(cases.len() >= 40);
    let mut problems = Vec::new();
    for (name, file, contents, options, code, part) in cases {
        let folder = Folder::with(file, &contents);
        let (ended, said, memory) = run(&folder, &format!("embed {file} -o map.csv {options}"));
        let sentence = said.lines().rev().find(|line| line.starts_with("error:") || line.contains("total similarit"));
        let sentence = sentence.unwrap_or_default();
        let allowed = MOST_MEMORY.max(8 * contents.len() as u64 + 64_000_000);
        let is_bad = said.contains("panicked") || said.contains("backtrace") || said.contains("NaN");
        if ended != Some(code) || !said.contains(part) || sentence.is_empty() || is_bad || memory > allowed {
            problems.push(format!("{name}: {ended:?} instead of {code}, {memory} bytes: {said}"));
        }
        if code == 0 {
            let map = std::fs::read_to_string(folder.path("map.csv")).unwrap_or_default();
            if map.contains("NaN") || map.contains("inf") || map.lines().count() < 3 {
                problems.push(format!("{name}: not a map"));
            }
        } else if folder.path("map.csv").exists() {
            problems.push(format!("{name}: a map was written"));
        }
        let short: String = sentence.chars().take(160).collect();
        let end = if short.len() < sentence.len() { "…" } else { "" };
        let sentence = format!("{short}{end}").replace('|', "\\|");
        let _ = writeln!(table, "| {name} | {sentence} | {code} | {} MB |", memory / 1_000_000);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    if let Some(path) = std::env::var_os("DOSNES_EXTREME_TABLE") {
        std::fs::write(path, table).unwrap();
    }
}

/// Under `ulimit -v` an allocation fails, instead of the memory being taken from others.
#[test]
fn a_file_that_unpacks_to_more_than_the_address_space_is_stopped_with_a_sentence() {
    let folder = Folder::with("a.csv.gz", gzip_repeated(b"1.5,2.5,3.5,4.5\n", 1 << 26));
    let script = "ulimit -v 500000; exec \"$0\" embed a.csv.gz -o map.csv --threads 2";
    let program = folder.command("").get_program().to_owned();
    let output = std::process::Command::new("sh")
        .args(["-c", script])
        .arg(program)
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the system has no room for more; nothing was written"), "{said}");
    assert_eq!(folder.files(), ["a.csv.gz"]);
}

/// `ulimit -v` in kilobytes. The allocator would take a part of the address space for each thread.
#[cfg(target_os = "linux")]
fn limited(folder: &Folder, kilobytes: usize, line: &str) -> (Option<i32>, String) {
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" {line}");
    let program = folder.command("").get_program().to_owned();
    let mut command = std::process::Command::new("sh");
    let output = command.args(["-c", &script]).arg(program).current_dir(folder.path("")).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn threads_do_not_use_up_a_limited_address_space() {
    let folder = Folder::with("a.csv", text(|i| format!("{},{},{}", i % 97, i % 89, i % 83), 20_000));
    for megabytes in [250, 300, 350, 400] {
        let (code, said) = limited(&folder, 1000 * megabytes, "embed a.csv -o map.csv --threads 16 --iterations 3");
        assert_eq!(code, Some(0), "{megabytes} MB: {said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn where_the_system_allows_few_threads_few_are_used_with_a_note() {
    let folder = Folder::with("a.csv", text(|i| format!("{},{}", i % 97, i % 89), 500));
    // The stacks of 64 threads would need 128 MB.
    for kilobytes in (130_000..180_000).step_by(10_000) {
        let (code, said) = limited(&folder, kilobytes, "embed a.csv -o map.csv --threads 64 --iterations 3");
        assert_eq!(code, Some(0), "{kilobytes}: {said}");
        assert!(said.contains("note: the system allows fewer threads than 64, so "), "{kilobytes}: {said}");
    }
    // Where not even the first thread can start, a sentence says why.
    for kilobytes in (40_000..80_000).step_by(1000) {
        let (code, said) = limited(&folder, kilobytes, "embed a.csv -o map.csv --threads 64 --iterations 3");
        let said = said.trim_end();
        assert!(
            code == Some(0) || code == Some(1) && said.contains("error: ") && !said.contains("panicked"),
            "{kilobytes}: {code:?} {said}"
        );
    }
}

/// The exit code, the messages and the largest memory that was seen from outside.
fn run(folder: &Folder, line: &str) -> (Option<i32>, String, u64) {
    let file = std::fs::File::create(folder.path("said.txt")).unwrap();
    let mut child = folder.command(line).stdout(Stdio::null()).stderr(file).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let peak = std::fs::read_to_string(&status).ok().and_then(|text| {
            let line = text
                .lines()
                .find_map(|line| line.strip_prefix("VmHWM:"))?
                .trim()
                .strip_suffix("kB")?
                .trim()
                .parse::<u64>();
            line.ok().map(|kilobytes| 1024 * kilobytes)
        });
        most = most.max(peak.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    (child.wait().unwrap().code(), folder.read("said.txt"), most)
}
