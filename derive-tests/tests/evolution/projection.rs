//! Paths given to `Reader::project`.

use derive_tests::{read_rows, write};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Field, rows};

fn project(paths: &[&str]) -> Value {
    let bytes = write(&rows());
    let reader = trevni::Reader::from_slice(&bytes).unwrap().project(paths.iter().copied()).unwrap();
    reader.rows::<Value>().unwrap().map(|row| row.unwrap()).collect()
}

#[test]
fn one_field() {
    assert_eq!(project(&["id"]), json!([{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]));
}

#[test]
fn fields_asked_for_in_another_order() {
    assert_eq!(project(&["inner.width", "id"])[1], json!({"id": 2, "inner": {"width": 20}}));
}

#[test]
fn a_whole_struct() {
    assert_eq!(project(&["inner"])[0], json!({"inner": {"width": 10, "label": "label10"}}));
}

#[test]
fn a_field_in_a_list_of_structs() {
    assert_eq!(
        project(&["items.width"]),
        json!([{"items": [{"width": 1}, {"width": 2}]}, {"items": []}, {"items": [{"width": 3}]}, {"items": [{"width": 4}, {"width": 5}, {"width": 6}]}])
    );
}

#[test]
fn a_field_in_an_option() {
    assert_eq!(project(&["maybe.label"])[0], json!({"maybe": null}));
    assert_eq!(project(&["maybe.label"])[1], json!({"maybe": {"label": "label5"}}));
}

#[test]
fn a_typed_row_of_the_projected_fields() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Head {
        id: i32,
        inner: Option<Field<i32>>,
    }
    let bytes = write(&rows());
    let reader = trevni::Reader::from_slice(&bytes).unwrap().project(["id"]).unwrap();
    let read: Vec<Head> = reader.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(read, [1, 2, 3, 4].map(|id| Head { id, inner: None }));
}

#[test]
fn narrowing_by_type_and_by_path_read_the_same() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Narrow {
        inner: Field<i32>,
        items: Vec<Field<i32>>,
    }
    let by_type: Vec<Narrow> = read_rows(&write(&rows())).unwrap();
    assert_eq!(project(&["inner.width", "items.width"]), serde_json::to_value(by_type).unwrap());
}
