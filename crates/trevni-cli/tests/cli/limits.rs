//! What a file may take: options, and messages that name them.

use super::Folder;
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use std::fs;
use std::io::Write;

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

/// A packed file: a start, and some bytes over and over.
fn packed(folder: &Folder, name: &str, start: &str, piece: &[u8], megabytes: usize) {
    let mut file = GzEncoder::new(fs::File::create(folder.path(name)).unwrap(), Compression::fast());
    file.write_all(start.as_bytes()).unwrap();
    let piece = piece.repeat((1 << 20) / piece.len());
    (0..megabytes).for_each(|_| file.write_all(&piece).unwrap());
    file.finish().unwrap();
}

/// A row of CSV or JSON above the limit is refused before all of it is in memory.
#[test]
fn rows_of_other_formats_are_limited() {
    let folder = Folder::new();
    packed(&folder, "columns.csv.gz", "a", b",", 20);
    packed(&folder, "cells.csv.gz", "a,b\n1,2\n", b",", 20);
    packed(&folder, "cell.csv.gz", "a,b\n1,2\n", b"x", 100);
    packed(&folder, "quoted.csv.gz", "a,b\n1,2\n3,\"", b"x\n", 100);
    packed(&folder, "tabs.tsv.gz", "a\tb\n", b"\t", 20);
    packed(&folder, "items.jsonl.gz", "{\"a\":1}\n{\"a\":[", b"0,", 20);
    packed(&folder, "string.json.gz", "[{\"a\":1},{\"a\":\"", b"x", 100);
    for (name, at) in [
        ("columns.csv.gz", "line 1, byte 0"),
        ("cells.csv.gz", "line 3, byte 8"),
        ("cell.csv.gz", "line 3, byte 8"),
        ("quoted.csv.gz", "line 3, byte 8"),
        ("tabs.tsv.gz", "line 2, byte 4"),
        ("items.jsonl.gz", "line 2, byte 8"),
        ("string.json.gz", "line 1, byte 9"),
    ] {
        let (code, _, told) = run(&folder, &["-q", "convert", name, "-o", "x.trv"]);
        let expected = format!("error: {name} {at}: the memory for a row is ");
        assert!(code == 1 && told.starts_with(&expected), "{told}");
        assert!(told.ends_with("above the limit of 268435456 (to raise it: --max-memory)\n"), "{told}");
        assert!(!folder.path("x.trv").exists());
    }
    // Smaller rows are not, and the limit may be raised.
    packed(&folder, "small.csv.gz", "a,b\n1,", b"x", 5);
    folder.prints(&["-q", "convert", "small.csv.gz", "-o", "small.trv"]);
    let limited = ["-q", "convert", "small.csv.gz", "-o", "smaller.trv", "--max-memory", "16MiB"];
    assert_eq!(run(&folder, &limited).0, 1);
}

#[test]
fn blocks_of_avro_are_limited() {
    let folder = Folder::new();
    folder.write("text.trv", ["a long text ".repeat(200_000)]);
    folder.prints(&["-q", "convert", "text.trv", "-z", "deflate", "-o", "text.avro"]);
    for (options, option) in
        [(["--max-memory", "1MiB"], "--max-memory"), (["--max-block", "1MiB"], "--max-block")]
    {
        let (code, _, told) =
            run(&folder, &[&["-q", "convert", "text.avro", "-o", "x.trv"], &options[..]].concat());
        let expected = "error: text.avro: block 0, after row 0: the size of a decompressed block is ";
        assert!(code == 1 && told.starts_with(expected), "{told}");
        assert!(told.ends_with(&format!("above the limit of 1048576 (to raise it: {option})\n")), "{told}");
    }
    let file = include_bytes!("../../../trevni-avro/tests/hostile/rows_without_fields.avro");
    fs::write(folder.path("empty.avro"), file).unwrap();
    let (code, _, told) =
        run(&folder, &["-q", "convert", "empty.avro", "-o", "x.trv", "--max-values", "1000"]);
    let expected =
        "the number of rows and values, those without bytes included, is 1024, above the limit of 1000";
    assert!(code == 1 && told.contains(expected) && told.contains("(to raise it: --max-values)"), "{told}");
}

/// A schema in a file that is nested too deep is a bad file, as any other.
#[test]
fn files_nested_too_deep_are_bad_files() {
    let folder = Folder::new();
    folder.write("flat.trv", [vec![1]]);
    let file = fs::read(folder.path("flat.trv")).unwrap();
    let schema = r#"{"type":"array","items":"int"}"#;
    let at = file.windows(schema.len()).position(|window| window == schema.as_bytes());
    // Metadata begins with the number of bytes of a value; here it is one of two bytes.
    let at = at.unwrap();
    let deep = format!("{}\"int\"{}", "[".repeat(2_000), "]".repeat(2_000));
    let varint = |number: usize| {
        let (mut rest, mut out) = (number << 1, Vec::new());
        while rest >= 0x80 {
            out.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        out.push(rest as u8);
        out
    };
    let length = varint(schema.len()).len();
    let bytes =
        [&file[..at - length], &varint(deep.len()), deep.as_bytes(), &file[at + schema.len()..]].concat();
    fs::write(folder.path("deep.trv"), bytes).unwrap();
    for command in ["info", "cat", "verify", "count", "schema"] {
        let (code, printed, told) = run(&folder, &[command, "deep.trv"]);
        assert_eq!(code, 3, "{command}: {printed} {told}");
    }
}

/// Rows that end with a carriage return alone are rows, not one.
#[test]
fn rows_that_end_with_carriage_returns_are_not_one() {
    let folder = Folder::new();
    for (name, row) in [("plain.csv", "1,abcdefgh\r"), ("quoted.csv", "1,\"a,b\rc\"\r")] {
        fs::write(folder.path(name), format!("n,s\r{}", row.repeat(200_000))).unwrap();
        folder.prints(&["-q", "convert", name, "-o", "x.trv", "--force", "--max-memory", "6MiB"]);
        assert_eq!(folder.prints(&["count", "x.trv"]), "200000\n", "{name}");
    }
}
