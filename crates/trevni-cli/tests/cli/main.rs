//! The program, as it is called. With SQL, which builds for minutes, only `sql.rs` is tested: the rest does not depend on it.

#![cfg(not(feature = "sql"))]
#![allow(unreachable_pub, reason = "what modules of a test share is `pub`")]

#[cfg(feature = "parquet")]
mod arrow;
mod ascii;
mod avro;
mod avro_json;
mod bytes;
mod compact;
mod conditions;
mod convert;
mod dialects;
mod diff;
mod dump;
mod failures;
mod folders;
mod golden;
mod help;
mod limits;
mod logical;
mod merging;
mod misleads;
mod mixed;
#[cfg(not(feature = "parquet"))]
mod no_parquet;
#[cfg(not(feature = "stores"))]
mod no_stores;
#[cfg(target_os = "linux")]
mod odd;
mod other_formats;
#[cfg(feature = "parquet")]
mod parquet;
mod partitions;
mod paths;
mod plot;
#[cfg(feature = "protobuf")]
mod protobuf;
mod query;
mod random;
mod recode;
#[cfg(unix)]
mod replacing;
mod report_page;
mod reports;
mod rows;
mod salvage;
mod schema;
mod several;
#[cfg(unix)]
mod shown;
#[cfg(unix)]
mod signals;
mod sizes;
mod sorting;
mod stats;
#[cfg(unix)]
mod streams;
#[cfg(unix)]
mod terminal;
#[cfg(all(unix, feature = "view"))]
mod view;
#[cfg(unix)]
mod wide;

use assert_cmd::Command;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::TempDir;
use trevni::Writer;

/// How the program is started so that signals end it, also where the tests were started with some ignored, as a shell
/// does in the background: a program, and arguments before the others.
#[cfg(unix)]
fn with_signals() -> (PathBuf, Vec<std::ffi::OsString>) {
    let trevni = assert_cmd::cargo::cargo_bin("trevni");
    if cfg!(target_os = "linux") {
        ("env".into(), vec!["--default-signal=INT,TERM,HUP".into(), trevni.into()])
    } else {
        (trevni, Vec::new())
    }
}

/// A folder of one test alone.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes rows in small blocks.
    fn write<T: Serialize>(&self, name: &str, rows: impl IntoIterator<Item = T>) {
        let mut writer =
            Writer::builder().block_size(800).metadata("origin", "test").create(self.path(name)).unwrap();
        writer.write_all(rows).unwrap();
        writer.finish().unwrap();
    }

    /// Flights in a file.
    fn with_flights() -> Self {
        let folder = Self::new();
        folder.write("flights.trv", flights(1000));
        folder
    }

    /// The program in this folder.
    fn trevni(&self, args: &[&str]) -> Command {
        let mut command = Command::cargo_bin("trevni").unwrap();
        command.current_dir(self.0.path()).env("LC_ALL", "C.UTF-8").args(args);
        command
    }

    /// What the program prints in so many KiB of address space, of which threads would reserve 64 MiB each for heaps.
    #[cfg(target_os = "linux")]
    #[track_caller]
    fn prints_within(&self, memory: u64, args: &str) -> String {
        let trevni = assert_cmd::cargo::cargo_bin("trevni");
        let script = format!("ulimit -v {memory}; exec {} {args}", trevni.display());
        let mut shell = Command::new("bash");
        let shell = shell.current_dir(self.0.path()).env("MALLOC_ARENA_MAX", "1").args(["-c", &script]);
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// What the program prints.
    #[track_caller]
    fn prints(&self, args: &[&str]) -> String {
        let output = self.trevni(args).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        let told =
            error.replace("NaN and infinities were printed as strings: JSON has no numbers for them\n", "");
        assert!(output.status.success() && told.is_empty(), "{args:?}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What the program says when it fails.
    #[track_caller]
    fn fails(&self, args: &[&str]) -> String {
        let output = self.trevni(args).output().unwrap();
        assert!(!output.status.success(), "{args:?}");
        String::from_utf8(output.stderr).unwrap()
    }
}

fn flights(count: u64) -> Vec<Value> {
    let carriers = ["AA", "B6", "DL"];
    let flight = |n: u64| {
        json!({
            "flight": n,
            "carrier": carriers[n as usize % 3],
            "dep_delay": if n % 10 == 9 { Value::Null } else { json!(n as f64 / 8.0 - 5.0) },
            "from": {"airport": "JFK", "gate": n % 40},
            "stops": (0..n % 3).map(|stop| format!("S{stop}")).collect::<Vec<_>>(),
        })
    };
    (0..count).map(flight).collect()
}
