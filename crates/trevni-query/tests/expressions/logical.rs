//! Expressions on values of logical types: pushed down, evaluated, and against what is known of the rows.

use super::{evaluated, pushed, selected};
use serde_json::json;
use trevni::shape::{IpFamily, Logical};
use trevni::{Reader, Shape, Writer};
use trevni_query::{Binder, Condition, ErrorKind, Expression, Scope};

const ROWS: i64 = 400;
/// Seconds from one row to the next: more than a day, so that all parts of instants differ.
const STEP: i64 = 100_007;
/// The second of the first row, in 1969.
const START: i64 = -15_000_000;

fn logical(logical: Logical) -> Shape {
    let storage = logical.storage().unwrap();
    Shape::logical(logical, storage).unwrap()
}

fn decimal(precision: u32, scale: u32) -> Shape {
    logical(Logical::Decimal { precision, scale })
}

fn shape() -> Shape {
    Shape::record(
        "Row",
        [
            ("id", Shape::Long),
            ("millis", Shape::optional(logical(Logical::TimestampMillis))),
            ("micros", logical(Logical::TimestampMicros)),
            ("nanos", logical(Logical::TimestampNanos)),
            ("local", logical(Logical::LocalTimestampMicros)),
            ("day", Shape::optional(logical(Logical::Date))),
            ("clock", logical(Logical::TimeMillis)),
            ("price", Shape::optional(decimal(9, 2))),
            ("long", decimal(44, 3)),
            ("key", logical(Logical::Uuid)),
            ("ip", logical(Logical::IpAddress(IpFamily::Any))),
            ("v4", logical(Logical::IpAddress(IpFamily::V4))),
            ("network", Shape::optional(logical(Logical::IpNetwork(IpFamily::V4)))),
            ("lasts", logical(Logical::Duration)),
            ("days", Shape::list(logical(Logical::Date))),
            ("by", Shape::map(Shape::String, logical(Logical::TimestampMillis))),
            ("ratio", Shape::Double),
            ("name", Shape::String),
        ],
    )
}

fn row(n: i64) -> serde_json::Value {
    let seconds = START + n * STEP;
    json!({
        "id": n,
        "millis": (n % 7 != 0).then_some(seconds * 1000),
        "micros": seconds * 1_000_000,
        "nanos": seconds * 1_000_000_000 + n % 2,
        "local": seconds * 1_000_000,
        "day": (n % 5 != 0).then_some(seconds.div_euclid(86_400)),
        "clock": seconds.rem_euclid(86_400) * 1000,
        "price": (n % 6 != 0).then(|| format!("{}.{:02}", n - 200, n % 4 * 25)),
        "long": format!("{}1234567890123456789012345678901234567890.125", if n % 2 == 0 { "" } else { "-" }),
        "ip": if n % 2 == 0 { format!("10.0.0.{}", n % 256) } else { format!("2001:db8::{n:x}") },
        "v4": format!("{}.255.0.1", n % 256),
        "network": (n % 3 != 0).then(|| format!("10.{}.0.0/{}", n % 256, n % 33)),
        "key": format!("67e55044-10b1-426f-9247-{n:012x}"),
        "lasts": format!("P{}M{}D", n % 3, n % 2),
        "days": (0..n % 3).map(|day| seconds.div_euclid(86_400) + day).collect::<Vec<_>>(),
        "by": {"a": seconds * 1000},
        "ratio": n as f64 / 10.0,
        "name": "2013-06-01",
    })
}

fn file() -> Vec<u8> {
    let mut writer = Writer::builder().block_size(256).shape(&shape()).build(Vec::new()).unwrap();
    writer.write_all((0..ROWS).map(row)).unwrap();
    writer.finish().unwrap()
}

#[test]
fn what_the_file_finds_is_what_is_evaluated() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    for text in [
        "millis >= '1970-06-01'",
        "millis < '1970-01-01T00:00:00Z'",
        "millis = '1969-07-12T03:06:54.000+02:00' or millis != '1970-01-01'",
        "'1970-06-01T12:00:00Z' > micros",
        "nanos between '1969-12-01' and '1970-02-01T00:00:00.000000001Z'",
        "local >= '1970-01-01T05:00:00'",
        "local < '1970-01-01'",
        "day = '1970-01-16'",
        "day in ('1970-01-15', '1970-01-16', '2020-01-01')",
        "day is null or day > '1970-05-05'",
        "not day > '1970-05-05'",
        "clock >= '12:00'",
        "micros > 0",
        "day <= -3",
        "price > 10",
        "price = 1.25",
        "price <= -100.5 or price > '99.25'",
        "price in (1.25, 2.5, '-3.75')",
        "long > 5 or price < 0",
        "key = '67E5504410B1426F9247000000000011'",
        "key > '67e55044-10b1-426f-9247-000000000100'",
        "lasts = 'P1M0D'",
        "ip >= '10.0.0.9'",
        "ip < '::' or ip = '2001:DB8::11'",
        "ip in ('10.0.0.2', '2001:db8::3')",
        "v4 >= '10.0.0.9'",
        "v4 between '9.0.0.0' and '9.255.255.255'",
        "v4 < '::1' and not v4 > '100.0.0.0'",
        "network > '10.9.0.0/8'",
        "network = '10.1.0.0/1' or network is null",
        "any(days, item > '1970-05-05')",
        "any(by, value < '1970-01-01')",
        "year(millis) = 1970",
        "year(day) != 1970",
        "1970 > year(micros)",
        "year(local) >= 1970 and year(nanos) <= 1970",
        "not year(day) = 1969",
    ] {
        let found = pushed(&reader, text);
        assert_eq!(found, evaluated(&reader, text), "{text}");
        assert!(!found.is_empty() && (found.len() as i64) < ROWS, "{text}");
    }
}

