//! Zones of values of every type.

use crate::check::{check, check_rows, small, write};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::proptest;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::BTreeMap;
use trevni::column::Bound;
use trevni::formats::Trevni;
use trevni::{Codec, Reader};

fn floats() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => any::<f64>(),
        1 => prop_oneof![
            Just(f64::NAN), Just(-f64::NAN), Just(0.0), Just(-0.0), Just(f64::INFINITY), Just(f64::NEG_INFINITY),
        ],
    ]
}

/// Texts with much in common, so that what orders them is far behind or missing.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof!["[ab]{0,3}", "a{13,17}[ab]{0,2}", "a{29,34}[ab]{0,2}", "[a\\x00]{0,9}", any::<String>()]
}

fn binaries() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..40),
        vec(Just(0xff), 0..40),
        (vec(Just(0xff), 28..36), vec(254..=255u8, 0..3)).prop_map(|(one, two)| [one, two].concat()),
        vec(0..2u8, 0..20),
    ]
}

#[derive(Clone, Debug, Serialize)]
struct Row {
    flag: bool,
    int: i32,
    long: i64,
    unsigned: u64,
    float: f32,
    double: f64,
    text: String,
    bytes: ByteBuf,
    wide: i128,
    letter: Letter,
    maybe: Option<i64>,
    maybe_text: Option<String>,
    list: Vec<f32>,
    flags: Vec<bool>,
    texts: Vec<Option<String>>,
    items: Vec<Item>,
    map: BTreeMap<String, i32>,
    either: Either,
    unit: (),
}

#[derive(Clone, Debug, Serialize)]
struct Item {
    number: i16,
    more: Vec<ByteBuf>,
}

#[derive(Clone, Copy, Debug, Serialize)]
enum Letter {
    A,
    B,
    C,
}

#[derive(Clone, Debug, Serialize)]
enum Either {
    Number(i32),
    Pair { left: String, right: Option<bool> },
}

fn rows() -> impl Strategy<Value = Row> {
    let numbers =
        (any::<bool>(), any::<i32>(), any::<i64>(), any::<u64>(), floats(), floats(), any::<i128>());
    let letter = prop_oneof![Just(Letter::A), Just(Letter::B), Just(Letter::C)];
    let bytes = || binaries().prop_map(ByteBuf::from);
    let options = (any::<Option<i64>>(), proptest::option::of(texts()));
    let item = (any::<i16>(), vec(bytes(), 0..3)).prop_map(|(number, more)| Item { number, more });
    let lists = (
        vec(floats().prop_map(|value| value as f32), 0..4),
        vec(any::<bool>(), 0..4),
        vec(proptest::option::of(texts()), 0..4),
        vec(item, 0..3),
        proptest::collection::btree_map("[a-c]", any::<i32>(), 0..3),
    );
    let either = prop_oneof![
        any::<i32>().prop_map(Either::Number),
        (texts(), any::<Option<bool>>()).prop_map(|(left, right)| Either::Pair { left, right }),
    ];
    (numbers, texts(), bytes(), letter, options, lists, either).prop_map(
        |(numbers, text, bytes, letter, options, lists, either)| Row {
            flag: numbers.0,
            int: numbers.1,
            long: numbers.2,
            unsigned: numbers.3,
            float: numbers.4 as f32,
            double: numbers.5,
            text,
            bytes,
            wide: numbers.6,
            letter,
            maybe: options.0,
            maybe_text: options.1,
            list: lists.0,
            flags: lists.1,
            texts: lists.2,
            items: lists.3,
            map: lists.4,
            either,
            unit: (),
        },
    )
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(48))]

    #[test]
    fn zones_are_those_of_the_values(rows in vec(rows(), 0..120)) {
        check_rows(&rows);
    }

    #[test]
    fn large_batches_have_the_same_zones(
        ints in vec(any::<i32>(), 0..700), floats in vec(floats(), 0..700), texts in vec(texts(), 0..300),
        binaries in vec(binaries().prop_map(ByteBuf::from), 0..300),
    ) {
        let builder = || small().block_size(700).batch_rows(4096);
        check(&write(builder(), &ints));
        check(&write(builder(), &floats));
        check(&write(builder(), &floats.iter().map(|value| *value as f32).collect::<Vec<_>>()));
        check(&write(builder(), &texts));
        check(&write(builder(), &binaries));
    }

    #[test]
    fn sorted_values_ascend(
        mut ints in vec(any::<i64>(), 1..400), mut texts in vec(texts(), 1..200), swap in any::<Option<u8>>(),
        mut floats in vec(any::<f64>(), 1..400),
    ) {
        ints.sort_unstable();
        texts.sort();
        floats.retain(|value| !value.is_nan());
        floats.sort_by(f64::total_cmp);
        if let Some(at) = swap.map(usize::from) {
            let count = ints.len();
            ints.swap(at % count, 0);
            let count = texts.len();
            texts.swap(at % count, 0);
        }
        check_rows(&ints);
        check_rows(&texts);
        check_rows(&floats);
        check_rows(&ints.chunks(3).collect::<Vec<_>>());
        check_rows(&texts.iter().map(Some).collect::<Vec<_>>());
    }
}

