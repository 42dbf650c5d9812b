//! Strings of logical types, as literals have them: dates, times, instants, decimals, UUIDs, durations, IP addresses, in all spellings. What
//! they are is known from the parts that they are made of.

use crate::choices::Choices;
use std::cmp::Ordering;
use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::OnceLock;
use trevni::shape::{IpFamily, Logical, LogicalShape};
use trevni::{Error, LogicalDetector, Reader, RowSelection, ValueRef, Writer, col};
use trevni_query::Condition;

const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

/// What a string is.
#[derive(Clone, Debug, PartialEq)]
enum Content {
    /// Nanoseconds.
    Moment(i128),
    /// An unscaled value, and the digits after the point.
    Decimal(i128, u32),
    Uuid([u8; 16]),
    /// Months, days, milliseconds.
    Duration([u32; 3]),
    Ip(IpAddr, Option<u8>),
}

impl Content {
    /// The order of two of one type; durations are equal or not.
    fn order(&self, other: &Self) -> Option<Ordering> {
        Some(match (self, other) {
            (Self::Moment(one), Self::Moment(other)) => one.cmp(other),
            (Self::Decimal(one, scale), Self::Decimal(other, digits)) => {
                let most = *scale.max(digits);
                let scaled = |value: &i128, scale: &u32| value * 10i128.pow(most - scale);
                scaled(one, scale).cmp(&scaled(other, digits))
            }
            (Self::Uuid(one), Self::Uuid(other)) => one.cmp(other),
            (Self::Ip(one, length), Self::Ip(other, digits)) => one.cmp(other).then(length.cmp(digits)),
            (one, other) if one == other => Ordering::Equal,
            _ => return None,
        })
    }
}

/// The logical type of a column, and its values.
struct Column {
    name: &'static str,
    logical: Logical,
    /// The nanoseconds of its unit, where it has one.
    unit: i128,
    values: Vec<Content>,
}

/// Numbers of columns with a unit.
const NUMBERS: [i64; 12] = [
    0,
    1,
    -1,
    86_399_999,
    -86_400_000,
    1_370_062_800_000,
    -62_135_596_800_000,
    253_402_300_799_999,
    1_370_062_800_000_001,
    -719_162,
    15_857,
    1_370_062_800_123_456_789,
];

fn columns() -> Vec<Column> {
    let moments = |name, logical, unit: i128| {
        let is_time = [Logical::TimeMillis, Logical::TimeMicros, Logical::TimeNanos].contains(&logical);
        let each = |number: &i64| match () {
            () if is_time => i128::from(number.unsigned_abs()) % (DAY / unit) * unit,
            () if logical == Logical::Date => i128::from(number % 3_000_000) * unit,
            () => i128::from(*number) * unit,
        };
        Column {
            name,
            values: NUMBERS.iter().map(|number| Content::Moment(each(number))).collect(),
            logical,
            unit,
        }
    };
    let others = |name, logical, values: Vec<Content>| Column { name, logical, unit: 0, values };
    let ip = |index: usize| match index {
        0..6 => IpAddr::from(Ipv4Addr::from_bits(0x0a00_0000 + index as u32 * 77)),
        _ => IpAddr::from(Ipv6Addr::from_bits(0x2001_0db8 << 96 | (index as u128) << (index * 8))),
    };
    let twelve = || 0..12usize;
    let cents = [0, 1, -1, 1500, -1500, 999_999_999, -999_999_999, 250, 12_340, 10, -10, 1000];
    vec![
        moments("d", Logical::Date, DAY),
        moments("tm", Logical::TimeMillis, 1_000_000),
        moments("tn", Logical::TimeNanos, 1),
        moments("im", Logical::TimestampMillis, 1_000_000),
        moments("iu", Logical::TimestampMicros, 1000),
        moments("inn", Logical::TimestampNanos, 1),
        moments("lm", Logical::LocalTimestampMillis, 1_000_000),
        moments("lu", Logical::LocalTimestampMicros, 1000),
        others(
            "c",
            Logical::Decimal { precision: 9, scale: 3 },
            cents.map(|cents| Content::Decimal(cents, 3)).to_vec(),
        ),
        others("k", Logical::Uuid, twelve().map(|at| Content::Uuid([at as u8 * 21; 16])).collect()),
        others(
            "du",
            Logical::Duration,
            twelve().map(|at| Content::Duration([at as u32 / 4, at as u32 % 4, 500])).collect(),
        ),
        others(
            "ip",
            Logical::IpAddress(IpFamily::Any),
            twelve().map(|at| Content::Ip(ip(at), None)).collect(),
        ),
        others(
            "nw",
            Logical::IpNetwork(IpFamily::Any),
            twelve().map(|at| Content::Ip(ip(at), Some(at as u8 * 2 + 8))).collect(),
        ),
    ]
}

