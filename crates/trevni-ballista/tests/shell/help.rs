//! Help, and its examples.

use crate::{Folder, texts};
use std::process::Command;

#[test]
fn examples_run() {
    let folder = Folder::with_flights();
    std::fs::create_dir(folder.path("flights")).unwrap();
    std::fs::copy(folder.path("flights.trv"), folder.path("flights/1.trv")).unwrap();
    std::fs::write(folder.path("report.sql"), "SELECT 1;").unwrap();
    let help = folder.prints(&["--help"]);
    let examples: Vec<&str> = help
        .split_once("Examples:\n")
        .unwrap()
        .1
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    assert!(examples.len() >= 5, "{help}");
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_trevni-sql")).parent().unwrap();
    let path = std::env::join_paths(
        std::iter::once(bin.to_owned()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let path = path.unwrap();
    for example in examples {
        // The tests of clusters start a scheduler.
        if example.contains("--scheduler") {
            continue;
        }
        let output = Command::new("bash")
            .args(["-c", &format!("{example} < /dev/null")])
            .env("PATH", &path)
            .current_dir(folder.path(""))
            .output();
        let output = output.unwrap();
        assert!(output.status.success(), "{example}: {}", texts(&output).1);
    }
    assert!(std::fs::read_to_string(folder.path("late.csv")).unwrap().lines().count() > 100);
}

#[test]
fn the_version_is_that_of_the_crate() {
    assert_eq!(Folder::new().prints(&["--version"]), format!("trevni-sql {}\n", env!("CARGO_PKG_VERSION")));
}
