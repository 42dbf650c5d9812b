//! Expressions on rows: what they are true for, what they give, and what is said of wrong ones.

use super::push::predicate;
use super::*;
use serde::Serialize;
use std::collections::BTreeMap;
use trevni::{Reader, RowSelection};

#[derive(Serialize)]
enum Kind {
    Short,
    Long,
}

#[derive(Serialize)]
enum Any {
    Number(i64),
    Word(String),
}

#[derive(Serialize)]
struct Hop {
    host: String,
    date: Option<i32>,
}

#[derive(Serialize)]
struct Row {
    id: u32,
    large: i64,
    largest: u64,
    wide: i128,
    delay: Option<i32>,
    ratio: Option<f64>,
    single: f32,
    name: Option<String>,
    kind: Kind,
    flag: Option<bool>,
    #[serde(serialize_with = "bytes")]
    raw: Vec<u8>,
    tags: Option<Vec<String>>,
    hops: Vec<Hop>,
    props: BTreeMap<String, i32>,
    from: Option<Hop>,
    any: Any,
    #[serde(rename = "odd name.x")]
    odd: i32,
}

fn bytes<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

const ROWS: u32 = 300;

fn row(n: u32) -> Row {
    let hop =
        |n: u32| Hop { host: format!("h{}", n % 4), date: (!n.is_multiple_of(3)).then_some(n as i32 % 7) };
    Row {
        id: n,
        large: i64::MAX - i64::from(n % 5),
        largest: u64::MAX - u64::from(n % 5),
        wide: i128::MAX - i128::from(n % 3),
        delay: (!n.is_multiple_of(7)).then_some(n as i32 % 50 - 20),
        ratio: match n % 9 {
            0 => None,
            1 => Some(f64::NAN),
            _ => Some(f64::from(n) / 10.0 - 3.0),
        },
        single: n as f32 / 10.0,
        name: (!n.is_multiple_of(5))
            .then(|| format!("N{}é_{}", n % 12, if n.is_multiple_of(2) { "Even" } else { "odd" })),
        kind: if n.is_multiple_of(3) { Kind::Short } else { Kind::Long },
        flag: (!n.is_multiple_of(4)).then_some(n % 4 == 1),
        raw: vec![n as u8 % 3; n as usize % 4],
        tags: (!n.is_multiple_of(6)).then(|| (0..n % 4).map(|tag| format!("t{}", (tag + n) % 5)).collect()),
        hops: (0..n % 3).map(|k| hop(n + k)).collect(),
        props: (0..n % 3).map(|k| (format!("k{k}"), (n + k) as i32 % 5)).collect(),
        from: (!n.is_multiple_of(8)).then(|| hop(n)),
        any: if n.is_multiple_of(2) { Any::Number(n.into()) } else { Any::Word(format!("w{}", n % 6)) },
        odd: n as i32 % 10,
    }
}

fn file() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = trevni::Writer::builder().block_size(256).build(&mut bytes).unwrap();
    writer.write_all((0..ROWS).map(row)).unwrap();
    writer.finish().unwrap();
    bytes
}

/// The rows for which a condition is true, all of it evaluated here.
fn evaluated(reader: &Reader<'_>, text: &str) -> Vec<u64> {
    let expression = Expression::parse(text).unwrap();
    let binder = Binder { shape: reader.shape(), lenient: false, exploded: None };
    let bound = expression.bind(&binder).unwrap_or_else(|error| panic!("{text}: {}", error.message()));
    let mut out = Vec::new();
    for batch in reader.batches().unwrap() {
        let batch = batch.unwrap();
        let rows = Rest::rows(&bound, &Scope::of(&batch)).unwrap();
        out.extend(rows.into_iter().map(|row| batch.first_row() + u64::from(row)));
    }
    out
}

fn numbers(rows: &RowSelection) -> Vec<u64> {
    rows.ranges().iter().cloned().flatten().collect()
}

