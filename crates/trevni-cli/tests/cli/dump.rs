//! dump: columns as they are stored, and fields with their levels.

use super::{Folder, flights, golden};
use serde_json::{Value, json};
use std::path::Path;
use trevni::Writer;

#[test]
fn columns_are_those_that_java_dumps() {
    let folder = Folder::new();
    let files = golden::with_companion("cols.txt");
    assert_eq!(files.len(), 53);
    for (path, expected) in files {
        let found = folder.prints(&["dump", path.to_str().unwrap()]);
        golden::assert_same(&path, &found, &expected);
    }
}

#[test]
fn columns_are_chosen() {
    let folder = Folder::with_flights();
    let text = folder.prints(&["dump", "flights.trv", "-c", "stops,dep_delay/double"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..4], ["rows 1000 columns 6", "column 5 \"stops[]\" string array", "[]", "[\"S0\"]"]);
    assert_eq!(lines[1002..1004], ["column 2 \"dep_delay/double\" double array", "[\"0xc014000000000000\"]"]);
    assert_eq!(lines.len(), 2003);
    let output = folder.trevni(&["dump", "flights.trv", "-c", "nothing"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// The Avro schema of a field.
fn avro(field: &Value) -> Value {
    let name = field["name"].as_str().unwrap();
    let own = match field["fields"].as_array() {
        Some(fields) => {
            json!({"type": "record", "name": format!("{name}Record"), "fields": fields.iter().map(avro).collect::<Vec<_>>()})
        }
        None => field["type"].clone(),
    };
    let own = match field["repetition"].as_str().unwrap() {
        "optional" => json!(["null", own]),
        "repeated" => json!({"type": "array", "items": own}),
        _ => own,
    };
    json!({"name": name, "type": own})
}

/// The levels of columns that have values, in the words of `dump`.
fn expected(levels: &str) -> String {
    let mut text = String::new();
    let mut number = 0;
    let mut is_group = false;
    for line in levels.lines() {
        if line.starts_with("# column ") {
            let (head, _) = line.split_once(" width=").unwrap();
            is_group = head.contains(" type=null ");
            number = 0;
            if !is_group {
                text.push_str(&format!("{head}\n"));
            }
        } else if !line.starts_with("# block") && !is_group {
            let parts: Vec<&str> = line.splitn(3, '\t').collect();
            let value = if parts[2] == "-" { "<null>" } else { parts[2] };
            number += 1;
            text.push_str(&format!("value {number}: R:{} D:{} V:{value}\n", parts[0], parts[1]));
        }
    }
    text
}

#[test]
fn levels_are_those_of_another_implementation() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/levels");
    let folder = Folder::new();
    for name in ["dremel_documents", "nested_repeated", "optional_groups", "repeated", "flat_nulls"] {
        let text = |extension: &str| {
            // JSON's floats are doubles.
            let text = std::fs::read_to_string(data.join(format!("{name}.{extension}"))).unwrap();
            text.replace("\"float\"", "\"double\"").replace("type=float", "type=double")
        };
        let schema: Value = serde_json::from_str(&text("schema.json")).unwrap();
        let fields: Vec<Value> = schema["fields"].as_array().unwrap().iter().map(avro).collect();
        let schema = json!({"type": "record", "name": "Row", "fields": fields}).to_string();
        let mut writer = Writer::builder().schema(&schema).create(folder.path("rows.trv")).unwrap();
        for line in text("jsonl").lines() {
            writer.write(&serde_json::from_str::<Value>(line).unwrap()).unwrap();
        }
        writer.finish().unwrap();
        let found = folder.prints(&["dump", "--format", "levels", "rows.trv"]);
        golden::assert_same(Path::new(name), &found, &expected(&text("levels.txt")));
    }
}

#[test]
fn maps_and_unions_have_levels() {
    let folder = Folder::new();
    let rows = [json!({"a": 1, "b": []}), json!({"a": "x", "b": [null, 2]}), json!({"a": null, "b": []})];
    folder.write("rows.trv", rows);
    let text = folder.prints(&["dump", "-f", "levels", "rows.trv"]);
    let expected = "# column a.long type=long D=2 R=0\n\
        value 1: R:0 D:2 V:1\nvalue 2: R:0 D:1 V:<null>\nvalue 3: R:0 D:0 V:<null>\n\
        # column a.string type=string D=2 R=0\n\
        value 1: R:0 D:1 V:<null>\nvalue 2: R:0 D:2 V:\"x\"\nvalue 3: R:0 D:0 V:<null>\n\
        # column b type=long D=2 R=1\n\
        value 1: R:0 D:0 V:<null>\nvalue 2: R:0 D:1 V:<null>\nvalue 3: R:1 D:2 V:2\nvalue 4: R:0 D:0 V:<null>\n";
    assert_eq!(text, expected);
    folder.write("maps.trv", [std::collections::BTreeMap::from([(1u8, "x"), (2, "y")])]);
    let text = folder.prints(&["dump", "-f", "levels", "maps.trv", "-c", "value"]);
    assert_eq!(
        text,
        "# column value type=string D=1 R=1\nvalue 1: R:0 D:1 V:\"x\"\nvalue 2: R:1 D:1 V:\"y\"\n"
    );
    folder.write("flights.trv", flights(3));
    let text = folder.prints(&["dump", "-f", "levels", "flights.trv", "-c", "from.gate"]);
    assert_eq!(text.lines().count(), 4);
    folder.write("empty.trv", Vec::<Value>::new());
    assert_eq!(folder.prints(&["dump", "empty.trv"]), "rows 0 columns 1\ncolumn 0 \"null\" null\n");
    assert_eq!(folder.prints(&["dump", "-f", "levels", "empty.trv"]), "# column value type=null D=0 R=0\n");
}
