//! Logical types, and what defaults stand for.

use super::rules::{read, some};
use super::{File, record, row};
use apache_avro::types::Value;

#[test]
fn logical_types_keep_what_they_mean() {
    let logical = |storage: &str, name: &str| format!(r#"{{"type": "{storage}", "logicalType": "{name}"}}"#);
    let instant = logical("long", "timestamp-micros");
    let value = || Value::TimestampMicros(1_000_000);
    assert_eq!(read(&instant, value(), r#""long""#), Ok(Value::Long(1_000_000)));
    assert_eq!(
        read(&instant, value(), &logical("long", "local-timestamp-micros")),
        Ok(Value::LocalTimestampMicros(1_000_000))
    );
    assert_eq!(read(r#""long""#, Value::Long(1_000_000), &instant), Ok(value()));
    assert_eq!(read(r#""int""#, Value::Int(3), &instant), Ok(Value::TimestampMicros(3)));
    for other in ["timestamp-millis", "time-micros"] {
        let error = read(&instant, value(), &logical("long", other)).unwrap_err();
        assert_eq!(error, format!("field f: timestamp-micros cannot be read as {other}"));
    }

    let decimal = |storage: &str, precision: u32, scale: u32| {
        let storage = match storage {
            "bytes" => r#""type": "bytes""#.to_owned(),
            size => format!(r#""type": "fixed", "name": "F", "size": {size}"#),
        };
        format!(r#"{{{storage}, "logicalType": "decimal", "precision": {precision}, "scale": {scale}}}"#)
    };
    let number = |bytes: &[u8]| Value::Decimal(bytes.into());
    for bytes in [&[0x80][..], &[0x7f], &[0x12, 0x34], &[0xff, 0x00]] {
        let written = decimal("bytes", 6, 2);
        assert_eq!(read(&written, number(bytes), &decimal("bytes", 9, 2)), Ok(number(bytes)));
        let read = read(&written, number(bytes), &decimal("4", 6, 2)).unwrap();
        let Value::Decimal(read) = read else { panic!("{read:?}") };
        assert_eq!(num(&<Vec<u8>>::try_from(&read).unwrap()), num(bytes));
    }
    let error = read(&decimal("bytes", 6, 2), number(&[1]), &decimal("bytes", 6, 3)).unwrap_err();
    assert_eq!(error, "field f: decimal(6, 2) cannot be read as decimal(6, 3)");
    let error = read(&decimal("bytes", 6, 2), number(&[1]), &decimal("bytes", 5, 2)).unwrap_err();
    assert_eq!(error, "field f: decimal(6, 2) cannot be read as decimal(5, 2)");
    let error = read(&decimal("bytes", 6, 2), number(&[1]), r#""string""#).unwrap_err();
    assert_eq!(error, "field f: decimal(6, 2) cannot be read as string");
    let uuid = read(&logical("string", "uuid"), Value::Uuid(uuid()), r#""string""#).unwrap();
    assert_eq!(uuid, Value::String("67e55044-10b1-426f-9247-bb680e5fe0c8".into()));
}

fn uuid() -> apache_avro::Uuid {
    apache_avro::Uuid::parse_str("67e55044-10b1-426f-9247-bb680e5fe0c8").unwrap()
}

/// The number of bytes in two's complement.
fn num(bytes: &[u8]) -> i128 {
    let sign = if bytes[0] >= 0x80 { -1 } else { 0 };
    bytes.iter().fold(sign, |number, byte| number << 8 | i128::from(*byte))
}

#[test]
fn defaults_are_values_of_their_type() {
    let file = File::new(&row(r#"{"name": "a", "type": "int"}"#), &[record([("a", Value::Int(1))])]);
    let read = |kind: &str, default: &str| -> Result<Value, String> {
        let rows =
            file.read_as(&row(&format!(r#"{{"name": "f", "type": {kind}, "default": {default}}}"#)))?;
        match &rows[..] {
            [Value::Record(fields)] => Ok(fields[0].1.clone()),
            other => panic!("{other:?}"),
        }
    };
    let point = r#"{"type": "record", "name": "P", "fields": [{"name": "x", "type": "int"},
        {"name": "y", "type": ["null", "float"], "default": null}, {"name": "z", "type": "int", "default": 3}]}"#;
    let union = format!(r#"["int", {point}, "null", {{"type": "map", "values": "bytes"}}]"#);
    let at = |x, y| record([("x", Value::Int(x)), ("y", y), ("z", Value::Int(3))]);
    for (kind, default, expected) in [
        (r#""bytes""#, r#""\u00ff\u0000a""#, Value::Bytes(vec![0xff, 0, b'a'])),
        (r#""double""#, r#""NaN""#, Value::Null),
        (r#""double""#, r#""-Infinity""#, Value::Double(f64::NEG_INFINITY)),
        (r#""float""#, "3", Value::Float(3.0)),
        (point, r#"{"x": 1, "y": 0.5}"#, at(1, some(1, Value::Float(0.5)))),
        (
            &format!(r#"{{"type": "array", "items": {point}}}"#),
            r#"[{"x": 1}, {"x": 2}]"#,
            Value::Array(vec![at(1, some(0, Value::Null)), at(2, some(0, Value::Null))]),
        ),
        (&union, "null", some(2, Value::Null)),
        (&union, r#"{"x": 5}"#, some(1, at(5, some(0, Value::Null)))),
        (&union, r#"{"y": "é"}"#, some(3, Value::Map([("y".to_owned(), Value::Bytes(vec![0xe9]))].into()))),
        (r#"{"type": "int", "logicalType": "date"}"#, "15000", Value::Date(15_000)),
    ] {
        let value = read(kind, default);
        match expected {
            Value::Null => assert!(matches!(value, Ok(Value::Double(nan)) if nan.is_nan())),
            expected => assert_eq!(value, Ok(expected), "{kind} {default}"),
        }
    }
    for (kind, default) in [
        (r#""int""#, "3000000000"),
        (r#""boolean""#, "0"),
        (r#""bytes""#, r#""Ā""#),
        (r#""double""#, r#""big""#),
        (r#"["null", "int"]"#, r#""x""#),
        (r#"{"type": "fixed", "name": "F", "size": 2}"#, r#""abc""#),
        (r#"{"type": "enum", "name": "E", "symbols": ["a"]}"#, r#""b""#),
        (point, "{}"),
    ] {
        let error = read(kind, default).unwrap_err();
        assert!(error.starts_with(&format!("field f: the default {default} is no ")), "{error}");
    }
}
