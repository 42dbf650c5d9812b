//! Real processes, which end with the test.

use crate::support::Folder;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Environment variables that are added for the processes.
pub(crate) type Environment = Vec<(&'static str, String)>;

/// A process that is killed when it is dropped.
pub(crate) struct Process(Child);

impl Process {
    /// Starts a program; gives it with the first line that it prints.
    fn start(program: &str, args: &[&str], environment: &Environment) -> (Self, String) {
        let mut command = Command::new(program);
        command.args(args).envs(environment.iter().cloned()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let out = child.stdout.take().unwrap();
        let process = Self(child);
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).unwrap();
        (process, line.trim().to_owned())
    }

    /// As `kill -9`.
    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A scheduler and executors of one task each.
pub(crate) struct Cluster {
    pub(crate) scheduler: Process,
    pub(crate) address: String,
    pub(crate) executors: Vec<Process>,
    pub(crate) folder: Folder,
    started: usize,
    environment: Environment,
}

impl Cluster {
    pub(crate) fn start(executors: usize) -> Self {
        Self::with_timeout(executors, 6)
    }

    /// With seconds for which an executor may be silent.
    pub(crate) fn with_timeout(executors: usize, seconds: u64) -> Self {
        Self::with_environment(executors, seconds, Environment::new())
    }

    pub(crate) fn with_environment(executors: usize, seconds: u64, environment: Environment) -> Self {
        let (scheduler, address) = scheduler("127.0.0.1:0", seconds, &environment);
        let mut cluster = Self {
            scheduler,
            address,
            executors: Vec::new(),
            folder: Folder::new(),
            started: 0,
            environment,
        };
        cluster.fill(executors);
        cluster
    }

    /// Starts a scheduler in the place of the one that is dead.
    pub(crate) fn start_scheduler(&mut self, seconds: u64) {
        self.scheduler = scheduler(&self.address, seconds, &self.environment).0;
    }

    /// Starts executors until there are so many.
    pub(crate) fn fill(&mut self, executors: usize) {
        while self.executors.len() < executors {
            self.add();
        }
    }

    /// Starts one more executor; it is known to the scheduler afterwards.
    pub(crate) fn add(&mut self) {
        let work = self.folder.join(&format!("work-{}", self.started));
        self.started += 1;
        let args = ["--scheduler", &self.address, "--port", "0", "--work-port", "0"];
        let own = ["--tasks", "1", "--heartbeat", "1", "--work-folder", &work, "--memory", "1000000000"];
        let args: Vec<&str> = args.into_iter().chain(own).collect();
        // Another process may take a port that was free a moment ago.
        for _ in 0..5 {
            let (executor, line) =
                Process::start(env!("CARGO_BIN_EXE_trevni-executor"), &args, &self.environment);
            if line.starts_with("working") {
                return self.executors.push(executor);
            }
        }
        panic!("no executor starts");
    }
}

/// Starts a scheduler; gives its address, too.
fn scheduler(address: &str, seconds: u64, environment: &Environment) -> (Process, String) {
    let seconds = seconds.to_string();
    let args = ["--listen", address, "--executor-timeout", &seconds];
    let (scheduler, line) = Process::start(env!("CARGO_BIN_EXE_trevni-scheduler"), &args, environment);
    let address = line.strip_prefix("listening on ").expect("a scheduler that listens").to_owned();
    (scheduler, address)
}
