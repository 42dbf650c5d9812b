//! Values of several types: as strings in what cannot have them, and back.

use crate::Folder;
use proptest::prelude::*;
use serde_json::{Value, json};

const ROWS: [&str; 6] = [
    r#"{"id":1,"u":7,"in":{"v":[1,"two"]}}"#,
    r#"{"id":2,"u":"seven, \"7\"","in":{"v":[]}}"#,
    r#"{"id":3,"u":[true,null],"in":{"v":["x"]}}"#,
    r#"{"id":4,"u":{"a":0.5},"in":{"v":[2]}}"#,
    r#"{"id":5,"u":null,"in":{"v":[3]}}"#,
    r#"{"id":6,"u":"7","in":{"v":[3]}}"#,
];
/// The values of `u` as strings: as JSON, and plain.
const JSON: [Option<&str>; 6] =
    [Some("7"), Some(r#""seven, \"7\"""#), Some("[true,null]"), Some(r#"{"a":0.5}"#), None, Some(r#""7""#)];
const PLAIN: [Option<&str>; 6] =
    [Some("7"), Some(r#"seven, "7""#), Some("[true,null]"), Some(r#"{"a":0.5}"#), None, Some("7")];

fn folder() -> Folder {
    let folder = Folder::new();
    std::fs::write(folder.path("u.jsonl"), ROWS.join("\n")).unwrap();
    folder.prints(&["-q", "convert", "u.jsonl", "-o", "u.trv"]);
    folder
}

fn rows(folder: &Folder, path: &str) -> Vec<Value> {
    let text = folder.prints(&["-q", "cat", path]);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[track_caller]
fn check(folder: &Folder, path: &str, form: &str) {
    let (expected, inner) = if form == "json" { (JSON, r#""two""#) } else { (PLAIN, "two") };
    let found = rows(folder, path);
    let u: Vec<Option<&str>> = found.iter().map(|row| row["u"].as_str()).collect();
    assert_eq!(u, expected, "{path} {form}");
    let ids: Vec<Option<i64>> = found.iter().map(|row| row["id"].as_i64()).collect();
    assert_eq!(ids, (1..=6).map(Some).collect::<Vec<_>>(), "{path}");
    if let Some(v) = found[0].get("in") {
        assert_eq!(*v, json!({"v": ["1", inner]}), "{path} {form}");
    }
}

fn formats() -> &'static [&'static str] {
    if cfg!(feature = "parquet") {
        &["trv", "redelm", "jsonl", "json", "avro", "parquet", "arrow"]
    } else {
        &["trv", "redelm", "jsonl", "json", "avro"]
    }
}

#[test]
fn each_command_writes_strings_in_each_format() {
    let folder = folder();
    for form in ["json", "string"] {
        for format in formats() {
            let output = format!("x.{format}");
            let written = ["-o", &output, "--mixed", form, "--force"];
            for command in [
                &["recode", "u.trv"][..],
                &["convert", "u.trv"],
                &["cat", "u.trv"],
                &["query", "u.trv"],
                &["query", "u.trv", "-s", "id"],
                &["merge", "u.trv"],
            ] {
                if command[0] == "convert" && ["trv", "redelm"].contains(format) {
                    continue;
                }
                folder.prints(&[&["-q"], command, &written].concat());
                check(&folder, &output, form);
            }
        }
        for (format, end) in [("csv", "csv"), ("jsonl", "jsonl"), ("trv", "trv")] {
            folder.prints(&[
                "-q", "split", "u.trv", "--rows", "9", "--to", format, "-o", "parts", "--mixed", form,
                "--force",
            ]);
            let part = format!("parts/part-00000.{end}");
            if format != "csv" {
                check(&folder, &part, form);
            }
        }
        // What is printed, too.
        let printed = folder.prints(&["cat", "u.trv", "--mixed", form]);
        folder.prints(&["-q", "cat", "u.trv", "--mixed", form, "-o", "y.jsonl", "--force"]);
        assert_eq!(printed, std::fs::read_to_string(folder.path("y.jsonl")).unwrap());
        let u = if form == "json" { "\"seven, \\\"7\\\"\"" } else { "seven, \"7\"" };
        let cell = u.replace('"', "\"\"");
        for command in [&["cat"][..], &["head"], &["query", "-c", "id,u"]] {
            let csv = folder.prints(&[command, &["u.trv", "--mixed", form, "-f", "csv"]].concat());
            assert!(csv.contains(&format!("\n2,\"{cell}\"")), "{command:?} {csv}");
        }
    }
    // Without the option, CSV has the plain strings, and nothing else changes.
    assert_eq!(
        folder.prints(&["cat", "u.trv", "-f", "csv"]),
        folder.prints(&["cat", "u.trv", "-f", "csv", "--mixed", "union"])
    );
    assert_eq!(rows(&folder, "u.trv"), ROWS.map(|row| serde_json::from_str::<Value>(row).unwrap()));
}

#[test]
fn sources_that_say_their_types_are_written_as_strings_too() {
    let folder = folder();
    let are_columns = |name: &str| name.ends_with("trv") || name.ends_with("redelm");
    for source in formats().iter().filter(|source| !["json", "jsonl", "parquet"].contains(source)) {
        let source = format!("s.{source}");
        folder.prints(&["-q", "cat", "u.trv", "-o", &source, "--force"]);
        for format in formats() {
            let output = format!("x.{format}");
            // A column file is written again by recode.
            if are_columns(&source) && are_columns(&output) {
                continue;
            }
            folder.prints(&["-q", "convert", &source, "-o", &output, "--mixed", "json", "--force"]);
            check(&folder, &output, "json");
        }
    }
}

#[test]
fn strings_become_values_again() {
    let folder = folder();
    let expected: Vec<Value> = ROWS.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
    let only = |value: &Value| json!({"id": value["id"], "u": value["u"]});
    let expected: Vec<Value> = expected.iter().map(only).collect();
    let types = |path: &str| folder.prints(&["schema", "-f", "flat", path]);
    folder.prints(&["-q", "recode", "u.trv", "-c", "id,u", "-o", "only.trv"]);
    for format in formats().iter().chain(&["csv", "tsv"]) {
        let output = format!("x.{format}");
        folder.prints(&["-q", "cat", "only.trv", "--mixed", "json", "-o", &output, "--force"]);
        folder.prints(&["-q", "convert", &output, "-t", "u=any", "-o", "back.trv", "--force"]);
        assert_eq!(rows(&folder, "back.trv"), expected, "{format}");
        assert_eq!(types("back.trv"), types("only.trv"), "{format}");
        // Straight to another format.
        folder.prints(&["-q", "convert", &output, "-t", "u=any", "-o", "back.avro", "--force"]);
        assert_eq!(rows(&folder, "back.avro"), expected, "{format}");
    }
    // Strings that are not JSON are strings; those that look like other values become these.
    folder.prints(&["-q", "cat", "only.trv", "--mixed", "string", "-o", "plain.csv"]);
    folder.prints(&["-q", "convert", "plain.csv", "-t", "u=any", "-o", "back.trv", "--force"]);
    let found = rows(&folder, "back.trv");
    assert_eq!(found[..5], expected[..5]);
    assert_eq!(found[5], json!({"id": 6, "u": 7}));
    let error = folder.fails(&["convert", "plain.csv", "-t", "id=int64", "-t", "w=any", "-o", "no.trv"]);
    assert!(error.contains("no row has a field \"w\""), "{error}");
    let error = folder.fails(&["convert", "only.trv", "-t", "id=any", "-o", "no.csv"]);
    assert!(error.contains("id is not an outermost field of strings"), "{error}");
    let error = folder.fails(&["convert", "plain.csv", "-t", "u=any", "--dry-run"]);
    assert!(error.contains("--dry-run"), "{error}");
}

#[test]
fn values_of_several_types_are_refused_where_that_is_asked_for() {
    let folder = folder();
    for command in [
        &["recode", "u.trv"][..],
        &["cat", "u.trv"],
        &["query", "u.trv"],
        &["merge", "u.trv"],
        &["convert", "u.jsonl"],
    ] {
        let error = folder.fails(&[command, &["--mixed", "error", "-o", "no.trv"]].concat());
        let types = error.contains("u has values of several types: ") && error.contains("int64");
        assert!(
            types && error.contains("To keep them: --mixed union, json or string"),
            "{command:?} {error}"
        );
        assert!(!folder.path("no.trv").exists());
    }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_names_the_option() {
    let folder = folder();
    for args in [
        &["convert", "u.jsonl"][..],
        &["convert", "u.trv"],
        &["recode", "u.trv"],
        &["cat", "u.trv"],
        &["query", "u.trv"],
        &["merge", "u.trv"],
    ] {
        let error = folder.fails(&[args, &["-o", "u.parquet"]].concat());
        assert!(error.contains("u has values of several types, which Parquet has no type for"), "{error}");
        assert!(error.contains("--mixed json or string") && error.lines().count() == 2, "{error}");
        assert!(!folder.path("u.parquet").exists());
    }
    folder.prints(&["-q", "convert", "u.jsonl", "-o", "u.parquet", "--mixed", "json"]);
    check(&folder, "u.parquet", "json");
}

#[test]
fn values_of_logical_types_are_their_strings() {
    let folder = Folder::new();
    let day = r#"{"type":"int","logicalType":"date"}"#;
    let schema = format!(
        r#"{{"type":"record","name":"R","fields":[{{"name":"u","type":["null",{day},"string","bytes"]}}]}}"#
    );
    std::fs::write(folder.path("s.avsc"), schema).unwrap();
    let shape = trevni::Shape::from_avro(&std::fs::read_to_string(folder.path("s.avsc")).unwrap()).unwrap();
    let mut writer = trevni::Writer::builder().shape(&shape).create(folder.path("d.trv")).unwrap();
    writer.write(&json!({"u": 0})).unwrap();
    writer.write(&json!({"u": "x"})).unwrap();
    writer.write(&json!({"u": null})).unwrap();
    writer.finish().unwrap();
    let json = folder.prints(&["cat", "d.trv", "--mixed", "json"]);
    assert_eq!(json, "{\"u\":\"\\\"1970-01-01\\\"\"}\n{\"u\":\"\\\"x\\\"\"}\n{\"u\":null}\n");
    let plain = folder.prints(&["cat", "d.trv", "--mixed", "string", "-f", "csv"]);
    assert_eq!(plain, "u\n1970-01-01\nx\n\n");
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(|value| json!(value)),
        any::<i64>().prop_map(|value| json!(value)),
        (-1000i32..1000).prop_map(|value| json!(f64::from(value) / 8.0 + 0.0625)),
        "[a-z0-9\"\\\\, \n\u{e4}]{0,6}".prop_map(|value| json!(value)),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-c]", inner, 0..3).prop_map(|map| json!(map)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn all_values_come_back_through_csv(values in prop::collection::vec(value(), 1..8)) {
        let folder = Folder::new();
        let rows_of: Vec<Value> = values.iter().map(|value| json!({"n": 1, "u": value})).collect();
        let lines: String = rows_of.iter().map(|row| format!("{row}\n")).collect();
        std::fs::write(folder.path("in.jsonl"), lines).unwrap();
        folder.prints(&["-q", "convert", "in.jsonl", "-o", "in.trv"]);
        let has_union = folder.prints(&["schema", "in.trv", "-f", "flat"]).lines().any(|line| {
            line.split_whitespace().next() == Some("u") && line.contains(" union<")
        });
        prop_assume!(has_union);
        folder.prints(&["-q", "cat", "in.trv", "--mixed", "json", "-o", "u.csv"]);
        folder.prints(&["-q", "convert", "u.csv", "-t", "u=any", "-o", "back.trv"]);
        prop_assert_eq!(rows(&folder, "back.trv"), rows(&folder, "in.trv"));
    }
}