/// The rows that commands find: by the file as far as it can, the rest by evaluation.
fn selected(reader: &Reader<'_>, text: &str) -> Vec<u64> {
    let condition = Condition::parse(text).unwrap();
    let rows = crate::selecting::filtered(reader, "file", Some(&condition));
    let rows = rows.unwrap_or_else(|error| panic!("{text}: {}", error.message()));
    numbers(&rows.matching().unwrap())
}

/// Conditions that the file can decide itself.
const PUSHED: &[&str] = &[
    "id < 17",
    "17 > id",
    "delay >= -3",
    "delay != 5",
    "not delay = 5",
    "delay = 5.0",
    "delay < 2.5",
    "large = 9223372036854775807",
    "large > 9.2e18",
    "largest = 18446744073709551615",
    "largest <= 18446744073709551612",
    "wide < 170141183460469231731687303715884105727",
    "ratio > 7",
    "ratio != 7",
    "ratio <= 0.5 or ratio is null",
    "single = 0.1",
    "single in (0.1, 0.7, 3)",
    "single between 0.3 and 0.7",
    "name = 'N1é_odd'",
    "name > 'N2'",
    "name starts with 'N1'",
    "name like 'N1%'",
    "name like 'N1é\\_odd'",
    "name not in ('N1é_odd', 'x')",
    "name not like 'N1%'",
    "kind = 'Short'",
    "kind in ('Short', 'Other')",
    "kind < 'M'",
    "flag = true",
    "flag != false",
    "raw = 'x'",
    "raw starts with ''",
    "raw is null",
    "tags is null",
    "tags is not null",
    "any(tags, item = 't1')",
    "not any(tags, item = 't1')",
    "all(tags, item = 't1')",
    "all(tags, item starts with 't')",
    "any(hops, host = 'h1' and date > 2)",
    "all(hops, date > 2)",
    "any(hops, date is null)",
    "any(props, key = 'k1' and value >= 3)",
    "from.host = 'h3'",
    "from.date is null",
    "from is null",
    "any.Number._0 > 100",
    "any.Word._0 starts with 'w3'",
    "not any.Word._0 = 'w3'",
    "`odd name.x` = 3 and id between 20 and 80",
    "not (delay > 3 and flag = true)",
    "delay > 3 or flag = true or name is null",
    "not (delay > 3 or flag = true)",
    "id = -1",
    "id = 3.5",
];

#[test]
fn the_file_and_evaluation_agree() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    for text in PUSHED {
        let node = Expression::parse(text).unwrap().node;
        let predicate = predicate(&node).unwrap_or_else(|| panic!("{text} is not pushed"));
        let of_file = numbers(&reader.filter(predicate).unwrap().matching().unwrap());
        assert_eq!(evaluated(&reader, text), of_file, "{text}");
        assert_eq!(selected(&reader, text), of_file, "{text}");
        // The same by way of both.
        let both = format!("id + 0 < 150 and ({text})");
        let part: Vec<u64> = of_file.into_iter().filter(|row| *row < 150).collect();
        assert_eq!(selected(&reader, &both), part, "{both}");
    }
}

/// A condition, and the rows that it is true for.
type Case<'c> = (&'c str, &'c dyn Fn(&Row) -> bool);

#[test]
fn conditions_joined_by_chance_agree() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    let mut state = 7u64;
    let mut chance = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..200 {
        let mut text = format!("({})", PUSHED[chance(PUSHED.len())]);
        for _ in 0..chance(4) {
            let other = PUSHED[chance(PUSHED.len())];
            text = match chance(3) {
                0 => format!("({text} and ({other}))"),
                1 => format!("({text} or ({other}))"),
                _ => format!("(not {text} and ({other}))"),
            };
        }
        let predicate = predicate(&Expression::parse(&text).unwrap().node).unwrap();
        let of_file = numbers(&reader.filter(predicate).unwrap().matching().unwrap());
        assert_eq!(evaluated(&reader, &text), of_file, "{text}");
    }
}

