//! Strings of the `time` crate, which has a style of its own.

use super::detect::{formats, logical_at};
use super::{Row, file, rows};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};
use time::macros::datetime;
use time::{Date, OffsetDateTime, PrimitiveDateTime, Time, UtcDateTime, UtcOffset};
use trevni::merge::Merge;
use trevni::shape::{Logical, LogicalShape, StringStyle};
use trevni::{Dataset, Reader, Shape, Writer, WriterBuilder, col};

/// What the `time` crate has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Visit {
    at: OffsetDateTime,
    local: Option<PrimitiveDateTime>,
    utc: UtcDateTime,
    day: Date,
    opens: Time,
    stays: Vec<Option<Time>>,
}

fn instant(nanos: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp_nanos(nanos.into()).unwrap()
}

/// A visit at some nanoseconds.
fn visit(nanos: i64) -> Visit {
    let at = instant(nanos);
    let local = PrimitiveDateTime::new(at.date(), at.time());
    let stays = (0..nanos.rem_euclid(4)).map(|stay| (stay != 1).then(|| at.time())).collect();
    Visit {
        at,
        local: (nanos % 3 != 0).then_some(local),
        utc: UtcDateTime::from_unix_timestamp_nanos(nanos.into()).unwrap(),
        day: at.date(),
        opens: at.time(),
        stays,
    }
}

/// The shape of the field of rows.
fn shape_of(bytes: &[u8]) -> Shape {
    match Reader::from_slice(bytes).unwrap().shape() {
        Shape::Record(record) => record.fields[0].shape.clone(),
        other => other.clone(),
    }
}

/// The logical type and the style of the field of rows.
fn found(bytes: &[u8]) -> Option<(Logical, StringStyle)> {
    match shape_of(bytes) {
        Shape::Logical(logical) => Some((logical.logical.clone(), logical.style)),
        _ => None,
    }
}

fn spaced(logical: Logical) -> LogicalShape {
    let storage = logical.storage().unwrap();
    LogicalShape::new(logical, storage).unwrap().with_style(StringStyle::Time).unwrap()
}

fn strings(bytes: &[u8]) -> Vec<String> {
    trevni::from_slice::<Vec<Row<String>>>(bytes).unwrap().into_iter().map(|row| row.v).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn types_of_the_time_crate_are_detected_and_come_back(
        numbers in prop::collection::vec((any::<i64>(), 0..30_u32, 0..10_u32), 1..30),
        batch_rows in 1..40_usize,
    ) {
        let exact = |(nanos, shift, zeros): (i64, u32, u32)| (nanos >> shift) / 10_i64.pow(zeros) * 10_i64.pow(zeros);
        let visits: Vec<Visit> = numbers.into_iter().map(exact).map(visit).collect();
        for builder in formats() {
            let bytes = file(builder.detect_logical().batch_rows(batch_rows), &visits);
            prop_assert_eq!(&trevni::from_slice::<Vec<Visit>>(&bytes).unwrap(), &visits);
            prop_assert_eq!(trevni::from_slice::<Value>(&bytes).unwrap(), serde_json::to_value(&visits).unwrap());
            let reader = Reader::from_slice(&bytes).unwrap();
            for (name, kind) in [("at", "timestamp-"), ("utc", "local-timestamp-"), ("day", "date"), ("opens", "time-")] {
                let logical = logical_at(reader.shape(), &[name]).unwrap();
                prop_assert!(logical.name().starts_with(kind), "{} {}", name, logical);
            }
        }
    }

    #[test]
    fn types_of_the_time_crate_are_what_logical_says(numbers in prop::collection::vec(any::<i64>(), 1..20)) {
        // The first string says that times of day are those of the crate.
        let micros: Vec<i64> = std::iter::once(0).chain(numbers).map(|nanos| nanos / 1000 * 1000).collect();
        let visits: Vec<Visit> = micros.into_iter().map(visit).collect();
        for builder in formats() {
            let builder = builder
                .logical("at", Logical::TimestampMicros)
                .logical("utc", Logical::LocalTimestampMicros)
                .logical("opens", Logical::TimeMicros)
                .logical("day", Logical::Date);
            let bytes = file(builder, &visits);
            prop_assert_eq!(&trevni::from_slice::<Vec<Visit>>(&bytes).unwrap(), &visits);
        }
    }
}

