//! Values of logical types in reports, and Rust types that read them.

use super::{Folder, PRINTED, lines, with_types};
use serde_json::{Value, json};
use std::path::Path;

#[allow(dead_code, reason = "only what the test needs is used")]
mod derived {
    include!("../generated/logical.rs");
}

#[allow(dead_code, reason = "only what the test needs is used")]
mod foreign {
    include!("../generated/foreign.rs");
}

#[test]
fn the_rust_types_read_the_rows() {
    let folder = with_types();
    for file in ["types.trv", "types.levels", "types.redelm"] {
        let dialect = file.trim_start_matches("types.");
        if dialect != "trv" {
            folder.prints(&["-q", "recode", "types.trv", "--dialect", dialect, "-o", file]);
        }
        let text = folder.prints(&["schema", "-f", "rust", file]);
        expected(&text, "logical.rs", include_str!("../generated/logical.rs"));
        let reader = trevni::Reader::open(folder.path(file)).unwrap();
        let rows: Vec<derived::Types> = reader.rows().unwrap().map(Result::unwrap).collect();
        let read: Vec<Value> = rows.iter().map(|row| serde_json::to_value(row).unwrap()).collect();
        assert_eq!(read, lines(PRINTED), "{file}");
        // chrono's types take the place of the texts.
        #[derive(serde::Deserialize)]
        struct Numbers {
            when: Option<i64>,
            day: Option<i32>,
        }
        let numbers: Vec<Numbers> = reader.rows().unwrap().map(Result::unwrap).collect();
        assert_eq!((numbers[0].when, numbers[2].day), (Some(1_370_062_800_250), Some(-1)));
    }
}

#[test]
fn the_rust_types_of_foreign_files_read_the_rows() {
    let folder = Folder::new();
    let schema = json!({"type": "record", "name": "Visit", "fields": [
        {"name": "when", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "any", "type": [{"type": "int", "logicalType": "date"}, "string"]},
        {"name": "costs", "type": {"type": "array", "items": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}}},
    ]});
    let mut writer =
        trevni::Writer::builder().schema(schema.to_string()).create(folder.path("visit.trv")).unwrap();
    writer.write(&json!({"when": 0, "any": "x", "costs": ["1.5"]})).unwrap();
    writer.write(&json!({"when": 1, "any": -1, "costs": []})).unwrap();
    writer.finish().unwrap();
    let text = folder.prints(&["schema", "-f", "rust", "visit.trv"]);
    expected(&text, "foreign.rs", include_str!("../generated/foreign.rs"));
    let reader = trevni::Reader::open(folder.path("visit.trv")).unwrap();
    let rows: Vec<foreign::Visit> = reader.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(
        rows.iter().map(|row| serde_json::to_value(row).unwrap()).collect::<Vec<_>>(),
        [
            json!({"when": "1970-01-01T00:00:00Z", "any": "x", "costs": ["1.50"]}),
            // What is untagged is read as it is stored.
            json!({"when": "1970-01-01T00:00:00.001Z", "any": -1, "costs": []}),
        ]
    );
}

/// Compares a text with a file of the tests, which gets the text with `TREVNI_GENERATE=1`.
#[track_caller]
fn expected(text: &str, name: &str, expected: &str) {
    if std::env::var_os("TREVNI_GENERATE").is_some() {
        std::fs::write(format!("{}/tests/cli/generated/{name}", env!("CARGO_MANIFEST_DIR")), text).unwrap();
        return;
    }
    assert_eq!(text, expected, "\n{text}");
}

