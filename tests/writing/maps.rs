//! Objects with open keys, which are maps.

use serde_json::{Value, json};
use trevni::{Dataset, DatasetWriter, Reader, Writer, WriterBuilder, from_slice};

pub(crate) fn written(builder: WriterBuilder, rows: &[Value]) -> trevni::Result<Vec<u8>> {
    let mut writer = builder.without_drop_notice().build(Vec::new())?;
    rows.iter().try_for_each(|row| writer.write(row))?;
    writer.finish()
}

pub(crate) fn columns(file: &[u8]) -> Vec<String> {
    Reader::from_slice(file).unwrap().columns().iter().map(|column| column.name().to_owned()).collect()
}

#[test]
fn open_keys_are_two_columns() {
    let row = |n: u64| json!({"day": n, "visits": {(format!("user {n}")): {"count": n, "pages": [n]}}, "a.b": {"c": {(n.to_string()): "x"}}});
    let rows: Vec<Value> = (0..2000).map(row).collect();
    let file = written(Writer::builder().map("visits").map("`a.b`.c"), &rows).unwrap();
    let names = columns(&file);
    assert!(names.len() < 12, "{names:?}");
    assert_eq!(from_slice::<Vec<Value>>(&file).unwrap(), rows);
}

/// Where the objects cannot become maps: a path of the options is of one of their keys.
#[test]
fn too_many_keys_say_what_to_write() {
    let open = || -> Value { (0..10_001).map(|n| (n.to_string(), json!(n))).collect() };
    let error = |path: &str, row: Value| {
        let path = [path, if path.is_empty() { "`0`" } else { ".`0`" }].concat();
        let builder = Writer::builder().column_codec(&path, trevni::Codec::Deflate);
        let mut writer = builder.without_drop_notice().build(Vec::new()).unwrap();
        writer.write(&json!({})).unwrap();
        let error = writer.write(&row).unwrap_err().to_string();
        writer.write(&json!({})).unwrap();
        assert!(error.starts_with("row 1") && error.contains("more than 10000 different keys"), "{error}");
        error
    };
    assert!(error("", open()).contains(r#"WriterBuilder::map("")"#));
    let found = error("`a.b`.users", json!({"a.b": {"users": open()}}));
    assert!(found.contains(r#"WriterBuilder::map("`a.b`.users")"#));
    let found = error("list.users", json!({"list": [{"users": open()}]}));
    assert!(found.contains(r#"WriterBuilder::map("list.users")"#));
    // With what the error says.
    let row = json!({"a.b": {"users": open()}});
    let file = written(Writer::builder().map("`a.b`.users"), std::slice::from_ref(&row)).unwrap();
    assert_eq!(from_slice::<Vec<Value>>(&file).unwrap(), [row]);
}

/// A few in each row.
#[test]
fn too_many_keys_of_many_rows_say_what_to_write() {
    let builder = Writer::builder().batch_rows(7).column_codec("users.`1`", trevni::Codec::Deflate);
    let mut writer = builder.without_drop_notice().build(Vec::new()).unwrap();
    let users =
        |n: u64| -> Value { (n * 500..n * 500 + 500).map(|key| (key.to_string(), json!(n))).collect() };
    (0..20).for_each(|n| writer.write(&json!({"n": n, "users": users(n)})).unwrap());
    let error = writer.write(&json!({"n": 20, "users": users(20)})).unwrap_err().to_string();
    assert!(
        error.starts_with("row 20, users") && error.contains(r#"WriterBuilder::map("users")"#),
        "{error}"
    );
}

#[test]
fn maps_are_in_lists() {
    let event = |n: u64| json!({"users": {(format!("u{n}")): n}, "names": [[], [{(format!("n{n}")): "x"}]]});
    let row = |n: u64| match n % 4 {
        0 => json!({"n": n}),
        1 => json!({"n": n, "events": null}),
        2 => json!({"n": n, "events": []}),
        _ => json!({"n": n, "events": [event(n), null, event(n + 1)]}),
    };
    let rows: Vec<Value> = (0..2000).map(row).collect();
    for skipped in 0..4 {
        let builder = Writer::builder().map("events.users").map("events.names").batch_rows(900);
        let file = written(builder, &rows[skipped..]).unwrap();
        let shape = Reader::from_slice(&file).unwrap().shape().to_string();
        assert!(!shape.contains("union") && shape.matches("map of").count() == 2, "{shape}");
        assert_eq!(from_slice::<Vec<Value>>(&file).unwrap(), rows[skipped..]);
    }
    let rows: Vec<Value> = (0..100).map(|n| json!([{(format!("k{n}")): n}, {}])).collect();
    let file = written(Writer::builder().map(""), &rows).unwrap();
    assert_eq!(Reader::from_slice(&file).unwrap().shape().to_string(), "list of map of long");
    assert_eq!(from_slice::<Vec<Value>>(&file).unwrap(), rows);
    // Lists that come after the first batch are beside what was wanted.
    let mut rows: Vec<Value> = (0..10).map(|n| json!({"n": n})).collect();
    rows.push(json!({"events": [{"users": {"u1": 1}}]}));
    let file = written(Writer::builder().map("events.users").batch_rows(5), &rows).unwrap();
    assert_eq!(from_slice::<Vec<Value>>(&file).unwrap(), rows);
}

#[test]
fn rows_are_maps() {
    let rows: Vec<Value> = (0..100).map(|n| json!({(format!("k{n}")): n})).collect();
    let file = written(Writer::builder().map(""), &rows).unwrap();
    assert_eq!(columns(&file).len(), 3);
    assert_eq!(from_slice::<Vec<Value>>(&file).unwrap(), rows);
}

#[test]
fn fields_may_lack_and_be_null_and_something_else() {
    let rows = [
        json!({"m": {"a": 1}}),
        json!({}),
        json!({"m": null}),
        json!({"m": {}}),
        json!({"m": {"b": "text"}, "n": 1}),
        json!({"m": 7}),
        json!([1]),
    ];
    for count in 1..=rows.len() {
        let file = written(Writer::builder().map("m"), &rows[..count]).unwrap();
        assert_eq!(from_slice::<Vec<Value>>(&file).unwrap(), rows[..count]);
    }
}

#[test]
fn parts_of_a_dataset_have_maps() {
    let folder = std::env::temp_dir().join(format!("trevni-maps-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let options = DatasetWriter::builder().part_rows(3).writer(Writer::builder().map("m"));
    let mut writer = options.create(&folder).unwrap();
    let rows: Vec<Value> = (0..10).map(|n| json!({"n": n, "m": {(format!("k{n}")): n}})).collect();
    rows.iter().for_each(|row| writer.write(row).unwrap());
    writer.finish().unwrap();
    let dataset = Dataset::open(&folder).unwrap();
    let shape = dataset.shape().to_string();
    assert!(shape.contains("map") && !shape.contains("k1"), "{shape}");
    let found: Vec<Value> = dataset.rows().unwrap().collect::<trevni::Result<_>>().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(found, rows);
}

#[test]
fn paths_that_cannot_be_are_refused() {
    for builder in [
        Writer::builder().map("a").map("a.b"),
        Writer::builder().map("").map("a"),
        Writer::builder().map("`a"),
        Writer::builder().map("a").shape(&trevni::Shape::Int),
    ] {
        assert_eq!(builder.build(Vec::new()).map(drop).unwrap_err().category(), trevni::Category::Misuse);
    }
}