#[test]
fn detected_columns_are_smaller_and_say_what_they_are() {
    let at: Vec<_> = (0..2000).map(|n| instant(1_370_062_800_000_000_000 + n * 3_600_250_000_000)).collect();
    for builder in formats() {
        let plain = file(builder.clone(), &rows(&at));
        let bytes = file(builder.detect_logical(), &rows(&at));
        assert!(bytes.len() < plain.len(), "{} {}", bytes.len(), plain.len());
        assert_eq!(found(&bytes), Some((Logical::TimestampMillis, StringStyle::Time)));
        let schema = r#"{"type":"long","logicalType":"timestamp-millis","serde":"time"}"#;
        assert_eq!(shape_of(&bytes).to_avro(), schema);
        assert_eq!(trevni::from_slice::<Vec<Row<OffsetDateTime>>>(&bytes).unwrap(), rows(&at));
        let reader = Reader::from_slice(&bytes).unwrap();
        assert_eq!(reader.column::<String>("v").unwrap(), strings(&plain));
        assert_eq!(reader.column::<i64>("v").unwrap()[0], 1_370_062_800_000);
    }
}

#[test]
fn a_later_string_changes_unit_style_or_both() {
    use StringStyle::{Iso, Time};
    for (first, second, expected) in [
        (
            "2013-06-01 05:00:00.0 +00:00:00",
            "2013-06-01 05:00:00.25 +00:00:00",
            Some((Logical::TimestampMillis, Time)),
        ),
        (
            "2013-06-01 05:00:00.0 +00:00:00",
            "2013-06-01 05:00:00.0000001 +00:00:00",
            Some((Logical::TimestampNanos, Time)),
        ),
        ("2013-06-01 05:00:00.0", "2013-06-01 05:00:00.00025", Some((Logical::LocalTimestampMicros, Time))),
        ("05:00:00.0", "05:00:00.123456", Some((Logical::TimeMicros, Time))),
        // The first may be both.
        ("05:00:00.123", "05:00:00.5", Some((Logical::TimeMillis, Time))),
        ("05:00:00.123", "05:00:00.00005", Some((Logical::TimeMicros, Time))),
        ("05:00:00.123", "05:00:00", Some((Logical::TimeMillis, Iso))),
        ("05:00:00.123", "05:00:00.123456", Some((Logical::TimeMicros, Iso))),
        ("05:00:00.0", "05:00:00", None),
        ("05:00:00.0", "05:00:00.120", None),
        ("2013-06-01 05:00:00.0 +00:00:00", "2013-06-01T05:00:00Z", None),
        ("2013-06-01T05:00:00Z", "2013-06-01 05:00:00.0 +00:00:00", None),
        ("2013-06-01 05:00:00.0 +00:00:00", "2013-06-01 07:00:00.0 +02:00:00", None),
        ("2013-06-01 05:00:00.0 +00:00:00", "2013-06-01 05:00:00.0", None),
        ("2013-06-01 05:00:00.0 +00:00:00", "soon", None),
    ] {
        for builder in formats() {
            for good in [1, 10, 300] {
                let mut all = vec![first; good];
                all.extend([second, first].repeat(6));
                let builder = builder.clone().detect_logical().batch_rows(10).block_size(50);
                let bytes = file(builder, &rows(&all));
                assert_eq!(found(&bytes), expected, "{first} {second}");
                assert_eq!(strings(&bytes), all);
                let reader = Reader::from_slice(&bytes).unwrap();
                let matching = reader.filter(col("v").eq(second)).unwrap().matching().unwrap();
                assert_eq!(matching.row_count(), 6, "{second}");
            }
        }
    }
}

#[test]
fn years_have_the_signs_of_iso_8601() {
    let at = [
        datetime!(-0044-03-15 12:00 UTC),
        datetime!(0000-01-01 00:00:00.5 UTC),
        datetime!(9999-12-31 23:59:59.25 UTC),
    ];
    let days = at.map(OffsetDateTime::date);
    let expected = [
        "-0044-03-15 12:00:00.0 +00:00:00",
        "0000-01-01 00:00:00.5 +00:00:00",
        "9999-12-31 23:59:59.25 +00:00:00",
    ];
    for builder in formats() {
        let bytes = file(builder.clone().detect_logical(), &rows(&at));
        assert_eq!(found(&bytes), Some((Logical::TimestampMillis, StringStyle::Time)));
        assert_eq!(strings(&bytes), expected);
        assert_eq!(trevni::from_slice::<Vec<Row<OffsetDateTime>>>(&bytes).unwrap(), rows(&at));
        let bytes = file(builder.detect_logical(), &rows(&days));
        assert_eq!(found(&bytes), Some((Logical::Date, StringStyle::Iso)));
        assert_eq!(trevni::from_slice::<Vec<Row<Date>>>(&bytes).unwrap(), rows(&days));
    }
}

#[test]
fn marked_numbers_are_values_of_a_column_of_any_style() {
    #[derive(Serialize)]
    struct Marked {
        #[serde(with = "trevni::with::timestamp_micros")]
        v: i64,
    }
    let [string, number] = ["2013-06-01 05:00:00.25 +00:00:00", "2013-06-01 05:00:00.0 +00:00:00"];
    for builder in formats() {
        let mut writer = builder.logical("v", Logical::TimestampMillis).build(Vec::new()).unwrap();
        for _ in 0..3 {
            writer.write(&Row { v: string }).unwrap();
            writer.write(&Marked { v: 1_370_062_800_000_000 }).unwrap();
        }
        assert_eq!(strings(&writer.finish().unwrap()), [string, number].repeat(3));
    }
}