#[test]
fn statistics_are_of_texts() {
    let folder = with_types();
    let columns = |args: &[&str]| -> Vec<Value> {
        let text = folder.prints(&[&["stats", "--json", "types.trv"], args].concat());
        serde_json::from_str::<Value>(&text).unwrap()["columns"].as_array().unwrap().clone()
    };
    let of =
        |columns: &[Value], path: &str| columns.iter().find(|column| column["path"] == path).unwrap().clone();
    let ranges = [
        ("when", "timestamp-millis?", json!("2013-06-01T05:00:00.250Z"), json!("+12345-01-01T00:00:00Z")),
        ("day", "date?", json!("1969-12-31"), json!("2013-06-01")),
        ("at", "time-micros", json!("00:00:00"), json!("23:59:59.999999")),
        ("local", "local-timestamp-micros", json!("0001-01-01T00:00:00.500"), json!("9999-12-31T23:59:59")),
        ("price", "decimal(9, 2)", json!("-0.01"), json!("12.50")),
        (
            "key",
            "uuid",
            json!("00000000-0000-0000-0000-000000000000"),
            json!("ffffffff-ffff-ffff-ffff-ffffffffffff"),
        ),
        ("lasts", "duration", Value::Null, Value::Null),
        ("days[]", "date", json!("-0044-03-15"), json!("+10000-01-01")),
        (
            "by.value.t",
            "timestamp-micros?",
            json!("1969-12-31T23:59:59.999Z"),
            json!("1969-12-31T23:59:59.999Z"),
        ),
    ];
    let (all, recorded) = (columns(&[]), columns(&["--recorded"]));
    for (path, kind, min, max) in ranges {
        let column = of(&all, path);
        assert_eq!([&column["type"], &column["min"], &column["max"]], [&json!(kind), &min, &max], "{path}");
        if let Some(from) = column["histogram"]["from"].as_str() {
            assert_eq!(from, min, "{path}");
        }
        let column = of(&recorded, path);
        // The order of the bytes of decimals is another one.
        let none = path == "price" || path == "lasts";
        let (min, max) = if none { (Value::Null, Value::Null) } else { (min, max) };
        assert_eq!([&column["min"], &column["max"]], [&min, &max], "{path}");
    }
    let price = of(&all, "price");
    assert!((price["mean"].as_f64().unwrap() - 15.49 / 3.0).abs() < 1e-9, "{price}");
    assert_eq!(
        (&of(&all, "when")["mean"], &of(&all, "key")["top"][0]["value"]),
        (&Value::Null, &json!("00000000-0000-0000-0000-000000000000"))
    );
    let blocks = folder.prints(&["layout", "types.trv", "-c", "when"]);
    assert!(blocks.contains("2013-06-01T05:0") && blocks.contains("+12345-01-01T00"), "{blocks}");
    let blocks: Value =
        serde_json::from_str(&folder.prints(&["layout", "--json", "types.trv", "-c", "by.value.t"])).unwrap();
    assert!(blocks.to_string().contains("1969-12-31T23:59:59.999Z"), "{blocks}");
}

#[test]
fn rows_are_printed_as_texts_by_all_commands() {
    let folder = with_types();
    let args = ["-c", "id,when,price,days", "-w", "id = 1"];
    let row = "{\"id\":1,\"when\":\"2013-06-01T05:00:00.250Z\",\"price\":\"12.50\",\"days\":[\"-0044-03-15\",\"+10000-01-01\"]}";
    for command in ["cat", "head", "tail", "sample"] {
        let print =
            |format: &str| folder.prints(&[&[command, "types.trv", "-f", format], &args[..]].concat());
        assert_eq!(print("jsonl"), format!("{row}\n"), "{command}");
        assert_eq!(print("json"), format!("[\n  {row}\n]\n"), "{command}");
        let cells = "1,2013-06-01T05:00:00.250Z,12.50,\"[\"\"-0044-03-15\"\",\"\"+10000-01-01\"\"]\"";
        assert_eq!(print("csv"), format!("id,when,price,days\n{cells}\n"), "{command}");
        assert!(print("tsv").contains("1\t2013-06-01T05:00:00.250Z\t12.50\t"), "{command}");
        let table = print("table");
        assert!(
            table.contains("  1  2013-06-01T05:00:00.250Z  12.50  [\"-0044-03-15\",\"+10000-01-01\"]"),
            "{table}"
        );
        let avro = print("avro-json");
        assert!(avro.contains("{\"long\":1370062800250}") && avro.contains("[-735525,"), "{avro}");
    }
}

#[test]
fn foreign_files_are_printed_as_texts() {
    let folder = Folder::new();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/avro/types.avro");
    folder.prints(&["-q", "convert", file.to_str().unwrap(), "-o", "types.trv"]);
    let rows = lines(&folder.prints(&["cat", "types.trv"]));
    let stored = lines(&folder.prints(&["cat", "--stored", "types.trv"]));
    for (n, (row, stored)) in rows.iter().zip(&stored).enumerate() {
        let price = n as i64 * 199 - 1000;
        let sign = if price < 0 { "-" } else { "" };
        assert_eq!(row["price"], format!("{sign}{}.{:02}", price.abs() / 100, price.abs() % 100));
        assert_eq!(row["day"], format!("1969-12-{:02}", n + 1));
        assert_eq!(row["clock"], format!("{:02}:59:01.005", n % 24));
        let fraction = if n == 0 { String::new() } else { format!(".{n:03}") };
        assert_eq!(row["sent"], format!("2026-01-01T00:00:00{fraction}Z"));
        assert_eq!(row["seen"].is_null(), n % 2 == 1);
        assert_eq!(row["local"], format!("2000-01-{:02}T{:02}:00:00", n / 24 + 1, n % 24));
        assert_eq!(row["key"], stored["key"]);
        assert_eq!(row["content"], stored["content"]);
    }
}
