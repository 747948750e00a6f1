//! The memory that the control groups of the process leave to it. Containers, jobs of a cluster and services of systemd are such
//! groups; they are nested, and the process is held to the limits of all groups around it.

use std::path::{Path, PathBuf};

/// Where the groups of Linux are found.
pub(crate) const ROOT: &str = "/sys/fs/cgroup";

/// Names of files in the folder of a group, and of lines in its file `memory.stat`.
struct Version {
    /// The limits. The first ends processes. Above the second they are slowed down until nothing moves.
    limits: &'static [&'static str],
    used: &'static str,
    /// Copies of files in memory count as used, but they make room when it is needed.
    reclaimable: [&'static str; 2],
}

const FIRST: Version = Version {
    limits: &["memory.limit_in_bytes"],
    used: "memory.usage_in_bytes",
    reclaimable: ["total_inactive_file", "total_active_file"],
};
const SECOND: Version = Version {
    limits: &["memory.max", "memory.high"],
    used: "memory.current",
    reclaimable: ["inactive_file", "active_file"],
};

/// Memory that is left in all groups; `None` if there is no limit. `membership`: the contents of `/proc/self/cgroup`.
pub(crate) fn room(root: &Path, membership: &str) -> Option<u64> {
    folders(root, membership).iter().filter_map(|(folder, version)| version.room(folder)).min()
}

/// The folders of the groups that the process is in, version 1 or 2, and of the groups around them. In a container the path may be
/// that of the machine outside, while the folder of the group is mounted as the root, which is therefore tried too.
fn folders(root: &Path, membership: &str) -> Vec<(PathBuf, &'static Version)> {
    let mut folders = Vec::new();
    for line in membership.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (parts.next(), parts.next()) else { continue };
        let (root, version) = if controllers.is_empty() {
            (root.to_owned(), &SECOND)
        } else if controllers.split(',').any(|controller| controller == "memory") {
            (root.join("memory"), &FIRST)
        } else {
            continue;
        };
        let group = Path::new(group.trim_start_matches('/'));
        folders.extend(group.ancestors().map(|part| (root.join(part), version)));
    }
    folders
}

impl Version {
    fn room(&self, folder: &Path) -> Option<u64> {
        // "max" is no number: there is no limit.
        let number = |name: &str| std::fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
        let limit = self.limits.iter().filter_map(|name| number(name)).min()?;
        let used = number(self.used)?;
        let statistics = std::fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        let reclaimable: u64 = self.reclaimable.iter().filter_map(|name| statistic(&statistics, name)).sum();
        Some(limit.saturating_sub(used.saturating_sub(reclaimable)))
    }
}

fn statistic(statistics: &str, name: &str) -> Option<u64> {
    statistics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A view of groups, as the system shows it.
    struct View(PathBuf);

    impl View {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let root = std::env::temp_dir().join(format!("dosnes-groups-{}-{name}", std::process::id()));
            for (path, contents) in files {
                let path = root.join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, contents).unwrap();
            }
            Self(root)
        }
    }

    impl Drop for View {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_narrowest_of_nested_groups_counts_in_version_two() {
        let view = View::new(
            "second",
            &[
                ("memory.stat", "inactive_file 5\n"),
                ("system.slice/memory.max", "1000000000\n"),
                ("system.slice/memory.current", "400000000\n"),
                ("system.slice/job.scope/memory.max", "max\n"),
                ("system.slice/job.scope/memory.current", "100000000\n"),
                ("user.slice/memory.max", "max\n"),
                ("user.slice/memory.high", "300000000\n"),
                ("user.slice/memory.current", "100000000\n"),
            ],
        );
        assert_eq!(room(&view.0, "0::/system.slice/job.scope\n"), Some(600_000_000));
        assert_eq!(room(&view.0, "0::/user.slice\n"), Some(200_000_000));
        assert_eq!(room(&view.0, "0::/\n"), None);
        assert_eq!(room(&view.0, ""), None);
    }

    #[test]
    fn the_narrowest_of_nested_groups_counts_in_version_one() {
        let view = View::new(
            "first",
            &[
                ("memory/memory.limit_in_bytes", "9223372036854771712\n"),
                ("memory/memory.usage_in_bytes", "7000000000\n"),
                ("memory/slurm/memory.limit_in_bytes", "4000000000\n"),
                ("memory/slurm/memory.usage_in_bytes", "1000000000\n"),
                ("memory/slurm/job_7/memory.limit_in_bytes", "2000000000\n"),
                ("memory/slurm/job_7/memory.usage_in_bytes", "500000000\n"),
            ],
        );
        let membership = "9:name=systemd:/\n4:cpu,cpuacct:/slurm\n5:memory,hugetlb:/slurm/job_7\n0::/\n";
        assert_eq!(room(&view.0, membership), Some(1_500_000_000));
        // A container without a view of its own: the path is that of the machine, the folder is the root.
        let inside = View::new(
            "container",
            &[("memory/memory.limit_in_bytes", "1000000000\n"), ("memory/memory.usage_in_bytes", "1000000\n")],
        );
        assert_eq!(room(&inside.0, "4:memory:/docker/0123abcd\n"), Some(999_000_000));
    }

    /// After a large file was read, its copy in memory fills the group. That is no reason to refuse a run.
    #[test]
    fn copies_of_files_in_memory_make_room() {
        let statistics = "anon 50000000\nfile 940000000\ninactive_file 900000000\nactive_file 40000000\n";
        let second = [("a/memory.max", "1000000000"), ("a/memory.current", "990000000"), ("a/memory.stat", statistics)];
        let view = View::new("files2", &second);
        assert_eq!(room(&view.0, "0::/a\n"), Some(950_000_000));
        // In version 1 the lines without "total_" leave out the groups inside.
        let statistics =
            "cache 1\ninactive_file 1\nactive_file 1\ntotal_inactive_file 600000000\ntotal_active_file 0\n";
        let first = [
            ("memory/memory.limit_in_bytes", "1000000000"),
            ("memory/memory.usage_in_bytes", "700000000"),
            ("memory/memory.stat", statistics),
        ];
        let view = View::new("files1", &first);
        assert_eq!(room(&view.0, "4:memory:/\n"), Some(900_000_000));
    }
}
