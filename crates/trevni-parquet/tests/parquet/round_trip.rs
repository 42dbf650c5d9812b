//! Rows of our own: a column file, Parquet, and a column file again.

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tempfile::TempDir;
use trevni::shape::Logical;
use trevni::{Reader, Writer};
use trevni_parquet::{ParquetOptions, ParquetReader};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    id: u32,
    wide: u64,
    flag: Option<bool>,
    word: String,
    words: Vec<Option<String>>,
    lists: Option<Vec<Vec<i16>>>,
    counts: BTreeMap<String, Option<f64>>,
    inner: Option<Inner>,
    when: Option<String>,
    cost: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Inner {
    small: i8,
    deep: Vec<Deep>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Deep {
    x: Option<f32>,
    tags: Vec<String>,
}

/// Texts of a small pool, so that rows often agree.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![Just(""), Just("a"), Just("ä\u{0}"), Just("some longer text that is no short one")]
        .prop_map(str::to_owned)
}

fn deep() -> impl Strategy<Value = Deep> {
    (option::of(-1e9f32..1e9), vec(word(), 0..3)).prop_map(|(x, tags)| Deep { x, tags })
}

fn row() -> impl Strategy<Value = Row> {
    let inner = (any::<i8>(), vec(deep(), 0..3)).prop_map(|(small, deep)| Inner { small, deep });
    let plain = (any::<u32>(), any::<u64>(), any::<Option<bool>>(), word());
    let nested = (
        vec(option::of(word()), 0..3),
        option::of(vec(vec(any::<i16>(), 0..3), 0..3)),
        btree_map(word(), option::of(-1e300..1e300), 0..3),
        option::of(inner),
    );
    let when = option::of(prop_oneof![Just("1969-12-31T23:59:59.999999Z"), Just("2013-06-01T05:00:00Z")]);
    let cost = prop_oneof![Just("0.00"), Just("-12.50"), Just("9999999.99")];
    (plain, nested, when, cost).prop_map(
        |((id, wide, flag, word), (words, lists, counts, inner), when, cost)| Row {
            id,
            wide,
            flag,
            word,
            words,
            lists,
            counts,
            inner,
            when: when.map(str::to_owned),
            cost: cost.to_owned(),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn rows_come_back(rows in vec(row(), 1..40), row_group in prop_oneof![Just(1_usize), Just(500), Just(1 << 20)], dictionary in any::<bool>()) {
        let folder = TempDir::new().unwrap();
        let options = Writer::builder()
            .logical("when", Logical::TimestampMicros)
            .logical("cost", Logical::Decimal { precision: 9, scale: 2 });
        // Without an instant, a path of no value would be an error.
        let has_when = rows.iter().any(|row| row.when.is_some());
        let options = if has_when { options } else { Writer::builder() };
        let mut writer = options.build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let file = writer.finish().unwrap();
        let reader = Reader::from_slice(&file).unwrap();
        let options = ParquetOptions::new().row_group_bytes(row_group);
        let options = if dictionary { options } else { options.without_dictionaries() };
        let parquet = trevni_parquet::to_parquet(&reader, options, Vec::new()).unwrap();
        let path = folder.path().join("rows.parquet");
        std::fs::write(&path, parquet).unwrap();
        let back = trevni_parquet::to_trevni(ParquetReader::open(&path).unwrap(), Writer::builder(), Vec::new()).unwrap();
        let found: Vec<Row> = trevni::from_slice(&back).unwrap();
        prop_assert_eq!(&found, &rows);
    }
}