#[test]
fn what_the_file_cannot_decide_is_evaluated() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    let rows = |of: &dyn Fn(&Row) -> bool| -> Vec<u64> {
        (0..ROWS).filter(|n| of(&row(*n))).map(u64::from).collect()
    };
    let name = |row: &Row, of: &dyn Fn(&str) -> bool| row.name.as_deref().is_some_and(of);
    let cases: &[Case<'_>] = &[
        ("id % 10 = 3", &|row| row.id % 10 == 3),
        ("id + 1 > 2 * 100 - 20", &|row| row.id + 1 > 180),
        ("id - 10 - 5 = 0", &|row| row.id == 15),
        ("-id < -290", &|row| row.id > 290),
        ("id / 4 = 2.5", &|row| row.id == 10),
        ("id / 0 > 1 or id = 3", &|row| row.id == 3),
        ("id % 0 is null and id < 2", &|row| row.id < 2),
        ("large + 1 > 9223372036854775807", &|row| row.id.is_multiple_of(5)),
        ("largest - large = 9223372036854775808", &|_| true),
        ("delay > id", &|row| row.delay.is_some_and(|delay| i64::from(delay) > i64::from(row.id))),
        ("ratio < delay", &|row| row.delay.zip(row.ratio).is_some_and(|(delay, ratio)| ratio < delay.into())),
        ("single > ratio", &|row| row.ratio.is_some_and(|ratio| f64::from(row.single) > ratio)),
        ("name like '%é%odd'", &|row| name(row, &|name| name.ends_with("odd"))),
        ("name like 'N_é%'", &|row| name(row, &|name| name.chars().nth(2) == Some('é'))),
        ("name ~ '^N1.*n$'", &|row| name(row, &|name| name.starts_with("N1") && name.ends_with('n'))),
        ("not name ~ 'o'", &|row| name(row, &|name| !name.contains('o'))),
        ("upper(name) = 'N1É_ODD'", &|row| name(row, &|name| name == "N1é_odd")),
        ("lower(name) like '%even'", &|row| name(row, &|name| name.ends_with("Even"))),
        ("len(name) = 8", &|row| name(row, &|name| name.chars().count() == 8)),
        ("len(tags) = 3", &|row| row.tags.as_ref().is_some_and(|tags| tags.len() == 3)),
        ("len(props) > 1", &|row| row.props.len() > 1),
        ("len(raw) = 2", &|row| row.raw.len() == 2),
        ("len(tags) is null", &|row| row.tags.is_none()),
        ("abs(delay) = 3", &|row| row.delay.is_some_and(|delay| delay.abs() == 3)),
        ("abs(-id) = 3", &|row| row.id == 3),
        ("round(single) = 3", &|row| (25..35).contains(&row.id)),
        ("round(id, -2) = 100", &|row| (50..150).contains(&row.id)),
        ("round(wide, -40) = 0", &|_| true),
        ("round(ratio, 1) = 0.5", &|row| row.id == 35),
        ("id in (1, 2 + 1, null)", &|row| [1, 3].contains(&row.id)),
        ("id not in (1, null)", &|_| false),
        ("delay = null", &|_| false),
        ("flag", &|row| row.flag == Some(true)),
        ("not flag and id < 50", &|row| row.flag == Some(false) && row.id < 50),
        ("(flag = true) = (id > 100)", &|row| row.flag.is_some_and(|flag| flag == (row.id > 100))),
        ("any(hops, date + 1 > 3 and lower(host) = 'h1')", &|row| {
            row.hops.iter().any(|hop| hop.host == "h1" && hop.date.is_some_and(|date| date > 2))
        }),
        ("all(tags, len(item) = 2)", &|row| row.tags.is_some()),
        ("any(props, key = 'k0' and value % 2 = 1)", &|row| row.props.get("k0").is_some_and(|v| v % 2 == 1)),
        ("any.Number._0 + 0 = 8", &|row| row.id == 8),
        ("from.date + 1 is null", &|row| row.from.as_ref().is_none_or(|hop| hop.date.is_none())),
        ("1 = 1", &|_| true),
        ("kind like '%h%' and kind != upper(kind)", &|row| matches!(row.kind, Kind::Short)),
    ];
    for (text, of) in cases {
        assert_eq!(selected(&reader, text), rows(of), "{text}");
        assert_eq!(evaluated(&reader, text), rows(of), "{text}");
    }
}

