//! Types that are given, and the other options for what becomes of values.

use super::Folder;
use serde_json::{Value, json};

const ROWS: &str = r#"{"a":1,"b":"x","c":{"d":[1,"y"]},"e":[{"f":1.5},{"f":2}]}
{"a":2.0,"b":3,"c":{"d":null},"e":[]}"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.text("in.jsonl", ROWS);
    folder
}

#[test]
fn types_are_given_by_path() {
    let folder = folder();
    let rows =
        folder.converts(&["in.jsonl", "-t", "c=json", "-t", "b=string", "-t", "a=int32", "-t", "e.f=string"]);
    let first = json!({"a": 1, "b": "x", "c": "{\"d\":[1,\"y\"]}", "e": [{"f": "1.5"}, {"f": "2"}]});
    assert_eq!(rows[0], first);
    assert_eq!(rows[1]["b"], json!("3"));
    assert_eq!(folder.schema(), "a int32; b string; c string; e list<struct>; f string");
    let rows = folder.converts(&["in.jsonl", "-t", "e.f=float32", "-t", "a=float32", "-t", "c.d[]=string"]);
    assert_eq!(rows[0]["c"], json!({"d": ["1", "y"]}));
    assert!(
        folder.schema().starts_with("a float32; ") && folder.schema().ends_with("f float32"),
        "{}",
        folder.schema()
    );
    folder.notes(&["in.jsonl", "-t", "c=map"]);
    assert!(folder.schema().contains("c map<string, list<"), "{}", folder.schema());
    folder.text("large.jsonl", "{\"a\":123456789012345678901234567890123456789012}\n{\"a\":\"x\"}\n");
    assert_eq!(
        folder.converts(&["large.jsonl", "-t", "a=string"])[0],
        json!({"a": "123456789012345678901234567890123456789012"})
    );
}

#[test]
fn what_does_not_fit_a_type_is_refused() {
    let folder = folder();
    folder.text("in.csv", "a,b\n007,x\n1,\n");
    for (args, message) in [
        (
            &["in.jsonl", "-t", "b=int64"][..],
            "in.jsonl line 1: b: string \"x\" does not fit int64\n  The type is given by -t",
        ),
        (&["in.jsonl", "-t", "e.f=int64"], "in.jsonl line 1: e[].f: float 1.5 does not fit int64"),
        (&["in.jsonl", "-t", "c=boolean"], "in.jsonl line 1: c: an object does not fit boolean"),
        (&["in.csv", "-t", "b=float64"], "in.csv line 2: b: string \"x\" does not fit float64?"),
    ] {
        let (code, error) = folder.refuses(args);
        assert!(code == 1 && error.contains(message), "{args:?}: {error}");
    }
    for (args, message) in [
        (&["in.jsonl", "-t", "x=int64"][..], "in.jsonl: no row has a field \"x\"\n  Its fields: a, b, c, e"),
        (&["in.jsonl", "-t", "c.x=int64"], "no row has a field \"c.x\"\n  Its fields: d"),
        (&["in.jsonl", "-t", "a=decimal"], "there is no type \"decimal\"; there are string, int64"),
        (&["in.jsonl", "-t", "a=json", "-t", "a=string"], "a is given two types"),
        (&["in.jsonl", "-c", "nope"], "no field \"nope\"; there are a, b, c, e"),
    ] {
        let (code, error) = folder.refuses(args);
        assert!(code == 2 && error.contains(message), "{args:?}: {error}");
    }
    assert_eq!(folder.converts(&["in.csv", "-t", "a=int64"])[0], json!({"a": 7, "b": "x"}));
}

#[test]
fn mixed_values_can_be_text() {
    let folder = folder();
    let rows = folder.converts(&["in.jsonl", "--mixed", "json"]);
    assert_eq!((&rows[0]["b"], &rows[1]["b"]), (&json!("\"x\""), &json!("3")));
    let rows = folder.converts(&["in.jsonl", "--mixed", "string"]);
    assert_eq!(
        (&rows[0]["b"], &rows[1]["b"], &rows[0]["c"]),
        (&json!("x"), &json!("3"), &json!({"d": ["1", "y"]}))
    );
    let (code, error) = folder.refuses(&["in.jsonl", "--mixed", "error"]);
    assert!(code == 1 && error.contains("in.jsonl: b has values of several types: string, int64"), "{error}");
}

