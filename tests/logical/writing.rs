//! Texts and numbers written as logical types.

use super::{Row, file, of_schema, rows};
use serde::Serialize;
use serde_json::json;
use trevni::shape::Logical;
use trevni::{Shape, Writer};

const MICROS: &str = r#"{"type": "long", "logicalType": "timestamp-micros"}"#;

fn texts(bytes: &[u8]) -> Vec<serde_json::Value> {
    trevni::from_slice::<Vec<Row<serde_json::Value>>>(bytes).unwrap().into_iter().map(|row| row.v).collect()
}

#[test]
fn texts_and_numbers_may_be_mixed() {
    #[derive(Clone, Serialize)]
    #[serde(untagged)]
    enum Either {
        Text(&'static str),
        Number(i64),
        Small(i32),
    }
    let mixed = rows(&[
        Either::Text("2013-06-01T05:00:00Z"),
        Either::Number(1),
        Either::Small(-1),
        Either::Text("2013-06-01T05:00:00.25+01:00"),
    ]);
    let expected = [
        json!("2013-06-01T05:00:00Z"),
        json!("1970-01-01T00:00:00.000001Z"),
        json!("1969-12-31T23:59:59.999999Z"),
        json!("2013-06-01T04:00:00.250Z"),
    ];
    for builder in [Writer::builder().logical("v", Logical::TimestampMicros), of_schema(MICROS)] {
        for turn in 0..4 {
            let mut mixed = mixed.clone();
            let mut expected = expected.clone();
            mixed.rotate_left(turn);
            expected.rotate_left(turn);
            assert_eq!(texts(&file(builder.clone(), &mixed)), expected);
        }
    }
}

#[test]
fn a_text_that_is_no_value_is_an_error_of_its_row() {
    for builder in [Writer::builder().logical("v", Logical::TimestampMicros), of_schema(MICROS)] {
        for good in [0, 1, 5, 300] {
            let mut writer = builder.clone().build(Vec::new()).unwrap();
            for _ in 0..good {
                writer.write(&Row { v: "2013-06-01T05:00:00Z" }).unwrap();
            }
            for bad in ["", "2013-06-01", "soon", "2013-06-01T24:00:00Z"] {
                let error = writer.write(&Row { v: bad }).unwrap_err().to_string();
                assert!(error.contains("timestamp-micros") && error.contains(&format!("{bad:?}")), "{error}");
                assert!(error.contains(&format!("row {good}")) && error.contains('v'), "{error}");
            }
            assert!(writer.write(&Row { v: 1.5 }).is_err());
            assert!(writer.write(&Row { v: true }).is_err());
            assert!(good == 0 || writer.write(&Row { v: vec![1] }).is_err());
            assert!(writer.write(&Row { v: u64::MAX }).is_err());
            writer.write(&Row { v: 5 }).unwrap();
            writer.write(&Row { v: "1970-01-01T00:00:00Z" }).unwrap();
            let read = texts(&writer.finish().unwrap());
            assert_eq!(read.len(), good + 2);
            assert_eq!(read[good..], [json!("1970-01-01T00:00:00.000005Z"), json!("1970-01-01T00:00:00Z")]);
        }
    }
}

#[test]
fn none_may_come_first_and_fields_late() {
    let builder = || Writer::builder().logical("v", Logical::Date).logical("late.day", Logical::Date);
    let mut writer = builder().build(Vec::new()).unwrap();
    for row in
        [json!({"v": null}), json!({}), json!({"v": "2013-06-01"}), json!({"late": {"day": "2000-02-29"}})]
    {
        writer.write(&row).unwrap();
    }
    for _ in 0..5000 {
        writer.write(&json!({"v": "1969-12-31", "late": {"day": 5}})).unwrap();
    }
    let file = writer.finish().unwrap();
    let read: Vec<serde_json::Value> = trevni::from_slice(&file).unwrap();
    assert_eq!(
        read[..4],
        [json!({"v": null}), json!({}), json!({"v": "2013-06-01"}), json!({"late": {"day": "2000-02-29"}})]
    );
    assert_eq!(read[5003], json!({"v": "1969-12-31", "late": {"day": "1970-01-06"}}));
}

#[test]
fn paths_that_no_row_has_are_errors() {
    let mut writer = Writer::builder().logical("w", Logical::Date).build(Vec::new()).unwrap();
    writer.write(&Row { v: 1 }).unwrap();
    assert!(writer.finish().unwrap_err().to_string().contains("\"w\""));
    let empty = Writer::builder().logical("w", Logical::Date).build(Vec::new()).unwrap();
    empty.finish().unwrap();
    let error = of_schema(MICROS).logical("v", Logical::Date).build(Vec::new()).map(drop).unwrap_err();
    assert!(error.to_string().contains("schema"));
}

#[test]
fn a_given_shape_becomes_logical() {
    for storage in [Shape::String, Shape::Long, Shape::optional(Shape::String)] {
        let shape = Shape::record("R", [("v", storage)]);
        let builder = Writer::builder().shape(&shape).derived().logical("v", Logical::TimestampMillis);
        assert_eq!(texts(&file(builder, &rows(&["2013-06-01T05:00:00Z"]))), [json!("2013-06-01T05:00:00Z")]);
        let error = Writer::builder()
            .shape(&shape)
            .logical("x", Logical::Date)
            .build(Vec::new())
            .map(drop)
            .unwrap_err();
        assert!(error.to_string().contains("\"x\""), "{error}");
    }
    let shape = Shape::record("R", [("v", Shape::Boolean)]);
    assert!(Writer::builder().shape(&shape).logical("v", Logical::Date).build(Vec::new()).is_err());
}

#[test]
fn unions_take_the_variant_that_reads_the_text() {
    let schema = format!(r#"[{MICROS}, {{"type": "int", "logicalType": "date"}}, "string"]"#);
    let file = file(of_schema(&schema), &rows(&["2013-06-01T05:00:00Z", "2013-06-01", "soon"]));
    assert_eq!(texts(&file), [json!("2013-06-01T05:00:00Z"), json!("2013-06-01"), json!("soon")]);
}

#[test]
fn decimals_must_fit_precision_and_scale() {
    let mut writer = Writer::builder()
        .logical("v", Logical::Decimal { precision: 4, scale: 2 })
        .build(Vec::new())
        .unwrap();
    for good in ["99.99", "-99.99", "0", "1e1", "1.5000"] {
        writer.write(&Row { v: good }).unwrap();
    }
    writer.write(&Row { v: 42 }).unwrap();
    for bad in ["100", "1.505", "x", "1e2"] {
        let error = writer.write(&Row { v: bad }).unwrap_err().to_string();
        assert!(error.contains("decimal(4, 2)"), "{error}");
    }
    assert!(writer.write(&Row { v: 100 }).is_err());
    let read = texts(&writer.finish().unwrap());
    assert_eq!(read, ["99.99", "-99.99", "0.00", "10.00", "1.50", "42.00"].map(|text| json!(text)));
}

#[test]
fn each_dialect_writes_what_it_can_carry() {
    use trevni::Dialect;
    let values = rows(&["2013-06-01T05:00:00Z", "1970-01-01T00:00:00Z"]);
    for dialect in [Dialect::Trevni, Dialect::Levels, Dialect::RedElm] {
        let builder = Writer::builder().dialect(dialect).logical("v", Logical::TimestampMicros);
        let mut writer = builder.build(Vec::new()).unwrap();
        writer.write_all(&values).unwrap();
        let bytes = writer.finish().unwrap();
        assert_eq!(
            texts(&bytes),
            [json!("2013-06-01T05:00:00Z"), json!("1970-01-01T00:00:00Z")],
            "{dialect:?}"
        );
        let numbers: Vec<Row<i64>> = trevni::from_slice(&bytes).unwrap();
        assert_eq!(numbers[0].v, 1_370_062_800_000_000, "{dialect:?}");

        let others = [
            (Logical::Decimal { precision: 9, scale: 2 }, ["-1.50", "300.00"]),
            (Logical::Uuid, ["67e55044-10b1-426f-9247-bb680e5fe0c8", "00000000-0000-0000-0000-000000000000"]),
            (Logical::Duration, ["P1Y2M3DT4H5M6.5S", "PT0S"]),
            (Logical::Date, ["2000-02-29", "-0044-03-15"]),
            (Logical::TimeNanos, ["00:00:00", "23:59:59.999999999"]),
        ];
        for (logical, values) in others {
            let options: Vec<Option<&str>> = values.iter().flat_map(|text| [Some(*text), None]).collect();
            let builder = Writer::builder().dialect(dialect).logical("v", logical);
            let bytes = file(builder, &rows(&options));
            let expected: Vec<serde_json::Value> = options.iter().map(|text| json!(text)).collect();
            assert_eq!(texts(&bytes), expected, "{dialect:?}");
        }
    }
}
