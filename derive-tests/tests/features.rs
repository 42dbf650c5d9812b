//! One test for every row of the table "serde features": what peers refuse, a file of ours returns equal.

#![allow(unreachable_pub, reason = "what modules of a test share is `pub`")]

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use derive_tests::{assert_reads, assert_reads_as_json, assert_round_trip, write};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Row<T> {
    id: u32,
    value: T,
}

fn rows<T>(values: impl IntoIterator<Item = T>) -> Vec<Row<T>> {
    (1..).zip(values).map(|(id, value)| Row { id, value }).collect()
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Shape {
    Dot,
    Circle(f64),
    Line(i32, i32),
    Rect { w: u8, h: u8 },
}

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Circle(1.5),
        Shape::Dot,
        Shape::Rect { w: 3, h: 4 },
        Shape::Line(-1, 1),
        Shape::Dot,
        Shape::Circle(0.0),
    ]
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Colour {
    Red,
    Green,
    Blue,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Point {
    x: i32,
    y: Option<String>,
}

fn point(x: i32, y: Option<&str>) -> Point {
    Point { x, y: y.map(Into::into) }
}

#[test]
fn enum_with_data() {
    assert_round_trip(&rows(shapes()));
}

#[test]
fn option_of_enum_with_data() {
    let mut values: Vec<Option<Shape>> = shapes().into_iter().map(Some).collect();
    values.insert(0, None);
    values.insert(3, None);
    assert_round_trip(&rows(values));
}

#[test]
fn unit_only_enum() {
    assert_round_trip(&rows([Colour::Blue, Colour::Red, Colour::Blue, Colour::Green]));
}

#[test]
fn top_level_rows_are_an_enum() {
    assert_round_trip(&shapes());
    assert_round_trip(&[Colour::Green, Colour::Red]);
}

#[test]
fn vec_of_option_of_vec_of_i32() {
    assert_round_trip(&rows([
        vec![Some(vec![1, 2]), None, Some(vec![])],
        vec![],
        vec![None, None],
        vec![Some(vec![i32::MIN, 0, i32::MAX])],
    ]));
}

#[test]
fn option_of_vec_of_option_of_string() {
    let text = |s: &str| Some(s.to_string());
    assert_round_trip(&rows([
        Some(vec![text("a"), None]),
        None,
        Some(vec![]),
        Some(vec![None, text(""), text("é")]),
    ]));
}

#[test]
fn hash_map_of_string_to_struct() {
    assert_round_trip(&rows([
        HashMap::from([("a".to_string(), point(1, None)), ("b".to_string(), point(2, Some("two")))]),
        HashMap::new(),
        HashMap::from([("".to_string(), point(3, Some("")))]),
    ]));
}

#[test]
fn hash_map_of_u32_to_string() {
    assert_round_trip(&rows([
        HashMap::from([(0, "zero".to_string()), (u32::MAX, "max".to_string())]),
        HashMap::new(),
        HashMap::from([(7, String::new())]),
    ]));
}

#[test]
fn b_tree_map_of_enum_to_i32() {
    assert_round_trip(&rows([
        BTreeMap::from([(Colour::Red, 1), (Colour::Blue, -1)]),
        BTreeMap::new(),
        BTreeMap::from([(Colour::Green, 0)]),
    ]));
}

#[test]
fn tuple_of_i32_and_string() {
    assert_round_trip(&rows([(1, "one".to_string()), (-2, String::new()), (3, "three".to_string())]));
}

#[test]
fn array_of_three_f32() {
    assert_round_trip(&rows([[0.0_f32, 1.5, -2.25], [f32::MAX, f32::MIN, f32::MIN_POSITIVE]]));
}

#[test]
fn u64_max() {
    assert_round_trip(&rows([0, u64::MAX, i64::MAX as u64, i64::MAX as u64 + 1, 1]));
}

#[test]
fn i128_at_its_limits() {
    assert_round_trip(&rows([0, i128::MIN, i128::MAX, -1, u64::MAX as i128 + 1]));
}

#[test]
fn u128_at_its_limits() {
    assert_round_trip(&rows([0, u128::MAX, i128::MAX as u128, i128::MAX as u128 + 1, 1]));
}

#[test]
fn char_of_every_utf8_length() {
    assert_round_trip(&rows(['a', '\0', 'é', '漢', '🦀', char::MAX]));
}

#[test]
fn unit_struct_field() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Marker;
    assert_round_trip(&rows([Marker, Marker, Marker]));
}

