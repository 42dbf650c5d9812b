//! Values without a type.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use trevni::{Batch, Reader, Shape, ValueRef, Vector};

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
enum Kind {
    Unit,
    New(i32),
    Tuple(i32, bool),
    Fields { a: u8 },
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Row {
    float: f32,
    large: u64,
    huge: i128,
    text: String,
    options: [Option<i32>; 2],
    #[serde(skip_serializing_if = "Option::is_none", default)]
    absent: Option<i32>,
    nested: Option<Option<i32>>,
    counts: BTreeMap<u8, bool>,
    names: BTreeMap<String, i64>,
    kinds: Vec<Kind>,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    unit: (),
    pair: (u8, Option<String>),
}

fn rows() -> Vec<Row> {
    let row = |absent, nested| Row {
        float: 0.5,
        large: u64::MAX,
        huge: -5,
        text: "a\"b".to_owned(),
        options: [None, Some(1)],
        absent,
        nested,
        counts: [(7, true)].into(),
        names: [("x".to_owned(), 1 << 40)].into(),
        kinds: vec![Kind::Unit, Kind::New(1), Kind::Tuple(2, true), Kind::Fields { a: 3 }],
        bytes: vec![0, 255],
        unit: (),
        pair: (1, Some("é".to_owned())),
    };
    vec![row(None, None), row(Some(5), Some(None)), row(None, Some(Some(1)))]
}

fn batch() -> Batch {
    let file = trevni::to_vec(rows()).unwrap();
    Reader::from_slice(&file).unwrap().batches().unwrap().next().unwrap().unwrap()
}

#[test]
fn values_match_by_type() {
    let batch = batch();
    let row = batch.row(1).unwrap();
    let get = |name: &str| row.get(name).unwrap();
    assert_eq!(get("float"), ValueRef::Float(0.5));
    assert_eq!(get("float").as_f64(), Some(0.5));
    assert_eq!(get("large"), ValueRef::U64(u64::MAX));
    assert_eq!(get("large").as_i64(), None);
    assert_eq!(get("huge"), ValueRef::I128(-5));
    assert_eq!(get("huge").as_i64(), Some(-5));
    assert_eq!(get("text"), ValueRef::String("a\"b"));
    assert_eq!(get("absent"), ValueRef::Int(5));
    assert_eq!(get("bytes").as_bytes(), Some(&[0, 255][..]));
    assert!(get("unit").is_null());
    assert_eq!(row.get("other"), None);
    assert_eq!(get("unit").get("other"), None);
    assert_eq!(batch.row(0).unwrap().get("absent"), None);
    assert!(batch.row(3).is_none());
    assert_eq!(batch.values().count(), 3);

    let ValueRef::Map(names) = get("names") else { panic!() };
    assert_eq!((names.len(), names.get("x"), names.get("y")), (1, Some(ValueRef::Long(1 << 40)), None));
    let ValueRef::List(kinds) = get("kinds") else { panic!() };
    assert_eq!((kinds.len(), kinds.get(0), kinds.get(4)), (4, Some(ValueRef::Symbol("Unit")), None));
    let ValueRef::Record(pair) = get("pair") else { panic!() };
    assert_eq!(pair.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["_0", "_1"]);
    assert_eq!(pair.field(1), Some(ValueRef::String("é")));
    assert_eq!(pair.field(2), None);
}

#[test]
fn some_is_shown_around_a_null() {
    let batch = batch();
    let nested: Vec<ValueRef<'_>> = batch.values().map(|row| row.get("nested").unwrap()).collect();
    assert!(matches!(nested[0], ValueRef::Null));
    assert!(matches!(nested[1], ValueRef::Some(some) if some.get() == Some(ValueRef::Null)));
    assert_eq!(nested[2], ValueRef::Int(1));
    assert_ne!(nested[0], nested[1]);
}

#[test]
fn they_print_as_rust_does() {
    let batch = batch();
    let printed = format!("{:?}", batch.row(1).unwrap());
    assert_eq!(
        printed,
        "Row { float: 0.5, large: 18446744073709551615, huge: -5, text: \"a\\\"b\", options: (None, 1), \
         nested: Some(None), counts: {7: true}, names: {\"x\": 1099511627776}, kinds: [Unit, New(1), Tuple(2, true), \
         Fields { a: 3 }], bytes: [0, 255], unit: None, pair: (1, \"é\"), absent: 5 }"
    );
}

#[test]
fn they_serialize_as_what_was_written() {
    let batch = batch();
    for ((value, row), untyped) in batch.values().zip(rows()).zip(batch.rows::<serde_json::Value>()) {
        let value = serde_json::to_value(value).unwrap();
        assert_eq!(value, serde_json::to_value(&row).unwrap());
        assert_eq!(untyped.unwrap(), value);
    }
}

#[test]
fn they_are_written_again() {
    let batch = batch();
    let mut writer = trevni::Writer::new(Vec::new()).unwrap();
    writer.write_all(batch.values().map(|row| row.get("names").unwrap())).unwrap();
    let names: Vec<BTreeMap<String, i64>> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
    assert_eq!(names, rows().into_iter().map(|row| row.names).collect::<Vec<_>>());
}

#[test]
fn entries_that_are_not_there_are_none() {
    let pairs = [
        (Shape::Int, Vector::Int(vec![1])),
        (Shape::Null, Vector::Null(1)),
        (
            Shape::list(Shape::Int),
            Vector::list(trevni::vector::Offsets::from_lengths([0]).unwrap(), vec![0; 0]),
        ),
        (Shape::optional(Shape::Int), Vector::try_from_options([Some(1)]).unwrap()),
        (
            Shape::Union(vec![Shape::Int]),
            trevni::vector::UnionVector::new(vec![0], vec![vec![1].into()]).into(),
        ),
        (Shape::record::<&str>("R", []), trevni::vector::RecordVector::new(1, vec![]).into()),
    ];
    for (shape, vector) in &pairs {
        assert!(ValueRef::new(shape, vector, 0).is_some(), "{shape}");
        assert!(ValueRef::new(shape, vector, 1).is_none(), "{shape}");
        assert!(ValueRef::new(&Shape::Boolean, vector, 0).is_none(), "{shape}");
    }
    let lacking = Vector::list(trevni::vector::Offsets::from_lengths([5]).unwrap(), vec![1]);
    let shape = Shape::list(Shape::Int);
    let ValueRef::List(list) = ValueRef::new(&shape, &lacking, 0).unwrap() else { panic!() };
    assert_eq!((list.len(), list.iter().count(), list.get(3)), (5, 1, None));
    let odd = Shape::Enum(trevni::shape::EnumShape::new("E", ["a"]));
    assert!(ValueRef::new(&odd, &Vector::Enum(vec![-1]), 0).is_none());
}
