//! No path through the library takes more instructions a row than written here, by more than three in a hundred. Valgrind counts them, which
//! does not depend on what else a machine does. Another Rust gives other code: then this prints the counts, which are to be written down.

#![cfg(all(target_arch = "x86_64", target_os = "linux", feature = "default"))]

mod programs;

use std::path::Path;
use std::process::Command;

/// Rows of `examples/paths.rs`.
const ROWS: u64 = 20_000;

/// The compiler whose code was counted.
const RUST: &str = "rustc 1.95.0 ";

/// Paths and codecs, and their instructions a row.
const PATHS: [(&str, u64); 14] = [
    ("write null", 958),
    ("write snappy", 1630),
    ("write typed", 3072),
    ("write-batches null", 565),
    ("write-batches typed", 2497),
    ("read null", 1268),
    ("read typed", 927),
    ("read-slice typed", 888),
    ("read-batches null", 651),
    ("read-batches typed", 310),
    ("read-three typed", 274),
    ("column typed", 10),
    ("filter typed", 288),
    ("rows typed", 818),
];

#[test]
fn paths_take_no_more_instructions() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: Valgrind is not installed (apt-get install valgrind)");
        return;
    }
    let target = programs::build("default", &[]);
    let mut above = Vec::new();
    for (path, most) in PATHS {
        let counted = instructions(&target, path) / ROWS;
        println!("    ({path:?}, {counted}),");
        // One more, since counts are rounded down.
        if counted * 100 > most * 103 + 100 {
            above.push(format!("{path}: {counted} of {most}"));
        }
        assert!(counted > most / 2, "{path}: {counted}, not {most}: is anything counted?");
    }
    let version = Command::new("rustc").arg("--version").output().unwrap().stdout;
    if !version.starts_with(RUST.as_bytes()) {
        println!("not compared: the counts are those of {RUST}");
        return;
    }
    assert!(above.is_empty(), "more instructions a row than before: {above:#?}");
}

/// The instructions of the program that run in `counted`. Those of the C library, mostly copies, depend on the machine and do not count.
fn instructions(target: &Path, path: &str) -> u64 {
    let (trace, program) = (target.join("trace"), target.join("release/examples/paths"));
    let mut run = Command::new("valgrind");
    run.args(["--quiet", "--tool=callgrind", "--toggle-collect=*paths*counted*", "--compress-strings=no"]);
    run.arg(format!("--callgrind-out-file={}", trace.display())).arg(&program).arg(path);
    assert!(run.status().unwrap().success(), "{run:?}");
    let trace = std::fs::read_to_string(trace).unwrap();
    let (mut is_own, mut is_call, mut sum) = (false, false, 0);
    for line in trace.lines() {
        if let Some(object) = line.strip_prefix("ob=") {
            is_own = Path::new(object).ends_with("release/examples/paths");
        } else if line.starts_with("calls=") {
            is_call = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            // After the line of a call: what was called has its own lines.
            let counts = is_own && !std::mem::take(&mut is_call);
            sum += line.split(' ').nth(1).filter(|_| counts).map_or(0, |count| count.parse::<u64>().unwrap());
            is_call = false;
        }
    }
    sum
}
