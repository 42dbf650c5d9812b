//! Each rule of joining, and that the order of the shapes does not matter.

use super::*;
use crate::shape::{FixedShape, IpFamily, Logical, LogicalShape, StringStyle};
use proptest::prelude::*;

fn list(item: Shape) -> Shape {
    Shape::List(Box::new(item))
}

fn map(key: Shape, value: Shape) -> Shape {
    Shape::Map(Box::new(MapShape::new(key, value)))
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

fn tuple(items: &[(&'static str, Shape)]) -> Shape {
    record_of("", Form::Tuple, items)
}

fn union_of(variants: &[Shape]) -> Shape {
    Shape::Union(variants.to_vec())
}

fn logical(logical: Logical) -> Shape {
    let storage = logical.storage().unwrap();
    Shape::logical(logical, storage).unwrap()
}

/// In the style of the `time` crate.
fn spaced(logical: Logical) -> Shape {
    let storage = logical.storage().unwrap();
    let shape = LogicalShape::new(logical, storage).unwrap();
    Shape::Logical(Box::new(shape.with_style(StringStyle::Time).unwrap()))
}

fn decimal(precision: u32, scale: u32) -> Shape {
    logical(Logical::Decimal { precision, scale })
}

/// Rows of foreign files.
const FOREIGN: Rules = Rules { promote: false, shown: Shown::Stored, derived: false };

fn rows(one: &Shape, two: &Shape) -> Shape {
    join(one, two, Rules::ROWS)
}

/// Both orders give the same.
#[track_caller]
fn both(one: &Shape, two: &Shape, expected: &Shape) {
    by(Rules::ROWS, one, two, expected);
}

#[track_caller]
fn by(rules: Rules, one: &Shape, two: &Shape, expected: &Shape) {
    assert_eq!(&join(one, two, rules), expected, "{one} with {two}");
    assert_eq!(&join(two, one, rules), expected, "{two} with {one}");
}

/// What stands apart is a union, in the order of the shapes.
#[track_caller]
fn apart(one: &Shape, two: &Shape) {
    assert_eq!(rows(one, two), union_of(&[one.clone(), two.clone()]), "{one} with {two}");
    assert_eq!(rows(two, one), union_of(&[two.clone(), one.clone()]), "{two} with {one}");
}

#[test]
fn equal_shapes_stay() {
    let shape = row(&[("a", Shape::Int), ("b", list(symbols(&["X"]))), ("c", absent_or(Shape::Null))]);
    both(&shape, &shape, &shape);
    both(&Shape::Null, &Shape::Null, &Shape::Null);
}

#[test]
fn null_makes_optional() {
    let null = Shape::Null;
    both(&null, &Shape::Int, &Shape::optional(Shape::Int));
    both(&null, &Shape::optional(Shape::Int), &Shape::optional(Shape::Int));
    // Null is not what is absent.
    both(&null, &absent_or(Shape::Int), &absent_or(Shape::optional(Shape::Int)));
    let union = union_of(&[Shape::Int, Shape::String]);
    both(&null, &union, &Shape::optional(union.clone()));
    both(&absent_or(Shape::Null), &Shape::Null, &absent_or(Shape::Null));
}

#[test]
fn unknown_adds_nothing() {
    let union = union_of(&[Shape::Int, Shape::String]);
    for shape in [Shape::Null, Shape::Int, Shape::optional(Shape::Int), absent_or(Shape::Int), union] {
        both(&Shape::Unknown, &shape, &shape);
    }
}

#[test]
fn optional_takes_its_item() {
    both(&Shape::optional(Shape::Int), &Shape::Int, &Shape::optional(Shape::Int));
    both(&absent_or(Shape::Int), &Shape::Long, &absent_or(Shape::Long));
    both(&Shape::optional(Shape::Float), &Shape::optional(Shape::Double), &Shape::optional(Shape::Double));
    // A field that is absent in some rows and `None` in others is both.
    let nested = absent_or(Shape::optional(Shape::Long));
    both(&absent_or(Shape::Int), &Shape::optional(Shape::Long), &nested);
    both(&nested, &Shape::optional(Shape::Int), &nested);
}

#[test]
fn integers_widen() {
    use Shape::{I128, Int, Long, U64, U128};
    for (one, two, expected) in [
        (Int, Long, Long),
        (Int, U64, I128),
        (Long, U64, I128),
        (Int, I128, I128),
        (U64, I128, I128),
        (Long, I128, I128),
    ] {
        both(&one, &two, &expected);
    }
    for integer in [Int, Long, U64, I128] {
        apart(&integer, &U128);
        apart(&integer, &Shape::Double);
        apart(&integer, &Shape::Boolean);
        by(Rules::TABLE, &integer, &Shape::Double, &Shape::Double);
        by(Rules::TABLE, &integer, &Shape::Float, &Shape::Double);
    }
    both(&Shape::Float, &Shape::Double, &Shape::Double);
    assert_eq!(rows(&union_of(&[Shape::String, Int]), &U64), union_of(&[Shape::String, I128]));
}

#[test]
fn symbols_are_joined() {
    assert_eq!(rows(&symbols(&["A", "B"]), &symbols(&["C", "A"])), symbols(&["A", "B", "C"]));
    apart(&symbols(&["A"]), &Shape::String);
    by(Rules::TABLE, &symbols(&["A"]), &Shape::String, &Shape::String);
}

#[test]
fn bytes_of_any_size_are_bytes() {
    both(&fixed(4), &Shape::Bytes, &Shape::Bytes);
    both(&fixed(4), &fixed(5), &Shape::Bytes);
    both(&fixed(4), &fixed(4), &fixed(4));
    apart(&Shape::String, &Shape::Bytes);
    by(Rules::TABLE, &Shape::String, &fixed(4), &Shape::Bytes);
}

#[test]
fn records_go_by_name() {
    let one = row(&[("a", Shape::Int), ("b", Shape::optional(Shape::String))]);
    let two = row(&[("c", Shape::Bytes), ("a", Shape::Long)]);
    let b = absent_or(Shape::optional(Shape::String));
    let expected = row(&[("a", Shape::Long), ("b", b.clone()), ("c", absent_or(Shape::Bytes))]);
    assert_eq!(rows(&one, &two), expected);
    let expected = row(&[("c", absent_or(Shape::Bytes)), ("a", Shape::Long), ("b", b)]);
    assert_eq!(rows(&two, &one), expected);
    // A struct may have been renamed, and a map written as a record has no name.
    let unnamed = record_of("", Form::Struct, &[("a", Shape::Int)]);
    both(&unnamed, &row(&[("a", Shape::Int)]), &row(&[("a", Shape::Int)]));
    let pair = tuple(&[("_0", Shape::Int), ("_1", Shape::Int)]);
    apart(&pair, &one);
    apart(&pair, &list(Shape::Int));
}

#[test]
fn lists_and_maps_go_by_what_is_in_them() {
    both(&list(Shape::Int), &list(Shape::Long), &list(Shape::Long));
    both(&list(Shape::Null), &list(Shape::Int), &list(Shape::optional(Shape::Int)));
    let of = |value: Shape| map(Shape::String, value);
    both(&of(Shape::Float), &of(Shape::Double), &of(Shape::Double));
    both(&map(Shape::Int, Shape::Int), &map(Shape::Long, Shape::Int), &map(Shape::Long, Shape::Int));
    let keys = union_of(&[Shape::Int, Shape::String]);
    assert_eq!(rows(&map(Shape::Int, Shape::Int), &of(Shape::Int)), map(keys, Shape::Int));
    apart(&list(Shape::Int), &map(Shape::Int, Shape::Int));
    apart(&row(&[("a", Shape::Int)]), &of(Shape::Int));
    both(&row(&[]), &of(Shape::Int), &of(Shape::Int));
}

#[test]
fn variants_go_by_name() {
    let a = |shape: Shape| record_of("A", Form::StructVariant, &[("x", shape)]);
    let b = record_of("B", Form::NewtypeVariant, &[("_0", Shape::String)]);
    assert_eq!(rows(&a(Shape::Int), &b), union_of(&[a(Shape::Int), b.clone()]));
    assert_eq!(rows(&symbols(&["U"]), &b), union_of(&[symbols(&["U"]), b.clone()]));
    let long = union_of(&[a(Shape::Long), b.clone()]);
    both(&union_of(&[a(Shape::Int), b.clone()]), &a(Shape::Long), &long);
    both(&union_of(&[a(Shape::Int), b.clone()]), &long, &long);
    assert_eq!(
        rows(&union_of(&[Shape::Int, Shape::String]), &union_of(&[Shape::String, Shape::Boolean])),
        union_of(&[Shape::Int, Shape::String, Shape::Boolean])
    );
    assert_eq!(rows(&Shape::Bytes, &union_of(&[Shape::Int])), union_of(&[Shape::Bytes, Shape::Int]));
    let both = a(union_of(&[Shape::String, Shape::Int]));
    assert_eq!(rows(&union_of(&[a(Shape::String), b.clone()]), &a(Shape::Int)), union_of(&[both, b]));
}

#[test]
fn structs_of_foreign_unions_go_by_name() {
    let named = |name| record_of(name, Form::Struct, &[("x", Shape::Int)]);
    let union = union_of(&[named("A"), Shape::Int]);
    assert_eq!(join(&union, &named("B"), FOREIGN), union_of(&[named("A"), Shape::Int, named("B")]));
    assert_eq!(join(&union, &named("A"), FOREIGN), union);
    assert_eq!(rows(&union, &named("B")), union);
}

#[test]
fn logical_types_beside_others_become_strings() {
    let (micros, millis) = (logical(Logical::TimestampMicros), logical(Logical::TimestampMillis));
    let (date, local) = (logical(Logical::Date), logical(Logical::LocalTimestampMicros));
    for rules in [Rules::ROWS, Rules::TABLE, FOREIGN] {
        by(rules, &micros, &millis, &micros);
        by(rules, &micros, &date, &Shape::String);
        by(rules, &micros, &local, &Shape::String);
        by(rules, &decimal(5, 1), &decimal(9, 1), &decimal(9, 1));
        apart(&micros, &Shape::Double);
    }
    // A union does not tell an instant from another long.
    let strings = |other: Shape| union_of(&[Shape::String, other]);
    assert_eq!(rows(&micros, &Shape::Long), strings(Shape::Long));
    assert_eq!(rows(&date, &Shape::U64), strings(Shape::U64));
    assert_eq!(
        rows(&union_of(&[micros.clone(), Shape::Double]), &Shape::Int).to_string(),
        "union\n  | string\n  | double\n  | int"
    );
    // Those that are shown as numbers stay numbers.
    by(FOREIGN, &micros, &Shape::Long, &Shape::Long);
    assert_eq!(join(&micros, &Shape::String, FOREIGN), union_of(&[micros.clone(), Shape::String]));
    both(&micros, &Shape::String, &Shape::String);
    by(Rules::TABLE, &micros, &Shape::String, &Shape::String);
    // Strings of decimals keep their digits.
    both(&decimal(5, 1), &decimal(5, 2), &Shape::String);
    by(Rules::TABLE, &decimal(5, 1), &decimal(5, 2), &decimal(6, 2));
    by(Rules::TABLE, &decimal(5, 1), &Shape::Long, &decimal(20, 1));
    by(Rules::TABLE, &decimal(5, 1), &Shape::Double, &Shape::Double);
}

#[test]
fn two_styles_become_strings_where_strings_are_shown() {
    let [millis, micros] = [Logical::TimestampMillis, Logical::TimestampMicros].map(spaced);
    let iso = logical(Logical::TimestampMillis);
    for rules in [Rules::ROWS, Rules::TABLE, FOREIGN] {
        by(rules, &millis, &micros, &micros);
        assert_eq!(join(&millis, &millis, rules), millis);
    }
    by(Rules::ROWS, &millis, &iso, &Shape::String);
    by(Rules::ROWS, &micros, &iso, &Shape::String);
    for rules in [Rules::TABLE, FOREIGN] {
        by(rules, &millis, &iso, &iso);
        by(rules, &micros, &iso, &logical(Logical::TimestampMicros));
    }
}

#[test]
fn addresses_of_two_families_are_of_any() {
    let address = |family| logical(Logical::IpAddress(family));
    let network = |family| logical(Logical::IpNetwork(family));
    for rules in [Rules::ROWS, Rules::TABLE, FOREIGN] {
        for of in [address, network] {
            let any = of(IpFamily::Any);
            by(rules, &of(IpFamily::V4), &of(IpFamily::V6), &any);
            by(rules, &of(IpFamily::V4), &any, &any);
            by(rules, &of(IpFamily::V6), &any, &any);
            by(rules, &of(IpFamily::V6), &of(IpFamily::V6), &of(IpFamily::V6));
        }
        by(rules, &address(IpFamily::V4), &network(IpFamily::V4), &Shape::String);
        by(rules, &address(IpFamily::V6), &logical(Logical::Uuid), &Shape::String);
    }
    both(&address(IpFamily::V4), &Shape::String, &Shape::String);
}

/// Leaves of a few types, so that they meet.
fn leaf() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Null),
        Just(Shape::Boolean),
        Just(Shape::Int),
        Just(Shape::Long),
        Just(Shape::U64),
        Just(Shape::I128),
        Just(Shape::U128),
        Just(Shape::Float),
        Just(Shape::Double),
        Just(Shape::String),
        Just(Shape::Bytes),
        Just(symbols(&["A"])),
        Just(symbols(&["B", "A"])),
        Just(logical(Logical::Date)),
        Just(logical(Logical::TimestampMillis)),
        Just(logical(Logical::IpAddress(IpFamily::V4))),
        Just(logical(Logical::IpAddress(IpFamily::V6))),
        Just(logical(Logical::IpAddress(IpFamily::Any))),
        Just(logical(Logical::IpNetwork(IpFamily::V4))),
        Just(logical(Logical::TimestampMicros)),
        Just(spaced(Logical::TimestampMillis)),
        Just(decimal(3, 1)),
        Just(decimal(5, 2)),
    ]
}

