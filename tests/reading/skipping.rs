//! Rows whose arrays of every type are skipped to come to them.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use serde::{Deserialize, Serialize};
use trevni::{Codec, Reader, WriterBuilder};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Arrays {
    short: Option<i32>,
    long: Option<i64>,
    several: Vec<i64>,
    single: Option<f32>,
    double: Vec<f64>,
    flag: Vec<bool>,
    text: Option<String>,
    texts: Vec<String>,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    unit: Vec<()>,
    plain: i64,
}

/// Integers of one byte to ten, few of them, so that runs of one size are frequent.
fn integer() -> impl Strategy<Value = i64> {
    select(vec![0, -1, 63, 64, -64, -65, 1 << 13, 1 << 40, 1 << 47, 1 << 48, -1 << 55, i64::MIN, i64::MAX])
}

/// Texts around those whose length takes one byte, and two.
fn text() -> impl Strategy<Value = String> {
    select(vec![0, 1, 2, 63, 64, 65, 8191, 8192]).prop_map(|len| "x".repeat(len))
}

fn arrays() -> impl Strategy<Value = Arrays> {
    let numbers = (of(select(vec![0, 5, 63, 64, -9000, i32::MIN])), of(integer()), vec(integer(), 0..4));
    let floats = (of(Just(0.5)), vec(Just(-1.5), 0..3), vec(any::<bool>(), 0..11));
    let texts = (of(text()), vec(text(), 0..3), vec(any::<u8>(), 0..70), vec(Just(()), 0..3), integer());
    (numbers, floats, texts).prop_map(
        |((short, long, several), (single, double, flag), (text, texts, bytes, unit, plain))| Arrays {
            short,
            long,
            several,
            single,
            double,
            flag,
            text,
            texts,
            bytes,
            unit,
            plain,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn each_row_is_found_past_those_before_it(
        some in vec(arrays(), 1..6),
        order in vec(any::<prop::sample::Index>(), 1..120),
        is_fixed in any::<bool>(),
    ) {
        // Rows from a small pool: runs of equal ones, and every kind after every other.
        let rows: Vec<Arrays> = order.iter().map(|at| at.get(&some).clone()).collect();
        let builder = WriterBuilder::new().codec(Codec::Null).block_size(1 << 22);
        let builder = if is_fixed { builder.fixed_integers() } else { builder };
        let mut writer = builder.build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let bytes = writer.finish().unwrap();
        for number in (0..rows.len()).rev() {
            let reader = Reader::from_slice(&bytes).unwrap();
            prop_assert_eq!(&reader.row::<Arrays>(number as u64).unwrap(), &rows[number]);
        }
    }
}
