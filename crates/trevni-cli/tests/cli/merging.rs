//! Files of one tool are one table, whatever was in their rows.

use crate::Folder;
use proptest::prelude::*;
use serde_json::{Value, json};
use trevni::{Shape, Writer};

#[test]
fn months_with_other_types_are_merged() {
    let folder = Folder::new();
    let months = [
        ("jan", "d,v,note\n2024-01-01,1,\n2024-01-02,2,\n"),
        ("feb", "d,v,note,extra\n2024-02-01,1.5,a,true\n"),
        ("mar", "note,d,v\n,2024-03-01,\n"),
    ];
    for (month, rows) in months {
        std::fs::write(folder.path(&format!("{month}.csv")), rows).unwrap();
        folder.prints(&["-q", "convert", &format!("{month}.csv"), "-o", &format!("{month}.trv")]);
    }
    let orders = [["jan.trv", "feb.trv", "mar.trv"], ["mar.trv", "jan.trv", "feb.trv"]];
    for order in orders {
        let args = [&["-q", "merge"], &order[..], &["-o", "all.trv", "--force"]].concat();
        folder.prints(&args);
        folder.prints(&["verify", "all.trv"]);
        assert_eq!(folder.prints(&["count", "all.trv"]).trim(), "4");
        let sum = folder.prints(&[
            "query",
            "all.trv",
            "-a",
            "sum(v)",
            "-a",
            "count(v)",
            "-a",
            "count(extra)",
            "-f",
            "csv",
        ]);
        assert!(sum.ends_with("4.5,3,1\n"), "{sum}");
        let days = folder.prints(&[
            "query",
            "all.trv",
            "-c",
            "d",
            "-w",
            "d >= '2024-02-01'",
            "-s",
            "d",
            "-f",
            "csv",
        ]);
        assert_eq!(days, "d\n2024-02-01\n2024-03-01\n");
    }
}

/// Merges files, and gives what is said.
#[track_caller]
fn merged(folder: &Folder, args: &[&str]) -> String {
    let output = folder.trevni(&[&["merge", "-o", "all.trv", "--force"], args].concat()).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{error}");
    error
}

