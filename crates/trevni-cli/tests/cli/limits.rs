//! What a file may take: options, and messages that name them.

use super::Folder;
use serde_json::Value;
use std::fs;

/// More rows than a small file could have once.
const ROWS: usize = 1_200_000;

/// A file of many rows in few bytes.
fn nulls() -> Folder {
    let folder = Folder::new();
    fs::write(folder.path("nulls.jsonl"), "{\"a\":null}\n".repeat(ROWS)).unwrap();
    folder.prints(&["-q", "convert", "nulls.jsonl", "-o", "nulls.trv"]);
    folder
}

/// The exit code, what is printed, and what is told.
fn run(folder: &Folder, args: &[&str]) -> (i32, String, String) {
    let output = folder.trevni(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn what_convert_writes_all_commands_read() {
    let folder = nulls();
    let lines = folder.prints(&["cat", "nulls.trv"]);
    assert_eq!(lines.lines().filter(|line| *line == "{\"a\":null}").count(), ROWS);
    assert!(folder.prints(&["verify", "nulls.trv"]).starts_with("ok "));
    assert!(folder.prints(&["stats", "nulls.trv"]).contains("100.00%"));
    folder.prints(&["-q", "merge", "nulls.trv", "nulls.trv", "-o", "both.trv"]);
    folder.prints(&["-q", "recode", "both.trv", "-z", "deflate", "-o", "again.trv"]);
    folder.prints(&["-q", "split", "again.trv", "--parts", "2", "-o", "parts"]);
    for (name, rows) in
        [("both.trv", "2400000\n"), ("again.trv", "2400000\n"), ("parts", "2,400,000  total\n")]
    {
        let count = folder.prints(&["count", "-w", "a is null", name]);
        assert!(count.ends_with(rows), "{name}: {count}");
        assert!(folder.prints(&["verify", name]).starts_with("ok "), "{name}");
    }
}

#[test]
fn a_limit_that_is_met_is_no_damage_and_names_its_option() {
    let folder = nulls();
    let ending = "(to raise it: --max-values)\n";
    let limited = ["--max-values", "100000"];
    for command in [&["cat"][..], &["stats"], &["count", "-w", "a is null"], &["query", "-w", "a is null"]] {
        let (code, _, told) = run(&folder, &[command, &limited, &["nulls.trv"]].concat());
        assert!(code == 1 && told.starts_with("error: ") && told.ends_with(ending), "{command:?}: {told}");
    }
    let (code, printed, _) = run(&folder, &["verify", "nulls.trv", "--max-values", "100000"]);
    let first = printed.lines().next().unwrap();
    assert!(code == 1 && first.starts_with("limited  nulls.trv  not checked: "), "{printed}");
    assert!(first.ends_with("(to raise it: --max-values)") && !printed.contains("damaged"), "{printed}");
    let (code, printed, _) = run(&folder, &["verify", "nulls.trv", "--json", "--max-values", "100000"]);
    let report: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(
        (code, &report["ok"], report["damage"].as_array().unwrap().len()),
        (1, &Value::Bool(false), 0)
    );
    assert_eq!(report["unchecked"][0]["rows"], ROWS);
}

#[test]
fn memory_and_blocks_have_options() {
    let folder = Folder::new();
    folder.write("text.trv", ["a long text ".repeat(20_000)]);
    for (option, size) in [("--max-memory", "64KiB"), ("--max-block", "64KiB")] {
        for command in ["cat", "verify"] {
            let (code, printed, told) = run(&folder, &[command, option, size, "text.trv"]);
            assert!(code == 1 && (printed + &told).contains(&format!("(to raise it: {option})")), "{told}");
        }
        folder.prints(&["verify", option, "1GiB", "text.trv"]);
    }
    let (code, _, told) = run(&folder, &["cat", "--max-memory", "much", "text.trv"]);
    assert!(code == 2 && told.contains("--max-memory"), "{told}");
}

/// No file gets its name that no command opens; names of columns that go by position are those of the schema, or stay.
#[test]
fn files_that_are_made_are_opened() {
    let folder = Folder::new();
    let file = include_bytes!("../../../../tests/hostile/files/named_by_position.trv");
    fs::write(folder.path("named.trv"), file).unwrap();
    assert!(folder.prints(&["verify", "named.trv"]).contains("note"));
    folder.prints(&["-q", "merge", "named.trv", "named.trv", "-o", "merged.trv"]);
    folder.prints(&["-q", "split", "named.trv", "--parts", "2", "-o", "parts"]);
    for (name, rows) in [("merged.trv", "4\n"), ("parts", "2  total\n")] {
        let count = folder.prints(&["count", name]);
        assert!(count.ends_with(rows), "{name}: {count}");
        folder.prints(&["verify", name]);
        assert!(folder.prints(&["cat", name]).contains("{\"a\":1}"));
    }
}
