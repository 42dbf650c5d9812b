//! Imports point down: a module uses only modules of the layers below it, or of its own.

use crate::imports::{imports, module_of, source_folder, sources};
use std::collections::BTreeSet;
use std::fs;

/// The layers, from the bottom to the top, with the modules of each. A module belongs to the longest path here that
/// it starts with, so a folder may be listed in parts.
const LAYERS: [&[&str]; 16] = [
    &["error", "limits", "miss", "outlined", "private", "sort"],
    &["bytes", "selection"],
    &["shape"],
    &["path"],
    &["vector"],
    &["levels", "logical"],
    &["convert"],
    &["storage"],
    &["tree"],
    &["metadata", "schema"],
    &["predicate"],
    &["dialect"],
    &["formats", "ser", "de", "trace"],
    &["batch", "marked", "value"],
    &["reader", "writer"],
    &["merge", "dataset", "verify", "guide", "avro", "column", "with", ROOT],
];

/// Items of `lib.rs` itself.
const ROOT: &str = "lib";

#[test]
fn imports_point_down() {
    let mut upward = BTreeSet::new();
    let mut places = Vec::new();
    for file in sources(&source_folder()) {
        let module = module_of(&file);
        let from = entry(&module);
        for path in imports(&fs::read_to_string(&file).unwrap(), &module) {
            let to = entry(&path);
            if layer(to) > layer(from) {
                places.push(format!("{from} -> {to}: {} uses crate::{}", file.display(), path.join("::")));
                upward.insert((from, to));
            }
        }
    }
    assert!(upward.is_empty(), "upward imports:\n{}", places.join("\n"));
}

#[test]
fn each_module_has_a_layer() {
    let modules = sources(&source_folder()).into_iter().map(|file| module_of(&file));
    let without: BTreeSet<String> = modules
        .filter(|module| entry(module) == ROOT && *module != [ROOT])
        .map(|module| module.join("::"))
        .collect();
    assert!(without.is_empty(), "not in LAYERS: {without:?}");
}

#[test]
fn imports_are_found() {
    let module = ["reader", "rows"].map(str::to_owned);
    let found = |text: &str| imports(text, &module).iter().map(|path| path.join("::")).collect::<Vec<_>>();
    assert_eq!(found("use crate::error::{Error, Result};"), ["error"]);
    assert_eq!(
        found("use crate::{Error, shape::Shape as S, schema::{self, path}};"),
        ["Error", "shape::Shape", "schema"]
    );
    assert_eq!(
        found("fn f(x: crate::vector::Vector) { super::scan::checked() }"),
        ["vector::Vector", "reader::scan::checked"]
    );
    assert_eq!(found("use super::super::writer;"), ["writer"]);
    assert_eq!(
        found("/// [`crate::col`]\nfn f() {} // crate::de\n#[cfg(test)]\nmod tests { use crate::ser::S; }"),
        [""; 0]
    );
}

/// The entry of [`LAYERS`] that a path belongs to; the root for items of `lib.rs`.
fn entry(path: &[String]) -> &'static str {
    let path = path.join("::");
    let holds = |entry: &&&str| {
        path.strip_prefix(**entry).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let entries = LAYERS.iter().copied().flatten().filter(holds);
    entries.copied().max_by_key(|entry| entry.len()).unwrap_or(ROOT)
}

fn layer(entry: &str) -> usize {
    LAYERS.iter().position(|layer| layer.contains(&entry)).unwrap()
}
