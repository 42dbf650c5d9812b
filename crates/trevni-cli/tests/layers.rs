//! Imports point down: every module uses modules of lower layers only, so none of them form a ring.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The crates of the command line, lowest first, and the layers of their modules, lowest first. A module uses modules of lower
/// layers, and items of other crates that the root of its own imports.
const CRATES: &[(&str, &[&[&str]])] = &[
    ("trevni-infer", &[&["error", "numbers"], &["plan", "text"], &["counts"], &["lib"]]),
    (
        "trevni-files",
        &[
            &["dialect", "interrupt", "limits", "schema_text"],
            &["failure", "packing"],
            &["format"],
            &["parquet", "remote"],
            &["reading"],
            &["input", "parallel"],
            &["output", "sorter", "text"],
            &["rows", "selecting"],
            &["lib"],
        ],
    ),
    (
        "trevni-report",
        &[
            &["columns", "ends", "extents", "report_value"],
            &["report"],
            &["dump", "layout", "schema", "size", "stats"],
            &["html", "info"],
            &["lib"],
        ],
    ),
    (
        "trevni-view",
        &[
            &["order", "prompt"],
            &["table"],
            &["page", "tree"],
            &["job"],
            &["model"],
            &["draw", "update"],
            &["terminal"],
            &["lib"],
        ],
    ),
    ("trevni-cli", &[&["encoding", "guesses", "order"], &["commands"], &["lib"], &["main"]]),
];

#[test]
fn imports_point_down() {
    let crates = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    for (name, layers) in CRATES {
        let imports = imports(&crates.join(name).join("src"));
        let layer = |module: &str| layers.iter().position(|layer| layer.contains(&module));
        for (module, used) in imports.iter().filter(|(module, _)| *module != "tests") {
            let own = layer(module).unwrap_or_else(|| panic!("{name}: {module} is in no layer"));
            // The root names modules of other crates too.
            for (used, line) in used.iter().filter(|(used, _)| imports.contains_key(*used)) {
                let below = layer(used).unwrap_or_else(|| panic!("{name}: {used} is in no layer: {line}"));
                assert!(below < own, "{name}: {module} is not above {used}: {line}");
            }
        }
        let named: BTreeSet<&str> = layers.iter().flat_map(|layer| layer.iter().copied()).collect();
        assert!(named.iter().all(|module| imports.contains_key(*module)), "{named:?}, {:?}", imports.keys());
    }
}

#[test]
fn paths_are_found_in_all_forms() {
    let source = "use crate::a::{B, c::D};\nuse crate::{e, f::{G, H as I},\n    k};\nfn x() { crate::l::m(); }\n\
                  // crate::comment\n/// [`crate::doc`]\nlet text = \"crates\";";
    assert_eq!(modules(source).keys().map(String::as_str).collect::<Vec<_>>(), ["a", "e", "f", "k", "l"]);
}

/// For each top-level module the others that it uses, each with a line that does so.
fn imports(root: &Path) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut imports: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let within = path.strip_prefix(root).unwrap().with_extension("");
            let module = within.iter().next().unwrap().to_str().unwrap().to_owned();
            let source = fs::read_to_string(&path).unwrap();
            let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            // The root by the names of those within it.
            let is_folder = within.file_name().is_some_and(|name| name == "mod");
            let depth = within.iter().count() - usize::from(is_folder);
            let is_root = ["lib", "main"].contains(&&*module);
            let code = match is_root {
                true => code.to_owned(),
                false => code.replace(&format!("\nuse {}", "super::".repeat(depth)), "\nuse crate::"),
            };
            let mut used = modules(&code);
            used.remove(&module);
            used.values_mut().for_each(|line| *line = format!("{}: {line}", path.display()));
            // The modules of the root are named there without `crate::`.
            imports.entry(module).or_default().extend(used);
        }
    }
    imports
}

/// The first names of all paths that begin with `crate::`, each with the line of one.
fn modules(source: &str) -> BTreeMap<String, String> {
    let lines = source.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut found = BTreeMap::new();
    for (at, path) in code.match_indices("crate::") {
        let rest = &code[at + path.len()..];
        let line = rest.lines().next().unwrap_or_default().to_owned();
        for name in first_names(rest) {
            found.insert(name, line.clone());
        }
    }
    found
}

/// What a path begins with: a name, or the names of a list in braces.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| {
        let text = text.trim_start();
        text[..text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())].to_owned()
    };
    let Some(list) = path.strip_prefix('{') else {
        return vec![name(path)];
    };
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            ',' | '}' if depth == 0 => {
                names.push(name(&list[start..at]));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}
