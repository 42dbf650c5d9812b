//! What parts call a field, and which may lack it.

use super::{Folder, all, assert_contains, in_memory};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use trevni::merge::Merge;
use trevni::{Dataset, DatasetWriter, Dialect, Predicate, Reader, Shape, Writer, col, item};

fn files(parts: &[&[Value]]) -> Vec<Vec<u8>> {
    parts.iter().map(|rows| trevni::to_vec(*rows).unwrap()).collect()
}

/// Three ages of rows: names at the top, within records, and within lists of records.
fn ages() -> Vec<Vec<u8>> {
    files(&[
        &[
            json!({"user_name": "ada", "address": {"postcode": 1, "city": "x"}, "hops": [{"hostname": "a", "ms": 1}]}),
        ],
        &[json!({"user": "bob", "address": {"postcode": 2, "city": "y"}, "hops": [{"host": "b", "ms": 2}]})],
        &[json!({"user": "cid", "address": {"zip": 3, "city": "z"}, "hops": [{"host": "c", "ms": 3}]})],
    ])
}

/// The numbers of the rows for which a predicate is true.
fn matched(dataset: &Dataset<'_>, predicate: Predicate) -> Vec<u64> {
    let rows = dataset.filter(predicate).unwrap().matching().unwrap();
    rows.ranges().iter().cloned().flatten().collect()
}

fn aliased(files: &[Vec<u8>]) -> Dataset<'_> {
    let dataset = in_memory(files).unwrap().alias("user", "user_name").unwrap();
    dataset.alias("address.zip", "address.postcode").unwrap().alias("hops.host", "hops.hostname").unwrap()
}

