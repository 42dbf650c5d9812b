//! The type that texts have in common, against files of that type.

use super::{Row, file, of_schema, rows};
use proptest::prelude::*;
use proptest::sample::select;
use trevni::shape::{Logical, LogicalShape, StringStyle};
use trevni::{LogicalDetector, Shape, Writer};

/// Canonical texts of all types.
const CANONICAL: [&str; 59] = [
    "2013-06-01",
    "1969-12-31",
    "-0044-03-15",
    "+10000-01-01",
    "+5881580-07-11",
    "05:00:00",
    "23:59:59.250",
    "00:00:00.000001",
    "00:00:00.000000001",
    "2013-06-01T05:00:00Z",
    "2013-06-01T05:00:00.250Z",
    "2013-06-01T05:00:00.000250Z",
    "2013-06-01T05:00:00.000000250Z",
    "0001-01-01T00:00:00Z",
    "-0044-03-15T12:00:00Z",
    "+200000-01-01T00:00:00.000001Z",
    "+99999999-01-01T00:00:00Z",
    "2013-06-01T05:00:00",
    "2013-06-01T05:00:00.250",
    "2013-06-01T05:00:00.000250",
    "2013-06-01T05:00:00.000000250",
    "9999-12-31T23:59:59",
    "+200000-01-01T00:00:00",
    "05:00:00.0",
    "05:00:00.25",
    "05:00:00.125",
    "2013-06-01 05:00:00.0 +00:00:00",
    "2013-06-01 05:00:00.00025 +00:00:00",
    "-0044-03-15 12:00:00.0 +00:00:00",
    "2013-06-01 05:00:00.0",
    "2013-06-01 05:00:00.000000001",
    "+200000-01-01 00:00:00.5",
    "12.50",
    "0.00",
    "-0.01",
    "99999.99",
    "0.5",
    "-12.5",
    "3.141",
    "1.0",
    "1234567890123456789012345678901234567.8",
    "0.00000000000000000000000000000000000001",
    "67e55044-10b1-426f-9247-bb680e5fe0c8",
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "P1Y2M3DT4H5M6.5S",
    "PT0S",
    "P1D",
    "PT5M",
    "P11M",
    "PT0.001S",
    "P357913941Y3M4294967295DT1193H2M47.295S",
    "PT1193H2M47.295S",
    "10.0.0.1",
    "255.255.255.255",
    "2001:db8::1",
    "::ffff:10.0.0.1",
    "10.0.0.0/8",
    "::/0",
];

/// Texts of a value that are not its canonical one, and texts of no value.
const OTHERS: [&str; 54] = [
    "",
    "-",
    ".",
    "P",
    "PT",
    "T",
    "Z",
    "2013-06-31",
    "2013-6-01",
    "+2013-06-01",
    "-0000-03-15",
    "2013-06-01 ",
    "2013-06-01T05:00:00.5Z",
    "2013-06-01T05:00:00.000Z",
    "2013-06-01T05:00:00z",
    "2013-06-01t05:00:00Z",
    "2013-06-01 05:00:00",
    "2013-06-01T05:00:00+00:00",
    "2013-06-01T24:00:00Z",
    "+999999999-01-01T00:00:00Z",
    "+5881580-07-12",
    "05:00",
    "2013-06-01 05:00:00Z",
    "2013-06-01 05:00:00.0Z",
    "2013-06-01 05:00:00.00 +00:00:00",
    "2013-06-01 05:00:00.0 -00:00:00",
    "2013-06-01 07:00:00.0 +02:00:00",
    "2013-06-01T05:00:00.0 +00:00:00",
    "2013-06-01 05:00:00 +00:00:00",
    "05:00:00.00",
    "23:59:60",
    "-0.00",
    "01.50",
    "+1.50",
    ".50",
    "12.",
    "15e-1",
    "12",
    "-7",
    "1.2.3",
    "1.2.3.04",
    "2001:DB8::1",
    "0:0:0:0:0:0:0:1",
    "10.0.0.0/33",
    "12345678901234567890123456789012345678.9",
    "0.000000000000000000000000000000000000001",
    "67E55044-10B1-426F-9247-BB680E5FE0C8",
    "67e5504410b1426f9247bb680e5fe0c8",
    "67e55044-10b1-426f-9247-bb680e5fe0cg",
    "P14M",
    "PT90S",
    "PT6.50S",
    "P1W",
    "ünïcödé-texts-of-36-bytes-or-so-ünïc",
];

fn detect<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<LogicalShape> {
    let mut detector = LogicalDetector::new();
    for text in texts {
        let any = detector.push(text);
        assert_eq!(any, detector.logical().is_some(), "{text}");
    }
    assert_eq!(detector.shape().map(|shape| shape.logical), detector.logical());
    detector.shape()
}