/// The columns and the file that has them.
fn table() -> &'static (Vec<Column>, Vec<u8>) {
    static TABLE: OnceLock<(Vec<Column>, Vec<u8>)> = OnceLock::new();
    TABLE.get_or_init(|| {
        let columns = columns();
        let mut builder = Writer::builder().block_size(24);
        for column in &columns {
            builder = builder.logical(column.name, column.logical.clone());
        }
        let mut writer = builder.build(Vec::new()).expect("types are taken");
        for row in 0..NUMBERS.len() {
            let cell = |column: &Column| match &column.values[row] {
                Content::Moment(nanos) => serde_json::Value::from((nanos / column.unit) as i64),
                content => canonical(content).into(),
            };
            let row = columns.iter().map(|column| (column.name.to_owned(), cell(column)));
            writer.write(&row.collect::<serde_json::Map<_, _>>()).expect("a row is written");
        }
        (columns, writer.finish().expect("rows are written"))
    })
}

/// A plain string of a value that is no moment.
fn canonical(content: &Content) -> String {
    match content {
        Content::Decimal(value, scale) => format!("{value}e-{scale}"),
        Content::Uuid(bytes) => hyphenated(bytes),
        Content::Duration([months, days, millis]) => {
            format!("P{months}M{days}DT{}.{:03}S", millis / 1000, millis % 1000)
        }
        Content::Ip(address, Some(prefix)) => format!("{address}/{prefix}"),
        Content::Ip(address, None) => address.to_string(),
        Content::Moment(nanos) => nanos.to_string(),
    }
}

fn hyphenated(bytes: &[u8; 16]) -> String {
    let mut text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [20, 16, 12, 8].into_iter().for_each(|at| text.insert(at, '-'));
    text
}

/// Makes a string of a logical type that the bytes choose, reads it, and compares rows with it; then one that is damaged.
///
/// # Panics
///
/// Where the string is another value, or rows are selected that the comparison is not true of.
pub fn literals(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let (columns, file) = table();
    let column = &columns[choices.below(columns.len())];
    let (text, content) = spelled(&column.logical, &mut choices);
    parsed(column, &text, &content);
    let reader = Reader::from_slice(file).expect("the file is opened");
    selected(column, &text, &content, &reader);
    let damaged = damaged(&text, &mut choices);
    let shape = shape_of(&column.logical);
    checked(&shape, &damaged);
    for predicate in [col(column.name).ge(damaged.as_str()), col(column.name).eq(damaged.as_str())] {
        let _ = crate::done(reader.filter(predicate).and_then(|reader| reader.matching()));
    }
    let quoted = damaged.replace('\'', "''");
    if let Ok(condition) = Condition::parse(&format!("{} <= '{quoted}'", column.name)) {
        let _ = condition.filter(&reader).map(|reader| crate::done(reader.matching()));
    }
    let mut detector = LogicalDetector::new();
    detector.push(&text);
    detector.push(&damaged);
    if let Some(logical) = detector.logical() {
        assert!(checked(&shape_of(&logical), &text), "{text} is no {logical:?}");
    }
}