#[test]
fn conditions_hold_for_the_rows_that_are_known() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    let seconds = |n: i64| START + n * STEP;
    let is_day = |n: i64| n % 5 != 0;
    let conditions: [(&str, &dyn Fn(i64) -> bool); 19] = [
        ("millis < 0", &|n| n % 7 != 0 && seconds(n) < 0),
        ("millis = micros", &|n| n % 7 != 0),
        ("micros < nanos", &|n| n % 2 == 1),
        ("day <= micros", &is_day),
        ("day = date(local)", &is_day),
        ("micros - day < 3600", &|n| is_day(n) && seconds(n).rem_euclid(86_400) < 3600),
        ("day + 1 > micros", &is_day),
        ("1 + day - day = 1", &is_day),
        ("hour(micros) = 5", &|n| seconds(n).rem_euclid(86_400) / 3600 == 5),
        ("minute(clock) = 5", &|n| seconds(n).rem_euclid(3600) / 60 == 5),
        ("second(local) < 30", &|n| seconds(n).rem_euclid(60) < 30),
        ("date_trunc('day', millis) = day", &|n| n % 7 != 0 && is_day(n)),
        ("date_trunc('hour', clock) = '05:00:00'", &|n| seconds(n).rem_euclid(86_400) / 3600 == 5),
        ("date_trunc('week', micros) + 0 = 0 or nanos - micros > 0", &|_| false),
        ("strptime(strftime(millis, '%d/%b/%Y:%H:%M:%S %z'), '%d/%b/%Y:%H:%M:%S %z') = micros", &|n| {
            n % 7 != 0
        }),
        ("strptime(strftime(day, '%j %y'), '%j %y') = day", &is_day),
        (
            "strptime(concat(name, ' ', strftime(clock, '%H:%M')), '%F %H:%M') >= '2013-06-01T12:00:00Z'",
            &|n| seconds(n).rem_euclid(86_400) >= 43_200,
        ),
        ("price * 4 = round(price * 4)", &|n| n % 6 != 0),
        ("price + 0.5 > ratio", &|n| {
            n % 6 != 0 && {
                let price = (n - 200) as f64 + if n < 200 { -1.0 } else { 1.0 } * (n % 4) as f64 / 4.0;
                price + 0.5 > n as f64 / 10.0
            }
        }),
    ];
    for (text, expected) in conditions {
        if text.starts_with("date_trunc('week'") {
            assert!(Condition::parse(text).unwrap().filter(&reader).is_err(), "{text}");
            continue;
        }
        let expected: Vec<u64> = (0..ROWS).filter(|n| expected(*n)).map(|n| n as u64).collect();
        assert_eq!(selected(&reader, text), expected, "{text}");
        assert!(!expected.is_empty(), "{text}");
    }
}

/// The values of an expression for some rows, as texts.
fn values(reader: &Reader<'_>, text: &str, rows: std::ops::Range<u64>) -> Vec<String> {
    let reader = reader.select(rows).unwrap();
    let bound = Expression::parse(text).unwrap().bind(&Binder::new(reader.shape())).unwrap();
    let mut out = Vec::new();
    for batch in reader.batches().unwrap() {
        let batch = batch.unwrap();
        let column = bound.evaluate(&Scope::of(&batch)).unwrap();
        out.extend((0..batch.len()).map(|row| match column.get(row) {
            trevni_query::ScalarRef::Decimal(value) => value.to_string(),
            trevni_query::ScalarRef::Moment(value) => value.to_string(),
            other => format!("{other:?}"),
        }));
    }
    out
}

