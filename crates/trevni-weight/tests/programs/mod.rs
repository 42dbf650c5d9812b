//! Builds the programs that are measured and counted.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the programs as users build, with the names of functions; returns the target folder.
pub(crate) fn build(features: &str, arguments: &[&str]) -> PathBuf {
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(features);
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).args([
        "build",
        "--quiet",
        "--release",
        "--package",
        "trevni-weight",
        "--examples",
    ]);
    command.args(["--config", "profile.release.strip = false", "--target-dir"]).arg(&target).args(arguments);
    assert!(command.status().unwrap().success(), "{command:?}");
    target
}
