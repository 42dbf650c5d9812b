//! The machine that measured, and the versions of what was measured.

use serde::Serialize;
use std::fs;
use std::process::Command;

/// Crates whose versions are told.
const CRATES: [&str; 18] = [
    "parquet",
    "arrow-ipc",
    "serde_arrow",
    "apache-avro",
    "bitcode",
    "bincode",
    "postcard",
    "rmp-serde",
    "serde_json",
    "serde",
    "snap",
    "flate2",
    "zlib-rs",
    "zstd",
    "zstd-sys",
    "lz4_flex",
    "pco",
    "fsst-rs",
];

/// A machine, in words.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The processor.
    pub processor: String,
    /// Threads that run at once.
    pub cores: usize,
    /// Memory in GiB.
    pub memory: f64,
    /// The operating system.
    pub system: String,
    /// The compiler.
    pub rustc: String,
    /// Name and version of each crate; some are there twice.
    pub versions: Vec<(String, String)>,
}

impl Machine {
    /// This one.
    pub fn here() -> Self {
        let value = |path: &str, key: &str| {
            let text = fs::read_to_string(path).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("unknown");
            line.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '=' | '"')).to_owned()
        };
        let kilobytes = value("/proc/meminfo", "MemTotal");
        let kilobytes: f64 = kilobytes.trim_end_matches(" kB").parse().unwrap_or(f64::NAN);
        let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let rustc = Command::new("rustc").arg("--version").output();
        let rustc = rustc.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        Self {
            processor: value("/proc/cpuinfo", "model name"),
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            memory: kilobytes / f64::from(1 << 20),
            system: format!("{}, Linux {}", value("/etc/os-release", "PRETTY_NAME"), kernel.trim()),
            rustc: rustc.unwrap_or_else(|_| "rustc unknown".to_owned()),
            versions: versions(include_str!("../../../Cargo.lock")),
        }
    }

    /// As a list.
    pub fn to_markdown(&self) -> String {
        let versions: Vec<String> =
            self.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
        format!(
            "* Machine: {}, {} cores, {:.0} GiB of memory; {}; {}.\n* Versions: {}.\n",
            self.processor,
            self.cores,
            self.memory,
            self.system,
            self.rustc,
            versions.join(", ")
        )
    }
}

/// What a lock file says of the crates.
fn versions(lock: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for name in CRATES {
        let head = format!("name = \"{name}\"\nversion = \"");
        for (at, _) in lock.match_indices(&head) {
            let rest = &lock[at + head.len()..];
            let version = rest.split('"').next().unwrap_or_default();
            found.push((name.to_owned(), version.to_owned()));
        }
    }
    found
}