#[test]
fn operators_bind_as_usual() {
    let bytes = trevni::to_vec([0]).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    for (text, is_true) in [
        ("1 + 2 * 3 = 7", true),
        ("(1 + 2) * 3 = 9", true),
        ("10 - 4 - 3 = 3", true),
        ("-2 * -3 = 6", true),
        ("7 % 4 * 2 = 6", true),
        ("1 = 2 and 1 = 2 or 1 = 1", true),
        ("not 1 = 2 and 1 = 1", true),
        ("not (1 = 2 or 1 = 1)", false),
        ("null or true", true),
        ("not (null and false)", true),
        ("null and true", false),
        ("not null", false),
        ("3 between 1 + 1 and 2 * 2 and true", true),
        ("9007199254740993 > 9007199254740992.0", true),
        ("-170141183460469231731687303715884105728 < 0", true),
        ("1_000 = 1e3", true),
        ("item = 0", true),
        ("TRUE AND NOT FALSE", true),
    ] {
        assert_eq!(!evaluated(&reader, text).is_empty(), is_true, "{text}");
    }
}

#[track_caller]
fn fails(reader: &Reader<'_>, text: &str, message: &str) {
    let condition = Condition::parse(text);
    let error = condition.and_then(|condition| crate::selecting::filtered(reader, "file", Some(&condition)));
    let error = error.expect_err(text);
    assert!(error.message().contains(message), "{text}: {}", error.message());
    assert_eq!(error.code(), crate::failure::USAGE, "{text}");
}

