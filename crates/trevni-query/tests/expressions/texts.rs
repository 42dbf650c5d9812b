//! Functions of texts, against what plain Rust makes of the same texts.

use trevni::Reader;
use trevni_query::{Binder, Expression, Scalar, Scope};

/// Texts of all kinds, by chance, always the same.
fn texts() -> Vec<Option<String>> {
    const PARTS: [&str; 14] =
        ["a", "B", "é", "ß", ",", ",,", " ", "\t", "12", "-7", "a,b", "🦀", "x=3.5km", "ǅ"];
    let mut state = 5u64;
    let mut chance = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut text = || {
        let count = chance(6);
        (chance(9) > 0).then(|| (0..count).map(|_| PARTS[chance(PARTS.len())]).collect())
    };
    (0..500).map(|_| text()).collect()
}

/// The values of an expression for rows of one text each, which is `item`.
fn values(texts: &[Option<String>], text: &str) -> Vec<Scalar> {
    let bytes = trevni::to_vec(texts).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let bound = Expression::parse(text).unwrap().bind(&Binder::new(reader.shape()));
    let bound = bound.unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut out = Vec::new();
    for batch in reader.batches().unwrap() {
        let batch = batch.unwrap();
        let column = bound.evaluate(&Scope::of(&batch)).unwrap();
        out.extend((0..batch.len()).map(|row| column.get(row).to_scalar()));
    }
    out
}

fn text(value: impl Into<String>) -> Scalar {
    Scalar::Text(value.into())
}

/// What `substr` is by its definition: the characters whose places are in the window.
fn window(text: &str, from: i64, count: i64) -> String {
    let (from, count) = (i128::from(from), i128::from(count));
    let len = text.chars().count() as i128;
    let from = if from < 0 { len + from + 1 } else { from };
    let chars = text.chars().zip(1i128..);
    chars.filter(|(_, at)| *at >= from && *at - from < count).map(|(c, _)| c).collect()
}

fn parts(text: &str) -> Vec<String> {
    text.split(',').map(str::to_owned).collect()
}

