//! Fields and variants that the file or the reader lacks.

use derive_tests::{assert_contains, assert_reads, read_error};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Field, Inner, field, rows};

#[test]
fn with_default_is_filled() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Newer {
        id: i32,
        #[serde(default)]
        text: String,
        #[serde(default = "nine")]
        nine: u8,
        option: Option<bool>,
    }
    fn nine() -> u8 {
        9
    }
    let expected = [1, 2, 3, 4].map(|id| Newer { id, text: String::new(), nine: 9, option: None });
    assert_reads(&rows(), &expected);
}

#[test]
fn with_default_is_filled_inside_lists() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Item {
        width: i32,
        #[serde(default)]
        z: i32,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Items {
        items: Vec<Item>,
    }
    let expected = [&[1, 2][..], &[], &[3], &[4, 5, 6]]
        .map(|xs| Items { items: xs.iter().map(|&width| Item { width, z: 0 }).collect() });
    assert_reads(&rows(), &expected);
}

#[test]
fn without_default_is_serdes_error_with_the_row() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Newer {
        id: i32,
        absent: i32,
    }
    assert_contains(&read_error::<Newer>(&rows()), &["missing field `absent`", "row 0"]);
}

#[test]
fn in_one_row_only_names_that_row() {
    let rows = [json!({"width": 1, "z": 0}), json!({"width": 2}), json!({"z": 3}), json!({"width": 4})];
    assert_contains(&read_error::<Field<i32>>(&rows), &["missing field `width`", "row 2"]);
}

#[test]
fn in_a_nested_struct_names_its_path() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Outer {
        inner: Field<i32>,
    }
    let rows = [json!({"inner": {"width": 1}}), json!({"inner": {"w": 1}})];
    assert_contains(&read_error::<Outer>(&rows), &["missing field `width`", "row 1", "inner"]);
}

#[test]
fn a_whole_struct_reads_as_none() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Newer {
        id: i32,
        other: Option<Inner>,
        list: Option<Vec<Inner>>,
    }
    assert_reads(&rows(), &[1, 2, 3, 4].map(|id| Newer { id, other: None, list: None }));
}

#[test]
fn an_unknown_variant_is_serdes_error_with_path_and_row() {
    #[derive(Serialize)]
    enum Written {
        A,
        B(i32),
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    enum Read {
        A,
    }
    let error = read_error::<Field<Read>>(&[field(Written::A), field(Written::A), field(Written::B(1))]);
    assert_contains(&error, &["unknown variant `B`", "row 2", "width"]);
}