/// Shapes as rows of one value make them, two of which often have something in common.
pub(crate) fn shape() -> impl Strategy<Value = Shape> {
    let field = |name: &'static str| move |shape| (name, shape);
    leaf().prop_recursive(3, 12, 3, move |inner| {
        let fields = (
            prop::option::of(inner.clone().prop_map(field("a"))),
            prop::option::of(inner.clone().prop_map(field("b"))),
        );
        let forms = prop::sample::select(vec![
            ("", Form::Struct),
            ("S", Form::Struct),
            ("", Form::Tuple),
            ("V", Form::StructVariant),
            ("W", Form::StructVariant),
        ]);
        prop_oneof![
            inner.clone().prop_map(list),
            (prop::sample::select(vec![Shape::String, Shape::Int]), inner.clone())
                .prop_map(|(key, value)| map(key, value)),
            (forms, fields).prop_map(|((name, form), (a, b))| {
                // One without fields is an empty map as well, and of three shapes the second decides.
                let a = if b.is_none() && form == Form::Struct { a.or(Some(("a", Shape::Int))) } else { a };
                let fields: Vec<_> = a.into_iter().chain(b).collect();
                record_of(name, form, &fields)
            }),
            inner.prop_map(|shape| join(&shape, &Shape::Null, Rules::ROWS)),
        ]
    })
}

