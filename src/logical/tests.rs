//! Strings of values, against those of other crates.

use super::{Parsed, Stored, Texts, Unit, Zone, decimal, ip};
use crate::shape::IpFamily;
use crate::shape::StringStyle::{Iso, Millis, Minutes, Space, Time};
use proptest::prelude::*;
use serde::Serialize;
use serde_json::Value;

const MILLIS: Texts = Texts::Timestamp(Unit::Millis, Zone::Utc, Iso);
const MICROS: Texts = Texts::Timestamp(Unit::Micros, Zone::Utc, Iso);
const NANOS: Texts = Texts::Timestamp(Unit::Nanos, Zone::Utc, Iso);
const LOCAL: Texts = Texts::Timestamp(Unit::Micros, Zone::Local, Iso);
const TIME: Texts = Texts::Time(Unit::Micros, Iso);
/// The styles of the `time` crate.
const SPACED: [Texts; 3] = [
    Texts::Timestamp(Unit::Nanos, Zone::Utc, Time),
    Texts::Timestamp(Unit::Nanos, Zone::Local, Time),
    Texts::Time(Unit::Nanos, Time),
];

const V6: Texts = Texts::Ip(ip::Form { family: IpFamily::V6, is_network: false });
const NETWORK: Texts = Texts::Ip(ip::Form { family: IpFamily::Any, is_network: true });

fn decimal(precision: u32, scale: u32) -> Texts {
    Texts::Decimal(decimal::Form { precision, scale, size: None })
}

fn fixed(precision: u32, scale: u32, size: usize) -> Texts {
    Texts::Decimal(decimal::Form { precision, scale, size: Some(size) })
}

fn text(texts: Texts, value: Stored<'_>) -> Option<String> {
    let mut out = String::new();
    texts.format(value, &mut out).then_some(out)
}

fn number(texts: Texts, text: &str) -> Option<i64> {
    match texts.parse(text, &mut Vec::new())? {
        Parsed::Int(value) => Some(value.into()),
        Parsed::Long(value) => Some(value),
        Parsed::Bytes => None,
    }
}

fn bytes(texts: Texts, text: &str) -> Option<Vec<u8>> {
    let mut bytes = vec![7];
    texts.parse(text, &mut bytes).map(|parsed| {
        assert_eq!(parsed, Parsed::Bytes);
        bytes
    })
}

/// The text of what is read of a text.
fn again(texts: Texts, read: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let value = match texts.parse(read, &mut bytes)? {
        Parsed::Int(value) => Stored::Int(value),
        Parsed::Long(value) => Stored::Long(value),
        Parsed::Bytes => Stored::Bytes(&bytes),
    };
    Some(text(texts, value).expect("what is read has a text"))
}

