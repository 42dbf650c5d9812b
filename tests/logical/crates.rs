//! Types of other crates, which are texts to serde, come back equal.

use super::{Row, file, rows};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt::Debug;
use trevni::shape::Logical;
use trevni::{Reader, Writer};

const DECIMAL: Logical = Logical::Decimal { precision: 28, scale: 4 };

/// Writes values as a logical type, checks that they are stored as it, and reads them, also within options and lists,
/// by batches and one by one.
fn come_back<T>(logical: Logical, values: &[T])
where
    T: Serialize + DeserializeOwned + Clone + Debug + PartialEq,
{
    let builder = || Writer::builder().logical("v", logical.clone());
    let bytes = file(builder(), &rows(values));
    let reader = Reader::from_slice(&bytes).unwrap();
    assert!(reader.shape().to_string().contains(logical.name()), "{}", reader.shape());
    assert_eq!(trevni::from_slice::<Vec<Row<T>>>(&bytes).unwrap(), rows(values));
    let mut at = 0;
    for batch in reader.batches().unwrap() {
        for row in batch.unwrap().rows::<Row<T>>() {
            assert_eq!(row.unwrap().v, values[at]);
            at += 1;
        }
    }
    assert_eq!(at, values.len());
    for (at, value) in values.iter().enumerate().take(3) {
        assert_eq!(reader.row::<Row<T>>(at as u64).unwrap().v, *value);
    }

    let options: Vec<Row<Option<T>>> =
        values.iter().flat_map(|v| [None, Some(v.clone())]).map(|v| Row { v }).collect();
    let bytes = file(builder(), &options);
    assert_eq!(trevni::from_slice::<Vec<Row<Option<T>>>>(&bytes).unwrap(), options);
    let lists: Vec<Row<Vec<Option<T>>>> =
        options.chunks(3).map(|some| Row { v: some.iter().map(|row| row.v.clone()).collect() }).collect();
    let bytes = file(builder(), &lists);
    assert_eq!(trevni::from_slice::<Vec<Row<Vec<Option<T>>>>>(&bytes).unwrap(), lists);
    let maps: Vec<Row<BTreeMap<String, T>>> = values
        .chunks(2)
        .map(|some| Row { v: some.iter().enumerate().map(|(key, v)| (key.to_string(), v.clone())).collect() })
        .collect();
    let bytes = file(Writer::builder().logical("v.value", logical.clone()), &maps);
    assert_eq!(trevni::from_slice::<Vec<Row<BTreeMap<String, T>>>>(&bytes).unwrap(), maps);
    let tuples: Vec<(T, u8)> = values.iter().map(|v| (v.clone(), 7)).collect();
    let bytes = file(Writer::builder().logical("_0", logical), &tuples);
    assert_eq!(trevni::from_slice::<Vec<(T, u8)>>(&bytes).unwrap(), tuples);
}

