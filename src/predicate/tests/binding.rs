//! Paths, what is decoded for them, and what is refused.

use super::super::{Literal, Truth, col, item};
use super::Rows;
use crate::dialect::schema::Slots;
use crate::dialect::{DecodedColumns, Decoder, Schema, Window};
use crate::error::{Category, ErrorKind};
use crate::reader::Reader;
use crate::shape::{EnumShape, Shape};
use crate::tree::{Projection, Tree};
use crate::vector::Vector;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Serialize)]
struct Row {
    carrier: String,
    delay: Option<i32>,
    stops: Vec<String>,
    place: Option<Place>,
    tags: BTreeMap<String, i32>,
    form: Form,
    nothing: Option<i32>,
}

#[derive(Serialize)]
struct Place {
    x: i32,
    y: i32,
}

#[derive(Serialize)]
enum Form {
    Circle { radius: f64 },
    Square { side: f64 },
}

fn rows() -> Rows {
    let row = |delay, form| Row {
        carrier: "AA".to_owned(),
        delay,
        stops: vec!["JFK".to_owned()],
        place: delay.map(|x| Place { x, y: 0 }),
        tags: BTreeMap::from([("a".to_owned(), 1)]),
        form,
        nothing: None,
    };
    Rows::from_rows(&[row(Some(1), Form::Circle { radius: 1.0 }), row(None, Form::Square { side: 1.0 })])
}

#[test]
fn literals_of_other_types_are_refused() {
    let rows = rows();
    let refused = [
        (col("carrier").eq(5), "carrier is string, which cannot be compared with 5"),
        (col("carrier").eq(&[5]), "carrier is string, which cannot be compared with b\"\\x05\""),
        (col("carrier").is_in([1.5]), "carrier is string, which cannot be compared with 1.5"),
        (col("carrier").starts_with(7), "carrier is string, which cannot be compared with the beginning 7"),
        (col("delay").eq("A"), "delay is int, which cannot be compared with \"A\""),
        (col("delay").starts_with("A"), "delay is int, which cannot be compared with the beginning \"A\""),
        (col("carrier").contains(7), "carrier is string, which cannot be compared with the part 7"),
        (col("delay").contains("A"), "delay is int, which cannot be compared with the part \"A\""),
        (col("delay").between(1, true), "delay is int, which cannot be compared with true"),
        (col("stops").any(item().eq(1)), "stops[] is string, which cannot be compared with 1"),
        (col("place").eq(1), "place is record, which cannot be compared with 1: name one of its fields"),
        (col("").eq(1), "the row is record, which cannot be compared with 1: name one of its fields"),
        (col("stops").eq("x"), "stops is list, which cannot be compared with \"x\": test its items with any"),
        (col("tags").eq(1), "tags is map, which cannot be compared with 1: test its entries with any"),
        (
            col("tags").any(item().eq(1)),
            "tags[] is entry, which cannot be compared with 1: name its key or value",
        ),
        (
            col("form").eq(1),
            "form is union, which cannot be compared with 1: name one of its variants (Circle, Square)",
        ),
    ];
    for (predicate, message) in refused {
        assert_eq!(rows.error(&predicate), message);
        let error = rows.bind(&predicate).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::PredicateType { .. }));
        assert_eq!(error.category(), Category::Misuse);
    }
}

#[test]
fn lists_want_any_and_others_do_not() {
    let rows = rows();
    let hops = Rows::from_rows(&[serde_json::json!({"m": {"hops": [{"host": "a", "x y": 1}]}})]);
    let message = "m.hops is list: a predicate on `x y` of its items goes into any";
    assert_eq!(hops.error(&col("m.hops.`x y`").eq(1)), message);
    let message = "tags is map: a predicate on key of its items goes into any";
    assert_eq!(rows.error(&col("tags.key").is_null()), message);
    assert_eq!(rows.error(&col("delay").any(item().eq(1))), "delay is int, which has no items for any");
    assert_eq!(rows.error(&col("place").any(item().eq(1))), "place is record, which has no items for any");
}

#[test]
fn paths_that_are_not_there_are_refused() {
    let rows = rows();
    let refused = [
        (col("carier").eq("A"), "no field \"carier\"; did you mean \"carrier\"?"),
        (col("place.z").eq(1), "no field \"place.z\"; did you mean \"place.x\"?"),
        (col("place.height").eq(1), "no field \"place.height\"; there are place.x, place.y"),
        (col("carrier.name").eq(1), "no field \"carrier.name\"; there are no fields in \"carrier\""),
        (col("form.Circel.radius").eq(1), "no field \"form.Circel.radius\"; did you mean \"form.Circle\"?"),
        (col("form.Circle.side").eq(1), "no field \"form.Circle.side\"; did you mean \"form.Square.side\"?"),
        (col("tags").any(col("kex").eq(1)), "no field \"tags[].kex\"; did you mean \"key\"?"),
        (col("nothing.below").eq(1), "no field \"nothing.below\"; there are no fields in \"nothing\""),
    ];
    for (predicate, message) in refused {
        assert_eq!(rows.error(&predicate), message);
    }
}