#[test]
fn they_make_what_rust_makes() {
    let texts = texts();
    type Made<'m> = &'m dyn Fn(&str) -> Scalar;
    let cases: &[(&str, Made<'_>)] = &[
        ("lower(item)", &|t| text(t.to_lowercase())),
        ("UCASE(item)", &|t| text(t.to_uppercase())),
        ("trim(item)", &|t| text(t.trim())),
        ("ltrim(item)", &|t| text(t.trim_start())),
        ("rtrim(item)", &|t| text(t.trim_end())),
        ("length(item)", &|t| Scalar::Integer(t.chars().count() as i128)),
        ("replace(item, 'a', 'éé')", &|t| text(t.replace('a', "éé"))),
        ("replace(item, '', 'x')", &|t| text(t)),
        ("contains(item, 'a,')", &|t| Scalar::Boolean(t.contains("a,"))),
        ("item contains 'a,'", &|t| Scalar::Boolean(t.contains("a,"))),
        ("starts_with(item, 'é')", &|t| Scalar::Boolean(t.starts_with('é'))),
        ("item ends with 'km'", &|t| Scalar::Boolean(t.ends_with("km"))),
        ("endswith(item, lower(item))", &|t| Scalar::Boolean(t.ends_with(&t.to_lowercase()))),
        ("item ilike 'A%b'", &|t| {
            let low = t.to_lowercase();
            Scalar::Boolean(low.len() > 1 && low.starts_with('a') && low.ends_with('b'))
        }),
        ("split(item, ',')[0]", &|t| text(&parts(t)[0])),
        ("split(item, ',')[2]", &|t| parts(t).get(2).map_or(Scalar::Null, text)),
        ("split(item, ',')[-1]", &|t| text(parts(t).last().unwrap())),
        ("split(item, ',')[-3]", &|t| parts(t).iter().rev().nth(2).map_or(Scalar::Null, text)),
        ("split(item, '')[1]", &|t| t.chars().nth(1).map_or(Scalar::Null, |c| text(c.to_string()))),
        ("split(item, '')[-9223372036854775808]", &|_| Scalar::Null),
        ("len(split(item, ','))", &|t| Scalar::Integer(parts(t).len() as i128)),
        ("left(item, 3)", &|t| text(t.chars().take(3).collect::<String>())),
        ("right(item, 2)", &|t| {
            let skip = t.chars().count().saturating_sub(2);
            text(t.chars().skip(skip).collect::<String>())
        }),
        ("left(item, -1)", &|_| text("")),
        ("concat(item, '-', 3, null)", &|_| Scalar::Null),
        ("concat(item, '-', 3, true)", &|t| text(format!("{t}-3true"))),
        ("int(item)", &|t| t.trim().parse().map_or(Scalar::Null, Scalar::Integer)),
        ("float(item)", &|t| t.trim().parse().map_or(Scalar::Null, Scalar::Float)),
        ("text(len(item) / 2)", &|t| text(format!("{:?}", t.chars().count() as f64 / 2.0))),
        ("if(item contains 'a', 'yes', upper(item))", &|t| {
            if t.contains('a') { text("yes") } else { text(t.to_uppercase()) }
        }),
        ("if(len(item) > 3, len(item))", &|t| {
            let len = t.chars().count() as i128;
            if len > 3 { Scalar::Integer(len) } else { Scalar::Null }
        }),
        ("regexp_extract(item, '[0-9]+')", &|t| {
            let digits = t.find(|c: char| c.is_ascii_digit());
            digits.map_or(Scalar::Null, |at| {
                text(t[at..].chars().take_while(char::is_ascii_digit).collect::<String>())
            })
        }),
        ("regexp_extract(item, '([0-9.]+)(km)', 1)", &|t| {
            if t.contains("3.5km") { text("3.5") } else { Scalar::Null }
        }),
    ];
    for (expression, of) in cases {
        let found = values(&texts, expression);
        assert_eq!(found.len(), texts.len());
        for (value, own) in found.iter().zip(&texts) {
            let expected = own.as_deref().map_or(Scalar::Null, of);
            assert_eq!(*value, expected, "{expression} of {own:?}");
        }
    }
}

#[test]
fn parts_are_cut_as_in_sql() {
    let texts = texts();
    for from in [i64::MIN, -100, -3, -1, 0, 1, 2, 5, 100, i64::MAX] {
        for count in [i64::MIN, -1, 0, 1, 3, 100, i64::MAX] {
            let found = values(&texts, &format!("substr(item, {from}, {count})"));
            for (value, own) in found.iter().zip(&texts) {
                let expected = own.as_deref().map(|own| window(own, from, count));
                assert_eq!(*value, expected.map_or(Scalar::Null, text), "substr({own:?}, {from}, {count})");
            }
        }
        let open = values(&texts, &format!("substring(item, {from})"));
        for (value, own) in open.iter().zip(&texts) {
            let expected = own.as_deref().map(|own| window(own, from.max(-1000), i64::MAX));
            assert_eq!(*value, expected.map_or(Scalar::Null, text), "substr({own:?}, {from})");
        }
    }
}

#[test]
fn what_is_missing_is_replaced() {
    let texts = texts();
    let found = values(&texts, "coalesce(item, 'none')");
    for (value, own) in found.iter().zip(&texts) {
        assert_eq!(*value, text(own.as_deref().unwrap_or("none")));
    }
    let found = values(&texts, "if(item is null, 'none', null)");
    assert!(found.iter().zip(&texts).all(|(value, own)| (*value == Scalar::Null) == own.is_some()));
    let found = values(&texts, "if(len(item) > 3, len(item), 0.5)");
    for (value, own) in found.iter().zip(&texts) {
        let len = own.as_ref().map(|own| own.chars().count() as f64).filter(|len| *len > 3.0);
        assert_eq!(*value, Scalar::Float(len.unwrap_or(0.5)), "{own:?}");
    }
    // What is unknown is not true.
    let found = values(&texts, "if(item = 'a', 1, 2)");
    assert!(
        found
            .iter()
            .zip(&texts)
            .all(|(value, own)| *value == Scalar::Integer(if own.as_deref() == Some("a") { 1 } else { 2 }))
    );
}

#[test]
fn numbers_become_others() {
    let one = [Some("12".to_owned())];
    for (expression, expected) in [
        ("int(3.9)", Scalar::Integer(3)),
        ("int(-3.9)", Scalar::Integer(-3)),
        ("int(1e300)", Scalar::Null),
        ("int(-170141183460469231731687303715884105728.0)", Scalar::Integer(i128::MIN)),
        ("int(true)", Scalar::Integer(1)),
        ("int('+12')", Scalar::Integer(12)),
        ("int(item) + 1", Scalar::Integer(13)),
        ("float('nope')", Scalar::Null),
        ("float(7)", Scalar::Float(7.0)),
        ("text(null)", Scalar::Null),
        ("text(1e100)", Scalar::Text("1e100".to_owned())),
        ("floor(-2.5)", Scalar::Float(-3.0)),
        ("ceil(-2.5)", Scalar::Float(-2.0)),
        ("ceiling(7)", Scalar::Integer(7)),
        ("coalesce(null, 3, 'x' is null)", Scalar::Null),
        ("coalesce(null, 3, 2.5)", Scalar::Float(3.0)),
    ] {
        if expression.contains("is null") {
            assert!(
                Expression::parse(expression).unwrap().bind(&Binder::new(&trevni::Shape::String)).is_err()
            );
            continue;
        }
        assert_eq!(values(&one, expression), [expected], "{expression}");
    }
}

#[test]
fn texts_do_not_grow_beyond_memory() {
    let bytes = trevni::to_vec(["a".repeat(1000)]).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let much = "a".repeat(2000);
    let expression = format!("replace(replace(item, 'a', '{much}'), 'a', '{much}')");
    let bound = Expression::parse(&expression).unwrap().bind(&Binder::new(reader.shape())).unwrap();
    let batch = reader.batches().unwrap().next().unwrap().unwrap();
    let error = bound.evaluate(&Scope::of(&batch)).unwrap_err();
    assert!(error.to_string().contains("take more than 1 GiB"), "{error}");
}
