//! Packages that go to the registry: each after those it depends on, with all that a stranger looks for.

use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    let mut folders =
        vec![root(), root().join("tests"), root().join("derive-tests"), root().join("examples")];
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

/// The oldest Rust that a crate states is enough for all that it is built from. Clippy's `incompatible_msrv` looks at our own code.
#[test]
fn no_dependency_needs_a_newer_rust() {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--all-features", "--locked", "--offline"]);
    let output = command.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let by_id = |values: &Value| -> HashMap<String, Value> {
        list(values).into_iter().map(|value| (value["id"].as_str().unwrap().to_owned(), value)).collect()
    };
    let (packages, nodes) = (by_id(&metadata["packages"]), by_id(&metadata["resolve"]["nodes"]));
    let rust = |package: &Value| -> Option<Vec<u32>> {
        let version = package["rust_version"].as_str()?;
        Some(version.split('.').map(|number| number.parse().unwrap()).take(2).collect())
    };
    let mut newer = Vec::new();
    for package in packages.values().filter(|package| order().iter().any(|name| package["name"] == **name)) {
        let stated = rust(package).unwrap_or_else(|| panic!("{} states no Rust", package["name"]));
        let (mut seen, mut open) = (HashSet::new(), vec![package["id"].as_str().unwrap().to_owned()]);
        while let Some(id) = open.pop() {
            if !seen.insert(id.clone()) {
                continue;
            }
            if rust(&packages[&id]).is_some_and(|needed| needed > stated) {
                newer.push(format!(
                    "{} needs Rust {:?}: {id}",
                    package["name"], packages[&id]["rust_version"]
                ));
            }
            // The command line has SQL only where that is asked for.
            let is_engine = |dependency: &Value| {
                let name = dependency["name"].as_str().unwrap_or_default();
                package["name"] == "trevni-cli"
                    && ["datafusion", "trevni_ballista", "trevni_datafusion"].contains(&name)
            };
            let is_built = |dependency: &Value| {
                let kinds = list(&dependency["dep_kinds"]);
                !is_engine(dependency) && kinds.iter().any(|kind| kind["kind"] != "dev")
            };
            let built = list(&nodes[&id]["deps"]).into_iter().filter(is_built);
            open.extend(built.map(|dependency| dependency["pkg"].as_str().unwrap().to_owned()));
        }
    }
    assert!(newer.is_empty(), "{}", newer.join("\n"));
}

/// The query engine is built apart, so `.ci/run` names the features of all other crates.
#[test]
fn all_features_are_tested() {
    let script = fs::read_to_string(root().join(".ci/run")).unwrap();
    for (name, _, manifest) in members() {
        let table = manifest.split_once("\n[features]\n").map_or("", |(_, rest)| rest);
        let lines = || {
            table.lines().take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once(" = "))
        };
        let default = lines().find(|(feature, _)| *feature == "default").map_or("", |(_, list)| list);
        for (feature, _) in lines().filter(|(feature, _)| !feature.starts_with('#') && *feature != "default")
        {
            let path = format!("{name}/{feature}");
            let is_default = default.contains(&format!("\"{feature}\""));
            assert!(is_default || script.contains(&path), ".ci/run does not test {path}");
        }
    }
}

/// A chapter of the guide is a page of the repository and of docs.rs, where other pages are elsewhere: links to these are
/// references, which `src/guide.rs` defines again for rustdoc, or go to the web.
#[test]
fn links_of_chapters_lead_somewhere_on_docs_rs() {
    let guide = fs::read_to_string(root().join("src/guide.rs")).unwrap();
    let mut wrong = Vec::new();
    for (before, page) in chapters(&guide) {
        let text = fs::read_to_string(root().join("docs").join(page)).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let inline = line.match_indices("](").filter(|(at, _)| {
                let target = &line[at + 2..];
                !target.starts_with("http") && !target.starts_with('#')
            });
            if inline.count() > 0 && !line.starts_with("    ") {
                wrong.push(format!("docs/{page}:{number}: a relative link: {line}"));
            }
            let defined = line.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
            if let Some((name, target)) = defined
                && !target.starts_with("http")
                && !before.contains(&format!("[{name}]: crate::"))
            {
                wrong.push(format!("docs/{page}:{number}: src/guide.rs does not define [{name}]"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The pages that `src/guide.rs` includes, each with the lines before it.
fn chapters(guide: &str) -> Vec<(&str, &str)> {
    let pages = guide.split("pub mod ").filter_map(|part| {
        let (before, rest) = part.split_once("include_str!(\"../docs/")?;
        Some((before, rest.split_once('"')?.0))
    });
    pages.collect()
}