#[test]
fn a_row_group_that_is_written_may_have_another_style() {
    let mut all = vec!["05:00:00.123"; 1000];
    all.push("05:00:00.0");
    let redelm = Writer::builder().dialect(trevni::Dialect::RedElm).detect_logical();
    let bytes = file(redelm.batch_rows(10).memory_limit(500), &rows(&all));
    assert_eq!(found(&bytes), Some((Logical::TimeMillis, StringStyle::Time)));
    assert_eq!(strings(&bytes), all);
}

fn dataset(files: &[Vec<u8>]) -> Dataset<'_> {
    Dataset::from_readers(files.iter().map(|file| Reader::from_slice(file).unwrap()).collect()).unwrap()
}

fn detected(all: &[&str]) -> Vec<u8> {
    file(Writer::builder().detect_logical(), &rows(all))
}

#[test]
fn parts_of_two_styles_are_strings_together() {
    let own = ["2013-06-01 05:00:00.0 +00:00:00", "2013-06-01 06:00:00.5 +00:00:00"];
    let finer = ["2013-06-01 05:00:00.00025 +00:00:00"];
    let iso = ["2013-06-01T05:00:00Z"];
    for (parts, expected) in [
        (vec![&own[..], &finer[..]], Shape::Logical(Box::new(spaced(Logical::TimestampMicros)))),
        (vec![&own[..], &iso[..]], Shape::String),
        (vec![&iso[..], &finer[..], &own[..]], Shape::String),
    ] {
        let files: Vec<_> = parts.iter().map(|part| detected(part)).collect();
        let together = dataset(&files);
        let Shape::Record(record) = together.shape() else { panic!("{}", together.shape()) };
        assert_eq!(record.fields[0].shape, expected);
        let all = parts.concat();
        assert_eq!(together.column::<String>("v").unwrap(), all);
        let read: Vec<Row<String>> = together.rows().unwrap().map(Result::unwrap).collect();
        assert_eq!(read, rows(&all.iter().map(|string| (*string).to_owned()).collect::<Vec<_>>()));
        for string in &all {
            let matching = together.filter(col("v").eq(*string)).unwrap().matching().unwrap().row_count();
            assert_eq!(matching, 1, "{string}");
        }
        let readers: Vec<_> = files.iter().map(|file| Reader::from_slice(file).unwrap()).collect();
        let mut merged = Vec::new();
        Merge::new().write(&readers, &mut merged).unwrap();
        assert_eq!(
            (strings(&merged), shape_of(&merged)),
            (all.iter().map(|s| (*s).to_owned()).collect(), expected)
        );
    }
    let files = [detected(&own), detected(&iso)];
    let readers = files.each_ref().map(|file| Reader::from_slice(file).unwrap());
    let mut merged = Vec::new();
    Merge::new().promote().write(&readers, &mut merged).unwrap();
    assert_eq!(strings(&merged), [own[0], own[1], iso[0]]);
}

#[test]
fn values_are_numbers_to_types_that_ask_for_numbers() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Marked {
        #[serde(with = "trevni::with::timestamp_micros")]
        v: SystemTime,
    }
    let bytes = detected(&["2013-06-01 05:00:00.25 +00:00:00"]);
    let read: Vec<Row<i64>> = trevni::from_slice(&bytes).unwrap();
    assert_eq!(read, rows(&[1_370_062_800_250_i64]));
    let v = SystemTime::UNIX_EPOCH + Duration::from_millis(1_370_062_800_250);
    assert_eq!(trevni::from_slice::<Vec<Marked>>(&bytes).unwrap(), [Marked { v }]);
    // Marked numbers have no strings of their own: beside these, they are what they were.
    let files = [bytes, file(Writer::builder(), &[Marked { v }])];
    let read: Vec<Marked> = dataset(&files).rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(read, [Marked { v }, Marked { v }]);
}

#[test]
fn literals_may_have_any_style() {
    for all in [
        ["2013-06-01 05:00:00.0 +00:00:00", "2013-06-01 06:00:00.5 +00:00:00"],
        ["2013-06-01T05:00:00Z", "2013-06-01T06:00:00.500Z"],
    ] {
        let bytes = detected(&all);
        for literal in
            ["2013-06-01 06:00:00.5 +00:00:00", "2013-06-01 08:00:00.5 +02:00:00", "2013-06-01T06:00:00.5Z"]
        {
            let reader = Reader::from_slice(&bytes).unwrap().filter(col("v").ge(literal)).unwrap();
            assert_eq!(reader.column::<String>("v").unwrap(), [all[1]], "{literal}");
        }
    }
}

