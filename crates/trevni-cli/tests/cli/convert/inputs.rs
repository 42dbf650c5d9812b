//! Where texts come from, and where files go.

use super::Folder;
use flate2::{Compression, write::GzEncoder};
use serde_json::json;
use std::io::Write;

const ROWS: &str = "{\"a\":1}\n{\"a\":2}\n";

#[test]
fn packed_files_and_other_names() {
    let folder = Folder::new();
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(ROWS.as_bytes()).unwrap();
    folder.text("a.jsonl.gz", packed.finish().unwrap());
    folder.text("a.jsonl.zst", zstd::encode_all(ROWS.as_bytes(), 3).unwrap());
    folder.text("rows", ROWS);
    folder.text("rows.json", "[\n{\"a\":1},\n{\"a\":2}\n]\n");
    folder.text("pretty.json", "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n");
    folder.text("values.ndjson", "\u{feff}\n{\"a\":1}\r\n\r\n{\"a\":2}");
    folder.text("cells", "a,b\n1,\n2,\n");
    for file in ["a.jsonl.gz", "a.jsonl.zst", "rows", "rows.json", "pretty.json", "values.ndjson"] {
        assert_eq!(folder.converts(&[file]), [json!({"a": 1}), json!({"a": 2})], "{file}");
    }
    assert_eq!(folder.converts(&["cells"])[0], json!({"a": 1, "b": null}));
    folder.trevni(&["convert", "a.jsonl.gz"]).assert().success();
    assert!(folder.path("a.trv").exists());
}

#[test]
fn standard_input_and_output() {
    let folder = Folder::new();
    let output = folder.trevni(&["convert", "-", "-o", "-", "-q"]).write_stdin(ROWS).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    folder.text("a.trv", output.stdout);
    assert_eq!(folder.prints(&["cat", "a.trv"]), ROWS);
    let output = folder
        .trevni(&["convert", "-", "--from", "csv", "--dry-run"])
        .write_stdin("x\n1\n")
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "x  int64  1 int64\n");
}

#[test]
fn several_files_and_a_second_name() {
    let folder = Folder::new();
    folder.text("a.jsonl", ROWS);
    folder.text("b.csv", "x\n1\n");
    let output = folder.trevni(&["convert", "a.jsonl", "b.csv"]).output().unwrap();
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.starts_with("a.jsonl → a.trv: 2 rows, 1 column, 16 B → "), "{notes}");
    assert!(notes.contains("\nb.csv → b.trv: 1 row, 1 column, "), "{notes}");
    std::fs::create_dir(folder.path("to")).unwrap();
    folder.trevni(&["convert", "a.jsonl", "b.csv", "-o", "to", "-q"]).assert().success().stderr("");
    assert!(folder.path("to/a.trv").exists() && folder.path("to/b.trv").exists());
    // As Avro's totrevni has it.
    folder.trevni(&["totrevni", "a.jsonl", "second.trv"]).assert().success();
    assert_eq!(folder.prints(&["cat", "second.trv"]), ROWS);
}

#[test]
fn texts_without_rows() {
    let folder = Folder::new();
    for (name, text) in [("a.jsonl", ""), ("a.jsonl", "\n \n\r\n"), ("a.json", "[]"), ("a.json", " ")] {
        folder.text(name, text);
        assert!(folder.converts(&[name]).is_empty());
    }
}
