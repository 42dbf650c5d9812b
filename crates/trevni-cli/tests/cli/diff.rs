//! diff: what differs between two files, against what is known of their rows.

use super::{Folder, flights};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The exit code and what is printed.
fn diff(folder: &Folder, args: &[&str]) -> (Option<i32>, String) {
    let output = folder.trevni(&[&["diff"], args].concat()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.is_empty(), "{args:?}: {error}");
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

fn report(folder: &Folder, args: &[&str]) -> Value {
    let (code, text) = diff(folder, &[args, &["--json"]].concat());
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(code, Some(if report["equal"] == true { 0 } else { 1 }), "{text}");
    report
}

#[test]
fn equal_files_do_not_differ() {
    let folder = Folder::with_flights();
    folder.write("same.trv", flights(1000));
    // Other blocks, another format, another codec.
    folder.prints(&["-q", "recode", "same.trv", "-o", "other.redelm", "-z", "none"]);
    folder.prints(&["-q", "recode", "same.trv", "-o", "large.trv", "--block-size", "1MiB"]);
    for other in ["same.trv", "other.redelm", "large.trv", "flights.trv"] {
        for key in [&[][..], &["--key", "flight"]] {
            let (code, text) = diff(&folder, &[&["flights.trv", other], key].concat());
            assert_eq!((code, text.as_str()), (Some(0), "1,000 rows equal\n"), "{other}");
        }
    }
}

#[test]
fn fields_and_rows_are_told() {
    let folder = Folder::new();
    folder.write(
        "a.trv",
        [
            json!({"id": 1, "n": 1, "t": "x", "old": true}),
            json!({"id": 2, "n": 2, "t": "y", "old": true}),
            json!({"id": 3, "n": 3, "t": null, "old": false}),
        ],
    );
    folder.write(
        "b.trv",
        [
            json!({"id": 1, "n": 1.0, "t": "x", "new": {"a": 1}}),
            json!({"id": 4, "n": 2.5, "t": "y", "new": {"a": 2}}),
        ],
    );
    let (code, text) = diff(&folder, &["a.trv", "b.trv"]);
    let expected = "\
~ field n: int64 → float64
~ field t: string? → string
- field old: boolean
+ field new: struct
+ field new.a: int64
~ row 2
    id: 2 → 4
    n: 2 → 2.5
- row 3: {\"id\":3,\"n\":3}
5 fields changed, 1 row equal, 1 changed, 1 removed
";
    assert_eq!((code, text.as_str()), (Some(1), expected));
    let (code, text) = diff(&folder, &["a.trv", "b.trv", "--key", "id", "-c", "id,n"]);
    let expected = "\
~ field n: int64 → float64
- row 2: {\"id\":2,\"n\":2}
- row 3: {\"id\":3,\"n\":3}
+ row 2: {\"id\":4,\"n\":2.5}
1 field changed, 1 row equal, 2 removed, 1 added
";
    assert_eq!((code, text.as_str()), (Some(1), expected));
    let (code, text) = diff(&folder, &["a.trv", "b.trv", "-w", "id = 1", "-c", "id,t"]);
    assert_eq!((code, text.lines().last()), (Some(1), Some("1 field changed, 1 row equal")));
    let (code, text) = diff(&folder, &["a.trv", "a.trv", "-n", "0", "--key", "id,t"]);
    assert_eq!((code, text.as_str()), (Some(0), "3 rows equal\n"));
}

#[test]
fn only_some_rows_are_shown_and_all_are_counted() {
    let folder = Folder::with_flights();
    let changed = flights(1200).into_iter().map(|mut row| {
        row["dep_delay"] = json!(-77.5);
        row
    });
    folder.write("changed.trv", changed);
    for key in [&[][..], &["--key", "flight"]] {
        let (code, text) = diff(&folder, &[&["flights.trv", "changed.trv", "-n", "3"], key].concat());
        assert_eq!(code, Some(1));
        assert_eq!(text.matches("~ ").count() - text.matches("~ field").count(), 3, "{text}");
        assert!(text.contains("\n… 1,197 rows more: -n 1200\n"), "{text}");
        assert!(text.ends_with("0 rows equal, 1,000 changed, 200 added\n"), "{text}");
        let report = report(&folder, &[&["flights.trv", "changed.trv", "-n", "2"], key].concat());
        assert_eq!(report["rows"], json!({"equal": 0, "changed": 1000, "removed": 0, "added": 200}));
        assert_eq!(report["differences"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn logical_types_are_compared_as_texts() {
    let folder = Folder::new();
    std::fs::write(
        folder.path("in.jsonl"),
        "{\"id\":1,\"when\":\"2013-01-01T05:00:00Z\"}\n{\"id\":2,\"when\":\"2013-01-02T05:00:00Z\"}\n",
    )
    .unwrap();
    for (name, kind) in [("millis.trv", "when=timestamp-millis"), ("micros.trv", "when=timestamp-micros")] {
        folder.prints(&["-q", "convert", "in.jsonl", "-o", name, "-t", kind]);
    }
    folder.prints(&["-q", "convert", "in.jsonl", "-o", "text.trv"]);
    for other in ["micros.trv", "text.trv"] {
        let report = report(&folder, &["millis.trv", other, "--key", "when"]);
        assert_eq!(report["rows"]["equal"], 2, "{report}");
        assert_eq!(report["schema"][0]["path"], "when", "{report}");
    }
}

#[test]
fn trouble_has_another_exit_code() {
    let folder = Folder::with_flights();
    std::fs::write(folder.path("text"), "no file").unwrap();
    for (args, code, message) in [
        (&["flights.trv", "nowhere.trv"][..], 2, "nowhere.trv"),
        (&["flights.trv", "text"], 3, "text is not a Trevni file"),
        (&["flights.trv", "flights.trv", "--key", "nothing"], 2, "no field \"nothing\""),
        (&["flights.trv", "flights.trv", "--key", "flight", "-c", "carrier"], 2, "flight"),
        (&["flights.trv", "flights.trv", "-w", "nothing = 3"], 2, "no field"),
        (&["flights.trv"], 2, "<AFTER>"),
    ] {
        let output = folder.trevni(&[&["diff"], args].concat()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
        assert!(error.contains(message) && output.stdout.is_empty(), "{args:?}: {error}");
    }
}

#[test]
fn data_does_not_steer_what_is_shown() {
    let folder = Folder::new();
    folder.write("a.trv", [json!({"a\u{1b}[31m": "x\u{202e}"})]);
    folder.write("b.trv", [json!({"a\u{1b}[31m": "y\u{7}"})]);
    let (_, text) = diff(&folder, &["a.trv", "b.trv"]);
    assert!(text.chars().all(|c| c == '\n' || (!c.is_control() && c != '\u{202e}')), "{text:?}");
}

/// A row: an id, which may come again, and cells that may be missing.
fn row() -> impl Strategy<Value = Value> {
    let cell = prop_oneof![Just(Value::Null), (0..3i64).prop_map(Value::from), Just(json!(0.5))];
    (0..8i64, cell.clone(), prop::collection::vec(cell, 0..3))
        .prop_map(|(id, a, list)| json!({"id": id, "a": a, "list": list}))
}

/// The rows of each id, in their order.
fn by_id(rows: &[Value]) -> BTreeMap<i64, Vec<&Value>> {
    let mut all = BTreeMap::<i64, Vec<&Value>>::new();
    rows.iter().for_each(|row| all.entry(row["id"].as_i64().unwrap()).or_default().push(row));
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_counted_as_in_a_model(
        before in prop::collection::vec(row(), 1..30),
        after in prop::collection::vec(row(), 1..30),
    ) {
        let folder = Folder::new();
        folder.write("a.trv", &before);
        folder.write("b.trv", &after);
        let all = before.len().max(after.len());
        let (both, equal) = (before.len().min(after.len()), before.iter().zip(&after).filter(|(one, other)| one == other).count());
        let found = report(&folder, &["a.trv", "b.trv", "-n", "100"]);
        prop_assert_eq!(&found["rows"], &json!({"equal": equal, "changed": both - equal, "removed": before.len() - both, "added": after.len() - both}));
        prop_assert_eq!(found["differences"].as_array().unwrap().len(), all - equal);

        let (olds, news) = (by_id(&before), by_id(&after));
        let mut counts = [0; 4];
        for id in 0..8 {
            let (one, other) = (olds.get(&id).map_or(&[][..], Vec::as_slice), news.get(&id).map_or(&[][..], Vec::as_slice));
            let same = one.iter().zip(other).filter(|(one, other)| one == other).count();
            let both = one.len().min(other.len());
            let own = [same, both - same, one.len() - both, other.len() - both];
            counts.iter_mut().zip(own).for_each(|(count, own)| *count += own);
        }
        let [equal, changed, removed, added] = counts;
        let found = report(&folder, &["a.trv", "b.trv", "--key", "id", "-n", "100"]);
        prop_assert_eq!(&found["rows"], &json!({"equal": equal, "changed": changed, "removed": removed, "added": added}));
        for difference in found["differences"].as_array().unwrap() {
            match difference["change"].as_str().unwrap() {
                "removed" => {
                    let row = &before[difference["row"].as_u64().unwrap() as usize];
                    prop_assert_eq!(&difference["cells"], row);
                }
                "added" => {
                    let row = &after[difference["row"].as_u64().unwrap() as usize];
                    prop_assert_eq!(&difference["cells"], row);
                }
                _ => {
                    let place = |at: usize| difference["rows"][at].as_u64().unwrap() as usize;
                    let (one, other) = (&before[place(0)], &after[place(1)]);
                    prop_assert_eq!(&one["id"], &other["id"]);
                    prop_assert_eq!(&difference["key"]["id"], &one["id"]);
                    for (name, values) in difference["cells"].as_object().unwrap() {
                        prop_assert_eq!(values, &json!([one[name], other[name]]));
                        prop_assert!(one[name] != other[name]);
                    }
                }
            }
        }
    }
}
