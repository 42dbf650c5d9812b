//! What signals do in the middle of a query.

use crate::Folder;
#[cfg(target_os = "linux")]
use std::fs;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Waits until something holds.
#[track_caller]
fn until(mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(120), "it never holds");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Hundredths of a second that a process has computed.
#[cfg(target_os = "linux")]
fn computed(child: &Child) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11].parse().unwrap()
}

#[test]
fn signals_end_a_query_that_prints() {
    let folder = Folder::new();
    let sql = "SELECT value AS n FROM generate_series(1, 100000000000)";
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let mut child = folder
            .sql(&["--format", "csv", "-c", sql])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = child.stdout.take().unwrap();
        let mut buffer = [0; 1000];
        out.read_exact(&mut buffer).unwrap();
        send(&child, signal);
        // What was printed until then is taken.
        let mut rest = vec![0; 1 << 16];
        while matches!(out.read(&mut rest), Ok(1..)) {}
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
    }
}

#[test]
fn a_signal_ends_a_query_that_nobody_reads() {
    let folder = Folder::new();
    let sql = "SELECT value AS n FROM generate_series(1, 100000000000)";
    let mut child = folder.sql(&["--format", "csv", "-c", sql]).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 1];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    send(&child, "INT");
    // The pipe is full, and stays so.
    until(|| child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[cfg(target_os = "linux")]
#[test]
fn a_copy_that_is_interrupted_leaves_nothing() {
    let folder = Folder::new();
    let sql = "COPY (SELECT value AS n, value % 1000003 AS m FROM generate_series(1, 100000000000)) TO 'out/' STORED AS TREVNI";
    let files = || {
        let (mut found, mut folders) = (Vec::new(), vec![folder.path("")]);
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).into_iter().flatten().flatten() {
                if entry.path().is_dir() { folders.push(entry.path()) } else { found.push(entry.path()) }
            }
        }
        found
    };
    let mut child = folder.sql(&["-c", sql]).stderr(Stdio::piped()).spawn().unwrap();
    // It has begun when it has computed for a second.
    until(|| computed(&child) > 100);
    send(&child, "INT");
    let output = {
        until(|| child.try_wait().unwrap().is_some());
        child.wait_with_output().unwrap()
    };
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    assert_eq!(files(), [] as [std::path::PathBuf; 0]);
}
