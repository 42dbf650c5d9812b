//! `trevni-sql`, as it is called.

mod failures;
mod formats;
mod help;
mod scripts;
#[cfg(unix)]
mod signals;
mod stores;
#[cfg(unix)]
mod terminal;

use serde::Serialize;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// How the program is started so that signals end it, also where the tests were started with some ignored: a program,
/// and arguments before the others.
fn program() -> (PathBuf, Vec<OsString>) {
    let sql = env!("CARGO_BIN_EXE_trevni-sql");
    if cfg!(target_os = "linux") {
        ("env".into(), vec!["--default-signal=INT,TERM,HUP".into(), sql.into()])
    } else {
        (sql.into(), Vec::new())
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
        let mut writer = trevni::Writer::builder().block_size(800).create(self.path(name)).unwrap();
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
    fn sql(&self, args: &[&str]) -> Command {
        let (program, before) = program();
        let mut command = Command::new(program);
        command.args(before).args(args).current_dir(self.0.path()).env("LC_ALL", "C.UTF-8");
        command.env("XDG_STATE_HOME", self.path("state")).stdin(Stdio::null());
        command
    }

    /// What the program did with a script on standard input.
    fn script(&self, args: &[&str], script: &str) -> Output {
        let mut command = self.sql(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    /// What the program prints on standard output; nothing is on standard error.
    #[track_caller]
    fn prints(&self, args: &[&str]) -> String {
        let output = self.sql(args).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && error.is_empty(), "{args:?}: {error}");
        String::from_utf8(output.stdout).unwrap()
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

/// What a process wrote, as texts.
fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}