fn shape_of(logical: &Logical) -> LogicalShape {
    let storage = logical.storage().unwrap_or(trevni::Shape::Bytes);
    LogicalShape::new(logical.clone(), storage).expect("the type has a shape")
}

/// Whether a string is one of a type; then its canonical string is one of the same value.
fn checked(shape: &LogicalShape, text: &str) -> bool {
    let (mut bytes, mut again) = (Vec::new(), Vec::new());
    let Some(value) = shape.parse(text, &mut bytes) else { return false };
    let canonical = shape.text(value).unwrap_or_else(|| panic!("{text} is {value:?}, which has no string"));
    assert_eq!(shape.parse(&canonical, &mut again), Some(value), "{text} and {canonical}");
    true
}

/// Checks what the type makes of a string.
fn parsed(column: &Column, text: &str, content: &Content) {
    let shape = shape_of(&column.logical);
    let mut bytes = Vec::new();
    let found = shape.parse(text, &mut bytes);
    match (content, &column.logical) {
        (Content::Moment(nanos), logical) => {
            let count = nanos / column.unit;
            let is_date = !text.contains(':');
            let is_exact = nanos % column.unit == 0 && (is_date == (*logical == Logical::Date));
            let expected = match shape.storage {
                trevni::Shape::Int => i32::try_from(count).ok().map(ValueRef::Int),
                _ => i64::try_from(count).ok().map(ValueRef::Long),
            };
            assert_eq!(found, expected.filter(|_| is_exact), "{text}");
        }
        (Content::Decimal(value, digits), _) => {
            let expected = value * 10i128.pow(9 - digits);
            let fits = expected % 1_000_000 == 0 && (expected / 1_000_000).unsigned_abs() < 1_000_000_000;
            let found = found.map(|value| match value {
                ValueRef::Bytes(bytes) => bytes.iter().fold(
                    if bytes.first().is_some_and(|first| *first > 0x7f) { -1i128 } else { 0 },
                    |value, byte| value << 8 | i128::from(*byte),
                ),
                other => panic!("{text} is {other:?}"),
            });
            assert_eq!(found, fits.then_some(expected / 1_000_000), "{text}");
        }
        (content, _) => {
            let text_of = found.and_then(|value| shape.text(value));
            let plain = canonical(content);
            let mut again = Vec::new();
            let expected = shape.parse(&plain, &mut again).and_then(|value| shape.text(value));
            assert!(text_of.is_some(), "{text} is no {:?}", column.logical);
            assert_eq!(text_of, expected, "{text} and {plain}");
        }
    }
    checked(&shape, text);
}

/// Compares rows with a literal, in predicates of the library and in conditions.
fn selected(column: &Column, text: &str, content: &Content, reader: &Reader<'_>) {
    let rows = |holds: fn(Option<Ordering>) -> bool| -> RowSelection {
        let values = column.values.iter().zip(0..);
        values.filter(|(value, _)| holds(value.order(content))).map(|(_, row)| row).collect()
    };
    let comparisons = [
        ("=", col(column.name).eq(text), rows(|order| order == Some(Ordering::Equal))),
        (">=", col(column.name).ge(text), rows(|order| order.is_some_and(Ordering::is_ge))),
        ("<", col(column.name).lt(text), rows(|order| order.is_some_and(Ordering::is_lt))),
    ];
    // Durations are equal or not.
    let some = if column.logical == Logical::Duration { 1 } else { comparisons.len() };
    for (operator, predicate, expected) in comparisons.into_iter().take(some) {
        let written = format!("{} {operator} '{text}'", column.name);
        let matching = |found: Result<Reader<'_>, Error>| {
            let found = found.and_then(|reader| reader.matching());
            found.unwrap_or_else(|error| panic!("{written}: {error}"))
        };
        assert_eq!(matching(reader.filter(predicate)), expected, "{written} as a predicate");
        let condition = Condition::parse(&written).unwrap_or_else(|error| panic!("{written}: {error}"));
        let filtered = condition.filter(reader).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(matching(Ok(filtered)), expected, "{written}");
    }
}

