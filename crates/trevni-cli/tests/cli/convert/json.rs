//! Rows of JSON come back as they were.

use super::Folder;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Converts rows and compares what comes back; gives the schema.
#[track_caller]
fn come_back(folder: &Folder, rows: &[&str]) -> String {
    folder.text("in.jsonl", rows.join("\n"));
    let found = folder.converts(&["in.jsonl"]);
    let expected: Vec<Value> = rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!(found, expected);
    folder.schema()
}

#[test]
fn nothing_is_lost() {
    let folder = Folder::new();
    for (rows, schema) in [
        (&[r#"{"a":true}"#, r#"{"a":false}"#][..], "a boolean"),
        (&[r#"{"a":9223372036854775807}"#, r#"{"a":-9223372036854775808}"#], "a int64"),
        (&[r#"{"a":18446744073709551615}"#, r#"{"a":0}"#], "a uint64"),
        (&[r#"{"a":1.0}"#, r#"{"a":1e300}"#], "a float64"),
        (&[r#"{"a":0.1}"#, r#"{"a":9007199254740993}"#], "a union<int64, float64>"),
        (&[r#"{"a":"007"}"#, r#"{"a":"2013-01-01"}"#, r#"{"a":""}"#], "a string"),
        (&[r#"{"a":1}"#, r#"{"a":null}"#], "a int64?"),
        (&[r#"{"a":1}"#, "{}"], "a int64?"),
        (&[r#"{"a":1}"#, r#"{"a":null}"#, "{}"], "a int64??"),
        (&[r#"{"a":null}"#, r#"{"a":null}"#], "a null"),
        (&[r#"{"a":null}"#, "{}"], "a null?"),
        (&[r#"{"a":[]}"#, r#"{"a":[]}"#], "a list<null>"),
        (&[r#"{"a":[]}"#, r#"{"a":null}"#, "{}", r#"{"a":[null]}"#, r#"{"a":[1]}"#], "a list<int64?>??"),
        (&[r#"{"a":"x"}"#, r#"{"a":1}"#, r#"{"a":false}"#, r#"{"a":1}"#], "a union<int64, string, boolean>"),
        (
            &[r#"{"a":{"b":1}}"#, r#"{"a":[{"b":1}]}"#],
            "a union<struct, list<struct>>; Record variant; b int64",
        ),
        (&[r#"{"a":{"b":[[{"c":{}}]]}}"#], "a struct; b list<list<struct>>; c struct"),
        (&["{}", "{}"], ""),
        (&[r#"{"":1,"a.b":2,"ä ö":3,"5.5":4}"#], "int64; a.b int64; ä ö int64; 5.5 int64"),
    ] {
        let found = come_back(&folder, rows);
        if !schema.contains("Record variant") {
            assert_eq!(found, schema, "{rows:?}");
        }
    }
}

#[test]
fn rows_may_be_anything() {
    let folder = Folder::new();
    come_back(&folder, &["1", "2"]);
    come_back(&folder, &["\"text\"", "null", "[1,2]", "[]", "{\"a\":1}", "true"]);
    come_back(&folder, &["null", "null"]);
    come_back(&folder, &["[]"]);
}

#[test]
fn integers_have_up_to_128_bits() {
    let folder = Folder::new();
    let rows = [
        "{\"a\":18446744073709551616,\"b\":[340282366920938463463374607431768211455,0],\"c\":1e30}",
        "{\"a\":-9223372036854775809,\"b\":[],\"c\":18446744073709551615.0}",
        "{\"a\":5,\"b\":[18446744073709551615]}",
    ];
    folder.text("in.jsonl", rows.join("\n"));
    folder.notes(&["in.jsonl"]);
    let text = folder.prints(&["cat", "out.trv"]);
    for number in [
        "\"a\":18446744073709551616,",
        "\"a\":-9223372036854775809,",
        "[340282366920938463463374607431768211455,0]",
    ] {
        assert!(text.contains(number), "{text}");
    }
    assert_eq!(folder.schema(), "a int128; b list<uint128>; c float64?");
    // Each number is counted once, also where a row is read again.
    let rows = [r#"[{"a":18446744073709551615,"b":1e30},{"b":-9223372036854775808},{"a":1,"b":1}]"#];
    folder.text("in.jsonl", rows.join("\n"));
    folder.notes(&["in.jsonl"]);
    let report = folder.prints(&["convert", "in.jsonl", "--dry-run"]);
    assert!(report.contains("a  uint64?"), "{report}");
    assert!(report.contains("2 uint64, 1 absent\n") && report.contains("2 int64, 1 float64\n"), "{report}");
}

#[test]
fn objects_of_many_keys_are_maps() {
    let folder = Folder::new();
    let row = |keys: std::ops::Range<u32>| {
        let entries = keys.map(|key| (format!("k{key}"), json!({"n": key, "t": [key]})));
        json!({"id": 1, "by_key": entries.collect::<serde_json::Map<_, _>>()}).to_string()
    };
    let few: Vec<String> = (0..200).map(|key| row(key..key + 1)).collect();
    come_back(&folder, &few.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(folder.schema().starts_with("id int64; by_key struct; k0 struct?;"), "{}", folder.schema());
    let many: Vec<String> = (0..300).map(|key| row(key..key + 3)).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(come_back(&folder, &many), "id int64; by_key map<string, struct>; n int64; t list<int64>");
    folder.notes(&["in.jsonl", "--map-keys", "1000"]);
    assert!(folder.schema().contains("k0 struct?;"), "{}", folder.schema());
    folder.notes(&["in.jsonl", "--struct", "by_key"]);
    assert!(folder.schema().contains("k0 struct?;"), "{}", folder.schema());
    folder.notes(&["in.jsonl", "--map", "by_key.value", "--map", "."]);
    assert_eq!(folder.prints(&["cat", "out.trv", "-n", "1"]).trim(), many[0]);
}

#[test]
fn large_files_are_looked_at_in_parts() {
    // Several chunks: fields, kinds and null show up in one alone, a map in the last.
    let folder = Folder::new();
    let row = |n: usize| match n {
        20_000 => json!({"n": n, "late": [{"x": null}], "kind": "text"}),
        35_000 => json!({"kind": null, "n": 0.5}),
        _ => json!({"n": n, "kind": n.is_multiple_of(2), "text": "some text that takes some room"}),
    };
    let rows: Vec<Value> = (0..40_000).map(row).collect();
    let text: Vec<String> = rows.iter().map(Value::to_string).collect();
    folder.text("in.jsonl", text.join("\n"));
    let notes = folder.notes(&["in.jsonl"]);
    assert!(notes.contains("in.jsonl → out.trv: 40,000 rows, "), "{notes}");
    assert_eq!(
        folder.schema(),
        "n float64; late list<struct>?; x null; kind union<boolean, string>?; text string?"
    );
    folder.text("in.json", format!("[{}]", text.join(",\n")));
    folder.notes(&["in.json"]);
    let last = folder.prints(&["tail", "-n", "1", "-f", "jsonl", "out.trv"]);
    assert_eq!(serde_json::from_str::<Value>(&last).unwrap()["n"], json!(39_999.0));
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-5i64..5).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter("no JSON", |float| float.is_finite()).prop_map(Value::from),
        "[a-z\"\\\\äπ\n]{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |value| {
        prop_oneof![
            prop::collection::vec(value.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-d]", value), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// Numbers as floats: 1 is 1.0 where a field has both.
fn numeric(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let float = number.as_f64().unwrap();
            let whole = float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0;
            if whole { json!(float as i64) } else { value.clone() }
        }
        Value::Array(items) => items.iter().map(numeric).collect(),
        Value::Object(map) => {
            Value::Object(map.iter().map(|(key, value)| (key.clone(), numeric(value))).collect())
        }
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_rows_come_back(rows in prop::collection::vec(value(), 0..12), keys in prop_oneof![Just("200"), Just("2")]) {
        let folder = Folder::new();
        let text: Vec<String> = rows.iter().map(Value::to_string).collect();
        folder.text("in.jsonl", text.join("\n"));
        let found = folder.converts(&["in.jsonl", "--map-keys", keys]);
        let numeric = |rows: &[Value]| rows.iter().map(numeric).collect::<Vec<_>>();
        prop_assert_eq!(numeric(&found), numeric(&rows));
    }
}

#[test]
fn real_rows_come_back() {
    let folder = Folder::new();
    for (name, types) in [
        (
            "bcd",
            &[
                "spec_url union<string, list<string>>?",
                "chrome union<struct, list<struct>>",
                "version_added union<boolean, string>",
            ][..],
        ),
        ("movies", &["imdbRating null", "Cast list<string>", "Runtime float64?", "tomatoes struct"]),
    ] {
        let file = format!("{}/tests/data/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&file).unwrap();
        let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(folder.converts(&[&file]), rows);
        let report = folder.prints(&["convert", &file, "--dry-run"]);
        let report = report.split_whitespace().collect::<Vec<_>>().join(" ");
        for field in types {
            let found = report.contains(field) || folder.schema().contains(field);
            assert!(found, "{field}: {}", folder.schema());
        }
    }
}

#[test]
fn keys_that_come_late_keep_their_place() {
    let folder = Folder::new();
    let rows: String = (0..500)
        .map(|n| {
            let part = |asked: bool, text: &str| if asked { text.to_owned() } else { String::new() };
            let (first, middle) =
                (part(n == 7, "\"first\":1,"), part(n % 50 == 49, "\"middle\":{\"deep\":2},"));
            let inner = part(n == 400, "\"late\":true,");
            format!("{{{first}\"id\":{n},{middle}\"name\":\"x\",\"list\":[{{\"a\":1,{inner}\"z\":3}}]}}\n")
        })
        .collect();
    std::fs::write(folder.path("rows.jsonl"), &rows).unwrap();
    folder.prints(&["-q", "convert", "rows.jsonl", "--check"]);
    assert_eq!(folder.prints(&["cat", "rows.trv"]), rows);
}