/// Rows with other fields than [`Row`].
#[derive(Serialize)]
#[serde(rename = "Row")]
struct Other {
    carier: i32,
    lost: Vec<i32>,
    gone: i32,
    stops: Vec<Stop>,
    place: Far,
    form: Solid,
}

#[derive(Serialize)]
struct Stop {
    lost: i32,
}

#[derive(Serialize)]
#[serde(rename = "Place")]
struct Far {
    z: i32,
}

#[derive(Serialize)]
#[serde(rename = "Form")]
enum Solid {
    Circle { side: f64 },
    Cube { edge: f64 },
}

#[test]
fn what_only_others_have_is_missing() {
    let rows = rows();
    let other = |form| Other {
        carier: 1,
        lost: vec![1],
        gone: 1,
        stops: vec![Stop { lost: 1 }],
        place: Far { z: 1 },
        form,
    };
    let others = Rows::from_rows(&[other(Solid::Circle { side: 1.0 }), other(Solid::Cube { edge: 1.0 })]);
    let among = |predicate: super::Predicate| {
        let filter = rows.bind_among(&others, &predicate).unwrap();
        let vector = rows.decoded(filter.nodes());
        filter.evaluate(&vector).unwrap().into_iter().map(super::letter).collect::<String>()
    };
    assert_eq!(among(col("carier").eq(1)), "??");
    assert_eq!(among(col("carier").ne(1)), "??");
    assert_eq!(among(col("carier").is_null()), "TT");
    assert_eq!(among(col("place.z").is_not_null()), "FF");
    assert_eq!(among(col("place.x").eq(1)), "T?");
    assert_eq!(among(col("lost").any(item().eq(1))), "??");
    assert_eq!(among(col("stops").any(col("lost").eq(1))), "??");
    assert_eq!(among(col("stops").any(col("string").eq("JFK"))), "TT");
    assert_eq!(among(col("gone").eq(1) | col("carrier").eq("AA")), "TT");
    assert_eq!(among(col("form.Circle.side").is_null()), "TT");
    assert_eq!(among(col("form.Circle.radius").eq(1)), "T?");
    assert_eq!(among(col("form.Cube").is_null()), "TT");
    assert_eq!(among(col("form.edge").eq(1)), "??");
    // What does not fit is refused all the same.
    assert!(rows.bind_among(&others, &col("carrier").eq(1)).is_err());
    assert!(rows.bind_among(&others, &col("nowhere").is_null()).is_err());
}

#[test]
fn only_what_is_compared_is_decoded() {
    let rows = rows();
    let wanted = |predicate: super::Predicate| {
        let filter = rows.bind(&predicate).unwrap();
        let columns = filter.slots().iter().filter_map(|slot| rows.schema.column(*slot));
        (filter.nodes().to_vec(), columns.collect::<BTreeSet<usize>>().into_iter().collect())
    };
    // row 0, carrier 1, delay 2-3, stops 4-5, place 6 (record 7, x 8, y 9), tags 10-12, form 13-17
    // columns: carrier 0, delay 1, stops 2, place 3, x 4, y 5, tags 6-8, form 9 (radius 10), 11 (12)
    assert_eq!(wanted(col("carrier").eq("x")), (vec![0, 1], vec![0]));
    assert_eq!(wanted(col("carrier").is_null()), (vec![0], vec![]));
    assert_eq!(wanted(col("delay").eq(1)), (vec![0, 2, 3], vec![1]));
    assert_eq!(wanted(col("delay").is_null()), (vec![0, 2], vec![1]));
    assert_eq!(wanted(col("place").is_null()), (vec![0, 6], vec![3]));
    assert_eq!(wanted(col("place.y").is_null()), (vec![0, 6], vec![3]));
    assert_eq!(wanted(col("place.y").eq(1)), (vec![0, 6, 7, 9], vec![3, 5]));
    assert_eq!(wanted(col("tags").any(col("value").eq(1))), (vec![0, 10, 12], vec![6, 8]));
    assert_eq!(wanted(col("form.Square.side").eq(1)), (vec![0, 13, 16, 17], vec![9, 11, 12]));
    assert_eq!(wanted(col("form.Square").is_null()), (vec![0, 13], vec![9, 11]));
    assert_eq!(wanted(col("nothing").eq(1)), (vec![0], vec![]));
    let both = col("place.x").eq(1) & col("delay").is_null();
    assert_eq!(wanted(both), (vec![0, 2, 6, 7, 8], vec![1, 3, 4]));
}