fn rows(folder: &Folder, path: &str) -> Vec<Value> {
    folder.prints(&["cat", path]).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn what_is_widened_is_told() {
    let folder = Folder::new();
    let file = |name: &str, fields: &[(&'static str, Shape)], rows: &[Value]| {
        let shape = Shape::record("Row", fields.iter().cloned());
        let mut writer = Writer::builder().shape(&shape).create(folder.path(name)).unwrap();
        writer.write_all(rows).unwrap();
        writer.finish().unwrap();
    };
    file(
        "one.trv",
        &[
            ("id", Shape::Int),
            ("x", Shape::Float),
            ("same", Shape::String),
            ("s", Shape::record("S", [("a", Shape::Int)])),
        ],
        &[json!({"id": 1, "x": 0.5, "same": "a", "s": {"a": 1}})],
    );
    file(
        "two.trv",
        &[
            ("id", Shape::Long),
            ("x", Shape::Double),
            ("same", Shape::String),
            ("note", Shape::optional(Shape::String)),
        ],
        &[json!({"id": 1i64 << 40, "x": 0.1, "same": "b", "note": null})],
    );
    let error = merged(&folder, &["one.trv", "two.trv"]);
    assert!(
        error.ends_with(
            "all.trv: types differ: id: int32, int64 → int64; x: float32, float64 → float64; s: struct, no field → struct?\n"
        ) && error.lines().count() == 2,
        "{error}"
    );
    assert_eq!(
        rows(&folder, "all.trv"),
        [
            json!({"id": 1, "x": 0.5, "same": "a", "s": {"a": 1}}),
            json!({"id": 1i64 << 40, "x": 0.1, "same": "b", "note": null}),
        ]
    );
    // The blocks of what does not change are copied.
    assert!(error.contains(": 2 rows of 2 files, ") && !error.contains(" 0 blocks copied"), "{error}");
    // Nothing is told where nothing differs.
    assert_eq!(merged(&folder, &["one.trv", "one.trv"]).lines().count(), 1);
    for output in ["all.csv", "all.redelm"] {
        folder.prints(&["-q", "merge", "one.trv", "two.trv", "-o", output]);
        assert_eq!(folder.prints(&["-q", "count", output]), "2\n");
    }
}

#[test]
fn types_without_one_in_common_are_told_refused_or_strings() {
    let folder = Folder::new();
    folder.write("one.trv", [json!({"id": 1, "v": 7})]);
    folder.write("two.trv", [json!({"id": 2, "v": "seven"})]);
    let files = ["one.trv", "two.trv"];
    let error = merged(&folder, &files);
    assert!(error.contains("types differ: v: int64, string → union<int64, string>"), "{error}");
    assert_eq!(rows(&folder, "all.trv"), [json!({"id": 1, "v": 7}), json!({"id": 2, "v": "seven"})]);
    for (form, seven) in [("json", "\"seven\""), ("string", "seven")] {
        merged(&folder, &[&files[..], &["--mixed", form]].concat());
        assert_eq!(rows(&folder, "all.trv"), [json!({"id": 1, "v": "7"}), json!({"id": 2, "v": seven})]);
        assert!(folder.prints(&["verify", "all.trv"]).starts_with("ok"));
    }
    let error = folder.fails(&["merge", "one.trv", "two.trv", "-o", "no.trv", "--mixed", "error"]);
    assert!(
        error.contains("v has values of several types: int64 in one.trv, string in two.trv\n")
            && error.contains("--mixed union, json or string"),
        "{error}"
    );
    assert!(!folder.path("no.trv").exists());
}

/// The shapes that a field has in some file.
fn kind() -> impl Strategy<Value = Option<Shape>> {
    let shapes = [Shape::Int, Shape::Long, Shape::Float, Shape::Double, Shape::String, Shape::Boolean];
    let lists = [Shape::list(Shape::Int), Shape::list(Shape::Double)];
    let all: Vec<Shape> = shapes.into_iter().chain(lists).collect();
    let optional = |(shape, null): (Shape, bool)| if null { Shape::optional(shape) } else { shape };
    prop::option::weighted(0.8, (prop::sample::select(all), any::<bool>()).prop_map(optional))
}

/// A value of a shape, by a number.
fn value(shape: &Shape, n: i64) -> Value {
    match shape {
        Shape::Int => json!(n % 1000),
        Shape::Long => json!(n << 30),
        Shape::Float => json!(n as f64 / 4.0),
        Shape::Double => json!(n as f64 / 1024.0 + 1e9),
        Shape::Boolean => json!(n % 2 == 0),
        Shape::List(item) => (0..n % 3).map(|k| value(item, n + k)).collect(),
        Shape::Optional(optional) if n % 3 != 0 => value(&optional.item, n),
        Shape::Optional(_) => Value::Null,
        _ => json!(format!("s{n}")),
    }
}

/// Whether two values are equal, numbers as numbers.
fn is_same(one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::Number(one), Value::Number(two)) => one.as_f64() == two.as_f64(),
        (Value::Array(one), Value::Array(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| is_same(one, two))
        }
        (one, two) => one == two,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn rows_of_all_files_come_in_order(
        files in prop::collection::vec((prop::collection::vec(kind(), 3), 0i64..5, 1i64..90), 2..4)
    ) {
        let folder = Folder::new();
        let (mut expected, mut names) = (Vec::new(), Vec::new());
        for (number, (kinds, count, first)) in files.iter().enumerate() {
            let fields = ["a", "b", "c"].into_iter().zip(kinds);
            let fields: Vec<_> = fields.filter_map(|(name, kind)| Some((name, kind.clone()?))).collect();
            names.push(format!("{number}.trv"));
            let shape = Shape::record("Row", fields.iter().cloned());
            let mut writer =
                Writer::builder().shape(&shape).block_size(8).create(folder.path(&names[number])).unwrap();
            for n in *first..first + count {
                let row: Value = fields.iter().map(|(name, kind)| (name.to_string(), value(kind, n))).collect();
                writer.write(&row).unwrap();
                expected.push(row);
            }
            writer.finish().unwrap();
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        merged(&folder, &names);
        let found = rows(&folder, "all.trv");
        prop_assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            for field in ["a", "b", "c"] {
                let (one, two) = (found.get(field), expected.get(field));
                let same = match (one, two) {
                    (Some(one), Some(two)) => is_same(one, two),
                    (one, None) => one.is_none_or(Value::is_null),
                    (None, Some(two)) => two.is_null(),
                };
                prop_assert!(same, "{} in {} for {}", field, found, expected);
            }
        }
        prop_assert!(folder.prints(&["verify", "all.trv"]).starts_with("ok"));
    }
}