#[test]
fn values_are_what_sql_says() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    for (text, expected) in [
        ("micros", "1969-07-12T13:06:47Z"),
        ("date_trunc('month', micros)", "1969-07-01T00:00:00Z"),
        ("date_trunc('Quarter', day)", "1969-07-01"),
        ("date_trunc('week', local)", "1969-07-07T00:00:00"),
        ("date_trunc('minute', clock)", "13:06:00"),
        ("date(micros)", "1969-07-12"),
        ("strftime(micros, '%d.%m.%Y %I:%M %p')", "Text(\"12.07.1969 01:06 PM\")"),
        ("strftime(local, '%A')", "Text(\"Saturday\")"),
        ("strptime(name, '%Y-%m-%d')", "2013-06-01T00:00:00Z"),
        ("strptime(name, '%d/%m/%Y')", "Null"),
        ("year(micros)", "Integer(1969)"),
        ("quarter(day)", "Integer(3)"),
        ("week(day)", "Integer(28)"),
        ("day - '1969-07-01'", "Integer(11)"),
        ("'1970-01-01' - day", "Integer(173)"),
        ("micros - day", "Float(47207.0)"),
        ("clock - '09:00'", "Float(14807.0)"),
        ("nanos - micros", "Float(1e-9)"),
        ("day - 31", "1969-06-11"),
        ("price", "-199.25"),
        ("price * price", "39700.5625"),
        ("price + 1", "-198.25"),
        ("-price % 2", "1.25"),
        ("round(price)", "-199"),
        ("round(price, 1)", "-199.3"),
        ("abs(price) / 2", "Float(99.625)"),
        ("price * 0.5", "Float(-99.625)"),
        ("price % 0", "Null"),
        ("long * 10", "-12345678901234567890123456789012345678901.250"),
        ("long - long", "0.000"),
        ("key", "Text(\"67e55044-10b1-426f-9247-000000000001\")"),
        ("lasts", "Text(\"P1M1D\")"),
    ] {
        assert_eq!(values(&reader, text, 1..2), [expected], "{text}");
    }
}

#[test]
fn errors_say_what_is_no_value() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    for (text, message) in [
        (
            "micros > 'yesterday'",
            "character 10: 'yesterday' is not an instant, such as '2013-06-01T05:00:00Z'",
        ),
        ("micros > '2013-06-01T05:00:00'", "is not an instant"),
        ("'2013-06-31' < day", "character 1: '2013-06-31' is not a date, such as '2013-06-01'"),
        ("local = '2013-06-01T05:00:00Z'", "is not a local instant"),
        ("clock in ('24:00')", "'24:00' is not a time of day"),
        ("price = 'cheap'", "'cheap' is not a number, such as '12.50'"),
        ("price > '1e999999999'", "is not a number"),
        ("key = '67e5'", "'67e5' is not a UUID"),
        ("lasts = '1 day'", "'1 day' is not a duration, such as 'P1DT2H'"),
        ("lasts < 'P1D'", "this is a duration, which has no order"),
        ("micros > local", "micros is an instant, local a local instant"),
        ("micros = clock", "micros is an instant, clock a time of day"),
        ("micros > name", "micros is an instant, name a string"),
        ("micros > 1.5", "micros is an instant, 1.5 a number"),
        ("micros + 1 > day", "micros is an instant, 1 a number: only differences are computed"),
        ("micros * 2 > 1", "only differences are computed"),
        ("micros - local > 1", "micros is an instant, local a local instant"),
        ("day + 0.5 > micros", "day is a date, 0.5 a number"),
        ("year(name) = 2013", "character 6: name is a string, not a date or an instant"),
        ("year(clock) = 2013", "clock is a time of day, not a date or an instant"),
        ("hour(day) = 2", "day is a date, not an instant or a time of day"),
        ("date_trunc('fortnight', micros) = day", "character 12: one of 'year', 'quarter'"),
        ("date_trunc(name, micros) = day", "one of 'year', 'quarter'"),
        ("date_trunc('day') = day", "date_trunc takes a unit and an instant"),
        ("year(micros, 3) = 2", "year takes 1 in its brackets"),
        ("key like '67%'", "key is a UUID, not a string"),
        ("micros starts with '1970'", "is an instant, not a string"),
        ("-micros > 1", "micros is an instant, not a number"),
    ] {
        let error = Condition::parse(text).and_then(|condition| condition.filter(&reader)).expect_err(text);
        assert!(error.to_string().contains(message), "{text}: {error}");
        assert!(matches!(error.kind(), ErrorKind::Query), "{text}");
        assert!(
            !text.starts_with("year(name)")
                || error.hint().is_some_and(|hint| hint.contains("-t name=timestamp"))
        );
    }
    let text = "day + 99999999999 > micros";
    let error = Condition::parse(text).unwrap().filter(&reader).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Value) && error.to_string().contains("gets beyond"), "{error}");
}

