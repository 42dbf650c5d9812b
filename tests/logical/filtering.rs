//! Predicates on logical types: texts are read as values of the type.

use super::{Row, file, rows};
use proptest::prelude::*;
use trevni::predicate::Literal;
use trevni::shape::Logical;
use trevni::{Dialect, Predicate, Reader, Writer, col};

/// The rows that match, by all ways: with zone maps and without, in all formats.
fn matching(logical: &Logical, values: &[&str], predicate: &Predicate) -> Vec<String> {
    let mut found: Option<Vec<String>> = None;
    for dialect in [Dialect::Trevni, Dialect::Levels, Dialect::RedElm] {
        for zones in [true, false] {
            let builder = Writer::builder().dialect(dialect).block_size(64).logical("v", logical.clone());
            let builder = if zones { builder } else { builder.without_zone_maps() };
            let file = file(builder, &rows(values));
            let reader = Reader::from_slice(&file).unwrap().filter(predicate.clone()).unwrap();
            let own: Vec<String> = reader.rows::<Row<String>>().unwrap().map(|row| row.unwrap().v).collect();
            assert_eq!(found.get_or_insert_with(|| own.clone()), &own, "{dialect:?}");
        }
    }
    found.unwrap()
}

const INSTANTS: [&str; 5] = [
    "1969-12-31T23:59:59.500Z",
    "2013-05-31T23:59:59.999Z",
    "2013-06-01T00:00:00Z",
    "2013-06-01T05:00:00Z",
    "2013-06-02T00:00:00Z",
];

#[test]
fn dates_are_the_start_of_their_day() {
    let of = |predicate| matching(&Logical::TimestampMillis, &INSTANTS, &predicate);
    assert_eq!(of(col("v").ge("2013-06-01")), INSTANTS[2..]);
    assert_eq!(of(col("v").lt("2013-06-01")), INSTANTS[..2]);
    assert_eq!(of(col("v").eq("2013-06-01")), INSTANTS[2..3]);
    assert_eq!(of(col("v").between("2013-06-01", "2013-06-01T05:00:00Z")), INSTANTS[2..4]);
    assert_eq!(of(col("v").gt("2013-06-01T07:00:00+02:00")), INSTANTS[4..]);
    assert_eq!(of(col("v").eq(1_370_044_800_000_i64)), INSTANTS[2..3]);
    // Between two milliseconds, and beyond all of them.
    assert_eq!(of(col("v").gt("2013-05-31T23:59:59.9985Z")), INSTANTS[1..]);
    assert!(of(col("v").eq("2013-05-31T23:59:59.9990001Z")).is_empty());
    assert_eq!(of(col("v").lt("+999999999-01-01")).len(), 5);
    assert_eq!(of(col("v").gt("-999999999-01-01")).len(), 5);
}

#[test]
fn what_is_no_value_is_refused() {
    let file = file(Writer::builder().logical("v", Logical::TimestampMillis), &rows(&INSTANTS));
    let reader = Reader::from_slice(&file).unwrap();
    for predicate in
        [col("v").ge("soon"), col("v").eq("2013-02-30"), col("v").starts_with("2013"), col("v").eq(true)]
    {
        let error = reader.filter(predicate).map(drop).unwrap_err();
        assert!(error.to_string().contains('v'), "{error}");
    }
    let days = super::file(Writer::builder().logical("v", Logical::Date), &rows(&["2013-06-01"]));
    let reader = Reader::from_slice(&days).unwrap();
    assert!(reader.filter(col("v").ge("2013-06-01T00:00:00Z")).is_err());
    assert_eq!(reader.filter(col("v").ge("2013-06-01")).unwrap().matching().unwrap().row_count(), 1);
}

#[test]
fn zone_maps_skip_blocks() {
    let instants: Vec<Row<i64>> = (0..10_000).map(|n| Row { v: n * 3_600_000 }).collect();
    let file = file(Writer::builder().block_size(1000).logical("v", Logical::TimestampMillis), &instants);
    let reader = Reader::from_slice(&file).unwrap().filter(col("v").lt("1970-01-02")).unwrap();
    assert_eq!(reader.matching().unwrap().row_count(), 24);
    let explained = reader.explain().unwrap().to_string();
    let all = Reader::from_slice(&file).unwrap().explain().unwrap().to_string();
    assert_ne!(explained, all);
}

#[test]
fn uuids_and_times_and_options() {
    let uuids = ["00000000-0000-0000-0000-000000000001", "67e55044-10b1-426f-9247-bb680e5fe0c8"];
    let of = |predicate| matching(&Logical::Uuid, &uuids, &predicate);
    assert_eq!(of(col("v").eq("67E5504410B1426F9247BB680E5FE0C8")), uuids[1..]);
    assert_eq!(of(col("v").lt(uuids[1])), uuids[..1]);
    let times = ["05:00:00", "23:59:59.999999"];
    assert_eq!(matching(&Logical::TimeMicros, &times, &col("v").gt("05:00")), times[1..]);
    let options = rows(&[None, Some("2013-06-01")]);
    let file = file(Writer::builder().logical("v", Logical::Date), &options);
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!(reader.filter(col("v").ne("2000-01-01")).unwrap().matching().unwrap().row_count(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn decimals_compare_as_numbers(
        values in proptest::collection::vec(-1000..1000_i64, 1..30),
        literal in -100_000..100_000_i64,
    ) {
        // Values of one digit after the point, literals of three.
        let texts: Vec<String> = values.iter().map(|n| format!("{}{}.{}", if *n < 0 { "-" } else { "" }, n.abs() / 10, n.abs() % 10)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let logical = Logical::Decimal { precision: 30, scale: 1 };
        let sign = if literal < 0 { "-" } else { "" };
        let text = format!("{sign}{}.{:03}", literal.abs() / 1000, literal.abs() % 1000);
        let expected = |holds: fn(i64, i64) -> bool| values.iter().filter(|n| holds(**n * 100, literal)).count();
        prop_assert_eq!(matching(&logical, &texts, &col("v").lt(&text)).len(), expected(|a, b| a < b));
        prop_assert_eq!(matching(&logical, &texts, &col("v").ge(&text)).len(), expected(|a, b| a >= b));
        prop_assert_eq!(matching(&logical, &texts, &col("v").eq(&text)).len(), expected(|a, b| a == b));
        let number: Literal = (literal as f64 / 1000.0).into();
        prop_assert_eq!(matching(&logical, &texts, &col("v").gt(number)).len(), expected(|a, b| a > b));
    }
}
