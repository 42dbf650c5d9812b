//! What a value of a logical type is to those who ask for texts, numbers, bytes, or anything.

use super::{Row, file, of_schema, rows};
use serde::Deserialize;
use serde_json::json;
use std::borrow::Cow;
use std::collections::BTreeMap;
use trevni::shape::Logical;
use trevni::{Reader, Shape, Writer};

const MICROS: &str = r#"{"type": "long", "logicalType": "timestamp-micros"}"#;
const DECIMAL: &str = r#"{"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}"#;

fn instants() -> Vec<u8> {
    file(of_schema(MICROS), &rows(&[1_370_062_800_000_000_i64, -1, 1_500_000]))
}

const TEXTS: [&str; 3] = ["2013-06-01T05:00:00Z", "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:01.500Z"];

fn read<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Vec<T> {
    trevni::from_slice::<Vec<Row<T>>>(bytes).unwrap().into_iter().map(|row| row.v).collect()
}

#[test]
fn numbers_to_those_who_ask_for_numbers() {
    let file = instants();
    assert_eq!(read::<i64>(&file), [1_370_062_800_000_000, -1, 1_500_000]);
    assert_eq!(read::<i128>(&file), [1_370_062_800_000_000, -1, 1_500_000]);
    assert_eq!(read::<f64>(&file), [1_370_062_800_000_000.0, -1.0, 1_500_000.0]);
    assert_eq!(read::<Option<i64>>(&file), [Some(1_370_062_800_000_000), Some(-1), Some(1_500_000)]);
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!(reader.column::<i64>("v").unwrap(), [1_370_062_800_000_000, -1, 1_500_000]);
    assert_eq!(reader.row::<Row<i64>>(1).unwrap().v, -1);
}

#[test]
fn texts_to_those_who_ask_for_texts_or_anything() {
    let file = instants();
    assert_eq!(read::<String>(&file), TEXTS);
    assert_eq!(read::<Box<str>>(&file), TEXTS.map(Box::from));
    assert_eq!(read::<Option<String>>(&file), TEXTS.map(|text| Some(text.to_owned())));
    assert_eq!(read::<serde_json::Value>(&file), TEXTS.map(|text| json!(text)));
    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(untagged)]
    enum Any {
        Number(i64),
        Text(String),
    }
    assert_eq!(read::<Any>(&file), TEXTS.map(|text| Any::Text(text.to_owned())));
    let maps: Vec<BTreeMap<String, String>> = trevni::from_slice(&file).unwrap();
    assert_eq!(maps[2]["v"], TEXTS[2]);
    #[derive(Deserialize)]
    struct Flat {
        #[serde(flatten)]
        row: Row<chrono::DateTime<chrono::Utc>>,
    }
    let flat: Vec<Flat> = trevni::from_slice(&file).unwrap();
    assert_eq!(flat[1].row.v.timestamp_micros(), -1);
}

