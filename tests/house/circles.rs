//! Files that import each other: the circles are no larger than docs/design.md says.

use crate::imports::{imports, module_within, source_folder, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

#[test]
fn circles_are_within_their_budget() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/design.md")).unwrap();
    let found = circles(&source_folder());
    println!("{:?}", found.iter().map(Vec::len).collect::<Vec<_>>());
    let largest = found.into_iter().max_by_key(Vec::len).unwrap_or_default();
    let begin = "| files in the largest circle of imports | ";
    let line = text.lines().find_map(|line| line.strip_prefix(begin)).expect("a budget in docs/design.md");
    let budget: usize = line.trim_end_matches(" |").parse().unwrap();
    assert!(largest.len() <= budget, "{} files, more than {budget}: {largest:?}", largest.len());
}

#[test]
fn the_command_line_has_no_circles() {
    for name in ["trevni-cli", "trevni-files", "trevni-infer", "trevni-report", "trevni-view"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates").join(name).join("src");
        let found = circles(&folder);
        assert!(found.is_empty(), "{name}: {found:?}");
    }
}

/// The groups of files of a folder each of which reaches all others of the group by imports.
fn circles(folder: &Path) -> Vec<Vec<String>> {
    let files: Vec<_> = sources(folder);
    let modules: BTreeSet<Vec<String>> = files.iter().map(|file| module_within(folder, file)).collect();
    let mut reached: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for file in &files {
        let module = module_within(folder, file);
        let text = fs::read_to_string(file).unwrap();
        let paths = imports(&text, &module);
        let targets =
            paths.iter().filter_map(|path| owner(path, &modules)).filter(|target| *target != module);
        reached.insert(module.clone(), targets.collect());
    }
    // All that is reached from each file, step by step.
    loop {
        let before: usize = reached.values().map(BTreeSet::len).sum();
        for module in &modules {
            let further: Vec<_> = reached[module].iter().flat_map(|next| reached[next].clone()).collect();
            reached.get_mut(module).unwrap().extend(further);
        }
        if reached.values().map(BTreeSet::len).sum::<usize>() == before {
            break;
        }
    }
    let mut circles: BTreeSet<Vec<String>> = BTreeSet::new();
    for (module, targets) in &reached {
        let together = targets.iter().filter(|target| reached[*target].contains(module));
        let names: BTreeSet<String> = together.map(|path| path.join("::")).collect();
        if names.len() > 1 {
            circles.insert(names.into_iter().collect());
        }
    }
    circles.into_iter().collect()
}

/// The file that has what a path names.
fn owner(path: &[String], modules: &BTreeSet<Vec<String>>) -> Option<Vec<String>> {
    (1..=path.len()).rev().map(|len| path[..len].to_vec()).find(|module| modules.contains(module))
}
