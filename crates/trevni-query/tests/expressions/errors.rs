//! What is said of wrong expressions.

use super::{between_commas, evaluated, file, selected};
use trevni::Reader;
use trevni_query::{Condition, ErrorKind, Expression};

#[track_caller]
fn fails(reader: &Reader<'_>, text: &str, message: &str) {
    let error = Condition::parse(text).and_then(|condition| condition.filter(reader)).expect_err(text);
    assert!(error.to_string().contains(message), "{text}: {error}");
    assert!(matches!(error.kind(), ErrorKind::Query), "{text}");
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
        ("name like 5", "character 11: a string expected"),
        ("(id = 1", "character 8: ) expected"),
        ("", "character 1: a field or a value expected"),
        ("id is 3", "character 7: null expected"),
        ("id not 3", "character 8: in, between, like or starts with expected"),
        ("id = 1x2", "character 6: a number expected"),
        ("lenn(name) = 3", "character 1: no function \"lenn\"; did you mean len?"),
        ("frobnicate(name) = 3", "character 1: no function \"frobnicate\""),
        ("substr(name) = 'x'", "character 8: substr takes 2 or 3 in its brackets: substr(x, 1, 3)"),
        ("concat() = 'x'", "character 8: concat takes 1 or more in its brackets"),
        (
            "split(name, ',') = 'x'",
            "character 1: a list of strings: take one by its number, split(x, ',')[0]",
        ),
        ("split(name, ',')['x'] = 'x'", "character 18: a number such as 0 or -1 expected"),
        ("tags[id] = 'x'", "character 6: a number such as 0 or -1, or a key such as 'a' expected"),
        ("tags[0 = 'x'", "character 8: ] expected"),
        ("hops[0]. = 'x'", "character 10: a name expected"),
        ("hops[0].hots = 'x'", "character 1: no field \"hops[0].hots\"; did you mean \"host\"?"),
        (
            "name[0] = 'x'",
            "character 1: what is before the square bracket is a string, not a list or map: parts of strings are substr(x, 1, 3)",
        ),
        ("tags['x'] = 'x'", "what is before the square bracket is a list, not a map"),
        ("props[0] = 1", "the keys are a string each, and this is another"),
        ("regexp_extract(name, kind) = 'x'", "character 22: a regular expression expected"),
        ("regexp_extract(name, '(') = 'x'", "character 22: no regular expression (unclosed group)"),
        (
            "regexp_extract(name, '(a)', 2) = 'x'",
            "character 29: the number of a group expected: 0 for all that matches, 1 at most",
        ),
        ("strptime(name, kind) = 'x'", "character 16: a pattern such as '%d/%m/%Y' expected"),
        (
            "strptime(name, '%H') > '2013-06-01'",
            "character 16: a pattern such as '%d/%m/%Y' expected: it has no date",
        ),
        ("strptime(name, '%!') > '2013-06-01'", "character 16: a pattern such as '%d/%m/%Y' expected: "),
        ("strftime(id, '%Y') = 'x'", "character 10: id is a number, not a date, an instant or a time of day"),
        ("if(id, 1, 2) = 1", "character 4: id is a number, not a condition"),
        ("if(flag, 1, 'x') = 1", "character 13: 'x' is a string, 1 a number"),
        ("coalesce(id, tags) = 1", "character 14: tags is a list, not a single value"),
        ("contains(tags, name)", "character 1: a value such as 3 or 'a' expected"),
        ("substr(name, 'x', 2) = 'x'", "character 14: 'x' is a string, not a whole number"),
        ("any + 1 = 2", "character 1: any is a union, not a number; its branches are Number, Word"),
        ("host = 'x'", "character 1: no field \"host\"; did you mean \"hops.host\" or \"from.host\"?"),
        ("FROM.HOST = 'x'", "no field \"FROM.HOST\""),
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
            let error = Condition::parse(text).unwrap().filter(&reader).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
            assert!(matches!(error.kind(), ErrorKind::Value) && error.hint().is_some(), "{text}");
        } else {
            fails(&reader, text, message);
        }
    }
}

#[test]
fn words_of_sql_are_told_what_to_do() {
    for (text, hint) in [
        ("row_number() > 3", "Windows need an SQL engine"),
        ("id over delay", "Windows need an SQL engine"),
        ("cast(id) = '3'", "text(x), int(x) and float(x)"),
        ("case when id", "if(condition, value, other)"),
        ("sum(id) > 3", "--having"),
        ("id > 3 limit 5", "-n"),
        ("id > 3 join other", "SQL engine"),
        ("lenght(name) = 3", "trevni help expressions"),
        ("odd name > 3", "A name with spaces is in back quotes: `a b`"),
    ] {
        let error = Condition::parse(text).expect_err(text);
        assert!(error.hint().is_some_and(|own| own.contains(hint)), "{text}: {:?}", error.hint());
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
        format!("{}true", "!".repeat(many)),
        format!("{}1{} = 1", "coalesce(".repeat(many), ")".repeat(many)),
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
        "[0]",
        "['k1']",
        "[-1].host",
        "substr(name,",
        "split(name, '_')[0]",
        "coalesce(",
        "if(flag,",
        "int(",
        "text(",
        "concat(name,",
        "ilike 'n%'",
        "contains 'x'",
        "&&",
        "||",
        "!",
        "any",
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
        let rows = Condition::parse(&text).and_then(|condition| condition.filter(&reader));
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
    assert_eq!(Expression::named("a - b as late").unwrap().0, "late");
    assert_eq!(Expression::named("a - b AS 'so late'").unwrap().0, "so late");
    assert_eq!(Expression::named("as + 1").unwrap().0, "as + 1");
    assert_eq!(between_commas("x[0], split(a, ',')[1]"), ["x[0]", "split(a, ',')[1]"]);
    assert_eq!(Expression::named("`a b`").unwrap().0, "a b");
    let call = Expression::call("p = quantile(x + 1, 0.9)").unwrap();
    assert_eq!((call.name.as_deref(), &*call.function, call.parts.len()), (Some("p"), "quantile", 2));
    assert_eq!(call.parts[0].source(), "x + 1");
}