#[test]
fn aliases_hold_for_all_that_takes_a_name() {
    let files = ages();
    let dataset = aliased(&files);
    assert_eq!(dataset.column::<String>("user").unwrap(), ["ada", "bob", "cid"]);
    assert_eq!(dataset.column::<u32>("address.zip").unwrap(), [1, 2, 3]);
    assert_eq!(
        dataset.column::<trevni::reader::Nested<String>>("hops.host").unwrap().values,
        ["a", "b", "c"]
    );
    for (predicate, rows) in [
        (col("user").eq("ada"), &[0][..]),
        (col("address.zip").lt(3), &[0, 1]),
        (col("hops").any(col("host").ne("b")), &[0, 2]),
        (col("user").is_null() | col("address.zip").is_null(), &[]),
    ] {
        assert_eq!(matched(&dataset, predicate.clone()), rows, "{predicate}");
    }
    let rows: Vec<Value> = all(&dataset).unwrap();
    assert_eq!(
        rows[0],
        json!({"user": "ada", "address": {"zip": 1, "city": "x"}, "hops": [{"host": "a", "ms": 1}]})
    );
    let projected = dataset.project(["address.zip", "user"]).unwrap();
    assert_eq!(all::<Value>(&projected).unwrap()[1], json!({"address": {"zip": 2}, "user": "bob"}));
    let Shape::Record(record) = dataset.shape() else { panic!("rows are records") };
    let mut names: Vec<&str> = record.fields.iter().map(|field| &*field.name).collect();
    names.sort_unstable();
    assert_eq!(names, ["address", "hops", "user"]);
    assert!(dataset.shape().to_string().contains("zip") && !dataset.shape().to_string().contains("postcode"));
    // The old names are no paths any more.
    assert!(
        dataset.project(["user_name"]).is_err() && dataset.filter(col("address.postcode").eq(1)).is_err()
    );
    let batches: Vec<Value> = dataset
        .batches()
        .unwrap()
        .flat_map(|batch| {
            batch.unwrap().values().map(|row| serde_json::to_value(row).unwrap()).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(batches, rows);
    let paths: Vec<&str> =
        dataset.parts()[0].reader().columns().iter().filter_map(|column| column.path()).collect();
    assert!(paths.contains(&"address.zip"), "{paths:?}");
}

#[test]
fn aliases_hold_in_all_formats_and_for_single_files() {
    #[derive(Serialize)]
    struct Old {
        a: u32,
        b: Option<String>,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct New {
        b: Option<String>,
        first: u32,
    }
    for dialect in [Dialect::Trevni, Dialect::Levels, Dialect::RedElm] {
        let mut writer = Writer::builder().dialect(dialect).build(Vec::new()).unwrap();
        writer.write_all((0..500).map(|a| Old { a, b: (a % 2 == 0).then(|| a.to_string()) })).unwrap();
        let file = writer.finish().unwrap();
        let reader = Reader::builder().alias("first", "a").alias("never", "nothing").source(&*file).unwrap();
        let rows: Vec<New> = reader.rows().unwrap().map(Result::unwrap).collect();
        assert_eq!(rows[4], New { b: Some("4".to_owned()), first: 4 });
        assert_eq!(reader.row::<New>(7).unwrap().first, 7);
        let some = reader.project(["b", "first"]).unwrap().filter(col("first").gt(497)).unwrap();
        assert_eq!(some.rows::<New>().unwrap().map(|row| row.unwrap().first).collect::<Vec<_>>(), [498, 499]);
        let untyped = reader.untyped().unwrap();
        assert!(untyped.project(["a"]).is_ok(), "the columns have the names of the file");
        let error = Merge::new().write(&[reader], Vec::new()).unwrap_err();
        assert_contains(&error, &["other names of fields"]);
    }
}

#[test]
fn the_new_name_counts_before_the_old_one() {
    let files = files(&[&[json!({"a": 1, "b": 2})], &[json!({"b": 3})], &[json!({"c": 4})]]);
    let dataset = in_memory(&files).unwrap().alias("a", "b").unwrap().alias("a", "c").unwrap();
    assert_eq!(dataset.column::<u32>("a").unwrap(), [1, 3, 4]);
    assert_eq!(all::<Value>(&dataset).unwrap()[0], json!({"a": 1, "b": 2}));
    // Types are joined once the names are.
    let files = self::files(&[&[json!({"a": 1})], &[json!({"b": [2]})]]);
    let dataset = in_memory(&files).unwrap().alias("a", "b").unwrap();
    assert_eq!(all::<Value>(&dataset).unwrap(), [json!({"a": 1}), json!({"a": [2]})]);
    assert_eq!(dataset.filter(col("a.long").eq(1)).unwrap().matching().unwrap().row_count(), 1);
}

#[test]
fn records_and_their_fields_may_both_be_renamed() {
    let files = files(&[&[json!({"addr": {"code": 1}})], &[json!({"address": {"zip": 2}})]]);
    let dataset = in_memory(&files).unwrap().alias("address", "addr").unwrap();
    let dataset = dataset.alias("address.zip", "address.code").unwrap();
    assert_eq!(dataset.column::<u32>("address.zip").unwrap(), [1, 2]);
    // Odd names need quotes.
    let files = self::files(&[&[json!({"a.b": 1})], &[json!({"c d": 2})]]);
    let dataset = in_memory(&files).unwrap().alias("`c d`", "a.b").unwrap();
    assert_eq!(dataset.column::<u32>("`c d`").unwrap(), [1, 2]);
}

#[test]
fn wrong_aliases_are_errors() {
    let files = ages();
    let dataset = in_memory(&files).unwrap();
    let error = |new: &str, old: &str| dataset.alias(new, old).unwrap_err().to_string();
    assert_eq!(error("x", "user_nam"), "no field \"user_nam\"; did you mean \"user_name\"?");
    assert!(error("postcode", "address.postcode").contains("differ in more than the last name"));
    assert!(error("", "user").contains("the row itself has no name"));
    assert!(error("user", "`user").contains("a back quote has no end"));
    let options = Reader::builder().alias("x", "user_nam");
    let folder = Folder::new("wrong-alias");
    let mut writer = DatasetWriter::create(&folder.0).unwrap();
    writer.write(&json!({"user_name": 1})).unwrap();
    writer.finish().unwrap();
    assert_contains(
        &Dataset::builder().reader(options).open(&folder.0).unwrap_err(),
        &["did you mean \"user_name\"?"],
    );
    #[derive(Serialize)]
    enum Kind {
        A { x: u8 },
        B,
    }
    let map = std::collections::BTreeMap::from([("k", vec![Kind::A { x: 1 }, Kind::B])]);
    let files = [trevni::to_vec([(map,)]).unwrap()];
    let dataset = in_memory(&files).unwrap();
    for (new, old) in [("_0.values", "_0.value"), ("_0.value.C", "_0.value.A")] {
        assert_contains(&dataset.alias(new, old).unwrap_err(), &["only fields of records have other names"]);
    }
    assert!(dataset.alias("_0.value.A.y", "_0.value.A.x").is_ok());
    // Names come first.
    let files = ages();
    let dataset = in_memory(&files).unwrap();
    let filtered = dataset.filter(col("address.city").eq("x")).unwrap();
    assert_contains(&filtered.alias("user", "user_name").unwrap_err(), &["before filters"]);
    let projected = dataset.project(["address.city"]).unwrap();
    assert_contains(&projected.alias("user", "user_name").unwrap_err(), &["before projections"]);
}

#[test]
fn what_a_part_lacks_is_an_error_unless_it_is_optional() {
    let files = files(&[
        &[json!({"id": 1, "at": {"x": 1}})],
        &[json!({"id": 2, "wind": 4.5, "at": {"x": 2, "y": 3}, "hops": [{"host": "a"}]})],
    ]);
    let dataset = in_memory(&files).unwrap();
    type Check<'c> = &'c dyn Fn(&Dataset<'_>) -> trevni::Result<()>;
    let checks: [(&str, Check<'_>); 8] = [
        ("wind", &|dataset| dataset.filter(col("wind").gt(1)).map(drop)),
        ("wind", &|dataset| dataset.filter(col("id").eq(1) | !col("wind").is_null()).map(drop)),
        ("wind", &|dataset| dataset.column::<Option<f64>>("wind").map(drop)),
        ("wind", &|dataset| dataset.project(["id", "wind"]).map(drop)),
        ("at.y", &|dataset| dataset.project(["at.y"]).map(drop)),
        ("at.y", &|dataset| dataset.filter(col("at.y").is_null()).map(drop)),
        ("hops", &|dataset| dataset.filter(col("hops").any(col("host").eq("a"))).map(drop)),
        ("hops.host", &|dataset| dataset.project(["hops.host"]).map(drop)),
    ];
    for (path, check) in checks {
        let error = check(&dataset).unwrap_err();
        let expected = format!("no field {path:?}; other parts have it: Dataset::alias");
        assert_contains(&error, &["part 0", &expected]);
        check(&dataset.optional([path]).unwrap()).unwrap();
        check(&dataset.all_optional()).unwrap();
        // What is around a path is enough.
        check(&dataset.optional(["wind", "at", "hops"]).unwrap()).unwrap();
        check(&dataset.optional([""]).unwrap()).unwrap();
    }
    assert!(dataset.optional(["at.x"]).unwrap().project(["at.y"]).is_err());
    assert_contains(&dataset.optional(["wing"]).unwrap_err(), &["did you mean \"wind\"?"]);
    // Rows of types say what may be missing themselves.
    #[derive(Deserialize)]
    struct Row {
        id: u32,
        wind: Option<f64>,
    }
    let rows: Vec<Row> = all(&dataset).unwrap();
    assert_eq!(rows.iter().map(|row| (row.id, row.wind)).collect::<Vec<_>>(), [(1, None), (2, Some(4.5))]);
    let Shape::Record(record) = dataset.shape() else { panic!("rows are records") };
    let wind = record.fields.iter().find(|field| field.name == "wind").unwrap();
    assert!(matches!(&wind.shape, Shape::Optional(wind) if wind.null == trevni::shape::Null::Absent));
}

#[test]
fn what_rows_have_not_shown_is_not_missing() {
    #[derive(Serialize)]
    enum Kind {
        A { x: i32 },
        B { y: i32 },
        C,
    }
    #[derive(Serialize)]
    struct Row {
        at: Option<Place>,
        hops: Vec<Place>,
        kind: Kind,
    }
    #[derive(Serialize)]
    struct Place {
        x: i32,
    }
    let files = [
        trevni::to_vec([Row { at: None, hops: vec![], kind: Kind::A { x: 1 } }]).unwrap(),
        trevni::to_vec([Row {
            at: Some(Place { x: 1 }),
            hops: vec![Place { x: 2 }],
            kind: Kind::B { y: 2 },
        }])
        .unwrap(),
        trevni::to_vec([Row { at: None, hops: vec![], kind: Kind::C }]).unwrap(),
        trevni::to_vec(<[Row; 0]>::default()).unwrap(),
    ];
    let dataset = in_memory(&files).unwrap();
    assert_eq!(dataset.column::<Option<i32>>("at.x").unwrap(), [None, Some(1), None]);
    assert_eq!(dataset.filter(col("at.x").is_null()).unwrap().matching().unwrap().row_count(), 2);
    assert_eq!(matched(&dataset, col("hops").any(col("x").eq(2))), [1]);
    assert_eq!(matched(&dataset, col("kind.B.y").eq(2)), [1]);
    assert!(dataset.project(["kind.A.x", "hops.x"]).is_ok());
    assert!(dataset.filter(col("hops").any(item().is_null())).is_ok());
}

#[test]
fn dots_mean_the_same_in_all_parts() {
    // In the second part, `a.b` could be read as the field of this name.
    let files = files(&[&[json!({"a": {"b": 1}})], &[json!({"a.b": 2, "c": 3})]]);
    let dataset = in_memory(&files).unwrap().all_optional();
    assert_eq!(dataset.column::<Option<u32>>("a.b").unwrap(), [Some(1), None]);
    assert_eq!(dataset.column::<Option<u32>>("`a.b`").unwrap(), [None, Some(2)]);
    assert_eq!(matched(&dataset, col("a.b").gt(0)), [0]);
    assert_eq!(matched(&dataset, col("a.b").is_null()), [1]);
    assert_eq!(
        all::<Value>(&dataset.project(["a.b"]).unwrap()).unwrap(),
        [json!({"a": {"b": 1}}), json!({})]
    );
}
