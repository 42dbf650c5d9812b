//! Reads some of a file's fields: by Rust types, and by paths.

use crate::data;
use crate::json::Json;
use crate::schema::Schema;
use crate::values::untagged;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use trevni::Reader;

/// The paths of a schema's values: names of fields joined by dots; maps have `key` and `value`,
/// unions the names of their branches, and arrays and `["null", T]` are passed through.
fn paths(schema: &Schema, path: &str, out: &mut Vec<String>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match schema {
        Schema::Record { fields, .. } if !fields.is_empty() => {
            fields.iter().for_each(|(name, field)| paths(field, &below(name), out));
        }
        Schema::Array(items) => paths(items, path, out),
        Schema::Map(values) => {
            out.push(below("key"));
            paths(values, &below("value"), out);
        }
        Schema::Union(branches) => match optional(branches) {
            Some(branch) => paths(branch, path, out),
            None => {
                for branch in branches.iter().filter(|branch| **branch != Schema::Null) {
                    paths(branch, &below(short(branch)), out);
                }
            }
        },
        _ => out.push(path.to_owned()),
    }
}

/// The branch of a union that has only one beside null.
fn optional(branches: &[Schema]) -> Option<&Schema> {
    match branches {
        [Schema::Null, branch] | [branch, Schema::Null] => Some(branch),
        _ => None,
    }
}

/// The name of a branch without its namespace.
fn short(branch: &Schema) -> &str {
    branch.name().rsplit('.').next().unwrap()
}

fn paths_of(schema: &Schema) -> Vec<String> {
    let mut out = Vec::new();
    paths(schema, "", &mut out);
    out
}

/// The schema and the rows that reading with it gives.
fn expected(tag: &str) -> (Schema, Vec<Json>) {
    let schema = Schema::parse(&data::text(&format!("proj.{tag}.avsc")));
    (schema, data::lines(&format!("proj.{tag}.jsonl")))
}

/// Rows of a type that has the fields of a read schema.
fn typed<T: DeserializeOwned>() -> Vec<T> {
    let bytes = data::named("proj").bytes();
    let all: Vec<T> = trevni::from_slice(&bytes).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!(all.len(), reader.rows::<T>().unwrap().map(Result::unwrap).count());
    all
}

/// The same rows by paths, as values.
fn compare_paths(tag: &str) {
    let (schema, lines) = expected(tag);
    let bytes = data::named("proj").bytes();
    let reader = Reader::from_slice(&bytes).unwrap().project(paths_of(&schema)).unwrap();
    let rows: Vec<Value> = reader.rows().unwrap().map(Result::unwrap).collect();
    let expected: Vec<Value> = lines.iter().map(|line| untagged(&schema, line)).collect();
    assert_eq!(rows, expected, "{tag}");
    // Batches too have nothing else.
    let mut in_batches = Vec::new();
    for batch in reader.batches().unwrap() {
        in_batches.extend(batch.unwrap().rows::<Value>().map(Result::unwrap));
    }
    assert_eq!(in_batches, expected, "{tag}");
}

/// Compares what a Rust type keeps of the rows with Java's.
fn compare_types<T: DeserializeOwned>(tag: &str, json: impl Fn(&T) -> Value) {
    let (schema, lines) = expected(tag);
    let found: Vec<Value> = typed::<T>().iter().map(json).collect();
    let expected: Vec<Value> = lines.iter().map(|line| untagged(&schema, line)).collect();
    assert_eq!(found, expected, "{tag}");
}

#[test]
fn fewer_fields_in_another_order() {
    #[derive(Deserialize)]
    struct Order {
        paid: bool,
        lines: Vec<Line>,
    }
    #[derive(Deserialize)]
    struct Line {
        gift: bool,
        sku: String,
    }
    compare_types("sub", |order: &Order| {
        let lines: Vec<Value> =
            order.lines.iter().map(|line| json!({"gift": line.gift, "sku": line.sku})).collect();
        json!({"paid": order.paid, "lines": lines})
    });
    compare_paths("sub");
}

#[test]
fn one_field() {
    #[derive(Deserialize)]
    struct Order {
        customer: String,
    }
    compare_types("sub2", |order: &Order| json!({"customer": order.customer}));
    compare_paths("sub2");
}

#[test]
fn a_list_within_a_list() {
    #[derive(Deserialize)]
    struct Order {
        no: i64,
        lines: Vec<Line>,
    }
    #[derive(Deserialize)]
    struct Line {
        notes: Vec<String>,
    }
    compare_types("sub3", |order: &Order| {
        let lines: Vec<Value> = order.lines.iter().map(|line| json!({"notes": line.notes})).collect();
        json!({"no": order.no, "lines": lines})
    });
    compare_paths("sub3");
}

#[test]
fn new_fields_with_defaults() {
    #[derive(Deserialize)]
    struct Order {
        no: i32,
        customer: String,
        lines: Vec<Line>,
        #[serde(default = "web")]
        channel: String,
        score: Option<i32>,
    }
    #[derive(Deserialize)]
    struct Line {
        sku: String,
    }
    fn web() -> String {
        "web".to_owned()
    }
    compare_types("evolved", |order: &Order| {
        let lines: Vec<Value> = order.lines.iter().map(|line| json!({"sku": line.sku})).collect();
        json!({
            "no": order.no,
            "customer": order.customer,
            "lines": lines,
            "channel": order.channel,
            "score": order.score,
        })
    });
}