#[test]
fn newtype_struct() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Metres(f64);
    assert_round_trip(&rows([Metres(1.5), Metres(-0.25)]));
    assert_round_trip(&[Metres(1.5), Metres(2.0)]);
}

#[test]
fn flattened_struct() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Outer {
        id: i32,
        #[serde(flatten)]
        point: Point,
        last: bool,
    }
    assert_round_trip(&[
        Outer { id: 1, point: point(10, Some("a")), last: false },
        Outer { id: 2, point: point(20, None), last: true },
    ]);
}

#[test]
fn flattened_map_with_varying_keys() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Outer {
        id: i32,
        #[serde(flatten)]
        extra: BTreeMap<String, i64>,
    }
    assert_round_trip(&[
        Outer { id: 1, extra: BTreeMap::from([("a".into(), 1), ("b".into(), 2)]) },
        Outer { id: 2, extra: BTreeMap::new() },
        Outer { id: 3, extra: BTreeMap::from([("c".into(), 3)]) },
        Outer { id: 4, extra: BTreeMap::from([("b".into(), -2), ("d".into(), i64::MAX)]) },
    ]);
}

#[test]
fn internally_tagged_enum() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Event {
        Start,
        Move { x: i32, y: i32 },
        Say { text: String, x: String },
        At(Point),
    }
    assert_round_trip(&rows([
        Event::Start,
        Event::Move { x: 1, y: 2 },
        Event::Say { text: "hi".into(), x: "not a number".into() },
        Event::At(point(5, Some("p"))),
        Event::Start,
    ]));
}

#[test]
fn adjacently_tagged_enum() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Event {
        Start,
        Level(u8),
        Move { x: i32, y: i32 },
        Pair(i32, String),
    }
    assert_round_trip(&rows([
        Event::Level(3),
        Event::Start,
        Event::Pair(1, "one".into()),
        Event::Move { x: 1, y: 2 },
        Event::Start,
    ]));
}

#[test]
fn untagged_enum() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Loose {
        Nothing,
        Number(i64),
        Text(String),
        Many(Vec<i64>),
        Place { x: i32 },
    }
    assert_round_trip(&rows([
        Loose::Number(1),
        Loose::Text("one".into()),
        Loose::Nothing,
        Loose::Many(vec![1, 2, 3]),
        Loose::Place { x: 7 },
        Loose::Number(-1),
    ]));
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Skipping {
    id: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[test]
fn skip_serializing_if() {
    assert_round_trip(&[
        Skipping { id: 1, note: Some("a".into()) },
        Skipping { id: 2, note: None },
        Skipping { id: 3, note: Some("c".into()) },
    ]);
}

#[test]
fn skip_serializing_if_first_row_is_none() {
    assert_round_trip(&[
        Skipping { id: 1, note: None },
        Skipping { id: 2, note: Some("b".into()) },
        Skipping { id: 3, note: None },
    ]);
}

#[test]
fn json_values_of_the_same_shape() {
    assert_round_trip(&[json!({"a": 1, "b": "x"}), json!({"a": 2, "b": "y"}), json!({"a": -3, "b": ""})]);
}

#[test]
fn json_values_of_mixed_shapes() {
    assert_round_trip(&[
        json!({"a": 1}),
        json!({"a": "one", "b": [1, "two", null]}),
        json!(null),
        json!([true, {"c": 1.5}]),
        json!({"a": {"b": {}}}),
        json!("text"),
    ]);
}

#[test]
fn empty_file() {
    assert_round_trip::<Row<String>>(&[]);
}

#[test]
fn zero_rows_of_a_struct_with_an_enum() {
    assert_round_trip::<Row<Shape>>(&[]);
    assert_round_trip::<Shape>(&[]);
}

#[test]
fn option_of_boxed_node() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Node {
        value: i32,
        next: Option<Box<Node>>,
    }
    let chain = |values: &[i32]| {
        values.iter().rev().fold(None, |next, &value| Some(Box::new(Node { value, next }))).map(|node| *node)
    };
    assert_round_trip(&rows([chain(&[1]), chain(&[1, 2, 3, 4]), None, chain(&[5, 6])]));
}

