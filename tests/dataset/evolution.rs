//! Parts whose rows differ: by fields, by the width of numbers, by kind.

use super::{all, assert_contains, in_memory};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use trevni::reader::Nested;
use trevni::{Dataset, Reader, col};

#[derive(Serialize)]
struct Old {
    id: i32,
}

#[derive(Serialize)]
struct New {
    id: i64,
    host: String,
}

fn old_and_new() -> Vec<Vec<u8>> {
    let new = |id| New { id, host: format!("h{id}") };
    vec![
        trevni::to_vec([Old { id: 1 }, Old { id: 2 }]).unwrap(),
        trevni::to_vec([new(3), new(1 << 40)]).unwrap(),
    ]
}

#[test]
fn a_field_added_later_is_none_before() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Row {
        host: Option<String>,
        id: i64,
    }
    let files = old_and_new();
    let row = |id, host: Option<&str>| Row { id, host: host.map(str::to_owned) };
    let rows = [row(1, None), row(2, None), row(3, Some("h3")), row(1 << 40, Some("h1099511627776"))];
    let dataset = in_memory(&files).unwrap();
    assert_eq!(all::<Row>(&dataset).unwrap(), rows);
    assert_eq!(dataset.row::<Row>(0).unwrap(), rows[0]);
    let dataset = dataset.optional(["host"]).unwrap();
    assert_eq!(all::<Row>(&dataset.project(["host", "id"]).unwrap()).unwrap(), rows);
    let hosts: Vec<Option<String>> = rows.iter().map(|row| row.host.clone()).collect();
    assert_eq!(dataset.column::<Option<String>>("host").unwrap(), hosts);
}

#[test]
fn a_field_added_later_has_its_default_before() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Row {
        #[serde(default)]
        host: String,
    }
    let files = old_and_new();
    let dataset = in_memory(&files).unwrap();
    let optional = dataset.optional(["host"]).unwrap();
    for dataset in [optional.project(["host"]).unwrap(), dataset] {
        let hosts: Vec<String> = all::<Row>(&dataset).unwrap().into_iter().map(|row| row.host).collect();
        assert_eq!(hosts, ["", "", "h3", "h1099511627776"]);
    }
}

