//! For which rows conditions are true: by the file, and by evaluation.

use super::{Kind, ROWS, Row, evaluated, file, pushed, row, selected};
use trevni::Reader;

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
        let of_file = pushed(&reader, text);
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
        let of_file = pushed(&reader, &text);
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
        ("1 = 2 && 1 = 2 || 1 = 1", true),
        ("!(1 = 2) && !false", true),
        ("!true || 1 <> 1", false),
    ] {
        assert_eq!(!evaluated(&reader, text).is_empty(), is_true, "{text}");
    }
}