#[test]
fn few_rows_may_be_looked_at() {
    let folder = Folder::new();
    folder.text("in.jsonl", "{\"a\":1,\"b\":1}\n{\"a\":2,\"b\":2}\n{\"a\":\"x\",\"b\":3}\n");
    let (_, error) = folder.refuses(&["in.jsonl", "--infer-rows", "2"]);
    let hint = "The schema was inferred from the first 2 rows. Leave --infer-rows out to read all rows";
    assert!(
        error.contains("in.jsonl line 3: a: string \"x\" does not fit int64") && error.contains(hint),
        "{error}"
    );
    for (row, message) in [
        ("{\"a\":1,\"b\":2,\"c\":3}", "line 3: key \"c\" is not in the schema"),
        ("{\"a\":1}", "line 3: key \"b\" is missing"),
        ("{\"a\":1,\"b\":null}", "line 3: b: null does not fit int64"),
        (
            "{\"a\":1,\"b\":18446744073709551616}",
            "line 3: b: integer 18446744073709551616 does not fit int64",
        ),
        ("{\"a\":1,\"b\":1.5}", "line 3: b: float 1.5 does not fit int64"),
        ("[]", "line 3: a list does not fit struct"),
        ("{\"a\":1,\"b\":2", "line 3 column 12: EOF while parsing an object"),
    ] {
        folder.text("in.jsonl", format!("{{\"a\":1,\"b\":1}}\n{{\"a\":2,\"b\":2}}\n{row}\n"));
        let (_, error) = folder.refuses(&["in.jsonl", "--infer-rows", "2"]);
        assert!(error.contains(message), "{error}");
    }
    folder.text("in.jsonl", "{\"a\":1,\"b\":1}\n{\"a\":2,\"b\":2}\n{\"a\":\"x\"}\n");
    assert_eq!(folder.converts(&["in.jsonl", "--infer-rows", "2", "-n", "2"]).len(), 2);
    assert_eq!(folder.converts(&["in.jsonl", "-n", "2"]).len(), 2);
    assert_eq!(folder.schema(), "a int64; b int64");
}

#[test]
fn a_schema_can_be_given() {
    let folder = Folder::new();
    let schema = r#"{"type": "record", "name": "Row", "fields": [
        {"name": "a", "type": ["null", "double"]}, {"name": "b", "type": "int"},
        {"name": "e", "type": ["null", {"type": "enum", "name": "E", "symbols": ["x", "y"]}]}]}"#;
    folder.text("row.avsc", schema);
    folder.text("in.jsonl", "{\"b\":7,\"a\":1}\n{\"b\":8,\"e\":\"y\"}\n");
    let rows = folder.converts(&["in.jsonl", "-s", "row.avsc"]);
    assert_eq!(rows, [json!({"a": 1.0, "b": 7, "e": null}), json!({"a": null, "b": 8, "e": "y"})]);
    folder.text("in.csv", "b,a\n1,2\n3,\n");
    let rows = folder.converts(&["in.csv", "-s", "row.avsc"]);
    assert_eq!(rows, [json!({"a": 2.0, "b": 1, "e": null}), json!({"a": null, "b": 3, "e": null})]);
    for (row, message) in [
        ("{\"b\":1,\"q\":1}", "line 1: key \"q\" is not in the schema\n  The schema is that of row.avsc"),
        ("{\"b\":3000000000}", "line 1: b: integer 3000000000 does not fit int32"),
        ("{\"b\":1,\"e\":\"z\"}", "line 1: e: string \"z\" does not fit"),
        ("{\"a\":1}", "line 1: "),
    ] {
        folder.text("in.jsonl", row);
        let (code, error) = folder.refuses(&["in.jsonl", "-s", "row.avsc"]);
        assert!(code == 1 && error.contains(message), "{error}");
    }
    folder.text("row.avsc", "{");
    assert!(folder.refuses(&["in.jsonl", "-s", "row.avsc"]).1.contains("row.avsc: Avro schema"));
}

#[test]
fn columns_can_be_left_out() {
    let folder = folder();
    let rows = folder.converts(&["in.jsonl", "-c", "a,c.d"]);
    assert_eq!(rows[0], json!({"a": 1.0, "c": {"d": [1, "y"]}}));
    let rows = folder.converts(&["in.jsonl", "-c", "!c,!a"]);
    assert_eq!(rows[1], json!({"b": 3, "e": []}));
}