#[test]
fn errors_say_where() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    for (text, message) in [
        ("delay >", "character 8: a field or a value expected"),
        ("delay > and", "character 9: a field or a value expected"),
        ("delay > 60 60", "character 12: and, or, or the end expected"),
        ("delay < 1 < 2", "character 11: and, or, or the end expected"),
        ("delay ? 3", "character 7: this is no part of an expression"),
        ("name = 'x", "character 8: this quote has no end"),
        ("name ~ '(x'", "character 8: no regular expression (unclosed group)"),
        ("name like 5", "character 11: a text expected"),
        ("(id = 1", "character 8: ) expected"),
        ("", "character 1: a field or a value expected"),
        ("id is 3", "character 7: null expected"),
        ("id not 3", "character 8: in, between, like or starts with expected"),
        ("id = 1x2", "character 6: a number expected"),
        ("lenn(name) = 3", "character 1: one of len, lower, upper, abs, round, any, all expected"),
        ("len(name, 3) = 3", "character 5: len takes 1 in its brackets"),
        ("name = 5", "character 1: name is a string, 5 a number"),
        ("id > 1 and 'x' < delay", "character 12: 'x' is a string, delay a number"),
        ("name + 1 = 2", "character 1: name is a string, not a number"),
        ("lower(id) = 'x'", "character 7: id is a number, not a string"),
        ("id + 1", "character 1: this is a number, no condition"),
        ("id and flag", "character 1: id is a number, not a condition"),
        ("tags = 't1'", "character 1: tags is a list, 't1' a string: test its items with any(…, …)"),
        ("hops.host = 'h1'", "character 1: hops.host goes into a list: test its items with any(…, …)"),
        ("any(id, item = 1)", "character 5: id is a number, not a list or map"),
        ("any(props, item = 1)", "character 12: an entry of a map: name its key or value"),
        ("from = 3", "character 1: from is a record, 3 a number"),
        ("dellay > 3", "character 1: no field \"dellay\"; did you mean \"delay\"?"),
        ("any(hops, hots = 'x')", "character 11: no field \"hots\"; did you mean \"host\"?"),
        ("wide + wide > 0", "an integer gets larger than 128 bits"),
    ] {
        if text.starts_with("wide") {
            let condition = Condition::parse(text).unwrap();
            let error = crate::selecting::filtered(&reader, "file", Some(&condition)).unwrap_err();
            assert!(error.message().contains(message), "{}", error.message());
        } else {
            fails(&reader, text, message);
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    let many = 100_000;
    let bytes = trevni::to_vec([0]).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let deep = [
        format!("{}1 = 1{}", "(".repeat(many), ")".repeat(many)),
        "(".repeat(many),
        format!("{}true", "not ".repeat(many)),
        format!("{}item = 0", "- ".repeat(many)),
        format!("{}item = 0", "1 + ".repeat(many)),
        format!("{}1{} = 1", "abs(".repeat(many), ")".repeat(many)),
        format!("{}item = 0{}", "any(item, ".repeat(many), ")".repeat(many)),
    ];
    for text in deep {
        fails(&reader, &text, "nested more than 100 levels deep");
    }
    let long = format!("item = 0{}", " and 1 = 1".repeat(2_000));
    assert_eq!(evaluated(&reader, &long), [0]);
    let nested = format!("{}item = 0{}", "(".repeat(90), ")".repeat(90));
    assert_eq!(selected(&reader, &nested), [0]);
}

#[test]
fn nothing_that_is_written_panics() {
    const PARTS: &[&str] = &[
        "id",
        "delay",
        "name",
        "tags",
        "hops",
        "props",
        "any.Word._0",
        "flag",
        "wide",
        "raw",
        "item",
        "key",
        "3",
        "-7",
        "2.5",
        "'N%'",
        "\"x",
        "true",
        "null",
        "(",
        ")",
        ",",
        "+",
        "-",
        "*",
        "/",
        "%",
        "=",
        "<",
        "!=",
        "~",
        "and",
        "or",
        "not",
        "in",
        "in (1, 'x')",
        "between",
        "is null",
        "like",
        "like '%1_'",
        "starts with",
        "len(",
        "abs(",
        "round(",
        "lower(",
        "any(",
        "all(",
        "any(tags, ",
        "all(hops, ",
        "é",
        "`",
        ".",
        "1e999",
        "~ '['",
    ];
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    let mut state = 11u64;
    let mut chance = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut good = 0;
    for _ in 0..20_000 {
        let parts: Vec<&str> = (0..1 + chance(7)).map(|_| PARTS[chance(PARTS.len())]).collect();
        let text = parts.join(" ");
        let condition = Condition::parse(&text);
        let rows =
            condition.and_then(|condition| crate::selecting::filtered(&reader, "file", Some(&condition)));
        good += usize::from(rows.is_ok_and(|rows| rows.matching().is_ok()));
        let _ = (Expression::call(&text), Expression::named(&text));
    }
    assert!(good > 20, "{good}");
}

#[test]
fn lists_are_parted_at_commas() {
    assert_eq!(between_commas("a, b(c, 'd,)'),`e,f` ,,g"), ["a", "b(c, 'd,)')", "`e,f`", "g"]);
    assert_eq!(Expression::named("late = a - b").unwrap().0, "late");
    assert_eq!(Expression::named(" a-b ").unwrap().0, "a-b");
    assert_eq!(Expression::named("`a b`").unwrap().0, "a b");
    let call = Expression::call("p = quantile(x + 1, 0.9)").unwrap();
    assert_eq!((call.name.as_deref(), &*call.function, call.parts.len()), (Some("p"), "quantile", 2));
    assert_eq!(call.parts[0].source(), "x + 1");
}