#[test]
fn a_column_ascends_across_blocks_and_batches() {
    let ascends = |rows: &[i32]| {
        let bytes = check_rows(rows);
        Reader::from_slice(&bytes).unwrap().zone_map(0).unwrap().unwrap().ascending
    };
    let mut rows: Vec<i32> = (0..1000).collect();
    assert!(ascends(&rows) && ascends(&[5; 100]) && ascends(&[7]));
    // The one that does not ascend is the first of a batch.
    rows[512] = 3;
    assert!(!ascends(&rows));
}

#[test]
fn nan_and_zeros_are_within_bounds() {
    let bytes = check_rows(&[-0.0, 0.0, -0.0f64]);
    let zone = Reader::from_slice(&bytes).unwrap().blocks(0).unwrap().remove(0).zone.unwrap();
    let signs = [zone.min, zone.max].map(|bound| match bound {
        Some(Bound::Float(value)) => value.is_sign_negative(),
        other => panic!("{other:?}"),
    });
    assert_eq!(signs, [true, false]);
    let bytes = check_rows(&[f32::NAN; 50]);
    let reader = Reader::from_slice(&bytes).unwrap();
    let zone = reader.blocks(0).unwrap().remove(0).zone.unwrap();
    assert_eq!((zone.min, zone.max, zone.nan), (None, None, true));
    assert!(!reader.zone_map(0).unwrap().unwrap().ascending);
}

#[test]
fn columns_without_values_have_counts() {
    let bytes = check_rows(&vec![None::<i32>; 30]);
    assert_eq!(trevni::from_slice::<Vec<Option<i32>>>(&bytes).unwrap(), [None; 30]);
    check_rows(&[Vec::<i32>::new(), Vec::new()]);
    check_rows(&[vec![None::<i32>; 3], vec![]]);
    check_rows(&[(); 10]);
    check_rows(&[[vec![(); 3], vec![]], [vec![(); 1], vec![(); 2]]]);
    check_rows::<i32>(&[]);
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Reading {
    station: String,
    celsius: Option<f32>,
}

#[test]
fn codecs_and_versions_have_the_same_zones() {
    let rows: Vec<Reading> = (0..500u16)
        .map(|n| Reading {
            station: format!("station number {}", n % 7),
            celsius: (n % 5 > 0).then_some(f32::from(n)),
        })
        .collect();
    for codec in [Codec::Null, Codec::Deflate, Codec::Snappy, Codec::Auto] {
        for version in [trevni::formats::Version::V1, trevni::formats::Version::V2] {
            let bytes = write(small().codec(codec).format(Trevni::new().version(version)), &rows);
            check(&bytes);
            assert_eq!(trevni::from_slice::<Vec<Reading>>(&bytes).unwrap(), rows);
        }
    }
}