#[test]
fn how_columns_are_written_is_chosen() {
    let folder = folder();
    folder.notes(&[
        "in.jsonl",
        "-z",
        "zstd:9",
        "-z",
        "b=none",
        "--block-size",
        "4KiB",
        "--meta",
        "origin=a=b",
    ]);
    assert_eq!(folder.prints(&["info", "--key", "origin", "out.trv"]), "a=b\n");
    assert!(folder.prints(&["info", "out.trv"]).contains("zstandard"));
}

#[test]
fn long_integers_may_have_a_fixed_width() {
    let folder = Folder::new();
    let lines =
        (0..500u64).map(|n| format!("{{\"n\":{n},\"hash\":{}}}\n", (n + 1) << 53 | n)).collect::<String>();
    std::fs::write(folder.path("h.jsonl"), lines).unwrap();
    let types = |name: &str| -> Vec<Value> {
        let layout: Value = serde_json::from_str(&folder.prints(&["layout", "--json", name])).unwrap();
        let parts = layout["parts"].as_array().unwrap().iter();
        parts.filter_map(|part| part.get("type").cloned()).collect()
    };
    folder.notes(&["h.jsonl"]);
    assert_eq!(types("out.trv"), ["long", "long"]);
    folder.notes(&["h.jsonl", "--fixed-integers"]);
    assert_eq!(types("out.trv"), ["long", "fixed64"]);
    folder.prints(&["-q", "recode", "out.trv", "-z", "none", "-o", "again.trv"]);
    assert_eq!(types("again.trv"), ["long", "fixed64"]);
    assert_eq!(
        folder.prints(&["cat", "again.trv"]),
        std::fs::read_to_string(folder.path("h.jsonl")).unwrap()
    );
    let counted = folder.prints(&["count", "again.trv", "-w", "hash >= 9007199254740992 * 401"]);
    assert_eq!(counted, "100\n");
    for command in ["stats", "verify", "info", "size"] {
        folder.prints(&["-q", command, "again.trv"]);
    }
}

#[test]
fn a_schema_of_another_file_takes_its_rows_back() {
    let folder = Folder::new();
    let rows = [
        json!({"Some": {"a": 1}, "x": {"Some": null}, "list": [{"b": null}, {}]}),
        json!({"x": {"Some": 3}}),
        json!({"x": {}, "list": []}),
        json!({"x": null, "Some": {"a": 2}}),
    ];
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    folder.text("in.jsonl", lines);
    assert_eq!(folder.converts(&["in.jsonl"]), rows);
    folder.text("s.avsc", folder.prints(&["schema", "-f", "avro", "out.trv"]));
    // What is absent stays absent, and the schema stays as it is.
    assert_eq!(folder.converts(&["in.jsonl", "-s", "s.avsc"]), rows);
    assert_eq!(
        folder.prints(&["schema", "-f", "avro", "out.trv"]),
        std::fs::read_to_string(folder.path("s.avsc")).unwrap()
    );
    folder.text("null.jsonl", "{\"x\":{},\"Some\":null}\n");
    let (code, error) = folder.refuses(&["null.jsonl", "-s", "s.avsc"]);
    assert!(code == 1 && error.contains("Some: null does not fit"), "{error}");
}

#[test]
fn cells_that_are_empty_may_be_absent() {
    let folder = Folder::new();
    let schema = r#"{"type":"record","name":"R","fields":[
        {"name":"a","type":["null","long"],"serde":"absent"},{"name":"b","type":["null","string"]}]}"#;
    folder.text("s.avsc", schema);
    folder.text("in.csv", "a,b\n1,x\n,\n\"\",\"\"\n");
    let rows = folder.converts(&["in.csv", "-s", "s.avsc"]);
    assert_eq!(rows, [json!({"a": 1, "b": "x"}), json!({"b": null}), json!({"b": ""})]);
}

#[test]
fn values_that_only_the_writer_knows_are_checked() {
    let folder = Folder::new();
    // An option in an option, which no JSON is read as.
    let some = json!({"type": "record", "name": "Some", "namespace": "serde", "serde": "some", "fields": [
        {"name": "value", "type": ["null", {"type": "array", "items": "double"}]}
    ]});
    let schema = json!({"type": "record", "name": "R", "fields": [{"name": "x", "type": [some, "null"]}]});
    folder.text("s.avsc", schema.to_string());
    folder.text("in.jsonl", "{\"x\": [1, 2.50 ]}\n{\"x\":null}\n");
    let rows = folder.converts(&["in.jsonl", "-s", "s.avsc"]);
    assert_eq!(rows, [json!({"x": [1.0, 2.5]}), json!({"x": null})]);
}

