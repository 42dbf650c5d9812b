//! Each rule of unifying, and what does not fit.

use super::*;
use crate::shape::FixedShape;

fn list(item: Shape) -> Shape {
    Shape::List(Box::new(item))
}

fn map(key: Shape, value: Shape) -> Shape {
    Shape::Map(Box::new(MapShape { key, value }))
}

fn absent_or(item: Shape) -> Shape {
    optional(Null::Absent, item)
}

fn record_of(name: &'static str, form: Form, fields: &[(&'static str, Shape)]) -> Shape {
    let field =
        |(name, shape): &(&'static str, Shape)| FieldShape { name: (*name).into(), shape: shape.clone() };
    let fields = fields.iter().map(field).collect();
    Shape::Record(RecordShape { namespace: "".into(), name: name.into(), form, fields })
}

fn row(fields: &[(&'static str, Shape)]) -> Shape {
    record_of("Row", Form::Struct, fields)
}

fn symbols(symbols: &[&'static str]) -> Shape {
    let symbols = symbols.iter().map(|symbol| (*symbol).into()).collect();
    Shape::Enum(EnumShape { namespace: "".into(), name: "E".into(), symbols })
}

fn fixed(size: usize) -> Shape {
    Shape::Fixed(FixedShape { namespace: "".into(), name: "F".into(), size })
}

/// Both orders give the same.
#[track_caller]
fn both(one: &Shape, two: &Shape, expected: &Shape) {
    assert_eq!(unify(one, two).as_ref(), Ok(expected), "{one} with {two}");
    assert_eq!(unify(two, one).as_ref(), Ok(expected), "{two} with {one}");
}

#[track_caller]
fn differ(one: &Shape, two: &Shape, path: &str, kinds: [&'static str; 2]) {
    assert_eq!(unify(one, two), Err(Mismatch { path: path.into(), one: kinds[0], two: kinds[1] }));
    assert_eq!(unify(two, one), Err(Mismatch { path: path.into(), one: kinds[1], two: kinds[0] }));
}

#[test]
fn equal_shapes_stay() {
    let shape = row(&[("a", Shape::Int), ("b", list(symbols(&["X"]))), ("c", absent_or(Shape::Null))]);
    both(&shape, &shape, &shape);
    both(&Shape::Null, &Shape::Null, &Shape::Null);
}

#[test]
fn null_makes_optional() {
    for null in [Shape::Null, Shape::Unknown] {
        both(&null, &Shape::Int, &Shape::optional(Shape::Int));
        both(&null, &Shape::optional(Shape::Int), &Shape::optional(Shape::Int));
        both(&null, &absent_or(Shape::Int), &absent_or(Shape::Int));
    }
    both(&Shape::Unknown, &Shape::Null, &Shape::Null);
}

#[test]
fn optional_takes_its_item() {
    both(&Shape::optional(Shape::Int), &Shape::Int, &Shape::optional(Shape::Int));
    both(&absent_or(Shape::Int), &Shape::Long, &absent_or(Shape::Long));
    both(&Shape::optional(Shape::Int), &Shape::optional(Shape::Double), &Shape::optional(Shape::Double));
    // A field that is absent in some rows and `None` in others is both.
    let nested = absent_or(Shape::optional(Shape::Long));
    both(&absent_or(Shape::Int), &Shape::optional(Shape::Long), &nested);
    both(&nested, &Shape::optional(Shape::Int), &nested);
}

#[test]
fn numbers_widen() {
    use Shape::{Double, Float, I128, Int, Long, U64, U128};
    let rules = [
        (Int, Long, Long),
        (Int, U64, U64),
        (Long, U64, U64),
        (Int, I128, I128),
        (U64, I128, I128),
        (Long, U128, U128),
        (Int, Float, Double),
        (Long, Float, Double),
        (Int, Double, Double),
        (U64, Double, Double),
        (Float, Double, Double),
    ];
    for (one, two, expected) in rules {
        both(&one, &two, &expected);
    }
    differ(&I128, &U128, "", ["i128", "u128"]);
    differ(&I128, &Double, "", ["i128", "double"]);
    differ(&Shape::Boolean, &Int, "", ["boolean", "int"]);
}

#[test]
fn symbols_are_joined() {
    assert_eq!(unify(&symbols(&["A", "B"]), &symbols(&["C", "A"])), Ok(symbols(&["A", "B", "C"])));
    both(&symbols(&["A"]), &Shape::String, &Shape::String);
}

#[test]
fn bytes_of_any_size_are_bytes() {
    both(&fixed(4), &Shape::Bytes, &Shape::Bytes);
    both(&fixed(4), &fixed(5), &Shape::Bytes);
}

#[test]
fn records_go_by_name() {
    let one = row(&[("a", Shape::Int), ("b", Shape::optional(Shape::String))]);
    let two = row(&[("c", Shape::Bytes), ("a", Shape::Long)]);
    let b = absent_or(Shape::optional(Shape::String));
    let expected = row(&[("a", Shape::Long), ("b", b.clone()), ("c", absent_or(Shape::Bytes))]);
    assert_eq!(unify(&one, &two), Ok(expected));
    let expected = row(&[("c", absent_or(Shape::Bytes)), ("a", Shape::Long), ("b", b)]);
    assert_eq!(unify(&two, &one), Ok(expected));
    // A struct may have been renamed, and a map written as a record has no name.
    let unnamed = record_of("", Form::Struct, &[("a", Shape::Int)]);
    both(&unnamed, &row(&[("a", Shape::Int)]), &row(&[("a", Shape::Int)]));
    let pair = record_of("", Form::Tuple, &[("_0", Shape::Int), ("_1", Shape::Int)]);
    differ(&pair, &one, "", ["tuple", "record"]);
}

#[test]
fn lists_and_maps_go_by_what_is_in_them() {
    both(&list(Shape::Int), &list(Shape::Long), &list(Shape::Long));
    both(&list(Shape::Null), &list(Shape::Int), &list(Shape::optional(Shape::Int)));
    both(
        &map(Shape::String, Shape::Int),
        &map(Shape::String, Shape::Double),
        &map(Shape::String, Shape::Double),
    );
    both(&map(Shape::Int, Shape::Int), &map(Shape::Long, Shape::Int), &map(Shape::Long, Shape::Int));
    differ(&map(Shape::Int, Shape::Int), &map(Shape::String, Shape::Int), "key", ["int", "string"]);
    differ(&list(Shape::Int), &map(Shape::String, Shape::Int), "", ["list", "map"]);
}

#[test]
fn variants_go_by_name() {
    let a = |shape: Shape| record_of("A", Form::StructVariant, &[("x", shape)]);
    let b = record_of("B", Form::NewtypeVariant, &[("_0", Shape::String)]);
    let union = |variants: &[Shape]| Shape::Union(variants.to_vec());
    assert_eq!(unify(&a(Shape::Int), &b), Ok(union(&[a(Shape::Int), b.clone()])));
    assert_eq!(unify(&symbols(&["U"]), &b), Ok(union(&[symbols(&["U"]), b.clone()])));
    let long = union(&[a(Shape::Long), b.clone()]);
    both(&union(&[a(Shape::Int), b.clone()]), &a(Shape::Long), &long);
    both(&union(&[a(Shape::Int), b.clone()]), &long, &long);
    assert_eq!(
        unify(&union(&[Shape::Int, Shape::String]), &union(&[Shape::String, Shape::Boolean])),
        Ok(union(&[Shape::Int, Shape::String, Shape::Boolean]))
    );
    assert_eq!(unify(&Shape::Bytes, &union(&[Shape::Int])), Ok(union(&[Shape::Bytes, Shape::Int])));
    differ(&union(&[a(Shape::String), b]), &a(Shape::Int), "A.x", ["string", "int"]);
}

#[test]
fn what_does_not_fit_is_named() {
    differ(&Shape::String, &Shape::Bytes, "", ["string", "bytes"]);
    let deep = |shape: Shape| {
        let host = row(&[("host", Shape::String), ("date", Shape::optional(shape))]);
        row(&[("id", Shape::Int), ("received", absent_or(list(host)))])
    };
    differ(&deep(Shape::Long), &deep(Shape::String), "received.date", ["long", "string"]);
    let inner = |shape: Shape| row(&[("m", map(Shape::String, row(&[("x", shape)])))]);
    differ(&inner(Shape::Float), &inner(list(Shape::Float)), "m.value.x", ["float", "list"]);
    let variant = record_of("V", Form::StructVariant, &[]);
    differ(&variant, &row(&[]), "", ["variant", "record"]);
}

#[test]
fn a_map_without_entries_takes_the_keys_of_the_other() {
    let shape = |rows: &[serde_json::Value], keys: bool| {
        let bytes = match keys {
            true => crate::to_vec([(1, std::collections::BTreeMap::from([(7, "seven")]))]),
            false => crate::to_vec(rows.iter().map(|row| (1, row))),
        };
        crate::Reader::from_slice(&bytes.unwrap()).unwrap().shape().clone()
    };
    let full = shape(&[], true);
    let empty = crate::to_vec([(1, std::collections::BTreeMap::<i32, &str>::new())]).unwrap();
    let empty = crate::Reader::from_slice(&empty).unwrap().shape().clone();
    let record = shape(&[serde_json::json!({})], false);
    for other in [empty, record] {
        for unified in [unify(&full, &other).unwrap(), unify(&other, &full).unwrap()] {
            let Shape::Record(row) = unified else { panic!("no tuple") };
            let Shape::Map(map) = &row.fields[1].shape else { panic!("no map: {row:?}") };
            assert_eq!(map.key, Shape::Int);
        }
    }
}