#[test]
fn the_edges_of_what_is_stored_are_computed_with() {
    let rows = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX];
    let shape = Shape::record(
        "Row",
        [
            ("millis", logical(Logical::TimestampMillis)),
            ("nanos", logical(Logical::TimestampNanos)),
            ("clock", logical(Logical::TimeNanos)),
            ("day", logical(Logical::Date)),
            ("bytes", decimal(9, 2)),
        ],
    );
    let mut writer = Writer::builder().block_size(64).shape(&shape).build(Vec::new()).unwrap();
    for n in rows {
        let day = n.clamp(i32::MIN.into(), i32::MAX.into());
        writer.write(&json!({"millis": n, "nanos": n, "clock": n, "day": day, "bytes": "0.01"})).unwrap();
    }
    let bytes = writer.finish().unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    for (text, expected) in [
        ("millis < '1970-01-01'", &[0, 1, 2][..]),
        ("millis >= '+292278994-08-17T07:12:55.807Z'", &[5]),
        ("nanos < '2262-04-11T23:47:16.854775808Z'", &[0, 1, 2, 3, 4, 5]),
        ("nanos < '2262-04-11T23:47:16.854775807Z'", &[0, 1, 2, 3, 4]),
        ("nanos > '1677-09-21T00:12:43.145224192Z'", &[1, 2, 3, 4, 5]),
        ("year(millis) < -292275000", &[0, 1]),
        ("year(day) < -5800000", &[0, 1]),
        ("second(millis) = 59", &[2]),
        ("millis - nanos > 0", &[4, 5]),
        ("clock = '00:00'", &[3]),
        ("clock > '23:59'", &[5]),
        ("date_trunc('second', nanos) < nanos", &[0, 1, 2, 4, 5]),
    ] {
        assert_eq!(selected(&reader, text), expected, "{text}");
        assert_eq!(evaluated(&reader, text), expected, "{text}");
    }
    for text in
        ["date_trunc('year', millis) < millis", "date_trunc('year', day) < day", "date(millis) < millis"]
    {
        let error = Condition::parse(text).unwrap().filter(&reader).unwrap_err();
        assert!(error.to_string().contains("gets beyond all that can be stored"), "{text}: {error}");
    }
}

#[test]
fn texts_become_dates_and_instants() {
    let texts = [
        ("2013-06-01", Some("2013-06-01"), Some("2013-06-01T00:00:00Z")),
        (" 2013-06-01 05:00:00 ", Some("2013-06-01"), Some("2013-06-01T05:00:00Z")),
        ("2013-06-01T23:30:00-05:00", Some("2013-06-01"), Some("2013-06-02T04:30:00Z")),
        ("2013-06-01T05:00:00.5Z", Some("2013-06-01"), Some("2013-06-01T05:00:00.500Z")),
        ("-0044-03-15", Some("-0044-03-15"), Some("-0044-03-15T00:00:00Z")),
        ("2013-02-30", None, None),
        ("2013-06-01 25:00:00", None, None),
        ("2013-06-01 noon", None, None),
        ("06/01/2013", None, None),
        ("", None, None),
    ];
    let rows = texts.iter().map(|(text, ..)| json!({"t": text})).chain([json!({"t": null})]);
    let file = trevni::to_vec(rows).unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let batch = reader.batches().unwrap().next().unwrap().unwrap();
    let found = |text: &str| -> Vec<Option<String>> {
        let bound = Expression::parse(text).unwrap().bind(&Binder::new(reader.shape())).unwrap();
        let column = bound.evaluate(&Scope::of(&batch)).unwrap();
        let value = |row| match column.get(row) {
            trevni_query::ScalarRef::Moment(moment) => Some(moment.to_string()),
            other => {
                assert_eq!(other, trevni_query::ScalarRef::Null);
                None
            }
        };
        (0..column.len()).map(value).collect()
    };
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let dates: Vec<_> = texts.iter().map(|(_, date, _)| owned(*date)).chain([None]).collect();
    let instants: Vec<_> = texts.iter().map(|(_, _, instant)| owned(*instant)).chain([None]).collect();
    assert_eq!((found("date(t)"), found("timestamp(t)")), (dates, instants));
    assert_eq!(found("timestamp(date(t))"), found("date_trunc('day', timestamp(date(t)))"));
    assert_eq!(found("date('2013-01-01 05:00') + 7")[0].as_deref(), Some("2013-01-08"));
    let reject = |text: &str| {
        Expression::parse(text).unwrap().bind(&Binder::new(reader.shape())).unwrap_err().to_string()
    };
    for (text, message) in [
        ("date('01/02/2013')", "'01/02/2013' is not a date, such as '2013-06-01'"),
        ("timestamp('soon')", "'soon' is not an instant, such as '2013-06-01T05:00:00Z' or '2013-06-01'"),
        ("timestamp(3)", "3 is a number, not a date, an instant in UTC or a string"),
        ("date(3)", "3 is a number, not a date or an instant"),
    ] {
        let error = reject(text);
        assert!(error.contains(message), "{error}");
    }
}
