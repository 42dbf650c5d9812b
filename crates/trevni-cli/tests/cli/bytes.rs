//! Bytes are hexadecimal digits, in and out, and instants of 96 bits are instants.

use crate::Folder;
use serde_json::json;

const SCHEMA: &str = r#"{"type":"record","name":"R","fields":[
    {"name":"b","type":["null","bytes"]},
    {"name":"f","type":{"type":"fixed","name":"F","size":2}},
    {"name":"l","type":{"type":"array","items":"bytes"}}]}"#;

const ROWS: &str =
    "{\"b\":\"00ff\",\"f\":\"0102\",\"l\":[\"\",\"7f\"]}\n{\"b\":null,\"f\":\"abcd\",\"l\":[]}\n";

fn folder() -> Folder {
    let folder = Folder::new();
    std::fs::write(folder.path("s.avsc"), SCHEMA).unwrap();
    std::fs::write(folder.path("in.jsonl"), ROWS).unwrap();
    let output =
        folder.trevni(&["convert", "in.jsonl", "-s", "s.avsc", "-o", "x.trv", "--check"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && error.contains("checked 2 rows: equal"), "{error}");
    folder
}

#[test]
fn bytes_are_hexadecimal_digits_in_each_format() {
    let folder = folder();
    assert_eq!(folder.prints(&["cat", "x.trv"]), ROWS);
    let value: serde_json::Value =
        serde_json::from_str(&folder.prints(&["cat", "x.trv", "-f", "json"])).unwrap();
    assert_eq!(value[0], json!({"b": "00ff", "f": "0102", "l": ["", "7f"]}));
    assert_eq!(
        folder.prints(&["cat", "x.trv", "-f", "csv"]),
        "b,f,l\n00ff,0102,\"[\"\"\"\",\"\"7f\"\"]\"\n,abcd,[]\n"
    );
    assert_eq!(folder.prints(&["cat", "x.trv", "-f", "tsv", "-c", "b,f"]), "b\tf\n00ff\t0102\n\tabcd\n");
    assert!(folder.prints(&["head", "x.trv", "-c", "b,f"]).contains(" 00ff  0102\n"));
    assert!(folder.prints(&["cat", "x.trv", "-f", "lines", "-c", "b"]).contains("b  00ff\n"));
    assert_eq!(folder.prints(&["query", "x.trv", "-c", "f", "-f", "csv"]), "f\n0102\nabcd\n");
    assert_eq!(folder.prints(&["query", "x.trv", "-a", "max(f)", "-f", "csv"]), "max_f\nabcd\n");
    assert!(folder.prints(&["stats", "x.trv", "-c", "f", "--json"]).contains("\"min\":\"0102\""));
    for (args, other) in [(["b", "00ff", "0f"], "0f"), (["f", "0102", "0000"], "0000")] {
        let rows = ROWS.replacen(args[1], args[2], 1);
        std::fs::write(folder.path("other.jsonl"), rows).unwrap();
        folder.prints(&["-q", "convert", "other.jsonl", "-s", "s.avsc", "-o", "other.trv", "--force"]);
        let diff = folder.trevni(&["diff", "x.trv", "other.trv"]).output().unwrap();
        assert!(String::from_utf8(diff.stdout).unwrap().contains(other));
    }
}

#[test]
fn hexadecimal_digits_become_bytes() {
    let folder = folder();
    // What a query gives is written as bytes.
    folder.prints(&["-q", "query", "x.trv", "-c", "b,f,l", "-o", "q.trv"]);
    assert_eq!(folder.prints(&["cat", "q.trv"]), ROWS);
    assert!(folder.prints(&["schema", "q.trv", "-f", "flat"]).contains("bytes"));
    folder.prints(&["-q", "cat", "x.trv", "-c", "b,f", "-o", "x.csv"]);
    for (file, text) in [
        ("x.csv", None),
        ("y.csv", Some("b,f\n0x00FF,\\x0102\n,aBCd\n")),
        ("y.jsonl", Some("{\"b\":[0,255],\"f\":\"0102\"}\n{\"b\":null,\"f\":[171,205]}\n")),
    ] {
        if let Some(text) = text {
            std::fs::write(folder.path(file), text).unwrap();
        }
        let args = ["convert", file, "-t", "b=bytes", "-t", "f=bytes", "-o", "z.trv", "--check", "--force"];
        let output = folder.trevni(&args).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && error.contains("checked 2 rows: equal"), "{error}");
        assert_eq!(folder.prints(&["cat", "z.trv", "-f", "csv"]), "b,f\n00ff,0102\n,abcd\n", "{file}");
        assert_eq!(folder.prints(&["schema", "z.trv", "-f", "flat"]), "b  bytes?\nf  bytes\n");
    }
    for (text, wrong) in [("abc", "abc"), ("xy", "xy"), ("0x0", "0x0"), ("\u{e4}b", "\u{e4}b")] {
        std::fs::write(folder.path("w.csv"), format!("b\n{text}\n")).unwrap();
        let error = folder.fails(&["convert", "w.csv", "-t", "b=bytes", "-o", "w.trv"]);
        let said = format!("{wrong:?} does not fit bytes as hexadecimal digits");
        assert!(error.contains(&said), "{error}");
    }
    std::fs::write(folder.path("w.jsonl"), "{\"b\":null,\"f\":\"010203\",\"l\":[]}\n").unwrap();
    let error = folder.fails(&["convert", "w.jsonl", "-s", "s.avsc", "-o", "w.trv"]);
    assert!(error.contains("\"010203\" does not fit 2 bytes as hexadecimal digits"), "{error}");
    assert!(folder.prints(&["convert", "x.csv", "-t", "b=bytes", "--dry-run"]).contains("bytes"));
}

