//! Runs the program in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that is removed at the end of the test.
pub(crate) struct Folder(PathBuf);

/// The results of a run of the program.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNTER: AtomicUsize = AtomicUsize::new(0);
        let name = format!("dosnes-command-{}-{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A folder with one file in it.
    pub(crate) fn with(name: &str, contents: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.write(name, contents);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), contents).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub(crate) fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The table of contents of a globe page.
    pub(crate) fn page(&self, name: &str) -> serde_json::Value {
        let page = self.read(name);
        let (_, rest) = page.split_once("id=\"header\">").expect("a page has a header");
        serde_json::from_str(rest.split_once("</script>").expect("the header ends").0).unwrap()
    }

    /// Names of all files in it.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.0.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dosnes"));
        command.current_dir(&self.0).args(arguments.split_whitespace()).stdin(Stdio::null());
        command.env_remove("NO_COLOR").env("TERM", "xterm");
        command
    }

    /// Runs `dosnes` with arguments separated by blanks.
    pub(crate) fn run(&self, arguments: &str) -> Outcome {
        let output = self.command(arguments).output().unwrap();
        Outcome {
            code: output.status.code().expect("the program ends by itself"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Outcome {
    /// The run succeeded; returns its messages.
    #[track_caller]
    pub(crate) fn succeeds(&self) -> &str {
        assert_eq!(self.code, 0, "{}", self.stderr);
        &self.stderr
    }

    /// The run ended with this code, and the message contains all of these parts.
    #[track_caller]
    pub(crate) fn fails_with(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "{}", self.stderr);
        assert!(self.stderr.contains("error:"), "{}", self.stderr);
        self.says(parts);
    }

    /// The messages contain all of these parts.
    #[track_caller]
    pub(crate) fn says(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.stderr.contains(part), "“{part}” is not in: {}", self.stderr);
        }
    }
}

/// A file of the bundled data.
pub(crate) fn bundled(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name).display().to_string()
}

/// A ring in which each node is also linked to the one after the next: a small graph with an exact scaling.
pub(crate) fn ring(n: usize) -> String {
    let edges = (0..n).flat_map(|i| [(i, (i + 1) % n, 1), (i, (i + 2) % n, 1 + i % 3)]);
    std::iter::once("source,target,weight\n".to_owned())
        .chain(edges.map(|(a, b, w)| format!("n{a},n{b},{w}\n")))
        .collect()
}