/// Whether each text comes back from a file of the type.
fn comes_back(logical: LogicalShape, texts: &[&str]) -> bool {
    let schema = Shape::Logical(Box::new(logical)).to_avro();
    let mut writer = of_schema(&schema).build(Vec::new()).unwrap();
    if writer.write_all(rows(texts)).is_err() {
        return false;
    }
    let read: Vec<Row<String>> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
    read.iter().map(|row| row.v.as_str()).eq(texts.iter().copied())
}

fn shape(logical: Logical) -> LogicalShape {
    let storage = logical.storage().unwrap();
    LogicalShape::new(logical, storage).unwrap()
}

#[test]
fn styles_are_found() {
    use StringStyle::{Iso, Time};
    for (texts, expected) in [
        (&["2013-06-01 05:00:00.0 +00:00:00"][..], Some((Logical::TimestampMillis, Time))),
        (&["2013-06-01 05:00:00.125", "2013-06-01 05:00:00.0"], Some((Logical::LocalTimestampMillis, Time))),
        (&["05:00:00.0", "05:00:00.0025"], Some((Logical::TimeMicros, Time))),
        // In both styles.
        (&["05:00:00.125"], Some((Logical::TimeMillis, Iso))),
        (&["05:00:00.125", "05:00:00"], Some((Logical::TimeMillis, Iso))),
        (&["05:00:00.125", "05:00:00.0"], Some((Logical::TimeMillis, Time))),
        (&["05:00:00", "05:00:00.0"], None),
        (&["05:00:00.0", "05:00:00.125", "05:00:00.120"], None),
        (&["2013-06-01T05:00:00Z", "2013-06-01 05:00:00.0 +00:00:00"], None),
        (&["2013-06-01 05:00:00.0", "2013-06-01 05:00:00.0 +00:00:00"], None),
        (&["2013-06-01 05:00:00.0", "2013-06-01"], None),
    ] {
        let found = detect(texts.iter().copied()).map(|shape| (shape.logical, shape.style));
        assert_eq!(found, expected, "{texts:?}");
    }
}

#[test]
fn types_are_found() {
    let decimal = |precision, scale| Some(Logical::Decimal { precision, scale });
    for (texts, expected) in [
        (&["2013-06-01", "-0044-03-15"][..], Some(Logical::Date)),
        (&["05:00:00"], Some(Logical::TimeMillis)),
        (&["05:00:00", "05:00:00.000001", "05:00:00.250"], Some(Logical::TimeMicros)),
        (&["05:00:00.000000001"], Some(Logical::TimeNanos)),
        (&["2013-06-01T05:00:00Z"], Some(Logical::TimestampMillis)),
        (&["2013-06-01T05:00:00Z", "2013-06-01T05:00:00.000250Z"], Some(Logical::TimestampMicros)),
        (&["2013-06-01T05:00:00.000000250Z", "2013-06-01T05:00:00Z"], Some(Logical::TimestampNanos)),
        (&["2013-06-01T05:00:00"], Some(Logical::LocalTimestampMillis)),
        (&["2013-06-01T05:00:00.000250"], Some(Logical::LocalTimestampMicros)),
        (&["2013-06-01T05:00:00.000000250"], Some(Logical::LocalTimestampNanos)),
        (&["0.05"], decimal(2, 2)),
        (&["0.05", "-123.45", "1.00"], decimal(5, 2)),
        (&["67e55044-10b1-426f-9247-bb680e5fe0c8"], Some(Logical::Uuid)),
        (&["PT5M", "P1Y"], Some(Logical::Duration)),
        (&[], None),
        (&[""], None),
        (&["2013-06-01T05:00:00Z", "2013-06-01T05:00:00"], None),
        (&["2013-06-01", "2013-06-01T05:00:00Z"], None),
        (&["1.5", "1.50"], None),
        (&["10115", "80331"], None),
        // No unit has both.
        (&["2013-06-01T05:00:00.000000250Z", "0001-01-01T00:00:00Z"], None),
        (&["+99999999-01-01T00:00:00Z", "2013-06-01T05:00:00.000250Z"], None),
    ] {
        assert_eq!(detect(texts.iter().copied()).map(|shape| shape.logical), expected, "{texts:?}");
    }
}

#[test]
fn all_canonical_texts_have_a_type_and_no_others() {
    for text in CANONICAL {
        let logical = detect([text]).unwrap_or_else(|| panic!("{text} has a type"));
        assert!(comes_back(logical, &[text]), "{text}");
    }
    for text in OTHERS {
        assert_eq!(detect([text]), None, "{text:?}");
    }
}