#[test]
fn a_field_without_default_names_part_and_field() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Row {
        host: String,
    }
    let mut files = old_and_new();
    files.reverse();
    let dataset = in_memory(&files).unwrap();
    let mut rows = dataset.rows::<Row>().unwrap();
    assert!(rows.by_ref().take(2).all(|row| row.is_ok()));
    let error = rows.next().unwrap().unwrap_err();
    assert_contains(&error, &["part 1, row 0", "missing field `host`"]);
    assert_eq!(error.location().file.as_deref(), Some("part 1".as_ref()));
    // The next row might have been fine.
    assert!(rows.next().is_some_and(|row| row.is_err()) && rows.next().is_none());
    assert_contains(&dataset.row::<Row>(3).unwrap_err(), &["part 1, row 1", "missing field `host`"]);
    let error = dataset.optional(["host"]).unwrap().column::<String>("host").unwrap_err();
    assert_contains(&error, &["part 1", r#""host" is missing in this part"#, "use Option"]);
}

#[test]
fn numbers_widen() {
    #[derive(Serialize)]
    struct Int {
        n: i32,
    }
    #[derive(Serialize)]
    struct Double {
        n: f64,
    }
    #[derive(Deserialize)]
    struct Row {
        n: f64,
    }
    let files = old_and_new();
    let dataset = in_memory(&files).unwrap();
    assert_eq!(dataset.column::<i64>("id").unwrap(), [1, 2, 3, 1 << 40]);
    assert_contains(&dataset.column::<i32>("id").unwrap_err(), &["part 1", "1099511627776 does not fit i32"]);
    assert!(dataset.shape().to_string().contains("id: long"), "{}", dataset.shape());

    let files = [trevni::to_vec([Int { n: 7 }]).unwrap(), trevni::to_vec([Double { n: 0.5 }]).unwrap()];
    let dataset = in_memory(&files).unwrap();
    assert_eq!(dataset.shape().to_string(), "record Int\n  n: union\n    | int\n    | double");
    let read: Vec<f64> = all::<Row>(&dataset).unwrap().iter().map(|row| row.n).collect();
    assert_eq!(read, [7.0, 0.5]);
    assert_eq!(dataset.column::<f64>("n").unwrap(), [7.0, 0.5]);
    assert_eq!(dataset.column::<Option<f64>>("n").unwrap(), [Some(7.0), Some(0.5)]);
}

#[test]
fn longs_are_doubles_where_nothing_is_lost() {
    let exact = trevni::to_vec([1i64 << 53, -(1 << 53)]).unwrap();
    let column = Reader::from_slice(&exact).unwrap().column::<f64>("").unwrap();
    assert_eq!(column, [9_007_199_254_740_992.0, -9_007_199_254_740_992.0]);
    let inexact = trevni::to_vec([(1i64 << 53) + 1]).unwrap();
    assert_contains(
        &Reader::from_slice(&inexact).unwrap().column::<f64>("").unwrap_err(),
        &["does not fit f64"],
    );
}

#[test]
fn a_field_that_is_null_in_a_part_is_none_there() {
    let rows = [
        json!({"a": null, "b": []}),
        json!({"a": {"x": 1}, "b": [[1, 2], []]}),
        json!({"a": null, "b": [[]]}),
    ];
    let files = rows.each_ref().map(|row| trevni::to_vec([row]).unwrap());
    let dataset = in_memory(&files).unwrap();
    assert_eq!(all::<Value>(&dataset).unwrap(), rows);
    assert_eq!(dataset.column::<Option<i32>>("a.x").unwrap(), [None, Some(1), None]);
    let lists = dataset.column::<Nested<i32>>("b").unwrap();
    assert_eq!(lists, Nested { lengths: vec![vec![0, 2, 1], vec![2, 0, 0]], values: vec![1, 2] });
}

#[test]
fn variants_of_an_enum_may_be_in_parts_of_their_own() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Event {
        Stop,
        Move { x: i32 },
        Text(String),
    }
    let events = [Event::Move { x: 1 }, Event::Stop, Event::Text("t".into()), Event::Move { x: 2 }];
    let mut files: Vec<Vec<u8>> = events.iter().map(|event| trevni::to_vec([event]).unwrap()).collect();
    files.push(trevni::to_vec(&events).unwrap());
    let dataset = in_memory(&files).unwrap();
    let read: Vec<Event> = all(&dataset).unwrap();
    assert_eq!(read.iter().collect::<Vec<_>>(), events.iter().chain(&events).collect::<Vec<_>>());
    let moves: Vec<Value> = all(&dataset.project(["Move"]).unwrap()).unwrap();
    let one = |x: i32| json!({"Move": {"x": x}});
    let expected = [one(1), Value::Null, Value::Null, one(2), one(1), Value::Null, Value::Null, one(2)];
    assert_eq!(moves, expected);
    let expected = [Some(1), None, None, Some(2), Some(1), None, None, Some(2)];
    assert_eq!(dataset.column::<Option<i32>>("Move.x").unwrap(), expected);
}

#[test]
fn what_is_a_union_in_other_parts_is_not_taken_for_missing() {
    let rows = [vec![json!({"n": 1})], vec![json!({"n": 2}), json!({"n": "x"})], vec![json!({"m": 3})]];
    let files = rows.each_ref().map(|rows| trevni::to_vec(rows).unwrap());
    let dataset = in_memory(&files).unwrap().optional(["n"]).unwrap();
    assert_eq!(all::<Value>(&dataset).unwrap(), rows.concat());
    let numbers: Vec<Value> = all(&dataset.project(["n.long"]).unwrap()).unwrap();
    assert_eq!(numbers, [json!({"n": 1}), json!({"n": 2}), json!({"n": null}), json!({})]);
    let texts: Vec<Value> = all(&dataset.project(["n.string"]).unwrap()).unwrap();
    assert_eq!(texts, [json!({"n": null}), json!({"n": null}), json!({"n": "x"}), json!({})]);
    assert_eq!(dataset.column::<Option<i64>>("n.long").unwrap(), [Some(1), Some(2), None, None]);
    let found = dataset.filter(col("n.long").ge(1)).unwrap().matching().unwrap();
    assert_eq!(found.ranges(), std::slice::from_ref(&(0..2)));
    let behind = dataset.parts()[1..].iter().map(|part| part.reader().clone()).collect();
    let behind = Dataset::from_readers(behind).unwrap().all_optional();
    assert_eq!(behind.column::<Option<i64>>("n.long").unwrap(), [Some(2), None, None]);
}