#[test]
fn recursive_tree() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Tree {
        name: String,
        children: Vec<Tree>,
    }
    let tree = |name: &str, children| Tree { name: name.into(), children };
    assert_round_trip(&[
        tree("leaf", vec![]),
        tree("root", vec![tree("a", vec![tree("b", vec![])]), tree("c", vec![])]),
        tree("flat", vec![tree("d", vec![]), tree("e", vec![])]),
    ]);
}

#[test]
fn option_of_option_of_i32() {
    assert_round_trip(&rows([Some(Some(1)), Some(None), None, Some(Some(2))]));
    assert_round_trip(&rows([None, Some(None), Some(Some(1))]));
}

#[test]
fn option_of_unit() {
    assert_round_trip(&rows([Some(()), None, Some(())]));
    assert_round_trip(&rows([None, Some(())]));
}

#[test]
fn late_optional() {
    let mut values = vec![None; 999];
    values.push(Some("late".to_string()));
    assert_round_trip(&rows(values));
}

#[test]
fn optional_never_present() {
    assert_round_trip(&rows([None::<String>, None, None]));
}

#[test]
fn bytes() {
    let values = [&b"abc"[..], b"", &[0, 255, 128]].map(serde_bytes::ByteBuf::from);
    assert_reads(&rows(values.clone()), &rows(values));
}

#[test]
fn floats_keep_infinity_and_the_sign_of_zero() {
    let written = rows([(f32::INFINITY, f64::NEG_INFINITY), (-0.0, -0.0), (0.0, 0.0)]);
    assert_reads(&written, &written);
    let read: Vec<Row<(f32, f64)>> = trevni::from_slice(&write(&written)).unwrap();
    let signs: Vec<_> =
        read.iter().map(|row| (row.value.0.is_sign_negative(), row.value.1.is_sign_negative())).collect();
    assert_eq!(signs, [(false, true), (true, true), (false, false)]);
}

#[test]
fn struct_with_no_fields() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Empty {}
    assert_round_trip(&rows([Empty {}, Empty {}]));
    assert_round_trip(&[Empty {}, Empty {}, Empty {}]);
}

#[test]
fn result_of_i32_or_string() {
    assert_round_trip(&rows([Ok(1), Err("no".to_string()), Ok(-2)]));
}

#[test]
fn std_duration() {
    assert_round_trip(&rows([
        Duration::ZERO,
        Duration::new(u64::MAX, 999_999_999),
        Duration::from_millis(1500),
    ]));
}

#[test]
fn std_ip_addr() {
    let values = [IpAddr::V4(Ipv4Addr::new(127, 0, 0, 1)), IpAddr::V6(Ipv6Addr::LOCALHOST)];
    assert_round_trip(&rows(values));
    let read: Vec<Row<String>> = trevni::from_slice(&write(&rows(values))).unwrap();
    assert_eq!(read[1].value, "::1");
}

#[test]
fn rows_are_lists() {
    assert_round_trip(&[vec![1, 2, 3], vec![], vec![-4]]);
}

#[test]
fn rows_are_tuples() {
    assert_round_trip(&[(1, "a".to_string(), Some(true)), (2, "b".to_string(), None)]);
}

