//! Several processes for one map, started by `mpirun` or `srun`.
//!
//! With the feature `mpi`, the processes that a launcher has started are the ranks of one run. Without it, or without a launcher,
//! there is one.

#[cfg(feature = "mpi")]
mod world;

use dosnes::ranks::{Alone, Communicator};

/// Variables in which launchers tell a process how many ranks there are.
const LAUNCHERS: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"];

/// Number of ranks that a launcher has started, as far as it says so.
fn launched() -> usize {
    let size = |name: &&str| std::env::var(name).ok()?.parse().ok();
    LAUNCHERS.iter().find_map(size).unwrap_or(1)
}

/// The ranks of this run.
pub(crate) struct Ranks {
    #[cfg(feature = "mpi")]
    world: Option<world::World>,
}

#[cfg(feature = "mpi")]
impl Ranks {
    /// Joins the ranks that a launcher has started, if it has.
    pub(crate) fn join() -> Self {
        // SLURM's PMIx tells the rank only.
        let is_launched = launched() > 1 || std::env::var_os("PMIX_RANK").is_some();
        Self { world: if is_launched { world::World::join() } else { None } }
    }

    /// How they talk.
    pub(crate) fn communicator(&self) -> &dyn Communicator {
        match &self.world {
            Some(world) => world,
            None => &Alone,
        }
    }

    /// Helps the first rank, until it needs no more help or a signal ends the run.
    pub(crate) fn assist(&self) {
        // A signal goes to all ranks. The first one decides whether there is something to write.
        crate::interrupt::hold_result();
        dosnes::optimize::assist(self.communicator(), &mut Helper);
    }
}

#[cfg(not(feature = "mpi"))]
impl Ranks {
    /// There is only this process. If a launcher has started several, each would make the same map and write the same files.
    pub(crate) fn join() -> Self {
        if launched() > 1 {
            // Before the command line is read, nothing says how messages are printed.
            crate::terminal::write(format_args!(
                "error: this dosnes was built without MPI, so that several of them cannot work on one map; install it with: cargo \
                 install dosnes-cli --features mpi\n"
            ));
            std::process::exit(2);
        }
        Self {}
    }

    /// How they talk.
    #[allow(clippy::unused_self, reason = "as with MPI")]
    pub(crate) fn communicator(&self) -> &dyn Communicator {
        &Alone
    }

    /// There is nobody to help.
    #[allow(clippy::unused_self, reason = "as with MPI")]
    pub(crate) fn assist(&self) {}
}

impl Ranks {
    /// Whether this rank runs the command.
    pub(crate) fn is_first(&self) -> bool {
        self.communicator().rank() == 0
    }

    /// The first rank is done.
    pub(crate) fn dismiss(&self) {
        dosnes::optimize::dismiss(self.communicator());
    }
}

/// Watches the steps of a rank that helps.
#[cfg(feature = "mpi")]
struct Helper;

#[cfg(feature = "mpi")]
impl dosnes::observe::Observer for Helper {
    fn step(&mut self, _: &dosnes::observe::Step<'_>) -> std::ops::ControlFlow<()> {
        use std::ops::ControlFlow::{Break, Continue};
        if crate::interrupt::reason().is_some() { Break(()) } else { Continue(()) }
    }
}
