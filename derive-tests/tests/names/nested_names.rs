//! Variants within variants, and what a namespace makes of names.

use serde::{Deserialize, Serialize};

use crate::assert_any_order;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct A {
    a: i32,
}

#[test]
fn a_struct_within_variants_of_variants_and_after_them() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Inner {
        A(A),
        B { a: A },
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Outer {
        Inner(Inner),
        A(A, Inner),
        Empty,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Row {
        outer: Outer,
        a: A,
        inner: Inner,
    }
    let a = |a| A { a };
    let outers = [Outer::Inner(Inner::A(a(1))), Outer::A(a(2), Inner::B { a: a(3) }), Outer::Empty];
    assert_any_order(&outers.map(|outer| Row { outer, a: a(4), inner: Inner::A(a(5)) }));
}

#[test]
fn an_enum_named_like_the_namespace_of_this_crate() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "serde")]
    enum Serde {
        Some(Option<Option<i32>>),
        Unit(Option<()>),
        Entry(std::collections::BTreeMap<i32, A>),
        #[serde(rename = "i128")]
        Wide(i128),
    }
    assert_any_order(&[
        Serde::Some(Some(None)),
        Serde::Some(Some(Some(1))),
        Serde::Unit(Some(())),
        Serde::Unit(None),
        Serde::Entry([(1, A { a: 1 })].into()),
        Serde::Wide(1),
    ]);
}

#[test]
fn names_that_become_equal_when_they_become_valid() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(rename = "a-b")]
        dash: Dash,
        #[serde(rename = "a_b")]
        line: Line,
        #[serde(rename = "a b")]
        space: Option<Dash>,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "a-b")]
    struct Dash {
        x: i32,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "a_b")]
    enum Line {
        #[serde(rename = "a-b")]
        Dash(Dash),
        #[serde(rename = "a_b")]
        Line,
        #[serde(rename = "a b")]
        Space { x: Dash },
    }
    let dash = Dash { x: 1 };
    let lines = [Line::Dash(dash.clone()), Line::Line, Line::Space { x: dash.clone() }];
    assert_any_order(&lines.map(|line| Row { dash: dash.clone(), line, space: Some(dash.clone()) }));
}
