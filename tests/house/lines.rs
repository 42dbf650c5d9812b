//! No crate has more lines of code, and no crate more names at its root, than docs/design.md says.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn crates_are_within_their_budgets() {
    let root = &Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let design = fs::read_to_string(root.join("docs/design.md")).unwrap();
    let mut crates = vec![("trevni".to_owned(), root.join("src"))];
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        if folder.join("src").is_dir() {
            crates.push((folder.file_name().unwrap().to_str().unwrap().to_owned(), folder.join("src")));
        }
    }
    crates.sort();
    let mut over = Vec::new();
    for (name, folder) in crates {
        let (mut lines, mut files) = (0, Vec::new());
        rust_files(&folder, &mut files);
        files.iter().for_each(|file| lines += lines_of_code(&fs::read_to_string(file).unwrap()));
        let budget = budget(&design, &name);
        println!("{name}: {lines} of {budget:?} lines in {} files", files.len());
        if budget.is_none_or(|budget| lines > budget) {
            over.push(format!("{name} has {lines} lines, its budget is {budget:?}"));
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
}

#[test]
fn lines_of_code_are_counted() {
    let text = "//! Docs.\n\nuse a::b;\n/// Docs.\n#[doc = \"More.\"]\nfn f() {\n    // Why.\n    g(); // so\n}\n\n#[cfg(test)]\nmod tests {\n    fn h() {}\n}\n";
    assert_eq!(lines_of_code(text), 4);
}

/// The budget of a crate: of a line `| trevni | 50,000 |`.
fn budget(design: &str, name: &str) -> Option<usize> {
    let begin = format!("| `{name}` | ");
    let digits = design.lines().find_map(|line| line.strip_prefix(&begin))?.trim_end_matches(" |");
    digits.replace(',', "").parse().ok()
}

/// The files of a crate, without tests.
fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.file_stem().is_some_and(|name| name == "tests");
        match path.is_dir() {
            _ if is_test => {}
            true => rust_files(&path, files),
            false if path.extension().is_some_and(|end| end == "rs") => files.push(path),
            false => {}
        }
    }
}

/// Lines with something else than a comment or `#[doc = …]`, without unit tests, which are at the end.
fn lines_of_code(text: &str) -> usize {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let is_code = |line: &&str| !line.is_empty() && !line.starts_with("//") && !line.starts_with("#[doc = ");
    code.lines().map(str::trim_start).filter(is_code).count()
}
