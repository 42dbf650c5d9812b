//! `WriterBuilder::logical` took decimals of any precision and scale: files were written whose values had no text. The last of
//! two types for one path counted, without a word.

use serde_json::json;
use trevni::column::ValueType;
use trevni::shape::Logical;
use trevni::{Reader, Shape, Writer};

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Row {
    v: String,
}

fn decimal(precision: u32, scale: u32) -> Logical {
    Logical::Decimal { precision, scale }
}

#[test]
fn a_decimal_without_texts_is_an_error_of_build() {
    for (precision, scale) in
        [(0, 0), (u32::MAX, u32::MAX), (u32::MAX, 0), (2466, 0), (2466, 2466), (9, 10), (0, 1)]
    {
        for path in ["v", "a.b"] {
            let builder = Writer::builder().logical(path, decimal(precision, scale));
            let error = builder.build(Vec::new()).map(drop).unwrap_err().to_string();
            assert!(error.contains(&format!("{path:?}")) && error.contains("from 1 to 2465"), "{error}");
            assert!(error.contains(&format!("decimal({precision}, {scale})")), "{error}");
        }
    }
    for (precision, scale) in [(1, 0), (1, 1), (38, 38), (2465, 0), (2465, 2465)] {
        assert!(Writer::builder().logical("v", decimal(precision, scale)).build(Vec::new()).is_ok());
    }
}

#[test]
fn the_longest_decimals_come_back() {
    let nines = "9".repeat(2465);
    for (scale, text) in [
        (0, nines.clone()),
        (0, format!("-{nines}")),
        (2465, format!("0.{nines}")),
        (2465, format!("-0.{nines}")),
        (2465, format!("0.{}1", "0".repeat(2464))),
        (2465, format!("0.{}", "0".repeat(2465))),
    ] {
        let mut writer = Writer::builder().logical("v", decimal(2465, scale)).build(Vec::new()).unwrap();
        let row = Row { v: text };
        writer.write(&row).unwrap();
        writer.write(&Row { v: "1".repeat(2466) }).unwrap_err();
        let file = writer.finish().unwrap();
        assert_eq!(trevni::from_slice::<Vec<Row>>(&file).unwrap(), [row]);
    }
}

#[test]
fn all_that_a_given_schema_takes_comes_back() {
    // 2,466 digits have 1,024 bytes, or one more, which have no text.
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"v","type":
        {"type":"bytes","logicalType":"decimal","precision":5000,"scale":0}}]}"#;
    let mut writer = Writer::builder().schema(schema).build(Vec::new()).unwrap();
    let row = Row { v: format!("5{}", "0".repeat(2465)) };
    writer.write(&Row { v: "9".repeat(2466) }).unwrap_err();
    writer.write(&Row { v: "9".repeat(2467) }).unwrap_err();
    writer.write(&row).unwrap();
    assert_eq!(trevni::from_slice::<Vec<Row>>(&writer.finish().unwrap()).unwrap(), [row]);
}

#[test]
fn two_types_for_one_path_are_an_error_of_build() {
    let micros = || Writer::builder().logical("v", Logical::TimestampMicros).logical("w", Logical::Date);
    for other in [Logical::TimestampMillis, Logical::Uuid, decimal(9, 2)] {
        let error = micros().logical("v", other.clone()).build(Vec::new()).map(drop).unwrap_err().to_string();
        assert!(error.contains("timestamp-micros") && error.contains(&other.to_string()), "{error}");
        assert!(error.contains("\"v\""), "{error}");
    }
    assert!(micros().logical("v", Logical::TimestampMicros).build(Vec::new()).is_ok());
}

#[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
struct Bytes {
    v: Blob,
}

#[derive(serde::Deserialize, PartialEq, Debug)]
struct Blob(Vec<u8>);

impl serde::Serialize for Blob {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

#[test]
fn a_foreign_schema_with_such_a_decimal_opens() {
    for (precision, scale, is_decimal) in [
        ("0", "0", false),
        ("-1", "0", false),
        ("4294967296", "0", false),
        ("9", "10", false),
        ("4294967295", "0", true),
        ("4294967295", "4294967295", true),
        ("2467", "2467", true),
    ] {
        let schema = format!(
            r#"{{"type":"record","name":"R","fields":[{{"name":"v","type":
            {{"type":"bytes","logicalType":"decimal","precision":{precision},"scale":{scale}}}}}]}}"#
        );
        let mut writer = Writer::builder().schema(&schema).build(Vec::new()).unwrap();
        let bytes = Bytes { v: Blob(vec![1, 2]) };
        writer.write(&bytes).unwrap();
        let file = writer.finish().unwrap();
        let reader = Reader::from_slice(&file).unwrap();
        assert_eq!(reader.columns()[0].value_type(), ValueType::Bytes);
        let Shape::Record(record) = reader.shape() else { panic!("a record") };
        assert_eq!(matches!(record.fields[0].shape, Shape::Logical(_)), is_decimal);
        assert_eq!(reader.row::<serde_json::Value>(0).unwrap(), json!({"v": [1, 2]}), "{precision} {scale}");
        if scale != "0" || !is_decimal {
            assert_eq!(reader.row::<Bytes>(0).unwrap(), bytes, "{precision} {scale}");
        } else {
            assert_eq!(reader.row::<Row>(0).unwrap().v, "258");
        }
    }
}