#[test]
fn columns_of_texts() {
    let bytes = instants();
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!(reader.column::<String>("v").unwrap(), TEXTS);
    assert_eq!(reader.column::<Option<String>>("v").unwrap(), TEXTS.map(|text| Some(text.to_owned())));
    assert_eq!(reader.select(1..2).unwrap().column::<String>("v").unwrap(), [TEXTS[1]]);
    let lists = file(
        of_schema(&format!(r#"{{"type": "array", "items": {DECIMAL}}}"#)),
        &rows(&[vec!["1.5"], vec![], vec!["-2", "0"]]),
    );
    let reader = Reader::from_slice(&lists).unwrap();
    let nested = reader.column::<trevni::reader::Nested<String>>("v").unwrap();
    assert_eq!(
        (nested.lengths, nested.values),
        (vec![vec![1, 0, 2]], ["1.50", "-2.00", "0.00"].map(str::to_owned).to_vec())
    );
}

#[test]
fn batches_make_texts_too() {
    #[derive(Deserialize)]
    struct Borrowed<'a> {
        #[serde(borrow)]
        v: Cow<'a, str>,
    }
    let bytes = instants();
    let batch = Reader::from_slice(&bytes).unwrap().batches().unwrap().next().unwrap().unwrap();
    let texts: Vec<String> = batch.rows::<Borrowed<'_>>().map(|row| row.unwrap().v.into_owned()).collect();
    assert_eq!(texts, TEXTS);
    let values: Vec<serde_json::Value> = batch.rows().map(Result::unwrap).collect();
    assert_eq!(values[0], json!({"v": TEXTS[0]}));
    // A text that no vector has cannot be lent.
    let lent = batch.rows::<Row<&str>>().next().unwrap();
    assert!(lent.unwrap_err().to_string().contains("borrowed string"));
}

#[test]
fn values_without_a_type_are_as_they_are_stored_and_have_their_text() {
    let bytes = instants();
    let batch = Reader::from_slice(&bytes).unwrap().batches().unwrap().next().unwrap().unwrap();
    let Shape::Record(record) = batch.shape() else { panic!() };
    let Shape::Logical(logical) = &record.fields[0].shape else { panic!() };
    let value = batch.row(2).unwrap().get("v").unwrap();
    assert_eq!(value.as_i64(), Some(1_500_000));
    assert_eq!(logical.text(value).as_deref(), Some(TEXTS[2]));
    assert_eq!(logical.text(trevni::ValueRef::Null), None);
    assert_eq!(logical.text(trevni::ValueRef::Boolean(true)), None);
}

#[test]
fn decimals_are_texts_numbers_and_bytes() {
    let file = file(of_schema(DECIMAL), &rows(&["1.50", "-2.00", "300"]));
    assert_eq!(read::<String>(&file), ["1.50", "-2.00", "300.00"]);
    assert_eq!(read::<serde_json::Value>(&file), [json!("1.50"), json!("-2.00"), json!("300.00")]);
    assert_eq!(read::<f64>(&file), [1.5, -2.0, 300.0]);
    assert_eq!(read::<f32>(&file), [1.5, -2.0, 300.0]);
    assert_eq!(read::<serde_bytes::ByteBuf>(&file)[2].as_slice(), [0x75, 0x30]);
    assert_eq!(read::<Vec<u8>>(&file)[0], [0, 150]);
    let error = trevni::from_slice::<Vec<Row<i64>>>(&file).unwrap_err().to_string();
    assert!(error.contains("row 0") && error.contains("v"), "{error}");
    let whole = super::file(of_schema(DECIMAL), &rows(&[7, -5]));
    assert_eq!(read::<i64>(&whole), [7, -5]);
    let error = trevni::from_slice::<Vec<Row<u64>>>(&whole).unwrap_err().to_string();
    assert!(error.contains("row 1") && error.contains("-5"), "{error}");
}

#[test]
fn uuids_are_texts_numbers_and_bytes() {
    let text = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    let file = file(Writer::builder().logical("v", Logical::Uuid), &rows(&[text]));
    assert_eq!(read::<String>(&file), [text]);
    assert_eq!(read::<u128>(&file), [0x67e5_5044_10b1_426f_9247_bb68_0e5f_e0c8]);
    assert_eq!(read::<[u8; 16]>(&file)[0][..3], [0x67, 0xe5, 0x50]);
    assert_eq!(read::<uuid::Uuid>(&file), [uuid::Uuid::parse_str(text).unwrap()]);
}

#[test]
fn what_has_no_text_is_a_number() {
    let of = |logical: &str, kind: &str| {
        of_schema(&format!(r#"{{"type": "{kind}", "logicalType": "{logical}"}}"#))
    };
    let file = file(of("time-micros", "long"), &rows(&[-1_i64, 86_400_000_000, 1]));
    assert_eq!(read::<i64>(&file), [-1, 86_400_000_000, 1]);
    assert_eq!(
        read::<serde_json::Value>(&file),
        [json!(-1), json!(86_400_000_000_i64), json!("00:00:00.000001")]
    );
    let error = trevni::from_slice::<Vec<Row<String>>>(&file).unwrap_err().to_string();
    assert!(error.contains("row 0") && error.contains("v") && error.contains("-1"), "{error}");
    let error = Reader::from_slice(&file).unwrap().column::<String>("v").unwrap_err().to_string();
    assert!(error.contains("\"v\"") && error.contains("time-micros whose value 0"), "{error}");
}

#[test]
fn dates_and_instants_far_away_have_texts() {
    let of = |logical: &str, kind: &str| {
        of_schema(&format!(r#"{{"type": "{kind}", "logicalType": "{logical}"}}"#))
    };
    let dates = file(of("date", "int"), &rows(&[i32::MIN, i32::MAX, -719_529]));
    assert_eq!(read::<String>(&dates), ["-5877641-06-23", "+5881580-07-11", "-0001-12-31"]);
    let millis = file(of("timestamp-millis", "long"), &rows(&[i64::MIN, i64::MAX]));
    assert_eq!(read::<String>(&millis), ["-292275055-05-16T16:47:04.192Z", "+292278994-08-17T07:12:55.807Z"]);
}

#[test]
fn types_that_are_not_known_are_as_they_are_stored() {
    let file = file(of_schema(r#"{"type": "string", "logicalType": "colour"}"#), &rows(&["red"]));
    assert_eq!(read::<String>(&file), ["red"]);
    let file = super::file(of_schema(r#"{"type": "long", "logicalType": "beats"}"#), &rows(&[5]));
    assert_eq!(read::<serde_json::Value>(&file), [json!(5)]);
    let uuids = of_schema(r#"{"type": "string", "logicalType": "uuid"}"#);
    assert_eq!(read::<String>(&super::file(uuids, &rows(&["no uuid"]))), ["no uuid"]);
}

#[test]
fn fast_rows_and_slow_rows_agree() {
    // More rows than a batch has, with rows that miss the fast path between them.
    let numbers: Vec<Option<i64>> = (0..10_000).map(|n| (n % 7 != 0).then_some(n * 1_234_567)).collect();
    let schema = format!(r#"["null", {MICROS}]"#);
    let file = file(of_schema(&schema), &rows(&numbers));
    let texts = read::<Option<String>>(&file);
    let instants = read::<Option<chrono::DateTime<chrono::Utc>>>(&file);
    for ((number, text), instant) in numbers.iter().zip(&texts).zip(&instants) {
        let expected = number.map(|n| chrono::DateTime::from_timestamp_micros(n).unwrap());
        assert_eq!(*instant, expected);
        assert_eq!(serde_json::to_value(instant).unwrap(), json!(text));
    }
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!(reader.column::<Option<String>>("v").unwrap(), texts);
    for row in [1, 2, 3, 4, 500, 501, 9_999] {
        assert_eq!(reader.row::<Row<Option<String>>>(row).unwrap().v, texts[row as usize]);
        assert_eq!(reader.row::<Row<Option<i64>>>(row).unwrap().v, numbers[row as usize]);
    }
}

#[test]
fn keys_of_maps_are_texts() {
    let schema = r#"{"type": "array", "items": {"type": "record", "name": "E", "fields": [
        {"name": "key", "type": {"type": "int", "logicalType": "date"}}, {"name": "value", "type": "int"}]},
        "logicalType": "map"}"#;
    let rows_of = [Row { v: BTreeMap::from([("2013-06-01", 1), ("2013-06-02", 2)]) }];
    let file = file(of_schema(schema), &rows_of);
    let texts: Vec<BTreeMap<String, i32>> = read(&file);
    assert_eq!(texts[0]["2013-06-02"], 2);
    let dates: Vec<BTreeMap<chrono::NaiveDate, i32>> = read(&file);
    assert_eq!(dates[0].len(), 2);
    let numbers: Vec<BTreeMap<i32, i32>> = read(&file);
    assert_eq!(numbers[0][&15_857], 1);
    let values: Vec<serde_json::Value> = read(&file);
    assert_eq!(values[0], json!({"2013-06-01": 1, "2013-06-02": 2}));
}

#[test]
fn files_of_given_schemas_show_numbers_to_those_who_ask_for_anything() {
    let schema = format!(
        r#"{{"type": "record", "name": "R", "fields": [{{"name": "v", "type": {MICROS}}}, {{"name": "d", "type": {DECIMAL}}}]}}"#
    );
    #[derive(serde::Serialize)]
    struct Two {
        v: i64,
        d: &'static str,
    }
    let file =
        file(Writer::builder().schema(&schema), &[Two { v: -1, d: "1.5" }, Two { v: 1_500_000, d: "2" }]);
    let values: Vec<serde_json::Value> = trevni::from_slice(&file).unwrap();
    assert_eq!(values, [json!({"v": -1, "d": [0, 150]}), json!({"v": 1_500_000, "d": [0, 200]})]);
    assert_eq!(read::<String>(&file), TEXTS[1..]);
    let batch = Reader::from_slice(&file).unwrap().batches().unwrap().next().unwrap().unwrap();
    assert_eq!(batch.rows::<serde_json::Value>().next().unwrap().unwrap(), values[0]);
}