#[test]
fn what_is_of_another_kind_in_each_part_is_a_union() {
    let rows = [
        json!({"received": [{"date": 5_000_000_000i64}]}),
        json!({"received": []}),
        json!({"received": [{"date": "May"}]}),
    ];
    let files = rows.each_ref().map(|row| trevni::to_vec([row]).unwrap());
    let dataset = in_memory(&files).unwrap();
    assert_eq!(all::<Value>(&dataset).unwrap(), rows);
    let one = trevni::to_vec(&rows).unwrap();
    assert_eq!(
        dataset.column::<Nested<Option<String>>>("received.date.string").unwrap().values,
        [None, Some("May".into())]
    );
    let whole = Reader::from_slice(&one).unwrap();
    assert_eq!(
        whole.column::<Nested<Option<i64>>>("received.date.long").unwrap(),
        dataset.column::<Nested<Option<i64>>>("received.date.long").unwrap()
    );
    // The path of a union names a variant, as in one file.
    let date = |path: &str| dataset.filter(col("received").any(col(path).eq("May")));
    assert_eq!(date("date.string").unwrap().matching().unwrap().ranges(), std::slice::from_ref(&(2..3)));
    let error = date("date").unwrap_err();
    assert_contains(&error, &["received[].date is union", "name one of its variants (long, string)"]);

    let files = [trevni::to_vec([1]).unwrap(), trevni::to_vec(["one"]).unwrap()];
    let dataset = in_memory(&files).unwrap();
    assert_eq!(dataset.shape().to_string(), "union\n  | int\n  | string");
    assert_eq!(all::<Value>(&dataset).unwrap(), [json!(1), json!("one")]);
    assert_eq!(dataset.column::<Option<i32>>("int").unwrap(), [Some(1), None]);
}

#[test]
fn numbers_of_several_kinds_are_one_column() {
    let rows = [json!({"n": 7}), json!({"n": -0.5}), json!({"n": null}), json!({"n": u64::MAX})];
    let files = rows.each_ref().map(|row| trevni::to_vec([row]).unwrap());
    let one = trevni::to_vec(&rows).unwrap();
    let (dataset, whole) = (in_memory(&files).unwrap(), Reader::from_slice(&one).unwrap());
    for literal in [-1, 0, 7, 8] {
        let greater = || col("n").ge(literal);
        let found = dataset.filter(greater()).unwrap().matching().unwrap();
        assert_eq!(found, whole.filter(greater()).unwrap().matching().unwrap());
        assert_eq!(
            found.row_count(),
            if literal == -1 {
                3
            } else if literal == 8 {
                1
            } else {
                2
            }
        );
    }
    let few = in_memory(&files[..3]).unwrap();
    assert_eq!(few.column::<Option<f64>>("n").unwrap(), [Some(7.0), Some(-0.5), None]);
    assert_contains(&few.column::<Option<i64>>("n").unwrap_err(), &["double, not i64"]);
    // No double is this integer.
    assert_contains(&dataset.column::<Option<f64>>("n").unwrap_err(), &["18446744073709551615"]);
}

#[test]
fn parts_without_rows_fit_anything() {
    let files = [
        trevni::to_vec([0u8; 0]).unwrap(),
        trevni::to_vec([Old { id: 1 }]).unwrap(),
        trevni::to_vec([0u8; 0]).unwrap(),
    ];
    let dataset = in_memory(&files).unwrap();
    assert_eq!(dataset.shape(), dataset.parts()[1].reader().shape());
    assert_eq!(all::<Value>(&dataset).unwrap(), [json!({"id": 1})]);
    assert_eq!(dataset.column::<i32>("id").unwrap(), [1]);
    assert_eq!(all::<Value>(&dataset.project(["id"]).unwrap()).unwrap(), [json!({"id": 1})]);
    assert_eq!(dataset.row::<Value>(0).unwrap(), json!({"id": 1}));
}