/// A string of a type, in any spelling.
fn spelled(logical: &Logical, choices: &mut Choices<'_>) -> (String, Content) {
    let mut text = String::new();
    let content = match logical {
        Logical::Date => Content::Moment(date(choices, &mut text)),
        Logical::TimeMillis | Logical::TimeMicros | Logical::TimeNanos => {
            Content::Moment(time(choices, &mut text))
        }
        Logical::Decimal { .. } => decimal(choices, &mut text),
        Logical::Uuid => {
            let bytes = [choices.below(256) as u8; 16];
            text = hyphenated(&bytes);
            if choices.one_in(3) {
                text = text.to_uppercase();
            }
            Content::Uuid(bytes)
        }
        Logical::Duration => duration(choices, &mut text),
        Logical::IpAddress(_) => Content::Ip(address(choices, &mut text), None),
        Logical::IpNetwork(_) => {
            let address = address(choices, &mut text);
            let prefix = choices.below(if address.is_ipv4() { 33 } else { 129 }) as u8;
            let _ = write!(text, "/{prefix}");
            Content::Ip(address, Some(prefix))
        }
        logical => {
            let is_local = [Logical::LocalTimestampMillis, Logical::LocalTimestampMicros].contains(logical);
            let mut nanos = date(choices, &mut text);
            if !choices.one_in(5) {
                text += choices.pick(&["T", " ", "t"]);
                nanos += time(choices, &mut text);
                if !is_local {
                    nanos -= offset(choices, &mut text);
                }
            }
            Content::Moment(nanos)
        }
    };
    (text, content)
}

/// Days before a year of the Gregorian calendar, from the year 1 on.
fn days_before(year: i128) -> i128 {
    let before = year - 1;
    365 * before + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400)
}

fn date(choices: &mut Choices<'_>, text: &mut String) -> i128 {
    let near = 1960 + choices.below(80) as i128;
    let far = choices.below(20_000) as i128 - 10_000;
    let year = choices.pick(&[near, near, far, 0, 2000, 1900, 1970, 9999, 10_000, -1]);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let month = choices.below(12);
    let day = if choices.one_in(3) { lengths[month] } else { 1 + choices.below(28) as i128 };
    let sign = if year < 0 {
        "-"
    } else if year > 9999 || choices.one_in(9) {
        "+"
    } else {
        ""
    };
    let zeros = if !sign.is_empty() && choices.one_in(3) { 6 } else { 4 };
    let _ = write!(text, "{sign}{:0zeros$}-{:02}-{day:02}", year.unsigned_abs(), month + 1);
    let days = days_before(year) + lengths[..month].iter().sum::<i128>() + day - 1;
    (days - days_before(1970)) * DAY
}

fn time(choices: &mut Choices<'_>, text: &mut String) -> i128 {
    let (hour, minute) = (choices.below(24) as i128, choices.below(60) as i128);
    let _ = write!(text, "{hour:02}:{minute:02}");
    if choices.one_in(5) {
        return (hour * 60 + minute) * 60 * SECOND;
    }
    let second = choices.below(60) as i128;
    let _ = write!(text, ":{second:02}");
    let mut nanos = 0;
    if choices.one_in(2) {
        let digits = choices.pick(&[1, 3, 6, 9, 2, 7]);
        let fraction = choices.below(10usize.pow(digits as u32));
        let _ = write!(text, ".{fraction:0digits$}");
        nanos = fraction as i128 * 10i128.pow(9 - digits as u32);
        *text += choices.pick(&["", "", "", "0", "000000000"]);
    }
    ((hour * 60 + minute) * 60 + second) * SECOND + nanos
}

