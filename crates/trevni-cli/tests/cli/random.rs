//! random.

use super::Folder;
use serde_json::{Value, json};

/// A schema of all types.
fn schema() -> Value {
    let of = |name: &str, kind: Value| json!({"name": name, "type": kind});
    let kinds = ["null", "boolean", "int", "long", "float", "double", "string", "bytes"];
    let mut fields: Vec<Value> = kinds.iter().map(|kind| of(kind, json!(kind))).collect();
    fields.extend([
        of("size", json!({"type": "enum", "name": "Size", "symbols": ["S", "M", "L"]})),
        of("hash", json!({"type": "fixed", "name": "Hash", "size": 3})),
        of("list", json!({"type": "array", "items": {"type": "array", "items": "int"}})),
        of("map", json!({"type": "map", "values": ["string", "null"]})),
        of("any", json!(["double", "null", "Size", "Hash", {"type": "record", "name": "In", "fields": [of("x", json!("long"))]}])),
        of("u64", json!({"type": "long", "serde": "u64"})),
    ]);
    json!({"type": "record", "name": "Row", "fields": fields})
}

#[test]
fn rows_of_all_types_are_made_up() {
    let folder = Folder::new();
    std::fs::write(folder.path("all.avsc"), schema().to_string()).unwrap();
    let output = folder.trevni(&["random", "all.avsc", "2000", "x.trv"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && told.starts_with("x.trv: 2,000 rows, "), "{told}");
    folder.prints(&["verify", "x.trv"]);
    assert_eq!(folder.prints(&["info", "--key", "avro.schema", "x.trv"]), format!("{}\n", schema()));
    let text = folder.prints(&["cat", "x.trv"]);
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2000);
    let has = |field: &str, is: &dyn Fn(&Value) -> bool| {
        assert!(rows.iter().any(|row| is(&row[field])), "{field} has no such value");
    };
    has("int", &|value| value == i32::MIN);
    has("long", &|value| value == i64::MAX);
    has("u64", &|value| value.as_u64().is_some_and(|value| value > 1 << 63));
    has("float", &|value| value == "NaN");
    has("double", &|value| value == "-Infinity");
    has("string", &|value| value.as_str().unwrap().len() > 1000);
    has("string", &|value| value == "");
    has("string", &|value| value.as_str().unwrap().contains('🦀'));
    has("list", &|value| value.as_array().unwrap().is_empty());
    has("list", &|value| value.as_array().unwrap().contains(&json!([])));
    has("map", &|value| value.as_object().unwrap().len() > 4);
    has("any", &|value| value.is_null());
    has("any", &|value| value.is_object());
    has("any", &|value| value == "M");
}

#[test]
fn the_same_seed_gives_the_same_rows() {
    let folder = Folder::new();
    std::fs::write(folder.path("all.avsc"), schema().to_string()).unwrap();
    let rows = |args: &[&str]| {
        let output = folder.trevni(&[args, &["-n", "20", "-o", "-"]].concat()).output().unwrap();
        assert!(output.status.success());
        output.stdout
    };
    let first = rows(&["random", "all.avsc"]);
    assert_eq!(rows(&["generate", "all.avsc", "--seed", "0"]), first);
    let other = rows(&["trevni_random", "all.avsc", "--seed", "7"]);
    assert_ne!(other, first);
    // The schema of a file, and of standard input.
    std::fs::write(folder.path("x.trv"), &first).unwrap();
    folder.prints(&["-q", "convert", "x.trv", "-o", "x.avro"]);
    assert_eq!(rows(&["random", "x.trv"]), first);
    assert_eq!(rows(&["random", "x.avro"]), first);
    let output =
        folder.trevni(&["random", "-", "20", "-"]).write_stdin(schema().to_string()).output().unwrap();
    assert_eq!(output.stdout, first);
}

#[test]
fn wrong_schemas_are_told() {
    let folder = Folder::new();
    let fails = |schema: &[u8], args: &[&str]| {
        std::fs::write(folder.path("x.avsc"), schema).unwrap();
        let output = folder.trevni(&[&["random", "x.avsc"], args].concat()).output().unwrap();
        assert!(!output.status.success() && !folder.path("x.trv").exists());
        String::from_utf8(output.stderr).unwrap()
    };
    let out = ["-o", "x.trv"];
    assert!(fails(b"{", &out).starts_with("error: x.avsc: "));
    assert!(fails(b"\xff\xfe", &out).contains("Expected: an Avro schema"));
    assert!(fails(br#"{"type": "list"}"#, &out).contains("\"list\" is not known"));
    assert!(fails(br#"[]"#, &out).contains("an enum without symbols, or a union without types"));
    let fixed = br#"{"type": "fixed", "name": "f", "size": 1000000000000}"#;
    assert!(fails(fixed, &out).contains("a fixed type of more than 16 MiB"));
    assert!(fails(b"\"int\"", &[]).contains("required"));
}