#[test]
fn the_coarsest_unit_and_the_least_precision_are_found() {
    // With the next coarser unit, or a lesser precision, some text does not come back.
    for (texts, lesser) in [
        (&["05:00:00", "05:00:00.000001"][..], Logical::TimeMillis),
        (&["2013-06-01T05:00:00.000000250Z"], Logical::TimestampMicros),
        (&["0.05", "-123.45"], Logical::Decimal { precision: 4, scale: 2 }),
    ] {
        let logical = detect(texts.iter().copied()).unwrap();
        assert!(comes_back(logical, texts) && !comes_back(shape(lesser), texts), "{texts:?}");
    }
}

#[test]
fn nothing_comes_after_nothing() {
    let mut detector = LogicalDetector::default();
    assert!(detector.push("2013-06-01") && !detector.push("") && !detector.push("2013-06-01"));
    assert_eq!(detector.clone().logical(), None);
}

/// Some texts that are mostly alike.
fn pool() -> impl Strategy<Value = Vec<&'static str>> {
    let all = || select([&CANONICAL[..], &OTHERS].concat());
    let alike = (0..CANONICAL.len()).prop_flat_map(|first| {
        let last = (first + 5).min(CANONICAL.len());
        prop::collection::vec(select(&CANONICAL[first..last]), 0..8)
    });
    prop_oneof![3 => alike, 1 => prop::collection::vec(all(), 0..4)]
}

proptest! {
    #[test]
    fn parts_are_as_the_whole(texts in pool(), part in 1..4_usize) {
        let mut all = LogicalDetector::new();
        for texts in texts.chunks(part) {
            let mut detector = LogicalDetector::new();
            for text in texts {
                detector.push(text);
            }
            all.merge(&detector);
        }
        prop_assert_eq!(all.shape(), detect(texts.iter().copied()));
    }

    #[test]
    fn what_is_found_gives_each_text_back(texts in pool()) {
        if let Some(logical) = detect(texts.iter().copied()) {
            prop_assert!(comes_back(logical, &texts));
        } else if let Some(logical) = texts.first().and_then(|text| detect([*text])) {
            prop_assert!(!comes_back(logical, &texts) || matches!(texts.as_slice(), []));
        }
    }

    #[test]
    fn order_does_not_matter(texts in pool(), turn in 0..8_usize) {
        let mut other = texts.clone();
        other.rotate_left(turn % texts.len().max(1));
        prop_assert_eq!(detect(other.iter().copied()), detect(texts.iter().copied()));
        other.reverse();
        prop_assert_eq!(detect(other.iter().copied()), detect(texts.iter().copied()));
    }

    #[test]
    fn any_text_either_comes_back_or_has_no_type(
        text in "\\PC{0,40}|[-+0-9TZ:.PYMDHSe]{0,40}|P[0-9YMDTHS.]{1,12}|-?[0-9]{1,3}\\.[0-9]{1,3}|[0-9-]{10}",
    ) {
        if let Some(logical) = detect([text.as_str()]) {
            prop_assert!(comes_back(logical, &[&text]), "{}", text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn texts_near_canonical_ones_are_found_if_they_are(
        text in "(2013-0[0-2]-[0-3][0-9])?[T ]?(0[0-9]:[05][09](:[06][09](\\.[05]{1,10})?)?)?( ?(Z|z|[-+]00:00(:00)?))?|[+-]?2?0[0-9]{2}-01-01",
    ) {
        let found = detect([text.as_str()]);
        let all = [
            Logical::Date, Logical::TimeNanos, Logical::TimestampNanos, Logical::LocalTimestampNanos,
            Logical::TimestampMillis, Logical::LocalTimestampMillis,
        ];
        let is_canonical = all.into_iter().map(shape).any(|shape| {
            let spaced = shape.clone().with_style(StringStyle::Time);
            comes_back(shape, &[&text]) || spaced.is_ok_and(|shape| comes_back(shape, &[&text]))
        });
        prop_assert_eq!(found.is_some(), is_canonical, "{} {:?}", text, found);
        if let Some(logical) = found {
            prop_assert!(comes_back(logical, &[&text]), "{}", text);
        }
    }
}

#[test]
fn a_file_of_the_type_found_is_smaller() {
    let texts: Vec<String> = (0..5000)
        .map(|hour| format!("2013-{:02}-{:02}T{:02}:00:00Z", hour % 12 + 1, hour % 28 + 1, hour % 24))
        .collect();
    let texts = rows(&texts);
    let logical = detect(texts.iter().map(|row| row.v.as_str())).unwrap();
    let (plain, found) =
        (file(Writer::builder(), &texts), file(Writer::builder().logical("v", logical.logical), &texts));
    assert!(found.len() < plain.len(), "{} {}", found.len(), plain.len());
    assert_eq!(trevni::from_slice::<Vec<Row<String>>>(&found).unwrap(), texts);
}
