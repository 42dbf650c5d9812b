//! Fields and variants reordered, dropped, renamed.

use std::collections::HashMap;

use derive_tests::assert_reads;
use serde::{Deserialize, Serialize};

use super::{Field, Inner, field, rows};

#[test]
fn reordered_at_every_level() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Turned {
        label: String,
        width: i32,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Reordered {
        items: Vec<Turned>,
        maybe: Option<Turned>,
        id: i32,
        inner: Turned,
    }
    let turn = |i: Inner| Turned { label: i.label, width: i.width };
    let expected: Vec<_> = rows()
        .into_iter()
        .map(|row| Reordered {
            items: row.items.into_iter().map(turn).collect(),
            maybe: row.maybe.map(turn),
            id: row.id,
            inner: turn(row.inner),
        })
        .collect();
    assert_reads(&rows(), &expected);
}

#[test]
fn fewer_fields_at_every_level() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Fewer {
        maybe: Option<Field<i32>>,
        items: Vec<Field<i32>>,
        map: HashMap<String, Field<i32>>,
        pair: (i32, Field<i32>),
    }
    let expected: Vec<_> = rows()
        .into_iter()
        .map(|row| Fewer {
            maybe: row.maybe.map(|i| field(i.width)),
            items: row.items.into_iter().map(|i| field(i.width)).collect(),
            map: row.map.into_iter().map(|(key, i)| (key, field(i.width))).collect(),
            pair: (row.pair.0, field(row.pair.1.width)),
        })
        .collect();
    assert_reads(&rows(), &expected);
}

#[test]
fn only_the_last_field_of_a_struct_in_a_list() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Label {
        label: String,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Items {
        items: Vec<Label>,
    }
    let expected: Vec<_> = rows()
        .into_iter()
        .map(|row| Items { items: row.items.into_iter().map(|i| Label { label: i.label }).collect() })
        .collect();
    assert_reads(&rows(), &expected);
}

#[test]
fn no_field_at_all() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Nothing {}
    assert_reads(&rows(), &[Nothing {}, Nothing {}, Nothing {}, Nothing {}]);
}

#[test]
fn no_field_of_the_items_of_a_list_keeps_their_number() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Nothing {}
    #[derive(Debug, PartialEq, Deserialize)]
    struct Items {
        items: Vec<Nothing>,
    }
    let expected = [2, 0, 1, 3].map(|n| Items { items: (0..n).map(|_| Nothing {}).collect() });
    assert_reads(&rows(), &expected);
}

#[test]
fn fewer_fields_of_a_struct_variant() {
    #[derive(Serialize)]
    enum Written {
        A { width: i32, label: Vec<String>, z: bool },
        B(i32),
    }
    #[derive(Debug, PartialEq, Deserialize)]
    enum Read {
        B(i64),
        A { z: bool },
    }
    assert_reads(
        &[
            Written::A { width: 1, label: vec!["a".into()], z: true },
            Written::B(2),
            Written::A { width: 3, label: vec![], z: false },
        ],
        &[Read::A { z: true }, Read::B(2), Read::A { z: false }],
    );
}

#[test]
fn variants_are_matched_by_name() {
    #[derive(Serialize)]
    enum Written {
        A,
        B,
        C,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    enum Read {
        New,
        C,
        B,
        A,
    }
    assert_reads(&[Written::A, Written::C, Written::B], &[Read::A, Read::C, Read::B]);
    assert_reads(&["New"], &[Read::New]);
}

#[test]
fn a_variant_that_gained_a_field_with_a_default() {
    #[derive(Serialize)]
    enum Written {
        A { width: i32 },
    }
    #[derive(Debug, PartialEq, Deserialize)]
    enum Read {
        A {
            width: i32,
            #[serde(default)]
            label: String,
        },
    }
    assert_reads(&[Written::A { width: 1 }], &[Read::A { width: 1, label: String::new() }]);
}

#[test]
fn an_alias_that_sorts_before_its_field_is_matched_by_name() {
    #[derive(Serialize)]
    struct Old {
        b: i32,
        a: i32,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct New {
        #[serde(alias = "a")]
        z: i32,
        b: i32,
    }
    assert_reads(&[Old { b: 1, a: 2 }], &[New { z: 2, b: 1 }]);
}

#[test]
fn all_field_names_are_aliases() {
    #[derive(Serialize)]
    struct Old {
        label: i32,
        width: i32,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct New {
        #[serde(alias = "width")]
        first: i32,
        #[serde(alias = "label")]
        second: i32,
    }
    assert_reads(&[Old { label: 1, width: 2 }], &[New { first: 2, second: 1 }]);
}
