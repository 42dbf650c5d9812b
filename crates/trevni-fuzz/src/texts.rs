//! Strings as rows: the command line converts them and compares what it wrote with what it read. The first byte says which
//! format the text has, which the file gets, and whether logical types are looked for.

use crate::folder::Folder;
use std::fs;
use trevni::verify::Verify;
use trevni_cli::{Failure, run};

const FORMATS: [&str; 4] = ["csv", "tsv", "jsonl", "json"];
const DIALECTS: [&str; 3] = ["trevni", "levels", "redelm"];

/// Converts a text to a file of columns, verifies it, and converts it back to text.
///
/// # Panics
///
/// Where the file has other rows than the text, or an error says that a crate is at fault.
pub fn texts(bytes: &[u8]) {
    let Some((&kind, text)) = bytes.split_first() else {
        return;
    };
    let folder = Folder::new();
    let (input, output, again) = (folder.with("in"), folder.with("out.trv"), folder.with("again"));
    fs::write(&input, text).expect("there is room for an input");
    let kind = usize::from(kind);
    let from = FORMATS[kind % FORMATS.len()];
    let dialect = DIALECTS[kind / FORMATS.len() % DIALECTS.len()];
    let mut arguments =
        vec!["convert", &input, "-o", &output, "--from", from, "--dialect", dialect, "--check"];
    if kind / (FORMATS.len() * DIALECTS.len()) % 2 == 1 {
        arguments.extend(["--on-error", "skip"]);
    }
    if kind / (FORMATS.len() * DIALECTS.len() * 2) % 2 == 1 {
        arguments.extend(["-t", "*=auto"]);
    }
    if done(&arguments) {
        let report = Verify::new().open(&output).expect("what was written is there");
        assert!(report.is_ok(), "what was written is damaged: {report:?}");
        assert!(done(&["cat", &output, "-f", "jsonl", "-o", &again]), "what was written is not printed");
    }
}

/// What failures say where the file is not what the text is.
const WRONG: [&str; 6] = [
    "internal error",
    "was written",
    "another one in",
    "fewer rows than the source",
    "rows, not",
    "row, not",
];

/// Whether a command succeeds.
fn done(arguments: &[&str]) -> bool {
    match run(["trevni", "--quiet", "--no-progress"].iter().chain(arguments)) {
        Ok(code) => code == 0,
        Err(failure) => {
            let message = Failure::message(&failure);
            assert!(!message.is_empty());
            assert!(!WRONG.iter().any(|wrong| message.contains(wrong)), "{message}");
            false
        }
    }
}