#[test]
fn rows_are_optional_structs() {
    assert_round_trip(&[Some(point(1, None)), None, Some(point(2, Some("b")))]);
    assert_round_trip(&[None, Some(point(1, None))]);
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Wide {
    id: u32,
    name: String,
    place: Point,
    tags: HashMap<String, Vec<i32>>,
    list: Vec<Point>,
    last: i64,
}

fn wide() -> Vec<Wide> {
    vec![
        Wide {
            id: 1,
            name: "one".into(),
            place: point(10, Some("a")),
            tags: HashMap::from([("k".into(), vec![1, 2])]),
            list: vec![point(1, None), point(2, Some("b"))],
            last: 100,
        },
        Wide {
            id: 2,
            name: "two".into(),
            place: point(20, None),
            tags: HashMap::new(),
            list: vec![],
            last: 200,
        },
        Wide {
            id: 3,
            name: "three".into(),
            place: point(30, Some("c")),
            tags: HashMap::from([("l".into(), vec![]), ("m".into(), vec![3])]),
            list: vec![point(3, None)],
            last: 300,
        },
    ]
}

#[test]
fn read_a_subset_of_fields() {
    mod narrow {
        #[derive(Debug, PartialEq, serde::Deserialize)]
        pub struct Wide {
            pub id: u32,
            pub name: String,
        }
    }
    let expected: Vec<_> = wide().into_iter().map(|w| narrow::Wide { id: w.id, name: w.name }).collect();
    assert_reads(&wide(), &expected);
}

#[test]
fn read_a_subset_with_a_struct_of_another_name() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Head {
        name: String,
    }
    assert_reads(&wide(), &["one", "two", "three"].map(|name| Head { name: name.into() }));
}

#[test]
fn read_a_subset_that_skips_a_nested_struct_a_map_and_a_list() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Ends {
        id: u32,
        last: i64,
    }
    assert_reads(&wide(), &[Ends { id: 1, last: 100 }, Ends { id: 2, last: 200 }, Ends { id: 3, last: 300 }]);
}

#[test]
fn read_one_field_of_a_nested_struct() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct OnlyX {
        x: i32,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Outer {
        place: OnlyX,
        list: Vec<OnlyX>,
    }
    let outer =
        |x, list: &[i32]| Outer { place: OnlyX { x }, list: list.iter().map(|&x| OnlyX { x }).collect() };
    assert_reads(&wide(), &[outer(10, &[1, 2]), outer(20, &[]), outer(30, &[3])]);
}

#[test]
fn read_fields_reordered() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Reordered {
        last: i64,
        name: String,
        id: u32,
    }
    let expected: Vec<_> =
        wide().into_iter().map(|w| Reordered { last: w.last, name: w.name, id: w.id }).collect();
    assert_reads(&wide(), &expected);
}

#[test]
fn read_a_field_added_later() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Newer {
        id: u32,
        added: Option<String>,
        #[serde(default)]
        count: i32,
    }
    assert_reads(&wide(), &[1, 2, 3].map(|id| Newer { id, added: None, count: 0 }));
}

#[test]
fn read_a_field_renamed_by_alias() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Renamed {
        #[serde(alias = "id")]
        number: u32,
    }
    assert_reads(&wide(), &[1, 2, 3].map(|number| Renamed { number }));
}

#[test]
fn read_i32_as_i64() {
    assert_reads(&rows([i32::MIN, -1, i32::MAX]), &rows([i64::from(i32::MIN), -1, i64::from(i32::MAX)]));
}

#[test]
fn read_a_value_as_an_option() {
    assert_reads(
        &rows(["a".to_string(), "b".to_string()]),
        &rows([Some("a".to_string()), Some("b".to_string())]),
    );
}

#[test]
fn read_borrowed_str() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Name<'a> {
        name: &'a str,
    }
    let bytes = write(&wide());
    let mut names = Vec::new();
    for batch in trevni::Reader::from_slice(&bytes).unwrap().batches().unwrap() {
        let batch = batch.unwrap();
        for row in batch.rows::<Name<'_>>() {
            names.push(row.unwrap().name.len());
        }
    }
    assert_eq!(names, [3, 3, 5]);
}

#[test]
fn read_untyped_into_json_values() {
    assert_reads_as_json(&wide());
    let value: Value = trevni::from_slice(&write(&wide())).unwrap();
    assert_eq!(value[2]["tags"], json!({"l": [], "m": [3]}));
}