#[cfg(feature = "parquet")]
#[test]
fn instants_of_96_bits_are_instants_in_each_format() {
    let data = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../trevni-parquet/tests/data/parquet-testing/alltypes_plain.parquet"
    );
    let (folder, instant) = (Folder::new(), "2009-03-01T00:01:00");
    for format in ["jsonl", "json", "csv", "tsv", "table", "lines"] {
        let text = folder.prints(&["cat", data, "-f", format]);
        assert!(text.contains(instant) && !text.contains("1235865660"), "{format}: {text}");
        // Bytes that no writer calls a string.
        assert!(text.contains("30332f30312f3039"), "{format}: {text}");
    }
    for command in ["query", "head", "stats", "sample"] {
        let text = folder.prints(&[command, data]);
        assert!(text.contains("2009-0"), "{command}: {text}");
    }
    let filtered = folder.prints(&["count", data, "-w", "timestamp_col >= '2009-04-01'"]);
    assert_eq!(filtered, "2\n");
    let (mut all, whole) = (Vec::new(), folder.prints(&["cat", data, "-c", "id,timestamp_col"]));
    for ending in ["trv", "redelm", "jsonl", "json", "csv", "tsv", "avro", "parquet", "arrow", "arrows"] {
        let output = format!("x.{ending}");
        folder.prints(&["-q", "convert", data, "-o", &output]);
        let rows = folder.prints(&["-q", "cat", &output, "-c", "id,timestamp_col"]);
        assert!(rows.contains(instant), "{ending}: {rows}");
        all.push((ending, rows));
    }
    for (ending, rows) in all {
        let read = |text: &str| -> Vec<serde_json::Value> {
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        let trimmed = |text: &str| text.replace("Z\"", "\"");
        assert_eq!(read(&trimmed(&rows)), read(&trimmed(&whole)), "{ending}");
    }
    // Only what is stored is a number.
    assert!(folder.prints(&["cat", data, "--stored"]).contains("1235865660000000000"));
}
