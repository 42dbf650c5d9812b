//! No program is larger than its budget in docs/design.md. The budgets are those of one machine, so no other is asked.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn programs_are_within_their_budgets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let design = fs::read_to_string(root.join("docs/design.md")).unwrap();
    let mut count = 0;
    for (features, arguments) in [("default", &[][..]), ("none", &["--no-default-features"])] {
        let target = build(&root, features, arguments);
        for program in ["hello", "write", "read"] {
            let budget = budget(&design, program, features);
            let bytes = fs::metadata(target.join("release/examples").join(program)).unwrap().len();
            println!("{program}, features {features}: {bytes} of {budget} bytes");
            assert!(bytes <= budget, "{program}, features {features}: {bytes} bytes, more than {budget}");
            count += 1;
        }
    }
    assert_eq!(count, 6);
}

/// Builds the programs as users build, without their symbols; returns the target folder.
fn build(root: &Path, features: &str, arguments: &[&str]) -> PathBuf {
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(features);
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root).args([
        "build",
        "--quiet",
        "--release",
        "--package",
        "trevni-weight",
        "--examples",
    ]);
    command.args(["--config", "profile.release.strip = true", "--target-dir"]).arg(&target).args(arguments);
    assert!(command.status().unwrap().success(), "{command:?}");
    target
}

/// The budget of a program: of a line `| hello | default | 1,000,000 |`.
fn budget(design: &str, program: &str, features: &str) -> u64 {
    let begin = format!("| `{program}` | {features} | ");
    let line = design.lines().find_map(|line| line.strip_prefix(&begin));
    let digits = line.unwrap_or_else(|| panic!("no budget begins with {begin:?}")).trim_end_matches(" |");
    digits.replace(',', "").parse().unwrap()
}
