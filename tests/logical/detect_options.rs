//! Detected columns with options of their own, beside types of the same names, and as columns.

use super::detect::{formats, logical_at};
use super::{Row, file, rows};
use serde::{Deserialize, Serialize};
use trevni::column::ValueType;
use trevni::formats::Levels;
use trevni::reader::Nested;
use trevni::shape::Logical;
use trevni::{Codec, Reader, Writer, col};

/// Dates that ascend, and then a text that is none, or only dates.
fn dates(last: Option<&str>) -> Vec<Row<String>> {
    let date = |n: usize| format!("20{:02}-{:02}-{:02}", n / 336, n / 28 % 12 + 1, n % 28 + 1);
    let mut texts: Vec<String> = (0..2000).map(date).collect();
    texts.extend(last.map(str::to_owned));
    rows(&texts)
}

fn same(file: &[u8], expected: &[Row<String>]) {
    assert_eq!(trevni::from_slice::<Vec<Row<String>>>(file).unwrap(), expected);
    let reader = Reader::from_slice(file).unwrap();
    assert_eq!(
        reader.column::<String>("v").unwrap(),
        expected.iter().map(|row| row.v.clone()).collect::<Vec<_>>()
    );
    let report = trevni::verify::Verify::new().source(file).unwrap();
    assert!(report.is_ok(), "{:?}", report.findings);
    for wanted in [0, 700, 1999] {
        let text = expected[wanted].v.as_str();
        for (predicate, count) in [
            (col("v").eq(text), 1),
            (col("v").lt(text), wanted),
            (col("v").ge(text), expected.len() - wanted),
            (col("v").between(text, text), 1),
        ] {
            let found = reader.filter(predicate).unwrap().matching().unwrap();
            assert_eq!(found.row_count() as usize, count, "{text}");
        }
    }
}

#[test]
fn columns_keep_their_options_whatever_they_become() {
    for last in [None, Some("soon"), Some("x")] {
        let expected = dates(last);
        for (number, builder) in formats().into_iter().enumerate() {
            let builder = builder.detect_logical().batch_rows(100).block_size(300);
            let mut builders = vec![builder.clone().threads(3), builder.clone().without_zone_maps()];
            if number < 3 {
                builders.push(
                    builder.clone().column_codec("v", Codec::Deflate).column_metadata("v", "unit", "day"),
                );
                builders.push(builder.clone().memory_limit(0).threads(2));
                builders.push(builder.clone().first_values(["v"]));
                builders.push(builder.clone().fixed_integers());
                builders.push(builder.codec(Codec::Auto));
            }
            for (option, builder) in builders.into_iter().enumerate() {
                let file = file(builder, &expected);
                same(&file, &expected);
                let reader = Reader::from_slice(&file).unwrap();
                let column = &reader.columns()[0];
                let found = logical_at(reader.shape(), &["v"]);
                assert_eq!(found, if last.is_none() { Some(Logical::Date) } else { None });
                match option {
                    2 => {
                        assert_eq!(
                            (column.codec_name(), column.metadata().get_str("unit")),
                            ("deflate", Some("day"))
                        );
                    }
                    4 => assert!(column.has_first_values()),
                    _ => {}
                }
                if last.is_some() {
                    assert_eq!(column.value_type(), ValueType::String);
                }
            }
        }
    }
}

#[test]
fn blocks_are_skipped_after_growth_too() {
    for last in [None, Some("soon")] {
        for builder in formats() {
            let builder = builder.detect_logical().batch_rows(100).block_size(300).memory_limit(1 << 20);
            let file = file(builder, &dates(last));
            let reader = Reader::from_slice(&file).unwrap();
            let filtered = reader.filter(col("v").eq("2003-01-05")).unwrap();
            assert_eq!(filtered.matching().unwrap().row_count(), 1);
            if reader.blocks(0).unwrap().len() > 2 {
                assert!(filtered.explain().unwrap().blocks_skipped() > 0);
            }
        }
    }
}

#[test]
fn an_option_that_the_type_cannot_have_keeps_the_texts() {
    let texts = rows(&["2013-06-01".to_owned(), "2013-06-02".to_owned()]);
    for value_type in [ValueType::String, ValueType::Timestamp, ValueType::Fixed32, ValueType::Int] {
        let format = Levels::new().value_type("v", value_type);
        let write = |detect| {
            let builder = Writer::builder().format(format.clone());
            let builder = if detect { builder.detect_logical() } else { builder };
            let mut writer = builder.build(Vec::new()).unwrap();
            writer.write_all(&texts).and_then(|()| writer.finish()).map_err(|error| error.to_string())
        };
        match (write(false), write(true)) {
            (Ok(_), Ok(file)) => assert_eq!(trevni::from_slice::<Vec<Row<String>>>(&file).unwrap(), texts),
            (plain, detected) => assert_eq!(plain.map(drop), detected.map(drop), "{value_type:?}"),
        }
    }
}

#[test]
fn types_of_the_same_names_are_told_apart() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "uuid")]
    struct Own {
        uuid: String,
        duration: Vec<String>,
        more: Option<Box<Own>>,
        kind: Kind,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "duration")]
    enum Kind {
        #[serde(rename = "uuid")]
        One,
        Two(String),
    }
    let own = |n: u8, more| Own {
        uuid: format!("67e55044-10b1-426f-9247-bb680e5fe0{n:02x}"),
        duration: vec![format!("PT{}S", n % 60), "P1D".to_owned()],
        more,
        kind: if n.is_multiple_of(2) { Kind::One } else { Kind::Two("2013-06-01".to_owned()) },
    };
    let all: Vec<Own> = (0..50).map(|n| own(n, (n % 3 == 1).then(|| Box::new(own(n + 1, None))))).collect();
    for builder in formats() {
        let file = file(builder.detect_logical(), &all);
        assert_eq!(trevni::from_slice::<Vec<Own>>(&file).unwrap(), all);
        let reader = Reader::from_slice(&file).unwrap();
        for path in [&["uuid"][..], &["more", "uuid"]] {
            assert_eq!(logical_at(reader.shape(), path), Some(Logical::Uuid));
        }
        assert_eq!(logical_at(reader.shape(), &["more", "duration"]), Some(Logical::Duration));
        let values = reader.column::<Nested<String>>("duration").unwrap().values;
        assert_eq!(values, all.iter().flat_map(|own| own.duration.clone()).collect::<Vec<_>>());
    }
}