#[test]
fn the_first_string_says_the_style_at_a_path_of_logical() {
    let at = instant(1_370_062_800_250_000_000);
    let all = [at.to_offset(UtcOffset::from_hms(2, 0, 0).unwrap()), at];
    for builder in formats() {
        let bytes = file(builder.clone().logical("v", Logical::TimestampMicros), &rows(&all));
        assert_eq!(found(&bytes), Some((Logical::TimestampMicros, StringStyle::Time)));
        assert_eq!(strings(&bytes), ["2013-06-01 05:00:00.25 +00:00:00"; 2]);
        assert_eq!(trevni::from_slice::<Vec<Row<OffsetDateTime>>>(&bytes).unwrap(), rows(&[at, at]));
        // Later ones are read, whatever their style.
        let mixed = ["2013-06-01T07:00:00+02:00", "2013-06-01 05:00:00.0 +00:00:00"];
        let bytes = file(builder.logical("v", Logical::TimestampMicros), &rows(&mixed));
        assert_eq!(strings(&bytes), ["2013-06-01T05:00:00Z"; 2]);
    }
}

fn given(logical: LogicalShape) -> Shape {
    Shape::record("Row", [("v", Shape::Logical(Box::new(logical)))])
}

#[test]
fn a_given_shape_has_its_style() {
    let at = instant(1_370_062_800_250_000_000);
    let shape = given(spaced(Logical::TimestampMicros));
    let check = |builder: WriterBuilder| {
        let mut writer = builder.build(Vec::new()).unwrap();
        writer.write(&Row { v: at }).unwrap();
        writer.write(&Row { v: "2013-06-01T05:00:00.250Z" }).unwrap();
        writer.write(&Row { v: 1_370_062_800_250_000_i64 }).unwrap();
        let bytes = writer.finish().unwrap();
        assert_eq!(strings(&bytes), ["2013-06-01 05:00:00.25 +00:00:00"; 3]);
        // Types that ask for anything are shown numbers where the schema was given.
        let values: Vec<Value> = trevni::from_slice(&bytes).unwrap();
        assert_eq!(values[0], json!({"v": 1_370_062_800_250_000_i64}));
        let reader = Reader::builder().logical_text().source(&bytes[..]).unwrap();
        let read: Vec<Row<OffsetDateTime>> = reader.rows().unwrap().map(Result::unwrap).collect();
        assert_eq!(read, rows(&[at, at, at]));
    };
    for builder in formats() {
        check(builder.clone().shape(&shape));
        check(builder.schema(shape.to_avro()));
    }
}

#[test]
fn only_instants_and_times_have_styles() {
    for logical in
        [Logical::Date, Logical::Uuid, Logical::Duration, Logical::Decimal { precision: 9, scale: 2 }]
    {
        let shape = LogicalShape::new(logical.clone(), logical.storage().unwrap()).unwrap();
        assert!(shape.clone().with_style(StringStyle::Iso).is_ok());
        let error = shape.with_style(StringStyle::Time).unwrap_err().to_string();
        assert!(error.contains(logical.name()), "{error}");
    }
    let mut date = LogicalShape::new(Logical::Date, Shape::Int).unwrap();
    date.style = StringStyle::Time;
    assert!(Writer::builder().shape(&given(date)).build(Vec::new()).is_err());
}

#[test]
fn styles_of_a_given_shape_are_in_the_schema() {
    use StringStyle::{Millis, Minutes, Space};
    for (style, mark, logical, texts) in [
        (
            Space,
            "space",
            Logical::TimestampMillis,
            ["2013-06-01 05:00:00+00:00", "2013-06-01 05:00:00.250+00:00"],
        ),
        (Minutes, "minutes", Logical::LocalTimestampMillis, ["2013-06-01 05:00", "2013-06-01 05:00:01"]),
        (
            Millis,
            "millis",
            Logical::TimestampMicros,
            ["2013-06-01T05:00:00.000Z", "2013-06-01T05:00:00.000250Z"],
        ),
    ] {
        let shape = spaced(logical).with_style(style).unwrap();
        for builder in formats() {
            let all = Shape::record("Row", [("v", Shape::Logical(Box::new(shape.clone())))]);
            let bytes = file(builder.shape(&all).derived(), &rows(&texts));
            assert!(shape_of(&bytes).to_avro().contains(&format!("\"serde\":\"{mark}\"")), "{mark}");
            assert_eq!(found(&bytes), Some((shape.logical.clone(), style)));
            assert_eq!(strings(&bytes), texts);
            let again: Vec<Value> = trevni::from_slice(&bytes).unwrap();
            assert_eq!(again[1], json!({"v": texts[1]}));
        }
    }
}