/// Nanoseconds before UTC.
fn offset(choices: &mut Choices<'_>, text: &mut String) -> i128 {
    if choices.one_in(2) {
        *text += choices.pick(&["Z", "z"]);
        return 0;
    }
    let (sign, hour, minute) =
        (choices.pick(&["+", "-"]), choices.below(24) as i128, choices.below(60) as i128);
    *text += choices.pick(&["", " "]);
    let _ = write!(text, "{sign}{hour:02}:{minute:02}");
    let mut seconds = (hour * 60 + minute) * 60;
    if choices.one_in(4) {
        let second = choices.below(60) as i128;
        let _ = write!(text, ":{second:02}");
        seconds += second;
    }
    if sign == "-" { -seconds * SECOND } else { seconds * SECOND }
}

fn decimal(choices: &mut Choices<'_>, text: &mut String) -> Content {
    let value = choices.pick(&[0, 1, 15, 250, 1_500_000, 999_999_999, 1_234_567_890_123]);
    let digits = choices.below(7);
    let sign = choices.pick(&["", "-", "+"]);
    let exponent = choices.pick(&[0, 0, 0, 1, -1, 3, -2]);
    let plain = format!("{value:0width$}", width = digits + 1);
    let (whole, fraction) = plain.split_at(plain.len() - digits);
    *text = format!("{sign}{whole}{}{fraction}", if digits > 0 { "." } else { choices.pick(&["", "."]) });
    if exponent != 0 {
        let _ = write!(text, "{}{exponent}", choices.pick(&["e", "E"]));
    }
    let value = if sign == "-" { -value } else { value };
    let scale = digits as i32 - exponent;
    match u32::try_from(scale) {
        Ok(scale) => Content::Decimal(value, scale),
        Err(_) => Content::Decimal(value * 10i128.pow(scale.unsigned_abs()), 0),
    }
}

fn duration(choices: &mut Choices<'_>, text: &mut String) -> Content {
    let mut numbers = [0u32; 3];
    *text = "P".to_owned();
    let mut has_parts = false;
    for (unit, place, factor) in [("Y", 0, 12), ("M", 0, 1), ("W", 1, 7), ("D", 1, 1)] {
        if choices.one_in(2) {
            let number = choices.below(20) as u32;
            let _ = write!(text, "{number}{unit}");
            numbers[place] += number * factor;
            has_parts = true;
        }
    }
    if !has_parts || choices.one_in(2) {
        *text += "T";
        if choices.one_in(2) {
            let number = choices.below(99) as u32;
            let _ = write!(text, "{number}H");
            numbers[2] += number * 3_600_000;
        }
        let (number, millis) = (choices.below(99) as u32, choices.pick(&[0, 500, 7]));
        let fraction = if millis > 0 { format!(".{millis:03}") } else { String::new() };
        let _ = write!(text, "{number}{fraction}S");
        numbers[2] += number * 1000 + millis;
    }
    Content::Duration(numbers)
}

fn address(choices: &mut Choices<'_>, text: &mut String) -> IpAddr {
    let number = choices.integer();
    let address = match choices.below(3) {
        0 => IpAddr::from(Ipv4Addr::from_bits(0x0a00_0000 + number as u32 % 500)),
        1 => IpAddr::from(Ipv4Addr::from_bits(number as u32)),
        _ => IpAddr::from(Ipv6Addr::from_bits(0x2001_0db8 << 96 | u128::from(number.cast_unsigned()))),
    };
    *text = match address {
        IpAddr::V6(address) if choices.one_in(2) => {
            let parts = address.segments().map(|part| format!("{part:04X}"));
            parts.join(":")
        }
        address => address.to_string(),
    };
    address
}

/// A string with some other characters.
fn damaged(text: &str, choices: &mut Choices<'_>) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..1 + choices.below(3) {
        let at = choices.below(chars.len() + 1);
        let other =
            choices.pick(&['0', '9', '-', '+', ':', '.', 'T', 'Z', 'P', 'e', '/', ' ', '\'', 'é', '٣']);
        match choices.below(3) {
            0 => chars.insert(at, other),
            1 if at < chars.len() => chars[at] = other,
            _ if at < chars.len() => drop(chars.remove(at)),
            _ => chars.extend(['0'; 12]),
        }
    }
    chars.into_iter().collect()
}
