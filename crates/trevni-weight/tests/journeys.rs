//! To write rows, and to read some of them, run through no more files of the library than docs/design.md says. Valgrind counts them.

#![cfg(all(target_os = "linux", feature = "default"))]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn journeys_are_within_their_budgets() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: Valgrind is not installed (apt-get install valgrind)");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let design = fs::read_to_string(root.join("docs/design.md")).unwrap();
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("journeys");
    let mut build = Command::new(env!("CARGO"));
    build.current_dir(&root).args([
        "build",
        "--quiet",
        "--profile=test",
        "--package",
        "trevni-weight",
        "--example",
        "journeys",
    ]);
    build.args(["--config", "profile.test.debug = \"line-tables-only\"", "--target-dir"]).arg(&target);
    assert!(build.env_remove("CARGO_PROFILE_DEV_DEBUG").status().unwrap().success(), "{build:?}");
    let (trace, rows) = (target.join("trace"), target.join("rows.trv"));
    for journey in ["write", "filter"] {
        let mut run = Command::new("valgrind");
        run.args(["--quiet", "--tool=callgrind", "--dump-line=no", "--compress-strings=yes"]);
        run.arg(format!("--callgrind-out-file={}", trace.display()));
        run.arg(target.join("debug/examples/journeys")).arg(journey).arg(&rows);
        assert!(run.status().unwrap().success(), "{run:?}");
        let ran = files_that_ran(&fs::read_to_string(&trace).unwrap());
        let own: Vec<&String> = ran.iter().filter(|file| is_own(file, &root)).collect();
        let begin = format!("| files that `{journey}` runs through | ");
        let line =
            design.lines().find_map(|line| line.strip_prefix(&begin)).expect("a budget in docs/design.md");
        let budget: usize = line.trim_end_matches(" |").parse().unwrap();
        println!("{journey}: {} of {budget} files", own.len());
        assert!((10..=budget).contains(&own.len()), "{journey}: {} files: {own:#?}", own.len());
    }
}

/// Whether a file is one of the library; the compiler may name it from the root of the workspace.
fn is_own(file: &str, root: &Path) -> bool {
    let path = Path::new(file);
    path.strip_prefix(root).unwrap_or(path).starts_with("src")
}

/// The source files of which code ran, in the format of Callgrind: `fl`, `fi` and `fe` name a file, the first time with its number.
fn files_that_ran(trace: &str) -> BTreeSet<String> {
    let (mut names, mut ran) = (BTreeMap::new(), BTreeSet::new());
    for line in trace.lines() {
        let Some((key, value)) = line.split_once("=(") else { continue };
        let Some((number, name)) = value.split_once(')') else { continue };
        let is_file = matches!(key, "fl" | "fi" | "fe" | "cfi" | "cfl");
        if is_file && !name.is_empty() {
            names.insert(number, name.trim_start());
        }
        if matches!(key, "fl" | "fi" | "fe") {
            ran.extend(names.get(number).map(|name| (*name).to_owned()));
        }
    }
    ran
}
