//! Who asks for anything: what is stored in files of a given schema, and texts on request.

use super::detect::formats;
use super::{Row, file};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Debug;
use trevni::{Dataset, Reader, ReaderBuilder};

const SCHEMA: &str = r#"{"type": "record", "name": "R", "fields": [
    {"name": "cost", "type": {"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": 2}},
    {"name": "day", "type": ["null", {"type": "int", "logicalType": "date"}]},
    {"name": "times", "type": {"type": "array", "items": {"type": "long", "logicalType": "timestamp-micros"}}},
    {"name": "ids", "type": {"type": "map", "values":
        {"type": "fixed", "name": "id", "size": 16, "logicalType": "uuid"}}},
    {"name": "either", "type": ["int", {"type": "long", "logicalType": "time-micros"}]}]}"#;

fn texts() -> Vec<Value> {
    (1..30)
        .map(|n| {
            json!({
                "cost": format!("{n}.50"),
                "day": if n % 3 == 0 { Value::Null } else { json!(format!("2013-06-{n:02}")) },
                "times": (0..n % 3).map(|h| format!("2013-06-01T{h:02}:00:00.000001Z")).collect::<Vec<_>>(),
                "ids": {"k": format!("67e55044-10b1-426f-9247-bb680e5fe0{n:02x}")},
                "either": "05:00:00",
            })
        })
        .collect()
}

/// A file of the schema in each format.
fn files() -> Vec<Vec<u8>> {
    let rows = texts();
    formats().into_iter().map(|builder| file(builder.schema(SCHEMA), &rows)).collect()
}

/// All rows, read in all ways, which must be the same.
fn read<T: DeserializeOwned + PartialEq + Debug>(builder: ReaderBuilder, file: &[u8]) -> Vec<T> {
    let reader = builder.clone().source(file).unwrap();
    let rows: Vec<T> = reader.rows().unwrap().collect::<trevni::Result<_>>().unwrap();
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(&reader.row::<T>(number as u64).unwrap(), row);
    }
    let mut batches = Vec::new();
    for batch in reader.batches().unwrap() {
        let batch = batch.unwrap();
        let all: trevni::Result<Vec<T>> = batch.rows().collect();
        batches.extend(all.unwrap());
    }
    assert_eq!(batches, rows);
    let threads: Vec<T> = {
        let reader = builder.clone().threads(3).shared(file.to_vec()).unwrap();
        reader.rows().unwrap().collect::<trevni::Result<_>>().unwrap()
    };
    assert_eq!(threads, rows);
    let dataset = Dataset::from_readers(vec![reader.clone(), reader]).unwrap();
    let twice: Vec<T> = dataset.rows().unwrap().collect::<trevni::Result<_>>().unwrap();
    assert_eq!((&twice[..rows.len()], &twice[rows.len()..]), (&rows[..], &rows[..]));
    rows
}

#[test]
fn texts_are_shown_on_request() {
    for file in files() {
        assert_eq!(read::<Value>(Reader::builder().logical_text(), &file), texts());
        let stored = read::<Value>(Reader::builder(), &file);
        assert_eq!(stored[0]["cost"], json!([0, 150]));
        assert!(stored[0]["day"].is_number() && stored[0]["either"].is_number());
    }
}

#[test]
fn flattened_and_untagged_fields_get_texts() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Flat {
        cost: String,
        #[serde(flatten)]
        more: BTreeMap<String, Value>,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Any {
        Number(i64),
        Text(String),
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Some {
        day: Option<Any>,
        times: Vec<Any>,
    }
    for file in files() {
        let flat = read::<Flat>(Reader::builder().logical_text(), &file);
        assert_eq!((&flat[0].cost, &flat[0].more["day"]), (&"1.50".to_owned(), &json!("2013-06-01")));
        let some = read::<Some>(Reader::builder().logical_text(), &file);
        assert_eq!(some[0].day, Option::Some(Any::Text("2013-06-01".to_owned())));
        assert_eq!(some[0].times, [Any::Text("2013-06-01T00:00:00.000001Z".to_owned())]);
        let stored = read::<Some>(Reader::builder(), &file);
        assert_eq!(stored[0].day, Option::Some(Any::Number(15857)));
    }
}

#[test]
fn crates_that_ask_for_anything_get_texts() {
    fn values<T: DeserializeOwned + PartialEq + Debug>(file: &[u8]) -> Vec<T> {
        #[derive(Deserialize, PartialEq, Debug)]
        struct Cost<T> {
            cost: T,
        }
        let rows = read::<Cost<T>>(Reader::builder().logical_text(), file);
        assert!(Reader::from_slice(file).unwrap().rows::<Cost<T>>().unwrap().all(|row| row.is_err()));
        rows.into_iter().map(|row| row.cost).collect()
    }
    for file in files() {
        let costs: Vec<String> = (1..30).map(|n| format!("{n}.50")).collect();
        let expected: Vec<rust_decimal::Decimal> = costs.iter().map(|cost| cost.parse().unwrap()).collect();
        assert_eq!(values::<rust_decimal::Decimal>(&file), expected);
        let expected: Vec<bigdecimal::BigDecimal> = costs.iter().map(|cost| cost.parse().unwrap()).collect();
        assert_eq!(values::<bigdecimal::BigDecimal>(&file), expected);

        #[derive(Deserialize, PartialEq, Debug)]
        struct Day {
            day: Option<time::Date>,
        }
        let days = read::<Day>(Reader::builder().logical_text(), &file);
        let first = time::Date::from_calendar_date(2013, time::Month::June, 1).unwrap();
        assert_eq!((days[0].day, days[2].day), (Some(first), None));
        assert!(Reader::from_slice(&file).unwrap().row::<Day>(0).is_err());
    }
}

#[test]
fn types_that_ask_get_what_they_ask_for() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Numbers {
        cost: f64,
        day: Option<i32>,
        times: Vec<i64>,
        ids: BTreeMap<String, u128>,
    }
    for file in files() {
        let plain = read::<Numbers>(Reader::builder(), &file);
        assert_eq!(read::<Numbers>(Reader::builder().logical_text(), &file), plain);
        assert_eq!((plain[0].cost, plain[0].day), (1.5, Some(15857)));
    }
}

#[test]
fn datasets_take_the_option() {
    let folder = std::env::temp_dir().join(format!("trevni-logical-text-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (number, file) in files().iter().enumerate() {
        let end = if number == 3 { "redelm" } else { "trv" };
        std::fs::write(folder.join(format!("part-{number}.{end}")), file).unwrap();
    }
    let dataset = Dataset::builder().reader(Reader::builder().logical_text()).open(&folder).unwrap();
    let rows: Vec<Value> = dataset.rows().unwrap().collect::<trevni::Result<_>>().unwrap();
    assert_eq!(rows, [texts(), texts(), texts(), texts()].concat());
    assert_eq!(dataset.row::<Value>(40).unwrap(), texts()[11]);
    let days = dataset.project(["day"]).unwrap();
    let rows: Vec<Value> = days.rows().unwrap().collect::<trevni::Result<_>>().unwrap();
    assert_eq!(rows[0], json!({"day": "2013-06-01"}));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_of_rows_are_as_before() {
    #[derive(Serialize)]
    struct Text<'t> {
        v: &'t str,
    }
    for builder in formats() {
        let file = file(builder.logical("v", trevni::shape::Logical::Date), &[Text { v: "2013-06-01" }]);
        for builder in [Reader::builder(), Reader::builder().logical_text()] {
            assert_eq!(read::<Row<Value>>(builder, &file)[0].v, json!("2013-06-01"));
        }
    }
}
