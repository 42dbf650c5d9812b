//! Packages that go to the registry: each after those it depends on, with all that a stranger looks for.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The published crates in the order of `.ci/publish-order`.
fn order() -> Vec<String> {
    let script = fs::read_to_string(root().join(".ci/publish-order")).unwrap();
    let (_, list) = script.split_once("crates=(\n").unwrap();
    let (list, _) = list.split_once(')').unwrap();
    list.split_whitespace().map(str::to_owned).collect()
}

/// The folders of all members of the workspace, and their manifests.
fn members() -> Vec<(String, PathBuf, String)> {
    let mut folders = vec![root(), root().join("tests"), root().join("derive-tests")];
    let crates = fs::read_dir(root().join("crates")).unwrap();
    folders.extend(crates.map(|entry| entry.unwrap().path()));
    let mut found = Vec::new();
    for folder in folders {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = ")).unwrap();
        found.push((name.trim_matches('"').to_owned(), folder, manifest));
    }
    found
}

fn is_published(manifest: &str) -> bool {
    !manifest.lines().any(|line| line == "publish = false")
}

#[test]
fn each_published_crate_comes_after_those_it_depends_on() {
    let order = order();
    for (name, _, manifest) in members() {
        let at = order.iter().position(|other| *other == name);
        assert_eq!(at.is_some(), is_published(&manifest), "{name}: .ci/publish-order and `publish` differ");
        let Some(at) = at else { continue };
        // Also those for tests: cargo looks for their versions.
        let (_, dependencies) = manifest.split_once("[dependencies]").unwrap();
        for line in dependencies.lines().filter(|line| line.starts_with("trevni")) {
            let other = line.split(['.', ' ']).next().unwrap();
            // Without a version, cargo leaves it out of the package.
            if other == name && !line.contains("version") {
                continue;
            }
            let before = order.iter().position(|name| name == other);
            assert!(before.is_some_and(|before| before < at), "{name} depends on {other}: {line}");
        }
    }
}

#[test]
fn published_crates_have_what_strangers_look_for() {
    for (name, folder, manifest) in members() {
        if !is_published(&manifest) {
            continue;
        }
        let keys = ["description", "license", "repository", "readme", "keywords", "categories", "include"];
        for key in keys {
            let has =
                |line: &str| line.starts_with(&format!("{key} =")) || line.starts_with(&format!("{key}."));
            assert!(manifest.lines().any(has), "{name} has no {key}");
        }
        for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
            assert_eq!(text, fs::read_to_string(root().join(file)).unwrap(), "{file} of {name}");
        }
        assert!(folder.join("README.md").is_file(), "{name} has no README.md");
    }
}