/// Numbers that are seldom alike, and often at a border.
fn number() -> impl Strategy<Value = i64> {
    let second = 1_000_000;
    prop_oneof![
        Just(0_i64),
        Just(-1),
        Just(1),
        Just(500_000),
        Just(-500_000),
        Just(951_782_399 * second + 999_999),
        Just(951_782_400 * second),
        Just(-62_135_596_800 * second),
        Just(253_402_207_199 * second + 999_990),
        -62_135_596_800 * second..253_402_207_200 * second,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn instants(numbers in proptest::collection::vec(number(), 1..40)) {
        let chrono: Vec<_> = numbers.iter().map(|n| chrono::DateTime::from_timestamp_micros(*n).unwrap()).collect();
        come_back(Logical::TimestampMicros, &chrono);
        let local: Vec<_> = chrono.iter().map(chrono::DateTime::naive_utc).collect();
        come_back(Logical::LocalTimestampMicros, &local);
        let jiff: Vec<_> = numbers.iter().map(|n| jiff::Timestamp::from_microsecond(*n).unwrap()).collect();
        come_back(Logical::TimestampMicros, &jiff);
        let local: Vec<_> = jiff.iter().map(|n| n.to_zoned(jiff::tz::TimeZone::UTC).datetime()).collect();
        come_back(Logical::LocalTimestampMicros, &local);
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        struct Time(#[serde(with = "time::serde::rfc3339")] time::OffsetDateTime);
        let of_time = |n: &i64| time::OffsetDateTime::from_unix_timestamp_nanos(i128::from(*n) * 1000).unwrap();
        let time: Vec<_> = numbers.iter().map(of_time).map(Time).collect();
        come_back(Logical::TimestampMicros, &time);
    }

    #[test]
    fn nanoseconds(numbers in proptest::collection::vec(any::<i64>(), 1..20)) {
        let chrono: Vec<_> = numbers.iter().map(|n| chrono::DateTime::from_timestamp_nanos(*n)).collect();
        come_back(Logical::TimestampNanos, &chrono);
        let jiff: Vec<_> = numbers.iter().map(|n| jiff::Timestamp::from_nanosecond((*n).into()).unwrap()).collect();
        come_back(Logical::TimestampNanos, &jiff);
    }

    #[test]
    fn dates(numbers in proptest::collection::vec(-700_000..2_000_000_i64, 1..20)) {
        let epoch = chrono::NaiveDate::from_ymd_opt(1970, 1, 1).unwrap();
        let chrono: Vec<_> = numbers.iter().map(|n| epoch + chrono::TimeDelta::days(*n)).collect();
        come_back(Logical::Date, &chrono);
        let jiff: Vec<_> = numbers.iter()
            .map(|n| jiff::civil::date(1970, 1, 1) + jiff::SignedDuration::from_hours(24 * n)).collect();
        come_back(Logical::Date, &jiff);
        let time: Vec<_> = numbers.iter()
            .map(|n| time::macros::date!(1970-01-01) + time::Duration::days(*n)).collect();
        come_back(Logical::Date, &time);
    }

    #[test]
    fn times(numbers in proptest::collection::vec(0..86_400_000_000_u64, 1..20)) {
        let chrono: Vec<_> = numbers.iter().map(|n| {
            chrono::NaiveTime::from_num_seconds_from_midnight_opt((n / 1_000_000) as u32, (n % 1_000_000) as u32 * 1000).unwrap()
        }).collect();
        come_back(Logical::TimeMicros, &chrono);
        let jiff: Vec<_> = numbers.iter()
            .map(|n| jiff::civil::Time::midnight() + std::time::Duration::from_micros(*n)).collect();
        come_back(Logical::TimeMicros, &jiff);
        come_back(Logical::TimeNanos, &jiff);
    }

    #[test]
    fn uuids(numbers in proptest::collection::vec(any::<u128>(), 1..20)) {
        let uuids: Vec<_> = numbers.iter().map(|n| uuid::Uuid::from_u128(*n)).collect();
        come_back(Logical::Uuid, &uuids);
    }

    #[test]
    fn decimals(numbers in proptest::collection::vec(any::<i64>(), 1..20), shift in 0..60_u32) {
        let decimals: Vec<_> = numbers.iter().map(|n| rust_decimal::Decimal::new(n >> shift, 4)).collect();
        come_back(DECIMAL, &decimals);
        let decimals: Vec<_> = numbers.iter().map(|n| bigdecimal::BigDecimal::new((n >> shift).into(), 4)).collect();
        come_back(DECIMAL, &decimals);
    }
}

#[test]
fn spans() {
    let spans = ["PT0S", "P1Y2M3DT4H5M6.789S", "P3D", "PT0.001S"]
        .map(|text| text.parse::<jiff::Span>().unwrap().fieldwise());
    let values: Vec<jiff::Span> = spans.iter().map(|span| span.0).collect();
    let bytes = file(Writer::builder().logical("v", Logical::Duration), &rows(&values));
    let back: Vec<Row<jiff::Span>> = trevni::from_slice(&bytes).unwrap();
    assert_eq!(back.iter().map(|row| row.v.fieldwise()).collect::<Vec<_>>(), spans);
}