/// What is found prints as it was; to Parquet and Avro it is an instant.
#[test]
fn dates_are_found_in_cells() {
    let folder = Folder::new();
    let text = "day,at,utc,js,maybe,word,mixed\n\
        2024-01-01,2024-01-01 10:00,2024-01-01T10:00:00Z,2024-01-01T10:00:00.000Z,,2024-01-01,2024-01-01\n\
        2023-12-31,2024-01-01 10:30,2024-01-01T10:00:01Z,2024-01-01T10:00:00.250Z,2024-02-29,later,2024-01-01 10:00\n";
    folder.text("in.csv", text);
    folder.notes(&["in.csv"]);
    let found = "day date; at local-timestamp-millis; utc timestamp-millis; js timestamp-millis; \
        maybe date?; word string; mixed string";
    assert_eq!(folder.schema(), found);
    for command in ["cat", "head", "sample"] {
        let printed = folder.prints(&[command, "out.trv", "-f", "csv"]);
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&printed), sorted(text), "{command}");
    }
    for args in [
        &["-q", "recode", "out.trv", "-o", "two.trv"][..],
        &["-q", "merge", "out.trv", "-o", "two.trv"],
        &["-q", "query", "out.trv", "-o", "two.trv"],
    ] {
        folder.prints(&[args, &["--force"]].concat());
        assert_eq!(folder.prints(&["cat", "two.trv", "-f", "csv"]), text, "{args:?}");
    }
    assert_eq!(
        folder.prints(&["count", "out.trv", "-w", "day < '2024-01-01' and at = '2024-01-01 10:30'"]),
        "1\n"
    );
    for (option, found) in [("none", "string"), ("%d.%m.%Y", "date")] {
        folder.notes(&["in.csv", "--date-format", option]);
        assert!(folder.schema().starts_with(&format!("day {found};")), "{option}");
    }
    folder.notes(&["in.csv", "--all-strings"]);
    assert!(folder.schema().starts_with("day string;"));
    folder.notes(&["in.csv", "-t", "day=string"]);
    assert!(folder.schema().starts_with("day string; at local-timestamp-millis;"));
}

#[test]
fn dates_have_formats() {
    let folder = Folder::new();
    folder.text("in.csv", "a,b,c,d\n31.12.2023,20240131,1704067200,31.12.2023\n01.01.2024,20240201,0.5,x\n");
    let rows = folder.converts(&[
        "in.csv",
        "--date-format",
        "%d.%m.%Y",
        "--date-format",
        "%Y%m%d",
        "-t",
        "c=timestamp-seconds",
    ]);
    assert_eq!(folder.schema(), "a date; b date; c timestamp-micros; d string");
    assert_eq!(
        rows[0],
        json!({"a": "2023-12-31", "b": "2024-01-31", "c": "2024-01-01T00:00:00Z", "d": "31.12.2023"})
    );
    assert_eq!(rows[1]["c"], json!("1970-01-01T00:00:00.500Z"));
    let rows = folder.converts(&["in.csv", "-t", "a=%d.%m.%Y"]);
    assert_eq!((&rows[0]["a"], &rows[0]["b"]), (&json!("2023-12-31"), &json!(20_240_131)));
    let (code, error) = folder.refuses(&["in.csv", "-t", "d=%d.%m.%Y"]);
    assert!(code == 1 && error.contains("in.csv line 3: d: string \"x\" does not fit date"), "{error}");
    let (code, error) = folder.refuses(&["in.csv", "--date-format", "%H:%M"]);
    assert!(code == 2 && error.contains("\"%H:%M\" is not a format of dates: it has no date"), "{error}");
    folder.text("in.jsonl", "{\"at\": 1704067200.25, \"day\": \"31.12.2023\"}\n");
    let rows = folder.converts(&["in.jsonl", "-t", "at=timestamp-seconds", "-t", "day=%d.%m.%Y"]);
    assert_eq!(rows, [json!({"at": "2024-01-01T00:00:00.250Z", "day": "2023-12-31"})]);
}
