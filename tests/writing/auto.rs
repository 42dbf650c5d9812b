//! `Codec::Auto` picks what is small.

use proptest::prelude::*;
use serde::Serialize;
use trevni::{Codec, Reader, Writer};

/// What it picks from, where the build has it.
const TRIED: [Codec; 5] = [Codec::Null, Codec::Snappy, Codec::Typed, Codec::Zstandard, Codec::TypedZstandard];

/// Bytes of a file of these values with a codec.
fn size<T: Serialize>(values: &[T], codec: Codec) -> usize {
    let mut writer = Writer::builder().codec(codec).build(Vec::new()).unwrap();
    writer.write_all(values).unwrap();
    writer.finish().unwrap().len()
}

/// Bytes of the file that it makes, and of the smallest with one of the codecs.
fn sizes<T: Serialize>(values: &[T]) -> (usize, usize) {
    let others = TRIED.into_iter().filter(|codec| codec.is_available());
    (size(values, Codec::Auto), others.map(|codec| size(values, codec)).min().unwrap())
}

fn check<T: Serialize + Clone>(pool: &[T], picks: &[prop::sample::Index]) -> Result<(), TestCaseError> {
    let values: Vec<T> = picks.iter().map(|pick| pick.get(pool).clone()).collect();
    let (auto, least) = sizes(&values);
    prop_assert!(auto <= least, "{auto} {least}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn columns_of_one_block_are_as_small_as_with_the_best_codec(
        integers in prop::collection::vec(any::<i64>(), 1..20),
        small in prop::collection::vec(any::<i16>(), 1..300),
        texts in prop::collection::vec("[a-z]{0,16}", 1..20),
        floats in prop::collection::vec((-1000i32..1000).prop_map(|value| f64::from(value) / 8.0), 1..20),
        lists in prop::collection::vec(prop::collection::vec(0u8..9, 0..4), 1..20),
        picks in prop_oneof![
            prop::collection::vec(any::<prop::sample::Index>(), 1..40),
            prop::collection::vec(any::<prop::sample::Index>(), 1000..3000),
        ],
    ) {
        check(&integers, &picks)?;
        check(&small, &picks)?;
        check(&texts, &picks)?;
        check(&floats, &picks)?;
        check(&lists, &picks)?;
        check(&texts.iter().map(|text| Some(text).filter(|text| text.len() > 4)).collect::<Vec<_>>(), &picks)?;
    }
}

/// Random numbers, always the same ones.
fn random() -> impl FnMut() -> usize {
    let mut state = 1u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize
    }
}

#[test]
fn longer_columns_are_little_larger_than_with_the_best_codec() {
    for pool in [2usize, 10, 100, 1000, 10_000, 100_000] {
        for bytes in [1, 8, 40] {
            let mut next = random();
            let texts: Vec<String> = (0..pool).map(|number| format!("{:0bytes$}", next() ^ number)).collect();
            let values: Vec<&String> = (0..40_000).map(|_| &texts[next() % pool]).collect();
            let (auto, least) = sizes(&values);
            assert!(auto <= least / 8 * 9, "texts {pool} {bytes}: {auto} {least}");
            let integers: Vec<usize> = (0..pool).map(|_| next() >> (20 - bytes / 2)).collect();
            let values: Vec<usize> = (0..60_000).map(|_| integers[next() % pool]).collect();
            let (auto, least) = sizes(&values);
            assert!(auto <= least / 8 * 9, "integers {pool} {bytes}: {auto} {least}");
        }
    }
}

#[test]
fn files_of_many_columns_are_as_small_as_with_the_best_codec() {
    let mut next = random();
    let mut row =
        || -> [String; 12] { std::array::from_fn(|column| format!("text {}", next() % (column + 2))) };
    let rows: Vec<_> = (0..500).map(|_| row()).collect();
    let (auto, least) = sizes(&rows);
    // But for the names of codecs that few columns have.
    assert!(auto <= least + least / 100, "{auto} {least}");
}

#[test]
fn the_rows_before_a_column_changes_do_not_choose() {
    // The second row lacks the field, so that the one before it is written again, with lengths.
    let mut next = random();
    let mut row = |number| match number {
        1 => serde_json::json!({}),
        _ => serde_json::json!({ "text": format!("text number {}", next() % 10) }),
    };
    let rows: Vec<serde_json::Value> = (0..5000).map(&mut row).collect();
    let file = |codec| {
        let mut writer = Writer::builder().codec(codec).batch_rows(1).build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        writer.finish().unwrap()
    };
    let auto = file(Codec::Auto);
    assert!(auto.len() <= file(Codec::Snappy).len());
    let reader = Reader::from_slice(&auto).unwrap();
    assert_ne!(reader.columns()[0].codec(), Some(Codec::Null));
    assert_eq!(reader.rows().unwrap().map(Result::unwrap).collect::<Vec<serde_json::Value>>(), rows);
}
