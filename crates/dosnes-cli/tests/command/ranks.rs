//! One map by several ranks of MPI. `cargo xtask mpi` runs these tests; they need `mpirun`.

#![cfg(unix)]

#[cfg(not(feature = "mpi"))]
use crate::harness::Folder;

#[cfg(not(feature = "mpi"))]
#[test]
fn a_program_without_mpi_refuses_to_be_one_of_several() {
    let folder = Folder::with("ring.csv", crate::harness::ring(20));
    let output = folder.command("embed ring.csv -o map.csv").env("OMPI_COMM_WORLD_SIZE", "4").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("--features mpi"));
    assert!(!folder.path("map.csv").exists());
    // A launcher with one process is as good as none.
    let alone = folder.command("embed ring.csv -o map.csv").env("OMPI_COMM_WORLD_SIZE", "1").output().unwrap();
    assert!(alone.status.success());
}

#[cfg(feature = "mpi")]
mod with_mpi {
    use crate::harness::{Folder, bundled};
    use std::process::{Child, Command, Output, Stdio};
    use std::time::{Duration, Instant};

    /// A graph with more items than are mapped exactly, whose start is quickly found.
    fn graph(n: usize) -> String {
        let edges = (0..n).flat_map(|i| (1..=4).map(move |k| (i, (i + k * k) % n, 1 + i % 3)));
        std::iter::once("source,target,weight\n".to_owned())
            .chain(edges.map(|(a, b, w)| format!("n{a},n{b},{w}\n")))
            .collect()
    }

    /// Persons and what they like: the kind of data that is called dyadic.
    fn dyadic(n: usize) -> String {
        let pairs = (0..n).flat_map(|i| (0..5).map(move |k| (i, (i * 7 + k * k * 3) % (n / 3))));
        std::iter::once("person,thing,count\n".to_owned()).chain(pairs.map(|(a, b)| format!("p{a},t{b},1\n"))).collect()
    }

    /// `mpirun` with the program.
    fn mpirun(folder: &Folder, ranks: usize, arguments: &str) -> Command {
        let own = folder.command(arguments);
        let mut command = Command::new("mpirun");
        command.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", &ranks.to_string()]);
        command.arg(own.get_program()).args(own.get_args()).args(["--threads", "1"]);
        command.current_dir(folder.path("")).stdin(Stdio::null());
        command
    }

    fn output(mut command: Command) -> Output {
        command.output().expect("mpirun is installed; see `cargo xtask mpi`")
    }

    #[track_caller]
    fn succeeds(command: Command) -> String {
        let output = output(command);
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{messages}");
        messages
    }

    #[test]
    fn the_same_bytes_as_one_process_for_points_a_graph_and_dyadic_data() {
        let folder = Folder::with("graph.csv", graph(2500));
        folder.write("dyadic.csv", dyadic(1800));
        let digits = bundled("digits.csv.gz");
        for input in [digits.as_str(), "graph.csv", "dyadic.csv --as dyadic"] {
            folder.run(&format!("embed {input} -o alone.csv --iterations 15")).succeeds();
            for ranks in 1..=4 {
                let messages = succeeds(mpirun(&folder, ranks, &format!("embed {input} -o map.csv --iterations 15")));
                assert_eq!(folder.read("map.csv"), folder.read("alone.csv"), "{input}, {ranks} ranks");
                // One rank speaks for all.
                assert_eq!(messages.matches("wrote map.csv").count(), 1, "{messages}");
            }
        }
    }

    #[test]
    fn a_mistake_is_said_once_and_ends_all_ranks() {
        let folder = Folder::new();
        for line in ["embed missing.csv", "embed", "embed missing.csv --perplexity no"] {
            let output = output(mpirun(&folder, 3, line));
            assert_eq!(output.status.code(), Some(2), "{line}");
            let messages = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(messages.matches("error:").count(), 1, "{messages}");
        }
    }

    /// Starts a long run with checkpoints, and waits for one that has steps.
    fn started(folder: &Folder, ranks: usize) -> Child {
        let line = "embed graph.csv -o map.csv --iterations 400 --checkpoint run.checkpoint --every 0s";
        let mut command = mpirun(folder, ranks, line);
        let child = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let begin = Instant::now();
        let size = |folder: &Folder| std::fs::metadata(folder.path("run.checkpoint")).map_or(0, |file| file.len());
        // The first checkpoint has the similarities only; those of the optimizer are larger.
        let mut first = 0;
        while first == 0 || size(folder) <= first {
            assert!(begin.elapsed() < Duration::from_secs(300), "no checkpoint was written");
            std::thread::sleep(Duration::from_millis(20));
            if first == 0 {
                first = size(folder);
            }
        }
        child
    }

    /// The processes that a launcher has started.
    fn ranks_of(launcher: &Child) -> Vec<String> {
        let children = Command::new("pgrep").args(["-P", &launcher.id().to_string()]).output().unwrap();
        String::from_utf8(children.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    /// Waits until a process has ended: the launcher does not wait for the ranks that it kills.
    fn wait_for_the_end_of(process: &str) {
        let status = std::path::Path::new("/proc").join(process).join("status");
        let begin = Instant::now();
        // One that has ended may be listed until somebody asks how it ended: a zombie.
        while std::fs::read_to_string(&status).is_ok_and(|text| !text.contains("State:\tZ")) {
            assert!(begin.elapsed() < Duration::from_secs(10), "rank {process} still runs");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn one_lost_rank_ends_all_and_the_checkpoint_goes_on_with_another_number_of_ranks() {
        let folder = Folder::with("graph.csv", graph(2500));
        folder.run("embed graph.csv -o alone.csv --iterations 400").succeeds();
        for (lost, ranks, again) in [(1, 3, 2), (0, 2, 3)] {
            let child = started(&folder, ranks);
            let all = ranks_of(&child);
            assert_eq!(all.len(), ranks, "{all:?}");
            assert!(Command::new("kill").args(["-KILL", &all[lost]]).status().unwrap().success());
            let ended = child.wait_with_output().unwrap();
            assert!(!ended.status.success());
            let messages = String::from_utf8_lossy(&[ended.stdout, ended.stderr].concat()).into_owned();
            assert!(messages.contains("signal 9"), "{messages}");
            for process in &all {
                wait_for_the_end_of(process);
            }
            assert!(!folder.path("map.csv").exists());
            succeeds(mpirun(&folder, again, "resume run.checkpoint"));
            assert_eq!(folder.read("map.csv"), folder.read("alone.csv"));
            std::fs::remove_file(folder.path("map.csv")).unwrap();
        }
    }

    #[test]
    fn a_signal_to_any_rank_writes_the_map_and_the_run_can_go_on() {
        let folder = Folder::with("graph.csv", graph(2500));
        folder.run("embed graph.csv -o alone.csv --iterations 400").succeeds();
        for stopped in [0, 1] {
            let child = started(&folder, 2);
            let all = ranks_of(&child);
            assert!(Command::new("kill").args(["-TERM", &all[stopped]]).status().unwrap().success());
            let ended = child.wait_with_output().unwrap();
            let messages = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert!(messages.contains("this map is not finished") && messages.contains("to continue:"), "{messages}");
            assert_ne!(folder.read("map.csv"), folder.read("alone.csv"));
            succeeds(mpirun(&folder, 2, "resume run.checkpoint"));
            assert_eq!(folder.read("map.csv"), folder.read("alone.csv"));
            std::fs::remove_file(folder.path("map.csv")).unwrap();
        }
    }
}
