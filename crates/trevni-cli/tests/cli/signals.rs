//! What signals and kills leave: nothing half done, nothing in the way of the next run.

use super::Folder;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The number of the signal that asks a program to end.
const TERM: u32 = 15;

/// The program in a folder, started. Its standard input is open and has nothing yet.
fn start(folder: &Folder, args: &[&str]) -> Child {
    let (program, before) = super::with_signals();
    Command::new(program)
        .args(before)
        .args(args)
        .current_dir(folder.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Waits until a program has begun to mind signals, where that can be seen.
fn until_it_minds_signals(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    let minds = |status: String| {
        let bits = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        bits.is_some_and(|bits| u64::from_str_radix(bits.trim(), 16).unwrap() >> (TERM - 1) & 1 == 1)
    };
    if cfg!(target_os = "linux") {
        until(|| fs::read_to_string(&status).is_ok_and(minds));
    }
}

/// Temporary files of a folder.
fn temporary(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with('.')).collect()
}

/// Waits until something holds.
#[track_caller]
fn until(mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "it never holds");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Commands that have made their temporary file when they wait for standard input, or write for long.
const WRITING: [&[&str]; 3] =
    [&["cat", "-", "-o", "out"], &["query", "-", "-o", "out"], &["random", "rows.avsc", "100000000", "out"]];

fn folder() -> Folder {
    let folder = Folder::with_flights();
    let schema =
        r#"{"type":"record","name":"R","fields":[{"name":"a","type":"long"},{"name":"b","type":"string"}]}"#;
    fs::write(folder.path("rows.avsc"), schema).unwrap();
    folder
}

#[test]
fn signals_end_it_and_leave_nothing() {
    let folder = folder();
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        for args in WRITING {
            let mut child = start(&folder, args);
            until(|| !temporary(&folder.path("")).is_empty());
            send(&child, signal);
            let output = {
                let _stdin = child.stdin.take();
                until(|| child.try_wait().unwrap().is_some());
                child.wait_with_output().unwrap()
            };
            assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
            assert!(output.stderr.is_empty(), "{args:?}: {output:?}");
            assert_eq!(temporary(&folder.path("")), [] as [PathBuf; 0], "{args:?}");
            assert!(!folder.path("out").exists(), "{args:?}");
        }
    }
}

#[test]
fn what_a_kill_leaves_is_gone_after_the_next_run() {
    let folder = folder();
    for args in WRITING {
        let mut child = start(&folder, args);
        until(|| !temporary(&folder.path("")).is_empty());
        // Files of living programs stay.
        folder.prints(&["-q", "cat", "flights.trv", "-o", "other", "--force"]);
        assert!(!temporary(&folder.path("")).is_empty(), "{args:?}");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!temporary(&folder.path("")).is_empty() && !folder.path("out").exists(), "{args:?}");
        folder.prints(&["-q", "cat", "flights.trv", "-o", "other", "--force"]);
        assert_eq!(temporary(&folder.path("")), [] as [PathBuf; 0], "{args:?}");
    }
}

#[test]
fn new_parts_whose_program_was_killed_are_gone_after_the_next_split() {
    let folder = Folder::with_flights();
    let split = ["-q", "split", "--parts", "3", "flights.trv", "-o", "parts", "--force"];
    folder.prints(&split);
    let left = folder.path("parts/.split-left");
    fs::create_dir(&left).unwrap();
    fs::write(left.join("lock"), "").unwrap();
    fs::write(left.join("part-00000.trv"), "half").unwrap();
    // Without the file that is locked, it is somebody else's.
    fs::create_dir(folder.path("parts/.split-other")).unwrap();
    folder.prints(&["-q", "split", "--parts", "2", "flights.trv", "-o", "parts", "--force"]);
    let mut names: Vec<_> =
        fs::read_dir(folder.path("parts")).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [".split-other", "part-00000.trv", "part-00001.trv"]);
    assert_eq!(
        folder.prints(&["count", "parts"]).lines().last().unwrap().split_whitespace().next(),
        Some("1,000")
    );
}

#[test]
fn a_full_pipe_does_not_hold_it() {
    let folder = Folder::new();
    folder.write("long.trv", (0..200_000u32).map(|n| (n, "some text that fills the pipe")));
    let mut child = with_full_pipe(&folder);
    send(&child, "TERM");
    until(|| child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(143));
    // The second signal ends it at once: the code is not that of the first one, whose patience has an end.
    let mut child = with_full_pipe(&folder);
    send(&child, "TERM");
    std::thread::sleep(Duration::from_millis(500));
    send(&child, "INT");
    until(|| child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// A program that writes into a pipe that nobody reads any more.
fn with_full_pipe(folder: &Folder) -> Child {
    let mut child = start(folder, &["cat", "long.trv"]);
    // It writes, so it minds signals.
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "the pipe is full, and nobody reads it");
    child
}

#[cfg(target_os = "linux")]
#[test]
fn signals_that_are_ignored_stay_ignored() {
    let folder = Folder::new();
    let program = assert_cmd::cargo::cargo_bin("trevni");
    let script = format!("trap '' HUP; exec '{}' cat - -o out", program.display());
    let mut child = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path(""))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    until(|| !temporary(&folder.path("")).is_empty());
    send(&child, "HUP");
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none());
    send(&child, "TERM");
    until(|| child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

#[test]
fn a_pipe_that_never_opens_does_not_hold_it() {
    let folder = Folder::new();
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    for command in [&["count", "pipe"][..], &["convert", "pipe", "--from", "csv", "-o", "out.trv"]] {
        let mut child = start(&folder, command);
        until_it_minds_signals(&child);
        std::thread::sleep(Duration::from_millis(300));
        assert!(child.try_wait().unwrap().is_none());
        let sent = Instant::now();
        send(&child, "TERM");
        until(|| child.try_wait().unwrap().is_some());
        assert_eq!(child.wait().unwrap().code(), Some(143), "{command:?}");
        assert!(sent.elapsed() < Duration::from_secs(4), "{command:?}");
    }
}