#[test]
fn dots_separate_names_where_they_can() {
    let rows = serde_json::json!([{"a": {"b": 1, "c": 2}, "a.b": 3}, {"a": {"b": 3, "c": 4}, "a.b": 5}]);
    let rows = Rows::from_rows(rows.as_array().unwrap());
    assert_eq!(rows.truths(col("a.b").eq(3)), "FT");
    assert_eq!(rows.truths(col("`a.b`").eq(3)), "TF");
    assert_eq!(rows.truths(col("a.c").eq(4)), "FT");
}

#[test]
fn parents_that_hold_values() {
    // Without its schema, an optional of a record is a list of records, a list is one of values.
    let bytes = crate::to_vec([(Some((1, "a")), vec![1, 2]), (None, vec![])]).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap().untyped().unwrap();
    let file = super::open(&bytes);
    let schema = Arc::new(file.untyped_schema().unwrap());
    let Projection { shape, tree, .. } = &schema.whole;
    assert_eq!(&**shape, reader.shape());
    let Shape::Record(record) = &**shape else { panic!("roots are fields") };
    let name = record.fields[0].name.clone();
    let predicate = col(&*name).any(col("_0").eq(1));
    let filter = predicate.bind(shape, tree).unwrap();
    let mut decoder = Decoder::new(&file, &schema, &schema.whole).unwrap();
    decoder.want_all();
    let mut vector = Vector::Null(0);
    let (rows, none) = (0..2, DecodedColumns::default());
    decoder
        .batch(&file, &Window { row: 0, rows: 2, picks: std::slice::from_ref(&rows) }, &none, &mut vector)
        .unwrap();
    assert_eq!(filter.evaluate(&vector).unwrap(), [Truth::True, Truth::False]);
    assert_eq!(filter.nodes(), [0, 1, 2, 3]);

    // The column of the list holds the values of a field too.
    let mut slots = Slots::default();
    [None, Some(0), None, Some(0)].into_iter().for_each(|column| slots.push(column, None));
    let schema = Schema::new(Shape::clone(shape), slots, schema.branches);
    assert!(filter.slots().iter().all(|slot| schema.column(*slot) == Some(0)));
}

#[test]
fn values_of_another_form_are_errors() {
    let shape = |symbols: &[&'static str]| {
        let symbols = symbols.iter().map(|symbol| (*symbol).into()).collect();
        Shape::Enum(EnumShape { namespace: "".into(), name: "E".into(), symbols })
    };
    let bind = |shape: &Shape| item().eq("a").bind(shape, &Tree::new(shape)).unwrap();
    let filter = bind(&shape(&["a", "b"]));
    assert_eq!(filter.evaluate(&Vector::Enum(vec![1, 0])).unwrap(), [Truth::False, Truth::True]);
    let error = filter.evaluate(&Vector::Enum(vec![2])).unwrap_err();
    assert_eq!(error.to_string(), "an enum of 2 symbols has no number 2");
    assert!(filter.evaluate(&Vector::Enum(vec![-1])).is_err());
    assert!(filter.evaluate(&Vector::Int(vec![1])).is_err());
    assert!(filter.evaluate(&Vector::Unread(0)).is_err());
}

#[test]
fn predicates_as_text() {
    let shown = [
        (
            col("carrier").eq("AA").and(col("dep_delay").gt(60)).to_string(),
            "carrier = \"AA\" and dep_delay > 60",
        ),
        (
            (col("a").lt(1) & (col("b").ne(2) | !col("c").ge(0.5))).to_string(),
            "a < 1 and (b != 2 or not (c >= 0.5))",
        ),
        (col("a").between(1, 2).or(col("a").is_null()).to_string(), "a between 1 and 2 or a is null"),
        (col("s").any(item().is_in(["x", "y"])).to_string(), "any of s (item in (\"x\", \"y\"))"),
        (
            col("s").starts_with(b"\xffa").and(col("s").is_not_null()).to_string(),
            "s starts with b\"\\xffa\" and s is not null",
        ),
        (item().le(u128::MAX).to_string(), "row <= 340282366920938463463374607431768211455"),
    ];
    for (found, expected) in shown {
        assert_eq!(found, expected);
    }
}

#[test]
fn literals_are_exact() {
    assert_eq!(Literal::from(u128::MAX), Literal::Large(u128::MAX));
    assert_eq!(Literal::from(7u128), Literal::Integer(7));
    assert_eq!(Literal::from(u64::MAX), Literal::Integer(i128::from(u64::MAX)));
    assert_eq!(Literal::from(0.1f32), Literal::Float(f64::from(0.1f32)));
}