#[test]
fn paths_of_new_fields_are_not_there() {
    let (schema, lines) = expected("evolved");
    let bytes = data::named("proj").bytes();
    let reader = Reader::from_slice(&bytes).unwrap();
    let (old, new): (Vec<String>, Vec<String>) =
        paths_of(&schema).into_iter().partition(|path| reader.project([path]).is_ok());
    assert_eq!(
        (old.as_slice(), new.as_slice()),
        (&["no", "customer", "lines.sku"].map(String::from)[..], &["channel", "score"].map(String::from)[..])
    );
    let rows = reader.project(old).unwrap().rows::<Value>().unwrap();
    for (row, line) in rows.zip(&lines) {
        let mut expected = untagged(&schema, line);
        new.iter().for_each(|path| drop(expected.as_object_mut().unwrap().remove(path)));
        assert_eq!(row.unwrap(), expected);
    }
    let error = reader.project(&new).unwrap_err();
    assert_eq!(error.category(), trevni::Category::Misuse, "{error}");
}

#[test]
fn every_path_of_every_file_can_be_read_alone() {
    let mut count = 0;
    for golden in data::with_schema() {
        let bytes = golden.bytes();
        let reader = Reader::from_slice(&bytes).unwrap();
        let (schema, lines) = (golden.schema(), golden.lines());
        for path in paths_of(&schema) {
            // Two branches of this name have different fields: the next test.
            if path.is_empty() || path.starts_with("u.Thing.") {
                continue;
            }
            let part = reader.project([&path]).unwrap_or_else(|error| panic!("{}: {error}", golden.name));
            let names: Vec<&str> = path.split('.').collect();
            let rows = part.rows::<Value>().unwrap();
            assert_eq!(rows.size_hint().1, Some(lines.len()));
            for (number, (row, line)) in rows.zip(&lines).enumerate() {
                assert_eq!(row.unwrap(), only(&schema, line, &names), "{} {path}, row {number}", golden.name);
            }
            count += 1;
        }
    }
    assert!(count > 150, "{count}");
}

#[test]
fn branches_of_the_same_short_name() {
    let golden = data::with_schema().into_iter().find(|golden| golden.name == "namespaces").unwrap();
    let bytes = golden.bytes();
    let reader = Reader::from_slice(&bytes).unwrap();
    let columns = |path: &str| -> Vec<Value> {
        let rows: Vec<Value> = reader.project([path]).unwrap().rows().unwrap().map(Result::unwrap).collect();
        rows.into_iter().filter(|row| !row["u"].is_null()).collect()
    };
    let short = columns("u.Thing.v");
    assert!(!short.is_empty() && short.iter().all(|row| row["u"]["v"].is_i64()), "{short:?}");
    assert_eq!(columns("u.net.sample.Thing.v"), short);
    assert!(columns("u.org.other.Thing").iter().all(|row| row["u"]["w"].is_string()));
    let error = reader.project(["u.Thing.x"]).unwrap_err().to_string();
    assert!(error.contains("u.Thing.x"), "{error}");
}

#[test]
fn some_branches_of_a_union() {
    let golden = data::named("union_of_all");
    let bytes = golden.bytes();
    let reader = Reader::from_slice(&bytes).unwrap();
    let reader = reader.project(["u.Point.y", "u.string", "after", "u.int"]).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for (row, line) in reader.rows::<Value>().unwrap().zip(golden.lines()) {
        let u = match line.get("u").unwrap() {
            Json::Object(entries) => match (entries[0].0.as_str(), &entries[0].1) {
                ("Point", point) => json!({"y": point.get("y").unwrap().integer::<i32>()}),
                ("string", text) => json!(text.text()),
                ("int", number) => json!(number.integer::<i32>()),
                _ => Value::Null,
            },
            _ => Value::Null,
        };
        seen.insert(u.is_object() as u8 + 2 * u.is_string() as u8 + 4 * u.is_number() as u8);
        assert_eq!(row.unwrap(), json!({"u": u, "after": line.get("after").unwrap().integer::<i32>()}));
    }
    assert_eq!(seen.len(), 4);
}

/// A value with what a path names only, on each level.
fn only(schema: &Schema, json: &Json, path: &[&str]) -> Value {
    match (schema, path) {
        (Schema::Array(items), _) => json.items().iter().map(|item| only(items, item, path)).collect(),
        (Schema::Record { fields, .. }, [name, rest @ ..]) => {
            let (_, field) = fields.iter().find(|(field, _)| field == name).unwrap();
            std::iter::once(((*name).to_owned(), only(field, json.get(name).unwrap(), rest))).collect()
        }
        // The keys stay, or there would be no map.
        (Schema::Map(values), ["value", rest @ ..]) => {
            json.entries().iter().map(|(key, value)| (key.clone(), only(values, value, rest))).collect()
        }
        (Schema::Union(branches), _) => {
            let (branch, value) = Schema::branch(branches, json);
            match (optional(branches), path) {
                _ if *branch == Schema::Null => Value::Null,
                (Some(_), _) => only(branch, value, path),
                (None, [name, rest @ ..]) if short(branch) == *name => only(branch, value, rest),
                // Rows of other branches have no value.
                (None, [_, ..]) => Value::Null,
                (None, []) => untagged(branch, value),
            }
        }
        _ => untagged(schema, json),
    }
}
