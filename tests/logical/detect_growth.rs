//! Columns whose texts turn out not to be all of one type, or of a wider one.

use super::detect::{formats, logical_at};
use super::{Row, file, rows};
use proptest::prelude::*;
use proptest::sample::select;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use trevni::shape::Logical;
use trevni::{Reader, Shape, Writer, WriterBuilder, col};

fn read(file: &[u8]) -> Vec<String> {
    trevni::from_slice::<Vec<Row<String>>>(file).unwrap().into_iter().map(|row| row.v).collect()
}

fn found(file: &[u8]) -> Option<Logical> {
    logical_at(Reader::from_slice(file).unwrap().shape(), &["v"])
}

/// Whether the texts of a file are found by what they are.
fn finds_all(bytes: &[u8], texts: &[&str]) {
    let reader = Reader::from_slice(bytes).unwrap();
    for wanted in texts.iter().take(8) {
        let matching = reader.clone().filter(col("v").eq(*wanted)).unwrap().matching().unwrap();
        let expected = texts.iter().filter(|text| *text == wanted).count() as u64;
        assert_eq!(matching.row_count(), expected, "{wanted}");
    }
}

#[test]
fn another_text_makes_the_column_text_again() {
    for (canonical, other) in [
        ("2013-06-01", "soon"),
        ("2013-06-01", ""),
        ("05:00:00", "05:00"),
        ("05:00:00.000250", "5"),
        ("05:00:00.000000001", "24:00:00"),
        ("2013-06-01T05:00:00Z", "2013-06-01"),
        ("2013-06-01T05:00:00.000250Z", "2013-06-01T05:00:00.00025Z"),
        ("2013-06-01T05:00:00.000000250", "2013-06-01T05:00:00Z"),
        ("12.50", "12.5"),
        ("-99999999999999999999999999999999999.50", "1234567890123456789012345678901234567890.00"),
        ("67e55044-10b1-426f-9247-bb680e5fe0c8", "67E55044-10B1-426F-9247-BB680E5FE0C8"),
        ("P1Y2M3DT4H5M6.5S", "P1W"),
        ("10.0.0.1", "10.0.0.0/8"),
        ("2001:db8::1", "2001:DB8::1"),
    ] {
        for builder in formats() {
            for good in [1, 10, 1000] {
                let mut texts = vec![canonical; good];
                texts.push(other);
                texts.extend(vec![canonical; 20]);
                let builder = builder.clone().detect_logical().batch_rows(10).block_size(50);
                let file = file(builder, &rows(&texts));
                assert_eq!(read(&file), texts);
                assert_eq!(found(&file), None);
                let reader = Reader::from_slice(&file).unwrap();
                assert!(reader.shape().to_avro().contains(r#"{"name":"v","type":"string"}"#));
                finds_all(&file, &texts);
            }
        }
    }
}

#[test]
fn finer_units_and_greater_precisions_keep_the_type() {
    for (texts, expected) in [
        (["2013-06-01T05:00:00Z", "2013-06-01T05:00:00.000250Z"], Logical::TimestampMicros),
        (["2013-06-01T05:00:00.250Z", "2013-06-01T05:00:00.000000250Z"], Logical::TimestampNanos),
        (["2013-06-01T05:00:00", "1969-12-31T23:59:59.999999"], Logical::LocalTimestampMicros),
        (["05:00:00", "05:00:00.000250"], Logical::TimeMicros),
        (["05:00:00.000250", "05:00:00.000000250"], Logical::TimeNanos),
        (["1.50", "-12345678901234567890.50"], Logical::Decimal { precision: 22, scale: 2 }),
    ] {
        for builder in formats() {
            for good in [1, 10, 1000] {
                let mut all = vec![texts[0]; good];
                all.extend([texts[1], texts[0]].repeat(10));
                let file = file(builder.clone().detect_logical().batch_rows(10).block_size(50), &rows(&all));
                assert_eq!(found(&file), Some(expected.clone()));
                assert_eq!(read(&file), all);
                finds_all(&file, &all);
            }
        }
    }
}

#[test]
fn a_unit_that_has_not_all_values_is_none() {
    // Nanoseconds end in 2262.
    let texts = ["9999-12-31T00:00:00Z", "2013-06-01T05:00:00.000000250Z"];
    for builder in formats() {
        for batch_rows in [1, 2] {
            let file = file(builder.clone().detect_logical().batch_rows(batch_rows), &rows(&texts));
            assert_eq!((read(&file), found(&file)), (texts.map(str::to_owned).to_vec(), None));
        }
    }
}

#[test]
fn a_row_group_that_is_written_keeps_its_type() {
    let texts = |last: &'static str| {
        let mut texts = vec!["2013-06-01T05:00:00Z"; 1000];
        texts.push(last);
        rows(&texts)
    };
    let redelm = Writer::builder().dialect(trevni::Dialect::RedElm).detect_logical().batch_rows(10);
    let write = |builder: WriterBuilder, last| -> trevni::Result<Vec<u8>> {
        let mut writer = builder.build(Vec::new())?;
        writer.write_all(texts(last))?;
        writer.finish()
    };
    for last in ["soon", "2013-06-01T05:00:00.000250Z"] {
        let error = write(redelm.clone().memory_limit(500), last).unwrap_err().to_string();
        assert!(error.contains("\"v\"") && error.contains("timestamp-millis"), "{error}");
        assert!(error.contains("row group"), "{error}");
        assert!(write(redelm.clone(), last).is_ok());
    }
    let file = write(redelm.memory_limit(500), "2013-06-02T05:00:00Z").unwrap();
    assert_eq!(found(&file), Some(Logical::TimestampMillis));
}

#[test]
fn columns_may_show_up_late_and_be_wrapped_late() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Any {
        Nothing,
        Number(i64),
        Text(String),
        Texts(Vec<String>),
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Loose {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        v: Option<Any>,
    }
    let values = [
        None,
        Some(Any::Nothing),
        Some(Any::Number(7)),
        Some(Any::Text("2013-06-01".into())),
        Some(Any::Text("2013-06-02".into())),
        Some(Any::Text("soon".into())),
        Some(Any::Texts(vec!["2013-06-01".into()])),
    ];
    for builder in formats() {
        for batch_rows in [1, 2, 3] {
            for first in 0..values.len() {
                for second in 0..values.len() {
                    let mut all: Vec<Loose> = vec![Loose { v: values[3].clone() }; 4];
                    all.insert(2, Loose { v: values[first].clone() });
                    all.push(Loose { v: values[second].clone() });
                    all.extend(values.iter().rev().map(|v| Loose { v: v.clone() }));
                    let builder = builder.clone().batch_rows(batch_rows);
                    let plain = file(builder.clone(), &all);
                    let detected = file(builder.detect_logical(), &all);
                    let [plain, detected] =
                        [plain, detected].map(|file| trevni::from_slice::<Vec<Value>>(&file).unwrap());
                    assert_eq!(detected, plain, "{first} {second} {batch_rows}");
                }
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Wide {
    a: String,
    b: Option<String>,
    c: Vec<String>,
    d: BTreeMap<String, Option<String>>,
    e: Vec<Vec<Inner>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    f: Option<Option<String>>,
    #[serde(flatten)]
    g: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Inner {
    x: String,
    y: Kind,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    One(String),
    Two { at: String },
    Three,
}

/// Texts that are mostly of one type.
fn text() -> impl Strategy<Value = String> + Clone {
    let mostly = ["2013-06-01", "1969-12-31", "-0044-03-15"];
    let others = ["", "soon", "2013-06-01T05:00:00Z", "1.5", "2013-6-1"];
    prop_oneof![60 => select(mostly.to_vec()), 1 => select(others.to_vec())].prop_map(str::to_owned)
}

/// Instants of several units, and what is almost one.
fn instant() -> impl Strategy<Value = String> + Clone {
    let mostly = ["2013-06-01T05:00:00Z", "1969-12-31T23:59:59.999Z"];
    let finer = ["2013-06-01T05:00:00.000250Z", "2013-06-01T05:00:00.000000250Z"];
    let others = ["9999-12-31T23:59:59Z", "2013-06-01T05:00:00.5Z", "2013-06-01T05:00:00"];
    prop_oneof![40 => select(mostly.to_vec()), 3 => select(finer.to_vec()), 1 => select(others.to_vec())]
        .prop_map(str::to_owned)
}

fn decimal() -> impl Strategy<Value = String> + Clone {
    let mostly = ["1.50", "-0.01", "0.00", "123456.78"];
    let others = ["1.5", "7", "-0.00", "12345678901234567890123456789012345678.00"];
    prop_oneof![40 => select(mostly.to_vec()), 1 => select(others.to_vec())].prop_map(str::to_owned)
}

fn wide() -> impl Strategy<Value = Wide> {
    use prop::collection::{btree_map, vec};
    use prop::option::of;
    let kind =
        prop_oneof![text().prop_map(Kind::One), instant().prop_map(|at| Kind::Two { at }), Just(Kind::Three)];
    let inner = (decimal(), kind).prop_map(|(x, y)| Inner { x, y });
    let inner = vec(vec(inner, 0..3), 0..3);
    let key = || select(&["k", "l.m", "2013-06-01"][..]).prop_map(str::to_owned);
    let more = btree_map(select(&["g1", "g2", "a.b"][..]).prop_map(str::to_owned), instant(), 0..2);
    (
        text(),
        of(instant()),
        vec(decimal(), 0..3),
        btree_map(key(), of(text()), 0..3),
        inner,
        of(of(decimal())),
        more,
    )
        .prop_map(|(a, b, c, d, e, f, g)| Wide { a, b, c, d, e, f, g })
}

fn options() -> impl Strategy<Value = WriterBuilder> {
    (0..4_usize, 1..40_usize, select(&[60, 500, 1 << 16][..]), 1..3_usize, any::<[bool; 3]>()).prop_map(
        |(format, batch_rows, block_size, threads, [fixed, memory, checks])| {
            let mut builder =
                formats()[format].clone().batch_rows(batch_rows).block_size(block_size).threads(threads);
            if fixed {
                builder = builder.fixed_integers();
            }
            if memory && format < 3 {
                builder = builder.memory_limit(0);
            }
            if checks && format < 3 {
                builder = builder.codec(trevni::Codec::Auto);
            }
            builder
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_rows_come_back(rows in prop::collection::vec(wide(), 1..40), builder in options()) {
        let plain = file(builder.clone(), &rows);
        let bytes = file(builder.detect_logical(), &rows);
        prop_assert_eq!(&trevni::from_slice::<Vec<Wide>>(&bytes).unwrap(), &rows);
        let (plain, detected) = (Reader::from_slice(&plain).unwrap(), Reader::from_slice(&bytes).unwrap());
        let [one, two] = [&plain, &detected].map(|reader| {
            reader.rows::<Value>().unwrap().collect::<trevni::Result<Vec<_>>>().unwrap()
        });
        prop_assert_eq!(one, two);
        for path in ["a", "b"] {
            let mut texts: Vec<&str> = rows.iter().map(|row| row.a.as_str()).collect();
            texts.extend(rows.iter().filter_map(|row| row.b.as_deref()));
            texts.truncate(4);
            let is_text = logical_at(detected.shape(), &[path]).is_none();
            for text in texts.iter().copied().take(if is_text { 2 } else { 0 }) {
                for predicate in [col(path).lt(text), col(path).ge(text), col(path).ne(text)] {
                    let found = |reader: &Reader<'_>| reader.filter(predicate.clone()).unwrap().matching().unwrap();
                    prop_assert_eq!(found(&detected), found(&plain), "{}", predicate);
                }
            }
            for text in texts {
                let field = |row: &Wide| if path == "a" { Some(row.a.clone()) } else { row.b.clone() };
                let expected = rows.iter().filter(|row| field(row).as_deref() == Some(text)).count() as u64;
                // A text that is no value of the type is an error, not a wrong answer.
                if let Ok(filtered) = detected.clone().filter(col(path).eq(text)) {
 let matching = filtered.matching().unwrap();
                    prop_assert_eq!(matching.row_count(), expected, "{} = {}", path, text);
                }
            }
        }
        let report = trevni::verify::Verify::new().source(bytes.as_slice()).unwrap();
        prop_assert!(report.is_ok(), "{:?}", report.findings);
    }
}

#[test]
fn a_column_is_never_two_things() {
    // Two paths that look the same.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Same {
        a: BTreeMap<String, String>,
        #[serde(rename = "a.value")]
        b: Option<String>,
    }
    let same = |value: &str, b: Option<&str>| Same {
        a: BTreeMap::from([("k".to_owned(), value.to_owned())]),
        b: b.map(str::to_owned),
    };
    for later in [Some("soon"), Some("2013-06-01"), Some("1.50"), None] {
        let mut all = vec![same("2013-06-01", None); 5];
        all.extend(vec![same("2013-06-02", later); 5]);
        for builder in formats() {
            for batch_rows in [1, 3, 100] {
                let file = file(builder.clone().detect_logical().batch_rows(batch_rows), &all);
                assert_eq!(trevni::from_slice::<Vec<Same>>(&file).unwrap(), all);
            }
        }
    }
}

#[test]
fn a_shape_that_is_text_has_no_logical_type_left() {
    let file = file(Writer::builder().detect_logical().batch_rows(1), &rows(&["2013-06-01", "x"]));
    let Shape::Record(record) = Reader::from_slice(&file).unwrap().shape().clone() else {
        panic!("a record")
    };
    assert_eq!(record.fields[0].shape, Shape::String);
}