#[test]
fn instants_have_the_texts_of_rfc_3339() {
    for (value, expected) in [
        (0, "1970-01-01T00:00:00Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (1_500_000, "1970-01-01T00:00:01.500Z"),
        (1_000_001, "1970-01-01T00:00:01.000001Z"),
        (951_782_400_000_000, "2000-02-29T00:00:00Z"),
        (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
        (253_402_300_800_000_000, "+10000-01-01T00:00:00Z"),
        (-62_167_219_200_000_000, "0000-01-01T00:00:00Z"),
        (-62_167_219_200_000_001, "-0001-12-31T23:59:59.999999Z"),
    ] {
        assert_eq!(text(MICROS, Stored::Long(value)).as_deref(), Some(expected));
        assert_eq!(number(MICROS, expected), Some(value), "{expected}");
    }
    for value in [i64::MIN, i64::MAX] {
        for texts in [MILLIS, MICROS, NANOS] {
            let text = text(texts, Stored::Long(value)).unwrap();
            assert_eq!(number(texts, &text), Some(value), "{text}");
        }
    }
}

#[test]
fn other_texts_of_an_instant_are_read() {
    let value = number(MICROS, "2013-06-01T05:00:00Z");
    assert_eq!(value, Some(1_370_062_800_000_000));
    for other in [
        "2013-06-01T07:00:00+02:00",
        "2013-05-31T23:30:00-05:30",
        "2013-06-01 05:00:00z",
        "2013-06-01t05:00Z",
        "2013-06-01T05:00:00.0Z",
        "2013-06-01T05:00:00.000000000000Z",
        "+2013-06-01T05:00:00+00:00",
    ] {
        assert_eq!(number(MICROS, other), value, "{other}");
        assert_eq!(again(MICROS, other).as_deref(), Some("2013-06-01T05:00:00Z"));
    }
}

#[test]
fn what_is_no_instant_is_refused() {
    for wrong in [
        "",
        "Z",
        "2013-06-01",
        "2013-06-01T05:00:00",
        "2013-06-01T05:00:00ZZ",
        "2013-02-29T05:00:00Z",
        "1900-02-29T05:00:00Z",
        "2013-13-01T05:00:00Z",
        "2013-00-01T05:00:00Z",
        "2013-06-00T05:00:00Z",
        "2013-06-31T05:00:00Z",
        "2013-06-01T24:00:00Z",
        "2013-06-01T23:59:60Z",
        "2013-06-01T23:60:00Z",
        "2013-06-01T05:00:00.Z",
        "2013-06-01T05:00:00.1234567Z",
        "2013-6-1T05:00:00Z",
        "13-06-01T05:00:00Z",
        "2013-06-01T05:00:00+24:00",
        "2013-06-01T05:00:00+0200",
        "2013-06-01T05:00:00 Z",
        " 2013-06-01T05:00:00Z",
        "٢٠١٣-06-01T05:00:00Z",
        "+999999999-01-01T00:00:00Z",
        "+1234567890-01-01T00:00:00Z",
        "+-13-06-01T05:00:00Z",
        "2013-06-01T+5:00:00Z",
        "2013-06-01T05:00:00,5Z",
    ] {
        assert_eq!(number(MICROS, wrong), None, "{wrong}");
    }
    assert_eq!(number(NANOS, "2013-06-01T05:00:00.123456789Z"), Some(1_370_062_800_123_456_789));
    assert_eq!(number(NANOS, "2262-04-11T23:47:16.854775807Z"), Some(i64::MAX));
    assert_eq!(number(NANOS, "2262-04-11T23:47:16.854775808Z"), None);
    assert_eq!(number(LOCAL, "2013-06-01T05:00:00"), Some(1_370_062_800_000_000));
    assert_eq!(number(LOCAL, "2013-06-01T05:00:00Z"), None);
}

#[test]
fn strings_of_the_time_crate_are_read() {
    let value = number(MICROS, "2013-06-01T05:00:00.250Z");
    for string in [
        "2013-06-01 05:00:00.25 +00:00:00",
        "2013-06-01 05:00:00.25 -00:00:00",
        "2013-06-01 07:00:00.25 +02:00:00",
        "2013-05-31 23:59:59.25 -05:00:01",
        "2013-06-01T05:00:00.25 +00:00",
    ] {
        assert_eq!(number(MICROS, string), value, "{string}");
    }
    for wrong in [
        "2013-06-01 05:00:00.0 +00:00:60",
        "2013-06-01 05:00:00.0 +00:00:",
        "2013-06-01 05:00:00.0 +00:00:00 ",
        "2013-06-01 05:00:00.0  +00:00:00",
        "2013-06-01 05:00:00.0 ",
        "2013-06-01 05:00:00. +00:00:00",
    ] {
        assert_eq!(number(MICROS, wrong), None, "{wrong}");
    }
}

#[test]
fn styles_have_one_string_for_each_value() {
    let [instant, local, time] = SPACED;
    for (texts, string) in [
        (instant, "2013-06-01 05:00:00.0 +00:00:00"),
        (instant, "1969-12-31 23:59:59.000000001 +00:00:00"),
        (Texts::Timestamp(Unit::Millis, Zone::Utc, Time), "-0044-03-15 12:00:00.05 +00:00:00"),
        (Texts::Timestamp(Unit::Micros, Zone::Utc, Time), "+10000-01-01 00:00:00.12345 +00:00:00"),
        (local, "2013-06-01 05:00:00.1"),
        (time, "23:59:59.999999999"),
        (time, "00:00:00.0"),
    ] {
        assert_eq!(again(texts, string).as_deref(), Some(string));
    }
    assert_eq!(again(instant, "2013-06-01T05:00:00.250Z").unwrap(), "2013-06-01 05:00:00.25 +00:00:00");
    assert_eq!(again(MICROS, "2013-06-01 05:00:00.25 +00:00:00").unwrap(), "2013-06-01T05:00:00.250Z");
    assert_eq!(text(time, Stored::Long(-1)), None);
    for (style, [instant, local, time]) in [
        (Iso, ["2013-06-01T05:00:00Z", "2013-06-01T05:00:00", "05:00:00"]),
        (Space, ["2013-06-01 05:00:00+00:00", "2013-06-01 05:00:00", "05:00:00"]),
        (Space, ["2013-06-01 05:00:07.250+00:00", "2013-06-01 05:00:07.250", "05:00:07.250"]),
        (Minutes, ["2013-06-01 05:00+00:00", "2013-06-01 05:00", "05:00"]),
        (Minutes, ["2013-06-01 05:00:07+00:00", "2013-06-01 05:00:00.250", "05:00:00.250"]),
        (Millis, ["2013-06-01T05:00:00.000Z", "2013-06-01T05:00:00.000", "05:00:00.000"]),
        (Millis, ["2013-06-01T05:00:00.250Z", "2013-06-01T05:00:00.250125", "05:00:00.250125"]),
        (Millis, ["-0044-03-15T05:00:07.000Z", "+10000-01-01T05:00:00.000", "05:00:07.000"]),
    ] {
        for (texts, string) in [
            (Texts::Timestamp(Unit::Micros, Zone::Utc, style), instant),
            (Texts::Timestamp(Unit::Micros, Zone::Local, style), local),
            (Texts::Time(Unit::Micros, style), time),
        ] {
            assert_eq!(again(texts, string).as_deref(), Some(string));
        }
    }
}

/// The string that a value is to serde.
fn string(value: impl Serialize) -> String {
    let Value::String(string) = serde_json::to_value(value).unwrap() else { panic!("no string") };
    string
}

#[test]
fn only_one_text_is_canonical() {
    for (texts, canonical) in [
        (MICROS, "2013-06-01T05:00:00.500Z"),
        (LOCAL, "2013-06-01T05:00:00"),
        (TIME, "23:59:59.999999"),
        (Texts::Date, "-0044-03-15"),
        (Texts::Uuid, "67e55044-10b1-426f-9247-bb680e5fe0c8"),
        (Texts::Duration, "P1Y2M3DT4H5M6.78S"),
        (Texts::Duration, "PT0S"),
        (V6, "2001:db8::1"),
        (V6, "::ffff:1.2.3.4"),
        (NETWORK, "10.0.0.1/8"),
        (NETWORK, "::/0"),
        (decimal(9, 2), "-1.50"),
        (decimal(9, 2), "0.00"),
        (decimal(9, 2), "-0.01"),
        (decimal(9, 0), "7"),
    ] {
        assert_eq!(again(texts, canonical).as_deref(), Some(canonical));
    }
    for (texts, other) in [
        (MICROS, "2013-06-01T05:00:00.5Z"),
        (MICROS, "2013-06-01T05:00:00+00:00"),
        (TIME, "05:00"),
        (TIME, "05:00:00.0"),
        (Texts::Date, "-0000-03-15"),
        (Texts::Date, "+2013-03-15"),
        (Texts::Uuid, "67E55044-10B1-426F-9247-BB680E5FE0C8"),
        (Texts::Uuid, "67e5504410b1426f9247bb680e5fe0c8"),
        (Texts::Duration, "P14M"),
        (Texts::Duration, "P1W"),
        (Texts::Duration, "PT90S"),
        (Texts::Duration, "PT6.780S"),
        (V6, "2001:DB8::1"),
        (V6, "2001:db8:0::1"),
        (NETWORK, "0:0::/0"),
        (decimal(9, 2), "1.5"),
        (decimal(9, 2), "-0.00"),
        (decimal(9, 2), "-0"),
        (decimal(9, 2), "01.50"),
        (decimal(9, 2), "+1.50"),
        (decimal(9, 2), ".50"),
        (decimal(9, 2), "15e-1"),
        (decimal(9, 2), "1.500"),
    ] {
        let again = again(texts, other).unwrap_or_else(|| panic!("{other} is read"));
        assert_ne!(again, other);
    }
}

#[test]
fn values_without_a_text_have_none() {
    assert_eq!(text(TIME, Stored::Long(-1)), None);
    assert_eq!(text(TIME, Stored::Long(86_400_000_000)), None);
    assert_eq!(text(Texts::Time(Unit::Nanos, Iso), Stored::Long(i64::MAX)), None);
    assert_eq!(text(Texts::Time(Unit::Millis, Iso), Stored::Int(i32::MIN)), None);
    assert_eq!(text(Texts::Uuid, Stored::Bytes(&[0; 15])), None);
    assert_eq!(text(Texts::Duration, Stored::Bytes(&[0; 13])), None);
    assert_eq!(text(V6, Stored::Bytes(&[0; 15])), None);
    assert_eq!(text(NETWORK, Stored::Bytes(&[])), None);
    assert_eq!(text(NETWORK, Stored::Bytes(&[4])), None);
    assert_eq!(text(NETWORK, Stored::Bytes(&[4; 18])), None);
    assert_eq!(text(decimal(9, 2), Stored::Bytes(&[])), None);
    assert_eq!(text(decimal(9, 2), Stored::Bytes(&[1; 2000])), None);
    assert_eq!(text(decimal(u32::MAX, u32::MAX), Stored::Bytes(&[1])), None);
    assert_eq!(text(Texts::Date, Stored::Bytes(&[1])), None);
    assert_eq!(text(Texts::Uuid, Stored::Long(1)), None);
    assert!(text(Texts::Date, Stored::Int(i32::MIN)).unwrap().starts_with("-5877641-"));
    assert!(text(Texts::Date, Stored::Long(i64::MAX)).is_some());
}

#[test]
fn decimals_are_as_short_as_they_may_be() {
    for (read, expected) in [
        ("0", vec![0]),
        ("1.27", vec![127]),
        ("1.28", vec![0, 128]),
        ("-1.28", vec![128]),
        ("-1.29", vec![255, 127]),
        ("655.36", vec![1, 0, 0]),
        ("42949672.96", vec![1, 0, 0, 0, 0]),
        ("-0.01", vec![255]),
    ] {
        assert_eq!(bytes(decimal(20, 2), read), Some(expected), "{read}");
    }
    assert_eq!(bytes(fixed(5, 2, 4), "-1.29"), Some(vec![255, 255, 255, 127]));
    assert_eq!(bytes(fixed(20, 2, 2), "327.68"), None);
    assert_eq!(bytes(fixed(20, 2, 2), "-327.68"), Some(vec![128, 0]));
    for wrong in ["", "-", ".", "1e", "1.5.", "1.505", "1234567.00", "0x1", "1e99999999", "1e-9", "NaN"] {
        assert_eq!(bytes(decimal(8, 2), wrong), None, "{wrong}");
    }
    assert_eq!(bytes(decimal(8, 2), "0e999999999"), Some(vec![0]));
    assert_eq!(bytes(decimal(u32::MAX, 2), "1e999999999"), None);
}

#[test]
fn durations_are_months_days_and_milliseconds() {
    let parts = |read: &str| {
        let bytes = bytes(Texts::Duration, read)?;
        let mut numbers = bytes.chunks(4).map(|number| u32::from_le_bytes(number.try_into().unwrap()));
        Some([numbers.next()?, numbers.next()?, numbers.next()?])
    };
    assert_eq!(parts("P1Y2M3DT4H5M6.789S"), Some([14, 3, 14_706_789]));
    assert_eq!(parts("P2W1DT0.5S"), Some([0, 15, 500]));
    assert_eq!(parts("PT49H"), Some([0, 0, 49 * 3_600_000]));
    for wrong in [
        "",
        "P",
        "PT",
        "P1",
        "P1DT",
        "1D",
        "-P1D",
        "P-1D",
        "P1M1Y",
        "P1H",
        "PT1D",
        "PT1.5H",
        "PT0.0001S",
        "P4294967296D",
        "PT4294968S",
        "P1D1D",
        "PT1S ",
    ] {
        assert_eq!(parts(wrong), None, "{wrong}");
    }
    let most = [u8::MAX; 12];
    let longest = text(Texts::Duration, Stored::Bytes(&most)).unwrap();
    assert_eq!(longest, "P357913941Y3M4294967295DT1193H2M47.295S");
    assert_eq!(bytes(Texts::Duration, &longest), Some(most.to_vec()));
}

proptest! {
    #[test]
    fn dates_are_those_of_chrono_and_jiff(days in -95_000_000..95_000_000_i32) {
        let own = text(Texts::Date, Stored::Int(days)).unwrap();
        prop_assert_eq!(number(Texts::Date, &own), Some(days.into()));
        let epoch = chrono::NaiveDate::from_ymd_opt(1970, 1, 1).unwrap();
        let date = epoch.checked_add_signed(chrono::TimeDelta::days(days.into())).unwrap();
        prop_assert_eq!(&own, &format!("{date:?}"));
        let epoch = jiff::civil::date(1970, 1, 1);
        if let Ok(date) = epoch.checked_add(jiff::SignedDuration::from_hours(i64::from(days) * 24))
            && date.year() >= 0
        {
            prop_assert_eq!(&own, &date.to_string());
        }
    }

    #[test]
    fn instants_are_those_of_chrono(micros in any::<i64>(), shift in 0..40_u32) {
        let micros = micros >> shift;
        let own = text(MICROS, Stored::Long(micros)).unwrap();
        prop_assert_eq!(number(MICROS, &own), Some(micros));
        if let Some(instant) = chrono::DateTime::from_timestamp_micros(micros) {
            prop_assert_eq!(serde_json::json!(own), serde_json::to_value(instant).unwrap());
            let local = text(LOCAL, Stored::Long(micros)).unwrap();
            prop_assert_eq!(serde_json::json!(local), serde_json::to_value(instant.naive_utc()).unwrap());
        }
        if let Ok(instant) = jiff::Timestamp::from_microsecond(micros)
            && !own.starts_with('-')
        {
            prop_assert_eq!(own.parse::<jiff::Timestamp>().unwrap(), instant);
        }
    }

    #[test]
    fn what_is_read_is_what_chrono_reads(
        date in "(20[01][0-9]|1900|-0001|0000)-(0[0-9]|1[0-3])-(0[1-9]|[12][0-9]|3[0-2])",
        time in "([01][0-9]|2[0-4]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?",
        zone in "Z|[+-](0[0-9]|1[0-2]):[0-5][0-9]",
    ) {
        let read = format!("{date}T{time}{zone}");
        let expected = chrono::DateTime::parse_from_rfc3339(&read).ok();
        if !date.starts_with('-') {
            prop_assert_eq!(number(MICROS, &read), expected.map(|instant| instant.timestamp_micros()));
        }
    }

    #[test]
    fn strings_of_instants_are_those_of_time(nanos in any::<i64>(), shift in 0..40_u32, zeros in 0..9_u32, offset in -86_399..86_400_i32) {
        let nanos = (nanos >> shift) / 10_i64.pow(zeros) * 10_i64.pow(zeros);
        let instant = time::OffsetDateTime::from_unix_timestamp_nanos(nanos.into()).unwrap();
        let plain = time::PrimitiveDateTime::new(instant.date(), instant.time());
        let of_day = (instant - instant.replace_time(time::Time::MIDNIGHT)).whole_nanoseconds() as i64;
        let [utc, local, time] = SPACED;
        for (texts, value, expected) in [
            (utc, nanos, string(instant)),
            (local, nanos, string(plain)),
            (time, of_day, string(instant.time())),
        ] {
            prop_assert_eq!(text(texts, Stored::Long(value)), Some(expected.clone()));
            prop_assert_eq!(number(texts, &expected), Some(value));
        }
        let elsewhere = string(instant.to_offset(time::UtcOffset::from_whole_seconds(offset).unwrap()));
        prop_assert_eq!(number(NANOS, &elsewhere), Some(nanos), "{}", elsewhere);
    }

    #[test]
    fn decimals_are_those_of_i128(value in any::<i128>(), shift in 0..127_u32, scale in 0..38_u32) {
        let value: i128 = value >> shift;
        let own = text(decimal(39, scale), Stored::Bytes(&value.to_be_bytes())).unwrap();
        let unscaled: i128 = own.replace('.', "").parse().unwrap();
        prop_assert_eq!(unscaled, value);
        prop_assert_eq!(own.split_once('.').map_or(0, |(_, fraction)| fraction.len()), scale as usize);
        let short = bytes(decimal(39, scale), &own).unwrap();
        let sign = if value < 0 { 255 } else { 0 };
        let mut long = vec![sign; 16 - short.len()];
        long.extend(&short);
        prop_assert_eq!(&long, &value.to_be_bytes());
        let is_shorter = short.len() > 1 && short[0] == sign && short[1] >> 7 == sign >> 7;
        prop_assert!(!is_shorter);
        prop_assert_eq!(bytes(fixed(39, scale, 16), &own), Some(long));
    }

    #[test]
    fn decimals_of_any_length_come_back(read in "-?[1-9][0-9]{0,300}\\.[0-9]{7}") {
        prop_assert_eq!(again(decimal(400, 7), &read), Some(read));
    }

    #[test]
    fn uuids_are_those_of_uuid(value in any::<u128>()) {
        let expected = ::uuid::Uuid::from_u128(value);
        let own = text(Texts::Uuid, Stored::Bytes(&value.to_be_bytes())).unwrap();
        prop_assert_eq!(&own, &expected.to_string());
        prop_assert_eq!(bytes(Texts::Uuid, &own), Some(value.to_be_bytes().to_vec()));
        prop_assert_eq!(bytes(Texts::Uuid, &own.to_uppercase()), Some(value.to_be_bytes().to_vec()));
        prop_assert_eq!(bytes(Texts::Uuid, &expected.simple().to_string()), Some(value.to_be_bytes().to_vec()));
    }

    #[test]
    fn durations_come_back(parts in any::<[u32; 3]>(), shift in 0..31_u32) {
        let value: Vec<u8> = parts.iter().flat_map(|part| (part >> shift).to_le_bytes()).collect();
        let own = text(Texts::Duration, Stored::Bytes(&value)).unwrap();
        prop_assert_eq!(bytes(Texts::Duration, &own), Some(value));
        if shift > 16 {
            let span: jiff::Span = own.parse().unwrap();
            prop_assert_eq!(span.to_string(), own);
        }
    }

    #[test]
    fn no_text_fails_otherwise(read in "\\PC{0,40}|[-+0-9TZ:.PYMDHSeE]{0,40}|[0-9a-f:./]{0,20}") {
        for texts in [MILLIS, NANOS, LOCAL, TIME, Texts::Date, Texts::Uuid, Texts::Duration, V6, NETWORK, decimal(30, 9)] {
            if let Some(canonical) = again(texts, &read) {
                prop_assert_eq!(again(texts, &canonical), Some(canonical));
            }
        }
    }

    #[test]
    fn no_value_fails(value in any::<i64>(), stored in proptest::collection::vec(any::<u8>(), 0..40)) {
        for texts in [MILLIS, NANOS, LOCAL, TIME, Texts::Date, Texts::Uuid, Texts::Duration, V6, NETWORK, decimal(30, 9)] {
            text(texts, Stored::Long(value));
            text(texts, Stored::Int(value as i32));
            text(texts, Stored::Bytes(&stored));
        }
    }
}
