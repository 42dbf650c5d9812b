//! Schemas come back as they were; what is none is refused without a panic.

use super::{read, write};
use arrow_schema::{DataType, Field, Fields, IntervalUnit, Schema, TimeUnit, UnionFields, UnionMode};
use std::collections::HashMap;
use std::sync::Arc;

fn types() -> Vec<DataType> {
    use DataType as D;
    let item =
        || Arc::new(Field::new("element", D::Int8, true).with_metadata([("a".into(), "b".into())].into()));
    let members = Fields::from(vec![Field::new("", D::LargeUtf8, false), Field::new("b", D::Null, true)]);
    let variants =
        UnionFields::try_new([7, 3], [Field::new("x", D::Date64, true), Field::new("x", D::Utf8View, false)]);
    let variants = variants.unwrap();
    let entries = |name: &str| Arc::new(Field::new(name, D::Struct(members.clone()), false));
    let ends = Arc::new(Field::new("run_ends", D::Int16, false));
    vec![
        D::Boolean,
        D::UInt64,
        D::Float16,
        D::BinaryView,
        D::FixedSizeBinary(0),
        D::Timestamp(TimeUnit::Second, None),
        D::Timestamp(TimeUnit::Nanosecond, Some("Europe/Paris".into())),
        D::Time32(TimeUnit::Second),
        D::Time64(TimeUnit::Nanosecond),
        D::Duration(TimeUnit::Microsecond),
        D::Interval(IntervalUnit::DayTime),
        D::Decimal32(9, 2),
        D::Decimal64(18, -3),
        D::Decimal128(38, 38),
        D::Decimal256(76, 0),
        D::List(item()),
        D::LargeList(item()),
        D::ListView(item()),
        D::LargeListView(item()),
        D::FixedSizeList(item(), 3),
        D::Struct(Fields::empty()),
        D::Struct(members.clone()),
        D::Map(entries("entries"), false),
        D::Map(entries("key_value"), true),
        D::Union(variants.clone(), UnionMode::Sparse),
        D::Union(variants, UnionMode::Dense),
        D::Dictionary(Box::new(D::UInt8), Box::new(D::List(item()))),
        D::RunEndEncoded(ends, item()),
    ]
}

#[test]
fn every_type_comes_back() {
    let fields: Vec<Field> = types()
        .into_iter()
        .enumerate()
        .map(|(index, data_type)| {
            Field::new(index.to_string(), data_type, index % 2 == 0).with_dict_is_ordered(true)
        })
        .collect();
    let schema = Schema::new_with_metadata(fields, HashMap::from([("k\"".into(), "v\n".into())]));
    assert_eq!(read(&write(&schema), true), Some(schema));
}

#[test]
fn a_cut_text_is_refused() {
    let schema = Schema::new(types().into_iter().map(|kind| Field::new("f", kind, true)).collect::<Vec<_>>());
    let text = write(&schema);
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        assert_eq!(read(&text[..end], true), None);
    }
}

#[test]
fn numbers_that_lie_are_refused() {
    for field in [
        r#"{"name":"a","type":"list"}"#,
        r#"{"name":"a","type":"struct","children":18446744073709551615}"#,
        r#"{"name":"a","type":["fixed_size_binary",-1]}"#,
        r#"{"name":"a","type":["decimal32",256,0]}"#,
        r#"{"name":"a","type":["dictionary","utf8"],"children":1},{"name":"","type":"utf8"}"#,
        r#"{"name":"a","type":["dense_union",[0,0]],"children":2},{"name":"","type":"utf8"},{"name":"","type":"utf8"}"#,
        r#"{"name":"a","type":["dense_union",[-1]],"children":1},{"name":"","type":"utf8"}"#,
        r#"{"name":"a","type":"run_end_encoded","children":2},{"name":"","type":"utf8"},{"name":"","type":"utf8"}"#,
        r#"{"name":"a","type":["time32","ns"]}"#,
        r#"{"name":"a","type":"word"}"#,
    ] {
        assert_eq!(read(&format!(r#"{{"fields":[{field}]}}"#), true), None, "{field}");
    }
    let deep = r#"{"name":"a","type":"list","children":1},"#.repeat(100_000);
    assert_eq!(read(&format!(r#"{{"fields":[{deep}{{"name":"a","type":"utf8"}}]}}"#), true), None);
}