/// The shape without the order of fields, variants and symbols, and without names of structs.
fn without_order(shape: &Shape) -> Shape {
    match shape {
        Shape::Record(record) => {
            let field = |field: &FieldShape| FieldShape::new(field.name.clone(), without_order(&field.shape));
            let mut fields: Vec<FieldShape> = record.fields.iter().map(field).collect();
            fields.sort_by(|one, two| one.name.cmp(&two.name));
            let name = if record.form.is_variant() { record.name.clone() } else { "".into() };
            Shape::Record(RecordShape { namespace: "".into(), name, form: record.form, fields })
        }
        Shape::Enum(shape) => {
            let mut symbols = shape.symbols.clone();
            symbols.sort();
            Shape::Enum(EnumShape { symbols, ..shape.clone() })
        }
        Shape::List(item) => list(without_order(item)),
        Shape::Map(shape) => map(without_order(&shape.key), without_order(&shape.value)),
        Shape::Optional(shape) => optional(shape.null, without_order(&shape.item)),
        Shape::Union(variants) => {
            let mut variants: Vec<Shape> = variants.iter().map(without_order).collect();
            variants.sort_by_key(|variant| variant.to_string());
            Shape::Union(variants)
        }
        leaf => leaf.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_cut_gives_the_same(shapes in prop::collection::vec(shape(), 1..6), cut in 0usize..6) {
        let all = |shapes: &[Shape]| shapes.iter().cloned().reduce(|one, two| rows(&one, &two));
        let whole = all(&shapes).unwrap();
        let (one, two) = shapes.split_at(cut.min(shapes.len()));
        let parts = match (all(one), all(two)) {
            (Some(one), Some(two)) => rows(&one, &two),
            (one, two) => one.or(two).unwrap(),
        };
        prop_assert_eq!(without_order(&parts), without_order(&whole));
        let reversed: Vec<Shape> = shapes.iter().rev().cloned().collect();
        prop_assert_eq!(without_order(&all(&reversed).unwrap()), without_order(&whole));
        for shape in &shapes {
            prop_assert_eq!(&rows(&whole, shape), &whole, "{} has {} already", whole, shape);
        }
    }
}
