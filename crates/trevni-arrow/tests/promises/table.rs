//! What is stored of each Arrow type, and the Arrow type of each shape.

use super::list_of;
use arrow_schema::{DataType as D, Field, IntervalUnit, Schema, TimeUnit, UnionFields, UnionMode};
use std::collections::HashMap;
use std::sync::Arc;
use trevni_arrow::{avro_of_schema, schema_of_avro, shape_of_schema};

fn stored(data_type: D, is_nullable: bool) -> String {
    let schema = Schema::new(vec![Field::new("f", data_type, is_nullable)]);
    let avro = avro_of_schema(&schema).unwrap();
    let (_, field) =
        avro.split_once(r#""type":"record","name":"Row","fields":[{"name":"f","type":"#).unwrap();
    field.strip_suffix("}]}").unwrap().to_owned()
}

#[test]
fn types_without_children_are_stored_as_the_table_says() {
    use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
    let utc = || Some("UTC".into());
    let long = |logical: &str| format!(r#"{{"type":"long","logicalType":"{logical}"}}"#);
    let decimal = r#"{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}"#;
    for (data_type, avro) in [
        (D::Null, r#""null""#.to_owned()),
        (D::Boolean, r#""boolean""#.to_owned()),
        (D::Int8, r#""int""#.to_owned()),
        (D::UInt16, r#""int""#.to_owned()),
        (D::UInt32, r#""long""#.to_owned()),
        (D::UInt64, r#"{"type":"long","serde":"u64"}"#.to_owned()),
        (D::Float16, r#""float""#.to_owned()),
        (D::LargeUtf8, r#""string""#.to_owned()),
        (D::BinaryView, r#""bytes""#.to_owned()),
        (D::FixedSizeBinary(3), r#"{"type":"fixed","name":"f","size":3}"#.to_owned()),
        (D::Date32, r#"{"type":"int","logicalType":"date"}"#.to_owned()),
        (D::Date64, long("local-timestamp-millis")),
        (D::Time32(Second), r#"{"type":"int","logicalType":"time-millis"}"#.to_owned()),
        (D::Time64(Microsecond), long("time-micros")),
        (D::Time64(Nanosecond), long("time-nanos")),
        (D::Timestamp(Second, utc()), long("timestamp-millis")),
        (D::Timestamp(Millisecond, Some("+02:00".into())), long("timestamp-millis")),
        (D::Timestamp(Nanosecond, utc()), long("timestamp-nanos")),
        (D::Timestamp(Microsecond, None), long("local-timestamp-micros")),
        (D::Duration(Second), r#""long""#.to_owned()),
        (D::Interval(IntervalUnit::YearMonth), r#""int""#.to_owned()),
        (D::Decimal32(9, 2), decimal.to_owned()),
        (D::Decimal256(9, 2), decimal.to_owned()),
        (D::Decimal64(9, -2), r#""bytes""#.to_owned()),
        (D::Decimal64(2, 9), r#""bytes""#.to_owned()),
        (D::Dictionary(Box::new(D::Int8), Box::new(D::Utf8)), r#""string""#.to_owned()),
    ] {
        assert_eq!(stored(data_type.clone(), false), avro, "{data_type}");
        if data_type != D::Null {
            assert_eq!(stored(data_type, true), format!(r#"["null",{avro}]"#));
        }
    }
}

#[test]
fn types_with_children_are_stored_as_the_table_says() {
    let item = Arc::new(Field::new("x", D::Int32, true));
    let items = r#"{"type":"array","items":["null","int"]}"#;
    for list in [
        D::List(Arc::clone(&item)),
        D::LargeList(Arc::clone(&item)),
        D::ListView(Arc::clone(&item)),
        D::LargeListView(Arc::clone(&item)),
        D::FixedSizeList(Arc::clone(&item), 2),
    ] {
        assert_eq!(stored(list, false), items);
    }
    let day_time = D::Interval(IntervalUnit::DayTime);
    let fields = r#"[{"name":"days","type":"int"},{"name":"milliseconds","type":"int"}]"#;
    assert_eq!(stored(day_time, false), format!(r#"{{"type":"record","name":"f","fields":{fields}}}"#));

    let members = vec![Field::new("key", D::Utf8View, false), Field::new("v", D::Boolean, true)];
    let map = D::Map(Arc::new(Field::new("pairs", D::Struct(members.into()), false)), false);
    assert_eq!(stored(map, false), r#"{"type":"map","values":["null","boolean"]}"#);

    let ends = Arc::new(Field::new("ends", D::Int32, false));
    let runs = D::RunEndEncoded(ends, Arc::new(Field::new("values", D::Utf8, true)));
    assert_eq!(stored(runs, false), r#"["null","string"]"#);
}

#[test]
fn a_union_is_avros_where_its_fields_are_named_so() {
    let union = |names: [(&str, D); 2]| {
        let fields = names.map(|(name, data_type)| Field::new(name, data_type, false));
        D::Union(UnionFields::try_new([5, 2], fields).unwrap(), UnionMode::Sparse)
    };
    assert_eq!(stored(union([("int", D::Int32), ("string", D::Utf8)]), false), r#"["int","string"]"#);
    let shape = |data_type| {
        shape_of_schema(&Schema::new(vec![Field::new("u", data_type, false)])).unwrap().to_string()
    };
    let variants = shape(union([("a", D::Int32), ("b", D::Int32)]));
    assert_eq!(variants.lines().count(), 6, "{variants}");
    let null = shape(union([("null", D::Null), ("b", D::Int32)]));
    assert!(null.contains("optional") || null.contains('?'), "{null}");
}

#[test]
fn identifiers_are_uuids() {
    let metadata = HashMap::from([("ARROW:extension:name".to_owned(), "arrow.uuid".to_owned())]);
    let field = Field::new("id", D::FixedSizeBinary(16), false).with_metadata(metadata);
    let avro = avro_of_schema(&Schema::new(vec![field.clone()])).unwrap();
    assert!(avro.contains(r#""logicalType":"uuid""#), "{avro}");
    assert_eq!(schema_of_avro(&avro).unwrap().field(0), &field);
}

#[test]
fn addresses_are_addresses() {
    for (name, size) in [
        ("ipv4-address", 4),
        ("ipv6-address", 16),
        ("ip-address", 17),
        ("ipv4-network", 5),
        ("ipv6-network", 17),
        ("ip-network", 18),
    ] {
        let extension = |size| {
            let metadata = HashMap::from([("ARROW:extension:name".to_owned(), format!("trevni.{name}"))]);
            Field::new("ip", D::FixedSizeBinary(size), false).with_metadata(metadata)
        };
        let avro = avro_of_schema(&Schema::new(vec![extension(size)])).unwrap();
        assert!(avro.contains(&format!(r#""logicalType":"{name}""#)), "{avro}");
        assert_eq!(schema_of_avro(&avro).unwrap().field(0), &extension(size));
        // Of another size they are what is stored.
        let avro = avro_of_schema(&Schema::new(vec![extension(3)])).unwrap();
        assert!(!avro.contains("logicalType"), "{avro}");
    }
}

#[test]
fn avro_schemas_come_back() {
    for avro in [
        r#""int""#,
        r#"["null","string"]"#,
        r#"{"type":"array","items":"double"}"#,
        r#"{"type":"record","name":"R","namespace":"a.b","fields":[{"name":"e","type":{"type":"enum","name":"E","symbols":["x","y"]}},{"name":"u","type":["null","int",{"type":"map","values":"bytes"}]},{"name":"d","type":{"type":"fixed","name":"D","size":12,"logicalType":"duration"}},{"name":"p","type":{"type":"bytes","logicalType":"decimal","precision":50,"scale":2}},{"name":"huge","type":{"type":"bytes","logicalType":"decimal","precision":500,"scale":2}},{"name":"o","type":{"type":"string","logicalType":"other"}},{"name":"i","type":{"type":"string","logicalType":"uuid"}}]}"#,
    ] {
        let schema = schema_of_avro(avro).unwrap();
        let again = avro_of_schema(&schema).unwrap();
        assert_eq!(again, trevni::Shape::from_avro(avro).unwrap().to_avro());
        assert_eq!(schema_of_avro(&again).unwrap(), schema);
    }
}

#[test]
fn an_avro_schema_of_other_columns_is_ignored() {
    let mut schema =
        schema_of_avro(r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}"#).unwrap();
    assert!(avro_of_schema(&schema).unwrap().contains(r#""name":"R""#));
    schema.fields = vec![Field::new("a", D::Int64, false)].into();
    let avro = avro_of_schema(&schema).unwrap();
    assert!(avro.contains(r#""name":"Row""#) && avro.contains("long"), "{avro}");
    let nested = Schema::new(vec![Field::new("l", list_of(Field::new("item", D::Utf8, false)), false)]);
    let nested = nested.with_metadata(schema.metadata().clone());
    assert!(avro_of_schema(&nested).unwrap().contains("array"));
}

#[test]
fn the_style_of_strings_is_in_the_metadata() {
    let field =
        |mark| format!(r#"{{"name":"at","type":{{"type":"long","logicalType":"timestamp-micros"{mark}}}}}"#);
    let record = |mark| format!(r#"{{"type":"record","name":"R","fields":[{}]}}"#, field(mark));
    let styled = record(r#","serde":"time""#);
    let schema = schema_of_avro(&styled).unwrap();
    assert_eq!(schema.field(0), schema_of_avro(&record("")).unwrap().field(0));
    assert_eq!(avro_of_schema(&schema).unwrap(), styled);
    // Without it, strings are those of ISO 8601.
    let bare = Schema::new(schema.fields().clone());
    assert!(!avro_of_schema(&bare).unwrap().contains("serde"));
}
