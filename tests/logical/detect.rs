//! Texts stored as what they all are.

use super::{Row, file, rows};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use trevni::formats::{Layout, Levels};
use trevni::shape::{Logical, LogicalShape};
use trevni::{Dialect, Reader, Shape, Writer, WriterBuilder, col};

fn detecting() -> WriterBuilder {
    Writer::builder().detect_logical()
}

/// All formats of the family.
pub(super) fn formats() -> Vec<WriterBuilder> {
    let redelm = Writer::builder().dialect(Dialect::RedElm);
    let impala = Writer::builder().format(Levels::new().layout(Layout::ValuesFirst));
    vec![Writer::builder(), Writer::builder().dialect(Dialect::Levels), impala, redelm]
}

/// The type of what is at a path of fields, items and values; none where it has no logical type.
pub(super) fn logical_at(shape: &Shape, path: &[&str]) -> Option<Logical> {
    match (shape, path) {
        (Shape::Logical(logical), []) => {
            let LogicalShape { logical, .. } = &**logical;
            Some(logical.clone())
        }
        (Shape::Optional(optional), path) => logical_at(&optional.item, path),
        (Shape::List(item), path) => logical_at(item, path),
        (Shape::Map(map), path) => logical_at(&map.value, path),
        (Shape::Record(record), [name, path @ ..]) => {
            let field = record.fields.iter().find(|field| field.name == *name)?;
            logical_at(&field.shape, path)
        }
        _ => None,
    }
}

