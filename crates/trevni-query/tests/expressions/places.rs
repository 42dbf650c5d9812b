//! Items of lists by their numbers, and values of maps by their keys.

use super::{ROWS, Row, file, row};
use trevni::Reader;
use trevni_query::{Binder, Condition, Expression, Scalar, Scope};

/// The values of an expression, read with no more than the fields that it names.
fn values(reader: &Reader<'_>, text: &str) -> Vec<Scalar> {
    let expression = Expression::parse(text).unwrap();
    let fields = expression.fields(reader.shape());
    assert!(!fields.is_empty(), "{text}");
    let reader = reader.project_paths(fields).unwrap();
    let bound =
        expression.bind(&Binder::new(reader.shape())).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut out = Vec::new();
    for batch in reader.batches().unwrap() {
        let batch = batch.unwrap();
        let column = bound.evaluate(&Scope::of(&batch)).unwrap();
        out.extend((0..batch.len()).map(|row| column.get(row).to_scalar()));
    }
    out
}

fn text(value: Option<&String>) -> Scalar {
    value.map_or(Scalar::Null, |value| Scalar::Text(value.clone()))
}

fn integer(value: Option<i32>) -> Scalar {
    value.map_or(Scalar::Null, |value| Scalar::Integer(value.into()))
}

#[test]
fn items_and_values_are_those_of_the_rows() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    type Of<'o> = &'o dyn Fn(&Row) -> Scalar;
    let cases: &[(&str, Of<'_>)] = &[
        ("tags[0]", &|row| text(row.tags.as_ref().and_then(|tags| tags.first()))),
        ("tags[2]", &|row| text(row.tags.as_ref().and_then(|tags| tags.get(2)))),
        ("tags[-1]", &|row| text(row.tags.as_ref().and_then(|tags| tags.last()))),
        ("tags[-3]", &|row| text(row.tags.as_ref().and_then(|tags| tags.iter().rev().nth(2)))),
        ("tags[9223372036854775807]", &|_| Scalar::Null),
        ("tags[-9223372036854775808]", &|_| Scalar::Null),
        ("hops[0].host", &|row| text(row.hops.first().map(|hop| &hop.host))),
        ("hops[-1].date", &|row| integer(row.hops.last().and_then(|hop| hop.date))),
        ("hops[1].date + 1", &|row| integer(row.hops.get(1).and_then(|hop| Some(hop.date? + 1)))),
        ("props['k1']", &|row| integer(row.props.get("k1").copied())),
        ("props['none']", &|_| Scalar::Null),
        ("coalesce(props['k1'], props['k0'], -1)", &|row| {
            let found = row.props.get("k1").or(row.props.get("k0")).copied();
            integer(Some(found.unwrap_or(-1)))
        }),
    ];
    for (expression, of) in cases {
        let found = values(&reader, expression);
        let expected: Vec<Scalar> = (0..ROWS).map(|n| of(&row(n))).collect();
        assert_eq!(found, expected, "{expression}");
    }
}

#[test]
fn lists_within_lists_are_entered_step_by_step() {
    let rows = [vec![vec![1, 2], vec![3]], vec![], vec![vec![], vec![4, 5, 6]]];
    let bytes = trevni::to_vec(rows).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let integers = |values: [Option<i32>; 3]| values.map(integer).to_vec();
    assert_eq!(values(&reader, "item[0][1]"), integers([Some(2), None, None]));
    assert_eq!(values(&reader, "item[-1][-1]"), integers([Some(3), None, Some(6)]));
    assert_eq!(values(&reader, "len(item[1])"), integers([Some(1), None, Some(3)]));
}

#[test]
fn conditions_on_items_select_rows() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    for (text, of) in [
        (
            "hops[0].host = 'h1' and id < 100",
            &(|row: &Row| row.id < 100 && row.hops.first().is_some_and(|hop| hop.host == "h1"))
                as &dyn Fn(&Row) -> bool,
        ),
        ("contains(tags, 't1')", &|row| {
            row.tags.as_ref().is_some_and(|tags| tags.iter().any(|tag| tag == "t1"))
        }),
        ("not contains(tags, 't1')", &|row| {
            row.tags.as_ref().is_some_and(|tags| tags.iter().all(|tag| tag != "t1"))
        }),
        ("starts_with(name, 'N1')", &|row| row.name.as_ref().is_some_and(|name| name.starts_with("N1"))),
    ] {
        let filtered = Condition::parse(text).unwrap().filter(&reader).unwrap();
        let expected = (0..ROWS).filter(|n| of(&row(*n))).count();
        assert_eq!(filtered.matching().unwrap().row_count(), expected as u64, "{text}");
        assert!(expected > 0, "{text}");
    }
}

#[test]
fn keys_may_be_numbers() {
    let rows = [std::collections::BTreeMap::from([(3u8, "c"), (7, "g")]), Default::default()];
    let bytes = trevni::to_vec(rows).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!(values(&reader, "item[7]"), [Scalar::Text("g".to_owned()), Scalar::Null]);
}