fn found(file: &[u8], path: &[&str]) -> Option<Logical> {
    logical_at(Reader::from_slice(file).unwrap().shape(), path)
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Visit {
    when: String,
    date: Option<String>,
    costs: Vec<String>,
    ids: BTreeMap<String, String>,
    place: Place,
    note: String,
    zip: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Place {
    opens: Option<Option<String>>,
    stays: Vec<Option<String>>,
}

fn visits() -> Vec<Visit> {
    let visit = |n: usize| Visit {
        when: format!("2013-06-{:02}T05:00:00.{:03}Z", n % 28 + 1, 250 + n),
        date: (!n.is_multiple_of(3)).then(|| format!("2000-02-{:02}", n % 28 + 1)),
        costs: (0..n % 4).map(|cost| format!("{}.{:02}", n * cost, cost)).collect(),
        ids: BTreeMap::from_iter(
            (0..n % 3)
                .map(|id| (format!("{id}"), format!("67e55044-10b1-426f-9247-bb680e5f{n:02x}{id:02x}"))),
        ),
        place: Place {
            opens: [None, Some(None), Some(Some(format!("{:02}:30:00", n % 24)))][n % 3].clone(),
            stays: (0..n % 3).map(|stay| (stay > 0).then(|| format!("PT{}M", n % 50 + 1))).collect(),
        },
        note: format!("note {n}"),
        zip: format!("{}", 10_115 + n),
    };
    (0..100).map(visit).collect()
}

#[test]
fn each_column_has_its_own_type_and_the_same_texts() {
    let visits = visits();
    for builder in formats() {
        for batch_rows in [1, 7, 4096] {
            let file = file(builder.clone().detect_logical().batch_rows(batch_rows), &visits);
            assert_eq!(trevni::from_slice::<Vec<Visit>>(&file).unwrap(), visits);
            let values = serde_json::to_value(&visits).unwrap();
            assert_eq!(trevni::from_slice::<Value>(&file).unwrap(), values);
            if batch_rows < 4096 {
                continue;
            }
            assert_eq!(found(&file, &["when"]), Some(Logical::TimestampMillis));
            assert_eq!(found(&file, &["date"]), Some(Logical::Date));
            assert_eq!(found(&file, &["costs"]), Some(Logical::Decimal { precision: 5, scale: 2 }));
            assert_eq!(found(&file, &["ids"]), Some(Logical::Uuid));
            assert_eq!(found(&file, &["place", "opens"]), Some(Logical::TimeMillis));
            assert_eq!(found(&file, &["place", "stays"]), Some(Logical::Duration));
            assert_eq!(found(&file, &["note"]), None);
            assert_eq!(found(&file, &["zip"]), None);
            let reader = Reader::from_slice(&file).unwrap();
            assert!(reader.shape().to_avro().contains(r#""note","type":"string""#));
        }
    }
}

#[test]
fn nothing_is_detected_unless_asked_for() {
    let visits = visits();
    let schema = Reader::from_slice(&file(Writer::builder(), &visits)).unwrap().shape().clone();
    for builder in formats() {
        for builder in [
            builder.clone(),
            builder.clone().detect_logical().shape(&schema),
            builder.clone().detect_logical().schema(schema.to_avro()),
        ] {
            let file = file(builder, &visits);
            assert!(!Reader::from_slice(&file).unwrap().shape().to_avro().contains("logicalType"));
        }
    }
}

#[test]
fn what_logical_says_comes_first() {
    let texts = rows(&["2013-06-01T05:00:00Z", "2013-06-01T07:00:00+02:00"]);
    let file = file(detecting().logical("v", Logical::TimestampNanos), &texts);
    assert_eq!(found(&file, &["v"]), Some(Logical::TimestampNanos));
    assert!(detecting().logical("v", Logical::Date).schema("\"string\"").build(Vec::new()).is_err());
}

#[test]
fn keys_and_texts_in_unions_stay_texts() {
    let rows = [
        json!({"m": {"2013-06-01": "x"}, "u": "2013-06-01"}),
        json!({"m": {"2013-06-02": "y"}, "u": 1}),
        json!({"m": {"2013-06-03": "z"}, "u": "2013-06-02"}),
    ];
    #[derive(Serialize)]
    struct Maps<'r> {
        m: BTreeMap<&'r str, &'r str>,
        u: Either<'r>,
    }
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Either<'r> {
        Text(&'r str),
        Number(i64),
    }
    let maps: Vec<Maps<'_>> = rows
        .iter()
        .map(|row| Maps {
            m: row["m"].as_object().unwrap().iter().map(|(k, v)| (k.as_str(), v.as_str().unwrap())).collect(),
            u: match &row["u"] {
                Value::String(text) => Either::Text(text),
                number => Either::Number(number.as_i64().unwrap()),
            },
        })
        .collect();
    for builder in formats() {
        for batch_rows in [1, 2, 3] {
            let file = file(builder.clone().detect_logical().batch_rows(batch_rows), &maps);
            assert_eq!(trevni::from_slice::<Vec<Value>>(&file).unwrap(), rows);
            assert!(!Reader::from_slice(&file).unwrap().shape().to_avro().contains("logicalType"));
        }
    }
}

#[test]
fn rows_that_are_texts_are_tried_too() {
    let texts = ["2013-06-01", "2013-06-02"];
    for builder in formats() {
        let file = file(builder.detect_logical(), &texts);
        assert_eq!(found(&file, &[]), Some(Logical::Date));
        assert_eq!(trevni::from_slice::<Vec<String>>(&file).unwrap(), texts);
        assert_eq!(trevni::from_slice::<Vec<Cow<'_, str>>>(&file).unwrap(), texts);
    }
}

#[test]
fn columns_without_texts_are_texts_or_unknown() {
    for builder in formats() {
        let none = rows(&[None::<String>, None]);
        let file = file(builder.detect_logical(), &none);
        assert_eq!(trevni::from_slice::<Vec<Row<Option<String>>>>(&file).unwrap(), none);
    }
}

#[test]
fn batches_are_tried_too() {
    let visits = visits();
    let plain = file(Writer::builder().batch_rows(10), &visits);
    let foreign =
        file(Writer::builder().schema(Reader::from_slice(&plain).unwrap().shape().to_avro()), &visits);
    for builder in formats() {
        for (bytes, expected) in [(&plain, Some(Logical::Date)), (&foreign, None)] {
            let reader = Reader::from_slice(bytes).unwrap();
            let mut writer = builder.clone().detect_logical().build(Vec::new()).unwrap();
            for batch in reader.batches().unwrap() {
                let batch = batch.unwrap();
                writer.write_batch(&batch).unwrap();
                // The batch is what it was.
                assert!(format!("{:?}", batch.row(0).unwrap()).contains("note"));
            }
            assert_eq!(writer.shape(), reader.shape());
            let file = writer.finish().unwrap();
            assert_eq!(found(&file, &["date"]), expected);
            assert_eq!(trevni::from_slice::<Vec<Visit>>(&file).unwrap(), visits);
        }
    }
}

#[test]
fn rows_that_are_refused_leave_nothing() {
    struct Fails;
    impl Serialize for Fails {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("no"))
        }
    }
    for builder in formats() {
        let mut writer = builder.detect_logical().build(Vec::new()).unwrap();
        for n in 0..50 {
            writer.write(&Row { v: "2013-06-01" }).unwrap();
            writer.write(&Row { v: ("garbage", Fails) }).unwrap_err();
            if n % 5 == 0 {
                writer.write(&Row { v: Fails }).unwrap_err();
            }
        }
        let file = writer.finish().unwrap();
        assert_eq!(
            trevni::from_slice::<Vec<Row<String>>>(&file).unwrap(),
            rows(&["2013-06-01"; 50].map(str::to_owned))
        );
    }
}

#[test]
fn instants_take_less_room_and_blocks_are_skipped() {
    // As the column `time_hour` of the flights of 2013.
    let texts: Vec<String> = (0..20_000)
        .map(|n| n / 50)
        .map(|hour| format!("2013-{:02}-{:02}T{:02}:00:00Z", hour / 672 + 1, hour / 24 % 28 + 1, hour % 24))
        .collect();
    let texts = rows(&texts);
    for builder in formats() {
        let small = |builder: WriterBuilder| builder.block_size(2000).memory_limit(20_000);
        let plain = file(small(builder.clone()), &texts);
        let detected = file(small(builder.clone().detect_logical()), &texts);
        assert!(detected.len() < plain.len(), "{} {}", detected.len(), plain.len());
        assert_eq!(trevni::from_slice::<Vec<Row<String>>>(&detected).unwrap(), texts);
        let wanted = &texts[9_000].v;
        let matching = |bytes: &[u8]| {
            Reader::from_slice(bytes)
                .unwrap()
                .filter(col("v").eq(wanted.as_str()))
                .unwrap()
                .matching()
                .unwrap()
        };
        assert_eq!(matching(&detected), matching(&plain));
    }
}
